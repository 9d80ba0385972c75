//! `sayso pause` and `sayso resume`: stops what writes, at once.

use std::process::ExitCode;

use anyhow::{Context, bail};
use axum::http::Method;
use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde_json::json;

use super::look::tell_line;
use super::{Server, look, small_runtime};
use crate::client::Remote;
use crate::client::http::{self, Answer};

const PATH: &str = "/control/switches";

#[derive(Args)]
#[command(
    after_help = "While writes are paused nothing is sent or booked: a yes is refused and its card
stays open. Looking things up goes on. It holds until `sayso resume`, also when
the server is started anew.

Examples:
  sayso pause                             nothing writes from now on
  sayso pause --tool gmail.send           no mail goes out, events are still made
  sayso pause --status                    what is paused, and since when
  sayso resume"
)]
pub struct Pause {
    /// Pause only this tool
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Change nothing, show what is paused
    #[arg(long, conflicts_with = "tool")]
    status: bool,
    #[command(flatten)]
    server: Server,
}

#[derive(Args)]
#[command(
    after_help = "Cards that are still open can be answered again. What was refused meanwhile is
not made up for: ask for it anew.

Examples:
  sayso resume                            lets writes go on
  sayso resume --tool gmail.send          switches one tool on again"
)]
pub struct Resume {
    /// Switch only this tool on again
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    #[command(flatten)]
    server: Server,
}

#[derive(Deserialize)]
struct Switches {
    paused_since: Option<Timestamp>,
    tools_off: Vec<Off>,
}

#[derive(Deserialize)]
struct Off {
    tool_name: String,
    since: Timestamp,
}

impl Pause {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let server = self.server.remote()?;
        if self.status {
            return turn(&server, None);
        }
        turn(&server, Some((self.tool, true)))
    }
}

impl Resume {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        turn(&self.server.remote()?, Some((self.tool, false)))
    }
}

/// Turns a switch, or none, and shows how they all stand then.
fn turn(server: &Remote, switch: Option<(Option<String>, bool)>) -> anyhow::Result<ExitCode> {
    let (method, body) = match switch {
        None => (Method::GET, None),
        Some((tool, off)) => (Method::PUT, Some(json!({ "tool_name": tool, "off": off }))),
    };
    let answer = small_runtime()?.block_on(http::request(server, method, PATH, body.as_ref()));
    let answer: Answer =
        answer.context("nothing writes while no server runs; `sayso serve` starts one")?;
    if answer.status != 200 {
        bail!("{}", answer.problem());
    }
    let switches: Switches = serde_json::from_value(answer.body)
        .context("the server sent switches this version cannot read")?;
    show(&switches);
    Ok(ExitCode::SUCCESS)
}

fn show(switches: &Switches) {
    let (good, doubt, plain) = (look::GOOD, look::DOUBT, look::PLAIN);
    let when = |since: Timestamp| {
        since.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
    };
    match switches.paused_since {
        Some(since) => tell_line!("{doubt}paused{plain}   all writes, since {}", when(since)),
        None => tell_line!("{good}on{plain}       writes, each after a yes"),
    }
    for Off { tool_name, since } in &switches.tools_off {
        tell_line!("{doubt}paused{plain}   {tool_name}, since {}", when(*since));
    }
}
