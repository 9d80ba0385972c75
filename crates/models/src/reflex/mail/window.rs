//! When mail came, as the mail query language spells it.
//!
//! What is named in the answer is what is searched: a day by its date, a time
//! of the day by the moment.

use brain::resolve::time::{self, Grain, Lean, Reading, cardinal, name_of, spell_clock};
use jiff::civil::Time;
use jiff::{ToSpan, Zoned};

use crate::reflex::frame::Frame;

/// A stretch of time that mail is looked for in.
#[derive(Clone, Debug)]
pub struct Window {
    /// `after:2026-11-10 before:2026-11-11`
    pub query: String,
    /// "since noon", as it fits at the end of a sentence.
    pub said: String,
}

/// The time a clause about mail names.
pub fn of(frame: &mut Frame) -> Option<Window> {
    overnight(frame).or_else(|| aged(frame)).or_else(|| bounded(frame)).or_else(|| {
        let reading = gone(frame.reading()?.clone(), frame);
        if let Some(window) = beside(&reading, frame) {
            return Some(window);
        }
        Some(Window { query: as_query(&reading, &frame.now), said: reading.said })
    })
}

/// "Before November 5", "after the third": a day that is only an edge.
fn beside(reading: &Reading, frame: &mut Frame) -> Option<Window> {
    let at = frame.when.as_ref()?.words.first()?.checked_sub(1)?;
    if reading.grain != Grain::Day {
        return None;
    }
    let link = frame.texts[at];
    let query = match link {
        "before" => format!("before:{}", spelled(&reading.range.start)),
        "after" => format!("after:{}", spelled(&reading.range.end)),
        _ => return None,
    };
    frame.take(at..at + 1);
    let said = reading.said.strip_prefix("on ").unwrap_or(&reading.said);
    Some(Window { query, said: format!("{link} {said}") })
}

/// "In the afternoon", said at night, was today's.
fn gone(mut reading: Reading, frame: &Frame) -> Reading {
    let ahead = reading.range.start > frame.now && reading.grain == Grain::Part;
    if ahead
        && let Some(part) = reading.said.strip_prefix("tomorrow ")
        && !frame.texts.contains(&"tomorrow")
    {
        reading.said = format!("this {part}");
        reading.range.start = reading.range.start.saturating_sub(1.day());
        reading.range.end = reading.range.end.saturating_sub(1.day());
    }
    let hours = ["before ", "between ", "after ", "at "];
    if let Some(rest) = reading.said.strip_prefix("this ")
        && hours.iter().any(|link| rest.starts_with(link))
    {
        reading.said = format!("today {rest}");
    }
    reading
}

fn as_query(reading: &Reading, now: &Zoned) -> String {
    if let Some(days) = reading.rolling_days {
        return format!("newer_than:{days}d");
    }
    let after = format!("after:{}", spelled(&reading.range.start));
    let mut end = reading.range.end.clone();
    // The night is not over at midnight.
    if reading.grain == Grain::Part && reading.range.start.hour() >= 20 {
        end = end.saturating_add(5.hours());
    }
    // What has not ended yet needs no end.
    if end >= *now { after } else { format!("{after} before:{}", spelled(&end)) }
}

/// A day where a day begins, the moment elsewhere.
fn spelled(moment: &Zoned) -> String {
    if moment.time() == Time::midnight() {
        return moment.date().to_string();
    }
    moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn overnight(frame: &mut Frame) -> Option<Window> {
    let at = frame.place_of(&["overnight"])?;
    frame.take(at..at + 1);
    let evening = frame.now.date().yesterday().ok()?.at(20, 0, 0, 0);
    let evening = evening.to_zoned(frame.now.time_zone().clone()).ok()?;
    Some(Window { query: format!("after:{}", spelled(&evening)), said: "overnight".to_owned() })
}

/// "Older than two weeks"
fn aged(frame: &mut Frame) -> Option<Window> {
    let at = frame.place_of(&["older", "newer"])?;
    let rest = frame.texts.get(at + 1..)?.strip_prefix(&["than"])?;
    let (count, used) = match rest {
        ["a" | "an", ..] => (1, 1),
        _ => cardinal(rest)?,
    };
    let unit = match *rest.get(used)? {
        "hour" | "hours" => "h",
        "day" | "days" => "d",
        "week" | "weeks" => "w",
        "month" | "months" => "m",
        "year" | "years" => "y",
        _ => return None,
    };
    let end = at + 2 + used + 1;
    let (link, said) = (frame.texts[at], frame.texts[at..end].join(" "));
    frame.take(at..end);
    Some(Window { query: format!("{link}_than:{count}{unit}"), said })
}

/// "Since nine", "since noon", "before November 5", "after the third".
fn bounded(frame: &mut Frame) -> Option<Window> {
    let at = frame.place_of(&["since", "before", "after"])?;
    let link = frame.texts[at];
    let (found, end) = (at + 2..=frame.texts.len().min(at + 7)).rev().find_map(|end| {
        let phrase = frame.texts[at + 1..end].join(" ");
        let found = time::readings(&phrase, &frame.now, Lean::Back);
        let found = if found.is_empty() {
            time::readings(&format!("at {phrase}"), &frame.now, Lean::Back)
        } else {
            found
        };
        (!found.is_empty()).then_some((found, end))
    })?;
    let window = match link {
        "before" => {
            let start = &found[0].range.start;
            Window { query: format!("before:{}", spelled(start)), said: said(link, &found[0]) }
        }
        "after" if found[0].grain != Grain::Moment => {
            let behind = &found[0].range.end;
            Window { query: format!("after:{}", spelled(behind)), said: said(link, &found[0]) }
        }
        _ => {
            let start = latest_gone(&found, &frame.now)?;
            let said = clock_said(link, &start, &frame.now);
            Window { query: format!("after:{}", spelled(&start)), said }
        }
    };
    frame.take(at..end);
    Some(window)
}

fn said(link: &str, reading: &Reading) -> String {
    let when = reading.said.strip_prefix("on ").unwrap_or(&reading.said);
    format!("{link} {when}")
}

/// Mail has come already: "since eight" is the last eight there was.
fn latest_gone(found: &[Reading], now: &Zoned) -> Option<Zoned> {
    let starts = found.iter().map(|reading| &reading.range.start);
    starts
        .flat_map(|start| [start.clone(), start.saturating_sub(1.day())])
        .filter(|start| start <= now)
        .max()
}

fn clock_said(link: &str, start: &Zoned, now: &Zoned) -> String {
    let clock = match (start.hour(), start.minute()) {
        (12, 0) => "noon".to_owned(),
        _ => spell_clock(start.time()),
    };
    match (now.date() - start.date()).get_days() {
        0 => format!("{link} {clock}"),
        1 => format!("{link} {clock} yesterday"),
        _ => format!("{link} {clock} on {}", name_of(start.weekday())),
    }
}
