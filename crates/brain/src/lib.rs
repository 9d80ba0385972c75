//! Decides and does nothing.
//!
//! What a session is, what may happen in it, and in which order. There is no
//! tokio, no clock and no socket in this crate's manifest: time, ids and text
//! come in as values, decisions go out as values, and whoever calls us does
//! the rest. Start with [`event`], then [`turn`].

pub mod action;
pub mod audit;
pub mod card;
pub mod confirmation;
pub mod event;
pub mod facts;
pub mod ids;
pub mod input;
pub mod job;
pub mod mode;
pub mod paper;
pub mod plan;
pub mod policy;
pub mod profile;
pub mod resolve;
pub mod seal;
pub mod settled;
pub mod snapshot;
pub mod spoken;
pub mod tier;
pub mod turn;

pub use action::{Action, ActionState};
pub use card::{Card, Preview};
pub use confirmation::{Confirmation, SaySo};
pub use event::{CallError, Envelope, Event, InputMode, Outcome, Role};
pub use ids::{
    ActionId, CallId, ConfirmationId, EventId, FileId, JobId, KeyId, MessageId, PlanId, RequestId,
    SessionId, ThreadId, TraceId, TurnId, UserId,
};
pub use input::Input;
pub use job::{Job, JobState};
pub use paper::Attached;
pub use plan::{Plan, Step};
pub use policy::ActionLevel;
pub use profile::Profile;
pub use seal::Seal;
pub use snapshot::{Cursor, Snapshot};
pub use tier::Tier;
pub use turn::TurnState;
