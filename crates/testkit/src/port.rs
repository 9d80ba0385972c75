//! A port of this machine at which a fake waits for whoever comes.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};

/// Any that is free.
pub(crate) fn any() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

/// Listens, and says where.
pub(crate) async fn listen(at: SocketAddr) -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind(at).await.expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    (listener, address)
}

/// Everybody who comes is served in a task of their own, and what is said to them leaves at
/// once.
pub(crate) fn welcome<F>(listener: TcpListener, serve: impl Fn(TcpStream) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            stream.set_nodelay(true).expect("it is a socket");
            tokio::spawn(serve(stream));
        }
    });
}
