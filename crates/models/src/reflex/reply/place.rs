//! Where an event is.

use super::change::{Change, Wish};
use crate::reflex::phrasing;
use crate::reflex::vocabulary::{EMPTY, is_any};

const PLACES: &[&[&str]] = &[
    &["change", "the", "place", "to"],
    &["change", "the", "location", "to"],
    &["set", "the", "location", "to"],
    &["set", "the", "place", "to"],
    &["the", "place", "is"],
    &["the", "location", "is"],
    &["location", "is"],
    &["location"],
    &["place", "is"],
    &["place"],
    &["where"],
    &["make", "it", "at"],
    &["make", "it", "in"],
    &["move", "it", "into"],
    &["at"],
    &["in"],
];

/// Another place.
pub fn read(wish: &Wish<'_>) -> Option<Change> {
    let words = wish.behind_any(PLACES)?;
    let bare = matches!(wish.words.len() - words.len(), 1);
    let names_nothing = words.iter().all(|word| is_any(&word.text, EMPTY));
    let doubtful = words.iter().any(|word| {
        matches!(
            word.text.as_str(),
            "minute" | "second" | "moment" | "case" | "fact" | "least" | "hour"
        )
    });
    if names_nothing || doubtful || (bare && words.len() > 5) {
        return None;
    }
    let place = phrasing::capital(&wish.raw(words));
    let said = format!("At {place}.");
    Some(Change::one("location", place, said))
}

/// "There is no location", "without a place", "take out the location".
pub fn none(wish: &Wish<'_>) -> Option<Change> {
    const PLACE: &[&str] = &["location", "place", "room", "address", "venue"];
    const LEADS: &[&[&str]] = &[
        &["there", "is", "no"],
        &["it", "has", "no"],
        &["there", "should", "be", "no"],
        &["with", "no"],
        &["without", "a"],
        &["without", "the"],
        &["without", "any"],
        &["without"],
        &["remove", "the"],
        &["delete", "the"],
        &["drop", "the"],
        &["clear", "the"],
        &["take", "out", "the"],
        &["leave", "out", "the"],
        &["no"],
    ];
    let texts = wish.texts();
    let is_place = |rest: &[&str]| matches!(rest, [place] if is_any(place, PLACE));
    let said = LEADS.iter().filter_map(|lead| texts.strip_prefix(*lead)).any(is_place);
    // "No location": the no was taken for an answer.
    (said || wish.refused && is_place(&texts))
        .then(|| Change::one("location", "", "Without a place."))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lunch, outline, to};

    #[test]
    fn a_place_is_taken_away() {
        for heard in [
            "there is no location",
            "no location please",
            "remove the location",
            "without a place",
            "take out the location",
        ] {
            assert_eq!(outline(&to(heard, &[lunch()])), "revise location=", "{heard}");
        }
        let both = outline(&to("there is no location, and make it an hour", &[lunch()]));
        assert_eq!(both, "revise location= end=19T13:00");
    }

    #[test]
    fn the_day_changes_and_the_hour_stays() {
        for heard in [
            "nah leave it, do friday at the same time",
            "friday same time",
            "no, do it on friday at the same time",
            "forget it, friday at the same time instead",
        ] {
            let outcome = "revise start=20T12:00 end=20T12:30";
            assert_eq!(outline(&to(heard, &[lunch()])), outcome, "{heard}");
        }
        assert_eq!(outline(&to("leave it", &[lunch()])), "reject 0");
        assert_eq!(outline(&to("nah leave it", &[lunch()])), "reject 0");
    }

    #[test]
    fn a_title_is_only_its_words() {
        let heard = "no, the title is just Piano lesson and invite ana";
        let outcome = "revise title=Piano lesson attendees=tom.okafor,ana.ruiz";
        assert_eq!(outline(&to(heard, &[lunch()])), outcome);
    }
}
