//! `sayso costs`: what models have cost, by person. It reads the file, so no server has to
//! run.

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use jiff::{SignedDuration, Timestamp};
use models::provider::cost;
use serde_json::json;
use store::SpentRow;

use super::look::tell_line;
use super::{Choice, logs};

#[derive(Args)]
#[command(after_help = "Sums are ours, from the tokens that providers tell of and the prices in
`models.prices` or those we know; a provider that tells what it costs is believed.
Of an answer that somebody interrupted, what had come is counted, by its length where the
provider had not told.

Examples:
  sayso costs              the last 24 hours, as the caps count them
  sayso costs --days 30")]
pub struct Costs {
    /// How far back
    #[arg(long, value_name = "DAYS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

impl Costs {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let record = logs::open(&self.choice)?;
        let since = Timestamp::now() - SignedDuration::from_hours(24 * i64::from(self.days));
        let spent = record.spent(since).context("the record cannot be read")?;
        if spent.is_empty() {
            tell_line!("{}", if self.json { "[]" } else { "No model was asked in that time." });
            return Ok(ExitCode::SUCCESS);
        }
        if self.json {
            let rows: Vec<_> = spent.iter().map(as_json).collect();
            tell_line!("{}", serde_json::Value::from(rows));
            return Ok(ExitCode::SUCCESS);
        }
        for row in &spent {
            tell_line!("{}", as_line(&row.user.to_string(), row));
        }
        if spent.len() > 1 {
            let all = spent.iter().map(|row| row.cost_micros).sum();
            tell_line!("{} in all", cost::told(all));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn as_line(user: &str, row: &SpentRow) -> String {
    let failed =
        if row.failed > 0 { format!(", {} without an answer", row.failed) } else { String::new() };
    let questions = if row.calls == 1 { "question" } else { "questions" };
    format!(
        "{}  {user}  {} {questions}{failed}, {} tokens in ({} kept warm), {} out",
        cost::told(row.cost_micros),
        row.calls,
        row.input_tokens,
        row.cached_tokens,
        row.output_tokens
    )
}

fn as_json(row: &SpentRow) -> serde_json::Value {
    json!({
        "user_id": row.user,
        "calls": row.calls,
        "failed": row.failed,
        "input_tokens": row.input_tokens,
        "cached_tokens": row.cached_tokens,
        "output_tokens": row.output_tokens,
        "cost_micros": row.cost_micros,
    })
}
