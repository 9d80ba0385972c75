//! How much a model thinks before it answers. Somebody waits for it, mostly aloud. Pure.

use super::Tongue;

/// From not at all to a lot. Whoever cannot be asked for so little is asked for the least
/// that it takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    #[default]
    None,
    Minimal,
    Low,
    Medium,
    High,
}

/// Who says nothing about what it takes is asked for no more than this.
const MOST_TRIED: Effort = Effort::Low;

impl Effort {
    pub const ALL: [Self; 5] = [Self::None, Self::Minimal, Self::Low, Self::Medium, Self::High];

    /// As the settings and OpenAI call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.name() == name)
    }

    /// So many tokens it may think, where what it thinks counts as what it says.
    pub fn room(self) -> u32 {
        match self {
            Self::None | Self::Minimal | Self::Low => 4_096,
            Self::Medium => 8_192,
            Self::High => 16_384,
        }
    }

    /// The least that is no less than this and has a word of its own there.
    pub(super) fn spoken(self, tongue: Tongue, model: &str) -> Self {
        let has_word = |effort: &Self| match (tongue, effort) {
            (Tongue::Chat | Tongue::Responses, _) => true,
            (Tongue::Anthropic, effort) => *effort != Self::Minimal,
            (Tongue::Gemini, Self::None) => goes_by_tokens(model),
            (Tongue::Gemini, Self::Minimal) => !goes_by_tokens(model),
            (Tongue::Gemini, Self::Low | Self::Medium | Self::High) => true,
        };
        Self::ALL.into_iter().find(|it| *it >= self && has_word(it)).unwrap_or(Self::High)
    }

    /// What to ask for after this one was refused in such words; nothing, where it takes no
    /// word about it.
    pub(super) fn after(self, said: &str) -> Option<Self> {
        let more = || Self::ALL.into_iter().filter(|effort| *effort > self);
        if let Some((_, values)) = said.split_once("values are") {
            return more().find(|effort| {
                values.split(|c: char| !c.is_alphanumeric()).any(|word| word == effort.name())
            });
        }
        let is_unknown = ["parameter", "unknown", "unrecognized", "extra"];
        if is_unknown.iter().any(|word| said.contains(word)) {
            return None;
        }
        more().find(|effort| *effort <= MOST_TRIED)
    }
}

/// Gemini's models before the third are told how many tokens they may think.
pub(super) fn goes_by_tokens(model: &str) -> bool {
    model.starts_with("gemini-2") || model.starts_with("gemini-1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_tells_what_it_takes_is_asked_for_the_least_of_it() {
        let gemini = "'minimal' is not a supported thinking level for this model. allowed values \
                      are: medium, low, high.";
        assert_eq!(Effort::Minimal.after(gemini), Some(Effort::Low));
        let openai = "unsupported value: 'none' is not supported with the 'gpt-5' model. \
                      supported values are: 'minimal', 'low', 'medium', and 'high'.";
        assert_eq!(Effort::None.after(openai), Some(Effort::Minimal));
        let only = "unsupported value: 'low'. supported values are: 'medium'.";
        assert_eq!(Effort::Low.after(only), Some(Effort::Medium));
        assert_eq!(Effort::High.after(only), None);
    }

    #[test]
    fn who_does_not_tell_is_asked_for_a_little_more_and_then_for_nothing() {
        let said = "\"thinking.type.disabled\" is not supported for this model.";
        assert_eq!(Effort::None.after(said), Some(Effort::Minimal));
        assert_eq!(Effort::Low.after(said), None);
        let unknown = "unsupported parameter: 'reasoning.effort' is not supported with this model.";
        assert_eq!(Effort::None.after(unknown), None);
    }

    #[test]
    fn every_protocol_has_a_word_for_the_least_that_it_takes() {
        for (tongue, model, least) in [
            (Tongue::Responses, "gpt-6-luna", Effort::None),
            (Tongue::Anthropic, "claude-haiku-5-5", Effort::None),
            (Tongue::Gemini, "gemini-2.5-flash", Effort::None),
            (Tongue::Gemini, "gemini-3.5-flash-lite", Effort::Minimal),
        ] {
            assert_eq!(Effort::None.spoken(tongue, model), least, "{model}");
        }
        assert_eq!(Effort::Minimal.spoken(Tongue::Anthropic, "m"), Effort::Low);
        assert_eq!(Effort::Minimal.spoken(Tongue::Gemini, "gemini-2.5-pro"), Effort::Low);
    }
}
