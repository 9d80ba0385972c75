//! Drafting mail in the mailbox on this machine.

use async_trait::async_trait;
use brain::ActionLevel;
use brain::facts::{Drafted, NewDraft};
use serde_json::Value;

use crate::args::schema_of;
use crate::local::Personal;
use crate::local::written::Once;
use crate::mail::writing::{CreateDraft, DraftReply};
use crate::tool::{Caller, Tool, ToolError};

/// Writes a reply that nobody else sees yet.
pub struct DraftMail(pub Personal);

#[async_trait]
impl Tool for DraftMail {
    fn name(&self) -> &'static str {
        "gmail.draft_reply"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Draft
    }

    fn description(&self) -> &'static str {
        "Draft a reply to one mail, or to the newest mail of a thread, that says what the person \
         wants to say. It goes to whoever wrote the mail, stays in the drafts, and is not sent."
    }

    fn input_schema(&self) -> Value {
        schema_of::<DraftReply>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Drafted>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        DraftReply::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Drafting a reply".to_owned()
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let wanted = DraftReply::read(&args).map_err(ToolError::BadArguments)?;
        let once = Once::new(self.name(), &args, caller);
        let drafted = self.0.draft_reply(once, wanted, caller.profile.clone()).await;
        drafted.map_err(|error| error.of(self.name()))
    }
}

/// Writes a new mail that nobody else sees yet.
pub struct NewMail(pub Personal);

#[async_trait]
impl Tool for NewMail {
    fn name(&self) -> &'static str {
        "gmail.create_draft"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Draft
    }

    fn description(&self) -> &'static str {
        "Leave a new mail in the person's drafts. It is not sent; `gmail.send` with its draft_id \
         would send it."
    }

    fn input_schema(&self) -> Value {
        schema_of::<CreateDraft>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<NewDraft>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        CreateDraft::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Drafting a mail".to_owned()
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let wanted = CreateDraft::read(&args).map_err(ToolError::BadArguments)?;
        let once = Once::new(self.name(), &args, caller);
        let drafted = self.0.create_draft(once, wanted, caller.profile.clone()).await;
        drafted.map_err(|error| error.of(self.name()))
    }
}
