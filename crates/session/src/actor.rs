//! One task owns one session. Nothing else can touch its state.
//!
//! Its inboxes: what clients want (never dropped: a sender waits), what the
//! running turn wants written, and commits that have landed. Handlers do not
//! wait; whatever takes time is a task or a future that reports back. Commits
//! land in the order they were made, so nobody sees an event before the ones
//! that came first.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use brain::{
    Envelope, Event, EventId, Input, InputMode, Outcome, SessionId, TurnId, TurnState, UserId,
};
use futures_util::FutureExt;
use models::Focus;
use store::{Owned, StoreError, TurnRow};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::clients::{ClientId, Clients, Cut};
use crate::handle::{Control, SessionHandle};
use crate::house::House;
use crate::landing::{Landing, Shown, Unlanded};
use crate::log::{Entry, Log};
use crate::report;
use crate::turn::{self, Desk, Trouble, Turn, Walked};

/// Inputs that may wait while a turn is working.
const MOST_QUEUED: usize = 4;
const NOTES_QUEUE: usize = 8;
/// Entries on their way to disk before clients are listened to no further.
const MOST_LANDING: usize = 64;
/// Requests whose names are remembered, so that one said again is not done again.
const MOST_NAMES: usize = 64;
/// A session without clients and without work leaves after this.
const LINGER: Duration = Duration::from_mins(1);

/// What a running turn tells its session.
pub(crate) enum Note {
    Write { turn: TurnId, entry: Entry, ack: oneshot::Sender<()> },
    Finished { turn: TurnId, result: Result<Box<Walked>, Trouble> },
    Panicked { turn: TurnId },
}

/// What is left of a session while nobody owns it.
#[derive(Default)]
pub(crate) struct Memory {
    /// Turns that the former owner did not finish.
    pub left_open: Vec<TurnRow>,
    /// What people can still point at.
    pub focus: Focus,
}

/// Starts the task that owns the session from now on. Returns the handle and the task.
pub(crate) fn start(
    house: Arc<House>,
    session: SessionId,
    user: UserId,
    owned: Owned,
    memory: Memory,
    stop: CancellationToken,
) -> (SessionHandle, impl Future<Output = ()> + Send) {
    let (handle, inbox) = SessionHandle::new(session, user);
    let (notes, desk) = mpsc::channel(NOTES_QUEUE);
    let mut actor = Actor {
        log: Log::new(session, owned),
        house,
        session,
        user,
        clients: Clients::default(),
        waiting: VecDeque::new(),
        names: VecDeque::new(),
        current: None,
        focus: memory.focus,
        on_disk: None,
        left_open: memory.left_open,
        landing: Landing::default(),
        notes,
    };
    let task = async move {
        actor.close_turns();
        let cut = actor.run(inbox, desk, stop).await;
        actor.leave(cut);
    };
    (handle, task)
}

struct Actor {
    house: Arc<House>,
    session: SessionId,
    user: UserId,
    log: Log,
    clients: Clients,
    waiting: VecDeque<Asked>,
    /// What clients called their latest requests.
    names: VecDeque<String>,
    current: Option<Current>,
    focus: Focus,
    /// The turn as it is on disk.
    on_disk: Option<TurnRow>,
    /// Turns that the store did not let us end.
    left_open: Vec<TurnRow>,
    landing: Landing,
    notes: mpsc::Sender<Note>,
}

/// A request that has not begun, and who is to be told if it never does.
struct Asked {
    client: ClientId,
    event_id: Option<String>,
    text: String,
    received_us: u64,
}

/// The turn that is being walked.
struct Current {
    turn: Arc<Turn>,
    task: tokio::task::AbortHandle,
}

impl Actor {
    async fn run(
        &mut self,
        mut inbox: mpsc::Receiver<Control>,
        mut desk: mpsc::Receiver<Note>,
        stop: CancellationToken,
    ) -> Cut {
        loop {
            let at_rest =
                self.clients.is_empty() && self.current.is_none() && self.landing.is_empty();
            tokio::select! {
                biased;
                () = stop.cancelled() => return Cut::Stopping,
                landed = self.landing.next(&self.house.store), if !self.landing.is_empty() => {
                    match landed {
                        Ok(shown) => self.show(shown),
                        Err(StoreError::Stale(_)) => return Cut::Moved,
                        Err(error) => self.store_failed(&error),
                    }
                }
                Some(note) = desk.recv() => self.on_note(note),
                message = inbox.recv(), if self.landing.len() < MOST_LANDING => match message {
                    Some(message) => self.on_control(message),
                    None => return Cut::Stopping,
                },
                () = tokio::time::sleep(LINGER), if at_rest => return Cut::Stopping,
            }
        }
    }

    fn on_control(&mut self, message: Control) {
        match message {
            Control::Join(tell) => self.clients.join(tell),
            Control::Leave(client) => self.clients.leave(client),
            Control::Reply { client, event } => self.reply(client, event),
            Control::Input { client, event_id, input } => {
                self.on_input(client, event_id.as_deref(), input);
            }
        }
    }

    fn on_input(&mut self, client: ClientId, event_id: Option<&str>, input: Input) {
        let refuse =
            |code: &str, message: &str, user_message: &str, retryable: bool| Event::Failed {
                code: code.into(),
                message: message.into(),
                user_message: user_message.into(),
                retryable,
                in_reply_to: event_id.map(str::to_owned),
            };
        let complaint = match input {
            Input::Ping { client_ts } => {
                Event::Ponged { client_ts, server_ts: self.house.clock.now() }
            }
            Input::Text { attachments, .. } if !attachments.is_empty() => refuse(
                "attachments_unavailable",
                "attachments cannot be read yet; send the text alone",
                "I can't read attachments yet.",
                false,
            ),
            Input::Text { text, .. } => match self.ask(client, event_id, text) {
                Ok(()) => return,
                Err(Full) => refuse(
                    "queue_full",
                    "four requests are waiting already",
                    "One moment, I'm still on the others.",
                    true,
                ),
            },
            Input::Interrupt { turn } => match self.interrupt(turn) {
                Ok(()) => return,
                Err(NothingToStop) => refuse(
                    "nothing_to_interrupt",
                    "that turn is not running",
                    "There is nothing to stop.",
                    false,
                ),
            },
            Input::AudioEnd { .. } => return self.clients.stopped_speaking(client),
            Input::Audio(_) if self.clients.tell_deaf(client) => return,
            Input::Audio(_) => refuse(
                "speech_unavailable",
                "this server has no ears yet; send text.input",
                "I can't hear yet. Please type.",
                false,
            ),
            Input::Answer { .. } => refuse(
                "unknown_confirmation",
                "no question with that id is open",
                "There is nothing waiting for your answer.",
                false,
            ),
        };
        self.reply(client, complaint);
    }

    /// One turn works at a time; others wait. Without a voice, speaking takes no
    /// time, so there is nothing to talk over yet.
    fn ask(&mut self, client: ClientId, event_id: Option<&str>, text: String) -> Result<(), Full> {
        let event_id = event_id.map(str::to_owned);
        if let Some(name) = &event_id {
            if self.names.contains(name) {
                // A client that was not sure it was heard says it again; it gets the one answer.
                return Ok(());
            }
            self.names.truncate(MOST_NAMES - 1);
            self.names.push_front(name.clone());
        }
        let asked = Asked { client, event_id, text, received_us: self.house.clock.ticks_us() };
        if self.current.is_none() {
            self.begin(asked);
            return Ok(());
        }
        if self.waiting.len() >= MOST_QUEUED {
            self.names.pop_front_if(|name| asked.event_id.as_ref() == Some(name));
            return Err(Full);
        }
        self.waiting.push_back(asked);
        Ok(())
    }

    fn begin(&mut self, asked: Asked) {
        self.close_turns();
        let asked_us = asked.received_us;
        let open = self.log.begin(InputMode::Text, asked_us, &*self.house.clock, &*self.house.ids);
        let id = open.row.turn;
        let span = tracing::info_span!(
            parent: None, "turn",
            session_id = %self.session, turn_id = %id,
            trace_id = %open.row.trace, request_id = %open.row.request,
        );
        let turn = Arc::new(Turn {
            id,
            session: self.session,
            user: self.user,
            text: asked.text,
            in_reply_to: asked.event_id,
            focus: self.focus.clone(),
        });
        let (house, walked) = (Arc::clone(&self.house), Arc::clone(&turn));
        let notes = self.notes.clone();
        let walk = async move {
            let desk = Desk { turn: id, notes: notes.clone() };
            let walk = AssertUnwindSafe(turn::walk(&walked, &house, &desk)).catch_unwind();
            let note = match walk.await {
                Ok(result) => Note::Finished { turn: id, result: result.map(Box::new) },
                Err(_) => Note::Panicked { turn: id },
            };
            // Without an owner there is nobody to tell.
            let _ = notes.send(note).await;
        };
        let task = tokio::spawn(tracing::Instrument::instrument(walk, span)).abort_handle();
        self.current = Some(Current { turn, task });
    }

    fn interrupt(&mut self, which: Option<TurnId>) -> Result<(), NothingToStop> {
        let matches = |current: &Current| which.is_none_or(|turn| turn == current.turn.id);
        let over = self.log.turn().is_some_and(|turn| turn.row.ended_at.is_some());
        if over || !self.current.as_ref().is_some_and(matches) {
            return Err(NothingToStop);
        }
        let Some(current) = self.current.take() else { return Err(NothingToStop) };
        current.task.abort();
        let mut events = Vec::new();
        if !self.log.state().is_active() {
            // Stopped before it was written down that it began.
            events.extend(turn::heard(&current.turn));
        }
        events.push(Event::TurnCancelled { cancel_turn_id: current.turn.id });
        if let Some(said) = self.log.unfinished() {
            events.push(Event::Said { text: said.to_owned() });
        }
        events.push(Event::StateChanged {
            from: TurnState::Cancelled,
            to: TurnState::Idle,
            reason: "interrupted".into(),
        });
        self.write(Entry { events, ..Entry::default() }, None);
        if let Some(turn) = self.log.turn() {
            report::interrupted(&turn.row);
        }
        self.next();
        Ok(())
    }

    fn next(&mut self) {
        if let Some(asked) = self.waiting.pop_front() {
            self.begin(asked);
        }
    }

    fn on_note(&mut self, note: Note) {
        let is_current = |actor: &Self, turn| {
            actor.current.as_ref().is_some_and(|current| current.turn.id == turn)
        };
        match note {
            // A turn that was stopped may still have a word on its lips; not answering stops it.
            Note::Write { turn, entry, ack } if is_current(self, turn) => {
                self.write(entry, Some(ack));
            }
            Note::Finished { turn, result } if is_current(self, turn) => {
                match result {
                    Ok(walked) => {
                        let Walked { understanding, done } = *walked;
                        self.focus.wait_for_answer(&understanding);
                        self.focus.note(&done);
                    }
                    Err(Trouble::Stopped) => self.fail("internal_error"),
                    // Nothing of this turn was written; what others wrote is on its way.
                    Err(Trouble::Store(error)) => {
                        tracing::error!(session_id = %self.session, %error, "a profile cannot be read");
                        self.fail("store_unavailable");
                    }
                }
                self.current = None;
                self.next();
            }
            Note::Panicked { turn } if is_current(self, turn) => {
                tracing::error!(session_id = %self.session, turn_id = %turn, "a turn panicked");
                self.fail("internal_error");
                self.current = None;
                self.next();
            }
            Note::Write { .. } | Note::Finished { .. } | Note::Panicked { .. } => {}
        }
    }

    /// Numbers an entry and sends it on its way to disk and clients.
    fn write(&mut self, entry: Entry, ack: Option<oneshot::Sender<()>>) {
        match self.log.write(entry, &*self.house.clock, &*self.house.ids) {
            Ok(written) => {
                let entry = Unlanded::new(written, ack);
                if let Some(shown) = self.landing.push(entry, &self.house.store) {
                    self.show(shown);
                }
            }
            // Not answering `ack` stops the turn, and its end is told as a failure.
            Err(error) => {
                tracing::error!(session_id = %self.session, %error, "an event was out of order");
            }
        }
    }

    /// It is on disk, or need not be: everybody may see it.
    fn show(&mut self, shown: Shown) {
        for envelope in &shown.envelopes {
            self.measure(envelope, &shown);
            self.clients.publish(envelope);
        }
        self.on_disk = shown.turn.or(self.on_disk.take());
        if let Some(ack) = shown.ack {
            // A turn that was stopped meanwhile does not wait for it.
            let _ = ack.send(());
        }
    }

    fn measure(&mut self, envelope: &Envelope, shown: &Shown) {
        let waited_us =
            shown.asked_us.map(|asked_us| self.house.clock.ticks_us().saturating_sub(asked_us));
        let is_token = matches!(envelope.event, Event::SaidDelta { .. });
        self.log.note_times(envelope.turn_id, waited_us, waited_us.filter(|_| is_token));
        if let (Event::TurnEnded { outcome, .. }, Some(turn)) = (&envelope.event, &shown.turn) {
            report::ended(turn, *outcome, waited_us);
        }
    }

    fn reply(&mut self, client: ClientId, event: Event) {
        let envelope = Envelope {
            event_id: EventId(self.house.ids.next()),
            role: event.role(),
            event,
            ts: self.house.clock.now(),
            session_id: self.session,
            epoch: self.log.epoch(),
            turn_id: None,
            message_id: None,
            seq: None,
            turn_seq: None,
        };
        self.clients.send(client, envelope);
    }

    /// Nothing can be written down, so nothing may be shown: the turn is over,
    /// and so is what waited behind it.
    fn store_failed(&mut self, error: &StoreError) {
        tracing::error!(session_id = %self.session, %error, "the store failed");
        if let Some(current) = self.current.take() {
            current.task.abort();
        }
        self.landing.clear();
        self.log.lost();
        self.left_open.extend(self.on_disk.take().filter(|turn| turn.ended_at.is_none()));
        let failed = |in_reply_to| Event::Failed {
            code: "store_unavailable".into(),
            message: "the event could not be stored, so nothing was done".into(),
            user_message: "I can't keep a record right now, so I stopped. Try again in a moment."
                .into(),
            retryable: true,
            in_reply_to,
        };
        for client in self.clients.ids() {
            self.reply(client, failed(None));
        }
        for asked in std::mem::take(&mut self.waiting) {
            self.reply(asked.client, failed(asked.event_id));
        }
    }

    /// Ends the current turn as failed.
    fn fail(&mut self, code: &str) {
        let mut events = Vec::new();
        if !self.log.state().is_active() {
            if self.log.turn().is_none_or(|turn| turn.row.ended_at.is_some()) {
                return;
            }
            // It went wrong before it was written down that it began.
            events.extend(self.current.iter().flat_map(|current| turn::heard(&current.turn)));
        }
        events.extend(failure(code, "That went wrong on my side. Please ask me again."));
        self.write(Entry { events, ..Entry::default() }, None);
    }

    /// Tells of turns that somebody stopped in the middle of, before a new one begins.
    fn close_turns(&mut self) {
        for mut row in std::mem::take(&mut self.left_open) {
            if !row.state.is_active() {
                // Only an active turn can fail; a row like this was not written by us.
                row.state = TurnState::Thinking;
            }
            self.on_disk = Some(row.clone());
            self.log.resume(row, &*self.house.ids);
            let said = "I was interrupted there. Ask me again and I'll look it up.";
            self.write(Entry { events: failure("interrupted", said), ..Entry::default() }, None);
        }
    }

    fn leave(&mut self, cut: Cut) {
        if let Some(current) = self.current.take() {
            current.task.abort();
        }
        self.clients.cut_all(cut);
    }
}

struct Full;

struct NothingToStop;

fn failure(code: &str, user_message: &str) -> Vec<Event> {
    vec![
        Event::Failed {
            code: code.into(),
            message: "the turn could not be finished".into(),
            user_message: user_message.into(),
            retryable: false,
            in_reply_to: None,
        },
        Event::TurnEnded { outcome: Outcome::Failed, error_code: Some(code.into()) },
    ]
}
