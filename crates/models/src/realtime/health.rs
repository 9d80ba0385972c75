//! Whether a live voice is well enough to be talked through. Pure: told the time.
//!
//! One of these a session. A turn goes through the live voice or through our own ears,
//! voice and text model; which of them is decided when it begins, and goes back by itself.

use std::collections::VecDeque;
use std::time::Duration;

/// What lies further back says nothing of now.
const LATELY: Duration = Duration::from_mins(1);
/// How often a line may break in a while before it is not relied on.
const MOST_BREAKS: usize = 3;
const A_WHILE: Duration = Duration::from_mins(5);
/// A round trip that is longer makes every answer late; it has to be this much better
/// again before it is relied on.
const TOO_FAR: Duration = Duration::from_millis(1_200);
const NEAR_AGAIN: Duration = Duration::from_millis(800);
/// The same for how much round trips differ.
const TOO_UNSTEADY: Duration = Duration::from_millis(600);
const STEADY_AGAIN: Duration = Duration::from_millis(300);
/// After it fell silent in the middle of something it is left alone for so long.
const REST: Duration = Duration::from_secs(10);
/// Round trips and differences are weighed like this: a quarter is news.
const WEIGHT: u32 = 4;

/// Through whom a turn goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    Live,
    Classic(Because),
}

/// Why not through the live voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// There is no line.
    Away,
    /// The line broke too often.
    Breaks,
    /// It fell silent in the middle of something.
    Stalled,
    /// Round trips take too long.
    Far,
    /// Round trips differ too much.
    Unsteady,
}

impl Because {
    pub fn name(self) -> &'static str {
        match self {
            Self::Away => "away",
            Self::Breaks => "breaks",
            Self::Stalled => "stalled",
            Self::Far => "far",
            Self::Unsteady => "unsteady",
        }
    }
}

/// What is known of one line. Moments count from any beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    is_open: bool,
    round_trip: Option<Duration>,
    jitter: Duration,
    is_far: bool,
    is_unsteady: bool,
    breaks: VecDeque<Duration>,
    stalls: VecDeque<Duration>,
    /// When it could not be opened, since it was last.
    unreached: Option<Duration>,
}

impl Health {
    pub fn opened(&mut self) {
        // Another line may be a better one.
        *self = Self {
            is_open: true,
            breaks: std::mem::take(&mut self.breaks),
            stalls: std::mem::take(&mut self.stalls),
            ..Self::default()
        };
    }

    pub fn broke(&mut self, now: Duration) {
        self.is_open = false;
        self.breaks.push_back(now);
        while self.breaks.front().is_some_and(|at| now.saturating_sub(*at) > A_WHILE) {
            self.breaks.pop_front();
        }
    }

    /// It could not be opened. That says nothing of how it is once it is.
    pub fn unreached(&mut self, now: Duration) {
        self.is_open = false;
        self.unreached = Some(now);
    }

    /// We hung up ourselves.
    pub fn closed(&mut self) {
        self.is_open = false;
    }

    /// A line that is being opened may well be a good one.
    pub fn is_hopeful(&self, now: Duration) -> bool {
        let last = self.breaks.back().copied().max(self.unreached);
        last.is_none_or(|at| now.saturating_sub(at) > LATELY)
    }

    pub fn stalled(&mut self, now: Duration) {
        self.stalls.push_back(now);
        while self.stalls.front().is_some_and(|at| now.saturating_sub(*at) > LATELY) {
            self.stalls.pop_front();
        }
    }

    pub fn knocked(&mut self, took: Duration) {
        match self.round_trip {
            None => self.round_trip = Some(took),
            Some(usual) => {
                let differs = usual.abs_diff(took);
                self.jitter = (self.jitter * (WEIGHT - 1) + differs) / WEIGHT;
                self.round_trip = Some((usual * (WEIGHT - 1) + took) / WEIGHT);
            }
        }
        let far = self.round_trip.unwrap_or_default();
        self.is_far = far > if self.is_far { NEAR_AGAIN } else { TOO_FAR };
        self.is_unsteady = self.jitter > if self.is_unsteady { STEADY_AGAIN } else { TOO_UNSTEADY };
    }

    pub fn round_trip(&self) -> Option<Duration> {
        self.round_trip
    }

    pub fn jitter(&self) -> Duration {
        self.jitter
    }

    /// Through whom a turn goes that begins now.
    pub fn route(&self, now: Duration) -> Route {
        let since = |at: &Duration| now.saturating_sub(*at);
        let breaks = self.breaks.iter().filter(|at| since(at) <= A_WHILE).count();
        let latest_stall = self.stalls.back().map(since);
        let stalls = self.stalls.iter().filter(|at| since(at) <= LATELY).count();
        let rest = REST * u32::try_from(stalls).unwrap_or(1);
        if !self.is_open {
            Route::Classic(Because::Away)
        } else if breaks >= MOST_BREAKS {
            Route::Classic(Because::Breaks)
        } else if latest_stall.is_some_and(|ago| ago < rest) {
            Route::Classic(Because::Stalled)
        } else if self.is_far {
            Route::Classic(Because::Far)
        } else if self.is_unsteady {
            Route::Classic(Because::Unsteady)
        } else {
            Route::Live
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn open() -> Health {
        let mut health = Health::default();
        health.opened();
        health
    }

    #[test]
    fn without_a_line_a_turn_goes_the_classic_way_and_comes_back_with_it() {
        let mut health = Health::default();
        assert_eq!(health.route(s(0)), Route::Classic(Because::Away));
        health.opened();
        assert_eq!(health.route(s(0)), Route::Live);
        health.broke(s(1));
        assert_eq!(health.route(s(1)), Route::Classic(Because::Away));
        health.opened();
        assert_eq!(health.route(s(2)), Route::Live);
    }

    #[test]
    fn a_line_that_breaks_again_and_again_is_not_relied_on_for_a_while() {
        let mut health = open();
        for at in [10, 20, 30] {
            health.broke(s(at));
            health.opened();
        }
        assert_eq!(health.route(s(31)), Route::Classic(Because::Breaks));
        assert_eq!(health.route(s(311)), Route::Live);
    }

    #[test]
    fn one_that_could_not_be_opened_for_long_is_relied_on_as_soon_as_it_is() {
        let mut health = Health::default();
        for at in 0..10 {
            health.unreached(s(at));
            assert_eq!(health.route(s(at)), Route::Classic(Because::Away));
            assert!(!health.is_hopeful(s(at + 1)), "nobody waits for it");
        }
        health.opened();
        assert_eq!(health.route(s(10)), Route::Live);
        assert!(health.is_hopeful(s(10)));
    }

    #[test]
    fn whoever_falls_silent_rests_and_longer_the_second_time() {
        let mut health = open();
        health.stalled(s(10));
        assert_eq!(health.route(s(19)), Route::Classic(Because::Stalled));
        assert_eq!(health.route(s(20)), Route::Live);
        health.stalled(s(25));
        assert_eq!(health.route(s(44)), Route::Classic(Because::Stalled));
        assert_eq!(health.route(s(45)), Route::Live);
    }

    #[test]
    fn a_far_line_has_to_be_clearly_nearer_before_it_is_relied_on_again() {
        let mut health = open();
        health.knocked(ms(1_300));
        assert_eq!(health.route(s(1)), Route::Classic(Because::Far));
        for _ in 0..3 {
            health.knocked(ms(1_000));
        }
        assert_eq!(health.route(s(1)), Route::Classic(Because::Far), "{health:?}");
        for _ in 0..12 {
            health.knocked(ms(100));
        }
        assert_eq!(health.route(s(1)), Route::Live, "{health:?}");
    }

    #[test]
    fn round_trips_that_differ_wildly_are_noticed() {
        let mut health = open();
        for round in 0..20 {
            health.knocked(ms(if round % 2 == 0 { 20 } else { 1_800 }));
        }
        let route = health.route(s(1));
        assert!(matches!(route, Route::Classic(Because::Unsteady | Because::Far)), "{health:?}");
    }
}
