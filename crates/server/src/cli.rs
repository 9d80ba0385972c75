//! The command line. `sayso --help` is meant to teach.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use toml::Table;

use crate::client::Remote;
use crate::config::{self, Settings};

mod approve;
mod audit;
mod backup;
mod bench;
mod card;
mod chat;
mod costs;
mod doctor;
mod hear;
mod jobs;
mod keys;
mod logs;
mod look;
mod memory;
mod paper;
mod pause;
mod profile;
mod receipt;
mod recording;
mod replay;
mod say;
mod serve;
mod speak;
mod tail;
mod tools;
mod understand;
mod user;

/// Where `serve` listens unless told otherwise.
const DEFAULT_SERVER: &str = "http://127.0.0.1:8787";

/// An assistant that acts only on your say-so.
///
/// It reads your mail and calendar by itself and answers at once, offline and
/// without a key. Before it sends or books anything it shows exactly what, and
/// waits for a yes. Start it, then talk to it from the page or the terminal.
#[derive(Parser)]
#[command(
    name = "sayso",
    version,
    after_help = "Examples:
  sayso serve --demo                      try it with a sample mailbox and calendar
  sayso chat                              talk to it from a second terminal
  sayso say \"any new mail from Priya?\"    one question, one answer, an exit code
  sayso pause                             nothing is sent or booked until `sayso resume`
  sayso audit verify                      check the record of what was done
  echo \"am i free at 3\" | sayso understand   see how a sentence is read
  sayso tail                              watch what happens, line by line
  sayso replay sess_0192…                 tell a conversation, with what was decided
  sayso backup DIR                        copy everything while it runs
  sayso doctor                            find out why something does not work"
)]
struct Sayso {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server and print its address
    Serve(serve::Serve),
    /// Talk to a running server, line by line
    Chat(chat::Chat),
    /// Ask one thing and print the answer
    Say(say::Say),
    /// Show how sentences are read, one JSON line each
    Understand(understand::Understand),
    /// Show or change what the assistant knows about you
    Profile(profile::ProfileCommand),
    /// Show what you asked to be remembered, look through it, or let it go
    Memory(memory::MemoryCommand),
    /// Show what was done in your name, or check that the record is whole
    Audit(audit::Audit),
    /// Show long work, reminders and timers, or stop one
    Jobs(jobs::Jobs),
    /// Stop everything that writes, at once, or one tool
    Pause(pause::Pause),
    /// Let writes go on, each after a yes
    Resume(pause::Resume),
    /// Make, list and revoke keys for other machines and other people
    Keys(keys::Keys),
    /// Watch what happens on a running server, line by line
    Tail(tail::Tail),
    /// Show what is on record of a session or of one use of a tool
    Logs(logs::Logs),
    /// Show what models have cost, by person
    Costs(costs::Costs),
    /// Show what the assistant can do, also for OpenAI, Anthropic, Gemini and MCP
    Tools(tools::Tools),
    /// Tell a conversation from its record, with what was decided and why
    Replay(replay::Replay),
    /// Take away or take out everything of one person
    User(user::User),
    /// Copy everything while the server runs
    Backup(backup::Backup),
    /// Put such a copy back
    Restore(backup::Restore),
    /// Write down what is said in a sound file
    Hear(hear::Hear),
    /// Read a text aloud into a sound file
    Speak(speak::Speak),
    /// Measure this machine: how well and how soon it hears and speaks
    Bench(bench::Bench),
    /// Check everything Sayso needs and say what to do about the rest
    Doctor(doctor::Doctor),
    /// Read a file from standard input, with everything else given up first
    #[command(hide = true)]
    ReadFile(crate::reading::child::ReadFile),
}

/// Which settings to use.
#[derive(Args)]
struct Choice {
    /// Read settings from FILE instead of ./sayso.toml
    #[arg(long, value_name = "FILE", env = "SAYSO_CONFIG")]
    config: Option<PathBuf>,
    /// Keep everything in DIR [default: data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Look for models in DIR [default: assets]
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

/// Which server to talk to.
#[derive(Args)]
struct Server {
    /// Address of the server
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "SAYSO_SERVER",
        default_value = DEFAULT_SERVER
    )]
    server: String,
    #[arg(
        long,
        global = true,
        value_name = "KEY",
        env = "SAYSO_KEY",
        hide_env_values = true,
        help = "Show KEY there; as SAYSO_KEY other users of this machine do not see it"
    )]
    key: Option<String>,
}

impl Server {
    fn remote(&self) -> anyhow::Result<Remote> {
        let key = self.key.clone().filter(|key| !key.is_empty());
        let remote = Remote::new(&self.server, key)?;
        if remote.key().is_some() && !remote.is_private() {
            let (doubt, plain) = (look::DOUBT, look::PLAIN);
            anstream::eprintln!(
                "{doubt}sayso:{plain} {remote} is not https, so others on the way can read the key"
            );
        }
        Ok(remote)
    }
}

impl Choice {
    fn settings(&self, mut flags: Table) -> anyhow::Result<Settings> {
        for (name, folder) in [("data", &self.data), ("assets", &self.assets)] {
            let Some(folder) = folder else { continue };
            let folder =
                folder.to_str().with_context(|| format!("--{name} must be readable text"))?;
            flags.insert(name.into(), folder.into());
        }
        config::load(self.config.as_deref(), |name| std::env::var(name).ok(), flags)
    }
}

pub fn run() -> ExitCode {
    let sayso = match Sayso::try_parse() {
        Ok(sayso) => sayso,
        Err(error) => {
            // Whoever closed the pipe has read enough.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    let done = match sayso.command {
        Command::Serve(serve) => serve.run(),
        Command::Chat(chat) => chat.run(),
        Command::Say(say) => say.run(),
        Command::Understand(understand) => understand.run(),
        Command::Profile(profile) => profile.run(),
        Command::Memory(memory) => memory.run(),
        Command::Audit(audit) => audit.run(),
        Command::Jobs(jobs) => jobs.run(),
        Command::Pause(pause) => pause.run(),
        Command::Resume(resume) => resume.run(),
        Command::Keys(keys) => keys.run(),
        Command::Tail(tail) => tail.run(),
        Command::Logs(logs) => logs.run(),
        Command::Costs(costs) => costs.run(),
        Command::Tools(tools) => tools.run(),
        Command::Replay(replay) => replay.run(),
        Command::User(user) => user.run(),
        Command::Backup(backup) => backup.run(),
        Command::Restore(restore) => restore.run(),
        Command::Hear(hear) => hear.run(),
        Command::Speak(speak) => speak.run(),
        Command::Bench(bench) => bench.run(),
        Command::Doctor(doctor) => doctor.run(),
        Command::ReadFile(file) => file.run(),
    };
    done.unwrap_or_else(|error| {
        anstream::eprintln!("{}sayso:{} {error:#}", look::TROUBLE, look::PLAIN);
        ExitCode::FAILURE
    })
}

/// A runtime for commands that only talk to a server.
fn small_runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime cannot start")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Sayso::command().debug_assert();
    }
}
