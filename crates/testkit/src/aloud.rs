//! People who talk to us with the real models: our own voice at several paces, or
//! recordings of another one; and the noise around them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use brain::input::Sound;
use session::{Hearing, Senses, Speaking};
use speech::endpoint::Patience;
use speech::engine::Lanes;
use speech::resample::{EARS_RATE, Resampler, VOICE_RATE};
use speech::stt::Moonshine;
use speech::tts::{Clauses, Hibari, Manner, Voice};
use speech::vad::Silero;

use crate::FakeSenses;

/// The fetched models, or `None`, loudly, where nobody has fetched them. With
/// `SAYSO_TEST_ASSETS`, as in `make test`, their absence is a failure.
pub fn assets() -> Option<PathBuf> {
    let assets = std::env::var_os("SAYSO_TEST_ASSETS").map(PathBuf::from);
    if assets.is_none() {
        println!("SAYSO_TEST_ASSETS is not set: nothing was said");
    }
    assets
}

/// Ears and a voice with the models of `make assets`.
pub struct Models {
    listener: Arc<Silero>,
    recogniser: Arc<Moonshine>,
    voice: Arc<Hibari>,
}

impl Models {
    pub fn load(assets: &Path) -> Self {
        let lanes = Lanes::one_each();
        Self {
            listener: Arc::new(Silero::load(assets, &Lanes::one_each()).expect("a listener")),
            recogniser: Arc::new(Moonshine::load(assets, &lanes).expect("a recogniser")),
            voice: Arc::new(Hibari::load(assets, &lanes).expect("a voice")),
        }
    }

    pub fn senses(&self) -> Arc<Senses> {
        let (listener, recogniser) = (self.listener.clone(), self.recogniser.clone());
        Arc::new(Senses {
            hearing: Some(Hearing::new(listener, recogniser, Patience::default())),
            speaking: Some(Speaking::new(self.voice.clone(), Manner::default())),
        })
    }

    pub fn recogniser(&self) -> &Moonshine {
        &self.recogniser
    }

    /// Somebody with our own voice, so many times as fast.
    pub fn somebody(&self, speed: f32) -> Somebody {
        Somebody::Ours(self.voice.clone(), speed)
    }
}

/// Somebody who says what is written down for them.
pub enum Somebody {
    Ours(Arc<Hibari>, f32),
    Recorded(HashMap<String, PathBuf>),
    /// For ears that know every line by its sound.
    Scripted(FakeSenses),
}

impl Somebody {
    /// Everything in a folder that `scripts/second-voice` made: `lines.txt`, and
    /// for its first line `1.wav`.
    pub fn recorded(folder: &Path) -> Self {
        let lines = std::fs::read_to_string(folder.join("lines.txt")).expect("what they say");
        let clip =
            |(at, line): (usize, &str)| (line.to_owned(), folder.join(format!("{}.wav", at + 1)));
        Self::Recorded(lines.lines().enumerate().map(clip).collect())
    }

    /// As a microphone hears it, [`EARS_RATE`] samples a second.
    pub fn says(&self, text: &str) -> Vec<f32> {
        let plain = |sample: i16| f32::from(sample) / 32_768.0;
        match self {
            Self::Scripted(senses) => {
                senses.says(text, 1.0).samples.into_iter().map(plain).collect()
            }
            Self::Ours(voice, speed) => {
                let manner = Manner { speed: *speed, ..Manner::default() };
                let mut sound = Vec::new();
                for clause in Clauses::of(text) {
                    let said = voice.say(&clause, &manner).expect("it was loaded");
                    sound.extend(said.samples);
                    let breath = clause.breath.ms() * u64::from(VOICE_RATE) / 1_000;
                    sound.resize(sound.len() + usize::try_from(breath).expect("short"), 0.0);
                }
                Resampler::new(VOICE_RATE, EARS_RATE).push(&sound)
            }
            Self::Recorded(clips) => {
                let clip = clips.get(text).unwrap_or_else(|| panic!("nobody recorded {text:?}"));
                let wav = hound::WavReader::open(clip).expect("a recording");
                let rate = wav.spec().sample_rate;
                let samples = wav.into_samples::<i16>().map(|it| plain(it.expect("whole")));
                let samples: Vec<f32> = samples.collect();
                Resampler::new(rate, EARS_RATE).push(&samples)
            }
        }
    }
}

/// A room with noise in it, the same every time.
pub struct Room {
    state: u64,
    low: f32,
}

impl Default for Room {
    fn default() -> Self {
        Self { state: 0x2545_F491_4F6C_DD1D, low: 0.0 }
    }
}

impl Room {
    /// Even noise between -1 and 1, duller than white: like a street behind a window.
    fn noise(&mut self) -> f32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        #[expect(clippy::cast_precision_loss, reason = "a share of the whole")]
        let white = (self.state >> 40) as f32 / (1_u32 << 23) as f32 - 1.0;
        self.low += 0.3 * (white - self.low);
        self.low
    }

    /// Somebody in it: quiet before and after for so long, and over all of it a
    /// noise so many decibels below their voice.
    pub fn with(&mut self, voice: &[f32], before: usize, after: usize, decibels: f32) -> Vec<f32> {
        let wanted = power(voice).sqrt() * 10_f32.powf(-decibels / 20.0);
        let noise: Vec<f32> = (0..before + voice.len() + after).map(|_| self.noise()).collect();
        let gain = wanted / power(&noise).sqrt();
        let quiet = |many| std::iter::repeat_n(0.0, many);
        let voice = quiet(before).chain(voice.iter().copied()).chain(quiet(after));
        voice.zip(noise).map(|(voice, noise)| voice + noise * gain).collect()
    }
}

fn power(samples: &[f32]) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "some seconds")]
    let many = samples.len().max(1) as f32;
    samples.iter().map(|sample| sample * sample).sum::<f32>() / many
}

/// What a client sends of it.
pub fn sound(samples: &[f32]) -> Sound {
    #[expect(clippy::cast_possible_truncation, reason = "between -1 and 1")]
    let level = |sample: &f32| (sample.clamp(-1.0, 1.0) * 32_767.0) as i16;
    Sound { samples: samples.iter().map(level).collect(), sample_rate_hz: EARS_RATE, channels: 1 }
}
