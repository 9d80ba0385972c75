//! Times as tools take them.

use brain::resolve::time::{Grain, Reading};
use jiff::Zoned;
use serde_json::{Value, json};

/// A window as the mail query language spells it. Mail is found by the day,
/// and what has not ended yet needs no end.
pub fn as_query(reading: &Reading, now: &Zoned) -> String {
    if let Some(days) = reading.rolling_days {
        return format!("newer_than:{days}d");
    }
    let (start, end) = (reading.range.start.date(), reading.range.end.date());
    let after = format!("after:{start}");
    if reading.range.end >= *now {
        return after;
    }
    // An end in the middle of a day leaves that day in.
    let whole_days = reading.range.end.time() == jiff::civil::Time::midnight();
    let end = if whole_days { end } else { end.tomorrow().unwrap_or(end) };
    format!("{after} before:{end}")
}

pub fn as_range(start: &Zoned, end: &Zoned) -> Value {
    json!({ "start": start, "end": end })
}

/// Two readings on different days are a question; a guessed half of the day
/// is told with the answer.
pub fn question(readings: &[Reading]) -> Option<String> {
    let first = readings.first()?;
    let other = readings.iter().find(|other| {
        other.range.start.date() != first.range.start.date() && first.grain != Grain::Moment
    })?;
    let bare = |said: &str| said.strip_prefix("on ").unwrap_or(said).to_owned();
    Some(format!("{} or {}?", bare(&other.said), bare(&first.said)))
}

/// "Thursday", where a sentence would say "on Thursday".
pub fn named(said: &str) -> &str {
    ["on ", "in ", "for "].iter().find_map(|lead| said.strip_prefix(lead)).unwrap_or(said)
}
