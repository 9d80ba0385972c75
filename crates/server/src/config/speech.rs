//! `[speech]`: what is heard and spoken with.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Context, bail};
use brain::resolve::keywords::Keywords;
use models::provider::cost;
use models::realtime::Prices;
use serde::{Deserialize, Serialize};

/// What is heard and spoken, with models on this machine or by a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speech {
    pub hear: bool,
    pub speak: bool,
    /// How fast, 50 to 200; 100 is the voice's own pace.
    pub speed_percent: u8,
    /// Words that people here use and ears may not know, as they are written; beside those
    /// of the agent.
    pub keywords: Vec<String>,
    /// A folder with Whisper in ONNX, which then hears what counts; none while empty.
    pub whisper: PathBuf,
    /// The same with Kokoro, which then speaks; and the name of its voice.
    pub kokoro: PathBuf,
    pub kokoro_voice: String,
    /// Who writes down what was said, instead of the built-in ears.
    pub transcription: SpeechService,
    /// Who speaks, instead of the built-in voice.
    pub voice: VoiceService,
    /// Who hears, thinks and speaks in one, where people talk.
    pub live: LiveService,
}

/// A live voice that speaks as OpenAI's Realtime does; none while `model` is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveService {
    pub model: String,
    /// Up to and with `/v1`; empty is where `models.openai` is.
    pub url: String,
    /// Empty is the key of `models.openai`.
    pub key: Secret,
    /// What the service calls the voice.
    pub voice: String,
    /// Who writes down what people say there.
    pub transcription: String,
    /// What people speak, such as `en`; empty leaves it to the service.
    pub language: String,
    /// `local` where nothing leaves what is the person's own, `cloud` where it does; empty
    /// goes by the address.
    pub tier: String,
    /// Until the line is open.
    pub timeout_seconds: u64,
    /// Dollars for a million tokens, as `input/cached/output`.
    pub text_price: String,
    pub sound_price: String,
    /// The same of whoever writes down what people say there.
    pub transcription_price: String,
    /// Where it is paid by the minute: dollars for one.
    pub transcription_minute_price: String,
}

/// A service that speaks as OpenAI's does; none while `url` is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeechService {
    /// Up to and with `/v1`.
    pub url: String,
    pub key: Secret,
    pub model: String,
    /// What people speak there, such as `en`; empty leaves it to the service.
    #[serde(default)]
    pub language: String,
    /// As for a live voice.
    #[serde(default)]
    pub tier: String,
    pub timeout_seconds: u64,
}

/// The same for a voice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoiceService {
    pub url: String,
    pub key: Secret,
    pub model: String,
    /// What the service calls the voice.
    pub name: String,
    pub format: SoundFormat,
    pub tier: String,
    pub timeout_seconds: u64,
}

/// What a voice sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoundFormat {
    /// Samples of two bytes, one channel, 24 thousand a second, and nothing else.
    #[default]
    Pcm,
    Wav,
}

/// Something that is never printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// To be shown to whoever it is for.
    pub fn shown(&self) -> Option<String> {
        Some(self.0.clone()).filter(|key| !key.is_empty())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "none" } else { "(secret)" })
    }
}

impl Default for Speech {
    fn default() -> Self {
        Self {
            hear: true,
            speak: true,
            speed_percent: 100,
            keywords: Vec::new(),
            whisper: PathBuf::new(),
            kokoro: PathBuf::new(),
            kokoro_voice: "af_heart".into(),
            transcription: SpeechService {
                url: String::new(),
                key: Secret::default(),
                model: "whisper-1".into(),
                language: "en".into(),
                tier: String::new(),
                timeout_seconds: 10,
            },
            voice: VoiceService {
                url: String::new(),
                key: Secret::default(),
                model: "tts-1".into(),
                name: "alloy".into(),
                format: SoundFormat::Pcm,
                tier: String::new(),
                timeout_seconds: 10,
            },
            live: LiveService {
                model: String::new(),
                url: String::new(),
                key: Secret::default(),
                voice: "cedar".into(),
                transcription: "gpt-live-transcribe".into(),
                language: "en".into(),
                tier: String::new(),
                timeout_seconds: 5,
                text_price: "4/0.4/16".into(),
                sound_price: "32/0.4/64".into(),
                transcription_price: "6/6/10".into(),
                transcription_minute_price: "0.017".into(),
            },
        }
    }
}

impl LiveService {
    pub fn is_on(&self) -> bool {
        !self.model.trim().is_empty()
    }

    pub fn prices(&self) -> anyhow::Result<Prices> {
        let read = |name: &str, text: &str| {
            cost::read_price(text)
                .with_context(|| format!("`speech.live.{name} = \"{text}\"`: it is like 32/0.4/64"))
        };
        let told = &self.transcription_minute_price;
        let minute = told.trim().parse::<f64>().ok().filter(|it| it.is_finite() && *it >= 0.0);
        Ok(Prices {
            text: read("text_price", &self.text_price)?,
            sound: read("sound_price", &self.sound_price)?,
            writing: read("transcription_price", &self.transcription_price)?,
            writing_a_minute: minute.with_context(|| {
                format!("`speech.live.transcription_minute_price = \"{told}\"`: it is like 0.017")
            })?,
        })
    }

    fn check(&self) -> anyhow::Result<()> {
        self.prices()?;
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':');
        if !self.model.chars().all(fits) {
            bail!("`speech.live.model = \"{}\"`: a name has no such signs", self.model);
        }
        if self.is_on() && (self.voice.is_empty() || self.transcription.is_empty()) {
            bail!("`speech.live` needs a `voice` and a `transcription` besides its `model`");
        }
        Ok(())
    }
}

impl VoiceService {
    /// What it has in common with every service.
    pub fn service(&self) -> SpeechService {
        SpeechService {
            url: self.url.clone(),
            key: self.key.clone(),
            model: self.model.clone(),
            language: String::new(),
            tier: self.tier.clone(),
            timeout_seconds: self.timeout_seconds,
        }
    }
}

impl Speech {
    pub fn check(&self) -> anyhow::Result<()> {
        let speed = self.speed_percent;
        if !(50..=200).contains(&speed) {
            bail!("`speech.speed_percent = {speed}`: it is a number from 50 to 200");
        }
        let keywords = Keywords::new(&self.keywords);
        keywords.context("in `speech.keywords`")?;
        self.live.check()?;
        let urls = [
            ("transcription", &self.transcription.url),
            ("voice", &self.voice.url),
            ("live", &self.live.url),
        ];
        for (name, url) in urls {
            let known = url.starts_with("https://") || url.starts_with("http://");
            if !url.is_empty() && !known {
                bail!("`speech.{name}.url = \"{url}\"`: it is like https://api.openai.com/v1");
            }
        }
        let tiers = [
            ("transcription", &self.transcription.tier),
            ("voice", &self.voice.tier),
            ("live", &self.live.tier),
        ];
        for (name, tier) in tiers {
            if !matches!(tier.as_str(), "" | "local" | "cloud") {
                bail!("`speech.{name}.tier = \"{tier}\"`: it is local or cloud");
            }
        }
        let both = [
            ("whisper", &self.whisper, "transcription", &self.transcription.url),
            ("kokoro", &self.kokoro, "voice", &self.voice.url),
        ];
        for (model, folder, service, url) in both {
            if !folder.as_os_str().is_empty() && !url.is_empty() {
                bail!("`speech.{model}` and `speech.{service}.url` are both set; keep one of them");
            }
        }
        let waits = [
            self.transcription.timeout_seconds,
            self.voice.timeout_seconds,
            self.live.timeout_seconds,
        ];
        if waits.iter().any(|seconds| !(1..=15).contains(seconds)) {
            bail!("`timeout_seconds` of a speech service is a number from 1 to 15");
        }
        Ok(())
    }
}
