//! Times as tools take them.

use brain::resolve::time::{Grain, Reading, zone_in};
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use super::Question;
use super::frame::Frame;
use crate::focus::Unclear;

pub fn as_range(start: &Zoned, end: &Zoned) -> Value {
    // Midnight ends one day and begins another: "before 0:00", "from midnight".
    let next = start.saturating_add(1.day());
    let end = if end > start { end } else { &next };
    json!({ "start": start, "end": end })
}

/// Two readings on different days are a question; a guessed half of the day
/// is told with the answer.
pub fn question(frame: &Frame) -> Option<Question> {
    let found = frame.when.as_ref()?;
    let first = found.readings.first()?;
    let other = found.readings.iter().find(|other| {
        other.range.start.date() != first.range.start.date() && first.grain != Grain::Moment
    })?;
    let choice = |reading: &Reading| {
        let name = match named(&reading.said) {
            today if today.starts_with("today,") => "Today",
            name => name,
        };
        (name.to_owned(), format!("on {}", reading.range.start.date()))
    };
    let (start, end) = (*found.words.first()?, *found.words.last()?);
    Some(Question {
        about: Unclear::Time,
        lead: None,
        span: frame.span(start..end + 1),
        choices: vec![choice(other), choice(first)],
    })
}

/// "Thursday", where a sentence would say "on Thursday".
pub fn named(said: &str) -> &str {
    ["on ", "in ", "for "].iter().find_map(|lead| said.strip_prefix(lead)).unwrap_or(said)
}

/// What one would say is being checked: "tomorrow". "In two hours" is not
/// something to check.
pub fn named_for_checking(said: &str) -> Option<&str> {
    let name = named(said);
    let name = name.strip_prefix("at ").unwrap_or(name);
    let counted = said.starts_with("in ") && name.starts_with(|c: char| c.is_ascii_digit());
    (!counted && !said.contains(" here")).then_some(name)
}

/// "In Springfield time", "3 pm QST": a clock we do not know, and must not
/// take for ours.
pub fn unknown_zone(frame: &Frame) -> Option<String> {
    let letters = (1..frame.texts.len()).find(|&at| {
        let text = frame.texts[at];
        let behind_clock = frame.is_taken(at - 1)
            && frame.texts[at - 1].ends_with(|c: char| c.is_ascii_digit() || c == 'm');
        behind_clock
            && !frame.is_taken(at)
            && (3..=4).contains(&text.len())
            && (text.ends_with("st") || text.ends_with("dt"))
            && !matches!(text, "just" | "last" | "past" | "most" | "best" | "test" | "post")
    });
    if let Some(at) = letters {
        return Some(format!("“{}”", frame.texts[at]));
    }
    let at = (0..frame.texts.len()).find(|&at| {
        let ["in", place, "time", ..] = frame.texts[at..] else { return false };
        !frame.is_taken(at + 1)
            && !matches!(place, "free" | "good" | "my" | "our" | "local" | "no" | "some" | "any")
            && zone_in(frame.words()).is_none()
    })?;
    Some(format!("{} time", frame.texts[at + 1]))
}
