//! The live voice of one session: somebody elsewhere who hears, thinks and speaks with it.
//!
//! It stands in for ears, mind and mouth where it is well, and decides nothing: when a turn
//! begins and ends, what may be done and what was heard is decided where it always is. What
//! it cannot do our own do, for that turn or that clause, and the person is told. The line
//! itself is kept in `keep`; it hears in `hears`, thinks in
//! `thinks` and speaks in `speaks`.

mod hears;
mod keep;
mod seed;
mod speaks;
mod thinks;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use brain::{MessageId, SessionId, TurnId, UserId};
use models::provider::{Call, Delta, End, Provider, Trouble, Usage};
use models::realtime::health::{Health, Route};
use models::realtime::{Item, Live, News, Tell};
use models::{Thinker, Tier};
use store::ModelCallRow;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::house::House;

use hears::Uttered;
pub(crate) use speaks::Piece;

/// Without any news for so long, whoever answers has fallen silent.
const STALLED_AFTER: Duration = Duration::from_secs(5);
/// Behind this stands what hearing and reading aloud cost, among the questions of a turn.
const READING: u32 = 1_000;
/// Utterances and answers that are remembered.
const REMEMBERED: usize = 8;
/// What it is told may wait so long; somebody who takes nothing is left by then.
const MOST_ORDERS: usize = 1_024;
/// Longer than this, in samples, nobody answers: three minutes.
const LONGEST_ANSWER: usize = 180 * 24_000;

/// Somebody who lends sessions a live voice, and how one thinks with it.
pub struct LiveVoice {
    pub live: Arc<dyn Live>,
    pub thinks: Thinks,
    /// Whether it is on this machine.
    pub tier: Tier,
}

/// Plans with whoever runs a model.
pub type Thinks = Box<dyn Fn(Arc<dyn Provider>) -> Arc<dyn Thinker> + Send + Sync>;

/// A session's live voice.
pub(crate) struct Shell {
    wire: Wire,
    house: Arc<House>,
    /// Made when somebody has something to think about.
    thinker: OnceLock<Arc<dyn Thinker>>,
}

/// The way to it. It is open as long as somebody holds one.
#[derive(Clone)]
pub(crate) struct Wire {
    shared: Arc<Shared>,
    orders: mpsc::Sender<Order>,
}

enum Order {
    /// Somebody is there who may speak.
    Wake,
    /// For this line and no other.
    Tell(u64, Tell),
}

/// What everybody knows of it.
struct Shared {
    state: Mutex<State>,
    /// Counts changes, for whoever waits for one.
    changed: watch::Sender<u64>,
    started: Instant,
    name: String,
    model: String,
}

#[derive(Default)]
struct State {
    health: Health,
    /// How many lines there were; it is told nothing that was meant for another.
    line: u64,
    /// The line is being opened: what is told waits for it.
    is_opening: bool,
    /// Somebody may speak: the line is kept open.
    is_awake: bool,
    /// Numbers what it is told.
    numbered: u64,
    uttered: VecDeque<((u64, u64), Uttered)>,
    written: HashMap<u64, Written>,
    answers: VecDeque<Answered>,
    /// Which of its sound was said in which message.
    pieces: HashMap<MessageId, Vec<(u64, Piece)>>,
    /// The messages that the line was told of when it was opened.
    known: HashSet<MessageId>,
    /// What was to be told while it was being opened.
    meanwhile: Vec<(Option<MessageId>, Item)>,
    /// How long a letter is heard, in samples, as far as is known.
    letter: Option<f32>,
    /// What it cost to write down and to read aloud, since that was put on record.
    unbilled: Usage,
    /// How often that was.
    bills: u32,
    /// In which turn something was said last.
    last_turn: Option<TurnId>,
}

#[derive(Clone, Debug, Default)]
struct Written {
    so_far: String,
    text: Option<Result<String, ()>>,
}

/// Something that it says.
struct Answered {
    number: u64,
    /// What it is called where it comes from.
    id: Option<String>,
    /// Over which line.
    line: u64,
    /// It reads what we wrote.
    is_ours: bool,
    said: String,
    /// Bytes of it that were handed on as sound, and samples.
    at: usize,
    taken: usize,
    samples: Vec<f32>,
    /// For whoever listens to its words.
    deltas: VecDeque<Delta>,
    calls: usize,
    last_news: Instant,
    over: Option<Result<End, Trouble>>,
    /// What was heard of it is settled.
    is_settled: bool,
}

impl Shell {
    /// Where there is one. The line is opened when somebody may speak.
    pub fn new(house: &Arc<House>, session: SessionId, user: UserId) -> Option<Self> {
        let voice = house.live.as_ref()?;
        let (orders, inbox) = mpsc::channel(MOST_ORDERS);
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: watch::Sender::new(0),
            started: Instant::now(),
            name: voice.live.name().to_owned(),
            model: voice.live.model().to_owned(),
        });
        let wire = Wire { shared: Arc::clone(&shared), orders };
        tokio::spawn(keep::keep(shared, Arc::clone(house), (session, user), inbox));
        Some(Self { wire, house: Arc::clone(house), thinker: OnceLock::new() })
    }

    pub fn wire(&self) -> &Wire {
        &self.wire
    }

    /// What it cost to hear and to read what was said since this was asked last, in a turn
    /// that is over.
    pub fn bill(&self, turn: TurnId, user: UserId) -> Option<ModelCallRow> {
        let (usage, bills) = {
            let mut state = self.wire.state();
            state.bills += u32::from(state.unbilled.cost_micros.is_some());
            (std::mem::take(&mut state.unbilled), state.bills)
        };
        let (voice, cost_micros) = (self.house.live.as_ref()?, usage.cost_micros?);
        Some(ModelCallRow {
            turn,
            // Each is a line of its own, also where a turn has several.
            number: READING + bills,
            user,
            asked_at: self.house.clock.now(),
            tier: voice.tier.name().to_owned(),
            provider: self.wire.shared.name.clone(),
            model: self.wire.shared.model.clone(),
            request_id: None,
            tries: 1,
            input_tokens: usage.input,
            cached_tokens: usage.cached,
            output_tokens: usage.output,
            cost_micros,
            first_us: None,
            took_us: 0,
            error_code: None,
        })
    }

    /// The same where no turn is over: it is of the one in which something was said last.
    pub fn last_bill(&self, user: UserId) -> Option<ModelCallRow> {
        let turn = self.wire.state().last_turn?;
        self.bill(turn, user)
    }

    /// Something was said in this turn.
    pub fn said_in(&self, turn: TurnId) {
        self.wire.state().last_turn = Some(turn);
    }

    /// Who thinks about a sentence that was spoken: it, where it is well.
    pub fn thinker(&self) -> Option<Arc<dyn Thinker>> {
        let voice = self.house.live.as_ref().filter(|_| self.wire.is_live())?;
        let thinker = self.thinker.get_or_init(|| {
            let live = (voice.thinks)(Arc::new(thinks::Answers(self.wire.clone())));
            let classic = self.house.thinker.clone();
            Arc::new(thinks::Shelled { live, classic })
        });
        Some(Arc::clone(thinker))
    }
}

impl Wire {
    /// Somebody may speak: the line is opened, unless somebody is at it.
    pub fn wake(&self) {
        let mut state = self.state();
        if !std::mem::replace(&mut state.is_awake, true) {
            state.opens();
            // Whoever sleeps has nothing to do.
            let _ = self.orders.try_send(Order::Wake);
        }
    }

    /// Nobody has spoken for long, or ever: there is no line, and none is missed.
    pub fn is_asleep(&self) -> bool {
        !self.state().is_awake
    }

    pub fn is_live(&self) -> bool {
        let now = self.shared.started.elapsed();
        self.state().route(now) == Route::Live
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    fn tell(&self, state: &State, tell: Tell) {
        // Whoever waits for what comes of it has patience of their own, and a line that
        // takes nothing is hung up.
        if self.orders.try_send(Order::Tell(state.line, tell)).is_err() {
            metrics::counter!("sayso_live_untold_total").increment(1);
        }
    }

    fn stalled(&self, what: &'static str) {
        metrics::counter!("sayso_live_stalls_total", "what" => what).increment(1);
        let now = self.shared.started.elapsed();
        self.state().health.stalled(now);
    }

    /// Waits until something is known; nothing where that takes too long.
    async fn wait<T>(
        &self,
        until: Instant,
        mut known: impl FnMut(&mut State) -> Option<T>,
    ) -> Option<T> {
        let mut changes = self.shared.changed.subscribe();
        loop {
            if let Some(known) = known(&mut self.state()) {
                return Some(known);
            }
            tokio::time::timeout_at(until, changes.changed()).await.ok()?.ok()?;
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is complete before anything could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// Whatever it has to say is known to whoever waits for it.
    fn apply(&self, news: News) {
        {
            let mut state = self.state();
            match news {
                News::Words { uttered, text } => {
                    if let Some(written) = state.written.get_mut(&uttered) {
                        written.so_far = text;
                    }
                }
                News::Written { uttered, text } => state.is_written(uttered, Ok(text)),
                News::NotWritten { uttered } => state.is_written(uttered, Err(())),
                News::Named { answer, id } => state.answer(answer, |it| it.id = Some(id)),
                News::Said { answer, text } => state.answer(answer, |it| {
                    it.said.push_str(&text);
                    it.deltas.push_back(Delta::Text(text));
                }),
                News::Sounded { answer, pcm } => {
                    state.answer(answer, |it| {
                        if it.samples.len() < LONGEST_ANSWER {
                            it.samples.extend(samples(&pcm));
                        }
                    });
                }
                News::Spent(usage) => state.owe(usage),
                News::Called { answer, call } => state.answer(answer, |it| it.called(call)),
                News::Over { answer, usage, end } => {
                    state.answer(answer, |it| it.ended(usage, end));
                    state.learn_pace(answer);
                    state.spend(answer, usage);
                }
                News::Complained { code } => {
                    tracing::warn!(provider = self.name, code, "a live voice complained");
                    metrics::counter!("sayso_live_complaints_total", "code" => code).increment(1);
                }
                News::Knocked => {}
            }
        }
        self.changed();
    }
}

impl State {
    /// Another line is being opened: what is told from now on is for that.
    fn opens(&mut self) {
        if !std::mem::replace(&mut self.is_opening, true) {
            self.line += 1;
        }
    }

    fn route(&self, now: Duration) -> Route {
        // Nobody has to wait for the first line; for one after a break nobody does.
        let is_hoped_for = self.is_opening && self.health.is_hopeful(now);
        if is_hoped_for { Route::Live } else { self.health.route(now) }
    }

    fn is_written(&mut self, number: u64, text: Result<String, ()>) {
        if let Some(written) = self.written.get_mut(&number) {
            written.text = Some(text);
        }
    }

    fn answer(&mut self, number: u64, change: impl FnOnce(&mut Answered)) {
        if let Some(answer) = self.answers.iter_mut().find(|it| it.number == number) {
            answer.last_news = Instant::now();
            change(answer);
        }
    }

    /// A new answer; the oldest that is settled is forgotten.
    fn will_answer(&mut self, is_ours: bool) -> u64 {
        self.numbered += 1;
        if self.answers.len() >= REMEMBERED {
            let done = self.answers.iter().position(|it| it.over.is_some());
            self.answers.remove(done.unwrap_or(0));
        }
        self.answers.push_back(Answered {
            number: self.numbered,
            id: None,
            line: self.line,
            is_ours,
            said: String::new(),
            at: 0,
            taken: 0,
            samples: Vec::new(),
            deltas: VecDeque::new(),
            calls: 0,
            last_news: Instant::now(),
            over: None,
            is_settled: false,
        });
        self.numbered
    }

    /// Answers are on record with whoever asked for them; what is read is not.
    fn spend(&mut self, number: u64, usage: Usage) {
        let is_asked = self.answers.iter().any(|it| it.number == number && !it.is_ours);
        if !is_asked {
            self.owe(usage);
        }
    }

    fn owe(&mut self, usage: Usage) {
        let sum = &mut self.unbilled;
        sum.input += usage.input;
        sum.cached += usage.cached;
        sum.output += usage.output;
        let cost = sum.cost_micros.unwrap_or(0) + usage.cost_micros.unwrap_or(0);
        sum.cost_micros = Some(cost);
    }

    /// The line is gone: nothing more comes of what was on it.
    fn lost(&mut self) {
        self.line += 1;
        self.is_opening = false;
        // It is on record for the next one.
        self.meanwhile.clear();
        for written in self.written.values_mut() {
            written.text.get_or_insert(Err(()));
        }
        for answer in self.answers.iter_mut().filter(|answer| answer.over.is_none()) {
            answer.over = Some(Err(Trouble::CutOff));
        }
    }
}

impl Answered {
    fn called(&mut self, call: Call) {
        let Call { id, tool, args } = call;
        let (id, tool, args) = (Some(id), Some(tool), args.to_string());
        self.deltas.push_back(Delta::Call { index: self.calls, id, tool, args });
        self.calls += 1;
    }

    fn ended(&mut self, usage: Usage, end: Result<End, Trouble>) {
        self.deltas.push_back(Delta::Usage(usage));
        if let Ok(end) = &end {
            self.deltas.push_back(Delta::End(*end));
        }
        self.over = Some(end);
    }
}

fn samples(pcm: &[u8]) -> Vec<f32> {
    let pairs = pcm.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    pairs.map(|sample| f32::from(sample) / 32_768.0).collect()
}
