//! Words that nobody said: behind the last one a decoder likes to thank people.
//!
//! It has read millions of recordings that end so. Where it is not sure of it, the sound is
//! heard once more without its end: words that were spoken there are missing then, and
//! where those before them are missing already there was no time to say any more.

use super::{HeardWord, Recognised, Recogniser};
use crate::resample::EARS_RATE;

/// What is added, each as a sentence of its own.
const FAVOURITES: [&[&str]; 9] = [
    &["thank", "you"],
    &["thanks"],
    &["thank", "you", "very", "much"],
    &["thank", "you", "so", "much"],
    &["thanks", "for", "watching"],
    &["thank", "you", "for", "watching"],
    &["bye"],
    &["bye", "bye"],
    &["goodbye"],
];
/// Whoever says it is heard to say it with more than this.
const DOUBTED: f32 = 0.5;
/// Nobody says a word of it in less.
const WORD: usize = EARS_RATE as usize * 3 / 20;

/// What was heard in `sound`, the last `quiet` samples of which are silence, without what
/// there was no time to say.
pub fn without(
    heard: Recognised,
    sound: &[f32],
    quiet: usize,
    recogniser: &dyn Recogniser,
) -> Recognised {
    let Some(from) = doubted(&heard.words) else { return heard };
    let words = heard.words.len() - from;
    let until = sound.len().saturating_sub(quiet + words * WORD);
    // A look at it costs nobody anything; who cannot look keeps what was heard.
    let Ok(before) = recogniser.glimpse(&sound[..until], None) else { return heard };
    let last = plain(&heard.words[from - 1].text);
    let behind = before.words.iter().rev().take(2);
    if before.is_empty() || behind.map(|word| plain(&word.text)).any(|word| word == last) {
        return heard;
    }
    shortened(heard, from)
}

/// Where a favourite begins that nobody may have said.
fn doubted(words: &[HeardWord]) -> Option<usize> {
    let bare: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
    let added = FAVOURITES.iter().filter(|favourite| ends_with(&bare, favourite));
    let from = words.len() - added.map(|favourite| favourite.len()).max()?;
    let before = words.get(from.checked_sub(1)?)?;
    let is_apart = before.text.ends_with(['.', '?', '!']);
    (is_apart && words[from].confidence() < DOUBTED).then_some(from)
}

fn ends_with(words: &[String], known: &[&str]) -> bool {
    let tail = words.len().checked_sub(known.len()).map(|from| &words[from..]);
    tail.is_some_and(|tail| tail.iter().zip(known).all(|(word, known)| word == known))
}

fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The first words of it, as sure as they are; a refusal may still be in it.
fn shortened(heard: Recognised, from: usize) -> Recognised {
    let mut words = heard.words;
    words.truncate(from);
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let min_logp = words.iter().map(|word| word.logp).fold(0.0, f32::min);
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let mean_logp = words.iter().map(|word| word.logp).sum::<f32>() / from.max(1) as f32;
    Recognised { text, words, mean_logp, min_logp, pieces: Vec::new(), ..heard }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Unavailable;

    const SURE: f32 = -0.05;
    const DOUBT: f32 = -1.0;

    fn heard(words: &[(&str, f32)]) -> Recognised {
        let word = |(text, logp): &(&str, f32)| HeardWord { text: (*text).into(), logp: *logp };
        let words: Vec<HeardWord> = words.iter().map(word).collect();
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        Recognised { text, words, ..Recognised::default() }
    }

    /// Somebody who says a word every quarter of a second.
    struct Says(&'static [&'static str]);

    impl Recogniser for Says {
        fn recognise(
            &self,
            sound: &[f32],
            _: Option<&Recognised>,
        ) -> Result<Recognised, Unavailable> {
            let said = self.0.iter().take(sound.len() / 4_000).map(|word| (*word, SURE));
            Ok(heard(&said.collect::<Vec<_>>()))
        }
    }

    #[test]
    fn thanks_that_there_was_no_time_to_say_are_dropped() {
        let (said, added) = ([("Please", SURE), ("call", SURE), ("today.", SURE)], ("Bye.", DOUBT));
        let sound = vec![0.0; 3 * 4_000 + 2_400];
        let heard = heard(&[&said[..], &[added]].concat());
        let kept = without(heard, &sound, 2_400, &Says(&["Please", "call", "today."]));
        assert_eq!(kept.text, "Please call today.");
    }

    #[test]
    fn thanks_that_were_said_stay() {
        let says = Says(&["Call", "today.", "Thank", "you."]);
        for (logp, sound) in [(DOUBT, 4 * 4_000 + 2_400), (SURE, 0)] {
            let said = heard(&[("Call", SURE), ("today.", SURE), ("Thank", logp), ("you.", logp)]);
            assert_eq!(without(said.clone(), &vec![0.0; sound], 2_400, &says), said, "{logp}");
        }
        let (alone, inside) =
            ([("Bye.", DOUBT)], [("to", SURE), ("thank", DOUBT), ("you.", DOUBT)]);
        for said in [heard(&alone), heard(&inside)] {
            assert_eq!(without(said.clone(), &[], 0, &Says(&[])), said);
        }
    }
}
