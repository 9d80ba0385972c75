//! How one line wants to be asked. Some do not take what others ask for, and say so once: it
//! is remembered as long as the line is. Pure.

use super::Tongue;

/// What may be sent there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manners {
    tongue: Tongue,
    /// The protocol's own author, who knows every field of it.
    pub at_home: bool,
    pub limit: Limit,
    /// Whether it can be told of tools.
    pub tools: bool,
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

/// Models of OpenAI's that think, by how their names begin.
const THINKERS: [&str; 4] = ["gpt-5", "o1", "o3", "o4"];
/// Those of others that do, likewise.
const OTHERS: [&str; 9] = [
    "gemini-2.5",
    "gemini-3",
    "gpt-oss",
    "qwen3",
    "qwq",
    "deepseek-r",
    "magistral",
    "glm-4.",
    "kimi-k2-thinking",
];
/// So many tokens a model may think before it answers, where what it thinks counts as what
/// it says.
pub const TO_THINK: u32 = 1_024;

/// How long an answer may be, with what is thought before it.
pub fn most_tokens(model: &str, most: u32) -> u32 {
    let bare = bare(model);
    let thinks = THINKERS.iter().chain(&OTHERS).any(|name| bare.starts_with(name));
    most.saturating_add(if thinks { TO_THINK } else { 0 })
}

/// A gateway puts the maker before the name.
fn bare(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).to_lowercase()
}

/// How somebody says that a field is not known there.
const UNKNOWN: [&str; 6] =
    ["unsupported", "not support", "unknown", "unrecognized", "not permitted", "extra_forbidden"];

/// How Ollama and `OpenRouter` say that a model cannot be told of tools.
const NO_TOOLS: [&str; 2] = ["does not support tools", "no endpoints found that support tool use"];

impl Manners {
    pub fn new(tongue: Tongue, model: &str, at_home: bool) -> Self {
        let bare = bare(model);
        let thinks = THINKERS.iter().any(|name| bare.starts_with(name));
        let limit = if at_home || thinks { Limit::CompletionTokens } else { Limit::Tokens };
        Self { tongue, at_home, limit, tools: true }
    }

    /// How to ask instead, where it was refused for how it was asked.
    pub fn after(self, status: u16, body: &[u8]) -> Option<Self> {
        if !matches!(status, 400 | 404 | 422) {
            return None;
        }
        let said = String::from_utf8_lossy(body).to_lowercase();
        if self.tools && NO_TOOLS.iter().any(|words| said.contains(words)) {
            return Some(Self { tools: false, ..self });
        }
        let is_unknown = UNKNOWN.iter().any(|word| said.contains(word));
        let is_limit = self.tongue == Tongue::Chat && said.contains(self.limit.name());
        (is_unknown && is_limit).then_some(Self { limit: self.limit.other(), ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(model: &str) -> &'static str {
        Manners::new(Tongue::Chat, model, false).limit.name()
    }

    #[test]
    fn models_that_think_have_their_own_word_for_the_limit_also_behind_a_gateway() {
        for model in ["gpt-5", "gpt-5.4-mini", "openai/gpt-5", "a/openai/o3-mini", "o1", "O4-mini"]
        {
            assert_eq!(limit(model), "max_completion_tokens", "{model}");
        }
        for model in ["qwen3", "gpt-4o", "llama-3", "olmo-2", "openai/gpt-4.1", "gpt-oss:20b"] {
            assert_eq!(limit(model), "max_tokens", "{model}");
        }
    }

    #[test]
    fn who_thinks_first_has_room_for_it_in_every_question() {
        let ask = crate::provider::Ask { most_tokens: 1_500, ..Default::default() };
        for (tongue, model, limit, most) in [
            (Tongue::Chat, "openai/gpt-5.4-mini", "/max_completion_tokens", 2_524),
            (Tongue::Chat, "qwen3:8b", "/max_tokens", 2_524),
            (Tongue::Chat, "gpt-4o", "/max_tokens", 1_500),
            (Tongue::Responses, "gpt-5.4-mini", "/max_output_tokens", 2_524),
            (Tongue::Gemini, "gemini-2.5-flash", "/generationConfig/maxOutputTokens", 2_524),
            (Tongue::Gemini, "gemini-2.0-flash", "/generationConfig/maxOutputTokens", 1_500),
            // It thinks only where it is asked to.
            (Tongue::Anthropic, "claude-haiku-5-5", "/max_tokens", 1_500),
        ] {
            let body = tongue.body(model, &ask, Manners::new(tongue, model, false));
            let body: serde_json::Value = serde_json::from_str(&body).unwrap();
            assert_eq!(body.pointer(limit), Some(&most.into()), "{model}");
        }
    }

    #[test]
    fn what_was_refused_for_its_name_is_sent_under_the_other_and_nothing_else_is() {
        let chat = Manners::new(Tongue::Chat, "m", false);
        let other = Manners { limit: Limit::CompletionTokens, ..chat };
        let openai = b"{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not \
            supported with this model. Use 'max_completion_tokens' instead.\"}}";
        assert_eq!(chat.after(400, openai), Some(other));
        let strict = b"{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\
            \"max_completion_tokens\"]}]}";
        assert_eq!(other.after(422, strict), Some(chat));
        assert_eq!(chat.after(400, b"max_tokens is too large: 1500"), None);
        assert_eq!(chat.after(500, openai), None);
        assert_eq!(Manners::new(Tongue::Anthropic, "m", false).after(400, openai), None);
    }

    #[test]
    fn who_cannot_be_told_of_tools_is_told_of_none() {
        let chat = Manners::new(Tongue::Chat, "gemma3:1b", false);
        let ollama = b"{\"error\":{\"message\":\"gemma3:1b does not support tools\"}}";
        let without = Manners { tools: false, ..chat };
        assert_eq!(chat.after(400, ollama), Some(without));
        let openrouter = b"{\"error\":{\"message\":\"No endpoints found that support tool use.\"}}";
        assert_eq!(chat.after(404, openrouter), Some(without));
        assert_eq!(without.after(400, ollama), None);
    }
}
