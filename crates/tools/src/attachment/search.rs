//! Where a paper says something: the sentences that share the rarest words with a
//! question, and what kind of thing was asked for.

mod sought;

use std::collections::{HashMap, HashSet};

use brain::paper::{Paper, Part, Place};

use self::sought::Sought;
use super::sentences::{self, Sentence, stem};

/// A short sentence is told with the one behind it.
const SHORT: usize = 60;
/// A sentence that begins so says more of the one before it.
const GOES_ON: &[&str] = &["It", "They", "This", "These", "That", "He", "She", "Otherwise", "If"];
/// So many entries of a list are told with their heading.
const ENTRIES: usize = 3;
/// So much of a question has to be there before anything is an answer to it.
const ENOUGH: f32 = 0.5;
/// The same, where the paper has every word of it and the kind of thing that is sought.
const ENOUGH_HERE: f32 = 0.3;

/// Words that stand for one another in a question and its answer.
const ALIKE: &[&[&str]] = &[
    &["deadline", "due", "latest", "until", "expire", "expiry", "payable"],
    &["cost", "price", "fee", "charge", "amount", "rate"],
    &["owe", "total", "payable", "balance", "amount"],
    &["cap", "maximum", "limit", "exceed"],
    &["pet", "dog", "cat", "animal"],
    &["decide", "decision", "agree"],
    &["attend", "present", "attendee", "participant"],
    &["pay", "paid", "payable", "payment"],
    &["begin", "start", "effective", "commence"],
    &["end", "terminate", "termination", "expire", "cancel", "cancellation"],
    &["allow", "permit", "permission", "forbid", "prohibit"],
    &["phone", "telephone", "tel", "mobile"],
    &["email", "mail"],
    &["author", "writer"],
    &["place", "location", "venue", "address", "room"],
    &["hour", "hourly"],
    &["day", "daily"],
    &["month", "monthly"],
    &["week", "weekly"],
    &["year", "yearly", "annual"],
];

/// Said around what is asked for: a file need not say them to answer.
const ASIDE: &[&str] = &[
    "due", "get", "cost", "need", "take", "run", "last", "go", "happen", "mean", "cover", "allow",
    "require", "pay", "must", "may", "long", "large", "give", "expect", "name", "number", "date",
    "amount", "time", "exact", "list", "early", "late", "soon", "kind", "ever", "start", "begin",
    "end", "call", "come", "want", "know", "big", "high", "back", "deadline", "period", "rule",
];

/// One word of the question, and what else would be as good.
struct Asked {
    word: String,
    others: Vec<String>,
    /// How much it counts for telling sentences apart: the rarer the more.
    rare: f32,
    /// How much of the question it is.
    share: f32,
}

/// The best passages for a question, the best first. None where the paper does not
/// have enough of its words.
pub fn best(paper: &Paper, query: &str, most: usize) -> Vec<Part> {
    if let Some(place) = place(query) {
        return paper.parts.iter().filter(|part| part.place == place).take(most).cloned().collect();
    }
    let sentences = sentences::of(paper);
    let asked = asked(&sentences, query);
    let whole: f32 = asked.iter().map(|word| word.share).sum();
    let somewhere = |word: &&Asked| sentences.iter().any(|it| likeness(word, it).0 > 0.0);
    let here: f32 = asked.iter().filter(somewhere).map(|word| word.share).sum();
    let sought = Sought::by(query);
    let mut scored: Vec<(f32, usize)> = Vec::new();
    let mut before: Vec<f32> = vec![0.0; asked.len()];
    for (at, sentence) in sentences.iter().enumerate() {
        let likely: Vec<(f32, f32)> = asked.iter().map(|it| likeness(it, sentence)).collect();
        let own: f32 = likely.iter().map(|(like, _)| like).sum();
        let (text, with) = told(&sentences, at);
        let fits = sought.is_in(&text);
        // What stands below a heading, or goes on with a sentence, is about that too.
        let leads = if sentence.numbered { 0.0 } else { 1.0 };
        let (mut score, mut share) = (0.0, 0.0);
        for ((word, (like, early)), led) in asked.iter().zip(&likely).zip(&before) {
            let led = led * leads;
            score += word.rare * (like * (1.0 + 0.3 * early)).max(led);
            share += if like.max(led) > 0.0 { word.share } else { 0.0 };
        }
        // Every word is somewhere in it, and this line has what is sought: a table.
        let enough =
            share >= whole * ENOUGH || fits && here >= whole * 0.99 && share >= whole * ENOUGH_HERE;
        let headed = at > 0 && sentences[at - 1].heads && !sentence.heads;
        let led = share > 0.0 && share >= whole * 0.99 && (fits || headed);
        if own > 0.0 && enough || led {
            // The sentence below a heading says it better than the heading does.
            let said_below =
                sentences.get(at + 1).is_some_and(|next| !next.heads && !next.numbered);
            let only_heads = sentence.heads && !(fits && with == 0);
            let heading = if only_heads && (with == 0 || said_below) { 0.4 } else { 1.0 };
            let fitting = if fits { 1.8 } else { 1.0 };
            let length = 1.0 + count(sentence.words.len()) / 60.0;
            scored.push((score * heading * fitting / length, at));
        }
        let lasts = if sentence.heads { 0.7 } else { 0.4 };
        let faded = if sentence.numbered { 0.0 } else { 0.4 };
        for (led, (like, _)) in before.iter_mut().zip(&likely) {
            *led = (like * lasts).max(if *led > 0.2 { *led * faded } else { 0.0 });
        }
    }
    chosen(&sentences, scored, most)
}

/// "What is in row 5?" names a place and nothing to look for.
fn place(query: &str) -> Option<Place> {
    const AROUND: &[&str] =
        &["what", "is", "in", "on", "the", "of", "does", "say", "says", "show", "me", "tell"];
    let query = query.trim_end_matches(['?', '.']).to_lowercase();
    let words: Vec<&str> = query.split_whitespace().filter(|word| !AROUND.contains(word)).collect();
    let [what, number] = words.as_slice() else { return None };
    let number = number.replace(',', "").parse().ok()?;
    Some(match *what {
        "row" => Place::Row(number),
        "line" => Place::Line(number),
        "paragraph" => Place::Paragraph(number),
        _ => return None,
    })
}

/// The best of them as they are told, each once.
fn chosen(sentences: &[Sentence], mut scored: Vec<(f32, usize)>, most: usize) -> Vec<Part> {
    scored.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
    let floor = scored.first().map_or(0.0, |(best, _)| best * 0.5);
    let mut used = HashSet::new();
    let mut found = Vec::new();
    for (_, at) in scored.into_iter().filter(|(score, _)| *score >= floor) {
        if found.len() >= most || !used.insert(at) {
            continue;
        }
        let mut part = sentences[at].part();
        let (text, with) = told(sentences, at);
        // What a heading would be told with was told already.
        if with > 0 && used.contains(&(at + 1)) {
            continue;
        }
        part.text = text;
        used.extend(at + 1..=at + with);
        found.push(part);
    }
    found
}

/// A sentence as it is told, and how many behind it are told with it: a heading with
/// what it heads, a short one with what goes on with it.
fn told(sentences: &[Sentence], at: usize) -> (String, usize) {
    let sentence = &sentences[at];
    let following = &sentences[at + 1..];
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let with = match following.first() {
        Some(next) if sentence.heads && !sentence.numbered && next.numbered => {
            following.iter().take(ENTRIES).take_while(|next| next.numbered).count()
        }
        // A cell of a table stands before its figure.
        Some(next) if sentence.heads && next.heads => {
            usize::from(!has_digit(&sentence.text) && has_digit(&next.text))
        }
        // A line of an invoice has its own.
        Some(_) if sentence.heads => usize::from(!Sought::Money.is_in(&sentence.text)),
        Some(next) => {
            let first = next.text.split(' ').next().unwrap_or_default();
            let goes_on = next.place == sentence.place && GOES_ON.contains(&first);
            usize::from(goes_on && sentence.text.len() < SHORT)
        }
        None => 0,
    };
    let mut text = sentence.text.clone();
    for next in &following[..with] {
        text.push(' ');
        text.push_str(&next.text);
    }
    (text.trim_start_matches(['-', '*', '•', '–']).trim_start().to_owned(), with)
}

/// The words of the question that say something, each once.
fn asked(sentences: &[Sentence], query: &str) -> Vec<Asked> {
    let mut words = sentences::words(query);
    let mut known = HashSet::new();
    words.retain(|word| known.insert(word.clone()));
    let aside: HashSet<String> = ASIDE.iter().map(|word| stem(word)).collect();
    let alike: Vec<Vec<String>> =
        ALIKE.iter().map(|group| group.iter().map(|word| stem(word)).collect()).collect();
    let all = count(sentences.len());
    let mut asked: Vec<Asked> = Vec::new();
    for word in words {
        let groups = alike.iter().filter(|group| group.contains(&word));
        let others: Vec<String> = groups.flatten().filter(|it| **it != word).cloned().collect();
        let share = if aside.contains(&word) { 0.3 } else { 1.0 };
        asked.push(Asked { word, others, rare: 1.0, share });
    }
    let mut often: HashMap<usize, usize> = HashMap::new();
    for sentence in sentences {
        for (at, word) in asked.iter().enumerate() {
            if likeness(word, sentence).0 > 0.0 {
                *often.entry(at).or_default() += 1;
            }
        }
    }
    for (at, word) in asked.iter_mut().enumerate() {
        let with = count(often.get(&at).copied().unwrap_or(0));
        word.rare = ((all - with + 0.5).max(0.5) / (with + 0.5)).ln_1p();
    }
    asked
}

/// How well a sentence has a word, and how early.
fn likeness(asked: &Asked, sentence: &Sentence) -> (f32, f32) {
    let mut best = (0.0, 0.0);
    let length = count(sentence.words.len()).max(1.0);
    for (at, word) in sentence.words.iter().enumerate() {
        let like = if *word == asked.word {
            1.0
        } else if is_kin(word, &asked.word) {
            0.8
        } else if asked.others.contains(word) {
            0.5
        } else {
            continue;
        };
        if like > best.0 {
            best = (like, 1.0 - count(at) / length);
        }
    }
    best
}

/// "allow" and "allowance": one is the other with an ending.
fn is_kin(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let is_word = short.chars().any(char::is_alphabetic);
    is_word && short.len() >= 5 && long.len() - short.len() <= 4 && long.starts_with(short)
}

/// Good enough for comparing: nobody has more than this.
fn count(number: usize) -> f32 {
    f32::from(u16::try_from(number).unwrap_or(u16::MAX))
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
