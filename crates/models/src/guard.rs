//! Lets words through and nothing else. Pure, and as fast as they come.
//!
//! What a model says is for people. JSON, calls of tools, marks of templates and thoughts
//! to itself are taken out; so is any claim that something was done, because what was done
//! is told from the record. Only what could be the beginning of such a thing is held back,
//! and only until that is clear.

mod claim;
mod hollow;
mod markup;
mod seam;
mod syntax;

use self::claim::Claim;
pub(crate) use self::claim::{is_ours, is_thing, sounds_done, verbs};
pub use self::hollow::{Hollow, Stands, sounds_prepared};
pub use self::markup::Markup;
use self::seam::Seam;
use self::syntax::{
    Begins, Ends, FENCE, begins, find_like, is_half_a_mark, is_of_name, is_sign, word_begins,
};

use crate::Record;

/// So much of a word that is being shown may belong to the name of a tool.
const LONGEST_BEFORE: usize = 24;

/// Reads what comes, piece by piece.
#[derive(Debug, Default)]
pub struct Guard {
    held: String,
    mode: Mode,
    /// Within code for people, which another fence ends.
    in_code: bool,
    /// The word that is being shown, as far as it was.
    before: String,
    /// What stands before that word.
    last: Option<char>,
    seam: Seam,
    claim: Claim,
    /// Something was shown.
    has_words: bool,
    /// It said that it had done something.
    claimed: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Words,
    /// Until this comes, nothing is for people.
    Until(Ends),
    /// Until as many brackets are closed as were opened.
    Brackets(Brackets),
}

/// What is open of what is skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Brackets {
    depth: u32,
    /// The sign that ends the text that it is in.
    text: Option<char>,
    escaped: bool,
    /// The last sign was of a word: behind it stands an apostrophe.
    in_word: bool,
}

impl Guard {
    /// Takes a piece; gives what may be shown now.
    pub fn take(&mut self, piece: &str) -> String {
        self.held.extend(piece.chars().filter(|c| !is_unseen(*c)));
        let mut words = String::new();
        while self.step(&mut words, false) {}
        self.shown(&words, false)
    }

    /// There is no more. What is not finished is not shown.
    pub fn finish(&mut self) -> String {
        let mut words = String::new();
        while self.step(&mut words, true) {}
        self.mode = Mode::Words;
        self.held.clear();
        self.before.clear();
        self.last = None;
        self.shown(&words, true)
    }

    pub fn has_words(&self) -> bool {
        self.has_words
    }

    /// Something was looked up: that a mail was sent may be what was found.
    pub fn knowing() -> Self {
        Self { claim: Claim::knowing(), ..Self::default() }
    }

    /// What was done in this conversation may be told.
    #[must_use]
    pub fn with_record(mut self, record: Record) -> Self {
        self.claim.with_record(record);
        self
    }

    /// It said that it had done something.
    pub fn has_claimed(&self) -> bool {
        self.claimed
    }

    fn shown(&mut self, words: &str, is_last: bool) -> String {
        let (shown, claimed) = self.claim.take(words, is_last);
        self.claimed |= claimed;
        self.has_words |= shown.chars().any(char::is_alphanumeric);
        shown
    }

    /// One decision. False when more has to come first.
    fn step(&mut self, words: &mut String, is_last: bool) -> bool {
        match self.mode {
            Mode::Until(ends) => self.skip_to(ends, is_last),
            Mode::Brackets { .. } => self.skip_brackets(),
            Mode::Words => self.read_words(words, is_last),
        }
    }

    fn read_words(&mut self, words: &mut String, is_last: bool) -> bool {
        let Some(Found { at, begun }) = self.find(is_last) else {
            self.pass(self.held.len(), words);
            return false;
        };
        self.pass(at, words);
        match begun {
            Begins::Marked { ends, skip } => {
                self.held.drain(..skip);
                self.cut(Mode::Until(ends));
                true
            }
            Begins::Answer { skip } => {
                self.held.replace_range(..skip, "\n");
                self.seam.cut();
                self.pass(1, words);
                self.cut(Mode::Words);
                true
            }
            Begins::Brackets => {
                self.cut(Mode::Brackets(Brackets::default()));
                true
            }
            Begins::Words { length } => {
                self.in_code ^= self.held[..length] == *FENCE;
                self.pass(length, words);
                true
            }
            Begins::Unclear => {
                if is_last {
                    // Half of something; a lone bracket is no word either.
                    self.seam.cut();
                    self.held.clear();
                }
                false
            }
        }
    }

    /// The first place that is not plain, and what begins there.
    fn find(&self, is_last: bool) -> Option<Found> {
        let text = format!("{}{}{}", self.before, self.held, if is_last { "\n" } else { "" });
        let shown = self.before.len();
        let mut last = self.last;
        for (from, c) in text.char_indices() {
            let before = last.replace(c);
            let rest = &text[from..];
            if is_sign(c) {
                let is_half = is_last && is_half_a_mark(&self.held[from - shown..]);
                let begun = if is_half { Begins::Unclear } else { begins(rest, self.in_code) };
                return Some(Found { at: from - shown, begun });
            }
            let goes_on = before.is_some_and(|it| is_of_name(it) || it == '.');
            if goes_on || !is_of_name(c) {
                continue;
            }
            // Of a word whose beginning was shown, the rest is not.
            let was_shown = shown.saturating_sub(from);
            let begun = match word_begins(rest, matches!(before, None | Some('\n'))) {
                Begins::Words { .. } => continue,
                Begins::Unclear if is_last => continue,
                Begins::Marked { ends, skip } => {
                    Begins::Marked { ends, skip: skip.saturating_sub(was_shown) }
                }
                begun => begun,
            };
            return Some(Found { at: from.saturating_sub(shown), begun });
        }
        None
    }

    /// So much of what is held is words.
    fn pass(&mut self, length: usize, words: &mut String) {
        for c in self.held.drain(..length) {
            self.seam.pass(c, words);
            if is_of_name(c) || c == '.' && !self.before.is_empty() {
                self.before.push(c);
            } else {
                self.before.clear();
                self.last = Some(c);
            }
            if self.before.len() > LONGEST_BEFORE {
                self.before.clear();
                self.last = Some(c);
            }
        }
    }

    /// What follows is not for people.
    fn cut(&mut self, mode: Mode) {
        if !self.before.is_empty() {
            self.before.clear();
            self.last = Some(' ');
        }
        self.seam.cut();
        self.mode = mode;
    }

    fn skip_to(&mut self, ends: Ends, is_last: bool) -> bool {
        let found = ends.iter().filter_map(|end| find_like(&self.held, end));
        if let Some((at, length)) = found.min() {
            self.held.drain(..at + length);
            self.mode = Mode::Words;
            return true;
        }
        // The end may come in two pieces, in letters of up to three bytes.
        let longest = ends.iter().map(|end| end.len() * 3).max().unwrap_or(0);
        let keep = self.held.floor_char_boundary(self.held.len().saturating_sub(longest));
        self.held.drain(..keep);
        if is_last {
            self.held.clear();
        }
        false
    }

    fn skip_brackets(&mut self) -> bool {
        let Mode::Brackets(mut open) = self.mode else { return false };
        for (at, c) in self.held.char_indices() {
            match (c, open.text) {
                _ if open.escaped => open.escaped = false,
                ('\\', Some(_)) => open.escaped = true,
                (c, Some(end)) if c == end => open.text = None,
                ('"', None) => open.text = Some(c),
                ('\'', None) if !open.in_word => open.text = Some(c),
                ('{' | '[' | '(', None) => open.depth += 1,
                ('}' | ']' | ')', None) => open.depth = open.depth.saturating_sub(1),
                _ => {}
            }
            open.in_word = is_of_name(c);
            // A call begins with its name.
            if open.depth == 0 && !is_of_name(c) && !matches!(c, '.' | ':') {
                self.held.drain(..at + c.len_utf8());
                self.mode = Mode::Words;
                return true;
            }
        }
        self.held.clear();
        self.mode = Mode::Brackets(open);
        false
    }
}

/// Signs that nobody sees and that change how everything around them is shown.
fn is_unseen(c: char) -> bool {
    let turns_the_text = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns_the_text || c.is_control() && !matches!(c, '\n' | '\t')
}

/// A place in what is held.
struct Found {
    at: usize,
    begun: Begins,
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
