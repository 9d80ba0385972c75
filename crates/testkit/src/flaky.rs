//! A store that can be told to fail.

mod jobs;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use brain::audit::{Entry, Line};
use brain::paper::Reading;
use brain::{
    Action, ActionId, Confirmation, ConfirmationId, Envelope, FileId, KeyId, MessageId, Profile,
    Seal, SessionId, ThreadId, TurnId, UserId,
};
use jiff::Timestamp;
use store::memory::MemoryStore;
use store::{
    Actions, Audit, AuditFound, AuditReach, AuditWanted, Batch, Confirmations, Costs, Deleted,
    EventLog, FileRow, Files, Forgotten, Found, Glance, Handed, Health, Keeping, KeyRow, Keys,
    ModelCallRow, Named, NewSession, Owned, Profiles, SessionRow, Sessions, Spending, SpentRow,
    Store, StoreError, SwitchRow, Switches, ThreadPage, ThreadRow, Threads, ToolRunRow, TurnRow,
    Turns, Watch, Words,
};

/// Keeps everything in another store, in memory unless told otherwise, and
/// refuses to write while the disk is "full".
pub struct FlakyStore {
    inner: Arc<dyn Store>,
    full: Arc<AtomicBool>,
    slow: Arc<AtomicBool>,
    thoughtful: AtomicBool,
    refuses_one: AtomicBool,
    on_disk: bool,
}

impl Default for FlakyStore {
    fn default() -> Self {
        Self::over(Arc::new(MemoryStore::default()))
    }
}

impl FlakyStore {
    /// Whatever it takes is kept there.
    pub fn over(inner: Arc<dyn Store>) -> Self {
        Self {
            inner,
            full: Arc::default(),
            slow: Arc::default(),
            thoughtful: AtomicBool::default(),
            refuses_one: AtomicBool::default(),
            on_disk: false,
        }
    }

    /// The same over a store that has a thread of its own: virtual time waits for it.
    pub fn over_disk(inner: Arc<dyn Store>) -> Self {
        Self { on_disk: true, ..Self::over(inner) }
    }

    /// Virtual time stands still until this is dropped.
    fn stop_time(&self) -> Option<std::sync::mpsc::Sender<()>> {
        let (go_on, until) = std::sync::mpsc::channel();
        // Time does not leap while somebody blocks a thread of the runtime.
        self.on_disk.then(|| drop(tokio::task::spawn_blocking(move || until.recv())));
        Some(go_on).filter(|_| self.on_disk)
    }

    /// The switch; true refuses everything that is to be written down.
    pub fn full(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.full)
    }

    /// The other switch; while it is true an append does not return.
    pub fn slow(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.slow)
    }

    /// From now on a page of what was takes this store 50 ms.
    pub fn think_it_over(&self) {
        self.thoughtful.store(true, Ordering::SeqCst);
    }

    /// The next append is refused, and no other.
    pub fn refuse_one(&self) {
        self.refuses_one.store(true, Ordering::SeqCst);
    }

    fn has_room(&self) -> Result<(), StoreError> {
        if self.full.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("the disk is full".into()));
        }
        Ok(())
    }
}

#[async_trait]
impl EventLog for FlakyStore {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        while self.slow.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        if self.refuses_one.swap(false, Ordering::SeqCst) {
            return Err(StoreError::Unavailable("the disk was full".into()));
        }
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.append(batch).await
    }

    async fn page(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
        bytes: usize,
    ) -> Result<Vec<Envelope>, StoreError> {
        if self.thoughtful.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.inner.page(session, after, limit, bytes).await
    }

    async fn last(&self, session: SessionId, limit: u32) -> Result<Vec<Envelope>, StoreError> {
        self.inner.last(session, limit).await
    }

    async fn count(&self, session: SessionId, after: u64, limit: u32) -> Result<u32, StoreError> {
        self.inner.count(session, after, limit).await
    }

    async fn messages(
        &self,
        session: SessionId,
        until: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError> {
        self.inner.messages(session, until, limit).await
    }

    async fn said(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Option<Envelope>, StoreError> {
        self.inner.said(session, message).await
    }

    async fn names(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Named>, StoreError> {
        self.inner.names(session, since, limit).await
    }
}

#[async_trait]
impl Health for FlakyStore {
    async fn writable(&self) -> Result<(), StoreError> {
        self.has_room()
    }
}

#[async_trait]
impl Sessions for FlakyStore {
    async fn create(&self, session: NewSession) -> Result<Owned, StoreError> {
        let _stopped = self.stop_time();
        self.inner.create(session).await
    }

    async fn find(&self, session: SessionId) -> Result<Option<SessionRow>, StoreError> {
        self.inner.find(session).await
    }

    async fn own(&self, session: SessionId) -> Result<Option<Owned>, StoreError> {
        let _stopped = self.stop_time();
        self.inner.own(session).await
    }

    async fn unused_sessions(&self, user: UserId) -> Result<u64, StoreError> {
        self.inner.unused_sessions(user).await
    }

    async fn unused_since(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<SessionId>, StoreError> {
        self.inner.unused_since(before, limit).await
    }

    async fn forget_unused(&self, sessions: Vec<SessionId>) -> Result<u64, StoreError> {
        self.inner.forget_unused(sessions).await
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

    async fn said_again(&self, session: SessionId, name: String) -> Result<(), StoreError> {
        self.has_room()?;
        self.inner.said_again(session, name).await
    }
}

#[async_trait]
impl Profiles for FlakyStore {
    async fn profile(&self, user: UserId) -> Result<Option<Profile>, StoreError> {
        self.inner.profile(user).await
    }

    async fn save_profile(&self, user: UserId, profile: Profile) -> Result<(), StoreError> {
        let _stopped = self.stop_time();
        self.inner.save_profile(user, profile).await
    }
}

#[async_trait]
impl Confirmations for FlakyStore {
    async fn confirmation(&self, id: ConfirmationId) -> Result<Option<Confirmation>, StoreError> {
        self.inner.confirmation(id).await
    }

    async fn open_confirmations(
        &self,
        session: SessionId,
    ) -> Result<Vec<Confirmation>, StoreError> {
        self.inner.open_confirmations(session).await
    }

    async fn confirmations_of(&self, turn: TurnId) -> Result<Vec<Confirmation>, StoreError> {
        self.inner.confirmations_of(turn).await
    }
}

#[async_trait]
impl Actions for FlakyStore {
    async fn action(&self, id: ActionId) -> Result<Option<Action>, StoreError> {
        self.inner.action(id).await
    }

    async fn actions_of(&self, turn: TurnId) -> Result<Vec<Action>, StoreError> {
        self.inner.actions_of(turn).await
    }

    async fn unsettled(&self, session: SessionId) -> Result<Vec<Action>, StoreError> {
        self.inner.unsettled(session).await
    }

    async fn restless(&self) -> Result<Vec<(SessionId, UserId)>, StoreError> {
        self.inner.restless().await
    }
}

#[async_trait]
impl Audit for FlakyStore {
    async fn note(&self, line: Line) -> Result<(), StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.note(line).await
    }

    async fn audit(&self, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
        self.inner.audit(after, limit).await
    }
}

#[async_trait]
impl Watch for FlakyStore {
    async fn glance(
        &self,
        since: Timestamp,
        now: Timestamp,
        most: u32,
        tool: Option<String>,
    ) -> Result<Glance, StoreError> {
        self.inner.glance(since, now, most, tool).await
    }

    async fn audit_back(&self, wanted: AuditWanted) -> Result<AuditFound, StoreError> {
        self.inner.audit_back(wanted).await
    }

    async fn audit_reach(&self) -> Result<AuditReach, StoreError> {
        self.inner.audit_reach().await
    }
}

#[async_trait]
impl Costs for FlakyStore {
    async fn model_calls(&self, turn: TurnId) -> Result<Vec<ModelCallRow>, StoreError> {
        self.inner.model_calls(turn).await
    }

    async fn spent(
        &self,
        user: Option<UserId>,
        since: Timestamp,
    ) -> Result<Vec<SpentRow>, StoreError> {
        self.inner.spent(user, since).await
    }

    async fn spending(&self, user: UserId, since: Timestamp) -> Result<Spending, StoreError> {
        self.inner.spending(user, since).await
    }
}

#[async_trait]
impl Switches for FlakyStore {
    async fn switches(&self) -> Result<Vec<SwitchRow>, StoreError> {
        self.inner.switches().await
    }

    async fn switch(
        &self,
        tool: Option<String>,
        off_since: Option<Timestamp>,
        line: Line,
    ) -> Result<(), StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.switch(tool, off_since, line).await
    }
}

#[async_trait]
impl Threads for FlakyStore {
    async fn threads(&self, user: UserId, page: ThreadPage) -> Result<Vec<ThreadRow>, StoreError> {
        self.inner.threads(user, page).await
    }

    async fn thread(
        &self,
        user: UserId,
        thread: ThreadId,
    ) -> Result<Option<ThreadRow>, StoreError> {
        self.inner.thread(user, thread).await
    }

    async fn sessions_in(
        &self,
        user: UserId,
        thread: ThreadId,
    ) -> Result<Vec<SessionId>, StoreError> {
        self.inner.sessions_in(user, thread).await
    }

    async fn said_in(
        &self,
        user: UserId,
        thread: ThreadId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<Envelope>>, StoreError> {
        self.inner.said_in(user, thread, before, limit).await
    }

    async fn search(
        &self,
        user: UserId,
        words: Words,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<Found>>, StoreError> {
        self.inner.search(user, words, before, limit).await
    }

    async fn rename(
        &self,
        user: UserId,
        thread: ThreadId,
        title: String,
    ) -> Result<bool, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.rename(user, thread, title).await
    }

    async fn delete_thread(
        &self,
        user: UserId,
        thread: ThreadId,
        now: Timestamp,
        line: Line,
    ) -> Result<Deleted, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.delete_thread(user, thread, now, line).await
    }
}

#[async_trait]
impl Files for FlakyStore {
    async fn hand_over(&self, file: FileRow, most: u64) -> Result<Handed, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.hand_over(file, most).await
    }

    async fn file(&self, user: UserId, file: FileId) -> Result<Option<FileRow>, StoreError> {
        self.inner.file(user, file).await
    }

    async fn take_back(&self, user: UserId, file: FileId) -> Result<bool, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.take_back(user, file).await
    }

    async fn file_bytes(&self, user: UserId) -> Result<u64, StoreError> {
        self.inner.file_bytes(user).await
    }

    async fn attach(
        &self,
        user: UserId,
        session: SessionId,
        files: Vec<FileId>,
    ) -> Result<Vec<FileRow>, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.attach(user, session, files).await
    }

    async fn files_in(&self, session: SessionId, limit: u32) -> Result<Vec<FileRow>, StoreError> {
        self.inner.files_in(session, limit).await
    }

    async fn set_reading(&self, file: FileId, reading: Reading) -> Result<bool, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.set_reading(file, reading).await
    }

    async fn unread_files(&self) -> Result<Vec<FileRow>, StoreError> {
        self.inner.unread_files().await
    }

    async fn file_count(&self, user: UserId) -> Result<u64, StoreError> {
        self.inner.file_count(user).await
    }

    async fn known_files(&self, files: Vec<FileId>) -> Result<Vec<FileId>, StoreError> {
        self.inner.known_files(files).await
    }
}

#[async_trait]
impl Keys for FlakyStore {
    async fn add_key(&self, key: KeyRow, line: Line) -> Result<(), StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.add_key(key, line).await
    }

    async fn key(&self, key: KeyId) -> Result<Option<KeyRow>, StoreError> {
        self.inner.key(key).await
    }

    async fn key_with(&self, fingerprint: Seal) -> Result<Option<KeyRow>, StoreError> {
        self.inner.key_with(fingerprint).await
    }

    async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        self.inner.keys().await
    }

    async fn revoke_key(
        &self,
        key: KeyId,
        at: Timestamp,
        line: Line,
    ) -> Result<Option<KeyRow>, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.revoke_key(key, at, line).await
    }
}

#[async_trait]
impl Keeping for FlakyStore {
    async fn create_temporary(&self, session: NewSession) -> Result<Owned, StoreError> {
        self.has_room()?;
        self.inner.create_temporary(session).await
    }

    async fn end_temporary(&self, session: SessionId, line: Line) -> Result<Deleted, StoreError> {
        self.has_room()?;
        self.inner.end_temporary(session, line).await
    }

    async fn temporary_sessions(&self) -> Result<Vec<(SessionId, UserId)>, StoreError> {
        self.inner.temporary_sessions().await
    }

    async fn clear_away(&self) -> Result<bool, StoreError> {
        self.has_room()?;
        self.inner.clear_away().await
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        self.inner.scrub().await
    }

    async fn expire_turns(&self, before: Timestamp, from: u64) -> Result<Option<u64>, StoreError> {
        self.has_room()?;
        self.inner.expire_turns(before, from).await
    }

    async fn expire_sessions(&self, before: Timestamp, line: Line) -> Result<bool, StoreError> {
        self.has_room()?;
        self.inner.expire_sessions(before, line).await
    }

    async fn expire_files(&self, before: Timestamp) -> Result<Vec<FileId>, StoreError> {
        self.has_room()?;
        self.inner.expire_files(before).await
    }

    async fn cut_audit(&self, before: Timestamp, line: Line) -> Result<u64, StoreError> {
        self.has_room()?;
        self.inner.cut_audit(before, line).await
    }

    async fn forget_user(&self, user: UserId, line: Line) -> Result<Forgotten, StoreError> {
        self.has_room()?;
        self.inner.forget_user(user, line).await
    }
}
