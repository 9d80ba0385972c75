//! The calendar tools over the calendar on this machine.

use async_trait::async_trait;
use brain::ActionLevel;
use brain::facts::{Agenda, DateRange, FreeSlots, Meeting};
use brain::resolve::titles;
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::gaps::{Stretch, gaps, windows};
use super::overlap::mark_conflicts;
use super::{FindFree, List, Listed, label_of_find_free, label_of_list};
use crate::args::{schema_of, told};
use crate::local::Personal;
use crate::tool::{Caller, Tool, ToolError};

mod booking;
mod changing;
mod room;

pub use booking::CreateEvent;
pub use changing::{CancelEvent, MoveEvent};

const MOST_SLOTS: usize = 50;
/// As many as one is asked to choose from.
const MOST_ALIKE: usize = 3;
/// Of what stands in the way, no more than anybody would be told.
const MOST_BUSY: usize = 50;

/// What is on, earliest first.
pub struct ListEvents(pub Personal);

/// When there would be time.
pub struct FindFreeSlots(pub Personal);

#[async_trait]
impl Tool for ListEvents {
    fn name(&self) -> &'static str {
        "calendar.list_events"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Read
    }

    fn description(&self) -> &'static str {
        "List what is on the person's calendar within a stretch of time, earliest first, with \
         what runs at the same time."
    }

    fn input_schema(&self) -> Value {
        schema_of::<List>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Agenda>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        List::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        label_of_list(args)
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let list = List::read(&args).map_err(ToolError::BadArguments)?;
        let zone = caller.profile.zone();
        let words = list.words();
        let date_range = seen_from(&list.date_range, &zone);
        let is_named = !words.is_empty();
        let found = self.0.events(caller.user, date_range.clone(), words, zone.clone()).await;
        let mut events = found.map_err(|error| error.of(self.name()))?;
        let total = counted(events.len());
        let alike = if events.is_empty() && is_named {
            let all = self.0.events(caller.user, date_range.clone(), Vec::new(), zone).await;
            sounding(&list.query, &all.map_err(|error| error.of(self.name()))?)
        } else {
            Vec::new()
        };
        events.truncate(list.max_results as usize);
        Ok(told(&Agenda { date_range, events: with_conflicts(events), total, alike }))
    }
}

/// What is called nearly so, each title once, at its earliest.
fn sounding(wanted: &str, all: &[Listed]) -> Vec<Meeting> {
    let places = titles::sounding(wanted, all.iter().map(|one| one.meeting.title.as_str()));
    let mut alike: Vec<Meeting> = Vec::new();
    for at in places {
        let one = &all[at].meeting;
        if alike.len() < MOST_ALIKE && alike.iter().all(|other| other.title != one.title) {
            alike.push(one.clone());
        }
    }
    alike
}

#[async_trait]
impl Tool for FindFreeSlots {
    fn name(&self) -> &'static str {
        "calendar.find_free_slots"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Read
    }

    fn description(&self) -> &'static str {
        "Find stretches of free time on the person's calendar, from now on, each at least as \
         long as asked for, and what stands in the way."
    }

    fn input_schema(&self) -> Value {
        schema_of::<FindFree>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<FreeSlots>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        FindFree::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        label_of_find_free(args)
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let find = FindFree::read(&args).map_err(ToolError::BadArguments)?;
        let zone = caller.profile.zone();
        let date_range = seen_from(&find.date_range, &zone);
        let found = self.0.events(caller.user, date_range.clone(), Vec::new(), zone.clone()).await;
        let events = found.map_err(|error| error.of(self.name()))?;
        Ok(told(&free_slots(&find, date_range, events, caller)))
    }
}

fn free_slots(
    find: &FindFree,
    date_range: DateRange,
    events: Vec<Listed>,
    caller: &Caller,
) -> FreeSlots {
    let zone = date_range.start.time_zone();
    let minutes = find.duration_minutes.unwrap_or(caller.profile.default_meeting_minutes);
    let open = stretch(&date_range.start, &date_range.end).map_or_else(Vec::new, |range| {
        let hours = &caller.profile.working_hours;
        windows(range, caller.now.timestamp(), hours, &find.constraints, zone)
    });
    let (busy, taken): (Vec<Listed>, Vec<Stretch>) =
        events.into_iter().filter_map(|event| in_the_way(event, &open)).unzip();
    let free = gaps(&open, &taken, SignedDuration::from_mins(i64::from(minutes)));
    let slots = free.into_iter().take(MOST_SLOTS).map(|slot| DateRange {
        start: slot.start.to_zoned(zone.clone()),
        end: slot.end.to_zoned(zone.clone()),
    });
    FreeSlots {
        duration_minutes: minutes,
        slots: slots.collect(),
        busy: with_conflicts(busy.into_iter().take(MOST_BUSY).collect()),
        date_range,
    }
}

/// An event with the time it takes, if that is time one could have used.
fn in_the_way(event: Listed, open: &[Stretch]) -> Option<(Listed, Stretch)> {
    let taken = stretch(&event.meeting.start, &event.meeting.end).filter(|_| event.busy)?;
    open.iter().any(|window| window.overlaps(taken)).then_some((event, taken))
}

fn stretch(start: &jiff::Zoned, end: &jiff::Zoned) -> Option<Stretch> {
    Stretch::new(start.timestamp(), end.timestamp())
}

fn seen_from(range: &DateRange, zone: &TimeZone) -> DateRange {
    DateRange {
        start: range.start.with_time_zone(zone.clone()),
        end: range.end.with_time_zone(zone.clone()),
    }
}

fn with_conflicts(mut events: Vec<Listed>) -> Vec<Meeting> {
    mark_conflicts(&mut events);
    events.into_iter().map(|event| event.meeting).collect()
}

fn counted(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
