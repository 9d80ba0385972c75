//! The rows of one session that are not over: open turns, cards, writes.
//!
//! The actor has two of these: as they will be once everything that was written
//! has landed, and as they are on disk. When the disk fails it goes on from the
//! second.

use std::collections::BTreeMap;

use brain::confirmation::ConfirmationState;
use brain::{Action, ActionId, Confirmation, ConfirmationId, TurnId};
use models::narrator;
use store::{Batch, TurnRow};

/// What is open, by id and so by age.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub turns: BTreeMap<TurnId, TurnRow>,
    /// The newest revision of each card whose turn is open, or whose write is
    /// not over.
    pub cards: BTreeMap<ConfirmationId, Confirmation>,
    /// Writes whose turn is open, and those that somebody still has to hear of.
    pub actions: BTreeMap<ActionId, Action>,
}

impl Rows {
    /// As they are after `batch`.
    pub fn apply(&mut self, batch: &Batch) {
        for card in &batch.confirmations {
            let newest =
                self.cards.get(&card.id).is_none_or(|known| known.revision <= card.revision);
            if newest {
                self.cards.insert(card.id, card.clone());
            }
        }
        for action in &batch.actions {
            self.actions.insert(action.id, action.clone());
        }
        if let Some(turn) = &batch.turn {
            self.turns.insert(turn.turn, turn.clone());
        }
        self.forget();
    }

    /// Lets go of what is over.
    fn forget(&mut self) {
        self.turns.retain(|_, turn| turn.ended_at.is_none());
        let turns = &self.turns;
        self.actions.retain(|_, action| {
            turns.contains_key(&action.turn) || !action.told || !action.state.is_over()
        });
        let actions = &self.actions;
        let is_needed = |card: &Confirmation| actions.contains_key(&card.action);
        self.cards.retain(|_, card| turns.contains_key(&card.turn) || is_needed(card));
    }

    /// What waits for an answer, as it is called.
    pub fn waiting(&self) -> Vec<String> {
        self.open_cards().map(|card| narrator::card::called(&card.card.preview)).collect()
    }

    /// The cards that wait for an answer, oldest first.
    pub fn open_cards(&self) -> impl Iterator<Item = &Confirmation> {
        self.cards.values().filter(|card| card.state == ConfirmationState::Pending)
    }

    /// Writes that somebody still has to hear of, though their turn is over.
    pub fn untold(&self) -> impl Iterator<Item = &Action> {
        self.actions.values().filter(|action| {
            !action.told && action.state.is_over() && !self.turns.contains_key(&action.turn)
        })
    }

    /// Writes that are not over.
    pub fn unsettled(&self) -> impl Iterator<Item = &Action> {
        self.actions.values().filter(|action| !action.state.is_over())
    }
}
