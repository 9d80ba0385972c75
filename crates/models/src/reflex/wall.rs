//! What a clock and a wall calendar answer: "is it Monday", "the date tomorrow".

use brain::resolve::time::{Grain, city, impossible, weekday_named};
use jiff::ToSpan;
use jiff::civil::Date;

use super::frame::Frame;
use super::vocabulary::is_any;
use crate::gist::{Chat, Wall};

pub fn read(frame: &Frame) -> Option<Chat> {
    if let Some(what) = impossible(frame.words(), &frame.now) {
        return Some(Chat::Wall(Wall::NoSuch(what)));
    }
    clock_elsewhere(frame).or_else(|| is_it(frame)).or_else(|| date_of(frame))
}

fn clock_elsewhere(frame: &Frame) -> Option<Chat> {
    let asked: &[&[&str]] = &[
        &["what", "time", "is", "it", "in"],
        &["what", "time", "it", "is", "in"],
        &["what", "is", "the", "time", "in"],
        &["what", "is", "the", "current", "time", "in"],
    ];
    let place = asked.iter().find_map(|asked| frame.texts.strip_prefix(*asked))?;
    let place = place.strip_suffix(&["right", "now"]).unwrap_or(place);
    let place = place.strip_suffix(&["now"]).unwrap_or(place);
    Some(match city(place) {
        Some((zone, used)) if used == place.len() => Chat::Wall(Wall::ClockIn(zone)),
        _ => Chat::Missed(format!("the time in {}", place.join(" "))),
    })
}

/// "Is it Monday", "is tomorrow Tuesday".
fn is_it(frame: &Frame) -> Option<Chat> {
    let rest = frame.texts.strip_prefix(&["is"])?;
    let (subject, rest) = rest.split_first()?;
    let today = frame.now.date();
    let date = match *subject {
        "it" | "today" => today,
        "tomorrow" => today.saturating_add(1.day()),
        _ => return None,
    };
    let filler = ["a", "already", "today", "still", "really", "yet", "now"];
    let mut names = rest.iter().filter(|text| !is_any(text, &filler));
    let asked = names.next().and_then(|name| weekday_named(name, true));
    let Some(asked) = asked else { return is_date(frame, date) };
    let alone = names.next().is_none();
    alone.then(|| Chat::Wall(Wall::IsIt { date, right: date.weekday() == asked }))
}

/// "Is it the 15th"
fn is_date(frame: &Frame, date: Date) -> Option<Chat> {
    let reading = frame.reading().filter(|reading| reading.grain == Grain::Day)?;
    let only = (2..frame.texts.len()).all(|at| frame.is_taken(at));
    let right = reading.range.start.date() == date;
    only.then_some(Chat::Wall(Wall::IsIt { date, right }))
}

/// "What's the date tomorrow", "what day is the 24th".
fn date_of(frame: &Frame) -> Option<Chat> {
    let reading = frame.reading()?;
    let asks = frame.starts_with_any(&["what", "which"]) && frame.has(&["date", "day", "weekday"]);
    let others = [
        "what", "which", "is", "the", "date", "day", "weekday", "of", "it", "on", "does", "fall",
        "will", "be", "was", "a", "week",
    ];
    let only = (0..frame.texts.len())
        .filter(|&at| !frame.is_taken(at))
        .all(|at| is_any(frame.texts[at], &others));
    (asks && only).then(|| Chat::Wall(Wall::DateOf(reading.range.start.date())))
}
