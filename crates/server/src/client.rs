//! A client of the canonical dialect, for the commands that talk to a server.

use anyhow::{Context, anyhow, bail};
use brain::{Envelope, Event, SessionId};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

pub mod http;

const UNKNOWN_SESSION: u16 = 4404;

/// The server does not know the session; asking again does not help.
#[derive(Debug)]
pub struct NoSuchSession;

impl std::fmt::Display for NoSuchSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("unknown session: the server does not know it; start without --session")
    }
}

impl std::error::Error for NoSuchSession {}

/// One open connection.
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// The name a client gives to something it says, to know the answer by.
pub fn new_id() -> String {
    format!("evt_{}", uuid::Uuid::now_v7().simple())
}

impl Client {
    /// Connects to a new session, or to one that exists, from `last_seq` on.
    pub async fn connect(
        server: &str,
        session: Option<SessionId>,
        last_seq: u64,
    ) -> anyhow::Result<Self> {
        let base = base(server)?;
        let session = session.map(|id| format!("?session_id={id}&last_seq={last_seq}"));
        let url = format!("ws://{base}/chat/stream{}", session.unwrap_or_default());
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

    /// Says something under a name of our own, made by [`new_id`].
    pub async fn say(&mut self, id: &str, text: &str) -> anyhow::Result<()> {
        let payload = json!({ "text": text, "source": "keyboard" });
        self.send(json!({ "event_id": id, "event_type": "text.input", "payload": payload })).await
    }

    pub async fn interrupt(&mut self) -> anyhow::Result<()> {
        self.send(json!({ "event_type": "user.interrupt", "payload": {} })).await
    }

    /// The pong comes behind everything that was missed.
    pub async fn ping(&mut self) -> anyhow::Result<()> {
        self.send(json!({ "event_type": "session.ping", "payload": {} })).await
    }

    /// Which session this is, and what was said in it before.
    pub async fn catch_up(&mut self) -> anyhow::Result<(SessionId, Vec<Envelope>)> {
        self.ping().await?;
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
                    let gone = u16::from(frame.code) == UNKNOWN_SESSION;
                    return Err(if gone {
                        NoSuchSession.into()
                    } else {
                        anyhow!("{}", frame.reason)
                    });
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => bail!("the connection broke"),
            }
        }
    }

    async fn send(&mut self, frame: Value) -> anyhow::Result<()> {
        self.socket.send(Message::text(frame.to_string())).await.context("the connection broke")
    }
}

/// What an event means for somebody who waits for the answer to `id`.
pub enum Mine {
    /// Not theirs.
    No,
    /// A part of the turn that answers it.
    Part,
    /// The last of it, or the refusal.
    Last,
}

/// Tells the turn that answers `id` from everybody else's.
pub struct Waiting {
    id: String,
    turn: Option<brain::TurnId>,
}

impl Waiting {
    pub fn new(id: String) -> Self {
        Self { id, turn: None }
    }

    /// The server has taken it up.
    pub fn has_begun(&self) -> bool {
        self.turn.is_some()
    }

    pub fn place(&mut self, envelope: &Envelope) -> Mine {
        match &envelope.event {
            Event::TurnStarted { in_reply_to: Some(id), .. } if *id == self.id => {
                self.turn = envelope.turn_id;
                Mine::Part
            }
            Event::Failed { in_reply_to: Some(id), .. } if *id == self.id => Mine::Last,
            // Nothing can be written down, so nothing will come of it.
            Event::Failed { in_reply_to: None, code, .. } if code == "store_unavailable" => {
                Mine::Last
            }
            _ if self.turn.is_none() || envelope.turn_id != self.turn => Mine::No,
            Event::TurnEnded { .. } | Event::TurnCancelled { .. } => Mine::Last,
            _ => Mine::Part,
        }
    }
}

/// Host and port of a server's address.
fn base(server: &str) -> anyhow::Result<&str> {
    let base = server.strip_prefix("http://").or_else(|| server.strip_prefix("ws://"));
    let base =
        base.with_context(|| format!("\"{server}\" is not an address like http://127.0.0.1:8787"))?;
    Ok(base.trim_end_matches('/'))
}
