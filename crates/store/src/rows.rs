//! What goes into the store and what comes out of it.

use std::sync::Arc;

use brain::audit::Line;
use brain::mode::Mode;
use brain::paper::Reading;
use brain::{
    Action, ActionLevel, Attached, CallId, Confirmation, Envelope, FileId, InputMode, JobId, KeyId,
    Outcome, RequestId, Seal, SessionId, ThreadId, TraceId, TurnId, TurnState, UserId,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Words;

/// What belongs together and is written together.
#[derive(Clone, Debug)]
pub struct Batch {
    pub session: SessionId,
    /// The writer's epoch; an older one is refused.
    pub epoch: u64,
    /// Kept events only, each numbered.
    pub events: Vec<Arc<Envelope>>,
    /// What was said under the names that these events take.
    pub prints: Vec<(String, Seal)>,
    /// The end of the block of numbers that is reserved from now on.
    pub reserve_to: u64,
    /// The turn as it is after these events.
    pub turn: Option<TurnRow>,
    /// Tools as they are after these events.
    pub tool_runs: Vec<ToolRunRow>,
    /// Questions as they are after these events.
    pub confirmations: Vec<Confirmation>,
    /// Writes as they are after these events; they follow the confirmations.
    pub actions: Vec<Action>,
    /// What these events mean for jobs.
    pub jobs: Vec<JobMark>,
    /// Which models were asked for it, and what that cost.
    pub model_calls: Vec<ModelCallRow>,
    /// What goes on record about it.
    pub audit: Vec<Line>,
}

/// What a client called a request that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub at: Timestamp,
    pub name: String,
    /// A print of what it was; rows of older versions have none.
    pub print: Option<Seal>,
}

impl Batch {
    /// Of an event, what was said under the name that it takes.
    pub(crate) fn print(&self, event: &Envelope) -> Option<Seal> {
        let name = event.event.took()?;
        self.prints.iter().find(|(known, _)| known == name).map(|(_, print)| *print)
    }

    /// Nothing yet.
    pub fn new(session: SessionId, epoch: u64) -> Self {
        Self {
            session,
            epoch,
            events: Vec::new(),
            prints: Vec::new(),
            reserve_to: 0,
            turn: None,
            tool_runs: Vec::new(),
            confirmations: Vec::new(),
            actions: Vec::new(),
            jobs: Vec::new(),
            model_calls: Vec::new(),
            audit: Vec::new(),
        }
    }
}

/// A session that is about to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    pub session: SessionId,
    pub user: UserId,
    pub agent: String,
    pub thread: ThreadId,
    pub created_at: Timestamp,
}

/// A session as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    pub session: SessionId,
    pub user: UserId,
    pub agent: String,
    pub thread: ThreadId,
    pub created_at: Timestamp,
    pub epoch: u64,
    /// The last kept event's number; 0 before there is one.
    pub last_seq: u64,
    /// It goes when it ends.
    #[serde(default)]
    pub temporary: bool,
}

/// What an owner may do: write with `epoch`, and give out the numbers from
/// `next_seq` up to and including `reserved_to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned {
    pub epoch: u64,
    pub next_seq: u64,
    pub reserved_to: u64,
}

/// The record of one turn. Times that were never reached are absent, not zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnRow {
    pub turn: TurnId,
    pub session: SessionId,
    pub input_mode: InputMode,
    pub state: TurnState,
    pub mode: Option<Mode>,
    pub outcome: Option<Outcome>,
    pub error_code: Option<String>,
    pub trace: TraceId,
    pub request: RequestId,
    pub started_at: Timestamp,
    /// The last place in the turn that was given out when this was written.
    pub turn_seq: u64,
    /// Set when the turn is over, however it ended.
    pub ended_at: Option<Timestamp>,
    /// From the end of the input to the first event anyone could see.
    pub first_event_us: Option<u64>,
    /// From the end of the input to the first word of the assistant.
    pub first_token_us: Option<u64>,
    #[serde(flatten)]
    pub figures: Figures,
    /// Its plan and what came of it so far, while it waits for somebody.
    pub work: Option<Value>,
}

/// What else is measured of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figures {
    /// From the end of the input to the first sound of the assistant.
    pub first_audio_us: Option<u64>,
    /// How long it took to understand what is wanted.
    pub thought_us: Option<u64>,
    /// How long tools worked for it, all together.
    pub tool_us: Option<u64>,
    pub tool_failures: u32,
    /// Why it was not answered by what answers first, where it was not.
    pub fallback: Option<String>,
    /// How far the last words on the screen were from the final ones, in thousandths
    /// of its words; absent where nobody spoke.
    pub drift_permille: Option<u32>,
    /// How often the same was asked again under the same name. Only
    /// [`Turns::said_again`](crate::Turns::said_again) counts.
    pub dedupe_hits: u32,
    /// Who answered: `reflex`, `local` or `cloud`.
    pub tier: Option<String>,
    /// Why it was they.
    pub tier_reason: Option<String>,
}

/// The record of one question to a model. It holds no words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCallRow {
    pub turn: TurnId,
    /// Counts from 1 within a turn.
    pub number: u32,
    pub user: UserId,
    pub asked_at: Timestamp,
    /// `local` or `cloud`.
    pub tier: String,
    pub provider: String,
    pub model: String,
    /// What the provider calls it.
    pub request_id: Option<String>,
    /// How often somebody was asked for it, one after another.
    pub tries: u32,
    pub input_tokens: u64,
    /// Those of them that the provider had kept.
    pub cached_tokens: u64,
    pub output_tokens: u64,
    /// In millionths of a dollar.
    pub cost_micros: u64,
    /// Until its first piece came.
    pub first_us: Option<u64>,
    pub took_us: u64,
    pub error_code: Option<String>,
}

/// What one person spent since some time, and everybody together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    pub micros_own: u64,
    /// What went in and what came out.
    pub tokens_own: u64,
    pub micros_in_all: u64,
}

/// What models have cost somebody in a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpentRow {
    pub user: UserId,
    pub calls: u64,
    pub failed: u64,
    pub input_tokens: u64,
    pub cached_tokens: u64,
    pub output_tokens: u64,
    pub cost_micros: u64,
}

/// The record of one use of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRunRow {
    pub call: CallId,
    pub turn: TurnId,
    pub session: SessionId,
    pub tool: String,
    pub level: ActionLevel,
    /// The same on every attempt of one step; the latest attempt is the one that is kept.
    pub idempotency_key: String,
    pub state: ToolRunState,
    pub error_code: Option<String>,
    pub started_at: Timestamp,
    pub took_us: Option<u64>,
}

/// Where a use of a tool stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolRunState {
    Running,
    Done,
    Failed,
    /// Begun, and nobody can tell what became of it.
    Unknown,
}

impl ToolRunState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}

/// A tool that may not write, or all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchRow {
    /// `None` is every write.
    pub tool: Option<String>,
    pub since: Timestamp,
}

/// Which chats of a person are wanted.
#[derive(Clone, Debug, Default)]
pub struct ThreadPage {
    /// Only those whose title, or one of whose messages, has all of these words.
    pub words: Option<Words>,
    /// Only those that come after this one in the list: when it was spoken in last, and its id.
    pub after: Option<(Timestamp, ThreadId)>,
    pub limit: u32,
}

/// A chat, as its person sees it in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadRow {
    pub thread: ThreadId,
    /// What its person calls it, if they have said so.
    pub title: Option<String>,
    pub sessions: u64,
    pub messages: u64,
    pub created_at: Timestamp,
    /// When something was said in it last, or it began.
    pub updated_at: Timestamp,
    /// Until when a question in it waits for an answer, if one does.
    pub waits_until: Option<Timestamp>,
    /// The first message and the last.
    pub first: Option<Envelope>,
    pub last: Option<Envelope>,
}

/// A message that somebody looked for, and the chat it is in.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub thread: ThreadId,
    pub message: Envelope,
}

/// What became of deleting a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// It is gone, with these sessions and these files.
    Gone { sessions: Vec<SessionId>, files: Vec<FileId> },
    /// There is none, or it is somebody else's.
    Unknown,
    /// A card in it waits for an answer.
    CardOpen,
    /// Something was agreed to in it, and is not done or not told.
    WriteOpen,
}

/// Something that somebody handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    pub file: FileId,
    pub user: UserId,
    /// Where it was handed over, if anywhere; it goes when that goes.
    pub session: Option<SessionId>,
    /// What its person calls it. Never a path.
    pub name: String,
    pub media_type: String,
    pub bytes: u64,
    /// 64 hex digits.
    pub sha256: String,
    pub created_at: Timestamp,
    pub reading: Reading,
}

impl FileRow {
    /// As a sentence names it.
    pub fn attached(&self) -> Attached {
        let Self { file, name, media_type, .. } = self;
        Attached { file_id: *file, name: name.clone(), media_type: media_type.clone() }
    }
}

/// What became of handing something over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handed {
    Kept,
    /// Its person has too much already.
    Full,
    /// There is no such session, or it is somebody else's.
    NoSession,
}

/// What a batch says of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobMark {
    /// Its person is told that it was taken on: it may begin.
    Begun(JobId),
    /// Its result is in the log of its session.
    Returned(JobId),
    /// Its person is told how it ended.
    Told(JobId),
}

impl JobMark {
    pub fn job(self) -> JobId {
        let (Self::Begun(job) | Self::Returned(job) | Self::Told(job)) = self;
        job
    }
}

/// How many jobs of one lane may be open at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    pub per_user: usize,
    pub overall: usize,
}

/// What became of a job that somebody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It is there, under this name.
    Kept(JobId),
    /// Its person has as many as they may have.
    FullForUser,
    /// There are as many as there may be.
    Full,
}

/// What lets a program in as a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    pub key: KeyId,
    /// Of its secret, which is nowhere kept.
    pub fingerprint: Seal,
    /// What its owner calls it.
    pub name: String,
    pub user: UserId,
    pub user_name: String,
    /// It may also do what concerns everybody.
    pub operator: bool,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

impl KeyRow {
    /// It opens the door at this time.
    pub fn is_good(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}
