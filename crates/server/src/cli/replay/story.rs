//! What is on record, from wherever it comes.

use anyhow::{Context, bail};
use brain::audit::{Entry, Line};
use brain::{Action, Confirmation, Envelope};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use store::sqlite::Told;
use store::{ToolRunRow, TurnRow};

/// All that is known of a conversation. From events alone much of it can be told; the
/// rest says how long things took and what became of them.
#[derive(Default)]
pub struct Story {
    pub events: Vec<Envelope>,
    pub turns: Vec<TurnRow>,
    pub tool_runs: Vec<ToolRunRow>,
    pub confirmations: Vec<Confirmation>,
    pub actions: Vec<Action>,
    pub audit: Vec<Noted>,
}

/// A line of the audit, as far as it is told here.
pub struct Noted {
    pub number: u64,
    pub line: Line,
    hash: Value,
}

impl From<Told> for Story {
    fn from(told: Told) -> Self {
        let noted = |entry: Entry| Noted {
            number: entry.number,
            hash: json!(entry.hash),
            line: entry.line,
        };
        Self {
            events: told.events,
            turns: told.turns,
            tool_runs: told.tool_runs,
            confirmations: told.confirmations,
            actions: told.actions,
            audit: told.audit.into_iter().map(noted).collect(),
        }
    }
}

impl Story {
    /// One line of a file.
    pub fn take(&mut self, line: &str) -> anyhow::Result<()> {
        let value: Value = serde_json::from_str(line).context("it is not JSON")?;
        if value["event_type"].is_string() {
            self.events.push(read(value)?);
            return Ok(());
        }
        let Value::Object(fields) = value else { bail!("it is not a JSON object") };
        for (kind, value) in fields {
            match kind.as_str() {
                "event" => self.events.push(read(value)?),
                "turn" => self.turns.push(read(value)?),
                "tool_run" => self.tool_runs.push(read(value)?),
                "confirmation" => self.confirmations.push(read(value)?),
                "action" => self.actions.push(read(value)?),
                "audit" => {
                    let number = value["number"].as_u64().context("a line has a number")?;
                    let hash = value["hash"].clone();
                    self.audit.push(Noted { number, hash, line: read(value["line"].clone())? });
                }
                // Who it belongs to tells nothing about what happened.
                "session" => {}
                other => bail!("{other} is not known here"),
            }
        }
        Ok(())
    }

    /// As [`Story::take`] reads it.
    pub fn lines(&self) -> Vec<String> {
        let events = self.events.iter().map(|it| format!("{{\"event\":{}}}", it.spelled()));
        let turns = self.turns.iter().map(|it| json!({ "turn": it }).to_string());
        let runs = self.tool_runs.iter().map(|it| json!({ "tool_run": it }).to_string());
        let cards = self.confirmations.iter().map(|it| json!({ "confirmation": it }).to_string());
        let actions = self.actions.iter().map(|it| json!({ "action": it }).to_string());
        let audit = self.audit.iter().map(|it| {
            let Noted { number, line, hash } = it;
            json!({ "audit": { "number": number, "line": line, "hash": hash } }).to_string()
        });
        events.chain(turns).chain(runs).chain(cards).chain(actions).chain(audit).collect()
    }
}

fn read<T: DeserializeOwned>(value: Value) -> anyhow::Result<T> {
    serde_json::from_value(value).context("this version cannot read it")
}
