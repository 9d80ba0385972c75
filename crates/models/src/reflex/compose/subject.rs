//! What a mail is about, where nobody said: its first few words.

use crate::narrator::spelling::first_words;
use crate::reflex::phrasing;
use crate::reflex::vocabulary::is_any;

/// How many words make a subject.
const SUBJECT: usize = 6;
/// The first few words.
pub fn subject(words: &str) -> String {
    let words = without_greeting(words);
    // "41.8 percent" goes on behind its point.
    let ends = |(at, mark): &(usize, char)| {
        matches!(mark, '.' | '?' | '!')
            && words[at + 1..].chars().next().is_none_or(|next| !next.is_alphanumeric())
    };
    let end = words.char_indices().find(ends).map_or(words.len(), |(at, _)| at + 1);
    let sentence = &words[..end];
    let whether = WHETHER.iter().find_map(|lead| sentence.strip_prefix(lead));
    let asked = whether.or_else(|| ASKS.iter().find_map(|lead| sentence.strip_prefix(lead)));
    let (first, cut) = first_words(asked.unwrap_or(sentence), SUBJECT);
    let whole = if cut { without_loose_end(&first) } else { first };
    let whole = whole.trim_end_matches(['.', ',', ';', ':', '!']);
    // What is only asked is not said to be so.
    if whether.is_some() { format!("Whether {whole}") } else { phrasing::capital(whole) }
}

/// How our own questions begin; what they are about comes behind.
const WHETHER: &[&str] = &["I wanted to ask whether ", "I wanted to ask if "];
const ASKS: &[&str] =
    &["I wanted to ask about ", "I wanted to ask for ", "I wanted to ask you to "];

/// Words that go on to something: nothing ends with one of them.
const GOES_ON: &[&str] = &[
    "a", "about", "after", "all", "am", "an", "and", "are", "as", "at", "be", "because", "before",
    "but", "by", "can", "could", "for", "from", "had", "has", "have", "her", "his", "how", "i",
    "if", "in", "into", "is", "it", "just", "my", "no", "not", "of", "on", "or", "our", "so",
    "some", "than", "that", "the", "their", "then", "this", "to", "until", "very", "was", "we",
    "were", "what", "when", "where", "which", "who", "will", "with", "without", "would", "you",
    "your", "i'm", "i'll", "we'll", "it's", "whether", "should", "he", "she", "they", "do", "does",
    "did",
];

/// The first words, up to one that may stand last. At least two of them stay.
fn without_loose_end(words: &str) -> String {
    let mut kept: Vec<&str> = words.split(' ').collect();
    let goes_on = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        is_any(&bare.to_lowercase().replace('’', "'"), GOES_ON)
    };
    let first_to_stay = kept.iter().rposition(|word| !goes_on(word));
    if let Some(last) = first_to_stay.filter(|last| *last > 0) {
        kept.truncate(last + 1);
    }
    // "I'm running behind, move": what only begins behind a comma is left out.
    let comma = kept.iter().rposition(|word| word.ends_with(','));
    if let Some(comma) = comma.filter(|comma| *comma > 0 && kept.len() - comma <= 2) {
        kept.truncate(comma + 1);
    }
    kept.join(" ")
}

/// "Hi Jonas, the samples are here" is about samples.
fn without_greeting(words: &str) -> &str {
    let Some((greeting, rest)) = words.split_once(',') else { return words };
    let mut greets = greeting.split_whitespace().map(str::to_lowercase);
    let begins = greets.next().is_some_and(|first| is_any(&first, &["hi", "hello", "hey", "dear"]));
    if begins && greets.count() <= 3 && !rest.trim().is_empty() { rest.trim() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_the_first_words_without_the_greeting() {
        for (words, about) in [
            ("The samples are here.", "The samples are here"),
            ("Hi Jonas, the samples are here. Thanks", "The samples are here"),
            ("Hi, that works", "That works"),
            ("The margin is 41.8 percent. More later.", "The margin is 41.8 percent"),
            ("I need the q4 numbers by Friday at the latest.", "I need the q4 numbers"),
            (
                "I wanted to ask whether the freight can go by sea.",
                "Whether the freight can go by sea",
            ),
            ("Can you and I get the two of us on it", "Can you and I get"),
            ("I am so in the know of it all", "I am so in the know"),
            ("I'm running behind, move on without me.", "I'm running behind"),
        ] {
            assert_eq!(subject(words), about);
        }
    }
}
