//! What clients want: taken up, put in the queue, or refused.

use std::sync::Arc;

use brain::event::Question;
use brain::snapshot::{
    Capabilities, Lost, PROTOCOL, Pending, RECENT_EVENTS, REPLAY_EVENTS, REPLAY_HOURS, Scope,
    Snapshot, Speaking, Welcome,
};
use brain::{ConfirmationId, Cursor, Envelope, Event, FileId, Input, TurnId, UserId};
use tokio::sync::oneshot;

use crate::actor::Actor;
use crate::clients::{ClientId, Joined};
use crate::handle::{Control, Ran, Start};
use crate::hearing::Voiced;
use crate::landing::Then;
use crate::names::{Frame, Known};
use crate::places::{Full, Place};
use crate::replay::{CatchUp, Part, Replay};
use crate::report;
use crate::stage::NothingToStop;
use crate::turn::Wish;
use crate::view::{Missed, NeverSaid};

/// Whoever is turned away for lack of room comes back after about this long.
const BUSY_FOR_MS: u128 = 1_000;
const REUSED: &str = "something else was asked under this name; take a new one";
const STOPPING: &str = "the server is stopping; connect again and say it once more";
/// Inputs that may wait while a turn is working.
const MOST_QUEUED: usize = 4;

/// A request that has not begun, and who is to be told if it never does.
pub(crate) struct Asked {
    pub from: From,
    pub wish: Wish,
    /// How it was heard, where it was not typed.
    pub voiced: Option<Voiced>,
    /// What was handed over with it.
    pub attached: Vec<FileId>,
    pub received_us: u64,
    /// The cards that people could see when it was said; a sentence answers no other.
    pub seen: Vec<Seen>,
    /// It was read as an answer to a card already, and is none.
    pub is_no_answer: bool,
    /// It is the rest of a sentence whose beginning answered a card of this turn.
    pub goes_on: Option<TurnId>,
    /// Its place among everybody who is being worked for.
    pub place: Place<UserId>,
}

impl Asked {
    /// The rest of the sentence, heard once its beginning has answered a card of `turn`.
    pub fn goes_on(self, rest: String, turn: Option<TurnId>) -> Then {
        let from = match self.from {
            // The answer has the name of the frame.
            From::Client { client, .. } => From::Client { client, event_id: None },
            http @ From::Http { .. } => http,
        };
        let wish = Wish::Words(rest);
        Then::Hear(Box::new(Self { from, wish, is_no_answer: true, goes_on: turn, ..self }))
    }
}

/// A card at one of its revisions.
pub(crate) type Seen = (ConfirmationId, u32);

/// Where a request came from.
pub(crate) enum From {
    Client { client: ClientId, event_id: Option<String> },
    Http { name: Option<String>, tell: oneshot::Sender<Ran> },
}

impl Actor {
    /// Whoever comes back sees what waits for them, wherever their cursor stands.
    pub(crate) fn join(&mut self, start: Start, tell: oneshot::Sender<Joined>) {
        let Some(client) = self.clients.join(start, tell) else { return };
        match start {
            Start::Later => {}
            Start::Now => self.show_open(client),
            Start::After(cursor) => self.catch_up(client, Some(cursor)),
            Start::Anew => self.catch_up(client, None),
        }
        self.hears_news();
    }

    fn show_open(&mut self, client: ClientId) {
        for question in self.open_questions() {
            self.reply(client, Event::QuestionChanged(Box::new(question)));
        }
    }

    /// Tells a client what it missed; without a cursor, everything there is.
    fn catch_up(&mut self, client: ClientId, cursor: Option<Cursor>) {
        let missed = cursor.map_or(Err(Lost::Asked), |cursor| self.view.since(cursor));
        let after = cursor.map_or(0, |cursor| cursor.last_seq);
        let is_whole = missed.is_err();
        if after > 0 {
            metrics::counter!("sayso_returns_total").increment(1);
            metrics::counter!("sayso_returns_anew_total").increment(is_whole.into());
        }
        let missed = match missed {
            Ok(Missed::Recent(mut recent)) => {
                recent.push(self.caught_up());
                CatchUp::Recent(recent)
            }
            Ok(Missed::Older { until, mut recent }) => {
                recent.push(self.caught_up());
                let part = Part::Kept { after, until, is_begun: false };
                CatchUp::older(self.replay(part, recent, Lost::TooOld))
            }
            Err(reason) => CatchUp::older(self.replay(Part::Whole, Vec::new(), reason)),
        };
        self.clients.catch_up(client, missed);
        if !is_whole {
            self.show_open(client);
        }
    }

    fn caught_up(&self) -> Arc<Envelope> {
        Arc::new(self.aside(Event::CaughtUp(self.view.standing())))
    }

    fn replay(&self, part: Part, then: Vec<Arc<Envelope>>, reason: Lost) -> Replay {
        let now = self.house.clock.now();
        let pending = |question: Question| {
            let card = self.rows.cards.get(&question.confirmation_request_id);
            let now = card.map_or(now, |card| self.time_for(card));
            let left = question.expires_at.duration_since(now).as_millis();
            Pending { remaining_ms: u64::try_from(left).unwrap_or(0), question }
        };
        let snapshot = Snapshot {
            reason,
            standing: self.view.standing(),
            messages: self.view.growing().cloned().into_iter().collect(),
            has_more: false,
            pending_confirmations: self.open_questions().into_iter().map(pending).collect(),
            settled_confirmations: Vec::new(),
            running_jobs: Vec::new(),
            speaking: self.view.speaking(),
        };
        Replay {
            house: Arc::clone(&self.house),
            session: self.session,
            user: self.user,
            now,
            then,
            whole: Box::new(self.aside(Event::Resynced(Box::new(snapshot)))),
            part,
        }
    }

    fn welcome(&self) -> Event {
        let standing = self.view.standing();
        Event::Welcomed(Box::new(Welcome {
            protocol: PROTOCOL,
            agent: self.house.agent.clone(),
            epoch: standing.epoch,
            last_seq: standing.last_seq,
            capabilities: Capabilities {
                hears: self.house.senses.hearing.is_some(),
                speaks: self.house.senses.speaking.is_some(),
                // Binary frames of a client that says what they hold; our own are text.
                binary_audio: true,
                replay_events: REPLAY_EVENTS,
                replay_hours: REPLAY_HOURS,
                recent_events: RECENT_EVENTS,
            },
        }))
    }

    /// The server stops: nobody who waits is worked for any more, and they are told.
    pub(crate) fn turn_away(&mut self) {
        for asked in std::mem::take(&mut self.waiting) {
            if let Some(name) = asked.from.name() {
                self.names.take_back(name);
            }
            asked.from.refuse(self, "stopping", STOPPING);
        }
    }

    /// What clients want while the server stops.
    pub(crate) fn on_late_control(&mut self, message: Control) {
        match message {
            Control::Input {
                client,
                event_id,
                input: Input::Text { .. } | Input::Answer { .. },
            } => {
                From::Client { client, event_id }.refuse(self, "stopping", STOPPING);
            }
            Control::Run { name, tell, .. } => {
                From::Http { name, tell }.refuse(self, "stopping", STOPPING);
            }
            Control::Input { client, event_id, input: input @ Input::Interrupt { .. } } => {
                self.on_input(client, event_id, input);
            }
            Control::Leave(client) => self.leaves(client),
            // Whoever waits for an answer learns that there is nobody any more.
            Control::Join(..)
            | Control::Input { .. }
            | Control::Reply { .. }
            | Control::Answer { .. }
            | Control::News(_)
            | Control::Deleted
            // It is woken for them at the next start.
            | Control::JobsEnded => {}
            Control::Progressed(job) => self.job_progressed(&job),
        }
    }

    /// Says that nothing more is done; whatever came of it the first time was told.
    pub(crate) fn repeated(&mut self, client: ClientId, in_reply_to: String) {
        report::done_once("request");
        self.reply(client, Event::Repeated { in_reply_to });
    }

    /// An answer, a stop or a press under a name that was taken already: whoever sent it is told.
    /// What people say is looked at in `ask`.
    pub(crate) fn is_known(&mut self, client: ClientId, frame: Option<&Frame>) -> bool {
        let Some(frame) = frame else { return false };
        match self.names.knows(frame, self.house.clock.now()) {
            Known::No => return false,
            Known::Same => self.repeated(client, frame.name.clone()),
            Known::Other => {
                let from = From::Client { client, event_id: Some(frame.name.clone()) };
                from.refuse(self, "event_id_reused", REUSED);
            }
        }
        true
    }

    pub(crate) fn on_input(&mut self, client: ClientId, event_id: Option<String>, input: Input) {
        let frame = Frame::of(event_id.as_deref(), &input);
        if self.is_known(client, frame.as_ref()) {
            return;
        }
        let complaint = match input {
            Input::Ping { client_ts } => {
                Event::Ponged { client_ts, server_ts: self.house.clock.now() }
            }
            Input::Text { text, attachments } => {
                let attached: Result<Vec<FileId>, _> =
                    attachments.iter().map(|id| id.parse()).collect();
                if let Ok(attached) = attached {
                    let from = From::Client { client, event_id };
                    return self.ask(from, Wish::Words(text), attached);
                }
                refusal(
                    "unknown_file",
                    "attachments are the ids of files that were handed over",
                    "I can't find what you attached. Please attach it again.",
                    event_id,
                )
            }
            Input::Hello(hello) => {
                self.clients.greeted(client, hello);
                self.listen_as_told(client, hello.turn_mode);
                self.stop_speaking_to_nobody();
                self.welcome()
            }
            Input::Resume { cursor } => {
                self.catch_up(client, cursor);
                self.hears_news();
                return;
            }
            Input::Played(speaking) => match self.view.played(self.at_most_sent(speaking)) {
                Err(NeverSaid) if !self.voice.knows(speaking.message_id) => refusal(
                    "unknown_message",
                    "no such message was said here lately",
                    "I lost track of what was playing.",
                    event_id,
                ),
                Ok(()) | Err(NeverSaid) => {
                    return self.voice.played(speaking.message_id, speaking.heard_ms);
                }
            },
            Input::Replay { message, from_chars } => {
                return self.on_replay(client, frame.as_ref(), message, from_chars);
            }
            Input::Interrupt { turn, heard_ms } => {
                let Err(NothingToStop) = self.interrupt(turn, heard_ms, frame.as_ref()) else {
                    return;
                };
                let nothing = refusal(
                    "nothing_to_interrupt",
                    "that turn is not running",
                    "There is nothing to stop.",
                    event_id,
                );
                let Some(turn) = turn else { return self.reply(client, nothing) };
                return self.stop_work_of(turn, client, nothing);
            }
            Input::AudioEnd { .. } => return self.on_sound_end(client),
            Input::Audio(sound) => return self.on_sound(client, event_id, sound),
            Input::Answer { question, decision, edited, revision, channel } => {
                return self.on_client_answer(
                    client,
                    frame,
                    &question,
                    &brain::confirmation::Answer {
                        decision,
                        revision,
                        edited,
                        channel,
                        names_recipient: false,
                    },
                );
            }
            Input::Extend { question } => return self.keep_open(client, frame, &question),
        };
        self.reply(client, complaint);
    }

    /// Nobody has heard more than was sent.
    fn at_most_sent(&self, speaking: Speaking) -> Speaking {
        let most = self.voice.sent_ms(speaking.message_id).unwrap_or(u64::MAX);
        Speaking { heard_ms: speaking.heard_ms.min(most), ..speaking }
    }

    /// What is typed, or wanted by a program.
    pub(crate) fn ask(&mut self, from: From, wish: Wish, attached: Vec<FileId>) {
        let seen = self.seen();
        self.take_in(from, wish, None, attached, seen);
    }

    /// What is said; `seen` are the cards that were there when it began to be.
    pub(crate) fn ask_aloud(&mut self, from: From, text: String, voiced: Voiced, seen: Vec<Seen>) {
        self.take_in(from, Wish::Words(text), Some(voiced), Vec::new(), seen);
        self.next();
    }

    /// One turn works at a time; others wait. Whoever speaks over the assistant has
    /// interrupted it by then; whoever types does so now.
    fn take_in(
        &mut self,
        from: From,
        wish: Wish,
        voiced: Option<Voiced>,
        attached: Vec<FileId>,
        seen: Vec<Seen>,
    ) {
        let name = from.name().map(str::to_owned);
        if let Some(name) = &name {
            let now = self.house.clock.now();
            let frame = Frame::of_wish(name, &wish, &attached);
            match self.names.knows(&frame, now) {
                Known::No => self.names.add(&frame, now),
                // Whoever was not sure it was heard says it again, and gets the one answer.
                Known::Same => {
                    self.note_again(name);
                    return from.was_heard(self);
                }
                Known::Other => return from.refuse(self, "event_id_reused", REUSED),
            }
        }
        let place = match self.house.places.take([(self.user, self.house.turns_each)]) {
            Ok(place) => place,
            Err(full) => {
                if let Some(name) = &name {
                    self.names.take_back(name);
                }
                let (code, message) = match full {
                    Full::Everybody => ("overloaded", "too many turns are being worked on"),
                    Full::Share => ("too_many_turns", "too many turns of yours are worked on"),
                };
                if let Some(turn) = voiced.and_then(|voiced| voiced.turn) {
                    self.end_listening(turn, code);
                }
                return from.refuse(self, code, message);
            }
        };
        // A program that uses a tool interrupts nobody.
        if voiced.is_none() && matches!(wish, Wish::Words(_)) {
            self.drop_what_is_said();
            self.cut_in(None, None);
        }
        let received_us = self.house.clock.ticks_us();
        let is_no_answer = false;
        if self.pick_up_at.is_some() {
            // What the disk has failed to take is tried again before anything new.
            self.pick_up();
        }
        let begun = |turn: &TurnId| self.log.turn(*turn).is_some();
        let voiced = voiced.map(|it| Voiced { turn: it.turn.filter(begun), ..it });
        let goes_on = None;
        let asked =
            Asked { from, wish, voiced, attached, received_us, seen, is_no_answer, goes_on, place };
        if self.current.is_none() && self.ready.is_empty() {
            return self.begin(asked);
        }
        if self.waiting.len() >= MOST_QUEUED {
            if let Some(name) = &name {
                self.names.take_back(name);
            }
            if let Some(turn) = asked.voiced.as_ref().and_then(|voiced| voiced.turn) {
                self.end_listening(turn, "queue_full");
            }
            return asked.from.refuse(self, "queue_full", "four requests are waiting already");
        }
        self.waiting.push_back(asked);
    }

    /// It is counted on the record of the turn that answers it; nobody waits for that.
    fn note_again(&self, name: &str) {
        let (store, session, name) = (Arc::clone(&self.house.store), self.session, name.to_owned());
        tokio::spawn(async move {
            if let Err(error) = store.said_again(session, name).await {
                tracing::debug!(session_id = %session, %error, "a repetition was not counted");
            }
        });
    }

    pub(crate) fn on_run(
        &mut self,
        name: Option<String>,
        tool: String,
        args: serde_json::Value,
        tell: oneshot::Sender<Ran>,
    ) {
        self.ask(From::Http { name, tell }, Wish::Use { tool, args }, Vec::new());
    }
}

impl From {
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Client { event_id, .. } => event_id.as_deref(),
            Self::Http { name, .. } => name.as_deref(),
        }
    }

    fn was_heard(self, actor: &mut Actor) {
        match self {
            Self::Client { client, event_id: Some(name) } => actor.repeated(client, name),
            other => {
                report::done_once("request");
                other.refuse(actor, "duplicate_request", "this was asked already");
            }
        }
    }

    fn refuse(self, actor: &mut Actor, code: &str, message: &str) {
        match self {
            Self::Client { client, event_id }
                if matches!(code, "overloaded" | "too_many_turns") =>
            {
                let is_full = code == "overloaded";
                // Everybody is told another time, so that they do not all come back at once.
                let random = actor.house.ids.next().as_u128() % BUSY_FOR_MS;
                let event = Event::HeldBack {
                    scope: if is_full { Scope::Server } else { Scope::Text },
                    retry_after_ms: u64::try_from(BUSY_FOR_MS / 2 + random).unwrap_or(1),
                    user_message: "I have my hands full right now. Please try again.".into(),
                    in_reply_to: event_id,
                };
                actor.reply(client, event);
            }
            Self::Client { client, event_id } => {
                let (user_message, retryable) = match code {
                    "queue_full" => ("One moment, I'm still on the others.", true),
                    "stopping" => ("I'm restarting. Please say that again in a moment.", true),
                    _ => ("That didn't reach me properly. Please say it again.", false),
                };
                let event = Event::Failed {
                    code: code.into(),
                    message: message.into(),
                    user_message: user_message.into(),
                    retryable,
                    in_reply_to: event_id,
                };
                actor.reply(client, event);
            }
            Self::Http { tell, .. } => {
                let error = crate::present::refused(code, message.to_owned());
                // Whoever asked over HTTP may have hung up.
                let _ = tell.send(Ran::Failed(error));
            }
        }
    }
}

pub(crate) fn refusal(
    code: &str,
    message: &str,
    user_message: &str,
    in_reply_to: Option<String>,
) -> Event {
    Event::Failed {
        code: code.into(),
        message: message.into(),
        user_message: user_message.into(),
        retryable: false,
        in_reply_to,
    }
}
