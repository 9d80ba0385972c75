//! `GET /control/tail`: what happens in every session, one line an event, as it happens.
//!
//! For operators: lines carry ids, names, outcomes and times, never what people say.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use brain::{Envelope, SessionId};
use futures_util::stream;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use super::Problem;
use super::threads::{Asked, bad_query, read_query};
use crate::app::App;
use crate::brief::{self, Brief};
use crate::doors::Visitor;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Only what happens in this session.
    #[serde(default)]
    #[schemars(regex(pattern = "^(sess_[0-9a-f]{32})?$"))]
    session: String,
    /// Only events whose names begin with one of these, such as `turn.,tool_call.`.
    #[serde(default)]
    #[schemars(length(max = 200))]
    events: String,
}

/// What one listener wants to hear of.
struct Listener {
    events: broadcast::Receiver<Arc<Envelope>>,
    stop: CancellationToken,
    /// Ends when they are not welcome any more.
    farewell: Pin<Box<dyn Future<Output = ()> + Send>>,
    session: Option<SessionId>,
    names: Vec<String>,
}

pub async fn tail(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    asked: Asked<Wanted>,
) -> Result<Response, Problem> {
    let Wanted { session, events } = read_query(asked)?;
    let session = if session.is_empty() { None } else { Some(session.parse()) };
    let session = session.transpose().map_err(|_| bad_query("`session` is no id of a session"))?;
    let listener = Listener {
        events: app.registry.house().watchers.subscribe(),
        stop: app.registry.stopping(),
        farewell: Box::pin(async move {
            app.doors.farewell(&visitor).await;
        }),
        session,
        names: brief::names(&events),
    };
    // The first line says that it has begun: whatever happens from now on is heard.
    let hello = Bytes::from(format!("{}\n", json!({ "listening": true })));
    let lines = stream::unfold((Some(hello), listener), |(hello, mut listener)| async move {
        let line = match hello {
            Some(hello) => hello,
            None => listener.next().await?,
        };
        Some((Ok::<_, Infallible>(line), (None, listener)))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(lines)).into_response())
}

impl Listener {
    /// `None` when the server stops, or whoever listens has to go.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let heard = tokio::select! {
                heard = self.events.recv() => heard,
                () = self.stop.cancelled() => return None,
                () = &mut self.farewell => return None,
            };
            let line = match heard {
                Ok(envelope) if !self.wants(&envelope) => continue,
                Ok(envelope) => json!(Brief::of(&envelope)),
                Err(RecvError::Lagged(missed)) => json!({ "missed": missed }),
                Err(RecvError::Closed) => return None,
            };
            return Some(Bytes::from(format!("{line}\n")));
        }
    }

    fn wants(&self, envelope: &Envelope) -> bool {
        self.session.is_none_or(|session| session == envelope.session_id)
            && brief::is_wanted(envelope.event.name(), &self.names)
    }
}
