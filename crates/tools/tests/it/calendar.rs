//! What is on, and what is free.

use jiff::civil::date;
use serde_json::json;
use tools::local::{Entry, When};

use crate::world::{World, at, entry, la, range};

fn ids(agenda: &brain::facts::Agenda) -> Vec<&str> {
    agenda.events.iter().map(|meeting| meeting.event_id.as_str()).collect()
}

fn slots(free: &brain::facts::FreeSlots) -> Vec<String> {
    let clock = |at: &jiff::Zoned| at.strftime("%a %H:%M").to_string();
    free.slots.iter().map(|slot| format!("{} - {}", clock(&slot.start), clock(&slot.end))).collect()
}

fn all_day(id: &str, busy: bool) -> Entry {
    let when = When::AllDay { first: date(2026, 11, 17), until: date(2026, 11, 18) };
    let start = la("2026-11-17T00:00");
    Entry { when, busy, ..entry(id, start.clone(), start) }
}

#[tokio::test]
async fn tomorrow_is_listed_from_morning_to_night() {
    let agenda = World::sample().await.list("2026-11-16T00:00", "2026-11-17T00:00").await;
    assert_eq!(ids(&agenda), ["standup-2026-11-16", "lunch-tom", "design-review", "pub-quiz"]);
    assert_eq!(agenda.total, 4);
    assert_eq!(agenda.events[1].start, la("2026-11-16T12:00"));
    assert_eq!(agenda.events[1].attendees[0].called(), "Tom Okafor");
}

#[tokio::test]
async fn a_call_in_berlin_is_shown_on_the_persons_clock() {
    let args = json!({
        "date_range": range("2026-11-16T00:00", "2026-11-23T00:00"),
        "query": "lumenwerk"
    });
    let told = World::sample().await.call("calendar.list_events", args).await.unwrap();
    assert_eq!(told["events"][0]["start"], "2026-11-18T09:00:00-08:00[America/Los_Angeles]");
}

#[tokio::test]
async fn events_that_run_at_the_same_time_name_each_other() {
    let agenda = World::sample().await.list("2026-11-17T00:00", "2026-11-18T00:00").await;
    let conflicts: Vec<_> = agenda
        .events
        .iter()
        .filter(|meeting| !meeting.conflicts_with.is_empty())
        .map(|meeting| (meeting.event_id.as_str(), meeting.conflicts_with.join(",")))
        .collect();
    assert_eq!(
        conflicts,
        [
            ("budget-walkthrough", "packaging-signoff".to_owned()),
            ("packaging-signoff", "budget-walkthrough".to_owned()),
        ]
    );
}

#[tokio::test]
async fn words_are_sought_in_titles_people_and_places() {
    let world = World::sample().await;
    let month = range("2026-11-01T00:00", "2026-12-15T00:00");
    for (query, expected) in [
        ("dentist", vec!["dentist"]),
        ("mission dental", vec!["dentist"]),
        ("tom okafor", vec!["lunch-tom", "design-review"]),
        ("tom lunch", vec!["lunch-tom"]),
        ("priya.nair@brightloom.example numbers", vec!["q4-review"]),
        // A whole address is one person; the end of one is nobody.
        ("priya@shahledger.example", vec!["tax-meeting"]),
        ("nair@brightloom.example", vec![]),
        ("' OR 1=1 --", vec![]),
    ] {
        let args = json!({ "date_range": month, "query": query });
        let told = world.call("calendar.list_events", args).await.unwrap();
        let agenda: brain::facts::Agenda = serde_json::from_value(told).unwrap();
        assert_eq!(ids(&agenda), expected, "{query}");
    }
}

#[tokio::test]
async fn what_sounds_like_the_words_is_told_beside_and_only_where_nothing_has_them() {
    let world = World::sample().await;
    let month = range("2026-11-15T00:00", "2026-12-15T00:00");
    for (query, expected) in [
        ("tentist", vec!["dentist"]),
        ("design revue", vec!["design-review"]),
        ("dentist", vec![]),
        ("piano lesson", vec![]),
    ] {
        let args = json!({ "date_range": month, "query": query });
        let told = world.call("calendar.list_events", args).await.unwrap();
        let agenda: brain::facts::Agenda = serde_json::from_value(told).unwrap();
        let alike: Vec<_> = agenda.alike.iter().map(|one| one.event_id.as_str()).collect();
        assert_eq!(alike, expected, "{query}");
        assert!(alike.is_empty() || agenda.events.is_empty(), "{query}");
    }
}

#[tokio::test]
async fn only_what_overlaps_the_range_is_listed() {
    let world = World::empty()
        .with_entries(vec![
            entry("before", la("2026-11-16T08:00"), la("2026-11-16T09:00")),
            entry("into", la("2026-11-16T08:30"), la("2026-11-16T09:30")),
            entry("moment", la("2026-11-16T09:00"), la("2026-11-16T09:00")),
            entry("around", la("2026-11-15T00:00"), la("2026-11-17T00:00")),
            entry("after", la("2026-11-16T10:00"), la("2026-11-16T11:00")),
        ])
        .await;
    let agenda = world.list("2026-11-16T09:00", "2026-11-16T10:00").await;
    assert_eq!(ids(&agenda), ["around", "into", "moment"]);
}

#[tokio::test]
async fn a_short_list_says_how_many_there_are() {
    let args =
        json!({ "date_range": range("2026-11-01T00:00", "2026-12-15T00:00"), "max_results": 2 });
    let told = World::sample().await.call("calendar.list_events", args).await.unwrap();
    assert_eq!(told["events"].as_array().unwrap().len(), 2);
    assert!(told["total"].as_u64().unwrap() > 35);
}

#[tokio::test]
async fn a_whole_day_is_that_date_wherever_the_person_is() {
    for zone in ["America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Midway"] {
        let world =
            World::empty().with_entries(vec![all_day("birthday", false)]).await.seen_from(zone);
        let on = async |day: i8| {
            let midnight = |day| date(2026, 11, day).in_tz(zone).unwrap();
            let date_range = json!({ "start": midnight(day), "end": midnight(day + 1) });
            let args = json!({ "date_range": date_range });
            world.call("calendar.list_events", args).await.unwrap()["events"].clone()
        };
        assert_eq!(on(16).await, json!([]), "{zone}");
        assert_eq!(on(17).await[0]["all_day"], true, "{zone}");
        assert!(on(17).await[0]["start"].as_str().unwrap().starts_with("2026-11-17T00:00"));
        assert_eq!(on(18).await, json!([]), "{zone}");
    }
}

#[tokio::test]
async fn a_whole_day_stands_in_the_way_only_when_it_says_so() {
    let day = json!({ "date_range": range("2026-11-17T00:00", "2026-11-18T00:00") });
    let birthday = World::empty().with_entries(vec![all_day("birthday", false)]).await;
    assert_eq!(slots(&birthday.free(day.clone()).await), ["Tue 09:00 - Tue 17:30"]);

    let closed = World::empty().with_entries(vec![all_day("closed", true)]).await;
    let free = closed.free(day).await;
    assert!(free.slots.is_empty());
    assert_eq!(free.busy[0].event_id, "closed");
}

#[tokio::test]
async fn free_time_lies_between_meetings_within_working_hours() {
    let world = World::sample().await;
    let args = json!({ "date_range": range("2026-11-16T00:00", "2026-11-17T00:00") });
    let free = world.free(args.clone()).await;
    assert_eq!(free.duration_minutes, 30);
    assert_eq!(
        slots(&free),
        [
            "Mon 09:00 - Mon 09:30",
            "Mon 09:45 - Mon 12:00",
            "Mon 13:00 - Mon 15:00",
            "Mon 16:00 - Mon 17:30",
        ]
    );
    let busy: Vec<_> = free.busy.iter().map(|meeting| meeting.event_id.as_str()).collect();
    assert_eq!(busy, ["standup-2026-11-16", "lunch-tom", "design-review"]);

    let mut afternoon = args;
    afternoon["duration_minutes"] = json!(120);
    afternoon["constraints"] = json!({ "not_before": "13:00" });
    assert_eq!(slots(&world.free(afternoon).await), ["Mon 13:00 - Mon 15:00"]);
}

#[tokio::test]
async fn the_length_of_a_meeting_comes_from_the_profile_unless_said() {
    let mut world = World::sample().await;
    world.caller.profile.default_meeting_minutes = 100;
    let free =
        world.free(json!({ "date_range": range("2026-11-16T00:00", "2026-11-17T00:00") })).await;
    assert_eq!(free.duration_minutes, 100);
    assert_eq!(slots(&free), ["Mon 09:45 - Mon 12:00", "Mon 13:00 - Mon 15:00"]);
}

#[tokio::test]
async fn what_is_over_is_not_offered() {
    let world = World::sample().await;
    let past = json!({ "date_range": range("2026-11-10T00:00", "2026-11-14T00:00") });
    assert!(world.free(past).await.slots.is_empty());

    let today = json!({
        "date_range": range("2026-11-15T00:00", "2026-11-16T00:00"),
        "constraints": { "working_hours": false }
    });
    assert_eq!(slots(&world.free(today).await), ["Sun 12:00 - Sun 18:30", "Sun 19:10 - Mon 00:00"]);
}

#[tokio::test]
async fn a_range_in_another_zone_is_answered_on_the_persons_clock() {
    let world = World::empty();
    let date_range = json!({
        "start": at("2026-11-16T18:00:00+01:00[Europe/Berlin]"),
        "end": at("2026-11-16T20:00:00+01:00[Europe/Berlin]"),
    });
    let free = world.free(json!({ "date_range": date_range })).await;
    assert_eq!(slots(&free), ["Mon 09:00 - Mon 11:00"]);
}

#[tokio::test]
async fn the_night_the_clocks_change_has_its_real_length() {
    let mut world = World::empty();
    world.caller.now = la("2026-03-01T00:00");
    let free = world
        .free(json!({
            "date_range": range("2026-03-08T00:00", "2026-03-09T00:00"),
            "constraints": { "working_hours": false },
        }))
        .await;
    let slot = &free.slots[0];
    assert_eq!(slot.end.duration_since(&slot.start).as_hours(), 23);
}

#[tokio::test]
async fn no_more_slots_are_offered_than_anybody_would_read() {
    let year = json!({ "date_range": range("2026-11-16T00:00", "2027-11-16T00:00") });
    assert_eq!(World::empty().free(year).await.slots.len(), 50);
}

#[tokio::test]
async fn somebody_elses_events_are_neither_seen_nor_in_the_way() {
    let stranger = World::sample().await.as_user(2);
    let day = ("2026-11-16T00:00", "2026-11-17T00:00");
    assert!(stranger.list(day.0, day.1).await.events.is_empty());
    let free = stranger.free(json!({ "date_range": range(day.0, day.1) })).await;
    assert_eq!(slots(&free), ["Mon 09:00 - Mon 17:30"]);
    assert!(free.busy.is_empty());
}
