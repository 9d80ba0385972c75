//! `week.digest`: what was and is on in a week, on the calendar and in the mail.

use async_trait::async_trait;
use brain::CallError;
use brain::facts::{Agenda, DateRange};
use models::digest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::mails::{self, Reading};
use super::summary::{kept, resumed};
use crate::jobs::{Help, JobKind, Step};
use crate::present::refused;

/// Goes through the calendar and the mail of a week.
pub struct Week;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    date_range: DateRange,
    #[serde(default = "this_week")]
    when: String,
}

fn this_week() -> String {
    "this week".to_owned()
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    agenda: Option<Agenda>,
    mail: Reading,
}

impl Args {
    fn read(args: &Value) -> Result<Self, String> {
        let read = Self::deserialize(args).map_err(|error| error.to_string())?;
        let days =
            read.date_range.end.timestamp().duration_since(read.date_range.start.timestamp());
        if days <= jiff::SignedDuration::ZERO || days > jiff::SignedDuration::from_hours(32 * 24) {
            return Err("date_range is at most a month, and ends after it begins".to_owned());
        }
        if read.when.chars().count() > 100 {
            return Err("when is at most 100 characters long".to_owned());
        }
        Ok(read)
    }

    /// The mail that came in those days.
    fn query(&self) -> String {
        let DateRange { start, end } = &self.date_range;
        format!("in:inbox after:{:.0} before:{:.0}", start.timestamp(), end.timestamp())
    }
}

#[async_trait]
impl JobKind for Week {
    fn name(&self) -> &'static str {
        "week.digest"
    }

    fn description(&self) -> &'static str {
        "Go through the person's calendar and mail of a week and sum them up. Takes a while; the \
         person hears of it when it is ready."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["date_range"],
            "additionalProperties": false,
            "properties": {
                "date_range": {
                    "type": "object",
                    "required": ["start", "end"],
                    "additionalProperties": false,
                    "properties": {
                        "start": { "type": "string", "description": "With its zone." },
                        "end": { "type": "string", "description": "With its zone; not part of it." },
                    },
                },
                "when": { "type": "string", "maxLength": 100, "description": "this week" },
            },
        })
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Args::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        let when = Args::read(args).map_or_else(|_| this_week(), |args| args.when);
        format!("Going through {}", bare(&when))
    }

    fn called(&self, args: &Value) -> String {
        let when = Args::read(args).map_or_else(|_| this_week(), |args| args.when);
        format!("the digest of {}", bare(&when))
    }

    async fn outlook(&self, args: &Value, help: &Help) -> Option<String> {
        mails::outlook(&Args::read(args).ok()?.query(), help).await
    }

    async fn step(&self, args: &Value, checkpoint: &Value, help: &Help) -> Result<Step, CallError> {
        let args = Args::read(args).map_err(|reason| refused("bad_arguments", reason))?;
        let mut state: State = resumed(checkpoint)?;
        let Some(agenda) = &state.agenda else {
            let wanted = json!({ "date_range": args.date_range });
            let agenda: Agenda = help.look("calendar.list_events", wanted).await?;
            let message = "The calendar is read".to_owned();
            state.agenda = Some(agenda);
            return Ok(Step::More { checkpoint: kept(&state), progress: 0.02, message });
        };
        if !state.mail.is_over() {
            state.mail.go_on(&args.query(), help).await?;
            return Ok(Step::More {
                progress: state.mail.progress(),
                message: state.mail.message(),
                checkpoint: kept(&state),
            });
        }
        let (points, total) = (&state.mail.points, state.mail.total);
        let text = digest::of_week(agenda, points, total, bare(&args.when), &help.now().await?);
        Ok(Step::Done(
            json!({ "text": text, "events": agenda.events.len(), "mails": points.len() }),
        ))
    }
}

/// "this week", where a sentence would say "in this week".
fn bare(when: &str) -> &str {
    when.strip_prefix("in ").or(when.strip_prefix("for ")).unwrap_or(when)
}
