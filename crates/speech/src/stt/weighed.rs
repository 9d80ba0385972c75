//! What others heard, as surely as the built-in ears heard the same.
//!
//! Only the built-in ears have been checked with hundreds of answers to cards, so a yes
//! that only others heard decides nothing.

use super::{HeardWord, Recognised};

/// Of a word that nobody else heard: too little for a yes.
const UNSURE: f32 = -0.7;

/// Their words, each as sure as ours where we heard it too.
pub fn weighed(text: &str, ours: Option<&Recognised>) -> Recognised {
    let nothing = Recognised::default();
    let ours = ours.unwrap_or(&nothing);
    let theirs: Vec<&str> = text.split_whitespace().collect();
    let same = same_words(&theirs, &ours.words);
    let words: Vec<HeardWord> = theirs
        .iter()
        .zip(&same)
        .map(|(text, logp)| HeardWord { text: (*text).to_owned(), logp: logp.unwrap_or(UNSURE) })
        .collect();
    let agree = same.len() == ours.words.len() && same.iter().all(Option::is_some);
    let min_logp = words.iter().map(|word| word.logp).fold(0.0, f32::min);
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let mean_logp = words.iter().map(|word| word.logp).sum::<f32>() / words.len().max(1) as f32;
    Recognised {
        text: text.to_owned(),
        words,
        mean_logp,
        min_logp,
        may_refuse: if agree { ours.may_refuse } else { Some(1.0) },
        unfinished: false,
        stood_in: false,
        pieces: Vec::new(),
    }
}

/// For each of their words, how sure we are of ours where it is the same, in order.
fn same_words(theirs: &[&str], ours: &[HeardWord]) -> Vec<Option<f32>> {
    let plain = |word: &str| {
        word.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let theirs: Vec<String> = theirs.iter().map(|word| plain(word)).collect();
    let heard: Vec<String> = ours.iter().map(|word| plain(&word.text)).collect();
    // How many are the same from here on, for every pair of places.
    let mut most = vec![vec![0_usize; heard.len() + 1]; theirs.len() + 1];
    for (i, their) in theirs.iter().enumerate().rev() {
        for (j, our) in heard.iter().enumerate().rev() {
            most[i][j] = if their == our {
                most[i + 1][j + 1] + 1
            } else {
                most[i + 1][j].max(most[i][j + 1])
            };
        }
    }
    let (mut same, mut j) = (Vec::with_capacity(theirs.len()), 0);
    for (i, their) in theirs.iter().enumerate() {
        while j < heard.len() && heard[j] != *their && most[i][j + 1] >= most[i][j] {
            j += 1;
        }
        let found = heard.get(j).is_some_and(|our| our == their);
        same.push(found.then(|| ours[j].logp));
        j += usize::from(found);
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(words: &[(&str, f32)]) -> Recognised {
        let word = |(text, logp): &(&str, f32)| HeardWord { text: (*text).to_owned(), logp: *logp };
        Recognised {
            words: words.iter().map(word).collect(),
            may_refuse: Some(0.01),
            ..Recognised::default()
        }
    }

    #[test]
    fn a_yes_is_as_sure_as_the_ears_that_were_checked() {
        let both = weighed(
            "Yes, send it.",
            Some(&heard(&[("yes", -0.01), ("send", -0.02), ("it", -0.03)])),
        );
        assert_eq!(
            both.words.iter().map(|word| word.logp).collect::<Vec<_>>(),
            [-0.01, -0.02, -0.03]
        );
        assert_eq!(both.may_refuse, Some(0.01));
        for ours in [
            None,
            Some(&heard(&[])),
            Some(&heard(&[("no", -0.01), ("send", -0.01), ("it", -0.01)])),
        ] {
            let alone = weighed("Yes, send it.", ours);
            assert!(
                alone.words[0].confidence() < 0.45 && alone.may_refuse > Some(0.9),
                "{alone:?}"
            );
        }
    }

    #[test]
    fn a_word_that_only_we_heard_may_have_been_a_refusal() {
        let ours = heard(&[("yes", -0.01), ("but", -0.01), ("send", -0.01), ("it", -0.01)]);
        let told = weighed("yes send it", Some(&ours));
        assert!(told.may_refuse > Some(0.9));
        assert_eq!(told.words.iter().map(|word| word.logp).collect::<Vec<_>>(), [-0.01; 3]);
    }
}
