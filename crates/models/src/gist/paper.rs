//! What an answer about a file should tell.

use brain::paper::Kind;

/// What is wanted of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AboutPaper {
    /// What its person calls it.
    pub name: String,
    pub kind: Kind,
    pub want: PaperWant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaperWant {
    /// "What's in this file"
    Overview,
    /// "Summarize the pdf"
    Summary,
    /// "Read me the second page", from so many words on.
    Page {
        number: u32,
        from: usize,
    },
    /// "What does it say about the deadline": what it is about, as it was said.
    About(String),
    /// "How many rows"
    HowMany(Countable),
    /// "Which columns"
    Columns,
    /// "The total of amount"; the words that name the column, none where none do.
    Figure(Figure, String),
    /// "Who wrote this", "when was it last changed"
    Author,
    Dated,
    /// Of a mail: "who is it from", "when was it sent", "what's the subject".
    From,
    To,
    Sent,
    Subject,
    Enclosed,
    /// Of an event: when, where and who comes.
    When,
    Where,
    People,
    Length,
    /// Of a picture: how large, when and where it was taken, and with what.
    Size,
    Taken,
    Spot,
    Camera,
}

impl PaperWant {
    /// It is looked for, word by word.
    pub fn is_sought(&self) -> bool {
        matches!(self, Self::About(_) | Self::Author)
    }
}

/// What a file can have many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Countable {
    Rows,
    Columns,
    Pages,
    Lines,
    Words,
    Events,
    Enclosed,
}

/// What can be made of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    Sum,
    Mean,
    Least,
    Most,
    /// The most frequent values.
    Top,
    /// How many different ones.
    Different,
    /// How many rows have a value.
    Rows,
}
