//! Ears and a voice from the models in the assets folder, where they are.
//!
//! A model is loaded when it is needed first, or ahead of that by whoever serves:
//! a command that only looks something up does not wait for one.

use std::sync::{Arc, OnceLock};

use session::{Hearing, Senses, Speaking};
use speech::endpoint::Patience;
use speech::engine::{Lanes, Unavailable};
use speech::resample::VOICE_RATE;
use speech::stt::{Moonshine, Recognised, Recogniser};
use speech::tts::{Clause, Hibari, Manner, Sound, Voice};
use speech::vad::{FRAME, Listener, Memory, Silero};

use crate::config::Settings;

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

impl Recogniser for Late<Moonshine> {
    fn recognise(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        self.get()?.recognise(sound, draft)
    }
}

impl Voice for Late<Hibari> {
    fn rate(&self) -> u32 {
        VOICE_RATE
    }

    fn say(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable> {
        self.get()?.say(clause, manner)
    }
}

#[derive(Clone)]
struct Ears {
    listener: Arc<Late<Silero>>,
    recogniser: Arc<Late<Moonshine>>,
}

/// The models that the settings want and the folder has.
#[derive(Clone, Default)]
pub struct Models {
    ears: Option<Ears>,
    voice: Option<(Arc<Late<Hibari>>, Manner)>,
}

impl Models {
    pub fn of(settings: &Settings) -> Self {
        let (assets, wanted) = (&settings.assets, &settings.speech);
        let mut models = Self::default();
        if wanted.hear && Silero::is_there(assets) && Moonshine::is_there(assets) {
            let (folder, lanes) = (assets.clone(), Lanes::one_each());
            // On lanes of its own: a frame must not wait behind a sentence.
            let listener = Late::new(move || Silero::load(&folder, &lanes));
            let (folder, lanes) = (assets.clone(), Lanes::one_each());
            let recogniser = Late::new(move || Moonshine::load(&folder, &lanes));
            models.ears = Some(Ears { listener, recogniser });
        }
        if wanted.speak && Hibari::is_there(assets) {
            let (folder, lanes) = (assets.clone(), Lanes::one_each());
            let speed = f32::from(wanted.speed_percent) / 100.0;
            let voice = Late::new(move || Hibari::load(&folder, &lanes));
            models.voice = Some((voice, Manner { speed, ..Manner::default() }));
        }
        models
    }

    pub fn senses(&self) -> Senses {
        let ears = self.ears.clone();
        let voice = self.voice.clone();
        Senses {
            hearing: ears.map(|Ears { listener, recogniser }| {
                Hearing::new(listener, recogniser, Patience::default())
            }),
            speaking: voice.map(|(voice, manner)| Speaking::new(voice, manner)),
        }
    }

    /// Loads all of them, so that nobody waits for that in the middle of a sentence.
    pub fn warm_up(&self) -> Result<(), Unavailable> {
        if let Some(Ears { listener, recogniser }) = &self.ears {
            listener.get()?;
            recogniser.get()?;
        }
        if let Some((voice, _)) = &self.voice {
            voice.get()?;
        }
        Ok(())
    }
}
