//! A write on its way: from a recorded yes to a recorded outcome.
//!
//! The states say what we can prove. [`Action::learn`] is the diagram,
//! [`Action::todo`] says what may be tried. Nothing is tried twice unless it is
//! proven that the first time did nothing.

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::confirmation::PATIENCE;
use crate::event::CallError;
use crate::ids::{ActionId, CallId, ConfirmationId, SessionId, TurnId, UserId};
use crate::seal::Seal;

/// A write is begun at most this often.
pub const MOST_ATTEMPTS: u32 = 3;
/// A provider is asked this often what became of a write before a person is.
pub const MOST_PROBES: u32 = 5;
/// So often, apart from one another, it must not be there.
const ABSENT_PROOF: u32 = 2;

/// One write that somebody said yes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    pub id: ActionId,
    pub confirmation: ConfirmationId,
    pub revision: u32,
    pub session: SessionId,
    pub user: UserId,
    pub turn: TurnId,
    pub step: usize,
    pub call: CallId,
    pub tool: String,
    /// Exactly what was shown.
    pub args: Value,
    pub seal: Seal,
    /// How people call it: "the mail to Priya".
    pub called: String,
    pub state: ActionState,
    /// How often it was begun.
    pub attempt: u32,
    /// The owner that began it last.
    pub epoch: u64,
    pub probes: u32,
    /// Probes in a row that did not find it.
    pub absent: u32,
    /// When it may be asked about or tried again.
    pub not_before: Option<Timestamp>,
    pub agreed_at: Timestamp,
    /// When the last thing about it was learnt.
    pub learnt_at: Timestamp,
    /// What the provider answered.
    pub result: Option<Value>,
    pub error: Option<CallError>,
    /// The person has been told how it ended.
    pub told: bool,
}

/// What we can prove of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActionState {
    /// The yes is on record, nothing has left.
    IntentLogged,
    /// It is being tried; it may have left.
    Dispatching,
    /// The provider said that it is done.
    Confirmed,
    /// Proven not to have happened.
    FailedClean,
    /// Nobody knows; the provider is being asked.
    MaybeSent,
    /// The provider has it.
    ReconciledDone,
    /// The provider does not have it.
    ReconciledNotDone,
    /// Not even the provider can tell.
    NeedsUser,
}

/// What can be learnt of a write.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// An owner is about to try it.
    Claimed { epoch: u64 },
    /// The provider did it.
    Done(Value),
    /// The provider did not do it, or was never reached.
    Refused(CallError),
    /// No answer, or one that proves nothing; also a try that an owner left behind.
    Lost(CallError),
    /// Asked afterwards: it is there.
    Found(Value),
    /// Asked afterwards: it is not there.
    Absent,
    /// Asked afterwards: no telling.
    Unclear,
    /// The yes is too old to act on.
    Lapsed(CallError),
}

/// What may be tried next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Todo {
    /// Claim it and call the tool.
    Dispatch,
    /// Somebody began it and is gone: nobody knows what became of it.
    Doubt,
    /// Ask the provider what became of it.
    Probe,
    Wait(Timestamp),
    /// The yes is too old; ask for a new one.
    Lapse,
    /// There is nothing more to do.
    Over,
}

/// The news does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{news} cannot be learnt of a write that is {}", state.name())]
pub struct OutOfStep {
    pub news: &'static str,
    pub state: ActionState,
}

impl ActionState {
    pub const ALL: [Self; 8] = [
        Self::IntentLogged,
        Self::Dispatching,
        Self::Confirmed,
        Self::FailedClean,
        Self::MaybeSent,
        Self::ReconciledDone,
        Self::ReconciledNotDone,
        Self::NeedsUser,
    ];

    /// Nothing more will be learnt of it by itself.
    pub fn is_over(self) -> bool {
        match self {
            Self::Confirmed | Self::FailedClean | Self::ReconciledDone | Self::NeedsUser => true,
            Self::IntentLogged | Self::Dispatching | Self::MaybeSent | Self::ReconciledNotDone => {
                false
            }
        }
    }

    /// It happened, and we can prove it.
    pub fn is_done(self) -> bool {
        matches!(self, Self::Confirmed | Self::ReconciledDone)
    }

    /// It did not happen, and we can prove it.
    pub fn is_not_done(self) -> bool {
        matches!(self, Self::IntentLogged | Self::FailedClean | Self::ReconciledNotDone)
    }

    /// Its spelling on the wire and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::IntentLogged => "intent_logged",
            Self::Dispatching => "dispatching",
            Self::Confirmed => "confirmed",
            Self::FailedClean => "failed_clean",
            Self::MaybeSent => "maybe_sent",
            Self::ReconciledDone => "reconciled_done",
            Self::ReconciledNotDone => "reconciled_not_done",
            Self::NeedsUser => "needs_user",
        }
    }
}

impl News {
    fn name(&self) -> &'static str {
        match self {
            Self::Claimed { .. } => "claimed",
            Self::Done(_) => "done",
            Self::Refused(_) => "refused",
            Self::Lost(_) => "lost",
            Self::Found(_) => "found",
            Self::Absent => "absent",
            Self::Unclear => "unclear",
            Self::Lapsed(_) => "lapsed",
        }
    }
}

impl Action {
    /// What may be tried at `now` by somebody who has just picked it up, or has
    /// written down the last thing that was learnt.
    pub fn todo(&self, now: Timestamp) -> Todo {
        use ActionState as S;
        if let Some(later) = self.not_before.filter(|later| *later > now && !self.state.is_over()) {
            return Todo::Wait(later);
        }
        match self.state {
            S::IntentLogged | S::ReconciledNotDone if self.has_lapsed(now) => Todo::Lapse,
            S::IntentLogged | S::ReconciledNotDone => Todo::Dispatch,
            S::Dispatching => Todo::Doubt,
            S::MaybeSent => Todo::Probe,
            S::Confirmed | S::FailedClean | S::ReconciledDone | S::NeedsUser => Todo::Over,
        }
    }

    /// A yes counts for so long; after that, and after many tries, a new one is needed.
    fn has_lapsed(&self, now: Timestamp) -> bool {
        now.duration_since(self.agreed_at) > PATIENCE || self.attempt >= MOST_ATTEMPTS
    }

    /// The write after `news`. `settle` is how long its provider may take to
    /// show what it has done.
    pub fn learn(
        &self,
        news: News,
        at: Timestamp,
        settle: SignedDuration,
    ) -> Result<Self, OutOfStep> {
        use ActionState as S;
        let mut next = Self { learnt_at: at, ..self.clone() };
        let later = || Some(at.saturating_add(settle).unwrap_or(at));
        match (self.state, news) {
            (S::IntentLogged | S::ReconciledNotDone, News::Claimed { epoch }) => {
                next.state = S::Dispatching;
                next.attempt += 1;
                next.epoch = epoch;
                (next.probes, next.absent, next.not_before) = (0, 0, None);
            }
            (S::IntentLogged | S::ReconciledNotDone, News::Lapsed(error)) => {
                next.state = S::FailedClean;
                next.error = Some(error);
            }
            (S::Dispatching, News::Done(result)) => {
                next.state = S::Confirmed;
                (next.result, next.error) = (Some(result), None);
            }
            (S::IntentLogged | S::Dispatching, News::Refused(error)) => {
                next.state = S::FailedClean;
                next.error = Some(error);
            }
            (S::Dispatching, News::Lost(error)) => {
                next.state = S::MaybeSent;
                next.error = Some(error);
                next.not_before = None;
            }
            (S::MaybeSent, News::Found(result)) => {
                next.state = S::ReconciledDone;
                next.probes += 1;
                (next.result, next.error, next.not_before) = (Some(result), None, None);
            }
            (S::MaybeSent, News::Absent) => {
                next.probes += 1;
                next.absent += 1;
                next.not_before = later();
                if next.absent >= ABSENT_PROOF {
                    next.state = S::ReconciledNotDone;
                    next.not_before = None;
                }
            }
            (S::MaybeSent, News::Unclear) => {
                next.probes += 1;
                next.absent = 0;
                next.not_before = later();
                if next.probes >= MOST_PROBES {
                    next.state = S::NeedsUser;
                    next.not_before = None;
                }
            }
            (state, news) => return Err(OutOfStep { news: news.name(), state }),
        }
        Ok(next)
    }
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;
