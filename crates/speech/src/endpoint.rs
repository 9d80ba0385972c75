//! When has somebody finished speaking? A policy that is told the time.
//!
//! It hears how likely there is speech in each frame and answers with what that
//! means: somebody began, somebody may be done, somebody is done. It has no
//! clock, so a test is a list of moments.

use std::collections::VecDeque;

/// Likelier than this, a frame is speech.
const SPEECH: f32 = 0.5;
/// Below this it is silence; between the two, whatever it was goes on.
const SILENCE: f32 = 0.35;
/// Frames of speech in a row that are nobody's cough.
const ONSET_FRAMES: u32 = 3;
/// Pauses that are remembered to learn how somebody speaks.
const PAUSES: usize = 5;

/// Who decides that an utterance is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnMode {
    /// Silence does.
    Auto,
    /// The person holds a button; only letting go ends it, or speaking too long.
    PushToTalk,
}

/// All in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Silence after speech that ends an utterance.
    pub end_of_speech: u64,
    /// The same where the assistant asked something and people think.
    pub end_of_speech_after_question: u64,
    /// Bounds of what is learnt from how somebody pauses.
    pub least: u64,
    pub most: u64,
    /// Nobody said anything since listening began.
    pub no_speech: u64,
    pub no_speech_after_question: u64,
    /// Silence after which it is worth beginning to write down what was said.
    pub first_silence: u64,
    pub longest_utterance: u64,
    /// Sound kept from before somebody was heard to speak.
    pub pre_roll: u64,
    /// What does not come is no silence: a network stalls, and what was said comes in a burst.
    /// After so long nothing is waited for any more.
    pub no_sound: u64,
    /// Silence that ends what has broken off in the middle of a thought.
    pub end_of_thought: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            end_of_speech: 600,
            end_of_speech_after_question: 900,
            least: 400,
            most: 1_400,
            no_speech: 8_000,
            no_speech_after_question: 12_000,
            first_silence: 150,
            longest_utterance: 60_000,
            pre_roll: 300,
            no_sound: 2_000,
            end_of_thought: 1_300,
        }
    }
}

/// What was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noticed {
    /// Somebody speaks since `since_ms`; sound is wanted from `from_ms` on.
    Began { since_ms: u64, from_ms: u64 },
    /// Silence since `since_ms`; perhaps that was all.
    Paused { since_ms: u64 },
    /// They went on after a pause.
    Resumed,
    /// That was all. Speech ended at `speech_end_ms`.
    Ended { speech_end_ms: u64, why: Why },
    /// Nobody spoke in all the time there was.
    NoSpeech,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Silence,
    /// The client said so.
    Told,
    /// It went on for too long; to be said to the person.
    TooLong,
    /// No more sound came: there may have been more to it.
    NoSound,
}

/// The policy for one stream.
#[derive(Clone, Debug)]
pub struct Endpoint {
    patience: Patience,
    mode: TurnMode,
    asked: bool,
    first_silence: u64,
    /// What was said so far cannot be all.
    breaks_off: bool,
    state: State,
    /// Pauses within utterances, the latest last.
    pauses: VecDeque<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Waiting { since: u64, run: u32, onset: u64 },
    Speaking { began: u64, last: u64 },
    Silent { began: u64, since: u64, told: bool, run: u32 },
}

impl Endpoint {
    pub fn new(patience: Patience, mode: TurnMode) -> Self {
        let first_silence = patience.first_silence;
        let (state, pauses) = (State::Idle, VecDeque::new());
        let (asked, breaks_off) = (false, false);
        Self { patience, mode, asked, first_silence, breaks_off, state, pauses }
    }

    /// Listening begins. `asked`: the assistant's last words were a question.
    pub fn listen(&mut self, now_ms: u64, asked: bool) {
        (self.asked, self.breaks_off) = (asked, false);
        self.state = State::Waiting { since: now_ms, run: 0, onset: now_ms };
    }

    /// From now on; an utterance that is under way goes on under the new rule.
    pub fn set_mode(&mut self, mode: TurnMode) {
        self.mode = mode;
    }

    /// Whether what was said up to the silence breaks off: "and then", "remind me to".
    pub fn set_breaks_off(&mut self, breaks_off: bool) {
        self.breaks_off = breaks_off;
    }

    /// How long a silence has to be before what was said is worth writing down.
    pub fn set_first_silence(&mut self, ms: u64) {
        self.first_silence = ms;
    }

    pub fn is_speaking(&self) -> bool {
        matches!(self.state, State::Speaking { .. } | State::Silent { .. })
    }

    /// A frame that ended at `now_ms` and lasted `frame_ms`.
    pub fn frame(&mut self, now_ms: u64, frame_ms: u64, speech: f32) -> Option<Noticed> {
        let start = now_ms.saturating_sub(frame_ms);
        match self.state {
            State::Idle => None,
            State::Waiting { since, run, onset } => {
                self.waiting(now_ms, start, speech, since, run, onset)
            }
            State::Speaking { began, last } => self.speaking(now_ms, start, speech, began, last),
            State::Silent { began, since, told, run } => {
                self.silent(now_ms, speech, began, since, told, run)
            }
        }
    }

    fn waiting(
        &mut self,
        now: u64,
        start: u64,
        speech: f32,
        since: u64,
        run: u32,
        onset: u64,
    ) -> Option<Noticed> {
        if speech >= SPEECH {
            let onset = if run == 0 { start } else { onset };
            if run + 1 >= ONSET_FRAMES {
                self.state = State::Speaking { began: onset, last: now };
                let from_ms = onset.saturating_sub(self.patience.pre_roll);
                return Some(Noticed::Began { since_ms: onset, from_ms });
            }
            self.state = State::Waiting { since, run: run + 1, onset };
            return None;
        }
        self.state = State::Waiting { since, run: 0, onset: now };
        self.gave_up(now, since)
    }

    /// Time passes also when no sound comes: so long by now.
    pub fn tick(&mut self, now_ms: u64, missing_ms: u64) -> Option<Noticed> {
        let (began, last) = match self.state {
            State::Idle => return None,
            State::Waiting { since, .. } => return self.gave_up(now_ms, since),
            State::Speaking { began, last } => (began, last),
            State::Silent { began, since, .. } => (began, since),
        };
        self.too_long(now_ms, began, last).or_else(|| self.left_alone(last, missing_ms))
    }

    /// The client says that this was all.
    pub fn end(&mut self, now_ms: u64) -> Option<Noticed> {
        let ended = match self.state {
            State::Idle => None,
            State::Waiting { .. } => Some(Noticed::NoSpeech),
            State::Speaking { .. } => {
                Some(Noticed::Ended { speech_end_ms: now_ms, why: Why::Told })
            }
            State::Silent { since, .. } => {
                Some(Noticed::Ended { speech_end_ms: since, why: Why::Told })
            }
        };
        self.state = State::Idle;
        ended
    }

    fn speaking(
        &mut self,
        now: u64,
        start: u64,
        speech: f32,
        began: u64,
        last: u64,
    ) -> Option<Noticed> {
        let too_long = self.too_long(now, began, now);
        if too_long.is_some() {
            return too_long;
        }
        self.state = if speech < SILENCE {
            // The frame before ended in speech; this one is the silence.
            State::Silent { began, since: last.max(start), told: false, run: 0 }
        } else {
            State::Speaking { began, last: now }
        };
        None
    }

    fn silent(
        &mut self,
        now: u64,
        speech: f32,
        began: u64,
        since: u64,
        told: bool,
        run: u32,
    ) -> Option<Noticed> {
        let too_long = self.too_long(now, began, since);
        if too_long.is_some() {
            return too_long;
        }
        if let Some(done) = self.done(now, since) {
            return Some(done);
        }
        if speech >= SPEECH {
            // One loud frame is a click; two are somebody going on.
            if run == 0 {
                self.state = State::Silent { began, since, told, run: 1 };
                return None;
            }
            self.learn(now.saturating_sub(since));
            self.breaks_off = false;
            self.state = State::Speaking { began, last: now };
            return told.then_some(Noticed::Resumed);
        }
        self.state = State::Silent { began, since, told, run: 0 };
        if !told && now.saturating_sub(since) >= self.first_silence {
            self.state = State::Silent { began, since, told: true, run: 0 };
            return Some(Noticed::Paused { since_ms: since });
        }
        None
    }

    fn done(&mut self, now: u64, since: u64) -> Option<Noticed> {
        let enough = self.mode == TurnMode::Auto && now.saturating_sub(since) >= self.silence_ms();
        enough.then(|| {
            self.state = State::Idle;
            Noticed::Ended { speech_end_ms: since, why: Why::Silence }
        })
    }

    fn left_alone(&mut self, speech_end_ms: u64, missing_ms: u64) -> Option<Noticed> {
        let enough = self.mode == TurnMode::Auto && missing_ms >= self.patience.no_sound;
        enough.then(|| {
            self.state = State::Idle;
            Noticed::Ended { speech_end_ms, why: Why::NoSound }
        })
    }

    fn too_long(&mut self, now: u64, began: u64, speech_end_ms: u64) -> Option<Noticed> {
        (now.saturating_sub(began) >= self.patience.longest_utterance).then(|| {
            self.state = State::Idle;
            Noticed::Ended { speech_end_ms, why: Why::TooLong }
        })
    }

    fn gave_up(&mut self, now: u64, since: u64) -> Option<Noticed> {
        let patience = &self.patience;
        let limit = if self.asked { patience.no_speech_after_question } else { patience.no_speech };
        let enough = self.mode == TurnMode::Auto && now.saturating_sub(since) >= limit;
        enough.then(|| {
            self.state = State::Idle;
            Noticed::NoSpeech
        })
    }

    /// The silence that ends an utterance now: what the settings say, or longer
    /// for somebody who pauses longer than that inside what they say.
    pub fn silence_ms(&self) -> u64 {
        let patience = &self.patience;
        let set =
            if self.asked { patience.end_of_speech_after_question } else { patience.end_of_speech };
        let longest = self.pauses.iter().copied().max().unwrap_or(0);
        let learnt = if longest == 0 {
            set
        } else if longest * 3 / 2 > set {
            longest * 3 / 2
        } else {
            // Somebody quick need not wait as long, once that has been seen a few times.
            let quick = self.pauses.len() == PAUSES && !self.asked;
            if quick { set.min((longest * 2).max(patience.least)) } else { set }
        };
        let least = if self.breaks_off { patience.end_of_thought } else { patience.least };
        learnt.max(least).clamp(patience.least, patience.most.max(set))
    }

    /// Somebody paused this long and went on. Shorter than a breath is no pause.
    fn learn(&mut self, pause_ms: u64) {
        if pause_ms < 100 {
            return;
        }
        if self.pauses.len() == PAUSES {
            self.pauses.pop_front();
        }
        self.pauses.push_back(pause_ms);
    }
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
