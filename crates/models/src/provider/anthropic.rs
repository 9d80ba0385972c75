//! Anthropic's Messages: what is sent, and how an answer reads. Pure.

use serde_json::{Value, json};

use super::tongue::Reader;
use super::{Ask, Delta, End, Message, ToolSpec, Trouble, Usage, inward, outward, plain_id};

/// What stays the same is marked to be kept warm: the tools, then the system prompt.
pub fn body(model: &str, ask: &Ask) -> Value {
    let warm = warm();
    let mut body = json!({
        "model": model,
        "max_tokens": ask.most_tokens,
        "system": [{ "type": "text", "text": ask.system, "cache_control": warm }],
        "messages": messages(&ask.messages),
        "stream": true,
    });
    if let Some(shape) = &ask.shape {
        body["output_config"] =
            json!({ "format": { "type": "json_schema", "schema": shape.schema } });
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

/// Roles take turns there, so what several tools brought is one message.
fn messages(messages: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = match message {
            Message::Person(text) => ("user", vec![json!({ "type": "text", "text": text })]),
            Message::Model { text, calls } => {
                let text = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
                let calls = calls.iter().map(|call| {
                    json!({
                        "type": "tool_use",
                        "id": plain_id(&call.id),
                        "name": outward(&call.tool),
                        "input": call.fields(),
                    })
                });
                ("assistant", text.into_iter().chain(calls).collect())
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
                    _ => Vec::new(),
                }
            }
            "content_block_delta" => match event["delta"]["type"].as_str() {
                Some("text_delta") => vec![text(&event["delta"]["text"])],
                Some("input_json_delta") => {
                    vec![call(None, None, event["delta"]["partial_json"].as_str().unwrap_or(""))]
                }
                Some("thinking_delta") => {
                    self.thoughts += 1;
                    Vec::new()
                }
                _ => Vec::new(),
            },
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
        }
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
