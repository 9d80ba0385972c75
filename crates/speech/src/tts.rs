//! Words in, sound out: what every voice promises.

pub mod clauses;
pub mod hibari;
pub mod kokoro;
mod phonemes;
mod placed;
pub mod pronunciation;
mod scripts;
pub mod speech;
pub mod spoken;
mod vocoder;

use std::ops::Range;

pub use clauses::{Breath, Clause, Clauses};
pub use hibari::Hibari;
pub use kokoro::Kokoro;
pub use placed::placed;
pub use pronunciation::{Pronunciation, Pronunciations};
pub use speech::{Chunk, Speech};

use crate::engine::Unavailable;

/// Speaks. Shared by all sessions; speaking takes time, so it is asked from a
/// thread that may wait.
pub trait Voice: Send + Sync {
    /// Samples a second of what [`Voice::say`] gives.
    fn rate(&self) -> u32;
    fn say(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable>;
    /// The same for what is not to leave this machine.
    fn say_here(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable> {
        self.say(clause, manner)
    }
}

/// How something is to be said.
#[derive(Clone, Debug, PartialEq)]
pub struct Manner {
    /// 1 is the voice's own pace; [`Manner::SLOWEST`] to [`Manner::FASTEST`].
    pub speed: f32,
    pub pronunciations: Pronunciations,
}

impl Manner {
    pub const SLOWEST: f32 = 0.5;
    pub const FASTEST: f32 = 2.0;
}

impl Default for Manner {
    fn default() -> Self {
        Self { speed: 1.0, pronunciations: Pronunciations::default() }
    }
}

/// A clause as sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sound {
    pub samples: Vec<f32>,
    /// When which words are heard, in samples.
    pub words: Vec<WordSound>,
    /// Somebody else was to say it, and could not.
    pub stood_in: bool,
}

/// Bytes of the text, and the samples in which they are heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordSound {
    pub at: Range<usize>,
    pub heard: Range<usize>,
}
