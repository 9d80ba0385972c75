//! Cuts a text where a speaker would breathe.

/// Words that end in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 14] = [
    "mr.", "mrs.", "ms.", "dr.", "prof.", "st.", "no.", "vs.", "e.g.", "i.e.", "a.m.", "p.m.",
    "jr.", "approx.",
];

/// The sentences of `text`, trimmed, none empty. Line breaks end a sentence,
/// full stops in numbers, addresses and abbreviations do not.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (sentence, after) = rest.split_at(end_of_first(rest));
        rest = after.trim_start();
        Some(sentence.trim_end())
    })
}

fn end_of_first(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        let followed_by_space = text[after..].starts_with(char::is_whitespace);
        match c {
            '\n' => return after,
            '!' | '?' | '…' if followed_by_space => return after,
            '.' if followed_by_space && !is_abbreviation(&text[..after]) => return after,
            _ => {}
        }
    }
    text.len()
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let number = word.strip_suffix('.').is_some_and(|n| n.len() <= 2 && n.parse::<u8>().is_ok());
    let ahead = before[..before.len() - word.len()].trim_end();
    // "1. First, 2. second": the number belongs to what follows it.
    let counts = number && (ahead.is_empty() || ahead.ends_with(':'));
    let initial = word.strip_suffix('.').is_some_and(|name| name != "I" && is_initials(name));
    counts || initial || ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// "J", "J.R.R" of a name, without the last full stop. "U.S" is a place and may end a sentence.
pub fn is_initials(word: &str) -> bool {
    const PLACES: [&str; 8] = ["U.S", "U.K", "U.N", "E.U", "D.C", "L.A", "N.Y", "U.S.A"];
    let one = |letter: &str| letter.chars().count() == 1 && letter.starts_with(char::is_uppercase);
    word.split('.').all(one) && !PLACES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        split(text).collect()
    }

    #[test]
    fn sentences_end_where_one_breathes() {
        assert_eq!(parts("Sure. Two mails! Open one?"), ["Sure.", "Two mails!", "Open one?"]);
        assert_eq!(parts("First line\n\nSecond line"), ["First line", "Second line"]);
    }

    #[test]
    fn numbers_addresses_and_titles_stay_whole() {
        let text = "Dr. Ruiz pays 42.50 at 3 p.m. to j. Mail ana@x.example. Done.";
        assert_eq!(
            parts(text),
            ["Dr. Ruiz pays 42.50 at 3 p.m. to j.", "Mail ana@x.example.", "Done."]
        );
        assert_eq!(parts("From J. Smith. Read it?"), ["From J. Smith.", "Read it?"]);
        let tolkien = "J.R.R. Tolkien wrote it in the U.K. He did.";
        assert_eq!(parts(tolkien), ["J.R.R. Tolkien wrote it in the U.K.", "He did."]);
    }

    #[test]
    fn a_number_in_a_list_stays_with_what_it_counts() {
        let text = "Two things: 1. The margin is off. 2. Heron slips. It was at 9. Then lunch.";
        let expected =
            ["Two things: 1. The margin is off.", "2. Heron slips.", "It was at 9.", "Then lunch."];
        assert_eq!(parts(text), expected);
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["", " ", "no end", "…", "One.  Two.\nThree", "a.b.c. "] {
            let squeezed = |s: &str| s.split_whitespace().collect::<String>();
            assert_eq!(squeezed(&parts(text).concat()), squeezed(text));
        }
    }
}
