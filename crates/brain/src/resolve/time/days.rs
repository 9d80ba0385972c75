//! Days and stretches of days: "the 19th", "next week", "since Monday".

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::edges::edge;
use super::names::{month_name, month_named, name_of, nth, weekday_named};
use super::number::{amount, cardinal, ordinal};
use super::{Grain, Lean};

/// Whole days; `end` does not belong to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub first: Date,
    pub end: Date,
    pub grain: Grain,
    /// As it stands in a sentence: "tomorrow", "on Thursday", "next week".
    pub said: String,
    /// What was taken for granted, if anything was.
    pub reason: Option<String>,
    /// "The last seven days": counted back from now rather than in whole days.
    pub rolling_days: Option<u32>,
    /// Nobody named a day; today stands in.
    pub assumed: bool,
}

impl Stretch {
    fn day(date: Date, said: impl Into<String>) -> Self {
        Self::new(date, plus(date, 1), Grain::Day, said)
    }

    pub fn new(first: Date, end: Date, grain: Grain, said: impl Into<String>) -> Self {
        Self {
            first,
            end,
            grain,
            said: said.into(),
            reason: None,
            rolling_days: None,
            assumed: false,
        }
    }

    fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

/// Every defensible reading of the days named at the start of `words`, the
/// likeliest first, and how many words it took.
pub fn days(words: &[&str], today: Date, lean: Lean) -> Option<(Vec<Stretch>, usize)> {
    let one = |(stretch, used)| (vec![stretch], used);
    near(words, today)
        .or_else(|| edge(words, today, lean))
        .or_else(|| around(words, today))
        .or_else(|| counted(words, today))
        .map(one)
        .or_else(|| weekday(words, today, lean))
        .or_else(|| in_month(words, today, lean).map(one))
}

/// Today and its neighbours.
fn near(words: &[&str], today: Date) -> Option<(Stretch, usize)> {
    let day = |offset, said: &str| Stretch::day(plus(today, offset), said);
    Some(match words {
        ["the", "day", "after", "tomorrow", ..] => (day(2, "the day after tomorrow"), 4),
        ["day", "after", "tomorrow", ..] => (day(2, "the day after tomorrow"), 3),
        ["the", "day", "before", "yesterday", ..] => (day(-2, "the day before yesterday"), 4),
        ["day", "before", "yesterday", ..] => (day(-2, "the day before yesterday"), 3),
        ["today", ..] => (day(0, "today"), 1),
        ["tomorrow" | "tomorow" | "tommorow" | "tommorrow" | "tmrw" | "tmr", ..] => {
            (day(1, "tomorrow"), 1)
        }
        ["yesterday", ..] => (day(-1, "yesterday"), 1),
        _ => return None,
    })
}

/// This, next and last week, weekend, month and year.
fn around(words: &[&str], today: Date) -> Option<(Stretch, usize)> {
    let (offset, skip) = match words {
        ["the", "week", "after", "next", ..] => return Some((week(today, 2, "in two weeks"), 4)),
        ["weekend", "after", "next", ..] => return Some((weekend(today, 2, "in two weekends"), 3)),
        ["the", "weekend", "after", "next", ..] => {
            return Some((weekend(today, 2, "in two weekends"), 4));
        }
        ["week", "after", "next", ..] => return Some((week(today, 2, "in two weeks"), 3)),
        ["this", "coming" | "past", ..] => (0, 2),
        ["the", "coming" | "next" | "following", ..] => (1, 2),
        ["this" | "my", ..] => (0, 1),
        ["next" | "coming" | "following", ..] => (1, 1),
        ["the", "last" | "previous", ..] => (-1, 2),
        ["last" | "previous", ..] => (-1, 1),
        ["the", "week" | "weekend" | "month", ..] => (0, 1),
        ["weekend", ..] => (0, 0),
        _ => return None,
    };
    let named = |unit: &str| match offset {
        0 => format!("this {unit}"),
        1 => format!("next {unit}"),
        _ => format!("last {unit}"),
    };
    let stretch = match *words.get(skip)? {
        // "The week of the 12th" is not this week.
        "week" if words.get(skip + 1) != Some(&"of") => week(today, offset, &named("week")),
        "weekend" => weekend(today, offset, &named("weekend")),
        "month" => month(today, offset, &named("month")),
        "year" => {
            let first = Date::new(today.year() + i16::try_from(offset).ok()?, 1, 1).ok()?;
            let end = Date::new(first.year() + 1, 1, 1).ok()?;
            Stretch::new(first, end, Grain::Span, named("year"))
        }
        _ => return None,
    };
    Some((stretch, skip + 1))
}

/// "In three days", "two weeks ago", "the last seven days", "the past week".
fn counted(words: &[&str], today: Date) -> Option<(Stretch, usize)> {
    let the = usize::from(words.first() == Some(&"the"));
    match words.get(the)? {
        &"in" if the == 0 => {
            let (count, unit, used) = counted_unit(&words[1..])?;
            let day = unit.shift(today, count)?;
            let said = format!("in {count} {}", unit.name(count));
            Some((Stretch::day(day, said), 1 + used))
        }
        &("next" | "coming" | "following") => {
            let (count, unit, used) = counted_unit(&words[the + 1..])?;
            let end = plus(unit.shift(today, count)?, 1);
            let said = format!("in the next {count} {}", unit.name(count));
            Some((Stretch::new(today, end, Grain::Ahead, said), the + 1 + used))
        }
        back @ &("last" | "past") => {
            let rest = &words[the + 1..];
            let (count, unit, used) = counted_unit(rest).or_else(|| {
                let unit = Unit::from_word(rest.first()?)?;
                (*back == "past").then_some((1, unit, 1))
            })?;
            let days = unit.days() * count;
            let first = plus(today, -i64::from(days));
            let mut stretch = Stretch::new(
                first,
                plus(today, 1),
                Grain::Span,
                format!("in the last {days} {}", Unit::Day.name(days)),
            );
            stretch.rolling_days = Some(days);
            Some((stretch, the + 1 + used))
        }
        _ => {
            let (count, unit, used) = counted_unit(words)?;
            let offset = i32::try_from(count).ok()?;
            match (words.get(used)?, words.get(used + 1)) {
                (&"ago", _) => {
                    let day = unit.shift_by(today, -offset)?;
                    let said = format!("{count} {} ago", unit.name(count));
                    Some((Stretch::day(day, said), used + 1))
                }
                (&"from", Some(&"tomorrow")) => {
                    let day = plus(unit.shift_by(today, offset)?, 1);
                    Some((Stretch::day(day, weekday_and_date(day)), used + 2))
                }
                (&"from", Some(&("now" | "today"))) => {
                    let said = format!("in {count} {}", unit.name(count));
                    Some((Stretch::day(unit.shift_by(today, offset)?, said), used + 2))
                }
                _ => None,
            }
        }
    }
}

/// "Friday", "next Friday", "last Friday", "Thursday the 19th".
fn weekday(words: &[&str], today: Date, lean: Lean) -> Option<(Vec<Stretch>, usize)> {
    let (which, skip) = match words {
        ["this", "coming", ..] => ("this", 2),
        ["this" | "next" | "last" | "coming" | "past", ..] => (words[0], 1),
        ["the", "next" | "last" | "coming", ..] => (words[1], 2),
        _ => ("", 0),
    };
    if let ["a", "week", "from" | "on", day, ..] = words {
        let date = plus(following(today, weekday_named(day, true)?), 7);
        return Some((vec![Stretch::day(date, weekday_and_date(date))], 4));
    }
    let weekday = weekday_named(words.get(skip)?, !which.is_empty())?;
    let used = skip + 1;
    if which.is_empty() && words.get(used) == Some(&"week") {
        let date = plus(following(today, weekday), 7);
        return Some((vec![Stretch::day(date, weekday_and_date(date))], 2));
    }
    if let Some((date, more)) = dated(weekday, &words[used..], today) {
        return Some((vec![date], used + more));
    }
    let coming = following(today, weekday);
    let gone = preceding(today, weekday);
    let name = name_of(weekday);
    let stretches = match which {
        "last" | "past" => vec![Stretch::day(gone, format!("last {name}"))],
        "next" => {
            let next_week = plus(monday_of(today), 7 + offset_of(weekday));
            let next = Stretch::day(next_week, weekday_and_date(next_week));
            if next_week == coming {
                vec![next]
            } else {
                let nearest = Stretch::day(coming, weekday_and_date(coming));
                vec![
                    next.because(format!("took \"next {name}\" as the one of next week")),
                    nearest.because(format!("\"next {name}\" may be the coming one")),
                ]
            }
        }
        _ if weekday == today.weekday() && which == "this" => vec![Stretch::day(today, "today")],
        _ if weekday == today.weekday() && lean == Lean::Back => {
            let day = Stretch::day(gone, weekday_and_date(gone));
            vec![day.because(format!("today is a {name}; took another one"))]
        }
        // Which of the two it is depends on how late it is.
        _ if weekday == today.weekday() => vec![
            Stretch::day(today, format!("{TODAY_TOO}{name}")),
            Stretch::day(coming, weekday_and_date(coming)),
        ],
        _ if lean == Lean::Back && which.is_empty() => {
            vec![Stretch::day(gone, format!("on {name}"))]
        }
        _ => vec![Stretch::day(coming, format!("on {name}"))],
    };
    Some((stretches, used))
}

/// A day named by the weekday that today happens to be begins so.
pub const TODAY_TOO: &str = "today, ";

fn weekday_and_date(date: Date) -> String {
    format!("on {} the {}", name_of(date.weekday()), nth(date))
}

/// The "the 19th" of "Thursday the 19th". The number wins where the two disagree.
fn dated(weekday: Weekday, words: &[&str], today: Date) -> Option<(Stretch, usize)> {
    let (stretch, used) = in_month(words, today, Lean::Ahead)?;
    if stretch.grain != Grain::Day {
        return None;
    }
    let found = stretch.first.weekday();
    if found == weekday {
        return Some((stretch, used));
    }
    let reason = format!("the {} is a {}", nth(stretch.first), name_of(found));
    Some((stretch.because(reason), used))
}

/// "The 19th", "November 19th", "19 November", "December", "2026-11-19", "11/19".
fn in_month(words: &[&str], today: Date, lean: Lean) -> Option<(Stretch, usize)> {
    if let Ok(date) = words.first()?.parse::<Date>()
        && words[0].len() == 10
    {
        return Some((Stretch::day(date, spelled(date)), 1));
    }
    if let Some((day, month)) = words[0].split_once('.') {
        let date = nearest(month.parse().ok()?, day.parse().ok()?, today, lean)?;
        return Some((Stretch::day(date, spelled(date)), 1));
    }
    if let Some((month, day)) = words[0].split_once('/') {
        let (month, day): (i8, i8) = (month.parse().ok()?, day.parse().ok()?);
        let (month, day) = if month > 12 { (day, month) } else { (month, day) };
        let date = nearest(month, day, today, lean)?;
        let reason = "took the first number as the month";
        return Some((Stretch::day(date, spelled(date)).because(reason), 1));
    }
    if let Some(month) = month_named(words[0]) {
        let the = usize::from(words.get(1) == Some(&"the"));
        let rest = &words[1 + the..];
        if let Some((day, used)) = ordinal(rest).or_else(|| cardinal(rest)) {
            let date = nearest(month, i8::try_from(day).ok()?, today, lean)?;
            return Some((Stretch::day(date, spelled(date)), 1 + the + used));
        }
        return whole_month(month, words[0], today, lean).map(|stretch| (stretch, 1));
    }
    let the = usize::from(words[0] == "the");
    let rest = &words[the..];
    let (day, used) = ordinal(rest).or_else(|| cardinal(rest))?;
    let of = usize::from(rest.get(used) == Some(&"of"));
    let day = i8::try_from(day).ok()?;
    if let Some(month) = rest.get(used + of).and_then(|word| month_named(word)) {
        let date = nearest(month, day, today, lean)?;
        return Some((Stretch::day(date, spelled(date)), the + used + of + 1));
    }
    // Without a month it needs "the" and a number that is not counting things.
    if the == 0 || ordinal(rest).is_none() || counts_things(rest.get(used)) {
        return None;
    }
    let date = nearest_day(day, today, lean)?;
    Some((Stretch::day(date, weekday_and_date(date)), 1 + used))
}

fn counts_things(next: Option<&&str>) -> bool {
    let functional = [
        "at", "and", "with", "in", "on", "from", "to", "between", "before", "after", "or", "for",
        "around", "please", "about", "is", "look", "like", "free", "busy", "then", "by", "am",
    ];
    next.is_some_and(|next| !functional.contains(next) && super::Part::from_word(next).is_none())
}

fn whole_month(month: i8, word: &str, today: Date, lean: Lean) -> Option<Stretch> {
    // "May" and "march" are words of their own; they need a day beside them.
    if matches!(word, "may" | "march" | "mar" | "jan" | "dec" | "sep") {
        return None;
    }
    let first = Date::new(today.year(), month, 1).ok()?;
    let ahead = match lean {
        Lean::Ahead if month < today.month() => Date::new(today.year() + 1, month, 1).ok()?,
        Lean::Back if month > today.month() => Date::new(today.year() - 1, month, 1).ok()?,
        _ => first,
    };
    let end = ahead.checked_add(1.month()).ok()?;
    Some(Stretch::new(ahead, end, Grain::Month, format!("in {}", month_name(month))))
}

fn nearest(month: i8, day: i8, today: Date, lean: Lean) -> Option<Date> {
    let year = match lean {
        Lean::Ahead if (month, day) < (today.month(), today.day()) => today.year() + 1,
        Lean::Back if (month, day) > (today.month(), today.day()) => today.year() - 1,
        _ => today.year(),
    };
    Date::new(year, month, day).ok()
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

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Day,
    Week,
    Month,
}

impl Unit {
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "day" | "days" => Self::Day,
            "week" | "weeks" => Self::Week,
            "month" | "months" => Self::Month,
            _ => return None,
        })
    }

    fn name(self, count: u32) -> &'static str {
        match (self, count) {
            (Self::Day, 1) => "day",
            (Self::Day, _) => "days",
            (Self::Week, 1) => "week",
            (Self::Week, _) => "weeks",
            (Self::Month, 1) => "month",
            (Self::Month, _) => "months",
        }
    }

    fn days(self) -> u32 {
        match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 30,
        }
    }

    fn shift(self, from: Date, count: u32) -> Option<Date> {
        self.shift_by(from, i32::try_from(count).ok()?)
    }

    fn shift_by(self, from: Date, count: i32) -> Option<Date> {
        let span = match self {
            Self::Day => count.days(),
            Self::Week => count.weeks(),
            Self::Month => count.months(),
        };
        from.checked_add(span).ok()
    }
}

fn counted_unit(words: &[&str]) -> Option<(u32, Unit, usize)> {
    let (count, used) = amount(words).filter(|(count, _)| (1..=366).contains(count))?;
    let unit = Unit::from_word(words.get(used)?)?;
    Some((count, unit, used + 1))
}

fn week(today: Date, offset: i64, said: &str) -> Stretch {
    let monday = plus(monday_of(today), 7 * offset);
    Stretch::new(monday, plus(monday, 7), Grain::Week, said)
}

fn weekend(today: Date, offset: i64, said: &str) -> Stretch {
    let saturday = plus(monday_of(today), 5 + 7 * offset);
    Stretch::new(saturday, plus(saturday, 2), Grain::Weekend, said)
}

fn month(today: Date, offset: i64, said: &str) -> Stretch {
    let first = today.first_of_month().saturating_add(offset.months());
    Stretch::new(first, first.saturating_add(1.month()), Grain::Month, said)
}

pub fn plus(date: Date, days: i64) -> Date {
    date.saturating_add(days.days())
}

/// Weeks start on Monday.
pub fn monday_of(date: Date) -> Date {
    plus(date, -offset_of(date.weekday()))
}

pub fn offset_of(weekday: Weekday) -> i64 {
    i64::from(weekday.to_monday_zero_offset())
}

fn following(today: Date, weekday: Weekday) -> Date {
    let ahead = (offset_of(weekday) - offset_of(today.weekday())).rem_euclid(7);
    plus(today, if ahead == 0 { 7 } else { ahead })
}

fn preceding(today: Date, weekday: Weekday) -> Date {
    plus(following(today, weekday), if weekday == today.weekday() { -14 } else { -7 })
}

fn spelled(date: Date) -> String {
    format!("on {} {}", month_name(date.month()), date.day())
}
