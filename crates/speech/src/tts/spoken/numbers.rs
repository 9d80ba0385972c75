//! Numbers as they are said.

use crate::numbers::{SMALL, TENS};

const GROUPS: [(u64, &str); 4] = [
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1_000, "thousand"),
];

/// A word that numbers below a thousand are made of.
pub fn is_word(word: &str) -> bool {
    word == "hundred" || !word.is_empty() && (SMALL.contains(&word) || TENS.contains(&word))
}

fn index(n: u64) -> usize {
    usize::try_from(n).expect("below a hundred")
}

pub fn cardinal(n: u64) -> String {
    let rest = |words: String, rest: u64| {
        if rest == 0 { words } else { format!("{words} {}", cardinal(rest)) }
    };
    if n < 20 {
        return SMALL[index(n)].to_owned();
    }
    if n < 100 {
        return rest(TENS[index(n / 10)].to_owned(), n % 10);
    }
    if n < 1_000 {
        return rest(format!("{} hundred", SMALL[index(n / 100)]), n % 100);
    }
    let (size, name) =
        GROUPS.into_iter().find(|(size, _)| n >= *size).expect("a thousand at least");
    rest(format!("{} {name}", cardinal(n / size)), n % size)
}

pub fn ordinal(n: u64) -> String {
    let words = cardinal(n);
    let (before, last) = words.rsplit_once(' ').map_or(("", words.as_str()), |(b, l)| (b, l));
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        other => other
            .strip_suffix('y')
            .map_or_else(|| format!("{other}th"), |stem| format!("{stem}ieth")),
    };
    if before.is_empty() { last } else { format!("{before} {last}") }
}

/// "Nineteen ninety nine", "two thousand five", "twenty twenty six".
pub fn year(n: u64) -> String {
    let (century, rest) = (n / 100, n % 100);
    if !(1_100..2_100).contains(&n) || (2_000..2_010).contains(&n) {
        cardinal(n)
    } else if rest == 0 {
        format!("{} hundred", cardinal(century))
    } else if rest < 10 {
        format!("{} oh {}", cardinal(century), cardinal(rest))
    } else {
        format!("{} {}", cardinal(century), cardinal(rest))
    }
}

/// One by one, zero as people say it.
pub fn digits(text: &str) -> String {
    let digits = text.chars().filter_map(|c| c.to_digit(10));
    let words: Vec<&str> =
        digits.map(|digit| if digit == 0 { "oh" } else { SMALL[index(digit.into())] }).collect();
    words.join(" ")
}

/// The digits of a number before and behind its point.
struct Figures {
    whole: String,
    part: Option<String>,
    /// Somebody parted its thousands: it counts, and is no code and no year.
    is_parted: bool,
}

/// A comma parts thousands where three digits follow, and is a point otherwise.
fn figures(text: &str) -> Option<Figures> {
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let of = |whole: &str, part: Option<&str>, is_parted| {
        let fine = all_digits(whole) && part.is_none_or(all_digits);
        let part = part.map(str::to_owned);
        fine.then(|| Figures { whole: whole.to_owned(), part, is_parted })
    };
    if !text.contains(',') {
        let (whole, part) = text.split_once('.').map_or((text, None), |(w, p)| (w, Some(p)));
        return of(whole, part, false);
    }
    let (thousands, part) = text.split_once('.').map_or((text, None), |(w, p)| (w, Some(p)));
    if is_grouped(thousands, ',') {
        return of(&thousands.replace(',', ""), part, true);
    }
    // "9,20", "1.234,50": as half of the world writes it.
    let (whole, part) = text.split_once(',')?;
    if whole.contains('.') && !is_grouped(whole, '.') || whole.is_empty() {
        return None;
    }
    of(&whole.replace('.', ""), Some(part), true)
}

/// "1,249", "1,00,000"; not "9,20", and not "0,500".
fn is_grouped(text: &str, by: char) -> bool {
    let groups: Vec<&str> = text.split(by).collect();
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return false };
    groups.len() > 1
        && (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && last.len() == 3
        && groups[1..].iter().all(|group| (2..=3).contains(&group.len()))
}

/// Digits with commas and at most one point; nothing else is a number. Long ones are
/// codes and some are years.
pub fn number(text: &str) -> Option<String> {
    let Figures { whole, part, is_parted } = figures(text)?;
    if part.is_some() || is_parted {
        return quantity(text);
    }
    let code = whole.len() > 4 || whole.len() > 1 && whole.starts_with('0');
    match whole.parse() {
        Ok(n) if !code && (1_900..2_100).contains(&n) => Some(year(n)),
        Ok(n) if !code => Some(cardinal(n)),
        _ => Some(digits(&whole)),
    }
}

/// A number of which something is counted or measured, however long it is.
pub fn quantity(text: &str) -> Option<String> {
    let Figures { whole, part, .. } = figures(text)?;
    let read = whole.parse().map_or_else(|_| digits(&whole), cardinal);
    Some(match part {
        Some(part) => format!("{read} point {}", one_by_one(&part)),
        None => read,
    })
}

/// Whole units and hundredths of money; `None` where there are not two digits of them.
pub fn hundredths(text: &str) -> Option<(u64, u64)> {
    let Figures { whole, part, .. } = figures(text)?;
    let part = part.unwrap_or_else(|| "00".to_owned());
    (part.len() == 2).then_some((whole.parse().ok()?, part.parse().ok()?))
}

fn one_by_one(text: &str) -> String {
    digits(text).replace("oh", "zero")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_people_say_them() {
        for (text, words) in [
            ("0", "zero"),
            ("7", "seven"),
            ("21", "twenty one"),
            ("100", "one hundred"),
            ("140", "one hundred forty"),
            ("1,250", "one thousand two hundred fifty"),
            ("1250", "one thousand two hundred fifty"),
            ("2026", "twenty twenty six"),
            ("1,999", "one thousand nine hundred ninety nine"),
            ("1999", "nineteen ninety nine"),
            ("2005", "two thousand five"),
            ("1900", "nineteen hundred"),
            ("3.14", "three point one four"),
            ("94107", "nine four one oh seven"),
            ("007", "oh oh seven"),
            ("2,300,001", "two million three hundred thousand one"),
            ("0.05", "zero point zero five"),
            (
                "12345678901234567890123",
                "one two three four five six seven eight nine oh one two three four five six seven eight nine oh one two three",
            ),
        ] {
            assert_eq!(number(text).as_deref(), Some(words), "{text}");
        }
        for text in ["", ".", "1.", ".5", "1.2.3", "a1", "1-2", "½"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn places_in_a_row_have_their_own_words() {
        for (n, word) in [
            (1, "first"),
            (3, "third"),
            (5, "fifth"),
            (12, "twelfth"),
            (19, "nineteenth"),
            (20, "twentieth"),
            (22, "twenty second"),
            (31, "thirty first"),
            (100, "one hundredth"),
        ] {
            assert_eq!(ordinal(n), word);
        }
    }
}
