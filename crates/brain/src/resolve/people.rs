//! Who is meant by a name.

use serde::{Deserialize, Serialize};

/// Somebody the person knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    pub name: String,
    pub address: String,
    #[serde(default)]
    pub nicknames: Vec<String>,
}
