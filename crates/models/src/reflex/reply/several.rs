//! Several wishes for one card in one breath: "there is no location, and make it an hour",
//! "say four instead of three, then send", "ok then an hour later please".
//!
//! Each is read by itself. "And send it" behind a change is no yes: what changed is
//! shown first.

use brain::resolve::words::Word;
use serde_json::{Map, Value};

use super::CardView;
use super::change::{self, Change};
use crate::World;
use crate::reflex::slips;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};

/// Nobody wishes for more at once.
const MOST: usize = 3;
/// Said around a wish.
const FRAME: &[&str] =
    &["ok", "okay", "then", "well", "hm", "hmm", "and", "so", "oh", "please", "no"];

/// All of them, where every part is one.
pub fn read(heard: &str, said: &[Word], card: &CardView<'_>, world: &World) -> Option<Change> {
    if said.iter().any(|word| word.quoted || word.stop == Some('?')) {
        return None;
    }
    let parts = parts(said);
    let whole = matches!(parts.as_slice(), [only] if only.len() == said.len());
    if whole || parts.is_empty() || parts.len() > MOST {
        return None;
    }
    let mut fields: Map<String, Value> = Map::new();
    let mut told: Vec<String> = Vec::new();
    for part in parts {
        if is_sent(part) {
            continue;
        }
        let text = heard[part[0].start..part[part.len() - 1].end].trim();
        // "Yuki too": to be added.
        let text = match (part, text.strip_suffix(" too")) {
            ([_, .., _], Some(name)) if is_known(part, heard, world) => format!("add {name}"),
            _ => text.to_owned(),
        };
        let words = slips::answered(&text, &world.contacts);
        match change::alone(&text, &words, card, world)? {
            Change::To(more, say) if more.keys().all(|field| !fields.contains_key(field)) => {
                fields.extend(more);
                told.push(say);
            }
            // "Yuki too", who is invited already; the rest is done all the same.
            Change::Cannot(say) | Change::Missed(say) => told.push(say),
            Change::To(..) => return None,
        }
    }
    (!fields.is_empty()).then(|| Change::To(fields, told.join(" ")))
}

/// Cut at "and", "then" and marks, without the frame around each.
fn parts(said: &[Word]) -> Vec<&[Word]> {
    let mut found = Vec::new();
    let mut start = 0;
    for at in 0..=said.len() {
        let link = said.get(at).is_some_and(|word| is_any(&word.text, &["and", "then"]));
        let stops = at > start && said[at - 1].stop.is_some();
        if at == said.len() || link || stops {
            found.push(&said[start..at]);
            start = at + usize::from(link);
        }
    }
    found.into_iter().map(framed).filter(|part| !part.is_empty()).collect()
}

fn framed(part: &[Word]) -> &[Word] {
    let frame = |word: &&Word| is_any(&word.text, FRAME);
    let lead = part.iter().take_while(frame).count();
    let part = &part[lead..];
    &part[..part.len() - part.iter().rev().take_while(frame).count()]
}

/// Somebody we know, and "too".
fn is_known(part: &[Word], heard: &str, world: &World) -> bool {
    match whom::at(part, 0, heard, world) {
        Some((Whom::Known { .. }, used)) => used + 1 == part.len(),
        _ => false,
    }
}

/// "Send it", "yes": for the card that comes of it.
fn is_sent(part: &[Word]) -> bool {
    let texts: Vec<&str> = part.iter().map(|word| word.text.as_str()).collect();
    matches!(
        texts.as_slice(),
        ["send" | "book" | "yes" | "yep" | "yeah" | "go"]
            | ["send" | "book" | "add", "it" | "that" | "this"]
            | ["yes" | "yep" | "yeah", "send" | "book", "it"]
            | ["go", "ahead"]
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lunch, mail, outline, to};

    #[test]
    fn each_wish_of_several_is_met() {
        for (heard, outcome) in [
            ("ok then an hour later please", "revise start=19T13:00 end=19T13:30"),
            (
                "ana too please, and call it Launch film",
                "revise attendees=tom.okafor,ana.ruiz title=Launch film",
            ),
        ] {
            assert_eq!(outline(&to(heard, &[lunch()])), outcome, "{heard}");
        }
        let heard = "call it margin review, an hour";
        assert_eq!(outline(&to(heard, &[lunch()])), "revise title=Margin review end=19T13:00");
        let heard = "call it Lunch, coffee and cake";
        assert_eq!(outline(&to(heard, &[lunch()])), "revise title=Lunch, coffee and cake");
        let heard = "tom too please, and call it Launch film";
        assert_eq!(outline(&to(heard, &[lunch()])), "revise title=Launch film");
        for heard in ["four not three, then yes", "say four instead of three, then yes send it"] {
            assert!(outline(&to(heard, &[mail()])).starts_with("revise body="), "{heard}");
        }
        let heard = "say four instead of three, then send";
        assert!(outline(&to(heard, &[mail()])).starts_with("revise body="), "{heard}");
    }

    #[test]
    fn a_change_beside_a_yes_is_no_yes() {
        for heard in ["say four instead of three and send it", "make it an hour and book it"] {
            for card in [mail(), lunch()] {
                assert!(!outline(&to(heard, &[card])).starts_with("accept"), "{heard}");
            }
        }
    }
}
