//! Days by their number: "the 19th", "19 November 2027", "2026-11-19", "3/4".
//!
//! A number that no month has, or that contradicts the weekday beside it, is
//! no day at all; it is never bent into another one.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::names::{month_name, month_named, name_of, weekday_named};
use super::number::{cardinal, ordinal};
use super::{Lean, Part};

/// What a number says about the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dated {
    /// Every day it can be, the likeliest first, and what was taken for granted.
    On(Vec<(Date, Option<String>)>),
    /// There is no such day, and why not.
    Never(String),
}

/// The day at the start of `words`, and how many words it took.
pub fn dated(words: &[&str], today: Date, lean: Lean) -> Option<(Dated, usize)> {
    digits(words, today, lean)
        .or_else(|| month_first(words, today, lean))
        .or_else(|| day_first(words, today, lean))
        .or_else(|| nth_weekday(words, today, lean))
        .or_else(|| feast(words, today, lean))
}

/// The date behind "Thursday", where it is one: "Thursday the 19th".
pub fn behind(weekday: Weekday, words: &[&str], today: Date, lean: Lean) -> Option<(Dated, usize)> {
    let of = |dates: Vec<(Date, Option<String>)>| -> Vec<_> {
        dates.into_iter().filter(|(date, _)| date.weekday() == weekday).collect()
    };
    let (found, used) = dated(words, today, lean)?;
    let Dated::On(dates) = found else { return Some((found, used)) };
    let first = dates.first()?.0;
    let fitting = of(dates);
    if !fitting.is_empty() {
        // The weekday has settled which number is the month.
        let dates = fitting.into_iter().map(|(date, _)| (date, None)).collect();
        return Some((Dated::On(dates), used));
    }
    let other = if lean == Lean::Ahead { Lean::Back } else { Lean::Ahead };
    if let Some((Dated::On(dates), _)) = dated(words, today, other)
        && let [(date, _), ..] = of(dates).as_slice()
    {
        let reason = format!("{} is a {}; took the other one", spelled(first), named(first));
        return Some((Dated::On(vec![(*date, Some(reason))]), used));
    }
    Some((Dated::Never(format!("{} is a {}", spelled(first), named(first))), used))
}

fn named(date: Date) -> &'static str {
    name_of(date.weekday())
}

/// "November 19"
pub fn spelled(date: Date) -> String {
    format!("{} {}", month_name(date.month()), date.day())
}

/// "November 19", and the year where it is not the one that would be taken.
pub fn spelled_in_full(date: Date, today: Date, lean: Lean) -> String {
    let taken = nearest(date.month(), date.day(), today, lean);
    let year = if taken == date.year() { String::new() } else { format!(" {}", date.year()) };
    format!("{}{year}", spelled(date))
}

/// The year of the next (or last) such day.
fn nearest(month: i8, day: i8, today: Date, lean: Lean) -> i16 {
    match lean {
        Lean::Ahead if (month, day) < (today.month(), today.day()) => today.year() + 1,
        Lean::Back if (month, day) > (today.month(), today.day()) => today.year() - 1,
        _ => today.year(),
    }
}

/// That day, or why there is none.
fn on(month: i8, day: u32, year: Option<i16>, today: Date, lean: Lean) -> Result<Date, String> {
    if !(1..=12).contains(&month) {
        return Err(format!("there is no month {month}"));
    }
    let none = || {
        if month == 2 {
            return "February has 29 days at most".to_owned();
        }
        let days = Date::constant(2028, month, 1).days_in_month();
        format!("{} has {days} days", month_name(month))
    };
    let day = i8::try_from(day).map_err(|_| none())?;
    let year = year.unwrap_or_else(|| nearest(month, day, today, lean));
    Date::new(year, month, day).map_err(|_| match (month, day) {
        (2, 29) => format!("{year} has no February 29"),
        _ => none(),
    })
}

fn one(date: Result<Date, String>) -> Dated {
    match date {
        Ok(date) => Dated::On(vec![(date, None)]),
        Err(because) => Dated::Never(because),
    }
}

/// "2026-11-19", "24.11.", "11/19/2026"
fn digits(words: &[&str], today: Date, lean: Lean) -> Option<(Dated, usize)> {
    let word = *words.first()?;
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let numbers = |mark: char| -> Option<Vec<u32>> {
        let all: Option<Vec<u32>> = word
            .split(mark)
            .map(|part| {
                let plain = part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
                if plain { part.parse().ok() } else { None }
            })
            .collect();
        all.filter(|all| all.len() >= 2)
    };
    if let Some([year @ 1000..=9999, month, day]) = numbers('-').as_deref() {
        let year = i16::try_from(*year).ok()?;
        let month = i8::try_from(*month).unwrap_or(i8::MAX);
        return Some((one(on(month, *day, Some(year), today, lean)), 1));
    }
    if let Some([first, second, year @ 1000..=9999]) = numbers('-').as_deref() {
        return slashes(&[*first, *second, *year], today, lean).map(|found| (found, 1));
    }
    if let Some(parts) = numbers('.') {
        return dots(&parts, word, words.get(1), today, lean).map(|found| (found, 1));
    }
    slashes(&numbers('/')?, today, lean).map(|found| (found, 1))
}

/// "24.11" is a day; "1.5" and "9.30" are not.
fn dots(parts: &[u32], word: &str, next: Option<&&str>, today: Date, lean: Lean) -> Option<Dated> {
    let (day, month, year) = match *parts {
        [day, month] => {
            let two_digits = word.split('.').next_back().is_some_and(|month| month.len() == 2);
            (day > 12 || two_digits).then_some((day, month, None))?
        }
        [day, month, year] => (day, month, Some(full_year(year)?)),
        _ => return None,
    };
    let amount = matches!(next, Some(&("percent" | "million" | "hours" | "hour" | "h" | "hrs")));
    let fits = (1..=31).contains(&day) && (1..=12).contains(&month) && !amount;
    fits.then(|| one(on(i8::try_from(month).unwrap_or(1), day, year, today, lean)))
}

fn full_year(year: u32) -> Option<i16> {
    match year {
        0..=99 => i16::try_from(2000 + year).ok(),
        1000..=9999 => i16::try_from(year).ok(),
        _ => None,
    }
}

/// "3/4" is in March for some and in April for others.
fn slashes(parts: &[u32], today: Date, lean: Lean) -> Option<Dated> {
    let (first, second, year) = match *parts {
        [year @ 1000..=9999, month, day] => {
            let month = i8::try_from(month).ok()?;
            return Some(one(on(month, day, Some(full_year(year)?), today, lean)));
        }
        [first, second] => (first, second, None),
        [first, second, year] => (first, second, Some(full_year(year)?)),
        _ => return None,
    };
    if !(1..=31).contains(&first) || !(1..=31).contains(&second) || (first > 12 && second > 12) {
        return None;
    }
    let read = |month: u32, day| on(i8::try_from(month).unwrap_or(0), day, year, today, lean);
    if first > 12 {
        return Some(one(read(second, first)));
    }
    if second > 12 || first == second {
        return Some(one(read(first, second)));
    }
    let month_first = read(first, second);
    let day_first = read(second, first);
    let told = |date: Result<Date, String>, reason: &str| {
        date.ok().map(|date| (date, Some(reason.to_owned())))
    };
    let gone = |date: &Result<Date, String>| date.as_ref().is_ok_and(|date| *date < today);
    // With a year beside them, one of the two may be over.
    let turned = lean == Lean::Ahead && gone(&month_first) && !gone(&day_first);
    let all = if turned {
        let first = told(day_first, "took the first number as the day");
        [first, told(month_first, "the first number may be the month")]
    } else {
        let first = told(month_first, "took the first number as the month");
        [first, told(day_first, "the first number may be the day")]
    };
    let all: Vec<_> = all.into_iter().flatten().collect();
    (!all.is_empty()).then_some(Dated::On(all))
}

/// "November 19th", "november the 19th 2027"
fn month_first(words: &[&str], today: Date, lean: Lean) -> Option<(Dated, usize)> {
    let month = month_named(words.first()?)?;
    let the = usize::from(words.get(1) == Some(&"the"));
    let rest = &words[1 + the..];
    let (day, used) = ordinal(rest).or_else(|| cardinal(rest))?;
    // "May 40 people come" is about people.
    let verb = matches!(words[0], "may" | "march") && day > 31;
    if day == 0 || day > 99 || verb {
        return None;
    }
    let end = 1 + the + used;
    let year = year(words.get(end));
    Some((one(on(month, day, year, today, lean)), end + usize::from(year.is_some())))
}

/// A year that stands behind a month, and nothing that could be an hour.
pub fn year(word: Option<&&str>) -> Option<i16> {
    let year = word.filter(|word| word.len() == 4)?.parse::<i16>().ok()?;
    (1900..=2199).contains(&year).then_some(year)
}

/// "The 19th", "19 November", "the 5th of next month"
fn day_first(words: &[&str], today: Date, lean: Lean) -> Option<(Dated, usize)> {
    let the = usize::from(words.first()? == &"the");
    let rest = &words[the..];
    let nth = ordinal(rest);
    let (day, used) = nth.or_else(|| cardinal(rest)).filter(|(day, _)| (1..=99).contains(day))?;
    let of = usize::from(rest.get(used) == Some(&"of"));
    if let Some(month) = rest.get(used + of).and_then(|word| month_named(word)) {
        let end = the + used + of + 1;
        let year = year(words.get(end));
        return Some((one(on(month, day, year, today, lean)), end + usize::from(year.is_some())));
    }
    if of == 1
        && nth.is_some()
        && let Some((month, more)) = month_of(&rest[used + 1..], today, lean)
    {
        let mut date = on(month.month(), day, Some(month.year()), today, lean);
        // "The first of the month" is the next one there is.
        if rest.get(used + 1) == Some(&"the")
            && lean == Lean::Ahead
            && date.as_ref().is_ok_and(|date| *date < today)
        {
            let next = month.checked_add(1.month()).ok()?;
            date = on(next.month(), day, Some(next.year()), today, lean);
        }
        return Some((one(date), the + used + 1 + more));
    }
    // Without a month it needs "the" and a number that is not counting things.
    if the == 0 || nth.is_none() || counts_things(rest.get(used)) {
        return None;
    }
    let digits = rest[0].starts_with(|c: char| c.is_ascii_digit());
    if day > 31 {
        return digits.then(|| (Dated::Never(format!("no month has {day} days")), 1 + used));
    }
    let date = nearest_day(i8::try_from(day).ok()?, today, lean)?;
    Some((Dated::On(vec![(date, None)]), 1 + used))
}

/// The month in "of November", "of the month", "of next month", by its first day.
pub fn month_of(words: &[&str], today: Date, lean: Lean) -> Option<(Date, usize)> {
    let this = today.first_of_month();
    Some(match words {
        ["the" | "this", "month", ..] => (this, 2),
        ["next", "month", ..] => (this.checked_add(1.month()).ok()?, 2),
        ["last", "month", ..] => (this.checked_sub(1.month()).ok()?, 2),
        [name, ..] => {
            let month = month_named(name)?;
            let year = year(words.get(1));
            // Any day of the month that it is now may still be meant.
            let day = if lean == Lean::Ahead { 31 } else { 1 };
            let taken = year.unwrap_or_else(|| nearest(month, day, today, lean));
            (Date::new(taken, month, 1).ok()?, 1 + usize::from(year.is_some()))
        }
        [] => return None,
    })
}

/// "The last Friday of the month", "the first Monday in January".
fn nth_weekday(words: &[&str], today: Date, lean: Lean) -> Option<(Dated, usize)> {
    let the = usize::from(words.first()? == &"the");
    let rest = &words[the..];
    let (nth, used) = match rest {
        ["last", ..] => (None, 1),
        _ => ordinal(rest).map(|(nth, used)| (Some(nth), used))?,
    };
    let unit = *rest.get(used)?;
    if !matches!(rest.get(used + 1), Some(&("of" | "in"))) {
        return None;
    }
    let weekday = weekday_named(unit, true);
    if weekday.is_none() && unit != "day" {
        return None;
    }
    let (month, more) = month_of(rest.get(used + 2..)?, today, lean)?;
    let end = the + used + 2 + more;
    let Some(weekday) = weekday else {
        let day = nth.unwrap_or_else(|| u32::from(month.days_in_month().unsigned_abs()));
        return Some((one(on(month.month(), day, Some(month.year()), today, lean)), end));
    };
    let found = match nth {
        None => month.nth_weekday_of_month(-1, weekday),
        Some(nth) => month.nth_weekday_of_month(i8::try_from(nth).ok()?, weekday),
    };
    let none = || {
        let (name, which) = (month_name(month.month()), rest[..used].join(" "));
        format!("{name} has no {which} {}", name_of(weekday))
    };
    Some((one(found.map_err(|_| none())), end))
}

/// "Christmas", and not the party of that name.
fn feast(words: &[&str], today: Date, lean: Lean) -> Option<(Dated, usize)> {
    let (month, day, used) = match words {
        ["christmas", "eve", ..] => (12, 24, 2),
        ["christmas", "day", ..] => (12, 25, 2),
        ["boxing", "day", ..] => (12, 26, 2),
        ["christmas", ..] => (12, 25, 1),
        ["new", "year", "'s", "eve", ..] => (12, 31, 4),
        ["new", "years", "eve", ..] => (12, 31, 3),
        ["new", "year", "'s", "day", ..] => (1, 1, 4),
        ["new", "years", "day", ..] => (1, 1, 3),
        _ => return None,
    };
    let named = counts_things(words.get(used));
    (!named).then(|| (one(on(month, day, None, today, lean)), used))
}

fn counts_things(next: Option<&&str>) -> bool {
    let functional = [
        "at", "and", "with", "in", "on", "from", "to", "between", "before", "after", "or", "for",
        "around", "please", "about", "is", "look", "like", "free", "busy", "then", "by", "am",
    ];
    // "The 24th, 5:30 pm" goes on with the clock.
    let clock = |next: &&&str| next.starts_with(|c: char| c.is_ascii_digit());
    next.filter(|next| !clock(next))
        .is_some_and(|next| !functional.contains(next) && Part::from_word(next).is_none())
}

/// The next (or last) month that has such a day.
fn nearest_day(day: i8, today: Date, lean: Lean) -> Option<Date> {
    (0..12).find_map(|offset| {
        let offset = if lean == Lean::Back { -offset } else { offset };
        let month = today.first_of_month().checked_add(offset.months()).ok()?;
        let date = Date::new(month.year(), month.month(), day).ok()?;
        let fits = if lean == Lean::Back { date <= today } else { date >= today };
        fits.then_some(date)
    })
}
