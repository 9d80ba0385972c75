//! The cards that wait for an answer: a fold over the events of a session.

use std::time::{Duration, Instant};

use brain::card::Preview;
use brain::confirmation::Channel;
use brain::event::Question;
use brain::input::Decision;
use brain::{ConfirmationId, Envelope, Event, TurnId};

/// A key that is pressed sooner was meant for something else.
const ARMED_AFTER: Duration = Duration::from_millis(400);
/// Turns with a card whose ends are of interest; older ones have long ended.
const MOST_TURNS: usize = 64;

/// A card that is open.
#[derive(Clone, Debug)]
pub struct Open {
    /// Counts from 1 and stands for this card alone as long as we live.
    pub number: usize,
    pub turn: TurnId,
    pub question: Question,
    /// What stood on it before it was changed, where that was seen here.
    pub before: Option<Preview>,
    /// Since when it is shown as it is.
    since: Instant,
}

impl Open {
    /// It stands there long enough to have been seen.
    pub fn is_armed(&self) -> bool {
        self.since.elapsed() >= ARMED_AFTER
    }
}

/// What an event means for the cards.
#[derive(Debug)]
pub enum News {
    Nothing,
    Opened(Open),
    /// Another revision. More time alone is no news.
    Changed(Open),
    Answered {
        card: Open,
        decision: Decision,
        channel: Channel,
    },
    Expired(Open),
}

/// Every card that is open, oldest first.
#[derive(Default)]
pub struct Cards {
    open: Vec<Open>,
    last_number: usize,
    /// Turns that had a card: what becomes of them is worth telling.
    turns: Vec<TurnId>,
}

impl Cards {
    pub fn take(&mut self, envelope: &Envelope) -> News {
        match (&envelope.event, envelope.turn_id) {
            (Event::AskedToConfirm(question) | Event::QuestionChanged(question), Some(turn)) => {
                self.put(turn, question)
            }
            (Event::Answered { confirmation_request_id: id, decision, channel, .. }, _) => {
                let (decision, channel) = (*decision, *channel);
                self.close(*id).map_or(News::Nothing, |card| News::Answered {
                    card,
                    decision,
                    channel,
                })
            }
            (Event::WentUnanswered { confirmation_request_id: id, .. }, _) => {
                self.close(*id).map_or(News::Nothing, News::Expired)
            }
            _ => News::Nothing,
        }
    }

    pub fn open(&self) -> &[Open] {
        &self.open
    }

    /// Numbers are worth showing as soon as there is something to tell apart.
    pub fn are_several(&self) -> bool {
        self.open.len() > 1
    }

    /// The card of that number.
    pub fn numbered(&self, number: usize) -> Option<&Open> {
        self.open.iter().find(|card| card.number == number)
    }

    pub fn get(&self, id: ConfirmationId) -> Option<&Open> {
        self.open.iter().find(|card| card.question.confirmation_request_id == id)
    }

    /// Those that a turn waits for.
    pub fn of(&self, turn: Option<TurnId>) -> impl Iterator<Item = &Open> {
        self.open.iter().filter(move |card| Some(card.turn) == turn)
    }

    /// Whether a turn has, or had, a card.
    pub fn concern(&self, turn: Option<TurnId>) -> bool {
        turn.is_some_and(|turn| self.turns.contains(&turn))
    }

    /// A turn whose end is worth telling although nobody here asked for it.
    pub fn follow(&mut self, turn: TurnId) {
        if !self.turns.contains(&turn) {
            self.turns.truncate(MOST_TURNS - 1);
            self.turns.insert(0, turn);
        }
    }

    pub fn put(&mut self, turn: TurnId, question: &Question) -> News {
        self.follow(turn);
        let id = question.confirmation_request_id;
        let Some(known) =
            self.open.iter_mut().find(|card| card.question.confirmation_request_id == id)
        else {
            self.last_number += 1;
            let card = Open {
                number: self.last_number,
                turn,
                question: question.clone(),
                before: None,
                since: Instant::now(),
            };
            self.open.push(card.clone());
            return News::Opened(card);
        };
        let is_news = known.question.revision != question.revision;
        let before = std::mem::replace(&mut known.question, question.clone());
        if !is_news {
            return News::Nothing;
        }
        known.before = Some(before.card.preview);
        known.since = Instant::now();
        News::Changed(known.clone())
    }

    fn close(&mut self, id: ConfirmationId) -> Option<Open> {
        let at = self.open.iter().position(|card| card.question.confirmation_request_id == id)?;
        Some(self.open.remove(at))
    }
}
