//! What lets people in. Read anew at every request, so that a key that was
//! revoked by another process is refused from then on.

use async_trait::async_trait;
use brain::audit::Line;
use brain::{KeyId, Seal};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::decode::{self, parsed, present, time};
use super::{SqliteStore, audit};
use crate::{KeyRow, Keys, StoreError};

const COLUMNS: &str = "key_id, fingerprint, name, user_id, user_name, operator, created_at,
    expires_at, revoked_at";

#[async_trait]
impl Keys for SqliteStore {
    async fn add_key(&self, key: KeyRow, line: Line) -> Result<(), StoreError> {
        self.writer
            .write(move |connection| {
                let sql = format!(
                    "INSERT INTO keys ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                     ON CONFLICT DO NOTHING"
                );
                let added = connection.prepare_cached(&sql)?.execute(params![
                    key.key.to_string(),
                    key.fingerprint.to_string(),
                    key.name,
                    key.user.to_string(),
                    key.user_name,
                    key.operator,
                    key.created_at.as_microsecond(),
                    key.expires_at.map(Timestamp::as_microsecond),
                    key.revoked_at.map(Timestamp::as_microsecond),
                ])?;
                if added == 0 {
                    return Err(StoreError::Contradiction(format!("{} a second time", key.key)));
                }
                audit::add(connection, std::slice::from_ref(&line))
            })
            .await
    }

    async fn key(&self, key: KeyId) -> Result<Option<KeyRow>, StoreError> {
        self.look(move |connection| find(connection, "key_id", &key.to_string())).await
    }

    async fn key_with(&self, fingerprint: Seal) -> Result<Option<KeyRow>, StoreError> {
        self.look(move |connection| find(connection, "fingerprint", &fingerprint.to_string())).await
    }

    async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        self.look(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM keys ORDER BY created_at, key_id");
            let mut query = connection.prepare_cached(&sql)?;
            let mut rows = query.query([])?;
            let mut keys = Vec::new();
            while let Some(row) = rows.next()? {
                keys.push(decode_key(row)?);
            }
            Ok(keys)
        })
        .await
    }

    async fn revoke_key(
        &self,
        key: KeyId,
        at: Timestamp,
        line: Line,
    ) -> Result<Option<KeyRow>, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "UPDATE keys SET revoked_at = ?2
                           WHERE key_id = ?1 AND revoked_at IS NULL";
                let key = key.to_string();
                let changed =
                    connection.prepare_cached(sql)?.execute(params![key, at.as_microsecond()])?;
                if changed > 0 {
                    audit::add(connection, std::slice::from_ref(&line))?;
                }
                find(connection, "key_id", &key)
            })
            .await
    }
}

fn find(
    connection: &Connection,
    column: &'static str,
    wanted: &str,
) -> Result<Option<KeyRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM keys WHERE {column} = ?1");
    decode::one(connection, &sql, wanted, decode_key)
}

fn decode_key(row: &rusqlite::Row<'_>) -> Result<KeyRow, StoreError> {
    let t = "keys";
    Ok(KeyRow {
        key: parsed(row, 0, t, "key_id")?,
        fingerprint: parsed(row, 1, t, "fingerprint")?,
        name: row.get(2)?,
        user: parsed(row, 3, t, "user_id")?,
        user_name: row.get(4)?,
        operator: row.get(5)?,
        created_at: time(row, 6, t, "created_at")?,
        expires_at: present(row, 7)?.then(|| time(row, 7, t, "expires_at")).transpose()?,
        revoked_at: present(row, 8)?.then(|| time(row, 8, t, "revoked_at")).transpose()?,
    })
}
