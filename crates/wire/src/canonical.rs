//! The canonical dialect: one JSON envelope a frame, both ways.
//!
//! What the server sends is exactly what the log holds, so encoding is
//! serialising. What clients send is spelled in `FromClient`, which does not
//! leave this crate.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use brain::confirmation::Channel;
use brain::event::Question;
use brain::input::{AudioEndReason, Decision, Hello, RefusedSound, Sound, TurnMode};
use brain::snapshot::{PROTOCOL, Speaking};
use brain::{ConfirmationId, Cursor, Envelope, Event, Input, MessageId, SessionId, TurnId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::depth::is_too_deep;
use crate::{Dialect, Frame, Malformed, Received};

/// Longer typed messages are refused; that is about four pages.
pub const LONGEST_TEXT: usize = 8_000;
const MOST_ATTACHMENTS: usize = 20;
/// Beyond it JavaScript does not tell whole numbers apart.
const LARGEST_NUMBER: u64 = 1 << 53;
const LONGEST_EVENT_ID: usize = 128;
/// Cards whose revisions are remembered; older ones have long expired.
const MOST_CARDS: usize = 64;
const SAMPLE_RATES_HZ: std::ops::RangeInclusive<u32> = 8_000..=48_000;

/// Every event that a client may send.
#[derive(Clone, Debug, Deserialize, JsonSchema, TS)]
#[serde(tag = "event_type", content = "payload")]
#[schemars(rename = "ClientEvent")]
#[ts(rename = "ClientEvent")]
#[expect(
    dead_code,
    reason = "`source`, `reason` and `client` are spelled for clients; nothing depends on them"
)]
pub(crate) enum FromClient {
    #[serde(rename = "text.input")]
    TextInput {
        text: String,
        #[serde(default)]
        #[ts(optional)]
        source: Option<String>,
        #[serde(default)]
        #[ts(as = "Option<Vec<String>>", optional)]
        attachments: Vec<String>,
    },
    #[serde(rename = "audio.chunk")]
    AudioChunk { pcm16_b64: String, sample_rate: u32, channels: u16 },
    #[serde(rename = "audio.end")]
    AudioEnd { reason: EndReason },
    #[serde(rename = "confirm.response")]
    ConfirmResponse {
        confirmation_request_id: String,
        decision: Choice,
        #[serde(default)]
        #[ts(optional, type = "Record<string, unknown>")]
        edited_payload: Option<Map<String, Value>>,
        /// The revision the person has seen. Without it, the only one that was
        /// sent on this connection.
        #[serde(default)]
        #[ts(optional)]
        revision: Option<u32>,
        /// How the person answered: a button or a key on the card.
        #[serde(default)]
        #[ts(optional)]
        channel: Option<Touch>,
    },
    /// Keeps a card open while somebody reads or edits it.
    #[serde(rename = "confirm.extend")]
    ConfirmExtend { confirmation_request_id: String },
    #[serde(rename = "user.interrupt")]
    UserInterrupt {
        #[serde(default)]
        #[ts(optional)]
        reason: Option<String>,
        #[serde(default)]
        #[ts(optional, type = "string")]
        cancel_turn_id: Option<TurnId>,
        /// How much of the answer was heard.
        #[serde(default)]
        #[ts(optional, type = "number")]
        heard_ms: Option<u64>,
    },
    /// So much of a spoken message was heard by now.
    #[serde(rename = "playback.progress")]
    PlaybackProgress {
        #[ts(type = "string")]
        message_id: MessageId,
        #[ts(type = "number")]
        heard_ms: u64,
    },
    /// A message is to be heard once more; sent again while it is being said, it stops.
    #[serde(rename = "playback.replay")]
    PlaybackReplay {
        #[ts(type = "string")]
        message_id: MessageId,
        /// So many characters of it were heard: it goes on with the sentence in which the
        /// next one stands. Without it, it is said from its beginning.
        #[serde(default)]
        #[ts(optional)]
        from_chars: Option<u32>,
    },
    /// Who the client is and what it would like; answered by `session.ready`.
    #[serde(rename = "session.hello")]
    SessionHello {
        /// The version of this dialect that the client speaks.
        #[serde(default)]
        #[ts(optional)]
        protocol: Option<u32>,
        /// Binary frames of this connection hold sound in this format.
        #[serde(default)]
        #[ts(optional)]
        binary_audio: Option<BinaryAudio>,
        /// Speak answers to this client. Unsaid, it is spoken to once it has sent sound.
        #[serde(default)]
        #[ts(optional)]
        plays_audio: Option<bool>,
        /// The client takes the assistant's own voice out of what it sends.
        #[serde(default)]
        #[ts(optional)]
        cancels_echo: Option<bool>,
        /// Who decides that somebody is done speaking: silence, or `audio.end` alone.
        #[serde(default)]
        #[ts(optional)]
        turn_mode: Option<TurnMode>,
        #[serde(default)]
        #[ts(optional)]
        client: Option<String>,
    },
    /// What was missed since then; without a cursor, everything there is.
    #[serde(rename = "session.resume")]
    SessionResume {
        #[serde(default)]
        #[ts(optional, type = "number")]
        epoch: Option<u64>,
        #[serde(default)]
        #[ts(optional, type = "number")]
        last_seq: Option<u64>,
    },
    #[serde(rename = "session.ping")]
    SessionPing {
        #[serde(default)]
        #[ts(optional)]
        client_ts: Option<String>,
    },
}

const CLIENT_EVENTS: [&str; 11] = [
    "text.input",
    "audio.chunk",
    "audio.end",
    "confirm.response",
    "confirm.extend",
    "user.interrupt",
    "playback.progress",
    "playback.replay",
    "session.hello",
    "session.resume",
    "session.ping",
];

/// What the binary frames of a connection hold.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, TS)]
pub(crate) struct BinaryAudio {
    sample_rate: u32,
    channels: u16,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EndReason {
    EndOfSpeech,
    ManualStop,
    Timeout,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    Accept,
    Reject,
    Edit,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Touch {
    Click,
    Key,
}

/// One client's side of the conversation.
#[derive(Clone, Debug)]
pub struct Canonical {
    session: SessionId,
    /// The open cards that were sent on this connection, oldest first.
    cards: Vec<Delivered>,
    /// What binary frames hold, once the client has said so.
    binary: Option<BinaryAudio>,
    /// What was complained of about the sound on this connection.
    refused: RefusedSound,
}

/// What a client has seen of a card.
#[derive(Clone, Copy, Debug)]
struct Delivered {
    card: ConfirmationId,
    /// `None` once there was more than one.
    only_revision: Option<u32>,
}

impl Canonical {
    pub fn new(session: SessionId) -> Self {
        Self { session, cards: Vec::new(), binary: None, refused: RefusedSound::default() }
    }
}

impl Dialect for Canonical {
    fn decode(&mut self, frame: Frame) -> Result<Vec<Received>, Malformed> {
        let text = match frame {
            Frame::Text(text) => text,
            Frame::Binary(bytes) => return self.decode_sound(&bytes),
        };
        if is_too_deep(&text) {
            return Err(complaint("too_deep", "the JSON is nested more than 32 deep"));
        }
        let value: Value = serde_json::from_str(&text)
            .map_err(|error| complaint("bad_json", format!("not JSON: {error}")))?;
        let Value::Object(fields) = value else {
            return Err(complaint("bad_json", "an event is a JSON object"));
        };
        let event_id = event_id(&fields)?;
        self.decode_event(fields)
            .map(|input| {
                let received = |input| Received { event_id: event_id.clone(), input };
                input.into_iter().map(received).collect()
            })
            .map_err(|malformed| Malformed { in_reply_to: event_id, ..malformed })
    }

    fn encode(&mut self, envelope: &Envelope) -> Vec<Frame> {
        self.note(&envelope.event);
        vec![Frame::Text(envelope.spelled().to_owned())]
    }
}

impl Canonical {
    fn decode_sound(&self, bytes: &[u8]) -> Result<Vec<Received>, Malformed> {
        let Some(BinaryAudio { sample_rate, channels }) = self.binary else {
            let message = "send JSON in text frames, or say in session.hello what binary ones hold";
            return Err(complaint("binary_unsupported", message));
        };
        let input = Input::Audio(samples(bytes, sample_rate, channels)?);
        Ok(vec![Received { event_id: None, input }])
    }

    /// Remembers which revisions of a card this client has been sent.
    fn note(&mut self, event: &Event) {
        match event {
            Event::AskedToConfirm(question) | Event::QuestionChanged(question) => {
                self.deliver(question);
            }
            Event::Resynced(snapshot) => {
                for pending in &snapshot.pending_confirmations {
                    self.deliver(&pending.question);
                }
            }
            _ => {}
        }
    }

    fn deliver(&mut self, question: &Question) {
        let (card, revision) = (question.confirmation_request_id, question.revision);
        match self.cards.iter_mut().find(|known| known.card == card) {
            Some(known) if known.only_revision == Some(revision) => {}
            Some(known) => known.only_revision = None,
            None => {
                self.cards.push(Delivered { card, only_revision: Some(revision) });
                if self.cards.len() > MOST_CARDS {
                    self.cards.remove(0);
                }
            }
        }
    }

    fn hello(
        &mut self,
        protocol: Option<u32>,
        binary: Option<BinaryAudio>,
        hello: Hello,
    ) -> Result<Input, Malformed> {
        if protocol.is_some_and(|version| version != PROTOCOL) {
            let message = format!("this server speaks version {PROTOCOL} of the protocol");
            return Err(complaint("protocol_unsupported", message));
        }
        if let Some(BinaryAudio { sample_rate, channels }) = binary {
            of_a_kind(sample_rate, channels)?;
        }
        self.binary = binary;
        Ok(Input::Hello(Hello { binary_audio: binary.is_some(), ..hello }))
    }

    fn only_revision(&self, card: &str) -> Option<u32> {
        let card: ConfirmationId = card.parse().ok()?;
        self.cards.iter().find(|known| known.card == card)?.only_revision
    }

    /// `None` for what was complained of already.
    fn decode_event(&mut self, mut fields: Map<String, Value>) -> Result<Option<Input>, Malformed> {
        if let Some(session) = fields.get("session_id").filter(|value| !value.is_null())
            && session.as_str() != Some(self.session.to_string().as_str())
        {
            return Err(complaint("wrong_session", "this connection belongs to another session"));
        }
        let Some(Value::String(kind)) = fields.remove("event_type") else {
            return Err(complaint("bad_event", "event_type is missing"));
        };
        if !CLIENT_EVENTS.contains(&kind.as_str()) {
            let known = CLIENT_EVENTS.join(", ");
            let message = format!("unknown event_type; a client may send {known}");
            return Err(complaint("unknown_event", message));
        }
        let payload = match fields.remove("payload") {
            None | Some(Value::Null) => Value::Object(Map::new()),
            Some(payload) => payload,
        };
        let event = serde_json::json!({ "event_type": kind, "payload": payload });
        let event: FromClient = serde_json::from_value(event)
            .map_err(|error| complaint("bad_payload", format!("{kind}: {error}")))?;
        if let FromClient::AudioChunk { sample_rate, channels, .. } = &event
            && let Err(malformed) = of_a_kind(*sample_rate, *channels)
        {
            let is_news = self.refused.is_news(*sample_rate, *channels);
            return if is_news { Err(malformed) } else { Ok(None) };
        }
        event.into_input(self).map(Some)
    }
}

impl FromClient {
    fn into_input(self, to: &mut Canonical) -> Result<Input, Malformed> {
        Ok(match self {
            Self::TextInput { text, source: _, attachments } => text_input(&text, attachments)?,
            Self::AudioChunk { pcm16_b64, sample_rate, channels } => {
                to.refused.is_right();
                Input::Audio(sound(&pcm16_b64, sample_rate, channels)?)
            }
            Self::AudioEnd { reason } => {
                to.refused = RefusedSound::default();
                Input::AudioEnd { reason: reason.into() }
            }
            Self::ConfirmResponse {
                confirmation_request_id: question,
                decision,
                edited_payload: edited,
                revision,
                channel,
            } => Input::Answer {
                revision: revision.or_else(|| to.only_revision(&question)),
                channel: channel.map_or(Channel::Click, Channel::from),
                decision: decision.into(),
                question,
                edited,
            },
            Self::ConfirmExtend { confirmation_request_id } => {
                Input::Extend { question: confirmation_request_id }
            }
            Self::UserInterrupt { reason: _, cancel_turn_id, heard_ms } => {
                heard_ms.map(played).transpose()?;
                Input::Interrupt { turn: cancel_turn_id, heard_ms }
            }
            Self::PlaybackProgress { message_id, heard_ms } => {
                Input::Played(Speaking { message_id, heard_ms: played(heard_ms)? })
            }
            Self::PlaybackReplay { message_id: message, from_chars } => {
                let from_chars = from_chars.unwrap_or_default() as usize;
                Input::Replay { message, from_chars }
            }
            Self::SessionHello {
                protocol,
                binary_audio,
                plays_audio,
                cancels_echo,
                turn_mode,
                client: _,
            } => {
                let hello = Hello {
                    binary_audio: false,
                    plays_audio,
                    cancels_echo: cancels_echo.unwrap_or_default(),
                    turn_mode: turn_mode.unwrap_or_default(),
                };
                to.hello(protocol, binary_audio, hello)?
            }
            Self::SessionResume { epoch, last_seq } => {
                Input::Resume { cursor: last_seq.map(|last_seq| Cursor { epoch, last_seq }) }
            }
            Self::SessionPing { client_ts } => Input::Ping { client_ts },
        })
    }
}

fn text_input(text: &str, attachments: Vec<String>) -> Result<Input, Malformed> {
    let text = text.trim();
    if text.is_empty() {
        return Err(complaint("empty_text", "text.input needs a text"));
    }
    if text.chars().count() > LONGEST_TEXT {
        let message = format!("a message has at most {LONGEST_TEXT} characters");
        return Err(complaint("text_too_long", message));
    }
    if attachments.len() > MOST_ATTACHMENTS {
        let message = format!("a message has at most {MOST_ATTACHMENTS} attachments");
        return Err(complaint("too_many_attachments", message));
    }
    Ok(Input::Text { text: text.to_owned(), attachments })
}

fn sound(pcm16_b64: &str, sample_rate_hz: u32, channels: u16) -> Result<Sound, Malformed> {
    let bytes = BASE64
        .decode(pcm16_b64)
        .map_err(|error| complaint("bad_audio", format!("pcm16_b64 is not base64: {error}")))?;
    samples(&bytes, sample_rate_hz, channels)
}

/// Whether sound can be so.
fn of_a_kind(sample_rate_hz: u32, channels: u16) -> Result<(), Malformed> {
    if !SAMPLE_RATES_HZ.contains(&sample_rate_hz) {
        return Err(complaint("bad_audio", "sample_rate must be between 8000 and 48000"));
    }
    if !(1..=2).contains(&channels) {
        return Err(complaint("bad_audio", "channels must be 1 or 2"));
    }
    Ok(())
}

fn samples(bytes: &[u8], sample_rate_hz: u32, channels: u16) -> Result<Sound, Malformed> {
    of_a_kind(sample_rate_hz, channels)?;
    if !bytes.len().is_multiple_of(2 * usize::from(channels)) {
        return Err(complaint("bad_audio", "the sound ends in the middle of a sample"));
    }
    let samples = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    Ok(Sound { samples: samples.collect(), sample_rate_hz, channels })
}

/// A number that every client can read back; nothing plays for longer than that.
fn played(heard_ms: u64) -> Result<u64, Malformed> {
    if heard_ms > LARGEST_NUMBER {
        return Err(complaint("bad_payload", format!("heard_ms is at most {LARGEST_NUMBER}")));
    }
    Ok(heard_ms)
}

fn event_id(fields: &Map<String, Value>) -> Result<Option<String>, Malformed> {
    match fields.get("event_id") {
        None | Some(Value::Null) => Ok(None),
        // A name that everything would have is none.
        Some(Value::String(id)) if id.is_empty() => Ok(None),
        Some(Value::String(id))
            if id.len() <= LONGEST_EVENT_ID && !id.contains(char::is_control) =>
        {
            Ok(Some(id.clone()))
        }
        Some(_) => {
            let message = format!(
                "event_id is a text of at most {LONGEST_EVENT_ID} bytes, without control characters"
            );
            Err(complaint("bad_event", message))
        }
    }
}

fn complaint(code: &'static str, message: impl Into<String>) -> Malformed {
    Malformed { code, message: message.into(), in_reply_to: None }
}

impl From<EndReason> for AudioEndReason {
    fn from(reason: EndReason) -> Self {
        match reason {
            EndReason::EndOfSpeech => Self::EndOfSpeech,
            EndReason::ManualStop => Self::ManualStop,
            EndReason::Timeout => Self::Timeout,
        }
    }
}

impl From<Touch> for Channel {
    fn from(touch: Touch) -> Self {
        match touch {
            Touch::Click => Self::Click,
            Touch::Key => Self::Key,
        }
    }
}

impl From<Choice> for Decision {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::Accept => Self::Accept,
            Choice::Reject => Self::Reject,
            Choice::Edit => Self::Edit,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode(text: &str) -> Result<Vec<Received>, Malformed> {
        Canonical::new(SessionId(uuid())).decode(Frame::Text(text.to_owned()))
    }

    fn uuid() -> brain::ids::Uuid {
        brain::ids::Uuid::from_u128(1)
    }

    #[test]
    fn a_frame_for_another_session_is_refused() {
        let session = SessionId(brain::ids::Uuid::from_u128(2));
        let frame = format!(r#"{{"event_type":"session.ping","session_id":"{session}"}}"#);
        assert_eq!(decode(&frame).unwrap_err().code, "wrong_session");
    }

    #[test]
    fn a_complaint_names_the_frame_it_is_about() {
        let error = decode(r#"{"event_id":"evt_9","event_type":"text.input","payload":{}}"#);
        assert_eq!(error.unwrap_err().in_reply_to.as_deref(), Some("evt_9"));
    }

    #[test]
    fn a_text_of_the_greatest_length_is_taken_and_one_more_character_is_not() {
        let frame = |n| {
            let text = "ä".repeat(n);
            format!(r#"{{"event_type":"text.input","payload":{{"text":"{text}"}}}}"#)
        };
        assert!(decode(&frame(LONGEST_TEXT)).is_ok());
        assert_eq!(decode(&frame(LONGEST_TEXT + 1)).unwrap_err().code, "text_too_long");
    }

    proptest! {
        #[test]
        fn no_frame_makes_it_panic(text in any::<String>()) {
            let _ = decode(&text);
        }

        #[test]
        fn no_payload_makes_it_panic(kind in 0..CLIENT_EVENTS.len(), payload in "[\\PC]{0,60}") {
            let _ = decode(&format!(r#"{{"event_type":"{}","payload":{payload}}}"#, CLIENT_EVENTS[kind]));
        }
    }

    #[test]
    fn a_number_that_clients_cannot_read_back_is_refused() {
        for frame in [
            serde_json::json!({
                "event_type": "playback.progress",
                "payload": { "message_id": format!("msg_{:032x}", 1), "heard_ms": u64::MAX },
            }),
            serde_json::json!({ "event_type": "user.interrupt", "payload": { "heard_ms": u64::MAX } }),
        ] {
            assert_eq!(decode(&frame.to_string()).unwrap_err().code, "bad_payload", "{frame}");
        }
    }

    #[test]
    fn a_name_has_no_control_characters() {
        let frame =
            serde_json::json!({ "event_type": "session.ping", "event_id": "run\u{1f}order-7" });
        assert_eq!(decode(&frame.to_string()).unwrap_err().code, "bad_event");
    }
}
