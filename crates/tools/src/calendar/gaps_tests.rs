//! Free time, tried on awkward days and on a few thousand made-up ones.

use brain::profile::{Day, Profile};

use super::*;

const ZONES: [&str; 3] = ["America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata"];

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

fn at(text: &str) -> Timestamp {
    format!("{text}[America/Los_Angeles]").parse::<Zoned>().unwrap().timestamp()
}

fn stretch(start: &str, end: &str) -> Stretch {
    Stretch::new(at(start), at(end)).unwrap()
}

fn mins(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

fn any_hour() -> Constraints {
    Constraints { working_hours: false, ..Constraints::default() }
}

fn open(range: Stretch, now: &str, constraints: &Constraints) -> Vec<Stretch> {
    let hours = Profile::new("America/Los_Angeles").working_hours;
    windows(range, at(now), &hours, constraints, &zone("America/Los_Angeles"))
}

/// The same numbers on every run: a small generator is enough to be awkward.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % sides
    }
}

#[test]
fn gaps_keep_their_promises_for_any_calendar() {
    let mut dice = Dice(7);
    for round in 0..3_000 {
        let zone = zone(ZONES[round % ZONES.len()]);
        let start = at("2026-10-20T00:00:00") + mins(dice.roll(30 * 24 * 60));
        let range = Stretch::new(start, start + mins(30 + dice.roll(9 * 24 * 60))).unwrap();
        let now = start + mins(dice.roll(3 * 24 * 60) - 2 * 24 * 60);
        let constraints = Constraints {
            working_hours: dice.roll(2) == 0,
            not_before: (dice.roll(3) == 0).then(|| Time::constant(13, 0, 0, 0)),
            not_after: (dice.roll(3) == 0).then(|| Time::constant(17, 0, 0, 0)),
        };
        let busy: Vec<Stretch> = (0..dice.roll(12))
            .filter_map(|_| {
                let from = range.start + mins(dice.roll(9 * 24 * 60) - 120);
                Stretch::new(from, from + mins(dice.roll(300)))
            })
            .collect();
        let at_least = mins(5 + dice.roll(200));
        let hours = Profile::new("Europe/Berlin").working_hours;

        let open = windows(range, now, &hours, &constraints, &zone);
        let free = gaps(&open, &busy, at_least);

        for pair in free.windows(2) {
            assert!(pair[0].end < pair[1].start, "sorted and apart in round {round}");
        }
        for slot in &free {
            assert!(slot.length() >= at_least, "long enough in round {round}");
            assert!(slot.start >= range.start && slot.end <= range.end, "inside in round {round}");
            assert!(slot.start >= now, "not in the past in round {round}");
            assert!(busy.iter().all(|taken| !taken.overlaps(*slot)), "free in round {round}");
            assert!(open.iter().any(|w| w.start <= slot.start && slot.end <= w.end));
        }
        assert_nothing_is_missed(&open, &busy, &free, at_least);
    }
}

/// Every place where the meeting would fit lies within some slot.
fn assert_nothing_is_missed(
    open: &[Stretch],
    busy: &[Stretch],
    free: &[Stretch],
    at_least: SignedDuration,
) {
    for window in open {
        let mut from = window.start;
        while from + at_least <= window.end {
            let tried = Stretch::new(from, from + at_least).unwrap();
            if busy.iter().all(|taken| !taken.overlaps(tried)) {
                assert!(free.iter().any(|s| s.start <= tried.start && tried.end <= s.end));
            }
            from += mins(37);
        }
    }
}

#[test]
fn a_range_with_nothing_in_it_is_one_slot() {
    let range = stretch("2026-11-16T00:00:00", "2026-11-20T00:00:00");
    let open = open(range, "2026-11-15T12:00:00", &any_hour());
    assert_eq!(gaps(&open, &[], mins(30)), [range]);
}

#[test]
fn working_hours_open_once_a_working_day() {
    let range = stretch("2026-11-13T00:00:00", "2026-11-17T00:00:00");
    let open = open(range, "2026-11-12T00:00:00", &Constraints::default());
    assert_eq!(
        open,
        [
            stretch("2026-11-13T09:00:00", "2026-11-13T17:30:00"),
            stretch("2026-11-16T09:00:00", "2026-11-16T17:30:00"),
        ]
    );
}

#[test]
fn constraints_narrow_working_hours_and_never_widen_them() {
    let range = stretch("2026-11-16T00:00:00", "2026-11-17T00:00:00");
    let afternoon = Constraints {
        not_before: Some(Time::constant(13, 0, 0, 0)),
        not_after: Some(Time::constant(20, 0, 0, 0)),
        ..Constraints::default()
    };
    let open = open(range, "2026-11-12T00:00:00", &afternoon);
    assert_eq!(open, [stretch("2026-11-16T13:00:00", "2026-11-16T17:30:00")]);
}

#[test]
fn today_begins_at_the_next_five_minutes() {
    let range = stretch("2026-11-16T00:00:00", "2026-11-17T00:00:00");
    let left = open(range, "2026-11-16T14:07:12", &Constraints::default());
    assert_eq!(left, [stretch("2026-11-16T14:10:00", "2026-11-16T17:30:00")]);
    assert_eq!(open(range, "2026-11-16T18:00:00", &Constraints::default()), []);
    assert_eq!(open(range, "2026-11-18T09:00:00", &any_hour()), []);
}

#[test]
fn the_days_the_clocks_change_are_as_long_as_they_are() {
    let hours = WorkingHours { days: vec![Day::Sun], ..WorkingHours::default() };
    let la = zone("America/Los_Angeles");
    let length = |range: Stretch, constraints: &Constraints| {
        let open = windows(range, at("2026-01-01T00:00:00"), &hours, constraints, &la);
        assert_eq!(open.len(), 1);
        open[0].length()
    };
    let spring = stretch("2026-03-08T00:00:00", "2026-03-09T00:00:00");
    let autumn = stretch("2026-11-01T00:00:00", "2026-11-02T00:00:00");
    assert_eq!(length(spring, &any_hour()), mins(23 * 60));
    assert_eq!(length(autumn, &any_hour()), mins(25 * 60));
    assert_eq!(length(spring, &Constraints::default()), mins(510));
    // Half past two does not exist that morning; clocks show half past three then.
    let early = Constraints { not_after: Some(Time::constant(2, 30, 0, 0)), ..any_hour() };
    assert_eq!(length(spring, &early), mins(150));
}

#[test]
fn meetings_that_overlap_each_other_take_their_time_once() {
    let open = [stretch("2026-11-16T09:00:00", "2026-11-16T17:00:00")];
    let busy = [
        stretch("2026-11-16T11:00:00", "2026-11-16T12:00:00"),
        stretch("2026-11-16T10:00:00", "2026-11-16T15:00:00"),
        stretch("2026-11-16T15:20:00", "2026-11-16T18:00:00"),
    ];
    assert_eq!(
        gaps(&open, &busy, mins(15)),
        [
            stretch("2026-11-16T09:00:00", "2026-11-16T10:00:00"),
            stretch("2026-11-16T15:00:00", "2026-11-16T15:20:00"),
        ]
    );
}
