//! One turn in slow motion: what was going on when, from its beginning on.

use brain::confirmation::ConfirmationState;
use brain::{Action, ActionLevel, Confirmation, InputMode, SessionId, TraceId, TurnId};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use store::{ModelCallRow, ToolRunRow, TurnRow};

use super::summary::{channel_name, outcome_of};
use crate::telemetry::spans::Walked;

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Waterfall {
    pub turn_id: TurnId,
    pub session_id: SessionId,
    pub trace_id: TraceId,
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub started_at: Timestamp,
    pub input_mode: InputMode,
    pub outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// `direct_response` or `backend_orchestrated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<&'static str>,
    /// Why it was carried out that way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// Who answered: `reflex` (the rules), `local` or `cloud` (a model).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// Why it was they.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier_reason: Option<String>,
    /// Which models were asked, in order; none where the rules answered.
    pub models: Vec<ModelUse>,
    /// Until its end; absent while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// By when they began.
    pub spans: Vec<Stretch>,
    pub marks: Vec<Mark>,
}

/// One question to a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModelUse {
    pub tier: String,
    pub provider: String,
    pub model: String,
    /// What the provider calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// How often somebody was asked for it.
    pub tries: u32,
    pub input_tokens: u64,
    /// Those of them that the provider had kept.
    pub cached_tokens: u64,
    pub output_tokens: u64,
    /// In millionths of a dollar.
    pub cost_micros: u64,
    /// Until its first piece came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_us: Option<u64>,
    pub took_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
}

impl From<&ModelCallRow> for ModelUse {
    fn from(call: &ModelCallRow) -> Self {
        Self {
            tier: call.tier.clone(),
            provider: call.provider.clone(),
            model: call.model.clone(),
            request_id: call.request_id.clone(),
            tries: call.tries,
            input_tokens: call.input_tokens,
            cached_tokens: call.cached_tokens,
            output_tokens: call.output_tokens,
            cost_micros: call.cost_micros,
            first_us: call.first_us,
            took_us: call.took_us,
            error_code: call.error_code.clone(),
        }
    }
}

/// Something that took time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "WaterfallSpan")]
pub struct Stretch {
    pub kind: Kind,
    /// Whose time it is: a tool, or what a person was asked.
    pub name: String,
    pub start_us: u64,
    /// Absent while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_us: Option<u64>,
    /// How it ended, or how it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_level: Option<ActionLevel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// How the answer came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Kind {
    Understand,
    Tool,
    /// A card waited for its person.
    Confirm,
    /// From the yes to what can be proven.
    Write,
}

/// A moment that somebody waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "WaterfallMark")]
pub struct Mark {
    pub name: &'static str,
    pub at_us: u64,
}

impl Waterfall {
    pub fn of(walked: &Walked) -> Self {
        let Walked { turn, tool_runs, confirmations, actions, model_calls } = walked;
        let start = turn.started_at;
        // A write's row among the tools covers the same time as the write itself.
        let reads = tool_runs.iter().filter(|run| !actions.iter().any(|it| it.call == run.call));
        let mut spans: Vec<_> = understood(turn).into_iter().collect();
        spans.extend(reads.map(|run| used(run, start)));
        spans.extend(confirmations.iter().map(|card| asked(card, start)));
        spans.extend(actions.iter().map(|action| wrote(action, start)));
        spans.sort_by_key(|span| span.start_us);
        let marks = [
            ("first_event", turn.first_event_us),
            ("first_token", turn.first_token_us),
            ("first_audio", turn.figures.first_audio_us),
        ];
        let marks = marks.into_iter().filter_map(|(name, us)| Some(Mark { name, at_us: us? }));
        Self {
            turn_id: turn.turn,
            session_id: turn.session,
            trace_id: turn.trace,
            started_at: start,
            input_mode: turn.input_mode,
            outcome: outcome_of(turn),
            error_code: turn.error_code.clone(),
            execution: turn.mode.map(|mode| mode.execution.name()),
            reason: turn.mode.map(|mode| mode.reason.name()),
            fallback: turn.figures.fallback.clone(),
            tier: turn.figures.tier.clone(),
            tier_reason: turn.figures.tier_reason.clone(),
            models: model_calls.iter().map(ModelUse::from).collect(),
            took_us: turn.ended_at.map(|end| between(start, end)),
            spans,
            marks: marks.collect(),
        }
    }
}

fn between(start: Timestamp, at: Timestamp) -> u64 {
    u64::try_from(at.duration_since(start).as_micros()).unwrap_or(0)
}

fn stretch(kind: Kind, name: &str, start_us: u64, end_us: Option<u64>) -> Stretch {
    Stretch {
        kind,
        name: name.to_owned(),
        start_us,
        end_us,
        state: None,
        action_level: None,
        error_code: None,
        channel: None,
        attempts: None,
    }
}

fn understood(turn: &TurnRow) -> Option<Stretch> {
    Some(stretch(Kind::Understand, "understand", 0, Some(turn.figures.thought_us?)))
}

fn used(run: &ToolRunRow, start: Timestamp) -> Stretch {
    let begun = between(start, run.started_at);
    Stretch {
        state: Some(run.state.name().to_owned()),
        action_level: Some(run.level),
        error_code: run.error_code.clone(),
        ..stretch(Kind::Tool, &run.tool, begun, run.took_us.map(|took| begun + took))
    }
}

fn asked(card: &Confirmation, start: Timestamp) -> Stretch {
    let end = match (card.decided, card.state) {
        (Some(decided), _) => Some(decided.at),
        (None, ConfirmationState::Expired) => Some(card.expires_at),
        (None, _) => None,
    };
    let end = end.map(|end| between(start, end));
    Stretch {
        state: Some(card.state.name().to_owned()),
        channel: card.decided.map(|decided| channel_name(decided.channel)),
        ..stretch(Kind::Confirm, &card.tool, between(start, card.asked_at), end)
    }
}

fn wrote(action: &Action, start: Timestamp) -> Stretch {
    let end = action.state.is_over().then(|| between(start, action.learnt_at));
    Stretch {
        state: Some(action.state.name().to_owned()),
        action_level: Some(ActionLevel::Write),
        error_code: action.error.as_ref().map(|error| error.code.clone()),
        attempts: Some(action.attempt),
        ..stretch(Kind::Write, &action.tool, between(start, action.agreed_at), end)
    }
}
