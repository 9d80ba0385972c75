//! Talking over the socket, alone and together.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::client::Client;
use crate::event::{assert_numbers_rise, assert_succeeded, code, epoch, kinds, of_kind, one, text};
use crate::house::House;

const TOMORROW: &str = "What meetings do I have tomorrow?";

#[test]
fn say_tells_its_own_answer_from_that_of_another_in_the_same_session() {
    let house = House::open();
    let mut other = Client::new(&house);
    let session = other.session();

    std::thread::scope(|scope| {
        let busy = scope.spawn(|| {
            for _ in 0..40 {
                assert_succeeded(&other.turn("hello"));
            }
        });
        // The other counts an ending that is not its own, so it may be ahead by so many.
        for _ in 0..3 {
            let ran = crate::house::run(&[
                "say",
                "--session",
                &session,
                "--server",
                &house.url(),
                "what",
                "day",
                "is",
                "it",
            ]);
            assert_eq!(ran.code, 0, "{ran:?}");
            assert!(!ran.out.contains("What would you like"), "{ran:?}");
        }
        busy.join().unwrap();
    });
}

#[test]
fn a_question_about_tomorrow_is_acknowledged_looked_up_and_answered() {
    let house = House::open();
    let mut client = Client::new(&house);

    let turn = client.turn(TOMORROW);

    assert_succeeded(&turn);
    let order = [
        "turn.start",
        "input_transcript.final",
        "assistant_text.delta",
        "tool_call.request",
        "tool_call.result",
        "assistant_text.delta",
        "assistant_text.final",
        "turn.end",
    ];
    assert_in_order(&turn, &order);
    assert_eq!(text(one(&turn, "input_transcript.final")), TOMORROW);
    let (asked, found) = (one(&turn, "tool_call.request"), one(&turn, "tool_call.result"));
    assert_eq!(asked["payload"]["tool_name"], "calendar.list_events");
    assert_eq!(asked["payload"]["action_level"], "read");
    assert_eq!(asked["payload"]["call_id"], found["payload"]["call_id"]);
    assert_eq!(found["payload"]["ok"], true);
}

#[test]
fn the_events_of_a_turn_are_numbered_without_a_gap_by_one_owner() {
    let house = House::open();
    let mut client = Client::new(&house);

    let turns = [client.turn(TOMORROW), client.turn("any new mail from Priya?")];

    for turn in &turns {
        let counted: Vec<_> = turn.iter().map(|event| event["turn_seq"].as_u64()).collect();
        let expected: Vec<_> = (1..).map(Some).take(turn.len()).collect();
        assert_eq!(counted, expected);
        assert!(turn.iter().all(|event| event["turn_id"] == turn[0]["turn_id"]));
    }
    let all = turns.concat();
    assert_numbers_rise(&all);
    assert!(all.iter().all(|event| epoch(event) == epoch(&all[0])));
    assert_ne!(turns[0][0]["turn_id"], turns[1][0]["turn_id"]);
    let ids: HashSet<_> = all.iter().map(|event| event["event_id"].to_string()).collect();
    assert_eq!(ids.len(), all.len(), "every event has an id of its own");
}

#[test]
fn the_final_text_is_the_deltas_of_the_same_bubble_joined() {
    let house = House::open();
    let mut client = Client::new(&house);

    let turn = client.turn(TOMORROW);

    let deltas = of_kind(&turn, "assistant_text.delta");
    let whole = one(&turn, "assistant_text.final");
    assert!(!text(whole).trim().is_empty());
    assert_eq!(deltas.iter().map(|delta| text(delta)).collect::<String>(), text(whole));
    assert!(deltas.iter().all(|delta| delta["message_id"] == whole["message_id"]));
    let asked = &one(&turn, "input_transcript.final")["message_id"];
    assert!(asked.is_string() && whole["message_id"].is_string());
    assert_ne!(
        asked, &whole["message_id"],
        "the person and the assistant have bubbles of their own"
    );
}

#[test]
fn a_ping_is_answered_with_the_servers_time_and_the_clients_own() {
    let house = House::open();
    let mut client = Client::new(&house);

    client.send(&json!({
        "event_type": "session.ping",
        "payload": { "client_ts": "2026-02-20T10:00:00.000Z" },
    }));

    let pong = client.next("session.pong");
    assert_eq!(pong["event_type"], "session.pong");
    assert_eq!(pong["payload"]["client_ts"], "2026-02-20T10:00:00.000Z");
    let server_ts = pong["payload"]["server_ts"].as_str().unwrap();
    assert!(server_ts.parse::<jiff::Timestamp>().is_ok(), "{server_ts}");
    assert!(pong["seq"].is_null(), "it belongs to this connection alone: {pong}");
}

#[test]
fn two_clients_of_one_session_see_the_same_events_in_the_same_order() {
    let house = House::open();
    let mut first = Client::new(&house);
    let session = first.session();
    let mut second = Client::back(&house, &session);
    assert_eq!(second.session(), session);

    let seen_by_first = [first.turn(TOMORROW), first.turn("hello")].concat();
    let seen_by_second = [turn_of(&mut second), turn_of(&mut second)].concat();

    assert_eq!(seen_by_first, seen_by_second);
}

#[test]
fn an_answer_to_one_client_is_not_heard_by_the_other() {
    let house = House::open();
    let mut first = Client::new(&house);
    let session = first.session();
    let mut second = Client::back(&house, &session);
    second.session();

    first.send(&json!({ "event_type": "dance" }));
    let complaint = first.next("a complaint about an unknown event");
    let turn = first.turn("hello");

    assert_eq!(code(&complaint), "unknown_event");
    assert_eq!(turn_of(&mut second), turn);
}

/// What belongs to the session rather than to one connection.
fn numbered(events: &[Value]) -> Vec<Value> {
    events.iter().filter(|event| event.get("seq").is_some()).cloned().collect()
}

#[test]
fn a_client_that_comes_back_sees_what_it_missed_and_then_what_happens() {
    let house = House::open();
    let mut stays = Client::new(&house);
    let session = stays.session();
    let before = stays.turn(TOMORROW);

    let mut comes_back = Client::back(&house, &session);
    let (same, replayed) = comes_back.catch_up();
    let after = stays.turn("any new mail from Priya?");

    assert_eq!(same, session);
    assert_eq!(numbered(&replayed), before, "what went by lately comes as it went by");
    assert_eq!(replayed.last().unwrap()["event_type"], "session.resumed");
    assert_eq!(turn_of(&mut comes_back), after);
}

#[test]
fn a_session_goes_on_when_everybody_has_left_and_one_comes_back() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    let before = client.turn("hello");
    drop(client);

    let mut client = Client::back(&house, &session);
    let (_, replayed) = client.catch_up();
    let after = client.turn(TOMORROW);

    assert_eq!(numbered(&replayed), before);
    assert_succeeded(&after);
    assert_numbers_rise(&[before, after].concat());
}

#[test]
fn sessions_do_not_hear_one_another() {
    let house = House::open();
    let (mut mine, mut theirs) = (Client::new(&house), Client::new(&house));
    assert_ne!(mine.session(), theirs.session());

    assert_succeeded(&mine.turn(TOMORROW));

    let (_, overheard) = theirs.catch_up();
    assert_eq!(overheard, Vec::<Value>::new());
}

#[test]
fn sound_is_answered_that_there_are_no_ears_yet_and_typing_goes_on() {
    let house = House::open();
    let mut client = Client::new(&house);

    client.send(&json!({
        "event_id": "evt_mine",
        "event_type": "audio.chunk",
        "payload": { "pcm16_b64": "AAAAAA==", "sample_rate": 16000, "channels": 1 },
    }));

    let complaint = client.next("speech_unavailable");
    assert_eq!(code(&complaint), "speech_unavailable");
    assert_eq!(complaint["payload"]["in_reply_to"], "evt_mine");
    assert_succeeded(&client.turn("hello"));
}

fn turn_of(client: &mut Client) -> Vec<Value> {
    client.listen("a turn that somebody else began")
}

/// `expected` happens in this order; other things may happen between.
fn assert_in_order(events: &[Value], expected: &[&str]) {
    let mut happened = kinds(events).into_iter();
    for kind in expected {
        let found = happened.any(|happened| happened == *kind);
        assert!(found, "{kind} is missing or late in {:?}", kinds(events));
    }
}
