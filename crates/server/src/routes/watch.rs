//! `GET /control/summary` and `GET /control/turns/{turn_id}`: how the house is doing, for
//! whoever looks after it. Ids, names, outcomes and times, never what people say.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Json;
use brain::{InputMode, TurnId, UserId};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::SpentRow;

use super::Problem;
use super::audit::named;
use super::id::Id;
use super::threads::{Asked, read_query};
use crate::app::App;
use crate::telemetry::spans::Walked;
use crate::watch::counted::Counted;
use crate::watch::summary::{Summary, Window};
use crate::watch::waterfall::Waterfall;

/// Turns that are looked at for one answer; of more, every so-many-th.
const MOST: u32 = 10_000;
/// Those who spent most are named.
const MOST_SPENDERS: usize = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    #[serde(default)]
    window: Window,
    /// Only turns that were spoken, or only those that were typed.
    #[serde(default)]
    input: Option<Input>,
    /// Only this tool, its cards, and the turns that had either.
    #[serde(default)]
    #[schemars(length(max = 200))]
    tool: String,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Input {
    Voice,
    Text,
}

/// How the house is doing.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Overview")]
pub struct Overview {
    #[serde(flatten)]
    summary: Summary,
    /// What models have cost in the window, who spent most first; at most 20 people.
    spent: Vec<Spent>,
    /// Since the server began.
    since_start: Counted,
    health: Health,
}

/// What models have cost somebody.
#[derive(Serialize, JsonSchema)]
struct Spent {
    user_id: UserId,
    calls: u64,
    input_tokens: u64,
    cached_tokens: u64,
    output_tokens: u64,
    /// In millionths of a dollar.
    cost_micros: u64,
}

impl From<SpentRow> for Spent {
    fn from(row: SpentRow) -> Self {
        Self {
            user_id: row.user,
            calls: row.calls,
            input_tokens: row.input_tokens,
            cached_tokens: row.cached_tokens,
            output_tokens: row.output_tokens,
            cost_micros: row.cost_micros,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Health {
    version: &'static str,
    #[schemars(with = "String", extend("format" = "date-time"))]
    started_at: Timestamp,
    /// Sessions that are awake.
    sessions: usize,
    connections: usize,
    turns_at_work: usize,
    /// Jobs that could be taken up and that nobody has.
    jobs_waiting: u64,
    jobs_running: u64,
    hears: bool,
    speaks: bool,
    /// Nothing may be written.
    writes_paused: bool,
    tools_off: Vec<String>,
    /// What is wrong with the settings, and what to do.
    warnings: Vec<String>,
}

pub async fn summary(
    State(app): State<Arc<App>>,
    asked: Asked<Wanted>,
) -> Result<Json<Overview>, Problem> {
    let Wanted { window, input, tool } = read_query(asked)?;
    let tool = named(&tool)?;
    let house = app.registry.house();
    let now = house.clock.now();
    let glance = house.store.glance(now - window.length(), now, MOST, tool).await;
    let spent = house.store.spent(None, now - window.length()).await;
    let unreadable = |error| Problem::store_unavailable("what was spent cannot be read", &error);
    let spent = spent.map_err(unreadable)?.into_iter().take(MOST_SPENDERS).map(Spent::from);
    let glance =
        glance.map_err(|error| Problem::store_unavailable("the figures cannot be read", &error))?;
    let input = input.map(|input| match input {
        Input::Voice => InputMode::Voice,
        Input::Text => InputMode::Text,
    });
    let off = house.switches.all();
    let health = Health {
        version: env!("CARGO_PKG_VERSION"),
        started_at: app.started_at,
        sessions: app.registry.awake(),
        connections: app.connections.taken(),
        turns_at_work: house.places.taken(),
        jobs_waiting: glance.jobs_waiting,
        jobs_running: glance.jobs_running,
        hears: house.senses.hearing.is_some(),
        speaks: house.senses.speaking.is_some(),
        writes_paused: off.iter().any(|row| row.tool.is_none()),
        tools_off: off.into_iter().filter_map(|row| row.tool).collect(),
        warnings: app.warnings.clone(),
    };
    let summary = Summary::of(&glance, window, now, input);
    let since_start = Counted::of(&app.metrics.render());
    Ok(Json(Overview { summary, spent: spent.collect(), since_start, health }))
}

pub async fn turn(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<Waterfall>, Problem> {
    let turn: TurnId = id.parse().map_err(|_| unknown())?;
    let store = &*app.registry.house().store;
    let unreadable = |error| Problem::store_unavailable("a turn cannot be read", &error);
    let walked = Walked::read(store, turn).await.map_err(unreadable)?.ok_or_else(unknown)?;
    // What was deleted is on its way out, and nobody sees it any more.
    store.find(walked.turn.session).await.map_err(unreadable)?.ok_or_else(unknown)?;
    Ok(Json(Waterfall::of(&walked)))
}

fn unknown() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "unknown_turn", "there is no such turn")
}
