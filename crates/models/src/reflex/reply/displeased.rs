//! "That's not right": something is to be different, and nobody said what.

use brain::input::Decision;
use brain::resolve::words::Word;

use super::named::Named;
use super::{CardView, Reply, asking_which};
use crate::reflex::vocabulary::is_any;

const SAYS: &str = "Nothing is done yet. What should be different?";

/// Said and nothing besides.
const COMPLAINTS: &[&str] = &[
    "not like this",
    "not like that",
    "not quite",
    "not quite right",
    "not right",
    "that is not right",
    "that is not quite right",
    "that is not correct",
    "that is not it",
    "that is not what i said",
    "that is not what i meant",
    "that is not what i want",
    "that is not what i wanted",
    "that is not what i asked for",
    "that is wrong",
    "that is all wrong",
    "that is incorrect",
    "that looks wrong",
    "this is wrong",
    "this is not right",
    "it is wrong",
    "it is not right",
    "it is not ready",
    "it is not finished",
    "something is wrong",
];

/// Asked back, and a yes behind it does not count at once.
pub fn read(said: &[Word], named: &Named, cards: &[CardView<'_>]) -> Option<Reply> {
    let open = said.iter().any(|word| word.quoted || word.stop == Some('?'));
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    if open || !is_complaint(&texts) {
        return None;
    }
    Some(match named.candidates().as_slice() {
        [] => return None,
        [card] => Reply::CannotRevise { card: *card, say: SAYS.to_owned(), is_missed: true },
        several => asking_which(Decision::Edit, several, cards),
    })
}

/// How many words complain before better ones follow: "that's not right, make it Friday".
pub fn leads(said: &[Word]) -> Option<usize> {
    const GOES_ON: &[&str] = &["make", "move", "change", "it", "i", "say", "put"];
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    (1..said.len()).rev().find(|&long| {
        let paused = said[long - 1].stop.is_some_and(|stop| stop != '?');
        let goes_on = paused || is_any(texts[long], GOES_ON);
        goes_on && !said[..long].iter().any(|word| word.quoted) && is_complaint(&texts[..long])
    })
}

fn is_complaint(texts: &[&str]) -> bool {
    const WRONG: &[&str] =
        &["day", "date", "time", "hour", "person", "name", "place", "address", "title", "subject"];
    const POINTS: &[&[&str]] = &[
        &["that", "is", "the"],
        &["this", "is", "the"],
        &["it", "is", "the"],
        &["that", "is"],
        &["the"],
    ];
    let rest = POINTS.iter().find_map(|lead| texts.strip_prefix(*lead)).unwrap_or(texts);
    matches!(rest, ["wrong", what] if is_any(what, WRONG))
        || COMPLAINTS.contains(&texts.join(" ").as_str())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lunch, mail, outline, to};
    use super::*;

    #[test]
    fn a_complaint_is_asked_back_and_no_yes_to_it_counts_at_once() {
        for heard in [
            "That's not right.",
            "it isn't ready",
            "That's wrong!",
            "Not like this.",
            "Wrong day.",
            "that's the wrong time",
        ] {
            let asked = Reply::CannotRevise { card: 0, say: SAYS.to_owned(), is_missed: true };
            assert_eq!(to(heard, &[mail()]), asked, "{heard}");
            assert_eq!(to(heard, &[lunch()]), asked, "{heard}");
        }
    }

    #[test]
    fn of_two_cards_it_is_asked_which_is_meant() {
        assert!(matches!(
            to("that's wrong", &[mail(), lunch()]),
            Reply::Which { decision: Decision::Edit, .. }
        ));
    }

    #[test]
    fn whoever_says_what_is_wrong_is_not_asked_what_is() {
        for heard in ["that's not right, make it Friday", "is that wrong?", "that's wrong, no"] {
            assert!(
                !matches!(to(heard, &[lunch()]), Reply::CannotRevise { say, .. } if say == SAYS),
                "{heard}"
            );
        }
        for heard in ["that's not right, make it Friday", "that's wrong make it friday"] {
            let on_friday = "revise start=20T12:00 end=20T12:30";
            assert_eq!(outline(&to(heard, &[lunch()])), on_friday, "{heard}");
        }
        assert_eq!(outline(&to("that's wrong, no", &[lunch()])), "reject 0");
    }
}
