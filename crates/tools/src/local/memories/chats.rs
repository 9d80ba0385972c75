//! What memory knows of single conversations: which it stays out of, and what it
//! has offered to keep.

use brain::{Seal, SessionId, UserId};
use rusqlite::Connection;
use serde_json::json;

use crate::local::Personal;
use crate::local::db::StoreError;
use crate::text;
use crate::tool::{Caller, ToolError};

impl Personal {
    /// Memory stays out of this conversation from now on, or no longer.
    pub async fn pause_memory(
        &self,
        user: UserId,
        session: SessionId,
        paused: bool,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.db
            .run(move |connection| {
                let (user, session) = (user.to_string(), session.to_string());
                if paused {
                    let sql = "INSERT INTO memory_pauses (user_id, session_id, paused_at) \
                               VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
                    connection.execute(sql, (user, session, now_ms))?;
                } else {
                    let sql = "DELETE FROM memory_pauses WHERE user_id = ?1 AND session_id = ?2";
                    connection.execute(sql, (user, session))?;
                }
                Ok(())
            })
            .await
    }

    /// Every conversation that memory stays out of.
    pub async fn paused_chats(&self) -> Result<Vec<(UserId, SessionId)>, StoreError> {
        self.db
            .run(move |connection| {
                let mut found =
                    connection.prepare("SELECT user_id, session_id FROM memory_pauses")?;
                let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let ids = |(user, session): (String, String)| {
                    Some((user.parse().ok()?, session.parse().ok()?))
                };
                let rows: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
                Ok(rows.into_iter().filter_map(ids).collect())
            })
            .await
    }

    pub async fn is_memory_paused(
        &self,
        user: UserId,
        session: SessionId,
    ) -> Result<bool, StoreError> {
        self.db
            .run(move |connection| {
                let sql = "SELECT EXISTS (SELECT 1 FROM memory_pauses \
                           WHERE user_id = ?1 AND session_id = ?2)";
                let bound = (user.to_string(), session.to_string());
                Ok(connection.query_row(sql, bound, |row| row.get(0))?)
            })
            .await
    }

    /// May memory be used where this is asked from? A program asks from nowhere.
    pub(crate) async fn check_memory(
        &self,
        caller: &Caller,
        tool: &'static str,
    ) -> Result<(), ToolError> {
        let Some(place) = caller.place else { return Ok(()) };
        let paused = self.is_memory_paused(caller.user, place.session).await;
        if paused.map_err(|error| error.of(tool))? { Err(ToolError::Paused) } else { Ok(()) }
    }

    /// Whether it was offered before, by an earlier step than this one.
    pub(crate) async fn offer(&self, caller: &Caller, memory: &str) -> Result<bool, StoreError> {
        let seal = Seal::of_value(&json!({ "user": caller.user, "words": text::fold(memory) }));
        let (user, key) = (caller.user, caller.idempotency_key.clone());
        let now_ms = caller.now.timestamp().as_millisecond();
        self.db.run(move |connection| offer(connection, user, seal, &key, now_ms)).await
    }
}

fn offer(
    connection: &mut Connection,
    user: UserId,
    seal: Seal,
    key: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let step = connection.transaction()?;
    step.execute(
        "INSERT INTO memory_offers (user_id, seal, key, offered_at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT DO NOTHING",
        (user.to_string(), seal.to_string(), key, now_ms),
    )?;
    let sql = "SELECT key FROM memory_offers WHERE user_id = ?1 AND seal = ?2";
    let bound = (user.to_string(), seal.to_string());
    let first: String = step.query_row(sql, bound, |row| row.get(0))?;
    step.commit()?;
    Ok(first != key)
}
