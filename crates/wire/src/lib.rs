//! Dialects: frames to inputs, envelopes to frames. No I/O.
//!
//! A dialect keeps its spelling to itself. What it hands on is an [`Input`];
//! what it gets is an [`Envelope`]. Golden files pin both directions.

use brain::{Envelope, Event, Input};

pub mod canonical;
pub mod depth;
pub mod schema;

/// What travels on a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    Text(String),
    Binary(Vec<u8>),
}

/// An input and the name its sender gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// The client's own id for the frame; answers and errors refer to it.
    pub event_id: Option<String>,
    pub input: Input,
}

/// A frame that means nothing. It is answered and forgotten; the session goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Malformed {
    pub code: &'static str,
    pub message: String,
    /// The frame's `event_id`, where one could be read.
    pub in_reply_to: Option<String>,
}

impl Malformed {
    fn for_people(&self) -> &'static str {
        match self.code {
            "empty_text" => "There was nothing in that message.",
            "text_too_long" => "That message is too long for me. Could you split it?",
            "too_many_attachments" => "Those are too many attachments for one message.",
            "protocol_unsupported" => "This app is too old or too new for me. Please update it.",
            "bad_audio" => "I could not make out that audio.",
            _ => "I could not read that message from your app.",
        }
    }

    /// How the session answers it.
    pub fn into_event(self) -> Event {
        Event::Failed {
            user_message: self.for_people().into(),
            code: self.code.into(),
            message: self.message,
            retryable: false,
            in_reply_to: self.in_reply_to,
        }
    }
}

/// One way of talking to Sayso.
pub trait Dialect: Send {
    fn decode(&mut self, frame: Frame) -> Result<Vec<Received>, Malformed>;
    /// Empty when the dialect has no word for it.
    fn encode(&mut self, envelope: &Envelope) -> Vec<Frame>;
}
