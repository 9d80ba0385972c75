//! Moves what was committed from the log file into the database, beside the writer.
//!
//! By default SQLite does this inside a commit, and whoever is in that commit
//! waits for it. Here a thread of its own does it once a second.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use rusqlite::Connection;

use super::writer::stop_if_the_disk_lies;
use crate::StoreError;

const EVERY: Duration = Duration::from_secs(1);
/// If the thread cannot keep up, the writer does it after all before the log
/// file has this many pages (200 MB).
const TOO_MANY_PAGES: u32 = 50_000;

/// Dropping it stops the thread.
pub(super) struct Checkpoints(#[expect(dead_code, reason = "its end is the message")] Sender<()>);

/// Tells the writer's connection that somebody else takes care of it.
pub(super) fn leave_to_us(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.pragma_update(None, "wal_autocheckpoint", TOO_MANY_PAGES)?)
}

pub(super) fn start(path: &Path) -> Result<Checkpoints, StoreError> {
    let connection = Connection::open(path)?;
    let (stop, stopped) = channel();
    std::thread::Builder::new()
        .name("store-checkpoint".into())
        .spawn(move || run(&connection, &stopped))
        .expect("the system can start one thread");
    Ok(Checkpoints(stop))
}

fn run(connection: &Connection, stopped: &Receiver<()>) {
    while stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        let done = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        if let Err(error) = done {
            // The next one may succeed; until then the log file grows.
            tracing::warn!(%error, "a checkpoint failed");
            stop_if_the_disk_lies(&error);
        }
    }
}
