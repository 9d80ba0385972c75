//! What operators ask, on a connection of its own: they wait for one another, and hold up
//! nobody who talks.

use async_trait::async_trait;
use brain::confirmation::Decided;
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::decode::{self, json, named, number, present, small, time};
use super::turns::TURN_COLUMNS;
use super::{SqliteStore, audit, signed};
use crate::watch::{Gathering, LINES_LOOKED_AT, one_in};
use crate::{
    AuditFound, AuditReach, AuditWanted, CardGlance, Glance, Sample, StoreError, ToolUse, Watch,
};

/// A session that was deleted is nobody's business any more, though some of it may still
/// be on its way out.
const STILL_HERE: &str = "session_id NOT IN (SELECT session_id FROM leaving)";

#[async_trait]
impl Watch for SqliteStore {
    async fn glance(
        &self,
        since: Timestamp,
        now: Timestamp,
        most: u32,
        tool: Option<String>,
    ) -> Result<Glance, StoreError> {
        self.watchers
            .look(move |connection| {
                let _one_moment = connection.unchecked_transaction()?;
                let while_of = While { connection, since, now, most, tool };
                while_of.glance()
            })
            .await
    }

    async fn audit_back(&self, wanted: AuditWanted) -> Result<AuditFound, StoreError> {
        self.watchers
            .look(move |connection| {
                let _one_moment = connection.unchecked_transaction()?;
                audit_back(connection, wanted)
            })
            .await
    }

    async fn audit_reach(&self) -> Result<AuditReach, StoreError> {
        self.watchers
            .look(|connection| {
                let _one_moment = connection.unchecked_transaction()?;
                let anchor = audit::anchor(connection)?;
                let last = audit::last(connection)?.map_or(0, |(number, _)| number);
                Ok(AuditReach { anchor, last })
            })
            .await
    }
}

/// One kind of what happens: where it stands, its time, and whether it is about tool `?3`.
#[derive(Clone, Copy)]
struct Kind {
    table: &'static str,
    at: &'static str,
    about: &'static str,
}

const TURNS: Kind = Kind {
    table: "turns",
    at: "started_at",
    about: "(?3 IS NULL
        OR EXISTS (SELECT 1 FROM tool_runs AS used
                   WHERE used.turn_id = turns.turn_id AND used.tool_name = ?3)
        OR EXISTS (SELECT 1 FROM confirmation_requests AS asked
                   WHERE asked.turn_id = turns.turn_id AND asked.tool_name = ?3))",
};
const TOOL_RUNS: Kind =
    Kind { table: "tool_runs", at: "started_at", about: "(?3 IS NULL OR tool_name = ?3)" };
const CARDS: Kind = Kind {
    table: "confirmation_requests",
    at: "asked_at",
    about: "(?3 IS NULL OR tool_name = ?3)",
};

struct While<'a> {
    connection: &'a Connection,
    since: Timestamp,
    now: Timestamp,
    most: u32,
    tool: Option<String>,
}

impl While<'_> {
    fn glance(&self) -> Result<Glance, StoreError> {
        let turns = TURN_COLUMNS.replace("work,", "NULL AS work,");
        // Spelled like the partial index, so that what is over is not passed.
        let sql = "SELECT count(*) FROM jobs
                   WHERE state IN ('queued', 'running') AND state = 'queued' AND wake_at <= ?1";
        let jobs_waiting = self.connection.query_row(sql, [self.now.as_microsecond()], count)?;
        let sql = "SELECT count(*) FROM jobs
                   WHERE state IN ('queued', 'running') AND state = 'running'";
        let jobs_running = self.connection.query_row(sql, [], count)?;
        Ok(Glance {
            turns: self.sample(TURNS, &turns, decode::turn)?,
            tools: self.sample(TOOL_RUNS, TOOL_USE, tool_use)?,
            cards: self.sample(CARDS, CARD, card)?,
            jobs_waiting,
            jobs_running,
        })
    }

    /// Which milliseconds divide by a small number has nothing to do with what happened
    /// in them. Microseconds would not do: a clock may not tell them.
    fn sample<T>(
        &self,
        Kind { table, at, about }: Kind,
        columns: &str,
        decode: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Sample<T>, StoreError> {
        let (since, now) = (self.since.as_microsecond(), self.now.as_microsecond());
        let sql = format!("SELECT count(*) FROM {table} WHERE {at} BETWEEN ?1 AND ?2 AND {about}");
        let total = self
            .connection
            .prepare_cached(&sql)?
            .query_row(params![since, now, self.tool], count)?;
        let one_in = one_in(total, self.most);
        let sql = format!(
            "SELECT {columns} FROM {table}
             WHERE {at} BETWEEN ?1 AND ?2 AND {about} AND ({at} / 1000) % ?4 = 0 AND {STILL_HERE}
             ORDER BY {at} LIMIT ?5"
        );
        let mut query = self.connection.prepare_cached(&sql)?;
        // Twice as many fit, should more of them divide than one would expect.
        let most = i64::from(self.most) * 2;
        let mut found = query.query(params![since, now, self.tool, signed(one_in), most])?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            rows.push(decode(row)?);
        }
        Ok(Sample { total, one_in, rows })
    }
}

fn count(row: &Row<'_>) -> rusqlite::Result<u64> {
    row.get::<_, i64>(0).map(i64::unsigned_abs)
}

const TOOL_USE: &str = "tool_name, action_level, state, took_us,
    (SELECT max(attempt) FROM actions WHERE actions.turn_id = tool_runs.turn_id
         AND actions.body ->> '$.call' = tool_runs.call_id),
    coalesce((SELECT dedupe_hits FROM turns WHERE turns.turn_id = tool_runs.turn_id), 0)";

fn tool_use(row: &Row<'_>) -> Result<ToolUse, StoreError> {
    let t = "tool_runs";
    let attempts = present(row, 4)?.then(|| small(row, 4, "actions", "attempt")).transpose()?;
    Ok(ToolUse {
        tool: row.get(0)?,
        level: named(row, 1, t, "action_level")?,
        state: named(row, 2, t, "state")?,
        took_us: present(row, 3)?.then(|| number(row, 3)).transpose()?,
        retries: attempts.map(|attempts| attempts.saturating_sub(1)),
        dedupe_hits: small(row, 5, "turns", "dedupe_hits")?,
    })
}

const CARD: &str = "revision, tool_name, state, asked_at, body -> '$.decided'";

fn card(row: &Row<'_>) -> Result<CardGlance, StoreError> {
    let t = "confirmation_requests";
    let decided: Option<Decided> =
        present(row, 4)?.then(|| json(row, 4, t, "body")).transpose()?.flatten();
    Ok(CardGlance {
        revision: small(row, 0, t, "revision")?,
        tool: row.get(1)?,
        state: named(row, 2, t, "state")?,
        asked_at: time(row, 3, t, "asked_at")?,
        decided,
    })
}

fn audit_back(connection: &Connection, wanted: AuditWanted) -> Result<AuditFound, StoreError> {
    let sql = "SELECT coalesce(min(number), 0) FROM audit";
    let first = connection.prepare_cached(sql)?.query_row([], count)?;
    let sql = "SELECT number, body, hash FROM audit WHERE number < ?1
               ORDER BY number DESC LIMIT ?2";
    let mut query = connection.prepare_cached(sql)?;
    let before = wanted.before.map_or(i64::MAX, signed);
    let mut rows = query.query(params![before, LINES_LOOKED_AT])?;
    let mut gathering = Gathering::new(wanted);
    while let Some(row) = rows.next()? {
        if !gathering.take(decode::entry(row)?) {
            break;
        }
    }
    Ok(gathering.done(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::migrate;

    #[test]
    fn who_asks_for_a_while_does_not_pass_what_was_before_it() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate::up(&mut connection).unwrap();
        for (Kind { table, at, about }, index) in [
            (TURNS, "turns_by_time"),
            (TOOL_RUNS, "tool_runs_by_time"),
            (CARDS, "confirmations_by_time"),
        ] {
            let sql = format!(
                "EXPLAIN QUERY PLAN SELECT turn_id FROM {table} WHERE {at} BETWEEN ?1 AND ?2
                 AND {about} AND ({at} / 1000) % 3 = 0 AND {STILL_HERE} ORDER BY {at} LIMIT 5"
            );
            let asked = params![1, 2, "gmail.send"];
            let way: String = connection.query_row(&sql, asked, |row| row.get(3)).unwrap();
            assert!(way.starts_with(&format!("SEARCH {table} USING")), "{way}");
            assert!(way.contains(&format!("INDEX {index} ({at}>? AND {at}<?)")), "{way}");
        }
    }
}
