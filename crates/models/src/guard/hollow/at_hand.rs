//! "I've put together a card": what is spoken of as if it were there.

use super::Stands;
use super::announced::SAYS;
use super::reading::{ADVERBS, Fit, Read, Step};

/// So far behind its verb it is said what was prepared.
const FAR: usize = 7;

const ME: [&str; 4] = ["i", "i've", "we", "we've"];
/// What one has done where a card or a draft is there.
const PREPARED: [&str; 9] =
    ["drafted", "prepared", "composed", "readied", "queued", "lined", "put", "set", "made"];
/// What that makes.
const CARDS: [&str; 6] = ["card", "cards", "draft", "drafts", "invitation", "invite"];
const WRITTEN: [&str; 10] = [
    "mail",
    "email",
    "message",
    "reply",
    "response",
    "note",
    "event",
    "appointment",
    "reminder",
    "proposal",
];
const ARTICLES: [&str; 6] = ["the", "your", "a", "an", "this", "that"];
const JOINS: [&str; 11] =
    ["for", "with", "to", "of", "about", "on", "from", "in", "and", "at", "that"];
const STANDS: [&str; 3] = ["is", "are", "sits"];
pub const WAITS: [&str; 4] = ["waits", "waiting", "awaits", "awaiting"];
const AT_HAND: [&str; 8] =
    ["ready", "prepared", "drafted", "waiting", "up", "open", "below", "above"];
const YES: [&str; 8] =
    ["yes", "ok", "okay", "go-ahead", "approval", "confirmation", "say-so", "answer"];

impl Read<'_> {
    /// "I've put together a card", "The draft is ready", "It waits for your yes".
    pub(super) fn prepares(self) -> Fit {
        self.any(&[Self::has_prepared, Self::is_there, Self::it_is_ready])
    }

    pub(super) fn has_prepared(self) -> Fit {
        let rest = match self.past(&ME) {
            Step::No => return Fit::Harmless,
            Step::End => return self.open(),
            Step::On(rest) => rest,
        };
        let rest = match rest.words {
            ["have", ..] => rest.from(1),
            _ => rest,
        };
        let rest = rest.past_adverbs();
        match rest.past(&PREPARED) {
            Step::No => {
                let may_have =
                    rest.is_half && rest.words.len() == 1 && "have".starts_with(rest.words[0]);
                if may_have { self.open() } else { Fit::Harmless }
            }
            Step::End => self.open(),
            Step::On(more) => more.made(rest.words[0]),
        }
    }

    /// What was made by whoever did so: "a card", "an invitation for Tom", "it".
    pub(super) fn made(self, verb: &str) -> Fit {
        let words = match (verb, self.words) {
            (_, []) | ("put", ["to"]) => return self.open(),
            ("put", ["together", words @ ..]) => words,
            ("set" | "lined", ["up", words @ ..]) => words,
            ("put", [half]) if self.is_half && "together".starts_with(half) => return Fit::Open,
            ("set" | "lined", [half]) if self.is_half && "up".starts_with(half) => {
                return Fit::Open;
            }
            ("put" | "set" | "lined", _) => return Fit::Harmless,
            (_, words) => words,
        };
        if let ["it" | "that" | "everything" | "this", rest @ ..] = words {
            return match rest {
                [] if !self.is_whole => Fit::Open,
                [] if verb != "made" => Fit::Stands(Stands::Card),
                ["for" | "now" | "and" | "already", ..] if verb != "made" => self.stands(),
                _ => Fit::Harmless,
            };
        }
        let words = self.whole(words);
        let object = words.iter().take_while(|word| !JOINS.contains(word)).take(FAR);
        let object: Vec<&str> = object.copied().collect();
        let is_over = self.is_whole || object.len() < words.len();
        let is_one = |word: &&str| {
            CARDS.contains(word) || verb != "made" && verb != "set" && WRITTEN.contains(word)
        };
        match object.last() {
            _ if object.len() == FAR => Fit::Harmless,
            _ if !is_over => Fit::Open,
            Some(head) if is_one(head) => self.stands(),
            _ => Fit::Harmless,
        }
    }

    pub(super) fn stands(self) -> Fit {
        if self.is_whole { Fit::Stands(Stands::Card) } else { Fit::Open }
    }

    /// "Your draft is ready", "There's a card for it".
    pub(super) fn is_there(self) -> Fit {
        let (rest, is_shown) = match self.past(&["there's", "here's", "there", "here"]) {
            Step::End => return self.open(),
            Step::No => (self, false),
            Step::On(rest) => match rest.words {
                [half] if rest.is_half && "is".starts_with(half) => return Fit::Open,
                ["is", ..] => (rest.from(1), true),
                _ => (rest, true),
            },
        };
        let rest = match rest.past(&ARTICLES) {
            Step::No => return Fit::Harmless,
            Step::End => return self.open(),
            Step::On(rest) => rest,
        };
        let is_known = |word: &str| CARDS.contains(&word) || WRITTEN.contains(&word);
        let (thing, said) = match rest.words {
            [] => return self.open(),
            [half] if rest.is_half => {
                let may_be = CARDS.iter().chain(&WRITTEN).any(|it| it.starts_with(half));
                return if may_be { self.open() } else { Fit::Harmless };
            }
            [thing, said @ ..] => (*thing, said),
        };
        let (thing, is_short) = thing.strip_suffix("'s").map_or((thing, false), |it| (it, true));
        match () {
            () if is_shown && matches!(thing, "card" | "cards") => self.stands(),
            () if is_shown || !is_known(thing) => Fit::Harmless,
            () if is_short => rest.at_hand(thing, said),
            () => {
                let verb = said.iter().take(FAR).position(|word| {
                    STANDS.contains(word) || WAITS.contains(word) || SAYS.contains(word)
                });
                match verb {
                    None if said.len() < FAR => self.open(),
                    None => Fit::Harmless,
                    Some(at) if WAITS.contains(&said[at]) => rest.at_hand(thing, &said[at..]),
                    Some(at) if STANDS.contains(&said[at]) => rest.at_hand(thing, &said[at + 1..]),
                    Some(_) => Fit::Harmless,
                }
            }
        }
    }

    /// "… ready to send", "… waiting for your yes".
    pub(super) fn at_hand(self, thing: &str, said: &[&str]) -> Fit {
        let said = &said[said.iter().take_while(|word| ADVERBS.contains(word)).count()..];
        let is_card = CARDS.contains(&thing);
        match said {
            [] => self.open(),
            [waits, rest @ ..] if WAITS.contains(waits) => match () {
                () if is_for_yes(rest) || is_card && self.is_whole => self.stands(),
                () if rest.len() < 4 => self.open(),
                () => Fit::Harmless,
            },
            ["ready" | "prepared" | "drafted", ..] => self.stands(),
            [here, ..] if is_card && AT_HAND.contains(here) => self.stands(),
            [half] if self.is_half => {
                let may_be = AT_HAND.iter().chain(&ADVERBS).any(|it| it.starts_with(half));
                if may_be { self.open() } else { Fit::Harmless }
            }
            _ => Fit::Harmless,
        }
    }

    /// "It's ready to send", "It waits for your yes".
    pub(super) fn it_is_ready(self) -> Fit {
        let rest = match self.past(&["it", "it's", "that's", "everything", "everything's"]) {
            Step::No => return Fit::Harmless,
            Step::End => return self.open(),
            Step::On(rest) => rest,
        };
        let rest = match rest.words {
            ["is", ..] => rest.from(1),
            _ => rest,
        };
        let rest = rest.past_adverbs();
        let words = if rest.words.len() > 1 { rest.whole(rest.words) } else { rest.words };
        match words {
            [] | ["ready"] | ["ready", "to"] => self.open(),
            ["ready", "to", "send" | "go", ..] => self.stands(),
            [waits, more @ ..] if WAITS.contains(waits) => match () {
                () if is_for_yes(more) => self.stands(),
                () if more.len() < 4 => self.open(),
                () => Fit::Harmless,
            },
            [half] if rest.is_half => {
                let may_be = ["is", "ready"].iter().chain(&WAITS).any(|it| it.starts_with(half));
                if may_be { self.open() } else { Fit::Harmless }
            }
            _ => Fit::Harmless,
        }
    }
}

/// "… for your yes".
pub fn is_for_yes(rest: &[&str]) -> bool {
    let mut near = rest.iter().take(4);
    near.any(|word| YES.contains(word)) && rest.iter().take(3).any(|word| *word == "your")
}
