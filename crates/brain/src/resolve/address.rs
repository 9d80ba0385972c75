//! E-mail addresses as they are said aloud.
//!
//! "Priya dot nair at brightloom dot example" is one word: the address. It is
//! taken for one only where it can be nothing else: behind "at" stand a host, a
//! "dot" and an ending that hosts have, and before it stands what people say
//! before an address. A place to meet at is left alone, and so is a first and
//! last name in front of the "at", because nobody can hear how they are joined.

use super::time::{SMALL, TENS, is_weekday};
use super::words::{Word, words};

/// Endings that hosts have, as they are said.
const ENDINGS: &[&str] = &[
    "ai", "app", "at", "au", "be", "biz", "br", "ca", "ch", "cloud", "cn", "co", "com", "cz", "de",
    "dev", "dk", "edu", "email", "es", "eu", "example", "fi", "fr", "gov", "health", "ie", "in",
    "info", "io", "it", "jp", "me", "mx", "net", "nl", "no", "nz", "online", "org", "pl", "pt",
    "school", "se", "shop", "tech", "test", "tv", "uk", "us", "xyz", "za",
];

/// Words an address may stand behind.
const BEFORE: &[&str] = &[
    "to", "is", "email", "mail", "address", "cc", "bcc", "invite", "with", "and", "or", "from",
    "for", "message", "write", "add", "use", "tell", "ask", "include", "plus", "copy", "contact",
    "its", "it's", "be", "um", "uh", "as", "on", "colon", "please", "also", "yes", "no", "not",
    "by", "via", "both", "then", "but", "only", "never", "of", "than", "except", "without", "send",
    "reply", "forward", "remove",
];

/// Words that are said before a host and are nobody's name there.
const NOBODY: &[&str] = &[
    "look",
    "looking",
    "me",
    "us",
    "it",
    "up",
    "meet",
    "see",
    "them",
    "him",
    "her",
    "you",
    "i",
    "we",
    "they",
    "page",
    "site",
    "website",
    "store",
    "shop",
    "order",
    "buy",
    "read",
    "found",
    "find",
    "is",
    "are",
    "was",
    "be",
    "meeting",
    "meetings",
    "event",
    "lunch",
    "dinner",
    "coffee",
    "call",
    "conference",
    "webinar",
    "people",
    "everybody",
    "everyone",
    "someone",
    "somebody",
    "anyone",
    "anybody",
    "that",
    "this",
    "these",
    "those",
    "here",
    "there",
    "not",
    "work",
    "working",
    "works",
    "arrive",
    "arriving",
    "stop",
    "start",
    "today",
    "tomorrow",
    "tonight",
    "and",
    "or",
    "the",
    "a",
    "an",
    "to",
    "for",
    "with",
    "from",
    "by",
    "of",
    "on",
    "in",
    "one",
    "book",
    "tickets",
    "domain",
    "host",
    "link",
    "name",
    "dot",
    "at",
];

fn is_nobody(text: &str) -> bool {
    NOBODY.contains(&text) || is_weekday(text)
}

/// Marks inside an address, as they are said.
const MARKS: &[(&str, char)] = &[
    ("dot", '.'),
    ("underscore", '_'),
    ("dash", '-'),
    ("hyphen", '-'),
    ("minus", '-'),
    ("plus", '+'),
];

/// Hosts that a recogniser hears as two words.
const TWO_WORDS: &[(&str, &str, &str)] = &[
    ("g", "mail", "gmail"),
    ("hot", "mail", "hotmail"),
    ("i", "cloud", "icloud"),
    ("out", "look", "outlook"),
    ("proton", "mail", "protonmail"),
];

/// How many words "all one word" may join.
const MOST_JOINED: usize = 4;

/// Whether a word is what hosts end with, or ends so itself: "example", "mail.example".
pub fn ends_a_host(word: &str) -> bool {
    ENDINGS.contains(&word.rsplit('.').next().unwrap_or_default())
}

/// The words of a text with every address that was said aloud as one of them.
pub fn joined(said: Vec<Word>, text: &str) -> Vec<Word> {
    // Most sentences have none.
    if !said.iter().any(|word| word.is("at")) {
        return said;
    }
    let mut found: Vec<Word> = Vec::with_capacity(said.len());
    let mut at = 0;
    while at < said.len() {
        let address = Address::around(&said, at, text).filter(|address| {
            // What was taken already does not begin another one.
            found.len() >= at - address.start
                && said[address.start].start >= end_of(&found, at - address.start)
        });
        if let Some(address) = address {
            found.truncate(found.len() - (at - address.start));
            let (first, last) = (&said[address.start], &said[address.end - 1]);
            let (start, end, stop) = (first.start, last.end, last.stop);
            found.push(Word { text: address.text, start, end, quoted: false, stop });
            at = address.end;
        } else {
            found.push(said[at].clone());
            at += 1;
        }
    }
    found
}

/// Where the words before the last `taken` ones end.
fn end_of(found: &[Word], taken: usize) -> usize {
    found.len().checked_sub(taken + 1).and_then(|at| found.get(at)).map_or(0, |word| word.end)
}

/// The sentence with every address that was said aloud written as one.
pub fn written(said: &str) -> String {
    let plain = words(said);
    let count = plain.len();
    let joined = joined(plain, said);
    if joined.len() == count {
        return said.to_owned();
    }
    let mut text = String::with_capacity(said.len());
    let mut done = 0;
    let spoken = |word: &&Word| said[word.start..word.end].contains(char::is_whitespace);
    for word in joined.iter().filter(|word| word.text.contains('@')).filter(spoken) {
        text.push_str(&said[done..word.start]);
        text.push_str(&word.text);
        done = word.end;
    }
    text.push_str(&said[done..]);
    text
}

#[derive(Debug)]
struct Address {
    text: String,
    /// Its words, from here to before there.
    start: usize,
    end: usize,
}

impl Address {
    /// The address whose "at" stands at this place.
    fn around(said: &[Word], at: usize, text: &str) -> Option<Self> {
        if !said[at].is("at") || at == 0 || !is_linked(&said[at - 1]) || !is_linked(&said[at]) {
            return None;
        }
        let sign = usize::from(said.get(at + 1).is_some_and(|word| word.is("sign")));
        let (host, end, spoken) = host(said, at + 1 + sign)?;
        let local = Local::before(said, at)?;
        let inside = &said[local.start..end];
        let is_quoted = inside.iter().any(|word| word.quoted);
        if is_quoted || !is_spoken(inside, text) || !local.is_introduced(said, spoken) {
            return None;
        }
        Some(Self { text: format!("{}@{host}", local.text), start: local.start, end })
    }
}

/// Nothing but spaces between the words, and what parts spelled letters: no
/// bracket, and no sign that nobody sees.
fn is_spoken(said: &[Word], text: &str) -> bool {
    said.windows(2).all(|pair| {
        let between = text.get(pair[0].end..pair[1].start);
        between.is_some_and(|gap| gap.chars().all(|c| matches!(c, ' ' | ',' | '.')))
    })
}

/// Nothing ends behind this word.
fn is_linked(word: &Word) -> bool {
    word.stop.is_none() && !word.quoted
}

fn mark(word: &Word) -> Option<char> {
    MARKS.iter().find(|(said, _)| word.is(said)).map(|(_, mark)| *mark)
}

fn is_letter(word: &Word) -> bool {
    word.text.len() == 1 && word.text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// A host from this place on, where it ends, and whether its dot was said.
fn host(said: &[Word], start: usize) -> Option<(String, usize, bool)> {
    let (mut text, mut at) = label(said, start)?;
    let mut spoken = false;
    while is_linked(&said[at - 1]) {
        let Some(next) = said.get(at) else { break };
        if next.is("dotcom") {
            text.push_str(".com");
            (at, spoken) = (at + 1, true);
            break;
        }
        let Some(mark @ ('.' | '-')) = mark(next).filter(|_| is_linked(next)) else { break };
        let Some((more, end)) = label(said, at + 1) else { break };
        text.push(mark);
        text.push_str(&more);
        (at, spoken) = (end, spoken || mark == '.');
    }
    let (name, ending) = text.rsplit_once('.')?;
    (!name.is_empty() && ENDINGS.contains(&ending)).then_some((text, at, spoken))
}

/// One part of a host: a word, or letters one by one.
fn label(said: &[Word], start: usize) -> Option<(String, usize)> {
    let first = said.get(start).filter(|word| !word.quoted)?;
    if let Some(second) = said.get(start + 1).filter(|_| is_linked(first)) {
        let two = TWO_WORDS.iter().find(|(one, other, _)| first.is(one) && second.is(other));
        if let Some((.., host)) = two {
            return Some(((*host).to_owned(), start + 2));
        }
    }
    let letters = said[start..].iter().take_while(|word| is_letter(word)).count();
    let last = (start..start + letters).find(|&at| said[at].stop.is_some_and(|stop| stop != ','));
    let letters = last.map_or(letters, |last| last + 1 - start);
    if letters > 1 {
        let text = said[start..start + letters].iter().map(|word| word.text.as_str()).collect();
        return Some((text, start + letters));
    }
    is_host_word(&first.text).then(|| (first.text.clone(), start + 1))
}

fn is_host_word(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    text.chars().all(fits) && !MARKS.iter().any(|(said, _)| *said == text)
}

/// The part before the "at".
#[derive(Debug)]
struct Local {
    text: String,
    start: usize,
    /// One plain word, which could be anything.
    plain: bool,
}

impl Local {
    /// Walks back from the "at" at this place.
    fn before(said: &[Word], at: usize) -> Option<Self> {
        if let Some(joined) = Self::all_one_word(said, at) {
            return Some(joined);
        }
        let (mut text, mut start, plain) = unit(said, at)?;
        let mut marked = false;
        while let Some(mark) = start.checked_sub(1).and_then(|before| {
            mark(&said[before]).filter(|_| is_linked(&said[before]) && before > 0)
        }) {
            if !is_linked(&said[start - 2]) {
                return None;
            }
            let (more, first, _) = unit(said, start - 1)?;
            text = format!("{more}{mark}{text}");
            (start, marked) = (first, true);
        }
        let plain = plain && !marked;
        let named = !plain || !is_nobody(&text);
        named.then_some(Self { text, start, plain })
    }

    /// "John smith all one word".
    fn all_one_word(said: &[Word], at: usize) -> Option<Self> {
        let end = at.checked_sub(3)?;
        let says =
            said[end..at].iter().zip(["all", "one", "word"]).all(|(word, text)| word.is(text));
        if !says {
            return None;
        }
        let least = end.saturating_sub(MOST_JOINED);
        let mut start = end;
        while start > least && !BEFORE.contains(&said[start - 1].text.as_str()) {
            if said[start - 1].stop.is_some_and(|stop| stop != ',' || start < end) {
                break;
            }
            start -= 1;
        }
        let bounded = start == 0
            || BEFORE.contains(&said[start - 1].text.as_str())
            || said[start - 1].stop.is_some();
        let words = &said[start..end];
        let fits = words.iter().all(|word| is_local_word(&word.text) && mark(word).is_none());
        let text = words.iter().map(|word| word.text.as_str()).collect();
        (bounded && start < end && fits).then_some(Self { text, start, plain: false })
    }

    /// Does what stands before it lead to an address?
    fn is_introduced(&self, said: &[Word], spoken: bool) -> bool {
        let Some(before) = self.start.checked_sub(1).map(|before| &said[before]) else {
            return true;
        };
        let leads = BEFORE.contains(&before.text.as_str());
        // "With Tom at brightloom.com" may be where they meet.
        let place = !spoken && self.plain && matches!(before.text.as_str(), "with" | "for" | "on");
        before.quoted || before.stop.is_some() || leads && !place
    }
}

/// One word, letters one by one, or a word and digits; where it starts, and
/// whether it is nothing but a word.
fn unit(said: &[Word], end: usize) -> Option<(String, usize, bool)> {
    let digits = said[..end].iter().rev().take_while(|word| digits(&word.text).is_some()).count();
    let numbers = number(&said[end - digits..end]);
    let end = end - digits;
    let spelled = said[..end].iter().rev().take_while(|word| spells(word)).count();
    if spelled > 1 || spelled == 1 && digits > 0 {
        let start = end - spelled;
        let letters: String = said[start..end].iter().map(|word| word.text.as_str()).collect();
        return Some((letters + &numbers, start, false));
    }
    let Some(word) = end.checked_sub(1).map(|at| &said[at]) else {
        return (digits > 1).then_some((numbers, end, false));
    };
    // "At four two at": digits alone.
    if digits > 0 && (word.stop.is_some() || BEFORE.contains(&word.text.as_str())) {
        return (digits > 1).then_some((numbers, end, false));
    }
    if word.quoted || !is_local_word(&word.text) || mark(word).is_some() {
        return None;
    }
    let text = spelled_out(&word.text);
    let plain = digits == 0 && text == word.text && text.chars().all(char::is_alphabetic);
    if digits > 0 && is_nobody(&text) {
        return None;
    }
    Some((text + &numbers, end - 1, plain))
}

/// A letter, also where a comma or a dot parts it from the next one.
fn spells(word: &Word) -> bool {
    is_letter(word) && !word.quoted && matches!(word.stop, None | Some(',' | '.'))
}

/// "P-r-i-y-a" is spelled.
fn spelled_out(text: &str) -> String {
    let letters = text.contains('-') && text.split('-').all(|part| part.len() == 1);
    if letters { text.replace('-', "") } else { text.to_owned() }
}

fn is_local_word(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    !text.is_empty() && text.chars().all(fits)
}

/// What a number word, or a short number, stands for.
fn digits(word: &str) -> Option<u32> {
    if word == "oh" {
        return Some(0);
    }
    if word.len() <= 4 && !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit()) {
        return word.parse().ok();
    }
    let ones = SMALL.iter().zip(0..).find(|(name, _)| **name == word);
    let tens = TENS.iter().zip(2..).find(|(name, _)| **name == word);
    ones.map(|(_, value)| value).or(tens.map(|(_, value)| value * 10))
}

/// "Four two" is 42, "forty two" is 42, "nineteen eighty five" is 1985.
fn number(words: &[Word]) -> String {
    let mut text = String::new();
    let mut tens = None;
    for word in words {
        let Some(value) = digits(&word.text) else { continue };
        let written = word.text.bytes().all(|c| c.is_ascii_digit());
        match tens.take() {
            Some(before) if !written && (1..10).contains(&value) => {
                text.push_str(&u32::to_string(&(before + value)));
                continue;
            }
            Some(before) => text.push_str(&u32::to_string(&before)),
            None => {}
        }
        if written {
            text.push_str(&word.text);
        } else if value >= 20 {
            tens = Some(value);
        } else {
            text.push_str(&value.to_string());
        }
    }
    if let Some(before) = tens {
        text.push_str(&before.to_string());
    }
    text
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
