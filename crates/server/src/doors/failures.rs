//! Whoever shows one wrong key after the other waits.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits::neighbourhood;

const MINUTE: Duration = Duration::from_mins(1);
/// Addresses that are remembered; beyond that the one that was quiet longest is forgotten.
const MOST: usize = 4096;

/// How much each address has failed lately.
pub struct Failures {
    /// 0 is any number.
    per_minute: u32,
    lately: Mutex<HashMap<IpAddr, Lately>>,
}

/// Failures that are not forgotten yet. They fade evenly, all of them in a minute.
#[derive(Clone, Copy)]
struct Lately {
    count: f64,
    at: Instant,
}

impl Failures {
    pub fn new(per_minute: u32) -> Self {
        Self { per_minute, lately: Mutex::default() }
    }

    /// How long this address has to wait before it may try again.
    pub fn wait(&self, address: IpAddr, now: Instant) -> Option<Duration> {
        let lately = self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        let count = self.faded(*lately.get(&neighbourhood(address))?, now);
        let too_many = count + 1.0 - f64::from(self.per_minute);
        (too_many > 0.0).then(|| MINUTE.mul_f64(too_many / f64::from(self.per_minute)))
    }

    /// Remembers a failure. True when it was the last one for now.
    pub fn note(&self, address: IpAddr, now: Instant) -> bool {
        if self.per_minute == 0 {
            return false;
        }
        let address = neighbourhood(address);
        let mut lately = self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        if lately.len() >= MOST && !lately.contains_key(&address) {
            let quietest = lately.iter().min_by_key(|(_, lately)| lately.at).map(|(key, _)| *key);
            quietest.map(|key| lately.remove(&key));
        }
        let before = lately.get(&address).map_or(0.0, |lately| self.faded(*lately, now));
        let count = before + 1.0;
        lately.insert(address, Lately { count, at: now });
        count + 1.0 > f64::from(self.per_minute)
    }

    fn faded(&self, lately: Lately, now: Instant) -> f64 {
        let minutes = now.saturating_duration_since(lately.at).as_secs_f64() / MINUTE.as_secs_f64();
        (lately.count - minutes * f64::from(self.per_minute)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_failure_too_many_waits_until_one_has_faded() {
        let (failures, now) = (Failures::new(10), Instant::now());
        for _ in 0..9 {
            assert!(!failures.note(address("10.0.0.1"), now));
            assert_eq!(failures.wait(address("10.0.0.1"), now), None);
        }
        assert!(failures.note(address("10.0.0.1"), now));

        let wait = failures.wait(address("10.0.0.1"), now).unwrap();
        assert_eq!(wait, Duration::from_secs(6));
        assert_eq!(failures.wait(address("10.0.0.2"), now), None);
        let later = now + wait + Duration::from_millis(1);
        assert_eq!(failures.wait(address("10.0.0.1"), later), None);
    }

    #[test]
    fn neighbours_of_one_network_fail_together() {
        let (failures, now) = (Failures::new(1), Instant::now());
        failures.note(address("2001:db8::1"), now);
        assert!(failures.wait(address("2001:db8::ffff:2"), now).is_some());
        assert_eq!(failures.wait(address("2001:db8:0:1::1"), now), None);
        failures.note(address("::ffff:10.0.0.1"), now);
        assert!(failures.wait(address("10.0.0.1"), now).is_some());
    }

    #[test]
    fn without_a_limit_nobody_waits() {
        let (failures, now) = (Failures::new(0), Instant::now());
        for _ in 0..100 {
            failures.note(address("10.0.0.1"), now);
        }
        assert_eq!(failures.wait(address("10.0.0.1"), now), None);
    }

    #[test]
    fn many_addresses_do_not_fill_the_memory() {
        let (failures, now) = (Failures::new(1), Instant::now());
        for number in 0..5000u32 {
            failures.note(IpAddr::V4(number.into()), now + Duration::from_micros(number.into()));
        }
        assert_eq!(failures.lately.lock().unwrap().len(), MOST);
        assert!(failures.wait(IpAddr::V4(4999.into()), now).is_some());
    }
}
