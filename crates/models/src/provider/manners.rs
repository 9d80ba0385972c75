//! How one line wants to be asked. Some do not take what others ask for, and say so once: it
//! is remembered as long as the line is. Pure.

use super::effort::Effort;
use super::{Ask, Tongue};

/// What may be sent there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manners {
    tongue: Tongue,
    /// The protocol's own author, who knows every field of it.
    pub at_home: bool,
    pub limit: Limit,
    /// How much it is to think, and the least that it takes; nothing, where it takes no word
    /// about that.
    effort: Effort,
    least: Option<Effort>,
    /// What becomes of thoughts that it had before.
    pub back: Back,
    /// What it does not take, by [`Field`].
    refused: [bool; Field::ALL.len()],
}

/// What not everybody takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// To be told of tools.
    Tools,
    /// To be asked what it cost, in a stream.
    Usage,
    /// To be told what an answer has to look like.
    Shape,
    /// Room for thoughts besides the answer.
    Room,
    /// To be asked for its thoughts, sealed.
    Sealed,
}

impl Field {
    pub const ALL: [Self; 5] = [Self::Tools, Self::Usage, Self::Shape, Self::Room, Self::Sealed];
}

/// What is given back of what was thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back {
    /// Whatever came, as it came.
    AsItCame,
    /// The same, and an empty thought with calls of somebody else.
    AlsoEmpty,
    /// The same, and a signature that says that the call was somebody else's.
    AlsoSigned,
    /// Nothing.
    Never,
}

/// What the limit of an answer is called in Chat Completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// As nearly everybody calls it.
    Tokens,
    /// As OpenAI does for models that think, which take no other name.
    CompletionTokens,
}

impl Limit {
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "max_tokens",
            Self::CompletionTokens => "max_completion_tokens",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Tokens => Self::CompletionTokens,
            Self::CompletionTokens => Self::Tokens,
        }
    }
}

/// Models of OpenAI's that take no other name for the limit, by how their names begin. Who is
/// not among them says so.
const NEWER: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// A gateway puts the maker before the name.
pub(super) fn bare(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).to_lowercase()
}

/// How somebody says that a field is not known there.
const UNKNOWN: [&str; 6] =
    ["unsupported", "not support", "unknown", "unrecognized", "not permitted", "extra_forbidden"];

/// How Ollama and `OpenRouter` say that a model cannot be told of tools.
const NO_TOOLS: [&str; 2] = ["does not support tools", "no endpoints found that support tool use"];

/// How somebody says that there is not so much room.
const NO_ROOM: [&str; 5] = [
    "context length",
    "context window",
    "context size",
    "maximum allowed number of output tokens",
    "too large",
];

/// How somebody names what says how an answer has to look.
const SHAPES: [&str; 6] = [
    "response_format",
    "text.format",
    "output_config",
    "json_schema",
    "responsejsonschema",
    "response_json_schema",
];

impl Manners {
    pub fn new(tongue: Tongue, model: &str, at_home: bool, effort: Effort) -> Self {
        let bare = bare(model);
        let is_newer = NEWER.iter().any(|name| bare.starts_with(name));
        let limit = if at_home || is_newer { Limit::CompletionTokens } else { Limit::Tokens };
        // Others who speak Chat Completions have words of their own for it.
        let takes_a_word = at_home || tongue != Tongue::Chat;
        Self {
            tongue,
            at_home,
            limit,
            effort,
            least: takes_a_word.then_some(Effort::None),
            back: Back::AsItCame,
            refused: [false; Field::ALL.len()],
        }
    }

    pub fn takes(self, field: Field) -> bool {
        !self.refused[field as usize]
    }

    #[must_use]
    pub fn without(mut self, field: Field) -> Self {
        self.refused[field as usize] = true;
        self
    }

    /// How much it is asked to think; nothing, where it is left to it. One word of a few needs
    /// no thought, and nobody waits for one.
    pub fn effort(self, model: &str, ask: &Ask) -> Option<Effort> {
        let wanted = if ask.shape.is_some() { Effort::None } else { self.effort };
        Some(wanted.max(self.least?).spoken(self.tongue, model))
    }

    /// How long an answer may be, with what is thought before it. Who thinks is not known by
    /// name: only who was asked not to, and takes that, does not.
    pub fn most_tokens(self, model: &str, ask: &Ask) -> u32 {
        let room = match self.effort(model, ask) {
            Some(Effort::None) => 0,
            Some(effort) => effort.room(),
            None => self.effort.room(),
        };
        ask.most_tokens.saturating_add(if self.takes(Field::Room) { room } else { 0 })
    }

    /// How to ask instead, where it was refused for how it was asked.
    pub fn after(self, status: u16, body: &[u8], model: &str, ask: &Ask) -> Option<Self> {
        if !matches!(status, 400 | 404 | 422) {
            return None;
        }
        let said = String::from_utf8_lossy(body).to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
        if self.takes(Field::Tools) && says(&NO_TOOLS) {
            return Some(self.without(Field::Tools));
        }
        if let Some(back) = self.back_after(&said) {
            return Some(Self { back, ..self });
        }
        if self.takes(Field::Sealed) && says(&["encrypted content", "encrypted_content"]) {
            return Some(self.without(Field::Sealed));
        }
        let asked = self.effort(model, ask);
        if let Some(asked) = asked.filter(|asked| says(self.words_for(*asked))) {
            // In Chat Completions some take tools only where they need not think.
            if says(&["function tools"]) && asked > Effort::None {
                return Some(Self { effort: Effort::None, least: Some(Effort::None), ..self });
            }
            return Some(Self { least: asked.after(&said), ..self });
        }
        let is_chat = self.tongue == Tongue::Chat;
        if is_chat && says(&UNKNOWN) && said.contains(self.limit.name()) {
            return Some(Self { limit: self.limit.other(), ..self });
        }
        if is_chat && self.takes(Field::Usage) && says(&["stream_options"]) {
            return Some(self.without(Field::Usage));
        }
        if ask.shape.is_some() && self.takes(Field::Shape) && says(&SHAPES) {
            return Some(self.without(Field::Shape));
        }
        let has_room = self.most_tokens(model, ask) > ask.most_tokens;
        (has_room && says(&NO_ROOM)).then(|| self.without(Field::Room))
    }

    /// What so much is asked for with there.
    fn words_for(self, effort: Effort) -> &'static [&'static str] {
        match self.tongue {
            Tongue::Chat => &["reasoning_effort", "reasoning effort"],
            Tongue::Responses => &["reasoning.effort", "reasoning effort", "'reasoning'"],
            Tongue::Anthropic if effort == Effort::None => &["thinking.type", "thinking:"],
            Tongue::Anthropic => &["thinking.type", "thinking:", "adaptive", "output_config"],
            Tongue::Gemini => &[
                "thinking level",
                "thinking_level",
                "thinkinglevel",
                "thinkingconfig",
                "thinking_config",
                "thinking budget",
                "thinking_budget",
                "budget 0 is invalid",
                "thinking is not",
            ],
        }
    }

    /// Whether it wants more, or less, of what was thought.
    fn back_after(self, said: &str) -> Option<Back> {
        let back = match (self.tongue, self.back) {
            (_, Back::Never) => return None,
            (Tongue::Chat, Back::AsItCame) if said.contains("missing") => {
                if said.contains("reasoning_content") {
                    Back::AlsoEmpty
                } else if said.contains("thought_signature") {
                    Back::AlsoSigned
                } else {
                    return None;
                }
            }
            (Tongue::Chat, _) => {
                let names = ["reasoning_content", "reasoning_details", "extra_content"];
                let is_named = names.iter().any(|name| said.contains(name));
                return is_named.then_some(Back::Never);
            }
            (Tongue::Responses | Tongue::Anthropic | Tongue::Gemini, _) => return None,
        };
        Some(back)
    }
}

/// Whether a refusal is about thoughts that were given back: they do not fit what stands
/// before them any more, or are another account's.
pub fn is_about_thoughts(status: u16, body: &[u8]) -> bool {
    let said = String::from_utf8_lossy(body).to_lowercase();
    let names = ["invalid `signature`", "thought signature", "encrypted content", "reasoning item"];
    let others = ["`thinking` block", "`redacted_thinking`", "of type 'reasoning'"];
    status == 400 && names.iter().chain(&others).any(|name| said.contains(name))
}

#[cfg(test)]
#[path = "manners_tests.rs"]
mod tests;
