//! Frames that mean nothing: a typed answer, and nothing else happens.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::client::Client;
use crate::event::{assert_succeeded, code};
use crate::frame::{self, CONTINUATION, TEXT};
use crate::house::House;
use crate::http;

/// Over the limit of a whole message, and so of a frame.
const HUGE: usize = 1024 * 1024 + 1;

#[test]
fn a_frame_over_one_mebibyte_is_refused_by_name_and_closed() {
    assert_refused_and_closed(&frame::whole(TEXT, &vec![b'x'; HUGE]), "frame_too_large", 1009);
}

#[test]
fn a_single_frame_of_300_kibibytes_is_refused_by_name_and_closed() {
    let bytes = frame::whole(TEXT, &vec![b'x'; 300 * 1024]);
    assert_refused_and_closed(&bytes, "frame_too_large", 1009);
}

#[test]
fn small_frames_that_make_a_message_over_one_mebibyte_are_refused_by_name_and_closed() {
    let part = vec![b'x'; 200 * 1024];
    let mut bytes = frame::built(false, TEXT, &part);
    for number in 1..=5 {
        bytes.extend(frame::built(number == 5, CONTINUATION, &part));
    }
    assert_refused_and_closed(&bytes, "frame_too_large", 1009);
}

#[test]
fn pieces_of_a_message_that_never_ends_are_not_collected() {
    let part = vec![b'x'; 100 * 1024];
    let mut bytes = frame::built(false, TEXT, &part);
    for _ in 0..2 {
        bytes.extend(frame::built(false, CONTINUATION, &part));
    }
    assert_refused_and_closed(&bytes, "frame_too_large", 1009);
}

#[test]
fn a_refusal_is_heard_also_behind_a_long_history() {
    let house = House::open();
    let mut first = Client::new(&house);
    let session = first.session();
    for _ in 0..60 {
        assert_succeeded(&first.turn("hello"));
    }
    let mut bad = Client::back(&house, &session);

    bad.send_bytes(&frame::whole(TEXT, &vec![b'x'; 300 * 1024])).unwrap();
    let (closed, events) = bad.until_closed();

    assert_eq!(
        (closed, events.last().map(code)),
        (Some(1009), Some("frame_too_large")),
        "{events:?}"
    );
}

#[test]
fn a_frame_that_only_claims_to_be_huge_is_refused_by_name_and_closed() {
    assert_refused_and_closed(&frame::header(true, TEXT, 1 << 40), "frame_too_large", 1009);
}

#[test]
fn text_that_is_not_utf_8_is_refused_by_name_and_closed() {
    assert_refused_and_closed(&frame::whole(TEXT, b"{\"\xff\xfe\":1}"), "bad_utf8", 1007);
}

#[test]
fn a_frame_without_a_mask_ends_that_connection_only() {
    let house = House::open();
    let (mut bad, mut good) = (Client::new(&house), Client::new(&house));
    bad.session();

    bad.send_bytes(b"\x81\x02{}").unwrap();

    bad.until_closed();
    assert_succeeded(&good.turn("hello"));
}

#[test]
fn every_malformed_frame_is_answered_with_its_own_code_and_the_talk_goes_on() {
    let house = House::open();
    let mut client = Client::new(&house);
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let long = "ä".repeat(8_001);
    let many = vec!["a"; 21];
    let cases = [
        (deep, "too_deep"),
        ("{\"event_type\":".to_owned(), "bad_json"),
        (String::new(), "bad_json"),
        ("[1, 2]".to_owned(), "bad_json"),
        ("{}".to_owned(), "bad_event"),
        (json!({ "event_type": 7 }).to_string(), "bad_event"),
        (json!({ "event_id": 7, "event_type": "session.ping" }).to_string(), "bad_event"),
        (json!({ "event_type": "turn.end" }).to_string(), "unknown_event"),
        (json!({ "event_type": "text.input" }).to_string(), "bad_payload"),
        (input(&json!({ "text": 1 })), "bad_payload"),
        (input(&json!({ "text": " \n\t" })), "empty_text"),
        (input(&json!({ "text": long })), "text_too_long"),
        (input(&json!({ "text": "a", "attachments": many })), "too_many_attachments"),
        (input(&json!({ "text": "a", "attachments": ["a"] })), "unknown_file"),
        (json!({ "event_type": "user.interrupt" }).to_string(), "nothing_to_interrupt"),
    ];

    for (frame, expected) in cases {
        client.send_message(Message::text(frame));
        let complaint = client.next(expected);
        assert_eq!(code(&complaint), expected);
        assert_is_told_to_people(&complaint);
    }

    assert_succeeded(&client.turn("hello"));
}

#[test]
fn a_binary_frame_is_refused_by_name_and_the_talk_goes_on() {
    let house = House::open();
    let mut client = Client::new(&house);

    client.send_message(Message::binary(vec![0_u8; 1024]));

    assert_eq!(code(&client.next("binary_unsupported")), "binary_unsupported");
    assert_succeeded(&client.turn("hello"));
}

#[test]
fn a_frame_that_names_another_session_does_nothing_there_and_is_refused() {
    let house = House::open();
    let (mut mine, mut theirs) = (Client::new(&house), Client::new(&house));
    let other = theirs.session();

    mine.send(&json!({
        "event_id": "evt_astray",
        "event_type": "text.input",
        "session_id": other,
        "payload": { "text": "hello" },
    }));

    let complaint = mine.next("wrong_session");
    assert_eq!(code(&complaint), "wrong_session");
    assert_eq!(complaint["payload"]["in_reply_to"], "evt_astray");
    assert_eq!(theirs.catch_up().1, Vec::<Value>::new());
}

#[test]
fn an_unknown_session_is_closed_with_4404() {
    let house = House::open();
    let unknown = format!("sess_{}", "0".repeat(32));

    let (code, events) = Client::back(&house, &unknown).until_closed();

    assert_eq!((code, events), (Some(4404), vec![]));
}

#[test]
fn a_malformed_id_is_closed_like_one_that_is_not_there() {
    let house = House::open();
    let long = format!("session_id={}", "x".repeat(5_000));
    let known = Client::new(&house).session();
    for query in [
        "session_id=nonsense",
        "session_id=turn_00000000000000000000000000000001",
        "session_id=%FF",
        "thread_id=7",
        &format!("session_id={known}&thread_id=7"),
        &long,
    ] {
        let mut client = Client::at(&house, &format!("?{query}"));
        assert_eq!(client.until_closed(), (Some(4404), Vec::new()), "{query}");
    }
}

#[test]
fn a_malformed_cursor_is_refused_by_name_wherever_it_stands() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    for cursor in ["-1", "1.5", "x", "99999999999999999999999", "%00", "1%20"] {
        for path in [
            format!("/chat/stream?session_id={session}&last_seq={cursor}"),
            format!("/chat/stream?session_id={session}&last_seq=0&epoch={cursor}"),
        ] {
            http::upgrade(&house, &path, &[]).assert_problem(400, "bad_query");
        }
        let list = http::get(&house, &format!("/chat/threads?before={cursor}"));
        list.assert_problem(400, "bad_query");
    }
    for cursor in [json!(-1), json!(1.5), json!("1"), json!([])] {
        for payload in
            [json!({ "epoch": 1, "last_seq": cursor }), json!({ "epoch": cursor, "last_seq": 1 })]
        {
            client.send(&json!({ "event_type": "session.resume", "payload": payload }));
            assert_eq!(code(&client.next("bad_payload")), "bad_payload", "{payload}");
        }
    }
    assert_succeeded(&client.turn("hello"));
}

#[test]
fn an_id_that_is_not_even_text_is_answered_like_one_that_is_not_there() {
    let house = House::open();
    for (path, expected) in [
        ("/chat/threads/%FF", "unknown_thread"),
        ("/chat/threads/%FF/messages", "unknown_thread"),
        ("/chat/threads/%FF/export", "unknown_thread"),
        ("/chat/attachment/%FF", "unknown_file"),
        ("/chat/jobs/%FF", "unknown_job"),
    ] {
        http::get(&house, path).assert_problem(404, expected);
        let plain = http::get(&house, &path.replace("%FF", "nonsense"));
        assert_eq!(http::get(&house, path).body, plain.body, "{path}");
    }
}

/// A message in so many pieces of one byte.
fn in_pieces(message: &[u8]) -> Vec<u8> {
    let last = message.len() - 1;
    let pieces = message.iter().enumerate().flat_map(|(nth, byte)| {
        frame::built(nth == last, if nth == 0 { TEXT } else { CONTINUATION }, &[*byte])
    });
    pieces.collect()
}

#[test]
fn a_message_may_come_in_many_pieces() {
    let house = House::open();
    let mut client = Client::new(&house);
    let hello = input(&json!({ "text": "hello" }));
    for _ in 0..3 {
        client.send_bytes(&in_pieces(hello.as_bytes())).unwrap();
        assert_succeeded(&client.listen("the turn"));
    }
}

#[test]
fn a_message_in_thousands_of_tiny_pieces_is_refused_by_name_and_closed() {
    assert_refused_and_closed(&in_pieces(&[b' '; 5_000]), "too_many_fragments", 1008);
    let mut empty = frame::built(false, TEXT, b"");
    (0..5_000).for_each(|_| empty.extend(frame::built(false, CONTINUATION, b"")));
    assert_refused_and_closed(&empty, "too_many_fragments", 1008);
}

#[test]
fn a_chat_that_is_not_there_is_not_begun_by_its_id() {
    let house = House::open();
    let mut client = Client::at(&house, "?thread_id=thread_00000000000000000000000000000009");
    assert_eq!(client.until_closed(), (Some(4404), Vec::new()));
}

#[test]
fn unknown_parts_of_an_address_are_refused() {
    let house = House::open();
    for query in ["foo=1", "lastseq=3"] {
        let answer = http::upgrade(&house, &format!("/chat/stream?{query}"), &[]);
        answer.assert_problem(400, "bad_query");
    }
}

fn input(payload: &Value) -> String {
    json!({ "event_type": "text.input", "payload": payload }).to_string()
}

fn assert_is_told_to_people(complaint: &Value) {
    let said = complaint["payload"]["user_message"].as_str().unwrap();
    assert!(!said.is_empty(), "{complaint}");
    assert!(complaint["turn_id"].is_null() && complaint["seq"].is_null(), "{complaint}");
}

/// The connection is told by name and closed; the session and others go on.
fn assert_refused_and_closed(bytes: &[u8], expected: &str, close: u16) {
    let house = House::open();
    let (mut bad, mut good) = (Client::new(&house), Client::new(&house));
    let session = bad.session();

    // The server may hang up before it has read it all.
    let _ = bad.send_bytes(bytes);
    let (closed, events) = bad.until_closed();

    let codes: Vec<_> = events.iter().map(code).collect();
    assert_eq!((codes, closed), (vec![expected], Some(close)));
    assert_is_told_to_people(&events[0]);
    assert_succeeded(&good.turn("hello"));
    assert_succeeded(&Client::back(&house, &session).turn("hello"));
}
