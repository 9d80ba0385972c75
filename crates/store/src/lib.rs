//! What is remembered.
//!
//! Small traits with domain types, one per thing that is kept; [`memory`] and
//! [`sqlite`] stand behind them and pass the same contract suite
//! (`testkit::store_contract`). Nothing above this crate knows which one it has.

use async_trait::async_trait;
use brain::audit::{Entry, Line};
use brain::paper::Reading;
use brain::{
    Action, ActionId, Confirmation, ConfirmationId, Envelope, Event, FileId, Job, JobId, KeyId,
    MessageId, Profile, Seal, SessionId, ThreadId, TurnId, UserId, job,
};
use jiff::Timestamp;

mod keeping;
pub mod memory;
pub mod rows;
mod rules;
pub mod sqlite;
mod watch;
mod words;

pub use keeping::{Forgotten, Keeping, PIECE};
pub use rows::{
    Batch, Deleted, Figures, FileRow, Found, Handed, Held, JobMark, KeyRow, ModelCallRow, Named,
    NewSession, Owned, Room, SessionRow, Spending, SpentRow, SwitchRow, ThreadPage, ThreadRow,
    ToolRunRow, TurnRow,
};
pub use watch::{
    AuditFound, AuditReach, AuditWanted, CardGlance, Fitting, Glance, Sample, ToolUse, Watch,
};
pub use words::Words;

/// How many event numbers an owner reserves at a time.
///
/// Numbers are given out from memory; what is durable is the end of the block.
/// After a crash the next owner starts behind it, so a number is never used
/// twice and `seq` never goes back.
pub const NUMBER_BLOCK: u64 = 1024;

/// Everything Sayso keeps.
pub trait Store:
    EventLog
    + Sessions
    + Threads
    + Turns
    + Confirmations
    + Actions
    + Audit
    + Switches
    + Profiles
    + Files
    + Keys
    + Jobs
    + Health
    + Keeping
    + Watch
    + Costs
{
}

impl<T> Store for T where
    T: EventLog
        + Sessions
        + Threads
        + Turns
        + Confirmations
        + Actions
        + Audit
        + Switches
        + Profiles
        + Files
        + Keys
        + Jobs
        + Health
        + Keeping
        + Watch
        + Costs
{
}

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
    /// somebody else owns the session by now, `Gone` when nobody does, `Decided` when a question in it
    /// has its answer already, `OutOfStep` when a write in it has moved on.
    async fn append(&self, batch: Batch) -> Result<(), StoreError>;
    /// The kept events after `seq`, oldest first, `limit` at most.
    async fn read(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError> {
        self.page(session, after, limit, usize::MAX).await
    }
    /// The same, but only as many as are spelled in `bytes`; one at least.
    async fn page(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
        bytes: usize,
    ) -> Result<Vec<Envelope>, StoreError>;
    /// The newest kept events, oldest first, `limit` at most.
    async fn last(&self, session: SessionId, limit: u32) -> Result<Vec<Envelope>, StoreError>;
    /// How many kept events there are after `seq`; it stops counting at `limit`.
    async fn count(&self, session: SessionId, after: u64, limit: u32) -> Result<u32, StoreError>;
    /// The newest messages up to and including number `until`, oldest first, `limit` at
    /// most: what people said and what they were told.
    async fn messages(
        &self,
        session: SessionId,
        until: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError>;
    /// What people were told under this id in this session, whole. `None` when nothing was.
    async fn said(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Option<Envelope>, StoreError>;
    /// What clients called their requests since then, oldest first; the newest `limit`.
    async fn names(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Named>, StoreError>;
}

/// The kinds of events that are messages.
pub(crate) const MESSAGES: [&str; 2] = ["input_transcript.final", "assistant_text.final"];

/// Somebody said it.
pub(crate) fn is_message(envelope: &Envelope) -> bool {
    MESSAGES.contains(&envelope.event.name())
}

/// What was said, where something was.
pub(crate) fn text_of(envelope: &Envelope) -> &str {
    match &envelope.event {
        Event::Heard { text, .. } | Event::Said { text } => text,
        _ => "",
    }
}

/// Messages that one search looks through at most, in all chats together.
pub(crate) const LOOKED_THROUGH: u32 = 50_000;

/// Who talks to whom, and who may write it down.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Begins a session; the caller owns it.
    async fn create(&self, session: NewSession) -> Result<Owned, StoreError>;
    async fn find(&self, session: SessionId) -> Result<Option<SessionRow>, StoreError>;
    /// Takes a session over: a new epoch, and numbers nobody has used. Whoever
    /// owned it before can no longer append. `None` when there is no such session.
    async fn own(&self, session: SessionId) -> Result<Option<Owned>, StoreError>;
    /// How many sessions a person began and never used: nothing happened in them,
    /// nothing was handed over there, and nobody gave their chat a name.
    async fn unused_sessions(&self, user: UserId) -> Result<u64, StoreError>;
    /// Those of anybody that began before then, `limit` at most.
    async fn unused_since(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<SessionId>, StoreError>;
    /// Takes out those of them that are still unused; how many that were.
    async fn forget_unused(&self, sessions: Vec<SessionId>) -> Result<u64, StoreError>;
}

/// What people call chats: each is one or more sessions of one person. Nobody sees
/// another person's, and what is not there and what is not theirs look the same.
#[async_trait]
pub trait Threads: Send + Sync {
    /// The chats in which something was said, those with the newest message first.
    async fn threads(&self, user: UserId, page: ThreadPage) -> Result<Vec<ThreadRow>, StoreError>;
    /// One of them, also when nothing was said in it yet.
    async fn thread(&self, user: UserId, thread: ThreadId)
    -> Result<Option<ThreadRow>, StoreError>;
    /// The sessions of a chat, oldest first.
    async fn sessions_in(
        &self,
        user: UserId,
        thread: ThreadId,
    ) -> Result<Vec<SessionId>, StoreError>;
    /// The newest messages of a chat, or the newest before one of them; oldest first,
    /// `limit` at most. `None` when that one is not in it.
    async fn said_in(
        &self,
        user: UserId,
        thread: ThreadId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<Envelope>>, StoreError>;
    /// The newest messages with all of these words, or the newest before one of them;
    /// newest first, `limit` at most. `None` when there is no such message.
    async fn search(
        &self,
        user: UserId,
        words: Words,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<Found>>, StoreError>;
    /// Calls it so from now on. False when there is no such chat.
    async fn rename(
        &self,
        user: UserId,
        thread: ThreadId,
        title: String,
    ) -> Result<bool, StoreError>;
    /// Takes out its sessions, all that was said, asked and done in them, and what was
    /// handed over there: nobody sees half of it, however long it takes. A card that waits
    /// at `now`, or a write that is not settled, keeps it; a temporary chat only the write.
    /// The audit stays; `line` goes on record for each session.
    async fn delete_thread(
        &self,
        user: UserId,
        thread: ThreadId,
        now: Timestamp,
        line: Line,
    ) -> Result<Deleted, StoreError>;
}

/// What people handed over. Here is what it is; the contents are kept elsewhere.
#[async_trait]
pub trait Files: Send + Sync {
    /// Keeps it, unless its person would have more than `most` bytes then.
    async fn hand_over(&self, file: FileRow, most: u64) -> Result<Handed, StoreError>;
    async fn file(&self, user: UserId, file: FileId) -> Result<Option<FileRow>, StoreError>;
    /// Takes it back. False when there is no such file, or it is somebody else's.
    async fn take_back(&self, user: UserId, file: FileId) -> Result<bool, StoreError>;
    /// How many bytes a person has handed over.
    async fn file_bytes(&self, user: UserId) -> Result<u64, StoreError>;
    /// Those of these that are theirs, in this order. One that belongs to no session
    /// yet belongs to this one from now on, and goes when that goes.
    async fn attach(
        &self,
        user: UserId,
        session: SessionId,
        files: Vec<FileId>,
    ) -> Result<Vec<FileRow>, StoreError>;
    /// The newest files of a session, oldest first, `limit` at most.
    async fn files_in(&self, session: SessionId, limit: u32) -> Result<Vec<FileRow>, StoreError>;
    /// How far its reading has come now. False when there is no such file any more.
    async fn set_reading(&self, file: FileId, reading: Reading) -> Result<bool, StoreError>;
    /// Those that nobody has read to the end, oldest first.
    async fn unread_files(&self) -> Result<Vec<FileRow>, StoreError>;
    /// How many files that are.
    async fn file_count(&self, user: UserId) -> Result<u64, StoreError>;
    /// Which of these are kept, whoever they belong to.
    async fn known_files(&self, files: Vec<FileId>) -> Result<Vec<FileId>, StoreError>;
}

/// The record of each turn.
#[async_trait]
pub trait Turns: Send + Sync {
    async fn turn(&self, turn: TurnId) -> Result<Option<TurnRow>, StoreError>;
    /// Turns that never ended: somebody stopped in the middle of them.
    async fn open_turns(&self, session: SessionId) -> Result<Vec<TurnRow>, StoreError>;
    /// What tools were used for it, in order.
    async fn tool_runs(&self, turn: TurnId) -> Result<Vec<ToolRunRow>, StoreError>;
    /// Somebody asked once more for what they had asked for under this name; it is noted
    /// on the record of that turn, if there is one.
    async fn said_again(&self, session: SessionId, name: String) -> Result<(), StoreError>;
}

/// Which models were asked, and what that cost. Written with the batch of their turn. It is
/// an account: it stays when a chat goes, and goes with its person.
#[async_trait]
pub trait Costs: Send + Sync {
    /// Those of a turn, in order.
    async fn model_calls(&self, turn: TurnId) -> Result<Vec<ModelCallRow>, StoreError>;
    /// What was spent since then: of one person, or of everybody, who spent most first.
    async fn spent(
        &self,
        user: Option<UserId>,
        since: Timestamp,
    ) -> Result<Vec<SpentRow>, StoreError>;
    /// What a cap needs to know before each question: the same sums, had without reading
    /// every call since then.
    async fn spending(&self, user: UserId, since: Timestamp) -> Result<Spending, StoreError>;
}

/// What people were asked before a write, and what they said. Written with the
/// batch that tells of it; a revision that was decided never changes again.
#[async_trait]
pub trait Confirmations: Send + Sync {
    /// Its newest revision.
    async fn confirmation(&self, id: ConfirmationId) -> Result<Option<Confirmation>, StoreError>;
    /// Those that nobody has answered, oldest first.
    async fn open_confirmations(&self, session: SessionId)
    -> Result<Vec<Confirmation>, StoreError>;
    /// Every revision of everything that was asked in a turn, in order.
    async fn confirmations_of(&self, turn: TurnId) -> Result<Vec<Confirmation>, StoreError>;
}

/// The writes that somebody said yes to. Written with the batch that tells of
/// them; one that is over never begins again.
#[async_trait]
pub trait Actions: Send + Sync {
    async fn action(&self, id: ActionId) -> Result<Option<Action>, StoreError>;
    /// The writes of a turn, in the order they were agreed to.
    async fn actions_of(&self, turn: TurnId) -> Result<Vec<Action>, StoreError>;
    /// Those that are not over, or that their person was not told about.
    async fn unsettled(&self, session: SessionId) -> Result<Vec<Action>, StoreError>;
    /// The sessions that have any of those, or jobs whose result they have not written down.
    async fn restless(&self) -> Result<Vec<(SessionId, UserId)>, StoreError>;
}

/// The record of what was done in whose name: one chain for everybody, without
/// a gap. Lines are added and never changed.
#[async_trait]
pub trait Audit: Send + Sync {
    /// Adds a line that belongs to no session's batch.
    async fn note(&self, line: Line) -> Result<(), StoreError>;
    /// The lines after number `after`, in order, `limit` at most.
    async fn audit(&self, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError>;
}

/// Which tools may not write.
#[async_trait]
pub trait Switches: Send + Sync {
    /// What is switched off; every write first, then by name.
    async fn switches(&self) -> Result<Vec<SwitchRow>, StoreError>;
    /// Switches `tool`, or every write, off since then or on again; `line` goes
    /// on record with it. What is off already keeps its time.
    async fn switch(
        &self,
        tool: Option<String>,
        off_since: Option<Timestamp>,
        line: Line,
    ) -> Result<(), StoreError>;
}

/// What people told us about themselves.
#[async_trait]
pub trait Profiles: Send + Sync {
    async fn profile(&self, user: UserId) -> Result<Option<Profile>, StoreError>;
    async fn save_profile(&self, user: UserId, profile: Profile) -> Result<(), StoreError>;
}

/// Work that goes on while people talk on. Whoever takes a job up gets a lease with
/// a number; what somebody reports whose number is not the newest changes nothing.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Keeps it back until a batch says that its person was told of it; one that no
    /// batch ever spoke of is let go. The same key again is the same job.
    async fn hold(&self, job: Job, room: Room) -> Result<Held, StoreError>;
    /// Takes up the job that comes first: by priority, then by how long it could have
    /// been taken up already. Nobody else has it until then.
    async fn take_up(&self, now: Timestamp, until: Timestamp) -> Result<Option<Job>, StoreError>;
    /// When the next job could be taken up.
    async fn next_job_at(&self) -> Result<Option<Timestamp>, StoreError>;
    /// What became of a job, from whoever has this lease; as it is then. `None` when
    /// somebody else has it by now, or nobody wants it any more.
    async fn report(
        &self,
        job: JobId,
        lease: u64,
        news: job::News,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError>;
    /// Whoever had a lease is gone: everything can be taken up again. Says how many.
    async fn let_go(&self, now: Timestamp) -> Result<u64, StoreError>;
    /// Stops it for its person, and says how it stands then. `None` when there is no
    /// such job, or it is somebody else's.
    async fn cancel_job(
        &self,
        user: UserId,
        job: JobId,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError>;
    async fn job(&self, user: UserId, job: JobId) -> Result<Option<Job>, StoreError>;
    /// A person's jobs that are not over, oldest first.
    async fn open_jobs(&self, user: UserId) -> Result<Vec<Job>, StoreError>;
    /// The newest jobs of a person, or of everybody; newest first, `limit` at most.
    async fn jobs(&self, user: Option<UserId>, limit: u32) -> Result<Vec<Job>, StoreError>;
    /// Those of a session that are over and whose result is not in its log, oldest first.
    async fn unreturned_jobs(&self, session: SessionId) -> Result<Vec<Job>, StoreError>;
    /// Those that are over, and whose result is not in a log or was not told, oldest first.
    async fn unsettled_jobs(&self) -> Result<Vec<Job>, StoreError>;
}

/// A held job that no batch has spoken of after this long belongs to a turn that is gone.
pub(crate) const HELD_FOR: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);
/// Of what is over, so many jobs of a person are kept to look at.
pub(crate) const JOBS_KEPT: usize = 100;

/// What lets programs in as people. Only fingerprints of secrets are kept, and a
/// key that was revoked never comes back.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Keeps a new key; `line` goes on record with it.
    async fn add_key(&self, key: KeyRow, line: Line) -> Result<(), StoreError>;
    async fn key(&self, key: KeyId) -> Result<Option<KeyRow>, StoreError>;
    /// The key whose secret has this fingerprint, revoked and expired ones too.
    async fn key_with(&self, fingerprint: Seal) -> Result<Option<KeyRow>, StoreError>;
    /// All there ever were, oldest first.
    async fn keys(&self) -> Result<Vec<KeyRow>, StoreError>;
    /// Revokes it and says how it stands now; `line` goes on record when that is
    /// news. `None` when there is no such key.
    async fn revoke_key(
        &self,
        key: KeyId,
        at: Timestamp,
        line: Line,
    ) -> Result<Option<KeyRow>, StoreError>;
}

/// Grouped by what the caller does next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Stop: somebody else owns the session now.
    #[error("another owner has taken over session {0}")]
    Stale(SessionId),
    /// Stop: its person has deleted the session.
    #[error("session {0} has been deleted")]
    Gone(SessionId),
    /// Look again: somebody answered first.
    #[error("question {0} has been decided already")]
    Decided(ConfirmationId),
    /// Look again: the write has moved on, or nobody said yes to it.
    #[error("write {0} does not follow from what is on record")]
    OutOfStep(ActionId),
    /// Tell a developer: what was to be kept contradicts what is kept.
    #[error("refused to keep {0}")]
    Contradiction(String),
    /// Tell people to try again later; nothing was written.
    #[error("the store cannot be used right now: {0}")]
    Unavailable(String),
    /// Tell an operator: what is on disk is not what we wrote.
    #[error("{table}.{column} holds something unreadable: {reason}")]
    Corrupt { table: &'static str, column: &'static str, reason: String },
}
