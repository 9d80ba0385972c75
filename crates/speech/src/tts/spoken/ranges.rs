//! From one to the other: "5-10", "$10-20", "3–5pm", "Mon-Fri", "2024-2026".

use super::Around;
use super::amounts::{self, measure, money};
use super::numbers::{cardinal, ordinal, quantity, year};
use super::times::{clock, date, month, weekday};

/// What is said for a range, if it is one.
pub fn range(core: &str, around: &Around) -> Option<String> {
    if let Some(days) = days_in_a_row(core) {
        return Some(days);
    }
    let (from, to) = ends(core)?;
    let to_of = |from: String, to: String| format!("{from} to {to}");
    let both = |said: fn(&str) -> Option<String>| Some(to_of(said(from)?, said(to)?));
    both(day)
        .or_else(|| both(date))
        .or_else(|| both(super::place_in_a_row))
        .or_else(|| hours(from, to))
        .or_else(|| days_of_month(from, to, around))
        .or_else(|| years(from, to))
        .or_else(|| sums(from, to))
        .or_else(|| measures(from, to))
        .or_else(|| opening_hours(from, to, around))
        .or_else(|| score(from, to, around))
        .or_else(|| numbers(from, to, around))
}

/// Whether a word may be a range, and is not to be taken apart.
pub fn may_be(core: &str) -> bool {
    let amount = |end: &str| {
        let front = end.trim_start_matches(amounts::is_sign);
        front.starts_with(|c: char| c.is_ascii_digit())
    };
    days_in_a_row(core).is_some()
        || ends(core).is_some_and(|(from, to)| {
            amount(from) && amount(to) || day(from).is_some() && day(to).is_some()
        })
}

/// Both ends of what has one dash in it. Where there is a long one, short ones are
/// parts of dates.
fn ends(core: &str) -> Option<(&str, &str)> {
    let dash = if core.contains('–') { '–' } else { '-' };
    let (from, to) = core.split_once(dash)?;
    (!from.is_empty() && !to.is_empty() && !to.contains(dash)).then_some((from, to))
}

/// "Mon-Wed-Fri": each of them.
fn days_in_a_row(core: &str) -> Option<String> {
    let days: Vec<String> = core.split('-').map(day).collect::<Option<_>>()?;
    (days.len() > 2).then(|| days.join(" "))
}

/// "Open 9-5", "9-5 on weekdays": from the morning to the afternoon.
fn opening_hours(from: &str, to: &str, around: &Around) -> Option<String> {
    let (first, last) = (plain(from)?, plain(to)?);
    let is_day = (6..=12).contains(&first) && (1..=8).contains(&last) && first > last;
    (is_day && around.is_of_hours()).then(|| format!("{} to {}", cardinal(first), cardinal(last)))
}

/// "4-2", which falls, and "2-2": how a game ended.
fn score(from: &str, to: &str, around: &Around) -> Option<String> {
    let (first, last) = (plain(from)?, plain(to)?);
    let small =
        from.len() <= 3 && to.len() <= 3 && !from.starts_with("00") && !to.starts_with("00");
    let whole = |text: &str| text == "0" || !text.starts_with('0');
    let told = first >= last || around.is_score();
    (small && whole(from) && whole(to) && told && !around.is_code())
        .then(|| format!("{} {}", cardinal(first), cardinal(last)))
}

/// A day of the week or a month.
fn day(word: &str) -> Option<String> {
    let capital = word.starts_with(char::is_uppercase);
    let whole = |word: &str| {
        let day = weekday(word.get(..3)?, true)?;
        (day == word).then_some(day)
    };
    let name = weekday(word, true).or_else(|| whole(word)).or_else(|| month(word))?;
    capital.then(|| name.to_owned())
}

fn hours(from: &str, to: &str) -> Option<String> {
    let hour = |text: &str| {
        let hour = plain(text)?;
        (text.len() <= 2 && hour <= 23).then(|| cardinal(hour))
    };
    let (first, second) = (clock(from), clock(to));
    if first.is_none() && second.is_none() {
        return None;
    }
    Some(format!("{} to {}", first.or_else(|| hour(from))?, second.or_else(|| hour(to))?))
}

/// "Nov 3-5".
fn days_of_month(from: &str, to: &str, around: &Around) -> Option<String> {
    let day = |text: &str| plain(text).filter(|day| (1..=31).contains(day)).map(ordinal);
    let after_month = around.before.is_some_and(day_is_of);
    if !after_month {
        return None;
    }
    Some(format!("{} to {}", day(from)?, day(to)?))
}

fn day_is_of(word: &str) -> bool {
    month(word).is_some() && word.starts_with(char::is_uppercase)
}

/// "2024-2026", "2024-25"; "2024-11" is a month.
fn years(from: &str, to: &str) -> Option<String> {
    let (first, last) = (plain(from)?, to.parse::<u64>().ok()?);
    if !(1_100..2_100).contains(&first) || from.len() != 4 {
        return None;
    }
    match to.len() {
        4 if (first + 1..2_200).contains(&last) => {
            Some(format!("{} to {}", year(first), year(last)))
        }
        2 if (1..=12).contains(&last) => date(&format!("{from}-{to}-01")).map(|_| {
            let name = super::times::month_name(last);
            format!("{name} {}", year(first))
        }),
        2 if last > first % 100 => Some(format!("{} to {}", year(first), cardinal(last))),
        _ => None,
    }
}

/// "$10-20", "$10-$20", "10-20€", "$1-2M".
fn sums(from: &str, to: &str) -> Option<String> {
    let (sign, from_amount) = amounts::signed(from).unwrap_or(("", from));
    if amounts::signed(to).is_some() || sign.is_empty() {
        let first = if sign.is_empty() { quantity(from) } else { money(from, false) };
        return Some(format!("{} to {}", first?, money(to, false)?));
    }
    Some(format!("{} to {}", quantity(from_amount)?, money(&format!("{sign}{to}"), false)?))
}

/// "10-15%", "5-10kg", "10%-15%".
fn measures(from: &str, to: &str) -> Option<String> {
    let last = measure(to).filter(|_| !to.starts_with(['-', '−']))?;
    Some(format!("{} to {last}", quantity(from).or_else(|| measure(from))?))
}

fn numbers(from: &str, to: &str, around: &Around) -> Option<String> {
    if around.is_code() {
        return None;
    }
    let value = |text: &str| -> Option<f64> {
        let zero = text.len() > 1 && text.starts_with('0') && !text.starts_with("0.");
        text.replace(',', "").parse().ok().filter(|_| !zero)
    };
    let (first, last) = (value(from)?, value(to)?);
    let counted = around.counts();
    let is_long = |text: &str| text.len() > 4 && !text.contains(['.', ',']);
    let is_round = |text: &str| text.ends_with("00");
    // Three and four digits are a telephone, unless something is counted.
    let phone = from.len() == 3 && to.len() == 4 && !counted;
    let long = is_long(from) || is_long(to);
    if first >= last || phone || long && !counted && !(is_round(from) && is_round(to)) {
        return None;
    }
    Some(format!("{} to {}", quantity(from)?, quantity(to)?))
}

fn plain(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}
