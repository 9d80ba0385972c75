//! How names are said that are not said as they are written.

use std::collections::HashMap;
use std::sync::Arc;

/// How one word is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pronunciation {
    /// As another spelling would be: "shivawn" for Siobhan.
    Like(String),
    /// In the voice's own phonetic letters: "ʃəvˈɔn".
    Phonemes(String),
}

/// Words that a person has told us how to say. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pronunciations(Arc<HashMap<String, Told>>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    said: Pronunciation,
    is_capital: bool,
}

impl Pronunciations {
    /// A later one for the same word wins. Names of several words are told word by word.
    /// One that is told with a capital is said so only where it has one: "Will" is a
    /// name, "will" is none.
    pub fn set(&mut self, word: &str, said: Pronunciation) {
        let told = Told { said, is_capital: is_capital(word) };
        Arc::make_mut(&mut self.0).insert(word.to_lowercase(), told);
    }

    pub fn forget(&mut self, word: &str) {
        Arc::make_mut(&mut self.0).remove(&word.to_lowercase());
    }

    pub fn of(&self, word: &str) -> Option<&Pronunciation> {
        if self.0.is_empty() {
            return None;
        }
        let told = self.0.get(&word.to_lowercase())?;
        (!told.is_capital || is_capital(word)).then_some(&told.said)
    }
}

/// Names that many people have and that no rule of English reads, in a spelling that is read
/// right. Whoever says theirs otherwise tells us, and that wins.
const USUAL: [(&str, &str); 6] = [
    ("Nguyen", "win"),
    ("Siobhan", "shivawn"),
    ("Saoirse", "seersha"),
    ("Niamh", "neev"),
    ("Aoife", "eefa"),
    ("Caoimhe", "keeva"),
];

/// How a name is said that nobody has told us about, where its letters do not tell.
pub fn usual(name: &str) -> Option<&'static str> {
    USUAL.iter().find(|(written, _)| *written == name).map(|(_, like)| *like)
}

/// "MY-uh" as people write what they hear: the loud syllable is no abbreviation.
pub fn syllables(like: &str) -> String {
    let loud = |part: &str| part.len() > 1 && !part.contains(char::is_lowercase);
    if like.contains('-') && like.split(['-', ' ']).any(loud) {
        like.to_lowercase()
    } else {
        like.to_owned()
    }
}

/// A word as a voice reads it that knows nothing of our names, with the marks around it.
pub fn respelled(word: &str, names: &Pronunciations) -> String {
    let open = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let core = open.trim_end_matches(|c: char| !c.is_alphanumeric());
    let (lead, tail) = (&word[..word.len() - open.len()], &open[core.len()..]);
    let (name, owns) = core.strip_suffix("'s").map_or((core, ""), |name| (name, "'s"));
    match names.of(name) {
        Some(Pronunciation::Like(other)) => format!("{lead}{}{owns}{tail}", syllables(other)),
        // Its letters are our own voice's.
        Some(Pronunciation::Phonemes(_)) | None => word.to_owned(),
    }
}

fn is_capital(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_other_word() {
        let mut told = Pronunciations::default();
        let like = |other: &str| Pronunciation::Like(other.to_owned());
        told.set("Will", like("Vill"));
        told.set("sql", like("sequel"));
        assert_eq!(told.of("Will"), Some(&like("Vill")));
        assert_eq!(told.of("will"), None);
        assert_eq!(told.of("SQL"), Some(&like("sequel")));
        assert_eq!(respelled("(Will's,", &told), "(Vill's,");
        assert_eq!(respelled("will", &told), "will");
        told.set("Maya", like("MY-uh"));
        assert_eq!(respelled("Maya,", &told), "my-uh,");
        told.forget("Will");
        assert_eq!(told.of("Will"), None);
    }
}
