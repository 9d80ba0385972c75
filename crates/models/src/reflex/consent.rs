//! Whether an answer to an open card is a yes.
//!
//! Conservative on purpose: a yes that was missed costs a second one, a yes
//! that was imagined sends a mail. Words of refusal win over words of consent,
//! and only what is a yes from its first word to its last counts as one
//! (`plain`).

#[cfg(test)]
mod near;
mod plain;

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
pub const NO: &[&str] = &[
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

/// A no although its words alone are none, or some of them are a yes: nothing else is said.
const REFUSALS: &[&str] = &[
    "never",
    "absolutely not",
    "definitely not",
    "certainly not",
    "of course not",
    "sure not",
    "surely not",
    "lets not",
    "lets not do it",
    "lets not do that",
    "better not",
    "probably not",
    "throw it away",
    "throw that away",
    "i changed my mind",
    "i have changed my mind",
    "i do not want to",
    "i do not want to send it",
    "i do not want to do it",
    "i do not want to do that",
    // "Abort" and "discard it", as ears write them.
    "a board",
    "discord it",
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

pub const ASKS: &[&str] = &[
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

/// Reads an answer to an open card.
pub fn read(text: &str) -> Consent {
    let found = words(text);
    // Words in quotation marks are not the person's own.
    if found.is_empty() || found.iter().any(|word| word.quoted) {
        return Consent::Unclear;
    }
    let texts: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
    if orders_all_the_same(&texts) {
        return if is_clean(text) { Consent::Accept } else { Consent::Unclear };
    }
    // In a hurry, and alone: anywhere else it is somebody's initial, or "and".
    if texts == ["n"] || is_for_another_day(&texts) || REFUSALS.contains(&texts.join(" ").as_str())
    {
        return Consent::Reject;
    }
    let any = |list: &[&str]| texts.iter().any(|text| list.contains(text));
    let no = any(NO) || NO_PHRASES.iter().any(|phrase| says(&texts, phrase));
    let edits = any(EDIT);

    // "I don't know" is neither.
    let wavers = [&["do", "not", "know"][..], &["not", "sure"], &["no", "idea"]];
    if wavers.iter().any(|phrase| says(&texts, phrase)) {
        return Consent::Unclear;
    }
    if no && edits {
        return if any(&["cancel", "stop", "abort", "forget"]) {
            Consent::Reject
        } else {
            Consent::Edit
        };
    }
    if no {
        // "Yes, no, wait": whatever that is, nothing is sent.
        let contradicts = starts_with_yes(&texts) && !ends_in_no(&texts);
        return if contradicts { Consent::Unclear } else { Consent::Reject };
    }
    if plain::is_yes(&texts) {
        return if is_clean(text) { Consent::Accept } else { Consent::Unclear };
    }
    if is_question(&found) {
        return if any(ASKS) { Consent::Explain } else { Consent::Unclear };
    }
    if edits { Consent::Edit } else { Consent::Unclear }
}

/// "Not today, thanks", and no other day: "not today, tomorrow" is a wish.
fn is_for_another_day(texts: &[&str]) -> bool {
    const LITTLE: &[&str] = &[
        "please", "thanks", "thank", "you", "sorry", "well", "actually", "um", "uh", "oh", "maybe",
        "just", "ok", "okay", "but", "i", "think", "guess", "rather",
    ];
    let left: Vec<&str> = texts.iter().copied().filter(|text| !LITTLE.contains(text)).collect();
    matches!(left.as_slice(), ["not", "today" | "tonight"])
}

/// What is left where a thumb points up at one end of it, or both: "yes 👍". A
/// thumb that stands alone is a yes. None without one, and none where anything
/// else is drawn as well.
pub fn thumbed(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|c| !matches!(c, '🏻'..='🏿' | '\u{fe0f}')).collect();
    let rest = plain.trim_matches(|c: char| c == THUMB || c.is_whitespace());
    // Two are glee; more may be anything.
    let thumbs = plain.chars().filter(|&c| c == THUMB).count();
    if !(1..=2).contains(&thumbs) || rest.contains(THUMB) {
        return None;
    }
    Some(if rest.is_empty() { "yes".to_owned() } else { rest.to_owned() })
}

const THUMB: char = '👍';

/// A yes or a no that names nothing it could be about: "yes", "sure, thanks".
/// It answers whatever was asked last.
pub fn is_bare(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "ya", "do", "go", "ahead", "no", "nope", "nah", "n", "not", "course", "of", "works", "for",
        "by", "with", "never", "mind", "one", "exactly", "indeed", "totally", "so", "um", "uh",
        "well", "oh", "and", "just", "the", "then", "let", "us",
    ];
    let found = words(text);
    let is_empty = |word: &str| WORDS.contains(&word) || plain::only_agrees(word);
    let plain = found.iter().all(|word| !word.quoted && is_empty(&word.text));
    thumbed(text).is_some_and(|rest| rest == "yes") || !found.is_empty() && plain
}

/// What one does with a memory; behind a yes it says the same once more, of a
/// card that is about a memory.
pub const KEEPS: &[&str] = &["keep", "remember", "save", "note"];
pub const FORGETS: &[&str] = &["forget", "delete"];
/// The same of something on the calendar.
pub const CANCELS: &[&str] = &["cancel", "delete", "remove"];
pub const MOVES: &[&str] = &["move", "reschedule", "shift"];

/// Would it be a yes if it were heard, on whatever card? Marks and quotation
/// marks are not.
pub fn sounds_like_yes(text: &str) -> bool {
    let found = words(text);
    let mut texts: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
    if plain::is_yes(&texts) {
        return true;
    }
    if says_more(&found, &texts) {
        return true;
    }
    let Some(at) = order_behind_yes(&texts) else { return false };
    texts[at] = "do";
    plain::is_yes(&texts)
}

/// A yes, and behind it another request: "yes, and what's on Friday".
fn says_more(found: &[Word], texts: &[&str]) -> bool {
    (1..texts.len()).any(|at| {
        let links = texts[at..].iter().take_while(|text| LINKS.contains(text)).count();
        let parted = links > 0 || found[at - 1].stop.is_some();
        parted && plain::is_yes(&texts[..at]) && asks_more(&texts[at + links..])
    })
}

/// What may link a request to the answer before it.
pub const LINKS: &[&str] = &["and", "also", "then", "oh", "um", "uh", "so", "plus", "now", "well"];

/// A yes or a no as one begins with it.
pub const OPENERS: &[&str] = &["yes", "yeah", "yep", "yup", "no", "nope", "nah"];

/// Does it begin like a request of its own? "When I'm back" is a condition, and only
/// "when am I back" a question.
pub fn asks_more(texts: &[&str]) -> bool {
    const DOES: &[&str] = &["is", "are", "am", "do", "does", "did", "was", "were", "will"];
    const OF_WHAT: &[&str] = &["is", "are", "am", "do", "does", "did", "else", "time", "day"];
    const THINGS: &[&str] = &[
        "meetings",
        "events",
        "appointments",
        "calls",
        "mails",
        "emails",
        "messages",
        "reminders",
        "memories",
        "slots",
    ];
    const BEGINS: &[&str] = &[
        "am", "do", "did", "does", "is", "are", "show", "read", "tell", "find", "check", "list",
        "search", "remind", "book", "schedule", "email", "mail", "write", "ask", "let", "message",
        "draft", "set", "put",
    ];
    match texts {
        ["when" | "where" | "who" | "how", next, ..] => {
            DOES.contains(next) || matches!(texts, ["how", "many" | "much" | "long", ..])
        }
        ["what" | "which", next, ..] if OF_WHAT.contains(next) => true,
        ["what" | "which", things, does, ..] => THINGS.contains(things) && DOES.contains(does),
        [first, _, ..] => BEGINS.contains(first),
        _ => false,
    }
}

/// Is there anything in it that could take back what was said before it?
pub fn takes_back(texts: &[&str]) -> bool {
    const DOUBTS: &[&str] = &[
        "but", "if", "unless", "wait", "hold", "maybe", "perhaps", "actually", "not", "never",
        "except", "instead", "until", "though", "however", "pause", "hang", "hmm", "hm", "without",
        "rather", "almost", "undo", "unsend",
    ];
    let any = |list: &[&str]| texts.iter().any(|text| list.contains(text));
    any(NO) || any(DOUBTS) || NO_PHRASES.iter().any(|phrase| says(texts, phrase))
}

/// Is there anything in what somebody else is to hear that may be said to us? "I'm not
/// coming" is for them; "no wait" hardly ever is.
pub fn breaks_off(texts: &[&str]) -> bool {
    const TURNS: &[&str] = &[
        "wait", "hold", "actually", "never", "undo", "unsend", "hmm", "hm", "maybe", "perhaps",
        "instead", "unless", "pause", "hang",
    ];
    texts.iter().any(|text| NO.contains(text) || TURNS.contains(text))
}

/// Where "keep it", "forget that" stands behind a yes.
pub fn order_behind_yes(texts: &[&str]) -> Option<usize> {
    let at = texts.windows(2).position(|pair| {
        let orders = [KEEPS, FORGETS, CANCELS, MOVES];
        orders.iter().any(|verbs| verbs.contains(&pair[0]))
            && matches!(pair[1], "it" | "that" | "this")
    })?;
    let before = &texts[..at];
    let before = before.strip_suffix(&["and"]).unwrap_or(before);
    plain::is_yes(before).then_some(at)
}

/// Nothing stands between the words that could turn a yes into something else:
/// no question mark, no quotation marks of any kind, no thumb that points
/// down, no "..." and no comma behind which more was to come.
pub fn is_clean(text: &str) -> bool {
    let text = text.trim();
    let open_end = text.ends_with([',', '-']) || text.contains("..");
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let harmless = match c {
            '\'' | '’' => in_word(before) && in_word(rest.peek().copied()),
            ' ' | ',' | '.' | '!' | '-' | '@' | '_' | '+' => true,
            _ => c.is_alphanumeric(),
        };
        if !harmless {
            return false;
        }
        before = Some(c);
    }
    !open_end
}

/// Does this word say by itself that it is no plain yes? Then it is never just
/// a part of somebody's name or of a title.
pub fn is_doubt(word: &str) -> bool {
    let phrases = ["leave", "skip", "rather", "yet"];
    [NO, HEDGES, EDIT, ASKS, &phrases].iter().any(|list| list.contains(&word))
}

/// Verbs that begin a question where no mark ends it.
const ASKING: &[&str] = &[
    "is", "are", "am", "was", "were", "did", "does", "can", "could", "will", "would", "should",
    "shall", "may", "might", "have", "has", "you",
];

fn is_question(words: &[Word]) -> bool {
    let at = |place: usize| words.get(place).map_or("", |word| word.text.as_str());
    let does = at(0) == "do" && matches!(at(1), "i" | "you" | "we" | "they");
    does || words.iter().any(|word| word.stop == Some('?'))
        || ASKS.contains(&at(0))
        || ASKING.contains(&at(0))
}

fn starts_with_yes(texts: &[&str]) -> bool {
    matches!(
        texts,
        ["yes" | "yeah" | "yep" | "yup" | "sure", ..]
            | ["ok" | "okay", "yes" | "yeah" | "sure" | "send" | "book" | "go" | "do", ..]
    )
}

/// "No problem, send it": the only no that is none, and only before an order.
fn orders_all_the_same(texts: &[&str]) -> bool {
    let (["no", "problem" | "problems" | "worries", order @ ..]
    | ["not", "a", "problem", order @ ..]) = texts
    else {
        return false;
    };
    let orders = order.iter().any(|text| matches!(*text, "send" | "book" | "go" | "do"));
    orders && plain::is_yes(order)
}

/// "Yes, no wait, don't send it", "yes, forget it": what was said last forbids it in so many
/// words, and nothing before it is about anything else.
fn ends_in_no(texts: &[&str]) -> bool {
    const FALTERS: &[&str] = &[
        "yes", "yeah", "yep", "yup", "sure", "ok", "okay", "no", "nope", "wait", "stop", "hold",
        "on", "actually", "sorry", "oh", "um", "uh", "hmm", "please", "but", "go", "ahead", "send",
        "it", "a", "second", "moment", "minute",
    ];
    const DEEDS: &[&str] = &["send", "book", "do", "save", "cancel", "delete", "move"];
    // "Yes, cancel it" may be a yes to something that is to be cancelled.
    const TAKES_BACK: &[&str] = &["forget", "scrap", "drop", "discard", "stop", "abort"];
    let falters = |before: &[&str]| before.iter().all(|text| FALTERS.contains(text));
    match texts {
        [before @ .., "do", "not", deed, "it" | "that" | "this"] => {
            DEEDS.contains(deed) && falters(before)
        }
        [before @ .., deed, "it" | "that" | "this"] => TAKES_BACK.contains(deed) && falters(before),
        [before @ .., "never", "mind"] | [before @ .., "stop" | "nevermind"] => falters(before),
        _ => false,
    }
}

fn says(texts: &[&str], phrase: &[&str]) -> bool {
    texts.windows(phrase.len()).any(|window| window == phrase)
}

#[cfg(test)]
#[path = "consent_tests.rs"]
mod tests;
#[cfg(test)]
pub use self::{near::NEAR, tests::NEVER};
