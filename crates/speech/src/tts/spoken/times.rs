//! Clock times and dates as they are said.

use super::numbers::{cardinal, ordinal, year};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// "Nov", "Nov.", "November".
pub fn month(word: &str) -> Option<&'static str> {
    let word = word.trim_end_matches('.').to_lowercase();
    let known = |name: &&&str| {
        let name = name.to_lowercase();
        name == word || (word.len() == 3 || word == "sept") && name.starts_with(&word)
    };
    MONTHS.iter().find(known).copied()
}

/// "3:30pm", "15:45", "9am", "9:05". The half of the day in words, if it is there.
pub fn clock(text: &str) -> Option<String> {
    let lower = text.to_lowercase().replace('.', "");
    let half = ["am", "pm"].into_iter().find(|half| lower.ends_with(half));
    let digits = half.map_or(lower.as_str(), |half| lower.trim_end_matches(half));
    let (hour, minute) = match digits.split_once(':') {
        Some((hour, minute)) if minute.len() == 2 => (hour, Some(minute)),
        Some(_) => return None,
        None if half.is_some() => (digits, None),
        None => return None,
    };
    let number = |text: &str| -> Option<u64> {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok())?
    };
    let (hour, minute) = (number(hour)?, minute.map_or(Some(0), number)?);
    if hour > 23 || minute > 59 {
        return None;
    }
    Some(match half.map(half_of_day) {
        Some(half) if minute == 0 => format!("{} {half}", cardinal(hour)),
        Some(half) => format!("{} {} {half}", cardinal(hour), minutes(minute)),
        None if minute == 0 => on_the_hour(hour),
        None => format!("{} {}", cardinal(hour), minutes(minute)),
    })
}

fn on_the_hour(hour: u64) -> String {
    match hour {
        0 => "midnight".to_owned(),
        1..=12 => format!("{} o'clock", cardinal(hour)),
        _ => format!("{} hundred", cardinal(hour)),
    }
}

fn minutes(minute: u64) -> String {
    if minute < 10 { format!("oh {}", cardinal(minute)) } else { cardinal(minute) }
}

/// "p.m.", "PM": letters with room between them.
pub fn half_of_day(half: &str) -> &'static str {
    if half.starts_with(['a', 'A']) { "A M" } else { "P M" }
}

/// "2026-11-15", "11/15/2026", and either with a clock time behind a T.
pub fn date(text: &str) -> Option<String> {
    if let Some((day, time)) = text.split_once('T') {
        let time = time.get(..5).and_then(clock)?;
        return Some(format!("{} at {time}", date(day)?));
    }
    let parts: Vec<&str> = text.split(['-', '/']).collect();
    let [front, middle, back] = parts[..] else { return None };
    let number =
        |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u64>().ok())?;
    let (first, second, third) = (number(front)?, number(middle)?, number(back)?);
    let (in_year, in_month, day) = match (front.len(), back.len()) {
        (4, 1..=2) => (first, second, third),
        (1..=2, 4) => (third, first, second),
        _ => return None,
    };
    if !(1..=12).contains(&in_month) || !(1..=31).contains(&day) {
        return None;
    }
    let month = MONTHS[usize::try_from(in_month).unwrap_or(1) - 1];
    Some(format!("{month} {}, {}", ordinal(day), year(in_year)))
}

/// "Thu.", "Tue". Short names of days that are no other word, or have a full stop.
pub fn weekday(word: &str, dotted: bool) -> Option<&'static str> {
    Some(match word {
        "Mon" => "Monday",
        "Tue" | "Tues" => "Tuesday",
        "Wed" => "Wednesday",
        "Thu" | "Thur" | "Thurs" => "Thursday",
        "Fri" => "Friday",
        "Sat" if dotted => "Saturday",
        "Sun" if dotted => "Sunday",
        _ => return None,
    })
}
