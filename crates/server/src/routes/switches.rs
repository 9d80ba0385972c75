//! `GET` and `PUT /control/switches`: what may be written at all.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Json;
use brain::{ActionLevel, Tier};
use models::gatekeeper::ESCALATE;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Problem;
use super::body::{self, Body};
use crate::app::App;
use crate::doors::Visitor;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SwitchTurned")]
pub struct Turned {
    /// Without it, every write.
    #[serde(default)]
    tool_name: Option<String>,
    off: bool,
}

pub async fn show(State(app): State<Arc<App>>) -> Json<Value> {
    Json(shown(&app))
}

pub async fn set(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Json<Value>, Problem> {
    let Turned { tool_name, off } = body::read(body)?;
    if let Some(tool) = &tool_name {
        check(&app, tool, off)?;
    }
    let turned = app.registry.house().switch(visitor.user, tool_name, off).await;
    turned.map_err(|error| Problem::store_unavailable("a switch could not be turned", &error))?;
    Ok(Json(shown(&app)))
}

fn shown(app: &App) -> Value {
    let house = app.registry.house();
    let all = house.switches.all();
    let every = all.iter().find(|row| row.tool.is_none());
    let tools: Vec<_> = all
        .iter()
        .filter_map(|row| Some(json!({ "tool_name": row.tool.as_ref()?, "since": row.since })))
        .collect();
    json!({
        "paused": every.is_some(),
        "paused_since": every.map(|row| row.since),
        "tools_off": tools,
        "can_be_paused": can_be_paused(app),
    })
}

/// What only looks is never in anybody's way, unless it looks outside this machine.
fn can_be_paused(app: &App) -> Vec<&'static str> {
    let house = app.registry.house();
    let touching = house.catalog.tools().filter(|tool| tool.level() != ActionLevel::Read);
    let leaves = house.thinker.as_ref().is_some_and(|thinker| thinker.has(Tier::Cloud));
    touching.map(|tool| tool.name()).chain(leaves.then_some(ESCALATE)).collect()
}

fn check(app: &App, tool: &str, off: bool) -> Result<(), Problem> {
    let house = app.registry.house();
    let is_off = house.switches.all().iter().any(|row| row.tool.as_deref() == Some(tool));
    let known = can_be_paused(app);
    // One that is off and not there any more can still be let go.
    if known.contains(&tool) || (is_off && !off) {
        return Ok(());
    }
    let known = known.join(", ");
    let message = match house.catalog.get(tool) {
        Some(_) => format!("{tool} only looks, there is nothing to pause; these can be: {known}"),
        None => format!("there is no tool of that name; these can be paused: {known}"),
    };
    Err(Problem::new(StatusCode::NOT_FOUND, "unknown_tool", message))
}
