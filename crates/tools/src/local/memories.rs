//! What people asked to be kept in mind, found again by its words.

use std::collections::HashSet;

use brain::UserId;
use brain::facts::{Forgotten, Memories, Memory, Remembered};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction};
use serde_json::Value;

use super::Personal;
use super::db::StoreError;
use super::outbox::moment;
use super::written::Once;
use crate::args::told;
use crate::memory::Letting;
use crate::text;

/// Of one person.
const MOST_KEPT: i64 = 10_000;
/// So many words of a question are looked for.
const MOST_WORDS: usize = 24;
/// Shorter words are looked for as they are, longer ones as beginnings too.
const SHORTEST_BEGINNING: usize = 3;
/// So many that say much the same are named.
const MOST_ALIKE: u32 = 3;

/// Words that are in every sentence and say nothing of what it is about.
const LITTLE: &[&str] = &[
    "a", "about", "am", "an", "and", "any", "anything", "are", "as", "at", "be", "been", "but",
    "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her",
    "his", "how", "i", "im", "in", "is", "it", "its", "know", "me", "my", "of", "on", "or", "our",
    "remember", "said", "she", "so", "tell", "that", "the", "their", "them", "there", "they",
    "this", "to", "told", "was", "we", "were", "what", "when", "where", "which", "who", "will",
    "with", "would", "you", "your",
];

const COLUMNS: &str = "m.id, m.text, m.created_at";

/// The words come first, whatever the planner thinks (CROSS): going through
/// everything a person has and asking of each whether it matches takes seconds.
const MATCHING: &str = "FROM memory_words w CROSS JOIN memories m ON m.number = w.rowid \
                        WHERE memory_words MATCH ?1 AND m.user_id = ?2";

impl Personal {
    /// What has all the words of `context`, or else some of them; the newest
    /// where it has none.
    pub(crate) async fn recall(
        &self,
        user: UserId,
        context: String,
        most: u32,
    ) -> Result<Memories, StoreError> {
        self.db
            .run(move |connection| {
                // One transaction, so that all of it is from the same moment.
                let view = connection.transaction()?;
                recall(&view, user, &context, most)
            })
            .await
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

    /// Keeps it. What is known word for word is not kept twice.
    pub(crate) async fn keep(&self, once: Once, text: String) -> Result<Value, StoreError> {
        self.once(once, move |step, once| keep(step, once, text)).await
    }

    /// Deletes it, and its words.
    pub(crate) async fn let_go(&self, once: Once, letting: Letting) -> Result<Value, StoreError> {
        self.once(once, move |step, once| let_go(step, once, letting)).await
    }
}

fn keep(step: &Transaction<'_>, once: &Once, text: String) -> Result<Value, StoreError> {
    if let Some(Memory { memory_id, created_at, .. }) = same(step, once.user, &text)? {
        return Ok(told(&Remembered { memory_id, created_at }));
    }
    let sql = "SELECT count(*) FROM memories WHERE user_id = ?1";
    let kept: i64 = step.query_row(sql, [once.user.to_string()], |row| row.get(0))?;
    if kept >= MOST_KEPT {
        return Err(StoreError::TooMuch("there is no room for more until something is forgotten"));
    }
    let memory = Memory { memory_id: once.id("memory"), text, created_at: moment(once)? };
    put(step, once.user, &memory, &once.key)?;
    let Memory { memory_id, created_at, .. } = memory;
    Ok(told(&Remembered { memory_id, created_at }))
}

fn let_go(step: &Transaction<'_>, once: &Once, letting: Letting) -> Result<Value, StoreError> {
    let Letting { memory_id, memory } = letting;
    let (number, found) = at(step, once.user, &memory_id)?.ok_or(StoreError::Missing("memory"))?;
    if found.text != memory {
        return Err(StoreError::TooMuch("it says something else by now"));
    }
    // The index is told the words that it is to let go.
    step.execute(
        "INSERT INTO memory_words (memory_words, rowid, folded) VALUES ('delete', ?1, ?2)",
        (number, text::fold(&found.text)),
    )?;
    step.execute("DELETE FROM memories WHERE number = ?1", [number])?;
    Ok(told(&Forgotten { memory_id }))
}

pub(super) fn put(
    connection: &Connection,
    user: UserId,
    memory: &Memory,
    source_key: &str,
) -> Result<(), StoreError> {
    let Memory { memory_id, text, created_at } = memory;
    let folded = text::fold(text);
    connection.execute(
        "INSERT INTO memories (user_id, id, text, folded, created_at, source_key) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (user.to_string(), memory_id, text, &folded, created_at.as_millisecond(), source_key),
    )?;
    let number = connection.last_insert_rowid();
    let sql = "INSERT INTO memory_words (rowid, folded) VALUES (?1, ?2)";
    connection.execute(sql, (number, folded))?;
    Ok(())
}

fn recall(
    view: &Connection,
    user: UserId,
    context: &str,
    most: u32,
) -> Result<Memories, StoreError> {
    let words = telling(context);
    if words.is_empty() {
        return newest(view, user, most);
    }
    let all = matching(view, user, &sought(&words, " AND "), most)?;
    if all.total > 0 || words.len() == 1 {
        return Ok(all);
    }
    let some = matching(view, user, &sought(&words, " OR "), most)?;
    Ok(Memories { loosely: some.total > 0, ..some })
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
    Ok(Memories { memories, total, loosely: false })
}

/// The best first; of two that are as good, the newer.
fn matching(
    view: &Connection,
    user: UserId,
    sought: &str,
    most: u32,
) -> Result<Memories, StoreError> {
    let mut listing = view.prepare_cached(&format!(
        "SELECT {COLUMNS} {MATCHING} ORDER BY w.rank, m.created_at DESC, m.number DESC LIMIT ?3"
    ))?;
    let rows = listing.query_map((sought, user.to_string(), most), memory)?;
    let memories = rows.map(|row| row?).collect::<Result<Vec<_>, _>>()?;
    let sql = format!("SELECT count(*) {MATCHING}");
    let total = view.query_row(&sql, (sought, user.to_string()), |row| row.get(0))?;
    Ok(Memories { memories, total, loosely: false })
}

/// `"tom"* AND "birthday"*`: every word quoted, so that none is an operator.
fn sought(words: &[String], joined: &str) -> String {
    let quoted = words.iter().map(|word| {
        let begins = word.chars().count() >= SHORTEST_BEGINNING;
        format!("\"{word}\"{}", if begins { "*" } else { "" })
    });
    quoted.collect::<Vec<_>>().join(joined)
}

/// The words that say what it is about, each once; all of them where none does.
fn telling(context: &str) -> Vec<String> {
    let folded = text::fold(context);
    let mut seen = HashSet::new();
    let all: Vec<&str> = folded.split_whitespace().filter(|word| seen.insert(*word)).collect();
    let mut telling: Vec<&str> =
        all.iter().filter(|word| !LITTLE.contains(word)).copied().collect();
    if telling.is_empty() {
        telling = all;
    }
    // What is no letter and no digit is nothing to the index.
    telling.retain(|word| word.chars().any(char::is_alphanumeric));
    telling.into_iter().take(MOST_WORDS).map(str::to_owned).collect()
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
    let mut found = matching(view, user, &sought(&words, " OR "), 2 * MOST_ALIKE)?.memories;
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
        .query_row(&sql, (user.to_string(), id), |row| Ok((row.get::<_, i64>(3)?, memory(row)?)))
        .optional()?;
    found.map(|(number, memory)| Ok((number, memory?))).transpose()
}

/// A row as everybody else sees it.
fn memory(row: &Row<'_>) -> Result<Result<Memory, StoreError>, rusqlite::Error> {
    let (memory_id, text): (String, String) = (row.get(0)?, row.get(1)?);
    let created_at = Timestamp::from_millisecond(row.get(2)?);
    Ok(match created_at {
        Ok(created_at) => Ok(Memory { memory_id, text, created_at }),
        Err(_) => {
            Err(StoreError::BadRow { table: "memories", column: "created_at", id: memory_id })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_words_are_looked_up_before_the_memories() {
        let personal = Personal::in_memory().unwrap();
        let plan: String = personal
            .db
            .run(|connection| {
                let sql = format!("EXPLAIN QUERY PLAN SELECT {COLUMNS} {MATCHING}");
                Ok(connection.query_row(&sql, ("tom", "user"), |row| row.get(3))?)
            })
            .await
            .unwrap();
        assert!(plan.starts_with("SCAN w VIRTUAL TABLE"), "{plan}");
    }
}
