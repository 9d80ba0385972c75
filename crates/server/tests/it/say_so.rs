//! Cards and what comes of them, in few words.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::client::Client;
use crate::event::kind;
use crate::house::{House, PATIENCE};
use crate::http::{Answer, request};

/// Somebody in the sample address book.
pub const PRIYA: &str = "priya.nair@brightloom.example";

/// A mail that waits for a yes.
pub struct Asked {
    pub session: String,
    pub id: String,
    pub subject: String,
}

pub fn post(house: &House, path: &str, body: &Value) -> Answer {
    request(house, "POST", path, &[], &body.to_string())
}

/// A card for a mail with this subject, in a session of its own.
pub fn ask(house: &House, subject: &str) -> Asked {
    asked(house, &mail(subject), subject)
}

/// A card for a mail with this subject, in a session that is there.
pub fn ask_in(house: &House, session: &str, subject: &str) -> Asked {
    let mut wanted = mail(subject);
    wanted["session_id"] = session.into();
    asked(house, &wanted, subject)
}

pub fn mail(subject: &str) -> Value {
    let args = json!({ "to": [PRIYA], "subject": subject, "body": "Thursday works." });
    json!({ "tool_name": "gmail.send", "args": args })
}

fn asked(house: &House, wanted: &Value, subject: &str) -> Asked {
    let answer = post(house, "/tools/run", wanted);
    assert_eq!(answer.status, 202, "{}", answer.body);
    let body = answer.json();
    let text =
        |name: &str| body[name].as_str().unwrap_or_else(|| panic!("{name}: {body}")).to_owned();
    assert_eq!(body["revision"], 1);
    Asked {
        session: text("session_id"),
        id: text("confirmation_request_id"),
        subject: subject.to_owned(),
    }
}

/// `POST /chat/confirm` about a card, with more fields where there are any.
pub fn confirm(house: &House, card: &Asked, decision: &str, more: Value) -> Answer {
    let mut body = json!({
        "session_id": card.session,
        "confirmation_request_id": card.id,
        "decision": decision,
    });
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    post(house, "/chat/confirm", &body)
}

/// `confirm.response` about a card.
pub fn response(card: &str, decision: &str, more: Value) -> Value {
    static FRAMES: AtomicU64 = AtomicU64::new(1);
    let mut payload = json!({ "confirmation_request_id": card, "decision": decision });
    if let (Some(payload), Value::Object(more)) = (payload.as_object_mut(), more) {
        payload.extend(more);
    }
    let event_id = format!("evt_{decision}_{}", FRAMES.fetch_add(1, Ordering::Relaxed));
    json!({ "event_id": event_id, "event_type": "confirm.response", "payload": payload })
}

/// What was sent with this subject, as the mailbox tells it.
pub fn sent(house: &House, subject: &str) -> Vec<Value> {
    let args = json!({ "query": "in:sent", "max_results": 50 });
    let answer = post(house, "/tools/run", &json!({ "tool_name": "gmail.search", "args": args }));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let found = answer.json()["output"]["messages"].as_array().expect("messages").clone();
    found.into_iter().filter(|mail| mail["subject"] == subject).collect()
}

/// It is sent once, and nothing is left that could send it again.
pub fn assert_sent_once(house: &House, subject: &str) {
    eventually(subject, || !sent(house, subject).is_empty());
    until_settled(house);
    assert_eq!(sent(house, subject).len(), 1, "{subject}");
}

pub fn assert_not_sent(house: &House, subject: &str) {
    until_settled(house);
    assert_eq!(sent(house, subject).len(), 0, "{subject}");
}

/// Waits until everything that anybody said yes to is over. A yes is on record before
/// it is carried out, so nothing comes later than that.
fn until_settled(house: &House) {
    let file = std::path::Path::new(&house.data()).join("sayso.db");
    let record = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    record.busy_timeout(PATIENCE).unwrap();
    let open = "SELECT count(*) FROM actions WHERE settled = 0";
    eventually("the end of every write", || {
        record.query_row(open, [], |row| row.get::<_, u32>(0)).unwrap() == 0
    });
}

pub fn eventually(what: &str, holds: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < until, "waited {PATIENCE:?} for {what}");
        sleep(Duration::from_millis(20));
    }
}

/// Everything up to the first event of a kind.
pub fn until(client: &mut Client, wanted: &str) -> Vec<Value> {
    client.until(wanted, |event| kind(event) == wanted)
}

/// What the audit says was refused, and why.
pub fn refusals(house: &House) -> Vec<String> {
    let ran = crate::house::run(&["audit", "--json", "--data", &house.data()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines
        .filter(|line| line["what"] == "answer_refused")
        .map(|line| line["why"].as_str().unwrap_or_default().to_owned())
        .collect()
}
