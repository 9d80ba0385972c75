//! `sayso tools`: what the assistant can do, as other programs want to be told of it. It
//! needs no server and no data.
//!
//! All shapes come from the one catalog that plans are checked against, so a tool cannot be
//! one thing for a model of ours and another for somebody else's.

use std::process::ExitCode;
use std::sync::Arc;

use brain::ActionLevel;
use clap::{Args, ValueEnum};
use models::provider::{ToolSpec, anthropic, chat, gemini, responses};
use serde_json::{Value, json};
use session::JobDesk;
use session::jobs::kinds;
use store::memory::MemoryStore;
use tools::attachment::NoPapers;
use tools::{Catalog, Personal, Tool};

use super::look::tell_line;
use crate::app::{Agent, catalog};

#[derive(Args)]
#[command(after_help = "Dots are not allowed in names everywhere: gmail.search is gmail__search \
for OpenAI,
Anthropic and Gemini. Whoever calls a tool that writes still gets a card: POST it to
/tools/run of a running server.

Examples:
  sayso tools
  sayso tools --as anthropic > tools.json")]
pub struct Tools {
    /// For whom: without it, a list for people
    #[arg(long = "as", value_name = "SHAPE")]
    shape: Option<Shape>,
    /// Those of this agent
    #[arg(long, value_name = "NAME", default_value = "assistant")]
    agent: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// `tools` of OpenAI's Chat Completions
    Openai,
    /// `tools` of OpenAI's Responses
    Responses,
    /// `tools` of Anthropic's Messages
    Anthropic,
    /// `tools` of Google's Gemini
    Gemini,
    /// The result of `tools/list` of the Model Context Protocol
    Mcp,
}

impl Tools {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let desk = JobDesk::new(Arc::new(MemoryStore::default()), kinds::shipped());
        let all = catalog(&Personal::in_memory()?, Arc::new(NoPapers), &desk);
        let catalog = Agent::named(&self.agent)?.allowed(&all)?;
        match self.shape {
            Some(shape) => {
                let exported = exported(&catalog, shape);
                tell_line!("{}", serde_json::to_string_pretty(&exported)?);
            }
            None => {
                for tool in catalog.tools() {
                    let (name, level) = (tool.name(), called(tool.level()));
                    tell_line!("{name:<28} {level:<6} {}", tool.description());
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn called(level: ActionLevel) -> &'static str {
    match level {
        ActionLevel::Read => "read",
        ActionLevel::Draft => "draft",
        ActionLevel::Write => "write",
    }
}

fn exported(catalog: &Catalog, shape: Shape) -> Value {
    let specs = catalog.tools().map(|tool| ToolSpec {
        name: tool.name().to_owned(),
        description: tool.description().to_owned(),
        schema: tool.input_schema(),
    });
    match shape {
        Shape::Openai => specs.map(|spec| chat::tool(&spec)).collect(),
        Shape::Responses => specs.map(|spec| responses::tool(&spec)).collect(),
        Shape::Anthropic => specs.map(|spec| anthropic::tool(&spec)).collect(),
        Shape::Gemini => gemini::tools(&specs.collect::<Vec<_>>()),
        Shape::Mcp => {
            let tools: Vec<_> = catalog.tools().map(|tool| as_mcp(tool.as_ref())).collect();
            json!({ "tools": tools })
        }
    }
}

/// Whoever shows it to people learns there what only looks and what changes something.
fn as_mcp(tool: &dyn Tool) -> Value {
    let level = tool.level();
    let mut told = json!({
        "name": tool.name(),
        "description": tool.description(),
        "inputSchema": tool.input_schema(),
        "annotations": {
            "readOnlyHint": level == ActionLevel::Read,
            "destructiveHint": level == ActionLevel::Write,
            // The same call under the same key is one write, but nobody has to send a key.
            "idempotentHint": level == ActionLevel::Read,
            "openWorldHint": level == ActionLevel::Write,
        },
    });
    // What a result is has to be an object there, or is not told.
    let output = tool.output_schema();
    if output["type"] == "object" {
        told["outputSchema"] = output;
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Catalog {
        let desk = JobDesk::new(Arc::new(MemoryStore::default()), kinds::shipped());
        let all = catalog(&Personal::in_memory().unwrap(), Arc::new(NoPapers), &desk);
        Agent::named("assistant").unwrap().allowed(&all).unwrap()
    }

    /// Where the golden files are.
    fn golden(shape: Shape) -> std::path::PathBuf {
        let name = shape.to_possible_value().unwrap().get_name().to_owned();
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.json"))
    }

    #[test]
    fn every_shape_is_as_it_was_read_and_agreed_to() {
        let catalog = all();
        for shape in Shape::value_variants() {
            let found = serde_json::to_string_pretty(&exported(&catalog, *shape)).unwrap() + "\n";
            let path = golden(*shape);
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&path, &found).unwrap();
            }
            let expected = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(found == expected, "{} differs; BLESS=1 rewrites it", path.display());
        }
    }

    #[test]
    fn every_tool_of_the_catalog_is_in_every_shape_under_a_name_that_is_allowed_there() {
        let catalog = all();
        let count = catalog.names().len();
        let pointers = [
            (Shape::Openai, "", "/function/name"),
            (Shape::Responses, "", "/name"),
            (Shape::Anthropic, "", "/name"),
            (Shape::Gemini, "/0/functionDeclarations", "/name"),
            (Shape::Mcp, "/tools", "/name"),
        ];
        for (shape, list, name) in pointers {
            let exported = exported(&catalog, shape);
            let tools = exported.pointer(list).and_then(Value::as_array).unwrap();
            assert_eq!(tools.len(), count, "{shape:?}");
            for tool in tools {
                let name = tool.pointer(name).and_then(Value::as_str).unwrap();
                let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                let dotted = shape == Shape::Mcp;
                assert!(name.len() <= 64, "{name}");
                assert!(name.chars().all(|c| fits(c) || (dotted && c == '.')), "{name}");
            }
        }
    }

    #[test]
    fn a_write_is_told_as_one() {
        let exported = exported(&all(), Shape::Mcp);
        let tools = exported["tools"].as_array().unwrap();
        let of = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
        assert_eq!(of("gmail.send")["annotations"]["destructiveHint"], true);
        assert_eq!(of("gmail.search")["annotations"]["readOnlyHint"], true);
    }
}
