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

/// "Hey I'm late": the greeting stands above it already. "Hi Jonas, …" brings its own.
pub fn without_hello(words: &str) -> &str {
    const GOES_ON: &[&str] = &[
        "i", "we", "it", "its", "the", "there", "just", "can", "could", "are", "is", "do", "does",
        "my", "our", "please", "thanks", "you", "your", "would", "will", "did", "im", "sorry",
        "what", "when", "how", "any", "this", "that",
    ];
    let Some((hello, rest)) = words.trim_start().split_once(' ') else { return words };
    let plain = hello.trim_end_matches([',', '!']).to_lowercase();
    if !is_any(&plain, &["hey", "hi", "hello"]) {
        return words;
    }
    let rest = rest.strip_prefix("there, ").or(rest.strip_prefix("there ")).unwrap_or(rest);
    let next = rest.split([' ', ',']).next().unwrap_or(rest).to_lowercase();
    let next = next.split(['\'', '’']).next().unwrap_or(&next);
    if is_any(next, GOES_ON) && rest.contains(' ') { rest } else { words }
}

/// "Thanks and that I'll look at it": behind the first, "that" is no word of the mail.
pub fn without_that(words: &str) -> String {
    const SUBJECTS: &[&str] = &["i", "we", "you", "he", "she", "they", "it", "there", "my", "our"];
    let tokens: Vec<&str> = words.split(' ').collect();
    let bare = |token: &str| token.split(['\'', '’']).next().unwrap_or("").to_lowercase();
    let drops = |at: usize| {
        tokens[at] == "that"
            && at > 0
            && (tokens[at - 1] == "and" || tokens[at - 1] == "also")
            && tokens.get(at + 1).is_some_and(|next| is_any(&bare(next), SUBJECTS))
    };
    (0..tokens.len()).filter(|&at| !drops(at)).map(|at| tokens[at]).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_greeted_twice() {
        assert_eq!(without_hello("hey im running late"), "im running late");
        assert_eq!(without_hello("Hi, I'm late"), "I'm late");
        assert_eq!(without_hello("hello there, can you call me"), "can you call me");
        for kept in ["Hi Jonas, it works", "hi from Lisbon", "hi", "hey you", "the hi-fi is here"] {
            assert_eq!(without_hello(kept), kept);
        }
    }

    #[test]
    fn a_second_that_is_not_written() {
        assert_eq!(without_that("thanks and that I'll look at it"), "thanks and I'll look at it");
        assert_eq!(without_that("I like this and that one"), "I like this and that one");
    }

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
