//! The words that numbers are made of, for whoever hears them and whoever says them.

/// Nought to nineteen, each at its own place.
pub(crate) const SMALL: [&str; 20] = [
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

/// Twenty to ninety, each at the place of its first digit.
pub(crate) const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// What one of the first ten words, or what is said for a nought, counts.
pub(crate) fn digit(word: &str) -> Option<usize> {
    if matches!(word, "oh" | "o") {
        return Some(0);
    }
    SMALL[..10].iter().position(|name| *name == word)
}

/// What a ten counts in tens: 2 for "twenty".
pub(crate) fn ten(word: &str) -> Option<usize> {
    TENS.iter().skip(2).position(|name| *name == word).map(|at| at + 2)
}
