//! The arithmetic of free time. Pure: stretches of time in, stretches out.

use brain::profile::WorkingHours;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

use super::Constraints;

/// Nobody offers a meeting at seven past: what begins now begins at the next of these.
const STEP_SECONDS: i64 = 300;

/// `start` belongs to it, `end` does not; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl Stretch {
    pub fn new(start: Timestamp, end: Timestamp) -> Option<Self> {
        (start < end).then_some(Self { start, end })
    }

    pub fn length(self) -> SignedDuration {
        self.end.duration_since(self.start)
    }

    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    fn clipped_to(self, other: Self) -> Option<Self> {
        Self::new(self.start.max(other.start), self.end.min(other.end))
    }
}

/// When something may be put at all: the range, from now on, on the days and
/// hours that are welcome in `zone`. Sorted, apart from each other.
pub(crate) fn windows(
    range: Stretch,
    now: Timestamp,
    hours: &WorkingHours,
    constraints: &Constraints,
    zone: &TimeZone,
) -> Vec<Stretch> {
    let Some(range) = Stretch::new(range.start.max(next_step(now)), range.end) else {
        return Vec::new();
    };
    let first = range.start.to_zoned(zone.clone()).date();
    let last = range.end.to_zoned(zone.clone()).date();
    let days = std::iter::successors(Some(first), |day| day.tomorrow().ok());
    let mut windows: Vec<Stretch> = Vec::new();
    for day in days.take_while(|day| *day <= last) {
        let open = opening(day, hours, constraints, zone).and_then(|open| open.clipped_to(range));
        let Some(open) = open else { continue };
        match windows.last_mut() {
            // One night runs into the next morning.
            Some(before) if before.end == open.start => before.end = open.end,
            _ => windows.push(open),
        }
    }
    windows
}

/// The welcome part of one day. A clock time that a day skips or has twice
/// is put where clocks would put it.
fn opening(
    day: Date,
    hours: &WorkingHours,
    constraints: &Constraints,
    zone: &TimeZone,
) -> Option<Stretch> {
    let Constraints { working_hours, not_before, not_after } = *constraints;
    if working_hours && !hours.includes(day.weekday()) {
        return None;
    }
    let opens = working_hours.then_some(hours.start).max(not_before);
    let closes = [working_hours.then_some(hours.end), not_after].into_iter().flatten().min();
    let at = |time: Time| day.to_datetime(time).to_zoned(zone.clone()).ok();
    let midnight = |day: Date| day.to_zoned(zone.clone()).ok();
    let start: Zoned = opens.map_or_else(|| midnight(day), at)?;
    let end: Zoned = closes.map_or_else(|| midnight(day.tomorrow().ok()?), at)?;
    Stretch::new(start.timestamp(), end.timestamp())
}

/// What the busy stretches leave of the windows, where it is long enough.
/// `busy` may come in any order and overlap itself.
pub fn gaps(windows: &[Stretch], busy: &[Stretch], at_least: SignedDuration) -> Vec<Stretch> {
    let mut busy = busy.to_vec();
    busy.sort_by_key(|taken| taken.start);
    let mut free = Vec::new();
    for window in windows {
        let mut from = window.start;
        for taken in busy.iter().filter(|taken| taken.overlaps(*window)) {
            free.extend(Stretch::new(from, taken.start));
            from = from.max(taken.end);
        }
        free.extend(Stretch::new(from, window.end));
    }
    free.retain(|gap| gap.length() >= at_least);
    free
}

fn next_step(now: Timestamp) -> Timestamp {
    let second = now.as_second() + i64::from(now.subsec_nanosecond() > 0);
    let over = second.rem_euclid(STEP_SECONDS);
    let at = if over == 0 { second } else { second + STEP_SECONDS - over };
    Timestamp::from_second(at).unwrap_or(now)
}

#[cfg(test)]
#[path = "gaps_tests.rs"]
mod tests;
