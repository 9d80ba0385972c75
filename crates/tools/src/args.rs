//! Arguments as types: one schema for models, one reading for everybody.

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
    read.map_err(|error: serde_json::Error| error.to_string())
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
