//! The words by which a claim is known. Whatever is not in here decides at once that a
//! sentence is none, as far as it has come.

use super::{abroad, plans};

/// What only a record may say was done, of whatever it is said.
pub const STRONG: [&str; 19] = [
    "sent",
    "emailed",
    "mailed",
    "replied",
    "forwarded",
    "booked",
    "rebooked",
    "reserved",
    "scheduled",
    "rescheduled",
    "postponed",
    "cancelled",
    "canceled",
    "deleted",
    "invited",
    "archived",
    "unsubscribed",
    "dispatched",
    "transferred",
];

/// The same, of what is ours. Of other things it is said in any lecture.
pub const WEAK: [&str; 29] = [
    "removed",
    "created",
    "added",
    "saved",
    "moved",
    "confirmed",
    "remembered",
    "updated",
    "changed",
    "cleared",
    "erased",
    "forgotten",
    "notified",
    "informed",
    "texted",
    "shared",
    "posted",
    "submitted",
    "ordered",
    "purchased",
    "paid",
    "accepted",
    "declined",
    "placed",
    "bought",
    "wired",
    "refunded",
    "delivered",
    "reminded",
];

/// The same, of oneself alone.
pub const MINE: [&str; 4] = ["called", "phoned", "messaged", "pinged"];

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

/// What was possible, was done: "I was able to book it".
pub const BASE: [&str; 16] = [
    "send",
    "email",
    "mail",
    "reply",
    "forward",
    "book",
    "reserve",
    "schedule",
    "reschedule",
    "move",
    "cancel",
    "delete",
    "add",
    "create",
    "invite",
    "save",
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
const OTHERS: [&str; 42] = [
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
    STRONG.contains(&word) || WEAK.contains(&word)
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
    let lists: [&'static [&'static str]; 20] = [
        &STRONG,
        &WEAK,
        &MINE,
        &BASE,
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
    ];
    let all = lists.into_iter().flatten().copied();
    all.chain(plans::words()).chain(abroad::words()).filter(move |word| word.starts_with(half))
}
