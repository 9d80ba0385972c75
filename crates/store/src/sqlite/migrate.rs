//! Brings the tables up to date. Migrations are numbered from 1, never change
//! once released, and each is all or nothing.

use rusqlite::Connection;

use crate::StoreError;

const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/sqlite/0001_house.sql"),
    include_str!("../../migrations/sqlite/0002_say_so.sql"),
    include_str!("../../migrations/sqlite/0003_keys.sql"),
    include_str!("../../migrations/sqlite/0004_threads.sql"),
    include_str!("../../migrations/sqlite/0005_jobs.sql"),
    include_str!("../../migrations/sqlite/0006_keeping.sql"),
    include_str!("../../migrations/sqlite/0007_attachments.sql"),
    include_str!("../../migrations/sqlite/0008_speech.sql"),
    include_str!("../../migrations/sqlite/0009_watching.sql"),
    include_str!("../../migrations/sqlite/0010_prints.sql"),
    include_str!("../../migrations/sqlite/0011_models.sql"),
    include_str!("../../migrations/sqlite/0012_spending.sql"),
];

pub(super) fn up(connection: &mut Connection) -> Result<(), StoreError> {
    let done: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let done = usize::try_from(done).unwrap_or(usize::MAX);
    if done > MIGRATIONS.len() {
        return Err(StoreError::Unavailable(format!(
            "the data folder was written by a newer Sayso (tables {done}, this one knows {}); \
             start that version, or choose another folder with --data",
            MIGRATIONS.len()
        )));
    }
    for (number, migration) in (1i64..).zip(MIGRATIONS).skip(done) {
        let change = connection.transaction()?;
        change.execute_batch(migration)?;
        change.pragma_update(None, "user_version", number)?;
        change.commit()?;
    }
    Ok(())
}
