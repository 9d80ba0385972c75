//! What somebody looks for, and whether a text has it. The same for every backend.
//!
//! Texts are looked through one by one, newest first and bounded to one person's own:
//! an index of words would have to be written inside the commit that everybody waits
//! for, and SQLite's own comparison knows upper and lower case of ASCII letters only.

/// Words that all have to be there, in any order and in any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// The words of a text; `None` when it has none.
    pub fn of(text: &str) -> Option<Self> {
        let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
        (!words.is_empty()).then_some(Self(words))
    }

    pub fn are_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.0.iter().all(|word| text.contains(word))
    }

    /// Where in `text` the first of them is, in bytes; `None` also where the letters
    /// before it change their length with their case.
    pub fn place_in(&self, text: &str) -> Option<usize> {
        let lower = text.to_lowercase();
        let at = self.0.iter().filter_map(|word| lower.find(word)).min()?;
        text.is_char_boundary(at).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_have_to_be_there_in_any_order_and_case() {
        let words = Words::of(" Grüße  heron ").unwrap();
        assert!(words.are_in("HERON sends GRÜSSE, no: GRÜßE"));
        assert!(!words.are_in("heron"));
        assert_eq!(words.place_in("The Heron"), Some(4));
        assert_eq!(Words::of(" \t"), None);
    }
}
