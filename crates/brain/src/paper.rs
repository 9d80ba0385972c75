//! What is in a file that somebody handed over, once it was read.
//!
//! Whoever reads files turns bytes into a [`Paper`]; the tools look things up in
//! it. All of it is somebody's text: data, never an instruction.

use jiff::Timestamp;
use jiff::civil::DateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::facts::Person;
use crate::ids::FileId;

/// A file as a sentence names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Attached {
    #[ts(type = "string")]
    pub file_id: FileId,
    /// What its person calls it. Never a path.
    pub name: String,
    pub media_type: String,
}

impl Attached {
    /// What kind of paper it is, by its type.
    pub fn kind(&self) -> Kind {
        Kind::of(&self.media_type)
    }
}

/// How far the reading of a file has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Somebody is at it, or will be.
    Parsing,
    Ready,
    /// It cannot be read; one sentence says what is wrong and what to do.
    Failed(String),
}

impl Reading {
    /// As it is stored and shown.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Parsing => "parsing",
            Self::Ready => "ready",
            Self::Failed(_) => "failed",
        }
    }

    pub fn problem(&self) -> Option<&str> {
        match self {
            Self::Failed(problem) => Some(problem),
            Self::Parsing | Self::Ready => None,
        }
    }

    /// The same, read back.
    pub fn of(name: &str, problem: Option<String>) -> Option<Self> {
        match name {
            "parsing" => Some(Self::Parsing),
            "ready" => Some(Self::Ready),
            "failed" => Some(Self::Failed(problem.unwrap_or_default())),
            _ => None,
        }
    }
}

/// What kind of thing a file is to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Text,
    Table,
    Pdf,
    Document,
    Calendar,
    Mail,
    Picture,
    /// Kept, and not read.
    Other,
}

impl Kind {
    pub fn of(media_type: &str) -> Self {
        const WORD: &str =
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
        match media_type {
            "text/csv" => Self::Table,
            "text/calendar" => Self::Calendar,
            "message/rfc822" => Self::Mail,
            "application/pdf" => Self::Pdf,
            WORD => Self::Document,
            "application/json" => Self::Text,
            "image/png" | "image/jpeg" | "image/gif" | "image/webp" => Self::Picture,
            text if text.starts_with("text/") => Self::Text,
            _ => Self::Other,
        }
    }
}

/// What was found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the program that made it wrote down about it.
    #[serde(default, skip_serializing_if = "Origin::is_unknown")]
    pub origin: Origin,
    /// How much there is in all, also where less was kept.
    pub extent: Extent,
    /// Less was kept than there is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// One sentence about what is wrong with it, where it could be read all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaw: Option<String>,
    /// The words, in order.
    pub parts: Vec<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Invite>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<MailHead>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

/// Who made a file and when, as its properties have it. Nobody vouches for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub made_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub changed_at: Option<Timestamp>,
}

impl Origin {
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// How long a paper is, in whatever it is counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<u32>,
    /// Pages whose words could not be followed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_pages: u32,
    pub words: u32,
}

/// A piece of text and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub place: Place,
    pub text: String,
}

/// Where something stands, counted from 1 as people do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Page(u32),
    Line(u32),
    Row(u32),
    Paragraph(u32),
}

/// A table, column by column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    /// Without the line of names.
    pub rows: u32,
    /// How many there are, also where fewer are told.
    pub width: u32,
    pub columns: Vec<Column>,
    /// What the numbers of one column come to for each value of another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Shares>,
    /// The last row says that it is a total of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<Totals>,
}

/// The numbers of one column, shared out by the values of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shares {
    pub by: String,
    pub of: String,
    /// The largest first.
    pub each: Vec<Share>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    pub value: String,
    /// Rows that have the value and a number.
    pub rows: u32,
    pub sum: String,
}

/// A row of totals at the end of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    pub label: String,
    /// It does not add up to the others, so it was counted like them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    pub name: String,
    /// Cells with something in them.
    pub filled: u32,
    /// Rows that have no number or no date here where the others do.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
    #[serde(flatten)]
    pub holds: Holds,
}

/// What kind of thing stands in a column. Numbers are decimal and exact, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "holds", rename_all = "snake_case")]
pub enum Holds {
    Numbers {
        sum: String,
        mean: String,
        min: String,
        max: String,
    },
    Dates {
        first: String,
        last: String,
        /// How many rows fall into each month, `March 2026`, the first month first; none
        /// where there are very many months.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        months: Vec<Counted>,
    },
    Words {
        /// How many different ones; not counted where there are very many.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        different: Option<u32>,
        /// The most frequent ones.
        top: Vec<Counted>,
    },
    /// Numbers or dates that mean more than one thing, so there is no figure.
    Unclear {
        doubt: Doubt,
    },
    Nothing,
}

/// Why a column has no figure although it holds numbers or dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// `1.850` is one number to some people and another to others.
    Point(String),
    /// `01/02/2026` too.
    Day(String),
    /// Amounts in more than one currency.
    Money(Vec<String>),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    pub value: String,
    pub times: u32,
}

/// An event that a calendar file tells of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invite {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub start: Option<DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub end: Option<DateTime>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_day: bool,
    /// The clock that its times are on; none where it is whatever clock one looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The file names a clock that nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_zone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organizer: Option<Person>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attendees: Vec<Person>,
    /// "every week", where it comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
    /// It is a single date of something that comes again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub single: bool,
    /// What else the file says about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancelled: bool,
}

/// What stands above the text of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MailHead {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Person>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<Person>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cc: Vec<Person>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub sent_at: Option<Timestamp>,
    /// What came with it; it is listed, not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enclosed: Vec<Enclosed>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Enclosed {
    pub name: String,
    pub media_type: String,
    pub bytes: u64,
}

/// What is known of a picture without looking at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Picture {
    /// As it is to be looked at.
    pub width: u32,
    pub height: u32,
    /// `PNG`, `JPEG`, `GIF`, `WebP`.
    pub format: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub taken_at: Option<DateTime>,
    /// It was taken with the camera on its side, and is turned to be looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub turned: bool,
    /// What it was taken with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<String>,
    /// Where it was taken: `45.5167° N, 122.6667° W`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<String>,
}

/// What a tool brought of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenedFile {
    #[serde(flatten)]
    pub file: Attached,
    pub kind: Kind,
    /// One sentence, where it cannot be read, or not yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// It takes a while to read, and its person hears of it once it is read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub later: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Origin::is_unknown")]
    pub origin: Origin,
    #[serde(default)]
    pub extent: Extent,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// What is wrong with it, where it could be read all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaw: Option<String>,
    /// What was asked for: a page, what matters most, or what has the words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<Part>,
    /// The page that was asked for is not there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_such_page: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Invite>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<MailHead>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_read_back_as_it_was_stored() {
        for reading in [Reading::Parsing, Reading::Ready, Reading::Failed("It is torn.".into())] {
            let problem = reading.problem().map(str::to_owned);
            assert_eq!(Reading::of(reading.name(), problem), Some(reading));
        }
        assert_eq!(Reading::of("begun", None), None);
    }
}
