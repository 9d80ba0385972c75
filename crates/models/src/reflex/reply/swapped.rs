//! One on a card gives way to another: "not Omar, Ana", "Ana instead of Tom", "swap Tom
//! for Ana".

use brain::card::{Preview, Recipient};
use brain::resolve::words::Word;

use super::change::{Change, Wish};
use super::{event, mail};
use crate::narrator::card::short_name;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};

/// The card with the other one on it.
pub fn read(wish: &Wish<'_>, preview: &Preview) -> Option<Change> {
    let (wrong, right) = pair(wish, preview)?;
    let wrong = of_the_card(wrong, preview);
    if !preview.recipients().any(|one| wrong.is_at(&one.address)) {
        return None;
    }
    let right = match wish.people(right)? {
        Ok(people) => people,
        Err(change) => return Some(change),
    };
    match preview {
        Preview::Email(email) => mail::in_place_of(&wrong, &right, email, wish.world),
        Preview::Event(event) => event::in_place_of(&wrong, &right, event, wish.world),
        Preview::Memory(_) | Preview::Lines { .. } => None,
    }
}

/// Who goes, and who comes in their place.
fn pair<'a>(wish: &Wish<'a>, preview: &Preview) -> Option<(Whom, &'a [Word])> {
    not_them(wish)
        .or_else(|| instead_of(wish))
        .or_else(|| exchanged(wish))
        .or_else(|| instead(wish, preview))
}

/// "Not Omar, Ana", "not with Omar but with Ana" and "Ana, not Omar".
fn not_them<'a>(wish: &Wish<'a>) -> Option<(Whom, &'a [Word])> {
    let not = wish.words.iter().position(|word| word.is("not") && !word.quoted)?;
    let behind = wish.words.get(not + 1..)?;
    let beside = |word: &&Word| is_any(&word.text, &["with", "to", "for"]);
    let behind = &behind[behind.iter().take_while(beside).count().min(1)..];
    let (wrong, used) = whom::at(behind, 0, wish.heard, wish.world)?;
    let links = |word: &&Word| is_any(&word.text, &["but", "just", "it", "is"]) || beside(word);
    if not == 0 {
        let rest = &behind[used..];
        return Some((wrong, &rest[rest.iter().take_while(links).count()..]));
    }
    (behind.len() == used).then(|| (wrong, named(&wish.words[..not])))
}

/// "With Ana instead of Tom", "Ana rather than Tom".
fn instead_of<'a>(wish: &Wish<'a>) -> Option<(Whom, &'a [Word])> {
    let links: [&[&str]; 3] = [&["instead", "of"], &["rather", "than"], &["in", "place", "of"]];
    let (at, long) = (1..wish.words.len()).find_map(|at| {
        let here = |link: &&&[&str]| {
            let words = wish.words.get(at..at + link.len()).unwrap_or_default();
            words.len() == link.len() && words.iter().zip(**link).all(|(word, text)| word.is(text))
        };
        links.iter().find(here).map(|link| (at, link.len()))
    })?;
    let behind = named(wish.words.get(at + long..)?);
    let (wrong, used) = whom::at(behind, 0, wish.heard, wish.world)?;
    (used == behind.len()).then(|| (wrong, named(&wish.words[..at])))
}

/// "Replace Tom with Ana", "swap Tom for Ana".
fn exchanged<'a>(wish: &Wish<'a>) -> Option<(Whom, &'a [Word])> {
    let leads: [&[&str]; 4] = [&["replace"], &["swap"], &["switch"], &["change"]];
    let rest = wish.behind_any(&leads)?;
    let (wrong, used) = whom::at(rest, 0, wish.heard, wish.world)?;
    let link = rest.get(used).filter(|link| is_any(&link.text, &["with", "for", "to", "by"]))?;
    (!link.quoted).then(|| (wrong, &rest[used + 1..]))
}

/// "With Ana instead", where one person is on the card.
fn instead<'a>(wish: &Wish<'a>, preview: &Preview) -> Option<(Whom, &'a [Word])> {
    let mut all = preview.recipients();
    let only = all.next().filter(|_| wish.instead && all.next().is_none())?;
    let right = named(wish.words);
    let all_named = matches!(wish.people(right), Some(Ok(people)) if !people.iter().any(|whom| whom.is_at(&only.address)));
    all_named.then(|| (on_card(only), right))
}

/// Of several who are called so, the one that is on the card.
fn of_the_card(whom: Whom, preview: &Preview) -> Whom {
    let Whom::OneOf(names) = &whom else { return whom };
    let is_one = |one: &&Recipient| one.name.as_ref().is_some_and(|name| names.contains(name));
    let mut found = preview.recipients().filter(is_one);
    match (found.next(), found.next()) {
        (Some(one), None) => on_card(one),
        _ => whom,
    }
}

fn on_card(one: &Recipient) -> Whom {
    let short = short_name(one).to_owned();
    let name = one.name.clone().unwrap_or_else(|| short.clone());
    Whom::Known { name, short, address: one.address.clone(), heard: None }
}

/// What stands before a name: "make it with Ana".
fn named(words: &[Word]) -> &[Word] {
    let little = |word: &&Word| {
        let leads = ["make", "it", "with", "to", "invite", "send", "for", "be", "is", "should"];
        !word.quoted && is_any(&word.text, &leads)
    };
    &words[words.iter().take_while(little).count()..]
}

#[cfg(test)]
mod tests {
    use brain::card::Preview;

    use super::super::tests::{lunch, mail, outline, priya, to};

    #[test]
    fn one_gives_way_to_another() {
        for heard in [
            "no, with ana instead of tom",
            "ana instead of tom",
            "make it with ana instead of tom",
            "swap tom for ana",
            "replace tom with ana",
            "with ana instead",
            "no, with ana rather than tom please",
            "not tom, ana",
            "no wait, not tom, ana",
            "wait no, not tom but ana",
            "no, sorry, not tom, ana",
        ] {
            let outcome = "revise attendees=ana.ruiz title=Lunch with Ana";
            assert_eq!(outline(&to(heard, &[lunch()])), outcome, "{heard}");
        }
        let outcome = outline(&to("send it to ana instead of priya", &[mail()]));
        assert!(outcome.starts_with("revise to=ana.ruiz body=Hi Ana,"), "{outcome}");
        assert_ne!(outline(&to("with ana instead of lena", &[lunch()])), "accept 0");
    }

    #[test]
    fn the_name_of_an_event_lists_those_who_are_left() {
        let Preview::Event(mut event) = lunch() else { panic!("lunch is an event") };
        event.attendees.push(priya());
        "Lunch with Tom and Priya".clone_into(&mut event.title);
        let both = [Preview::Event(event)];
        for heard in ["not priya", "without Priya", "no wait, not priya", "take Priya off"] {
            let outcome = "revise attendees=tom.okafor title=Lunch with Tom";
            assert_eq!(outline(&to(heard, &both)), outcome, "{heard}");
        }
        let outcome = "revise attendees=tom.okafor,ana.ruiz title=Lunch with Tom and Ana";
        assert_eq!(outline(&to("no wait, not priya, ana", &both)), outcome);
    }
}
