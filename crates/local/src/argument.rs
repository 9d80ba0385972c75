//! What a tool takes, in the few words that a small model understands. Pure.
//!
//! A schema says more than fits into its head: here it comes down to names, kinds and one
//! sentence each. What a model calls is checked against the whole schema all the same.

use serde_json::{Map, Value, json};

/// One thing that is taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    Text { choices: Vec<String>, pattern: Option<String>, longest: usize },
    Whole { least: Option<i64>, most: Option<i64> },
    Real,
    Yes,
    List(Box<Argument>),
    Fields(Vec<Field>),
}

/// One of several things by name, in alphabetical order.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub about: String,
    pub is_needed: bool,
    pub argument: Argument,
}

/// So much of what a schema says about one of them.
const LONGEST_ABOUT: usize = 120;
/// A small model that writes more than this has lost its way.
const LONGEST_TEXT: usize = 400;

impl Argument {
    /// What a schema comes down to.
    pub fn of(schema: &Value) -> Self {
        for several in ["anyOf", "oneOf"] {
            if let Some(options) = schema[several].as_array() {
                return one_of(options);
            }
        }
        match kind(schema) {
            "object" => Self::Fields(fields(schema)),
            "array" => Self::List(Box::new(Self::of(&schema["items"]))),
            "integer" => {
                let (least, most) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
                Self::Whole { least, most }
            }
            "number" => Self::Real,
            "boolean" => Self::Yes,
            _ => text(schema),
        }
    }

    /// As a schema again, short and strict.
    pub fn schema(&self) -> Value {
        match self {
            Self::Text { choices, .. } if !choices.is_empty() => {
                json!({ "type": "string", "enum": choices })
            }
            Self::Text { pattern: Some(pattern), .. } => {
                json!({ "type": "string", "pattern": pattern })
            }
            Self::Text { longest, .. } => json!({ "type": "string", "maxLength": longest }),
            Self::Whole { least, most } => {
                let mut schema = json!({ "type": "integer" });
                for (name, bound) in [("minimum", least), ("maximum", most)] {
                    if let Some(bound) = bound {
                        schema[name] = json!(bound);
                    }
                }
                schema
            }
            Self::Real => json!({ "type": "number" }),
            Self::Yes => json!({ "type": "boolean" }),
            Self::List(item) => json!({ "type": "array", "items": item.schema() }),
            Self::Fields(fields) => {
                let mut properties = Map::new();
                for field in fields {
                    let mut schema = field.argument.schema();
                    if !field.about.is_empty() {
                        schema["description"] = json!(field.about);
                    }
                    properties.insert(field.name.clone(), schema);
                }
                let needed = fields.iter().filter(|field| field.is_needed);
                let needed: Vec<_> = needed.map(|field| &field.name).collect();
                json!({
                    "type": "object",
                    "properties": properties,
                    "required": needed,
                    "additionalProperties": false,
                })
            }
        }
    }
}

fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(kind) => kind,
        // `["string", "null"]`: what may be missing is left out.
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("string")
        }
        _ if schema["properties"].is_object() => "object",
        _ => "string",
    }
}

fn text(schema: &Value) -> Argument {
    let choices = schema["enum"].as_array().into_iter().flatten().chain([&schema["const"]]);
    let choices = choices.filter_map(Value::as_str).map(str::to_owned).collect();
    let longest = schema["maxLength"].as_u64().and_then(|it| usize::try_from(it).ok());
    Argument::Text {
        choices,
        pattern: schema["pattern"].as_str().map(str::to_owned),
        longest: longest.unwrap_or(LONGEST_TEXT).min(LONGEST_TEXT),
    }
}

/// Several lists of choices are one; of other things the first is meant.
fn one_of(options: &[Value]) -> Argument {
    let mut read = options
        .iter()
        .filter(|option| option["type"] != "null")
        .map(Argument::of)
        .collect::<Vec<_>>();
    let mut together = Vec::new();
    for argument in &read {
        match argument {
            Argument::Text { choices, .. } if !choices.is_empty() => {
                together.extend_from_slice(choices);
            }
            _ => {
                together.clear();
                break;
            }
        }
    }
    if !together.is_empty() {
        return Argument::Text { choices: together, pattern: None, longest: LONGEST_TEXT };
    }
    if read.is_empty() { text(&Value::Null) } else { read.remove(0) }
}

fn fields(schema: &Value) -> Vec<Field> {
    let needed: Vec<_> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object();
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        about: first_sentence(schema["description"].as_str().unwrap_or_default()),
        is_needed: needed.contains(&name.as_str()),
        argument: Argument::of(schema),
    };
    let mut fields: Vec<_> = properties.into_iter().flatten().map(field).collect();
    fields.sort_by(|one, other| one.name.cmp(&other.name));
    fields
}

/// Up to the first full stop with a large letter behind it.
pub fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = |at: &usize| text[at + 2..].starts_with(char::is_uppercase);
    let stop = text.match_indices(". ").map(|(at, _)| at).find(ends);
    text[..stop.map_or(text.len(), |at| at + 1)].chars().take(LONGEST_ABOUT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_comes_down_to_names_kinds_and_one_sentence() {
        let schema = json!({
            "type": "object",
            "title": "Search",
            "properties": {
                "query": { "type": "string", "maxLength": 500,
                           "description": "Words. And  much\nmore about them." },
                "page": { "type": ["integer", "null"], "minimum": 1, "maximum": 9 },
                "pace": { "anyOf": [
                    { "oneOf": [{ "type": "string", "enum": ["slower", "faster"] },
                                { "type": "string", "const": "usual" }] },
                    { "type": "null" },
                ]},
                "to": { "type": ["array", "null"], "items": { "type": "string" } },
            },
            "required": ["query"],
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "page": { "type": "integer", "minimum": 1, "maximum": 9 },
                "pace": { "type": "string", "enum": ["slower", "faster", "usual"] },
                "query": { "type": "string", "maxLength": 400, "description": "Words." },
                "to": { "type": "array", "items": { "type": "string", "maxLength": 400 } },
            },
            "required": ["query"],
            "additionalProperties": false,
        });
        assert_eq!(Argument::of(&schema).schema(), expected);
    }

    #[test]
    fn a_sentence_ends_where_another_begins() {
        assert_eq!(
            first_sentence("A day, e.g. \"Monday\". Or an  hour."),
            "A day, e.g. \"Monday\"."
        );
        assert_eq!(first_sentence("Words, e.g. some"), "Words, e.g. some");
    }

    #[test]
    fn of_two_shapes_the_first_is_meant() {
        let schema = json!({ "anyOf": [{ "type": "string" }, { "type": "object" }] });
        assert_eq!(Argument::of(&schema).schema()["type"], "string");
    }
}
