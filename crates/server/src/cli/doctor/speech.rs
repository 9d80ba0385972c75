//! Whether Sayso hears and speaks, and with what.

use std::path::Path;
use std::time::{Duration, Instant};

use models::provider::Trouble;
use models::realtime::Live;
use speech::engine::{Lanes, Unavailable};
use speech::stt::{Moonshine, Whisper};
use speech::tts::{Hibari, Kokoro};
use speech::vad::Silero;

use super::State::{self, Ill, Note, Well};
use crate::app::realtime;
use crate::client::Remote;
use crate::config::{Settings, SpeechService};
use crate::pins::{self, Stock};
use crate::senses::{far_ears, far_voice};

/// A service that takes longer to pick up is as good as away.
const PATIENCE: Duration = Duration::from_secs(5);

/// The models on this machine: there, whole, and of use.
pub fn models(settings: &Settings) -> State {
    let (assets, lanes) = (&settings.assets, Lanes::new(1));
    let stock = pins::stock(assets, &["hearing", "speaking"]);
    let folder = assets.display();
    if !stock.damaged.is_empty() {
        return damaged(assets, &stock, "typing works until then");
    }
    if !stock.missing.is_empty() {
        let missing = if stock.whole.is_empty() {
            format!("there are no models in {folder}")
        } else {
            format!("{} missing in {folder}", listed(&stock.missing))
        };
        return Note(format!("typing works; {missing}: `make assets` fetches what is missing"));
    }
    let loaded = Silero::load(assets, &lanes)
        .and_then(|_| Moonshine::load(assets, &lanes))
        .and_then(|_| Hibari::load(assets, &lanes));
    match loaded {
        Ok(_) => Well(format!(
            "hears and speaks, with the models in {folder}; `sayso hear` and `sayso speak` try it"
        )),
        Err(error) => Ill(error.to_string(), "typing works until then".to_owned()),
    }
}

/// Files that are not what was fetched.
pub fn damaged(assets: &Path, stock: &Stock, until: &str) -> State {
    let folder = assets.display();
    let wrong = format!("{} damaged in {folder}", listed(&stock.damaged));
    Ill(wrong, format!("`make assets` fetches what is damaged again; {until}"))
}

fn listed(files: &[String]) -> String {
    let verb = if files.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", files.join(", "))
}

/// Who writes down what was said, where that is a service.
pub async fn ears(settings: &Settings) -> State {
    let (wanted, whisper) = (&settings.speech.transcription, &settings.speech.whisper);
    if !whisper.as_os_str().is_empty() {
        let loaded = Whisper::load(whisper, &Lanes::new(1)).map(drop);
        return brought(whisper, loaded, "hears what counts");
    }
    if let Some(held) = held_back(settings, "speech.transcription") {
        return held;
    }
    if wanted.url.is_empty() && !(Silero::is_there(&settings.assets) && has_ears(settings)) {
        return Note("none: `make assets` fetches the built-in ones".into());
    }
    if wanted.url.is_empty() {
        return Note("the built-in ears; `speech.transcription.url` names others".into());
    }
    if !Silero::is_there(&settings.assets) {
        return Ill(
            format!("{} cannot be used without the model that notices speech", wanted.url),
            "`make assets` fetches it".into(),
        );
    }
    service(wanted, far_ears::DOOR, "what people say").await
}

/// Who speaks, where that is a service.
pub async fn voice(settings: &Settings) -> State {
    let (wanted, kokoro) = (settings.speech.voice.service(), &settings.speech.kokoro);
    if !kokoro.as_os_str().is_empty() {
        let name = &settings.speech.kokoro_voice;
        let loaded = Kokoro::load(kokoro, name, &settings.assets, &Lanes::new(1)).map(drop);
        return brought(kokoro, loaded, "speaks");
    }
    if let Some(held) = held_back(settings, "speech.voice") {
        return held;
    }
    if wanted.url.is_empty() && !Hibari::is_there(&settings.assets) {
        return Note("none: `make assets` fetches the built-in one".into());
    }
    if wanted.url.is_empty() {
        return Note("the built-in voice; `speech.voice.url` names another".into());
    }
    service(&wanted, far_voice::DOOR, "what is answered").await
}

/// Who hears, thinks and speaks in one. The conversation is opened and nothing is said:
/// that costs nothing.
pub async fn live(settings: &Settings) -> State {
    let wanted = &settings.speech.live;
    if !wanted.is_on() {
        return Note("none; `speech.live.model` names one, such as gpt-realtime-2.1".into());
    }
    if let Some(held) = held_back(settings, "speech.live") {
        return held;
    }
    let live = match realtime(settings, Vec::new()) {
        Ok(live) => live,
        Err(error) => return Ill(format!("{error:#}"), "compare with config/example.toml".into()),
    };
    let called = format!("{} at {}", wanted.model, live.base);
    let key = if live.key.is_some() { "takes the key" } else { "asks for no key" };
    let started = Instant::now();
    let found = live.examine().await;
    let ms = started.elapsed().as_millis();
    match found {
        Ok(()) if !Silero::is_there(&settings.assets) => Ill(
            format!(
                "{called} is there, {key} and has the model, {ms} ms, but nobody notices who speaks"
            ),
            "`make assets` fetches the model that does".into(),
        ),
        Ok(()) => Well(format!(
            "{called} is there, {key} and has the model, {ms} ms; what people say is sent there"
        )),
        Err(trouble) => {
            let advice = match &trouble {
                Trouble::WrongKey => "set OPENAI_API_KEY, or `speech.live.key`, to a valid one",
                Trouble::NoModel(_) => "set `speech.live.model` to one that it has",
                Trouble::NothingLeft => "look at the billing of that account",
                _ => {
                    "look at the network and at `speech.live.url`; the built-in models do it until then"
                }
            };
            Ill(format!("{called} {trouble}"), advice.to_owned())
        }
    }
}

fn has_ears(settings: &Settings) -> bool {
    Moonshine::is_there(&settings.assets)
}

/// A service that is set up and may not be told anything. It is not called.
fn held_back(settings: &Settings, table: &str) -> Option<State> {
    let held = settings.held_back().into_iter().find(|held| held.table == table)?;
    Some(Ill(held.told(), format!("{}; the built-in models do it until then", held.advice())))
}

/// A model in a folder of somebody's own.
fn brought(folder: &Path, loaded: Result<(), Unavailable>, does: &str) -> State {
    match loaded {
        Ok(()) => Well(format!("the model in {} {does}", folder.display())),
        Err(error) => Ill(error.to_string(), "the built-in models do it until then".into()),
    }
}

/// It is called and nothing is sent: each request may cost money.
async fn service(wanted: &SpeechService, door: &str, what: &str) -> State {
    let url = format!("{}{door}", wanted.url.trim_end_matches('/'));
    let remote = match Remote::split(&url) {
        Ok((remote, _)) => remote,
        Err(error) => return Ill(format!("{error:#}"), "compare with config/example.toml".into()),
    };
    if !remote.is_private() {
        return Ill(
            format!("{what} would go to {} where others can read it", wanted.url),
            "use https, or a service on this machine".into(),
        );
    }
    match tokio::time::timeout(PATIENCE, remote.open()).await {
        Ok(Ok(_)) => {
            let key = if wanted.key.shown().is_some() { "" } else { ", without a key" };
            Well(format!("{url} picks up; {what} is sent there, for {}{key}", wanted.model))
        }
        Ok(Err(error)) => Ill(
            format!("{} cannot be reached: {error:#}", wanted.url),
            "the built-in models do it until then".into(),
        ),
        Err(_) => Ill(
            format!("{} does not pick up", wanted.url),
            "the built-in models do it until then".into(),
        ),
    }
}
