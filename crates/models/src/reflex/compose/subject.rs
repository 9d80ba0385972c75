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
    let (first, cut) = first_words(sentence, SUBJECT);
    let first = phrasing::capital(first.trim_end_matches(['.', ',', ';', ':', '!']));
    if cut { format!("{first}…") } else { first }
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
        ] {
            assert_eq!(subject(words), about);
        }
    }
}
