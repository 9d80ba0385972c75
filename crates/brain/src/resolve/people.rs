//! Who is meant by a name.
//!
//! A whole name beats a first name, a first name beats a short form or a slip
//! (`near`, by letters and by `sound`), and people who fit equally well are all
//! returned: the caller asks which.

mod forms;
pub(super) mod near;
pub(super) mod sound;

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use self::near::{Names, Near};

/// Somebody the person knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    pub name: String,
    pub address: String,
    #[serde(default)]
    pub nicknames: Vec<String>,
    /// As they say themselves; nobody guesses it from a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pronouns: Option<Pronouns>,
}

/// What somebody wants to be called by, where one knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pronouns {
    #[serde(rename = "he/him")]
    He,
    #[serde(rename = "she/her")]
    She,
    #[serde(rename = "they/them")]
    They,
}

impl Contact {
    /// Could "him", "her" or "them" be this person? Whoever never said may be any.
    pub fn answers_to(&self, pronoun: &str) -> bool {
        match (self.pronouns, pronoun) {
            (None, _) | (_, "them" | "they" | "their") => true,
            (Some(Pronouns::He), _) => matches!(pronoun, "him" | "he" | "his"),
            (Some(Pronouns::She), _) => matches!(pronoun, "her" | "she" | "hers"),
            (Some(Pronouns::They), _) => false,
        }
    }

    /// What one calls them in passing: "Priya", "Dr. Cho".
    pub fn short(&self) -> &str {
        match self.name.split_once(' ') {
            Some((title, _)) if title.ends_with('.') => &self.name,
            Some((first, _)) => first,
            None => &self.name,
        }
    }
}

/// Whether somebody else of these is called by that short name, too. One person may have
/// several addresses.
pub fn has_namesake(name: &str, short: &str, known: &[Contact]) -> bool {
    let is_so = |called: &str| called.eq_ignore_ascii_case(short);
    known.iter().any(|other| {
        let is_called = is_so(other.short()) || other.nicknames.iter().any(|nick| is_so(nick));
        is_called && !other.name.eq_ignore_ascii_case(name)
    })
}

/// Somebody who may be meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<'a> {
    pub contact: &'a Contact,
    /// 1 is certain.
    pub score: f64,
    pub reason: Match,
}

/// Why somebody may be meant, the best reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    Address,
    FullName,
    Nickname,
    FirstName,
    LastName,
    /// "Tom" for Thomas, "Robert" for Bob.
    ShortForm,
    /// Spelled or heard otherwise, but near enough.
    Misspelled,
}

impl Match {
    /// It is not what they are called: a card should tell what was heard and
    /// who it was taken for.
    pub fn is_guess(self) -> bool {
        match self {
            Self::Address | Self::FullName | Self::Nickname | Self::FirstName | Self::LastName => {
                false
            }
            Self::ShortForm | Self::Misspelled => true,
        }
    }
}

/// A name that was not quite right must be nearer to its owner than to anybody
/// else by half a sound; whoever is not further away than that is asked about.
const MARGIN: u32 = 5;

/// Of a hundred sounds, so many may be others in a name that is nearly somebody's.
const NEARLY: u32 = 20;

/// The people a person knows, prepared once so that every sentence finds them
/// at once. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct People {
    book: Arc<Book>,
}

#[derive(Debug, Default)]
struct Book {
    contacts: Vec<Contact>,
    /// Who is called so, in the order of the book, with the best reason.
    called: HashMap<String, (Match, Vec<usize>)>,
    /// For what is nearly right.
    names: Names,
    /// What was compared with all of them lately.
    asked: Asked,
}

/// A sentence is read by many rules, and each of them asks about the same words.
#[derive(Debug, Default)]
struct Asked {
    near: Remembered<Near>,
    sounding: Remembered<(u32, usize)>,
}

#[derive(Debug)]
struct Remembered<T> {
    answers: Mutex<HashMap<String, Arc<[T]>>>,
}

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self { answers: Mutex::default() }
    }
}

impl<T> Remembered<T> {
    /// Many sentences' worth of words; then it begins anew.
    const MOST: usize = 512;

    fn get(&self, wanted: &str, compare: impl FnOnce() -> Vec<T>) -> Arc<[T]> {
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers().get(wanted) {
            return Arc::clone(known);
        }
        let found: Arc<[T]> = compare().into();
        let mut answers = answers();
        if answers.len() >= Self::MOST {
            answers.clear();
        }
        answers.insert(wanted.to_owned(), Arc::clone(&found));
        found
    }
}

impl From<Vec<Contact>> for People {
    fn from(contacts: Vec<Contact>) -> Self {
        let mut called = HashMap::new();
        for (at, contact) in contacts.iter().enumerate() {
            for (name, reason) in names_of(contact) {
                let (best, who) = called.entry(name).or_insert((reason, Vec::new()));
                if reason < *best {
                    *best = reason;
                    who.clear();
                }
                if reason == *best && who.last() != Some(&at) {
                    who.push(at);
                }
            }
        }
        let names = Names::new(&contacts);
        Self { book: Arc::new(Book { contacts, called, names, asked: Asked::default() }) }
    }
}

impl Deref for People {
    type Target = [Contact];

    fn deref(&self) -> &[Contact] {
        &self.book.contacts
    }
}

/// Everybody who may be meant, best first. One entry is an answer, several
/// fit equally well, none is somebody we do not know.
pub fn find<'a>(name: &str, people: &'a People) -> Vec<Candidate<'a>> {
    let wanted = title_written(plain(name));
    let found = exact(&wanted, people);
    if found.is_empty() { near(&wanted, people) } else { found }
}

/// Without allowing for slips: is this exactly what somebody is called?
pub fn known<'a>(name: &str, people: &'a People) -> Vec<Candidate<'a>> {
    exact(&title_written(plain(name)), people)
}

/// Whom a name that nobody has may have been misheard for: to be asked about, and
/// never taken for granted.
pub fn sounding<'a>(name: &str, people: &'a People) -> Vec<&'a Contact> {
    off_by(name, people, 100)
}

/// The same where next to nothing is heard otherwise ("Omer" for Omar): these are worth a
/// question even where a stranger would do, as Dana would who is not Ana.
pub fn nearly<'a>(name: &str, people: &'a People) -> Vec<&'a Contact> {
    off_by(name, people, NEARLY)
}

fn off_by<'a>(name: &str, people: &'a People, most: u32) -> Vec<&'a Contact> {
    let wanted = title_written(plain(name));
    let compare = || near::sounding(&wanted, people);
    let alike = people.book.asked.sounding.get(&wanted, compare);
    alike.iter().filter(|(far, _)| *far <= most).map(|&(_, at)| &people[at]).collect()
}

fn exact<'a>(wanted: &str, people: &'a People) -> Vec<Candidate<'a>> {
    let Some((reason, who)) = people.book.called.get(wanted) else { return Vec::new() };
    let score = match reason {
        Match::Address | Match::FullName => 1.0,
        Match::Nickname => 0.98,
        Match::FirstName => 0.95,
        Match::LastName | Match::ShortForm | Match::Misspelled => 0.92,
    };
    who.iter().map(|&at| Candidate { contact: &people[at], score, reason: *reason }).collect()
}

/// Everything a contact is called, and why.
fn names_of(contact: &Contact) -> Vec<(String, Match)> {
    let full = plain(&contact.name);
    let untitled = full.split_once(". ").map_or(full.as_str(), |(_, rest)| rest);
    let mut words = untitled.split(' ');
    let (first, last) = (words.next(), words.next_back());
    let mut names = vec![
        (contact.address.to_ascii_lowercase(), Match::Address),
        (full.clone(), Match::FullName),
        (untitled.to_owned(), Match::FullName),
    ];
    names.extend(surnames_with_title(&full).map(|name| (name, Match::FullName)));
    names.extend(contact.nicknames.iter().map(|name| (plain(name), Match::Nickname)));
    names.extend(first.map(|name| (name.to_owned(), Match::FirstName)));
    names.extend(last.map(|name| (name.to_owned(), Match::LastName)));
    // "Van Dijk", "de la Cruz"; and all of it in one breath.
    let family = untitled.split_once(' ').map(|(_, family)| (family.to_owned(), Match::LastName));
    names.extend(family);
    names.push((untitled.replace(' ', ""), Match::FullName));
    names.retain(|(name, _)| !name.is_empty());
    names
}

/// "Dr Cho" and "Dr. Cho", where the contact is "Dr. Helen Cho".
fn surnames_with_title(full: &str) -> impl Iterator<Item = String> {
    let titled = full.split_once(". ").into_iter();
    titled.flat_map(|(title, rest)| {
        let inner = rest.match_indices(' ').map(|(at, space)| &rest[at + space.len()..]);
        let surnames = std::iter::once(rest).chain(inner);
        surnames.flat_map(move |name| [format!("{title} {name}"), format!("{title}. {name}")])
    })
}

fn near<'a>(wanted: &str, people: &'a People) -> Vec<Candidate<'a>> {
    let candidate = |near: &Near| Candidate {
        contact: &people[near.contact],
        score: 0.9 - f64::from(near.far) / 100.0,
        reason: if near.short { Match::ShortForm } else { Match::Misspelled },
    };
    let compare = || people.book.names.find(wanted, MARGIN);
    people.book.asked.near.get(wanted, compare).iter().map(candidate).collect()
}

/// "Doctor Cho" is written "Dr. Cho".
fn title_written(name: String) -> String {
    const TITLES: &[(&str, &str)] =
        &[("doctor ", "dr"), ("mister ", "mr"), ("missus ", "mrs"), ("professor ", "prof")];
    let found = TITLES.iter().find_map(|(said, title)| Some((title, name.strip_prefix(said)?)));
    match found {
        Some((title, rest)) => format!("{title} {rest}"),
        None => name,
    }
}

fn plain(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    if name.is_ascii() { name } else { name.chars().map(without_accent).collect() }
}

/// "Jiménez" is typed and recognised as "jimenez" too.
fn without_accent(letter: char) -> char {
    match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì'..='ï' | 'ī' | 'į' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ř' => 'r',
        'ś' | 'š' | 'ş' | 'ș' => 's',
        'ť' | 'ţ' | 'ț' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(name: &str, address: &str, nicknames: &[&str]) -> Contact {
        Contact {
            name: name.into(),
            address: address.into(),
            nicknames: nicknames.iter().map(|&nickname| nickname.into()).collect(),
            pronouns: None,
        }
    }

    fn known_people() -> People {
        People::from(vec![
            contact("Priya Nair", "priya.nair@brightloom.example", &[]),
            contact("Sam Whitfield", "sam.whitfield@brightloom.example", &[]),
            contact("Sam Adeyemi", "sam@adeyemi-electric.example", &[]),
            contact("Ingrid Lindqvist", "ingrid@lindqvist.example", &["mom", "mum"]),
            contact("Dr. Helen Cho", "helen.cho@dental.example", &[]),
            contact("Marcus Bell", "marcus.bell@brightloom.example", &[]),
        ])
    }

    fn found(name: &str) -> Vec<(String, Match)> {
        let people = known_people();
        let candidates = find(name, &people);
        candidates.into_iter().map(|c| (c.contact.name.clone(), c.reason)).collect()
    }

    #[test]
    fn dana_is_a_name_of_her_own_and_omer_is_nearly_omar() {
        let ana = People::from(vec![contact("Ana Ruiz", "ana.ruiz@brightloom.example", &[])]);
        assert_eq!((sounding("Dana", &ana).len(), nearly("Dana", &ana).len()), (1, 0));
        let omar = People::from(vec![contact("Omar Haddad", "omar@haddad.example", &[])]);
        assert_eq!((sounding("Omer", &omar).len(), nearly("Omer", &omar).len()), (1, 1));
    }

    #[test]
    fn a_name_that_sounds_like_somebody_is_asked_about_and_another_last_name_is_not() {
        let people = known_people();
        let alike = |name: &str| -> Vec<&str> {
            sounding(name, &people).into_iter().map(|contact| contact.name.as_str()).collect()
        };
        assert_eq!(alike("pre annaire"), ["Priya Nair"]);
        assert_eq!(alike("Markus Ball"), ["Marcus Bell"]);
        for stranger in ["Marcus Thompson", "Priya Shah", "Tom Becker", "Zoe", "Al", ""] {
            assert_eq!(alike(stranger), [""; 0], "{stranger}");
        }
    }

    #[test]
    fn people_are_found_by_what_one_calls_them() {
        let cases = [
            ("Priya Nair", "Priya Nair", Match::FullName),
            ("priya", "Priya Nair", Match::FirstName),
            ("PRIYA.NAIR@brightloom.example", "Priya Nair", Match::Address),
            ("mom", "Ingrid Lindqvist", Match::Nickname),
            ("dr cho", "Dr. Helen Cho", Match::FullName),
            ("Dr. Cho", "Dr. Helen Cho", Match::FullName),
            ("helen", "Dr. Helen Cho", Match::FirstName),
            ("whitfield", "Sam Whitfield", Match::LastName),
            ("pirya", "Priya Nair", Match::Misspelled),
            ("preya nair", "Priya Nair", Match::Misspelled),
            ("markus", "Marcus Bell", Match::Misspelled),
        ];
        for (said, name, reason) in cases {
            assert_eq!(found(said), [(name.to_owned(), reason)], "{said}");
        }
    }

    #[test]
    fn those_who_fit_equally_are_all_returned() {
        let names: Vec<_> = found("sam").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Sam Whitfield", "Sam Adeyemi"]);
        assert_eq!(found("sam adeyemi").len(), 1);
    }

    #[test]
    fn strangers_stay_strangers() {
        for name in ["zorblax", "brightpath", "pia", "", "bella vista", "market", "sample"] {
            assert_eq!(found(name), [], "{name}");
        }
    }

    #[test]
    fn a_pronoun_rules_out_only_those_who_said_theirs() {
        let mut priya = contact("Priya Nair", "priya.nair@brightloom.example", &[]);
        assert!(priya.answers_to("him") && priya.answers_to("her"));
        priya.pronouns = Some(Pronouns::She);
        assert!(priya.answers_to("her") && priya.answers_to("them") && !priya.answers_to("him"));
    }

    #[test]
    fn a_short_name_is_what_one_says_in_passing() {
        let people = known_people();
        assert_eq!(people[0].short(), "Priya");
        assert_eq!(people[4].short(), "Dr. Helen Cho");
    }
}
