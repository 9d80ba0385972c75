//! Who the person is: `GET` and `PUT /chat/profile`.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Json;
use brain::Profile;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::StoreError;

use super::Problem;
use super::body::Body;
use crate::app::App;
use crate::doors::Visitor;

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Profile>, Problem> {
    let house = app.registry.house();
    let saved = house.store.profile(visitor.user).await.map_err(unavailable)?;
    Ok(Json(saved.unwrap_or_else(|| house.stranger.clone())))
}

pub async fn save(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Body(body): Body,
) -> Result<Json<Profile>, Problem> {
    let body = body?;
    let bad = |message: String| Problem::new(StatusCode::BAD_REQUEST, "bad_profile", message);
    let fields: Map<String, Value> =
        serde_json::from_slice(&body).map_err(|error| bad(format!("not a profile: {error}")))?;
    let profile = Profile::deserialize(Value::Object(fields));
    let profile = profile.map_err(|error| bad(format!("not a profile: {error}")))?;
    profile.check().map_err(|error| bad(error.to_string()))?;
    let saved = app.registry.house().save_profile(visitor.user, profile.clone()).await;
    saved.map_err(unavailable)?;
    Ok(Json(profile))
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unavailable(error: StoreError) -> Problem {
    Problem::store_unavailable("a profile could not be read or written", &error)
}
