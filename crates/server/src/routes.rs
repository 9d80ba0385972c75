//! What can be reached over HTTP.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{MethodRouter, delete, get, post};
use serde_json::json;

use crate::app::App;
use crate::doors;
use crate::limits::Wait;

mod accounts;
mod attachment;
mod audit;
mod begin;
mod body;
mod confirm;
mod health;
mod id;
mod jobs;
mod memory;
mod openapi;
mod page;
mod profile;
mod run;
mod stream;
mod switches;
mod tail;
mod threads;
mod ticket;
mod visit;
mod voice;
mod watch;

/// Larger bodies are refused; the longest mail that may be written fits.
const LARGEST_BODY: usize = 256 * 1024;

/// Whoever cannot be served right now comes again after about this long.
const COME_AGAIN: Duration = Duration::from_secs(2);

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Nothing of anybody is told there.
    Anybody,
    /// Everybody for themselves.
    Person,
    /// It concerns everybody.
    Operator,
}

/// One way in.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub who: Who,
    /// A socket may show who it is in ways that other requests may not.
    pub is_socket: bool,
}

const fn route(method: Method, path: &'static str, who: Who) -> Route {
    Route { method, path, who, is_socket: false }
}

/// Where sockets are opened.
pub const STREAM: &str = "/chat/stream";

/// Every route and who may use it. What does not stand here cannot be reached, but
/// for the files of the page.
pub const ROUTES: &[Route] = &[
    Route { method: Method::GET, path: STREAM, who: Who::Person, is_socket: true },
    route(Method::POST, "/chat/ticket", Who::Person),
    route(Method::POST, "/chat/session/start", Who::Person),
    route(Method::POST, "/chat/confirm", Who::Person),
    route(Method::GET, "/chat/threads", Who::Person),
    route(Method::GET, "/chat/threads/{thread_id}", Who::Person),
    route(Method::PATCH, "/chat/threads/{thread_id}", Who::Person),
    route(Method::DELETE, "/chat/threads/{thread_id}", Who::Person),
    route(Method::GET, "/chat/threads/{thread_id}/messages", Who::Person),
    route(Method::GET, "/chat/threads/{thread_id}/export", Who::Person),
    route(Method::GET, "/chat/search", Who::Person),
    route(Method::POST, "/chat/attachment/upload", Who::Person),
    route(Method::GET, "/chat/attachment/{file_id}", Who::Person),
    route(Method::DELETE, "/chat/attachment/{file_id}", Who::Person),
    route(Method::GET, "/chat/profile", Who::Person),
    route(Method::PUT, "/chat/profile", Who::Person),
    route(Method::GET, "/chat/voice", Who::Person),
    route(Method::PUT, "/chat/voice", Who::Person),
    route(Method::GET, "/chat/accounts", Who::Person),
    route(Method::GET, "/chat/jobs", Who::Person),
    route(Method::GET, "/chat/jobs/{job_id}", Who::Person),
    route(Method::DELETE, "/chat/jobs/{job_id}", Who::Person),
    route(Method::POST, "/tools/run", Who::Person),
    route(Method::GET, "/memory/retrieve", Who::Person),
    route(Method::GET, "/memory/export", Who::Person),
    route(Method::POST, "/memory/write", Who::Person),
    route(Method::DELETE, "/memory/{memory_id}", Who::Person),
    route(Method::GET, "/control/jobs", Who::Operator),
    route(Method::GET, "/control/switches", Who::Person),
    route(Method::PUT, "/control/switches", Who::Operator),
    route(Method::GET, "/control/tail", Who::Operator),
    route(Method::GET, "/control/summary", Who::Operator),
    route(Method::GET, "/control/turns/{turn_id}", Who::Operator),
    route(Method::GET, "/control/audit", Who::Operator),
    route(Method::GET, "/control/audit/verify", Who::Operator),
    route(Method::GET, "/control/audit/export", Who::Operator),
    route(Method::GET, "/healthz", Who::Anybody),
    route(Method::GET, "/readyz", Who::Anybody),
    route(Method::GET, "/metrics", Who::Operator),
    route(Method::GET, "/openapi.json", Who::Anybody),
];

pub use page::is_file as is_page;

pub fn router(app: Arc<App>) -> Router {
    let rooms = rooms(app.limits.upload_bytes);
    rooms
        .into_iter()
        .fold(page::router(app.is_inspected), |router, (path, room)| router.route(path, room))
        .fallback(nothing_here)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), doors::guard))
        .with_state(app)
}

/// Every address besides the page's own; each of them is in `openapi`.
fn rooms(upload_bytes: u64) -> Vec<(&'static str, MethodRouter<Arc<App>>)> {
    vec![
        ("/chat/session/start", post(begin::start)),
        (STREAM, get(stream::open)),
        ("/chat/ticket", post(ticket::sell)),
        ("/chat/confirm", post(confirm::answer)),
        ("/chat/threads", get(threads::list)),
        ("/chat/threads/{thread_id}", threads::one()),
        ("/chat/threads/{thread_id}/messages", get(threads::messages)),
        ("/chat/threads/{thread_id}/export", get(threads::export::export)),
        ("/chat/search", get(threads::search::search)),
        ("/chat/attachment/upload", attachment::upload_room(upload_bytes)),
        ("/chat/attachment/{file_id}", get(attachment::show).delete(attachment::delete)),
        ("/chat/profile", get(profile::show).put(profile::save)),
        ("/chat/voice", get(voice::show).put(voice::set)),
        ("/chat/accounts", get(accounts::show)),
        ("/chat/jobs", get(jobs::list)),
        ("/chat/jobs/{job_id}", get(jobs::show).delete(jobs::cancel)),
        ("/control/jobs", get(jobs::everybodys)),
        ("/tools/run", post(run::run)),
        ("/memory/retrieve", get(memory::retrieve)),
        ("/memory/export", get(memory::export::export)),
        ("/memory/write", post(memory::write)),
        ("/memory/{memory_id}", delete(memory::forget)),
        ("/control/switches", get(switches::show).put(switches::set)),
        ("/control/tail", get(tail::tail)),
        ("/control/summary", get(watch::summary)),
        ("/control/turns/{turn_id}", get(watch::turn)),
        ("/control/audit", get(audit::list)),
        ("/control/audit/verify", get(audit::verify)),
        ("/control/audit/export", get(audit::export)),
        ("/healthz", get(health::alive)),
        ("/readyz", get(health::ready)),
        ("/metrics", get(health::metrics)),
        ("/openapi.json", get(openapi::show)),
    ]
}

/// What went wrong, for programs and for people.
pub struct Problem {
    pub status: StatusCode,
    pub code: Cow<'static, str>,
    pub message: String,
    /// It may be tried again after that.
    pub wait: Option<Wait>,
    /// Of what there was too much.
    pub scope: Option<&'static str>,
}

impl Problem {
    pub fn new(
        status: StatusCode,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        // Whatever may be tried again says when; not to all of them the same time.
        let is_for_now =
            matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let wait = is_for_now.then(|| Wait::jittered(COME_AGAIN));
        Self { status, code: code.into(), message: message.into(), wait, scope: None }
    }

    /// With another time to wait than usual.
    pub fn after(self, wait: Wait) -> Self {
        Self { wait: Some(wait), ..self }
    }

    /// Somebody has had enough for now.
    pub fn held_back(scope: &'static str, wait: Wait) -> Self {
        let (status, message) = (StatusCode::TOO_MANY_REQUESTS, "too much at once; wait a moment");
        Self { scope: Some(scope), ..Self::new(status, "rate_limit", message).after(wait) }
    }

    /// Somebody has as many of these at the same time as one may have.
    pub fn share_taken(code: &'static str, message: &'static str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, code, message)
    }

    /// We have had enough for now. Everybody is told another time, so that they do
    /// not all come back at once.
    pub fn overloaded(code: &'static str, message: &'static str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
    }

    /// Nothing can be read or written right now. Why is for the log.
    pub fn store_unavailable(what: &'static str, error: &dyn Display) -> Self {
        tracing::error!(%error, "{what}");
        let message = "the store cannot be used right now; try again in a moment";
        Self::overloaded("store_unavailable", message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(scope) = self.scope {
            error["scope"] = scope.into();
        }
        let Some(wait) = self.wait else {
            return (self.status, Json(json!({ "error": error }))).into_response();
        };
        error["retry_after_ms"] = wait.ms().into();
        let header = [(header::RETRY_AFTER, wait.ms().div_ceil(1000).to_string())];
        (self.status, header, Json(json!({ "error": error }))).into_response()
    }
}

async fn nothing_here(uri: Uri) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", format!("there is nothing at {}", uri.path()))
}

pub fn not_that_way(method: &Method, path: &str) -> Problem {
    let message = format!("{path} cannot be done with {method}");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
}

#[cfg(test)]
mod owners_tests;
#[cfg(test)]
mod people_tests;
#[cfg(test)]
mod searches_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_may_be_tried_again_says_when() {
        let again = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
        for status in again {
            let answer = Problem::new(status, "queue_full", "later").into_response();
            let seconds: u64 =
                answer.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
            assert!((1..=3).contains(&seconds), "{seconds}");
        }
        let never = Problem::new(StatusCode::NOT_FOUND, "not_found", "no").into_response();
        assert!(!never.headers().contains_key(header::RETRY_AFTER));
    }
}
