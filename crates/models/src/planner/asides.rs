//! What we say while somebody thinks, and how a model is kept from saying it too. Pure.
//!
//! Acknowledgements and fillers are ours. A model that finds them among its own words repeats
//! them, so it is not told of them; and where it begins with one all the same, that was said.

/// Said at once.
pub const TO_A_QUESTION: &str = "Let me think about that.";
pub const TO_A_REQUEST: &str = "Let me see what I can do.";
/// Said into a silence.
pub const STILL_THINKING: &str = "Still thinking.";
pub const TAKES_A_MOMENT: &str = "This one takes me a moment.";
pub const STILL_LOOKING: &str = "Still looking.";

const ALL: [&str; 5] = [TO_A_QUESTION, TO_A_REQUEST, STILL_THINKING, TAKES_A_MOMENT, STILL_LOOKING];

/// How the rules begin before they have looked: "Checking tomorrow."
const LOOKING: [&str; 9] = [
    "Checking",
    "Looking",
    "Searching",
    "Reading",
    "Opening",
    "Writing",
    "On it",
    "Let me look",
    "Let me think back",
];
/// An acknowledgement has at most so many words.
const MOST_WORDS: usize = 8;

/// What was told, without what was only said until it could be.
pub fn without(text: &str) -> String {
    let mut rest = text.trim().to_owned();
    if let Some((first, behind)) = rest.split_once(". ")
        && LOOKING.iter().any(|looking| first.starts_with(looking))
        && first.split_whitespace().count() <= MOST_WORDS
    {
        rest = behind.trim_start().to_owned();
    }
    for aside in ALL {
        while let Some(at) = place_of(&rest, aside) {
            let (before, behind) = (rest[..at].trim_end(), rest[at + aside.len()..].trim_start());
            let space = if before.is_empty() || behind.is_empty() { "" } else { " " };
            rest = format!("{before}{space}{behind}");
        }
    }
    rest
}

/// Where it stands as a sentence of its own.
fn place_of(text: &str, aside: &str) -> Option<usize> {
    let mut places = text.match_indices(aside).map(|(at, _)| at);
    places.find(|at| {
        let before = text[..*at].trim_end();
        let behind = &text[at + aside.len()..];
        (before.is_empty() || before.ends_with(['.', '!', '?', '…', ':']))
            && (behind.is_empty() || behind.starts_with(char::is_whitespace))
    })
}

/// Holds back the beginning of an answer as long as it may be one of ours.
#[derive(Debug, Default)]
pub struct Echo {
    held: String,
    is_over: bool,
}

impl Echo {
    /// What may be said now.
    pub fn take(&mut self, words: &str) -> String {
        if self.is_over {
            return words.to_owned();
        }
        self.held.push_str(words);
        loop {
            let begun = self.held.trim_start();
            if let Some(rest) = ALL.iter().find_map(|aside| strip(begun, aside)) {
                self.held = rest.to_owned();
            } else if ALL.iter().any(|aside| begins(aside, begun)) {
                return String::new();
            } else {
                self.is_over = true;
                return std::mem::take(&mut self.held);
            }
        }
    }

    /// There is no more.
    pub fn finish(&mut self) -> String {
        self.is_over = true;
        std::mem::take(&mut self.held)
    }
}

/// The same words, whatever ends them: "Let me think about that… "
fn strip<'a>(text: &'a str, aside: &str) -> Option<&'a str> {
    let words = aside.trim_end_matches('.');
    let head = text.get(..words.len()).filter(|head| head.eq_ignore_ascii_case(words))?;
    let rest = &text[head.len()..];
    let behind = rest.trim_start_matches(['.', '…', '!', ',']);
    (behind.len() < rest.len()).then_some(behind)
}

fn begins(aside: &str, text: &str) -> bool {
    let words = aside.trim_end_matches('.');
    words.get(..text.len()).is_some_and(|head| head.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_not_told_that_it_said_what_we_say_meanwhile() {
        for (text, expected) in [
            (
                "Let me think about that. Because air scatters blue light.",
                "Because air scatters blue light.",
            ),
            ("Let me see what I can do. Still thinking. Here it is.", "Here it is."),
            (
                "Let me think about that. Half of it. Still looking. The rest.",
                "Half of it. The rest.",
            ),
            ("Checking tomorrow. Four meetings.", "Four meetings."),
            ("Let me think about that.", ""),
            ("He said: I am Still thinking.", "He said: I am Still thinking."),
            (
                "Checking is half of the work that anybody ever does here. Yes.",
                "Checking is half of the work that anybody ever does here. Yes.",
            ),
        ] {
            assert_eq!(without(text), expected);
        }
    }

    fn through(pieces: &[&str]) -> String {
        let mut echo = Echo::default();
        let mut said: String = pieces.iter().map(|piece| echo.take(piece)).collect();
        said.push_str(&echo.finish());
        said
    }

    #[test]
    fn what_was_just_said_is_not_said_twice() {
        for (pieces, expected) in [
            (&["Let me ", "think about", " that. Because ", "of air."][..], " Because of air."),
            (&["let me think about that…", " Well."], " Well."),
            (
                &["Still thinking. ", "Let me see what I can do. ", "Done with it."],
                " Done with it.",
            ),
            (&["Let me ", "explain."], "Let me explain."),
            (&["Let me think about that rock."], "Let me think about that rock."),
            (&["Let me think about that."], ""),
            (&["Let"], "Let"),
        ] {
            assert_eq!(through(pieces), expected);
        }
    }
}
