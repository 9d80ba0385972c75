//! OpenAI's Responses: what is sent, and how an answer reads. Pure.

use serde_json::{Value, json};

use super::manners::{Field, Manners};
use super::thoughts::MOST_KEPT;
use super::tongue::Reader;
use super::{
    Ask, Delta, Effort, End, Kept, Message, ToolSpec, Trouble, Usage, inward, outward, plain_id,
    words,
};

pub fn body(model: &str, ask: &Ask, manners: Manners) -> Value {
    let mut body = json!({
        "model": model,
        "instructions": ask.system,
        "input": ask.messages.iter().flat_map(items).collect::<Vec<_>>(),
        "max_output_tokens": manners.most_tokens(model, ask),
        "stream": true,
        // What people say stays nowhere longer than it has to.
        "store": false,
    });
    let effort = manners.effort(model, ask);
    if let Some(effort) = effort {
        body["reasoning"] = json!({ "effort": effort.name() });
    }
    // What is kept nowhere has to be brought along: what it thought, sealed.
    if effort != Some(Effort::None) && manners.takes(Field::Sealed) {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    if let Some(shape) = ask.shape.as_ref().filter(|_| manners.takes(Field::Shape)) {
        body["text"] = json!({ "format": {
            "type": "json_schema", "name": shape.name, "schema": shape.schema, "strict": true,
        }});
    }
    if let Some(key) = &ask.cache_key {
        body["prompt_cache_key"] = key.as_str().into();
    }
    body
}

pub fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": outward(&tool.name),
        "description": tool.description,
        "parameters": tool.schema,
        "strict": false,
    })
}

fn items(message: &Message) -> Vec<Value> {
    let said = |role: &str, kind: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] });
    match message {
        Message::Person(text) => {
            words(text).map(|text| said("user", "input_text", text)).into_iter().collect()
        }
        Message::Model { text, calls, thoughts } => {
            // A thought belongs to what comes behind it.
            let is_said = words(text).is_some() || !calls.is_empty();
            let mut items: Vec<Value> = thoughts.at(0).filter(|_| is_said).cloned().collect();
            items.extend(words(text).map(|text| said("assistant", "output_text", text)));
            for (at, call) in calls.iter().enumerate() {
                items.extend(thoughts.at(at).filter(|_| at > 0).cloned());
                items.push(json!({
                    "type": "function_call",
                    "call_id": plain_id(&call.id),
                    "name": outward(&call.tool),
                    "arguments": call.args.to_string(),
                }));
            }
            items
        }
        Message::Brought { id, result, .. } => {
            vec![
                json!({ "type": "function_call_output", "call_id": plain_id(id), "output": result }),
            ]
        }
    }
}

/// Reads an answer event by event.
#[derive(Debug, Default)]
pub struct Events {
    has_calls: bool,
    thoughts: usize,
    id: Option<String>,
    is_whole: bool,
}

impl Reader for Events {
    fn read(&mut self, event: &Value) -> Result<Vec<Delta>, Trouble> {
        let index = || event["output_index"].as_u64().and_then(|at| usize::try_from(at).ok());
        Ok(match event["type"].as_str().unwrap_or_default() {
            "response.output_text.delta" | "response.refusal.delta" => {
                let text = event["delta"].as_str().unwrap_or_default();
                vec![Delta::Text(text.to_owned())]
            }
            "response.output_item.added" if event["item"]["type"] == "function_call" => {
                self.has_calls = true;
                let item = &event["item"];
                vec![Delta::Call {
                    index: index().unwrap_or(0),
                    id: item["call_id"].as_str().map(str::to_owned),
                    tool: item["name"].as_str().map(inward),
                    args: item["arguments"].as_str().unwrap_or_default().to_owned(),
                }]
            }
            "response.created" => {
                self.id = event["response"]["id"].as_str().map(str::to_owned);
                Vec::new()
            }
            "response.output_item.added" if event["item"]["type"] == "reasoning" => {
                self.thoughts += 1;
                Vec::new()
            }
            "response.output_item.done" if event["item"]["type"] == "reasoning" => {
                self.thoughts += 1;
                sealed(&event["item"]).map(Delta::Kept).into_iter().collect()
            }
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
                self.thoughts += 1;
                Vec::new()
            }
            "response.function_call_arguments.delta" => vec![Delta::Call {
                index: index().unwrap_or(0),
                id: None,
                tool: None,
                args: event["delta"].as_str().unwrap_or_default().to_owned(),
            }],
            "response.completed" | "response.incomplete" => {
                self.is_whole = true;
                let response = &event["response"];
                let usage = Delta::Usage(read_usage(&response["usage"]));
                vec![usage, Delta::End(self.end(response))]
            }
            "response.failed" => return Err(Trouble::in_stream(&event["response"]["error"])),
            "error" => {
                let error = event.get("error").filter(|error| error.is_object());
                return Err(Trouble::in_stream(error.unwrap_or(event)));
            }
            _ => Vec::new(),
        })
    }

    /// As if it had come item by item.
    fn read_whole(&mut self, answer: &Value) -> Result<Vec<Delta>, Trouble> {
        let (Some(items), Some(status)) = (answer["output"].as_array(), answer["status"].as_str())
        else {
            return Ok(Vec::new());
        };
        let mut deltas = Vec::new();
        for (index, item) in items.iter().enumerate() {
            for part in item["content"].as_array().into_iter().flatten() {
                let text = part["text"].as_str().or_else(|| part["refusal"].as_str());
                let is_said = item["type"] == "message";
                deltas.extend(text.filter(|_| is_said).map(|text| Delta::Text(text.to_owned())));
            }
            for name in ["added", "done"] {
                let event = json!({ "type": format!("response.output_item.{name}"),
                    "output_index": index, "item": item });
                deltas.extend(self.read(&event)?);
            }
        }
        self.id = answer["id"].as_str().map(str::to_owned);
        let over = json!({ "type": format!("response.{status}"), "response": answer });
        deltas.extend(self.read(&over)?);
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

/// A thought that can be given back. One that is not sealed would be looked for where nothing
/// is kept; its id names nothing there.
fn sealed(item: &Value) -> Option<Kept> {
    let sealed = item["encrypted_content"].as_str()?;
    let summary = item.get("summary").filter(|it| it.is_array()).cloned();
    (sealed.len() <= MOST_KEPT).then(|| {
        Kept(json!({
            "type": "reasoning",
            "summary": summary.unwrap_or_else(|| json!([])),
            "encrypted_content": sealed,
        }))
    })
}

impl Events {
    fn end(&self, response: &Value) -> End {
        match response.pointer("/incomplete_details/reason").and_then(Value::as_str) {
            Some("content_filter") => End::Withheld,
            Some(_) => End::TooLong,
            None if self.has_calls => End::Calls,
            None => End::Said,
        }
    }
}

fn read_usage(usage: &Value) -> Usage {
    let number = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input: number("/input_tokens"),
        cached: number("/input_tokens_details/cached_tokens"),
        output: number("/output_tokens"),
        ..Usage::default()
    }
}
