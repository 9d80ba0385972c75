//! What can be reached over HTTP.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{MethodRouter, get, post};
use serde_json::json;
use store::StoreError;

use crate::app::App;

mod attachment;
mod begin;
mod body;
mod confirm;
mod health;
mod openapi;
mod page;
mod profile;
mod run;
mod stream;
mod switches;
mod threads;
mod visit;

/// Larger bodies are refused; the longest mail that may be written fits.
const LARGEST_BODY: usize = 256 * 1024;

pub fn router(app: Arc<App>) -> Router {
    let rooms = rooms(app.limits.upload_bytes);
    rooms
        .into_iter()
        .fold(page::router(), |router, (path, room)| router.route(path, room))
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_that_way)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn(own_pages_only))
        .with_state(app)
}

/// Every address besides the page's own; each of them is in `openapi`.
fn rooms(upload_bytes: u64) -> Vec<(&'static str, MethodRouter<Arc<App>>)> {
    vec![
        ("/chat/session/start", post(begin::start)),
        ("/chat/stream", get(stream::open)),
        ("/chat/confirm", post(confirm::answer)),
        ("/chat/threads", get(threads::list)),
        ("/chat/threads/{thread_id}", threads::one()),
        ("/chat/threads/{thread_id}/messages", get(threads::messages)),
        ("/chat/threads/{thread_id}/export", get(threads::export::export)),
        ("/chat/search", get(threads::search::search)),
        ("/chat/attachment/upload", attachment::upload_room(upload_bytes)),
        ("/chat/attachment/{file_id}", get(attachment::show).delete(attachment::delete)),
        ("/chat/profile", get(profile::show).put(profile::save)),
        ("/tools/run", post(run::run)),
        ("/control/switches", get(switches::show).put(switches::set)),
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
}

impl Problem {
    pub fn new(
        status: StatusCode,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        Self { status, code: code.into(), message: message.into() }
    }

    /// Nothing can be read or written right now. Why is for the log.
    pub fn store_unavailable(what: &'static str, error: &StoreError) -> Self {
        tracing::error!(%error, "{what}");
        let message = "the store cannot be used right now; try again in a moment";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "store_unavailable", message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "code": self.code, "message": self.message } });
        (self.status, Json(body)).into_response()
    }
}

async fn nothing_here(uri: Uri) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", format!("there is nothing at {}", uri.path()))
}

async fn not_that_way(method: Method, uri: Uri) -> Problem {
    let message = format!("{} cannot be done with {method}", uri.path());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
}

/// Without a login the browser is the door: a page from elsewhere must not
/// talk to us through it, nor a name that somebody pointed at this machine.
async fn own_pages_only(request: Request, next: Next) -> Response {
    if is_our_own(request.headers()) {
        return next.run(request).await;
    }
    let message = "requests must come from this machine's own pages";
    Problem::new(StatusCode::FORBIDDEN, "foreign_origin", message).into_response()
}

fn is_our_own(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let host = text(header::HOST).unwrap_or_default();
    let is_local = |name: &str| matches!(name, "localhost" | "127.0.0.1" | "[::1]");
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    if !is_local(name.map_or(host, |(name, _)| name)) {
        return false;
    }
    match text(header::ORIGIN) {
        None => true,
        Some(origin) => origin == format!("http://{host}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn our_own_pages_and_programs_are_let_in() {
        assert!(is_our_own(&headers("localhost:8787", None)));
        assert!(is_our_own(&headers("127.0.0.1:8787", Some("http://127.0.0.1:8787"))));
        assert!(is_our_own(&headers("[::1]:8787", Some("http://[::1]:8787"))));
        assert!(is_our_own(&headers("[::1]", None)));
    }

    #[test]
    fn foreign_pages_and_foreign_names_are_not() {
        assert!(!is_our_own(&headers("localhost:8787", Some("https://evil.example"))));
        assert!(!is_our_own(&headers("localhost:8787", Some("http://localhost:3000"))));
        assert!(!is_our_own(&headers("localhost:8787", Some("null"))));
        assert!(!is_our_own(&headers("rebound.example:8787", None)));
        assert!(!is_our_own(&HeaderMap::new()));
    }
}
