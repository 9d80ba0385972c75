//! A client of the canonical dialect, for the commands that talk to a server.

use std::collections::VecDeque;

use anyhow::{Context, anyhow, bail};
use brain::event::Question;
use brain::input::Decision;
use brain::{ConfirmationId, Envelope, Event, Role, SessionId, Snapshot};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Map, Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::Response;
use tokio_tungstenite::tungstenite::http::header::AUTHORIZATION;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

pub mod attach;
pub mod cards;
pub mod http;
mod remote;
mod waiting;

use remote::Io;
pub use remote::Remote;
pub use waiting::{Mine, Waiting};

/// What to do when a server wants to know who we are.
const SHOW_A_KEY: &str =
    "show one with --key or SAYSO_KEY; `sayso keys` makes them on the server's machine";

const UNKNOWN_SESSION: u16 = 4404;
const NOT_WELCOME: u16 = 4401;

/// The server does not know the session; asking again does not help.
#[derive(Debug)]
pub struct NoSuchSession;

impl std::fmt::Display for NoSuchSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("unknown session: the server does not know it; start without --session")
    }
}

impl std::error::Error for NoSuchSession {}

/// The server does not know us, or not any more; asking again does not help.
#[derive(Debug)]
pub struct NotWelcome(String);

impl std::fmt::Display for NotWelcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {SHOW_A_KEY}", self.0)
    }
}

impl std::error::Error for NotWelcome {}

/// One open connection.
pub struct Client {
    socket: WebSocketStream<Io>,
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
            Role::User => Event::Heard {
                text: bubble.text,
                confidence: 1.0,
                in_reply_to: None,
                attachments: bubble.attachments,
                more: false,
                doubted: Vec::new(),
            },
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
        server: &Remote,
        session: Option<SessionId>,
        last_seq: u64,
    ) -> anyhow::Result<Self> {
        let (scheme, base) = (server.socket_scheme(), server.base());
        let session = session.map(|id| format!("?session_id={id}&last_seq={last_seq}"));
        let url = format!("{scheme}://{base}/chat/stream{}", session.unwrap_or_default());
        let mut request = url.into_client_request()?;
        if let Some(key) = server.key() {
            let shown = format!("Bearer {key}").parse().context("a key is plain text")?;
            request.headers_mut().insert(AUTHORIZATION, shown);
        }
        let stream = server.open().await.with_context(|| {
            format!("no Sayso answers at {server}; start one with `sayso serve`")
        })?;
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Self { socket, unfolded: VecDeque::new() }),
            Err(SocketError::Http(response)) => Err(turned_away(server, &response)),
            Err(error) => Err(error).with_context(|| format!("{server} did not let us in")),
        }
    }

    /// Says something under a name of our own, made by [`new_id`],
    /// with what was handed over before it.
    pub async fn say(&mut self, id: &str, text: &str, files: &[String]) -> anyhow::Result<()> {
        let mut payload = json!({ "text": text, "source": "keyboard" });
        if !files.is_empty() {
            payload["attachments"] = json!(files);
        }
        self.send(json!({ "event_id": id, "event_type": "text.input", "payload": payload })).await
    }

    /// Says what we can do with sound; from then on binary frames hold it.
    pub async fn hello(&mut self, rate: u32, channels: u16, plays: bool) -> anyhow::Result<()> {
        let payload = json!({
            "client": "sayso",
            "binary_audio": { "sample_rate": rate, "channels": channels },
            "plays_audio": plays,
            // What comes from a file has nothing of us in it.
            "cancels_echo": true,
        });
        self.send(json!({ "event_type": "session.hello", "payload": payload })).await
    }

    /// Answers are to be spoken to us; we only type.
    pub async fn listens(&mut self) -> anyhow::Result<()> {
        let payload = json!({ "client": "sayso", "plays_audio": true });
        self.send(json!({ "event_type": "session.hello", "payload": payload })).await
    }

    /// A piece of sound, as [`Client::hello`] announced it.
    pub async fn sound(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let frame = Message::binary(bytes.to_vec());
        self.socket.send(frame).await.context("the connection broke")
    }

    /// That was all sound there is.
    pub async fn sound_ends(&mut self) -> anyhow::Result<()> {
        let payload = json!({ "reason": "end_of_speech" });
        self.send(json!({ "event_type": "audio.end", "payload": payload })).await
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
                    return Err(match u16::from(frame.code) {
                        UNKNOWN_SESSION => NoSuchSession.into(),
                        NOT_WELCOME => NotWelcome(frame.reason.to_string()).into(),
                        _ => anyhow!("{}", frame.reason),
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

/// Why a server did not open a socket, in its own words.
fn turned_away(server: &Remote, response: &Response<Option<Vec<u8>>>) -> anyhow::Error {
    let body = response.body().as_deref().unwrap_or_default();
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let status = response.status().as_u16();
    let words = body["error"]["message"].as_str();
    let words = words.map_or_else(|| format!("it answered {status}"), str::to_owned);
    let why = if status == 401 { NotWelcome(words).into() } else { anyhow!(words) };
    why.context(format!("{server} did not let us in"))
}
