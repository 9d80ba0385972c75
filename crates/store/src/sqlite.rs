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
use brain::{Envelope, Profile, SessionId, TurnId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};

use crate::{
    Batch, EventLog, Health, LOOKED_THROUGH, MESSAGES, NUMBER_BLOCK, NewSession, Owned, Profiles,
    SessionRow, Sessions, StoreError, ToolRunRow, TurnRow, Turns, is_message, rules,
};

mod audit;
mod checkpoint;
mod copy;
mod decode;
mod files;
mod jobs;
mod keeping;
mod keys;
mod migrate;
mod record;
mod rights;
mod say_so;
mod threads;
mod writer;

use checkpoint::Checkpoints;
use decode::{name_of, spelled};
use writer::Writer;

pub use copy::{Ailing, copy_to, examine, move_on};
pub use record::{Record, Told};
pub use rights::Rows;

/// Readers beyond this many wait for one another.
const READERS: usize = 4;
/// Those who look for words read for long; they wait for one another and hold up
/// nobody else.
const SEARCHERS: usize = 1;

/// The store in one SQLite file.
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    searchers: Readers,
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
impl EventLog for SqliteStore {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        self.writer.write(move |connection| append(connection, &batch)).await
    }

    async fn read(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM events WHERE session_id = ?1 AND seq > ?2
                       ORDER BY seq LIMIT ?3";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query(params![session.to_string(), signed(after), limit])?;
            let mut events = Vec::new();
            while let Some(row) = rows.next()? {
                events.push(decode::event(row)?);
            }
            Ok(events)
        })
        .await
    }

    async fn last(&self, session: SessionId, limit: u32) -> Result<Vec<Envelope>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM events WHERE session_id = ?1 ORDER BY seq DESC LIMIT ?2";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query(params![session.to_string(), limit])?;
            let mut events = Vec::new();
            while let Some(row) = rows.next()? {
                events.push(decode::event(row)?);
            }
            events.reverse();
            Ok(events)
        })
        .await
    }

    async fn count(&self, session: SessionId, after: u64, limit: u32) -> Result<u32, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT count(*) FROM (SELECT 1 FROM events
                           WHERE session_id = ?1 AND seq > ?2 LIMIT ?3)";
            let counted = params![session.to_string(), signed(after), limit];
            Ok(connection.prepare_cached(sql)?.query_row(counted, |row| row.get(0))?)
        })
        .await
    }

    async fn messages(
        &self,
        session: SessionId,
        until: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM events WHERE session_id = ?1 AND seq <= ?2
                           AND event_type IN (?4, ?5)
                       ORDER BY seq DESC LIMIT ?3";
            let mut query = connection.prepare_cached(sql)?;
            let [heard, said] = MESSAGES;
            let wanted = params![session.to_string(), signed(until), limit, heard, said];
            let mut rows = query.query(wanted)?;
            let mut events = Vec::new();
            while let Some(row) = rows.next()? {
                events.push(decode::event(row)?);
            }
            events.reverse();
            Ok(events)
        })
        .await
    }

    async fn names(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<(Timestamp, String)>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM events WHERE session_id = ?1
                           AND event_type IN ('turn.start', 'input_transcript.final',
                                              'turn.cancelled', 'confirmation.resolved')
                           AND body -> '$.payload.in_reply_to' IS NOT NULL
                       ORDER BY seq DESC LIMIT ?2";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query(params![session.to_string(), limit])?;
            let mut names = Vec::new();
            while let Some(row) = rows.next()? {
                let envelope = decode::event(row)?;
                if envelope.ts < since {
                    break;
                }
                if let Some(name) = envelope.event.took() {
                    names.push((envelope.ts, name.to_owned()));
                }
            }
            names.reverse();
            Ok(names)
        })
        .await
    }
}

#[async_trait]
impl Health for SqliteStore {
    async fn writable(&self) -> Result<(), StoreError> {
        self.writer.write(|_| Ok(())).await
    }
}

fn append(connection: &Connection, batch: &Batch) -> Result<(), StoreError> {
    let session = batch.session.to_string();
    let seqs = || batch.events.iter().filter_map(|event| event.seq);
    let messages = || batch.events.iter().filter(|event| is_message(event));
    let sql = "UPDATE sessions
               SET last_seq = max(last_seq, ?3), reserved_seq = max(reserved_seq, ?4),
                   messages = messages + ?6, said_at = coalesce(?7, said_at)
               WHERE session_id = ?1 AND epoch = ?2 AND last_seq < ?5";
    let owned = connection.prepare_cached(sql)?.execute(params![
        session,
        signed(batch.epoch),
        signed(seqs().next_back().unwrap_or(0)),
        signed(batch.reserve_to),
        signed(seqs().next().unwrap_or(u64::MAX)),
        signed(messages().count() as u64),
        messages().next_back().map(|event| event.ts.as_microsecond()),
    ])?;
    if owned == 0 {
        let sql = "SELECT EXISTS (SELECT 1 FROM sessions WHERE session_id = ?1)";
        let is_there = connection.prepare_cached(sql)?.query_row([&session], |row| row.get(0))?;
        let id = batch.session;
        return Err(if is_there { StoreError::Stale(id) } else { StoreError::Gone(id) });
    }
    let sql = "INSERT INTO events (session_id, seq, epoch, event_type, body)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut insert = connection.prepare_cached(sql)?;
    for event in &batch.events {
        let seq = signed(event.seq.expect("the log numbers what it keeps"));
        let (name, body) = (event.event.name(), event.spelled());
        insert.execute(params![session, seq, signed(batch.epoch), name, body])?;
    }
    if let Some(turn) = &batch.turn {
        save_turn(connection, turn)?;
    }
    batch.tool_runs.iter().try_for_each(|run| save_tool_run(connection, run))?;
    say_so::save(connection, batch)?;
    jobs::mark(connection, batch)?;
    audit::add(connection, &batch.audit)
}

fn save_turn(connection: &Connection, turn: &TurnRow) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO turns (turn_id, session_id, input_mode, state, mode, outcome, error_code,
                   trace_id, request_id, started_at, ended_at, first_event_us, first_token_us, turn_seq,
                   work, first_audio_us, thought_us, tool_us, tool_failures, fallback)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18, ?19, ?20)
               ON CONFLICT (turn_id) DO UPDATE SET state = excluded.state, mode = excluded.mode,
                   outcome = excluded.outcome, error_code = excluded.error_code,
                   ended_at = excluded.ended_at, first_event_us = excluded.first_event_us,
                   first_token_us = excluded.first_token_us, turn_seq = excluded.turn_seq,
                   work = excluded.work, first_audio_us = excluded.first_audio_us,
                   thought_us = excluded.thought_us, tool_us = excluded.tool_us,
                   tool_failures = excluded.tool_failures, fallback = excluded.fallback";
    connection.prepare_cached(sql)?.execute(params![
        turn.turn.to_string(),
        turn.session.to_string(),
        name_of(&turn.input_mode),
        turn.state.name(),
        turn.mode.as_ref().map(spelled),
        turn.outcome.as_ref().map(name_of),
        turn.error_code,
        turn.trace.to_string(),
        turn.request.to_string(),
        turn.started_at.as_microsecond(),
        turn.ended_at.map(jiff::Timestamp::as_microsecond),
        turn.first_event_us.map(signed),
        turn.first_token_us.map(signed),
        signed(turn.turn_seq),
        turn.work.as_ref().map(spelled),
        turn.figures.first_audio_us.map(signed),
        turn.figures.thought_us.map(signed),
        turn.figures.tool_us.map(signed),
        turn.figures.tool_failures,
        turn.figures.fallback,
    ])?;
    Ok(())
}

/// One row for each key: a step that is taken up again has another call, and
/// stands in the place of the one that was left behind.
fn save_tool_run(connection: &Connection, run: &ToolRunRow) -> Result<(), StoreError> {
    let sql = "INSERT INTO tool_runs (call_id, turn_id, session_id, tool_name, action_level,
                   idempotency_key, state, error_code, started_at, took_us)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
               ON CONFLICT (turn_id, call_id) DO UPDATE SET state = excluded.state,
                   error_code = excluded.error_code, took_us = excluded.took_us
                   WHERE idempotency_key = excluded.idempotency_key
               ON CONFLICT (idempotency_key) DO UPDATE SET call_id = excluded.call_id,
                   tool_name = excluded.tool_name, action_level = excluded.action_level,
                   state = excluded.state, error_code = excluded.error_code,
                   started_at = excluded.started_at, took_us = excluded.took_us
                   WHERE turn_id = excluded.turn_id";
    let changed = connection.prepare_cached(sql)?.execute(params![
        run.call.to_string(),
        run.turn.to_string(),
        run.session.to_string(),
        run.tool,
        name_of(&run.level),
        run.idempotency_key,
        run.state.name(),
        run.error_code,
        run.started_at.as_microsecond(),
        run.took_us.map(signed),
    ])?;
    if changed == 0 { Err(rules::misnamed(run)) } else { Ok(()) }
}

fn create(connection: &Connection, new: &NewSession, temporary: bool) -> Result<Owned, StoreError> {
    let sql = "INSERT INTO sessions (session_id, user_id, agent, thread_id, created_at, epoch,
                   reserved_seq, temporary)
               VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7) ON CONFLICT DO NOTHING";
    let made = connection.prepare_cached(sql)?.execute(params![
        new.session.to_string(),
        new.user.to_string(),
        new.agent,
        new.thread.to_string(),
        new.created_at.as_microsecond(),
        signed(NUMBER_BLOCK),
        temporary,
    ])?;
    if made == 0 {
        return Err(StoreError::Stale(new.session));
    }
    Ok(Owned { epoch: 1, next_seq: 1, reserved_to: NUMBER_BLOCK })
}

#[async_trait]
impl Sessions for SqliteStore {
    async fn create(&self, new: NewSession) -> Result<Owned, StoreError> {
        self.writer.write(move |connection| create(connection, &new, false)).await
    }

    async fn find(&self, session: SessionId) -> Result<Option<SessionRow>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT user_id, agent, thread_id, created_at, epoch, last_seq, temporary
                       FROM sessions WHERE session_id = ?1";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query([session.to_string()])?;
            rows.next()?.map(|row| decode::session(session, row)).transpose()
        })
        .await
    }

    async fn own(&self, session: SessionId) -> Result<Option<Owned>, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "UPDATE sessions SET epoch = epoch + 1, reserved_seq = reserved_seq + ?2
                           WHERE session_id = ?1 RETURNING epoch, reserved_seq";
                let block = signed(NUMBER_BLOCK);
                let owned = |row: &Row<'_>| {
                    let (epoch, reserved): (i64, i64) = (row.get(0)?, row.get(1)?);
                    Ok(Owned {
                        epoch: epoch.unsigned_abs(),
                        next_seq: (reserved - block + 1).unsigned_abs(),
                        reserved_to: reserved.unsigned_abs(),
                    })
                };
                let mut query = connection.prepare_cached(sql)?;
                Ok(query.query_row(params![session.to_string(), block], owned).optional()?)
            })
            .await
    }

    async fn unused_sessions(&self, user: UserId) -> Result<u64, StoreError> {
        self.look(move |connection| {
            let sql = format!("SELECT count(*) FROM sessions WHERE user_id = ?1 AND {IS_UNUSED}");
            let mut query = connection.prepare_cached(&sql)?;
            let count: i64 = query.query_row([user.to_string()], |row| row.get(0))?;
            Ok(count.unsigned_abs())
        })
        .await
    }

    async fn unused_since(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<SessionId>, StoreError> {
        self.look(move |connection| {
            let sql = format!(
                "SELECT session_id FROM sessions WHERE created_at < ?1 AND {IS_UNUSED} LIMIT ?2"
            );
            let mut query = connection.prepare_cached(&sql)?;
            let mut rows = query.query(params![before.as_microsecond(), limit])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(decode::parsed(row, 0, "sessions", "session_id")?);
            }
            Ok(found)
        })
        .await
    }

    async fn forget_unused(&self, sessions: Vec<SessionId>) -> Result<u64, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = format!("DELETE FROM sessions WHERE session_id = ?1 AND {IS_UNUSED}");
                let mut delete = connection.prepare_cached(&sql)?;
                let mut gone = 0;
                for session in &sessions {
                    gone += delete.execute([session.to_string()])? as u64;
                }
                Ok(gone)
            })
            .await
    }
}

/// Nothing happened in a session, nothing was handed over there, its chat has no name.
const IS_UNUSED: &str = "last_seq = 0
    AND NOT EXISTS (SELECT 1 FROM files WHERE files.session_id = sessions.session_id)
    AND NOT EXISTS (SELECT 1 FROM threads WHERE threads.user_id = sessions.user_id
                        AND threads.thread_id = sessions.thread_id)";

const TOOL_RUN_COLUMNS: &str = "call_id, turn_id, session_id, tool_name, action_level,
    idempotency_key, state, error_code, started_at, took_us";
const TURN_COLUMNS: &str = "turn_id, session_id, input_mode, state, mode, outcome, error_code,
    trace_id, request_id, started_at, ended_at, first_event_us, first_token_us, turn_seq, work,
    first_audio_us, thought_us, tool_us, tool_failures, fallback, dedupe_hits";

#[async_trait]
impl Turns for SqliteStore {
    async fn turn(&self, turn: TurnId) -> Result<Option<TurnRow>, StoreError> {
        self.look(move |connection| {
            let sql = format!("SELECT {TURN_COLUMNS} FROM turns WHERE turn_id = ?1");
            let mut query = connection.prepare_cached(&sql)?;
            let mut rows = query.query([turn.to_string()])?;
            rows.next()?.map(decode::turn).transpose()
        })
        .await
    }

    async fn open_turns(&self, session: SessionId) -> Result<Vec<TurnRow>, StoreError> {
        self.look(move |connection| {
            let sql = format!(
                "SELECT {TURN_COLUMNS} FROM turns
                 WHERE session_id = ?1 AND ended_at IS NULL ORDER BY started_at"
            );
            decode::all(connection, &sql, &session.to_string(), decode::turn)
        })
        .await
    }

    async fn tool_runs(&self, turn: TurnId) -> Result<Vec<ToolRunRow>, StoreError> {
        self.look(move |connection| {
            let sql = format!(
                "SELECT {TOOL_RUN_COLUMNS} FROM tool_runs WHERE turn_id = ?1
                 ORDER BY started_at, call_id"
            );
            decode::all(connection, &sql, &turn.to_string(), decode::tool_run)
        })
        .await
    }

    async fn said_again(&self, session: SessionId, name: String) -> Result<(), StoreError> {
        // Whoever writes does not read through a session for it.
        let turn: Option<String> = self
            .look(move |connection| {
                let sql = "SELECT body ->> '$.turn_id' FROM events WHERE session_id = ?1
                               AND event_type IN ('turn.start', 'input_transcript.final')
                               AND body ->> '$.payload.in_reply_to' = ?2 LIMIT 1";
                let mut query = connection.prepare_cached(sql)?;
                let found = query.query_row(params![session.to_string(), name], |row| row.get(0));
                Ok(found.optional()?)
            })
            .await?;
        let Some(turn) = turn else { return Ok(()) };
        self.writer
            .write(move |connection| {
                let sql = "UPDATE turns SET dedupe_hits = dedupe_hits + 1 WHERE turn_id = ?1";
                connection.prepare_cached(sql)?.execute([&turn])?;
                Ok(())
            })
            .await
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
