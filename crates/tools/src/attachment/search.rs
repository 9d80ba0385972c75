//! Where a paper says something: the sentences that share the rarest words with a
//! question, and what kind of thing was asked for.

use std::collections::{HashMap, HashSet};

use brain::paper::{Paper, Part};

use super::sentences::{self, Sentence};

/// A short sentence is told with the one behind it.
const SHORT: usize = 80;

/// Words that stand for one another in a question and its answer.
const ALIKE: &[&[&str]] = &[
    &["deadline", "due", "latest", "until", "expire", "expiry", "expir"],
    &["cost", "price", "fee", "amount", "total", "charge", "charg", "rent", "pric", "pay", "paid"],
    &["begin", "start", "effectiv", "commenc"],
    &["end", "terminat", "termination", "expir", "cancel", "cancellation"],
    &["phone", "telephon", "tel", "mobil"],
    &["email", "mail"],
    &["author", "written", "sign", "writer"],
    &["place", "location", "venu", "address", "room", "where"],
];

/// What kind of thing would answer it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    Time,
    Money,
    Number,
    Anything,
}

/// The best passages for a question, the best first. None that shares no word with it.
pub fn best(paper: &Paper, query: &str, most: usize) -> Vec<Part> {
    let sentences = sentences::of(paper);
    let mut asked = sentences::words(query);
    asked.sort_unstable();
    asked.dedup();
    let weights = weights(&sentences, &asked);
    let sought = sought(query);
    let mut scored: Vec<(f32, usize)> = Vec::new();
    let mut headed = 0.0;
    for (at, sentence) in sentences.iter().enumerate() {
        let own = score(sentence, &weights);
        // What stands below a heading is about it.
        let inherited = if sentence.heads { 0.0 } else { headed * 0.6 };
        if own + inherited > 0.0 {
            let heading = if sentence.heads { 0.5 } else { 1.0 };
            let fits = if answers(sought, &sentence.text) { 1.6 } else { 1.0 };
            scored.push(((own + inherited) * heading * fits, at));
        }
        headed = if sentence.heads { own } else { headed * 0.5 };
    }
    scored.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
    let mut told = HashSet::new();
    let mut found = Vec::new();
    let floor = scored.first().map_or(0.0, |(best, _)| best * 0.4);
    for (_, at) in scored.into_iter().filter(|(score, _)| *score >= floor) {
        if found.len() >= most || !told.insert(at) {
            continue;
        }
        let mut part = sentences[at].part();
        let next = sentences.get(at + 1).filter(|next| next.place == part.place);
        if part.text.len() < SHORT
            && let Some(next) = next.filter(|_| told.insert(at + 1))
        {
            part.text.push(' ');
            part.text.push_str(&next.text);
        }
        found.push(part);
    }
    found
}

/// How much each word counts: the rarer the more, and less where it only stands
/// for another one.
fn weights(sentences: &[Sentence], asked: &[String]) -> HashMap<String, f32> {
    let mut wanted: HashMap<String, f32> = HashMap::new();
    for word in asked {
        wanted.insert(word.clone(), 1.0);
        for group in ALIKE.iter().filter(|group| group.contains(&word.as_str())) {
            for other in *group {
                wanted.entry((*other).to_owned()).or_insert(0.5);
            }
        }
    }
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for sentence in sentences {
        let words: HashSet<&str> = sentence.words.iter().map(String::as_str).collect();
        for word in words.into_iter().filter(|word| wanted.contains_key(*word)) {
            *seen.entry(word).or_default() += 1;
        }
    }
    let all = count(sentences.len());
    let rarity = |word: &str| {
        let with = seen.get(word).copied().unwrap_or(0);
        let with = f32::from(u16::try_from(with).unwrap_or(u16::MAX));
        ((all - with + 0.5) / (with + 0.5)).ln_1p()
    };
    wanted.iter().map(|(word, weight)| (word.clone(), weight * rarity(word))).collect()
}

fn score(sentence: &Sentence, weights: &HashMap<String, f32>) -> f32 {
    let words: HashSet<&str> = sentence.words.iter().map(String::as_str).collect();
    let sum: f32 = words.iter().filter_map(|word| weights.get(*word)).sum();
    // Among sentences that say the same the shorter one says it better.
    sum / (1.0 + count(sentence.words.len()) / 60.0)
}

/// Good enough for comparing: nobody has more than this.
fn count(number: usize) -> f32 {
    f32::from(u16::try_from(number).unwrap_or(u16::MAX))
}

fn sought(query: &str) -> Sought {
    let folded = crate::text::fold(query);
    let says = |words: &[&str]| words.iter().any(|word| folded.contains(&format!(" {word} ")));
    if says(&["when", "date", "deadline", "due", "day", "until", "time"]) {
        Sought::Time
    } else if says(&["cost", "costs", "price", "pay", "fee", "total", "amount", "rent"])
        || folded.contains(" how much ")
    {
        Sought::Money
    } else if folded.contains(" how many ") || says(&["number", "phone"]) {
        Sought::Number
    } else {
        Sought::Anything
    }
}

fn answers(sought: Sought, text: &str) -> bool {
    const TIMES: [&str; 21] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "days",
        "weeks",
    ];
    let digits = text.chars().filter(char::is_ascii_digit).count();
    match sought {
        Sought::Time => {
            let lower = text.to_lowercase();
            let named =
                lower.split(|c: char| !c.is_alphanumeric()).any(|word| TIMES.contains(&word));
            named || digits >= 4
        }
        Sought::Money => digits > 0 && text.contains(['$', '€', '£', '¥', '%', '.']),
        Sought::Number => digits > 0,
        Sought::Anything => false,
    }
}
