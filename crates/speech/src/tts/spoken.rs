//! A text as a person would read it aloud.
//!
//! Times, dates, money, addresses, codes and abbreviations become words; each
//! word knows where in the text it stands. What is for the eye only is left
//! out, and nothing else is: whatever has a letter or a digit is said.

mod addresses;
mod amounts;
mod around;
mod forms;
mod marks;
pub mod numbers;
mod phones;
mod ranges;
mod rates;
mod short;
mod signs;
mod slashes;
mod times;

use std::ops::Range;

use around::Around;

use crate::sentence;

/// Something to be said, and the bytes of the text that it is the sound of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// Words, with the punctuation that shapes how they are said.
    pub words: String,
    pub at: Range<usize>,
}

/// Punctuation before and behind a word that is not part of it.
const OPENING: &[char] = &['(', '[', '{', '"', '\'', '“', '‘', '«', '¿', '¡', '<'];
const CLOSING: &[char] =
    &['.', ',', '!', '?', ';', ':', ')', ']', '}', '"', '\'', '”', '’', '…', '»', '—', '–', '>'];

/// The words of `text` in order. Offsets are moved by `from`, where the text
/// stands in a longer one.
pub fn spoken(text: &str, from: usize) -> Vec<Spoken> {
    let cleared = marks::without_marks(text);
    let mut words: Vec<Word> = Vec::new();
    let mut start = 0;
    for line in cleared.split_inclusive('\n') {
        let before = words.len();
        words.extend(words_of(line, start));
        if let Some(last) = words[before..].last_mut() {
            // The end of a line is a breath, with or without a full stop.
            if last.tail.is_empty() && line.ends_with('\n') {
                last.tail.push('.');
            }
        }
        start += line.len();
    }
    let mut out: Vec<Spoken> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (said, used) = say(&words, at);
        let tail = tail(&words, at + used - 1);
        let place = from + words[at].at.start..from + words[at + used - 1].at.end;
        let words = format!("{said}{tail}");
        if words.chars().any(char::is_alphanumeric) {
            out.push(Spoken { words, at: place });
        } else if let Some(last) = out.last_mut() {
            // A dash between two words is a pause behind the first.
            if !last.words.ends_with(CLOSING) {
                last.words.push(words.chars().find(|c| ".!?;:,".contains(*c)).unwrap_or(','));
            }
            last.at.end = place.end;
        }
        at += used;
    }
    out
}

/// The punctuation behind a word, without the full stop of an abbreviation that
/// stands in the middle of a sentence.
fn tail(words: &[Word], at: usize) -> &str {
    let word = &words[at];
    let Some(rest) = word.tail.strip_prefix('.') else { return &word.tail };
    let Some(next) = words.get(at + 1) else { return &word.tail };
    let half = ["a.m", "p.m"].contains(&word.lower().as_str());
    let initial = sentence::is_initials(&word.core);
    let long = abbreviated(words, at);
    // "U.S. mail": a full stop within says what the last one is.
    let short = half || initial || long.is_some() || word.core.contains('.') && !word.has_digit();
    let goes_on =
        !next.core.starts_with(char::is_uppercase) && next.core.starts_with(char::is_alphanumeric);
    let title = long.is_some_and(|long| ["Doctor", "Saint"].contains(&long));
    let before_name = initial && word.core != "I" || title || short::before_names(&word.core);
    if short && (goes_on || before_name || !rest.is_empty()) { rest } else { &word.tail }
}

fn abbreviated(words: &[Word], at: usize) -> Option<&'static str> {
    let word = &words[at];
    short::abbreviation(&word.core, word.dotted(), &Around::of(words, at))
}

/// A word of the text, its punctuation apart.
struct Word {
    lead: String,
    core: String,
    tail: String,
    at: Range<usize>,
}

impl Word {
    fn lower(&self) -> String {
        self.core.to_lowercase()
    }

    /// `leads_to` where a dash stood between it and the next.
    fn of(text: &str, leads_to: bool, at: Range<usize>) -> Self {
        let bare = |core: &str| Self {
            lead: String::new(),
            core: core.to_owned(),
            tail: String::new(),
            at: at.clone(),
        };
        if signs::symbol(text).is_some() {
            return bare(text);
        }
        if text == "–" {
            return bare("-");
        }
        let opened = text.trim_start_matches(OPENING);
        let lead = text[..text.len() - opened.len()].chars().filter(|c| *c == '(').collect();
        let core = opened.trim_end_matches(CLOSING);
        let tail = if leads_to {
            " to".to_owned()
        } else {
            opened[core.len()..].chars().filter_map(plain_mark).collect()
        };
        Self { lead, core: core.to_owned(), tail, at }
    }

    fn has_digit(&self) -> bool {
        self.core.bytes().any(|b| b.is_ascii_digit())
    }

    /// A full stop that belongs to an abbreviation and not to the sentence.
    fn dotted(&self) -> bool {
        self.tail.starts_with('.')
    }
}

fn words_of(line: &str, start: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.find(|c: char| !c.is_whitespace()) {
        let begin = line.len() - rest.len() + first;
        let length = line[begin..].find(char::is_whitespace).unwrap_or(line.len() - begin);
        let raw = &line[begin..begin + length];
        rest = &line[begin + length..];
        words.extend(word(raw, start + begin));
    }
    words
}

/// "either/or" is two words; most are one.
fn word(raw: &str, start: usize) -> Vec<Word> {
    let clean = raw.replace(marks::GONE, "");
    // Where each byte of the clean word stands in the text.
    let mut places: Vec<usize> =
        raw.bytes().enumerate().filter(|(_, b)| *b != 0).map(|(at, _)| start + at).collect();
    places.push(start + raw.len());
    let whole = clean.trim_start_matches(OPENING).trim_end_matches(CLOSING);
    let parts = if ranges::may_be(whole) { vec![&*clean] } else { short::parted(&clean) };
    let mut words = Vec::new();
    let (mut at, last) = (0, parts.len() - 1);
    for (nth, part) in parts.into_iter().enumerate() {
        let mut text = part;
        let range = nth < last && text.ends_with('–');
        if nth < last {
            text = text.trim_end_matches(['-', '–', '/']);
        }
        // The first part begins where the word does, marks before it and all.
        let begin = if nth == 0 { start } else { places[at] };
        at += part.len();
        if !text.is_empty() {
            words.push(Word::of(text, range, begin..places[at]));
        }
    }
    words
}

/// Marks that shape how a sentence is said; the others are quiet.
fn plain_mark(mark: char) -> Option<char> {
    match mark {
        '–' => Some('—'),
        '"' | '\'' | '”' | '’' | ']' | '}' | '»' | '>' => None,
        other => Some(other),
    }
}

/// How the word at `at` is said, and how many words that took.
fn say(words: &[Word], at: usize) -> (String, usize) {
    if let Some(number) = phones::in_words(&words[at..]) {
        return number;
    }
    let (word, around) = (&words[at], Around::of(words, at));
    if let Some(said) = between_numbers(words, at) {
        return (said.to_owned(), 1);
    }
    let next = words.get(at + 1).filter(|_| word.tail.is_empty());
    if let Some(two) = next.and_then(|next| pair(word, next, &around)) {
        return (format!("{}{two}", word.lead), 2);
    }
    let said = alone(word, &around, abbreviated(words, at));
    (format!("{}{}", word.lead, said.unwrap_or_else(|| signs::readable(&word.core))), 1)
}

/// A dash with room around it is a pause, but not between numbers: "9:30 – 10:00", "5 - 3 = 2".
fn between_numbers(words: &[Word], at: usize) -> Option<&'static str> {
    let word = &words[at];
    let beside = |at: Option<usize>| {
        at.and_then(|at| words.get(at)).filter(|word| {
            let amount = word.core.trim_start_matches(amounts::is_sign);
            amount.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let before = beside(at.checked_sub(1)).filter(|word| word.tail.is_empty());
    if word.core != "-" || before.is_none() || beside(Some(at + 1)).is_none() {
        return None;
    }
    let sum = words[at..].iter().take(4).any(|word| word.core == "=");
    Some(if sum { "minus" } else { "to" })
}

/// Two words that are one thing: "3 p.m.", "5 kg", "$3 million", "15 November".
fn pair(word: &Word, next: &Word, around: &Around) -> Option<String> {
    let (core, after) = (word.core.as_str(), next.lower());
    let digits = !core.is_empty() && core.bytes().all(|b| b.is_ascii_digit());
    if ["am", "pm", "a.m", "p.m"].contains(&after.as_str()) {
        let half = times::half_of_day(&after);
        let joined = format!("{core}{}", after.replace('.', ""));
        let joined = times::clock(&joined).or_else(|| ranges::range(&joined, around));
        return joined.or_else(|| Some(format!("{} {half}", numbers::number(core)?)));
    }
    if let (Some(unit), true) = (
        amounts::currency(core),
        ["million", "billion", "thousand", "trillion"].contains(&after.as_str()),
    ) {
        let (_, amount) = amounts::signed(core)?;
        let amount = amounts::money(core, true).or_else(|| ranges::range(amount, around))?;
        return Some(format!("{amount} {after} {unit}"));
    }
    let amount = || numbers::quantity(core).or_else(|| ranges::range(core, around));
    if next.lead.is_empty() && amounts::currency(&next.core).is_some() {
        return amounts::money(&format!("{}{core}", next.core), false)
            .filter(|_| amounts::signed(&next.core).is_some_and(|(_, rest)| rest.is_empty()));
    }
    if let (true, Some(share)) = (digits && core.len() <= 3, slashes::behind_whole(&next.core)) {
        return Some(format!("{} and {share}", numbers::quantity(core)?));
    }
    let capital = next.core.starts_with(char::is_uppercase);
    if let (true, Some(month)) = (digits && capital && core.len() <= 2, times::month(&next.core)) {
        return Some(format!("the {} of {month}", numbers::ordinal(core.parse().ok()?)));
    }
    // "5 m" is a measure, "a m" is not; single letters only behind a number.
    let unit = amounts::unit(&next.core, core == "1")?;
    Some(format!("{} {unit}", amount()?))
}

fn alone(word: &Word, around: &Around, long: Option<&'static str>) -> Option<String> {
    let core = word.core.as_str();
    if let Some(said) = signs::symbol(core) {
        return Some(said.to_owned());
    }
    if let Some(long) = long {
        return Some(long.to_owned());
    }
    if let Some(said) = signs::sharp(core).or_else(|| ranges::range(core, around)) {
        return Some(said);
    }
    if let Some(number) = rates::roman(core, around) {
        return Some(number);
    }
    if !core.chars().any(|c| c.is_ascii_digit()) && !core.contains(['@', '.', ':', '/']) {
        return None;
    }
    let after_month = around
        .before
        .is_some_and(|w| times::month(w).is_some() && w.starts_with(char::is_uppercase));
    if let Some(day) = day_of_month(core).filter(|_| after_month) {
        return Some(day);
    }
    addresses::mail(core)
        .or_else(|| rates::rate(core))
        .or_else(|| rates::height(core))
        .or_else(|| amounts::money(core, false))
        .or_else(|| times::clock(core))
        .or_else(|| times::precise(core).filter(|_| core.contains(':')))
        .or_else(|| times::date(core))
        .or_else(|| times::decade(core, around.before))
        .or_else(|| place_in_a_row(core))
        .or_else(|| slashes::slashed(core, around))
        .or_else(|| spelled(core, around))
        .or_else(|| counted(core, around))
        .or_else(|| numbers::number(core))
        .or_else(|| times::duration(core, around.before, around.after))
        .or_else(|| amounts::measure(core))
        .or_else(|| phones::phone(core))
        .or_else(|| addresses::url(core))
        .or_else(|| addresses::path(core))
        .or_else(|| hashed(core))
        .or_else(|| addresses::joined(core))
        .or_else(|| addresses::code(core))
}

/// "50000 people": a long number is a code where nothing is counted.
fn counted(core: &str, around: &Around) -> Option<String> {
    let long = core.len() > 4 && !core.starts_with('0') && core.bytes().all(|b| b.is_ascii_digit());
    (long && around.counts() && !around.is_code()).then(|| numbers::quantity(core))?
}

/// "Call 911", "room 101", "ext. 5512": nobody counts to a name in digits.
fn spelled(core: &str, around: &Around) -> Option<String> {
    let digits = core.bytes().all(|b| b.is_ascii_digit());
    let emergency = ["911", "999", "112"].contains(&core) && (core == "911" || around.is_called());
    let extension = around.is_extension() && core.len() > 1;
    // "One oh one", but "room one hundred twenty three".
    let room =
        around.is_room() && core.len() == 3 && core.as_bytes()[1] == b'0' && !core.ends_with('0');
    let named = digits && !around.counts() && (emergency || extension || room);
    named.then(|| numbers::digits(core))
}

fn day_of_month(core: &str) -> Option<String> {
    let day: u64 = core.parse().ok()?;
    (core.len() <= 2 && (1..=31).contains(&day)).then(|| numbers::ordinal(day))
}

/// "21st", "3rd".
fn place_in_a_row(core: &str) -> Option<String> {
    let lower = core.to_lowercase();
    let stem = ["st", "nd", "rd", "th"].into_iter().find_map(|end| lower.strip_suffix(end))?;
    let n = stem.replace(',', "").parse().ok()?;
    Some(numbers::ordinal(n))
}

/// "#4": number four.
fn hashed(core: &str) -> Option<String> {
    let rest = core.strip_prefix('#')?;
    let words = numbers::number(rest).or_else(|| addresses::code(rest))?;
    Some(format!("number {words}"))
}

#[cfg(test)]
#[path = "spoken_tests.rs"]
mod tests;
