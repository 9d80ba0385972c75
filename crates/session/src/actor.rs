//! One task owns one session. Nothing else can touch its state.
//!
//! Its inboxes: what clients want (never dropped: a sender waits), what the
//! running turn wants written, and commits that have landed. Handlers do not
//! wait; whatever takes time is a task or a future that reports back. Commits
//! land in the order they were made, so nobody sees an event before the ones
//! that came first.

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use brain::{
    Envelope, Event, EventId, Input, InputMode, Outcome, SessionId, TurnId, TurnState, UserId,
};
use futures_util::stream::FuturesOrdered;
use futures_util::{FutureExt, StreamExt};
use models::Focus;
use store::{Owned, StoreError, TurnRow};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::house::House;
use crate::log::{Entry, Log, Written};
use crate::turn::{self, Desk, Trouble, Turn, Walked};

/// Inputs that may wait while a turn is working.
const MOST_QUEUED: usize = 4;
/// Events that may wait for a client before it is cut off.
const CLIENT_QUEUE: usize = 256;
/// What clients want, before their sockets are read no further.
const CONTROL_QUEUE: usize = 64;
const NOTES_QUEUE: usize = 8;
/// A session without clients and without work leaves after this.
const LINGER: Duration = Duration::from_mins(1);

/// One connection to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientId(u64);

/// Why a client gets no more events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It did not read fast enough.
    TooSlow,
    /// Another owner has taken the session over.
    Moved,
    /// The server is stopping.
    Stopping,
}

/// What a client holds after joining: first what it missed, then what happens.
pub struct Joined {
    pub client: ClientId,
    missed: VecDeque<Arc<Envelope>>,
    /// The last number of what it missed; the same may come again, live.
    caught_up_to: u64,
    events: mpsc::Receiver<Arc<Envelope>>,
    /// Answers once `events` has ended.
    cut: oneshot::Receiver<Cut>,
}

impl Joined {
    /// The next event, or why there are no more.
    pub async fn next(&mut self) -> Result<Arc<Envelope>, Cut> {
        if let Some(envelope) = self.missed.pop_front() {
            return Ok(envelope);
        }
        while let Some(envelope) = self.events.recv().await {
            if self.is_new(&envelope) {
                return Ok(envelope);
            }
        }
        Err(self.cut.try_recv().unwrap_or(Cut::Stopping))
    }

    /// The next event if it is there already.
    pub fn try_next(&mut self) -> Option<Arc<Envelope>> {
        if let Some(envelope) = self.missed.pop_front() {
            return Some(envelope);
        }
        loop {
            let envelope = self.events.try_recv().ok()?;
            if self.is_new(&envelope) {
                return Some(envelope);
            }
        }
    }

    fn is_new(&self, envelope: &Envelope) -> bool {
        envelope.seq.is_none_or(|seq| seq > self.caught_up_to)
    }

    /// Puts what happened before it joined in front.
    pub(crate) fn catch_up(&mut self, missed: Vec<Envelope>) {
        self.caught_up_to = missed.last().and_then(|envelope| envelope.seq).unwrap_or_default();
        self.missed = missed.into_iter().map(Arc::new).collect();
    }
}

/// The session's task is gone; ask the registry again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

/// A way to reach a session. Cheap to clone.
#[derive(Clone)]
pub struct SessionHandle {
    pub id: SessionId,
    pub user: UserId,
    control: mpsc::Sender<Control>,
}

/// What must not be dropped.
enum Control {
    Join(oneshot::Sender<Joined>),
    Leave(ClientId),
    Input {
        client: ClientId,
        event_id: Option<String>,
        input: Input,
    },
    /// Tell this client alone.
    Reply {
        client: ClientId,
        event: Event,
    },
}

/// What a running turn tells its session.
pub(crate) enum Note {
    Write { turn: TurnId, entry: Entry, ack: oneshot::Sender<()> },
    Finished { turn: TurnId, result: Result<Box<Walked>, Trouble> },
    Panicked { turn: TurnId },
}

impl SessionHandle {
    pub(crate) async fn join(&self) -> Result<Joined, Gone> {
        let (tell, told) = oneshot::channel();
        self.control.send(Control::Join(tell)).await.map_err(|_| Gone)?;
        told.await.map_err(|_| Gone)
    }

    pub async fn leave(&self, client: ClientId) {
        // A session that is gone has been left already.
        let _ = self.control.send(Control::Leave(client)).await;
    }

    /// Hands an input over. Waits while the session is busy taking others in.
    pub async fn send(
        &self,
        client: ClientId,
        event_id: Option<String>,
        input: Input,
    ) -> Result<(), Gone> {
        let message = Control::Input { client, event_id, input };
        self.control.send(message).await.map_err(|_| Gone)
    }

    /// Answers one client without anybody else hearing it.
    pub async fn reply(&self, client: ClientId, event: Event) -> Result<(), Gone> {
        self.control.send(Control::Reply { client, event }).await.map_err(|_| Gone)
    }
}

/// Starts the task that owns the session from now on. `left_open` are turns
/// that the former owner did not finish. Returns the handle and the task.
pub(crate) fn start(
    house: Arc<House>,
    session: SessionId,
    user: UserId,
    owned: Owned,
    left_open: Vec<TurnRow>,
    stop: CancellationToken,
) -> (SessionHandle, impl Future<Output = ()> + Send) {
    let (control, inbox) = mpsc::channel(CONTROL_QUEUE);
    let (notes, desk) = mpsc::channel(NOTES_QUEUE);
    let mut actor = Actor {
        log: Log::new(session, owned),
        house,
        session,
        user,
        clients: HashMap::new(),
        next_client: 1,
        waiting: VecDeque::new(),
        current: None,
        focus: Focus::default(),
        landing: FuturesOrdered::new(),
        notes,
    };
    let task = async move {
        actor.close_turns(left_open);
        let cut = actor.run(inbox, desk, stop).await;
        actor.leave(cut);
    };
    (SessionHandle { id: session, user, control }, task)
}

struct Actor {
    house: Arc<House>,
    session: SessionId,
    user: UserId,
    log: Log,
    clients: HashMap<ClientId, Client>,
    next_client: u64,
    waiting: VecDeque<Asked>,
    current: Option<Current>,
    focus: Focus,
    landing: FuturesOrdered<Pin<Box<dyn Future<Output = Landed> + Send>>>,
    notes: mpsc::Sender<Note>,
}

struct Client {
    events: mpsc::Sender<Arc<Envelope>>,
    cut: oneshot::Sender<Cut>,
    /// It was told that nobody listens; a second time for every chunk would not help.
    told_deaf: bool,
}

/// A request that has not begun.
struct Asked {
    text: String,
    received_us: u64,
}

/// The turn that is being walked.
struct Current {
    turn: Arc<Turn>,
    task: tokio::task::AbortHandle,
    received_us: u64,
}

/// A commit that is over, one way or the other.
struct Landed {
    envelopes: Vec<Arc<Envelope>>,
    result: Result<(), StoreError>,
    ack: Option<oneshot::Sender<()>>,
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
                Some(landed) = self.landing.next(), if !self.landing.is_empty() => {
                    if let Some(cut) = self.land(landed) {
                        return cut;
                    }
                }
                Some(note) = desk.recv() => self.on_note(note),
                message = inbox.recv() => match message {
                    Some(message) => self.on_control(message),
                    None => return Cut::Stopping,
                },
                () = tokio::time::sleep(LINGER), if at_rest => return Cut::Stopping,
            }
        }
    }

    fn on_control(&mut self, message: Control) {
        match message {
            Control::Join(tell) => self.join(tell),
            Control::Leave(client) => drop(self.clients.remove(&client)),
            Control::Reply { client, event } => self.reply(client, event),
            Control::Input { client, event_id, input } => {
                self.on_input(client, event_id.as_deref(), input);
            }
        }
    }

    fn join(&mut self, tell: oneshot::Sender<Joined>) {
        let client = ClientId(self.next_client);
        self.next_client += 1;
        let (events, receive) = mpsc::channel(CLIENT_QUEUE);
        let (cut, why) = oneshot::channel();
        let joined =
            Joined { client, missed: VecDeque::new(), caught_up_to: 0, events: receive, cut: why };
        if tell.send(joined).is_ok() {
            self.clients.insert(client, Client { events, cut, told_deaf: false });
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
            Input::Text { text, .. } => match self.ask(text) {
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
            Input::AudioEnd { .. } => {
                if let Some(client) = self.clients.get_mut(&client) {
                    client.told_deaf = false;
                }
                return;
            }
            Input::Audio(_) if self.was_told_deaf(client) => return,
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

    fn was_told_deaf(&mut self, client: ClientId) -> bool {
        let client = self.clients.get_mut(&client);
        client.is_some_and(|client| std::mem::replace(&mut client.told_deaf, true))
    }

    /// One turn works at a time: while it works others wait, while it speaks
    /// they interrupt.
    fn ask(&mut self, text: String) -> Result<(), Full> {
        let asked = Asked { text, received_us: self.house.clock.ticks_us() };
        if self.log.state() == TurnState::Speaking {
            // It is the current turn that speaks, so there is something to stop.
            let _ = self.interrupt(None);
        }
        if self.current.is_none() {
            self.begin(asked);
            return Ok(());
        }
        if self.waiting.len() >= MOST_QUEUED {
            return Err(Full);
        }
        self.waiting.push_back(asked);
        Ok(())
    }

    fn begin(&mut self, asked: Asked) {
        let open = self.log.begin(InputMode::Text, &*self.house.clock, &*self.house.ids);
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
        self.current = Some(Current { turn, task, received_us: asked.received_us });
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
        metrics::counter!("sayso_turns_total", "outcome" => "cancelled").increment(1);
        tracing::info!(session_id = %self.session, turn_id = %current.turn.id, "turn interrupted");
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
                self.current = None;
                match result {
                    Ok(walked) => {
                        let Walked { understanding, done } = *walked;
                        self.focus.wait_for_answer(&understanding);
                        self.focus.note(&done);
                    }
                    Err(Trouble::Stopped) => self.fail("internal_error"),
                    Err(Trouble::Store(error)) => self.store_failed(&error),
                }
                self.next();
            }
            Note::Panicked { turn } if is_current(self, turn) => {
                tracing::error!(session_id = %self.session, turn_id = %turn, "a turn panicked");
                self.current = None;
                self.fail("internal_error");
                self.next();
            }
            Note::Write { .. } | Note::Finished { .. } | Note::Panicked { .. } => {}
        }
    }

    /// Numbers an entry and sends it on its way to disk and clients.
    fn write(&mut self, entry: Entry, ack: Option<oneshot::Sender<()>>) {
        let written = self.log.write(entry, &*self.house.clock, &*self.house.ids);
        let Written { envelopes, batch } = match written {
            Ok(written) => written,
            Err(error) => {
                // Not answering `ack` stops the turn, and its end is told as a failure.
                tracing::error!(session_id = %self.session, %error, "an event was out of order");
                return;
            }
        };
        let envelopes: Vec<_> = envelopes.into_iter().map(Arc::new).collect();
        let Some(batch) = batch else {
            let landed = Landed { envelopes, result: Ok(()), ack };
            if self.landing.is_empty() {
                self.land(landed);
            } else {
                self.landing.push_back(std::future::ready(landed).boxed());
            }
            return;
        };
        let store = Arc::clone(&self.house.store);
        let commit = async move {
            let result = store.append(batch).await;
            Landed { envelopes, result, ack }
        };
        self.landing.push_back(commit.boxed());
    }

    /// What is on disk is shown; what is not is taken back.
    fn land(&mut self, landed: Landed) -> Option<Cut> {
        match landed.result {
            Ok(()) => {
                for envelope in &landed.envelopes {
                    self.publish(envelope);
                }
                if let Some(ack) = landed.ack {
                    // A turn that was stopped meanwhile does not wait for it.
                    let _ = ack.send(());
                }
                None
            }
            Err(StoreError::Stale(_)) => Some(Cut::Moved),
            Err(error) => {
                self.store_failed(&error);
                None
            }
        }
    }

    fn publish(&mut self, envelope: &Arc<Envelope>) {
        self.measure(envelope);
        let mut slow = Vec::new();
        for (id, client) in &self.clients {
            if client.events.try_send(Arc::clone(envelope)).is_err() {
                slow.push(*id);
            }
        }
        for id in slow {
            self.cut(id, Cut::TooSlow);
        }
    }

    fn measure(&mut self, envelope: &Envelope) {
        let Some(current) = &self.current else { return };
        if envelope.turn_id != Some(current.turn.id) {
            return;
        }
        let waited_us = self.house.clock.ticks_us().saturating_sub(current.received_us);
        let is_token = matches!(envelope.event, Event::SaidDelta { .. });
        self.log.note_times(Some(waited_us), is_token.then_some(waited_us));
        if let (Event::TurnEnded { outcome, .. }, Some(turn)) = (&envelope.event, self.log.turn()) {
            told_of_turn(&turn.row, *outcome, waited_us);
        }
    }

    fn reply(&mut self, client: ClientId, event: Event) {
        let envelope = Arc::new(Envelope {
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
        });
        let Some(known) = self.clients.get(&client) else { return };
        if known.events.try_send(envelope).is_err() {
            self.cut(client, Cut::TooSlow);
        }
    }

    fn reply_all(&mut self, event: &Event) {
        for client in self.clients.keys().copied().collect::<Vec<_>>() {
            self.reply(client, event.clone());
        }
    }

    fn cut(&mut self, client: ClientId, why: Cut) {
        if let Some(client) = self.clients.remove(&client) {
            metrics::counter!("sayso_clients_cut_total").increment(1);
            // A client that has hung up does not ask why.
            let _ = client.cut.send(why);
        }
    }

    /// Nothing can be written down, so nothing may be shown: the turn is over.
    fn store_failed(&mut self, error: &StoreError) {
        tracing::error!(session_id = %self.session, %error, "the store failed");
        if let Some(current) = self.current.take() {
            current.task.abort();
        }
        self.log.lost();
        self.waiting.clear();
        self.reply_all(&Event::Failed {
            code: "store_unavailable".into(),
            message: "the event could not be stored, so nothing was done".into(),
            user_message: "I can't keep a record right now, so I stopped. Try again in a moment."
                .into(),
            retryable: true,
            in_reply_to: None,
        });
    }

    /// Ends the open turn as failed.
    fn fail(&mut self, code: &str) {
        if !self.log.state().is_active() {
            return;
        }
        let events = failure(code, "That went wrong on my side. Please ask me again.");
        self.write(Entry { events, ..Entry::default() }, None);
    }

    fn close_turns(&mut self, left_open: Vec<TurnRow>) {
        for row in left_open {
            let (id, active) = (row.turn, row.state.is_active());
            self.log.resume(row, &*self.house.ids);
            if !active {
                tracing::warn!(turn_id = %id, "a turn was left open in a state that is over");
                continue;
            }
            let said = "I was interrupted there. Ask me again and I'll look it up.";
            self.write(
                Entry { events: failure("server_restarted", said), ..Entry::default() },
                None,
            );
        }
    }

    fn leave(&mut self, cut: Cut) {
        if let Some(current) = self.current.take() {
            current.task.abort();
        }
        for client in self.clients.keys().copied().collect::<Vec<_>>() {
            self.cut(client, cut);
        }
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

/// One line and a few figures a turn; never what was said in it.
fn told_of_turn(row: &TurnRow, outcome: Outcome, took_us: u64) {
    let seconds = |us: u64| Duration::from_micros(us).as_secs_f64();
    let outcome = match outcome {
        Outcome::Success => "success",
        Outcome::Partial => "partial",
        Outcome::Failed => "failed",
        Outcome::Unknown => "unknown",
    };
    metrics::counter!("sayso_turns_total", "outcome" => outcome).increment(1);
    metrics::histogram!("sayso_turn_seconds").record(seconds(took_us));
    if let Some(us) = row.first_event_us {
        metrics::histogram!("sayso_first_event_seconds").record(seconds(us));
    }
    if let Some(us) = row.first_token_us {
        metrics::histogram!("sayso_first_token_seconds").record(seconds(us));
    }
    tracing::info!(
        session_id = %row.session,
        turn_id = %row.turn,
        trace_id = %row.trace,
        request_id = %row.request,
        outcome,
        mode = row.mode.map(|mode| mode.execution.name()),
        reason = row.mode.map(|mode| mode.reason.name()),
        first_event_ms = row.first_event_us.map(|us| us / 1000),
        first_token_ms = row.first_token_us.map(|us| us / 1000),
        took_ms = took_us / 1000,
        "turn"
    );
}
