//! Log lines, metrics and traces. What people say is in none of them.

use std::io::IsTerminal;

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, Settings};

pub mod spans;
pub mod traces;

/// From a tenth of a millisecond to five minutes: what people feel as at once, what
/// they feel as broken, and how long a card may wait for them.
const SECONDS: [f64; 18] = [
    0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
    30.0, 60.0, 300.0,
];

/// Log lines go to standard error, so that standard output stays for answers.
pub fn start_log(settings: &Settings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&settings.log)
        .with_context(|| format!("`log = \"{}\"` is not a log filter", settings.log))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let log = log.with_ansi(std::io::stderr().is_terminal());
    match settings.log_format {
        LogFormat::Text => log.with_target(false).init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    Ok(())
}

/// Collects metrics from now on.
pub fn start_metrics() -> anyhow::Result<PrometheusHandle> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &SECONDS)?;
    let handle = builder.install_recorder().context("metrics can be collected once")?;
    metrics::describe_counter!("sayso_turns_total", "Turns that are over, by outcome");
    metrics::describe_histogram!("sayso_turn_seconds", "From input to the end of the turn");
    metrics::describe_histogram!("sayso_first_event_seconds", "From input to the first event");
    metrics::describe_histogram!("sayso_transcript_seconds", "From the end of speech to its words");
    metrics::describe_counter!(
        "sayso_utterances_total",
        "Things that were said, by what ended them"
    );
    metrics::describe_counter!("sayso_barge_ins_total", "Answers that were talked over");
    metrics::describe_counter!("sayso_speech_failures_total", "Sentences that could not be spoken");
    metrics::describe_counter!(
        "sayso_audio_dropped_ms_total",
        "Sound that came too fast to be heard"
    );
    metrics::describe_counter!(
        "sayso_live_turns_total",
        "What somebody said, by who heard it where a live voice is set up"
    );
    metrics::describe_counter!("sayso_live_fallbacks_total", "What our own had to answer or say");
    metrics::describe_histogram!("sayso_live_round_trip_seconds", "To a live voice and back");
    metrics::describe_histogram!("sayso_first_token_seconds", "From input to the first word");
    metrics::describe_histogram!("sayso_first_audio_seconds", "From input to the first sound");
    metrics::describe_histogram!("sayso_think_seconds", "How long a request took to understand");
    metrics::describe_histogram!("sayso_turn_tools_seconds", "Tools of one turn, together");
    metrics::describe_counter!("sayso_fallbacks_total", "Not answered by the first choice, by why");
    metrics::describe_counter!("sayso_model_calls_total", "Questions to models, by how it went");
    metrics::describe_counter!("sayso_model_tokens_total", "Tokens of models, by kind");
    metrics::describe_counter!(
        "sayso_model_cost_micros_total",
        "Millionths of a dollar for models"
    );
    metrics::describe_histogram!(
        "sayso_model_first_token_seconds",
        "Until a model began to answer"
    );
    metrics::describe_counter!("sayso_dedupe_hits_total", "Wanted twice and done once, by what");
    metrics::describe_counter!("sayso_writes_total", "Steps of writes, by the state they came to");
    metrics::describe_counter!("sayso_swept_total", "Taken out because it was too old, by what");
    metrics::describe_counter!("sayso_spans_sent_total", "Spans that an OTLP receiver took");
    metrics::describe_counter!("sayso_spans_dropped_total", "Spans that no receiver took");
    metrics::describe_counter!("sayso_returns_total", "Clients that came back to a session");
    metrics::describe_counter!(
        "sayso_returns_anew_total",
        "Those of them that had missed too much to be told one by one"
    );
    metrics::describe_counter!(
        "sayso_unheard_turns_total",
        "Sounds that were listened to and held nothing to answer, by why"
    );
    metrics::describe_counter!("sayso_rate_limited_total", "Held back because it was too much");
    metrics::describe_histogram!("sayso_tool_seconds", "How long a tool took, by tool");
    metrics::describe_counter!(
        "sayso_tool_failures_total",
        "Tool calls that failed, by tool and code"
    );
    metrics::describe_gauge!("sayso_sessions_awake", "Sessions in memory");
    metrics::describe_gauge!("sayso_connections", "Open WebSocket connections");
    metrics::describe_counter!("sayso_clients_cut_total", "Clients cut off, slow or at shutdown");
    metrics::describe_counter!("sayso_refused_total", "Requests not let in, by why");
    metrics::describe_counter!(
        "sayso_connections_refused_total",
        "Connections hung up on because there were too many, by whether in all or from one address"
    );
    metrics::describe_counter!(
        "sayso_accept_failures_total",
        "Times no connection could be taken, as when there are no open files left"
    );
    metrics::describe_counter!("sayso_jobs_taken_total", "Jobs that were taken up, by kind");
    metrics::describe_counter!("sayso_jobs_ended_total", "Jobs that are over, by outcome");
    metrics::describe_histogram!(
        "sayso_attachment_read_seconds",
        "How long a file took to read, by outcome"
    );
    metrics::describe_counter!(
        "sayso_malformed_frames_total",
        "Frames that meant nothing, by code"
    );
    Ok(handle)
}
