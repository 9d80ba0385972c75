//! A filter that learns how our sound comes back into the microphone, and takes it out.
//!
//! It learns only from our own sound: while somebody else speaks too it stays as it is,
//! or it would learn them away and leave our voice behind when they are silent.

/// How much of our sound, at the loudness that it has now, explains what is heard.
#[derive(Clone, Copy, Debug, Default)]
struct Explained {
    heard: f32,
    echo: f32,
    both: f32,
}

impl Explained {
    /// Over about so many samples.
    fn take<const LENGTH: u16>(&mut self, heard: f32, echo: f32) {
        let keeps = 1.0 - 1.0 / f32::from(LENGTH);
        self.heard = keeps * self.heard + heard * heard;
        self.echo = keeps * self.echo + echo * echo;
        self.both = keeps * self.both + heard * echo;
    }

    /// Between nothing and all of it, whatever the volume was turned to since.
    fn share(&self) -> f32 {
        let most = self.heard * self.echo;
        if most < 1e-12 || self.both < 0.0 { 0.0 } else { self.both * self.both / most }
    }

    /// How loud our sound is now, as a multiple of how loud it was when it was learnt.
    fn gain(&self) -> f32 {
        if self.echo < 1e-9 { 0.0 } else { (self.both / self.echo).clamp(0.0, LOUDEST) }
    }
}

/// A volume that is turned up by more than this is learnt anew.
const LOUDEST: f32 = 2.0;
/// A voice that is ducked or a pause: 32 ms.
const SOON: u16 = 512;
/// As long as a syllable: 250 ms.
const SYLLABLE: u16 = 4_000;
/// A filter that explains less than this of what is heard is not alone with our sound.
const SOMEBODY: f32 = 0.5;
/// One that explains this much has learnt the room; it learns on only where it does.
const KNOWS: f32 = 0.85;
/// It has to, for so many samples of our sound; one that it did not explain undoes four, or
/// a long vowel would be taken for the room.
const PROVEN: usize = 12_000;
const UNDOES: usize = 4;
/// Somebody who talks over us for so long has been heard by now. It is the room that has
/// changed.
const ASTRAY: usize = 24_000;
/// Sums that do not wait for each other.
const LANES: usize = 16;
/// Our sound, over the length of the filter, is there at all.
const AUDIBLE: f32 = 1e-3;

/// Learns how our sound comes back and takes it out, sample by sample.
#[derive(Clone, Debug)]
pub struct Canceller {
    taps: Vec<f32>,
    /// The latest reference samples twice in a row, so that they always lie together.
    played: Vec<f32>,
    at: usize,
    power: f32,
    soon: Explained,
    syllable: Explained,
    /// Samples that it explained, and samples in a row that it did not.
    knew: usize,
    astray: usize,
    proven: bool,
}

impl Default for Canceller {
    fn default() -> Self {
        Self::new(2_048)
    }
}

impl Canceller {
    const STEP: f32 = 0.5;
    /// What is known is only touched up: somebody may have begun to speak just now.
    const TOUCH: f32 = 0.1;

    /// `length` samples of room: 2,048 are 128 ms.
    pub fn new(length: usize) -> Self {
        Self {
            taps: vec![0.0; length],
            played: vec![0.0; 2 * length],
            at: 0,
            power: 0.0,
            soon: Explained::default(),
            syllable: Explained::default(),
            knew: 0,
            astray: 0,
            proven: false,
        }
    }

    pub fn length(&self) -> usize {
        self.taps.len()
    }

    /// What is left of `heard` without the echo of `played`, which is as long.
    pub fn remove(&mut self, heard: &[f32], played: &[f32]) -> Vec<f32> {
        let both = heard.iter().zip(played);
        let left = both.map(|(heard, played)| self.sample(*heard, *played, true)).collect();
        quieter(left, heard)
    }

    /// It has been seen to know the room.
    pub fn is_proven(&self) -> bool {
        self.proven
    }

    /// Somebody speaks besides us: what is heard is not explained by what we play.
    pub fn hears_somebody(&self) -> bool {
        self.syllable.share() < SOMEBODY
    }

    /// Our sound comes at another time than it did: what was learnt is to be seen anew.
    pub fn doubt(&mut self) {
        (self.proven, self.knew, self.astray) = (false, 0, 0);
    }

    /// One sample; it `learns` where something of us is in it.
    pub(super) fn sample(&mut self, heard: f32, played: f32, learns: bool) -> f32 {
        let length = self.taps.len();
        let oldest = self.played[self.at];
        self.power = (self.power + played * played - oldest * oldest).max(0.0);
        self.played[self.at] = played;
        self.played[self.at + length] = played;
        self.at = (self.at + 1) % length;
        let window = &self.played[self.at..self.at + length];
        let echo = dot(&self.taps, window);
        self.soon.take::<SOON>(heard, echo);
        self.syllable.take::<SYLLABLE>(heard, echo);
        // Where we are silent there is nothing to learn.
        if self.power > AUDIBLE && learns {
            self.judge();
            let rate = if self.proven { Self::TOUCH } else { Self::STEP };
            if !self.proven || self.soon.share() >= KNOWS {
                let window = &self.played[self.at..self.at + length];
                let step = rate * (heard - echo) / (self.power + 1e-2);
                self.taps.iter_mut().zip(window).for_each(|(tap, x)| *tap += step * x);
            }
        }
        heard - self.soon.gain() * echo
    }

    /// Whether it still knows the room.
    fn judge(&mut self) {
        let share = self.syllable.share();
        let knows = share > KNOWS;
        self.knew = if knows { self.knew + 1 } else { self.knew.saturating_sub(UNDOES) };
        self.astray = if share < KNOWS { self.astray + 1 } else { 0 };
        self.proven |= self.knew > PROVEN;
        if self.proven && self.astray > ASTRAY {
            self.doubt();
        }
    }
}

/// Added up in lanes: one sum after the other would take four times as long.
fn dot(taps: &[f32], window: &[f32]) -> f32 {
    let (taps, window) = (taps.chunks_exact(LANES), window.chunks_exact(LANES));
    let rest: f32 = taps.remainder().iter().zip(window.remainder()).map(|(tap, x)| tap * x).sum();
    let mut sums = [0.0; LANES];
    for (taps, window) in taps.zip(window) {
        for (sum, (tap, x)) in sums.iter_mut().zip(taps.iter().zip(window)) {
            *sum += tap * x;
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Nothing becomes louder by taking something out: where it did, what was heard is better.
pub(super) fn quieter(left: Vec<f32>, heard: &[f32]) -> Vec<f32> {
    let power = |samples: &[f32]| samples.iter().map(|x| x * x).sum::<f32>();
    if power(&left) >= power(heard) { heard.to_vec() } else { left }
}

#[cfg(test)]
mod tests {
    use super::super::WINDOW;
    use super::super::tests::{babble, echoed, removed_db};
    use super::*;

    #[test]
    fn while_we_are_silent_nothing_is_touched() {
        let person = babble(3, WINDOW);
        assert_eq!(Canceller::default().remove(&person[..4_000], &[0.0; 4_000]), person[..4_000]);
    }

    #[test]
    fn after_somebody_spoke_over_us_silence_is_silence() {
        let played = babble(5, 5 * WINDOW);
        let echo = echoed(&played, 300, 0.5);
        let person = babble(1234, WINDOW);
        let mut canceller = Canceller::new(1_024);
        let chunk = |at: usize| at..at + 512;
        for at in (0..3 * WINDOW).step_by(512) {
            let over =
                |n: usize| at.checked_sub(2 * WINDOW).map_or(0.0, |by| person[(by + n) % WINDOW]);
            let mic: Vec<f32> =
                echo[chunk(at)].iter().enumerate().map(|(n, x)| x + 2.0 * over(n)).collect();
            canceller.remove(&mic, &played[chunk(at)]);
        }
        // A microphone that was muted, while we still speak.
        for at in (3 * WINDOW..5 * WINDOW - 512).step_by(512) {
            let left = canceller.remove(&[0.0; 512], &played[chunk(at)]);
            assert!(left.iter().all(|x| *x == 0.0), "at {at}");
        }
    }

    #[test]
    fn what_it_learnt_survives_somebody_who_talks_over_us() {
        let played = babble(5, 5 * WINDOW);
        let echo = echoed(&played, 300, 0.5);
        let mut canceller = Canceller::new(1_024);
        canceller.remove(&echo[..3 * WINDOW], &played[..3 * WINDOW]);
        assert!(canceller.is_proven() && !canceller.hears_somebody());

        let person = babble(1234, WINDOW);
        let over = 3 * WINDOW..4 * WINDOW;
        let mic: Vec<f32> =
            echo[over.clone()].iter().zip(&person).map(|(a, b)| a + 1.5 * b).collect();
        canceller.remove(&mic, &played[over]);
        assert!(canceller.hears_somebody());

        let rest = 4 * WINDOW..4 * WINDOW + WINDOW / 4;
        let left = canceller.remove(&echo[rest.clone()], &played[rest.clone()]);
        let removed = removed_db(&echo[rest], &left);
        assert!(removed < -10.0, "{removed}");
    }

    #[test]
    fn our_voice_turned_down_is_still_ours() {
        let played = babble(5, 4 * WINDOW);
        let echo = echoed(&played, 300, 0.5);
        let mut canceller = Canceller::new(1_024);
        canceller.remove(&echo[..3 * WINDOW], &played[..3 * WINDOW]);
        let ducked: Vec<f32> = echo[3 * WINDOW..].iter().map(|x| 0.2 * x).collect();
        canceller.remove(&ducked[..WINDOW / 2], &played[3 * WINDOW..][..WINDOW / 2]);
        assert!(!canceller.hears_somebody());
    }
}
