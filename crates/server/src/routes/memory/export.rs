//! `GET /memory/export`: all that somebody asked to be remembered, one a line, sent as it
//! is read: however much it is, a page of it is in memory at a time.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use brain::UserId;
use brain::facts::Memory;
use futures_util::stream;
use serde_json::json;
use tools::local::{Behind, Personal, StoreError};

use crate::app::App;
use crate::doors::Visitor;
use crate::routes::Problem;

const HEADERS: [(header::HeaderName, &str); 2] = [
    (header::CONTENT_TYPE, "application/x-ndjson"),
    (header::CONTENT_DISPOSITION, "attachment; filename=\"memories.jsonl\""),
];

pub async fn export(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Response, Problem> {
    let mut pages =
        Pages { personal: app.personal.clone(), user: visitor.user, from: Some(Behind::default()) };
    // Where nothing can be read at all, that is the answer.
    let first = pages.next().await.transpose().map_err(|error| {
        Problem::store_unavailable("what was to be remembered cannot be read", &error)
    })?;
    let rest = stream::unfold(pages, |mut pages| async move {
        let page = pages.next().await?;
        Some((page, pages))
    });
    let body = stream::StreamExt::chain(stream::iter(first.map(Ok)), rest);
    Ok((HEADERS, Body::from_stream(body)).into_response())
}

/// What is still to be read.
struct Pages {
    personal: Personal,
    user: UserId,
    from: Option<Behind>,
}

impl Pages {
    /// The next page as lines; an error cuts the answer off, so that nobody takes it for whole.
    async fn next(&mut self) -> Option<Result<Bytes, StoreError>> {
        let read = self.personal.memories(self.user, self.from.take()?).await;
        Some(read.map(|(memories, next)| {
            self.from = next;
            lines(&memories).into()
        }))
    }
}

fn lines(memories: &[Memory]) -> String {
    memories.iter().map(|memory| format!("{}\n", json!(memory))).collect()
}
