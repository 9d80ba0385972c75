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
    let initial = word.chars().count() == 2 && word.starts_with(char::is_uppercase) && word != "I.";
    initial || ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
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
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["", " ", "no end", "…", "One.  Two.\nThree", "a.b.c. "] {
            let squeezed = |s: &str| s.split_whitespace().collect::<String>();
            assert_eq!(squeezed(&parts(text).concat()), squeezed(text));
        }
    }
}
