//! Every protocol: what is sent, and how answers as providers really send them read.

use serde_json::{Value, json};

use super::super::effort::Effort;
use super::super::fold::Fold;
use super::super::manners::Manners;
use super::super::sse::Cutter;
use super::super::tongue::{Tongue, read_event};
use super::super::{Answer, Ask, Call, End, Message, Shape, Thoughts, ToolSpec, Trouble, Usage};

fn read(tongue: Tongue, stream: &str) -> Result<(Answer, bool), Trouble> {
    let (mut cutter, mut reader, mut fold) = (Cutter::default(), tongue.reader(), Fold::default());
    let mut events = cutter.take(stream.as_bytes()).unwrap();
    events.extend(cutter.finish());
    for event in events {
        read_event(&mut *reader, &event)?.into_iter().for_each(|delta| fold.take(delta));
    }
    Ok((fold.whole(), reader.is_whole()))
}

fn stream(events: &[Value]) -> String {
    let mut stream = String::new();
    for event in events {
        stream.push_str("data: ");
        stream.push_str(&event.to_string());
        stream.push_str("\n\n");
    }
    stream
}

fn ask() -> Ask {
    let call = Call { id: "c1".into(), tool: "gmail.search".into(), args: json!({ "q": "a" }) };
    let brought = |id: &str| Message::Brought {
        id: id.into(),
        tool: "gmail.search".into(),
        result: "[]".into(),
    };
    Ask {
        system: "Be kind.".into(),
        messages: vec![
            Message::Person("Any mail?".into()),
            Message::Model {
                text: "Looking.".into(),
                calls: vec![call],
                thoughts: Thoughts::default(),
            },
            brought("c1"),
            brought("c2"),
        ],
        tools: vec![ToolSpec {
            name: "gmail.search".into(),
            description: "Finds mail.".into(),
            schema: json!({ "type": "object" }),
        }]
        .into(),
        shape: Some(Shape { name: "plan".into(), schema: json!({ "type": "object" }) }),
        most_tokens: 300,
        cache_key: Some("k".into()),
    }
}

fn sent(tongue: Tongue, ask: &Ask, at_home: bool) -> Value {
    let manners = Manners::new(tongue, "m", at_home, Effort::None);
    serde_json::from_str(&tongue.body("m", ask, manners)).expect("it is JSON")
}

#[test]
fn what_is_sent_is_what_each_protocol_asks_for() {
    let chat = sent(Tongue::Chat, &ask(), false);
    assert_eq!(chat["messages"][0], json!({ "role": "system", "content": "Be kind." }));
    assert_eq!(chat["messages"][2]["tool_calls"][0]["function"]["name"], "gmail__search");
    assert_eq!(chat["messages"][3]["tool_call_id"], "c1");
    assert_eq!(chat["tools"][0]["function"]["name"], "gmail__search");
    assert_eq!((&chat["max_tokens"], &chat["prompt_cache_key"]), (&json!(4_396), &json!(null)));
    assert_eq!(chat.get("reasoning_effort"), None, "others have words of their own for it");
    let home = sent(Tongue::Chat, &ask(), true);
    let own = (&home["max_completion_tokens"], &home["prompt_cache_key"]);
    assert_eq!(own, (&json!(300), &json!("k")));
    assert_eq!(home["reasoning_effort"], "none");

    let responses = sent(Tongue::Responses, &ask(), true);
    assert_eq!(responses["store"], false);
    assert_eq!(responses["reasoning"], json!({ "effort": "none" }));
    assert_eq!(responses.get("include"), None, "who does not think has nothing to seal");
    assert_eq!(responses["input"][2]["arguments"], "{\"q\":\"a\"}");
    assert_eq!(responses["input"][3]["type"], "function_call_output");
    assert_eq!(responses["tools"][0]["parameters"]["type"], "object");
    assert_eq!(responses["text"]["format"]["name"], "plan");

    let anthropic = sent(Tongue::Anthropic, &ask(), false);
    assert_eq!(anthropic["system"][0]["cache_control"]["type"], "ephemeral");
    assert_eq!(anthropic["tools"][0]["cache_control"]["type"], "ephemeral");
    assert_eq!(anthropic["messages"].as_array().unwrap().len(), 3, "results are one message");
    assert_eq!(anthropic["messages"][2]["content"][1]["tool_use_id"], "c2");
    assert_eq!(anthropic["messages"][2]["content"][1]["cache_control"]["type"], "ephemeral");
    assert_eq!(anthropic["thinking"], json!({ "type": "disabled" }));

    let gemini = sent(Tongue::Gemini, &ask(), false);
    assert_eq!(gemini["contents"][1]["parts"][1]["functionCall"]["args"]["q"], "a");
    let declared = &gemini["tools"][0]["functionDeclarations"][0];
    assert_eq!(declared["parametersJsonSchema"]["type"], "object");
    assert_eq!(gemini["generationConfig"]["responseMimeType"], "application/json");
}

fn spoken(tongue: Tongue) -> String {
    match tongue {
        Tongue::Chat => {
            stream(&[
                json!({ "choices": [{ "delta": { "role": "assistant", "content": "" } }] }),
                json!({ "choices": [{ "delta": { "content": "Hi" } }], "usage": null }),
                json!({ "object": "something.new" }),
                json!({ "choices": [{ "delta": { "content": " Ana" } }] }),
                json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }),
                json!({ "choices": [], "usage": {
                    "prompt_tokens": 9, "completion_tokens": 2,
                    "prompt_tokens_details": { "cached_tokens": 4 } } }),
            ]) + "data: [DONE]\n\n"
        }
        Tongue::Responses => stream(&[
            json!({ "type": "response.created", "response": {} }),
            json!({ "type": "response.output_text.delta", "delta": "Hi" }),
            json!({ "type": "response.something.new" }),
            json!({ "type": "response.output_text.delta", "delta": " Ana" }),
            json!({ "type": "response.completed", "response": { "usage": {
                "input_tokens": 9, "output_tokens": 2,
                "input_tokens_details": { "cached_tokens": 4 } } } }),
        ]),
        Tongue::Anthropic => stream(&[
            json!({ "type": "message_start", "message": { "usage": {
                "input_tokens": 5, "cache_read_input_tokens": 4, "output_tokens": 1 } } }),
            json!({ "type": "ping" }),
            json!({ "type": "content_block_start", "index": 0,
                "content_block": { "type": "text", "text": "" } }),
            json!({ "type": "content_block_delta", "index": 0,
                "delta": { "type": "text_delta", "text": "Hi" } }),
            json!({ "type": "something_new" }),
            json!({ "type": "content_block_delta", "index": 0,
                "delta": { "type": "text_delta", "text": " Ana" } }),
            json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" },
                "usage": { "output_tokens": 2 } }),
            json!({ "type": "message_stop" }),
        ]),
        Tongue::Gemini => stream(&[
            json!({ "candidates": [{ "content": { "role": "model", "parts": [
                { "text": "hm", "thought": true }, { "text": "Hi" }] } }] }),
            json!({ "somethingNew": 1 }),
            json!({ "candidates": [{ "content": { "parts": [{ "text": " Ana" }] },
                "finishReason": "STOP" }], "usageMetadata": {
                "promptTokenCount": 9, "cachedContentTokenCount": 4,
                "candidatesTokenCount": 1, "thoughtsTokenCount": 1 } }),
        ]),
    }
}

#[test]
fn words_usage_and_the_end_read_the_same_from_all_four() {
    for tongue in Tongue::ALL {
        let (answer, is_whole) = read(tongue, &spoken(tongue)).unwrap();
        let usage = Usage { input: 9, cached: 4, output: 2, ..Usage::default() };
        let expected =
            Answer { text: "Hi Ana".into(), usage, end: Some(End::Said), ..Answer::default() };
        assert_eq!((answer, is_whole), (expected, true), "{tongue:?}");
    }
}

#[test]
fn words_that_come_in_parts_are_said_and_thoughts_among_them_are_not() {
    let thinking = json!([{ "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] }]);
    let words = json!([{ "type": "text", "text": "Hi" }, { "type": "text", "text": " Ana" }]);
    let said = stream(&[
        json!({ "choices": [{ "delta": { "content": thinking } }] }),
        json!({ "choices": [{ "delta": { "content": words } }] }),
        json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }),
    ]);
    let (answer, is_whole) = read(Tongue::Chat, &said).unwrap();
    assert_eq!((answer.text.as_str(), is_whole), ("Hi Ana", true));
    let mut reader = Tongue::Chat.reader();
    reader.read(&json!({ "choices": [{ "delta": { "content": thinking } }] })).unwrap();
    assert_eq!(reader.thoughts(), 1, "who thinks is waited for");
}

#[test]
fn a_call_in_pieces_reads_the_same_from_all_four() {
    let chat = stream(&[
        json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0, "id": "c1",
            "function": { "name": "gmail__search", "arguments": "" } }] } }] }),
        json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0,
            "function": { "arguments": "{\"q\":" } }] } }] }),
        json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0,
            "function": { "arguments": "\"a\"}" } }] }, "finish_reason": "tool_calls" }] }),
    ]);
    let responses = stream(&[
        json!({ "type": "response.output_item.added", "output_index": 1, "item": {
            "type": "function_call", "call_id": "c1", "name": "gmail__search",
            "arguments": "" } }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 1,
            "delta": "{\"q\":\"a\"}" }),
        json!({ "type": "response.completed", "response": {} }),
    ]);
    let anthropic = stream(&[
        json!({ "type": "content_block_start", "index": 1, "content_block": {
            "type": "tool_use", "id": "c1", "name": "gmail__search", "input": {} } }),
        json!({ "type": "content_block_delta", "index": 1, "delta": {
            "type": "input_json_delta", "partial_json": "{\"q\": \"a" } }),
        json!({ "type": "content_block_delta", "index": 1, "delta": {
            "type": "input_json_delta", "partial_json": "\"}" } }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" } }),
        json!({ "type": "message_stop" }),
    ]);
    let gemini = stream(&[json!({ "candidates": [{ "content": { "parts": [{
        "functionCall": { "id": "c1", "name": "gmail__search", "args": { "q": "a" } } }] },
        "finishReason": "STOP" }] })]);
    for (tongue, stream) in Tongue::ALL.into_iter().zip([chat, responses, anthropic, gemini]) {
        let (answer, is_whole) = read(tongue, &stream).unwrap();
        let args = json!({ "q": "a" });
        let expected = Call { id: "c1".into(), tool: "gmail.search".into(), args };
        assert_eq!(answer.calls, [expected], "{tongue:?}");
        assert_eq!((answer.end, is_whole), (Some(End::Calls), true), "{tongue:?}");
    }
}

#[test]
fn a_stream_that_stops_in_the_middle_is_not_whole() {
    for tongue in Tongue::ALL {
        let spoken = spoken(tongue);
        let half = &spoken[..spoken.find(" Ana").unwrap()];
        let half = &half[..half.rfind("data:").unwrap()];
        let (answer, is_whole) = read(tongue, half).unwrap();
        assert_eq!((answer.text.as_str(), is_whole), ("Hi", false), "{tongue:?}");
    }
}

#[test]
fn an_error_in_the_stream_is_an_error() {
    let overloaded = json!({ "type": "error", "error": {
        "type": "overloaded_error", "message": "Overloaded" } });
    let error = read(Tongue::Anthropic, &stream(&[overloaded])).unwrap_err();
    assert_eq!(error, Trouble::Overloaded { status: 529, again_after: None });
    let chat = json!({ "error": { "code": 502, "message": "Provider disconnected" } });
    let error = read(Tongue::Chat, &stream(&[chat])).unwrap_err();
    assert_eq!(error, Trouble::Overloaded { status: 502, again_after: None });
    let failed = json!({ "type": "response.failed", "response": { "error": {
        "code": "rate_limit_exceeded", "message": "Slow down" } } });
    let error = read(Tongue::Responses, &stream(&[failed])).unwrap_err();
    assert_eq!(error, Trouble::TooMany { again_after: None });
    let gemini = json!({ "error": { "code": 503, "status": "UNAVAILABLE" } });
    let error = read(Tongue::Gemini, &stream(&[gemini])).unwrap_err();
    assert_eq!(error, Trouble::Overloaded { status: 503, again_after: None });
}

#[test]
fn glued_objects_are_read_and_garbage_is_named() {
    let glued = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\
                 {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n";
    assert_eq!(read(Tongue::Chat, glued).unwrap().0.text, "ab");
    let error = read(Tongue::Chat, "data: <html>busy</html>\n\n").unwrap_err();
    assert_eq!(error.code(), "model_garbage");
}

#[test]
fn calls_without_numbers_are_told_apart_by_their_ids() {
    let call = |id: &str, args: Value| {
        json!({ "choices": [{ "delta": { "tool_calls": [{ "id": id,
            "function": { "name": "t", "arguments": args } }] } }] })
    };
    let glued = stream(&[call("a", json!({ "n": 1 })), call("b", json!("{\"n\":2}"))]);
    let (answer, _) = read(Tongue::Chat, &glued).unwrap();
    let numbers: Vec<_> = answer.calls.iter().map(|call| call.args["n"].clone()).collect();
    assert_eq!(numbers, [json!(1), json!(2)]);
}

fn called(pieces: &[Value]) -> Vec<(String, String, Value)> {
    let chunk = |piece: &Value| json!({ "choices": [{ "delta": { "tool_calls": [piece] } }] });
    let chunks: Vec<_> = pieces.iter().map(chunk).collect();
    let (answer, _) = read(Tongue::Chat, &stream(&chunks)).unwrap();
    answer.calls.into_iter().map(|call| (call.id, call.tool, call.args)).collect()
}

#[test]
fn calls_at_once_are_told_apart_however_they_are_counted() {
    let call = |id: &str, tool: &str, n: u32| (id.to_owned(), tool.to_owned(), json!({ "n": n }));
    let begun = |tool: &str, n: u32| json!({ "function": { "name": tool, "arguments": format!("{{\"n\":{n}}}") } });
    let with = |mut piece: Value, index: Option<u32>, id: Option<&str>| {
        if let Some(index) = index {
            piece["index"] = index.into();
        }
        if let Some(id) = id {
            piece["id"] = id.into();
        }
        piece
    };
    // Ollama counts no further than 0.
    let zeros = [with(begun("a", 1), Some(0), Some("x")), with(begun("a", 2), Some(0), Some("y"))];
    assert_eq!(called(&zeros), [call("x", "a", 1), call("y", "a", 2)]);
    // Others count nothing and name nothing, also where the same tool is meant twice.
    let bare = [begun("a", 1), begun("b", 2), begun("b", 3)];
    let expected = [call("call_0", "a", 1), call("call_1", "b", 2), call("call_2", "b", 3)];
    assert_eq!(called(&bare), expected);
    let zero = bare.clone().map(|piece| with(piece, Some(0), None));
    assert_eq!(called(&zero), expected);
    // Ids that are there and empty.
    let empty = [with(begun("a", 1), Some(0), Some("")), with(begun("b", 2), Some(1), Some(""))];
    assert_eq!(called(&empty), expected[..2]);
}

#[test]
fn a_name_that_comes_with_every_piece_is_one_call() {
    let piece = |args: &str| json!({ "index": 0, "function": { "name": "a", "arguments": args } });
    let pieces = [piece(""), piece("{\"n\""), piece(":1"), piece("}"), piece("")];
    let expected = [("call_0".to_owned(), "a".to_owned(), json!({ "n": 1 }))];
    assert_eq!(called(&pieces), expected);
    let with_id = |args: &str| json!({ "id": "x", "function": { "name": "a", "arguments": args } });
    let pieces = [with_id("{\"n\":1}"), with_id(" ")];
    assert_eq!(called(&pieces), [("x".to_owned(), "a".to_owned(), json!({ "n": 1 }))]);
}
