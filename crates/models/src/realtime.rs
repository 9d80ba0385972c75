//! A live voice at the other end of a line: it writes down what it hears, thinks, and
//! speaks, all in one conversation that stays open.
//!
//! Whose turn it is, what may be done and what was heard stays with us: it answers only
//! when it is asked to, what it calls for is a proposal like any other, and it is told
//! where it was cut off. A [`Live`] opens a [`Line`]; on that it is told things ([`Tell`])
//! and has [`News`]. OpenAI's Realtime protocol is spelled in [`spelled`] and kept in order
//! by [`conversation`], both pure; the socket is `socket`, behind the feature `cloud`.
//! Whether it is well enough to be relied on says [`health`].

mod complaints;
pub mod conversation;
pub mod health;
#[cfg(feature = "cloud")]
pub mod socket;
pub mod spelled;

use async_trait::async_trait;

use crate::provider::cost::Price;
use crate::provider::{Call, End, ToolSpec, Trouble, Usage};

/// Samples a second, both ways; each has two bytes and there is one channel.
pub const RATE: u32 = 24_000;
/// Bytes of sound in a millisecond.
pub const BYTES_A_MS: u64 = RATE as u64 * 2 / 1_000;

/// What it is to be for the whole conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub model: String,
    /// What it calls the voice.
    pub voice: String,
    /// Who writes down what it hears, and in which language; empty finds out.
    pub transcription: String,
    pub language: String,
    pub instructions: String,
    pub tools: Vec<ToolSpec>,
    pub prices: Prices,
}

/// What it costs, by what it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    pub text: Price,
    pub sound: Price,
    /// Of whoever writes down what is said.
    pub writing: Price,
    /// The same, where it tells seconds instead of tokens: dollars a minute.
    pub writing_a_minute: f64,
}

/// Something that it is to know of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// The person said it, and it did not hear it.
    Person(String),
    /// The person was told it, and not by it.
    Told(String),
    /// What the next sentence may be about.
    Known(String),
    /// What a tool brought for a call of its own.
    Brought { call: String, tool: String, result: String },
}

/// What a live voice is told. Numbers are ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tell {
    /// More of what is being said.
    Sound(Vec<u8>),
    /// That is all of it so far: it is to be written down under this number.
    Uttered(u64),
    /// What was said under this number was not meant for us.
    Forget(u64),
    /// Nor was what was sent since, and is to be written down under no number.
    Unsay,
    Learn(Vec<Item>),
    /// Think about what was said, and answer under this number.
    Answer(u64),
    /// Say exactly this under this number; it is no part of the conversation.
    Say {
        answer: u64,
        text: String,
    },
    /// Nobody waits for it any more.
    Stop(u64),
    /// So much of it was heard, and no more will be. Whoever reads it may still wait for the
    /// rest of its words.
    Cut {
        answer: u64,
        heard_ms: u64,
    },
    /// Are you there?
    Knock,
}

/// What a live voice has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// The words so far.
    Words {
        uttered: u64,
        text: String,
    },
    /// All of them.
    Written {
        uttered: u64,
        text: String,
    },
    NotWritten {
        uttered: u64,
    },
    /// It cost this to write something down.
    Spent(Usage),
    /// What whoever runs it calls this answer.
    Named {
        answer: u64,
        id: String,
    },
    Said {
        answer: u64,
        text: String,
    },
    Sounded {
        answer: u64,
        pcm: Vec<u8>,
    },
    Called {
        answer: u64,
        call: Call,
    },
    Over {
        answer: u64,
        usage: Usage,
        end: Result<End, Trouble>,
    },
    /// It is there.
    Knocked,
    /// It did not like something; nothing that anybody waits for.
    Complained {
        code: &'static str,
    },
}

/// Somebody who runs a live voice.
#[async_trait]
pub trait Live: Send + Sync {
    fn name(&self) -> &str;
    fn model(&self) -> &str;
    /// Opens a conversation in which this was said before.
    async fn open(&self, before: Vec<Item>) -> Result<Box<dyn Line>, Trouble>;
    /// Is it there, does it take the key, has it the model? Costs nothing.
    async fn examine(&self) -> Result<(), Trouble>;
}

/// An open conversation. Whoever drops it hangs up.
#[async_trait]
pub trait Line: Send {
    async fn tell(&mut self, tell: Tell) -> Result<(), Trouble>;
    /// The next news; may be dropped while it waits.
    async fn next(&mut self) -> Result<News, Trouble>;
}
