//! What is on at a time that somebody wants, and when else there would be room.

use brain::card::Warning;
use brain::facts::{DateRange, FreeSlots};
use jiff::{RoundMode, SignedDuration, Unit, Zoned, ZonedRound};

use super::free_slots;
use crate::calendar::booking::minutes;
use crate::calendar::{Constraints, FindFree, Listed};
use crate::local::Personal;
use crate::tool::{Caller, ToolError};

/// Of what is on at that time, no more than fits on a card.
const MOST_CONFLICTS: usize = 5;
const MOST_INSTEAD: usize = 3;

/// What stands in the way of a time.
pub(super) struct Room {
    busy: Vec<Listed>,
    /// The nearest starts on the same day at which nothing is in the way.
    pub free_instead: Vec<Zoned>,
}

/// Which time, and whose event does not count: what is moved is not in its own way.
pub(super) struct Wanted<'a> {
    pub start: &'a Zoned,
    pub end: &'a Zoned,
    pub except: Option<&'a str>,
}

impl Room {
    pub(super) async fn at(
        personal: &Personal,
        tool: &'static str,
        wanted: Wanted<'_>,
        caller: &Caller,
    ) -> Result<Self, ToolError> {
        let range = DateRange { start: wanted.start.clone(), end: wanted.end.clone() };
        let busy = listed(personal, tool, range, wanted.except, caller).await?;
        let busy: Vec<Listed> = busy.into_iter().filter(|event| event.busy).collect();
        let free_instead = if busy.is_empty() {
            Vec::new()
        } else {
            instead(personal, tool, &wanted, caller).await?
        };
        Ok(Self { busy, free_instead })
    }

    pub(super) fn warning(&self) -> Option<Warning> {
        let text = match self.busy.as_slice() {
            [] => return None,
            [one] => format!("{} is on at that time", one.meeting.title),
            [one, more @ ..] => {
                format!("{} and {} more are on at that time", one.meeting.title, more.len())
            }
        };
        Some(Warning { code: "time_taken".to_owned(), text })
    }

    /// What is on, as a card tells it of something that begins at `start`.
    pub(super) fn conflicts(&self, start: &Zoned) -> Vec<String> {
        self.busy.iter().take(MOST_CONFLICTS).map(|event| called(event, start)).collect()
    }
}

async fn listed(
    personal: &Personal,
    tool: &'static str,
    range: DateRange,
    except: Option<&str>,
    caller: &Caller,
) -> Result<Vec<Listed>, ToolError> {
    let events = personal.events(caller.user, range, Vec::new(), caller.profile.zone()).await;
    let mut events = events.map_err(|error| error.of(tool))?;
    events.retain(|event| Some(event.meeting.event_id.as_str()) != except);
    Ok(events)
}

async fn instead(
    personal: &Personal,
    tool: &'static str,
    wanted: &Wanted<'_>,
    caller: &Caller,
) -> Result<Vec<Zoned>, ToolError> {
    let local = wanted.start.with_time_zone(caller.profile.zone());
    let hours = &caller.profile.working_hours;
    let in_hours =
        hours.includes(local.date().weekday()) && (hours.start..hours.end).contains(&local.time());
    let (Ok(start), Ok(end)) = (local.start_of_day(), local.end_of_day()) else {
        return Ok(Vec::new());
    };
    let (day, minutes) = (DateRange { start, end }, minutes(wanted.start, wanted.end));
    let events = listed(personal, tool, day.clone(), wanted.except, caller).await?;
    let find = FindFree {
        date_range: day.clone(),
        duration_minutes: Some(minutes),
        constraints: Constraints { working_hours: in_hours, ..Constraints::default() },
    };
    Ok(nearest(&free_slots(&find, day, events, caller), &local, minutes))
}

/// At most three, in order of time.
fn nearest(found: &FreeSlots, wanted: &Zoned, minutes: u32) -> Vec<Zoned> {
    let length = SignedDuration::from_mins(minutes.into());
    let half_hours = ZonedRound::new().smallest(Unit::Minute).increment(30);
    let starts = found.slots.iter().filter_map(|slot| {
        let latest = slot.end.checked_sub(length).ok()?;
        let near = wanted.clone().clamp(slot.start.clone(), latest.clone());
        let up = near.round(half_hours.mode(RoundMode::Ceil)).ok()?;
        let down = near.round(half_hours.mode(RoundMode::Floor)).ok()?;
        [up, down].into_iter().find(|start| (&slot.start..=&latest).contains(&start))
    });
    let mut starts: Vec<Zoned> = starts.collect();
    starts.sort_by_key(|start| start.duration_since(wanted).abs());
    starts.truncate(MOST_INSTEAD);
    starts.sort();
    starts
}

/// "Design review, 3:00 to 4:00 pm"; with its day where that is another one.
fn called(event: &Listed, start: &Zoned) -> String {
    let meeting = &event.meeting;
    if meeting.all_day {
        return format!("{}, all day", meeting.title);
    }
    let there = start.with_time_zone(meeting.start.time_zone().clone()).date();
    let (from, to) = (&meeting.start, &meeting.end);
    let day = |at: &Zoned| if at.date() == there { "" } else { "%A " };
    let is_same_half = from.date() == to.date() && from.hour() / 12 == to.hour() / 12;
    let half = if is_same_half { "" } else { " %P" };
    let from = from.strftime(&format!("{}%-I:%M{half}", day(from))).to_string();
    let to = to.strftime(&format!("{}%-I:%M %P", day(to))).to_string();
    format!("{}, {from} to {to}", meeting.title)
}

#[cfg(test)]
mod tests {
    use super::super::super::overlap::tests::{at, listed};
    use super::*;

    #[test]
    fn a_card_says_which_half_of_the_day_is_taken() {
        let told = |start, end| called(&listed("Review", start, end), &at("12:00"));
        assert_eq!(told("15:00", "16:00"), "Review, 3:00 to 4:00 pm");
        assert_eq!(told("09:00", "09:30"), "Review, 9:00 to 9:30 am");
        assert_eq!(told("11:30", "12:30"), "Review, 11:30 am to 12:30 pm");
        let mut night = listed("Night train", "22:00", "22:00");
        night.meeting.end = "2026-11-17T10:00-08:00[America/Los_Angeles]".parse().unwrap();
        assert_eq!(called(&night, &at("23:00")), "Night train, 10:00 pm to Tuesday 10:00 am");
    }
}
