//! `sayso user`: everything of one person, to take away or to take out.
//!
//! It works on the data folder itself, whether a server runs or not: whoever may write
//! there answers for what is in it.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use brain::UserId;
use brain::audit::Line;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::sqlite::{Record, Rows, SqliteStore};
use store::{Forgotten, Keeping};
use toml::Table;
use tools::Personal;

use super::look::tell_line;
use super::replay::record_lines;
use super::{Choice, look, small_runtime};
use crate::app;
use crate::doors::keys::user_named;
use crate::uploads::name::tidy;
use crate::uploads::places_of;

/// What is told of a session stands in its own file.
const TOLD_BY_SESSION: [&str; 3] = ["sessions", "confirmation_requests", "actions"];
/// Nobody reads for longer, unless something is stuck.
const PATIENCE: Duration = Duration::from_secs(30);
/// Why something stays.
const WHY_AUDIT: &str = "the audit stays: it proves what was done in whose name, and every line \
                         seals the next. It holds ids, states and times, no words";

#[derive(Args)]
#[command(after_help = "A user is the name that a key was made for, `local` for the person of this
machine, or an id (user_…) as the audit shows it.

`export` writes a folder: sessions with all that was said and decided (sayso
replay reads each), mails, events, contacts and memories of the local mailbox,
files, profile, keys without their secrets, and the lines of the audit.

`delete` takes all of that out, also from free pages and from the log of the
database. The audit of what was done in the person's name stays. Copies made with
`sayso backup` are not touched.

Examples:
  sayso user export ana ana-data
  sayso user delete ana                   asks first
  sayso user delete ana --yes")]
pub struct User {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Write everything of a person into a new folder
    Export(Export),
    /// Take out everything of a person but the audit of writes
    Delete(Delete),
}

#[derive(Args)]
struct Export {
    /// Whose data
    #[arg(value_name = "USER")]
    user: String,
    /// Where to; it is made, and must not be there yet
    #[arg(value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Args)]
struct Delete {
    /// Whose data
    #[arg(value_name = "USER")]
    user: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    choice: Choice,
}

impl User {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.verb {
            Verb::Export(export) => export.run(),
            Verb::Delete(delete) => delete.run(),
        }
    }
}

/// A name, or an id as it stands.
fn who(name: &str) -> anyhow::Result<UserId> {
    if let Ok(id) = name.parse() {
        return Ok(id);
    }
    user_named(name).map_err(anyhow::Error::msg)
}

fn folder(choice: &Choice) -> anyhow::Result<PathBuf> {
    let data = choice.settings(Table::new())?.data;
    if !data.join("sayso.db").exists() {
        bail!("there is nothing in {}; choose the folder with --data", data.display());
    }
    Ok(data)
}

fn is_known(data: &Path, user: UserId) -> anyhow::Result<bool> {
    let (sessions, personal) = (data.join("sayso.db"), data.join("personal.db"));
    let mut is_known = !Record::open(&sessions)?.sessions_of(user)?.is_empty();
    for file in [sessions, personal].iter().filter(|file| file.exists()) {
        Rows::open(file)?.each(user, &[], |_, _| {
            is_known = true;
            anyhow::Ok(())
        })?;
    }
    Ok(is_known)
}

/// Why there is nothing to do, and who is meant instead, perhaps.
fn nobody(name: &str, data: &Path) -> String {
    let hint = "`local` is the person of this machine, `sayso keys list` has the others";
    format!("there is nothing of {name} in {}; {hint}", data.display())
}

impl Export {
    fn run(self) -> anyhow::Result<ExitCode> {
        let (user, data) = (who(&self.user)?, folder(&self.choice)?);
        if self.to.exists() {
            bail!("{} is there already; name a folder that is not", self.to.display());
        }
        app::make_folder(&self.to)?;
        let mut taken = Taken { to: self.to.clone(), counts: Map::new() };
        taken.sessions(&data, user)?;
        taken.rows(&data.join("sayso.db"), user, &TOLD_BY_SESSION)?;
        let personal = data.join("personal.db");
        if personal.exists() {
            taken.rows(&personal, user, &[])?;
        }
        taken.files(&data, user)?;
        if taken.counts.is_empty() {
            std::fs::remove_dir_all(&self.to)?;
            bail!("{}", nobody(&self.user, &data));
        }
        let about = json!({
            "user": self.user,
            "user_id": user,
            "exported_at": Timestamp::now(),
            "lines": taken.counts,
        });
        let about = serde_json::to_string_pretty(&about)?;
        std::fs::write(self.to.join("about.json"), about + "\n")?;
        for (what, count) in &taken.counts {
            tell_line!("{what:<14} {count}");
        }
        tell_line!("{}✓{} {} is in {}", look::GOOD, look::PLAIN, self.user, self.to.display());
        Ok(ExitCode::SUCCESS)
    }
}

/// What has been written so far.
struct Taken {
    to: PathBuf,
    counts: Map<String, Value>,
}

impl Taken {
    fn count(&mut self, what: &str) {
        let known = self.counts.get(what).and_then(Value::as_u64).unwrap_or(0);
        self.counts.insert(what.to_owned(), (known + 1).into());
    }

    fn sessions(&mut self, data: &Path, user: UserId) -> anyhow::Result<()> {
        let record = Record::open(&data.join("sayso.db"))?;
        let folder = self.to.join("sessions");
        std::fs::create_dir_all(&folder)?;
        for session in record.sessions_of(user)? {
            // One that was deleted meanwhile is not exported any more.
            let Some(told) = record.session(session)? else { continue };
            let mut file = BufWriter::new(File::create(folder.join(format!("{session}.jsonl")))?);
            for line in record_lines(told) {
                writeln!(file, "{line}")?;
            }
            file.flush()?;
            self.count("sessions");
        }
        let mut file = BufWriter::new(File::create(self.to.join("audit.jsonl"))?);
        for entry in record.lines_of(user)? {
            writeln!(file, "{}", serde_json::to_string(&entry)?)?;
            self.count("audit");
        }
        Ok(file.flush()?)
    }

    fn rows(&mut self, file: &Path, user: UserId, without: &[&str]) -> anyhow::Result<()> {
        let mut open: Option<(String, BufWriter<File>)> = None;
        let mut counted = Vec::new();
        Rows::open(file)?.each(user, without, |table, mut row| {
            // It opens nothing, but it is nobody's business either.
            row.remove("fingerprint");
            if open.as_ref().is_none_or(|(name, _)| name != table) {
                let file = File::create(self.to.join(format!("{table}.jsonl")))?;
                if let Some((_, mut before)) =
                    open.replace((table.to_owned(), BufWriter::new(file)))
                {
                    before.flush()?;
                }
            }
            if let Some((_, file)) = &mut open {
                writeln!(file, "{}", Value::Object(row))?;
            }
            counted.push(table.to_owned());
            anyhow::Ok(())
        })?;
        if let Some((_, mut last)) = open {
            last.flush()?;
        }
        for table in &counted {
            self.count(table);
        }
        Ok(())
    }

    /// The files themselves as they were called, each in a folder of its id, and what
    /// was read in them.
    fn files(&mut self, data: &Path, user: UserId) -> anyhow::Result<()> {
        let folder = self.to.join("files");
        let mut known = Vec::new();
        Rows::open(&data.join("sayso.db"))?.each(user, &TOLD_BY_SESSION, |table, row| {
            if table == "files" {
                let name = row["name"].as_str().unwrap_or_default();
                known.extend(row["file_id"].as_str().map(|id| (id.to_owned(), tidy(name))));
            }
            anyhow::Ok(())
        })?;
        for (id, name) in known {
            let own = folder.join(&id);
            std::fs::create_dir_all(&own)?;
            let [from, paper] = places_of(data, &id);
            // It may have been deleted since it was counted; the server goes on.
            if copied(&from, &own.join(&name))? {
                // Not every file can be read.
                copied(&paper, &own.join(format!("{name}.read.json")))?;
            } else {
                std::fs::remove_dir(&own)?;
            }
        }
        Ok(())
    }
}

/// False where there is nothing to copy.
fn copied(from: &Path, to: &Path) -> anyhow::Result<bool> {
    match std::fs::copy(from, to) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("{} cannot be copied", from.display())),
    }
}

impl Delete {
    fn run(self) -> anyhow::Result<ExitCode> {
        let (user, data) = (who(&self.user)?, folder(&self.choice)?);
        if !is_known(&data, user)? {
            bail!("{}", nobody(&self.user, &data));
        }
        if !self.yes && !is_sure(&self.user)? {
            tell_line!("Nothing was deleted.");
            return Ok(ExitCode::FAILURE);
        }
        small_runtime()?.block_on(forget(&data, user))?;
        let (good, plain) = (look::GOOD, look::PLAIN);
        tell_line!("{good}✓{plain} everything of {} is gone from {}", self.user, data.display());
        tell_line!("  {WHY_AUDIT}");
        Ok(ExitCode::SUCCESS)
    }
}

async fn forget(data: &Path, user: UserId) -> anyhow::Result<()> {
    let file = data.join("sayso.db");
    let store =
        SqliteStore::open(&file).with_context(|| format!("{} cannot be opened", file.display()))?;
    let line = Line::new(Timestamp::now(), user, "user_deleted").because("asked_for");
    let files = match store.forget_user(user, line).await? {
        Forgotten::Gone { files, .. } => files,
        Forgotten::WriteOpen => bail!(
            "something this person agreed to is under way, and what becomes of it has to be known \
             first; let the server finish it and try again"
        ),
    };
    for path in files.iter().flat_map(|id| places_of(data, &id.to_string())) {
        match std::fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error).with_context(|| format!("{} stays behind", path.display()));
            }
        }
    }
    let personal = data.join("personal.db");
    if personal.exists() {
        let personal = Personal::open(&personal)?;
        personal.forget(user).await.context("the mailbox and calendar could not be cleared")?;
    }
    let scrubbed = tokio::time::timeout(PATIENCE, store.scrub()).await;
    let scrubbed = scrubbed.context(
        "everything was taken out, but somebody keeps reading in the database, so its log still \
         holds it; stop the server and run this again",
    )?;
    scrubbed.context("the log of the database could not be emptied")
}

/// Asks for the name, so that nobody deletes somebody by a slip.
fn is_sure(name: &str) -> anyhow::Result<bool> {
    anstream::eprint!("Type \"{name}\" to delete everything of this person: ");
    let mut typed = String::new();
    std::io::stdin().read_line(&mut typed).context("the answer cannot be read")?;
    Ok(typed.trim() == name)
}
