//! Time and ids that do what the test says.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use brain::ids::Uuid;
use jiff::{SignedDuration, Timestamp};
use session::{Clock, Ids};

/// Stands still until it is moved.
#[derive(Debug)]
pub struct ManualClock {
    now_us: AtomicI64,
    /// How far it was set from where time has brought it.
    set_us: AtomicI64,
}

impl ManualClock {
    pub fn at(now: Timestamp) -> Self {
        Self { now_us: AtomicI64::new(now.as_microsecond()), set_us: AtomicI64::new(0) }
    }

    pub fn advance(&self, by: Duration) {
        let by_us = i64::try_from(by.as_micros()).expect("a test does not wait for centuries");
        self.now_us.fetch_add(by_us, Ordering::SeqCst);
    }

    /// Somebody sets it forward or back; no time passes.
    pub fn set(&self, by: SignedDuration) {
        let by_us = i64::try_from(by.as_micros()).expect("nobody sets it by centuries");
        self.set_us.fetch_add(by_us, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        let now_us = self.now_us.load(Ordering::SeqCst) + self.set_us.load(Ordering::SeqCst);
        Timestamp::from_microsecond(now_us).expect("it was one before")
    }

    fn ticks_us(&self) -> u64 {
        self.now_us.load(Ordering::SeqCst).unsigned_abs()
    }
}

/// Goes with the timers of a runtime whose time is virtual.
#[derive(Debug)]
pub struct PacedClock {
    began: Timestamp,
    since: tokio::time::Instant,
}

impl PacedClock {
    /// It is `now`; from here on whoever sleeps moves it.
    pub fn at(now: Timestamp) -> Self {
        Self { began: now, since: tokio::time::Instant::now() }
    }
}

impl Clock for PacedClock {
    fn now(&self) -> Timestamp {
        let passed = i64::try_from(self.ticks_us()).expect("a test does not wait for centuries");
        self.began + jiff::SignedDuration::from_micros(passed)
    }

    fn ticks_us(&self) -> u64 {
        let passed = self.since.elapsed().as_micros();
        u64::try_from(passed).expect("a test does not wait for centuries")
    }
}

/// 1, 2, 3.
#[derive(Debug, Default)]
pub struct CountingIds {
    last: AtomicU64,
}

impl Ids for CountingIds {
    fn next(&self) -> Uuid {
        Uuid::from_u128(u128::from(self.last.fetch_add(1, Ordering::SeqCst) + 1))
    }
}
