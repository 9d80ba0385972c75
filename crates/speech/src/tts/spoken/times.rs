//! Clock times, dates and how long things last, as they are said.

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

/// The name of a month by its number, from one on.
pub fn month_name(month: u64) -> &'static str {
    let at = usize::try_from(month).unwrap_or(1).clamp(1, 12);
    MONTHS[at - 1]
}

/// "2026-11-15", "11/15/2026", "11/15/26", "15.11.2026", and "2026-11-15T15:30:00Z".
pub fn date(text: &str) -> Option<String> {
    if let Some((day, time)) = text.split_once('T') {
        return Some(format!("{} at {}", date(day)?, precise(time)?));
    }
    let dotted = text.contains('.');
    let parts: Vec<&str> = text.split(if dotted { &['.'][..] } else { &['-', '/'] }).collect();
    let [front, middle, back] = parts[..] else { return None };
    let number =
        |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u64>().ok())?;
    let (first, second, third) = (number(front)?, number(middle)?, number(back)?);
    let short = 1..=2;
    if !short.contains(&middle.len()) {
        return None;
    }
    let (in_year, in_month, day) = match (front.len(), back.len()) {
        (4, 1..=2) if !dotted => (first, second, third),
        (1..=2, 4) if dotted || first > 12 => (third, second, first),
        (1..=2, 4) => (third, first, second),
        (1..=2, 2) if text.contains('/') => (2_000 + third, first, second),
        _ => return None,
    };
    if !(1..=12).contains(&in_month) || !(1..=31).contains(&day) {
        return None;
    }
    Some(format!("{} {}, {}", month_name(in_month), ordinal(day), year(in_year)))
}

/// A clock time as machines write it: "15:30", "15:30:45", "15:30:00.250+02:00", "15:30Z".
pub fn precise(text: &str) -> Option<String> {
    let zone = text.find(['Z', '+', '-', '−']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone);
    let (minutes, seconds) = match time.match_indices(':').nth(1) {
        Some((at, _)) => (&time[..at], &time[at + 1..]),
        None => (time, "00"),
    };
    let whole = seconds.split('.').next().filter(|whole| whole.len() == 2)?;
    let seconds: u64 = whole.parse().ok().filter(|seconds| *seconds < 60)?;
    let mut said = clock(minutes)?;
    if seconds > 0 {
        let plural = if seconds == 1 { "" } else { "s" };
        said = format!("{said} and {} second{plural}", cardinal(seconds));
    }
    let zone = match zone {
        "" => return Some(said),
        "Z" | "+00:00" => String::new(),
        zone => {
            let sign = if zone.starts_with('+') { "plus" } else { "minus" };
            let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
            let (hours, minutes) = digits.split_at_checked(2)?;
            let (hours, minutes): (u64, u64) = (hours.parse().ok()?, minutes.parse().unwrap_or(0));
            let minutes =
                if minutes == 0 { String::new() } else { format!(" {}", cardinal(minutes)) };
            format!(" {sign} {}{minutes}", cardinal(hours))
        }
    };
    Some(format!("{said} U T C{zone}"))
}

/// "1h30m", "2d", "90s": how long something lasts. "30m" alone are meters, but not
/// beside "1h" or "10s".
pub fn duration(core: &str, before: Option<&str>, after: Option<&str>) -> Option<String> {
    let parts = lasting(core)?;
    let beside = |word: Option<&str>, units: &[char]| {
        let parts = word.and_then(lasting);
        parts.is_some_and(|parts| parts.iter().any(|(_, unit)| units.contains(unit)))
    };
    let known = parts.len() > 1
        || parts[0].1 != 'm'
        || beside(before, &['h', 'd', 'w'])
        || beside(after, &['s']);
    let said = parts.iter().map(|(n, unit)| {
        let unit = match unit {
            'w' => "week",
            'd' => "day",
            'h' => "hour",
            'm' => "minute",
            _ => "second",
        };
        format!("{} {unit}{}", cardinal(*n), if *n == 1 { "" } else { "s" })
    });
    known.then(|| said.collect::<Vec<_>>().join(" "))
}

/// Numbers with the letter of a unit behind each, larger units first.
fn lasting(core: &str) -> Option<Vec<(u64, char)>> {
    const ORDER: &str = "wdhms";
    let mut parts: Vec<(u64, char)> = Vec::new();
    let mut rest = core;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let (digits, behind) = rest.split_at(end);
        let unit = behind.chars().next().filter(|unit| ORDER.contains(*unit))?;
        let place = |unit: char| ORDER.find(unit);
        if parts.last().is_some_and(|(_, last)| place(*last) >= place(unit)) {
            return None;
        }
        let digits = Some(digits).filter(|digits| (1..=4).contains(&digits.len()))?;
        parts.push((digits.parse().ok()?, unit));
        rest = behind[1..].strip_prefix("in").filter(|_| unit == 'm').unwrap_or(&behind[1..]);
    }
    (!parts.is_empty()).then_some(parts)
}

/// "1980s", "'80s", "the 90s"; "30s" elsewhere are seconds.
pub fn decade(core: &str, before: Option<&str>) -> Option<String> {
    const AHEAD: [&str; 14] = [
        "the", "early", "late", "mid", "his", "her", "their", "my", "your", "our", "mid-", "its",
        "roaring", "swinging",
    ];
    let digits = core.strip_suffix("'s").or_else(|| core.strip_suffix('s'))?;
    let apart = digits.strip_prefix(['\'', '’']);
    let digits = apart.unwrap_or(digits);
    if !digits.ends_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let n: u64 = digits.parse().ok()?;
    let tens = |n: u64| {
        let words = cardinal(n);
        words.strip_suffix('y').map_or_else(|| format!("{words}s"), |stem| format!("{stem}ies"))
    };
    let known =
        apart.is_some() || before.is_some_and(|w| AHEAD.contains(&w.to_lowercase().as_str()));
    match digits.len() {
        2 if known && n >= 20 => Some(tens(n)),
        4 if n.is_multiple_of(1_000) => Some(format!("{}s", cardinal(n))),
        4 if n.is_multiple_of(100) => Some(format!("{} hundreds", cardinal(n / 100))),
        4 if (1_100..2_100).contains(&n) => {
            Some(format!("{} {}", cardinal(n / 100), tens(n % 100)))
        }
        _ => None,
    }
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
