//! Something worth keeping that is said in passing: "by the way, I'm vegetarian".
//!
//! What lasts is worth an offer, what is true for today is not. Whoever begins
//! with "by the way" wants to be heard; without that only a few kinds of sentence
//! about oneself count, so that small talk is not answered with a card.

use brain::resolve::words::Word;

use super::phrases::VERBS;
use super::says;
use crate::reflex::sentence::{self, behind};
use crate::reflex::vocabulary::is_any;

/// Each says that something is told and nothing asked for.
const ASIDES: &[&[&str]] = &[
    &["by", "the", "way"],
    &["btw"],
    &["fyi"],
    &["for", "your", "information"],
    &["just", "so", "you", "know"],
    &["so", "you", "know"],
    &["for", "the", "record"],
    &["for", "future", "reference"],
    &["incidentally"],
];

/// How people speak of what they are and like, for good.
const LASTING: &[&[&str]] = &[
    &["i", "am", "vegetarian"],
    &["i", "am", "a", "vegetarian"],
    &["i", "am", "vegan"],
    &["i", "am", "a", "vegan"],
    &["i", "am", "allergic", "to"],
    &["i", "am", "lactose", "intolerant"],
    &["i", "am", "left", "handed"],
    &["i", "am", "colour", "blind"],
    &["i", "am", "color", "blind"],
    &["i", "am", "diabetic"],
    &["i", "prefer"],
    &["i", "always", "prefer"],
    &["i", "do", "not", "eat"],
    &["i", "do", "not", "drink"],
    &["i", "never", "eat"],
    &["i", "never", "drink"],
    &["i", "can", "not", "stand"],
    &["i", "live", "in"],
    &["my", "birthday", "is"],
    &["my", "favourite"],
    &["my", "favorite"],
    &["my", "wife", "is", "called"],
    &["my", "husband", "is", "called"],
    &["my", "partner", "is", "called"],
    &["my", "daughter", "is", "called"],
    &["my", "son", "is", "called"],
    &["my", "dog", "is", "called"],
    &["my", "cat", "is", "called"],
];

/// Words that make a sentence one about today, or one about us.
const PASSING: &[&str] = &[
    "today",
    "tonight",
    "tomorrow",
    "yesterday",
    "now",
    "currently",
    "this",
    "that",
    "it",
    "you",
    "your",
    "moment",
    "late",
    "later",
    "soon",
    "just",
    "should",
    "would",
    "could",
    "please",
];

/// More is a story.
const LONGEST: usize = 20;

/// The statement in it, where there is one that lasts.
pub fn fact(words: &[Word]) -> Option<&[Word]> {
    let last = words.last()?;
    if last.stop == Some('?') || words.iter().any(|word| word.quoted) {
        return None;
    }
    let said = sentence::without_greeting(words);
    let aside = ASIDES.iter().find_map(|lead| behind(said, lead));
    let fact = aside.unwrap_or(said);
    let one = fact[..fact.len() - 1].iter().all(|word| !matches!(word.stop, Some('.' | '!' | '?')));
    let lasts = !fact.iter().any(|word| is_any(&word.text, PASSING));
    let states = match aside {
        Some(_) => {
            let first = &fact[0].text;
            fact.len() > 2
                && !is_any(first, NO_SUBJECT)
                && fact[1..].iter().any(|word| is_any(&word.text, VERBS))
        }
        None => LASTING.iter().any(|lead| starts(fact, lead)),
    };
    (one && lasts && states && fact.len() <= LONGEST).then_some(fact)
}

/// What begins so asks, wants something done, or speaks of what was said before.
const NO_SUBJECT: &[&str] = &[
    "what", "when", "where", "who", "how", "which", "why", "did", "do", "does", "can", "is", "are",
    "am", "was", "were", "has", "have", "had", "will", "if", "then", "and", "but", "so", "no",
    "yes", "he", "she", "they", "there", "send", "book", "tell", "ask", "write", "reply", "email",
    "mail", "cancel", "delete", "call", "show", "read", "check", "open", "find", "put", "add",
    "set", "move", "schedule", "like", "love", "need",
];

fn starts(words: &[Word], lead: &[&str]) -> bool {
    words.len() >= lead.len() && says(&words[..lead.len()], lead)
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;

    fn said(text: &str) -> Option<String> {
        let words = words(text);
        let fact = fact(&words)?;
        Some(text[fact[0].start..fact[fact.len() - 1].end].to_owned())
    }

    #[test]
    fn what_lasts_is_worth_an_offer() {
        let cases = [
            ("By the way, I'm vegetarian.", "I'm vegetarian"),
            ("btw Tom is allergic to nuts", "Tom is allergic to nuts"),
            (
                "Just so you know, the office moved to Fell Street",
                "the office moved to Fell Street",
            ),
            ("I prefer mornings", "I prefer mornings"),
            ("I don't eat meat", "I don't eat meat"),
            ("my birthday is on May 3", "my birthday is on May 3"),
        ];
        for (text, expected) in cases {
            assert_eq!(said(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn small_talk_and_requests_are_not() {
        let none = [
            "I'm tired",
            "by the way, I'm late today",
            "by the way, is Tom vegetarian?",
            "btw send Tom the notes",
            "by the way",
            "I like it",
            "I prefer this one",
            "by the way he is nice",
            "I'm vegetarian. Tom is not.",
        ];
        for text in none {
            assert_eq!(said(text), None, "{text}");
        }
    }
}
