//! Chats over HTTP: the list, what was said, names, the end, and copies.

use serde_json::{Value, json};

use crate::client::Client;
use crate::house::House;
use crate::http::{Answer, get, request};
use crate::say_so::{ask_in, confirm, post};

/// Begins a session over HTTP; in a chat that is there, if one is named.
fn start(house: &House, body: &Value) -> Value {
    let answer = post(house, "/chat/session/start", body);
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}")).to_owned()
}

/// A chat in which each of these was said, one turn after the other.
fn chat(house: &House, sentences: &[&str]) -> (String, String) {
    let begun = start(house, &json!({}));
    let (session, thread) = (text(&begun["session_id"]), text(&begun["thread_id"]));
    let mut client = Client::back(house, &session);
    for sentence in sentences {
        client.turn(sentence);
    }
    (session, thread)
}

fn ids(page: &Value) -> Vec<String> {
    page["threads"].as_array().unwrap().iter().map(|it| text(&it["thread_id"])).collect()
}

fn patch(house: &House, thread: &str, body: &Value) -> Answer {
    request(house, "PATCH", &format!("/chat/threads/{thread}"), &[], &body.to_string())
}

fn delete(house: &House, thread: &str) -> Answer {
    request(house, "DELETE", &format!("/chat/threads/{thread}"), &[], "")
}

const NOBODYS: &str = "thread_00000000000000000000000000000009";

#[test]
fn a_session_begins_over_http_and_its_stream_is_where_the_answer_says() {
    let house = House::open();
    let begun = start(&house, &json!({}));

    let url = text(&begun["stream_url"]);
    let session = text(&begun["session_id"]);
    assert_eq!(url, format!("ws://{}/chat/stream?session_id={session}", house.address()));
    assert_eq!((&begun["epoch"], &begun["protocol"]), (&json!(1), &json!(1)));
    assert_eq!(begun["agent"], "assistant");
    let headers = post(&house, "/chat/session/start", &json!({})).headers;
    assert_eq!(headers["cache-control"], "no-store", "the address in it is the asker's own");
    let mut client = Client::back(&house, &session);
    assert!(!client.turn("hello").is_empty());

    let again = start(&house, &json!({ "thread_id": begun["thread_id"], "agent": "assistant" }));
    assert_eq!(again["thread_id"], begun["thread_id"]);
    assert_ne!(again["session_id"], begun["session_id"]);
    let forwarded = [("X-Forwarded-Proto", "https")];
    let behind = request(&house, "POST", "/chat/session/start", &forwarded, "").json();
    assert!(text(&behind["stream_url"]).starts_with("wss://"), "{behind}");
}

#[test]
fn a_session_that_nobody_could_begin_is_refused() {
    let house = House::open();
    let begin = |body: Value| post(&house, "/chat/session/start", &body);
    begin(json!({ "agent": "frontdesk" })).assert_problem(404, "unknown_agent");
    let unknown = begin(json!({ "thread_id": NOBODYS }));
    unknown.assert_problem(404, "unknown_thread");
    assert_eq!(begin(json!({ "thread_id": "../x" })).body, unknown.body);
    begin(json!({ "user_id": "user_1" })).assert_problem(400, "user_in_body");
    begin(json!({ "colour": "red" })).assert_problem(400, "bad_body");
    begin(json!([null, null])).assert_problem(400, "bad_body");
}

#[test]
fn chats_are_listed_newest_first_and_page_by_page() {
    let house = House::open();
    let chats: Vec<_> =
        ["hello", "good morning", "thank you"].map(|said| chat(&house, &[said]).1).into();
    start(&house, &json!({}));

    let page = get(&house, "/chat/threads").json();
    assert_eq!(ids(&page), [&*chats[2], &chats[1], &chats[0]]);
    assert_eq!(page["next"], Value::Null);
    let newest = &page["threads"][0];
    assert_eq!((&newest["title"], &newest["is_named"]), (&json!("thank you"), &json!(false)));
    assert_eq!((&newest["messages"], &newest["sessions"]), (&json!(2), &json!(1)));
    assert_eq!(newest["last_message"]["role"], "assistant");

    let first = get(&house, "/chat/threads?limit=2").json();
    assert_eq!(ids(&first), [&*chats[2], &chats[1]]);
    let rest = format!("/chat/threads?limit=2&before={}", text(&first["next"]));
    let rest = get(&house, &rest).json();
    assert_eq!((ids(&rest), &rest["next"]), (vec![chats[0].clone()], &Value::Null));
    assert_eq!(ids(&get(&house, "/chat/threads?query=MORNING").json()), [&*chats[1]]);
    for bad in ["limit=0", "limit=101", "limit=x", "before=yesterday", "colour=red"] {
        get(&house, &format!("/chat/threads?{bad}")).assert_problem(400, "bad_query");
    }
}

#[test]
fn what_was_said_is_paged_from_its_end() {
    let house = House::open();
    let (_, thread) = chat(&house, &["hello", "thank you"]);
    let path = format!("/chat/threads/{thread}/messages");

    let all = get(&house, &path).json();
    let all = all["messages"].as_array().unwrap();
    let roles: Vec<_> = all.iter().map(|it| text(&it["role"])).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    assert_eq!(all[2]["text"], "thank you");

    let (mut pages, mut before) = (Vec::new(), String::new());
    loop {
        let page = get(&house, &format!("{path}?limit=3{before}")).json();
        pages.splice(0..0, page["messages"].as_array().unwrap().iter().cloned());
        match page["next"].as_str() {
            Some(next) => before = format!("&before={next}"),
            None => break,
        }
    }
    assert_eq!(&pages, all);
    let elsewhere = format!("{path}?before=msg_00000000000000000000000000000009");
    get(&house, &elsewhere).assert_problem(404, "unknown_message");
}

#[test]
fn what_was_said_is_found_again_with_where_it_is() {
    let house = House::open();
    let (session, thread) = chat(&house, &["What meetings do I have tomorrow?"]);
    chat(&house, &["hello"]);

    let found = get(&house, "/chat/search?q=TOMORROW%20meetings").json();
    let hits = found["found"].as_array().unwrap();
    let hit = hits.iter().find(|hit| hit["role"] == "user").unwrap();
    assert_eq!((&hit["thread_id"], &hit["session_id"]), (&json!(thread), &json!(session)));
    assert_eq!(hit["snippet"], "What meetings do I have tomorrow?");
    assert_eq!(hit["thread_title"], "What meetings do I have tomorrow?");
    assert!(hits.iter().all(|hit| hit["thread_id"] == thread.as_str()), "{found}");
    let nothing = get(&house, "/chat/search?q=xylophone").json();
    assert_eq!(nothing, json!({ "found": [], "next": null }));
    for bad in ["", "?q=", "?q=%20", "?q=a&limit=1000"] {
        get(&house, &format!("/chat/search{bad}")).assert_problem(400, "bad_query");
    }
}

#[test]
fn a_chat_is_called_what_its_person_calls_it() {
    let mut house = House::open();
    let (_, thread) = chat(&house, &["hello"]);

    let named = patch(&house, &thread, &json!({ "title": "  Greetings & co  " }));

    assert_eq!(named.status, 200, "{}", named.body);
    let named = named.json();
    assert_eq!((&named["title"], &named["is_named"]), (&json!("Greetings & co"), &json!(true)));
    house.kill_hard();
    house.restart();
    let listed = get(&house, "/chat/threads?query=greetings").json();
    assert_eq!(listed["threads"][0], named);
    assert_eq!(get(&house, &format!("/chat/threads/{thread}")).json(), named);
    let turned = json!("a\u{202e}b");
    for bad in [json!(""), json!("  "), json!("two\nlines"), json!("x".repeat(121)), turned] {
        patch(&house, &thread, &json!({ "title": bad })).assert_problem(400, "bad_title");
    }
    patch(&house, &thread, &json!({})).assert_problem(400, "bad_body");
}

#[test]
fn a_chat_in_which_a_card_waits_says_until_when_and_no_other_does() {
    let house = House::open();
    let (_, quiet) = chat(&house, &["hello"]);
    let (session, thread) = chat(&house, &["hello"]);
    let waits_until = |thread: &str| {
        let page = get(&house, "/chat/threads").json();
        let listed = page["threads"].as_array().unwrap().clone();
        let row = listed.into_iter().find(|it| it["thread_id"] == *thread).unwrap();
        row["waits_until"].clone()
    };
    assert_eq!(waits_until(&thread), Value::Null);

    let card = ask_in(&house, &session, "Undecided");
    assert!(waits_until(&thread).as_str().is_some_and(|at| at.contains('T')));
    assert_eq!(waits_until(&quiet), Value::Null);

    assert_eq!(confirm(&house, &card, "reject", json!({})).status, 200);
    assert_eq!(waits_until(&thread), Value::Null);
}

#[test]
fn a_chat_with_an_open_card_stays_and_goes_once_it_is_answered() {
    let house = House::open();
    let (session, thread) = chat(&house, &["hello"]);
    let mut client = Client::back(&house, &session);
    client.session();
    let card = ask_in(&house, &session, "Undecided");

    delete(&house, &thread).assert_problem(409, "card_open");
    assert_eq!(confirm(&house, &card, "reject", json!({})).status, 200);
    assert_eq!(delete(&house, &thread).status, 204);

    assert_eq!(client.until_closed().0, Some(4404), "whoever has it on the screen is told");
    assert_eq!(Client::back(&house, &session).until_closed().0, Some(4404));
    assert_eq!(ids(&get(&house, "/chat/threads").json()), Vec::<String>::new());
    assert_eq!(get(&house, "/chat/search?q=hello").json()["found"], json!([]));
}

#[test]
fn a_deleted_chat_an_unknown_one_and_a_malformed_id_are_alike() {
    let house = House::open();
    let (_, thread) = chat(&house, &["hello"]);
    assert_eq!(delete(&house, &thread).status, 204);

    let answers = |id: &str| {
        let path = format!("/chat/threads/{id}");
        [
            get(&house, &path),
            get(&house, &format!("{path}/messages")),
            get(&house, &format!("{path}/export")),
            get(&house, &format!("{path}/export?format=markdown")),
            patch(&house, id, &json!({ "title": "x" })),
            delete(&house, id),
            post(&house, "/chat/session/start", &json!({ "thread_id": id })),
        ]
        .map(|answer| (answer.status, answer.body))
    };
    let deleted = answers(&thread);
    assert!(deleted.iter().all(|(status, _)| *status == 404), "{deleted:?}");
    assert_eq!(deleted, answers(NOBODYS));
    assert_eq!(deleted, answers("x"));
}

#[test]
fn the_audit_keeps_what_was_done_in_a_chat_that_is_gone() {
    let house = House::open();
    let (session, thread) = chat(&house, &["hello"]);
    let card = ask_in(&house, &session, "On record");
    assert_eq!(confirm(&house, &card, "reject", json!({})).status, 200);
    assert_eq!(delete(&house, &thread).status, 204);

    let ran = crate::house::run(&["audit", "--data", &house.data(), "--json"]);

    assert!(ran.out.contains(&card.id), "{}", ran.out);
    let last: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["what"], &last["session"]), (&json!("session_deleted"), &json!(session)));
}

#[test]
fn a_chat_can_be_copied_for_programs_and_for_people() {
    let house = House::open();
    let (_, thread) = chat(&house, &["hello"]);
    let path = format!("/chat/threads/{thread}/export");

    let whole = get(&house, &path);
    let saved_as = format!("attachment; filename=\"{thread}.json\"");
    assert_eq!(whole.headers["content-disposition"], saved_as);
    let whole = whole.json();
    assert_eq!((&whole["thread_id"], &whole["title"]), (&json!(thread), &json!("hello")));
    assert_eq!(whole["messages"][0]["text"], "hello");
    assert_eq!(whole["has_more"], false);

    let read = get(&house, &format!("{path}?format=markdown"));
    assert_eq!(read.headers["content-type"], "text/markdown; charset=utf-8");
    assert!(read.body.starts_with("# hello\n\n**You**, "), "{}", read.body);
    assert!(read.body.contains("\n> hello\n\n**Sayso**, "), "{}", read.body);
    get(&house, &format!("{path}?format=pdf")).assert_problem(400, "bad_query");
}

#[test]
fn a_chat_of_any_length_is_copied_whole() {
    let mut house = House::open();
    let (session, thread) = chat(&house, &["hello"]);
    assert!(house.stop().success());
    let db = rusqlite::Connection::open(format!("{}/sayso.db", house.data())).unwrap();
    let more = 12_000_u32;
    db.execute(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
         INSERT INTO events (session_id, seq, epoch, event_type, body)
         SELECT session_id, 100000 + n, epoch, event_type, json_set(body, '$.seq', 100000 + n,
             '$.message_id', printf('msg_%032x', n), '$.payload.text', 'number ' || n)
         FROM numbers, events WHERE session_id = ?1 AND event_type = 'assistant_text.final'",
        rusqlite::params![session, more],
    )
    .unwrap();
    db.execute(
        "UPDATE sessions SET messages = messages + ?1, last_seq = 200000,
        reserved_seq = 200000",
        [more],
    )
    .unwrap();
    drop(db);
    house.restart();

    let whole = get(&house, &format!("/chat/threads/{thread}/export")).json();

    let messages = whole["messages"].as_array().unwrap();
    let more = usize::try_from(more).unwrap();
    assert_eq!(messages.len(), more + 2);
    assert_eq!(messages[0]["text"], "hello");
    assert_eq!(messages[more + 1]["text"], format!("number {more}"));
    let lines = get(&house, &format!("/chat/threads/{thread}/export?format=jsonl")).body;
    assert!(lines.lines().count() > more + 2);
    let deleted = delete(&house, &thread);
    assert_eq!(deleted.status, 204, "{}", deleted.body);
    let db = rusqlite::Connection::open(format!("{}/sayso.db", house.data())).unwrap();
    let left = db.query_row("SELECT count(*) FROM events", [], |row| row.get::<_, i64>(0));
    assert_eq!(left.unwrap(), 0);
}
