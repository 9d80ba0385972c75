//! Sound in files: what is said to Sayso, and what it says.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, bail};
use hound::{SampleFormat, WavReader, WavSpec, WavWriter};
use speech::pcm;
use speech::resample::Resampler;

/// What a conversation takes: a file that has more is brought down to it.
const HIGHEST_RATE: u32 = 48_000;
const LOWEST_RATE: u32 = 8_000;
const MOST_CHANNELS: u16 = 2;
/// No file has more; a header that says so is damaged.
const HIGHEST_OF_ALL: u32 = 768_000;

/// A file of sound.
#[derive(Debug, PartialEq, Eq)]
pub struct Recording {
    pub rate: u32,
    pub channels: u16,
    pub bytes: Vec<u8>,
}

impl Recording {
    /// A WAV of any usual kind, as samples of two bytes.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let place = path.display();
        let wav = match WavReader::open(path) {
            Ok(wav) => wav,
            Err(hound::Error::IoError(error)) if error.kind() == ErrorKind::NotFound => {
                bail!("{place} is not there");
            }
            Err(hound::Error::Unsupported) => bail!(
                "{place} has a kind of sound that is not read; `ffmpeg -i {place} -c:a pcm_s16le new.wav` makes one that is"
            ),
            Err(error) => return Err(error).with_context(|| format!("{place} is no WAV file")),
        };
        let WavSpec { channels, sample_rate: rate, .. } = wav.spec();
        if channels == 0 || !(LOWEST_RATE..=HIGHEST_OF_ALL).contains(&rate) {
            bail!(
                "{place} has {rate} samples a second and {channels} channels; `ffmpeg -i {place} -ar 16000 -ac 1 new.wav` makes one that is heard"
            );
        }
        let samples = samples(wav).with_context(|| format!("{place} ends in the middle"))?;
        Ok(Self::of(rate, channels, &samples))
    }

    /// What is within reach stays as it is; otherwise it becomes one channel.
    fn of(rate: u32, channels: u16, samples: &[f32]) -> Self {
        if channels <= MOST_CHANNELS && rate <= HIGHEST_RATE {
            return Self { rate, channels, bytes: pcm::bytes(samples) };
        }
        let share = 1.0 / f32::from(channels);
        let frames = samples.chunks_exact(channels.into());
        let mixed: Vec<f32> = frames.map(|frame| frame.iter().sum::<f32>() * share).collect();
        let to = rate.min(HIGHEST_RATE);
        let mut resampler = Resampler::new(rate, to);
        let mut out = resampler.push(&mixed);
        out.extend(resampler.finish());
        Self { rate: to, channels: 1, bytes: pcm::bytes(&out) }
    }

    /// Whole samples of so long a time.
    pub fn bytes_of(&self, ms: u32) -> usize {
        (self.rate * ms / 1_000) as usize * usize::from(self.channels) * 2
    }
}

/// From -1 to 1, whatever they are in the file.
#[expect(clippy::cast_precision_loss, reason = "more than 24 bits of a sound are noise")]
fn samples(wav: WavReader<impl std::io::Read>) -> Result<Vec<f32>, hound::Error> {
    let spec = wav.spec();
    match spec.sample_format {
        SampleFormat::Float => wav.into_samples::<f32>().collect(),
        SampleFormat::Int => {
            let whole = 2_f32.powi(i32::from(spec.bits_per_sample) - 1);
            wav.into_samples::<i32>()
                .map(|sample| sample.map(|sample| sample as f32 / whole))
                .collect()
        }
    }
}

/// Writes samples of two bytes, one channel, as a file that everything plays.
pub fn write(path: &Path, rate: u32, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("{} cannot be written", path.display());
    let spec = WavSpec {
        channels: 1,
        sample_rate: rate,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut file = WavWriter::create(path, spec).with_context(cannot)?;
    for sample in bytes.chunks_exact(2) {
        file.write_sample(i16::from_le_bytes([sample[0], sample[1]])).with_context(cannot)?;
    }
    file.finalize().with_context(cannot)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A second of a tone in every channel, written as such a file.
    #[expect(clippy::cast_possible_truncation, reason = "half as loud as can be")]
    fn tone(folder: &TempDir, rate: u32, channels: u16, kind: (SampleFormat, u16)) -> Recording {
        let path = folder.path().join("tone.wav");
        let (sample_format, bits_per_sample) = kind;
        let spec = WavSpec { channels, sample_rate: rate, bits_per_sample, sample_format };
        let mut file = WavWriter::create(&path, spec).unwrap();
        for at in 0..rate {
            let phase = f64::from(at) / f64::from(rate) * std::f64::consts::TAU * 200.0;
            for _ in 0..channels {
                let value = phase.sin() * 0.5;
                let whole = 2_f64.powi(i32::from(bits_per_sample) - 1);
                match sample_format {
                    SampleFormat::Float => file.write_sample(value as f32).unwrap(),
                    SampleFormat::Int => file.write_sample((value * whole) as i32).unwrap(),
                }
            }
        }
        file.finalize().unwrap();
        Recording::read(&path).unwrap()
    }

    fn loudest(recording: &Recording) -> i16 {
        let samples =
            recording.bytes.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]]));
        samples.max().unwrap()
    }

    #[test]
    fn every_usual_kind_of_file_is_the_same_sound() {
        let folder = TempDir::new().unwrap();
        let int = SampleFormat::Int;
        for kind in [(int, 8), (int, 16), (int, 24), (int, 32), (SampleFormat::Float, 32)] {
            let read = tone(&folder, 16_000, 2, kind);
            assert_eq!((read.rate, read.channels, read.bytes.len()), (16_000, 2, 64_000));
            assert!((16_000..16_700).contains(&loudest(&read)), "{kind:?} {}", loudest(&read));
        }
        for (rate, channels, to) in [(96_000, 1, 48_000), (16_000, 6, 16_000), (192_000, 2, 48_000)]
        {
            let read = tone(&folder, rate, channels, (int, 16));
            assert_eq!((read.rate, read.channels), (to, 1), "{rate} {channels}");
            assert_eq!(read.bytes.len(), to as usize * 2, "{rate} {channels}");
            assert!((15_800..17_000).contains(&loudest(&read)), "{rate} {}", loudest(&read));
        }
    }

    #[test]
    fn a_file_that_cannot_be_heard_is_named_with_what_to_do() {
        let folder = TempDir::new().unwrap();
        let told = |path: &Path| format!("{:#}", Recording::read(path).unwrap_err());
        let missing = folder.path().join("missing.wav");
        assert_eq!(told(&missing), format!("{} is not there", missing.display()));
        let slow = folder.path().join("slow.wav");
        write(&slow, 4_000, &[0; 800]).unwrap();
        assert!(told(&slow).contains("slow.wav has 4000 samples a second"), "{}", told(&slow));
        assert!(told(&slow).contains("ffmpeg -i"), "{}", told(&slow));
    }
}
