//! Schemas of tools without what tells a model nothing. Pure.
//!
//! They are most of every question, and a small server cuts a long one silently.

use serde_json::Value;

/// Under these stand names of our own, and a schema under each.
const NAMES: [&str; 3] = ["properties", "$defs", "patternProperties"];
/// Under these stand values, and no schema.
const VALUES: [&str; 4] = ["enum", "const", "default", "examples"];
/// Widths of numbers, which are no business of whoever writes one.
const WIDTHS: [&str; 9] =
    ["uint", "uint8", "uint16", "uint32", "uint64", "int32", "int64", "float", "double"];

/// The same schema, as far as it says what may be written.
pub fn lean(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, value)| !is_noise(name, value))
            .map(|(name, value)| (name.clone(), lean_under(name, value)))
            .collect(),
        Value::Array(schemas) => schemas.iter().map(lean).collect(),
        other => other.clone(),
    }
}

fn lean_under(name: &str, value: &Value) -> Value {
    match value {
        Value::Object(named) if NAMES.contains(&name) => {
            named.iter().map(|(name, schema)| (name.clone(), lean(schema))).collect()
        }
        value if VALUES.contains(&name) => value.clone(),
        value => lean(value),
    }
}

fn is_noise(name: &str, value: &Value) -> bool {
    match (name, value.as_str()) {
        ("$schema" | "title", Some(_)) => true,
        ("format", Some(format)) => WIDTHS.contains(&format),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_tells_a_model_nothing_is_left_out_and_a_field_called_title_is_not() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "NewEvent",
            "type": "object",
            "properties": {
                "title": { "type": "string", "title": "Title", "default": { "title": "x" } },
                "minutes": { "type": "integer", "format": "uint32", "minimum": 0 },
                "start": { "type": "string", "format": "date-time" },
            },
            "required": ["title"],
            "$defs": { "Guest": { "title": "Guest", "anyOf": [{ "title": "A" }, {}] } },
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "title": { "type": "string", "default": { "title": "x" } },
                "minutes": { "type": "integer", "minimum": 0 },
                "start": { "type": "string", "format": "date-time" },
            },
            "required": ["title"],
            "$defs": { "Guest": { "anyOf": [{}, {}] } },
        });
        assert_eq!(lean(&schema), expected);
    }
}
