//! The table: a row as soon as it is known.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::cli::look::tell_line;

pub fn begin() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown").to_owned();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    tell_line!("Cores: {cores}. Load before it began: {load}.\n");
    tell_line!("| what | figure | goal |");
    tell_line!("| --- | --- | --- |");
}

/// `goal` is empty where nobody has set one.
pub fn row(what: &str, figure: impl Display, goal: &str) {
    tell_line!("| {what} | {figure} | {goal} |");
}

/// Times that something took.
#[derive(Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// So many of a hundred took no longer.
    pub fn at(&self, of_hundred: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * of_hundred).div_ceil(100).saturating_sub(1);
        sorted.get(at).copied().unwrap_or_default()
    }
}

impl FromIterator<Duration> for Times {
    fn from_iter<I: IntoIterator<Item = Duration>>(times: I) -> Self {
        Self(times.into_iter().collect())
    }
}

impl Extend<Duration> for Times {
    fn extend<I: IntoIterator<Item = Duration>>(&mut self, times: I) {
        self.0.extend(times);
    }
}

impl IntoIterator for Times {
    type Item = Duration;
    type IntoIter = std::vec::IntoIter<Duration>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Display for Times {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ms = |of_hundred| self.at(of_hundred).as_secs_f64() * 1e3;
        write!(f, "p50 {:.0} ms, p95 {:.0} ms, of {}", ms(50), ms(95), self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ninety_fifth_of_a_hundred_is_told() {
        let times: Times = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(times.to_string(), "p50 50 ms, p95 95 ms, of 100");
        let one: Times = [Duration::from_millis(7)].into_iter().collect();
        assert_eq!((one.at(50), one.at(99)), (one.at(1), one.at(100)));
    }
}
