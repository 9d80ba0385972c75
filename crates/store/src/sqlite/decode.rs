//! Rows become values here and nowhere else; a bad one names its table and column.

use std::str::FromStr;

use brain::SessionId;
use jiff::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::rows::ToolRunState;
use crate::{SessionRow, StoreError, ToolRunRow, TurnRow};

/// A value as JSON text.
pub(super) fn spelled(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our own types have a JSON form")
}

/// The bare name of a plain enum value: `voice`, not `"voice"`.
pub(super) fn name_of(value: &impl Serialize) -> String {
    spelled(value).trim_matches('"').to_owned()
}

pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    key: &str,
    decode: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query([key])?;
    let mut values = Vec::new();
    while let Some(row) = rows.next()? {
        values.push(decode(row)?);
    }
    Ok(values)
}

pub(super) fn session(session: SessionId, row: &Row<'_>) -> Result<SessionRow, StoreError> {
    let t = "sessions";
    Ok(SessionRow {
        session,
        user: parsed(row, 0, t, "user_id")?,
        agent: row.get(1)?,
        thread: parsed(row, 2, t, "thread_id")?,
        created_at: time(row, 3, t, "created_at")?,
        epoch: number(row, 4)?,
        last_seq: number(row, 5)?,
    })
}

pub(super) fn turn(row: &Row<'_>) -> Result<TurnRow, StoreError> {
    let t = "turns";
    Ok(TurnRow {
        turn: parsed(row, 0, t, "turn_id")?,
        session: parsed(row, 1, t, "session_id")?,
        input_mode: named(row, 2, t, "input_mode")?,
        state: named(row, 3, t, "state")?,
        mode: present(row, 4)?.then(|| json(row, 4, t, "mode")).transpose()?,
        outcome: present(row, 5)?.then(|| named(row, 5, t, "outcome")).transpose()?,
        error_code: row.get(6)?,
        trace: parsed(row, 7, t, "trace_id")?,
        request: parsed(row, 8, t, "request_id")?,
        started_at: time(row, 9, t, "started_at")?,
        ended_at: present(row, 10)?.then(|| time(row, 10, t, "ended_at")).transpose()?,
        first_event_us: present(row, 11)?.then(|| number(row, 11)).transpose()?,
        first_token_us: present(row, 12)?.then(|| number(row, 12)).transpose()?,
        turn_seq: number(row, 13)?,
    })
}

pub(super) fn tool_run(row: &Row<'_>) -> Result<ToolRunRow, StoreError> {
    let t = "tool_runs";
    let state = match row.get_ref(6)?.as_str().unwrap_or_default() {
        "running" => ToolRunState::Running,
        "done" => ToolRunState::Done,
        "failed" => ToolRunState::Failed,
        other => return Err(corrupt(t, "state", other)),
    };
    Ok(ToolRunRow {
        call: parsed(row, 0, t, "call_id")?,
        turn: parsed(row, 1, t, "turn_id")?,
        session: parsed(row, 2, t, "session_id")?,
        tool: row.get(3)?,
        level: named(row, 4, t, "action_level")?,
        idempotency_key: row.get(5)?,
        state,
        error_code: row.get(7)?,
        started_at: time(row, 8, t, "started_at")?,
        took_us: present(row, 9)?.then(|| number(row, 9)).transpose()?,
    })
}

pub(super) fn json<T: DeserializeOwned>(
    row: &Row<'_>,
    at: usize,
    table: &'static str,
    column: &'static str,
) -> Result<T, StoreError> {
    let text: String = row.get(at)?;
    serde_json::from_str(&text).map_err(|error| corrupt(table, column, &error.to_string()))
}

fn named<T: DeserializeOwned>(
    row: &Row<'_>,
    at: usize,
    table: &'static str,
    column: &'static str,
) -> Result<T, StoreError> {
    let text: String = row.get(at)?;
    serde_json::from_value(text.into()).map_err(|error| corrupt(table, column, &error.to_string()))
}

fn parsed<T: FromStr<Err: ToString>>(
    row: &Row<'_>,
    at: usize,
    table: &'static str,
    column: &'static str,
) -> Result<T, StoreError> {
    let text: String = row.get(at)?;
    text.parse().map_err(|error: T::Err| corrupt(table, column, &error.to_string()))
}

fn time(
    row: &Row<'_>,
    at: usize,
    table: &'static str,
    column: &'static str,
) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(row.get(at)?)
        .map_err(|error| corrupt(table, column, &error.to_string()))
}

fn number(row: &Row<'_>, at: usize) -> Result<u64, StoreError> {
    Ok(i64::column_result(row.get_ref(at)?).map_err(rusqlite::Error::from)?.unsigned_abs())
}

fn present(row: &Row<'_>, at: usize) -> Result<bool, StoreError> {
    Ok(row.get_ref(at)? != rusqlite::types::ValueRef::Null)
}

fn corrupt(table: &'static str, column: &'static str, reason: &str) -> StoreError {
    StoreError::Corrupt { table, column, reason: reason.to_owned() }
}
