//! Putting events on the calendar on this machine.

use async_trait::async_trait;
use brain::card::{EventPreview, Field, FieldKind, Preview, Warning};
use brain::facts::{Booked, DateRange, FreeSlots};
use brain::{ActionLevel, SaySo};
use jiff::{RoundMode, SignedDuration, Unit, Zoned, ZonedRound};
use serde_json::Value;

use super::free_slots;
use crate::args::{fields, schema_of};
use crate::calendar::booking::{Book, Planned, label_of_book};
use crate::calendar::{Constraints, FindFree, Listed};
use crate::local::Personal;
use crate::local::people::{Known, recipients, warnings};
use crate::local::written::Once;
use crate::tool::{Caller, Found, Prepared, Tool, ToolError, Write, agreed};

const NAME: &str = "calendar.create_event";
/// Of what is on at that time, no more than fits on a card.
const MOST_CONFLICTS: usize = 5;
const MOST_INSTEAD: usize = 3;

/// Books a time, once somebody has said yes to exactly that.
pub struct CreateEvent(pub Personal);

#[async_trait]
impl Tool for CreateEvent {
    fn name(&self) -> &'static str {
        NAME
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Write
    }

    fn description(&self) -> &'static str {
        "Put an event on the person's calendar. The person sees all of it first, with what is on \
         at that time already, and has to say yes."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Book>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Booked>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Book::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        label_of_book(args)
    }

    fn writer(&self) -> Option<&dyn Write> {
        Some(self)
    }
}

#[async_trait]
impl Write for CreateEvent {
    async fn prepare(&self, args: Value, caller: &Caller) -> Result<Prepared, ToolError> {
        let book = Book::read(&args).map_err(ToolError::BadArguments)?;
        let planned = book.planned(caller.profile.default_meeting_minutes);
        let planned = planned.map_err(ToolError::BadArguments)?;
        planned.check_year(&caller.now).map_err(ToolError::BadArguments)?;
        let range = DateRange { start: planned.start.clone(), end: planned.end.clone() };
        let zone = caller.profile.zone();
        let events = self.0.events(caller.user, range, Vec::new(), zone).await;
        let mut events = events.map_err(|error| error.of(NAME))?;
        events.retain(|event| event.busy);
        let free = if events.is_empty() {
            Vec::new()
        } else {
            self.free_instead(&planned, caller).await?
        };
        let known = self.0.known(caller.user, planned.attendees.clone(), Vec::new()).await;
        Ok(shown(planned, &events, free, &known.map_err(|error| error.of(NAME))?, &caller.now))
    }

    async fn write(
        &self,
        args: Value,
        caller: &Caller,
        say_so: &SaySo,
    ) -> Result<Value, ToolError> {
        let planned = Planned::read(&args).map_err(ToolError::BadArguments)?;
        agreed(NAME, &args, caller, say_so)?;
        let once = Once::new(NAME, &args, caller);
        self.0.book(once, planned).await.map_err(|error| error.of_write(NAME))
    }

    async fn probe(&self, args: &Value, caller: &Caller) -> Result<Found, ToolError> {
        self.0.earlier(Once::new(NAME, args, caller)).await.map_err(|error| error.of(NAME))
    }

    /// None: what one transaction has put into the file is there for the next
    /// reader, and a try that comes late finds its own key.
    fn settle(&self) -> SignedDuration {
        SignedDuration::ZERO
    }
}

impl CreateEvent {
    /// The nearest starts on the same day at which nothing is in the way.
    async fn free_instead(
        &self,
        planned: &Planned,
        caller: &Caller,
    ) -> Result<Vec<Zoned>, ToolError> {
        let zone = caller.profile.zone();
        let local = planned.start.with_time_zone(zone.clone());
        let hours = &caller.profile.working_hours;
        let in_hours = hours.includes(local.date().weekday())
            && (hours.start..hours.end).contains(&local.time());
        let (Ok(start), Ok(end)) = (local.start_of_day(), local.end_of_day()) else {
            return Ok(Vec::new());
        };
        let (day, minutes) = (DateRange { start, end }, planned.minutes());
        let events = self.0.events(caller.user, day.clone(), Vec::new(), zone).await;
        let events = events.map_err(|error| error.of(NAME))?;
        let find = FindFree {
            date_range: day.clone(),
            duration_minutes: Some(minutes),
            constraints: Constraints { working_hours: in_hours, ..Constraints::default() },
        };
        Ok(nearest(&free_slots(&find, day, events, caller), &local, minutes))
    }
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

fn shown(
    planned: Planned,
    busy: &[Listed],
    free_instead: Vec<Zoned>,
    known: &[Known],
    now: &Zoned,
) -> Prepared {
    let payload = fields(&planned);
    let mut concerns = Vec::new();
    let mut warn =
        |code: &str, text: String| concerns.push(Warning { code: code.to_owned(), text });
    if planned.start < *now {
        warn("in_the_past", "That time has passed".to_owned());
    }
    match busy {
        [] => {}
        [one] => warn("time_taken", format!("{} is on at that time", one.meeting.title)),
        [one, more @ ..] => {
            let text = format!("{} and {} more are on at that time", one.meeting.title, more.len());
            warn("time_taken", text);
        }
    }
    concerns.extend(warnings(known));
    let conflicts = busy.iter().take(MOST_CONFLICTS).map(|event| called(event, &planned.start));
    let preview = EventPreview {
        minutes: planned.minutes(),
        length_assumed: planned.length_assumed,
        attendees: recipients(known),
        location: Some(planned.location).filter(|place| !place.is_empty()),
        conflicts: conflicts.collect(),
        free_instead,
        title: planned.title,
        start: planned.start,
        end: planned.end,
    };
    Prepared {
        action_type: "create_event",
        title: "Put this on your calendar?".to_owned(),
        payload,
        preview: Preview::Event(Box::new(preview)),
        editable: editable(),
        warnings: concerns,
        thread: Vec::new(),
    }
}

/// "Design review, 3:00 to 4:00"; with its day where that is another one.
fn called(event: &Listed, start: &Zoned) -> String {
    let meeting = &event.meeting;
    if meeting.all_day {
        return format!("{}, all day", meeting.title);
    }
    let there = start.with_time_zone(meeting.start.time_zone().clone()).date();
    let clock = |at: &Zoned| {
        let format = if at.date() == there { "%-I:%M" } else { "%A %-I:%M" };
        at.strftime(format).to_string()
    };
    format!("{}, {} to {}", meeting.title, clock(&meeting.start), clock(&meeting.end))
}

fn editable() -> Vec<Field> {
    let field =
        |name: &str, label: &str, kind| Field { name: name.into(), label: label.into(), kind };
    vec![
        field("title", "Title", FieldKind::Text),
        field("start", "Starts", FieldKind::Time),
        field("end", "Ends", FieldKind::Time),
        field("attendees", "With", FieldKind::People),
        field("location", "Place", FieldKind::Text),
    ]
}
