//! Reads the JSON of a request, and refuses what nobody should have to guess.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};
use tokio::time::timeout;
use wire::depth::is_too_deep;

use super::Problem;

/// Whoever has not sent it by then has gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a route takes: the bytes, or why there are none.
pub struct Body(pub Result<Bytes, Problem>);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Infallible> {
        let Ok(bytes) = timeout(PATIENCE, Bytes::from_request(request, state)).await else {
            let message = "the body of the request came too slowly; try again";
            let slow = Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message);
            return Ok(Self(Err(slow)));
        };
        let bytes =
            bytes.map_err(|error| Problem::new(error.status(), "bad_body", error.body_text()));
        Ok(Self(bytes))
    }
}

pub fn read<T: DeserializeOwned>(body: Body) -> Result<T, Problem> {
    let body = body.0?;
    let text = std::str::from_utf8(&body).map_err(|_| bad("a body is UTF-8"))?;
    if is_too_deep(text) {
        let message = "the JSON is nested more than 32 deep";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "too_deep", message));
    }
    let value: Value =
        serde_json::from_str(text).map_err(|error| bad(format!("not JSON: {error}")))?;
    // A list in the order of the fields would be taken for them otherwise.
    if !value.is_object() {
        return Err(bad("a body is a JSON object"));
    }
    if value.get("user_id").is_some() {
        let message = "leave user_id out: whose request it is follows from the session";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "user_in_body", message));
    }
    serde_json::from_value(value).map_err(|error| bad(error.to_string()))
}

/// A number without a fraction, also where a program spells one: `1.0` is 1.
pub fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let number = Option::<Number>::deserialize(from)?;
    let Some(number) = number else { return Ok(None) };
    let spelled = number.to_string();
    let digits = spelled.strip_suffix(".0").unwrap_or(&spelled);
    let wrong = || de::Error::custom(format!("{spelled} is not a whole number from 0 up"));
    digits.parse().map(Some).map_err(|_| wrong())
}

fn bad(message: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "bad_body", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Numbered {
        #[serde(default, deserialize_with = "whole")]
        revision: Option<u32>,
    }

    fn read_text(text: &'static str) -> Result<Option<u32>, String> {
        let read = read::<Numbered>(Body(Ok(Bytes::from_static(text.as_bytes()))));
        read.map(|numbered| numbered.revision).map_err(|problem| problem.message)
    }

    #[test]
    fn a_whole_number_may_be_spelled_with_an_empty_fraction() {
        assert_eq!(read_text(r#"{"revision": 2.0}"#), Ok(Some(2)));
        assert_eq!(read_text(r#"{"revision": 2}"#), Ok(Some(2)));
        assert_eq!(read_text(r#"{"revision": null}"#), Ok(None));
        assert_eq!(read_text("{}"), Ok(None));
        for bad in [r#"{"revision": 2.5}"#, r#"{"revision": -1}"#, r#"{"revision": "2"}"#] {
            assert!(read_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_list_is_not_taken_for_the_fields_in_their_order() {
        assert_eq!(read_text("[2]"), Err("a body is a JSON object".into()));
    }
}
