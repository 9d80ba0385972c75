//! One session's guard against its own voice: told what is played and what is
//! heard, it says whether the one is the other.

use std::collections::VecDeque;

use super::canceller::quieter;
use super::{ALIKE, Canceller, Comparer, LATEST, Likeness, WINDOW};
use crate::resample::EARS_RATE;

/// How often sounds are compared; the filter works on every sample.
const EVERY: usize = EARS_RATE as usize / 10;
/// Something that is so many times as loud as what was compared last is compared at once.
const RISES: f32 = 4.0;
/// So much of a voice is compared before it is somebody else's: less is alike by chance, or
/// the first of ours that is too soft to be known.
const ENOUGH: usize = EARS_RATE as usize / 10;
/// A pause after which a voice begins anew.
const PAUSE: usize = EARS_RATE as usize * 3 / 10;
/// What the latest sound is looked at over.
const SYLLABLE: usize = EARS_RATE as usize / 4;
/// As alike as this, nobody else can be in it.
const ALONE: f32 = 0.92;
/// What rooms ring on when we pause.
const RINGS: usize = EARS_RATE as usize * 3 / 10;
/// A sample of ours that can be heard at all.
const FAINT: f32 = 1e-3;
/// So many samples more or less are the same delay.
const SAME: usize = 16;
/// The filter looks this much earlier than where the echo was found.
const AHEAD: usize = 128;

/// What is known about what was just heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listened {
    /// The microphone without our own sound.
    pub left: Vec<f32>,
    /// Over the last second.
    pub likeness: Likeness,
    /// We are playing, or were within the last two seconds.
    pub playing: bool,
    /// It was compared with what we play at least once since we began.
    pub compared: bool,
    /// Somebody else may be in it: it was compared and nothing of us was found; or what
    /// was found is silent now; or the filter knows the room, and it is not that.
    pub may_be_theirs: bool,
}

impl Listened {
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
    since: usize,
    shift: usize,
    silent: usize,
    likeness: Likeness,
    compared: bool,
    /// How loud it was when it was compared last, a sample, and how quiet it can be.
    loud: f32,
    floor: f32,
    /// Samples since it became louder than that, at the last comparison, and since it was.
    risen: usize,
    compared_risen: usize,
    quiet: usize,
    /// How late our sound was when the filter began to learn.
    late: usize,
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

    /// So much of the microphone never came: it was muted, or lost on the way. What was
    /// played meanwhile is over.
    pub fn missed(&mut self, samples: usize) {
        let ours = samples.min(self.queued.len());
        let silent = samples - ours;
        self.played.extend(self.queued.drain(..ours));
        self.played.extend(std::iter::repeat_n(0.0, silent.min(WINDOW + LATEST)));
        self.silent = if ours > 0 { silent } else { self.silent.saturating_add(silent) };
        self.begin_anew();
        self.forget();
    }

    /// So much of what was missed came late: it is compared with what was played then.
    pub fn came(&mut self, samples: usize) {
        let behind = self.played.len().saturating_sub(samples);
        let ours = self.played.split_off(behind);
        let silent = ours.len().min(self.silent);
        for sample in ours[..ours.len() - silent].iter().rev() {
            self.queued.push_front(*sample);
        }
        self.silent -= silent;
        self.begin_anew();
    }

    /// What was heard before does not join what is heard now: nobody is sure of anything
    /// before that was compared.
    fn begin_anew(&mut self) {
        self.heard.clear();
        self.canceller.doubt();
        self.likeness = Likeness::default();
        self.compared = false;
        (self.risen, self.compared_risen) = (0, 0);
    }

    pub fn heard(&mut self, samples: &[f32]) -> Listened {
        let mut left = Vec::with_capacity(samples.len());
        let learns = self.likeness.is_found();
        for sample in samples {
            let ours = self.queued.pop_front();
            self.silent = if ours.is_some() { 0 } else { self.silent.saturating_add(1) };
            self.played.push(ours.unwrap_or(0.0));
            let reference = self.played.len().checked_sub(1 + self.shift);
            let reference = reference.map_or(0.0, |at| self.played[at]);
            left.push(self.canceller.sample(*sample, reference, learns));
        }
        // Where nothing of us is in it, there is nothing to take out.
        let left = if learns { quieter(left, samples) } else { samples.to_vec() };
        self.heard.extend_from_slice(samples);
        self.since += samples.len();
        self.rises(samples);
        let is_due = self.since >= EVERY || !self.compared || loud(samples) > RISES * self.loud;
        if is_due && self.playing() {
            self.since = 0;
            self.loud = loud(samples);
            self.compared_risen = self.risen;
            self.compare();
        }
        self.forget();
        let playing = self.playing();
        self.compared &= playing;
        let (likeness, compared) = (self.likeness, self.compared);
        let may_be_theirs = !playing || compared && self.may_be_theirs();
        Listened { left, likeness, playing, compared, may_be_theirs }
    }

    /// How long something has been louder than the room.
    fn rises(&mut self, samples: &[f32]) {
        let now = loud(samples);
        // A floor that rises again within seconds; rooms differ.
        #[expect(clippy::cast_precision_loss, reason = "a frame")]
        let grown = self.floor * (1.0 + samples.len() as f32 / WINDOW as f32) + 1e-9;
        self.floor = if self.risen + self.quiet == 0 { now } else { grown.min(now) };
        self.quiet = if now > RISES * self.floor { 0 } else { self.quiet + samples.len() };
        if self.quiet > PAUSE {
            (self.risen, self.compared_risen) = (0, 0);
        } else if self.quiet == 0 || self.risen > 0 {
            self.risen += samples.len();
        }
    }

    fn may_be_theirs(&self) -> bool {
        if !self.likeness.is_found() {
            return self.compared_risen >= ENOUGH;
        }
        let knows = self.canceller.is_proven() && self.canceller.hears_somebody();
        self.is_silent_now() || knows && !self.is_ours_alone()
    }

    /// The latest syllable is our sound as we played it, and nothing else.
    fn is_ours_alone(&self) -> bool {
        let late = self.likeness.late();
        let heard = &self.heard[self.heard.len().saturating_sub(SYLLABLE)..];
        let Some(until) = self.played.len().checked_sub(late) else { return false };
        let played = &self.played[until.saturating_sub(heard.len())..until];
        let heard = &heard[heard.len() - played.len()..];
        let product = heard.iter().zip(played).map(|(a, b)| a * b).sum::<f32>();
        let power = |samples: &[f32]| samples.iter().map(|x| x * x).sum::<f32>();
        let size = (power(heard) * power(played)).sqrt();
        size > f32::EPSILON && product.abs() / size > ALONE
    }

    /// Nothing of what we played comes back at this moment.
    fn is_silent_now(&self) -> bool {
        let until = self.played.len().saturating_sub(self.likeness.late());
        let from = until.saturating_sub(RINGS);
        self.played[from..until].iter().all(|sample| sample.abs() < FAINT)
    }

    /// Also a little after: rooms ring, and networks are late.
    fn playing(&self) -> bool {
        self.silent < LATEST + WINDOW / 2 && self.silent < self.played.len()
    }

    fn compare(&mut self) {
        self.compared = true;
        // Before the first of it we were silent: an echo of that is late from the start.
        let before = (WINDOW + LATEST).saturating_sub(self.played.len());
        let played: Vec<f32> =
            std::iter::repeat_n(0.0, before).chain(self.played.iter().copied()).collect();
        // Where nothing is heard, nothing comes back late.
        self.likeness = if self.risen > 0 {
            self.comparer.find(&self.heard, &played)
        } else {
            self.comparer.compare(&self.heard, &played)
        };
        if self.likeness.is_found() {
            self.follow(self.likeness.late());
        }
        if self.likeness.is_found() && self.is_ours_alone() && self.canceller.hears_somebody() {
            // Nobody is there: it had learnt a vowel and not the room.
            self.canceller.doubt();
        }
    }

    /// Our sound comes back so late now.
    fn follow(&mut self, late: usize) {
        let knows = self.canceller.is_proven();
        if late.abs_diff(self.late) <= SAME || knows && !self.canceller.hears_somebody() {
            return;
        }
        let moved = (self.shift + late).checked_sub(self.late);
        if let Some(shift) = moved.filter(|_| knows) {
            // It is the same room, a little later or earlier.
            self.shift = shift;
            self.canceller.doubt();
            self.late = late;
            return;
        }
        let shift = late.saturating_sub(AHEAD);
        let length = self.canceller.length();
        // The room is somewhere else in time than the filter looks: it learns anew.
        if shift < self.shift || shift > self.shift + length / 2 {
            self.shift = shift;
            self.canceller = Canceller::default();
        }
        self.late = late;
    }

    fn forget(&mut self) {
        for (samples, kept) in
            [(&mut self.played, WINDOW + LATEST + EVERY), (&mut self.heard, WINDOW)]
        {
            // Not for every frame: moving the rest costs more than keeping a little.
            if samples.len() > 2 * kept {
                samples.drain(..samples.len() - kept);
            }
        }
    }
}

/// The mean square of a sample.
#[expect(clippy::cast_precision_loss, reason = "a few seconds of samples")]
fn loud(samples: &[f32]) -> f32 {
    samples.iter().map(|x| x * x).sum::<f32>() / samples.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::super::tests::{babble, echoed, removed_db};
    use super::*;

    fn is_ours(listened: &Listened) -> bool {
        listened.playing && listened.likeness.most > ALIKE && !listened.may_be_theirs
    }

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
        for delay in [200, 2_500, 6_000, 11_200, 20_000] {
            let mut guard = Guard::default();
            let mic = echoed(&played, delay, 0.3);
            let listened = last(&mut guard, &mic, &played);
            let left = removed_db(&mic[mic.len() - 512..], &listened.left);
            assert!(is_ours(&listened) && left < -10.0, "{delay}: {:?} {left}", listened.likeness);
        }
        let person = last(&mut Guard::default(), &babble(77, 3 * WINDOW), &played);
        assert!(person.playing && !is_ours(&person), "{:?}", person.likeness);
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
        assert!(is_ours(&listened) && !listened.is_surely_theirs(), "{:?}", listened.likeness);

        // Also where we had just fallen silent: it is the end that comes back.
        let mut guard = Guard::after(played.clone(), 0);
        let listened = guard.heard(&played[played.len() - 6_000..]);
        assert!(listened.playing && !listened.is_surely_theirs(), "{:?}", listened.likeness);
    }

    #[test]
    fn our_own_voice_is_nobody_elses_behind_what_the_microphone_missed() {
        let played = babble(11, 6 * WINDOW);
        let mic = echoed(&played, 1_280, 0.5);
        for missed in [6_400, 24_000, 48_000] {
            let mut guard = Guard::default();
            guard.played(&played);
            for frame in mic[..WINDOW].chunks(320) {
                guard.heard(frame);
            }
            guard.missed(missed);
            for frame in mic[WINDOW + missed..].chunks(320) {
                let listened = guard.heard(frame);
                let surely = listened.compared && listened.is_surely_theirs();
                assert!(!surely && !listened.may_be_theirs, "{missed}: {:?}", listened.likeness);
            }
        }
    }

    #[test]
    fn what_was_only_held_up_is_compared_with_what_was_played_then() {
        let played = babble(11, 4 * WINDOW);
        let mic = echoed(&played, 1_280, 0.5);
        let mut guard = Guard::default();
        guard.played(&played);
        guard.heard(&mic[..WINDOW]);
        guard.missed(WINDOW);
        guard.heard(&mic[WINDOW..WINDOW + 320]);
        guard.came(WINDOW);
        let mut listened = Listened::default();
        for frame in mic[WINDOW + 320..3 * WINDOW].chunks(320) {
            listened = guard.heard(frame);
        }
        assert_eq!(listened.likeness.delay, 1_280);
    }

    #[test]
    fn nobody_is_heard_in_our_own_voice_from_its_first_sound_on() {
        let played = babble(11, 3 * WINDOW);
        for delay in [200, 1_600, 4_000] {
            let mic = echoed(&played, delay, 0.3);
            let mut guard = Guard::default();
            for (at, (mic, played)) in mic.chunks(640).zip(played.chunks(640)).enumerate() {
                guard.played(played);
                let listened = guard.heard(mic);
                let is_there = mic.iter().any(|sample| sample.abs() > 0.01);
                assert!(!is_there || !listened.may_be_theirs, "{delay}, {at}: {listened:?}");
            }
        }
    }

    #[test]
    fn somebody_is_heard_beside_our_voice_once_the_room_is_known_and_where_we_are_not_heard() {
        let played = babble(11, 5 * WINDOW);
        let person = babble(77, WINDOW);
        for (gain, from) in [(0.0, WINDOW), (0.3, 3 * WINDOW)] {
            let mut mic = echoed(&played, 1_600, gain);
            mic[from..from + WINDOW].iter_mut().zip(&person).for_each(|(mic, it)| *mic += it);
            let until = from + WINDOW;
            let listened = last(&mut Guard::default(), &mic[..until], &played[..until]);
            assert!(listened.may_be_theirs, "{gain}: {:?}", listened.likeness);
        }
    }

    #[test]
    fn when_nothing_was_played_everything_is_the_person() {
        let mut guard = Guard::default();
        let person = babble(5, WINDOW);
        let listened = guard.heard(&person);
        assert!(!listened.playing && !is_ours(&listened));
        assert_eq!(listened.left, person);
    }

    #[test]
    fn it_keeps_no_more_than_it_needs() {
        let mut guard = Guard::default();
        for _ in 0..100 {
            guard.played(&vec![0.0; 4_000]);
            guard.heard(&vec![0.0; 4_000]);
        }
        guard.missed(1_000 * WINDOW);
        assert!(guard.played.len() + guard.heard.len() < 10 * WINDOW);
        guard.played(&[0.1; 999]);
        guard.stopped();
        assert!(guard.queued.is_empty());
    }
}
