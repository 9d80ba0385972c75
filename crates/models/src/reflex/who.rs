//! Who a clause is about.

use std::ops::Range;

use brain::resolve::people::{self, Candidate, Contact, People};
use brain::resolve::words::Word;

use super::frame::Frame;
use super::vocabulary::{EMPTY, MAIL, SAYS, WRITES, is_any};
use super::{Question, whom};
use crate::focus::Unclear;

/// Somebody who was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// One contact, and nobody else it could be.
    Known { short: String, address: String },
    /// Nobody we know; mail from them can still be looked for.
    Stranger(String),
    /// Nobody we know, and a name like those of these contacts; it has to be asked.
    Misheard { said: String, names: Vec<String>, span: Range<usize> },
    /// Several contacts; it has to be asked. `shared` is what all of them are called.
    OneOf { names: Vec<String>, shared: Option<String>, span: Range<usize> },
    /// Everybody who is called so.
    Everybody(String),
}

impl Who {
    /// What to call them.
    pub fn called(&self) -> String {
        match self {
            Self::Known { short, .. } => short.clone(),
            // Nobody speaks capitals; names have them.
            Self::Stranger(name) | Self::Everybody(name) | Self::Misheard { said: name, .. } => {
                titled(name)
            }
            Self::OneOf { names, .. } => names.join(" or "),
        }
    }

    pub fn address(&self) -> Option<String> {
        match self {
            Self::Known { address, .. } => Some(address.clone()),
            Self::Stranger(_) | Self::Misheard { .. } | Self::OneOf { .. } | Self::Everybody(_) => {
                None
            }
        }
    }

    /// "Priya Nair or Priya Shah?", "I don't know Omer. Did you mean Omar Haddad?"
    pub fn question(&self) -> Option<Question> {
        let (names, span, lead) = match self {
            Self::OneOf { names, span, .. } => (names, span, None),
            Self::Misheard { names, span, .. } => {
                (names, span, Some(format!("I don't know {}. Did you mean", self.called())))
            }
            Self::Known { .. } | Self::Stranger(_) | Self::Everybody(_) => return None,
        };
        let choices = names.iter().map(|name| (name.clone(), name.clone())).collect();
        Some(Question { about: Unclear::Person, lead, span: span.clone(), choices })
    }

    /// A list can be about everybody of that name, each of them named in it;
    /// only what is about one of them has to ask.
    pub fn in_a_list(self) -> Self {
        match self {
            Self::OneOf { shared: Some(name), .. } => Self::Everybody(name),
            one => one,
        }
    }

    fn from(candidates: &[Candidate], span: Range<usize>) -> Option<Self> {
        match candidates {
            [] => None,
            [one] => Some(Self::contact(one.contact)),
            // More than three names are no question anybody could answer.
            several => {
                let names = several.iter().take(3).map(|found| found.contact.name.clone());
                Some(Self::OneOf { names: names.collect(), shared: shared(several), span })
            }
        }
    }

    fn contact(contact: &Contact) -> Self {
        Self::Known { short: contact.short().to_owned(), address: contact.address.clone() }
    }
}

/// The first name that every one of them was found by.
fn shared(candidates: &[Candidate]) -> Option<String> {
    let first = candidates.first()?.contact.name.split(' ').next()?;
    let all = candidates.iter().all(|found| found.reason == people::Match::FirstName);
    all.then(|| first.to_owned())
}

/// "My mom", "the bank".
const OWNERS: &[&str] = &["my", "the", "our"];

/// Names after one of these words: "from Priya or Ana". Strangers count too.
pub fn after(frame: &mut Frame, words: &[&str]) -> Vec<Who> {
    let place = frame.place_of(words);
    place.map_or_else(Vec::new, |at| names(frame, at + 1, words))
}

/// Does the name of a contact stand here?
pub fn is_known(frame: &Frame, at: usize) -> bool {
    name_from(frame, at)
        .is_some_and(|(who, ..)| !matches!(who, Who::Stranger(_) | Who::Misheard { .. }))
}

/// "Not from Sam", "except from Ana".
pub fn excluded(frame: &mut Frame) -> Vec<Who> {
    let turned = |at: &usize| {
        let (word, before) = (frame.texts[*at], frame.texts[at - 1]);
        let free = !frame.is_taken(*at);
        free && (word == "without" || word == "except")
            || free && word == "from" && matches!(before, "not" | "except" | "but")
    };
    let Some(at) = (1..frame.texts.len()).find(turned) else { return Vec::new() };
    let found = names(frame, at + 1, &["from"]);
    if !found.is_empty() {
        let both = matches!(frame.texts[at - 1], "not" | "except" | "but");
        frame.take(at - usize::from(both)..at + 1);
    }
    found
}

fn names(frame: &mut Frame, mut at: usize, words: &[&str]) -> Vec<Who> {
    let mut found = Vec::new();
    while let Some((who, start, used)) = name_from(frame, at) {
        frame.take(at..start + used);
        found.push(who);
        at = start + used;
        match frame.texts.get(at..at + 2) {
            Some(["or" | "and", next]) => at += if is_any(next, words) { 2 } else { 1 },
            _ => break,
        }
    }
    found
}

/// "Mail form Priya": a slip that is a word of its own.
pub fn form_is_from(words: &mut [Word], contacts: &People) {
    for at in 1..words.len() {
        let is_slip = |name: &str| !people::known(name, contacts).is_empty();
        if words[at - 1].is("form") && is_slip(&words[at].text) {
            "from".clone_into(&mut words[at - 1].text);
        }
    }
}

/// A contact called exactly so, anywhere in the clause: "Priya's last mail".
pub fn anywhere(frame: &mut Frame) -> Option<Who> {
    let (who, start, used) = (0..frame.texts.len()).find_map(|at| {
        let (who, used) = known_at(frame, at, false)?;
        Some((who, at, used))
    })?;
    let owns = usize::from(frame.texts.get(start + used) == Some(&"'s"));
    frame.take(start..start + used + owns);
    Some(who)
}

/// Every contact that is called exactly so, in the order they were named.
pub fn everyone(frame: &mut Frame) -> Vec<Who> {
    std::iter::from_fn(|| anywhere(frame)).collect()
}

/// The one who is said to have written: "did brightpath reply".
pub fn writer(frame: &mut Frame) -> Option<Who> {
    let auxiliary = frame.place_of(&["did", "has", "does", "was"])?;
    let (who, start, used) = name_from(frame, auxiliary + 1)?;
    let after = &frame.texts[start + used..];
    let acts = after.iter().take(4).any(|text| {
        is_any(text, WRITES)
            || matches!(*text, "say" | "want" | "back" | "ask" | "mean" | "think")
            || matches!(*text, "mention" | "mentioned")
    });
    if !acts {
        return None;
    }
    frame.take(start..start + used);
    Some(who)
}

/// A name, where it starts behind "my" and "the", and how many words it has.
/// "The dentist" may be what somebody is called, "the" and all.
fn name_from(frame: &Frame, at: usize) -> Option<(Who, usize, usize)> {
    if let Some((who, used)) = known_at(frame, at, false) {
        return Some((who, at, used));
    }
    let owners = frame.texts.get(at..)?.iter().take_while(|text| is_any(text, OWNERS)).count();
    let start = at + owners;
    let (who, used) = known_at(frame, start, true).or_else(|| stranger_at(frame, start))?;
    Some((who, start, used))
}

/// The longest run of words that is somebody's name.
fn known_at(frame: &Frame, at: usize, also_misspelled: bool) -> Option<(Who, usize)> {
    let contacts = &frame.world.contacts;
    (1..=3).rev().filter(|used| at + used <= frame.texts.len()).find_map(|used| {
        let places = at..at + used;
        if places.clone().any(|place| frame.is_taken(place)) {
            return None;
        }
        let name = frame.texts[places].join(" ");
        let mut found = people::known(&name, contacts);
        if !also_misspelled {
            // A last name alone may be any word: "bell", "weber".
            found.retain(|candidate| candidate.reason != people::Match::LastName);
        }
        let words = &frame.texts[at..at + used];
        if also_misspelled && found.is_empty() && words.iter().all(|word| may_be_name(word)) {
            found = people::find(&name, contacts);
        }
        Who::from(&found, frame.span(at..at + used)).map(|who| (who, used))
    })
}

fn stranger_at(frame: &Frame, at: usize) -> Option<(Who, usize)> {
    let is_name = |place: usize| {
        place < frame.texts.len() && !frame.is_taken(place) && may_be_name(frame.texts[place])
    };
    if !is_name(at) {
        return None;
    }
    let used = if is_name(at + 1) { 2 } else { 1 };
    let misheard = (1..=used).rev().find_map(|used| {
        let said = frame.texts[at..at + used].join(" ");
        let names = whom::nearly(&said, frame.world);
        let span = frame.span(at..at + used);
        (!names.is_empty()).then_some((Who::Misheard { said, names, span }, used))
    });
    misheard.or_else(|| Some((Who::Stranger(frame.texts[at..at + used].join(" ")), used)))
}

pub fn may_be_name(word: &str) -> bool {
    let has_letters = word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    has_letters && ![EMPTY, MAIL, WRITES, SAYS].iter().any(|list| is_any(word, list))
}

pub fn titled(name: &str) -> String {
    if name.contains('@') {
        return name.to_owned();
    }
    let capital = |word: &str| {
        let mut chars = word.chars();
        let first = chars.next().into_iter().flat_map(char::to_uppercase);
        first.chain(chars).collect::<String>()
    };
    name.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}
