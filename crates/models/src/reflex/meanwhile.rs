//! Long work, reminders and timers: what is to go on while people talk on.
//!
//! Read before anything else, from the whole sentence: "remind me at five to reply to
//! Ana" wants a reminder and no reply.

mod remind;
mod work;

use brain::plan::ProposedStep;
use brain::resolve::words::Word;
use serde_json::Value;

use super::{Lookup, Meaning, sentence};
use crate::World;
use crate::gist::{Gist, Meanwhile};

/// What the sentence wants of it, if it does.
pub fn read(heard: &str, words: &[Word], world: &World) -> Option<Meaning> {
    // Of two sentences, each is read by itself.
    let request = sentence::without_lead(words);
    if request.iter().any(|word| word.quoted) && !is_lead(request, &["remind", "me"]) {
        return None;
    }
    let texts: Vec<&str> = sentence::bare(words).iter().map(|word| word.text.as_str()).collect();
    remind::listed(&texts)
        .or_else(|| remind::dropped(heard, sentence::bare(words)))
        .or_else(|| work::listed(&texts))
        .or_else(|| work::stopped(heard, sentence::bare(words)))
        .or_else(|| remind::timer(heard, sentence::bare(words), world))
        .or_else(|| remind::read(heard, request, world))
        .or_else(|| work::digest(sentence::bare(words), world))
        .or_else(|| work::summary(heard, sentence::bare(words), world))
}

fn look(what: Meanwhile, args: Value, acknowledgement: &str) -> Meaning {
    Meaning::Look(vec![Lookup {
        steps: vec![ProposedStep { tool: what.tool().to_owned(), args }],
        gist: Gist::Meanwhile(what),
        acknowledgement: acknowledgement.to_owned(),
    }])
}

fn is_lead(words: &[Word], lead: &[&str]) -> bool {
    behind(words, lead).is_some()
}

/// What follows these words.
fn behind<'a>(words: &'a [Word], lead: &[&str]) -> Option<&'a [Word]> {
    let (front, rest) = words.split_at_checked(lead.len())?;
    let same = front.iter().zip(lead).all(|(word, text)| word.is(text) && !word.quoted);
    (same && !rest.is_empty()).then_some(rest)
}

/// These words as they were said, without marks at their ends.
fn said(heard: &str, words: &[&Word]) -> String {
    let mut text = String::new();
    let mut last_start = None;
    for word in words {
        // "I'm" is two words in one place.
        if last_start == Some(word.start) {
            continue;
        }
        last_start = Some(word.start);
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&heard[word.start..word.end]);
        if word.stop == Some(',') {
            text.push(',');
        }
    }
    text.trim_matches([',', '.', ' ']).to_owned()
}

#[cfg(test)]
#[path = "meanwhile_tests.rs"]
mod tests;
