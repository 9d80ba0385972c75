//! Numbers as people say them.

pub(in crate::resolve) const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
pub(in crate::resolve) const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ORDINALS: [&str; 21] = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// Part of a spelled number, or of "half-past".
pub fn is_number_word(word: &str) -> bool {
    SMALL.contains(&word)
        || TENS.contains(&word)
        || ORDINALS.contains(&word)
        || matches!(word, "thirtieth" | "half" | "past" | "quarter")
}

/// "7", "seven", "twenty one"; and how many words it took.
pub fn cardinal(words: &[&str]) -> Option<(u32, usize)> {
    let first = *words.first()?;
    if first.len() <= 3
        && let Ok(number) = first.parse()
    {
        return Some((number, 1));
    }
    if let Some(ten) = place(&TENS, first) {
        let ten = (ten + 2) * 10;
        return match words.get(1).and_then(|word| place(&SMALL, word)) {
            Some(one @ 1..=9) => Some((ten + one, 2)),
            _ => Some((ten, 1)),
        };
    }
    place(&SMALL, first).map(|small| (small, 1))
}

/// Like [`cardinal`], and also "a", "a couple of", "a few".
pub fn amount(words: &[&str]) -> Option<(u32, usize)> {
    match words {
        ["a", "couple", "of", ..] => Some((2, 3)),
        ["couple", "of", ..] | ["a", "couple", ..] => Some((2, 2)),
        ["couple", ..] => Some((2, 1)),
        ["a", "few", ..] => Some((3, 2)),
        ["few", ..] => Some((3, 1)),
        ["a" | "an", ..] => Some((1, 1)),
        _ => cardinal(words),
    }
}

/// "19th", "nineteenth", "twenty first"; and how many words it took.
pub fn ordinal(words: &[&str]) -> Option<(u32, usize)> {
    let first = *words.first()?;
    if let Some(digits) =
        ["st", "nd", "rd", "th"].iter().find_map(|ending| first.strip_suffix(ending))
        && let Ok(number) = digits.parse()
    {
        return Some((number, 1));
    }
    match (first, words.get(1).and_then(|word| place(&ORDINALS, word))) {
        ("twenty", Some(one @ 1..=9)) => Some((20 + one, 2)),
        ("thirty", Some(1)) => Some((31, 2)),
        ("thirtieth", _) => Some((30, 1)),
        _ => place(&ORDINALS, first).filter(|number| *number > 0).map(|number| (number, 1)),
    }
}

fn place(list: &[&str], word: &str) -> Option<u32> {
    list.iter().position(|entry| *entry == word).and_then(|at| u32::try_from(at).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_digits_and_as_words() {
        assert_eq!(cardinal(&["seven", "days"]), Some((7, 1)));
        assert_eq!(cardinal(&["forty", "five", "minutes"]), Some((45, 2)));
        assert_eq!(cardinal(&["45"]), Some((45, 1)));
        assert_eq!(amount(&["a", "couple", "of", "days"]), Some((2, 3)));
        assert_eq!(ordinal(&["twenty", "first"]), Some((21, 2)));
        assert_eq!(ordinal(&["19th"]), Some((19, 1)));
        assert_eq!(ordinal(&["breadth"]), None);
    }
}
