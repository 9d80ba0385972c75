//! Changes to a mail: to whom, the subject, and the words.

use brain::card::{EmailPreview, Recipient};
use brain::resolve::words::Word;
use serde_json::{Map, Value, json};

use super::change::{Change, PUTS_ON, TAKES_OFF, Wish};
use super::event::{is, told};
use super::{reworded, text, wording};
use crate::World;
use crate::narrator::card::short_name;
use crate::narrator::spelling::list;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::Whom;
use crate::reflex::{compose, phrasing};

pub fn read(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    subject(wish)
        .or_else(|| copies(wish, email))
        .or_else(|| people(wish, email))
        .or_else(|| replaced(wish, email))
        .or_else(|| wording::removed(wish, email))
        .or_else(|| retimed(wish, email))
        .or_else(|| wording::repriced(wish, email))
        .or_else(|| wording::added(wish, email))
        .or_else(|| wording::refined(wish, email))
        .or_else(|| reworded::read(wish, email))
        .map(|change| with_its_subject(change, email))
}

/// A subject that was made from the words is made again from the new ones; one
/// that the person chose, or that answers another mail, stays.
pub(super) fn with_its_subject(change: Change, email: &EmailPreview) -> Change {
    let Change::To(mut fields, said) = change else { return change };
    let of = |body: &str| compose::subject(&text::words_in(body));
    let made = email.in_reply_to.is_none() && of(&email.body_text) == email.subject;
    let body = fields.get("body").and_then(Value::as_str);
    match body.map(of).filter(|new| made && *new != email.subject) {
        Some(subject) if !fields.contains_key("subject") => {
            fields.insert("subject".to_owned(), json!(subject));
            Change::To(fields, format!("{said} The subject goes with it."))
        }
        _ => Change::To(fields, said),
    }
}

const SUBJECTS: &[&[&str]] = &[
    &["change", "the", "subject", "to"],
    &["change", "the", "subject", "line", "to"],
    &["set", "the", "subject", "to"],
    &["make", "the", "subject"],
    &["the", "subject", "should", "be"],
    &["the", "subject", "is"],
    &["use", "the", "subject"],
    &["with", "the", "subject"],
    &["with", "the", "subject", "line"],
    &["with", "subject"],
    &["subject", "line"],
    &["subject", "is"],
    &["subject"],
    &["title", "is"],
    &["title"],
    &["title", "it"],
    &["call", "it"],
    &["name", "it"],
    &["change", "the", "title", "to"],
];

/// "Shorten the subject": the words have to be theirs.
const NO_WORDS: &[&[&str]] = &[
    &["shorten", "the", "subject"],
    &["shorten", "the", "subject", "line"],
    &["make", "the", "subject", "shorter"],
    &["make", "the", "subject", "line", "shorter"],
    &["a", "shorter", "subject"],
    &["shorter", "subject"],
    &["change", "the", "subject"],
    &["change", "the", "subject", "line"],
    &["another", "subject"],
    &["fix", "the", "subject"],
];

fn subject(wish: &Wish<'_>) -> Option<Change> {
    if NO_WORDS.contains(&wish.texts().as_slice()) {
        return Some(Change::cannot("What should it be? Say “subject” and the words."));
    }
    let subject = phrasing::capital(&wish.raw(wish.behind_any(SUBJECTS)?));
    let said = format!("The subject is “{subject}” now.");
    Some(Change::one("subject", subject, said))
}

const COPIES: &[&[&str]] = &[
    &["cc"],
    &["copy"],
    &["put", "in", "cc"],
    &["also", "cc"],
    &["add", "in", "cc"],
    &["send", "a", "copy", "to"],
    &["and", "cc"],
    &["with", "cc", "to"],
    &["with", "a", "copy", "to"],
    &["with", "a", "copy", "for"],
    &["copying"],
];

const PUTS_IN_COPY: &[(&str, &[&str])] = &[
    ("put", &["in", "cc"]),
    ("put", &["on", "cc"]),
    ("put", &["in", "copy"]),
    ("put", &["into", "cc"]),
    ("put", &["in", "the", "cc"]),
    ("add", &["in", "cc"]),
    ("add", &["to", "cc"]),
    ("add", &["to", "the", "cc"]),
    ("add", &["as", "cc"]),
    ("add", &["in", "copy"]),
    ("keep", &["in", "the", "loop"]),
];

fn copies(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    if wish.words[0].is("bcc") {
        return Some(Change::cannot("I can't do hidden copies. A cc I can."));
    }
    let put = wish.between(PUTS_IN_COPY);
    let named = match put.or_else(|| wish.behind_any(COPIES))? {
        // "Copy Ana in", "cc Ana on it"
        [people @ .., last] if last.is("in") && !people.is_empty() => people,
        [people @ .., on, it] if is_on_it(on, it) && !people.is_empty() => people,
        [people @ .., on, the, mail]
            if on.is("on") && the.is("the") && is_mail(mail) && !people.is_empty() =>
        {
            people
        }
        people => people,
    };
    let more = match wish.people(named)? {
        Ok(more) => more,
        Err(change) => return Some(change),
    };
    let mut all: Vec<&str> = addresses(&email.cc);
    let gets_it = |whom: &Whom| email.to.iter().chain(&email.cc).any(|one| is(whom, &one.address));
    let new = more.iter().filter(|whom| !gets_it(whom)).filter_map(Whom::address);
    all.extend(new);
    if all.len() == email.cc.len() {
        return Some(Change::cannot(format!("{} gets it already.", told(&more, wish.world))));
    }
    let said = format!("With a copy for {}.", told(&more, wish.world));
    Some(Change::one("cc", json!(all), said))
}

fn is_on_it(on: &Word, it: &Word) -> bool {
    let points = is_any(&it.text, &["it", "this", "that"]);
    is_any(&on.text, &["on", "in", "into", "to"]) && points && !it.quoted
}

fn is_mail(word: &Word) -> bool {
    is_any(&word.text, &["mail", "email", "reply", "message"]) && !word.quoted
}

const TO: &[&[&str]] = &[
    &["send", "it", "to"],
    &["send", "that", "to"],
    &["send", "this", "to"],
    &["mail", "it", "to"],
    &["address", "it", "to"],
    &["change", "the", "recipient", "to"],
    &["make", "it", "to"],
    &["make", "it", "for"],
    &["it", "should", "go", "to"],
    &["it", "is", "for"],
    &["change", "it", "to"],
    &["to"],
];
const ADDS: &[&[&str]] = &[
    &["add"],
    &["include"],
    &["also", "to"],
    &["also", "send", "it", "to"],
    &["also", "add"],
    &["also"],
];
const DROPS: &[&[&str]] =
    &[&["without"], &["remove"], &["leave", "out"], &["not", "to"], &["drop"], &["take", "off"]];

fn people(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let drops = wish.between(TAKES_OFF).or_else(|| wish.behind_any(DROPS));
    if let Some(Some(gone)) = drops.map(|named| wish.people(named)) {
        return Some(gone.map_or_else(|change| change, |gone| without(&gone, email, wish.world)));
    }
    let adds = wish.between(PUTS_ON).or_else(|| wish.behind_any(ADDS));
    if let Some(Some(more)) = adds.map(|named| wish.people(named)) {
        return match more {
            Ok(more) => Some(with(&more, email, wish.world)),
            // "Add thanks" is about words, "add Zoe" about somebody.
            Err(change) => is_named(wish).then_some(change),
        };
    }
    let named = wish.behind_any(TO)?;
    let whom = match wish.people(named)? {
        Ok(whom) => whom,
        // "Change it to Friday" is about a day in the text.
        Err(_) if text::kind_of_time(&wish.raw(named), wish.world).is_some() => return None,
        Err(change) => return Some(change),
    };
    if wish.too {
        Some(with(&whom, email, wish.world))
    } else {
        Some(instead(&whom, email, wish.world))
    }
}

fn is_named(wish: &Wish<'_>) -> bool {
    wish.words.last().is_some_and(|last| wish.heard[last.start..].starts_with(char::is_uppercase))
}

fn addresses(people: &[Recipient]) -> Vec<&str> {
    people.iter().map(|one| one.address.as_str()).collect()
}

fn with(more: &[Whom], email: &EmailPreview, world: &World) -> Change {
    let mut all = addresses(&email.to);
    let new: Vec<&str> = more
        .iter()
        .filter_map(Whom::address)
        .filter(|address| !all.iter().any(|other| other.eq_ignore_ascii_case(address)))
        .collect();
    if new.is_empty() {
        return Change::cannot(format!("{} gets it already.", told(more, world)));
    }
    all.extend(new);
    Change::one("to", json!(all), format!("To {} too.", told(more, world)))
}

pub(super) fn without(gone: &[Whom], email: &EmailPreview, world: &World) -> Change {
    let left = |people: &[Recipient]| -> Vec<String> {
        let stays = |one: &&Recipient| !gone.iter().any(|whom| is(whom, &one.address));
        people.iter().filter(stays).map(|one| one.address.clone()).collect()
    };
    let (to, cc) = (left(&email.to), left(&email.cc));
    let names = told(gone, world);
    if to.is_empty() {
        return Change::cannot("Then nobody would get it. Who should?");
    }
    let mut fields = Map::new();
    if to.len() < email.to.len() {
        fields.insert("to".to_owned(), json!(to));
    }
    if cc.len() < email.cc.len() {
        fields.insert("cc".to_owned(), json!(cc));
    }
    if fields.is_empty() {
        return Change::cannot(format!("{names} isn't on it."));
    }
    let called = |one: &Recipient| short_name(one).to_owned();
    let stay = email.to.iter().filter(|one| to.contains(&one.address)).map(called);
    let all: Vec<String> = email.to.iter().map(called).collect();
    if let Some(body) = greeting(email, &all, &stay.collect::<Vec<_>>()) {
        fields.insert("body".to_owned(), json!(body));
    }
    Change::To(fields, format!("Without {names}."))
}

/// The body, where its greeting named just these people, with others in it.
fn greeting(email: &EmailPreview, old: &[String], new: &[String]) -> Option<String> {
    let changed = old != new;
    changed.then(|| text::greeting_to(&email.body_text, &list(old, 0), &list(new, 0)))?
}

/// Somebody else gets it; the greeting follows where it named the one before.
fn instead(whom: &[Whom], email: &EmailPreview, world: &World) -> Change {
    let to: Vec<&str> = whom.iter().filter_map(Whom::address).collect();
    let said = format!("To {} instead.", told(whom, world));
    let Change::To(mut fields, said) = Change::one("to", json!(to), said) else {
        return Change::cannot("Who should get it?");
    };
    if let ([old], [new @ Whom::Known { .. }]) = (email.to.as_slice(), whom)
        && let Some(body) = text::greeting_to(&email.body_text, short_name(old), &new.short())
    {
        fields.insert("body".to_owned(), json!(body));
    }
    Change::To(fields, said)
}

/// One of those it goes to gives way to others.
pub(super) fn in_place_of(
    wrong: &Whom,
    right: &[Whom],
    email: &EmailPreview,
    world: &World,
) -> Option<Change> {
    if matches!(email.to.as_slice(), [only] if is(wrong, &only.address)) {
        return Some(instead(right, email, world));
    }
    let field = if email.to.iter().any(|one| is(wrong, &one.address)) { "to" } else { "cc" };
    let people = if field == "to" { &email.to } else { &email.cc };
    let kept = people.iter().map(|one| one.address.as_str()).filter(|one| !is(wrong, one));
    let all: Vec<&str> = kept.chain(right.iter().filter_map(Whom::address)).collect();
    let said = format!("{} instead of {}.", told(right, world), wrong.told(world));
    let Change::To(mut fields, said) = Change::one(field, json!(all), said) else { return None };
    if field == "to" {
        let called = |one: &Recipient| short_name(one).to_owned();
        let old: Vec<String> = email.to.iter().map(called).collect();
        let kept = email.to.iter().filter(|one| !is(wrong, &one.address)).map(called);
        let new: Vec<String> = kept.chain(right.iter().map(Whom::short)).collect();
        if let Some(body) = greeting(email, &old, &new) {
            fields.insert("body".to_owned(), json!(body));
        }
    }
    Some(Change::To(fields, said))
}

/// "Friday instead of Thursday", "change Thursday to Friday".
fn replaced(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let (old, new) = exchange(wish)?;
    let (old, new) = (wish.raw(old), wish.raw(new));
    match text::replaced(&email.body_text, &old, &new) {
        Some(body) => {
            let said = format!("{} instead of {old}.", phrasing::capital(&new));
            Some(Change::one("body", body, said))
        }
        None => Some(Change::cannot(format!("“{old}” isn't in the text."))),
    }
}

fn exchange<'a>(wish: &Wish<'a>) -> Option<(&'a [Word], &'a [Word])> {
    let cut = |words: &'a [Word], links: &[&str]| {
        let at =
            words.iter().position(|word| links.contains(&word.text.as_str()) && !word.quoted)?;
        let (front, back) = (&words[..at], &words[at + 1..]);
        (!front.is_empty() && !back.is_empty()).then_some((front, back))
    };
    for lead in ["change", "replace", "swap", "turn"] {
        if let Some(rest) = wish.behind(&[lead]) {
            if matches!(rest[0].text.as_str(), "it" | "that" | "the" | "this") && !rest[0].quoted {
                return None;
            }
            return cut(rest, &["to", "with", "by", "for", "into"]);
        }
    }
    let said = wish.behind_any(&[&["say"], &["write"], &["make", "it"], &["put"]]);
    let said = said.unwrap_or(wish.words);
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let at =
        texts.windows(2).position(|pair| pair == ["instead", "of"] || pair == ["rather", "than"]);
    if let Some(at) = at.filter(|&at| at > 0 && at + 2 < said.len()) {
        return Some((&said[at + 2..], &said[..at]));
    }
    let not = texts.iter().position(|text| *text == "not").filter(|&at| at > 0)?;
    let (new, old) = (&said[..not], said.get(not + 1..).filter(|old| !old.is_empty())?);
    (new.len() <= 3 && old.len() <= 3).then_some((old, new))
}

const TIMES: &[&[&str]] = &[
    &["make", "it"],
    &["make", "that"],
    &["change", "it", "to"],
    &["change", "the", "time", "to"],
    &["change", "the", "day", "to"],
    &["say"],
    &["it", "should", "be"],
];

/// "Make it four o'clock", where the text has one time.
fn retimed(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let said = match wish.behind_any(TIMES) {
        Some(said) => said,
        // "No, Thursday"
        None if wish.instead || wish.refused || wish.corrects => wish.words,
        None => return None,
    };
    let new = wish.raw(said);
    let kind = text::kind_of_time(&new, wish.world)?;
    let found = text::times(&email.body_text, kind, wish.world);
    match found.as_slice() {
        [one] => {
            let plain = new.trim_start_matches("at ").trim_start_matches("on ").to_owned();
            let plain = phrasing::spelled(&plain);
            let plain = text::like(&email.body_text[one.clone()], &plain);
            let mut body = email.body_text.clone();
            body.replace_range(one.clone(), &plain);
            Some(Change::one("body", body, format!("{} instead.", phrasing::capital(&plain))))
        }
        [] if wish.refused || wish.behind(&["say"]).is_some() => None,
        [] => Some(Change::missed("There is no time in the text. Which words should change?")),
        _ => Some(Change::missed("There is more than one time in it. Which one should change?")),
    }
}
