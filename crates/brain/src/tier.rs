//! Which part of the brain answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The rules.
    Reflex,
    /// A model on this machine.
    Local,
    /// A model of somebody else.
    Cloud,
}

impl Tier {
    /// The one that is called so.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Reflex, Self::Local, Self::Cloud].into_iter().find(|tier| tier.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Reflex => "reflex",
            Self::Local => "local",
            Self::Cloud => "cloud",
        }
    }
}
