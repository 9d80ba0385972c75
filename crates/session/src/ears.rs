//! One session's microphone: sound goes in, what was understood comes out.
//!
//! A task of its own owns the [`Ear`], so that a session never waits for a model.
//! Sound may be dropped when there is far too much of it; orders are not.

mod arrivals;
mod lane;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use brain::input::{self, Hello, Sound};
use speech::barge::{Barge, Interruption};
use speech::ear::{Deaf, Done, Ear, Heard, Notice, Task, Utterance};
use speech::echo::{Guard, Listened};
use speech::endpoint::{TurnMode, Why};
use speech::pcm::Format;
use speech::resample::EARS_RATE;
use speech::stt::hypothesis::Hypothesis;
use speech::vad::FRAME_MS;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::actor::Note;
use crate::loudspeaker::Played;
use crate::senses::{Hearing, Senses, Speaker};
use crate::shell::Wire;

use arrivals::{Arrivals, Slip};
pub(crate) use lane::Lane;

/// Without sound for this long, time passes by itself.
const TICK: Duration = Duration::from_millis(100);
/// So long a silence parts what is said from what was said before.
const PAUSE_MS: u64 = 300;
/// So much sound may hold a word.
const A_WORD: Duration = Duration::from_millis(250);
/// Speech is at least so likely in a frame that interrupts us.
const SPEECH: f32 = 0.6;

/// What an ear is told.
enum Order {
    /// When it came: it may have had to wait.
    Sound(Sound, Instant),
    /// The client says that this was all.
    End,
    /// Who decides from now on when somebody is done.
    Mode(input::TurnMode),
    /// Whoever speaks now answers a question.
    Asked(bool),
    /// What is being said is not wanted: the person typed, or stopped it.
    Drop,
    /// This is about to be heard from our own loudspeaker, at the ear's rate; and
    /// whether the client takes it out of what it sends.
    Playing { samples: Vec<f32>, is_cancelled: bool, at: Instant },
    /// We are silent, by ourselves or because somebody interrupted.
    Silent,
}

/// What an ear says.
#[derive(Debug)]
pub(crate) enum Says {
    /// Somebody began to speak.
    Began {
        utterance: u64,
        at: Instant,
        is_surely_theirs: bool,
    },
    Words {
        utterance: u64,
        words: Hypothesis,
    },
    /// All words, how long after the last of them they were known.
    Final {
        utterance: Box<Utterance>,
        thought: Duration,
    },
    /// There were no words in it.
    Nothing {
        utterance: u64,
    },
    /// The recogniser failed, and tries once more.
    Stumbled {
        utterance: u64,
    },
    /// It failed again.
    Failed {
        utterance: u64,
    },
    /// The client says that this was all, and there was nothing.
    Silence,
    /// What came as sound cannot be heard.
    Deaf {
        because: String,
    },
    /// Somebody talks over us.
    Barged(Barge),
}

/// Where an ear reports.
pub(crate) struct Desk {
    pub ear: u64,
    pub notes: mpsc::Sender<Note>,
    /// Who hears along, if anybody.
    pub wire: Option<Wire>,
}

impl Desk {
    async fn say(&self, says: Says) {
        // Without an owner there is nobody to tell.
        let _ = self.notes.send(Note::Ear { ear: self.ear, says }).await;
    }
}

/// A guard that knows what was said before its ear was open.
fn guard(played: Played) -> Guard {
    let mut guard = Guard::after(played.before, played.silent);
    guard.played(&played.to_come);
    guard
}

fn length_ms(sound: &Sound) -> u64 {
    u64::try_from(length(sound).as_millis()).unwrap_or(u64::MAX)
}

fn length(sound: &Sound) -> Duration {
    let frames = sound.samples.len() as u64 / u64::from(sound.channels.max(1));
    Duration::from_micros(frames * 1_000_000 / u64::from(sound.sample_rate_hz.max(1)))
}

/// What is missing in the microphone was played all the same.
fn slips(guard: &mut Guard, slip: Slip) {
    match slip {
        Slip::InTime => {}
        Slip::Missed(length) => guard.missed(samples(length)),
        Slip::Came(length) => guard.came(samples(length)),
    }
}

fn mode(mode: input::TurnMode) -> TurnMode {
    match mode {
        input::TurnMode::Auto => TurnMode::Auto,
        input::TurnMode::Manual => TurnMode::PushToTalk,
    }
}

fn samples(length: Duration) -> usize {
    let samples = length.as_micros() * u128::from(EARS_RATE) / 1_000_000;
    usize::try_from(samples).unwrap_or(usize::MAX)
}

async fn listen(
    senses: Arc<Senses>,
    format: Format,
    hello: Hello,
    guard: Guard,
    mut orders: mpsc::UnboundedReceiver<Order>,
    waiting_ms: Arc<AtomicU64>,
    desk: Desk,
) {
    let Some(hearing) = &senses.hearing else { return };
    let listener = Arc::clone(&hearing.listener);
    let mut ear = Ear::new(format, listener, hearing.patience.clone(), mode(hello.turn_mode));
    ear.listen(false);
    let (done, mut decoded) = mpsc::unbounded_channel();
    let (theirs, mut words) = mpsc::unbounded_channel();
    let mut listening = Listening {
        inner: Some(Box::new((ear, guard))),
        senses: Arc::clone(&senses),
        cancels_echo: hello.cancels_echo,
        interruption: None,
        asked: false,
        listened: None,
        came: Instant::now(),
        arrivals: Arrivals::default(),
        quiet_ms: None,
        open: VecDeque::new(),
        spoke: false,
        speaker: None,
        done,
        theirs,
        desk,
    };
    let mut last = Instant::now();
    loop {
        let says = tokio::select! {
            biased;
            Some((done, took_ms)) = decoded.recv() => {
                let notices = listening.ear().decoded(done, took_ms);
                listening.follow(notices)
            }
            Some((utterance, text)) = words.recv() => listening.written_so_far(utterance, text),
            order = orders.recv() => match order {
                None => return,
                Some(Order::Sound(sound, came)) => {
                    last = Instant::now();
                    listening.came = came;
                    waiting_ms.fetch_sub(length_ms(&sound), Ordering::Relaxed);
                    listening.hear(sound).await
                }
                Some(order) => listening.obey(order),
            },
            () = tokio::time::sleep(TICK), if listening.is_open() => {
                let waited = u64::try_from(last.elapsed().as_millis()).unwrap_or(u64::MAX);
                let notices = listening.ear().waited(waited);
                listening.follow(notices)
            }
        };
        for says in says {
            listening.desk.say(says).await;
        }
        if listening.inner.is_none() {
            return;
        }
    }
}

/// An ear at work.
struct Listening {
    /// Away while a frame is being judged, and for good when that broke down.
    inner: Option<Box<(Ear, Guard)>>,
    senses: Arc<Senses>,
    cancels_echo: bool,
    /// While we speak ourselves.
    interruption: Option<Interruption>,
    asked: bool,
    /// What the guard said last, while we are being played.
    listened: Option<Listened>,
    /// When the sound came that is being heard.
    came: Instant,
    arrivals: Arrivals,
    /// What was said was dropped: nobody is heard before they have paused, or the rest
    /// of a sentence would be taken for one.
    quiet_ms: Option<u64>,
    /// Utterances that began, in order, and what came of those that are known.
    open: VecDeque<Open>,
    /// Somebody spoke since the client last said that this was all.
    spoke: bool,
    speaker: Option<Speaker>,
    done: mpsc::UnboundedSender<(Done, u64)>,
    /// What whoever hears along has written down so far.
    theirs: mpsc::UnboundedSender<(u64, String)>,
    desk: Desk,
}

/// An utterance on its way.
struct Open {
    utterance: u64,
    /// What came of it, where that is known and something before it is not.
    came: Option<Says>,
    /// When it ended; before that, when it began.
    since: Instant,
    /// When the sound came in which it began, and how much came since.
    from: Instant,
    heard: Duration,
    /// More time passed until its end than sound came: a word may be lost.
    has_gap: bool,
}

impl Listening {
    fn ear(&mut self) -> &mut Ear {
        &mut self.inner.as_mut().expect("it is back after every frame").0
    }

    fn hearing(&self) -> &Hearing {
        self.senses.hearing.as_ref().expect("an ear is opened only where there is hearing")
    }

    fn is_open(&self) -> bool {
        self.speaker.is_some()
    }

    async fn hear(&mut self, sound: Sound) -> Vec<Says> {
        let Some(mut inner) = self.inner.take() else { return Vec::new() };
        let guards = !self.cancels_echo && inner.1.is_needed();
        let slip = self.arrivals.sound(self.came, length(&sound));
        if let Some(open) = self.open.back_mut() {
            open.heard += length(&sound);
        }
        let speakers = self.hearing().speakers_a_core();
        let is_over_us = self.interruption.is_some();
        // A frame takes a millisecond or two of a core: not on a thread that others wait for.
        let judged = tokio::task::spawn_blocking(move || {
            let bytes: Vec<u8> = sound.samples.iter().flat_map(|it| it.to_le_bytes()).collect();
            let (ear, guard) = &mut *inner;
            ear.set_speakers(speakers);
            ear.set_over_us(is_over_us);
            if guards {
                slips(guard, slip);
            }
            let heard = if guards { ear.hear_over(&bytes, guard) } else { ear.hear(&bytes) };
            (inner, heard)
        })
        .await;
        let Ok((inner, heard)) = judged else {
            // Whoever sends more sound gets another ear.
            tracing::error!("an ear broke down");
            return vec![Says::Deaf { because: "the ear broke down".to_owned() }];
        };
        self.inner = Some(inner);
        match heard {
            Ok(heard) => self.heard(heard),
            Err(Deaf::BadSound(error)) => vec![Says::Deaf { because: error.to_string() }],
            Err(Deaf::Unavailable(error)) => {
                tracing::error!(%error, "the ears failed");
                vec![Says::Deaf { because: error.to_string() }]
            }
        }
    }

    fn heard(&mut self, heard: Heard) -> Vec<Says> {
        let Heard { notices, speech, listened } = heard;
        self.listened = listened;
        self.wait_for_a_pause(&speech);
        let mut says = Vec::new();
        if let Some(interruption) = &mut self.interruption {
            let barges = speech.iter().filter_map(|likely| {
                interruption.frame(FRAME_MS, *likely >= SPEECH).map(Says::Barged)
            });
            says.extend(barges);
        }
        // Whoever interrupts has begun before that.
        let mut all = self.follow(notices);
        all.append(&mut says);
        all
    }

    fn obey(&mut self, order: Order) -> Vec<Says> {
        match order {
            Order::Sound(..) => Vec::new(),
            Order::End => {
                // Whoever lets the button go has paused.
                self.quiet_ms = None;
                let spoke = std::mem::take(&mut self.spoke);
                let notices = self.ear().end();
                self.listen_again();
                let mut says = self.follow(notices);
                if !spoke {
                    says.push(Says::Silence);
                }
                says
            }
            Order::Mode(now) => {
                self.ear().set_mode(mode(now));
                Vec::new()
            }
            Order::Asked(asked) => {
                self.asked = asked;
                if !self.ear().is_speaking() {
                    self.listen_again();
                }
                Vec::new()
            }
            Order::Drop => {
                self.quiet_ms = self.ear().is_speaking().then_some(0).or(self.quiet_ms);
                self.ear().drop_utterance();
                self.listen_again();
                self.speaker = None;
                // Nobody waits for what was begun.
                let open = std::mem::take(&mut self.open).into_iter();
                open.map(|open| Says::Nothing { utterance: open.utterance }).collect()
            }
            Order::Playing { samples, is_cancelled, at } => {
                self.cancels_echo = is_cancelled;
                let slip = self.arrivals.waited(at);
                if let Some(inner) = self.inner.as_mut().filter(|_| !self.cancels_echo) {
                    slips(&mut inner.1, slip);
                    inner.1.played(&samples);
                }
                self.interruption.get_or_insert_default();
                Vec::new()
            }
            Order::Silent => {
                if let Some(inner) = &mut self.inner {
                    inner.1.stopped();
                }
                self.interruption = None;
                Vec::new()
            }
        }
    }

    fn follow(&mut self, notices: Vec<Notice>) -> Vec<Says> {
        let mut says = Vec::new();
        for notice in notices {
            match notice {
                Notice::Began { utterance, ago_ms } => {
                    self.speaker = Some(self.hearing().speaker());
                    self.spoke = true;
                    self.open.push_back(Open {
                        utterance,
                        came: None,
                        since: Instant::now(),
                        from: self.came,
                        heard: Duration::ZERO,
                        has_gap: false,
                    });
                    let ago = Duration::from_millis(ago_ms);
                    let at = self.came.checked_sub(ago).unwrap_or(self.came);
                    let is_surely_theirs =
                        self.listened.as_ref().is_none_or(Listened::is_surely_theirs);
                    says.push(Says::Began { utterance, at, is_surely_theirs });
                }
                Notice::Decode(task) => self.decode(task),
                Notice::Partial { utterance, words } => {
                    let barge = self.interruption.as_mut().and_then(|it| it.words(&words.words));
                    says.extend(barge.map(Says::Barged));
                    says.push(Says::Words { utterance, words });
                }
                Notice::Ended { utterance, why } => self.ended(utterance, why),
                Notice::NoSpeech => self.listen_again(),
                Notice::Stumbled { utterance } => says.push(Says::Stumbled { utterance }),
                Notice::Final(mut utterance) => {
                    let id = utterance.id;
                    if self.has_gap(id) {
                        // Anything may have been said there.
                        utterance.may_refuse = Some(1.0);
                    }
                    let utterance = Box::new(utterance);
                    let thought = self.since_end(id);
                    self.settle(id, Says::Final { utterance, thought }, &mut says);
                }
                Notice::NoWords { utterance } => {
                    self.settle(utterance, Says::Nothing { utterance }, &mut says);
                }
                Notice::Failed { utterance, error } => {
                    tracing::error!(%error, "the recogniser failed");
                    if !self.ear().is_speaking() {
                        self.speaker = None;
                        self.listen_again();
                    }
                    self.settle(utterance, Says::Failed { utterance }, &mut says);
                }
            }
        }
        says
    }

    /// Recognises, with whoever hears along: their words count, ours say how surely.
    fn decode(&self, task: Task) {
        let (senses, done) = (Arc::clone(&self.senses), self.done.clone());
        let (theirs, utterance) = (self.theirs.clone(), task.utterance());
        let along = self.desk.wire.clone();
        let along = along.and_then(|wire| Some((wire.hears(self.desk.ear, &task)?, wire)));
        tokio::spawn(async move {
            let Some(hearing) = &senses.hearing else { return };
            let (mut ours, took_ms) = hearing.recognise(task).await;
            if let Some((writing, wire)) = along {
                // Whoever listens may be gone, here and below.
                let show = |text| drop(theirs.send((utterance, text)));
                let written = wire.written(writing, show).await;
                ours = ours.with_theirs(written.as_deref());
            }
            let _ = done.send((ours, took_ms));
        });
    }

    /// What is being written down elsewhere is shown while it is not whole.
    fn written_so_far(&self, utterance: u64, text: String) -> Vec<Says> {
        let is_open =
            self.open.iter().any(|open| open.utterance == utterance && open.came.is_none());
        let words = Hypothesis { unstable: text.clone(), text, ..Hypothesis::default() };
        if is_open { vec![Says::Words { utterance, words }] } else { Vec::new() }
    }

    fn ended(&mut self, utterance: u64, why: Why) {
        metrics::counter!("sayso_utterances_total", "why" => name_of(why)).increment(1);
        self.speaker = None;
        if let Some(open) = self.open.iter_mut().find(|open| open.utterance == utterance) {
            open.since = Instant::now();
            // What a network only held up has come by now, in a burst.
            let passed = self.came.saturating_duration_since(open.from);
            open.has_gap = passed.saturating_sub(open.heard) >= A_WORD;
        }
        // The next one may begin while the words of this are on their way.
        self.listen_again();
    }

    fn listen_again(&mut self) {
        if self.quiet_ms.is_none() {
            let asked = self.asked;
            self.ear().listen(asked);
        }
    }

    /// After something was dropped, listens when there was a pause.
    fn wait_for_a_pause(&mut self, speech: &[f32]) {
        let Some(quiet_ms) = self.quiet_ms else { return };
        let quiet_ms =
            speech.iter().fold(
                quiet_ms,
                |quiet_ms, likely| {
                    if *likely >= SPEECH { 0 } else { quiet_ms + FRAME_MS }
                },
            );
        self.quiet_ms = (quiet_ms < PAUSE_MS).then_some(quiet_ms);
        self.listen_again();
    }

    fn since_end(&self, utterance: u64) -> Duration {
        let open = self.open.iter().find(|open| open.utterance == utterance);
        open.map_or(Duration::ZERO, |open| open.since.elapsed())
    }

    fn has_gap(&self, utterance: u64) -> bool {
        self.open.iter().any(|open| open.utterance == utterance && open.has_gap)
    }

    /// What was said first is told first, however long it took to understand.
    fn settle(&mut self, utterance: u64, came: Says, says: &mut Vec<Says>) {
        if let Some(open) = self.open.iter_mut().find(|open| open.utterance == utterance) {
            open.came = Some(came);
        }
        while self.open.front().is_some_and(|open| open.came.is_some()) {
            says.extend(self.open.pop_front().and_then(|open| open.came));
        }
    }
}

fn name_of(why: Why) -> &'static str {
    match why {
        Why::Silence => "silence",
        Why::Told => "told",
        Why::TooLong => "too_long",
        Why::NoSound => "no_sound",
    }
}
