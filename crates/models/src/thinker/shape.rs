//! Whether something is asked of us to be done, by how it is asked. Pure.
//!
//! No list knows every deed: "get me out of the design review", "make sure Tom knows". So what
//! counts is that we are told or asked to do something about a person, a time or a thing of
//! theirs, and that it is nothing that words alone are: to explain, to compare, to write a poem.

use crate::guard::is_thing;

/// Said to us before what is wanted.
const LEADS: [&str; 18] = [
    "please", "pls", "hey", "hi", "ok", "okay", "so", "well", "sayso", "then", "now", "just",
    "and", "also", "but", "yes", "no", "thanks",
];
/// Another clause begins behind one of these.
const CUTS: [char; 8] = [',', ';', '.', '!', '?', ':', '\n', '—'];
/// What words alone are, and what one asks somebody who can speak.
const SPOKEN: [&str; 113] = [
    "tell",
    "say",
    "explain",
    "describe",
    "compare",
    "summarise",
    "summarize",
    "sum",
    "list",
    "show",
    "find",
    "look",
    "check",
    "see",
    "search",
    "read",
    "count",
    "give",
    "name",
    "define",
    "translate",
    "rewrite",
    "rephrase",
    "reword",
    "word",
    "write",
    "draft",
    "compose",
    "proofread",
    "correct",
    "spell",
    "suggest",
    "recommend",
    "advise",
    "propose",
    "think",
    "consider",
    "imagine",
    "suppose",
    "guess",
    "estimate",
    "judge",
    "rate",
    "rank",
    "choose",
    "pick",
    "decide",
    "help",
    "teach",
    "walk",
    "talk",
    "chat",
    "discuss",
    "answer",
    "ask",
    "repeat",
    "remind",
    "remember",
    "recall",
    "know",
    "believe",
    "understand",
    "hear",
    "be",
    "do",
    "have",
    "like",
    "want",
    "mean",
    "feel",
    "love",
    "hate",
    "agree",
    "prefer",
    "expect",
    "calculate",
    "compute",
    "solve",
    "convert",
    "add",
    "brainstorm",
    "outline",
    "plan",
    "prepare",
    "quote",
    "sing",
    "joke",
    "cheer",
    "wish",
    "respond",
    "sort",
    "order",
    "make",
    "turn",
    "keep",
    "put",
    "set",
    "deal",
    "handle",
    "share",
    "confirm",
    "accept",
    "change",
    "speak",
    "work",
    "wait",
    "stop",
    "try",
    "let",
    "take",
    "analyse",
    "analyze",
    "review",
];
/// Those of them that are a deed where they begin so.
const MADE: [&[&str]; 9] = [
    &["make", "sure"],
    &["make", "room"],
    &["make", "time"],
    &["make", "it", "happen"],
    &["set", "something"],
    &["set", "up"],
    &["put", "something"],
    &["take", "me", "off"],
    &["keep", "me", "out"],
];
/// Nobody begins to ask for a deed with one of these.
const OTHERS: [&str; 77] = [
    "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "you", "you're", "he", "she", "it", "it's",
    "they", "there", "this", "that", "that's", "these", "those", "the", "a", "an", "my", "our",
    "your", "his", "her", "their", "is", "are", "am", "was", "were", "does", "did", "has", "had",
    "can", "could", "would", "will", "should", "shall", "may", "might", "must", "what", "what's",
    "who", "whom", "whose", "when", "where", "which", "why", "how", "if", "because", "not", "for",
    "to", "in", "on", "at", "with", "from", "about", "of", "as", "or", "any", "some", "every",
    "thank", "good", "maybe",
];
/// What is done to, where it is not named.
const OBJECTS: [&str; 20] = [
    "the",
    "my",
    "our",
    "this",
    "that",
    "these",
    "those",
    "it",
    "them",
    "me",
    "us",
    "him",
    "her",
    "everything",
    "something",
    "all",
    "both",
    "a",
    "an",
    "up",
];
/// Whoever or whatever of theirs it is done to, or when.
const THEIRS: [&str; 24] = [
    "me",
    "my",
    "i",
    "i'm",
    "i'll",
    "our",
    "us",
    "we",
    "him",
    "her",
    "them",
    "somebody",
    "someone",
    "everybody",
    "everyone",
    "today",
    "tomorrow",
    "tonight",
    "week",
    "noon",
    "inbox",
    "invites",
    "trip",
    "flight",
];
/// Asked with one of these, it is what we think of it.
const OPINIONS: [&str; 10] = [
    "own",
    "ever",
    "rather",
    "yourself",
    "instead",
    "personally",
    "say",
    "call",
    "recommend",
    "place",
];

/// Whether a clause of it asks for a deed.
pub fn asks_for_deed(heard: &str) -> bool {
    let plain = heard.replace('’', "'");
    let mut is_first = true;
    plain.split(CUTS).any(|clause| {
        let begins = std::mem::replace(&mut is_first, false);
        is_asked(clause, begins)
    })
}

/// Whether a clause asks what we think: "would you send this to your own boss?"
pub fn asks_opinion(heard: &str) -> bool {
    let lower = heard.to_lowercase();
    let words = words_of(&lower);
    let words = past(&words, &LEADS);
    let is_of_us = matches!(words, ["would" | "could", "you", ..]);
    let is_polite = words.iter().any(|word| matches!(*word, "please" | "mind"));
    is_of_us && !is_polite && words.iter().any(|word| OPINIONS.contains(word))
}

fn is_asked(clause: &str, begins: bool) -> bool {
    let lower = clause.to_lowercase();
    let (words, spelled) = (words_of(&lower), words_of(clause));
    let rest = past(&words, &LEADS);
    let has_please =
        words.len() > rest.len() && words[..words.len() - rest.len()].contains(&"please");
    let (rest, is_polite) = match rest {
        ["would" | "do", "you", "mind", rest @ ..] => (rest, true),
        ["can" | "could" | "will" | "would", "you", rest @ ..] => (past(rest, &LEADS), true),
        ["i", "want" | "need", "you", "to", rest @ ..]
        | ["i'd", "like", "you", "to", rest @ ..]
        | ["i", "would", "like", "you", "to", rest @ ..] => (rest, true),
        rest => (rest, has_please || words.last() == Some(&"please")),
    };
    let [verb, behind @ ..] = rest else { return false };
    let is_made = MADE.iter().any(|made| rest.starts_with(made));
    let is_spoken = SPOKEN.contains(verb) || OTHERS.contains(verb);
    // The words as they were spelled stand at the end as well.
    let behind_spelled = &spelled[spelled.len() - behind.len()..];
    let is_name = |word: &&str| word.starts_with(char::is_uppercase) && word.len() > 1;
    let is_theirs = |word: &&str| {
        let one = word.strip_suffix("'s").unwrap_or(word);
        THEIRS.contains(word) || is_thing(one) || is_day(one)
    };
    let is_about = behind.iter().any(is_theirs) || behind_spelled.iter().any(is_name);
    let is_told = begins
        && behind.first().is_some_and(|next| OBJECTS.contains(next))
        && behind.iter().any(is_theirs);
    let is_opinion = asks_opinion(clause);
    !is_opinion && (is_made || !is_spoken) && is_about && (is_polite || is_made || is_told)
}

fn words_of(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.filter(|word| !word.is_empty()).collect()
}

fn past<'a, 'b>(words: &'a [&'b str], known: &[&str]) -> &'a [&'b str] {
    &words[words.iter().take_while(|word| known.contains(word)).count()..]
}

fn is_day(word: &str) -> bool {
    word.ends_with("day") && word.len() > 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_is_known_by_how_it_is_asked_for() {
        for heard in [
            "Tom seems stressed, could you set something relaxing up with him next week?",
            "please get the invoice thing out of the way",
            "can you make sure Tom knows I'm late?",
            "could you get me out of the design review?",
            "get me out of the design review",
            "bump my lunch to one",
            "would you please tidy up my inbox",
            "clear my Friday",
            "would you mind nudging Dana about the board deck",
            "I need you to chase Leo for the invoice",
            "could you squeeze Ana in tomorrow",
            "hey Sayso, free up my Thursday please",
            "make sure Tom knows that I'm late",
        ] {
            assert!(asks_for_deed(heard), "{heard}");
        }
    }

    #[test]
    fn what_asks_for_words_or_an_opinion_is_no_deed() {
        for heard in [
            "would you send this to your own boss?",
            "would you ever cancel on Tom?",
            "what would you say to Dana",
            "can you explain my calendar to me",
            "could you compare what Priya and Sam say about Heron",
            "please summarise the mail from Dana",
            "why did you make it so short, and what exactly did you do?",
            "can you swim?",
            "could you be wrong about my Friday?",
            "please be brief",
            "the meeting with Tom was fun",
            "I already emailed Tom",
            "Tom said to send it",
            "my boss said book a room for noon",
            "should we move to Berlin",
            "solve the equation",
            "fix this sentence",
            "can you help me with my essay",
            "how do I get out of a meeting?",
            "do you think Tom knows?",
        ] {
            assert!(!asks_for_deed(heard), "{heard}");
        }
    }
}
