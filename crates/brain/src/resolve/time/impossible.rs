//! Times no clock shows and days no month has.

use jiff::civil::Date;

use super::names::month_named;
use super::number::{cardinal, ordinal};
use crate::resolve::words::Word;

/// What there is none of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    Day,
    Time,
}

/// "13:75", "November 31", "the 32nd".
pub fn impossible(words: &[Word]) -> Option<Impossible> {
    let texts: Vec<&str> =
        words.iter().map(|word| if word.quoted { "\"" } else { word.text.as_str() }).collect();
    (0..texts.len()).find_map(|at| {
        let rest = &texts[at..];
        if is_no_time(rest[0]) {
            return Some(Impossible::Time);
        }
        is_no_day(rest).then_some(Impossible::Day)
    })
}

fn is_no_time(word: &str) -> bool {
    let face = word.trim_end_matches("am").trim_end_matches("pm");
    let Some((hour, minute)) = face.split_once(':') else { return false };
    if hour.len() > 2 || minute.len() != 2 {
        return false;
    }
    match (hour.parse::<u8>(), minute.parse::<u8>()) {
        (Ok(hour), Ok(minute)) => hour > 24 || minute > 59 || (hour == 24 && minute > 0),
        _ => false,
    }
}

fn is_no_day(words: &[&str]) -> bool {
    let number = |words: &[&str]| ordinal(words).or_else(|| cardinal(words));
    if let Some(month) = month_named(words[0]) {
        let the = usize::from(words.get(1) == Some(&"the"));
        return number(&words[1 + the..]).is_some_and(|(day, _)| !exists(month, day));
    }
    let the = usize::from(words[0] == "the");
    if the == 1
        && let Some((day @ 32..=99, _)) = ordinal(&words[1..])
    {
        return day > 31 && words[1].starts_with(|c: char| c.is_ascii_digit());
    }
    let Some((day, used)) = number(&words[the..]) else { return false };
    let of = usize::from(words.get(the + used) == Some(&"of"));
    let month = words.get(the + used + of).and_then(|word| month_named(word));
    month.is_some_and(|month| !exists(month, day))
}

/// In a leap year, so that the 29th of February is no mistake by itself.
fn exists(month: i8, day: u32) -> bool {
    i8::try_from(day).is_ok_and(|day| Date::new(2028, month, day).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::words::words;

    #[test]
    fn no_such_day_and_no_such_time_are_noticed() {
        let found = |sentence| impossible(&words(sentence));
        assert_eq!(found("am i free at 13:75"), Some(Impossible::Time));
        assert_eq!(found("what is on november 31"), Some(Impossible::Day));
        assert_eq!(found("on the 30th of february"), Some(Impossible::Day));
        assert_eq!(found("on the 32nd"), Some(Impossible::Day));
        assert_eq!(found("on november 30 at 12:59"), None);
        assert_eq!(found("may i see 40 mails"), None);
    }
}
