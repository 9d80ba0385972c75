//! Ears elsewhere: any service with OpenAI's `/v1/audio/transcriptions`.
//!
//! It gives words alone: no figures of how sure they are that anybody has checked.

use std::io::Cursor;

use hound::{SampleFormat, WavSpec, WavWriter};
use models::transcription::{self, Hint};
use serde::Deserialize;
use speech::engine::Unavailable;
use speech::resample::EARS_RATE;
use speech::stt::{Recognised, Recogniser};

use super::service::{Refused, Service};

pub const DOOR: &str = "/audio/transcriptions";

pub struct FarEars {
    pub service: Service,
    pub language: String,
}

#[derive(Deserialize)]
struct Transcription {
    text: String,
}

impl Recogniser for FarEars {
    fn recognise(&self, sound: &[f32], _: Option<&Recognised>) -> Result<Recognised, Unavailable> {
        let text = self.heard(sound).map_err(|refused| self.service.unavailable(&refused))?;
        Ok(Recognised { text, ..Recognised::default() })
    }
}

impl FarEars {
    fn heard(&self, sound: &[f32]) -> Result<String, Refused> {
        // Long enough that no sound has it by accident.
        let edge = format!("sayso-{}", uuid::Uuid::now_v7().simple());
        let mut body = Vec::new();
        let model = self.service.model.as_str();
        let mut fields = vec![("model", model), ("response_format", "json")];
        match transcription::hint(model, &self.language) {
            Hint::None => {}
            Hint::Language(language) => fields.push(("language", language)),
            Hint::Languages(languages) => {
                fields.extend(languages.into_iter().map(|language| ("languages[]", language)));
            }
        }
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
            let head =
                format!("--{edge}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            body.extend_from_slice(format!("{head}{value}\r\n").as_bytes());
        }
        let head = format!(
            "--{edge}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"said.wav\"\r\n\
             Content-Type: audio/wav\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend(wav(sound).map_err(|error| Refused::Request(error.to_string()))?);
        body.extend_from_slice(format!("\r\n--{edge}--\r\n").as_bytes());
        let answer = self.service.ask(&format!("multipart/form-data; boundary={edge}"), body)?;
        let told: Result<Transcription, _> = serde_json::from_slice(&answer.body);
        let told = told.map_err(|error| Refused::Nonsense(error.to_string()))?;
        Ok(told.text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Sound as a file that everybody reads.
fn wav(sound: &[f32]) -> Result<Vec<u8>, hound::Error> {
    let spec = WavSpec {
        channels: 1,
        sample_rate: EARS_RATE,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut file = Cursor::new(Vec::with_capacity(sound.len() * 2 + 44));
    let mut writer = WavWriter::new(&mut file, spec)?;
    for sample in sound {
        #[expect(clippy::cast_possible_truncation, reason = "it is clamped")]
        writer.write_sample((sample.clamp(-1.0, 1.0) * 32_767.0) as i16)?;
    }
    writer.finalize()?;
    Ok(file.into_inner())
}
