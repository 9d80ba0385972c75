//! What is remembered.
//!
//! Small traits with domain types, one per thing that is kept; [`memory`] and
//! [`sqlite`] stand behind them and pass the same contract suite
//! (`testkit::store_contract`). Nothing above this crate knows which one it has.

use async_trait::async_trait;
use brain::{Envelope, Profile, SessionId, TurnId, UserId};

pub mod memory;
pub mod rows;
pub mod sqlite;

pub use rows::{Batch, NewSession, Owned, SessionRow, ToolRunRow, TurnRow};

/// How many event numbers an owner reserves at a time.
///
/// Numbers are given out from memory; what is durable is the end of the block.
/// After a crash the next owner starts behind it, so a number is never used
/// twice and `seq` never goes back.
pub const NUMBER_BLOCK: u64 = 1024;

/// Everything Sayso keeps.
pub trait Store: EventLog + Sessions + Turns + Profiles + Health {}

impl<T: EventLog + Sessions + Turns + Profiles + Health> Store for T {}

/// Whether it can do its work.
#[async_trait]
pub trait Health: Send + Sync {
    /// Something could be written right now.
    async fn writable(&self) -> Result<(), StoreError>;
}

/// The history of a session. Append-only.
#[async_trait]
pub trait EventLog: Send + Sync {
    /// All of `batch` or nothing of it, on disk when this returns. `Stale` when
    /// somebody else owns the session by now.
    async fn append(&self, batch: Batch) -> Result<(), StoreError>;
    /// The kept events after `seq`, oldest first, `limit` at most.
    async fn read(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError>;
    /// The newest kept events, oldest first, `limit` at most.
    async fn last(&self, session: SessionId, limit: u32) -> Result<Vec<Envelope>, StoreError>;
}

/// Who talks to whom, and who may write it down.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Begins a session; the caller owns it.
    async fn create(&self, session: NewSession) -> Result<Owned, StoreError>;
    async fn find(&self, session: SessionId) -> Result<Option<SessionRow>, StoreError>;
    /// Takes a session over: a new epoch, and numbers nobody has used. Whoever
    /// owned it before can no longer append. `None` when there is no such session.
    async fn own(&self, session: SessionId) -> Result<Option<Owned>, StoreError>;
}

/// The record of each turn.
#[async_trait]
pub trait Turns: Send + Sync {
    async fn turn(&self, turn: TurnId) -> Result<Option<TurnRow>, StoreError>;
    /// Turns that never ended: somebody stopped in the middle of them.
    async fn open_turns(&self, session: SessionId) -> Result<Vec<TurnRow>, StoreError>;
    /// What tools were used for it, in order.
    async fn tool_runs(&self, turn: TurnId) -> Result<Vec<ToolRunRow>, StoreError>;
}

/// What people told us about themselves.
#[async_trait]
pub trait Profiles: Send + Sync {
    async fn profile(&self, user: UserId) -> Result<Option<Profile>, StoreError>;
    async fn save_profile(&self, user: UserId, profile: Profile) -> Result<(), StoreError>;
}

/// Grouped by what the caller does next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Stop: somebody else owns the session now.
    #[error("another owner has taken over session {0}")]
    Stale(SessionId),
    /// Tell people to try again later; nothing was written.
    #[error("the store cannot be used right now: {0}")]
    Unavailable(String),
    /// Tell an operator: what is on disk is not what we wrote.
    #[error("{table}.{column} holds something unreadable: {reason}")]
    Corrupt { table: &'static str, column: &'static str, reason: String },
}
