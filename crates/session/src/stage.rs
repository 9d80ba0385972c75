//! Who works right now, and who is next. One turn at a time.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use brain::card::Preview;
use brain::{Event, InputMode, Outcome, TurnId, TurnState, UserId};
use futures_util::FutureExt;
use models::reflex::{again, fate};
use models::{Focus, Thinker};
use store::TurnRow;
use tokio::sync::oneshot;

use crate::actor::{Actor, Note};
use crate::handle::Ran;
use crate::hearing::Voiced;
use crate::inbox::{Asked, From};
use crate::log::Entry;
use crate::names::Frame;
use crate::peril::Moment;
use crate::places::Place;
use crate::recall;
use crate::report;
use crate::shell::Shell;
use crate::turn::{self, Desk, Pause, Trouble, Turn, Walked, Wish};

/// Who works right now.
pub(crate) struct Current {
    /// None while a sentence is read as an answer to a card.
    pub turn: Option<Arc<Turn>>,
    /// Which reading of a sentence it is, where it is one.
    pub reading: Option<u64>,
    /// None while somebody is listened to.
    task: Option<tokio::task::AbortHandle>,
    /// The turn of the card whose mail is being worded anew.
    pub rewords: Option<TurnId>,
    /// Who waits for it over HTTP.
    pub tell: Option<oneshot::Sender<Ran>>,
    /// What was asked has its place; what was agreed to needs none.
    pub place: Option<Place<UserId>>,
}

impl Current {
    /// Somebody who reads a sentence as an answer.
    pub fn reads(reading: Option<u64>, task: tokio::task::AbortHandle) -> Self {
        let task = Some(task);
        Self { turn: None, reading, task, rewords: None, tell: None, place: None }
    }

    /// Somebody who looks for other words for a card of this turn.
    pub fn rewords(reading: u64, turn: TurnId, task: tokio::task::AbortHandle) -> Self {
        Self { rewords: Some(turn), ..Self::reads(Some(reading), task) }
    }

    /// Somebody speaks, and it is not known yet what they want.
    pub fn listens(turn: Arc<Turn>) -> Self {
        let turn = Some(turn);
        Self { turn, reading: None, task: None, rewords: None, tell: None, place: None }
    }

    /// Whether there is nothing to do yet but to listen.
    pub fn is_listening(&self) -> bool {
        self.task.is_none()
    }

    /// Whoever is at it is stopped.
    pub fn stop(&self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl Actor {
    pub(crate) fn begin(&mut self, asked: Asked) {
        if let Wish::Words(text) = &asked.wish
            && !asked.is_no_answer
            // What comes with something in hand is about that.
            && asked.attached.is_empty()
            && (!asked.seen.is_empty() || fate::asked(text).is_some() || self.is_late(text))
        {
            return self.read_as_answer(asked);
        }
        if let Some(missed) = self.wants_again(&asked) {
            return self.say_apart(asked, "again", &missed, (Outcome::Success, None));
        }
        // Whatever was asked to be told apart, this is about something else.
        self.which = None;
        let Asked { from, wish, voiced, attached, received_us, goes_on, place, .. } = asked;
        let row = self.row_for(voiced.as_ref(), received_us);
        let (in_reply_to, tell) = match from {
            From::Client { event_id, .. } => (event_id, None),
            From::Http { name, tell } => (name, Some(tell)),
        };
        let thinker = self.thinker_for(voiced.as_ref());
        let turn = Arc::new(Turn {
            id: row.turn,
            session: self.session,
            user: self.user,
            wish,
            voiced,
            attached,
            in_reply_to,
            goes_on,
            focus: self.in_focus(),
            recent: self.recent_write(),
            said_before: self.said.iter().cloned().collect::<Vec<_>>().join(" "),
            open_cards: self.rows.waiting(),
            thinker,
        });
        self.remember(turn.words());
        let (house, walked) = (Arc::clone(&self.house), Arc::clone(&turn));
        let desk = Desk { turn: row.turn, notes: self.notes.clone() };
        self.walk(&row, turn, tell, async move { turn::walk(&walked, &house, &desk).await });
        if let Some(current) = &mut self.current {
            current.place = Some(place);
        }
    }

    /// What can be pointed at: what was told of, and the day that is asked about.
    fn in_focus(&self) -> Focus {
        let mut days = self.rows.open_cards().filter_map(|card| match &card.card.preview {
            Preview::Event(event) => Some(event.start.date()),
            Preview::Email(_) | Preview::Memory(_) | Preview::Lines { .. } => None,
        });
        let day = days.next().filter(|day| days.all(|other| other == *day));
        let mut focus = self.focus.clone();
        focus.card_day = day;
        focus
    }

    /// Who heard a sentence thinks about it, where they are well.
    fn thinker_for(&self, voiced: Option<&Voiced>) -> Option<Arc<dyn Thinker>> {
        let live = self.shell.as_ref().filter(|_| voiced.is_some()).and_then(Shell::thinker);
        live.or_else(|| self.house.thinker.clone())
    }

    /// What was not heard to its end, or else what was said last, where somebody asks
    /// for it. A card is read out by whoever knows what is on it.
    fn wants_again(&self, asked: &Asked) -> Option<String> {
        let Wish::Words(text) = &asked.wish else { return None };
        let is_all = asked.seen.is_empty() && asked.attached.is_empty() && again::asked(text);
        let missed = self.voice.unheard().or(self.focus.told.as_deref());
        missed.filter(|_| is_all).map(str::to_owned)
    }

    /// The row of a turn that begins now, or that began when somebody began to speak.
    pub(crate) fn row_for(&mut self, voiced: Option<&Voiced>, received_us: u64) -> TurnRow {
        let begun = voiced.and_then(|voiced| voiced.turn);
        if let Some(row) = begun.and_then(|turn| self.log.asked(turn, received_us)) {
            return row.clone();
        }
        let mode = if voiced.is_some() { InputMode::Voice } else { InputMode::Text };
        let (clock, ids) = (&*self.house.clock, &*self.house.ids);
        self.log.begin(mode, Some(received_us), clock, ids).clone()
    }

    pub(crate) fn remember(&mut self, words: &str) {
        // What was pasted is somebody else's: nobody is named by it.
        if words.is_empty() || models::reflex::is_pasted(words) {
            return;
        }
        if self.said.len() >= recall::SENTENCES {
            self.said.pop_front();
        }
        self.said.push_back(words.to_owned());
    }

    /// Goes on with a turn that waited.
    pub(crate) fn go_on(&mut self, id: TurnId) {
        let Some(row) = self.log.turn(id).map(|open| open.row.clone()) else { return };
        let Some(kept) = self.kept(&row) else { return self.close(&row) };
        let turn = Arc::new(Turn {
            id,
            session: self.session,
            user: self.user,
            wish: Wish::Words(kept.work.said.clone()),
            voiced: None,
            attached: Vec::new(),
            in_reply_to: None,
            goes_on: None,
            focus: self.focus.clone(),
            recent: None,
            said_before: String::new(),
            open_cards: self.rows.waiting(),
            thinker: None,
        });
        let (house, walked) = (Arc::clone(&self.house), Arc::clone(&turn));
        let desk = Desk { turn: id, notes: self.notes.clone() };
        self.walk(
            &row,
            turn,
            None,
            async move { turn::walk_on(&walked, kept, &house, &desk).await },
        );
    }

    pub(crate) fn walk(
        &mut self,
        row: &TurnRow,
        turn: Arc<Turn>,
        tell: Option<oneshot::Sender<Ran>>,
        walk: impl Future<Output = Result<Walked, Trouble>> + Send + 'static,
    ) {
        // Whatever it says, a bare yes may be about that, until a card's question is heard.
        self.hears.said_since_question = true;
        let (id, notes) = (row.turn, self.notes.clone());
        let span = tracing::info_span!(
            parent: None, "turn",
            session_id = %self.session, turn_id = %id,
            trace_id = %row.trace, request_id = %row.request,
        );
        let walk = async move {
            let note = match AssertUnwindSafe(walk).catch_unwind().await {
                Ok(result) => Note::Finished { turn: id, result: result.map(Box::new) },
                Err(_) => Note::Panicked { turn: id },
            };
            // Without an owner there is nobody to tell.
            let _ = notes.send(note).await;
        };
        let task = tokio::spawn(tracing::Instrument::instrument(walk, span)).abort_handle();
        let task = Some(task);
        let turn = Some(turn);
        self.current =
            Some(Current { turn, reading: None, task, rewords: None, tell, place: None });
    }

    /// Stops speech and generation. A write that is under way goes on, and a
    /// card stays open: neither is decided by this.
    pub(crate) fn interrupt(
        &mut self,
        which: Option<TurnId>,
        heard_ms: Option<u64>,
        frame: Option<&Frame>,
    ) -> Result<(), NothingToStop> {
        if self.stop_rewording(which, frame) {
            self.cut_in(heard_ms, None);
            self.next();
            return Ok(());
        }
        let working = self.current.as_ref().and_then(|current| current.turn.clone());
        let turn = working.filter(|turn| which.is_none_or(|which| which == turn.id));
        let Some(turn) = turn else {
            let spoken = self.voice.current().map(|(_, turn)| turn);
            let is_meant = which.is_none_or(|which| spoken == Some(which) || self.is_held(which));
            let is_anything = self.voice.is_speaking() || !self.held.is_empty();
            if !is_meant || !is_anything {
                return Err(NothingToStop);
            }
            if let Some(frame) = frame {
                self.names.add(frame, self.house.clock.now());
            }
            self.cut_in(heard_ms, frame.map(|frame| frame.name.as_str()));
            self.next();
            return Ok(());
        };
        let is_listening = self.current.as_ref().is_some_and(Current::is_listening);
        if is_listening {
            self.hears.uttered.clear();
            if let Some(ear) = &self.hears.ear {
                ear.drop_utterance();
            }
        }
        let broken_off = self.cut_in(heard_ms, None).filter(|it| it.turn == turn.id);
        let Some(open) = self.log.turn(turn.id) else {
            // It was only being spoken, and is over by now.
            return broken_off.map(drop).ok_or(NothingToStop);
        };
        if open.row.state == TurnState::AwaitingConfirmation {
            return Err(NothingToStop);
        }
        let mut entry = Entry::new(Moment::Stopped, turn.id);
        if !open.row.state.is_active() {
            // Stopped before it was written down that it began.
            entry.events.extend(turn::heard(&turn));
        }
        let in_reply_to = frame.map(|frame| frame.name.clone());
        entry.events.push(Event::TurnCancelled {
            cancel_turn_id: turn.id,
            heard_ms: heard_ms.or(broken_off.map(|it| it.heard_ms)),
            heard_chars: broken_off.map(|it| it.heard_chars),
            in_reply_to,
        });
        if let Some(said) = open.unfinished() {
            entry.events.push(Event::Said { text: said.to_owned() });
        }
        entry.events.push(Event::StateChanged {
            from: TurnState::Cancelled,
            to: TurnState::Idle,
            reason: "interrupted".into(),
        });
        report::interrupted(&open.row);
        if let Some(current) = self.current.take() {
            current.stop();
        }
        if let Some(frame) = frame {
            // At once: said again, it would stop the next one.
            self.names.add(frame, self.house.clock.now());
        }
        self.write(entry, None);
        self.next();
        Ok(())
    }

    /// Whatever is next: what was agreed to, what somebody has to hear of, what
    /// was asked.
    pub(crate) fn next(&mut self) {
        while self.current.is_none() {
            self.follow_up();
            if self.current.is_some() {
                return;
            }
            if let Some(turn) = self.ready.pop_front() {
                self.go_on(turn);
            } else if let Some(asked) = self.waiting.pop_front() {
                self.begin(asked);
            } else {
                return;
            }
        }
    }

    pub(crate) fn is_current(&self, turn: TurnId) -> bool {
        let current = self.current.as_ref().and_then(|current| current.turn.as_ref());
        current.is_some_and(|current| current.id == turn)
    }

    pub(crate) fn finished(&mut self, turn: TurnId, result: Result<Box<Walked>, Trouble>) {
        let current = self.current.take();
        let (walked, tell) = current.map_or((None, None), |current| (current.turn, current.tell));
        let walked = walked.as_deref();
        match result {
            Ok(finished) => {
                let Walked { focus, done, pause } = *finished;
                let opened = done.iter().any(|step| step.tool == "gmail.get_message");
                let asks = focus.is_asking(opened) || focus.asked_freely;
                self.asks_last = matches!(pause, Pause::Over) && asks;
                self.focus = focus;
                self.focus.rest();
                if let Some(tell) = tell {
                    // Whoever asked over HTTP may have hung up.
                    let _ = tell.send(ran(pause, done));
                }
            }
            Err(Trouble::Stopped) => self.fail(turn, walked, "internal_error"),
            // Nothing of this turn was written; what others wrote is on its way.
            Err(Trouble::Store(error)) => {
                tracing::error!(session_id = %self.session, %error, "a profile cannot be read");
                self.pick_up_later();
                if !self.has_deeds(turn) {
                    self.fail(turn, walked, "store_unavailable");
                }
            }
        }
        self.next();
    }

    /// The turn can go on, now or when nobody else works.
    pub(crate) fn walk_on(&mut self, turn: TurnId) {
        if !self.ready.contains(&turn) {
            self.ready.push_back(turn);
        }
        self.next();
    }
}

pub(crate) struct NothingToStop;

fn ran(pause: Pause, done: Vec<models::Done>) -> Ran {
    match (pause, done.into_iter().next_back().map(|done| done.result)) {
        (Pause::Parked(question), _) => Ran::Asks(question),
        (Pause::Over, Some(Ok(result))) => Ran::Did(result),
        (Pause::Over, Some(Err(error))) => Ran::Failed(error),
        (Pause::Over, None) => {
            let message = "the tool does not take these arguments";
            Ran::Failed(crate::present::refused("bad_arguments", message.to_owned()))
        }
    }
}
