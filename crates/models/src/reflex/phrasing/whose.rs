//! "Her slide is ready", said to her, is "your slide is ready".

use super::is_behind_object;
use crate::reflex::vocabulary::is_any;

/// Only the very first word: nobody was spoken of before it but whom it is said to.
/// `is_them` knows how they are called.
pub fn your_own(words: &str, is_them: impl Fn(&str) -> bool) -> String {
    let Some((first, rest)) = words.split_once(' ') else { return words.to_owned() };
    let object = match first.to_lowercase().as_str() {
        "his" => "him",
        "her" => "her",
        "their" => "them",
        _ => return words.to_owned(),
    };
    let next = rest.split([' ', ',', '.']).next().unwrap_or(rest);
    let owns = !is_behind_object(&next.to_lowercase());
    if !owns || !is_them(object) {
        return words.to_owned();
    }
    // Whoever is spoken of behind it may be the same: "her slide is ready if she wants it".
    let tokens: Vec<&str> = rest.split(' ').collect();
    let (he, his) = match object {
        "him" => ("he", "his"),
        "her" => ("she", "her"),
        _ => ("they", "their"),
    };
    let subject = tokens.iter().any(|token| token.split(['\'', '’']).next() == Some(he));
    let again = tokens.iter().any(|token| is_any(token, &[object, his]));
    if subject || again { words.to_owned() } else { format!("your {rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hers_is_yours_when_it_is_said_to_her() {
        let turned = |words: &str| your_own(words, |whom| whom == "her");
        assert_eq!(turned("her slide will be ready"), "your slide will be ready");
        assert_eq!(turned("Her order is here"), "your order is here");
        for kept in [
            "his slide will be ready",
            "the slide and her notes are ready",
            "her and Tom are late",
            "her slide is ready if she wants it",
            "her",
        ] {
            assert_eq!(turned(kept), kept);
        }
    }
}
