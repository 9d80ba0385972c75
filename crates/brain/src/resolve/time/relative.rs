//! Days told by other days: "the day before Christmas", "the Monday after
//! next", "November 20 to 22", "the first week of December".

use jiff::civil::{Date, Weekday};

use super::dates::{self, Dated, spelled};
use super::days::{self, Stretch, Unit, monday_of, offset_of, plus};
use super::names::{month_name, month_named, name_of, weekday_named};
use super::number::{cardinal, ordinal};
use super::{Grain, Lean};

/// Such days at the start of `words`, and how many words named them.
pub fn relative(words: &[&str], today: Date, lean: Lean) -> Option<(Stretch, usize)> {
    after_next(words, today)
        .or_else(|| counted_before(words, today, lean))
        .or_else(|| weekday_beside(words, today, lean))
        .or_else(|| in_weeks_on(words, today))
        .or_else(|| days_of_month(words, today, lean))
        .or_else(|| week_of_month(words, today, lean))
}

fn on(date: Date, today: Date, lean: Lean) -> Stretch {
    Stretch::day(date, format!("on {}", dates::spelled_in_full(date, today, lean)))
}

/// One day, and nothing wider or less certain.
fn one_day(words: &[&str], today: Date, lean: Lean) -> Option<(Date, usize)> {
    let (all, used) = days::days(words, today, lean)?;
    let day = all.first().filter(|day| day.grain == Grain::Day)?;
    Some((day.first, used))
}

/// "The Monday after next", "the Friday before last".
fn after_next(words: &[&str], today: Date) -> Option<(Stretch, usize)> {
    let the = usize::from(words.first() == Some(&"the"));
    let weekday = weekday_named(words.get(the)?, false)?;
    let date = match words.get(the + 1..)? {
        ["after", "next", ..] => plus(days::following(today, weekday), 7),
        ["before", "last", ..] => plus(days::preceding(today, weekday), -7),
        _ => return None,
    };
    let name = name_of(weekday);
    let reason = if date > today {
        format!("took the second {name} from now")
    } else {
        format!("took the second {name} back")
    };
    Some((on(date, today, Lean::Ahead).because(reason), the + 3))
}

/// "The day before Christmas", "two weeks before the 20th", "the day after Friday".
fn counted_before(words: &[&str], today: Date, lean: Lean) -> Option<(Stretch, usize)> {
    let the = usize::from(words.first() == Some(&"the"));
    let (count, unit, used) = match words.get(the..)? {
        ["day", ..] => (1, Unit::Day, the + 1),
        ["week", ..] => (1, Unit::Week, the + 1),
        rest => {
            let (count, unit, used) = days::counted_unit(rest)?;
            (count, unit, the + used)
        }
    };
    let back = match *words.get(used)? {
        "before" => true,
        "after" => false,
        _ => return None,
    };
    let (anchor, more) = one_day(&words[used + 1..], today, lean)?;
    let count = i32::try_from(count).ok()?;
    let date = unit.shift_by(anchor, if back { -count } else { count })?;
    Some((on(date, today, lean), used + 1 + more))
}

/// "The Friday before Christmas", "the Monday after the 20th".
fn weekday_beside(words: &[&str], today: Date, lean: Lean) -> Option<(Stretch, usize)> {
    let the = usize::from(words.first() == Some(&"the"));
    let weekday = weekday_named(words.get(the)?, false)?;
    let back = match *words.get(the + 1)? {
        "before" => true,
        "after" => false,
        _ => return None,
    };
    // "Friday after 3" is about the clock.
    let (Dated::On(dates), used) = dates::dated(words.get(the + 2..)?, today, lean)? else {
        return None;
    };
    let (anchor, _) = *dates.first()?;
    let date =
        if back { days::preceding(anchor, weekday) } else { days::following(anchor, weekday) };
    Some((on(date, today, lean), the + 2 + used))
}

/// "In two weeks on Friday": the Friday of that week.
fn in_weeks_on(words: &[&str], today: Date) -> Option<(Stretch, usize)> {
    let (&"in", rest) = words.split_first()? else { return None };
    let (count, unit, used) = days::counted_unit(rest)?;
    let on_word = usize::from(rest.get(used) == Some(&"on"));
    let weekday: Weekday = weekday_named(rest.get(used + on_word)?, on_word == 1)?;
    if !matches!(unit, Unit::Week | Unit::Fortnight) {
        return None;
    }
    let week = unit.shift(today, count)?;
    let date = plus(monday_of(week), offset_of(weekday));
    let reason = format!("took the {} of that week", name_of(weekday));
    let used = 1 + used + on_word + 1;
    Some((on(date, today, Lean::Ahead).because(reason), used))
}

/// "November 20 to 22", "the 20th to the 22nd of November".
pub fn days_of_month(words: &[&str], today: Date, lean: Lean) -> Option<(Stretch, usize)> {
    let number = |words: &[&str]| {
        let the = usize::from(words.first() == Some(&"the"));
        let (day, used) = ordinal(&words[the..]).or_else(|| cardinal(&words[the..]))?;
        (1..=31).contains(&day).then_some((day, the + used))
    };
    let two = |words: &[&str]| {
        let (first, used) = number(words)?;
        let link = matches!(words.get(used), Some(&("to" | "until" | "till" | "through")));
        let (last, more) = number(words.get(used + 1..).filter(|_| link)?)?;
        (first < last).then_some((first, last, used + 1 + more))
    };
    let (month, first, last, used) = if let Some(month) = month_named(words.first()?) {
        let (first, last, used) = two(&words[1..])?;
        // "December 3 to 5 pm" has no such thing in it.
        if matches!(words.get(1 + used), Some(&("am" | "pm"))) {
            return None;
        }
        (month, first, last, 1 + used)
    } else {
        let (first, last, used) = two(words)?;
        let of = usize::from(words.get(used) == Some(&"of"));
        (month_named(words.get(used + of)?)?, first, last, used + of + 1)
    };
    let name = month_name(month);
    let day = |day: u32| match dates::dated(&[name, &day.to_string()], today, lean) {
        Some((Dated::On(dates), 2)) => dates.first().map(|(date, _)| *date),
        _ => None,
    };
    let (first, last) = (day(first)?, day(last)?);
    let said = format!("from {} to {}", spelled(first), spelled(last));
    (first < last).then(|| (Stretch::new(first, plus(last, 1), Grain::Span, said), used))
}

/// "The first week of December", "the last week of the month".
fn week_of_month(words: &[&str], today: Date, lean: Lean) -> Option<(Stretch, usize)> {
    let the = usize::from(words.first() == Some(&"the"));
    let (nth, used) = match words.get(the..)? {
        ["last", "week", ..] => (None, 1),
        rest => ordinal(rest).map(|(nth, used)| (Some(nth), used))?,
    };
    let ["week", "of" | "in", rest @ ..] = words.get(the + used..)? else { return None };
    let (month, more) = dates::month_of(rest, today, lean)?;
    let end = month.last_of_month();
    let first = match nth {
        None => plus(end, -6),
        Some(nth @ 1..=4) => plus(month, 7 * (i64::from(nth) - 1)),
        Some(_) => return None,
    };
    let which = words[the..the + used].join(" ");
    let said = format!("in the {which} week of {}", month_name(month.month()));
    Some((Stretch::new(first, plus(first, 7), Grain::Span, said), the + used + 2 + more))
}
