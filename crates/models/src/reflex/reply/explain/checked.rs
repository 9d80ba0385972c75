//! "Is that going to Leo?", "is it on Friday?": asked to be sure, and answered from the card.

use brain::card::Preview;
use brain::resolve::people;
use brain::resolve::time::{self, Lean};
use brain::resolve::words::Word;

use super::{Asked, WHOM};
use crate::World;
use crate::narrator::spelling::{capital, list};
use crate::reflex::reply::CardView;
use crate::reflex::reply::named::Named;
use crate::reflex::vocabulary::is_any;

const VERBS: &[&str] = &["is", "are", "will", "does", "do"];
const THINGS: &[&str] = &["it", "that", "this"];

/// Whether somebody gets it, or comes to it.
pub fn whom(texts: &[&str], named: &Named, cards: &[CardView<'_>], world: &World) -> Option<Asked> {
    let (verb, rest) = texts.split_first()?;
    let of_the_card = |text: &str| {
        let mut all = cards.iter().flat_map(|card| card.preview.recipients());
        all.any(|one| {
            let name = one.name.as_deref().unwrap_or_default().to_lowercase();
            name.split(' ').any(|part| part == text)
        })
    };
    let is_somebody =
        |text: &&str| of_the_card(text) || !people::known(text, &world.contacts).is_empty();
    let points = rest.first().is_some_and(|first| is_any(first, THINGS));
    let ours = |text: &str| is_any(text, WHOM) || is_any(text, &["and", "invited", "cc", "copied"]);
    // "To Zoe", whom nobody knows, is somebody too.
    let rest = match rest {
        [it, .., link, _] if is_any(it, THINGS) && is_any(link, &["to", "for", "with"]) => {
            &rest[..rest.len() - 1]
        }
        _ => rest,
    };
    let ends = rest.last().is_some_and(|last| is_any(last, &["to", "for", "with"]));
    let (names, others): (Vec<&str>, Vec<&str>) = rest.iter().partition(|text| is_somebody(text));
    let someone = !named.people.is_empty() || !named.others.is_empty() || !names.is_empty() || ends;
    // "Is Leo coming", where he is on no card, asks the calendar.
    let about = points || names.iter().any(|name| of_the_card(name));
    (is_any(verb, VERBS) && someone && about && others.iter().all(|text| ours(text)))
        .then_some(Asked::Whom)
}

/// Whether it is at this time.
pub fn when(said: &[Word], cards: &[CardView<'_>], world: &World) -> Option<Asked> {
    let [verb, it, rest @ ..] = said else { return None };
    let asks = is_any(&verb.text, VERBS) && is_any(&it.text, THINGS);
    let event = cards.iter().any(|card| matches!(card.preview, Preview::Event(_)));
    let when = time::find(rest, &world.local_now(), Lean::Ahead).filter(|_| asks && event)?;
    (when.words.len() == rest.len()).then_some(Asked::When)
}

/// Those who were asked about and are not on it.
pub fn not_them(named: &Named, preview: &Preview) -> String {
    let absent: Vec<String> = named.others.iter().map(|name| capital(name)).collect();
    match (absent.as_slice(), preview) {
        ([], _) | (_, Preview::Memory(_) | Preview::Lines { .. }) => String::new(),
        (absent, Preview::Email(_)) => format!(" Not to {}.", list(absent, 0)),
        (absent, Preview::Event(_)) => format!(" Not with {}.", list(absent, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{check, lunch, mail, outline, to};

    #[test]
    fn whoever_wants_to_be_sure_hears_what_is_on_the_card() {
        check(
            &[mail()],
            &[
                ("is that going to Priya?", "explain It goes to Priya Nair"),
                ("is it for priya nair?", "explain It goes to Priya Nair"),
                ("wait, is that going to Priya", "explain It goes to Priya Nair"),
            ],
        );
        check(
            &[lunch()],
            &[
                ("is tom invited?", "explain It is with Tom"),
                ("is that with Tom?", "explain It is with Tom"),
                ("is it on thursday?", "explain It is on Thursday"),
                ("is that tomorrow?", "explain It is on Thursday"),
                ("does that clash with anything?", "explain Nothing else is on your calendar"),
                ("am i free then?", "explain Nothing else is on your calendar"),
            ],
        );
    }

    #[test]
    fn somebody_who_is_not_on_it_is_said_not_to_be() {
        let said = outline(&to("is that going to Lena?", &[mail()]));
        assert!(said.starts_with("explain It goes to Priya Nair"), "{said}");
        assert!(said.ends_with(" Not to Lena."), "{said}");
        let said = outline(&to("is that going to Zebulon?", &[mail()]));
        assert!(said.starts_with("explain It goes to Priya Nair"), "{said}");
    }

    #[test]
    fn a_question_about_something_else_is_left_alone() {
        for heard in ["am i free then?", "is there a conflict?"] {
            let outcome = outline(&to(heard, &[mail()]));
            assert!(!outcome.starts_with("explain"), "{heard}: {outcome}");
        }
        check(&[mail()], &[("is tom free on Friday?", "other"), ("did leo pay?", "other")]);
    }
}
