//! What a model may write: a call of one of the tools with what it takes, and nothing else.
//! Pure; the text is a grammar in the Lark notation of `llguidance`, which holds the model to it.

use std::fmt::Write as _;

use serde_json::Value;

use crate::argument::{Argument, Field};
use crate::family::{Notation, Tool};

/// So many things a list may have.
const MOST_ITEMS: usize = 10;

/// What stands between the marks of a call.
pub fn inside(notation: Notation, tools: &[Tool]) -> String {
    match notation {
        Notation::Json => {
            let mut rules = String::from("start: \"\\n\" body \"\\n\"\n");
            bodies(&mut rules, tools);
            rules
        }
        Notation::Escaped => escaped(tools),
    }
}

/// A whole answer, where the marks of a call are mere letters: it begins with a call, or it is
/// words throughout.
pub fn answer(tools: &[Tool]) -> String {
    let mut rules = String::from(
        "start: call (\"\\n\" call)* | WORDS\n\
         call: \"<tool_call>\\n\" body \"\\n</tool_call>\"\n\
         WORDS: /[^<\\s](.|\\n)*/\n",
    );
    bodies(&mut rules, tools);
    rules
}

/// One JSON value of this shape.
pub fn shaped(schema: &Value) -> String {
    format!("start: {}\n", json(schema))
}

/// JSON of a schema, with one space where models put one and no others: in spaces a small model
/// may lose itself.
fn json(schema: &Value) -> String {
    let mut schema = schema.clone();
    schema["x-guidance"] = serde_json::json!({
        "whitespace_flexible": false,
        "item_separator": ", ",
        "key_separator": ": ",
    });
    format!("%json {schema}")
}

/// `{"name": …, "arguments": …}` of each tool.
fn bodies(rules: &mut String, tools: &[Tool]) {
    let names: Vec<_> = (0..tools.len()).map(|at| format!("body{at}")).collect();
    let _ = writeln!(rules, "body: {}", names.join(" | "));
    for (at, tool) in tools.iter().enumerate() {
        let before = literal(&format!("{{\"name\": {}, \"arguments\": ", literal(&tool.name)));
        let _ = writeln!(rules, "body{at}: {before} args{at} \"}}\"");
        let _ = writeln!(rules, "args{at}: {}", json(&tool.takes.schema()));
    }
}

fn escaped(tools: &[Tool]) -> String {
    let mut rules = Rules::default();
    let mut calls = Vec::new();
    for tool in tools {
        let args = rules.of(&tool.takes);
        calls.push(rules.rule(&format!("{} {args}", literal(&format!("call:{}", tool.name)))));
    }
    format!("start: {}\n{}", calls.join(" | "), rules.text)
}

/// Rules as they are written.
#[derive(Default)]
struct Rules {
    text: String,
    count: usize,
}

impl Rules {
    /// One more rule; its name.
    fn rule(&mut self, what: &str) -> String {
        let name = format!("r{}", self.count);
        self.count += 1;
        let _ = writeln!(self.text, "{name}: {what}");
        name
    }

    fn of(&mut self, argument: &Argument) -> String {
        match argument {
            Argument::Text { choices, longest, .. } => {
                let inside = if choices.is_empty() {
                    let name = format!("TEXT{longest}");
                    if !self.text.contains(&format!("{name}:")) {
                        let _ = writeln!(self.text, "{name}: /[^\\x00-\\x1F]{{0,{longest}}}/");
                    }
                    name
                } else {
                    let choices: Vec<_> = choices.iter().map(|choice| literal(choice)).collect();
                    format!("({})", choices.join(" | "))
                };
                self.rule(&format!("<escape> {inside} <escape>"))
            }
            // They are spelled as in JSON, within their bounds.
            Argument::Whole { .. } | Argument::Real | Argument::Yes => {
                self.rule(&json(&argument.schema()))
            }
            Argument::List(item) => {
                let item = self.of(item);
                let more = MOST_ITEMS - 1;
                self.rule(&format!("\"[\" ({item} (\",\" {item}){{0,{more}}})? \"]\""))
            }
            Argument::Fields(fields) => {
                let inside = self.fields(fields);
                self.rule(&format!("\"{{\" {inside} \"}}\""))
            }
        }
    }

    /// Fields in their order, those that are not needed or not, with commas between them.
    fn fields(&mut self, fields: &[Field]) -> String {
        // Built from the end: what may follow where something stands before, and where
        // nothing does.
        let (mut after, mut first) = ("\"\"".to_owned(), "\"\"".to_owned());
        for field in fields.iter().rev() {
            let value = self.of(&field.argument);
            let field_rule =
                self.rule(&format!("{} {value}", literal(&format!("{}:", field.name))));
            let (with, without) = (format!("{field_rule} {after}"), first);
            first = if field.is_needed {
                self.rule(&with)
            } else {
                self.rule(&format!("{with} | {without}"))
            };
            let more = format!("\",\" {field_rule} {after}");
            after = if field.is_needed {
                self.rule(&more)
            } else {
                self.rule(&format!("{more} | {after}"))
            };
        }
        first
    }
}

/// A text in quotes, as the notation has it: like JSON.
fn literal(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
#[path = "grammar_tests.rs"]
mod tests;
