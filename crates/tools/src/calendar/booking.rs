//! Putting something on a calendar: what may be asked, whoever the provider is.
//!
//! [`Book`] is what anybody may hand in; [`Planned`] is the same with nothing
//! left open, which is what a card shows and what is written.

use jiff::{SignedDuration, ToSpan, Unit, Zoned, ZonedRound};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MINUTES;
use crate::mail::address;
use crate::mail::writing::check_seen;
use crate::{args, text};

const LONGEST_DAYS: i64 = 14;
const LONGEST_LINE: usize = 200;
const MOST_ATTENDEES: usize = 50;
/// Further off, somebody has misheard the year.
const YEARS_BACK: i32 = 1;
const YEARS_AHEAD: i32 = 10;

/// What `calendar.create_event` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Book {
    /// With its zone: `2026-11-16T15:00:00-08:00[America/Los_Angeles]`.
    #[schemars(with = "String")]
    pub start: Zoned,
    /// With its zone, at most 14 days later. Or say `duration_minutes`, or
    /// neither for as long as the person's meetings usually are.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub end: Option<Zoned>,
    #[serde(default)]
    #[schemars(range(min = 5, max = 480))]
    pub duration_minutes: Option<u32>,
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// Plain addresses: `priya@example.com`.
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1, max = 254)))]
    pub attendees: Vec<String>,
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub location: String,
    /// Leave it out: it is filled in when nobody said how long.
    #[serde(default)]
    pub length_assumed: bool,
}

/// An event that could be put on the calendar as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Planned {
    pub start: Zoned,
    pub end: Zoned,
    pub title: String,
    pub attendees: Vec<String>,
    /// Empty when nobody said where.
    pub location: String,
    /// The person did not say how long.
    pub length_assumed: bool,
}

impl Book {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let book: Self = args::read(args)?;
        if book.duration_minutes.is_some_and(|minutes| !MINUTES.contains(&minutes)) {
            let (least, most) = (MINUTES.start(), MINUTES.end());
            return Err(format!("duration_minutes must be between {least} and {most}"));
        }
        if let Some(end) = &book.end {
            check_length(&book.start, end)?;
            let length = end.duration_since(&book.start);
            let said = book.duration_minutes.map(|n| SignedDuration::from_mins(n.into()));
            if said.is_some_and(|said| said != length) {
                return Err("end and duration_minutes do not agree".to_owned());
            }
        }
        check_words(&book.title, &book.location)?;
        check_attendees(&book.attendees)?;
        Ok(book)
    }

    /// With the length that is usual where nobody said one.
    pub(crate) fn planned(self, usual_minutes: u32) -> Result<Planned, String> {
        let usual = SignedDuration::from_mins(usual_minutes.into());
        let far = |_| "that is further away than the calendar goes".to_owned();
        let start = whole_seconds(&self.start);
        let (end, length_assumed) = match (self.end, self.duration_minutes) {
            (Some(end), _) => {
                let end = whole_seconds(&end).with_time_zone(start.time_zone().clone());
                let is_usual = end.duration_since(&start) == usual;
                (end, self.length_assumed && is_usual)
            }
            (None, Some(minutes)) => {
                (start.checked_add(SignedDuration::from_mins(minutes.into())).map_err(far)?, false)
            }
            (None, None) => (start.checked_add(usual).map_err(far)?, true),
        };
        let trimmed = self.attendees.iter().map(|one| one.trim().to_owned()).collect();
        let planned = Planned {
            start,
            end,
            title: self.title.trim().to_owned(),
            attendees: address::distinct(trimmed, &[]),
            location: self.location.trim().to_owned(),
            length_assumed,
        };
        planned.check()?;
        Ok(planned)
    }
}

impl Planned {
    /// Exactly what was shown, as it comes back to be written.
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let planned: Self = args::read(args)?;
        planned.check()?;
        Ok(planned)
    }

    fn check(&self) -> Result<(), String> {
        check_length(&self.start, &self.end)?;
        check_words(&self.title, &self.location)?;
        check_attendees(&self.attendees)
    }

    pub(crate) fn check_year(&self, now: &Zoned) -> Result<(), String> {
        check_year(&self.start, now)
    }

    pub(crate) fn minutes(&self) -> u32 {
        minutes(&self.start, &self.end)
    }
}

/// Is it a time that one would mean?
pub(crate) fn check_year(start: &Zoned, now: &Zoned) -> Result<(), String> {
    let bound = |years: i32| now.checked_add(years.years()).unwrap_or_else(|_| now.clone());
    if *start < bound(-YEARS_BACK) {
        return Err("that is more than a year ago".to_owned());
    }
    if *start > bound(YEARS_AHEAD) {
        return Err(format!("that is more than {YEARS_AHEAD} years away"));
    }
    Ok(())
}

pub(crate) fn minutes(start: &Zoned, end: &Zoned) -> u32 {
    u32::try_from(end.duration_since(start).as_mins()).unwrap_or(u32::MAX)
}

/// As exact as the calendar keeps it.
pub(crate) fn whole_seconds(at: &Zoned) -> Zoned {
    let whole = ZonedRound::new().smallest(Unit::Second).mode(jiff::RoundMode::Trunc);
    at.round(whole).unwrap_or_else(|_| at.clone())
}

pub(crate) fn check_length(start: &Zoned, end: &Zoned) -> Result<(), String> {
    if end <= start {
        return Err("it must end after it starts".to_owned());
    }
    if end.duration_since(start) > SignedDuration::from_hours(LONGEST_DAYS * 24) {
        return Err(format!("an event is at most {LONGEST_DAYS} days long"));
    }
    Ok(())
}

fn check_words(title: &str, location: &str) -> Result<(), String> {
    if title.trim().is_empty() || title.chars().count() > LONGEST_LINE {
        return Err(format!("a title must have between 1 and {LONGEST_LINE} characters"));
    }
    if location.chars().count() > LONGEST_LINE {
        return Err(format!("a location is at most {LONGEST_LINE} characters long"));
    }
    if title.contains(text::breaks_line) || location.contains(text::breaks_line) {
        return Err("title and location are one line each, without control characters".to_owned());
    }
    check_seen("title", title)?;
    check_seen("location", location)
}

fn check_attendees(list: &[String]) -> Result<(), String> {
    if list.len() > MOST_ATTENDEES {
        return Err(format!("an event has at most {MOST_ATTENDEES} attendees"));
    }
    list.iter().try_for_each(|address| address::check(address.trim()))
}

/// "Adding Lunch to the calendar".
pub(crate) fn label_of_book(args: &Value) -> String {
    match Book::read(args) {
        Ok(book) => format!("Adding {} to the calendar", text::snippet(&book.title, 60)),
        Err(_) => "Adding an event to the calendar".to_owned(),
    }
}

#[cfg(test)]
#[path = "booking_tests.rs"]
mod tests;
