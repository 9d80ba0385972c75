//! Google's Gemini: what is sent, and how an answer reads. Pure.
//!
//! Its calls may carry a signature that it wants back with them; it travels as the id.

use serde_json::{Value, json};

use super::manners::{TO_THINK, most_tokens};
use super::tongue::Reader;
use super::{Ask, Call, Delta, End, Message, ToolSpec, Trouble, Usage, inward, outward};

/// Before a signature in an id.
const SIGNED: &str = "signed:";

pub fn body(model: &str, ask: &Ask) -> Value {
    let mut body = json!({
        "systemInstruction": { "parts": [{ "text": ask.system }] },
        "contents": contents(&ask.messages),
        "generationConfig": { "maxOutputTokens": most_tokens(model, ask.most_tokens) },
    });
    if let Some(shape) = &ask.shape {
        body["generationConfig"]["responseMimeType"] = "application/json".into();
        body["generationConfig"]["responseJsonSchema"] = shape.schema.clone();
        // One word of a few needs no thought, and nobody waits for one.
        if model.starts_with("gemini-2.5-flash") {
            body["generationConfig"]["thinkingConfig"] = json!({ "thinkingBudget": 0 });
            body["generationConfig"]["maxOutputTokens"] = ask.most_tokens.into();
        } else {
            let most = ask.most_tokens.saturating_add(TO_THINK);
            body["generationConfig"]["maxOutputTokens"] = most.into();
        }
    }
    body
}

/// All of them are one there.
pub fn tools(tools: &[ToolSpec]) -> Value {
    let tool = |tool: &ToolSpec| {
        json!({
            "name": outward(&tool.name),
            "description": tool.description,
            "parametersJsonSchema": tool.schema,
        })
    };
    let tools: Vec<_> = tools.iter().map(tool).collect();
    json!([{ "functionDeclarations": tools }])
}

fn contents(messages: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, parts) = match message {
            Message::Person(text) => ("user", vec![json!({ "text": text })]),
            Message::Model { text, calls } => {
                let text = (!text.is_empty()).then(|| json!({ "text": text }));
                ("model", text.into_iter().chain(calls.iter().map(part)).collect())
            }
            Message::Brought { tool, result, .. } => {
                let part = json!({ "functionResponse": {
                    "name": outward(tool), "response": { "result": result },
                }});
                ("user", vec![part])
            }
        };
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.extend(parts),
            _ if parts.is_empty() => {}
            _ => turns.push((role, parts)),
        }
    }
    let turn = |(role, parts): (&str, Vec<Value>)| json!({ "role": role, "parts": parts });
    turns.into_iter().map(turn).collect()
}

fn part(call: &Call) -> Value {
    let mut part =
        json!({ "functionCall": { "name": outward(&call.tool), "args": call.fields() } });
    if let Some(signature) = call.id.strip_prefix(SIGNED) {
        part["thoughtSignature"] = signature.into();
    }
    part
}

/// Reads an answer chunk by chunk.
#[derive(Debug, Default)]
pub struct Chunks {
    calls: usize,
    thoughts: usize,
    is_whole: bool,
}

impl Reader for Chunks {
    fn read(&mut self, chunk: &Value) -> Result<Vec<Delta>, Trouble> {
        if let Some(error) = chunk.get("error") {
            return Err(Trouble::in_stream(error));
        }
        let mut deltas = Vec::new();
        let parts = chunk.pointer("/candidates/0/content/parts").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            // What it thinks to itself is not for anybody.
            if part["thought"] == true {
                self.thoughts += 1;
                continue;
            }
            if let Some(text) = part["text"].as_str().filter(|text| !text.is_empty()) {
                deltas.push(Delta::Text(text.to_owned()));
            }
            if let Some(call) = part.get("functionCall") {
                deltas.push(self.call(call, part["thoughtSignature"].as_str()));
            }
        }
        if let Some(usage) = chunk.get("usageMetadata") {
            deltas.push(Delta::Usage(read_usage(usage)));
        }
        let end = chunk.pointer("/candidates/0/finishReason").and_then(Value::as_str);
        let blocked = chunk.pointer("/promptFeedback/blockReason").map(|_| End::Withheld);
        let end = end.map(|reason| match reason {
            "STOP" if self.calls > 0 => End::Calls,
            "STOP" => End::Said,
            "MAX_TOKENS" => End::TooLong,
            _ => End::Withheld,
        });
        if let Some(end) = end.or(blocked) {
            self.is_whole = true;
            deltas.push(Delta::End(end));
        }
        Ok(deltas)
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Nothing in it says that.
    fn is_over(&self) -> bool {
        false
    }

    fn thoughts(&self) -> usize {
        self.thoughts
    }
}

impl Chunks {
    fn call(&mut self, call: &Value, signature: Option<&str>) -> Delta {
        let index = self.calls;
        self.calls += 1;
        let args = &call["args"];
        Delta::Call {
            index,
            id: Some(signature.map_or_else(
                || call["id"].as_str().map_or_else(|| format!("call_{index}"), str::to_owned),
                |signature| format!("{SIGNED}{signature}"),
            )),
            tool: call["name"].as_str().map(inward),
            args: if args.is_null() { String::new() } else { args.to_string() },
        }
    }
}

fn read_usage(usage: &Value) -> Usage {
    let number = |name: &str| usage[name].as_u64().unwrap_or(0);
    Usage {
        input: number("promptTokenCount"),
        cached: number("cachedContentTokenCount"),
        output: number("candidatesTokenCount") + number("thoughtsTokenCount"),
        ..Usage::default()
    }
}
