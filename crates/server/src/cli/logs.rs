//! `sayso logs`: what is on record of one session, one turn or one use of a tool, in the
//! order it happened. It reads the file, so no server has to run.

use std::process::ExitCode;

use anyhow::{Context, bail};
use brain::{CallId, Event, SessionId, TurnId};
use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;
use store::sqlite::{Record, Told};
use toml::Table;

use super::look::tell_line;
use super::{Choice, tail};
use crate::brief::Brief;

#[derive(Args)]
#[command(after_help = "Lines carry ids, names, outcomes and times, never what people say; `sayso
replay` shows the conversation itself. The file is only read, also while a server
runs.

Examples:
  sayso logs --session sess_0192…         events, turns and the audit, by time
  sayso logs --call call_0192…            one use of a tool, and the write behind it
  sayso logs --session sess_0192… --json  one JSON object a line")]
pub struct Logs {
    /// The session to show
    #[arg(long, value_name = "ID", required_unless_present = "call")]
    session: Option<SessionId>,
    /// Only what has to do with this use of a tool
    #[arg(long, value_name = "ID")]
    call: Option<CallId>,
    /// Only this turn of the session
    #[arg(long, value_name = "ID")]
    turn: Option<TurnId>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

/// One line with its place in time.
struct Line {
    at: Timestamp,
    turn: Option<TurnId>,
    text: String,
    json: serde_json::Value,
}

impl Logs {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let record = open(&self.choice)?;
        let session = self.session(&record)?;
        let told = record.session(session).context("the record cannot be read")?;
        let told = told.with_context(|| format!("there is no session {session} here"))?;
        let mut lines = lines(&told, self.call);
        lines.retain(|line| self.turn.is_none_or(|turn| line.turn == Some(turn)));
        lines.sort_by_key(|line| line.at);
        for line in lines {
            if self.json {
                tell_line!("{}", line.json);
            } else {
                tell_line!("{}", line.text);
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn session(&self, record: &Record) -> anyhow::Result<SessionId> {
        match (self.session, self.call) {
            (Some(session), _) => Ok(session),
            (None, Some(call)) => record
                .session_of_call(call)
                .context("the record cannot be read")?
                .with_context(|| format!("no tool was used as {call} here")),
            (None, None) => bail!("name a session with --session, or a use of a tool with --call"),
        }
    }
}

/// The record in a data folder.
pub fn open(choice: &Choice) -> anyhow::Result<Record> {
    let data = choice.settings(Table::new())?.data;
    let file = data.join("sayso.db");
    if !file.exists() {
        bail!("there is no record in {}; choose its folder with --data", data.display());
    }
    Record::open(&file).with_context(|| format!("{} cannot be read", file.display()))
}

fn lines(told: &Told, call: Option<CallId>) -> Vec<Line> {
    let zone = TimeZone::system();
    let stamp = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%H:%M:%S.%3f").to_string();
    let mut lines = Vec::new();
    for envelope in told.events.iter().filter(|it| call.is_none_or(|id| is_about(&it.event, id))) {
        let brief = Brief::of(envelope);
        let text = tail::readable(&brief, &zone);
        let json = json!({ "event": brief });
        lines.push(Line { at: envelope.ts, turn: envelope.turn_id, text, json });
    }
    for run in told.tool_runs.iter().filter(|run| call.is_none_or(|id| run.call == id)) {
        let took = run.took_us.map(|us| format!(" in {} ms", us / 1000)).unwrap_or_default();
        let code = run.error_code.as_deref().map(|code| format!(" {code}")).unwrap_or_default();
        let at = run.started_at;
        let (state, tool, key) = (run.state.name(), &run.tool, &run.idempotency_key);
        let text = format!("{}  tool    {tool} {state}{code}{took}  key {key}", stamp(at));
        lines.push(Line { at, turn: Some(run.turn), text, json: json!({ "tool_run": run }) });
    }
    for action in told.actions.iter().filter(|it| call.is_none_or(|id| it.call == id)) {
        let (id, tool, state) = (action.id, &action.tool, action.state.name());
        let (tries, asked) = (action.attempt, action.probes);
        let at = action.learnt_at;
        let text = format!(
            "{}  write   {tool} {state}  {id}  tried {tries}, asked about {asked}",
            stamp(at)
        );
        let json = json!({ "write": {
            "action_id": id, "tool": tool, "state": state, "attempt": tries, "probes": asked,
            "agreed_at": action.agreed_at, "learnt_at": at,
        } });
        lines.push(Line { at, turn: Some(action.turn), text, json });
    }
    let action = call.and_then(|call| told.actions.iter().find(|action| action.call == call));
    let is_theirs = |id| call.is_none() || id == action.map(|action| action.id);
    for entry in told.audit.iter().filter(|entry| is_theirs(entry.line.action)) {
        let line = &entry.line;
        let why = line.why.as_deref().map(|why| format!(" {why}")).unwrap_or_default();
        let tool = line.tool.as_deref().unwrap_or("-");
        let text =
            format!("{}  audit   {} {tool}{why}  #{}", stamp(line.at), line.what, entry.number);
        lines.push(Line { at: line.at, turn: line.turn, text, json: json!({ "audit": entry }) });
    }
    if call.is_none() {
        lines.extend(told.turns.iter().map(|row| turn(row, &stamp)));
    }
    lines
}

fn turn(row: &store::TurnRow, stamp: &impl Fn(Timestamp) -> String) -> Line {
    let ms = |name: &str, us: Option<u64>| us.map(|us| format!(" {name} {} ms", us / 1000));
    let figures = [
        ms("first event", row.first_event_us),
        ms("first word", row.first_token_us),
        ms("first sound", row.figures.first_audio_us),
        ms("thought", row.figures.thought_us),
        ms("tools", row.figures.tool_us),
        row.figures.fallback.as_deref().map(|why| format!(" fallback {why}")),
        row.figures.tier.as_deref().filter(|tier| *tier != "reflex").map(|it| format!(" by {it}")),
        Some(row.figures.dedupe_hits)
            .filter(|hits| *hits > 0)
            .map(|hits| format!(" asked again {hits}")),
    ];
    let figures: String = figures.into_iter().flatten().collect();
    let at = row.ended_at.unwrap_or(row.started_at);
    let text = format!("{}  turn    {}{figures}  {}", stamp(at), row.turn, row.trace);
    // What it still has to do may hold somebody's words.
    let row = store::TurnRow { work: None, ..row.clone() };
    Line { at, turn: Some(row.turn), text, json: json!({ "turn": row }) }
}

fn is_about(event: &Event, call: CallId) -> bool {
    match event {
        Event::ToolRequested { call_id, .. }
        | Event::ToolQueued { call_id, .. }
        | Event::ToolProgressed { call_id, .. }
        | Event::ToolReturned { call_id, .. } => *call_id == call,
        _ => false,
    }
}
