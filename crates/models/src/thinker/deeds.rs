//! Whether an answer leaves somebody believing that something was done. Pure.
//!
//! The guard reads what a model says; this reads what it was asked for. Where that was a deed
//! and none is on record, the record has the last word.

use crate::guard::{is_ours, sounds_done};

/// What is asked of us that leaves this machine or changes something.
const ORDERS: [&str; 22] = [
    "send",
    "email",
    "mail",
    "reply",
    "forward",
    "book",
    "reserve",
    "schedule",
    "reschedule",
    "invite",
    "cancel",
    "delete",
    "postpone",
    "remind",
    "pay",
    "buy",
    "transfer",
    "text",
    "message",
    "notify",
    "archive",
    "unsubscribe",
];
/// The same, where it is done to something of theirs: "add it to my calendar".
const CHANGES: [&str; 10] =
    ["add", "put", "set", "move", "save", "create", "order", "make", "remove", "draft"];
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
/// To an answer of a model that left nothing behind: whether it has to be said that nothing
/// was done. `is_found` says that it may speak of what it has looked up.
pub fn owes_the_record(heard: &str, answered: &str, is_found: bool) -> bool {
    let is_question = answered.trim_end().ends_with('?');
    let is_only_question = is_question && answered.matches(['.', '!', '?']).count() == 1;
    let sounds_done = || sentences(answered).any(|it| is_ours(it) || !is_found && sounds_done(it));
    !is_only_question && (is_order(&words_of(heard)) || sounds_done())
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
        let is_deed = match *word {
            "let" => words[at..].iter().take(5).any(|word| *word == "know") && next != "me",
            "tell" => !matches!(next, "me" | "us" | "a" | ""),
            // "Remind me what Tom said" is asked, not ordered.
            "remind" if words.get(at + 2).is_some_and(|third| ASKS.contains(third)) => false,
            "keep" | "save" if matches!(next, "it" | "this" | "that") => {
                words.get(at + 2).is_some_and(|third| matches!(*third, "for" | "as" | "in"))
            }
            word if CHANGES.contains(&word) => {
                words[at + 1..].iter().any(|thing| THINGS.contains(thing))
            }
            word => ORDERS.contains(&word) && !next.is_empty(),
        };
        is_deed && begins(at)
    })
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
        ] {
            assert!(owes_the_record(heard, "Priya knows all about it by now.", false), "{heard}");
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
        ] {
            assert!(!owes_the_record(heard, "Sure. It is 42.", false), "{heard}");
        }
        assert!(!owes_the_record("invite Tom to lunch", "Which Tom do you mean?", false));
    }

    #[test]
    fn what_only_sounds_done_owes_it_too_unless_it_was_found() {
        let said = "Tom was invited already, and your lunch is booked.";
        assert!(owes_the_record("what about lunch", said, false));
        assert!(!owes_the_record("what about lunch", said, true));
        for said in ["I told Dana yes.", "Your booking is confirmed.", "Your reply is sent."] {
            assert!(owes_the_record("what does Dana want", said, true), "{said}");
            assert!(owes_the_record("what does Dana want", said, false), "{said}");
        }
        for said in ["Your booking is confirmed, says Dana.", "Your mail was sent on Monday."] {
            assert!(!owes_the_record("what does Dana want", said, true), "{said}");
        }
        let lesson = "A letter was sent to Paris in 1805. Nothing of yours was sent.";
        assert!(!owes_the_record("tell me about letters", lesson, false));
    }
}
