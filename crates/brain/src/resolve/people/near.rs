//! Names that were misspelled or misheard.
//!
//! A slip is believed only where it cannot be somebody else: a name that many
//! people have is taken at its word, a short one must sound the same, and the
//! end of a name is left alone, because it tells Daniel from Daniela.

use std::collections::HashMap;

use super::sound::{self, Sounds, WHOLE};
use super::{Contact, forms, plain};

/// Distances below this are one name in another spelling.
const SPELLING: u32 = 3;
/// What it costs to be called by a short form.
const SHORT: u32 = 3;
/// The family name alone is a little less likely meant.
const FAMILY: u32 = 1;
/// Two words for one name, as in "mark us".
const SPLIT: u32 = 2;

/// The longest name, in words, that is compared part by part.
const MOST_WORDS: usize = 4;

/// Of a hundred sounds, so many may be others in a name that is asked about.
const ASKED: u32 = 36;
/// In one part of it, when the others are right.
const PART: u32 = 45;
/// And so many more in one that is asked about with it.
const ASKED_MARGIN: u32 = 8;
/// Shorter names sound like everything.
const FEWEST_SOUNDS: usize = 3;

/// Words people stand behind without being called so.
const ORDINARY: &[&str] = &[
    "accounting",
    "agency",
    "airline",
    "bank",
    "board",
    "boss",
    "brother",
    "client",
    "clinic",
    "club",
    "coach",
    "company",
    "council",
    "couple",
    "customer",
    "dad",
    "daughter",
    "dentist",
    "desk",
    "director",
    "doctor",
    "dinner",
    "engineer",
    "everybody",
    "family",
    "father",
    "finance",
    "friend",
    "garage",
    "group",
    "guys",
    "hotel",
    "house",
    "husband",
    "insurance",
    "landlord",
    "lawyer",
    "legal",
    "lunch",
    "maker",
    "manager",
    "market",
    "marketing",
    "mother",
    "near",
    "neighbor",
    "nobody",
    "notes",
    "nurse",
    "office",
    "owner",
    "parents",
    "partner",
    "party",
    "people",
    "person",
    "plumber",
    "police",
    "press",
    "pastor",
    "reception",
    "sales",
    "sample",
    "samples",
    "school",
    "security",
    "sister",
    "somebody",
    "staff",
    "student",
    "support",
    "teacher",
    "team",
    "tenant",
    "travel",
    "troops",
    "vendor",
    "wife",
    "works",
];

/// Every name of an address book once, as it is written and as it sounds.
#[derive(Debug, Default)]
pub struct Names {
    names: Vec<Name>,
    /// Who may be called so for short.
    short: HashMap<&'static str, Vec<usize>>,
}

#[derive(Debug)]
struct Name {
    word: Word,
    said: Vec<Word>,
    owners: Vec<(usize, Part)>,
}

/// A name as it is compared.
#[derive(Debug)]
struct Word {
    text: String,
    /// Which letters and which consonants it has, one bit each: most names are
    /// told apart without comparing them.
    letters: u32,
    consonants: u64,
    /// Sounds that its first one may be taken for, one bit each.
    starts: u64,
    sounds: Sounds,
    common: bool,
    /// Which name it is a spelling of.
    group: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    First,
    Middle,
    Last,
    Nickname,
}

/// How much a name is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// There is nothing but this word.
    Alone,
    /// The other half of the name stands beside it.
    Beside,
}

/// Somebody who may be meant, by their place in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    pub contact: usize,
    /// 0 is what they are called, 10 is one letter or sound away.
    pub far: u32,
    /// Only by a short form, and otherwise as written.
    pub short: bool,
}

impl Names {
    pub fn new(contacts: &[Contact]) -> Self {
        let mut names = Self::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (at, contact) in contacts.iter().enumerate() {
            for (text, part) in parts(contact) {
                if part == Part::First {
                    for form in forms::related(&text) {
                        names.short.entry(form).or_default().push(at);
                    }
                }
                let place = *places.entry(text).or_insert_with_key(|text| {
                    names.names.push(Name::new(text));
                    names.names.len() - 1
                });
                names.names[place].owners.push((at, part));
            }
        }
        names
    }

    /// Everybody who may be meant by these words, the nearest first, at most
    /// `margin` further away than the nearest.
    pub fn find(&self, wanted: &str, margin: u32) -> Vec<Near> {
        let words: Vec<&str> = wanted.split(' ').filter(|word| !word.is_empty()).collect();
        let mut found = match words.as_slice() {
            [] => Vec::new(),
            [one] => self.called(one, Trust::Alone, |_| true),
            several if several.len() <= MOST_WORDS => self.split(several),
            _ => Vec::new(),
        };
        found.sort_by_key(|near| (near.far, near.contact));
        let nearest = found.first().map_or(0, |near| near.far);
        found.retain(|near| near.far <= nearest + margin);
        found
    }

    /// A first and a last name, or one name in two words.
    fn split(&self, words: &[&str]) -> Vec<Near> {
        let mut found = Vec::new();
        for cut in 1..words.len() {
            let (first, last) = (words[..cut].concat(), words[cut..].concat());
            let joins = u32::try_from(words.len() - 2).unwrap_or(0) * SPLIT;
            let firsts = self.called(&first, Trust::Beside, |part| part != Part::Last);
            if firsts.is_empty() {
                continue;
            }
            for last in self.called(&last, Trust::Beside, |part| part == Part::Last) {
                let first = firsts.iter().find(|first| first.contact == last.contact);
                let Some(first) = first.filter(|first| is_one_sure(first, &last)) else { continue };
                let far = first.far + last.far.saturating_sub(FAMILY) + joins;
                let short = first.short && last.far <= FAMILY;
                keep(&mut found, Near { contact: last.contact, far, short });
            }
        }
        if let [first, .., last] = words
            && words.len() == 3
        {
            // A middle name that the book does not know, or knows.
            for near in self.split(&[first, last]) {
                if self.has_middle(near.contact, words[1]) {
                    keep(&mut found, near);
                }
            }
        }
        if words.len() == 2 {
            let whole = words.concat();
            let one = self.called(&whole, Trust::Alone, |part| part != Part::Middle);
            for near in one.into_iter().filter(|near| near.far <= SPELLING && !near.short) {
                keep(&mut found, Near { far: near.far + SPLIT, ..near });
            }
        }
        found
    }

    fn has_middle(&self, contact: usize, middle: &str) -> bool {
        let mut middles =
            self.names.iter().filter(|name| name.owners.contains(&(contact, Part::Middle)));
        middles.any(|name| name.word.text == middle)
    }

    /// Everybody who may be called by this one word.
    fn called(&self, word: &str, trust: Trust, is_meant: impl Fn(Part) -> bool) -> Vec<Near> {
        let mut found = Vec::new();
        if is_meant(Part::First) {
            for &contact in self.short.get(word).into_iter().flatten() {
                keep(&mut found, Near { contact, far: SHORT, short: true });
            }
        }
        if ORDINARY.contains(&word) {
            return found;
        }
        let wanted = Word::new(word.to_owned());
        for name in &self.names {
            let Some(far) = name.far(&wanted, trust) else { continue };
            for &(contact, part) in name.owners.iter().filter(|(_, part)| is_meant(*part)) {
                let family = if part == Part::Last { FAMILY } else { 0 };
                keep(&mut found, Near { contact, far: far + family, short: false });
            }
        }
        found
    }
}

/// Whom a name may have been misheard for, the likeliest first: too far away to
/// be taken for them, near enough to ask. With each, how many of a hundred sounds are others.
pub fn sounding(wanted: &str, contacts: &[Contact]) -> Vec<(u32, usize)> {
    let said: Vec<&str> = wanted.split(' ').filter(|word| !word.is_empty()).collect();
    let wanted = sound::sounds(&said.concat());
    if wanted.len() < FEWEST_SOUNDS {
        return Vec::new();
    }
    let mut found: Vec<(u32, usize)> = Vec::new();
    for (at, contact) in contacts.iter().enumerate() {
        let full = plain(&contact.name);
        if !is_like(&said, &full) {
            continue;
        }
        let called = parts(contact).into_iter().map(|(name, _)| name);
        // One word may be any of their names, several are all of them.
        let called = called.filter(|_| said.len() == 1).chain([full.replace(' ', "")]);
        if let Some(far) = called.filter_map(|name| off(&wanted, &name, ASKED)).min() {
            found.push((far, at));
        }
    }
    found.sort_unstable();
    let nearest = found.first().map_or(0, |(far, _)| *far);
    found.retain(|(far, _)| *far <= nearest + ASKED_MARGIN);
    found
}

/// Whoever has the first name and another last one is somebody else.
fn is_like(said: &[&str], full: &str) -> bool {
    let parts: Vec<&str> = full.split(' ').collect();
    let near = |(said, part): (&&str, &&str)| off(&sound::sounds(said), part, PART).is_some();
    said.len() == 1 || said.len() != parts.len() || said.iter().zip(&parts).all(near)
}

/// How many of a hundred sounds of a name are others, where at most so many are.
pub fn off(wanted: &[u8], name: &str, most_off: u32) -> Option<u32> {
    apart_of_a_hundred(wanted, &sound::sounds(name), most_off)
}

/// The same where both are sounds already.
pub fn apart_of_a_hundred(wanted: &[u8], sounds: &[u8], most_off: u32) -> Option<u32> {
    let most = u32::try_from(sounds.len().max(wanted.len())).ok()? * WHOLE;
    let limit = most * most_off / 100;
    let apart = sound::apart(wanted, sounds, limit);
    // Where neither has a sound, as numbers have none, nothing is alike.
    (apart * 100).checked_div(most).filter(|_| apart <= limit)
}

/// One half of the name is beyond doubt, so the other may be a little off.
fn is_one_sure(first: &Near, last: &Near) -> bool {
    first.far <= SHORT || last.far <= SPELLING + FAMILY
}

/// One entry for each contact, the nearest.
fn keep(found: &mut Vec<Near>, near: Near) {
    match found.iter_mut().find(|other| other.contact == near.contact) {
        Some(other) if other.far <= near.far => {}
        Some(other) => *other = near,
        None => found.push(near),
    }
}

/// The single words a contact is called by.
fn parts(contact: &Contact) -> Vec<(String, Part)> {
    let full = plain(&contact.name);
    let words: Vec<&str> = full.split(' ').filter(|word| !word.ends_with('.')).collect();
    let mut parts: Vec<(String, Part)> = Vec::new();
    if let [first, rest @ ..] = words.as_slice() {
        parts.push(((*first).to_owned(), Part::First));
        if let [middle @ .., last] = rest {
            parts.extend(middle.iter().map(|word| ((*word).to_owned(), Part::Middle)));
            parts.push(((*last).to_owned(), Part::Last));
            if !middle.is_empty() {
                parts.push((rest.concat(), Part::Last));
            }
        }
    }
    let nicknames = contact.nicknames.iter().map(|name| plain(name).replace(' ', ""));
    parts.extend(nicknames.map(|name| (name, Part::Nickname)));
    parts.retain(|(name, _)| !name.is_empty());
    parts
}

impl Word {
    fn new(text: String) -> Self {
        let letters = text.bytes().filter(u8::is_ascii_lowercase);
        let letters = letters.fold(0, |mask, letter| mask | 1 << (letter - b'a'));
        let (sounds, common) = (sound::sounds(&text), forms::is_common(&text));
        let consonants = sounds.iter().filter(|sound| !sound::is_vowel(**sound));
        let consonants = consonants.fold(0, |mask, sound| mask | sound::bit(*sound));
        let starts = sounds.first().map_or(0, |first| sound::kin(*first));
        let group = forms::group(&text);
        Self { text, letters, consonants, starts, sounds, common, group }
    }
}

impl Name {
    fn new(text: &str) -> Self {
        let said = forms::said(text).iter().map(|said| Word::new((*said).to_owned())).collect();
        Self { word: Word::new(text.to_owned()), said, owners: Vec::new() }
    }

    /// How far away this name is, if it may be meant at all.
    fn far(&self, wanted: &Word, trust: Trust) -> Option<u32> {
        if self.word.text == wanted.text {
            return Some(0);
        }
        if self.said.iter().any(|said| said.text == wanted.text) {
            return Some(2);
        }
        if wanted.common && self.word.common {
            return (wanted.group.is_some() && wanted.group == self.word.group).then_some(1);
        }
        let spellings = self.said.iter().chain([&self.word]);
        spellings.filter_map(|word| word.far(wanted, trust)).min()
    }
}

impl Word {
    fn far(&self, wanted: &Self, trust: Trust) -> Option<u32> {
        if self.sounds.is_empty() && wanted.sounds.is_empty() {
            // Other alphabets are compared by their letters alone.
            return self.slips(wanted).map(|slips| slips * WHOLE);
        }
        let first = sound::bit(self.sounds.first().copied()?);
        let few = self.sounds.len().min(wanted.sounds.len());
        let alike = wanted.starts & first != 0
            && self.sounds.len().abs_diff(wanted.sounds.len()) <= 3
            && (self.consonants ^ wanted.consonants).count_ones() <= 4;
        if !alike || few < 3 || wanted.text.len() < 4 {
            return None;
        }
        let allowed = allowed_sounds(few, trust);
        let heard = sound::apart(&self.sounds, &wanted.sounds, allowed);
        if heard == 0 {
            return Some(2);
        }
        // A name that many people have was meant as it was said.
        if wanted.common {
            return None;
        }
        let typed = self.slips(wanted).map(|slips| slips * WHOLE);
        let heard = Some(heard).filter(|heard| *heard <= allowed);
        let owned = self.is_but_for_an_s(wanted).then_some(SPELLING);
        Some(heard.into_iter().chain(typed).chain(owned).min()?.max(SPELLING))
    }

    /// "Priyas last mail": nobody speaks apostrophes.
    fn is_but_for_an_s(&self, wanted: &Self) -> bool {
        let but = |longer: &str, shorter: &str| longer.strip_suffix('s') == Some(shorter);
        but(&self.text, &wanted.text) || but(&wanted.text, &self.text)
    }

    /// How many slips of a finger away, where that many are believed.
    fn slips(&self, wanted: &Self) -> Option<u32> {
        let (own, other) = (self.text.as_str(), wanted.text.as_str());
        let allowed = match own.chars().count().min(other.chars().count()) {
            0..=4 => 0,
            5..=7 => 1,
            _ => 2,
        };
        let differing = (self.letters ^ wanted.letters).count_ones();
        if allowed == 0 || differing > 2 * allowed || own.len().abs_diff(other.len()) > 2 {
            return None;
        }
        if vowel_at_the_end(own) != vowel_at_the_end(other) {
            return None;
        }
        let slips = u32::try_from(strsim::osa_distance(own, other)).unwrap_or(u32::MAX);
        (slips <= allowed && !is_other_letter(own, other)).then_some(slips)
    }
}

/// One letter is another one, and not one that lies beside it on the keyboard:
/// "German" for "Gorman" was no slip of a finger.
fn is_other_letter(own: &str, other: &str) -> bool {
    const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
    let mut differing = own.chars().zip(other.chars()).filter(|(one, other)| one != other);
    let (Some((one, other_one)), None) = (differing.next(), differing.next()) else {
        return false;
    };
    let place = |letter: char| {
        let found = ROWS.iter().enumerate().find_map(|(row, keys)| Some((row, keys.find(letter)?)));
        found.unwrap_or((usize::MAX, usize::MAX))
    };
    let ((row, key), (other_row, other_key)) = (place(one), place(other_one));
    own.len() == other.len() && (row.abs_diff(other_row) > 1 || key.abs_diff(other_key) > 1)
}

/// "Maria", "Mario" and "Marie" end in three ways.
fn vowel_at_the_end(name: &str) -> Option<char> {
    name.chars().last().filter(|last| "aeiouy".contains(*last))
}

/// The shorter a name, the more neighbours it has.
fn allowed_sounds(count: usize, trust: Trust) -> u32 {
    match count {
        0..=3 => 0,
        4 | 5 if trust == Trust::Beside => 5,
        4 => 0,
        5 => 4,
        6 => 5,
        7 => 8,
        8..=9 => 10,
        _ => 13,
    }
}
