//! When to try the same once more, and when not. Pure: chance comes in as a value.
//!
//! Tries again are a part of all tries: when a provider is down, nobody makes it worse.

use std::time::Duration;

use super::Trouble;

/// The wait before the second try; it doubles.
const FIRST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(2);
/// Nobody is kept waiting longer, whatever a provider asks for.
pub const MOST_PATIENCE: Duration = Duration::from_secs(4);
/// One more try for so many asks.
const PER_ASK: f32 = 0.2;
/// So many may be saved up.
const MOST_SAVED: f32 = 10.0;

/// How many more tries there may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget(f32);

impl Default for Budget {
    fn default() -> Self {
        Self(MOST_SAVED / 2.0)
    }
}

impl Budget {
    /// Somebody asks for the first time.
    pub fn asked(&mut self) {
        self.0 = (self.0 + PER_ASK).min(MOST_SAVED);
    }

    fn take(&mut self) -> bool {
        let has = self.0 >= 1.0;
        if has {
            self.0 -= 1.0;
        }
        has
    }
}

/// Somebody else is quicker than whoever asks for more time than this.
const WORTH_WAITING: Duration = Duration::from_millis(500);

/// Whether somebody else is asked rather than the same again: who was too slow to begin is
/// not likely to be quicker, who asks for time is not asked before it is over, and a person
/// waits.
pub fn goes_on(trouble: &Trouble, others_are_left: bool) -> bool {
    let asks_for_time = || trouble.again_after().is_some_and(|wait| wait > WORTH_WAITING);
    others_are_left && (matches!(trouble, Trouble::Slow(_)) || asks_for_time())
}

/// How long to wait before another try, or nothing where there is to be none. `tries`
/// were made, `chance` is between 0 and 1.
pub fn wait(
    trouble: &Trouble,
    tries: u32,
    most: u32,
    chance: f32,
    budget: &mut Budget,
) -> Option<Duration> {
    if !trouble.passes() || tries >= most {
        return None;
    }
    let longest = FIRST.saturating_mul(1 << tries.saturating_sub(1).min(8)).min(LONGEST);
    // All who failed together do not come back together.
    let wait = longest.mul_f32(0.5 + chance.clamp(0.0, 1.0) / 2.0);
    let wait = trouble.again_after().map_or(wait, |asked| asked.max(wait));
    (wait <= MOST_PATIENCE && budget.take()).then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy(seconds: Option<u64>) -> Trouble {
        Trouble::TooMany { again_after: seconds.map(Duration::from_secs) }
    }

    #[test]
    fn waits_grow_vary_and_honour_what_was_asked_for() {
        let wait = |trouble: &Trouble, tries, chance| {
            wait(trouble, tries, 3, chance, &mut Budget::default()).map(|wait| wait.as_millis())
        };
        assert_eq!(wait(&busy(None), 1, 0.0), Some(100));
        assert_eq!(wait(&busy(None), 1, 1.0), Some(200));
        assert_eq!(wait(&busy(None), 2, 1.0), Some(400));
        assert_eq!(wait(&busy(Some(1)), 1, 0.0), Some(1000));
        assert_eq!(wait(&busy(Some(60)), 1, 0.0), None, "nobody waits a minute");
        assert_eq!(wait(&busy(None), 3, 0.0), None);
        assert_eq!(wait(&Trouble::WrongKey, 1, 0.0), None);
    }

    #[test]
    fn who_was_too_slow_is_asked_again_only_where_nobody_else_is_left() {
        assert!(goes_on(&Trouble::Slow("answer"), true));
        assert!(!goes_on(&Trouble::Slow("answer"), false));
        assert!(!goes_on(&busy(None), true));
    }

    #[test]
    fn who_asks_for_time_is_left_for_whoever_has_some() {
        assert!(goes_on(&busy(Some(4)), true));
        assert!(!goes_on(&busy(Some(4)), false));
    }

    #[test]
    fn when_everything_fails_few_are_tried_again() {
        let mut budget = Budget::default();
        let mut again = 0;
        for _ in 0..1000 {
            budget.asked();
            again += u32::from(wait(&busy(None), 1, 2, 0.5, &mut budget).is_some());
        }
        assert!((195..=210).contains(&again), "{again}");
    }
}
