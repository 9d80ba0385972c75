//! Hibari: one English voice, 24 thousand samples a second, a fortieth of real time.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rten::NodeId;
use rten_tensor::prelude::*;

use super::phonemes::{Phonemes, Reader};
use super::spoken::{Spoken, spoken};
use super::vocoder::{Spectrum, Vocoder};
use super::{Clause, Manner, Sound, Voice, WordSound};
use crate::engine::{self, Engine, Lanes, Unavailable, broken};
use crate::resample::VOICE_RATE;

/// Where the model counts how long each sound is held, in steps of its own.
const HELD: &str = "/Clip_output_0";
/// More sounds than this at once were never trained; a clause is far shorter.
const MOST_SOUNDS: usize = 450;

/// Softer than this is silence; some of it is kept before and behind, 25 ms.
const QUIET: f32 = 0.004;
const EDGE: usize = 600;

pub struct Hibari {
    engine: Engine,
    inputs: [NodeId; 2],
    outputs: Vec<NodeId>,
    letters: HashMap<char, i32>,
    reader: Reader,
    vocoder: Vocoder,
}

impl Hibari {
    /// Whether its files are in the folder.
    pub fn is_there(assets: &Path) -> bool {
        engine::are_there(assets, "hibari", &["model.onnx", "vocab.json", "oov.json", "oov.onnx"])
    }

    pub fn load(assets: &Path, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        let path = engine::file(assets, "hibari", "vocab.json")?;
        let json = std::fs::read(&path).map_err(|error| broken(&path, error))?;
        let letters: HashMap<String, i32> =
            serde_json::from_slice(&json).map_err(|error| broken(&path, error))?;
        let letters =
            letters.into_iter().filter_map(|(letter, id)| Some((letter.chars().next()?, id)));
        let engine = Engine::load(engine::file(assets, "hibari", "model.onnx")?, lanes)?;
        let inputs = [engine.node("ids")?, engine.node("speed")?];
        let names = ["lh", "theta", "ln", "lr", "phi", "f0", HELD];
        let outputs: Result<Vec<NodeId>, Unavailable> =
            names.into_iter().map(|name| engine.node(name)).collect();
        let (outputs, letters) = (outputs?, letters.collect());
        let reader = Reader::load(assets, lanes)?;
        Ok(Self { inputs, outputs, letters, reader, vocoder: Vocoder::new(), engine })
    }

    /// The wave of some sounds, and at which sample each ends.
    fn wave(&self, sounds: &[i32], speed: f32) -> Result<(Vec<f32>, Vec<usize>), Unavailable> {
        let mut ids = vec![0];
        ids.extend_from_slice(sounds);
        ids.push(0);
        let [ids_at, speed_at] = self.inputs;
        let ids = engine::ints(&[1, ids.len()], ids);
        let speed = engine::floats(&[1], vec![speed]);
        let inputs = vec![(ids_at, ids.into()), (speed_at, speed.into())];
        let answer = self.engine.run(inputs, &self.outputs)?;
        let parts: Result<Vec<Vec<f32>>, Unavailable> =
            answer.into_iter().map(|value| Ok(self.engine.floats(value)?.to_vec())).collect();
        let parts: [Vec<f32>; 7] = parts?.try_into().expect("seven were asked for");
        let [buzz, buzz_phase, noise, rest, rest_phase, pitch, held] = parts;
        let spectrum = Spectrum { buzz, buzz_phase, noise, rest, rest_phase, pitch };
        let wave = self.vocoder.wave(&spectrum);
        let wave = wave.ok_or_else(|| broken(self.engine.path(), "its answer has no shape"))?;
        let ends = ends(&held, wave.len());
        Ok((wave, ends))
    }
}

/// All steps together last as long as the wave: how long one of them is, is up to the model.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a few hundred steps and a million samples at most, none negative"
)]
fn ends(held: &[f32], samples: usize) -> Vec<usize> {
    let all: f32 = held.iter().map(|steps| steps.max(0.0)).sum();
    let step = samples as f32 / all.max(1.0);
    let so_far = held.iter().scan(0.0, |so_far, steps| {
        *so_far += steps.max(0.0);
        Some(*so_far)
    });
    so_far.map(|steps| ((steps * step) as usize).min(samples)).collect()
}

impl Voice for Hibari {
    fn rate(&self) -> u32 {
        VOICE_RATE
    }

    fn say(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable> {
        let words = spoken(&clause.text, clause.at.start);
        let read = self.reader.read(&words, &manner.pronunciations);
        let speed = manner.speed.clamp(Manner::SLOWEST, Manner::FASTEST);
        let mut sound = Sound::default();
        for part in parts(&read) {
            let known: Vec<(i32, usize)> = part
                .filter_map(|at| Some((*self.letters.get(&read.sounds[at])?, read.words[at])))
                .collect();
            if known.is_empty() {
                continue;
            }
            let ids: Vec<i32> = known.iter().map(|(id, _)| *id).collect();
            let (wave, ends) = self.wave(&ids, speed)?;
            let start = sound.samples.len();
            place_words(&mut sound.words, &known, &ends, start, &words);
            sound.samples.extend(wave);
        }
        Ok(trimmed(sound))
    }
}

/// Without the silence around it: how long a pause is, is decided elsewhere.
pub(super) fn trimmed(mut sound: Sound) -> Sound {
    let loud = |sample: &f32| sample.abs() > QUIET;
    let Some(first) = sound.samples.iter().position(loud) else { return sound };
    let last = sound.samples.iter().rposition(loud).unwrap_or(first);
    let (start, end) = (first.saturating_sub(EDGE), (last + EDGE).min(sound.samples.len()));
    sound.samples.truncate(end);
    sound.samples.drain(..start);
    for word in &mut sound.words {
        let moved = |at: usize| at.saturating_sub(start).min(end - start);
        word.heard = moved(word.heard.start)..moved(word.heard.end);
    }
    sound
}

/// Pieces that the model can say at once, cut between words.
pub(super) fn parts(read: &Phonemes) -> Vec<std::ops::Range<usize>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    while read.sounds.len() - start > MOST_SOUNDS {
        let room = &read.sounds[start..start + MOST_SOUNDS];
        let cut = room.iter().rposition(|sound| *sound == ' ').map_or(MOST_SOUNDS, |at| at + 1);
        parts.push(start..start + cut);
        start += cut;
    }
    parts.push(start..read.sounds.len());
    parts
}

/// From when each sound is held to when each word is heard. The first of `ends`
/// is the silence before.
fn place_words(
    out: &mut Vec<WordSound>,
    sounds: &[(i32, usize)],
    ends: &[usize],
    start: usize,
    words: &[Spoken],
) {
    for (at, (_, word)) in sounds.iter().enumerate() {
        let (Some(from), Some(to)) = (ends.get(at), ends.get(at + 1)) else { return };
        let place = &words[*word].at;
        match out.last_mut() {
            Some(last) if last.at == *place => last.heard.end = start + to,
            _ => out.push(WordSound { at: place.clone(), heard: start + from..start + to }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_ends_where_the_wave_does_at_every_pace() {
        let Some(assets) = crate::testing::assets() else { return };
        let hibari = Hibari::load(&assets, &Lanes::new(1)).unwrap();
        let text = "Four meetings tomorrow, and the first is the stand-up at nine thirty.";
        for speed in [0.8, 1.0, 1.5] {
            let breath = crate::tts::clauses::Breath::FullStop;
            let clause = Clause { text: text.to_owned(), at: 0..text.len(), breath };
            let manner = Manner { speed, ..Manner::default() };
            let sound = hibari.say(&clause, &manner).unwrap();
            let last = sound.words.last().unwrap();
            let behind = sound.samples.len() - last.heard.end;
            assert!(behind < VOICE_RATE as usize / 8, "{speed}: {behind} samples behind it");
            let middle = sound.words.iter().find(|word| text[word.at.clone()].starts_with("first"));
            let place = middle.unwrap().heard.start * 100 / sound.samples.len();
            assert!((35..60).contains(&place), "{speed}: half of it is over at {place} of 100");
        }
    }
}
