//! Providers that keep to a protocol in their own way, and those that do not.

use std::sync::Arc;
use std::time::{Duration, Instant};

use models::interpreter::{Asking, Interpreter, Meant, Small};
use models::provider::{
    Answer, Ask, Call, End, Line, Message, Order, Patience, Thoughts, Tongue, Trouble, Usage,
};
use serde_json::{Value, json};
use testkit::provider::{FakeProvider, Part, Reply};

use crate::{ask, far, line, read, with_tool};

fn alone(fake: &FakeProvider, tongue: Tongue) -> Order {
    Order::new(vec![far(line(fake, tongue))], 1, Vec::new())
}

async fn answered(order: &Order, ask: &Ask) -> Result<Answer, Trouble> {
    read(order.ask(ask).await?).await
}

#[tokio::test]
async fn a_whole_answer_is_whole_whatever_becomes_of_the_line() {
    for tongue in Tongue::ALL {
        for end in [Part::Closes, Part::StaysOpen] {
            let fake = FakeProvider::start().await;
            fake.will(Reply::Answers(vec![Part::Text("All of it.".into()), end.clone()]));
            let started = Instant::now();

            let answer = answered(&alone(&fake, tongue), &ask()).await.unwrap();

            let told = (answer.text.as_str(), answer.end);
            assert_eq!(told, ("All of it.", Some(End::Said)), "{tongue:?} {end:?}");
            let patience = line(&fake, tongue).patience.idle;
            assert!(started.elapsed() < patience, "{tongue:?} {end:?}: nobody waits for more");
        }
    }
}

#[tokio::test]
async fn an_answer_without_an_end_is_ended_and_hung_up_on() {
    let words = "Lorem ipsum dolor sit amet. ".repeat(100);
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        let order = alone(&fake, tongue);
        fake.will(Reply::Answers(vec![Part::Text(words.clone()); 13]));
        let answer = answered(&order, &ask()).await.unwrap();
        assert!(answer.text.len() < 33 * 1024, "{tongue:?}: {}", answer.text.len());
        assert!(answer.text.ends_with("… I stop here, for this is long enough."), "{tongue:?}");

        let args = json!({ "query": "x".repeat(100 * 1024) });
        let call = Part::Call { tool: "gmail.search".into(), args };
        fake.will(Reply::Answers(vec![call; 4]));
        let trouble = answered(&order, &with_tool()).await.unwrap_err();
        assert_eq!(trouble.code(), "model_garbage", "{tongue:?}");
    }
}

/// An answer with a call, as each of them gives it who does not stream.
fn not_streamed(tongue: Tongue) -> Value {
    let args = json!({ "q": "a" });
    match tongue {
        Tongue::Chat => json!({
            "object": "chat.completion",
            "choices": [{ "index": 0, "finish_reason": "tool_calls", "message": {
                "role": "assistant", "content": "Looking.", "tool_calls": [{ "id": "c1",
                    "type": "function",
                    "function": { "name": "gmail__search", "arguments": args.to_string() } }] } }],
            "usage": { "prompt_tokens": 9, "completion_tokens": 2 },
        }),
        Tongue::Responses => json!({
            "object": "response", "status": "completed", "error": null, "output": [
                { "type": "reasoning", "summary": [], "content": [
                    { "type": "reasoning_text", "text": "hm" }] },
                { "type": "message", "role": "assistant", "content": [
                    { "type": "output_text", "text": "Looking." }] },
                { "type": "function_call", "call_id": "c1", "name": "gmail__search",
                    "arguments": args.to_string() }],
            "usage": { "input_tokens": 9, "output_tokens": 2 },
        }),
        Tongue::Anthropic => json!({
            "type": "message", "role": "assistant", "stop_reason": "tool_use", "content": [
                { "type": "text", "text": "Looking." },
                { "type": "tool_use", "id": "c1", "name": "gmail__search", "input": args }],
            "usage": { "input_tokens": 9, "output_tokens": 2 },
        }),
        // Without `alt=sse` the chunks come as a list.
        Tongue::Gemini => json!([
            { "candidates": [{ "content": { "parts": [{ "text": "Looking." }] } }] },
            { "candidates": [{ "finishReason": "STOP", "content": { "parts": [{
                "functionCall": { "id": "c1", "name": "gmail__search", "args": args } }] } }],
              "usageMetadata": { "promptTokenCount": 9, "candidatesTokenCount": 2 } },
        ]),
    }
}

#[tokio::test]
async fn who_does_not_stream_is_understood_too() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        fake.will(Reply::whole(&not_streamed(tongue)));

        let answer = answered(&alone(&fake, tongue), &with_tool()).await.unwrap();

        let call = Call { id: "c1".into(), tool: "gmail.search".into(), args: json!({ "q": "a" }) };
        let expected = Answer {
            text: "Looking.".into(),
            thoughts: Thoughts::default(),
            calls: vec![call],
            usage: Usage { input: 9, output: 2, ..Usage::default() },
            end: Some(End::Calls),
            confidence: None,
        };
        assert_eq!(answer, expected, "{tongue:?}");
    }
}

#[tokio::test]
async fn what_is_no_answer_is_named() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        let order = alone(&fake, tongue);
        let loading = json!({ "error": { "message": "Model is loading, try later" } });
        for (reply, expected) in [
            (Reply::whole(&loading), "did not take the request: Model is loading, try later"),
            (Reply::whole(&json!({ "error": "no GPU" })), "did not take the request: no GPU"),
            (
                Reply::whole(&json!({ "status": "fine" })),
                "answered something that is no answer: it is JSON, but nothing that a model says",
            ),
            (
                Reply::page(200),
                "answered something that is no answer: it is a web page; the base address may \
                 lack /v1",
            ),
            (Reply::page(403), "did not take the request: refused by something in between (403)"),
            (
                Reply::page(404),
                "has nothing there that answers as a model would; does the base address need /v1?",
            ),
        ] {
            fake.will(reply);
            let trouble = Order::new(vec![far(line(&fake, tongue))], 1, Vec::new());
            let trouble = answered(&trouble, &ask()).await.unwrap_err();
            assert_eq!(trouble.to_string(), expected, "{tongue:?}");
        }
        assert!(order.is_up());
    }
}

#[tokio::test]
async fn an_address_leads_there_with_its_version_and_without() {
    for (tongue, versions, path) in [
        (Tongue::Chat, ["", "/", "/v1"], "/v1/chat/completions"),
        (Tongue::Responses, ["", "/v1", "/v1/"], "/v1/responses"),
        (Tongue::Anthropic, ["", "/v1", "/v1/"], "/v1/messages"),
        (Tongue::Gemini, ["", "/v1", "/v1beta"], "/v1beta/models/small-1:streamGenerateContent"),
    ] {
        for version in versions {
            let fake = FakeProvider::start().await;
            let base = format!("http://{}{version}", fake.address());
            let far = far(Line { base, ..line(&fake, tongue) });

            far.examine().await.unwrap();
            answered(&Order::new(vec![far], 1, Vec::new()), &ask()).await.unwrap();

            let asked = fake.asked().pop().unwrap().path;
            assert_eq!(asked.split('?').next(), Some(path), "{tongue:?} at {version}");
        }
    }
}

#[tokio::test]
async fn the_limit_of_an_answer_goes_by_the_name_that_is_taken() {
    let fake = FakeProvider::start().await;
    let order = alone(&fake, Tongue::Chat);
    let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
                   'max_completion_tokens' instead.";
    let body = json!({ "error": { "message": message, "code": "unsupported_parameter" } });
    fake.will(Reply::Refuses { status: 400, headers: Vec::new(), body });
    for _ in 0..2 {
        fake.will(Reply::says("There."));
        assert_eq!(answered(&order, &ask()).await.unwrap().text, "There.");
    }
    let names = fake.asked().into_iter().map(|asked| {
        let fields = asked.body.as_object().unwrap().clone();
        fields.keys().find(|name| name.starts_with("max_")).unwrap().clone()
    });
    let names: Vec<_> = names.collect();
    assert_eq!(names, ["max_tokens", "max_completion_tokens", "max_completion_tokens"]);
}

#[tokio::test]
async fn who_takes_no_tools_is_asked_without_them() {
    let fake = FakeProvider::start().await;
    let order = alone(&fake, Tongue::Chat);
    let body = json!({ "error": { "message": "library/gemma3:1b does not support tools" } });
    fake.will(Reply::Refuses { status: 400, headers: Vec::new(), body });
    for _ in 0..2 {
        fake.will(Reply::says("There."));
        assert_eq!(answered(&order, &with_tool()).await.unwrap().text, "There.");
    }
    let told: Vec<_> = fake.asked().iter().map(|it| it.body.get("tools").is_some()).collect();
    assert_eq!(told, [true, false, false]);
}

#[tokio::test]
async fn who_thinks_aloud_is_at_work_and_who_only_keeps_the_line_is_not() {
    let fake = FakeProvider::start().await;
    let order = |first_ms, idle_ms| {
        let patience = Patience {
            connect: Duration::from_secs(2),
            first: Duration::from_millis(first_ms),
            alone: Duration::from_millis(first_ms),
            idle: Duration::from_millis(idle_ms),
        };
        let line = Line { patience, ..line(&fake, Tongue::Chat) };
        Order::new(vec![far(line)], 1, Vec::new())
    };
    let thought = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n";
    let pause = Part::Pause(Duration::from_millis(40));
    let mut parts = vec![[Part::Raw(thought.into()), pause.clone()]; 25].concat();
    parts.push(Part::Text("Violet.".into()));
    fake.will(Reply::Answers(parts));
    assert_eq!(answered(&order(500, 5_000), &ask()).await.unwrap().text, "Violet.");

    let mut parts = vec![Part::Text("Half ".into())];
    parts.extend(vec![[Part::Raw(b": processing\n\n".to_vec()), pause]; 500].concat());
    fake.will(Reply::Answers(parts));
    assert_eq!(answered(&order(5_000, 200), &ask()).await, Err(Trouble::Slow("go on")));
}

#[tokio::test]
async fn a_small_question_that_nobody_answered_is_on_record() {
    let fake = FakeProvider::start().await;
    let (nobody, cloud) = (Order::new(Vec::new(), 1, Vec::new()), alone(&fake, Tongue::Chat));
    let patience = Duration::from_millis(500);
    let asking = Asking::new(Arc::new(nobody), Arc::new(cloud), patience);
    let small = Small::Card { called: "the mail to Ana".into() };
    for (reply, code, has_read) in
        [(Reply::fails(400), "model_refused", false), (Reply::Hangs, "model_timeout", true)]
    {
        fake.will(reply);
        let (meant, used) = asking.interpret(&small, "rather not", true).await;
        let used = used.expect("it was asked");
        assert_eq!((meant, used.error_code, used.tries), (Meant::Unclear, Some(code), 1));
        assert_eq!((used.provider.as_str(), used.model.as_str()), ("chat", "small-1"));
        assert_eq!((used.usage.input > 0, used.cost_micros > 0), (has_read, has_read), "{code}");
    }
}

#[tokio::test]
async fn a_call_with_garbled_arguments_goes_back_in_a_way_that_everybody_takes() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        fake.always(Reply::says("Once more."));
        let garbled = |args| Call { id: "call_0".into(), tool: "gmail.search".into(), args };
        for args in [json!("{\"query\": \"bud"), json!([1]), Value::Null] {
            let result = "Nothing was done.".into();
            let messages = vec![
                Message::Person("Hi".into()),
                Message::Model {
                    text: String::new(),
                    calls: vec![garbled(args)],
                    thoughts: Thoughts::default(),
                },
                Message::Brought { id: "call_0".into(), tool: "gmail.search".into(), result },
            ];
            let answer = answered(&alone(&fake, tongue), &Ask { messages, ..ask() }).await;
            assert_eq!(answer.unwrap().text, "Once more.", "{tongue:?}");
        }
    }
}
