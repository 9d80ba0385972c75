//! A text as a person would read it aloud.
//!
//! Times, dates, money, addresses, codes and abbreviations become words; each
//! word knows where in the text it stands. What is for the eye only is left
//! out, and nothing else is: whatever has a letter or a digit is said.

mod addresses;
mod amounts;
mod marks;
pub mod numbers;
mod short;
mod times;

use std::ops::Range;

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
        let words = format!("{}{said}{tail}", words[at].lead);
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
    let initial = word.core.chars().count() == 1 && word.core.starts_with(char::is_uppercase);
    let short = half || initial || abbreviated(words, at).is_some();
    let goes_on =
        !next.core.starts_with(char::is_uppercase) && next.core.starts_with(char::is_alphanumeric);
    let before_name = initial && word.core != "I" || short::before_names(&word.core);
    if short && (goes_on || before_name || !rest.is_empty()) { rest } else { &word.tail }
}

fn abbreviated(words: &[Word], at: usize) -> Option<&'static str> {
    let core = |at: Option<usize>| at.and_then(|at| words.get(at)).map(|word| word.core.as_str());
    let word = &words[at];
    short::abbreviation(&word.core, word.dotted(), core(at.checked_sub(1)), core(Some(at + 1)))
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

/// "either/or" and "Mon–Fri" are two words each; most are one.
fn word(raw: &str, start: usize) -> Vec<Word> {
    let parts = short::parted(raw);
    let mut words = Vec::new();
    let mut at = start;
    let last = parts.len() - 1;
    for (nth, part) in parts.into_iter().enumerate() {
        let mut text = part.replace(marks::GONE, "");
        let range = nth < last && text.ends_with(['-', '–']);
        if nth < last {
            text.truncate(text.trim_end_matches(['-', '–', '/']).len());
        }
        let opened = text.trim_start_matches(OPENING);
        let lead: String =
            text[..text.len() - opened.len()].chars().filter(|c| *c == '(').collect();
        let core = opened.trim_end_matches(CLOSING);
        let tail = opened[core.len()..].chars().filter_map(plain_mark).collect();
        let tail = if range { " to".to_owned() } else { tail };
        let end = at + part.len();
        if !text.is_empty() {
            words.push(Word { lead, core: core.to_owned(), tail, at: at..end });
        }
        at = end;
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
    let word = &words[at];
    let next = words.get(at + 1).filter(|_| word.tail.is_empty());
    let before = at.checked_sub(1).map(|at| &words[at]);
    if let Some(two) = next.and_then(|next| pair(word, next)) {
        return (two, 2);
    }
    let said = alone(word, before, abbreviated(words, at));
    (said.unwrap_or_else(|| readable(&word.core)), 1)
}

/// Two words that are one thing: "3 p.m.", "5 kg", "$3 million", "15 November".
fn pair(word: &Word, next: &Word) -> Option<String> {
    let (core, after) = (word.core.as_str(), next.lower());
    let digits = !core.is_empty() && core.bytes().all(|b| b.is_ascii_digit());
    if ["am", "pm", "a.m", "p.m"].contains(&after.as_str()) {
        let half = times::half_of_day(&after);
        let joined = times::clock(&format!("{core}{}", after.replace('.', "")));
        return joined.or_else(|| Some(format!("{} {half}", numbers::number(core)?)));
    }
    if let (Some(unit), true) = (
        amounts::currency(core),
        ["million", "billion", "thousand", "trillion"].contains(&after.as_str()),
    ) {
        return Some(format!("{} {after} {unit}", amounts::money(core, true)?));
    }
    let capital = next.core.starts_with(char::is_uppercase);
    if let (true, Some(month)) = (digits && capital && core.len() <= 2, times::month(&next.core)) {
        return Some(format!("the {} of {month}", numbers::ordinal(core.parse().ok()?)));
    }
    // "5 m" is a measure, "a m" is not; single letters only behind a number.
    let unit = amounts::unit(&next.core, core == "1")?;
    Some(format!("{} {unit}", numbers::number(core)?))
}

fn alone(word: &Word, before: Option<&Word>, long: Option<&'static str>) -> Option<String> {
    let core = word.core.as_str();
    if let Some(said) = short::symbol(core) {
        return Some(said.to_owned());
    }
    if let Some(long) = long {
        return Some(long.to_owned());
    }
    if !core.chars().any(|c| c.is_ascii_digit()) && !core.contains(['@', '.', ':', '/']) {
        return None;
    }
    let after_month = before
        .is_some_and(|w| times::month(&w.core).is_some() && w.core.starts_with(char::is_uppercase));
    if let Some(day) = day_of_month(core).filter(|_| after_month) {
        return Some(day);
    }
    addresses::mail(core)
        .or_else(|| amounts::money(core, false))
        .or_else(|| times::clock(core))
        .or_else(|| times::date(core))
        .or_else(|| place_in_a_row(core))
        .or_else(|| short::fraction(core))
        .or_else(|| numbers::number(core))
        .or_else(|| amounts::measure(core))
        .or_else(|| addresses::phone(core))
        .or_else(|| addresses::url(core))
        .or_else(|| hashed(core))
        .or_else(|| addresses::code(core))
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

/// Whatever is left: marks inside by their names, so that nothing falls silent.
fn readable(core: &str) -> String {
    let core = core.replace(['’', 'ʼ', '`'], "'");
    let plain = |c: char| c.is_alphabetic() || c == '\'' || c == '-';
    if core.chars().all(plain) {
        return core;
    }
    let mut words = String::new();
    let digits = |c: &char| c.is_ascii_digit();
    let mut rest = core.chars().peekable();
    while let Some(c) = rest.next() {
        if digits(&c) {
            let mut run = c.to_string();
            while let Some(more) = rest.next_if(digits) {
                run.push(more);
            }
            words.extend([" ", &numbers::number(&run).unwrap_or_default(), " "]);
        } else if plain(c) {
            words.push(c);
        } else {
            words.extend([" ", short::symbol(&c.to_string()).unwrap_or_default(), " "]);
        }
    }
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
#[path = "spoken_tests.rs"]
mod tests;
