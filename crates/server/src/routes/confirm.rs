//! `POST /chat/confirm`: an answer to a card, from outside any connection.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Json;
use brain::UserId;
use brain::audit::Line;
use brain::confirmation::{Answer, Channel};
use brain::input::Decision;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use session::Answered;

use super::body::{self, Body};
use super::{Problem, visit};
use crate::app::App;
use crate::doors::Visitor;

/// Ids are kept as they were spelled: a malformed one is as unknown as any other.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Answer")]
pub struct Said {
    session_id: String,
    confirmation_request_id: String,
    decision: Decision,
    /// The revision that was shown. Without it, the only one there ever was.
    #[serde(default, deserialize_with = "body::whole")]
    #[schemars(range(max = 4_294_967_295_u32))]
    revision: Option<u32>,
    #[serde(default)]
    edited_payload: Option<Map<String, Value>>,
}

pub async fn answer(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Json<Value>, Problem> {
    let said: Said = body::read(body)?;
    let Some(session) = visit::find(&app, visitor.user, &said.session_id).await? else {
        note_unknown_session(&app, visitor.user).await;
        return Err(unknown());
    };
    let question = said.confirmation_request_id;
    let answer = Answer {
        decision: said.decision,
        revision: said.revision,
        edited: said.edited_payload,
        channel: Channel::Api,
        names_recipient: false,
    };
    let want =
        |session: session::SessionHandle| async move { session.answer(question, answer).await };
    match visit::ask(app, session, want).await? {
        Answered::Resolved { decision, revision } => {
            let status = "resolved";
            Ok(Json(json!({ "status": status, "decision": decision, "revision": revision })))
        }
        Answered::Changed(card) => Ok(Json(json!({ "status": "changed", "card": card }))),
        Answered::Refused { code, message } => Err(refused(code, message)),
    }
}

/// Unknown, malformed and somebody else's ids get this answer, byte for byte.
fn unknown() -> Problem {
    let message = "no question with that id is open";
    Problem::new(StatusCode::NOT_FOUND, "unknown_confirmation", message)
}

fn refused(code: String, message: String) -> Problem {
    let status = match code.as_str() {
        "unknown_confirmation" => return unknown(),
        "confirmation_stale" | "confirmation_resolved" | "confirmation_needs_readback" => {
            StatusCode::CONFLICT
        }
        "confirmation_expired" => StatusCode::GONE,
        "writes_paused" | "tool_off" => StatusCode::LOCKED,
        "store_unavailable" | "unreachable" | "timeout" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    Problem::new(status, code, message)
}

/// A session keeps its own record of refused answers; this one has none.
async fn note_unknown_session(app: &App, user: UserId) {
    let house = app.registry.house();
    let line = Line::new(house.clock.now(), user, "answer_refused").because("unknown_session");
    if let Err(error) = house.store.note(line).await {
        tracing::error!(%error, "a refused answer could not be noted");
    }
}
