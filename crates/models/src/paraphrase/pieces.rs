//! A sentence in the pieces that the model knows: words, or parts of words.
//!
//! The sentences are plain lower-case words already, so this is the longest
//! match of the model's own vocabulary and no more. What is not in it, such as
//! a letter with an accent, makes its whole word an unknown one.

use std::collections::HashMap;

use serde::Deserialize;

/// Longer words are no words.
const LONGEST: usize = 40;

pub struct Pieces {
    vocabulary: HashMap<String, i32>,
    start: i32,
    end: i32,
    unknown: i32,
}

impl Pieces {
    /// From the `tokenizer.json` that belongs to the model.
    pub fn from_json(json: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct File {
            model: Model,
        }
        #[derive(Deserialize)]
        struct Model {
            vocab: HashMap<String, i32>,
        }
        let file: File = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let vocabulary = file.model.vocab;
        let special = |piece: &str| {
            vocabulary.get(piece).copied().ok_or_else(|| format!("it has no piece {piece}"))
        };
        let (start, end, unknown) = (special("[CLS]")?, special("[SEP]")?, special("[UNK]")?);
        Ok(Self { vocabulary, start, end, unknown })
    }

    /// `most` pieces at most, the marks at both ends counted.
    pub fn of(&self, sentence: &str, most: usize) -> Vec<i32> {
        let mut pieces = vec![self.start];
        for word in split(&sentence.to_lowercase()) {
            self.add(word, &mut pieces);
        }
        pieces.truncate(most.saturating_sub(1));
        pieces.push(self.end);
        pieces
    }

    /// The longest piece from the front, then the longest of what is left.
    fn add(&self, word: &str, pieces: &mut Vec<i32>) {
        let (before, mut rest) = (pieces.len(), word);
        while !rest.is_empty() && word.len() <= LONGEST {
            let lead = if rest.len() == word.len() { "" } else { "##" };
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
            let longest = ends.filter_map(|end| {
                let id = self.vocabulary.get(&format!("{lead}{}", &rest[..end]))?;
                Some((*id, end))
            });
            let Some((id, end)) = { longest }.next() else { break };
            pieces.push(id);
            rest = &rest[end..];
        }
        if !rest.is_empty() {
            pieces.truncate(before);
            pieces.push(self.unknown);
        }
    }
}

/// Words, and each mark by itself.
fn split(sentence: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let parted = sentence.split_inclusive(is_mark).flat_map(move |part| {
        let word = part.trim_end_matches(is_mark);
        [word, &part[word.len()..]]
    });
    parted.map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces() -> Pieces {
        let known = ["[CLS]", "[SEP]", "[UNK]", "mail", "##box", "un", "##read", "'", "s", "tom"];
        let vocab: HashMap<_, _> = known.iter().zip(0..).collect();
        let json = serde_json::json!({ "model": { "vocab": vocab } });
        Pieces::from_json(&json.to_string()).unwrap()
    }

    #[test]
    fn a_word_is_the_longest_pieces_there_are_or_unknown_as_a_whole() {
        let all = pieces();
        assert_eq!(all.of("Unread mailbox", 64), [0, 5, 6, 3, 4, 1]);
        assert_eq!(all.of("tom's mail", 64), [0, 9, 7, 8, 3, 1]);
        assert_eq!(all.of("mailman", 64), [0, 2, 1]);
        assert_eq!(all.of("", 64), [0, 1]);
    }

    #[test]
    fn whatever_is_said_it_ends_and_is_not_too_long() {
        let all = pieces();
        for strange in ["🦊🦊", "ＡＢＣ", "é", "\u{202e}x", &"a".repeat(500), &"mail ".repeat(500)]
        {
            let found = all.of(strange, 16);
            assert!(found.len() <= 16 && found.ends_with(&[1]), "{strange}");
        }
    }
}
