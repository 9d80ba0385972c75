//! What their authors refuse. Whoever is more lenient than they are lets a mistake pass.

use std::collections::BTreeSet;

use models::provider::Tongue;
use serde_json::{Value, json};

use super::spelled::{SEAL, SIGNATURE};

/// What the author of this protocol would say to such a request; nothing, where it is taken.
pub(super) fn refusal(tongue: Tongue, body: &Value) -> Option<Value> {
    let checked = match tongue {
        Tongue::Chat => chat(body),
        Tongue::Responses => responses(body),
        Tongue::Anthropic => anthropic(body),
        Tongue::Gemini => gemini(body),
    };
    let message = checked.err()?;
    Some(match tongue {
        Tongue::Anthropic => json!({ "type": "error", "error": {
            "type": "invalid_request_error", "message": message } }),
        Tongue::Gemini => json!({ "error": {
            "code": 400, "message": message, "status": "INVALID_ARGUMENT" } }),
        Tongue::Chat | Tongue::Responses => json!({ "error": {
            "message": message, "type": "invalid_request_error", "code": null } }),
    })
}

type Checked = Result<(), String>;

fn refuse(message: impl Into<String>) -> Checked {
    Err(message.into())
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Nothing is sent that nobody knows.
fn known(body: &Value, names: &[&str], unknown: &str) -> Checked {
    let fields = body.as_object().into_iter().flatten().map(|(name, _)| name);
    match fields.filter(|name| !names.contains(&name.as_str())).min() {
        Some(name) => refuse(format!("{unknown}{name}")),
        None => Ok(()),
    }
}

fn chat(body: &Value) -> Checked {
    let names = [
        "model",
        "messages",
        "stream",
        "stream_options",
        "max_tokens",
        "max_completion_tokens",
        "response_format",
        "prompt_cache_key",
        "tools",
        "tool_choice",
        "reasoning_effort",
    ];
    known(body, &names, "Unrecognized request argument supplied: ")?;
    let mut open = BTreeSet::new();
    for message in list(body, "messages") {
        let calls = list(message, "tool_calls");
        if message["role"] == "tool" {
            if !open.remove(word(message, "tool_call_id")) {
                return refuse("messages with role 'tool' must be a response to 'tool_calls'");
            }
            continue;
        }
        if !open.is_empty() {
            return refuse("'tool_calls' must be followed by tool messages for each of them");
        }
        if calls.is_empty() && word(message, "content").is_empty() {
            return refuse("a message has no content");
        }
        for call in calls {
            if word(call, "id").len() > 40 || !open.insert(word(call, "id")) {
                return refuse("ids of calls are short, and no two are the same");
            }
        }
    }
    Ok(())
}

fn responses(body: &Value) -> Checked {
    let names = [
        "model",
        "instructions",
        "input",
        "max_output_tokens",
        "stream",
        "store",
        "text",
        "prompt_cache_key",
        "tools",
        "tool_choice",
        "include",
        "reasoning",
    ];
    known(body, &names, "Unknown parameter: ")?;
    if body["max_output_tokens"].as_u64().is_some_and(|most| most < 16) {
        return refuse("Invalid 'max_output_tokens': integer below minimum value");
    }
    let mut open = BTreeSet::new();
    let mut after_a_thought = false;
    for item in list(body, "input") {
        let was_thought = std::mem::take(&mut after_a_thought);
        match word(item, "type") {
            "reasoning" if body["store"] == false && item["encrypted_content"] != SEAL => {
                return refuse("Item 'rs_1' not found. Items are not persisted");
            }
            "reasoning" => after_a_thought = true,
            "function_call" => {
                open.insert(word(item, "call_id"));
            }
            "function_call_output" if was_thought => {
                return refuse("Item of type 'reasoning' was provided without its following item");
            }
            "function_call_output" if !open.remove(word(item, "call_id")) => {
                return refuse("No tool call found for function call output");
            }
            _ => {}
        }
    }
    if after_a_thought {
        return refuse("Item of type 'reasoning' was provided without its following item");
    }
    if let Some(call) = open.first() {
        return refuse(format!("No tool output found for function call {call}."));
    }
    Ok(())
}

fn anthropic(body: &Value) -> Checked {
    let names = [
        "model",
        "max_tokens",
        "system",
        "messages",
        "stream",
        "tools",
        "tool_choice",
        "output_config",
        "thinking",
    ];
    known(body, &names, "Extra inputs are not permitted: ")?;
    if body.to_string().matches("\"cache_control\"").count() > 4 {
        return refuse("A maximum of 4 blocks with cache_control may be provided.");
    }
    let messages = list(body, "messages");
    let (mut last, mut open) = ("assistant", BTreeSet::new());
    for (at, message) in messages.iter().enumerate() {
        if word(message, "role") == last {
            return refuse(format!("messages.{at}: roles must alternate, and the user begins"));
        }
        last = word(message, "role");
        open = blocks(at, message, open)?;
    }
    if last == "assistant" {
        return refuse("This model does not support assistant message prefill.");
    }
    Ok(())
}

/// Those who are called for, after what was brought for those before.
fn blocks<'a>(
    at: usize,
    message: &'a Value,
    mut open: BTreeSet<&'a str>,
) -> Result<BTreeSet<&'a str>, String> {
    let mut calls = BTreeSet::new();
    if message["content"].is_string() {
        return Ok(calls);
    }
    if list(message, "content").is_empty() {
        return Err(format!("messages.{at}: all messages must have non-empty content"));
    }
    for block in list(message, "content") {
        match word(block, "type") {
            "text" if word(block, "text").trim().is_empty() => {
                let what = "text content blocks must contain non-whitespace text";
                return Err(format!("messages.{at}: {what}"));
            }
            "tool_result" if !open.remove(word(block, "tool_use_id")) => {
                return Err(format!("messages.{at}: unexpected `tool_use_id`"));
            }
            "tool_use" if !block["input"].is_object() => {
                return Err("tool_use.input: Input should be a valid dictionary".to_owned());
            }
            "tool_use" => {
                calls.insert(word(block, "id"));
            }
            "thinking" if block["signature"] != SIGNATURE => {
                return Err(format!("messages.{at}: Invalid `signature` in `thinking` block."));
            }
            _ => {}
        }
    }
    match open.first() {
        Some(id) => Err(format!("messages.{at}: `tool_use` without `tool_result`: {id}")),
        None => Ok(calls),
    }
}

/// The signature of a call that was somebody else's.
const SKIPPED: &str = "skip_thought_signature_validator";

fn gemini(body: &Value) -> Checked {
    let names =
        ["contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "model"];
    known(body, &names, "Invalid JSON payload received. Unknown name: ")?;
    let mut open = 0;
    for (at, turn) in list(body, "contents").iter().enumerate() {
        let parts = list(turn, "parts");
        if parts.is_empty() {
            return refuse("contents.parts must not be empty.");
        }
        if at == 0 && turn["role"] != "user" {
            return refuse("Please ensure that multiturn requests start with a user turn");
        }
        if parts.iter().any(|part| part["text"] == "") {
            return refuse("Unable to submit request because it must have a text parameter");
        }
        let brought = parts.iter().filter(|part| part.get("functionResponse").is_some()).count();
        if brought != open {
            return refuse("the number of function response parts is not equal to the calls");
        }
        let calls: Vec<_> = parts.iter().filter(|it| it.get("functionCall").is_some()).collect();
        for call in &calls {
            if call.pointer("/functionCall/args").is_some_and(|args| !args.is_object()) {
                return refuse("functionCall.args: Input should be a valid dictionary");
            }
            let signature = call["thoughtSignature"].as_str();
            if signature.is_some_and(|it| it != SIGNATURE && it != SKIPPED) {
                return refuse("Thought signature is not valid.");
            }
        }
        if calls.first().is_some_and(|call| call.get("thoughtSignature").is_none()) {
            return refuse("Function call is missing a thought_signature in functionCall parts.");
        }
        open = calls.len();
    }
    Ok(())
}
