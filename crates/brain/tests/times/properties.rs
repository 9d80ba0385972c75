//! What holds for every phrase, in every zone and on every day.

use brain::resolve::time::{self, Grain, Lean, Reading};
use brain::resolve::words::words;
use jiff::civil::{Date, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{ToSpan, Zoned};
use proptest::prelude::*;

/// Every zone of the bundled database, by name.
fn zones() -> impl Strategy<Value = TimeZone> {
    let names: Vec<String> = jiff::tz::db().available().map(|name| name.to_string()).collect();
    assert!(names.len() > 400, "only {} zones", names.len());
    prop::sample::select(names).prop_map(|name| TimeZone::get(&name).expect("it was listed"))
}

/// Some minute between 1990 and 2060.
fn nows() -> impl Strategy<Value = Zoned> {
    (zones(), 0_i64..25_567, 0_i64..1_440).prop_map(|(zone, days, minutes)| {
        let day = Date::constant(1990, 1, 1).saturating_add(days.days());
        let time = day.at(0, 0, 0, 0).saturating_add(minutes.minutes());
        time.to_zoned(zone).expect("far from the ends of time")
    })
}

const DAYS: &[&str] = &[
    "",
    "today",
    "tomorrow",
    "monday",
    "on friday",
    "this thursday",
    "next tuesday",
    "the 19th",
    "on the 31st",
    "march 8",
    "2027-03-14",
    "3/4",
    "the last sunday of march",
    "a week from sunday",
    "in three weeks",
    "two weeks from saturday",
];

fn phrases() -> impl Strategy<Value = String> {
    let words: Vec<&str> = include_str!("phrases.txt")
        .lines()
        .filter(|line| !line.starts_with(['#', '@']))
        .filter_map(|line| line.split_once(" | "))
        .map(|(phrase, _)| phrase)
        .collect();
    prop::sample::select(words).prop_map(str::to_owned)
}

fn leans() -> impl Strategy<Value = Lean> {
    prop_oneof![Just(Lean::Ahead), Just(Lean::Back)]
}

/// Does the clock there show this once, and only once, on that day?
fn is_plain(date: Date, time: Time, zone: &TimeZone) -> bool {
    let wall = zone.to_ambiguous_zoned(date.to_datetime(time));
    matches!(wall.offset(), AmbiguousOffset::Unambiguous { .. })
}

fn check(reading: &Reading, now: &Zoned) -> Result<(), TestCaseError> {
    let range = &reading.range;
    prop_assert!(range.start < range.end, "{reading:?}");
    prop_assert_eq!(range.start.time_zone(), now.time_zone());
    prop_assert_eq!(range.end.time_zone(), now.time_zone());
    prop_assert!(!reading.said.is_empty());
    if reading.grain == Grain::Moment {
        prop_assert_eq!(range.start.saturating_add(1.minute()), range.end.clone());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_reading_ends_after_it_starts_in_the_zone_of_now(
        phrase in phrases(), now in nows(), lean in leans(),
    ) {
        for reading in time::readings(&phrase, &now, lean) {
            check(&reading, &now)?;
        }
    }

    #[test]
    fn the_named_clock_is_the_clock_of_the_reading(
        day in prop::sample::select(DAYS), hour in 0_i8..24, minute in 0_i8..60, now in nows(),
    ) {
        let named = Time::constant(hour, minute, 0, 0);
        let phrase = format!("{day} at {hour:02}:{minute:02}");
        let open = (10..=12).contains(&hour);
        for reading in time::readings(&phrase, &now, Lean::Ahead) {
            check(&reading, &now)?;
            prop_assert_eq!(reading.grain, Grain::Moment);
            let start = &reading.range.start;
            let found = start.time();
            let half = open && found.minute() == minute && found.hour() % 12 == hour % 12;
            if found == named || half {
                continue;
            }
            // Only where the clocks were put forward, and then it is said.
            let told = reading.reason.as_deref().unwrap_or_default().contains("the clocks skip");
            let other = Time::constant((hour + 12) % 24, minute, 0, 0);
            let gap = [named, other].into_iter().any(|time| {
                !is_plain(start.date(), time, now.time_zone())
                    || start.date().yesterday().is_ok_and(|day| !is_plain(day, time, now.time_zone()))
            });
            prop_assert!(told && gap, "{} gave {:?}", phrase, reading);
        }
    }

    #[test]
    fn what_is_ahead_is_not_in_the_past(
        phrase in prop_oneof![
            prop::sample::select(vec!["monday", "on friday", "sunday", "this thursday"])
                .prop_map(str::to_owned),
            (0_i8..24, 0_i8..60).prop_map(|(hour, minute)| format!("at {hour:02}:{minute:02}")),
            (1_i8..13).prop_map(|hour| format!("at {hour}")),
            (1_i8..13).prop_map(|hour| format!("{hour} am")),
            (1_i8..13).prop_map(|hour| format!("at {hour} pm")),
            (0_usize..7, 0_i8..24).prop_map(|(day, hour)| {
                let days = ["mon", "tue", "wed", "thu", "fri", "saturday", "sunday"];
                format!("{} at {hour:02}:15", days[day])
            }),
            (8_i8..20).prop_map(|hour| format!("from {hour}:00 to {}:00", hour + 1)),
        ],
        now in nows(),
    ) {
        for reading in time::readings(&phrase, &now, Lean::Ahead) {
            prop_assert!(reading.range.end > now, "{} gave {:?}", phrase, reading);
        }
    }

    #[test]
    fn what_is_said_back_is_understood_as_the_same_time(
        day in prop::sample::select(DAYS), hour in 0_i8..24, minute in 0_i8..60, now in nows(),
    ) {
        let phrase = format!("{day} at {hour:02}:{minute:02}");
        let all = time::readings(&phrase, &now, Lean::Ahead);
        for reading in all.iter().filter(|reading| {
            !reading.reason.as_deref().unwrap_or_default().contains("the second")
        }) {
            let again = time::readings(&reading.said, &now, Lean::Ahead);
            let start = again.first().map(|again| again.range.start.clone());
            prop_assert_eq!(start, Some(reading.range.start.clone()), "{} said {}", phrase, reading.said);
        }
    }

    #[test]
    fn days_said_back_are_the_same_days(phrase in prop::sample::select(DAYS), now in nows()) {
        for reading in time::readings(phrase, &now, Lean::Ahead) {
            let again = time::readings(&reading.said, &now, Lean::Ahead);
            let start = again.first().map(|again| again.range.start.clone());
            prop_assert_eq!(start, Some(reading.range.start.clone()), "{} said {}", phrase, reading.said);
        }
    }

    #[test]
    fn any_words_at_all_are_read_without_a_panic(text in "\\PC{0,60}", now in nows(), lean in leans()) {
        check_text(&text, &now, lean)?;
    }

    #[test]
    fn a_salad_of_words_about_time_is_read_without_a_panic(
        salad in prop::collection::vec(prop::sample::select(SALAD), 0..9), now in nows(), lean in leans(),
    ) {
        check_text(&salad.join(" "), &now, lean)?;
    }
}

fn check_text(text: &str, now: &Zoned, lean: Lean) -> Result<(), TestCaseError> {
    let words = words(text);
    if let Some(when) = time::find(&words, now, lean) {
        prop_assert!(!when.readings.is_empty());
        prop_assert!(when.words.is_sorted() && when.words.iter().all(|at| *at < words.len()));
        for reading in &when.readings {
            check(reading, now)?;
        }
    }
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    if let Some((minutes, places)) = time::length(&texts) {
        prop_assert!((1..=time::WHOLE_DAY).contains(&minutes) && places.end <= words.len());
    }
    let _ = time::impossible(&words, now);
    let _ = time::recurring(&words, true);
    let _ = time::zone_in(&words);
    let _ = time::apart(&words, now);
    Ok(())
}

const SALAD: &[&str] = &[
    "at",
    "on",
    "in",
    "the",
    "of",
    "a",
    "an",
    "and",
    "to",
    "from",
    "until",
    "between",
    "before",
    "after",
    "by",
    "for",
    "every",
    "next",
    "last",
    "this",
    "first",
    "second",
    "third",
    "twenty",
    "3",
    "12",
    "30",
    "31",
    "0",
    "999",
    "9999",
    "15:30",
    "24:00",
    "25:61",
    "3pm",
    "12am",
    "0pm",
    "3ish",
    "1h",
    "1h30",
    "15h",
    "1.5",
    "24.12",
    "31.2.",
    "3/4",
    "13/13",
    "2026-02-30",
    "2027-03-14",
    "9999-12-31",
    "0001-01-01",
    "february",
    "29",
    "29th",
    "32nd",
    "may",
    "march",
    "monday",
    "fri",
    "sat",
    "sundays",
    "week",
    "weeks",
    "fortnight",
    "month",
    "year",
    "days",
    "weekend",
    "day",
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "morning",
    "evening",
    "night",
    "noon",
    "midnight",
    "lunch",
    "half",
    "quarter",
    "past",
    "hour",
    "hours",
    "minutes",
    "oh",
    "hundred",
    "o'clock",
    "end",
    "start",
    "early",
    "late",
    "mid",
    "rest",
    "thing",
    "eod",
    "now",
    "ago",
    "since",
    "pst",
    "utc+14",
    "gmt-99",
    "utc+",
    "berlin",
    "time",
    "my",
    "366",
    "months",
    "pm",
    "am",
    "'s",
    "–",
    "-",
    "½",
    "٣",
    "①",
    "é",
    "\u{1F600}",
    "day",
    "after",
    "few",
    "couple",
];
