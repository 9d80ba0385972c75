//! Small words: counts, lists and days as a person would put them.

use brain::resolve::time::{month_name, name_of, nth, spell_clock};
use jiff::Zoned;
use jiff::civil::Date;

/// "three", "12"
pub fn count(number: usize) -> String {
    let words =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    words.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// "one meeting", "three meetings"
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// "a, b and c"; with `hidden` more behind them, "a, b, c and two more".
pub fn list(items: &[String], hidden: usize) -> String {
    let mut items = items.to_vec();
    if hidden > 0 {
        items.push(format!("{} more", count(hidden)));
    }
    match items.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// "a, b or c"
pub fn list_or(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// The same in the middle of a sentence.
pub fn uncapital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// "today", "on Thursday", "on Thursday the 26th", "on January 14"
pub fn day(date: Date, today: Date) -> String {
    let days = (date - today).get_days();
    match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        -1 => "yesterday".to_owned(),
        2..=6 => format!("on {}", name_of(date.weekday())),
        -6..=-2 => format!("last {}", name_of(date.weekday())),
        7..=20 => format!("on {} the {}", name_of(date.weekday()), nth(date)),
        _ => format!("on {} {}", month_name(date.month()), date.day()),
    }
}

/// "9:30"
pub fn clock(time: &Zoned) -> String {
    spell_clock(time.time())
}

/// "9:30 am", where it has to be beyond doubt.
pub fn full_clock(time: &Zoned) -> String {
    let face = clock(time);
    if face.ends_with('m') {
        return face;
    }
    format!("{face} {}", if time.hour() < 12 { "am" } else { "pm" })
}

/// "from 9 to 11:30"; both halves of the day are named where the two differ,
/// or where one of them has to be.
pub fn hours(start: &Zoned, end: &Zoned) -> String {
    let half = |time: &Zoned| time.hour() < 12;
    let named = |time: &Zoned| clock(time).ends_with('m');
    let noon = |time: &Zoned| time.hour() == 12 && time.minute() == 0;
    let mixed = half(start) != half(end) && !noon(end);
    if mixed || named(start) || named(end) || start.date() != end.date() {
        return format!("from {} to {}", full_clock(start), full_clock(end));
    }
    format!("from {} to {}", clock(start), clock(end))
}

/// "tomorrow at 9:30"
pub fn moment(time: &Zoned, now: &Zoned) -> String {
    format!("{} at {}", day(time.date(), now.date()), clock(time))
}

/// "an hour", "45 minutes"
pub fn length(minutes: u32) -> String {
    let short = |minutes: u32| match minutes {
        1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    };
    match (minutes / 60, minutes % 60) {
        (0, minutes) => short(minutes),
        (1, 0) => "an hour".to_owned(),
        (1, 30) => "an hour and a half".to_owned(),
        (1, minutes) => format!("an hour and {}", short(minutes)),
        (hours, 0) => format!("{hours} hours"),
        (hours, minutes) => format!("{hours} hours and {}", short(minutes)),
    }
}

/// The first words, up to `most` of them, and whether something was left out.
pub fn first_words(text: &str, most: usize) -> (String, bool) {
    let words: Vec<_> = text.split_whitespace().collect();
    (words[..words.len().min(most)].join(" "), words.len() > most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_hour_and_one_minute_are_not_many() {
        let said = length;
        assert_eq!(said(1), "1 minute");
        assert_eq!(said(45), "45 minutes");
        assert_eq!(said(60), "an hour");
        assert_eq!(said(61), "an hour and 1 minute");
        assert_eq!(said(90), "an hour and a half");
        assert_eq!(said(105), "an hour and 45 minutes");
        assert_eq!(said(120), "2 hours");
        assert_eq!(said(150), "2 hours and 30 minutes");
    }

    #[test]
    fn three_are_named_and_the_rest_counted() {
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&items, 0), "a, b and c");
        assert_eq!(list(&items, 2), "a, b, c and two more");
        assert_eq!(list(&items[..1], 0), "a");
    }

    #[test]
    fn near_days_have_names_and_far_days_have_dates() {
        let today = Date::constant(2026, 11, 15);
        let said = |year, month, date| day(Date::constant(year, month, date), today);
        assert_eq!(said(2026, 11, 16), "tomorrow");
        assert_eq!(said(2026, 11, 19), "on Thursday");
        assert_eq!(said(2026, 11, 26), "on Thursday the 26th");
        assert_eq!(said(2026, 11, 10), "last Tuesday");
        assert_eq!(said(2027, 1, 14), "on January 14");
    }
}
