//! What a sentence takes from what was told before, or from its own beginning:
//! "the same time", "that day", "the same people", "everyone in that meeting".
//!
//! The words are replaced by what they stand for, and only then is the
//! sentence read. Words of a mail are the person's own and stay as they are.
//! Whoever cannot be found out is asked for.

mod people;
mod times;

use std::ops::Range;

use brain::resolve::words::Word;

pub use self::times::coming;
use super::Want;
use super::writes::{self, Kind};
use crate::World;
use crate::focus::{Awaited, Missing};

/// The sentence with one such reference spelled out.
pub fn named(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let (span, instead) = times::found(heard, said, world)
        .or_else(|| people::found(heard, said, world))
        .or_else(|| people::subject(heard, said, world))
        .or_else(|| times::on_the_calendar(heard, said, world))?;
    Some(format!("{}{instead}{}", &heard[..span.start], &heard[span.end..]))
}

/// People who are spoken of like this and whom nobody knows.
pub fn open(heard: &str, said: &[Word], world: &World) -> Option<Want> {
    let span = people::unknown(heard, said, world)?;
    Some(Want {
        question: format!("Who do you mean by “{}”?", &heard[span.clone()]),
        awaited: Awaited {
            what: Missing::Address,
            before: heard[..span.start].to_owned(),
            after: heard[span.end..].to_owned(),
            day: None,
            instead_of: None,
        },
    })
}

/// Do these words stand here?
fn stands(said: &[Word], at: usize, phrase: &[&str]) -> bool {
    said.len() >= at + phrase.len()
        && said[at..].iter().zip(phrase).all(|(word, text)| word.is(text) && !word.quoted)
}

/// Is this place among the words of a mail? Those that say whom it is for are not.
pub fn is_dictated(said: &[Word], at: usize, heard: &str, world: &World) -> bool {
    const HEAD: usize = 3;
    let start = said[at].start;
    writes::parts(said, heard, world).iter().any(|part| {
        let inside = part.words.iter().position(|word| word.start == start);
        part.kind == Kind::Mail && inside.is_some_and(|place| place > HEAD)
    })
}

fn span(said: &[Word], places: &Range<usize>) -> Range<usize> {
    said[places.start].start..said[places.end - 1].end
}

#[cfg(test)]
#[path = "same_tests.rs"]
mod tests;
