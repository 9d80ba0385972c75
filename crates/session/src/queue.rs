//! What waits for one client.
//!
//! Bounded in number and in bytes. Where a client lags, pieces of one bubble are
//! joined into a single piece, and sound that is late is lost; where that is not
//! enough, it is cut off and told to come back. Nobody waits for it and nothing grows.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use brain::{Envelope, Event};
use tokio::sync::Notify;

use crate::replay::CatchUp;

/// Events that may wait for a client before it is cut off.
const MOST_EVENTS: usize = 128;
/// And their size, as they are spelled on the wire.
const MOST_BYTES: usize = 1024 * 1024;
/// A client that is so far behind gets pieces of a bubble joined.
const LAGGING: usize = 32;
/// Pieces of sound that may wait, four seconds of it: what is later was not heard.
const MOST_SOUND: usize = 32;

/// Shared by the session, which fills it, and a connection, which empties it.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Item>,
    bytes: usize,
    closed: bool,
}

/// What a client is to be told.
pub(crate) enum Item {
    /// With how much of its room it takes.
    Event { envelope: Arc<Envelope>, bytes: usize },
    /// What it missed, before anything that is behind it.
    Missed(Box<CatchUp>),
}

impl Item {
    fn bytes(&self) -> usize {
        match self {
            Self::Event { bytes, .. } => *bytes,
            Self::Missed(_) => 0,
        }
    }

    fn is_sound(&self) -> bool {
        matches!(self, Self::Event { envelope, .. } if is_sound(envelope))
    }
}

fn is_sound(envelope: &Envelope) -> bool {
    matches!(envelope.event, Event::Sounded { .. })
}

/// There is no room for it.
pub(crate) struct Full;

impl Queue {
    /// Puts an event at the end. `weight` is asked only where somebody lags.
    pub fn push(&self, envelope: &Arc<Envelope>, weight: &mut Weight) -> Result<(), Full> {
        let mut state = self.state();
        if state.closed {
            return Err(Full);
        }
        if state.waiting.len() >= LAGGING && state.join(envelope) {
            return Ok(());
        }
        // The first one is as good as on its way, however large it is.
        let bytes = if state.waiting.is_empty() { 0 } else { weight.of(envelope) };
        let is_sound = is_sound(envelope);
        if is_sound && state.sounds() >= MOST_SOUND {
            state.lose_oldest_sound();
        }
        if !state.has_room_for(bytes) {
            // It can still be read.
            while state.lose_oldest_sound() {}
        }
        if !state.has_room_for(bytes) {
            return if is_sound { Ok(()) } else { Err(Full) };
        }
        state.bytes += bytes;
        state.waiting.push_back(Item::Event { envelope: Arc::clone(envelope), bytes });
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Takes back sound that nobody is to hear any more.
    pub fn forget_sound(&self) {
        let mut state = self.state();
        state.waiting.retain(|item| !item.is_sound());
        state.bytes = state.waiting.iter().map(Item::bytes).sum();
    }

    /// From here on the client begins anew. What waits for it and is numbered is
    /// part of what it missed, and must not come twice.
    pub fn begin_anew(&self, missed: CatchUp) {
        let mut state = self.state();
        let is_apart =
            |item: &Item| matches!(item, Item::Event { envelope, .. } if envelope.seq.is_none());
        state.waiting.retain(is_apart);
        state.bytes = state.waiting.iter().map(Item::bytes).sum();
        state.waiting.push_back(Item::Missed(Box::new(missed)));
        drop(state);
        self.changed.notify_one();
    }

    /// The next event; none once it is closed and empty. May be dropped while it waits.
    pub async fn next(&self) -> Option<Item> {
        loop {
            let changed = self.changed.notified();
            {
                let mut state = self.state();
                if let Some(item) = state.take() {
                    return Some(item);
                }
                if state.closed {
                    return None;
                }
            }
            changed.await;
        }
    }

    /// The next event if it is there already.
    pub fn try_next(&self) -> Option<Item> {
        self.state().take()
    }

    /// What waits may still be read; nothing more comes.
    pub fn close(&self) {
        self.state().closed = true;
        self.changed.notify_one();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is complete before anything could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take(&mut self) -> Option<Item> {
        let item = self.waiting.pop_front()?;
        self.bytes -= item.bytes();
        Some(item)
    }

    fn has_room_for(&self, bytes: usize) -> bool {
        self.waiting.len() < MOST_EVENTS && self.bytes + bytes <= MOST_BYTES
    }

    fn sounds(&self) -> usize {
        // Most of the time hardly anything waits.
        if self.waiting.len() < MOST_SOUND {
            return 0;
        }
        self.waiting.iter().filter(|item| item.is_sound()).count()
    }

    /// False where no sound waits.
    fn lose_oldest_sound(&mut self) -> bool {
        let oldest = self.waiting.iter().position(Item::is_sound);
        let Some(lost) = oldest.and_then(|at| self.waiting.remove(at)) else { return false };
        metrics::counter!("sayso_sounds_lost_total").increment(1);
        self.bytes -= lost.bytes();
        true
    }

    /// Joins a piece of a bubble to the piece before it.
    fn join(&mut self, next: &Arc<Envelope>) -> bool {
        let Some(Item::Event { envelope: last, bytes }) = self.waiting.back_mut() else {
            return false;
        };
        let (Event::SaidDelta { text: before }, Event::SaidDelta { text }) =
            (&last.event, &next.event)
        else {
            return false;
        };
        if last.message_id != next.message_id {
            return false;
        }
        let both = Event::SaidDelta { text: format!("{before}{text}") };
        *bytes += text.len();
        self.bytes += text.len();
        // Numbers may skip: what is skipped has passed.
        *last = Arc::new(Envelope { event: both, ..Envelope::clone(next) });
        true
    }
}

/// How many bytes an event takes, counted once however many clients lag.
#[derive(Default)]
pub(crate) struct Weight(Option<usize>);

impl Weight {
    fn of(&mut self, envelope: &Envelope) -> usize {
        *self.0.get_or_insert_with(|| {
            let mut counted = Counted(0);
            serde_json::to_writer(&mut counted, envelope).expect("an envelope has a JSON form");
            counted.0
        })
    }
}

/// Counts what would be written.
struct Counted(usize);

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;
    use brain::{EventId, MessageId, Role, SessionId};
    use jiff::Timestamp;

    use super::*;

    fn envelope(seq: u64, event: Event) -> Arc<Envelope> {
        Arc::new(Envelope {
            event_id: EventId(Uuid::from_u128(seq.into())),
            role: Role::Assistant,
            event,
            ts: Timestamp::UNIX_EPOCH,
            session_id: SessionId(Uuid::nil()),
            epoch: 1,
            turn_id: None,
            message_id: Some(MessageId(Uuid::nil())),
            seq: Some(seq),
            turn_seq: None,
            spelling: brain::event::Spelling::default(),
        })
    }

    fn piece(seq: u64) -> Arc<Envelope> {
        envelope(seq, Event::SaidDelta { text: format!("{seq} ") })
    }

    fn whole(seq: u64, text: String) -> Arc<Envelope> {
        envelope(seq, Event::Said { text })
    }

    fn take(queue: &Queue) -> Option<Arc<Envelope>> {
        match queue.try_next()? {
            Item::Event { envelope, .. } => Some(envelope),
            Item::Missed(_) => unreachable!("nobody missed anything"),
        }
    }

    fn push(queue: &Queue, envelope: &Arc<Envelope>) -> bool {
        queue.push(envelope, &mut Weight::default()).is_ok()
    }

    #[test]
    fn pieces_of_a_bubble_are_joined_where_a_client_lags_and_nothing_is_lost() {
        let queue = Queue::default();
        for seq in 1..=1000 {
            assert!(push(&queue, &piece(seq)), "{seq}");
        }
        let waiting: Vec<_> = std::iter::from_fn(|| take(&queue)).collect();
        assert_eq!(waiting.len(), LAGGING);
        assert_eq!(waiting.last().unwrap().seq, Some(1000));
        let text: String = waiting
            .iter()
            .map(|one| match &one.event {
                Event::SaidDelta { text } => text.as_str(),
                _ => unreachable!(),
            })
            .collect();
        let expected: Vec<_> = (1..=1000).map(|seq| format!("{seq} ")).collect();
        assert_eq!(text, expected.concat());
    }

    #[test]
    fn a_client_that_reads_gets_every_piece_as_it_was() {
        let queue = Queue::default();
        for seq in 1..=1000 {
            assert!(push(&queue, &piece(seq)));
            assert_eq!(take(&queue).unwrap().seq, Some(seq));
        }
    }

    #[test]
    fn there_is_room_for_128_events() {
        let queue = Queue::default();
        for seq in 1..=128 {
            assert!(push(&queue, &whole(seq, String::new())));
        }
        assert!(!push(&queue, &whole(129, String::new())));
    }

    #[test]
    fn there_is_room_for_a_megabyte() {
        let queue = Queue::default();
        let kept =
            (1..=128).take_while(|seq| push(&queue, &whole(*seq, "x".repeat(100_000)))).count();
        assert_eq!(kept, 11, "the first one is on its way already and does not count");
    }

    fn sound(start_ms: u64) -> Arc<Envelope> {
        let pcm16_b64 = "x".repeat(7_680);
        let sounded =
            Event::Sounded { pcm16_b64, start_ms, duration_ms: 120, text_start: 0, text_end: 0 };
        Arc::new(Envelope { seq: None, ..Envelope::clone(&envelope(0, sounded)) })
    }

    #[test]
    fn a_client_that_is_slow_with_sound_loses_the_oldest_of_it_and_nothing_else() {
        let queue = Queue::default();
        for seq in 1..=100 {
            assert!(push(&queue, &sound(seq * 120)), "{seq}");
        }
        for seq in 1..=128 {
            assert!(push(&queue, &whole(seq, String::new())), "{seq}");
            // Beside all that is to be read there is no room, and nobody is cut off.
            assert!(push(&queue, &sound(seq * 120)));
        }
        let waiting: Vec<_> = std::iter::from_fn(|| take(&queue)).collect();
        let read: Vec<_> = waiting.iter().filter_map(|one| one.seq).collect();
        assert_eq!(read, (1..=128).collect::<Vec<_>>());

        for seq in 1..=100 {
            assert!(push(&queue, &sound(seq * 120)));
        }
        let waiting: Vec<_> = std::iter::from_fn(|| take(&queue)).collect();
        let begin = |one: &Arc<Envelope>| match one.event {
            Event::Sounded { start_ms, .. } => start_ms,
            _ => unreachable!("only sound"),
        };
        let heard: Vec<_> = waiting.iter().map(begin).collect();
        let last: Vec<_> = (69..=100).map(|seq| seq * 120).collect();
        assert_eq!(heard, last);
    }

    #[test]
    fn a_client_that_reads_but_never_reads_everything_is_not_cut_off() {
        let queue = Queue::default();
        (1..=3).for_each(|seq| assert!(push(&queue, &whole(seq, "x".repeat(100_000)))));
        for seq in 4..=100 {
            assert!(push(&queue, &whole(seq, "x".repeat(100_000))), "{seq}");
            assert!(take(&queue).is_some());
        }
    }

    #[tokio::test]
    async fn what_waits_can_be_read_after_it_was_closed() {
        let queue = Queue::default();
        push(&queue, &piece(1));
        queue.close();
        assert!(!push(&queue, &piece(2)));
        assert!(queue.next().await.is_some());
        assert!(queue.next().await.is_none());
    }
}
