//! `GET /chat/stream`: a WebSocket that speaks the canonical dialect.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::rejection::QueryRejection;
use axum::extract::{ConnectInfo, Extension, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use brain::{Cursor, Envelope, Event, Input, SessionId, ThreadId, UserId};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use session::{Cut, Full, Joined, OpenError, SessionHandle, Start};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};
use wire::canonical::Canonical;
use wire::{Dialect, Frame, Malformed, Received};

use super::{Problem, visit};
use crate::app::App;
use crate::doors::lobby::Peer;
use crate::doors::{Counted, Farewell, Ticket, Visitor, ticket_is_used};
use crate::limits::{Pace, Who, held_back};

mod pieces;
mod upgrade;

use pieces::TooMany;
use upgrade::{Socket, Wished};

/// Small, because most connections are idle most of the time.
const SOCKET_BUFFER: usize = 4 * 1024;
/// What may wait in the socket before writing to it waits.
const SOCKET_BACKLOG: usize = 4 * 1024 * 1024;
/// We ask whether a silent client is still there this often.
const ASK_EVERY: Duration = Duration::from_secs(30);
/// A client that has not said anything for this long is gone.
const GONE_AFTER: Duration = Duration::from_secs(90);
/// A client that takes nothing for this long is not reading.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);
/// How long we listen for the answer to a goodbye.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Events that are written before the socket is flushed.
const TOGETHER: usize = 64;

/// Why a stream is closed: codes that everybody knows, and ours from the range that is
/// free for applications.
mod code {
    pub const INVALID: u16 = 1007;
    pub const POLICY: u16 = 1008;
    pub const SIZE: u16 = 1009;
    pub const RESTART: u16 = 1012;
    pub const AGAIN: u16 = 1013;
    pub const NOT_WELCOME: u16 = 4401;
    pub const UNKNOWN_SESSION: u16 = 4404;
    pub const TOO_SLOW: u16 = 4408;
    pub const MOVED: u16 = 4409;
}

/// Every part may be left out or empty. Who it is was asked at the door already,
/// with `ticket` and `session_token`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    #[serde(default)]
    session_id: String,
    #[serde(default)]
    thread_id: String,
    /// The last number the client has seen, and who numbered it; what came after
    /// is replayed. The same as a `session.resume` that comes first.
    #[serde(default)]
    last_seq: String,
    #[serde(default)]
    epoch: String,
    /// `ask`: the client will say itself where it stopped.
    #[serde(default)]
    replay: String,
    /// What `POST /chat/ticket` gave.
    #[serde(default, rename = "ticket")]
    _ticket: String,
    /// A key or token; on this machine only.
    #[serde(default, rename = "session_token")]
    _session_token: String,
}

pub async fn open(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Extension(Counted(counted)): Extension<Counted>,
    Extension(ticket): Extension<Ticket>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    Wished(upgrade): Wished,
) -> Result<Response, Problem> {
    let Query(wanted) =
        wanted.map_err(|error| Problem::new(error.status(), "bad_query", error.body_text()))?;
    let upgrade = upgrade?;
    let number = |name: &str, text: &str| {
        optional::<u64>(text).map_err(|_| {
            Problem::new(StatusCode::BAD_REQUEST, "bad_query", format!("{name} is a number"))
        })
    };
    let cursor = Cursor {
        epoch: number("epoch", &wanted.epoch)?,
        last_seq: number("last_seq", &wanted.last_seq)?.unwrap_or(0),
    };
    let start = match wanted.replay.as_str() {
        "" => Start::After(cursor),
        "ask" => Start::Later,
        _ => {
            let message = "replay is `ask`, or left out";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_query", message));
        }
    };
    let place = Place::of(&wanted, start);
    let room = app.connections.take(shares(&app, &counted, &place)).map_err(too_many)?;
    match place {
        Place::New { .. } => visit::may_begin(&app, &visitor, &counted).await?,
        // What is not there costs as much to look for.
        Place::Old { .. } | Place::Nowhere => {
            let may = app.allowances.come_back(&counted);
            may.map_err(|wait| Problem::held_back("replay", wait))?;
        }
    }
    if !app.doors.redeem(&ticket) {
        return Ok(ticket_is_used());
    }
    peer.becomes_a_stream();
    let limits = &app.limits;
    let config = WebSocketConfig::default()
        .read_buffer_size(SOCKET_BUFFER)
        .write_buffer_size(SOCKET_BUFFER)
        .max_write_buffer_size(SOCKET_BACKLOG)
        .max_frame_size(Some(limits.message_bytes))
        .max_message_size(Some(limits.message_bytes));
    let (answer, socket) = upgrade.begin(config, limits.messages_per_second);
    let sockets = app.sockets.clone();
    sockets.spawn(async move {
        // What only the beginning needs does not lie about as long as the connection.
        if let Some(socket) = Box::pin(socket).await {
            Box::pin(serve(socket, app, visitor, counted, place, room)).await;
        }
    });
    Ok(answer)
}

/// How many streams whoever opens one may have. Who sits at this machine may have all.
fn shares(app: &App, counted: &[Who], place: &Place) -> Vec<(Who, usize)> {
    let limits = &app.limits;
    let mut shares: Vec<_> = counted
        .iter()
        .filter(|who| matches!(who, Who::User(_)))
        .map(|who| (*who, limits.connections_per_person))
        .collect();
    if let (Place::Old { session, .. }, false) = (place, shares.is_empty()) {
        shares.push((Who::Session(*session), limits.connections_per_session));
    }
    shares
}

fn too_many(full: Full) -> Problem {
    let code = "too_many_connections";
    match full {
        Full::Everybody => Problem::overloaded(code, "too many connections; try again in a moment"),
        Full::Share => {
            Problem::share_taken(code, "you have too many connections open; close one first")
        }
    }
}

/// Where a client wants to be.
enum Place {
    /// In a new session, of a chat that is there if it names one.
    New {
        thread: Option<ThreadId>,
    },
    Old {
        session: SessionId,
        start: Start,
    },
    /// Whatever it named is no id, so there is nothing by that name.
    Nowhere,
}

impl Place {
    fn of(wanted: &Wanted, start: Start) -> Self {
        let (session, thread) = (optional(&wanted.session_id), optional(&wanted.thread_id));
        match (session, thread) {
            (Ok(None), Ok(thread)) => Self::New { thread },
            (Ok(Some(session)), Ok(_)) => Self::Old { session, start },
            (Err(_), _) | (_, Err(_)) => Self::Nowhere,
        }
    }
}

fn optional<T: std::str::FromStr>(text: &str) -> Result<Option<T>, T::Err> {
    if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
}

async fn serve(
    mut socket: Socket,
    app: Arc<App>,
    visitor: Visitor,
    mut counted: Vec<Who>,
    place: Place,
    _room: session::Place<Who>,
) {
    let (session, joined) = match Box::pin(join(&app, visitor.user, place)).await {
        Ok(Some(joined)) => joined,
        Ok(None) => {
            let reason = "you come back to this session too often; connect again in a minute";
            return close(&mut socket, code::AGAIN, reason).await;
        }
        Err(error) => {
            let (code, reason) = match error {
                OpenError::Unknown => (code::UNKNOWN_SESSION, "unknown session"),
                OpenError::Stopping => (code::RESTART, "stopping; connect again"),
                OpenError::Store(error) => {
                    tracing::error!(%error, "a session could not be opened");
                    (code::AGAIN, "the store cannot be used right now")
                }
            };
            close(&mut socket, code, reason).await;
            return;
        }
    };
    let client = joined.client;
    let dialect = Canonical::new(session.id);
    let farewell = Box::pin(app.doors.farewell(&visitor));
    counted.push(Who::Session(session.id));
    let pace = Pace::new(app.limits.messages_per_second);
    let talk = Connection {
        socket,
        session: session.clone(),
        joined,
        dialect,
        app: Arc::clone(&app),
        counted,
        pace,
    };
    talk.run(farewell).await;
    session.leave(client).await;
}

/// `None` for a session that was come back to too often. It is counted once it is known
/// whose it is: nobody uses up what is somebody else's.
async fn join(
    app: &App,
    user: UserId,
    place: Place,
) -> Result<Option<(SessionHandle, Joined)>, OpenError> {
    let registry = &app.registry;
    match place {
        Place::Nowhere => Err(OpenError::Unknown),
        Place::Old { session, start } => {
            let opened = registry.open(session, user).await?;
            let whose = [Who::Session(session)];
            if app.doors.ask() && app.allowances.come_back(&whose).is_err() {
                return Ok(None);
            }
            registry.join(opened, start).await.map(Some)
        }
        Place::New { thread } => {
            if let Some(thread) = thread {
                let found = registry.house().store.thread(user, thread).await;
                found.map_err(OpenError::Store)?.ok_or(OpenError::Unknown)?;
            }
            let session = registry.create(user, thread).await?;
            registry.join(session, Start::Now).await.map(Some)
        }
    }
}

struct Connection {
    socket: Socket,
    session: SessionHandle,
    joined: Joined,
    dialect: Canonical,
    app: Arc<App>,
    /// Whose allowances its requests are taken from.
    counted: Vec<Who>,
    pace: Pace,
}

const TOO_LARGE: &str = "the message is larger than this server takes";

/// Why a connection ends.
enum End {
    /// The other side has gone, or the session has: there is nobody to tell.
    Gone,
    Close(u16, &'static str),
}

impl Connection {
    async fn run(mut self, mut farewell: impl Future<Output = Farewell> + Unpin) {
        let mut last_heard = Instant::now();
        let mut ask = tokio::time::interval(ASK_EVERY);
        let end = loop {
            let step = tokio::select! {
                message = self.socket.next() => {
                    last_heard = Instant::now();
                    self.hear(message).await
                }
                event = self.joined.next() => match event {
                    Ok(envelope) => self.tell(envelope).await,
                    Err(cut) => Err(cut.into()),
                },
                farewell = &mut farewell => Err(farewell.into()),
                _ = ask.tick() => {
                    if last_heard.elapsed() > GONE_AFTER { Err(End::Gone) } else { self.ask().await }
                }
            };
            if let Err(end) = step {
                break end;
            }
        };
        if let End::Close(code, reason) = end {
            close(&mut self.socket, code, reason).await;
        }
    }

    async fn hear(&mut self, message: Option<Result<Message, Error>>) -> Result<(), End> {
        let frame = match message {
            Some(Ok(Message::Text(text))) => Frame::Text(text.as_str().to_owned()),
            Some(Ok(Message::Binary(bytes))) => Frame::Binary(bytes.into()),
            // Answered by the socket itself; but nobody pings without end.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) if self.pace.keeps() => return Ok(()),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => return Err(self.too_fast().await),
            Some(Ok(Message::Close(_) | Message::Frame(_))) | None => return Err(End::Gone),
            Some(Err(error)) => return Err(self.unreadable(&error).await),
        };
        let length = match &frame {
            Frame::Text(text) => text.len(),
            Frame::Binary(bytes) => bytes.len(),
        };
        if length > self.app.limits.message_bytes {
            return Err(self.refuse(code::SIZE, "frame_too_large", TOO_LARGE).await);
        }
        if !self.pace.keeps() {
            return Err(self.too_fast().await);
        }
        match self.dialect.decode(frame) {
            Ok(received) => {
                for Received { event_id, input } in received {
                    self.hand_over(event_id, input).await?;
                }
                Ok(())
            }
            Err(malformed) => self.complain(malformed).await,
        }
    }

    async fn hand_over(&mut self, event_id: Option<String>, input: Input) -> Result<(), End> {
        let client = self.joined.client;
        let sent = match self.app.allowances.input(&self.counted, &input) {
            Ok(()) => self.session.send(client, event_id, input).await,
            Err((scope, wait)) => {
                self.session.reply(client, held_back(scope, wait, event_id)).await
            }
        };
        sent.map_err(|_| End::Close(code::RESTART, "session ended"))
    }

    async fn too_fast(&mut self) -> End {
        self.refuse(code::POLICY, "too_many_messages", "too many messages a second").await
    }

    async fn complain(&mut self, malformed: Malformed) -> Result<(), End> {
        metrics::counter!("sayso_malformed_frames_total", "code" => malformed.code).increment(1);
        let reply = self.session.reply(self.joined.client, malformed.into_event()).await;
        reply.map_err(|_| End::Close(code::RESTART, "session ended"))
    }

    /// The socket cannot be read any further, but it can be told why.
    async fn unreadable(&mut self, error: &Error) -> End {
        match error {
            Error::Capacity(_) => self.refuse(code::SIZE, "frame_too_large", TOO_LARGE).await,
            Error::Utf8(_) => {
                self.refuse(code::INVALID, "bad_utf8", "a text frame must be UTF-8").await
            }
            Error::Io(error) if TooMany::is(error) => {
                let message = "the message comes in too many fragments";
                self.refuse(code::POLICY, "too_many_fragments", message).await
            }
            _ => End::Gone,
        }
    }

    async fn refuse(&mut self, close: u16, code: &'static str, message: &'static str) -> End {
        let malformed = Malformed { code, message: message.into(), in_reply_to: None };
        if self.complain(malformed).await.is_ok() {
            // The close frame says it too; this one is for programs that read events.
            let _ = tokio::time::timeout(WRITE_PATIENCE, self.tell_until(code)).await;
        }
        End::Close(close, message)
    }

    /// Writes what waits, up to the complaint with this code.
    async fn tell_until(&mut self, complaint: &str) -> Result<(), End> {
        loop {
            let envelope = self.joined.next().await.map_err(End::from)?;
            self.write(std::iter::once(Arc::clone(&envelope))).await?;
            if matches!(&envelope.event, Event::Failed { code, .. } if code == complaint) {
                return Ok(());
            }
        }
    }

    /// Writes an event and whatever else is there already, then flushes once.
    async fn tell(&mut self, first: Arc<Envelope>) -> Result<(), End> {
        let more = std::iter::from_fn(|| self.joined.try_next()).take(TOGETHER);
        let events: Vec<_> = std::iter::once(first).chain(more).collect();
        self.write(events).await
    }

    async fn write(&mut self, events: impl IntoIterator<Item = Arc<Envelope>>) -> Result<(), End> {
        let write = async {
            for envelope in events {
                for frame in self.dialect.encode(&envelope) {
                    let message = match frame {
                        Frame::Text(text) => Message::Text(text.into()),
                        Frame::Binary(bytes) => Message::Binary(bytes.into()),
                    };
                    self.socket.feed(message).await?;
                }
            }
            self.socket.flush().await
        };
        within_patience(write).await
    }

    async fn ask(&mut self) -> Result<(), End> {
        within_patience(self.socket.send(Message::Ping(axum::body::Bytes::new()))).await
    }
}

impl From<Farewell> for End {
    fn from(farewell: Farewell) -> Self {
        match farewell {
            Farewell::Expired => Self::Close(code::NOT_WELCOME, "your key or token has expired"),
            Farewell::Revoked => Self::Close(code::NOT_WELCOME, "your key was revoked"),
            Farewell::Unchecked => {
                Self::Close(code::AGAIN, "who you are cannot be checked right now")
            }
        }
    }
}

impl From<Cut> for End {
    fn from(cut: Cut) -> Self {
        match cut {
            Cut::TooSlow => Self::Close(code::TOO_SLOW, "too slow; connect again"),
            Cut::Moved => Self::Close(code::MOVED, "the session has moved; connect again"),
            Cut::Stopping => Self::Close(code::RESTART, "stopping; connect again"),
            Cut::Deleted => Self::Close(code::UNKNOWN_SESSION, "the chat was deleted"),
            Cut::Unreadable => Self::Close(code::AGAIN, "what was missed cannot be read"),
        }
    }
}

async fn within_patience(write: impl Future<Output = Result<(), Error>>) -> Result<(), End> {
    match tokio::time::timeout(WRITE_PATIENCE, write).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}

async fn close(socket: &mut Socket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code: code.into(), reason: reason.into() };
    if within_patience(socket.send(Message::Close(Some(frame)))).await.is_err() {
        return;
    }
    // Hanging up on what the other side still says would swallow our goodbye on its way.
    let answer = async { while let Some(Ok(_)) = socket.next().await {} };
    let _ = tokio::time::timeout(LAST_WORDS, answer).await;
}
