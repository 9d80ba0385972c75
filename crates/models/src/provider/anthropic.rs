//! Anthropic's Messages: what is sent, and how an answer reads. Pure.

use serde_json::{Value, json};

use super::manners::{Field, Manners};
use super::thoughts::MOST_KEPT;
use super::tongue::Reader;
use super::{
    Ask, Delta, Effort, End, Kept, Message, ToolSpec, Trouble, Usage, inward, outward, plain_id,
    words,
};

/// What stays the same is marked to be kept warm: the tools, then the system prompt, and from
/// the second round of a turn on what was brought so far.
pub fn body(model: &str, ask: &Ask, manners: Manners) -> Value {
    let warm = warm();
    let mut messages = messages(&ask.messages);
    let last = messages.last_mut().and_then(|turn| turn["content"].as_array_mut()?.last_mut());
    if let Some(brought) = last.filter(|block| block["type"] == "tool_result") {
        brought["cache_control"] = warm.clone();
    }
    let mut body = json!({
        "model": model,
        "max_tokens": manners.most_tokens(model, ask),
        "system": [{ "type": "text", "text": ask.system, "cache_control": warm }],
        "messages": messages,
        "stream": true,
    });
    match manners.effort(model, ask) {
        Some(Effort::None) => body["thinking"] = json!({ "type": "disabled" }),
        Some(effort) => {
            body["thinking"] = json!({ "type": "adaptive" });
            body["output_config"]["effort"] = effort.name().into();
        }
        None => {}
    }
    if let Some(shape) = ask.shape.as_ref().filter(|_| manners.takes(Field::Shape)) {
        body["output_config"]["format"] = json!({ "type": "json_schema", "schema": shape.schema });
    }
    body
}

fn warm() -> Value {
    json!({ "type": "ephemeral" })
}

/// As they are sent, which is not how they are told to others.
pub fn tools(tools: &[ToolSpec]) -> Value {
    let mut tools: Vec<_> = tools.iter().map(tool).collect();
    if let Some(last) = tools.last_mut() {
        last["cache_control"] = warm();
    }
    tools.into()
}

pub fn tool(tool: &ToolSpec) -> Value {
    json!({
        "name": outward(&tool.name),
        "description": tool.description,
        "input_schema": tool.schema,
    })
}

fn said(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// Roles take turns there, so what several tools brought is one message.
fn messages(messages: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = match message {
            Message::Person(text) => ("user", words(text).map(said).into_iter().collect()),
            Message::Model { text, calls, thoughts } => {
                // Its thoughts stand before what it thought of.
                let mut blocks: Vec<Value> = thoughts.at(0).cloned().collect();
                blocks.extend(words(text).map(said));
                for (at, call) in calls.iter().enumerate() {
                    blocks.extend(thoughts.at(at).filter(|_| at > 0).cloned());
                    blocks.push(json!({
                        "type": "tool_use",
                        "id": plain_id(&call.id),
                        "name": outward(&call.tool),
                        "input": call.fields(),
                    }));
                }
                // A thought of nothing is not said.
                let is_thought = |block: &Value| {
                    matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
                };
                if blocks.iter().all(is_thought) {
                    blocks.clear();
                }
                ("assistant", blocks)
            }
            Message::Brought { id, result, .. } => {
                let block = json!({ "type": "tool_result", "tool_use_id": plain_id(id), "content": result });
                ("user", vec![block])
            }
        };
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => turns.push((role, blocks)),
        }
    }
    let turn = |(role, blocks): (&str, Vec<Value>)| json!({ "role": role, "content": blocks });
    turns.into_iter().map(turn).collect()
}

/// Reads an answer event by event.
#[derive(Debug, Default)]
pub struct Events {
    usage: Usage,
    thoughts: usize,
    /// The thought that is being thought.
    thought: Option<Value>,
    id: Option<String>,
    is_whole: bool,
}

impl Reader for Events {
    fn read(&mut self, event: &Value) -> Result<Vec<Delta>, Trouble> {
        let index = event["index"].as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
        let call = |id: Option<&str>, tool: Option<&str>, args: &str| Delta::Call {
            index,
            id: id.map(str::to_owned),
            tool: tool.map(inward),
            args: args.to_owned(),
        };
        let text = |value: &Value| Delta::Text(value.as_str().unwrap_or_default().to_owned());
        Ok(match event["type"].as_str().unwrap_or_default() {
            "message_start" => {
                self.id = event["message"]["id"].as_str().map(str::to_owned);
                self.count(&event["message"]["usage"]);
                vec![Delta::Usage(self.usage)]
            }
            "content_block_start" => {
                let block = &event["content_block"];
                match block["type"].as_str() {
                    Some("tool_use") => {
                        let whole = block["input"].as_object().filter(|input| !input.is_empty());
                        let args = whole.map(|_| block["input"].to_string()).unwrap_or_default();
                        vec![call(block["id"].as_str(), block["name"].as_str(), &args)]
                    }
                    Some("text") => vec![text(&block["text"])],
                    Some("thinking" | "redacted_thinking") => {
                        self.thoughts += 1;
                        self.thought = Some(block.clone());
                        Vec::new()
                    }
                    _ => Vec::new(),
                }
            }
            "content_block_delta" => match event["delta"]["type"].as_str() {
                Some("text_delta") => vec![text(&event["delta"]["text"])],
                Some("input_json_delta") => {
                    vec![call(None, None, event["delta"]["partial_json"].as_str().unwrap_or(""))]
                }
                // Some say nothing of what they think but that they do.
                Some("thinking_delta" | "signature_delta") => {
                    self.thinks(&event["delta"]);
                    Vec::new()
                }
                _ => Vec::new(),
            },
            "content_block_stop" => {
                self.thought.take().map(Kept).map(Delta::Kept).into_iter().collect()
            }
            "message_delta" => {
                self.count(&event["usage"]);
                let end = event["delta"]["stop_reason"].as_str().map(end);
                let mut deltas = vec![Delta::Usage(self.usage)];
                deltas.extend(end.map(Delta::End));
                deltas
            }
            "message_stop" => {
                self.is_whole = true;
                Vec::new()
            }
            "error" => return Err(Trouble::in_stream(&event["error"])),
            _ => Vec::new(),
        })
    }

    /// As if it had come block by block.
    fn read_whole(&mut self, answer: &Value) -> Result<Vec<Delta>, Trouble> {
        let (Some(blocks), Some(reason)) =
            (answer["content"].as_array(), answer["stop_reason"].as_str())
        else {
            return Ok(Vec::new());
        };
        let mut deltas = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            let begins =
                json!({ "type": "content_block_start", "index": index, "content_block": block });
            deltas.extend(self.read(&begins)?);
            deltas.extend(self.thought.take().map(Kept).map(Delta::Kept));
        }
        self.id = answer["id"].as_str().map(str::to_owned);
        self.count(&answer["usage"]);
        self.is_whole = true;
        deltas.extend([Delta::Usage(self.usage), Delta::End(end(reason))]);
        Ok(deltas)
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn is_over(&self) -> bool {
        self.is_whole
    }

    fn thoughts(&self) -> usize {
        self.thoughts
    }

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

fn end(reason: &str) -> End {
    match reason {
        "tool_use" => End::Calls,
        "max_tokens" | "model_context_window_exceeded" => End::TooLong,
        "refusal" => End::Withheld,
        _ => End::Said,
    }
}

impl Events {
    fn thinks(&mut self, delta: &Value) {
        self.thoughts += 1;
        let Some(thought) = &mut self.thought else { return };
        for name in ["thinking", "signature"] {
            let Some(more) = delta[name].as_str() else { continue };
            match &mut thought[name] {
                Value::String(so_far) if so_far.len() + more.len() <= MOST_KEPT => {
                    so_far.push_str(more);
                }
                // Half of it would be refused.
                Value::String(_) => return self.thought = None,
                other => *other = more.into(),
            }
        }
    }

    /// What was read from or put into the warm place is counted apart there.
    fn count(&mut self, usage: &Value) {
        let number = |name: &str| usage[name].as_u64();
        if let Some(fresh) = number("input_tokens") {
            let read = number("cache_read_input_tokens").unwrap_or(0);
            let written = number("cache_creation_input_tokens").unwrap_or(0);
            (self.usage.input, self.usage.cached) = (fresh + read + written, read);
            self.usage.written = written;
        }
        self.usage.output = number("output_tokens").unwrap_or(self.usage.output);
    }
}
