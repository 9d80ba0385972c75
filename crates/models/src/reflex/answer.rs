//! The answer to a question we asked: "Priya Nair or Priya Shah?" – "Nair".

use brain::resolve::time::ordinal;
use brain::resolve::words::{Word, words};

use super::sentence;
use super::vocabulary::{EMPTY, is_any};
use crate::focus::Choice;

/// What would have been clear from the start, if this answers the question
/// and says nothing else.
pub fn to_question<'a>(answer: &[Word], choices: &'a [Choice]) -> Option<&'a str> {
    if choices.is_empty() || answer.is_empty() || answer.len() > 6 {
        return None;
    }
    let answer: Vec<&str> = sentence::bare(answer).iter().map(|word| word.text.as_str()).collect();
    let names: Vec<Vec<String>> = choices
        .iter()
        .map(|choice| words(&choice.name).into_iter().map(|word| word.text).collect())
        .collect();
    let only = |text: &&str| {
        is_any(text, EMPTY)
            || ordinal(&[text]).is_some()
            || names.iter().flatten().any(|name| name == text)
    };
    if !answer.iter().all(only) {
        return None;
    }
    // A word that all names share picks none of them.
    let picks = |text: &&&str| {
        let mut who = (0..names.len()).filter(|&n| names[n].iter().any(|name| name == **text));
        who.next().filter(|_| who.next().is_none())
    };
    let by_name: Vec<usize> = answer.iter().filter_map(|text| picks(&text)).collect();
    let picked = match by_name.split_first() {
        Some((first, others)) => others.iter().all(|other| other == first).then_some(*first),
        None => (0..answer.len()).find_map(|at| {
            let (n, _) = ordinal(&answer[at..])?;
            usize::try_from(n).ok()?.checked_sub(1)
        }),
    };
    choices.get(picked?).map(|choice| choice.sentence.as_str())
}
