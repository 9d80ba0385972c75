//! Two numbers around a slash: a day, a share, or neither.

use super::Around;
use super::numbers::{cardinal, ordinal};
use super::times::{month_name, weekday};

const BEFORE_A_DAY: [&str; 15] = [
    "on", "by", "until", "till", "since", "due", "before", "after", "from", "dated", "date",
    "through", "thru", "starting", "ending",
];
const BEHIND_A_SHARE: [&str; 18] = [
    "of",
    "inch",
    "inches",
    "cup",
    "cups",
    "mile",
    "miles",
    "teaspoon",
    "teaspoons",
    "tsp",
    "tablespoon",
    "tablespoons",
    "tbsp",
    "pound",
    "pounds",
    "lb",
    "oz",
    "full",
];

/// "4/5 stars": how many of how many.
const RATED: [&str; 4] = ["stars", "points", "marks", "votes"];

pub fn slashed(text: &str, around: &Around) -> Option<String> {
    let (left, right) = text.split_once('/')?;
    let number = |text: &str| {
        let digits = (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse::<u64>().ok())?
    };
    let (over, under) = (number(left)?, number(right)?);
    let after_day = around.before.is_some_and(|word| {
        BEFORE_A_DAY.contains(&word.to_lowercase().as_str()) || weekday(word, true).is_some()
    });
    let is_share = around.after.is_some_and(|word| BEHIND_A_SHARE.contains(&word));
    if around.after.is_some_and(|word| RATED.contains(&word)) && over <= under {
        return Some(format!("{} out of {}", cardinal(over), cardinal(under)));
    }
    let usual = usual(text);
    let can_be_day = (1..=12).contains(&over) && (1..=31).contains(&under) && right.len() <= 2;
    if can_be_day && !is_share && (after_day || usual.is_none()) {
        return Some(format!("{} {}", month_name(over), ordinal(under)));
    }
    if let Some(usual) = usual {
        return Some(usual.to_owned());
    }
    if is_share && over > 0 && under > 1 {
        return Some(share(over, under));
    }
    Some(format!("{} slash {}", cardinal(over), cardinal(under)))
}

fn usual(text: &str) -> Option<&'static str> {
    Some(match text {
        "1/2" => "one half",
        "1/3" => "one third",
        "2/3" => "two thirds",
        "1/4" => "one quarter",
        "3/4" => "three quarters",
        "24/7" => "twenty four seven",
        "50/50" => "fifty fifty",
        _ => return None,
    })
}

fn share(over: u64, under: u64) -> String {
    let part = match under {
        2 => "half".to_owned(),
        4 => "quarter".to_owned(),
        under => ordinal(under),
    };
    let part = match (over, part.as_str()) {
        (1, _) => part,
        (_, "half") => "halves".to_owned(),
        _ => format!("{part}s"),
    };
    format!("{} {part}", cardinal(over))
}

/// "1 1/2": the share behind a whole number.
pub fn behind_whole(text: &str) -> Option<String> {
    let (over, under) = text.split_once('/')?;
    let (over, under): (u64, u64) = (over.parse().ok()?, under.parse().ok()?);
    let usual = over < under && [2, 3, 4, 5, 6, 8, 10, 16, 32].contains(&under);
    usual.then(|| match (over, under) {
        (1, 8) => "an eighth".to_owned(),
        (1, _) => share(over, under).replacen("one", "a", 1),
        _ => share(over, under),
    })
}
