//! Words of a trade that ears write down as they please: "bright loom" for Brightloom.
//!
//! By the sounds that names and titles are compared by. Whatever is found is told beside
//! what was heard; nobody takes it for what was said without a word.

use std::ops::Range;
use std::sync::Arc;

use super::people::near::apart_of_a_hundred;
use super::people::sound::{self, Sounds};
use super::titles::{APART, ASKED, FEWEST_SOUNDS, MARGIN, PART};

/// More are no list that anybody keeps.
pub const MOST: usize = 200;
/// And longer ones are sentences.
pub const MOST_CHARS: usize = 60;
pub const MOST_WORDS: usize = 4;
/// So much of what was said is looked through.
const MOST_HEARD: usize = 60;

/// What an agent's people speak of, prepared once. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Keywords {
    all: Arc<[Keyword]>,
}

#[derive(Clone, Debug)]
struct Keyword {
    written: String,
    words: Vec<Part>,
    whole: Part,
}

/// Some words as letters and as sounds.
#[derive(Clone, Debug)]
struct Part {
    text: String,
    sounds: Sounds,
}

/// A list that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadKeyword {
    #[error("{0} keywords are too many; {MOST} are the most")]
    TooMany(usize),
    #[error(
        "the keyword \"{0}\" is too long; {MOST_WORDS} words and {MOST_CHARS} characters are the most"
    )]
    TooLong(String),
    #[error("the keyword \"{0}\" is too short to be told by its sound")]
    TooShort(String),
    #[error("the keyword \"{0}\" stands there twice")]
    Twice(String),
}

/// Words that were heard and may have been a keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearly<'a> {
    /// Where they stand, in bytes.
    pub span: Range<usize>,
    /// What they may have been, the likeliest first; several are equally likely.
    pub keywords: Vec<&'a str>,
    /// Nobody could hear the difference.
    pub is_one_sound: bool,
}

impl Keywords {
    pub fn new(list: &[String]) -> Result<Self, BadKeyword> {
        if list.len() > MOST {
            return Err(BadKeyword::TooMany(list.len()));
        }
        let mut all: Vec<Keyword> = Vec::new();
        for written in list {
            let keyword = Keyword::new(written)?;
            if all.iter().any(|other| other.whole.text == keyword.whole.text) {
                return Err(BadKeyword::Twice(written.clone()));
            }
            all.push(keyword);
        }
        Ok(Self { all: all.into() })
    }

    /// These and more of them; one that is there already is left out, however it is written.
    pub fn and(&self, more: &[String]) -> Result<Self, BadKeyword> {
        let more = Self::new(more)?;
        let is_new =
            |word: &&Keyword| self.all.iter().all(|other| other.whole.text != word.whole.text);
        let all: Vec<Keyword> =
            self.all.iter().chain(more.all.iter().filter(is_new)).cloned().collect();
        if all.len() > MOST {
            return Err(BadKeyword::TooMany(all.len()));
        }
        Ok(Self { all: all.into() })
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|keyword| keyword.written.as_str())
    }

    /// The words of a sentence that are nearest to a keyword without being it.
    pub fn nearly(&self, heard: &str) -> Option<Nearly<'_>> {
        self.nearly_among(heard, |_| true)
    }

    /// The same of words that begin and end with ones, in small letters, that may be meant.
    pub fn nearly_among(&self, heard: &str, may: impl Fn(&str) -> bool) -> Option<Nearly<'_>> {
        if self.all.is_empty() {
            return None;
        }
        let said = pieces(heard);
        let may: Vec<bool> = said.iter().map(|(_, part)| may(&part.text)).collect();
        let exact: Vec<Range<usize>> =
            self.all.iter().flat_map(|keyword| keyword.places_in(&said)).collect();
        let mut found: Vec<(u32, Range<usize>, &Keyword)> = Vec::new();
        for length in 1..=MOST_WORDS + 1 {
            for at in 0..(said.len() + 1).saturating_sub(length) {
                let places = at..at + length;
                let is_exact = exact.iter().any(|it| overlap(it, &places));
                if is_exact || !may[places.start] || !may[places.end - 1] {
                    continue;
                }
                let run: Vec<&Part> = said[places.clone()].iter().map(|(_, part)| part).collect();
                let whole = Part::joined(&run);
                let near = self.all.iter().filter_map(|it| Some((it.far(&run, &whole)?, it)));
                found.extend(near.map(|(far, keyword)| (far, places.clone(), keyword)));
            }
        }
        // Of two runs that are as near, the longer one leaves less behind.
        found.sort_by_key(|(far, places, _)| (*far, std::cmp::Reverse(places.len())));
        let (far, places, _) = found.first().cloned()?;
        let mut keywords: Vec<&str> = Vec::new();
        for (other, at, keyword) in &found {
            let is_near = overlap(at, &places) && *other <= far + MARGIN;
            if is_near && !keywords.contains(&&*keyword.written) {
                keywords.push(&keyword.written);
            }
        }
        let span = said[places.start].0.start..said[places.end - 1].0.end;
        Some(Nearly { span, keywords, is_one_sound: far == 0 })
    }
}

impl Keyword {
    fn new(written: &str) -> Result<Self, BadKeyword> {
        let words: Vec<Part> = pieces(written).into_iter().map(|(_, part)| part).collect();
        if written.chars().count() > MOST_CHARS || words.len() > MOST_WORDS {
            return Err(BadKeyword::TooLong(written.to_owned()));
        }
        let whole = Part::joined(&words.iter().collect::<Vec<_>>());
        if whole.sounds.len() < FEWEST_SOUNDS {
            return Err(BadKeyword::TooShort(written.to_owned()));
        }
        Ok(Self { written: written.trim().to_owned(), words, whole })
    }

    /// Where it was said as it is written.
    fn places_in(&self, said: &[(Range<usize>, Part)]) -> Vec<Range<usize>> {
        let length = self.words.len();
        let is_here = |run: &[(Range<usize>, Part)]| {
            run.iter().zip(&self.words).all(|((_, part), word)| part.text == word.text)
        };
        let runs = said.windows(length).enumerate().filter(|(_, run)| is_here(run));
        runs.map(|(at, _)| at..at + length).collect()
    }

    /// How many of a hundred sounds are others, where it may have been this one.
    fn far(&self, run: &[&Part], whole: &Part) -> Option<u32> {
        let apart = run.len().abs_diff(self.words.len());
        // A word may be heard as two, and two as one.
        if apart > 1 || whole.sounds.len() < FEWEST_SOUNDS {
            return None;
        }
        let most = if apart == 0 { ASKED } else { APART };
        let is_like = |(said, word): (&&Part, &Part)| {
            said.text == word.text || apart_of_a_hundred(&said.sounds, &word.sounds, PART).is_some()
        };
        if apart == 0 && !run.iter().zip(&self.words).all(is_like) {
            return None;
        }
        apart_of_a_hundred(&whole.sounds, &self.whole.sounds, most)
    }
}

impl Part {
    fn joined(parts: &[&Self]) -> Self {
        let text: String = parts.iter().map(|part| part.text.as_str()).collect();
        Self { sounds: sound::sounds(&text), text }
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The words of a text in small letters, and where each stands.
fn pieces(text: &str) -> Vec<(Range<usize>, Part)> {
    let parted = |c: char| !c.is_alphanumeric();
    let words = text.split(parted).filter(|word| !word.is_empty()).take(MOST_HEARD);
    let part = |word: &str| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        let lower = word.to_lowercase();
        (start..start + word.len(), Part { sounds: sound::sounds(&lower), text: lower })
    };
    words.map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keywords(list: &[&str]) -> Result<Keywords, BadKeyword> {
        Keywords::new(&list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    /// What was heard, and what it may have been.
    fn nearly<'a>(heard: &'a str, known: &'a Keywords) -> Option<(&'a str, Vec<&'a str>)> {
        known.nearly(heard).map(|nearly| (&heard[nearly.span.clone()], nearly.keywords))
    }

    #[test]
    fn a_keyword_that_was_written_otherwise_is_found_by_its_sound() {
        let known = keywords(&["Brightloom", "Okafor frames", "Paperlane", "Heron"]).unwrap();
        for (heard, words, keyword) in [
            ("any mail about bright loom?", "bright loom", "Brightloom"),
            ("any mail about Brite Loom today", "Brite Loom", "Brightloom"),
            ("find the Ocafor frames", "Ocafor frames", "Okafor frames"),
            ("what did paper lane send", "paper lane", "Paperlane"),
            ("mail about the herron launch", "herron", "Heron"),
        ] {
            assert_eq!(nearly(heard, &known), Some((words, vec![keyword])), "{heard}");
        }
        let sounds = |heard: &str| known.nearly(heard).map(|nearly| nearly.is_one_sound);
        assert_eq!(sounds("the bright loom review"), Some(true));
        assert_eq!(sounds("the bright room review"), Some(false));
    }

    #[test]
    fn what_is_said_as_it_is_written_or_is_another_word_is_nobodys_mishearing() {
        let known = keywords(&["Brightloom", "Okafor frames", "Heron"]).unwrap();
        for heard in [
            "any mail about Brightloom?",
            "the okafor frames",
            "the OKAFOR, frames",
            "what meetings do I have tomorrow",
            "a hiring review on Friday",
            "who runs the loom",
            "",
        ] {
            assert_eq!(nearly(heard, &known), None, "{heard}");
        }
        assert_eq!(nearly("bright loom", &Keywords::default()), None);
    }

    #[test]
    fn words_that_cannot_be_meant_are_left_alone() {
        let known = keywords(&["Brightloom", "Mailstrom"]).unwrap();
        let heard = "mail storm about bright loom";
        let among = |meant: &[&str]| {
            let nearly = known.nearly_among(heard, |word| meant.contains(&word));
            nearly.map(|nearly| nearly.keywords)
        };
        assert_eq!(among(&["bright", "loom"]), Some(vec!["Brightloom"]));
        assert_eq!(among(&["mail", "storm"]), Some(vec!["Mailstrom"]));
        assert_eq!(among(&["bright"]), None);
    }

    #[test]
    fn two_that_are_equally_near_are_both_named() {
        let known = keywords(&["Marlin", "Merlin"]).unwrap();
        let (heard, mut both) = nearly("mail about Murlin", &known).unwrap();
        both.sort_unstable();
        assert_eq!((heard, both), ("Murlin", vec!["Marlin", "Merlin"]));
    }

    #[test]
    fn a_list_that_cannot_help_is_refused_by_name() {
        assert_eq!(keywords(&["x"]).unwrap_err(), BadKeyword::TooShort("x".into()));
        assert_eq!(keywords(&[" "]).unwrap_err(), BadKeyword::TooShort(" ".into()));
        assert_eq!(keywords(&["42"]).unwrap_err(), BadKeyword::TooShort("42".into()));
        let long = "Okafor frames of the north";
        assert_eq!(keywords(&[long]).unwrap_err(), BadKeyword::TooLong(long.into()));
        let twice = keywords(&["Brightloom", "bright loom"]).unwrap_err();
        assert_eq!(twice, BadKeyword::Twice("bright loom".into()));
        let many = vec!["Brightloom".to_owned(); MOST + 1];
        assert_eq!(Keywords::new(&many).unwrap_err(), BadKeyword::TooMany(MOST + 1));
    }
}
