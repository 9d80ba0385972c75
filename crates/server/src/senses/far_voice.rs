//! A voice elsewhere: any service with OpenAI's `/v1/audio/speech`.
//!
//! A clause is one request, so the first is heard while the rest is still being
//! written.

use std::io::Cursor;

use hound::{SampleFormat, WavReader};
use serde_json::json;
use speech::engine::Unavailable;
use speech::resample::{Resampler, VOICE_RATE};
use speech::tts::pronunciation::respelled;
use speech::tts::spoken::spoken;
use speech::tts::{Clause, Manner, Sound, Voice, placed};

use super::service::{Refused, Service};
use crate::config::SoundFormat;

pub const DOOR: &str = "/audio/speech";

pub struct FarVoice {
    pub service: Service,
    /// What the service calls it.
    pub name: String,
    pub format: SoundFormat,
}

impl Voice for FarVoice {
    fn rate(&self) -> u32 {
        VOICE_RATE
    }

    fn say(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable> {
        self.said(clause, manner).map_err(|refused| self.service.unavailable(&refused))
    }
}

impl FarVoice {
    fn said(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Refused> {
        let words = spoken(&clause.text, clause.at.start);
        let text: Vec<String> =
            words.iter().map(|word| respelled(&word.words, &manner.pronunciations)).collect();
        let format = match self.format {
            SoundFormat::Pcm => "pcm",
            SoundFormat::Wav => "wav",
        };
        let body = json!({
            "model": self.service.model,
            "voice": self.name,
            "input": text.join(" "),
            "response_format": format,
            "speed": manner.speed.clamp(Manner::SLOWEST, Manner::FASTEST),
        });
        let answer = self.service.ask("application/json", body.to_string().into_bytes())?;
        // Some send a file whatever they were asked for.
        let is_wav = answer.body.starts_with(b"RIFF");
        let samples = match self.format {
            SoundFormat::Pcm if !is_wav => pcm(&answer.body)?,
            SoundFormat::Pcm | SoundFormat::Wav => wav(&answer.body)?,
        };
        if samples.is_empty() {
            return Err(Refused::Nonsense("there is no sound in it".to_owned()));
        }
        let words = placed(&words, &samples);
        Ok(Sound { samples, words, stood_in: false })
    }
}

fn pcm(bytes: &[u8]) -> Result<Vec<f32>, Refused> {
    if !bytes.len().is_multiple_of(2) {
        return Err(Refused::Nonsense("the sound ends in the middle of a sample".to_owned()));
    }
    let samples = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    Ok(samples.map(|sample| f32::from(sample) / 32_768.0).collect())
}

/// One channel at our own rate, whatever the file has.
fn wav(bytes: &[u8]) -> Result<Vec<f32>, Refused> {
    let nonsense = |error: hound::Error| Refused::Nonsense(error.to_string());
    let file = WavReader::new(Cursor::new(bytes)).map_err(nonsense)?;
    let spec = file.spec();
    if !(8_000..=48_000).contains(&spec.sample_rate) || !(1..=2).contains(&spec.channels) {
        return Err(Refused::Nonsense("its sound has a rate or channels nobody has".to_owned()));
    }
    let samples: Vec<f32> = match (spec.sample_format, spec.bits_per_sample) {
        (SampleFormat::Int, 16) => {
            let all: Result<Vec<i16>, _> = file.into_samples().collect();
            all.map_err(nonsense)?.into_iter().map(|sample| f32::from(sample) / 32_768.0).collect()
        }
        (SampleFormat::Float, 32) => {
            file.into_samples().collect::<Result<_, _>>().map_err(nonsense)?
        }
        _ => return Err(Refused::Nonsense("its samples are neither 16 bit nor floats".to_owned())),
    };
    let channels = usize::from(spec.channels);
    #[expect(clippy::cast_precision_loss, reason = "one or two")]
    let mono: Vec<f32> = samples
        .chunks_exact(channels)
        .map(|all| all.iter().sum::<f32>() / channels as f32)
        .collect();
    let mut resampler = Resampler::new(spec.sample_rate, VOICE_RATE);
    let mut out = resampler.push(&mono);
    out.extend(resampler.finish());
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_sound_is_refused() {
        assert!(matches!(pcm(&[1]), Err(Refused::Nonsense(_))));
        assert!(matches!(wav(b"RIFF and nothing"), Err(Refused::Nonsense(_))));
    }
}
