//! `GET /chat/search`: what was said, wherever it was, and short pieces of it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Json;
use brain::{Envelope, MessageId, Role, SessionId, ThreadId, TurnId};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Found, ThreadRow, Words};

use super::{
    Asked, bad_query, how_many, look_for, no_message, read_message, read_query, unreadable, words,
};
use crate::app::App;
use crate::doors::Visitor;
use crate::routes::Problem;

/// A piece of a message fits two lines.
const PIECE: usize = 160;
/// What stands before the first word that was looked for.
const LEAD: usize = 40;
/// A title made of first words.
const TITLE: usize = 60;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchWanted {
    /// Words that all have to be in a message, in any order.
    #[schemars(length(min = 1, max = 200), regex(pattern = r"[^\s\u0085]"))]
    q: String,
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 1, max = 100))]
    limit: Option<String>,
    /// `next` of the page before.
    #[serde(default)]
    #[schemars(regex(pattern = "^(msg_[0-9a-f]{32})?$"))]
    before: String,
}

#[derive(Serialize, JsonSchema)]
pub struct SearchFound {
    /// The newest message first.
    found: Vec<Hit>,
    /// What `before` has to be for the next page; null on the last.
    next: Option<MessageId>,
}

/// A message that was looked for, and where it is.
#[derive(Serialize, JsonSchema)]
pub struct Hit {
    thread_id: ThreadId,
    thread_title: String,
    session_id: SessionId,
    turn_id: Option<TurnId>,
    #[serde(flatten)]
    snippet: Piece,
}

/// A piece of a message.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Snippet")]
pub struct Piece {
    message_id: MessageId,
    role: Role,
    /// At most 160 characters of it, with … where some are left out.
    snippet: String,
    #[schemars(with = "String", extend("format" = "date-time"))]
    ts: Timestamp,
}

pub async fn search(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    asked: Asked<SearchWanted>,
) -> Result<Json<SearchFound>, Problem> {
    let SearchWanted { q, limit, before } = read_query(asked)?;
    let limit = how_many(limit.as_deref())?;
    let wanted = words(&q)?.ok_or_else(|| bad_query("q has no words in it"))?;
    let (user, store) = (visitor.user, &app.registry.house().store);
    let _place = look_for(&app, user)?;
    let found = store.search(user, wanted.clone(), read_message(&before)?, limit + 1).await;
    let mut found = found.map_err(unreadable)?.ok_or_else(no_message)?;
    let has_more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let mut titles = HashMap::new();
    for thread in found.iter().map(|hit| hit.thread) {
        if let Entry::Vacant(place) = titles.entry(thread) {
            let row = store.thread(user, thread).await.map_err(unreadable)?;
            place.insert(row.as_ref().map(title_of).unwrap_or_default());
        }
    }
    let hits: Vec<_> = found
        .iter()
        .filter_map(|found| {
            let title = titles.get(&found.thread)?.clone();
            Hit::new(found, title, &wanted)
        })
        .collect();
    let next = hits.last().filter(|_| has_more).map(|hit| hit.snippet.message_id);
    Ok(Json(SearchFound { found: hits, next }))
}

impl Hit {
    fn new(found: &Found, thread_title: String, words: &Words) -> Option<Self> {
        Some(Self {
            thread_id: found.thread,
            thread_title,
            session_id: found.message.session_id,
            turn_id: found.message.turn_id,
            snippet: Piece::around(&found.message, words)?,
        })
    }
}

impl Piece {
    /// How a message begins.
    pub fn beginning(envelope: &Envelope) -> Option<Self> {
        Self::from(envelope, 0)
    }

    /// What stands around the first of these words.
    fn around(envelope: &Envelope, words: &Words) -> Option<Self> {
        let text = one_line(&session::bubble(envelope)?.text);
        let place = words.place_in(&text).unwrap_or(0);
        let before = text[..place].chars().count();
        Self::from(envelope, before.saturating_sub(LEAD))
    }

    fn from(envelope: &Envelope, skip: usize) -> Option<Self> {
        let bubble = session::bubble(envelope)?;
        Some(Self {
            message_id: bubble.message_id,
            role: bubble.role,
            snippet: piece(&one_line(&bubble.text), skip, PIECE),
            ts: bubble.ts,
        })
    }
}

/// What people call a chat, or the first words in it.
pub fn title_of(row: &ThreadRow) -> String {
    let first = || row.first.as_ref().and_then(session::bubble);
    let title = row.title.clone();
    title
        .or_else(|| first().map(|bubble| piece(&one_line(&bubble.text), 0, TITLE)))
        .unwrap_or_else(|| "New chat".into())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most `most` characters, cut between words where that is possible.
fn piece(text: &str, skip: usize, most: usize) -> String {
    let start = if skip == 0 { "" } else { "…" };
    let rest: String = text.chars().skip(skip).collect();
    let rest = match rest.split_once(' ') {
        Some((_, rest)) if skip > 0 => rest.to_owned(),
        _ => rest,
    };
    let room = most - start.chars().count();
    if rest.chars().count() <= room {
        return format!("{start}{rest}");
    }
    let cut: String = rest.chars().take(room - 1).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    format!("{start}{cut}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_cut_between_words_and_says_so() {
        assert_eq!(piece("one two three", 0, 60), "one two three");
        assert_eq!(piece("one two three", 0, 9), "one two…");
        assert_eq!(piece("one two three four", 5, 60), "…three four");
        assert_eq!(piece(&"x".repeat(300), 0, 160).chars().count(), 160);
        assert_eq!(one_line("a\n\n  b\tc "), "a b c");
    }
}
