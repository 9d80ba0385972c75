//! Numbers what happens, checks that it may happen, and says what to write down.
//!
//! Only the log numbers. It does no I/O: [`Log::write`] gives back the
//! envelopes and the batch that must be on disk before anyone sees them; the
//! actor commits and publishes in that order. An event that the turn's state
//! does not allow is refused as a whole batch, and nothing has changed.

use brain::mode::Mode;
use brain::turn::OutOfOrder;
use brain::{
    Envelope, Event, EventId, InputMode, MessageId, RequestId, SessionId, TraceId, TurnId,
    TurnState,
};
use jiff::Timestamp;
use store::{Batch, NUMBER_BLOCK, Owned, ToolRunRow, TurnRow};

use crate::house::{Clock, Ids};

/// What a session remembers of its own telling.
pub(crate) struct Log {
    session: SessionId,
    epoch: u64,
    next_seq: u64,
    reserved_to: u64,
    state: TurnState,
    turn: Option<OpenTurn>,
}

/// The turn that is being walked.
#[derive(Clone)]
pub(crate) struct OpenTurn {
    pub row: TurnRow,
    /// The bubble of the person and the bubble of the assistant.
    pub asked: MessageId,
    pub answer: MessageId,
    /// When the person asked; nobody knows of a turn that was left open.
    asked_us: Option<u64>,
    /// What was said so far, for the record of an answer that was cut off.
    said: String,
}

/// Events that belong together, before they are numbered.
#[derive(Default)]
pub(crate) struct Entry {
    pub events: Vec<Event>,
    pub mode: Option<Mode>,
    pub tool_runs: Vec<ToolRunRow>,
}

/// An entry with its numbers, and what must be on disk before it is shown.
pub(crate) struct Written {
    pub envelopes: Vec<Envelope>,
    pub batch: Option<Batch>,
    pub asked_us: Option<u64>,
}

impl Log {
    pub fn new(session: SessionId, owned: Owned) -> Self {
        Self {
            session,
            epoch: owned.epoch,
            next_seq: owned.next_seq,
            reserved_to: owned.reserved_to,
            state: TurnState::Idle,
            turn: None,
        }
    }

    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    pub fn state(&self) -> TurnState {
        self.state
    }

    pub fn turn(&self) -> Option<&OpenTurn> {
        self.turn.as_ref()
    }

    /// A turn is about to begin; nothing is written yet.
    pub fn begin(
        &mut self,
        input_mode: InputMode,
        asked_us: u64,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> &OpenTurn {
        let row = TurnRow {
            turn: TurnId(ids.next()),
            session: self.session,
            input_mode,
            state: self.state,
            mode: None,
            outcome: None,
            error_code: None,
            trace: TraceId(ids.next()),
            request: RequestId(ids.next()),
            started_at: clock.now(),
            turn_seq: 0,
            ended_at: None,
            first_event_us: None,
            first_token_us: None,
        };
        self.turn.insert(OpenTurn { asked_us: Some(asked_us), ..OpenTurn::new(row, ids) })
    }

    /// Goes on with a turn that a former owner left open.
    pub fn resume(&mut self, mut row: TurnRow, ids: &dyn Ids) {
        // Behind whatever was given out and not written; that is never a whole block.
        row.turn_seq += NUMBER_BLOCK;
        self.state = row.state;
        self.turn = Some(OpenTurn::new(row, ids));
    }

    /// Numbers an entry. Nothing changes when one of its events is out of order.
    pub fn write(
        &mut self,
        entry: Entry,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> Result<Written, OutOfOrder> {
        let before = (self.state, self.next_seq, self.turn.clone());
        let envelopes = self.number(entry.events, clock.now(), ids);
        let envelopes = envelopes.inspect_err(|_| {
            (self.state, self.next_seq, self.turn) = before;
        })?;
        if let (Some(turn), Some(mode)) = (&mut self.turn, entry.mode) {
            turn.row.mode = Some(mode);
        }
        let batch = self.batch(&envelopes, entry.tool_runs);
        let asked_us = self.turn.as_ref().and_then(|turn| turn.asked_us);
        Ok(Written { envelopes, batch, asked_us })
    }

    /// What was written last never reached the disk. The turn is over and the
    /// next entry reserves its numbers anew.
    pub fn lost(&mut self) {
        self.reserved_to = self.next_seq - 1;
        self.state = TurnState::Idle;
        self.turn = None;
    }

    /// How long people waited, on the record with the next entry.
    pub fn note_times(
        &mut self,
        turn: Option<TurnId>,
        first_event_us: Option<u64>,
        first_token_us: Option<u64>,
    ) {
        if let Some(turn) = self.turn.as_mut().filter(|open| Some(open.row.turn) == turn) {
            turn.row.first_event_us = turn.row.first_event_us.or(first_event_us);
            turn.row.first_token_us = turn.row.first_token_us.or(first_token_us);
        }
    }

    /// What was said so far in this turn and not finished.
    pub fn unfinished(&self) -> Option<&str> {
        let said = self.turn.as_ref()?.said.trim_end();
        (!said.is_empty()).then_some(said)
    }

    fn number(
        &mut self,
        events: Vec<Event>,
        ts: Timestamp,
        ids: &dyn Ids,
    ) -> Result<Vec<Envelope>, OutOfOrder> {
        let mut envelopes = Vec::with_capacity(events.len() * 2);
        for event in events {
            let (from, to) = (self.state, self.state.next(&event)?);
            let announced = matches!(event, Event::StateChanged { .. });
            let reason = event.name().to_owned();
            if let Some(turn) = &mut self.turn {
                turn.note(&event, to, ts);
            }
            self.state = to;
            envelopes.push(self.envelope(event, ts, ids));
            if to != from && !announced {
                envelopes.push(self.envelope(Event::StateChanged { from, to, reason }, ts, ids));
            }
        }
        Ok(envelopes)
    }

    fn envelope(&mut self, event: Event, ts: Timestamp, ids: &dyn Ids) -> Envelope {
        let seq = self.next_seq;
        self.next_seq += 1;
        let message_id = self.turn.as_ref().and_then(|turn| turn.bubble(&event));
        let turn_seq = self.turn.as_mut().map(|turn| {
            turn.row.turn_seq += 1;
            turn.row.turn_seq
        });
        Envelope {
            event_id: EventId(ids.next()),
            role: event.role(),
            event,
            ts,
            session_id: self.session,
            epoch: self.epoch,
            turn_id: self.turn.as_ref().map(|turn| turn.row.turn),
            message_id,
            seq: Some(seq),
            turn_seq,
        }
    }

    fn batch(&mut self, envelopes: &[Envelope], tool_runs: Vec<ToolRunRow>) -> Option<Batch> {
        let events: Vec<_> = envelopes.iter().filter(|e| e.event.is_kept()).cloned().collect();
        // Early enough that a long answer does not have to stop for numbers.
        let running_out = self.next_seq + NUMBER_BLOCK / 2 > self.reserved_to;
        if running_out {
            self.reserved_to = self.next_seq + NUMBER_BLOCK;
        } else if events.is_empty() {
            return None;
        }
        Some(Batch {
            session: self.session,
            epoch: self.epoch,
            events,
            reserve_to: self.reserved_to,
            turn: self.turn.as_ref().map(|turn| turn.row.clone()),
            tool_runs,
        })
    }
}

impl OpenTurn {
    fn new(row: TurnRow, ids: &dyn Ids) -> Self {
        let (asked, answer) = (MessageId(ids.next()), MessageId(ids.next()));
        Self { row, asked, answer, asked_us: None, said: String::new() }
    }

    fn note(&mut self, event: &Event, state: TurnState, ts: Timestamp) {
        self.row.state = state;
        match event {
            Event::SaidDelta { text } => self.said.push_str(text),
            Event::Said { .. } => self.said.clear(),
            Event::TurnEnded { outcome, error_code } => {
                self.row.outcome = Some(*outcome);
                self.row.error_code.clone_from(error_code);
                self.row.ended_at = Some(ts);
            }
            Event::TurnCancelled { .. } => self.row.ended_at = Some(ts),
            Event::TurnStarted { .. }
            | Event::StateChanged { .. }
            | Event::HeardDelta { .. }
            | Event::Heard { .. }
            | Event::ToolRequested { .. }
            | Event::ToolQueued { .. }
            | Event::ToolProgressed { .. }
            | Event::ToolReturned { .. }
            | Event::Ponged { .. }
            | Event::Failed { .. } => {}
        }
    }

    fn bubble(&self, event: &Event) -> Option<MessageId> {
        match event {
            Event::HeardDelta { .. } | Event::Heard { .. } => Some(self.asked),
            Event::SaidDelta { .. } | Event::Said { .. } => Some(self.answer),
            Event::TurnStarted { .. }
            | Event::StateChanged { .. }
            | Event::TurnEnded { .. }
            | Event::TurnCancelled { .. }
            | Event::ToolRequested { .. }
            | Event::ToolQueued { .. }
            | Event::ToolProgressed { .. }
            | Event::ToolReturned { .. }
            | Event::Ponged { .. }
            | Event::Failed { .. } => None,
        }
    }
}
