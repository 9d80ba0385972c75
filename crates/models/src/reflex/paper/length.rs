//! How long a file is, or what it tells of.

use brain::Attached;
use brain::paper::Kind;

use super::target::{Target, is_noun, stem};
use crate::gist::{Countable, PaperWant};

/// "How long is it": an event in hours, everything else in pages or words.
pub fn read(texts: &[&str], target: &Target<'_>) -> Option<PaperWant> {
    let (["how", "long", "is" | "does", thing @ ..] | ["how", "long", thing @ ..]) = texts else {
        return None;
    };
    let thing = match thing {
        ["it" | "this" | "that"] | ["it" | "this" | "that", "take" | "last" | "go"] => "it".into(),
        ["the" | "this" | "that", rest @ ..] => rest.join(" "),
        _ => return None,
    };
    // "How long is the lease" asks for its term; of an event it is the same.
    let is_file = |file: &&&Attached| match file.kind() {
        Kind::Calendar => {
            let called = matches!(thing.as_str(), "it" | "event" | "meeting" | "appointment");
            called || is_noun(&thing) || stem(&file.name) == thing
        }
        _ => thing == "it" || is_noun(&thing),
    };
    let file = target.files.iter().rev().find(is_file)?;
    match file.kind() {
        Kind::Calendar => Some(PaperWant::Length),
        Kind::Pdf => Some(PaperWant::HowMany(Countable::Pages)),
        Kind::Table => Some(PaperWant::HowMany(Countable::Rows)),
        Kind::Picture => None,
        _ => Some(PaperWant::HowMany(Countable::Words)),
    }
}
