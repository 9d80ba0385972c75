//! Whether an answer leaves somebody believing that something was done. Pure.
//!
//! The guard reads what a model says; this reads what it was asked for. Where that was a deed
//! and none is on record, the record has the last word.

use super::shape;
use crate::Record;
use crate::guard::verbs::{self, ANSWERING, STRONG, WEAK};
use crate::guard::{is_ours, sounds_done};

/// What is asked of us and leaves this machine, beside the verbs by which the guard knows it.
const ORDERS: [&str; 6] = ["remind", "pay", "buy", "text", "message", "notify"];
/// What is done to something of theirs, beside them: "put it on my calendar".
const CHANGES: [&str; 8] = ["put", "set", "make", "draft", "shoot", "drop", "fire", "answer"];
/// What is said to somebody who asked.
const REPLIES: [&str; 3] = ["accept", "decline", "rsvp"];
/// What is arranged with somebody; with the person alone, it is only told.
const SHARES: [&str; 4] = ["share", "arrange", "organise", "organize"];
/// How something is left to us, and not said what is to be done.
const LEFT: [&[&str]; 4] =
    [&["handle"], &["deal", "with"], &["sort", "out"], &["take", "care", "of"]];
/// What is left to us is one thing: "handle errors" is about a program.
const DEFINITE: [&str; 11] =
    ["the", "my", "our", "this", "that", "these", "those", "it", "them", "both", "everything"];
/// What is agreed upon with others.
const AGREED: [&str; 16] = [
    "lunch",
    "dinner",
    "breakfast",
    "coffee",
    "offer",
    "attendance",
    "booking",
    "order",
    "date",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// How an answer is wanted, or of what: no word of it goes to anybody.
const HOW: [&str; 36] = [
    "in",
    "with",
    "as",
    "only",
    "me",
    "us",
    "my",
    "the",
    "this",
    "that",
    "these",
    "those",
    "a",
    "an",
    "it",
    "yes",
    "no",
    "using",
    "like",
    "without",
    "from",
    "again",
    "each",
    "both",
    "one",
    "all",
    "if",
    "at",
    "by",
    "question",
    "questions",
    "either",
    "first",
    "just",
    "step",
    "short",
];
/// What somebody writes who writes to nobody.
const WORKS: [&str; 15] = [
    "code",
    "text",
    "words",
    "lines",
    "lyrics",
    "music",
    "poems",
    "jokes",
    "stories",
    "sentences",
    "something",
    "anything",
    "one",
    "down",
    "out",
];
const THINGS: [&str; 21] = [
    "note",
    "reply",
    "message",
    "letter",
    "calendar",
    "reminder",
    "meeting",
    "appointment",
    "event",
    "mail",
    "email",
    "invite",
    "invitation",
    "alarm",
    "timer",
    "table",
    "reservation",
    "taxi",
    "draft",
    "drafts",
    "inbox",
];
/// Said before what is wanted.
const POLITE: [&str; 22] = [
    "please", "hey", "hi", "ok", "okay", "so", "well", "sayso", "can", "could", "would", "will",
    "you", "i", "want", "need", "like", "d", "to", "just", "now", "go",
];
const ASKS: [&str; 9] = ["what", "who", "whom", "when", "where", "which", "why", "how", "whose"];
/// Behind one of these another request may begin.
const LINKS: [&str; 3] = ["and", "then", "also"];

/// How somebody says that they did not, or cannot.
const DECLINES: [&str; 24] = [
    "i can't",
    "i cannot",
    "i can not",
    "i couldn't",
    "i could not",
    "i'm not able",
    "i am not able",
    "i'm unable",
    "i am unable",
    "i wasn't able",
    "i won't",
    "i haven't",
    "i have not",
    "i didn't",
    "i did not",
    "i don't",
    "i do not",
    "i have no ",
    "there's no way",
    "there is no way",
    "is beyond me",
    "outside what i can",
    "nothing was ",
    "nothing has been",
];
/// What sounds like one of those and is none.
const NO_EXCUSES: [&str; 5] =
    ["can't wait", "can't imagine", "can't believe", "don't worry", "don't think"];

/// Whether a deed is asked for.
pub fn asks_for_deed(heard: &str) -> bool {
    !shape::asks_opinion(heard) && is_order(&words_of(heard)) || shape::asks_for_deed(heard)
}

/// To an answer of a model that left nothing behind: whether it has to be said that nothing
/// was done. `is_found` says that it may speak of what it has looked up; of what was done
/// before, it may tell what the record has.
pub fn owes_the_record(heard: &str, answered: &str, is_found: bool, record: &Record) -> bool {
    let is_ordered = asks_for_deed(heard);
    let is_true = |it: &str| !is_ordered && record.holds(it);
    let claims = |it: &str| is_ours(it) || !is_found && sounds_done(it);
    let sounds_done = || sentences(answered).any(|it| claims(it) && !is_true(it));
    let is_question = answered.trim_end().ends_with('?');
    let is_only_question = is_question && answered.matches(['.', '!', '?']).count() == 1;
    let is_left_open = || says_so(answered) || asks_back(answered);
    !is_only_question && (is_ordered && !is_left_open() || sounds_done())
}

/// "There are two. Which Tom do you mean?", but not "Anything else?".
fn asks_back(answered: &str) -> bool {
    let Some(last) = sentences(answered.trim_end()).last() else { return false };
    let words = words_of(last);
    let begins = words.first().map(String::as_str).unwrap_or_default();
    let is_wondered = ASKS.contains(&begins) || last.contains("do you mean");
    last.ends_with('?') && is_wondered && !words.iter().any(|word| word == "else")
}

/// It says itself that it was not done.
fn says_so(answered: &str) -> bool {
    let declines = |sentence: &str| {
        let lower = sentence.to_lowercase().replace('’', "'");
        let is_none = NO_EXCUSES.iter().any(|it| lower.contains(it));
        !is_none && DECLINES.iter().any(|it| lower.contains(it))
    };
    sentences(answered).any(declines)
}

fn words_of(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '!', '?', '\n'])
}

/// One of its requests is a deed.
fn is_order(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let begins = |at: usize| {
        let before = &words[..at];
        let polite = before.iter().rev().take_while(|word| POLITE.contains(word)).count();
        polite == at || LINKS.contains(&before[at - polite - 1])
    };
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let has = |known: &[&str]| words[at + 1..].iter().any(|word| known.contains(word));
        let is_deed = match *word {
            "let" => words[at..].iter().take(5).any(|word| *word == "know") && next != "me",
            "tell" => !matches!(next, "me" | "us" | "a" | ""),
            // "Remind me what Tom said" is asked, not ordered.
            "remind" if words.get(at + 2).is_some_and(|third| ASKS.contains(third)) => false,
            "keep" | "save" if matches!(next, "it" | "this" | "that") => {
                words.get(at + 2).is_some_and(|third| matches!(*third, "for" | "as" | "in"))
            }
            "answer" if is_somebody(next) && !has(&["question", "questions"]) => true,
            "write" => is_written_to(&words[at + 1..]),
            "confirm" => !is_told_me(next) && (has(&["with"]) || has(&AGREED) || has(&THINGS)),
            word if REPLIES.contains(&word) => !matches!(next, "" | "that" | "your" | "to"),
            word if SHARES.contains(&word) => {
                let mut pairs = words[at..].windows(2);
                pairs.any(|pair| pair[0] == "with" && !matches!(pair[1], "me" | "us" | "you"))
            }
            "lock" if next == "in" => words.len() > at + 2,
            "handle" | "deal" | "sort" | "take" if is_left(&words[at..]) => true,
            // "Respond in French" is about the words that are wanted.
            "respond" if matches!(next, "in" | "with" | "as" | "only" | "briefly") => false,
            word if is_ordered(word) => !next.is_empty(),
            word => is_change(word) && has(&THINGS),
        };
        is_deed && begins(at)
    })
}

/// "Handle the invoice", "take care of Leo's boiler".
fn is_left(words: &[&str]) -> bool {
    let left = LEFT.iter().find_map(|lead| words.strip_prefix(*lead));
    match left {
        Some([one, "s", _, ..]) => !HOW.contains(one),
        Some([_, "thoughts" | "feelings" | "difference", ..]) => false,
        Some([one, ..]) => DEFINITE.contains(one),
        Some([]) | None => false,
    }
}

/// "Write to Dana", "write back", "write Tom that I'm late", "write a note to Leo".
fn is_written_to(words: &[&str]) -> bool {
    let goes_to = |rest: &[&str]| {
        let mut pairs = rest.windows(2);
        pairs.any(|pair| pair[0] == "to" && !matches!(pair[1], "me" | "us"))
    };
    match words {
        ["back", ..] => true,
        ["to", whom, ..] => !matches!(*whom, "me" | "us" | "the"),
        ["her" | "him" | "them", _, ..] => true,
        [whom, "that", ..] => is_somebody(whom) && !WORKS.contains(whom),
        words => words.iter().any(|word| THINGS.contains(word)) && goes_to(words),
    }
}

/// A word behind "answer" or "write" that is neither how nor what: most likely a name.
fn is_somebody(word: &str) -> bool {
    !word.is_empty() && !HOW.contains(&word) && !word.ends_with("ly")
}

/// "Confirm that seven times six is 42" wants words.
fn is_told_me(next: &str) -> bool {
    matches!(next, "" | "that" | "whether" | "if" | "what" | "how" | "for" | "you")
}

fn is_ordered(word: &str) -> bool {
    let is_known = verbs::is_base(&STRONG, word) || verbs::is_base(&ANSWERING, word);
    is_known || ORDERS.contains(&word)
}

fn is_change(word: &str) -> bool {
    verbs::is_base(&WEAK, word) || CHANGES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_that_left_nothing_behind_owes_the_record() {
        for heard in [
            "drop everything and send Ana the notes",
            "could you please invite Tom to lunch",
            "remind me at five to call home",
            "let Priya know that I'm late",
            "put lunch with Tom on my calendar",
            "tell Dana the glass is here",
            "pay the invoice",
            "draft a note to Dana that makes her laugh",
            "think up an answer and keep it for later",
            "respond to Ana that it works",
            "rebook the flight",
            "update my calendar with the new time",
            "decline Dana's invitation politely",
            "accept Dana's invitation warmly",
            "could you accept it for me",
            "confirm with Dana in a charming way",
            "confirm Friday's lunch",
            "confirm the appointment",
            "RSVP yes to Leo's lunch",
            "sort out the leo situation",
            "handle the invoice from Paperlane",
            "deal with Leo's boiler",
            "please take care of the mail from Dana",
            "lock in Friday with Leo",
            "write to Dana",
            "write back that I agree",
            "write Tom that I'm late",
            "write a friendly note to Leo",
            "answer Dana",
            "answer the mail from Leo",
            "share the plan with Tom",
            "arrange dinner with Tom",
            "shoot Leo a quick note",
            "look it up and answer her",
        ] {
            assert!(
                owes_the_record(
                    heard,
                    "Priya knows all about it by now.",
                    false,
                    &Record::default()
                ),
                "{heard}"
            );
        }
    }

    #[test]
    fn what_asks_for_words_alone_owes_nothing() {
        for heard in [
            "tell me about Paris",
            "how do I cancel a subscription",
            "what should I send my mother",
            "add 12 and 30",
            "set x to 4 and solve it",
            "order these by size",
            "make it rhyme",
            "tell a joke",
            "remind me what Tom is allergic to and suggest a dinner",
            "draft a poem about spring",
            "keep it short",
            "respond in French",
            "change the second line",
            "What did Dana accept?",
            "write a poem",
            "write a short story about a mail",
            "write code that sorts a list",
            "write me something funny",
            "answer in French",
            "answer briefly",
            "answer step by step",
            "answer the question",
            "answer yes or no",
            "share your thoughts",
            "share a story with me",
            "confirm that 7*6 is 42",
            "confirm whether Paris is in France",
            "I accept your apology",
            "accept that it is late",
            "handle errors in Rust",
            "deal with grief",
            "sort these by size",
            "sort out my thoughts on Berlin",
            "take care",
            "arrange these by size",
        ] {
            assert!(
                !owes_the_record(heard, "Sure. It is 42.", false, &Record::default()),
                "{heard}"
            );
        }
        assert!(!owes_the_record(
            "invite Tom to lunch",
            "Which Tom do you mean?",
            false,
            &Record::default()
        ));
    }

    #[test]
    fn what_only_sounds_done_owes_it_too_unless_it_was_found() {
        let said = "Tom was invited already, and your lunch is booked.";
        assert!(owes_the_record("what about lunch", said, false, &Record::default()));
        assert!(!owes_the_record("what about lunch", said, true, &Record::default()));
        for said in [
            "I told Dana yes.",
            "Your booking is confirmed.",
            "Your reply is sent.",
            "I signed you up for the webinar.",
            "I RSVP'd yes for you.",
            "I made sure Dana knows.",
            "I left Dana a message.",
            "I relayed your answer to Dana.",
            "I got back to Dana with a yes.",
            "Your message has reached Dana.",
            "Your table at Nopa is reserved.",
        ] {
            assert!(
                owes_the_record("what does Dana want", said, true, &Record::default()),
                "{said}"
            );
            assert!(
                owes_the_record("what does Dana want", said, false, &Record::default()),
                "{said}"
            );
        }
        for said in [
            "Your booking is confirmed, says Dana.",
            "Your mail was sent on Monday.",
            "I left the message unread.",
            "I got back to your question.",
            "Your mail has reached its limit.",
        ] {
            assert!(
                !owes_the_record("what does Dana want", said, true, &Record::default()),
                "{said}"
            );
        }
        let lesson = "A letter was sent to Paris in 1805. Nothing of yours was sent.";
        assert!(!owes_the_record("tell me about letters", lesson, false, &Record::default()));
    }
}
