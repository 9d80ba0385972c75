//! A microphone that nobody speaks into: for as long as it likes, no turn begins,
//! nothing is answered and nothing grows. With the real models, in virtual time.

use std::f32::consts::TAU;
use std::sync::Arc;
use std::time::Duration;

use brain::Input;
use brain::input::Hello;
use session::Registry;
use speech::resample::EARS_RATE;
use testkit::aloud::{self, Models};

use crate::{Stage, house};

const SECOND: usize = EARS_RATE as usize;

/// Chords with a tune above them.
fn music(at: usize) -> f32 {
    const CHORDS: [[f32; 3]; 3] =
        [[261.6, 329.6, 392.0], [220.0, 261.6, 329.6], [196.0, 246.9, 293.7]];
    const TUNE: [f32; 5] = [523.3, 659.3, 587.3, 440.0, 392.0];
    let beat = SECOND / 2;
    #[expect(clippy::cast_precision_loss, reason = "within a minute")]
    let time = (at % (60 * SECOND)) as f32 / EARS_RATE as f32;
    let tone = |hertz: f32| (TAU * hertz * time).sin() + 0.5 * (TAU * 2.0 * hertz * time).sin();
    let chord: f32 = CHORDS[at / beat / 4 % 3].iter().map(|hertz| tone(*hertz)).sum();
    0.1 * (chord / 3.0 + tone(TUNE[at / beat % 5]))
}

/// What came of so many seconds of a sound.
async fn heard(models: &Models, seconds: usize, sound: impl Fn(usize) -> f32) -> Vec<&'static str> {
    let store = Arc::default();
    let (mut house, mind) = house(&store, tools::Catalog::new());
    house.senses = models.senses();
    let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
    let (session, mut client) = stage.session().await;
    let hello = Hello { plays_audio: Some(true), ..Hello::default() };
    session.send(client.client, None, Input::Hello(hello)).await.unwrap();
    let mut came = Vec::new();
    for second in 0..seconds {
        for start in (0..10).map(|tenth| second * SECOND + tenth * SECOND / 10) {
            let samples: Vec<f32> = (start..start + SECOND / 10).map(&sound).collect();
            let sound = Input::Audio(aloud::sound(&samples));
            session.send(client.client, None, sound).await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        while let Some(envelope) = client.try_next() {
            came.push(envelope.event.name());
        }
    }
    came.retain(|name| *name != "session.ready");
    came
}

#[tokio::test(start_paused = true)]
async fn ten_minutes_of_silence_and_five_of_music_begin_no_turn() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    assert_eq!(heard(&models, 600, |_| 0.0).await, [""; 0]);
    // A sound that stands beside zero is no voice either.
    assert_eq!(heard(&models, 30, |_| 0.4).await, [""; 0]);
    assert_eq!(heard(&models, 300, music).await, [""; 0]);
}
