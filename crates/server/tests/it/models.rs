//! Models of others, behind the binary: one key is all it takes, and the gate stays.

use std::time::{Duration, Instant};

use models::provider::Tongue;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::provider::{FakeProvider, KEY, Part, Reply};
use tokio::runtime::Runtime;

use crate::client::Client;
use crate::event::{of_kind, one, text};
use crate::house::{HOME, House, run, run_with};
use crate::http::get;

/// What the rules decline.
const RIDDLE: &str = "why is the sky blue";

struct Scene {
    house: House,
    fake: FakeProvider,
    /// Drives the provider.
    _runtime: Runtime,
}

fn scene(more: &[(&'static str, &str)]) -> Scene {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeProvider::start());
    let mut env = vec![
        ("ANTHROPIC_API_KEY", KEY.to_owned()),
        ("ANTHROPIC_BASE_URL", fake.base(Tongue::Anthropic)),
        ("SAYSO_MODELS_ANTHROPIC_MODEL", "small-1".to_owned()),
        ("SAYSO_LOG", "trace".to_owned()),
        ("SAYSO_LOG_FORMAT", "json".to_owned()),
    ];
    env.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
    let house = House::open_in(TempDir::new().unwrap(), HOME, env);
    Scene { house, fake, _runtime: runtime }
}

fn record(house: &House, turn: &[Value]) -> Value {
    let id = turn[0]["turn_id"].as_str().unwrap();
    get(house, &format!("/control/turns/{id}")).json()
}

#[test]
fn a_riddle_is_answered_by_a_model_and_a_question_by_the_rules() {
    let Scene { house, fake, _runtime } = scene(&[]);
    let mut client = Client::new(&house);
    fake.will(Reply::says("Because air scatters blue light most. {\"tool\": \"x\"}"));

    let turn = client.turn(RIDDLE);

    let said = text(one(&turn, "assistant_text.final"));
    assert_eq!(said.trim(), "Let me think about that. Because air scatters blue light most.");
    let deltas = of_kind(&turn, "assistant_text.delta");
    assert_eq!(deltas.iter().map(|delta| text(delta)).collect::<String>(), said);
    assert_eq!(one(&turn, "turn.end")["payload"]["outcome"], "success");
    let told = record(&house, &turn);
    assert_eq!((&told["tier"], &told["tier_reason"]), (&json!("local"), &json!("words_alone")));
    assert_eq!(told["models"][0]["request_id"], "req_1");
    assert_eq!(told["models"][0]["input_tokens"], 20);
    assert!(told["models"][0]["cost_micros"].as_u64().unwrap() > 0, "{told}");

    let turn = client.turn("What meetings do I have tomorrow?");
    assert_eq!(record(&house, &turn)["tier"], "reflex");
    assert_eq!(fake.asked().len(), 1, "the rules read that alone");

    let spent = get(&house, "/control/summary").json()["spent"].clone();
    assert_eq!((&spent[0]["calls"], &spent[0]["output_tokens"]), (&json!(1), &json!(5)));
    let costs = run(&["costs", "--data", &house.data()]);
    assert!(costs.out.starts_with("$0.0") && costs.out.contains("1 questions"), "{costs:?}");
    let told = format!("{}{spent}{}", house.log(), costs.out);
    assert!(!told.contains(KEY) && !told.contains("scatters"), "a key or a word is in the log");
}

#[test]
fn what_a_model_wants_to_send_waits_for_a_yes() {
    let Scene { house, fake, _runtime } = scene(&[]);
    let mut client = Client::new(&house);
    let args = json!({ "to": ["mallory@evil.example"], "subject": "Hi", "body": "All of it." });
    fake.will(Reply::calls("gmail.send", args));

    let turn = client.turn(RIDDLE);

    assert!(of_kind(&turn, "confirmation.request").is_empty(), "nobody knows that address");
    assert!(of_kind(&turn, "tool_call.request").is_empty());
    assert_eq!(one(&turn, "turn.end")["payload"]["error_code"], "unknown_recipient");
}

#[test]
fn an_interrupt_hangs_up() {
    let Scene { house, fake, _runtime } = scene(&[]);
    let mut client = Client::new(&house);
    let stall = Part::Pause(Duration::from_mins(10));
    fake.will(Reply::Answers(vec![Part::Text("Because it ".into()), stall]));
    client.say(RIDDLE);
    let heard = client.until("the first words", |event| {
        event["event_type"] == "assistant_text.delta" && text(event).contains("Because")
    });
    let turn = heard.last().unwrap()["turn_id"].clone();
    client.send(&json!({ "event_type": "user.interrupt",
        "payload": { "reason": "barge_in", "cancel_turn_id": turn } }));
    client.until("that it stopped", |event| event["event_type"] == "turn.cancelled");

    let started = Instant::now();
    while fake.hung_up() == 0 {
        assert!(started.elapsed() < Duration::from_secs(20), "the provider still works for it");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_provider_that_fails_is_said_once_and_the_rules_answer() {
    let Scene { house, fake, _runtime } = scene(&[("SAYSO_MODELS_TRIES", "1")]);
    let mut client = Client::new(&house);
    for _ in 0..2 {
        fake.will(Reply::fails(503));
    }
    let first = client.turn(RIDDLE);
    let second = client.turn(RIDDLE);

    let said = |turn: &[Value]| text(one(turn, "assistant_text.final")).to_owned();
    assert!(said(&first).contains("I go by my rules"), "{}", said(&first));
    assert!(!said(&second).contains("I go by my rules"), "{}", said(&second));
    let told = record(&house, &first);
    assert_eq!(told["fallback"], "model_overloaded");
    assert_eq!((&told["tier"], &told["tier_reason"]), (&json!("reflex"), &json!("model_away")));
}

#[test]
fn a_cap_and_a_rate_hold_for_models_alone() {
    let Scene { house, fake, _runtime } = scene(&[("SAYSO_MODELS_CAP_TOKENS_EACH", "20")]);
    let mut client = Client::new(&house);
    fake.will(Reply::says("Scattering."));
    client.turn(RIDDLE);
    let turn = client.turn(RIDDLE);
    assert_eq!(fake.asked().len(), 1);
    assert!(text(one(&turn, "assistant_text.final")).contains("budget"), "{turn:?}");
    assert_eq!(record(&house, &turn)["fallback"], "model_cap");

    let Scene { house, fake, _runtime } = scene(&[("SAYSO_LIMITS_MODELS_PER_MINUTE", "1")]);
    let mut client = Client::new(&house);
    fake.will(Reply::says("Scattering."));
    client.turn(RIDDLE);
    client.say(RIDDLE);
    let heard = client.until("that it is too much", |event| event["event_type"] == "rate_limit");
    assert_eq!(heard.last().unwrap()["payload"]["scope"], "model");
    assert_eq!(fake.asked().len(), 1);
}

#[test]
fn the_doctor_tells_what_is_wrong_with_a_provider() {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeProvider::start());
    let base = fake.base(Tongue::Chat);
    let folder = TempDir::new().unwrap();
    let doctor = |key: &str, model: &str, base: &str| {
        let env = [
            ("SAYSO_LISTEN", HOME),
            ("OPENAI_API_KEY", key),
            ("OPENAI_BASE_URL", base),
            ("SAYSO_MODELS_OPENAI_MODEL", model),
        ];
        let data = folder.path().join("data");
        run_with(&["doctor", "--data", data.to_str().unwrap()], &env, "").out
    };
    for (key, model, base, expected) in [
        (KEY, "small-1", base.as_str(), "takes the key and has the model (2 in all)"),
        ("wrong", "small-1", &base, "does not take the key"),
        (KEY, "huge-9", &base, "has no model called huge-9"),
        (KEY, "small-1", "http://127.0.0.1:1/v1", "cannot be reached"),
    ] {
        let told = doctor(key, model, base);
        assert!(told.contains(expected), "{told}");
        assert!(!told.contains(KEY), "{told}");
    }
    assert_eq!(fake.asked().len(), 0);
}
