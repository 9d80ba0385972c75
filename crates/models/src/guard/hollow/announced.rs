//! "Let me check your inbox": a look-up that is only announced.

use super::Stands;
use super::reading::{Fit, Read, Step};

/// So many words an announcement has at most.
const MOST_WORDS: usize = 18;

const WILL: [&str; 5] = ["i'll", "i'm", "i", "we'll", "we're"];
/// What one looks up with.
const LOOK: [&str; 18] = [
    "check", "look", "see", "find", "search", "pull", "fetch", "scan", "review", "read", "dig",
    "gather", "collect", "consult", "go", "have", "take", "get",
];
const LOOKING: [&str; 13] = [
    "checking",
    "looking",
    "searching",
    "pulling",
    "fetching",
    "scanning",
    "reviewing",
    "reading",
    "gathering",
    "collecting",
    "consulting",
    "going",
    "taking",
];
/// Where, or into what.
const PLACES: [&str; 23] = [
    "inbox",
    "mail",
    "mails",
    "email",
    "emails",
    "mailbox",
    "calendar",
    "schedule",
    "agenda",
    "messages",
    "events",
    "meetings",
    "memory",
    "notes",
    "files",
    "file",
    "folder",
    "thread",
    "contacts",
    "availability",
    "that",
    "it",
    "week",
];
/// Where one of these follows, something is said.
pub const SAYS: [&str; 27] = [
    "is", "are", "was", "were", "would", "could", "can", "should", "may", "might", "must", "but",
    "keeps", "saves", "helps", "takes", "means", "makes", "will", "unless", "once", "does", "has",
    "won't", "can't", "forward", "after",
];
const MOMENTS: [&str; 6] = ["moment", "second", "sec", "minute", "instant", "bit"];

/// What goes on behind a moment that is asked for.
const GOES_ON: [&str; 9] = ["while", "please", "and", "to", "as", "i", "i'll", "let", "for"];

/// What is looked up may be told as a question: "see what Tom is up to".
const WHAT: [&str; 9] = ["what", "who", "when", "where", "which", "whether", "if", "how", "why"];

impl Read<'_> {
    /// "Let me check your inbox", "I'll look", "One moment while I look".
    pub(super) fn announces(self) -> Fit {
        self.any(&[Self::lets_me, Self::will, Self::takes_a_moment, Self::is_at_it])
    }

    pub(super) fn lets_me(self) -> Fit {
        match self.past(&["let", "lemme"]) {
            Step::No => Fit::Harmless,
            Step::End => self.open(),
            Step::On(rest) if self.words[0] == "lemme" => rest.looks(&LOOK),
            Step::On(rest) => match rest.past(&["me", "us"]) {
                Step::No => Fit::Harmless,
                Step::End => self.open(),
                Step::On(rest) => rest.looks(&LOOK),
            },
        }
    }

    pub(super) fn will(self) -> Fit {
        match self.past(&WILL) {
            Step::No => Fit::Harmless,
            Step::End => self.open(),
            Step::On(rest) => {
                let rest = rest.past_adverbs();
                match (self.words[0], rest.words) {
                    (_, []) => self.open(),
                    ("i'm" | "we're", ["going", "to"]) | ("i", ["need" | "have", "to"])
                        if !self.is_whole =>
                    {
                        Fit::Open
                    }
                    ("i'm" | "we're", ["going", half]) | ("i", ["need" | "have", half])
                        if rest.is_half && "to".starts_with(half) =>
                    {
                        Fit::Open
                    }
                    ("i'm" | "we're", ["going", "to", ..]) | ("i", ["need" | "have", "to", ..]) => {
                        Self { words: &rest.words[2..], ..rest }.looks(&LOOK)
                    }
                    ("i", ["am", ..]) => rest.from(1).looks(&LOOKING),
                    ("i", ["will", ..]) => rest.from(1).looks(&LOOK),
                    ("i", [word]) if rest.is_half => {
                        let may_be =
                            ["will", "am", "need", "have"].iter().any(|it| it.starts_with(word));
                        if may_be { Fit::Open } else { Fit::Harmless }
                    }
                    ("i", ["need" | "have"]) => self.open(),
                    ("i", _) => Fit::Harmless,
                    ("i'm" | "we're", _) => rest.looks(&LOOKING),
                    _ => rest.looks(&LOOK),
                }
            }
        }
    }

    pub(super) fn from(self, at: usize) -> Self {
        Self { words: &self.words[at..], ..self }
    }

    pub(super) fn takes_a_moment(self) -> Fit {
        let waits = match self.words {
            [] => return self.open(),
            ["hold" | "hang", "on", ..] | ["give", "me", ..] => self.from(2),
            ["bear", "with", "me", ..] => self.from(3),
            ["one" | "just", "a", ..] => self.from(2),
            ["one" | "just", ..] => self.from(1),
            ["hold" | "hang" | "give" | "bear"] | ["bear", "with"] => return self.open(),
            ["hold" | "hang" | "give" | "bear", _] | ["bear", "with", _] if self.is_half => {
                return Fit::Open;
            }
            [half] if self.is_half => {
                let may_be = ["one", "just", "hold", "hang", "give", "bear"];
                let may_be = may_be.iter().any(|word| word.starts_with(half));
                return if may_be { self.open() } else { Fit::Harmless };
            }
            _ => return Fit::Harmless,
        };
        let is_counted = matches!(self.words, ["one" | "just" | "give", ..]);
        let behind = match waits.words {
            ["a" | "one", rest @ ..] | rest => rest,
        };
        match behind {
            [] if self.is_whole && is_counted => Fit::Harmless,
            [half] if self.is_half => {
                let may_be = |known: &[&str]| known.iter().any(|word| word.starts_with(half));
                if may_be(&MOMENTS) || may_be(&GOES_ON) { Fit::Open } else { Fit::Harmless }
            }
            [moment, rest @ ..] if MOMENTS.contains(moment) => match rest {
                [] => self.looked_up(&[]),
                [next, ..] if GOES_ON.contains(next) => self.looked_up(&[]),
                [half] if self.is_half && GOES_ON.iter().any(|it| it.starts_with(half)) => {
                    Fit::Open
                }
                _ => Fit::Harmless,
            },
            [] if is_counted => Fit::Open,
            [] => self.looked_up(&[]),
            [next, ..] if GOES_ON.contains(next) && !is_counted => self.looked_up(&[]),
            _ => Fit::Harmless,
        }
    }

    /// "Checking your calendar now", but not "Checking your tyres saves fuel".
    pub(super) fn is_at_it(self) -> Fit {
        match self.past(&LOOKING) {
            Step::No => Fit::Harmless,
            Step::End => self.open(),
            Step::On(rest) if self.is_whole => {
                let mut near = rest.words.iter().take(4);
                let is_somewhere = near.any(|word| PLACES.contains(word)) || rest.words.is_empty();
                if is_somewhere { self.looked_up(rest.words) } else { Fit::Harmless }
            }
            Step::On(rest) => self.looked_up(rest.words),
        }
    }

    /// What one is about to do is to look something up.
    pub(super) fn looks(self, known: &[&str]) -> Fit {
        let at = self.past_adverbs();
        match at.past(known) {
            Step::No => Fit::Harmless,
            Step::End => self.open(),
            Step::On(rest) => match (at.words[0], rest.words) {
                ("have" | "take" | "taking", _) => rest.has_a_look(),
                ("get" | "go" | "going", [] | ["back"]) => self.open(),
                ("get" | "go" | "going", [_]) if rest.is_half => Fit::Open,
                ("get", ["that" | "it" | "those", "for" | "up", ..]) => self.looked_up(rest.words),
                ("go" | "going", ["through", "your", ..]) => self.looked_up(rest.words),
                ("go" | "going", ["through"]) => self.open(),
                ("go", ["and", "check" | "look" | "find", ..]) => self.looked_up(rest.words),
                ("go", ["and"]) => self.open(),
                ("get", ["that" | "it" | "those"]) if !self.is_whole => Fit::Open,
                ("get" | "go" | "going", _) => Fit::Harmless,
                ("look" | "looking", ["forward" | "after" | "good", ..])
                | ("see" | "find", ["you" | "it" | "myself", ..])
                | ("check", ["in" | "back", "with" | "on", ..])
                | ("read", ["it" | "that" | "this", "as" | "like" | "to" | "out", ..]) => {
                    Fit::Harmless
                }
                (_, rest) => self.looked_up(rest),
            },
        }
    }

    /// "Let me have a quick look".
    pub(super) fn has_a_look(self) -> Fit {
        match self.words {
            [] | ["a" | "another"] | ["a" | "another", "quick" | "closer"] => self.open(),
            ["a" | "another", "look" | "peek", rest @ ..]
            | ["a" | "another", "quick" | "closer", "look" | "peek", rest @ ..] => {
                self.looked_up(rest)
            }
            ["a" | "another", half] | ["a" | "another", "quick" | "closer", half]
                if self.is_half =>
            {
                let may_be =
                    ["quick", "closer", "look", "peek"].iter().any(|it| it.starts_with(half));
                if may_be { Fit::Open } else { Fit::Harmless }
            }
            _ => Fit::Harmless,
        }
    }

    /// It is one, unless it says more than that, or waits for something.
    pub(super) fn looked_up(self, rest: &[&str]) -> Fit {
        let rest = self.whole(rest);
        let says = |word: &&str| SAYS.contains(word);
        // "Check if you're free" is looked up, "if you like" comes behind something.
        let waits =
            |pair: &[&str]| matches!(pair, ["if" | "when" | "as", "you" | "soon"] | ["tell", "me"]);
        let is_more = rest.iter().skip(1).take_while(|word| !WHAT.contains(word)).any(says)
            || rest.get(1..).is_some_and(|rest| rest.windows(2).any(waits));
        match () {
            () if is_more || self.words.len() > MOST_WORDS => Fit::Harmless,
            () if self.is_whole => Fit::Stands(Stands::LookUp),
            () => Fit::Open,
        }
    }
}
