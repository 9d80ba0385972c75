//! Ears elsewhere: any service with OpenAI's `/v1/audio/transcriptions`.
//!
//! What is only shown while somebody speaks is heard by the built-in ears: it costs
//! nothing and is there at once. What counts is heard by both. The words are the
//! service's, how sure they are is the built-in ears' to say, word by word where both
//! heard the same: a service gives no figures that anybody has checked, so a yes that
//! only it heard decides nothing.

use std::io::Cursor;
use std::sync::Arc;

use hound::{SampleFormat, WavSpec, WavWriter};
use serde::Deserialize;
use speech::engine::Unavailable;
use speech::resample::EARS_RATE;
use speech::stt::{HeardWord, Recognised, Recogniser};

use super::service::{Refused, Service, fell_back};

pub const DOOR: &str = "/audio/transcriptions";
/// Of a word that nobody else heard: too little for a yes.
const UNSURE: f32 = -0.7;

pub struct FarEars {
    pub service: Service,
    pub language: String,
    pub built_in: Option<Arc<dyn Recogniser>>,
}

#[derive(Deserialize)]
struct Transcription {
    text: String,
}

impl Recogniser for FarEars {
    fn recognise(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        let (heard, ours) = std::thread::scope(|scope| {
            let ours = self
                .built_in
                .as_ref()
                .map(|built_in| scope.spawn(move || built_in.recognise(sound, draft)));
            let heard = self.heard(sound);
            // Ears that break down hear nothing; the service may have.
            let ours = ours.map(|ours| ours.join().unwrap_or_else(|_| Ok(Recognised::default())));
            (heard, ours)
        });
        match (heard, ours) {
            (Ok(text), ours) => Ok(weighed(&text, ours.and_then(Result::ok).as_ref())),
            (Err(refused), Some(ours)) => {
                fell_back("ears", &refused);
                ours
            }
            (Err(refused), None) => Err(self.service.unavailable(&refused)),
        }
    }

    fn glimpse(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        match &self.built_in {
            Some(built_in) => built_in.glimpse(sound, draft),
            None => Ok(Recognised::default()),
        }
    }
}

impl FarEars {
    fn heard(&self, sound: &[f32]) -> Result<String, Refused> {
        // Long enough that no sound has it by accident.
        let edge = format!("sayso-{}", uuid::Uuid::now_v7().simple());
        let mut body = Vec::new();
        let fields = [
            ("model", self.service.model.as_str()),
            ("response_format", "json"),
            ("language", &self.language),
        ];
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

/// The service's words, each as sure as the built-in ears are where they heard it too.
fn weighed(text: &str, ours: Option<&Recognised>) -> Recognised {
    let nothing = Recognised::default();
    let ours = ours.unwrap_or(&nothing);
    let theirs: Vec<&str> = text.split_whitespace().collect();
    let same = same_words(&theirs, &ours.words);
    let words: Vec<HeardWord> = theirs
        .iter()
        .zip(&same)
        .map(|(text, logp)| HeardWord { text: (*text).to_owned(), logp: logp.unwrap_or(UNSURE) })
        .collect();
    let agree = same.len() == ours.words.len() && same.iter().all(Option::is_some);
    let min_logp = words.iter().map(|word| word.logp).fold(0.0, f32::min);
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let mean_logp = words.iter().map(|word| word.logp).sum::<f32>() / words.len().max(1) as f32;
    Recognised {
        text: text.to_owned(),
        words,
        mean_logp,
        min_logp,
        may_refuse: if agree { ours.may_refuse } else { Some(1.0) },
        looped: false,
        pieces: Vec::new(),
    }
}

/// For each of their words, how sure we are of ours where it is the same, in order.
fn same_words(theirs: &[&str], ours: &[HeardWord]) -> Vec<Option<f32>> {
    let plain = |word: &str| {
        word.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let theirs: Vec<String> = theirs.iter().map(|word| plain(word)).collect();
    let heard: Vec<String> = ours.iter().map(|word| plain(&word.text)).collect();
    // How many are the same from here on, for every pair of places.
    let mut most = vec![vec![0_usize; heard.len() + 1]; theirs.len() + 1];
    for (i, their) in theirs.iter().enumerate().rev() {
        for (j, our) in heard.iter().enumerate().rev() {
            most[i][j] = if their == our {
                most[i + 1][j + 1] + 1
            } else {
                most[i + 1][j].max(most[i][j + 1])
            };
        }
    }
    let (mut same, mut j) = (Vec::with_capacity(theirs.len()), 0);
    for (i, their) in theirs.iter().enumerate() {
        while j < heard.len() && heard[j] != *their && most[i][j + 1] >= most[i][j] {
            j += 1;
        }
        let found = heard.get(j).is_some_and(|our| our == their);
        same.push(found.then(|| ours[j].logp));
        j += usize::from(found);
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(words: &[(&str, f32)]) -> Recognised {
        let word = |(text, logp): &(&str, f32)| HeardWord { text: (*text).to_owned(), logp: *logp };
        Recognised {
            words: words.iter().map(word).collect(),
            may_refuse: Some(0.01),
            ..Recognised::default()
        }
    }

    #[test]
    fn a_yes_is_as_sure_as_the_ears_that_were_checked() {
        let both = weighed(
            "Yes, send it.",
            Some(&heard(&[("yes", -0.01), ("send", -0.02), ("it", -0.03)])),
        );
        assert_eq!(
            both.words.iter().map(|word| word.logp).collect::<Vec<_>>(),
            [-0.01, -0.02, -0.03]
        );
        assert_eq!(both.may_refuse, Some(0.01));
        for ours in [
            None,
            Some(&heard(&[])),
            Some(&heard(&[("no", -0.01), ("send", -0.01), ("it", -0.01)])),
        ] {
            let alone = weighed("Yes, send it.", ours);
            assert!(
                alone.words[0].confidence() < 0.45 && alone.may_refuse > Some(0.9),
                "{alone:?}"
            );
        }
    }

    #[test]
    fn a_word_that_only_we_heard_may_have_been_a_refusal() {
        let ours = heard(&[("yes", -0.01), ("but", -0.01), ("send", -0.01), ("it", -0.01)]);
        let told = weighed("yes send it", Some(&ours));
        assert!(told.may_refuse > Some(0.9));
        assert_eq!(told.words.iter().map(|word| word.logp).collect::<Vec<_>>(), [-0.01; 3]);
    }
}
