//! What came out of our loudspeaker lately: an ear that opens in the middle of a
//! sentence of ours, or right behind it, has to know it from the person's voice.

use std::collections::VecDeque;
use std::time::Duration;

use speech::echo::{LATEST, WINDOW};
use speech::resample::EARS_RATE;
use tokio::time::Instant;

/// What an ear compares the microphone with, and no more.
const KEPT: usize = WINDOW + LATEST;

/// The sound of a session, at the ears' rate.
#[derive(Default)]
pub(crate) struct Loudspeaker {
    /// Two bytes a sample: there may be many sessions.
    samples: VecDeque<i16>,
    /// When the last of them is played.
    ends: Option<Instant>,
}

/// The same for an ear that opens now.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Played {
    pub before: Vec<f32>,
    /// So many samples ago it fell silent.
    pub silent: usize,
    pub to_come: Vec<f32>,
}

impl Loudspeaker {
    /// This is handed out now, to be played behind what was handed out before.
    pub fn plays(&mut self, samples: &[f32]) {
        let now = Instant::now();
        let begins = self.ends.map_or(now, |ends| ends.max(now));
        let gap = self.ends.map_or(KEPT, |ends| count(begins.duration_since(ends)));
        self.samples.extend(std::iter::repeat_n(0, gap.min(KEPT)));
        #[expect(clippy::cast_possible_truncation, reason = "between -1 and 1")]
        let level = |sample: &f32| (sample.clamp(-1.0, 1.0) * 32_767.0) as i16;
        self.samples.extend(samples.iter().map(level));
        let ends = begins + length(samples.len());
        self.ends = Some(ends);
        // What is still to come is kept besides.
        let kept = KEPT + count(ends.duration_since(now));
        self.samples.drain(..self.samples.len().saturating_sub(kept));
    }

    /// It falls silent now; the rest is never played.
    pub fn stops(&mut self) {
        let now = Instant::now();
        let Some(ends) = self.ends.filter(|ends| *ends > now) else { return };
        let rest = count(ends.duration_since(now));
        self.samples.truncate(self.samples.len().saturating_sub(rest));
        self.ends = Some(now);
    }

    /// None where nothing of it can be heard any more.
    pub fn played(&self) -> Option<Played> {
        let (now, ends) = (Instant::now(), self.ends?);
        let silent = count(now.saturating_duration_since(ends));
        if silent >= KEPT {
            return None;
        }
        let to_come = count(ends.saturating_duration_since(now)).min(self.samples.len());
        let mut before: Vec<f32> =
            self.samples.iter().map(|sample| f32::from(*sample) / 32_767.0).collect();
        let to_come = before.split_off(before.len() - to_come);
        Some(Played { before, silent, to_come })
    }
}

fn count(time: Duration) -> usize {
    let samples = time.as_micros() * u128::from(EARS_RATE) / 1_000_000;
    usize::try_from(samples).unwrap_or(usize::MAX)
}

fn length(samples: usize) -> Duration {
    Duration::from_micros(samples as u64 * 1_000_000 / u64::from(EARS_RATE))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: usize = EARS_RATE as usize;

    #[tokio::test(start_paused = true)]
    async fn an_ear_learns_what_was_played_and_what_is_to_come() {
        let mut ours = Loudspeaker::default();
        assert_eq!(ours.played(), None);
        ours.plays(&vec![1.0; SECOND]);
        tokio::time::advance(Duration::from_millis(750)).await;
        let Played { before, silent, to_come } = ours.played().unwrap();
        assert_eq!((silent, to_come), (0, vec![1.0; SECOND / 4]));
        assert_eq!(before[before.len() - SECOND * 3 / 4..], vec![1.0; SECOND * 3 / 4]);
        tokio::time::advance(Duration::from_secs(1)).await;
        let Played { silent, to_come, .. } = ours.played().unwrap();
        assert_eq!((silent, to_come), (SECOND * 3 / 4, Vec::new()));
        tokio::time::advance(length(KEPT)).await;
        assert!(ours.played().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_cut_off_is_never_heard() {
        let mut ours = Loudspeaker::default();
        ours.plays(&vec![1.0; SECOND]);
        tokio::time::advance(Duration::from_millis(250)).await;
        ours.stops();
        let Played { before, silent, to_come } = ours.played().unwrap();
        assert_eq!((silent, to_come), (0, Vec::new()));
        assert_eq!(before[before.len() - SECOND / 4..], vec![1.0; SECOND / 4]);
    }

    #[tokio::test(start_paused = true)]
    async fn it_keeps_no_more_than_an_ear_needs() {
        let mut ours = Loudspeaker::default();
        for _ in 0..100 {
            ours.plays(&vec![0.5; SECOND / 8]);
            tokio::time::advance(Duration::from_millis(125)).await;
        }
        assert!(ours.samples.len() <= KEPT + SECOND / 8);
        // What was said long before is not joined to what is said now.
        tokio::time::advance(Duration::from_mins(1)).await;
        ours.plays(&[1.0]);
        assert_eq!(ours.samples.iter().filter(|sample| **sample != 0).count(), 1);
    }
}
