//! Taking events off the calendar on this machine, and putting them at another time.

use async_trait::async_trait;
use brain::card::{EventChange, EventPreview, Field, FieldKind, Preview, Stretch, Warning};
use brain::facts::{Cancelled, Meeting, Moved, Person};
use brain::{ActionLevel, SaySo};
use jiff::{SignedDuration, Zoned};
use serde_json::Value;

use super::room::{Room, Wanted};
use crate::args::{fields, schema_of};
use crate::calendar::booking::{check_year, minutes};
use crate::calendar::changing::{Cancel, Move, Moving, Parting, Standing};
use crate::local::Personal;
use crate::local::people::recipients;
use crate::local::written::Once;
use crate::tool::{Caller, Found, Prepared, Tool, ToolError, Write, agreed};

const CANCEL: &str = "calendar.cancel_event";
const MOVE: &str = "calendar.move_event";
/// More guests than anybody reads in one line.
const MOST_NAMED: usize = 3;

/// Takes an event off the calendar, once somebody has said yes to exactly that.
pub struct CancelEvent(pub Personal);

/// Puts an event at another time, once somebody has said yes to exactly that.
pub struct MoveEvent(pub Personal);

#[async_trait]
impl Tool for CancelEvent {
    fn name(&self) -> &'static str {
        CANCEL
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Write
    }

    fn description(&self) -> &'static str {
        "Take one event off the person's calendar, by the id that calendar.list_events brought. \
         Of those that repeat only this one goes. Its guests are not told. The person sees it \
         first and has to say yes."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Cancel>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Cancelled>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Cancel::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Cancelling an event".to_owned()
    }

    fn writer(&self) -> Option<&dyn Write> {
        Some(self)
    }
}

#[async_trait]
impl Write for CancelEvent {
    /// What was said of it in the arguments does not count: the card shows
    /// what is there.
    async fn prepare(&self, args: Value, caller: &Caller) -> Result<Prepared, ToolError> {
        let cancel = Cancel::read(&args).map_err(ToolError::BadArguments)?;
        let meeting = self.0.meeting(cancel.event_id, CANCEL, caller).await?;
        let parting = Parting { event_id: meeting.event_id.clone(), was: Standing::of(&meeting) };
        let over = (meeting.end <= caller.now)
            .then(|| warning("in_the_past", "It is over already".to_owned()));
        let theirs = meeting.organizer.as_ref().map(|one| {
            let text = format!(
                "It is an invitation from {}; it goes from your calendar alone",
                one.called()
            );
            warning("somebody_elses", text)
        });
        let warnings = over.into_iter().chain(theirs).chain(told(&meeting)).collect();
        let preview = self.0.preview(&meeting, None, CANCEL, caller).await?;
        Ok(Prepared {
            action_type: "cancel_event",
            title: "Cancel this event?".to_owned(),
            payload: fields(&parting),
            preview: Preview::Event(Box::new(preview)),
            editable: Vec::new(),
            warnings,
            thread: parting.was.attendees,
        })
    }

    async fn write(
        &self,
        args: Value,
        caller: &Caller,
        say_so: &SaySo,
    ) -> Result<Value, ToolError> {
        let parting = Parting::read(&args).map_err(ToolError::BadArguments)?;
        agreed(CANCEL, &args, caller, say_so)?;
        let once = Once::new(CANCEL, &args, caller);
        self.0.take_off(once, parting).await.map_err(|error| error.of_write(CANCEL))
    }

    async fn probe(&self, args: &Value, caller: &Caller) -> Result<Found, ToolError> {
        self.0.earlier(Once::new(CANCEL, args, caller)).await.map_err(|error| error.of(CANCEL))
    }

    /// None: what one transaction has taken out of the file is gone for the
    /// next reader.
    fn settle(&self) -> SignedDuration {
        SignedDuration::ZERO
    }
}

#[async_trait]
impl Tool for MoveEvent {
    fn name(&self) -> &'static str {
        MOVE
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Write
    }

    fn description(&self) -> &'static str {
        "Put one event of the person's calendar at another time, by the id that \
         calendar.list_events brought. It keeps its length unless another is said, and its \
         guests, who are not told. Of those that repeat only this one moves; an invitation from \
         somebody else cannot be moved. The person sees it first and has to say yes."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Move>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Moved>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Move::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Moving an event".to_owned()
    }

    fn writer(&self) -> Option<&dyn Write> {
        Some(self)
    }
}

#[async_trait]
impl Write for MoveEvent {
    async fn prepare(&self, args: Value, caller: &Caller) -> Result<Prepared, ToolError> {
        let wanted = Move::read(&args).map_err(ToolError::BadArguments)?;
        let meeting = self.0.meeting(wanted.event_id.clone(), MOVE, caller).await?;
        if let Some(organizer) = &meeting.organizer {
            // Moved here alone, it would still be when it was for everybody else.
            let reason = format!("only {} can move it", organizer.called());
            return Err(ToolError::Refused { tool: MOVE, reason });
        }
        let moving = wanted.of(Standing::of(&meeting)).map_err(ToolError::BadArguments)?;
        check_year(&moving.start, &caller.now).map_err(ToolError::BadArguments)?;
        let past = (moving.start < caller.now)
            .then(|| warning("in_the_past", "That time has passed".to_owned()));
        let room =
            Wanted { start: &moving.start, end: &moving.end, except: Some(&moving.event_id) };
        let room = Room::at(&self.0, MOVE, room, caller).await?;
        let warnings = past.into_iter().chain(room.warning()).chain(told(&meeting)).collect();
        let preview = self.0.preview(&meeting, Some((&moving, room)), MOVE, caller).await?;
        Ok(Prepared {
            action_type: "move_event",
            title: "Move this event?".to_owned(),
            payload: fields(&moving),
            preview: Preview::Event(Box::new(preview)),
            editable: vec![time("start", "Starts"), time("end", "Ends")],
            warnings,
            thread: moving.was.attendees,
        })
    }

    async fn write(
        &self,
        args: Value,
        caller: &Caller,
        say_so: &SaySo,
    ) -> Result<Value, ToolError> {
        let moving = Moving::read(&args).map_err(ToolError::BadArguments)?;
        agreed(MOVE, &args, caller, say_so)?;
        let once = Once::new(MOVE, &args, caller);
        self.0.put_elsewhere(once, moving).await.map_err(|error| error.of_write(MOVE))
    }

    async fn probe(&self, args: &Value, caller: &Caller) -> Result<Found, ToolError> {
        self.0.earlier(Once::new(MOVE, args, caller)).await.map_err(|error| error.of(MOVE))
    }

    /// None: what one transaction has put into the file is there for the next
    /// reader, and a try that comes late finds its own key.
    fn settle(&self) -> SignedDuration {
        SignedDuration::ZERO
    }
}

impl Personal {
    async fn meeting(
        &self,
        id: String,
        tool: &'static str,
        caller: &Caller,
    ) -> Result<Meeting, ToolError> {
        let found = self.event(caller.user, id, caller.profile.zone()).await;
        Ok(found.map_err(|error| error.of(tool))?.meeting)
    }

    /// The event on its card: as it is, or at the time that is wanted.
    async fn preview(
        &self,
        meeting: &Meeting,
        moved: Option<(&Moving, Room)>,
        tool: &'static str,
        caller: &Caller,
    ) -> Result<EventPreview, ToolError> {
        let Standing { title, start, end, attendees, location, .. } = Standing::of(meeting);
        // Who is on it goes by the name that it has for them.
        let known = self.known(caller.user, attendees, meeting.attendees.clone()).await;
        let known = known.map_err(|error| error.of(tool))?;
        let moved_from =
            moved.is_some().then(|| Stretch { start: start.clone(), end: end.clone() });
        let (start, end, conflicts, free_instead) = match moved {
            Some((moving, room)) => {
                let conflicts = room.conflicts(&moving.start);
                (moving.start.clone(), moving.end.clone(), conflicts, room.free_instead)
            }
            None => (start, end, Vec::new(), Vec::<Zoned>::new()),
        };
        Ok(EventPreview {
            title,
            minutes: minutes(&start, &end),
            start,
            end,
            length_assumed: false,
            attendees: recipients(&known),
            invites_guests: false,
            location: Some(location).filter(|place| !place.is_empty()),
            conflicts,
            free_instead,
            change: Some(EventChange {
                moved_from,
                repeats: meeting.repeats,
                organizer: meeting.organizer.as_ref().map(|one| one.called().to_owned()),
                tells_guests: false,
            }),
        })
    }
}

/// What does not happen by itself: the others stay, and nobody hears of it.
fn told(meeting: &Meeting) -> impl Iterator<Item = Warning> {
    let repeats = meeting
        .repeats
        .then(|| warning("only_this_one", "It repeats; the others stay as they are".to_owned()));
    let names: Vec<&str> = meeting.attendees.iter().map(Person::called).collect();
    let guests = match names.as_slice() {
        [] => None,
        few if few.len() <= MOST_NAMED => Some(few.join(", ")),
        [first, ..] => Some(format!("{first} and {} more", names.len() - 1)),
    };
    let guests = guests.map(|who| warning("guests_not_told", format!("Not told by this: {who}")));
    repeats.into_iter().chain(guests)
}

fn warning(code: &str, text: String) -> Warning {
    Warning { code: code.to_owned(), text }
}

fn time(name: &str, label: &str) -> Field {
    Field { name: name.into(), label: label.into(), kind: FieldKind::Time }
}
