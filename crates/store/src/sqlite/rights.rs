//! What is somebody's, whatever table it stands in.
//!
//! Tables are asked which columns they have: one that is added later with a `user_id`
//! or a `session_id` is exported and forgotten with the others, and one without either
//! fails a test until somebody says what it holds.

use std::fmt::Write;
use std::path::Path;

use brain::audit::Line;
use brain::{FileId, UserId};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::{Map, Value};

use super::decode::{self, parsed};
use super::keeping::ids;
use super::{audit, prepare};
use crate::StoreError;

/// What was in a session is taken out of these turn by turn.
const BY_TURN: [&str; 4] = ["turns", "tool_runs", "confirmation_requests", "actions"];
/// And these are about the session itself; of its jobs, reminders are their person's.
const BY_SESSION: [&str; 5] = ["sessions", "events", "files", "leaving", "jobs"];

/// The tables that have such a column.
fn tables_with(connection: &Connection, column: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT name FROM pragma_table_list AS list
               WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                   AND EXISTS (SELECT 1 FROM pragma_table_info(list.name) WHERE name = ?1)
               ORDER BY name";
    ids(connection, sql, column)
}

/// The last of a session: whatever else names it.
pub(super) fn clear_session(connection: &Connection, session: &str) -> Result<(), StoreError> {
    for table in tables_with(connection, "session_id")? {
        let is_known = BY_TURN.iter().chain(&BY_SESSION).any(|known| *known == table);
        if !is_known {
            let sql = format!("DELETE FROM \"{table}\" WHERE session_id = ?1");
            connection.prepare_cached(&sql)?.execute([session])?;
        }
    }
    Ok(())
}

/// The last of a person, whose sessions have left: their files are named.
pub(super) fn forget(
    connection: &Connection,
    user: UserId,
    line: &Line,
) -> Result<Vec<FileId>, StoreError> {
    let user = user.to_string();
    let sql = "SELECT file_id FROM files WHERE user_id = ?1";
    let files = decode::all(connection, sql, &user, |row| parsed(row, 0, "files", "file_id"))?;
    for table in tables_with(connection, "user_id")? {
        if !BY_TURN.contains(&table.as_str()) {
            let sql = format!("DELETE FROM \"{table}\" WHERE user_id = ?1");
            connection.prepare_cached(&sql)?.execute([&user])?;
        }
    }
    audit::add(connection, std::slice::from_ref(line))?;
    Ok(files)
}

/// The rows of an SQLite file that are somebody's, read as they are at one moment.
pub struct Rows {
    connection: Connection,
}

impl Rows {
    /// Opens a file that is there, and changes nothing.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        prepare(&connection)?;
        Ok(Self { connection })
    }

    /// Every row of `user`, table by table, but for the tables in `without`.
    pub fn each<E: From<StoreError>>(
        &self,
        user: UserId,
        without: &[&str],
        mut take: impl FnMut(&str, Map<String, Value>) -> Result<(), E>,
    ) -> Result<(), E> {
        let _one_moment = self.connection.unchecked_transaction().map_err(StoreError::from)?;
        for table in tables_with(&self.connection, "user_id")? {
            if without.contains(&table.as_str()) {
                continue;
            }
            let sql = format!("SELECT * FROM \"{table}\" WHERE user_id = ?1");
            let mut query = self.connection.prepare(&sql).map_err(StoreError::from)?;
            let names: Vec<String> = query.column_names().into_iter().map(str::to_owned).collect();
            let mut rows = query.query([user.to_string()]).map_err(StoreError::from)?;
            while let Some(row) = rows.next().map_err(StoreError::from)? {
                take(&table, in_json(row, &names)?)?;
            }
        }
        Ok(())
    }
}

fn in_json(row: &Row<'_>, names: &[String]) -> Result<Map<String, Value>, StoreError> {
    let mut fields = Map::new();
    for (at, name) in names.iter().enumerate() {
        let value = match row.get_ref(at)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => number.into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Text(text) => as_it_means(&String::from_utf8_lossy(text)),
            ValueRef::Blob(bytes) => hex(bytes).into(),
        };
        fields.insert(name.clone(), value);
    }
    Ok(fields)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A list or an object that is kept as text is told as what it is.
fn as_it_means(text: &str) -> Value {
    let read = text.starts_with(['{', '[']).then(|| serde_json::from_str(text).ok()).flatten();
    read.unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::migrate;

    #[test]
    fn every_table_is_somebodys_or_known_to_be_nobodys() {
        let nobodys = ["audit", "audit_anchor", "switches"];
        let mut tables = Connection::open_in_memory().unwrap();
        migrate::up(&mut tables).unwrap();
        let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                   AND name NOT LIKE ?1";
        let mut all = ids(&tables, sql, "sqlite%").unwrap();
        for column in ["user_id", "session_id"] {
            let known = tables_with(&tables, column).unwrap();
            all.retain(|table| !known.contains(table));
        }
        all.sort();
        assert_eq!(all, nobodys, "say here and in `rights` whose rows these are");
    }
}
