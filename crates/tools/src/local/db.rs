//! The file behind the local provider: opened, brought up to date, lent out.
//!
//! A handful of connections, each used by one call at a time on a thread that
//! may block. Whoever comes when all are out waits without holding a thread.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::Semaphore;

use super::sample::BadSample;
use crate::tool::ToolError;

const CONNECTIONS: usize = 4;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Each takes the file one version further; `PRAGMA user_version` counts them.
const MIGRATIONS: [&str; 7] = [
    include_str!("migrations/0001_first.sql"),
    include_str!("migrations/0002_written.sql"),
    include_str!("migrations/0003_pronouns.sql"),
    include_str!("migrations/0004_memory.sql"),
    include_str!("migrations/0005_memory_meaning.sql"),
    include_str!("migrations/0006_manner.sql"),
    include_str!("migrations/0007_whose.sql"),
];

/// What can go wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path} cannot be opened as a mailbox and calendar")]
    Open {
        path: String,
        #[source]
        source: rusqlite::Error,
    },
    #[error(
        "the mailbox and calendar were written by a newer Sayso (version {found}, this one knows \
         {known}); start that one, or use another data folder"
    )]
    Newer { found: i64, known: i64 },
    #[error("the mailbox and calendar did not answer")]
    Sqlite(#[from] rusqlite::Error),
    #[error("nobody knows whether the mailbox and calendar kept it")]
    Unsure(#[source] rusqlite::Error),
    #[error("something else was done under the same key")]
    KeyTaken,
    #[error("it had waited too long to be begun")]
    Late,
    #[error("there is no {0} with that id")]
    Missing(&'static str),
    #[error("the {0} was changed in the meantime")]
    Changed(&'static str),
    #[error("it is addressed to nobody")]
    Nobody,
    #[error("row {id} of {table} has something unreadable in {column}")]
    BadRow { table: &'static str, column: &'static str, id: String },
    #[error("{0}")]
    TooMuch(&'static str),
    #[error(transparent)]
    Sample(#[from] BadSample),
    #[error("the mailbox and calendar are shutting down")]
    Gone,
    #[error("somebody else is reading the mailbox and calendar; try again in a moment")]
    Busy,
}

impl StoreError {
    /// What the executor is to make of it.
    pub(crate) fn of(self, tool: &'static str) -> ToolError {
        match self {
            Self::Sqlite(_) | Self::Unsure(_) | Self::Late | Self::Gone | Self::Busy => {
                ToolError::Transient { tool, source: self.into() }
            }
            Self::Missing(what) => ToolError::NotFound { what },
            Self::Changed(what) => ToolError::Changed { what },
            Self::Open { .. }
            | Self::Newer { .. }
            | Self::BadRow { .. }
            | Self::KeyTaken
            | Self::Nobody
            | Self::TooMuch(_)
            | Self::Sample(_) => ToolError::Refused { tool, reason: self.to_string() },
        }
    }

    /// The same for a write, which lives in one transaction: until that is
    /// committed nothing has been done, and only a commit can leave doubt.
    pub(crate) fn of_write(self, tool: &'static str) -> ToolError {
        match self {
            Self::Sqlite(_) | Self::Late | Self::Gone | Self::Busy => {
                ToolError::NotReached { tool, source: self.into() }
            }
            other => other.of(tool),
        }
    }
}

pub(crate) struct Db {
    free: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
}

impl Db {
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let first = connect(|| Connection::open(path)).and_then(|mut connection| {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            migrate(&mut connection)?;
            Ok(connection)
        });
        let mut connections = vec![first.map_err(|error| name_file(error, path))?];
        for _ in 1..CONNECTIONS {
            connections.push(connect(|| Connection::open(path))?);
        }
        Ok(Self::of(connections))
    }

    pub(crate) fn in_memory() -> Result<Self, StoreError> {
        let mut connection = connect(Connection::open_in_memory)?;
        migrate(&mut connection)?;
        Ok(Self::of(vec![connection]))
    }

    fn of(connections: Vec<Connection>) -> Self {
        let permits = Arc::new(Semaphore::new(connections.len()));
        Self { free: Mutex::new(connections), permits }
    }

    /// Runs `work` where it may block. It finishes even if nobody waits for it
    /// any more, so a write is never cut in half.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permits = Arc::clone(&self.permits);
        let permit = permits.acquire_owned().await.map_err(|_| StoreError::Gone)?;
        let db = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let mut lent = Lent::from(&db);
            let result = work(lent.connection());
            // The connection is back before the next one is let in.
            drop(lent);
            drop(permit);
            result
        });
        done.await.unwrap_or_else(|gone| match gone.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(StoreError::Gone),
        })
    }
}

/// A connection that finds its way back, also out of a panic.
struct Lent<'a> {
    connection: Option<Connection>,
    db: &'a Db,
}

impl<'a> Lent<'a> {
    fn from(db: &'a Db) -> Self {
        let connection = db.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self { connection, db }
    }

    fn connection(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("there are as many connections as permits")
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut free = self.db.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.extend(self.connection.take());
    }
}

fn connect(
    open: impl FnOnce() -> Result<Connection, rusqlite::Error>,
) -> Result<Connection, StoreError> {
    let connection = open()?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // What is taken out is overwritten, and not only forgotten.
    connection.pragma_update(None, "secure_delete", true)?;
    Ok(connection)
}

/// Two servers that start at once do not both migrate: the version is read
/// again once we are the only writer.
fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let known = i64::try_from(MIGRATIONS.len()).expect("a handful of migrations");
    let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = step.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    let done = usize::try_from(found).unwrap_or(0);
    for migration in &MIGRATIONS[done..] {
        step.execute_batch(migration)?;
    }
    step.pragma_update(None, "user_version", known)?;
    Ok(step.commit()?)
}

fn name_file(error: StoreError, path: &Path) -> StoreError {
    match error {
        StoreError::Sqlite(source) => StoreError::Open { path: path.display().to_string(), source },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_opens_again_and_a_newer_one_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("personal.db");
        drop(Db::open(&path).unwrap());
        drop(Db::open(&path).unwrap());

        let newer = Connection::open(&path).unwrap();
        newer.pragma_update(None, "user_version", 99).unwrap();

        let opened = Db::open(&path);
        let Err(StoreError::Newer { found: 99, known }) = opened else { panic!("it opened") };
        assert_eq!(usize::try_from(known).unwrap(), MIGRATIONS.len());
    }

    #[test]
    fn only_a_commit_leaves_doubt_whether_something_was_written() {
        let sqlite = || rusqlite::Error::InvalidQuery;
        let not_reached = |error: StoreError| {
            matches!(error.of_write("gmail.send"), ToolError::NotReached { .. })
        };
        assert!(not_reached(StoreError::Sqlite(sqlite())));
        assert!(not_reached(StoreError::Gone));
        assert!(!not_reached(StoreError::KeyTaken));
        let unsure = StoreError::Unsure(sqlite()).of_write("gmail.send");
        assert!(matches!(unsure, ToolError::Transient { .. }), "{unsure}");
    }

    #[tokio::test]
    async fn every_connection_writes_ahead_and_waits_for_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let db = Arc::new(Db::open(&folder.path().join("personal.db")).unwrap());
        for _ in 0..2 * CONNECTIONS {
            let (mode, synchronous): (String, i64) = db
                .run(|c| {
                    let mode = c.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
                    Ok((mode, c.query_row("PRAGMA synchronous", [], |row| row.get(0))?))
                })
                .await
                .unwrap();
            assert_eq!((mode.as_str(), synchronous), ("wal", 2), "WAL and FULL");
        }
    }

    #[test]
    fn a_file_that_is_something_else_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("holiday.jpg");
        std::fs::write(&path, "not a database, but long enough to be looked at twice").unwrap();

        let Err(error) = Db::open(&path) else { panic!("it opened") };

        assert!(error.to_string().contains("holiday.jpg"), "{error}");
    }

    #[tokio::test]
    async fn a_call_that_panics_gives_its_connection_back() {
        let db = Arc::new(Db::in_memory().unwrap());
        let inner = Arc::clone(&db);
        let failed = tokio::spawn(async move {
            inner.run::<()>(|_| panic!("on purpose")).await.ok();
        });
        assert!(failed.await.unwrap_err().is_panic());

        let one: i64 = db.run(|c| Ok(c.query_row("SELECT 1", [], |r| r.get(0))?)).await.unwrap();

        assert_eq!(one, 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn more_callers_than_connections_wait_their_turn() {
        let folder = tempfile::tempdir().unwrap();
        let db = Arc::new(Db::open(&folder.path().join("personal.db")).unwrap());
        let calls = (0..64).map(|n| {
            let db = Arc::clone(&db);
            tokio::spawn(async move {
                db.run(move |c| {
                    let sql = "INSERT INTO contacts (user_id, address, name, nicknames) \
                               VALUES ('u', ?1, 'n', '[]')";
                    Ok(c.execute(sql, [n.to_string()])?)
                })
                .await
            })
        });
        for call in calls.collect::<Vec<_>>() {
            assert_eq!(call.await.unwrap().unwrap(), 1);
        }
    }
}
