//! A stretch of look-ups cut into its clauses.

use brain::resolve::time::{self, Lean};
use brain::resolve::words::Word;
use jiff::Zoned;

use super::frame::Frame;
use super::vocabulary::{CONFLICTS, MAIL, is_any};
use super::{chat, mail, sentence};
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
    // "… the Paperlane invoice, and when is it due": the same mail says it.
    for at in (1..clauses.len()).rev() {
        if mail::asks_of_bill(&Frame::new(&clauses[at - 1], world)) && asks_when_due(&clauses[at]) {
            clauses.remove(at);
        }
    }
    for at in 1..clauses.len() {
        let (front, rest) = clauses.split_at_mut(at);
        asked_of_the_same(&front[at - 1], &mut rest[0], &now);
        name_it(&front[at - 1], &mut rest[0]);
    }
    clauses.into_iter().flat_map(|clause| time::spread(clause, &now)).collect()
}

fn texts_are(clause: &[Word], any: &[&[&str]]) -> bool {
    any.iter().any(|texts| {
        texts.len() == clause.len() && clause.iter().zip(*texts).all(|(word, text)| word.is(text))
    })
}

fn asks_when_due(clause: &[Word]) -> bool {
    let texts: Vec<&str> = clause.iter().map(|word| word.text.as_str()).collect();
    matches!(
        texts.as_slice(),
        ["when", "is", "it", "due"]
            | ["when", "do", "i", "have", "to", "pay"]
            | ["when", "do", "i", "have", "to", "pay", "it"]
            | ["when", "must" | "should", "i", "pay", "it"]
            | ["how", "much", "is", "it"]
    )
}

/// "When is the design review, and how long is it": the design review.
fn name_it(before: &[Word], clause: &mut Vec<Word>) {
    let [asks, is, thing @ ..] = before else { return };
    let named = (1..=8).contains(&thing.len()) && !thing[0].is("it");
    if !is_any(&asks.text, &["when", "where"]) || !is.is("is") || !named {
        return;
    }
    let texts: Vec<&str> = clause.iter().map(|word| word.text.as_str()).collect();
    let asked = matches!(
        texts.as_slice(),
        ["how", "long", "is", "it"]
            | ["where" | "when", "is", "it"]
            | ["who", "is", "in" | "at", "it"]
    );
    if asked {
        clause.pop();
        clause.extend_from_slice(thing);
    }
    // "When is the dentist, and where": only the word.
    if texts_are(clause, &[&["where"], &["how", "long"]]) {
        clause.push(is.clone());
        clause.extend_from_slice(thing);
    }
}

/// "What's on Thursday, and does anything clash": on Thursday.
fn asked_of_the_same(before: &[Word], clause: &mut Vec<Word>, now: &Zoned) {
    let clashes = clause.iter().any(|word| is_any(&word.text, CONFLICTS) && !word.quoted);
    let of_mail = clause.iter().any(|word| is_any(&word.text, MAIL));
    if !clashes || of_mail || time::find(clause, now, Lean::Ahead).is_some() {
        return;
    }
    let when = time::find(before, now, Lean::Ahead).map_or(Vec::new(), |when| when.words);
    clause.extend(when.into_iter().map(|at| before[at].clone()));
}
