//! One file on disk: the default store.
//!
//! One writer thread owns the only writing connection; whatever waits for it
//! is committed together (`writer`). Readers have connections of their own
//! and never wait for the writer, as WAL promises. `synchronous = FULL`: when
//! an append returns, it is on the disk.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use brain::{Profile, UserId};
use rusqlite::{Connection, OpenFlags, params};

use crate::{Health, LOOKED_THROUGH, Profiles, StoreError};

mod audit;
mod checkpoint;
mod copy;
mod costs;
mod decode;
mod events;
mod files;
mod jobs;
mod keeping;
mod keys;
mod migrate;
mod record;
mod rights;
mod say_so;
mod sessions;
mod threads;
mod turns;
mod watch;
mod writer;

use checkpoint::Checkpoints;
use decode::spelled;
use writer::Writer;

pub use copy::{Ailing, copy_to, examine, move_on};
pub use record::{Record, Told};
pub use rights::Rows;

/// Readers beyond this many wait for one another.
const READERS: usize = 4;
/// Those who look for words read for long; they wait for one another and hold up
/// nobody else.
const SEARCHERS: usize = 1;
/// Those who look after the server wait for one another, too.
const WATCHERS: usize = 1;

/// The store in one SQLite file.
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    searchers: Readers,
    watchers: Readers,
    checkpoints: Checkpoints,
}

/// Connections that are lent out.
struct Readers {
    connections: Arc<Mutex<Vec<Connection>>>,
    places: Arc<tokio::sync::Semaphore>,
}

impl Readers {
    fn open(path: &Path, number: usize) -> Result<Self, StoreError> {
        let connections = (0..number).map(|_| {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let reader = Connection::open_with_flags(path, flags)?;
            prepare(&reader)?;
            Ok(reader)
        });
        Ok(Self {
            connections: Arc::new(Mutex::new(connections.collect::<Result<_, StoreError>>()?)),
            places: Arc::new(tokio::sync::Semaphore::new(number)),
        })
    }

    /// Runs `query` on one of them, off the async threads.
    async fn look<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let gone = |_| StoreError::Unavailable("the store is closing".into());
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(gone)?;
        let readers = Arc::clone(&self.connections);
        let work = move || {
            let reader = Lent::from(&readers);
            let found = query(reader.get());
            // The reader is back before its place is free.
            drop(reader);
            drop(place);
            found
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| StoreError::Unavailable(format!("a reader stopped: {error}")))?
    }
}

impl SqliteStore {
    /// Opens the file, makes it if there is none, and brings its tables up to date.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        prepare(&connection)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        // What is taken out is overwritten, and not only forgotten.
        connection.pragma_update(None, "secure_delete", true)?;
        checkpoint::leave_to_us(&connection)?;
        migrate::up(&mut connection)?;
        Ok(Self {
            readers: Readers::open(path, READERS)?,
            searchers: Readers::open(path, SEARCHERS)?,
            watchers: Readers::open(path, WATCHERS)?,
            writer: Writer::start(connection),
            checkpoints: checkpoint::start(path)?,
        })
    }

    /// Runs `query` on a reader, off the async threads.
    async fn look<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.look(query).await
    }

    /// Runs a search, beside everybody else's reading. It ends early when nobody waits
    /// for it any more.
    async fn search_through<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection, &mut Budget) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let waited_for = Arc::new(());
        let mut budget = Budget { left: LOOKED_THROUGH, waited_for: Arc::downgrade(&waited_for) };
        let found = self.searchers.look(move |connection| {
            let _one_moment = connection.unchecked_transaction()?;
            query(connection, &mut budget)
        });
        let found = found.await;
        drop(waited_for);
        found
    }

    /// The same for several questions in a row: nothing changes between them.
    async fn look_at_once<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.look(move |connection| {
            let _one_moment = connection.unchecked_transaction()?;
            query(connection)
        })
        .await
    }
}

/// How far a search may still look.
struct Budget {
    /// So many messages.
    left: u32,
    /// Gone when nobody waits for what is found.
    waited_for: std::sync::Weak<()>,
}

impl Budget {
    /// Whether one more message may be looked at.
    fn spend(&mut self) -> bool {
        if self.left == 0 || self.waited_for.strong_count() == 0 {
            return false;
        }
        self.left -= 1;
        true
    }
}

/// A reader on loan; it comes back also when the query panics.
struct Lent<'a> {
    readers: &'a Mutex<Vec<Connection>>,
    reader: Option<Connection>,
}

impl<'a> Lent<'a> {
    fn from(readers: &'a Mutex<Vec<Connection>>) -> Self {
        let reader = readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self { readers, reader }
    }

    fn get(&self) -> &Connection {
        self.reader.as_ref().expect("there are as many readers as places")
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).extend(self.reader.take());
    }
}

fn prepare(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    // What a savepoint may have to undo stays in memory instead of a file of its own.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(())
}

#[async_trait]
impl Health for SqliteStore {
    async fn writable(&self) -> Result<(), StoreError> {
        self.writer.write(|_| Ok(())).await
    }
}

#[async_trait]
impl Profiles for SqliteStore {
    async fn profile(&self, user: UserId) -> Result<Option<Profile>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM user_profile WHERE user_id = ?1";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query([user.to_string()])?;
            rows.next()?.map(|row| decode::json(row, 0, "user_profile", "body")).transpose()
        })
        .await
    }

    async fn save_profile(&self, user: UserId, profile: Profile) -> Result<(), StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "INSERT INTO user_profile (user_id, body) VALUES (?1, ?2)
                           ON CONFLICT (user_id) DO UPDATE SET body = excluded.body";
                connection
                    .prepare_cached(sql)?
                    .execute(params![user.to_string(), spelled(&profile)])?;
                Ok(())
            })
            .await
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}

/// SQLite's integers are signed; ours never come near the difference.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
