//! `sayso hear`: writes down what is said in a sound file, without a server.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use speech::ear::{Ear, Notice, Utterance};
use speech::endpoint::{Patience, TurnMode, Why};
use speech::engine::Lanes;
use speech::pcm::Format;
use speech::stt::{Moonshine, Recogniser, Whisper};
use speech::vad::Silero;

use super::Choice;
use super::look::{self, tell_line};
use super::recording::Recording;
use crate::senses::TheirEars;

/// As much as a browser sends at a time.
const FRAME_MS: u32 = 100;
/// Silence behind the file, so that its last words come to an end by themselves.
const SILENCE_MS: u32 = 2_000;

#[derive(Args)]
#[command(
    after_help = "The file is a WAV of whole or floating samples, from 8 kHz on. Every line is
what was said up to a pause. Nothing leaves this machine.

Examples:
  sayso hear question.wav
  sayso hear --partials question.wav      also the words while they come, as they would on a screen
  sayso hear --json question.wav          with how sure every word is
  sayso speak \"any new mail?\" --out q.wav && sayso hear q.wav"
)]
pub struct Hear {
    /// What to listen to
    #[arg(value_name = "FILE.wav")]
    file: PathBuf,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Print the words while they grow
    #[arg(long)]
    partials: bool,
    #[command(flatten)]
    choice: Choice,
}

impl Hear {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let settings = self.choice.settings(toml::Table::new())?;
        let assets = settings.assets;
        let sound = Recording::read(&self.file)?;
        let lanes = Lanes::new(1);
        let recogniser = recogniser(&assets, &settings.speech.whisper, &lanes)?;
        let listener = Arc::new(Silero::load(&assets, &lanes)?);
        let format = Format::new(sound.rate, sound.channels)?;
        let mut ear = Ear::new(format, listener, Patience::default(), TurnMode::Auto);
        ear.listen(false);
        let mut heard = false;
        let silence = sound.bytes_of(SILENCE_MS);
        let frames = sound.bytes.chunks(sound.bytes_of(FRAME_MS));
        for frame in frames.chain([vec![0; silence].as_slice()]) {
            let notices = ear.hear(frame)?.notices;
            heard |= self.follow(&mut ear, notices, &*recogniser)?;
        }
        let notices = ear.end();
        heard |= self.follow(&mut ear, notices, &*recogniser)?;
        if heard {
            return Ok(ExitCode::SUCCESS);
        }
        anstream::eprintln!("Nobody speaks in {}.", self.file.display());
        Ok(ExitCode::FAILURE)
    }

    /// Does what takes time at once: nobody else waits. True where words came of it.
    fn follow(
        &self,
        ear: &mut Ear,
        notices: Vec<Notice>,
        recogniser: &dyn Recogniser,
    ) -> anyhow::Result<bool> {
        let (mut open, mut heard) = (notices, false);
        while !open.is_empty() {
            let mut next = Vec::new();
            for notice in open {
                match notice {
                    Notice::Decode(task) if !self.partials && !task.is_urgent() => {}
                    Notice::Decode(task) => {
                        let begun = Instant::now();
                        let done = task.run(recogniser);
                        let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                        next.extend(ear.decoded(done, took));
                    }
                    Notice::Partial { words, .. } if self.partials && self.json => {
                        let (text, stable) = (words.text, words.stable);
                        tell_line!("{}", json!({ "partial": text, "stable": stable }));
                    }
                    Notice::Partial { words, .. } if self.partials => {
                        let (quiet, plain) = (look::QUIET, look::PLAIN);
                        tell_line!("{quiet}… {}{plain}", words.text);
                    }
                    Notice::Final(utterance) => {
                        self.print(&utterance);
                        heard = true;
                        ear.listen(false);
                    }
                    Notice::NoWords { .. } | Notice::NoSpeech => ear.listen(false),
                    Notice::Failed { error, .. } => return Err(error.into()),
                    Notice::Began { .. }
                    | Notice::Partial { .. }
                    | Notice::Ended { .. }
                    | Notice::Stumbled { .. } => {}
                }
            }
            open = next;
        }
        Ok(heard)
    }

    fn print(&self, utterance: &Utterance) {
        if !self.json {
            let more = if utterance.why == Why::TooLong { " …" } else { "" };
            tell_line!("{}{more}", utterance.text);
            return;
        }
        let word = |word: &speech::stt::HeardWord| json!({ "text": word.text, "confidence": word.confidence() });
        let words: Vec<_> = utterance.words.iter().map(word).collect();
        tell_line!(
            "{}",
            json!({
                "text": utterance.text, "confidence": utterance.confidence, "words": words,
            })
        );
    }
}

/// The built-in ears, with the Whisper that the settings name where there is one.
fn recogniser(
    assets: &Path,
    whisper: &Path,
    lanes: &Arc<Lanes>,
) -> anyhow::Result<Arc<dyn Recogniser>> {
    let built_in: Arc<dyn Recogniser> = Arc::new(Moonshine::load(assets, lanes)?);
    if whisper.as_os_str().is_empty() {
        return Ok(built_in);
    }
    match Whisper::load(whisper, lanes) {
        Ok(theirs) => {
            Ok(Arc::new(TheirEars { theirs: Arc::new(theirs), built_in: Some(built_in) }))
        }
        Err(error) => {
            anstream::eprintln!("sayso: {error}. The built-in ears hear it instead.");
            Ok(built_in)
        }
    }
}
