//! What somebody is to be told, as it is said to them: "her photos are great", to Ana.

use brain::resolve::people::{Contact, Pronouns};
use brain::resolve::words::words;

use crate::World;
use crate::reflex::phrasing;
use crate::reflex::whom::{self, Whom};

/// The words with whoever hears them turned to "you", where nobody else can be meant.
pub fn to_one(words: &str, one: &Whom, world: &World) -> String {
    let words = &phrasing::without_that(words);
    let turned = phrasing::to_you(words, |pronoun| may_be(one, pronoun, world));
    if !names_nobody(words, world) {
        return turned;
    }
    let is_them = |pronoun: &str| {
        let theirs = |other: &&Contact| one.is_at(&other.address);
        let mut contacts = world.contacts.iter().filter(theirs);
        contacts.any(|other| other.pronouns.is_some() && other.answers_to(pronoun))
    };
    let turned = phrasing::about_you(&phrasing::your_own(&turned, is_them), is_them);
    phrasing::ordered_of_you(&phrasing::of_you(&turned, is_them), is_them)
}

/// Could that one be spoken of like this? "They" is somebody else where it is
/// known to be "he" or "she".
pub fn may_be(whom: &Whom, pronoun: &str, world: &World) -> bool {
    let mut contacts = world.contacts.iter().filter(|one| whom.is_at(&one.address));
    contacts.all(|one| match one.pronouns {
        Some(Pronouns::She | Pronouns::He) if pronoun == "them" => false,
        _ => one.answers_to(pronoun),
    })
}

/// Nobody else is spoken of, so "him" can only be whom it is said to.
pub fn names_nobody(text: &str, world: &World) -> bool {
    let said = words(text);
    let known = |at| matches!(whom::at(&said, at, text, world), Some((Whom::Known { .. }, _)));
    !(0..said.len()).any(known)
}
