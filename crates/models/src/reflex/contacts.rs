//! Whom the person knows, and where they can be reached.

use brain::resolve::people::{self, Contact};
use brain::resolve::words::Word;

use super::detail;
use super::frame::Frame;
use super::vocabulary::is_any;
use super::who::{may_be_name, titled};
use super::whom::{self, Whom};
use crate::World;
use crate::gist::Chat;

/// What the contacts can tell.
pub fn read(frame: &Frame) -> Option<Chat> {
    got_it(frame)
        .or_else(|| everybody(frame))
        .or_else(|| at_place(frame))
        .or_else(|| phone_of(frame))
        .or_else(|| address_of(frame))
        .or_else(|| no_address_of(frame))
}

/// "Who's Rosa, and when did I last hear from her": from Rosa.
pub fn named_again(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let [who, is, rest @ ..] = said else { return None };
    if !who.is("who") || !is_any(&is.text, &["is", "'s"]) {
        return None;
    }
    let (Whom::Known { .. }, used) = whom::at(rest, 0, heard, world)? else { return None };
    let behind = &rest[used..];
    let and = behind.first().filter(|and| and.is("and"))?;
    let at = (1..behind.len()).find(|&at| {
        let link = is_any(&behind[at - 1].text, &["from", "with", "to", "about", "meet", "see"]);
        link && is_any(&behind[at].text, &["him", "her", "them"]) && !behind[at].quoted
    })?;
    let name = &heard[rest[0].start..rest[used - 1].end];
    let (before, pronoun) = (&heard[and.start..behind[at].start], &behind[at]);
    Some(format!("{} {before}{name}{}", &heard[..rest[used - 1].end], &heard[pronoun.end..]))
}

/// "Who else got it?", of the mail that was read out.
fn got_it(frame: &Frame) -> Option<Chat> {
    let texts = frame.texts.as_slice();
    let it = |text: &str| is_any(text, &["it", "this", "that"]);
    let asks = match texts {
        ["who", "else", "got" | "received" | "gets", what] => it(what),
        ["who", "else", "was" | "is", "on" | "cced", rest @ ..] => rest.iter().all(|text| it(text)),
        ["who", "was" | "is" | "else", what, "sent" | "addressed" | "for", "to"] => it(what),
        ["who", "else", "was", what, "sent", "to"] => it(what),
        ["who", "did", what, "go", "to"] | ["who", "else", "did", what, "go", "to"] => it(what),
        ["who", "is" | "was", "cced" | "copied"] => true,
        ["who", "got" | "received", what] => it(what),
        _ => false,
    };
    let letter = frame.world.focus.opened.as_ref().filter(|_| asks)?;
    let mine = frame.world.profile.address.as_deref().unwrap_or_default();
    let others = letter.to.iter().chain(&letter.cc);
    let others = others.filter(|one| !one.address.eq_ignore_ascii_case(mine));
    Some(Chat::AlsoTo(others.map(|one| one.called().to_owned()).collect()))
}

/// "Show me my contacts", "who do I know".
fn everybody(frame: &Frame) -> Option<Chat> {
    let texts = frame.texts.as_slice();
    let texts = [&["show", "me"][..], &["show"], &["list"], &["give", "me"], &["read", "me"]]
        .iter()
        .find_map(|lead| texts.strip_prefix(*lead))
        .unwrap_or(texts);
    let texts = texts.strip_prefix(&["all"]).unwrap_or(texts);
    let asks = matches!(
        texts,
        ["my" | "the" | "our", "contacts" | "people"]
            | ["contacts"]
            | ["my", "contact" | "contacts", "list"]
            | ["my", "address", "book"]
            | ["who", "do", "i", "know"]
            | ["who", "is" | "are", "in", "my", "contacts"]
            | ["who", "is", "in", "my", "address", "book"]
    );
    let name = |contact: &Contact| contact.name.clone();
    asks.then(|| Chat::Contacts(None, frame.world.contacts.iter().map(name).collect()))
}

/// "Tom's phone number": there are addresses, and nothing else.
fn phone_of(frame: &Frame) -> Option<Chat> {
    let phones = ["phone", "telephone", "mobile", "cell", "phone's"];
    let asks = frame.has(&phones) && frame.has(&["number", "phone", "mobile", "cell"]);
    let short = frame.texts.len() <= 8 && !frame.has(&["call", "from", "mail", "email"]);
    if !asks || !short {
        return None;
    }
    let found = (0..frame.texts.len()).find_map(|at| called_at(frame, at));
    let known = |contact: &&Contact| (contact.name.clone(), contact.address.clone());
    let people = found.map_or(Vec::new(), |(found, _)| found.iter().map(known).collect());
    Some(Chat::NoPhone(people))
}

/// "What's Priya's address", "who is Tom": the contacts know.
fn address_of(frame: &Frame) -> Option<Chat> {
    let mails = frame.starts(&["what", "is"])
        && frame.texts.len() <= 6
        && matches!(frame.texts.last(), Some(&("email" | "mail" | "contact")));
    let asks_address = (frame.has(&["address"]) || mails) && !frame.has(&["from", "to", "in"]);
    // "Who is my mom": as the contacts call her.
    let owned = frame.texts.get(2).is_some_and(|text| is_any(text, &["my", "our"]));
    let who_is = frame.starts(&["who", "is"]).then_some(2 + usize::from(owned));
    let place = if asks_address { 0..frame.texts.len() } else { who_is?..who_is? + 1 };
    let (found, used) = place.into_iter().find_map(|at| called_at(frame, at))?;
    if !asks_address && who_is.is_some_and(|at| at + used != frame.texts.len()) {
        return None;
    }
    // "What's the latest in Priya's mail" is about more than her address.
    let left = frame.texts.len() - used;
    let known = |contact: &&Contact| (contact.name.clone(), contact.address.clone());
    (left <= 6).then(|| Chat::Contact(found.iter().map(known).collect()))
}

/// Everybody called so at this place; "toms" is Tom's.
fn called_at<'a>(frame: &Frame<'a>, at: usize) -> Option<(Vec<&'a Contact>, usize)> {
    (1..=3).rev().filter(|used| at + used <= frame.texts.len()).find_map(|used| {
        let name = frame.texts[at..at + used].join(" ");
        let contacts = &frame.world.contacts;
        let mut found = people::known(&name, contacts);
        if let (true, Some(owner)) = (found.is_empty(), name.strip_suffix('s')) {
            found = people::known(owner, contacts);
        }
        found.retain(|candidate| candidate.reason != people::Match::LastName);
        let found: Vec<_> = found.into_iter().take(3).map(|found| found.contact).collect();
        (!found.is_empty()).then_some((found, used))
    })
}

/// Each is followed by a firm, a school, a domain.
const AT_PLACE: &[&[&str]] = &[
    &["who", "do", "i", "know", "at"],
    &["who", "do", "i", "know", "from"],
    &["who", "do", "we", "know", "at"],
    &["do", "i", "know", "anyone", "at"],
    &["do", "i", "know", "anybody", "at"],
    &["do", "i", "know", "someone", "at"],
    &["do", "i", "know", "somebody", "at"],
    &["do", "i", "know", "anyone", "from"],
    &["do", "we", "know", "anyone", "at"],
    &["do", "we", "know", "anybody", "at"],
    &["have", "i", "got", "anyone", "at"],
    &["do", "i", "have", "any", "contacts", "at"],
    &["do", "i", "have", "contacts", "at"],
    &["my", "contacts", "at"],
    &["who", "works", "at"],
    &["contacts", "at"],
];

/// "Who do I know at Brightloom": those whose address is there.
fn at_place(frame: &Frame) -> Option<Chat> {
    let lead = AT_PLACE.iter().find(|lead| frame.starts(lead))?;
    let rest = &frame.texts[lead.len()..];
    let ends = [&["all", "of", "them"][..], &["everyone"], &["everybody"], &["all"]];
    let all = ends.iter().find_map(|end| rest.strip_suffix(*end));
    let place: Vec<&str> = all.unwrap_or(rest).to_vec();
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let sought = letters(&place.join(""));
    if sought.chars().count() < 3 || place.len() > 4 {
        return None;
    }
    let is_there = |contact: &&Contact| {
        let domain = contact.address.rsplit('@').next().unwrap_or_default();
        letters(domain).contains(&sought)
    };
    let there = frame.world.contacts.iter().filter(is_there);
    if all.is_some() {
        let names = there.map(|contact| contact.name.clone()).collect();
        return Some(Chat::Contacts(Some(titled(&place.join(" "))), names));
    }
    let people = there.map(|contact| (contact.name.clone(), contact.address.clone())).collect();
    Some(Chat::ContactsAt(titled(&place.join(" ")), people))
}

/// "What's Zoe's email address", of somebody whom nobody knows.
fn no_address_of(frame: &Frame) -> Option<Chat> {
    let texts = frame.texts.as_slice();
    let texts = texts.strip_prefix(&["what", "is"]).unwrap_or(texts);
    let name = match texts {
        ["the", "email" | "mail" | "contact", "address", "of" | "for", name @ ..]
        | ["the", "email" | "address", "of" | "for", name @ ..]
        | ["email" | "mail", "address", "of" | "for", name @ ..] => name,
        [name @ .., "email" | "mail", "address"] => name,
        _ => return None,
    };
    let name = name.strip_suffix(&["'s"]).unwrap_or(name);
    stranger(name)
}

/// "Who is Zoe": somebody who is in no contact.
pub fn unknown(frame: &Frame) -> Option<Chat> {
    let ["who", "is", name @ ..] = frame.texts.as_slice() else { return None };
    // "Who's invited?" is about a meeting.
    if matches!(name, [verb] if is_any(verb, detail::WORDS) || is_any(verb, &["coming", "going"])) {
        return None;
    }
    stranger(name).filter(|_| name.iter().all(|word| may_be_name(word)))
}

fn stranger(name: &[&str]) -> Option<Chat> {
    let (article, name) = match name {
        ["the" | "my" | "our", name @ ..] => ("the ", name),
        _ => ("", name),
    };
    let own = |word: &&str| !is_any(word, &["my", "your", "own", "new", "old", "this", "that"]);
    if name.is_empty() || name.len() > 3 || !name.iter().all(|word| own(word) && may_be_name(word))
    {
        return None;
    }
    let name = name.join(" ");
    // "Plumbers" is whose it is, as it is heard.
    let name = name.strip_suffix('s').filter(|_| !article.is_empty()).unwrap_or(&name);
    let named = if article.is_empty() { titled(name) } else { name.to_owned() };
    Some(Chat::NoContact(format!("{article}{named}")))
}
