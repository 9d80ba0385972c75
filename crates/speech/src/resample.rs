//! From any rate to ours and from ours to any, as a stream of pieces of any size.

use std::fmt;

use rubato::audioadapter_buffers::direct::SequentialSliceOfSlices;
use rubato::{Fft, FixedSync, Indexing, Resampler as _};

use crate::pcm::{self, BadSound, Format, Steady};

/// What the ears listen at.
pub const EARS_RATE: u32 = 16_000;
/// What the voice speaks at.
pub const VOICE_RATE: u32 = 24_000;

/// About 10 ms at a time: short enough to be heard at once, long enough to filter well.
const BLOCKS_A_SECOND: u32 = 100;

/// One channel from one rate to another. What does not fill a block waits for
/// the next piece; the delay of the filter is taken out.
pub struct Resampler {
    inner: Option<Fft<f32>>,
    waiting: Vec<f32>,
    /// Still to be thrown away: the filter's delay.
    late: usize,
    taken: u64,
    given: u64,
    from: u32,
    to: u32,
}

impl Resampler {
    /// Both rates come out of a [`Format`] or are ours.
    pub fn new(from: u32, to: u32) -> Self {
        let inner = (from != to).then(|| {
            let block = (from / BLOCKS_A_SECOND) as usize;
            Fft::new(from as usize, to as usize, block, 1, FixedSync::Input)
                .expect("both rates were checked")
        });
        let late = inner.as_ref().map_or(0, rubato::Resampler::output_delay);
        Self { inner, waiting: Vec::new(), late, taken: 0, given: 0, from, to }
    }

    pub fn push(&mut self, samples: &[f32]) -> Vec<f32> {
        self.taken += samples.len() as u64;
        let Some(inner) = &mut self.inner else { return samples.to_vec() };
        self.waiting.extend_from_slice(samples);
        let mut out =
            Vec::with_capacity(samples.len() * self.to as usize / self.from as usize + 64);
        let mut used = 0;
        while self.waiting.len() - used >= inner.input_frames_next() {
            used += convert(inner, &self.waiting[used..], None, &mut out);
        }
        self.waiting.drain(..used);
        let skipped = self.late.min(out.len());
        self.late -= skipped;
        out.drain(..skipped);
        self.given += out.len() as u64;
        out
    }

    /// What is still inside; afterwards it is as new.
    pub fn finish(&mut self) -> Vec<f32> {
        let mut out = Vec::new();
        if let Some(inner) = &self.inner {
            let block = inner.input_frames_next();
            let owed = self.taken * u64::from(self.to) / u64::from(self.from);
            let missing = usize::try_from(owed.saturating_sub(self.given)).unwrap_or(0);
            while out.len() < missing {
                let more = self.push(&vec![0.0; block]);
                out.extend(more);
            }
            out.truncate(missing);
        }
        *self = Self::new(self.from, self.to);
        out
    }
}

impl fmt::Debug for Resampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Resampler({} to {})", self.from, self.to)
    }
}

fn convert(
    inner: &mut Fft<f32>,
    samples: &[f32],
    indexing: Option<&Indexing>,
    out: &mut Vec<f32>,
) -> usize {
    let start = out.len();
    out.resize(start + inner.output_frames_max(), 0.0);
    let (input, room) = ([samples], out.len() - start);
    let mut target = [&mut out[start..]];
    let input = SequentialSliceOfSlices::new(&input, 1, samples.len()).expect("one channel");
    let mut output = SequentialSliceOfSlices::new_mut(&mut target, 1, room).expect("one channel");
    let (used, made) = inner
        .process_into_buffer(&input, &mut output, indexing)
        .expect("there is a whole block and room for it");
    out.truncate(start + made);
    used
}

/// Bytes from a microphone to samples for the ears.
#[derive(Debug)]
pub struct Intake {
    format: Format,
    resampler: Resampler,
    steady: Steady,
}

impl Intake {
    pub fn new(format: Format) -> Self {
        let resampler = Resampler::new(format.rate(), EARS_RATE);
        Self { format, resampler, steady: Steady::default() }
    }

    /// A frame that cannot be read changes nothing.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Vec<f32>, BadSound> {
        let samples = self.format.samples(bytes)?;
        let mut samples = self.resampler.push(&samples);
        self.steady.remove(&mut samples);
        Ok(samples)
    }

    pub fn finish(&mut self) -> Vec<f32> {
        let mut samples = self.resampler.finish();
        self.steady.remove(&mut samples);
        samples
    }
}

/// Samples from the voice to bytes for a loudspeaker, one channel.
#[derive(Debug)]
pub struct Outlet {
    resampler: Resampler,
}

impl Outlet {
    pub fn new(rate: u32) -> Result<Self, BadSound> {
        let format = Format::mono(rate)?;
        Ok(Self { resampler: Resampler::new(VOICE_RATE, format.rate()) })
    }

    pub fn push(&mut self, samples: &[f32]) -> Vec<u8> {
        pcm::bytes(&self.resampler.push(samples))
    }

    pub fn finish(&mut self) -> Vec<u8> {
        pcm::bytes(&self.resampler.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::cast_precision_loss, reason = "a second of samples is few")]
    fn tone(hz: f32, rate: u32, seconds: usize) -> Vec<f32> {
        let step = std::f32::consts::TAU * hz / rate as f32;
        (0..rate as usize * seconds).map(|n| (n as f32 * step).sin() * 0.5).collect()
    }

    fn loudest_difference(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
    }

    #[test]
    fn a_tone_keeps_its_pitch_length_and_place_whatever_the_rates_and_pieces() {
        for rate in [8_000, 11_025, 22_050, 24_000, 32_000, 44_100, 48_000] {
            for piece in [1, 7, 160, 4_001] {
                let mut resampler = Resampler::new(rate, EARS_RATE);
                let input = tone(440.0, rate, 1);
                let mut out: Vec<f32> =
                    input.chunks(piece).flat_map(|piece| resampler.push(piece)).collect();
                out.extend(resampler.finish());

                let expected = tone(440.0, EARS_RATE, 1);
                assert_eq!(out.len(), expected.len(), "{rate} in pieces of {piece}");
                let off = loudest_difference(&out[800..15_200], &expected[800..15_200]);
                // Where a block has an odd length, its middle is between two samples.
                assert!(off < 0.08, "{rate} in pieces of {piece}: {off}");
            }
        }
    }

    #[test]
    fn what_is_too_high_for_our_rate_does_not_fold_back() {
        let mut resampler = Resampler::new(48_000, EARS_RATE);
        let out = resampler.push(&tone(11_000.0, 48_000, 1));
        let loudest = out[1_600..].iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
        assert!(loudest < 0.005, "{loudest}");
    }

    #[test]
    fn after_the_end_a_stream_starts_like_new() {
        let mut resampler = Resampler::new(48_000, EARS_RATE);
        let input = tone(440.0, 48_000, 1);
        let mut once = resampler.push(&input);
        once.extend(resampler.finish());
        let mut again = resampler.push(&input);
        again.extend(resampler.finish());
        assert_eq!(once, again);
    }

    #[test]
    fn a_torn_frame_is_refused_and_the_stream_goes_on() {
        let mut intake = Intake::new(Format::mono(48_000).unwrap());
        let sound = pcm::bytes(&tone(440.0, 48_000, 1));

        let mut heard = intake.take(&sound[..48_000]).unwrap();
        assert_eq!(intake.take(&sound[..5]), Err(BadSound::Torn { bytes: 5, each: 2 }));
        heard.extend(intake.take(&sound[48_000..]).unwrap());
        heard.extend(intake.finish());

        assert_eq!(heard.len(), 16_000);
    }

    #[test]
    fn the_voice_goes_out_at_the_rate_that_was_asked_for() {
        for rate in [8_000, 16_000, 24_000, 44_100, 48_000] {
            let mut outlet = Outlet::new(rate).unwrap();
            let mut bytes = outlet.push(&tone(300.0, VOICE_RATE, 2));
            bytes.extend(outlet.finish());
            assert_eq!(bytes.len(), rate as usize * 4);
        }
        assert_eq!(Outlet::new(1).unwrap_err(), BadSound::Rate(1));
    }
}
