//! Reads files that nobody trusts: bytes in, what is in them out.
//!
//! One file a format, each with its own limits. Nothing here opens a file or a
//! socket, and nothing here is called inside the server: a child process that may
//! do nothing but compute calls [`read`] and dies with whatever it chokes on.

mod calendar;
mod document;
mod letters;
mod mail;
mod paper;
mod pdf;
mod picture;
mod table;
mod text;

use brain::paper::{Kind, Paper};

/// Characters of a file's text that are kept; about five hundred pages.
const MOST_TEXT: usize = 1024 * 1024;
/// Pieces they are kept in.
const MOST_PARTS: usize = 20_000;
/// A name, a title, a heading: one line of this many characters.
const LONGEST_LINE: usize = 200;

/// Why a file cannot be read. What it says is for the person who handed it over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("That file is empty. Check that it was saved, and attach it again.")]
    Empty,
    #[error("That {0} is protected with a password. Save a copy without one and attach that.")]
    Locked(&'static str),
    #[error("That {0} is damaged: {1}. Save it again where it was made and attach the new copy.")]
    Broken(&'static str, &'static str),
    #[error("That {0} is too much for me: {1}. Attach a smaller part of it.")]
    TooMuch(&'static str, &'static str),
    #[error("I found no text in that {0}; it may be a scan. A copy with text in it I could read.")]
    NoText(&'static str),
    #[error(
        "I can keep that file, but I can't read that kind ({0}). A PDF or plain text would do."
    )]
    NotKnown(String),
}

/// What is in a file. `media_type` is what its bytes were found to be, never what
/// somebody called them.
pub fn read(bytes: &[u8], media_type: &str) -> Result<Paper, Unreadable> {
    read_telling(bytes, media_type, &mut |_| {})
}

/// The same, and says on the way how much of it is done, in percent. What is read at
/// one go says nothing.
pub fn read_telling(
    bytes: &[u8],
    media_type: &str,
    done: &mut dyn FnMut(u8),
) -> Result<Paper, Unreadable> {
    if bytes.is_empty() {
        return Err(Unreadable::Empty);
    }
    match Kind::of(media_type) {
        Kind::Text => text::read(bytes, media_type),
        Kind::Table => table::read(bytes, done),
        Kind::Pdf => pdf::read(bytes, done),
        Kind::Document => document::read(bytes),
        Kind::Calendar => calendar::read(bytes),
        Kind::Mail => mail::read(bytes),
        Kind::Picture => picture::read(bytes, media_type),
        Kind::Other => Err(Unreadable::NotKnown(media_type.to_owned())),
    }
}

/// How much `part` is of `whole`, in percent.
fn percent(part: usize, whole: usize) -> u8 {
    u8::try_from(part.saturating_mul(100) / whole.max(1)).unwrap_or(100).min(100)
}

#[cfg(test)]
#[path = "hostile_tests.rs"]
mod hostile_tests;
