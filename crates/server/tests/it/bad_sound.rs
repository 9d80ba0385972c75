//! Sound that nobody can hear, and far too much of it: a typed answer, bounded
//! memory, and nobody else notices.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;

use crate::aloud::{greet, play, silence, spoken};
use crate::client::Client;
use crate::event::{assert_succeeded, code, kind};
use crate::house::{HOME, House};
use crate::sound::assets;

/// A minute of sound at 48 kHz is 6 MB; ten seconds of it may wait to be heard.
const ROOM_KIB: u64 = 32 * 1024;

fn chunk(payload: &Value) -> Value {
    json!({ "event_type": "audio.chunk", "payload": payload })
}

#[test]
fn torn_sound_and_sound_of_no_known_kind_is_refused_by_name_and_the_talk_goes_on() {
    let house = House::open();
    let (mut client, mut other) = (Client::new(&house), Client::new(&house));
    let whole = BASE64.encode([0_u8; 640]);
    let sound = |b64: &str, rate: i64, channels: i64| json!({ "pcm16_b64": b64, "sample_rate": rate, "channels": channels });
    let cases = [
        // Cut in the middle, and not base64 at all.
        (sound(&whole[..whole.len() - 3], 16_000, 1), "bad_audio"),
        (sound("§§§", 16_000, 1), "bad_audio"),
        // Half a sample, and half a pair of them.
        (sound(&BASE64.encode([0_u8; 641]), 16_000, 1), "bad_audio"),
        (sound(&BASE64.encode([0_u8; 642]), 16_000, 2), "bad_audio"),
        (sound(&whole, 0, 1), "bad_audio"),
        (sound(&whole, 7_999, 1), "bad_audio"),
        (sound(&whole, 48_001, 1), "bad_audio"),
        (sound(&whole, 4_294_967_295, 1), "bad_audio"),
        (sound(&whole, 16_000, 0), "bad_audio"),
        (sound(&whole, 16_000, 3), "bad_audio"),
        (sound(&whole, -16_000, 1), "bad_payload"),
        (json!({ "pcm16_b64": 7, "sample_rate": 16_000, "channels": 1 }), "bad_payload"),
        (json!({}), "bad_payload"),
    ];
    for (payload, expected) in cases {
        client.send(&chunk(&payload));
        let complaint = client.next(expected);
        assert_eq!(code(&complaint), expected, "{payload}");
        assert!(complaint["payload"]["user_message"].is_string(), "{complaint}");
    }
    assert_succeeded(&client.turn("hello"));
    assert_succeeded(&other.turn("hello"));
}

#[test]
fn a_microphone_of_a_wrong_rate_is_told_once() {
    let house = House::open();
    let mut client = Client::new(&house);
    let wrong = json!({
        "pcm16_b64": BASE64.encode([0_u8; 640]), "sample_rate": 96_000, "channels": 1,
    });
    for _ in 0..50 {
        client.send(&chunk(&wrong));
    }
    client.send(&json!({ "event_type": "text.input", "payload": { "text": "hello" } }));
    let came = client.until("an answer", |event| kind(event) == "turn.end");
    let told = came.iter().filter(|event| kind(event) == "error").map(code);
    assert_eq!(told.collect::<Vec<_>>(), ["bad_audio"]);
}

#[test]
fn a_torn_binary_frame_is_refused_and_what_is_said_behind_it_is_heard() {
    let Some(assets) = assets() else { return };
    let house =
        House::open_in(TempDir::new().unwrap(), HOME, vec![("SAYSO_ASSETS", assets.clone())]);
    let mut client = Client::new(&house);
    greet(&mut client, "auto");
    client.send_message(Message::binary(vec![0_u8; 641]));
    let refused = client.until("a refusal", |event| kind(event) == "error");
    assert_eq!(refused.last().map(code), Some("bad_audio"));

    // Too loud for its samples, and beside its zero: as cheap microphones send it.
    let clipped = spoken("What meetings do I have tomorrow?", &assets);
    let clipped = clipped.iter().map(|sample| sample.saturating_mul(6).saturating_add(3_000));
    play(&mut client, &clipped.collect::<Vec<_>>());
    play(&mut client, &silence(1_200));
    let heard = client.until("words", |event| kind(event) == "input_transcript.final");
    let heard = heard.last().unwrap()["payload"]["text"].as_str().unwrap().to_lowercase();
    assert!(heard.contains("meetings") && heard.contains("tomorrow"), "{heard}");
}

/// What it holds when it holds no more from second to second.
fn settled_kib(house: &House) -> u64 {
    let mut before = 0;
    loop {
        std::thread::sleep(std::time::Duration::from_secs(2));
        let now = house.memory_kib();
        if now.abs_diff(before) < 512 {
            return now;
        }
        before = now;
    }
}

#[test]
fn sound_at_ten_times_its_pace_takes_no_room_and_what_is_dropped_is_told_once() {
    let Some(assets) = assets() else { return };
    let env = vec![("SAYSO_ASSETS", assets), ("SAYSO_LIMITS_AUDIO_SECONDS_PER_MINUTE", "0".into())];
    let house = House::open_in(TempDir::new().unwrap(), HOME, env);
    let (mut fast, mut other) = (Client::new(&house), Client::new(&house));
    fast.send(&json!({ "event_type": "session.hello", "payload": {
        "binary_audio": { "sample_rate": 48_000, "channels": 2 }, "turn_mode": "auto",
    }}));
    // The models are there before anything is counted.
    fast.send_message(Message::binary(vec![0_u8; 19_200]));
    assert_succeeded(&other.turn("hello"));
    let before = settled_kib(&house);

    // Two minutes of it, ten times as fast as anybody could hear.
    let mut state = 1_u32;
    for number in 0..1_200 {
        let noise = (0..19_200).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 28) as u8
        });
        fast.send_message(Message::binary(noise.collect::<Vec<u8>>()));
        std::thread::sleep(std::time::Duration::from_millis(10));
        if number == 600 {
            assert_succeeded(&other.turn("what meetings do I have tomorrow?"));
        }
    }

    let (_, told) = fast.catch_up();
    let codes: Vec<_> = told.iter().filter(|event| kind(event) == "error").map(code).collect();
    // A quick machine may have heard it all.
    assert!(codes.is_empty() || codes == ["audio_too_fast"], "{codes:?}");
    let grown = house.memory_kib().saturating_sub(before);
    assert!(grown < ROOM_KIB, "{grown} KiB more than before");

    // A minute in a moment is more than anybody hears: ten seconds of it may wait.
    let mut faster = Client::new(&house);
    faster.send(&json!({ "event_type": "session.hello", "payload": {
        "binary_audio": { "sample_rate": 8_000, "channels": 1 }, "turn_mode": "auto",
    }}));
    for _ in 0..30 {
        faster.send_message(Message::binary(vec![0_u8; 2 * 16_000]));
    }
    let told = faster.until("a complaint", |event| kind(event) == "error");
    assert_eq!(told.last().map(code), Some("audio_too_fast"));
    assert_succeeded(&other.turn("hello"));
    let (_, told) = faster.catch_up();
    assert!(!told.iter().any(|event| kind(event) == "error"), "once: {told:?}");
    assert_succeeded(&other.turn("hello"));
}
