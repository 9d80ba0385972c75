//! Over a real socket: whoever loses the connection, wherever that happens, and
//! comes back, ends up with the page of somebody who never left.

use brain::Envelope;
use serde_json::{Value, json};
use testkit::page::{Page, Shown};

use crate::client::Client;
use crate::event::{ends_turn, kind};
use crate::house::House;

/// What the first device does; each ends with an event of that kind.
const CONVERSATION: [(&str, &str); 5] = [
    ("what meetings do i have tomorrow", "turn.end"),
    ("email Tom that I am running late", "confirmation.request"),
    ("change the subject to Late again", "confirmation.updated"),
    ("yes, send it", "turn.end"),
    ("book lunch with Tom on Friday at noon", "confirmation.request"),
];

pub fn envelope(event: &Value) -> Envelope {
    serde_json::from_value(event.clone()).expect("an envelope")
}

fn page(events: &[Value]) -> Page {
    Page::of(&events.iter().map(envelope).collect::<Vec<_>>())
}

/// Says everything, and returns what it saw.
fn talk(stays: &mut Client) -> Vec<Value> {
    let mut seen = Vec::new();
    for (words, until) in CONVERSATION {
        stays.say(words);
        seen.extend(stays.until(until, |event| kind(event) == until));
    }
    seen.extend(stays.catch_up().1);
    seen
}

/// Comes back from where this page stands, and reads on until it has caught up or
/// has read so many events of the session.
pub fn come_back(house: &House, session: &str, page: &mut Page, most: usize) {
    let (mut client, mut read) = (ask_to_resume(house, session, page), 0);
    client.until("session.resumed or resync", |event| {
        page.take(&envelope(event));
        read += usize::from(event.get("seq").is_some());
        read == most || has_caught_up(event)
    });
}

/// Comes back to stay; also what was missed.
#[cfg(feature = "perils")]
pub fn resume(house: &House, session: &str, page: &Page) -> (Client, Vec<Value>) {
    let mut client = ask_to_resume(house, session, page);
    let told = client.until("session.resumed or resync", has_caught_up);
    (client, told)
}

fn ask_to_resume(house: &House, session: &str, page: &Page) -> Client {
    let mut client = Client::at(house, &format!("?session_id={session}&replay=ask"));
    let payload = json!({ "epoch": page.epoch, "last_seq": page.last_seq });
    client.send(&json!({ "event_type": "session.resume", "payload": payload }));
    client
}

fn has_caught_up(event: &Value) -> bool {
    ["session.resumed", "resync"].contains(&kind(event))
}

fn shown(events: &[Value]) -> Shown {
    page(events).shown()
}

#[test]
fn a_connection_that_breaks_behind_any_event_is_made_good_by_coming_back() {
    let house = House::open();
    let mut stays = Client::new(&house);
    let session = stays.session();
    let seen = talk(&mut stays);
    let numbered: Vec<_> = seen.iter().filter(|event| event.get("seq").is_some()).collect();
    assert!(numbered.len() > 50, "{} events", numbered.len());
    let expected = shown(&seen);
    for at in 0..seen.len() {
        let mut page = page(&seen[..at]);
        come_back(&house, &session, &mut page, usize::MAX);
        let last = seen[..at].last().map(|event| kind(event).to_owned());
        assert_eq!(page.shown(), expected, "behind event {at}, {last:?}");
    }
}

#[test]
fn a_device_that_comes_and_goes_all_the_time_sees_what_the_other_one_sees() {
    let house = House::open();
    for every in [1, 2, 3, 5, 8, 13] {
        let mut stays = Client::new(&house);
        let session = stays.session();
        let words = std::thread::spawn(move || {
            let seen = talk(&mut stays);
            (stays, seen)
        });
        // While the first one talks, this one hangs up again and again.
        let mut page = Page::default();
        while !words.is_finished() {
            come_back(&house, &session, &mut page, every);
        }
        let (_stays, theirs) = words.join().unwrap();
        come_back(&house, &session, &mut page, usize::MAX);
        assert_eq!(page.shown(), shown(&theirs), "every {every}");
    }
}

#[test]
fn what_was_missed_while_the_server_restarted_is_told_by_the_next_one() {
    let mut house = House::open();
    let mut stays = Client::new(&house);
    let session = stays.session();
    let seen = talk(&mut stays);
    drop(stays);
    house.kill_hard();
    house.restart();
    let expected = shown(&seen);
    for at in 0..seen.len() {
        let mut page = page(&seen[..at]);
        come_back(&house, &session, &mut page, usize::MAX);
        assert_eq!(page.shown(), expected, "behind event {at}");
        // Whoever comes late may find that it fell asleep meanwhile.
        assert!(page.epoch >= 2, "{}", page.epoch);
    }
}

#[test]
fn a_hello_tells_what_the_server_can_do_and_what_binary_frames_hold() {
    let house = House::open();
    let mut client = Client::new(&house);
    let audio = json!({ "sample_rate": 16_000, "channels": 1 });
    let payload = json!({ "protocol": 1, "binary_audio": audio });
    client.send(&json!({ "event_type": "session.hello", "payload": payload }));
    let ready = client.until("session.ready", |event| kind(event) == "session.ready");
    // What it can do does not depend on what it is told.
    let mut other = Client::new(&house);
    other.send(&json!({ "event_type": "session.hello" }));
    let told = other.until("session.ready", |event| kind(event) == "session.ready");
    let capabilities = |events: &[Value]| events.last().unwrap()["payload"]["capabilities"].clone();
    assert_eq!(capabilities(&told), capabilities(&ready));
    let can = &ready.last().unwrap()["payload"]["capabilities"];
    assert_eq!((&can["binary_audio"], &can["replay_events"]), (&json!(true), &json!(10_000)));

    client.send_message(tokio_tungstenite::tungstenite::Message::binary(vec![0; 640]));
    let told = client.until("an error", |event| kind(event) == "error");
    assert_eq!(told.last().unwrap()["payload"]["code"], "speech_unavailable");

    let payload = json!({ "protocol": 99 });
    client.send(&json!({ "event_type": "session.hello", "payload": payload }));
    let told = client.until("an error", |event| kind(event) == "error");
    assert_eq!(told.last().unwrap()["payload"]["code"], "protocol_unsupported");
    assert!(client.turn("hello").iter().any(ends_turn));
}
