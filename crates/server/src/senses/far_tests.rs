//! Ears and a voice that are a service, against one that speaks the real protocol.

use std::sync::Arc;
use std::time::Duration;

use speech::engine::Unavailable;
use speech::stt::{HeardWord, Recognised, Recogniser};
use speech::tts::{Breath, Clause, Manner, Pronunciation, Sound, Voice};
use tokio::runtime::Handle;

use super::fake::{FakeService, KEY};
use super::far_ears::{self, FarEars};
use super::far_voice::{self, FarVoice};
use super::service::Service;
use super::theirs::{TheirEars, TheirVoice};
use crate::config::{SoundFormat, Speech, SpeechService};

/// The built-in ears, as far as this goes.
struct Hears(&'static str);

impl Recogniser for Hears {
    fn recognise(&self, _: &[f32], _: Option<&Recognised>) -> Result<Recognised, Unavailable> {
        let word = |text: &str| HeardWord { text: text.to_owned(), logp: -0.01 };
        let words = self.0.split_whitespace().map(word).collect();
        Ok(Recognised { text: self.0.to_owned(), words, ..Recognised::default() })
    }
}

struct Says;

impl Voice for Says {
    fn rate(&self) -> u32 {
        24_000
    }

    fn say(&self, _: &Clause, _: &Manner) -> Result<Sound, Unavailable> {
        Ok(Sound { samples: vec![0.25; 7], ..Sound::default() })
    }
}

fn settings(url: &str, key: &str) -> SpeechService {
    of_model(url, key, "m")
}

fn of_model(url: &str, key: &str, model: &str) -> SpeechService {
    let text = format!("url = '{url}'\nkey = '{key}'\nmodel = '{model}'\ntimeout_seconds = 1");
    toml::from_str(&text).unwrap()
}

fn ears(url: &str, key: &str, built_in: Option<&'static str>) -> Arc<TheirEars> {
    let service = Service::new(&settings(url, key), far_ears::DOOR, Handle::current()).unwrap();
    let built_in = built_in.map(|words| Arc::new(Hears(words)) as Arc<dyn Recogniser>);
    let theirs = Arc::new(FarEars { service, language: "en".into() });
    Arc::new(TheirEars { theirs, built_in })
}

fn voice(url: &str, format: SoundFormat, built_in: bool) -> Arc<TheirVoice> {
    let service = Service::new(&settings(url, KEY), far_voice::DOOR, Handle::current()).unwrap();
    let built_in = built_in.then(|| Arc::new(Says) as Arc<dyn Voice>);
    let theirs = Arc::new(FarVoice { service, name: "alloy".into(), format });
    Arc::new(TheirVoice { theirs, built_in, is_elsewhere: true })
}

async fn hear(ears: &Arc<TheirEars>) -> Result<Recognised, Unavailable> {
    let ears = Arc::clone(ears);
    let sound = vec![0.1; 16_000];
    tokio::task::spawn_blocking(move || ears.recognise(&sound, None)).await.unwrap()
}

async fn say(voice: &Arc<TheirVoice>, text: &str) -> Result<Sound, Unavailable> {
    let voice = Arc::clone(voice);
    let clause = Clause { text: text.to_owned(), at: 0..text.len(), breath: Breath::FullStop };
    let mut manner = Manner { speed: 0.85, ..Manner::default() };
    manner.pronunciations.set("Siobhan", Pronunciation::Like("Chevonne".into()));
    tokio::task::spawn_blocking(move || voice.say(&clause, &manner)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_words_are_the_services_and_it_is_asked_as_it_wants_to_be() {
    let fake = FakeService::default();
    fake.story().hears = "Send it to Siobhán.".into();
    let ears = ears(&fake.start().await, KEY, Some("send it to chevonne"));
    let heard = hear(&ears).await.unwrap();

    assert_eq!((heard.text.as_str(), heard.stood_in), ("Send it to Siobhán.", false));
    let sure: Vec<bool> = heard.words.iter().map(|word| word.confidence() > 0.85).collect();
    assert_eq!(sure, [true, true, true, false], "only what both heard is sure");
    let story = fake.story();
    assert_eq!(story.sound, Some((16_000, 16_000)));
    let field = |name: &str| story.fields.get(name).map(String::as_str);
    assert_eq!(
        [field("model"), field("language"), field("response_format")],
        [Some("m"), Some("en"), Some("json")]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newer_ones_are_told_of_languages_in_a_list() {
    let fake = FakeService::default();
    fake.story().hears = "Hallo.".into();
    let service = of_model(&fake.start().await, KEY, "gpt-transcribe");
    let service = Service::new(&service, far_ears::DOOR, Handle::current()).unwrap();
    let theirs = Arc::new(FarEars { service, language: "de".into() });
    let ears = Arc::new(TheirEars { theirs, built_in: None });
    assert_eq!(hear(&ears).await.unwrap().text, "Hallo.");
    let story = fake.story();
    let field = |name: &str| story.fields.get(name).map(String::as_str);
    assert_eq!([field("language"), field("languages[]")], [None, Some("de")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_only_shown_is_not_sent_anywhere() {
    let fake = FakeService::default();
    let ears = ears(&fake.start().await, KEY, Some("send it"));
    assert_eq!(ears.glimpse(&[0.1; 160], None).unwrap().text, "send it");
    assert_eq!(fake.story().asked, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_fails_is_done_without_and_left_alone_for_a_while() {
    for (fails, asked) in [(500, 1), (429, 1), (503, 1), (400, 2)] {
        let fake = FakeService::default();
        fake.story().fails = Some(fails);
        let ears = ears(&fake.start().await, KEY, Some("yes"));
        for _ in 0..2 {
            let heard = hear(&ears).await.unwrap();
            assert_eq!((heard.text.as_str(), heard.stood_in), ("yes", true), "{fails}");
        }
        assert_eq!(fake.story().asked, asked, "{fails}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_failure_is_told_by_what_to_do_about_it() {
    let fake = FakeService::default();
    let url = fake.start().await;
    let told = async |ears: Arc<TheirEars>| hear(&ears).await.unwrap_err().to_string();

    let wrong_key = told(ears(&url, "sk-wrong", None)).await;
    assert!(wrong_key.ends_with("does not take our key; see the settings under [speech]"));
    assert!(!wrong_key.contains("sk-wrong"));

    fake.story().garbage = true;
    assert!(told(ears(&url, KEY, None)).await.contains("answered something that is no answer"));
    fake.story().fails = Some(400);
    let refused = told(ears(&url, KEY, None)).await;
    assert!(refused.ends_with("did not take the request: it is told to fail"), "{refused}");
    fake.story().fails = Some(502);
    assert!(told(ears(&url, KEY, None)).await.ends_with("failed with 502"));
    fake.story().waits = Duration::from_secs(3);
    let slow = told(ears(&url, KEY, None)).await;
    assert!(slow.ends_with("did not answer within 1 s"), "{slow}");
    let nobody = told(ears("http://127.0.0.1:9/v1", KEY, None)).await;
    assert!(nobody.contains("cannot be reached"), "{nobody}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_says_what_it_is_given_as_it_is_to_be_read() {
    let fake = FakeService::default();
    let url = fake.start().await;
    {
        let mut story = fake.story();
        story.samples = vec![8_192; 24_000];
        story.wav_rate = 48_000;
    }
    let sound = say(&voice(&url, SoundFormat::Pcm, false), "Siobhan at 3 p.m.").await.unwrap();
    assert_eq!((sound.samples.len(), sound.stood_in), (24_000, false));
    assert_eq!(sound.words.first().unwrap().at, 0..7);
    {
        let story = fake.story();
        let request = &story.request;
        assert_eq!(request["input"], "Chevonne at three P M.");
        assert_eq!((&request["voice"], &request["model"]), (&"alloy".into(), &"m".into()));
        assert!((request["speed"].as_f64().unwrap() - 0.85).abs() < 1e-6);
    }
    let sound = say(&voice(&url, SoundFormat::Wav, false), "Siobhan.").await.unwrap();
    let expected = 11_900..=12_100;
    assert!(expected.contains(&sound.samples.len()), "half the rate: {}", sound.samples.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_that_fails_is_spoken_for() {
    let fake = FakeService::default();
    let url = fake.start().await;
    fake.story().garbage = true;
    let sound = say(&voice(&url, SoundFormat::Pcm, true), "Hi.").await.unwrap();
    assert_eq!((sound.samples.len(), sound.stood_in), (7, true));
    let alone = say(&voice(&url, SoundFormat::Pcm, false), "Hi.").await.unwrap_err().to_string();
    assert!(alone.contains("ends in the middle of a sample"), "{alone}");
}

#[test]
fn a_key_is_never_printed() {
    let transcription = settings("https://x.example/v1", "sk-secret");
    let mut speech = Speech { transcription, ..Speech::default() };
    assert!(!format!("{speech:?}").contains("sk-secret"));
    assert!(speech.check().is_ok());
    speech.transcription.url = "x.example".into();
    assert!(speech.check().is_err());
}

/// That our fake is as the original: `pip install openai`, then
/// `SAYSO_PYTHON=python3 cargo test -p sayso-server -- --ignored own_client`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the openai package for Python; SAYSO_PYTHON names one that has it"]
async fn the_fake_serves_openais_own_client() {
    let python = std::env::var_os("SAYSO_PYTHON").expect("SAYSO_PYTHON");
    let fake = FakeService::default();
    {
        let mut story = fake.story();
        story.hears = "Two meetings tomorrow.".into();
        (story.samples, story.wav_rate) = (vec![1_000; 24_000], 24_000);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/own_client.py");
    let mut client = std::process::Command::new(python);
    client.args([script, &fake.start().await, KEY]);
    let ran = tokio::task::spawn_blocking(move || client.output()).await.unwrap().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}
