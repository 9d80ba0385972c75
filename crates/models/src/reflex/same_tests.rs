use brain::resolve::words::words;
use serde_json::json;

use super::*;
use crate::{Done, corpus, reflex};

fn world() -> World {
    let mut world = corpus::world();
    let agenda = json!({
        "date_range": {
            "start": "2026-11-16T00:00:00-08:00[America/Los_Angeles]",
            "end": "2026-11-17T00:00:00-08:00[America/Los_Angeles]",
        },
        "events": [{
            "event_id": "e", "title": "Design review", "all_day": false,
            "start": "2026-11-16T15:00:00-08:00[America/Los_Angeles]",
            "end": "2026-11-16T16:00:00-08:00[America/Los_Angeles]",
            "attendees": [{"name": "Lena Fischer", "address": "lena.fischer@brightloom.example"}],
        }],
        "total": 1,
    });
    world.focus.note(&[Done { tool: "calendar.list_events".into(), result: Ok(agenda) }]);
    world
}

fn meant(heard: &str, world: &World) -> String {
    named(heard, &words(heard), world).unwrap_or_else(|| "as it was".to_owned())
}

#[test]
fn what_was_shown_takes_the_place_of_the_words_for_it() {
    let lena = "Lena Fischer";
    let cases = [
        (
            "book a call with Tom at the same time on Friday",
            "book a call with Tom at 15:00 on Friday".to_owned(),
        ),
        (
            "book a call with Tom at the same time as the design review",
            "book a call with Tom on 2026-11-16 at 15:00".to_owned(),
        ),
        ("what else do i have that day?", "what else do i have on 2026-11-16?".to_owned()),
        ("am i free then", "am i free on 2026-11-16 at 15:00".to_owned()),
        ("email everyone in that meeting that i'm late", format!("email {lena} that i'm late")),
        (
            "book lunch with the people from the design review on friday at noon",
            format!("book lunch with {lena} on friday at noon"),
        ),
    ];
    for (heard, expected) in cases {
        assert_eq!(meant(heard, &world()), expected, "{heard}");
    }
}

#[test]
fn that_day_is_the_one_of_the_card_that_is_open() {
    let mut world = world();
    world.focus.card_day = Some(jiff::civil::date(2026, 11, 20));
    for heard in ["What else is on that day?", "what else is on that day"] {
        let expected = heard.replace("that day", "2026-11-20");
        assert_eq!(meant(heard, &world), expected);
    }
}

#[test]
fn words_of_a_mail_stay_as_they_were_said() {
    for heard in [
        "tell tom we meet at the same time as the design review",
        "tell ana that i'm away that day",
        "email tom that he should invite everyone in that meeting",
        "and then at four",
    ] {
        assert_eq!(meant(heard, &world()), "as it was", "{heard}");
    }
}

#[test]
fn people_nobody_was_told_of_are_asked_for() {
    let heard = "email everyone in the board meeting that i'm late";
    let want = open(heard, &words(heard), &world()).unwrap();
    assert_eq!(want.question, "Who do you mean by “everyone in the board meeting”?");

    let looks = "do i have a call with the people from halden glass";
    assert!(open(looks, &words(looks), &world()).is_none());
}

#[test]
fn there_is_the_time_that_was_just_asked_about() {
    let mut world = corpus::world();
    world.focus.wait_for_answer(&reflex::read("am i free tomorrow at 2", &world));
    let own = "schedule a call with tom on friday to see if there are any blockers";
    assert_eq!(named(own, &words(own), &world), None);
    for heard in ["ok then put a call with tom there", "book a call with tom then"] {
        let read = reflex::read(heard, &world);
        let start = read.proposal.steps[0].args["start"].as_str().unwrap_or_default();
        assert!(start.starts_with("2026-11-16T14:00"), "{heard}: {read:?}");
    }
}

#[test]
fn whoever_was_asked_about_is_she_from_then_on() {
    let mut world = corpus::world();
    world.focus.wait_for_answer(&reflex::read("who is lena", &world));
    let read = reflex::read("when did she last write", &world);
    assert_eq!(read.proposal.steps[0].args["query"], "from:lena.fischer@brightloom.example");
}
