//! The fingerprint of a write: what was shown and what is done have the same.
//!
//! RFC 8785 makes one spelling of a JSON value, SHA-256 makes 32 bytes of it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// SHA-256 of a canonical spelling.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seal([u8; 32]);

impl Seal {
    /// The fingerprint of one use of a tool.
    pub fn of(tool: &str, args: &Value) -> Self {
        Self::of_value(&json!({ "tool": tool, "args": args }))
    }

    /// The fingerprint of any value.
    pub fn of_value(value: &Value) -> Self {
        let bytes =
            serde_json_canonicalizer::to_vec(value).expect("a JSON value has a canonical form");
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not 64 hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hex digits")]
pub struct NotASeal;

impl FromStr for Seal {
    type Err = NotASeal;

    fn from_str(text: &str) -> Result<Self, NotASeal> {
        let digits: Vec<u8> = text
            .chars()
            .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()
            .ok_or(NotASeal)?;
        let pairs = digits.chunks_exact(2).map(|pair| pair[0] * 16 + pair[1]);
        let bytes: Vec<u8> = pairs.collect();
        bytes.try_into().ok().filter(|_| digits.len() == 64).map(Self).ok_or(NotASeal)
    }
}

impl Serialize for Seal {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seal {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

impl schemars::JsonSchema for Seal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seal".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_fields_does_not_matter_and_everything_else_does() {
        let one: Value = serde_json::from_str(r#"{"to":["a@x.example"],"body":"Hi"}"#).unwrap();
        let same: Value = serde_json::from_str(r#"{"body":"Hi","to":["a@x.example"]}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"body":"Hi ","to":["a@x.example"]}"#).unwrap();
        assert_eq!(Seal::of("gmail.send", &one), Seal::of("gmail.send", &same));
        assert_ne!(Seal::of("gmail.send", &one), Seal::of("gmail.send", &other));
        assert_ne!(Seal::of("gmail.send", &one), Seal::of("gmail.draft", &one));
    }

    #[test]
    fn a_seal_reads_back_as_it_was_written() {
        let seal = Seal::of("gmail.send", &json!({}));
        assert_eq!(seal.to_string().len(), 64);
        assert_eq!(seal.to_string().parse(), Ok(seal));
        assert_eq!("".parse::<Seal>(), Err(NotASeal));
        assert_eq!(format!("{seal}0").parse::<Seal>(), Err(NotASeal));
        assert_eq!("é".repeat(32).parse::<Seal>(), Err(NotASeal));
    }
}
