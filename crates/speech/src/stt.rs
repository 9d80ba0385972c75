//! Sound in, words out: what every recogniser promises.

mod afterthought;
mod breaks;
pub mod confidence;
mod decoder;
mod dictated;
mod doubted;
pub mod hypothesis;
pub(crate) mod joints;
pub mod moonshine;
mod pieces;
mod unfinished;
mod weighed;
pub mod whisper;
pub mod written;

pub(crate) use afterthought::without as without_afterthought;
pub(crate) use breaks::breaks_off;
pub use confidence::Confidence;
pub use doubted::doubted;
pub use moonshine::Moonshine;
pub use weighed::weighed;
pub use whisper::Whisper;

use crate::engine::Unavailable;

/// Longer than anybody waits for, and what the model was trained on at most.
pub const LONGEST_S: u64 = 30;

/// Turns speech into words. Shared by all sessions; asking takes time, so it is
/// asked from a thread that may wait.
pub trait Recogniser: Send + Sync {
    /// What is said in `sound`, 16 thousand samples a second. `draft` is what was
    /// heard in a shorter piece of the same sound: it saves time and may cost
    /// accuracy, so nobody acts on what came of one.
    fn recognise(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable>;

    /// The same for what is only shown while somebody speaks; whoever is slow or costs
    /// money may leave that to others.
    fn glimpse(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        self.recognise(sound, draft)
    }
}

/// What was understood, and how surely.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recognised {
    pub text: String,
    pub words: Vec<HeardWord>,
    /// Natural logarithms of how likely the pieces were: their mean and the lowest.
    pub mean_logp: f32,
    pub min_logp: f32,
    /// How likely, at worst, a no or a "but" was said in the place of some word or
    /// behind the last one, between 0 and 1. None where the recogniser cannot tell.
    pub may_refuse: Option<f32>,
    /// It came to no end: more may have been said, and what was heard decides nothing.
    pub unfinished: bool,
    /// Somebody else was to hear it, and could not.
    pub stood_in: bool,
    /// The recogniser's own names for what it heard; a draft for the next time.
    pub pieces: Vec<u32>,
}

impl Recognised {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How likely every word is right, between 0 and 1; nothing heard is nothing sure.
    pub fn confidence(&self) -> f32 {
        if self.is_empty() {
            0.0
        } else {
            Confidence::of(self.mean_logp, self.min_logp).all_right()
        }
    }
}

/// One word as it was heard.
#[derive(Clone, Debug, PartialEq)]
pub struct HeardWord {
    pub text: String,
    /// Of its least likely piece.
    pub logp: f32,
}

impl HeardWord {
    /// Between 0 and 1.
    pub fn confidence(&self) -> f32 {
        confidence::of_word(self.logp)
    }
}
