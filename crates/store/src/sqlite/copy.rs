//! Copies of a file that is in use, and whether one is sound.

use std::path::Path;

use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};

use super::prepare;
use crate::StoreError;

/// What is wrong with a file, in the words of SQLite; the first few of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ailing(pub Vec<String>);

/// Problems that are told of one file.
const MOST_TOLD: usize = 5;
/// How far a copy that is put back goes ahead: whatever was seen after it was taken
/// has other numbers.
const AHEAD_EPOCHS: u32 = 1_000;
const AHEAD_NUMBERS: u32 = 1_000_000;

/// Copies a database as it is at one moment, with whoever writes to it going on.
pub fn copy_to(from: &Path, to: &Path) -> Result<(), StoreError> {
    let source = read_only(from)?;
    let mut copy = Connection::open(to)?;
    let backup = Backup::new(&source, &mut copy)?;
    // All of it in one step is one moment; pieces would begin anew after every commit.
    backup.step(-1)?;
    drop(backup);
    // One file, without a second one beside it that could be left behind.
    copy.pragma_update(None, "journal_mode", "DELETE")?;
    copy.close().map_err(|(_, error)| StoreError::from(error))
}

/// Reads a whole database and says what is wrong with it.
pub fn examine(path: &Path) -> Result<Result<(), Ailing>, StoreError> {
    let connection = read_only(path)?;
    let mut query = connection.prepare("PRAGMA integrity_check(5)")?;
    let mut rows = query.query([])?;
    let mut told = Vec::new();
    while let Some(row) = rows.next()? {
        told.push(row.get::<_, String>(0)?);
    }
    told.retain(|line| line != "ok");
    told.truncate(MOST_TOLD);
    Ok(if told.is_empty() { Ok(()) } else { Err(Ailing(told)) })
}

/// Numbers of events that were given out after the copy was taken are not given out again.
pub fn move_on(path: &Path) -> Result<(), StoreError> {
    let connection = Connection::open(path)?;
    prepare(&connection)?;
    let sql = "UPDATE sessions SET epoch = epoch + ?1, reserved_seq = reserved_seq + ?2";
    connection.execute(sql, [AHEAD_EPOCHS, AHEAD_NUMBERS])?;
    Ok(())
}

fn read_only(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_whole_while_somebody_writes_and_a_damaged_one_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("a.db"), folder.path().join("b.db"));
        let writer = Connection::open(&from).unwrap();
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer.execute_batch("CREATE TABLE words (word TEXT)").unwrap();
        for _ in 0..500 {
            writer.execute("INSERT INTO words VALUES (hex(randomblob(200)))", []).unwrap();
        }

        copy_to(&from, &to).unwrap();

        assert_eq!(examine(&to), Ok(Ok(())));
        let count = |c: &Connection| -> i64 {
            c.query_row("SELECT count(*) FROM words", [], |row| row.get(0)).unwrap()
        };
        assert_eq!(count(&Connection::open(&to).unwrap()), count(&writer));

        let mut bytes = std::fs::read(&to).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle..middle + 4096].fill(0xa5);
        std::fs::write(&to, bytes).unwrap();
        assert!(!matches!(examine(&to), Ok(Ok(()))));
    }
}
