//! Rows become values here and nowhere else; a bad one names its table and column.

use std::borrow::Cow;
use std::str::FromStr;

use brain::audit::Entry;
use brain::confirmation::Decided;
use brain::paper::Reading;
use brain::seal::NotASeal;
use brain::{Action, CallError, CallId, Card, Confirmation, Envelope, Seal, SessionId};
use jiff::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Row};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rows::ToolRunState;
use crate::{Figures, FileRow, SessionRow, StoreError, SwitchRow, ToolRunRow, TurnRow};

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

pub(super) fn one<T>(
    connection: &Connection,
    sql: &str,
    key: &str,
    decode: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query([key])?;
    rows.next()?.map(decode).transpose()
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
        temporary: row.get(6)?,
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
        work: present(row, 14)?.then(|| json(row, 14, t, "work")).transpose()?,
        figures: Figures {
            first_audio_us: present(row, 15)?.then(|| number(row, 15)).transpose()?,
            thought_us: present(row, 16)?.then(|| number(row, 16)).transpose()?,
            tool_us: present(row, 17)?.then(|| number(row, 17)).transpose()?,
            tool_failures: small(row, 18, t, "tool_failures")?,
            fallback: row.get(19)?,
            dedupe_hits: small(row, 20, t, "dedupe_hits")?,
            drift_permille: row.get(21)?,
            tier: row.get(22)?,
            tier_reason: row.get(23)?,
        },
    })
}

pub(super) fn tool_run(row: &Row<'_>) -> Result<ToolRunRow, StoreError> {
    let t = "tool_runs";
    let state = match row.get_ref(6)?.as_str().unwrap_or_default() {
        "running" => ToolRunState::Running,
        "done" => ToolRunState::Done,
        "failed" => ToolRunState::Failed,
        "unknown" => ToolRunState::Unknown,
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

/// What of a question has no column of its own.
#[derive(Serialize, Deserialize)]
pub(super) struct ConfirmationBody<'a> {
    pub step: usize,
    pub card: Cow<'a, Card>,
    pub decided: Option<Decided>,
}

pub(super) fn confirmation(row: &Row<'_>) -> Result<Confirmation, StoreError> {
    let t = "confirmation_requests";
    let body: ConfirmationBody<'static> = json(row, 11, t, "body")?;
    Ok(Confirmation {
        id: parsed(row, 0, t, "confirmation_id")?,
        revision: small(row, 1, t, "revision")?,
        action: parsed(row, 2, t, "action_id")?,
        session: parsed(row, 3, t, "session_id")?,
        user: parsed(row, 4, t, "user_id")?,
        turn: parsed(row, 5, t, "turn_id")?,
        tool: row.get(6)?,
        seal: parsed(row, 7, t, "payload_hash")?,
        state: named(row, 8, t, "state")?,
        asked_at: time(row, 9, t, "asked_at")?,
        expires_at: time(row, 10, t, "expires_at")?,
        step: body.step,
        card: body.card.into_owned(),
        decided: body.decided,
    })
}

/// What of a write has no column of its own.
#[derive(Serialize, Deserialize)]
pub(super) struct ActionBody<'a> {
    pub step: usize,
    pub call: CallId,
    pub args: Cow<'a, Value>,
    pub called: Cow<'a, str>,
    pub probes: u32,
    pub absent: u32,
    pub not_before: Option<Timestamp>,
    pub learnt_at: Timestamp,
    pub result: Option<Cow<'a, Value>>,
    pub error: Option<Cow<'a, CallError>>,
}

pub(super) fn action(row: &Row<'_>) -> Result<Action, StoreError> {
    let t = "actions";
    let body: ActionBody<'static> = json(row, 13, t, "body")?;
    Ok(Action {
        id: parsed(row, 0, t, "action_id")?,
        confirmation: parsed(row, 1, t, "confirmation_id")?,
        revision: small(row, 2, t, "revision")?,
        session: parsed(row, 3, t, "session_id")?,
        user: parsed(row, 4, t, "user_id")?,
        turn: parsed(row, 5, t, "turn_id")?,
        tool: row.get(6)?,
        seal: parsed(row, 7, t, "payload_hash")?,
        state: named(row, 8, t, "state")?,
        attempt: small(row, 9, t, "attempt")?,
        epoch: number(row, 10)?,
        agreed_at: time(row, 11, t, "agreed_at")?,
        told: row.get(12)?,
        step: body.step,
        call: body.call,
        args: body.args.into_owned(),
        called: body.called.into_owned(),
        probes: body.probes,
        absent: body.absent,
        not_before: body.not_before,
        learnt_at: body.learnt_at,
        result: body.result.map(Cow::into_owned),
        error: body.error.map(Cow::into_owned),
    })
}

pub(super) fn entry(row: &Row<'_>) -> Result<Entry, StoreError> {
    let t = "audit";
    Entry::read(number(row, 0)?, row.get(1)?, parsed(row, 2, t, "hash")?)
        .map_err(|error| corrupt(t, "body", &error.to_string()))
}

pub(super) fn file(row: &Row<'_>) -> Result<FileRow, StoreError> {
    let t = "files";
    Ok(FileRow {
        file: parsed(row, 0, t, "file_id")?,
        user: parsed(row, 1, t, "user_id")?,
        session: present(row, 2)?.then(|| parsed(row, 2, t, "session_id")).transpose()?,
        name: row.get(3)?,
        media_type: row.get(4)?,
        bytes: number(row, 5)?,
        sha256: row.get(6)?,
        created_at: time(row, 7, t, "created_at")?,
        reading: {
            let name: String = row.get(8)?;
            Reading::of(&name, row.get(9)?).ok_or_else(|| corrupt(t, "reading", &name))?
        },
    })
}

pub(super) fn switch(row: &Row<'_>) -> Result<SwitchRow, StoreError> {
    let tool: String = row.get(0)?;
    let since = time(row, 1, "switches", "off_since")?;
    Ok(SwitchRow { tool: (tool != super::audit::EVERY_TOOL).then_some(tool), since })
}

/// An event, from a row that holds nothing else.
pub(super) fn event(row: &Row<'_>) -> Result<Envelope, StoreError> {
    Envelope::read(row.get(0)?).map_err(|error| corrupt("events", "body", &error.to_string()))
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

pub(super) fn named<T: DeserializeOwned>(
    row: &Row<'_>,
    at: usize,
    table: &'static str,
    column: &'static str,
) -> Result<T, StoreError> {
    let text: String = row.get(at)?;
    serde_json::from_value(text.into()).map_err(|error| corrupt(table, column, &error.to_string()))
}

pub(super) fn parsed<T: FromStr<Err: ToString>>(
    row: &Row<'_>,
    at: usize,
    table: &'static str,
    column: &'static str,
) -> Result<T, StoreError> {
    let text: String = row.get(at)?;
    text.parse().map_err(|error: T::Err| corrupt(table, column, &error.to_string()))
}

/// What was said under a name, where that is known.
pub(super) fn print(row: &Row<'_>, at: usize) -> Result<Option<Seal>, StoreError> {
    let text: Option<String> = row.get(at)?;
    let read = |text: String| {
        text.parse().map_err(|error: NotASeal| corrupt("events", "print", &error.to_string()))
    };
    text.map(read).transpose()
}

pub(super) fn time(
    row: &Row<'_>,
    at: usize,
    table: &'static str,
    column: &'static str,
) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(row.get(at)?)
        .map_err(|error| corrupt(table, column, &error.to_string()))
}

pub(super) fn small(
    row: &Row<'_>,
    at: usize,
    table: &'static str,
    column: &'static str,
) -> Result<u32, StoreError> {
    u32::try_from(number(row, at)?).map_err(|error| corrupt(table, column, &error.to_string()))
}

pub(super) fn number(row: &Row<'_>, at: usize) -> Result<u64, StoreError> {
    Ok(i64::column_result(row.get_ref(at)?).map_err(rusqlite::Error::from)?.unsigned_abs())
}

pub(super) fn present(row: &Row<'_>, at: usize) -> Result<bool, StoreError> {
    Ok(row.get_ref(at)? != rusqlite::types::ValueRef::Null)
}

fn corrupt(table: &'static str, column: &'static str, reason: &str) -> StoreError {
    StoreError::Corrupt { table, column, reason: reason.to_owned() }
}
