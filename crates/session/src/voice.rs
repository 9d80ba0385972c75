//! Says aloud what was shown, clause by clause, no faster than it is heard.
//!
//! Two tasks a session: one turns text into sound, a little ahead; one hands the
//! sound out at the pace it is played, so that little is lost when somebody
//! interrupts. What was heard of a message is always known to the word.

mod going_on;
mod making;

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use brain::{MessageId, TurnId, UserId};
use speech::resample::VOICE_RATE;
use speech::tts::{Chunk, Speech};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::actor::Note;
use crate::clients::ClientId;
use crate::house::House;
use crate::shell::Wire;

/// Sound is handed out so much before it is played.
const AHEAD: Duration = Duration::from_millis(200);
const CHUNK_MS: u64 = 120;
/// A listener reports about so often; one who is silent for longer may be stuck.
const BETWEEN_REPORTS: Duration = Duration::from_millis(600);
/// Pieces of sound that may be ready before they are due.
const READY: usize = 16;

/// What a "stop" is answered with.
const OKAY: &str = "Okay.";

/// Something a session says aloud.
struct Saying {
    message: MessageId,
    turn: TurnId,
    /// Who alone hears it, where somebody asked to hear it once more.
    to: Option<ClientId>,
    /// Which interruption it comes after.
    round: u64,
    text: String,
    /// The byte of it that is said first.
    from: usize,
    /// No more text comes.
    is_whole: bool,
    speech: Arc<Mutex<Speech>>,
    /// When it began to be played, by our own clock.
    began: Option<Instant>,
    sent_ms: u64,
    /// What its listener told us, and when.
    reported: Option<(u64, Instant)>,
    /// How often it was broken off.
    cuts: u32,
}

impl Saying {
    /// What its listener has told, and what was played since.
    fn reported_until_now(&self) -> Option<u64> {
        let (ms, told) = self.reported?;
        Some(ms + millis(told.elapsed().min(BETWEEN_REPORTS)))
    }
}

/// A message that is to be heard once more, from some sentence of it on.
pub(crate) struct Passage {
    message: MessageId,
    turn: TurnId,
    text: String,
    /// The byte with which that sentence begins.
    from: usize,
}

impl Passage {
    /// From the sentence on in which this character stands; from the last one where there
    /// are no more of them.
    pub fn of(message: MessageId, turn: TurnId, text: String, from_chars: usize) -> Self {
        let byte = text.char_indices().nth(from_chars).map_or(text.len(), |(at, _)| at);
        Self { message, turn, from: sentence_at(&text, byte), text }
    }
}

/// What was heard of a message that was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrokenOff {
    pub message: MessageId,
    pub turn: TurnId,
    /// Who alone heard it.
    pub to: Option<ClientId>,
    pub heard_ms: u64,
    pub heard_chars: usize,
}

/// What a piece of sound belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoken {
    pub turn: TurnId,
    /// Who alone is to hear it.
    pub to: Option<ClientId>,
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
    /// Which message that was.
    last: Option<MessageId>,
    /// The message that was broken off: the rest of it is not said either.
    broken_off: Option<MessageId>,
    /// What was not heard of it, from the beginning of a sentence on.
    unheard: Option<String>,
    /// The same as it would go on, should nobody have meant to interrupt.
    cut: VecDeque<Saying>,
}

/// Who is spoken to, and with what.
#[derive(Clone)]
pub(crate) struct Listener {
    pub house: Arc<House>,
    pub user: UserId,
    /// Who speaks while they are well.
    pub wire: Option<Wire>,
}

struct Line {
    orders: mpsc::UnboundedSender<Order>,
    /// Counts interruptions: whatever belongs to an earlier round is not said.
    round: watch::Sender<u64>,
}

struct Order {
    round: u64,
    message: MessageId,
    speech: Arc<Mutex<Speech>>,
    /// The byte of the message with which its words begin.
    from: usize,
    words: Words,
}

enum Words {
    More(String),
    /// It is whole.
    All,
}

/// How a message is being said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    First,
    Again,
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

    /// Whether anything of this turn is being said for the first time.
    pub fn is_saying(&self, turn: TurnId) -> bool {
        self.message_of(turn).is_some()
    }

    /// Whether this message is being said, or about to be; and whether that is for the
    /// first time.
    pub fn says(&self, message: MessageId) -> Option<Telling> {
        let saying = self.saying.iter().find(|saying| saying.message == message)?;
        Some(if saying.to.is_some() { Telling::Again } else { Telling::First })
    }

    /// Whether this message is being said, or was last.
    pub fn knows(&self, message: MessageId) -> bool {
        self.last == Some(message) || self.says(message).is_some()
    }

    /// Who alone hears what is being said right now.
    pub fn repeats_to(&self) -> Option<ClientId> {
        self.saying.front()?.to
    }

    /// Since when nothing is said; none where nothing ever was.
    pub fn silent_since(&self) -> Option<Instant> {
        self.silent_since
    }

    /// What is being said aloud, or was last.
    pub fn lately(&self) -> &str {
        self.saying.front().map_or(&self.lately, Saying::aloud)
    }

    /// What was not heard to its end.
    pub fn unheard(&self) -> Option<&str> {
        self.unheard.as_deref()
    }

    /// The message of this turn that is said last.
    pub fn message_of(&self, turn: TurnId) -> Option<MessageId> {
        let is_first = |saying: &&Saying| saying.turn == turn && saying.to.is_none();
        self.saying.iter().rev().find(is_first).map(|saying| saying.message)
    }

    /// The turns that are being said for the first time, each with what is said last of it.
    pub fn last_messages(&self) -> Vec<(TurnId, MessageId)> {
        let first = self.saying.iter().filter(|saying| saying.to.is_none());
        let turns: BTreeSet<TurnId> = first.map(|saying| saying.turn).collect();
        turns.into_iter().filter_map(|turn| Some((turn, self.message_of(turn)?))).collect()
    }

    /// Nothing more of this turn comes.
    pub fn finish_turn(&mut self, turn: TurnId) {
        let of_turn = self.saying.iter().chain(&self.cut).filter(|saying| saying.turn == turn);
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
        listener: &Listener,
        notes: &mpsc::Sender<Note>,
    ) {
        if self.broken_off == Some(message) {
            self.more_of_the_cut(message, text);
            return;
        }
        let line = self.line.get_or_insert_with(|| Line::open(listener, notes));
        if !self.saying.iter().any(|saying| saying.message == message) {
            let Some(saying) = Saying::new(message, turn, None, line.round()) else { return };
            self.saying.push_back(saying);
        }
        let Some(saying) = self.saying.iter_mut().find(|saying| saying.message == message) else {
            return;
        };
        saying.text.push_str(text);
        line.tell(saying.order(Words::More(text.to_owned())));
    }

    /// A message is to be heard once more, by one listener alone, behind what is being
    /// said.
    pub fn repeat(
        &mut self,
        passage: Passage,
        to: ClientId,
        listener: &Listener,
        notes: &mpsc::Sender<Note>,
    ) {
        let Passage { message, turn, text, from } = passage;
        let line = self.line.get_or_insert_with(|| Line::open(listener, notes));
        let Some(mut saying) = Saying::new(message, turn, Some(to), line.round()) else { return };
        (saying.text, saying.from, saying.is_whole) = (text, from, true);
        line.tell(saying.all_of_it());
        line.tell(saying.order(Words::All));
        self.saying.push_back(saying);
    }

    /// The message is whole.
    pub fn finish(&mut self, message: MessageId) {
        self.cut_is_whole(message);
        let saying = self.saying.iter_mut().find(|saying| saying.message == message);
        let (Some(line), Some(saying)) = (&self.line, saying) else { return };
        if !std::mem::replace(&mut saying.is_whole, true) {
            line.tell(saying.order(Words::All));
        }
    }

    /// A piece of sound goes out now. None where it was broken off meanwhile.
    pub fn spoke(&mut self, message: MessageId, round: u64, spoke: &Spoke) -> Option<Spoken> {
        let is_it = |saying: &Saying| saying.message == message && saying.round == round;
        let at = self.saying.iter().position(is_it)?;
        let saying = self.saying.get_mut(at)?;
        let of = Spoken { turn: saying.turn, to: saying.to };
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
                let said = self.saying.remove(at)?;
                (self.lately, self.last) = (said.aloud().to_owned(), Some(message));
                // "Stop" was answered: the rest of what it stopped can still be asked for.
                self.unheard = self.unheard.take().filter(|_| said.text.trim() == OKAY);
                self.cut.clear();
                self.silent_since = Some(Instant::now());
            }
        }
        Some(of)
    }

    /// Characters of a message up to a byte of it.
    pub fn chars(&self, message: MessageId, byte: usize) -> usize {
        let saying = self.saying.iter().find(|saying| saying.message == message);
        saying.map_or(0, |saying| chars(&saying.text, byte))
    }

    /// So much of a message was heard, says who plays it.
    pub fn played(&mut self, message: MessageId, heard_ms: u64) {
        if let Some(saying) = self.saying.iter_mut().find(|saying| saying.message == message) {
            // Reports may overtake each other.
            if saying.reported.is_none_or(|(known_ms, _)| known_ms <= heard_ms) {
                saying.reported = Some((heard_ms, Instant::now()));
            }
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
        let behind = self.saying.split_off(self.saying.len().min(1));
        self.break_off(heard_ms, behind)
    }

    /// Breaks off what is being said, and goes on with what was to come behind it.
    pub fn skip(&mut self, heard_ms: Option<u64>) -> Option<BrokenOff> {
        self.break_off(heard_ms, VecDeque::new())
    }

    fn break_off(&mut self, heard_ms: Option<u64>, behind: VecDeque<Saying>) -> Option<BrokenOff> {
        let saying = self.saying.pop_front()?;
        if let Some(line) = &self.line {
            line.round.send_modify(|round| *round += 1);
            // What belongs to an earlier round is not said, so it is begun anew.
            self.saying.retain_mut(|next| next.begin_anew(line.round()));
            for next in &self.saying {
                line.tell(next.all_of_it());
                if next.is_whole {
                    line.tell(next.order(Words::All));
                }
            }
        }
        let played = saying.began.map_or(Duration::ZERO, |began| {
            Instant::now().checked_duration_since(began).unwrap_or_default()
        });
        let by_clock = millis(played).min(saying.sent_ms);
        // Nobody has heard more than was sent.
        let heard = heard_ms.or(saying.reported_until_now()).map(|ms| ms.min(saying.sent_ms));
        let heard_ms = heard.unwrap_or(by_clock);
        // Whoever hears the rest has heard what is before it.
        let byte = lock(&saying.speech).heard_until(heard_ms).max(saying.from);
        let heard_chars = chars(&saying.text, byte);
        if saying.to.is_none() {
            let first = behind.iter().filter(|saying| saying.to.is_none());
            let first: Vec<&str> = first.map(|saying| saying.text.as_str()).collect();
            let unheard = missed(&saying.text, byte, &first);
            self.unheard = (!unheard.is_empty()).then_some(unheard);
            self.broken_off = Some(saying.message);
        }
        (self.lately, self.last) = (saying.aloud().to_owned(), Some(saying.message));
        self.silent_since = Some(Instant::now());
        let Saying { message, turn, to, .. } = saying;
        self.keep_the_cut(saying, byte, behind);
        Some(BrokenOff { message, turn, to, heard_ms, heard_chars })
    }
}

impl Saying {
    fn new(message: MessageId, turn: TurnId, to: Option<ClientId>, round: u64) -> Option<Self> {
        Some(Self {
            message,
            turn,
            to,
            round,
            text: String::new(),
            from: 0,
            is_whole: false,
            speech: Arc::new(Mutex::new(Speech::new(VOICE_RATE, CHUNK_MS).ok()?)),
            began: None,
            sent_ms: 0,
            reported: None,
            cuts: 0,
        })
    }

    /// Nothing of it was heard yet: it is said from its beginning.
    fn begin_anew(&mut self, round: u64) -> bool {
        let Some(anew) = Self::new(self.message, self.turn, self.to, round) else { return false };
        let (text, from, is_whole) = (std::mem::take(&mut self.text), self.from, self.is_whole);
        *self = Self { text, from, is_whole, cuts: self.cuts, ..anew };
        true
    }

    /// What is said of it: nobody has heard from us what was left out.
    fn aloud(&self) -> &str {
        &self.text[self.from..]
    }

    fn all_of_it(&self) -> Order {
        self.order(Words::More(self.aloud().to_owned()))
    }

    fn order(&self, words: Words) -> Order {
        let (round, message, speech) = (self.round, self.message, Arc::clone(&self.speech));
        Order { round, message, speech, from: self.from, words }
    }
}

/// What is missed of a text that was heard up to this byte, and of all behind it. A
/// sentence that was cut off is missed as a whole.
fn missed(text: &str, byte: usize, behind: &[&str]) -> String {
    let rest = &text[text.floor_char_boundary(byte)..];
    let rest = if rest.trim().is_empty() { "" } else { text[sentence_at(text, byte)..].trim() };
    let all = std::iter::once(rest).chain(behind.iter().map(|text| text.trim()));
    all.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Where the sentence begins in which this byte stands.
fn sentence_at(text: &str, byte: usize) -> usize {
    let before = &text[..text.floor_char_boundary(byte)];
    let ends = |(at, mark): (usize, char)| {
        let is_end = matches!(mark, '.' | '!' | '?' | '\n');
        (is_end && text[at + 1..].starts_with(char::is_whitespace)).then_some(at + 1)
    };
    before.char_indices().filter_map(ends).next_back().unwrap_or(0)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn chars(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count()
}

fn lock(speech: &Mutex<Speech>) -> MutexGuard<'_, Speech> {
    // Every change is complete before anything could panic.
    speech.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    fn open(listener: &Listener, notes: &mpsc::Sender<Note>) -> Self {
        let (orders, inbox) = mpsc::unbounded_channel();
        let (round, rounds) = watch::channel(0);
        let (ready, due) = mpsc::channel(READY);
        tokio::spawn(making::make(listener.clone(), inbox, ready, rounds.clone(), notes.clone()));
        tokio::spawn(making::pace(due, rounds, notes.clone()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_off_is_missed_from_the_beginning_of_its_sentence() {
        let text = "The mail went out. The meeting did not: three is taken. Shall I offer four?";
        let cut = |byte, behind: &[&str]| missed(text, byte, behind);
        assert_eq!(cut(0, &[]), text);
        assert_eq!(cut(7, &[]), text);
        let meeting = "The meeting did not: three is taken. Shall I offer four?";
        assert_eq!(cut(25, &[]), meeting);
        assert_eq!(cut(text.len(), &[]), "");
        assert_eq!(cut(text.len(), &["Also this."]), "Also this.");
        assert_eq!(cut(60, &["Also this."]), "Shall I offer four? Also this.");
        assert_eq!(missed("It is 3.50 for José. Yes.", 19, &[]), "It is 3.50 for José. Yes.");
    }
}
