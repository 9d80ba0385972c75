//! How a figure was spread: half of them were below this, nearly all below that.

use schemars::JsonSchema;
use serde::Serialize;

/// Percentiles of times, in microseconds. Of nothing there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Spread {
    /// How many were measured.
    pub count: u64,
    pub p50_us: u64,
    pub p95_us: u64,
    pub p99_us: u64,
}

impl Spread {
    pub fn of(figures: impl IntoIterator<Item = u64>) -> Option<Self> {
        let mut sorted: Vec<_> = figures.into_iter().collect();
        sorted.sort_unstable();
        Some(Self {
            count: sorted.len() as u64,
            p50_us: percentile(&sorted, 50)?,
            p95_us: percentile(&sorted, 95)?,
            p99_us: percentile(&sorted, 99)?,
        })
    }
}

/// The smallest figure that so many of a hundred do not exceed: always one that was
/// measured, never one between two.
pub fn percentile(sorted: &[u64], of_hundred: usize) -> Option<u64> {
    let rank = (sorted.len() * of_hundred).div_ceil(100);
    sorted.get(rank.max(1) - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nothing_there_is_no_spread() {
        assert_eq!(Spread::of([]), None);
    }

    #[test]
    fn a_percentile_is_a_figure_that_was_measured() {
        assert_eq!(Spread::of([7]), Some(Spread { count: 1, p50_us: 7, p95_us: 7, p99_us: 7 }));
        let hundred = Spread::of((1..=100).rev());
        assert_eq!(hundred, Some(Spread { count: 100, p50_us: 50, p95_us: 95, p99_us: 99 }));
        assert_eq!(
            Spread::of([10, 1000]),
            Some(Spread { count: 2, p50_us: 10, p95_us: 1000, p99_us: 1000 })
        );
    }
}
