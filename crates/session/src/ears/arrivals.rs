//! When sound comes: how much of it never came, and how much came after all.
//!
//! What we play goes on while a microphone is muted or a network drops frames. Whoever
//! compares the two by counting samples has to be told what is missing. It is given the
//! moments and asks no clock.

use std::time::Duration;

use tokio::time::Instant;

/// Sound that is later than this is not waited for: buffers and networks explain less.
const JUMP: Duration = Duration::from_millis(100);
/// Less than this, more or less, is the same moment.
const SAME: Duration = Duration::from_millis(20);
/// Where all that came over so long a stretch is late, something before it was lost.
const STRETCH: Duration = Duration::from_millis(120);
/// What was held up for longer does not come any more.
const HELD_UP: Duration = Duration::from_secs(2);

/// What is known from the moment when something came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    InTime,
    /// So much before it was not heard.
    Missed(Duration),
    /// So much of what was missed came late, in a burst.
    Came(Duration),
}

#[derive(Debug, Default)]
pub(super) struct Arrivals {
    /// When what was heard so far was to come; nothing came yet.
    due: Option<Instant>,
    /// How long the last of it was.
    length: Duration,
    /// How late all of the last of it was at least, for so long.
    least: Option<Duration>,
    stretch: Duration,
    /// What was missed and may only be late.
    missed: Duration,
}

impl Arrivals {
    /// So much sound came.
    pub fn sound(&mut self, came: Instant, length: Duration) -> Slip {
        let due = self.due.map_or(came, |due| due + length);
        (self.due, self.length) = (Some(due), length);
        if due >= came + SAME {
            return self.early(came, due - came);
        }
        let late = came.saturating_duration_since(due);
        if late > JUMP {
            return self.miss(came, late);
        }
        if late < SAME {
            self.begin(due);
            return Slip::InTime;
        }
        let least = self.least.map_or(late, |least| least.min(late));
        (self.least, self.stretch) = (Some(least), self.stretch + length);
        if self.stretch < STRETCH { Slip::InTime } else { self.miss(due + least, least) }
    }

    /// It is this late, and perhaps nothing comes at all.
    pub fn waited(&mut self, now: Instant) -> Slip {
        let Some(due) = self.due else { return Slip::InTime };
        let late = now.saturating_duration_since(due);
        if late > self.length + JUMP { self.miss(now, late) } else { Slip::InTime }
    }

    fn miss(&mut self, due: Instant, late: Duration) -> Slip {
        self.missed = (self.missed + late).min(HELD_UP);
        self.begin(due);
        Slip::Missed(late)
    }

    fn early(&mut self, due: Instant, early: Duration) -> Slip {
        let came = early.min(self.missed);
        self.missed -= came;
        self.begin(due);
        if came.is_zero() { Slip::InTime } else { Slip::Came(came) }
    }

    fn begin(&mut self, due: Instant) {
        (self.due, self.least, self.stretch) = (Some(due), None, Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: u64 = 20;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// What is told of frames that come at these moments.
    fn slips(moments: impl IntoIterator<Item = u64>) -> Vec<Slip> {
        let (start, mut arrivals) = (Instant::now(), Arrivals::default());
        let slips = moments.into_iter().map(|at| arrivals.sound(start + ms(at), ms(FRAME)));
        slips.filter(|slip| *slip != Slip::InTime).collect()
    }

    fn frames(numbers: std::ops::Range<u64>) -> impl Iterator<Item = u64> {
        numbers.map(|number| number * FRAME)
    }

    #[test]
    fn what_comes_in_time_or_a_little_late_or_early_is_all() {
        assert_eq!(slips(frames(0..500)), []);
        assert_eq!(slips(frames(0..500).map(|at| 50 + at + at * 7 % 60 - at * 3 % 15)), []);
    }

    #[test]
    fn a_microphone_that_was_muted_missed_so_much_once() {
        let muted = frames(0..50).chain(frames(125..300));
        assert_eq!(slips(muted), [Slip::Missed(ms(1_500))]);
    }

    #[test]
    fn what_is_only_held_up_comes_in_a_burst_and_is_not_missed() {
        let held_up = frames(0..50).chain([1_300; 16]).chain(frames(66..200));
        let slips = slips(held_up);
        assert_eq!(slips[0], Slip::Missed(ms(300)));
        let came = slips[1..].iter().map(|slip| match slip {
            Slip::Came(length) => *length,
            Slip::Missed(_) | Slip::InTime => panic!("{slips:?}"),
        });
        assert_eq!(came.sum::<Duration>(), ms(300));
    }

    #[test]
    fn frames_that_are_lost_here_and_there_add_up() {
        let lossy = frames(0..500).filter(|at| at / FRAME % 20 != 7);
        let missed = slips(lossy).into_iter().map(|slip| match slip {
            Slip::Missed(length) => length,
            Slip::Came(_) | Slip::InTime => panic!("{slip:?}"),
        });
        let missed = missed.sum::<Duration>();
        assert!((ms(460)..=ms(500)).contains(&missed), "{missed:?}");
    }

    #[test]
    fn whoever_sends_nothing_misses_what_we_say_meanwhile() {
        let (start, mut arrivals) = (Instant::now(), Arrivals::default());
        assert_eq!(arrivals.waited(start), Slip::InTime);
        arrivals.sound(start, ms(FRAME));
        assert_eq!(arrivals.waited(start + ms(120)), Slip::InTime);
        assert_eq!(arrivals.waited(start + ms(240)), Slip::Missed(ms(240)));
        let slip = arrivals.sound(start + ms(1_000), ms(FRAME));
        assert_eq!(slip, Slip::Missed(ms(740)));
    }
}
