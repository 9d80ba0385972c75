//! Whatever a model does wrong, people get words, nothing is done, and it is on record why.
//!
//! A whole session each, with a provider over HTTP that fails in one way. In real time, for
//! the line is a real one.

use std::sync::Arc;
use std::time::Duration;

use brain::ids::Uuid;
use brain::{ActionLevel, Envelope, Event, Input, Outcome, Profile, TurnId, UserId};
use models::planner::Planner;
use models::provider::{Effort, Far, Line, Order, Patience, Provider, Tongue, ToolSpec};
use models::{Thinker, Tier};
use serde_json::{Value, json};
use session::{House, Registry, Start};
use store::memory::MemoryStore;
use store::{Costs, Store, Turns};
use testkit::modelled::Clueless;
use testkit::parts::Script;
use testkit::provider::{FakeProvider, KEY, MODELS, Part, Reply};
use testkit::writer::Fortune;
use testkit::{FakeTool, FakeWriter, NoContacts};
use tools::{Catalog, Tool};

const USER: UserId = UserId(Uuid::from_u128(0xA11CE));
const PATIENCE: Duration = Duration::from_secs(20);
/// Nobody here waits longer for a piece of an answer.
const SHORT: Duration = Duration::from_millis(400);

/// What came of one sentence.
struct Came {
    events: Vec<Arc<Envelope>>,
    looked: usize,
    written: usize,
    /// Why the rules answered.
    fallback: Option<String>,
    /// What went wrong with each question, as it is on record.
    codes: Vec<Option<String>>,
}

impl Came {
    fn said(&self) -> &str {
        let said = self.events.iter().rev().find_map(|one| match &one.event {
            Event::Said { text } => Some(text.as_str()),
            _ => None,
        });
        said.unwrap_or_default()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.events.iter().find_map(|one| match one.event {
            Event::TurnEnded { outcome, .. } => Some(outcome),
            _ => None,
        })
    }

    /// Nothing was done or shown, and what was said is for people.
    fn is_harmless(&self, what: &str) {
        assert_eq!((self.looked, self.written), (0, 0), "{what}: nothing is done");
        let asked = self.events.iter().any(|one| matches!(one.event, Event::AskedToConfirm(_)));
        assert!(!asked, "{what}: no card");
        let said = self.said();
        assert!(!said.trim().is_empty(), "{what}: somebody says something");
        assert!(!said.contains(['{', '}', '[', '<']), "{what}: {said}");
        let shown: String = self.events.iter().fold(String::new(), |text, one| match &one.event {
            Event::SaidDelta { text: more } => text + more,
            _ => text,
        });
        assert_eq!(shown, said, "{what}: what was streamed is what was said");
    }
}

fn far(fake: &FakeProvider, tongue: Tongue) -> Arc<dyn Provider> {
    let line = Line {
        name: tongue.name().to_owned(),
        tongue,
        base: fake.base(tongue),
        key: Some(KEY.to_owned()),
        model: MODELS[0].to_owned(),
        tier: Tier::Cloud,
        effort: Effort::None,
        patience: Patience { connect: SHORT, first: SHORT, alone: SHORT, idle: SHORT },
    };
    Arc::new(Far::new(line).unwrap())
}

/// One sentence to a session whose models these are, asked in this order.
async fn asked(models: &[&FakeProvider]) -> Came {
    asked_within(PATIENCE, &[], models).await
}

/// The same, with models on this machine that are asked before those, and with so much
/// patience for a whole answer.
async fn asked_within(
    patience: Duration,
    near: &[&FakeProvider],
    models: &[&FakeProvider],
) -> Came {
    asked_in(Tongue::Chat, patience, near, models).await
}

/// The same, in this protocol.
async fn asked_in(
    tongue: Tongue,
    patience: Duration,
    near: &[&FakeProvider],
    models: &[&FakeProvider],
) -> Came {
    let found = Script::Returns(json!({ "mails": 2 }));
    let reads = Arc::new(FakeTool::new("mail.find", ActionLevel::Read, found));
    let writes = Arc::new(FakeWriter::new("crm.note", vec![Fortune::Does(json!({ "id": 1 }))]));
    let catalog = Catalog::new().with(reads.clone()).with(Arc::clone(&writes) as Arc<dyn Tool>);
    let specs: Vec<ToolSpec> = catalog
        .tools()
        .map(|tool| ToolSpec {
            name: tool.name().to_owned(),
            description: tool.description().to_owned(),
            schema: tool.input_schema(),
        })
        .collect();
    let store = Arc::<MemoryStore>::default();
    let mut house = House::new(
        store.clone() as Arc<dyn Store>,
        Arc::new(Clueless),
        Arc::new(catalog),
        Arc::new(NoContacts),
        Profile::new("UTC"),
    );
    let order = |providers| Arc::new(Order::new(providers, 2, Vec::new()));
    let all =
        |models: &[&FakeProvider]| order(models.iter().map(|fake| far(fake, tongue)).collect());
    let planner = Planner::new(all(near), all(models), specs, patience, 50);
    house.thinker = Some(Arc::new(planner) as Arc<dyn Thinker>);
    let registry = Registry::new(Arc::new(house));
    let session = registry.create(USER, None).await.unwrap();
    let (session, mut client) = registry.join(session, Start::Now).await.unwrap();
    let text = "do the usual thing with the mails".to_owned();
    let input = Input::Text { text, attachments: Vec::new() };
    session.send(client.client, None, input).await.unwrap();
    let mut events: Vec<Arc<Envelope>> = Vec::new();
    let over = |event: &Event| matches!(event, Event::TurnEnded { .. } | Event::AskedToConfirm(_));
    while !events.last().is_some_and(|last| over(&last.event)) {
        let next = tokio::time::timeout(PATIENCE, client.next()).await;
        events.push(next.expect("the turn comes to an end").unwrap());
    }
    let turn: TurnId = events.iter().find_map(|one| one.turn_id).expect("a turn");
    let row = store.turn(turn).await.unwrap();
    let fallback = row.and_then(|row| row.figures.fallback);
    let calls = store.model_calls(turn).await.unwrap();
    let codes = calls.into_iter().map(|call| call.error_code).collect();
    let (looked, written) = (reads.calls().len(), writes.ledger.effects().len());
    registry.close().await;
    Came { events, looked, written, fallback, codes }
}

/// A piece of a call in the protocol of Chat Completions.
fn half_a_call(arguments: &str) -> Part {
    let function = json!({ "name": "mail__find", "arguments": arguments });
    let call = json!({ "index": 0, "id": "call_0", "type": "function", "function": function });
    let delta = json!({ "tool_calls": [call] });
    let chunk = json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] });
    Part::Raw(format!("data: {chunk}\n\n").into_bytes())
}

/// The same as the whole of an answer.
fn whole_call(arguments: &str) -> Reply {
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] });
    let end = Part::Raw(format!("data: {end}\n\n").into_bytes());
    Reply::Answers(vec![half_a_call(arguments), end])
}

#[tokio::test]
async fn whoever_falls_silent_is_left_for_the_next_and_half_a_call_is_never_made() {
    let stall = Part::Pause(Duration::from_mins(10));
    for (what, reply) in [
        ("no byte", Reply::Hangs),
        ("in the middle of a call", Reply::Answers(vec![half_a_call("{\"q\":\"bud"), stall])),
        ("a line that breaks", Reply::Answers(vec![half_a_call("{\"q\":"), Part::CutOff])),
    ] {
        let alone = FakeProvider::start().await;
        alone.always(reply.clone());
        let came = asked(&[&alone]).await;
        came.is_harmless(what);
        assert!(came.fallback.is_some(), "{what}: it is on record");
    }
    let (silent, other) = (FakeProvider::start().await, FakeProvider::start().await);
    silent.always(Reply::Hangs);
    other.will(Reply::says("The next one answers."));
    let came = asked(&[&silent, &other]).await;
    assert!(came.said().ends_with("The next one answers."), "{}", came.said());
    assert_eq!(other.asked().len(), 1, "once");
    assert_eq!(came.fallback, None);
}

#[tokio::test]
async fn a_call_that_was_cut_off_is_made_again_shorter() {
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "length" }] });
    let Part::Raw(half) = half_a_call("{\"q\":\"budget and") else { unreachable!() };
    let text = format!("{}data: {end}\n\ndata: [DONE]\n\n", String::from_utf8_lossy(&half));
    let model = FakeProvider::start().await;
    model.will(Reply::Tells { status: 200, kind: "text/event-stream", text });
    model.will(whole_call("{\"q\":\"budget\"}"));
    model.always(Reply::says("There are two."));

    let came = asked(&[&model]).await;

    assert_eq!(came.looked, 1);
    assert!(came.said().ends_with("There are two."), "{}", came.said());
    let repair = &model.asked()[1].body;
    let told = repair["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told.contains("cut off") && told.contains("shorter"), "{told}");
    assert!(repair["tools"].as_array().is_some_and(|tools| !tools.is_empty()));
}

#[tokio::test]
async fn behind_words_that_were_said_nobody_begins_anew() {
    let drips = ["Slowly ", "but ", "surely ", "it ", "comes ", "to ", "you. "];
    let pause = || Part::Pause(SHORT.mul_f64(0.6));
    let drips = drips.into_iter().flat_map(|word| [Part::Text(word.to_owned()), pause()]).collect();
    let (near, other) = (FakeProvider::start().await, FakeProvider::start().await);
    near.always(Reply::Answers(drips));
    other.always(Reply::says("Another answer."));

    let came = asked_within(SHORT * 3, &[&near], &[&other]).await;

    assert!(came.said().contains("Slowly but") && came.said().ends_with("I lost the line."));
    assert_eq!(other.asked().len(), 0);
    came.is_harmless("too slow to finish");
}

#[tokio::test]
async fn what_nobody_heard_is_asked_of_the_next_or_once_more() {
    let half = || Reply::Answers(vec![Part::Text("{\"tool\": \"mail.f".into()), Part::CutOff]);
    let (first, second) = (FakeProvider::start().await, FakeProvider::start().await);
    first.always(half());
    second.always(Reply::says("Air scatters blue light most."));
    let came = asked(&[&first, &second]).await;
    assert!(came.said().ends_with("Air scatters blue light most."), "{}", came.said());
    assert_eq!((first.asked().len(), second.asked().len(), came.fallback), (1, 1, None));

    let alone = FakeProvider::start().await;
    alone.will(half());
    alone.will(Reply::says("Air scatters blue light most."));
    let came = asked(&[&alone]).await;
    assert!(came.said().ends_with("Air scatters blue light most."), "{}", came.said());
    assert_eq!(alone.asked().len(), 2);
}

#[tokio::test]
async fn who_has_nothing_to_say_leaves_it_to_the_next() {
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
    let end = || Part::Raw(format!("data: {end}\n\ndata: [DONE]\n\n").into_bytes());
    let (first, second) = (FakeProvider::start().await, FakeProvider::start().await);
    first.always(Reply::Answers(vec![end()]));
    second.always(Reply::says("Air scatters blue light most."));
    let came = asked(&[&first, &second]).await;
    assert!(came.said().ends_with("Air scatters blue light most."), "{}", came.said());
    assert_eq!((first.asked().len(), second.asked().len()), (1, 1));
}

#[tokio::test]
async fn an_answer_that_was_too_long_says_that_it_was() {
    let fake = FakeProvider::start().await;
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "length" }] });
    let end = Part::Raw(format!("data: {end}\n\n").into_bytes());
    let text = Part::Text("The reasons are that the".into());
    fake.always(Reply::Answers(vec![text, end, Part::CutOff]));

    let came = asked(&[&fake]).await;

    assert!(came.said().ends_with("Ask me for the rest."), "{}", came.said());
    came.is_harmless("cut off at its limit");
}

#[tokio::test]
async fn an_answer_that_was_stopped_by_its_provider_says_so_and_is_asked_for_once() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        let text = Part::Text("The first reason is that the ".into());
        fake.always(Reply::Answers(vec![text, Part::Withheld]));
        let came = asked_in(tongue, PATIENCE, &[], &[&fake]).await;
        let said = came.said();
        assert!(said.ends_with("was stopped from saying more."), "{tongue:?}: {said}");
        assert_eq!(fake.asked().len(), 1, "{tongue:?}");
        assert_eq!(came.codes, [Some("model_withheld".to_owned())], "{tongue:?}");
        came.is_harmless("stopped in the middle");

        let fake = FakeProvider::start().await;
        fake.always(Reply::Answers(vec![Part::Withheld]));
        let came = asked_in(tongue, PATIENCE, &[], &[&fake]).await;
        assert_eq!(fake.asked().len(), 1, "{tongue:?}: it is not asked twice");
        assert_eq!(came.fallback.as_deref(), Some("model_withheld"), "{tongue:?}");
        assert!(!came.said().contains("nothing of use"), "{tongue:?}: {}", came.said());
        came.is_harmless("stopped before it began");
    }
}

#[tokio::test]
async fn whoever_is_out_of_order_is_asked_again_so_often_and_no_more() {
    let headers = vec![("retry-after", "0")];
    let body = json!({ "error": { "message": "slow down" } });
    for (what, reply) in [
        ("500", Reply::fails(500)),
        ("503", Reply::fails(503)),
        ("429", Reply::Refuses { status: 429, headers, body }),
    ] {
        let fake = FakeProvider::start().await;
        fake.always(reply);
        let came = asked(&[&fake]).await;
        came.is_harmless(what);
        assert!((1..=2).contains(&fake.asked().len()), "{what}: {}", fake.asked().len());
        assert!(came.fallback.is_some(), "{what}: it is on record");
    }
}

#[tokio::test]
async fn an_account_that_is_used_up_is_told_as_that_and_whoever_asks_for_time_is_not_waited_for() {
    let used_up = json!({ "error": { "code": "insufficient_quota", "message": "No credit." } });
    let fake = FakeProvider::start().await;
    fake.always(Reply::Refuses { status: 429, headers: Vec::new(), body: used_up });
    let came = asked(&[&fake]).await;
    assert!(came.said().contains("its account is used up"), "{}", came.said());

    let body = json!({ "error": { "message": "slow down" } });
    let busy = FakeProvider::start().await;
    busy.always(Reply::Refuses { status: 429, headers: vec![("retry-after", "4")], body });
    let other = FakeProvider::start().await;
    other.always(Reply::says("Violets are blue."));
    let came = asked(&[&busy, &other]).await;
    assert!(came.said().ends_with("Violets are blue."), "{}", came.said());
    assert_eq!(busy.asked().len(), 1, "the next one is asked at once");
}

#[tokio::test]
async fn what_is_no_answer_does_nothing_and_people_still_get_words() {
    let raw = |text: &str| Reply::Answers(vec![Part::Raw(text.as_bytes().to_vec())]);
    for (what, reply) in [
        ("garbage", raw("\u{0}\u{1}%%% not a protocol\n\n")),
        ("half JSON", raw("data: {\"choices\": [{\"del\n\n")),
        ("nothing", Reply::Answers(Vec::new())),
        ("JSON for words", Reply::says("{\"tool\": \"mail.find\", \"args\": {\"q\": 1}}")),
        ("a call in prose", Reply::says("<tool_call>{\"name\": \"mail.find\"}</tool_call>")),
        ("half arguments", whole_call("{\"q\": \"bud")),
        ("no arguments at all", whole_call("seven")),
        ("an unknown tool", Reply::calls("mail.burn", json!({}))),
        ("a tool under another name", Reply::calls("mail__find__all", json!({}))),
    ] {
        let fake = FakeProvider::start().await;
        fake.always(reply);
        let came = asked(&[&fake]).await;
        came.is_harmless(what);
        assert!(fake.asked().len() <= 4, "{what}: {}", fake.asked().len());
        assert_ne!(came.outcome(), Some(Outcome::Unknown), "{what}");
    }
}

#[tokio::test]
async fn words_pass_and_what_is_none_between_them_does_not() {
    let fake = FakeProvider::start().await;
    let text = "Two mails. {\"tool\": \"crm.note\", \"args\": {\"text\": \"x\"}} Both are new.";
    fake.always(Reply::says(text));
    let came = asked(&[&fake]).await;
    came.is_harmless("JSON in prose");
    assert!(came.said().contains("Two mails.") && came.said().ends_with("Both are new."));
}

#[tokio::test]
async fn arguments_that_are_glued_together_are_two_calls_and_two_writes_are_two_cards() {
    let fake = FakeProvider::start().await;
    fake.will(whole_call("{\"q\": 1}{\"q\": 2}"));
    fake.will(Reply::says("Two times two mails."));
    let came = asked(&[&fake]).await;
    assert_eq!((came.looked, came.written), (2, 0));
    assert!(came.said().ends_with("Two times two mails."), "{}", came.said());

    let fake = FakeProvider::start().await;
    let note = |text: &str| Part::Call { tool: "crm.note".into(), args: json!({ "text": text }) };
    fake.will(Reply::Answers(vec![note("one"), note("two")]));
    let came = asked(&[&fake]).await;
    let cards = came.events.iter().filter(|one| matches!(one.event, Event::AskedToConfirm(_)));
    assert_eq!((cards.count(), came.written), (1, 0), "one at a time, and nothing before a yes");
}

/// Arguments that a real tool does not take, and ids that are nobody's.
#[tokio::test]
async fn a_real_tool_takes_no_more_than_its_own_arguments() {
    let personal = tools::Personal::in_memory().unwrap();
    let catalog = personal.catalog();
    let accepts = |tool: &str, args: Value| brain::plan::Shelf::accepts(&catalog, tool, &args);
    assert!(accepts("gmail.search", json!({ "query": "budget" })).is_ok());
    for (tool, args) in [
        ("gmail.search", json!({ "query": "x", "user_id": "somebody_else" })),
        ("gmail.send", json!({ "to": ["a@b.example"], "subject": "s", "body": "b", "from": "x" })),
        ("gmail.search", json!({ "query": 7 })),
        ("gmail.search", json!(["query"])),
    ] {
        assert!(accepts(tool, args.clone()).is_err(), "{tool} {args}");
    }
}
