//! Says the person's own words back to them at their time.

use async_trait::async_trait;
use brain::CallError;
use brain::job::{Lane, Priority};
use jiff::{Timestamp, Zoned};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::jobs::{Help, JobKind, Step};

const LONGEST: usize = 500;

/// `reminders.set`: a reminder, or a timer.
pub struct Reminder;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    due_at: Zoned,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    timer_seconds: Option<u32>,
}

impl Args {
    fn read(args: &Value) -> Result<Self, String> {
        let read = Self::deserialize(args).map_err(|error| {
            format!("{error}; due_at is a time with its zone, like 2026-11-16T17:00:00-08:00[America/Los_Angeles]")
        })?;
        let text = read.text.as_deref().unwrap_or_default();
        if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
            return Err(format!("text is one line of at most {LONGEST} characters"));
        }
        if text.trim().is_empty() && read.timer_seconds.is_none() {
            return Err("text says what to be reminded of".to_owned());
        }
        Ok(read)
    }
}

#[async_trait]
impl JobKind for Reminder {
    fn name(&self) -> &'static str {
        "reminders.set"
    }

    fn description(&self) -> &'static str {
        "Remind the person at a time, in their own words, or set a timer. Reaches nobody else."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["due_at"],
            "additionalProperties": false,
            "properties": {
                "due_at": {
                    "type": "string",
                    "description": "A time with its zone: 2026-11-16T17:00:00-08:00[America/Los_Angeles]",
                },
                "text": {
                    "type": "string",
                    "maxLength": LONGEST,
                    "description": "What to be reminded of, in the person's words: call Tom",
                },
                "timer_seconds": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Of a timer: how long it runs; due_at is its end.",
                },
            },
        })
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Args::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        let is_timer = args.get("timer_seconds").is_some();
        if is_timer { "Setting a timer" } else { "Setting a reminder" }.to_owned()
    }

    fn called(&self, args: &Value) -> String {
        match Args::read(args) {
            Ok(Args { text: Some(text), timer_seconds: None, .. }) => {
                format!("the reminder “{text}”")
            }
            _ => "the timer".to_owned(),
        }
    }

    fn lane(&self) -> Lane {
        Lane::Reminder
    }

    fn priority(&self) -> Priority {
        Priority::Now
    }

    fn due(&self, args: &Value) -> Option<Timestamp> {
        Args::read(args).ok().map(|args| args.due_at.timestamp())
    }

    async fn step(&self, _: &Value, _: &Value, _: &Help) -> Result<Step, CallError> {
        Ok(Step::Done(json!({})))
    }
}
