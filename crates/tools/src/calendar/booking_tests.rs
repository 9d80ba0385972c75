use serde_json::json;

use super::*;

fn book(changes: Value) -> Value {
    let mut args =
        json!({ "start": "2026-11-19T15:00:00-08:00[America/Los_Angeles]", "title": "Lunch" });
    let Value::Object(changes) = changes else { panic!("fields, please") };
    args.as_object_mut().unwrap().extend(changes);
    args
}

fn planned(changes: Value) -> Planned {
    Book::read(&book(changes)).unwrap().planned(30).unwrap()
}

fn says(changes: Value) -> String {
    Book::read(&book(changes)).map(drop).unwrap_err()
}

#[test]
fn an_event_is_labelled_with_its_title() {
    assert_eq!(label_of_book(&book(json!({}))), "Adding Lunch to the calendar");
    assert_eq!(label_of_book(&json!({ "title": "Lunch" })), "Adding an event to the calendar");
}

#[test]
fn the_length_is_the_usual_one_only_while_nobody_says_another() {
    let open = planned(json!({}));
    assert_eq!((open.minutes(), open.length_assumed), (30, true));
    let said = planned(json!({ "duration_minutes": 30 }));
    assert_eq!((said.minutes(), said.length_assumed), (30, false));
    let end = "2026-11-19T16:00:00-08:00[America/Los_Angeles]";
    let edited = planned(json!({ "end": end, "length_assumed": true }));
    assert_eq!((edited.minutes(), edited.length_assumed), (60, false));
}

#[test]
fn an_end_elsewhere_is_told_on_the_clock_of_the_start() {
    let there = planned(json!({ "end": "2026-11-20T01:00:00+01:00[Europe/Berlin]" }));
    assert_eq!(there.end.to_string(), "2026-11-19T16:00:00-08:00[America/Los_Angeles]");
}

#[test]
fn mistakes_are_said_in_words() {
    assert!(
        says(json!({ "end": "2026-11-19T15:00:00-08:00[America/Los_Angeles]" }))
            .contains("after it starts")
    );
    assert!(
        says(json!({ "end": "2026-12-19T15:00:00-08:00[America/Los_Angeles]" }))
            .contains("14 days")
    );
    let mut both = json!({
        "end": "2026-11-19T16:00:00-08:00[America/Los_Angeles]", "duration_minutes": 60
    });
    assert_eq!(planned(both.clone()).minutes(), 60);
    both["duration_minutes"] = json!(45);
    assert!(says(both).contains("do not agree"));
    assert!(says(json!({ "duration_minutes": 4 })).contains("5 and 480"));
    assert!(says(json!({ "title": "  " })).contains("between 1 and 200"));
    assert!(says(json!({ "title": "a\nb" })).contains("one line"));
    assert!(says(json!({ "location": "a\u{2028}b" })).contains("one line"));
    assert!(says(json!({ "attendees": ["Ana <a@x.io>"] })).contains("not an address"));
    assert!(says(json!({ "attendees": vec!["a@x.io"; 51] })).contains("at most 50"));
    assert!(!says(json!({ "start": "2026-11-19T15:00:00-08:00" })).is_empty());
}

#[test]
fn what_a_card_cannot_show_is_on_no_calendar() {
    for field in ["title", "location"] {
        for text in ["a\u{202e}b", "a\u{200b}", "\u{2067}a\u{2069}", "a\u{e0061}"] {
            assert!(says(json!({ field: text })).contains("cannot be seen"), "{text:?}");
        }
        assert_eq!(Book::read(&book(json!({ field: "🏳\u{fe0f}\u{200d}🌈" }))).map(drop), Ok(()));
    }
}

#[test]
fn a_year_that_was_misheard_is_noticed() {
    let now: Zoned = "2026-11-15T12:00:00-08:00[America/Los_Angeles]".parse().unwrap();
    let at = |year: &str| {
        planned(json!({ "start": format!("{year}-06-01T12:00:00Z[UTC]") })).check_year(&now)
    };
    assert_eq!(at("2026"), Ok(()));
    assert!(at("2025").unwrap_err().contains("a year ago"));
    assert!(at("2126").unwrap_err().contains("10 years"));
}
