//! OpenAI's Chat Completions: what is sent, and how an answer reads. Pure.

use serde_json::{Map, Value, json};

use super::gemini::NOT_ITS_OWN;
use super::manners::{Back, Field, Manners};
use super::thoughts::MOST_KEPT;
use super::tongue::Reader;
use super::{
    Ask, Call, Delta, End, Kept, Message, Thoughts, ToolSpec, Trouble, Usage, inward, outward,
    plain_id, words,
};

/// What is sent. Fields that only their author knows are sent to nobody else.
pub fn body(model: &str, ask: &Ask, manners: Manners) -> Value {
    let mut messages = vec![json!({ "role": "system", "content": ask.system })];
    messages.extend(ask.messages.iter().filter_map(|it| message(it, manners.back)));
    let mut body = json!({ "model": model, "messages": messages, "stream": true });
    if manners.takes(Field::Usage) {
        body["stream_options"] = json!({ "include_usage": true });
    }
    body[manners.limit.name()] = manners.most_tokens(model, ask).into();
    if let Some(effort) = manners.effort(model, ask) {
        body["reasoning_effort"] = effort.name().into();
    }
    if let Some(shape) = ask.shape.as_ref().filter(|_| manners.takes(Field::Shape)) {
        body["response_format"] = json!({ "type": "json_schema", "json_schema": {
            "name": shape.name, "schema": shape.schema, "strict": true,
        }});
    }
    if let Some(key) = ask.cache_key.as_ref().filter(|_| manners.at_home) {
        body["prompt_cache_key"] = key.as_str().into();
    }
    body
}

pub fn tool(tool: &ToolSpec) -> Value {
    json!({ "type": "function", "function": {
        "name": outward(&tool.name),
        "description": tool.description,
        "parameters": tool.schema,
    }})
}

/// Nothing, where nothing was said.
fn message(message: &Message, back: Back) -> Option<Value> {
    Some(match message {
        Message::Person(text) => json!({ "role": "user", "content": words(text)? }),
        Message::Model { text, calls, .. } if calls.is_empty() => {
            json!({ "role": "assistant", "content": words(text)? })
        }
        Message::Model { text, calls, thoughts } => {
            let text = words(text).unwrap_or_default();
            let calls: Vec<Value> = calls.iter().map(call).collect();
            let mut said = json!({ "role": "assistant", "content": text, "tool_calls": calls });
            think_back(&mut said, thoughts, back);
            said
        }
        Message::Brought { id, result, .. } => {
            json!({ "role": "tool", "tool_call_id": plain_id(id), "content": result })
        }
    })
}

/// What it thought before its calls, under the names under which that came.
fn think_back(said: &mut Value, thoughts: &Thoughts, back: Back) {
    if back == Back::Never {
        return;
    }
    let kept = thoughts.all().next();
    for name in THOUGHTS {
        if let Some(thought) = kept.and_then(|kept| kept.get(name)) {
            said[name] = thought.clone();
        }
    }
    let signatures = kept.and_then(|kept| kept["calls"].as_object()).into_iter().flatten();
    for (at, extra) in signatures {
        if let Some(call) = at.parse::<usize>().ok().and_then(|at| said["tool_calls"].get_mut(at)) {
            call["extra_content"] = extra.clone();
        }
    }
    if back == Back::AlsoEmpty && said.get(WORD_BY_WORD).is_none() {
        said[WORD_BY_WORD] = "".into();
    }
    if back == Back::AlsoSigned && said["tool_calls"][0].get("extra_content").is_none() {
        said["tool_calls"][0]["extra_content"] =
            json!({ "google": { "thought_signature": NOT_ITS_OWN } });
    }
}

/// What thoughts are called by those who want them back: `DeepSeek`, and `OpenRouter`.
const WORD_BY_WORD: &str = "reasoning_content";
const IN_DETAIL: &str = "reasoning_details";
const THOUGHTS: [&str; 2] = [WORD_BY_WORD, IN_DETAIL];

fn call(call: &Call) -> Value {
    json!({ "id": plain_id(&call.id), "type": "function", "function": {
        "name": outward(&call.tool), "arguments": call.args.to_string(),
    }})
}

/// Reads an answer chunk by chunk.
#[derive(Debug, Default)]
pub struct Chunks {
    /// The calls so far, in the order they began.
    calls: Vec<Opened>,
    thoughts: usize,
    /// What it thought, as it wants it back.
    thought: Thought,
    id: Option<String>,
    is_whole: bool,
    /// What it cost was told with the end, or after it.
    is_counted: bool,
}

/// What was thought so far, under the names under which it came.
#[derive(Debug, Default)]
struct Thought {
    words: String,
    details: Vec<Value>,
    /// What came with calls, by their place.
    calls: Map<String, Value>,
    length: usize,
}

impl Thought {
    fn take(&mut self, said: &Value) {
        if let Some(more) = said[WORD_BY_WORD].as_str() {
            self.length += more.len();
            if self.length <= MOST_KEPT {
                self.words.push_str(more);
            }
        }
        for detail in said[IN_DETAIL].as_array().into_iter().flatten() {
            self.length += detail.to_string().len();
            if self.length <= MOST_KEPT {
                self.detail(detail);
            }
        }
    }

    /// One thought comes in pieces with the same number.
    fn detail(&mut self, piece: &Value) {
        let is_same = |one: &Value| {
            one["type"] == piece["type"]
                && one["index"] == piece["index"]
                && !one["index"].is_null()
        };
        let Some(so_far) = self.details.last_mut().filter(|last| is_same(last)) else {
            self.details.push(piece.clone());
            return;
        };
        for (name, more) in piece.as_object().into_iter().flatten() {
            match (name.as_str(), &mut so_far[name], more) {
                ("text" | "summary" | "data", Value::String(text), Value::String(more)) => {
                    text.push_str(more);
                }
                (_, known, more) if known.is_null() => *known = more.clone(),
                _ => {}
            }
        }
    }

    /// All of it, unless it was too much: half would be refused.
    fn kept(&mut self) -> Option<Kept> {
        let Self { words, details, calls, length } = std::mem::take(self);
        let mut kept = Map::new();
        if !words.is_empty() {
            kept.insert(WORD_BY_WORD.to_owned(), words.into());
        }
        if !details.is_empty() {
            kept.insert(IN_DETAIL.to_owned(), details.into());
        }
        if !calls.is_empty() {
            kept.insert("calls".to_owned(), calls.into());
        }
        (!kept.is_empty() && length <= MOST_KEPT).then(|| Kept(kept.into()))
    }
}

/// A call that has begun, as far as its next piece has to be told from another call.
#[derive(Debug, Default)]
struct Opened {
    number: Option<u64>,
    id: String,
    tool: String,
    args: String,
}

impl Opened {
    /// Whether such a piece may belong to it. Not all count: some give every call the number
    /// 0, some give neither number nor id, and some repeat the name with every piece.
    fn goes_on(&self, id: &str, tool: &str, args: &str) -> bool {
        if !id.is_empty() && !self.id.is_empty() {
            return id == self.id;
        }
        let begins_again = !self.args.is_empty() && !args.is_empty() && is_object(&self.args);
        tool.is_empty() || self.tool.is_empty() || tool == self.tool && !begins_again
    }
}

/// What is said in parts: thoughts and words, each with its kind, as Mistral's models that
/// reason say it.
fn parts(told: &Value) -> impl Iterator<Item = &Value> {
    told.as_array().into_iter().flatten()
}

fn is_object(args: &str) -> bool {
    args.trim_end().ends_with('}') && serde_json::from_str::<Map<String, Value>>(args).is_ok()
}

impl Reader for Chunks {
    fn read(&mut self, chunk: &Value) -> Result<Vec<Delta>, Trouble> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(Trouble::in_stream(error));
        }
        if self.id.is_none() {
            self.id = chunk["id"].as_str().filter(|id| !id.is_empty()).map(str::to_owned);
        }
        let mut deltas = Vec::new();
        let usage = chunk.get("usage").filter(|usage| usage.is_object());
        deltas.extend(usage.map(|usage| Delta::Usage(read_usage(usage))));
        let Some(choice) = chunk.pointer("/choices/0") else {
            self.is_counted |= self.is_whole && usage.is_some();
            return Ok(deltas);
        };
        // Who does not stream says the whole at once.
        let said = choice.get("delta").or_else(|| choice.get("message"));
        self.thought.take(said.unwrap_or(&Value::Null));
        for field in ["reasoning", WORD_BY_WORD] {
            let thought = said.and_then(|said| said[field].as_str());
            self.thoughts += usize::from(thought.is_some_and(|thought| !thought.is_empty()));
        }
        for field in ["content", "refusal"] {
            let told = said.map_or(&Value::Null, |said| &said[field]);
            let of = |kind: &'static str| parts(told).filter(move |part| part["type"] == kind);
            self.thoughts += of("thinking").count();
            let texts = told.as_str().into_iter();
            let texts = texts.chain(of("text").filter_map(|part| part["text"].as_str()));
            let texts = texts.filter(|text| !text.is_empty());
            deltas.extend(texts.map(|text| Delta::Text(text.to_owned())));
        }
        let calls = said.and_then(|said| said["tool_calls"].as_array());
        for call in calls.into_iter().flatten() {
            deltas.push(self.call(call));
        }
        let end = choice["finish_reason"].as_str().filter(|end| !end.is_empty());
        if let Some(end) = end {
            self.is_whole = true;
            deltas.extend(self.thought.kept().map(Delta::Kept));
            deltas.push(Delta::End(match end {
                "tool_calls" | "function_call" => End::Calls,
                "length" => End::TooLong,
                "content_filter" => End::Withheld,
                _ => End::Said,
            }));
        }
        self.is_counted |= self.is_whole && usage.is_some();
        Ok(deltas)
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn is_over(&self) -> bool {
        self.is_whole && self.is_counted
    }

    fn thoughts(&self) -> usize {
        self.thoughts
    }

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

impl Chunks {
    fn call(&mut self, call: &Value) -> Delta {
        let function = &call["function"];
        let number = call["index"].as_u64();
        let id = call["id"].as_str().unwrap_or_default();
        let tool = function["name"].as_str().unwrap_or_default();
        let args = match &function["arguments"] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            // Some send the object itself.
            other => other.to_string(),
        };
        let index = self.opened(number, id, tool, &args);
        if let Some(extra) = call.get("extra_content").filter(|extra| extra.is_object()) {
            self.thought.length += extra.to_string().len();
            self.thought.calls.insert(index.to_string(), extra.clone());
        }
        let opened = &mut self.calls[index];
        for (known, news) in [(&mut opened.id, id), (&mut opened.tool, tool)] {
            if !news.is_empty() {
                news.clone_into(known);
            }
        }
        opened.args.push_str(&args);
        let told = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Delta::Call { index, id: told(id), tool: told(tool).map(|tool| inward(&tool)), args }
    }

    /// Which call a piece belongs to: one that is open under its number or its id, the last
    /// one where it has neither, or a new one.
    fn opened(&mut self, number: Option<u64>, id: &str, tool: &str, args: &str) -> usize {
        let same_id = |call: &Opened| call.number == number && !id.is_empty() && call.id == id;
        let same_number = |call: &Opened| number.is_none() || call.number == number;
        let open = self.calls.iter().rposition(same_id);
        let open = open.or_else(|| self.calls.iter().rposition(same_number));
        if let Some(at) = open.filter(|at| self.calls[*at].goes_on(id, tool, args)) {
            return at;
        }
        self.calls.push(Opened { number, ..Opened::default() });
        self.calls.len() - 1
    }
}

fn read_usage(usage: &Value) -> Usage {
    let number = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input: number("/prompt_tokens"),
        cached: number("/prompt_tokens_details/cached_tokens"),
        output: number("/completion_tokens"),
        cost_micros: usage["cost"].as_f64().and_then(super::cost::micros),
        ..Usage::default()
    }
}

#[cfg(test)]
#[path = "chat_tests.rs"]
mod tests;
