//! An event in one line, for whoever watches: which one, where, and how it went. What
//! people say is counted, never told.

use brain::{Envelope, Event, SessionId, Tier, TurnId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// An event without anybody's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brief {
    pub ts: Timestamp,
    pub session_id: SessionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    pub event_type: String,
    /// What else may be known of it: names, codes, states, numbers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// It is a failure, or tells of one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trouble: bool,
}

impl Brief {
    pub fn of(envelope: &Envelope) -> Self {
        Self {
            ts: envelope.ts,
            session_id: envelope.session_id,
            turn_id: envelope.turn_id,
            seq: envelope.seq,
            event_type: envelope.event.name().to_owned(),
            about: about(&envelope.event),
            trouble: is_trouble(&envelope.event),
        }
    }
}

/// Every variant by name: whoever adds one says what may be told of it.
fn about(event: &Event) -> String {
    match event {
        Event::TurnStarted { input_mode, follows, goes_on, .. } => {
            let follows = follows.map(|turn| format!(" follows {turn}"));
            let goes_on = goes_on.map(|turn| format!(" goes on from {turn}"));
            let after = follows.or(goes_on);
            format!("{}{}", spelled(input_mode), after.unwrap_or_default())
        }
        Event::StateChanged { from, to, reason } => {
            format!("{} -> {} ({reason})", from.name(), to.name())
        }
        Event::TurnEnded { outcome, error_code, tier, model, .. } => {
            let code = error_code.as_deref().map(|code| format!(" {code}")).unwrap_or_default();
            format!("{}{code}{}", spelled(outcome), by(*tier, model.as_deref()))
        }
        Event::TurnCancelled { heard_ms, .. } => {
            heard_ms.map(|ms| format!("heard {ms} ms")).unwrap_or_default()
        }
        Event::HeardDelta { text, .. }
        | Event::Heard { text, .. }
        | Event::SaidDelta { text }
        | Event::Said { text } => format!("{} characters", text.chars().count()),
        Event::SoundBegan { sample_rate, .. } => format!("{sample_rate} Hz"),
        Event::Sounded { start_ms, duration_ms, .. } => {
            format!("{duration_ms} ms from {start_ms} ms")
        }
        Event::SoundLevel { gain } => format!("{:.0} %", gain * 100.0),
        Event::SoundEnded { interrupted, .. } => {
            if *interrupted {
                "interrupted".to_owned()
            } else {
                String::new()
            }
        }
        Event::Planned(update) => {
            let steps = update.plan.steps.iter().zip(&update.progress);
            let steps: Vec<_> = steps
                .map(|(step, progress)| format!("{} {}", step.tool, spelled(&progress.status)))
                .collect();
            let mode = update.execution_mode.name();
            format!("{mode} ({}): {}", update.reason.name(), steps.join(", "))
        }
        Event::ToolRequested { call_id, tool_name, action_level, .. } => {
            format!("{tool_name} {} {call_id}", spelled(action_level))
        }
        Event::ToolQueued { call_id, job_id, .. } => format!("{call_id} {job_id}"),
        Event::ToolProgressed { call_id, progress, .. } => {
            format!("{call_id} {:.0} %", progress * 100.0)
        }
        Event::ToolReturned { call_id, ok, error, state, .. } => {
            let error = error.as_ref().map(|error| format!(" {}", error.code));
            let state = state.map(|state| format!(" {}", state.name()));
            let how = if *ok { "ok" } else { "failed" };
            format!("{how} {call_id}{}{}", state.unwrap_or_default(), error.unwrap_or_default())
        }
        Event::AskedToConfirm(card) | Event::QuestionChanged(card) => {
            let id = card.confirmation_request_id;
            format!("{} {id}.{} {}", card.tool_name, card.revision, spelled(&card.card.voice))
        }
        Event::Answered { confirmation_request_id, revision, decision, channel, .. } => format!(
            "{} {confirmation_request_id}.{revision} by {}",
            spelled(decision),
            spelled(channel)
        ),
        Event::WentUnanswered { confirmation_request_id, revision } => {
            format!("{confirmation_request_id}.{revision}")
        }
        Event::HeldBack { retry_after_ms, .. } => format!("for {retry_after_ms} ms"),
        Event::Failed { code, .. } => code.clone(),
        // What a client calls its own is nobody else's business.
        Event::Repeated { .. } => String::new(),
        Event::Welcomed(_) | Event::CaughtUp(_) | Event::Resynced(_) | Event::Ponged { .. } => {
            String::new()
        }
    }
}

fn is_trouble(event: &Event) -> bool {
    use brain::Outcome;
    match event {
        Event::TurnEnded { outcome, .. } => matches!(outcome, Outcome::Failed | Outcome::Unknown),
        Event::ToolReturned { ok, .. } => !ok,
        Event::Failed { .. } | Event::HeldBack { .. } => true,
        _ => false,
    }
}

/// The plain name of a value that has one: `text`, `accept`.
pub fn spelled(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Which model had a part in an answer, where one had.
pub fn by(tier: Option<Tier>, model: Option<&str>) -> String {
    let Some(tier) = tier else { return String::new() };
    let model = model.map(|model| format!(" ({model})")).unwrap_or_default();
    format!(" by {}{model}", tier.name())
}

/// The beginnings of names, out of one word with commas.
pub fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// All of them are, while nobody names any.
pub fn is_wanted(name: &str, names: &[String]) -> bool {
    names.is_empty() || names.iter().any(|start| name.starts_with(start.as_str()))
}
