//! Tables of values that are separated by commas, semicolons or tabs.

mod figures;

use std::collections::HashMap;

use brain::paper::{Column, Counted, Holds, Paper, Place, Table};
use csv::{ByteRecord, ReaderBuilder};

use self::figures::Decimal;
use crate::paper::{Filling, line};
use crate::{MOST_PARTS, Unreadable};

/// Columns that are looked at; nobody asks about the rest of them.
const MOST_COLUMNS: usize = 200;
/// Different words of one column that are counted.
const MOST_DIFFERENT: usize = 5_000;
/// Of those, so many are told.
const TOP: usize = 5;
/// Characters of one cell that count.
const LONGEST_CELL: usize = 200;

pub fn read(bytes: &[u8]) -> Result<Paper, Unreadable> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut reader = ReaderBuilder::new()
        .delimiter(separator(bytes))
        .has_headers(false)
        .flexible(true)
        .from_reader(bytes);
    let mut record = ByteRecord::new();
    let mut next = |record: &mut ByteRecord| {
        reader
            .read_byte_record(record)
            .map_err(|_| Unreadable::Broken("table", "a row of it cannot be read"))
    };
    if !next(&mut record)? {
        return Err(Unreadable::Empty);
    }
    let first: Vec<String> = cells(&record);
    let width = record.len();
    let named = is_heading(&first);
    let names = if named { first.clone() } else { (1..=first.len()).map(numbered).collect() };
    let mut columns: Vec<Seen> = names.into_iter().map(Seen::new).collect();
    let mut filling = Filling::default();
    let mut rows = 0u32;
    let mut widest = width;
    let mut more = named.then(|| next(&mut record)).transpose()?.unwrap_or(true);
    while more {
        rows = rows.saturating_add(1);
        widest = widest.max(record.len());
        let row = cells(&record);
        for (column, cell) in columns.iter_mut().zip(&row) {
            column.see(cell);
        }
        if filling.is_full() || rows as usize > MOST_PARTS {
            filling.paper.cut = true;
        } else {
            filling.add(Place::Row(rows), &spelled(&columns, &row));
        }
        more = next(&mut record)?;
    }
    let width = u32::try_from(widest).unwrap_or(u32::MAX);
    let columns = columns.into_iter().map(Seen::told).collect();
    filling.paper.table = Some(Table { rows, width, columns });
    filling.paper.cut |= widest > MOST_COLUMNS;
    Ok(filling.done())
}

/// What separates the values of the first line.
fn separator(bytes: &[u8]) -> u8 {
    let first = bytes.split(|byte| *byte == b'\n').find(|line| !line.is_empty()).unwrap_or(bytes);
    let count = |sign: &u8| first.split(|byte| byte == sign).count();
    [b',', b';', b'\t'].into_iter().rev().max_by_key(count).unwrap_or(b',')
}

fn cells(record: &ByteRecord) -> Vec<String> {
    let cell = |cell: &[u8]| {
        let text = String::from_utf8_lossy(&cell[..cell.len().min(4 * LONGEST_CELL)]);
        line(&text).unwrap_or_default()
    };
    record.iter().take(MOST_COLUMNS).map(cell).collect()
}

/// Names are words, different ones, and none of them is missing.
fn is_heading(first: &[String]) -> bool {
    let mut seen = std::collections::HashSet::new();
    let is_name = |cell: &String| {
        !cell.is_empty() && Decimal::read(cell).is_none() && !figures::is_date(cell)
    };
    first.iter().all(|cell| is_name(cell) && seen.insert(cell.to_lowercase()))
}

fn numbered(number: usize) -> String {
    format!("column {number}")
}

/// A row as one would read it out.
fn spelled(columns: &[Seen], row: &[String]) -> String {
    let filled = columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
    let cells = filled.map(|(column, cell)| format!("{}: {cell}", column.name));
    cells.collect::<Vec<_>>().join(", ")
}

/// What was seen of a column so far.
struct Seen {
    name: String,
    filled: u32,
    numbers: Option<Numbers>,
    dates: Option<(String, String)>,
    words: HashMap<String, u32>,
    /// There are more different words than are counted.
    many: bool,
}

#[derive(Default)]
struct Numbers {
    sum: Option<Decimal>,
    range: Option<(Decimal, Decimal)>,
}

impl Seen {
    fn new(name: String) -> Self {
        let numbers = Some(Numbers { sum: Some(Decimal::default()), range: None });
        let dates = Some((String::new(), String::new()));
        Self { name, filled: 0, numbers, dates, words: HashMap::new(), many: false }
    }

    fn see(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        self.filled = self.filled.saturating_add(1);
        self.numbers = self.numbers.take().and_then(|numbers| numbers.with(cell));
        self.dates = self.dates.take().and_then(|dates| with_date(dates, cell));
        if let Some(times) = self.words.get_mut(cell) {
            *times = times.saturating_add(1);
        } else if self.words.len() < MOST_DIFFERENT {
            self.words.insert(cell.to_owned(), 1);
        } else {
            self.many = true;
        }
    }

    fn told(self) -> Column {
        let Self { name, filled, numbers, dates, words, many } = self;
        let figures = numbers.and_then(|numbers| Some((numbers.sum?, numbers.range?)));
        let holds = match (figures, dates) {
            _ if filled == 0 => Holds::Nothing,
            (Some((sum, (min, max))), _) => Holds::Numbers {
                mean: sum.shared_by(filled).to_string(),
                sum: sum.to_string(),
                min: min.to_string(),
                max: max.to_string(),
            },
            (None, Some((first, last))) => Holds::Dates { first, last },
            (None, None) => {
                let different = u32::try_from(words.len()).ok().filter(|_| !many);
                Holds::Words { different, top: top(words) }
            }
        };
        Column { name, filled, holds }
    }
}

impl Numbers {
    /// None where it is no number: then the column holds something else.
    fn with(mut self, cell: &str) -> Option<Self> {
        let number = Decimal::read(cell)?;
        self.sum = self.sum.and_then(|sum| sum.plus(number));
        let (min, max) = self.range.unwrap_or((number, number));
        self.range = Some((min.min(number), max.max(number)));
        Some(self)
    }
}

fn with_date((first, last): (String, String), cell: &str) -> Option<(String, String)> {
    if !figures::is_date(cell) {
        return None;
    }
    let earlier = first.is_empty() || *cell < *first;
    let later = last.is_empty() || *cell > *last;
    Some((
        if earlier { cell.to_owned() } else { first },
        if later { cell.to_owned() } else { last },
    ))
}

/// The most frequent ones, and of those the first in the alphabet.
fn top(words: HashMap<String, u32>) -> Vec<Counted> {
    let mut all: Vec<_> = words.into_iter().collect();
    all.sort_by(|(a, many), (b, more)| more.cmp(many).then_with(|| a.cmp(b)));
    all.into_iter().take(TOP).map(|(value, times)| Counted { value, times }).collect()
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
