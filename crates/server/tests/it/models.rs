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

const PRICES: &str = "small-1=5/5/25";

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
        // What is on this machine costs nothing unless somebody says so.
        ("SAYSO_MODELS_PRICES", PRICES.to_owned()),
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
    let ended = &one(&turn, "turn.end")["payload"];
    assert_eq!(ended["outcome"], "success");
    assert_eq!((&ended["tier"], &ended["model"]), (&json!("local"), &json!("small-1")));
    let told = record(&house, &turn);
    assert_eq!((&told["tier"], &told["tier_reason"]), (&json!("local"), &json!("words_alone")));
    assert_eq!(told["models"][0]["request_id"], "req_1");
    assert_eq!(told["models"][0]["input_tokens"], 20);
    assert!(told["models"][0]["cost_micros"].as_u64().unwrap() > 0, "{told}");

    let turn = client.turn("What meetings do I have tomorrow?");
    assert_eq!(record(&house, &turn)["tier"], "reflex");
    assert_eq!(one(&turn, "turn.end")["payload"].get("tier"), None);
    assert_eq!(fake.asked().len(), 1, "the rules read that alone");

    let spent = get(&house, "/control/summary").json()["spent"].clone();
    assert_eq!((&spent[0]["calls"], &spent[0]["output_tokens"]), (&json!(1), &json!(5)));
    let costs = run(&["costs", "--data", &house.data()]);
    assert!(costs.out.starts_with("$0.0") && costs.out.contains("1 question,"), "{costs:?}");
    let told = format!("{}{spent}{}", house.log(), costs.out);
    assert!(!told.contains(KEY) && !told.contains("scatters"), "a key or a word is in the log");
}

/// A model on this machine, and one that counts as somebody else's, with who drives it.
fn two_tiers() -> (Scene, FakeProvider, Runtime) {
    let runtime = Runtime::new().unwrap();
    let cloud = runtime.block_on(FakeProvider::start());
    let base = cloud.base(Tongue::Chat);
    let env = [
        ("OPENAI_API_KEY", KEY),
        ("OPENAI_BASE_URL", &base),
        ("SAYSO_MODELS_OPENAI_MODEL", "large-1"),
        ("SAYSO_MODELS_OPENAI_TIER", "cloud"),
    ];
    (scene(&env), cloud, runtime)
}

#[test]
fn what_is_beyond_the_local_model_leaves_by_a_call_that_is_on_record() {
    let (Scene { house, fake, _runtime }, cloud, _driven) = two_tiers();
    let mut client = Client::new(&house);
    let args = json!({ "reason": "needs_knowledge", "confidence": 0.2 });
    fake.will(Reply::calls("escalate_to_cloud", args));
    cloud.will(Reply::says("Because air scatters blue light most."));

    let turn = client.turn(RIDDLE);

    let request = &one(&turn, "tool_call.request")["payload"];
    assert_eq!(request["tool_name"], "escalate_to_cloud");
    let expected = json!({ "reason": "needs_knowledge", "confidence": 0.2, "threshold": 0.5 });
    assert_eq!(request["arguments"], expected);
    let result = &one(&turn, "tool_call.result")["payload"];
    assert_eq!(result["output"]["model"], "large-1");
    assert_eq!(one(&turn, "turn.end")["payload"]["tier"], "cloud");
    let told = record(&house, &turn);
    assert_eq!((&told["tier"], &told["tier_reason"]), (&json!("cloud"), &json!("needs_knowledge")));
    let tiers: Vec<_> = told["models"].as_array().unwrap().iter().map(|it| &it["tier"]).collect();
    assert_eq!(tiers, ["local", "cloud"], "both have cost something");
    let audit = run(&["audit", "--json", "--data", &house.data()]);
    let line = audit.out.lines().find(|line| line.contains("escalated")).unwrap();
    assert!(line.contains("needs_knowledge") && line.contains("escalate_to_cloud"), "{line}");
    // Only the local one was told that it can hand on.
    assert!(fake.asked()[0].body.to_string().contains("escalate_to_cloud"));
    assert!(!cloud.asked()[0].body.to_string().contains("escalate_to_cloud"));
}

#[test]
fn nobody_is_asked_elsewhere_who_does_not_want_it() {
    let (Scene { house, fake, _runtime }, cloud, _driven) = two_tiers();
    let set = run(&["profile", "set", "--cloud", "no", "--server", &house.url()]);
    assert!(set.code == 0 && set.out.contains("is not asked"), "{set:?}");
    let mut client = Client::new(&house);
    fake.will(Reply::fails(400));
    let turn = client.turn(RIDDLE);
    assert!(of_kind(&turn, "tool_call.request").is_empty());
    assert_eq!((cloud.asked().len(), record(&house, &turn)["tier"].clone()), (0, json!("reflex")));
    assert!(!fake.asked()[0].body.to_string().contains("escalate_to_cloud"));

    let set = run(&["profile", "set", "--cloud", "yes", "--server", &house.url()]);
    assert_eq!(set.code, 0, "{set:?}");
    let paused = run(&["pause", "--tool", "escalate_to_cloud", "--server", &house.url()]);
    assert_eq!(paused.code, 0, "{paused:?}");
    fake.will(Reply::fails(400));
    client.turn(RIDDLE);
    assert_eq!(cloud.asked().len(), 0, "an operator has stopped it");

    let resumed = run(&["resume", "--tool", "escalate_to_cloud", "--server", &house.url()]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    fake.will(Reply::fails(400));
    cloud.will(Reply::says("Scattering."));
    let turn = client.turn(RIDDLE);
    assert_eq!(one(&turn, "turn.end")["payload"]["tier"], "cloud");
    assert_eq!(record(&house, &turn)["tier_reason"], "local_failed");
}

#[test]
fn a_model_on_this_machine_costs_nothing_and_is_not_held_back_for_it() {
    let free = [("SAYSO_MODELS_PRICES", ""), ("SAYSO_MODELS_CAP_MILLIDOLLARS_EACH", "1")];
    let Scene { house, fake, _runtime } = scene(&free);
    let mut client = Client::new(&house);
    // More than a tenth of a cent, if anybody were paid for it.
    let words = "Because air scatters blue light more than any other. ".repeat(20);
    for _ in 0..2 {
        fake.will(Reply::Answers(vec![Part::Text(words.clone()), Part::CutOff]));
        let turn = client.turn(RIDDLE);
        let told = record(&house, &turn);
        assert!(told["models"][0]["output_tokens"].as_u64().unwrap() > 100, "{told}");
        assert_eq!(told["models"][0]["cost_micros"], 0, "{told}");
    }
    assert_eq!(fake.asked().len(), 2);
}

#[test]
fn what_an_interrupted_answer_has_cost_is_counted() {
    let Scene { house, fake, _runtime } = scene(&[]);
    let mut client = Client::new(&house);
    let stall = Part::Pause(Duration::from_mins(10));
    let words = "Because air scatters blue light more than any other. ".repeat(8);
    let words = format!("{words}Finally, it sets.");
    fake.will(Reply::Answers(vec![Part::Text(words), stall]));
    client.say(RIDDLE);
    let heard = client.until("the last words", |event| {
        event["event_type"] == "assistant_text.delta" && text(event).contains("Finally")
    });
    let turn = heard.last().unwrap()["turn_id"].clone();
    client.send(&json!({ "event_type": "user.interrupt",
        "payload": { "reason": "barge_in", "cancel_turn_id": turn } }));
    client.until("that it stopped", |event| event["event_type"] == "turn.cancelled");

    let models = counted(&house, &turn);
    assert_eq!(models[0]["error_code"], "interrupted");
    assert!(models[0]["output_tokens"].as_u64().unwrap() > 50, "{models}");
    assert!(models[0]["cost_micros"].as_u64().unwrap() > 0, "{models}");
}

/// What models were asked in this turn, as soon as any of it is on record.
fn counted(house: &House, turn: &Value) -> Value {
    let started = Instant::now();
    loop {
        let path = format!("/control/turns/{}", turn.as_str().unwrap());
        let told = get(house, &path).json()["models"].clone();
        if told.as_array().is_some_and(|models| !models.is_empty()) {
            return told;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "nobody has counted it");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_question_that_is_stopped_before_the_first_word_is_counted_as_read() {
    let Scene { house, fake, _runtime } = scene(&[]);
    let mut client = Client::new(&house);
    fake.will(Reply::Hangs);
    client.say(RIDDLE);
    let begun = client.until("that it thinks", |event| {
        event["event_type"] == "state.change" && event["payload"]["to"] == "thinking"
    });
    let heard = begun.last().unwrap()["turn_id"].clone();
    let started = Instant::now();
    while fake.asked().is_empty() {
        assert!(started.elapsed() < Duration::from_secs(20), "nobody is asked");
        std::thread::sleep(Duration::from_millis(10));
    }
    client.send(&json!({ "event_type": "user.interrupt",
        "payload": { "reason": "barge_in", "cancel_turn_id": heard } }));
    client.until("that it stopped", |event| event["event_type"] == "turn.cancelled");

    let models = counted(&house, &heard);
    assert_eq!(models[0]["error_code"], "interrupted");
    assert!(models[0]["input_tokens"].as_u64().unwrap() > 100, "{models}");
    assert_eq!((&models[0]["output_tokens"], &models[0]["first_us"]), (&json!(0), &Value::Null));
    assert!(models[0]["cost_micros"].as_u64().unwrap() > 0, "{models}");
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
fn what_was_found_in_every_round_is_told_where_the_model_is_lost_on_the_way() {
    let Scene { house, fake, _runtime } = scene(&[("SAYSO_MODELS_TRIES", "1")]);
    let mut client = Client::new(&house);
    fake.will(Reply::calls("gmail.search", json!({ "query": "from:priya" })));
    fake.will(Reply::calls("gmail.search", json!({ "query": "zzzqq" })));
    fake.will(Reply::fails(401));

    let turn = client.turn(RIDDLE);

    let said = text(one(&turn, "assistant_text.final"));
    assert!(said.contains("I lost my thinking help on the way"), "{said}");
    assert!(said.contains("Priya"), "{said}");
    assert_eq!(record(&house, &turn)["fallback"], "model_wrong_key");
}

#[test]
fn a_budget_that_is_used_up_on_the_way_ends_it_there() {
    let Scene { house, fake, _runtime } = scene(&[("SAYSO_MODELS_CAP_TOKENS_EACH", "20")]);
    let mut client = Client::new(&house);
    fake.will(Reply::calls("gmail.search", json!({ "query": "from:priya" })));

    let turn = client.turn(RIDDLE);

    let said = text(one(&turn, "assistant_text.final"));
    assert!(said.contains("budget") && said.contains("Priya"), "{said}");
    assert_eq!(record(&house, &turn)["fallback"], "model_cap");
    assert_eq!(fake.asked().len(), 1);
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
    let asked = &told["models"][0];
    assert_eq!((&asked["model"], &asked["error_code"]), (&json!("small-1"), &told["fallback"]));
    assert_eq!((&asked["input_tokens"], &asked["cost_micros"]), (&json!(0), &json!(0)), "{told}");
    assert_eq!((&told["tier"], &told["tier_reason"]), (&json!("reflex"), &json!("model_away")));
    assert_eq!(one(&first, "turn.end")["payload"].get("tier"), None);
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
        (KEY, "larg-1", &base, "it has large-1, small-1"),
        (KEY, "small-1", "http://127.0.0.1:1/v1", "cannot be reached"),
    ] {
        let told = doctor(key, model, base);
        assert!(told.contains(expected), "{told}");
        assert!(!told.contains(KEY), "{told}");
    }
    assert_eq!(fake.asked().len(), 0);
}

#[test]
fn a_model_on_this_machine_is_asked_past_any_proxy() {
    let proxy = "http://127.0.0.1:1";
    let env = [("HTTP_PROXY", proxy), ("http_proxy", proxy), ("SAYSO_MODELS_CLOUD", "false")];
    let Scene { house, fake, _runtime } = scene(&env);
    fake.will(Reply::says("Scattering."));
    let turn = Client::new(&house).turn(RIDDLE);
    assert_eq!(one(&turn, "turn.end")["payload"]["tier"], "local");
    assert_eq!(fake.asked().len(), 1);
}

#[test]
fn the_doctor_tells_what_keeps_a_key_from_being_used() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let env = [
        ("SAYSO_LISTEN", HOME),
        ("OPENAI_API_KEY", KEY),
        ("ANTHROPIC_API_KEY", KEY),
        ("SAYSO_MODELS_CLOUD", "false"),
    ];
    let told = run_with(&["doctor", "--data", data.to_str().unwrap()], &env, "").out;
    let expected = "openai and anthropic are set up, and `models.cloud = false` keeps them unused";
    assert!(told.contains(expected) && !told.contains("adds a model"), "{told}");
}
