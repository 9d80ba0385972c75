//! What numbers come to for each value of another column.

use std::collections::HashMap;

use brain::paper::{Share, Shares};

use super::column::{Look, Tally};
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
    values: HashMap<String, usize>,
    /// For each value, for each column that is shared out.
    sums: Vec<Vec<(Option<Decimal>, u32)>>,
}

impl Sharing {
    pub fn of(looks: &[Look], tallies: &[Tally]) -> Self {
        let is_number = |at: &usize| matches!(tallies[*at], Tally::Numbers(_));
        let of: Vec<usize> = (0..tallies.len()).filter(is_number).take(MOST_OF).collect();
        let mut room = MOST_SHARES;
        let by = |(column, look): (usize, &Look)| {
            let values =
                matches!(tallies[column], Tally::Words).then(|| look.few(MOST_VALUES))??;
            room = room.checked_sub(values.len() * of.len()).filter(|_| !of.is_empty())?;
            let sums = vec![vec![(Some(Decimal::default()), 0); of.len()]; values.len()];
            let values = values.into_iter().zip(0..).collect();
            Some(By { column, values, sums })
        };
        let by = looks.iter().enumerate().filter_map(by).take(MOST_BY).collect();
        Self { by, of }
    }

    pub fn see(&mut self, row: &[String], amounts: &[Option<Decimal>]) {
        for by in &mut self.by {
            let Some(at) = row.get(by.column).and_then(|cell| by.values.get(cell)) else {
                continue;
            };
            for (share, of) in by.sums[*at].iter_mut().zip(&self.of) {
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
        for By { column, values, sums } in &by {
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
