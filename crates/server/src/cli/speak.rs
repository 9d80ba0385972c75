//! `sayso speak`: reads a text aloud into a sound file, without a server.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use speech::engine::Lanes;
use speech::tts::{Clauses, Hibari, Kokoro, Manner, Speech, Voice};

use super::look::{self, tell_line};
use super::{Choice, recording};
use crate::config::Settings;

/// So much of it is made at a time.
const CHUNK_MS: u64 = 200;
/// A chapter; what is longer is better read in parts.
const LONGEST: usize = 100_000;

#[derive(Args)]
#[command(
    after_help = "Times, dates, money, addresses, codes and lists are read as a person would.
A Kokoro of yours (`speech.kokoro`) speaks here as it does in the server. A service
(`[speech.voice]`) is not asked: nothing leaves this machine.

Examples:
  sayso speak \"You have two meetings tomorrow.\" --out tomorrow.wav
  sayso speak --speed 1.3 --out news.wav \"$(cat news.txt)\""
)]
pub struct Speak {
    /// What to say
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
    /// Where to put it; a file that is there is written anew
    #[arg(long, value_name = "FILE.wav")]
    out: PathBuf,
    /// How fast, from 0.5 to 2
    #[arg(long, default_value_t = 1.0)]
    speed: f32,
    /// Samples a second, 8000 to 48000
    #[arg(long, default_value_t = 24_000)]
    rate: u32,
    #[command(flatten)]
    choice: Choice,
}

impl Speak {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if !(Manner::SLOWEST..=Manner::FASTEST).contains(&self.speed) {
            bail!("--speed is from {} to {}", Manner::SLOWEST, Manner::FASTEST);
        }
        if self.text.len() > LONGEST {
            bail!("that is more than {LONGEST} letters; say it in parts");
        }
        let clauses = Clauses::of(&self.text);
        if clauses.is_empty() {
            bail!("there is nothing to say");
        }
        let voice = voice(&self.choice.settings(toml::Table::new())?)?;
        let manner = Manner { speed: self.speed, ..Manner::default() };
        let mut speech = Speech::new(self.rate, CHUNK_MS)?;
        let mut bytes = Vec::new();
        for clause in &clauses {
            let sound = voice.say(clause, &manner)?;
            speech.add(clause, &sound).iter().for_each(|chunk| bytes.extend(&chunk.pcm));
        }
        speech.finish().iter().for_each(|chunk| bytes.extend(&chunk.pcm));
        recording::write(&self.out, self.rate, &bytes)?;
        let (good, plain, ms) = (look::GOOD, look::PLAIN, speech.duration_ms());
        let (seconds, tenths) = (ms / 1_000, ms % 1_000 / 100);
        tell_line!("{good}✓{plain} {seconds}.{tenths} s in {}", self.out.display());
        Ok(ExitCode::SUCCESS)
    }
}

/// Kokoro, where somebody has one that can be used, and ours otherwise.
fn voice(settings: &Settings) -> anyhow::Result<Box<dyn Voice>> {
    let (lanes, ours) = (Lanes::new(1), &settings.assets);
    let (kokoro, name) = (&settings.speech.kokoro, &settings.speech.kokoro_voice);
    if !kokoro.as_os_str().is_empty() {
        match Kokoro::load(kokoro, name, ours, &lanes) {
            Ok(theirs) => return Ok(Box::new(theirs)),
            Err(error) => anstream::eprintln!("sayso: {error}. The built-in voice speaks instead."),
        }
    }
    Ok(Box::new(Hibari::load(ours, &lanes)?))
}
