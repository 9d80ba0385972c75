//! Times that were taken, and what they say.

use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub struct Figures {
    times: Vec<Duration>,
}

impl Figures {
    pub fn take(&mut self, time: Duration) {
        self.times.push(time);
    }

    pub fn join(&mut self, other: Self) {
        self.times.extend(other.times);
    }

    pub fn count(&self) -> usize {
        self.times.len()
    }

    /// The time that this share of them did not exceed, in milliseconds.
    pub fn ms(&self, share: f64) -> f64 {
        let mut sorted = self.times.clone();
        sorted.sort();
        let at = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
        sorted.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    }
}
