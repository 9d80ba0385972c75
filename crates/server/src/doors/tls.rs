//! The front door itself: plain, or with a lock that others cannot listen through.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

use crate::config::Tls;

/// Whoever has not shaken hands by then does not want to come in.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Hands that are shaken at the same time; others wait outside.
const HANDSHAKES: usize = 1024;
/// Connections that the system holds until they are accepted.
const BACKLOG: u32 = 1024;
/// What the system may hold for a client that does not read; it takes about twice that.
/// Left to itself it takes megabytes for each, and nobody notices that the client has
/// stalled. A second of speech fits in.
const SEND_BUFFER: u32 = 16 * 1024;

/// Where connections come in.
pub struct FrontDoor {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    handshakes: JoinSet<Option<(Io, SocketAddr)>>,
}

type Io = Either<TcpStream, TlsStream<TcpStream>>;

/// Who is at the other end.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

impl Connected<IncomingStream<'_, FrontDoor>> for Peer {
    fn connect_info(stream: IncomingStream<'_, FrontDoor>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// Opens the address that people come to.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    // Whatever is accepted has it, too.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

impl FrontDoor {
    pub fn new(listener: TcpListener, tls: Option<TlsAcceptor>) -> Self {
        Self { listener, tls, handshakes: JoinSet::new() }
    }
}

impl Listener for FrontDoor {
    type Io = Io;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Io, SocketAddr) {
        loop {
            tokio::select! {
                (stream, peer) = Listener::accept(&mut self.listener),
                    if self.handshakes.len() < HANDSHAKES =>
                {
                    // A word that waits for the next one would be late by the time of
                    // an acknowledgement.
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "a connection keeps its delay");
                    }
                    match &self.tls {
                        None => return (Either::Left(stream), peer),
                        Some(tls) => {
                            self.handshakes.spawn(shake_hands(tls.clone(), stream, peer));
                        }
                    }
                }
                Some(shaken) = self.handshakes.join_next() => {
                    if let Ok(Some(come)) = shaken {
                        return come;
                    }
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

async fn shake_hands(
    tls: TlsAcceptor,
    stream: TcpStream,
    peer: SocketAddr,
) -> Option<(Io, SocketAddr)> {
    match tokio::time::timeout(HANDSHAKE, tls.accept(stream)).await {
        Ok(Ok(stream)) => Some((Either::Right(stream), peer)),
        Ok(Err(error)) => {
            tracing::debug!(%error, "a TLS handshake failed");
            None
        }
        Err(_) => None,
    }
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
