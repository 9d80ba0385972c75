//! A client of the canonical dialect, for the commands that talk to a server.

use anyhow::{Context, bail};
use brain::{Envelope, Event, SessionId};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

pub mod http;

/// One open conversation.
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Client {
    /// Connects to `server`, to a session that exists or to a new one.
    pub async fn connect(server: &str, session: Option<SessionId>) -> anyhow::Result<Self> {
        let base = base(server)?;
        let session = session.map(|id| format!("?session_id={id}")).unwrap_or_default();
        let url = format!("ws://{base}/chat/stream{session}");
        let socket = match connect_async_with_config(&url, None, true).await {
            Ok((socket, _)) => socket,
            Err(SocketError::Io(error)) => {
                return Err(error).with_context(|| {
                    format!("no Sayso answers at {server}; start one with `sayso serve`")
                });
            }
            Err(error) => return Err(error).with_context(|| format!("{server} did not let us in")),
        };
        Ok(Self { socket })
    }

    pub async fn say(&mut self, text: &str) -> anyhow::Result<()> {
        self.send("text.input", &json!({ "text": text, "source": "keyboard" })).await
    }

    pub async fn interrupt(&mut self) -> anyhow::Result<()> {
        self.send("user.interrupt", &json!({ "reason": "barge_in" })).await
    }

    /// Which session this is, and what was said in it before.
    pub async fn catch_up(&mut self) -> anyhow::Result<(SessionId, Vec<Envelope>)> {
        self.send("session.ping", &json!({})).await?;
        let mut history = Vec::new();
        loop {
            let envelope = self.next().await?;
            if matches!(envelope.event, Event::Ponged { .. }) {
                return Ok((envelope.session_id, history));
            }
            history.push(envelope);
        }
    }

    /// The next event. An unknown one is skipped: a newer server may have more to say.
    pub async fn next(&mut self) -> anyhow::Result<Envelope> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    if let Ok(envelope) = serde_json::from_str(text.as_str()) {
                        return Ok(envelope);
                    }
                }
                Some(Ok(Message::Close(Some(frame)))) => {
                    bail!("the server closed the conversation: {}", frame.reason)
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error).context("the connection broke"),
                None => bail!("the server closed the conversation"),
            }
        }
    }

    async fn send(&mut self, kind: &str, payload: &Value) -> anyhow::Result<()> {
        let frame = json!({ "event_type": kind, "payload": payload }).to_string();
        self.socket.send(Message::text(frame)).await.context("the connection broke")
    }
}

/// Host and port of a server's address.
fn base(server: &str) -> anyhow::Result<&str> {
    let base = server.strip_prefix("http://").or_else(|| server.strip_prefix("ws://"));
    let base =
        base.with_context(|| format!("\"{server}\" is not an address like http://127.0.0.1:8787"))?;
    Ok(base.trim_end_matches('/'))
}
