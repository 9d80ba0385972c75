//! Jobs and reminders as tools: each kind of work, and what looks after it.
//!
//! None of them reaches anybody but the person: a reminder is their own sentence said
//! back to them, and one that is stopped can be set again with a sentence. So they are
//! done and said, and not asked for with a card.

use std::sync::Arc;

use ::tools::{Caller, Catalog, Tool, ToolError};
use async_trait::async_trait;
use brain::job::Lane;
use brain::{ActionLevel, Job, JobState};
use serde::Deserialize;
use serde_json::{Value, json};

use super::desk::{JobDesk, shown};
use super::kind::JobKind;

pub(super) fn add_to<'a>(
    desk: &Arc<JobDesk>,
    kinds: impl Iterator<Item = &'a Arc<dyn JobKind>>,
    catalog: Catalog,
) -> Catalog {
    let catalog = kinds.fold(catalog, |catalog, kind| catalog.with(Arc::new(Long(kind.clone()))));
    [
        (Lane::Work, "jobs.list", "jobs.cancel"),
        (Lane::Reminder, "reminders.list", "reminders.cancel"),
    ]
    .into_iter()
    .fold(catalog, |catalog, (lane, list, cancel)| {
        catalog
            .with(Arc::new(List { desk: desk.clone(), lane, name: list }))
            .with(Arc::new(Cancel { desk: desk.clone(), lane, name: cancel }))
    })
}

/// A kind of work, as plans see it. The executor queues it; it is never called.
struct Long(Arc<dyn JobKind>);

#[async_trait]
impl Tool for Long {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Work only looks; a reminder leaves something behind.
    fn level(&self) -> ActionLevel {
        match self.0.lane() {
            Lane::Work => ActionLevel::Read,
            Lane::Reminder => ActionLevel::Draft,
        }
    }

    fn description(&self) -> &'static str {
        self.0.description()
    }

    fn input_schema(&self) -> Value {
        self.0.input_schema()
    }

    fn output_schema(&self) -> Value {
        json!({ "type": "object", "required": ["job_id"], "properties": { "job_id": { "type": "string" } } })
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        self.0.accepts(args)
    }

    fn label(&self, args: &Value) -> String {
        self.0.label(args)
    }
}

/// What is under way, or waits for its time.
struct List {
    desk: Arc<JobDesk>,
    lane: Lane,
    name: &'static str,
}

/// Stops one of them.
struct Cancel {
    desk: Arc<JobDesk>,
    lane: Lane,
    name: &'static str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    /// Words of what it is called or about; the only one there is, without any.
    #[serde(default)]
    about: String,
    /// All of them.
    #[serde(default)]
    all: bool,
}

const LONGEST_ABOUT: usize = 500;

#[async_trait]
impl Tool for List {
    fn name(&self) -> &'static str {
        self.name
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Read
    }

    fn description(&self) -> &'static str {
        match self.lane {
            Lane::Work => "Long work of the person that is waiting or under way, oldest first.",
            Lane::Reminder => {
                "Reminders and timers of the person that are set, the next one first."
            }
        }
    }

    fn input_schema(&self) -> Value {
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    }

    fn output_schema(&self) -> Value {
        json!({ "type": "object", "properties": { "jobs": { "type": "array" } } })
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        let none = args.as_object().is_some_and(serde_json::Map::is_empty);
        none.then_some(()).ok_or_else(|| format!("{} takes no arguments", self.name))
    }

    fn label(&self, _: &Value) -> String {
        match self.lane {
            Lane::Work => "Looking at what is under way".to_owned(),
            Lane::Reminder => "Looking at your reminders".to_owned(),
        }
    }

    async fn call(&self, _: Value, caller: &Caller) -> Result<Value, ToolError> {
        let jobs = open(&self.desk, self.lane, caller, self.name).await?;
        Ok(json!({ "jobs": jobs.iter().map(told).collect::<Vec<_>>() }))
    }
}

#[async_trait]
impl Tool for Cancel {
    fn name(&self) -> &'static str {
        self.name
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Draft
    }

    fn is_by_word_only(&self) -> bool {
        true
    }

    fn description(&self) -> &'static str {
        match self.lane {
            Lane::Work => "Stop long work of the person, the one that the words fit.",
            Lane::Reminder => "Drop a reminder or timer of the person, the one that the words fit.",
        }
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "about": {
                    "type": "string",
                    "maxLength": LONGEST_ABOUT,
                    "description": "Words of what it is called; none where there is only one.",
                },
                "all": { "type": "boolean", "description": "Every one there is." },
            },
            "additionalProperties": false,
        })
    }

    fn output_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": { "stopped": { "type": "array" }, "choices": { "type": "array" } },
        })
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        let which = Which::deserialize(args).map_err(|error| error.to_string())?;
        let short = which.about.chars().count() <= LONGEST_ABOUT;
        short.then_some(()).ok_or_else(|| format!("about is at most {LONGEST_ABOUT} characters"))
    }

    fn label(&self, _: &Value) -> String {
        match self.lane {
            Lane::Work => "Stopping it".to_owned(),
            Lane::Reminder => "Dropping the reminder".to_owned(),
        }
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let bad = |error: serde_json::Error| ToolError::BadArguments(error.to_string());
        let which = Which::deserialize(&args).map_err(bad)?;
        let open = open(&self.desk, self.lane, caller, self.name).await?;
        let fitting: Vec<&Job> = open.iter().filter(|job| fits(job, &which.about)).collect();
        if fitting.len() > 1 && !which.all {
            let choices: Vec<_> = fitting.into_iter().map(told).collect();
            return Ok(json!({ "stopped": [], "choices": choices }));
        }
        let mut stopped = Vec::new();
        for job in fitting {
            let ended = self.desk.cancel(caller.user, job.id, caller.now.timestamp()).await;
            let ended = ended.map_err(|error| away(self.name, error))?;
            // One that ended by itself a moment ago was not stopped.
            if ended.is_some_and(|job| job.state == JobState::Cancelled) {
                stopped.push(told(job));
            }
        }
        Ok(json!({ "stopped": stopped, "choices": [] }))
    }
}

/// The open ones, in the order people think of them.
async fn open(
    desk: &JobDesk,
    lane: Lane,
    caller: &Caller,
    tool: &'static str,
) -> Result<Vec<Job>, ToolError> {
    let open = desk.store.open_jobs(caller.user).await.map_err(|error| away(tool, error))?;
    let is_told = |job: &Job| job.lane == lane && job.state != JobState::Held;
    let mut open: Vec<_> = open.into_iter().filter(is_told).collect();
    if lane == Lane::Reminder {
        open.sort_by_key(|job| (job.wake_at, job.id));
    }
    Ok(open)
}

fn away(tool: &'static str, error: store::StoreError) -> ToolError {
    ToolError::Transient { tool, source: Box::new(error) }
}

/// As lists show it, with what it is about.
fn told(job: &Job) -> Value {
    let mut told = shown(job);
    if let Some(text) = job.args.get("text") {
        told["text"] = text.clone();
    }
    if let Some(minutes) = job.args.get("timer_seconds") {
        told["timer_seconds"] = minutes.clone();
    }
    told
}

/// Every word that says something is in what it is called or about, or begins a word
/// of it: "the oven" fits "check the oven".
fn fits(job: &Job, about: &str) -> bool {
    const FILLERS: [&str; 12] =
        ["the", "a", "my", "that", "this", "to", "about", "of", "for", "at", "job", "it"];
    let text = job.args.get("text").and_then(Value::as_str).unwrap_or_default();
    let timer = if job.args.get("timer_seconds").is_some() { "timer" } else { "" };
    let known = format!("{} {text} {timer}", job.called).to_lowercase();
    let split = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let known = split(&known);
    let stem = |word: &str| word.trim_end_matches('s').to_owned();
    split(about).iter().filter(|word| !FILLERS.contains(&word.as_str())).all(|word| {
        known.iter().any(|other| stem(other) == stem(word) || other.starts_with(&stem(word)))
    })
}
