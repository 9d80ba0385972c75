//! `sayso tail`: what happens on a running server, one line an event, as it happens.

use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::Context;
use brain::SessionId;
use clap::Args;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::look::tell_line;
use super::{Server, look, small_runtime};
use crate::brief::Brief;
use crate::client::http;

#[derive(Args)]
#[command(after_help = "Lines carry ids, names, outcomes and times, never what people say. It
concerns everybody, so a server that asks who you are wants an operator's key.
It ends with the server, or with Ctrl+C.

Examples:
  sayso tail                                    everything
  sayso tail --events turn.,error               only how turns begin and end, and errors
  sayso tail --session sess_0192…               one session
  sayso tail --json | jq 'select(.trouble)'     only what went wrong")]
pub struct Tail {
    /// Only what happens in this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "",
        help = "Only events whose names begin so, such as turn.,tool_call."
    )]
    events: String,
    /// Stop after so many lines
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u64>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: Server,
}

impl Tail {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let server = self.server.remote()?;
        let session = self.session.map(|id| id.to_string()).unwrap_or_default();
        let events: String = self.events.chars().filter(|c| !c.is_whitespace()).collect();
        let path = format!("/control/tail?session={session}&events={events}");
        let mut left = self.limit.unwrap_or(u64::MAX);
        let listening = http::lines(&server, &path, |line| {
            left -= u64::from(self.print(line));
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        small_runtime()?.block_on(listening).context("nothing more can be heard")?;
        Ok(ExitCode::SUCCESS)
    }

    /// Whether it was an event.
    fn print(&self, line: &str) -> bool {
        let Ok(value) = serde_json::from_str::<Value>(line) else { return false };
        let (quiet, plain) = (look::QUIET, look::PLAIN);
        if value["listening"] == true {
            // On standard error, so that what is piped on is events only.
            anstream::eprintln!("{quiet}Listening. Ctrl+C ends it.{plain}");
            return false;
        }
        if self.json {
            tell_line!("{line}");
            return value["missed"].is_null();
        }
        if let Ok(brief) = serde_json::from_value::<Brief>(value.clone()) {
            tell_line!("{}", readable(&brief, &TimeZone::system()));
            return true;
        }
        let (doubt, missed) = (look::DOUBT, &value["missed"]);
        tell_line!("{doubt}{missed} events came too fast and are not shown{plain}");
        false
    }
}

/// "10:30:00.123  …9f31c2 …77c2a1    14  turn.end  success"
pub fn readable(brief: &Brief, zone: &TimeZone) -> String {
    let (quiet, plain) = (look::QUIET, look::PLAIN);
    let at = brief.ts.to_zoned(zone.clone()).strftime("%H:%M:%S.%3f").to_string();
    let session = short(&brief.session_id.to_string());
    let turn = brief.turn_id.map_or_else(|| "-".repeat(7), |turn| short(&turn.to_string()));
    let seq = brief.seq.map_or_else(|| "-".to_owned(), |seq| seq.to_string());
    let colour = match brief.event_type.as_str() {
        _ if brief.trouble => look::TROUBLE,
        "turn.start" | "turn.end" | "turn.cancelled" => look::GOOD,
        name if name.starts_with("confirmation.") => look::DOUBT,
        "state.change" | "assistant_text.delta" | "input_transcript.delta" => look::QUIET,
        _ => anstyle::Style::new(),
    };
    let Brief { event_type, about, .. } = brief;
    format!(
        "{quiet}{at}  {session} {turn} {seq:>6}{plain}  {colour}{event_type:<22}{plain} {about}"
    )
    .trim_end()
    .to_owned()
}

/// The end of an id tells it from its neighbours; the beginning is the time.
fn short(id: &str) -> String {
    format!("…{}", id.get(id.len().saturating_sub(6)..).unwrap_or(id))
}
