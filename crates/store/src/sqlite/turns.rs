//! How each turn went, and what was called in it.

use async_trait::async_trait;
use brain::{SessionId, TurnId};
use rusqlite::{Connection, OptionalExtension, params};

use super::decode::{name_of, spelled};
use super::{SqliteStore, decode, signed};
use crate::{StoreError, ToolRunRow, TurnRow, Turns, rules};

pub(super) const TOOL_RUN_COLUMNS: &str = "call_id, turn_id, session_id, tool_name, action_level,
    idempotency_key, state, error_code, started_at, took_us";
pub(super) const TURN_COLUMNS: &str =
    "turn_id, session_id, input_mode, state, mode, outcome, error_code,
    trace_id, request_id, started_at, ended_at, first_event_us, first_token_us, turn_seq, work,
    first_audio_us, thought_us, tool_us, tool_failures, fallback, dedupe_hits, drift_permille,
    tier, tier_reason";

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

pub(super) fn save_turn(connection: &Connection, turn: &TurnRow) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO turns (turn_id, session_id, input_mode, state, mode, outcome, error_code,
                   trace_id, request_id, started_at, ended_at, first_event_us, first_token_us, turn_seq,
                   work, first_audio_us, thought_us, tool_us, tool_failures, fallback,
                   drift_permille, tier, tier_reason)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18, ?19, ?20, ?21, ?22, ?23)
               ON CONFLICT (turn_id) DO UPDATE SET state = excluded.state, mode = excluded.mode,
                   outcome = excluded.outcome, error_code = excluded.error_code,
                   ended_at = excluded.ended_at, first_event_us = excluded.first_event_us,
                   first_token_us = excluded.first_token_us, turn_seq = excluded.turn_seq,
                   work = excluded.work, first_audio_us = excluded.first_audio_us,
                   thought_us = excluded.thought_us, tool_us = excluded.tool_us,
                   tool_failures = excluded.tool_failures, fallback = excluded.fallback,
                   drift_permille = excluded.drift_permille, tier = excluded.tier,
                   tier_reason = excluded.tier_reason";
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
        turn.figures.drift_permille,
        turn.figures.tier,
        turn.figures.tier_reason,
    ])?;
    Ok(())
}

/// One row for each key: a step that is taken up again has another call, and
/// stands in the place of the one that was left behind.
pub(super) fn save_tool_run(connection: &Connection, run: &ToolRunRow) -> Result<(), StoreError> {
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
