//! `/chat/jobs`: long work, reminders and timers of whoever asks; and for operators
//! how much of it there is, without what it is about.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Json;
use brain::{Job, JobId, UserId};
use serde_json::{Value, json};
use session::jobs::shown;

use super::Problem;
use super::id::Id;
use crate::app::App;
use crate::doors::Visitor;

/// The newest ones; older ones are not kept for long.
const MOST: u32 = 200;

pub async fn list(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Value>, Problem> {
    let jobs = found(&app, Some(visitor.user)).await?;
    Ok(Json(json!({ "jobs": jobs.iter().map(shown).collect::<Vec<_>>() })))
}

/// Whose and how far, for whoever looks after the server. What people ask for is theirs.
pub async fn everybodys(State(app): State<Arc<App>>) -> Result<Json<Value>, Problem> {
    let jobs = found(&app, None).await?;
    let brief = |job: &Job| {
        json!({
            "job_id": job.id,
            "user_id": job.user,
            "kind": job.kind,
            "state": job.state,
            "progress": job.progress,
            "created_at": job.created_at,
            "ended_at": job.ended_at,
        })
    };
    Ok(Json(json!({ "jobs": jobs.iter().map(brief).collect::<Vec<_>>() })))
}

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
) -> Result<Json<Value>, Problem> {
    let id = named(&id)?;
    let job = app.registry.house().store.job(visitor.user, id).await;
    let job = job.map_err(|error| Problem::store_unavailable("a job cannot be read", &error))?;
    Ok(Json(shown(&job.ok_or_else(unknown)?)))
}

/// Stops it; one that is over stays as it is.
pub async fn cancel(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
) -> Result<Json<Value>, Problem> {
    let (id, house) = (named(&id)?, app.registry.house());
    let stopped = house.desk.cancel(visitor.user, id, house.clock.now()).await;
    let stopped =
        stopped.map_err(|error| Problem::store_unavailable("a job cannot be stopped", &error))?;
    Ok(Json(shown(&stopped.ok_or_else(unknown)?)))
}

async fn found(app: &App, user: Option<UserId>) -> Result<Vec<Job>, Problem> {
    let jobs = app.registry.house().store.jobs(user, MOST).await;
    jobs.map_err(|error| Problem::store_unavailable("the jobs cannot be read", &error))
}

fn named(id: &str) -> Result<JobId, Problem> {
    id.parse().map_err(|_| unknown())
}

fn unknown() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "unknown_job", "there is no such job")
}
