//! The words by which a claim is known. Whatever is not in here decides at once that a
//! sentence is none, as far as it has come.

use super::verbs::{self, ANSWERING, STRONG, WEAK};
use super::{abroad, phrases, plans};

/// What reaches somebody, of what is ours, beside the verbs of `verbs`. Of other things it is said in any lecture.
const REACHING: [&str; 7] =
    ["notified", "informed", "texted", "paid", "wired", "delivered", "reminded"];

/// What is agreed upon with somebody, or found out.
pub const AGREED: [&str; 4] = ["confirmed", "accepted", "declined", "shared"];

/// What is kept or given back.
const KEPT: [&str; 4] = ["remembered", "cleared", "forgotten", "refunded"];

/// The same, of oneself alone.
pub const MINE: [&str; 4] = ["called", "phoned", "messaged", "pinged"];

/// What is said to somebody. Said to the person, or of a question, it is no deed.
pub const SAID: [&str; 3] = ["told", "answered", "wrote"];

/// What one does before, and tells of it: "I found her mail and …", "Looked it up, …".
pub const LOOKED: [&str; 23] = [
    "found", "looked", "checked", "read", "searched", "went", "opened", "scanned", "skimmed",
    "reviewed", "wrote", "drafted", "prepared", "composed", "picked", "chose", "took", "had",
    "thought", "got", "gone", "put", "made",
];

/// Those that also tell somebody to do it: "Put it in the oven and …".
pub const PUT: [&str; 8] = ["read", "took", "had", "thought", "got", "gone", "put", "made"];

/// What one believes is said of others: "I noticed Tom moved it and sent a mail".
pub const BELIEVED: [&str; 12] = [
    "noticed", "believed", "learned", "assumed", "guessed", "wanted", "needed", "hoped", "wished",
    "supposed", "expected", "asked",
];

/// Behind one of these somebody else does something: "I found that Dana sent it".
pub const CLAUSES: [&str; 25] = [
    "that", "which", "who", "whom", "where", "what", "how", "why", "because", "since", "while",
    "as", "so", "but", "he", "she", "they", "you", "it's", "can", "will", "is", "are", "was",
    "were",
];

/// What we write for somebody: that it has left is nothing that is found.
pub const WRITTEN: [&str; 9] =
    ["reply", "answer", "response", "mail", "email", "message", "note", "invitation", "invite"];

/// When something was, which somebody knows who has looked it up.
pub const BACK_THEN: [&str; 24] = [
    "yesterday",
    "last",
    "earlier",
    "previously",
    "originally",
    "ago",
    "today",
    "since",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "weeks",
    "days",
    "morning",
    "night",
    "before",
    "on",
    "in",
    "at",
    "from",
];

/// When something is to be.
pub const AHEAD: [&str; 13] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "today",
    "tomorrow",
    "tonight",
    "noon",
    "next",
    "then",
];

/// What is added, moved or set in any sum and any lesson.
pub const ABSTRACT: [&str; 39] = [
    "number",
    "numbers",
    "figures",
    "figure",
    "decimal",
    "point",
    "points",
    "fraction",
    "fractions",
    "digit",
    "digits",
    "value",
    "values",
    "side",
    "sides",
    "term",
    "terms",
    "equation",
    "sum",
    "sums",
    "variable",
    "variables",
    "percent",
    "percentage",
    "wording",
    "tone",
    "sentence",
    "sentences",
    "words",
    "word",
    "comma",
    "steps",
    "ideas",
    "options",
    "results",
    "items",
    "amounts",
    "totals",
    "units",
];

/// What people have made for them.
pub const MADE: [&str; 7] =
    ["booking", "reservation", "appointment", "change", "changes", "payment", "call"];

/// How something is that was done.
pub const STATES: [&str; 5] = ["done", "handled", "sorted", "arranged", "set"];

/// What things are called that we do something with.
pub const THINGS: [&str; 39] = [
    "mail",
    "email",
    "message",
    "meeting",
    "event",
    "invitation",
    "invite",
    "reply",
    "replies",
    "reminder",
    "appointment",
    "booking",
    "reservation",
    "note",
    "lunch",
    "lunches",
    "dinner",
    "breakfast",
    "coffee",
    "call",
    "draft",
    "entry",
    "entries",
    "slot",
    "standup",
    "sync",
    "review",
    "interview",
    "invoice",
    "report",
    "letter",
    "attachment",
    "calendar",
    "order",
    "payment",
    "transfer",
    "ticket",
    "taxi",
    "pizza",
];

/// What a sentence begins with before it says so.
pub const LEADS: [&str; 33] = [
    "ok",
    "okay",
    "sure",
    "alright",
    "all",
    "set",
    "right",
    "great",
    "good",
    "news",
    "perfect",
    "absolutely",
    "certainly",
    "definitely",
    "of",
    "course",
    "no",
    "problem",
    "worries",
    "got",
    "thing",
    "yes",
    "yep",
    "excellent",
    "wonderful",
    "there",
    "so",
    "and",
    "well",
    "oh",
    "hey",
    "cool",
    "fine",
];

/// What may stand before a verb and changes nothing.
pub const ADVERBS: [&str; 17] = [
    "just",
    "already",
    "now",
    "also",
    "then",
    "all",
    "successfully",
    "finally",
    "officially",
    "actually",
    "automatically",
    "permanently",
    "safely",
    "gladly",
    "duly",
    "even",
    "both",
];

pub const ME: [&str; 4] = ["i", "i've", "we", "we've"];
pub const PRONOUNS: [&str; 8] =
    ["it", "that", "this", "everything", "they", "these", "those", "them"];
/// Somebody or something, and how it is.
pub const CONTRACTED: [&str; 6] = ["it's", "that's", "everything's", "they're", "you're", "we're"];
pub const ARTICLES: [&str; 6] = ["the", "your", "our", "both", "a", "an"];
pub const NUMBERS: [&str; 9] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/// "The meeting with Ana on Friday".
pub const JOINS: [&str; 10] = ["with", "to", "for", "on", "at", "about", "of", "from", "in", "and"];
pub const HELPERS: [&str; 8] = ["is", "are", "was", "were", "got", "has", "have", "went"];

/// Who says so, or on what it depends: whatever follows or was said before is no claim.
pub const EXCUSES: [&str; 13] = [
    "if",
    "once",
    "until",
    "unless",
    "when",
    "whenever",
    "says",
    "said",
    "writes",
    "wrote",
    "according",
    "reports",
    "whether",
];

/// Behind one of these "I've sent it" is an offer, or what somebody else says.
pub const OFFERS: [&str; 12] = [
    "shall", "should", "would", "could", "say", "says", "told", "like", "before", "after", "not",
    "never",
];

/// The rest of what may begin or go on a claim.
const OTHERS: [&str; 60] = [
    "her",
    "him",
    "them",
    "back",
    "reached",
    "liberty",
    "replying",
    "responding",
    "telling",
    "letting",
    "answering",
    "notifying",
    "informing",
    "writing",
    "reaching",
    "me",
    "consider",
    "let",
    "know",
    "that",
    "by",
    "you",
    "had",
    "gone",
    "ahead",
    "able",
    "managed",
    "did",
    "done",
    "put",
    "made",
    "took",
    "taken",
    "care",
    "been",
    "out",
    "through",
    "way",
    "its",
    "their",
    "my",
    "e",
    "or",
    "gotten",
    "up",
    "off",
    "together",
    "dropped",
    "shot",
    "fired",
    "line",
    "heading",
    "right",
    "away",
    "immediately",
    "nothing",
    "no",
    "c'est",
    "fait",
    "se",
];

/// Whether it is done to something, and only a record may say so.
pub fn is_deed(word: &str) -> bool {
    let is_ours = || verbs::is_done(&WEAK, word) || KEPT.contains(&word);
    reaches_somebody(word) || AGREED.contains(&word) || is_ours()
}

/// Whether it is a deed only where it is done to what is ours.
pub fn is_ours_alone(word: &str) -> bool {
    verbs::is_done(&WEAK, word) || KEPT.contains(&word) || matches!(word, "put" | "set")
}

/// Whether somebody else knows of it once it is done.
pub fn reaches_somebody(word: &str) -> bool {
    is_strong(word) || REACHING.contains(&word)
}

/// Whether only a record may say so, of whatever it is said.
pub fn is_strong(word: &str) -> bool {
    verbs::is_done(&STRONG, word) || verbs::is_done(&ANSWERING, word)
}

/// What was possible, was done: "I was able to book it".
pub fn was_possible(word: &str) -> bool {
    let is_ours = matches!(word, "add" | "create" | "save" | "move");
    is_ours || verbs::is_base(&STRONG, word) || verbs::is_base(&ANSWERING, word)
}

/// One of those things, or several of them.
pub fn is_thing(word: &str) -> bool {
    let is_one = |word: &str| THINGS.contains(&word);
    is_one(word) || word.strip_suffix('s').is_some_and(is_one)
}

pub fn is_number(word: &str) -> bool {
    NUMBERS.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit())
}

/// The words that matter and that `half` may become.
pub fn known_from(half: &str) -> impl Iterator<Item = &'static str> {
    let lists: [&'static [&'static str]; 24] = [
        &REACHING,
        &AGREED,
        &KEPT,
        &MINE,
        &SAID,
        &WRITTEN,
        &AHEAD,
        &MADE,
        &ABSTRACT,
        &STATES,
        &THINGS,
        &LEADS,
        &ADVERBS,
        &ME,
        &PRONOUNS,
        &CONTRACTED,
        &ARTICLES,
        &NUMBERS,
        &JOINS,
        &HELPERS,
        &EXCUSES,
        &OFFERS,
        &OTHERS,
        &phrases::WORDS,
    ];
    let all = lists.into_iter().flatten().copied();
    let all = all.chain(verbs::words());
    all.chain(plans::words()).chain(abroad::words()).filter(move |word| word.starts_with(half))
}
