//! Which events meet, and which get in each other's way.

use brain::facts::DateRange;
use jiff::Zoned;

use super::Listed;

/// An end does not touch the next beginning. A moment without length belongs
/// to the range it lies in.
pub(crate) fn overlaps(start: &Zoned, end: &Zoned, range: &DateRange) -> bool {
    *start < range.end && (*end > range.start || *start >= range.start)
}

/// Notes on each event which others of the list run at the same time. An
/// event that keeps nobody busy conflicts with nothing.
pub(crate) fn mark_conflicts(events: &mut [Listed]) {
    for n in 0..events.len() {
        let (before, rest) = events.split_at_mut(n);
        let (this, after) = rest.split_first_mut().expect("n is within the list");
        let others = before.iter().chain(after.iter());
        this.meeting.conflicts_with = others
            .filter(|other| this.busy && other.busy && collide(this, other))
            .map(|other| other.meeting.event_id.clone())
            .collect();
    }
}

fn collide(one: &Listed, other: &Listed) -> bool {
    one.meeting.start < other.meeting.end && other.meeting.start < one.meeting.end
}

#[cfg(test)]
pub(super) mod tests {
    use brain::facts::Meeting;

    use super::*;

    pub fn at(clock: &str) -> Zoned {
        format!("2026-11-16T{clock}-08:00[America/Los_Angeles]").parse().unwrap()
    }

    pub fn listed(id: &str, start: &str, end: &str) -> Listed {
        let meeting = Meeting {
            event_id: id.to_owned(),
            title: id.to_owned(),
            start: at(start),
            end: at(end),
            all_day: false,
            attendees: Vec::new(),
            location: None,
            conflicts_with: Vec::new(),
            organizer: None,
            repeats: false,
        };
        Listed { meeting, busy: true }
    }

    #[test]
    fn touching_is_not_overlapping() {
        let range = DateRange { start: at("09:00"), end: at("10:00") };
        let inside = |start, end| overlaps(&at(start), &at(end), &range);
        assert!(inside("08:30", "09:01"));
        assert!(inside("09:59", "11:00"));
        assert!(inside("08:00", "11:00"));
        assert!(inside("09:00", "09:00"), "a moment at its start");
        assert!(!inside("08:00", "09:00"));
        assert!(!inside("10:00", "11:00"));
        assert!(!inside("10:00", "10:00"));
    }

    #[test]
    fn conflicts_are_noted_on_both_sides_and_only_between_busy_ones() {
        let mut events = vec![
            listed("review", "09:00", "10:00"),
            listed("call", "09:30", "10:30"),
            listed("lunch", "10:30", "11:00"),
            Listed { busy: false, ..listed("birthday", "00:00", "23:59") },
        ];
        mark_conflicts(&mut events);
        let noted: Vec<_> = events.iter().map(|e| e.meeting.conflicts_with.join(",")).collect();
        assert_eq!(noted, ["call", "review", "", ""]);
    }
}
