//! Thoughts that come as if they were the answer. Pure.
//!
//! Who thinks before it answers puts marks around it, and most servers take out what is between
//! them. Where one does not, the thoughts are in the text; and where its template has written
//! the first mark already, only the last one is: the text begins in the middle of a thought.
//! Nothing of that is for anybody. So the text of a line is held back until its thoughts are
//! over where its model is known for them by name (`KNOWN`) or has done so before
//! ([`Habit`]), and where it sounds like it, as long as that line is new to us. From everybody
//! else words pass as they come.

mod opening;

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use serde_json::Value;

use self::opening::{Opening, SIGNS, find_end, has_begin, is_quoted, longest_end, opening};
use super::manners::bare;
use super::tongue::Reader;
use super::{Delta, End, Trouble};

/// Models whose templates open a thought, by what is in their names.
const KNOWN: [&str; 10] = [
    "deepseek-r1",
    "r1-distill",
    "qwq",
    "thinking",
    "reasoning",
    "reasoner",
    "minimax-m",
    "nemotron",
    "qwen3.5",
    "qwen3.6",
];
/// Those of the same families that answer at once.
const ANSWERS_AT_ONCE: [&str; 4] = ["non-reasoning", "non-thinking", "no-think", "instruct"];
/// After so many answers without a thought in them a line is taken not to do so, and after
/// twice as many for each time that one was heard.
const ENOUGH: u16 = 3;
const MOST_DOUBLED: u16 = 6;
/// No answer is longer: what is, is a thought.
const LONGEST_HELD: usize = 64 * 1024;

/// Whether answers on a line begin with thoughts, as far as that was found out.
#[derive(Debug)]
pub struct Habit {
    is_known: bool,
    /// How often a thought was heard that had no beginning.
    murmurs: AtomicU16,
    /// How many answers came without one since.
    plain: AtomicU16,
}

impl Habit {
    pub fn of(model: &str) -> Self {
        let bare = bare(model);
        let has = |names: &[&str]| names.iter().any(|name| bare.contains(name));
        let is_known = has(&KNOWN) && !has(&ANSWERS_AT_ONCE);
        Self { is_known, murmurs: AtomicU16::new(0), plain: AtomicU16::new(0) }
    }

    /// Its next answer is taken to begin with a thought.
    fn is_expected(&self) -> bool {
        let is_likely = self.is_known || self.murmurs.load(Ordering::Relaxed) > 0;
        is_likely && self.is_open()
    }

    /// Nobody knows yet. Who thinks only now and then is not believed soon; but one mark, which
    /// may have been quoted, does not hold words back for ever.
    fn is_open(&self) -> bool {
        let doubled = self.murmurs.load(Ordering::Relaxed).min(MOST_DOUBLED);
        self.plain.load(Ordering::Relaxed) < ENOUGH << doubled
    }

    fn murmured(&self) {
        self.murmurs.fetch_add(1, Ordering::Relaxed);
        self.plain.store(0, Ordering::Relaxed);
    }

    /// An answer had no thought in it.
    fn spoke_plainly(&self) {
        let more = |plain: u16| Some(plain.saturating_add(1));
        let _ = self.plain.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// The server has told thoughts from words.
    fn is_told_apart(&self) {
        self.plain.store(u16::MAX, Ordering::Relaxed);
    }
}

/// Reads an answer, without what was thought in it.
pub struct Murmur {
    inner: Box<dyn Reader>,
    habit: Arc<Habit>,
    stage: Stage,
    thoughts: usize,
    /// The last signs that were passed on, in which a mark may begin.
    tail: String,
    /// A thought was begun in what was passed on.
    has_begun: bool,
    /// What was passed on ends with the mark that ends one.
    is_at_mark: bool,
    /// No thought was found in it that had no beginning.
    is_plain: bool,
}

enum Stage {
    /// Nothing was passed on yet.
    Opens(String),
    Thinks {
        held: String,
        because: Because,
    },
    /// A thought is over, and nothing but blanks came behind it.
    Turns,
    Speaks,
}

/// Why something is taken for a thought.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Because {
    /// It began with a mark.
    Marked,
    /// It is known for it.
    Expected,
    /// It sounds like one.
    Sounds,
}

impl Murmur {
    pub fn new(inner: Box<dyn Reader>, habit: Arc<Habit>) -> Self {
        let stage = Stage::Opens(String::new());
        let tail = String::new();
        Self {
            inner,
            habit,
            stage,
            thoughts: 0,
            tail,
            has_begun: false,
            is_at_mark: false,
            is_plain: true,
        }
    }

    fn without_thoughts(&mut self, deltas: Vec<Delta>) -> Vec<Delta> {
        let mut told = Vec::with_capacity(deltas.len());
        for delta in deltas {
            match delta {
                Delta::Text(text) => told.extend(self.hear(text).map(Delta::Text)),
                Delta::End(end) => {
                    told.extend(self.end(end).map(Delta::Text));
                    told.push(Delta::End(end));
                }
                other => told.push(other),
            }
        }
        told
    }

    /// What of it is for people, as far as that is clear.
    fn hear(&mut self, text: String) -> Option<String> {
        match std::mem::replace(&mut self.stage, Stage::Speaks) {
            Stage::Speaks => {
                self.watch(&text);
                Some(text)
            }
            Stage::Turns => self.turn(&text),
            Stage::Opens(held) => self.open(held + &text),
            Stage::Thinks { held, because } => {
                let from = held.len().saturating_sub(longest_end());
                self.think(held + &text, from, because)
            }
        }
    }

    fn murmured(&mut self) {
        self.habit.murmured();
        self.is_plain = false;
    }

    fn open(&mut self, held: String) -> Option<String> {
        let is_told_apart = self.inner.thoughts() > 0;
        let may_sound = self.habit.is_open() && !is_told_apart;
        let is_expected = self.habit.is_expected() && !is_told_apart;
        match opening(&held, may_sound) {
            Opening::Marked => self.think(held, 0, Because::Marked),
            _ if find_end(&held).is_some_and(|end| !is_quoted(&held[end.end..])) => {
                self.think(held, 0, Because::Sounds)
            }
            _ if is_expected => self.think(held, 0, Because::Expected),
            Opening::Thought => self.think(held, 0, Because::Sounds),
            Opening::Unclear => {
                self.stage = Stage::Opens(held);
                None
            }
            Opening::Words => self.hear(held),
        }
    }

    /// The end of it is looked for behind `from`.
    fn think(&mut self, mut held: String, from: usize, because: Because) -> Option<String> {
        let from = held.floor_char_boundary(from);
        if let Some(end) = find_end(&held[from..]) {
            if because != Because::Marked {
                self.murmured();
            }
            return self.turn(&held[from + end.end..]);
        }
        self.thoughts += 1;
        if held.len() > LONGEST_HELD {
            // It is not told in any case; only its end is still looked for.
            held.drain(..held.floor_char_boundary(held.len() - longest_end()));
            self.stage = Stage::Thinks { held, because: Because::Marked };
        } else {
            self.stage = Stage::Thinks { held, because };
        }
        None
    }

    /// From its thought to its answer, which begins with a word.
    fn turn(&mut self, text: &str) -> Option<String> {
        let said = text.trim_start();
        if said.is_empty() {
            self.stage = Stage::Turns;
            return None;
        }
        self.stage = Stage::Speaks;
        self.hear(said.to_owned())
    }

    /// There is no more. What sounded like a thought, or was expected to be one, and ended
    /// like an answer was one.
    fn end(&mut self, end: End) -> Option<String> {
        if self.inner.thoughts() > 0 {
            self.habit.is_told_apart();
        }
        let is_said = end == End::Said;
        match std::mem::replace(&mut self.stage, Stage::Speaks) {
            Stage::Speaks if self.tail.is_empty() || !self.is_plain => None,
            Stage::Speaks => {
                self.habit.spoke_plainly();
                None
            }
            Stage::Opens(held) => (!held.is_empty()).then_some(held),
            Stage::Thinks { held, because } if because != Because::Marked && is_said => {
                self.habit.spoke_plainly();
                Some(held)
            }
            Stage::Thinks { .. } | Stage::Turns => None,
        }
    }

    /// A thought that ends here and did not begin anywhere was told: it is the last one.
    fn watch(&mut self, text: &str) {
        if self.is_at_mark && !text.is_empty() {
            self.is_at_mark = false;
            if !is_quoted(text) {
                self.murmured();
            }
        }
        self.tail.push_str(text);
        // Hardly any text has such signs, and this is done for every piece.
        if self.tail.contains(SIGNS) {
            self.has_begun |= has_begin(&self.tail);
            if let Some(end) = find_end(&self.tail) {
                if !std::mem::take(&mut self.has_begun) {
                    let behind = &self.tail[end.end..];
                    self.is_at_mark = behind.is_empty();
                    if !self.is_at_mark && !is_quoted(behind) {
                        self.murmured();
                    }
                }
                self.tail.drain(..end.end);
            }
        }
        let keep = self.tail.len().saturating_sub(longest_end());
        self.tail.drain(..self.tail.floor_char_boundary(keep));
    }
}

impl Reader for Murmur {
    fn read(&mut self, data: &Value) -> Result<Vec<Delta>, Trouble> {
        let deltas = self.inner.read(data)?;
        Ok(self.without_thoughts(deltas))
    }

    fn read_whole(&mut self, answer: &Value) -> Result<Vec<Delta>, Trouble> {
        let deltas = self.inner.read_whole(answer)?;
        Ok(self.without_thoughts(deltas))
    }

    fn is_whole(&self) -> bool {
        self.inner.is_whole()
    }

    fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    fn thoughts(&self) -> usize {
        self.inner.thoughts() + self.thoughts
    }

    fn id(&self) -> Option<&str> {
        self.inner.id()
    }
}

#[cfg(test)]
#[path = "murmur_tests.rs"]
mod tests;
