//! What one client does wrong, the others do not notice.

use serde_json::json;
use std::io::Write;
use std::net::TcpStream;
use std::thread;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, is_timeout};
use crate::event::{assert_succeeded, code, kind, of_kind};
use crate::frame::{self, TEXT};
use crate::house::House;
use crate::http;

#[test]
fn a_thousand_malformed_frames_do_not_disturb_the_turn_of_another() {
    let house = House::open();
    let (mut rude, mut polite) = (Client::new(&house), Client::new(&house));
    polite.session();

    let complaints = thread::scope(|scope| {
        let rude = scope.spawn(|| {
            let mut complaints = 0;
            for _ in 0..1_000 {
                rude.send_message(Message::text("{\"event_type\": \"nonsense\""));
                complaints += usize::from(code(&rude.next("bad_json")) == "bad_json");
            }
            complaints
        });
        for _ in 0..5 {
            assert_succeeded(&polite.turn("What meetings do I have tomorrow?"));
        }
        rude.join().unwrap()
    });

    assert_eq!(complaints, 1_000);
    assert_succeeded(&rude.turn("hello"));
}

#[test]
fn a_client_that_never_reads_is_cut_off_and_the_others_of_its_session_talk_on() {
    let house = House::open_with(&[
        ("SAYSO_LIMITS_MESSAGES_PER_SECOND", "0"),
        ("SAYSO_LIMITS_TEXT_PER_MINUTE", "0"),
        ("SAYSO_LIMITS_TOOLS_PER_MINUTE", "0"),
    ]);
    let mut talks = Client::new(&house);
    let session = talks.session();
    let mut silent = Client::back(&house, &session);
    silent.session();

    // How much the wire holds is a matter of the machine (up to 32 MiB), so it is filled until it
    // is cut. Meanwhile they talk no more than can be replayed, and behind it once more.
    let ask = "What meetings do I have tomorrow?";
    let turns = thread::scope(|scope| {
        let silent = scope.spawn(|| ask_without_reading(&mut silent));
        let mut turns = 0;
        while turns < 30 || turns < 300 && !silent.is_finished() {
            assert_succeeded(&talks.turn(ask));
            turns += 1;
        }
        silent.join().unwrap();
        assert_succeeded(&talks.turn(ask));
        turns + 1
    });

    let (closed, events) = silent.until_closed();
    assert!(matches!(closed, None | Some(4408)), "{closed:?}");
    assert!(of_kind(&events, "turn.end").len() < turns, "it was cut off before the end");
    assert_succeeded(&talks.turn("hello"));
    let (_, replayed) = Client::back(&house, &session).catch_up();
    let kept = of_kind(&replayed, "turn.end").len();
    assert_eq!(kept, turns + 1, "nothing is lost for who comes back");
}

#[test]
#[ignore = "takes a minute; make proof runs it"]
fn a_crowd_of_three_hundred_talks_through_ten_thousand_turns() {
    let house = House::open();
    let (people, turns) = (300, 34);
    let asked =
        ["What meetings do I have tomorrow?", "any unread mail?", "hello", "am i free at 3"];

    let mut crowd: Vec<_> = (0..people).map(|_| Client::new(&house)).collect();
    let sessions: Vec<_> = crowd.iter_mut().map(Client::session).collect();
    thread::scope(|scope| {
        for (number, client) in crowd.iter_mut().enumerate() {
            scope.spawn(move || {
                for turn in 0..turns {
                    assert_succeeded(&client.turn(asked[(number + turn) % asked.len()]));
                }
            });
        }
    });

    let kept =
        |session: &String| of_kind(&Client::back(&house, session).catch_up().1, "turn.end").len();
    let done: usize = sessions.iter().map(kept).sum();
    println!("{people} people, {done} turns, each answered and each kept");
    assert_eq!(done, people * turns);
}

#[test]
fn half_a_handshake_holds_up_neither_others_nor_the_end() {
    let mut house = House::open();
    let starts = [
        "GET",
        "GET /chat/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: webso",
        "PUT /chat/profile HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{\"ti",
    ];
    let halves: Vec<_> = starts.map(|start| half_a_request(&house, start)).into_iter().collect();

    assert_succeeded(&Client::new(&house).turn("hello"));
    assert_eq!(http::get(&house, "/readyz").status, 200);
    assert_eq!(house.stop().code(), Some(0));
    drop(halves);
}

#[test]
fn a_client_that_hangs_up_in_the_middle_of_its_turn_finds_it_done_when_it_comes_back() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    client.say("What meetings do I have tomorrow?");
    client.next("turn.start");
    drop(client);

    let mut client = Client::back(&house, &session);
    let events = client.until("turn.end", |event| event["event_type"] == "turn.end");

    assert_succeeded(&events);
}

#[test]
fn one_connection_too_many_is_refused_and_the_others_talk_on() {
    let house = House::open_with(&[("SAYSO_LIMITS_CONNECTIONS", "2")]);
    let (mut first, mut second) = (Client::new(&house), Client::new(&house));

    let refused = http::upgrade(&house, "/chat/stream", &[]);

    refused.assert_problem(503, "too_many_connections");
    assert_succeeded(&first.turn("hello"));
    assert_succeeded(&second.turn("hello"));
}

#[test]
fn every_request_of_a_hasty_client_is_answered_stopped_or_refused_once() {
    let house = House::open();
    let mut client = Client::new(&house);
    let requests = 50;
    for _ in 0..requests {
        client.say("What meetings do I have tomorrow?");
    }

    let mut over = 0;
    let events = client.until("an end for every request", |event| {
        over += usize::from(matches!(kind(event), "turn.end" | "turn.cancelled" | "error"));
        over == requests
    });

    // How many were refused is a matter of speed; that every refusal says so is not.
    for refusal in of_kind(&events, "error") {
        assert_eq!(code(refusal), "queue_full");
        assert_eq!(refusal["payload"]["retryable"], true);
    }
    let refused = of_kind(&events, "error").len();
    assert_eq!(of_kind(&events, "turn.start").len(), requests - refused);
    assert_succeeded(&client.turn("hello"));
}

#[test]
fn an_interrupt_stops_the_turn_or_comes_too_late_and_the_next_one_is_answered() {
    let house = House::open();
    let mut client = Client::new(&house);

    for _ in 0..20 {
        client.say("What meetings do I have tomorrow?");
        client.send(&json!({ "event_type": "user.interrupt" }));
        let (mut over, mut told) = (false, false);
        let events = client.until("the turn's end and an answer to the interrupt", |event| {
            let is = kind(event);
            over |= matches!(is, "turn.end" | "turn.cancelled");
            told |= matches!(is, "error" | "turn.cancelled");
            over && told
        });
        for complaint in of_kind(&events, "error") {
            assert_eq!(code(complaint), "nothing_to_interrupt");
        }
        assert_succeeded(&client.turn("hello"));
    }
}

fn half_a_request(house: &House, start: &str) -> TcpStream {
    let mut stream = TcpStream::connect(house.address()).unwrap();
    stream.write_all(start.as_bytes()).unwrap();
    stream
}

/// Asks for more than the wire can hold without taking any of it, until the server
/// hangs up.
fn ask_without_reading(client: &mut Client) {
    let filler = "x".repeat(4_000);
    let ping = json!({ "event_type": "session.ping", "payload": { "client_ts": filler } });
    let frame = frame::whole(TEXT, ping.to_string().as_bytes());
    for _ in 0..20_000 {
        if let Err(error) = client.send_bytes(&frame) {
            return assert!(!is_timeout(&error), "it was not cut off: {error}");
        }
    }
    panic!("the server took 80 MB of pings from a client that does not read");
}
