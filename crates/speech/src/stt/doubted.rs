//! Which words of a sentence were hardly made out. Pure.
//!
//! They are known as the recogniser wrote them, and people read them as they were written down
//! after that: what was joined or spelled anew on the way is looked for no further.

use super::HeardWord;

/// A word that is heard with less is worth a second look.
const DOUBTED: f32 = 0.6;
/// So many words may stand between two that are found one behind the other.
const APART: usize = 4;

/// Where in `text` those words stand: from and to, in characters. Marks around a word are not
/// part of it.
pub fn doubted(text: &str, words: &[HeardWord]) -> Vec<[usize; 2]> {
    let written = places(text);
    let mut next = 0;
    let mut found = Vec::new();
    for word in words {
        let heard = bare(&word.text);
        let mut near = written[next..].iter().take(APART);
        let Some(skipped) = near.position(|place| place.bare == heard) else { continue };
        next += skipped + 1;
        if word.confidence() < DOUBTED {
            found.push(written[next - 1].span);
        }
    }
    found
}

struct Place {
    bare: String,
    span: [usize; 2],
}

fn places(text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut at = 0;
    for word in text.split(char::is_whitespace) {
        let length = word.chars().count();
        let marks = word.chars().take_while(|c| !c.is_alphanumeric()).count();
        let behind = word.chars().rev().take_while(|c| !c.is_alphanumeric()).count();
        if marks < length {
            places.push(Place { bare: bare(word), span: [at + marks, at + length - behind] });
        }
        at += length + 1;
    }
    places
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of a sentence; those in brackets were hardly made out.
    fn heard(sentence: &str) -> Vec<HeardWord> {
        let word = |word: &str| HeardWord {
            logp: if word.starts_with('[') { -1.0 } else { -0.01 },
            text: word.trim_matches(['[', ']']).to_owned(),
        };
        sentence.split(' ').map(word).collect()
    }

    #[test]
    fn a_word_that_was_hardly_made_out_is_found_where_it_stands() {
        let cases: [(&str, &str, &[[usize; 2]]); 6] = [
            ("Write to Okafor.", "Write to [Okafor.]", &[[9, 15]]),
            ("Ruf “Zoë” an, Zoë!", "Ruf Zoë an, [Zoë!]", &[[14, 17]]),
            (
                "The ZIP is 94107 there",
                "The [ZIP] is nine [four] one oh seven [there]",
                &[[4, 7], [17, 22]],
            ),
            ("Call her at 3:15 today", "Call her at 315 [today]", &[[17, 22]]),
            ("yes yes", "yes [yes]", &[[4, 7]]),
            ("All of it is clear", "All of it is clear", &[]),
        ];
        for (text, words, expected) in cases {
            assert_eq!(doubted(text, &heard(words)), expected, "{text}");
        }
        assert!(doubted("", &heard("[well]")).is_empty());
    }
}
