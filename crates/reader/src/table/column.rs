//! One column: how it writes things, and what they come to.

use std::collections::{BTreeMap, HashMap};

use brain::paper::{Column, Counted, Doubt, Holds};
use jiff::civil::{Date, DateTime};

use super::dates::{self, ORDERS, Order};
use super::figures::{Amount, Decimal, Point};

/// Different words of one column that are counted.
const MOST_DIFFERENT: usize = 5_000;
/// Of those, so many are told.
const TOP: usize = 5;
/// Where there are no more than these, all of them are.
const FEW: usize = 40;
/// Months that rows are counted by: ten years of them.
const MOST_MONTHS: usize = 120;
/// What people write where there is no value.
const ABSENT: &[&str] = &[
    "", "-", "--", "–", "—", "n/a", "na", "#n/a", "nan", "null", "none", "nil", "?", "n.a.",
    "k.a.", "tbd",
];

fn is_absent(cell: &str) -> bool {
    cell.len() <= 4 && ABSENT.iter().any(|absent| cell.eq_ignore_ascii_case(absent))
}

/// What was seen of a column at first sight.
pub struct Look {
    /// Cells that are not empty.
    filled: u32,
    /// Cells with a value, which `n/a` is not.
    valued: u32,
    /// All of it can be read as numbers with a point, with a comma.
    dot: bool,
    comma: bool,
    /// A cell that would be two different numbers.
    either: Option<String>,
    orders: [bool; 3],
    either_day: Option<String>,
    money: Vec<&'static str>,
    words: HashMap<String, u32>,
    /// There are more different words than are counted.
    many: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            filled: 0,
            valued: 0,
            dot: true,
            comma: true,
            either: None,
            orders: [true; 3],
            either_day: None,
            money: Vec::new(),
            words: HashMap::new(),
            many: false,
        }
    }
}

impl Look {
    pub fn see(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        self.filled = self.filled.saturating_add(1);
        if let Some(times) = self.words.get_mut(cell) {
            *times = times.saturating_add(1);
            // What it could be was seen the first time; there may be millions of rows.
            self.valued = self.valued.saturating_add(u32::from(!is_absent(cell)));
            return;
        }
        if self.words.len() < MOST_DIFFERENT {
            self.words.insert(cell.to_owned(), 1);
        } else {
            self.many = true;
        }
        if !is_absent(cell) {
            self.valued = self.valued.saturating_add(1);
            self.see_number(cell);
            self.see_day(cell);
        }
    }

    fn see_number(&mut self, cell: &str) {
        if !self.dot && !self.comma {
            return;
        }
        // What is ruled out already is not tried again.
        let dot = self.dot.then(|| Amount::read(cell, Point::Dot)).flatten();
        let comma = self.comma.then(|| Amount::read(cell, Point::Comma)).flatten();
        self.dot &= dot.is_some();
        self.comma &= comma.is_some();
        if let (Some(dot), Some(comma)) = (dot, comma)
            && dot.value != comma.value
        {
            self.either.get_or_insert_with(|| cell.to_owned());
        }
        let money = dot.or(comma).and_then(|amount| amount.money).map(currency);
        if let Some(money) = money.filter(|money| !self.money.contains(money)) {
            self.money.push(money);
        }
    }

    fn see_day(&mut self, cell: &str) {
        if self.orders == [false; 3] {
            return;
        }
        let days = ORDERS.map(|order| dates::read(cell, order));
        for (open, day) in self.orders.iter_mut().zip(days) {
            *open &= day.is_some();
        }
        let mut there = days.into_iter().flatten();
        let first = there.next();
        if there.any(|other| Some(other) != first) {
            self.either_day.get_or_insert_with(|| cell.to_owned());
        }
    }

    /// A row that turned out to be none.
    pub fn forget(&mut self, cell: &str) {
        if let Some(times) = self.words.get_mut(cell) {
            self.filled = self.filled.saturating_sub(1);
            *times -= 1;
            if *times == 0 {
                self.words.remove(cell);
            }
        }
    }

    /// The sign that can only be the point here.
    pub fn shown_point(&self) -> Option<Point> {
        match (self.valued > 0, self.dot, self.comma) {
            (true, true, false) => Some(Point::Dot),
            (true, false, true) => Some(Point::Comma),
            _ if self.valued > 0 && self.dot && self.money == ["$"] => Some(Point::Dot),
            _ => None,
        }
    }

    /// The different words of it, where they are few.
    pub fn few(&self, most: usize) -> Option<Vec<String>> {
        let are_few = !self.many && self.words.len() <= most && self.valued > 0;
        are_few.then(|| self.words.keys().cloned().collect())
    }

    /// What is counted of it, given what the whole table shows.
    pub fn tally(&self, point: Option<Point>) -> Tally {
        let orders: Vec<Order> = ORDERS
            .into_iter()
            .zip(self.orders)
            .filter(|(_, open)| *open)
            .map(|(it, _)| it)
            .collect();
        let numbers = |point| Tally::Numbers(Numbers::new(point));
        match (self.dot, self.comma, &self.either) {
            _ if self.valued == 0 => Tally::Words,
            (true, _, _) | (_, true, _) if self.money.len() > 1 => {
                let signs = self.money.iter().map(|&sign| sign.to_owned()).collect();
                Tally::Unclear(Doubt::Money(signs))
            }
            (true, false, _) | (true, true, None) => numbers(Point::Dot),
            (false, true, _) => numbers(Point::Comma),
            (true, true, Some(cell)) => match self.shown_point().or(point) {
                Some(point) => numbers(point),
                None => Tally::Unclear(Doubt::Point(cell.clone())),
            },
            (false, false, _) => match (orders.as_slice(), &self.either_day) {
                ([], _) => Tally::Words,
                ([_, _, ..], Some(cell)) => Tally::Unclear(Doubt::Day(cell.clone())),
                ([order, ..], _) => Tally::Dates(*order, None),
            },
        }
    }

    pub fn told(&mut self, tally: Tally, name: &str, rows: u32) -> Column {
        let valued = match &tally {
            Tally::Numbers(numbers) => numbers.seen,
            _ => self.valued,
        };
        let (holds, filled) = match tally {
            _ if self.filled == 0 => (Holds::Nothing, 0),
            Tally::Numbers(numbers) => match numbers.told() {
                Some(told) => (told, valued),
                None => (self.words(), self.filled),
            },
            Tally::Dates(_, Some(range)) => (range.told(), valued),
            Tally::Unclear(doubt) => (Holds::Unclear { doubt }, valued),
            Tally::Dates(_, None) | Tally::Words => (self.words(), self.filled),
        };
        let is_counted = matches!(holds, Holds::Numbers { .. } | Holds::Dates { .. });
        let left_out = if is_counted { rows.saturating_sub(filled) } else { 0 };
        Column { name: name.to_owned(), filled, left_out, holds }
    }

    fn words(&mut self) -> Holds {
        let different = u32::try_from(self.words.len()).ok().filter(|_| !self.many);
        Holds::Words { different, top: top(std::mem::take(&mut self.words)) }
    }
}

/// A sign and its code are one currency.
fn currency(sign: &'static str) -> &'static str {
    match sign {
        "USD" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "JPY" => "¥",
        other => other,
    }
}

/// What is counted of a column.
pub enum Tally {
    Numbers(Numbers),
    Dates(Order, Option<Range>),
    Words,
    Unclear(Doubt),
}

pub struct Numbers {
    point: Point,
    seen: u32,
    places: u32,
    /// None once it is larger than anybody counts.
    sum: Option<Decimal>,
    range: Option<(Decimal, Decimal)>,
}

pub struct Range {
    first: (DateTime, String),
    last: (DateTime, String),
    /// Rows of each month, by its first day.
    months: BTreeMap<Date, u32>,
}

impl Range {
    fn of(at: DateTime, told: String) -> Self {
        Self { first: (at, told.clone()), last: (at, told), months: BTreeMap::new() }
    }

    fn see(&mut self, at: DateTime, told: impl FnOnce() -> String) {
        if at < self.first.0 {
            self.first = (at, told());
        } else if at > self.last.0 {
            self.last = (at, told());
        }
    }

    fn count(&mut self, at: DateTime) {
        // One more than is told, so that what was not all counted is seen to be so.
        let month = at.date().first_of_month();
        if self.months.len() <= MOST_MONTHS || self.months.contains_key(&month) {
            let rows = self.months.entry(month).or_default();
            *rows = rows.saturating_add(1);
        }
    }

    fn told(self) -> Holds {
        let spelled = |(month, times): (Date, u32)| Counted { value: month_of(month), times };
        let months = Some(self.months).filter(|months| months.len() <= MOST_MONTHS);
        let months = months.into_iter().flatten().map(spelled).collect();
        Holds::Dates { first: self.first.1, last: self.last.1, months }
    }
}

/// "March 2026"
pub fn month_of(day: Date) -> String {
    day.strftime("%B %Y").to_string()
}

impl Tally {
    /// Counts a cell, and says which number it was.
    pub fn see(&mut self, cell: &str) -> Option<Decimal> {
        match self {
            Self::Numbers(numbers) => numbers.see(cell),
            Self::Dates(order, range) => {
                let at = dates::read(cell, *order)?;
                // Days that stand as everybody sorts them are told as they stand.
                let told = || match order {
                    Order::Year => cell.to_owned(),
                    Order::Day | Order::Month => at.date().to_string(),
                };
                let range = range.get_or_insert_with(|| Range::of(at, told()));
                range.see(at, told);
                range.count(at);
                None
            }
            Self::Words | Self::Unclear(_) => None,
        }
    }

    /// The cell says what all the others come to.
    pub fn comes_to(&self, cell: &str) -> bool {
        let Self::Numbers(numbers) = self else { return false };
        let amount = Amount::read(cell, numbers.point);
        numbers.seen > 1 && amount.is_some_and(|amount| Some(amount.value) == numbers.sum)
    }
}

impl Numbers {
    fn new(point: Point) -> Self {
        Self { point, seen: 0, places: 0, sum: Some(Decimal::default()), range: None }
    }

    fn see(&mut self, cell: &str) -> Option<Decimal> {
        let Amount { value, places, .. } = Amount::read(cell, self.point)?;
        self.seen = self.seen.saturating_add(1);
        self.places = self.places.max(places);
        self.sum = self.sum.and_then(|sum| sum.plus(value));
        let (min, max) = self.range.unwrap_or((value, value));
        self.range = Some((min.min(value), max.max(value)));
        Some(value)
    }

    fn told(&self) -> Option<Holds> {
        let (sum, (min, max)) = (self.sum?, self.range?);
        Some(Holds::Numbers {
            mean: sum.shared_by(self.seen, self.places).to_string(),
            sum: sum.to_string(),
            min: min.to_string(),
            max: max.to_string(),
        })
    }
}

/// The most frequent ones, and of those the first in the alphabet.
fn top(words: HashMap<String, u32>) -> Vec<Counted> {
    let mut all: Vec<_> = words.into_iter().collect();
    all.sort_by(|(a, many), (b, more)| more.cmp(many).then_with(|| a.cmp(b)));
    let told = if all.len() <= FEW { FEW } else { TOP };
    all.into_iter().take(told).map(|(value, times)| Counted { value, times }).collect()
}
