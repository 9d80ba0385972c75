//! The pieces a time is said in, found one after another in a sentence.

use std::ops::Range;

use jiff::{ToSpan, Zoned};

use super::clock::{self, Clock, Minutes, Part};
use super::days::{self, Stretch, plus};
use super::number::amount;
use super::zones::{self, Zone};
use super::{Grain, Lean, Reading, civil, minutes_of, range, several, spell_clock, zoned};
use crate::facts::DateRange;

/// One piece. "Friday afternoon at 3" has three of them.
pub enum Piece {
    Days(Vec<Stretch>),
    /// Loose: "in the morning", without saying which.
    Part {
        part: Part,
        loose: bool,
    },
    /// "Tonight", "last night": a day and a part in one word.
    DayPart(Stretch, Part),
    Hours(Hours),
    Since(Vec<Stretch>),
    Until(Vec<Stretch>),
    Exact(Box<Reading>),
    /// "Berlin time"
    Zone(Zone),
}

/// Clock times, before it is known which day they belong to.
#[derive(Clone, Copy)]
pub enum Hours {
    At(Clock),
    Between(Clock, Clock),
    Before(Clock),
    After(Clock),
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
        let Some((piece, used)) = piece(words, at, now, lean) else {
            at += 1;
            continue;
        };
        let start = if takes_preposition(words, at, &piece) { at - 1 } else { at };
        let owns = usize::from(words.get(at + used) == Some(&"'s"));
        found.push((piece, start..at + used + owns));
        at += used + owns;
    }
    found
}

/// "On Friday", "for tomorrow", "from today": the little word belongs to the day.
fn takes_preposition(words: &[&str], at: usize, piece: &Piece) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| words[before]) else { return false };
    match piece {
        Piece::Days(_) | Piece::DayPart(..) => {
            matches!(
                before,
                "on" | "for" | "in" | "during" | "over" | "of" | "from" | "within" | "at"
            )
        }
        Piece::Part { .. } => matches!(before, "on" | "for" | "during" | "from"),
        Piece::Exact(_) => matches!(before, "for" | "in" | "during" | "over" | "within" | "the"),
        Piece::Hours(_) | Piece::Since(_) | Piece::Until(_) | Piece::Zone(_) => false,
    }
}

fn piece(words: &[&str], at: usize, now: &Zoned, lean: Lean) -> Option<(Piece, usize)> {
    let rest = &words[at..];
    exact(rest, now)
        .or_else(|| bound(rest, now, lean))
        .or_else(|| hours(rest).map(|(hours, used)| (Piece::Hours(hours), used)))
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
    if introduced && let ["sat" | "sun", ..] = words {
        let (stretches, _) = days::days(&["this", words[0]], today, lean)?;
        return Some((Piece::Days(stretches), 1));
    }
    // "The first one", "on the second": a bare small ordinal needs "on" before it.
    let small = matches!(words, ["the", "first" | "second" | "third" | "fourth" | "fifth", ..]);
    if small && !introduced {
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
    Some((reading(now.clone(), now + 1.minute(), Grain::Moment, "right now"), used))
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

/// "In two hours", "the next hour", "the last 20 minutes".
fn counted_hours(words: &[&str], now: &Zoned) -> Option<(Reading, usize)> {
    let (which @ &("next" | "last" | "past" | "in"), more) = words.split_first()? else {
        return None;
    };
    let (count, used) = match more {
        ["hour", ..] if *which != "in" => (1, 0),
        _ => amount(more)?,
    };
    let unit = *more.get(used)?;
    let minutes = match unit {
        "hour" | "hours" => i64::from(count) * 60,
        "minute" | "minutes" => i64::from(count),
        _ => return None,
    };
    let counted = if count == 1 { unit.to_owned() } else { format!("{count} {unit}") };
    let reading = match *which {
        "next" => {
            let said = format!("in the next {counted}");
            reading(now.clone(), now + minutes.minutes(), Grain::Hours, said)
        }
        "in" => {
            let start = now + minutes.minutes();
            let end = &start + 1.minute();
            reading(start, end, Grain::Moment, format!("in {count} {unit}"))
        }
        _ => {
            let said = format!("in the last {counted}");
            reading(now - minutes.minutes(), now.clone(), Grain::Span, said)
        }
    };
    Some((reading, 1 + used + 1))
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
        _ => None,
    }
}

fn hours(words: &[&str]) -> Option<(Hours, usize)> {
    let pair = |words: &[&str], links: &[&str]| {
        let (from, used) = clock::after_preposition(words)?;
        let link = words.get(used).filter(|word| links.contains(word)).map(|_| used + 1)?;
        let (to, more) = clock::after_preposition(&words[link..])?;
        Some((from, to, link + more))
    };
    let links = ["to", "until", "till", "til", "and"];
    match words {
        ["between", more @ ..] => {
            let (from, to, used) = pair(more, &["and", "to"])?;
            Some((Hours::Between(from, to), 1 + used))
        }
        ["from", more @ ..] => {
            if let Some((from, to, used)) = from_to(more) {
                return Some((Hours::Between(from, to), 1 + used));
            }
            let (from, used) = clock::plain(more)?;
            let on = usize::from(matches!(more.get(used), Some(&("on" | "onwards" | "onward"))));
            Some((Hours::After(from), 1 + used + on))
        }
        // "Before lunch with Tom" is about a meal, "before lunch" about the clock.
        ["before" | "after", "lunch", more @ ..] if more.first() != Some(&"with") => {
            let at = |minutes| Clock { minutes, open: false };
            let before = words[0] == "before";
            Some((if before { Hours::Before(at(12 * 60)) } else { Hours::After(at(13 * 60)) }, 2))
        }
        ["before" | "by" | "until" | "till" | "til", more @ ..] => {
            let (to, used) = clock::after_preposition(more)?;
            Some((Hours::Before(to), 1 + used))
        }
        ["after" | "past", more @ ..] => {
            let (from, used) = clock::after_preposition(more)?;
            Some((Hours::After(from), 1 + used))
        }
        ["at" | "around" | "@", more @ ..] => {
            if let Some((from, to, used)) = pair(more, &links[..4]) {
                return Some((Hours::Between(from, to), 1 + used));
            }
            let (at, used) = clock::after_preposition(more)?;
            Some((Hours::At(at), 1 + used))
        }
        _ => {
            // "2 to 4pm": one of the two has to look like a time.
            if let Some((from, to, used)) = from_to(words)
                && (clock::plain(words).is_some() || !to.open)
            {
                return Some((Hours::Between(from, to), used));
            }
            let (at, used) = clock::plain(words)?;
            Some((Hours::At(at), used))
        }
    }
}

/// "Two to four", where "ten to four" would be a time by itself.
fn from_to(words: &[&str]) -> Option<(Clock, Clock, usize)> {
    (1..=3).find_map(|cut| {
        let (from, used) = clock::after_preposition(words.get(..cut)?)?;
        let linked =
            used == cut && matches!(words.get(cut), Some(&("to" | "until" | "till" | "til")));
        let (to, more) = clock::after_preposition(words.get(cut + 1..).filter(|_| linked)?)?;
        Some((from, to, cut + 1 + more))
    })
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

fn part(words: &[&str]) -> Option<(Piece, usize)> {
    let tight = |part| Piece::Part { part, loose: false };
    match words {
        ["in" | "during", "the", part, ..] => {
            Some((Piece::Part { part: Part::from_word(part)?, loose: true }, 3))
        }
        ["this", part, ..] => Some((tight(Part::from_word(part)?), 2)),
        ["first", "thing", ..] => Some((Piece::Part { part: Part::Morning, loose: true }, 2)),
        ["for" | "at" | "over" | "during", "lunch", ..] => Some((tight(Part::Lunch), 2)),
        ["lunch", "time", ..] => Some((tight(Part::Lunch), 2)),
        // A greeting, not a time.
        ["good", ..] => None,
        [part, ..] => Some((tight(Part::from_word(part)?), 1)),
        [] => None,
    }
}

impl Hours {
    /// These hours on that day; on several days they are hours of each.
    pub fn on(
        self,
        stretch: &Stretch,
        part: Option<Part>,
        whole: &Reading,
        now: &Zoned,
        lean: Lean,
    ) -> Vec<Reading> {
        let clock = |minutes: Minutes| spell_clock(civil(minutes % clock::DAY_ENDS));
        let day = stretch.said.as_str();
        match self {
            Self::At(at) => at_moment(at, stretch, part, whole, now, lean),
            Self::Between(from, to) => {
                let (from, to) = from.until(to, part);
                let said = format!("{day} between {} and {}", clock(from), clock(to));
                vec![between(stretch, (from, to), whole, now, said)]
            }
            Self::Before(to) => {
                let (to, _) = to.likely(part);
                // What is left of today, unless that moment has passed.
                let so_far = minutes_of(now);
                let is_ahead = stretch.first == now.date() && lean == Lean::Ahead && so_far < to;
                let from = if is_ahead { so_far } else { 0 };
                let said = format!("{day} before {}", clock(to));
                vec![between(stretch, (from, to), whole, now, said)]
            }
            Self::After(from) => {
                let (from, _) = from.likely(part);
                let said = format!("{day} after {}", clock(from));
                vec![between(stretch, (from, clock::DAY_ENDS), whole, now, said)]
            }
        }
    }
}

fn between(
    stretch: &Stretch,
    (from, to): (Minutes, Minutes),
    whole: &Reading,
    now: &Zoned,
    said: String,
) -> Reading {
    let reading = Reading { said, grain: Grain::Hours, ..whole.clone() };
    if plus(stretch.first, 1) != stretch.end {
        return Reading { daily: Some((civil(from), civil(to))), grain: stretch.grain, ..reading };
    }
    Reading { range: range(now, (stretch.first, from), (stretch.first, to)), ..reading }
}

/// A point in time, and its other half of the day where nobody said which.
fn at_moment(
    at: Clock,
    stretch: &Stretch,
    part: Option<Part>,
    whole: &Reading,
    now: &Zoned,
    lean: Lean,
) -> Vec<Reading> {
    let (likely, other) = sooner(at.likely(part), stretch, now);
    let guess = other.map(|_| if likely < 12 * 60 { "morning" } else { "afternoon" });
    let reading = |minutes: Minutes, reason: Option<String>| {
        let start = zoned(now, stretch.first, minutes);
        let clock = if minutes == clock::DAY_ENDS {
            "midnight".to_owned()
        } else {
            spell_clock(start.time())
        };
        // Whoever says "today" means today, also when it has passed.
        let passed = stretch.assumed && start < *now && lean == Lean::Ahead;
        let (start, day, reason) = if passed {
            let tomorrow = zoned(now, plus(stretch.first, 1), minutes);
            (tomorrow, "tomorrow", Some(format!("{clock} has passed today; took tomorrow")))
        } else {
            (start, stretch.said.as_str(), reason)
        };
        let end = &start + 1.minute();
        let day = if clock == "midnight" && day == "today" { "tonight" } else { day };
        Reading {
            range: DateRange { start, end },
            grain: Grain::Moment,
            said: format!("{day} at {clock}"),
            reason: reason.or_else(|| whole.reason.clone()),
            ..whole.clone()
        }
    };
    let first = reading(likely, guess.map(|half| format!("took it as the {half}")));
    let second = other.map(|minutes| reading(minutes, Some("the other half of the day".into())));
    std::iter::once(first).chain(second).collect()
}

/// Of "eleven today", said in the evening, the night is left.
fn sooner(
    (likely, other): (Minutes, Option<Minutes>),
    stretch: &Stretch,
    now: &Zoned,
) -> (Minutes, Option<Minutes>) {
    let is_past = |minutes| zoned(now, stretch.first, minutes) < *now;
    match other {
        Some(other)
            if !stretch.assumed
                && stretch.first == now.date()
                && now.hour() >= super::LATE
                && is_past(likely)
                && !is_past(other) =>
        {
            (other, Some(likely))
        }
        _ => (likely, other),
    }
}
