//! So much a minute, all of it at once if need be.
//!
//! What was used fades evenly. Whoever wants more than is left takes nothing, from
//! nobody: a session that is refused does not use up what its person has, nor a person
//! what everybody at their address has.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Wait, Who};

const MINUTE: Duration = Duration::from_mins(1);
/// A person may do what so many of their sessions may.
const SESSIONS_OF_A_USER: u32 = 4;
/// Behind one address there may be a whole office.
const SESSIONS_OF_AN_ADDRESS: u32 = 20;

/// Less than that is a matter of rounding.
const HARDLY_ANY: f64 = 1e-6;

/// One kind of thing that is counted.
pub struct Allowance {
    /// 0 is no limit.
    per_minute: u32,
    lately: Mutex<HashMap<Who, Used>>,
}

/// What has not faded yet.
#[derive(Clone, Copy)]
struct Used {
    count: f64,
    at: Instant,
}

impl Allowance {
    pub fn new(per_minute: u32) -> Self {
        Self { per_minute, lately: Mutex::default() }
    }

    /// Takes it from all of them or from none; then how long until all have it.
    pub fn take(&self, whose: &[Who], cost: u32, now: Instant) -> Result<(), Wait> {
        if self.per_minute == 0 || cost == 0 {
            return Ok(());
        }
        let mut lately = self.lately();
        let wait = whose.iter().filter_map(|who| {
            let used = lately.get(who).map_or(0.0, |used| self.left_of(*who, *used, now));
            let over = used + f64::from(cost) - self.most(*who);
            // What never fits is not asked for again at once either.
            (over > HARDLY_ANY).then(|| MINUTE.mul_f64((over / self.most(*who)).min(1.0)))
        });
        if let Some(wait) = wait.max() {
            return Err(Wait(wait));
        }
        for who in whose {
            let used = lately.get(who).map_or(0.0, |used| self.left_of(*who, *used, now));
            lately.insert(*who, Used { count: used + f64::from(cost), at: now });
        }
        Ok(())
    }

    /// Whoever has used nothing lately is forgotten.
    pub fn forget_unused(&self, now: Instant) {
        let mut lately = self.lately();
        lately.retain(|who, used| self.left_of(*who, *used, now) > 0.0);
        lately.shrink_to_fit();
    }

    fn most(&self, who: Who) -> f64 {
        let times = match who {
            Who::Session(_) => 1,
            Who::User(_) => SESSIONS_OF_A_USER,
            Who::Address(_) => SESSIONS_OF_AN_ADDRESS,
        };
        f64::from(self.per_minute) * f64::from(times)
    }

    fn left_of(&self, who: Who, used: Used, now: Instant) -> f64 {
        let minutes = now.saturating_duration_since(used.at).as_secs_f64() / MINUTE.as_secs_f64();
        (used.count - minutes * self.most(who)).max(0.0)
    }

    fn lately(&self) -> MutexGuard<'_, HashMap<Who, Used>> {
        self.lately.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;
    use brain::{SessionId, UserId};

    use super::*;

    fn session(number: u128) -> Who {
        Who::Session(SessionId(Uuid::from_u128(number)))
    }

    fn user(number: u128) -> Who {
        Who::User(UserId(Uuid::from_u128(number)))
    }

    const OFFICE: Who = Who::Address(std::net::IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1)));

    #[test]
    fn what_one_is_refused_does_not_use_up_what_others_share() {
        let (allowance, now) = (Allowance::new(10), Instant::now());
        let ana = [session(1), user(1), OFFICE];
        let taken = (0..10_000).filter(|_| allowance.take(&ana, 1, now).is_ok()).count();
        assert_eq!(taken, 10);
        assert!(allowance.take(&[session(2), user(2), OFFICE], 1, now).is_ok());
        // Ana's other sessions have what is left to her.
        let other = [session(3), user(1), OFFICE];
        assert_eq!((0..100).filter(|_| allowance.take(&other, 1, now).is_ok()).count(), 10);
    }

    #[test]
    fn what_was_used_comes_back_evenly() {
        let (allowance, now) = (Allowance::new(6), Instant::now());
        allowance.take(&[session(1)], 6, now).unwrap();
        let wait = allowance.take(&[session(1)], 1, now).unwrap_err();
        assert_eq!(wait.0, Duration::from_secs(10));
        let later = now + wait.0;
        assert!(allowance.take(&[session(1)], 1, later).is_ok());
        assert!(allowance.take(&[session(1)], 1, later).is_err());
    }

    #[test]
    fn what_never_fits_waits_and_takes_nothing() {
        let (allowance, now) = (Allowance::new(2), Instant::now());
        assert_eq!(allowance.take(&[session(1)], 1_000, now), Err(Wait(MINUTE)));
        assert!(allowance.take(&[session(1)], 2, now).is_ok());
    }

    #[test]
    fn whoever_was_quiet_is_forgotten() {
        let (allowance, now) = (Allowance::new(2), Instant::now());
        allowance.take(&[session(1), user(1)], 1, now).unwrap();
        allowance.forget_unused(now);
        assert_eq!(allowance.lately().len(), 2);
        allowance.forget_unused(now + MINUTE);
        assert_eq!(allowance.lately().len(), 0);
    }
}
