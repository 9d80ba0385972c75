//! Where connections come in, before anybody is asked who they are.
//!
//! So whatever a stranger can hold here has an end: how many connections there are in
//! all and from one address, how long shaking hands may take, how long a request may
//! take to be spelled out, and how long a connection may lie about unused.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use session::{Full, Place, Places};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::line::Line;
use super::locksmith::Lock;
use super::proxy::Proxies;
use crate::config::Limits;
use crate::limits::neighbourhood;

/// Whoever has not shaken hands by then does not want to come in.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Whoever has not said by then what they want does not want anything.
const FIRST_REQUEST: Duration = Duration::from_secs(10);
/// How long a connection may wait for its next request, or spell one out.
const NEXT_REQUEST: Duration = Duration::from_mins(1);
/// Connections besides the streams: requests that come and go.
const BESIDES: usize = 1024;
/// Files that are open besides connections.
const OTHER_FILES: u64 = 128;
/// When there are no files left, how long until some may be.
const NO_FILES_FOR: Duration = Duration::from_millis(200);
/// What happens over and over is told this often.
const TELL_EVERY: Duration = Duration::from_mins(1);

/// A place among all connections.
pub type Seat = Place<IpAddr>;

/// Who is at the other end.
#[derive(Clone, Debug)]
pub struct Peer {
    pub address: SocketAddr,
    is_stream: Arc<AtomicBool>,
}

impl Peer {
    /// From now on it carries a conversation, which has a pace.
    pub fn becomes_a_stream(&self) {
        self.is_stream.store(true, Ordering::Relaxed);
    }
}

/// The front door.
pub struct Lobby {
    listener: TcpListener,
    lock: Option<Lock>,
    /// Behind one of these are many.
    proxies: Proxies,
    seats: Places<IpAddr>,
    /// 0 is no limit.
    per_address: usize,
    told: Option<Instant>,
}

impl Lobby {
    pub fn new(
        listener: TcpListener,
        lock: Option<Lock>,
        proxies: Proxies,
        limits: &Limits,
    ) -> Self {
        let files = usize::try_from(files_left()).unwrap_or(usize::MAX);
        let seats = Places::new(limits.connections.saturating_add(BESIDES).min(files));
        let per_address = limits.connections_per_address;
        Self { listener, lock, proxies, seats, per_address, told: None }
    }

    /// Lets people in until it is time to stop; then waits until those who are at
    /// something have it.
    pub async fn serve(mut self, router: Router, stopping: CancellationToken) {
        let (rooms, service) = (TaskTracker::new(), TowerToHyperService::new(router));
        loop {
            let come = tokio::select! {
                () = stopping.cancelled() => break,
                come = self.next() => come,
            };
            if let Some((stream, address, seat)) = come {
                let tls = self.lock.as_ref().map(|lock| lock.borrow().clone());
                let service = service.clone();
                rooms.spawn(receive(stream, address, seat, tls, service, stopping.clone()));
            }
        }
        drop(self.listener);
        rooms.close();
        rooms.wait().await;
    }

    async fn next(&mut self) -> Option<(TcpStream, SocketAddr, Seat)> {
        let (stream, address) = match self.listener.accept().await {
            Ok(come) => come,
            Err(error) => {
                self.cannot_accept(&error).await;
                return None;
            }
        };
        // A word that waits for the next one would be late by the time of an
        // acknowledgement.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
        match self.seat(address.ip()) {
            Ok(seat) => Some((stream, address, seat)),
            Err(full) => {
                let why = match full {
                    Full::Everybody => "all",
                    Full::Share => "address",
                };
                metrics::counter!("sayso_connections_refused_total", "why" => why).increment(1);
                if self.may_tell() {
                    let told = "connections are refused: there are too many, in all or from there";
                    tracing::warn!(%address, why, "{told}");
                }
                None
            }
        }
    }

    /// Who sits at this machine, or behind a proxy, is nobody's neighbour.
    fn seat(&self, address: IpAddr) -> Result<Seat, Full> {
        let is_counted = self.per_address > 0
            && !address.to_canonical().is_loopback()
            && !self.proxies.trust(address);
        let address = neighbourhood(address);
        self.seats.take(is_counted.then_some((address, self.per_address)))
    }

    async fn cannot_accept(&mut self, error: &io::Error) {
        use io::ErrorKind as Kind;
        // Whoever hung up before they were let in is no trouble.
        if matches!(error.kind(), Kind::ConnectionAborted | Kind::ConnectionReset) {
            return;
        }
        metrics::counter!("sayso_accept_failures_total").increment(1);
        if self.may_tell() {
            tracing::error!(%error, "no connection can be taken; are there too few open files?");
        }
        tokio::time::sleep(NO_FILES_FOR).await;
    }

    fn may_tell(&mut self) -> bool {
        let may = self.told.is_none_or(|told| told.elapsed() >= TELL_EVERY);
        if may {
            self.told = Some(Instant::now());
        }
        may
    }
}

/// Raises what we may open as far as we may, and says how many connections that makes.
fn files_left() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let files = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    let files = files.unwrap_or(u64::MAX);
    // Even where there are hardly any, somebody is let in.
    files.saturating_sub(OTHER_FILES).max(files / 2).max(1)
}

type Rooms = TowerToHyperService<Router>;

async fn receive(
    stream: TcpStream,
    address: SocketAddr,
    seat: Seat,
    tls: Option<TlsAcceptor>,
    rooms: Rooms,
    stopping: CancellationToken,
) {
    let peer = Peer { address, is_stream: Arc::default() };
    let line = Line::new(stream, seat, Arc::clone(&peer.is_stream));
    let Some(tls) = tls else { return serve(line, peer, rooms, stopping).await };
    let shaken = tokio::select! {
        () = stopping.cancelled() => return,
        shaken = tokio::time::timeout(HANDSHAKE, tls.accept(line)) => shaken,
    };
    match shaken {
        Ok(Ok(line)) => serve(line, peer, rooms, stopping).await,
        Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
        Err(_) => tracing::debug!("a TLS handshake took too long"),
    }
}

async fn serve<L>(line: L, peer: Peer, rooms: Rooms, stopping: CancellationToken)
where
    L: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (asked, mut is_asked) = watch::channel(false);
    let service = service_fn(move |mut request: Request<Incoming>| {
        asked.send_replace(true);
        request.extensions_mut().insert(ConnectInfo(peer.clone()));
        let answer = rooms.call(request);
        async move { answer.await.map_err(|never: Infallible| never) }
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(NEXT_REQUEST)
        .serve_connection(TokioIo::new(line), service)
        .with_upgrades();
    let mut connection = std::pin::Pin::new(&mut connection);
    let first = async {
        // Whoever asks for something is waited for from then on.
        let _ = is_asked.wait_for(|asked| *asked).await;
    };
    tokio::select! {
        _ = connection.as_mut() => return,
        // Nothing was asked, so nothing is owed.
        () = stopping.cancelled() => return,
        asked = tokio::time::timeout(FIRST_REQUEST, first) => if asked.is_err() { return },
    }
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stopping.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    // How it went is known to whoever asked; nobody else can do anything about it.
    let _ = connection.await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    async fn lobby(limits: Limits) -> Lobby {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let trusted = vec!["10.9.0.0/16".to_owned()];
        let proxies = config::Proxies { trusted, ..config::Proxies::default() };
        Lobby::new(listener, None, Proxies::new(&proxies).unwrap(), &limits)
    }

    #[tokio::test]
    async fn one_address_cannot_take_every_seat() {
        let limits = Limits { connections_per_address: 3, ..Limits::default() };
        let lobby = lobby(limits).await;
        let seat = |address: &str| lobby.seat(address.parse().unwrap());
        let theirs: Vec<_> = (0..10).map_while(|_| seat("10.0.0.1").ok()).collect();
        assert_eq!(theirs.len(), 3);
        assert_eq!(seat("::ffff:10.0.0.1").err(), Some(Full::Share));
        assert!(seat("10.0.0.2").is_ok());
        let network: Vec<_> =
            (0..10).map_while(|last| seat(&format!("2001:db8::{last}")).ok()).collect();
        assert_eq!(network.len(), 3);
        // Behind these may be many.
        let kept: Vec<_> = ["127.0.0.1", "::1", "10.9.0.1", "::ffff:10.9.0.1"]
            .iter()
            .flat_map(|address| (0..10).map(|_| seat(address)))
            .collect();
        assert!(kept.iter().all(Result::is_ok));
        drop(theirs);
        assert!(seat("10.0.0.1").is_ok());
    }
}
