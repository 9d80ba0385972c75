//! People who are told by what they have: "Sam W.", "the guy from Lumenwerk",
//! "Sam from work", and, to "which Sam?", "the one at work".
//!
//! The words give way to the name, and only where one person alone fits.

use brain::resolve::people::Contact;
use brain::resolve::words::Word;

use super::same;
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use crate::World;
use crate::focus::Choice;

/// Somebody without a name.
const SOMEBODY: &[&str] =
    &["guy", "man", "woman", "person", "lady", "contact", "chap", "bloke", "fellow", "rep"];
/// Where one works, whatever it is called.
const WORK: &[&str] = &["work", "office", "job"];
/// Somebody stands behind these.
const BEFORE: &[&str] = &[
    "tell", "ask", "to", "email", "mail", "message", "let", "with", "invite", "from", "inform",
    "write", "answer", "and", "for", "did", "has", "meet", "book", "thank", "both",
];
/// As many people at one address make it the place where one works.
const COLLEAGUES: usize = 3;

/// The sentence with such a person named in full.
pub fn named(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (1..said.len()).filter(|&at| is_any(&said[at - 1].text, BEFORE)).find_map(|at| {
        let (one, used) = initial(said, at, heard, world)
            .or_else(|| without_a_name(said, at, world))
            .or_else(|| from_somewhere(said, at, heard, world))?;
        if said[at].quoted || same::is_dictated(said, at, heard, world) {
            return None;
        }
        let end = said[at + used - 1].end;
        // "Sam W. that": the full stop belongs to the letter, unless nothing follows.
        let letter = said[at + used - 1].end - said[at + used - 1].start == 1;
        let goes_on = |rest: &str| rest.starts_with(char::is_lowercase);
        let capital = heard[..end].ends_with(|c: char| c.is_ascii_uppercase());
        let dotted = heard[end..].strip_prefix(". ").is_some_and(|rest| capital || goes_on(rest));
        let dotted = dotted && letter;
        let end = end + usize::from(dotted);
        Some(format!("{}{}{}", &heard[..said[at].start], one.name, &heard[end..]))
    })
}

/// "Sam W."
fn initial<'a>(
    said: &[Word],
    at: usize,
    heard: &str,
    world: &'a World,
) -> Option<(&'a Contact, usize)> {
    // As it was written: heard on its own, a "w" is taken for "with".
    let next = said.get(at + 1).filter(|next| !next.quoted)?;
    let letter = &heard[next.start..next.end];
    let dotted = heard[next.end..].starts_with('.');
    let capital = letter.starts_with(char::is_uppercase) && dotted;
    let with = heard[next.end..].starts_with('/')
        || letter == "w" && whom::at(said, at + 2, heard, world).is_some();
    let word = is_any(letter, &["a", "i"]) || with;
    if letter.chars().count() != 1 || word && !capital {
        return None;
    }
    let letter = letter.to_lowercase();
    let first = said[at].text.as_str();
    let fits = |one: &&Contact| {
        let mut names = one.name.split(' ').map(str::to_lowercase);
        let called = names.next().is_some_and(|name| name == first);
        called && names.next_back().is_some_and(|last| last.starts_with(&letter))
    };
    let glued = said[at].stop.is_none();
    only(world.contacts.iter().filter(fits)).filter(|_| glued).map(|one| (one, 2))
}

/// "The guy from Lumenwerk", "the Lumenwerk guy".
fn without_a_name<'a>(said: &[Word], at: usize, world: &'a World) -> Option<(&'a Contact, usize)> {
    let text = |place: usize| said.get(place).map_or("", |word| word.text.as_str());
    if !is_any(text(at), &["the", "that", "my"]) {
        return None;
    }
    let (place, used) = if is_any(text(at + 1), SOMEBODY) && is_any(text(at + 2), &["from", "at"]) {
        (text(at + 3), 4)
    } else if is_any(text(at + 2), SOMEBODY) {
        (text(at + 1), 3)
    } else {
        return None;
    };
    let there = world.contacts.iter().filter(|one| is_at(one, place, world));
    only(there).filter(|_| !place.is_empty()).map(|one| (one, used))
}

/// "Sam from Brightloom", "Sam at work": of several who are called so.
fn from_somewhere<'a>(
    said: &[Word],
    at: usize,
    heard: &str,
    world: &'a World,
) -> Option<(&'a Contact, usize)> {
    // Looking through all contacts costs more than looking for the place first.
    let mut next = said[at + 1..].iter().take(4);
    if !next.any(|word| is_any(&word.text, &["from", "at"])) {
        return None;
    }
    let (Whom::OneOf(names), used) = whom::at(said, at, heard, world)? else { return None };
    let from = said.get(at + used).filter(|next| is_any(&next.text, &["from", "at"]))?;
    let place = said.get(at + used + 1).filter(|_| from.stop.is_none())?;
    let named = world.contacts.iter().filter(|one| names.contains(&one.name));
    only(named.filter(|one| is_at(one, &place.text, world))).map(|one| (one, used + 2))
}

/// "The one at work", "the Brightloom one", "next door": which of these it is.
pub fn chosen<'a>(texts: &[&str], choices: &'a [Choice], world: &World) -> Option<&'a Choice> {
    const LITTLE: &[&str] =
        &["the", "one", "at", "from", "in", "of", "my", "who", "is", "works", "guy", "it"];
    let said: Vec<&str> = texts.iter().copied().filter(|text| !is_any(text, LITTLE)).collect();
    let fits = |choice: &&Choice| {
        let mut contacts = world.contacts.iter().filter(|one| one.name == choice.name);
        contacts.any(|one| said.iter().all(|word| is_at(one, word, world) || has(one, word)))
    };
    if said.is_empty() || said.len() > 3 {
        return None;
    }
    only(choices.iter().filter(fits))
}

/// Is the word a part of what they are called by?
fn has(one: &Contact, word: &str) -> bool {
    let names = one.nicknames.iter().chain([&one.name]);
    names.flat_map(|name| name.split(' ')).any(|part| part.eq_ignore_ascii_case(word))
}

/// Is their address at this place?
fn is_at(one: &Contact, place: &str, world: &World) -> bool {
    let Some(host) = host(one) else { return false };
    if is_any(place, WORK) {
        let mine = world.profile.address.as_deref().and_then(|mine| mine.split_once('@'));
        let there = world.contacts.iter().filter(|other| self::host(other) == Some(host)).count();
        return there >= COLLEAGUES && mine.is_none_or(|(_, mine)| mine != host);
    }
    let firm = host.split('.').next().unwrap_or(host).to_lowercase();
    place.chars().count() > 2
        && (firm == place
            || firm.split('-').any(|part| part == place)
            || firm.replace('-', "") == place)
}

fn host(one: &Contact) -> Option<&str> {
    one.address.split_once('@').map(|(_, host)| host)
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::{corpus, reflex};

    #[test]
    fn whoever_is_told_by_a_letter_or_a_firm_is_named() {
        let meant = |heard: &str| named(heard, &words(heard), &corpus::world());
        for (heard, plain) in [
            ("reply to Sam W. that it works", "reply to Sam Whitfield that it works"),
            ("what did sam w. say", "what did Sam Whitfield say"),
            ("tell sam w that it works", "tell Sam Whitfield that it works"),
            ("book lunch with Sam A.", "book lunch with Sam Adeyemi."),
            ("tell the guy from Halden it works", "tell Jonas Weber it works"),
            ("tell the kogane guy it works", "tell Yuki Tanaka it works"),
            ("tell Sam from work it works", "tell Sam Whitfield it works"),
            ("tell Sam from Brightloom it works", "tell Sam Whitfield it works"),
        ] {
            assert_eq!(meant(heard).as_deref(), Some(plain), "{heard}");
        }
        for heard in [
            "tell sam a lot has changed",
            "tell sam i am late",
            "tell the guy from Brightloom it works",
            "tell the guy it works",
            "book lunch w/ sam w/ tom",
            "book lunch for sam w tom",
            "tell Ana that I met Sam W. today",
            "tell Ana the guy from Halden called",
            "tell tom from work it works",
        ] {
            assert_eq!(meant(heard), None, "{heard}");
        }
    }

    #[test]
    fn which_sam_is_told_by_where_he_works() {
        for answer in ["the one at work", "the Brightloom one", "Sam from work", "from brightloom"]
        {
            let mut world = corpus::world();
            let asked = reflex::read("tell sam it works", &world);
            world.focus.wait_for_answer(&asked);
            let read = reflex::read(answer, &world);
            let to = &read.proposal.steps[0].args["to"];
            assert_eq!(to[0], "sam.whitfield@brightloom.example", "{answer}");
        }
    }
}
