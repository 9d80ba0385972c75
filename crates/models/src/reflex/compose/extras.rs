//! What stands beside the words of a mail: its subject, and who gets a copy.
//!
//! "Email Tom with subject Lunch that I'm late, cc Ana". None of it belongs to
//! the words, so it is taken out before they are read.

use std::ops::Range;

use brain::plan::ProposedStep;
use brain::resolve::words::Word;
use serde_json::json;

use crate::World;
use crate::gist::Chat;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::reflex::{Meaning, phrasing, which};

/// The request without them, and what they are.
#[derive(Debug, Default)]
pub struct Extras {
    pub request: Vec<Word>,
    subject: Option<String>,
    copies: Vec<Whom>,
    copied: Vec<Word>,
    /// Where those who get a copy are named, in bytes of the sentence.
    named: Range<usize>,
    hidden: bool,
}

const COPIES: &[&[&str]] = &[
    &["also", "cc"],
    &["also", "copy"],
    &["and", "copy"],
    &["and", "cc"],
    &["with", "a", "copy", "to"],
    &["with", "a", "copy", "for"],
    &["with", "cc", "to"],
    &["copying"],
    &["copy"],
    &["cc"],
];
const SUBJECTS: &[&[&str]] = &[
    &["and", "the", "subject"],
    &["with", "the", "subject", "line"],
    &["with", "the", "subject"],
    &["with", "a", "subject", "of"],
    &["with", "subject"],
    &["subject", "line"],
    &["subject"],
];
/// With these the words of a mail begin.
const LINKS: &[&str] =
    &["that", "saying", "say", "asking", "telling", "about", "regarding", "stating"];

/// Takes them out of a request that begins with its verb.
pub fn taken_out(heard: &str, request: &[Word], world: &World) -> Extras {
    let mut extras = Extras { request: request.to_vec(), ..Extras::default() };
    extras.take_copies(heard, world);
    extras.take_subject(heard, world);
    extras
}

impl Extras {
    /// The mail with them in it, or what has to be asked first.
    pub fn put_into(self, meaning: Meaning, heard: &str, world: &World) -> Meaning {
        if self.hidden {
            return Meaning::Chat(Chat::OutOfReach("send hidden copies"));
        }
        for whom in &self.copies {
            let span = whom::span_of(whom, &self.copied, &self.named, heard, world);
            match whom {
                Whom::OneOf(_) => {
                    let open: Vec<_> = whom.open(span).into_iter().collect();
                    if let Some(question) = which::asked(&open, heard, world) {
                        return question;
                    }
                }
                Whom::Stranger(name) => return whom::unreachable(name, &span, heard, world),
                Whom::Known { .. } | Whom::Address(_) => {}
            }
        }
        let Meaning::Look(mut lookups) = meaning else { return meaning };
        let steps = lookups.iter_mut().flat_map(|lookup| &mut lookup.steps);
        let written = |step: &&mut ProposedStep| {
            matches!(step.tool.as_str(), "gmail.send" | "gmail.create_draft")
        };
        let send = steps.filter(written).last();
        if let Some(args) = send.and_then(|send| send.args.as_object_mut()) {
            let copies: Vec<&str> = self.copies.iter().filter_map(Whom::address).collect();
            if !copies.is_empty() {
                args.insert("cc".to_owned(), json!(copies));
            }
            if let Some(subject) = self.subject {
                args.insert("subject".to_owned(), json!(subject));
            }
        }
        Meaning::Look(lookups)
    }

    fn take_copies(&mut self, heard: &str, world: &World) {
        for at in 1..self.request.len() {
            let Some(lead) = self.lead(COPIES, at) else { continue };
            let (people, end) = whom::list(&self.request, at + lead, heard, world);
            if people.is_empty() || !self.is_apart(at, end, heard, world) {
                continue;
            }
            let tail = usize::from(self.text(end) == "in" && self.text(at + lead - 1) == "copy");
            self.named = self.request[at + lead].start..self.request[end - 1].end;
            self.copies = people;
            self.copied = self.request[at + lead..end].to_vec();
            self.request.drain(at..end + tail);
            return;
        }
        let blind = |at: &usize| {
            let word = &self.request[*at];
            let named = whom::at(&self.request, at + 1, heard, world);
            word.is("bcc") && !word.quoted && named.is_some()
        };
        self.hidden = (1..self.request.len()).any(|at| blind(&at));
    }

    fn take_subject(&mut self, heard: &str, world: &World) {
        for at in 1..self.request.len() {
            let Some(lead) = self.lead(SUBJECTS, at) else { continue };
            let start = at + lead;
            let plain = self.request[at].is("subject");
            let ends_before = |word: &Word| word.stop.is_some();
            let body = (start..self.request.len()).any(|place| self.text(place) == "body");
            let marked = ends_before(&self.request[at - 1]) || self.colon_at(start, heard) || body;
            if start >= self.request.len() || plain && !marked {
                continue;
            }
            let end = if self.words_begin(heard, world) < at {
                self.request.len()
            } else {
                self.end(start, heard)
            };
            let (first, last) = (&self.request[start], &self.request[end - 1]);
            let subject = phrasing::capital(heard[first.start..last.end].trim());
            self.subject = Some(subject);
            self.request.drain(at..end);
            return;
        }
    }

    fn text(&self, at: usize) -> &str {
        self.request.get(at).filter(|word| !word.quoted).map_or("", |word| &word.text)
    }

    /// How many words one of these takes that stands here.
    fn lead(&self, leads: &[&[&str]], at: usize) -> Option<usize> {
        let here = |lead: &&&[&str]| {
            lead.iter().enumerate().all(|(ahead, text)| self.text(at + ahead) == *text)
        };
        leads.iter().find(here).map(|lead| lead.len())
    }

    /// The place at which the words of the mail are introduced.
    fn words_begin(&self, heard: &str, world: &World) -> usize {
        let known = |at| {
            use Whom::{Address, Known, OneOf};
            let named = whom::at(&self.request, at, heard, world);
            matches!(named, Some((Known { .. } | Address(_) | OneOf(_), _)))
        };
        let introduces = |at: &usize| {
            // "To Tom" is whom it is for, "to say" what.
            let to = self.text(*at) == "to" && !known(*at + 1);
            is_any(self.text(*at), LINKS) || to || self.colon_at(*at, heard)
        };
        (1..self.request.len()).find(introduces).unwrap_or(self.request.len())
    }

    /// Somebody's own "cc Ana", rather than a word of theirs: before the words,
    /// or behind them and behind a mark. "Tell Tom to cc Ana" is for Tom to do.
    fn is_apart(&self, at: usize, end: usize, heard: &str, world: &World) -> bool {
        let before = self.words_begin(heard, world) >= at;
        let tail = usize::from(self.text(end) == "in");
        let behind = end + tail == self.request.len();
        let marked = self.request[at - 1].stop.is_some();
        let joined = self.text(at) == "and" && !is_any(self.text(0), &["tell", "ask", "let"]);
        let says = self.text(end + tail);
        let introduces = is_any(says, LINKS) || is_any(says, &["and", "with", "to"]);
        let stopped = self.request[end - 1].stop.is_some() || self.colon_at(end, heard);
        behind && (marked || joined || before) || before && (introduces || stopped)
    }

    /// A colon stands before this place.
    fn colon_at(&self, at: usize, heard: &str) -> bool {
        let (Some(before), Some(word)) =
            (self.request.get(at.wrapping_sub(1)), self.request.get(at))
        else {
            return false;
        };
        heard.get(before.end..word.start).is_some_and(|gap| gap.contains(':'))
    }

    /// Where a subject ends that stands before the words: with its quotation
    /// marks, at a mark, or where they begin.
    fn end(&self, start: usize, heard: &str) -> usize {
        let quoted = self.request[start].quoted;
        let mut end = start + 1;
        while end < self.request.len() {
            let stops = if quoted {
                !self.request[end].quoted
            } else {
                self.request[end - 1].stop.is_some()
                    || self.colon_at(end, heard)
                    || is_any(self.text(end), &["that", "saying", "say", "asking", "telling"])
                    || self.text(end) == "body"
                    || self.text(end) == "and"
                        && is_any(self.text(end + 1), &["say", "tell", "body"])
            };
            if stops {
                break;
            }
            end += 1;
        }
        end
    }
}

#[cfg(test)]
#[path = "extras_tests.rs"]
mod tests;
