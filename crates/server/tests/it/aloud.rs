//! Talking to a running server, with the models of `make assets`, in real time.

use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;

use crate::client::Client;
use crate::event::kind;
use crate::house::{HOME, House, run};
use crate::sound::assets;

const RATE: u32 = 16_000;
const FRAME_MS: u64 = 100;

/// What our own voice makes of a sentence.
pub fn spoken(text: &str, assets: &str) -> Vec<i16> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("said.wav");
    let path = file.to_str().unwrap();
    let rate = RATE.to_string();
    let spoken = run(&["speak", text, "--out", path, "--rate", &rate, "--assets", assets]);
    assert_eq!(spoken.code, 0, "{}", spoken.err);
    read(&file)
}

fn read(file: &Path) -> Vec<i16> {
    let wav = hound::WavReader::open(file).unwrap();
    wav.into_samples::<i16>().map(|sample| sample.unwrap()).collect()
}

/// The same in noise, so many decibels below it.
fn in_noise(samples: &[i16], decibels: f64) -> Vec<i16> {
    let power = samples.iter().map(|it| f64::from(*it).powi(2)).sum::<f64>();
    #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
    let loud = (power / samples.len() as f64).sqrt() * 10_f64.powf(-decibels / 20.0);
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        #[expect(clippy::cast_precision_loss, reason = "a share of the whole")]
        let even = (state >> 11) as f64 / (1_u64 << 53) as f64;
        // Even noise of this width has the power that is wanted.
        (even - 0.5) * 12_f64.sqrt() * loud
    };
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    let mixed = |sample: &i16| (f64::from(*sample) + noise()).clamp(-32_768.0, 32_767.0) as i16;
    samples.iter().map(mixed).collect()
}

/// Who decides when somebody is done is `auto` or `manual`.
pub fn greet(client: &mut Client, turn_mode: &str) {
    client.send(&json!({ "event_type": "session.hello", "payload": {
        "binary_audio": { "sample_rate": RATE, "channels": 1 },
        "plays_audio": true, "cancels_echo": true, "turn_mode": turn_mode,
    }}));
}

/// Sends it as a microphone does: no faster than it is said.
pub fn play(client: &mut Client, samples: &[i16]) {
    let frame = usize::try_from(u64::from(RATE) * FRAME_MS / 1_000).unwrap();
    for samples in samples.chunks(frame) {
        let bytes: Vec<u8> = samples.iter().flat_map(|it| it.to_le_bytes()).collect();
        client.send_message(Message::binary(bytes));
        std::thread::sleep(Duration::from_millis(FRAME_MS));
    }
}

pub fn silence(ms: u64) -> Vec<i16> {
    vec![0; usize::try_from(u64::from(RATE) * ms / 1_000).unwrap()]
}

fn said(events: &[Value], kind_of: &str) -> Vec<String> {
    let texts = events.iter().filter(|event| kind(event) == kind_of);
    texts.map(|event| event["payload"]["text"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_request_spoken_in_noise_is_booked_once_after_a_spoken_yes_and_told_aloud() {
    let Some(assets) = assets() else { return };
    let env = vec![("SAYSO_ASSETS", assets.clone())];
    let house = House::open_in(TempDir::new().unwrap(), HOME, env);
    let mut client = Client::new(&house);
    greet(&mut client, "auto");
    let request = in_noise(&spoken("Put lunch with Tom on Friday at noon.", &assets), 20.0);
    let yes = in_noise(&spoken("Yes please.", &assets), 20.0);

    play(&mut client, &silence(500));
    play(&mut client, &request);
    play(&mut client, &silence(1_200));
    let mut events = client.until("a card", |event| kind(event) == "confirmation.request");
    let question =
        client.until("the question, spoken", |event| kind(event) == "assistant_audio.end");
    events.extend(question);
    assert_eq!(said(&events, "input_transcript.final"), ["Put lunch with Tom on Friday at noon."]);
    assert!(!said(&events, "input_transcript.delta").is_empty());

    play(&mut client, &silence(300));
    play(&mut client, &yes);
    play(&mut client, &silence(1_200));
    let outcome = client.until("the end", |event| kind(event) == "turn.end");
    let answered = outcome.iter().find(|event| kind(event) == "confirmation.resolved");
    let answered = &answered.expect("a spoken yes")["payload"];
    assert_eq!((&answered["decision"], &answered["channel"]), (&json!("accept"), &json!("voice")));
    let done = outcome.iter().filter(|event| kind(event) == "tool_call.result").count();
    assert_eq!(done, 1);

    // What it said at the end is what can be heard.
    let sound = outcome.iter().filter(|event| kind(event) == "assistant_audio.chunk");
    let bytes: Vec<u8> = sound
        .flat_map(|event| BASE64.decode(event["payload"]["pcm16_b64"].as_str().unwrap()).unwrap())
        .collect();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("answer.wav");
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 24_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut wav = hound::WavWriter::create(&file, spec).unwrap();
    for pair in bytes.chunks_exact(2) {
        wav.write_sample(i16::from_le_bytes([pair[0], pair[1]])).unwrap();
    }
    wav.finalize().unwrap();
    let heard = run(&["hear", file.to_str().unwrap(), "--assets", &assets]);
    assert!(heard.out.to_lowercase().contains("on your calendar"), "{}{}", heard.out, heard.err);
}

#[test]
fn a_file_can_be_said_and_its_answer_kept() {
    let Some(assets) = assets() else { return };
    let env = vec![("SAYSO_ASSETS", assets.clone())];
    let house = House::open_in(TempDir::new().unwrap(), HOME, env);
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (question, answer, quiet) = (place("q.wav"), place("a.wav"), place("quiet.wav"));
    let ask = ["speak", "Any new mail from Priya?", "--out", &question, "--assets", &assets];
    assert_eq!(run(&ask).code, 0);

    let said = run(&["say", "--server", &house.url(), "--wav", &question, "--save", &answer]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.out.starts_with("> Any new mail from Priya"), "{}", said.out);
    let heard = run(&["hear", &answer, "--assets", &assets]);
    assert!(heard.out.to_lowercase().contains("mail"), "{}", heard.out);

    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 8_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut wav = hound::WavWriter::create(&quiet, spec).unwrap();
    (0..8_000).for_each(|_| wav.write_sample(0_i16).unwrap());
    wav.finalize().unwrap();
    let silent = run(&["say", "--server", &house.url(), "--wav", &quiet]);
    assert_eq!(silent.code, 3);
    assert!(silent.err.contains("I didn't hear anything. (no_speech)"), "{}", silent.err);
}

/// A server that hears and speaks, and a folder for files of sound.
fn house_and_folder(assets: &str) -> (House, TempDir) {
    let env = vec![("SAYSO_ASSETS", assets.to_owned())];
    (House::open_in(TempDir::new().unwrap(), HOME, env), TempDir::new().unwrap())
}

#[test]
fn a_card_that_a_file_opens_is_read_out_into_the_other_file() {
    let Some(assets) = assets() else { return };
    let (house, folder) = house_and_folder(&assets);
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (question, answer) = (place("q.wav"), place("a.wav"));
    let words = "Put lunch with Tom on Friday at noon.";
    assert_eq!(run(&["speak", words, "--out", &question, "--assets", &assets]).code, 0);

    let said = run(&["say", "--server", &house.url(), "--wav", &question, "--save", &answer]);

    assert_eq!(said.code, 4, "{}{}", said.out, said.err);
    assert!(said.err.contains("the card stays open"), "{}", said.err);
    let heard = run(&["hear", &answer, "--assets", &assets]);
    assert!(heard.out.to_lowercase().contains("on your calendar"), "{}", heard.out);
}

#[test]
fn the_answer_to_typed_words_can_be_kept_as_sound() {
    let Some(assets) = assets() else { return };
    let (house, folder) = house_and_folder(&assets);
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (answer, card) = (place("a.wav"), place("card.wav"));

    let said =
        run(&["say", "--server", &house.url(), "--save", &answer, "any new mail from Priya?"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let heard = run(&["hear", &answer, "--assets", &assets]);
    assert!(heard.out.to_lowercase().contains("mail"), "{}", heard.out);

    let words = "put lunch with Tom on Friday at noon";
    let said = run(&["say", "--server", &house.url(), "--save", &card, words]);
    assert_eq!(said.code, 4, "{}{}", said.out, said.err);
    let heard = run(&["hear", &card, "--assets", &assets]);
    assert!(heard.out.to_lowercase().contains("on your calendar"), "{}", heard.out);
}
