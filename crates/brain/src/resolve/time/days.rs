//! Days and stretches of days: "the 19th", "next week", "since Monday".

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::dates::{self, Dated, spelled_in_full};
use super::edges::edge;
use super::names::{month_name, month_named, name_of, nth, weekday_named};
use super::number::amount;
use super::relative::relative;
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
    pub fn day(date: Date, said: impl Into<String>) -> Self {
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

    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

/// Every defensible reading of the days named at the start of `words`, the
/// likeliest first, and how many words it took.
pub fn days(words: &[&str], today: Date, lean: Lean) -> Option<(Vec<Stretch>, usize)> {
    let one = |(stretch, used)| (vec![stretch], used);
    near(words, today)
        .or_else(|| relative(words, today, lean))
        .or_else(|| edge(words, today, lean))
        .or_else(|| around(words, today))
        .or_else(|| counted(words, today))
        .map(one)
        .or_else(|| counted_from(words, today))
        .or_else(|| numbered(words, today, lean))
        .or_else(|| weekday(words, today, lean))
        .or_else(|| whole_month(words, today, lean).map(one))
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
            if words.get(used)? != &"ago" {
                return None;
            }
            let day = unit.shift_by(today, -offset)?;
            Some((Stretch::day(day, format!("{count} {} ago", unit.name(count))), used + 1))
        }
    }
}

/// "A week from Tuesday", "two weeks from today", "a fortnight tomorrow".
fn counted_from(words: &[&str], today: Date) -> Option<(Vec<Stretch>, usize)> {
    let (count, unit, used) = counted_unit(words)?;
    let rest = &words[used..];
    let (anchor, link) = match rest {
        ["from", "now", ..] => (&["today"][..], 1),
        ["from" | "after" | "on", anchor @ ..] => (anchor, 1),
        ["today" | "tomorrow", ..] if unit != Unit::Day => (rest, 0),
        _ => return None,
    };
    // "A week on the job": only a weekday can be meant there.
    if rest[0] == "on" && weekday_named(anchor.first()?, true).is_none() {
        return None;
    }
    let (from, more) = days(anchor, today, Lean::Ahead)?;
    let is_today = from.first()?.said.starts_with(TODAY_TOO);
    let name = name_of(from.first()?.first.weekday());
    let shifted = from.into_iter().filter(|from| from.grain == Grain::Day).map(|from| {
        let date = unit.shift(from.first, count)?;
        let counted = from.first == today && !is_today;
        let said = if counted {
            format!("in {count} {}", unit.name(count))
        } else {
            in_words(date, today)
        };
        let reason = match (is_today, from.first == today) {
            (true, true) => Some(format!("today is a {name}; counted from today")),
            (true, false) => Some(format!("counted from the {name} of next week")),
            (false, _) => from.reason,
        };
        Some(Stretch { reason, ..Stretch::day(date, said) })
    });
    let shifted: Vec<_> = shifted.flatten().collect();
    (!shifted.is_empty()).then_some((shifted, used + link + more))
}

/// By weekday and number while that says it, else by the date.
fn in_words(date: Date, today: Date) -> String {
    let near = (plus(today, 1)..plus(today, 28)).contains(&date);
    if near {
        weekday_and_date(date)
    } else {
        format!("on {}", spelled_in_full(date, today, Lean::Ahead))
    }
}

/// "Friday", "next Friday", "last Friday", "Thursday the 19th".
fn weekday(words: &[&str], today: Date, lean: Lean) -> Option<(Vec<Stretch>, usize)> {
    let (which, skip) = match words {
        ["this", "coming", ..] => ("this", 2),
        ["this" | "next" | "last" | "coming" | "past", ..] => (words[0], 1),
        ["the", "next" | "last" | "coming", ..] => (words[1], 2),
        ["the", "following", ..] => ("", 2),
        _ => ("", 0),
    };
    let weekday = weekday_named(words.get(skip)?, !which.is_empty())?;
    let used = skip + 1;
    if which.is_empty()
        && skip == 0
        && let Some(weeks @ ("week" | "fortnight")) = words.get(used).copied()
    {
        let (mut found, _) = counted_from(&["a", weeks, "from", words[0]], today)?;
        // Late in the week it is counted from the coming one in any case.
        found.truncate(if weekday == today.weekday() { 2 } else { 1 });
        return Some((found, 2));
    }
    if let Some((Dated::On(dates), more)) = dates::behind(weekday, &words[used..], today, lean) {
        let with_month = !matches!(words.get(used), Some(&"the")) || more > 3;
        return Some((on_dates(dates, today, lean, with_month), used + more));
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

/// "The 19th", "November 19th", "2026-11-19", "3/4".
fn numbered(words: &[&str], today: Date, lean: Lean) -> Option<(Vec<Stretch>, usize)> {
    let (Dated::On(dates), used) = dates::dated(words, today, lean)? else { return None };
    let with_month = words[0] != "the" || used > 3 || month_named(words[used - 1]).is_some();
    Some((on_dates(dates, today, lean, with_month), used))
}

fn on_dates(
    dates: Vec<(Date, Option<String>)>,
    today: Date,
    lean: Lean,
    with_month: bool,
) -> Vec<Stretch> {
    let told = |(date, reason)| {
        let said = if with_month {
            format!("on {}", spelled_in_full(date, today, lean))
        } else {
            weekday_and_date(date)
        };
        Stretch { reason, ..Stretch::day(date, said) }
    };
    dates.into_iter().map(told).collect()
}

/// "December", "december 2027"
fn whole_month(words: &[&str], today: Date, lean: Lean) -> Option<(Stretch, usize)> {
    // "In May" is the month; a bare "may" is not.
    if let ["in", name, ..] = words
        && let Some(month) = month_named(name)
        && dates::year(words.get(2)).is_none()
    {
        return coming_month(month, month_name(month), today, lean).map(|stretch| (stretch, 2));
    }
    let word = *words.first()?;
    let month = month_named(word)?;
    if let Some(year) = dates::year(words.get(1)) {
        let first = Date::new(year, month, 1).ok()?;
        let said = format!("in {} {year}", month_name(month));
        let end = first.checked_add(1.month()).ok()?;
        return Some((Stretch::new(first, end, Grain::Month, said), 2));
    }
    coming_month(month, word, today, lean).map(|stretch| (stretch, 1))
}

fn coming_month(month: i8, word: &str, today: Date, lean: Lean) -> Option<Stretch> {
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

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Day,
    Week,
    Fortnight,
    Month,
}

impl Unit {
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "day" | "days" => Self::Day,
            "week" | "weeks" => Self::Week,
            "fortnight" | "fortnights" => Self::Fortnight,
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
            (Self::Fortnight, 1) => "fortnight",
            (Self::Fortnight, _) => "fortnights",
            (Self::Month, 1) => "month",
            (Self::Month, _) => "months",
        }
    }

    fn days(self) -> u32 {
        match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Fortnight => 14,
            Self::Month => 30,
        }
    }

    pub fn shift(self, from: Date, count: u32) -> Option<Date> {
        self.shift_by(from, i32::try_from(count).ok()?)
    }

    pub fn shift_by(self, from: Date, count: i32) -> Option<Date> {
        let span = match self {
            Self::Day => count.days(),
            Self::Week => count.weeks(),
            Self::Fortnight => count.checked_mul(2)?.weeks(),
            Self::Month => count.months(),
        };
        from.checked_add(span).ok()
    }
}

/// "Three days", "a week", "a week and a half": ten days.
pub fn counted_unit(words: &[&str]) -> Option<(u32, Unit, usize)> {
    const HALF: [&str; 3] = ["and", "a", "half"];
    let (count, used) = amount(words).filter(|(count, _)| (1..=366).contains(count))?;
    let before = words.get(used..)?.starts_with(&HALF);
    let at = if before { used + HALF.len() } else { used };
    let unit = Unit::from_word(words.get(at)?)?;
    let behind = words[at + 1..].starts_with(&HALF);
    match (before || behind, unit) {
        (false, _) => Some((count, unit, at + 1)),
        (true, Unit::Week) => Some((count * 7 + 3, Unit::Day, used + 1 + HALF.len())),
        // Half of these is no day that anybody could name.
        (true, Unit::Day | Unit::Fortnight | Unit::Month) => None,
    }
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

pub fn following(today: Date, weekday: Weekday) -> Date {
    let ahead = (offset_of(weekday) - offset_of(today.weekday())).rem_euclid(7);
    plus(today, if ahead == 0 { 7 } else { ahead })
}

pub fn preceding(today: Date, weekday: Weekday) -> Date {
    plus(following(today, weekday), if weekday == today.weekday() { -14 } else { -7 })
}
