//! Words that ears write for others of the same sound, put right before a sentence is read.
//!
//! Only where it was spoken, and only where what was written makes no sense: "no weight, one
//! o'clock" was "no wait", "canceled the timer" was "cancel the timer", and "… in book half an
//! hour with Tom" was "and book". Typed words are taken as they stand. None of it can make a
//! yes: what is put right asks us to wait, or asks for something.

use std::borrow::Cow;

use brain::resolve::people;
use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};

use super::sentence;
use super::vocabulary::is_any;
use crate::World;

/// The sentence as it was said, as far as that is known.
pub fn as_said<'a>(heard: &'a str, world: &World) -> Cow<'a, str> {
    if !world.focus.is_spoken {
        return Cow::Borrowed(heard);
    }
    let mut said = Cow::Borrowed(heard);
    for mend in [waits, commands, joins] {
        if let Some(mended) = mend(&said, world) {
            said = Cow::Owned(mended);
        }
    }
    said
}

/// An answer as it was said. What has been done to a card is not taken for an order there.
pub fn waiting<'a>(heard: &'a str, world: &World) -> Cow<'a, str> {
    let mended = waits(heard, world).filter(|_| world.focus.is_spoken);
    mended.map_or(Cow::Borrowed(heard), Cow::Owned)
}

/// Said before "wait" by whoever was wrong.
const TURNS: &[&str] = &["no", "oh", "um", "uh", "er", "ok", "okay", "sorry", "nope"];

/// "No weight, one o'clock": nobody answers with a weight.
fn waits(heard: &str, world: &World) -> Option<String> {
    /// What goes on behind "wait" without a pause.
    const GOES_ON: &[&str] =
        &["make", "change", "actually", "no", "not", "do", "i", "a", "on", "at", "stop", "that"];
    let said = words(heard);
    let at = said.iter().take_while(|word| !word.quoted && is_any(&word.text, TURNS)).count();
    let weight = said.get(at).filter(|word| !word.quoted && word.is("weight"))?;
    let behind = &said[at + 1..];
    let paused =
        matches!(weight.stop, Some(',' | '.' | '!')) || weight.stop.is_none() && behind.is_empty();
    let goes_on = at > 0
        && behind.first().is_some_and(|next| {
            let timed = time::find(behind, &world.local_now(), Lean::Ahead)
                .is_some_and(|when| when.words.first() == Some(&0));
            timed || is_any(&next.text, GOES_ON)
        });
    (paused || goes_on).then(|| replaced(heard, weight, "wait"))
}

/// What was done, as it is written, and what was asked for.
const DONE: &[(&str, &str)] = &[
    ("added", "add"),
    ("booked", "book"),
    ("canceled", "cancel"),
    ("cancele", "cancel"),
    ("cancelled", "cancel"),
    ("created", "create"),
    ("deleted", "delete"),
    ("drafted", "draft"),
    ("emailed", "email"),
    ("forwarded", "forward"),
    ("invited", "invite"),
    ("mailed", "mail"),
    ("moved", "move"),
    ("postponed", "postpone"),
    ("reminded", "remind"),
    ("removed", "remove"),
    ("replied", "reply"),
    ("rescheduled", "reschedule"),
    ("scheduled", "schedule"),
];

/// Begins what is booked, moved or called off.
const OBJECTS: &[&str] = &[
    "a",
    "an",
    "the",
    "my",
    "our",
    "half",
    "all",
    "this",
    "that",
    "everything",
    "lunch",
    "dinner",
    "breakfast",
    "coffee",
    "drinks",
    "dentist",
    "doctor",
    "yoga",
    "gym",
];

/// "Canceled the timer": whoever tells what was done says who did it, or that it is done.
fn commands(heard: &str, world: &World) -> Option<String> {
    /// A tale, or something that is so.
    const TOLD: &[&str] = &[
        "already",
        "finally",
        "yesterday",
        "last",
        "ago",
        "earlier",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "so",
        "because",
        "itself",
        "ourselves",
        "myself",
        "went",
        "got",
        "did",
    ];
    let said = words(heard);
    let request = sentence::without_lead(&said);
    let verb = request.first().filter(|word| !word.quoted && word.stop.is_none())?;
    let (_, plain) = DONE.iter().find(|(done, _)| verb.is(done))?;
    let behind = &request[1..];
    let next = behind.first().filter(|word| !word.quoted)?;
    let clause = sentence_of(behind);
    let is_told = clause.iter().any(|word| !word.quoted && is_any(&word.text, TOLD))
        || clause.last().is_some_and(|last| last.stop == Some('?'));
    let somebody = || {
        let called = next.text.strip_suffix("'s").unwrap_or(&next.text);
        !people::known(called, &world.contacts).is_empty()
    };
    let behind_it = behind.get(1).map_or("", |word| word.text.as_str());
    let takes = match *plain {
        "remind" => next.is("me") && is_any(behind_it, REMINDED) || is_timed(behind, 1, world),
        "reply" => next.is("to"),
        "email" | "mail" | "invite" => somebody() || is_any(&next.text, &["my", "the"]),
        // "Booked dentist next Tuesday at ten": whatever it is, it is on a day.
        "book" | "schedule" | "move" | "cancel" | "reschedule" => {
            is_any(&next.text, OBJECTS) || somebody() || is_named_and_timed(behind, world)
        }
        _ => is_any(&next.text, OBJECTS) || somebody(),
    };
    (takes && !is_told).then(|| replaced(heard, verb, plain))
}

/// "Remind me of home" is what things do.
const REMINDED: &[&str] =
    &["to", "about", "at", "in", "on", "that", "tomorrow", "tonight", "when", "every"];

fn is_timed(words: &[Word], at: usize, world: &World) -> bool {
    words.get(at..).is_some_and(|rest| {
        time::find(rest, &world.local_now(), Lean::Ahead)
            .is_some_and(|when| when.words.first() == Some(&0))
    })
}

/// A thing, and behind it when it is: "dentist next Tuesday at ten", and not "solid on Friday".
fn is_named_and_timed(behind: &[Word], world: &World) -> bool {
    const HOW: &[&str] = &[
        "solid",
        "up",
        "out",
        "in",
        "into",
        "for",
        "by",
        "until",
        "till",
        "on",
        "at",
        "through",
        "over",
        "with",
        "under",
        "via",
        "from",
        "to",
        "off",
        "online",
        "full",
        "again",
        "too",
        "well",
        "away",
        "back",
        "forward",
        "and",
        "or",
        "but",
        "it",
        "them",
        "around",
        "home",
        "house",
        "flat",
        "meetings",
        "events",
        "appointments",
        "time",
        "slots",
        "rooms",
    ];
    !is_any(&behind[0].text, HOW) && (1..behind.len().min(5)).any(|at| is_timed(behind, at, world))
}

fn sentence_of(words: &[Word]) -> &[Word] {
    let ends = |word: &Word| matches!(word.stop, Some('.' | '!' | '?'));
    let end = words.iter().position(ends).map_or(words.len(), |at| at + 1);
    &words[..end]
}

/// "… that I'm late, in book half an hour with Tom": nothing is in "book half an hour".
fn joins(heard: &str, world: &World) -> Option<String> {
    const ORDERS: &[&str] = &[
        "add",
        "ask",
        "book",
        "cancel",
        "check",
        "delete",
        "draft",
        "email",
        "find",
        "forward",
        "invite",
        "let",
        "mail",
        "move",
        "put",
        "read",
        "remind",
        "reply",
        "reschedule",
        "schedule",
        "send",
        "set",
        "show",
        "tell",
        "write",
    ];
    let said = words(heard);
    let first = sentence::without_lead(&said).first()?;
    if !is_any(&first.text, ORDERS) {
        return None;
    }
    let at = (2..said.len()).find(|&at| {
        let [before, joint] = [&said[at - 1], &said[at]];
        let sounds = is_any(&joint.text, &["in", "an", "end"]);
        let paused = matches!(before.stop, Some(',' | '.'));
        // "An email Tom sent", "at the end book a table": those are what they say.
        let alone = joint.is("in") && before.stop.is_none();
        sounds
            && !joint.quoted
            && joint.stop.is_none()
            && (paused || alone)
            && is_order(&said[at + 1..], paused, world)
    })?;
    Some(replaced(heard, &said[at], "and"))
}

/// A command and what it takes, which no thing is called: "book half an hour", "tell Tom".
fn is_order(words: &[Word], paused: bool, world: &World) -> bool {
    let [verb, next, ..] = words else { return false };
    if verb.quoted || next.quoted || verb.stop.is_some() {
        return false;
    }
    let somebody = || {
        let known = !people::known(&next.text, &world.contacts).is_empty();
        // "In email Tom sent" is where something was.
        known && (paused || is_any(&verb.text, &["tell", "ask", "invite", "remind"]))
    };
    let starts = || is_any(&next.text, &["a", "an", "half", "the", "my", "our", "lunch", "dinner"]);
    match verb.text.as_str() {
        "remind" => next.is("me") && words.len() > 2,
        "show" | "send" => next.is("me") && words.len() > 2 || somebody(),
        "tell" | "ask" | "email" | "mail" | "invite" => somebody(),
        "let" => somebody() && words.get(2).is_some_and(|third| third.is("know")),
        "reply" => next.is("to") && words.len() > 2,
        "book" | "schedule" | "add" | "cancel" | "delete" | "reschedule" | "move" | "put"
        | "find" | "check" | "set" => starts() && words.len() > 2,
        _ => false,
    }
}

fn replaced(heard: &str, word: &Word, with: &str) -> String {
    let capital = heard[word.start..].starts_with(char::is_uppercase);
    let with = if capital { super::phrasing::capital(with) } else { with.to_owned() };
    format!("{}{with}{}", &heard[..word.start], &heard[word.end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{corpus, reflex};

    fn spoken() -> World {
        let mut world = corpus::world();
        world.focus.is_spoken = true;
        world
    }

    fn is_mended(cases: &[(&str, &str)]) {
        for (heard, meant) in cases {
            assert_eq!(as_said(heard, &spoken()), *meant, "{heard}");
            assert_eq!(as_said(heard, &corpus::world()), *heard, "typed");
        }
    }

    fn is_left(cases: &[&str]) {
        for heard in cases {
            assert_eq!(as_said(heard, &spoken()), *heard);
        }
    }

    #[test]
    fn a_weight_that_answers_is_a_wait() {
        is_mended(&[
            ("No weight, one o'clock.", "No wait, one o'clock."),
            ("No, weight. Friday.", "No, wait. Friday."),
            ("Weight, one o'clock.", "Wait, one o'clock."),
            ("no weight one o'clock", "no wait one o'clock"),
            ("no weight make it friday", "no wait make it friday"),
            ("Oh no weight, Dana.", "Oh no wait, Dana."),
            ("Weight.", "Wait."),
        ]);
        is_left(&[
            "The weight of the parcel is five kilos.",
            "Weight of the parcel?",
            "No weight limit on the parcel.",
            "No weight training this week",
            "What's the weight of the samples?",
            "Weight: five kilos",
            "Tell Tom no weight, no problem",
            "Weight training on Friday at six",
            "No weights on Friday",
            "No, the weight is right.",
            "Remind me to check my weight, please",
        ]);
    }

    #[test]
    fn what_was_done_at_the_head_of_a_sentence_is_to_be_done() {
        is_mended(&[
            ("Canceled the timer.", "Cancel the timer."),
            ("Cancelled the timer", "Cancel the timer"),
            ("Canceled the meeting with Tom.", "Cancel the meeting with Tom."),
            ("Booked Dentist next Tuesday at ten.", "Book Dentist next Tuesday at ten."),
            ("Please canceled my lunch tomorrow.", "Please cancel my lunch tomorrow."),
            ("Moved the dentist to Friday.", "Move the dentist to Friday."),
            ("Moved lunch to Friday", "Move lunch to Friday"),
            ("Scheduled a call with Tom at ten", "Schedule a call with Tom at ten"),
            ("Reminded me to call Tom.", "Remind me to call Tom."),
            ("Replied to Tom that I'm late.", "Reply to Tom that I'm late."),
            ("Emailed Tom that I'm late.", "Email Tom that I'm late."),
            ("Invited Tom to the review on Friday", "Invite Tom to the review on Friday"),
        ]);
        is_left(&[
            "Booked solid on Friday?",
            "Booked a table already.",
            "I canceled the timer.",
            "Who canceled the meeting with Tom?",
            "Tom booked the room",
            "Canceled meetings",
            "Canceled flights are refunded.",
            "Moved on from that",
            "Moved house last week",
            "Emailed Tom yesterday",
            "Reminded me of Tom",
            "Scheduled maintenance",
            "Replied.",
            "Canceled the timer?",
            "Booked out until Friday",
            "Added sugar",
        ]);
    }

    #[test]
    fn in_before_an_order_behind_a_request_is_and() {
        is_mended(&[
            (
                "Email Priya that I'm late, in book half an hour with Tom on Thursday at ten.",
                "Email Priya that I'm late, and book half an hour with Tom on Thursday at ten.",
            ),
            (
                "Email Priya that I'm late in book half an hour with Tom on Thursday at ten.",
                "Email Priya that I'm late and book half an hour with Tom on Thursday at ten.",
            ),
            (
                "Move the review to Friday, an tell Tom about it.",
                "Move the review to Friday, and tell Tom about it.",
            ),
            (
                "Tell Priya I'm late, end remind me to call Tom at five.",
                "Tell Priya I'm late, and remind me to call Tom at five.",
            ),
        ]);
        is_left(&[
            "Tell Tom it's out in book form",
            "Tell Tom I read it in book two",
            "Email Priya about an email Tom sent",
            "Tell Ana at the end book a table",
            "Remind me in the end to call Tom",
            "Tell Ana the answer is in, remind her",
            "Send Tom the notes in an email",
            "What is in book a table?",
            "Book a table in, say, an hour",
        ]);
    }

    #[test]
    fn two_requests_stay_two_where_ears_wrote_in_between_them() {
        let rest = "book half an hour with Tom on Thursday at ten.";
        for lead in ["Email Priya that I'm late", "Tell Priya that I'm running late"] {
            let heard = reflex::read(&format!("{lead}, in {rest}"), &spoken());
            let meant = reflex::read(&format!("{lead}, and {rest}"), &spoken());
            assert_eq!(heard, meant, "{lead}");
            assert!(!heard.proposal.steps.is_empty(), "{lead}");
        }
    }
}
