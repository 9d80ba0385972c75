//! Is that the person, or ourselves? Our own sound is the reference.
//!
//! Two guards: how alike the microphone and what we just played are at any delay,
//! and a filter that learns the room and takes our sound out (`canceller.rs`). Both work
//! on samples at the ears' rate and know no time but the number of samples.

mod canceller;
mod guard;

use std::fmt;
use std::sync::Arc;

use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};

use crate::resample::EARS_RATE;

pub use canceller::Canceller;
pub use guard::{Guard, Listened};

/// What the microphone is compared over: one second.
pub const WINDOW: usize = EARS_RATE as usize;
/// Sound arrives from our loudspeaker at most this late: over Bluetooth and a slow network.
pub const LATEST: usize = 3 * REACH;
/// One comparison looks so far back. Nearly all rooms are within the first.
const REACH: usize = EARS_RATE as usize / 2;
/// More alike than this, and it is an echo.
pub const ALIKE: f32 = 0.35;
/// Something of us is in it when more than this share of its pitches comes equally late.
/// Of what has nothing to do with us a thirtieth does, by chance.
pub const IN_STEP: f32 = 0.09;

/// What is in step by chance, times the root of how many samples were heard.
const CHANCE: f32 = 5.0;

/// How alike sounds are at the best delay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Likeness {
    /// 0 is nothing alike, 1 the same sound, louder or softer.
    pub most: f32,
    /// Samples that the echo is late.
    pub delay: usize,
    /// The share of all pitches, however loud, that are late by the same: our sound is
    /// found by it also under a louder voice, and no voice is taken for ours by its vowels.
    pub in_step: f32,
    /// Samples that they are late.
    pub step: usize,
}

impl Likeness {
    /// Something of us is in it, alone or not.
    pub fn is_found(&self) -> bool {
        self.most > ALIKE || self.in_step > IN_STEP
    }

    fn later(self, by: usize) -> Self {
        Self { delay: self.delay + by, step: self.step + by, ..self }
    }

    /// How late what was found is.
    pub fn late(&self) -> usize {
        if self.in_step > IN_STEP { self.step } else { self.delay }
    }
}

/// Compares what was heard with what was played.
pub struct Comparer {
    size: usize,
    forward: Arc<dyn Fft<f32>>,
    inverse: Arc<dyn Fft<f32>>,
}

impl fmt::Debug for Comparer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Comparer")
    }
}

impl Default for Comparer {
    fn default() -> Self {
        // What was heard is moved along what was played, and never over its end.
        let size = (WINDOW + REACH).next_power_of_two();
        let mut planner = FftPlanner::new();
        let (forward, inverse) = (planner.plan_fft_forward(size), planner.plan_fft_inverse(size));
        Self { size, forward, inverse }
    }
}

impl Comparer {
    /// `heard` is up to [`WINDOW`] samples; `played` ends at the same moment and
    /// begins up to [`LATEST`] samples earlier. What is found near is not looked for farther
    /// back.
    pub fn find(&self, heard: &[f32], played: &[f32]) -> Likeness {
        let near = self.compare(heard, played);
        if near.is_found() {
            return near;
        }
        let mut farther = (REACH..LATEST).step_by(REACH).filter_map(|later| {
            let played = &played[..played.len().checked_sub(later)?];
            Some(self.compare(heard, played).later(later)).filter(Likeness::is_found)
        });
        farther.next().unwrap_or(near)
    }

    /// The same, and no farther back than half a second.
    #[expect(clippy::cast_precision_loss, reason = "a second of samples")]
    pub fn compare(&self, heard: &[f32], played: &[f32]) -> Likeness {
        let heard = &heard[heard.len().saturating_sub(WINDOW)..];
        let played = &played[played.len().saturating_sub(heard.len() + REACH)..];
        let Some(latest) = played.len().checked_sub(heard.len()).filter(|_| !heard.is_empty())
        else {
            return Likeness::default();
        };
        let energy = heard.iter().map(|x| x * x).sum::<f32>();
        let scale = 1.0 / self.size as f32;
        let (products, in_step) = self.products(heard, played);
        let squares = running_squares(played);
        let mut best = Likeness::default();
        for offset in 0..=latest {
            let power = squares[offset + heard.len()] - squares[offset];
            #[expect(clippy::cast_possible_truncation, reason = "a sum of squares of samples")]
            let size = (energy * power as f32).sqrt();
            if size < 1e-6 {
                continue;
            }
            let most = (products[offset].re * scale).abs() / size;
            if most > best.most {
                best = Likeness { most, delay: latest - offset, ..best };
            }
            let together = (in_step[offset].re * scale).abs();
            if together > best.in_step {
                best = Likeness { in_step: together, step: latest - offset, ..best };
            }
        }
        // Of a short piece as many pitches come equally late by chance.
        if best.in_step < CHANCE / (heard.len() as f32).sqrt() {
            best.in_step = 0.0;
        }
        best
    }

    /// The sum of products at every offset, by way of the spectrum; and the same where
    /// every pitch counts as much as any other.
    fn products(&self, heard: &[f32], played: &[f32]) -> (Vec<Complex32>, Vec<Complex32>) {
        let spectrum = |samples: &[f32]| {
            let mut bins = vec![Complex32::ZERO; self.size];
            for (bin, sample) in bins.iter_mut().zip(samples) {
                bin.re = *sample;
            }
            self.forward.process(&mut bins);
            bins
        };
        let (heard, mut played) = (spectrum(heard), spectrum(played));
        for (played, heard) in played.iter_mut().zip(&heard) {
            *played *= heard.conj();
        }
        let alike = |bin: &Complex32| bin / bin.norm().max(f32::MIN_POSITIVE);
        let mut equal: Vec<Complex32> = played.iter().map(alike).collect();
        self.inverse.process(&mut played);
        self.inverse.process(&mut equal);
        (played, equal)
    }
}

fn running_squares(samples: &[f32]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums = vec![0.0];
    sums.extend(samples.iter().map(|x| {
        sum += f64::from(x * x);
        sum
    }));
    sums
}

/// The share of the words of `heard` that we said ourselves in `spoken`.
#[expect(clippy::cast_precision_loss, reason = "words of one utterance")]
pub fn overlap(heard: &str, spoken: &str) -> f32 {
    let (heard, spoken) = (words(heard), words(spoken));
    let ours = heard.iter().filter(|word| spoken.contains(word)).count();
    if heard.is_empty() { 0.0 } else { ours as f32 / heard.len() as f32 }
}

/// `heard` is two or more words of `spoken`, one behind the other as we said them.
pub fn is_run(heard: &str, spoken: &str) -> bool {
    let (heard, spoken) = (words(heard), words(spoken));
    heard.len() > 1 && spoken.windows(heard.len()).any(|run| run == heard)
}

fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| {
        word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Something like speech: noise that swells and fades.
    #[expect(clippy::cast_precision_loss, reason = "a few seconds of samples")]
    pub fn babble(seed: u64, length: usize) -> Vec<f32> {
        let mut state = seed | 1;
        let mut low = 0.0_f32;
        (0..length)
            .map(|at| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let noise = (state >> 40) as f32 / (1_u32 << 24) as f32 - 0.5;
                low = 0.8 * low + noise;
                low * 0.2 * (1.0 + (at as f32 / 2_500.0).sin())
            })
            .collect()
    }

    /// As it comes back from a room: late, softer, and from two walls.
    pub fn echoed(played: &[f32], delay: usize, gain: f32) -> Vec<f32> {
        let late = |at: usize, by: usize| at.checked_sub(by).map_or(0.0, |at| played[at]);
        (0..played.len())
            .map(|at| {
                gain * (late(at, delay) + 0.4 * late(at, delay + 173) - 0.2 * late(at, delay + 611))
            })
            .collect()
    }

    /// How much quieter `left` is than `heard`, in decibels; 0 is nothing removed.
    pub fn removed_db(heard: &[f32], left: &[f32]) -> f32 {
        let power = |samples: &[f32]| samples.iter().map(|x| x * x).sum::<f32>().max(1e-9);
        10.0 * (power(left) / power(heard)).log10()
    }

    #[test]
    fn our_own_sound_is_known_at_any_delay_and_loudness_and_others_are_not() {
        let played = babble(7, WINDOW + LATEST);
        let comparer = Comparer::default();
        for delay in [0, 100, 3_000, 7_900, 11_200, 23_900] {
            for gain in [1.0, 0.1, 0.02] {
                let heard: Vec<f32> =
                    played[LATEST - delay..][..WINDOW].iter().map(|x| x * gain).collect();
                let found = comparer.find(&heard, &played);
                assert!(found.most > 0.99 && found.delay == delay, "{delay} {gain}: {found:?}");
            }
        }
        let other = comparer.find(&babble(99, WINDOW), &played);
        assert!(other.most < ALIKE, "{other:?}");
        assert_eq!(comparer.find(&vec![0.0; WINDOW], &played), Likeness::default());
        assert_eq!(comparer.find(&[], &[]), Likeness::default());
    }

    #[test]
    fn the_filter_learns_the_room_and_leaves_the_person() {
        let played = babble(5, 3 * WINDOW);
        let echo = echoed(&played, 300, 0.5);
        let mut canceller = Canceller::new(1_024);

        let left = canceller.remove(&echo, &played);
        let tail = 2 * WINDOW..3 * WINDOW;
        let removed = removed_db(&echo[tail.clone()], &left[tail.clone()]);
        assert!(removed < -15.0, "{removed}");

        let person: Vec<f32> = babble(1234, WINDOW).iter().map(|x| x * 1.5).collect();
        let both: Vec<f32> = echo[tail.clone()].iter().zip(&person).map(|(a, b)| a + b).collect();
        let left = canceller.clone().remove(&both, &played[tail.clone()]);
        let kept = removed_db(&both, &left);
        assert!(kept > -6.0, "{kept}");
        let likeness = Comparer::default().compare(&echo[tail.clone()], &played);
        assert!(likeness.most > ALIKE, "{likeness:?}");
    }

    #[test]
    fn a_transcript_of_ourselves_is_recognised_by_its_words() {
        let ours = "Here is the reply to Priya. Ready for it to go out?";
        assert!(overlap("the reply to priya", ours) > 0.9);
        assert!(overlap("yes please", ours) < 0.1);
        assert!(overlap("", ours).abs() < f32::EPSILON);
        assert!(is_run("to Priya. Ready", ours) && is_run("the reply", ours));
        assert!(!is_run("Priya", ours) && !is_run("to the reply", ours) && !is_run("", ours));
    }
}
