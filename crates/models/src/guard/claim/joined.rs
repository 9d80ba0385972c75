//! What is joined to what I did before: "I found her mail and answered it". Pure.

use super::doer::{Link, Tense};
use super::plans;
use super::sentence::{Heard, Reading, past_adverbs};
use super::vocabulary::{ARTICLES, MINE, PRONOUNS, SAID, is_deed, is_thing};

/// Whom something is said or sent to.
const PEOPLE: [&str; 3] = ["her", "him", "them"];

impl Reading {
    /// "… and sent it", "…, told her yes".
    pub fn linked(self, link: Link, words: &[&str]) -> Heard {
        let words = past_adverbs(words);
        let [verb, rest @ ..] = words else { return self.open() };
        match link {
            Link::And(Tense::Ahead) if plans::is_strong(verb, false) => self.future(words),
            Link::And(Tense::Now) if plans::is_strong(verb, true) => self.doing(words),
            Link::And(Tense::Ahead | Tense::Now) => Heard::Harmless,
            Link::And(Tense::Past) => self.joined(words),
            Link::Comma => match rest {
                [] if is_done(verb) => self.open(),
                [next, ..] if is_object(next) => self.joined(words),
                _ => Heard::Harmless,
            },
        }
    }

    /// What I did as well. "Your inbox and sent mail" is nothing that was done.
    fn joined(self, words: &[&str]) -> Heard {
        match words {
            [done] if is_deed(done) || MINE.contains(done) => self.claimed(),
            ["sent", "mail" | "items" | "folder" | "and" | "or" | "box", ..] => Heard::Harmless,
            [done, things] if is_deed(done) && is_plural(things) => self.open(),
            [done, things, next, ..] if is_deed(done) && is_plural(things) && *next != "to" => {
                Heard::Harmless
            }
            words => self.deed(words),
        }
    }

    /// What I told, answered or wrote somebody. `is_whom` says that the next word may be a name.
    pub fn said_to(self, said: &str, words: &[&str], is_whom: bool) -> Heard {
        match (said, words) {
            (_, []) => self.open(),
            (_, ["you" | "me" | "us" | "myself" | "by" | "in" | "that" | "a" | "an", ..]) => {
                Heard::Harmless
            }
            ("wrote", ["back", ..]) => Heard::Claimed,
            ("wrote", ["to"]) => self.open(),
            ("wrote", ["to", "you" | "your", ..]) => Heard::Harmless,
            ("wrote", ["to", ..]) => Heard::Claimed,
            ("wrote", [whom]) if PEOPLE.contains(whom) => self.open(),
            ("wrote", [whom, "that" | "back", ..]) if PEOPLE.contains(whom) => Heard::Claimed,
            ("wrote", _) => Heard::Harmless,
            (_, [whom, ..]) if PEOPLE.contains(whom) => Heard::Claimed,
            ("answered", ["it" | "this", ..]) => Heard::Claimed,
            (_, [_, more @ ..]) if is_whom => {
                let is_lesson = |word: &&str| {
                    matches!(*word, "question" | "questions" | "truth" | "story" | "joke" | "above")
                };
                match () {
                    () if words.iter().take(4).any(is_lesson) => Heard::Harmless,
                    () if more.len() >= 3 || self.is_whole() => Heard::Claimed,
                    () => Heard::Open,
                }
            }
            _ => Heard::Harmless,
        }
    }
}

fn is_done(word: &str) -> bool {
    is_deed(word) || MINE.contains(&word) || SAID.contains(&word) || matches!(word, "put" | "let")
}

/// What a deed is done to, where its name is none: behind a comma, "sent on Monday" only
/// says which mail it is.
fn is_object(word: &str) -> bool {
    PRONOUNS.contains(&word) || ARTICLES.contains(&word) || PEOPLE.contains(&word)
}

/// "Cancelled events": those that somebody has cancelled.
fn is_plural(word: &str) -> bool {
    word.ends_with('s') && is_thing(word)
}
