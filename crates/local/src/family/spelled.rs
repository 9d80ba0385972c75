//! JSON with a space behind each comma and colon: as it stood in what models were trained
//! with.

use serde_json::Value;

pub fn spelled(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(spelled).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let field = |(name, field): (&String, &Value)| {
                format!("{}: {}", Value::String(name.clone()), spelled(field))
            };
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
