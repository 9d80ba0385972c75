//! "It", "the second one", "the next", "the one from Priya": mail that has
//! just been told of.

use brain::facts::Letter;
use brain::plan::{ProposedStep, from_step};
use brain::resolve::time::{cardinal, ordinal};
use serde_json::json;

use super::SHOWS;
use crate::focus::Focus;
use crate::gist::{AboutLetters, Chat, Gist, Want};
use crate::reflex::frame::Frame;
use crate::reflex::vocabulary::{EMPTY, MAIL, ONE_MAIL, SAYS, is_any};
use crate::reflex::{Lookup, Meaning};

/// The opening of a mail that the person points at.
pub fn read(frame: &mut Frame) -> Option<Meaning> {
    read_on(frame)
        .or_else(|| nth_unread(frame))
        .or_else(|| beside(frame))
        .or_else(|| one_of_the_list(frame))
        .or_else(|| pointed_at(frame))
}

/// "Read on", after a long mail was read in part. A plain yes will do where
/// that was offered.
fn read_on(frame: &Frame) -> Option<Meaning> {
    let asked = READ_ON.iter().any(|words| frame.texts == *words);
    let letter = frame.world.focus.opened.as_ref().filter(|_| asked)?;
    Some(Meaning::Look(vec![open(&letter.message_id, true)]))
}

const READ_ON: &[&[&str]] = &[
    &["read", "on"],
    &["go", "on"],
    &["keep", "going"],
    &["keep", "reading"],
    &["continue"],
    &["continue", "reading"],
    &["read", "the", "rest"],
    &["the", "rest"],
    &["and", "the", "rest"],
    &["read", "me", "the", "rest"],
    &["more"],
];

fn open(message_id: &str, rest: bool) -> Lookup {
    Lookup {
        steps: vec![ProposedStep {
            tool: "gmail.get_message".into(),
            args: json!({ "message_id": message_id }),
        }],
        gist: Gist::Letter { search: None, rest },
        acknowledgement: if rest { "Reading on." } else { "Opening it." }.to_owned(),
    }
}

/// "Open the second unread mail": of the list, where that is what was told, or
/// looked up.
fn nth_unread(frame: &Frame) -> Option<Meaning> {
    let shows = frame.starts_with_any(SHOWS) || frame.starts(&["show", "me"]);
    let (n, behind) = (0..frame.texts.len()).find_map(|at| {
        let (n, used) = ordinal(&frame.texts[at..])?;
        Some((usize::try_from(n).ok()?.checked_sub(1)?, at + used))
    })?;
    let [unread, noun] = frame.texts.get(behind..)? else { return None };
    if !shows || !is_any(unread, &["unread", "new"]) || !is_any(noun, ONE_MAIL) || n > 9 {
        return None;
    }
    let focus = &frame.world.focus;
    let told = focus.told_letter(n).filter(|_| focus.letters.iter().all(|letter| letter.unread));
    if let Some(letter) = told {
        return Some(Meaning::Look(vec![open(&letter.message_id, false)]));
    }
    let step = |tool: &str, args| ProposedStep { tool: tool.to_owned(), args };
    let about = AboutLetters { unread: true, want: Want::One, ..AboutLetters::default() };
    Some(Meaning::Look(vec![Lookup {
        steps: vec![
            step("gmail.search", json!({ "query": "is:unread", "max_results": n + 1 })),
            step(
                "gmail.get_message",
                json!({ "message_id": from_step(1, &format!("/messages/{n}/message_id")) }),
            ),
        ],
        gist: Gist::Letter { search: Some(about), rest: false },
        acknowledgement: "Opening it.".to_owned(),
    }]))
}

/// "Next", "the one before": beside the mail that was opened last.
fn beside(frame: &Frame) -> Option<Meaning> {
    let focus = &frame.world.focus;
    let opened = focus.opened.as_ref()?;
    let words: Vec<&str> = frame
        .texts
        .iter()
        .copied()
        .skip_while(|text| is_any(text, SHOWS) || is_any(text, &["me", "the", "show", "go", "to"]))
        .collect();
    let forward = match words.as_slice() {
        ["next"] | ["next", "one" | "mail" | "email" | "message"] => true,
        ["previous"] | ["previous", "one" | "mail" | "email" | "message"] => false,
        _ => return None,
    };
    let letters = focus.in_order();
    let at = letters.iter().position(|letter| letter.message_id == opened.message_id)?;
    let other = if forward { at.checked_add(1) } else { at.checked_sub(1) };
    Some(match other.and_then(|other| letters.get(other)) {
        Some(letter) => Meaning::Look(vec![open(&letter.message_id, false)]),
        None => Meaning::Chat(Chat::EndOfList),
    })
}

/// "Read the one from Dana", where one of those shown is from her.
fn one_of_the_list(frame: &Frame) -> Option<Meaning> {
    let at = frame.texts.iter().position(|text| *text == "one")?;
    let link = *frame.texts.get(at + 1)?;
    let sought: Vec<String> = frame.texts[at + 2..]
        .iter()
        .filter(|text| !is_any(text, EMPTY))
        .map(|text| (*text).to_owned())
        .collect();
    if sought.is_empty() || at > 3 || frame.world.focus.letters.is_empty() {
        return None;
    }
    let text_of = |letter: &Letter| match link {
        "from" | "by" => format!("{} {}", letter.from.called(), letter.from.address),
        _ => format!("{} {}", letter.subject, letter.snippet),
    };
    if !matches!(link, "from" | "by" | "about" | "on" | "with") {
        return None;
    }
    let letters = frame.world.focus.in_order();
    let letter = letters.iter().find(|letter| holds(&text_of(letter), &sought))?;
    Some(Meaning::Look(vec![open(&letter.message_id, false)]))
}

/// Every word begins one of the text's.
fn holds(text: &str, sought: &[String]) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    sought.iter().all(|word| {
        let stem = word.strip_suffix('s').filter(|stem| stem.len() > 3).unwrap_or(word);
        words.iter().any(|other| other.starts_with(stem))
    })
}

/// "It", "the second one": what has just been shown.
fn pointed_at(frame: &mut Frame) -> Option<Meaning> {
    let shows = frame.starts_with_any(SHOWS) || frame.starts(&["show", "me"]);
    let says = frame.starts(&["what", "does", "it", "say"])
        || frame.starts(&["what", "does", "that", "say"])
        || frame.starts(&["what", "does", "that", "one", "say"]);
    let place = pointed_place(frame);
    let this = frame.has(&["it", "that", "this"])
        && (frame.texts.len() <= 5 && frame.left_over(&[SHOWS, ONE_MAIL, SAYS]).is_empty());
    if !((shows || says) && (place.is_some() || this)) && !is_only_place(frame, place) {
        return None;
    }
    let focus = &frame.world.focus;
    let letter = match place {
        Some(Place::Nth(n)) => focus.told_letter(n),
        Some(Place::Number(n)) => focus.threads().get(n).map(|thread| thread[0]),
        Some(Place::Last) => focus.threads().last().map(|thread| thread[0]),
        None => focus.this_letter().or_else(|| newest_of_one(focus)),
    };
    Some(match letter {
        Some(letter) => Meaning::Look(vec![open(&letter.message_id, false)]),
        None => Meaning::Chat(Chat::NothingToPointAt),
    })
}

/// "Read it", after mail of one person was told of: the newest of it.
fn newest_of_one(focus: &Focus) -> Option<&Letter> {
    let letters = focus.in_order();
    let first = letters.first()?;
    let same = letters.iter().all(|other| other.from.address == first.from.address);
    same.then_some(*first)
}

#[derive(Clone, Copy)]
enum Place {
    /// Among those told last.
    Nth(usize),
    /// Among all of the list.
    Number(usize),
    Last,
}

/// "The second one", "number two", "the last one"; and "the first email" once
/// a list has been shown.
fn pointed_place(frame: &Frame) -> Option<Place> {
    let shown = !frame.world.focus.letters.is_empty();
    (0..frame.texts.len()).find_map(|at| {
        let rest = &frame.texts[at..];
        if let ["number", ..] = rest {
            let (n, _) = cardinal(&rest[1..])?;
            return usize::try_from(n).ok()?.checked_sub(1).map(Place::Number);
        }
        let one = |used: usize| match rest.get(used) {
            Some(&"one") => true,
            Some(noun) => shown && is_any(noun, ONE_MAIL),
            None => shown && used == rest.len(),
        };
        if rest[0] == "last" && rest.get(1) == Some(&"one") {
            return Some(Place::Last);
        }
        let (n, used) = ordinal(rest)?;
        one(used).then(|| usize::try_from(n).ok()?.checked_sub(1).map(Place::Nth)).flatten()
    })
}

/// "The second one", and nothing else.
fn is_only_place(frame: &Frame, place: Option<Place>) -> bool {
    place.is_some() && frame.texts.len() <= 3 && !frame.has(MAIL)
}
