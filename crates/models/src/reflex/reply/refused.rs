//! "No, and forget the meeting": a no with more behind it that is a no as well, and one with
//! something behind it that was to be on the card.

use brain::resolve::people;
use brain::resolve::time::{self, Lean};
use brain::resolve::words::Word;

use super::named::Named;
use super::{CardView, Reply};
use crate::World;
use crate::reflex::consent::{self, Consent};
use crate::reflex::vocabulary::is_any;
use crate::reflex::who::may_be_name;

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

/// "No weight, one o'clock": whoever ends in a time, a length or a name wants it on the card,
/// whatever stands before it.
pub fn wants_otherwise(heard: &str, said: &[Word], world: &World) -> bool {
    const LEADS: &[&str] = &["at", "on", "for", "with", "to", "it", "is", "make", "and", "wait"];
    const POLITE: &[&str] = &["thanks", "thank", "sorry"];
    let [no, rest @ ..] = said else { return false };
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let refuses = consent::read(&texts.join(" ")) == Consent::Reject
        || texts.iter().any(|text| is_any(text, POLITE) || is_any(text, &["not", "busy"]));
    if !is_any(&no.text, &["no", "nope", "nah"]) || refuses || rest.iter().any(|word| word.quoted) {
        return false;
    }
    let pause = rest.iter().rev().skip(1).position(|word| word.stop.is_some());
    let last = &rest[pause.map_or(0, |behind| rest.len() - 1 - behind)..];
    let little = last.iter().take_while(|word| is_any(&word.text, LEADS)).count();
    let (lead, named) = last.split_at(little);
    if named.is_empty() {
        return false;
    }
    let texts: Vec<&str> = named.iter().map(|word| word.text.as_str()).collect();
    let is_whole = |words: &[Word]| {
        time::find(words, &world.local_now(), Lean::Ahead)
            .is_some_and(|when| when.words.len() == words.len())
    };
    let at = lead.last().filter(|word| word.is("at")).map_or(little, |_| little - 1);
    is_whole(named)
        || is_whole(&last[at..])
        || time::length(&texts).is_some_and(|(_, places)| places == (0..texts.len()))
        || !people::known(&texts.join(" "), &world.contacts).is_empty()
        || is_written_like_a_name(heard, named)
}

/// "No, … Dana", whom nobody knows.
fn is_written_like_a_name(heard: &str, named: &[Word]) -> bool {
    let [name] = named else { return false };
    let is_capital = heard[name.start..].chars().next().is_some_and(char::is_uppercase);
    let is_shouted = !heard.chars().any(char::is_lowercase);
    is_capital && !is_shouted && may_be_name(&name.text) && !name.is("sayso")
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

    #[test]
    fn a_no_that_ends_in_what_should_be_there_is_never_a_bare_one() {
        for heard in [
            "No weight, one o'clock.",
            "no whey, one o'clock",
            "No way it, Friday.",
            "No, Friday.",
            "No wade, for an hour.",
            "Nope, half an hour",
            "No weird, Dana.",
            "no, ana",
        ] {
            for card in [lunch(), mail()] {
                let said = outline(&to(heard, &[card]));
                assert_ne!(said, "reject 0", "{heard}");
                assert_ne!(said, "accept 0", "{heard}");
            }
        }
        for heard in [
            "No.",
            "No thanks.",
            "No, not now.",
            "No, cancel it.",
            "no, don't",
            "No, never mind.",
            "No, not today.",
            "no no no",
            "No, leave it.",
            "No. No.",
            "No, Sayso.",
            "NO, STOP IT",
        ] {
            assert_eq!(outline(&to(heard, &[lunch()])), "reject 0", "{heard}");
        }
    }
}
