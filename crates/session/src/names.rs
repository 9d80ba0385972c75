//! What clients called their requests, so that one said again is not done again.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::{SignedDuration, Timestamp};

/// For so long a name is known.
pub(crate) const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(24);
/// And so many of them, which nobody reaches who types.
pub(crate) const MOST: usize = 4096;

/// Newest last.
#[derive(Default)]
pub(crate) struct Names {
    in_order: VecDeque<(Timestamp, String)>,
    /// And a print of what was said under it, where that is at hand.
    known: HashMap<String, Option<u64>>,
}

/// What is known of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    No,
    /// The same was said under it, as far as anybody can tell.
    Same,
    /// Something else was.
    Other,
}

impl Names {
    /// As they were left, oldest first.
    pub fn from(left: Vec<(Timestamp, String)>) -> Self {
        let known = left.iter().map(|(_, name)| (name.clone(), None)).collect();
        Self { in_order: left.into(), known }
    }

    pub fn knows(&mut self, name: &str, said: &impl Hash, now: Timestamp) -> Known {
        while let Some((at, _)) = self.in_order.front()
            && now.duration_since(*at) > KNOWN_FOR
        {
            self.forget_oldest();
        }
        match self.known.get(name) {
            None => Known::No,
            Some(Some(print)) if *print != print_of(said) => Known::Other,
            Some(_) => Known::Same,
        }
    }

    pub fn add(&mut self, name: &str, said: &impl Hash, now: Timestamp) {
        if self.in_order.len() == MOST {
            self.forget_oldest();
        }
        if self.known.insert(name.to_owned(), Some(print_of(said))).is_none() {
            self.in_order.push_back((now, name.to_owned()));
        }
    }

    /// It was not taken after all.
    pub fn take_back(&mut self, name: &str) {
        if self.known.remove(name).is_some() {
            self.in_order.retain(|(_, known)| known != name);
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((_, name)) = self.in_order.pop_front() {
            self.known.remove(&name);
        }
    }
}

fn print_of(said: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    said.hash(&mut hasher);
    hasher.finish()
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
        names.add("evt_1", &"hello", hours(0));
        assert_eq!(names.knows("evt_1", &"hello", hours(24)), Known::Same);
        assert_eq!(names.knows("evt_1", &"hello", hours(25)), Known::No);
    }

    #[test]
    fn the_oldest_make_room_and_nothing_grows() {
        let mut names = Names::default();
        (0..=MOST).for_each(|n| names.add(&format!("evt_{n}"), &"hello", hours(0)));
        assert_eq!(names.knows("evt_0", &"hello", hours(0)), Known::No);
        assert_eq!(names.knows("evt_1", &"hello", hours(0)), Known::Same);
        assert_eq!((names.in_order.len(), names.known.len()), (MOST, MOST));
    }

    #[test]
    fn a_request_that_was_not_taken_may_be_said_again() {
        let mut names = Names::default();
        names.add("evt_1", &"hello", hours(0));
        names.take_back("evt_1");
        assert_eq!(names.knows("evt_1", &"hello", hours(0)), Known::No);
    }

    #[test]
    fn something_else_under_a_known_name_is_told_apart_where_what_was_said_is_at_hand() {
        let mut names = Names::from(vec![(hours(0), "evt_0".to_owned())]);
        names.add("evt_1", &"hello", hours(0));
        assert_eq!(names.knows("evt_1", &"goodbye", hours(0)), Known::Other);
        assert_eq!(names.knows("evt_0", &"goodbye", hours(0)), Known::Same);
    }
}
