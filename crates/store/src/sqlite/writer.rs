//! The one writer. Whoever waits while it commits is taken along next time.
//!
//! A commit costs one sync of the disk however much is in it, so under load
//! many sessions share one. Each piece of work stands behind its own savepoint:
//! one that fails leaves no trace and does not disturb the others.

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
    /// Whether it is to be committed.
    fn run(&mut self, connection: &Connection) -> bool;
    fn tell(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Task<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    tell: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send, F: FnOnce(&Connection) -> Result<T, StoreError> + Send> Work for Task<T, F> {
    fn run(&mut self, connection: &Connection) -> bool {
        let work = self.work.take().expect("work is run once");
        let result = work(connection);
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
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tell, told) = oneshot::channel();
        let stopped = || StoreError::Unavailable("the writer has stopped".into());
        let task = Task { work: Some(work), result: None, tell };
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
    let step = |sql: &str| connection.prepare_cached(sql)?.execute([]).map(|_| ());
    let all = || {
        step("BEGIN IMMEDIATE")?;
        for work in &mut *together {
            step("SAVEPOINT piece")?;
            let run = AssertUnwindSafe(|| work.run(connection));
            if !catch_unwind(run).unwrap_or(false) {
                step("ROLLBACK TO piece")?;
            }
            step("RELEASE piece")?;
        }
        step("COMMIT")
    };
    let done: Result<(), rusqlite::Error> = { all }();
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

/// After an error of the disk itself nobody knows what is on it: a second sync
/// may succeed without having written what the first one lost. The next start
/// reads what is really there.
pub(super) fn stop_if_the_disk_lies(error: &rusqlite::Error) {
    if error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure) {
        tracing::error!(%error, "the disk failed; stopping before anything is lost");
        std::process::abort();
    }
}
