//! One thing the assistant can do for its person.

use async_trait::async_trait;
use brain::{ActionLevel, Profile, UserId};
use jiff::Zoned;
use serde_json::Value;

/// A tool checks its own arguments, calls one API, and says what happened.
/// It never asks the person, never retries, and never writes to the log: the
/// executor does those three, the same way for every tool.
#[async_trait]
pub trait Tool: Send + Sync {
    /// As plans and the wire spell it: `gmail.search`.
    fn name(&self) -> &'static str;
    fn level(&self) -> ActionLevel;
    /// For models and for people who read the catalog.
    fn description(&self) -> &'static str;
    fn input_schema(&self) -> Value;
    fn output_schema(&self) -> Value;
    /// Would it take these arguments? Says why not.
    fn accepts(&self, args: &Value) -> Result<(), String>;
    /// What a person would call this use of it: "Searching mail from Priya".
    fn label(&self, args: &Value) -> String;
    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError>;
}

/// For whom a tool works, and when.
#[derive(Clone, Debug)]
pub struct Caller {
    pub user: UserId,
    pub profile: Profile,
    pub now: Zoned,
    /// The same on every attempt of one step.
    pub idempotency_key: String,
}

/// Grouped by what the executor does next, not by where it came from.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// Try again: time-outs, 429, 5xx.
    #[error("{tool} is not reachable right now")]
    Transient {
        tool: &'static str,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Ask for better arguments.
    #[error("{0}")]
    BadArguments(String),
    /// Tell the person that there is no such thing.
    #[error("there is no {what} with that id")]
    NotFound { what: &'static str },
    /// Tell the person that it did not work.
    #[error("{tool} said no: {reason}")]
    Refused { tool: &'static str, reason: String },
}
