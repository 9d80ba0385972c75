//! What everybody has seen so far: the last events as they went by, the state of
//! each open turn, the bubble that still grows. Whoever comes back is brought to
//! exactly this point and then goes on live.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use brain::snapshot::{Bubble, Lost, RECENT_EVENTS, Speaking, Standing};
use brain::{Cursor, Envelope, Event, MessageId, Role, TurnId, TurnState};
use serde_json::Value;

/// Fewer are kept at hand where they take more room than this; the others are in the
/// store, but for the deltas.
const RECENT_BYTES: usize = 48 * 1024;
/// A card or a plan, roughly.
const CARD_BYTES: usize = 2 * 1024;

/// What was shown, up to `last_seq`.
pub(crate) struct View {
    epoch: u64,
    /// The first number of this epoch.
    first_seq: u64,
    last_seq: u64,
    recent: VecDeque<Arc<Envelope>>,
    /// About how much room those take.
    recent_bytes: usize,
    /// Turns that are not over.
    states: BTreeMap<TurnId, TurnState>,
    growing: Option<Bubble>,
    /// The number of its first piece.
    growing_since: u64,
    speaking: Option<Speaking>,
}

/// What a client with a cursor has to be told.
pub(crate) enum Missed {
    /// All of it is still at hand.
    Recent(Vec<Arc<Envelope>>),
    /// Kept events after the cursor and up to `until` are in the store; the rest is at hand.
    Older { until: u64, recent: Vec<Arc<Envelope>> },
}

impl View {
    /// Nothing was shown by this owner yet.
    pub fn new(epoch: u64, next_seq: u64) -> Self {
        Self {
            epoch,
            first_seq: next_seq,
            last_seq: next_seq - 1,
            recent: VecDeque::new(),
            recent_bytes: 0,
            states: BTreeMap::new(),
            growing: None,
            growing_since: 0,
            speaking: None,
        }
    }

    /// A turn that a former owner left open.
    pub fn resume(&mut self, turn: TurnId, state: TurnState) {
        self.states.insert(turn, state);
    }

    /// It is being shown.
    pub fn note(&mut self, envelope: &Arc<Envelope>) {
        let Some(seq) = envelope.seq else { return };
        self.last_seq = seq;
        self.remember(envelope);
        match (&envelope.event, envelope.turn_id) {
            (Event::StateChanged { to: TurnState::Idle, .. }, Some(turn)) => {
                self.states.remove(&turn);
                self.growing = self.growing.take().filter(|it| it.turn_id != Some(turn));
            }
            (Event::StateChanged { to, .. }, Some(turn)) => drop(self.states.insert(turn, *to)),
            // Whoever says something has heard enough of what was said before.
            (Event::TurnStarted { .. }, _) => self.speaking = None,
            (Event::SaidDelta { text }, _) => self.grow(envelope, text),
            (Event::HeardDelta { text, .. }, _) => self.hear(envelope, text),
            (Event::Said { .. } | Event::Heard { .. }, _) => self.growing = None,
            _ => {}
        }
    }

    fn remember(&mut self, envelope: &Arc<Envelope>) {
        self.recent_bytes += weight(&envelope.event);
        self.recent.push_back(Arc::clone(envelope));
        while self.recent.len() > RECENT_EVENTS as usize || self.recent_bytes > RECENT_BYTES {
            let Some(oldest) = self.recent.pop_front() else { return };
            self.recent_bytes -= weight(&oldest.event);
        }
    }

    /// Every piece of what is being said is all of it so far.
    fn hear(&mut self, envelope: &Envelope, text: &str) {
        self.growing = None;
        self.grow(envelope, text);
    }

    fn grow(&mut self, envelope: &Envelope, text: &str) {
        let Some(message_id) = envelope.message_id else { return };
        match &mut self.growing {
            Some(bubble) if bubble.message_id == message_id => bubble.text.push_str(text),
            _ => {
                self.growing_since = envelope.seq.unwrap_or_default();
                self.growing = Some(Bubble {
                    message_id,
                    turn_id: envelope.turn_id,
                    role: envelope.role,
                    text: text.to_owned(),
                    ts: envelope.ts,
                    partial: true,
                    attachments: Vec::new(),
                });
            }
        }
    }

    /// So much of a message was heard. A message that nobody has seen lately, and
    /// one of the person's own, cannot have been.
    pub fn played(&mut self, speaking: Speaking) -> Result<(), NeverSaid> {
        let of_message = |message: MessageId| {
            let is_it = |envelope: &&Arc<Envelope>| envelope.message_id == Some(message);
            self.recent.iter().rev().find(is_it).map(|envelope| envelope.role)
        };
        if of_message(speaking.message_id) != Some(Role::Assistant) {
            return Err(NeverSaid);
        }
        // Reports of one device may overtake each other; nobody unhears anything.
        let heard_before = self.speaking.filter(|known| known.message_id == speaking.message_id);
        let heard_ms = heard_before.map_or(0, |known| known.heard_ms).max(speaking.heard_ms);
        self.speaking = Some(Speaking { heard_ms, ..speaking });
        Ok(())
    }

    /// It is heard from its beginning again.
    pub fn says_again(&mut self, message: MessageId) {
        self.speaking = self.speaking.filter(|known| known.message_id != message);
    }

    pub fn speaking(&self) -> Option<Speaking> {
        self.speaking
    }

    pub fn growing(&self) -> Option<&Bubble> {
        self.growing.as_ref()
    }

    /// Where the session stands: the newest turn that is open, if one is.
    pub fn standing(&self) -> Standing {
        let open = self.states.last_key_value().map(|(turn, state)| (*turn, *state));
        Standing {
            epoch: self.epoch,
            last_seq: self.last_seq,
            state: open.map_or(TurnState::Idle, |(_, state)| state),
            turn_id: open.map(|(turn, _)| turn),
        }
    }

    /// What came after the cursor, unless nobody here ever gave it out.
    pub fn since(&self, cursor: Cursor) -> Result<Missed, Lost> {
        let Cursor { epoch, last_seq } = cursor;
        let is_ours = match epoch {
            Some(0) => false,
            Some(epoch) if epoch == self.epoch => {
                // Who has seen nothing of this owner yet may name its epoch all the same.
                last_seq <= self.last_seq
            }
            Some(epoch) => epoch < self.epoch && last_seq < self.first_seq,
            None => last_seq <= self.last_seq,
        };
        if !is_ours {
            return Err(Lost::UnknownCursor);
        }
        let from = |seq: u64| {
            let is_behind = move |one: &&Arc<Envelope>| one.seq.is_some_and(|it| it > seq);
            self.recent.iter().filter(is_behind).cloned().collect()
        };
        if last_seq == self.last_seq {
            return Ok(Missed::Recent(Vec::new()));
        }
        let oldest = self.recent.front().and_then(|envelope| envelope.seq);
        // A bubble whose first pieces are nowhere any more can only be shown as it is.
        let is_torn = self.growing.is_some() && oldest.is_some_and(|it| it > self.growing_since);
        if is_torn && oldest.is_some_and(|oldest| last_seq + 1 < oldest) {
            return Err(Lost::TooOld);
        }
        Ok(match oldest {
            Some(oldest) if oldest <= last_seq + 1 => Missed::Recent(from(last_seq)),
            Some(oldest) => Missed::Older { until: oldest - 1, recent: from(last_seq) },
            None => Missed::Older { until: self.last_seq, recent: Vec::new() },
        })
    }
}

/// About how much memory an event takes.
fn weight(event: &Event) -> usize {
    let held = match event {
        Event::SaidDelta { text } | Event::Said { text } => text.len(),
        Event::HeardDelta { text, .. } | Event::Heard { text, .. } => text.len(),
        Event::ToolRequested { arguments, .. } => weight_of(arguments),
        Event::ToolReturned { output, .. } => weight_of(output),
        Event::Planned(_) | Event::AskedToConfirm(_) | Event::QuestionChanged(_) => CARD_BYTES,
        _ => 0,
    };
    size_of::<Envelope>() + held
}

fn weight_of(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(weight_of).sum(),
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| name.len() + weight_of(value)).sum()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
}

/// Nobody has said that message here lately.
pub(crate) struct NeverSaid;

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;
    use brain::{EventId, SessionId};
    use jiff::Timestamp;

    use super::*;

    fn said(seq: u64, text: &str) -> Arc<Envelope> {
        Arc::new(Envelope {
            event_id: EventId(Uuid::from_u128(seq.into())),
            role: Role::Assistant,
            event: Event::SaidDelta { text: text.into() },
            ts: Timestamp::UNIX_EPOCH,
            session_id: SessionId(Uuid::nil()),
            epoch: 3,
            turn_id: Some(TurnId(Uuid::nil())),
            message_id: Some(MessageId(Uuid::from_u128(7))),
            seq: Some(seq),
            turn_seq: Some(seq),
            spelling: brain::event::Spelling::default(),
        })
    }

    /// The third owner; its numbers begin at 2049.
    fn view(events: u64) -> View {
        let mut view = View::new(3, 2049);
        (0..events).for_each(|n| view.note(&said(2049 + n, "x")));
        view
    }

    fn at(epoch: u64, last_seq: u64) -> Cursor {
        Cursor { epoch: Some(epoch), last_seq }
    }

    fn numbers(missed: Missed) -> (Option<u64>, Vec<u64>) {
        let (until, recent) = match missed {
            Missed::Recent(recent) => (None, recent),
            Missed::Older { until, recent } => (Some(until), recent),
        };
        (until, recent.iter().filter_map(|envelope| envelope.seq).collect())
    }

    #[test]
    fn what_is_at_hand_is_told_without_a_gap_or_a_repetition() {
        let view = view(5);
        assert_eq!(numbers(view.since(at(3, 2051)).ok().unwrap()), (None, vec![2052, 2053]));
        assert_eq!(numbers(view.since(at(3, 2053)).ok().unwrap()), (None, vec![]));
    }

    #[test]
    fn what_is_no_longer_at_hand_is_read_up_to_where_that_begins() {
        let mut view = view(300);
        view.growing = None;
        let (until, recent) = numbers(view.since(at(3, 2060)).ok().unwrap());
        let until = until.unwrap();
        assert_eq!((recent[0], *recent.last().unwrap()), (until + 1, 2348));
        assert!((50..=200).contains(&recent.len()), "{}", recent.len());
    }

    #[test]
    fn a_bubble_whose_first_pieces_are_gone_is_shown_as_it_is() {
        let mut view = view(0);
        (0..300).for_each(|n| view.note(&said(2049 + n, "x")));
        assert_eq!(view.since(at(3, 2048)).err(), Some(Lost::TooOld));
        assert!(view.since(at(3, 2340)).is_ok());
        assert_eq!(view.growing().unwrap().text.len(), 300);
    }

    #[test]
    fn what_is_at_hand_takes_little_room() {
        let mut view = view(0);
        (0..300).for_each(|n| view.note(&said(2049 + n, &"x".repeat(1000))));
        assert!(view.recent_bytes <= RECENT_BYTES);
        let counted: usize = view.recent.iter().map(|one| weight(&one.event)).sum();
        assert_eq!(view.recent_bytes, counted);
        assert!(!view.recent.is_empty());
    }

    #[test]
    fn a_cursor_of_an_earlier_owner_is_known() {
        let (until, recent) = numbers(view(2).since(at(2, 1500)).ok().unwrap());
        assert_eq!((until, recent), (Some(2048), vec![2049, 2050]));
    }

    #[test]
    fn a_cursor_that_nobody_gave_out_is_not() {
        let view = view(5);
        for cursor in [at(0, 1), at(4, 1), at(3, 2054), at(2, 2049)] {
            assert_eq!(view.since(cursor).err(), Some(Lost::UnknownCursor), "{cursor:?}");
        }
        let cursor = Cursor { epoch: None, last_seq: 2054 };
        assert_eq!(view.since(cursor).err(), Some(Lost::UnknownCursor));
    }

    #[test]
    fn nobody_unhears_what_was_heard() {
        let mut view = view(1);
        let heard = |heard_ms| Speaking { message_id: MessageId(Uuid::from_u128(7)), heard_ms };
        assert!(view.played(heard(900)).is_ok() && view.played(heard(400)).is_ok());
        assert_eq!(view.speaking(), Some(heard(900)));
        let other = Speaking { message_id: MessageId(Uuid::from_u128(8)), heard_ms: 1 };
        assert!(view.played(other).is_err());
    }
}
