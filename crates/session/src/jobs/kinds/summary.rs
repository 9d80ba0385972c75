//! `mail.summarize`: who wrote, what they want, by when.

use async_trait::async_trait;
use brain::CallError;
use models::digest;
use serde::Deserialize;
use serde_json::{Value, json};

use super::mails::{self, Reading};
use crate::jobs::{Help, JobKind, Step};
use crate::present::refused;

const LONGEST: usize = 500;

/// Reads through many mails and says what they come to.
pub struct Summary;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    query: String,
    #[serde(default = "your_mail")]
    what: String,
}

fn your_mail() -> String {
    "your mail".to_owned()
}

impl Args {
    fn read(args: &Value) -> Result<Self, String> {
        let read = Self::deserialize(args).map_err(|error| error.to_string())?;
        if read.query.chars().count() > LONGEST || read.what.chars().count() > LONGEST {
            return Err(format!("query and what are at most {LONGEST} characters long"));
        }
        Ok(read)
    }
}

#[async_trait]
impl JobKind for Summary {
    fn name(&self) -> &'static str {
        "mail.summarize"
    }

    fn description(&self) -> &'static str {
        "Read through many mails of the person and sum up who wants what and by when. Takes a \
         while; the person hears of it when it is ready."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["query"],
            "additionalProperties": false,
            "properties": {
                "query": {
                    "type": "string", "maxLength": LONGEST,
                    "description": "Which mails, as gmail.search takes it.",
                },
                "what": {
                    "type": "string", "maxLength": LONGEST,
                    "description": "What a person would call them: your unread mail",
                },
            },
        })
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Args::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        let what = Args::read(args).map_or_else(|_| your_mail(), |args| args.what);
        format!("Reading {what}")
    }

    fn called(&self, args: &Value) -> String {
        let what = Args::read(args).map_or_else(|_| your_mail(), |args| args.what);
        format!("the summary of {what}")
    }

    async fn outlook(&self, args: &Value, help: &Help) -> Option<String> {
        mails::outlook(&Args::read(args).ok()?.query, help).await
    }

    async fn step(&self, args: &Value, checkpoint: &Value, help: &Help) -> Result<Step, CallError> {
        let args = Args::read(args).map_err(|reason| refused("bad_arguments", reason))?;
        let mut reading: Reading = resumed(checkpoint)?;
        if !reading.is_over() {
            reading.go_on(&args.query, help).await?;
            return Ok(Step::More {
                progress: reading.progress(),
                message: reading.message(),
                checkpoint: kept(&reading),
            });
        }
        let text = digest::of_mail(&reading.points, &args.what, reading.total, &help.now().await?);
        let found = json!({ "query": args.query, "max_results": 10 });
        let found: Value = help.look("gmail.search", found).await?;
        Ok(Step::Done(json!({ "text": text, "mails": reading.points.len(), "found": found })))
    }
}

/// Where it was left, or the beginning.
pub(super) fn resumed<T: Default + serde::de::DeserializeOwned>(
    checkpoint: &Value,
) -> Result<T, CallError> {
    if checkpoint.is_null() {
        return Ok(T::default());
    }
    T::deserialize(checkpoint)
        .map_err(|_| refused("unreadable", "where the work was left cannot be read".to_owned()))
}

pub(super) fn kept(state: &impl serde::Serialize) -> Value {
    serde_json::to_value(state).expect("a checkpoint is plain data")
}
