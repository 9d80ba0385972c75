//! The pieces of a sentence put side by side: a day, hours, a part, a zone.

use jiff::Zoned;

use super::clock::Minutes;
use super::days::{Stretch, TODAY_TOO, monday_of, offset_of, plus};
use super::hours::Hours;
use super::names::{month_name, name_of, nth};
use super::part::Part;
use super::pieces::Piece;
use super::zones::Zone;
use super::{
    Grain, Impossible, Lean, Reading, civil, minutes_of, range, reasons, spell_clock, zoned,
};
use crate::facts::DateRange;

/// The pieces of one sentence, put side by side.
#[derive(Default)]
pub struct Parts {
    days: Vec<Stretch>,
    part: Option<Part>,
    /// "In the morning" said late is tomorrow's.
    part_is_loose: bool,
    /// What the name of the part left open: "first thing".
    part_reason: Option<&'static str>,
    hours: Option<Hours>,
    exact: Option<Reading>,
    bound: Option<Bound>,
    zone: Option<Zone>,
}

#[derive(Clone, Copy)]
enum Bound {
    Since,
    Until,
    Before,
}

impl Parts {
    /// False when there is no room for it: its words then stay unread.
    pub fn take(&mut self, piece: Piece) -> bool {
        match piece {
            Piece::Days(stretches) if self.days.is_empty() => self.days = stretches,
            Piece::Days(stretches) => return self.narrow(&stretches),
            Piece::Part { part, loose, reason } if self.part.is_none() => {
                (self.part, self.part_is_loose, self.part_reason) = (Some(part), loose, reason);
            }
            // "First thing in the morning"
            Piece::Part { part, .. } if self.part == Some(part) => {}
            Piece::Here => {}
            Piece::DayPart(stretch, part) if self.days.is_empty() && self.part.is_none() => {
                (self.days, self.part) = (vec![stretch], Some(part));
            }
            // "After three, say at four"
            Piece::Hours(hours)
                if self.hours.is_none_or(|had| had.is_bound() && !hours.is_bound()) =>
            {
                self.hours = Some(hours);
            }
            Piece::Since(stretches) if self.days.is_empty() => {
                (self.days, self.bound) = (stretches, Some(Bound::Since));
            }
            Piece::Until(stretches) if self.days.is_empty() => {
                (self.days, self.bound) = (stretches, Some(Bound::Until));
            }
            Piece::Before(stretches) if self.days.is_empty() => {
                (self.days, self.bound) = (stretches, Some(Bound::Before));
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

    /// All readings, the likeliest first; or the day that no clock there shows.
    pub fn readings(mut self, now: &Zoned, lean: Lean) -> Result<Vec<Reading>, Impossible> {
        if let Some(exact) = self.exact {
            return Ok(vec![exact]);
        }
        if self.days.is_empty() {
            self.days = vec![self.default_day(now)];
        }
        if let Some(skipped) = self.days.iter().find(|day| is_skipped(day, now)) {
            let date = skipped.first;
            let day = format!("{} {}", month_name(date.month()), date.day());
            return Err(Impossible::Day { because: format!("the calendar skips {day} there") });
        }
        let or_next = self.days.first().is_some_and(|day| day.said.starts_with(TODAY_TOO));
        let mut readings: Vec<_> =
            self.days.iter().flat_map(|stretch| self.on(stretch, now, lean)).collect();
        // At the very end of representable time nothing comes after anything.
        readings.retain(|reading| reading.range.start < reading.range.end);
        Ok(if or_next { today_or_next(readings, now) } else { readings })
    }

    fn on(&self, stretch: &Stretch, now: &Zoned, lean: Lean) -> Vec<Reading> {
        match (self.bound, self.zone.as_ref().filter(|_| self.hours.is_some())) {
            (Some(Bound::Since), _) => since(stretch, self.part, self.named_hour(), now),
            (Some(Bound::Until), _) => until(stretch, "until", self.named_hour(), now),
            (Some(Bound::Before), _) => {
                until(stretch, "before", Some(self.named_hour().unwrap_or(0)), now)
            }
            (None, Some(zone)) => {
                let there = now.with_time_zone(zone.zone.clone());
                let readings = self.within(stretch, &there, lean);
                readings.into_iter().map(|reading| from_there(reading, zone, now)).collect()
            }
            (None, None) => self.within(stretch, now, lean),
        }
    }

    /// Hours or a part of the day within the days.
    fn within(&self, stretch: &Stretch, now: &Zoned, lean: Lean) -> Vec<Reading> {
        let whole = Reading {
            range: range(now, (stretch.first, 0), (stretch.end, 0)),
            grain: stretch.grain,
            said: stretch.said.clone(),
            reason: stretch.reason.clone(),
            daily: None,
            rolling_days: stretch.rolling_days,
        };
        let several_days = plus(stretch.first, 1) != stretch.end;
        match (self.hours, self.part) {
            (None, None) if stretch.grain == Grain::Ahead => {
                vec![Reading { range: DateRange { start: now.clone(), ..whole.range }, ..whole }]
            }
            (None, None) => vec![whole],
            (None, Some(part)) if several_days => {
                let (from, to) = part.hours();
                vec![Reading { daily: Some((civil(from), civil(to))), ..whole }]
            }
            (None, Some(part)) => {
                let reason = self.part_reason.map(str::to_owned);
                let reason = reasons([whole.reason.clone(), reason]);
                vec![in_part(stretch, part, Reading { reason, ..whole }, now)]
            }
            (Some(hours), part) => hours.on(stretch, part, &whole, now, lean),
        }
    }

    /// The hour of "until Friday at five".
    fn named_hour(&self) -> Option<Minutes> {
        match self.hours {
            Some(Hours::At(at)) => Some(at.likely(self.part).0),
            _ => None,
        }
    }

    fn default_day(&self, now: &Zoned) -> Stretch {
        // An hour in Tokyo is one of the day it is there.
        let zone = self.zone.as_ref().filter(|_| self.hours.is_some());
        let there = zone.map(|zone| now.with_time_zone(zone.zone.clone()));
        let today = there.as_ref().unwrap_or(now).date();
        let over = self.part.is_some_and(|part| minutes_of(now) >= part.hours().1);
        let gone = self.hours.is_none() && self.part_is_loose;
        if gone && over {
            return Stretch::new(plus(today, 1), plus(today, 2), Grain::Day, "tomorrow");
        }
        let said = if self.part.is_some() && self.hours.is_none() { "this" } else { "today" };
        let day = Stretch::new(today, plus(today, 1), Grain::Day, said);
        Stretch { assumed: true, ..day }
    }
}

/// Some islands have crossed the date line, and slept through a day.
fn is_skipped(stretch: &Stretch, now: &Zoned) -> bool {
    let end = zoned(now, stretch.end, 0);
    stretch.grain == Grain::Day && end > *now && zoned(now, stretch.first, 0) == end
}

/// From this hour on, a day that is named by its weekday may be next week's.
pub const LATE: i8 = 18;

/// On a Wednesday, "Wednesday" is today while there is something left of it.
/// Late in the evening nobody can tell, and both readings stay.
fn today_or_next(mut readings: Vec<Reading>, now: &Zoned) -> Vec<Reading> {
    let today = now.date();
    let over = |reading: &Reading| reading.range.end <= *now;
    let first_is_over = readings.first().is_some_and(over);
    let named_hours = readings.first().is_some_and(|reading| reading.grain != Grain::Day);
    if first_is_over {
        let gone = readings.first().map_or_else(String::new, passed);
        readings.retain(|reading| !over(reading));
        readings.sort_by_key(|reading| reading.range.start.date() == today);
        let next_week = |reading: &&mut Reading| reading.range.start.date() != today;
        for reading in readings.iter_mut().filter(next_week) {
            let day = name_of(reading.range.start.weekday());
            let reason = format!("{gone} has passed today; took next {day}");
            reading.reason = reasons([Some(reason), reading.reason.take()]);
        }
    } else if named_hours || now.hour() < LATE {
        readings.retain(|reading| reading.range.start.date() == today && !over(reading));
    } else {
        readings.reverse();
    }
    readings
}

/// What has passed: the hour, where one was named.
fn passed(reading: &Reading) -> String {
    match reading.grain {
        Grain::Moment => spell_clock(reading.range.start.time()),
        _ => "that".to_owned(),
    }
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
    let reason = reasons([reading.reason, there.assumed(&reading.range.start)]);
    Reading { range, said, reason, ..reading }
}

fn in_part(stretch: &Stretch, part: Part, whole: Reading, now: &Zoned) -> Reading {
    let (from, to) = part.hours();
    let said = match (stretch.said.as_str(), part) {
        ("this" | "today", Part::Night | Part::Evening) => "tonight".to_owned(),
        ("this" | "today", Part::Lunch) => "at lunchtime".to_owned(),
        ("yesterday", Part::Night) => "last night".to_owned(),
        ("this" | "today", Part::DayEnd) => "at the end of the day".to_owned(),
        ("this" | "today", part) => format!("this {}", part.name()),
        (day, Part::Lunch) => format!("{day} at lunchtime"),
        (day, Part::DayEnd) => format!("{day} at the end of the day"),
        (day, part) => format!("{day} {}", part.name()),
    };
    let range = range(now, (stretch.first, from), (stretch.first, to));
    Reading { range, grain: Grain::Part, said, ..whole }
}

fn since(
    stretch: &Stretch,
    part: Option<Part>,
    hour: Option<Minutes>,
    now: &Zoned,
) -> Vec<Reading> {
    let from = hour.or_else(|| part.map(|part| part.hours().0)).unwrap_or(0);
    let said = stretch.said.strip_prefix("on ").unwrap_or(&stretch.said);
    let said = match part {
        Some(part) if said == "this" => format!("since this {}", part.name()),
        _ => format!("since {said}{}", at_hour(hour)),
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

/// " at 5", behind a day.
fn at_hour(hour: Option<Minutes>) -> String {
    hour.map_or_else(String::new, |hour| {
        format!(" at {}", spell_clock(civil(hour % super::DAY_ENDS)))
    })
}

fn until(stretch: &Stretch, link: &str, hour: Option<Minutes>, now: &Zoned) -> Vec<Reading> {
    let end = match hour {
        Some(hour) => zoned(now, stretch.first, hour),
        None => zoned(now, stretch.end, 0),
    };
    let said = stretch.said.strip_prefix("on ").unwrap_or(&stretch.said);
    if end <= *now {
        return Vec::new();
    }
    vec![Reading {
        range: DateRange { start: now.clone(), end },
        grain: Grain::Ahead,
        said: format!("{link} {said}{}", at_hour(hour.filter(|hour| *hour > 0))),
        reason: stretch.reason.clone(),
        daily: None,
        rolling_days: None,
    }]
}
