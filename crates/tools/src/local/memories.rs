//! What people asked to be kept in mind: kept, found again and let go.

use std::collections::HashSet;

use brain::facts::{Forgotten, Memories, Memory, MemorySource, Remembered};
use brain::{SessionId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction};
use serde_json::Value;

use self::meanings::Meant;
use self::ranking::Ranked;
use self::words::{How, telling};
use super::Personal;
use super::db::StoreError;
use super::outbox::moment;
use super::written::Once;
use crate::args::told;
use crate::memory::{LetGo, Letting};
use crate::text;

mod all;
mod chats;
pub(crate) mod meanings;
mod ranking;
pub(crate) mod words;

pub use all::Behind;

/// Of one person.
const MOST_KEPT: i64 = 10_000;
/// So many of those that could be worth a word are looked at.
const MOST_NOTED: u32 = 20;
/// So many of them are.
const NOTES: usize = 2;
/// So many that say much the same are named.
const MOST_ALIKE: u32 = 3;

/// Words of what counts whenever somebody is written to: how they like to be reached,
/// spoken to and called.
const REACHING: [&str; 26] = [
    "answers", "away", "call", "called", "calls", "cc", "email", "emails", "english", "french",
    "german", "goes", "holiday", "language", "leave", "mail", "mails", "message", "messages",
    "phone", "prefers", "replies", "spanish", "text", "texts", "vacation",
];

const COLUMNS: &str = "m.id, m.text, m.created_at, m.session_id, m.turn_id, m.derived_from";

/// What somebody is about to do with people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// They meet, and all that is known of them may count.
    Meeting(String),
    /// They are written to about this, which few things have to do with.
    Letter(String),
}

impl Personal {
    /// What has all the words of `context` or means the same, or else comes near;
    /// the newest where it has no words.
    pub async fn recall(
        &self,
        user: UserId,
        context: String,
        most: u32,
    ) -> Result<Memories, StoreError> {
        let words = telling(&context);
        let meant = if words.is_empty() { None } else { self.hearing.hear(&context).await };
        self.db
            .run(move |connection| {
                // One transaction, so that all of it is from the same moment.
                let view = connection.transaction()?;
                if words.is_empty() {
                    return newest(&view, user, most);
                }
                let ranked = ranking::rank(&view, user, &words, meant.as_ref(), most)?;
                listed(&view, ranked)
            })
            .await
    }

    /// What is worth a word when something is to be done with these people: at most
    /// two, and none where memory stays out of the conversation.
    pub async fn notes(
        &self,
        user: UserId,
        session: SessionId,
        names: Vec<String>,
        occasion: Occasion,
    ) -> Result<Vec<Memory>, StoreError> {
        if self.is_memory_paused(user, session).await? {
            return Ok(Vec::new());
        }
        let (topic, is_letter) = match occasion {
            Occasion::Meeting(topic) => (topic, false),
            Occasion::Letter(topic) => (topic, true),
        };
        let of_topic: HashSet<String> = telling(&topic).into_iter().collect();
        let of_names: HashSet<String> = names.iter().flat_map(|name| telling(name)).collect();
        let about = self.recall(user, topic, MOST_NOTED).await?;
        let mut noted: Vec<Memory> = Vec::new();
        for name in names {
            let known = self.recall(user, name, MOST_NOTED).await?;
            noted.extend(known.worded().iter().cloned());
        }
        let meant = if about.loosely { &[] } else { about.asked_for() };
        if is_letter {
            let is_apt = |one: &Memory| {
                let words = telling(&one.text);
                let shared = |word: &String| of_topic.contains(word) && !of_names.contains(word);
                words.iter().any(|word| REACHING.contains(&word.as_str()) || shared(word))
                    || meant.iter().any(|near| near.memory_id == one.memory_id)
            };
            noted.retain(is_apt);
        } else if about.worded == 0 {
            // What somebody likes counts where it is about this; what has the words of it
            // does not.
            noted.extend(meant.iter().filter(|one| is_own(one)).cloned());
        }
        let place = |one: &Memory| {
            let near = about.memories.iter().position(|near| near.memory_id == one.memory_id);
            near.unwrap_or(usize::MAX)
        };
        noted.sort_by_key(place);
        let mut seen = HashSet::new();
        noted.retain(|one| seen.insert(one.memory_id.clone()));
        noted.truncate(NOTES);
        Ok(noted)
    }

    /// One of them, by its id.
    pub(crate) async fn memory(&self, user: UserId, id: String) -> Result<Memory, StoreError> {
        self.db
            .run(move |connection| {
                Ok(at(connection, user, &id)?.ok_or(StoreError::Missing("memory"))?.1)
            })
            .await
    }

    /// Whether it is known word for word, and what says much the same.
    pub(crate) async fn alike(
        &self,
        user: UserId,
        memory: String,
    ) -> Result<(bool, Vec<Memory>), StoreError> {
        self.db
            .run(move |connection| {
                let view = connection.transaction()?;
                let same = same(&view, user, &memory)?.is_some();
                Ok((same, alike(&view, user, &memory)?))
            })
            .await
    }

    /// Keeps it, with what it means. What is known word for word is not kept twice.
    pub(crate) async fn keep(
        &self,
        once: Once,
        text: String,
        source: MemorySource,
    ) -> Result<Value, StoreError> {
        let meant = self.hearing.hear(&text).await;
        self.once(once, move |step, once| keep(step, once, text, source, meant.as_ref())).await
    }

    /// Deletes it and whatever goes with it, and their words: all of it or nothing.
    pub(crate) async fn let_go(&self, once: Once, letting: Letting) -> Result<Value, StoreError> {
        self.once(once, move |step, once| let_go(step, once, letting)).await
    }
}

/// Something the person said of themselves.
fn is_own(memory: &Memory) -> bool {
    let folded = text::fold(&memory.text);
    let first = folded.split_whitespace().next();
    memory.source.derived_from.is_none() && first.is_some_and(|first| matches!(first, "i" | "im"))
}

fn keep(
    step: &Transaction<'_>,
    once: &Once,
    text: String,
    source: MemorySource,
    meant: Option<&Meant>,
) -> Result<Value, StoreError> {
    if let Some(Memory { memory_id, created_at, .. }) = same(step, once.user, &text)? {
        return Ok(told(&Remembered { memory_id, created_at }));
    }
    let sql = "SELECT count(*) FROM memories WHERE user_id = ?1";
    let kept: i64 = step.query_row(sql, [once.user.to_string()], |row| row.get(0))?;
    if kept >= MOST_KEPT {
        return Err(StoreError::TooMuch("there is no room for more until something is forgotten"));
    }
    let memory = Memory { memory_id: once.id("memory"), text, created_at: moment(once)?, source };
    let number = put(step, once.user, &memory, &once.key)?;
    if let Some(meant) = meant {
        meanings::put(step, &once.user.to_string(), number, meant)?;
    }
    let Memory { memory_id, created_at, .. } = memory;
    Ok(told(&Remembered { memory_id, created_at }))
}

fn let_go(step: &Transaction<'_>, once: &Once, letting: Letting) -> Result<Value, StoreError> {
    let Letting { memory_id, memory, also } = letting;
    let first = LetGo { memory_id: memory_id.clone(), memory };
    for one in std::iter::once(&first).chain(&also) {
        let found = at(step, once.user, &one.memory_id)?;
        let (number, found) = found.ok_or(StoreError::Missing("memory"))?;
        if found.text != one.memory {
            return Err(StoreError::TooMuch("it says something else by now"));
        }
        // The index is told the words that it is to let go.
        step.execute(
            "INSERT INTO memory_words (memory_words, rowid, folded) VALUES ('delete', ?1, ?2)",
            (number, text::fold(&found.text)),
        )?;
        meanings::let_go(step, once.user, number)?;
        step.execute("DELETE FROM memories WHERE number = ?1", [number])?;
    }
    let also = also.into_iter().map(|one| one.memory_id).collect();
    Ok(told(&Forgotten { memory_id, also }))
}

pub(super) fn put(
    connection: &Connection,
    user: UserId,
    memory: &Memory,
    source_key: &str,
) -> Result<i64, StoreError> {
    let Memory { memory_id, text, created_at, source } = memory;
    let folded = text::fold(text);
    connection.execute(
        "INSERT INTO memories (user_id, id, text, folded, created_at, source_key, session_id, \
         turn_id, derived_from) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        (
            user.to_string(),
            memory_id,
            text,
            &folded,
            created_at.as_millisecond(),
            source_key,
            source.session_id.map(|id| id.to_string()),
            source.turn_id.map(|id| id.to_string()),
            &source.derived_from,
        ),
    )?;
    let number = connection.last_insert_rowid();
    let sql = "INSERT INTO memory_words (rowid, folded) VALUES (?1, ?2)";
    connection.execute(sql, (number, folded))?;
    Ok(number)
}

fn listed(view: &Connection, ranked: Ranked) -> Result<Memories, StoreError> {
    let Ranked { numbers, total, worded, loosely } = ranked;
    let memories = numbered(view, &numbers)?;
    Ok(Memories { memories, total, loosely, worded })
}

fn numbered(view: &Connection, numbers: &[i64]) -> Result<Vec<Memory>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM memories m WHERE m.number = ?1");
    let mut one = view.prepare_cached(&sql)?;
    numbers.iter().map(|number| one.query_row([number], memory)?).collect()
}

fn newest(view: &Connection, user: UserId, most: u32) -> Result<Memories, StoreError> {
    let mut listing = view.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM memories m WHERE m.user_id = ?1 \
         ORDER BY m.created_at DESC, m.number DESC LIMIT ?2"
    ))?;
    let rows = listing.query_map((user.to_string(), most), memory)?;
    let memories = rows.map(|row| row?).collect::<Result<Vec<_>, _>>()?;
    let sql = "SELECT count(*) FROM memories WHERE user_id = ?1";
    let total = view.query_row(sql, [user.to_string()], |row| row.get(0))?;
    Ok(Memories { memories, total, loosely: false, worded: total })
}

fn same(view: &Connection, user: UserId, text: &str) -> Result<Option<Memory>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM memories m WHERE m.user_id = ?1 AND m.folded = ?2 \
         ORDER BY m.number LIMIT 1"
    );
    let bound = (user.to_string(), text::fold(text));
    view.query_row(&sql, bound, memory).optional()?.transpose()
}

/// At least half of the words that either of them has are in both.
fn alike(view: &Connection, user: UserId, text: &str) -> Result<Vec<Memory>, StoreError> {
    let words = telling(text);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let (numbers, _) = words::matching(view, user, &words, How::Some, 2 * MOST_ALIKE)?;
    let mut found = numbered(view, &numbers)?;
    let mine: HashSet<String> = words.into_iter().collect();
    found.retain(|memory| {
        let theirs: HashSet<String> = telling(&memory.text).into_iter().collect();
        2 * mine.intersection(&theirs).count() >= mine.union(&theirs).count()
    });
    found.truncate(MOST_ALIKE as usize);
    Ok(found)
}

fn at(view: &Connection, user: UserId, id: &str) -> Result<Option<(i64, Memory)>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS}, m.number FROM memories m WHERE m.user_id = ?1 AND m.id = ?2");
    let found = view
        .query_row(&sql, (user.to_string(), id), |row| Ok((row.get::<_, i64>(6)?, memory(row)?)))
        .optional()?;
    found.map(|(number, memory)| Ok((number, memory?))).transpose()
}

/// A row as everybody else sees it.
fn memory(row: &Row<'_>) -> Result<Result<Memory, StoreError>, rusqlite::Error> {
    let (memory_id, text): (String, String) = (row.get(0)?, row.get(1)?);
    let (session, turn): (Option<String>, Option<String>) = (row.get(3)?, row.get(4)?);
    let bad = |column| StoreError::BadRow { table: "memories", column, id: memory_id.clone() };
    let read = || {
        let created_at = Timestamp::from_millisecond(row.get(2)?);
        let created_at = created_at.map_err(|_| bad("created_at"))?;
        let session_id = session.map(|id| id.parse().map_err(|_| bad("session_id"))).transpose()?;
        let turn_id = turn.map(|id| id.parse().map_err(|_| bad("turn_id"))).transpose()?;
        let source = MemorySource { session_id, turn_id, derived_from: row.get(5)? };
        Ok((created_at, source))
    };
    let read: Result<_, StoreError> = read();
    Ok(read.map(|(created_at, source)| Memory { memory_id, text, created_at, source }))
}
