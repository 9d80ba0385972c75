//! Slips of the keyboard in words that matter: "tomorow", "thrusday".
//!
//! Only a word nobody knows, near to exactly one word that is often meant, is
//! taken for it. Names and quoted words are never touched.

use super::words::Word;

/// Shorter words have too many neighbours.
const LEAST_LETTERS: usize = 5;

/// Slips that are further away than one letter, or too short to be told.
const WELL_KNOWN: &[(&str, &str)] = &[
    ("fre", "free"),
    ("wensday", "wednesday"),
    ("wendsday", "wednesday"),
    ("wednsday", "wednesday"),
    ("wendesday", "wednesday"),
    ("tommorow", "tomorrow"),
    ("tommorrow", "tomorrow"),
    ("tmrw", "tomorrow"),
    ("tmr", "tomorrow"),
    ("tmrrw", "tomorrow"),
    ("appointmnets", "appointments"),
];

/// Puts right what can only be a slip. `known` says of a word that it is one.
pub fn mend(words: &mut [Word], targets: &[&str], known: impl Fn(&str) -> bool) {
    for word in words.iter_mut().filter(|word| !word.quoted) {
        if targets.contains(&word.text.as_str()) {
            continue;
        }
        // Asking who knows a word costs more than looking for its neighbours.
        if let Some(meant) = meant(&word.text, targets).filter(|_| !known(&word.text)) {
            meant.clone_into(&mut word.text);
        }
    }
}

fn meant<'a>(word: &str, targets: &[&'a str]) -> Option<&'a str> {
    if let Some((_, meant)) = WELL_KNOWN.iter().find(|(slip, _)| *slip == word) {
        return Some(meant);
    }
    if word.chars().count() < LEAST_LETTERS || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    let mut near = targets.iter().filter(|target| strsim::osa_distance(word, target) == 1);
    let first = near.next()?;
    near.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::words::words;

    const TARGETS: &[&str] =
        &["monday", "tuesday", "thursday", "sunday", "tomorrow", "meeting", "meetings"];

    fn mended(sentence: &str) -> String {
        let mut words = words(sentence);
        mend(&mut words, TARGETS, |word| matches!(word, "melting" | "tanaka"));
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_slip_is_put_right_where_only_one_word_is_near() {
        assert_eq!(mended("mettings tomorow or thrusday"), "meetings tomorrow or thursday");
        assert_eq!(mended("am i fre on wensday"), "am i free on wednesday");
    }

    #[test]
    fn words_quotes_and_what_could_be_two_things_stay() {
        assert_eq!(mended("the melting point"), "the melting point");
        assert_eq!(mended("\"tomorow\""), "tomorow");
        assert_eq!(mended("munday"), "munday");
    }
}
