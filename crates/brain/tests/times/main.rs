//! Every phrase of `phrases.txt` has exactly the readings that stand beside it.

mod properties;

use brain::resolve::time::{self, Grain, Impossible, Lean, Reading};
use brain::resolve::words::words;
use jiff::civil::{DateTime, Time};
use jiff::{ToSpan, Zoned};

const PHRASES: &str = include_str!("phrases.txt");

#[test]
fn every_phrase_has_the_readings_that_stand_beside_it() {
    let mut world = None;
    let (mut all, mut wrong) = (0, Vec::new());
    for line in PHRASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(heading) = line.strip_prefix("@ ") {
            world = Some(world_of(heading));
            continue;
        }
        let (phrase, expected) = line.split_once(" | ").expect("a phrase and its readings");
        let (now, lean) = world.as_ref().expect("a heading comes first");
        let found = spelled(phrase, now, *lean);
        all += 1;
        if found != expected {
            wrong.push(format!("{phrase}\n  expected {expected}\n  found    {found}"));
        }
    }
    println!("times: {} of {all} phrases right", all - wrong.len());
    assert!(all >= 220, "only {all} phrases");
    assert!(wrong.is_empty(), "{} of {all} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn world_of(heading: &str) -> (Zoned, Lean) {
    let mut fields = heading.split_whitespace();
    let mut next = || fields.next().expect("now, zone and lean");
    let now: DateTime = next().parse().expect("a civil time");
    let now = now.in_tz(next()).expect("a zone of the bundled database");
    (now, if next() == "back" { Lean::Back } else { Lean::Ahead })
}

/// All readings of a phrase, as the file spells them.
fn spelled(phrase: &str, now: &Zoned, lean: Lean) -> String {
    let words = words(phrase);
    match time::impossible(&words, now) {
        Some(Impossible::Day { because } | Impossible::Time { because }) => {
            return format!("impossible ({because})");
        }
        Some(Impossible::Repeats { said }) => return format!("repeats {said}"),
        None => {}
    }
    let readings = time::readings(phrase, now, lean);
    if readings.is_empty() {
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        return time::length(&texts)
            .map_or("nothing".to_owned(), |(minutes, _)| format!("lasts {minutes}"));
    }
    readings.iter().map(|reading| spell(reading, now)).collect::<Vec<_>>().join(" | ")
}

fn spell(reading: &Reading, now: &Zoned) -> String {
    let (start, end) = (&reading.range.start, &reading.range.end);
    for edge in [start, end] {
        assert_eq!(edge.time_zone(), now.time_zone(), "{reading:?}");
    }
    let clocked = matches!(reading.grain, Grain::Moment | Grain::Hours);
    let date = |time: &Zoned| {
        let format = if time.year() == now.year() { "%m-%d" } else { "%Y-%m-%d" };
        time.strftime(format).to_string()
    };
    let clock = |time: &Zoned| time.strftime(" %H:%M").to_string();
    let mut said = format!("{:?} {}", reading.grain, date(start)).to_lowercase();
    if clocked || start.time() != Time::midnight() {
        said += &clock(start);
    }
    let twice = now.time_zone().to_ambiguous_zoned(start.datetime()).is_ambiguous();
    if twice {
        said = format!("{said} {}", start.offset());
    }
    let whole_day = start.tomorrow().and_then(|next| next.start_of_day());
    let plain = match reading.grain {
        Grain::Moment => *end == start.saturating_add(1.minute()),
        Grain::Day => whole_day.is_ok_and(|next| *end == next),
        _ => false,
    };
    if !plain {
        let same = start.date() == end.date();
        let day = if same { String::new() } else { format!(" {}", date(end)) };
        let hour = if end.time() == Time::midnight() { String::new() } else { clock(end) };
        said = format!("{said} to{day}{hour}");
    }
    if let Some((from, to)) = reading.daily {
        let hhmm = |time: Time| time.strftime("%H:%M").to_string();
        said = format!("{said} {}-{} each day", hhmm(from), hhmm(to));
    }
    match &reading.reason {
        Some(reason) => format!("{said} ({reason})"),
        None => said,
    }
}
