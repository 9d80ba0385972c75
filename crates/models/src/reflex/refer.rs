//! Whom "him", "her" and "them" stand for.
//!
//! Somebody named in the same sentence comes before whoever wrote the mail at
//! hand, that one before the others of the list, and those before somebody
//! spoken of a moment ago. The first of these circles that anybody fits in
//! decides. Several who fit are a question: nobody is picked.

use brain::facts::Person;
use brain::resolve::people;
use brain::resolve::words::{Word, words};

use super::whom::{self, Whom};
use super::{Meaning, Question, Want};
use crate::World;
use crate::focus::{Awaited, Missing, Unclear};

/// As many as have a key of their own.
const MOST_CHOICES: usize = 9;

pub const PRONOUNS: &[&str] = &["him", "her", "them"];

/// Whom a sentence has spoken of so far.
pub struct Company<'a> {
    pub heard: &'a str,
    pub world: &'a World,
    /// The sentence up to the request that is read now.
    pub before: &'a [Word],
    /// Mail is to be looked through first, by an earlier part of the sentence.
    pub mail_to_come: bool,
    meant: Vec<(String, Whom)>,
}

/// Who a pronoun stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Referent {
    One(Whom),
    /// "Them": all of these.
    All(Vec<Whom>),
    /// It could be any of these.
    OneOf(Vec<Whom>),
    /// Whoever wrote; one has to look first.
    Later,
    Nobody,
}

impl<'a> Company<'a> {
    pub fn new(heard: &'a str, world: &'a World) -> Self {
        Self { heard, world, before: &[], mail_to_come: false, meant: Vec::new() }
    }

    /// From now on "him" is this one, and "her" is somebody else.
    pub fn meant(&mut self, pronoun: &str, whom: Whom) {
        self.meant.push((pronoun.to_owned(), whom));
    }

    /// Who is meant, apart from those who are named beside it.
    pub fn of(&self, pronoun: &str, beside: &[Whom]) -> Referent {
        if let Some((_, whom)) = self.meant.iter().rev().find(|(said, _)| said == pronoun) {
            return Referent::One(whom.clone());
        }
        if let Some(unclear) = self.last_named(pronoun) {
            return unclear;
        }
        let named = self.fitting(pronoun, beside, self.named(self.before, self.heard));
        if pronoun == "them" && named.len() > 1 {
            return Referent::All(named);
        }
        if let Some(found) = decided(named) {
            return found;
        }
        if self.mail_to_come {
            return Referent::Later;
        }
        let focus = &self.world.focus;
        let at_hand = focus.this_letter().map(|letter| &letter.from);
        let listed = focus.letters.iter().map(|letter| &letter.from);
        let recent = focus.recent.as_deref().unwrap_or_default();
        let met = focus.meeting.iter().flat_map(|meeting| &meeting.attendees);
        [
            self.persons(at_hand),
            self.persons(listed),
            self.named(&words(recent), recent),
            self.persons(met),
        ]
        .into_iter()
        .find_map(|circle| decided(self.fitting(pronoun, beside, circle)))
        .unwrap_or(Referent::Nobody)
    }

    /// What stands in the way when it is not one person, or all of them.
    pub fn open(&self, referent: Referent, pronoun: &Word) -> Meaning {
        let span = pronoun.start..pronoun.end;
        match referent {
            Referent::OneOf(people) => {
                let choice = |whom: &Whom| (whom.name(), self.spelled(whom));
                let choices = people.iter().take(MOST_CHOICES).map(choice).collect();
                let lead = format!("Who is “{}”", pronoun.text);
                Meaning::Ask(Question {
                    about: Unclear::Recipient,
                    lead: Some(lead),
                    span,
                    choices,
                })
            }
            Referent::Later => Meaning::Later { lookups: Vec::new(), missing: "recipient_email" },
            Referent::One(_) | Referent::All(_) | Referent::Nobody => Meaning::Want(Want {
                question: format!("Who do you mean by “{}”?", pronoun.text),
                awaited: Awaited {
                    what: Missing::Address,
                    before: self.heard[..span.start].to_owned(),
                    after: self.heard[span.end..].to_owned(),
                    day: None,
                },
            }),
        }
    }

    fn spelled(&self, whom: &Whom) -> String {
        let name = whom.name();
        whom.address().map_or(name.clone(), |address| spelled(&name, address, self.world))
    }

    /// Somebody who was just named and could be several people, or nobody we
    /// could reach: then nobody else is meant either.
    fn last_named(&self, pronoun: &str) -> Option<Referent> {
        let people = (0..self.before.len()).rev().filter(|&at| self.introduces(at));
        let mut named = people.filter_map(|at| whom::at(self.before, at, self.heard, self.world));
        match named.next()?.0 {
            Whom::OneOf(names) => {
                let whom = |name: &String| {
                    let contact = self.world.contacts.iter().find(|one| one.name == *name)?;
                    contact.answers_to(pronoun).then(|| Whom::Known {
                        name: contact.name.clone(),
                        short: contact.short().to_owned(),
                        address: contact.address.clone(),
                        heard: None,
                    })
                };
                decided(names.iter().filter_map(whom).collect())
            }
            Whom::Stranger(_) => Some(Referent::Nobody),
            Whom::Address(address) => Some(Referent::One(Whom::Address(address))),
            Whom::Known { .. } => None,
        }
    }

    /// A name stands behind these: "with Zoe", "email Zoe".
    fn introduces(&self, at: usize) -> bool {
        const BEFORE: &[&str] =
            &["with", "to", "from", "email", "mail", "tell", "ask", "invite", "meet", "did"];
        let before = at.checked_sub(1).and_then(|before| self.before.get(before));
        before.is_some_and(|before| BEFORE.contains(&before.text.as_str()))
    }

    /// Contacts who are named in these words.
    fn named(&self, words: &[Word], heard: &str) -> Vec<Whom> {
        let known = |at| match whom::at(words, at, heard, self.world) {
            Some((whom @ Whom::Known { .. }, _)) => Some(whom),
            _ => None,
        };
        (0..words.len()).filter_map(known).collect()
    }

    /// Without those who are no person: shops write too.
    fn persons<'p>(&self, persons: impl IntoIterator<Item = &'p Person>) -> Vec<Whom> {
        let mine = self.world.profile.address.as_deref().unwrap_or_default();
        let others =
            persons.into_iter().filter(|person| !person.address.eq_ignore_ascii_case(mine));
        let all = others.map(|person| (is_like_a_person(person), self.whom(person)));
        let (people, rest): (Vec<_>, Vec<_>) =
            all.partition(|(personal, whom)| *personal || self.is_contact(whom));
        let kept = if people.is_empty() { rest } else { people };
        kept.into_iter().map(|(_, whom)| whom).collect()
    }

    fn whom(&self, person: &Person) -> Whom {
        let mut contacts = self.world.contacts.iter();
        let contact = contacts.find(|one| one.address.eq_ignore_ascii_case(&person.address));
        let (name, short) = match contact {
            Some(contact) => (contact.name.clone(), contact.short().to_owned()),
            None => (person.called().to_owned(), person.called().to_owned()),
        };
        Whom::Known { name, short, address: person.address.clone(), heard: None }
    }

    fn is_contact(&self, whom: &Whom) -> bool {
        let mut contacts = self.world.contacts.iter();
        contacts.any(|one| whom.is_at(&one.address))
    }

    /// Each once, without those who cannot be meant.
    fn fitting(&self, pronoun: &str, beside: &[Whom], circle: Vec<Whom>) -> Vec<Whom> {
        let mut found: Vec<Whom> = Vec::new();
        for whom in circle {
            let answers = self
                .world
                .contacts
                .iter()
                .filter(|one| whom.is_at(&one.address))
                .all(|one| one.answers_to(pronoun));
            let is_other = |one: &Whom| one.address().is_some_and(|address| whom.is_at(address));
            let is_taken =
                self.meant.iter().any(|(_, other)| is_other(other)) || beside.iter().any(is_other);
            if answers && !is_taken && !found.iter().any(is_other) {
                found.push(whom);
            }
        }
        found
    }
}

/// "Jan Weber" may be somebody; "Quickpost" and "The Daily Filament" are not.
fn is_like_a_person(person: &Person) -> bool {
    const DESKS: &[&str] = &[
        "info", "news", "hello", "noreply", "no-reply", "team", "office", "desk", "support",
        "bookings", "orders", "accounts", "parcels", "people", "security", "till", "runners",
    ];
    let desk = person.address.split('@').next().unwrap_or_default().to_lowercase();
    let words = person.name.as_deref().unwrap_or_default().split_whitespace().count();
    words == 2 && !DESKS.contains(&desk.as_str())
}

/// As a sentence would name them beyond doubt.
pub fn spelled(name: &str, address: &str, world: &World) -> String {
    match people::known(name, &world.contacts).as_slice() {
        [one] if one.contact.address.eq_ignore_ascii_case(address) => name.to_owned(),
        _ => address.to_owned(),
    }
}

fn decided(mut found: Vec<Whom>) -> Option<Referent> {
    match found.len() {
        0 => None,
        1 => found.pop().map(Referent::One),
        _ => Some(Referent::OneOf(found)),
    }
}

#[cfg(test)]
#[path = "refer_tests.rs"]
mod tests;
