//! What is on the screen while somebody speaks: words that stay, words that may not.
//!
//! The growing sound is heard again and again. A word is stable once two hearings
//! in a row agree on it and on all before it, each is likely, and two words came behind
//! it; stable words are never taken back before the end. The end is heard afresh and may
//! differ.

use super::{HeardWord, Recognised};
use crate::tts::spoken::numbers;

/// Between two hearings at least this; more when a hearing takes long.
pub const LEAST_INTERVAL_MS: u64 = 300;
/// So that hearing again takes at most half the time of somebody who speaks alone.
const TIMES_LAST: u64 = 2;
/// Of a hundred parts of a core: what may be used at all, what listening to one more speaker
/// and hearing them for good takes, and what is left in the end for showing words.
const USABLE: u64 = 85;
const FOR_GOOD: u64 = 7;
const LEAST_SHOWN: u64 = 3;
/// So many on a core can be heard for good at every comma; with each one more the silence
/// has to be longer, up to what few commas take.
const HEARD_TWICE: u64 = 3;
const SILENCE_A_SPEAKER_MS: u64 = 20;
const LONGEST_COMMA_MS: u64 = 250;
/// A pause in which a long utterance is cut, so that it is not heard from its start each time.
pub const CUT_PAUSE_MS: u64 = 400;
/// A cut at a pause wants at least this much sound before it.
pub const CUT_FROM_MS: u64 = 4_000;
/// Without any pause it is cut here.
pub const CUT_AT_MS: u64 = 13_000;

/// A word that is heard with less may still become another.
const SURE: f32 = 0.6;
/// So many words at the end are not stable yet: "for" becomes "forty", "a" "a quarter".
const GROWING: usize = 2;

/// When to hear again, after a hearing that took `last_ms`, where `speakers` share a core.
/// They share what the final words of all of them leave of it, so that partials thin out
/// first and finals do not wait.
pub fn interval_ms(last_ms: u64, speakers: u64) -> u64 {
    let speakers = speakers.max(1);
    let left = USABLE.saturating_sub(FOR_GOOD * speakers).max(LEAST_SHOWN);
    let fair = last_ms * speakers * 100 / left;
    LEAST_INTERVAL_MS.max(TIMES_LAST * last_ms).max(fair)
}

/// How long a silence is worth hearing what came before it for good, where it is `alone_ms`
/// for somebody alone. Most short ones are a comma, behind which everything is heard again;
/// where many share a core they cannot all be heard twice.
pub fn first_silence_ms(alone_ms: u64, speakers: u64) -> u64 {
    let more = speakers.saturating_sub(HEARD_TWICE) * SILENCE_A_SPEAKER_MS;
    alone_ms.max((alone_ms + more).min(LONGEST_COMMA_MS))
}

/// The words so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hypothesis {
    /// The whole of it, stable and unstable.
    pub text: String,
    pub stable: String,
    pub unstable: String,
    /// Between 0 and 1.
    pub confidence: f32,
    /// What was heard just now, word by word; parts that were cut off before are not in it.
    pub words: Vec<HeardWord>,
}

/// What lies between two cuts, as it is shown.
#[derive(Clone, Debug, Default)]
struct Part {
    words: Vec<String>,
    stable: usize,
    /// It was heard for good.
    is_known: bool,
}

impl Part {
    /// What was shown as stable stays; what came behind it is taken anew.
    fn take(&mut self, mut words: Vec<String>) {
        let kept = self.words.iter().take(self.stable);
        let keeps = words.len() >= self.stable && kept.zip(&words).all(|(a, b)| same(a, b));
        if keeps {
            self.words = words;
        } else {
            let rest = words.split_off(self.stable.min(words.len()));
            self.words.truncate(self.stable);
            self.words.extend(rest);
        }
    }
}

/// One utterance as it grows.
#[derive(Clone, Debug)]
pub struct Growing {
    /// What was cut off before, and what is being said.
    parts: Vec<Part>,
    confidence: f32,
    heard: Vec<HeardWord>,
}

impl Default for Growing {
    fn default() -> Self {
        Self { parts: vec![Part::default()], confidence: 0.0, heard: Vec::new() }
    }
}

impl Growing {
    /// Another hearing of everything since the last cut.
    pub fn heard(&mut self, heard: &Recognised) -> Hypothesis {
        let words: Vec<String> = heard.words.iter().map(|word| word.text.clone()).collect();
        let part = self.parts.last_mut().expect("there is always one");
        let agreed = part.words.iter().zip(&words).take_while(|(a, b)| same(a, b)).count();
        let is_sure = |word: &&HeardWord| word.confidence() >= SURE && !is_number(&word.text);
        let sure = heard.words.iter().take_while(is_sure).count();
        // The last words may still be growing, or become one with what follows.
        let safe = agreed.min(sure).min(words.len().saturating_sub(GROWING));
        part.take(words);
        part.stable = part.stable.max(safe);
        self.confidence = heard.confidence();
        self.heard.clone_from(&heard.words);
        self.now()
    }

    /// A new part begins. What is shown of the one before it stays until that is known.
    pub fn cut(&mut self) {
        self.heard.clear();
        self.parts.push(Part::default());
    }

    /// A part that was cut off has been heard for good.
    pub fn known(&mut self, part: usize, heard: &Recognised) -> Hypothesis {
        if let Some(part) = self.parts.get_mut(part) {
            part.take(heard.text.split_whitespace().map(str::to_owned).collect());
            (part.stable, part.is_known) = (part.words.len(), true);
        }
        self.now()
    }

    pub fn now(&self) -> Hypothesis {
        let (mut stable, mut unstable) = (String::new(), String::new());
        let mut is_stable = true;
        for part in &self.parts {
            for (at, word) in part.words.iter().enumerate() {
                is_stable &= at < part.stable;
                push_word(if is_stable { &mut stable } else { &mut unstable }, word);
            }
            // Words may still come in between.
            is_stable &= part.is_known;
        }
        let mut text = stable.clone();
        push_word(&mut text, &unstable);
        let words = self.heard.clone();
        Hypothesis { text, stable, unstable, confidence: self.confidence, words }
    }
}

fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() && !word.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// Digits are put together anew with each one that follows.
fn is_number(word: &str) -> bool {
    let first = |word: &str| {
        let letters = word.split(|c: char| !c.is_alphanumeric());
        letters.map(str::to_lowercase).find(|part| !part.is_empty()).unwrap_or_default()
    };
    word.contains(|c: char| c.is_ascii_digit()) || numbers::is_word(&first(word))
}

/// A comma that comes and goes does not change a word.
fn same(a: &str, b: &str) -> bool {
    let bare = |word: &str| -> String {
        word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    bare(a) == bare(b)
}

/// Words that had to be changed, added or taken away between the last partial
/// and the final transcript, as a share of the final.
#[expect(clippy::cast_precision_loss, reason = "words of one utterance")]
pub fn drift(partial: &str, last: &str) -> f32 {
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_lowercase).collect() };
    let (partial, last) = (words(partial), words(last));
    let edits = edits(&partial, &last, |a, b| same(a, b));
    edits as f32 / last.len().max(1) as f32
}

/// The fewest changes that make one list of words the other.
pub fn edits<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let change = corner + usize::from(!same(from, to));
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(text: &str) -> Recognised {
        let words = text.split_whitespace();
        let words = words.map(|text| HeardWord { text: text.into(), logp: -0.05 }).collect();
        Recognised {
            text: text.into(),
            words,
            mean_logp: -0.05,
            min_logp: -0.1,
            ..Recognised::default()
        }
    }

    #[test]
    fn words_become_stable_when_heard_twice_and_the_last_two_are_held_back() {
        let mut growing = Growing::default();
        for (hearing, stable, unstable) in [
            ("Send", "", "Send"),
            ("Send an", "", "Send an"),
            ("Send Ana, the", "Send", "Ana, the"),
            ("Send Ana the notes", "Send Ana", "the notes"),
            ("Send Ana the note from", "Send Ana the", "note from"),
        ] {
            let now = growing.heard(&heard(hearing));
            assert_eq!(
                (now.stable.as_str(), now.unstable.as_str()),
                (stable, unstable),
                "{hearing}"
            );
            assert!((0.0..=1.0).contains(&now.confidence));
        }
    }

    #[test]
    fn a_word_that_is_not_sure_is_not_stable_and_none_behind_it() {
        let mut growing = Growing::default();
        let mut hearing = heard("Send Anna the notes from Monday");
        hearing.words[1].logp = -0.7;
        growing.heard(&hearing);
        assert_eq!(growing.heard(&hearing).stable, "Send");
        hearing.words[1].logp = -0.05;
        assert_eq!(growing.heard(&hearing).stable, "Send Anna the notes");
    }

    #[test]
    fn numbers_are_not_stable_before_the_end() {
        for (said, stable) in [
            ("Call two one two five five", "Call"),
            ("I live at 1,204 Main Street", "I live at"),
            ("Remind me at twenty-five past nine", "Remind me at"),
        ] {
            let mut growing = Growing::default();
            growing.heard(&heard(said));
            assert_eq!(growing.heard(&heard(said)).stable, stable);
        }
    }

    #[test]
    fn a_stable_word_is_not_taken_back() {
        let mut growing = Growing::default();
        for hearing in ["Call me", "Call me at", "Call me at nine", "Call me at nine on"] {
            growing.heard(&heard(hearing));
        }
        let now = growing.heard(&heard("Tall me at nine today"));
        assert_eq!(now.text, "Call me at nine today");
        assert_eq!(growing.heard(&heard("")).stable, "Call me at");
    }

    #[test]
    fn what_was_cut_off_is_shown_as_it_was_heard_for_good() {
        let mut growing = Growing::default();
        growing.heard(&heard("Send it to and"));
        growing.heard(&heard("Send it to and"));
        growing.cut();
        let now = growing.heard(&heard("And then"));
        assert_eq!(now.text, "Send it to and And then", "it stays until more is known");
        assert_eq!(now.stable, "Send it");
        let now = growing.known(0, &heard("Send it to Ana."));
        assert_eq!(now.text, "Send it to Ana. And then");
        assert_eq!(now.stable, "Send it to Ana.");
    }

    #[test]
    fn nothing_is_stable_behind_a_part_of_which_nothing_is_known() {
        let mut growing = Growing::default();
        growing.cut();
        for _ in 0..2 {
            let now = growing.heard(&heard("and then to Tom please"));
            assert_eq!(now.stable, "");
        }
        let now = growing.known(0, &heard("Send it to Ana"));
        assert_eq!(now.stable, "Send it to Ana and then to");
        assert_eq!(now.text, "Send it to Ana and then to Tom please");
    }

    #[test]
    fn hearings_thin_out_when_they_take_long_and_when_many_speak() {
        for (last, speakers, interval) in [
            (0, 1, 300),
            (80, 1, 300),
            (200, 1, 400),
            (80, 3, 375),
            (150, 0, 300),
            (150, 6, 2_093),
            (150, 15, 75_000),
        ] {
            assert_eq!(interval_ms(last, speakers), interval, "{last} ms, {speakers} speakers");
        }
    }

    #[test]
    fn where_many_speak_a_comma_is_not_worth_a_hearing() {
        for (alone, speakers, silence) in
            [(150, 1, 150), (150, 3, 150), (150, 5, 190), (150, 15, 250), (500, 15, 500)]
        {
            assert_eq!(first_silence_ms(alone, speakers), silence, "{speakers} speakers");
        }
    }

    #[test]
    fn drift_counts_changed_words() {
        for (partial, last, expected) in [
            ("send an a", "send ana", 1.0),
            ("Send Ana,", "send ana", 0.0),
            ("", "two words", 1.0),
            ("", "", 0.0),
        ] {
            assert!((drift(partial, last) - expected).abs() < 1e-6, "{partial} / {last}");
        }
    }
}
