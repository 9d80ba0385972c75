//! A server that may be far away: where it is, whether the line is private, and
//! what to show there.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_util::either::Either;

/// Whoever has not answered by then is not there.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open line, private or not.
pub type Io = Either<TcpStream, TlsStream<TcpStream>>;

/// Where a server is.
#[derive(Clone)]
pub struct Remote {
    /// As it was given, for people.
    given: String,
    /// Host, and port where one was given.
    base: String,
    tls: bool,
    /// What is shown at the door. Never printed.
    key: Option<String>,
}

impl fmt::Display for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.given)
    }
}

impl Remote {
    /// An address with or without its scheme.
    pub fn new(given: &str, key: Option<String>) -> anyhow::Result<Self> {
        let (tls, known) = scheme(given);
        let base = known.unwrap_or(given).trim_end_matches('/');
        let port = base.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.ends_with(']'));
        let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
        let is_host =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
        // A word alone is more likely a slip than a machine.
        let is_address = known.is_some() || port.is_some() || base == "localhost";
        if base.is_empty() || !base.chars().all(is_host) || !is_port || !is_address {
            bail!("\"{given}\" is not an address like 127.0.0.1:8787 or https://sayso.example");
        }
        Ok(Self { given: given.to_owned(), base: base.to_owned(), tls, key })
    }

    /// A whole address: the server, and the path there.
    pub fn split(url: &str) -> anyhow::Result<(Self, String)> {
        let start = url.find("://").map_or(0, |at| at + 3);
        let at = url[start..].find('/').map_or(url.len(), |at| start + at);
        let path = if at == url.len() { "/" } else { &url[at..] };
        Ok((Self::new(&url[..at], None)?, path.to_owned()))
    }

    /// The same, showing this key.
    #[must_use]
    pub fn showing(self, key: Option<String>) -> Self {
        Self { key, ..self }
    }

    /// Host and port as the other side knows them.
    pub fn base(&self) -> &str {
        &self.base
    }

    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    pub fn socket_scheme(&self) -> &'static str {
        if self.tls { "wss" } else { "ws" }
    }

    /// Nobody in between can listen.
    pub fn is_private(&self) -> bool {
        let host = self.host();
        let is_here = host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        self.tls || host == "localhost" || is_here
    }

    fn host(&self) -> &str {
        let (host, _) = self.host_and_port();
        host.trim_start_matches('[').trim_end_matches(']')
    }

    fn host_and_port(&self) -> (&str, u16) {
        let usual = if self.tls { 443 } else { 80 };
        let split = self.base.rsplit_once(':');
        let split = split.and_then(|(host, port)| Some((host, port.parse().ok()?)));
        split.unwrap_or((&self.base, usual))
    }

    /// Calls it.
    pub async fn open(&self) -> anyhow::Result<Io> {
        let called = tokio::time::timeout(PATIENCE, self.call()).await;
        called.unwrap_or_else(|_| bail!("no answer within {} s", PATIENCE.as_secs()))
    }

    async fn call(&self) -> anyhow::Result<Io> {
        let (_, port) = self.host_and_port();
        let stream = TcpStream::connect((self.host(), port)).await?;
        stream.set_nodelay(true)?;
        if !self.tls {
            return Ok(Either::Left(stream));
        }
        let name = ServerName::try_from(self.host().to_owned())?;
        let stream = connector()?.connect(name, stream).await;
        let stream = stream.context("its certificate is not one this machine trusts")?;
        Ok(Either::Right(stream))
    }
}

/// Whether it is private, and what follows the scheme where there is one.
fn scheme(given: &str) -> (bool, Option<&str>) {
    let known = [("http://", false), ("ws://", false), ("https://", true), ("wss://", true)];
    let found = known.iter().find_map(|(scheme, tls)| Some((*tls, given.strip_prefix(scheme)?)));
    found.map_or((false, None), |(tls, rest)| (tls, Some(rest)))
}

/// Trusts whom this machine trusts, and whoever stands in `SSL_CERT_FILE`.
fn connector() -> anyhow::Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_known_with_and_without_its_scheme() {
        for (address, base, host, port) in [
            ("http://127.0.0.1:8787", "127.0.0.1:8787", "127.0.0.1", 8787),
            ("http://127.0.0.1:8787/", "127.0.0.1:8787", "127.0.0.1", 8787),
            ("ws://localhost:1", "localhost:1", "localhost", 1),
            ("127.0.0.1:8787", "127.0.0.1:8787", "127.0.0.1", 8787),
            ("localhost:8787", "localhost:8787", "localhost", 8787),
            ("localhost", "localhost", "localhost", 80),
            ("[::1]:8787", "[::1]:8787", "::1", 8787),
            ("http://[::1]", "[::1]", "::1", 80),
            ("http://box", "box", "box", 80),
            ("https://sayso.example", "sayso.example", "sayso.example", 443),
            ("wss://sayso.example:8443/", "sayso.example:8443", "sayso.example", 8443),
        ] {
            let remote = Remote::new(address, None).unwrap();
            assert_eq!((remote.base(), remote.host()), (base, host), "{address}");
            assert_eq!(remote.host_and_port().1, port, "{address}");
        }
        for wrong in [
            "",
            "http://",
            "https://x:1/y",
            "ftp://x",
            "x:port",
            "x:99999",
            "box",
            "a b:1",
            "x:1/y",
        ] {
            assert!(Remote::new(wrong, None).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_whole_address_is_a_server_and_a_path() {
        for (url, base, path) in [
            ("https://login.example/keys.json?v=1", "login.example", "/keys.json?v=1"),
            ("https://login.example", "login.example", "/"),
        ] {
            let (remote, rest) = Remote::split(url).unwrap();
            assert_eq!((remote.base(), rest.as_str()), (base, path));
        }
    }

    #[test]
    fn a_line_is_private_with_tls_and_within_this_machine() {
        for private in ["https://sayso.example", "http://127.0.0.1:1", "localhost", "[::1]:1"] {
            assert!(Remote::new(private, None).unwrap().is_private(), "{private}");
        }
        for open in ["http://sayso.example", "http://10.0.0.1:1", "ws://localhost.example"] {
            assert!(!Remote::new(open, None).unwrap().is_private(), "{open}");
        }
    }
}
