//! Room on the calendar.

use brain::facts::DateRange;
use brain::plan::ProposedStep;
use brain::profile::WorkingHours;
use brain::resolve::time::{Grain, Lean, Reading, cardinal, length, readings};
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use super::frame::Frame;
use super::vocabulary::{FREE, is_any};
use super::who::{self, Who};
use super::{Lookup, Meaning, detail, when};
use crate::gist::{AboutFree, Chat, Gist, NotYet};

/// What a meeting can take, in minutes.
const LENGTHS: std::ops::RangeInclusive<u32> = 5..=480;

/// A search for free time; `None` when it is not spoken of.
pub fn read(frame: &mut Frame) -> Option<Meaning> {
    if says_busy(frame) {
        return Some(Meaning::Chat(Chat::NotYet(NotYet::Calendar)));
    }
    let length = length(&frame.texts);
    let asks = frame.has(FREE)
        || frame.says(&["fit"])
        || frame.says(&["good", "time"])
        || is_open(frame)
        || can_i(frame)
        || has_time(frame)
        || frame.has(&["break", "breather"])
        || (frame.has(&["earliest", "soonest"]) && frame.says(&["i", "can"]))
        || (length.is_some() && wants_a_length(frame));
    if !asks || frame.says(&["for", "free"]) || detail::asks_if_clear(frame) {
        return None;
    }
    if let Some(question) = when::question(frame) {
        return Some(Meaning::Ask(question));
    }
    if let Some(part) = when::unknown_zone(frame) {
        return Some(Meaning::Chat(Chat::Missed(part)));
    }
    if let Some(part) = other_hour(frame) {
        return Some(Meaning::Chat(Chat::Missed(part)));
    }
    any_such_part(frame);
    let given = length.map(|(minutes, _)| minutes);
    if given.is_some_and(|minutes| !LENGTHS.contains(&minutes)) {
        return Some(Meaning::Chat(Chat::Missed("so long or so short a time".to_owned())));
    }
    let with: Vec<_> = who::everyone(frame).iter().map(Who::called).collect();
    let mut lookup = look(frame, given);
    if let Gist::Free(about) = &mut lookup.gist {
        about.with = (!with.is_empty()).then(|| with.join(" and "));
    }
    Some(Meaning::Look(vec![lookup]))
}

/// "At three or four": only one of them was read, and half an answer is none.
fn other_hour(frame: &Frame) -> Option<String> {
    let at = frame.place_of_phrase(&["or"])?;
    let rest = frame.texts.get(at + 1..)?;
    let (_, used) = cardinal(rest)?;
    (!frame.is_taken(at + 1)).then(|| format!("“or {}”", rest[..used].join(" ")))
}

/// "My next free afternoon" may be that of any day to come.
fn any_such_part(frame: &mut Frame) {
    let (next, now) = (frame.has(&["next"]), frame.now.clone());
    let reading = frame.when.as_mut().and_then(|when| when.readings.first_mut());
    if let Some(reading) = reading.filter(|reading| next && reading.grain == Grain::Part)
        && reading.range.start.date() == now.date()
    {
        let (from, to) = (reading.range.start.time(), reading.range.end.time());
        reading.daily = Some((from, to)).filter(|(from, to)| from < to);
        reading.grain = Grain::Ahead;
        "in the coming week".clone_into(&mut reading.said);
        reading.range = DateRange { end: now.saturating_add(7.days()), start: now };
    }
}

/// "I'm not free on Thursday" tells; it asks for nothing that can be looked up.
fn says_busy(frame: &Frame) -> bool {
    let asked = frame.words().last().is_some_and(|word| word.stop == Some('?'));
    let me = frame.starts(&["i", "am"]) || frame.starts(&["i", "will"]);
    let away = frame.has(&["not", "busy", "unavailable", "away", "out"]);
    let about_time = frame.has(FREE) || frame.has(&["busy", "unavailable", "away", "out"]);
    me && away && about_time && frame.when.is_some() && !asked
}

/// "Is my Tuesday open", "would Thursday at two work", "is Thursday at four ok"
fn is_open(frame: &Frame) -> bool {
    let Some(reading) = frame.reading() else { return false };
    let asks = frame.starts_with_any(&["is", "am", "are", "does", "would", "will", "could"]);
    let fits = ["open", "clear", "work", "works", "ok", "okay", "good", "fine", "possible", "suit"];
    // What is left of "is Thursday at four ok for me" without its politeness.
    let only_time = frame.starts(&["is"]) && (1..frame.texts.len()).all(|at| frame.is_taken(at));
    let hours = matches!(reading.grain, Grain::Moment | Grain::Hours);
    asks && (frame.has(&fits) || (only_time && hours))
}

/// "Can I meet Tom at four", "when could I see Ana": is there room for it?
fn can_i(frame: &Frame) -> bool {
    let rest = match frame.texts.as_slice() {
        ["when", rest @ ..] => rest,
        rest if frame.when.is_some() => rest,
        _ => return false,
    };
    // "Can Tom and I meet": the other one may be named first.
    let together = frame.says(&["and", "i"]) && frame.has(&["meet", "talk", "see"]);
    (matches!(rest, ["can" | "could" | "should", "i" | "we", ..])
        || (together && matches!(rest, ["can" | "could" | "should", ..])))
        && frame.has(&["meet", "do", "make", "see", "take", "have", "talk", "catch"])
}

/// "Do I have time", "is there time"; not "what time".
fn has_time(frame: &Frame) -> bool {
    let Some(at) = frame.place_of(&["time"]) else { return false };
    let before = at.checked_sub(1).map_or("", |before| frame.texts[before]);
    let a_time = before == "a"
        && frame.starts_with_any(&["find"])
        && frame.texts.get(at + 1) == Some(&"for");
    (a_time
        || is_any(before, &["have", "any", "some", "there", "find", "me", "got", "open", "enough"]))
        && frame.starts_with_any(&["do", "is", "have", "find", "any", "when", "will", "did"])
}

/// "Find me an hour", "when can I do ninety minutes".
fn wants_a_length(frame: &Frame) -> bool {
    frame.starts_with_any(&[
        "find", "get", "give", "got", "when", "is", "do", "where", "any", "look", "i", "need",
    ])
}

fn look(frame: &Frame, given: Option<u32>) -> Lookup {
    let profile = &frame.world.profile;
    let minutes = given.unwrap_or(profile.default_meeting_minutes);
    let lunch = lunch(frame);
    let (mut args, about) =
        search(lunch.as_ref().or(frame.reading()), minutes, &frame.now, &profile.working_hours);
    if let (Some(_), Some(args)) = (lunch, args.as_object_mut()) {
        // The person named a day; its lunch is within working hours.
        args.remove("constraints");
    }
    let about = AboutFree { length_given: given.is_some(), ..about };
    let checked = about.when.as_deref().and_then(when::named_for_checking);
    let acknowledgement = match (&about.when, about.exactly, checked) {
        (_, true, Some(said)) => format!("Checking {said}."),
        (_, true, None) => "Checking your calendar.".to_owned(),
        (Some(said), false, _) => format!("Looking for room {said}."),
        (None, false, _) => "Looking for room on your calendar.".to_owned(),
    };
    Lookup {
        steps: vec![ProposedStep { tool: "calendar.find_free_slots".into(), args }],
        gist: Gist::Free(about),
        acknowledgement,
    }
}

/// What to ask the calendar for. Nobody who names no time means more than a week.
pub fn search(
    reading: Option<&Reading>,
    minutes: u32,
    now: &Zoned,
    hours: &WorkingHours,
) -> (Value, AboutFree) {
    let (start, end, about) = match reading {
        Some(reading) => stretch(reading, now, minutes),
        None => (now.clone(), now.saturating_add(7.days()), AboutFree::default()),
    };
    let mut args =
        json!({ "date_range": when::as_range(&start, &end), "duration_minutes": minutes });
    if let Some(constraints) =
        reading.and_then(|reading| constraints(reading, &start, &end, now, hours))
    {
        args["constraints"] = constraints;
    }
    (args, about)
}

/// "Is lunch free tomorrow": the day was named, the hours are known.
fn lunch(frame: &Frame) -> Option<Reading> {
    let named = frame.has(&["lunch"]) && !frame.says(&["lunch", "with"]);
    let day = frame.reading().filter(|day| named && day.grain == Grain::Day)?;
    let phrase = format!("{} at lunch", day.range.start.date());
    let reading = readings(&phrase, &frame.now, Lean::Ahead).into_iter().next()?;
    let said = format!("{} at lunchtime", day.said);
    Some(Reading { grain: Grain::Hours, said, ..reading })
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
    (start, end, AboutFree { when: Some(reading.said.clone()), exactly, ..AboutFree::default() })
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
fn constraints(
    reading: &Reading,
    start: &Zoned,
    end: &Zoned,
    now: &Zoned,
    hours: &WorkingHours,
) -> Option<Value> {
    if let Some((from, to)) = reading.daily {
        let hhmm = |time: jiff::civil::Time| time.strftime("%H:%M").to_string();
        return Some(json!({
            "working_hours": true, "not_before": hhmm(from), "not_after": hhmm(to),
        }));
    }
    let named = reading.grain == Grain::Moment || has_both_ends(reading, now);
    let mut days = start.date().series(1.day()).take_while(|date| *date <= end.date());
    let only_days_off =
        !days.any(|date| hours.includes(date.weekday()) && date.at(0, 0, 0, 0) < end.datetime());
    let after_work = reading.grain == Grain::Part && start.time() + 30.minutes() >= hours.end;
    (named || only_days_off || after_work).then(|| json!({ "working_hours": false }))
}
