//! Who is to come: names, lists and pronouns behind "with" and "invite".

use std::ops::Range;

use super::{Draft, OF_PEOPLE};
use crate::focus::{Awaited, Missing};
use crate::reflex::refer::{Company, PRONOUNS, Referent};
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::reflex::{Meaning, Want, which};

impl Draft<'_> {
    /// "With her, Tom and Ana", "and invite Lena".
    pub(super) fn guests(&mut self) {
        let links = (0..self.words.len())
            .filter(|&at| {
                let leads = at == 0 && is_any(self.text(at), OF_PEOPLE);
                let link = is_any(self.text(at), &["with", "invite", "inviting"]);
                self.is_free(at) && (link && self.text(at.wrapping_sub(1)) != "meet" || leads)
            })
            .collect::<Vec<_>>();
        for at in links {
            // "Meet with Tom"
            let with = self.text(at) == "meet" && self.text(at + 1) == "with";
            let first = at + 1 + usize::from(with);
            let both = self.text(first) == "both" && self.is_free(first);
            // "With both", and nobody named behind it: the two spoken of before.
            if both && !self.is_named(first + 1) {
                self.pronouns.push(first);
                continue;
            }
            if both {
                self.take(first..first + 1);
            }
            let first = first + usize::from(both);
            let mut next = first;
            while let Some(end) = self.guest(next, next == first) {
                let and = usize::from(self.text(end) == "and" && self.is_free(end));
                let comma = self.words[end - 1].stop == Some(',')
                    || whom::is_joined(self.words, end, self.heard);
                next = end;
                if and + usize::from(comma) == 0 || !self.is_named(end + and) {
                    self.note_stranger(end + and, and == 1);
                    break;
                }
                next = end + and;
            }
            if self.text(at) != "with" {
                let before = usize::from(at > 0 && self.text(at - 1) == "and");
                self.take(at - before..next);
            }
        }
    }

    /// "With Yuki and Bob": Bob is to come too, and has to be reached for that.
    fn note_stranger(&mut self, at: usize, behind_and: bool) {
        let Some((whom @ Whom::Stranger(_), used)) =
            whom::at(self.words, at, self.heard, self.world)
        else {
            return;
        };
        let written = self.heard[self.words[at].start..].starts_with(char::is_uppercase);
        let shouted = !self.heard.chars().any(char::is_lowercase);
        if behind_and && written && !shouted && (at..at + used).all(|at| self.is_free(at)) {
            self.strangers.push((whom, at..at + used));
        }
    }

    /// "Without Tom": he was not asked, and is no part of the name.
    pub(super) fn left_out(&mut self) {
        for at in 0..self.words.len() {
            let leads: [&[&str]; 7] = [
                &["but", "not"],
                &["not"],
                &["without"],
                &["except"],
                &["do", "not", "invite"],
                &["do", "not", "add"],
                &["do", "not", "include"],
            ];
            let here = |lead: &&[&str]| {
                lead.iter()
                    .enumerate()
                    .all(|(ahead, text)| self.is_free(at + ahead) && self.text(at + ahead) == *text)
            };
            let Some(used) = leads.iter().find(|lead| here(lead)).map(|lead| lead.len()) else {
                continue;
            };
            if !self.is_named(at + used) {
                continue;
            }
            let (_, end) = whom::list(self.words, at + used, self.heard, self.world);
            let link = at > 0 && is_any(self.text(at - 1), &["but", "and"]) && self.is_free(at - 1);
            self.take(at - usize::from(link)..end);
        }
    }

    /// "Schedule a meeting with": nobody was named any more.
    pub(super) fn wants_guest(&self) -> Option<Meaning> {
        let last = self.words.last().filter(|last| last.is("with") && !last.quoted)?;
        Some(Meaning::Want(Want {
            question: "Who is it with?".to_owned(),
            awaited: Awaited {
                what: Missing::Address,
                before: format!("{} ", &self.heard[..last.end]),
                after: self.heard[last.end..].to_owned(),
                day: None,
                instead_of: None,
            },
        }))
    }

    /// One guest from this place on, and where the next could stand. Only the
    /// first may be a stranger: "with Zoe and dinner after".
    pub(super) fn guest(&mut self, at: usize, first: bool) -> Option<usize> {
        if !self.is_free(at) {
            return None;
        }
        if is_any(self.text(at), PRONOUNS) {
            self.pronouns.push(at);
            return Some(at + 1);
        }
        let (whom, used) = whom::at(self.words, at, self.heard, self.world)?;
        if matches!(whom, Whom::Stranger(_)) && !first {
            return None;
        }
        self.people.push((whom, at..at + used));
        Some(at + used)
    }

    pub(super) fn is_named(&self, at: usize) -> bool {
        let named = whom::at(self.words, at, self.heard, self.world);
        self.is_free(at)
            && (is_any(self.text(at), PRONOUNS)
                || matches!(named, Some((whom, _)) if !matches!(whom, Whom::Stranger(_))))
    }

    /// Puts people where "her" and "them" stand.
    pub(super) fn refer(&mut self, company: &mut Company<'_>) -> Result<(), Box<Meaning>> {
        for at in std::mem::take(&mut self.pronouns) {
            let word = &self.words[at];
            let beside: Vec<Whom> = self.people.iter().map(|(whom, _)| whom.clone()).collect();
            let pronoun = if word.is("both") { "them" } else { word.text.as_str() };
            match company.of(pronoun, &beside) {
                Referent::One(whom) => {
                    company.meant(pronoun, whom.clone());
                    self.people.push((whom, at..at + 1));
                }
                Referent::All(people) => {
                    self.people.extend(people.into_iter().map(|whom| (whom, at..at + 1)));
                }
                open => return Err(Box::new(company.open(open, word))),
            }
        }
        self.people.sort_by_key(|(_, places)| places.start);
        Ok(())
    }

    pub(super) fn is_guest(&self, at: usize) -> bool {
        self.people.iter().any(|(_, places)| places.contains(&at))
    }

    /// Two of one name.
    pub(super) fn which_guest(&self) -> Option<Meaning> {
        let span =
            |places: &Range<usize>| self.words[places.start].start..self.words[places.end - 1].end;
        let open = self.people.iter().filter_map(|(whom, places)| whom.open(span(places)));
        which::asked(&open.collect::<Vec<_>>(), self.heard, self.world)
    }

    /// Whoever is to be invited has to be reached.
    pub(super) fn wants_address(&self) -> Option<Meaning> {
        let invites = |at: usize| is_any(self.text(at), &["invite", "inviting"]);
        let everybody = (0..self.words.len()).any(invites);
        let invited = self.people.iter().filter(|_| everybody);
        let span =
            |places: &Range<usize>| self.words[places.start].start..self.words[places.end - 1].end;
        let unreachable = invited.chain(&self.strangers).find_map(|(whom, places)| {
            let Whom::Stranger(name) = whom else { return None };
            Some(whom::unreachable(name, &span(places), self.heard, self.world))
        });
        // "With Omer": nobody else has to be reached, but he may be Omar.
        let misheard = || {
            self.people.iter().find_map(|(whom, places)| {
                let Whom::Stranger(name) = whom else { return None };
                whom::taken_for(name, &span(places), self.heard, self.world)
            })
        };
        unreachable.or_else(misheard)
    }
}
