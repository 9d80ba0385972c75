//! Several days in one breath: "Monday, Tuesday and Wednesday".
//!
//! Days in a row are one stretch. Others are asked for one by one, so the
//! sentence is said again for each of them.

use std::ops::Range;

use jiff::Zoned;

use super::days::{self, Stretch, plus};
use super::names::weekday_named;
use super::number::ordinal;
use super::{Grain, Lean};
use crate::resolve::words::Word;

/// More than these are told by their first and last.
const NAMED: usize = 3;

/// A day, and the places of the words that name it.
type Named = (Stretch, Range<usize>);

/// The days listed at the start of `words`, each with the places that name it,
/// and how many words the list took. Two names at least.
fn list(words: &[&str], now: &Zoned, lean: Lean) -> Option<(Vec<Named>, usize)> {
    let mut found: Vec<Named> = Vec::new();
    let (mut end, mut names) = (0, 0);
    loop {
        let and = usize::from(!found.is_empty() && matches!(words.get(end), Some(&("and" | "or"))));
        let on = usize::from(!found.is_empty() && words.get(end + and) == Some(&"on"));
        let start = end + and + on;
        let before = found.last().map(|(day, _)| day.first);
        let Some((day, used)) = next(&words[start..], before, now, lean) else { break };
        // "Tomorrow, Monday" is one day with two names.
        match found.last_mut() {
            Some((last, places)) if last.first == day.first => places.end = start + used,
            _ => found.push((day, start..start + used)),
        }
        end = start + used;
        names += 1;
    }
    (names > 1).then_some((found, end))
}

fn next(
    words: &[&str],
    before: Option<jiff::civil::Date>,
    now: &Zoned,
    lean: Lean,
) -> Option<(Stretch, usize)> {
    if let (Some(before), ["the", "day", "after", rest @ ..]) = (before, words)
        && rest.first() != Some(&"tomorrow")
    {
        let date = plus(before, 1);
        return Some((Stretch::new(date, plus(date, 1), Grain::Day, "the day after"), 3));
    }
    let is_weekday = weekday_named(words.first()?, before.is_some()).is_some();
    let near = matches!(words[0], "today" | "tomorrow" | "yesterday");
    let dated = words[0] == "the" && words.get(1)?.starts_with(|c: char| c.is_ascii_digit());
    // "The 24th and 25th"
    let bare_date = before.is_some()
        && words[0].starts_with(|c: char| c.is_ascii_digit())
        && ordinal(&words[..1]).is_some();
    if !(is_weekday || near || dated || bare_date) {
        return None;
    }
    // From the day before, so that "tomorrow, Monday" finds that same Monday.
    let before = before.filter(|_| is_weekday && lean == Lean::Ahead);
    let from = before.map_or(now.date(), |before| plus(before, -1));
    let sat = matches!(words[0], "sat" | "sun");
    if bare_date {
        let (all, _) = days::days(&["the", words[0]], now.date(), lean)?;
        return Some((all.into_iter().next()?, 1));
    }
    let (all, used) = if sat {
        days::days(&["this", words[0]], from, lean).map(|(all, _)| (all, 1))?
    } else {
        days::days(words, from, lean)?
    };
    let day = all.into_iter().next().filter(|day| day.grain == Grain::Day)?;
    Some((day, used))
}

/// Days in a row at the start of `words`, as one stretch.
pub fn in_a_row(words: &[&str], now: &Zoned, lean: Lean) -> Option<(Stretch, usize)> {
    let (days, used) = list(words, now, lean)?;
    let follows = |pair: &[Named]| pair[0].0.end == pair[1].0.first;
    if !days.windows(2).all(follows) {
        return None;
    }
    if let [(only, _)] = days.as_slice() {
        return Some((only.clone(), used));
    }
    let bare = |day: &Stretch| day.said.strip_prefix("on ").unwrap_or(&day.said).to_owned();
    let names: Vec<_> = days.iter().map(|(day, _)| bare(day)).collect();
    let on = if days[0].0.said.starts_with("on ") { "on " } else { "" };
    let said = match names.as_slice() {
        [first, .., last] if names.len() > NAMED => format!("from {first} to {last}"),
        [others @ .., last] => format!("{on}{} and {last}", others.join(", ")),
        [] => return None,
    };
    let (first, end) = (days.first()?.0.first, days.last()?.0.end);
    Some((Stretch::new(first, end, Grain::Span, said), used))
}

/// The places of a list of days that are not in a row, day by day.
pub fn apart(words: &[Word], now: &Zoned) -> Vec<Range<usize>> {
    let texts = super::texts(words);
    let between = |at: usize| at > 0 && matches!(texts[at - 1], "between" | "from");
    (0..texts.len())
        .filter(|&at| !between(at))
        .find_map(|at| {
            let (days, _) = list(&texts[at..], now, Lean::Ahead)?;
            let row = in_a_row(&texts[at..], now, Lean::Ahead).is_some();
            (!row).then(|| days.into_iter().map(|(_, day)| at + day.start..at + day.end).collect())
        })
        .unwrap_or_default()
}

/// The same words once for each of the days that are not in a row.
pub fn spread(words: Vec<Word>, now: &Zoned) -> Vec<Vec<Word>> {
    let days = apart(&words, now);
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return vec![words] };
    let (before, after) = (&words[..first.start], &words[last.end..]);
    days.iter().map(|day| [before, &words[day.clone()], after].concat()).collect()
}
