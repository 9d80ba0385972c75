//! Sentences that mean what the rules know, in words they do not know.
//!
//! The rules always read first. Where they are unsure ([`Doubt`]), a small
//! sentence-embedding model on this machine says which kind of request the
//! sentence is nearest to; where that is clear by a threshold and a margin, the
//! rules read a sentence of ours instead ([`Doubt::settle`]). So every check
//! applies as before, and people and times are the rules' own findings: the
//! model fills no argument, and a write it only ever asks about.

mod attentive;
mod doubt;
mod ear;
mod encoder;
pub mod figures;
mod intents;
mod pieces;
mod shared;

use std::path::Path;

pub use self::attentive::Attentive;
pub use self::doubt::Doubt;
pub use self::ear::Ear;
pub use self::encoder::{Encoder, MiniLm, Unavailable};
use self::intents::{Intent, intents};
pub use self::shared::Shared;
use crate::{Understanding, World, reflex};

/// How near a sentence is to the kind of request it is nearest to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    intent: &'static Intent,
    /// From 0, nothing in common, to 1, the same.
    pub score: f32,
    /// How much nearer it is than the next kind that it could be.
    pub margin: f32,
}

impl Nearest {
    pub fn intent(&self) -> &'static str {
        &self.intent.name
    }
}

/// One reading, and who is to thank for it.
#[derive(Clone, Debug)]
pub struct Reading {
    pub understanding: Understanding,
    pub by: By,
    /// Where the model was asked.
    pub nearest: Option<Nearest>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Rules,
    Paraphrase,
}

/// What each kind of request sounds like, as the model hears it.
pub struct Paraphrases {
    encoder: Box<dyn Encoder>,
    sounds: Vec<(&'static Intent, Vec<Vec<f32>>)>,
}

impl Paraphrases {
    /// Takes about a second, most of it for listening to our own examples.
    pub fn load(assets: &Path) -> Result<Self, Unavailable> {
        Self::with(Box::new(MiniLm::load(assets)?))
    }

    pub fn with(encoder: Box<dyn Encoder>) -> Result<Self, Unavailable> {
        let mut sounds = Vec::new();
        for intent in intents() {
            let examples = intent.sounds_like.iter().map(|example| encoder.encode(example));
            sounds.push((intent, examples.collect::<Result<_, _>>()?));
        }
        Ok(Self { encoder, sounds })
    }

    /// The kind of request that a sentence is nearest to. None where the model
    /// fails: then the rules' answer stands.
    pub fn nearest(&self, doubt: &Doubt) -> Option<Nearest> {
        let heard = self.encoder.encode(doubt.sentence()).ok()?;
        let mut scores: Vec<_> = self
            .sounds
            .iter()
            .map(|(intent, sounds)| (*intent, likeness(&heard, sounds)))
            .collect();
        scores.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let ((intent, score), others) = scores.split_first()?;
        // Who names nobody does not ask for somebody's mail, however alike it sounds.
        let second = others.iter().find(|(other, _)| doubt.has_room_in(other));
        let margin = score - second.map_or(0.0, |(_, second)| *second);
        Some(Nearest { intent, score: *score, margin })
    }

    /// Reads a sentence, rules first.
    pub fn read(&self, heard: &str, world: &World) -> Reading {
        let understanding = reflex::read(heard, world);
        let Some(doubt) = Doubt::about(&understanding, heard, world) else {
            return Reading { understanding, by: By::Rules, nearest: None };
        };
        let nearest = self.nearest(&doubt);
        match nearest.and_then(|nearest| doubt.settle(nearest, world)) {
            Some(understanding) => Reading { understanding, by: By::Paraphrase, nearest },
            None => Reading { understanding, by: By::Rules, nearest },
        }
    }
}

/// The two nearest examples together: one alone may be near by accident.
fn likeness(heard: &[f32], sounds: &[Vec<f32>]) -> f32 {
    let (mut first, mut second) = (f32::MIN, f32::MIN);
    for sound in sounds {
        let near: f32 = heard.iter().zip(sound).map(|(a, b)| a * b).sum();
        if near > first {
            (first, second) = (near, first);
        } else {
            second = second.max(near);
        }
    }
    f32::midpoint(first, second)
}

#[cfg(test)]
#[path = "paraphrase_tests.rs"]
mod tests;
