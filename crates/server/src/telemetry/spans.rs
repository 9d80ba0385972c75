//! A turn that is over, as spans: what was decided, used, asked and written, and how
//! long each took.
//!
//! Spans are made from the record of the turn, never from what was said in it: there
//! is no field here that a sentence could stand in.

use brain::confirmation::ConfirmationState;
use brain::{Action, Confirmation, Outcome, TurnId};
use jiff::Timestamp;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::span::{Event, SpanKind};
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{Span, Status};
use store::rows::ToolRunState;
use store::{ModelCallRow, Store, StoreError, ToolRunRow, TurnRow};
use uuid::Uuid;

/// What is on record of one turn.
pub struct Walked {
    pub turn: TurnRow,
    pub tool_runs: Vec<ToolRunRow>,
    /// Every revision.
    pub confirmations: Vec<Confirmation>,
    pub actions: Vec<Action>,
    /// Which models were asked.
    pub model_calls: Vec<ModelCallRow>,
}

impl Walked {
    /// `None` when there is no such turn any more.
    pub async fn read(store: &dyn Store, turn: TurnId) -> Result<Option<Self>, StoreError> {
        let Some(row) = store.turn(turn).await? else { return Ok(None) };
        Ok(Some(Self {
            turn: row,
            tool_runs: store.tool_runs(turn).await?,
            confirmations: store.confirmations_of(turn).await?,
            actions: store.actions_of(turn).await?,
            model_calls: store.model_calls(turn).await?,
        }))
    }
}

/// The turn first, then what happened in it.
pub fn of(walked: &Walked) -> Vec<Span> {
    let root = turn(&walked.turn);
    let within = |mut span: Span| {
        span.trace_id.clone_from(&root.trace_id);
        span.parent_span_id.clone_from(&root.span_id);
        span
    };
    let mut spans = vec![root.clone()];
    spans.extend(thought(&walked.turn).map(within));
    spans.extend(walked.tool_runs.iter().map(tool).map(within));
    spans.extend(walked.confirmations.iter().map(|card| within(asked(card))));
    spans.extend(walked.actions.iter().map(|action| within(wrote(action))));
    spans
}

fn turn(row: &TurnRow) -> Span {
    let outcome = row.outcome.map_or("cancelled", outcome_name);
    let mut attributes = vec![
        text("sayso.session.id", row.session),
        text("sayso.turn.id", row.turn),
        text("sayso.request.id", row.request),
        text("sayso.outcome", outcome),
        number("sayso.tool.failures", row.figures.tool_failures.into()),
        number("sayso.dedupe_hits", row.figures.dedupe_hits.into()),
    ];
    if let Some(mode) = row.mode {
        attributes.push(text("sayso.mode", mode.execution.name()));
        attributes.push(text("sayso.mode.reason", mode.reason.name()));
    }
    attributes.extend(row.figures.fallback.as_deref().map(|why| text("sayso.fallback", why)));
    attributes.extend(row.figures.tier.as_deref().map(|tier| text("sayso.tier", tier)));
    attributes.extend(row.error_code.as_deref().map(|code| text("error.type", code)));
    let started = nanos(row.started_at);
    let firsts = [
        ("first_event", row.first_event_us),
        ("first_token", row.first_token_us),
        ("first_audio", row.figures.first_audio_us),
    ];
    let mut events = Vec::new();
    for (name, us) in firsts {
        let Some(us) = us else { continue };
        attributes.push(number(&format!("sayso.{name}_us"), us));
        events.push(Event {
            name: name.into(),
            time_unix_nano: started + us * 1_000,
            ..Event::default()
        });
    }
    attributes.extend(row.figures.tool_us.map(|us| number("sayso.tools_us", us)));
    let is_failed = matches!(row.outcome, Some(Outcome::Failed | Outcome::Unknown));
    Span {
        trace_id: row.trace.0.as_bytes().to_vec(),
        kind: SpanKind::Server.into(),
        events,
        status: is_failed.then(failed),
        ..span(
            "turn",
            row.turn.0,
            started,
            nanos(row.ended_at.unwrap_or(row.started_at)),
            attributes,
        )
    }
}

fn thought(row: &TurnRow) -> Option<Span> {
    let took = row.figures.thought_us?;
    let start = nanos(row.started_at);
    // Another id than the turn's own, made from it.
    let id = Uuid::from_u128(row.turn.0.as_u128() ^ 1);
    Some(span("understand", id, start, start + took * 1_000, Vec::new()))
}

fn tool(run: &ToolRunRow) -> Span {
    let start = nanos(run.started_at);
    let mut attributes = vec![
        text("sayso.tool", &run.tool),
        text("sayso.call.id", run.call),
        text("sayso.action_level", format!("{:?}", run.level).to_lowercase()),
        text("sayso.tool.state", run.state.name()),
    ];
    attributes.extend(run.error_code.as_deref().map(|code| text("error.type", code)));
    let is_failed = matches!(run.state, ToolRunState::Failed | ToolRunState::Unknown);
    let end = start + run.took_us.unwrap_or(0) * 1_000;
    let name = format!("tool {}", run.tool);
    Span { status: is_failed.then(failed), ..span(&name, run.call.0, start, end, attributes) }
}

fn asked(card: &Confirmation) -> Span {
    let end = card.decided.as_ref().map_or(card.asked_at, |decided| decided.at);
    let state = match card.state {
        ConfirmationState::Pending => "pending",
        ConfirmationState::Accepted => "accepted",
        ConfirmationState::Rejected => "rejected",
        ConfirmationState::Expired => "expired",
        ConfirmationState::Superseded => "superseded",
    };
    let attributes = vec![
        text("sayso.confirmation.id", card.id),
        number("sayso.confirmation.revision", card.revision.into()),
        text("sayso.confirmation.state", state),
        text("sayso.tool", &card.tool),
    ];
    let id = Uuid::from_u128(card.id.0.as_u128() ^ u128::from(card.revision));
    span("confirmation", id, nanos(card.asked_at), nanos(end), attributes)
}

fn wrote(action: &Action) -> Span {
    let mut attributes = vec![
        text("sayso.action.id", action.id),
        text("sayso.tool", &action.tool),
        text("sayso.write.state", action.state.name()),
        number("sayso.write.attempts", action.attempt.into()),
        number("sayso.write.probes", action.probes.into()),
    ];
    attributes.extend(action.error.as_ref().map(|error| text("error.type", &error.code)));
    let (start, end) = (nanos(action.agreed_at), nanos(action.learnt_at));
    let name = format!("write {}", action.tool);
    let status = (!action.state.is_done()).then(failed);
    Span { status, ..span(&name, action.id.0, start, end, attributes) }
}

fn span(name: &str, id: Uuid, start: u64, end: u64, attributes: Vec<KeyValue>) -> Span {
    Span {
        // The end of an id is its random part.
        span_id: id.as_bytes()[8..].to_vec(),
        name: name.to_owned(),
        kind: SpanKind::Internal.into(),
        start_time_unix_nano: start,
        end_time_unix_nano: end.max(start),
        attributes,
        ..Span::default()
    }
}

fn failed() -> Status {
    Status { code: StatusCode::Error.into(), message: String::new() }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success",
        Outcome::Partial => "partial",
        Outcome::Failed => "failed",
        Outcome::Unknown => "unknown",
    }
}

pub fn text(key: &str, value: impl std::fmt::Display) -> KeyValue {
    keyed(key, Any::StringValue(format!("{value}")))
}

fn number(key: &str, value: u64) -> KeyValue {
    keyed(key, Any::IntValue(i64::try_from(value).unwrap_or(i64::MAX)))
}

fn keyed(key: &str, value: Any) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}

fn nanos(at: Timestamp) -> u64 {
    u64::try_from(at.as_nanosecond()).unwrap_or(0)
}
