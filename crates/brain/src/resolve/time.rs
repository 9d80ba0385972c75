//! When is meant by a phrase.
//!
//! [`find`] looks for the words in a sentence that say when, and returns every
//! reading it can defend, the likeliest first, with what it took for granted.
//! The zone is that of `now`; weeks start on Monday. Days are civil dates until
//! the last moment, so a day with 23 or 25 hours is still a day.

mod clock;
mod days;
mod edges;
mod impossible;
mod length;
mod names;
mod number;
mod pieces;
mod several;
mod zones;

use jiff::Zoned;
use jiff::civil::{Date, Time};

pub use clock::Part;
pub use impossible::{Impossible, impossible};
pub use length::length;
pub use names::{month_name, name_of, nth, weekday_named};
pub use number::{cardinal, is_number_word, ordinal};
pub use several::{apart, spread};
pub use zones::{Zone, city, zone_in};

use self::clock::{DAY_ENDS, Minutes};
use self::days::{Stretch, TODAY_TOO, monday_of, offset_of, plus};
use self::pieces::{Hours, Piece};
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

/// Finds the words that say when. Quoted words say nothing.
pub fn find(words: &[Word], now: &Zoned, lean: Lean) -> Option<When> {
    let texts: Vec<&str> =
        words.iter().map(|word| if word.quoted { "\"" } else { word.text.as_str() }).collect();
    let found = pieces::find(&texts, now, lean);
    // A zone alone says how to tell a time, not when.
    if found.iter().all(|(piece, _)| matches!(piece, Piece::Zone(_))) {
        return None;
    }
    let mut parts = Parts::default();
    let mut used = Vec::new();
    for (piece, at) in found {
        if parts.take(piece) {
            used.extend(at);
        }
    }
    let readings = parts.readings(now, lean);
    used.sort_unstable();
    (!readings.is_empty()).then_some(When { readings, words: used })
}

/// The pieces of one sentence, put side by side.
#[derive(Default)]
struct Parts {
    days: Vec<Stretch>,
    part: Option<Part>,
    /// "In the morning" said late is tomorrow's.
    part_is_loose: bool,
    hours: Option<Hours>,
    exact: Option<Reading>,
    bound: Option<Bound>,
    zone: Option<Zone>,
}

#[derive(Clone, Copy)]
enum Bound {
    Since,
    Until,
}

impl Parts {
    /// False when there is no room for it: its words then stay unread.
    fn take(&mut self, piece: Piece) -> bool {
        match piece {
            Piece::Days(stretches) if self.days.is_empty() => self.days = stretches,
            Piece::Days(stretches) => return self.narrow(&stretches),
            Piece::Part { part, loose } if self.part.is_none() => {
                (self.part, self.part_is_loose) = (Some(part), loose);
            }
            Piece::DayPart(stretch, part) if self.days.is_empty() && self.part.is_none() => {
                (self.days, self.part) = (vec![stretch], Some(part));
            }
            Piece::Hours(hours) if self.hours.is_none() => self.hours = Some(hours),
            Piece::Since(stretches) if self.days.is_empty() => {
                (self.days, self.bound) = (stretches, Some(Bound::Since));
            }
            Piece::Until(stretches) if self.days.is_empty() => {
                (self.days, self.bound) = (stretches, Some(Bound::Until));
            }
            Piece::Zone(zone) if self.zone.is_none() => self.zone = Some(zone),
            Piece::Exact(reading) if self.exact.is_none() => self.exact = Some(*reading),
            _ => return false,
        }
        true
    }

    /// "Monday" beside "next week" is the Monday of that week, in either order.
    fn narrow(&mut self, other: &[Stretch]) -> bool {
        let (Some(mine), Some(other)) = (self.days.first(), other.first()) else { return false };
        let (day, week) = match (mine.grain, other.grain) {
            (Grain::Day, Grain::Week) => (mine, other),
            (Grain::Week, Grain::Day) => (other, mine),
            _ => return false,
        };
        let date = plus(monday_of(week.first), offset_of(day.first.weekday()));
        let said = format!("on {} the {}", name_of(date.weekday()), nth(date));
        self.days = vec![Stretch::new(date, plus(date, 1), Grain::Day, said)];
        true
    }

    fn readings(mut self, now: &Zoned, lean: Lean) -> Vec<Reading> {
        if let Some(exact) = self.exact {
            return vec![exact];
        }
        if self.days.is_empty() {
            self.days = vec![self.default_day(now)];
        }
        let or_next = self.days.first().is_some_and(|day| day.said.starts_with(TODAY_TOO));
        let readings: Vec<_> =
            self.days.iter().flat_map(|stretch| self.on(stretch, now, lean)).collect();
        if or_next { today_or_next(readings, now) } else { readings }
    }

    fn on(&self, stretch: &Stretch, now: &Zoned, lean: Lean) -> Vec<Reading> {
        match (self.bound, self.zone.as_ref().filter(|_| self.hours.is_some())) {
            (Some(Bound::Since), _) => since(stretch, self.part, now),
            (Some(Bound::Until), _) => until(stretch, now),
            (None, Some(zone)) => {
                let there = now.with_time_zone(zone.zone.clone());
                let readings = within(stretch, self.part, self.hours, &there, lean);
                readings.into_iter().map(|reading| from_there(reading, zone, now)).collect()
            }
            (None, None) => within(stretch, self.part, self.hours, now, lean),
        }
    }

    fn default_day(&self, now: &Zoned) -> Stretch {
        let today = now.date();
        let over = self.part.is_some_and(|part| minutes_of(now) >= part.hours().1);
        if self.part_is_loose && over {
            return Stretch::new(plus(today, 1), plus(today, 2), Grain::Day, "tomorrow");
        }
        let said = if self.part.is_some() { "this" } else { "today" };
        let day = Stretch::new(today, plus(today, 1), Grain::Day, said);
        Stretch { assumed: true, ..day }
    }
}

/// From this hour on, a day that is named by its weekday may be next week's.
const LATE: i8 = 18;

/// On a Wednesday, "Wednesday" is today while there is something left of it.
/// Late in the evening nobody can tell, and both readings stay.
fn today_or_next(mut readings: Vec<Reading>, now: &Zoned) -> Vec<Reading> {
    let today = now.date();
    let over = |reading: &Reading| reading.range.end <= *now;
    let first_is_over = readings.first().is_some_and(over);
    let named_hours = readings.first().is_some_and(|reading| reading.grain != Grain::Day);
    if first_is_over {
        readings.retain(|reading| reading.range.start.date() != today);
    } else if named_hours || now.hour() < LATE {
        readings.retain(|reading| reading.range.start.date() == today);
    } else {
        readings.reverse();
    }
    readings
}

/// A time on a clock elsewhere, on the person's own: "at 6 pm Berlin time, 9 here".
fn from_there(reading: Reading, there: &Zone, now: &Zoned) -> Reading {
    let here = |time: &Zoned| time.with_time_zone(now.time_zone().clone());
    let range = DateRange { start: here(&reading.range.start), end: here(&reading.range.end) };
    let clock = spell_clock(range.start.time());
    let same_day = range.start.date() == reading.range.start.date();
    let day = name_of(range.start.weekday());
    let local = if same_day { clock } else { format!("{day} {clock}") };
    let to = match reading.grain {
        Grain::Hours => format!(" to {}", spell_clock(range.end.time())),
        _ => String::new(),
    };
    let mut there_said = reading.said.clone();
    // Across zones the half of the day is never plain.
    if reading.grain == Grain::Moment && there_said.ends_with(|c: char| c.is_ascii_digit()) {
        there_said += if reading.range.start.hour() < 12 { " am" } else { " pm" };
    }
    let said = format!("{there_said} {}, {local}{to} here", there.name);
    Reading { range, said, ..reading }
}

/// Hours or a part of the day within the days.
fn within(
    stretch: &Stretch,
    part: Option<Part>,
    hours: Option<Hours>,
    now: &Zoned,
    lean: Lean,
) -> Vec<Reading> {
    let whole = Reading {
        range: range(now, (stretch.first, 0), (stretch.end, 0)),
        grain: stretch.grain,
        said: stretch.said.clone(),
        reason: stretch.reason.clone(),
        daily: None,
        rolling_days: stretch.rolling_days,
    };
    let several_days = plus(stretch.first, 1) != stretch.end;
    match (hours, part) {
        (None, None) if stretch.grain == Grain::Ahead => {
            vec![Reading { range: DateRange { start: now.clone(), ..whole.range }, ..whole }]
        }
        (None, None) => vec![whole],
        (None, Some(part)) if several_days => {
            let (from, to) = part.hours();
            vec![Reading { daily: Some((civil(from), civil(to))), ..whole }]
        }
        (None, Some(part)) => vec![in_part(stretch, part, whole, now)],
        (Some(hours), part) => hours.on(stretch, part, &whole, now, lean),
    }
}

fn in_part(stretch: &Stretch, part: Part, whole: Reading, now: &Zoned) -> Reading {
    let (from, to) = part.hours();
    let said = match (stretch.said.as_str(), part) {
        ("this" | "today", Part::Night | Part::Evening) => "tonight".to_owned(),
        ("this" | "today", Part::Lunch) => "at lunchtime".to_owned(),
        ("this" | "today", part) => format!("this {}", part.name()),
        ("yesterday", Part::Night) => "last night".to_owned(),
        (day, Part::Lunch) => format!("{day} at lunchtime"),
        (day, part) => format!("{day} {}", part.name()),
    };
    let range = range(now, (stretch.first, from), (stretch.first, to));
    Reading { range, grain: Grain::Part, said, ..whole }
}

fn since(stretch: &Stretch, part: Option<Part>, now: &Zoned) -> Vec<Reading> {
    let from = part.map_or(0, |part| part.hours().0);
    let said = stretch.said.strip_prefix("on ").unwrap_or(&stretch.said);
    let said = match part {
        Some(part) if said == "this" => format!("since this {}", part.name()),
        _ => format!("since {said}"),
    };
    let start = zoned(now, stretch.first, from);
    if start >= *now {
        return Vec::new();
    }
    vec![Reading {
        range: DateRange { start, end: now.clone() },
        grain: Grain::Span,
        said,
        reason: stretch.reason.clone(),
        daily: None,
        rolling_days: None,
    }]
}

fn until(stretch: &Stretch, now: &Zoned) -> Vec<Reading> {
    let end = zoned(now, stretch.end, 0);
    let said = stretch.said.strip_prefix("on ").unwrap_or(&stretch.said);
    if end <= *now {
        return Vec::new();
    }
    vec![Reading {
        range: DateRange { start: now.clone(), end },
        grain: Grain::Ahead,
        said: format!("until {said}"),
        reason: stretch.reason.clone(),
        daily: None,
        rolling_days: None,
    }]
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
