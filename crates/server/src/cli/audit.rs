//! `sayso audit`: what was done in whose name, and whether the record is whole.
//!
//! It reads the file and not the server: a record that only the one it is about
//! can show would prove little, and it can be read when no server runs.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use brain::SessionId;
use brain::audit::{Broken, Check, Entry};
use clap::{Args, Subcommand};
use jiff::tz::TimeZone;
use serde_json::json;
use store::StoreError;
use store::sqlite::Record;
use toml::Table;

use super::look::tell_line;
use super::{Choice, look};

/// Lines that are read at a time.
const PAGE: u32 = 500;
/// The chain does not hold.
const BROKEN: u8 = 3;

#[derive(Args)]
#[command(after_help = "Every card, every answer, every try and every outcome is one line, sealed
together with the line before it. Lines carry ids and fingerprints, never what
people wrote. The file is only read, also while a server runs.

`verify` recomputes every seal. It ends with 0 when the record is whole and with
3 when a line was changed, taken out or put in. Keep the last seal elsewhere:
with it nobody can cut the end off unseen.

Examples:
  sayso audit                             every line, oldest first
  sayso audit --session sess_0192…        those of one session
  sayso audit --json | jq 'select(.what == \"confirmed\")'
  sayso audit verify")]
pub struct Audit {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Only the lines of this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    #[command(flatten)]
    place: Place,
}

#[derive(Subcommand)]
enum Verb {
    /// Check that no line was changed, taken out or put in
    Verify(Place),
}

#[derive(Args)]
struct Place {
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

impl Audit {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.verb {
            Some(Verb::Verify(_)) if self.session.is_some() => {
                bail!("verify checks the whole record; leave --session out")
            }
            Some(Verb::Verify(place)) => verify(&place.or(self.place)),
            None => list(&self.place, self.session),
        }
    }
}

impl Place {
    /// What was said behind the verb counts more than what was said before it.
    fn or(self, before: Self) -> Self {
        let choice = Choice {
            config: self.choice.config.or(before.choice.config),
            data: self.choice.data.or(before.choice.data),
            assets: self.choice.assets.or(before.choice.assets),
        };
        Self { json: self.json || before.json, choice }
    }

    fn record(&self) -> anyhow::Result<Record> {
        let data = self.choice.settings(Table::new())?.data;
        let file = data.join("sayso.db");
        if !file.exists() {
            bail!("there is no record in {}; choose its folder with --data", data.display());
        }
        open(&file)
    }
}

fn open(file: &Path) -> anyhow::Result<Record> {
    Record::open(file).with_context(|| format!("{} cannot be read", file.display()))
}

fn list(place: &Place, session: Option<SessionId>) -> anyhow::Result<ExitCode> {
    let record = place.record()?;
    let mut after = 0;
    loop {
        let page = record.lines(after, PAGE).context("a line of the record cannot be read")?;
        let Some(last) = page.last() else { return Ok(ExitCode::SUCCESS) };
        after = last.number;
        let wanted = |entry: &&Entry| session.is_none_or(|id| entry.line.session == Some(id));
        for entry in page.iter().filter(wanted) {
            if place.json {
                tell_line!("{}", serde_json::to_string(entry)?);
            } else {
                tell_line!("{}", readable(entry, &TimeZone::system()));
            }
        }
    }
}

/// "12  2026-11-15 10:30:00  accepted  gmail.send  cr_…1f3a.1  act_…77c2  click"
fn readable(Entry { number, line, .. }: &Entry, zone: &TimeZone) -> String {
    let at = line.at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S");
    let mut words = vec![line.tool.clone().unwrap_or_else(|| "-".to_owned())];
    if let Some(card) = line.confirmation {
        let revision = line.revision.map(|revision| format!(".{revision}"));
        words.push(short(&card.to_string()) + &revision.unwrap_or_default());
    }
    words.extend(line.action.map(|action| short(&action.to_string())));
    words.extend(line.why.clone());
    format!("{number:>5}  {at}  {:<15} {}", line.what, words.join("  "))
}

/// The end of an id tells it from its neighbours; the beginning is the time.
fn short(id: &str) -> String {
    let (kind, digits) = id.split_once('_').unwrap_or(("", id));
    let end = digits.get(digits.len().saturating_sub(6)..).unwrap_or(digits);
    format!("{kind}_…{end}")
}

/// Why a record is not whole.
enum Unsound {
    Broken(Broken),
    Unreadable(u64, StoreError),
}

/// The whole record in this file holds.
pub fn holds(file: &Path) -> anyhow::Result<()> {
    let record = open(file)?;
    let (mut check, _) = begin(&record)?;
    match run_through(&record, &mut check) {
        Ok(()) => Ok(()),
        Err(Unsound::Broken(broken)) => Err(broken.into()),
        Err(Unsound::Unreadable(_, error)) => Err(error.into()),
    }
}

/// From the first line on, or from behind those that were let go.
fn begin(record: &Record) -> anyhow::Result<(Check, Option<u64>)> {
    let anchor = record.anchor().context("the record cannot be read")?;
    let check = anchor.map_or_else(Check::default, |(number, seal)| Check::after(number, seal));
    Ok((check, anchor.map(|(number, _)| number)))
}

fn verify(place: &Place) -> anyhow::Result<ExitCode> {
    let record = place.record()?;
    let (mut check, cut) = begin(&record)?;
    let checked = run_through(&record, &mut check);
    let (lines, seal) = check.held();
    let unsound = match checked {
        Ok(()) if place.json => {
            tell_line!(
                "{}",
                json!({ "whole": true, "lines": lines, "last_hash": seal, "cut": cut })
            );
            return Ok(ExitCode::SUCCESS);
        }
        Ok(()) => {
            tell_line!("{}✓{} {lines} lines, nothing changed", look::GOOD, look::PLAIN);
            if let Some(cut) = cut {
                tell_line!("  the first {cut} were let go, as `retention.audit_days` says");
            }
            tell_line!("  last seal {seal}");
            return Ok(ExitCode::SUCCESS);
        }
        Err(Unsound::Broken(broken)) => broken.to_string(),
        Err(Unsound::Unreadable(number, error @ StoreError::Corrupt { .. })) => {
            format!("line {number} cannot be read: {error}")
        }
        // Not the record's fault.
        Err(Unsound::Unreadable(_, error)) => {
            return Err(error).context("the record cannot be read");
        }
    };
    if place.json {
        let told = json!({ "whole": false, "lines": lines, "last_hash": seal, "reason": unsound });
        tell_line!("{told}");
    } else {
        tell_line!("{}✗{} {unsound}", look::TROUBLE, look::PLAIN);
        tell_line!("  {lines} lines before it hold; their last seal is {seal}");
    }
    Ok(ExitCode::from(BROKEN))
}

fn run_through(record: &Record, check: &mut Check) -> Result<(), Unsound> {
    let mut size = PAGE;
    loop {
        let (held, _) = check.held();
        let page = match record.lines(held, size) {
            Ok(page) => page,
            // Somewhere in this page; line by line it shows where.
            Err(StoreError::Corrupt { .. }) if size > 1 => {
                size = 1;
                continue;
            }
            Err(error) => return Err(Unsound::Unreadable(held + 1, error)),
        };
        if page.is_empty() {
            return Ok(());
        }
        page.iter().try_for_each(|entry| check.take(entry)).map_err(Unsound::Broken)?;
    }
}

#[cfg(test)]
mod tests {
    use brain::audit::{Line, origin};
    use brain::ids::Uuid;
    use brain::{ActionId, ConfirmationId, UserId};
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_line_reads_from_left_to_right() {
        let line = Line {
            confirmation: Some(ConfirmationId(Uuid::from_u128(0x1f_3a77))),
            revision: Some(2),
            action: Some(ActionId(Uuid::from_u128(0x77))),
            tool: Some("gmail.send".into()),
            ..Line::new(Timestamp::UNIX_EPOCH, UserId(Uuid::nil()), "accepted").because("click")
        };
        let entry = Entry::new(origin(), 12, line);
        assert_eq!(
            readable(&entry, &TimeZone::UTC),
            "   12  1970-01-01 00:00:00  accepted        gmail.send  cr_…1f3a77.2  act_…000077  click"
        );
    }
}
