//! What operators learn of a turn: one line and a few figures, never what was said.

use std::time::Duration;

use brain::Outcome;
use store::TurnRow;

/// A turn is over.
pub(crate) fn ended(row: &TurnRow, outcome: Outcome, took_us: Option<u64>) {
    let seconds = |us: u64| Duration::from_micros(us).as_secs_f64();
    let outcome = match outcome {
        Outcome::Success => "success",
        Outcome::Partial => "partial",
        Outcome::Failed => "failed",
        Outcome::Unknown => "unknown",
    };
    metrics::counter!("sayso_turns_total", "outcome" => outcome).increment(1);
    if let Some(us) = took_us {
        metrics::histogram!("sayso_turn_seconds").record(seconds(us));
    }
    if let Some(us) = row.first_event_us {
        metrics::histogram!("sayso_first_event_seconds").record(seconds(us));
    }
    if let Some(us) = row.first_token_us {
        metrics::histogram!("sayso_first_token_seconds").record(seconds(us));
    }
    tracing::info!(
        session_id = %row.session,
        turn_id = %row.turn,
        trace_id = %row.trace,
        request_id = %row.request,
        outcome,
        mode = row.mode.map(|mode| mode.execution.name()),
        reason = row.mode.map(|mode| mode.reason.name()),
        first_event_ms = row.first_event_us.map(|us| us / 1000),
        first_token_ms = row.first_token_us.map(|us| us / 1000),
        took_ms = took_us.map(|us| us / 1000),
        "turn"
    );
}

/// A turn was stopped.
pub(crate) fn interrupted(row: &TurnRow) {
    metrics::counter!("sayso_turns_total", "outcome" => "cancelled").increment(1);
    tracing::info!(
        session_id = %row.session,
        turn_id = %row.turn,
        trace_id = %row.trace,
        request_id = %row.request,
        "turn interrupted"
    );
}
