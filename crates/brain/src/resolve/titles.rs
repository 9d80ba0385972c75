//! What something on the calendar is called, where it was misheard: "the herring stand up"
//! for "Heron stand-up".
//!
//! By the sounds that names are compared by. Whatever is found is asked about or said to be
//! another title; it is never taken for the one that was said.

use super::people::near::off;
use super::people::sound;

/// Of a hundred sounds of all that was said, so many may be others.
pub(super) const ASKED: u32 = 25;
/// And fewer where the words are more or less than those of the title.
pub(super) const APART: u32 = 15;
/// In one word, when the others are right.
pub(super) const PART: u32 = 50;
/// And so many more in one that is named beside the nearest.
pub(super) const MARGIN: u32 = 8;
/// Shorter ones sound like everything.
pub(super) const FEWEST_SOUNDS: usize = 3;
/// Nobody calls an event by more words.
const MOST_WORDS: usize = 8;

/// Those of `titles` that may have been misheard as `wanted`, by their places, the likeliest
/// first.
pub fn sounding<'a>(wanted: &str, titles: impl IntoIterator<Item = &'a str>) -> Vec<usize> {
    let said = words(wanted);
    if said.is_empty() || said.len() > MOST_WORDS {
        return Vec::new();
    }
    let titles = titles.into_iter().enumerate();
    let mut found: Vec<(u32, usize)> =
        titles.filter_map(|(at, title)| Some((far(&said, &words(title))?, at))).collect();
    found.sort_unstable();
    let nearest = found.first().map_or(0, |(far, _)| *far);
    found.retain(|(far, _)| *far <= nearest + MARGIN);
    found.into_iter().map(|(_, at)| at).collect()
}

/// How far the words of a title are away that are nearest to what was said. "The review" is
/// a part of "Heron design review".
fn far(said: &[String], title: &[String]) -> Option<u32> {
    let whole = sound::sounds(&said.concat());
    if whole.len() < FEWEST_SOUNDS {
        return None;
    }
    let fewest = said.len().saturating_sub(1).max(1);
    // A word may be heard as two, and two as one.
    let parts = (fewest..=said.len() + 1).flat_map(|count| title.windows(count));
    let alike = parts.filter(|part| part.len() != said.len() || is_like(said, part));
    // Where a word fell apart its sounds are all there; one that is gone is another title.
    let most = |part: &[String]| if part.len() == said.len() { ASKED } else { APART };
    alike.filter_map(|part| off(&whole, &part.concat(), most(part))).min()
}

/// Word by word, so that one that is quite another one is not lost in a long title.
fn is_like(said: &[String], part: &[String]) -> bool {
    said.iter()
        .zip(part)
        .all(|(said, word)| said == word || off(&sound::sounds(said), word, PART).is_some())
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLES: [&str; 7] = [
        "Heron stand-up",
        "Heron design review",
        "Dentist",
        "Lunch with Tom",
        "Yoga",
        "Budget review",
        "Parent evening",
    ];

    #[test]
    fn what_has_no_sound_or_lacks_a_word_is_like_nothing() {
        assert!(sounding("1:1 tom", ["1:1 with Dana", "2:2", "…"]).is_empty());
        assert!(sounding("42", TITLES).is_empty());
        assert!(sounding("tom birthday", ["Ingrid's birthday", "Birthday dinner"]).is_empty());
    }

    #[test]
    fn a_title_that_was_misheard_is_found_by_its_sound() {
        for (heard, titles) in [
            ("herring stand up", &["Heron stand-up"][..]),
            ("hairin design review", &["Heron design review"]),
            ("design revue", &["Heron design review"]),
            ("tentist", &["Dentist"]),
            ("joga", &["Yoga"]),
            ("heron standup", &["Heron stand-up"]),
            ("budged review", &["Budget review"]),
        ] {
            let found: Vec<&str> =
                sounding(heard, TITLES).into_iter().map(|at| TITLES[at]).collect();
            assert_eq!(found, titles, "{heard}");
        }
    }

    #[test]
    fn what_is_called_otherwise_is_nobodys_mishearing() {
        for heard in [
            "board",
            "the launch party",
            "piano",
            "hiring review",
            "plumber",
            "soccer practice",
            "",
            "q",
            "kick-off",
            "team offsite",
            "flight to Denver",
        ] {
            assert_eq!(sounding(heard, TITLES), [] as [usize; 0], "{heard}");
        }
    }
}
