//! What people say and what their mail says stands in no log.

use serde_json::Value;

use crate::client::Client;
use crate::event::{one, text};
use crate::house::House;

const EVERYTHING: [(&str, &str); 2] = [("SAYSO_LOG", "trace"), ("SAYSO_LOG_FORMAT", "json")];
const CANARY: &str = "zanzibarquokka";

#[test]
fn what_people_say_is_never_logged() {
    let house = House::open_with(&EVERYTHING);
    let mut client = Client::new(&house);

    client.turn(&format!("any new mail about {CANARY}?"));
    client.turn(&format!("my {CANARY} told me that she is a {CANARY}"));
    client.send(&serde_json::json!({ "event_type": CANARY, "payload": { "text": CANARY } }));
    client.next("a complaint");
    client.send(&serde_json::json!({ "event_type": "text.input", "payload": { CANARY: CANARY } }));
    client.next("a complaint");

    let log = house.log().to_lowercase();
    assert!(!turns(&log).is_empty(), "there is a log to look at");
    assert!(!log.contains(CANARY), "{}", around(&log, CANARY));
}

#[test]
fn what_their_mail_says_is_never_logged() {
    let house = House::open_with(&EVERYTHING);
    let mut client = Client::new(&house);

    let found = client.turn("any unread mail?");
    let opened = client.turn("read me the latest mail");

    let mut private = Vec::new();
    for turn in [&found, &opened] {
        private.push(text(one(turn, "assistant_text.final")).to_owned());
        for event in turn.iter().filter(|event| event["event_type"] == "tool_call.result") {
            collect_texts(&event["payload"]["output"], &mut private);
        }
    }
    let log = house.log();
    assert!(private.len() > 10, "the mailbox has something to hide: {private:?}");
    for words in private {
        assert!(!log.contains(&words), "\"{words}\": {}", around(&log, &words));
    }
}

#[test]
fn every_turn_leaves_one_line_that_can_be_followed() {
    let house = House::open_with(&EVERYTHING);
    let mut client = Client::new(&house);

    let walked = ["hello", "What meetings do I have tomorrow?", "thanks"].map(|t| client.turn(t));

    let log = house.log();
    let lines = turns(&log);
    assert_eq!(lines.len(), walked.len(), "{lines:?}");
    for (line, turn) in lines.iter().zip(&walked) {
        assert_eq!(line["turn_id"], turn[0]["turn_id"]);
        assert_eq!(line["session_id"], turn[0]["session_id"]);
        assert_eq!(line["outcome"], "success");
        assert!(line["trace_id"].as_str().unwrap().starts_with("trace_"), "{line}");
        assert!(line["request_id"].as_str().unwrap().starts_with("req_"), "{line}");
        assert!(line["first_token_ms"].is_u64(), "{line}");
    }
    assert_ne!(lines[0]["trace_id"], lines[1]["trace_id"]);
}

#[test]
fn every_line_of_the_log_is_json_when_asked_for() {
    let house = House::open_with(&EVERYTHING);
    Client::new(&house).turn("hello");

    for line in house.log().lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        assert!(line["timestamp"].is_string() && line["level"].is_string(), "{line}");
    }
}

#[test]
fn a_name_of_an_owner_is_not_in_the_log_either() {
    let house = House::open_with(&EVERYTHING);
    let profile = format!(r#"{{"time_zone":"Europe/Berlin","name":"{CANARY}"}}"#);

    let saved = crate::http::request(&house, "PUT", "/chat/profile", &[], &profile);
    Client::new(&house).turn("hello");

    assert_eq!(saved.status, 200, "{}", saved.body);
    let log = house.log();
    assert!(!log.contains(CANARY), "{}", around(&log, CANARY));
}

/// The one line that each turn leaves.
fn turns(log: &str) -> Vec<Value> {
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["message"] == "turn").collect()
}

/// Texts long enough to be somebody's words.
fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(' ') => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| collect_texts(field, texts)),
        _ => {}
    }
}

fn around(log: &str, words: &str) -> String {
    log.lines().filter(|line| line.contains(words)).take(3).collect::<Vec<_>>().join("\n")
}
