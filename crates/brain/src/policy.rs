//! What may happen without asking.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How far a tool reaches. Declared by the tool, never guessed by a model.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS,
)]
#[serde(rename_all = "snake_case")]
pub enum ActionLevel {
    /// Looks and changes nothing.
    Read,
    /// Prepares something that only the person sees.
    Draft,
    /// Sends, books, cancels, deletes: somebody else may notice.
    Write,
}

/// What is to happen with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Do it.
    Go,
    /// Show it and wait for a yes to exactly that.
    Ask,
}

/// Total and without exceptions: a write is never silent.
pub fn rule(level: ActionLevel) -> Ruling {
    match level {
        ActionLevel::Read | ActionLevel::Draft => Ruling::Go,
        ActionLevel::Write => Ruling::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_never_silent() {
        assert_eq!(rule(ActionLevel::Write), Ruling::Ask);
    }
}
