//! One message being spoken: clauses become pieces of sound for a client, each
//! with its time and its place in the text; and what was heard of it is known.

use std::ops::Range;

use super::{Clause, Sound};
use crate::pcm::BadSound;
use crate::resample::{Outlet, VOICE_RATE};

/// A piece of sound to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Samples of two bytes at the rate that was asked for.
    pub pcm: Vec<u8>,
    /// Since the beginning of the message.
    pub start_ms: u64,
    pub duration_ms: u64,
    /// Bytes of the message's text that are heard in it; empty in a pause.
    pub text: Range<usize>,
}

/// The sound of one message so far.
#[derive(Debug)]
pub struct Speech {
    outlet: Outlet,
    rate: u64,
    chunk_ms: u64,
    /// At the voice's rate.
    samples: u64,
    /// Bytes given at the client's rate.
    given: u64,
    words: Vec<(Range<usize>, Range<u64>)>,
}

impl Speech {
    /// For a client that plays `rate` samples a second, in chunks of `chunk_ms`.
    pub fn new(rate: u32, chunk_ms: u64) -> Result<Self, BadSound> {
        let outlet = Outlet::new(rate)?;
        let chunk_ms = chunk_ms.clamp(20, 2_000);
        Ok(Self { outlet, rate: rate.into(), chunk_ms, samples: 0, given: 0, words: Vec::new() })
    }

    /// The chunks of the next clause, its pause behind it.
    pub fn add(&mut self, clause: &Clause, sound: &Sound) -> Vec<Chunk> {
        let base = self.samples;
        for word in &sound.words {
            let heard = base + word.heard.start as u64..base + word.heard.end as u64;
            self.words.push((word.at.clone(), heard));
        }
        let pause = clause.breath.ms() * u64::from(VOICE_RATE) / 1_000;
        let mut samples = sound.samples.clone();
        samples.resize(samples.len() + usize::try_from(pause).unwrap_or(0), 0.0);
        self.samples += samples.len() as u64;
        let bytes = self.outlet.push(&samples);
        self.chunks(&bytes)
    }

    /// What is still in the filter, when the message is over.
    pub fn finish(&mut self) -> Vec<Chunk> {
        let bytes = self.outlet.finish();
        self.chunks(&bytes)
    }

    fn chunks(&mut self, bytes: &[u8]) -> Vec<Chunk> {
        let size = usize::try_from(self.rate * self.chunk_ms / 1_000).unwrap_or(480).max(1) * 2;
        let mut out = Vec::new();
        for piece in bytes.chunks(size) {
            let start_ms = self.ms_of(self.given);
            self.given += piece.len() as u64;
            let end_ms = self.ms_of(self.given);
            let text = self.text_between(start_ms, end_ms);
            out.push(Chunk { pcm: piece.to_vec(), start_ms, duration_ms: end_ms - start_ms, text });
        }
        out
    }

    fn ms_of(&self, bytes: u64) -> u64 {
        bytes / 2 * 1_000 / self.rate
    }

    fn text_between(&self, start_ms: u64, end_ms: u64) -> Range<usize> {
        let mut heard = self
            .words
            .iter()
            .filter(|(_, heard)| voice_ms(heard.start) < end_ms && voice_ms(heard.end) > start_ms);
        let Some((first, _)) = heard.next() else {
            let before = self.heard_until(start_ms);
            return before..before;
        };
        first.start..heard.next_back().map_or(first.end, |(last, _)| last.end)
    }

    /// How far into the text somebody is who has heard `ms` of it: the end of the
    /// last word that was heard whole.
    pub fn heard_until(&self, ms: u64) -> usize {
        let whole = self.words.iter().take_while(|(_, heard)| voice_ms(heard.end) <= ms);
        whole.last().map_or(0, |(at, _)| at.end)
    }

    /// How long it is so far.
    pub fn duration_ms(&self) -> u64 {
        voice_ms(self.samples)
    }
}

fn voice_ms(samples: u64) -> u64 {
    samples * 1_000 / u64::from(VOICE_RATE)
}

#[cfg(test)]
mod tests {
    use super::super::{Breath, WordSound};
    use super::*;

    fn clause() -> (Clause, Sound) {
        let clause = Clause { text: "Two mails.".into(), at: 0..10, breath: Breath::FullStop };
        let words = vec![
            WordSound { at: 0..3, heard: 2_400..7_200 },
            WordSound { at: 4..10, heard: 7_200..21_600 },
        ];
        (clause, Sound { samples: vec![0.1; 24_000], words, ..Sound::default() })
    }

    #[test]
    fn chunks_follow_each_other_and_know_their_words() {
        let (clause, sound) = clause();
        for rate in [16_000, 24_000, 48_000] {
            let mut speech = Speech::new(rate, 200).unwrap();
            let mut chunks = speech.add(&clause, &sound);
            chunks.extend(speech.finish());

            let total: u64 = chunks.iter().map(|chunk| chunk.duration_ms).sum();
            assert_eq!(total, 1_320, "a second and a full stop");
            assert_eq!(speech.duration_ms(), 1_320);
            for pair in chunks.windows(2) {
                assert_eq!(pair[0].start_ms + pair[0].duration_ms, pair[1].start_ms);
            }
            assert_eq!(chunks[0].text, 0..3);
            assert_eq!(chunks[1].text, 0..10);
            assert_eq!(chunks.last().map(|chunk| chunk.text.clone()), Some(10..10));
        }
    }

    #[test]
    fn what_was_heard_ends_at_a_word() {
        let (clause, sound) = clause();
        let mut speech = Speech::new(24_000, 200).unwrap();
        speech.add(&clause, &sound);
        for (ms, heard) in [(0, 0), (299, 0), (300, 3), (899, 3), (900, 10), (9_999, 10)] {
            assert_eq!(speech.heard_until(ms), heard, "{ms}");
        }
    }
}
