//! One utterance being gathered: its parts, what is known of each, what is shown.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use super::{SAMPLES_A_MS, TaskId};
use crate::endpoint::Why;
use crate::stt::hypothesis::{
    CUT_FROM_MS, CUT_PAUSE_MS, Growing, Hypothesis, LEAST_INTERVAL_MS, drift,
};
use crate::stt::joints::{self, Piece};
use crate::stt::written::written;
use crate::stt::{Confidence, HeardWord, Recognised};

/// Where to cut when there is no pause: the quietest moment of the last two seconds.
const LOOK_BACK_MS: u64 = 2_000;

/// So often in a row is nobody's word, unless it is sure: "no, no, no".
const STUTTER: usize = 3;
const SURE: f32 = 0.5;

/// What somebody said, as it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance {
    /// Counts from 1 in its stream.
    pub id: u64,
    pub text: String,
    pub words: Vec<HeardWord>,
    /// Between 0 and 1; of the least certain part.
    pub confidence: f32,
    pub likelihood: Confidence,
    /// How likely, at worst, a no or a "but" is hidden in it, where that is known.
    pub may_refuse: Option<f32>,
    /// How far the last partial was from it, as a share of its words.
    pub drift: Option<f32>,
    /// It was ended for being too long, and why else.
    pub why: Why,
    /// Somebody else was to hear it, or a part of it, and could not.
    pub stood_in: bool,
}

/// A first hearing of little sound likes to say one word again and again.
fn stutters(heard: &Recognised) -> bool {
    let bare = |word: &HeardWord| {
        word.text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    let is_same = |words: &[HeardWord]| words.iter().all(|word| bare(word) == bare(&words[0]));
    heard.confidence() < SURE && heard.words.windows(STUTTER).any(is_same)
}

pub enum Gathered {
    NotYet,
    Nothing,
    All(Utterance),
}

#[derive(Clone, Debug)]
struct Part {
    start: u64,
    end: Option<u64>,
    /// It ends where nobody rested.
    is_cut: bool,
    heard: Option<Recognised>,
    /// Held as long as what is being heard of it for good may be all of it.
    wanted: Arc<()>,
}

impl Part {
    fn new(start: u64) -> Self {
        Self { start, end: None, is_cut: false, heard: None, wanted: Arc::default() }
    }
}

#[derive(Debug)]
pub struct Gathering {
    pub id: u64,
    parts: Vec<Part>,
    growing: Growing,
    shown: Option<Hypothesis>,
    draft: Option<Recognised>,
    /// Held while a partial is being heard that may still be shown.
    waiting: Option<Arc<()>>,
    next_partial: u64,
    /// The part up to here is being heard for good.
    eager: Option<u64>,
    /// When the last silence began.
    silent_since: u64,
    quietest: Vec<(u64, f32)>,
    over: Option<Why>,
    /// The same for those who hear it elsewhere.
    is_over: Arc<AtomicBool>,
}

impl Gathering {
    /// `at_once`: somebody has to know what is being said as soon as it can be known.
    pub fn new(id: u64, start: u64, now: u64, at_once: bool) -> Self {
        let first_ms = if at_once { 0 } else { LEAST_INTERVAL_MS / 2 };
        let next_partial = now + first_ms * SAMPLES_A_MS;
        Self {
            id,
            parts: vec![Part::new(start)],
            growing: Growing::default(),
            shown: None,
            draft: None,
            waiting: None,
            next_partial,
            eager: None,
            silent_since: now,
            quietest: Vec::new(),
            over: None,
            is_over: Arc::default(),
        }
    }

    fn last(&self) -> usize {
        self.parts.len() - 1
    }

    pub fn start_of(&self, part: usize) -> u64 {
        self.parts.get(part).map_or(0, |part| part.start)
    }

    pub fn part_ms(&self, now: u64) -> u64 {
        (now - self.parts[self.last()].start.min(now)) / SAMPLES_A_MS
    }

    pub fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Whether it is what was said up to a silence that still lasts.
    pub fn pauses_at(&self, id: TaskId) -> bool {
        !self.is_over() && self.eager == Some(id.until)
    }

    pub fn over(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_over)
    }

    pub fn draft(&self) -> Option<&Recognised> {
        self.draft.as_ref()
    }

    /// Sound before this is not needed again.
    pub fn needed_from(&self) -> u64 {
        let open = self.parts.iter().find(|part| part.heard.is_none());
        open.map_or(u64::MAX, |part| part.start).min(self.parts[self.last()].start)
    }

    pub fn frame(&mut self, now: u64, likely: f32) {
        self.quietest.push((now, likely));
        let old = now.saturating_sub(LOOK_BACK_MS * SAMPLES_A_MS);
        self.quietest.retain(|(at, _)| *at > old);
    }

    fn id(&self, partial: bool, until: u64) -> TaskId {
        TaskId { utterance: self.id, part: self.last(), partial, until }
    }

    /// Gone as soon as nobody wants to know what came of it.
    pub fn wants(&self, id: TaskId) -> Weak<()> {
        let token = match self.parts.get(id.part) {
            Some(part) if !id.partial => Some(&part.wanted),
            _ => self.waiting.as_ref(),
        };
        token.map(Arc::downgrade).unwrap_or_default()
    }

    /// How much of what is to be heard up to there is silence.
    pub fn quiet(&self, id: TaskId) -> u64 {
        let is_silent = self.eager == Some(id.until);
        if is_silent { id.until.saturating_sub(self.silent_since) } else { 0 }
    }

    /// Time to show how far it is.
    pub fn partial_due(&mut self, now: u64) -> Option<TaskId> {
        let due = self.waiting.is_none() && self.eager.is_none() && now >= self.next_partial;
        due.then(|| {
            self.waiting = Some(Arc::default());
            self.id(true, now)
        })
    }

    pub fn partial(
        &mut self,
        id: TaskId,
        heard: Recognised,
        interval_ms: u64,
    ) -> Option<Hypothesis> {
        self.waiting = None;
        self.next_partial = id.until + interval_ms * SAMPLES_A_MS;
        self.show(heard)
    }

    fn show(&mut self, heard: Recognised) -> Option<Hypothesis> {
        if stutters(&heard) {
            return None;
        }
        let now = self.growing.heard(&heard);
        self.draft = Some(heard);
        self.changed(now)
    }

    /// Nothing where the screen shows it already.
    fn changed(&mut self, now: Hypothesis) -> Option<Hypothesis> {
        let changed = self
            .shown
            .as_ref()
            .is_none_or(|shown| (&shown.text, &shown.stable) != (&now.text, &now.stable));
        self.shown = Some(now.clone());
        (changed && !now.text.is_empty()).then_some(now)
    }

    /// Nobody misses one; the next comes in its time.
    pub fn lost_partial(&mut self, id: TaskId) {
        self.waiting = None;
        self.next_partial = id.until + LEAST_INTERVAL_MS * SAMPLES_A_MS;
    }

    /// Silence: perhaps that was all, so hear it for good already.
    pub fn eager(&mut self, now: u64, silent_since: u64) -> Option<TaskId> {
        self.eager = Some(now);
        self.silent_since = silent_since;
        self.waiting = None;
        self.parts.last_mut()?.heard = None;
        Some(self.id(false, now))
    }

    /// It was not all. After a long pause what came before it is a part of its own.
    pub fn resumed(&mut self, now: u64) {
        let Some(until) = self.eager.take() else { return };
        let pause_ms = now.saturating_sub(self.silent_since) / SAMPLES_A_MS;
        let long = pause_ms >= CUT_PAUSE_MS && self.part_ms(until) >= CUT_FROM_MS;
        let Some(part) = self.parts.last_mut() else { return };
        self.next_partial = now;
        if !long {
            part.heard = None;
            part.wanted = Arc::default();
            return;
        }
        part.end = Some(until);
        self.begin_part(until);
    }

    /// Where there is least of a voice, lately: between two words.
    fn quietest(&self) -> u64 {
        let quietest = self.quietest.iter().rev().min_by(|a, b| a.1.total_cmp(&b.1));
        quietest.map_or_else(|| self.parts[self.last()].start, |(at, _)| *at)
    }

    /// Too long without a pause: cut where it was quietest.
    pub fn cut(&mut self) -> TaskId {
        let until = self.quietest();
        let part = self.parts.last_mut().expect("there is always one");
        (part.end, part.is_cut) = (Some(until), true);
        let id = self.id(false, until);
        self.begin_part(until);
        id
    }

    fn begin_part(&mut self, start: u64) {
        let last = self.last();
        if let Some(heard) = &self.parts[last].heard {
            self.growing.known(last, heard);
        }
        self.growing.cut();
        self.draft = None;
        self.eager = None;
        self.waiting = None;
        self.parts.push(Part::new(start));
    }

    /// Where it ends that is over now. Whoever speaks for too long is not cut in the middle
    /// of a word.
    pub fn ends_at(&self, now: u64, why: Why) -> u64 {
        if why == Why::TooLong && self.eager.is_none() { self.quietest() } else { now }
    }

    /// That was all. What is still to be heard, unless it is being heard already.
    pub fn end(&mut self, now: u64, why: Why) -> Option<TaskId> {
        self.over = Some(why);
        self.is_over.store(true, Ordering::Relaxed);
        self.waiting = None;
        if self.eager.is_some() {
            return None;
        }
        let last = self.last();
        self.parts[last].end = Some(now);
        Some(self.id(false, now))
    }

    /// A part was heard for good. It is shown in a pause that may not be the end, and where
    /// more is being said.
    pub fn part(&mut self, id: TaskId, heard: Recognised) -> Option<Hypothesis> {
        // An answer for a pause that was none is too short.
        let closed = self.parts.get(id.part).is_some_and(|part| part.end == Some(id.until));
        let eager = id.part == self.last() && self.eager == Some(id.until);
        if !closed && !eager {
            return None;
        }
        self.parts[id.part].heard = Some(heard.clone());
        if self.is_over() {
            return None;
        }
        if eager {
            return self.show(heard);
        }
        let now = self.growing.known(id.part, &heard);
        self.changed(now)
    }

    pub fn gathered(&self) -> Gathered {
        let Some(why) = self.over else { return Gathered::NotYet };
        let parts: Option<Vec<&Recognised>> =
            self.parts.iter().map(|part| part.heard.as_ref()).collect();
        let Some(parts) = parts else { return Gathered::NotYet };
        let pieces = parts.iter().zip(&self.parts);
        let heard = joints::joined(
            pieces.map(|(heard, part)| Piece { text: heard.text.as_str(), is_cut: part.is_cut }),
        );
        // Also where no words came of a part: it may have been a no that was hardly heard.
        // One that came to no end decides nothing, also beside one of which nobody can tell.
        let may_refuse = if parts.iter().any(|part| part.unfinished) {
            Some(1.0)
        } else {
            let may_refuse = parts.iter().map(|part| part.may_refuse);
            may_refuse.reduce(|a, b| Some(a?.max(b?))).flatten()
        };
        let parts: Vec<&Recognised> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let (Some(least), Some(lowest)) = (
            parts.iter().map(|part| part.mean_logp).min_by(f32::total_cmp),
            parts.iter().map(|part| part.min_logp).min_by(f32::total_cmp),
        ) else {
            return Gathered::Nothing;
        };
        let likelihood = Confidence::of(least, lowest);
        Gathered::All(Utterance {
            id: self.id,
            words: parts.iter().flat_map(|part| part.words.clone()).collect(),
            confidence: likelihood.all_right(),
            likelihood,
            // Where sound is missing at its end, anything may have been said there.
            may_refuse: if why == Why::NoSound { Some(1.0) } else { may_refuse },
            drift: self.shown.as_ref().map(|shown| drift(&shown.text, &heard)),
            text: written(&heard),
            why,
            stood_in: parts.iter().any(|part| part.stood_in),
        })
    }
}
