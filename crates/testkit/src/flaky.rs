//! A store that can be told to fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use brain::{Envelope, Profile, SessionId, TurnId, UserId};
use store::memory::MemoryStore;
use store::{
    Batch, EventLog, Health, NewSession, Owned, Profiles, SessionRow, Sessions, StoreError,
    ToolRunRow, TurnRow, Turns,
};

/// Keeps everything in memory, and refuses to write while the disk is "full".
#[derive(Default)]
pub struct FlakyStore {
    inner: MemoryStore,
    full: Arc<AtomicBool>,
    slow: Arc<AtomicBool>,
    refuses_one: AtomicBool,
}

impl FlakyStore {
    /// The switch; true refuses every append.
    pub fn full(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.full)
    }

    /// The other switch; while it is true an append does not return.
    pub fn slow(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.slow)
    }

    /// The next append is refused, and no other.
    pub fn refuse_one(&self) {
        self.refuses_one.store(true, Ordering::SeqCst);
    }
}

#[async_trait]
impl EventLog for FlakyStore {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        while self.slow.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let refused = self.refuses_one.swap(false, Ordering::SeqCst);
        if refused || self.full.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("the disk is full".into()));
        }
        self.inner.append(batch).await
    }

    async fn read(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError> {
        self.inner.read(session, after, limit).await
    }

    async fn last(&self, session: SessionId, limit: u32) -> Result<Vec<Envelope>, StoreError> {
        self.inner.last(session, limit).await
    }
}

#[async_trait]
impl Health for FlakyStore {
    async fn writable(&self) -> Result<(), StoreError> {
        if self.full.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("the disk is full".into()));
        }
        Ok(())
    }
}

#[async_trait]
impl Sessions for FlakyStore {
    async fn create(&self, session: NewSession) -> Result<Owned, StoreError> {
        self.inner.create(session).await
    }

    async fn find(&self, session: SessionId) -> Result<Option<SessionRow>, StoreError> {
        self.inner.find(session).await
    }

    async fn own(&self, session: SessionId) -> Result<Option<Owned>, StoreError> {
        self.inner.own(session).await
    }
}

#[async_trait]
impl Turns for FlakyStore {
    async fn turn(&self, turn: TurnId) -> Result<Option<TurnRow>, StoreError> {
        self.inner.turn(turn).await
    }

    async fn open_turns(&self, session: SessionId) -> Result<Vec<TurnRow>, StoreError> {
        self.inner.open_turns(session).await
    }

    async fn tool_runs(&self, turn: TurnId) -> Result<Vec<ToolRunRow>, StoreError> {
        self.inner.tool_runs(turn).await
    }
}

#[async_trait]
impl Profiles for FlakyStore {
    async fn profile(&self, user: UserId) -> Result<Option<Profile>, StoreError> {
        self.inner.profile(user).await
    }

    async fn save_profile(&self, user: UserId, profile: Profile) -> Result<(), StoreError> {
        self.inner.save_profile(user, profile).await
    }
}
