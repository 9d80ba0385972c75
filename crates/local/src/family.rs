//! How a model is talked to: by the marks it was trained with, which its file names in the
//! chat template. Pure.
//!
//! A template is a program, and somebody else's; it is not run. It tells which family the
//! model is of, and each family is spelled here. Everything that people, mails and tools say
//! goes in as plain text: none of it can become a mark.

mod chatml;
mod function_gemma;
mod gemma;
mod headed;
mod spelled;

use models::provider::{Call, Message};
use serde_json::Value;

use crate::argument::Argument;
use crate::gguf::Head;
use crate::tokenizer::Piece;
use crate::trouble::BadFile;

pub use self::spelled::spelled;

/// A way to talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `<|im_start|>`: `SmolLM2`, Qwen.
    ChatMl { tools: bool, thinks: bool },
    /// `<start_of_turn>`.
    Gemma,
    /// The same, with tools in a notation of its own.
    FunctionGemma,
    /// `<|start_header_id|>`: Llama 3.
    Headed,
}

/// What is put to a model.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    pub system: &'a str,
    pub messages: &'a [Message],
    pub tools: &'a [Tool],
}

/// A tool as a small model is told of it; its name has no dots.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    pub name: String,
    pub about: String,
    pub takes: Argument,
}

/// How a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `<tool_call>{"name": …, "arguments": {…}}</tool_call>`.
    Json,
    /// `<start_function_call>call:name{key:<escape>value<escape>}<end_function_call>`.
    Escaped,
}

impl Notation {
    /// What stands before and after a call.
    pub fn marks(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("<tool_call>", "</tool_call>"),
            Self::Escaped => (function_gemma::CALL, function_gemma::CALL_END),
        }
    }
}

impl Family {
    pub fn of(head: &Head) -> Result<Self, BadFile> {
        let template = head.text("tokenizer.chat_template").ok_or(BadFile::NoTemplate)?;
        let has = |mark: &str| template.contains(mark);
        Ok(if has("<start_function_call>") || has("<start_function_declaration>") {
            Self::FunctionGemma
        } else if has("<|im_start|>") {
            Self::ChatMl { tools: has("<tool_call>"), thinks: has("<think>") }
        } else if has("<start_of_turn>") {
            Self::Gemma
        } else if has("<|start_header_id|>") {
            Self::Headed
        } else {
            return Err(BadFile::NoTemplate);
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::ChatMl { .. } => "ChatML",
            Self::Gemma => "Gemma",
            Self::FunctionGemma => "FunctionGemma",
            Self::Headed => "Llama 3",
        }
    }

    /// Whether it was trained to call tools.
    pub fn knows_tools(self) -> bool {
        match self {
            Self::ChatMl { tools, .. } => tools,
            Self::FunctionGemma => true,
            Self::Gemma | Self::Headed => false,
        }
    }

    pub fn notation(self) -> Notation {
        match self {
            Self::FunctionGemma => Notation::Escaped,
            Self::ChatMl { .. } | Self::Gemma | Self::Headed => Notation::Json,
        }
    }

    /// What ends an answer, besides what the vocabulary says.
    pub fn ends(self) -> &'static [&'static str] {
        match self {
            Self::ChatMl { .. } => &["<|im_end|>", "<|endoftext|>"],
            Self::Gemma => &["<end_of_turn>", "<eos>"],
            Self::FunctionGemma => &["<end_of_turn>", "<eos>", "<start_function_response>"],
            Self::Headed => &["<|eot_id|>", "<|eom_id|>", "<|end_of_text|>"],
        }
    }

    /// Everything up to where the model goes on.
    pub fn prompt(self, told: Told<'_>) -> Vec<Piece> {
        let mut prompt = Prompt::default();
        match self {
            Self::ChatMl { thinks, .. } => chatml::write(&mut prompt, told, thinks),
            Self::Gemma => gemma::write(&mut prompt, told),
            Self::FunctionGemma => function_gemma::write(&mut prompt, told),
            Self::Headed => headed::write(&mut prompt, told),
        }
        prompt.0
    }

    /// What stands between the marks of a call, as a tool and what it is given.
    pub fn call_in(self, written: &[Piece]) -> Option<(String, Value)> {
        match self.notation() {
            Notation::Json => json_call(written),
            Notation::Escaped => function_gemma::call_in(written),
        }
    }
}

/// A prompt as it is written.
#[derive(Default)]
struct Prompt(Vec<Piece>);

impl Prompt {
    fn mark(&mut self, mark: &'static str) -> &mut Self {
        self.0.push(Piece::Mark(mark));
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        match self.0.last_mut() {
            Some(Piece::Text(before)) => before.push_str(text),
            _ => self.0.push(Piece::Text(text.to_owned())),
        }
        self
    }
}

fn json_call(written: &[Piece]) -> Option<(String, Value)> {
    let text: String = written
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Mark(_) => "",
        })
        .collect();
    let call: Value = serde_json::from_str(text.trim()).ok()?;
    let name = call["name"].as_str()?.to_owned();
    let args = call.get("arguments").or_else(|| call.get("parameters"));
    Some((name, args.cloned().unwrap_or_else(|| serde_json::json!({}))))
}

/// The system's words, with the tools in JSON where there are any: the way of Qwen, which
/// others are asked to follow.
fn with_tools(told: Told<'_>) -> String {
    if told.tools.is_empty() {
        return told.system.to_owned();
    }
    let tool = |tool: &Tool| {
        spelled(&serde_json::json!({
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.about,
                "parameters": tool.takes.schema(),
            },
        }))
    };
    let tools: Vec<_> = told.tools.iter().map(tool).collect();
    format!(
        "{}\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\n\
         You are provided with function signatures within <tools></tools> XML tags:\n<tools>\n{}\n\
         </tools>\n\nFor each function call, return a json object with function name and arguments \
         within <tool_call></tool_call> XML tags:\n<tool_call>\n{{\"name\": <function-name>, \
         \"arguments\": <args-json-object>}}\n</tool_call>",
        told.system,
        tools.join("\n")
    )
}

/// A call as it was written, in JSON.
fn written_call(prompt: &mut Prompt, call: &Call) {
    let written = serde_json::json!({ "name": outward(&call.tool), "arguments": call.args });
    prompt.mark("<tool_call>").text(&format!("\n{}\n", spelled(&written))).mark("</tool_call>");
}

/// Names have no dots there.
pub fn outward(tool: &str) -> String {
    tool.replace('.', "__")
}

/// And back.
pub fn inward(tool: &str) -> String {
    tool.replace("__", ".")
}

#[cfg(test)]
#[path = "family_tests.rs"]
mod tests;
