//! Ears and a voice: from the models in the assets folder, where they are, from those
//! in a folder that the settings name, or from a service.
//!
//! A model is loaded when it is needed first, or ahead of that by whoever serves:
//! a command that only looks something up does not wait for one.

pub mod far_ears;
pub mod far_voice;
pub mod service;
mod theirs;

#[cfg(test)]
mod fake;
#[cfg(test)]
mod far_tests;

use std::sync::{Arc, OnceLock};

use anyhow::Context;
use session::{Hearing, Senses, Speaking};
use speech::endpoint::Patience;
use speech::engine::{Lanes, Unavailable};
use speech::resample::VOICE_RATE;
use speech::stt::{Moonshine, Recognised, Recogniser, Whisper};
use speech::tts::{Clause, Hibari, Kokoro, Manner, Sound, Voice};
use speech::vad::{FRAME, Listener, Memory, Silero};
use tokio::runtime::Handle;

use self::far_ears::FarEars;
use self::far_voice::FarVoice;
use self::service::Service;
pub use self::theirs::TheirEars;
use self::theirs::TheirVoice;
use crate::config::Settings;
use crate::pins;

/// A model that is loaded once, when somebody asks it.
struct Late<T> {
    load: Box<dyn Fn() -> Result<T, Unavailable> + Send + Sync>,
    loaded: OnceLock<T>,
}

impl<T> Late<T> {
    fn new(load: impl Fn() -> Result<T, Unavailable> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { load: Box::new(load), loaded: OnceLock::new() })
    }

    /// A model that could not be loaded is tried again the next time.
    fn get(&self) -> Result<&T, Unavailable> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let loaded = (self.load)()?;
        Ok(self.loaded.get_or_init(|| loaded))
    }
}

impl Listener for Late<Silero> {
    fn speech(&self, frame: &[f32; FRAME], memory: &mut Memory) -> Result<f32, Unavailable> {
        self.get()?.speech(frame, memory)
    }
}

impl<T: Recogniser> Recogniser for Late<T> {
    fn recognise(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        self.get()?.recognise(sound, draft)
    }
}

impl<T: Voice> Voice for Late<T> {
    fn rate(&self) -> u32 {
        VOICE_RATE
    }

    fn say(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable> {
        self.get()?.say(clause, manner)
    }
}

/// What it hears with.
#[derive(Clone)]
struct Ears {
    listener: Arc<Late<Silero>>,
    built_in: Option<Arc<Late<Moonshine>>>,
    /// A folder of somebody's own, from which those are loaded that count.
    brought: Option<Arc<Late<Whisper>>>,
    recogniser: Arc<dyn Recogniser>,
}

/// What it speaks with.
#[derive(Clone)]
struct Mouth {
    built_in: Option<Arc<Late<Hibari>>>,
    brought: Option<Arc<Late<Kokoro>>>,
    voice: Arc<dyn Voice>,
    manner: Manner,
}

/// The models that the settings want and the folder has, and the services they name.
#[derive(Clone, Default)]
pub struct Models {
    ears: Option<Ears>,
    mouth: Option<Mouth>,
}

impl Models {
    /// To be called where there is a runtime: services are asked on it.
    pub fn of(settings: &Settings) -> anyhow::Result<Self> {
        let wanted = &settings.speech;
        let ears = if wanted.hear { ears(settings)? } else { None };
        let mouth = if wanted.speak { mouth(settings)? } else { None };
        Ok(Self { ears, mouth })
    }

    pub fn senses(&self) -> Senses {
        let (ears, mouth) = (self.ears.clone(), self.mouth.clone());
        Senses {
            hearing: ears.map(|Ears { listener, recogniser, .. }| {
                Hearing::new(listener, recogniser, Patience::default())
            }),
            speaking: mouth.map(|Mouth { voice, manner, .. }| Speaking::new(voice, manner)),
        }
    }

    /// Loads all of them, so that nobody waits for that in the middle of a sentence.
    pub fn warm_up(&self) -> Result<(), Unavailable> {
        if let Some(Ears { listener, built_in, .. }) = &self.ears {
            listener.get()?;
            if let Some(built_in) = built_in {
                built_in.get()?;
            }
        }
        if let Some(built_in) = self.mouth.as_ref().and_then(|mouth| mouth.built_in.as_ref()) {
            built_in.get()?;
        }
        Ok(())
    }
}

impl Models {
    /// What somebody brought and cannot be used, by the setting that names it. The
    /// built-in ones do it then.
    pub fn unusable(&self) -> Vec<(&'static str, Unavailable)> {
        let ears = self.ears.as_ref().and_then(|ears| ears.brought.as_ref()?.get().err());
        let mouth = self.mouth.as_ref().and_then(|mouth| mouth.brought.as_ref()?.get().err());
        let ears = ears.map(|error| ("speech.whisper", error));
        ears.into_iter().chain(mouth.map(|error| ("speech.kokoro", error))).collect()
    }
}

fn ears(settings: &Settings) -> anyhow::Result<Option<Ears>> {
    let assets = &settings.assets;
    let torn = pins::torn(assets, &["hearing"]);
    let is_whole = |folder: &str| !torn.iter().any(|path| path.starts_with(folder));
    if !Silero::is_there(assets) || !is_whole("silero") {
        return Ok(None);
    }
    let (folder, lanes) = (assets.clone(), Lanes::one_each());
    // On lanes of its own: a frame must not wait behind a sentence.
    let listener = Late::new(move || Silero::load(&folder, &lanes));
    let built_in = (Moonshine::is_there(assets) && is_whole("moonshine")).then(|| {
        let (folder, lanes) = (assets.clone(), Lanes::one_each());
        Late::new(move || Moonshine::load(&folder, &lanes))
    });
    let ours = built_in.clone().map(|ours| ours as Arc<dyn Recogniser>);
    let whisper = settings.speech.whisper.clone();
    let brought = (!whisper.as_os_str().is_empty()).then(|| {
        let lanes = Lanes::one_each();
        Late::new(move || Whisper::load(&whisper, &lanes))
    });
    let recogniser = if let Some(theirs) = brought.clone() {
        Some(Arc::new(TheirEars { theirs, built_in: ours }) as Arc<dyn Recogniser>)
    } else if let Some(wanted) = settings.far_ears() {
        let service = Service::new(wanted, far_ears::DOOR, Handle::current());
        let service = service.context("in the settings under [speech.transcription]")?;
        let language = wanted.language.clone();
        let theirs = Arc::new(FarEars { service, language });
        Some(Arc::new(TheirEars { theirs, built_in: ours }) as Arc<dyn Recogniser>)
    } else {
        ours
    };
    Ok(recogniser.map(|recogniser| Ears { listener, built_in, brought, recogniser }))
}

fn mouth(settings: &Settings) -> anyhow::Result<Option<Mouth>> {
    let assets = &settings.assets;
    let is_whole = pins::torn(assets, &["speaking"]).is_empty();
    let built_in = (Hibari::is_there(assets) && is_whole).then(|| {
        let (folder, lanes) = (assets.clone(), Lanes::one_each());
        Late::new(move || Hibari::load(&folder, &lanes))
    });
    let ours = built_in.clone().map(|ours| ours as Arc<dyn Voice>);
    let (kokoro, name) = (settings.speech.kokoro.clone(), settings.speech.kokoro_voice.clone());
    let brought = (!kokoro.as_os_str().is_empty()).then(|| {
        let (assets, lanes) = (assets.clone(), Lanes::one_each());
        Late::new(move || Kokoro::load(&kokoro, &name, &assets, &lanes))
    });
    let voice = if let Some(theirs) = brought.clone() {
        let voice = TheirVoice { theirs, built_in: ours, is_elsewhere: false };
        Some(Arc::new(voice) as Arc<dyn Voice>)
    } else if let Some(wanted) = settings.far_voice() {
        let service = Service::new(&wanted.service(), far_voice::DOOR, Handle::current());
        let service = service.context("in the settings under [speech.voice]")?;
        let (name, format) = (wanted.name.clone(), wanted.format);
        let theirs = Arc::new(FarVoice { service, name, format });
        let is_elsewhere = settings.voice_is_elsewhere();
        Some(Arc::new(TheirVoice { theirs, built_in: ours, is_elsewhere }) as Arc<dyn Voice>)
    } else {
        ours
    };
    let speed = f32::from(settings.speech.speed_percent) / 100.0;
    let manner = Manner { speed, ..Manner::default() };
    Ok(voice.map(|voice| Mouth { built_in, brought, voice, manner }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_was_brought_and_cannot_be_used_is_named_by_its_setting() {
        let assets = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(assets.path().join("silero")).unwrap();
        // As long as the real one; nobody listens to it here.
        let vad = std::fs::File::create(assets.path().join("silero/vad.onnx")).unwrap();
        vad.set_len(1_289_603).unwrap();
        let mut settings = Settings { assets: assets.path().to_owned(), ..Settings::default() };
        assert!(Models::of(&settings).unwrap().unusable().is_empty());

        settings.speech.whisper = "/nope".into();
        settings.speech.kokoro = "/nope".into();
        let unusable = Models::of(&settings).unwrap().unusable();

        let named: Vec<&str> = unusable.iter().map(|(setting, _)| *setting).collect();
        assert_eq!(named, ["speech.whisper", "speech.kokoro"]);
        assert!(unusable[0].1.to_string().starts_with("/nope cannot be used (it is not there"));
    }
}
