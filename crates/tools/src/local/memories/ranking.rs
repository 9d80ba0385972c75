//! Which memories come first: those with all the words, then by what they mean.
//!
//! Meaning ranks; words rescue. A code or a name means nothing to a model and
//! everything to the person, so a memory that has the rare words of a question
//! is lifted, and one that has all its words stands first. Mixing both orders in
//! equal parts finds less than meaning alone.

use std::collections::HashMap;

use brain::UserId;
use rusqlite::Connection;

use super::meanings::{self, Meant};
use super::words::{self, How};
use crate::local::db::StoreError;

/// How much having every word of the question lifts a memory, each by how rare
/// it is. More would let chance words win over what is meant.
const LIFT: f32 = 0.1;
/// How much more a number or a code does.
const CODE: f32 = 0.4;
/// From here on it is what was asked for; what nobody ever told stays below.
const SURE: f32 = 0.42;
/// Below it has nothing to do with the question.
const FLOOR: f32 = 0.18;
/// So many are named where none is sure, or few are.
const NEAREST: usize = 3;

/// What was found, by number, the best first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ranked {
    pub numbers: Vec<i64>,
    /// So many in all are what was asked for, also those that were cut; what is
    /// listed behind them only comes near.
    pub total: u32,
    /// So many in all have every word; they come first.
    pub worded: u32,
    pub loosely: bool,
}

/// What fits `words`, and what means the same where somebody heard it.
pub(super) fn rank(
    view: &Connection,
    user: UserId,
    words: &[String],
    meant: Option<&Meant>,
    most: u32,
) -> Result<Ranked, StoreError> {
    let (worded, total) = words::matching(view, user, words, How::All, most)?;
    let Some(meant) = meant else {
        if total > 0 {
            return Ok(Ranked { numbers: worded, total, worded: total, loosely: false });
        }
        return by_words(view, user, words, most);
    };
    let scores = scores(view, user, words, meant)?;
    let score = |number: &i64| scores.get(number).copied().unwrap_or(0.0);
    let mut first = worded;
    first.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let mut others: Vec<(i64, f32)> = scores
        .iter()
        .map(|(number, score)| (*number, *score))
        .filter(|(number, score)| *score >= FLOOR && !first.contains(number))
        .collect();
    others.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(b.cmp(a)));
    let sure = others.iter().filter(|(_, score)| *score >= SURE).count();
    let nearest = NEAREST.saturating_sub(first.len());
    others.truncate(sure.max(nearest));
    if first.is_empty() && others.is_empty() {
        // A word that was only begun means nothing to anybody.
        return by_words(view, user, words, most);
    }
    let loosely = first.is_empty() && sure == 0;
    let near = u32::try_from(if loosely { others.len() } else { sure }).unwrap_or(u32::MAX);
    let mut numbers = first;
    numbers.extend(others.into_iter().map(|(number, _)| number));
    numbers.truncate(most as usize);
    Ok(Ranked { numbers, total: total.saturating_add(near), worded: total, loosely })
}

/// What has all the words as beginnings, or else some of them. None of it has the
/// words themselves.
fn by_words(
    view: &Connection,
    user: UserId,
    words: &[String],
    most: u32,
) -> Result<Ranked, StoreError> {
    let (numbers, total) = words::matching(view, user, words, How::Beginnings, most)?;
    if total > 0 || words.len() == 1 {
        return Ok(Ranked { numbers, total, worded: 0, loosely: false });
    }
    let (numbers, total) = words::matching(view, user, words, How::Some, most)?;
    Ok(Ranked { numbers, total, worded: 0, loosely: total > 0 })
}

fn scores(
    view: &Connection,
    user: UserId,
    words: &[String],
    meant: &Meant,
) -> Result<HashMap<i64, f32>, StoreError> {
    let mut scores: HashMap<i64, f32> =
        meanings::likenesses(view, user, meant)?.into_iter().collect();
    // Also what nobody has heard yet is found by its words.
    for (number, share) in words::shares(view, user, words)? {
        *scores.entry(number).or_default() += LIFT * share;
    }
    let is_code = |word: &&String| word.contains(|c: char| c.is_ascii_digit());
    let codes: Vec<String> = words.iter().filter(is_code).cloned().collect();
    for (number, share) in words::shares(view, user, &codes)? {
        *scores.entry(number).or_default() += CODE * share;
    }
    Ok(scores)
}
