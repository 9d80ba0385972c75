//! Which pages may talk to us. A browser carries a foreign page's requests to any
//! address it can reach, so it is asked where the page comes from.

use std::net::IpAddr;

use anyhow::bail;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::config::Settings;

/// The origins that are let in.
pub struct Origins {
    /// Others than our own.
    allowed: Vec<String>,
    /// Nobody is asked who they are: then only names of this machine count, for a
    /// foreign name may have been pointed at it.
    at_home: bool,
    tls: bool,
}

/// Where a request comes from, as far as that concerns a browser.
#[derive(Debug, PartialEq, Eq)]
pub enum From {
    /// Our own page, or no page at all.
    Here,
    /// A page that is on the list; the browser wants to hear it.
    Listed(HeaderValue),
    /// It is not let in.
    Elsewhere,
    /// It calls this machine by a name that is not its own.
    ForeignHost,
}

impl Origins {
    pub fn new(settings: &Settings, asks: bool) -> anyhow::Result<Self> {
        for origin in &settings.origins {
            let rest = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
            let is_host = |host: &str| !host.is_empty() && host.chars().all(is_plain);
            if !rest.is_some_and(is_host) || origin.chars().any(|c| c.is_ascii_uppercase()) {
                bail!(
                    "`origins`: \"{origin}\" is not an origin like https://chat.example: \
                     scheme, host and port in small letters, without a path"
                );
            }
        }
        Ok(Self { allowed: settings.origins.clone(), at_home: !asks, tls: settings.tls.is_on() })
    }

    pub fn from(&self, headers: &HeaderMap) -> From {
        let host = headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default());
        let host = host.unwrap_or_default();
        if self.at_home && !is_this_machine(host) {
            return From::ForeignHost;
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return From::Here };
        let text = origin.to_str().unwrap_or_default();
        if self.is_own(text, host) {
            return From::Here;
        }
        let is_listed = self.allowed.iter().any(|allowed| allowed == text);
        if is_listed { From::Listed(origin.clone()) } else { From::Elsewhere }
    }

    fn is_own(&self, origin: &str, host: &str) -> bool {
        if host.is_empty() {
            return false;
        }
        let is = |scheme: &str| {
            origin.strip_prefix(scheme).is_some_and(|rest| rest.eq_ignore_ascii_case(host))
        };
        // A proxy before us may speak TLS in our stead.
        let may_be_tls = self.tls || !self.at_home;
        (may_be_tls && is("https://")) || (!self.tls && is("http://"))
    }
}

fn is_this_machine(host: &str) -> bool {
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name);
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    match bare.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => name.strip_suffix('.').unwrap_or(name).eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Tls;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    fn at_home() -> Origins {
        Origins::new(&Settings::default(), false).unwrap()
    }

    #[test]
    fn our_own_pages_and_programs_are_let_in() {
        for (host, origin) in [
            ("localhost:8787", None),
            ("127.0.0.1:8787", Some("http://127.0.0.1:8787")),
            ("[::1]:8787", Some("http://[::1]:8787")),
            ("[::1]", None),
            ("127.0.0.2:9873", Some("http://127.0.0.2:9873")),
            ("LOCALHOST:8787", None),
            ("localhost.:8787", None),
        ] {
            assert_eq!(at_home().from(&headers(host, origin)), From::Here, "{host} {origin:?}");
        }
    }

    #[test]
    fn foreign_pages_and_foreign_names_are_not() {
        for (host, origin) in [
            ("localhost:8787", Some("https://evil.example")),
            ("localhost:8787", Some("http://localhost:3000")),
            ("localhost:8787", Some("https://localhost:8787")),
            ("localhost:8787", Some("null")),
        ] {
            let from = at_home().from(&headers(host, origin));
            assert_eq!(from, From::Elsewhere, "{host} {origin:?}");
        }
        for host in
            ["rebound.example:8787", "127.0.0.1.evil.example", "10.0.0.1", "[2001:db8::1]", ""]
        {
            assert_eq!(at_home().from(&headers(host, None)), From::ForeignHost, "{host}");
        }
        assert_eq!(at_home().from(&HeaderMap::new()), From::ForeignHost);
    }

    #[test]
    fn where_everybody_is_asked_our_own_name_may_be_any_but_the_page_must_be_ours() {
        let asking = Origins::new(&Settings::default(), true).unwrap();
        let from = |origin| asking.from(&headers("chat.example", origin));
        assert_eq!(from(None), From::Here);
        assert_eq!(from(Some("https://chat.example")), From::Here);
        assert_eq!(from(Some("http://chat.example")), From::Here);
        assert_eq!(from(Some("https://chat.example:444")), From::Elsewhere);
        assert_eq!(from(Some("https://evil.example")), From::Elsewhere);
        assert_eq!(from(Some("null")), From::Elsewhere);

        let tls = Tls { cert: "c".into(), key: "k".into() };
        let tls = Origins::new(&Settings { tls, ..Settings::default() }, true).unwrap();
        let plain = headers("chat.example", Some("http://chat.example"));
        assert_eq!(tls.from(&plain), From::Elsewhere);
    }

    #[test]
    fn a_listed_origin_is_let_in_as_it_is_spelled() {
        let origins = vec!["https://chat.example".to_owned()];
        let listed = Origins::new(&Settings { origins, ..Settings::default() }, true).unwrap();
        let from = |origin: &str| listed.from(&headers("sayso.example", Some(origin)));
        assert_eq!(
            from("https://chat.example"),
            From::Listed("https://chat.example".parse().unwrap())
        );
        assert_eq!(from("https://chat.example.evil.example"), From::Elsewhere);
        assert_eq!(from("http://chat.example"), From::Elsewhere);
    }

    #[test]
    fn what_is_no_origin_is_told_at_the_start() {
        for wrong in ["*", "chat.example", "https://chat.example/", "https://A.example", "https://"]
        {
            let origins = vec![wrong.to_owned()];
            let settings = Settings { origins, ..Settings::default() };
            assert!(Origins::new(&settings, true).is_err(), "{wrong}");
        }
    }
}
