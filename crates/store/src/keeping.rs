//! What is not kept for ever: temporary sessions, what was deleted, what is too old,
//! and everything of a person who leaves.
//!
//! Whatever may be much is done in pieces, so that nobody who speaks meanwhile waits
//! for more than one of them. Each piece is whole, and what is left after a crash is
//! found again: a caller goes on until there is no more.

use async_trait::async_trait;
use brain::audit::Line;
use brain::{FileId, SessionId, UserId};
use jiff::Timestamp;

use crate::{Deleted, NewSession, Owned, StoreError};

/// Rows that one piece touches at most.
pub const PIECE: usize = 500;

/// What becomes of what is not kept.
#[async_trait]
pub trait Keeping: Send + Sync {
    /// Begins a session that is not to be kept: it is in no list and in no search, and
    /// goes with all that was said in it when it ends. The caller owns it.
    async fn create_temporary(&self, session: NewSession) -> Result<Owned, StoreError>;
    /// Ends such a session. A card that waits goes with it; a write that is not settled
    /// keeps it. `Unknown` when there is none, or it is to be kept.
    async fn end_temporary(&self, session: SessionId, line: Line) -> Result<Deleted, StoreError>;
    /// All there are, oldest first.
    async fn temporary_sessions(&self) -> Result<Vec<(SessionId, UserId)>, StoreError>;
    /// Takes a piece out of what was deleted and is still on disk. True while there is more.
    async fn clear_away(&self) -> Result<bool, StoreError>;
    /// Nothing that was taken out can be read from the disk any more when this returns.
    async fn scrub(&self) -> Result<(), StoreError>;
    /// Takes out turns that ended before then and in which nothing is open, looking at one
    /// piece of what was said after place `from`. The place to go on from, while there is more.
    async fn expire_turns(&self, before: Timestamp, from: u64) -> Result<Option<u64>, StoreError>;
    /// Takes out a piece of the sessions in which nothing is left and nothing was said since
    /// then; `line` goes on record for each, as its person's. True while there is more.
    async fn expire_sessions(&self, before: Timestamp, line: Line) -> Result<bool, StoreError>;
    /// Takes back a piece of the files that were handed over before then, and names them.
    async fn expire_files(&self, before: Timestamp) -> Result<Vec<FileId>, StoreError>;
    /// Lets go of a piece of the oldest lines of the audit, those before then. The chain goes
    /// on from the seal of the last of them, which `line` tells of. How many went.
    async fn cut_audit(&self, before: Timestamp, line: Line) -> Result<u64, StoreError>;
    /// Takes out everything of a person but the audit of what was done in their name;
    /// `line` goes on record. Nothing has happened when a write of theirs is under way.
    async fn forget_user(&self, user: UserId, line: Line) -> Result<Forgotten, StoreError>;
}

/// What became of forgetting somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// Their sessions, and the files whose contents are to go too.
    Gone { sessions: Vec<SessionId>, files: Vec<FileId> },
    /// Something they agreed to is under way, and what becomes of it has to be known first.
    WriteOpen,
}

/// The line that tells where the audit begins from now on.
pub(crate) fn cut_line(line: &Line, number: u64, hash: &brain::Seal) -> Line {
    line.clone().because(format!("{number} {hash}"))
}
