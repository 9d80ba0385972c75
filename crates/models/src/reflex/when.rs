//! Times as tools take them.

use brain::resolve::time::{Grain, Reading};
use jiff::Zoned;
use serde_json::{Value, json};

use super::Question;
use super::frame::Frame;

pub fn as_range(start: &Zoned, end: &Zoned) -> Value {
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
        (named(&reading.said).to_owned(), format!("on {}", reading.range.start.date()))
    };
    let (start, end) = (*found.words.first()?, *found.words.last()?);
    Some(Question { span: frame.span(start..end + 1), choices: vec![choice(other), choice(first)] })
}

/// "Thursday", where a sentence would say "on Thursday".
pub fn named(said: &str) -> &str {
    ["on ", "in ", "for "].iter().find_map(|lead| said.strip_prefix(lead)).unwrap_or(said)
}
