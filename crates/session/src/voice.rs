//! Says aloud what was shown, clause by clause, no faster than it is heard.
//!
//! Two tasks a session: one turns text into sound, a little ahead; one hands the
//! sound out at the pace it is played, so that little is lost when somebody
//! interrupts. What was heard of a message is always known to the word.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use brain::{MessageId, TurnId};
use speech::pcm::Format;
use speech::resample::{EARS_RATE, Resampler, VOICE_RATE};
use speech::tts::{Chunk, Clauses, Speech};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::actor::Note;
use crate::senses::Senses;

/// Sound is handed out so much before it is played.
const AHEAD: Duration = Duration::from_millis(200);
const CHUNK_MS: u64 = 120;
/// Pieces of sound that may be ready before they are due.
const READY: usize = 16;

/// Something a session says aloud.
struct Saying {
    message: MessageId,
    turn: TurnId,
    text: String,
    speech: Arc<Mutex<Speech>>,
    /// When it began to be played, by our own clock.
    began: Option<Instant>,
    sent_ms: u64,
    /// What its listener told us.
    reported_ms: Option<u64>,
}

/// What was heard of a message that was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrokenOff {
    pub message: MessageId,
    pub turn: TurnId,
    pub heard_ms: u64,
    pub heard_chars: usize,
}

/// A session's voice.
#[derive(Default)]
pub(crate) struct Voice {
    line: Option<Line>,
    /// Being said, and to be said.
    saying: VecDeque<Saying>,
    /// When it fell silent.
    silent_since: Option<Instant>,
    /// What it said last, for whoever thinks they hear us.
    lately: String,
    /// The message that was broken off: the rest of it is not said either.
    broken_off: Option<MessageId>,
}

struct Line {
    orders: mpsc::UnboundedSender<Order>,
    /// Counts interruptions: whatever belongs to an earlier round is not said.
    round: watch::Sender<u64>,
}

enum Order {
    Text { round: u64, message: MessageId, text: String, speech: Arc<Mutex<Speech>> },
    Whole { round: u64, message: MessageId, speech: Arc<Mutex<Speech>> },
}

/// What comes out of a voice.
#[derive(Debug)]
pub(crate) enum Spoke {
    Began,
    Sound {
        chunk: Chunk,
        /// The same for our own ears.
        reference: Vec<f32>,
    },
    Ended,
}

impl Voice {
    /// Whether anything is being said.
    pub fn is_speaking(&self) -> bool {
        !self.saying.is_empty()
    }

    pub fn is_saying(&self, turn: TurnId) -> bool {
        self.saying.iter().any(|saying| saying.turn == turn)
    }

    /// Since when nothing is said; none where nothing ever was.
    pub fn silent_since(&self) -> Option<Instant> {
        self.silent_since
    }

    /// What is being said aloud, or was last.
    pub fn lately(&self) -> &str {
        self.saying.front().map_or(&self.lately, |saying| &saying.text)
    }

    /// The message of this turn that is said last.
    pub fn message_of(&self, turn: TurnId) -> Option<MessageId> {
        let mut of_turn = self.saying.iter().rev().filter(|saying| saying.turn == turn);
        of_turn.next().map(|saying| saying.message)
    }

    /// Nothing more of this turn comes.
    pub fn finish_turn(&mut self, turn: TurnId) {
        let of_turn = self.saying.iter().filter(|saying| saying.turn == turn);
        for message in of_turn.map(|saying| saying.message).collect::<Vec<_>>() {
            self.finish(message);
        }
    }

    /// What is being said right now, and in which turn.
    pub fn current(&self) -> Option<(MessageId, TurnId)> {
        self.saying.front().map(|saying| (saying.message, saying.turn))
    }

    /// A piece of a message was shown: it is to be heard.
    pub fn say(
        &mut self,
        message: MessageId,
        turn: TurnId,
        text: &str,
        senses: &Arc<Senses>,
        notes: &mpsc::Sender<Note>,
    ) {
        if self.broken_off == Some(message) {
            return;
        }
        if !self.saying.iter().any(|saying| saying.message == message) {
            let Ok(speech) = Speech::new(VOICE_RATE, CHUNK_MS) else { return };
            self.saying.push_back(Saying {
                message,
                turn,
                text: String::new(),
                speech: Arc::new(Mutex::new(speech)),
                began: None,
                sent_ms: 0,
                reported_ms: None,
            });
        }
        let line = self.line.get_or_insert_with(|| Line::open(senses, notes));
        let Some(saying) = self.saying.iter_mut().find(|saying| saying.message == message) else {
            return;
        };
        saying.text.push_str(text);
        let speech = Arc::clone(&saying.speech);
        line.tell(Order::Text { round: line.round(), message, text: text.to_owned(), speech });
    }

    /// The message is whole.
    pub fn finish(&mut self, message: MessageId) {
        let saying = self.saying.iter().find(|saying| saying.message == message);
        let (Some(line), Some(saying)) = (&self.line, saying) else { return };
        let speech = Arc::clone(&saying.speech);
        line.tell(Order::Whole { round: line.round(), message, speech });
    }

    /// A piece of sound goes out now. None where it was broken off meanwhile.
    pub fn spoke(&mut self, message: MessageId, spoke: &Spoke) -> Option<TurnId> {
        let saying = self.saying.iter_mut().find(|saying| saying.message == message)?;
        let turn = saying.turn;
        match spoke {
            Spoke::Began => {}
            Spoke::Sound { chunk, .. } => {
                let played = Duration::from_millis(chunk.start_ms);
                let now = Instant::now() + AHEAD;
                // A voice that was late has made everybody wait.
                let began = now.checked_sub(played).unwrap_or(now);
                saying.began = Some(saying.began.map_or(began, |known| known.max(began)));
                saying.sent_ms = chunk.start_ms + chunk.duration_ms;
            }
            Spoke::Ended => {
                let at = self.saying.iter().position(|saying| saying.message == message)?;
                let said = self.saying.remove(at)?;
                self.lately = said.text;
                self.silent_since = Some(Instant::now());
            }
        }
        Some(turn)
    }

    /// Characters of a message up to a byte of it.
    pub fn chars(&self, message: MessageId, byte: usize) -> usize {
        let saying = self.saying.iter().find(|saying| saying.message == message);
        saying.map_or(0, |saying| chars(&saying.text, byte))
    }

    /// So much of a message was heard, says who plays it.
    pub fn played(&mut self, message: MessageId, heard_ms: u64) {
        if let Some(saying) = self.saying.iter_mut().find(|saying| saying.message == message) {
            saying.reported_ms = saying.reported_ms.max(Some(heard_ms));
        }
    }

    /// So much of a message can have been heard by now, where it is being said.
    pub fn sent_ms(&self, message: MessageId) -> Option<u64> {
        let saying = self.saying.iter().find(|saying| saying.message == message);
        saying.map(|saying| saying.sent_ms)
    }

    /// Falls silent at once. Says what was heard of what was being said;
    /// `heard_ms` is what the listener says.
    pub fn hush(&mut self, heard_ms: Option<u64>) -> Option<BrokenOff> {
        let saying = self.saying.drain(..).next()?;
        if let Some(line) = &self.line {
            line.round.send_modify(|round| *round += 1);
        }
        let played = saying.began.map_or(Duration::ZERO, |began| {
            Instant::now().checked_duration_since(began).unwrap_or_default()
        });
        let by_clock = u64::try_from(played.as_millis()).unwrap_or(u64::MAX).min(saying.sent_ms);
        // Nobody has heard more than was sent.
        let heard = heard_ms.or(saying.reported_ms).map(|ms| ms.min(saying.sent_ms));
        let heard_ms = heard.unwrap_or(by_clock);
        let byte = lock(&saying.speech).heard_until(heard_ms);
        let heard_chars = chars(&saying.text, byte);
        self.lately = saying.text;
        self.broken_off = Some(saying.message);
        self.silent_since = Some(Instant::now());
        Some(BrokenOff { message: saying.message, turn: saying.turn, heard_ms, heard_chars })
    }
}

fn chars(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count()
}

fn lock(speech: &Mutex<Speech>) -> MutexGuard<'_, Speech> {
    // Every change is complete before anything could panic.
    speech.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    fn open(senses: &Arc<Senses>, notes: &mpsc::Sender<Note>) -> Self {
        let (orders, inbox) = mpsc::unbounded_channel();
        let (round, rounds) = watch::channel(0);
        let (ready, due) = mpsc::channel(READY);
        tokio::spawn(make(Arc::clone(senses), inbox, ready, rounds.clone()));
        tokio::spawn(pace(due, rounds, notes.clone()));
        Self { orders, round }
    }

    fn round(&self) -> u64 {
        *self.round.borrow()
    }

    fn tell(&self, order: Order) {
        // It lives as long as this line.
        let _ = self.orders.send(order);
    }
}

struct Piece {
    round: u64,
    message: MessageId,
    what: Part,
}

enum Part {
    Begin,
    Sound(Chunk),
    End,
}

/// Turns text into sound, a clause at a time.
async fn make(
    senses: Arc<Senses>,
    mut orders: mpsc::UnboundedReceiver<Order>,
    ready: mpsc::Sender<Piece>,
    rounds: watch::Receiver<u64>,
) {
    let mut clauses = Clauses::default();
    let mut current: Option<(u64, MessageId)> = None;
    while let Some(order) = orders.recv().await {
        let (round, message, speech, made) = match order {
            Order::Text { round, message, text, speech } => {
                if current != Some((round, message)) {
                    (clauses, current) = (Clauses::default(), Some((round, message)));
                    let begin = Piece { round, message, what: Part::Begin };
                    if ready.send(begin).await.is_err() {
                        return;
                    }
                }
                (round, message, speech, (clauses.push(&text), false))
            }
            Order::Whole { round, message, speech } => {
                (round, message, speech, (clauses.finish(), true))
            }
        };
        let (to_say, is_last) = made;
        for clause in to_say {
            if *rounds.borrow() != round {
                break;
            }
            let Some(speaking) = &senses.speaking else { return };
            let sound = speaking.say(&clause).await.unwrap_or_else(|error| {
                // It can still be read.
                tracing::error!(%error, "a sentence could not be spoken");
                metrics::counter!("sayso_speech_failures_total").increment(1);
                speech::tts::Sound::default()
            });
            let chunks = lock(&speech).add(&clause, &sound);
            for chunk in chunks {
                let piece = Piece { round, message, what: Part::Sound(chunk) };
                if ready.send(piece).await.is_err() {
                    return;
                }
            }
        }
        if is_last {
            let rest = lock(&speech).finish();
            let rest = rest.into_iter().map(Part::Sound).chain([Part::End]);
            for what in rest {
                if ready.send(Piece { round, message, what }).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Hands sound out when it is due.
async fn pace(
    mut due: mpsc::Receiver<Piece>,
    mut rounds: watch::Receiver<u64>,
    notes: mpsc::Sender<Note>,
) {
    let mut began: Option<Instant> = None;
    let mut ends = Instant::now();
    let mut ears = Resampler::new(VOICE_RATE, EARS_RATE);
    while let Some(Piece { round, message, what }) = due.recv().await {
        let wait_until = match &what {
            Part::Begin => {
                began = None;
                ears = Resampler::new(VOICE_RATE, EARS_RATE);
                None
            }
            Part::Sound(chunk) => {
                let now = Instant::now();
                let start = Duration::from_millis(chunk.start_ms);
                // Behind what is still being played; a voice that is late moves the rest.
                let begin = *began.get_or_insert(now.max(ends));
                if begin + start < now {
                    began = now.checked_sub(start);
                }
                let at = began.unwrap_or(now) + start;
                ends = at + Duration::from_millis(chunk.duration_ms);
                Some(at.checked_sub(AHEAD).unwrap_or(at))
            }
            Part::End => Some(ends),
        };
        if let Some(moment) = wait_until
            && *rounds.borrow_and_update() == round
        {
            tokio::select! {
                () = tokio::time::sleep_until(moment) => {}
                _ = rounds.changed() => {}
            }
        }
        if *rounds.borrow_and_update() != round {
            // Nobody waits for the end of what was broken off.
            ends = Instant::now();
            continue;
        }
        let spoke = match what {
            Part::Begin => Spoke::Began,
            Part::Sound(chunk) => {
                let samples = Format::mono(VOICE_RATE).and_then(|it| it.samples(&chunk.pcm));
                let reference = ears.push(&samples.unwrap_or_default());
                Spoke::Sound { chunk, reference }
            }
            Part::End => Spoke::Ended,
        };
        let note = Note::Spoke { message, spoke };
        if notes.send(note).await.is_err() {
            return;
        }
    }
}
