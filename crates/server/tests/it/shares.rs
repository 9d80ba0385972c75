//! What one person holds or wears out, nobody else misses.

use std::io::Write;
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::client::Client;
use crate::doors::{Key, asking};
use crate::house::House;
use crate::http::{Answer, answered, request, upgrade};
use crate::say_so::refusals;

fn as_key(house: &House, key: &Key, method: &str, path: &str, body: &Value) -> Answer {
    request(house, method, path, &[("Authorization", &key.bearer())], &body.to_string())
}

fn open(house: &House, key: &Key, query: &str) -> Client {
    Client::showing(house, query, &[("Authorization", &key.bearer())]).0
}

fn open_too_many(house: &House, key: &Key, query: &str) -> Answer {
    upgrade(house, &format!("/chat/stream{query}"), &[("Authorization", &key.bearer())])
}

/// Says when to come again, to browsers and to programs.
fn assert_told_when(answer: &Answer, code: &str) {
    answer.assert_problem(429, code);
    assert!(answer.headers["retry-after"].parse::<u64>().unwrap() >= 1);
    assert!(answer.json()["error"]["retry_after_ms"].as_u64().unwrap() >= 1);
}

#[test]
fn a_person_has_so_many_connections_and_somebody_else_theirs() {
    let (house, ana, ben) =
        asking(&[("SAYSO_LIMITS_CONNECTIONS", "4"), ("SAYSO_LIMITS_CONNECTIONS_PER_PERSON", "2")]);
    let mut first = open(&house, &ana, "");
    let _second = open(&house, &ana, &format!("?session_id={}", first.session()));

    assert_told_when(&open_too_many(&house, &ana, ""), "too_many_connections");

    let _theirs = [open(&house, &ben, ""), open(&house, &ben, "")];
    // Who leaves makes room for themselves.
    drop(first);
    crate::say_so::eventually("a free place", || open_too_many(&house, &ana, "").status == 101);
}

#[test]
fn a_session_has_so_many_connections() {
    let (house, ana, _) = asking(&[("SAYSO_LIMITS_CONNECTIONS_PER_SESSION", "1")]);
    let query = format!("?session_id={}", open(&house, &ana, "").session());
    let mut stays = open(&house, &ana, &query);
    stays.session();

    assert_told_when(&open_too_many(&house, &ana, &query), "too_many_connections");

    open(&house, &ana, "").session();
}

const FORM: &str = "--edge\r\nContent-Disposition: form-data; name=\"file\"; \
                    filename=\"a.txt\"\r\n\r\nhello\r\n--edge--\r\n";

fn upload(house: &House, key: &Key) -> String {
    format!(
        "POST /chat/attachment/upload HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Authorization: {}\r\nContent-Type: multipart/form-data; boundary=edge\r\n\
         Content-Length: {}\r\n\r\n{FORM}",
        house.address(),
        key.bearer(),
        FORM.len()
    )
}

#[test]
fn files_that_never_come_hold_up_nobody_else() {
    let (house, ana, ben) = asking(&[("SAYSO_LIMITS_UPLOADS_PER_PERSON", "1")]);
    let whole = upload(&house, &ana);
    let mut slow = TcpStream::connect(house.address()).unwrap();
    slow.write_all(&whole.as_bytes()[..whole.len() - 10]).unwrap();
    let uploads = format!("{}/uploads", house.data());
    crate::say_so::eventually("a file on its way", || {
        std::fs::read_dir(&uploads).unwrap().count() == 1
    });

    assert_told_when(&answered(&house, whole.as_bytes()), "too_many_uploads");

    assert_eq!(answered(&house, upload(&house, &ben).as_bytes()).status, 201);
}

#[test]
fn a_person_has_so_many_files_however_small() {
    let (house, ana, ben) = asking(&[("SAYSO_LIMITS_UPLOAD_FILES", "1")]);
    assert_eq!(answered(&house, upload(&house, &ana).as_bytes()).status, 201);
    answered(&house, upload(&house, &ana).as_bytes()).assert_problem(413, "quota_full");
    assert_eq!(answered(&house, upload(&house, &ben).as_bytes()).status, 201);
}

#[test]
fn who_answers_cards_that_are_not_there_is_not_put_on_record_for_ever() {
    let (house, ana, ben) = asking(&[("SAYSO_LIMITS_CHANGES_PER_MINUTE", "1")]);
    let junk = json!({ "session_id": "x", "confirmation_request_id": "x", "decision": "accept" });
    let confirm = |key| as_key(&house, key, "POST", "/chat/confirm", &junk);
    let answers: Vec<_> = (0..20).map(|_| confirm(&ana)).collect();

    assert_told_when(answers.last().unwrap(), "rate_limit");
    let refused = answers.iter().filter(|answer| answer.status == 404).count();
    assert!((4..10).contains(&refused), "{refused}");
    confirm(&ben).assert_problem(404, "unknown_confirmation");
    assert_eq!(refusals(&house).len(), refused + 1);
}

#[test]
fn who_reads_without_end_waits_and_nobody_else_does() {
    let (house, ana, ben) = asking(&[("SAYSO_LIMITS_READS_PER_MINUTE", "1")]);
    let read = |key| as_key(&house, key, "GET", "/chat/threads", &json!({}));
    let answers: Vec<_> = (0..20).map(|_| read(&ana)).collect();

    assert_eq!(answers[0].status, 200);
    assert_told_when(answers.last().unwrap(), "rate_limit");
    assert_eq!(read(&ben).status, 200);
}

#[test]
fn sessions_that_nobody_uses_have_an_end() {
    let (house, ana, ben) = asking(&[("SAYSO_LIMITS_UNUSED_SESSIONS", "2")]);
    let start = |key| as_key(&house, key, "POST", "/chat/session/start", &json!({}));
    let first = start(&ana).json()["session_id"].as_str().unwrap().to_owned();
    assert_eq!(start(&ana).status, 201);

    assert_told_when(&start(&ana), "too_many_sessions");
    assert_told_when(&open_too_many(&house, &ana, ""), "too_many_sessions");
    assert_eq!(start(&ben).status, 201);

    open(&house, &ana, &format!("?session_id={first}")).turn("hello");
    assert_eq!(start(&ana).status, 201, "one of them is used now");
}

#[test]
fn one_sentence_is_heard_beside_somebody_who_never_stops() {
    let (house, ana, ben) = asking(&[("SAYSO_LIMITS_TEXT_PER_MINUTE", "1")]);
    let mut loud = open(&house, &ana, "");
    // More than everybody at this address has together.
    for _ in 0..60 {
        loud.say("hello");
    }
    loud.session();

    let turn = open(&house, &ben, "").turn("hello");

    assert!(turn.iter().any(|event| event["event_type"] == "turn.end"));
}

#[test]
fn who_comes_back_again_and_again_waits_and_nobody_else_does() {
    let (house, ana, ben) = asking(&[("SAYSO_LIMITS_RETURNS_PER_MINUTE", "1")]);
    let back = |key: &Key| format!("?session_id={}", open(&house, key, "").session());
    let (hers, his) = (back(&ana), back(&ben));

    // One a minute in a session, four for a person.
    open(&house, &ana, &hers).session();
    for _ in 0..3 {
        assert_eq!(open(&house, &ana, &hers).until_closed().0, Some(1013));
    }
    let refused = open_too_many(&house, &ana, &hers);
    assert_told_when(&refused, "rate_limit");
    assert_eq!(refused.json()["error"]["scope"], "replay");

    let mut honest = open(&house, &ben, &his);
    honest.session();
    honest.send(&json!({ "event_type": "session.resume", "event_id": "evt_1" }));
    let told = honest.until("rate_limit", |event| event["event_type"] == "rate_limit");
    let payload = &told.last().unwrap()["payload"];
    assert_eq!((&payload["scope"], &payload["in_reply_to"]), (&json!("replay"), &json!("evt_1")));
}

#[test]
fn somebody_comes_back_at_once_beside_one_who_reads_a_long_past_over_and_over() {
    let (house, eve, ana) = asking(&[("SAYSO_LIMITS_RETURNS_PER_MINUTE", "0")]);
    let mut long = open(&house, &eve, "");
    for _ in 0..50 {
        long.turn("hello");
    }
    let past = format!("?session_id={}&last_seq=0", long.session());
    let hers = {
        let mut client = open(&house, &ana, "");
        client.turn("hello");
        format!("?session_id={}&last_seq=0", client.session())
    };
    let _abuse: Vec<_> = (0..15).map(|_| open(&house, &eve, &past)).collect();
    let caught_up = open(&house, &ana, &hers)
        .until("session.resumed", |event| event["event_type"] == "session.resumed");
    assert!(caught_up.len() > 3, "{caught_up:?}");
}
