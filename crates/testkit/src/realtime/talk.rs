//! One line of the live voice for tests: its conversation, and what it is busy with.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::{Answer, Ends, FakeRealtime, Kept, MODEL, sound_ms};

/// Bytes of sound in a millisecond.
const BYTES_A_MS: usize = 48;
/// Less than this is not taken for something said.
const LEAST_MS: usize = 100;

pub(super) struct Talk<S> {
    fake: FakeRealtime,
    line: usize,
    socket: WebSocketStream<S>,
    has_model: bool,
    is_set_up: bool,
    named: usize,
    /// Sound that was not committed, in bytes.
    buffered: usize,
    speaking: Vec<Speaking>,
    open_calls: HashSet<String>,
}

/// An answer that is being given.
struct Speaking {
    response: String,
    is_apart: bool,
    metadata: Value,
    steps: VecDeque<Step>,
    due: Instant,
    item: String,
    said: String,
    output: Vec<Value>,
}

enum Step {
    Say(String),
    Call(String, Value),
    Pause(Duration),
    Break,
    Stall,
    Fail,
    End,
}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Talk<S> {
    pub fn new(fake: FakeRealtime, line: usize, socket: WebSocketStream<S>, model: &str) -> Self {
        Self {
            fake,
            line,
            socket,
            has_model: model == MODEL,
            is_set_up: false,
            named: 0,
            buffered: 0,
            speaking: Vec::new(),
            open_calls: HashSet::new(),
        }
    }

    /// Until one of both hangs up.
    pub async fn run(mut self) -> Option<()> {
        if !self.has_model {
            self.complain(None, "model_not_found", "there is no such model").await?;
            return self.socket.close(None).await.ok();
        }
        self.send(json!({ "type": "session.created", "session": { "type": "realtime" } })).await?;
        let mut closes = self.fake.closes.subscribe();
        loop {
            let due = self.speaking.iter().map(|it| it.due).min();
            let wait = due.unwrap_or_else(|| Instant::now() + Duration::from_hours(1));
            tokio::select! {
                message = self.socket.next() => match message?.ok()? {
                    Message::Text(text) => {
                        let event: Value = serde_json::from_str(text.as_str()).unwrap_or_default();
                        self.take(event).await?;
                    }
                    Message::Close(_) => return None,
                    _ => {}
                },
                _ = closes.changed() => {
                    // No warning, as after an hour of the real one.
                    let reason = "Your session hit the maximum duration".into();
                    let frame = CloseFrame { code: CloseCode::Away, reason };
                    return self.socket.close(Some(frame)).await.ok();
                }
                () = tokio::time::sleep_until(wait), if due.is_some() => self.go_on().await?,
            }
        }
    }

    fn name(&mut self, what: &str) -> String {
        self.named += 1;
        format!("{what}_{}_{}", self.line, self.named)
    }

    async fn send(&mut self, event: Value) -> Option<()> {
        self.socket.send(Message::text(event.to_string())).await.ok()
    }

    /// Says no, as the real one would, and remembers it.
    async fn complain(&mut self, event: Option<&Value>, code: &str, message: &str) -> Option<()> {
        let id = event.map(|event| event["event_id"].clone()).unwrap_or_default();
        let kind = event.map_or("connect", |event| event["type"].as_str().unwrap_or("?"));
        self.fake.story().mistakes.push(format!("{kind}: {code}: {message}"));
        let error = json!({ "type": "invalid_request_error", "code": code, "message": message,
            "param": null, "event_id": id });
        self.send(json!({ "type": "error", "event_id": "event_1", "error": error })).await
    }

    async fn take(&mut self, event: Value) -> Option<()> {
        let kind = event["type"].as_str().unwrap_or_default().to_owned();
        if kind != "input_audio_buffer.append" {
            self.fake.story().came.push((self.line, event.clone()));
        }
        if !self.is_set_up && kind != "session.update" {
            return self.complain(Some(&event), "not_set_up", "it is not set up yet").await;
        }
        match kind.as_str() {
            "session.update" => self.set_up(&event).await,
            "input_audio_buffer.append" => {
                let sound = BASE64.decode(event["audio"].as_str().unwrap_or("%")).ok();
                match sound.filter(|sound| !sound.is_empty() && sound.len().is_multiple_of(2)) {
                    Some(sound) => self.buffered += sound.len(),
                    None => self.complain(Some(&event), "invalid_value", "no sound").await?,
                }
                Some(())
            }
            "input_audio_buffer.commit" => self.commit(&event).await,
            "input_audio_buffer.clear" => {
                self.buffered = 0;
                self.send(json!({ "type": "input_audio_buffer.cleared" })).await
            }
            "conversation.item.create" => self.create(&event).await,
            "conversation.item.delete" => self.delete(&event).await,
            "conversation.item.truncate" => self.truncate(&event).await,
            "response.create" => self.answer(&event).await,
            "response.cancel" => self.cancel(&event).await,
            _ => self.complain(Some(&event), "invalid_value", "no such event").await,
        }
    }

    async fn set_up(&mut self, event: &Value) -> Option<()> {
        let session = &event["session"];
        let input = &session["audio"]["input"];
        let is_ours = session["type"] == "realtime"
            && session["output_modalities"] == json!(["audio"])
            && input["format"] == json!({ "type": "audio/pcm", "rate": 24_000 })
            && input["turn_detection"].is_null()
            && input.get("turn_detection").is_some()
            && is_told_languages(&input["transcription"])
            && session["audio"]["output"]["voice"].is_string();
        let is_named = |tool: &Value| {
            let name = tool["name"].as_str().unwrap_or(".");
            tool["type"] == "function"
                && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        };
        let tools = session["tools"].as_array();
        if !is_ours || tools.is_none_or(|tools| !tools.iter().all(is_named)) {
            return self.complain(Some(event), "invalid_value", "not a session").await;
        }
        self.is_set_up = true;
        self.send(json!({ "type": "session.updated", "session": session })).await
    }

    async fn commit(&mut self, event: &Value) -> Option<()> {
        let sound_ms = std::mem::take(&mut self.buffered) / BYTES_A_MS;
        if sound_ms < LEAST_MS {
            let message = "buffer too small";
            return self.complain(Some(event), "input_audio_buffer_commit_empty", message).await;
        }
        // What goes on behind a pause has no words of its own.
        let text = self.fake.story().hears.pop_front().unwrap_or_default();
        let id = self.name("item");
        let previous = self.fake.story().items.last().map(|item| item.id.clone());
        self.keep(&id, "user", &text, sound_ms as u64);
        self.send(json!({ "type": "input_audio_buffer.committed", "item_id": id,
            "previous_item_id": previous }))
            .await?;
        self.send(json!({ "type": "conversation.item.added", "previous_item_id": previous,
            "item": { "id": id, "type": "message", "role": "user" } }))
            .await?;
        for word in text.split_inclusive(' ') {
            self.send(json!({ "type": "conversation.item.input_audio_transcription.delta",
                "item_id": id, "content_index": 0, "delta": word }))
                .await?;
        }
        self.send(json!({ "type": "conversation.item.input_audio_transcription.completed",
            "item_id": id, "content_index": 0, "transcript": text,
            "usage": { "type": "tokens", "total_tokens": 12, "input_tokens": 10,
                "input_token_details": { "text_tokens": 0, "audio_tokens": 10 },
                "output_tokens": 2 } }))
            .await
    }

    fn keep(&self, id: &str, role: &str, text: &str, ms: u64) {
        let (id, role, text) = (id.to_owned(), role.to_owned(), text.to_owned());
        self.fake.story().items.push(Kept { id, role, text, ms });
    }

    async fn create(&mut self, event: &Value) -> Option<()> {
        let item = &event["item"];
        let id = item["id"].as_str().unwrap_or_default().to_owned();
        let content = &item["content"][0];
        let is_new = !id.is_empty()
            && id.len() <= 32
            && self.fake.story().items.iter().all(|known| known.id != id);
        let role = item["role"].as_str().unwrap_or_default();
        let (role, text) = match item["type"].as_str().unwrap_or_default() {
            "message"
                if matches!(
                    (role, content["type"].as_str().unwrap_or_default()),
                    ("user" | "system", "input_text") | ("assistant", "output_text")
                ) =>
            {
                (role.to_owned(), content["text"].as_str())
            }
            "function_call_output" => {
                let call = item["call_id"].as_str().unwrap_or_default();
                if !self.open_calls.remove(call) {
                    let message = "no call waits for that";
                    return self.complain(Some(event), "invalid_tool_call_id", message).await;
                }
                ("tool".to_owned(), item["output"].as_str())
            }
            _ => (String::new(), None),
        };
        let Some(text) = text.filter(|_| is_new) else {
            return self.complain(Some(event), "invalid_value", "not an item").await;
        };
        self.keep(&id, &role, text, 0);
        self.send(json!({ "type": "conversation.item.added", "item": item })).await?;
        self.send(json!({ "type": "conversation.item.done", "item": item })).await
    }

    async fn delete(&mut self, event: &Value) -> Option<()> {
        let id = event["item_id"].as_str().unwrap_or_default().to_owned();
        let known = self.fake.story().items.iter().position(|item| item.id == id);
        let Some(at) = known else {
            return self.complain(Some(event), "item_delete_invalid_item_id", "no such item").await;
        };
        self.fake.story().items.remove(at);
        self.send(json!({ "type": "conversation.item.deleted", "item_id": id })).await
    }

    async fn truncate(&mut self, event: &Value) -> Option<()> {
        let id = event["item_id"].as_str().unwrap_or_default().to_owned();
        let end_ms = event["audio_end_ms"].as_u64();
        let known = self.fake.story().items.iter().position(|item| {
            item.id == id && item.role == "assistant" && end_ms.is_some_and(|ms| ms <= item.ms)
        });
        let Some(at) = known.filter(|_| event["content_index"] == 0) else {
            let message = "no such item, or its sound is shorter";
            return self.complain(Some(event), "invalid_value", message).await;
        };
        {
            let item = &mut self.fake.story().items[at];
            // The real one forgets the words with the sound.
            (item.ms, item.text) = (end_ms.unwrap_or(0), String::new());
        }
        self.send(json!({ "type": "conversation.item.truncated", "item_id": id,
            "content_index": 0, "audio_end_ms": end_ms }))
            .await
    }

    async fn answer(&mut self, event: &Value) -> Option<()> {
        let wanted = &event["response"];
        let is_apart = wanted["conversation"] == "none";
        if !is_apart && self.speaking.iter().any(|it| !it.is_apart) {
            let code = "conversation_already_has_active_response";
            return self.complain(Some(event), code, "one is being given").await;
        }
        let answer = if is_apart {
            let text = wanted["input"][0]["content"][0]["text"].as_str().unwrap_or_default();
            let misreads = self.fake.story().misreads;
            Answer::says(if misreads { "Something else altogether." } else { text })
        } else {
            self.fake.next_answer()
        };
        let (response, item) = (self.name("resp"), self.name("item"));
        let metadata = wanted["metadata"].clone();
        let conversation = if is_apart { Value::Null } else { "conv_1".into() };
        self.send(json!({ "type": "response.created", "response": {
            "id": response, "object": "realtime.response", "status": "in_progress",
            "conversation_id": conversation, "metadata": metadata, "output": [] } }))
            .await?;
        let (due, steps) = (Instant::now() + answer.after, steps(&answer));
        let (said, output) = (String::new(), Vec::new());
        let speaking = Speaking { response, is_apart, metadata, steps, due, item, said, output };
        self.speaking.push(speaking);
        Some(())
    }

    async fn cancel(&mut self, event: &Value) -> Option<()> {
        let wanted = event["response_id"].as_str();
        let found = self.speaking.iter().position(|it| match wanted {
            Some(id) => it.response == id,
            None => !it.is_apart,
        });
        if let Some(at) = found {
            let details = json!({ "reason": "client_cancelled" });
            return self.end(at, "cancelled", details).await;
        }
        // The real one says so too; it may have been over when it was sent.
        let error = json!({ "type": "invalid_request_error", "code": "response_cancel_not_active",
            "message": "nothing to cancel", "event_id": event["event_id"] });
        self.send(json!({ "type": "error", "error": error })).await
    }

    /// The next step of everything that is due.
    async fn go_on(&mut self) -> Option<()> {
        let now = Instant::now();
        let due = self.speaking.iter().position(|it| it.due <= now);
        let Some(at) = due else { return Some(()) };
        let step = self.speaking[at].steps.pop_front().unwrap_or(Step::End);
        match step {
            Step::Say(word) => self.say(at, &word).await,
            Step::Call(tool, args) => self.call(at, &tool, &args).await,
            Step::Pause(pause) => {
                self.speaking[at].due = now + pause;
                Some(())
            }
            Step::Break => None,
            Step::Stall => {
                self.speaking[at].due = now + Duration::from_hours(24);
                Some(())
            }
            Step::Fail => {
                let error = json!({ "type": "server_error", "code": "server_error" });
                self.end(at, "failed", json!({ "type": "failed", "error": error })).await
            }
            Step::End => self.end(at, "completed", Value::Null).await,
        }
    }

    async fn say(&mut self, at: usize, word: &str) -> Option<()> {
        let Speaking { response, item, said, is_apart, .. } = &mut self.speaking[at];
        let is_first = said.is_empty();
        said.push_str(word);
        let (response, item, is_apart) = (response.clone(), item.clone(), *is_apart);
        if is_first {
            self.send(json!({ "type": "response.output_item.added", "response_id": response,
                "output_index": 0, "item": { "id": item, "type": "message", "role": "assistant" } }))
                .await?;
            if !self.fake.story().is_plain {
                self.send(json!({ "type": "response.hologram.added" })).await?;
                self.socket.send(Message::text("this is no event")).await.ok()?;
            }
            if !is_apart {
                self.keep(&item, "assistant", "", 0);
            }
        }
        let common = |kind: &str, delta: Value| {
            json!({ "type": kind, "response_id": response, "item_id": item,
                "output_index": 0, "content_index": 0, "delta": delta })
        };
        let words = common("response.output_audio_transcript.delta", word.into());
        let ms = sound_ms(word);
        let pcm = 6_000_i16.to_le_bytes().repeat(usize::try_from(ms).ok()? * BYTES_A_MS / 2);
        let sound = common("response.output_audio.delta", BASE64.encode(pcm).into());
        if let Some(kept) = self.fake.story().items.iter_mut().find(|kept| kept.id == item) {
            kept.text.push_str(word);
            kept.ms += ms;
        }
        self.send(words).await?;
        self.send(sound).await
    }

    async fn call(&mut self, at: usize, tool: &str, args: &Value) -> Option<()> {
        let (id, call) = (self.name("item"), self.name("call"));
        self.open_calls.insert(call.clone());
        let item = json!({ "id": id, "type": "function_call", "call_id": call,
            "name": tool.replace('.', "__"), "arguments": args.to_string() });
        self.keep(&id, "call", tool, 0);
        let response = self.speaking[at].response.clone();
        let mut begun = item.clone();
        begun["arguments"] = "".into();
        self.speaking[at].output.push(item.clone());
        self.send(json!({ "type": "response.output_item.added", "response_id": response,
            "output_index": 1, "item": begun }))
            .await?;
        self.send(json!({ "type": "response.function_call_arguments.done",
            "response_id": response, "item_id": id, "call_id": call, "output_index": 1,
            "arguments": args.to_string() }))
            .await?;
        self.send(json!({ "type": "response.output_item.done", "response_id": response,
            "output_index": 1, "item": item }))
            .await
    }

    async fn end(&mut self, at: usize, status: &str, details: Value) -> Option<()> {
        let Speaking { response, metadata, output, .. } = self.speaking.remove(at);
        let usage = json!({
            "total_tokens": 130, "input_tokens": 100, "output_tokens": 30,
            "input_token_details": { "text_tokens": 80, "audio_tokens": 20, "cached_tokens": 0 },
            "output_token_details": { "text_tokens": 10, "audio_tokens": 20 },
        });
        self.send(json!({ "type": "response.done", "response": {
            "id": response, "status": status, "status_details": details,
            "metadata": metadata, "output": output, "usage": usage } }))
            .await
    }
}

/// As OpenAI has it: its newer ones take a list of languages, the others one.
fn is_told_languages(transcription: &Value) -> bool {
    let model = transcription["model"].as_str().unwrap_or_default();
    let is_newer = matches!(model, "gpt-transcribe" | "gpt-live-transcribe");
    transcription.get(if is_newer { "language" } else { "languages" }).is_none()
}

fn steps(answer: &Answer) -> VecDeque<Step> {
    let words: Vec<&str> = answer.says.split_inclusive(' ').collect();
    let half = words.len() / 2;
    let mut steps = VecDeque::new();
    if answer.ends == Ends::Fails {
        steps.push_back(Step::Fail);
    }
    for (at, word) in words.iter().enumerate() {
        match answer.ends {
            Ends::Breaks if at == half => steps.push_back(Step::Break),
            Ends::Stalls if at == half => steps.push_back(Step::Stall),
            _ => {}
        }
        steps.push_back(Step::Say((*word).to_owned()));
        if !answer.between.is_zero() {
            steps.push_back(Step::Pause(answer.between));
        }
    }
    let calls = answer.calls.iter().map(|(tool, args)| Step::Call(tool.clone(), args.clone()));
    steps.extend(calls);
    steps.push_back(Step::End);
    steps
}
