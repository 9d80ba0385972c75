//! What I say that I am doing, or am about to do. Whoever only plans calls a tool: said
//! without one, "I'm sending it now" is as wrong as "I've sent it". Pure.
//!
//! Such a sentence is judged when it is over: "… once you say yes" may still come.

use super::sentence::{Came, Heard, Reading, Tone, past_adverbs};
use super::verbs::{self, STRONG, WEAK};
use super::vocabulary::{
    ARTICLES, EXCUSES, HELPERS, PRONOUNS, STATES, is_deed, is_number, is_thing,
};

/// I, and what I will do or am doing.
pub const ME: [&str; 4] = ["i'll", "we'll", "i'm", "we're"];

/// What is ours and said of now, beside the verbs of `verbs`.
const WEAK_TOO: [(&str, &str); 8] = [
    ("share", "sharing"),
    ("pay", "paying"),
    ("confirm", "confirming"),
    ("accept", "accepting"),
    ("decline", "declining"),
    ("set", "setting"),
    ("put", "putting"),
    ("make", "making"),
];

/// The rest of what such a sentence is made of.
const OTHERS: [&str; 15] = [
    "will", "am", "are", "going", "about", "go", "be", "get", "take", "drop", "reply", "replying",
    "let", "me", "remind",
];

/// What waits for something, beside what excuses any claim.
const WAITS: [&str; 11] = [
    "as", "after", "before", "then", "but", "first", "need", "please", "unless", "assuming",
    "provided",
];

/// Behind one of these it is an offer: "Confirm and I'll send it".
pub const INVITES: [&str; 15] = [
    "confirm", "tell", "let", "give", "pick", "choose", "want", "need", "check", "approve",
    "agree", "ready", "please", "yes", "okay",
];

/// Where one of these follows, it is a lesson: "Sending it now would be rude".
const MODALS: [&str; 14] = [
    "will", "would", "can", "could", "may", "might", "should", "must", "does", "do", "takes",
    "means", "makes", "needs",
];

/// So far behind its verb a "now" is waited for.
const MOST_WORDS: usize = 8;

/// Every word that matters here.
pub fn words() -> impl Iterator<Item = &'static str> {
    let verbs = WEAK_TOO.iter().flat_map(|(verb, doing)| [*verb, *doing]);
    ME.into_iter().chain(verbs).chain(OTHERS)
}

/// "Booking-averse" is nothing that one does.
pub fn is_compound(sentence: &str) -> bool {
    let verbs = STRONG.iter().chain(&WEAK).map(|verb| (verb.base, verb.doing));
    let mut verbs = verbs.chain(WEAK_TOO).flat_map(|(verb, doing)| [verb, doing]);
    let has_hyphen = sentence.contains('-');
    has_hyphen
        && verbs.any(|verb| {
            let behind = sentence.find(verb).map(|at| sentence[at + verb.len()..].chars());
            let mut behind = behind.into_iter().flatten();
            behind.next() == Some('-') && behind.next().is_some_and(char::is_alphanumeric)
        })
}

/// Whether it is done to something of ours, `doing` so or about to.
fn is_weak(word: &str, doing: bool) -> bool {
    let is_it = if doing { verbs::is_doing } else { verbs::is_base };
    let is_too = |(verb, ing): &(&str, &str)| word == if doing { *ing } else { *verb };
    is_it(&WEAK, word) || WEAK_TOO.iter().any(is_too)
}

/// Whether it is a deed, said of now: "sending", "confirming".
pub fn is_doing(word: &str) -> bool {
    const SAYING: [&str; 8] = [
        "replying",
        "responding",
        "telling",
        "letting",
        "answering",
        "notifying",
        "informing",
        "reaching",
    ];
    is_strong(word, true) || is_weak(word, true) || SAYING.contains(&word)
}

/// Whether only a record may say that it will be done.
pub fn is_strong(word: &str, doing: bool) -> bool {
    if doing { verbs::is_doing(&STRONG, word) } else { verbs::is_base(&STRONG, word) }
}

impl Reading {
    /// What a sentence that begins like one of those says; none where it begins otherwise.
    pub fn announced(self, words: &[&str], is_name_next: bool) -> Option<Heard> {
        match words {
            // "We're all set" says how things are.
            ["we're", rest @ ..] => {
                Some(self.doing(rest)).filter(|heard| *heard != Heard::Harmless)
            }
            [me, rest @ ..] if ME.contains(me) => Some(self.plan(me, rest)),
            ["on" | "let"] | ["let", "me"] => Some(self.open()),
            ["on", "it", ..] => Some(self.doing(words)),
            ["let", "me", rest @ ..] => Some(self.future(rest)),
            _ => self.bare_doing(words, is_name_next),
        }
    }

    /// "I'll send it", "we're booking it".
    pub fn plan(self, me: &str, words: &[&str]) -> Heard {
        if me.ends_with("'ll") { self.future(words) } else { self.doing(words) }
    }

    /// What I will do.
    pub fn future(self, words: &[&str]) -> Heard {
        match past_adverbs(words) {
            [] | ["go" | "be" | "take" | "reply"] | ["go", "ahead"] | ["go", "ahead", "and"] => {
                self.open()
            }
            ["go", "ahead", "and", rest @ ..] => self.future(rest),
            ["be", rest @ ..] => self.doing(rest),
            ["take", "care", rest @ ..] | ["drop", rest @ ..] if is_line(words, rest) => {
                self.planned(rest)
            }
            ["drop", rest @ ..] if rest.len() < 4 => self.open(),
            ["reply", "to"] => self.open(),
            ["reply", "to", whom, rest @ ..] if !matches!(*whom, "you" | "your" | "that") => {
                self.planned(rest)
            }
            ["remind"] => self.open(),
            ["remind", "you", "that" | "of" | "how" | "why" | "what" | "once" | "only", ..] => {
                Heard::Harmless
            }
            ["remind", "you", rest @ ..] => self.planned(rest),
            ["let"] => self.open(),
            ["let", whom, rest @ ..] if !matches!(*whom, "me" | "you" | "us") => {
                let is_told = rest.iter().take(4).any(|word| *word == "know");
                if is_told { self.planned(rest) } else { self.open() }
            }
            ["get" | "have", rest @ ..] => self.got(rest),
            ["invite", "you", ..] | ["cancel", "out", ..] => Heard::Harmless,
            [verb, rest @ ..] if is_strong(verb, false) => self.planned(rest),
            ["put" | "set", rest @ ..] => self.put(rest),
            ["make", "it" | "that" | "this" | "them", ..] => Heard::Harmless,
            [verb, rest @ ..] if is_weak(verb, false) => self.ours(rest, rest, 1),
            _ => Heard::Harmless,
        }
    }

    /// What I am doing.
    pub fn doing(self, words: &[&str]) -> Heard {
        match past_adverbs(words) {
            [] | ["going" | "about" | "on" | "replying"] | ["going" | "about", "to"] => self.open(),
            ["going" | "about", "to", rest @ ..] => self.future(rest),
            ["on", "it"] | ["on", "it", "now" | "right", ..] => self.planned(&[]),
            ["replying", "to", whom, rest @ ..] if !matches!(*whom, "you" | "your" | "that") => {
                self.planned(rest)
            }
            ["replying", "to"] => self.open(),
            ["inviting", "you", ..] | ["cancelling" | "canceling", "out", ..] => Heard::Harmless,
            [verb, rest @ ..] if is_strong(verb, true) => self.planned(rest),
            ["putting" | "setting", rest @ ..] => self.put(rest),
            ["making", "it" | "that" | "this" | "them", ..] => Heard::Harmless,
            [verb, rest @ ..] if is_weak(verb, true) => self.ours(rest, rest, 1),
            _ => Heard::Harmless,
        }
    }

    /// "I'll put it on your calendar", but not "I'll put it differently".
    fn put(self, words: &[&str]) -> Heard {
        match words {
            ["it" | "that" | "this" | "them"] => self.open(),
            ["it" | "that" | "this" | "them", "on" | "in" | "into" | "up" | "for", rest @ ..] => {
                self.planned(rest)
            }
            ["it" | "that" | "this" | "them", ..] => Heard::Harmless,
            _ => self.ours(words, words, 1),
        }
    }

    /// "Sending it now!" "Sending mail is easy" is none.
    fn bare_doing(self, words: &[&str], is_name_next: bool) -> Option<Heard> {
        let [verb, rest @ ..] = words else { return None };
        let is_strong = is_strong(verb, true);
        if !is_strong && !is_weak(verb, true) {
            return None;
        }
        let is_verb = |word: &&str| HELPERS.contains(word) || MODALS.contains(word);
        Some(match rest {
            _ if rest.iter().any(is_verb) => Heard::Harmless,
            [] => self.open(),
            ["now", ..] | ["right", "now" | "away", ..] if is_strong => self.planned(rest),
            ["it" | "that" | "them", ..] => self.ours(rest, rest, 0),
            ["the" | "your" | "this" | "both" | "all", ..] if is_strong => self.planned(rest),
            ["the" | "your" | "this" | "both" | "all", ..] => self.ours(rest, rest, 1),
            // "Emailing Priya now", but not "Booking a table is easy".
            ["a" | "an" | "you", ..] if is_strong => self.at_once(rest),
            _ if is_strong && is_name_next => self.at_once(rest),
            _ => Heard::Harmless,
        })
    }

    /// It is one where it ends with "now".
    fn at_once(self, rest: &[&str]) -> Heard {
        match rest.last() {
            _ if self.came != Came::All && rest.len() < MOST_WORDS => Heard::Open,
            Some(&("now" | "away" | "immediately")) => self.planned(rest),
            _ => Heard::Harmless,
        }
    }

    /// "I'll get it sent".
    fn got(self, words: &[&str]) -> Heard {
        let is_object = |word: &&&str| {
            PRONOUNS.contains(word) || ARTICLES.contains(word) || is_thing(word) || **word == "you"
        };
        match &words[words.iter().take_while(is_object).count()..] {
            [] => self.open(),
            [done, rest @ ..] if is_deed(done) || STATES.contains(done) => self.planned(rest),
            _ => Heard::Harmless,
        }
    }

    /// Only what is done to something of ours counts. So many strange words may stand before
    /// it.
    fn ours(self, words: &[&str], all: &[&str], strange: usize) -> Heard {
        match past_adverbs(words) {
            [] | ["you" | "that" | "this"] => self.open(),
            ["it" | "them", "by" | "like", ..] => Heard::Harmless,
            ["it" | "them" | "everything" | "both", ..] => self.planned(all),
            ["that" | "this", "for" | "to" | "on" | "from" | "right" | "now" | "in", ..] => {
                self.planned(all)
            }
            [article] if ARTICLES.contains(article) => self.open(),
            ["you", rest @ ..] => self.ours(rest, all, strange),
            ["your", rest @ ..] => self.ours(rest, all, 2),
            [article, rest @ ..] if ARTICLES.contains(article) || *article == "this" => {
                self.ours(rest, all, strange)
            }
            [thing, ..] if is_thing(thing) || is_number(thing) => self.planned(all),
            [_] if strange > 0 => self.open(),
            [_, rest @ ..] if strange > 0 => self.ours(rest, all, strange - 1),
            _ => Heard::Harmless,
        }
    }

    /// It is one, unless it waits for something.
    fn planned(self, rest: &[&str]) -> Heard {
        let waits = |word: &&str| EXCUSES.contains(word) || WAITS.contains(word);
        match () {
            () if self.tone != Tone::Plain || rest.iter().any(waits) => Heard::Harmless,
            () if self.came == Came::All => Heard::Claimed,
            () => Heard::Open,
        }
    }
}

/// "… take care of it"; "… drop Priya a line".
fn is_line(words: &[&str], rest: &[&str]) -> bool {
    let is_care = past_adverbs(words).first() == Some(&"take");
    is_care || rest.iter().take(5).any(|word| matches!(*word, "line" | "note" | "message"))
}
