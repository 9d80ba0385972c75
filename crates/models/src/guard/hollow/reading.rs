//! A sentence as far as it has come, and what it may be.

use super::Stands;
use super::at_hand::{WAITS, is_for_yes};
use crate::guard::claim::LEADS;

pub const ADVERBS: [&str; 10] =
    ["just", "quickly", "first", "now", "also", "already", "quick", "gladly", "then", "briefly"];

/// What a sentence, as far as it has come, may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Open,
    Harmless,
    Stands(Stands),
}

/// Whether a sentence that is over speaks of a card or a draft as if it were there.
pub fn sounds_prepared(sentence: &str) -> bool {
    let lower = lowered(sentence);
    let words = words_of(&lower);
    let waits = words.iter().position(|word| WAITS.contains(word));
    let is_waiting = waits.is_some_and(|at| is_for_yes(&words[at + 1..]));
    let is_asked = sentence.trim_end().ends_with('?');
    !is_asked && (is_waiting || fit(sentence, true) == Fit::Stands(Stands::Card))
}

fn lowered(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

fn words_of(lower: &str) -> Vec<&str> {
    let words = lower.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-'));
    words.filter(|word| !word.is_empty()).collect()
}

pub fn fit(sentence: &str, is_whole: bool) -> Fit {
    let lower = lowered(sentence);
    // What follows a colon is what was found or drafted; what is asked stands for nothing.
    if lower.contains(':') || lower.trim_end().ends_with('?') || lower.contains(['"', '“']) {
        return Fit::Harmless;
    }
    let words = words_of(&lower);
    let leads = words.iter().take_while(|word| LEADS.contains(word)).count();
    let is_half = !is_whole && lower.ends_with(|c: char| c.is_alphanumeric() || c == '\'');
    let read = Read { words: &words[leads..], is_whole, is_half };
    match read.announces() {
        Fit::Harmless => {}
        fit => return fit,
    }
    // The last of those may be half of a word that is none, and half a word one of those.
    let may_lead = |word: &&str| LEADS.iter().any(|lead| lead.starts_with(*word));
    let is_lead = is_half
        && (leads == words.len() || words.len() == leads + 1 && words.last().is_some_and(may_lead));
    if is_lead || read.words.is_empty() && !is_whole { Fit::Open } else { read.prepares() }
}

/// Where a word leads.
pub enum Step<'a> {
    On(Read<'a>),
    /// Nothing stands there yet, or half of it.
    End,
    No,
}

/// A sentence as far as it has come.
#[derive(Clone, Copy)]
pub struct Read<'a> {
    pub words: &'a [&'a str],
    pub is_whole: bool,
    /// The last word may go on.
    pub is_half: bool,
}

impl<'a> Read<'a> {
    /// Past one of these words; none where another stands there.
    pub(super) fn past(self, known: &[&str]) -> Step<'a> {
        let Some(word) = self.words.first() else { return Step::End };
        if known.contains(word) && !(self.is_half && self.words.len() == 1) {
            return Step::On(Self { words: &self.words[1..], ..self });
        }
        let may_become = self.is_half
            && self.words.len() == 1
            && known.iter().any(|known| known.starts_with(word));
        if may_become { Step::End } else { Step::No }
    }

    pub(super) fn past_adverbs(self) -> Self {
        let more = self.words.iter().take_while(|word| ADVERBS.contains(word)).count();
        let words = &self.words[more..];
        // "I'll quick" may become anything.
        let is_at_one = words.is_empty() && more > 0;
        Self { words, is_half: self.is_half && !is_at_one, ..self }
    }

    /// Without the word that has only begun.
    pub(super) fn whole<'b, 'c>(self, words: &'b [&'c str]) -> &'b [&'c str] {
        if self.is_half { &words[..words.len().saturating_sub(1)] } else { words }
    }

    pub(super) fn open(self) -> Fit {
        if self.is_whole { Fit::Harmless } else { Fit::Open }
    }

    /// One after the other: the first of them that it may be.
    pub(super) fn any(self, ways: &[fn(Self) -> Fit]) -> Fit {
        let mut open = Fit::Harmless;
        for way in ways {
            match way(self) {
                Fit::Harmless => {}
                Fit::Open => open = Fit::Open,
                stands @ Fit::Stands(_) => return stands,
            }
        }
        open
    }
}
