//! What a client is told about a session as a whole: who it talks to, where it
//! stands after coming back, and everything there is when it cannot catch up.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::action::ActionState;
use crate::confirmation::Channel;
use crate::event::{CallError, Question, Role};
use crate::ids::{CallId, JobId, MessageId, TurnId};
use crate::input::Decision;
use crate::paper::Attached;
use crate::turn::TurnState;

/// The version of the canonical dialect that this code speaks.
pub const PROTOCOL: u32 = 1;
/// A client that was away may come back for so many kept events.
pub const REPLAY_EVENTS: u32 = 10_000;
/// And for so long.
pub const REPLAY_HOURS: u32 = 24;
/// The last events, deltas among them, that are replayed exactly as they went by.
pub const RECENT_EVENTS: u32 = 200;

/// Where a client stopped reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Cursor {
    /// The owner that numbered it. Without one, any that there was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub epoch: Option<u64>,
    /// The last number the client has seen.
    #[ts(type = "number")]
    pub last_seq: u64,
}

/// Who the server is and what it can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Welcome {
    pub protocol: u32,
    pub agent: String,
    #[ts(type = "number")]
    pub epoch: u64,
    #[ts(type = "number")]
    pub last_seq: u64,
    pub capabilities: Capabilities,
}

/// What can be asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Capabilities {
    pub hears: bool,
    pub speaks: bool,
    /// It takes sound in binary frames from whoever says in `session.hello` what they hold.
    /// It sends its own in text frames.
    pub binary_audio: bool,
    pub replay_events: u32,
    pub replay_hours: u32,
    pub recent_events: u32,
}

/// Where the session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Standing {
    #[ts(type = "number")]
    pub epoch: u64,
    /// Everything up to this number has been told.
    #[ts(type = "number")]
    pub last_seq: u64,
    pub state: TurnState,
    /// The turn that is in that state; none when nothing is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub turn_id: Option<TurnId>,
}

/// Why a client has to begin anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Lost {
    /// Its cursor is none that this session gave out.
    UnknownCursor,
    /// It was away too long.
    TooOld,
    /// It asked for it.
    Asked,
}

/// Everything there is, for a client that cannot catch up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Snapshot {
    pub reason: Lost,
    #[serde(flatten)]
    #[ts(flatten)]
    pub standing: Standing,
    /// The latest ones, oldest first.
    pub messages: Vec<Bubble>,
    /// There are older ones than those.
    pub has_more: bool,
    pub pending_confirmations: Vec<Pending>,
    /// What became of the cards among those messages, in the order in which they were decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Settled>>", optional)]
    pub settled_confirmations: Vec<Settled>,
    pub running_jobs: Vec<RunningJob>,
    /// What is being spoken, and how much of it was heard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speaking: Option<Speaking>,
}

/// One message as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Bubble {
    #[ts(type = "string")]
    pub message_id: MessageId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub turn_id: Option<TurnId>,
    pub role: Role,
    pub text: String,
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub ts: Timestamp,
    /// It still grows: deltas of the same message go on behind this text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub partial: bool,
    /// What was handed over with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Attached>>", optional)]
    pub attachments: Vec<Attached>,
}

/// A card that waits for an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Pending {
    #[serde(flatten)]
    #[ts(flatten)]
    pub question: Question,
    /// How long it still waits, by the server's clock.
    #[ts(type = "number")]
    pub remaining_ms: u64,
}

/// A card that is no longer open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Settled {
    #[serde(flatten)]
    #[ts(flatten)]
    pub question: Question,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub turn_id: Option<TurnId>,
    /// When it was decided.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub ts: Timestamp,
    /// How it was answered; none where nobody did in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub answer: Option<Given>,
    /// What came of a yes, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result: Option<Came>,
}

/// An answer that counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Given {
    pub decision: Decision,
    pub channel: Channel,
    /// What an edit changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub edited_fields: Vec<String>,
}

/// What came of it: as its last `tool_call.result` told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Came {
    #[ts(type = "string")]
    pub call_id: CallId,
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub ts: Timestamp,
    pub ok: bool,
    #[ts(type = "unknown")]
    pub output: Value,
    pub error: Option<CallError>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub state: Option<ActionState>,
}

/// Long work that goes on beside the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RunningJob {
    #[ts(type = "string")]
    pub job_id: JobId,
    pub progress: f32,
    pub message: String,
}

/// How far somebody has listened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Speaking {
    #[ts(type = "string")]
    pub message_id: MessageId,
    #[ts(type = "number")]
    pub heard_ms: u64,
}

/// What somebody has had too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    Audio,
    Text,
    Tool,
    Model,
    /// What was missed, told again.
    Replay,
    /// Not they: the server has its hands full with everybody.
    Server,
}
