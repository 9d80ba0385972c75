//! Numbers as people put them into tables.

use std::fmt;

/// Digits behind the point that are kept; what is finer is rounded.
const PLACES: usize = 12;
const ONE: i128 = 1_000_000_000_000;
/// The longest number before its point.
const LONGEST: usize = 18;
/// Averages are told so finely, where the numbers are.
const FINEST_MEAN: u32 = 6;

/// Signs and codes that say what an amount is in.
const MONEY: &[&str] = &["$", "€", "£", "¥", "USD", "EUR", "GBP", "CHF", "JPY", "SEK", "NOK"];

/// Which sign stands before the part of a number that is less than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// `1,234.50`
    Dot,
    /// `1.234,50`
    Comma,
}

impl Point {
    fn sign(self) -> char {
        match self {
            Self::Dot => '.',
            Self::Comma => ',',
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Dot => Self::Comma,
            Self::Comma => Self::Dot,
        }
    }
}

/// A number without rounding: sums of money come out right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(i128);

/// A cell with a number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    pub value: Decimal,
    pub money: Option<&'static str>,
    /// Digits behind its point.
    pub places: u32,
}

impl Decimal {
    /// It looks like a number to somebody, whichever sign is the point.
    pub fn is_one(text: &str) -> bool {
        Amount::read(text, Point::Dot).is_some() || Amount::read(text, Point::Comma).is_some()
    }

    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// An average, told as finely as the numbers are and never coarser than cents.
    pub fn shared_by(self, number: u32, places: u32) -> Self {
        let share = self.0 / i128::from(number.max(1));
        let step = ONE / 10i128.pow(places.clamp(2, FINEST_MEAN));
        let half = if share < 0 { -step / 2 } else { step / 2 };
        Self((share + half) / step * step)
    }
}

impl Amount {
    /// `1,234.50`, `$12`, `-3 %`, `(40)`, `2.5e-4`. None for anything else, also for
    /// codes such as `007`.
    pub fn read(text: &str, point: Point) -> Option<Self> {
        let text = text.trim();
        if let Some(plain) = Self::plain(text, point) {
            return Some(plain);
        }
        let (text, negative) = match text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
            Some(inner) => (inner, true),
            None => (text, false),
        };
        let (text, before) = without_money(text);
        let (text, minus) = match text.strip_prefix(['-', '−']) {
            Some(rest) => (rest, true),
            None => (text.strip_prefix('+').unwrap_or(text), false),
        };
        let (text, behind) = without_money(text);
        let (digits, power) = exponent(text)?;
        let (whole, part) = parts(digits, point)?;
        if whole.len() > 1 && whole.starts_with('0') {
            return None;
        }
        let value = shifted(&whole, part, power)?;
        let places = i32::try_from(part.len()).ok()? - power;
        Some(Self {
            value: Decimal(if negative || minus { -value } else { value }),
            money: before.or(behind),
            places: u32::try_from(places.max(0)).unwrap_or(0),
        })
    }
}

impl Amount {
    /// `1234` and `12.50`, as nearly all are: read without a detour.
    fn plain(text: &str, point: Point) -> Option<Self> {
        let (whole, part) = match text.split_once(point.sign()) {
            Some((whole, part)) if !part.is_empty() => (whole, part),
            Some(_) => return None,
            None => (text, ""),
        };
        let fits = (1..=LONGEST).contains(&whole.len()) && part.len() <= PLACES;
        let is_code = whole.len() > 1 && whole.starts_with('0');
        let number = |digits: &str| -> Option<i128> {
            let add = |number: u64, byte: u8| {
                byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0'))
            };
            digits.bytes().try_fold(0u64, add).map(i128::from)
        };
        if !fits || is_code {
            return None;
        }
        let places = u32::try_from(part.len()).ok()?;
        let finer = ONE / 10i128.pow(places);
        let value = Decimal(number(whole)? * ONE + number(part)? * finer);
        Some(Self { value, money: None, places })
    }
}

/// Without what an amount is in and without a percent sign, on either side.
fn without_money(text: &str) -> (&str, Option<&'static str>) {
    let blanks = |c: char| c == '%' || c.is_whitespace();
    let text = text.trim_matches(blanks);
    for money in MONEY {
        let rest = text.strip_prefix(money).or_else(|| text.strip_suffix(money));
        if let Some(rest) = rest {
            return (rest.trim_matches(blanks), Some(money));
        }
    }
    (text, None)
}

/// `2.5e-4` is `2.5` and -4.
fn exponent(text: &str) -> Option<(&str, i32)> {
    let Some((digits, power)) = text.split_once(['e', 'E']) else { return Some((text, 0)) };
    let plain = power.trim_start_matches(['+', '-']);
    let is_short = (1..=2).contains(&plain.len()) && power.len() - plain.len() <= 1;
    let is_digits = plain.bytes().all(|byte| byte.is_ascii_digit());
    (is_short && is_digits).then_some(())?;
    Some((digits, power.trim_start_matches('+').parse().ok()?))
}

/// Digits before the point and behind it.
fn parts(text: &str, point: Point) -> Option<(String, &str)> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = text.split_once(point.sign()).unwrap_or((text, ""));
    let groups = [point.other().sign(), '\'', '’', ' ', '\u{a0}', '\u{202f}'];
    let mut groups = whole.split(groups);
    let first = groups.next().filter(|first| is_digits(first))?;
    if first.is_empty() && (part.is_empty() || !whole.is_empty()) {
        return None;
    }
    let mut joined = first.to_owned();
    for group in groups {
        let grouped = group.len() == 3 && is_digits(group) && first.len() <= 3;
        if !grouped || first.starts_with('0') {
            return None;
        }
        joined.push_str(group);
    }
    is_digits(part).then_some((joined, part))
}

/// The number in the smallest unit that is kept.
fn shifted(whole: &str, part: &str, power: i32) -> Option<i128> {
    let digits = format!("{whole}{part}");
    let digits = digits.trim_start_matches('0');
    // Where the point stands, counted from the end of the digits.
    let behind = i32::try_from(part.len()).ok()? - power;
    let kept = i32::try_from(PLACES).ok()?;
    if i32::try_from(digits.len()).ok()? - behind > i32::try_from(LONGEST).ok()? {
        return None;
    }
    if behind <= kept {
        let zeros = usize::try_from(kept - behind).ok()?;
        let padded = format!("0{digits}{}", "0".repeat(zeros));
        return padded.parse().ok();
    }
    let drop = usize::try_from(behind - kept).ok()?;
    let Some(cut) = digits.len().checked_sub(drop) else { return Some(0) };
    let value: i128 = format!("0{}", &digits[..cut]).parse().ok()?;
    let up = digits.as_bytes().get(cut).is_some_and(|digit| *digit >= b'5');
    Some(value + i128::from(up))
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let all = self.0.unsigned_abs();
        let (whole, part) = (all / ONE.unsigned_abs(), all % ONE.unsigned_abs());
        let part = format!("{part:0PLACES$}");
        let part = part.trim_end_matches('0');
        match part.len() {
            0 => write!(f, "{sign}{whole}"),
            // Money has two digits behind the point.
            1 => write!(f, "{sign}{whole}.{part}0"),
            _ => write!(f, "{sign}{whole}.{part}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, point: Point) -> Option<String> {
        Amount::read(text, point).map(|amount| amount.value.to_string())
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, point, number) in [
            ("0", Point::Dot, "0"),
            ("12", Point::Comma, "12"),
            ("-3.5", Point::Dot, "-3.50"),
            (".5", Point::Dot, "0.50"),
            ("$1,234.50", Point::Dot, "1234.50"),
            ("1.234,50 €", Point::Comma, "1234.50"),
            ("EUR 12,5", Point::Comma, "12.50"),
            ("1,234", Point::Dot, "1234"),
            ("1,234", Point::Comma, "1.234"),
            ("1,5", Point::Comma, "1.50"),
            ("12 %", Point::Dot, "12"),
            ("(40)", Point::Dot, "-40"),
            ("-$7", Point::Dot, "-7"),
            ("$-12.25", Point::Dot, "-12.25"),
            ("1 000 000", Point::Dot, "1000000"),
            ("1'000.00", Point::Dot, "1000"),
            ("0.123456", Point::Dot, "0.123456"),
            ("12.345678901", Point::Dot, "12.345678901"),
            ("0.30000000000000004", Point::Dot, "0.30"),
            ("1e3", Point::Dot, "1000"),
            ("2.5E-4", Point::Dot, "0.00025"),
            ("6.02e+2", Point::Dot, "602"),
        ] {
            assert_eq!(read(text, point).as_deref(), Some(number), "{text}");
        }
    }

    #[test]
    fn codes_dates_and_words_are_no_numbers() {
        for text in [
            "",
            "007",
            "2026-11-16",
            "1.2.3",
            "12a",
            "1,23,4",
            "NaN",
            "1e",
            "1e999",
            "e3",
            "--1",
            ".",
            "0,123.5",
            "$",
            "12e",
        ] {
            assert_eq!(read(text, Point::Dot), None, "{text}");
        }
        assert_eq!(read("99.90", Point::Comma), None);
        assert_eq!(read("99,90", Point::Dot), None);
        assert_eq!(read(&"9".repeat(40), Point::Dot), None);
        assert_eq!(read("9e40", Point::Dot), None);
    }

    #[test]
    fn averages_are_rounded_to_cents_or_as_finely_as_the_numbers_are() {
        let amount = |text: &str| Amount::read(text, Point::Dot).unwrap().value;
        assert_eq!(amount("10").shared_by(3, 0).to_string(), "3.33");
        assert_eq!(amount("-20").shared_by(3, 0).to_string(), "-6.67");
        assert_eq!(amount("0.01").shared_by(3, 4).to_string(), "0.0033");
    }
}
