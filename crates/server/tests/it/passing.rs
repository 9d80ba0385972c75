//! Temporary chats leave nothing behind but the audit of writes.

use std::time::Instant;

use serde_json::{Value, json};

use crate::client::Client;
use crate::house::{House, PATIENCE, run, run_with};
use crate::http::{get, request};
use crate::rights::assert_nowhere;
use crate::say_so::{assert_sent_once, post, response, until};

const CANARY: &str = "zanzibarquokka";

fn begin(house: &House) -> (String, String) {
    let begun = post(house, "/chat/session/start", &json!({ "temporary": true }));
    assert_eq!(begun.status, 201, "{}", begun.body);
    let begun = begun.json();
    assert_eq!(begun["temporary"], true);
    let text = |name: &str| begun[name].as_str().unwrap().to_owned();
    (text("session_id"), text("thread_id"))
}

fn lines_of(house: &House, session: &str) -> Vec<String> {
    let ran = run(&["audit", "--session", session, "--json", "--data", &house.data()]);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| line["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_temporary_chat_is_in_no_list_and_is_gone_when_it_is_over() {
    let mut house = House::open();
    let (session, thread) = begin(&house);
    let mut client = Client::back(&house, &session);
    client.turn(&format!("any new mail about {CANARY}?"));

    assert_eq!(get(&house, "/chat/threads").json()["threads"], json!([]));
    let found = get(&house, &format!("/chat/search?q={CANARY}")).json();
    assert_eq!(found["messages"].as_array().map_or(0, Vec::len), 0, "{found}");
    let ended = request(&house, "DELETE", &format!("/chat/threads/{thread}"), &[], "");
    assert_eq!(ended.status, 204, "{}", ended.body);

    assert_nowhere(&house.data(), CANARY);
    assert_eq!(lines_of(&house, &session), ["session_deleted"]);
    house.kill_hard();
    assert_nowhere(&house.data(), CANARY);
}

#[test]
fn a_temporary_chat_makes_no_memories_until_it_is_told_to() {
    let house = House::open();
    let (session, _) = begin(&house);
    let mut client = Client::back(&house, &session);
    let wish = "remember that I hate cilantro";

    let told = client.turn(wish);

    let said = told.iter().find(|event| event["event_type"] == "assistant_text.final").unwrap();
    assert!(said["payload"]["text"].as_str().unwrap().contains("paused"), "{said}");
    assert!(!told.iter().any(|event| event["event_type"] == "confirmation.request"));
    client.turn("you can remember again");
    client.say(wish);
    until(&mut client, "confirmation.request");
}

#[test]
fn a_temporary_chat_that_a_crash_left_is_gone_after_the_next_start() {
    let mut house = House::open();
    let (session, _) = begin(&house);
    let mut client = Client::back(&house, &session);
    client.turn(&format!("any new mail about {CANARY}?"));
    house.kill_hard();

    house.restart();

    assert_nowhere(&house.data(), CANARY);
    assert_eq!(lines_of(&house, &session), ["temporary_ended"]);
    request(&house, "GET", &format!("/chat/stream?session_id={session}"), &[], "");
}

#[test]
fn that_memory_stayed_out_of_a_temporary_chat_is_not_kept_either() {
    let mut house = House::open();
    let (left, _) = begin(&house);
    Client::back(&house, &left).turn("hello");
    house.kill_hard();
    house.restart();
    let (over, thread) = begin(&house);
    Client::back(&house, &over).turn("hello");
    request(&house, "DELETE", &format!("/chat/threads/{thread}"), &[], "");
    assert!(house.stop().success());

    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("export");
    let to = to.to_str().unwrap();
    let ran = run(&["user", "export", "local", to, "--data", &house.data()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let pauses = std::fs::read_to_string(format!("{to}/memory_pauses.jsonl")).unwrap_or_default();
    for session in [left, over] {
        assert!(!pauses.contains(&session), "{pauses}");
    }
}

#[test]
fn a_reminder_in_a_temporary_chat_says_that_it_is_kept() {
    let house = House::open();
    let (session, _) = begin(&house);
    let told = Client::back(&house, &session).turn("remind me tomorrow at 9 to call Tom");
    let said = told.iter().find(|event| event["event_type"] == "assistant_text.final").unwrap();
    assert!(said["payload"]["text"].as_str().unwrap().contains("I keep its words"), "{said}");
}

#[test]
fn a_server_that_stops_takes_its_temporary_chats_out() {
    let mut house = House::open();
    let (session, _) = begin(&house);
    Client::back(&house, &session).turn(&format!("any new mail about {CANARY}?"));

    assert!(house.stop().success());

    assert_nowhere(&house.data(), CANARY);
}

#[test]
fn what_was_agreed_to_in_a_temporary_chat_is_done_and_stays_on_record() {
    let house = House::open();
    let (session, thread) = begin(&house);
    let mut client = Client::back(&house, &session);
    client.say(&format!("email Tom with subject {CANARY} saying see you at nine"));
    let shown = until(&mut client, "confirmation.request");
    let card = &shown.last().unwrap()["payload"];
    let id = card["confirmation_request_id"].as_str().unwrap();
    let subject = card["payload"]["subject"].as_str().unwrap().to_owned();
    client.send(&response(id, "accept", json!({ "revision": 1 })));
    until(&mut client, "turn.end");
    assert_sent_once(&house, &subject);
    let until = Instant::now() + PATIENCE;
    let path = format!("/chat/threads/{thread}");
    while request(&house, "DELETE", &path, &[], "").status != 204 {
        assert!(Instant::now() < until, "a write that is settled keeps nothing");
    }

    let lines = lines_of(&house, &session);
    for what in ["asked", "accepted", "confirmed", "session_deleted"] {
        assert!(lines.iter().any(|line| line == what), "{what}: {lines:?}");
    }
    assert!(run(&["replay", &session, "--data", &house.data()]).code != 0);
}

#[test]
fn a_temporary_chat_in_the_terminal_says_so_and_leaves_nothing() {
    let house = House::open();
    let args = ["chat", "--temporary", "--server", &house.url()];

    let ran = run_with(&args, &[], &format!("any new mail about {CANARY}?\n"));

    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Nothing of it is kept."), "{}", ran.out);
    assert_nowhere(&house.data(), CANARY);
    let both = run(&["chat", "--temporary", "--session", "sess_1", "--server", &house.url()]);
    assert_ne!(both.code, 0);
    let bad = json!({ "temporary": true, "thread_id": "thread_00000000000000000000000000000001" });
    post(&house, "/chat/session/start", &bad).assert_problem(400, "bad_body");
}
