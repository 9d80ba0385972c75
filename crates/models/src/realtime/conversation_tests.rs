use serde_json::{Value, json};

use super::*;
use crate::provider::Usage;
use crate::provider::cost::Price;
use crate::realtime::Item;

fn setup() -> Setup {
    let price = Price { input: 1.0, cached: 1.0, output: 1.0 };
    Setup {
        model: "live-1".into(),
        voice: "cedar".into(),
        transcription: "write-1".into(),
        language: "en".into(),
        instructions: "Be kind.".into(),
        tools: Vec::new(),
        prices: Prices { text: price, sound: price, writing: price, writing_a_minute: 0.017 },
    }
}

fn begun() -> Conversation {
    Conversation::begin(&setup(), Vec::new()).0
}

fn kinds(frames: &[Value]) -> Vec<&str> {
    frames.iter().map(|frame| frame["type"].as_str().unwrap()).collect()
}

fn created(response: &str, event: &str) -> Value {
    json!({ "type": "response.created", "response": {
        "id": response, "conversation_id": "conv_1", "metadata": { "sayso": event } } })
}

fn done(response: &str, status: &str, output: &Value) -> Value {
    json!({ "type": "response.done", "response": {
        "id": response, "status": status, "output": output, "usage": {} } })
}

fn sound(response: &str, item: &str, ms: u64) -> Value {
    let pcm = vec![0_u8; usize::try_from(ms * BYTES_A_MS).unwrap()];
    let delta = spelled::append(&pcm)["audio"].clone();
    json!({ "type": "response.output_audio.delta", "response_id": response, "item_id": item,
        "content_index": 0, "delta": delta })
}

fn added(response: &str, item: &str, kind: &str) -> Value {
    json!({ "type": "response.output_item.added", "response_id": response,
        "item": { "id": item, "type": kind } })
}

#[test]
fn it_begins_with_a_session_in_which_only_we_ask_for_answers() {
    let before = vec![Item::Person("hi".into()), Item::Told("Hello.".into())];
    let (_, frames) = Conversation::begin(&setup(), before);
    let expected = ["session.update", "conversation.item.create", "conversation.item.create"];
    assert_eq!(kinds(&frames), expected);
    let turns = frames[0]["session"]["audio"]["input"].get("turn_detection");
    assert_eq!(turns, Some(&Value::Null), "nobody there decides whose turn it is");
    assert_eq!(frames[2]["item"]["content"][0]["type"], "output_text");
}

#[test]
fn a_second_answer_waits_until_the_first_is_over_and_words_of_ours_do_not() {
    let mut talk = begun();
    let first = talk.tell(Tell::Answer(1));
    assert_eq!(kinds(&first), ["response.create"]);
    assert_eq!(talk.tell(Tell::Answer(2)), [] as [Value; 0]);
    let said = talk.tell(Tell::Say { answer: 3, text: "One moment.".into() });
    assert_eq!(said[0]["response"]["conversation"], "none");

    talk.read(&created("r1", first[0]["event_id"].as_str().unwrap()));
    let over = talk.read(&done("r1", "completed", &json!([])));
    assert_eq!(kinds(&over.frames), ["response.create"]);
    assert!(matches!(over.news[..], [News::Over { answer: 1, end: Ok(End::Said), .. }]));
}

#[test]
fn one_that_is_stopped_before_it_has_a_name_is_cancelled_when_it_has_and_the_next_waits() {
    let mut talk = begun();
    let first = talk.tell(Tell::Answer(1));
    assert_eq!(talk.tell(Tell::Stop(1)), [] as [Value; 0]);
    assert_eq!(talk.tell(Tell::Answer(2)), [] as [Value; 0]);
    let cancelled = talk.read(&created("r1", first[0]["event_id"].as_str().unwrap()));
    assert_eq!(kinds(&cancelled.frames), ["response.cancel"]);
    assert_eq!(cancelled.frames[0]["response_id"], "r1");
    assert_eq!(talk.read(&sound("r1", "i1", 40)).news, []);
    let over = talk.read(&done("r1", "cancelled", &json!([])));
    assert_eq!(kinds(&over.frames), ["response.create"]);
}

#[test]
fn what_was_not_heard_is_cut_off_where_it_ends_and_never_behind_that() {
    for (heard_ms, frame, end_ms) in [
        (300, "conversation.item.truncate", json!(300)),
        (0, "conversation.item.delete", Value::Null),
    ] {
        let mut talk = begun();
        let asked = talk.tell(Tell::Answer(1));
        talk.read(&created("r1", asked[0]["event_id"].as_str().unwrap()));
        talk.read(&added("r1", "i1", "message"));
        talk.read(&sound("r1", "i1", 500));
        assert_eq!(talk.tell(Tell::Cut { answer: 1, heard_ms }), [] as [Value; 0]);
        assert_eq!(kinds(&talk.tell(Tell::Stop(1))), ["response.cancel"]);
        let over = talk.read(&done("r1", "cancelled", &json!([])));
        assert_eq!(kinds(&over.frames), [frame]);
        assert_eq!(over.frames[0]["audio_end_ms"], end_ms);
    }
    let mut talk = begun();
    let asked = talk.tell(Tell::Answer(1));
    talk.read(&created("r1", asked[0]["event_id"].as_str().unwrap()));
    talk.read(&sound("r1", "i1", 500));
    talk.read(&done("r1", "completed", &json!([])));
    assert_eq!(talk.tell(Tell::Cut { answer: 1, heard_ms: 9_999 }), [] as [Value; 0]);
}

#[test]
fn whoever_is_only_talked_over_goes_on_in_writing_and_keeps_its_calls() {
    let mut talk = begun();
    let asked = talk.tell(Tell::Answer(1));
    talk.read(&created("r1", asked[0]["event_id"].as_str().unwrap()));
    talk.read(&added("r1", "i1", "message"));
    talk.read(&sound("r1", "i1", 500));
    talk.tell(Tell::Cut { answer: 1, heard_ms: 200 });
    let more = json!({ "type": "response.output_audio_transcript.delta", "response_id": "r1",
        "item_id": "i1", "delta": "and so on" });
    let said = News::Said { answer: 1, text: "and so on".into() };
    assert_eq!(talk.read(&more).news, [said]);
    talk.read(&added("r1", "i2", "function_call"));
    let call = json!({ "type": "function_call", "id": "i2", "call_id": "a",
        "name": "gmail__search", "arguments": "{}" });
    let over = talk.read(&done("r1", "completed", &json!([call])));
    assert_eq!(kinds(&over.frames), ["conversation.item.truncate"]);
    let result =
        Item::Brought { call: "a".into(), tool: "gmail.search".into(), result: "{}".into() };
    let told = talk.tell(Tell::Learn(vec![result]));
    assert_eq!(told[0]["item"]["type"], "function_call_output");
}

#[test]
fn what_was_taken_back_before_it_was_whole_is_in_no_later_sentence() {
    let committed = |item: &str| json!({ "type": "input_audio_buffer.committed", "item_id": item });
    let stopped =
        |item: &str| json!({ "type": "input_audio_buffer.speech_stopped", "item_id": item });
    let mut talk = begun();
    talk.tell(Tell::Sound(vec![0; 9_600]));
    talk.read(&stopped("i1"));
    talk.read(&committed("i1"));
    let frames = talk.tell(Tell::Unsay);
    assert_eq!(kinds(&frames), ["input_audio_buffer.clear", "conversation.item.delete"]);
    // What was on its way by then is of the same sound.
    talk.read(&stopped("i2"));
    assert_eq!(kinds(&talk.read(&committed("i2")).frames), ["conversation.item.delete"]);
    talk.read(&json!({ "type": "input_audio_buffer.cleared" }));

    talk.tell(Tell::Uttered(7));
    talk.read(&committed("i3"));
    let written = json!({ "type": "conversation.item.input_audio_transcription.completed",
        "item_id": "i3", "transcript": "yes",
        "usage": { "type": "tokens", "input_tokens": 9, "output_tokens": 1 } });
    let spent = Usage { input: 9, output: 1, cost_micros: Some(10), ..Usage::default() };
    let expected = [News::Spent(spent), News::Written { uttered: 7, text: "yes".into() }];
    assert_eq!(talk.read(&written).news, expected);
}

#[test]
fn what_tools_brought_goes_to_the_calls_it_was_for() {
    let mut talk = begun();
    let asked = talk.tell(Tell::Answer(1));
    talk.read(&created("r1", asked[0]["event_id"].as_str().unwrap()));
    let call = |item: &str, id: &str| json!({ "type": "function_call", "id": item, "call_id": id, "name": "gmail__search", "arguments": "{}" });
    let over = talk.read(&done("r1", "completed", &json!([call("i1", "a"), call("i2", "b")])));
    let called = over.news.iter().filter(|news| matches!(news, News::Called { .. })).count();
    assert_eq!(called, 2);
    let brought = |id: &str| Item::Brought {
        call: id.into(),
        tool: "gmail.search".into(),
        result: "{}".into(),
    };
    let frames = talk.tell(Tell::Learn(vec![brought("a"), brought("b"), brought("strange")]));
    let types: Vec<_> =
        frames.iter().map(|frame| frame["item"]["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["function_call_output", "function_call_output", "message"]);
}

#[test]
fn sound_is_written_down_under_our_number_whoever_decided_that_it_was_whole() {
    let committed = |item: &str| json!({ "type": "input_audio_buffer.committed", "item_id": item });
    let written = |item: &str, text: &str| {
        json!({ "type": "conversation.item.input_audio_transcription.completed",
            "item_id": item, "transcript": text })
    };
    let mut talk = begun();
    talk.read(&json!({ "type": "input_audio_buffer.speech_stopped", "item_id": "i1" }));
    talk.read(&committed("i1"));
    talk.read(&written("i1", "note that "));
    let commit = talk.tell(Tell::Uttered(7));
    talk.read(&committed("i2"));
    let news = talk.read(&written("i2", "I called")).news;
    assert_eq!(news, [News::Written { uttered: 7, text: "note that I called".into() }]);

    talk.read(&json!({ "type": "input_audio_buffer.speech_stopped", "item_id": "i3" }));
    talk.read(&committed("i3"));
    let late = talk.tell(Tell::Uttered(8));
    assert_ne!(commit[0]["event_id"], late[0]["event_id"]);
    let empty = json!({ "type": "error", "error": {
        "code": "input_audio_buffer_commit_empty", "event_id": late[0]["event_id"] } });
    assert_eq!(talk.read(&empty).news, []);
    let news = talk.read(&written("i3", "yes")).news;
    assert_eq!(news, [News::Written { uttered: 8, text: "yes".into() }]);
    assert_eq!(kinds(&talk.tell(Tell::Forget(8))), ["conversation.item.delete"]);
}

#[test]
fn an_answer_that_we_know_nothing_of_is_waited_for() {
    let mut talk = begun();
    let asked = talk.tell(Tell::Answer(1));
    let busy = json!({ "type": "error", "error": {
        "code": "conversation_already_has_active_response", "event_id": asked[0]["event_id"] } });
    assert_eq!(talk.read(&busy).frames, [] as [Value; 0]);
    let over = talk.read(&done("strange", "completed", &json!([])));
    assert_eq!(kinds(&over.frames), ["response.create"]);

    // It may have been one of ours after all.
    talk.read(&created("r1", over.frames[0]["event_id"].as_str().unwrap()));
    talk.read(&json!({ "type": "response.created", "response": { "id": "stranger" } }));
    assert_eq!(talk.tell(Tell::Answer(2)), [] as [Value; 0]);
    let over = talk.read(&done("r1", "completed", &json!([])));
    assert_eq!(kinds(&over.frames), ["response.create"]);
}

#[test]
fn an_answer_that_nobody_ends_is_not_waited_for_forever() {
    let began = Instant::now();
    let after = |ms| began + Duration::from_millis(ms);
    let mut talk = begun();
    let asked = talk.tell(Tell::Answer(1));
    let busy = json!({ "type": "error", "error": {
        "code": "conversation_already_has_active_response", "event_id": asked[0]["event_id"] } });
    for round in [0, 10_000] {
        talk.read(&busy);
        assert_eq!(talk.at(after(round)), [] as [Value; 0]);
        assert_eq!(talk.until(), Some(after(round + 2_500)));
        assert_eq!(talk.at(after(round + 2_000)), [] as [Value; 0]);

        assert_eq!(kinds(&talk.at(after(round + 2_500))), ["response.create"]);
        assert_eq!(talk.until(), None);
    }
}
