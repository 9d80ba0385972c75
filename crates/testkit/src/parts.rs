//! A mind and tools that follow a script.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use brain::plan::Proposal;
use brain::resolve::people::Contact;
use brain::{ActionLevel, CallError, UserId};
use models::{Done, Gist, Mind, Understanding, World};
use serde_json::{Value, json};
use session::jobs::{Help, Step};
use session::{ContactBook, JobKind};
use tools::{Caller, Tool, ToolError};

/// Knows nobody.
#[derive(Clone, Copy, Debug)]
pub struct NoContacts;

#[async_trait]
impl ContactBook for NoContacts {
    async fn contacts(&self, _: UserId) -> Vec<Contact> {
        Vec::new()
    }
}

/// What a scripted mind makes of the next sentence.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    pub proposal: Proposal,
    pub acknowledgement: Option<String>,
    pub question: Option<String>,
    /// What of the sentence it reads once the steps have brought something.
    pub rest: Option<String>,
    /// What it says in the end; a count of results when there is no script.
    pub says: Option<String>,
    /// How long it thinks.
    pub takes: Duration,
    /// Loses its mind instead.
    pub panics: bool,
}

/// Thinks what it was told to think, in order.
#[derive(Debug, Default)]
pub struct ScriptedMind {
    thoughts: Mutex<VecDeque<Thought>>,
    saying: Mutex<Option<String>>,
}

impl ScriptedMind {
    pub fn will_think(&self, thought: Thought) {
        self.thoughts.lock().unwrap_or_else(PoisonError::into_inner).push_back(thought);
    }
}

#[async_trait]
impl Mind for ScriptedMind {
    async fn understand(&self, _: &str, _: &World) -> Understanding {
        let next = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let thought = next.unwrap_or_default();
        if !thought.takes.is_zero() {
            tokio::time::sleep(thought.takes).await;
        }
        assert!(!thought.panics, "the script says that this mind panics");
        *self.saying.lock().unwrap_or_else(PoisonError::into_inner) = thought.says;
        Understanding {
            proposal: thought.proposal,
            acknowledgement: thought.acknowledgement,
            question: thought.question,
            rest: thought.rest,
            ..Understanding::of(Gist::Question)
        }
    }

    async fn tell(&self, understanding: &Understanding, done: &[Done], _: &World) -> String {
        let says = self.saying.lock().unwrap_or_else(PoisonError::into_inner).take();
        if done.is_empty() && says.is_none() && !understanding.proposal.steps.is_empty() {
            // Nothing was looked up; the card speaks for itself.
            return String::new();
        }
        let succeeded = done.iter().filter(|step| step.result.is_ok()).count();
        says.unwrap_or_else(|| format!("{succeeded} of {} worked.", done.len()))
    }
}

/// Knows sentences by heart, and thinks nothing of any other.
#[derive(Debug, Default)]
pub struct ByHeart {
    known: Mutex<HashMap<String, Thought>>,
}

impl ByHeart {
    pub fn learn(&self, sentence: &str, thought: Thought) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(sentence.to_owned(), thought);
    }
}

#[async_trait]
impl Mind for ByHeart {
    async fn understand(&self, text: &str, _: &World) -> Understanding {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
        let thought = known.unwrap_or_default();
        if !thought.takes.is_zero() {
            tokio::time::sleep(thought.takes).await;
        }
        Understanding {
            proposal: thought.proposal,
            acknowledgement: thought.acknowledgement,
            question: thought.question,
            rest: thought.rest,
            ..Understanding::of(Gist::Question)
        }
    }

    async fn tell(&self, understanding: &Understanding, done: &[Done], _: &World) -> String {
        if done.is_empty() && !understanding.proposal.steps.is_empty() {
            return String::new();
        }
        let succeeded = done.iter().filter(|step| step.result.is_ok()).count();
        format!("{succeeded} of {} worked.", done.len())
    }
}

/// Work that counts to four, a number a step.
#[derive(Debug, Default)]
pub struct Counting;

impl Counting {
    pub const NAME: &'static str = "test.count";
    pub const RESULT: &'static str = "Counted to four.";
}

#[async_trait]
impl JobKind for Counting {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn description(&self) -> &'static str {
        "Counts to four."
    }

    fn input_schema(&self) -> Value {
        json!({ "type": "object" })
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        if args.is_object() { Ok(()) } else { Err("arguments are an object".into()) }
    }

    fn label(&self, _: &Value) -> String {
        "Counting".to_owned()
    }

    fn called(&self, _: &Value) -> String {
        "the count".to_owned()
    }

    async fn step(&self, _: &Value, checkpoint: &Value, _: &Help) -> Result<Step, CallError> {
        let next = checkpoint.as_u64().unwrap_or(0) + 1;
        if next > 4 {
            return Ok(Step::Done(json!({ "text": Self::RESULT })));
        }
        let progress = f32::from(u8::try_from(next).unwrap_or(4)) / 5.0;
        Ok(Step::More { checkpoint: next.into(), progress, message: format!("{next} of 4") })
    }
}

/// What a fake tool does when it is called.
#[derive(Clone, Debug)]
pub enum Script {
    Returns(Value),
    /// Not reachable this many times, then returns.
    Unreachable {
        times: usize,
        then: Value,
    },
    Refuses(String),
    /// Takes so long.
    Takes(Duration, Value),
    Hangs,
}

/// A tool that takes any arguments and follows its script.
#[derive(Debug)]
pub struct FakeTool {
    name: &'static str,
    level: ActionLevel,
    script: Mutex<Script>,
    calls: Mutex<Vec<Value>>,
}

impl FakeTool {
    pub fn new(name: &'static str, level: ActionLevel, script: Script) -> Self {
        Self { name, level, script: Mutex::new(script), calls: Mutex::default() }
    }

    /// The arguments of every call so far.
    pub fn calls(&self) -> Vec<Value> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Tool for FakeTool {
    fn name(&self) -> &'static str {
        self.name
    }

    fn level(&self) -> ActionLevel {
        self.level
    }

    fn description(&self) -> &'static str {
        "Does as it is scripted."
    }

    fn input_schema(&self) -> Value {
        json!({ "type": "object" })
    }

    fn output_schema(&self) -> Value {
        json!(true)
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        if args.is_object() { Ok(()) } else { Err("arguments are an object".into()) }
    }

    fn label(&self, _: &Value) -> String {
        format!("Using {}", self.name)
    }

    async fn call(&self, args: Value, _: &Caller) -> Result<Value, ToolError> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(args);
        let now = {
            let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
            let now = script.clone();
            if let Script::Unreachable { times, .. } = &mut *script {
                *times = times.saturating_sub(1);
            }
            now
        };
        match now {
            Script::Returns(value) | Script::Unreachable { times: 0, then: value } => Ok(value),
            Script::Unreachable { .. } => {
                Err(ToolError::Transient { tool: self.name, source: "the line is dead".into() })
            }
            Script::Refuses(reason) => Err(ToolError::Refused { tool: self.name, reason }),
            Script::Takes(time, value) => {
                tokio::time::sleep(time).await;
                Ok(value)
            }
            Script::Hangs => std::future::pending().await,
        }
    }
}
