//! Cuts a text that is still being written into what can be said already.
//!
//! The first clause goes out as soon as it is whole, so that the voice begins
//! while the rest is being written; later ones are whole sentences, because a
//! sentence said at once sounds better.

use std::ops::Range;

use super::spoken::spoken;
use crate::sentence;

/// A piece of the text to be said in one breath.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub text: String,
    /// Where in the whole text it stands, in bytes.
    pub at: Range<usize>,
    /// What comes behind it.
    pub breath: Breath,
}

/// The pause behind a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breath {
    Comma,
    FullStop,
    Paragraph,
}

impl Breath {
    pub fn ms(self) -> u64 {
        match self {
            Self::Comma => 160,
            Self::FullStop => 320,
            Self::Paragraph => 560,
        }
    }
}

/// So short a first clause sounds torn off, and so short a rest too.
const FEWEST_WORDS: usize = 3;
/// A sentence longer than this is said in parts, or it would have to be waited for.
const LONGEST: usize = 220;

/// The text of one message, arriving.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    text: String,
    /// Bytes of the message that stand before this text.
    before: usize,
    given: usize,
    any: bool,
}

impl Clauses {
    /// Of a message of which so many bytes are not to be said.
    pub fn behind(before: usize) -> Self {
        Self { before, ..Self::default() }
    }

    /// All clauses of a finished text.
    pub fn of(text: &str) -> Vec<Clause> {
        let mut clauses = Self::default();
        let mut all = clauses.push(text);
        all.extend(clauses.finish());
        all
    }

    /// More text came; what can be said now.
    pub fn push(&mut self, more: &str) -> Vec<Clause> {
        self.text.push_str(more);
        self.whole_ones(false)
    }

    /// No more text comes; the rest.
    pub fn finish(&mut self) -> Vec<Clause> {
        let rest = self.whole_ones(true);
        *self = Self::default();
        rest
    }

    fn whole_ones(&mut self, finished: bool) -> Vec<Clause> {
        let mut out = Vec::new();
        while let Some(end) = self.next_end(finished) {
            out.extend(self.cut(end));
        }
        out
    }

    fn cut(&mut self, end: usize) -> Option<Clause> {
        let raw = &self.text[self.given..end];
        let (front, text) = (raw.len() - raw.trim_start().len(), raw.trim());
        let start = self.before + self.given + front;
        let breath = if raw.trim_end_matches([' ', '\t', '\r']).ends_with('\n') {
            Breath::Paragraph
        } else if text.ends_with(['.', '!', '?', '…', '"', ')', '”']) {
            Breath::FullStop
        } else {
            Breath::Comma
        };
        self.given = end;
        // A sign alone is said too: "Which one? €."
        let said = text.chars().any(char::is_alphanumeric) || !spoken(text, 0).is_empty();
        self.any |= said;
        said.then(|| Clause { text: text.to_owned(), at: start..start + text.len(), breath })
    }

    /// Where the next clause ends, if it is whole.
    fn next_end(&self, finished: bool) -> Option<usize> {
        let rest = &self.text[self.given..];
        let body = rest.trim_start();
        let start = self.given + rest.len() - body.len();
        // What may still come decides whether a full stop ends a sentence.
        let probe = if finished { body.to_owned() } else { format!("{body}X") };
        let first = sentence::split(&probe).next()?.trim_end();
        if !self.any || first.len() > LONGEST {
            let known = &first[..first.len().min(body.len())];
            if let Some(end) = early_end(known, if self.any { LONGEST / 2 } else { 0 }) {
                return Some(start + end);
            }
        }
        if first.len() > body.len() || !finished && first.len() == probe.len() {
            return None;
        }
        let after = &body[first.len()..];
        let line_ends = after.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let to_line_end = after.find('\n').map_or(0, |at| at + 1);
        Some(start + first.len() + if line_ends { to_line_end } else { 0 })
    }
}

/// Where a part of the sentence can be said before the rest is known.
fn early_end(sentence: &str, at_least: usize) -> Option<usize> {
    sentence.match_indices([',', ';', ':', '—', '–']).map(|(at, mark)| at + mark.len()).find(
        |end| {
            let (front, rest) = sentence.split_at(*end);
            let enough = |part: &str| part.split_whitespace().count() >= FEWEST_WORDS;
            *end >= at_least
                && rest.starts_with(char::is_whitespace)
                && enough(front)
                && enough(rest)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(clauses: &[Clause]) -> Vec<&str> {
        clauses.iter().map(|clause| clause.text.as_str()).collect()
    }

    #[test]
    fn the_first_clause_goes_out_while_the_rest_is_written() {
        let mut clauses = Clauses::default();
        let mut out = Vec::new();
        for (delta, so_far) in [
            ("You have two ", 0),
            ("meetings, the first", 0),
            (" one is", 1),
            (" at nine, then lunch with Tom", 1),
            (". Shall", 2),
            (" I?", 2),
        ] {
            out.extend(clauses.push(delta));
            assert_eq!(out.len(), so_far, "{delta}");
        }
        out.extend(clauses.finish());
        assert_eq!(
            texts(&out),
            [
                "You have two meetings,",
                "the first one is at nine, then lunch with Tom.",
                "Shall I?"
            ]
        );
        let breaths: Vec<Breath> = out.iter().map(|clause| clause.breath).collect();
        assert_eq!(breaths, [Breath::Comma, Breath::FullStop, Breath::FullStop]);
    }

    #[test]
    fn every_clause_stands_where_it_says_and_nothing_is_lost() {
        let text =
            " Okay, sure. Dr. Ruiz pays $4.50 at 3 p.m.\n\n- one\n- two 🎉\n\nDone — really…  ";
        let clauses = Clauses::of(text);
        for clause in &clauses {
            assert_eq!(&text[clause.at.clone()], clause.text);
        }
        let squeezed = |s: &str| s.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        assert_eq!(squeezed(&texts(&clauses).concat()), squeezed(text));
    }

    #[test]
    fn a_sign_alone_is_said_and_an_emoji_alone_is_not() {
        assert_eq!(texts(&Clauses::of("Which one? €.")), ["Which one?", "€."]);
        assert_eq!(texts(&Clauses::of("Done. 🎉")), ["Done."]);
    }

    #[test]
    fn letter_by_letter_gives_what_a_whole_text_gives() {
        let text =
            "I moved the call to Friday, and Priya knows. The rest stays as it is! Good?\nBye.";
        let mut clauses = Clauses::default();
        let mut out: Vec<Clause> =
            text.chars().flat_map(|c| clauses.push(&c.to_string())).collect();
        out.extend(clauses.finish());
        assert_eq!(texts(&out).concat(), texts(&Clauses::of(text)).concat());
    }

    #[test]
    fn a_very_long_sentence_is_said_in_parts() {
        let text =
            "Yes. ".to_owned() + &"the list of open questions, ".repeat(20) + "and that is all.";
        let clauses = Clauses::of(&text);
        assert!(clauses.iter().all(|clause| clause.text.len() <= LONGEST), "{clauses:?}");
    }
}
