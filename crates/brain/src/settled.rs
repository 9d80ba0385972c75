//! Cards that are no longer open and what became of them, gathered from what happened. Pure.
//!
//! Whoever cannot catch up event by event still sees their receipts: what was sent, what was
//! declined, and what nobody knows yet.

use std::collections::HashMap;

use crate::event::{Envelope, Event};
use crate::ids::{CallId, ConfirmationId, TurnId};
use crate::input::Decision;
use crate::snapshot::{Came, Given, Settled};

/// Those that were decided in `events`, in the order in which they were.
pub fn settled<'a>(events: impl IntoIterator<Item = &'a Envelope>) -> Vec<Settled> {
    let mut gathered = Gathered::default();
    events.into_iter().for_each(|envelope| gathered.see(envelope));
    gathered.decided
}

#[derive(Default)]
struct Gathered {
    open: HashMap<ConfirmationId, Settled>,
    decided: Vec<Settled>,
    calls: HashMap<CallId, ConfirmationId>,
}

impl Gathered {
    fn see(&mut self, envelope: &Envelope) {
        let Envelope { turn_id, ts, .. } = *envelope;
        match &envelope.event {
            Event::AskedToConfirm(question) | Event::QuestionChanged(question) => {
                let question = (**question).clone();
                let card = Settled { question, turn_id, ts, answer: None, result: None };
                self.open.insert(card.question.confirmation_request_id, card);
            }
            Event::Answered {
                confirmation_request_id, decision, channel, edited_fields, ..
            } => {
                let edited_fields = edited_fields.clone();
                let given = Given { decision: *decision, channel: *channel, edited_fields };
                if let Some(card) = self.open.remove(confirmation_request_id) {
                    self.decided.push(Settled { answer: Some(given), ts, ..card });
                }
            }
            Event::WentUnanswered { confirmation_request_id, .. } => {
                if let Some(card) = self.open.remove(confirmation_request_id) {
                    self.decided.push(Settled { ts, ..card });
                }
            }
            Event::ToolRequested { call_id, confirmation_request_id: Some(card), .. } => {
                self.calls.insert(*call_id, *card);
            }
            Event::ToolReturned { call_id, ok, output, error, state } => {
                if let Some(card) = self.card_of(*call_id, turn_id, state.is_some()) {
                    let (output, error) = (output.clone(), error.clone());
                    let came =
                        Came { call_id: *call_id, ts, ok: *ok, output, error, state: *state };
                    card.result = Some(came);
                }
            }
            _ => {}
        }
    }

    /// A write that was stopped before it began has a result, yet no request.
    fn card_of(
        &mut self,
        call: CallId,
        turn: Option<TurnId>,
        is_write: bool,
    ) -> Option<&mut Settled> {
        let is_agreed = |given: &Given| given.decision != Decision::Reject;
        let may_be_its = |card: &Settled| {
            is_write
                && card.turn_id == turn
                && card.result.is_none()
                && card.answer.as_ref().is_some_and(is_agreed)
        };
        let asked = self.calls.get(&call).copied();
        self.decided.iter_mut().find(|card| {
            asked.map_or_else(
                || may_be_its(card),
                |asked| card.question.confirmation_request_id == asked,
            )
        })
    }
}
