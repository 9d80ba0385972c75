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
/// As loud as it was played, down to hardly heard.
const GAINS_DB: [f32; 5] = [0.0, -6.0, -12.0, -20.0, -30.0];
const DELAYS_MS: [u64; 6] = [0, 40, 150, 400, 800, 1_500];

/// How often; many more in the proof.
fn replays() -> usize {
    std::env::var("SAYSO_REPLAYS").ok().and_then(|it| it.parse().ok()).unwrap_or(100)
}

/// A loudspeaker and a microphone in one room.
struct Loop {
    resampler: Resampler,
    gain: f32,
    /// What will be heard, from now on.
    air: VecDeque<f32>,
}

impl Loop {
    fn new(gain_db: f32, delay_ms: u64) -> Self {
        let delay = usize::try_from(u64::from(EARS_RATE) * delay_ms / 1_000).unwrap();
        let gain = 10_f32.powf(gain_db / 20.0);
        Self { resampler: Resampler::new(24_000, EARS_RATE), gain, air: vec![0.0; delay].into() }
    }

    fn played(&mut self, pcm16_b64: &str) {
        let bytes = BASE64.decode(pcm16_b64).unwrap();
        let samples: Vec<f32> = bytes
            .chunks_exact(2)
            .map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0)
            .collect();
        let gain = self.gain;
        self.air.extend(self.resampler.push(&samples).into_iter().map(|sample| sample * gain));
    }

    fn heard(&mut self) -> Sound {
        let count = usize::try_from(u128::from(EARS_RATE) * STEP.as_millis() / 1_000).unwrap();
        let samples: Vec<f32> = (0..count).map(|_| self.air.pop_front().unwrap_or(0.0)).collect();
        aloud::sound(&samples)
    }
}

/// What came of one card whose question was heard by ourselves.
#[derive(Debug, Default)]
struct Came {
    accepted: usize,
    heard: Vec<String>,
}

async fn replay(senses: &Arc<Senses>, text: &str, gain_db: f32, delay_ms: u64) -> Came {
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

    let (mut air, mut came) = (Loop::new(gain_db, delay_ms), Came::default());
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
        let text = NOTES[number % NOTES.len()];
        let gain = GAINS_DB[number % GAINS_DB.len()];
        let delay = DELAYS_MS[number / GAINS_DB.len() % DELAYS_MS.len()] + number as u64 % 7 * 5;
        let came = replay(&senses, text, gain, delay).await;
        if !came.heard.is_empty() {
            misheard += 1;
            println!("{text:?} at {gain} dB, {delay} ms late: {:?}", came.heard);
        }
        accepted += came.accepted;
    }
    println!("{} replays of our own voice: {accepted} approvals, {misheard} heard", replays());
    assert_eq!(accepted, 0);
}
