//! Sound on the wire: in an event, or as the binary frames of a connection.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use brain::input::Sound;
use schemars::JsonSchema;
use serde::Deserialize;
use ts_rs::TS;

use super::{SAMPLE_RATES_HZ, complaint};
use crate::Malformed;

/// What the binary frames of a connection hold.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, TS)]
pub(crate) struct BinaryAudio {
    sample_rate: u32,
    channels: u16,
}

/// The binary frames of a connection, which may be cut anywhere.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    holds: BinaryAudio,
    /// The first bytes of a sample whose rest comes with the next frame.
    torn: Vec<u8>,
}

impl Stream {
    pub fn new(holds: BinaryAudio) -> Result<Self, Malformed> {
        samples(&[], holds.sample_rate, holds.channels)?;
        Ok(Self { holds, torn: Vec::new() })
    }

    pub fn take(&mut self, bytes: &[u8]) -> Result<Sound, Malformed> {
        let BinaryAudio { sample_rate, channels } = self.holds;
        let mut whole = std::mem::take(&mut self.torn);
        whole.extend_from_slice(bytes);
        let each = 2 * usize::from(channels);
        self.torn = whole.split_off(whole.len() / each * each);
        samples(&whole, sample_rate, channels)
    }
}

pub(super) fn sound(
    pcm16_b64: &str,
    sample_rate_hz: u32,
    channels: u16,
) -> Result<Sound, Malformed> {
    let bytes = BASE64
        .decode(pcm16_b64)
        .map_err(|error| complaint("bad_audio", format!("pcm16_b64 is not base64: {error}")))?;
    samples(&bytes, sample_rate_hz, channels)
}

fn samples(bytes: &[u8], sample_rate_hz: u32, channels: u16) -> Result<Sound, Malformed> {
    if !SAMPLE_RATES_HZ.contains(&sample_rate_hz) {
        return Err(complaint("bad_audio", "sample_rate must be between 8000 and 48000"));
    }
    if !(1..=2).contains(&channels) {
        return Err(complaint("bad_audio", "channels must be 1 or 2"));
    }
    if !bytes.len().is_multiple_of(2 * usize::from(channels)) {
        return Err(complaint("bad_audio", "the sound ends in the middle of a sample"));
    }
    let samples = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    Ok(Sound { samples: samples.collect(), sample_rate_hz, channels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_frames_may_be_cut_in_the_middle_of_a_sample() {
        for (channels, every) in [(1, 1_601), (2, 1_601), (2, 3), (1, 1)] {
            let all: Vec<i16> = (0..4_000).collect();
            let bytes: Vec<u8> = all.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            let mut stream = Stream::new(BinaryAudio { sample_rate: 16_000, channels }).unwrap();

            let taken = bytes.chunks(every).flat_map(|frame| stream.take(frame).unwrap().samples);

            assert_eq!(taken.collect::<Vec<_>>(), all, "{channels} channels, every {every} bytes");
        }
    }
}
