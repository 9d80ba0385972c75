//! A card in a terminal: exactly what would be done, for whom, and until when.

use std::fmt::Write;
use std::ops::Range;

use brain::card::{Card, EmailPreview, EventPreview, MemoryPreview, Preview, Recipient};
use brain::policy::Source;
use jiff::Zoned;
use jiff::tz::TimeZone;
use models::narrator;

use super::look;
use super::paper::{harmless, wrap};
use crate::client::cards::Open;

const BAR: &str = "       │ ";
/// Where the values of a card begin.
const VALUES: usize = 9;

/// What a reader can do about it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// Press a key; with its number where there are several cards.
    Plain,
    Numbered,
    /// Nothing here.
    None,
}

/// The whole block, ready to be printed.
pub fn drawn(card: &Open, keys: Keys, width: Option<usize>) -> String {
    let question = &card.question;
    let before = card.before.as_ref();
    let mut block = Block { text: String::new(), changed: &question.changed, before, width };
    let (name, plain) = (look::NAME, look::PLAIN);
    let number =
        if keys == Keys::Numbered { format!("  [{}]", card.number) } else { String::new() };
    let title = harmless(&question.card.title);
    block.line(&format!("       ┌ {name}{title}{plain}{number}"));
    block.preview(&question.card);
    for warning in &question.card.warnings {
        let (doubt, text) = (look::DOUBT, harmless(&warning.text));
        block.line(&format!("{BAR}{doubt}! {text}{plain}"));
    }
    let until = question.expires_at.to_zoned(TimeZone::system()).strftime("%H:%M");
    let until = format!("open until {until}");
    let hint = match keys {
        Keys::Plain => format!("y yes · e edit · n no · {until}"),
        Keys::Numbered => {
            let number = card.number;
            format!("y {number} yes · e {number} edit · n {number} no · {until}")
        }
        Keys::None => until,
    };
    block.line(&format!("       └ {}{hint}{plain}", look::QUIET));
    block.text
}

/// What tells it from others: "the mail to Priya, Samples for Thursday"
pub fn named(card: &Card) -> String {
    let called = narrator::card::called(&card.preview);
    match &card.preview {
        Preview::Email(email) => format!("{called}, {}", email.subject),
        Preview::Event(event) => format!("{called}, {}", event.start.strftime("%-d %B %H:%M")),
        Preview::Memory(_) | Preview::Lines { .. } => called,
    }
}

struct Block<'a> {
    text: String,
    changed: &'a [String],
    /// What stood there before, where that is known.
    before: Option<&'a Preview>,
    width: Option<usize>,
}

impl Block<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn preview(&mut self, card: &Card) {
        match &card.preview {
            Preview::Email(email) => self.email(email),
            Preview::Event(event) => self.event(event),
            Preview::Memory(memory) => self.memory(memory),
            Preview::Lines { lines } => {
                for line in lines {
                    self.value(&line.label, &line.value, "");
                }
            }
        }
    }

    fn email(&mut self, email: &EmailPreview) {
        if let Some(from) = &email.from {
            self.value("From", from, "from");
        }
        self.people("To", &email.to, "to");
        self.people("Cc", &email.cc, "cc");
        self.value("Subject", &email.subject, "subject");
        if let Some(answered) = &email.in_reply_to {
            self.value("Answers", answered, "");
        }
        self.body(&email.body_text);
    }

    /// The text, with a mark at each line that is another one than before. Where
    /// nobody knows what stood there, the mark is on top of it.
    fn body(&mut self, body: &str) {
        let lines: Vec<&str> = body.split('\n').collect();
        let changed = self.body_before().map(|before| differing(before, &lines));
        let mark = self.mark("body");
        let above = if changed.is_none() { mark.as_str() } else { "" };
        let changed = changed.unwrap_or(0..0);
        self.line(&format!("{}{above}", BAR.trim_end()));
        for (at, line) in lines.iter().enumerate() {
            let (text, _) = wrap(&harmless(line), BAR.chars().count(), BAR, self.width);
            let mark = if changed.contains(&at) && !line.is_empty() { &mark } else { "" };
            self.line(format!("{BAR}{text}{mark}").trim_end());
        }
        self.line(BAR.trim_end());
    }

    fn body_before(&self) -> Option<&'_ str> {
        match self.before? {
            Preview::Email(email) => Some(&email.body_text),
            Preview::Event(_) | Preview::Memory(_) | Preview::Lines { .. } => None,
        }
    }

    /// Who stood in this field before.
    fn people_before(&self, field: &str) -> Option<&'_ [Recipient]> {
        match (self.before?, field) {
            (Preview::Email(email), "to") => Some(&email.to),
            (Preview::Email(email), "cc") => Some(&email.cc),
            (Preview::Event(event), "attendees") => Some(&event.attendees),
            _ => None,
        }
    }

    fn event(&mut self, event: &EventPreview) {
        self.value("Title", &event.title, "title");
        let when = if self.changed.iter().any(|name| name == "end") { "end" } else { "start" };
        if let Some(from) = event.moved_from() {
            self.value("Is now", &from_to(&from.start, &from.end), "");
        }
        let label = if event.moved_from().is_some() { "Moves to" } else { "When" };
        self.value(label, &spelled(event), when);
        self.people("With", &event.attendees, "attendees");
        if let Some(location) = &event.location {
            self.value("Where", location, "location");
        }
        for conflict in &event.conflicts {
            self.value("Taken by", conflict, "");
        }
        let zone = event.start.time_zone();
        let clock =
            |start: &Zoned| start.with_time_zone(zone.clone()).strftime("%H:%M").to_string();
        let free: Vec<String> = event.free_instead.iter().map(clock).collect();
        if let [first, ..] = free.as_slice() {
            let hint = format!("{}  (say “make it {first}”)", free.join(", "));
            self.value("Free", &hint, "");
        }
    }

    /// All of it, as it would be kept or is to go.
    fn memory(&mut self, memory: &MemoryPreview) {
        let text = harmless(&memory.text);
        let (text, _) = wrap(&text, BAR.chars().count(), BAR, self.width);
        self.line(&format!("{BAR}{text}{}", self.mark("memory")));
        for other in &memory.also {
            self.value("And", other, "");
        }
        if let Some(whose) = &memory.derived_from {
            self.value("From", whose, "");
        }
        for known in &memory.alike {
            self.value("Known", known, "");
        }
    }

    fn people(&mut self, label: &str, people: &[Recipient], field: &str) {
        let known = self.people_before(field).map(<[Recipient]>::to_vec);
        let is_new = |person: &Recipient| {
            known.as_ref().is_some_and(|known| {
                !known.iter().any(|one| one.address.eq_ignore_ascii_case(&person.address))
            })
        };
        // Nobody came: somebody went, and that is said of the field.
        let somebody_new = people.iter().any(is_new);
        for (at, person) in people.iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            let (colour, note) = provenance(person.source);
            let name = person.name.as_ref().map(|name| format!("{} ", harmless(name)));
            let address = harmless(&person.address);
            let (name, plain) = (name.unwrap_or_default(), look::PLAIN);
            let marked = if somebody_new { is_new(person) } else { at == 0 };
            let mark = if marked { self.mark(field) } else { String::new() };
            let columns = |text: &str| text.chars().count();
            let wide = columns(BAR) + VALUES + columns(&name) + columns(&address) + 4;
            // Where it does not fit behind the address, the origin stands below it.
            let gap = if self.width.is_some_and(|width| wide + columns(note) > width) {
                format!("\n{BAR}{:VALUES$}", "")
            } else {
                "  ".to_owned()
            };
            self.line(&format!(
                "{BAR}{label:<VALUES$}{name}<{address}>{gap}{colour}{note}{plain}{mark}"
            ));
        }
        if people.is_empty() && self.changed.iter().any(|name| name == field) {
            self.value(label, "nobody", field);
        }
    }

    fn value(&mut self, label: &str, value: &str, field: &str) {
        let margin = format!("{BAR}{}", " ".repeat(VALUES));
        // One line each: what looks like another field is not one.
        let value = harmless(value).replace('\n', " ");
        let (value, _) = wrap(&value, margin.chars().count(), &margin, self.width);
        self.line(&format!("{BAR}{label:<VALUES$}{value}{}", self.mark(field)));
    }

    fn mark(&self, field: &str) -> String {
        if self.changed.iter().any(|name| name == field) {
            format!("  {}← changed{}", look::DOUBT, look::PLAIN)
        } else {
            String::new()
        }
    }
}

/// The lines that are not as they were; where lines only went, the one before them.
fn differing(before: &str, lines: &[&str]) -> Range<usize> {
    let before: Vec<&str> = before.split('\n').collect();
    let same = before.iter().zip(lines).take_while(|(old, new)| old == new).count();
    let most = before.len().min(lines.len()) - same;
    let (old, new) = (before.iter().rev(), lines.iter().rev());
    let tail = old.zip(new).take(most).take_while(|(old, new)| old == new).count();
    let (start, end) = (same, lines.len() - tail);
    if start < end {
        return start..end;
    }
    let last = lines[..start].iter().rposition(|line| !line.is_empty()).unwrap_or(0);
    if before.len() == lines.len() { 0..0 } else { last..last + 1 }
}

fn provenance(source: Source) -> (anstyle::Style, &'static str) {
    match source {
        Source::Explicit => (look::QUIET, "you gave the address"),
        Source::Contact => (look::QUIET, "from your contacts"),
        Source::Thread => (look::QUIET, "from the mail you answer"),
        Source::Content => (look::DOUBT, "from a text, not from you"),
        Source::Unknown => (look::TROUBLE, "nobody knows from where"),
    }
}

/// "Monday 16 November 2026, 15:00 to 15:30 Europe/Berlin, 30 minutes, assumed"
fn spelled(event: &EventPreview) -> String {
    let start = &event.start;
    let mut text = from_to(start, &event.end);
    let zone =
        start.time_zone().iana_name().map_or_else(|| start.offset().to_string(), str::to_owned);
    let assumed = if event.length_assumed { ", assumed" } else { "" };
    // Writing to a text does not fail.
    let _ = write!(text, " {zone}, {}{assumed}", length(event.minutes));
    text
}

fn from_to(start: &Zoned, end: &Zoned) -> String {
    let form = if start.date() == end.date() { "%H:%M" } else { "%A %-d %B %Y, %H:%M" };
    format!("{} to {}", start.strftime("%A %-d %B %Y, %H:%M"), end.strftime(form))
}

/// Nobody counts a day in minutes.
fn length(minutes: u32) -> String {
    const HOUR: u32 = 60;
    const DAY: u32 = 24 * HOUR;
    match minutes {
        DAY => "one day".to_owned(),
        days if days > DAY && days.is_multiple_of(DAY) => format!("{} days", days / DAY),
        hours if hours > 2 * HOUR && hours.is_multiple_of(HOUR) => {
            format!("{} hours", hours / HOUR)
        }
        long if long > 2 * HOUR => format!("{} hours {} minutes", long / HOUR, long % HOUR),
        minutes => format!("{minutes} minutes"),
    }
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
