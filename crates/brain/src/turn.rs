//! The states of a turn and what leads from one to the next.
//!
//! [`TurnState::next`] is the diagram. The log asks it before it writes, so
//! what is not drawn here cannot be in a log. Events that move the turn by
//! themselves (a tool is called, the turn ends) are told to clients with a
//! `state.change` that the log derives; where no event says it (speech ended,
//! the answer begins) the `state.change` is the event.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::event::{Event, InputMode};

/// What a session is doing for its person right now.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS,
)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    #[default]
    Idle,
    Listening,
    FinalizingInput,
    Thinking,
    ExecutingTools,
    AwaitingConfirmation,
    Speaking,
    Cancelled,
    ErrorRecoverable,
    ErrorTerminal,
}

/// The event does not belong here; nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{event} cannot happen while {}", from.name())]
pub struct OutOfOrder {
    pub event: &'static str,
    pub from: TurnState,
}

impl TurnState {
    /// Every state, in the order a turn tends to visit them.
    pub const ALL: [Self; 10] = [
        Self::Idle,
        Self::Listening,
        Self::FinalizingInput,
        Self::Thinking,
        Self::ExecutingTools,
        Self::AwaitingConfirmation,
        Self::Speaking,
        Self::Cancelled,
        Self::ErrorRecoverable,
        Self::ErrorTerminal,
    ];

    /// Where `event` leads from here.
    pub fn next(self, event: &Event) -> Result<Self, OutOfOrder> {
        use Event as E;
        use TurnState as S;

        let next = match (self, event) {
            (S::Idle | S::Cancelled, E::TurnStarted { input_mode: InputMode::Voice, .. }) => {
                S::Listening
            }
            (S::Idle | S::Cancelled, E::TurnStarted { input_mode: InputMode::Text, .. }) => {
                S::FinalizingInput
            }

            (S::Listening, E::HeardDelta { .. }) => S::Listening,
            (S::Listening | S::FinalizingInput, E::Heard { .. }) => S::FinalizingInput,
            // What is said while a card is open may be an answer to it.
            (S::AwaitingConfirmation, E::Heard { .. }) => self,

            // An acknowledgement may be said at any time before the answer, and
            // a card is talked about while it is open.
            (
                S::Thinking | S::ExecutingTools | S::AwaitingConfirmation | S::Speaking,
                E::SaidDelta { .. } | E::Said { .. },
            ) => self,
            (S::Thinking | S::ExecutingTools, E::ToolRequested { .. }) => S::ExecutingTools,
            (
                S::ExecutingTools,
                E::ToolQueued { .. } | E::ToolProgressed { .. } | E::ToolReturned { .. },
            ) => self,
            // A plan is made, grows and is told anew while it is worked on.
            (
                S::Thinking | S::ExecutingTools | S::AwaitingConfirmation | S::Speaking,
                E::Planned(_),
            ) => self,
            (S::ExecutingTools, E::AskedToConfirm(_)) => S::AwaitingConfirmation,
            (S::AwaitingConfirmation, E::QuestionChanged(_)) => self,
            // An earlier write of this turn may go on while the next card is open.
            (S::AwaitingConfirmation, E::ToolRequested { .. } | E::ToolReturned { .. }) => self,
            // What was queued goes on while its turn waits, and when it is over.
            (S::AwaitingConfirmation, E::ToolProgressed { .. }) => self,
            (S::Idle, E::ToolProgressed { .. } | E::ToolReturned { .. }) => self,
            (S::AwaitingConfirmation, E::Answered { .. } | E::WentUnanswered { .. }) => {
                S::ExecutingTools
            }
            (S::Speaking | S::ErrorTerminal, E::TurnEnded { .. }) => S::Idle,
            // The part of an answer that was said before it was cut off.
            (S::Cancelled, E::Said { .. }) => S::Cancelled,

            (_, E::TurnCancelled { .. }) if self.is_active() => S::Cancelled,
            (_, E::Failed { retryable: true, .. }) if self.is_active() => S::ErrorRecoverable,
            (_, E::Failed { retryable: false, .. }) if self.is_active() => S::ErrorTerminal,

            (_, E::StateChanged { from, to, .. }) if *from == self && self.may_become(*to) => *to,

            _ => return Err(OutOfOrder { event: event.name(), from: self }),
        };
        Ok(next)
    }

    /// The arrows of the diagram, whatever event draws them.
    pub fn may_become(self, to: Self) -> bool {
        use TurnState as S;
        match (self, to) {
            (S::Idle, S::Listening | S::FinalizingInput) => true,
            (S::Listening, S::FinalizingInput) => true,
            (S::FinalizingInput, S::Thinking) => true,
            (S::Thinking, S::ExecutingTools | S::Speaking) => true,
            (S::ExecutingTools, S::AwaitingConfirmation | S::Speaking) => true,
            (S::AwaitingConfirmation, S::ExecutingTools) => true,
            (S::Speaking, S::Idle) => true,
            (S::Cancelled, S::Idle | S::Listening | S::FinalizingInput) => true,
            (S::ErrorRecoverable, S::Listening | S::Thinking) => true,
            (S::ErrorTerminal, S::Idle) => true,
            (_, S::Cancelled | S::ErrorRecoverable | S::ErrorTerminal) => self.is_active(),
            _ => false,
        }
    }

    /// Somebody is waiting for something to come of it.
    pub fn is_active(self) -> bool {
        match self {
            Self::Listening
            | Self::FinalizingInput
            | Self::Thinking
            | Self::ExecutingTools
            | Self::AwaitingConfirmation
            | Self::Speaking
            | Self::ErrorRecoverable => true,
            Self::Idle | Self::Cancelled | Self::ErrorTerminal => false,
        }
    }

    /// Its spelling on the wire and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Listening => "listening",
            Self::FinalizingInput => "finalizing_input",
            Self::Thinking => "thinking",
            Self::ExecutingTools => "executing_tools",
            Self::AwaitingConfirmation => "awaiting_confirmation",
            Self::Speaking => "speaking",
            Self::Cancelled => "cancelled",
            Self::ErrorRecoverable => "error_recoverable",
            Self::ErrorTerminal => "error_terminal",
        }
    }
}

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;
