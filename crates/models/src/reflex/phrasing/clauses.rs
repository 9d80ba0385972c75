//! Words of several clauses: more than one question, and whoever is spoken of in the
//! second one: "the key is here and he can come", said to him.

use super::{OTHERS, is_behind_object, to_you, yours};
use crate::reflex::vocabulary::is_any;

/// "Whether she's in, and what time she leaves": the first question, and what follows it.
pub fn another_question(words: &str) -> Option<(&str, &str)> {
    const ASKS: &[&str] = &["if", "whether", "what", "when", "where", "how", "which", "who", "why"];
    let asks = |text: &str| is_any(text.split(' ').next().unwrap_or(""), ASKS);
    // "And if yes, book it" asks nothing.
    let hangs = |next: &str| {
        let second = next.split(' ').nth(1).unwrap_or("");
        is_any(second.trim_end_matches(','), &["yes", "so", "not", "no"])
    };
    if !asks(&words.to_lowercase()) || words.contains(['?', '.', ';']) {
        return None;
    }
    [", and ", " and ", ", "]
        .iter()
        .flat_map(|link| words.match_indices(link))
        .map(|(at, link)| (&words[..at], &words[at + link.len()..]))
        .filter(|(first, next)| first.split(' ').count() > 2 && next.split(' ').count() > 1)
        .find(|(_, next)| asks(next) && !hangs(next))
}

/// "The deck will reach her tonight", "the key is here and he can come", said to the one
/// it is about. Only where nobody else can be meant.
pub fn about_you(words: &str, is_them: impl Fn(&str) -> bool) -> String {
    let words = words.replace(" and that ", " and ");
    let plain = |token: &str| token.trim_end_matches([',', '.', '!', '?', ';', ':']).to_lowercase();
    if words.split(' ').any(|token| is_any(&plain(token), OTHERS)) {
        return words;
    }
    let first = words.split(' ').next().map(plain).unwrap_or_default();
    // Whoever it begins with has been turned already, or is somebody else.
    if is_any(first.split(['\'', '’']).next().unwrap_or(""), &["he", "she", "they"]) {
        return words;
    }
    let words = reached(&words, &is_them);
    let found = [(" and he ", "him"), (" and she ", "her")].into_iter().find_map(|(link, whom)| {
        let mut places = words.match_indices(link);
        let (at, _) = places.next().filter(|_| places.next().is_none())?;
        is_them(whom).then_some(at + " and ".len())
    });
    match found {
        Some(at) => format!("{}{}", &words[..at], yours(&to_you(&words[at..], |_| true))),
        None => words,
    }
}

/// "Reach her tonight", "be with her by noon": whoever a thing goes to.
fn reached(words: &str, is_them: impl Fn(&str) -> bool) -> String {
    const BEFORE: &[&str] =
        &["with", "to", "for", "reach", "reaches", "at", "from", "by", "on", "suits", "suit"];
    let tokens: Vec<&str> = words.split(' ').collect();
    let turned = |at: usize| {
        let token = tokens[at];
        let plain = token.trim_end_matches([',', '.', '!', '?', ';', ':']);
        let object = is_any(plain, &["him", "her"]) && is_them(plain);
        let led = at > 0 && is_any(&tokens[at - 1].to_lowercase(), BEFORE);
        let ends = plain.len() < token.len()
            || tokens.get(at + 1).is_none_or(|next| is_behind_object(&next.to_lowercase()));
        if object && led && ends {
            format!("you{}", &token[plain.len()..])
        } else {
            token.to_owned()
        }
    };
    (0..tokens.len()).map(turned).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_it_is_said_to_is_you_in_every_clause() {
        let her = |pronoun: &str| pronoun == "her";
        for (said, turned) in [
            ("the deck will reach her tonight", "the deck will reach you tonight"),
            ("the slide will be with her by noon", "the slide will be with you by noon"),
            ("the key is here and she can come", "the key is here and you can come"),
            ("it works and that the key is here", "it works and the key is here"),
            ("my sister is here and she can come", "my sister is here and she can come"),
            ("the key is with her brother", "the key is with her brother"),
            ("the key is with him", "the key is with him"),
        ] {
            assert_eq!(about_you(said, her), turned, "{said}");
        }
    }

    #[test]
    fn one_question_behind_another_is_found() {
        let (first, next) = another_question("if she is in and what time she leaves").unwrap();
        assert_eq!((first, next), ("if she is in", "what time she leaves"));
        assert_eq!(another_question("when and where we meet"), None);
        assert_eq!(another_question("if the keys and the badge are there"), None);
    }
}
