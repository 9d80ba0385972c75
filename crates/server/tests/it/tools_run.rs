//! `POST /tools/run`: one use of one tool, for programs.

use serde_json::{Value, json};

use crate::client::Client;
use crate::event::{kind, one};
use crate::house::House;
use crate::http::{Answer, request};
use crate::say_so::{PRIYA, ask, ask_in, assert_not_sent, confirm, mail, post, until};

fn run(house: &House, body: &Value) -> Answer {
    post(house, "/tools/run", body)
}

#[test]
fn what_looks_is_answered_at_once() {
    let house = House::open();
    let args = json!({ "query": "from:priya" });

    let answer = run(&house, &json!({ "tool_name": "gmail.search", "args": args }));

    assert_eq!(answer.status, 200, "{}", answer.body);
    let body = answer.json();
    assert_eq!(body["ok"], true);
    assert!(!body["output"]["messages"].as_array().unwrap().is_empty());
    assert!(body["session_id"].as_str().unwrap().starts_with("sess_"));
}

#[test]
fn what_writes_asks_and_everybody_in_the_session_sees_the_card() {
    let house = House::open();
    let mut client = Client::new(&house);
    let mut wanted = mail("Seen by all");
    wanted["session_id"] = client.session().into();

    let answer = run(&house, &wanted);

    assert_eq!(answer.status, 202, "{}", answer.body);
    let events = until(&mut client, "confirmation.request");
    let shown = &one(&events, "confirmation.request")["payload"];
    assert_eq!(*shown, answer.json()["card"]);
    assert_eq!(shown["confirmation_request_id"], answer.json()["confirmation_request_id"]);
    assert_eq!(shown["expires_at"], answer.json()["expires_at"]);
    assert_eq!(shown["action_level"], "write");
    assert_not_sent(&house, "Seen by all");
}

#[test]
fn every_request_that_cannot_be_is_told_why() {
    let house = House::open();
    let stranger = json!({ "to": ["eve@evil.example"], "subject": "Hi", "body": "Hi." });
    let sess = format!("sess_{}", "0".repeat(32));
    let cases = [
        (json!({ "tool_name": "gmail.forward", "args": {} }), 404, "unknown_tool"),
        (json!({ "tool_name": "", "args": {} }), 404, "unknown_tool"),
        (json!({ "tool_name": "gmail.send", "args": {} }), 422, "bad_arguments"),
        (json!({ "tool_name": "gmail.search", "args": { "q": "x" } }), 422, "bad_arguments"),
        (
            json!({ "tool_name": "gmail.get_message", "args": { "message_id": "no.1" } }),
            404,
            "not_found",
        ),
        (json!({ "tool_name": "gmail.send", "args": stranger }), 422, "unknown_recipient"),
        (json!({ "tool_name": "gmail.search", "args": [] }), 400, "bad_body"),
        (json!({ "args": {} }), 400, "bad_body"),
        (json!([]), 400, "bad_body"),
        (json!({ "tool_name": "gmail.search", "action_level": "read" }), 400, "bad_body"),
        (json!({ "tool_name": "gmail.search", "user_id": "user_1" }), 400, "user_in_body"),
        (
            json!({ "tool_name": "gmail.search", "args": { "query": "x" }, "session_id": sess }),
            404,
            "unknown_session",
        ),
        (
            json!({ "tool_name": "gmail.search", "args": { "query": "x" }, "session_id": "nonsense" }),
            404,
            "unknown_session",
        ),
        (
            json!({ "tool_name": "gmail.search", "args": { "query": "x" }, "idempotency_key": "" }),
            400,
            "bad_body",
        ),
    ];
    for (body, status, problem) in cases {
        let answer = run(&house, &body);
        assert_eq!(answer.status, status, "{body}: {}", answer.body);
        answer.assert_problem(status, problem);
    }
}

#[test]
fn the_same_key_twice_in_a_session_is_done_once() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    let mut wanted = mail("Keyed");
    wanted["session_id"] = session.into();
    wanted["idempotency_key"] = "order-7".into();
    wanted["turn_id"] = "turn_of_the_caller".into();

    assert_eq!(run(&house, &wanted).status, 202);
    run(&house, &wanted).assert_problem(409, "duplicate_request");

    let (_, events) = client.catch_up();
    let asked = events.iter().filter(|event| kind(event) == "confirmation.request").count();
    assert_eq!(asked, 1);
    wanted["idempotency_key"] = "order-8".into();
    assert_eq!(run(&house, &wanted).status, 202);
}

#[test]
fn bodies_without_measure_are_refused_and_the_server_goes_on() {
    let house = House::open();
    for path in ["/tools/run", "/chat/confirm", "/control/switches"] {
        let method = if path == "/control/switches" { "PUT" } else { "POST" };
        let send = |body: &str| request(&house, method, path, &[], body);
        let huge = format!(r#"{{"tool_name":"{}"}}"#, "x".repeat(1024 * 1024));
        assert_eq!(send(&huge).status, 413, "{path}");
        let deep = format!(r#"{{"args":{}1{}}}"#, "[".repeat(40), "]".repeat(40));
        send(&deep).assert_problem(400, "too_deep");
        send(&"[".repeat(100_000)).assert_problem(400, "too_deep");
        for broken in ["", "{", "null", "\"text\"", "{\"a\":1}{"] {
            send(broken).assert_problem(400, "bad_body");
        }
        send(r#"{"user_id":"user_1"}"#).assert_problem(400, "user_in_body");
        let evil = [("Origin", "https://evil.example")];
        request(&house, method, path, &evil, "{}").assert_problem(403, "foreign_origin");
    }
    let wanted = json!({ "tool_name": "gmail.search", "args": { "query": PRIYA } });
    assert_eq!(run(&house, &wanted).status, 200);
}

#[test]
fn a_time_that_is_none_is_told_what_one_looks_like() {
    let house = House::open();
    let args = json!({ "title": "Lunch", "start": "tomorrow at noon" });

    let answer = run(&house, &json!({ "tool_name": "calendar.create_event", "args": args }));

    assert_eq!(answer.status, 422);
    let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("start must be a time with its zone, like 2026-"), "{message}");
    assert!(message.ends_with("\"tomorrow at noon\" is none"), "{message}");
}

#[test]
fn one_card_too_many_is_refused_until_another_is_answered() {
    let house = House::open();
    let first = ask(&house, "1");
    (2..=8).for_each(|nth| drop(ask_in(&house, &first.session, &nth.to_string())));
    let mut ninth = mail("9");
    ninth["session_id"] = first.session.as_str().into();

    run(&house, &ninth).assert_problem(409, "too_many_cards");

    assert_eq!(confirm(&house, &first, "reject", json!({})).status, 200);
    assert_eq!(run(&house, &ninth).status, 202);
}
