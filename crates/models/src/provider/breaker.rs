//! Leaves somebody alone who has failed lately. Pure: time comes in as a value.

use std::time::Duration;

use super::Trouble;
use super::retry::MOST_PATIENCE;

/// So many failures in a row, and it is left alone.
const ENOUGH: u32 = 3;
/// For so long; each further failure doubles it.
const REST: Duration = Duration::from_secs(15);
const LONGEST_REST: Duration = Duration::from_mins(5);

/// Closed, open, or letting one try.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breaker {
    failures: u32,
    rests_until: Option<Duration>,
    /// Somebody tries whether it works again.
    trying: bool,
}

impl Breaker {
    /// Whether it may be asked at `now`, which counts from any beginning.
    pub fn admits(&mut self, now: Duration) -> bool {
        match self.rests_until {
            None => true,
            Some(until) if now < until => false,
            Some(_) if self.trying => false,
            Some(_) => {
                self.trying = true;
                true
            }
        }
    }

    pub fn went_well(&mut self) {
        *self = Self::default();
    }

    /// Whoever tried has left before there was an answer.
    pub fn let_go(&mut self) {
        self.trying = false;
    }

    pub fn failed(&mut self, trouble: &Trouble, now: Duration) {
        self.trying = false;
        let counts = match trouble {
            Trouble::WrongKey
            | Trouble::NoModel(_)
            | Trouble::Nowhere
            | Trouble::NothingLeft
            | Trouble::TooMany { .. }
            | Trouble::Overloaded { .. }
            | Trouble::Away(_)
            | Trouble::Slow(_)
            | Trouble::Garbage(_)
            | Trouble::CutOff
            | Trouble::Unusable(_) => true,
            // It answered; what it was asked or what it said was the problem.
            Trouble::Refused(_)
            | Trouble::Nothing
            | Trouble::Withheld
            | Trouble::Resting
            | Trouble::Nobody => false,
        };
        if !counts {
            return;
        }
        self.failures = self.failures.saturating_add(1);
        let over = self.failures.checked_sub(ENOUGH).or(trouble.lasts().then_some(0));
        let rest = over.map(|over| REST.saturating_mul(1 << over.min(8)));
        // Who asks for more time than anybody waits is not asked again until then.
        let asked = trouble.again_after().filter(|asked| rest.is_some() || *asked > MOST_PATIENCE);
        let Some(rest) = rest.max(asked) else { return };
        self.rests_until = Some(now + rest.min(LONGEST_REST));
    }

    pub fn is_open(&self, now: Duration) -> bool {
        self.rests_until.is_some_and(|until| now < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn broken() -> Trouble {
        Trouble::Overloaded { status: 500, again_after: None }
    }

    #[test]
    fn three_failures_in_a_row_and_it_rests_then_one_may_try() {
        let mut breaker = Breaker::default();
        for _ in 0..2 {
            assert!(breaker.admits(s(0)));
            breaker.failed(&broken(), s(0));
        }
        assert!(breaker.admits(s(0)));
        breaker.failed(&broken(), s(0));
        assert!(!breaker.admits(s(14)) && breaker.is_open(s(14)));
        assert!(breaker.admits(s(15)), "one may try");
        assert!(!breaker.admits(s(15)), "and nobody else meanwhile");
        breaker.failed(&broken(), s(16));
        assert!(!breaker.admits(s(45)) && breaker.admits(s(46)), "it rests twice as long");
        breaker.went_well();
        assert!(breaker.admits(s(46)) && breaker.admits(s(46)));
    }

    #[test]
    fn a_wrong_key_rests_at_once_and_a_refused_request_never() {
        let mut breaker = Breaker::default();
        for _ in 0..10 {
            breaker.failed(&Trouble::Refused("no".into()), s(0));
        }
        assert!(breaker.admits(s(0)));
        breaker.failed(&Trouble::WrongKey, s(0));
        assert!(!breaker.admits(s(1)));
    }

    #[test]
    fn whoever_tried_and_left_keeps_nobody_else_out() {
        let mut breaker = Breaker::default();
        breaker.failed(&Trouble::WrongKey, s(0));
        assert!(breaker.admits(s(20)) && !breaker.admits(s(20)));
        breaker.let_go();
        assert!(breaker.admits(s(20)));
    }

    #[test]
    fn who_asks_for_a_minute_is_left_alone_for_a_minute() {
        let mut breaker = Breaker::default();
        let busy = |seconds| Trouble::TooMany { again_after: Some(s(seconds)) };
        breaker.failed(&busy(1), s(0));
        assert!(breaker.admits(s(0)), "so long somebody waits");
        breaker.failed(&busy(60), s(0));
        assert!(!breaker.admits(s(59)) && breaker.admits(s(60)));
    }
}
