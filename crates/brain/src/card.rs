//! What a person sees before a write: exactly what will be done, and for whom.
//!
//! Every field is filled by code from the frozen arguments; no model writes
//! here. A tool makes the [`Preview`], the executor adds where each recipient
//! comes from and what deserves a second look.

use jiff::Zoned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::policy::{Care, Source};

/// A write as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Card {
    /// `send_email`, `create_event`, `cancel_event`, `move_event`, `remember`, `forget`.
    pub action_type: String,
    /// "Send this reply?"
    pub title: String,
    /// The question as it is said aloud; never with words that would be a yes.
    pub speakable: String,
    pub preview: Preview,
    /// What the tool will be called with. An edit names fields of this.
    #[ts(type = "Record<string, unknown>")]
    pub payload: Map<String, Value>,
    /// The fields of the payload that a person may change.
    pub editable: Vec<Field>,
    pub warnings: Vec<Warning>,
    /// How much of a yes it needs.
    pub voice: Care,
}

/// What stands on the card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Preview {
    Email(Box<EmailPreview>),
    Event(Box<EventPreview>),
    Memory(Box<MemoryPreview>),
    /// Anything else, line by line.
    Lines {
        lines: Vec<Line>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EmailPreview {
    pub from: Option<String>,
    pub to: Vec<Recipient>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Recipient>>", optional)]
    pub cc: Vec<Recipient>,
    pub subject: String,
    pub body_text: String,
    /// "Priya Nair, Samples for Thursday": the mail that this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub in_reply_to: Option<String>,
    /// A draft of it stays if the answer is no.
    pub has_draft: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EventPreview {
    pub title: String,
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub start: Zoned,
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub end: Zoned,
    pub minutes: u32,
    /// The person did not say how long.
    pub length_assumed: bool,
    pub attendees: Vec<Recipient>,
    /// Its calendar sends them invitations; where it does not, nobody hears of it by this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub invites_guests: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub location: Option<String>,
    /// What is on the calendar at that time already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub conflicts: Vec<String>,
    /// Where that time is taken: when else on that day it could begin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub free_instead: Vec<Zoned>,
    /// It is on the calendar already, and this becomes of it; none where it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub change: Option<EventChange>,
}

/// What becomes of something that is on the calendar already.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EventChange {
    /// When it is now, where it is to be moved. Where there is none, it is to go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub moved_from: Option<Stretch>,
    /// It is one of several that repeat; the others stay as they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub repeats: bool,
    /// Whose it is, where somebody else has invited the person to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub organizer: Option<String>,
    /// Whether the calendar tells its guests.
    pub tells_guests: bool,
}

/// From when to when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Stretch {
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub start: Zoned,
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub end: Zoned,
}

impl EventPreview {
    /// It is there, and is to go.
    pub fn cancels(&self) -> bool {
        self.change.as_ref().is_some_and(|change| change.moved_from.is_none())
    }

    /// It is there, and is to be at another time: when it is now.
    pub fn moved_from(&self) -> Option<&Stretch> {
        self.change.as_ref()?.moved_from.as_ref()
    }
}

/// Something to be kept in mind, or not any longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MemoryPreview {
    /// All of it.
    pub text: String,
    /// It is there, and is to go.
    pub forgets: bool,
    /// What is known already and says much the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub alike: Vec<String>,
    /// What goes with it, where several are to be forgotten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub also: Vec<String>,
    /// Whose words it is made of, where they are not the person's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub derived_from: Option<String>,
}

/// One line of a card that has no form of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Line {
    pub label: String,
    pub value: String,
}

/// Somebody who will notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Recipient {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    pub address: String,
    /// Where the address comes from.
    pub source: Source,
}

impl Recipient {
    /// What to call them: the name, or the address where there is none.
    pub fn called(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.address)
    }
}

/// A field that may be changed before it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Field {
    /// As the payload spells it.
    pub name: String,
    /// As a person would call it.
    pub label: String,
    pub kind: FieldKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// One line.
    Text,
    /// Several lines.
    Paragraphs,
    /// A list of addresses.
    People,
    /// A moment with its zone.
    Time,
}

/// What deserves a second look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Warning {
    /// `content_recipient`, `time_taken`.
    pub code: String,
    pub text: String,
}

impl Warning {
    /// The address was spelled aloud and stands in no address book: ears may have got it
    /// wrong, and nobody would notice.
    pub fn heard(one: &Recipient) -> Self {
        let text = format!("{} is as I heard it. Is it spelled right?", one.address);
        Self { code: "address_heard".to_owned(), text }
    }
}

impl Recipient {
    /// Is their address one of those that were only heard?
    pub fn is_heard(&self, warnings: &[Warning]) -> bool {
        warnings.contains(&Warning::heard(self))
    }
}

impl Preview {
    /// Everybody who will notice.
    pub fn recipients(&self) -> impl Iterator<Item = &Recipient> {
        let (first, second): (&[Recipient], &[Recipient]) = match self {
            Self::Email(email) => (&email.to, &email.cc),
            Self::Event(event) => (&event.attendees, &[]),
            Self::Memory(_) | Self::Lines { .. } => (&[], &[]),
        };
        first.iter().chain(second)
    }

    pub fn recipients_mut(&mut self) -> impl Iterator<Item = &mut Recipient> {
        let (first, second): (&mut [Recipient], &mut [Recipient]) = match self {
            Self::Email(email) => (&mut email.to, &mut email.cc),
            Self::Event(event) => (&mut event.attendees, &mut []),
            Self::Memory(_) | Self::Lines { .. } => (&mut [], &mut []),
        };
        first.iter_mut().chain(second)
    }
}
