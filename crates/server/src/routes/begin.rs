//! `POST /chat/session/start`: begins a session and says where its stream is.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json};
use brain::snapshot::PROTOCOL;
use brain::{SessionId, ThreadId};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::{self, Body};
use super::{Problem, threads, visit};
use crate::app::App;
use crate::doors::{Counted, Visitor};

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SessionWanted")]
pub struct Wanted {
    /// The chat to go on with. Without it a new one begins.
    #[serde(default)]
    #[schemars(with = "Option<ThreadId>")]
    thread_id: Option<String>,
    /// Who is to answer; there is one, so it may be left out.
    #[serde(default)]
    agent: Option<String>,
    /// Keep nothing of it once it is over, but the audit of what was done. It is over
    /// when nobody has been in it for a minute, or when its chat is deleted.
    #[serde(default)]
    temporary: bool,
}

#[derive(Serialize, JsonSchema)]
pub struct Started {
    session_id: SessionId,
    thread_id: ThreadId,
    /// Where to open the WebSocket.
    stream_url: String,
    epoch: u64,
    /// The version of the dialect that is spoken there.
    protocol: u32,
    agent: String,
    /// Nothing of it is kept once it is over.
    temporary: bool,
}

pub async fn start(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Extension(Counted(counted)): Extension<Counted>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, Problem> {
    let is_empty = body.0.as_ref().is_ok_and(Bytes::is_empty);
    let wanted: Wanted = if is_empty { Wanted::default() } else { body::read(body)? };
    let user = visitor.user;
    if wanted.agent.is_some_and(|agent| agent != app.agent.name) {
        let message = format!("there is no agent of that name here; there is: {}", app.agent.name);
        return Err(Problem::new(StatusCode::NOT_FOUND, "unknown_agent", message));
    }
    if wanted.temporary && wanted.thread_id.is_some() {
        let message = "a temporary chat is one of its own: leave out thread_id, or temporary";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_body", message));
    }
    let thread = match &wanted.thread_id {
        Some(id) => Some(threads::find(&app, user, id).await?.thread),
        None => None,
    };
    visit::may_begin(&app, &visitor, &counted).await?;
    let session = if wanted.temporary {
        app.registry.create_temporary(user).await
    } else {
        app.registry.create(user, thread).await
    };
    let session = session.map_err(|e| visit::closed(&e))?;
    if wanted.temporary {
        // What is to leave nothing behind neither asks for memories nor makes any,
        // unless its person says so in it.
        let now = Timestamp::now().as_millisecond();
        let kept_out = app.personal.pause_memory(user, session.id, true, now).await;
        kept_out.map_err(|e| Problem::store_unavailable("memory could not be paused", &e))?;
    }
    let found = app.registry.house().store.find(session.id).await;
    let row = found.map_err(|e| Problem::store_unavailable("a session could not be read", &e))?;
    let row = row.ok_or_else(|| visit::closed(&session::OpenError::Unknown))?;
    let started = Started {
        session_id: row.session,
        thread_id: row.thread,
        stream_url: stream_url(&headers, app.is_tls, row.session),
        epoch: row.epoch,
        protocol: PROTOCOL,
        agent: row.agent,
        temporary: row.temporary,
    };
    // The address in it is the asker's own.
    let own = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, own, Json(started)))
}

/// The way back to us is the way the request came.
fn stream_url(headers: &HeaderMap, is_tls: bool, session: SessionId) -> String {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let scheme = if is_tls || text(FORWARDED_PROTO) == "https" { "wss" } else { "ws" };
    let host = text(header::HOST.as_str());
    format!("{scheme}://{host}/chat/stream?session_id={session}")
}

/// What a gate in front of us says about the way to it.
const FORWARDED_PROTO: &str = "x-forwarded-proto";

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;

    use super::*;

    #[test]
    fn the_stream_is_where_the_request_came_to() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "localhost:8787".parse().unwrap());
        let session = SessionId(Uuid::from_u128(7));
        let path = format!("localhost:8787/chat/stream?session_id={session}");
        assert_eq!(stream_url(&headers, false, session), format!("ws://{path}"));
        assert_eq!(stream_url(&headers, true, session), format!("wss://{path}"));
        headers.insert(FORWARDED_PROTO, "https".parse().unwrap());
        assert_eq!(stream_url(&headers, false, session), format!("wss://{path}"));
    }
}
