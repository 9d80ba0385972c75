//! Whisper's alphabet: pieces of words as bytes in disguise, and marks in angle
//! brackets that are no words at all.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::engine::{Unavailable, broken};
use crate::stt::HeardWord;

/// So many pieces have those that were only taught English.
pub const ENGLISH_ONLY: usize = 51_864;

pub struct Alphabet {
    path: PathBuf,
    spelled: Vec<Vec<u8>>,
    marks: HashMap<String, u32>,
    end: u32,
}

impl Alphabet {
    pub fn load(path: &Path) -> Result<Self, Unavailable> {
        let json = std::fs::read(path).map_err(|error| broken(path, error))?;
        let json: Value = serde_json::from_slice(&json).map_err(|error| broken(path, error))?;
        let vocabulary = json["model"]["vocab"].as_object();
        let vocabulary = vocabulary.ok_or_else(|| broken(path, "it has no vocabulary"))?;
        let id = |id: &Value| id.as_u64().and_then(|id| u32::try_from(id).ok());
        let added = json["added_tokens"].as_array().into_iter().flatten();
        let marks: HashMap<String, u32> = added
            .filter_map(|mark| Some((mark["content"].as_str()?.to_owned(), id(&mark["id"])?)))
            .collect();
        let disguises = disguises();
        let mut spelled = Vec::new();
        for (piece, number) in vocabulary {
            let Some(number) = id(number).filter(|_| !marks.contains_key(piece)) else { continue };
            let at = number as usize;
            if spelled.len() <= at {
                spelled.resize(at + 1, Vec::new());
            }
            spelled[at] = piece.chars().filter_map(|c| disguises.get(&c).copied()).collect();
        }
        let end = *marks.get("<|endoftext|>").ok_or_else(|| lacks(path, "<|endoftext|>"))?;
        Ok(Self { path: path.to_owned(), spelled, marks, end })
    }

    pub fn end(&self) -> u32 {
        self.end
    }

    /// The mark for nobody speaking; it has had two names.
    pub fn nobody(&self) -> Option<u32> {
        self.marks.get("<|nospeech|>").or_else(|| self.marks.get("<|nocaptions|>")).copied()
    }

    /// What it reads first: that it is to write down English, without times.
    pub fn prompt(&self, speaks_all: bool) -> Result<Vec<u32>, Unavailable> {
        let marks: &[&str] = if speaks_all {
            &["<|startoftranscript|>", "<|en|>", "<|transcribe|>", "<|notimestamps|>"]
        } else {
            &["<|startoftranscript|>", "<|notimestamps|>"]
        };
        let mark = |mark: &&str| self.marks.get(*mark).copied();
        let mark = |name: &&str| mark(name).ok_or_else(|| lacks(&self.path, name));
        marks.iter().map(mark).collect()
    }

    /// Whether it may stand in a transcript: a piece of a word, or its end.
    pub fn is_written(&self, piece: u32) -> bool {
        piece == self.end || !self.bytes(piece).is_empty()
    }

    fn bytes(&self, piece: u32) -> &[u8] {
        self.spelled.get(piece as usize).map_or(&[], Vec::as_slice)
    }

    pub fn text(&self, pieces: &[u32]) -> String {
        let bytes: Vec<u8> = pieces.iter().flat_map(|piece| self.bytes(*piece)).copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// Words with the likelihood of their least likely piece; marks between them do not
    /// make a word unlikely.
    pub fn words(&self, pieces: &[u32], logps: &[f32]) -> Vec<HeardWord> {
        let mut words: Vec<(Vec<u8>, f32)> = Vec::new();
        for (piece, logp) in pieces.iter().zip(logps) {
            let bytes = self.bytes(*piece);
            let is_spelt = bytes.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte > 127);
            match words.last_mut() {
                Some((word, least)) if !bytes.starts_with(b" ") => {
                    word.extend_from_slice(bytes);
                    *least = if is_spelt { least.min(*logp) } else { *least };
                }
                _ => words.push((bytes.to_vec(), *logp)),
            }
        }
        let words = words.into_iter().map(|(bytes, logp)| HeardWord {
            text: String::from_utf8_lossy(&bytes).trim().to_owned(),
            logp,
        });
        words.filter(|word| !word.text.is_empty()).collect()
    }
}

fn lacks(path: &Path, mark: &str) -> Unavailable {
    broken(path, format!("it has no {mark}, so it is not Whisper's"))
}

/// Bytes that cannot be printed are written as letters behind the 256th.
fn disguises() -> HashMap<char, u8> {
    let plain = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut behind = 256;
    (0..=255_u8)
        .filter_map(|byte| {
            let letter = if plain(byte) {
                u32::from(byte)
            } else {
                behind += 1;
                behind - 1
            };
            Some((char::from_u32(letter)?, byte))
        })
        .collect()
}
