//! Questions, answers, and the writes that follow from them.

use std::borrow::Cow;

use async_trait::async_trait;
use brain::{Action, ActionId, Confirmation, ConfirmationId, SessionId, TurnId, UserId};
use rusqlite::{Connection, params};

use super::decode::{self, ActionBody, ConfirmationBody, parsed, spelled};
use super::{SqliteStore, signed};
use crate::{Actions, Batch, Confirmations, StoreError, rules};

const CONFIRMATION_COLUMNS: &str = "confirmation_id, revision, action_id, session_id, user_id,
    turn_id, tool_name, payload_hash, state, asked_at, expires_at, body";

const ACTION_COLUMNS: &str = "action_id, confirmation_id, revision, session_id, user_id, turn_id,
    tool_name, payload_hash, state, attempt, epoch, agreed_at, told, body";

// What is asked again and again spells its condition as the partial indexes do,
// so that it looks through what is open and not through all there ever was.

fn open_sql() -> String {
    format!(
        "SELECT {CONFIRMATION_COLUMNS} FROM confirmation_requests
         WHERE session_id = ?1 AND state = 'pending' ORDER BY asked_at, confirmation_id"
    )
}

fn unsettled_sql() -> String {
    format!(
        "SELECT {ACTION_COLUMNS} FROM actions
         WHERE session_id = ?1 AND settled = 0 ORDER BY agreed_at, action_id"
    )
}

const RESTLESS_SQL: &str = "SELECT DISTINCT session_id, user_id FROM actions
    WHERE settled = 0 ORDER BY session_id, user_id";

#[async_trait]
impl Confirmations for SqliteStore {
    async fn confirmation(&self, id: ConfirmationId) -> Result<Option<Confirmation>, StoreError> {
        self.look(move |connection| newest(connection, id)).await
    }

    async fn open_confirmations(
        &self,
        session: SessionId,
    ) -> Result<Vec<Confirmation>, StoreError> {
        self.look(move |connection| {
            decode::all(connection, &open_sql(), &session.to_string(), decode::confirmation)
        })
        .await
    }

    async fn confirmations_of(&self, turn: TurnId) -> Result<Vec<Confirmation>, StoreError> {
        self.look(move |connection| confirmations_of(connection, &turn.to_string())).await
    }
}

#[async_trait]
impl Actions for SqliteStore {
    async fn action(&self, id: ActionId) -> Result<Option<Action>, StoreError> {
        self.look(move |connection| kept(connection, id)).await
    }

    async fn actions_of(&self, turn: TurnId) -> Result<Vec<Action>, StoreError> {
        self.look(move |connection| actions_of(connection, &turn.to_string())).await
    }

    async fn unsettled(&self, session: SessionId) -> Result<Vec<Action>, StoreError> {
        self.look(move |connection| {
            decode::all(connection, &unsettled_sql(), &session.to_string(), decode::action)
        })
        .await
    }

    async fn restless(&self) -> Result<Vec<(SessionId, UserId)>, StoreError> {
        self.look(move |connection| {
            let mut query = connection.prepare_cached(RESTLESS_SQL)?;
            let mut rows = query.query([])?;
            let mut sessions = Vec::new();
            while let Some(row) = rows.next()? {
                let session = parsed(row, 0, "actions", "session_id")?;
                sessions.push((session, parsed(row, 1, "actions", "user_id")?));
            }
            sessions.extend(super::jobs::restless(connection)?);
            sessions.sort();
            sessions.dedup();
            Ok(sessions)
        })
        .await
    }
}

/// Every revision of what was asked in a turn, in order.
pub(super) fn confirmations_of(
    connection: &Connection,
    turn: &str,
) -> Result<Vec<Confirmation>, StoreError> {
    let sql = format!(
        "SELECT {CONFIRMATION_COLUMNS} FROM confirmation_requests
         WHERE turn_id = ?1 ORDER BY asked_at, confirmation_id, revision"
    );
    decode::all(connection, &sql, turn, decode::confirmation)
}

/// The writes of a turn, in the order they were agreed to.
pub(super) fn actions_of(connection: &Connection, turn: &str) -> Result<Vec<Action>, StoreError> {
    let sql = format!(
        "SELECT {ACTION_COLUMNS} FROM actions WHERE turn_id = ?1 ORDER BY agreed_at, action_id"
    );
    decode::all(connection, &sql, turn, decode::action)
}

/// The questions and writes of a batch, inside its transaction.
pub(super) fn save(connection: &Connection, batch: &Batch) -> Result<(), StoreError> {
    for new in rules::oldest_first(&batch.confirmations) {
        let newest = newest(connection, new.id)?;
        let row = rules::confirmation(batch, newest.as_ref(), new)?;
        save_confirmation(connection, &row)?;
    }
    for new in &batch.actions {
        let asked = newest(connection, new.confirmation)?;
        rules::agreed(batch.session, asked.as_ref(), new)?;
        let kept = kept(connection, new.id)?;
        save_action(connection, &rules::action(kept.as_ref(), new)?)?;
    }
    Ok(())
}

fn newest(connection: &Connection, id: ConfirmationId) -> Result<Option<Confirmation>, StoreError> {
    let sql = format!(
        "SELECT {CONFIRMATION_COLUMNS} FROM confirmation_requests
         WHERE confirmation_id = ?1 ORDER BY revision DESC LIMIT 1"
    );
    decode::one(connection, &sql, &id.to_string(), decode::confirmation)
}

fn kept(connection: &Connection, id: ActionId) -> Result<Option<Action>, StoreError> {
    let sql = format!("SELECT {ACTION_COLUMNS} FROM actions WHERE action_id = ?1");
    decode::one(connection, &sql, &id.to_string(), decode::action)
}

fn save_confirmation(connection: &Connection, row: &Confirmation) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO confirmation_requests ({CONFIRMATION_COLUMNS})
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (confirmation_id, revision) DO UPDATE SET state = excluded.state,
             expires_at = excluded.expires_at, body = excluded.body
         WHERE state = 'pending'"
    );
    let body =
        ConfirmationBody { step: row.step, card: Cow::Borrowed(&row.card), decided: row.decided };
    let changed = connection.prepare_cached(&sql)?.execute(params![
        row.id.to_string(),
        row.revision,
        row.action.to_string(),
        row.session.to_string(),
        row.user.to_string(),
        row.turn.to_string(),
        row.tool,
        row.seal.to_string(),
        row.state.name(),
        row.asked_at.as_microsecond(),
        row.expires_at.as_microsecond(),
        spelled(&body),
    ])?;
    if changed == 0 { Err(StoreError::Decided(row.id)) } else { Ok(()) }
}

fn save_action(connection: &Connection, row: &Action) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO actions ({ACTION_COLUMNS}, settled)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
         ON CONFLICT (action_id) DO UPDATE SET state = excluded.state,
             attempt = excluded.attempt, epoch = excluded.epoch, told = excluded.told,
             body = excluded.body, settled = excluded.settled"
    );
    connection.prepare_cached(&sql)?.execute(params![
        row.id.to_string(),
        row.confirmation.to_string(),
        row.revision,
        row.session.to_string(),
        row.user.to_string(),
        row.turn.to_string(),
        row.tool,
        row.seal.to_string(),
        row.state.name(),
        row.attempt,
        signed(row.epoch),
        row.agreed_at.as_microsecond(),
        row.told,
        spelled(&body_of(row)),
        rules::is_settled(row),
    ])?;
    Ok(())
}

fn body_of(row: &Action) -> ActionBody<'_> {
    ActionBody {
        step: row.step,
        call: row.call,
        args: Cow::Borrowed(&row.args),
        called: Cow::Borrowed(&row.called),
        probes: row.probes,
        absent: row.absent,
        not_before: row.not_before,
        learnt_at: row.learnt_at,
        result: row.result.as_ref().map(Cow::Borrowed),
        error: row.error.as_ref().map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::migrate;

    fn tables() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate::up(&mut connection).unwrap();
        connection
    }

    /// The first thing SQLite does about `sql`.
    fn way_in(tables: &Connection, sql: &str) -> String {
        let mut query = tables.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let nothing = vec![rusqlite::types::Null; query.parameter_count()];
        query.query_row(rusqlite::params_from_iter(nothing), |row| row.get(3)).unwrap()
    }

    #[test]
    fn who_looks_for_what_is_open_does_not_pass_what_is_over() {
        let tables = tables();
        let ways = [&open_sql(), &unsettled_sql(), RESTLESS_SQL].map(|sql| way_in(&tables, sql));
        assert_eq!(
            ways,
            [
                "SEARCH confirmation_requests USING INDEX open_confirmations (session_id=?)",
                "SEARCH actions USING INDEX unsettled_actions (session_id=?)",
                "SCAN actions USING COVERING INDEX unsettled_actions",
            ]
        );
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%WHERE%'
                   AND tbl_name IN ('actions', 'confirmation_requests') ORDER BY name";
        let mut query = tables.prepare(sql).unwrap();
        let partial = query.query_map([], |row| row.get(0)).unwrap();
        let partial: Vec<String> = partial.collect::<Result<_, _>>().unwrap();
        assert_eq!(partial, ["one_open_revision", "open_confirmations", "unsettled_actions"]);
    }

    #[test]
    fn who_looks_for_one_finds_it_by_its_key() {
        let tables = tables();
        for (table, key) in [
            ("confirmation_requests", "confirmation_id"),
            ("confirmation_requests", "turn_id"),
            ("actions", "action_id"),
            ("actions", "turn_id"),
        ] {
            let way = way_in(&tables, &format!("SELECT body FROM {table} WHERE {key} = ?1"));
            assert!(way.starts_with(&format!("SEARCH {table} USING ")), "{way}");
        }
    }
}
