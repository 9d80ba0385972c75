//! What is not kept for ever, in the file.
//!
//! Deleting is two steps. The first is small: the session leaves everybody's sight,
//! and an owner of it can append no more. The second takes out what was in it, a
//! piece at a time, with everybody else's commits in between.

use async_trait::async_trait;
use brain::audit::Line;
use brain::{FileId, Seal, SessionId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::decode::{self, number, parsed};
use super::sessions::create;
use super::{SqliteStore, audit, rights, signed};
use crate::keeping::cut_line;
use crate::{Deleted, Forgotten, Keeping, NewSession, Owned, PIECE, StoreError};

/// Sessions that leave in one commit.
const TOGETHER: usize = 50;

#[async_trait]
impl Keeping for SqliteStore {
    async fn create_temporary(&self, new: NewSession) -> Result<Owned, StoreError> {
        self.writer.write(move |connection| create(connection, &new, true)).await
    }

    async fn end_temporary(&self, session: SessionId, line: Line) -> Result<Deleted, StoreError> {
        let ended = self.writer.write(move |connection| end(connection, session, &line)).await?;
        self.carry_out(&ended).await?;
        Ok(ended)
    }

    async fn temporary_sessions(&self) -> Result<Vec<(SessionId, UserId)>, StoreError> {
        self.look(|connection| {
            let sql = "SELECT session_id, user_id FROM sessions WHERE temporary = 1
                       ORDER BY created_at, session_id";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query([])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let t = "sessions";
                found.push((parsed(row, 0, t, "session_id")?, parsed(row, 1, t, "user_id")?));
            }
            Ok(found)
        })
        .await
    }

    async fn clear_away(&self) -> Result<bool, StoreError> {
        self.writer.write(clear_away).await
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        self.checkpoints.scrub().await
    }

    async fn expire_turns(&self, before: Timestamp, from: u64) -> Result<Option<u64>, StoreError> {
        self.writer.write(move |connection| expire_turns(connection, before, from)).await
    }

    async fn expire_sessions(&self, before: Timestamp, line: Line) -> Result<bool, StoreError> {
        self.writer.write(move |connection| expire_sessions(connection, before, &line)).await
    }

    async fn expire_files(&self, before: Timestamp) -> Result<Vec<FileId>, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "DELETE FROM files WHERE file_id IN
                               (SELECT file_id FROM files WHERE created_at < ?1 LIMIT ?2)
                           RETURNING file_id";
                files_of(connection, sql, params![before.as_microsecond(), signed(PIECE as u64)])
            })
            .await
    }

    async fn cut_audit(&self, before: Timestamp, line: Line) -> Result<u64, StoreError> {
        self.writer.write(move |connection| cut_audit(connection, before, &line)).await
    }

    async fn forget_user(&self, user: UserId, line: Line) -> Result<Forgotten, StoreError> {
        let (mut sessions, mut files) = (Vec::new(), Vec::new());
        loop {
            let line = line.clone();
            let piece =
                self.writer.write(move |connection| part_with_some(connection, user, &line));
            let Some((mut gone, mut handed)) = piece.await? else {
                return Ok(Forgotten::WriteOpen);
            };
            let is_last = gone.len() < TOGETHER;
            sessions.append(&mut gone);
            files.append(&mut handed);
            if is_last {
                break;
            }
        }
        let mut handed = self.writer.write(move |c| rights::forget(c, user, &line)).await?;
        files.append(&mut handed);
        while self.clear_away().await? {}
        Ok(Forgotten::Gone { sessions, files })
    }
}

impl SqliteStore {
    /// Takes out what was in sessions that have just left.
    pub(super) async fn carry_out(&self, deleted: &Deleted) -> Result<(), StoreError> {
        if matches!(deleted, Deleted::Gone { .. }) {
            while self.clear_away().await? {}
            self.checkpoints.scrub_soon();
        }
        Ok(())
    }
}

/// The session leaves everybody's sight; the files that were handed over there go.
pub(super) fn part_with(
    connection: &Connection,
    session: &str,
    line: &Line,
) -> Result<(SessionId, Vec<FileId>), StoreError> {
    let id = session.parse().map_err(|error: brain::ids::NotAnId| StoreError::Corrupt {
        table: "sessions",
        column: "session_id",
        reason: error.to_string(),
    })?;
    let handed = "DELETE FROM files WHERE session_id = ?1 RETURNING file_id";
    let files = files_of(connection, handed, [session])?;
    for sql in [
        "INSERT INTO leaving (session_id) VALUES (?1) ON CONFLICT DO NOTHING",
        "DELETE FROM threads WHERE EXISTS (SELECT 1 FROM sessions
             WHERE session_id = ?1 AND user_id = threads.user_id
                 AND thread_id = threads.thread_id)
             AND NOT EXISTS (SELECT 1 FROM sessions
                 WHERE session_id <> ?1 AND user_id = threads.user_id
                     AND thread_id = threads.thread_id)",
        // Its work goes with it; reminders are their person's.
        "DELETE FROM jobs WHERE session_id = ?1 AND lane = 'work'",
        "DELETE FROM sessions WHERE session_id = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([session])?;
    }
    audit::add(connection, &[Line { session: Some(id), ..line.clone() }])?;
    Ok((id, files))
}

fn files_of(
    connection: &Connection,
    sql: &str,
    which: impl rusqlite::Params,
) -> Result<Vec<FileId>, StoreError> {
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query(which)?;
    let mut files = Vec::new();
    while let Some(row) = rows.next()? {
        files.push(parsed(row, 0, "files", "file_id")?);
    }
    Ok(files)
}

/// Something was agreed to there, and is not settled.
pub(super) fn has_open_write(connection: &Connection, session: &str) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM actions WHERE session_id = ?1 AND settled = 0)";
    Ok(connection.prepare_cached(sql)?.query_row([session], |row| row.get(0))?)
}

fn end(connection: &Connection, session: SessionId, line: &Line) -> Result<Deleted, StoreError> {
    let id = session.to_string();
    let sql = "SELECT EXISTS (SELECT 1 FROM sessions WHERE session_id = ?1 AND temporary = 1)";
    if !connection.prepare_cached(sql)?.query_row([&id], |row| row.get(0))? {
        return Ok(Deleted::Unknown);
    }
    if has_open_write(connection, &id)? {
        return Ok(Deleted::WriteOpen);
    }
    let (session, files) = part_with(connection, &id, line)?;
    Ok(Deleted::Gone { sessions: vec![session], files })
}

/// One piece of one session that has left.
fn clear_away(connection: &Connection) -> Result<bool, StoreError> {
    let sql = "SELECT session_id FROM leaving LIMIT 1";
    let session: Option<String> =
        connection.prepare_cached(sql)?.query_row([], |row| row.get(0)).optional()?;
    let Some(session) = session else { return Ok(false) };
    let sql = "SELECT rowid, body ->> '$.turn_id' FROM events WHERE session_id = ?1
               ORDER BY seq LIMIT ?2";
    let piece: Vec<(i64, Option<String>)> = connection
        .prepare_cached(sql)?
        .query_map(params![session, signed(PIECE as u64)], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut turns: Vec<_> = piece.iter().filter_map(|(_, turn)| turn.as_deref()).collect();
    turns.dedup();
    turns.into_iter().try_for_each(|turn| take_out_turn(connection, turn))?;
    let mut take_out = connection.prepare_cached("DELETE FROM events WHERE rowid = ?1")?;
    for (place, _) in &piece {
        take_out.execute([place])?;
    }
    if piece.len() < PIECE {
        rights::clear_session(connection, &session)?;
        connection
            .prepare_cached("DELETE FROM leaving WHERE session_id = ?1")?
            .execute([session])?;
    }
    Ok(true)
}

/// All that was kept of a turn besides its events.
fn take_out_turn(connection: &Connection, turn: &str) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM tool_runs WHERE turn_id = ?1",
        "DELETE FROM confirmation_requests WHERE turn_id = ?1",
        "DELETE FROM actions WHERE turn_id = ?1",
        "DELETE FROM turns WHERE turn_id = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([turn])?;
    }
    Ok(())
}

/// An event that may be too old: its place, session, turn and time, and whether it is a message.
type Old = (i64, String, Option<String>, String, bool);

/// Rows of events come in the order of time, so the oldest are the first; a clock that was
/// set back mixes them only a little. Behind a whole piece of younger ones is nothing old.
fn expire_turns(
    connection: &Connection,
    before: Timestamp,
    from: u64,
) -> Result<Option<u64>, StoreError> {
    let sql = "SELECT rowid, session_id, body ->> '$.turn_id', body ->> '$.ts',
                   event_type IN ('input_transcript.final', 'assistant_text.final')
               FROM events WHERE rowid > ?1 ORDER BY rowid LIMIT ?2";
    let piece: Vec<Old> = connection
        .prepare_cached(sql)?
        .query_map(params![signed(from), signed(PIECE as u64)], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        })?
        .collect::<Result<_, _>>()?;
    let mut some_are_old = false;
    for (place, session, turn, ts, is_message) in &piece {
        if ts.parse().is_ok_and(|ts: Timestamp| ts >= before) {
            continue;
        }
        some_are_old = true;
        if !turn.as_deref().map_or(Ok(true), |turn| is_over(connection, turn, before))? {
            continue;
        }
        turn.iter().try_for_each(|turn| take_out_turn(connection, turn))?;
        connection.prepare_cached("DELETE FROM events WHERE rowid = ?1")?.execute([place])?;
        let sql = "UPDATE sessions SET messages = max(0, messages - ?2) WHERE session_id = ?1";
        connection.prepare_cached(sql)?.execute(params![session, is_message])?;
    }
    let last = piece.last().filter(|_| piece.len() == PIECE && some_are_old);
    Ok(last.map(|(place, ..)| place.unsigned_abs()))
}

/// It ended before then, or is gone already; and nothing in it is open.
fn is_over(connection: &Connection, turn: &str, before: Timestamp) -> Result<bool, StoreError> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM turns
                   WHERE turn_id = ?1 AND coalesce(ended_at >= ?2, 1))
               AND NOT EXISTS (SELECT 1 FROM actions WHERE turn_id = ?1 AND settled = 0)";
    let asked = params![turn, before.as_microsecond()];
    Ok(connection.prepare_cached(sql)?.query_row(asked, |row| row.get(0))?)
}

fn expire_sessions(
    connection: &Connection,
    before: Timestamp,
    line: &Line,
) -> Result<bool, StoreError> {
    let sql = "SELECT session_id, user_id FROM sessions
               WHERE messages = 0 AND max(coalesce(said_at, 0), created_at) < ?1
                   AND NOT EXISTS (SELECT 1 FROM events
                       WHERE events.session_id = sessions.session_id)
                   AND NOT EXISTS (SELECT 1 FROM turns
                       WHERE turns.session_id = sessions.session_id AND ended_at IS NULL)
               LIMIT ?2";
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query(params![before.as_microsecond(), signed(TOGETHER as u64)])?;
    let mut empty: Vec<(String, UserId)> = Vec::new();
    while let Some(row) = rows.next()? {
        empty.push((row.get(0)?, parsed(row, 1, "sessions", "user_id")?));
    }
    for (session, user) in &empty {
        part_with(connection, session, &Line { user: *user, ..line.clone() })?;
    }
    Ok(empty.len() == TOGETHER)
}

fn cut_audit(connection: &Connection, before: Timestamp, line: &Line) -> Result<u64, StoreError> {
    let sql = "SELECT number, hash, body ->> '$.at' FROM audit ORDER BY number LIMIT ?1";
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query([signed(PIECE as u64)])?;
    let (mut cut, mut last): (u64, Option<(u64, Seal)>) = (0, None);
    while let Some(row) = rows.next()? {
        let at: String = row.get(2)?;
        if !at.parse().is_ok_and(|at: Timestamp| at < before) {
            break;
        }
        (cut, last) = (cut + 1, Some((number(row, 0)?, parsed(row, 1, "audit", "hash")?)));
    }
    let Some((number, hash)) = last else { return Ok(0) };
    // The line comes first: while there is none behind them, the oldest are the end too.
    audit::add(connection, &[cut_line(line, number, &hash)])?;
    let sql = "INSERT INTO audit_anchor (only_one, number, hash) VALUES (1, ?1, ?2)
               ON CONFLICT (only_one) DO UPDATE
                   SET number = excluded.number, hash = excluded.hash";
    connection.prepare_cached(sql)?.execute(params![signed(number), hash.to_string()])?;
    let sql = "DELETE FROM audit WHERE number <= ?1";
    connection.prepare_cached(sql)?.execute([signed(number)])?;
    Ok(cut)
}

/// Some of a person's sessions leave, or none where a write of theirs is under way.
#[expect(clippy::type_complexity, reason = "two lists, or neither")]
fn part_with_some(
    connection: &Connection,
    user: UserId,
    line: &Line,
) -> Result<Option<(Vec<SessionId>, Vec<FileId>)>, StoreError> {
    let user = user.to_string();
    let sql = "SELECT EXISTS (SELECT 1 FROM actions WHERE user_id = ?1 AND settled = 0
                   AND state NOT IN ('confirmed', 'failed_clean', 'reconciled_done', 'needs_user'))";
    if connection.prepare_cached(sql)?.query_row([&user], |row| row.get(0))? {
        return Ok(None);
    }
    let sql = "SELECT session_id FROM sessions WHERE user_id = ?1 LIMIT ?2";
    let sessions: Vec<String> = connection
        .prepare_cached(sql)?
        .query_map(params![user, signed(TOGETHER as u64)], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let (mut gone, mut files) = (Vec::new(), Vec::new());
    for session in &sessions {
        // Nobody is left who could be told how it ended.
        let sql = "UPDATE actions SET settled = 1, told = 1 WHERE session_id = ?1 AND settled = 0";
        connection.prepare_cached(sql)?.execute([session])?;
        let (id, mut handed) = part_with(connection, session, line)?;
        gone.push(id);
        files.append(&mut handed);
    }
    Ok(Some((gone, files)))
}

/// The rows of one column, for whoever looks through a table.
pub(super) fn ids(
    connection: &Connection,
    sql: &str,
    key: &str,
) -> Result<Vec<String>, StoreError> {
    decode::all(connection, sql, key, |row| Ok(row.get(0)?))
}
