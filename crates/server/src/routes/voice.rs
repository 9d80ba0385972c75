//! How fast the person is spoken to, and in which language they are heard: `GET` and
//! `PUT /chat/voice`. The same pace as "speak a little slower" sets.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tools::voice::{FASTEST, SLOWEST};

use super::Problem;
use super::body::{self, Body};
use crate::app::App;
use crate::doors::Visitor;

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Voice")]
pub struct Shown {
    /// Of the voice's own pace.
    percent: u16,
    slowest: u16,
    fastest: u16,
    /// What is understood when it is said aloud, such as `en`; empty where the service
    /// that listens finds out by itself.
    language: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "VoiceWanted")]
pub struct Wanted {
    /// None leaves it to the server.
    #[serde(default, deserialize_with = "body::whole")]
    #[schemars(range(min = 50, max = 200))]
    percent: Option<u32>,
    /// Only one that somebody here understands.
    #[serde(default)]
    #[schemars(length(max = 35))]
    language: Option<String>,
}

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Shown>, Problem> {
    let manner = app.personal.manner(visitor.user).await.map_err(unavailable)?;
    Ok(Json(shown(&app, manner.percent)))
}

pub async fn set(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Json<Shown>, Problem> {
    let Wanted { percent, language } = body::read(body)?;
    let bad = |message: String| Problem::new(StatusCode::BAD_REQUEST, "bad_voice", message);
    // What is too much for a number of its kind is too fast.
    let percent = percent.map(|percent| u16::try_from(percent).unwrap_or(u16::MAX));
    if percent.is_some_and(|percent| !(SLOWEST..=FASTEST).contains(&percent)) {
        return Err(bad(format!("percent is between {SLOWEST} and {FASTEST}")));
    }
    let known = &app.hearing_language;
    if language.is_some_and(|wanted| !known.is_empty() && wanted != *known) {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "language_not_understood",
            format!(
                "nobody here understands that language, only \"{known}\"; \
                 `speech.transcription` in the settings can name a service that does"
            ),
        ));
    }
    let set = app.personal.set_pace(visitor.user, move |_| percent).await;
    let (_, percent) = set.map_err(unavailable)?;
    Ok(Json(shown(&app, percent)))
}

fn shown(app: &App, percent: Option<u16>) -> Shown {
    let percent = percent.unwrap_or(app.usual_pace);
    let language = app.hearing_language.clone();
    Shown { percent, slowest: SLOWEST, fastest: FASTEST, language }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unavailable(error: tools::local::StoreError) -> Problem {
    Problem::store_unavailable("how somebody is spoken to cannot be read or written", &error)
}
