//! One clause with its parts marked: when, about what, who, and what is left.
//!
//! Every rule takes the words it understands; what nobody took is either a
//! word to search for or the sign that the clause was not understood.

use std::ops::Range;

use brain::resolve::time::{self, Lean, Reading, When};
use brain::resolve::words::Word;
use jiff::Zoned;

use super::vocabulary::{EMPTY, MAIL, SAYS, WRITES, is_any};
use crate::World;

#[derive(Clone)]
pub struct Frame<'a> {
    pub world: &'a World,
    pub now: Zoned,
    pub texts: Vec<&'a str>,
    words: &'a [Word],
    taken: Vec<bool>,
    pub when: Option<When>,
    /// The words after "about".
    pub topic: Vec<&'a str>,
    /// What stood in quotation marks.
    pub phrases: Vec<String>,
}

const ABOUT: &[&str] =
    &["about", "regarding", "concerning", "re", "mentioning", "mention", "mentions", "mentioned"];

impl<'a> Frame<'a> {
    pub fn new(words: &'a [Word], world: &'a World) -> Self {
        let now = world.local_now();
        let mut frame = Self {
            world,
            when: time::find(words, &now, Lean::Ahead),
            now,
            texts: words.iter().map(|word| word.text.as_str()).collect(),
            words,
            taken: words.iter().map(|word| word.quoted).collect(),
            topic: Vec::new(),
            phrases: phrases(words),
        };
        if frame.speaks_about_a_day() {
            frame.when = None;
        }
        if let Some(when) = &frame.when {
            for at in when.words.clone() {
                frame.taken[at] = true;
            }
        }
        frame.take_topic();
        frame
    }

    /// In "did she say anything about Thursday" the day is what it is about,
    /// not when it was said.
    fn speaks_about_a_day(&self) -> bool {
        let Some(first) = self.when.as_ref().and_then(|when| when.words.first()) else {
            return false;
        };
        let about = first.checked_sub(1).filter(|before| is_any(self.texts[*before], ABOUT));
        let mail = self.has(MAIL) || self.has(SAYS) || self.has(WRITES);
        about.is_some_and(|about| !self.asks_after(about)) && mail
    }

    /// Up to the next time, person or end: "about the budget from Tom".
    fn take_topic(&mut self) {
        let Some(about) = (0..self.texts.len()).find(|&at| !self.taken[at] && self.is_about(at))
        else {
            return;
        };
        self.taken[about] = true;
        for at in about + 1..self.texts.len() {
            let text = self.texts[at];
            if self.taken[at] || matches!(text, "from" | "by" | "that" | "which" | "in" | "or") {
                break;
            }
            self.taken[at] = true;
            if !matches!(text, "the" | "my" | "our" | "a" | "an" | "any" | "his" | "her" | "'s") {
                self.topic.push(text);
            }
        }
    }

    /// "About", and the "on" of "the latest on".
    fn is_about(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |before| self.texts[before]);
        let latest = self.texts[at] == "on" && matches!(before, "latest" | "update" | "news");
        latest || (is_any(self.texts[at], ABOUT) && !self.asks_after(at))
    }

    /// "What about Friday" and "how about" are about nothing.
    fn asks_after(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| matches!(self.texts[before], "what" | "how"))
    }

    /// Mail has arrived: a bare Tuesday is the last one.
    pub fn look_back(&mut self) {
        if self.when.is_some() {
            self.when = time::find(self.words, &self.now, Lean::Back);
        }
    }

    /// What was read as a time is none; its words are free again.
    pub fn forget_when(&mut self) {
        if let Some(when) = self.when.take() {
            when.words.into_iter().for_each(|at| self.taken[at] = false);
        }
    }

    /// When something is wanted by, and not when it came: its words stay where they are.
    pub fn set_when_aside(&mut self) {
        self.when = None;
    }

    pub fn reading(&self) -> Option<&Reading> {
        self.when.as_ref().and_then(|when| when.readings.first())
    }

    /// Where these words stood in what was said, in bytes.
    pub fn span(&self, places: Range<usize>) -> Range<usize> {
        let words = &self.words[places];
        let start = words.first().map_or(0, |word| word.start);
        start..words.last().map_or(start, |word| word.end)
    }

    pub fn words(&self) -> &'a [Word] {
        self.words
    }

    pub fn is_taken(&self, at: usize) -> bool {
        self.taken[at]
    }

    pub fn take(&mut self, places: Range<usize>) {
        places.for_each(|at| self.taken[at] = true);
    }

    /// The first free place of any of these words.
    pub fn place_of(&self, list: &[&str]) -> Option<usize> {
        (0..self.texts.len()).find(|&at| !self.taken[at] && is_any(self.texts[at], list))
    }

    pub fn has(&self, list: &[&str]) -> bool {
        self.place_of(list).is_some()
    }

    /// Do these words stand beside each other, all of them free?
    pub fn says(&self, phrase: &[&str]) -> bool {
        self.place_of_phrase(phrase).is_some()
    }

    pub fn place_of_phrase(&self, phrase: &[&str]) -> Option<usize> {
        (0..(self.texts.len() + 1).saturating_sub(phrase.len())).find(|&at| {
            self.texts[at..at + phrase.len()] == *phrase
                && !self.taken[at..at + phrase.len()].contains(&true)
        })
    }

    pub fn starts(&self, phrase: &[&str]) -> bool {
        self.texts.starts_with(phrase)
    }

    pub fn starts_with_any(&self, words: &[&str]) -> bool {
        self.texts.first().is_some_and(|first| is_any(first, words))
    }

    /// Words with a meaning that nobody took and that are not in `known`.
    pub fn left_over(&self, known: &[&[&str]]) -> Vec<&'a str> {
        (0..self.texts.len())
            .filter(|&at| !self.taken[at])
            .map(|at| self.texts[at])
            .filter(|text| !is_any(text, EMPTY) && !known.iter().any(|list| is_any(text, list)))
            .collect()
    }

    /// Yes or no is asked for.
    pub fn asks_whether(&self) -> bool {
        self.starts_with_any(&[
            "is", "are", "am", "do", "does", "did", "have", "has", "any", "anything", "was", "got",
        ])
    }
}

fn phrases(words: &[Word]) -> Vec<String> {
    words
        .chunk_by(|a, b| a.quoted == b.quoted)
        .filter(|run| run[0].quoted)
        .map(|run| run.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
        .collect()
}
