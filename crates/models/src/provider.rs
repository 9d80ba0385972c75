//! Language models of others, whoever runs them: one way to ask, one stream of answers.
//!
//! A [`Provider`] takes an [`Ask`] and gives [`Delta`]s as they come. What each of them
//! wants to be sent and how it spells its answers is pure and stands in one file a
//! protocol ([`chat`], [`responses`], [`anthropic`], [`gemini`]); [`sse`] cuts a stream
//! into events; the line itself is `far`, behind the feature `cloud`. [`order`] asks one
//! after another, with patience and a memory of who failed.
//!
//! Nothing in here acts. What a model proposes is a proposal like any other.

pub mod anthropic;
pub mod breaker;
pub mod chat;
pub mod cost;
pub mod effort;
#[cfg(feature = "cloud")]
mod far;
pub mod fold;
pub mod gemini;
pub mod ids;
pub mod lean;
pub mod manners;
pub mod measure;
pub mod murmur;
pub mod near;
pub mod notes;
#[cfg(feature = "cloud")]
pub mod order;
#[cfg(feature = "cloud")]
pub mod place;
pub mod responses;
pub mod retry;
pub mod sse;
pub mod thoughts;
pub mod tongue;
pub mod trouble;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use serde_json::{Map, Value};

pub use self::effort::Effort;
#[cfg(feature = "cloud")]
pub use self::far::{Far, Line, Patience};
pub use self::fold::Answer;
#[cfg(feature = "cloud")]
pub use self::order::{Order, Used};
pub use self::thoughts::{Kept, Thoughts};
pub use self::tongue::Tongue;
pub use self::trouble::Trouble;

/// What a model is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ask {
    /// What does not change from one sentence to the next; providers keep it warm.
    pub system: String,
    pub messages: Vec<Message>,
    pub tools: Tools,
    /// What the answer has to look like, where it is not for people.
    pub shape: Option<Shape>,
    pub most_tokens: u32,
    /// Asks with the same key share what is kept warm, where that is offered.
    pub cache_key: Option<String>,
}

/// About so many characters are a token, where nobody has counted.
pub(crate) const CHARS_A_TOKEN: usize = 4;

impl Ask {
    /// Whether it gives back what somebody thought.
    #[cfg(feature = "cloud")]
    fn has_thoughts(&self) -> bool {
        let thought = |message: &Message| match message {
            Message::Model { thoughts, .. } => !thoughts.is_empty(),
            Message::Person(_) | Message::Brought { .. } => false,
        };
        self.messages.iter().any(thought)
    }

    /// What it costs to ask it, as long as nobody has counted.
    pub fn guess(&self) -> Usage {
        Usage { input: self.rough_tokens(), ..Usage::default() }
    }

    /// How many tokens this is, about.
    fn rough_tokens(&self) -> u64 {
        let said = |message: &Message| match message {
            Message::Person(text) | Message::Brought { result: text, .. } => text.len(),
            Message::Model { text, calls, .. } => {
                text.len() + calls.iter().map(|call| call.args.to_string().len()).sum::<usize>()
            }
        };
        let length =
            self.system.len() + self.messages.iter().map(said).sum::<usize>() + self.tools.length;
        u64::try_from(length.div_ceil(CHARS_A_TOKEN)).unwrap_or(u64::MAX)
    }
}

/// One thing that was said, by whom.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    Person(String),
    Model {
        text: String,
        calls: Vec<Call>,
        /// What it thought before, for itself alone.
        thoughts: Thoughts,
    },
    /// What a tool brought for the call with this id.
    Brought {
        id: String,
        tool: String,
        result: String,
    },
}

impl Message {
    /// What a model said, and nothing else.
    pub fn said(text: impl Into<String>) -> Self {
        Self::Model { text: text.into(), calls: Vec::new(), thoughts: Thoughts::default() }
    }
}

/// What is said; what is blank says nothing, and not everybody takes it.
pub(crate) fn words(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

/// A tool that the model wants used, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub id: String,
    pub tool: String,
    pub args: Value,
}

impl Call {
    /// Its arguments, for who takes nothing but an object: of what is none, nothing is left.
    /// What was wrong with it is told with what it brought.
    fn fields(&self) -> Value {
        if self.args.is_object() { self.args.clone() } else { Map::new().into() }
    }
}

/// The tools that a model is told of. They are the same in every question, so they are
/// measured and spelled out once, and shared.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    specs: Arc<[ToolSpec]>,
    /// In bytes, about.
    length: usize,
    /// In each tongue that somebody has asked in.
    spelled: Arc<[OnceLock<String>; Tongue::ALL.len()]>,
}

impl Tools {
    /// As JSON, the way they are sent in this tongue.
    fn spelled(&self, tongue: Tongue) -> &str {
        let spelled = || tongue.tools(&self.specs).to_string();
        self.spelled[tongue as usize].get_or_init(spelled)
    }
}

impl PartialEq for Tools {
    fn eq(&self, other: &Self) -> bool {
        self.specs == other.specs
    }
}

impl From<Vec<ToolSpec>> for Tools {
    fn from(specs: Vec<ToolSpec>) -> Self {
        let spelled = |tool: &ToolSpec| {
            tool.name.len() + tool.description.len() + tool.schema.to_string().len()
        };
        let length = specs.iter().map(spelled).sum();
        Self { specs: specs.into(), length, ..Self::default() }
    }
}

impl Deref for Tools {
    type Target = [ToolSpec];

    fn deref(&self) -> &[ToolSpec] {
        &self.specs
    }
}

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    pub schema: Value,
}

/// A JSON schema with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub name: String,
    pub schema: Value,
}

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    Text(String),
    /// A piece of a call. `index` tells calls apart; the first piece has its name.
    Call {
        index: usize,
        id: Option<String>,
        tool: Option<String>,
        args: String,
    },
    /// What it has cost so far. Each replaces the one before.
    Usage(Usage),
    /// What it thought, as it wants it back.
    Kept(Kept),
    /// How sure it was of what it said, from 0 to 1; only who samples itself knows.
    Confidence(f32),
    End(End),
}

impl Delta {
    /// Whether there is anything in it that an answer is made of.
    pub fn says(&self) -> bool {
        match self {
            Self::Text(text) => !text.is_empty(),
            Self::Call { .. } | Self::End(_) => true,
            Self::Usage(_) | Self::Kept(_) | Self::Confidence(_) => false,
        }
    }

    /// How many characters of answer are in it.
    pub fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Call { args, tool, .. } => args.len() + tool.as_ref().map_or(0, String::len),
            Self::Usage(_) | Self::Kept(_) | Self::Confidence(_) | Self::End(_) => 0,
        }
    }
}

/// Why an answer is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Said,
    /// It waits for what tools bring.
    Calls,
    /// There was no room for more.
    TooLong,
    /// The provider would not let it say that.
    Withheld,
}

/// Tokens. Those that were kept warm are among `input`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub input: u64,
    pub cached: u64,
    pub output: u64,
    /// Put into the warm place, where that has a price of its own. Among `input` too.
    pub written: u64,
    /// In millionths of a dollar, where the provider says so itself.
    pub cost_micros: Option<u64>,
}

/// Gives an answer piece by piece. Whoever drops it hangs up.
#[async_trait]
pub trait Deltas: Send {
    /// `None` once it is over.
    async fn next(&mut self) -> Result<Option<Delta>, Trouble>;
    /// What the provider calls it, where that is known only once it has begun.
    fn request_id(&self) -> Option<String> {
        None
    }
}

/// An answer that has begun.
pub struct Answering {
    /// What the provider calls this request, for whoever asks it about one.
    pub request_id: Option<String>,
    pub deltas: Box<dyn Deltas>,
}

/// What was found when a provider was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Of how many it tells.
    pub models: usize,
}

/// How long somebody who does not begin to answer is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Somebody else is left who may be quicker.
    Briefly,
    /// Nobody is: who is slow, and hung up on, is as slow when asked again.
    Patiently,
}

/// Somebody who runs a model.
#[async_trait]
pub trait Provider: Send + Sync {
    /// What people call it: `anthropic`.
    fn name(&self) -> &str;
    fn model(&self) -> &str;
    async fn ask(&self, ask: &Ask) -> Result<Answering, Trouble>;
    /// The same, with so much patience. Where it does not answer, what it calls the request is left in `request_id`,
    /// if it said so.
    async fn ask_noting(
        &self,
        ask: &Ask,
        _wait: Wait,
        request_id: &mut Option<String>,
    ) -> Result<Answering, Trouble> {
        let answering = self.ask(ask).await?;
        request_id.clone_from(&answering.request_id);
        Ok(answering)
    }
    /// Is it there, does it take the key, has it the model? Costs nothing.
    async fn examine(&self) -> Result<Examined, Trouble>;
}

/// Dots are not allowed in names there; ours have no double underscores.
pub(crate) fn outward(tool: &str) -> String {
    tool.replace('.', "__")
}

/// And back.
pub(crate) fn inward(tool: &str) -> String {
    tool.replace("__", ".")
}

/// What is called for elsewhere has an id that everybody takes: a signature is longer, and
/// has signs that not all of them know.
pub(crate) fn plain_id(id: &str) -> String {
    let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let plain: String = id.chars().filter(fits).take(40).collect();
    if plain.is_empty() { "call".to_owned() } else { plain }
}
