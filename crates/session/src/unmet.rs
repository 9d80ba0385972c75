//! Cards that somebody wanted to be different, and that are not.
//!
//! Whoever asks for a change and then says yes may believe that it was made. So the
//! first yes behind a change that was not understood is answered with what still
//! stands on the card; the next one counts. A tap is on the card itself, and counts.

use models::reflex::reply::Reply;

use crate::inbox::Seen;

/// Such cards, with the revision that could be seen.
#[derive(Debug, Default)]
pub(crate) struct Unmet {
    cards: Vec<Seen>,
}

impl Unmet {
    /// What a sentence makes of it. `picked` is the card it is about; where nobody knows
    /// what it meant (`is_lost`), it may have been about any of `open`.
    pub fn note(&mut self, reply: &Reply, picked: Option<Seen>, open: &[Seen], is_lost: bool) {
        // What is open no more, or is drawn anew, is nobody's doubt.
        self.cards.retain(|card| open.contains(card));
        match (reply, picked) {
            (Reply::CannotRevise { is_missed: true, .. }, Some(card)) => self.cards.push(card),
            // What stands on it has been told.
            (Reply::Explain { .. }, Some(card)) => self.cards.retain(|other| *other != card),
            _ if is_lost => self.cards.extend(open),
            _ => {}
        }
    }

    /// Other words were asked for, and there are none.
    pub fn missed(&mut self, card: Seen) {
        self.cards.push(card);
    }

    /// Was this card perhaps to be different, and nobody was told that it is not?
    pub fn doubts(&self, card: Seen) -> bool {
        self.cards.contains(&card)
    }

    /// Does a yes to this card need a warning? It is given once.
    pub fn is_told(&mut self, card: Seen) -> bool {
        let before = self.cards.len();
        self.cards.retain(|other| *other != card);
        self.cards.len() < before
    }
}

#[cfg(test)]
mod tests {
    use brain::ConfirmationId;
    use uuid::Uuid;

    use super::*;

    const REFUSED: Reply = Reply::CannotRevise { card: 0, say: String::new(), is_missed: true };
    const CANNOT: Reply = Reply::CannotRevise { card: 0, say: String::new(), is_missed: false };
    const TOLD: Reply = Reply::Explain { card: 0, say: String::new() };

    fn card(number: u128) -> Seen {
        (ConfirmationId(Uuid::from_u128(number)), 1)
    }

    #[test]
    fn a_change_that_was_not_understood_warns_once_before_a_yes() {
        let mut unmet = Unmet::default();
        unmet.note(&REFUSED, Some(card(1)), &[card(1), card(2)], false);
        assert!(!unmet.is_told(card(2)));
        assert!(unmet.is_told(card(1)));
        assert!(!unmet.is_told(card(1)));
    }

    #[test]
    fn what_nobody_understood_may_have_been_about_any_card() {
        let mut unmet = Unmet::default();
        unmet.note(&Reply::NotAnAnswer, None, &[card(1), card(2)], true);
        unmet.note(&Reply::NotAnAnswer, None, &[card(1), card(2)], false);
        assert!(unmet.is_told(card(1)) && unmet.is_told(card(2)));
    }

    #[test]
    fn what_only_made_a_card_wait_may_have_been_a_change_as_well() {
        let hold = Reply::Hold { card: 0, say: String::new() };
        let mut unmet = Unmet::default();
        unmet.note(&hold, Some(card(1)), &[card(1)], false);
        assert!(!unmet.doubts(card(1)));
        unmet.note(&hold, Some(card(1)), &[card(1)], true);
        assert!(unmet.doubts(card(1)) && unmet.is_told(card(1)));
        assert!(!unmet.doubts(card(1)));
    }

    #[test]
    fn a_card_that_was_told_of_or_drawn_anew_needs_no_warning() {
        let mut unmet = Unmet::default();
        unmet.note(&REFUSED, Some(card(1)), &[card(1)], false);
        unmet.note(&TOLD, Some(card(1)), &[card(1)], false);
        assert!(!unmet.is_told(card(1)));
        unmet.note(&REFUSED, Some(card(1)), &[card(1)], false);
        unmet.note(&CANNOT, Some(card(2)), &[card(1), card(2)], false);
        assert!(!unmet.is_told(card(2)));
        let anew = (card(1).0, 2);
        unmet.note(&Reply::NotAnAnswer, None, &[anew], false);
        assert!(!unmet.is_told(card(1)) && !unmet.is_told(anew));
    }
}
