//! Somebody talks while we speak, or we hear ourselves. With the real models, in virtual
//! time: what is known of a word depends on how soon it can be heard.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use brain::input::{Hello, Sound};
use brain::{Event, Input};
use session::{Registry, Senses};
use speech::resample::{EARS_RATE, Resampler};
use testkit::aloud::{self, Models, Somebody};
use testkit::parts::Thought;

use crate::{Stage, house};

const STEP: Duration = Duration::from_millis(40);
const ASKED: &str = "what meetings do I have";
const ANSWER: &str = "You have three meetings this week. On Monday at nine you meet Priya, on \
                      Tuesday at noon you have lunch with Tom, and on Thursday at three there is \
                      the design review.";

/// A loudspeaker, a microphone, and somebody in between.
#[derive(Default)]
struct Place {
    /// How loud our sound comes back, and how late.
    gain: f32,
    delay_ms: u64,
    cancels_echo: bool,
    /// What is said, so long after we began.
    said: Vec<(u64, Vec<f32>)>,
    /// The microphone sends nothing, from when on after we began and for how long.
    muted: Option<(u64, u64)>,
    /// Of so many frames one is lost.
    loses_one_in: Option<usize>,
}

impl Place {
    /// Whether what the microphone hears is sent, so many samples after we began.
    fn sends(&self, frame: usize, since: Option<usize>) -> bool {
        let is_lost = self.loses_one_in.is_some_and(|of| frame.is_multiple_of(of));
        let is_muted = self.muted.zip(since).is_some_and(|((from, length), since)| {
            (samples(from)..samples(from + length)).contains(&since)
        });
        !is_lost && !is_muted
    }
}

/// What came of it.
#[derive(Debug, Default, PartialEq)]
struct Came {
    was_cut: bool,
    levels: Vec<f32>,
    heard: Vec<String>,
}

/// Our sound on its way to the microphone.
struct Air {
    resampler: Resampler,
    level: f32,
    waiting: VecDeque<f32>,
    late: VecDeque<f32>,
}

impl Air {
    fn new(delay_ms: u64) -> Self {
        let late = vec![0.0; samples(delay_ms)].into();
        let resampler = Resampler::new(24_000, EARS_RATE);
        Self { resampler, level: 1.0, waiting: VecDeque::new(), late }
    }

    fn plays(&mut self, pcm16_b64: &str) {
        let bytes = BASE64.decode(pcm16_b64).unwrap();
        let sample = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0;
        let samples: Vec<f32> = bytes.chunks_exact(2).map(sample).collect();
        self.waiting.extend(self.resampler.push(&samples));
    }

    fn comes(&mut self) -> f32 {
        let now = self.waiting.pop_front().unwrap_or(0.0) * self.level;
        self.late.push_back(now);
        self.late.pop_front().unwrap_or(0.0)
    }
}

fn samples(ms: u64) -> usize {
    usize::try_from(u64::from(EARS_RATE) * ms / 1_000).unwrap()
}

async fn answered_in(place: &Place, senses: &Arc<Senses>) -> Came {
    let store = Arc::default();
    let (mut house, mind) = house(&store, tools::Catalog::new());
    house.senses = Arc::clone(senses);
    let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
    let (session, mut client) = stage.session().await;
    let cancels_echo = place.cancels_echo;
    let hello = Hello { plays_audio: Some(true), cancels_echo, ..Hello::default() };
    session.send(client.client, None, Input::Hello(hello)).await.unwrap();
    stage.mind.will_think(Thought { says: Some(ANSWER.into()), ..Thought::default() });
    let input = Input::Text { text: ASKED.into(), attachments: Vec::new() };
    session.send(client.client, None, input).await.unwrap();

    let (mut air, mut came) = (Air::new(place.delay_ms), Came::default());
    let (mut begun, mut now, mut quiet) = (None, 0, 0);
    let mut noise = 1_u32;
    // Until nobody has said anything for three seconds.
    while quiet < 75 {
        let heard = (0..samples(40)).map(|n| {
            let at = |from: u64| (now + n).checked_sub(begun? + samples(from));
            let person =
                place.said.iter().filter_map(|(from, said)| said.get(at(*from)?)).sum::<f32>();
            // A quiet room is not silent.
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let hiss = (f32::from(u16::try_from(noise >> 16).unwrap()) / 65_536.0 - 0.5) * 0.002;
            place.gain * air.comes() + person + hiss
        });
        let heard: Vec<f32> = heard.collect();
        let heard: Sound = aloud::sound(&heard);
        if place.sends(now / samples(40), begun.map(|begun| now - begun)) {
            session.send(client.client, None, Input::Audio(heard)).await.unwrap();
        }
        now += samples(40);
        quiet += usize::from(begun.is_some());
        let until = tokio::time::Instant::now() + STEP;
        while let Ok(Ok(envelope)) = tokio::time::timeout_at(until, client.next()).await {
            match &envelope.event {
                Event::Sounded { pcm16_b64, .. } => {
                    (begun, quiet) = (begun.or(Some(now)), 0);
                    air.plays(pcm16_b64);
                }
                Event::SoundLevel { gain } => {
                    air.level = *gain;
                    came.levels.push(*gain);
                }
                Event::SoundEnded { interrupted: true, .. } => {
                    came.was_cut = true;
                    air.waiting.clear();
                }
                Event::SoundBegan { .. } => air.level = 1.0,
                Event::Heard { text, .. } if text != ASKED => came.heard.push(text.clone()),
                _ => {}
            }
        }
    }
    came
}

fn over_us(voice: &Somebody, at_ms: u64, words: &str) -> Place {
    Place { cancels_echo: true, said: vec![(at_ms, voice.says(words))], ..Place::default() }
}

#[tokio::test(start_paused = true)]
async fn somebody_who_only_listens_does_not_stop_us() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let (senses, voice) = (models.senses(), models.somebody(1.0));
    for nod in ["Okay.", "Mhm.", "Right.", "Uh-huh.", "Yeah.", "Got it."] {
        let came = answered_in(&over_us(&voice, 1_500, nod), &senses).await;
        let expected = Came { levels: vec![0.2, 1.0], ..Came::default() };
        assert_eq!(came, expected, "{nod}");
    }
}

#[tokio::test(start_paused = true)]
async fn somebody_who_interrupts_stops_us_and_is_heard() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let (senses, voice) = (models.senses(), models.somebody(1.0));
    for words in ["Stop.", "Wait.", "No.", "Hold on.", "What about Friday?", "Okay, wait."] {
        let came = answered_in(&over_us(&voice, 1_500, words), &senses).await;
        assert!(came.was_cut && came.levels.first() == Some(&0.2), "{words}: {came:?}");
        assert_eq!(came.heard.len(), 1, "{words}: {came:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_loudspeaker_beside_the_microphone_neither_stops_us_nor_says_anything() {
    let Some(assets) = aloud::assets() else { return };
    let senses = Models::load(&assets).senses();
    for (gain, delay_ms) in [(0.3, 100), (0.1, 60), (0.3, 250), (0.8, 20)] {
        let place = Place { gain, delay_ms, ..Place::default() };
        let came = answered_in(&place, &senses).await;
        assert_eq!(came, Came::default(), "{gain}, {delay_ms} ms late");
    }
}

#[tokio::test(start_paused = true)]
async fn a_microphone_that_was_muted_does_not_hear_us_as_somebody() {
    let Some(assets) = aloud::assets() else { return };
    let senses = Models::load(&assets).senses();
    for ms in [400, 1_500, 3_000] {
        let muted = Some((1_000, ms));
        let place = Place { gain: 0.5, delay_ms: 80, muted, ..Place::default() };
        let came = answered_in(&place, &senses).await;
        assert_eq!(came, Came::default(), "muted for {ms} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn a_microphone_that_loses_frames_does_not_stop_us() {
    let Some(assets) = aloud::assets() else { return };
    let senses = Models::load(&assets).senses();
    let loses_one_in = Some(20);
    let place = Place { gain: 0.5, delay_ms: 80, loses_one_in, ..Place::default() };
    let came = answered_in(&place, &senses).await;
    assert_eq!((came.was_cut, came.heard.len()), (false, 0), "{came:?}");
}

#[tokio::test(start_paused = true)]
async fn a_loudspeaker_that_is_very_late_neither_stops_us_nor_says_anything() {
    let Some(assets) = aloud::assets() else { return };
    let senses = Models::load(&assets).senses();
    for (gain, delay_ms) in [(0.7, 700), (0.3, 1_200)] {
        let place = Place { gain, delay_ms, ..Place::default() };
        let came = answered_in(&place, &senses).await;
        assert_eq!(came, Came::default(), "{gain}, {delay_ms} ms late");
    }
}

#[tokio::test(start_paused = true)]
async fn somebody_is_heard_over_our_loudspeaker_and_over_headphones() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let (senses, voice) = (models.senses(), models.somebody(1.15));
    let friday = voice.says("What about Friday?");
    for (gain, at_ms) in [(0.0, 2_500), (0.3, 4_500)] {
        let said = vec![(at_ms, friday.clone())];
        let place = Place { gain, delay_ms: 100, said, ..Place::default() };
        let came = answered_in(&place, &senses).await;
        assert!(came.was_cut && came.heard.len() == 1, "{gain}: {came:?}");
        assert!(came.heard[0].contains("Friday"), "{gain}: {came:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn silence_behind_somebody_who_nodded_is_nobodys_turn() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let (senses, voice) = (models.senses(), models.somebody(1.0));
    for at_ms in [1_000, 2_500, 4_000] {
        let place = Place { cancels_echo: false, ..over_us(&voice, at_ms, "Okay.") };
        let came = answered_in(&place, &senses).await;
        assert_eq!((came.was_cut, came.heard.len()), (false, 0), "{at_ms}: {came:?}");
    }
}
