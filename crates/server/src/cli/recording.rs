//! Sound in files: what is said to Sayso, and what it says.

use std::path::Path;

use anyhow::{Context, bail};
use hound::{SampleFormat, WavReader, WavSpec, WavWriter};

/// A file of sound.
pub struct Recording {
    pub rate: u32,
    pub channels: u16,
    pub bytes: Vec<u8>,
}

impl Recording {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let place = path.display();
        let wav = WavReader::open(path).with_context(|| format!("{place} is no WAV file"))?;
        let spec = wav.spec();
        if (spec.sample_format, spec.bits_per_sample) != (SampleFormat::Int, 16) {
            bail!(
                "{place} has other samples than 16 bit; `ffmpeg -i {place} -c:a pcm_s16le new.wav` makes them so"
            );
        }
        let samples: Result<Vec<i16>, _> = wav.into_samples::<i16>().collect();
        let samples = samples.with_context(|| format!("{place} ends in the middle"))?;
        let bytes = samples.into_iter().flat_map(i16::to_le_bytes).collect();
        Ok(Self { rate: spec.sample_rate, channels: spec.channels, bytes })
    }

    /// Whole samples of so long a time.
    pub fn bytes_of(&self, ms: u32) -> usize {
        (self.rate * ms / 1_000) as usize * usize::from(self.channels) * 2
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
