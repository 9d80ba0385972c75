//! Google's Gemini: what is sent, and how an answer reads. Pure.
//!
//! Its calls and its words may carry a signature that it wants back with them.

use serde_json::{Value, json};

use super::effort::{Effort, goes_by_tokens};
use super::manners::{Field, Manners};
use super::thoughts::MOST_KEPT;
use super::tongue::Reader;
use super::trouble::shortened;
use super::{
    Ask, Call, Delta, End, Kept, Message, Thoughts, ToolSpec, Trouble, Usage, inward, outward,
    words,
};

/// The signature of a call that somebody else made. Without one such a call is refused.
pub(super) const NOT_ITS_OWN: &str = "skip_thought_signature_validator";

/// How an answer ends that somebody did not let out.
const WITHHELD: [&str; 9] = [
    "SAFETY",
    "PROHIBITED_CONTENT",
    "BLOCKLIST",
    "SPII",
    "RECITATION",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "MODEL_ARMOR",
];

pub fn body(model: &str, ask: &Ask, manners: Manners) -> Value {
    let mut config = json!({ "maxOutputTokens": manners.most_tokens(model, ask) });
    if let Some(effort) = manners.effort(model, ask) {
        config["thinkingConfig"] = if goes_by_tokens(model) {
            json!({ "thinkingBudget": if effort == Effort::None { 0 } else { effort.room() / 2 } })
        } else {
            json!({ "thinkingLevel": effort.name() })
        };
    }
    if let Some(shape) = ask.shape.as_ref().filter(|_| manners.takes(Field::Shape)) {
        config["responseMimeType"] = "application/json".into();
        config["responseJsonSchema"] = shape.schema.clone();
    }
    json!({
        "systemInstruction": { "parts": [{ "text": ask.system }] },
        "contents": contents(&ask.messages, !goes_by_tokens(model)),
        "generationConfig": config,
    })
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

/// `is_checked`: a call without a signature is refused.
fn contents(messages: &[Message], is_checked: bool) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, parts) = match message {
            Message::Person(text) => {
                ("user", words(text).map(|text| json!({ "text": text })).into_iter().collect())
            }
            Message::Model { text, calls, thoughts } => {
                let mut parts: Vec<Value> =
                    words(text).map(|text| json!({ "text": text })).into_iter().collect();
                if let (Some(part), Some(signature)) =
                    (parts.first_mut(), signature(thoughts, OF_WORDS))
                {
                    part["thoughtSignature"] = signature.clone();
                }
                let calls = calls.iter().enumerate();
                parts.extend(calls.map(|(at, call)| part(call, at, thoughts, is_checked)));
                ("model", parts)
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

/// Of several calls at once only the first is signed.
fn part(call: &Call, at: usize, thoughts: &Thoughts, is_checked: bool) -> Value {
    let mut part =
        json!({ "functionCall": { "name": outward(&call.tool), "args": call.fields() } });
    let own = signature(thoughts, &at.to_string()).cloned();
    let is_foreign = is_checked && at == 0;
    if let Some(signature) = own.or_else(|| is_foreign.then(|| NOT_ITS_OWN.into())) {
        part["thoughtSignature"] = signature;
    }
    part
}

/// What stands in a kept signature where it is one of words, not of a call.
const OF_WORDS: &str = "words";

/// The last one for words, or the one for the call at this place.
fn signature<'a>(thoughts: &'a Thoughts, of: &str) -> Option<&'a Value> {
    thoughts.all().filter(|kept| kept["of"] == of).last().map(|kept| &kept["signature"])
}

fn kept(of: &str, part: &Value) -> Option<Delta> {
    let signature = part["thoughtSignature"].as_str().filter(|it| it.len() <= MOST_KEPT)?;
    Some(Delta::Kept(Kept(json!({ "of": of, "signature": signature }))))
}

/// Reads an answer chunk by chunk.
#[derive(Debug, Default)]
pub struct Chunks {
    calls: usize,
    thoughts: usize,
    id: Option<String>,
    is_whole: bool,
}

impl Reader for Chunks {
    fn read(&mut self, chunk: &Value) -> Result<Vec<Delta>, Trouble> {
        if let Some(error) = chunk.get("error") {
            return Err(Trouble::in_stream(error));
        }
        if self.id.is_none() {
            self.id = chunk["responseId"].as_str().map(str::to_owned);
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
                deltas.extend(kept(&self.calls.to_string(), part));
                deltas.push(self.call(call));
            } else {
                deltas.extend(kept(OF_WORDS, part));
            }
        }
        if let Some(usage) = chunk.get("usageMetadata") {
            deltas.push(Delta::Usage(read_usage(usage)));
        }
        let end = chunk.pointer("/candidates/0/finishReason").and_then(Value::as_str);
        let blocked = chunk.pointer("/promptFeedback/blockReason").map(|_| End::Withheld);
        let end = end.map(|reason| match reason {
            "STOP" if self.calls > 0 => Ok(End::Calls),
            "STOP" => Ok(End::Said),
            "MAX_TOKENS" => Ok(End::TooLong),
            reason if WITHHELD.contains(&reason) => Ok(End::Withheld),
            // A call that it got wrong, or whatever else it is: nobody forbade it.
            reason => Err(Trouble::Garbage(format!("it ended with {}", shortened(reason)))),
        });
        if let Some(end) = end.transpose()?.or(blocked) {
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

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

impl Chunks {
    fn call(&mut self, call: &Value) -> Delta {
        let index = self.calls;
        self.calls += 1;
        let args = &call["args"];
        Delta::Call {
            index,
            id: Some(call["id"].as_str().map_or_else(|| format!("call_{index}"), str::to_owned)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_somebody_forbade_was_withheld() {
        let ended = |reason: &str| {
            Chunks::default().read(&json!({ "candidates": [{ "finishReason": reason }] }))
        };
        for reason in WITHHELD {
            assert_eq!(ended(reason), Ok(vec![Delta::End(End::Withheld)]), "{reason}");
        }
        for reason in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER", "NEW_REASON"] {
            let trouble = ended(reason).unwrap_err();
            assert!(trouble.passes() && matches!(trouble, Trouble::Garbage(_)), "{reason}");
        }
    }
}
