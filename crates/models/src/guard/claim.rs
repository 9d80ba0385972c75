//! Sentences that say something was done. That is told from the record, never by a model.
//!
//! A sentence is held back only as long as it may still turn out to be one, and shown from
//! the first letter on that says it is none. What makes one is read in `sentence`.

mod abroad;
mod doer;
mod found;
mod joined;
mod letter;
mod ours;
mod phrases;
mod plans;
mod sentence;
pub mod verbs;
mod vocabulary;

pub(super) use self::letter::Letter;
pub use self::ours::{is_ours, sounds_done};
pub(super) use self::vocabulary::LEADS;
pub use self::vocabulary::is_thing;

use self::doer::{Doer, Link};
use self::plans::INVITES;
use self::sentence::{Came, Heard, Reading, Tone, judged, words_of};
use self::vocabulary::{EXCUSES, OFFERS, known_from};
use super::seam::Seam;
use crate::Record;

/// However few words it has.
const LONGEST: usize = 240;
/// So short a beginning is only a way to begin: "Maya, …", "Good news: …".
const LEAD_WORDS: usize = 3;
/// No word that matters is longer.
const LONGEST_WORD: usize = 16;

/// So many marks may stand before a word.
const MOST_MARKS: usize = 8;

/// What is put around or before words to make them bold, a list or a heading.
fn is_markup(c: char) -> bool {
    matches!(c, '*' | '_' | '#' | '>' | '-' | '•' | '~')
}

#[derive(Debug, Default)]
pub(super) struct Claim {
    /// What is held back of this sentence.
    held: String,
    state: Heard,
    /// What was found may be told: "the mail was sent on Monday".
    is_knowing: bool,
    /// What was done may be told as well, in a sentence that says nothing else.
    record: Record,
    quotes: Quotes,
    letter: Letter,
    /// What came last.
    last: Option<char>,
    /// A claim ended here: marks that close it belong to it.
    is_closing: bool,
    now: Sentence,
    seam: Seam,
}

/// Whether these are somebody's own words. An answer that is nothing but a quotation is none.
#[derive(Debug, Default, PartialEq, Eq)]
enum Quotes {
    /// Nothing was said before.
    #[default]
    Unsaid,
    Closed,
    Open,
}

/// What is known of the sentence that is being said.
#[derive(Debug, Default)]
struct Sentence {
    /// What is held of it goes on in its middle, with "I" or "we".
    is_mine: bool,
    /// Words of it that were shown already, and how it reads so far.
    led: usize,
    shown: String,
    /// The word that is being shown.
    word: String,
    /// The last one that was, and what stands behind it.
    last_word: String,
    last_sign: Option<char>,
    /// Who does what comes next.
    doer: Doer,
    /// What is held is joined to what I did before.
    link: Option<Link>,
    /// What the words of it that were shown make of those that follow.
    tone: Tone,
    /// There was a full stop, unless a word goes on behind it.
    may_be_over: bool,
}

impl Claim {
    pub fn knowing() -> Self {
        Self { is_knowing: true, ..Self::default() }
    }

    pub fn with_record(&mut self, record: Record) {
        self.record = record;
    }

    /// What may be shown, and whether a claim was found.
    pub fn take(&mut self, words: &str, is_last: bool) -> (String, bool) {
        let (mut shown, mut claimed) = (String::new(), false);
        for c in words.chars() {
            claimed |= self.hear(c, &mut shown);
        }
        if is_last {
            if !self.held.is_empty() && self.state == Heard::Open {
                self.state = self.judge(&self.held, true);
            }
            claimed |= self.ends_claimed(&mut shown);
            self.release(&mut shown);
            self.begin();
        }
        (shown, claimed)
    }

    fn hear(&mut self, c: char, shown: &mut String) -> bool {
        let mut was_claimed = false;
        if self.now.may_be_over && !c.is_lowercase() && !c.is_ascii_digit() {
            was_claimed = self.ends_claimed(shown);
            self.is_closing |= was_claimed;
            self.begin();
        }
        self.now.may_be_over = false;
        self.letter.hear(c);
        self.quote(c);
        self.last = Some(c);
        self.is_closing &= is_markup(c) || matches!(c, '"' | '”' | ')');
        match self.state {
            Heard::Open if self.is_closing => {}
            Heard::Claimed if self.waits_for_its_end() => self.held.push(c),
            Heard::Claimed => {}
            Heard::Harmless if c.is_alphabetic() && self.link().is_some() => {
                (self.state, self.now.is_mine, self.now.link) = (Heard::Open, true, self.link());
                self.held.push(c);
            }
            Heard::Harmless if self.may_begin(c) => {
                (self.state, self.now.is_mine, self.now.link) = (Heard::Open, true, None);
                self.held.push(c);
            }
            Heard::Harmless => self.show(c, shown),
            // Nothing begins with it, but it may be the mark of what does.
            Heard::Open if self.is_at_marks() && is_markup(c) && self.held.len() < MOST_MARKS => {
                self.held.push(c);
            }
            Heard::Open if self.is_at_marks() && !c.is_alphanumeric() && c != ' ' => {
                self.release(shown);
                self.show(c, shown);
            }
            Heard::Open if self.held.is_empty() && !c.is_alphanumeric() => self.show(c, shown),
            Heard::Open => self.hold(c, shown),
        }
        let leads = matches!(c, ',' | ':' | '—' | '–') && self.now.led <= LEAD_WORDS;
        if self.state == Heard::Harmless && leads && self.now.tone != Tone::TakesBack {
            (self.state, self.now.is_mine, self.now.link) = (Heard::Open, false, None);
        }
        let ends = matches!(c, '!' | '?' | '\n');
        let is_claimed = match self.state {
            Heard::Claimed if ends || !self.waits_for_its_end() => self.ends_claimed(shown),
            _ => false,
        };
        self.is_closing |= is_claimed && matches!(c, '.' | '!');
        match c {
            _ if ends => self.begin(),
            '.' => self.now.may_be_over = true,
            _ => {}
        }
        is_claimed || was_claimed
    }

    /// A claim of what the record has is not cut before the whole of it was read.
    fn waits_for_its_end(&self) -> bool {
        !self.record.is_empty() && !self.held.is_empty() && self.held.len() <= LONGEST
    }

    /// The sentence is over: where it is a claim, whether it is a false one. One that the record
    /// holds is shown.
    fn ends_claimed(&mut self, shown: &mut String) -> bool {
        if self.state != Heard::Claimed {
            return false;
        }
        if self.held.is_empty() {
            return true;
        }
        let sentence = format!("{}{}", self.now.shown, self.held);
        // Of one that goes on and on, nobody has read the end.
        let is_true = self.held.len() <= LONGEST && self.record.holds(&sentence);
        if is_true {
            self.state = Heard::Harmless;
            self.release(shown);
        } else {
            self.cut(shown);
        }
        !is_true
    }

    /// One more letter of what may be a claim.
    fn hold(&mut self, c: char, shown: &mut String) {
        let after_word = self.held.ends_with(char::is_alphanumeric);
        self.held.push(c);
        let ends = matches!(c, '.' | '!' | '?' | '\n');
        let in_word = c.is_alphanumeric() || matches!(c, '\'' | '’');
        self.state = match (in_word, after_word) {
            _ if self.held.len() > LONGEST || ends => self.judge(&self.held, true),
            (true, _) => self.judge_half(),
            (false, true) => self.judge(&self.held, false),
            (false, false) => Heard::Open,
        };
        if self.state == Heard::Harmless {
            self.release(shown);
        }
    }

    /// Whatever the word becomes that has begun, it is none.
    fn judge_half(&self) -> Heard {
        let half = words_of(&self.held).pop().unwrap_or_default();
        let before = &self.held[..self.held.len() - half.len()];
        let known = half.to_lowercase().replace('’', "'");
        let is_harmless = |text: &str| self.judge(text, false) == Heard::Harmless;
        let is_none = !known.ends_with('\'')
            && is_harmless(&self.held)
            && known_from(&known).all(|word| is_harmless(&format!("{before}{word}")));
        if is_none { Heard::Harmless } else { Heard::Open }
    }

    fn judge(&self, text: &str, is_whole: bool) -> Heard {
        let (is_knowing, is_mine, link) = (self.is_knowing, self.now.is_mine, self.now.link);
        let letter = if self.letter.is_open() { Tone::Letter } else { Tone::Plain };
        let came = if is_whole { Came::All } else { Came::Some };
        let (tone, is_early) = (self.now.tone.max(letter), self.now.led <= 2);
        judged(text, Reading { is_knowing, came, tone, is_mine, is_early, link })
    }

    fn release(&mut self, shown: &mut String) {
        for c in std::mem::take(&mut self.held).chars() {
            self.show(c, shown);
        }
    }

    /// What is held is not shown. Where its sentence had begun, it trails off.
    fn cut(&mut self, shown: &mut String) {
        self.held.clear();
        if self.now.led == 0 {
            self.seam.cut();
        } else {
            self.seam.pass('…', shown);
        }
    }

    fn show(&mut self, c: char, shown: &mut String) {
        self.seam.pass(c, shown);
        if !self.record.is_empty() && self.now.shown.len() <= LONGEST {
            self.now.shown.push(c);
        }
        if c.is_alphanumeric() || matches!(c, '\'' | '’') {
            if self.quotes == Quotes::Unsaid {
                self.quotes = Quotes::Closed;
            }
            if self.now.word.len() < LONGEST_WORD {
                self.now.word.extend(c.to_lowercase());
            }
            return;
        }
        let word = std::mem::take(&mut self.now.word).replace('’', "'");
        // Behind a comma stands a space, and it is the comma that matters.
        if !word.is_empty() || c != ' ' {
            self.now.last_sign = Some(c);
        }
        if !word.is_empty() {
            self.now.led += 1;
            self.now.doer = self.now.doer.after(&word, self.now.led);
            self.now.last_word.clone_from(&word);
            let word = word.as_str();
            let takes_back =
                word.ends_with("n't") || EXCUSES.contains(&word) || OFFERS.contains(&word);
            let tone = match takes_back {
                true => Tone::TakesBack,
                false if INVITES.contains(&word) => Tone::Invites,
                false => Tone::Plain,
            };
            self.now.tone = self.now.tone.max(tone);
        }
    }

    /// "… and I've sent it", "Tom has been invited".
    fn may_begin(&self, c: char) -> bool {
        let is_next = (1..=2).contains(&self.now.led);
        // "Dana's been told", "Dana's already been told".
        let is_short = || self.now.last_word.ends_with("'s") && matches!(c, 'a' | 'b' | 'j' | 'n');
        let begins = matches!(c, 'I' | 'W' | 'w') || is_next && (c == 'h' || is_short());
        begins && self.now.word.is_empty() && self.now.tone != Tone::TakesBack
    }

    /// How a word that begins now is joined to what I did before, where it is.
    fn link(&self) -> Option<Link> {
        let is_plain = self.now.tone == Tone::Plain && !self.letter.is_open();
        let link = || self.now.doer.link(&self.now.last_word, self.now.last_sign);
        (self.now.word.is_empty() && is_plain).then(link).flatten()
    }

    /// Nothing is held but marks.
    fn is_at_marks(&self) -> bool {
        self.held.chars().all(|c| is_markup(c) || c == ' ')
    }

    fn quote(&mut self, c: char) {
        let was_open = self.quotes == Quotes::Open;
        let in_word = self.last.is_some_and(char::is_alphanumeric);
        let is_open = match c {
            '“' | '„' => true,
            '”' | '\n' => false,
            '"' => !was_open && !in_word,
            _ => return,
        };
        if self.quotes == Quotes::Unsaid {
            return;
        }
        self.quotes = if is_open { Quotes::Open } else { Quotes::Closed };
        let is_whole = was_open && matches!(self.last, Some('.' | '!' | '?'));
        if (is_open || is_whole) && self.held.is_empty() {
            self.begin();
        }
    }

    /// Another sentence.
    fn begin(&mut self) {
        let is_told = self.quotes == Quotes::Open;
        self.state = if is_told { Heard::Harmless } else { Heard::Open };
        let tone = if is_told { Tone::TakesBack } else { Tone::Plain };
        self.now = Sentence { tone, ..Sentence::default() };
    }
}

#[cfg(test)]
mod tests;
