//! What numbers come to for each value of another column, and for each month.

use std::collections::HashMap;

use brain::paper::{Share, Shares};

use super::column::{Look, Tally, month_of};
use super::dates::{self, Order};
use super::figures::Decimal;

/// Columns that are shared by, and columns that are shared out.
const MOST_BY: usize = 8;
const MOST_OF: usize = 6;
/// Different values that a column is shared by.
const MOST_VALUES: usize = 40;
/// Shares of one table in all.
const MOST_SHARES: usize = 600;

pub struct Sharing {
    by: Vec<By>,
    of: Vec<usize>,
}

struct By {
    column: usize,
    /// Of a column of days: how they are written. Its values are months.
    days: Option<Order>,
    values: HashMap<String, usize>,
    /// For each value, for each column that is shared out.
    sums: Vec<Vec<(Option<Decimal>, u32)>>,
}

impl By {
    /// Where a cell is counted. A month that was not there before gets a place.
    fn place(&mut self, cell: &str, of: usize) -> Option<usize> {
        let Some(order) = self.days else { return self.values.get(cell).copied() };
        let month = month_of(dates::read(cell, order)?.date());
        if let Some(at) = self.values.get(&month) {
            return Some(*at);
        }
        if self.values.len() > MOST_VALUES {
            return None;
        }
        self.sums.push(vec![(Some(Decimal::default()), 0); of]);
        self.values.insert(month, self.sums.len() - 1);
        Some(self.sums.len() - 1)
    }
}

impl Sharing {
    pub fn of(looks: &[Look], tallies: &[Tally]) -> Self {
        let is_number = |at: &usize| matches!(tallies[*at], Tally::Numbers(_));
        let of: Vec<usize> = (0..tallies.len()).filter(is_number).take(MOST_OF).collect();
        let mut room = MOST_SHARES;
        let by = |(column, look): (usize, &Look)| {
            let (days, values) = match &tallies[column] {
                Tally::Words => (None, look.few(MOST_VALUES)?),
                Tally::Dates(order, _) => (Some(*order), Vec::new()),
                Tally::Numbers(_) | Tally::Unclear(_) => return None,
            };
            let most = if days.is_some() { MOST_VALUES } else { values.len() };
            room = room.checked_sub(most * of.len()).filter(|_| !of.is_empty())?;
            let sums = vec![vec![(Some(Decimal::default()), 0); of.len()]; values.len()];
            let values = values.into_iter().zip(0..).collect();
            Some(By { column, days, values, sums })
        };
        let by = looks.iter().enumerate().filter_map(by).take(MOST_BY).collect();
        Self { by, of }
    }

    pub fn see(&mut self, row: &[String], amounts: &[Option<Decimal>]) {
        for by in &mut self.by {
            let Some(at) = row.get(by.column).and_then(|cell| by.place(cell, self.of.len())) else {
                continue;
            };
            for (share, of) in by.sums[at].iter_mut().zip(&self.of) {
                if let Some(amount) = amounts.get(*of).copied().flatten() {
                    share.0 = share.0.and_then(|sum| sum.plus(amount));
                    share.1 = share.1.saturating_add(1);
                }
            }
        }
    }

    pub fn told(self, names: &[String]) -> Vec<Shares> {
        let Self { by, of } = self;
        let mut told = Vec::new();
        // Months that were not all counted say nothing.
        let whole = by.iter().filter(|by| by.values.len() <= MOST_VALUES);
        for By { column, values, sums, .. } in whole {
            for (at, of) in of.iter().enumerate() {
                let share = |(value, index): (&String, &usize)| {
                    let (sum, rows) = sums[*index][at];
                    Some((sum.filter(|_| rows > 0)?, rows, value.clone()))
                };
                let mut each: Vec<_> = values.iter().filter_map(share).collect();
                each.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
                let spelled = |(sum, rows, value): (Decimal, u32, String)| Share {
                    value,
                    rows,
                    sum: sum.to_string(),
                };
                let each = each.into_iter().map(spelled).collect();
                let (by, of) = (names[*column].clone(), names[*of].clone());
                told.push(Shares { by, of, each });
            }
        }
        told
    }
}
