//! What is too old is taken out, and what is not stays.

use std::path::Path;
use std::time::Instant;

use brain::audit::Line;
use rusqlite::Connection;
use serde_json::json;
use store::Audit;
use store::sqlite::SqliteStore;
use tempfile::TempDir;
use testkit::store_contract::cards::PERSON;

use crate::attachment::once_read;
use crate::client::Client;
use crate::house::{HOME, House, PATIENCE, data, run};
use crate::http::{get, request};
use crate::rights::assert_nowhere;
use crate::say_so::{ask, confirm, post};

const OLD: &str = "zanzibarquokka";
const YOUNG: &str = "timbuktunumbat";

/// A chat in which this was said, its session and its thread.
fn chat(house: &House, word: &str) -> (String, String) {
    let begun = post(house, "/chat/session/start", &json!({})).json();
    let text = |name: &str| begun[name].as_str().unwrap().to_owned();
    let (session, thread) = (text("session_id"), text("thread_id"));
    Client::back(house, &session).turn(&format!("any new mail about {word}?"));
    (session, thread)
}

/// Makes a session look as if all of it had happened years ago.
fn age(house: &House, session: &str) {
    let db = Connection::open(format!("{}/sayso.db", house.data())).unwrap();
    let old = 1_577_836_800_000_000_i64;
    for sql in [
        "UPDATE events SET body = json_set(body, '$.ts', '2020-01-01T00:00:00Z')
             WHERE session_id = ?1 AND ?2 > 0",
        "UPDATE turns SET started_at = ?2, ended_at = ?2 WHERE session_id = ?1",
        "UPDATE sessions SET created_at = ?2, said_at = ?2 WHERE session_id = ?1",
        "UPDATE files SET created_at = ?2 WHERE ?1 IS NOT NULL",
    ] {
        db.execute(sql, rusqlite::params![session, old]).unwrap();
    }
}

#[test]
fn old_chats_and_files_go_and_young_ones_stay() {
    let mut house = House::open();
    let (old, _) = chat(&house, OLD);
    let form = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{OLD}.txt\"\r\n\r\n\
         {OLD}\r\n--edge--\r\n"
    );
    let kind = [("Content-Type", "multipart/form-data; boundary=edge")];
    let file = request(&house, "POST", "/chat/attachment/upload", &kind, &form);
    assert_eq!(file.status, 201, "{}", file.body);
    let read = once_read(&house, file.json()["file_id"].as_str().unwrap());
    assert_eq!(read["state"], "ready", "so that what was read has to go too");
    assert!(house.stop().success());
    age(&house, &old);
    house.set("SAYSO_RETENTION_MESSAGES_DAYS", "30");
    house.set("SAYSO_RETENTION_FILES_DAYS", "30");

    house.restart();
    let (_, young) = chat(&house, YOUNG);

    assert_nowhere(&house.data(), OLD);
    let listed = get(&house, "/chat/threads").json();
    let threads = listed["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 1, "{listed}");
    assert_eq!(threads[0]["thread_id"], json!(young));
    let path = format!("/chat/attachment/{}", file.json()["file_id"].as_str().unwrap());
    get(&house, &path).assert_problem(404, "unknown_file");
}

#[tokio::test]
async fn the_audit_is_cut_at_its_beginning_and_still_holds() {
    let folder = TempDir::new().unwrap();
    let place = data(folder.path());
    std::fs::create_dir(&place).unwrap();
    let store = SqliteStore::open(&Path::new(&place).join("sayso.db")).unwrap();
    for _ in 0..3 {
        let line = Line::new("2020-01-01T00:00:00Z".parse().unwrap(), PERSON, "asked");
        store.note(line).await.unwrap();
    }
    drop(store);

    let env = vec![("SAYSO_RETENTION_AUDIT_DAYS", "30".to_owned())];
    let house = House::open_in(folder, HOME, env);
    let card = ask(&house, "first");
    assert_eq!(confirm(&house, &card, "reject", json!({})).status, 200);

    let until = Instant::now() + PATIENCE;
    let lines = loop {
        let lines = run(&["audit", "--data", &place]).out;
        if lines.contains("audit_cut") {
            break lines;
        }
        assert!(Instant::now() < until, "it is never cut: {lines}");
    };
    assert!(!lines.contains("2020-01-01") && lines.contains("rejected"), "{lines}");
    let verified = run(&["audit", "verify", "--data", &place]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("the first 3 were let go"), "{}", verified.out);
    let doctor = run(&["doctor", "--data", &place]);
    assert!(doctor.out.contains("✓ audit"), "{}", doctor.out);
}
