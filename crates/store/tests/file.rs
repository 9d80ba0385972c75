//! What the SQLite file promises beyond the contract of every store.

use std::path::{Path, PathBuf};

use brain::audit::{Broken, Check, Line, origin, seal};
use brain::confirmation::ConfirmationState;
use brain::ids::Uuid;
use brain::{SessionId, ThreadId, TurnId, TurnState};
use rusqlite::Connection;
use store::sqlite::SqliteStore;
use store::{
    Actions, Audit, Batch, Confirmations, EventLog, Keeping, NewSession, Sessions, StoreError,
    ThreadPage, Threads, TurnRow, Turns,
};
use tempfile::TempDir;
use testkit::store_contract::cards::{PERSON, after, agreed, answered, asked, line, whole_audit};

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sayso.db");
    (folder, path)
}

fn new_session(number: u128) -> NewSession {
    NewSession {
        session: SessionId(Uuid::from_u128(number)),
        user: PERSON,
        agent: "assistant".into(),
        thread: ThreadId(Uuid::from_u128(number)),
        created_at: after(0),
    }
}

/// A file as the first release left it: one session in the middle of a turn.
fn file_of_the_first_release(path: &Path) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(include_str!("../migrations/sqlite/0001_house.sql")).unwrap();
    let (session, turn) = (new_session(7).session, TurnId(Uuid::from_u128(8)));
    let id = "00000000000000000000000000000001";
    connection
        .execute_batch(&format!(
            "INSERT INTO sessions VALUES
                 ('{session}', '{PERSON}', 'assistant', 'thread_{id}', 1, 3, 5, 1024);
             INSERT INTO turns (turn_id, session_id, input_mode, state, trace_id, request_id,
                 started_at, turn_seq)
             VALUES ('{turn}', '{session}', 'text', 'thinking', 'trace_{id}', 'req_{id}', 1, 4);
             PRAGMA user_version = 1;"
        ))
        .unwrap();
}

#[tokio::test]
async fn what_was_said_in_the_first_release_is_listed_as_a_chat() {
    let (_folder, path) = place();
    file_of_the_first_release(&path);
    let (session, id) = (new_session(7).session, "00000000000000000000000000000002");
    let said = serde_json::json!({
        "event_id": format!("evt_{id}"),
        "event_type": "assistant_text.final",
        "payload": { "text": "Hello." },
        "ts": "2026-01-17T12:34:56.789Z",
        "session_id": session,
        "epoch": 1,
        "message_id": format!("msg_{id}"),
        "seq": 3,
        "role": "assistant",
    });
    let connection = Connection::open(&path).unwrap();
    let sql = "INSERT INTO events VALUES (?1, 3, 1, 'assistant_text.final', ?2)";
    connection.execute(sql, [session.to_string(), said.to_string()]).unwrap();
    drop(connection);

    let store = SqliteStore::open(&path).unwrap();

    let page = ThreadPage { limit: 9, ..ThreadPage::default() };
    let listed = store.threads(PERSON, page).await.unwrap();
    let [row] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!((row.messages, row.sessions), (1, 1));
    assert_eq!(row.updated_at, "2026-01-17T12:34:56.789Z".parse().unwrap());
    assert_eq!(row.last.as_ref().and_then(|last| last.seq), Some(3));
}

#[tokio::test]
async fn a_file_of_the_first_release_is_brought_up_to_date_with_what_is_in_it() {
    let (_folder, path) = place();
    file_of_the_first_release(&path);

    let store = SqliteStore::open(&path).unwrap();

    let session = new_session(7).session;
    let row = store.find(session).await.unwrap().unwrap();
    assert_eq!((row.epoch, row.last_seq, row.user), (3, 5, PERSON));
    let turns = store.open_turns(session).await.unwrap();
    let [turn @ TurnRow { state: TurnState::Thinking, turn_seq: 4, work: None, .. }] = &turns[..]
    else {
        panic!("{turns:?}");
    };
    let work = Some(serde_json::json!({ "results": [] }));
    let parked = TurnRow { work, ..turn.clone() };
    let question = asked(session, 9);
    let batch = Batch {
        turn: Some(parked.clone()),
        confirmations: vec![question.clone()],
        audit: vec![line(&question, "asked")],
        ..Batch::new(session, 3)
    };
    store.append(batch).await.unwrap();
    assert_eq!(store.turn(turn.turn).await, Ok(Some(parked)));
    assert_eq!(store.open_confirmations(session).await, Ok(vec![question]));
    assert_eq!(whole_audit(&store).await.len(), 1);
    drop(store);
    SqliteStore::open(&path).unwrap();
}

/// A question, its yes, the write, and two lines of the audit.
async fn with_a_yes(path: &Path) -> SqliteStore {
    let store = SqliteStore::open(path).unwrap();
    let session = new_session(1).session;
    store.create(new_session(1)).await.unwrap();
    let question = asked(session, 2);
    let asking = Batch { confirmations: vec![question.clone()], ..Batch::new(session, 1) };
    store.append(asking).await.unwrap();
    let yes = answered(&question, ConfirmationState::Accepted);
    let batch = Batch {
        actions: vec![agreed(&yes)],
        confirmations: vec![yes],
        audit: vec![line(&question, "asked"), line(&question, "accepted")],
        ..Batch::new(session, 1)
    };
    store.append(batch).await.unwrap();
    store
}

#[tokio::test]
async fn the_file_itself_refuses_to_change_the_audit() {
    let (_folder, path) = place();
    let store = with_a_yes(&path).await;
    let entries = whole_audit(&store).await;

    let other = Connection::open(&path).unwrap();
    for change in [
        "UPDATE audit SET body = '{}' WHERE number = 1",
        "DELETE FROM audit WHERE number = 2",
        "DELETE FROM audit",
        "INSERT INTO audit VALUES (4, '{}', '')",
        "INSERT OR REPLACE INTO audit VALUES (1, '{}', '')",
    ] {
        let refused = other.execute(change, []).unwrap_err().to_string();
        assert!(refused.contains("a line of the audit is"), "{change}: {refused}");
    }
    assert_eq!(whole_audit(&store).await, entries);
}

#[tokio::test]
async fn whoever_forces_the_file_is_found_out() {
    let (_folder, path) = place();
    let store = with_a_yes(&path).await;

    let other = Connection::open(&path).unwrap();
    other.execute_batch("DROP TRIGGER audit_is_never_changed").unwrap();
    let forged = "UPDATE audit SET body = replace(body, 'accepted', 'rejected') WHERE number = 2";
    assert_eq!(other.execute(forged, []), Ok(1));

    let mut check = Check::default();
    let entries = store.audit(0, 10).await.unwrap();
    let held: Result<(), Broken> = entries.iter().try_for_each(|entry| check.take(entry));
    assert_eq!(held, Err(Broken::Changed(2)));
}

#[tokio::test]
async fn lines_of_other_versions_hold_and_are_continued() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    let old = format!(r#"{{"what":"asked","user":"{PERSON}","at":"2025-11-13T02:13:20Z"}}"#);
    let new = format!(r#"{{"at":"2025-11-13T02:13:20Z","by":{{}},"user":"{PERSON}","what":"x"}}"#);
    let mut before = origin();
    for (number, text) in (1..).zip([old, new]) {
        before = seal(before, number, &text);
        let row = rusqlite::params![i64::try_from(number).unwrap(), text, before.to_string()];
        other.execute("INSERT INTO audit VALUES (?1, ?2, ?3)", row).unwrap();
    }

    store.note(Line::new(after(0), PERSON, "writes_paused")).await.unwrap();

    let lines: Vec<_> = whole_audit(&store).await.into_iter().map(|entry| entry.line).collect();
    let expected = ["asked", "x", "writes_paused"].map(|what| Line::new(after(0), PERSON, what));
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn an_unreadable_row_names_its_table_and_column() {
    let (_folder, path) = place();
    let store = with_a_yes(&path).await;
    let question = asked(new_session(1).session, 2);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("DROP TRIGGER audit_is_never_changed").unwrap();
    let corrupt = |error| match error {
        StoreError::Corrupt { table, column, .. } => (table, column),
        other => panic!("{other}"),
    };

    for (table, column, value) in [
        ("confirmation_requests", "body", "{}"),
        ("confirmation_requests", "state", "maybe"),
        ("confirmation_requests", "payload_hash", "abc"),
        ("actions", "body", "nonsense"),
        ("actions", "state", "sent"),
        ("audit", "body", "{}"),
        ("audit", "hash", ""),
    ] {
        let kept: Vec<(i64, String)> = spoil(&other, table, column, value);
        let error = match table {
            "confirmation_requests" => store.confirmation(question.id).await.err(),
            "actions" => store.action(question.action).await.err(),
            _ => store.audit(0, 10).await.err(),
        };
        assert_eq!(error.map(corrupt), Some((table, column)));
        mend(&other, table, column, &kept);
    }
    assert_eq!(whole_audit(&store).await.len(), 2);
}

/// Puts `value` into every row, and returns what was there.
fn spoil(other: &Connection, table: &str, column: &str, value: &str) -> Vec<(i64, String)> {
    let key = if table == "audit" { "number" } else { "revision" };
    let mut query = other.prepare(&format!("SELECT {key}, {column} FROM {table}")).unwrap();
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let kept = rows.collect::<Result<_, _>>().unwrap();
    other.execute(&format!("UPDATE {table} SET {column} = ?1"), [value]).unwrap();
    kept
}

fn mend(other: &Connection, table: &str, column: &str, kept: &[(i64, String)]) {
    let key = if table == "audit" { "number" } else { "revision" };
    for (number, value) in kept {
        let sql = format!("UPDATE {table} SET {column} = ?2 WHERE {key} = ?1");
        other.execute(&sql, rusqlite::params![number, value]).unwrap();
    }
}

#[tokio::test]
async fn the_chain_goes_on_where_it_ended_when_the_file_is_opened_again() {
    let (_folder, path) = place();
    drop(with_a_yes(&path).await);

    let store = SqliteStore::open(&path).unwrap();
    store.note(Line::new(after(90), PERSON, "writes_paused")).await.unwrap();

    let whats: Vec<_> =
        whole_audit(&store).await.into_iter().map(|entry| entry.line.what).collect();
    assert_eq!(whats, ["asked", "accepted", "writes_paused"]);
}

#[tokio::test]
async fn what_a_crash_left_of_a_deleted_chat_is_cleared_away_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sayso.db");
    drop(SqliteStore::open(&path).unwrap());
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(
        "INSERT INTO leaving VALUES ('sess_gone');
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 700)
         INSERT INTO events (session_id, seq, epoch, event_type, body)
         SELECT 'sess_gone', n, 1, 'assistant_text.final', '{\"turn_id\":\"turn_1\"}' FROM numbers;",
    )
    .unwrap();
    let left = || -> i64 {
        let sql = "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM leaving)";
        file.query_row(sql, [], |row| row.get(0)).unwrap()
    };

    let store = SqliteStore::open(&path).unwrap();
    assert!(store.clear_away().await.unwrap());
    assert_eq!(left(), 201, "a piece at a time");
    while store.clear_away().await.unwrap() {}

    assert_eq!(left(), 0);
}
