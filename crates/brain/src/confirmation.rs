//! A question whose answer decides a write, and the only way to a say-so.
//!
//! A confirmation is bound to the fingerprint of exactly what was shown. An
//! edit makes a new revision; an answer counts once, in time, and only for the
//! revision the person has seen. [`Confirmation::weigh`] decides and changes
//! nothing; whoever asked writes the outcome down before acting on it.

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::card::{Card, Warning};
use crate::ids::{ActionId, ConfirmationId, SessionId, TurnId, UserId};
use crate::input::Decision;
use crate::policy::Care;
use crate::seal::Seal;

/// How long a card waits for an answer.
pub const PATIENCE: SignedDuration = SignedDuration::from_mins(10);
/// However often it is kept open, it is over then.
pub const LONGEST: SignedDuration = SignedDuration::from_hours(1);

/// One revision of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    pub id: ConfirmationId,
    /// Counts from 1; an edit makes the next one.
    pub revision: u32,
    /// The write that a yes would begin.
    pub action: ActionId,
    pub session: SessionId,
    pub user: UserId,
    pub turn: TurnId,
    /// Which step of the turn's plan, counted from 1.
    pub step: usize,
    pub tool: String,
    /// Of the tool and the card's payload.
    pub seal: Seal,
    pub card: Card,
    pub state: ConfirmationState,
    pub asked_at: Timestamp,
    pub expires_at: Timestamp,
    pub decided: Option<Decided>,
}

/// Where a revision stands. Only a pending one can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationState {
    Pending,
    Accepted,
    Rejected,
    Expired,
    /// A newer revision stands in its place.
    Superseded,
}

/// Who decided it, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub at: Timestamp,
    pub channel: Channel,
}

/// How an answer reached us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// A button.
    Click,
    /// A key, on the card itself.
    Key,
    Voice,
    /// Typed as a sentence.
    Text,
    /// `POST /chat/confirm`.
    Api,
}

/// An answer before anybody knows whether it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub decision: Decision,
    /// The revision the person has seen; `None` when that is not known.
    pub revision: Option<u32>,
    /// The fields that are to be different.
    pub edited: Option<Map<String, Value>>,
    pub channel: Channel,
    /// A sentence named somebody it goes to.
    pub names_recipient: bool,
}

/// What an answer comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Accept,
    Reject,
    /// The payload with the changes in it; it has to be prepared anew.
    Edit(Map<String, Value>),
}

/// Why an answer changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    #[error("the card has changed; revision {current} is the one to answer")]
    Stale { current: u32 },
    #[error("nobody answered in time")]
    Expired,
    #[error("it has been decided already")]
    Resolved(ConfirmationState),
    #[error(
        "it goes to somebody whose address was read in a text: tap the card, or say their name"
    )]
    NeedsReadback,
    #[error("an edit needs edited_payload with fields of the card that may be changed")]
    BadEdit,
}

impl NotTaken {
    /// Its spelling on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Self::Stale { .. } => "confirmation_stale",
            Self::Expired => "confirmation_expired",
            Self::Resolved(_) => "confirmation_resolved",
            Self::NeedsReadback => "confirmation_needs_readback",
            Self::BadEdit => "bad_edit",
        }
    }
}

/// The person's yes to exactly one write. Made only from an accepted
/// confirmation; a tool that writes asks it before it does anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaySo {
    action: ActionId,
    seal: Seal,
}

impl Confirmation {
    /// Is it still waiting at `now`?
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.state == ConfirmationState::Pending && now < self.expires_at
    }

    /// What `answer` comes to at `now`.
    pub fn weigh(&self, answer: &Answer, now: Timestamp) -> Result<Verdict, NotTaken> {
        match self.state {
            ConfirmationState::Pending => {}
            ConfirmationState::Expired => return Err(NotTaken::Expired),
            ConfirmationState::Superseded => {
                return Err(NotTaken::Stale { current: self.revision + 1 });
            }
            decided @ (ConfirmationState::Accepted | ConfirmationState::Rejected) => {
                return Err(NotTaken::Resolved(decided));
            }
        }
        if now >= self.expires_at {
            return Err(NotTaken::Expired);
        }
        if answer.edited.is_some() && answer.decision != Decision::Edit {
            // A yes with changes in it is neither.
            return Err(NotTaken::BadEdit);
        }
        match answer.decision {
            // A no is a no, whatever has changed since.
            Decision::Reject => Ok(Verdict::Reject),
            Decision::Accept | Decision::Edit if answer.revision != Some(self.revision) => {
                Err(NotTaken::Stale { current: self.revision })
            }
            Decision::Accept if self.needs_readback(answer) => Err(NotTaken::NeedsReadback),
            Decision::Accept => Ok(Verdict::Accept),
            Decision::Edit => self.edited(answer).map(Verdict::Edit),
        }
    }

    fn needs_readback(&self, answer: &Answer) -> bool {
        let is_touched = match answer.channel {
            Channel::Click | Channel::Key | Channel::Api => true,
            Channel::Voice | Channel::Text => false,
        };
        self.card.voice == Care::Readback && !is_touched && !answer.names_recipient
    }

    fn edited(&self, answer: &Answer) -> Result<Map<String, Value>, NotTaken> {
        let changes = answer.edited.as_ref().ok_or(NotTaken::BadEdit)?;
        let may_change = |name: &String| self.card.editable.iter().any(|field| field.name == *name);
        let mut payload = self.card.payload.clone();
        for (name, value) in changes {
            // What is not offered for change may be sent along as it stands.
            if !may_change(name) && payload.get(name) != Some(value) {
                return Err(NotTaken::BadEdit);
            }
            payload.insert(name.clone(), value.clone());
        }
        Ok(payload)
    }

    /// The next revision: another card in the place of this one. It needs a
    /// yes of its own.
    #[must_use]
    pub fn revised(&self, card: Card, now: Timestamp) -> Self {
        Self {
            revision: self.revision + 1,
            seal: Seal::of(&self.tool, &Value::Object(card.payload.clone())),
            card,
            state: ConfirmationState::Pending,
            expires_at: self.kept_open_until(now),
            decided: None,
            ..self.clone()
        }
    }

    /// When it is over if somebody keeps it open at `now`.
    pub fn kept_open_until(&self, now: Timestamp) -> Timestamp {
        let later = now.saturating_add(PATIENCE).unwrap_or(now);
        let last = self.asked_at.saturating_add(LONGEST).unwrap_or(later);
        later.min(last).max(self.expires_at)
    }

    /// As it is after a decision.
    #[must_use]
    pub fn decided(&self, state: ConfirmationState, at: Timestamp, channel: Channel) -> Self {
        Self { state, decided: Some(Decided { at, channel }), ..self.clone() }
    }

    /// Whether an edit may be done without asking again: what was prepared is
    /// exactly what the person saw in the fields, and nothing new deserves a
    /// second look.
    pub fn may_skip_asking(&self, wanted: &Map<String, Value>, prepared: &Card) -> bool {
        let same = Seal::of(&self.tool, &Value::Object(wanted.clone()))
            == Seal::of(&self.tool, &Value::Object(prepared.payload.clone()));
        let known = |warning: &Warning| self.card.warnings.contains(warning);
        same && prepared.voice <= self.card.voice && prepared.warnings.iter().all(known)
    }

    /// The yes, if it was one.
    pub fn say_so(&self) -> Option<SaySo> {
        (self.state == ConfirmationState::Accepted)
            .then_some(SaySo { action: self.action, seal: self.seal })
    }
}

impl SaySo {
    /// Was the yes to exactly this?
    pub fn covers(&self, tool: &str, args: &Value) -> bool {
        self.seal == Seal::of(tool, args)
    }

    pub fn action(&self) -> ActionId {
        self.action
    }
}

impl ConfirmationState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
        }
    }
}

#[cfg(test)]
#[path = "confirmation_tests.rs"]
mod tests;
