//! Days as people put them into tables, in the order that all of a column keeps.

use jiff::civil::{Date, DateTime};

/// What a day begins with where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `2026-11-16`, also with a time behind it.
    Year,
    /// `16.11.2026`, `16/11/2026`
    Day,
    /// `11/16/2026`
    Month,
}

pub const ORDERS: [Order; 3] = [Order::Year, Order::Day, Order::Month];

/// The moment that a cell names, a day alone being its midnight.
pub fn read(text: &str, order: Order) -> Option<DateTime> {
    let (day, rest) = match text.split_once(['T', ' ']) {
        Some((day, rest)) => (day, rest),
        None => (text, ""),
    };
    let sign = ['-', '.', '/'].into_iter().find(|sign| day.contains(*sign))?;
    let pieces: Vec<&str> = day.split(sign).collect();
    let [first, second, third] = pieces.as_slice() else { return None };
    let (year, month, day) = match order {
        Order::Year => (first, second, third),
        // A point is the sign of those who begin with the day.
        Order::Month if sign == '.' => return None,
        Order::Day => (third, second, first),
        Order::Month => (third, first, second),
    };
    let is_strict = order != Order::Year || (month.len() == 2 && day.len() == 2);
    if year.len() != 4 || !is_strict || month.len() > 2 || day.len() > 2 {
        return None;
    }
    let number = |text: &str| -> Option<i8> {
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
    };
    let year = year.bytes().all(|byte| byte.is_ascii_digit()).then(|| year.parse().ok())??;
    let date = Date::new(year, number(month)?, number(day)?).ok()?;
    clock(date, rest)
}

/// What stands behind a day is a time, with or without its zone.
fn clock(date: Date, rest: &str) -> Option<DateTime> {
    let digits: Vec<&str> = rest.split(':').collect();
    let number = |text: &str| -> Option<i8> { text.get(..2)?.parse().ok() };
    match digits.as_slice() {
        [""] => Some(date.to_datetime(jiff::civil::Time::midnight())),
        [hour, minute, ..] => {
            let hour = hour.parse().ok().filter(|hour| (0..24).contains(hour))?;
            let minute = number(minute).filter(|minute| (0..60).contains(minute))?;
            let second = digits.get(2).and_then(|it| number(it)).unwrap_or(0).clamp(0, 59);
            Some(date.at(hour, minute, second, 0))
        }
        _ => None,
    }
}

/// It names a day to somebody.
pub fn is_one(text: &str) -> bool {
    ORDERS.into_iter().any(|order| read(text, order).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_that_exist_are_dates() {
        for text in ["2026-11-16", "2026-11-16T10:00:00Z", "16.11.2026", "2/14/2026", "3/1/2026"] {
            assert!(is_one(text), "{text}");
        }
        for text in [
            "2026-02-30",
            "2026-11-1",
            "ten o'clock",
            "2026-11-16abc",
            "ÄÄÄÄÄÄ",
            "31.02.2026",
            "14/14/2026",
            "1.2.3",
            "1-2",
            "2026-11-16 99:00",
        ] {
            assert!(!is_one(text), "{text}");
        }
    }

    #[test]
    fn the_order_decides_what_a_day_is() {
        let day = |text, order| read(text, order).map(|at| at.date().to_string());
        assert_eq!(day("01/02/2026", Order::Month).as_deref(), Some("2026-01-02"));
        assert_eq!(day("01/02/2026", Order::Day).as_deref(), Some("2026-02-01"));
        assert_eq!(day("01.02.2026", Order::Month), None);
        assert_eq!(day("02/14/2026", Order::Day), None);
    }
}
