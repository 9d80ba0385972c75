//! Room on the calendar.

use brain::plan::ProposedStep;
use brain::resolve::time::{Grain, Reading, length};
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use super::frame::Frame;
use super::vocabulary::FREE;
use super::{Lookup, Meaning, when};
use crate::gist::{AboutFree, Gist};

/// A search for free time; `None` when it is not spoken of.
pub fn read(frame: &mut Frame) -> Option<Meaning> {
    let length = length(&frame.texts);
    let asks = frame.has(FREE)
        || frame.says(&["fit"])
        || frame.says(&["good", "time"])
        || is_open(frame)
        || can_i(frame)
        || has_time(frame)
        || (length.is_some() && wants_a_length(frame));
    if !asks || frame.says(&["for", "free"]) {
        return None;
    }
    if let Some(question) = when::question(frame) {
        return Some(Meaning::Ask(question));
    }
    let given = length.map(|(minutes, _)| minutes);
    Some(Meaning::Look(vec![look(frame, given)]))
}

/// "Is my Tuesday open", "would Thursday at two work"
fn is_open(frame: &Frame) -> bool {
    frame.when.is_some()
        && frame.has(&["open", "clear", "work", "works"])
        && frame.starts_with_any(&["is", "am", "are", "does", "would", "will", "could"])
}

/// "Can I meet Tom at four": is there room for it?
fn can_i(frame: &Frame) -> bool {
    frame.when.is_some()
        && frame.starts_with_any(&["can", "could"])
        && frame.texts.get(1).is_some_and(|who| matches!(*who, "i" | "we"))
        && frame.has(&["meet", "do", "make", "see", "take", "have"])
}

/// "Do I have time", "is there time"; not "what time".
fn has_time(frame: &Frame) -> bool {
    let Some(at) = frame.place_of(&["time"]) else { return false };
    let before = at.checked_sub(1).map_or("", |before| frame.texts[before]);
    matches!(before, "have" | "any" | "some" | "there" | "find" | "me" | "got" | "open" | "enough")
        && frame.starts_with_any(&["do", "is", "have", "find", "any", "when", "will", "did"])
}

/// "Find me an hour", "when can I do ninety minutes".
fn wants_a_length(frame: &Frame) -> bool {
    frame.starts_with_any(&[
        "find", "get", "give", "when", "is", "do", "where", "any", "look", "i", "need",
    ])
}

fn look(frame: &Frame, given: Option<u32>) -> Lookup {
    let profile = &frame.world.profile;
    let minutes = given.unwrap_or(profile.default_meeting_minutes);
    let (start, end, about) = if let Some(reading) = frame.reading() {
        stretch(reading, &frame.now, minutes)
    } else {
        let end = frame.now.saturating_add(7.days());
        (frame.now.clone(), end, AboutFree::default())
    };
    let about = AboutFree { length_given: given.is_some(), ..about };
    let mut args =
        json!({ "date_range": when::as_range(&start, &end), "duration_minutes": minutes });
    if let Some(constraints) = constraints(frame, &start, &end) {
        args["constraints"] = constraints;
    }
    let acknowledgement = match (&about.when, about.exactly) {
        (Some(said), true) => format!("Checking {}.", when::named(said)),
        (Some(said), false) => format!("Looking for room {said}."),
        (None, _) => "Looking for room on your calendar.".to_owned(),
    };
    Lookup {
        steps: vec![ProposedStep { tool: "calendar.find_free_slots".into(), args }],
        gist: Gist::Free(about),
        acknowledgement,
    }
}

/// The past is never free, and a moment is as long as the meeting.
fn stretch(reading: &Reading, now: &Zoned, minutes: u32) -> (Zoned, Zoned, AboutFree) {
    let mut start = reading.range.start.clone();
    let mut end = reading.range.end.clone();
    let moment = reading.grain == Grain::Moment;
    if moment {
        end = start.saturating_add(i64::from(minutes).minutes());
    }
    if start < *now && *now < end {
        start = now.clone();
    }
    let exactly = moment || has_both_ends(reading, now);
    (start, end, AboutFree { when: Some(reading.said.clone()), exactly, length_given: false })
}

/// "Between two and four" has, "after three" has not.
fn has_both_ends(reading: &Reading, now: &Zoned) -> bool {
    let (start, end) = (&reading.range.start, &reading.range.end);
    let midnight = jiff::civil::Time::midnight();
    reading.grain == Grain::Hours
        && start.time() != midnight
        && end.time() != midnight
        && (start != now || end.duration_since(start).as_hours() < 3)
}

/// Working hours hold unless the person named another time.
fn constraints(frame: &Frame, start: &Zoned, end: &Zoned) -> Option<Value> {
    let reading = frame.reading()?;
    if let Some((from, to)) = reading.daily {
        let hhmm = |time: jiff::civil::Time| time.strftime("%H:%M").to_string();
        return Some(json!({
            "working_hours": true, "not_before": hhmm(from), "not_after": hhmm(to),
        }));
    }
    let hours = &frame.world.profile.working_hours;
    let named = reading.grain == Grain::Moment || has_both_ends(reading, &frame.now);
    let mut days = start.date().series(1.day()).take_while(|date| *date <= end.date());
    let only_days_off =
        !days.any(|date| hours.includes(date.weekday()) && date.at(0, 0, 0, 0) < end.datetime());
    let after_work = reading.grain == Grain::Part && start.time() + 30.minutes() >= hours.end;
    (named || only_days_off || after_work).then(|| json!({ "working_hours": false }))
}
