//! What may be told as found. That somebody else did something, or that something was done
//! back then, a look-up brings; that our own words have just left, it does not. Pure.

use super::sentence::{Heard, Reading, Whose, is_excused, past_adverbs};
use super::vocabulary::{AHEAD, BACK_THEN, EXCUSES, WRITTEN, is_number};

/// What leaves, once it is written.
const LEAVES: [&str; 12] = [
    "sent",
    "emailed",
    "mailed",
    "forwarded",
    "delivered",
    "dispatched",
    "out",
    "way",
    "off",
    "gone",
    "submitted",
    "with",
];

/// Our own words: "your mail", "the reply to Dana".
pub fn is_ours(subject: &[&str]) -> bool {
    match subject {
        ["your", written @ ..] => written.iter().any(|word| WRITTEN.contains(word)),
        ["the", "reply" | "answer" | "response", ..] => true,
        _ => false,
    }
}

/// The same, and that they have left: "your reply is on its way".
pub fn is_written(subject: &[&str], said: &[&str]) -> bool {
    // As far as it has come, it may still say so.
    is_ours(subject) && (said.len() < 4 || said.iter().any(|word| LEAVES.contains(word)))
}

/// "… on Monday", "… last week", "… by Tom", but neither "… on its way" nor "… just now".
pub fn is_back_then(words: &[&str]) -> bool {
    let is_now = |word: &&str| matches!(*word, "just" | "now" | "minute" | "second" | "moment");
    let is_then = |(at, word): (usize, &&str)| match *word {
        "on" | "in" | "from" | "at" => {
            let next = words.get(at + 1);
            next.is_some_and(|next| !matches!(*next, "its" | "their" | "your" | "my"))
        }
        word => BACK_THEN.contains(&word) || EXCUSES.contains(&word),
    };
    words.iter().enumerate().any(is_then) && !words.iter().any(is_now)
}

impl Reading {
    /// A claim, unless it says when that was, or who did it.
    pub fn unless_found(self, after: &[&str]) -> Heard {
        if is_back_then(after) || is_excused(after, Whose::Ours, true) {
            Heard::Harmless
        } else {
            self.claimed()
        }
    }

    /// "You're booked from nine to five" is how a day is; "… for Friday" is what was done.
    pub fn you_are(self, words: &[&str]) -> Heard {
        let is_time = |word: &str| AHEAD.contains(&word) || is_number(word);
        match past_adverbs(words) {
            // "You're booked for 3 meetings": so full is a day.
            ["booked" | "scheduled", "for", number, things, ..]
                if is_number(number) && things.ends_with('s') =>
            {
                Heard::Harmless
            }
            ["booked" | "scheduled" | "confirmed"]
            | ["booked" | "scheduled" | "confirmed", "for"]
                if self.is_knowing =>
            {
                self.open()
            }
            ["booked" | "scheduled" | "confirmed", "for", time, after @ ..]
                if self.is_knowing && is_time(time) =>
            {
                let is_excused = after.first().is_some_and(|next| next.starts_with("hour"))
                    || is_excused(after, Whose::Ours, false);
                if is_excused { Heard::Harmless } else { self.claimed() }
            }
            _ => self.present(Whose::Ours, words),
        }
    }

    /// "Tom", who was shown already, "has been invited"; "Dana", who "has your answer".
    pub fn somebody(self, words: &[&str]) -> Heard {
        match past_adverbs(words) {
            [] | ["your"] => self.open(),
            ["been", rest @ ..] => self.somebody_is(past_adverbs(rest)),
            ["your", has, after @ ..] if WRITTEN.contains(has) => self.unless_found(after),
            _ => Heard::Harmless,
        }
    }

    /// "Dana's", who was shown already, "been told".
    pub fn somebodys(self, words: &[&str]) -> Heard {
        match past_adverbs(words) {
            [] => self.open(),
            ["been", rest @ ..] => self.somebody_is(past_adverbs(rest)),
            _ => Heard::Harmless,
        }
    }

    /// "Dana", who "was told that you agree".
    pub fn was_told(self, words: &[&str]) -> Heard {
        match past_adverbs(words) {
            [] => self.open(),
            ["told" | "informed" | "notified" | "emailed" | "messaged", after @ ..] => {
                self.of_you(after)
            }
            _ => Heard::Harmless,
        }
    }

    fn somebody_is(self, words: &[&str]) -> Heard {
        match words {
            [] => self.open(),
            // Whoever is invited stands in the calendar.
            ["invited", ..] if self.is_knowing => Heard::Harmless,
            [
                "notified" | "informed" | "emailed" | "told" | "reminded" | "messaged",
                after @ ..,
            ] if self.is_knowing => match after {
                [] => self.claimed(),
                // "Told to wait" is what a mail says, "told that Friday works" what we would.
                ["that", after @ ..] if !is_excused(after, Whose::Ours, true) => self.claimed(),
                after => self.of_you(after),
            },
            ["invited" | "notified" | "informed" | "emailed" | "told" | "reminded", after @ ..] => {
                if is_excused(after, Whose::Ours, true) {
                    Heard::Harmless
                } else {
                    self.claimed()
                }
            }
            _ => Heard::Harmless,
        }
    }

    /// What somebody was told of the person is our word, unless somebody else gave it.
    fn of_you(self, after: &[&str]) -> Heard {
        let is_of_you =
            after.iter().take(4).any(|word| matches!(*word, "you" | "your" | "you're" | "you'll"));
        match () {
            () if is_back_then(after) || is_excused(after, Whose::Ours, true) => Heard::Harmless,
            () if is_of_you => self.claimed(),
            () if after.len() < 4 => self.open(),
            () => Heard::Harmless,
        }
    }
}
