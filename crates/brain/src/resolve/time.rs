//! When is meant by a phrase.
//!
//! [`find`] looks for the words in a sentence that say when, and returns every
//! reading it can defend, the likeliest first, with what it took for granted.
//! The zone is that of `now`; weeks start on Monday. Days are civil dates until
//! the last moment, so a day with 23 or 25 hours is still a day.

mod clock;
mod dates;
mod days;
mod edges;
mod hours;
mod impossible;
mod length;
mod names;
mod number;
mod part;
mod parts;
mod pieces;
mod relative;
mod repeats;
mod several;
mod zones;

use jiff::Zoned;
use jiff::civil::{Date, Time};

pub use impossible::Impossible;
pub use length::{WHOLE_DAY, length, length_in_seconds};
pub use names::{WEEKDAYS, is_weekday, month_name, name_of, nth, weekday_named};
pub(super) use number::{SMALL, TENS};
pub use number::{cardinal, is_number_word, ordinal};
pub use part::Part;
pub use repeats::recurring;
pub use several::{apart, spread};
pub use zones::{Zone, city, zone_in};

use self::clock::{DAY_ENDS, Minutes};
use self::days::plus;
use self::parts::Parts;
use self::pieces::Piece;
use super::words::{Word, words};
use crate::facts::DateRange;

/// One way to understand when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub range: DateRange,
    pub grain: Grain,
    /// As it stands in a sentence: "tomorrow morning", "on Friday at 3".
    pub said: String,
    /// What was taken for granted, if anything was.
    pub reason: Option<String>,
    /// Within several days, only these hours: "mornings next week".
    pub daily: Option<(Time, Time)>,
    /// "The last seven days": counted back from now.
    pub rolling_days: Option<u32>,
}

impl Reading {
    /// "After three", "before noon": hours of which one end was named.
    pub fn is_open_ended(&self) -> bool {
        self.grain == Grain::Hours
            && [" after ", " before "].iter().any(|link| self.said.contains(link))
    }
}

/// How wide the named time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// A point on the clock; the range is its minute, so that whatever goes
    /// on then overlaps it.
    Moment,
    /// Named hours: "between two and four".
    Hours,
    /// "Tomorrow afternoon"
    Part,
    Day,
    Weekend,
    Week,
    Month,
    /// From now on into the future: "the next three days".
    Ahead,
    /// Anything else.
    Span,
}

/// Where a bare "Tuesday" lies: mail has arrived, meetings are to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lean {
    Ahead,
    Back,
}

/// What a sentence says about when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    /// Never empty; the likeliest first.
    pub readings: Vec<Reading>,
    /// The places of the words that said it, in order.
    pub words: Vec<usize>,
}

/// Every reading of a phrase that says nothing but when.
pub fn readings(phrase: &str, now: &Zoned, lean: Lean) -> Vec<Reading> {
    let words = words(phrase);
    match find(&words, now, lean) {
        Some(when) if when.words.len() == words.len() => when.readings,
        _ => Vec::new(),
    }
}

/// Finds the words that say when. Quoted words say nothing, and a sentence
/// with something [`impossible`] in it has no reading.
pub fn find(words: &[Word], now: &Zoned, lean: Lean) -> Option<When> {
    look(words, now, lean).ok().flatten()
}

/// Why there is no reading, where words that say when cannot be.
pub fn impossible(words: &[Word], now: &Zoned) -> Option<Impossible> {
    look(words, now, Lean::Ahead).err()
}

fn look(words: &[Word], now: &Zoned, lean: Lean) -> Result<Option<When>, Impossible> {
    let texts = texts(words);
    if let Some(said) = repeats::again(&texts) {
        return Err(Impossible::Repeats { said });
    }
    if let Some(found) = impossible::first(&texts, now.date(), lean) {
        return Err(found);
    }
    let found = pieces::find(&texts, now, lean);
    // A zone alone says how to tell a time, not when.
    if found.iter().all(|(piece, _)| matches!(piece, Piece::Zone(_) | Piece::Here)) {
        return Ok(None);
    }
    let mut parts = Parts::default();
    let mut used = Vec::new();
    for (piece, at) in found {
        if parts.take(piece) {
            used.extend(at);
        }
    }
    let mut readings = parts.readings(now, lean)?;
    // "The last 0 hours" are no time at all.
    readings.retain(|reading| reading.range.start < reading.range.end);
    used.sort_unstable();
    Ok((!readings.is_empty()).then_some(When { readings, words: used }))
}

/// "Monday", "november"
pub(super) fn names_day(word: &str) -> bool {
    weekday_named(word, false).is_some() || names::month_named(word).is_some()
}

/// The words to read; quoted ones are nobody's time.
fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| if word.quoted { "\"" } else { word.text.as_str() }).collect()
}

/// All that was taken for granted, in one line.
fn reasons<const N: usize>(all: [Option<String>; N]) -> Option<String> {
    let all: Vec<String> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn range(now: &Zoned, start: (Date, Minutes), end: (Date, Minutes)) -> DateRange {
    DateRange { start: zoned(now, start.0, start.1), end: zoned(now, end.0, end.1) }
}

fn zoned(now: &Zoned, date: Date, minutes: Minutes) -> Zoned {
    let (date, minutes) =
        if minutes >= DAY_ENDS { (plus(date, 1), minutes - DAY_ENDS) } else { (date, minutes) };
    // The only failure is a date at the end of representable time.
    date.to_datetime(civil(minutes)).to_zoned(now.time_zone().clone()).unwrap_or(now.clone())
}

/// The midnight that ends a day is told as the last minute of it.
fn civil(minutes: Minutes) -> Time {
    let minutes = minutes.clamp(0, DAY_ENDS - 1);
    let hour = i8::try_from(minutes / 60).expect("a day has 24 hours");
    let minute = i8::try_from(minutes % 60).expect("an hour has 60 minutes");
    Time::new(hour, minute, 0, 0).expect("hour and minute were taken from minutes of a day")
}

fn minutes_of(now: &Zoned) -> Minutes {
    Minutes::from(now.hour()) * 60 + Minutes::from(now.minute())
}

/// A clock time on a screen: "9:30", "3", and "7 pm" where it could be either.
pub fn spell_clock(time: Time) -> String {
    let hour = match time.hour() % 12 {
        0 => 12,
        hour => hour,
    };
    let minute = if time.minute() == 0 { String::new() } else { format!(":{:02}", time.minute()) };
    let half = match time.hour() {
        0..=7 => " am",
        8..=17 => "",
        _ => " pm",
    };
    format!("{hour}{minute}{half}")
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;
