//! What a card shows of an event, and what is booked after a yes.

use brain::card::{EventPreview, Preview};
use brain::facts::Booked;
use proptest::prelude::{Strategy, prop};
use serde_json::{Value, json};
use tools::{Prepared, ToolError};

use crate::world::{World, assert_prepared_is_stable, at, la};

const BOOK: &str = "calendar.create_event";
const PRIYA: &str = "priya.nair@brightloom.example";

fn event(prepared: &Prepared) -> &EventPreview {
    match &prepared.preview {
        Preview::Event(event) => event,
        other => panic!("not an event: {other:?}"),
    }
}

fn codes(prepared: &Prepared) -> Vec<&str> {
    prepared.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

#[tokio::test]
async fn an_event_is_shown_whole_and_its_yes_books_it() {
    let world = World::sample().await;
    let args = json!({
        "start": la("2026-11-19T08:00"), "title": " Samples ", "attendees": [PRIYA, PRIYA],
    });

    let shown = world.prepare(BOOK, args.clone()).await.unwrap();

    assert_eq!(shown.action_type, "create_event");
    assert_eq!(shown.title, "Put this on your calendar?");
    assert_eq!(
        Value::Object(shown.payload.clone()),
        json!({
            "start": "2026-11-19T08:00:00-08:00[America/Los_Angeles]",
            "end": "2026-11-19T08:30:00-08:00[America/Los_Angeles]",
            "title": "Samples",
            "attendees": [PRIYA],
            "location": "",
            "length_assumed": true,
        })
    );
    let card = event(&shown);
    assert_eq!((card.minutes, card.length_assumed, card.location.as_deref()), (30, true, None));
    assert_eq!(card.attendees[0].called(), "Priya Nair");
    assert!(shown.warnings.is_empty() && card.conflicts.is_empty(), "{shown:?}");

    let told = world.agree(BOOK, args).await.done(1).await.unwrap();
    let booked: Booked = serde_json::from_value(told).unwrap();

    assert_eq!(booked.end, la("2026-11-19T08:30"));
    let agenda = world.list("2026-11-19T08:00", "2026-11-19T08:30").await;
    let meeting = agenda.events.iter().find(|meeting| meeting.event_id == booked.event_id).unwrap();
    assert_eq!((meeting.title.as_str(), &meeting.start), ("Samples", &booked.start));
    assert_eq!(meeting.attendees, booked.attendees);
    let by_name = json!({
        "date_range": { "start": la("2026-11-19T00:00"), "end": la("2026-11-20T00:00") },
        "query": "priya samples",
    });
    let found = world.call("calendar.list_events", by_name).await.unwrap();
    assert_eq!(found["events"][0]["event_id"], booked.event_id.as_str());
}

#[tokio::test]
async fn what_is_on_at_that_time_is_shown() {
    let world = World::sample().await;
    let over = |start: &str, minutes: u32| json!({ "start": la(start), "duration_minutes": minutes, "title": "Samples" });
    let shown = world.prepare(BOOK, over("2026-11-16T15:30", 30)).await.unwrap();
    assert_eq!(codes(&shown), ["time_taken"]);
    let [conflict] = event(&shown).conflicts.as_slice() else { panic!("{shown:?}") };
    assert!(conflict.ends_with(", 3:00 to 4:00 pm"), "{conflict}");

    let touching = world.prepare(BOOK, over("2026-11-16T16:00", 30)).await.unwrap();
    assert!(codes(&touching).is_empty());

    let day = world.prepare(BOOK, over("2026-11-16T09:00", 480)).await.unwrap();
    assert_eq!(event(&day).conflicts.len(), 3);
    assert!(day.warnings[0].text.contains("and 2 more are on"), "{:?}", day.warnings);
}

#[tokio::test]
async fn an_event_elsewhere_meets_what_is_on_here() {
    let world = World::sample().await;
    let start = at("2026-11-17T00:30:00+01:00[Europe/Berlin]");
    let shown = world.prepare(BOOK, json!({ "start": start, "title": "Call" })).await.unwrap();
    assert_eq!(codes(&shown), ["time_taken"]);
    assert!(event(&shown).conflicts[0].ends_with(", 3:00 to 4:00 pm"), "{shown:?}");
    assert_eq!(event(&shown).start, start);
}

#[tokio::test]
async fn a_time_that_has_passed_and_a_stranger_deserve_a_second_look() {
    let world = World::empty();
    let args = json!({
        "start": la("2026-11-14T12:00"), "title": "Lunch", "attendees": ["eve@evil.example"],
    });
    let shown = world.prepare(BOOK, args).await.unwrap();
    assert_eq!(codes(&shown), ["in_the_past", "new_recipient"]);

    for start in ["2024-11-14T12:00", "2046-11-14T12:00"] {
        let args = json!({ "start": la(start), "title": "Lunch" });
        let error = world.prepare(BOOK, args).await.unwrap_err();
        assert!(matches!(error, ToolError::BadArguments(_)), "{error}");
    }
}

#[tokio::test]
async fn somebody_elses_calendar_is_neither_shown_nor_changed() {
    let world = World::sample().await;
    let stranger = world.as_user(2);
    let args = json!({ "start": la("2026-11-16T15:00"), "title": "Samples" });
    assert!(event(&stranger.prepare(BOOK, args.clone()).await.unwrap()).conflicts.is_empty());
    let before = world.list("2026-11-16T00:00", "2026-11-17T00:00").await;
    stranger.agree(BOOK, args).await.done(1).await.unwrap();
    assert_eq!(world.list("2026-11-16T00:00", "2026-11-17T00:00").await, before);
}

/// Arguments as a sloppy planner would make them.
fn sloppy() -> impl Strategy<Value = Value> {
    let zone = prop::sample::select(vec!["America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata"]);
    let minute = 0..60 * 24 * 400_i64;
    let title = prop::sample::select(vec!["Lunch", "  Lunch ", "明日", ""]);
    let attendees = prop::collection::vec(
        prop::sample::select(vec![PRIYA, " tom@okafor.example", "x@y.example"]),
        0..4,
    );
    let length = prop::option::of(0..2_000_u32);
    (minute, zone, title, attendees, length.clone(), length, proptest::bool::ANY).prop_map(
        |(minute, zone, title, attendees, end, minutes, assumed)| {
            let start = la("2026-01-01T00:00:07.5") + jiff::SignedDuration::from_mins(minute);
            let later = |m: u32| &start + jiff::SignedDuration::from_mins(m.into());
            let mut args = json!({
                "start": start.in_tz(zone).unwrap(), "end": end.map(later),
                "duration_minutes": minutes, "title": title, "attendees": attendees,
                "length_assumed": assumed,
            });
            args.as_object_mut().unwrap().retain(|_, value| !value.is_null());
            args
        },
    )
}

#[test]
fn whatever_is_prepared_comes_out_the_same_again() {
    assert_prepared_is_stable(BOOK, sloppy());
}
