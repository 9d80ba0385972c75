//! A request that passes through a session without staying connected to it.

use std::sync::Arc;

use axum::http::StatusCode;
use brain::{SessionId, UserId};
use session::{Gone, OpenError, SessionHandle, Start};

use super::Problem;
use crate::app::App;
use crate::doors::Visitor;
use crate::limits::Who;

/// Finds the session, or `None` when there is none such: malformed, unknown and
/// somebody else's ids are alike.
pub async fn find(
    app: &App,
    user: UserId,
    session: &str,
) -> Result<Option<SessionHandle>, Problem> {
    let Ok(id) = session.parse::<SessionId>() else { return Ok(None) };
    match app.registry.open(id, user).await {
        Ok(session) => Ok(Some(session)),
        Err(OpenError::Unknown) => Ok(None),
        Err(error) => Err(closed(&error)),
    }
}

/// Whether one more session may begin for them.
pub async fn may_begin(app: &App, visitor: &Visitor, counted: &[Who]) -> Result<(), Problem> {
    app.allowances.session(counted).map_err(|wait| Problem::held_back("session", wait))?;
    // Who is alone here has nobody to leave room for.
    if counted.is_empty() {
        return Ok(());
    }
    let unused = app.registry.house().store.unused_sessions(visitor.user).await;
    let unused = unused
        .map_err(|error| Problem::store_unavailable("sessions could not be counted", &error))?;
    if unused >= app.limits.unused_sessions {
        let message = "you have too many sessions in which nothing was said; use one of them, \
                       or come again tomorrow, when they are forgotten";
        return Err(Problem::share_taken("too_many_sessions", message));
    }
    Ok(())
}

pub async fn begin(app: &App, user: UserId) -> Result<SessionHandle, Problem> {
    app.registry.create(user, None).await.map_err(|error| closed(&error))
}

/// Asks the session for something. It stays awake until that is answered, also
/// when whoever asked has hung up.
pub async fn ask<T, F, A>(app: Arc<App>, session: SessionHandle, want: F) -> Result<T, Problem>
where
    T: Send + 'static,
    F: FnOnce(SessionHandle) -> A + Send + 'static,
    A: Future<Output = Result<T, Gone>> + Send,
{
    let visit = tokio::spawn(async move {
        // It keeps the session awake and listens to nothing: news wait for a person.
        let joined = app.registry.join(session, Start::Later).await;
        let (session, joined) = joined.map_err(|error| closed(&error))?;
        let answer = want(session.clone()).await;
        session.leave(joined.client).await;
        answer.map_err(|Gone| closed(&OpenError::Stopping))
    });
    visit.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a request did not come to its end");
        let message = "something broke on our side; look before you ask again";
        Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message))
    })
}

pub fn closed(error: &OpenError) -> Problem {
    match error {
        OpenError::Unknown => {
            Problem::new(StatusCode::NOT_FOUND, "unknown_session", "there is no such session")
        }
        OpenError::Stopping => {
            let message = "the server is stopping; look before you ask again";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message)
        }
        OpenError::Store(error) => {
            Problem::store_unavailable("a session could not be opened", error)
        }
    }
}
