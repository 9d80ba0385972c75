//! `POST /tools/run`: one use of one tool. What writes asks first.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Json, Response};
use brain::{CallError, SessionId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use session::Ran;

use super::body::{self, Body};
use super::{Problem, visit};
use crate::app::App;
use crate::doors::{Counted, Visitor};
use crate::limits::Who;

const LONGEST_KEY: usize = 128;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ToolWanted")]
pub struct Wanted {
    /// Without it a session begins, and the answer names it.
    #[serde(default)]
    session_id: Option<String>,
    /// Taken for callers that name one, and not looked at: every use is a turn of its own.
    #[serde(default, rename = "turn_id")]
    _turn_id: Option<String>,
    tool_name: String,
    #[serde(default)]
    args: Map<String, Value>,
    /// The caller's own name for this request; the same one again is refused.
    #[serde(default)]
    #[schemars(length(min = 1, max = 128))]
    idempotency_key: Option<String>,
}

impl Wanted {
    /// One use of a tool that has an address of its own.
    pub fn of(
        tool: &str,
        args: &Value,
        session_id: Option<String>,
        idempotency_key: Option<String>,
    ) -> Self {
        let args = args.as_object().cloned().unwrap_or_default();
        Self { session_id, _turn_id: None, tool_name: tool.to_owned(), args, idempotency_key }
    }
}

pub async fn run(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Extension(counted): Extension<Counted>,
    body: Body,
) -> Result<Response, Problem> {
    use_tool(app, visitor, counted, body::read(body)?).await
}

/// The same, whatever address it was asked at.
pub async fn use_tool(
    app: Arc<App>,
    visitor: Visitor,
    Counted(mut counted): Counted,
    wanted: Wanted,
) -> Result<Response, Problem> {
    let args = Value::Object(wanted.args);
    check(&app, &wanted.tool_name, &args, wanted.idempotency_key.as_deref())?;
    let session = match &wanted.session_id {
        None => {
            visit::may_begin(&app, &visitor, &counted).await?;
            visit::begin(&app, visitor.user).await?
        }
        Some(id) => visit::find(&app, visitor.user, id).await?.ok_or_else(|| {
            Problem::new(StatusCode::NOT_FOUND, "unknown_session", "there is no such session")
        })?,
    };
    let id = session.id;
    counted.push(Who::Session(id));
    app.allowances.tool(&counted).map_err(|wait| Problem::held_back("tool", wait))?;
    // What people type has names too, none of which has this character in it: a key is
    // never taken for one of those.
    let name = wanted.idempotency_key.map(|key| format!("run\u{1f}{key}"));
    let tool = wanted.tool_name;
    let want = |session: session::SessionHandle| async move { session.run(name, tool, args).await };
    let ran = visit::ask(app, session, want).await?;
    answered(id, ran)
}

fn check(app: &App, tool: &str, args: &Value, key: Option<&str>) -> Result<(), Problem> {
    let catalog = &app.registry.house().catalog;
    let Some(tool) = catalog.get(tool) else {
        let message =
            format!("there is no tool of that name; there is: {}", catalog.names().join(", "));
        return Err(Problem::new(StatusCode::NOT_FOUND, "unknown_tool", message));
    };
    if key.is_some_and(|key| key.is_empty() || key.chars().count() > LONGEST_KEY) {
        let message = format!("idempotency_key has between 1 and {LONGEST_KEY} characters");
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_body", message));
    }
    tool.accepts(args)
        .map_err(|reason| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_arguments", reason))
}

fn answered(session: SessionId, ran: Ran) -> Result<Response, Problem> {
    match ran {
        Ran::Did(output) => {
            Ok(Json(json!({ "ok": true, "output": output, "session_id": session })).into_response())
        }
        Ran::Asks(card) => {
            let body = json!({
                "confirmation_request_id": card.confirmation_request_id,
                "revision": card.revision,
                "expires_at": card.expires_at,
                "session_id": session,
                "card": card,
            });
            Ok((StatusCode::ACCEPTED, Json(body)).into_response())
        }
        Ran::Failed(CallError { code, message, .. }) => {
            let status = match code.as_str() {
                "bad_arguments" | "unknown_recipient" | "refused" => {
                    StatusCode::UNPROCESSABLE_ENTITY
                }
                "not_found" | "nothing_there" => StatusCode::NOT_FOUND,
                "duplicate_request" | "event_id_reused" | "too_many_cards" => StatusCode::CONFLICT,
                "queue_full" => StatusCode::TOO_MANY_REQUESTS,
                "overloaded" => {
                    return Err(Problem::overloaded(
                        "overloaded",
                        "too many turns are being worked on",
                    ));
                }
                "too_many_turns" => {
                    return Err(Problem::share_taken(
                        "too_many_turns",
                        "too many turns of yours are being worked on",
                    ));
                }
                "writes_paused" | "tool_off" | "memory_paused" => StatusCode::LOCKED,
                "store_unavailable" => StatusCode::SERVICE_UNAVAILABLE,
                "timeout" => StatusCode::GATEWAY_TIMEOUT,
                _ => StatusCode::BAD_GATEWAY,
            };
            Err(Problem::new(status, code, message))
        }
    }
}
