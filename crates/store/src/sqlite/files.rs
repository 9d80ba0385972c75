//! What people handed over.

use async_trait::async_trait;
use brain::paper::Reading;
use brain::{FileId, SessionId, UserId};
use rusqlite::{Connection, params};

use super::decode::{self, number, parsed};
use super::{SqliteStore, signed};
use crate::{FileRow, Files, Handed, StoreError};

#[async_trait]
impl Files for SqliteStore {
    async fn hand_over(&self, file: FileRow, most: u64) -> Result<Handed, StoreError> {
        self.writer.write(move |connection| hand_over(connection, &file, most)).await
    }

    async fn file(&self, user: UserId, file: FileId) -> Result<Option<FileRow>, StoreError> {
        self.look(move |connection| {
            let found = one(connection, file)?;
            Ok(found.filter(|row| row.user == user))
        })
        .await
    }

    async fn take_back(&self, user: UserId, file: FileId) -> Result<bool, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "DELETE FROM files WHERE file_id = ?1 AND user_id = ?2";
                let whose = params![file.to_string(), user.to_string()];
                Ok(connection.prepare_cached(sql)?.execute(whose)? > 0)
            })
            .await
    }

    async fn file_bytes(&self, user: UserId) -> Result<u64, StoreError> {
        self.look(move |connection| bytes_of(connection, user)).await
    }

    async fn attach(
        &self,
        user: UserId,
        session: SessionId,
        files: Vec<FileId>,
    ) -> Result<Vec<FileRow>, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "UPDATE files SET session_id = ?1
                           WHERE file_id = ?2 AND user_id = ?3 AND session_id IS NULL";
                let mut found = Vec::new();
                for file in &files {
                    let (session, id) = (session.to_string(), file.to_string());
                    connection.prepare_cached(sql)?.execute(params![
                        session,
                        id,
                        user.to_string()
                    ])?;
                    found.extend(one(connection, *file)?.filter(|row| row.user == user));
                }
                Ok(found)
            })
            .await
    }

    async fn files_in(&self, session: SessionId, limit: u32) -> Result<Vec<FileRow>, StoreError> {
        self.look(move |connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM files WHERE session_id = ?1
                 ORDER BY created_at DESC, file_id DESC LIMIT {limit}"
            );
            let mut files = decode::all(connection, &sql, &session.to_string(), decode::file)?;
            files.reverse();
            Ok(files)
        })
        .await
    }

    async fn set_reading(&self, file: FileId, reading: Reading) -> Result<bool, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "UPDATE files SET reading = ?1, problem = ?2 WHERE file_id = ?3";
                let row = params![reading.name(), reading.problem(), file.to_string()];
                Ok(connection.prepare_cached(sql)?.execute(row)? > 0)
            })
            .await
    }

    async fn unread_files(&self) -> Result<Vec<FileRow>, StoreError> {
        self.look(move |connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM files WHERE reading = ?1 ORDER BY created_at, file_id"
            );
            decode::all(connection, &sql, Reading::Parsing.name(), decode::file)
        })
        .await
    }

    async fn file_count(&self, user: UserId) -> Result<u64, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT count(*) FROM files WHERE user_id = ?1";
            let count = decode::one(connection, sql, &user.to_string(), |row| number(row, 0))?;
            Ok(count.unwrap_or(0))
        })
        .await
    }

    async fn known_files(&self, files: Vec<FileId>) -> Result<Vec<FileId>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT file_id FROM files WHERE file_id = ?1";
            let known = |file: &FileId| {
                decode::one(connection, sql, &file.to_string(), |row| {
                    parsed(row, 0, "files", "file_id")
                })
            };
            files.iter().filter_map(|file| known(file).transpose()).collect()
        })
        .await
    }
}

/// In the order in which a row is decoded.
const COLUMNS: &str = "file_id, user_id, session_id, name, media_type, bytes, sha256, created_at,
                       reading, problem";

fn one(connection: &Connection, file: FileId) -> Result<Option<FileRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM files WHERE file_id = ?1");
    decode::one(connection, &sql, &file.to_string(), decode::file)
}

fn bytes_of(connection: &Connection, user: UserId) -> Result<u64, StoreError> {
    let sql = "SELECT coalesce(sum(bytes), 0) FROM files WHERE user_id = ?1";
    let bytes = decode::one(connection, sql, &user.to_string(), |row| number(row, 0))?;
    Ok(bytes.unwrap_or(0))
}

fn hand_over(connection: &Connection, file: &FileRow, most: u64) -> Result<Handed, StoreError> {
    let session = file.session.map(|session| session.to_string());
    if let Some(session) = &session {
        let sql = "SELECT user_id FROM sessions WHERE session_id = ?1";
        let owner: Option<UserId> =
            decode::one(connection, sql, session, |row| parsed(row, 0, "sessions", "user_id"))?;
        if owner != Some(file.user) {
            return Ok(Handed::NoSession);
        }
    }
    if bytes_of(connection, file.user)?.saturating_add(file.bytes) > most {
        return Ok(Handed::Full);
    }
    let sql = "INSERT INTO files
                   (file_id, user_id, session_id, name, media_type, bytes, sha256, created_at,
                    reading, problem)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    connection.prepare_cached(sql)?.execute(params![
        file.file.to_string(),
        file.user.to_string(),
        session,
        file.name,
        file.media_type,
        signed(file.bytes),
        file.sha256,
        file.created_at.as_microsecond(),
        file.reading.name(),
        file.reading.problem(),
    ])?;
    Ok(Handed::Kept)
}
