//! "No, tell Tom instead": something else, in the place of what is on the card.

use brain::resolve::words::Word;

use super::{CardView, Reply};
use crate::World;
use crate::gist::Gist;
use crate::reflex::vocabulary::is_any;

/// The card that gives way, where the sentence asks for something else to be
/// written in its place. Only where there is no doubt which one: the only card.
pub fn read(heard: &str, said: &[Word], cards: &[CardView<'_>], world: &World) -> Option<Reply> {
    let [_] = cards else { return None };
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let instead = matches!(texts.as_slice(), [.., "instead"] | [.., "instead", "please"]);
    let paused = said.first().is_some_and(|first| first.stop == Some(','));
    let refused = is_any(texts.first()?, &["no", "nope"]) && paused
        || texts.starts_with(&["scratch", "that"])
        || texts.starts_with(&["forget", "that"]);
    if !(instead || refused) || said.iter().any(|word| word.quoted || word.stop == Some('?')) {
        return None;
    }
    writes(&crate::reflex::read(heard, world).gist).then_some(Reply::Instead { card: 0 })
}

fn writes(gist: &Gist) -> bool {
    match gist {
        Gist::Mail { .. } | Gist::Reply { .. } | Gist::Booking { .. } => true,
        Gist::Spot | Gist::CallOff { .. } | Gist::Move { .. } => true,
        Gist::Several(all) => all.iter().any(writes),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lunch, mail, outline, to};

    #[test]
    fn something_else_in_its_place_is_a_no_and_a_new_request() {
        for heard in [
            "actually email tom that i'm late instead",
            "actually book lunch with ana on friday at one instead",
            "no, tell tom i'm late instead",
            "no, tell ana that friday is better",
        ] {
            assert_eq!(outline(&to(heard, &[mail()])), "instead 0", "{heard}");
        }
        let two = [mail(), lunch()];
        assert_ne!(outline(&to("no, tell ana that friday is better", &two)), "instead 0");
        assert_ne!(outline(&to("email ana that friday is better", &[mail()])), "instead 0");
        assert_eq!(outline(&to("actually thursday at four instead", &[lunch()])), OTHER_HOUR);
    }

    const OTHER_HOUR: &str = "revise start=19T16:00 end=19T16:30";
}
