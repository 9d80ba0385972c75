//! `sayso jobs`: what goes on while people talk on, and what waits for its time.

use std::process::ExitCode;

use anyhow::{Context, bail};
use axum::http::Method;
use clap::{Args, Subcommand};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use super::look::tell_line;
use super::{Server, look, small_runtime};
use crate::client::http;

#[derive(Args)]
#[command(
    after_help = "Long work goes on while you talk on, and after a restart from where it was. It says so
in the chat when it is done; reminders ring at their time, or when you are back.

Examples:
  sayso jobs                              yours: state, how far, how old, what
  sayso jobs --everybody                  whose and how far, for operators
  sayso jobs show job_0192…               one of them, with what came of it
  sayso jobs cancel job_0192…             stop it, or drop the reminder"
)]
pub struct Jobs {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Show everybody's, without what they are about
    #[arg(long)]
    everybody: bool,
    /// Print JSON instead of text
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    server: Server,
}

#[derive(Subcommand)]
enum Verb {
    /// Show one of them
    Show(One),
    /// Stop one of them
    Cancel(One),
}

#[derive(Args)]
struct One {
    /// The id that `sayso jobs` shows
    #[arg(value_name = "ID")]
    job: String,
}

#[derive(Deserialize)]
struct Job {
    #[serde(rename = "job_id")]
    id: String,
    kind: String,
    called: Option<String>,
    user_id: Option<String>,
    state: String,
    progress: f32,
    message: Option<String>,
    created_at: Timestamp,
    due_at: Option<Timestamp>,
    result: Option<Value>,
    error: Option<Value>,
}

impl Jobs {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match &self.verb {
            None => {
                let path = if self.everybody { "/control/jobs" } else { "/chat/jobs" };
                let found = ask(&self.server, Method::GET, path)?;
                self.list(&found)?;
            }
            Some(Verb::Show(one)) => {
                let path = format!("/chat/jobs/{}", one.job);
                self.one(ask(&self.server, Method::GET, &path)?)?;
            }
            Some(Verb::Cancel(one)) => {
                let path = format!("/chat/jobs/{}", one.job);
                self.one(ask(&self.server, Method::DELETE, &path)?)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn list(&self, found: &Value) -> anyhow::Result<()> {
        let jobs = found["jobs"].as_array().cloned().unwrap_or_default();
        let now = Timestamp::now();
        for job in &jobs {
            if self.json {
                tell_line!("{job}");
            } else {
                tell_line!("{}", readable(&read(job.clone())?, now));
            }
        }
        if jobs.is_empty() && !self.json {
            tell_line!("nothing is running or waiting; try \"give me a digest of my week\"");
        }
        Ok(())
    }

    fn one(&self, job: Value) -> anyhow::Result<()> {
        if self.json {
            tell_line!("{job}");
            return Ok(());
        }
        let job = read(job)?;
        tell_line!("{}", readable(&job, Timestamp::now()));
        let (quiet, plain) = (look::QUIET, look::PLAIN);
        if let Some(message) = job.message.filter(|message| !message.is_empty()) {
            tell_line!("  {quiet}last{plain}    {message}");
        }
        if let Some(text) = job.result.as_ref().and_then(|result| result["text"].as_str()) {
            tell_line!("  {quiet}result{plain}  {text}");
        }
        if let Some(error) = job.error.as_ref().and_then(|error| error["message"].as_str()) {
            tell_line!("  {quiet}error{plain}   {error}");
        }
        Ok(())
    }
}

fn ask(server: &Server, method: Method, path: &str) -> anyhow::Result<Value> {
    let remote = server.remote()?;
    let answer = small_runtime()?.block_on(http::request(&remote, method, path, None));
    let answer = answer.context("nothing runs while no server does; `sayso serve` starts one")?;
    if answer.status != 200 {
        bail!("{}", answer.problem());
    }
    Ok(answer.body)
}

fn read(job: Value) -> anyhow::Result<Job> {
    serde_json::from_value(job).context("the server sent a job this version cannot read")
}

/// `job_0192…  running   40 %    2m  the digest of this week`
fn readable(job: &Job, now: Timestamp) -> String {
    let far = match (&job.due_at, job.state.as_str()) {
        (Some(due), _) => due.to_zoned(TimeZone::system()).strftime("%m-%d %H:%M").to_string(),
        (None, "running" | "queued") => format!("{:.0} %", job.progress * 100.0),
        (None, _) => "-".to_owned(),
    };
    let age = age(now.duration_since(job.created_at));
    let what = job.called.as_deref().unwrap_or(&job.kind);
    let whose = job.user_id.as_ref().map(|user| format!("  of {user}")).unwrap_or_default();
    format!("{}  {:<9} {far:<12} {age:>4}  {what}{whose}", job.id, job.state)
}

fn age(old: SignedDuration) -> String {
    match old.as_secs() {
        seconds @ ..60 => format!("{}s", seconds.max(0)),
        seconds @ 60..3_600 => format!("{}m", seconds / 60),
        seconds @ 3_600..86_400 => format!("{}h", seconds / 3_600),
        seconds => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_says_how_far_it_is_how_old_and_what() {
        let created_at = Timestamp::UNIX_EPOCH;
        let job = json!({
            "job_id": "job_1", "kind": "week.digest", "called": "the digest of this week",
            "state": "running", "progress": 0.4, "message": "", "created_at": created_at,
        });
        let now = created_at + SignedDuration::from_mins(2);
        let line = readable(&read(job.clone()).unwrap(), now);
        assert_eq!(line, "job_1  running   40 %           2m  the digest of this week");
        let mut foreign = job;
        (foreign["called"], foreign["user_id"]) = (Value::Null, json!("user_7"));
        let line = readable(&read(foreign).unwrap(), now);
        assert!(line.ends_with("week.digest  of user_7"), "{line}");
    }

    #[test]
    fn an_age_has_one_unit() {
        let said = |seconds| age(SignedDuration::from_secs(seconds));
        assert_eq!([-3, 59, 60, 7_200, 200_000].map(said), ["0s", "59s", "1m", "2h", "2d"]);
    }
}
