//! Log lines and metrics. What people say is in neither.

use std::io::IsTerminal;

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, Settings};

/// From a tenth of a millisecond to ten seconds: what people feel as at once
/// and what they feel as broken.
const SECONDS: [f64; 14] =
    [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

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
    metrics::describe_histogram!("sayso_first_token_seconds", "From input to the first word");
    metrics::describe_histogram!("sayso_tool_seconds", "How long a tool took, by tool");
    metrics::describe_counter!("sayso_tool_failures_total", "Tool calls that failed, by tool");
    metrics::describe_gauge!("sayso_sessions_awake", "Sessions in memory");
    metrics::describe_gauge!("sayso_connections", "Open WebSocket connections");
    metrics::describe_counter!("sayso_clients_cut_total", "Clients cut off, slow or at shutdown");
    metrics::describe_counter!("sayso_refused_total", "Requests not let in, by why");
    metrics::describe_counter!(
        "sayso_malformed_frames_total",
        "Frames that meant nothing, by code"
    );
    Ok(handle)
}
