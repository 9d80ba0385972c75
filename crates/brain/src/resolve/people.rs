//! Who is meant by a name.
//!
//! A whole name beats a first name, a first name beats a misspelled one, and
//! people who fit equally well are all returned: the caller asks which.

use serde::{Deserialize, Serialize};

/// Somebody the person knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    pub name: String,
    pub address: String,
    #[serde(default)]
    pub nicknames: Vec<String>,
}

impl Contact {
    /// What one calls them in passing: "Priya", "Dr. Cho".
    pub fn short(&self) -> &str {
        match self.name.split_once(' ') {
            Some((title, _)) if title.ends_with('.') => &self.name,
            Some((first, _)) => first,
            None => &self.name,
        }
    }
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
    /// Spelled otherwise, but near enough.
    Misspelled,
}

/// Below this, two names are two names.
const NEAR: f64 = 0.88;
/// A misspelled name must be nearer to its owner than to anybody else by this.
const MARGIN: f64 = 0.04;

/// Everybody who may be meant, best first. One entry is an answer, several
/// fit equally well, none is somebody we do not know.
pub fn find<'a>(name: &str, contacts: &'a [Contact]) -> Vec<Candidate<'a>> {
    let found = known(name, contacts);
    if found.is_empty() { near(&plain(name), contacts) } else { found }
}

/// Without allowing for slips: is this exactly what somebody is called?
pub fn known<'a>(name: &str, contacts: &'a [Contact]) -> Vec<Candidate<'a>> {
    let wanted = plain(name);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<_> = contacts
        .iter()
        .filter(|contact| begins_alike(&wanted, contact))
        .filter_map(|contact| exact(&wanted, contact))
        .collect();
    let best = found.iter().map(|candidate| candidate.reason).min();
    found.retain(|candidate| Some(candidate.reason) == best);
    found
}

/// A look at first letters, which spares thousands of contacts a closer one.
fn begins_alike(wanted: &str, contact: &Contact) -> bool {
    let first = |text: &str| text.chars().next()?.to_lowercase().next().map(without_accent);
    let sought = first(wanted);
    let names = contact.name.split_whitespace();
    names
        .chain(contact.nicknames.iter().map(|nickname| nickname.trim_start()))
        .chain([contact.address.as_str()])
        .any(|name| first(name) == sought)
}

fn exact<'a>(wanted: &str, contact: &'a Contact) -> Option<Candidate<'a>> {
    let full = plain(&contact.name);
    let untitled = full.split_once(". ").map_or(full.as_str(), |(_, rest)| rest);
    let mut names = untitled.split(' ');
    let (first, last) = (names.next(), names.next_back());
    let reason = if contact.address.eq_ignore_ascii_case(wanted) {
        Match::Address
    } else if wanted == full || wanted == untitled || surname_with_title(wanted, &full) {
        Match::FullName
    } else if contact.nicknames.iter().any(|nickname| plain(nickname) == wanted) {
        Match::Nickname
    } else if first == Some(wanted) {
        Match::FirstName
    } else if last == Some(wanted) {
        Match::LastName
    } else {
        return None;
    };
    let score = match reason {
        Match::Address | Match::FullName => 1.0,
        Match::Nickname => 0.98,
        Match::FirstName => 0.95,
        Match::LastName | Match::Misspelled => 0.92,
    };
    Some(Candidate { contact, score, reason })
}

/// "Dr Cho", where the contact is "Dr. Helen Cho".
fn surname_with_title(wanted: &str, full: &str) -> bool {
    let (Some((title, surname)), Some((their_title, _))) =
        (wanted.split_once(' '), full.split_once(". "))
    else {
        return false;
    };
    title.trim_end_matches('.') == their_title && full.ends_with(&format!(" {surname}"))
}

fn near<'a>(wanted: &str, contacts: &'a [Contact]) -> Vec<Candidate<'a>> {
    // Three letters are too few to be sure of a slip.
    if wanted.chars().count() < 4 {
        return Vec::new();
    }
    let mut found: Vec<_> = contacts
        .iter()
        .map(|contact| Candidate {
            contact,
            score: likeness(wanted, contact),
            reason: Match::Misspelled,
        })
        .filter(|candidate| candidate.score >= NEAR)
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let best = found.first().map_or(0.0, |candidate| candidate.score);
    found.retain(|candidate| candidate.score > best - MARGIN);
    found
}

fn likeness(wanted: &str, contact: &Contact) -> f64 {
    let full = plain(&contact.name);
    let several = wanted.contains(' ');
    let parts = full.split(' ').filter(|part| !several && !part.ends_with('.'));
    let nicknames = contact.nicknames.iter().map(|nickname| plain(nickname));
    std::iter::once(full.clone())
        .chain(parts.map(str::to_owned))
        .chain(nicknames)
        .filter(|name| name.chars().count() >= 4)
        .map(|name| strsim::jaro_winkler(wanted, &name))
        .fold(0.0, f64::max)
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
        }
    }

    fn known_people() -> Vec<Contact> {
        vec![
            contact("Priya Nair", "priya.nair@brightloom.example", &[]),
            contact("Sam Whitfield", "sam.whitfield@brightloom.example", &[]),
            contact("Sam Adeyemi", "sam@adeyemi-electric.example", &[]),
            contact("Ingrid Lindqvist", "ingrid@lindqvist.example", &["mom", "mum"]),
            contact("Dr. Helen Cho", "helen.cho@dental.example", &[]),
            contact("Marcus Bell", "marcus.bell@brightloom.example", &[]),
        ]
    }

    fn found(name: &str) -> Vec<(String, Match)> {
        let people = known_people();
        let candidates = find(name, &people);
        candidates.into_iter().map(|c| (c.contact.name.clone(), c.reason)).collect()
    }

    #[test]
    fn people_are_found_by_what_one_calls_them() {
        let cases = [
            ("Priya Nair", "Priya Nair", Match::FullName),
            ("priya", "Priya Nair", Match::FirstName),
            ("PRIYA.NAIR@brightloom.example", "Priya Nair", Match::Address),
            ("mom", "Ingrid Lindqvist", Match::Nickname),
            ("dr cho", "Dr. Helen Cho", Match::FullName),
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
    fn a_short_name_is_what_one_says_in_passing() {
        let people = known_people();
        assert_eq!(people[0].short(), "Priya");
        assert_eq!(people[4].short(), "Dr. Helen Cho");
    }
}
