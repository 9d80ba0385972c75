//! What operators learn of a turn: one line and a few figures, never what was said.

use std::time::Duration;

use brain::Outcome;
use store::{ModelCallRow, TurnRow};

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
    let figures = &row.figures;
    // What was never reached is not measured, rather than measured as nothing.
    for (name, us) in [
        ("sayso_first_event_seconds", row.first_event_us),
        ("sayso_first_token_seconds", row.first_token_us),
        ("sayso_first_audio_seconds", figures.first_audio_us),
        ("sayso_think_seconds", figures.thought_us),
        ("sayso_turn_tools_seconds", figures.tool_us),
    ] {
        if let Some(us) = us {
            metrics::histogram!(name).record(seconds(us));
        }
    }
    if let Some(why) = &figures.fallback {
        metrics::counter!("sayso_fallbacks_total", "why" => why.clone()).increment(1);
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
        first_audio_ms = figures.first_audio_us.map(|us| us / 1000),
        tool_ms = figures.tool_us.map(|us| us / 1000),
        tool_failures = figures.tool_failures,
        fallback = figures.fallback.as_deref(),
        tier = figures.tier.as_deref(),
        took_ms = took_us.map(|us| us / 1000),
        "turn"
    );
}

/// A model was asked.
pub(crate) fn thought(call: &ModelCallRow) {
    let provider = call.provider.clone();
    let outcome = call.error_code.clone().unwrap_or_else(|| "answered".to_owned());
    metrics::counter!("sayso_model_calls_total", "provider" => provider.clone(), "outcome" => outcome)
        .increment(1);
    for (kind, tokens) in [("input", call.input_tokens), ("output", call.output_tokens)] {
        metrics::counter!("sayso_model_tokens_total", "provider" => provider.clone(), "kind" => kind)
            .increment(tokens);
    }
    metrics::counter!("sayso_model_cost_micros_total", "provider" => provider.clone())
        .increment(call.cost_micros);
    if let Some(us) = call.first_us {
        let seconds = Duration::from_micros(us).as_secs_f64();
        metrics::histogram!("sayso_model_first_token_seconds", "provider" => provider)
            .record(seconds);
    }
    tracing::info!(
        turn_id = %call.turn,
        tier = call.tier,
        provider = call.provider,
        model = call.model,
        provider_request_id = call.request_id.as_deref(),
        tries = call.tries,
        input_tokens = call.input_tokens,
        cached_tokens = call.cached_tokens,
        output_tokens = call.output_tokens,
        cost_micros = call.cost_micros,
        first_ms = call.first_us.map(|us| us / 1000),
        took_ms = call.took_us / 1000,
        error = call.error_code.as_deref(),
        "model"
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

/// A tool came back; with `failed` it brought nothing, and that is why.
pub(crate) fn used(tool: &str, took: Duration, failed: Option<&str>) {
    metrics::histogram!("sayso_tool_seconds", "tool" => tool.to_owned()).record(took.as_secs_f64());
    if let Some(code) = failed {
        let (tool, code) = (tool.to_owned(), code.to_owned());
        metrics::counter!("sayso_tool_failures_total", "tool" => tool, "code" => code).increment(1);
    }
}

/// Something was wanted or found a second time, and was not done a second time.
pub(crate) fn done_once(what: &'static str) {
    metrics::counter!("sayso_dedupe_hits_total", "what" => what).increment(1);
}
