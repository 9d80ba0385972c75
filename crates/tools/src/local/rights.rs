//! Everything of one person in this file: taken out, piece by piece, for good.
//!
//! Tables are asked which columns they have, so that one that is added later goes too.

use brain::UserId;
use rusqlite::{Connection, params};

use super::{Personal, StoreError};

/// Rows that go in one transaction.
const PIECE: u32 = 500;

impl Personal {
    /// Forgets a person: mails, events, contacts, memories, and what was written for them.
    /// Nothing of it can be read from the disk afterwards.
    pub async fn forget(&self, user: UserId) -> Result<u64, StoreError> {
        let user = user.to_string();
        let tables = self.db.run(|connection| tables(connection)).await?;
        let mut gone = 0;
        for table in tables {
            loop {
                let (table, user) = (table.clone(), user.clone());
                let piece = self.db.run(move |c| take_out(c, &table, &user)).await?;
                gone += u64::from(piece);
                if piece < PIECE {
                    break;
                }
            }
        }
        self.db.run(scrub).await?;
        Ok(gone)
    }
}

fn tables(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT name FROM pragma_table_list AS list \
               WHERE schema = 'main' AND type = 'table' AND EXISTS \
                   (SELECT 1 FROM pragma_table_info(list.name) WHERE name = 'user_id') \
               ORDER BY name";
    let mut query = connection.prepare(sql)?;
    let names = query.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

fn take_out(connection: &mut Connection, table: &str, user: &str) -> Result<u32, StoreError> {
    let step = connection.transaction()?;
    let sql = "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1";
    let gone = if step.query_row(sql, [table], |row| row.get(0))? {
        // Without a number of its own a row cannot be counted off; one person's stand together.
        step.execute(&format!("DELETE FROM \"{table}\" WHERE user_id = ?1"), [user])?
    } else {
        let sql = format!(
            "DELETE FROM \"{table}\" WHERE rowid IN \
                 (SELECT rowid FROM \"{table}\" WHERE user_id = ?1 LIMIT ?2)"
        );
        step.execute(&sql, params![user, PIECE])?
    };
    if gone > 0 {
        for index in indices_of(&step, table)? {
            // What stood there before is read anew from what is left.
            step.execute(&format!("INSERT INTO \"{index}\"(\"{index}\") VALUES ('rebuild')"), [])?;
        }
    }
    step.commit()?;
    Ok(u32::try_from(gone).unwrap_or(PIECE))
}

/// The indices of words that are kept beside a table.
fn indices_of(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%USING fts5%' \
               AND replace(sql, ' ', '') LIKE '%content=''' || ?1 || '''%'";
    let mut query = connection.prepare(sql)?;
    let names = query.query_map([table], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// The log file may still hold what was there before; it is emptied as soon as nobody
/// reads in it.
fn scrub(connection: &mut Connection) -> Result<(), StoreError> {
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    let is_busy: bool = connection.query_row(sql, [], |row| row.get(0))?;
    if is_busy {
        return Err(StoreError::Busy);
    }
    Ok(())
}
