//! `sayso replay`: a conversation rebuilt from its record, with what was decided and why.
//!
//! It needs no server: it reads the data folder, or a file of lines that somebody
//! exported. Nothing is done again; it only tells.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use brain::SessionId;
use clap::Args;
use serde_json::json;
use store::sqlite::Told;

use super::look::tell_line;
use super::{Choice, logs};

mod story;
mod words;

use story::Story;

#[derive(Args)]
#[command(
    after_help = "For each turn: what was said, how it was carried out and why, the plan with
what the words came down to, how each step was ruled, cards with where every
recipient comes from, answers, and what became of each write.

A FILE holds one JSON object a line: events as they are on the wire, what `sayso
user export` writes for a session, or what `replay --json` prints.

Examples:
  sayso replay sess_0192…                 from the data folder
  sayso replay chat.jsonl                 from a file
  sayso replay sess_0192… --json          the record itself, one line each"
)]
pub struct Replay {
    /// A session of the data folder, or a file of lines
    #[arg(value_name = "SESSION|FILE")]
    what: String,
    /// Print the record instead of telling it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

impl Replay {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let story = match self.what.parse::<SessionId>() {
            Ok(session) => self.kept_in_folder(session)?,
            Err(_) => from_file(Path::new(&self.what))?,
        };
        if story.events.is_empty() {
            bail!("there is nothing to tell: no event is on record");
        }
        if self.json {
            story.lines().iter().for_each(|line| tell_line!("{line}"));
        } else {
            words::tell(&story);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn kept_in_folder(&self, session: SessionId) -> anyhow::Result<Story> {
        let record = logs::open(&self.choice)?;
        let told = record.session(session).context("the record cannot be read")?;
        let told = told.with_context(|| format!("there is no session {session} here"))?;
        Ok(Story::from(told))
    }
}

fn from_file(path: &Path) -> anyhow::Result<Story> {
    let name = PathBuf::from(path);
    let file = File::open(path).with_context(|| {
        format!("{} is neither the id of a session nor a file that can be read", name.display())
    })?;
    let mut story = Story::default();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.with_context(|| format!("line {number} of {}", name.display()))?;
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("line {number} of {} is not of a record", name.display());
        story.take(&line).with_context(place)?;
    }
    Ok(story)
}

/// The record of a session, one JSON object a line; `replay` reads it back.
pub fn record_lines(told: Told) -> Vec<String> {
    let session = json!({ "session": told.session }).to_string();
    let mut lines = vec![session];
    lines.extend(Story::from(told).lines());
    lines
}
