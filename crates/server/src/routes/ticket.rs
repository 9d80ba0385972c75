//! `POST /chat/ticket`: one entrance to the stream, for a browser.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json};
use serde_json::json;

use super::Problem;
use crate::app::App;
use crate::doors::{TICKET_GOOD_FOR, Visitor};

pub async fn sell(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<impl IntoResponse, Problem> {
    let Some(ticket) = app.doors.sell_ticket(visitor) else {
        let message = "you have too many unused tickets; use one, or wait a minute";
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_tickets", message));
    };
    let body = json!({ "ticket": ticket, "expires_in_ms": TICKET_GOOD_FOR.as_millis() });
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)))
}
