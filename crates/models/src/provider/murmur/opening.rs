//! How a thought begins that came as text, and how it ends. Pure.

use std::ops::Range;

/// What an answer begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// A mark that opens a thought.
    Marked,
    /// What models say to themselves, and hardly ever to people.
    Thought,
    Words,
    /// More has to come first.
    Unclear,
}

/// What opens a thought, by who makes such models: Qwen and `DeepSeek`, those who imitate them,
/// Mistral, Seed, Kimi, Gemma, and OpenAI's open ones.
const BEGINS: [&str; 9] = [
    "<think>",
    "<thinking>",
    "<thought>",
    "<reasoning>",
    "[THINK]",
    "<seed:think>",
    "◁think▷",
    "<|channel>thought",
    "<|channel|>analysis",
];
/// And what ends it.
const ENDS: [&str; 10] = [
    "</think>",
    "</thinking>",
    "</thought>",
    "</reasoning>",
    "[/THINK]",
    "</seed:think>",
    "◁/think▷",
    "<channel|>",
    "<|channel|>final<|message|>",
    // Where the marks of the last one were left out and the names between them were not.
    FINAL,
];

/// What marks begin with.
pub const SIGNS: [char; 3] = ['<', '[', '◁'];

/// "analysisThe user asks …assistantfinalIt is blue."
const ANALYSIS: &str = "analysis";
const FINAL: &str = "assistantfinal";

/// Said before one begins.
const FILLERS: [&str; 10] =
    ["okay", "ok", "alright", "all right", "hmm", "hm", "so", "well", "now", "first"];
/// How one goes on who talks about whom it talks to, or about what to say.
const ABOUT: [(&str, &[&str]); 8] = [
    ("the user", &USER_DOES),
    // As our own prompt calls them.
    ("the person", &USER_DOES),
    ("user", &["asks", "asked", "wants", "says", "said", "is asking"]),
    ("we need to", &ANSWERS),
    ("we should", &ANSWERS),
    ("i need to", &ANSWERS),
    ("i should", &ANSWERS),
    ("let me", &["think", "recall", "figure", "start by", "break this", "analyze"]),
];
const USER_DOES: [&str; 20] = [
    "is",
    "has",
    "wants",
    "wanted",
    "asks",
    "asked",
    "says",
    "said",
    "just",
    "wrote",
    "sent",
    "might",
    "may",
    "seems",
    "needs",
    "would",
    "greeted",
    "mentioned",
    "probably",
    "likely",
];
const ANSWERS: [&str; 10] = [
    "answer",
    "respond",
    "reply",
    "figure",
    "recall",
    "determine",
    "parse",
    "output",
    "produce",
    "think",
];

/// `may_sound`: what only sounds like a thought may be one.
pub fn opening(text: &str, may_sound: bool) -> Opening {
    let text = text.trim_start();
    if BEGINS.iter().any(|mark| text.starts_with(mark)) {
        return Opening::Marked;
    }
    if text.is_empty() || BEGINS.iter().any(|mark| mark.starts_with(text)) {
        return Opening::Unclear;
    }
    if let Some(rest) = text.strip_prefix(ANALYSIS) {
        return match rest.chars().next() {
            None => Opening::Unclear,
            Some(c) if c.is_uppercase() => Opening::Marked,
            Some(_) => Opening::Words,
        };
    }
    if ANALYSIS.starts_with(text) {
        return Opening::Unclear;
    }
    if may_sound { sounds(&plain(text)) } else { Opening::Words }
}

/// Small letters with one blank between words and nothing else.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in text.to_lowercase().chars() {
        if c.is_alphanumeric() {
            plain.push(c);
        } else if !plain.ends_with(' ') && !plain.is_empty() && !matches!(c, '\'' | '’') {
            plain.push(' ');
        }
    }
    plain
}

fn sounds(text: &str) -> Opening {
    let mut rest = text;
    while let Some(shorter) = FILLERS.iter().find_map(|filler| word_in(rest, filler)) {
        rest = shorter;
    }
    let is_half = |whole: &str| whole.starts_with(rest);
    if FILLERS.iter().any(|filler| is_half(filler)) || ABOUT.iter().any(|(who, _)| is_half(who)) {
        return Opening::Unclear;
    }
    let Some((behind, does)) =
        ABOUT.iter().find_map(|(who, does)| Some((word_in(rest, who)?, does)))
    else {
        return Opening::Words;
    };
    if does.iter().any(|word| word_in(behind, word).is_some()) {
        Opening::Thought
    } else if does.iter().any(|word| word.starts_with(behind)) {
        Opening::Unclear
    } else {
        Opening::Words
    }
}

/// What stands behind `word`, where `text` begins with it.
fn word_in<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.strip_prefix(word)?.strip_prefix(' ')
}

/// The mark with which the first thought that ends in `text` is over.
pub fn find_end(text: &str) -> Option<Range<usize>> {
    let at = |end: &&str| text.find(end).map(|from| from..from + end.len());
    ENDS.iter().filter_map(at).min_by_key(|mark| mark.end)
}

/// Whether that stands behind a mark of which somebody speaks: its sentence goes on. An answer
/// behind a thought begins on a line of its own, or with a word.
pub fn is_quoted(behind: &str) -> bool {
    behind.chars().next().is_some_and(|c| c != '\n' && !c.is_alphanumeric())
}

/// Whether one begins in `text`.
pub fn has_begin(text: &str) -> bool {
    BEGINS.iter().any(|mark| text.contains(mark))
}

/// So long an end may be.
pub fn longest_end() -> usize {
    ENDS.iter().map(|end| end.len()).max().unwrap_or(0)
}
