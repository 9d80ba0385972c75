//! One session's ear: bytes go in, notices come out.
//!
//! It never waits. What takes time comes out as a [`Task`], to be run on a thread
//! that may wait; its result is handed back with [`Ear::decoded`]. Time is the
//! number of samples heard, so a test is as quick as it likes.

mod utterance;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use crate::echo::{Guard, Listened};
use crate::endpoint::{Endpoint, Noticed, Patience, TurnMode, Why};
use crate::engine::{self, Unavailable};
use crate::pcm::{BadSound, Format};
use crate::resample::{EARS_RATE, Intake};
use crate::stt::hypothesis::{CUT_AT_MS, Hypothesis, first_silence_ms, interval_ms};
use crate::stt::{Recognised, Recogniser, breaks_off, weighed, without_afterthought};
use crate::vad::{FRAME, FRAME_MS, Frames, Listener};

pub use utterance::Utterance;
use utterance::{Gathered, Gathering};

/// Kept while nobody speaks, beyond the pre-roll: what it takes to notice speech.
const SLACK_MS: u64 = 300;
/// Whoever goes on within this did not stop where they were cut off.
const SOON_MS: u64 = 2_500;
/// So much sound of somebody who talks over us is heard without a rest: by then it is
/// known whether they interrupt.
const URGENT_MS: u64 = 1_300;
const SAMPLES_A_MS: u64 = EARS_RATE as u64 / 1_000;

/// Why sound could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum Deaf {
    #[error(transparent)]
    BadSound(#[from] BadSound),
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// What came of some sound.
#[derive(Debug, Default)]
pub struct Heard {
    pub notices: Vec<Notice>,
    /// How likely there is speech, for each frame of [`FRAME_MS`] that was completed.
    pub speech: Vec<f32>,
    /// What the guard says of it, while we are being played.
    pub listened: Option<Listened>,
}

#[derive(Debug)]
pub enum Notice {
    /// Somebody began to speak, so long ago.
    Began { utterance: u64, ago_ms: u64 },
    /// To be run elsewhere and handed back.
    Decode(Task),
    /// The words so far. Nobody acts on them.
    Partial { utterance: u64, words: Hypothesis },
    /// Speech is over; the words are on their way.
    Ended { utterance: u64, why: Why },
    /// All words. Only these count.
    Final(Utterance),
    /// There was sound like speech, but no words in it.
    NoWords { utterance: u64 },
    /// Nobody spoke in all the time there was.
    NoSpeech,
    /// The recogniser failed; the same sound is tried once more.
    Stumbled { utterance: u64 },
    /// The recogniser failed twice on the same sound.
    Failed { utterance: u64, error: Unavailable },
}

/// Something to be recognised.
#[derive(Clone, Debug)]
pub struct Task {
    id: TaskId,
    sound: Arc<[f32]>,
    /// So many samples at its end are silence.
    quiet: usize,
    draft: Option<Recognised>,
    again: bool,
    wanted: Weak<()>,
    over: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskId {
    utterance: u64,
    part: usize,
    /// Partials are only shown; the others become the transcript.
    partial: bool,
    /// Sound up to here, in samples of the stream.
    until: u64,
}

impl Task {
    /// Whether somebody waits for it; what is only shown may be late or left out.
    pub fn is_urgent(&self) -> bool {
        !self.id.partial
    }

    /// Whether anybody still wants to know. Words that were to be shown are void once
    /// nobody speaks, and those up to a pause once somebody speaks on.
    pub fn is_wanted(&self) -> bool {
        self.wanted.strong_count() > 0
    }

    /// Whether its speaker is done and waits for an answer; who only paused may go on.
    pub fn is_awaited(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Which utterance of its stream it is a part of.
    pub fn utterance(&self) -> u64 {
        self.id.utterance
    }

    /// What is to be recognised, and up to which sample of the stream it goes.
    pub fn sound(&self) -> (&Arc<[f32]>, u64) {
        (&self.sound, self.id.until)
    }

    pub fn sound_ms(&self) -> u64 {
        self.sound.len() as u64 / SAMPLES_A_MS
    }

    pub fn run(self, recogniser: &dyn Recogniser) -> Done {
        let draft = self.draft.as_ref();
        let result = if self.is_urgent() {
            let heard = recogniser.recognise(&self.sound, draft);
            heard.map(|heard| without_afterthought(heard, &self.sound, self.quiet, recogniser))
        } else {
            recogniser.glimpse(&self.sound, draft)
        };
        Done { task: self, result }
    }

    /// Whoever was to run it did not come back.
    pub fn lost(self, because: &str) -> Done {
        let result = Err(engine::broken("the recogniser".as_ref(), because));
        Done { task: self, result }
    }
}

/// A task and what came of it.
#[derive(Debug)]
pub struct Done {
    task: Task,
    result: Result<Recognised, Unavailable>,
}

impl Done {
    /// Others were to hear it too. Their words count, as surely as ours; where they have
    /// none, ours stand in.
    #[must_use]
    pub fn with_theirs(self, theirs: Option<&str>) -> Self {
        let Self { task, result } = self;
        let result = match theirs {
            Some(text) => Ok(weighed(text, result.ok().as_ref())),
            None => result.map(|heard| Recognised { stood_in: true, ..heard }),
        };
        Self { task, result }
    }
}

pub struct Ear {
    intake: Intake,
    frames: Frames,
    listener: Arc<dyn Listener>,
    endpoint: Endpoint,
    patience: Patience,
    /// Sound from `from` on, in samples since the stream began.
    sound: Vec<f32>,
    from: u64,
    /// Samples that were judged: whole frames.
    judged: u64,
    gathering: Option<Gathering>,
    /// Over, and still being written down.
    finishing: Vec<Gathering>,
    utterances: u64,
    speakers: u64,
    /// What was said last was cut off here, and its speaker went on.
    cut_at: Option<u64>,
    /// We speak ourselves: whether somebody interrupts is to be known soon.
    is_over_us: bool,
}

impl Ear {
    pub fn new(
        format: Format,
        listener: Arc<dyn Listener>,
        patience: Patience,
        mode: TurnMode,
    ) -> Self {
        // Recognisers make words of a beginning without a silence: there was one before it.
        let before = patience.pre_roll * SAMPLES_A_MS;
        let sound = vec![0.0; usize::try_from(before).unwrap_or(0)];
        Self {
            intake: Intake::new(format),
            frames: Frames::default(),
            listener,
            endpoint: Endpoint::new(patience.clone(), mode),
            patience,
            sound,
            from: 0,
            judged: before,
            gathering: None,
            finishing: Vec::new(),
            utterances: 0,
            speakers: 1,
            cut_at: None,
            is_over_us: false,
        }
    }

    /// Waits for somebody to speak; to be said again after each [`Notice::Ended`]
    /// and [`Notice::NoSpeech`], at once, also while words are still on their way.
    /// `asked`: the assistant's last words were a question.
    pub fn listen(&mut self, asked: bool) {
        self.endpoint.listen(self.now_ms(), asked);
    }

    pub fn set_mode(&mut self, mode: TurnMode) {
        self.endpoint.set_mode(mode);
    }

    /// How many share a core with who speaks here, themselves among them.
    pub fn set_speakers(&mut self, speakers: u64) {
        self.speakers = speakers;
        self.endpoint.set_first_silence(first_silence_ms(self.patience.first_silence, speakers));
    }

    /// While we speak, whoever begins is heard at once and again without a rest, so that
    /// "okay" is known from "stop" before it is too late for either.
    pub fn set_over_us(&mut self, is_over_us: bool) {
        self.is_over_us = is_over_us;
    }

    pub fn is_speaking(&self) -> bool {
        self.endpoint.is_speaking()
    }

    /// A frame from the microphone, of any size.
    pub fn hear(&mut self, bytes: &[u8]) -> Result<Heard, Deaf> {
        let samples = self.intake.take(bytes)?;
        self.take(&samples, false)
    }

    /// The same while our own voice may be in it: what the guard knows to be ours
    /// is taken out, and unless it knows that somebody else may be in it, nobody spoke.
    pub fn hear_over(&mut self, bytes: &[u8], guard: &mut Guard) -> Result<Heard, Deaf> {
        let samples = self.intake.take(bytes)?;
        let listened = guard.heard(&samples);
        let heard = self.take(&listened.left, !listened.may_be_theirs)?;
        Ok(Heard { listened: Some(listened), ..heard })
    }

    fn take(&mut self, samples: &[f32], is_ours: bool) -> Result<Heard, Deaf> {
        self.sound.extend_from_slice(samples);
        let listener = Arc::clone(&self.listener);
        let mut speech = self.frames.push(samples, &*listener)?;
        if is_ours {
            speech.fill(0.0);
        }
        let mut notices = Vec::new();
        for likely in &speech {
            self.judged += FRAME as u64;
            let noticed = self.endpoint.frame(self.now_ms(), FRAME_MS, *likely);
            self.follow(noticed, &mut notices);
            self.grow(*likely, &mut notices);
        }
        self.forget();
        Ok(Heard { notices, speech, listened: None })
    }

    /// No sound came for `ms`.
    pub fn waited(&mut self, ms: u64) -> Vec<Notice> {
        let mut notices = Vec::new();
        let noticed = self.endpoint.tick(self.now_ms() + ms, ms);
        self.follow(noticed, &mut notices);
        notices
    }

    /// The client says that this was all.
    pub fn end(&mut self) -> Vec<Notice> {
        // Less than a frame is left; where that fails, only this little is missing.
        let rest = vec![0.0; self.frames.missing()];
        let mut notices = self.take(&rest, false).map(|heard| heard.notices).unwrap_or_default();
        let noticed = self.endpoint.end(self.now_ms());
        self.follow(noticed, &mut notices);
        if self.cut_at.is_none() {
            // All of it has been heard: what is said next does not begin with its end.
            self.sound.fill(0.0);
        }
        // Nobody has to see how far it was.
        notices.retain(|notice| !matches!(notice, Notice::Decode(task) if !task.is_wanted()));
        notices
    }

    /// Throws away what was being said: the person typed, or left.
    pub fn drop_utterance(&mut self) {
        self.cut_at = None;
        self.gathering = None;
        self.finishing.clear();
        self.sound.fill(0.0);
        self.endpoint.end(self.now_ms());
    }

    /// A task came back; it took `took_ms`.
    pub fn decoded(&mut self, done: Done, took_ms: u64) -> Vec<Notice> {
        let Done { task, result } = done;
        if !task.is_wanted() {
            return Vec::new();
        }
        let id = task.id.utterance;
        let mut known = self.gathering.iter_mut().chain(&mut self.finishing);
        let Some(gathering) = known.find(|gathering| gathering.id == id) else {
            return Vec::new();
        };
        match result {
            Ok(heard) if task.id.partial => {
                let is_urgent = self.is_over_us && task.sound_ms() < URGENT_MS;
                let interval_ms = if is_urgent {
                    took_ms.max(FRAME_MS)
                } else {
                    interval_ms(took_ms, self.speakers)
                };
                let shown = gathering.partial(task.id, heard, interval_ms);
                let partial = |words| Notice::Partial { utterance: id, words };
                shown.map(partial).into_iter().collect()
            }
            Ok(heard) => {
                if gathering.pauses_at(task.id) {
                    self.endpoint.set_breaks_off(breaks_off(&heard.text));
                }
                let partial = |words| Notice::Partial { utterance: id, words };
                let shown = gathering.part(task.id, heard).map(partial);
                shown.into_iter().chain(self.finished()).collect()
            }
            Err(_) if task.id.partial => {
                gathering.lost_partial(task.id);
                Vec::new()
            }
            // The sound is still here: once more.
            Err(_) if !task.again => {
                let again = Notice::Decode(Task { again: true, draft: None, ..task });
                vec![Notice::Stumbled { utterance: id }, again]
            }
            Err(error) => {
                self.finishing.retain(|gathering| gathering.id != id);
                if self.gathering.as_ref().is_some_and(|gathering| gathering.id == id) {
                    // What was said before it is still being written down.
                    self.gathering = None;
                    self.endpoint.end(self.now_ms());
                }
                vec![Notice::Failed { utterance: id, error }]
            }
        }
    }

    fn now_ms(&self) -> u64 {
        self.judged / SAMPLES_A_MS
    }

    fn follow(&mut self, noticed: Option<Noticed>, notices: &mut Vec<Notice>) {
        match noticed {
            None => {}
            Some(Noticed::Began { since_ms, from_ms }) => {
                self.utterances += 1;
                let from = from_ms * SAMPLES_A_MS;
                let is_rest = |cut: &u64| from.saturating_sub(*cut) <= SOON_MS * SAMPLES_A_MS;
                let from = self.cut_at.take().filter(is_rest).map_or(from, |cut| cut.min(from));
                let from = from.max(self.from);
                let gathering = Gathering::new(self.utterances, from, self.judged, self.is_over_us);
                self.gathering = Some(gathering);
                let ago_ms = self.now_ms().saturating_sub(since_ms);
                notices.push(Notice::Began { utterance: self.utterances, ago_ms });
            }
            Some(Noticed::Paused { since_ms }) => {
                let (until, since) = (self.judged, since_ms * SAMPLES_A_MS);
                let task = self.gathering.as_mut().and_then(|g| g.eager(until, since));
                notices.extend(task.map(|id| self.task(id)));
            }
            Some(Noticed::Resumed) => {
                if let Some(gathering) = &mut self.gathering {
                    gathering.resumed(self.judged);
                }
            }
            Some(Noticed::Ended { why, .. }) => {
                notices.push(Notice::Ended { utterance: self.utterances, why });
                let judged = self.judged;
                let until = self.gathering.as_ref().map_or(judged, |g| g.ends_at(judged, why));
                // What was cut off behind it begins what is said next.
                self.cut_at = (until < judged).then_some(until);
                let task = self.gathering.as_mut().and_then(|g| g.end(until, why));
                notices.extend(task.map(|id| self.task(id)));
                self.finishing.extend(self.gathering.take());
                notices.extend(self.finished());
            }
            Some(Noticed::NoSpeech) => {
                self.gathering = None;
                notices.push(Notice::NoSpeech);
            }
        }
    }

    /// Hears again what is growing, and cuts what has grown too long.
    fn grow(&mut self, likely: f32, notices: &mut Vec<Notice>) {
        let until = self.judged;
        let Some(gathering) = &mut self.gathering else { return };
        gathering.frame(until, likely);
        let too_long = gathering.part_ms(until) >= CUT_AT_MS;
        let id = if too_long { Some(gathering.cut()) } else { gathering.partial_due(until) };
        notices.extend(id.map(|id| self.task(id)));
    }

    fn task(&self, id: TaskId) -> Notice {
        let gathering = self.gathering.as_ref().expect("a task belongs to an utterance");
        let start = gathering.start_of(id.part).max(self.from);
        let at = |sample: u64| usize::try_from(sample.saturating_sub(self.from)).unwrap_or(0);
        let until = at(id.until).min(self.sound.len());
        let sound = self.sound[at(start).min(until)..until].into();
        let draft = if id.partial { gathering.draft().cloned() } else { None };
        let (wanted, over) = (gathering.wants(id), gathering.over());
        let quiet = usize::try_from(gathering.quiet(id)).unwrap_or(0);
        Notice::Decode(Task { id, sound, quiet, draft, again: false, wanted, over })
    }

    /// What is over and written down by now.
    fn finished(&mut self) -> Option<Notice> {
        let (at, notice) = self.finishing.iter().enumerate().find_map(|(at, gathering)| {
            let notice = match gathering.gathered() {
                Gathered::NotYet => return None,
                Gathered::Nothing => Notice::NoWords { utterance: gathering.id },
                Gathered::All(utterance) => Notice::Final(utterance),
            };
            Some((at, notice))
        })?;
        self.finishing.remove(at);
        Some(notice)
    }

    /// Drops sound that nobody needs any more.
    fn forget(&mut self) {
        let idle = self.judged.saturating_sub((self.patience.pre_roll + SLACK_MS) * SAMPLES_A_MS);
        let soon = self.judged.saturating_sub(2 * SOON_MS * SAMPLES_A_MS);
        self.cut_at = self.cut_at.filter(|cut| *cut >= soon);
        let open = self.gathering.iter().chain(&self.finishing);
        let needed = open.map(Gathering::needed_from).chain(self.cut_at).fold(idle, u64::min);
        let old = usize::try_from(needed.saturating_sub(self.from)).unwrap_or(0);
        // Not for every frame: moving the rest costs more than keeping a little.
        if old > EARS_RATE as usize / 2 {
            self.sound.drain(..old.min(self.sound.len()));
            self.from = needed;
        }
    }
}

#[cfg(test)]
#[path = "ear_tests.rs"]
mod tests;
