//! "What was that?": somebody did not hear what was said, and wants it again.
//!
//! Only whole sentences count; who asks more than that asks something else.

use brain::resolve::words::{Word, words};

use super::vocabulary::is_any;

const ASKED: &[&str] = &[
    "again",
    "what was that",
    "what is that again",
    "what did you say",
    "what did you just say",
    "what were you saying",
    "what were you going to say",
    "say that again",
    "say it again",
    "say again",
    "can you say that again",
    "could you say that again",
    "can you repeat that",
    "could you repeat that",
    "would you repeat that",
    "repeat",
    "repeat that",
    "repeat it",
    "come again",
    "pardon",
    "pardon me",
    "i beg your pardon",
    "sorry what",
    "sorry what was that",
    "sorry what did you say",
    "what",
    "i did not hear that",
    "i did not catch that",
    "i did not get that",
    "i missed that",
    "i did not hear you",
    "finish what you were saying",
    "say that one more time",
    "say that once more",
    "say it once more",
    "repeat what you said",
    "repeat your answer",
    "repeat the question",
    "tell me again",
    "tell me that again",
    "one more time",
    "once more",
];

const BEFORE: &[&str] = &["sorry", "um", "uh", "wait", "hey", "sayso", "okay", "and", "so", "oh"];
const BEHIND: &[&str] = &["please", "sorry", "sayso", "again", "thanks"];

/// Whether that is all that is wanted.
pub fn asked(heard: &str) -> bool {
    is_all(&words(heard))
}

pub(super) fn is_all(said: &[Word]) -> bool {
    if said.iter().any(|word| word.quoted) {
        return false;
    }
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let mut rest = texts.as_slice();
    loop {
        if ASKED.contains(&rest.join(" ").as_str()) {
            return true;
        }
        rest = match rest {
            [first, behind @ ..] if is_any(first, BEFORE) => behind,
            [before @ .., last] if is_any(last, BEHIND) => before,
            _ => return false,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_did_not_hear_it_asks_again() {
        for heard in [
            "What was that?",
            "Sorry, what was that?",
            "Wait, what did you say?",
            "Could you say that again, please?",
            "I didn't catch that.",
            "Pardon?",
            "what?",
            "Um, again please",
        ] {
            assert!(asked(heard), "{heard}");
        }
    }

    #[test]
    fn whoever_asks_for_more_than_that_asks_something_else() {
        for heard in [
            "",
            "uh huh",
            "please",
            "sorry",
            "What was that mail about?",
            "What did you say to Tom?",
            "Say that again to Priya.",
            "go on",
            "go on Thursday",
            "Move it again",
            "tell tom \"say that again\"",
        ] {
            assert!(!asked(heard), "{heard}");
        }
    }
}
