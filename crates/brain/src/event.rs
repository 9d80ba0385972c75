//! Everything that happens in a session, in the order it happened.
//!
//! `Event` is what we store, what we replay, and what the canonical dialect
//! sends. Other dialects translate from it; none of them adds to it.

mod shown;

use std::sync::OnceLock;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::action::ActionState;
use crate::confirmation::Channel;
use crate::ids::{CallId, ConfirmationId, EventId, JobId, MessageId, SessionId, TurnId};
use crate::input::Decision;
use crate::paper::Attached;
use crate::policy::ActionLevel;
use crate::snapshot::{Scope, Snapshot, Standing, Welcome};
use crate::tier::Tier;
use crate::turn::TurnState;

pub use self::shown::{Place, PlanChoice, PlanUpdate, Progress, Question, StepStatus};

/// One event with its place in the session.
///
/// What belongs to a connection rather than to the conversation (a pong, a
/// complaint about a frame) carries no `seq`: nobody else saw it and nobody
/// will replay it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Envelope {
    #[ts(type = "string")]
    pub event_id: EventId,
    #[serde(flatten)]
    #[ts(skip)]
    pub event: Event,
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub ts: Timestamp,
    #[ts(type = "string")]
    pub session_id: SessionId,
    /// Which owner of the session numbered this.
    #[ts(type = "number")]
    pub epoch: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub turn_id: Option<TurnId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub message_id: Option<MessageId>,
    /// Never goes back within a session, also across restarts; it may skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub seq: Option<u64>,
    /// Counts from 1 within a turn; it may skip after a restart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub turn_seq: Option<u64>,
    pub role: Role,
    #[serde(skip)]
    #[schemars(skip)]
    #[ts(skip)]
    pub spelling: Spelling,
}

impl Envelope {
    /// Reads one that was spelled before, and remembers how.
    pub fn read(spelled: String) -> Result<Self, serde_json::Error> {
        let mut envelope: Self = serde_json::from_str(&spelled)?;
        envelope.spelling = Spelling(OnceLock::from(spelled));
        Ok(envelope)
    }

    /// As it is stored and sent, spelled once however many want to see it.
    pub fn spelled(&self) -> &str {
        self.spelling
            .0
            .get_or_init(|| serde_json::to_string(self).expect("an envelope has a JSON form"))
    }
}

/// How an envelope is spelled, once somebody has asked. A copy may be changed, so
/// it begins without one.
#[derive(Default)]
pub struct Spelling(OnceLock<String>);

impl Clone for Spelling {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Spelling {
    /// It follows from everything else.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::fmt::Debug for Spelling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
    }
}

/// Whose doing an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    User,
    Assistant,
    Tool,
    System,
}

/// How the person spoke to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum InputMode {
    Voice,
    Text,
}

/// How sound is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum AudioFormat {
    /// 16 bit, little endian, one channel.
    Pcm16,
}

/// How a turn went. What we cannot know, we call unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Success,
    Partial,
    Failed,
    Unknown,
}

/// What stands behind a tool: a look-up in passing, or a plan being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CallMode {
    Direct,
    Orchestrated,
}

/// Why a tool call came back without a result, and whether it is worth another try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CallError {
    pub code: String,
    pub message: String,
    pub retryable: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "event_type", content = "payload")]
pub enum Event {
    #[serde(rename = "turn.start")]
    TurnStarted {
        input_mode: InputMode,
        /// The `event_id` of the frame that began it, where it had one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        in_reply_to: Option<String>,
        /// The earlier turn whose outcome is told here; nobody asked for this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string")]
        follows: Option<TurnId>,
        /// The turn whose card the beginning of this sentence answered; here the rest of
        /// it is heard.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string")]
        goes_on: Option<TurnId>,
    },
    #[serde(rename = "state.change")]
    StateChanged { from: TurnState, to: TurnState, reason: String },
    #[serde(rename = "turn.end")]
    TurnEnded {
        outcome: Outcome,
        error_code: Option<String>,
        /// Which model answered, one on this machine or one elsewhere; absent where the
        /// rules did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        tier: Option<Tier>,
        /// What that model is called; nobody remembers it after a restart.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        model: Option<String>,
        /// How many characters of its last message were heard, where whoever listened went
        /// away before its end; nobody stopped it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        heard_chars: Option<usize>,
    },
    #[serde(rename = "turn.cancelled")]
    TurnCancelled {
        #[ts(type = "string")]
        cancel_turn_id: TurnId,
        /// How much of the answer was heard, where the client could tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        heard_ms: Option<u64>,
        /// How many characters of its last message were heard, where it was spoken;
        /// the rest was never said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        heard_chars: Option<usize>,
        /// The `event_id` of the frame that stopped it, where it had one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        in_reply_to: Option<String>,
    },

    #[serde(rename = "input_transcript.delta")]
    HeardDelta {
        /// All words so far. Nobody acts on them.
        text: String,
        confidence: f32,
        /// Those that will not change any more; absent where nobody can tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        stable: Option<String>,
        /// The rest of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        unstable: Option<String>,
    },
    /// Typed words are heard with certainty.
    #[serde(rename = "input_transcript.final")]
    Heard {
        text: String,
        confidence: f32,
        /// An answer to an open card belongs to the card's turn; this is the
        /// `event_id` of its own frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        in_reply_to: Option<String>,
        /// What was handed over with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<Attached>>", optional)]
        attachments: Vec<Attached>,
        /// More was said in the same breath: it is heard next, in a turn that `goes_on`
        /// from this one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(as = "Option<bool>", optional)]
        more: bool,
        /// Words of it that were hardly made out: from and to, in characters of `text`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<(u32, u32)>>", optional)]
        doubted: Vec<[usize; 2]>,
    },

    #[serde(rename = "assistant_text.delta")]
    SaidDelta { text: String },
    /// The deltas of the same message, joined.
    #[serde(rename = "assistant_text.final")]
    Said { text: String },

    /// A message is being spoken, to those who play it.
    #[serde(rename = "assistant_audio.start")]
    SoundBegan { audio_format: AudioFormat, sample_rate: u32 },
    #[serde(rename = "assistant_audio.chunk")]
    Sounded {
        pcm16_b64: String,
        /// Since the beginning of the message.
        #[ts(type = "number")]
        start_ms: u64,
        #[ts(type = "number")]
        duration_ms: u64,
        /// The characters of the message that are heard in it; none in a pause.
        text_start: usize,
        text_end: usize,
    },
    /// How loud it is to be played: softer while somebody may be interrupting.
    #[serde(rename = "assistant_audio.level")]
    SoundLevel { gain: f32 },
    #[serde(rename = "assistant_audio.end")]
    SoundEnded {
        /// What was sent and not played yet is not to be.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(as = "Option<bool>", optional)]
        interrupted: bool,
        /// How much of it was heard.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        heard_chars: Option<usize>,
    },

    /// What is to be done, step by step, whenever that changes.
    #[serde(rename = "plan.update")]
    Planned(Box<PlanUpdate>),

    #[serde(rename = "tool_call.request")]
    ToolRequested {
        #[ts(type = "string")]
        call_id: CallId,
        tool_name: String,
        #[ts(type = "Record<string, unknown>")]
        arguments: Value,
        idempotency_key: String,
        mode: CallMode,
        action_level: ActionLevel,
        /// What a person would call it: "Searching mail for Priya".
        label: String,
        /// The card that was said yes to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string")]
        confirmation_request_id: Option<ConfirmationId>,
    },
    #[serde(rename = "tool_call.queued")]
    ToolQueued {
        #[ts(type = "string")]
        call_id: CallId,
        #[ts(type = "string")]
        job_id: JobId,
        message: String,
    },
    #[serde(rename = "tool_call.progress")]
    ToolProgressed {
        #[ts(type = "string")]
        call_id: CallId,
        status: String,
        progress: f32,
        message: String,
    },
    #[serde(rename = "tool_call.result")]
    ToolReturned {
        #[ts(type = "string")]
        call_id: CallId,
        ok: bool,
        #[ts(type = "unknown")]
        output: Value,
        error: Option<CallError>,
        /// Of a write: what can be proven of it. It may be learnt later, and
        /// then comes once more with the same `call_id`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        state: Option<ActionState>,
    },

    /// A write waits for a yes to exactly this.
    #[serde(rename = "confirmation.request")]
    AskedToConfirm(Box<Question>),
    /// The same question changed: a new revision, or more time.
    #[serde(rename = "confirmation.updated")]
    QuestionChanged(Box<Question>),
    #[serde(rename = "confirmation.resolved")]
    Answered {
        #[ts(type = "string")]
        confirmation_request_id: ConfirmationId,
        revision: u32,
        decision: Decision,
        channel: Channel,
        /// What an edit changed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<String>>", optional)]
        edited_fields: Vec<String>,
        /// The `event_id` of the frame that answered, where it was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        in_reply_to: Option<String>,
    },
    #[serde(rename = "confirmation.expired")]
    WentUnanswered {
        #[ts(type = "string")]
        confirmation_request_id: ConfirmationId,
        revision: u32,
    },

    /// Answers a hello.
    #[serde(rename = "session.ready")]
    Welcomed(Box<Welcome>),
    /// Everything that was missed has been told; what follows is new.
    #[serde(rename = "session.resumed")]
    CaughtUp(Standing),
    /// What was missed cannot be told any more; this is everything there is.
    #[serde(rename = "resync")]
    Resynced(Box<Snapshot>),
    /// A frame with this `event_id` was taken before; it is not done again.
    #[serde(rename = "input.repeated")]
    Repeated { in_reply_to: String },
    /// Too much of something; what was sent was not taken.
    #[serde(rename = "rate_limit")]
    HeldBack {
        scope: Scope,
        #[ts(type = "number")]
        retry_after_ms: u64,
        /// For the person; a client may show it as it is.
        user_message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        in_reply_to: Option<String>,
    },
    #[serde(rename = "session.pong")]
    Ponged {
        /// What the client sent, so that it can measure the round trip.
        client_ts: Option<String>,
        #[schemars(with = "String")]
        #[ts(type = "string")]
        server_ts: Timestamp,
    },
    #[serde(rename = "error")]
    Failed {
        code: String,
        /// For the developer of the client.
        message: String,
        /// For the person; a client may show it as it is.
        user_message: String,
        retryable: bool,
        /// The `event_id` of the frame that this answers, where it had one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        in_reply_to: Option<String>,
    },
}

impl Event {
    /// A turn is over. Who answered is put in by whoever keeps its record.
    pub fn ended(outcome: Outcome, error_code: Option<String>) -> Self {
        Self::TurnEnded { outcome, error_code, tier: None, model: None, heard_chars: None }
    }

    /// What a client called the request that was taken with this event.
    pub fn took(&self) -> Option<&str> {
        match self {
            Self::TurnStarted { in_reply_to, .. }
            | Self::Heard { in_reply_to, .. }
            | Self::TurnCancelled { in_reply_to, .. }
            | Self::Answered { in_reply_to, .. } => in_reply_to.as_deref(),
            _ => None,
        }
    }

    /// Kept events are written before anyone sees them; passing ones are only
    /// ever broadcast. A change of state follows from kept events, so it passes.
    pub fn is_kept(&self) -> bool {
        match self {
            Self::TurnStarted { .. }
            | Self::TurnEnded { .. }
            | Self::TurnCancelled { .. }
            | Self::Heard { .. }
            | Self::Said { .. }
            | Self::Planned(_)
            | Self::ToolRequested { .. }
            | Self::ToolQueued { .. }
            | Self::ToolReturned { .. }
            | Self::AskedToConfirm(_)
            | Self::QuestionChanged(_)
            | Self::Answered { .. }
            | Self::WentUnanswered { .. }
            | Self::Failed { .. } => true,
            Self::StateChanged { .. }
            | Self::HeardDelta { .. }
            | Self::SaidDelta { .. }
            | Self::SoundBegan { .. }
            | Self::Sounded { .. }
            | Self::SoundLevel { .. }
            | Self::SoundEnded { .. }
            | Self::ToolProgressed { .. }
            | Self::Welcomed(_)
            | Self::CaughtUp(_)
            | Self::Resynced(_)
            | Self::Repeated { .. }
            | Self::HeldBack { .. }
            | Self::Ponged { .. } => false,
        }
    }

    /// Whose doing it is.
    pub fn role(&self) -> Role {
        match self {
            Self::HeardDelta { .. } | Self::Heard { .. } => Role::User,
            Self::SaidDelta { .. }
            | Self::Said { .. }
            | Self::SoundBegan { .. }
            | Self::Sounded { .. }
            | Self::SoundLevel { .. }
            | Self::SoundEnded { .. } => Role::Assistant,
            Self::ToolRequested { .. }
            | Self::ToolQueued { .. }
            | Self::ToolProgressed { .. }
            | Self::ToolReturned { .. } => Role::Tool,
            Self::TurnStarted { .. }
            | Self::StateChanged { .. }
            | Self::TurnEnded { .. }
            | Self::TurnCancelled { .. }
            | Self::Planned(_)
            | Self::AskedToConfirm(_)
            | Self::QuestionChanged(_)
            | Self::Answered { .. }
            | Self::WentUnanswered { .. }
            | Self::Welcomed(_)
            | Self::CaughtUp(_)
            | Self::Resynced(_)
            | Self::Repeated { .. }
            | Self::HeldBack { .. }
            | Self::Ponged { .. }
            | Self::Failed { .. } => Role::System,
        }
    }

    /// The spelling of its kind on the wire and in the store.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TurnStarted { .. } => "turn.start",
            Self::StateChanged { .. } => "state.change",
            Self::TurnEnded { .. } => "turn.end",
            Self::TurnCancelled { .. } => "turn.cancelled",
            Self::HeardDelta { .. } => "input_transcript.delta",
            Self::Heard { .. } => "input_transcript.final",
            Self::SaidDelta { .. } => "assistant_text.delta",
            Self::Said { .. } => "assistant_text.final",
            Self::SoundBegan { .. } => "assistant_audio.start",
            Self::Sounded { .. } => "assistant_audio.chunk",
            Self::SoundLevel { .. } => "assistant_audio.level",
            Self::SoundEnded { .. } => "assistant_audio.end",
            Self::Planned(_) => "plan.update",
            Self::ToolRequested { .. } => "tool_call.request",
            Self::ToolQueued { .. } => "tool_call.queued",
            Self::ToolProgressed { .. } => "tool_call.progress",
            Self::ToolReturned { .. } => "tool_call.result",
            Self::AskedToConfirm(_) => "confirmation.request",
            Self::QuestionChanged(_) => "confirmation.updated",
            Self::Answered { .. } => "confirmation.resolved",
            Self::WentUnanswered { .. } => "confirmation.expired",
            Self::Welcomed(_) => "session.ready",
            Self::CaughtUp(_) => "session.resumed",
            Self::Resynced(_) => "resync",
            Self::Repeated { .. } => "input.repeated",
            Self::HeldBack { .. } => "rate_limit",
            Self::Ponged { .. } => "session.pong",
            Self::Failed { .. } => "error",
        }
    }
}
