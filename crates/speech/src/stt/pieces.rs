//! The recogniser's own alphabet: pieces of words, numbered.

use std::path::Path;

use super::HeardWord;
use crate::engine::{Unavailable, broken};

/// Starts a word in a piece.
const GAP: &str = "\u{2581}";

pub struct Pieces(Vec<Vec<u8>>);

impl Pieces {
    pub fn load(path: &Path) -> Result<Self, Unavailable> {
        let bytes = std::fs::read(path).map_err(|error| broken(path, error))?;
        Self::read(&bytes).ok_or_else(|| broken(path, "it ends in the middle of a piece"))
    }

    /// Each piece is its length, in one byte or in two, and its bytes.
    fn read(mut bytes: &[u8]) -> Option<Self> {
        let mut pieces = Vec::new();
        while let Some((&first, rest)) = bytes.split_first() {
            let (length, rest) = if first < 128 {
                (usize::from(first), rest)
            } else {
                let (&second, rest) = rest.split_first()?;
                (usize::from(first) - 128 + 128 * usize::from(second), rest)
            };
            let (piece, rest) = rest.split_at_checked(length)?;
            pieces.push(piece.to_vec());
            bytes = rest;
        }
        Some(Self(pieces))
    }

    fn bytes(&self, piece: u32) -> &[u8] {
        self.0.get(piece as usize).map_or(&[], Vec::as_slice)
    }

    pub fn text(&self, pieces: &[u32]) -> String {
        let bytes: Vec<u8> = pieces.iter().flat_map(|piece| self.bytes(*piece)).copied().collect();
        String::from_utf8_lossy(&bytes).replace(GAP, " ").trim().to_owned()
    }

    /// Words with the likelihood of their least likely piece. A full stop or a
    /// comma that is unlikely does not make its word so.
    pub fn words(&self, pieces: &[u32], logps: &[f32]) -> Vec<HeardWord> {
        let mut words: Vec<(Vec<u8>, f32)> = Vec::new();
        for (piece, &logp) in pieces.iter().zip(logps) {
            let bytes = self.bytes(*piece);
            let letters = bytes.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte > 0xe2);
            match (bytes.strip_prefix(GAP.as_bytes()), words.last_mut()) {
                (None, Some((word, least))) => {
                    word.extend_from_slice(bytes);
                    *least = if letters { least.min(logp) } else { *least };
                }
                (start, _) => words.push((start.unwrap_or(bytes).to_vec(), logp)),
            }
        }
        words
            .into_iter()
            .map(|(bytes, logp)| HeardWord {
                text: String::from_utf8_lossy(&bytes).trim().to_owned(),
                logp,
            })
            .filter(|word| !word.text.is_empty())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_become_words_and_a_torn_file_is_noticed() {
        let mut bytes = vec![];
        for piece in ["\u{2581}Thurs", "day", ",", "\u{2581}at", "\u{2581}", "3"] {
            bytes.push(u8::try_from(piece.len()).unwrap());
            bytes.extend_from_slice(piece.as_bytes());
        }
        let pieces = Pieces::read(&bytes).unwrap();
        let logps = [-0.1, -0.7, -3.0, -0.2, -0.3, -0.4];

        let words = pieces.words(&[0, 1, 2, 3, 4, 5], &logps);

        let expected = [("Thursday,", -0.7), ("at", -0.2), ("3", -0.4)];
        let expected = expected.map(|(text, logp)| HeardWord { text: text.into(), logp });
        assert_eq!(words, expected);
        assert_eq!(pieces.text(&[0, 1, 2, 3, 4, 5]), "Thursday, at 3");
        assert!(Pieces::read(&bytes[..bytes.len() - 1]).is_none());
    }
}
