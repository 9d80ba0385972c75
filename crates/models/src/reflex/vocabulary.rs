//! The words the rules know, each list with one meaning.

use std::sync::LazyLock;

use brain::resolve::people::Contact;
use brain::resolve::spelling;
use brain::resolve::time;
use brain::resolve::words::Word;

/// Mail as a thing.
pub const MAIL: &[&str] = &[
    "mail",
    "mails",
    "email",
    "emails",
    "inbox",
    "message",
    "messages",
    "letter",
    "letters",
    "unread",
    "draft",
    "drafts",
    "thread",
    "threads",
    "emailing",
    "correspondence",
];

/// One mail; the plural is a list.
pub const ONE_MAIL: &[&str] = &["mail", "email", "message", "letter", "one", "thing"];

/// What somebody does with mail.
pub const WRITES: &[&str] = &[
    "write",
    "wrote",
    "written",
    "writing",
    "email",
    "emailed",
    "mail",
    "mailed",
    "send",
    "sent",
    "sending",
    "reply",
    "replied",
    "respond",
    "responded",
    "answer",
    "answered",
    "message",
    "messaged",
    "heard",
    "hear",
];

/// What one asks of somebody's mail when its text is wanted.
pub const SAYS: &[&str] = &["say", "said", "want", "wanted", "mean", "think", "saying", "ask"];

/// The calendar and what is on it.
pub const CALENDAR: &[&str] = &[
    "calendar",
    "schedule",
    "agenda",
    "diary",
    "meeting",
    "meetings",
    "appointment",
    "appointments",
    "event",
    "events",
    "plans",
    "booked",
    "busy",
    "packed",
    "conflict",
    "conflicts",
    "clash",
    "clashes",
    "overlap",
    "overlaps",
    "overlapping",
    "double-booked",
    "commitments",
    "scheduled",
    "meet",
    "see",
    "seeing",
];

pub const CONFLICTS: &[&str] = &[
    "conflict",
    "conflicts",
    "clash",
    "clashes",
    "overlap",
    "overlaps",
    "overlapping",
    "double-booked",
];

/// Room on the calendar.
pub const FREE: &[&str] = &[
    "free",
    "available",
    "availability",
    "gap",
    "gaps",
    "opening",
    "openings",
    "slot",
    "slots",
    "squeeze",
];

/// Newest first.
pub const LATEST: &[&str] = &["last", "latest", "newest", "recent", "first", "top", "most"];

/// Words that start a request of their own after an "and".
pub const OPENERS: &[&str] = &[
    "what", "when", "where", "who", "which", "how", "is", "are", "am", "do", "does", "did", "have",
    "has", "any", "anything", "show", "tell", "check", "read", "open", "find", "list", "give",
    "look", "search", "pull", "can", "could", "please", "will", "would", "let", "go",
];

/// Words that say nothing about what is looked for.
pub const EMPTY: &[&str] = &[
    "a",
    "news",
    "about",
    "across",
    "actually",
    "after",
    "again",
    "ahead",
    "ok",
    "okay",
    "all",
    "already",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anybody",
    "anyone",
    "anything",
    "around",
    "are",
    "as",
    "at",
    "away",
    "back",
    "be",
    "been",
    "before",
    "behind",
    "being",
    "bring",
    "but",
    "by",
    "came",
    "can",
    "catch",
    "check",
    "come",
    "comes",
    "coming",
    "could",
    "currently",
    "day",
    "did",
    "display",
    "do",
    "does",
    "doing",
    "done",
    "each",
    "else",
    "ever",
    "every",
    "everything",
    "far",
    "few",
    "find",
    "fit",
    "for",
    "from",
    "get",
    "getting",
    "give",
    "go",
    "going",
    "got",
    "gotten",
    "had",
    "happening",
    "has",
    "have",
    "having",
    "he",
    "her",
    "here",
    "him",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "know",
    "lately",
    "latest",
    "left",
    "let",
    "like",
    "list",
    "look",
    "looking",
    "looks",
    "lot",
    "make",
    "many",
    "may",
    "me",
    "mine",
    "more",
    "most",
    "much",
    "must",
    "my",
    "myself",
    "need",
    "new",
    "newest",
    "next",
    "no",
    "not",
    "now",
    "of",
    "off",
    "on",
    "one",
    "ones",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "per",
    "planned",
    "please",
    "pull",
    "quick",
    "quickly",
    "received",
    "recent",
    "recently",
    "remaining",
    "right",
    "run",
    "said",
    "say",
    "says",
    "search",
    "she",
    "should",
    "show",
    "so",
    "some",
    "somebody",
    "someone",
    "something",
    "still",
    "stuff",
    "such",
    "supposed",
    "tell",
    "than",
    "thanks",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "think",
    "this",
    "those",
    "through",
    "time",
    "to",
    "today",
    "too",
    "um",
    "uh",
    "under",
    "up",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whom",
    "why",
    "will",
    "with",
    "would",
    "yeah",
    "yes",
    "yet",
    "you",
    "your",
    "'s",
    "last",
    "first",
    "wondering",
    "gets",
    "old",
    "see",
    "were",
    "unfinished",
    "folder",
    "box",
    "items",
    "line",
    "containing",
    "contains",
    "having",
    "lined",
    "hear",
    "heard",
    "top",
    "want",
    "wanted",
    "dates",
    "date",
    "long",
    "overnight",
    "seen",
    "update",
    "updates",
    "hours",
    "expecting",
    "meant",
    "anywhere",
    "summarize",
    "summarise",
    "summary",
    "brief",
    "miss",
    "missed",
    "bring",
    "everyone",
    "anybody",
    "haven't",
    "ago",
    "real",
    "really",
    "hey",
    "hi",
    "full",
    "kind",
    "sort",
    "thank",
    "lets",
    "well",
];

/// Words of the calendar that fingers slip on, beside the days of the week.
const SLIPPERY: &[&str] = &[
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "january",
    "february",
    "september",
    "october",
    "november",
    "december",
    "weekend",
    "morning",
    "afternoon",
    "evening",
    "calendar",
    "schedule",
    "meeting",
    "meetings",
    "appointment",
    "appointments",
    "available",
];

/// Short words that hold a request together. Two letters that changed places are a slip;
/// any other letter makes another word of them.
const LITTLE: &[&str] = &[
    "with", "that", "about", "email", "remind", "reply", "write", "schedule", "invite", "lunch",
    "dinner", "tell", "and", "the",
];

static TARGETS: LazyLock<Vec<&str>> =
    LazyLock::new(|| time::WEEKDAYS.iter().chain(SLIPPERY).copied().collect());

/// Words of their own, one letter away from those.
const NOT_SLIPS: &[&str] = &[
    "melting",
    "mondays",
    "tuesdays",
    "wednesdays",
    "thursdays",
    "fridays",
    "saturdays",
    "sundays",
    "weekends",
    "mornings",
    "afternoons",
    "evenings",
    "calendars",
    "schedules",
    "scheduled",
    "toady",
    "mourning",
    "sundae",
];

/// Puts slips right; nobody's name is one.
pub fn mend(words: &mut [Word], contacts: &[Contact]) {
    spelling::mend(words, &TARGETS, |word| {
        is_any(word, NOT_SLIPS)
            || is_any(word, EMPTY)
            || is_any(word, CALENDAR)
            || is_name(word, contacts)
    });
}

/// The little word that was meant, where two of its letters changed places.
pub fn swapped(word: &str, contacts: &[Contact]) -> Option<&'static str> {
    let meant = LITTLE.iter().find(|little| is_swapped(word, little))?;
    (!is_name(word, contacts)).then_some(meant)
}

fn is_name(word: &str, contacts: &[Contact]) -> bool {
    contacts.iter().any(|contact| {
        let names = contact.nicknames.iter().chain([&contact.name]);
        names.flat_map(|name| name.split(' ')).any(|name| name.eq_ignore_ascii_case(word))
    })
}

/// The same letters, of which two neighbours changed places.
fn is_swapped(word: &str, meant: &str) -> bool {
    let (word, meant) = (word.as_bytes(), meant.as_bytes());
    if word.len() != meant.len() {
        return false;
    }
    let differs: Vec<usize> = (0..word.len()).filter(|&at| word[at] != meant[at]).collect();
    match differs.as_slice() {
        &[one, two] => two == one + 1 && word[one] == meant[two] && word[two] == meant[one],
        _ => false,
    }
}

pub fn is_any(word: &str, list: &[&str]) -> bool {
    list.contains(&word)
}
