//! How long something is to take: "an hour", "1h30", "forty five minutes".

use super::number::cardinal;

/// A whole day, as a length.
pub const WHOLE_DAY: u32 = 24 * 60;

/// The first length in the sentence, in minutes, and the words it took.
pub fn length(words: &[&str]) -> Option<(u32, std::ops::Range<usize>)> {
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
        let (minutes, used) = match &words[at..] {
            ["free", "hour", ..] => (60, 2),
            rest => starts_with_length(rest)?,
        };
        let when = matches!(
            words.get(at + used..),
            Some(["ago", ..] | ["from", "now" | "today" | "tomorrow", ..])
        );
        (!when && (1..=WHOLE_DAY).contains(&minutes)).then(|| (minutes, at..at + used))
    })
}

/// "My next free hour", as against "in the next hour".
fn follows_my(words: &[&str], at: usize) -> bool {
    words[..at].contains(&"my") && words.get(at) == Some(&"free")
}

/// A length at the start of `words`, in minutes, and how many words it took.
pub fn starts_with_length(words: &[&str]) -> Option<(u32, usize)> {
    match words {
        ["half", "an" | "a", "hour", ..] => return Some((30, 3)),
        ["a", "half", "hour", ..] => return Some((30, 3)),
        ["half", "hour", ..] => return Some((30, 2)),
        ["half-hour", ..] => return Some((30, 1)),
        ["a", "quarter", "of", "an", "hour", ..] => return Some((15, 5)),
        ["quarter", "of", "an", "hour", ..] => return Some((15, 4)),
        ["a", "quarter", "hour", ..] => return Some((15, 3)),
        ["three", "quarters", "of", "an", "hour", ..] => return Some((45, 5)),
        ["the", "whole" | "entire", "day", ..] => return Some((WHOLE_DAY, 3)),
        ["all", "day", "long", ..] => return Some((WHOLE_DAY, 3)),
        ["all", "day", ..] => return Some((WHOLE_DAY, 2)),
        ["all-day", ..] => return Some((WHOLE_DAY, 1)),
        _ => {}
    }
    let (minutes, used, hours) = unit_and_count(words)?;
    // "An hour and a half", "1 hour 30 minutes".
    let rest = &words[used..];
    if !hours {
        return Some((minutes, used));
    }
    if let ["and", "a", half @ ("half" | "quarter"), ..] = rest {
        return Some((minutes + if *half == "half" { 30 } else { 15 }, used + 3));
    }
    // "1 h 30"
    if let ["h", more, ..] = words[used - 1..]
        && more.len() == 2
        && let Some(more @ 1..=59) = more.parse::<u32>().ok()
    {
        return Some((minutes + more, used + 1));
    }
    let and = usize::from(rest.first() == Some(&"and"));
    match unit_and_count(&rest[and..]) {
        Some((more @ 1..=59, taken, false)) => Some((minutes + more, used + and + taken)),
        _ => Some((minutes, used)),
    }
}

/// The minutes of "two hours", "1h30", "45 mins"; whether they were counted in hours.
fn unit_and_count(words: &[&str]) -> Option<(u32, usize, bool)> {
    if let Some((minutes, hours)) = run_together(words.first()?) {
        return Some((minutes, 1, hours));
    }
    if let [number, "hours" | "hour" | "hrs" | "hr" | "h", ..] = words
        && number.contains('.')
    {
        return Some((tenths(number)?, 2, true));
    }
    // "A 90-minute call"
    if let Some((count, unit)) = words[0].split_once('-') {
        let (minutes, _, hours) =
            unit_and_count(&[count, unit]).filter(|(_, used, _)| *used == 2)?;
        return Some((minutes, 1, hours));
    }
    let (count, used) = match words {
        ["an" | "a", ..] => (1, 1),
        _ => cardinal(words)?,
    };
    // "Two to three hours" needs room for three.
    if let Some(["to" | "or", rest @ ..]) = words.get(used..)
        && let Some((more, _)) = cardinal(rest)
        && more > count
        && let Some((minutes, taken, hours)) = unit_and_count(rest)
    {
        return Some((minutes, used + 1 + taken, hours));
    }
    // "Two and a half hours"
    if let Some(["and", "a", "half", "hours" | "hour" | "hrs", ..]) = words.get(used..) {
        return Some((count * 60 + 30, used + 4, true));
    }
    match *words.get(used)? {
        "hour" | "hours" | "hr" | "hrs" | "h" => Some((count * 60, used + 1, true)),
        "minute" | "minutes" | "min" | "mins" | "m" => Some((count, used + 1, false)),
        _ => None,
    }
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
    }
}
