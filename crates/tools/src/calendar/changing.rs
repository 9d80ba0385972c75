//! Something on a calendar that is to go, or to be at another time: what may be asked,
//! whoever the provider is.
//!
//! [`Cancel`] and [`Move`] are what anybody may hand in. [`Parting`] and [`Moving`] are the
//! same with the event as it stood on the card, so that a yes is to that and to nothing it
//! has become since.

use brain::facts::Meeting;
use jiff::{SignedDuration, Zoned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MINUTES;
use super::booking::{check_length, whole_seconds};
use crate::args;

const LONGEST_ID: usize = 200;

/// What `calendar.cancel_event` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cancel {
    #[schemars(length(min = 1, max = 200))]
    pub event_id: String,
    /// Leave it out: it is filled in for the card.
    #[serde(default)]
    #[expect(dead_code, reason = "read so that what was shown can be handed in again")]
    was: Option<Standing>,
}

/// What `calendar.move_event` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Move {
    #[schemars(length(min = 1, max = 200))]
    pub event_id: String,
    /// When it is to begin, with its zone: `2026-11-16T15:00:00-08:00[America/Los_Angeles]`.
    #[schemars(with = "String")]
    pub start: Zoned,
    /// With its zone. Leave it out for as long as it is now.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub end: Option<Zoned>,
    #[serde(default)]
    #[schemars(range(min = 5, max = 480))]
    pub duration_minutes: Option<u32>,
    /// Leave it out: it is filled in for the card.
    #[serde(default)]
    #[expect(dead_code, reason = "read so that what was shown can be handed in again")]
    was: Option<Standing>,
}

/// An event as it stood when it was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Standing {
    pub title: String,
    #[schemars(with = "String")]
    pub start: Zoned,
    #[schemars(with = "String")]
    pub end: Zoned,
    pub all_day: bool,
    pub attendees: Vec<String>,
    /// Empty where it has none.
    pub location: String,
}

/// An event that could be taken off the calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parting {
    pub event_id: String,
    pub was: Standing,
}

/// An event that could be put at another time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Moving {
    pub event_id: String,
    pub start: Zoned,
    pub end: Zoned,
    pub was: Standing,
}

impl Cancel {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let cancel: Self = args::read(args)?;
        check_id(&cancel.event_id)?;
        Ok(cancel)
    }
}

impl Move {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let moved: Self = args::read(args)?;
        check_id(&moved.event_id)?;
        if moved.duration_minutes.is_some_and(|minutes| !MINUTES.contains(&minutes)) {
            let (least, most) = (MINUTES.start(), MINUTES.end());
            return Err(format!("duration_minutes must be between {least} and {most}"));
        }
        if let Some(end) = &moved.end {
            check_length(&moved.start, end)?;
            let said = moved.duration_minutes.map(|n| SignedDuration::from_mins(n.into()));
            if said.is_some_and(|said| said != end.duration_since(&moved.start)) {
                return Err("end and duration_minutes do not agree".to_owned());
            }
        }
        Ok(moved)
    }

    /// As long as it is now, unless something else was said.
    pub(crate) fn of(self, was: Standing) -> Result<Moving, String> {
        let start = whole_seconds(&self.start);
        let lasts = match self.duration_minutes {
            Some(minutes) => SignedDuration::from_mins(minutes.into()),
            None => was.start.duration_until(&was.end),
        };
        let end = match self.end {
            Some(end) => whole_seconds(&end).with_time_zone(start.time_zone().clone()),
            // A day is a day, also where a clock is changed.
            None if was.all_day => was.days_from(&start)?,
            None => {
                let far = |_| "that is further away than the calendar goes".to_owned();
                start.checked_add(lasts).map_err(far)?
            }
        };
        let moving = Moving { event_id: self.event_id, start, end, was };
        moving.check()?;
        Ok(moving)
    }
}

impl Moving {
    /// Exactly what was shown, as it comes back to be written.
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let moving: Self = args::read(args)?;
        check_id(&moving.event_id)?;
        moving.check()?;
        Ok(moving)
    }

    fn check(&self) -> Result<(), String> {
        let midnight = |at: &Zoned| at.time() == jiff::civil::Time::midnight();
        if self.was.all_day && !(midnight(&self.start) && midnight(&self.end)) {
            return Err("it takes whole days, so it can only be moved to another day".to_owned());
        }
        if self.was.start == self.start && self.was.end == self.end {
            return Err("that is when it is already".to_owned());
        }
        check_length(&self.start, &self.end)
    }
}

impl Parting {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let parting: Self = args::read(args)?;
        check_id(&parting.event_id)?;
        Ok(parting)
    }
}

impl Standing {
    pub(crate) fn of(meeting: &Meeting) -> Self {
        Self {
            title: meeting.title.clone(),
            start: meeting.start.clone(),
            end: meeting.end.clone(),
            all_day: meeting.all_day,
            attendees: meeting.attendees.iter().map(|one| one.address.clone()).collect(),
            location: meeting.location.clone().unwrap_or_default(),
        }
    }

    fn days_from(&self, start: &Zoned) -> Result<Zoned, String> {
        let far = |_| "that is further away than the calendar goes".to_owned();
        let days = self.end.date().since(self.start.date()).map_err(far)?;
        start.checked_add(days).map_err(far)
    }
}

fn check_id(id: &str) -> Result<(), String> {
    if id.trim().is_empty() || id.chars().count() > LONGEST_ID {
        return Err(format!("event_id must have between 1 and {LONGEST_ID} characters"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn la(time: &str) -> Zoned {
        format!("{time}[America/Los_Angeles]").parse().unwrap()
    }

    fn standing(start: &str, end: &str, all_day: bool) -> Standing {
        Standing {
            title: "Design review".to_owned(),
            start: la(start),
            end: la(end),
            all_day,
            attendees: Vec::new(),
            location: String::new(),
        }
    }

    fn moved(args: &Value, was: Standing) -> Result<(Zoned, Zoned), String> {
        Move::read(args)?.of(was).map(|moving| (moving.start, moving.end))
    }

    #[test]
    fn it_takes_as_long_as_before_unless_something_else_is_said() {
        let was = standing("2026-11-16T15:00", "2026-11-16T16:15", false);
        let (start, hour) = (la("2026-11-20T12:00"), la("2026-11-20T13:00"));
        let kept = json!({ "event_id": "review", "start": start });
        assert_eq!(moved(&kept, was.clone()), Ok((start.clone(), la("2026-11-20T13:15"))));
        let shorter = json!({ "event_id": "review", "start": start, "duration_minutes": 60 });
        assert_eq!(moved(&shorter, was.clone()), Ok((start.clone(), hour.clone())));
        let ends = json!({ "event_id": "review", "start": start, "end": hour });
        assert_eq!(moved(&ends, was), Ok((start, hour)));
    }

    #[test]
    fn whole_days_stay_whole_days_where_the_clock_is_changed() {
        let was = standing("2026-10-29T00:00", "2026-10-30T00:00", true);
        let sunday = json!({ "event_id": "off", "start": la("2026-11-01T00:00") });
        let whole = Ok((la("2026-11-01T00:00"), la("2026-11-02T00:00")));
        assert_eq!(moved(&sunday, was.clone()), whole);
        let noon = json!({ "event_id": "off", "start": la("2026-11-01T12:00") });
        assert!(moved(&noon, was).unwrap_err().contains("whole days"));
    }

    #[test]
    fn a_move_that_moves_nothing_is_told_so() {
        let was = standing("2026-11-16T15:00", "2026-11-16T16:00", false);
        let same = json!({ "event_id": "review", "start": was.start });
        assert_eq!(moved(&same, was).unwrap_err(), "that is when it is already");
    }
}
