//! What is in the file when something goes wrong halfway: all of it or nothing.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};
use tools::{Found, Personal, ToolError};

use crate::world::{Agreed, World, user};

const SEND: &str = "gmail.send";
/// Where the process that is to be stopped finds its file.
const FILE: &str = "SAYSO_TEST_STOPPED_FILE";
const MAILS: u128 = 400;

/// A reply whose draft is the one of step `number`.
async fn reply(world: &World, number: u128) -> Agreed<'_> {
    let step = world.with_key(&format!("draft {number}"));
    let args = json!({ "message_id": "q4-numbers.4", "intent": format!("yes {number}") });
    let draft = step.call("gmail.draft_reply", args).await.unwrap();
    let mut send = json!({ "to": [draft["to"][0]["address"]] });
    for field in ["draft_id", "subject", "body", "thread_id", "in_reply_to"] {
        send[field] = draft[field].clone();
    }
    world.agree(SEND, send).await
}

/// Is it sent, and is its draft gone? Fails if the file says both yes and no.
async fn is_sent(world: &World, agreed: &Agreed<'_>, number: u128) -> bool {
    let draft = world.found("in:drafts").await.contains(&id(&agreed.payload["draft_id"]));
    match agreed.found(number).await {
        Found::Done(sent) => {
            assert!(!draft, "{number} was sent, but its draft is still there");
            assert_eq!(world.open(&id(&sent["message_id"])).await.message.labels, ["sent"]);
            true
        }
        Found::Absent => {
            assert!(draft, "{number} was not sent, but its draft is gone");
            false
        }
        Found::Unclear => panic!("a file on this machine can always say"),
    }
}

fn id(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_write_that_fails_halfway_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let world = World::sample_at(&path).await;
    let agreed = reply(&world, 1).await;
    let hand = Connection::open(&path).unwrap();
    for broken in [
        "CREATE TRIGGER broken BEFORE INSERT ON mails BEGIN SELECT RAISE(ABORT, 'x'); END",
        "CREATE TRIGGER broken BEFORE DELETE ON mails BEGIN SELECT RAISE(ABORT, 'x'); END",
        "CREATE TRIGGER broken BEFORE INSERT ON written BEGIN SELECT RAISE(ABORT, 'x'); END",
    ] {
        hand.execute_batch(broken).unwrap();
        let error = agreed.done(1).await.unwrap_err();
        assert!(matches!(error, ToolError::NotReached { .. }), "{error}");
        assert!(!is_sent(&world, &agreed, 1).await);
        hand.execute_batch("DROP TRIGGER broken").unwrap();
    }
    agreed.done(1).await.unwrap();
    assert!(is_sent(&world, &agreed, 1).await);
}

#[tokio::test]
async fn a_commit_that_fails_leaves_doubt_until_somebody_looks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let world = World::sample_at(&path).await;
    let agreed = reply(&world, 1).await;
    let hand = Connection::open(&path).unwrap();
    // A promise that is looked at only when all is committed.
    hand.execute_batch(
        "CREATE TABLE parents (id INTEGER PRIMARY KEY);
         CREATE TABLE children (parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
         CREATE TRIGGER broken AFTER INSERT ON written BEGIN INSERT INTO children VALUES (1); END",
    )
    .unwrap();

    let error = agreed.done(1).await.unwrap_err();

    assert!(matches!(error, ToolError::Transient { .. }), "{error}");
    assert!(!is_sent(&world, &agreed, 1).await);
    hand.execute_batch("DROP TRIGGER broken").unwrap();
    agreed.done(1).await.unwrap();
    assert!(is_sent(&world, &agreed, 1).await);
}

#[tokio::test]
async fn a_file_that_somebody_else_holds_was_never_reached() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let world = World::sample_at(&path).await;
    let agreed = reply(&world, 1).await;
    let hand = Connection::open(&path).unwrap();
    hand.execute_batch("BEGIN IMMEDIATE").unwrap();

    let error = agreed.done(1).await.unwrap_err();

    assert!(matches!(error, ToolError::NotReached { .. }), "{error}");
    assert!(!is_sent(&world, &agreed, 1).await);
    hand.execute_batch("ROLLBACK").unwrap();
    agreed.done(1).await.unwrap();
}

/// Does nothing unless [`a_process_that_is_killed_leaves_no_half_a_mail`] starts it.
#[tokio::test]
async fn a_process_sends_until_it_is_stopped() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let world = World::sample_at(Path::new(&path)).await;
    for number in 1..=MAILS {
        reply(&world, number).await.done(number).await.unwrap();
    }
}

#[tokio::test]
async fn a_process_that_is_killed_leaves_no_half_a_mail() {
    let mut sent = 0;
    for wait_ms in [60, 140, 230, 370] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("personal.db");
        drop(World::sample_at(&path).await);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::a_process_sends_until_it_is_stopped", "--quiet"])
            .env(FILE, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
        child.kill().unwrap();
        child.wait().unwrap();

        let world = World::sample_at(&path).await;
        let begun =
            u128::from(world.search("\"yes\" in:anywhere subject:\"q4 numbers\"").await.total);
        for number in 1..=begun.min(MAILS) {
            // Drafting again finds the draft under its key, also when it is gone.
            let agreed = reply(&world, number).await;
            sent += u32::from(is_sent(&world, &agreed, number).await);
            agreed.done(number).await.unwrap();
            assert!(is_sent(&world, &agreed, number).await);
        }
    }
    assert!(sent > 0, "it was stopped before it began");
}

/// Does nothing unless [`a_process_that_is_killed_leaves_no_half_a_memory`] starts it.
#[tokio::test]
async fn a_process_remembers_until_it_is_stopped() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let world = World::sample_at(Path::new(&path)).await;
    for number in 1..=MAILS {
        remember(&world, number).await.unwrap();
        if number % 3 == 0 {
            forget(&world, number).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_process_that_is_killed_leaves_no_half_a_memory() {
    let mut kept = 0;
    for wait_ms in [90, 180, 310] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("personal.db");
        drop(World::sample_at(&path).await);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::a_process_remembers_until_it_is_stopped", "--quiet"])
            .env(FILE, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
        child.kill().unwrap();
        child.wait().unwrap();

        let world = World::sample_at(&path).await;
        let found = world.recall("").await.total;
        assert_eq!(found, world.recall("numbered").await.total);
        is_sound(&path);
        for number in 1..=u128::from(found) {
            remember(&world, number).await.unwrap();
        }
        is_sound(&path);
        kept += found;
    }
    assert!(kept > 0, "it was stopped before it began");
}

#[tokio::test]
async fn a_memory_that_fails_halfway_is_neither_kept_nor_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let world = World::sample_at(&path).await;
    remember(&world, 1).await.unwrap();
    let hand = Connection::open(&path).unwrap();
    for at in ["INSERT ON memories", "DELETE ON memories", "INSERT ON written"] {
        let broken =
            format!("CREATE TRIGGER broken BEFORE {at} BEGIN SELECT RAISE(ABORT, 'x'); END");
        hand.execute_batch(&broken).unwrap();
        let failed = match at {
            "DELETE ON memories" => forget(&world, 1).await,
            _ => remember(&world, 2).await,
        };
        let error = failed.unwrap_err();
        assert!(matches!(error, ToolError::NotReached { .. }), "{at}: {error}");
        assert_eq!(world.recall("numbered").await.total, 1, "{at}");
        hand.execute_batch("DROP TRIGGER broken").unwrap();
        is_sound(&path);
    }
    remember(&world, 2).await.unwrap();
    forget(&world, 1).await.unwrap();
    assert_eq!(world.recall("numbered").await.total, 1);
}

async fn remember(world: &World, number: u128) -> Result<Value, ToolError> {
    let args = json!({ "memory": format!("The fact that is numbered f{number}x") });
    world.agree("memory.write", args).await.done(number).await
}

async fn forget(world: &World, number: u128) -> Result<Value, ToolError> {
    let found = world.recall(&format!("f{number}x")).await.memories.remove(0);
    let agreed = world.agree("memory.forget", json!({ "memory_id": found.memory_id })).await;
    agreed.done(MAILS + number).await
}

/// The words that can be looked for are those of the memories.
fn is_sound(path: &Path) {
    let hand = Connection::open(path).unwrap();
    let check = "INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)";
    hand.execute(check, []).unwrap();
}

#[tokio::test]
async fn a_file_of_the_first_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(include_str!("../../src/local/migrations/0001_first.sql")).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    let sql = "INSERT INTO contacts VALUES (?1, 'ana@x.example', 'Ana Ruiz', '[]')";
    old.execute(sql, [user(1).to_string()]).unwrap();
    drop(old);

    let world = World::sample_at(&path).await;

    let contacts = Personal::open(&path).unwrap().contacts(user(1)).await.unwrap();
    assert!(contacts.iter().any(|contact| contact.address == "ana@x.example"));
    let agreed = reply(&world, 1).await;
    agreed.done(1).await.unwrap();
    assert!(is_sent(&world, &agreed, 1).await);
}
