//! The text of a mail, changed in one place and left alone everywhere else.

use std::ops::Range;

use brain::resolve::time::{self, Grain, Lean};
use brain::resolve::words::{Word, words};

use crate::World;
use crate::narrator::card::{is_greeting, is_sign_off};
use crate::reflex::follow::names_no_day;
use crate::reflex::phrasing::capital;

/// Greeting, words and name, as they stand below each other.
struct Parts<'a> {
    greeting: Option<&'a str>,
    words: String,
    name: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(body: &'a str) -> Self {
        let mut parts: Vec<&str> = body.split("\n\n").collect();
        let greets = parts.len() > 1 && is_greeting(parts[0].trim());
        let greeting = greets.then(|| parts.remove(0));
        let signs = parts.len() > 1 && parts.last().is_some_and(|last| is_sign_off(last.trim()));
        let name = if signs { parts.pop() } else { None };
        Self { greeting, words: parts.join("\n\n"), name }
    }

    fn joined(&self) -> String {
        let all = [self.greeting, Some(self.words.as_str()), self.name];
        all.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
    }
}

/// One more sentence, before the name.
pub fn added(body: &str, sentence: &str) -> String {
    let mut parts = Parts::of(body);
    parts.words = format!("{} {sentence}", parts.words.trim_end());
    parts.joined()
}

pub fn rewritten(body: &str, words: &str) -> String {
    Parts { words: words.to_owned(), ..Parts::of(body) }.joined()
}

/// The words between greeting and name.
pub fn words_in(body: &str) -> String {
    Parts::of(body).words
}

/// `None` when nothing would be left.
pub fn without_sentence(body: &str, last: bool) -> Option<String> {
    let mut parts = Parts::of(body);
    let text = parts.words.trim();
    let ends: Vec<usize> = text
        .char_indices()
        .filter(|&(at, c)| {
            matches!(c, '.' | '?' | '!' | '\n') && text[at + 1..].starts_with(char::is_whitespace)
        })
        .map(|(at, _)| at + 1)
        .collect();
    let kept = if last { &text[..*ends.last()?] } else { &text[*ends.first()?..] };
    parts.words = kept.trim().to_owned();
    Some(parts.joined())
}

/// Without what hangs on the only sentence: ", start without me", "and call Tom".
pub fn without_clause(body: &str) -> Option<String> {
    let mut parts = Parts::of(body);
    let text = parts.words.trim();
    let links = [", and ", " and ", ", ", "; "];
    let cut = links.iter().filter_map(|link| text.rfind(link)).max()?;
    let kept = text[..cut].trim_end_matches([',', ';', ' ']);
    let long_enough = words(kept).len() > 1;
    parts.words = format!("{kept}.");
    long_enough.then(|| parts.joined())
}

pub fn without_greeting(body: &str) -> Option<String> {
    let parts = Parts::of(body);
    parts.greeting?;
    Some(Parts { greeting: None, ..parts }.joined())
}

/// The greeting with another name in it.
pub fn greeting_to(body: &str, old: &str, new: &str) -> Option<String> {
    let greeting = Parts::of(body).greeting?;
    let changed = replaced(greeting, old, new)?;
    Some(format!("{changed}{}", &body[greeting.len()..]))
}

/// Every `old` in it as words of its own, whatever its capitals, is `new`.
/// Words that two of them would share belong to the first.
pub fn replaced(body: &str, old: &str, new: &str) -> Option<String> {
    let wanted: Vec<String> = words(old).into_iter().map(|word| word.text).collect();
    let found = words(body);
    let mut text = String::with_capacity(body.len());
    let mut copied = 0;
    for place in places(&found, &wanted) {
        let (mut before, mut after) = (&body[copied..place.start], place.end);
        if new.is_empty() {
            // One of the two spaces around it goes along.
            if let Some(shorter) = before.strip_suffix(' ') {
                before = shorter;
            } else if (place.start == 0 || before.ends_with('\n')) && body[after..].starts_with(' ')
            {
                after += 1;
            }
        }
        text.push_str(before);
        text.push_str(&like(&body[place], new));
        copied = after;
    }
    text.push_str(&body[copied..]);
    (copied > 0).then_some(text)
}

/// Where these words stand in a row, from the left and never on top of each other.
fn places(found: &[Word], wanted: &[String]) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut at = 0;
    while !wanted.is_empty() && at + wanted.len() <= found.len() {
        let run = &found[at..at + wanted.len()];
        let same = run.iter().zip(wanted).all(|(word, text)| word.text == *text);
        if same && is_whole(found, at, wanted.len()) {
            places.push(run[0].start..run[run.len() - 1].end);
            at += wanted.len();
        } else {
            at += 1;
        }
    }
    places
}

/// Does the run end where words end? "Don't" is read as two words, and none of
/// them can be taken out of it.
fn is_whole(found: &[Word], at: usize, count: usize) -> bool {
    let parted = |at: usize| at == 0 || at == found.len() || found[at - 1].end <= found[at].start;
    parted(at) && parted(at + count)
}

/// Is there nothing between greeting and name?
pub fn is_empty(body: &str) -> bool {
    words(&Parts::of(body).words).is_empty()
}

/// With a capital where the old words had one at the start of a sentence or
/// in a name.
pub fn like(old: &str, new: &str) -> String {
    if old.starts_with(char::is_uppercase) { capital(new) } else { new.to_owned() }
}

/// What kind of time these words are, if they are nothing else.
pub fn kind_of_time(said: &str, world: &World) -> Option<Grain> {
    let found = words(said);
    let at = words(&format!("at {said}"));
    let whole = |words: &[Word]| {
        let when = time::find(words, &world.local_now(), Lean::Ahead)?;
        (when.words.len() == words.len()).then(|| when.readings[0].grain)
    };
    whole(&found).or_else(|| whole(&at)).filter(|grain| {
        matches!(grain, Grain::Day) || *grain == Grain::Moment && names_no_day(&found)
    })
}

/// Where a text names times of this kind.
pub fn times(body: &str, kind: Grain, world: &World) -> Vec<Range<usize>> {
    let found = words(body);
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < found.len() {
        let longest = (1..=4).rev().find(|used| {
            let run = found.get(at..at + used).filter(|_| is_whole(&found, at, *used));
            run.is_some_and(|run| is_time(run, at, &found, kind, world))
        });
        if let Some(used) = longest {
            places.push(found[at].start..found[at + used - 1].end);
        }
        at += longest.unwrap_or(1);
    }
    places
}

const MONEY: &[&str] = &[
    "dollar", "dollars", "euro", "euros", "pound", "pounds", "bucks", "usd", "eur", "gbp", "cents",
    "francs", "yen",
];

/// Where a text names a sum of money: "$1,200", "300 dollars", "thirteen hundred dollars".
pub fn amounts(body: &str) -> Vec<Range<usize>> {
    let found = words(body);
    let sign = |word: &Word| body[..word.start].ends_with(['$', '€', '£']);
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < found.len() {
        let used = number(&found[at..]);
        let unit = found.get(at + used).is_some_and(|word| MONEY.contains(&word.text.as_str()));
        if used > 0 && (unit || sign(&found[at])) {
            let signed = body[..found[at].start].chars().next_back();
            let start =
                found[at].start - signed.filter(|_| sign(&found[at])).map_or(0, char::len_utf8);
            let last = at + used - usize::from(!unit);
            let last = last + if unit { cents_behind(&found[last + 1..]) } else { 0 };
            places.push(start..found[last].end);
            at = last;
        }
        at += used.max(1);
    }
    places
}

/// How many words a number takes that begins here: "four hundred and twenty".
fn number(words: &[Word]) -> usize {
    const SCALES: &[&str] = &["hundred", "thousand", "million", "grand"];
    let is_scale = |word: &Word| SCALES.contains(&word.text.as_str());
    let counts = |word: &Word| {
        word.text.starts_with(|c: char| c.is_ascii_digit())
            || time::is_number_word(&word.text)
            || is_scale(word)
    };
    let links = |at: usize| {
        words[at].is("and")
            && at > 0
            && is_scale(&words[at - 1])
            && words.get(at + 1).is_some_and(counts)
    };
    (0..words.len()).take_while(|&at| counts(&words[at]) || links(at)).count()
}

/// "… dollars and fifty cents" is one sum.
fn cents_behind(words: &[Word]) -> usize {
    let linked = usize::from(words.first().is_some_and(|word| word.is("and")));
    let used = number(&words[linked..]);
    let cents = words.get(linked + used).is_some_and(|word| word.is("cents") || word.is("cent"));
    if used > 0 && cents { linked + used + 1 } else { 0 }
}

/// A number alone, of the same money as the old sum: "430" for "$420" is "$430".
pub fn in_same_money(new: &str, old: &str) -> Option<String> {
    let said = words(new);
    if said.is_empty() || number(&said) != said.len() {
        return None;
    }
    let new = new.trim().trim_end_matches('.');
    let sign = old.chars().next().filter(|first| matches!(first, '$' | '€' | '£'));
    let unit = words(old).into_iter().map(|word| word.text);
    let unit = unit.skip(1).find(|text| MONEY.contains(&text.as_str()));
    Some(match sign {
        Some(sign) if new.starts_with(|c: char| c.is_ascii_digit()) => format!("{sign}{new}"),
        Some('$') => format!("{new} dollars"),
        Some('€') => format!("{new} euros"),
        Some(_) => format!("{new} pounds"),
        None => format!("{new} {}", unit?),
    })
}

fn is_time(run: &[Word], at: usize, all: &[Word], kind: Grain, world: &World) -> bool {
    // "At three" is a time; in "three samples" it is a number.
    let behind_at = at > 0 && matches!(all[at - 1].text.as_str(), "at" | "around" | "by" | "until");
    let little = |word: &Word| matches!(word.text.as_str(), "at" | "on" | "in" | "for" | "by");
    if run.first().is_some_and(little) || run.last().is_some_and(little) {
        return false;
    }
    let reads = |words: &[Word]| {
        let when = time::find(words, &world.local_now(), Lean::Ahead)?;
        (when.words.len() == words.len()).then(|| when.readings[0].grain)
    };
    let with_at = || {
        let texts: Vec<&str> = run.iter().map(|word| word.text.as_str()).collect();
        reads(&words(&format!("at {}", texts.join(" ")))).filter(|_| behind_at)
    };
    let clock_only = kind == Grain::Day || names_no_day(run);
    clock_only && reads(run).or_else(with_at) == Some(kind)
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
