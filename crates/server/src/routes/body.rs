//! Reads the JSON of a request, and refuses what nobody should have to guess.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::depth::is_too_deep;

use super::Problem;

/// What a route takes: the bytes, or why there are none.
pub type Body = Result<Bytes, BytesRejection>;

pub fn read<T: DeserializeOwned>(body: Body) -> Result<T, Problem> {
    let body = body.map_err(|error| Problem::new(error.status(), "bad_body", error.body_text()))?;
    let text = std::str::from_utf8(&body).map_err(|_| bad("a body is UTF-8"))?;
    if is_too_deep(text) {
        let message = "the JSON is nested more than 32 deep";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "too_deep", message));
    }
    let value: Value =
        serde_json::from_str(text).map_err(|error| bad(format!("not JSON: {error}")))?;
    if value.get("user_id").is_some() {
        let message = "leave user_id out: whose request it is follows from the session";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "user_in_body", message));
    }
    serde_json::from_value(value).map_err(|error| bad(error.to_string()))
}

fn bad(message: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "bad_body", message)
}
