//! Chats: the list of them, what was said in one, its name, and its end.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, State};
use axum::http::StatusCode;
use axum::response::Json;
use axum::routing::{MethodRouter, get};
use brain::snapshot::Bubble;
use brain::{MessageId, SessionId, ThreadId, UserId};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use session::{Full, Place};
use store::{Deleted, StoreError, ThreadPage, ThreadRow, Words};

use super::Problem;
use super::body::{self, Body};
use super::id::Id;
use crate::app::App;
use crate::doors::Visitor;

pub mod export;
pub mod search;

use search::{Piece, title_of};

/// So many at a time, unless a client wants another number.
const USUAL: u32 = 30;
pub const MOST: u32 = 100;
/// A longer question is none.
pub const LONGEST_QUERY: usize = 200;
/// A title fits a line.
const LONGEST_TITLE: usize = 120;

/// One line, without marks that turn it around.
const TITLE_PATTERN: &str = concat!(
    r"^[^\s\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]",
    r"[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$"
);

/// What stands in the address behind the question mark, or why it cannot be read.
pub type Asked<T> = Result<Query<T>, QueryRejection>;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListWanted {
    /// Words that all have to be in the title or in one message.
    #[serde(default)]
    #[schemars(length(max = 200))]
    query: String,
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 1, max = 100))]
    limit: Option<String>,
    /// `next` of the page before.
    #[serde(default)]
    #[schemars(regex(pattern = r"^([0-9]{1,16}\.thread_[0-9a-f]{32})?$"))]
    before: String,
}

#[derive(Serialize, JsonSchema)]
pub struct ThreadList {
    /// The one with the newest message first.
    threads: Vec<Chat>,
    /// What `before` has to be for the next page; null on the last.
    next: Option<String>,
}

/// A chat in the list.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Thread")]
pub struct Chat {
    thread_id: ThreadId,
    /// What its person calls it, or the first words that were said in it.
    title: String,
    /// Its person has named it.
    is_named: bool,
    sessions: u64,
    messages: u64,
    #[schemars(with = "String", extend("format" = "date-time"))]
    created_at: Timestamp,
    /// When something was said in it last, or it began.
    #[schemars(with = "String", extend("format" = "date-time"))]
    updated_at: Timestamp,
    /// Until when a question in it waits for an answer; null where none does.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    waits_until: Option<Timestamp>,
    /// The beginning of the last message.
    last_message: Option<Piece>,
    /// The session it was said in, to go on with.
    last_session_id: Option<SessionId>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MessagesWanted {
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 1, max = 100))]
    limit: Option<String>,
    /// `next` of the page before.
    #[serde(default)]
    #[schemars(regex(pattern = "^(msg_[0-9a-f]{32})?$"))]
    before: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Messages")]
pub struct Said {
    thread_id: ThreadId,
    /// The latest ones, oldest first.
    messages: Vec<Bubble>,
    /// What `before` has to be for those before them; null when there are none.
    next: Option<MessageId>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Named {
    #[schemars(
        length(min = 1, max = 120),
        regex(pattern = TITLE_PATTERN)
    )]
    title: String,
}

/// The room of one chat.
pub fn one() -> MethodRouter<Arc<App>> {
    get(show).patch(rename).delete(delete)
}

async fn show(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
) -> Result<Json<Chat>, Problem> {
    Ok(Json(find(&app, visitor.user, &id).await?.into()))
}

pub async fn list(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    asked: Asked<ListWanted>,
) -> Result<Json<ThreadList>, Problem> {
    let ListWanted { query, limit, before } = read_query(asked)?;
    let limit = how_many(limit.as_deref())?;
    let after = match before.as_str() {
        "" => None,
        text => Some(read_cursor(text).ok_or_else(|| bad_query("before is not one we gave out"))?),
    };
    let page = ThreadPage { words: words(&query)?, after, limit: limit + 1 };
    let _place = page.words.is_some().then(|| look_for(&app, visitor.user)).transpose()?;
    let found = app.registry.house().store.threads(visitor.user, page).await;
    let mut rows = found.map_err(unreadable)?;
    let has_more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| has_more).map(cursor);
    Ok(Json(ThreadList { threads: rows.into_iter().map(Chat::from).collect(), next }))
}

pub async fn messages(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
    asked: Asked<MessagesWanted>,
) -> Result<Json<Said>, Problem> {
    let MessagesWanted { limit, before } = read_query(asked)?;
    let limit = how_many(limit.as_deref())?;
    let before = read_message(&before)?;
    let user = visitor.user;
    let thread = find(&app, user, &id).await?.thread;
    let found = app.registry.house().store.said_in(user, thread, before, limit + 1).await;
    let said = found.map_err(unreadable)?.ok_or_else(no_message)?;
    let spare = said.len().saturating_sub(limit as usize);
    let messages: Vec<_> = said[spare..].iter().filter_map(session::bubble).collect();
    let next = messages.first().filter(|_| spare > 0).map(|bubble| bubble.message_id);
    Ok(Json(Said { thread_id: thread, messages, next }))
}

async fn rename(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
    body: Body,
) -> Result<Json<Chat>, Problem> {
    let Named { title } = body::read(body)?;
    let title = title.trim();
    let length = title.chars().count();
    let is_odd = |c: char| c.is_control() || turns_around(c);
    if length == 0 || length > LONGEST_TITLE || title.chars().any(is_odd) {
        let message = format!(
            "a title is one line of 1 to {LONGEST_TITLE} characters, none of which turns the \
             others around"
        );
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad_title", message));
    }
    let user = visitor.user;
    let thread = find(&app, user, &id).await?.thread;
    let store = &app.registry.house().store;
    if !store.rename(user, thread, title.to_owned()).await.map_err(unreadable)? {
        return Err(unknown());
    }
    Ok(Json(find(&app, user, &id).await?.into()))
}

async fn delete(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
) -> Result<StatusCode, Problem> {
    let thread: ThreadId = id.parse().map_err(|_| unknown())?;
    let user = visitor.user;
    // It goes on also when whoever asked has hung up: half of it would be left otherwise.
    let task = tokio::spawn(async move {
        let deleted = app.registry.delete_thread(user, thread).await?;
        if let Deleted::Gone { files, sessions } = &deleted {
            app.uploads.forget(files).await;
            for session in sessions {
                let now = app.registry.house().clock.now().as_millisecond();
                // What stays behind is found when chats are swept.
                let _ = app.personal.pause_memory(user, *session, false, now).await;
            }
        }
        Ok(deleted)
    });
    let deleted =
        task.await.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())));
    match deleted.map_err(unreadable)? {
        Deleted::Gone { .. } => Ok(StatusCode::NO_CONTENT),
        Deleted::Unknown => Err(unknown()),
        Deleted::CardOpen => {
            let message = "a card in this chat waits for an answer; answer it first";
            Err(Problem::new(StatusCode::CONFLICT, "card_open", message))
        }
        Deleted::WriteOpen => {
            let message = "something was agreed to in this chat and is not settled yet; \
                           open it, and delete it once you know how it went";
            Err(Problem::new(StatusCode::CONFLICT, "write_open", message))
        }
    }
}

/// Turns what follows around, so that it reads as something else than it is.
fn turns_around(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl From<ThreadRow> for Chat {
    fn from(row: ThreadRow) -> Self {
        Self {
            title: title_of(&row),
            is_named: row.title.is_some(),
            last_message: row.last.as_ref().and_then(Piece::beginning),
            last_session_id: row.last.as_ref().map(|message| message.session_id),
            thread_id: row.thread,
            sessions: row.sessions,
            messages: row.messages,
            created_at: row.created_at,
            updated_at: row.updated_at,
            waits_until: row.waits_until,
        }
    }
}

/// A chat of theirs: malformed, unknown, deleted and somebody else's ids are alike.
pub async fn find(app: &App, user: UserId, id: &str) -> Result<ThreadRow, Problem> {
    let thread: ThreadId = id.parse().map_err(|_| unknown())?;
    let found = app.registry.house().store.thread(user, thread).await.map_err(unreadable)?;
    found.ok_or_else(unknown)
}

fn unknown() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "unknown_thread", "there is no such chat")
}

/// Whoever looks for words has much read; one person does so once at a time.
pub fn look_for(app: &App, user: UserId) -> Result<Place<UserId>, Problem> {
    let code = "too_many_searches";
    app.searches.take([(user, 1)]).map_err(|full| match full {
        Full::Everybody => Problem::overloaded(code, "too many people are searching right now"),
        Full::Share => Problem::share_taken(code, "your last search is still under way"),
    })
}

/// Unknown, malformed and somebody else's messages are alike.
pub fn no_message() -> Problem {
    let message = "`before` is no message that is there";
    Problem::new(StatusCode::NOT_FOUND, "unknown_message", message)
}

pub fn read_query<T: DeserializeOwned>(asked: Asked<T>) -> Result<T, Problem> {
    let Query(wanted) = asked.map_err(|error| bad_query(error.body_text()))?;
    Ok(wanted)
}

pub fn bad_query(message: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "bad_query", message)
}

pub fn how_many(limit: Option<&str>) -> Result<u32, Problem> {
    let Some(limit) = limit else { return Ok(USUAL) };
    let number = limit.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| bad_query(format!("limit is a number from 1 to {MOST}")))
}

pub fn words(query: &str) -> Result<Option<Words>, Problem> {
    if query.chars().count() > LONGEST_QUERY {
        return Err(bad_query(format!("look for at most {LONGEST_QUERY} characters")));
    }
    Ok(Words::of(query))
}

pub fn read_message(text: &str) -> Result<Option<MessageId>, Problem> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| no_message())
}

/// Where a page ends: when that chat was spoken in last, and its id.
fn cursor(row: &ThreadRow) -> String {
    format!("{}.{}", row.updated_at.as_microsecond(), row.thread)
}

fn read_cursor(text: &str) -> Option<(Timestamp, ThreadId)> {
    let (at, thread) = text.split_once('.')?;
    Some((Timestamp::from_microsecond(at.parse().ok()?).ok()?, thread.parse().ok()?))
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
pub fn unreadable(error: StoreError) -> Problem {
    Problem::store_unavailable("a chat could not be read or written", &error)
}
