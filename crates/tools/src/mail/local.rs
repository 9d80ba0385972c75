//! The mail tools over the mailbox on this machine.

use async_trait::async_trait;
use brain::ActionLevel;
use brain::facts::{Letters, OpenedLetter};
use serde_json::Value;

use super::{GetMessage, Search, label_of_search};
use crate::args::{schema_of, told};
use crate::local::Personal;
use crate::local::mailbox::{Lookup, Point};
use crate::tool::{Caller, Tool, ToolError};

mod drafting;
mod sending;

pub use drafting::{DraftMail, NewMail};
pub use sending::SendMail;

/// Finds mail, newest first.
pub struct SearchMail(pub Personal);

/// Opens one mail.
pub struct OpenMail(pub Personal);

#[async_trait]
impl Tool for SearchMail {
    fn name(&self) -> &'static str {
        "gmail.search"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Read
    }

    fn description(&self) -> &'static str {
        "Find mail of the person by words, people, labels and dates, newest first. Drafts are \
         found only with in:drafts or in:anywhere."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Search>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Letters>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Search::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        label_of_search(args)
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let (search, query) = Search::read(&args).map_err(ToolError::BadArguments)?;
        let lookup = Lookup::new(&query, &Point::of(caller)).map_err(ToolError::BadArguments)?;
        let found = self.0.search_mail(caller.user, lookup, search.max_results).await;
        Ok(told(&found.map_err(|error| error.of(self.name()))?))
    }
}

#[async_trait]
impl Tool for OpenMail {
    fn name(&self) -> &'static str {
        "gmail.get_message"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Read
    }

    fn description(&self) -> &'static str {
        "Open one mail of the person and bring its whole text. The mail stays unread if it was."
    }

    fn input_schema(&self) -> Value {
        schema_of::<GetMessage>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<OpenedLetter>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        GetMessage::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Opening the mail".to_owned()
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let get = GetMessage::read(&args).map_err(ToolError::BadArguments)?;
        let opened = self.0.open_mail(caller.user, get.message_id).await;
        let opened = opened.map_err(|error| error.of(self.name()))?;
        Ok(told(&opened.ok_or(ToolError::NotFound { what: "mail" })?))
    }
}
