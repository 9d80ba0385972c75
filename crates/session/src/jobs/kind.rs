//! One kind of long work: what it is called, what it takes, and its next step.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use brain::job::{Lane, Priority};
use brain::{ActionLevel, CallError, Profile, UserId};
use jiff::{Timestamp, Zoned};
use models::{Focus, World};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tools::Place;

use crate::act::as_call_error;
use crate::house::House;
use crate::present::refused;

/// A look-up that has not answered by then has failed; the step is tried again.
const PATIENCE: Duration = Duration::from_secs(15);

/// What is done, step by step. A step may look things up and change nothing: it may
/// be done again after a crash, and only its checkpoint counts.
#[async_trait]
pub trait JobKind: Send + Sync {
    /// As plans and the wire spell it: `mail.summarize`. It is a tool of that name.
    fn name(&self) -> &'static str;
    /// For models and for people who read the catalog.
    fn description(&self) -> &'static str;
    fn input_schema(&self) -> Value;
    /// Would it take these arguments? Says why not.
    fn accepts(&self, args: &Value) -> Result<(), String>;
    /// What a person would call this while it goes on: "Reading your unread mail".
    fn label(&self, args: &Value) -> String;
    /// And what comes of it: "the summary of your unread mail".
    fn called(&self, args: &Value) -> String;

    fn lane(&self) -> Lane {
        Lane::Work
    }

    fn priority(&self) -> Priority {
        Priority::Usual
    }

    /// When it is to be taken up; at once, where there is no such time.
    fn due(&self, _args: &Value) -> Option<Timestamp> {
        None
    }

    /// How much lies ahead, in one sentence, where that can be said at once.
    async fn outlook(&self, _args: &Value, _help: &Help) -> Option<String> {
        None
    }

    /// The step behind `checkpoint`, which is null before the first. An error that is
    /// worth another try puts the job off; any other ends it.
    async fn step(&self, args: &Value, checkpoint: &Value, help: &Help) -> Result<Step, CallError>;
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Where to go on from, how far that is (0 to 1), and what was done.
    More {
        checkpoint: Value,
        progress: f32,
        message: String,
    },
    Done(Value),
}

/// What a step may use: tools that only look.
#[derive(Clone)]
pub struct Help {
    pub(crate) house: Arc<House>,
    pub user: UserId,
    /// Where it was asked for.
    pub place: Place,
}

impl Help {
    /// What a tool brings. One that could change anything is refused, whoever asks.
    pub async fn look<T: DeserializeOwned>(
        &self,
        tool: &'static str,
        args: Value,
    ) -> Result<T, CallError> {
        let known = self.house.catalog.get(tool);
        let known = known.filter(|tool| tool.level() == ActionLevel::Read);
        let known = known
            .filter(|_| self.house.desk.kind(tool).is_none())
            .ok_or_else(|| refused("refused", format!("{tool} is no tool that only looks")))?;
        let away =
            |message: String| CallError { code: "unreachable".into(), message, retryable: true };
        let caller = self.house.caller(self.user, String::new(), self.place).await;
        let caller = caller.map_err(|error| away(error.to_string()))?;
        let looking = tokio::time::timeout(PATIENCE, known.call(args, &caller)).await;
        let found = looking.map_err(|_| away(format!("{tool} did not answer in time")))?;
        let found = found.map_err(|error| as_call_error(&error))?;
        T::deserialize(found).map_err(|_| {
            refused("unreadable", format!("{tool} brought something that cannot be read"))
        })
    }

    /// What is known when an answer is put into words.
    pub async fn world(&self) -> Result<World, CallError> {
        self.house.world(self.user, Focus::default()).await.map_err(|error| unread(&error))
    }

    /// Whose work it is.
    pub async fn profile(&self) -> Result<Profile, CallError> {
        Ok(self.world().await?.profile)
    }

    /// Now, where they are.
    pub async fn now(&self) -> Result<Zoned, CallError> {
        Ok(self.world().await?.local_now())
    }
}

fn unread(error: &store::StoreError) -> CallError {
    CallError { code: "unreachable".into(), message: error.to_string(), retryable: true }
}
