//! What clients called their requests, so that one said again is not done again.

use std::collections::{HashSet, VecDeque};

use jiff::{SignedDuration, Timestamp};

/// For so long a name is known.
pub(crate) const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(24);
/// And so many of them, which nobody reaches who types.
pub(crate) const MOST: usize = 4096;

/// Newest last.
#[derive(Default)]
pub(crate) struct Names {
    in_order: VecDeque<(Timestamp, String)>,
    known: HashSet<String>,
}

impl Names {
    /// As they were left, oldest first.
    pub fn from(left: Vec<(Timestamp, String)>) -> Self {
        let known = left.iter().map(|(_, name)| name.clone()).collect();
        Self { in_order: left.into(), known }
    }

    pub fn knows(&mut self, name: &str, now: Timestamp) -> bool {
        while let Some((at, _)) = self.in_order.front()
            && now.duration_since(*at) > KNOWN_FOR
        {
            self.forget_oldest();
        }
        self.known.contains(name)
    }

    pub fn add(&mut self, name: &str, now: Timestamp) {
        if self.in_order.len() == MOST {
            self.forget_oldest();
        }
        if self.known.insert(name.to_owned()) {
            self.in_order.push_back((now, name.to_owned()));
        }
    }

    /// It was not taken after all.
    pub fn take_back(&mut self, name: &str) {
        if self.known.remove(name) {
            self.in_order.retain(|(_, known)| known != name);
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((_, name)) = self.in_order.pop_front() {
            self.known.remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(hours: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours)
    }

    #[test]
    fn a_name_is_known_for_a_day() {
        let mut names = Names::default();
        names.add("evt_1", hours(0));
        assert!(names.knows("evt_1", hours(24)));
        assert!(!names.knows("evt_1", hours(25)));
    }

    #[test]
    fn the_oldest_make_room_and_nothing_grows() {
        let mut names = Names::default();
        (0..=MOST).for_each(|n| names.add(&format!("evt_{n}"), hours(0)));
        assert!(!names.knows("evt_0", hours(0)) && names.knows("evt_1", hours(0)));
        assert_eq!((names.in_order.len(), names.known.len()), (MOST, MOST));
    }

    #[test]
    fn a_request_that_was_not_taken_may_be_said_again() {
        let mut names = Names::default();
        names.add("evt_1", hours(0));
        names.take_back("evt_1");
        assert!(!names.knows("evt_1", hours(0)));
    }
}
