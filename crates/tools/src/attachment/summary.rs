//! What matters most in a paper, in its own words: the sentences that say most of
//! what the others say too, in their order.

use std::collections::{HashMap, HashSet};

use brain::paper::{Paper, Part, Place};

use super::sentences::{self, Sentence};

const SENTENCES: usize = 3;
/// Fewer words make no sentence worth telling.
const SHORTEST: usize = 4;
/// Sentences that share more of their words than this say the same.
const ALIKE: f32 = 0.6;

pub fn of(paper: &Paper) -> Vec<Part> {
    if paper.table.is_some() {
        return Vec::new();
    }
    let sentences = sentences::of(paper);
    let mut often: HashMap<&str, f32> = HashMap::new();
    for sentence in &sentences {
        for word in sentence.words.iter().collect::<HashSet<_>>() {
            *often.entry(word).or_default() += 1.0;
        }
    }
    let mut scored: Vec<(f32, usize)> = sentences
        .iter()
        .enumerate()
        .filter(|(_, it)| !it.heads && it.words.len() >= SHORTEST)
        .map(|(at, it)| (weight(it, at, &often), at))
        .collect();
    scored.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, at) in scored {
        let new = chosen.iter().all(|other| likeness(&sentences[*other], &sentences[at]) < ALIKE);
        if new {
            chosen.push(at);
        }
        if chosen.len() == SENTENCES {
            break;
        }
    }
    chosen.sort_unstable();
    if chosen.is_empty() {
        // A list or a note: its beginning is as good as anything in it.
        return sentences.iter().take(SENTENCES).map(Sentence::part).collect();
    }
    chosen.into_iter().map(|at| sentences[at].part()).collect()
}

/// How much a sentence shares with the rest; what opens a paper counts for more.
fn weight(sentence: &Sentence, at: usize, often: &HashMap<&str, f32>) -> f32 {
    let words: HashSet<&String> = sentence.words.iter().collect();
    let shared: f32 =
        words.iter().map(|word| often.get(word.as_str()).map_or(0.0, |n| n.ln_1p())).sum();
    let length = f32::from(u16::try_from(words.len()).unwrap_or(u16::MAX)).max(6.0);
    let early = match at {
        0..3 => 1.5,
        3..8 => 1.2,
        _ => 1.0,
    };
    let first_page =
        matches!(sentence.place, Place::Page(1) | Place::Line(1) | Place::Paragraph(1));
    let opens = if sentence.opens && first_page { 1.1 } else { 1.0 };
    shared / length.sqrt() * early * opens
}

fn likeness(one: &Sentence, other: &Sentence) -> f32 {
    let words: HashSet<&String> = one.words.iter().collect();
    let both = other.words.iter().filter(|word| words.contains(word)).count();
    let least = one.words.len().min(other.words.len()).max(1);
    let number = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    number(both) / number(least)
}
