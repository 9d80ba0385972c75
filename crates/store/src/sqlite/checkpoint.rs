//! Moves what was committed from the log file into the database, beside the writer.
//!
//! By default SQLite does this inside a commit, and whoever is in that commit
//! waits for it. Here a thread of its own does it once a second.
//!
//! What was taken out of the database may still stand in the log file. Whoever wants
//! it gone asks for a scrub: then the log file is emptied as soon as no reader is in it.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::writer::stop_if_the_disk_lies;
use crate::StoreError;

const EVERY: Duration = Duration::from_secs(1);
/// While somebody waits for the log file to be empty.
const SOON: Duration = Duration::from_millis(20);
/// If the thread cannot keep up, the writer does it after all before the log
/// file has this many pages (200 MB).
const TOO_MANY_PAGES: u32 = 50_000;

type Waiting = oneshot::Sender<()>;

/// Dropping it stops the thread.
pub(super) struct Checkpoints(Sender<Option<Waiting>>);

impl Checkpoints {
    /// Returns once the log file is empty.
    pub(super) async fn scrub(&self) -> Result<(), StoreError> {
        let stopped = || StoreError::Unavailable("the store is closing".into());
        let (tell, told) = oneshot::channel();
        self.0.send(Some(tell)).map_err(|_| stopped())?;
        told.await.map_err(|_| stopped())
    }

    /// Nobody waits for it.
    pub(super) fn scrub_soon(&self) {
        // A store that closes empties its log file by itself.
        let _ = self.0.send(None);
    }
}

/// Tells the writer's connection that somebody else takes care of it.
pub(super) fn leave_to_us(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.pragma_update(None, "wal_autocheckpoint", TOO_MANY_PAGES)?)
}

pub(super) fn start(path: &Path) -> Result<Checkpoints, StoreError> {
    let connection = Connection::open(path)?;
    let (ask, asked) = channel();
    std::thread::Builder::new()
        .name("store-checkpoint".into())
        .spawn(move || run(&connection, &asked))
        .expect("the system can start one thread");
    Ok(Checkpoints(ask))
}

fn run(connection: &Connection, asked: &Receiver<Option<Waiting>>) {
    let (mut is_wanted, mut waiting) = (false, Vec::new());
    loop {
        match asked.recv_timeout(if is_wanted { SOON } else { EVERY }) {
            Ok(who) => {
                is_wanted = true;
                waiting.extend(who);
                waiting.extend(asked.try_iter().flatten());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let how = if is_wanted { "TRUNCATE" } else { "PASSIVE" };
        let sql = format!("PRAGMA wal_checkpoint({how})");
        match connection.query_row(&sql, [], |row| row.get::<_, bool>(0)) {
            Ok(false) if is_wanted => {
                is_wanted = false;
                // Whoever waited may be gone; it is done all the same.
                for tell in waiting.drain(..) {
                    let _ = Waiting::send(tell, ());
                }
            }
            // Somebody is reading; the next time they may be done.
            Ok(_) => {}
            Err(error) => {
                // The next one may succeed; until then the log file grows.
                tracing::warn!(%error, "a checkpoint failed");
                stop_if_the_disk_lies(&error);
            }
        }
    }
}
