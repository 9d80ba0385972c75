//! How well words came through: for tests, benches and whoever asks.

use crate::stt::hypothesis::edits;
use crate::tts::spoken::spoken;

/// Sentences of an assistant, one a line; names stand in braces.
pub fn sentences() -> impl Iterator<Item = Sentence> {
    include_str!("../corpus/sentences.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(Sentence::new)
}

/// Something to be said and heard again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub text: String,
    pub names: Vec<String>,
}

impl Sentence {
    fn new(line: &str) -> Self {
        let names = line.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        Self { text: line.replace(['{', '}'], ""), names: names.flat_map(words).collect() }
    }
}

/// Words that came through, names apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub sentences: usize,
    pub exact: usize,
    pub words: usize,
    pub wrong: usize,
    pub names: usize,
    pub names_wrong: usize,
}

impl Score {
    /// Counts one more; the errors in it.
    pub fn add(&mut self, sentence: &Sentence, heard: &str) -> usize {
        let (said, heard) = (words(&sentence.text), words(heard));
        let errors = edits(&said, &heard, |a, b| a == b);
        let missed = sentence.names.iter().filter(|name| !heard.contains(name)).count();
        self.sentences += 1;
        self.exact += usize::from(errors == 0);
        self.names += sentence.names.len();
        self.names_wrong += missed;
        self.words += said.len().saturating_sub(sentence.names.len());
        self.wrong += errors.saturating_sub(missed);
        errors
    }

    /// Of a hundred words that are no names.
    #[expect(clippy::cast_precision_loss, reason = "some hundred words")]
    pub fn wrong_of_hundred(&self) -> f64 {
        100.0 * self.wrong as f64 / self.words.max(1) as f64
    }
}

/// In one spelling: numbers and times as words, small letters, no marks.
pub fn words(text: &str) -> Vec<String> {
    let aloud: Vec<String> = spoken(text, 0).into_iter().map(|spoken| spoken.words).collect();
    let aloud = aloud.join(" ").to_lowercase().replace('-', " ").replace("o'clock", "");
    aloud
        .split_whitespace()
        .map(|word| word.chars().filter(|c| c.is_alphanumeric() || *c == '\'').collect::<String>())
        .filter(|word| !word.is_empty())
        .map(|word| match word.as_str() {
            "oh" | "o" => "zero".to_owned(),
            "ok" => "okay".to_owned(),
            _ => word,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_of_the_same_are_the_same() {
        for (a, b) in [
            ("At 3:30 pm.", "at three thirty p.m."),
            ("It is 94107", "it is nine four one zero seven"),
            ("2:00 pm", "2pm"),
            ("Ok!", "okay"),
        ] {
            assert_eq!(words(a), words(b), "{a}");
        }
    }

    #[test]
    fn names_are_counted_apart() {
        let mut score = Score::default();
        score.add(&Sentence::new("Ask {Priya} {Nair} now"), "ask pre annare now");
        assert_eq!((score.names, score.names_wrong, score.words, score.wrong), (2, 2, 2, 0));
        assert_eq!(sentences().count(), 50);
    }
}
