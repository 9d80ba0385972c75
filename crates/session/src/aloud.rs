//! What a session says aloud: to whom, until when, and what a stop leaves of it.
//!
//! The voice follows what is shown. A turn that is being spoken is not over: its
//! end is held back until it was heard, or somebody cut it off.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use brain::event::{AudioFormat, Spelling};
use brain::{Envelope, Event, EventId, InputMode, MessageId, Outcome, TurnId, TurnState};
use models::realtime::Item;
use speech::barge::Barge;
use speech::resample::VOICE_RATE;
use store::ModelCallRow;

use crate::actor::Actor;
use crate::clients::ClientId;
use crate::log::Entry;
use crate::peril::Moment;
use crate::report;
use crate::voice::{BrokenOff, Listener, Spoke, Spoken};

/// How loud we are while somebody may be interrupting.
const DUCKED: f32 = 0.2;

/// The end of a turn that is still being spoken.
pub(crate) struct Held {
    turn: TurnId,
    outcome: Outcome,
    error_code: Option<String>,
}

/// A turn whose listener went away before all of it was said.
pub(crate) struct LeftOff {
    turn: TurnId,
    /// Of its last message.
    heard_chars: usize,
    /// That message was told to its end; what is told after it is another one.
    is_whole: bool,
}

impl Actor {
    /// Somebody wants to hear answers, and there is a voice.
    pub(crate) fn is_aloud(&self) -> bool {
        self.house.senses.speaking.is_some() && self.clients.anybody_plays()
    }

    /// It was shown: whoever listens is to hear it.
    pub(crate) fn speak(&mut self, envelope: &Envelope) {
        if let (Event::TurnEnded { .. }, Some(turn)) = (&envelope.event, envelope.turn_id) {
            // What broke off in the middle is said as far as it came.
            self.voice.finish_turn(turn);
        }
        let (Some(message), Some(turn)) = (envelope.message_id, envelope.turn_id) else { return };
        match &envelope.event {
            // What was stopped on its way to disk is not said any more.
            Event::SaidDelta { text } if self.is_aloud() && self.log.turn(turn).is_some() => {
                let listener = self.listener();
                self.voice.say(message, turn, text, &listener, &self.notes);
            }
            Event::Said { text } => {
                if let Some(shell) = &self.shell {
                    shell.said_in(turn);
                }
                self.voice.finish(message);
                if !self.voice.is_saying(turn) {
                    self.tell_live(Item::Told(text.clone()), Some(message));
                }
            }
            Event::Heard { text, .. } if self.was_typed(turn) => {
                self.tell_live(Item::Person(text.clone()), None);
            }
            _ => {}
        }
    }

    /// Whoever speaks for us has not heard it.
    pub(crate) fn tell_live(&self, item: Item, message: Option<MessageId>) {
        if let Some(shell) = &self.shell {
            shell.wire().learn(item, message);
        }
    }

    fn was_typed(&self, turn: TurnId) -> bool {
        self.log.turn(turn).is_some_and(|open| open.row.input_mode == InputMode::Text)
    }

    pub(crate) fn listener(&self) -> Listener {
        let wire = self.shell.as_ref().map(|shell| shell.wire().clone());
        Listener { house: Arc::clone(&self.house), user: self.user, wire }
    }

    /// A turn of which nothing is being said has nothing to wait for.
    pub(crate) fn release_unspoken(&mut self, turn: Option<TurnId>) {
        if let Some(turn) = turn.filter(|turn| !self.voice.is_saying(*turn)) {
            self.release(turn);
        }
    }

    /// Keeps the end of a turn back while it is spoken: what it says goes out now,
    /// that it is over when it was heard.
    pub(crate) fn hold_end(&mut self, entry: &mut Entry) {
        let says = |event: &Event| matches!(event, Event::SaidDelta { .. });
        let fails = |event: &Event| matches!(event, Event::Failed { .. });
        let Some(turn) = entry.turn.filter(|_| !entry.events.iter().any(fails)) else { return };
        let is_spoken = entry.events.iter().any(says) || self.voice.is_saying(turn);
        if !is_spoken || !self.is_aloud() {
            return;
        }
        let Some(Event::TurnEnded { outcome, error_code, .. }) =
            entry.events.pop_if(|last| matches!(last, Event::TurnEnded { .. }))
        else {
            return;
        };
        entry.ends_as = Some((outcome, error_code.clone()));
        self.held.push(Held { turn, outcome, error_code });
    }

    pub(crate) fn is_held(&self, turn: TurnId) -> bool {
        self.held.iter().any(|held| held.turn == turn)
    }

    /// Something came out of the voice.
    pub(crate) fn spoke(&mut self, message: MessageId, round: u64, spoke: Spoke) {
        let Some(Spoken { turn, to }) = self.voice.spoke(message, round, &spoke) else { return };
        match spoke {
            Spoke::Began => {
                let began =
                    Event::SoundBegan { audio_format: AudioFormat::Pcm16, sample_rate: VOICE_RATE };
                self.play(began, message, turn, to);
            }
            Spoke::Sound { chunk, reference } => {
                let sounded = Event::Sounded {
                    pcm16_b64: BASE64.encode(&chunk.pcm),
                    start_ms: chunk.start_ms,
                    duration_ms: chunk.duration_ms,
                    text_start: self.voice.chars(message, chunk.text.start),
                    text_end: self.voice.chars(message, chunk.text.end),
                };
                if chunk.start_ms == 0 && to.is_none() {
                    self.first_sound(turn);
                }
                self.play(sounded, message, turn, to);
                self.loudspeaker.plays(&reference);
                if let Some(ear) = &self.hears.ear {
                    ear.playing(reference, self.clients.cancels_echo(ear.client));
                }
            }
            Spoke::Ended => {
                let ended = Event::SoundEnded { interrupted: false, heard_chars: None };
                self.play(ended, message, turn, to);
                match to {
                    None => {
                        if let Some(shell) = &self.shell {
                            shell.wire().was_heard(message, self.voice.lately());
                        }
                        self.message_heard(message, turn);
                    }
                    Some(_) => self.heard_again(turn),
                }
                self.fell_silent(turn);
            }
        }
    }

    /// Nothing more of this turn is being said.
    fn fell_silent(&mut self, turn: TurnId) {
        if !self.voice.is_speaking() {
            let asks = self.asks_last || self.rows.open_cards().next().is_some();
            if let Some(ear) = &self.hears.ear {
                ear.silent();
                ear.asked(asks);
            }
        }
        self.release_unspoken(Some(turn));
    }

    /// The turn was heard to its end, or nobody listens any more: it is over.
    fn release(&mut self, turn: TurnId) {
        let Some(at) = self.held.iter().position(|held| held.turn == turn) else { return };
        let Held { turn, outcome, error_code } = self.held.remove(at);
        let mut entry = Entry::new(Moment::Told, turn);
        entry.events.push(Event::ended(outcome, error_code));
        entry.model_calls.extend(self.reading_of(turn));
        self.write(entry, None);
    }

    /// What it cost that somebody else heard and read it aloud.
    fn reading_of(&self, turn: TurnId) -> Option<ModelCallRow> {
        let row = self.shell.as_ref()?.bill(turn, self.user)?;
        report::thought(&row);
        Some(row)
    }

    /// Nobody listens any more: what was being said is over, not broken off. How much of it
    /// was heard is told with the end of its turn.
    pub(crate) fn stop_speaking_to_nobody(&mut self) {
        if !self.is_aloud() {
            if self.voice.repeats_to().is_none() {
                let last = self.voice.last_messages();
                let broken_off = self.hush(None);
                self.left_off = last.into_iter().map(|it| self.left(it, broken_off)).collect();
            }
            self.release_all();
            self.settle_up();
        }
    }

    fn left(&self, (turn, last): (TurnId, MessageId), broken_off: Option<BrokenOff>) -> LeftOff {
        let heard = broken_off.filter(|it| it.message == last);
        let open = self.log.turn(turn);
        LeftOff {
            turn,
            // What was to be said behind what was broken off was not heard at all.
            heard_chars: heard.map_or(0, |it| it.heard_chars),
            is_whole: open.is_none_or(|open| open.unfinished().is_none()),
        }
    }

    /// Tells how much of a turn was heard, where it ends and its listener had gone.
    pub(crate) fn tell_heard(&mut self, entry: &mut Entry) {
        let Some(at) = self.left_off.iter().position(|left| Some(left.turn) == entry.turn) else {
            return;
        };
        let left = &mut self.left_off[at];
        for event in &mut entry.events {
            match event {
                // It has said something else since, and that was not left.
                Event::Said { .. } if left.is_whole => {
                    self.left_off.remove(at);
                    return;
                }
                Event::Said { .. } => left.is_whole = true,
                Event::TurnEnded { heard_chars, .. } => *heard_chars = Some(left.heard_chars),
                _ => {}
            }
        }
    }

    pub(crate) fn release_all(&mut self) {
        for turn in self.held.iter().map(|held| held.turn).collect::<Vec<_>>() {
            self.release(turn);
        }
    }

    /// What was heard and read since the last turn was over is on record before we go.
    pub(crate) fn settle_up(&mut self) {
        let Some(row) = self.shell.as_ref().and_then(|shell| shell.last_bill(self.user)) else {
            return;
        };
        report::thought(&row);
        let mut entry = Entry::apart(Moment::Stopped);
        entry.model_calls.push(row);
        self.write(entry, None);
    }

    /// Falls silent at once, and tells everybody who listens.
    pub(crate) fn hush(&mut self, heard_ms: Option<u64>) -> Option<BrokenOff> {
        let broken_off = self.voice.hush(heard_ms);
        if let Some(shell) = &self.shell {
            let first = broken_off.filter(|it| it.to.is_none());
            let text = self.voice.lately();
            let text = first.map(|it| text.chars().take(it.heard_chars).collect::<String>());
            let heard = first.zip(text.as_deref());
            shell.wire().was_cut(heard.map(|(it, text)| (it.message, it.heard_ms, text)));
        }
        let broken_off = broken_off?;
        self.broke_off(broken_off);
        Some(broken_off)
    }

    /// Whoever listened learns that it is over.
    pub(crate) fn broke_off(&mut self, broken_off: BrokenOff) {
        let BrokenOff { message, turn, to, heard_chars, .. } = broken_off;
        self.heard_chars(heard_chars);
        self.clients.forget_sound();
        self.loudspeaker.stops();
        let ended = Event::SoundEnded { interrupted: true, heard_chars: Some(heard_chars) };
        self.play(ended, message, turn, to);
        if let Some(ear) = &self.hears.ear {
            ear.silent();
        }
    }

    /// Somebody talks over us, types, or stops us: we are silent, and a turn that
    /// was only being spoken is over. What is worked on goes on; a card stays open.
    pub(crate) fn cut_in(
        &mut self,
        heard_ms: Option<u64>,
        event_id: Option<&str>,
    ) -> Option<BrokenOff> {
        // What was only said once more says nothing of how a turn was heard.
        let broken_off = self.hush(heard_ms).filter(|it| it.to.is_none());
        for Held { turn, .. } in std::mem::take(&mut self.held) {
            let Some(open) = self.log.turn(turn) else { continue };
            let heard = broken_off.filter(|it| it.turn == turn);
            report::interrupted(&open.row);
            let mut entry = Entry::new(Moment::Stopped, turn);
            entry.events = vec![
                Event::TurnCancelled {
                    cancel_turn_id: turn,
                    // What comes behind what was broken off was not heard at all.
                    heard_ms: Some(heard.map_or(0, |heard| heard.heard_ms)),
                    heard_chars: Some(heard.map_or(0, |heard| heard.heard_chars)),
                    in_reply_to: event_id.map(str::to_owned),
                },
                Event::StateChanged {
                    from: TurnState::Cancelled,
                    to: TurnState::Idle,
                    reason: "interrupted".into(),
                },
            ];
            entry.model_calls.extend(self.reading_of(turn));
            self.write(entry, None);
        }
        broken_off
    }

    /// How loud we are, while somebody may be interrupting; or that they are.
    pub(crate) fn barged(&mut self, barge: Barge) {
        let gain = match barge {
            Barge::Duck => DUCKED,
            Barge::Raise => 1.0,
            Barge::Cancel => {
                metrics::counter!("sayso_barge_ins_total").increment(1);
                self.interrupt_by_voice();
                return;
            }
        };
        if let Some((message, turn)) = self.voice.current() {
            let to = self.voice.repeats_to();
            self.play(Event::SoundLevel { gain }, message, turn, to);
        }
    }

    /// To those who listen, or to one of them alone, and to nobody later.
    fn play(&mut self, event: Event, message: MessageId, turn: TurnId, to: Option<ClientId>) {
        let envelope = Envelope {
            event_id: EventId(self.house.ids.next()),
            role: event.role(),
            event,
            ts: self.house.clock.now(),
            session_id: self.session,
            epoch: self.log.epoch(),
            turn_id: Some(turn),
            message_id: Some(message),
            seq: None,
            turn_seq: None,
            spelling: Spelling::default(),
        };
        match to {
            None => self.clients.play(envelope),
            Some(client) => self.clients.send(client, envelope),
        }
    }

    fn first_sound(&mut self, turn: TurnId) {
        self.log.note_first_sound(turn, self.house.clock.ticks_us());
    }
}
