//! What is meant, and how it is said.
//!
//! A [`Mind`] reads a sentence and proposes what to do; later it is told what
//! was done and puts it into words. It never does anything itself, and what it
//! proposes is checked by `brain::plan` before anybody acts on it.
//!
//! Around a write:
//!
//! - [`narrator::card`] asks before it ([`narrator::card::ask`]), names it in
//!   passing and says what a change has changed;
//! - [`reflex::reply`] reads what is said while a card is open: a yes, a no, a
//!   change, a question about it, or something else altogether;
//! - [`narrator::outcome`] tells how it ended, from its recorded state alone.
//!
//! Where the rules are unsure, [`paraphrase`] may know what a sentence means. Where they
//! have no reading at all, a [`thinker`] is asked, where one is set up: [`planner`] over
//! the models of [`provider`], with [`guard`] between it and whoever listens. One on this
//! machine comes before one elsewhere ([`gatekeeper`]). Small questions with few answers are
//! put to an [`interpreter`]. A voice that hears, thinks and speaks by itself is [`realtime`].

use async_trait::async_trait;
use brain::plan::Proposal;
use brain::resolve::keywords::Keywords;
use brain::resolve::people::People;
use brain::{CallError, Profile};
use jiff::Zoned;
use serde_json::Value;

pub mod corpus;
pub mod digest;
pub mod focus;
pub mod gatekeeper;
pub mod gist;
pub mod guard;
pub mod interpreter;
pub mod narrator;
#[cfg(feature = "paraphrase")]
pub mod paraphrase;
pub mod planner;
pub mod provider;
pub mod realtime;
pub mod record;
pub mod reflex;
pub mod rewording;
pub mod thinker;
pub mod transcription;

pub use focus::{Awaited, Choice, Focus, Unclear};
pub use gatekeeper::Escalation;
pub use gist::Gist;
pub use record::Record;
pub use reflex::Reflex;
pub use thinker::{NoThought, Thinker, Thinking, Thought, Tier};

/// What a listener knows when it hears a sentence.
#[derive(Clone, Debug)]
pub struct World {
    pub now: Zoned,
    pub profile: Profile,
    pub contacts: People,
    /// Words of theirs that ears may not know.
    pub keywords: Keywords,
    /// What was last shown, for "the second one".
    pub focus: Focus,
}

/// One reading of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Understanding {
    /// Empty when nothing has to be looked up.
    pub proposal: Proposal,
    /// Said at once, before any tool: at most eight words, specific.
    pub acknowledgement: Option<String>,
    /// One short question, when the sentence cannot be acted on without it.
    pub question: Option<String>,
    /// The answers it can have, where they can be counted.
    pub choices: Vec<Choice>,
    /// What would fill the hole in the request, where anything could.
    pub awaited: Option<Awaited>,
    /// The sentence as it was read in the end, where something is looked up;
    /// "and on Friday?" asks it again.
    pub request: Option<String>,
    /// What of the sentence can only be read once the steps have brought what
    /// they look for: "reply to him", when the mail is not looked through yet.
    pub rest: Option<String>,
    /// It answers what was asked before, which is settled with that.
    pub answers: bool,
    /// What was asked before and is still open, asked once more behind the answer.
    pub asks_again: Option<String>,
    /// What the question was about that is given up by this, as it is told.
    pub left: Option<String>,
    /// What the answer should be about.
    pub gist: Gist,
}

/// Why a sentence that was answered was not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// It was answered with a question.
    NeedsAnswer,
    NotUnderstood,
    /// It was understood, and this version cannot do it.
    NotPossible,
}

impl Understanding {
    /// An answer to `gist`, with nothing to look up.
    pub fn of(gist: Gist) -> Self {
        Self {
            proposal: Proposal::default(),
            acknowledgement: None,
            question: None,
            choices: Vec::new(),
            awaited: None,
            request: None,
            rest: None,
            answers: false,
            asks_again: None,
            left: None,
            gist,
        }
    }

    /// What is left of one whose plan was refused.
    pub fn misunderstood() -> Self {
        let question = "I didn't get that right. Could you say it another way?".to_owned();
        Self { question: Some(question), ..Self::of(Gist::Question) }
    }

    /// Something was asked in between, and is answered: what was asked of the
    /// person before stays open.
    pub fn is_aside(&self) -> bool {
        !self.answers && self.question.is_none() && self.rest.is_none() && self.gist.is_aside()
    }

    /// What the person still waits for after the answer, if anything.
    pub fn unmet(&self) -> Option<Unmet> {
        match &self.gist {
            _ if self.question.is_some() => Some(Unmet::NeedsAnswer),
            Gist::Chat(gist::Chat::Lost | gist::Chat::Misread) => Some(Unmet::NotUnderstood),
            Gist::Chat(gist::Chat::NotYet(_)) => Some(Unmet::NotPossible),
            // Nothing of it was done.
            Gist::Several(parts) if parts.iter().all(|part| matches!(part, Gist::Chat(_))) => {
                let unable = |part: &Gist| matches!(part, Gist::Chat(gist::Chat::NotYet(_)));
                parts.iter().any(unable).then_some(Unmet::NotPossible)
            }
            _ => None,
        }
    }
}

/// What became of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub tool: String,
    pub result: Result<Value, CallError>,
}

/// Reads sentences and writes them.
#[async_trait]
pub trait Mind: Send + Sync {
    async fn understand(&self, heard: &str, world: &World) -> Understanding;
    /// Plain text. Empty only where the card of a write is all there is to
    /// tell. `done` has one entry for each step that was tried.
    async fn tell(&self, understanding: &Understanding, done: &[Done], world: &World) -> String;
}

impl World {
    /// Now, where the person is: `now` may carry a server's zone.
    pub fn local_now(&self) -> Zoned {
        self.now.with_time_zone(self.profile.zone())
    }
}
