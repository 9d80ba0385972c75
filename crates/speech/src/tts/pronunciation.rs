//! How names are said that are not said as they are written.

use std::collections::HashMap;
use std::sync::Arc;

/// How one word is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pronunciation {
    /// As another spelling would be: "shivawn" for Siobhan.
    Like(String),
    /// In the voice's own phonetic letters: "ʃəvˈɔn".
    Phonemes(String),
}

/// Words that a person has told us how to say. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pronunciations(Arc<HashMap<String, Pronunciation>>);

impl Pronunciations {
    /// A later one for the same word wins. Names of several words are told word by word.
    pub fn set(&mut self, word: &str, said: Pronunciation) {
        Arc::make_mut(&mut self.0).insert(word.to_lowercase(), said);
    }

    pub fn forget(&mut self, word: &str) {
        Arc::make_mut(&mut self.0).remove(&word.to_lowercase());
    }

    pub fn of(&self, word: &str) -> Option<&Pronunciation> {
        if self.0.is_empty() { None } else { self.0.get(&word.to_lowercase()) }
    }
}
