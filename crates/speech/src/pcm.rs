//! Sound as bytes: what a microphone sends and a loudspeaker takes.
//!
//! Samples of two bytes, the lower first, one or two channels, 8 to 48 thousand
//! a second. Whatever does not fit is told apart here, so that nothing behind
//! this door has to wonder.

/// What comes in cannot be sound, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSound {
    #[error("{0} samples a second is not a rate we take; use 8000 to 48000 in steps of 25")]
    Rate(u32),
    #[error("{0} channels are not taken; send one or two")]
    Channels(u16),
    #[error("{bytes} bytes are not whole samples of {each} bytes")]
    Torn { bytes: usize, each: usize },
}

/// Channels that leave less than this of one of them when they are added up are the same
/// sound, one upside down. (One channel that is silent leaves a quarter.)
const OPPOSED: f32 = 0.02;

/// How the bytes of a stream are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    rate: u32,
    channels: u16,
}

impl Format {
    pub fn new(rate: u32, channels: u16) -> Result<Self, BadSound> {
        // An odd rate has no small common measure with ours; no device has one.
        if !(8_000..=48_000).contains(&rate) || !rate.is_multiple_of(25) {
            return Err(BadSound::Rate(rate));
        }
        if !(1..=2).contains(&channels) {
            return Err(BadSound::Channels(channels));
        }
        Ok(Self { rate, channels })
    }

    pub fn mono(rate: u32) -> Result<Self, BadSound> {
        Self::new(rate, 1)
    }

    pub fn rate(self) -> u32 {
        self.rate
    }

    pub fn channels(self) -> u16 {
        self.channels
    }

    /// The samples in `bytes`, both channels as one, between -1 and 1.
    pub fn samples(self, bytes: &[u8]) -> Result<Vec<f32>, BadSound> {
        let each = 2 * usize::from(self.channels);
        if !bytes.len().is_multiple_of(each) {
            return Err(BadSound::Torn { bytes: bytes.len(), each });
        }
        let share = 1.0 / f32::from(self.channels);
        let frames = || bytes.chunks_exact(each);
        let both: Vec<f32> =
            frames().map(|frame| frame.chunks_exact(2).map(sample).sum::<f32>() * share).collect();
        if self.channels == 1 {
            return Ok(both);
        }
        // A plug with crossed wires: together they are nothing, alone each is all.
        let first: Vec<f32> = frames().map(sample).collect();
        Ok(if power(&both) < OPPOSED * power(&first) { first } else { both })
    }
}

fn power(samples: &[f32]) -> f32 {
    samples.iter().map(|sample| sample * sample).sum()
}

fn sample(bytes: &[u8]) -> f32 {
    f32::from(i16::from_le_bytes([bytes[0], bytes[1]])) / 32_768.0
}

/// Samples as bytes; what is too loud is cut at the top, never wrapped around.
pub fn bytes(samples: &[f32]) -> Vec<u8> {
    samples.iter().flat_map(|sample| level(*sample).to_le_bytes()).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
fn level(sample: f32) -> i16 {
    (sample * 32_767.0).round().clamp(-32_768.0, 32_767.0) as i16
}

/// Takes out what does not swing: cheap sound cards add a constant, and models
/// were not trained on one.
#[derive(Clone, Debug, Default)]
pub struct Steady {
    before: Option<f32>,
    out: f32,
}

impl Steady {
    /// Keeps everything above some 20 Hz at 16 thousand samples a second.
    const KEPT: f32 = 0.992;

    pub fn remove(&mut self, samples: &mut [f32]) {
        for sample in samples {
            // Starting from the first sample there is no step to ring at.
            let before = self.before.replace(*sample).unwrap_or(*sample);
            self.out = *sample - before + Self::KEPT * self.out;
            *sample = self.out;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_channels_that_nobody_has_are_refused() {
        for rate in [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] {
            assert_eq!(Format::new(rate, 2).unwrap().rate(), rate);
        }
        for rate in [0, 7_999, 22_051, 48_025, 96_000, u32::MAX] {
            assert_eq!(Format::mono(rate), Err(BadSound::Rate(rate)));
        }
        assert_eq!(Format::new(16_000, 0), Err(BadSound::Channels(0)));
        assert_eq!(Format::new(16_000, 6), Err(BadSound::Channels(6)));
    }

    #[test]
    fn channels_in_opposite_phase_do_not_silence_each_other() {
        let stereo = Format::new(16_000, 2).unwrap();
        let frames = |left: i16, right: i16| [left.to_le_bytes(), right.to_le_bytes()].concat();
        for (right, heard) in [(-8_192, 0.25), (-8_000, 0.25), (8_192, 0.25), (0, 0.125)] {
            let samples = stereo.samples(&frames(8_192, right).repeat(3)).unwrap();
            assert_eq!(samples, [heard; 3], "{right}");
        }
    }

    #[test]
    fn half_a_sample_is_an_error_and_not_a_guess() {
        let (mono, stereo) = (Format::mono(16_000).unwrap(), Format::new(16_000, 2).unwrap());
        assert_eq!(mono.samples(&[1, 2, 3]), Err(BadSound::Torn { bytes: 3, each: 2 }));
        assert_eq!(stereo.samples(&[0; 6]), Err(BadSound::Torn { bytes: 6, each: 4 }));
        assert_eq!(mono.samples(&[]), Ok(vec![]));
    }

    #[test]
    fn two_channels_become_their_middle() {
        let stereo = Format::new(48_000, 2).unwrap();
        let (left, right) = (16_384_i16.to_le_bytes(), 0_i16.to_le_bytes());
        assert_eq!(stereo.samples(&[left, right].concat()), Ok(vec![0.25]));
    }

    #[test]
    fn what_goes_out_comes_back_and_the_loudest_is_cut_not_wrapped() {
        let loud = [0.0, 0.5, -0.5, 1.0, -1.0, 7.0, -7.0, f32::NAN];
        let back = Format::mono(24_000).unwrap().samples(&bytes(&loud)).unwrap();
        for (back, sent) in back.iter().zip([0.0, 0.5, -0.5, 1.0, -1.0, 1.0, -1.0, 0.0]) {
            assert!((back - sent).abs() < 1e-4, "{back} for {sent}");
        }
    }

    #[test]
    fn a_constant_is_taken_out_and_a_tone_is_left() {
        let tone = |n: u16| (f32::from(n) * 0.4).sin() * 0.3;
        let mut samples: Vec<f32> = (0..16_000).map(|n| tone(n) + 0.4).collect();

        Steady::default().remove(&mut samples);

        let mean = samples[8_000..].iter().sum::<f32>() / 8_000.0;
        let peak = samples[8_000..].iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
        assert!(mean.abs() < 0.002 && (0.29..0.31).contains(&peak), "{mean} {peak}");
    }
}
