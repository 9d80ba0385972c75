//! What was asked because it has more than one reading, or a hole.

/// One answer to a question, and what would have been clear from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub about: Unclear,
    pub name: String,
    /// What tells it apart where names alike stand side by side: an address.
    pub detail: Option<String>,
    pub sentence: String,
}

impl Choice {
    pub fn new(about: Unclear, name: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { about, name: name.into(), detail: None, sentence: sentence.into() }
    }

    /// As a screen shows it: "Sam Delgado (sam@delgado.example)".
    pub fn told(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{} ({detail})", self.name),
            None => self.name.clone(),
        }
    }

    /// The same, read back.
    pub fn of_told(about: Unclear, told: &str, sentence: &str) -> Self {
        let parts = told.strip_suffix(')').and_then(|told| told.rsplit_once(" ("));
        match parts.filter(|(_, detail)| detail.contains('@')) {
            Some((name, detail)) => {
                Self { detail: Some(detail.to_owned()), ..Self::new(about, name, sentence) }
            }
            None => Self::new(about, told, sentence),
        }
    }
}

/// What has more than one reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// To whom something is to be sent, or who is to come.
    Recipient,
    /// Whose mail or meetings are meant.
    Person,
    Time,
    Event,
    /// What is to be forgotten.
    Memory,
    /// Which of several files is meant.
    File,
    /// Which of the agent's keywords was misheard.
    Keyword,
    /// Whether something is asked of us or belongs to a text.
    Request,
}

impl Unclear {
    pub const ALL: [Self; 8] = [
        Self::Recipient,
        Self::Person,
        Self::Time,
        Self::Event,
        Self::Memory,
        Self::File,
        Self::Keyword,
        Self::Request,
    ];

    /// As a plan calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recipient => "recipient_candidates",
            Self::Person => "person_candidates",
            Self::Time => "time_candidates",
            Self::Event => "event_candidates",
            Self::Memory => "memory_candidates",
            Self::File => "file_candidates",
            Self::Keyword => "keyword_candidates",
            Self::Request => "request_candidates",
        }
    }
}

/// A request with a hole in it, and what would fill that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    pub what: Missing,
    /// The request up to the hole, and behind it.
    pub before: String,
    pub after: String,
    /// The day that stood in the hole; an hour alone is still about it.
    pub day: Option<String>,
    /// A time that cannot be: what else it said still holds.
    pub instead_of: Option<String>,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// "What should I say to Priya?"
    Words,
    /// "I don't have an address for Zoe. What is it?"
    Address,
    /// "What time on Thursday?"
    Time,
    /// "What should it be called?"
    Title,
    /// "What should I remember?"
    Memory,
}
