//! A card in words: the question before a write, and what it is called in passing.
//!
//! Everything comes from the preview, so what is heard is what is shown. No
//! sentence said here would count as a yes if a microphone picked it up: where
//! the person's own words would, they are left to the card.

mod event;

use brain::card::{EmailPreview, EventPreview, Line, MemoryPreview, Preview, Recipient, Warning};
use brain::policy::Source;
use brain::resolve::people::{self, Contact};
use jiff::Zoned;

use super::spelling::{capital, clock, count, day, first_words, full_clock, length, list};
use crate::World;
use crate::reflex::consent;

/// How many words of a mail are said before the question.
const ALOUD: usize = 25;
/// So many of a memory name it.
const NAMING: usize = 6;
/// More names than anybody keeps in mind.
const NAMES: usize = 3;

/// The question before a write, with what is doubted of whom it is for.
pub fn ask(preview: &Preview, warnings: &[Warning], world: &World) -> String {
    let closing = closing(preview, warnings);
    let told = format!("{} {closing}", shown(preview, world));
    if is_safe_aloud(&told) {
        return told;
    }
    let named = called_among(preview, &world.contacts);
    let short = format!("{} is on the card. {closing}", capital(&named));
    if is_safe_aloud(&short) { short } else { "It is on the card. What do you think?".to_owned() }
}

/// "the reply to Priya", "the mail to Tom and Ana", "lunch with Tom"
pub fn called(preview: &Preview) -> String {
    called_among(preview, &[])
}

/// The same, to somebody who knows these: "the mail to Priya Nair", where there is another.
fn called_among(preview: &Preview, known: &[Contact]) -> String {
    match preview {
        Preview::Email(email) => {
            let kind = if email.in_reply_to.is_some() { "reply" } else { "mail" };
            format!("the {kind} to {}", people_among(&email.to, known))
        }
        Preview::Event(event) => in_passing(event),
        Preview::Memory(memory) => {
            let (words, cut) = first_words(&memory.text, NAMING);
            let words = words.trim_end_matches(['.', ',', ';', ':']);
            let more = match memory.also.len() {
                0 => String::new(),
                more => format!(" and {} more", count(more)),
            };
            format!("the note “{words}{}”{more}", if cut { "…" } else { "" })
        }
        Preview::Lines { lines } => lines.first().map_or("that", |line| &line.value).to_owned(),
    }
}

/// After a change that was asked for; `said` is what has changed.
pub fn revised(said: &str, preview: &Preview, warnings: &[Warning], world: &World) -> String {
    let news = match preview {
        Preview::Event(event) => taken(event, &world.local_now()),
        // There is nothing else on it that could be the same.
        Preview::Memory(_) => return ask(preview, warnings, world),
        Preview::Email(_) | Preview::Lines { .. } => String::new(),
    };
    let same = match wary(preview, warnings) {
        Some(wary) => wary,
        None => "Everything else the same?".to_owned(),
    };
    let told = format!("{said}{news} {same}");
    if is_safe_aloud(&told) { told } else { ask(preview, warnings, world) }
}

/// What was to be changed is not what it was on the card any more.
pub fn changed_since(preview: &Preview, warnings: &[Warning], world: &World) -> String {
    let asked = ask(preview, warnings, world);
    let told = format!("It was changed elsewhere, so I did nothing yet. {asked}");
    let plain = "It was changed elsewhere, so I did nothing yet. It is on the card as it is now.";
    if is_safe_aloud(&told) { told } else { plain.to_owned() }
}

/// The time of an event was taken between the card and the yes.
pub fn overtaken(preview: &Preview) -> String {
    let moves = matches!(preview, Preview::Event(event) if event.change.is_some());
    let on = match preview {
        Preview::Event(event) => event.conflicts.as_slice(),
        Preview::Email(_) | Preview::Memory(_) | Preview::Lines { .. } => &[],
    };
    let told = match on {
        [] => String::new(),
        [one] => format!("{one} is at that time by now"),
        [one, more @ ..] => format!("{one} and {} more are at that time by now", more.len()),
    };
    let (nothing, all_the_same) = if moves {
        ("so I moved nothing yet", "Move it all the same?")
    } else {
        ("so I booked nothing yet", "Book it all the same?")
    };
    let told = format!("{told}, {nothing}. {all_the_same}");
    let plain = format!("Something is at that time by now, {nothing}. It is on the card.");
    if !on.is_empty() && is_safe_aloud(&told) { told } else { plain }
}

/// A yes behind a change that was not understood: what it would be a yes to is shown first.
pub fn unchanged(preview: &Preview, warnings: &[Warning], world: &World) -> String {
    let asked = ask(preview, warnings, world);
    let told = format!("I changed nothing on it. {asked}");
    if is_safe_aloud(&told) { told } else { asked }
}

/// What was said decides nothing.
pub fn waits(called: &str) -> String {
    let told = format!("Nothing is done yet: {called} waits for a clear answer.");
    if is_safe_aloud(&told) { told } else { "It is on the card.".to_owned() }
}

/// What one has to do where a yes alone is not enough.
pub fn readback(preview: &Preview, warnings: &[Warning]) -> String {
    wary(preview, warnings).unwrap_or_else(|| "Tell me whom it is for, or tap the card.".to_owned())
}

/// Could any sentence of this, or all of it, be taken for a yes?
pub fn is_safe_aloud(text: &str) -> bool {
    let starts = text
        .char_indices()
        .filter(|&(at, _)| at == 0 || text[..at].ends_with(|c: char| !c.is_alphanumeric()));
    let whole_and_ends = starts.map(|(at, _)| &text[at..]);
    let sentences = text.split(['.', '?', '!', ':', ';', '…', '\n', '“', '”', '"', '«', '»']);
    !whole_and_ends.chain(sentences).any(consent::sounds_like_yes)
}

/// What the person wrote, without the greeting and the name below it.
pub fn words_of(body: &str) -> String {
    let mut parts: Vec<&str> =
        body.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() > 1 && is_greeting(parts[0]) {
        parts.remove(0);
    }
    if parts.len() > 1 && parts.last().is_some_and(|last| is_sign_off(last)) {
        parts.pop();
    }
    parts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// "Hi Priya,"
pub fn is_greeting(part: &str) -> bool {
    part.split_whitespace().count() <= 5 && part.ends_with([',', '!', ':'])
}

/// "Best,\nMaya"
pub fn is_sign_off(part: &str) -> bool {
    part.split_whitespace().count() <= 5 && !part.contains(['.', '?', ';', ':'])
}

/// "Tom", "Dr. Helen Cho", "x@y.example"; whole names where two share the first.
pub fn people(all: &[Recipient]) -> String {
    people_among(all, &[])
}

/// The same, where one of these may be called alike: whoever only listens is to know who it is.
fn people_among(all: &[Recipient], known: &[Contact]) -> String {
    let short = |one: &Recipient| {
        let name = short_name(one);
        let shared =
            all.iter().any(|other| other.address != one.address && short_name(other) == name);
        if shared || has_namesake(one, known) { one.called().to_owned() } else { name.to_owned() }
    };
    if all.is_empty() {
        return "nobody".to_owned();
    }
    let named: Vec<String> = all.iter().take(NAMES).map(short).collect();
    list(&named, all.len().saturating_sub(NAMES))
}

/// Somebody else is known by the same short name.
fn has_namesake(one: &Recipient, known: &[Contact]) -> bool {
    people::has_namesake(one.called(), short_name(one), known)
}

/// Where this name stands in a text: "Tom", and not in "tomorrow" or "Tommy".
fn place_of(name: &str, text: &str) -> Option<usize> {
    let is_letter = |beside: Option<char>| beside.is_some_and(char::is_alphanumeric);
    let mut places = text.match_indices(name).map(|(at, _)| at);
    places.find(|at| {
        let (before, behind) = (&text[..*at], &text[at + name.len()..]);
        !is_letter(before.chars().next_back()) && !is_letter(behind.chars().next())
    })
}

/// What one calls somebody in passing.
pub fn short_name(one: &Recipient) -> &str {
    let name = one.called();
    match name.split_once(' ') {
        Some((title, _)) if title.ends_with('.') => name,
        Some((first, _)) => first,
        None => name,
    }
}

/// "on Thursday at noon"
pub fn moment(time: &Zoned, now: &Zoned) -> String {
    let time = time.with_time_zone(now.time_zone().clone());
    format!("{} at {}", day(time.date(), now.date()), hour(&time))
}

/// From midnight to midnight.
pub fn is_whole_days(start: &Zoned, end: &Zoned) -> bool {
    let midnight = |time: &Zoned| time.hour() == 0 && time.minute() == 0;
    midnight(start) && midnight(end) && start.date() < end.date()
}

/// "on Friday, all day", "on Monday to Wednesday, all day"
pub fn days(start: &Zoned, end: &Zoned, now: &Zoned) -> String {
    let first = day(start.date(), now.date());
    let last = end.date().yesterday().unwrap_or(start.date());
    if last == start.date() {
        return format!("{first}, all day");
    }
    let last = day(last, now.date());
    format!("{first} to {}, all day", last.trim_start_matches("on "))
}

/// "noon", "3:30"
pub fn hour(time: &Zoned) -> String {
    match (time.hour(), time.minute()) {
        (12, 0) => "noon".to_owned(),
        (0, 0) => "midnight".to_owned(),
        _ => clock(time),
    }
}

/// All that matters of it, in one or two sentences.
fn shown(preview: &Preview, world: &World) -> String {
    match preview {
        Preview::Email(email) => email_shown(preview, email, &world.contacts),
        Preview::Event(event) => match &event.change {
            None => event_shown(event, world),
            Some(change) => event::changed(event, change, world),
        },
        Preview::Memory(memory) => memory_shown(memory),
        Preview::Lines { lines } => lines_shown(lines),
    }
}

fn email_shown(preview: &Preview, email: &EmailPreview, known: &[Contact]) -> String {
    let (text, cut) = first_words(&words_of(&email.body_text), ALOUD);
    let text = match text.as_str() {
        "" => " is empty.".to_owned(),
        text if cut => format!(": {text}… The rest is on the card."),
        text if text.ends_with(['.', '?', '!', '…']) => format!(": {text}"),
        text => format!(": {text}."),
    };
    let copies = match email.cc.as_slice() {
        [] => String::new(),
        [_] => format!(" {} gets a copy.", people_among(&email.cc, known)),
        several => format!(" {} get copies.", people_among(several, known)),
    };
    format!("Here is {}{text}{copies}", called_among(preview, known))
}

fn event_shown(event: &EventPreview, world: &World) -> String {
    let now = world.local_now();
    let local = |time: &Zoned| time.with_time_zone(now.time_zone().clone());
    let (start, end) = (local(&event.start), local(&event.end));
    let assumed = if event.length_assumed { " unless you say otherwise" } else { "" };
    let when = if is_whole_days(&start, &end) {
        days(&start, &end, &now)
    } else {
        format!("{}, {}{assumed}", moment(&event.start, &now), length(event.minutes))
    };
    let when = when.strip_prefix("on ").unwrap_or(&when);
    let place = event.location.as_ref().map(|place| format!(", at {place}")).unwrap_or_default();
    let with = event::with(event, &world.contacts);
    let (uninvited, taken) = (uninvited(event, world), taken(event, &now));
    format!("{}{with}, {when}{place}.{uninvited}{taken}", event.title)
}

/// "Meeting with Omer", whom nobody knows: he is told nothing by it, and that is said.
fn uninvited(event: &EventPreview, world: &World) -> String {
    let Some((_, behind)) = event.title.split_once(" with ") else { return String::new() };
    let name: Vec<&str> =
        behind.split(' ').take_while(|word| word.starts_with(char::is_uppercase)).collect();
    let name = name.join(" ");
    let known = || !people::find(&name, &world.contacts).is_empty();
    if name.is_empty() || !event.attendees.is_empty() || known() {
        return String::new();
    }
    format!(" {name} isn't invited: I have no address.")
}

fn memory_shown(memory: &MemoryPreview) -> String {
    if !memory.also.is_empty() {
        return several_shown(memory);
    }
    let lead = match (&memory.derived_from, memory.forgets) {
        (None, true) => "You told me".to_owned(),
        (None, false) => "Here is what I'd remember".to_owned(),
        (Some(whose), true) => format!("You had me keep this from {whose}"),
        (Some(whose), false) => format!("Not your words but from {whose}, I'd remember"),
    };
    match first_words(&memory.text, ALOUD) {
        (words, true) => format!("{lead}: {words}… The rest is on the card."),
        (words, false) if words.ends_with(['.', '?', '!', '…']) => format!("{lead}: {words}"),
        (words, false) => format!("{lead}: {words}."),
    }
}

/// "Five things: A. B. C. And two more on the card."
fn several_shown(memory: &MemoryPreview) -> String {
    let all = memory.also.len() + 1;
    let texts = std::iter::once(&memory.text).chain(&memory.also).take(NAMES);
    let told = texts.map(|text| {
        let (words, cut) = first_words(text, ALOUD / 2);
        let words = words.trim_end_matches(['.', ',', ';', ':']);
        format!(" {words}{}.", if cut { "…" } else { "" })
    });
    let rest = match all.saturating_sub(NAMES) {
        0 => String::new(),
        more => format!(" And {} more on the card.", count(more)),
    };
    format!("{} things:{}{rest}", capital(&count(all)), told.collect::<String>())
}

/// What is there already, and when else it could be.
fn taken(event: &EventPreview, now: &Zoned) -> String {
    let there = match event.conflicts.as_slice() {
        [] => return String::new(),
        [one] => format!(" {one} is at that time already."),
        several => {
            format!(" {} other things are at that time already.", capital(&count(several.len())))
        }
    };
    let starts =
        event.free_instead.iter().map(|start| start.with_time_zone(now.time_zone().clone()));
    let starts: Vec<String> = starts.map(|start| full_clock(&start)).collect();
    match starts.len() {
        0 => there,
        1 => format!("{there} {} is free.", capital(&starts[0])),
        _ => format!("{there} {} are free.", capital(&list(&starts, 0))),
    }
}

fn lines_shown(lines: &[Line]) -> String {
    let told: Vec<String> =
        lines.iter().take(NAMES).map(|line| format!("{}: {}.", line.label, line.value)).collect();
    told.join(" ")
}

fn closing(preview: &Preview, warnings: &[Warning]) -> String {
    wary(preview, warnings).unwrap_or_else(|| {
        match preview {
            Preview::Email(_) => "Ready for it to go out?",
            Preview::Event(event) if event.cancels() => "Shall I cancel it?",
            Preview::Event(event) if event.change.is_some() => "Shall I move it?",
            Preview::Event(_) => "Want it on your calendar?",
            Preview::Memory(memory) if memory.forgets && !memory.also.is_empty() => {
                "Should they all go?"
            }
            Preview::Memory(memory) if memory.forgets => "Should it go?",
            Preview::Memory(_) => "Is that right?",
            Preview::Lines { .. } => "Is that what you want?",
        }
        .to_owned()
    })
}

/// Where an address comes out of some text or was only heard, a yes has to name it.
fn wary(preview: &Preview, warnings: &[Warning]) -> Option<String> {
    from_a_text(preview).or_else(|| spelled_aloud(preview, warnings))
}

fn from_a_text(preview: &Preview) -> Option<String> {
    let doubtful = |one: &&Recipient| matches!(one.source, Source::Content | Source::Unknown);
    let found: Vec<&Recipient> = preview.recipients().filter(doubtful).collect();
    let first = found.first()?;
    let named = match &first.name {
        Some(name) => format!("{name}, {}", first.address),
        None => first.address.clone(),
    };
    let wary = |what: &str| {
        format!("{what} comes from a text I read. Tell me whom it is for, or tap the card.")
    };
    let told = wary(&format!("The address of {named}"));
    Some(if is_safe_aloud(&told) { told } else { wary("An address on the card") })
}

/// It is read back, so that whoever spelled it hears what was made of it.
fn spelled_aloud(preview: &Preview, warnings: &[Warning]) -> Option<String> {
    let heard = preview.recipients().find(|one| one.is_heard(warnings))?;
    let wary = |what: &str| {
        format!(
            "{what}. Is it spelled right? Say whom it goes to, with the address, or tap the card."
        )
    };
    let told = wary(&format!("I heard the address as {}", heard.address));
    Some(if is_safe_aloud(&told) { told } else { wary("An address on the card is as I heard it") })
}

/// "lunch with Tom": a title in the middle of a sentence.
fn in_passing(event: &EventPreview) -> String {
    let title = event.title.trim();
    let Some(first) = title.split_whitespace().next() else { return "the event".to_owned() };
    let mut letters = first.chars();
    let capitalised = letters.next().is_some_and(char::is_uppercase)
        && letters.clone().next().is_some()
        && letters.all(char::is_lowercase);
    let is_name = event.attendees.iter().any(|one| one.called().contains(first));
    if !capitalised || is_name {
        return title.to_owned();
    }
    let mut rest = title.chars();
    let lower = rest.next().into_iter().flat_map(char::to_lowercase);
    lower.chain(rest).collect()
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
