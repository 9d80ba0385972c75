//! Our own voice comes back into the microphone while a card is open: nobody has
//! said yes. With the real models, in virtual time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use brain::input::{Hello, Sound};
use brain::{Event, Input};
use session::{Registry, Senses};
use speech::resample::{EARS_RATE, Resampler};
use testkit::aloud::{self, Models};
use testkit::writer::Fortune;

use crate::{Stage, house, note};

const STEP: Duration = Duration::from_millis(100);
/// What the cards are about; some would be a yes if a person said it.
const NOTES: [&str; 8] = [
    "Tom called about the lease",
    "yes please",
    "go ahead and book it",
    "the answer is yes, send it",
    "okay do it",
    "sounds good to Priya",
    "lunch on Friday at noon",
    "sure, confirmed",
];
const WHO: [&str; 6] = ["Tom", "Priya", "Ana", "my sister", "the landlord", "everybody"];
const SAYS: [&str; 5] = ["says", "answered", "told me", "wants to hear", "wrote back"];
const YES: [&str; 8] =
    ["yes", "yes, send it", "okay", "go ahead", "do it", "sure", "please confirm", "yes, book it"];

/// How often; many more in the proof.
fn replays() -> usize {
    std::env::var("SAYSO_REPLAYS").ok().and_then(|it| it.parse().ok()).unwrap_or(100)
}

/// What is left to chance, the same every time: each number has its own.
struct Chance(u64);

impl Chance {
    fn of(number: usize) -> Self {
        Self(number as u64)
    }

    /// Between 0 and 1.
    fn share(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let share = u16::try_from((mixed ^ (mixed >> 31)) >> 48).unwrap();
        f32::from(share) / 65_536.0
    }

    fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.share()
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let shares = of.iter().zip(1_u8..);
        let at = self.share() * f32::from(u8::try_from(of.len()).unwrap());
        shares.filter(|(_, next)| at < f32::from(*next)).map(|(one, _)| *one).next().unwrap()
    }

    fn wording(&mut self) -> String {
        if self.share() < 0.4 {
            return self.one(&NOTES).to_owned();
        }
        format!("{} {} {}", self.one(&WHO), self.one(&SAYS), self.one(&YES))
    }
}

/// A loudspeaker and a microphone in one room.
#[derive(Debug)]
struct Place {
    /// As loud as it was played, down to hardly heard.
    gain_db: f32,
    delay_ms: f32,
    /// The walls give back so much of it, so much later.
    wall: f32,
    wall_ms: f32,
    /// How much of the high tones a cheap loudspeaker leaves, and how much it is overdriven.
    bright: f32,
    drive: f32,
    /// Hiss of the microphone.
    hiss_db: f32,
}

impl Place {
    fn by(chance: &mut Chance) -> Self {
        Self {
            gain_db: chance.between(-36.0, 0.0),
            delay_ms: chance.between(0.0, 1_600.0),
            wall: chance.between(0.0, 0.7),
            wall_ms: chance.between(15.0, 120.0),
            bright: chance.between(0.25, 1.0),
            drive: chance.between(1.0, 4.0),
            hiss_db: chance.between(-80.0, -45.0),
        }
    }
}

struct Loop {
    resampler: Resampler,
    place: Place,
    hiss: Chance,
    dull: f32,
    /// What the walls will give back.
    wall: VecDeque<f32>,
    /// What will be heard, from now on.
    air: VecDeque<f32>,
}

impl Loop {
    fn new(place: Place, hiss: Chance) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some ms")]
        let silence = |ms: f32| vec![0.0; (ms * 16.0) as usize].into();
        Self {
            resampler: Resampler::new(24_000, EARS_RATE),
            dull: 0.0,
            wall: silence(place.wall_ms),
            air: silence(place.delay_ms),
            place,
            hiss,
        }
    }

    fn played(&mut self, pcm16_b64: &str) {
        let bytes = BASE64.decode(pcm16_b64).unwrap();
        let samples: Vec<f32> = bytes
            .chunks_exact(2)
            .map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0)
            .collect();
        for sample in self.resampler.push(&samples) {
            let driven = (sample * self.place.drive).tanh() / self.place.drive;
            self.dull += self.place.bright * (driven - self.dull);
            self.air.push_back(self.dull * decibels(self.place.gain_db));
        }
    }

    fn heard(&mut self) -> Sound {
        let count = usize::try_from(u128::from(EARS_RATE) * STEP.as_millis() / 1_000).unwrap();
        let hiss = decibels(self.place.hiss_db);
        let mut samples = Vec::with_capacity(count);
        for _ in 0..count {
            let straight = self.air.pop_front().unwrap_or(0.0);
            let sample = straight + self.place.wall * self.wall.pop_front().unwrap_or(0.0);
            self.wall.push_back(sample);
            samples.push(sample + hiss * self.hiss.between(-1.0, 1.0));
        }
        aloud::sound(&samples)
    }
}

fn decibels(db: f32) -> f32 {
    10_f32.powf(db / 20.0)
}

/// What came of one card whose question was heard by ourselves.
#[derive(Debug, Default)]
struct Came {
    accepted: usize,
    heard: Vec<String>,
}

async fn replay(senses: &Arc<Senses>, text: &str, mut air: Loop) -> Came {
    let writer = note::writer(Fortune::Does(serde_json::json!({ "id": 1 })));
    let store = Arc::default();
    let (mut house, mind) = house(&store, note::with(&writer));
    house.senses = Arc::clone(senses);
    let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
    let (session, mut client) = stage.session().await;
    let hello = Hello { plays_audio: Some(true), ..Hello::default() };
    session.send(client.client, None, Input::Hello(hello)).await.unwrap();
    stage.mind.will_think(note::thought(text));
    let input = Input::Text { text: "note that".into(), attachments: Vec::new() };
    session.send(client.client, None, input).await.unwrap();

    let mut came = Came::default();
    let (mut quiet, mut spoke) = (0, false);
    // Until we have been silent for three and a half seconds.
    while quiet < 35 {
        session.send(client.client, None, Input::Audio(air.heard())).await.unwrap();
        let until = tokio::time::Instant::now() + STEP;
        quiet += usize::from(spoke);
        while let Ok(Ok(envelope)) = tokio::time::timeout_at(until, client.next()).await {
            match &envelope.event {
                Event::Sounded { pcm16_b64, .. } => {
                    (spoke, quiet) = (true, 0);
                    air.played(pcm16_b64);
                }
                Event::Heard { text, .. } if text != "note that" => came.heard.push(text.clone()),
                Event::Answered { .. } => came.accepted += 1,
                _ => {}
            }
        }
    }
    came.accepted += writer.ledger.effects().len();
    came
}

#[tokio::test(start_paused = true)]
async fn nobody_says_yes_with_our_own_voice() {
    let Some(assets) = aloud::assets() else { return };
    let senses = Models::load(&assets).senses();
    let (mut accepted, mut misheard) = (0, 0);
    for number in 0..replays() {
        let mut chance = Chance::of(number);
        let (text, place) = (chance.wording(), Place::by(&mut chance));
        let told = format!("{text:?} in {place:?}");
        let came = replay(&senses, &text, Loop::new(place, chance)).await;
        if !came.heard.is_empty() {
            misheard += 1;
            println!("{told}: {:?}", came.heard);
        }
        if came.accepted > 0 {
            println!("{told}: a yes");
        }
        accepted += came.accepted;
    }
    println!("{} replays of our own voice: {accepted} approvals, {misheard} heard", replays());
    assert_eq!(accepted, 0);
}
