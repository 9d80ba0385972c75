//! Long speech is heard in parts, and the ears write each as if it were whole: with a full
//! stop behind it and a capital before it, where nobody ended or began a sentence.

use super::breaks;

/// What goes on with a sentence, and hardly ever begins one behind a rest.
const GOES_ON: [&str; 7] = ["because", "before", "of", "than", "till", "until", "which"];
/// Ordinary words: a capital on one of these is that of a beginning, and no name.
const ORDINARY: [&str; 58] = [
    "a", "about", "after", "an", "and", "are", "as", "at", "be", "because", "before", "but", "by",
    "can", "could", "for", "from", "had", "has", "have", "he", "her", "his", "if", "in", "is",
    "it", "my", "not", "of", "on", "or", "our", "please", "she", "so", "than", "that", "the",
    "their", "there", "these", "they", "this", "till", "to", "until", "was", "we", "were", "when",
    "which", "while", "who", "will", "with", "would", "you",
];

/// A part, and whether it was cut where nobody rested.
pub struct Piece<'a> {
    pub text: &'a str,
    pub is_cut: bool,
}

pub fn joined<'a>(pieces: impl IntoIterator<Item = Piece<'a>>) -> String {
    let mut all = String::new();
    let mut is_cut = false;
    for piece in pieces {
        let text = piece.text.trim();
        let first = text.split_whitespace().next().unwrap_or_default();
        let first = first.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let goes_on = is_cut || breaks::hardly_ends(&all) || GOES_ON.contains(&first.as_str());
        if all.is_empty() || text.is_empty() {
            all.push_str(text);
        } else if goes_on && let Some(open) = without_stop(&all) {
            all.truncate(open);
            all.push(' ');
            all.push_str(&if ORDINARY.contains(&first.as_str()) {
                small(text)
            } else {
                text.to_owned()
            });
        } else {
            all.push(' ');
            all.push_str(text);
        }
        is_cut = piece.is_cut;
    }
    all
}

/// Where the words end, if one full stop is all that stands behind them.
fn without_stop(text: &str) -> Option<usize> {
    let open = text.strip_suffix('.')?;
    let last = open.rsplit(char::is_whitespace).next().unwrap_or_default();
    // "a.m." and "Dr." keep theirs.
    let is_short = last.contains('.') || matches!(last, "Dr" | "Mr" | "Mrs" | "Ms" | "St");
    (!is_short).then_some(open.len())
}

fn small(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(first: &str, then: &str) -> String {
        joined([Piece { text: first, is_cut: true }, Piece { text: then, is_cut: false }])
    }

    fn rested(first: &str, then: &str) -> String {
        joined([Piece { text: first, is_cut: false }, Piece { text: then, is_cut: false }])
    }

    #[test]
    fn where_nobody_rested_there_is_no_end_and_no_beginning() {
        for (first, then, whole) in [
            (
                "Bring the samples.",
                "The ones from Monday.",
                "Bring the samples the ones from Monday.",
            ),
            (
                "Bring the samples on.",
                "Thursday at nine.",
                "Bring the samples on Thursday at nine.",
            ),
            ("We meet at 9 a.m.", "And then we eat.", "We meet at 9 a.m. And then we eat."),
            ("Is it there?", "And is it red?", "Is it there? And is it red?"),
        ] {
            assert_eq!(cut(first, then), whole);
        }
    }

    #[test]
    fn behind_a_rest_a_sentence_ends_unless_the_words_go_on() {
        for (first, then, whole) in [
            (
                "Bring the samples on.",
                "Thursday at nine.",
                "Bring the samples on Thursday at nine.",
            ),
            (
                "Bring the samples to the.",
                "Office at nine.",
                "Bring the samples to the Office at nine.",
            ),
            (
                "He will not be here.",
                "Before the twelfth.",
                "He will not be here before the twelfth.",
            ),
            ("The parts are here.", "Please call me.", "The parts are here. Please call me."),
            ("Tell Dana.", "I'm late.", "Tell Dana. I'm late."),
            ("", "Yes.", "Yes."),
            ("Yes.", "", "Yes."),
        ] {
            assert_eq!(rested(first, then), whole);
        }
    }
}
