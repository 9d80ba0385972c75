//! What the person asked to be kept in mind: what the memory tools take,
//! whoever the provider is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::mail::writing::check_text;
use crate::{args, text};

pub mod local;
pub mod meaning;

/// More than this is a document, not a memory.
const LONGEST: usize = 2_000;
const LONGEST_CONTEXT: usize = 500;
const LONGEST_ID: usize = 200;
const MOST_RESULTS: u32 = 50;
/// More than a card can show at a glance, and still one card.
const MOST_ALSO: usize = 49;

/// What `memory.retrieve` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retrieve {
    /// What it should be about, in any words; the newest when there are none.
    #[schemars(length(max = 500))]
    pub context: String,
    #[serde(default = "usual_results")]
    #[schemars(range(min = 1, max = 50))]
    pub max_results: u32,
}

/// What `memory.suggest_write` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Suggest {
    /// One statement: "Tom is allergic to nuts".
    #[schemars(length(min = 1, max = 2000))]
    pub candidate_memory: String,
}

/// What `memory.write` takes, and exactly what it keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keep {
    /// One statement in the person's own words: "Tom is allergic to nuts".
    #[schemars(length(min = 1, max = 2000))]
    pub memory: String,
    /// Whose words they are, where they are not the person's own: "a mail from Tom".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub derived_from: Option<String>,
}

/// What `memory.forget` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Forget {
    #[schemars(length(min = 1, max = 200))]
    pub memory_id: String,
    /// Leave it out: its words are filled in for the card.
    #[serde(default)]
    #[schemars(length(min = 1, max = 2000))]
    pub memory: Option<String>,
    /// The ids of others that are to go with it.
    #[serde(default)]
    #[schemars(length(max = 49))]
    pub also: Vec<Also>,
}

/// One of those that go with it: its id, or as the card spells it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Also {
    Id(String),
    Shown(LetGo),
}

/// What `memory.pause` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pause {
    /// Whether memory stays out of this conversation from now on.
    pub paused: bool,
}

/// A memory that could be let go: which one, and what it said when it was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Letting {
    pub memory_id: String,
    pub memory: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<LetGo>,
}

/// One more of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LetGo {
    pub memory_id: String,
    pub memory: String,
}

fn usual_results() -> u32 {
    10
}

impl Retrieve {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let retrieve: Self = args::read(args)?;
        if retrieve.context.chars().count() > LONGEST_CONTEXT {
            return Err(format!("context is at most {LONGEST_CONTEXT} characters long"));
        }
        if !(1..=MOST_RESULTS).contains(&retrieve.max_results) {
            return Err(format!("max_results must be between 1 and {MOST_RESULTS}"));
        }
        Ok(retrieve)
    }
}

impl Suggest {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let suggest: Self = args::read(args)?;
        check("candidate_memory", &suggest.candidate_memory)?;
        Ok(suggest)
    }
}

impl Keep {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let keep: Self = args::read(args)?;
        check("memory", &keep.memory)?;
        if let Some(whose) = &keep.derived_from {
            check("derived_from", whose)?;
            if whose.chars().count() > LONGEST_ID || text::one_line(whose, LONGEST_ID) != *whose {
                return Err(format!("derived_from is one line of at most {LONGEST_ID} characters"));
            }
        }
        Ok(keep)
    }
}

impl Forget {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let forget: Self = args::read(args)?;
        check_id(&forget.memory_id)?;
        forget.memory.iter().try_for_each(|memory| check("memory", memory))?;
        forget.also.iter().try_for_each(|also| check_id(also.id()))?;
        if forget.also.len() > MOST_ALSO {
            return Err(format!("at most {MOST_ALSO} more can be forgotten with it"));
        }
        Ok(forget)
    }
}

impl Letting {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let letting: Self = args::read(args)?;
        check_id(&letting.memory_id)?;
        Ok(letting)
    }
}

impl Also {
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Id(id) | Self::Shown(LetGo { memory_id: id, .. }) => id,
        }
    }
}

impl Pause {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        args::read(args)
    }
}

fn check(field: &str, memory: &str) -> Result<(), String> {
    if memory.chars().count() > LONGEST || text::fold(memory).is_empty() {
        return Err(format!("{field} must have words, and at most {LONGEST} characters"));
    }
    check_text(field, memory)
}

fn check_id(id: &str) -> Result<(), String> {
    if id.trim().is_empty() || id.chars().count() > LONGEST_ID {
        return Err(format!("memory_id must have between 1 and {LONGEST_ID} characters"));
    }
    Ok(())
}

/// As it is kept: one kind of line break, no blank lines, nothing at its ends.
pub(crate) fn tidied(memory: &str) -> String {
    let lines = text::lines(memory);
    let worded = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    worded.collect::<Vec<_>>().join("\n")
}

/// "Recalling Tom".
pub(crate) fn label_of_retrieve(args: &Value) -> String {
    match Retrieve::read(args) {
        Ok(Retrieve { context, .. }) if !context.trim().is_empty() => {
            format!("Recalling “{}”", text::snippet(&context, 60))
        }
        _ => "Recalling what you told me".to_owned(),
    }
}

/// "Noting “Tom is allergic to nuts”".
pub(crate) fn label_of_keep(args: &Value) -> String {
    match Keep::read(args) {
        Ok(keep) => format!("Noting “{}”", text::snippet(&keep.memory, 60)),
        Err(_) => "Noting something".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_memory_has_words_and_an_end() {
        let read = |memory: &str| Keep::read(&json!({ "memory": memory })).is_ok();
        assert!(read("Tom is allergic to nuts"));
        assert!(read("生日是五月三日"));
        assert!(read(&"x".repeat(2_000)));
        assert!(!read(&"x".repeat(2_001)));
        assert!(!read(" … "));
        assert!(!read("The code is \u{202e}4711"));
        assert!(!read("a\0b"));
    }

    #[test]
    fn a_memory_is_kept_without_what_surrounds_it() {
        assert_eq!(tidied("  The code:\r\n\r\n 4711 \n"), "The code:\n4711");
        assert_eq!(tidied(&tidied(" a\r b ")), tidied(" a\r b "));
    }

    #[test]
    fn what_is_asked_for_can_be_named_in_a_few_words() {
        assert_eq!(label_of_retrieve(&json!({ "context": "Tom" })), "Recalling “Tom”");
        assert_eq!(label_of_retrieve(&json!({ "context": " " })), "Recalling what you told me");
        assert_eq!(label_of_keep(&json!({ "memory": "Tea, no milk" })), "Noting “Tea, no milk”");
        assert_eq!(label_of_keep(&json!(1)), "Noting something");
    }
}
