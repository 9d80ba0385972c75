//! How the assistant speaks to its person: the names of their people, and its pace.
//!
//! None of these tools needs a yes. What they change is how sentences sound to the one
//! person who asked for it, nobody else ever hears of it, it is said back at once in the
//! changed way, and a sentence undoes it. So they are drafts (`ActionLevel::Draft`), like
//! a reminder. One thing could do harm, a question before a write that sounds like
//! another question; therefore only words of names can be told, and none can be made to
//! sound like the name of somebody else.

pub mod local;

use brain::facts::{LeftAsIs, SaidLike};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::args;
use crate::text::one_line;

const LONGEST_NAME: usize = 60;
const LONGEST_LIKE: usize = 80;
/// A name of one word may be said like so many.
const MOST_WORDS: usize = 4;

/// Slowest and fastest, in percent of the voice's own pace.
pub const SLOWEST: u16 = 50;
pub const FASTEST: u16 = 200;
const STEP: u16 = 15;
const USUAL: u16 = 100;

/// How a name is said.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pronounce {
    /// One or more words of a name of somebody the person knows, or of their own.
    #[schemars(length(min = 1, max = 60))]
    pub name: String,
    /// A spelling that sounds like it: "Chevonne" for Siobhan.
    #[schemars(length(min = 1, max = 80))]
    pub like: String,
}

impl Pronounce {
    pub fn read(args: &Value) -> Result<Self, String> {
        let Self { name, like }: Self = args::read(args)?;
        let told = Self {
            name: one_line(&name, LONGEST_NAME + 1),
            like: one_line(&like, LONGEST_LIKE + 1),
        };
        check(&told.name, "name", LONGEST_NAME)?;
        check(&told.like, "like", LONGEST_LIKE)?;
        Ok(told)
    }

    /// Word by word: "Siobhan Kelly" like "Chevonne Kelly" tells one word.
    pub(crate) fn words(&self) -> Result<Vec<SaidLike>, LeftAsIs> {
        let name: Vec<&str> = self.name.split(' ').collect();
        let like: Vec<&str> = self.like.split(' ').collect();
        let told = |word: &str, like: &str| SaidLike { word: word.into(), like: like.into() };
        match name.as_slice() {
            [word] if like.len() <= MOST_WORDS => Ok(vec![told(word, &self.like)]),
            _ if name.len() == like.len() => {
                let pairs = name.iter().zip(like).map(|(word, like)| told(word, like));
                let other = |one: &SaidLike| !one.word.eq_ignore_ascii_case(&one.like);
                let others: Vec<_> = pairs.filter(other).collect();
                if others.is_empty() { Err(LeftAsIs::Uneven) } else { Ok(others) }
            }
            _ => Err(LeftAsIs::Uneven),
        }
    }
}

fn check(text: &str, field: &str, longest: usize) -> Result<(), String> {
    let is_said = |c: char| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’' | '-' | '.');
    if text.chars().count() > longest || !text.chars().any(char::is_alphabetic) {
        return Err(format!("{field} is one to {longest} letters"));
    }
    if !text.chars().all(is_said) {
        return Err(format!("{field} is spelled in letters"));
    }
    Ok(())
}

/// Which of what was told.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// A name, or words of one; all there are, without any.
    #[serde(default)]
    #[schemars(length(max = 60))]
    pub name: Option<String>,
}

impl Which {
    pub fn read(args: &Value) -> Result<Self, String> {
        let Self { name }: Self = args::read(args)?;
        if let Some(name) = &name {
            check(name, "name", LONGEST_NAME)?;
        }
        Ok(Self { name })
    }

    pub(crate) fn words(&self) -> Option<Vec<String>> {
        self.name.as_ref().map(|name| name.split_whitespace().map(str::to_owned).collect())
    }
}

/// How fast to speak: one step, or to so many percent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPace {
    #[serde(default)]
    pub change: Option<Change>,
    /// Of the voice's own pace.
    #[serde(default)]
    #[schemars(range(min = 50, max = 200))]
    pub percent: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Slower,
    Faster,
    /// As it was before anybody said anything.
    Usual,
}

impl SetPace {
    pub fn read(args: &Value) -> Result<Self, String> {
        let pace: Self = args::read(args)?;
        match (pace.change, pace.percent) {
            (Some(_), None) => Ok(pace),
            (None, Some(percent)) if (SLOWEST..=FASTEST).contains(&percent) => Ok(pace),
            (None, Some(_)) => Err(format!("percent is between {SLOWEST} and {FASTEST}")),
            _ => Err("either change or percent says how fast".to_owned()),
        }
    }

    /// From how fast it was.
    pub(crate) fn after(&self, before: Option<u16>) -> Option<u16> {
        let now = before.unwrap_or(USUAL);
        match self.change {
            Some(Change::Slower) => Some(now.saturating_sub(STEP).max(SLOWEST)),
            Some(Change::Faster) => Some((now + STEP).min(FASTEST)),
            Some(Change::Usual) => None,
            None => self.percent,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_is_told_word_by_word() {
        let words = |name: &str, like: &str| {
            let told = Pronounce::read(&json!({ "name": name, "like": like })).unwrap();
            let said = |words: Vec<SaidLike>| {
                words.into_iter().map(|one| (one.word, one.like)).collect::<Vec<_>>()
            };
            told.words().map(said)
        };
        let pair = |word: &str, like: &str| vec![(word.to_owned(), like.to_owned())];
        assert_eq!(words("Siobhan", "Chevonne"), Ok(pair("Siobhan", "Chevonne")));
        assert_eq!(words("Nguyen", "n win"), Ok(pair("Nguyen", "n win")));
        assert_eq!(words("Siobhan Kelly", "Chevonne Kelly"), Ok(pair("Siobhan", "Chevonne")));
        assert_eq!(words("Siobhan Kelly", "Chevonne"), Err(LeftAsIs::Uneven));
        assert_eq!(words("Ana Ruiz", "ana ruiz"), Err(LeftAsIs::Uneven));
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        for (name, like) in [("", "x"), ("Siobhan", ""), ("Siobhan", "f00"), ("Si<b>", "x")] {
            assert!(
                Pronounce::read(&json!({ "name": name, "like": like })).is_err(),
                "{name} {like}"
            );
        }
        assert!(Pronounce::read(&json!({ "name": "x".repeat(61), "like": "x" })).is_err());
    }

    #[test]
    fn the_pace_goes_step_by_step_and_not_beyond_its_ends() {
        let slower = SetPace::read(&json!({ "change": "slower" })).unwrap();
        assert_eq!(slower.after(None), Some(85));
        assert_eq!(slower.after(Some(52)), Some(50));
        let faster = SetPace::read(&json!({ "change": "faster" })).unwrap();
        assert_eq!(faster.after(Some(195)), Some(200));
        assert_eq!(SetPace::read(&json!({ "change": "usual" })).unwrap().after(Some(70)), None);
        assert_eq!(SetPace::read(&json!({ "percent": 120 })).unwrap().after(Some(70)), Some(120));
        for bad in
            [json!({}), json!({ "percent": 20 }), json!({ "change": "slower", "percent": 90 })]
        {
            assert!(SetPace::read(&bad).is_err(), "{bad}");
        }
    }
}
