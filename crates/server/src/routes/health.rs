//! For whoever watches over us.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json};
use serde_json::{Value, json};

use super::Problem;
use crate::app::App;

/// A store that is silent for longer is not ready.
const PATIENCE: Duration = Duration::from_secs(2);

/// We run.
pub async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// We can do our work: something could be written down right now.
pub async fn ready(State(app): State<Arc<App>>) -> Result<Json<Value>, Problem> {
    let asked = tokio::time::timeout(PATIENCE, app.registry.house().store.writable());
    let reason = match asked.await {
        Ok(Ok(())) => return Ok(Json(json!({ "status": "ready" }))),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the store does not answer".to_owned(),
    };
    // Anybody may ask; why is for the log.
    tracing::warn!(reason, "not ready");
    let message = "nothing can be written down right now";
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", message))
}

/// Prometheus reads this.
pub async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let open = app.connections.taken();
    #[expect(clippy::cast_precision_loss, reason = "nobody has 2^52 connections")]
    metrics::gauge!("sayso_connections").set(open as f64);
    app.metrics.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.render())
}
