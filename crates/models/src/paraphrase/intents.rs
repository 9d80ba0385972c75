//! The kinds of request a paraphrase may be of, and what follows from each.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::gist::NotYet;

/// One kind of request.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    pub name: String,
    /// What the rules read instead, with places for {person} and {when}.
    #[serde(default)]
    pub canonical: Option<String>,
    /// What stands at {when} where no time was named.
    #[serde(default)]
    pub unless_said: Option<String>,
    /// A request that would write is never made up; it is asked about.
    #[serde(default)]
    pub question: Option<String>,
    #[serde(default)]
    not_yet: Option<Impossible>,
    pub sounds_like: Vec<String>,
}

/// Something there is no tool for yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Impossible {
    TidyMail,
}

impl Intent {
    /// Is this word among our own examples?
    pub fn says(&self, word: &str) -> bool {
        let mut words = self.sounds_like.iter().flat_map(|example| example.split(' '));
        words.any(|said| said.eq_ignore_ascii_case(word))
    }

    pub fn not_yet(&self) -> Option<NotYet> {
        Some(match self.not_yet? {
            Impossible::TidyMail => NotYet::Tidy,
        })
    }
}

/// All of them, from the file that ships with the crate.
pub fn intents() -> &'static [Intent] {
    #[derive(Deserialize)]
    struct File {
        intent: Vec<Intent>,
    }
    static INTENTS: LazyLock<Vec<Intent>> = LazyLock::new(|| {
        let file: File = toml::from_str(include_str!("../../corpus/paraphrases.toml"))
            .expect("the examples ship with the crate and a test reads them");
        file.intent
    });
    &INTENTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{corpus, reflex};

    #[test]
    fn what_the_rules_are_given_instead_is_something_they_can_read() {
        let world = corpus::world();
        for intent in intents() {
            let Some(canonical) = &intent.canonical else { continue };
            let filled = canonical.replace("{person}", "Priya").replace("{when}", "tomorrow");
            let read = reflex::read(&filled, &world);
            assert!(!read.proposal.steps.is_empty(), "{filled}");
            assert!(read.question.is_none() && !read.gist.writes(), "{filled}");
        }
    }

    #[test]
    fn every_kind_of_request_leads_to_one_thing_at_most() {
        for intent in intents() {
            let ways =
                [intent.canonical.is_some(), intent.question.is_some(), intent.not_yet.is_some()];
            assert!(ways.iter().filter(|way| **way).count() <= 1, "{}", intent.name);
            assert!(intent.sounds_like.len() >= 6, "{}", intent.name);
            let words = intent.question.iter().flat_map(|question| question.split(' ')).count();
            assert!(words <= 12, "{:?} is too long to be heard", intent.question);
        }
    }
}
