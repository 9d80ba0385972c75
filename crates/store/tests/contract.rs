//! Every store keeps the same promises.

use std::sync::Arc;

use brain::ids::Uuid;
use brain::{SessionId, ThreadId, UserId};
use jiff::Timestamp;
use store::memory::MemoryStore;
use store::sqlite::SqliteStore;
use store::{Batch, EventLog, NewSession, Sessions, StoreError};
use testkit::store_contract::keeps_its_promises;

#[tokio::test]
async fn the_memory_store_keeps_its_promises() {
    keeps_its_promises(&MemoryStore::default()).await;
}

#[tokio::test]
async fn the_sqlite_store_keeps_its_promises() {
    let folder = tempfile::tempdir().unwrap();
    keeps_its_promises(&SqliteStore::open(&folder.path().join("sayso.db")).unwrap()).await;
}

fn new_session(number: u128) -> NewSession {
    NewSession {
        session: SessionId(Uuid::from_u128(number)),
        user: UserId(Uuid::from_u128(1)),
        agent: "assistant".into(),
        thread: ThreadId(Uuid::from_u128(1)),
        created_at: Timestamp::UNIX_EPOCH,
    }
}

#[tokio::test]
async fn a_file_is_found_again_as_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sayso.db");
    let session = new_session(1);
    SqliteStore::open(&path).unwrap().create(session.clone()).await.unwrap();

    let store = SqliteStore::open(&path).unwrap();

    let row = store.find(session.session).await.unwrap().unwrap();
    assert_eq!((row.epoch, row.agent.as_str()), (1, "assistant"));
    assert_eq!(store.own(session.session).await.unwrap().unwrap().epoch, 2);
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sayso.db");
    let future = rusqlite::Connection::open(&path).unwrap();
    future.pragma_update(None, "user_version", 99).unwrap();
    drop(future);

    let Err(StoreError::Unavailable(reason)) = SqliteStore::open(&path) else {
        panic!("it was opened");
    };
    assert!(reason.contains("newer Sayso"), "{reason}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn among_many_writers_only_the_fenced_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(&folder.path().join("sayso.db")).unwrap());
    let mut appends = Vec::new();
    for number in 1..=50 {
        let session = new_session(number).session;
        store.create(new_session(number)).await.unwrap();
        if number == 25 {
            store.own(session).await.unwrap();
        }
        let store = Arc::clone(&store);
        appends.push(tokio::spawn(async move {
            let batch = Batch { reserve_to: 2_000, ..Batch::new(session, 1) };
            (number, store.append(batch).await)
        }));
    }
    for append in appends {
        let (number, result) = append.await.unwrap();
        let expected = match number {
            25 => Err(StoreError::Stale(new_session(number).session)),
            _ => Ok(()),
        };
        assert_eq!(result, expected, "session {number}");
    }
}
