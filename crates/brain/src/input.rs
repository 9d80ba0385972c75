//! What a client can want of a session, whatever dialect it speaks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::confirmation::Channel;
use crate::ids::{MessageId, TurnId};
use crate::snapshot::{Cursor, Speaking};

/// One thing a client asked for. A dialect decodes frames into these; the
/// session never sees a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Typed words.
    Text { text: String, attachments: Vec<String> },
    /// A piece of sound.
    Audio(Sound),
    /// The client says that the person is done speaking.
    AudioEnd { reason: AudioEndReason },
    /// Stop talking. Names the turn it means, so that an old interrupt cannot
    /// stop a new turn.
    Interrupt { turn: Option<TurnId>, heard_ms: Option<u64> },
    /// So much of a message was heard by now.
    Played(Speaking),
    /// A message is to be heard once more, from the sentence on in which this character
    /// stands; pressed while it is being said, it stops.
    Replay { message: MessageId, from_chars: usize },
    /// Who the client is, and what it would like.
    Hello(Hello),
    /// What was missed since then; without a cursor, everything there is.
    Resume { cursor: Option<Cursor> },
    /// An answer to a question that decides a write. Kept as it was spelled:
    /// an unknown question and somebody else's are answered alike.
    Answer {
        question: String,
        decision: Decision,
        edited: Option<Map<String, Value>>,
        /// The revision the person has seen; `None` when nobody can tell.
        revision: Option<u32>,
        channel: Channel,
    },
    /// The person is still at it: do not let this question expire.
    Extend { question: String },
    /// Are you there?
    Ping { client_ts: Option<String> },
}

/// What a client can do with sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// Binary frames of its connection hold sound.
    pub binary_audio: bool,
    /// Whether answers are to be spoken to it; unsaid, once it has sent sound itself.
    pub plays_audio: Option<bool>,
    /// It takes our own voice out of what it sends.
    pub cancels_echo: bool,
    /// Who decides that the person is done speaking.
    pub turn_mode: TurnMode,
}

/// Who decides that somebody is done speaking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum TurnMode {
    /// Silence does.
    #[default]
    Auto,
    /// `audio.end` does, and nothing else: a key that is held, or a tap.
    Manual,
}

/// PCM as it came in: 16 bit, little endian, interleaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    pub samples: Vec<i16>,
    pub sample_rate_hz: u32,
    pub channels: u16,
}

/// What a client was told of sound that nobody takes. A microphone sends fifty frames a
/// second, all of one kind: that is said once, until they are of another kind or right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedSound {
    /// The kind of sound that was refused last: its rate and channels.
    last: Option<(u32, u16)>,
    told: u8,
}

impl RefusedSound {
    /// Whoever changes it from frame to frame is not told for ever.
    pub const MOST_TOLD: u8 = 8;

    /// Whether this kind is worth a word; from now on it was told.
    pub fn is_news(&mut self, sample_rate_hz: u32, channels: u16) -> bool {
        let kind = Some((sample_rate_hz, channels));
        if self.last == kind || self.told >= Self::MOST_TOLD {
            return false;
        }
        self.last = kind;
        self.told += 1;
        true
    }

    pub fn is_right(&mut self) {
        self.last = None;
    }
}

/// Why the client thinks so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioEndReason {
    EndOfSpeech,
    ManualStop,
    Timeout,
}

/// What the person decided about exactly what was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Accept,
    Reject,
    Edit,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_kind_of_wrong_sound_is_told_once_and_many_kinds_not_for_ever() {
        let mut refused = RefusedSound::default();
        assert!(refused.is_news(7_000, 1));
        assert!(!refused.is_news(7_000, 1));
        assert!(refused.is_news(7_000, 3) && refused.is_news(7_000, 1));
        refused.is_right();
        assert!(refused.is_news(7_000, 1), "it was right in between");

        let told = (0..1_000).filter(|&rate| refused.is_news(rate, 1)).count();
        assert_eq!(told + 4, usize::from(RefusedSound::MOST_TOLD));
    }
}
