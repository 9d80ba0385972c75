//! Numbers what happens, checks that it may happen, and says what to write down.
//!
//! Only the log numbers. It does no I/O: [`Log::write`] gives back the
//! envelopes and the batch that must be on disk before anyone sees them; the
//! actor commits and publishes in that order. An event that its turn's state
//! does not allow is refused as a whole entry, and nothing has changed.
//!
//! One turn works at a time, and others may be waiting for a yes: each has a
//! state of its own, and an entry belongs to one of them.

use std::collections::HashMap;
use std::sync::Arc;

use brain::event::Spelling;
use brain::mode::Mode;
use brain::turn::OutOfOrder;
use brain::{
    Action, Confirmation, Envelope, Event, EventId, InputMode, MessageId, Outcome, RequestId,
    SessionId, TraceId, TurnId, TurnState, audit,
};
use jiff::Timestamp;
use models::Tier;
use serde_json::Value;
use store::rows::ToolRunState;
use store::{Batch, Figures, JobMark, ModelCallRow, NUMBER_BLOCK, Owned, ToolRunRow, TurnRow};

use crate::house::{Clock, Ids};
use crate::landing::Then;
use crate::peril::Moment;

/// What a session remembers of its own telling.
pub(crate) struct Log {
    session: SessionId,
    epoch: u64,
    next_seq: u64,
    reserved_to: u64,
    turns: HashMap<TurnId, OpenTurn>,
}

/// A turn that is not over.
#[derive(Clone)]
pub(crate) struct OpenTurn {
    pub row: TurnRow,
    /// The bubble of the person and the bubble of the assistant, while they grow.
    heard: Option<MessageId>,
    answer: Option<MessageId>,
    /// When the person asked; nobody knows of a turn that was left open.
    asked_us: Option<u64>,
    /// What was said so far, for the record of an answer that was cut off.
    said: String,
    /// What the model is called that was asked last and answered.
    model: Option<String>,
}

/// Events and rows that belong together, before they are numbered.
pub(crate) struct Entry {
    pub moment: Moment,
    /// Whose they are; without one there are no events, but for those of `about`.
    pub turn: Option<TurnId>,
    /// A turn whose work goes on beside it, and whose state they leave as it is.
    pub about: Option<TurnId>,
    pub events: Vec<Event>,
    pub mode: Option<Mode>,
    /// How long it took to understand what is wanted.
    pub thought_us: Option<u64>,
    /// Why the first choice did not answer, where it did not.
    pub fallback: Option<&'static str>,
    /// How far the last words on the screen were from the final ones.
    pub drift: Option<f32>,
    /// How the turn ends once it was heard, where everything was said.
    pub ends_as: Option<(Outcome, Option<String>)>,
    /// What the turn still has to do, where that has changed.
    pub work: Option<Value>,
    pub tool_runs: Vec<ToolRunRow>,
    pub confirmations: Vec<Confirmation>,
    pub actions: Vec<Action>,
    pub jobs: Vec<JobMark>,
    /// Which models were asked, and what that cost.
    pub model_calls: Vec<ModelCallRow>,
    /// Who answers, and why it is they.
    pub tier: Option<(Tier, &'static str)>,
    pub audit: Vec<audit::Line>,
    pub then: Vec<Then>,
}

/// An entry with its numbers, and what must be on disk before it is shown.
pub(crate) struct Written {
    pub moment: Moment,
    pub envelopes: Vec<Arc<Envelope>>,
    pub batch: Option<Batch>,
    pub asked_us: Option<u64>,
    pub then: Vec<Then>,
}

impl Entry {
    pub fn new(moment: Moment, turn: TurnId) -> Self {
        Self { turn: Some(turn), ..Self::apart(moment) }
    }

    /// Of no turn.
    pub fn apart(moment: Moment) -> Self {
        Self {
            moment,
            turn: None,
            about: None,
            events: Vec::new(),
            mode: None,
            thought_us: None,
            fallback: None,
            ends_as: None,
            drift: None,
            work: None,
            tool_runs: Vec::new(),
            confirmations: Vec::new(),
            actions: Vec::new(),
            jobs: Vec::new(),
            model_calls: Vec::new(),
            tier: None,
            audit: Vec::new(),
            then: Vec::new(),
        }
    }

    /// Leaves an empty entry of another moment behind.
    pub fn turn_over(&mut self, moment: Moment) -> Self {
        let next = Self { turn: self.turn, ..Self::apart(moment) };
        std::mem::replace(self, next)
    }

    fn has_rows(&self) -> bool {
        !(self.tool_runs.is_empty()
            && self.confirmations.is_empty()
            && self.actions.is_empty()
            && self.jobs.is_empty()
            && self.model_calls.is_empty()
            && self.audit.is_empty())
    }
}

impl Log {
    pub fn new(session: SessionId, owned: Owned) -> Self {
        Self {
            session,
            epoch: owned.epoch,
            next_seq: owned.next_seq,
            reserved_to: owned.reserved_to,
            turns: HashMap::new(),
        }
    }

    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// A turn that is not over.
    pub fn turn(&self, turn: TurnId) -> Option<&OpenTurn> {
        self.turns.get(&turn)
    }

    /// A turn is about to begin; nothing is written yet.
    pub fn begin(
        &mut self,
        input_mode: InputMode,
        asked_us: Option<u64>,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> &TurnRow {
        let turn = TurnId(ids.next());
        let row = TurnRow {
            turn,
            session: self.session,
            input_mode,
            state: TurnState::Idle,
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
            figures: Figures::default(),
            work: None,
        };
        let open = self.turns.entry(turn).insert_entry(OpenTurn { asked_us, ..OpenTurn::new(row) });
        &open.into_mut().row
    }

    /// Goes on with a turn that a former owner left open.
    pub fn resume(&mut self, mut row: TurnRow) {
        // Behind whatever was given out and not written; that is never a whole block.
        row.turn_seq += NUMBER_BLOCK;
        self.turns.insert(row.turn, OpenTurn::new(row));
    }

    /// A turn of which nothing was written.
    pub fn forget(&mut self, turn: TurnId) {
        self.turns.remove(&turn);
    }

    /// Numbers an entry. Nothing changes when one of its events is out of order.
    pub fn write(
        &mut self,
        mut entry: Entry,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> Result<Written, OutOfOrder> {
        let events = std::mem::take(&mut entry.events);
        let (moment, then) = (entry.moment, std::mem::take(&mut entry.then));
        let Some(id) = entry.turn else {
            let envelopes = self.beside(entry.about, events, clock.now(), ids)?;
            let batch = self.batch(&envelopes, None, entry);
            return Ok(Written { moment, envelopes, batch, asked_us: None, then });
        };
        let out = |event: &'static str| OutOfOrder { event, from: TurnState::Idle };
        let known = self.turns.get(&id);
        let mut turn = known.ok_or(out("something of a turn that is over"))?.clone();
        let seq_before = self.next_seq;
        turn.measure(&entry);
        let events = turn.answered_by(events);
        let numbered = self.number(&mut turn, events, clock.now(), ids);
        let envelopes = numbered.inspect_err(|_| self.next_seq = seq_before)?;
        turn.row.mode = entry.mode.or(turn.row.mode);
        if let Some((outcome, error_code)) = entry.ends_as.take() {
            (turn.row.outcome, turn.row.error_code) = (Some(outcome), error_code);
        }
        turn.row.work = entry.work.take().or(turn.row.work.take());
        let asked_us = turn.asked_us;
        if turn.row.ended_at.is_some() {
            turn.row.work = None;
            self.turns.remove(&id);
        } else {
            self.turns.insert(id, turn.clone());
        }
        let batch = self.batch(&envelopes, Some(turn.row), entry);
        Ok(Written { moment, envelopes, batch, asked_us, then })
    }

    /// What was written last never reached the disk: these are the turns that
    /// are open there. The next entry reserves its numbers anew.
    pub fn lost(&mut self, open: impl IntoIterator<Item = TurnRow>) {
        self.reserved_to = self.next_seq - 1;
        self.turns.clear();
        for row in open {
            self.resume(row);
        }
    }

    /// How long people waited, on the record with the next entry.
    pub fn note_times(
        &mut self,
        turn: Option<TurnId>,
        first_event_us: Option<u64>,
        first_token_us: Option<u64>,
    ) {
        if let Some(turn) = turn.and_then(|turn| self.turns.get_mut(&turn)) {
            turn.row.first_event_us = turn.row.first_event_us.or(first_event_us);
            turn.row.first_token_us = turn.row.first_token_us.or(first_token_us);
        }
    }

    /// What was listened to is worked on from now on.
    pub fn asked(&mut self, turn: TurnId, asked_us: u64) -> Option<&TurnRow> {
        let turn = self.turns.get_mut(&turn)?;
        turn.asked_us = Some(asked_us);
        Some(&turn.row)
    }

    /// Its answer begins to be heard; says how long that took.
    pub fn note_first_sound(&mut self, turn: TurnId, now_us: u64) {
        let Some(turn) = self.turns.get_mut(&turn) else { return };
        let waited_us = turn.asked_us.map(|asked_us| now_us.saturating_sub(asked_us));
        let figures = &mut turn.row.figures;
        figures.first_audio_us = figures.first_audio_us.or(waited_us);
    }

    fn number(
        &mut self,
        turn: &mut OpenTurn,
        events: Vec<Event>,
        ts: Timestamp,
        ids: &dyn Ids,
    ) -> Result<Vec<Arc<Envelope>>, OutOfOrder> {
        let mut envelopes = Vec::with_capacity(events.len() * 2);
        for event in events {
            let (from, to) = (turn.row.state, turn.row.state.next(&event)?);
            let announced = matches!(event, Event::StateChanged { .. });
            let reason = event.name().to_owned();
            turn.note(&event, to, ts);
            envelopes.push(Arc::new(self.envelope(turn, event, ts, ids)));
            if to != from && !announced {
                let change = Event::StateChanged { from, to, reason };
                envelopes.push(Arc::new(self.envelope(turn, change, ts, ids)));
            }
        }
        Ok(envelopes)
    }

    /// Numbers what goes on beside a turn, or after it.
    fn beside(
        &mut self,
        about: Option<TurnId>,
        events: Vec<Event>,
        ts: Timestamp,
        ids: &dyn Ids,
    ) -> Result<Vec<Arc<Envelope>>, OutOfOrder> {
        let open = about.and_then(|turn| self.turns.get(&turn));
        let state = open.map_or(TurnState::Idle, |open| open.row.state);
        events.iter().try_for_each(|event| state.next(event).map(drop))?;
        let number = |event: Event| {
            let seq = self.next_seq;
            self.next_seq += 1;
            Arc::new(Envelope {
                event_id: EventId(ids.next()),
                role: event.role(),
                event,
                ts,
                session_id: self.session,
                epoch: self.epoch,
                turn_id: about,
                message_id: None,
                seq: Some(seq),
                turn_seq: None,
                spelling: Spelling::default(),
            })
        };
        Ok(events.into_iter().map(number).collect())
    }

    fn envelope(
        &mut self,
        turn: &mut OpenTurn,
        event: Event,
        ts: Timestamp,
        ids: &dyn Ids,
    ) -> Envelope {
        let seq = self.next_seq;
        self.next_seq += 1;
        turn.row.turn_seq += 1;
        Envelope {
            event_id: EventId(ids.next()),
            role: event.role(),
            message_id: turn.bubble(&event, ids),
            event,
            ts,
            session_id: self.session,
            epoch: self.epoch,
            turn_id: Some(turn.row.turn),
            seq: Some(seq),
            turn_seq: Some(turn.row.turn_seq),
            spelling: Spelling::default(),
        }
    }

    fn batch(
        &mut self,
        envelopes: &[Arc<Envelope>],
        turn: Option<TurnRow>,
        entry: Entry,
    ) -> Option<Batch> {
        let events: Vec<_> = envelopes.iter().filter(|e| e.event.is_kept()).cloned().collect();
        // Early enough that a long answer does not have to stop for numbers.
        let running_out = self.next_seq + NUMBER_BLOCK / 2 > self.reserved_to;
        if running_out {
            self.reserved_to = self.next_seq + NUMBER_BLOCK;
        } else if events.is_empty() && !entry.has_rows() {
            return None;
        }
        Some(Batch {
            session: self.session,
            epoch: self.epoch,
            events,
            // Whoever knows what was said puts it in.
            prints: Vec::new(),
            reserve_to: self.reserved_to,
            turn,
            tool_runs: entry.tool_runs,
            confirmations: entry.confirmations,
            actions: entry.actions,
            jobs: entry.jobs,
            model_calls: entry.model_calls,
            audit: entry.audit,
        })
    }
}

impl OpenTurn {
    fn new(row: TurnRow) -> Self {
        Self { row, heard: None, answer: None, asked_us: None, said: String::new(), model: None }
    }

    /// Only what is over is measured; what is begun comes again when it is.
    fn measure(&mut self, entry: &Entry) {
        let figures = &mut self.row.figures;
        figures.thought_us = figures.thought_us.or(entry.thought_us);
        if let Some(drift) = entry.drift {
            figures.drift_permille = Some(permille(drift));
        }
        if let (None, Some(why)) = (&figures.fallback, entry.fallback) {
            figures.fallback = Some(why.to_owned());
        }
        if let Some((tier, why)) = entry.tier {
            figures.tier = Some(tier.name().to_owned());
            figures.tier_reason = Some(why.to_owned());
        }
        // Also one that broke off; not one that only read ours aloud.
        let answered = entry.model_calls.iter().rfind(|call| call.first_us.is_some());
        self.model = answered.map(|call| call.model.clone()).or(self.model.take());
        for run in &entry.tool_runs {
            if let Some(us) = run.took_us {
                *figures.tool_us.get_or_insert(0) += us;
            }
            figures.tool_failures += u32::from(run.state == ToolRunState::Failed);
        }
    }

    /// Who answered is told with the end, where it was a model.
    fn answered_by(&self, mut events: Vec<Event>) -> Vec<Event> {
        let named = self.row.figures.tier.as_deref().and_then(Tier::named);
        let answered = named.filter(|tier| *tier != Tier::Reflex);
        for event in &mut events {
            if let Event::TurnEnded { tier, model, .. } = event {
                *tier = answered;
                *model = answered.and(self.model.clone());
            }
        }
        events
    }

    /// What was said so far and not finished.
    pub fn unfinished(&self) -> Option<&str> {
        let said = self.said.trim_end();
        (!said.is_empty()).then_some(said)
    }

    fn note(&mut self, event: &Event, state: TurnState, ts: Timestamp) {
        self.row.state = state;
        match event {
            Event::SaidDelta { text } => self.said.push_str(text),
            Event::Said { .. } => self.said.clear(),
            Event::TurnEnded { outcome, error_code, .. } => {
                self.row.outcome = Some(*outcome);
                self.row.error_code.clone_from(error_code);
                self.row.ended_at = Some(ts);
            }
            Event::TurnCancelled { .. } => self.row.ended_at = Some(ts),
            Event::TurnStarted { .. }
            | Event::StateChanged { .. }
            | Event::HeardDelta { .. }
            | Event::Heard { .. }
            | Event::SoundBegan { .. }
            | Event::Sounded { .. }
            | Event::SoundLevel { .. }
            | Event::SoundEnded { .. }
            | Event::Planned(_)
            | Event::ToolRequested { .. }
            | Event::ToolQueued { .. }
            | Event::ToolProgressed { .. }
            | Event::ToolReturned { .. }
            | Event::AskedToConfirm(_)
            | Event::QuestionChanged(_)
            | Event::Answered { .. }
            | Event::WentUnanswered { .. }
            | Event::Welcomed(_)
            | Event::CaughtUp(_)
            | Event::Resynced(_)
            | Event::Repeated { .. }
            | Event::HeldBack { .. }
            | Event::Ponged { .. }
            | Event::Failed { .. } => {}
        }
    }

    /// The bubble an event belongs to. What comes behind a whole one begins another.
    fn bubble(&mut self, event: &Event, ids: &dyn Ids) -> Option<MessageId> {
        let new = || MessageId(ids.next());
        match event {
            Event::HeardDelta { .. } => Some(*self.heard.get_or_insert_with(new)),
            Event::Heard { .. } => Some(self.heard.take().unwrap_or_else(new)),
            Event::SaidDelta { .. } => Some(*self.answer.get_or_insert_with(new)),
            Event::Said { .. } => Some(self.answer.take().unwrap_or_else(new)),
            Event::TurnStarted { .. }
            | Event::StateChanged { .. }
            | Event::TurnEnded { .. }
            | Event::TurnCancelled { .. }
            | Event::SoundBegan { .. }
            | Event::Sounded { .. }
            | Event::SoundLevel { .. }
            | Event::SoundEnded { .. }
            | Event::Planned(_)
            | Event::ToolRequested { .. }
            | Event::ToolQueued { .. }
            | Event::ToolProgressed { .. }
            | Event::ToolReturned { .. }
            | Event::AskedToConfirm(_)
            | Event::QuestionChanged(_)
            | Event::Answered { .. }
            | Event::WentUnanswered { .. }
            | Event::Welcomed(_)
            | Event::CaughtUp(_)
            | Event::Resynced(_)
            | Event::Repeated { .. }
            | Event::HeldBack { .. }
            | Event::Ponged { .. }
            | Event::Failed { .. } => None,
        }
    }
}

/// A share in thousandths.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn permille(share: f32) -> u32 {
    (share * 1_000.0).round().clamp(0.0, 1_000_000.0) as u32
}
