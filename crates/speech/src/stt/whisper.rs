//! Whisper, of any size, from a folder that somebody points at: ONNX files as the
//! usual exports name them, with their tokenizer and settings beside them.
//!
//! It hears thirty seconds at a time, however short the sound is, so it is for what
//! counts and not for what is only shown. Nothing of it comes with Sayso.

mod alphabet;
mod mel;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rten::NodeId;
use rten_tensor::Tensor;
use rten_tensor::prelude::*;
use serde_json::Value;

use self::alphabet::Alphabet;
use self::mel::Mel;
use super::decoder::Decoder;
use super::unfinished::{NO_END, heard_out, loops_from, most_pieces};
use super::{Recognised, Recogniser};
use crate::engine::{self, Engine, Lanes, Unavailable};

/// How the usual exports end the names of their files, the quickest first.
const ENDINGS: [&str; 4] = ["_quantized", "_int8", "_uint8", ""];
/// It was never taught to write more at once.
const MOST_PIECES: usize = 224;
/// Likelier than this that nobody spoke, and words this unlikely in the mean: nobody did.
const NOBODY: f32 = 0.6;
const UNLIKELY: f32 = -1.0;

/// What a folder with Whisper holds.
const WANTED: &str = "name a folder with encoder_model.onnx, decoder_model_merged.onnx, \
                      config.json and tokenizer.json";
/// A folder of somebody's own may hold anything.
const MOST_LOOKED_AT: usize = 200;

pub struct Whisper {
    mel: Mel,
    encoder: Engine,
    encoder_ends: (NodeId, NodeId),
    decoder: Decoder,
    alphabet: Alphabet,
    /// What it reads before its first word.
    prompt: Vec<u32>,
    /// Pieces that are never written, and those that are not the first.
    never: Vec<u32>,
    never_first: Vec<u32>,
}

impl Whisper {
    /// From a folder, or from the `onnx` in it.
    pub fn load(folder: &Path, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        Self::read(folder, lanes).map_err(Unavailable::foreign)
    }

    fn read(folder: &Path, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        if let Some(because) = no_folder(folder) {
            return Err(engine::broken(folder, because));
        }
        let encoder = Engine::load(model(folder, "encoder_model")?, lanes)?;
        let config = settings(&engine::beside(folder, "config.json")?)?;
        let number = |name: &str| {
            let number = config[name].as_u64().and_then(|it| usize::try_from(it).ok());
            let because = || engine::broken(folder, format!("config.json says no {name}"));
            number.filter(|it| *it > 0).ok_or_else(because)
        };
        let heads = number("decoder_attention_heads")?;
        let width = number("d_model")? / heads;
        let decoder = model(folder, "decoder_model_merged")?;
        let decoder = Decoder::load(decoder, lanes, (heads, width))?;
        let alphabet = Alphabet::load(&engine::beside(folder, "tokenizer.json")?)?;
        // Not every export has one; what it says stands in the other file then.
        let generation = match engine::beside(folder, "generation_config.json") {
            Ok(path) => settings(&path)?,
            Err(_) => config.clone(),
        };
        let list = |name: &str| ids(&generation[name]).or_else(|| ids(&config[name]));
        let speaks_all = generation["is_multilingual"].as_bool();
        let speaks_all = speaks_all.unwrap_or(number("vocab_size")? > alphabet::ENGLISH_ONLY);
        let ends = (encoder.inputs(), encoder.outputs());
        let (Some((input, _)), Some((output, _))) = (ends.0.first(), ends.1.first()) else {
            return Err(engine::broken(encoder.path(), "it has no input or no output"));
        };
        Ok(Self {
            mel: Mel::new(number("num_mel_bins").unwrap_or(80)),
            encoder_ends: (*input, *output),
            prompt: alphabet.prompt(speaks_all)?,
            never: list("suppress_tokens").unwrap_or_default(),
            never_first: list("begin_suppress_tokens").unwrap_or_default(),
            encoder,
            decoder,
            alphabet,
        })
    }

    fn encode(&self, sound: &[f32]) -> Result<Tensor<f32>, Unavailable> {
        let (input, output) = self.encoder_ends;
        let drawn = self.mel.draw(sound);
        let drawn = engine::floats(&[1, self.mel.bands(), mel::FRAMES], drawn);
        let mut states = self.encoder.run(vec![(input, drawn.into())], &[output])?;
        self.encoder.floats(states.remove(0))
    }

    fn write(&self, sound: &Tensor<f32>, most: usize) -> Result<Written, Unavailable> {
        let mut memory = self.decoder.begin();
        let mut written = Written::default();
        let mut read = self.prompt.clone();
        loop {
            let (scores, present) = self.decoder.read(sound, &read, &memory)?;
            let vocabulary = scores.shape()[2];
            let scores = scores.to_vec();
            if written.pieces.is_empty() {
                // Behind the mark that begins it all it says whether anybody speaks.
                written.nobody = self.nobody(&scores[..vocabulary.min(scores.len())]);
            }
            let Some(row) = scores.chunks_exact(vocabulary).next_back() else {
                return Err(engine::broken(self.decoder.path(), "it says nothing"));
            };
            match self.likeliest(row, written.pieces.is_empty()) {
                Some((piece, logp)) if piece != self.alphabet.end() => {
                    written.pieces.push(piece);
                    written.logps.push(logp);
                }
                _ => return Ok(written),
            }
            if written.pieces.len() >= most {
                let cut = loops_from(&written.pieces).unwrap_or(most);
                written.pieces.truncate(cut);
                written.logps.truncate(cut);
                written.unfinished = true;
                return Ok(written);
            }
            self.decoder.remember(&mut memory, present, None)?;
            read = written.pieces.last().map_or_else(Vec::new, |last| vec![*last]);
        }
    }

    /// The likeliest piece that may be written here, and the logarithm of its share.
    fn likeliest(&self, row: &[f32], is_first: bool) -> Option<(u32, f32)> {
        let may = |piece: u32| {
            self.alphabet.is_written(piece)
                && !self.never.contains(&piece)
                && !(is_first && self.never_first.contains(&piece))
        };
        let scores = || row.iter().zip(0..).filter(|(_, piece)| may(*piece));
        let (top, best) = scores().max_by(|a, b| a.0.total_cmp(b.0))?;
        let all = scores().map(|(score, _)| (score - top).exp()).sum::<f32>();
        Some((best, -all.ln()))
    }

    /// How likely it is that nobody speaks.
    fn nobody(&self, row: &[f32]) -> f32 {
        let Some(nobody) = self.alphabet.nobody().and_then(|piece| row.get(piece as usize)) else {
            return 0.0;
        };
        let top = row.iter().copied().fold(f32::MIN, f32::max);
        (nobody - top).exp() / row.iter().map(|score| (score - top).exp()).sum::<f32>()
    }
}

impl Whisper {
    fn hear(&self, sound: &[f32]) -> Result<Recognised, Unavailable> {
        let most = most_pieces(sound.len()).min(MOST_PIECES);
        let written = self.write(&self.encode(sound)?, most)?;
        let (mean_logp, min_logp) = written.likelihood();
        let is_nobody = written.nobody > NOBODY && mean_logp < UNLIKELY;
        if written.pieces.is_empty() || is_nobody {
            return Ok(Recognised::default());
        }
        Ok(Recognised {
            text: self.alphabet.text(&written.pieces),
            words: self.alphabet.words(&written.pieces, &written.logps),
            mean_logp,
            min_logp,
            // It cannot tell what stood in the place of another word, but that one is missing.
            may_refuse: written.unfinished.then_some(1.0),
            unfinished: written.unfinished,
            pieces: written.pieces,
            ..Recognised::default()
        })
    }
}

impl Recogniser for Whisper {
    fn recognise(
        &self,
        sound: &[f32],
        _draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        heard_out(sound, |part| self.hear(part))
    }
}

#[derive(Default)]
struct Written {
    pieces: Vec<u32>,
    logps: Vec<f32>,
    nobody: f32,
    unfinished: bool,
}

impl Written {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred pieces at most")]
    fn likelihood(&self) -> (f32, f32) {
        let end = if self.unfinished { NO_END } else { 0.0 };
        let sum = self.logps.iter().sum::<f32>() + end;
        let least = self.logps.iter().copied().fold(end, f32::min);
        (sum / self.logps.len().max(1) as f32, least)
    }
}

/// A model in the folder or in its `onnx`, however it was made small.
/// Why there is no folder with ONNX files, in words for whoever has another kind of Whisper.
fn no_folder(folder: &Path) -> Option<String> {
    let is_ggml = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let named = ["bin", "ggml", "gguf"].contains(&ending.to_ascii_lowercase().as_str());
        // "lmgg", the other way round, is how such a file begins; "GGUF" a newer one.
        named && path.is_file() || begins_with(path, &[b"lmgg", b"GGUF"])
    };
    if is_ggml(folder) {
        return Some(format!("it is a GGML file, and Whisper runs from ONNX here; {WANTED}"));
    }
    if !folder.exists() {
        return Some(format!("it is not there; {WANTED}"));
    }
    if !folder.is_dir() {
        return Some(format!("it is a file; {WANTED}"));
    }
    let within = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let only_ggml = model(folder, "encoder_model").is_err()
        && within.take(MOST_LOOKED_AT).any(|path| is_ggml(&path));
    only_ggml.then(|| format!("it holds GGML files, and Whisper runs from ONNX here; {WANTED}"))
}

fn begins_with(path: &Path, marks: &[&[u8; 4]]) -> bool {
    use std::io::Read;
    let mut first = [0; 4];
    let read = path.is_file()
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok();
    read && marks.contains(&&first)
}

fn model(folder: &Path, name: &str) -> Result<PathBuf, Unavailable> {
    let named = ENDINGS.iter().map(|ending| format!("{name}{ending}.onnx"));
    let mut found = named.filter_map(|name| engine::beside(folder, &name).ok());
    found.next().ok_or_else(|| engine::lacks(folder, &format!("{name}.onnx")))
}

fn settings(path: &Path) -> Result<Value, Unavailable> {
    let json = std::fs::read(path).map_err(|error| engine::broken(path, error))?;
    serde_json::from_slice(&json).map_err(|error| engine::broken(path, error))
}

fn ids(list: &Value) -> Option<Vec<u32>> {
    let ids = list.as_array()?.iter().filter_map(Value::as_u64);
    Some(ids.filter_map(|id| u32::try_from(id).ok()).collect())
}

#[cfg(test)]
#[path = "whisper_tests.rs"]
mod tests;
