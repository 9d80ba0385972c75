//! Memories by their words: which have all of them, which have some.

use std::collections::{HashMap, HashSet};

use brain::UserId;
use rusqlite::Connection;

use crate::local::db::StoreError;
use crate::text;

/// So many words of a question are looked for.
const MOST_WORDS: usize = 24;
/// Shorter words are looked for as they are, longer ones as beginnings too.
const SHORTEST_BEGINNING: usize = 3;
/// A word that more memories have says little about any of them.
const COMMON: u32 = 100;

/// Words that are in every sentence and say nothing of what it is about.
const LITTLE: &[&str] = &[
    "a", "about", "am", "an", "and", "any", "anything", "are", "as", "at", "be", "been", "but",
    "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her",
    "his", "how", "i", "im", "in", "is", "it", "its", "know", "me", "my", "of", "on", "or", "our",
    "remember", "said", "she", "so", "tell", "that", "the", "their", "them", "there", "they",
    "this", "to", "told", "was", "we", "were", "what", "when", "where", "which", "who", "will",
    "with", "would", "you", "your",
];

/// The words come first, whatever the planner thinks (CROSS): going through
/// everything a person has and asking of each whether it matches takes seconds.
pub(super) const MATCHING: &str = "FROM memory_words w CROSS JOIN memories m \
                                   ON m.number = w.rowid \
                                   WHERE memory_words MATCH ?1 AND m.user_id = ?2";

/// How words are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// All of them, as they are.
    All,
    /// All of them, or words that begin with them.
    Beginnings,
    /// Some of them, or words that begin with them.
    Some,
}

/// Those that match, the best first, `most` at most; of two that are as good,
/// the newer. And how many there are in all.
pub(super) fn matching(
    view: &Connection,
    user: UserId,
    words: &[String],
    how: How,
    most: u32,
) -> Result<(Vec<i64>, u32), StoreError> {
    let (sought, user) = (sought(words, how), user.to_string());
    let mut listing = view.prepare_cached(&format!(
        "SELECT m.number {MATCHING} ORDER BY w.rank, m.created_at DESC, m.number DESC LIMIT ?3"
    ))?;
    let rows = listing.query_map((&sought, &user, most), |row| row.get(0))?;
    let numbers = rows.collect::<Result<Vec<i64>, _>>()?;
    if numbers.len() < most as usize {
        let total = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        return Ok((numbers, total));
    }
    let sql = format!("SELECT count(*) {MATCHING}");
    let total = view.prepare_cached(&sql)?.query_row((sought, user), |row| row.get(0))?;
    Ok((numbers, total))
}

/// How much each memory has of these words: 1 where it has all of them. A rare
/// word counts for more, and one that many have for nothing.
pub(super) fn shares(
    view: &Connection,
    user: UserId,
    words: &[String],
) -> Result<HashMap<i64, f32>, StoreError> {
    let sql = format!("SELECT m.number {MATCHING} LIMIT ?3");
    let mut listing = view.prepare_cached(&sql)?;
    let mut shares: HashMap<i64, f32> = HashMap::new();
    let mut all = 0.0_f32;
    for word in words {
        let sought = sought(std::slice::from_ref(word), How::All);
        let rows = listing.query_map((sought, user.to_string(), COMMON), |row| row.get(0))?;
        let found = rows.collect::<Result<Vec<i64>, _>>()?;
        #[expect(clippy::cast_precision_loss, reason = "a hundred at most")]
        let weight = 1.0 / (1.0 + found.len() as f32).ln_1p();
        all += weight;
        if found.len() < COMMON as usize {
            for number in found {
                *shares.entry(number).or_default() += weight;
            }
        }
    }
    for share in shares.values_mut() {
        *share /= all.max(f32::MIN_POSITIVE);
    }
    Ok(shares)
}

/// The words that say what it is about, each once; all of them where none does.
pub(crate) fn telling(context: &str) -> Vec<String> {
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

/// `"tom"* AND "birthday"*`: every word quoted, so that none is an operator.
fn sought(words: &[String], how: How) -> String {
    let quoted = words.iter().map(|word| {
        let begins = how != How::All && word.chars().count() >= SHORTEST_BEGINNING;
        format!("\"{word}\"{}", if begins { "*" } else { "" })
    });
    quoted.collect::<Vec<_>>().join(if how == How::Some { " OR " } else { " AND " })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Personal;

    #[tokio::test]
    async fn the_words_are_looked_up_before_the_memories() {
        let personal = Personal::in_memory().unwrap();
        let plan: String = personal
            .db
            .run(|connection| {
                let sql = format!("EXPLAIN QUERY PLAN SELECT m.number {MATCHING}");
                Ok(connection.query_row(&sql, ("tom", "user"), |row| row.get(3))?)
            })
            .await
            .unwrap();
        assert!(plan.starts_with("SCAN w VIRTUAL TABLE"), "{plan}");
    }
}
