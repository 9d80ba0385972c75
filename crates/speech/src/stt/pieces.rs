//! The recogniser's own alphabet: pieces of words, numbered.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::HeardWord;
use crate::engine::{Unavailable, broken};

/// Starts a word in a piece.
const GAP: &str = "\u{2581}";

/// Words that make a yes none, and what they begin with.
const REFUSALS: [&str; 23] = [
    "no", "not", "don", "dont", "nope", "nah", "never", "wait", "but", "stop", "cancel", "hold",
    "hang", "if", "unless", "until", "actually", "later", "leave", "forget", "maybe", "isn", "won",
];

/// Those of them that may be what a card asks about: whoever cancels a meeting says so. Where
/// one of these was heard, the words tell which it is.
const UNDOINGS: [&str; 2] = ["cancel", "forget"];

pub struct Pieces {
    spelled: Vec<Vec<u8>>,
    /// For each piece those that sound like it, itself among them.
    alike: Vec<Arc<[u32]>>,
    /// Which have a letter or a digit; the others are marks, or end everything.
    spelt: Vec<bool>,
    /// Those that begin a word of refusal or of doubt.
    refusing: Vec<u32>,
    undoing: Vec<u32>,
}

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
        Some(Self::new(pieces))
    }

    pub(super) fn new(pieces: Vec<Vec<u8>>) -> Self {
        let mut groups: HashMap<Vec<u8>, Vec<u32>> = HashMap::new();
        for (piece, number) in pieces.iter().zip(0..) {
            groups.entry(sounds(piece)).or_default().push(number);
        }
        let groups: HashMap<Vec<u8>, Arc<[u32]>> =
            groups.into_iter().map(|(piece, group)| (piece, group.into())).collect();
        let alike = pieces.iter().map(|piece| Arc::clone(&groups[&sounds(piece)]));
        let alike = alike.collect();
        let spelt = pieces.iter().map(|piece| is_spelt(piece)).collect();
        let all_of = |words: &[&str]| {
            let ones = pieces.iter().zip(0..).filter(|(piece, _)| begins_one_of(words, piece));
            ones.map(|(_, number)| number).collect()
        };
        let (refusing, undoing) = (all_of(&REFUSALS), all_of(&UNDOINGS));
        Self { spelled: pieces, alike, spelt, refusing, undoing }
    }

    /// All that sound the same as this one.
    pub fn alike(&self, piece: u32) -> &[u32] {
        self.alike.get(piece as usize).map_or(&[], |group| group)
    }

    pub fn has_letters(&self, piece: u32) -> bool {
        self.spelt.get(piece as usize).is_some_and(|spelt| *spelt)
    }

    /// All that would begin a no or a "but" here, where this one was heard.
    pub fn refusing(&self, heard: u32) -> Cow<'_, [u32]> {
        if !self.undoing.contains(&heard) {
            return Cow::Borrowed(&self.refusing);
        }
        let others = |piece: &u32| !self.alike(heard).contains(piece);
        self.refusing.iter().copied().filter(others).collect()
    }

    /// Nobody can hear a quotation mark.
    pub fn is_quote(&self, piece: u32) -> bool {
        matches!(self.bytes(piece), b"\"" | b"\xe2\x96\x81\"" | b"\xe2\x96\x81'")
    }

    fn bytes(&self, piece: u32) -> &[u8] {
        self.spelled.get(piece as usize).map_or(&[], Vec::as_slice)
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
            let letters = self.has_letters(*piece);
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

/// The same for all that sound alike: nobody can hear a capital letter.
fn sounds(piece: &[u8]) -> Vec<u8> {
    let mut lower = piece.to_ascii_lowercase();
    if lower.ends_with(b"okay") {
        lower.truncate(lower.len() - 2);
    }
    lower
}

/// `</s>` and the like name no sound.
fn is_spelt(piece: &[u8]) -> bool {
    let named = piece.starts_with(b"<") && piece.ends_with(b">");
    !named && piece.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte > 0xe2)
}

fn begins_one_of(words: &[&str], piece: &[u8]) -> bool {
    let Some(begins) = piece.strip_prefix(GAP.as_bytes()) else { return false };
    words.iter().any(|word| begins.eq_ignore_ascii_case(word.as_bytes()))
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

    #[test]
    fn pieces_that_sound_the_same_are_known() {
        let pieces = ["\u{2581}Yes", "\u{2581}yes", "yes", "\u{2581}YES"];
        let pieces = Pieces::new(pieces.map(|piece| piece.as_bytes().to_vec()).into());
        assert_eq!(pieces.alike(1), [0, 1, 3]);
        assert_eq!(pieces.alike(2), [2]);
        assert_eq!(pieces.alike(9), [0; 0]);
    }

    #[test]
    fn a_word_that_a_card_may_ask_about_is_no_refusal_where_it_was_heard() {
        let pieces =
            ["\u{2581}Yes", "\u{2581}no", "\u{2581}cancel", "\u{2581}Cancel", "\u{2581}but"];
        let pieces = Pieces::new(pieces.map(|piece| piece.as_bytes().to_vec()).into());
        assert_eq!(pieces.refusing(0), &[1, 2, 3, 4][..]);
        assert_eq!(pieces.refusing(1), &[1, 2, 3, 4][..]);
        assert_eq!(pieces.refusing(2), &[1, 4][..]);
        // Of nearly every piece that is heard they are the same, and no copy is made.
        assert!(matches!(pieces.refusing(0), Cow::Borrowed(_)));
    }
}
