//! The pieces a time is said in, found one after another in a sentence.

use std::ops::Range;

use jiff::civil::Date;
use jiff::{ToSpan, Zoned};

use super::days::{self, Stretch, monday_of, offset_of, plus};
use super::hours::{self, Hours};
use super::length::starts_with_length;
use super::names::{name_of, weekday_named};
use super::number::amount;
use super::part::Part;
use super::relative;
use super::zones::{self, Zone};
use super::{Grain, Lean, Reading, several, zoned};
use crate::facts::DateRange;

/// One piece. "Friday afternoon at 3" has three of them.
pub enum Piece {
    Days(Vec<Stretch>),
    /// Loose: "in the morning", without saying which.
    Part {
        part: Part,
        loose: bool,
        /// What its name left open.
        reason: Option<&'static str>,
    },
    /// "Tonight", "last night": a day and a part in one word.
    DayPart(Stretch, Part),
    Hours(Hours),
    Since(Vec<Stretch>),
    Until(Vec<Stretch>),
    Before(Vec<Stretch>),
    Exact(Box<Reading>),
    /// "Berlin time"
    Zone(Zone),
    /// "My time"
    Here,
}

/// All pieces of a sentence with the places of their words.
pub fn find(words: &[&str], now: &Zoned, lean: Lean) -> Vec<(Piece, Range<usize>)> {
    let mut found: Vec<(Piece, Range<usize>)> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let after_clock =
            matches!(found.last(), Some((Piece::Hours(_), places)) if places.end == at);
        if let Some((zone, used)) = zones::named(&words[at..], after_clock) {
            found.push((Piece::Zone(zone), at..at + used));
            at += used;
            continue;
        }
        if after_clock && let ["my" | "our" | "local", "time", ..] = words[at..] {
            found.push((Piece::Here, at..at + 2));
            at += 2;
            continue;
        }
        let after_day = matches!(
            found.last(),
            Some((Piece::Days(_) | Piece::DayPart(..) | Piece::Part { .. }, places))
                if places.end == at
        );
        let Some((piece, used)) = piece(words, at, after_day, now, lean) else {
            at += 1;
            continue;
        };
        let start = at - little_words(&words[..at], &piece);
        let owns = usize::from(words.get(at + used) == Some(&"'s"));
        found.push((piece, start..at + used + owns));
        at += used + owns;
    }
    without_names(found)
}

/// The "evening" of "put parent evening in my calendar Wednesday at 7 pm" is a
/// name: a lone part of the day, away from the hour and the day that were told.
fn without_names(mut found: Vec<(Piece, Range<usize>)>) -> Vec<(Piece, Range<usize>)> {
    let edges: Vec<Range<usize>> = found.iter().map(|(_, places)| places.clone()).collect();
    let told = found.iter().any(|(piece, _)| matches!(piece, Piece::Hours(_)))
        && found.iter().any(|(piece, _)| matches!(piece, Piece::Days(_)));
    found.retain(|(piece, places)| {
        let lone = matches!(piece, Piece::Part { loose: false, .. }) && places.len() == 1;
        let touches = |other: &Range<usize>| other.end == places.start || places.end == other.start;
        !(told && lone && places.start > 0 && !edges.iter().any(touches))
    });
    found
}

/// "On Friday", "for tomorrow", "in the next hour": how many little words
/// before it belong to a piece.
fn little_words(before: &[&str], piece: &Piece) -> usize {
    let Some(last) = before.last() else { return 0 };
    let takes = match piece {
        Piece::Days(_) | Piece::DayPart(..) => {
            if let [.., "every" | "each", "day"] = before {
                return 2;
            }
            matches!(
                *last,
                "on" | "for" | "in" | "during" | "over" | "of" | "from" | "within" | "at"
            )
        }
        Piece::Part { .. } => matches!(*last, "on" | "for" | "during" | "from"),
        Piece::Exact(_) => {
            if let [.., "for" | "in" | "during" | "over" | "within", "the"] = before {
                return 2;
            }
            matches!(*last, "for" | "in" | "during" | "over" | "within" | "the")
        }
        Piece::Hours(_)
        | Piece::Since(_)
        | Piece::Until(_)
        | Piece::Before(_)
        | Piece::Zone(_)
        | Piece::Here => false,
    };
    usize::from(takes)
}

fn piece(
    words: &[&str],
    at: usize,
    after_day: bool,
    now: &Zoned,
    lean: Lean,
) -> Option<(Piece, usize)> {
    let rest = &words[at..];
    exact(rest, now)
        .or_else(|| bound(rest, now, lean))
        .or_else(|| {
            // "20-22 November" are days.
            if let Some((stretch, used)) = relative::days_of_month(rest, now.date(), lean) {
                return Some((Piece::Days(vec![stretch]), used));
            }
            let before_day = |rest: &[&str]| days::days(rest, now.date(), lean).is_some();
            let (hours, used) = hours::hours(rest, after_day, before_day)?;
            Some((Piece::Hours(hours), used))
        })
        .or_else(|| day_part(rest, now))
        .or_else(|| from_day_to_day(rest, now, lean))
        .or_else(|| {
            let (stretch, used) = several::in_a_row(rest, now, lean)?;
            Some((Piece::Days(vec![stretch]), used))
        })
        .or_else(|| {
            let introduced = at > 0 && matches!(words[at - 1], "on" | "and" | "or");
            single(rest, now, lean, introduced)
        })
        .or_else(|| part(rest))
}

fn single(words: &[&str], now: &Zoned, lean: Lean, introduced: bool) -> Option<(Piece, usize)> {
    let today = now.date();
    // "Sat at 3", "sun 3pm": what follows says that it is a day.
    let clock =
        |rest: &[&str]| hours::hours(rest, false, |_| false).is_some() || part(rest).is_some();
    if let ["sat" | "sun", rest @ ..] = words
        && (introduced || clock(rest))
    {
        let (stretches, _) = days::days(&["this", words[0]], today, lean)?;
        return Some((Piece::Days(stretches), 1));
    }
    // "The first one", "on the second": a bare small ordinal needs "on" before it.
    let small = matches!(words, ["the", "first" | "second" | "third" | "fourth" | "fifth", ..]);
    // "The first Monday of December" is none of those.
    let of_month = words.get(2).is_some_and(|unit| {
        matches!(*unit, "day" | "of" | "week") || super::weekday_named(unit, true).is_some()
    });
    if small && !introduced && !of_month {
        return None;
    }
    let (stretches, used) = days::days(words, today, lean)?;
    Some((Piece::Days(stretches), used))
}

/// Now, the rest of today, and hours counted from now.
fn exact(words: &[&str], now: &Zoned) -> Option<(Piece, usize)> {
    let (reading, used) = this_moment(words, now)
        .or_else(|| rest_of(words, now))
        .or_else(|| counted_hours(words, now))?;
    Some((Piece::Exact(Box::new(reading)), used))
}

fn reading(start: Zoned, end: Zoned, grain: Grain, said: impl Into<String>) -> Reading {
    let (range, said) = (DateRange { start, end }, said.into());
    Reading { range, grain, said, reason: None, daily: None, rolling_days: None }
}

fn this_moment(words: &[&str], now: &Zoned) -> Option<(Reading, usize)> {
    let used = match words {
        ["at", "the", "moment", ..] => 3,
        ["right", "now", ..] => 2,
        ["now" | "currently", ..] => 1,
        _ => return None,
    };
    Some((reading(now.clone(), now.saturating_add(1.minute()), Grain::Moment, "right now"), used))
}

fn rest_of(words: &[&str], now: &Zoned) -> Option<(Reading, usize)> {
    let today = now.date();
    let (unit, used) = match words {
        ["later", "today", ..] => ("later", 2),
        ["later", "this", "week", ..] => ("later week", 3),
        ["later", "this", "month", ..] => ("later month", 3),
        ["rest" | "remainder", "of", "the" | "this" | "my", unit, ..] => (*unit, 4),
        ["rest" | "remainder", "of", unit, ..] => (*unit, 3),
        _ => return None,
    };
    let (end, said) = match unit {
        "later" => (plus(today, 1), "later today"),
        "day" | "today" => (plus(today, 1), "for the rest of the day"),
        "week" => (plus(days::monday_of(today), 7), "for the rest of the week"),
        "later week" => (plus(days::monday_of(today), 7), "later this week"),
        "month" => (today.first_of_month().saturating_add(1.month()), "for the rest of the month"),
        "later month" => (today.first_of_month().saturating_add(1.month()), "later this month"),
        _ => return None,
    };
    Some((reading(now.clone(), zoned(now, end, 0), Grain::Ahead, said), used))
}

/// "In half an hour", "two hours from now", "the next hour", "the last 20 minutes".
fn counted_hours(words: &[&str], now: &Zoned) -> Option<(Reading, usize)> {
    if let Some((seconds, used)) = starts_with_length(words).or_else(|| days_and_a_half(words))
        && let Some(["from", "now", ..]) = words.get(used..)
    {
        let said = format!("in {}", words[..used].join(" "));
        return Some((moment_in(seconds, now, said), used + 2));
    }
    let (which @ &("next" | "last" | "past" | "in"), more) = words.split_first()? else {
        return None;
    };
    let (seconds, used) = match more {
        ["hour", ..] if *which != "in" => (3_600, 1),
        _ => starts_with_length(more).or_else(|| days_and_a_half(more)).or_else(|| few(more))?,
    };
    // "In a day" is a day.
    if seconds == super::WHOLE_DAY * 60 {
        return None;
    }
    let counted = match more[..used] {
        ["a" | "an" | "one" | "1", unit] | [unit] => unit.to_owned(),
        ref all => all.join(" "),
    };
    let span = i64::from(seconds).seconds();
    let reading = match *which {
        "next" => {
            let said = format!("in the next {counted}");
            reading(now.clone(), now.saturating_add(span), Grain::Hours, said)
        }
        "in" => moment_in(seconds, now, format!("in {}", more[..used].join(" "))),
        _ => {
            let said = format!("in the last {counted}");
            reading(now.saturating_sub(span), now.clone(), Grain::Span, said)
        }
    };
    Some((reading, 1 + used))
}

/// "A few minutes", "a couple of hours"
fn few(words: &[&str]) -> Option<(u32, usize)> {
    let (count, used) = amount(words)?;
    let seconds = match *words.get(used)? {
        "hour" | "hours" => count * 3_600,
        "minute" | "minutes" => count * 60,
        _ => return None,
    };
    Some((seconds, used + 1))
}

/// "A day and a half", "two and a half days": no day of its own, so it is counted to the hour.
fn days_and_a_half(words: &[&str]) -> Option<(u32, usize)> {
    let (count, used) = amount(words).filter(|(count, _)| *count <= 60)?;
    let (["day" | "days", "and", "a", "half", ..] | ["and", "a", "half", "day" | "days", ..]) =
        words.get(used..)?
    else {
        return None;
    };
    Some((count * 86_400 + 43_200, used + 4))
}

fn moment_in(seconds: u32, now: &Zoned, said: String) -> Reading {
    let start = now.saturating_add(i64::from(seconds).seconds());
    let end = start.saturating_add(1.minute());
    reading(start, end, Grain::Moment, said)
}

/// "Since Monday", "until Friday", "since this morning".
fn bound(words: &[&str], now: &Zoned, lean: Lean) -> Option<(Piece, usize)> {
    let today = now.date();
    match words {
        ["since", more @ ..] => {
            if let [this @ "this", part, ..] = more
                && let Some(part) = Part::from_word(part)
            {
                let start = zoned(now, today, part.hours().0);
                let said = format!("since {this} {}", part.name());
                let reading = reading(start, now.clone(), Grain::Span, said);
                return Some((Piece::Exact(Box::new(reading)), 3));
            }
            let (stretches, used) = days::days(more, today, Lean::Back)?;
            Some((Piece::Since(stretches), 1 + used))
        }
        ["until" | "till" | "til", more @ ..] => {
            let (stretches, used) = days::days(more, today, lean)?;
            Some((Piece::Until(stretches), 1 + used))
        }
        // What has come is looked for by the words of the search itself.
        ["by", more @ ..] if lean == Lean::Ahead => {
            let (stretches, used) = one_day(more, today)?;
            Some((Piece::Until(stretches), 1 + used))
        }
        ["before", more @ ..] if lean == Lean::Ahead => {
            let (stretches, used) = one_day(more, today)?;
            Some((Piece::Before(stretches), 1 + used))
        }
        ["after", more @ ..] if lean == Lean::Ahead => {
            let (stretches, used) = one_day(more, today)?;
            let after = |day: &Stretch| {
                let said = day.said.strip_prefix("on ").unwrap_or(&day.said);
                Stretch::new(day.end, plus(day.end, 7), Grain::Span, format!("after {said}"))
            };
            Some((Piece::Days(stretches.iter().map(after).collect()), 1 + used))
        }
        _ => None,
    }
}

/// A day that is named for itself: "Friday's meeting" is none.
fn one_day(words: &[&str], today: Date) -> Option<(Vec<Stretch>, usize)> {
    let (stretches, used) = days::days(words, today, Lean::Ahead)?;
    let is_day = stretches.iter().all(|stretch| stretch.grain == Grain::Day);
    (is_day && words.get(used) != Some(&"'s")).then_some((stretches, used))
}

fn day_part(words: &[&str], now: &Zoned) -> Option<(Piece, usize)> {
    let day = |offset, said: &str| {
        let date = plus(now.date(), offset);
        Stretch::new(date, plus(date, 1), Grain::Day, said)
    };
    Some(match words {
        ["tonight", ..] => (Piece::DayPart(day(0, "today"), Part::Evening), 1),
        ["last", "night", ..] => (Piece::DayPart(day(-1, "yesterday"), Part::Night), 2),
        ["yesterday", "night", ..] => (Piece::DayPart(day(-1, "yesterday"), Part::Night), 2),
        _ => return None,
    })
}

/// "From Monday to Wednesday", "Monday through Friday".
fn from_day_to_day(words: &[&str], now: &Zoned, lean: Lean) -> Option<(Piece, usize)> {
    let from = usize::from(matches!(words.first(), Some(&("from" | "between"))));
    let (first, used) = days::days(&words[from..], now.date(), lean)?;
    let links =
        matches!(words.get(from + used), Some(&("to" | "through" | "until" | "till" | "til")))
            || (from == 1 && words[0] == "between" && words.get(1 + used) == Some(&"and"));
    if !links {
        return None;
    }
    if let Some((stretch, taken)) = of_a_week(&words[from..], now.date()) {
        return Some((Piece::Days(vec![stretch]), from + taken));
    }
    let first = first.into_iter().next()?;
    // "Monday to Wednesday" ends on the Wednesday after that Monday.
    let after = &words[from + used + 1..];
    let (last, more) = days::days(after, plus(first.end, -1), Lean::Ahead)?;
    let last = last.into_iter().next().filter(|last| last.end > first.first)?;
    let bare = |said: &str| said.strip_prefix("on ").unwrap_or(said).to_owned();
    let said = format!("from {} to {}", bare(&first.said), bare(&last.said));
    let stretch = Stretch::new(first.first, last.end, Grain::Span, said);
    Some((Piece::Days(vec![stretch]), from + used + 1 + more))
}

/// "Thursday to Friday next week": both are of that week.
fn of_a_week(words: &[&str], today: Date) -> Option<(Stretch, usize)> {
    let [first, _, last, rest @ ..] = words else { return None };
    let of = usize::from(rest.first() == Some(&"of"));
    let (weeks, which) = match rest.get(of..)? {
        ["next", "week", ..] => (7, "next"),
        ["this", "week", ..] => (0, "this"),
        _ => return None,
    };
    let named = |word: &str| weekday_named(word, true);
    let on = |weekday| plus(monday_of(today), weeks + offset_of(weekday));
    let (begins, ends) = (named(first)?, named(last)?);
    let said = format!("from {} to {} {which} week", name_of(begins), name_of(ends));
    let (begins, ends) = (on(begins), on(ends));
    let stretch = Stretch::new(begins, plus(ends, 1), Grain::Span, said);
    (begins < ends).then_some((stretch, 5 + of))
}

fn part(words: &[&str]) -> Option<(Piece, usize)> {
    let tight = |part| Piece::Part { part, loose: false, reason: None };
    if let Some(used) = day_end(words) {
        let reason = Some("took the end of the day as 4 to 6");
        return Some((Piece::Part { part: Part::DayEnd, loose: true, reason }, used));
    }
    match words {
        ["in" | "during", "the", part, ..] => {
            let part = Part::from_word(part)?;
            Some((Piece::Part { part, loose: true, reason: None }, 3))
        }
        ["this", part, ..] => Some((tight(Part::from_word(part)?), 2)),
        ["first", "thing", ..] => {
            let reason = Some("took \"first thing\" as the morning");
            Some((Piece::Part { part: Part::Morning, loose: true, reason }, 2))
        }
        ["for" | "at" | "over" | "during", "lunch", ..] => Some((tight(Part::Lunch), 2)),
        ["at", "lunchtime", ..] => Some((tight(Part::Lunch), 2)),
        ["lunch", "time", ..] => Some((tight(Part::Lunch), 2)),
        // A greeting, not a time.
        ["good", ..] => None,
        [part, ..] => Some((tight(Part::from_word(part)?), 1)),
        [] => None,
    }
}

/// "By end of day", "at the end of the day", "cob".
fn day_end(words: &[&str]) -> Option<usize> {
    let by = usize::from(matches!(words.first(), Some(&("by" | "at" | "before"))));
    let the = usize::from(words.get(by) == Some(&"the"));
    let used = match words.get(by + the..)? {
        ["end", "of", "the" | "my", "day", ..] => 4,
        ["end", "of", "day" | "business", ..] | ["close", "of", "business" | "play", ..] => 3,
        ["eod" | "cob", ..] => 1,
        _ => return None,
    };
    Some(by + the + used)
}
