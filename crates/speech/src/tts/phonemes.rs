//! From words to the sounds of a language, each sound knowing its word.
//!
//! A dictionary with rules knows most words; a small model reads the others,
//! letter by letter. Nothing is left out: what neither can read is said to be
//! unreadable.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use misaki_rs::fallback::FallbackError;
use misaki_rs::{Fallback, G2P, Language};
use rten::NodeId;
use rten_tensor::prelude::*;
use serde_json::Value;

use super::pronunciation::{self, Pronunciation, Pronunciations};
use super::scripts;
use super::spoken::Spoken;
use crate::engine::{self, Engine, Lanes, Unavailable, broken};

/// "Something unreadable": never nothing.
const UNREADABLE: &str = "sˈʌmθɪŋ ʌnɹˈidəbᵊl";
const DIGITS: [&str; 10] =
    ["zˈɪɹO", "wˈʌn", "tˈu", "θɹˈi", "fˈɔɹ", "fˈIv", "sˈɪks", "sˈɛvən", "ˈAt", "nˈIn"];

/// The sounds of a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phonemes {
    pub sounds: Vec<char>,
    /// For each sound, which of the spoken words it belongs to.
    pub words: Vec<usize>,
}

impl Phonemes {
    fn push(&mut self, sounds: &str, word: usize) {
        self.sounds.extend(sounds.chars());
        self.words.resize(self.sounds.len(), word);
    }
}

pub struct Reader {
    dictionary: G2P,
    unknown: Arc<Unknown>,
}

impl Reader {
    pub fn load(assets: &Path, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        let unknown = Arc::new(Unknown::load(assets, lanes)?);
        let fallback: Box<dyn Fallback> = Box::new(Shared(Arc::clone(&unknown)));
        Ok(Self { dictionary: G2P::with_fallback(Language::EnglishUS, Some(fallback)), unknown })
    }

    pub fn read(&self, spoken: &[Spoken], names: &Pronunciations) -> Phonemes {
        let mut told: Vec<Told> = spoken.iter().map(|word| Told::of(&word.words, names)).collect();
        name_once(&mut told);
        let mut text = String::new();
        let mut ends = Vec::with_capacity(told.len());
        for word in &told {
            if !text.is_empty() && !word.text.is_empty() {
                text.push(' ');
            }
            text.push_str(&word.text);
            ends.push(text.len());
        }
        let tokens = self.dictionary.g2p(&text).map(|(_, tokens)| tokens).unwrap_or_default();
        let mut out = Phonemes::default();
        let mut at = 0;
        let mut said = vec![false; told.len()];
        for token in tokens {
            let word = ends.partition_point(|end| *end <= at).min(told.len().saturating_sub(1));
            at += token.text.len() + token.whitespace.len();
            let readable = token.text.chars().any(char::is_alphanumeric);
            let sounds = token.phonemes.as_deref().unwrap_or_default();
            let sounds = sounds.replace('ɾ', "T").replace('ʔ', "t");
            match &told[word].sounds {
                Some(_) if readable && said[word] => {}
                Some(sounds) if readable => out.push(sounds, word),
                _ if readable && !sounds.chars().any(char::is_alphabetic) => {
                    out.push(&self.unknown.word(&token.text), word);
                }
                _ => out.push(&sounds, word),
            }
            said[word] |= readable;
            if !token.whitespace.is_empty() {
                out.push(" ", word);
            }
        }
        self.say_the_missing(&mut out, &told);
        out
    }

    /// A word without a single sound is read again, alone.
    fn say_the_missing(&self, out: &mut Phonemes, told: &[Told]) {
        for (at, word) in told.iter().enumerate().filter(|(_, word)| !word.text.is_empty()) {
            let heard = out.sounds.iter().zip(&out.words);
            if heard.filter(|(sound, _)| sound.is_alphabetic()).any(|(_, word)| *word == at) {
                continue;
            }
            let place = out.words.iter().position(|word| *word > at).unwrap_or(out.words.len());
            let sounds = format!(" {} ", self.unknown.word(&word.text));
            let words = vec![at; sounds.chars().count()];
            out.sounds.splice(place..place, sounds.chars());
            out.words.splice(place..place, words);
        }
    }
}

/// A word as the dictionary is to see it, and its sounds where somebody told them.
struct Told {
    text: String,
    sounds: Option<String>,
}

impl Told {
    fn of(words: &str, names: &Pronunciations) -> Self {
        // In brackets the dictionary would look for marks of its own.
        let words = words.replace(['[', ']'], "");
        let open = words.trim_start_matches(|c: char| !c.is_alphanumeric());
        let core = open.trim_end_matches(|c: char| !c.is_alphanumeric());
        let (lead, tail) = (&words[..words.len() - open.len()], &open[core.len()..]);
        let (name, owner) = core.strip_suffix("'s").map_or((core, false), |name| (name, true));
        let owns = if owner { "'s" } else { "" };
        match names.of(name) {
            None => {
                let like = pronunciation::usual(name);
                let like = like.map(|like| format!("{lead}{like}{owns}{tail}"));
                let sayable = like.or_else(|| scripts::sayable(&words));
                Self { text: sayable.unwrap_or(words), sounds: None }
            }
            Some(Pronunciation::Like(other)) => {
                let other = pronunciation::syllables(other);
                Self { text: format!("{lead}{other}{owns}{tail}"), sounds: None }
            }
            Some(Pronunciation::Phonemes(sounds)) => {
                let owns = if owner { "z" } else { "" };
                Self { sounds: Some(format!("{sounds}{owns}")), text: words }
            }
        }
    }
}

/// A sentence in other letters is "something in Arabic", once.
fn name_once(told: &mut [Told]) {
    for at in (1..told.len()).rev() {
        let (before, word) = (&told[at - 1].text, &told[at].text);
        let same = scripts::only_named(word).is_some_and(|named| {
            scripts::only_named(before) == Some(named) && before.ends_with(named)
        });
        if same {
            // The marks behind it shape how what is left is said.
            told[at - 1].text = std::mem::take(&mut told[at].text);
        }
    }
}

/// Reads words that are in no dictionary.
struct Unknown {
    engine: Engine,
    input: NodeId,
    output: NodeId,
    letters: HashMap<char, i32>,
    sounds: Vec<String>,
    longest: usize,
}

impl Unknown {
    fn load(assets: &Path, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        let path = engine::file(assets, "hibari", "oov.json")?;
        let json = std::fs::read(&path).map_err(|error| broken(&path, error))?;
        let json: Value = serde_json::from_slice(&json).map_err(|error| broken(&path, error))?;
        let list = |key: &str| -> Vec<String> {
            let items = json[key].as_array().map_or(&[][..], Vec::as_slice);
            items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
        };
        let letters = list("in").into_iter().filter_map(|letter| letter.chars().next()).zip(1..);
        let longest = json["maxlen"].as_u64().and_then(|most| usize::try_from(most).ok());
        let engine = Engine::load(engine::file(assets, "hibari", "oov.onnx")?, lanes)?;
        let ends = (engine.inputs(), engine.outputs());
        let (Some((input, _)), Some((output, _))) = (ends.0.first(), ends.1.first()) else {
            return Err(broken(engine.path(), "it has no input or no output"));
        };
        Ok(Self {
            input: *input,
            output: *output,
            letters: letters.collect(),
            sounds: list("out"),
            longest: longest.unwrap_or(24),
            engine,
        })
    }

    /// Always something: letters by the model, digits and signs by their names.
    fn word(&self, text: &str) -> String {
        let mut out: Vec<String> = Vec::new();
        let mut run = String::new();
        for c in text.chars().chain([' ']) {
            if c.is_alphabetic() || c == '\'' && !run.is_empty() {
                run.push(c);
                continue;
            }
            if !run.is_empty() {
                let read = self.letters(&std::mem::take(&mut run));
                out.push(read.unwrap_or_else(|| UNREADABLE.to_owned()));
            }
            let sign = c.to_digit(10).map(|digit| DIGITS[digit as usize]).or_else(|| sign(c));
            out.extend(sign.map(str::to_owned));
        }
        if out.is_empty() { UNREADABLE.to_owned() } else { out.join(" ") }
    }

    fn letters(&self, word: &str) -> Option<String> {
        let id = |c: char| {
            let known = self.letters.get(&c);
            known.or_else(|| self.letters.get(&scripts::unmarked(c)?)).copied()
        };
        let ids: Vec<i32> = word.chars().filter_map(id).collect();
        let parts: Option<Vec<String>> =
            ids.chunks(self.longest).map(|part| self.run(part)).collect();
        parts.map(|parts| parts.concat()).filter(|sounds| !sounds.trim().is_empty())
    }

    fn run(&self, ids: &[i32]) -> Option<String> {
        let input = engine::ints(&[1, ids.len()], ids.to_vec());
        let mut answer = self.engine.run(vec![(self.input, input.into())], &[self.output]).ok()?;
        let mut last = 0;
        let mut sounds = String::new();
        for id in self.engine.ints(answer.remove(0)).ok()?.to_vec() {
            if id != last && id != 0 {
                let at = usize::try_from(id).ok()?.checked_sub(1)?;
                sounds.push_str(self.sounds.get(at)?);
            }
            last = id;
        }
        Some(sounds.replace('ɾ', "T").replace('ʔ', "t"))
    }
}

fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        '/' => "slˈæʃ",
        '@' => "æt",
        '&' => "ænd",
        '+' => "plˈʌs",
        '=' => "ˈikwᵊlz",
        '%' => "pəɹsˈɛnt",
        '#' => "hˈæʃ",
        '*' => "ˈæstəɹˌɪsk",
        _ => return None,
    })
}

struct Shared(Arc<Unknown>);

impl Fallback for Shared {
    fn phonemize(&self, word: &str) -> Result<String, FallbackError> {
        Ok(self.0.word(word))
    }
}

#[cfg(test)]
#[path = "phonemes_tests.rs"]
mod tests;
