//! Numbers and dates as people put them into tables.

use std::fmt;

use jiff::civil::Date;

/// Digits behind the point that are kept.
const PLACES: usize = 6;
const ONE: i128 = 1_000_000;

/// A number without rounding: sums of money come out right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(i128);

impl Decimal {
    /// `1,234.50`, `$12`, `-3 %`, `(40)`. None for anything else, also for codes
    /// such as `007`.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (text, negative) = match text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
            Some(inner) => (inner, true),
            None => (text, false),
        };
        let signs = |c: char| matches!(c, '$' | '€' | '£' | '¥' | '%') || c.is_whitespace();
        let text = text.trim_matches(signs);
        let (text, minus) = match text.strip_prefix(['-', '−']) {
            Some(rest) => (rest.trim_start_matches(signs), true),
            None => (text.strip_prefix('+').unwrap_or(text), false),
        };
        let (whole, part) = parts(text)?;
        if whole.len() > 18 || part.len() > PLACES || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        let padded = format!("{whole}{part:0<PLACES$}");
        let value: i128 = padded.parse().ok()?;
        Some(Self(if negative || minus { -value } else { value }))
    }

    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// Rounded to two places, as averages are told.
    pub fn shared_by(self, number: u32) -> Self {
        let share = self.0 / i128::from(number.max(1));
        let cent = ONE / 100;
        let half = if share < 0 { -cent / 2 } else { cent / 2 };
        Self((share + half) / cent * cent)
    }
}

/// Digits before the point and behind it, whichever sign the point is.
fn parts(text: &str) -> Option<(String, &str)> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let point = match (text.rfind('.'), text.rfind(',')) {
        (Some(dot), Some(comma)) => Some(dot.max(comma)),
        (Some(dot), None) => Some(dot).filter(|_| text.matches('.').count() == 1),
        // "1,234" is a thousand, "1,5" is one and a half.
        (None, Some(comma)) => Some(comma).filter(|at| text.len() - at != 4),
        (None, None) => None,
    };
    let (whole, part) = point.map_or((text, ""), |at| (&text[..at], &text[at + 1..]));
    let mut groups = whole.split([',', '.', '\'', ' ']);
    let first = groups.next().filter(|first| is_digits(first) && !first.is_empty())?;
    let mut joined = first.to_owned();
    for group in groups {
        if group.len() != 3 || !is_digits(group) || first.len() > 3 {
            return None;
        }
        joined.push_str(group);
    }
    is_digits(part).then_some((joined, part))
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / ONE.unsigned_abs(), self.0.unsigned_abs());
        let part = format!("{:06}", part % ONE.unsigned_abs());
        let part = part.trim_end_matches('0');
        match part.len() {
            0 => write!(f, "{sign}{whole}"),
            // Money has two digits behind the point.
            1 => write!(f, "{sign}{whole}.{part}0"),
            _ => write!(f, "{sign}{whole}.{part}"),
        }
    }
}

/// `2026-11-16`, with or without a time behind it: they sort as they stand.
pub fn is_date(text: &str) -> bool {
    let day = text.get(..10);
    let rest = text.get(10..).unwrap_or_default();
    let is_day = day.is_some_and(|day| day.as_bytes()[4] == b'-' && day.parse::<Date>().is_ok());
    is_day && (rest.is_empty() || rest.starts_with(['T', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("0", "0"),
            ("12", "12"),
            ("-3.5", "-3.50"),
            ("$1,234.50", "1234.50"),
            ("1.234,50 €", "1234.50"),
            ("1,234", "1234"),
            ("1,5", "1.50"),
            ("12 %", "12"),
            ("(40)", "-40"),
            ("-$7", "-7"),
            ("1 000 000", "1000000"),
            ("0.123456", "0.123456"),
        ] {
            assert_eq!(Decimal::read(text).unwrap().to_string(), number, "{text}");
        }
    }

    #[test]
    fn codes_dates_and_words_are_no_numbers() {
        for text in ["", "007", "2026-11-16", "1.2.3", "12a", "1,23,4", "NaN", "1e9", "--1", "."] {
            assert_eq!(Decimal::read(text), None, "{text}");
        }
        assert!(Decimal::read(&"9".repeat(40)).is_none());
    }

    #[test]
    fn averages_are_rounded_to_cents() {
        let sum = Decimal::read("10").unwrap();
        assert_eq!(sum.shared_by(3).to_string(), "3.33");
        assert_eq!(Decimal::read("-20").unwrap().shared_by(3).to_string(), "-6.67");
    }

    #[test]
    fn only_days_that_exist_are_dates() {
        assert!(is_date("2026-11-16") && is_date("2026-11-16T10:00:00Z"));
        for text in ["2026-02-30", "2026-11-1", "ten o'clock", "2026-11-16abc", "ÄÄÄÄÄÄ"] {
            assert!(!is_date(text), "{text}");
        }
    }
}
