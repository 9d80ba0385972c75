//! Words at the end that only look for a nod: "my parking spot is b12 ok".

use brain::resolve::words::Word;

use crate::reflex::vocabulary::is_any;

const NODS: &[&[&str]] = &[
    &["ok"],
    &["okay"],
    &["alright"],
    &["all", "right"],
    &["mkay"],
    &["you", "know"],
    &["will", "you"],
    &["would", "you"],
    &["yeah"],
];
/// Behind one of these it is what something is like: "Friday is okay".
const LIKE: &[&str] = &[
    "is",
    "are",
    "am",
    "was",
    "were",
    "be",
    "been",
    "'s",
    "looks",
    "look",
    "sounds",
    "sound",
    "feels",
    "feel",
    "seems",
    "seem",
    "not",
    "all",
    "also",
    "still",
    "and",
    "or",
    "the",
    "a",
    "an",
    "quite",
    "pretty",
    "totally",
    "really",
    "doing",
    "works",
    "went",
    "goes",
    "that",
    "if",
    "as",
    "let",
    "who",
    "what",
    "people",
    "someone",
    "anyone",
    "do",
    "did",
    "they",
    "say",
    "said",
    "says",
    "perfectly",
    "will",
    "would",
    "her",
    "his",
    "my",
    "your",
    "with",
];
/// So many words have to stand before it, or it is all there is to it.
const ENOUGH: usize = 4;

/// Cuts them off, where what stands before them is enough. What is dictated stays.
pub fn drop(said: &mut Vec<Word>, sentence: &str) {
    const FINDS: &[&str] =
        &["find", "finds", "found", "think", "thinks", "makes", "ask", "whether", "asked"];
    if sentence.contains([':', '"', '“']) || said.iter().any(|word| is_any(&word.text, FINDS)) {
        return;
    }
    while let Some(nod) = NODS.iter().find(|nod| ends(said, nod)) {
        let left = said.len() - nod.len();
        let apart = said[left - 1].stop.is_some();
        if left < ENOUGH || !apart && is_any(&said[left - 1].text, LIKE) {
            break;
        }
        let stop = said[said.len() - 1].stop;
        said.truncate(left);
        if let Some(last) = said.last_mut() {
            last.stop = stop.filter(|stop| *stop != '?');
        }
    }
}

fn ends(said: &[Word], nod: &[&str]) -> bool {
    let Some((front, end)) =
        said.len().checked_sub(nod.len()).and_then(|cut| said.split_at_checked(cut))
    else {
        return false;
    };
    !front.is_empty() && end.iter().zip(nod).all(|(word, text)| word.is(text) && !word.quoted)
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;

    fn left(sentence: &str) -> String {
        let mut said = words(sentence);
        drop(&mut said, sentence);
        sentence[..said[said.len() - 1].end].to_owned()
    }

    #[test]
    fn what_only_looks_for_a_nod_is_cut_off() {
        for (sentence, kept) in [
            ("dont forget my parking spot is b12 ok", "dont forget my parking spot is b12"),
            ("remind me at 5 to call tom, okay?", "remind me at 5 to call tom"),
            ("book lunch with tom at noon alright", "book lunch with tom at noon"),
            ("tell ana the glass is here you know", "tell ana the glass is here"),
            ("remember that my locker is 12 yeah ok", "remember that my locker is 12"),
        ] {
            assert_eq!(left(sentence), kept);
        }
    }

    #[test]
    fn what_something_is_like_stays() {
        for sentence in [
            "tell tom that friday is okay",
            "remember that Ana finds pulp ok",
            "email ana: the lamp came, ok",
            "tell ana that is all you know",
            "ok then",
            "yes that is ok",
            "sounds good ok",
        ] {
            assert_eq!(left(sentence), sentence);
        }
    }
}
