//! What is shown of a card and of a plan.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::card::Card;
use crate::confirmation::Confirmation;
use crate::ids::ConfirmationId;
use crate::input::Decision;
use crate::mode::{Execution, Reason};
use crate::plan::Plan;
use crate::policy::ActionLevel;
use crate::seal::Seal;

/// A card with its place in the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Question {
    #[ts(type = "string")]
    pub confirmation_request_id: ConfirmationId,
    pub revision: u32,
    pub action_level: ActionLevel,
    pub tool_name: String,
    #[serde(flatten)]
    #[ts(flatten)]
    pub card: Card,
    /// What has changed since the revision before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub changed: Vec<String>,
    pub allowed_decisions: Vec<Decision>,
    pub step: Place,
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub expires_at: Timestamp,
    /// Of exactly what is shown; what is done has the same.
    #[ts(type = "string")]
    pub payload_hash: Seal,
}

/// Which step of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Place {
    pub index: usize,
    pub total: usize,
}

impl Question {
    /// A confirmation as clients see it.
    pub fn of(confirmation: &Confirmation, total: usize) -> Self {
        let editable = !confirmation.card.editable.is_empty();
        let allowed = [Decision::Accept, Decision::Edit, Decision::Reject];
        Self {
            confirmation_request_id: confirmation.id,
            revision: confirmation.revision,
            action_level: ActionLevel::Write,
            tool_name: confirmation.tool.clone(),
            card: confirmation.card.clone(),
            changed: Vec::new(),
            allowed_decisions: allowed
                .into_iter()
                .filter(|decision| editable || *decision != Decision::Edit)
                .collect(),
            step: Place { index: confirmation.step, total },
            expires_at: confirmation.expires_at,
            payload_hash: confirmation.seal,
        }
    }
}

/// A plan, how far it is, and what has to be known before it can go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PlanUpdate {
    #[serde(flatten)]
    #[ts(flatten)]
    pub plan: Plan,
    pub execution_mode: Execution,
    /// Why it is carried out that way.
    pub reason: Reason,
    /// One for each step.
    pub progress: Vec<Progress>,
    /// What the person can answer the question with, by its number from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<PlanChoice>>", optional)]
    pub choices: Vec<PlanChoice>,
}

/// One answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PlanChoice {
    pub name: String,
    /// The sentence that would have been clear from the start.
    pub means: String,
}

/// How far one step is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Progress {
    pub step_index: usize,
    pub status: StepStatus,
    /// What a person would call it.
    pub label: String,
    /// The steps whose results it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<usize>>", optional)]
    pub depends_on: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    Waiting,
    /// It goes on when the turn is over.
    Queued,
    Done,
    Failed,
    /// Its card is open.
    Asking,
    /// Somebody said yes, and what became of it is not known yet.
    Agreed,
    Declined,
    Expired,
    /// A step that it needed did not happen.
    NotRun,
}
