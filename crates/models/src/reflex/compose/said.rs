//! Whether words stand for a message or only for a thing to send.

use crate::reflex::vocabulary::is_any;

/// "The demo works" is a sentence, "the big demo" is a thing.
const HAPPENS: &[&str] = &[
    "agreed",
    "arrived",
    "begins",
    "called",
    "canceled",
    "cancelled",
    "paid",
    "replied",
    "signed",
    "broke",
    "came",
    "changed",
    "crashed",
    "ended",
    "ends",
    "failed",
    "fails",
    "fell",
    "fits",
    "helped",
    "helps",
    "landed",
    "left",
    "moved",
    "opened",
    "opens",
    "started",
    "starts",
    "stopped",
    "stops",
    "went",
    "worked",
    "works",
];
const STARTS: &[&str] = &[
    "i",
    "we",
    "you",
    "he",
    "she",
    "they",
    "it",
    "there",
    "thanks",
    "thx",
    "here",
    "thank",
    "can",
    "could",
    "please",
    "sorry",
    "yes",
    "no",
    "lets",
    "see",
    "happy",
    "congratulations",
    "are",
    "is",
    "do",
    "will",
    "would",
];

/// "The news", "your number": a thing, not a sentence.
pub fn is_thing(words: &[&str]) -> bool {
    let short = match words {
        [_, _, last] => !is_any(last, HAPPENS),
        _ => words.len() < 3,
    };
    match words.first() {
        Some(first) => {
            short && is_any(first, &["the", "a", "an", "my", "our", "your"]) || words == ["hello"]
        }
        None => false,
    }
}

/// Does a sentence begin here, as in "email Tom I'm late"?
pub fn is_sentence(words: &[&str]) -> bool {
    words.first().is_some_and(|first| is_any(first, STARTS)) || is_about_something(words)
}

/// "The drawings are ready": a thing, and soon what it is.
fn is_about_something(words: &[&str]) -> bool {
    const IS: &[&str] = &[
        "is", "are", "was", "were", "will", "has", "have", "can", "looks", "look", "sounds",
        "seems", "feels", "needs", "does", "did", "should", "could", "would",
    ];
    let [the, rest @ ..] = words else { return false };
    let until = rest.iter().take(4).take_while(|text| !is_any(text, &["that", "which", "who"]));
    let happens = |text: &&str| is_any(text, IS) || is_any(text, HAPPENS);
    is_any(the, &["the", "my", "our"]) && until.skip(1).any(happens)
}

/// "That day works": it points at a day, it does not introduce the words.
pub fn points(words: &[&str]) -> bool {
    match words {
        ["that", "day" | "time" | "date" | "one" | "week", verb, ..] => {
            is_any(verb, &["works", "sounds", "suits", "fits", "would", "does"])
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_has_nothing_said_about_it() {
        for (text, sentence) in [
            ("the drawings are ready", true),
            ("the notes that are ready", false),
            ("i am late", true),
            ("the notes", false),
            ("the fix looks good", true),
            ("the new demo works", true),
            ("our last photos", false),
        ] {
            assert_eq!(is_sentence(&text.split(' ').collect::<Vec<_>>()), sentence, "{text}");
        }
        for (text, thing) in
            [("the news", true), ("the big demo", true), ("the demo works", false), ("hello", true)]
        {
            assert_eq!(is_thing(&text.split(' ').collect::<Vec<_>>()), thing, "{text}");
        }
    }
}
