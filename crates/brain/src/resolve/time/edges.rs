//! The edges of weeks and months: "early next week", "the end of the month".

use jiff::civil::Date;

use super::days::{self, Stretch, plus};
use super::names::nth;
use super::{Grain, Lean};

/// The days at one edge of a week or a month, and how many words named them.
pub fn edge(words: &[&str], today: Date, lean: Lean) -> Option<(Stretch, usize)> {
    let the = usize::from(words.first() == Some(&"the"));
    if let ["week", "of" | "starting" | "beginning", more @ ..] = &words[the..] {
        let (all, used) = days::days(more, today, lean)?;
        let day = all.into_iter().next().filter(|day| day.grain == Grain::Day)?;
        let monday = days::monday_of(day.first);
        let said = format!("in the week of the {}", nth(day.first));
        return Some((Stretch::new(monday, plus(monday, 7), Grain::Week, said), the + 2 + used));
    }
    let (side, skip, said) = match &words[the..] {
        ["end", "of", ..] => (Side::Late, 2, "at the end of"),
        ["start" | "beginning", "of", ..] => (Side::Early, 2, "at the start of"),
        ["middle", "of", ..] => (Side::Mid, 2, "in the middle of"),
        ["early", "in", ..] => (Side::Early, 2, "early"),
        ["late", "in", ..] => (Side::Late, 2, "late"),
        ["early", ..] => (Side::Early, 1, "early"),
        ["late" | "later", ..] => (Side::Late, 1, "late"),
        ["mid", ..] => (Side::Mid, 1, "mid"),
        _ => return None,
    };
    let skip = the + skip;
    let (whole, used) = match &words[skip..] {
        ["month", ..] => days::days(&["this", "month"], today, lean).map(|(all, _)| (all, 1))?,
        ["week", ..] => days::days(&["this", "week"], today, lean).map(|(all, _)| (all, 1))?,
        rest => days::days(rest, today, lean)?,
    };
    let whole = whole.into_iter().next()?;
    let (first, end) = side.of(&whole)?;
    let name = whole.said.strip_prefix("in ").unwrap_or(&whole.said);
    Some((Stretch::new(first, end, Grain::Span, format!("{said} {name}")), skip + used))
}

enum Side {
    Early,
    Mid,
    Late,
}

impl Side {
    fn of(&self, whole: &Stretch) -> Option<(Date, Date)> {
        let (first, end) = (whole.first, whole.end);
        Some(match (whole.grain, self) {
            (Grain::Week, Self::Early) => (first, plus(first, 3)),
            (Grain::Week, Self::Mid) => (plus(first, 1), plus(first, 4)),
            (Grain::Week, Self::Late) => (plus(first, 3), end),
            (Grain::Month, Self::Early) => (first, plus(first, 5)),
            (Grain::Month, Self::Mid) => (plus(first, 10), plus(first, 20)),
            (Grain::Month, Self::Late) => (plus(end, -5), end),
            _ => return None,
        })
    }
}
