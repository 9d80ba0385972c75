//! How long something is to take: "an hour", "1h30", "a minute and a half".

use std::ops::Range;

use super::number::cardinal;

/// A whole day, as a length.
pub const WHOLE_DAY: u32 = 24 * 60;
const HOUR: u32 = 3_600;
const MINUTE: u32 = 60;

/// The first length in the sentence, in minutes, and the words it took. No calendar knows
/// half a minute: it takes a whole one.
pub fn length(words: &[&str]) -> Option<(u32, Range<usize>)> {
    length_in_seconds(words).map(|(seconds, places)| (seconds.div_ceil(MINUTE), places))
}

/// The same for a clock that runs, in seconds.
pub fn length_in_seconds(words: &[&str]) -> Option<(u32, Range<usize>)> {
    (0..words.len()).find_map(|at| {
        // "In two hours" and "the next hour" say when, not how long; "at 9h" is a time.
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        if matches!(before, "in" | "next" | "last" | "past") && !follows_my(words, at) {
            return None;
        }
        let run_together = words[at].starts_with(|c: char| c.is_ascii_digit())
            && words[at].ends_with(|c: char| c.is_ascii_alphanumeric())
            && words[at].contains('h');
        if run_together && matches!(before, "at" | "from" | "to" | "until" | "till" | "by") {
            return None;
        }
        let (seconds, used) = match &words[at..] {
            ["free", "hour", ..] => (HOUR, 2),
            rest => starts_with_length(rest)?,
        };
        let when = matches!(
            words.get(at + used..),
            Some(["ago", ..] | ["from", "now" | "today" | "tomorrow", ..])
        );
        (!when && (1..=WHOLE_DAY * MINUTE).contains(&seconds)).then(|| (seconds, at..at + used))
    })
}

/// "My next free hour", as against "in the next hour".
fn follows_my(words: &[&str], at: usize) -> bool {
    words[..at].contains(&"my") && words.get(at) == Some(&"free")
}

/// A length at the start of `words`, in seconds, and how many words it took.
pub fn starts_with_length(words: &[&str]) -> Option<(u32, usize)> {
    match words {
        ["half-hour", ..] => return Some((HOUR / 2, 1)),
        ["half-minute", ..] => return Some((MINUTE / 2, 1)),
        ["the", "whole" | "entire", "day", ..] => return Some((WHOLE_DAY * MINUTE, 3)),
        ["all", "day", "long", ..] => return Some((WHOLE_DAY * MINUTE, 3)),
        ["all", "day", ..] => return Some((WHOLE_DAY * MINUTE, 2)),
        ["all-day", ..] => return Some((WHOLE_DAY * MINUTE, 1)),
        _ => {}
    }
    if let Some(part) = part_of_one(words) {
        return Some(part);
    }
    let (seconds, used, unit) = unit_and_count(words)?;
    // "An hour and a half", "a minute and a half", "1 hour 30 minutes".
    let rest = &words[used..];
    if let Some((quarters, taken)) = and_quarters(rest) {
        return Some((seconds + unit / 4 * quarters, used + taken));
    }
    if unit != HOUR {
        return Some((seconds, used));
    }
    // "1 h 30"
    if let ["h", more, ..] = words[used - 1..]
        && more.len() == 2
        && let Some(more @ 1..=59) = more.parse::<u32>().ok()
    {
        return Some((seconds + more * MINUTE, used + 1));
    }
    let and = usize::from(rest.first() == Some(&"and"));
    match unit_and_count(&rest[and..]) {
        Some((more, taken, MINUTE)) if (MINUTE..HOUR).contains(&more) => {
            Some((seconds + more, used + and + taken))
        }
        _ => Some((seconds, used)),
    }
}

/// "Half an hour", "a quarter of an hour", "three quarters of an hour", "half a minute".
fn part_of_one(words: &[&str]) -> Option<(u32, usize)> {
    let a = usize::from(words.first() == Some(&"a"));
    let (quarters, used) = match words.get(a..)? {
        ["half", ..] => (2, a + 1),
        ["quarter", ..] => (1, a + 1),
        ["three", "quarters" | "quarter", ..] if a == 0 => (3, 2),
        _ => return None,
    };
    let of = usize::from(words.get(used) == Some(&"of"));
    let an = usize::from(matches!(words.get(used + of), Some(&("an" | "a"))));
    // "Quarter an hour" is nothing anybody says; "three quarters hour" is not either.
    if quarters != 2 && of != an || quarters == 3 && of == 0 || quarters == 2 && of > an {
        return None;
    }
    let unit = match *words.get(used + of + an)? {
        "hour" => HOUR,
        "minute" => MINUTE,
        _ => return None,
    };
    Some((unit / 4 * quarters, used + of + an + 1))
}

/// "And a half", "and three quarters": quarters of the unit before it.
fn and_quarters(words: &[&str]) -> Option<(u32, usize)> {
    match words {
        ["and", "a", "half", ..] => Some((2, 3)),
        ["and", "a", "quarter", ..] => Some((1, 3)),
        ["and", "three", "quarters", ..] => Some((3, 3)),
        _ => None,
    }
}

/// The seconds of "two hours", "1h30", "45 mins"; the seconds of the unit they were
/// counted in.
fn unit_and_count(words: &[&str]) -> Option<(u32, usize, u32)> {
    if let Some((minutes, hours)) = run_together(words.first()?) {
        return Some((minutes * MINUTE, 1, if hours { HOUR } else { MINUTE }));
    }
    if let [number, "hours" | "hour" | "hrs" | "hr" | "h", ..] = words
        && number.contains('.')
    {
        return Some((tenths(number)? * MINUTE, 2, HOUR));
    }
    // "1.5 minutes": as many sixtieths as of an hour.
    if let [number, "minutes" | "minute" | "mins" | "min", ..] = words
        && number.contains('.')
    {
        return Some((tenths(number)?, 2, MINUTE));
    }
    // "A 90-minute call"
    if let Some((count, unit)) = words[0].split_once('-') {
        let (seconds, _, unit) =
            unit_and_count(&[count, unit]).filter(|(_, used, _)| *used == 2)?;
        return Some((seconds, 1, unit));
    }
    let (count, used) = match words {
        ["an" | "a", ..] => (1, 1),
        _ => cardinal(words)?,
    };
    // "Two to three hours" needs room for three.
    if let Some(["to" | "or", rest @ ..]) = words.get(used..)
        && let Some((more, _)) = cardinal(rest)
        && more > count
        && let Some((seconds, taken, unit)) = unit_and_count(rest)
    {
        return Some((seconds, used + 1 + taken, unit));
    }
    // "Two and a half hours", "one and a half minutes"
    let (quarters, more) = and_quarters(words.get(used..)?).unwrap_or((0, 0));
    let unit = match *words.get(used + more)? {
        "hour" | "hours" | "hr" | "hrs" => HOUR,
        "minute" | "minutes" | "min" | "mins" => MINUTE,
        "h" if more == 0 => HOUR,
        "m" if more == 0 => MINUTE,
        _ => return None,
    };
    Some((count.checked_mul(unit)? + unit / 4 * quarters, used + more + 1, unit))
}

/// "1h", "1h30", "1h30m", "1.5h", "45min": hours up to twelve, for "15h" is a time.
fn run_together(word: &str) -> Option<(u32, bool)> {
    let start = word.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = word.split_at(start);
    if number.is_empty() || number.len() > 4 {
        return None;
    }
    if matches!(unit, "min" | "mins" | "m" | "minutes") {
        return Some((number.parse().ok()?, false));
    }
    let rest = ["hours", "hour", "hrs", "hr", "h"].iter().find_map(|h| unit.strip_prefix(h))?;
    let whole = tenths(number)?;
    if rest.is_empty() {
        return (whole <= 12 * 60).then_some((whole, true));
    }
    let rest = ["mins", "min", "m"].iter().find_map(|m| rest.strip_suffix(m)).unwrap_or(rest);
    let more: u32 = rest.parse().ok().filter(|more| (1..60).contains(more))?;
    (!number.contains('.') && whole <= 12 * 60).then_some((whole + more, true))
}

/// The minutes of "1.5" hours.
fn tenths(number: &str) -> Option<u32> {
    let (whole, tenths) = number.split_once('.').unwrap_or((number, "0"));
    let part = match tenths {
        "0" => 0,
        "25" => 15,
        "5" | "50" => 30,
        "75" => 45,
        _ => return None,
    };
    Some(whole.parse::<u32>().ok().filter(|whole| *whole <= 24)? * 60 + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(sentence: &str) -> Option<u32> {
        let words: Vec<_> = sentence.split(' ').collect();
        length(&words).map(|(minutes, _)| minutes)
    }

    #[test]
    fn lengths_are_read_the_ways_people_say_them() {
        assert_eq!(minutes("find me an hour tomorrow"), Some(60));
        assert_eq!(minutes("half an hour"), Some(30));
        assert_eq!(minutes("an hour and a half on friday"), Some(90));
        assert_eq!(minutes("two hours and a half"), Some(150));
        assert_eq!(minutes("forty five minutes"), Some(45));
        assert_eq!(minutes("in two hours"), None);
        assert_eq!(minutes("ten minutes ago"), None);
        assert_eq!(minutes("at 9h30"), None);
        assert_eq!(minutes("an hour and a quarter"), Some(75));
        assert_eq!(minutes("an hour and three quarters"), Some(105));
        assert_eq!(minutes("three quarters of an hour"), Some(45));
        assert_eq!(minutes("two and a half hours"), Some(150));
        assert_eq!(minutes("one and three quarters hours"), Some(105));
        assert_eq!(minutes("a quarter hour"), Some(15));
        // Nothing on a calendar is as short as that.
        assert_eq!(minutes("half a minute"), Some(1));
        assert_eq!(minutes("quarter past three"), None);
        assert_eq!(minutes("half of it"), None);
    }

    #[test]
    fn a_clock_that_runs_knows_half_a_minute() {
        let seconds = |sentence: &str| {
            let words: Vec<_> = sentence.split(' ').collect();
            length_in_seconds(&words)
        };
        for (sentence, expected) in [
            ("a minute and a half", (90, 0..5)),
            ("for a minute and a half please", (90, 1..6)),
            ("two and a half minutes", (150, 0..5)),
            ("one and a half minutes", (90, 0..5)),
            ("1.5 minutes", (90, 0..2)),
            ("half a minute", (30, 0..3)),
            ("a half minute", (30, 0..3)),
            ("a quarter of a minute", (15, 0..5)),
            ("three minutes", (180, 0..2)),
            ("an hour and a half", (5_400, 0..5)),
            ("two hours and a quarter", (8_100, 0..5)),
        ] {
            assert_eq!(seconds(sentence), Some(expected), "{sentence}");
        }
    }
}
