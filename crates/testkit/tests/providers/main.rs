//! Providers over the wire: every protocol, and everything that may go wrong with one.

mod odd;
mod thinks;

use std::sync::Arc;
use std::time::{Duration, Instant};

use models::Tier;
use models::provider::cost::read_price;
use models::provider::fold::Fold;
use models::provider::notes::{Attempt, Notes};
use models::provider::order::Begun;
use models::provider::{
    Answer, Ask, Effort, End, Far, Line, Message, Order, Patience, Provider, Tongue, ToolSpec,
    Trouble, Usage,
};
use serde_json::json;
use testkit::provider::{FakeProvider, KEY, Part, Reply};

fn line(fake: &FakeProvider, tongue: Tongue) -> Line {
    Line {
        name: tongue.name().to_owned(),
        tongue,
        base: fake.base(tongue),
        key: Some(KEY.to_owned()),
        model: "small-1".to_owned(),
        tier: Tier::Cloud,
        effort: Effort::None,
        patience: Patience {
            connect: Duration::from_secs(2),
            first: Duration::from_secs(5),
            alone: Duration::from_secs(5),
            idle: Duration::from_secs(5),
        },
    }
}

fn far(line: Line) -> Arc<dyn Provider> {
    Arc::new(Far::new(line).unwrap())
}

fn order(providers: Vec<Arc<dyn Provider>>) -> Order {
    Order::new(providers, 3, Vec::new())
}

fn ask() -> Ask {
    Ask {
        system: "Be kind.".into(),
        messages: vec![Message::Person("Hi".into())],
        most_tokens: 50,
        ..Ask::default()
    }
}

fn with_tool() -> Ask {
    let tool = ToolSpec {
        name: "gmail.search".into(),
        description: "Finds mail.".into(),
        schema: json!({ "type": "object" }),
    };
    Ask { tools: vec![tool].into(), ..ask() }
}

async fn read(mut begun: Begun) -> Result<Answer, Trouble> {
    let mut fold = Fold::default();
    while let Some(delta) = begun.deltas.next().await? {
        fold.take(delta);
    }
    Ok(fold.whole())
}

#[tokio::test]
async fn words_calls_usage_and_ids_come_over_every_protocol() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        let order = order(vec![far(line(&fake, tongue))]);
        fake.will(Reply::Answers(vec![
            Part::News,
            Part::Text("Two mails. Čau!".into()),
            Part::Pause(Duration::from_millis(20)),
            Part::News,
            Part::Call { tool: "gmail.search".into(), args: json!({ "query": "Čau" }) },
        ]));

        let begun = order.ask(&with_tool()).await.unwrap();
        let used = begun.used.clone();
        let answer = read(begun).await.unwrap();

        assert_eq!(answer.text, "Two mails. Čau!", "{tongue:?}");
        assert_eq!(answer.calls[0].tool, "gmail.search", "{tongue:?}");
        assert_eq!(answer.calls[0].args, json!({ "query": "Čau" }), "{tongue:?}");
        assert_eq!(answer.end, Some(End::Calls), "{tongue:?}");
        assert_eq!((answer.usage.input, answer.usage.cached), (20, 8), "{tongue:?}");
        assert_eq!(used.request_id.as_deref(), Some("req_1"), "{tongue:?}");
        assert_eq!(order.cost("gpt-5-mini", answer.usage), 14, "{tongue:?}");
    }
}

#[tokio::test]
async fn whoever_drops_an_answer_hangs_up() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        let order = order(vec![far(line(&fake, tongue))]);
        let stall = Part::Pause(Duration::from_mins(10));
        fake.will(Reply::Answers(vec![Part::Text("One ".into()), stall]));

        let begun = order.ask(&ask()).await.unwrap();
        assert_eq!(fake.hung_up(), 0);
        drop(begun);

        let started = Instant::now();
        while fake.hung_up() == 0 {
            assert!(started.elapsed() < Duration::from_secs(5), "{tongue:?}: the line stays open");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_when_it_said_so() {
    let fake = FakeProvider::start().await;
    let order = order(vec![far(line(&fake, Tongue::Anthropic))]);
    let body = json!({ "error": { "type": "rate_limit_error", "message": "Slow down" } });
    fake.will(Reply::Refuses { status: 429, headers: vec![("retry-after", "1")], body });
    fake.will(Reply::fails(500));
    fake.will(Reply::says("There."));

    let started = Instant::now();
    let begun = order.ask(&ask()).await.unwrap();

    assert_eq!(begun.used.tries, 3);
    assert!(started.elapsed() >= Duration::from_secs(1), "{:?}", started.elapsed());
    assert_eq!(read(begun).await.unwrap().text, "There.");
}

#[tokio::test]
async fn the_next_provider_is_asked_and_who_failed_rests() {
    let (first, second) = (FakeProvider::start().await, FakeProvider::start().await);
    let order = order(vec![far(line(&first, Tongue::Chat)), far(line(&second, Tongue::Anthropic))]);
    for _ in 0..3 {
        first.will(Reply::fails(503));
    }
    for _ in 0..2 {
        let begun = order.ask(&ask()).await.unwrap();
        assert_eq!(begun.used.provider, "anthropic");
        read(begun).await.unwrap();
    }
    assert_eq!(first.asked().len(), 3, "it is left alone");
    assert!(order.is_up());
}

#[tokio::test]
async fn who_is_too_slow_to_begin_is_asked_once_where_somebody_else_is_left() {
    let (first, second) = (FakeProvider::start().await, FakeProvider::start().await);
    let patience =
        Patience { first: Duration::from_millis(500), ..line(&first, Tongue::Chat).patience };
    let slow = far(Line { patience, ..line(&first, Tongue::Chat) });
    let order = order(vec![Arc::clone(&slow), far(line(&second, Tongue::Anthropic))]);
    // What only keeps a line open is no answer.
    let alive = [Part::Raw(b": processing\n\n".to_vec()), Part::Pause(Duration::from_millis(20))];
    first.always(Reply::Answers(alive.iter().cycle().take(2_000).cloned().collect()));

    let notes = Notes::default();
    let begun = order.ask_noting(&ask(), &notes).await.unwrap();

    assert_eq!((begun.used.provider.as_str(), begun.used.tries), ("anthropic", 2));
    assert_eq!((first.asked().len(), second.asked().len()), (1, 1));
    let attempt = Attempt {
        provider: "chat".into(),
        model: "small-1".into(),
        tries: 1,
        request_id: Some("req_1".into()),
        error_code: Some("model_timeout"),
    };
    assert_eq!(notes.taken("interrupted"), [attempt], "and it is on record");
}

#[tokio::test]
async fn who_is_slow_to_begin_is_waited_for_where_nobody_else_is_left() {
    let (first, second) = (FakeProvider::start().await, FakeProvider::start().await);
    let patience =
        Patience { first: Duration::from_millis(200), ..line(&first, Tongue::Chat).patience };
    let slow = far(Line { patience, ..line(&first, Tongue::Chat) });
    let takes_its_time =
        || vec![Part::Pause(Duration::from_millis(900)), Part::Text("Violet.".into())];
    first.always(Reply::Answers(takes_its_time()));

    let begun = order(vec![Arc::clone(&slow)]).ask(&ask()).await.unwrap();
    assert_eq!((begun.used.tries, first.asked().len()), (1, 1), "and not asked from the start");
    assert_eq!(read(begun).await.unwrap().text, "Violet.");

    // Nobody is left either, where the others rest.
    second.will(Reply::fails(401));
    let resting = order(vec![far(line(&second, Tongue::Anthropic)), Arc::clone(&slow)]);
    assert_eq!(read(resting.ask(&ask()).await.unwrap()).await.unwrap().text, "Violet.");
    let resting = order(vec![slow, far(line(&second, Tongue::Anthropic))]);
    second.will(Reply::fails(401));
    let begun = resting.ask(&ask()).await;
    assert_eq!(begun.err(), Some(Trouble::Slow("answer")), "somebody else might be quicker");
    assert_eq!(read(resting.ask(&ask()).await.unwrap()).await.unwrap().text, "Violet.");
}

#[tokio::test]
async fn who_was_asked_is_on_record_whatever_becomes_of_it() {
    let fake = FakeProvider::start().await;
    let order = order(vec![far(line(&fake, Tongue::Chat))]);
    let attempt = |tries, request_id: Option<&str>, error_code| Attempt {
        provider: "chat".into(),
        model: "small-1".into(),
        tries,
        request_id: request_id.map(str::to_owned),
        error_code: Some(error_code),
    };
    // Refused.
    let notes = Notes::default();
    let body = json!({ "error": { "message": "no" } });
    let headers = vec![("x-request-id", "req_no")];
    fake.will(Reply::fails(500));
    fake.will(Reply::Refuses { status: 400, headers, body });
    assert!(order.ask_noting(&ask(), &notes).await.is_err());
    let tried = [attempt(1, None, "model_overloaded"), attempt(2, Some("req_no"), "model_refused")];
    assert_eq!(notes.taken("interrupted"), tried, "every try");
    // Nobody waits any longer.
    fake.will(Reply::Hangs);
    let ask = ask();
    let asked = order.ask_noting(&ask, &notes);
    assert!(tokio::time::timeout(Duration::from_millis(500), asked).await.is_err());
    assert_eq!(notes.taken("interrupted"), [attempt(1, None, "interrupted")]);
    // Who answers is on record elsewhere.
    fake.will(Reply::says("There."));
    order.ask_noting(&ask, &notes).await.unwrap();
    assert_eq!(notes.taken("interrupted"), []);
}

#[tokio::test]
async fn what_runs_on_one_s_own_machine_costs_nothing_unless_a_price_was_told() {
    let usage = Usage { input: 1_000_000, output: 1_000_000, ..Usage::default() };
    let prices = || vec![("qwen3".to_owned(), read_price("1/2").unwrap())];
    let elsewhere = Order::new(Vec::new(), 1, prices());
    let here = Order::new(Vec::new(), 1, prices()).of_one_s_own();
    for (model, there, own) in
        [("llama3", 30_000_000, 0), ("gpt-5-mini", 2_250_000, 0), ("qwen3", 3_000_000, 3_000_000)]
    {
        let cost = (elsewhere.cost(model, usage), here.cost(model, usage));
        assert_eq!(cost, (there, own), "{model}");
    }
    let told = Usage { cost_micros: Some(7), ..usage };
    assert_eq!(here.cost("llama3", told), 7, "who says what it cost is believed");
}

#[tokio::test]
async fn after_the_first_word_nothing_is_tried_again() {
    for tongue in Tongue::ALL {
        let (first, second) = (FakeProvider::start().await, FakeProvider::start().await);
        let order = order(vec![far(line(&first, tongue)), far(line(&second, tongue))]);
        first.will(Reply::Answers(vec![Part::Text("Half an ".into()), Part::CutOff]));

        let begun = order.ask(&ask()).await.unwrap();
        assert_eq!(read(begun).await, Err(Trouble::CutOff), "{tongue:?}");
        assert_eq!((first.asked().len(), second.asked().len()), (1, 0), "{tongue:?}");
    }
}

#[tokio::test]
async fn before_the_first_word_a_broken_stream_is_tried_again() {
    let fake = FakeProvider::start().await;
    let order = order(vec![far(line(&fake, Tongue::Responses))]);
    fake.will(Reply::Answers(vec![Part::CutOff]));
    fake.will(Reply::Answers(vec![Part::Raw(b"data: <html>busy</html>\n\n".to_vec())]));
    fake.will(Reply::says("Third time."));
    let begun = order.ask(&ask()).await.unwrap();
    assert_eq!(read(begun).await.unwrap().text, "Third time.");
}

#[tokio::test]
async fn nobody_waits_for_ever() {
    let fake = FakeProvider::start().await;
    let quick = Patience {
        connect: Duration::from_millis(200),
        first: Duration::from_millis(80),
        alone: Duration::from_millis(80),
        idle: Duration::from_millis(80),
    };
    let slow = far(Line { patience: quick, ..line(&fake, Tongue::Chat) });
    fake.will(Reply::Hangs);
    let alone = Order::new(vec![Arc::clone(&slow)], 1, Vec::new());
    assert_eq!(alone.ask(&ask()).await.err(), Some(Trouble::Slow("answer")));

    let stall = Part::Pause(Duration::from_mins(10));
    fake.will(Reply::Answers(vec![Part::Text("One ".into()), stall]));
    let begun = alone.ask(&ask()).await.unwrap();
    assert_eq!(read(begun).await, Err(Trouble::Slow("go on")));
}

#[tokio::test]
async fn glued_events_are_read_and_no_words_are_no_answer() {
    let fake = FakeProvider::start().await;
    let order = order(vec![far(line(&fake, Tongue::Chat))]);
    let glued = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\
                 {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\r\n\r\n";
    let (half, rest) = glued.as_bytes().split_at(40);
    let parts = [half, rest].map(|bytes| Part::Raw(bytes.to_vec())).to_vec();
    fake.will(Reply::Answers(parts));
    let begun = order.ask(&ask()).await.unwrap();
    assert_eq!(read(begun).await.unwrap().text, "ab");

    fake.will(Reply::Answers(Vec::new()));
    let begun = order.ask(&ask()).await.unwrap();
    assert_eq!(read(begun).await.unwrap().text, "");
}

#[tokio::test]
async fn a_look_at_a_provider_tells_key_model_and_line_apart() {
    for tongue in Tongue::ALL {
        let fake = FakeProvider::start().await;
        let good = far(line(&fake, tongue));
        assert_eq!(good.examine().await.unwrap().models, 2, "{tongue:?}");
        let other = far(Line { model: "huge-9".into(), ..line(&fake, tongue) });
        assert_eq!(other.examine().await, Err(Trouble::NoModel("huge-9".into())));
        let wrong = far(Line { key: Some("wrong".into()), ..line(&fake, tongue) });
        assert_eq!(wrong.examine().await, Err(Trouble::WrongKey));
        let base = "http://127.0.0.1:1".to_owned();
        let gone = far(Line { base, ..line(&fake, tongue) });
        assert_eq!(gone.examine().await.unwrap_err().code(), "model_unreachable");
        assert_eq!(fake.asked().len(), 0, "nothing was asked that costs");
    }
}

#[tokio::test]
async fn a_key_is_looked_at_also_where_everybody_is_told_of_the_models() {
    let fake = FakeProvider::start().await;
    fake.tells_everybody();
    let line = Line { name: "openrouter".into(), ..line(&fake, Tongue::Chat) };
    assert_eq!(far(line.clone()).examine().await.unwrap().models, 2);
    let wrong = far(Line { key: Some("wrong".into()), ..line.clone() });
    assert_eq!(wrong.examine().await, Err(Trouble::WrongKey));
    assert_eq!(far(Line { key: None, ..line }).examine().await.unwrap().models, 2);
}

#[tokio::test]
async fn a_key_is_in_no_error_and_no_description() {
    let fake = FakeProvider::start().await;
    for tongue in Tongue::ALL {
        let line = line(&fake, tongue);
        let mut told = format!("{line:?}");
        let echo = json!({ "error": { "message": format!("Bad key {KEY} in {KEY}!") } });
        for status in [400, 401, 403, 404, 429, 500] {
            let body = echo.clone();
            fake.will(Reply::Refuses { status, headers: Vec::new(), body });
            let trouble = far(line.clone()).ask(&ask()).await.err().unwrap();
            told = format!("{told} {trouble} {trouble:?}");
        }
        let gone = Line { base: format!("http://127.0.0.1:1/{KEY}"), ..line };
        let trouble = far(gone).ask(&ask()).await.err().unwrap();
        told = format!("{told} {trouble} {trouble:?}");
        assert!(!told.contains(KEY) && !told.contains(&KEY[3..]), "{told}");
    }
}
