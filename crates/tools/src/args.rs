//! Arguments as types: one schema for models, one reading for everybody.

use jiff::Zoned;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The schema with nothing referred to elsewhere, as model providers like it.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Reads arguments, or says in one line what is wrong with them.
pub(crate) fn read<T: DeserializeOwned>(args: &Value) -> Result<T, String> {
    let read = match args {
        Value::Object(_) => T::deserialize(args),
        other => object(other),
    };
    read.map_err(|error: serde_json::Error| bad_time(args).unwrap_or_else(|| error.to_string()))
}

/// What a parser says of a time helps nobody; this says what one looks like.
fn bad_time(args: &Value) -> Option<String> {
    args.as_object()?.iter().find_map(|(name, value)| match (name.as_str(), value) {
        ("start" | "end", Value::String(text)) if text.parse::<Zoned>().is_err() => {
            let shown: String = text.chars().take(40).collect();
            Some(format!(
                "{name} must be a time with its zone, like \
                 2026-11-16T15:00:00-08:00[America/Los_Angeles]; {shown:?} is none"
            ))
        }
        (_, inner @ Value::Object(_)) => bad_time(inner),
        _ => None,
    })
}

/// serde also takes a list for a struct; no schema of ours says so.
pub(crate) fn object<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    let fields = Map::deserialize(from)?;
    T::deserialize(Value::Object(fields)).map_err(D::Error::custom)
}

/// What a tool brings, as everybody else sees it.
pub(crate) fn told<T: Serialize>(facts: &T) -> Value {
    serde_json::to_value(facts).expect("facts are plain data with text keys")
}

/// The same as the fields of a card.
pub(crate) fn fields<T: Serialize>(facts: &T) -> Map<String, Value> {
    match told(facts) {
        Value::Object(fields) => fields,
        other => unreachable!("a payload has fields, and this is {other}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::calendar::booking::Book;

    #[test]
    fn a_time_that_is_none_is_told_what_one_looks_like() {
        for wrong in ["tomorrow at 3", "2026-11-16T15:00", "2026-11-16T15:00:00-08:00", ""] {
            let args = json!({ "title": "Lunch", "start": wrong });
            let reason = read::<Book>(&args).unwrap_err();
            let expected = "start must be a time with its zone, like \
                            2026-11-16T15:00:00-08:00[America/Los_Angeles]; ";
            assert_eq!(reason, format!("{expected}{wrong:?} is none"));
        }
        let other = read::<Book>(&json!({ "titel": "Lunch" })).unwrap_err();
        assert!(other.contains("titel"), "{other}");
    }
}
