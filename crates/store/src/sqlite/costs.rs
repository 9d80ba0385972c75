//! Which models were asked, and what that cost.

use async_trait::async_trait;
use brain::{TurnId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::decode::{number, parsed, present, small, time};
use super::{SqliteStore, decode, signed};
use crate::{Costs, ModelCallRow, SpentRow, StoreError};

const COLUMNS: &str =
    "turn_id, number, user_id, asked_at, tier, provider, model, request_id, tries,
    input_tokens, cached_tokens, output_tokens, cost_micros, first_us, took_us, error_code";

#[async_trait]
impl Costs for SqliteStore {
    async fn model_calls(&self, turn: TurnId) -> Result<Vec<ModelCallRow>, StoreError> {
        self.look(move |connection| {
            let sql =
                format!("SELECT {COLUMNS} FROM model_calls WHERE turn_id = ?1 ORDER BY number");
            decode::all(connection, &sql, &turn.to_string(), call)
        })
        .await
    }

    async fn spent(
        &self,
        user: Option<UserId>,
        since: Timestamp,
    ) -> Result<Vec<SpentRow>, StoreError> {
        self.look(move |connection| sums(connection, user, since)).await
    }
}

/// What was spent since then, who spent most first.
pub(super) fn sums(
    connection: &Connection,
    user: Option<UserId>,
    since: Timestamp,
) -> Result<Vec<SpentRow>, StoreError> {
    let whose = if user.is_some() { "user_id = ?2 AND" } else { "?2 IS NULL AND" };
    let sql = format!(
        "SELECT user_id, count(*), count(error_code), sum(input_tokens),
                     sum(cached_tokens), sum(output_tokens), sum(cost_micros)
                 FROM model_calls WHERE {whose} asked_at >= ?1
                 GROUP BY user_id ORDER BY 7 DESC, user_id"
    );
    let mut query = connection.prepare_cached(&sql)?;
    let user = user.map(|user| user.to_string());
    let mut rows = query.query(params![since.as_microsecond(), user])?;
    let mut spent = Vec::new();
    while let Some(row) = rows.next()? {
        spent.push(sum(row)?);
    }
    Ok(spent)
}

pub(super) fn save(connection: &Connection, call: &ModelCallRow) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT OR REPLACE INTO model_calls ({COLUMNS})
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
    );
    connection.prepare_cached(&sql)?.execute(params![
        call.turn.to_string(),
        call.number,
        call.user.to_string(),
        call.asked_at.as_microsecond(),
        call.tier,
        call.provider,
        call.model,
        call.request_id,
        call.tries,
        signed(call.input_tokens),
        signed(call.cached_tokens),
        signed(call.output_tokens),
        signed(call.cost_micros),
        call.first_us.map(signed),
        signed(call.took_us),
        call.error_code,
    ])?;
    Ok(())
}

fn call(row: &Row<'_>) -> Result<ModelCallRow, StoreError> {
    let t = "model_calls";
    Ok(ModelCallRow {
        turn: parsed(row, 0, t, "turn_id")?,
        number: small(row, 1, t, "number")?,
        user: parsed(row, 2, t, "user_id")?,
        asked_at: time(row, 3, t, "asked_at")?,
        tier: row.get(4)?,
        provider: row.get(5)?,
        model: row.get(6)?,
        request_id: row.get(7)?,
        tries: small(row, 8, t, "tries")?,
        input_tokens: number(row, 9)?,
        cached_tokens: number(row, 10)?,
        output_tokens: number(row, 11)?,
        cost_micros: number(row, 12)?,
        first_us: present(row, 13)?.then(|| number(row, 13)).transpose()?,
        took_us: number(row, 14)?,
        error_code: row.get(15)?,
    })
}

fn sum(row: &Row<'_>) -> Result<SpentRow, StoreError> {
    Ok(SpentRow {
        user: parsed(row, 0, "model_calls", "user_id")?,
        calls: number(row, 1)?,
        failed: number(row, 2)?,
        input_tokens: number(row, 3)?,
        cached_tokens: number(row, 4)?,
        output_tokens: number(row, 5)?,
        cost_micros: number(row, 6)?,
    })
}
