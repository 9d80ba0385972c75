//! Somebody who is asked where the rules have no reading.
//!
//! The rules are always asked first. A [`Thinker`] is slower, costs something and may be
//! away; it proposes, and says words as they come. Everything it proposes is checked and
//! goes through the same gate as any other proposal.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use brain::plan::Shelf;

use crate::gatekeeper::Escalation;
use crate::gist::{Chat, Gist};
use crate::provider::notes::Attempt;
use crate::provider::{Call, Message, Trouble, Usage};
use crate::{Understanding, World};

pub use brain::Tier;

/// What is to be thought about.
#[derive(Clone, Copy, Debug)]
pub struct Thinking<'a> {
    pub heard: &'a str,
    pub world: &'a World,
    /// What was called and brought for it so far.
    pub so_far: &'a [Message],
    /// Who is to think: somebody on this machine or somebody elsewhere.
    pub tier: Tier,
    /// Whoever is on this machine may hand it on.
    pub may_escalate: bool,
    /// What the answer has cost that is on its way.
    pub tally: &'a Tally,
}

/// What an answer has cost so far. Whoever stops it finds here what is to be paid.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Option<Use>>);

impl Tally {
    /// An answer has begun; nothing of it is on record yet.
    pub fn begins(&self, used: Use) {
        *self.so_far() = Some(used);
    }

    /// It goes on.
    pub fn goes_on(&self, change: impl FnOnce(&mut Use)) {
        if let Some(used) = &mut *self.so_far() {
            change(used);
        }
    }

    /// What is not on record, once; whoever takes it puts it there.
    pub fn taken(&self, error_code: Option<&'static str>) -> Option<Use> {
        let used = self.so_far().take()?;
        Some(Use { error_code, ..used })
    }

    fn so_far(&self) -> MutexGuard<'_, Option<Use>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// Steps, a question, or neither: then it was said.
    pub understanding: Understanding,
    /// The steps as the model called them, to tell it what they brought.
    pub calls: Vec<Call>,
    /// What it said, as it was shown.
    pub said: String,
    pub uses: Vec<Use>,
    /// It is handed on to somebody elsewhere, and nothing above is done.
    pub escalates: Option<Escalation>,
}

/// One question to a model, for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    pub tier: Tier,
    pub provider: String,
    pub model: String,
    pub request_id: Option<String>,
    pub tries: u32,
    pub usage: Usage,
    pub cost_micros: u64,
    pub first_us: Option<u64>,
    pub took_us: u64,
    pub error_code: Option<&'static str>,
    /// Why what it planned was not even looked at further: a code.
    pub refused: Option<&'static str>,
}

impl Use {
    /// Somebody was asked and did not begin to answer. Who refuses has done nothing; who is
    /// slow, or was stopped, has read what was asked all the same, which is `guessed`.
    pub fn in_vain(attempt: Attempt, tier: Tier, guessed: Usage, took_us: u64) -> Self {
        let Attempt { provider, model, tries, request_id, error_code } = attempt;
        let has_read =
            matches!(error_code, Some("model_timeout" | "model_cut_off" | "interrupted"));
        Self {
            tier,
            provider,
            model,
            request_id,
            tries,
            usage: if has_read { guessed } else { Usage::default() },
            cost_micros: 0,
            first_us: None,
            took_us,
            error_code,
            refused: None,
        }
    }
}

/// Why nothing came of it, and what it cost all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoThought {
    pub because: Trouble,
    pub uses: Vec<Use>,
}

/// Hears words as they come.
pub type Say<'a> = &'a mut (dyn FnMut(&str) + Send);

#[async_trait]
pub trait Thinker: Send + Sync {
    /// Whether anybody of this tier can be asked.
    fn has(&self, tier: Tier) -> bool;
    /// One round: what is to be done next, or the answer. Words go to `say` at once.
    async fn think(
        &self,
        thinking: &Thinking<'_>,
        shelf: &(dyn Shelf + Sync),
        say: Say<'_>,
    ) -> Result<Thought, NoThought>;
}

/// What the rules decline, and what needs nothing but words.
const WORDS_ALONE: [&str; 6] = [
    "answer general questions",
    "cook",
    "do sums",
    "look things up on the web",
    "tell jokes",
    "translate",
];

/// Why the rules' reading leaves something to think about; nothing, where it does not.
pub fn beyond_rules(understanding: &Understanding) -> Option<&'static str> {
    let is_lost = |gist: &Gist| matches!(gist, Gist::Chat(Chat::Lost));
    let is_missed = |gist: &Gist| matches!(gist, Gist::Chat(Chat::Missed(_)));
    match &understanding.gist {
        _ if understanding.question.is_some() || understanding.answers => None,
        gist if is_lost(gist) => Some("no_reading"),
        Gist::Chat(Chat::OutOfReach(what)) if WORDS_ALONE.contains(what) => Some("words_alone"),
        Gist::Several(parts) if parts.iter().any(is_lost) => Some("partly_read"),
        Gist::Several(parts) if parts.iter().any(is_missed) => Some("partly_read"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_rules_read_is_left_to_them() {
        let of = |chat| beyond_rules(&Understanding::of(Gist::Chat(chat)));
        assert_eq!(of(Chat::Lost), Some("no_reading"));
        assert_eq!(of(Chat::OutOfReach("tell jokes")), Some("words_alone"));
        assert_eq!(of(Chat::OutOfReach("buy things")), None);
        assert_eq!(of(Chat::Hello), None);
        let several = Gist::Several(vec![Gist::Glance, Gist::Chat(Chat::Missed("x".into()))]);
        assert_eq!(beyond_rules(&Understanding::of(several)), Some("partly_read"));
        let asked = Understanding { answers: true, ..Understanding::of(Gist::Chat(Chat::Lost)) };
        assert_eq!(beyond_rules(&asked), None);
    }
}
