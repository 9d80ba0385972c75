//! What a client shows after what it was told: the bubbles, the open cards, the
//! state. It knows nothing of sessions; two clients that show different pages of
//! one session have been told different things.

use std::collections::{BTreeMap, BTreeSet};

use brain::event::Question;
use brain::snapshot::Snapshot;
use brain::{ConfirmationId, Envelope, Event, MessageId, Role, TurnId, TurnState};

/// One screen.
#[derive(Clone, Debug, Default)]
pub struct Page {
    bubbles: BTreeMap<MessageId, (Role, String)>,
    open_cards: BTreeMap<ConfirmationId, u32>,
    states: BTreeMap<TurnId, TurnState>,
    /// Bubbles that still grow: in which turn, and which owner is filling them.
    growing: BTreeMap<MessageId, (Option<TurnId>, u64)>,
    /// Numbers that were told already; a second time nothing happens.
    told: BTreeSet<u64>,
    pub epoch: u64,
    pub last_seq: u64,
}

/// What two screens are compared by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub bubbles: BTreeMap<MessageId, (Role, String)>,
    pub open_cards: BTreeMap<ConfirmationId, u32>,
    pub state: TurnState,
}

impl Page {
    /// A page that was told all of this.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a Envelope>) -> Self {
        let mut page = Self::default();
        events.into_iter().for_each(|envelope| page.take(envelope));
        page
    }

    pub fn take(&mut self, envelope: &Envelope) {
        if let Some(seq) = envelope.seq {
            if !self.told.insert(seq) {
                return;
            }
            (self.epoch, self.last_seq) = (envelope.epoch, seq);
        }
        self.give_up_before(envelope.epoch);
        match &envelope.event {
            Event::HeardDelta { text, .. } => {
                if let Some(message) = envelope.message_id {
                    self.growing.insert(message, (envelope.turn_id, envelope.epoch));
                    self.bubbles.insert(message, (envelope.role, text.clone()));
                }
            }
            Event::Heard { text, .. } | Event::Said { text } => {
                if let Some(message) = envelope.message_id {
                    self.growing.remove(&message);
                    self.bubbles.insert(message, (envelope.role, text.clone()));
                }
            }
            Event::SaidDelta { text } => {
                if let Some(message) = envelope.message_id {
                    self.growing.insert(message, (envelope.turn_id, envelope.epoch));
                    let bubble = self.bubbles.entry(message);
                    bubble.or_insert((envelope.role, String::new())).1.push_str(text);
                }
            }
            Event::AskedToConfirm(question) | Event::QuestionChanged(question) => {
                self.open(question);
            }
            Event::Answered { confirmation_request_id, .. }
            | Event::WentUnanswered { confirmation_request_id, .. } => {
                self.open_cards.remove(confirmation_request_id);
            }
            Event::StateChanged { to, .. } => {
                if let Some(turn) = envelope.turn_id {
                    self.states.insert(turn, *to);
                }
            }
            Event::TurnEnded { .. } => self.end(envelope.turn_id),
            // What somebody was saying and nobody wants to hear is not shown either.
            Event::TurnCancelled { cancel_turn_id, .. } => self.drop_unheard(*cancel_turn_id),
            Event::CaughtUp(standing) => {
                (self.epoch, self.last_seq) = (standing.epoch, standing.last_seq);
                self.states.clear();
                self.states.extend(standing.turn_id.map(|turn| (turn, standing.state)));
            }
            Event::Resynced(snapshot) => *self = Self::anew(snapshot),
            _ => {}
        }
    }

    /// What a former owner did not finish, nobody will.
    fn give_up_before(&mut self, epoch: u64) {
        for (message, _) in self.growing.extract_if(.., |_, (_, filling)| *filling < epoch) {
            self.bubbles.remove(&message);
        }
    }

    fn open(&mut self, question: &Question) {
        self.open_cards.insert(question.confirmation_request_id, question.revision);
    }

    fn drop_unheard(&mut self, turn: TurnId) {
        let is_unheard = |message: &MessageId, of: Option<TurnId>| {
            of == Some(turn) && self.bubbles.get(message).is_some_and(|it| it.0 == Role::User)
        };
        let unheard = self.growing.iter().filter(|(it, (of, _))| is_unheard(it, *of));
        for message in unheard.map(|(message, _)| *message).collect::<Vec<_>>() {
            self.growing.remove(&message);
            self.bubbles.remove(&message);
        }
    }

    fn end(&mut self, turn: Option<TurnId>) {
        if let Some(turn) = turn {
            self.states.remove(&turn);
        }
        for (message, _) in self.growing.extract_if(.., |_, (of, _)| *of == turn) {
            self.bubbles.remove(&message);
        }
    }

    fn anew(snapshot: &Snapshot) -> Self {
        let standing = snapshot.standing;
        let mut page = Self {
            epoch: standing.epoch,
            last_seq: standing.last_seq,
            states: standing.turn_id.map(|turn| (turn, standing.state)).into_iter().collect(),
            ..Self::default()
        };
        for bubble in &snapshot.messages {
            if bubble.partial {
                page.growing.insert(bubble.message_id, (bubble.turn_id, standing.epoch));
            }
            page.bubbles.insert(bubble.message_id, (bubble.role, bubble.text.clone()));
        }
        for pending in &snapshot.pending_confirmations {
            page.open(&pending.question);
        }
        page
    }

    /// What stands on it: the state is that of the newest turn that is not over.
    pub fn shown(&self) -> Shown {
        let open = self.states.values().rev().find(|state| **state != TurnState::Idle);
        Shown {
            bubbles: self.bubbles.clone(),
            open_cards: self.open_cards.clone(),
            state: open.copied().unwrap_or(TurnState::Idle),
        }
    }
}
