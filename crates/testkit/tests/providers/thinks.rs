//! Models that think before they answer: how much, and what becomes of it.

use std::sync::Arc;
use std::time::Duration;

use models::provider::thoughts::whose;
use models::provider::{
    Answer, Ask, Effort, End, Far, Line, Message, Order, Patience, Provider, Shape, Tongue, Trouble,
};
use serde_json::{Value, json};
use testkit::provider::{FakeProvider, Part, Reply};

use super::{ask, far, line, order, read, with_tool};

const SECRET: &str = "Ana earns too much";

/// The next round of a turn, after what a model wanted used was brought.
fn round(mut ask: Ask, answer: &Answer, who: &Line) -> Ask {
    let thoughts = answer.thoughts.clone().of(&whose(&who.name, &who.model));
    let brought = answer.calls.iter().map(|call| Message::Brought {
        id: call.id.clone(),
        tool: call.tool.clone(),
        result: "[]".into(),
    });
    let (text, calls) = (answer.text.clone(), answer.calls.clone());
    ask.messages.push(Message::Model { text, calls, thoughts });
    ask.messages.extend(brought);
    ask
}

fn thinking(text: &str) -> Reply {
    Reply::Answers(vec![
        Part::Thought(SECRET.into()),
        Part::Text(text.into()),
        Part::Call { tool: "gmail.search".into(), args: json!({ "query": "a" }) },
        Part::Call { tool: "gmail.search".into(), args: json!({ "query": "b" }) },
    ])
}

fn thoughtful(fake: &FakeProvider, tongue: Tongue) -> Line {
    Line { effort: Effort::Low, ..line(fake, tongue) }
}

/// Where a thought stands in what is sent.
fn thought_in(tongue: Tongue, body: &Value) -> Option<&Value> {
    match tongue {
        Tongue::Chat => body.pointer("/messages/2/reasoning_content"),
        Tongue::Responses => body.pointer("/input/1/encrypted_content"),
        Tongue::Anthropic => body.pointer("/messages/1/content/0/signature"),
        Tongue::Gemini => body.pointer("/contents/1/parts/1/thoughtSignature"),
    }
}

#[tokio::test]
async fn what_a_model_thought_goes_back_to_it_with_what_was_brought() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        let who = thoughtful(&fake, tongue);
        let order = order(vec![far(who.clone())]);
        fake.will(thinking("Looking."));

        let answer = read(order.ask(&with_tool()).await.unwrap()).await.unwrap();
        assert_eq!((answer.text.as_str(), answer.calls.len()), ("Looking.", 2), "{tongue:?}");
        let second = round(with_tool(), &answer, &who);
        fake.will(thinking("More."));
        let answer = read(order.ask(&second).await.unwrap()).await.unwrap();
        fake.will(Reply::says("None."));
        let third = round(second, &answer, &who);
        assert_eq!(read(order.ask(&third).await.unwrap()).await.unwrap().text, "None.");

        assert_eq!(fake.refused(), [""; 0], "{tongue:?}");
        let body = &fake.asked()[2].body;
        assert!(thought_in(tongue, body).is_some(), "{tongue:?} {body}");
        let told = format!("{third:?}");
        assert!(!told.contains(SECRET), "{tongue:?}: it is in no description");
    }
}

#[tokio::test]
async fn what_a_model_thought_goes_to_nobody_else_and_its_calls_are_taken_there() {
    for (from, to) in Tongue::ALL.into_iter().flat_map(|it| Tongue::ALL.map(|to| (it, to))) {
        let (first, second) = (FakeProvider::start().await, FakeProvider::start().await);
        let who = thoughtful(&first, from);
        first.will(thinking(" "));
        let answer = read(order(vec![far(who.clone())]).ask(&with_tool()).await.unwrap()).await;
        let asked = round(with_tool(), &answer.unwrap(), &who);
        second.will(Reply::says("None."));
        let other = Line { name: "somebody else".into(), ..thoughtful(&second, to) };

        let answer = read(order(vec![far(other)]).ask(&asked).await.unwrap()).await.unwrap();

        assert_eq!(answer.text, "None.", "{from:?} {to:?}");
        assert_eq!(second.refused(), [""; 0], "{from:?} {to:?}");
        let body = second.asked()[0].body.to_string();
        for own in [SECRET, "c2lnbmVk", "gAAAA-sealed"] {
            assert!(!body.contains(own), "{from:?} {to:?} {body}");
        }
    }
}

#[tokio::test]
async fn thoughts_that_do_not_fit_any_more_are_left_out_this_once() {
    for tongue in [Tongue::Anthropic, Tongue::Responses, Tongue::Gemini] {
        let fake = FakeProvider::start().await;
        let who = thoughtful(&fake, tongue);
        let order = order(vec![far(who.clone())]);
        fake.will(thinking("Looking."));
        let answer = read(order.ask(&with_tool()).await.unwrap()).await.unwrap();
        let asked = round(with_tool(), &answer, &who);
        let message = match tongue {
            Tongue::Anthropic => {
                "messages.1.content.0: Invalid `signature` in `thinking` block. The block is \
                 bound to a different conversation."
            }
            Tongue::Gemini => "Thought signature is not valid.",
            Tongue::Chat | Tongue::Responses => "The encrypted content could not be verified.",
        };
        fake.will(Reply::Refuses {
            status: 400,
            headers: Vec::new(),
            body: json!({ "error": { "message": message } }),
        });
        fake.will(Reply::says("None."));
        assert_eq!(read(order.ask(&asked).await.unwrap()).await.unwrap().text, "None.");
        let sealed = fake.asked().iter().map(|asked| asked.body.to_string()).collect::<Vec<_>>();
        let has = |at: usize| sealed[at].contains("c2lnbmVk") || sealed[at].contains("gAAAA-");
        assert_eq!((has(1), has(2)), (true, false), "{tongue:?}");
        fake.will(Reply::says("None."));
        read(order.ask(&asked).await.unwrap()).await.unwrap();
        let again = fake.asked()[3].body.to_string();
        assert!(again.contains("c2lnbmVk") || again.contains("gAAAA-"), "{tongue:?}");
    }
}

#[tokio::test]
async fn who_demands_a_thought_with_every_call_gets_one_also_for_those_of_others() {
    for (says, at) in [
        (
            "Missing `reasoning_content` field in the assistant message at message index 2.",
            "/messages/2/reasoning_content",
        ),
        (
            "Function call is missing a thought_signature in functionCall parts.",
            "/messages/2/tool_calls/0/extra_content/google/thought_signature",
        ),
    ] {
        let fake = FakeProvider::start().await;
        fake.thinks(move |body| {
            let calls = body.pointer("/messages/2/tool_calls").is_some();
            if calls && body.pointer(at).is_none() {
                let body = json!({ "error": { "message": says } });
                return Reply::Refuses { status: 400, headers: Vec::new(), body };
            }
            Reply::says("None.")
        });
        let foreign = Answer {
            calls: vec![models::provider::Call {
                id: "c".into(),
                tool: "gmail.search".into(),
                args: json!({}),
            }],
            ..Answer::default()
        };
        let who = line(&fake, Tongue::Chat);
        let asked = round(with_tool(), &foreign, &who);
        let order = order(vec![far(who)]);
        for _ in 0..2 {
            assert_eq!(read(order.ask(&asked).await.unwrap()).await.unwrap().text, "None.");
        }
        assert_eq!(fake.asked().len(), 3, "it says so once");
    }
}

#[tokio::test]
async fn a_signature_of_a_call_goes_back_in_openai_s_words_too() {
    let fake = FakeProvider::start().await;
    let extra = json!({ "google": { "thought_signature": "abc=" } });
    let call = json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [{ "index": 0,
        "id": "c1", "type": "function", "extra_content": extra,
        "function": { "name": "gmail__search", "arguments": "{}" } }] } }] });
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] });
    let text = format!("data: {call}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    fake.will(Reply::Tells { status: 200, kind: "text/event-stream", text });
    let who = line(&fake, Tongue::Chat);
    let order = order(vec![far(who.clone())]);
    let answer = read(order.ask(&with_tool()).await.unwrap()).await.unwrap();
    fake.will(Reply::says("None."));
    read(order.ask(&round(with_tool(), &answer, &who)).await.unwrap()).await.unwrap();
    let body = &fake.asked()[1].body;
    assert_eq!(body.pointer("/messages/2/tool_calls/0/extra_content"), Some(&extra), "{body}");
}

/// Haiku 5.5, as it thinks unless it is asked not to: what it thinks counts as what it says.
fn haiku(body: &Value) -> Reply {
    let thinks = body["thinking"]["type"] != "disabled";
    if thinks && body["max_tokens"].as_u64().unwrap_or(0) < 1_000 {
        let end = json!({ "type": "message_delta", "delta": { "stop_reason": "max_tokens" },
            "usage": { "output_tokens": 40 } });
        let raw = format!("data: {end}\n\ndata: {{\"type\":\"message_stop\"}}\n\n");
        return Reply::Answers(vec![
            Part::Thought("Hm.".into()),
            Part::Raw(raw.into()),
            Part::CutOff,
        ]);
    }
    Reply::says("{\"answer\":\"2\"}")
}

#[tokio::test]
async fn a_small_question_is_not_eaten_up_by_thinking() {
    let fake = FakeProvider::start().await;
    fake.thinks(haiku);
    let who = Line { model: "claude-haiku-5-5".into(), ..thoughtful(&fake, Tongue::Anthropic) };
    let shape = Shape { name: "answer".into(), schema: json!({ "type": "object" }) };
    let small = Ask { most_tokens: 40, shape: Some(shape), ..ask() };
    let answer = read(order(vec![far(who)]).ask(&small).await.unwrap()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.end), ("{\"answer\":\"2\"}", Some(End::Said)));
}

#[tokio::test]
async fn a_model_that_refuses_not_to_think_is_asked_in_another_way_and_for_good() {
    let fake = FakeProvider::start().await;
    fake.thinks(|body| {
        if body["thinking"]["type"] == "disabled" {
            let message = "\"thinking.type.disabled\" is not supported for this model.";
            let body = json!({ "type": "error", "error": { "message": message } });
            return Reply::Refuses { status: 400, headers: Vec::new(), body };
        }
        Reply::says("Violet.")
    });
    let order = order(vec![far(line(&fake, Tongue::Anthropic))]);
    for _ in 0..2 {
        assert_eq!(read(order.ask(&ask()).await.unwrap()).await.unwrap().text, "Violet.");
    }
    let asked = fake.asked();
    assert_eq!(asked.len(), 3);
    let said = &asked[2].body;
    assert_eq!(said["output_config"]["effort"], "low");
    assert!(said["max_tokens"].as_u64() > Some(4_000), "and has room for it: {said}");
}

#[tokio::test]
async fn who_thinks_silently_is_at_work() {
    let fake = FakeProvider::start().await;
    let patience = Patience {
        first: Duration::from_millis(300),
        alone: Duration::from_millis(300),
        ..line(&fake, Tongue::Anthropic).patience
    };
    let who = Line { patience, ..line(&fake, Tongue::Anthropic) };
    let begins = json!({ "type": "content_block_start", "index": 0, "content_block": {
        "type": "thinking", "thinking": "", "signature": "" } });
    let signed = json!({ "type": "content_block_delta", "index": 0, "delta": {
        "type": "signature_delta", "signature": "Eq" } });
    let raw = |event: &Value| Part::Raw(format!("data: {event}\n\n").into_bytes());
    let pause = Part::Pause(Duration::from_millis(200));
    fake.will(Reply::Answers(vec![
        raw(&begins),
        pause.clone(),
        raw(&signed),
        pause.clone(),
        pause,
        Part::Text("Violet.".into()),
    ]));
    let provider: Arc<dyn Provider> = Arc::new(Far::new(who).unwrap());
    let answer = read(Order::new(vec![provider], 1, Vec::new()).ask(&ask()).await.unwrap()).await;
    assert_eq!(answer.map(|answer| answer.text), Ok::<_, Trouble>("Violet.".into()));
}

#[tokio::test]
async fn an_answer_without_a_name_in_its_head_goes_by_the_one_that_stands_in_it() {
    for (tongue, id) in [
        (Tongue::Chat, "chatcmpl-1"),
        (Tongue::Responses, "resp_1"),
        (Tongue::Anthropic, "msg_1"),
        (Tongue::Gemini, "rid_1"),
    ] {
        let fake = FakeProvider::start().await;
        fake.names_nothing();
        fake.will(Reply::says("Hi."));
        let begun = order(vec![far(line(&fake, tongue))]).ask(&ask()).await.unwrap();
        assert_eq!(begun.used.request_id.as_deref(), Some(id), "{tongue:?}");
    }
}

/// A server whose template has begun the thought, and which tells it as if it were words.
#[tokio::test]
async fn who_thinks_in_words_is_at_work_and_only_its_answer_is_told() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        let soon = Duration::from_millis(300);
        let patience = Patience { first: soon, alone: soon, ..line(&fake, tongue).patience };
        let who = Line { patience, model: "deepseek-r1:8b".into(), ..line(&fake, tongue) };
        let pause = Part::Pause(Duration::from_millis(200));
        fake.always(Reply::Answers(vec![
            Part::Text(format!("{SECRET}, ")),
            pause.clone(),
            Part::Text("but that is not asked.\n</thi".into()),
            pause,
            Part::Text("nk>\n\nViolet.".into()),
        ]));
        let order = Order::new(vec![far(who)], 1, Vec::new());
        let answer = read(order.ask(&ask()).await.unwrap()).await;
        assert_eq!(
            answer.map(|answer| answer.text),
            Ok::<_, Trouble>("Violet.".into()),
            "{tongue:?}"
        );
    }
}
