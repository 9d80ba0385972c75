//! The front door itself: plain, or with a lock that others cannot listen through.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use tokio::net::{TcpListener, TcpSocket};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::config::Tls;

/// Connections that the system holds until they are accepted.
const BACKLOG: u32 = 1024;
/// What the system may hold for a client that does not read; it takes about twice that.
/// Left to itself it takes megabytes for each, and nobody notices that the client has
/// stalled. A second of speech fits in.
const SEND_BUFFER: u32 = 16 * 1024;

/// Opens the address that people come to.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    // Whatever is accepted has it, too.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The lock for these files; `None` when there are none.
pub fn acceptor(tls: &Tls) -> anyhow::Result<Option<TlsAcceptor>> {
    if !tls.is_on() {
        return Ok(None);
    }
    let (cert, key) = (&tls.cert, &tls.key);
    let empty = |path: &Path| path.as_os_str().is_empty();
    anyhow::ensure!(!empty(cert) && !empty(key), "TLS needs both `tls.cert` and `tls.key`");
    let unreadable = |path: &Path| format!("{} cannot be read as PEM", path.display());
    let chain: Vec<_> = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect)
        .with_context(|| unreadable(cert))?;
    anyhow::ensure!(!chain.is_empty(), "there is no certificate in {}", cert.display());
    let secret = PrivateKeyDer::from_pem_file(key).with_context(|| unreadable(key))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .context("the usual versions of TLS are there")?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .with_context(|| format!("{} and {} do not fit", cert.display(), key.display()))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Some(TlsAcceptor::from(Arc::new(config))))
}
