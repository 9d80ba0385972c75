//! What comes again and again: "every Friday", "weekly", "on Mondays".
//!
//! None of these is one day, and none may be read as one.

use super::Part;
use super::names::{name_of, weekday_named};
use super::number::cardinal;
use crate::resolve::words::Word;

const ADVERBS: &[&str] = &[
    "daily",
    "weekly",
    "monthly",
    "yearly",
    "annually",
    "biweekly",
    "bi-weekly",
    "fortnightly",
    "quarterly",
    "hourly",
];

/// How often something is to be, as it was said: "every Friday". A "weekly
/// report" is a name and a "weekly call" that is to be booked is not, so
/// whoever books asks with `booking`.
pub fn recurring(words: &[Word], booking: bool) -> Option<String> {
    let texts = super::texts(words);
    again(&texts).or_else(|| {
        let at = (0..texts.len()).filter(|_| booking).find(|&at| {
            let named = at > 0 && matches!(texts[at - 1], "the" | "my" | "our" | "this" | "'s");
            (ADVERBS.contains(&texts[at]) || matches!(texts[at], "recurring" | "repeating"))
                && !named
        })?;
        Some(texts[at].to_owned())
    })
}

/// The same where nothing is said about a booking.
pub fn again(words: &[&str]) -> Option<String> {
    (0..words.len()).find_map(|at| {
        let rest = &words[at..];
        every(rest)
            .or_else(|| so_often(rest))
            .or_else(|| plural(words, at))
            .or_else(|| adverb(words, at))
    })
}

/// "Every other Tuesday", "each weekday", "every two weeks".
fn every(words: &[&str]) -> Option<String> {
    let (&("every" | "each"), rest) = words.split_first()? else { return None };
    if let ["now", "and", "then", ..] = rest {
        return Some("every now and then".to_owned());
    }
    let skip = match rest {
        ["single" | "other" | "second" | "third" | "few", ..] => 1,
        _ => cardinal(rest).map_or(0, |(_, used)| used),
    };
    let unit = *rest.get(skip)?;
    // "Every day this week" is this week, day by day.
    let within = matches!(rest.get(skip + 1..), Some(["this" | "next", "week" | "month", ..]));
    let name = match weekday_named(unit.strip_suffix('s').unwrap_or(unit), true) {
        Some(weekday) => name_of(weekday).to_owned(),
        None if is_unit(unit) && !within => unit.to_owned(),
        None => return None,
    };
    let mut said: Vec<&str> = words[..=skip].to_vec();
    said.push(&name);
    Some(said.join(" "))
}

/// "Once a week", "three times a month".
fn so_often(words: &[&str]) -> Option<String> {
    let [times @ ("once" | "twice" | "times"), a @ ("a" | "per" | "every"), unit, ..] = words
    else {
        return None;
    };
    let several = if *times == "times" { "several " } else { "" };
    is_unit(unit).then(|| format!("{several}{times} {a} {unit}"))
}

fn is_unit(word: &str) -> bool {
    let units = [
        "day",
        "days",
        "weekday",
        "weekdays",
        "workday",
        "workdays",
        "week",
        "weeks",
        "weekend",
        "fortnight",
        "month",
        "months",
        "quarter",
        "year",
        "hour",
    ];
    units.contains(&word) || Part::from_word(word).is_some()
}

/// "Fridays at three", "on Mondays", "weekdays at nine"; not "Friday's".
fn plural(words: &[&str], at: usize) -> Option<String> {
    let word = words[at];
    if word == "weekdays" {
        return Some("weekdays".to_owned());
    }
    let day = word.strip_suffix('s').filter(|day| day.ends_with("day"))?;
    // "Fridays agenda" is Friday's, written without the mark.
    let owns = !matches!(
        words.get(at + 1),
        None | Some(&("at" | "from" | "between" | "and" | "or" | "in" | "starting" | "with"))
    );
    let weekday = weekday_named(day, false).filter(|_| !owns)?;
    Some(format!("{}s", name_of(weekday)))
}

/// "Weekly" by itself, at the end, or before a time: elsewhere it is part of a name.
fn adverb(words: &[&str], at: usize) -> Option<String> {
    let word = *words.get(at).filter(|word| ADVERBS.contains(word))?;
    let named = at > 0 && matches!(words[at - 1], "the" | "my" | "our" | "this" | "a" | "'s");
    let alone = matches!(words.get(at + 1), None | Some(&("at" | "on" | "from" | "starting")));
    (alone && !named).then(|| word.to_owned())
}
