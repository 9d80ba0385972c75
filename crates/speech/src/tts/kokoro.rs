//! Kokoro, from a folder that somebody points at: an ONNX file as the usual exports
//! name it, its tokenizer, and a file for each voice.
//!
//! Sounds are read by the same reader as for the built-in voice, which learnt from
//! this one. Nothing of it comes with Sayso.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rten::NodeId;
use rten_tensor::prelude::*;
use serde_json::Value;

use super::hibari::{parts, trimmed};
use super::phonemes::Reader;
use super::placed::placed;
use super::spoken::spoken;
use super::{Clause, Manner, Sound, Voice};
use crate::engine::{self, Engine, Lanes, Unavailable, broken};
use crate::resample::VOICE_RATE;

/// How the usual exports name it, the quickest first.
const NAMES: [&str; 4] =
    ["model_quantized.onnx", "model_uint8.onnx", "model.onnx", "kokoro-v1.0.onnx"];
/// How wide a voice's style is; it has one for every length of a sentence.
const STYLE: usize = 256;

pub struct Kokoro {
    engine: Engine,
    sounds: NodeId,
    style: NodeId,
    speed: NodeId,
    wave: NodeId,
    letters: HashMap<char, i32>,
    styles: Vec<f32>,
    reader: Reader,
}

impl Kokoro {
    /// `voice` is the name of a file in `voices`, such as `af_heart`; `assets` has the
    /// model that reads unknown words.
    pub fn load(
        folder: &Path,
        voice: &str,
        assets: &Path,
        lanes: &Arc<Lanes>,
    ) -> Result<Self, Unavailable> {
        let reader = Reader::load(assets, lanes)?;
        Self::read(folder, voice, reader, lanes).map_err(Unavailable::foreign)
    }

    fn read(
        folder: &Path,
        voice: &str,
        reader: Reader,
        lanes: &Arc<Lanes>,
    ) -> Result<Self, Unavailable> {
        let found = NAMES.iter().find_map(|name| engine::beside(folder, name).ok());
        let model = found.ok_or_else(|| engine::lacks(folder, "model.onnx"))?;
        let letters = letters(folder)?;
        let styles = styles(&engine::beside(folder, &format!("voices/{voice}.bin"))?)?;
        let engine = Engine::load(model, lanes)?;
        let inputs = engine.inputs();
        let input = |names: &[&str]| {
            let known = inputs.iter().find(|(_, name)| names.contains(&name.as_str()));
            let because = || broken(engine.path(), format!("it has no input {}", names[0]));
            known.map(|(id, _)| *id).ok_or_else(because)
        };
        let (sounds, style, speed) =
            (input(&["input_ids", "tokens"])?, input(&["style"])?, input(&["speed"])?);
        let Some((wave, _)) = engine.outputs().first().cloned() else {
            return Err(broken(engine.path(), "it has no output"));
        };
        Ok(Self { engine, sounds, style, speed, wave, letters, styles, reader })
    }

    fn wave(&self, sounds: &[i32], speed: f32) -> Result<Vec<f32>, Unavailable> {
        let lengths = self.styles.len() / STYLE;
        let at = sounds.len().min(lengths - 1) * STYLE;
        let style = engine::floats(&[1, STYLE], self.styles[at..at + STYLE].to_vec());
        let mut ids = vec![0];
        ids.extend_from_slice(sounds);
        ids.push(0);
        let ids = engine::ints(&[1, ids.len()], ids);
        let speed = engine::floats(&[1], vec![speed]);
        let inputs =
            vec![(self.sounds, ids.into()), (self.style, style.into()), (self.speed, speed.into())];
        let mut answer = self.engine.run(inputs, &[self.wave])?;
        Ok(self.engine.floats(answer.remove(0))?.to_vec())
    }
}

impl Voice for Kokoro {
    fn rate(&self) -> u32 {
        VOICE_RATE
    }

    fn say(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable> {
        let words = spoken(&clause.text, clause.at.start);
        let read = self.reader.read(&words, &manner.pronunciations);
        let speed = manner.speed.clamp(Manner::SLOWEST, Manner::FASTEST);
        let mut sound = Sound::default();
        for part in parts(&read) {
            let known = read.sounds[part].iter().filter_map(|it| self.letters.get(it).copied());
            let known: Vec<i32> = known.collect();
            if !known.is_empty() {
                sound.samples.extend(self.wave(&known, speed)?);
            }
        }
        let sound = trimmed(sound);
        Ok(Sound { words: placed(&words, &sound.samples), ..sound })
    }
}

/// The number of each sound: in `tokenizer.json`, or in the `config.json` of the original.
fn letters(folder: &Path) -> Result<HashMap<char, i32>, Unavailable> {
    let path = engine::beside(folder, "tokenizer.json");
    let path: PathBuf = path.or_else(|_| engine::beside(folder, "config.json"))?;
    let json = std::fs::read(&path).map_err(|error| broken(&path, error))?;
    let json: Value = serde_json::from_slice(&json).map_err(|error| broken(&path, error))?;
    let known = json["model"]["vocab"].as_object().or_else(|| json["vocab"].as_object());
    let known = known.ok_or_else(|| broken(&path, "it has no vocabulary"))?;
    let number = |(letter, id): (&String, &Value)| {
        Some((letter.chars().next()?, id.as_i64().and_then(|id| i32::try_from(id).ok())?))
    };
    Ok(known.iter().filter_map(number).collect())
}

/// Numbers of four bytes, a style for each length.
fn styles(path: &Path) -> Result<Vec<f32>, Unavailable> {
    let bytes = std::fs::read(path).map_err(|error| broken(path, error))?;
    if bytes.is_empty() || !bytes.len().is_multiple_of(STYLE * 4) {
        return Err(broken(path, "it is no voice of 256 numbers a length"));
    }
    let numbers = bytes.chunks_exact(4).map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]]));
    Ok(numbers.collect())
}

#[cfg(test)]
#[path = "kokoro_tests.rs"]
mod tests;
