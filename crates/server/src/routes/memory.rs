//! What somebody asked to be remembered, for programs: found, kept and let go.
//!
//! Finding changes nothing. Keeping and forgetting ask first, like every write:
//! the answer is a card, and a yes to it at `/chat/confirm`.

pub mod export;

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::http::StatusCode;
use axum::response::{Json, Response};
use brain::facts::Memories;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::body::{self, Body};
use super::id::Id;
use super::threads::bad_query;
use super::{Problem, run};
use crate::app::App;
use crate::doors::{Counted, Visitor};

const USUAL: u32 = 10;
const MOST: u32 = 50;
const LONGEST: usize = 500;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MemoriesWanted")]
pub struct Wanted {
    /// What it should be about, in any words; the newest where there are none.
    #[serde(default)]
    #[schemars(length(max = 500))]
    context: String,
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 1, max = 50))]
    max_results: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MemoryToKeep")]
pub struct ToKeep {
    /// One statement in the person's own words: "Tom is allergic to nuts".
    #[schemars(length(min = 1, max = 2000))]
    memory: String,
    /// Whose words they are, where they are not the person's own.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    derived_from: Option<String>,
    /// Without it a session begins, and the answer names it.
    #[serde(default)]
    session_id: Option<String>,
    /// The caller's own name for this request; the same one again is refused.
    #[serde(default)]
    #[schemars(length(min = 1, max = 128))]
    idempotency_key: Option<String>,
}

/// `GET /memory/retrieve`
pub async fn retrieve(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    asked: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<Memories>, Problem> {
    let Query(wanted) = asked.map_err(|error| bad_query(error.body_text()))?;
    if wanted.context.chars().count() > LONGEST {
        return Err(bad_query(format!("context is at most {LONGEST} characters long")));
    }
    let most = match wanted.max_results.as_deref() {
        None => USUAL,
        Some(text) => text
            .parse()
            .ok()
            .filter(|number| (1..=MOST).contains(number))
            .ok_or_else(|| bad_query(format!("max_results is a number from 1 to {MOST}")))?,
    };
    let found = app.personal.recall(visitor.user, wanted.context, most).await;
    found.map(Json).map_err(|error| {
        tracing::error!(%error, "what was to be remembered cannot be read");
        let message = "the memories did not answer; try again in a moment";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "store_unavailable", message)
    })
}

/// `POST /memory/write`
pub async fn write(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Extension(counted): Extension<Counted>,
    body: Body,
) -> Result<Response, Problem> {
    let ToKeep { memory, derived_from, session_id, idempotency_key } = body::read(body)?;
    let mut args = json!({ "memory": memory });
    if let Some(whose) = derived_from {
        args["derived_from"] = whose.into();
    }
    let wanted = run::Wanted::of("memory.write", &args, session_id, idempotency_key);
    run::use_tool(app, visitor, counted, wanted).await
}

/// `DELETE /memory/{memory_id}`
pub async fn forget(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Extension(counted): Extension<Counted>,
    Id(memory_id): Id,
) -> Result<Response, Problem> {
    let args = json!({ "memory_id": memory_id });
    let wanted = run::Wanted::of("memory.forget", &args, None, None);
    run::use_tool(app, visitor, counted, wanted).await
}
