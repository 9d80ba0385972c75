//! Sentences that are nothing unless something stands behind them. Pure.
//!
//! "Let me check your inbox" is worth saying where something is looked up, and "I've drafted
//! an invitation" where there is a draft. So the first is held back until something follows
//! it, and the second with all that is built on it until the answer is over. Any other
//! sentence passes from the first letter on that says it is neither.

mod announced;
mod at_hand;
mod reading;

pub use self::reading::sounds_prepared;
use self::reading::{Fit, fit};
use super::claim::Letter;
use crate::Record;

/// However few words it has.
const LONGEST: usize = 240;

/// What would have to stand behind what is held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// A look-up that was announced.
    LookUp,
    /// A card or a draft that was spoken of.
    Card,
}

/// Holds such sentences back.
#[derive(Debug, Default)]
pub struct Hollow {
    held: String,
    /// Where in it the last sentence begins.
    from: usize,
    mode: Mode,
    stands: Option<Stands>,
    /// There was a full stop, unless something goes on right behind it.
    may_be_over: bool,
    /// There is a card or a draft: whoever speaks of it is right.
    has_card: bool,
    record: Record,
    letter: Letter,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Mode {
    /// A sentence begins.
    #[default]
    Begins,
    /// It is none of those.
    Passes,
    /// Nothing that follows is worth anything without what was spoken of.
    Waits,
}

impl Hollow {
    pub fn new(record: Record, has_card: bool) -> Self {
        Self { has_card, record, ..Self::default() }
    }

    /// What may be shown now.
    pub fn take(&mut self, words: &str) -> String {
        let mut shown = String::new();
        for c in words.chars() {
            self.hear(c, &mut shown);
        }
        shown
    }

    /// There is no more. What still stands for something is held.
    pub fn finish(&mut self) -> String {
        let mut shown = String::new();
        if self.mode == Mode::Begins && !self.held[self.from..].trim().is_empty() {
            self.judge(true, &mut shown);
        }
        shown
    }

    /// What would have to stand behind what is held back.
    pub fn stands(&self) -> Option<Stands> {
        self.stands
    }

    /// It stands there: what was held may be shown.
    pub fn let_go(&mut self) -> String {
        (self.from, self.stands, self.mode) = (0, None, Mode::Begins);
        std::mem::take(&mut self.held)
    }

    fn hear(&mut self, c: char, shown: &mut String) {
        self.letter.hear(c);
        if self.may_be_over && !c.is_alphanumeric() {
            self.ends(shown);
        }
        self.may_be_over = false;
        match self.mode {
            Mode::Passes => shown.push(c),
            Mode::Begins if self.held.is_empty() && c.is_whitespace() => shown.push(c),
            Mode::Begins | Mode::Waits => self.held.push(c),
        }
        match c {
            '!' | '?' | '\n' => self.ends(shown),
            '.' => self.may_be_over = true,
            _ if self.mode == Mode::Begins => self.judge(false, shown),
            // What was drafted stands in the answer itself.
            _ if self.mode == Mode::Waits && self.letter.is_open() => {
                shown.push_str(&self.let_go());
                self.mode = Mode::Passes;
            }
            _ => {}
        }
    }

    /// A sentence is over.
    fn ends(&mut self, shown: &mut String) {
        match self.mode {
            Mode::Waits => {}
            Mode::Passes => self.mode = Mode::Begins,
            Mode::Begins => {
                self.judge(true, shown);
                if self.mode == Mode::Passes {
                    self.mode = Mode::Begins;
                }
            }
        }
    }

    fn judge(&mut self, is_whole: bool, shown: &mut String) {
        let sentence = &self.held[self.from..];
        if sentence.trim().is_empty() {
            return;
        }
        let is_right = |stands| {
            stands == Stands::Card && (self.has_card || is_whole && self.record.holds(sentence))
        };
        let fit = if sentence.len() > LONGEST { Fit::Harmless } else { fit(sentence, is_whole) };
        match fit {
            Fit::Stands(stands) if !is_right(stands) => {
                if is_whole {
                    let is_card = stands == Stands::Card;
                    self.mode = if is_card { Mode::Waits } else { Mode::Begins };
                    self.from = self.held.len();
                    self.stands = Some(stands);
                }
            }
            Fit::Open if !is_whole => {}
            Fit::Open | Fit::Harmless | Fit::Stands(_) => {
                shown.push_str(&self.let_go());
                self.mode = Mode::Passes;
            }
        }
    }
}

#[cfg(test)]
#[path = "hollow_tests.rs"]
mod tests;
