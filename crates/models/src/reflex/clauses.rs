//! A stretch of look-ups cut into its clauses.

use brain::resolve::time::{self, Lean};
use brain::resolve::words::Word;

use super::{chat, sentence};
use crate::World;

/// Segments that belong together are one clause; a segment that only says
/// when asks the same again for another time.
pub fn read(words: &[Word], world: &World) -> Vec<Vec<Word>> {
    let now = world.local_now();
    let found = time::find(words, &now, Lean::Ahead);
    let mut held = found.map_or(Vec::new(), |when| when.words);
    if let [first, .., last] = time::apart(words, &now).as_slice() {
        held.extend(first.start..last.end);
    }
    let mut clauses: Vec<Vec<Word>> = Vec::new();
    for segment in sentence::segments(words, &held) {
        let Some(last) = clauses.last() else {
            clauses.push(segment.words.to_vec());
            continue;
        };
        let when = time::find(segment.words, &now, Lean::Ahead);
        let only_time = when.is_some_and(|when| when.words.len() == segment.words.len());
        let before = time::find(last, &now, Lean::Ahead).map_or(Vec::new(), |when| when.words);
        if only_time && !before.is_empty() {
            let same = last.iter().enumerate().filter(|(at, _)| !before.contains(at));
            let again = same.map(|(_, word)| word).chain(segment.words).cloned().collect();
            clauses.push(again);
        } else if segment.opens
            || segment.apart
            || sentence::hangs(segment.words)
            || chat::read(last).is_some()
        {
            clauses.push(segment.words.to_vec());
        } else {
            let start = segment.words[0].start;
            let link = words.iter().rfind(|word| word.start < start).cloned();
            let last = clauses.last_mut().expect("it was there a moment ago");
            last.extend(link.filter(|word| word.is("and")));
            last.extend_from_slice(segment.words);
        }
    }
    clauses.into_iter().flat_map(|clause| time::spread(clause, &now)).collect()
}
