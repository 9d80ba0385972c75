//! What is said in the room while a card is open, and not to us.

use brain::resolve::people;
use brain::resolve::words::Word;

use super::half::says_yes;
use super::{CardView, Reply, still_waiting};
use crate::World;
use crate::reflex::consent::Consent;
use crate::reflex::vocabulary::is_any;

/// Said in the room, not to us: it decides nothing.
pub fn overheard(consent: Consent, said: &[Word], cards: &[CardView<'_>]) -> Option<Reply> {
    let decides = consent == Consent::Reject || says_yes(said);
    decides.then(|| Reply::Hold { card: 0, say: still_waiting(cards, 0) })
}

/// Kin and company that one says yes to at home.
const COMPANY: &[&str] = &[
    "mom",
    "mum",
    "dad",
    "mommy",
    "daddy",
    "honey",
    "darling",
    "dear",
    "babe",
    "baby",
    "love",
    "sweetie",
    "sir",
    "guys",
    "everyone",
    "everybody",
    "boss",
    "mate",
    "man",
    "dude",
    "buddy",
    "kids",
    "grandma",
    "grandpa",
    "siri",
    "alexa",
    "google",
];

/// "Yes mom, I'm coming", "hey Tom, yes send it over".
pub fn is_to_somebody_else(said: &[Word], world: &World) -> bool {
    let is_one = |at: usize| {
        said.get(at).is_some_and(|word| {
            is_any(&word.text, COMPANY) || !people::known(&word.text, &world.contacts).is_empty()
        })
    };
    let opens = [
        "hey", "hi", "hello", "yes", "yeah", "yep", "no", "nope", "ok", "okay", "sure", "thanks",
        "oh",
    ];
    let opened = said.first().is_some_and(|first| is_any(&first.text, &opens));
    let last = said.len().saturating_sub(1);
    // "No, not Tom, Ana" speaks of both, and to neither.
    let swaps = last > 1 && said[last - 2].is("not") && is_one(last - 1);
    let called = last > 0 && said[last - 1].stop == Some(',') && is_one(last) && !swaps;
    let first = is_one(0) && said[0].stop == Some(',');
    (opened && is_one(1)) || first || called
}
