//! `FunctionGemma`'s own notation: tools are declared, called and answered with marks of their
//! own, and every text stands between two `<escape>`.
//!
//! As Google's "`FunctionGemma` formatting and best practices" has it: names are sorted, kinds
//! are spelled large, and a call, what it brought and the answer to it are one turn.

use models::provider::{Call, Message};
use serde_json::{Map, Value};

use super::gemma::{END, START};
use super::{Prompt, Told, Tool, outward};
use crate::argument::{Argument, Field};
use crate::tokenizer::Piece;

pub const CALL: &str = "<start_function_call>";
pub const CALL_END: &str = "<end_function_call>";
pub const ESCAPE: &str = "<escape>";
const DECLARATION: &str = "<start_function_declaration>";
const DECLARATION_END: &str = "<end_function_declaration>";
const RESPONSE: &str = "<start_function_response>";
const RESPONSE_END: &str = "<end_function_response>";
/// These words switch its tools on.
const ACTIVATES: &str = "You are a model that can do function calling with the following functions";
/// Nothing that a model writes is nested deeper.
const DEEPEST: usize = 8;

pub fn write(prompt: &mut Prompt, told: Told<'_>) {
    prompt.mark(START).text("developer\n");
    // It was trained with nothing else there: more words would only lead it astray.
    prompt.text(if told.tools.is_empty() { told.system } else { ACTIVATES });
    told.tools.iter().for_each(|tool| declaration(prompt, tool));
    prompt.mark(END).text("\n");
    let mut is_open = false;
    for message in told.messages {
        match message {
            Message::Person(text) => {
                if std::mem::take(&mut is_open) {
                    prompt.mark(END).text("\n");
                }
                prompt.mark(START).text("user\n").text(text).mark(END).text("\n");
            }
            Message::Model { text, calls, .. } => {
                if !std::mem::replace(&mut is_open, true) {
                    prompt.mark(START).text("model\n");
                }
                prompt.text(text);
                for call in calls {
                    called(prompt, call);
                }
                if calls.is_empty() {
                    prompt.mark(END).text("\n");
                    is_open = false;
                }
            }
            Message::Brought { tool, result, .. } => brought(prompt, tool, result),
        }
    }
    if !is_open {
        prompt.mark(START).text("model\n");
    }
}

fn declaration(prompt: &mut Prompt, tool: &Tool) {
    prompt.mark(DECLARATION).text(&format!("declaration:{}{{description:", tool.name));
    escaped(prompt, &tool.about);
    prompt.text(",parameters:{");
    if let Argument::Fields(fields) = &tool.takes {
        declared(prompt, fields);
    }
    prompt.text("type:");
    escaped(prompt, "OBJECT");
    prompt.text("}}").mark(DECLARATION_END);
}

/// `properties:{…},required:[…],`
fn declared(prompt: &mut Prompt, fields: &[Field]) {
    if fields.is_empty() {
        return;
    }
    prompt.text("properties:{");
    for (at, field) in fields.iter().enumerate() {
        prompt.text(if at > 0 { "," } else { "" }).text(&field.name).text(":{description:");
        escaped(prompt, &field.about);
        prompt.text(",");
        inside(prompt, &field.argument);
        prompt.text("}");
    }
    prompt.text("},");
    let needed: Vec<_> = fields.iter().filter(|field| field.is_needed).collect();
    if !needed.is_empty() {
        prompt.text("required:[");
        for (at, field) in needed.into_iter().enumerate() {
            prompt.text(if at > 0 { "," } else { "" });
            escaped(prompt, &field.name);
        }
        prompt.text("],");
    }
}

/// What kind of thing it is, and what it is made of.
fn inside(prompt: &mut Prompt, argument: &Argument) {
    let kind = match argument {
        Argument::Text { choices, .. } => {
            if !choices.is_empty() {
                prompt.text("enum:[");
                for (at, choice) in choices.iter().enumerate() {
                    prompt.text(if at > 0 { "," } else { "" });
                    escaped(prompt, choice);
                }
                prompt.text("],");
            }
            "STRING"
        }
        Argument::Whole { .. } => "INTEGER",
        Argument::Real => "NUMBER",
        Argument::Yes => "BOOLEAN",
        Argument::List(item) => {
            prompt.text("items:{");
            inside(prompt, item);
            prompt.text("},");
            "ARRAY"
        }
        Argument::Fields(fields) => {
            declared(prompt, fields);
            "OBJECT"
        }
    };
    prompt.text("type:");
    escaped(prompt, kind);
}

fn called(prompt: &mut Prompt, call: &Call) {
    prompt.mark(CALL).text(&format!("call:{}", outward(&call.tool)));
    match &call.args {
        Value::Object(_) => value(prompt, &call.args),
        _ => drop(prompt.text("{}")),
    }
    prompt.mark(CALL_END);
}

fn brought(prompt: &mut Prompt, tool: &str, result: &str) {
    prompt.mark(RESPONSE).text(&format!("response:{}", outward(tool)));
    match serde_json::from_str::<Value>(result) {
        Ok(fields @ Value::Object(_)) => value(prompt, &fields),
        Ok(other) => {
            prompt.text("{value:");
            value(prompt, &other);
            prompt.text("}");
        }
        // It was cut short, so it is told as it is.
        Err(_) => {
            prompt.text("{value:");
            escaped(prompt, result);
            prompt.text("}");
        }
    }
    prompt.mark(RESPONSE_END);
}

fn value(prompt: &mut Prompt, told: &Value) {
    match told {
        Value::String(text) => escaped(prompt, text),
        Value::Array(items) => {
            prompt.text("[");
            for (at, item) in items.iter().enumerate() {
                prompt.text(if at > 0 { "," } else { "" });
                value(prompt, item);
            }
            prompt.text("]");
        }
        Value::Object(fields) => {
            let mut names: Vec<_> = fields.keys().collect();
            names.sort();
            prompt.text("{");
            for (at, name) in names.into_iter().enumerate() {
                prompt.text(if at > 0 { "," } else { "" }).text(name).text(":");
                value(prompt, &fields[name]);
            }
            prompt.text("}");
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => drop(prompt.text(&told.to_string())),
    }
}

fn escaped(prompt: &mut Prompt, text: &str) {
    prompt.mark(ESCAPE).text(text).mark(ESCAPE);
}

/// `call:name{…}`, with its marks taken off.
pub fn call_in(written: &[Piece]) -> Option<(String, Value)> {
    let mut reader = Reader { pieces: written, at: 0 };
    reader.word("call:")?;
    let name = reader.up_to('{')?;
    let args = reader.value(0)?;
    reader.is_over().then(|| (name.trim().to_owned(), args))
}

/// Reads along what was written.
struct Reader<'a> {
    pieces: &'a [Piece],
    /// How much of the first piece was read.
    at: usize,
}

impl Reader<'_> {
    /// What is left of the text at hand; nothing where a mark is.
    fn text(&mut self) -> &str {
        while let Some(Piece::Text(text)) = self.pieces.first() {
            if self.at < text.len() {
                return &text[self.at..];
            }
            (self.pieces, self.at) = (&self.pieces[1..], 0);
        }
        ""
    }

    fn is_over(&mut self) -> bool {
        self.text().trim().is_empty() && self.pieces.len() <= 1 && !self.is_escape()
    }

    fn is_escape(&self) -> bool {
        self.pieces.first() == Some(&Piece::Mark(ESCAPE))
    }

    fn spaces(&mut self) {
        let text = self.text();
        self.at += text.len() - text.trim_start().len();
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.spaces();
        self.text().starts_with(word).then(|| self.at += word.len())
    }

    /// What comes before a sign that is not taken.
    fn up_to(&mut self, sign: char) -> Option<String> {
        let text = self.text();
        let found = text[..text.find(sign)?].to_owned();
        self.at += found.len();
        Some(found)
    }

    fn escape(&mut self) -> Option<()> {
        self.text();
        self.is_escape().then(|| (self.pieces, self.at) = (&self.pieces[1..], 0))
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.spaces();
        if self.escape().is_some() {
            let text = self.text().to_owned();
            self.at += text.len();
            self.escape()?;
            return Some(Value::String(text));
        }
        if self.word("{").is_some() {
            let mut fields = Map::new();
            while self.word("}").is_none() {
                if !fields.is_empty() {
                    self.word(",")?;
                    self.spaces();
                }
                let name = self.up_to(':')?.trim().to_owned();
                self.word(":")?;
                fields.insert(name, self.value(depth + 1)?);
            }
            return Some(Value::Object(fields));
        }
        if self.word("[").is_some() {
            let mut items = Vec::new();
            while self.word("]").is_none() {
                if !items.is_empty() {
                    self.word(",")?;
                }
                items.push(self.value(depth + 1)?);
            }
            return Some(Value::Array(items));
        }
        let text = self.text();
        let bare = text.split([',', '}', ']']).next().unwrap_or_default().to_owned();
        self.at += bare.len();
        let bare = bare.trim();
        // A text that somebody forgot to escape is still a text.
        (!bare.is_empty())
            .then(|| serde_json::from_str(bare).unwrap_or_else(|_| Value::String(bare.to_owned())))
    }
}
