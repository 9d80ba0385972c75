//! A live voice behind the binary: what people say goes through it, and the gate stays.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::FakeRealtime;
use testkit::provider::KEY;
use testkit::realtime::{Answer, MODEL};
use tokio::runtime::Runtime;

use crate::aloud::{greet, play, silence, spoken};
use crate::client::Client;
use crate::event::kind;
use crate::house::{HOME, House, run_with};
use crate::http::get;
use crate::sound::assets;

/// What the rules decline.
const RIDDLE: &str = "Why is the sky blue?";

fn says(client: &mut Client, fake: &FakeRealtime, text: &str, assets: &str) {
    fake.will_hear(text);
    play(client, &spoken(text, assets));
    play(client, &silence(1_200));
}

fn codes(events: &[Value]) -> Vec<&str> {
    let failed = events.iter().filter(|event| kind(event) == "error");
    failed.filter_map(|event| event["payload"]["code"].as_str()).collect()
}

#[test]
fn a_request_through_a_live_voice_is_booked_once_after_a_yes_and_a_riddle_is_answered() {
    let Some(assets) = assets() else { return };
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeRealtime::start());
    let env = vec![
        ("SAYSO_ASSETS", assets.clone()),
        ("OPENAI_API_KEY", KEY.to_owned()),
        ("OPENAI_BASE_URL", fake.base()),
        ("SAYSO_SPEECH_LIVE_MODEL", MODEL.to_owned()),
        ("SAYSO_LOG", "trace".to_owned()),
    ];
    let house = House::open_in(TempDir::new().unwrap(), HOME, env);
    let mut client = Client::new(&house);
    greet(&mut client, "auto");
    play(&mut client, &silence(500));

    says(&mut client, &fake, "Put lunch with Tom on Friday at noon.", &assets);
    let mut events = client.until("a card", |event| kind(event) == "confirmation.request");
    let question = client.until("the question", |event| kind(event) == "assistant_audio.end");
    events.extend(question);
    play(&mut client, &silence(300));
    says(&mut client, &fake, "Yes please.", &assets);
    let outcome = client.until("the end", |event| kind(event) == "turn.end");
    let answered = outcome.iter().find(|event| kind(event) == "confirmation.resolved");
    let answered = &answered.expect("a spoken yes")["payload"];
    assert_eq!((&answered["decision"], &answered["channel"]), (&json!("accept"), &json!("voice")));
    let done = outcome.iter().filter(|event| kind(event) == "tool_call.result").count();
    assert_eq!(done, 1);
    events.extend(outcome);

    std::thread::sleep(Duration::from_millis(300));
    fake.will(Answer::says("Because air scatters blue light most."));
    says(&mut client, &fake, RIDDLE, &assets);
    let riddle = client.until("the answer", |event| kind(event) == "turn.end");
    let said = riddle.iter().find(|event| kind(event) == "assistant_text.final");
    let said = said.expect("an answer")["payload"]["text"].as_str().unwrap_or_default();
    assert!(said.ends_with("Because air scatters blue light most."), "{said}");
    let turn = riddle.last().unwrap()["turn_id"].as_str().unwrap();
    let record = get(&house, &format!("/control/turns/{turn}")).json();
    let calls = record["models"].as_array().cloned().unwrap_or_default();
    assert_eq!(calls.len(), 2, "what it was asked, and what it read: {record}");
    assert!(calls.iter().all(|call| call["provider"] == "realtime"), "{record}");
    assert!(calls.iter().all(|call| call["cost_micros"].as_u64() > Some(0)), "{record}");
    events.extend(riddle);

    assert_eq!(codes(&events), [""; 0], "nobody stood in");
    assert_eq!(fake.mistakes(), [""; 0]);
    let told = house.log();
    assert!(!told.contains(KEY) && !told.contains("scatters"), "a key or a word is in the log");
}

#[test]
fn the_doctor_tells_what_is_wrong_with_a_live_voice() {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeRealtime::start());
    let (folder, base) = (TempDir::new().unwrap(), fake.base());
    for (key, model, base, expected) in [
        (KEY, MODEL, base.as_str(), "is there, takes the key and has the model"),
        ("wrong", MODEL, &base, "does not take the key"),
        (KEY, "live-9", &base, "has no model called live-9"),
        (KEY, MODEL, "http://127.0.0.1:1/v1", "cannot be reached"),
    ] {
        let env = [
            ("SAYSO_LISTEN", HOME),
            ("SAYSO_MODELS_ENABLED", "false"),
            ("OPENAI_API_KEY", key),
            ("OPENAI_BASE_URL", base),
            ("SAYSO_SPEECH_LIVE_MODEL", model),
        ];
        let data = folder.path().join("data");
        let told = run_with(&["doctor", "--data", data.to_str().unwrap()], &env, "").out;
        assert!(told.contains(expected), "{told}");
        assert!(!told.contains(KEY), "{told}");
    }
}

/// What a server that may tell nobody outside anything is set up with: a gateway on this
/// machine that leads elsewhere.
fn forbidden(base: &str, cloud: &str) -> Vec<(&'static str, String)> {
    vec![
        ("OPENAI_API_KEY", KEY.to_owned()),
        ("SAYSO_SPEECH_LIVE_MODEL", MODEL.to_owned()),
        ("SAYSO_SPEECH_LIVE_URL", base.to_owned()),
        ("SAYSO_SPEECH_LIVE_TIER", "cloud".to_owned()),
        ("SAYSO_MODELS_ENABLED", "false".to_owned()),
        ("SAYSO_MODELS_CLOUD", cloud.to_owned()),
    ]
}

fn is_called(outside: &TcpListener) -> bool {
    match outside.accept() {
        Ok(_) => true,
        Err(error) if error.kind() == ErrorKind::WouldBlock => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_live_voice_outside_is_told_nothing_where_nothing_may_leave_and_the_doctor_says_so() {
    let outside = TcpListener::bind(HOME).unwrap();
    outside.set_nonblocking(true).unwrap();
    let base = format!("http://{}/v1", outside.local_addr().unwrap());

    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let env = forbidden(&base, "false");
    let mut env: Vec<_> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    env.push(("SAYSO_LISTEN", HOME));
    let told = run_with(&["doctor", "--data", data.to_str().unwrap()], &env, "").out;
    assert!(told.contains("`speech.live` is not used"), "{told}");
    assert!(told.contains("or set `models.cloud = true`"), "{told}");
    assert!(!is_called(&outside), "the doctor called it");

    let Some(assets) = assets() else { return };
    for (cloud, calls) in [("false", false), ("true", true)] {
        let mut env = forbidden(&base, cloud);
        env.push(("SAYSO_ASSETS", assets.clone()));
        let house = House::open_in(TempDir::new().unwrap(), HOME, env);
        let mut client = Client::new(&house);
        greet(&mut client, "auto");
        play(&mut client, &spoken("What is on my calendar tomorrow?", &assets));
        play(&mut client, &silence(1_200));
        client.until("the answer", |event| kind(event) == "turn.end");
        assert_eq!(is_called(&outside), calls, "cloud = {cloud}");
        let warned = house.log().contains("a service outside this machine is set up and not used");
        assert_eq!(warned, !calls, "{}", house.log());
    }
}
