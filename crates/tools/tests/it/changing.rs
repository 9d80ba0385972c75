//! What a card shows of an event that is to go or to move, and what a yes does to it.

use brain::card::{EventChange, EventPreview, Preview, Stretch};
use brain::facts::{Cancelled, Moved};
use serde_json::{Value, json};
use tools::local::{Entry, When};
use tools::{Found, Prepared, ToolError};

use crate::world::{World, entry, la, person, range};

const CANCEL: &str = "calendar.cancel_event";
const MOVE: &str = "calendar.move_event";

fn event(prepared: &Prepared) -> &EventPreview {
    match &prepared.preview {
        Preview::Event(event) => event,
        other => panic!("not an event: {other:?}"),
    }
}

fn warned(prepared: &Prepared) -> Vec<(&str, &str)> {
    prepared.warnings.iter().map(|one| (one.code.as_str(), one.text.as_str())).collect()
}

async fn days(world: &World) -> Vec<String> {
    let agenda = world.list("2026-11-01T00:00", "2026-12-31T00:00").await;
    agenda.events.into_iter().map(|one| format!("{} {}", one.start, one.title)).collect()
}

#[tokio::test]
async fn an_event_is_shown_as_it_is_and_its_yes_takes_it_off() {
    let world = World::sample().await;
    let before = days(&world).await;

    let shown = world.prepare(CANCEL, json!({ "event_id": "lunch-tom" })).await.unwrap();

    assert_eq!((shown.action_type, shown.title.as_str()), ("cancel_event", "Cancel this event?"));
    assert_eq!(
        Value::Object(shown.payload.clone()),
        json!({
            "event_id": "lunch-tom",
            "was": {
                "title": "Lunch with Tom",
                "start": "2026-11-16T12:00:00-08:00[America/Los_Angeles]",
                "end": "2026-11-16T13:00:00-08:00[America/Los_Angeles]",
                "all_day": false,
                "attendees": ["tom@okafor.example"],
                "location": "The noodle place with the bad chairs",
            },
        })
    );
    let card = event(&shown);
    assert!(card.cancels() && shown.editable.is_empty());
    assert_eq!((card.title.as_str(), card.minutes), ("Lunch with Tom", 60));
    assert_eq!(shown.thread, ["tom@okafor.example"]);
    assert_eq!(warned(&shown), [("guests_not_told", "Not told by this: Tom Okafor")]);
    assert_eq!(days(&world).await, before);

    let agreed = world.agree(CANCEL, json!({ "event_id": "lunch-tom" })).await;
    let told: Cancelled = serde_json::from_value(agreed.done(1).await.unwrap()).unwrap();

    assert_eq!((told.event_id.as_str(), &told.start), ("lunch-tom", &la("2026-11-16T12:00")));
    let left = days(&world).await;
    assert_eq!(left.len(), before.len() - 1);
    assert!(!left.iter().any(|one| one.contains("Lunch with Tom")));
}

#[tokio::test]
async fn an_event_moves_with_its_length_its_place_and_its_guests() {
    let world = World::sample().await;
    let args = json!({ "event_id": "design-review", "start": la("2026-11-20T12:00") });
    let before = world.list("2026-11-16T15:00", "2026-11-16T16:00").await.events.remove(0);

    let shown = world.prepare(MOVE, args.clone()).await.unwrap();

    assert_eq!((shown.action_type, shown.title.as_str()), ("move_event", "Move this event?"));
    let card = event(&shown);
    assert_eq!((&card.start, &card.end), (&la("2026-11-20T12:00"), &la("2026-11-20T13:00")));
    let change = EventChange {
        moved_from: Some(Stretch { start: before.start.clone(), end: before.end.clone() }),
        repeats: false,
        organizer: None,
        tells_guests: false,
    };
    assert_eq!(card.change, Some(change));
    let fields: Vec<_> = shown.editable.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields, ["start", "end"]);

    let told = world.agree(MOVE, args).await.done(1).await.unwrap();
    let moved: Moved = serde_json::from_value(told).unwrap();

    assert_eq!(moved.moved_from.start, la("2026-11-16T15:00"));
    let after = world.list("2026-11-20T12:00", "2026-11-20T13:00").await.events.remove(0);
    assert_eq!((&after.start, &after.end), (&la("2026-11-20T12:00"), &la("2026-11-20T13:00")));
    assert_eq!(
        (&after.event_id, &after.title, &after.attendees, &after.location),
        (&before.event_id, &before.title, &before.attendees, &before.location)
    );
    assert!(world.list("2026-11-16T15:00", "2026-11-16T16:00").await.events.is_empty());
}

#[tokio::test]
async fn what_is_on_at_the_new_time_is_shown_and_an_event_is_not_in_its_own_way() {
    let world = World::sample().await;
    let to = |start: &str| json!({ "event_id": "design-review", "start": la(start) });

    let taken = world.prepare(MOVE, to("2026-11-16T12:30")).await.unwrap();
    let later = world.prepare(MOVE, to("2026-11-16T15:30")).await.unwrap();

    assert_eq!(warned(&taken)[0], ("time_taken", "Lunch with Tom is on at that time"));
    assert_eq!(event(&taken).conflicts, ["Lunch with Tom, 12:00 to 1:00 pm"]);
    assert!(!event(&taken).free_instead.is_empty());
    assert!(event(&later).conflicts.is_empty(), "{later:?}");
    assert_eq!(warned(&later).len(), 1, "only that its guests are not told");
}

#[tokio::test]
async fn of_those_that_repeat_only_one_is_changed() {
    let world = World::sample().await;
    let wednesday = json!({ "event_id": "standup-2026-11-18" });

    let shown = world.prepare(CANCEL, wednesday.clone()).await.unwrap();
    assert!(event(&shown).change.as_ref().unwrap().repeats);
    assert_eq!(warned(&shown)[0], ("only_this_one", "It repeats; the others stay as they are"));
    world.agree(CANCEL, wednesday).await.done(1).await.unwrap();

    let left = days(&world).await.into_iter().filter(|one| one.contains("stand-up"));
    assert_eq!(left.count(), 8);
}

#[tokio::test]
async fn somebody_elses_invitation_can_leave_the_calendar_but_not_be_moved() {
    let world = World::sample().await;
    let mine = json!({ "event_id": "all-hands" });
    let theirs = json!({ "event_id": "all-hands", "start": la("2026-11-27T10:00") });

    let refused = world.prepare(MOVE, theirs).await.unwrap_err();
    let shown = world.prepare(CANCEL, mine).await.unwrap();

    assert!(refused.to_string().contains("only Dana Whitfield can move it"), "{refused}");
    assert_eq!(event(&shown).change.as_ref().unwrap().organizer.as_deref(), Some("Dana Whitfield"));
    let text = "It is an invitation from Dana Whitfield; it goes from your calendar alone";
    assert_eq!(warned(&shown)[0], ("somebody_elses", text));
    assert!(warned(&shown)[1].1.ends_with("Dana Whitfield and 5 more"));
}

#[tokio::test]
async fn what_has_changed_since_it_was_shown_is_left_alone() {
    let world = World::sample().await;
    let lunch = json!({ "event_id": "lunch-tom" });
    let friday = json!({ "event_id": "lunch-tom", "start": la("2026-11-20T12:00") });
    let later = json!({ "event_id": "lunch-tom", "start": la("2026-11-20T13:00") });
    let stale = [world.agree(CANCEL, lunch.clone()).await, world.agree(MOVE, later).await];
    world.agree(MOVE, friday).await.done(1).await.unwrap();
    let after = days(&world).await;

    for (number, agreed) in (2..).zip(&stale) {
        let refused = agreed.done(number).await.unwrap_err();
        assert!(matches!(refused, ToolError::Changed { what: "event" }), "{refused}");
        assert_eq!(agreed.found(number).await, Found::Absent);
    }

    assert_eq!(days(&world).await, after);
    let anew = world.prepare(CANCEL, stale[0].payload.clone()).await.unwrap();
    assert_eq!(event(&anew).start, la("2026-11-20T12:00"), "a new card shows what is there");
    world.agree(CANCEL, lunch).await.done(4).await.unwrap();
    let gone = stale[1].done(5).await.unwrap_err();
    assert!(matches!(gone, ToolError::NotFound { what: "event" }), "{gone}");
}

#[tokio::test]
async fn a_change_that_fails_halfway_leaves_the_event_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let world = World::sample_at(&path).await;
    let before = days(&world).await;
    let friday = json!({ "event_id": "lunch-tom", "start": la("2026-11-20T12:00") });
    let lunch = json!({ "event_id": "lunch-tom" });
    let hand = rusqlite::Connection::open(&path).unwrap();
    let broken =
        "CREATE TRIGGER broken BEFORE INSERT ON written BEGIN SELECT RAISE(ABORT, 'x'); END";

    for (number, (tool, args)) in (1..).zip([(MOVE, friday), (CANCEL, lunch)]) {
        let agreed = world.agree(tool, args).await;
        hand.execute_batch(broken).unwrap();
        let error = agreed.done(number).await.unwrap_err();
        assert!(matches!(error, ToolError::NotReached { .. }), "{error}");
        assert_eq!(agreed.found(number).await, Found::Absent);
        assert_eq!(days(&world).await, before);
        hand.execute_batch("DROP TRIGGER broken").unwrap();
    }
}

#[tokio::test]
async fn somebody_elses_event_is_neither_shown_nor_changed() {
    let world = World::sample().await;
    let stranger = world.as_user(2);
    let mine = world.agree(CANCEL, json!({ "event_id": "lunch-tom" })).await.payload;
    let before = days(&world).await;

    for payload in [json!({ "event_id": "lunch-tom" }), mine] {
        let error = stranger.prepare(CANCEL, payload).await.unwrap_err();
        assert!(matches!(error, ToolError::NotFound { what: "event" }), "{error}");
    }
    assert_eq!(days(&world).await, before);
}

#[tokio::test]
async fn whole_days_move_to_whole_days() {
    let off = Entry {
        title: "Day off".to_owned(),
        when: When::AllDay {
            first: "2026-11-18".parse().unwrap(),
            until: "2026-11-20".parse().unwrap(),
        },
        attendees: vec![person("Zoë", "zoe@example.example")],
        ..entry("off", la("2026-11-18T00:00"), la("2026-11-19T00:00"))
    };
    let world = World::empty().with_entries(vec![off]).await;
    let monday = json!({ "event_id": "off", "start": la("2026-11-23T00:00") });
    let noon = json!({ "event_id": "off", "start": la("2026-11-23T12:00") });

    let error = world.prepare(MOVE, noon).await.unwrap_err();
    world.agree(MOVE, monday).await.done(1).await.unwrap();

    assert!(error.to_string().contains("whole days"), "{error}");
    let there = json!({ "date_range": range("2026-11-23T00:00", "2026-11-24T00:00") });
    let found = world.call("calendar.list_events", there).await.unwrap();
    assert_eq!(found["events"][0]["all_day"], true);
    let end: jiff::Zoned = found["events"][0]["end"].as_str().unwrap().parse().unwrap();
    assert_eq!(end, la("2026-11-25T00:00"));
}
