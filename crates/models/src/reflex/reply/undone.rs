//! "Undo that", while a card is open: nothing of it was done, and it can be dropped.

use brain::card::Preview;
use brain::resolve::words::Word;

use super::{CardView, Reply, safe};
use crate::narrator::spelling::capital;
use crate::reflex::vocabulary::is_any;

const LEADS: &[&str] = &["oops", "oh", "no", "wait", "please", "sorry", "hm", "hmm", "can", "you"];

/// Told of the card that was shown last; a yes behind it does not count at once.
pub fn read(said: &[Word], cards: &[CardView<'_>]) -> Option<Reply> {
    let (last, before) = cards.split_last()?;
    if said.iter().any(|word| word.quoted) {
        return None;
    }
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let lead = texts.iter().take_while(|text| is_any(text, LEADS)).count();
    let undoes = matches!(
        &texts[lead..],
        ["undo" | "unsend" | "revert"]
            | ["undo", "the", "last", "one" | "thing"]
            | ["undo" | "unsend" | "revert", "it" | "that" | "this"]
            | ["take", "it" | "that", "back"]
    );
    undoes.then(|| {
        let done = if matches!(last.preview, Preview::Email(_)) { "sent" } else { "done" };
        let called = capital(last.called);
        let say = format!("{called} isn't {done} yet. Say “drop it” if you don't want it.");
        Reply::CannotRevise { card: before.len(), say: safe(say), is_missed: true }
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lunch, mail, outline, to};
    use super::*;

    #[test]
    fn what_only_waits_cannot_be_undone_and_may_be_dropped() {
        for heard in ["undo that", "Undo.", "oops, undo that", "take it back", "unsend that"] {
            for (card, done) in [(mail(), "sent"), (lunch(), "done")] {
                let Reply::CannotRevise { card: 0, say, is_missed: true } = to(heard, &[card])
                else {
                    panic!("{heard}")
                };
                assert!(say.contains(&format!("isn't {done} yet")), "{say}");
            }
        }
        assert_eq!(outline(&to("drop it", &[mail()])), "reject 0");
    }
}
