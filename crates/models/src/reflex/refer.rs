//! Whom "him", "her" and "them" stand for.
//!
//! Somebody named in the same sentence comes before whoever wrote the mail at
//! hand, that one before the others of the list, and those before somebody
//! spoken of a moment ago. The first of these circles that anybody fits in
//! decides. Several who fit are a question: nobody is picked.

use brain::facts::{Meeting, Person};
use brain::resolve::people;
use brain::resolve::time::{self, Lean, ordinal};
use brain::resolve::words::{Word, words};

use super::whom::{self, Whom};
use super::{Meaning, Question, Want};
use crate::World;
use crate::focus::{Awaited, Choice, Missing, Unclear};

/// As many as have a key of their own.
const MOST_CHOICES: usize = 9;

pub const PRONOUNS: &[&str] = &["him", "her", "them"];

/// Stands before a name that an answer put in the place of "him" or "her", where
/// the sentence speaks of the other one too: the words still say who is who.
const MARKS: [(&str, char); 2] = [("him", '♂'), ("her", '♀')];

/// Whom a sentence has spoken of so far.
pub struct Company<'a> {
    pub heard: &'a str,
    pub world: &'a World,
    /// The sentence up to the request that is read now.
    pub before: &'a [Word],
    /// Mail is to be looked through first, by an earlier part of the sentence.
    pub mail_to_come: bool,
    /// Who comes to a meeting is to be looked up first.
    pub meeting_to_come: bool,
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
        let meant = chosen(heard, world);
        let (mail_to_come, meeting_to_come) = (false, false);
        Self { heard, world, before: &[], mail_to_come, meeting_to_come, meant }
    }

    /// From now on "him" is this one, and "her" is somebody else.
    pub fn meant(&mut self, pronoun: &str, whom: Whom) {
        self.meant.push((pronoun.to_owned(), whom));
    }

    /// Whoever wrote what is answered is "them" from now on.
    pub fn wrote(&mut self, person: &Person) {
        let whom = self.whom(person);
        self.meant.push(("them".to_owned(), whom));
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
        if pronoun == "them" && self.meeting_to_come {
            return Referent::Later;
        }
        if pronoun == "them" && focus.letters.is_empty() {
            let met = self.fitting(pronoun, beside, self.persons(self.those_of_the_meeting()));
            if !met.is_empty() {
                return Referent::All(met);
            }
        }
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

    /// Who comes to the meeting that was just told of; of several, to any of them
    /// that has the same name.
    fn those_of_the_meeting(&self) -> &[Person] {
        let focus = &self.world.focus;
        let shown = focus.meetings.as_ref();
        let alike = shown.windows(2).all(|pair| pair[0].title == pair[1].title);
        // "What's on tomorrow, and who is in the review": told of twice, it is the one.
        let is_same = |one: &Meeting, other: &Meeting| one.event_id == other.event_id;
        let twice = || {
            let again = |one: &&Meeting| shown.iter().filter(|other| is_same(one, other)).count();
            let mut found = shown.iter().filter(|one| again(one) > 1);
            let first = found.next()?;
            found.all(|other| is_same(first, other)).then_some(first)
        };
        let alone = || shown.first().filter(|_| alike).or_else(twice);
        let meeting = focus.meeting.as_ref().or_else(alone);
        meeting.map_or(&[], |meeting| meeting.attendees.as_ref())
    }

    /// What stands in the way when it is not one person, or all of them.
    pub fn open(&self, referent: Referent, pronoun: &Word) -> Meaning {
        let span = pronoun.start..pronoun.end;
        match referent {
            Referent::OneOf(people) => {
                let mark = mark(&pronoun.text, self.heard);
                let choice = |whom: &Whom| (whom.name(), format!("{mark}{}", self.spelled(whom)));
                let choices = people.iter().take(MOST_CHOICES).map(choice).collect();
                let lead = format!("Who is “{}”:", &self.heard[span.clone()]);
                Meaning::Ask(Question {
                    about: Unclear::Recipient,
                    lead: Some(lead),
                    span,
                    choices,
                })
            }
            Referent::Later => Meaning::Later { lookups: Vec::new(), missing: "recipient_email" },
            Referent::One(_) | Referent::All(_) | Referent::Nobody => self.whoever(pronoun),
        }
    }

    /// Nobody was spoken of: any name will do, and those it could be are offered
    /// where they can be counted.
    fn whoever(&self, pronoun: &Word) -> Meaning {
        let span = pronoun.start..pronoun.end;
        let (before, after) = (&self.heard[..span.start], &self.heard[span.end..]);
        let mark = mark(&pronoun.text, self.heard);
        let question = format!("Who do you mean by “{}”?", &self.heard[span.clone()]);
        let awaited = Awaited {
            what: Missing::Address,
            before: format!("{before}{mark}"),
            after: after.to_owned(),
            day: None,
            instead_of: None,
        };
        let contacts = self.world.contacts.iter();
        let called = contacts.filter(|one| one.pronouns.is_some() && one.answers_to(&pronoun.text));
        let choices: Vec<Choice> = called
            .map(|one| {
                let name = spelled(&one.name, &one.address, self.world);
                let sentence = format!("{before}{mark}{name}{after}");
                Choice::new(Unclear::Recipient, &one.name, sentence)
            })
            .collect();
        if pronoun.is("them") || !(2..=MOST_CHOICES).contains(&choices.len()) {
            return Meaning::Want(Want { question, awaited });
        }
        Meaning::Choose { question, choices, awaited: Some(awaited) }
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
                let all = names.iter().filter_map(whom).collect();
                decided(self.fitting(pronoun, &[], all))
            }
            // "Yes to the sea freight": no person at all; "the second" is one of a list.
            Whom::Stranger(name)
                if name.strip_prefix("the ").is_some_and(|thing| ordinal(&[thing]).is_none()) =>
            {
                None
            }
            Whom::Stranger(_) => Some(Referent::Nobody),
            address @ Whom::Address(_) => decided(self.fitting(pronoun, &[], vec![address])),
            Whom::Known { .. } => None,
        }
    }

    /// A name stands behind these: "with Zoe", "email Zoe".
    fn introduces(&self, at: usize) -> bool {
        const BEFORE: &[&str] =
            &["with", "to", "from", "email", "mail", "tell", "ask", "invite", "meet", "did"];
        let before = at.checked_sub(1).and_then(|before| self.before.get(before));
        // "Move it to Friday": that is nobody.
        let day = || time::find(&self.before[at..=at], &self.world.local_now(), Lean::Ahead);
        before.is_some_and(|before| BEFORE.contains(&before.text.as_str())) && day().is_none()
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
            // Of "him" and "her", nobody is both; "them" may well be those two.
            let is_taken = pronoun != "them" && self.meant.iter().any(|(_, other)| is_other(other))
                || beside.iter().any(is_other);
            if answers && !is_taken && !found.iter().any(is_other) {
                found.push(whom);
            }
        }
        if pronoun != "them" {
            // Who may be spoken of in any way stands behind those who are spoken of so.
            found.sort_by_key(|whom| !self.is_spoken_of(whom));
        }
        found
    }

    /// Is it known how that one is spoken of?
    fn is_spoken_of(&self, whom: &Whom) -> bool {
        let mut contacts = self.world.contacts.iter().filter(|one| whom.is_at(&one.address));
        contacts.any(|one| one.pronouns.is_some())
    }
}

/// Does a sentence speak of a man and of a woman by "him" and "her"?
pub fn speaks_of_two(heard: &str) -> bool {
    let said = words(heard);
    let speaks = |forms: &[&str]| said.iter().any(|word| forms.contains(&word.text.as_str()));
    let marked = |nth: usize| heard.contains(MARKS[nth].1);
    (marked(0) || speaks(&["him", "he", "his"])) && (marked(1) || speaks(&["her", "she", "hers"]))
}

/// "Reply to him that it's good and ask her to join": of a mail that begins with
/// `mail`, is this request for somebody else? "Tell him to call Ana and ask her"
/// is all for him.
pub fn is_for_another(mail: &[Word], request: &[Word], heard: &str, world: &World) -> bool {
    const TO: &[&str] = &["ask", "tell", "email", "let", "mail", "write", "reply", "to", "message"];
    let lead = request.iter().take_while(|word| TO.contains(&word.text.as_str())).count();
    let Some(pronoun) = request.get(lead).filter(|_| lead > 0) else { return false };
    if !MARKS.iter().any(|(said, _)| pronoun.is(said)) {
        return false;
    }
    let Some(at) = (1..mail.len().min(6)).find(|&at| is_somebody(mail, at, heard, world)) else {
        return false;
    };
    let known = whom::at(mail, at, heard, world);
    let behind = at + known.as_ref().map_or(1, |(_, used)| *used);
    let passes_on = mail.get(behind).is_some_and(|word| word.is("to"));
    let others = (behind..mail.len()).any(|at| is_somebody(mail, at, heard, world));
    let marked = MARKS.iter().find(|(_, mark)| heard[..mail[at].start].ends_with(*mark));
    let is_other = match (marked, known) {
        (Some((said, _)), _) => !pronoun.is(said),
        (None, Some((whom, _))) => {
            let mut contacts = world.contacts.iter().filter(|one| whom.is_at(&one.address));
            contacts.any(|one| !one.answers_to(&pronoun.text))
        }
        (None, None) => !mail[at].is(&pronoun.text) && !mail[at].is("them"),
    };
    is_other && !passes_on && !others
}

/// Somebody we know, or "him".
fn is_somebody(words: &[Word], at: usize, heard: &str, world: &World) -> bool {
    PRONOUNS.contains(&words[at].text.as_str())
        || matches!(
            whom::at(words, at, heard, world),
            Some((Whom::Known { .. } | Whom::Address(_) | Whom::OneOf(_), _))
        )
}

/// What an answer to "who is that?" is marked with, where it has to be.
fn mark(pronoun: &str, heard: &str) -> String {
    let mark = MARKS.iter().find(|(said, _)| *said == pronoun);
    mark.filter(|_| speaks_of_two(heard)).map_or_else(String::new, |(_, mark)| mark.to_string())
}

/// Who was chosen for "him" and "her" when that was asked.
fn chosen(heard: &str, world: &World) -> Vec<(String, Whom)> {
    let said = words(heard);
    let marked = |(at, word): (usize, &Word)| {
        let before = heard[..word.start].chars().next_back()?;
        let (pronoun, _) = MARKS.iter().find(|(_, mark)| *mark == before)?;
        let (whom, _) = whom::at(&said, at, heard, world)?;
        whom.address().is_some().then(|| ((*pronoun).to_owned(), whom))
    };
    said.iter().enumerate().filter_map(marked).collect()
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
