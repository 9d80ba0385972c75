//! One session's guard against its own voice: told what is played and what is
//! heard, it says whether the one is the other.

use std::collections::VecDeque;

use super::{ALIKE, Canceller, Comparer, LATEST, Likeness, WINDOW, is_echo, removed_db};
use crate::resample::EARS_RATE;

/// How often sounds are compared; the filter works on every sample.
const EVERY: usize = EARS_RATE as usize / 4;
/// The filter looks this much earlier than where the echo was found.
const AHEAD: usize = 128;

/// What is known about what was just heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listened {
    /// The microphone without our own sound.
    pub left: Vec<f32>,
    /// Over the last second.
    pub likeness: Likeness,
    pub removed_db: f32,
    /// We are playing, or were within the last second and a half.
    pub playing: bool,
    /// It was compared with what we play at least once since we began.
    pub compared: bool,
}

impl Listened {
    /// It is us, and nobody else.
    pub fn is_echo(&self) -> bool {
        self.playing && is_echo(self.likeness, self.removed_db)
    }

    /// Nothing of us is in it.
    pub fn is_surely_theirs(&self) -> bool {
        !self.playing || self.compared && self.likeness.most < ALIKE / 2.0
    }
}

#[derive(Debug, Default)]
pub struct Guard {
    comparer: Comparer,
    canceller: Canceller,
    /// Given to the client and not yet matched with a moment of the microphone.
    queued: VecDeque<f32>,
    /// What was playing at each sample that was heard, the latest last.
    played: Vec<f32>,
    heard: Vec<f32>,
    left: Vec<f32>,
    since: usize,
    shift: usize,
    silent: usize,
    likeness: Likeness,
    removed_db: f32,
    compared: bool,
}

impl Guard {
    /// For an ear that opens when this has been played, and we have been silent for
    /// so many samples since.
    pub fn after(mut before: Vec<f32>, silent: usize) -> Self {
        before.resize(before.len() + silent, 0.0);
        Self { played: before, silent, ..Self::default() }
    }

    /// Whether anything of us may be heard now.
    pub fn is_needed(&self) -> bool {
        !self.queued.is_empty() || self.playing()
    }

    /// Samples that begin to be heard by the person now, at the ears' rate.
    pub fn played(&mut self, samples: &[f32]) {
        self.queued.extend(samples);
    }

    /// Playing was stopped; what was queued is never heard.
    pub fn stopped(&mut self) {
        self.queued.clear();
    }

    pub fn heard(&mut self, samples: &[f32]) -> Listened {
        let mut left = Vec::with_capacity(samples.len());
        for sample in samples {
            let ours = self.queued.pop_front();
            self.silent = if ours.is_some() { 0 } else { self.silent.saturating_add(1) };
            self.played.push(ours.unwrap_or(0.0));
            let reference = self.played.len().checked_sub(1 + self.shift);
            let reference = reference.map_or(0.0, |at| self.played[at]);
            left.push(self.canceller.sample(*sample, reference));
        }
        self.heard.extend_from_slice(samples);
        self.left.extend_from_slice(&left);
        self.since += samples.len();
        if self.since >= EVERY && self.playing() {
            self.since = 0;
            self.compare();
        }
        self.forget();
        let playing = self.playing();
        self.compared &= playing;
        let (likeness, removed_db, compared) = (self.likeness, self.removed_db, self.compared);
        Listened { left, likeness, removed_db, playing, compared }
    }

    /// Also a little after: rooms ring, and networks are late.
    fn playing(&self) -> bool {
        self.silent < WINDOW + WINDOW / 2 && self.silent < self.played.len()
    }

    fn compare(&mut self) {
        self.compared = true;
        self.likeness = self.comparer.compare(&self.heard, &self.played);
        let latest = |samples: &[f32]| samples.len().saturating_sub(WINDOW);
        let (heard, left) = (&self.heard[latest(&self.heard)..], &self.left[latest(&self.left)..]);
        self.removed_db = removed_db(heard, left);
        let shift = self.likeness.delay.saturating_sub(AHEAD);
        let length = self.canceller.length();
        let out_of_reach = shift < self.shift || shift > self.shift + length / 2;
        // The room is somewhere else in time than the filter looks: it learns anew.
        if self.likeness.most > ALIKE && out_of_reach {
            self.shift = shift;
            self.canceller = Canceller::default();
        }
    }

    fn forget(&mut self) {
        for (samples, kept) in [
            (&mut self.played, WINDOW + LATEST + EVERY),
            (&mut self.heard, WINDOW),
            (&mut self.left, WINDOW),
        ] {
            // Not for every frame: moving the rest costs more than keeping a little.
            if samples.len() > 2 * kept {
                samples.drain(..samples.len() - kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{babble, echoed};
    use super::*;

    fn last(guard: &mut Guard, mic: &[f32], played: &[f32]) -> Listened {
        let mut listened = Listened::default();
        for (mic, played) in mic.chunks(512).zip(played.chunks(512)) {
            guard.played(played);
            listened = guard.heard(mic);
        }
        listened
    }

    #[test]
    fn our_own_voice_is_known_at_any_delay_and_a_person_is_not_it() {
        let played = babble(11, 3 * WINDOW);
        for delay in [200, 2_500, 6_000] {
            let mut guard = Guard::default();
            let listened = last(&mut guard, &echoed(&played, delay, 0.3), &played);
            assert!(listened.is_echo(), "{delay}: {:?} {}", listened.likeness, listened.removed_db);
        }
        let person = last(&mut Guard::default(), &babble(77, 3 * WINDOW), &played);
        assert!(person.playing && !person.is_echo(), "{:?}", person.likeness);
    }

    #[test]
    fn an_ear_that_opens_late_knows_our_voice_from_what_was_played_before() {
        let played = babble(11, 5 * WINDOW);
        let opens = 2 * WINDOW;
        let mic = echoed(&played, 2_500, 0.3);
        let mut guard = Guard::after(played[..opens].to_vec(), 0);
        assert!(guard.is_needed());
        // At once it is nobody's yes, and soon it is known for us alone.
        let soon = opens + WINDOW;
        let listened = last(&mut guard, &mic[opens..soon], &played[opens..soon]);
        assert!(!listened.is_surely_theirs(), "{:?}", listened.likeness);
        let listened = last(&mut guard, &mic[soon..], &played[soon..]);
        assert!(listened.is_echo() && !listened.is_surely_theirs(), "{:?}", listened.likeness);

        // Also where we had just fallen silent: it is the end that comes back.
        let mut guard = Guard::after(played.clone(), 0);
        let listened = guard.heard(&played[played.len() - 6_000..]);
        assert!(listened.playing && !listened.is_surely_theirs(), "{:?}", listened.likeness);
    }

    #[test]
    fn when_nothing_was_played_everything_is_the_person() {
        let mut guard = Guard::default();
        let person = babble(5, WINDOW);
        let listened = guard.heard(&person);
        assert!(!listened.playing && !listened.is_echo());
        assert_eq!(listened.left, person);
    }

    #[test]
    fn it_keeps_no_more_than_it_needs() {
        let mut guard = Guard::default();
        for _ in 0..100 {
            guard.played(&vec![0.0; 4_000]);
            guard.heard(&vec![0.0; 4_000]);
        }
        assert!(guard.played.len() + guard.heard.len() + guard.left.len() < 10 * WINDOW);
        guard.played(&[0.1; 999]);
        guard.stopped();
        assert!(guard.queued.is_empty());
    }
}
