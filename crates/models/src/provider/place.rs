//! Where an address leads: to this machine, or elsewhere. Pure.

use std::net::IpAddr;

use reqwest::Url;

/// Whether an address is one of this machine. It is read by whoever dials it, so that both
/// mean the same: what stands before an `@` is a name to sign in with, and no host.
pub fn is_here(base: &str) -> bool {
    let Ok(url) = Url::parse(base) else { return false };
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_host_says_whether_an_address_is_here() {
        for here in [
            "http://localhost:11434/v1",
            "http://LOCALHOST",
            "http://127.0.0.1:8080/v1",
            "http://127.1/v1",
            "http://[::1]:8080/v1",
            "https://me:secret@localhost/v1",
        ] {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in [
            "http://localhost:1@evil.example/v1",
            "http://127.0.0.1@evil.example/",
            "http://localhost.evil.example/v1",
            "http://127.0.0.1.evil.example/v1",
            "http://evil.example/localhost",
            "http://evil.example\\@localhost/v1",
            "http://10.0.0.7/v1",
            "localhost:11434",
            "",
        ] {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
    }
}
