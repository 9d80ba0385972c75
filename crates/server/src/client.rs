//! A client of the canonical dialect, for the commands that talk to a server.

use std::collections::VecDeque;

use anyhow::{Context, anyhow, bail};
use brain::event::Question;
use brain::input::Decision;
use brain::{ConfirmationId, Envelope, Event, Role, SessionId, Snapshot};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Map, Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

pub mod cards;
pub mod http;
mod waiting;

pub use waiting::{Mine, Waiting};

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
    /// What a snapshot was unfolded into.
    unfolded: VecDeque<Envelope>,
}

/// The number up to which this brings whoever sees it.
pub fn reached(envelope: &Envelope) -> Option<u64> {
    match &envelope.event {
        Event::CaughtUp(standing) => Some(standing.last_seq),
        _ => envelope.seq,
    }
}

/// A snapshot as the events that would have led to it.
fn unfold(snapshot: Snapshot, envelope: &Envelope) -> VecDeque<Envelope> {
    let told = |event: Event| Envelope { role: event.role(), event, ..envelope.clone() };
    let said = snapshot.messages.into_iter().filter(|bubble| !bubble.partial).map(|bubble| {
        let event = match bubble.role {
            Role::User => Event::Heard { text: bubble.text, confidence: 1.0, in_reply_to: None },
            _ => Event::Said { text: bubble.text },
        };
        let (turn_id, message_id) = (bubble.turn_id, Some(bubble.message_id));
        Envelope { turn_id, message_id, ts: bubble.ts, ..told(event) }
    });
    let cards = snapshot.pending_confirmations.into_iter();
    let cards = cards.map(|pending| told(Event::QuestionChanged(Box::new(pending.question))));
    said.chain(cards).chain([told(Event::CaughtUp(snapshot.standing))]).collect()
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
        Ok(Self { socket, unfolded: VecDeque::new() })
    }

    /// Says something under a name of our own, made by [`new_id`].
    pub async fn say(&mut self, id: &str, text: &str) -> anyhow::Result<()> {
        let payload = json!({ "text": text, "source": "keyboard" });
        self.send(json!({ "event_id": id, "event_type": "text.input", "payload": payload })).await
    }

    pub async fn interrupt(&mut self) -> anyhow::Result<()> {
        self.send(json!({ "event_type": "user.interrupt", "payload": {} })).await
    }

    /// Answers a card as it was shown; `edited` holds the fields that are to be different.
    pub async fn answer(
        &mut self,
        id: &str,
        card: &Question,
        decision: Decision,
        edited: Option<Map<String, Value>>,
    ) -> anyhow::Result<()> {
        let mut payload = json!({
            "confirmation_request_id": card.confirmation_request_id,
            "revision": card.revision,
            "decision": decision,
            "channel": "key",
        });
        if let Some(edited) = edited {
            payload["edited_payload"] = Value::Object(edited);
        }
        let frame = json!({ "event_id": id, "event_type": "confirm.response", "payload": payload });
        self.send(frame).await
    }

    /// Somebody is still looking at it.
    pub async fn keep_open(&mut self, card: ConfirmationId) -> anyhow::Result<()> {
        let payload = json!({ "confirmation_request_id": card });
        self.send(json!({ "event_type": "confirm.extend", "payload": payload })).await
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
            if let Some(envelope) = self.unfolded.pop_front() {
                return Ok(envelope);
            }
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    let Ok(envelope) = serde_json::from_str::<Envelope>(text.as_str()) else {
                        continue;
                    };
                    match envelope.event.clone() {
                        Event::Resynced(snapshot) => self.unfolded = unfold(*snapshot, &envelope),
                        _ => return Ok(envelope),
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

/// Host and port of a server's address, with or without "http://" before it.
fn base(server: &str) -> anyhow::Result<&str> {
    let known = server.strip_prefix("http://").or_else(|| server.strip_prefix("ws://"));
    let base = known.unwrap_or(server).trim_end_matches('/');
    let port = base.rsplit_once(':').map(|(_, port)| port);
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    // A word alone is more likely a slip than a machine.
    let is_address = known.is_some() || port.is_some() || base == "localhost";
    if base.is_empty() || !base.chars().all(is_host) || !is_port || !is_address {
        bail!("\"{server}\" is not an address like 127.0.0.1:8787 or http://127.0.0.1:8787");
    }
    Ok(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_known_with_and_without_its_scheme() {
        for (address, expected) in [
            ("http://127.0.0.1:8787", "127.0.0.1:8787"),
            ("http://127.0.0.1:8787/", "127.0.0.1:8787"),
            ("ws://localhost:1", "localhost:1"),
            ("127.0.0.1:8787", "127.0.0.1:8787"),
            ("localhost:8787", "localhost:8787"),
            ("localhost", "localhost"),
            ("[::1]:8787", "[::1]:8787"),
            ("http://box", "box"),
        ] {
            assert_eq!(base(address).unwrap(), expected);
        }
        for wrong in
            ["", "http://", "https://x:1", "ftp://x", "x:port", "x:99999", "box", "a b:1", "x:1/y"]
        {
            assert!(base(wrong).is_err(), "{wrong}");
        }
    }
}
