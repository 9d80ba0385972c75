//! A live voice as ears: it hears what our own hear, and what it writes down counts.

use std::ops::Range;
use std::time::Duration;

use models::realtime::health::Route;
use models::realtime::{RATE, Tell};
use speech::ear::Task;
use speech::resample::{EARS_RATE, Resampler};
use tokio::time::Instant;

use super::{REMEMBERED, State, Wire, Written};

/// So long one waits for what was said to be written down, once it is over.
const WRITTEN_WITHIN: Duration = Duration::from_millis(2_500);
/// So little sound, a tenth of a second, nobody writes down.
const LEAST: u64 = EARS_RATE as u64 / 10;

/// Something that somebody is saying.
pub(super) struct Uttered {
    /// It goes over this line; over none, where our own ears hear it alone.
    line: Option<u64>,
    /// From which sample of the stream on, and up to which it was sent.
    from: u64,
    sent_until: u64,
    /// Up to here it was taken back.
    unsaid_until: u64,
    resampler: Resampler,
    /// What is written down under which number, in samples of the stream.
    parts: Vec<(u64, Range<u64>)>,
}

/// What is being written down.
pub(crate) struct Writing {
    numbers: Vec<u64>,
    until: Instant,
}

impl Wire {
    /// Lets it hear what is new in the sound of a task; for one that counts, what is being
    /// written down. Nothing where our own ears hear alone, and that is as it should be.
    pub fn hears(&self, ear: u64, task: &Task) -> Option<Writing> {
        self.wake();
        let (sound, until) = task.sound();
        let start = until.saturating_sub(sound.len() as u64);
        let mut state = self.state();
        let place = (ear, task.utterance());
        let at = state.begun(place, start, self.shared.started.elapsed());
        if state.uttered[at].1.line != Some(state.line) {
            let until = Instant::now();
            return task.is_urgent().then_some(Writing { numbers: Vec::new(), until });
        }
        let number = state.numbered + 1;
        let uttered = &mut state.uttered[at].1;
        let from = uttered.sent_until.max(start);
        let new = usize::try_from(from - start).ok().and_then(|at| sound.get(at..));
        let new = new.unwrap_or_default();
        let mut samples = uttered.resampler.push(new);
        // What was only to be shown has been sent too, and is not written down yet.
        let written = uttered.parts.last().map_or(uttered.from, |(_, span)| span.end);
        let is_part = task.is_urgent() && until.saturating_sub(written) >= LEAST;
        if is_part {
            samples.extend(uttered.resampler.finish());
            uttered.parts.push((number, written..until));
        }
        uttered.sent_until = uttered.sent_until.max(until);
        let parts = uttered.parts.iter().filter(|(_, span)| span.end > start && span.end <= until);
        let numbers: Vec<u64> = parts.map(|(number, _)| *number).collect();
        if !samples.is_empty() {
            self.tell(&state, Tell::Sound(bytes(&samples)));
        }
        if is_part {
            state.numbered = number;
            state.written.insert(number, Written::default());
            self.tell(&state, Tell::Uttered(number));
        }
        let until = Instant::now() + WRITTEN_WITHIN;
        task.is_urgent().then_some(Writing { numbers, until })
    }

    /// What it wrote down; nothing where it could not, or not in time. `words` hears
    /// what is known so far.
    pub async fn written(&self, writing: Writing, words: impl Fn(String)) -> Option<String> {
        let Writing { numbers, until } = writing;
        if numbers.is_empty() {
            return None;
        }
        let mut shown = String::new();
        let text = self.wait(until, |state| {
            let known = numbers.iter().map(|number| state.written.get(number));
            let known: Option<Vec<&Written>> = known.collect();
            let Some(known) = known else { return Some(None) };
            if known.iter().any(|written| matches!(written.text, Some(Err(())))) {
                return Some(None);
            }
            let so_far = joined(known.iter().map(|written| match &written.text {
                Some(Ok(text)) => text,
                _ => &written.so_far,
            }));
            let is_whole = known.iter().all(|written| written.text.is_some());
            if !is_whole && so_far != shown {
                shown.clone_from(&so_far);
                words(so_far.clone());
            }
            is_whole.then_some(Some(so_far))
        });
        let text = text.await;
        if text.is_none() {
            self.stalled("transcript");
        }
        text.flatten()
    }

    /// What was said was not meant for us, also what was only to be shown of it.
    pub fn forget(&self, ear: u64, utterance: u64) {
        let mut state = self.state();
        let line = Some(state.line);
        let known = state.uttered.iter_mut().find(|(place, _)| *place == (ear, utterance));
        let Some((_, uttered)) = known.filter(|(_, uttered)| uttered.line == line) else { return };
        let numbers: Vec<u64> = uttered.parts.iter().map(|(number, _)| *number).collect();
        let written = uttered.parts.last().map_or(uttered.from, |(_, span)| span.end);
        let is_left = uttered.sent_until > written.max(uttered.unsaid_until);
        uttered.unsaid_until = uttered.sent_until;
        for number in numbers {
            self.tell(&state, Tell::Forget(number));
        }
        if is_left {
            self.tell(&state, Tell::Unsay);
        }
    }
}

impl State {
    /// Where something stands that is being said; its way is decided when it begins.
    fn begun(&mut self, place: (u64, u64), from: u64, now: Duration) -> usize {
        if let Some(at) = self.uttered.iter().position(|(known, _)| *known == place) {
            return at;
        }
        let route = self.route(now);
        let (name, why) = match route {
            Route::Live => ("live", ""),
            Route::Classic(because) => ("classic", because.name()),
        };
        metrics::counter!("sayso_live_turns_total", "route" => name, "why" => why).increment(1);
        if self.uttered.len() >= REMEMBERED {
            let old = self.uttered.pop_front();
            for (number, _) in old.into_iter().flat_map(|(_, uttered)| uttered.parts) {
                self.written.remove(&number);
            }
        }
        let line = (route == Route::Live).then_some(self.line);
        let resampler = Resampler::new(EARS_RATE, RATE);
        let (sent_until, unsaid_until, parts) = (from, from, Vec::new());
        let uttered = Uttered { line, from, sent_until, unsaid_until, resampler, parts };
        self.uttered.push_back((place, uttered));
        self.uttered.len() - 1
    }
}

fn joined<'a>(texts: impl Iterator<Item = &'a String>) -> String {
    let texts = texts.map(|text| text.trim()).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(" ")
}

fn bytes(samples: &[f32]) -> Vec<u8> {
    #[expect(clippy::cast_possible_truncation, reason = "it is clamped to what fits")]
    let sample = |sample: &f32| ((sample.clamp(-1.0, 1.0) * 32_767.0) as i16).to_le_bytes();
    samples.iter().flat_map(sample).collect()
}
