//! Letters that changed places under quick fingers.

use brain::resolve::people::People;
use brain::resolve::words::words;

use crate::reflex::vocabulary;

/// The sentence with letters put back that changed places: "wiht Tom". What is dictated
/// behind a colon or quoted stays as it is.
pub fn swapped_back(sentence: &str, contacts: &People) -> Option<String> {
    let own = sentence.find([':', '"', '“']).unwrap_or(sentence.len());
    let mut fixed = sentence.to_owned();
    for word in words(&sentence[..own]).iter().rev() {
        if let Some(meant) = vocabulary::swapped(&word.text, contacts) {
            fixed.replace_range(word.start..word.end, meant);
        }
    }
    (fixed != sentence).then_some(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn little_words_are_put_right_and_dictated_ones_are_not() {
        let world = corpus::world();
        let back = |sentence: &str| swapped_back(sentence, &world.contacts);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(back("lunch wiht Tom adn Ana"), some("lunch with Tom and Ana"));
        assert_eq!(back("email Tom: teh lamp wiht the arm"), None);
        assert_eq!(back("lunch with Tom and Ana"), None);
    }
}
