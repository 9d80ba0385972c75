//! Tables of values that are separated by commas, semicolons or tabs.
//!
//! A table is gone through twice: first to see how each column writes its numbers and
//! days, then to count. A figure is only given where there is one way to read it.

mod column;
mod dates;
mod figures;
mod quotes;
mod shares;

use brain::paper::{Paper, Place, Table, Totals};
use csv::{ByteRecord, ReaderBuilder};

use self::column::{Look, Tally};
use self::figures::{Decimal, Point};
use self::shares::Sharing;
use crate::paper::{Filling, line};
use crate::{MOST_PARTS, Unreadable, letters, percent};

/// Columns that are looked at; nobody asks about the rest of them.
const MOST_COLUMNS: usize = 200;
/// Rows between two words about how far it is.
const TOLD_EVERY: u64 = 1_000;
/// Characters of one cell that count.
const LONGEST_CELL: usize = 200;
/// What people call the row that adds up the others.
const TOTALS: &[&str] = &[
    "total",
    "totals",
    "grand total",
    "sum",
    "overall",
    "summe",
    "gesamt",
    "gesamtsumme",
    "totaal",
    "totale",
    "somme",
];

pub fn read(bytes: &[u8], done: &mut dyn FnMut(u8)) -> Result<Paper, Unreadable> {
    let text = letters::read(bytes);
    let text = text.trim_start_matches('\u{feff}').as_bytes();
    let separator = separator(text);
    if let Some(at) = quotes::unclosed(text, separator) {
        return Ok(as_lines(text, at));
    }
    let seen = Survey::of(text, separator, &mut |at| done(at / 2))?;
    let mut count = Count::new(&seen);
    seen.each_row(text, |row| count.row(row), &mut |at| done(50 + at / 2))?;
    Ok(count.done(seen))
}

/// A table that is torn can still be quoted. Where its cells end nobody knows, so
/// nothing of it is counted.
fn as_lines(text: &[u8], torn_at: usize) -> Paper {
    let line = text[..torn_at].split(|byte| *byte == b'\n').count();
    let mut filling = Filling::default();
    let text = String::from_utf8_lossy(text);
    for (number, text) in (1..).zip(text.lines()) {
        filling.add(Place::Line(number), text);
    }
    filling.paper.extent.lines = u32::try_from(text.lines().count()).ok();
    filling.paper.flaw = Some(format!(
        "A quotation mark in line {line} is never closed, so I can quote its lines but count nothing. \
         Save it again where it was made and attach the new copy."
    ));
    filling.done()
}

/// What the first look found.
struct Survey {
    separator: u8,
    named: bool,
    names: Vec<String>,
    looks: Vec<Look>,
    widest: usize,
    rows: u32,
}

impl Survey {
    fn of(text: &[u8], separator: u8, done: &mut dyn FnMut(u8)) -> Result<Self, Unreadable> {
        let mut first: Option<Vec<String>> = None;
        let (mut looks, mut widest, mut rows) = (Vec::new(), 0, 0u32);
        let mut named = false;
        each(text, separator, done, |row, width| {
            widest = widest.max(width);
            if first.is_none() {
                named = is_heading(row);
                looks = row.iter().map(|_| Look::default()).collect();
                first = Some(row.to_vec());
                if named {
                    return;
                }
            }
            rows = rows.saturating_add(1);
            looks.iter_mut().zip(row).for_each(|(look, cell): (&mut Look, _)| look.see(cell));
        })?;
        let first = first.ok_or(Unreadable::Empty)?;
        let name = |(at, cell): (usize, &String)| match cell.as_str() {
            name if named && !name.is_empty() => name.to_owned(),
            _ => format!("column {at}"),
        };
        let names = (1..).zip(&first).map(name).collect();
        Ok(Self { separator, named, names, looks, widest, rows })
    }

    fn each_row(
        &self,
        text: &[u8],
        mut row: impl FnMut(&[String]),
        done: &mut dyn FnMut(u8),
    ) -> Result<(), Unreadable> {
        let mut skip = self.named;
        each(text, self.separator, done, |cells, _| {
            if !std::mem::take(&mut skip) {
                row(cells);
            }
        })
    }

    /// The sign that is the point wherever a column leaves no doubt.
    fn point(&self) -> Option<Point> {
        let mut shown = self.looks.iter().filter_map(Look::shown_point);
        let first = shown.next();
        match first {
            Some(point) => shown.all(|other| other == point).then_some(point),
            // Who separates with commas does not also write a point as one.
            None => (self.separator == b',').then_some(Point::Dot),
        }
    }
}

/// The second look: sums, and the words of each row.
struct Count {
    names: Vec<String>,
    tallies: Vec<Tally>,
    sharing: Sharing,
    filling: Filling,
    rows: u32,
    /// The last row, which may be one of totals.
    held: Option<Vec<String>>,
    /// The numbers of the row that is being counted, in memory that is used again.
    amounts: Vec<Option<Decimal>>,
}

impl Count {
    fn new(seen: &Survey) -> Self {
        let point = seen.point();
        let tallies: Vec<_> = seen.looks.iter().map(|look| look.tally(point)).collect();
        let sharing = Sharing::of(&seen.looks, &tallies);
        let names = seen.names.clone();
        let (filling, amounts) = (Filling::default(), Vec::new());
        Self { names, tallies, sharing, filling, rows: 0, held: None, amounts }
    }

    fn row(&mut self, row: &[String]) {
        self.rows = self.rows.saturating_add(1);
        if self.filling.is_full() || self.rows as usize > MOST_PARTS {
            self.filling.paper.cut = true;
        } else {
            self.filling.add(Place::Row(self.rows), &spelled(&self.names, row));
        }
        let Some(mut held) = self.held.take() else {
            self.held = Some(row.to_vec());
            return;
        };
        self.see(&held);
        // Its memory is used again: there may be millions of rows.
        held.resize(row.len(), String::new());
        held.clone_from_slice(row);
        self.held = Some(held);
    }

    fn see(&mut self, row: &[String]) {
        self.amounts.clear();
        self.amounts.extend(self.tallies.iter_mut().zip(row).map(|(tally, cell)| tally.see(cell)));
        self.sharing.see(row, &self.amounts);
    }

    fn done(mut self, mut seen: Survey) -> Paper {
        let last = self.held.take();
        let totals = last.as_ref().and_then(|row| self.totals(row));
        let mut counted = seen.rows;
        match (&totals, last) {
            (Some(Totals { counted: false, .. }), Some(row)) => {
                counted = counted.saturating_sub(1);
                seen.looks.iter_mut().zip(&row).for_each(|(look, cell)| look.forget(cell));
            }
            (_, Some(row)) => self.see(&row),
            (_, None) => {}
        }
        let Self { tallies, sharing, mut filling, names, .. } = self;
        let shares = sharing.told(&names);
        let columns = seen.looks.iter_mut().zip(tallies).zip(&names);
        let columns = columns.map(|((look, tally), name)| look.told(tally, name, counted));
        let columns = columns.collect();
        let width = u32::try_from(seen.widest).unwrap_or(u32::MAX);
        filling.paper.table = Some(Table { rows: seen.rows, width, columns, shares, totals });
        filling.paper.cut |= seen.widest > MOST_COLUMNS;
        filling.done()
    }

    /// The last row, where it is called a total: it adds the others up, or it does not.
    fn totals(&self, row: &[String]) -> Option<Totals> {
        let called = |cell: &String| cell.trim_end_matches(':').trim().to_lowercase();
        let label = row.iter().find(|cell| TOTALS.contains(&called(cell).as_str()))?;
        let adds_up = self.tallies.iter().zip(row).any(|(tally, cell)| tally.comes_to(cell));
        let is_first = row.iter().find(|cell| !cell.is_empty()) == Some(label);
        (adds_up || is_first).then(|| Totals { label: label.clone(), counted: !adds_up })
    }
}

/// Every row with how many cells it has, also where fewer are looked at.
fn each(
    text: &[u8],
    separator: u8,
    done: &mut dyn FnMut(u8),
    mut row: impl FnMut(&[String], usize),
) -> Result<(), Unreadable> {
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text);
    let (mut record, mut cells) = (ByteRecord::new(), Vec::new());
    for number in 0u64.. {
        if number.is_multiple_of(TOLD_EVERY) {
            let at = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX);
            done(percent(at, text.len()));
        }
        match reader.read_byte_record(&mut record) {
            Ok(true) => {
                refill(&mut cells, &record);
                row(&cells, record.len());
            }
            Ok(false) => return Ok(()),
            Err(_) => return Err(Unreadable::Broken("table", "a row of it cannot be read")),
        }
    }
    Ok(())
}

/// What separates the values of the first line.
fn separator(bytes: &[u8]) -> u8 {
    let first = bytes.split(|byte| *byte == b'\n').find(|line| !line.is_empty()).unwrap_or(bytes);
    let count = |sign: &u8| first.split(|byte| byte == sign).count();
    [b',', b';', b'\t'].into_iter().rev().max_by_key(count).unwrap_or(b',')
}

/// The cells of a record, in the memory of those of the last one.
fn refill(cells: &mut Vec<String>, record: &ByteRecord) {
    cells.resize(record.len().min(MOST_COLUMNS), String::new());
    for (text, cell) in cells.iter_mut().zip(record) {
        text.clear();
        if let Some(plain) = plain(cell) {
            text.push_str(plain);
        } else {
            let seen = String::from_utf8_lossy(&cell[..cell.len().min(4 * LONGEST_CELL)]);
            *text = line(&seen).unwrap_or_default();
        }
    }
}

/// A cell that needs no tidying, as nearly all do.
fn plain(cell: &[u8]) -> Option<&str> {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let edges = cell.first() == Some(&b' ') || cell.last() == Some(&b' ');
    let fits = cell.len() <= LONGEST_CELL && !edges && cell.iter().all(is_plain);
    let text = std::str::from_utf8(cell).ok().filter(|_| fits)?;
    (!text.contains("  ")).then_some(text)
}

/// Names are words and different ones; programs that number their rows leave one out.
fn is_heading(first: &[String]) -> bool {
    let mut seen = std::collections::HashSet::new();
    let names: Vec<_> = first.iter().filter(|cell| !cell.is_empty()).collect();
    let is_name = |cell: &String| !Decimal::is_one(cell) && !dates::is_one(cell);
    !names.is_empty()
        && names.len() * 2 >= first.len()
        && names.into_iter().all(|cell| is_name(cell) && seen.insert(cell.to_lowercase()))
}

/// A row as one would read it out.
fn spelled(names: &[String], row: &[String]) -> String {
    let filled = names.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
    let cells = filled.map(|(name, cell)| format!("{name}: {cell}"));
    cells.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
