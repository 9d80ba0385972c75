//! What a session hears: whose words they are, when they begin a turn, and what
//! a spoken answer may decide.
//!
//! Noise begins no turn: a turn begins with the first words. While a card is open
//! or something is worked on, words are only shown, and count when they are final.

mod nobody;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use brain::spoken::{Spoken, Sure};
use brain::{Confirmation, Event, InputMode, MessageId, Outcome, TurnId, TurnState};
use models::realtime::Item;
use models::reflex::{consent, reply};
use speech::ear::Utterance;
use speech::endpoint::Why;
use speech::stt::HeardWord;
use speech::stt::hypothesis::Hypothesis;
use tokio::time::Instant;

use crate::actor::Actor;
use crate::ears::{Lane, Says};
use crate::inbox::{From, Seen, refusal};
use crate::log::Entry;
use crate::peril::Moment;
use crate::senses::StandIn;
use crate::stage::Current;
use crate::turn::{TOO_LONG, Turn, Wish};

/// What a session is hearing.
pub(crate) struct Hears {
    /// The microphone that is listened to.
    pub ear: Option<Lane>,
    /// How many there were.
    pub ears: u64,
    /// What is being said, oldest first.
    pub uttered: VecDeque<Utter>,
    /// When the question of a card had been heard.
    question_heard_at: Option<Instant>,
    /// The message that asks it.
    asking: Option<MessageId>,
    /// When open cards were shown.
    shown_at: Vec<(Seen, Instant)>,
    /// Something was said aloud since.
    pub said_since_question: bool,
    /// Whether the person knows that other ears than theirs hear them.
    stand_in: StandIn,
    /// Somebody spoke for too long and has not heard yet that we did not follow.
    owes_too_long: bool,
}

impl Default for Hears {
    fn default() -> Self {
        Self {
            ear: None,
            ears: 0,
            uttered: VecDeque::new(),
            question_heard_at: None,
            asking: None,
            shown_at: Vec::new(),
            said_since_question: false,
            stand_in: StandIn::ears(),
            owes_too_long: false,
        }
    }
}

impl Hears {
    /// Whether it was there to be seen at that moment.
    fn showed(&self, card: Seen, moment: Instant) -> bool {
        let shown = self.shown_at.iter().find(|(seen, _)| *seen == card);
        shown.is_none_or(|(_, shown)| *shown <= moment)
    }
}

/// Something that is being said.
pub(crate) struct Utter {
    utterance: u64,
    over: Over,
    is_surely_theirs: bool,
    /// The turn that it began.
    turn: Option<TurnId>,
    /// The cards that could be seen when it began.
    seen: Vec<Seen>,
    after_question: Option<Duration>,
    after_voice: Option<Duration>,
    is_first: bool,
}

/// Whether we were speaking when something began to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Silence,
    Us,
    /// We fell silent for it before it was known what it says.
    UsCutOff,
}

/// How a sentence was heard that was not typed.
#[derive(Clone, Debug)]
pub(crate) struct Voiced {
    pub spoken: Spoken,
    /// As the ears wrote them.
    pub words: Arc<[HeardWord]>,
    /// The turn that its first words began.
    pub turn: Option<TurnId>,
    /// How far the last words on the screen were from the final ones.
    pub drift: Option<f32>,
    /// It was cut off for being too long.
    pub is_cut: bool,
}

impl Actor {
    pub(crate) fn on_ear(&mut self, ear: u64, says: Says) {
        if self.hears.ear.as_ref().is_none_or(|known| known.ear != ear) {
            return;
        }
        match says {
            Says::Began { utterance, at, is_surely_theirs } => {
                self.somebody_began(utterance, at, is_surely_theirs);
            }
            Says::Words { utterance, words } => self.words_so_far(utterance, &words),
            Says::Final { utterance, thought } => self.understood(&utterance, thought),
            Says::Nothing { utterance } => match self.take_uttered(utterance) {
                Some(uttered) => self.no_words_left(&uttered),
                None => self.not_for_us(utterance),
            },
            Says::Stumbled { utterance } => self.stumbled(utterance),
            Says::Failed { utterance } => self.not_recognised(utterance),
            Says::Silence => {
                let client = self.hears.ear.as_ref().map(|ear| ear.client);
                let silence = refusal(
                    "no_speech",
                    "nobody spoke before audio.end",
                    "I didn't hear anything.",
                    None,
                );
                if let Some(client) = client {
                    self.reply(client, silence);
                }
            }
            Says::Deaf { because } => {
                let client = self.hears.ear.take().map(|ear| ear.client);
                self.drop_what_is_said();
                // Once: the next frame would say the same.
                if let Some(client) = client.filter(|client| !self.clients.tell_deaf(*client)) {
                    let deaf = refusal("bad_audio", &because, "I couldn't hear that.", None);
                    self.reply(client, deaf);
                }
            }
            Says::Barged(barge) => self.barged(barge),
        }
    }

    fn somebody_began(&mut self, utterance: u64, began: Instant, is_surely_theirs: bool) {
        let since = |moment: Instant| began.checked_duration_since(moment);
        let over_us = self.voice.is_speaking()
            || self.voice.silent_since().is_some_and(|silent| began < silent);
        let after_voice = self.voice.silent_since().map(|silent| since(silent).unwrap_or_default());
        self.hears.uttered.push_back(Utter {
            utterance,
            over: if self.voice.is_speaking() { Over::Us } else { Over::Silence },
            is_surely_theirs,
            turn: None,
            // What could be seen when they began, and not when we noticed.
            seen: self.seen().into_iter().filter(|seen| self.hears.showed(*seen, began)).collect(),
            after_question: self.hears.question_heard_at.filter(|_| !over_us).and_then(since),
            after_voice: if over_us { Some(Duration::ZERO) } else { after_voice },
            is_first: !self.hears.said_since_question && self.hears.uttered.is_empty(),
        });
    }

    /// A card asks something new: what was heard before is no answer to it, and where
    /// it is spoken nothing is before that was heard to its end.
    pub(crate) fn question_asked(&mut self, turn: TurnId, card: Seen) {
        let known = self.on_disk.open_cards().find(|known| known.id == card.0);
        if known.is_some_and(|known| known.revision >= card.1) {
            // It only has more time.
            return;
        }
        let open: Vec<_> = self.seen();
        self.hears.shown_at.retain(|(seen, _)| open.contains(seen));
        self.hears.shown_at.push((card, Instant::now()));
        self.hears.question_heard_at = None;
        self.hears.asking = self.voice.message_of(turn);
        if self.hears.asking.is_none() {
            self.question_heard(turn);
        }
    }

    /// So many characters of what is said aloud were heard.
    pub(crate) fn heard_chars(&mut self, chars: usize) {
        let told = self.voice.lately().starts_with(TOO_LONG) && chars >= TOO_LONG.len();
        self.hears.owes_too_long &= !told;
    }

    /// A message was heard to its end; perhaps it asked something.
    pub(crate) fn message_heard(&mut self, message: MessageId, turn: TurnId) {
        self.heard_chars(usize::MAX);
        let is_known = self.hears.question_heard_at.is_some() && !self.is_unmet(turn);
        // Of anything else that was heard, a bare yes may be about that.
        self.hears.said_since_question = true;
        if self.just_asked(turn) || is_known || self.hears.asking == Some(message) {
            self.question_heard(turn);
        }
    }

    /// A message was heard once more. Where it asks what an open card asks, that was
    /// asked anew.
    pub(crate) fn heard_again(&mut self, turn: TurnId) {
        if self.just_asked(turn) {
            self.question_heard(turn);
        }
    }

    /// Whether what was said last asks what a card of this turn does.
    fn just_asked(&self, turn: TurnId) -> bool {
        let asks = |card: &Confirmation| {
            card.turn == turn && self.voice.lately().contains(&card.card.speakable)
        };
        self.rows.open_cards().any(asks)
    }

    /// Whether a card of this turn was perhaps to be different. Then nothing but its
    /// question, heard once more, makes a bare yes a fresh one.
    fn is_unmet(&self, turn: TurnId) -> bool {
        let of_turn = |card: &&Confirmation| card.turn == turn;
        let mut cards = self.rows.open_cards().filter(of_turn);
        cards.any(|card| self.unmet.doubts((card.id, card.revision)))
    }

    /// The cards that are on disk, for everybody to see.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.on_disk.open_cards().map(|card| (card.id, card.revision)).collect()
    }

    /// A card's question was heard, or at least shown where nobody speaks.
    pub(crate) fn question_heard(&mut self, turn: TurnId) {
        if self.rows.open_cards().any(|card| card.turn == turn) {
            self.hears.question_heard_at = Some(Instant::now());
            self.hears.said_since_question = false;
        }
    }

    /// Something was said in the turn of a card. Where nobody speaks it has been
    /// heard as soon as it is shown.
    pub(crate) fn question_shown_again(&mut self, turn: TurnId) {
        if self.voice.message_of(turn).is_none() && !self.is_unmet(turn) {
            self.question_heard(turn);
        }
    }

    fn words_so_far(&mut self, utterance: u64, words: &Hypothesis) {
        let can_begin = self.current.is_none()
            && self.ready.is_empty()
            && self.waiting.is_empty()
            && self.rows.open_cards().next().is_none();
        let Some(uttered) = self.hears.uttered.iter_mut().find(|it| it.utterance == utterance)
        else {
            return;
        };
        if uttered.over == Over::Us {
            // Whether it is meant for us is not known before it interrupts us.
            return;
        }
        let delta = Event::HeardDelta {
            text: words.text.clone(),
            confidence: words.confidence,
            stable: Some(words.stable.clone()),
            unstable: Some(words.unstable.clone()),
        };
        let turn = uttered.turn;
        match turn {
            Some(turn) => {
                let mut entry = Entry::new(Moment::Heard, turn);
                entry.events.push(delta);
                self.write(entry, None);
            }
            None if can_begin => {
                let turn = self.begin_listening(utterance);
                let mut entry = Entry::new(Moment::Heard, turn);
                let started = Event::TurnStarted {
                    input_mode: InputMode::Voice,
                    in_reply_to: None,
                    follows: None,
                    goes_on: None,
                };
                entry.events = vec![started, delta];
                self.write(entry, None);
            }
            // It is shown, and belongs to nothing yet.
            None => self.clients.tell_all(&self.aside(delta)),
        }
    }

    fn begin_listening(&mut self, utterance: u64) -> TurnId {
        let (clock, ids) = (&*self.house.clock, &*self.house.ids);
        let id = self.log.begin(InputMode::Voice, None, clock, ids).turn;
        if let Some(uttered) = self.hears.uttered.iter_mut().find(|it| it.utterance == utterance) {
            uttered.turn = Some(id);
        }
        let turn = Arc::new(Turn {
            id,
            session: self.session,
            user: self.user,
            wish: Wish::Words(String::new()),
            voiced: None,
            attached: Vec::new(),
            in_reply_to: None,
            goes_on: None,
            focus: self.focus.clone(),
            recent: None,
            said_before: String::new(),
            open_cards: Vec::new(),
            thinker: None,
        });
        self.current = Some(Current::listens(turn));
        id
    }

    fn understood(&mut self, utterance: &Utterance, thought: Duration) {
        let Some(uttered) = self.take_uttered(utterance.id) else { return };
        metrics::histogram!("sayso_transcript_seconds").record(thought.as_secs_f64());
        let text = utterance.text.trim().to_owned();
        if self.is_for_nobody(&uttered, utterance, &text) {
            self.was_nobody(&uttered, "echo");
            return;
        }
        if uttered.over == Over::Us {
            // One word may be all: "stop".
            self.interrupt_by_voice();
        }
        let Some(client) = self.hears.ear.as_ref().map(|ear| ear.client) else { return };
        let ms = |length: Duration| u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
        let spoken = Spoken {
            confidence: utterance.confidence,
            sure: Sure::of(utterance.words.iter().map(HeardWord::confidence), utterance.may_refuse),
            after_question_ms: uttered.after_question.map(ms),
            after_voice_ms: uttered.after_voice.map(ms),
            is_surely_theirs: uttered.is_surely_theirs,
            is_first: uttered.is_first,
            is_bare: consent::is_bare(&text) || reply::is_guessed(&text),
        };
        self.hears.said_since_question = true;
        if uttered.turn.is_some() {
            // It has been listened to; now it is worked on.
            self.current = None;
        }
        // It is said before every answer until it was heard: whoever speaks that long may
        // talk over it.
        self.hears.owes_too_long |= utterance.why == Why::TooLong;
        let is_cut = self.hears.owes_too_long;
        self.hears.owes_too_long &= self.is_aloud();
        let words = utterance.words.as_slice().into();
        let voiced = Voiced { spoken, words, turn: uttered.turn, drift: utterance.drift, is_cut };
        if utterance.stood_in {
            self.tell_live(Item::Person(text.clone()), None);
        } else {
            self.hears.stand_in.is_back();
        }
        if let Some(event) = self.hears.stand_in.once(utterance.stood_in) {
            self.reply(client, event);
        }
        let from = From::Client { client, event_id: None };
        self.ask_aloud(from, text, voiced, uttered.seen);
    }

    /// Somebody talks over us, and means it.
    pub(crate) fn interrupt_by_voice(&mut self) {
        let over = if self.voice.is_speaking() { Over::UsCutOff } else { Over::Silence };
        for uttered in self.hears.uttered.iter_mut().filter(|it| it.over == Over::Us) {
            uttered.over = over;
        }
        self.cut_in(None, None);
        self.next();
    }

    fn stumbled(&mut self, utterance: u64) {
        let known = self.hears.uttered.iter().find(|it| it.utterance == utterance);
        let Some(turn) = known.and_then(|it| it.turn) else { return };
        let mut entry = Entry::new(Moment::Heard, turn);
        entry.events = vec![
            Event::Failed {
                code: "recogniser_failed".into(),
                message: "the recogniser failed; the same sound is tried once more".into(),
                user_message: "One moment, I didn't catch that. I'm trying again.".into(),
                retryable: true,
                in_reply_to: None,
            },
            Event::StateChanged {
                from: TurnState::ErrorRecoverable,
                to: TurnState::Listening,
                reason: "heard again".into(),
            },
        ];
        self.write(entry, None);
    }

    /// Twice is enough. Typing still works.
    fn not_recognised(&mut self, utterance: u64) {
        let Some(uttered) = self.take_uttered(utterance) else { return };
        self.hears.said_since_question = true;
        let turn = uttered.turn.unwrap_or_else(|| {
            let (clock, ids) = (&*self.house.clock, &*self.house.ids);
            self.log.begin(InputMode::Voice, None, clock, ids).turn
        });
        let mut entry = Entry::new(Moment::Closed, turn);
        if uttered.turn.is_none() {
            entry.events.push(Event::TurnStarted {
                input_mode: InputMode::Voice,
                in_reply_to: None,
                follows: None,
                goes_on: None,
            });
        }
        let code = "recogniser_failed";
        entry.events.extend([
            Event::Failed {
                code: code.into(),
                message: "the recogniser failed twice on the same sound".into(),
                user_message: "I couldn't make that out. Please say it again, or type it.".into(),
                retryable: false,
                in_reply_to: None,
            },
            Event::ended(Outcome::Failed, Some(code.into())),
        ]);
        if uttered.turn.is_some() {
            self.current = None;
        }
        self.write(entry, None);
        self.next();
    }

    /// A turn that was only listened to is over, and nothing came of it.
    pub(crate) fn end_listening(&mut self, turn: TurnId, reason: &str) {
        if self.log.turn(turn).is_none() {
            return;
        }
        metrics::counter!("sayso_unheard_turns_total", "why" => reason.to_owned()).increment(1);
        if self.is_current(turn) {
            self.current = None;
        }
        let mut entry = Entry::new(Moment::Stopped, turn);
        entry.events = vec![
            Event::TurnCancelled {
                cancel_turn_id: turn,
                heard_ms: None,
                heard_chars: None,
                in_reply_to: None,
            },
            Event::StateChanged {
                from: TurnState::Cancelled,
                to: TurnState::Idle,
                reason: reason.to_owned(),
            },
        ];
        self.write(entry, None);
        self.next();
    }

    /// Whoever heard along is to forget it.
    fn not_for_us(&self, utterance: u64) {
        if let (Some(shell), Some(ear)) = (&self.shell, &self.hears.ear) {
            shell.wire().forget(ear.ear, utterance);
        }
    }

    fn take_uttered(&mut self, utterance: u64) -> Option<Utter> {
        let at = self.hears.uttered.iter().position(|it| it.utterance == utterance)?;
        self.hears.uttered.remove(at)
    }

    /// Whatever is being said is not wanted: something was typed, or stopped.
    pub(crate) fn drop_what_is_said(&mut self) {
        if let Some(ear) = &self.hears.ear {
            ear.drop_utterance();
        }
        for uttered in std::mem::take(&mut self.hears.uttered) {
            self.not_for_us(uttered.utterance);
            if let Some(turn) = uttered.turn {
                self.end_listening(turn, "dropped");
            }
        }
    }
}
