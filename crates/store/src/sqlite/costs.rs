//! Which models were asked, and what that cost.

use async_trait::async_trait;
use brain::{TurnId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::decode::{number, parsed, present, small, time};
use super::{SqliteStore, decode, signed};
use crate::{Costs, ModelCallRow, Spending, SpentRow, StoreError};

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

    async fn spending(&self, user: UserId, since: Timestamp) -> Result<Spending, StoreError> {
        self.look(move |connection| {
            let (own, all) = (user.to_string(), String::new());
            let (micros_own, tokens_own) = spending_of(connection, &own, since)?;
            let (micros_in_all, _) = spending_of(connection, &all, since)?;
            Ok(Spending { micros_own, tokens_own, micros_in_all })
        })
        .await
    }
}

/// A minute is one sum beside the calls; see the migration.
const MINUTE_US: i64 = 60_000_000;

/// Money and tokens since then, of somebody or, with an empty name, of everybody. Whole minutes
/// are sums already; of the one that the time lies in, the calls themselves are asked.
fn spending_of(
    connection: &Connection,
    whose: &str,
    since: Timestamp,
) -> Result<(u64, u64), StoreError> {
    let since = since.as_microsecond();
    // The first minute that is whole.
    let whole = since.div_euclid(MINUTE_US) + i64::from(since.rem_euclid(MINUTE_US) > 0);
    let minutes = "SELECT coalesce(sum(cost_micros), 0), coalesce(sum(tokens), 0)
         FROM spending WHERE user_id = ?1 AND minute >= ?2";
    let owner = if whose.is_empty() { "?1 = ''" } else { "user_id = ?1" };
    let calls = format!(
        "SELECT coalesce(sum(cost_micros), 0), coalesce(sum(input_tokens + output_tokens), 0)
         FROM model_calls WHERE {owner} AND asked_at >= ?2 AND asked_at < ?3"
    );
    let pair = |row: &Row<'_>| -> rusqlite::Result<(i64, i64)> { Ok((row.get(0)?, row.get(1)?)) };
    let (micros, tokens) =
        connection.prepare_cached(minutes)?.query_row(params![whose, whole], pair)?;
    let edge = params![whose, since, whole.saturating_mul(MINUTE_US)];
    let (edge_micros, edge_tokens) = connection.prepare_cached(&calls)?.query_row(edge, pair)?;
    let sum = |one: i64, other: i64| one.saturating_add(other).max(0).unsigned_abs();
    Ok((sum(micros, edge_micros), sum(tokens, edge_tokens)))
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

/// A call that is known already is written anew: its sums go with the old row.
pub(super) fn save(connection: &Connection, call: &ModelCallRow) -> Result<(), StoreError> {
    let forget = "DELETE FROM model_calls WHERE turn_id = ?1 AND number = ?2";
    connection.prepare_cached(forget)?.execute(params![call.turn.to_string(), call.number])?;
    let sql = format!(
        "INSERT INTO model_calls ({COLUMNS})
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
