//! `sayso bench`: measures this machine, and says it as a table.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};

use super::Choice;

mod models;
mod names;
mod noise;
mod pauses;
mod people;
mod server;
mod speakers;
mod table;

#[derive(Args)]
pub struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Hearing and speaking: how well, how soon, for how many at once
    Speech(Speech),
}

#[derive(Args)]
#[command(
    after_help = "The rows are Markdown, as they stand in docs/speech.md. Everything is measured:
sentences are spoken by the voice and heard by the ears of this machine, and for
the last rows a server of its own is started on sample data and talked to, in
real time. That takes about six minutes, and everything else as long again; other
work on the machine counts in.

Examples:
  sayso bench speech
  sayso bench speech --only names         one part of it
  sayso bench speech --clips DIR          people too: *.wav, each with a .txt of its words
  sayso bench speech --speakers 12        whether twelve at once are heard in time"
)]
struct Speech {
    /// Only this part; may be given several times
    #[arg(long, value_name = "PART")]
    only: Vec<Part>,
    /// Only N people at once on one core; may be given several times
    #[arg(long, value_name = "N", conflicts_with = "only")]
    speakers: Vec<NonZeroUsize>,
    /// Recordings of people, each with its words in a .txt beside it
    #[arg(long, value_name = "DIR")]
    clips: Option<PathBuf>,
    #[command(flatten)]
    choice: Choice,
}

/// What is measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Words, with the models alone
    Words,
    /// Whom a misheard name is taken for
    Names,
    /// What noise is taken for
    Noise,
    /// Whether somebody who thinks is cut off
    Pauses,
    /// A server that is talked to
    Server,
}

impl Bench {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.what {
            What::Speech(speech) => speech.run(),
        }
    }
}

impl Speech {
    fn run(self) -> anyhow::Result<ExitCode> {
        let assets = self.choice.settings(toml::Table::new())?.assets;
        let is_all = self.only.is_empty() && self.speakers.is_empty();
        let wants = |part: Part| is_all || self.only.contains(&part);
        table::begin();
        let models = models::Models::load(&assets)?;
        if wants(Part::Words) {
            models.measure();
            if let Some(clips) = &self.clips {
                people::measure(&models, clips)?;
            }
        }
        if wants(Part::Names) {
            names::measure(&models).tell();
        }
        if wants(Part::Noise) {
            noise::measure(&models)?;
        }
        if wants(Part::Pauses) {
            pauses::measure(&models, self.clips.as_deref())?;
        }
        let said = models.utterances();
        drop(models);
        let runtime = super::small_runtime()?;
        if wants(Part::Server) {
            runtime.block_on(speakers::measure(&assets, &said))?;
        }
        if !self.speakers.is_empty() {
            let counts: Vec<usize> = self.speakers.iter().map(|count| count.get()).collect();
            runtime.block_on(speakers::crowd(&assets, &said, &counts))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
