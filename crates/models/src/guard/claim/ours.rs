//! Whether a sentence that is over leaves somebody believing that we did something. Pure.
//!
//! What is read as it comes may let such a sentence through; this reads the whole of it, by the
//! same words, for whoever adds what the record says.

use super::doer::{Doer, Link, Tense};
use super::phrases;
use super::sentence::words_of;
use super::vocabulary::{
    ADVERBS, AGREED, BACK_THEN, EXCUSES, MINE, SAID, WRITTEN, is_deed, reaches_somebody,
};

/// Said of this very moment, or to the person.
const HERE: [&str; 6] = ["your", "now", "just", "already", "ve", "you"];
/// Whatever says that it was not, or only might be.
const NOT: [&str; 21] = [
    "not", "t", "no", "nothing", "never", "nobody", "once", "if", "when", "until", "can", "could",
    "shall", "should", "would", "want", "yes", "before", "by", "says", "wrote",
];
/// What is made for somebody, beside what is written.
const MADE: [&str; 5] = ["booking", "reservation", "order", "payment", "table"];
/// So far behind what something is done to it is said.
const FAR: usize = 6;

/// "Tom has been invited, and your lunch is booked": of whoever did it nothing is said.
pub fn sounds_done(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let is_done = words.iter().any(|word| reaches_somebody(word));
    !is_asked(sentence) && is_done && has(&HERE) && !has(&NOT)
}

/// "I told Dana", "your booking is confirmed": found or not, that is said of us.
pub fn is_ours(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    let words = words_of(&lower);
    let is_denied = |word: &&str| NOT.contains(word) && *word != "yes" || word.ends_with("n't");
    let is_excused = |word: &&str| EXCUSES.contains(word);
    let is_open = is_asked(sentence)
        || words.iter().any(|word| is_denied(word) || is_excused(word))
        || sentence.contains(['"', '“', '„']);
    !is_open && (is_mine(&words) || is_yours(&words))
}

fn is_asked(sentence: &str) -> bool {
    sentence.trim_end().ends_with('?')
}

/// "I told Dana", "I looked it up and told her".
fn is_mine(words: &[&str]) -> bool {
    let (mut doer, mut last) = (Doer::default(), "");
    for (at, word) in words.iter().enumerate() {
        let is_next = doer == Doer::Me(Tense::Past)
            || doer.link(last, Some(' ')) == Some(Link::And(Tense::Past));
        let is_phrase = || phrases::is_one(&words[at..]);
        if is_next && (is_phrase() || is_said_or_done(word, &words[at + 1..])) {
            return true;
        }
        doer = doer.after(word, at + 1);
        if !ADVERBS.contains(word) {
            last = word;
        }
    }
    false
}

/// To the person, and of a question, it is only said.
fn is_said_or_done(word: &str, rest: &[&str]) -> bool {
    let is_to_you = matches!(rest, ["you" | "your" | "me" | "us" | "that" | "a" | "an", ..]);
    let is_lesson = rest.iter().any(|word| matches!(*word, "question" | "questions"));
    match word {
        "wrote" => matches!(rest, ["back", ..]),
        said if SAID.contains(&said) => !is_to_you && !is_lesson && !rest.is_empty(),
        done => reaches_somebody(done) || AGREED.contains(&done) || MINE.contains(&done),
    }
}

/// "Your reply is sent", but not "your reply was sent on Monday".
fn is_yours(words: &[&str]) -> bool {
    let is_one = |word: &str| WRITTEN.contains(&word) || MADE.contains(&word);
    let is_past = words.iter().any(|word| matches!(*word, "was" | "were" | "went"));
    let is_back_then = is_past && words.iter().any(|word| BACK_THEN.contains(word));
    let mut yours = words.iter().enumerate().filter(|(_, word)| **word == "your");
    !is_back_then
        && yours.any(|(at, _)| {
            let behind = &words[at + 1..];
            let one = behind.iter().take(3).position(|word| is_one(word));
            let said = one.map_or(&[][..], |one| &behind[one + 1..]);
            let said = &said[..said.len().min(FAR)];
            let leaves = said.windows(2).any(|pair| pair == ["its", "way"]);
            leaves || said.iter().any(|word| is_deed(word)) || has_arrived(said)
        })
}

/// "… has reached Dana", but not "… has reached its limit".
fn has_arrived(said: &[&str]) -> bool {
    let is_whom = |next: &str| !matches!(next, "its" | "the" | "your" | "a" | "an");
    said.windows(2).any(|pair| pair[0] == "reached" && is_whom(pair[1]))
}
