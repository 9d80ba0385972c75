//! A mail is to be worded otherwise, and nobody said in which words: "make it friendlier", "fix
//! the typos", "translate it to German". No rule finds other words; a model may.

use super::change::Wish;
use crate::reflex::vocabulary::is_any;
use crate::reflex::wording::{BESIDE, LANGUAGES, MANNERS, TONES};

/// What is asked for in so many words at most.
const LONGEST: usize = 14;
/// Verbs that want other words whatever stands behind the mail.
const REWORDS: &[&str] = &[
    "shorten",
    "lengthen",
    "expand",
    "soften",
    "polish",
    "proofread",
    "simplify",
    "tighten",
    "trim",
    "condense",
    "translate",
    "improve",
    "rephrase",
    "reword",
    "rewrite",
    "redo",
    "rework",
    "spellcheck",
    "paraphrase",
];
/// Verbs that do where it is said how.
const PUTS: &[&str] =
    &["make", "keep", "have", "let", "put", "say", "phrase", "word", "write", "turn", "tone"];
const IT: &[&str] = &["it", "that", "this"];
const TEXTS: &[&str] =
    &["text", "message", "body", "wording", "mail", "email", "reply", "note", "tone", "draft"];
const SLIPS: &[&str] =
    &["typo", "typos", "spelling", "grammar", "mistakes", "punctuation", "errors", "wording"];
/// How it is not to be, beside what it is to be.
const FLAWS: &[&str] = &[
    "stiff",
    "stilted",
    "cold",
    "harsh",
    "rude",
    "blunt",
    "wordy",
    "pushy",
    "robotic",
    "defensive",
    "aggressive",
    "passive",
    "dry",
    "boring",
    "clumsy",
    "awkward",
    "vague",
    "desperate",
    "needy",
    "positive",
    "confident",
    "human",
    "natural",
    "direct",
    "clear",
    "clearer",
    "better",
    "different",
    "assertive",
    "softer",
    "stronger",
    "simpler",
];
/// What leads how it is to be.
const LEADS: &[&str] = &["sound", "sounds", "read", "be", "feel", "look", "come", "across", "like"];

/// Is the mail to be worded otherwise, and no more than that?
pub fn is_wanted(wish: &Wish<'_>) -> bool {
    let texts = wish.texts();
    let is_told = wish.words.iter().any(|word| word.quoted)
        || wish.words.first().zip(wish.words.last()).is_some_and(|(first, last)| {
            wish.heard.get(first.start..last.end).is_none_or(|said| said.contains(':'))
        });
    !is_told && texts.len() <= LONGEST && is_style(&texts)
}

fn is_style(texts: &[&str]) -> bool {
    match texts {
        ["fix" | "correct" | "check" | "mend", rest @ ..] => {
            let little = ["the", "my", "any", "all", "its", "and", "in", "it", "of", "those"];
            let is_slip = |text: &&str| is_any(text, SLIPS);
            rest.iter().any(is_slip)
                && rest.iter().all(|text| is_slip(text) || is_any(text, &little))
        }
        ["tone", "it", "down", ..] | ["tone" | "spice", "it", "up"] => true,
        [verb, rest @ ..] if is_any(verb, REWORDS) => {
            let Some(behind) = behind_it(rest) else { return false };
            behind.is_empty()
                || is_how(behind)
                || matches!(behind, ["to" | "into" | "in", language] if is_any(language, &LANGUAGES))
        }
        [verb, rest @ ..] if is_any(verb, PUTS) => match behind_it(rest) {
            Some(["in" | "into", language]) => is_any(language, &LANGUAGES),
            Some(behind) => is_how(behind),
            None => false,
        },
        // "That's too formal", "it sounds stiff": what is wrong with it.
        [it, "is" | "sounds" | "reads" | "feels", rest @ ..] if is_any(it, IT) => is_how(rest),
        ["more" | "less" | "a" | "not" | "too" | "sound", ..] => is_how(texts),
        _ => false,
    }
}

/// What stands behind "it" or "the text".
fn behind_it<'a>(texts: &'a [&'a str]) -> Option<&'a [&'a str]> {
    match texts {
        ["the" | "my" | "this" | "that", "whole" | "entire", text, rest @ ..]
        | ["the" | "my" | "this" | "that", text, rest @ ..]
            if is_any(text, TEXTS) =>
        {
            Some(rest)
        }
        [it, rest @ ..] if is_any(it, IT) => Some(rest),
        _ => None,
    }
}

/// Words for how it is to be, and none besides.
fn is_how(texts: &[&str]) -> bool {
    let is_tone =
        |text: &str| is_any(text, &TONES) || is_any(text, FLAWS) || is_any(text, &MANNERS);
    let little = |text: &str| {
        is_any(text, &BESIDE)
            || is_any(text, LEADS)
            || is_any(
                text,
                &["to", "so", "lot", "bit", "much", "way", "tone", "in", "slightly", "even"],
            )
    };
    texts.iter().any(|text| is_tone(text)) && texts.iter().all(|text| is_tone(text) || little(text))
}

#[cfg(test)]
mod tests {
    use super::super::tests::said_of as said;
    use super::super::wants_other_words;

    #[test]
    fn a_mail_that_is_to_be_worded_otherwise_is_for_whoever_finds_words() {
        let world = crate::corpus::world();
        for heard in [
            "make it friendlier",
            "make it sound less stiff",
            "shorten it",
            "make it shorter",
            "make it more formal",
            "a bit warmer please",
            "can you put that more politely",
            "translate it to German",
            "fix the typos",
            "rewrite it",
            "it sounds too stiff",
            "no, make the text shorter",
            "keep it short and polite",
            "say it in French",
        ] {
            assert!(wants_other_words(heard, &world), "{heard}");
            assert_eq!(said(heard, "See you on Friday."), "cannot", "{heard}");
        }
    }

    #[test]
    fn words_that_are_told_are_taken_as_they_are() {
        let world = crate::corpus::world();
        for heard in ["make it shorter: see you", "make it say see you soon", "say it nicer: bye"] {
            assert!(said(heard, "See you on Friday.").starts_with("revise"), "{heard}");
            assert!(!wants_other_words(heard, &world), "{heard}");
        }
        for heard in ["change it", "make it four", "fix the budget", "change it to gorgeous", "yes"]
        {
            assert!(!wants_other_words(heard, &world), "{heard}");
        }
    }
}
