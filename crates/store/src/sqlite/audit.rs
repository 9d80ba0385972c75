//! The record of what was done in whose name, and what may not be done.
//!
//! The chain is continued inside the transaction that tells of the deed, from
//! the last line that this transaction sees: a piece of work that is undone
//! leaves no gap behind.

use async_trait::async_trait;
use brain::Seal;
use brain::audit::{Entry, Line, origin};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::decode::{self, number, parsed};
use super::{SqliteStore, signed};
use crate::{Audit, StoreError, SwitchRow, Switches};

/// How the switch of every write is called in the table; no tool has this name.
pub(super) const EVERY_TOOL: &str = "*";

#[async_trait]
impl Audit for SqliteStore {
    async fn note(&self, line: Line) -> Result<(), StoreError> {
        self.writer.write(move |connection| add(connection, std::slice::from_ref(&line))).await
    }

    async fn audit(&self, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
        self.look(move |connection| page(connection, after, limit)).await
    }
}

#[async_trait]
impl Switches for SqliteStore {
    async fn switches(&self) -> Result<Vec<SwitchRow>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT tool_name, off_since FROM switches
                       ORDER BY tool_name <> ?1, tool_name";
            decode::all(connection, sql, EVERY_TOOL, decode::switch)
        })
        .await
    }

    async fn switch(
        &self,
        tool: Option<String>,
        off_since: Option<Timestamp>,
        line: Line,
    ) -> Result<(), StoreError> {
        self.writer
            .write(move |connection| {
                set(connection, tool.as_deref().unwrap_or(EVERY_TOOL), off_since)?;
                add(connection, std::slice::from_ref(&line))
            })
            .await
    }
}

fn set(
    connection: &Connection,
    tool: &str,
    off_since: Option<Timestamp>,
) -> Result<(), StoreError> {
    if let Some(since) = off_since {
        let sql = "INSERT INTO switches (tool_name, off_since) VALUES (?1, ?2)
                   ON CONFLICT (tool_name) DO NOTHING";
        connection.prepare_cached(sql)?.execute(params![tool, since.as_microsecond()])?;
    } else {
        let sql = "DELETE FROM switches WHERE tool_name = ?1";
        connection.prepare_cached(sql)?.execute([tool])?;
    }
    Ok(())
}

/// The lines after number `after`, in order, `limit` at most.
pub(super) fn page(
    connection: &Connection,
    after: u64,
    limit: u32,
) -> Result<Vec<Entry>, StoreError> {
    let sql = "SELECT number, body, hash FROM audit WHERE number > ?1 ORDER BY number LIMIT ?2";
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query(params![signed(after), limit])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(decode::entry(row)?);
    }
    Ok(entries)
}

/// Continues the chain with `lines`.
pub(super) fn add(connection: &Connection, lines: &[Line]) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    let (mut number, mut hash) = last(connection)?.unwrap_or((0, origin()));
    let sql = "INSERT INTO audit (number, body, hash) VALUES (?1, ?2, ?3)";
    let mut insert = connection.prepare_cached(sql)?;
    for line in lines {
        number += 1;
        let entry = Entry::new(hash, number, line.clone());
        hash = entry.hash;
        insert.execute(params![signed(number), entry.text, hash.to_string()])?;
    }
    Ok(())
}

/// Where the audit begins, once its oldest lines were let go.
pub(super) fn anchor(connection: &Connection) -> Result<Option<(u64, Seal)>, StoreError> {
    place(connection, "SELECT number, hash FROM audit_anchor")
}

pub(super) fn last(connection: &Connection) -> Result<Option<(u64, Seal)>, StoreError> {
    let line = "SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1";
    Ok(place(connection, line)?.or(anchor(connection)?))
}

fn place(connection: &Connection, sql: &str) -> Result<Option<(u64, Seal)>, StoreError> {
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query([])?;
    let place = |row| Ok((number(row, 0)?, parsed(row, 1, "audit", "hash")?));
    rows.next()?.map(place).transpose()
}
