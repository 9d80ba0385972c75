//! One thing the assistant can do for its person.

use async_trait::async_trait;
use brain::card::{Field, Preview, Warning};
use brain::{ActionLevel, Profile, SaySo, SessionId, TurnId, UserId};
use jiff::{SignedDuration, Zoned};
use serde_json::{Map, Value};

/// A tool checks its own arguments, calls one API, and says what happened.
/// It never asks the person, never retries, and never writes to the log: the
/// executor does those three, the same way for every tool.
///
/// What looks or drafts is called; what writes is a [`Write`] besides, and can
/// only be used with somebody's say-so.
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
    /// Looks something up, or drafts it.
    async fn call(&self, _args: Value, _caller: &Caller) -> Result<Value, ToolError> {
        let reason = "it writes, and nobody has said yes to it".to_owned();
        Err(ToolError::Refused { tool: self.name(), reason })
    }
    /// Whether only the person's own words lead to it, read by the rules: it stops or changes
    /// something at once, without a card, so no model may come up with it.
    fn is_by_word_only(&self) -> bool {
        false
    }
    /// There for every tool whose level is write, and for no other.
    fn writer(&self) -> Option<&dyn Write> {
        None
    }
}

/// The part of a tool that changes something.
#[async_trait]
pub trait Write: Send + Sync {
    /// Fills in what the arguments leave open and shows what would be done.
    /// Changes nothing. What comes out of it, put in again, comes out the same.
    async fn prepare(&self, args: Value, caller: &Caller) -> Result<Prepared, ToolError>;

    /// Does it, once: a second time with the same `caller.idempotency_key` it
    /// reports what was done the first time. Refuses whatever `say_so` does not
    /// cover, as the last thing before anything leaves.
    async fn write(&self, args: Value, caller: &Caller, say_so: &SaySo)
    -> Result<Value, ToolError>;

    /// What became of an earlier try with the same key. Changes nothing.
    async fn probe(&self, args: &Value, caller: &Caller) -> Result<Found, ToolError>;

    /// Leaves what is not to be done where the person finds it again, and says
    /// whether there is such a place: a mail goes into the drafts. Nobody else
    /// sees it, so it needs no yes.
    async fn keep(&self, _args: &Value, _caller: &Caller) -> Result<bool, ToolError> {
        Ok(false)
    }

    /// How long the provider may take to show what it has done.
    fn settle(&self) -> SignedDuration;
}

/// A write that is ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// `send_email`, `create_event`, `cancel_event`, `move_event`, `remember`, `forget`.
    pub action_type: &'static str,
    /// "Send this reply?"
    pub title: String,
    /// Exactly what [`Write::write`] is to be called with.
    pub payload: Map<String, Value>,
    /// Where each recipient comes from is not the tool's to say; it leaves it unknown.
    pub preview: Preview,
    pub editable: Vec<Field>,
    pub warnings: Vec<Warning>,
    /// Addresses that take part in the thread that is being answered.
    pub thread: Vec<String>,
}

/// What a provider says of an earlier try.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// It was done; this is what was reported then.
    Done(Value),
    /// It is not there.
    Absent,
    /// The provider cannot say.
    Unclear,
}

/// For whom a tool works, and when.
#[derive(Clone, Debug)]
pub struct Caller {
    pub user: UserId,
    pub profile: Profile,
    pub now: Zoned,
    /// The same on every attempt of one step.
    pub idempotency_key: String,
    /// Where it was asked for; nowhere in particular, where a program asks.
    pub place: Option<Place>,
    /// What was said and read before a card is drawn, for whose words they are.
    pub heard: Heard,
}

/// A moment of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub session: SessionId,
    pub turn: TurnId,
}

/// Words by whose they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The person's own.
    pub said: String,
    /// What tools brought.
    pub read: Vec<String>,
}

/// Was the yes to exactly this, and for this one try and its repetitions? A
/// tool asks it as the last thing before it writes.
pub(crate) fn agreed(
    tool: &'static str,
    args: &Value,
    caller: &Caller,
    say_so: &SaySo,
) -> Result<(), ToolError> {
    let refused = |reason: &str| Err(ToolError::Refused { tool, reason: reason.to_owned() });
    if !say_so.covers(tool, args) {
        return refused("the yes was to something else");
    }
    if say_so.action().to_string() != caller.idempotency_key {
        return refused("the yes has been used for another write");
    }
    Ok(())
}

/// A look-up that outlasts its turn, and the work that brings it to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Longer {
    /// The kind of job, and what it takes.
    pub job: &'static str,
    pub args: Value,
    /// What the look-up brings for now, once somebody is at that job.
    pub taken_on: Value,
    /// The same where nobody is.
    pub left: Value,
}

/// Grouped by what the executor does next, not by where it came from.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// Try a look-up again: time-outs, 429, 5xx. Of a write nobody knows then
    /// whether it was done.
    #[error("{tool} is not reachable right now")]
    Transient {
        tool: &'static str,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Try again: nothing has left, so nothing can have been done.
    #[error("{tool} could not be reached")]
    NotReached {
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
    /// Show it anew: it is not what somebody said yes to any more.
    #[error("the {what} was changed in the meantime")]
    Changed { what: &'static str },
    /// Tell the person that it did not work.
    #[error("{tool} said no: {reason}")]
    Refused { tool: &'static str, reason: String },
    /// Go on with it as work of its own, where that can be done.
    #[error("that takes longer than anybody waits for it")]
    TakesLonger(Box<Longer>),
    /// Tell the person that this conversation stays out of their memory.
    #[error("memory is paused in this chat; say that it may remember again to go on")]
    Paused,
}
