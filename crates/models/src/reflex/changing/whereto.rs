//! Where an event comes to: read as a change of a card is, from when it is now.

use brain::facts::Meeting;
use brain::resolve::words::words;
use jiff::Zoned;
use serde_json::{Map, Value, json};

use super::{look, spelled};
use crate::World;
use crate::focus::{Awaited, Missing};
use crate::gist::Chat;
use crate::narrator::card;
use crate::reflex::reply::{Change, elsewhere};
use crate::reflex::{Meaning, Want};

/// The step that moves it, or what has to be asked first.
pub fn moved(to: &str, meeting: &Meeting, world: &World) -> Meaning {
    if let Some(organizer) = &meeting.organizer {
        // Moved here alone, it would still be when it was for everybody else.
        let whose = organizer.called();
        return Meaning::Chat(Chat::AboutEvent(format!(
            "“{}” is an invitation from {whose}, so only they can move it. I can write to them, \
             or take it off your calendar.",
            meeting.title
        )));
    }
    if to.is_empty() {
        return want("When should it be instead?", meeting, None);
    }
    match elsewhere(&format!("make it {to}"), &meeting.start, &meeting.end, world) {
        Some(Change::To(fields, _)) => step(&fields, meeting, world),
        Some(Change::Cannot(say) | Change::Missed(say)) if say.ends_with('?') => {
            want(&say, meeting, Some(to))
        }
        Some(Change::Cannot(say) | Change::Missed(say)) => Meaning::Chat(Chat::AboutEvent(say)),
        None => want("When should it be instead?", meeting, None),
    }
}

fn step(fields: &Map<String, Value>, meeting: &Meeting, world: &World) -> Meaning {
    let at = |field: &str| fields.get(field).and_then(|at| at.as_str()?.parse::<Zoned>().ok());
    let start = at("start").unwrap_or_else(|| meeting.start.clone());
    let lasts = meeting.start.duration_until(&meeting.end);
    let end = at("end").filter(|end| start.duration_until(end) != lasts);
    let midnight = start.time() == jiff::civil::Time::midnight();
    if meeting.all_day && (!midnight || end.is_some() && at("start").is_none()) {
        return want("It takes the whole day. Which day should it be?", meeting, None);
    }
    let mut args = json!({ "event_id": meeting.event_id, "start": start });
    if let Some(end) = end.filter(|_| !meeting.all_day) {
        args["end"] = json!(end);
    }
    let now = world.local_now();
    let when = if meeting.all_day {
        crate::narrator::spelling::day(start.date(), now.date())
    } else {
        card::moment(&start, &now)
    };
    let when = when.trim_start_matches("on ").to_owned();
    look("calendar.move_event", args, meeting, format!("On it, {when}."))
}

/// Asked for a better time, with the event named beyond doubt. An hour alone is on the day
/// that was said.
fn want(question: &str, meeting: &Meeting, day: Option<&str>) -> Meaning {
    let day = day.filter(|day| !words(day).iter().all(|word| is_clock(&word.text)));
    let awaited = Awaited {
        what: Missing::Time,
        before: format!("move {} to", spelled(meeting)),
        after: String::new(),
        day: day.map(str::to_owned),
        instead_of: None,
    };
    Meaning::Want(Want { question: question.to_owned(), awaited })
}

fn is_clock(text: &str) -> bool {
    crate::reflex::follow::is_of_the_clock(text)
}
