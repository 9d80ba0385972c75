//! What tools report, in a shape that narrators and screens can rely on.
//!
//! A tool turns what its provider says into these; a narrator turns these into
//! sentences. Neither knows the other.

use jiff::{Timestamp, Zoned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{SessionId, TurnId};

/// Somebody, as mail and calendars know them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Person {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub address: String,
}

impl Person {
    /// What to call them: the name, or the address where there is none.
    pub fn called(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.address)
    }
}

/// A stretch of time; `start` belongs to it, `end` does not. The zone is
/// always there: `2026-11-16T00:00:00-08:00[America/Los_Angeles]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DateRange {
    #[schemars(with = "String")]
    pub start: Zoned,
    #[schemars(with = "String")]
    pub end: Zoned,
}

/// A mail as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Letter {
    pub message_id: String,
    pub thread_id: String,
    pub from: Person,
    pub to: Vec<Person>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cc: Vec<Person>,
    pub subject: String,
    /// The first words of the text.
    pub snippet: String,
    #[schemars(with = "String")]
    pub sent_at: Timestamp,
    pub unread: bool,
    pub labels: Vec<String>,
}

/// What `gmail.search` found, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Letters {
    pub messages: Vec<Letter>,
    /// How many match in all; more than `messages` when the list was cut.
    pub total: u32,
}

/// What `gmail.get_message` brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenedLetter {
    pub message: Letter,
    pub body_text: String,
}

/// Something on the calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Meeting {
    pub event_id: String,
    pub title: String,
    #[schemars(with = "String")]
    pub start: Zoned,
    #[schemars(with = "String")]
    pub end: Zoned,
    #[serde(default)]
    pub all_day: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attendees: Vec<Person>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Other events of the list that run at the same time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts_with: Vec<String>,
    /// Whose it is, where somebody else has invited the person to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organizer: Option<Person>,
    /// It is one of several that repeat.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeats: bool,
}

/// What `calendar.list_events` found, earliest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Agenda {
    pub date_range: DateRange,
    pub events: Vec<Meeting>,
    /// How many match in all; more than `events` when the list was cut.
    pub total: u32,
    /// Where nothing is called so: what sounds like it, the likeliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<Meeting>,
}

/// What `calendar.find_free_slots` found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FreeSlots {
    pub date_range: DateRange,
    pub duration_minutes: u32,
    /// Each at least as long as asked for, earliest first.
    pub slots: Vec<DateRange>,
    /// What stands in the way within the range.
    pub busy: Vec<Meeting>,
}

/// What `gmail.draft_reply` left in the drafts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Drafted {
    pub draft_id: String,
    pub thread_id: String,
    /// The mail that it answers.
    pub in_reply_to: String,
    pub to: Vec<Person>,
    pub subject: String,
    pub body: String,
}

/// What `gmail.create_draft` left in the drafts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewDraft {
    pub draft_id: String,
    pub thread_id: String,
    pub to: Vec<Person>,
    pub subject: String,
    pub body: String,
}

/// What `gmail.send` sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sent {
    pub message_id: String,
    pub thread_id: String,
    #[schemars(with = "String")]
    pub sent_at: Timestamp,
    pub to: Vec<Person>,
}

/// What `calendar.create_event` put on the calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Booked {
    pub event_id: String,
    pub title: String,
    #[schemars(with = "String")]
    pub start: Zoned,
    #[schemars(with = "String")]
    pub end: Zoned,
    pub attendees: Vec<Person>,
}

/// What `calendar.cancel_event` took off the calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cancelled {
    pub event_id: String,
    pub title: String,
    #[schemars(with = "String")]
    pub start: Zoned,
    #[schemars(with = "String")]
    pub end: Zoned,
    pub attendees: Vec<Person>,
}

/// What `calendar.move_event` put at another time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    pub event_id: String,
    pub title: String,
    #[schemars(with = "String")]
    pub start: Zoned,
    #[schemars(with = "String")]
    pub end: Zoned,
    pub attendees: Vec<Person>,
    /// When it was before.
    pub moved_from: DateRange,
}

/// Something the person asked to be kept in mind, in their own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    pub memory_id: String,
    pub text: String,
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "MemorySource::is_unknown")]
    pub source: MemorySource,
}

/// Where a memory came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemorySource {
    /// The conversation in which somebody said yes to it; none where a program asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    /// Whose words it is made of, where they are not the person's own: "a mail
    /// from Tom Okafor". Such a memory is a quotation, never a wish of theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived_from: Option<String>,
}

impl MemorySource {
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// What `memory.retrieve` found, the best first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memories {
    pub memories: Vec<Memory>,
    /// How many are what was asked for; more than `memories` when the list was cut.
    /// What is listed behind them only comes near.
    pub total: u32,
    /// None has all the words or means the same; all of these only come near.
    pub loosely: bool,
    /// So many in all have every word that was asked for; they come first.
    #[serde(default)]
    pub worded: u32,
}

impl Memories {
    /// Those that have every word that was asked for.
    pub fn worded(&self) -> &[Memory] {
        &self.memories[..(self.worded as usize).min(self.memories.len())]
    }

    /// The same, or where there is none, those that mean it or come near.
    pub fn asked_for(&self) -> &[Memory] {
        let all = if self.worded > 0 { self.worded } else { self.total };
        &self.memories[..(all as usize).min(self.memories.len())]
    }
}

/// What `memory.suggest_write` would offer to keep. Nothing is kept by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suggested {
    /// As `memory.write` takes it.
    pub memory: String,
    /// Word for word.
    pub known_already: bool,
    /// It was offered before, and once is enough.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub offered_before: bool,
    /// Memory stays out of this conversation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// What says much the same, the nearest first.
    pub alike: Vec<Memory>,
}

/// What `memory.write` kept. Its words are with the memory, so that they are gone
/// from there when it is forgotten; what was said of it stays in the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remembered {
    pub memory_id: String,
    #[schemars(with = "String")]
    pub created_at: Timestamp,
}

/// What `memory.forget` let go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Forgotten {
    pub memory_id: String,
    /// What went with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// Whether this conversation is one that memory stays out of, after `memory.pause`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryPause {
    pub paused: bool,
}

/// One word of a name, and the spelling it is said like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaidLike {
    pub word: String,
    pub like: String,
}

/// How names are said, after `voice.pronounce`, `voice.pronunciations` or
/// `voice.forget_pronunciation`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pronounced {
    /// What was told, asked for, or forgotten.
    pub names: Vec<SaidLike>,
    /// Why nothing was changed, where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<LeftAsIs>,
}

/// Why a name is said as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeftAsIs {
    /// Nobody the person knows is called so.
    Nobody,
    /// It would sound like somebody else's name.
    SomebodyElse,
    /// Several words, and as many sounds for another number of words.
    Uneven,
}

/// How fast the person is spoken to, after `voice.pace`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paced {
    /// Of the voice's own pace; none where it is left to the server.
    pub percent: Option<u16>,
    /// The same before; where both are one, it goes no further.
    pub before: Option<u16>,
}
