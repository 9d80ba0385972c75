//! What days and months are called.

use jiff::civil::{Date, Weekday};

/// "19th"
pub fn nth(date: Date) -> String {
    let day = date.day();
    let ending = match (day % 10, day) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{day}{ending}")
}

/// "Thursday"
pub fn name_of(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

/// The days of the week in full, as words are heard; every list of words that has
/// them in it takes them from here.
pub const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Is it one of them, in full?
pub fn is_weekday(word: &str) -> bool {
    WEEKDAYS.contains(&word)
}

/// "Sat" and "sun" are days only where a word before them says so.
pub fn weekday_named(word: &str, introduced: bool) -> Option<Weekday> {
    Some(match word {
        "monday" | "mon" => Weekday::Monday,
        "tuesday" | "tue" | "tues" => Weekday::Tuesday,
        "wednesday" | "wed" | "wendesday" | "wednsday" => Weekday::Wednesday,
        "thursday" | "thu" | "thur" | "thurs" => Weekday::Thursday,
        "friday" | "fri" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        "sat" if introduced => Weekday::Saturday,
        "sun" if introduced => Weekday::Sunday,
        _ => return None,
    })
}

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

/// "November"
pub fn month_name(month: i8) -> &'static str {
    let place = usize::try_from(month - 1).unwrap_or(0);
    MONTHS.get(place).copied().unwrap_or("January")
}

pub fn month_named(word: &str) -> Option<i8> {
    let place = MONTHS.iter().position(|month| {
        month.eq_ignore_ascii_case(word)
            || (word.len() == 3 && month[..3].eq_ignore_ascii_case(word))
            || (word == "sept" && *month == "September")
    })?;
    i8::try_from(place + 1).ok()
}
