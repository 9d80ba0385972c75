//! Putting events on the calendar on this machine.

use async_trait::async_trait;
use brain::card::{EventPreview, Field, FieldKind, Preview, Warning};
use brain::facts::Booked;
use brain::{ActionLevel, SaySo};
use jiff::{SignedDuration, Zoned};
use serde_json::Value;

use super::room::{Room, Wanted};
use crate::args::{fields, schema_of};
use crate::calendar::booking::{Book, Planned, label_of_book};
use crate::local::Personal;
use crate::local::people::{Known, recipients, warnings};
use crate::local::written::Once;
use crate::tool::{Caller, Found, Prepared, Tool, ToolError, Write, agreed};

const NAME: &str = "calendar.create_event";

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
        let wanted = Wanted { start: &planned.start, end: &planned.end, except: None };
        let room = Room::at(&self.0, NAME, wanted, caller).await?;
        let known = self.0.known(caller.user, planned.attendees.clone(), Vec::new()).await;
        Ok(shown(planned, room, &known.map_err(|error| error.of(NAME))?, &caller.now))
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

fn shown(planned: Planned, room: Room, known: &[Known], now: &Zoned) -> Prepared {
    let payload = fields(&planned);
    let past = (planned.start < *now).then(|| Warning {
        code: "in_the_past".to_owned(),
        text: "That time has passed".to_owned(),
    });
    let warnings = past.into_iter().chain(room.warning()).chain(warnings(known)).collect();
    let preview = EventPreview {
        minutes: planned.minutes(),
        length_assumed: planned.length_assumed,
        attendees: recipients(known),
        invites_guests: false,
        location: Some(planned.location).filter(|place| !place.is_empty()),
        conflicts: room.conflicts(&planned.start),
        free_instead: room.free_instead,
        title: planned.title,
        start: planned.start,
        end: planned.end,
        change: None,
    };
    Prepared {
        action_type: "create_event",
        title: "Put this on your calendar?".to_owned(),
        payload,
        preview: Preview::Event(Box::new(preview)),
        editable: editable(),
        warnings,
        thread: Vec::new(),
    }
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
