//! What is joined to what I did before: "I found her mail and answered it". Pure.

use super::doer::{Link, Tense};
use super::plans;
use super::sentence::{Heard, Reading, past_adverbs};
use super::vocabulary::{
    AHEAD, ARTICLES, MINE, PRONOUNS, SAID, is_deed, is_number, is_ours_alone, is_thing,
};

/// Whom something is said or sent to.
const PEOPLE: [&str; 3] = ["her", "him", "them"];
/// So far behind a verb what it is done to, and where that goes, is said.
const FAR: usize = 6;

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
            [done, rest @ ..] if is_ours_alone(done) => self.joined_to(rest, words),
            words => self.deed(words),
        }
    }

    /// Behind what I looked up or wrote, "added the dates" is about those words. What one
    /// writes, sends or books is more: "added lunch", and so is what gets a place among it.
    fn joined_to(self, rest: &[&str], words: &[&str]) -> Heard {
        let rest = &rest[..rest.len().min(FAR)];
        let object = rest.iter().take_while(|word| !is_place(word)).count();
        let place = rest[object..].iter().skip(1);
        let is_placed = place.take(3).any(|word| is_thing(word) || is_when(word));
        match rest {
            [] => self.open(),
            ["it" | "them" | "that" | "this" | "those" | "these", "in", "order", ..] => {
                Heard::Harmless
            }
            ["it" | "them" | "that" | "this" | "those" | "these", "in"] => self.open(),
            [it, ..] if PRONOUNS.contains(it) => self.deed(words),
            _ if rest[..object].iter().any(|word| is_thing(word)) || is_placed => self.deed(words),
            _ if rest.len() < FAR => self.open(),
            _ => Heard::Harmless,
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
            // "To the length you asked for": nobody gets that.
            ("wrote", ["to", "the", ..] | ["to", "the", _, "you"]) if words.len() < 4 => {
                self.claimed()
            }
            ("wrote", ["to", "the", _, "you", rest @ ..]) => match rest {
                [] => self.open(),
                ["asked" | "wanted" | "set" | "gave", ..] => Heard::Harmless,
                _ => Heard::Claimed,
            },
            ("wrote", ["to", ..]) => Heard::Claimed,
            ("wrote", [whom]) if PEOPLE.contains(whom) => self.open(),
            ("wrote", [whom, "that" | "back", ..]) if PEOPLE.contains(whom) => Heard::Claimed,
            ("wrote", _) => Heard::Harmless,
            (_, [whom, ..]) if PEOPLE.contains(whom) => Heard::Claimed,
            ("answered", ["it" | "this", ..]) => Heard::Claimed,
            (_, [_, more @ ..]) if is_whom => {
                let is_lesson = |word: &&str| {
                    matches!(
                        *word,
                        "question" | "questions" | "truth" | "story" | "joke" | "version" | "above"
                    )
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

/// "… to Friday", "… on your calendar".
fn is_place(word: &str) -> bool {
    matches!(word, "to" | "on" | "into" | "off" | "for" | "at")
}

fn is_when(word: &str) -> bool {
    AHEAD.contains(&word) || is_number(word)
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
