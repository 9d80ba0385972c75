//! Deeds that are said in several words: "signed you up", "got back to Dana". Pure.

use super::found;
use super::sentence::{Came, Heard, Reading, Tone};

/// So far behind its first word the rest of one stands.
const FAR: usize = 5;

/// Every word that matters here.
pub const WORDS: [&str; 16] = [
    "signed",
    "up",
    "registered",
    "enrolled",
    "left",
    "a",
    "message",
    "note",
    "got",
    "get",
    "back",
    "to",
    "sure",
    "knows",
    "aware",
    "passed",
];

/// Whether I did such a thing, of which these are all the words behind "I".
pub fn is_one(words: &[&str]) -> bool {
    let reading = Reading {
        is_knowing: true,
        came: Came::All,
        tone: Tone::Plain,
        is_mine: true,
        is_early: true,
        link: None,
    };
    reading.phrased(words) == Some(Heard::Claimed)
}

impl Reading {
    /// What I did, where it begins like one of those.
    pub fn phrased(self, words: &[&str]) -> Option<Heard> {
        let heard = match words {
            ["registered" | "enrolled" | "signed"] => self.open(),
            ["registered" | "enrolled", "you", ..] => Heard::Claimed,
            ["signed", rest @ ..] => self.with(rest, |words| words.contains(&"up")),
            // "I left you a gap", "I left the message unread".
            ["left", "you" | "it" | "the" | "your" | "out", ..] => Heard::Harmless,
            ["left", rest @ ..] => self.with(rest, |words| {
                let article = words.iter().position(|word| matches!(*word, "a" | "an"));
                article.is_some_and(|at| words[at..].iter().any(|word| is_left(word)))
            }),
            ["got" | "gotten", "back"] | ["got" | "gotten", "back", "to"] => self.open(),
            ["got" | "gotten", "back", "to", whom, ..] => match *whom {
                "you" | "your" | "the" | "it" | "this" | "that" => Heard::Harmless,
                _ => Heard::Claimed,
            },
            ["made", "sure"] => self.open(),
            ["made", "sure", "you" | "it" | "i" | "we", ..] => Heard::Harmless,
            ["made", "sure", rest @ ..] => {
                self.with(rest, |words| words.iter().any(|it| matches!(*it, "knows" | "know")))
            }
            ["passed", rest @ ..] => self.with(rest, |words| {
                words.windows(2).any(|pair| matches!(pair[0], "on" | "along") && pair[1] == "to")
            }),
            _ => return None,
        };
        Some(heard)
    }

    /// A deed, where what comes next has this.
    fn with(self, rest: &[&str], has: impl Fn(&[&str]) -> bool) -> Heard {
        match () {
            () if has(&rest[..rest.len().min(FAR)]) => Heard::Claimed,
            () if rest.len() < FAR => self.open(),
            () => Heard::Harmless,
        }
    }

    /// "Your message has reached Dana", but not "your mail has reached its limit".
    pub fn arrived(self, subject: &[&str], said: &[&str]) -> Option<Heard> {
        let (["has" | "have", "reached", after @ ..] | ["reached", after @ ..]) = said else {
            return None;
        };
        let is_ours = found::is_ours(subject);
        is_ours.then(|| match after {
            [] => self.open(),
            ["its" | "the" | "your" | "a" | "an" | "their", ..] => Heard::Harmless,
            after => self.unless_found(after),
        })
    }
}

fn is_left(word: &str) -> bool {
    matches!(word, "message" | "note" | "voicemail")
}
