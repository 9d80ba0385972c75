//! The floor: a WebSocket that sends back what it gets, with tokio and nothing else.

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpListener;
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// The same buffers that Sayso gives its sockets.
const SOCKET_BUFFER: usize = 4 * 1024;

/// Set by [`crate::process::Server::echo`] for the process that echoes.
pub const VARIABLE: &str = "SAYSO_BENCH_ECHO";

pub fn asked_for() -> Option<String> {
    std::env::var(VARIABLE).ok()
}

pub fn serve(address: &str) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        println!("Open http://{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            tokio::spawn(async move {
                let config = WebSocketConfig::default()
                    .read_buffer_size(SOCKET_BUFFER)
                    .write_buffer_size(SOCKET_BUFFER);
                let Ok(mut socket) = accept_async_with_config(stream, Some(config)).await else {
                    return;
                };
                while let Some(Ok(message)) = socket.next().await {
                    if message.is_text() && socket.send(message).await.is_err() {
                        return;
                    }
                }
            });
        }
    })
}
