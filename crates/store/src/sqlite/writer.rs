//! The one writer. Whoever waits while it commits is taken along next time.
//!
//! A commit costs one sync of the disk however much is in it, so under load
//! many sessions share one. A piece of work that fails leaves no trace and does
//! not disturb the others: then all of them are done once more, each behind a
//! savepoint of its own. That is rare, and savepoints cost.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{mpsc, oneshot};

use crate::StoreError;

/// Work that may wait before senders have to.
const WAITING: usize = 4096;
/// Work that goes into one commit at most.
const TOGETHER: usize = 512;

/// A handle to the writer thread. Dropping it lets the thread finish and stop.
pub(super) struct Writer {
    inbox: mpsc::Sender<Box<dyn Work>>,
}

/// One piece of work, in two moments: done inside the transaction, told after it.
trait Work: Send {
    /// Whether it is to be committed. It may be undone and run again.
    fn run(&mut self, connection: &Connection) -> bool;
    fn tell(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Task<T, F> {
    work: F,
    result: Option<Result<T, StoreError>>,
    tell: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send, F: FnMut(&Connection) -> Result<T, StoreError> + Send> Work for Task<T, F> {
    fn run(&mut self, connection: &Connection) -> bool {
        self.result = None;
        let result = (self.work)(connection);
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn tell(self: Box<Self>, committed: Result<(), StoreError>) {
        let result = match (self.result, committed) {
            (Some(Ok(value)), Ok(())) => Ok(value),
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (None, Ok(())) => Err(StoreError::Unavailable("the work broke off".into())),
        };
        // Whoever asked may be gone; the work is done all the same.
        let _ = self.tell.send(result);
    }
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Self {
        let (inbox, work) = mpsc::channel(WAITING);
        std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || run(&connection, work))
            .expect("the system can start one thread");
        Self { inbox }
    }

    /// Runs `work` in the next transaction; returns once that is on the disk.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tell, told) = oneshot::channel();
        let stopped = || StoreError::Unavailable("the writer has stopped".into());
        let task = Task { work, result: None, tell };
        self.inbox.send(Box::new(task)).await.map_err(|_| stopped())?;
        told.await.map_err(|_| stopped())?
    }
}

fn run(connection: &Connection, mut inbox: mpsc::Receiver<Box<dyn Work>>) {
    let mut together = Vec::new();
    while inbox.blocking_recv_many(&mut together, TOGETHER) > 0 {
        let committed = commit(connection, &mut together);
        for work in together.drain(..) {
            work.tell(committed.clone());
        }
    }
}

fn commit(connection: &Connection, together: &mut [Box<dyn Work>]) -> Result<(), StoreError> {
    let done = match at_once(connection, together) {
        Ok(true) => Ok(()),
        Ok(false) => one_by_one(connection, together),
        Err(error) => Err(error),
    };
    done.map_err(|error| {
        tracing::error!(%error, "the store could not commit");
        stop_if_the_disk_lies(&error);
        if !connection.is_autocommit() {
            // The transaction is lost either way; what matters is that none stays open.
            let _ = connection.execute_batch("ROLLBACK");
        }
        StoreError::from(error)
    })
}

/// All of it or nothing; false when one of them failed.
fn at_once(
    connection: &Connection,
    together: &mut [Box<dyn Work>],
) -> Result<bool, rusqlite::Error> {
    step(connection, "BEGIN IMMEDIATE")?;
    let all = together.iter_mut().all(|work| ran(connection, work));
    step(connection, if all { "COMMIT" } else { "ROLLBACK" })?;
    Ok(all)
}

/// Each that succeeds, whatever becomes of the others.
fn one_by_one(
    connection: &Connection,
    together: &mut [Box<dyn Work>],
) -> Result<(), rusqlite::Error> {
    step(connection, "BEGIN IMMEDIATE")?;
    for work in together {
        step(connection, "SAVEPOINT piece")?;
        if !ran(connection, work) {
            step(connection, "ROLLBACK TO piece")?;
        }
        step(connection, "RELEASE piece")?;
    }
    step(connection, "COMMIT")
}

fn ran(connection: &Connection, work: &mut Box<dyn Work>) -> bool {
    catch_unwind(AssertUnwindSafe(|| work.run(connection))).unwrap_or(false)
}

fn step(connection: &Connection, sql: &str) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(sql)?.execute([]).map(|_| ())
}

/// After an error of the disk itself nobody knows what is on it: a second sync
/// may succeed without having written what the first one lost. The next start
/// reads what is really there.
pub(super) fn stop_if_the_disk_lies(error: &rusqlite::Error) {
    if error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure) {
        tracing::error!(%error, "the disk failed; stopping before anything is lost");
        std::process::abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Told = oneshot::Receiver<Result<(), StoreError>>;

    fn put(number: i64, after: fn() -> Result<(), StoreError>) -> (Box<dyn Work>, Told) {
        let (tell, told) = oneshot::channel();
        let work = move |connection: &Connection| {
            connection.execute("INSERT INTO numbers VALUES (?1)", [number])?;
            after()
        };
        (Box::new(Task { work, result: None, tell }), told)
    }

    #[test]
    fn work_that_fails_or_panics_leaves_no_trace_and_disturbs_nobody() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE numbers (number INTEGER)").unwrap();
        let refuses = || Err(StoreError::Unavailable("no".into()));
        let pieces = [
            put(1, || Ok(())),
            put(2, refuses),
            put(3, || panic!("on purpose")),
            put(4, || Ok(())),
        ];
        let (mut together, told): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();

        let committed = commit(&connection, &mut together);
        for work in together {
            work.tell(committed.clone());
        }

        let went: Vec<bool> =
            told.into_iter().map(|mut told| told.try_recv().unwrap().is_ok()).collect();
        assert_eq!(went, [true, false, false, true]);
        let mut query = connection.prepare("SELECT number FROM numbers").unwrap();
        let kept: Vec<i64> = query.query_map([], |row| row.get(0)).unwrap().flatten().collect();
        assert_eq!(kept, [1, 4]);
        assert!(connection.is_autocommit());
    }
}
