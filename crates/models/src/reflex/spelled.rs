//! Addresses that were said aloud and ran into the words beside them: "Emailprea.nare at …",
//! "Priya dot narrate brightloom dot example".
//!
//! A verb is parted from them, so that they are read as if it had been heard apart. What
//! sounds like the address of somebody we know is asked about, and never taken for it. Where
//! nothing helps it is asked whom it should go to: whoever wants to write wants nothing read.

use std::ops::Range;

use brain::resolve::address;
use brain::resolve::people::{self, Contact, People};
use brain::resolve::titles;
use brain::resolve::words::{Word, words};

use super::vocabulary::is_any;
use super::{Meaning, Want};
use crate::World;
use crate::focus::{Awaited, Choice, Missing, Unclear};

/// Verbs that ears write as one with what is behind them.
const VERBS: &[&str] = &["email", "e-mail", "mail"];
/// The same as other words: "emails", "mailing", "mailbox".
const GROWN: &[&str] = &["s", "ed", "ing", "ings", "er", "ers", "box", "boxes", "to", "man", "'s"];
/// Behind these a request may begin.
const LEADS: &[&str] = &["please", "and", "then", "you", "just"];
/// What is to be written begins here.
const SAYING: &[&str] = &["that", "saying", "about", "and", "asking", "telling", "whether"];
/// With these something is to be sent: "mail me the link to brightloom.com".
const SOMETHING: &[&str] =
    &["the", "my", "our", "this", "these", "link", "me", "us", "him", "her", "them", "it"];
/// An address said aloud has no more words.
const MOST_WORDS: usize = 10;
/// So many people are asked about at once.
const MOST_ALIKE: usize = 3;

/// "Emailprea.nare at brightloom.example" with its verb apart, where an address or somebody
/// we know stands behind it.
pub fn parted(sentence: &str, contacts: &People) -> Option<String> {
    let said = words(sentence);
    (0..said.len()).find_map(|at| {
        let behind = said[at].start + glued(&said, at)?.len();
        let apart = format!("{} {}", &sentence[..behind], &sentence[behind..]);
        let rest = &sentence[behind..said[at].end];
        let read = address::joined(words(&apart), &apart);
        let is_address = read.get(at + 1).is_some_and(|word| word.text.contains('@'));
        (is_address || !people::known(rest, contacts).is_empty()).then_some(apart)
    })
}

/// The verb that a word begins with, where a request begins with that word.
fn glued(said: &[Word], at: usize) -> Option<&'static str> {
    let word = said.get(at).filter(|word| !word.quoted)?;
    let leads = at.checked_sub(1).is_none_or(|before| is_any(&said[before].text, LEADS));
    let is_one = |verb: &&&str| {
        let rest = word.text.strip_prefix(**verb);
        let rest = rest.filter(|rest| rest.starts_with(char::is_alphabetic));
        rest.is_some_and(|rest| !is_any(rest, GROWN)) && word.end - word.start == word.text.len()
    };
    VERBS.iter().find(is_one).copied().filter(|_| leads)
}

/// An address that cannot be read as one, behind a verb that wants to write to it.
pub fn merged(heard: &str, words: &[Word], world: &World) -> Option<Meaning> {
    let (places, glued) = behind_a_verb(words)?;
    let said = &words[places.clone()];
    let is_marked = said.iter().any(|word| word.is("dot") || has_dot(&word.text))
        && said.last().is_some_and(|last| address::ends_a_host(&last.text));
    let is_plain = said
        .iter()
        .all(|word| !word.quoted && !word.text.contains('@') && !is_any(&word.text, SOMETHING));
    if !is_plain || !(is_marked || glued.is_some()) {
        return None;
    }
    let start = said[0].start + glued.map_or(0, str::len);
    let span = start..said[said.len() - 1].end;
    let verb = heard[..span.start].trim_end();
    let awaited = Awaited {
        what: Missing::Address,
        before: format!("{verb} "),
        after: heard[span.end..].to_owned(),
        day: None,
        instead_of: None,
    };
    let spoken = parts(&heard[span]);
    let alike = sounding(&spoken, world);
    if alike.is_empty() {
        let question = "Who should it go to?".to_owned();
        return Some(Meaning::Want(Want { question, awaited }));
    }
    let names: Vec<&str> = alike.iter().map(|contact| contact.name.as_str()).collect();
    let question = format!("Did you mean {}?", names.join(" or "));
    let clear = |name: &&str| {
        let sentence = format!("{}{name}{}", awaited.before, awaited.after);
        Choice::new(Unclear::Recipient, *name, sentence)
    };
    let choices = names.iter().map(clear).collect();
    Some(Meaning::Choose { question, choices, awaited: Some(awaited) })
}

/// The words between "email", "write to" or "send a mail to" and what is to be written, and the
/// verb where it is one with the first of them.
fn behind_a_verb(words: &[Word]) -> Option<(Range<usize>, Option<&'static str>)> {
    let first = words.iter().take_while(|word| is_any(&word.text, LEADS)).count();
    let texts: Vec<&str> = words[first..].iter().map(|word| word.text.as_str()).collect();
    let glued = glued(words, first);
    let used = match texts.as_slice() {
        _ if glued.is_some() => 0,
        ["write" | "email" | "mail", "to", ..] => 2,
        ["email" | "mail" | "message", ..] => 1,
        ["send", "a" | "an", "email" | "mail" | "message", "to", ..] => 4,
        _ => return None,
    };
    let start = first + used;
    let length = words[start..].iter().take_while(|word| !is_any(&word.text, SAYING)).count();
    let stop = words[start..start + length].iter().position(|word| word.stop.is_some());
    let end = start + stop.map_or(length, |stop| stop + 1);
    let says = words.get(end).is_some_and(|word| is_any(&word.text, SAYING)) || end == words.len();
    // By itself a word that begins like "email" may be anything.
    let is_whole = glued.is_none() || end < words.len();
    ((1..=MOST_WORDS).contains(&(end - start)) && says && is_whole).then_some((start..end, glued))
}

/// "Priya.narrate", as ears write a dot that was said.
fn has_dot(text: &str) -> bool {
    let inside = text.trim_matches('.');
    inside.contains('.') && inside.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'))
}

/// The words of an address as they are said, without its marks.
fn parts(said: &str) -> Vec<String> {
    let lower = said.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| !part.is_empty() && *part != "dot").map(str::to_owned).collect()
}

/// Those whose address sounds like this, host and name each by itself: people of one house share
/// most of what their addresses sound like.
fn sounding<'a>(said: &[String], world: &'a World) -> Vec<&'a Contact> {
    let addresses = world.contacts.iter().filter_map(|contact| {
        let (name, host) = contact.address.rsplit_once('@')?;
        Some((contact, name, host))
    });
    let addresses: Vec<(&Contact, &str, &str)> = addresses.collect();
    let found = (1..said.len()).find_map(|cut| {
        let host = said[cut..].join(" ");
        let there: Vec<_> = addresses
            .iter()
            .filter(|(.., other)| {
                parts(other).len() <= said.len() - cut + 1
                    && !titles::sounding(&host, [*other]).is_empty()
            })
            .collect();
        let name = said[..cut].join(" ");
        let like = |(contact, local, _): &&(&'a Contact, &str, &str)| {
            let ways = ways_to_say(local);
            let heard = titles::sounding(&name, ways.iter().map(String::as_str));
            (!heard.is_empty()).then_some(*contact)
        };
        let alike: Vec<&Contact> = there.into_iter().filter_map(|it| like(&it)).collect();
        (!alike.is_empty()).then_some(alike)
    });
    let mut alike = found.unwrap_or_default();
    alike.truncate(MOST_ALIKE);
    alike
}

/// What stands before the "@" as it may have been heard: with the "at" behind it or without,
/// and its digits as words.
fn ways_to_say(local: &str) -> Vec<String> {
    const DIGITS: [&str; 10] =
        ["oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    const TENS: [&str; 10] =
        ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let letters = local.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits: Vec<usize> =
        local[letters.len()..].bytes().map(|digit| usize::from(digit - b'0')).collect();
    let name = parts(letters);
    let said = |digits: &[&str]| {
        let name = name.iter().map(String::as_str);
        name.chain(digits.iter().copied()).collect::<Vec<_>>().join(" ")
    };
    let one_by_one: Vec<&str> = digits.iter().map(|digit| DIGITS[*digit]).collect();
    let mut ways = vec![said(&one_by_one)];
    if let [ten @ 2..=9, one @ 1..=9] = digits[..] {
        ways.push(said(&[TENS[ten], DIGITS[one]]));
    }
    let at: Vec<String> = ways.iter().map(|way| format!("{way} at")).collect();
    ways.into_iter().chain(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;
    use crate::reflex::read;

    fn world() -> World {
        let mut world = corpus::world();
        let mut contacts: Vec<Contact> = world.contacts.iter().cloned().collect();
        contacts.push(Contact {
            name: "Jo Smith".into(),
            address: "j.smith42@mail.example".into(),
            ..contacts[0].clone()
        });
        world.contacts = contacts.into();
        world
    }

    fn asked(heard: &str) -> Option<String> {
        let read = read(heard, &world());
        assert!(read.proposal.steps.is_empty(), "{heard}: {:?}", read.proposal.steps);
        read.question
    }

    #[test]
    fn a_verb_that_is_one_with_an_address_is_read_as_if_it_stood_apart() {
        for (glued, apart) in [
            (
                "Emailprea.nare at brightloom.example that I'm late.",
                "Email prea.nare at brightloom.example that I'm late.",
            ),
            (
                "Mailtom.okafor at mail.example that the frames are here",
                "Mail tom.okafor at mail.example that the frames are here",
            ),
            ("please emailpriya that I'm late", "please email priya that I'm late"),
        ] {
            let contacts = &corpus::world().contacts;
            assert_eq!(parted(glued, contacts).as_deref(), Some(apart));
            assert_eq!(parted(apart, contacts), None);
            let (glued, apart) = (read(glued, &corpus::world()), read(apart, &corpus::world()));
            assert_eq!(glued.question, apart.question);
            assert_eq!(glued.proposal.steps.len(), apart.proposal.steps.len());
        }
        let question = asked("Emailprea.nare at brightloom.example that I'm late.");
        let expected = "Did you mean Priya Nair or prea.nare@brightloom.example?";
        assert_eq!(question.as_deref(), Some(expected));
    }

    #[test]
    fn words_that_grew_from_mail_stay_whole() {
        let contacts = &corpus::world().contacts;
        for sentence in [
            "emails at brightloom dot example",
            "any emails from priya",
            "mailing the invoice at three",
            "mailbox.example is down",
            "is mailtom.okafor at mail.example right",
            "read my emails",
        ] {
            assert_eq!(parted(sentence, contacts), None, "{sentence}");
        }
    }

    #[test]
    fn an_address_that_ran_together_is_asked_about_by_its_sound() {
        for heard in [
            "Email Priya Dot Narrate Brightloom Dot example that I'm late.",
            "Email Priya.narrate brightloom.example that I'm late.",
            "Write to priya dot nair brightloom dot example that I'm late.",
        ] {
            assert_eq!(asked(heard).as_deref(), Some("Did you mean Priya Nair?"), "{heard}");
        }
        let heard = "Email j.smith for two at mail.example that I'm late.";
        assert_eq!(asked(heard).as_deref(), Some("Did you mean Jo Smith?"));
        let choice = &read(heard, &world()).choices[0];
        assert_eq!(choice.sentence, "Email Jo Smith that I'm late.");
    }

    #[test]
    fn whoever_wants_to_write_is_asked_to_whom_where_no_address_can_be_made_out() {
        for heard in [
            "Write to Tom Dot Ocker for at Ocker for Frames Dot example that I'm late.",
            "Emailquentin that I'm late",
            "Email zed dot quux mumble dot example that lunch is fine",
        ] {
            assert_eq!(asked(heard).as_deref(), Some("Who should it go to?"), "{heard}");
        }
    }
    #[test]
    fn something_with_a_dot_in_it_is_no_address() {
        for heard in [
            "Email Tom the plan v1.2 that Ana wrote",
            "mail me the link to brightloom.com",
            "email tom version 1.2",
            "email tom about the brightloom.com page",
        ] {
            let question = read(heard, &world()).question;
            assert_ne!(question.as_deref(), Some("Who should it go to?"), "{heard}");
        }
    }
}
