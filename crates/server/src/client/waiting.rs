//! Tells the answer that somebody waits for from everything else that happens.

use brain::event::InputMode;
use brain::{Envelope, Event, TurnId};

/// What an event means for somebody who waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mine {
    /// Not theirs.
    No,
    /// A part of the turn that answers it.
    Part,
    /// A part of it, and perhaps all there is until a card is answered. A pong
    /// that is asked for now comes behind the rest of it, if there is any.
    Ask,
    /// Nothing more comes until somebody answers a card.
    Rest,
    /// The last of it, or the refusal.
    Last,
}

/// Waits for what comes of one thing that was said.
pub struct Waiting {
    id: String,
    turn: Option<TurnId>,
    /// The words were heard as an answer to a card, or the card itself was answered.
    is_answer: bool,
    /// A card decides how it goes on.
    rests: bool,
    /// It is spoken: it has no name of ours.
    is_aloud: bool,
    /// More of it is heard in a turn that goes on from this one.
    more: Option<More>,
}

/// The rest of a sentence, which only one owner of the session knows.
struct More {
    epoch: u64,
    /// The turn before it has ended.
    is_next: bool,
}

impl Waiting {
    /// For the turn that answers what was said under the name `id`.
    pub fn new(id: String) -> Self {
        let (turn, more) = (None, None);
        Self { id, turn, is_answer: false, rests: false, is_aloud: false, more }
    }

    /// For the turn that answers what is said aloud.
    pub fn aloud() -> Self {
        Self { is_aloud: true, ..Self::new(String::new()) }
    }

    /// For what comes of an answer to a card of `turn`.
    pub fn in_turn(id: String, turn: TurnId) -> Self {
        Self { turn: Some(turn), is_answer: true, ..Self::new(id) }
    }

    /// The server has taken it up.
    pub fn has_begun(&self) -> bool {
        self.turn.is_some()
    }

    /// The turn it is about, once that is known.
    pub fn turn(&self) -> Option<TurnId> {
        self.turn
    }

    pub fn place(&mut self, envelope: &Envelope) -> Mine {
        if let Some(more) = self.more.take_if(|more| envelope.epoch > more.epoch)
            && more.is_next
        {
            // Whoever was to hear the rest of it is gone.
            return Mine::Last;
        }
        if let Event::Heard { more: true, .. } = &envelope.event {
            let place = self.placed_in(envelope);
            if place != Mine::No {
                self.more = Some(More { epoch: envelope.epoch, is_next: false });
            }
            return place;
        }
        self.placed_in(envelope)
    }

    fn placed_in(&mut self, envelope: &Envelope) -> Mine {
        match &envelope.event {
            Event::TurnStarted { goes_on: Some(turn), .. } if Some(*turn) == self.turn => {
                *self = Self { turn: envelope.turn_id, ..Self::new(std::mem::take(&mut self.id)) };
                return Mine::Part;
            }
            Event::TurnStarted { in_reply_to: Some(id), .. } if *id == self.id => {
                self.turn = envelope.turn_id;
                return Mine::Part;
            }
            Event::Heard { in_reply_to: Some(id), .. } if *id == self.id => {
                (self.turn, self.is_answer) = (envelope.turn_id, true);
                return Mine::Part;
            }
            Event::TurnStarted { input_mode: InputMode::Voice, .. } if self.is_aloud => {
                self.turn = envelope.turn_id;
                return Mine::Part;
            }
            Event::Heard { .. } if self.is_aloud && self.turn.is_none() => {
                (self.turn, self.is_answer) = (envelope.turn_id, true);
                return Mine::Part;
            }
            // Others hear or say it, which people are to know, and it goes on.
            Event::Failed { code, .. } if code == "backup_ears" || code == "backup_voice" => {
                return Mine::Part;
            }
            Event::Failed { in_reply_to: None, .. } if self.is_aloud && self.turn.is_none() => {
                return Mine::Last;
            }
            Event::Failed { in_reply_to: Some(id), .. } if *id == self.id => return Mine::Last,
            // Nothing can be written down, so nothing will come of it.
            Event::Failed { in_reply_to: None, code, .. } if code == "store_unavailable" => {
                return Mine::Last;
            }
            Event::Ponged { .. } => return if self.rests { Mine::Rest } else { Mine::No },
            _ => {}
        }
        if self.turn.is_none() || envelope.turn_id != self.turn {
            return Mine::No;
        }
        self.placed(&envelope.event)
    }

    fn placed(&mut self, event: &Event) -> Mine {
        if let Some(more) = &mut self.more {
            // The rest of what was said is heard before anybody rests.
            let ends = matches!(event, Event::TurnEnded { .. } | Event::TurnCancelled { .. });
            more.is_next |= ends;
            return Mine::Part;
        }
        match event {
            Event::TurnEnded { .. } | Event::TurnCancelled { .. } => return Mine::Last,
            Event::AskedToConfirm(_) | Event::QuestionChanged(_) => self.rests = true,
            // Talk about a card that leaves it open.
            Event::Said { .. } if self.is_answer => self.rests = true,
            // It is decided: the turn goes on.
            Event::Answered { .. } | Event::WentUnanswered { .. } => {
                (self.rests, self.is_answer) = (false, false);
                return Mine::Part;
            }
            _ => return Mine::Part,
        }
        Mine::Ask
    }
}

#[cfg(test)]
#[path = "waiting_tests.rs"]
mod tests;
