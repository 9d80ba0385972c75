//! "Did you send it?": what became of a write is asked, and nothing is wanted.
//!
//! Only whole questions count; who asks more than that asks something else. The
//! answer is not found here: it comes from what is recorded of the write.

use brain::card::{Preview, Recipient};
use brain::resolve::words::{Word, words};

use super::reply::is_called;
use super::vocabulary::is_any;
use crate::World;

/// Which write is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    kind: Option<Kind>,
    /// Who was named, in the person's words.
    whom: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Mail,
    Event,
}

/// What is asked about, if that is what the sentence does.
pub fn asked(heard: &str) -> Option<About> {
    let said = words(heard);
    if said.iter().any(|word| word.quoted) {
        return None;
    }
    let texts: Vec<&str> = said.iter().map(|word: &Word| word.text.as_str()).collect();
    question(stripped(&texts))
}

impl About {
    /// Can it be this one?
    pub fn fits(&self, preview: &Preview, world: &World) -> bool {
        let kind = match preview {
            Preview::Email(_) => Some(Kind::Mail),
            Preview::Event(_) => Some(Kind::Event),
            Preview::Memory(_) | Preview::Lines { .. } => None,
        };
        let named = |name: &String| preview.recipients().any(|one| is_meant(one, name, world));
        (self.kind.is_none() || self.kind == kind) && self.whom.as_ref().is_none_or(named)
    }
}

/// Nothing is sent on the strength of it, so another Priya among the contacts
/// does not matter: the answer says whom it is about.
fn is_meant(one: &Recipient, name: &str, world: &World) -> bool {
    let shown = one.name.as_deref().unwrap_or("").to_lowercase();
    shown == name || shown.split(' ').any(|part| part == name) || is_called(one, name, world)
}

const LEADS: &[&str] =
    &["so", "and", "hey", "ok", "okay", "wait", "um", "uh", "but", "well", "sayso", "hm", "hmm"];
const TAILS: &[&str] = &["please", "yet", "already", "now", "then", "though", "by"];

fn stripped<'a>(texts: &'a [&'a str]) -> &'a [&'a str] {
    let start = texts.iter().take_while(|text| is_any(text, LEADS)).count();
    let mut left = &texts[start..];
    loop {
        left = match left {
            [rest @ .., "or", "not"] => rest,
            [rest @ .., last] if is_any(last, TAILS) => rest,
            _ => return left,
        };
    }
}

fn question(texts: &[&str]) -> Option<About> {
    match texts {
        ["did", "you", verb, rest @ ..] => done_to(verb, DOES, rest),
        ["have", "you", verb, rest @ ..] => done_to(verb, DONE, rest),
        ["did", rest @ ..] => became(rest, &[WENT, GOT]),
        ["has" | "have", rest @ ..] => became(rest, &[BEEN]),
        ["was" | "were" | "is" | "are", rest @ ..] => became(rest, &[IS]),
        ["what", "happened", "with" | "to", rest @ ..] | ["what", "became", "of", rest @ ..] => {
            became(rest, &[&[(&[], None)]])
        }
        _ => None,
    }
}

/// "Send it", "book the meeting with Tom", "reply to Priya".
fn done_to(verb: &str, verbs: &[(&str, Option<Kind>)], rest: &[&str]) -> Option<About> {
    let (_, kind) = verbs.iter().find(|(known, _)| *known == verb)?;
    let to_somebody = |name: &[&str]| About { kind: *kind, whom: Some(name.join(" ")) };
    match rest {
        ["to", name @ ..] if is_name(name) && is_any(verb, WRITES) => Some(to_somebody(name)),
        name if is_name(name) && is_any(verb, MAILS) => Some(to_somebody(name)),
        _ => {
            let tails: &[Tail] =
                &[(&[], None), (&["out"], None), (&["off"], None), (&["in"], None)];
            let about = became(rest, &[tails, ON_CALENDAR])?;
            Some(About { kind: about.kind.or(*kind), ..about })
        }
    }
}

/// A thing, and one of these behind it up to the end.
fn became(texts: &[&str], tails: &[&[Tail]]) -> Option<About> {
    things(texts).into_iter().find_map(|(about, rest)| {
        let all = tails.iter().copied().flatten();
        let (_, kind) = all.into_iter().find(|(tail, _)| *tail == rest)?;
        // Invitations are sent; mails are not booked.
        let odd = about.kind == Some(Kind::Mail) && *kind == Some(Kind::Event);
        (!odd).then(|| About { kind: about.kind.or(*kind), ..about })
    })
}

/// Everything that can be the thing that is spoken of, and what is left behind it.
fn things<'a>(texts: &'a [&'a str]) -> Vec<(About, &'a [&'a str])> {
    let (kind, rest) = match texts {
        ["the" | "my" | "that" | "this" | "your", noun, rest @ ..] if kind_of(noun).is_some() => {
            (kind_of(noun), rest)
        }
        ["it" | "that" | "this" | "they" | "them" | "everything", rest @ ..] => (None, rest),
        [noun, rest @ ..] if is_any(noun, MEALS) => (Some(Kind::Event), rest),
        _ => return Vec::new(),
    };
    let about = |whom| About { kind, whom };
    let mut found = vec![(about(None), rest)];
    if let ["to" | "with" | "for", behind @ ..] = rest {
        let named = (1..=behind.len().min(3)).filter(|&used| is_name(&behind[..used]));
        found.extend(named.map(|used| (about(Some(behind[..used].join(" "))), &behind[used..])));
    }
    found
}

fn kind_of(noun: &str) -> Option<Kind> {
    let mail = ["mail", "mails", "email", "emails", "message", "reply", "answer", "note", "letter"];
    let event = ["meeting", "event", "appointment", "invite", "invitation", "entry", "booking"];
    if is_any(noun, &mail) {
        Some(Kind::Mail)
    } else if is_any(noun, &event) || is_any(noun, MEALS) {
        Some(Kind::Event)
    } else {
        None
    }
}

const MEALS: &[&str] = &["lunch", "dinner", "breakfast", "brunch", "coffee", "drinks"];

/// One to three words that are no words of ours.
fn is_name(texts: &[&str]) -> bool {
    let ours = ["it", "that", "this", "them", "the", "my", "a", "me", "you", "us", "out", "off"];
    matches!(texts.len(), 1..=3) && !texts.iter().any(|text| is_any(text, &ours))
}

const WRITES: &[&str] = &["reply", "write", "answer", "replied", "written"];
const MAILS: &[&str] = &["answer", "mail", "email", "answered", "mailed", "emailed"];

const DOES: &[(&str, Option<Kind>)] = &[
    ("send", Some(Kind::Mail)),
    ("mail", Some(Kind::Mail)),
    ("email", Some(Kind::Mail)),
    ("reply", Some(Kind::Mail)),
    ("write", Some(Kind::Mail)),
    ("answer", Some(Kind::Mail)),
    ("book", Some(Kind::Event)),
    ("schedule", Some(Kind::Event)),
    ("add", Some(Kind::Event)),
    ("put", Some(Kind::Event)),
    ("cancel", Some(Kind::Event)),
    ("move", Some(Kind::Event)),
    ("reschedule", Some(Kind::Event)),
    ("do", None),
];
const DONE: &[(&str, Option<Kind>)] = &[
    ("sent", Some(Kind::Mail)),
    ("mailed", Some(Kind::Mail)),
    ("emailed", Some(Kind::Mail)),
    ("replied", Some(Kind::Mail)),
    ("written", Some(Kind::Mail)),
    ("answered", Some(Kind::Mail)),
    ("booked", Some(Kind::Event)),
    ("scheduled", Some(Kind::Event)),
    ("added", Some(Kind::Event)),
    ("put", Some(Kind::Event)),
    ("cancelled", Some(Kind::Event)),
    ("canceled", Some(Kind::Event)),
    ("moved", Some(Kind::Event)),
    ("rescheduled", Some(Kind::Event)),
    ("done", None),
];

type Tail = (&'static [&'static str], Option<Kind>);

const WENT: &[Tail] = &[
    (&["go", "out"], Some(Kind::Mail)),
    (&["go", "off"], Some(Kind::Mail)),
    (&["go"], None),
    (&["go", "through"], None),
    (&["work"], None),
    (&["work", "out"], None),
    (&["happen"], None),
];
const GOT: &[Tail] = &[
    (&["get", "sent"], Some(Kind::Mail)),
    (&["get", "out"], Some(Kind::Mail)),
    (&["get", "booked"], Some(Kind::Event)),
    (&["get", "done"], None),
];
const BEEN: &[Tail] = &[
    (&["been", "sent"], Some(Kind::Mail)),
    (&["been", "sent", "out"], Some(Kind::Mail)),
    (&["been", "sent", "off"], Some(Kind::Mail)),
    (&["gone", "out"], Some(Kind::Mail)),
    (&["gone", "off"], Some(Kind::Mail)),
    (&["gone", "through"], None),
    (&["been", "booked"], Some(Kind::Event)),
    (&["been", "scheduled"], Some(Kind::Event)),
    (&["been", "added"], Some(Kind::Event)),
    (&["been", "cancelled"], Some(Kind::Event)),
    (&["been", "moved"], Some(Kind::Event)),
    (&["been", "done"], None),
];
const IS: &[Tail] = &[
    (&["sent"], Some(Kind::Mail)),
    (&["sent", "out"], Some(Kind::Mail)),
    (&["sent", "off"], Some(Kind::Mail)),
    (&["out"], Some(Kind::Mail)),
    (&["gone"], Some(Kind::Mail)),
    (&["booked"], Some(Kind::Event)),
    (&["scheduled"], Some(Kind::Event)),
    (&["added"], Some(Kind::Event)),
    (&["on", "my", "calendar"], Some(Kind::Event)),
    (&["in", "my", "calendar"], Some(Kind::Event)),
    (&["on", "the", "calendar"], Some(Kind::Event)),
    (&["in", "the", "calendar"], Some(Kind::Event)),
    (&["done"], None),
];
const ON_CALENDAR: &[Tail] = &[
    (&["on", "my", "calendar"], Some(Kind::Event)),
    (&["in", "my", "calendar"], Some(Kind::Event)),
    (&["to", "my", "calendar"], Some(Kind::Event)),
    (&["on", "the", "calendar"], Some(Kind::Event)),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn about(kind: Option<Kind>, whom: Option<&str>) -> About {
        About { kind, whom: whom.map(str::to_owned) }
    }

    #[test]
    fn people_ask_in_many_words_what_became_of_it() {
        use Kind::{Event, Mail};
        for (heard, expected) in [
            ("did you send it?", about(Some(Mail), None)),
            ("So, did you send it yet?", about(Some(Mail), None)),
            ("did it go out?", about(Some(Mail), None)),
            ("has it been sent", about(Some(Mail), None)),
            ("was that sent?", about(Some(Mail), None)),
            ("have you sent it already?", about(Some(Mail), None)),
            ("is it booked?", about(Some(Event), None)),
            ("did you put it on my calendar?", about(Some(Event), None)),
            ("is the meeting with Tom on my calendar?", about(Some(Event), Some("tom"))),
            ("did the mail to Tom go out?", about(Some(Mail), Some("tom"))),
            ("did the reply to Priya Nair go out or not?", about(Some(Mail), Some("priya nair"))),
            ("did you reply to Tom?", about(Some(Mail), Some("tom"))),
            ("did you email Tom?", about(Some(Mail), Some("tom"))),
            ("what happened with the mail?", about(Some(Mail), None)),
            ("what happened to the mail to Tom", about(Some(Mail), Some("tom"))),
            ("what happened with that?", about(None, None)),
            ("did that go through?", about(None, None)),
            ("did it work", about(None, None)),
            ("is lunch booked", about(Some(Event), None)),
            ("did you send it to Tom?", about(Some(Mail), Some("tom"))),
            ("did you cancel lunch?", about(Some(Event), None)),
            ("have you moved it yet?", about(Some(Event), None)),
            ("has the meeting been cancelled?", about(Some(Event), None)),
            ("did the invitation go out?", about(Some(Event), None)),
            ("did you send the mail to Tom?", about(Some(Mail), Some("tom"))),
        ] {
            assert_eq!(asked(heard), Some(expected), "{heard}");
        }
    }

    #[test]
    fn who_asks_more_asks_something_else() {
        for heard in [
            "did Tom send it?",
            "did you send it to the whole company and why",
            "send it",
            "did I send it?",
            "did Priya reply?",
            "is it raining",
            "what happened yesterday",
            "was the mail from Tom important",
            "is the meeting booked by Tom",
            "\"did you send it\"",
            "did you",
            "",
            "have you sent it before I said so to anybody",
            "is the mail booked",
            "what happened in the meeting",
        ] {
            assert_eq!(asked(heard), None, "{heard}");
        }
    }
}
