//! Sessions: begun, owned by one server at a time, and forgotten where nobody used them.

use async_trait::async_trait;
use brain::{SessionId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{SqliteStore, decode, signed};
use crate::{NUMBER_BLOCK, NewSession, Owned, SessionRow, Sessions, StoreError};

pub(super) fn create(
    connection: &Connection,
    new: &NewSession,
    temporary: bool,
) -> Result<Owned, StoreError> {
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
