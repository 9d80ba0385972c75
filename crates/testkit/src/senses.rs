//! Ears and a voice without a model: a sound says by its loudness which line of a
//! script it is, and every letter that is spoken takes the same time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use brain::input::Sound;
use session::{Hearing, Senses, Speaking};
use speech::endpoint::Patience;
use speech::engine::Unavailable;
use speech::stt::{HeardWord, Recognised, Recogniser};
use speech::tts::{Clause, Manner, Sound as Said, Voice, WordSound};
use speech::vad::{FRAME, Listener, Memory};

/// Samples a second of every microphone here.
pub const RATE: u32 = 16_000;
/// What a word takes to be said to us.
pub const WORD_MS: u64 = 250;
/// What a letter takes to be said by us.
pub const LETTER_MS: u64 = 50;

const QUIETEST: f32 = 0.10;
const LOUDER: f32 = 0.01;

/// Somebody who can be heard, and everything they ever say.
#[derive(Clone, Default)]
pub struct FakeSenses {
    script: Arc<Mutex<Script>>,
}

#[derive(Default)]
struct Script {
    lines: Vec<(String, f32)>,
    /// How often the recogniser fails before it hears again.
    failures: usize,
    /// How often no words are left of what was shown while it was said.
    doubts: usize,
    mute: bool,
    /// Somebody else was to hear and to speak, and cannot.
    stands_in: bool,
    spoken: VecDeque<String>,
    /// How the last of it was to be said.
    manner: Option<Manner>,
}

impl FakeSenses {
    pub fn senses(&self) -> Senses {
        let (ears, voice) = (Arc::new(self.clone()), Arc::new(self.clone()));
        Senses {
            hearing: Some(Hearing::new(Arc::new(ByLoudness), ears, Patience::default())),
            speaking: Some(Speaking::new(voice, Manner::default())),
        }
    }

    /// The next hearings that count fail.
    pub fn will_fail(&self, times: usize) {
        self.script().failures = times;
    }

    /// Of the next hearings that count no words are left.
    pub fn will_doubt(&self, times: usize) {
        self.script().doubts = times;
    }

    /// The voice breaks down.
    pub fn loses_its_voice(&self) {
        self.script().mute = true;
    }

    /// From now on it hears and speaks for somebody else who cannot.
    pub fn stands_in(&self) {
        self.script().stands_in = true;
    }

    /// What the voice was asked to say, clause by clause.
    pub fn spoken(&self) -> Vec<String> {
        self.script().spoken.iter().cloned().collect()
    }

    /// How the voice was asked to say it last.
    pub fn manner(&self) -> Option<Manner> {
        self.script().manner.clone()
    }

    /// Somebody saying this; how sure the recogniser is of it, between 0 and 1.
    pub fn says(&self, words: &str, sure: f32) -> Sound {
        let mut script = self.script();
        script.lines.push((words.to_owned(), sure));
        let count = words.split_whitespace().count().max(1) as u64;
        #[expect(clippy::cast_precision_loss, reason = "a few lines")]
        let loud = QUIETEST + LOUDER * (script.lines.len() - 1) as f32;
        tone(count * WORD_MS, loud)
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nobody saying anything.
pub fn silence(ms: u64) -> Sound {
    tone(ms, 0.0)
}

fn tone(ms: u64, loud: f32) -> Sound {
    let samples = (0..ms * u64::from(RATE) / 1_000).map(|n| {
        #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
        let phase = (n % 32) as f32 / 32.0 * std::f32::consts::TAU;
        #[expect(clippy::cast_possible_truncation, reason = "below one")]
        let sample = (phase.sin() * loud * 32_767.0) as i16;
        sample
    });
    Sound { samples: samples.collect(), sample_rate_hz: RATE, channels: 1 }
}

/// How loud a tone is: the middle one of its peaks, for the first of them swings too far.
fn loudness(sound: &[f32]) -> f32 {
    let peaks = sound.windows(3).map(|near| [near[0].abs(), near[1].abs(), near[2].abs()]);
    let peaks = peaks.filter(|[before, peak, after]| peak > before && peak >= after);
    let mut peaks: Vec<f32> = peaks.map(|[_, peak, _]| peak).filter(|peak| *peak > 0.05).collect();
    peaks.sort_by(f32::total_cmp);
    peaks.get(peaks.len() / 2).copied().unwrap_or(0.0)
}

/// Loud is speech.
struct ByLoudness;

impl Listener for ByLoudness {
    fn speech(&self, frame: &[f32; FRAME], _: &mut Memory) -> Result<f32, Unavailable> {
        let loud = frame.iter().filter(|sample| sample.abs() > 0.05).count() > FRAME / 4;
        Ok(if loud { 0.95 } else { 0.02 })
    }
}

impl Recogniser for FakeSenses {
    fn recognise(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        let mut script = self.script();
        // What is only shown is heard on top of a draft.
        if script.failures > 0 && draft.is_none() {
            script.failures -= 1;
            return Err(Unavailable::Missing("a model".into()));
        }
        if script.doubts > 0 && draft.is_none() {
            script.doubts -= 1;
            return Ok(Recognised::default());
        }
        let loudest = loudness(sound);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few lines")]
        let line = ((loudest - QUIETEST) / LOUDER).round().max(0.0) as usize;
        let heard_ms = sound.iter().filter(|sample| sample.abs() > 0.05).count() as u64 / 16;
        let Some((words, sure)) = script.lines.get(line).filter(|_| loudest > 0.05) else {
            return Ok(Recognised::default());
        };
        // A tone is near zero now and then; a word that is nearly over was heard.
        let count = usize::try_from((heard_ms * 2).div_ceil(WORD_MS)).unwrap_or(usize::MAX);
        let logp = if *sure >= 0.8 { -0.01 } else { -3.0 };
        let word = |text: &str| HeardWord { text: text.to_owned(), logp };
        let words: Vec<_> = words.split_whitespace().take(count).map(word).collect();
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let may_refuse = Some(if *sure >= 0.8 { 0.0 } else { 0.5 });
        let stood_in = script.stands_in;
        let heard = Recognised { text, words, may_refuse, stood_in, ..Recognised::default() };
        Ok(Recognised { mean_logp: logp, min_logp: logp, ..heard })
    }
}

impl Voice for FakeSenses {
    fn rate(&self) -> u32 {
        24_000
    }

    fn say(&self, clause: &Clause, manner: &Manner) -> Result<Said, Unavailable> {
        let mut script = self.script();
        script.manner = Some(manner.clone());
        script.spoken.push_back(clause.text.clone());
        if script.mute {
            return Err(Unavailable::Missing("a voice".into()));
        }
        let each = usize::try_from(LETTER_MS * 24).unwrap_or(1_200);
        let mut words = Vec::new();
        let mut at = 0;
        for word in clause.text.split_inclusive(' ') {
            let (from, to) = (clause.at.start + at, clause.at.start + at + word.trim_end().len());
            words.push(WordSound { at: from..to, heard: at * each..(at + word.len()) * each });
            at += word.len();
        }
        Ok(Said { samples: vec![0.2; at * each], words, stood_in: script.stands_in })
    }
}
