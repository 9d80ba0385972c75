//! Questions about an open card, answered from what stands on it.

mod checked;

use brain::card::{EmailPreview, EventPreview, Preview, Recipient};
use brain::resolve::words::Word;

use super::CardView;
use super::named::Named;
use crate::World;
use crate::narrator::card;
use crate::narrator::spelling::{capital, count, day, first_words, hours, length, list};
use crate::reflex::vocabulary::{CONFLICTS, is_any};

/// Of a why that is about the card: "why do you ask", "why do I have to confirm that".
const WHY: &[&str] = &[
    "do",
    "does",
    "are",
    "is",
    "you",
    "i",
    "we",
    "it",
    "that",
    "this",
    "me",
    "to",
    "a",
    "the",
    "my",
    "not",
    "so",
    "should",
    "must",
    "have",
    "need",
    "ask",
    "asking",
    "asked",
    "confirm",
    "say",
    "yes",
    "wait",
    "waiting",
    "card",
    "question",
    "approve",
    "permission",
    "again",
];
/// How many words of a mail are read out.
const ALOUD: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Whom,
    Text,
    When,
    Long,
    Where,
    Subject,
    Why,
    Clash,
}

/// The answer to a question about a card, and which card it is about.
pub fn read(
    said: &[Word],
    named: &Named,
    cards: &[CardView<'_>],
    world: &World,
) -> Option<(usize, String)> {
    if said.iter().any(|word| word.quoted) {
        return None;
    }
    let texts = stripped(&named.rest);
    let asked = asked(&texts)
        .or_else(|| checked::whom(&texts, named, cards, world))
        .or_else(|| checked::when(said, cards, world))?;
    let all = named.candidates();
    let fitting: Vec<usize> =
        all.iter().copied().filter(|&place| fits(asked, cards[place].preview)).collect();
    // "Am I free then", where only a mail waits, is about the calendar.
    if asked == Asked::Clash && fitting.is_empty() {
        return None;
    }
    let chosen = if fitting.is_empty() { all } else { fitting };
    let answer = |place: usize| {
        let told = answer(asked, cards[place].preview, world);
        safe(match asked {
            Asked::Whom => format!("{told}{}", checked::not_them(named, cards[place].preview)),
            _ => told,
        })
    };
    match chosen.as_slice() {
        [] => None,
        [one] => Some((*one, answer(*one))),
        several => {
            let told = several
                .iter()
                .map(|&place| format!("{}: {}", capital(cards[place].called), answer(place)));
            Some((several[0], told.collect::<Vec<_>>().join(" ")))
        }
    }
}

/// Words that would be a yes are not read out while one is waited for.
fn safe(said: String) -> String {
    if card::is_safe_aloud(&said) {
        said
    } else {
        "I'd rather leave those words on the card.".to_owned()
    }
}

const LEADS: &[&str] = &[
    "and", "so", "wait", "sorry", "hm", "hmm", "ok", "okay", "but", "um", "uh", "yes", "please",
    "first", "well", "oh", "actually", "before", "then", "now", "remind", "tell", "me", "can",
    "could", "you",
];

fn stripped(rest: &[String]) -> Vec<&str> {
    let texts: Vec<&str> = rest.iter().map(String::as_str).collect();
    let asides: [&[&str]; 3] =
        [&["by", "the", "way"], &["just", "checking"], &["quick", "question"]];
    let aside = asides.iter().find(|aside| texts.starts_with(aside)).map_or(0, |aside| aside.len());
    let texts = texts[aside..].to_vec();
    let start = texts.iter().take_while(|text| is_any(text, LEADS)).count();
    let mut end = texts.len();
    while end > start && matches!(texts[end - 1], "please" | "again" | "exactly" | "then" | "first")
    {
        end -= 1;
    }
    if end == start && texts.last() == Some(&"again") {
        return vec!["again"];
    }
    texts[start..end].to_vec()
}

/// What of it is asked for; every word has to belong to the question.
fn asked(texts: &[&str]) -> Option<Asked> {
    let only = |rest: &[&str], known: &[&str]| rest.iter().all(|text| is_any(text, known));
    let (&first, rest) = texts.split_first()?;
    let is_clash = |text: &&str| is_any(text, CONFLICTS);
    let clashes = texts.iter().any(|text| is_clash(text) || is_any(text, &["busy", "free"]));
    Some(match first {
        "does" | "is" | "do" | "am" | "any" | "will" | "would"
            if clashes && rest.iter().all(|text| is_clash(text) || is_any(text, CLASH)) =>
        {
            Asked::Clash
        }
        "who" | "whom" if only(rest, WHOM) => Asked::Whom,
        "to" if matches!(rest.first(), Some(&("who" | "whom"))) && only(&rest[1..], WHOM) => {
            Asked::Whom
        }
        "which" | "what" if rest.first() == Some(&"address") && only(&rest[1..], WHOM) => {
            Asked::Whom
        }
        "why" if only(rest, WHY) => Asked::Why,
        "where" if only(rest, IT) => Asked::Where,
        "how" if matches!(rest.first(), Some(&"long")) && only(&rest[1..], IT) => Asked::Long,
        "how" if rest.starts_with(&["many", "minutes"]) => Asked::Long,
        "until" if rest == ["when"] => Asked::Long,
        "when" if only(rest, IT) => Asked::When,
        "at" if rest == ["what", "time"] => Asked::When,
        // "What time is it" asks the clock.
        "what" if matches!(rest.first(), Some(&("time" | "day" | "date"))) => {
            let clock = rest[1..] == ["is", "it"];
            if clock || !only(&rest[1..], IT) {
                return None;
            }
            Asked::When
        }
        "what" => what(rest)?,
        "read" | "show" | "repeat" | "say" | "hear" | "see"
            if only(rest, SHOWN) && !rest.is_empty() =>
        {
            Asked::Text
        }
        "repeat" | "details" | "again" if rest.is_empty() => Asked::Text,
        "let" if rest.starts_with(&["me", "hear"]) || rest.starts_with(&["me", "see"]) => {
            if !only(&rest[2..], SHOWN) {
                return None;
            }
            Asked::Text
        }
        _ => return None,
    })
}

/// What a question about other things at that time is made of.
const CLASH: &[&str] = &[
    "it",
    "that",
    "this",
    "with",
    "anything",
    "something",
    "else",
    "my",
    "calendar",
    "there",
    "a",
    "i",
    "have",
    "then",
    "at",
    "time",
    "the",
    "be",
    "am",
    "any",
    "on",
    "is",
    "for",
    "busy",
    "free",
];
const IT: &[&str] = &[
    "is",
    "it",
    "that",
    "this",
    "the",
    "would",
    "be",
    "will",
    "does",
    "start",
    "end",
    "take",
    "last",
    "exactly",
    "again",
    "for",
    "was",
    "going",
    "to",
    "happening",
    "at",
    "on",
    "one",
];
const WHOM: &[&str] = &[
    "is",
    "it",
    "that",
    "this",
    "going",
    "to",
    "goes",
    "go",
    "gets",
    "get",
    "will",
    "be",
    "on",
    "in",
    "invited",
    "coming",
    "for",
    "of",
    "with",
    "am",
    "i",
    "sending",
    "writing",
    "are",
    "we",
    "inviting",
    "send",
    "you",
    "does",
    "exactly",
    "again",
    "card",
    "a",
    "copy",
    "all",
    "else",
    "the",
    "do",
    "would",
    "attending",
    "receives",
    "receiving",
];
const SHOWN: &[&str] = &[
    "it", "that", "this", "me", "to", "again", "back", "out", "aloud", "the", "whole", "text",
    "thing", "once", "more", "loud", "card", "draft", "words",
];

fn what(rest: &[&str]) -> Option<Asked> {
    Some(match rest {
        ["is" | "was", "the", "subject"] | ["subject"] => Asked::Subject,
        ["is", "it", "called"] | ["is", "the", "title"] => Asked::Subject,
        ["is" | "was", "it" | "that" | "this"] | ["was", "it", "again"] => Asked::Text,
        ["is", "it" | "that", "about"] | ["is", "in", "it"] | ["exactly"] => Asked::Text,
        ["is", "the", "text"] | ["are", "the", "words"] => Asked::Text,
        ["does" | "did" | "would" | "will", "it" | "that" | "this", "say"] => Asked::Text,
        ["is", "it", "saying"] | ["did", "you", "write"] | ["are", "you", "sending"] => Asked::Text,
        ["are", "you", "going", "to", "send" | "write"] => Asked::Text,
        ["would", "you", "send"] | ["am", "i", "sending"] => Asked::Text,
        _ => return None,
    })
}

fn fits(asked: Asked, preview: &Preview) -> bool {
    match asked {
        Asked::When | Asked::Long | Asked::Where | Asked::Clash => {
            matches!(preview, Preview::Event(_))
        }
        Asked::Subject => matches!(preview, Preview::Email(_)),
        Asked::Whom | Asked::Text | Asked::Why => true,
    }
}

fn answer(asked: Asked, preview: &Preview, world: &World) -> String {
    if asked == Asked::Why {
        return "I ask before anything leaves or changes.".to_owned();
    }
    match preview {
        Preview::Email(email) => of_mail(asked, email),
        Preview::Event(event) => of_event(asked, event, world),
        Preview::Memory(memory) => {
            let does = if memory.forgets { "forget" } else { "remember" };
            let text = memory.text.trim_end_matches('.');
            format!("I would {does} this: {text}.")
        }
        Preview::Lines { lines } => {
            let told = lines.iter().map(|line| format!("{}: {}.", line.label, line.value));
            told.collect::<Vec<_>>().join(" ")
        }
    }
}

fn of_mail(asked: Asked, email: &EmailPreview) -> String {
    let text = card::words_of(&email.body_text);
    match asked {
        Asked::Whom | Asked::Where => {
            let copies = if email.cc.is_empty() {
                String::new()
            } else {
                format!(" With a copy for {}.", whole(&email.cc))
            };
            format!("It goes to {}.{copies}", whole(&email.to))
        }
        Asked::Subject => format!("The subject is “{}”.", email.subject),
        Asked::When | Asked::Clash => "It goes out after your answer, not before.".to_owned(),
        Asked::Long => {
            let words = text.split_whitespace().count();
            format!("It has {} words.", count(words))
        }
        Asked::Text | Asked::Why => {
            let (words, cut) = first_words(&text, ALOUD);
            let rest = if cut { "… The rest is on the card." } else { "" };
            format!("It says: {words}{rest}")
        }
    }
}

fn of_event(asked: Asked, event: &EventPreview, world: &World) -> String {
    let now = world.local_now();
    let local = |time: &jiff::Zoned| time.with_time_zone(now.time_zone().clone());
    let (start, end) = (local(&event.start), local(&event.end));
    let when = format!("{} {}", day(start.date(), now.date()), hours(&start, &end));
    match asked {
        Asked::Whom => match event.attendees.as_slice() {
            [] => "Nobody else is invited.".to_owned(),
            all => format!("It is with {}.", whole(all)),
        },
        Asked::When if event.moved_from().is_some() => format!("It would be {when}."),
        Asked::When => format!("It is {when}."),
        Asked::Long => format!("It takes {}, {when}.", length(event.minutes)),
        Asked::Where => match &event.location {
            Some(place) => format!("It is at {place}."),
            None => "No place is given.".to_owned(),
        },
        Asked::Clash => match event.conflicts.as_slice() {
            [] => format!("Nothing else is on your calendar {when}."),
            taken => format!("At that time there is {}, {when}.", list(taken, 0)),
        },
        Asked::Subject => format!("It is called “{}”.", event.title),
        Asked::Text | Asked::Why => {
            let place = event.location.as_ref().map(|place| format!(", at {place}"));
            format!("{}, {when}{}.", event.title, place.unwrap_or_default())
        }
    }
}

/// Names with addresses: this is the moment to look twice.
fn whole(people: &[Recipient]) -> String {
    let named = |one: &Recipient| match &one.name {
        Some(name) => format!("{name}, {}", one.address),
        None => one.address.clone(),
    };
    let shown: Vec<String> = people.iter().take(3).map(named).collect();
    list(&shown, people.len().saturating_sub(3))
}
