//! `GET /chat/threads/{id}/export`: a whole chat, for programs or for people, sent as it
//! is read: however long it is, a page of it is in memory at a time.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use brain::snapshot::Bubble;
use brain::{Envelope, MessageId, Role, SessionId, ThreadId, UserId};
use futures_util::stream;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Store, StoreError, ThreadRow};

use super::search::title_of;
use super::{Asked, find, read_query, unreadable};
use crate::app::App;
use crate::doors::Visitor;
use crate::routes::Problem;
use crate::routes::id::Id;

/// Messages, or events, that are read at a time.
const PAGE: u32 = 500;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportWanted {
    #[serde(default)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Format {
    #[default]
    Json,
    Markdown,
    /// Every event that is kept, one a line; `sayso replay` reads it.
    Jsonl,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ExportedThread")]
pub struct Whole {
    thread_id: ThreadId,
    title: String,
    #[schemars(with = "String", extend("format" = "date-time"))]
    created_at: Timestamp,
    #[schemars(with = "String", extend("format" = "date-time"))]
    exported_at: Timestamp,
    /// Oldest first, all there are.
    messages: Vec<Bubble>,
    /// There are older ones than those; never so.
    has_more: bool,
}

pub async fn export(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
    asked: Asked<ExportWanted>,
) -> Result<Response, Problem> {
    let ExportWanted { format } = read_query(asked)?;
    let user = visitor.user;
    let row = find(&app, user, &id).await?;
    let house = app.registry.house();
    let zone = house.acquaintance(user).await.map_err(unreadable)?.profile.zone();
    let (kind, ending) = match format {
        Format::Json => ("application/json", "json"),
        Format::Markdown => ("text/markdown; charset=utf-8", "md"),
        Format::Jsonl => ("application/x-ndjson", "jsonl"),
    };
    let name = format!("attachment; filename=\"{}.{ending}\"", row.thread);
    let begins = begins(format, &row, house.clock.now());
    let chat = Chat { store: Arc::clone(&house.store), user, thread: row.thread };
    let pages = Pages::of(chat, format).await.map_err(unreadable)?;
    let writing = Writing { format, zone, pages, begun: false, stage: Stage::Begins(begins) };
    let body = stream::unfold(writing, |mut writing| async move {
        let piece = writing.next().await?;
        Some((piece, writing))
    });
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, Body::from_stream(body)).into_response())
}

fn begins(format: Format, row: &ThreadRow, now: Timestamp) -> String {
    match format {
        Format::Json => {
            let head = json!({
                "thread_id": row.thread,
                "title": title_of(row),
                "created_at": row.created_at,
                "exported_at": now,
                "has_more": false,
            });
            let head = head.to_string();
            let open = head.strip_suffix('}').unwrap_or(&head);
            format!("{open},\"messages\":[")
        }
        Format::Markdown => format!("# {}\n", plain(&title_of(row))),
        Format::Jsonl => String::new(),
    }
}

/// An export on its way.
struct Writing {
    format: Format,
    zone: TimeZone,
    pages: Pages,
    /// A message was written already.
    begun: bool,
    stage: Stage,
}

enum Stage {
    Begins(String),
    GoesOn,
    Over,
}

impl Writing {
    /// A piece of it; an error cuts the answer off, so that nobody takes it for whole.
    async fn next(&mut self) -> Option<Result<Bytes, StoreError>> {
        match std::mem::replace(&mut self.stage, Stage::GoesOn) {
            Stage::Begins(text) => Some(Ok(text.into())),
            Stage::GoesOn => match self.pages.next().await {
                Ok(Some(page)) => Some(Ok(self.written(&page).into())),
                Ok(None) => {
                    self.stage = Stage::Over;
                    let end = if self.format == Format::Json { "]}" } else { "" };
                    Some(Ok(Bytes::from(end)))
                }
                Err(error) => {
                    self.stage = Stage::Over;
                    tracing::error!(%error, "an export broke off");
                    Some(Err(error))
                }
            },
            Stage::Over => {
                self.stage = Stage::Over;
                None
            }
        }
    }

    fn written(&mut self, page: &[Envelope]) -> String {
        if self.format == Format::Jsonl {
            return page.iter().flat_map(|envelope| [envelope.spelled(), "\n"]).collect();
        }
        let mut text = String::new();
        for bubble in page.iter().filter_map(session::bubble) {
            if self.format == Format::Markdown {
                text.push_str(&markdown(&bubble, &self.zone));
                continue;
            }
            if std::mem::replace(&mut self.begun, true) {
                text.push(',');
            }
            text.push_str(&json!(bubble).to_string());
        }
        text
    }
}

/// What is still to be written, oldest first.
enum Pages {
    /// Where each page ends was looked up beforehand, from the newest on: that is the way
    /// messages are found.
    Messages {
        chat: Chat,
        /// Before which message each page ends, the oldest page last. `None` is the newest.
        ends: Vec<Option<MessageId>>,
    },
    /// Session by session, the next one last.
    Events { chat: Chat, sessions: Vec<SessionId>, after: u64 },
}

struct Chat {
    store: Arc<dyn Store>,
    user: UserId,
    thread: ThreadId,
}

impl Pages {
    async fn of(chat: Chat, format: Format) -> Result<Self, StoreError> {
        if format == Format::Jsonl {
            let mut sessions = chat.store.sessions_in(chat.user, chat.thread).await?;
            sessions.reverse();
            return Ok(Self::Events { chat, sessions, after: 0 });
        }
        let (mut ends, mut before) = (vec![None], None);
        loop {
            let page = chat.store.said_in(chat.user, chat.thread, before, PAGE).await?;
            let page = page.unwrap_or_default();
            let first = page.first().and_then(|envelope| envelope.message_id);
            if page.len() < PAGE as usize || first.is_none() {
                return Ok(Self::Messages { chat, ends });
            }
            before = first;
            ends.push(before);
        }
    }

    async fn next(&mut self) -> Result<Option<Vec<Envelope>>, StoreError> {
        match self {
            Self::Messages { chat, ends } => {
                let Some(end) = ends.pop() else { return Ok(None) };
                let page = chat.store.said_in(chat.user, chat.thread, end, PAGE).await?;
                // The chat was deleted meanwhile, or this message was.
                page.map(Some).ok_or_else(|| StoreError::Unavailable("a message is gone".into()))
            }
            Self::Events { chat, sessions, after } => {
                let Some(session) = sessions.last() else { return Ok(None) };
                let page = chat.store.read(*session, *after, PAGE).await?;
                *after = page.last().and_then(|envelope| envelope.seq).unwrap_or(0);
                if page.len() < PAGE as usize {
                    sessions.pop();
                    *after = 0;
                }
                Ok(Some(page))
            }
        }
    }
}

/// What was said is quoted line by line, so that nothing in it looks like ours.
fn markdown(message: &Bubble, zone: &TimeZone) -> String {
    let who = match message.role {
        Role::User => "You",
        Role::Assistant => "Sayso",
        Role::Tool | Role::System => "System",
    };
    let at = message.ts.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
    let quoted: String = message.text.lines().flat_map(|line| ["> ", line, "\n"]).collect();
    format!("\n**{who}**, {at}\n\n{quoted}")
}

/// Words that mean something to Markdown mean only themselves.
fn plain(title: &str) -> String {
    let mut text = String::new();
    for c in title.chars() {
        if r"\`*_[]<>#!|~&".contains(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;

    use super::*;

    #[test]
    fn a_title_means_only_itself() {
        assert_eq!(plain("Greetings *to* [x](y)"), r"Greetings \*to\* \[x\](y)");
    }

    #[test]
    fn what_was_said_cannot_look_like_a_heading() {
        let message = Bubble {
            message_id: MessageId(Uuid::nil()),
            turn_id: None,
            role: Role::User,
            text: "hello\n# not a title".into(),
            ts: Timestamp::UNIX_EPOCH,
            partial: false,
            attachments: Vec::new(),
        };
        assert_eq!(
            markdown(&message, &TimeZone::UTC),
            "\n**You**, 1970-01-01 00:00\n\n> hello\n> # not a title\n"
        );
    }
}
