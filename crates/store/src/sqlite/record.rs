//! The audit of a data folder, for whoever checks it: read from the file itself,
//! also while a server is writing to it, and never written to.

use std::path::Path;

use brain::audit::Entry;
use rusqlite::{Connection, OpenFlags};

use super::{audit, prepare};
use crate::StoreError;

/// The lines of the audit in one SQLite file.
pub struct Record {
    connection: Connection,
}

impl Record {
    /// Opens a file that is there; makes none and changes none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        prepare(&connection)?;
        Ok(Self { connection })
    }

    /// The lines after number `after`, in order, `limit` at most.
    pub fn lines(&self, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
        audit::page(&self.connection, after, limit)
    }
}
