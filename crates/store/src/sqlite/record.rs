//! The record of a data folder, for whoever looks into it: read from the file itself,
//! also while a server is writing to it, and never written to.

use std::path::Path;

use brain::audit::Entry;
use brain::{Action, CallId, Confirmation, Envelope, Seal, SessionId, TurnId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::decode::{self, parsed};
use super::turns::{TOOL_RUN_COLUMNS, TURN_COLUMNS};
use super::{audit, costs, prepare, say_so};
use crate::{SessionRow, SpentRow, StoreError, ToolRunRow, TurnRow};

/// What is kept in one SQLite file.
pub struct Record {
    connection: Connection,
}

/// All that is kept of one session.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    pub session: SessionRow,
    pub events: Vec<Envelope>,
    pub turns: Vec<TurnRow>,
    pub tool_runs: Vec<ToolRunRow>,
    /// Every revision.
    pub confirmations: Vec<Confirmation>,
    pub actions: Vec<Action>,
    pub audit: Vec<Entry>,
}

impl Record {
    /// Opens a file that is there; makes none and changes none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        prepare(&connection)?;
        Ok(Self { connection })
    }

    /// The lines after number `after`, in order, `limit` at most.
    pub fn lines(&self, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
        audit::page(&self.connection, after, limit)
    }

    /// The last line that was let go, where the audit does not begin at its origin.
    pub fn anchor(&self) -> Result<Option<(u64, Seal)>, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'audit_anchor')";
        // A file that no newer Sayso has opened yet has none.
        let has_one = self.connection.query_row(sql, [], |row| row.get(0))?;
        if has_one { audit::anchor(&self.connection) } else { Ok(None) }
    }

    /// What models have cost since then, by person; who spent most comes first.
    pub fn spent(&self, since: Timestamp) -> Result<Vec<SpentRow>, StoreError> {
        costs::sums(&self.connection, None, since)
    }

    /// All that is kept of a session, as it is at one moment.
    pub fn session(&self, session: SessionId) -> Result<Option<Told>, StoreError> {
        let connection = &self.connection;
        let _one_moment = connection.unchecked_transaction()?;
        let id = session.to_string();
        let sql = "SELECT user_id, agent, thread_id, created_at, epoch, last_seq, temporary
                   FROM sessions WHERE session_id = ?1";
        let row = decode::one(connection, sql, &id, |row| decode::session(session, row))?;
        let Some(row) = row else { return Ok(None) };
        let sql = "SELECT body FROM events WHERE session_id = ?1 ORDER BY seq";
        let events = decode::all(connection, sql, &id, decode::event)?;
        let mut told = Told {
            session: row,
            events,
            turns: Vec::new(),
            tool_runs: Vec::new(),
            confirmations: Vec::new(),
            actions: Vec::new(),
            audit: Vec::new(),
        };
        let mut turns: Vec<_> = told.events.iter().filter_map(|event| event.turn_id).collect();
        turns.sort_unstable();
        turns.dedup();
        turns.into_iter().try_for_each(|turn| told.add(connection, turn))?;
        let sql = "SELECT number, body, hash FROM audit WHERE body ->> '$.session' = ?1
                   ORDER BY number";
        told.audit = decode::all(connection, sql, &id, decode::entry)?;
        Ok(Some(told))
    }

    /// The sessions of a person, oldest first.
    pub fn sessions_of(&self, user: UserId) -> Result<Vec<SessionId>, StoreError> {
        let sql = "SELECT session_id FROM sessions WHERE user_id = ?1
                   ORDER BY created_at, session_id";
        decode::all(&self.connection, sql, &user.to_string(), |row| {
            parsed(row, 0, "sessions", "session_id")
        })
    }

    /// The lines about a person, in order.
    pub fn lines_of(&self, user: UserId) -> Result<Vec<Entry>, StoreError> {
        let sql = "SELECT number, body, hash FROM audit WHERE body ->> '$.user' = ?1
                   ORDER BY number";
        decode::all(&self.connection, sql, &user.to_string(), decode::entry)
    }

    /// In which session a tool was called.
    pub fn session_of_call(&self, call: CallId) -> Result<Option<SessionId>, StoreError> {
        let sql = "SELECT session_id FROM tool_runs WHERE call_id = ?1 LIMIT 1";
        let found: Option<String> =
            self.connection.query_row(sql, [call.to_string()], |row| row.get(0)).optional()?;
        let bad = |error: brain::ids::NotAnId| StoreError::Corrupt {
            table: "tool_runs",
            column: "session_id",
            reason: error.to_string(),
        };
        found.map(|id| id.parse().map_err(bad)).transpose()
    }

    /// What happened last, whoever it is about.
    pub fn newest(&self) -> Result<Option<Envelope>, StoreError> {
        let sql = "SELECT body FROM events ORDER BY rowid DESC LIMIT 1";
        let mut query = self.connection.prepare_cached(sql)?;
        let mut rows = query.query([])?;
        rows.next()?.map(decode::event).transpose()
    }
}

impl Told {
    fn add(&mut self, connection: &Connection, turn: TurnId) -> Result<(), StoreError> {
        let id = turn.to_string();
        let sql = format!("SELECT {TURN_COLUMNS} FROM turns WHERE turn_id = ?1");
        self.turns.extend(decode::one(connection, &sql, &id, decode::turn)?);
        let sql = format!(
            "SELECT {TOOL_RUN_COLUMNS} FROM tool_runs WHERE turn_id = ?1
             ORDER BY started_at, call_id"
        );
        self.tool_runs.append(&mut decode::all(connection, &sql, &id, decode::tool_run)?);
        self.confirmations.append(&mut say_so::confirmations_of(connection, &id)?);
        self.actions.append(&mut say_so::actions_of(connection, &id)?);
        Ok(())
    }
}
