//! Whether an answer to an open card is a yes.
//!
//! Conservative on purpose: a yes that was missed costs a second one, a yes
//! that was imagined sends a mail. Words of refusal win over words of consent,
//! and any hedge, question, negation or unknown word keeps it from being one.

use brain::resolve::words::{Word, words};

/// How an answer to a card is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    Accept,
    Reject,
    /// It is to be changed first.
    Edit,
    /// More is wanted before deciding: "who is it going to?"
    Explain,
    Unclear,
}

/// Any of these, anywhere, is a no. Mixed with consent it is nothing.
const NO: &[&str] = &[
    "no",
    "nope",
    "nah",
    "stop",
    "cancel",
    "abort",
    "reject",
    "decline",
    "nevermind",
    "discard",
    "scrap",
    "delete",
    "quit",
    "forget",
    "drop",
];
const NO_PHRASES: &[&[&str]] = &[
    &["never", "mind"],
    &["do", "not"],
    &["not", "now"],
    &["not", "yet"],
    &["leave", "it"],
    &["hold", "off"],
    &["no", "way"],
    &["skip", "it"],
    &["rather", "not"],
];

/// Something about it is to be different.
const EDIT: &[&str] = &[
    "change",
    "edit",
    "instead",
    "make",
    "add",
    "remove",
    "replace",
    "fix",
    "rename",
    "move",
    "shorter",
    "longer",
    "friendlier",
    "formal",
    "reword",
    "rewrite",
    "adjust",
    "update",
    "revise",
    "tweak",
    "without",
    "include",
];

const ASKS: &[&str] = &[
    "what", "who", "whom", "when", "where", "why", "how", "which", "whose", "explain", "show",
    "read", "repeat", "details",
];

/// Doubt. Nothing with one of these is a yes.
const HEDGES: &[&str] = &[
    "maybe", "perhaps", "but", "if", "unless", "probably", "possibly", "guess", "think", "wait",
    "hold", "hmm", "hm", "mhm", "mm", "mmm", "uh", "um", "later", "almost", "except", "not",
    "never", "unsure", "should", "could", "would", "might", "suppose", "dunno", "actually",
    "until", "before", "after", "though", "however", "pause", "hang", "second", "minute", "moment",
    "or", "cannot", "can",
];

/// A yes or an order. Praise is neither: "looks good" may be said of a draft
/// that is to stay one.
const YES: &[&[&str]] = &[
    &["yes"],
    &["yeah"],
    &["yep"],
    &["yup"],
    &["sure"],
    &["confirm"],
    &["confirmed"],
    &["approved"],
    &["approve"],
    &["absolutely"],
    &["definitely"],
    &["send", "it"],
    &["send", "that"],
    &["send", "them"],
    &["book", "it"],
    &["do", "it"],
    &["do", "that"],
    &["go", "ahead"],
    &["go", "for", "it"],
    &["ship", "it"],
    &["of", "course"],
    &["please", "do"],
    &["looks", "good", "go"],
    &["ok", "go"],
    &["okay", "go"],
    &["ok", "send"],
    &["okay", "send"],
    &["ready", "send"],
    &["good", "to", "go"],
    &["sure", "thing"],
];
/// What may stand beside a yes without changing it.
const ALONGSIDE: &[&str] = &[
    "please", "ok", "okay", "great", "perfect", "thanks", "thank", "you", "it", "that", "is",
    "looks", "sounds", "good", "fine", "go", "ahead", "send", "now", "the", "mail", "email",
    "away", "right", "all", "lovely", "nice", "and", "sayso", "very", "much", "off", "out", "yes",
    "do", "just", "reply", "invite", "meeting", "sure", "i", "am", "cool", "alright", "awesome",
];

/// Reads an answer to an open card.
pub fn read(text: &str) -> Consent {
    let found = words(text);
    // Words in quotation marks are not the person's own.
    if found.is_empty() || found.iter().any(|word| word.quoted) {
        return Consent::Unclear;
    }
    let texts: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
    let any = |list: &[&str]| texts.iter().any(|text| list.contains(text));
    let no = any(NO) || NO_PHRASES.iter().any(|phrase| says(&texts, phrase));
    let yes = YES.iter().any(|phrase| says(&texts, phrase));
    let asks = is_question(&found);
    let edits = any(EDIT);

    if no && edits {
        return if any(&["cancel", "stop", "abort", "forget"]) {
            Consent::Reject
        } else {
            Consent::Edit
        };
    }
    if no {
        // "Yes, no, wait": whatever that is, nothing is sent.
        return if yes && starts_with_yes(&texts) { Consent::Unclear } else { Consent::Reject };
    }
    if asks {
        return if any(ASKS) { Consent::Explain } else { Consent::Unclear };
    }
    if edits {
        return Consent::Edit;
    }
    let plain = texts.len() <= 8
        && !any(HEDGES)
        && texts.iter().enumerate().all(|(at, text)| {
            ALONGSIDE.contains(text) || YES.iter().any(|phrase| covers(&texts, phrase, at))
        });
    if yes && plain { Consent::Accept } else { Consent::Unclear }
}

fn is_question(words: &[Word]) -> bool {
    words.iter().any(|word| word.stop == Some('?'))
        || words.first().is_some_and(|first| {
            ASKS.contains(&first.text.as_str())
                || matches!(
                    first.text.as_str(),
                    "is" | "are" | "did" | "does" | "can" | "could" | "will" | "would" | "should"
                )
        })
}

fn starts_with_yes(texts: &[&str]) -> bool {
    matches!(texts.first(), Some(&("yes" | "yeah" | "yep" | "sure" | "ok" | "okay")))
}

fn says(texts: &[&str], phrase: &[&str]) -> bool {
    texts.windows(phrase.len()).any(|window| window == phrase)
}

/// Is the word at this place part of that phrase?
fn covers(texts: &[&str], phrase: &[&str], at: usize) -> bool {
    texts
        .windows(phrase.len())
        .enumerate()
        .any(|(start, window)| window == phrase && (start..start + phrase.len()).contains(&at))
}

#[cfg(test)]
#[path = "consent_tests.rs"]
mod tests;
