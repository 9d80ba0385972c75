//! Nobody gets more than their share, and whoever wants more is told when to come again.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::client::Client;
use crate::event::{code, kind, of_kind, text};
use crate::frame::{self, TEXT};
use crate::house::House;
use crate::http::{request, upgrade};

#[test]
fn whoever_says_too_much_at_once_is_told_when_to_come_again() {
    let house = House::open_with(&[("SAYSO_LIMITS_TEXT_PER_MINUTE", "1")]);
    let mut client = Client::new(&house);
    for number in 0..2 {
        client.send(&json!({
            "event_id": format!("evt_{number}"),
            "event_type": "text.input",
            "payload": { "text": "hello" },
        }));
    }
    let mut events = client.until("rate_limit", |event| kind(event) == "rate_limit");
    let held = events.pop().unwrap()["payload"].clone();
    assert_eq!((&held["scope"], &held["in_reply_to"]), (&json!("text"), &json!("evt_1")));
    assert!(held["retry_after_ms"].as_u64().unwrap() >= 1, "{held}");

    // Somebody else does not notice, and an answer to a card is no request.
    assert!(Client::new(&house).turn("hello").iter().any(|event| kind(event) == "turn.end"));
    client.send(&json!({ "event_type": "session.ping" }));
    client.until("session.pong", |event| kind(event) == "session.pong");
}

#[test]
fn tools_are_counted_in_conversations_as_well_as_over_http() {
    let house = House::open_with(&[("SAYSO_LIMITS_TOOLS_PER_MINUTE", "1")]);
    let mut client = Client::new(&house);
    client.turn("What meetings do I have tomorrow?");
    client.send(&json!({
        "event_id": "evt_2",
        "event_type": "text.input",
        "payload": { "text": "What meetings do I have on Friday?" },
    }));
    let events = client.until("the end", |event| kind(event) == "turn.end");
    let held = &of_kind(&events, "rate_limit")[0]["payload"];
    assert_eq!((&held["scope"], &held["in_reply_to"]), (&json!("tool"), &json!("evt_2")));
    assert!(held["retry_after_ms"].as_u64().unwrap() >= 1, "{held}");
    let said = text(of_kind(&events, "assistant_text.final")[0]).to_owned();
    assert!(said.contains("a lot in a minute"), "{said}");
    assert!(of_kind(&events, "tool_call.request").is_empty());

    let look = json!({
        "session_id": client.session(),
        "tool_name": "gmail.search",
        "args": { "query": "" },
    });
    let ran = request(&house, "POST", "/tools/run", &[], &look.to_string());
    ran.assert_problem(429, "rate_limit");
    assert_eq!(ran.json()["error"]["scope"], "tool");
}

#[test]
fn sound_has_an_allowance_of_its_own() {
    let house = House::open_with(&[("SAYSO_LIMITS_AUDIO_SECONDS_PER_MINUTE", "1")]);
    let mut client = Client::new(&house);
    let audio = json!({ "sample_rate": 16_000, "channels": 1 });
    let hello = json!({ "event_type": "session.hello", "payload": { "binary_audio": audio } });
    client.send(&hello);
    for _ in 0..3 {
        client.send_message(Message::binary(vec![0; 32_000]));
    }
    let events = client.until("rate_limit", |event| kind(event) == "rate_limit");
    assert_eq!(events.last().unwrap()["payload"]["scope"], "audio");
    assert!(client.turn("hello").iter().any(|event| kind(event) == "turn.end"));
}

#[test]
fn whoever_never_stops_sending_is_hung_up_on_and_nobody_else_is() {
    let house = House::open_with(&[("SAYSO_LIMITS_MESSAGES_PER_SECOND", "1")]);
    let (mut floods, mut polite) = (Client::new(&house), Client::new(&house));
    let ping = json!({ "event_type": "session.ping" }).to_string();
    // All at once, so that it has stopped sending before it is told.
    floods.send_bytes(&frame::whole(TEXT, ping.as_bytes()).repeat(20)).unwrap();
    let (closed, events) = floods.until_closed();
    assert_eq!(closed, Some(1008));
    assert_eq!(code(events.last().unwrap()), "too_many_messages");
    assert!(polite.turn("hello").iter().any(|event| kind(event) == "turn.end"));
}

#[cfg(feature = "perils")]
#[test]
fn where_all_places_are_taken_people_are_told_when_to_come_again() {
    // The first one has the only place, and takes its time with it.
    let wait = ("SAYSO_WAIT_AT", "looking:3600000");
    let house = House::open_with(&[("SAYSO_LIMITS_TURNS", "1"), wait]);
    let mut first = Client::new(&house);
    first.say("What meetings do I have tomorrow?");
    first.until("turn.start", |event| kind(event) == "turn.start");
    let mut client = Client::new(&house);
    client.say("hello");
    let events = client.until("rate_limit", |event| kind(event) == "rate_limit");
    assert_eq!(events.last().unwrap()["payload"]["scope"], "server");
    assert!(of_kind(&events, "turn.start").is_empty());
    let wanted = json!({ "tool_name": "gmail.search", "args": { "query": "" } }).to_string();
    let ran =
        request(&house, "POST", "/tools/run", &[("Content-Type", "application/json")], &wanted);
    ran.assert_problem(503, "overloaded");
    assert!(ran.headers.contains_key("retry-after"), "{}", ran.body);
}

#[test]
fn where_all_connections_are_taken_browsers_are_told_when_to_come_again() {
    let house = House::open_with(&[("SAYSO_LIMITS_CONNECTIONS", "1")]);
    let _first = Client::new(&house);
    let refused = upgrade(&house, "/chat/stream", &[]);
    refused.assert_problem(503, "too_many_connections");
    let seconds: u64 = refused.headers["retry-after"].parse().unwrap();
    assert!((1..=3).contains(&seconds));
    assert!(refused.json()["error"]["retry_after_ms"].as_u64().unwrap() >= 1);
}
