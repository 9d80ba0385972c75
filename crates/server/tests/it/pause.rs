//! `sayso pause` stops what writes, at once, and holds.

use serde_json::json;

use crate::client::Client;
use crate::event::code;
use crate::house::{House, Ran, run};
use crate::http::{get, request};
use crate::say_so::{
    ask, ask_in, assert_not_sent, assert_sent_once, confirm, mail, post, response, until,
};

fn sayso(house: &House, words: &[&str]) -> Ran {
    let url = house.url();
    let server = ["--server", &url];
    run(&[words, &server].concat())
}

#[test]
fn a_pause_stops_writes_until_they_are_resumed() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    let card = ask_in(&house, &session, "Held");
    until(&mut client, "confirmation.request");

    let paused = sayso(&house, &["pause"]);

    assert_eq!(paused.code, 0, "{paused:?}");
    assert!(paused.out.contains("all writes, since"), "{}", paused.out);
    confirm(&house, &card, "accept", json!({ "revision": 1 })).assert_problem(423, "writes_paused");
    client.send(&response(&card.id, "accept", json!({ "revision": 1 })));
    assert_eq!(code(until(&mut client, "error").last().unwrap()), "writes_paused");
    post(&house, "/tools/run", &mail("Another")).assert_problem(423, "writes_paused");
    assert_not_sent(&house, "Held");

    let resumed = sayso(&house, &["resume"]);

    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(resumed.out.contains("each after a yes"), "{}", resumed.out);
    assert_not_sent(&house, "Held");
    assert_eq!(confirm(&house, &card, "accept", json!({ "revision": 1 })).status, 200);
    assert_sent_once(&house, "Held");
}

#[test]
fn a_pause_survives_a_restart() {
    let mut house = House::open();
    let card = ask(&house, "Held");
    assert_eq!(sayso(&house, &["pause"]).code, 0);
    house.kill_hard();
    house.restart();

    confirm(&house, &card, "accept", json!({ "revision": 1 })).assert_problem(423, "writes_paused");

    let status = sayso(&house, &["pause", "--status"]);
    assert!(status.out.contains("all writes"), "{}", status.out);
    assert_not_sent(&house, "Held");
    assert_eq!(sayso(&house, &["resume"]).code, 0);
    house.stop();
    house.restart();
    assert_eq!(get(&house, "/control/switches").json()["paused"], false);
    assert_eq!(confirm(&house, &card, "accept", json!({ "revision": 1 })).status, 200);
    assert_sent_once(&house, "Held");
}

#[test]
fn one_tool_can_be_paused_and_the_others_go_on() {
    let house = House::open();
    assert_eq!(sayso(&house, &["pause", "--tool", "gmail.send"]).code, 0);

    post(&house, "/tools/run", &mail("Off")).assert_problem(423, "tool_off");
    let event = json!({ "tool_name": "calendar.create_event", "args": {
        "title": "Lunch", "start": in_two_days(), "duration_minutes": 30 } });
    assert_eq!(post(&house, "/tools/run", &event).status, 202);
    let looks = json!({ "tool_name": "gmail.search", "args": { "query": "priya" } });
    assert_eq!(post(&house, "/tools/run", &looks).status, 200);

    // Letting everything go on does not switch a single tool on.
    assert_eq!(sayso(&house, &["resume"]).code, 0);
    post(&house, "/tools/run", &mail("Off")).assert_problem(423, "tool_off");
    assert_eq!(sayso(&house, &["resume", "--tool", "gmail.send"]).code, 0);
    assert_eq!(post(&house, "/tools/run", &mail("Off")).status, 202);
}

fn in_two_days() -> String {
    (jiff::Zoned::now() + jiff::SignedDuration::from_hours(48)).to_string()
}

#[test]
fn what_cannot_be_paused_is_answered_with_what_can() {
    let house = House::open();
    for tool in ["gmail.sned", "gmail.search", "*", ""] {
        let ran = sayso(&house, &["pause", "--tool", tool]);
        assert_ne!(ran.code, 0, "{tool}");
        assert!(
            ran.err.contains(
                "calendar.cancel_event, calendar.create_event, calendar.move_event, \
                 gmail.create_draft, gmail.draft_reply, gmail.send"
            ),
            "{}",
            ran.err
        );
    }
    assert_eq!(get(&house, "/control/switches").json()["tools_off"], json!([]));
    request(&house, "PUT", "/control/switches", &[], "{}").assert_problem(400, "bad_body");
    let nobody = run(&["pause", "--server", "http://127.0.0.1:1"]);
    assert!(nobody.code != 0 && nobody.err.contains("sayso serve"), "{nobody:?}");
}

#[test]
fn whoever_pauses_is_on_record() {
    let house = House::open();
    sayso(&house, &["pause"]);
    sayso(&house, &["resume"]);

    let audit = run(&["audit", "--data", &house.data()]);

    let whats: Vec<_> =
        audit.out.lines().filter_map(|line| line.split_whitespace().nth(3)).collect();
    assert_eq!(whats, ["switched_off", "switched_on"], "{}", audit.out);
}
