//! One task owns one session. Nothing else can touch its state.
//!
//! Its inboxes: what clients want (never dropped: a sender waits), what running
//! turns and writes want written, and commits that have landed. Handlers do not
//! wait; whatever takes time is a task or a future that reports back. Commits
//! land in the order they were made, so nobody sees an event before the ones
//! that came first.
//!
//! What has to do with cards and writes is in `gate`.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use brain::{
    Action, ActionId, Envelope, Event, EventId, Job, JobId, MessageId, Seal, SessionId, TurnId,
    UserId,
};
use models::Focus;
use store::{Batch, Owned, StoreError};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::again::Again;
use crate::aloud::{Held, LeftOff};
use crate::clients::{ClientId, Clients, Cut};
use crate::ears::Says;
use crate::gate::Looked;
use crate::handle::{Control, SessionHandle};
use crate::hearing::Hears;
use crate::house::House;
use crate::inbox::Asked;
use crate::keep::Kept;
use crate::landing::{Landing, Shown, Then, Unlanded};
use crate::listen::{Heard, Unclear};
use crate::log::{Entry, Log};
use crate::loudspeaker::Loudspeaker;
use crate::names::Names;
use crate::patience::Patience;
use crate::redraw::Redrawn;
use crate::report;
use crate::rewording::Reworded;
use crate::rows::Rows;
use crate::shell::Shell;
use crate::stage::Current;
use crate::turn::{Trouble, Walked};
use crate::unmet::Unmet;
use crate::view::View;
use crate::voice::{Spoke, Voice};
use crate::write::Learnt;

const NOTES_QUEUE: usize = 8;
/// Entries on their way to disk before clients are listened to no further.
const MOST_LANDING: usize = 64;
/// A session without clients and without work leaves after this.
const LINGER: Duration = Duration::from_mins(1);
/// What is under way when the server stops may take so long to come to its end.
const LAST_WORK: Duration = Duration::from_secs(5);
/// After the disk failed, work that was agreed to is picked up again this often.
pub(crate) const PICK_UP_AGAIN: Duration = Duration::from_secs(1);

/// What running turns, writes and readers tell their session.
pub(crate) enum Note {
    Write {
        turn: TurnId,
        entry: Box<Entry>,
        ack: oneshot::Sender<()>,
    },
    Finished {
        turn: TurnId,
        result: Result<Box<Walked>, Trouble>,
    },
    Panicked {
        turn: TurnId,
    },
    /// Something was learnt of a write.
    Learnt(Box<Learnt>, oneshot::Sender<()>),
    /// Nobody is at this write any more.
    WriteOver {
        action: ActionId,
    },
    /// A sentence was read as an answer to a card.
    Heard(Box<Heard>),
    /// A card was drawn anew, with changes.
    Redrawn(Box<Redrawn>),
    /// Other words for a mail were found, or were not.
    Reworded(Box<Reworded>),
    /// What a model is asked, and has cost, for a card that waits.
    Thinks(Box<Entry>),
    /// A card was put into the drafts, or could not be.
    Kept(Box<Kept>),
    /// An answer to a card that is not open here was looked up.
    Looked(Box<Looked>),
    /// Jobs that are over and were not written down here.
    JobsEnded(Vec<Job>),
    /// What the person has not heard of, as it stands in the store.
    News(Vec<Job>),
    /// What a model has cost beside a turn, or in one that was stopped.
    Spent(Box<Entry>),
    /// Everybody is told, in passing.
    TellAll(Box<Event>),
    /// One client alone is told.
    Aside(ClientId, Box<Event>),
    /// An ear heard something.
    Ear {
        ear: u64,
        says: Says,
    },
    /// The voice says something.
    Spoke {
        message: MessageId,
        round: u64,
        spoke: Spoke,
    },
    /// What is to be heard once more was looked up.
    Again(Box<Again>),
}

/// What is left of a session while nobody owns it.
#[derive(Default)]
pub(crate) struct Memory {
    /// What the former owner did not finish.
    pub rows: Rows,
    /// What people can still point at.
    pub focus: Focus,
    /// What the person said lately, oldest first.
    pub said: Vec<String>,
    pub names: Names,
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
    // Whatever was asked is the last that was: a card would have ended it.
    let asks_last = !memory.focus.asked.is_empty();
    let mut actor = Actor {
        log: Log::new(session, owned),
        shell: Shell::new(&house, session, user),
        house,
        session,
        user,
        clients: Clients::default(),
        view: View::new(owned.epoch, owned.next_seq),
        waiting: VecDeque::new(),
        names: memory.names,
        patience: Patience::default(),
        ready: VecDeque::new(),
        current: None,
        focus: memory.focus,
        rows: memory.rows.clone(),
        on_disk: memory.rows,
        writing: HashMap::new(),
        said: memory.said.into(),
        last_write: None,
        which: None,
        unmet: Unmet::default(),
        asks_last,
        readings: 0,
        pick_up_at: None,
        told_of_failure: false,
        returning: BTreeSet::new(),
        looks_for_news: false,
        hears: Hears::default(),
        voice: Voice::default(),
        loudspeaker: Loudspeaker::default(),
        held: Vec::new(),
        left_off: Vec::new(),
        landing: Landing::default(),
        notes,
    };
    let task = async move {
        for row in actor.rows.turns.clone().into_values() {
            actor.view.resume(row.turn, row.state);
            actor.log.resume(row);
        }
        actor.patience.note(actor.rows.cards.values(), &*actor.house.clock);
        actor.pick_up();
        let cut = actor.run(inbox, desk, stop).await;
        actor.leave(cut);
    };
    (handle, task)
}

pub(crate) struct Actor {
    pub(crate) house: Arc<House>,
    pub(crate) session: SessionId,
    pub(crate) user: UserId,
    pub(crate) log: Log,
    pub(crate) clients: Clients,
    /// What everybody has seen.
    pub(crate) view: View,
    pub(crate) waiting: VecDeque<Asked>,
    pub(crate) names: Names,
    /// How long cards wait.
    pub(crate) patience: Patience,
    /// Turns that can walk on as soon as nobody else does.
    pub(crate) ready: VecDeque<TurnId>,
    pub(crate) current: Option<Current>,
    pub(crate) focus: Focus,
    /// What is open, once everything that was written has landed.
    pub(crate) rows: Rows,
    /// What is open on disk.
    pub(crate) on_disk: Rows,
    /// Writes that somebody is at.
    pub(crate) writing: HashMap<ActionId, watch::Receiver<Action>>,
    /// What the person said lately, oldest first.
    pub(crate) said: VecDeque<String>,
    /// What was agreed to last, for "cancel!".
    pub(crate) last_write: Option<Action>,
    /// A sentence that did not say which card it means; it was asked.
    pub(crate) which: Option<Unclear>,
    /// Cards that were to be different, and are not.
    pub(crate) unmet: Unmet,
    /// The last thing people were asked is no card: a bare yes answers that.
    pub(crate) asks_last: bool,
    /// How many sentences were read as answers.
    pub(crate) readings: u64,
    /// The disk failed, or a task did: what was agreed to is picked up again then.
    pub(crate) pick_up_at: Option<Instant>,
    /// The disk failed, and nobody has wanted anything since they were told.
    pub(crate) told_of_failure: bool,
    /// Ends of jobs that are on their way to disk.
    pub(crate) returning: BTreeSet<JobId>,
    /// It is being looked up what the person has not heard of.
    pub(crate) looks_for_news: bool,
    pub(crate) hears: Hears,
    /// Who hears, thinks and speaks for us while they are well.
    pub(crate) shell: Option<Shell>,
    pub(crate) voice: Voice,
    /// What came out of it lately.
    pub(crate) loudspeaker: Loudspeaker,
    /// Ends of turns that are still being spoken.
    pub(crate) held: Vec<Held>,
    /// Turns whose listener went away while they were spoken.
    pub(crate) left_off: Vec<LeftOff>,
    pub(crate) landing: Landing,
    pub(crate) notes: mpsc::Sender<Note>,
}

/// For ever where there is no such moment.
async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

impl Actor {
    async fn run(
        &mut self,
        mut inbox: mpsc::Receiver<Control>,
        mut desk: mpsc::Receiver<Note>,
        stop: CancellationToken,
    ) -> Cut {
        loop {
            let at_rest = self.clients.is_empty() && self.is_idle();
            // After the disk failed, cards expire when work is picked up again.
            let expiry = self.next_expiry().filter(|_| self.pick_up_at.is_none());
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                landed = self.landing.next(&self.house), if !self.landing.is_empty() => {
                    if let Some(cut) = self.on_landed(landed) {
                        return cut;
                    }
                }
                Some(note) = desk.recv() => self.on_note(note),
                message = inbox.recv(), if self.landing.len() < MOST_LANDING => match message {
                    Some(Control::Deleted) => return Cut::Deleted,
                    Some(message) => self.on_control(message),
                    None => return Cut::Stopping,
                },
                () = tokio::time::sleep(expiry.unwrap_or(LINGER)), if expiry.is_some() => {
                    self.expire_cards();
                }
                () = sleep_until(self.pick_up_at), if self.pick_up_at.is_some() => self.pick_up(),
                () = tokio::time::sleep(LINGER), if at_rest => return Cut::Stopping,
            }
        }
        // What is under way is better finished than told as broken off.
        self.turn_away();
        self.drop_what_is_said();
        self.hush(None);
        self.release_all();
        self.settle_up();
        // What is not known by then is asked about at the next start.
        let _ = tokio::time::timeout(LAST_WORK, self.finish(&mut inbox, &mut desk)).await;
        Cut::Stopping
    }

    /// Comes to the end of what is under way, and begins nothing that is not.
    async fn finish(
        &mut self,
        inbox: &mut mpsc::Receiver<Control>,
        desk: &mut mpsc::Receiver<Note>,
    ) {
        while !self.is_idle() {
            tokio::select! {
                landed = self.landing.next(&self.house), if !self.landing.is_empty() => {
                    if self.on_landed(landed).is_some() {
                        return;
                    }
                }
                Some(note) = desk.recv() => self.on_note(note),
                Some(message) = inbox.recv() => self.on_late_control(message),
                () = sleep_until(self.pick_up_at), if self.pick_up_at.is_some() => self.pick_up(),
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.current.is_none()
            && self.ready.is_empty()
            && self.writing.is_empty()
            && self.landing.is_empty()
            && self.pick_up_at.is_none()
    }

    /// Says why the session has to be left, if it has.
    fn on_landed(&mut self, landed: Result<Shown, StoreError>) -> Option<Cut> {
        match landed {
            Ok(shown) => {
                self.told_of_failure = false;
                self.show(shown);
            }
            Err(StoreError::Stale(_)) => return Some(Cut::Moved),
            Err(StoreError::Gone(_)) => return Some(Cut::Deleted),
            // What is on disk is not what we thought: whoever opens the session next
            // begins with what is there.
            Err(
                error @ (StoreError::Decided(_)
                | StoreError::OutOfStep(_)
                | StoreError::Contradiction(_)),
            ) => {
                tracing::error!(session_id = %self.session, %error, "memory and disk disagree");
                return Some(Cut::Moved);
            }
            Err(error) => self.store_failed(&error),
        }
        None
    }

    fn on_control(&mut self, message: Control) {
        self.told_of_failure = false;
        match message {
            Control::Join(start, tell) => self.join(start, tell),
            Control::Leave(client) => self.leaves(client),
            Control::Reply { client, event } => self.reply(client, event),
            Control::Input { client, event_id, input } => self.on_input(client, event_id, input),
            Control::Answer { question, answer, tell } => {
                self.on_http_answer(&question, answer, tell);
            }
            Control::Run { name, tool, args, tell } => self.on_run(name, tool, args, tell),
            Control::Progressed(job) => self.job_progressed(&job),
            Control::JobsEnded => self.return_jobs(),
            // Whoever asked goes on either way.
            Control::News(tell) => drop(tell.send(self.hears_news())),
            // Whoever listens has gone home by then.
            Control::Deleted => {}
        }
    }

    fn on_note(&mut self, note: Note) {
        match note {
            // A turn that was stopped may still have a word on its lips; not answering stops it.
            Note::Write { turn, entry, ack } if self.is_current(turn) => {
                self.write(*entry, Some(ack));
            }
            Note::Finished { turn, result } if self.is_current(turn) => self.finished(turn, result),
            Note::Panicked { turn } if self.is_current(turn) => {
                tracing::error!(session_id = %self.session, turn_id = %turn, "a turn panicked");
                let walked = self.current.take().and_then(|current| current.turn);
                self.fail(turn, walked.as_deref(), "internal_error");
                self.next();
            }
            Note::Write { .. } | Note::Finished { .. } | Note::Panicked { .. } => {}
            Note::Learnt(learnt, ack) => self.learn(*learnt, ack),
            Note::WriteOver { action } => {
                self.writing.remove(&action);
                // Whoever was at it could not go on; somebody has to.
                if self.rows.unsettled().any(|known| known.id == action) {
                    self.pick_up_later();
                }
                self.next();
            }
            Note::Heard(heard) => self.heard(*heard),
            Note::Redrawn(redrawn) => self.redrawn(*redrawn),
            Note::Reworded(reworded) => self.reworded(*reworded),
            Note::Thinks(entry) => self.note_thinking(*entry),
            Note::Kept(kept) => self.kept_as_draft(*kept),
            Note::Looked(looked) => self.looked(*looked),
            Note::JobsEnded(jobs) => self.write_returns(jobs),
            Note::News(jobs) => self.tell_news(jobs),
            Note::TellAll(event) => {
                let envelope = self.aside(*event);
                self.clients.tell_all(&envelope);
            }
            Note::Spent(entry) => self.write(*entry, None),
            Note::Aside(client, event) => self.reply(client, *event),
            Note::Ear { ear, says } => self.on_ear(ear, says),
            Note::Spoke { message, round, spoke } => self.spoke(message, round, spoke),
            Note::Again(again) => self.repeat(*again),
        }
    }

    /// Numbers an entry and sends it on its way to disk and clients.
    pub(crate) fn write(&mut self, mut entry: Entry, ack: Option<oneshot::Sender<()>>) {
        self.tell_heard(&mut entry);
        self.hold_end(&mut entry);
        match self.log.write(entry, &*self.house.clock, &*self.house.ids) {
            Ok(mut written) => {
                if let Some(batch) = &mut written.batch {
                    batch.prints = self.prints(batch, &written.then);
                    self.rows.apply(batch);
                    self.patience.note(&batch.confirmations, &*self.house.clock);
                }
                let entry = Unlanded::new(written, ack);
                if let Some(shown) = self.landing.push(entry, &self.house) {
                    self.show(shown);
                }
            }
            // Not answering `ack` stops the turn, and its end is told as a failure.
            Err(error) => {
                tracing::error!(session_id = %self.session, %error, "an event was out of order");
            }
        }
    }

    /// What was said under the names that are taken with it.
    fn prints(&self, batch: &Batch, then: &[Then]) -> Vec<(String, Seal)> {
        let known = batch.events.iter().filter_map(|event| {
            let name = event.event.took()?;
            Some((name.to_owned(), self.names.print(name)?))
        });
        let took = then.iter().filter_map(|then| match then {
            Then::Took(frame) => Some((frame.name.clone(), frame.print)),
            _ => None,
        });
        known.chain(took).collect()
    }

    /// It is on disk, or need not be: everybody may see it.
    fn show(&mut self, shown: Shown) {
        for envelope in &shown.envelopes {
            self.measure(envelope, &shown);
            self.view.note(envelope);
            self.clients.publish(envelope);
            self.speak(envelope);
            if let Event::Said { text } = &envelope.event {
                self.focus.told = Some(text.as_str().into());
            }
            if let (Event::AskedToConfirm(card) | Event::QuestionChanged(card), Some(turn)) =
                (&envelope.event, envelope.turn_id)
            {
                self.question_asked(turn, (card.confirmation_request_id, card.revision));
            }
            if self.house.watchers.receiver_count() > 0 {
                // The last watcher may have left meanwhile.
                let _ = self.house.watchers.send(Arc::clone(envelope));
            }
        }
        let is_whole = |one: &&Arc<Envelope>| matches!(one.event, Event::Said { .. });
        let said = shown.envelopes.iter().find(is_whole).and_then(|one| one.turn_id);
        self.release_unspoken(said);
        if let Some(turn) = said {
            self.question_shown_again(turn);
        }
        if let Some(batch) = &shown.batch {
            self.on_disk.apply(batch);
            self.jobs_marked(&batch.jobs);
        }
        if let Some(ack) = shown.ack {
            // A turn that was stopped meanwhile does not wait for it.
            let _ = ack.send(());
        }
        for then in shown.then {
            match then {
                Then::Begin(action) => self.begin_write(action),
                Then::WalkOn(turn) => self.walk_on(turn),
                Then::Hear(asked) => {
                    self.waiting.push_front(*asked);
                    self.next();
                }
                Then::Reply(client, event) => self.reply(client, event),
                Then::Took(frame) => self.names.add(&frame, self.house.clock.now()),
                Then::LookUp(asker, question) => self.look_up_now(asker, question),
                // Whoever asked over HTTP may have hung up.
                Then::Answer(tell, answered) => drop(tell.send(answered)),
            }
        }
    }

    fn measure(&mut self, envelope: &Envelope, shown: &Shown) {
        let waited_us =
            shown.asked_us.map(|asked_us| self.house.clock.ticks_us().saturating_sub(asked_us));
        let is_token = matches!(envelope.event, Event::SaidDelta { .. });
        self.log.note_times(envelope.turn_id, waited_us, waited_us.filter(|_| is_token));
        let row = shown.batch.as_ref().and_then(|batch| batch.turn.as_ref());
        if let (Event::TurnEnded { outcome, .. }, Some(row)) = (&envelope.event, row) {
            report::ended(row, *outcome, waited_us);
        }
    }

    pub(crate) fn reply(&mut self, client: ClientId, event: Event) {
        let envelope = self.aside(event);
        self.clients.send(client, envelope);
    }

    /// For one client alone: nobody else sees it and nobody replays it.
    pub(crate) fn aside(&self, event: Event) -> Envelope {
        Envelope {
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
            spelling: brain::event::Spelling::default(),
        }
    }

    /// A client is gone; nobody else may be listening, or talking.
    pub(crate) fn leaves(&mut self, client: ClientId) {
        self.clients.leave(client);
        self.stop_listening_to(client);
        self.stop_repeating_to(client);
        self.stop_speaking_to_nobody();
    }

    fn leave(&mut self, cut: Cut) {
        if let Some(current) = self.current.take() {
            current.stop();
        }
        self.clients.cut_all(cut);
    }
}
