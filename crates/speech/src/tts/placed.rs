//! When which words are heard in a sound whose voice does not say.

use std::ops::Range;

use super::WordSound;
use super::spoken::Spoken;

/// Softer than this is silence.
const QUIET: f32 = 0.004;

/// As far as one can tell by their length.
pub fn placed(words: &[Spoken], samples: &[f32]) -> Vec<WordSound> {
    let loud = |sample: &f32| sample.abs() > QUIET;
    let first = samples.iter().position(loud).unwrap_or(0);
    let last = samples.iter().rposition(loud).map_or(samples.len(), |at| at + 1);
    let weight = |word: &Spoken| word.words.chars().filter(|c| c.is_alphanumeric()).count() + 1;
    let total: usize = words.iter().map(weight).sum::<usize>().max(1);
    let mut before = 0;
    let place = |word: &Spoken| {
        let at = |part: usize| first + (last - first) * part / total;
        let heard: Range<usize> = at(before)..at(before + weight(word));
        before += weight(word);
        WordSound { at: word.at.clone(), heard }
    };
    words.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tts::spoken::spoken;

    #[test]
    fn words_are_heard_one_after_another_where_there_is_sound() {
        let words = spoken("Two mails.", 5);
        let mut samples = vec![0.0; 1_000];
        samples.resize(11_000, 0.5);
        samples.resize(11_500, 0.0);
        let placed = placed(&words, &samples);
        assert_eq!(placed.iter().map(|word| word.at.clone()).collect::<Vec<_>>(), [5..8, 9..15]);
        assert_eq!((placed[0].heard.start, placed[1].heard.end), (1_000, 11_000));
        assert_eq!(placed[0].heard.end, placed[1].heard.start);
    }
}
