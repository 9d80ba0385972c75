//! Puts the events of the sample on real days.

use brain::profile::Day;
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan, Zoned};
use serde::Deserialize;

use super::{BadSample, Cast};
use crate::local::{Entry, When};

const EVENTS: &str = include_str!("../../../sample/events.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    event: Vec<Event>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    id: String,
    title: String,
    day: Option<i32>,
    workday: Option<u16>,
    #[serde(default)]
    weeks: Vec<i32>,
    #[serde(default)]
    weekdays: Vec<Day>,
    at: Option<String>,
    zone: Option<String>,
    minutes: Option<i64>,
    #[serde(default)]
    all_day: bool,
    /// Whole days do not keep anybody busy unless they say so.
    busy: Option<bool>,
    #[serde(default)]
    with: Vec<String>,
    place: Option<String>,
    notes: Option<String>,
    /// Whose it is, where somebody else has invited to it.
    by: Option<String>,
}

/// The calendar, and where its days lie for mails that speak of them.
pub(super) struct Placed {
    pub entries: Vec<Entry>,
    days: Vec<(String, Date)>,
}

impl Placed {
    /// The day of an event that happens once.
    pub(super) fn day_of(&self, id: &str) -> Option<Date> {
        self.days.iter().find(|(named, _)| named == id).map(|(_, date)| *date)
    }
}

pub(super) fn placed(now: &Zoned, cast: &Cast) -> Result<Placed, BadSample> {
    let file: File =
        toml::from_str(EVENTS).map_err(|e| BadSample::new("events.toml", e.to_string()))?;
    let mut placed = Placed { entries: Vec::new(), days: Vec::new() };
    for event in file.event {
        let wrong = |problem: String| BadSample::new(&event.id, problem);
        let dates = event.dates(now.date()).map_err(wrong)?;
        if let [once] = dates[..] {
            placed.days.push((event.id.clone(), once));
        }
        for date in &dates {
            let recurring = dates.len() > 1;
            placed.entries.push(Entry {
                id: if recurring { format!("{}-{date}", event.id) } else { event.id.clone() },
                title: event.title.clone(),
                when: event.when(*date, now.time_zone()).map_err(wrong)?,
                busy: event.busy.unwrap_or(!event.all_day),
                attendees: cast.persons(&event.with)?,
                location: event.place.clone(),
                notes: event.notes.clone(),
                organizer: event.by.as_deref().map(|key| cast.person(key)).transpose()?,
                series: recurring.then(|| event.id.clone()),
            });
        }
    }
    Ok(placed)
}

impl Event {
    fn dates(&self, today: Date) -> Result<Vec<Date>, String> {
        let dates = match (self.day, self.workday, &self.weeks[..]) {
            (Some(day), None, []) => vec![plus(today, day)?],
            (None, Some(nth), []) => vec![workday(today, nth)?],
            (None, None, weeks) => {
                let monday = plus(today, -i32::from(today.weekday().to_monday_zero_offset()))?;
                let of_week = |week: &i32| {
                    let week = week * 7;
                    self.weekdays.iter().map(move |day| {
                        plus(monday, week + i32::from(day.weekday().to_monday_zero_offset()))
                    })
                };
                weeks.iter().flat_map(of_week).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        if dates.is_empty() {
            return Err("say one of day, workday, or weeks with weekdays".to_owned());
        }
        Ok(dates)
    }

    fn when(&self, date: Date, here: &TimeZone) -> Result<When, String> {
        if self.all_day {
            return Ok(When::AllDay { first: date, until: plus(date, 1)? });
        }
        let (Some(at), Some(minutes)) = (&self.at, self.minutes) else {
            return Err("say at and minutes, or all_day".to_owned());
        };
        let zone = match &self.zone {
            Some(name) => TimeZone::get(name).map_err(|error| error.to_string())?,
            None => here.clone(),
        };
        let start = at_clock(date, at, &zone)?;
        let end = start.checked_add(SignedDuration::from_mins(minutes));
        Ok(When::Timed { end: end.map_err(|error| error.to_string())?, start })
    }
}

pub(super) fn at_clock(date: Date, clock: &str, zone: &TimeZone) -> Result<Zoned, String> {
    let time = Time::strptime("%H:%M", clock).map_err(|error| error.to_string())?;
    date.to_datetime(time).to_zoned(zone.clone()).map_err(|error| error.to_string())
}

pub(super) fn plus(date: Date, days: i32) -> Result<Date, String> {
    date.checked_add(days.days()).map_err(|error| error.to_string())
}

/// The nth day of Monday to Friday after this one.
fn workday(today: Date, nth: u16) -> Result<Date, String> {
    let mut date = today;
    for _ in 0..nth {
        date = plus(date, 1)?;
        while matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday) {
            date = plus(date, 1)?;
        }
    }
    Ok(date)
}
