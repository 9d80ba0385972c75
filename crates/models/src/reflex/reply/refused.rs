//! "No, and forget the meeting": a no with more behind it that is a no as well.

use brain::resolve::words::Word;

use super::named::Named;
use super::{CardView, Reply};
use crate::reflex::vocabulary::is_any;

/// "No, and forget the meeting": the first word is about the card, and what goes
/// with it is no memory.
pub fn twice(said: &[Word], named: &Named, cards: &[CardView<'_>]) -> Option<Reply> {
    const THINGS: &[&str] = &[
        "meeting",
        "mail",
        "email",
        "reply",
        "message",
        "event",
        "call",
        "lunch",
        "dinner",
        "invite",
        "invitation",
        "card",
        "thing",
        "rest",
        "other",
        "it",
        "that",
        "both",
        "all",
        "everything",
    ];
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let [first, rest @ ..] = texts.as_slice() else { return None };
    let rest = rest.strip_prefix(&["and"]).or(rest.strip_prefix(&["just"])).unwrap_or(rest);
    let [verb, object @ ..] = rest else { return None };
    let refuses = is_any(first, &["no", "nope", "nah", "n"])
        && is_any(verb, &["forget", "drop", "skip", "scrap", "cancel", "leave"]);
    let little = ["the", "this", "whole", "about", "too", "please", "as", "well", "one"];
    let (things, others): (Vec<&str>, Vec<&str>) =
        object.iter().partition(|text| is_any(text, THINGS));
    let plain = !things.is_empty() && others.iter().all(|text| is_any(text, &little));
    let open = said.iter().any(|word| word.quoted || word.stop == Some('?'));
    if !refuses || !plain || open || !named.others.is_empty() {
        return None;
    }
    match cards {
        [_] => Some(Reply::Reject { card: 0 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lunch, mail, outline, to};

    #[test]
    fn a_no_to_this_and_to_more_is_a_no_to_this() {
        for heard in [
            "no, and forget the meeting",
            "no and drop the other one too",
            "nope, forget it",
            "n",
            "N",
            "nah",
        ] {
            assert_eq!(outline(&to(heard, &[mail()])), "reject 0", "{heard}");
        }
        for heard in ["no, and forget my door code", "n tom"] {
            assert_ne!(outline(&to(heard, &[mail()])), "reject 0", "{heard}");
        }
        assert_ne!(outline(&to("no, and forget the meeting", &[mail(), lunch()])), "reject 0");
    }

    #[test]
    fn a_yes_that_is_taken_back_in_so_many_words_is_a_no() {
        for heard in ["Yes, no wait. Don't send it.", "yes, stop, don't send it"] {
            assert_eq!(outline(&to(heard, &[mail()])), "reject 0", "{heard}");
        }
        for heard in ["Yes, no wait.", "yes, don't send it to Tom", "yes, I said don't send it"] {
            assert_ne!(outline(&to(heard, &[mail()])), "reject 0", "{heard}");
        }
    }
}
