//! What it is called: the words nobody else took, or what has to be asked.

use std::ops::Range;

use brain::resolve::time;
use brain::resolve::words::Word;

use super::unspoken::MEALS;
use super::{Draft, OF_PEOPLE};
use crate::focus::{Awaited, Missing};
use crate::narrator::spelling::list;
use crate::reflex::vocabulary::{EMPTY, is_any};
use crate::reflex::whom::{self, Whom};
use crate::reflex::{Meaning, Want, phrasing, slips};

impl Draft<'_> {
    /// "Call it budget review", "titled Q1 hiring": up to what says anything else.
    pub(super) fn named(&mut self) {
        let marks: &[&[&str]] = &[
            &["and", "call", "it"],
            &["call", "it"],
            &["and", "name", "it"],
            &["name", "it"],
            &["title", "it"],
            &["topic", "is"],
            &["the", "topic", "is"],
            &["subject", "is"],
            &["the", "subject", "is"],
            &["title", "is"],
            &["the", "title", "is"],
            &["subject"],
            &["topic"],
            &["called"],
            &["titled"],
            &["named"],
            &["entitled"],
        ];
        let here = |at: usize, mark: &[&str]| {
            mark.iter()
                .enumerate()
                .all(|(ahead, text)| self.is_free(at + ahead) && self.text(at + ahead) == *text)
        };
        let found = (1..self.words.len())
            .find_map(|at| Some((at, marks.iter().find(|mark| here(at, mark))?.len())));
        let Some((at, used)) = found else { return };
        let start = at + used;
        // "Called off by Ana" is no name.
        if is_any(self.text(start), &["off", "by", "for", "in"]) {
            return;
        }
        let ends = |place: &usize| {
            let goes_on = ["with", "make", "and", "at", "on", "for", "invite"];
            let quoted = self.words[start].quoted;
            !self.is_free(*place)
                || quoted != self.words[*place].quoted
                || *place > start && self.words[*place - 1].stop.is_some()
                || *place > start && is_any(self.text(*place), &goes_on) && !quoted
        };
        let end = (start..self.words.len()).find(ends).unwrap_or(self.words.len());
        if end > start {
            let name = &self.heard[self.words[start].start..self.words[end - 1].end];
            self.name = Some(phrasing::capital(name));
            self.take(at..end);
        }
    }

    /// Something said about it, behind a pause or in the middle of the sentence.
    fn is_remark(&self, at: usize) -> bool {
        let paused = at > 0 && self.words[at - 1].stop == Some(',');
        let behind = |texts: &[&str]| is_any(self.text(at + 1), texts);
        match self.text(at) {
            "like" => !self.is_free(at + 1) || behind(&["around", "at", "about"]),
            "it" | "that" | "this" => {
                behind(&["starts", "begins", "is", "should", "will", "takes", "lasts", "ends"])
            }
            "is" => behind(&["better", "best", "fine", "ok", "good", "preferred", "great"]),
            "nothing" | "anything" | "whatever" | "whenever" | "sometime" | "ideally" => paused,
            _ => false,
        }
    }

    /// "Lunch with Tom": the words nobody else took, people by their names.
    pub(super) fn title(&self, blocks: bool, written: &[Word]) -> Option<String> {
        if self.name.is_some() {
            return self.name.clone();
        }
        let quoted: Vec<&Word> = self.words.iter().filter(|word| word.quoted).collect();
        if let (Some(first), Some(last)) = (quoted.first(), quoted.last()) {
            return Some(self.heard[first.start..last.end].to_owned());
        }
        let mut pieces: Vec<String> = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            let here = |(_, places): &&(Whom, Range<usize>)| places.start == at;
            let all: Vec<_> = self.people.iter().filter(here).collect();
            if let Some((_, places)) = all.first().filter(|_| self.is_free(at)) {
                let comma = self.words[places.end - 1].stop == Some(',');
                let joined = whom::is_joined(self.words, places.end, self.heard);
                let comma = match self.is_guest(places.end) {
                    true if joined => " and",
                    true if comma => ",",
                    _ => "",
                };
                // "Them" stands for several.
                let names: Vec<String> = all.iter().map(|(whom, _)| whom.short()).collect();
                pieces.push(format!("{}{comma}", list(&names, 0)));
                at = places.end;
                continue;
            }
            let word = &self.words[at];
            // "…, nothing fancy", "…, it starts at seven": said about it, and no name.
            if self.is_free(at) && self.is_remark(at) {
                break;
            }
            let same = at > 0 && self.words[at - 1].start == word.start;
            if self.is_free(at) && !same && !word.is("sometime") {
                pieces.push(slips::whole(&self.heard[word.start..word.end]).to_owned());
            }
            at += 1;
        }
        let pieces = trimmed(&pieces);
        // Something was taken back, and nobody knows what.
        if says_otherwise(pieces) {
            return None;
        }
        let title = phrasing::capital(&pieces.join(" "));
        if is_any(self.text(0), OF_PEOPLE) {
            let names: Vec<String> = self.people.iter().map(|(whom, _)| whom.short()).collect();
            let what = if title.is_empty() { "Meeting" } else { &title };
            return Some(format!("{what} with {}", list(&names, 0)));
        }
        let with_only = pieces.first().is_some_and(|first| first.eq_ignore_ascii_case("with"));
        if with_only {
            return Some(format!("Meeting {}", pieces.join(" ")));
        }
        if title.is_empty() && blocks {
            return Some("Busy".to_owned());
        }
        // "Book the three of us": a number is no name.
        if time::is_number_word(&title.to_lowercase()) {
            return None;
        }
        if !title.is_empty() {
            return Some(title);
        }
        // "And put it on my calendar", beside a mail to Priya.
        let named = written.iter().enumerate().find_map(|(at, _)| {
            let (found, end) = whom::list(written, at, self.heard, self.world);
            let known = |one: &Whom| matches!(one, Whom::Known { .. });
            (!found.is_empty() && found.iter().all(known)).then_some((found, end))
        });
        // "Tell her Thursday at three is fine and book it": whoever wrote the mail at hand.
        let Some((people, _)) = named else {
            let letter = self.world.focus.this_letter().filter(|_| !written.is_empty())?;
            let name = letter.from.called();
            return Some(format!("Meeting with {}", name.split(' ').next().unwrap_or(name)));
        };
        // "Tell Tom dinner is at 8 and book it"
        let is_told = |pair: &&[Word]| {
            is_any(&pair[0].text, MEALS) && is_any(&pair[1].text, &["is", "'s", "at", "on"])
        };
        let meal = written.windows(2).find(is_told).map(|pair| phrasing::capital(&pair[0].text));
        let what = meal.unwrap_or_else(|| "Meeting".to_owned());
        let names: Vec<String> = people.iter().map(Whom::short).collect();
        Some(format!("{what} with {}", list(&names, 0)))
    }

    pub(super) fn wants_title(&self, verb: usize) -> Meaning {
        let end = self.words[verb - 1].end;
        // "It" gives way to the name.
        let it = (verb..self.words.len()).find(|&at| matches!(self.text(at), "it" | "that"));
        let rest = it.filter(|&at| at == verb).map_or(end, |at| self.words[at].end);
        let awaited = Awaited {
            what: Missing::Title,
            before: self.heard[..end].to_owned(),
            after: self.heard[rest..].trim_end_matches(['.', '?', '!']).to_owned(),
            day: None,
            instead_of: None,
        };
        Meaning::Want(Want { question: "What should it be called?".to_owned(), awaited })
    }
}

/// "Scratch that", "I mean": no part of a name.
fn says_otherwise(pieces: &[String]) -> bool {
    let lower: Vec<String> = pieces.iter().map(|piece| piece.to_lowercase()).collect();
    lower.windows(2).any(|pair| {
        matches!(
            (pair[0].as_str(), pair[1].as_str()),
            ("scratch" | "strike", "that")
                | ("i", "mean" | "meant")
                | ("no", "wait")
                | ("wait", "no")
        )
    })
}

/// "Up" belongs to these.
const UPS: [&str; 6] = ["follow", "catch", "meet", "check", "stand", "wrap"];

/// Without the little words around it.
fn trimmed(pieces: &[String]) -> &[String] {
    let little = |piece: &String| {
        let lower = piece.to_lowercase();
        is_any(&lower, EMPTY) && !is_any(&lower, &["with", "catch", "run", "check", "date"])
            || is_any(&lower, &["for", "called", "titled", "named", "calendar", "event", "entry"])
    };
    let mut pieces = pieces;
    // "Go live party" is a name, "go to the gym" is not.
    let goes = |pieces: &[String]| matches!(pieces, [go, next, ..] if go == "go" && !is_any(next, &["to", "for", "see", "and"]));
    while let [first, rest @ ..] = pieces
        && little(first)
        && !goes(pieces)
    {
        pieces = rest;
    }
    while let [rest @ .., last] = pieces
        && (little(last) || last.eq_ignore_ascii_case("with"))
        && !rest.last().is_some_and(|before| is_any(&before.to_lowercase(), &UPS) && last == "up")
    {
        pieces = rest;
    }
    pieces
}
