//! Times no clock shows, days no month has, and what is more than one day.

use jiff::civil::Date;

use super::dates::{self, Dated};
use super::names::weekday_named;
use super::{Lean, clock};

/// Why there is no reading, for whoever has to say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// "November 31", "Monday the 24th": "November has 30 days".
    Day { because: String },
    /// "13:75"
    Time { because: String },
    /// "Every Friday" is no single time; as it was said.
    Repeats { said: String },
}

/// The first thing among these words that cannot be.
pub fn first(words: &[&str], today: Date, lean: Lean) -> Option<Impossible> {
    (0..words.len()).find_map(|at| {
        let rest = &words[at..];
        if let Some(because) = clock::no_such(rest) {
            return Some(Impossible::Time { because });
        }
        // The "20" of "November 20" is no day by itself.
        let inside = at > 0 && super::names::month_named(words[at - 1]).is_some();
        let found = match weekday_named(rest[0], false) {
            Some(weekday) => dates::behind(weekday, &rest[1..], today, lean),
            None if inside => None,
            None => dates::dated(rest, today, lean),
        };
        match found {
            Some((Dated::Never(because), _)) => Some(Impossible::Day { because }),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use jiff::Zoned;

    use super::super::impossible;
    use super::*;
    use crate::resolve::words::words;

    #[test]
    fn no_such_day_and_no_such_time_are_noticed() {
        let now: Zoned = "2026-11-15T10:30:00-08:00[America/Los_Angeles]".parse().unwrap();
        let found = |sentence| match impossible(&words(sentence), &now) {
            Some(Impossible::Day { because } | Impossible::Time { because }) => Some(because),
            other => other.map(|other| format!("{other:?}")),
        };
        let because = |text: &str| Some(text.to_owned());
        assert_eq!(found("am i free at 13:75"), because("there is no 13:75"));
        assert_eq!(found("at 25 o'clock"), because("there is no 25 o'clock"));
        assert_eq!(found("at 23 o'clock"), None);
        assert_eq!(found("what is on november 31"), because("November has 30 days"));
        assert_eq!(found("on the 30th of february"), because("February has 29 days at most"));
        assert_eq!(found("on the 32nd"), because("no month has 32 days"));
        assert_eq!(found("on november 30 at 12:59"), None);
        assert_eq!(found("may i see 40 mails"), None);
        assert_eq!(found("the 50th anniversary"), None);
    }
}
