//! How we speak, in words: what was learnt of names, and how fast it goes from now on.

use brain::facts::{LeftAsIs, Paced, Pronounced, SaidLike};

use super::brought;
use super::spelling::list;
use crate::Done;
use crate::gist::AboutVoice;

/// So many are told one by one.
const TOLD: usize = 3;
const USUAL: u16 = 100;

pub fn tell(what: AboutVoice, done: &mut &[Done]) -> String {
    match what {
        AboutVoice::Pronounce => match brought::<Pronounced>(done, what.tool()) {
            Ok(told) => learnt(&told),
            Err(problem) => problem.told("how names are said"),
        },
        AboutVoice::List => match brought::<Pronounced>(done, what.tool()) {
            Ok(told) => known(&told.names),
            Err(problem) => problem.told("how names are said"),
        },
        AboutVoice::Forget => match brought::<Pronounced>(done, what.tool()) {
            Ok(told) => forgotten(&told.names),
            Err(problem) => problem.told("how names are said"),
        },
        AboutVoice::Pace => match brought::<Paced>(done, what.tool()) {
            Ok(paced) => pace(&paced).to_owned(),
            Err(problem) => problem.told("how fast I speak"),
        },
    }
}

fn learnt(told: &Pronounced) -> String {
    match told.left {
        Some(LeftAsIs::Nobody) => nobody(&told.names),
        Some(LeftAsIs::SomebodyElse) => {
            "That sounds like somebody else you know, so I left it as it was.".to_owned()
        }
        Some(LeftAsIs::Uneven) => {
            "One name at a time, please: “Siobhan is pronounced Chevonne”.".to_owned()
        }
        None => format!("{}, from now on.", list(&likes(&told.names), 0)),
    }
}

/// Only the names of somebody can be told, or any word could be made to sound like another.
fn nobody(asked: &[SaidLike]) -> String {
    match asked {
        [one, ..] => format!(
            "I don't know {} {}. Tell me again once they're in your contacts.",
            article(&one.word),
            one.word
        ),
        [] => "Nobody you know is called that, so I left it. I learn the names of your contacts."
            .to_owned(),
    }
}

fn article(word: &str) -> &'static str {
    if word.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn known(names: &[SaidLike]) -> String {
    if names.is_empty() {
        return "As it's written. Tell me, for example: “Siobhan is pronounced Chevonne”."
            .to_owned();
    }
    let told = likes(&names[..names.len().min(TOLD)]);
    format!("I say {}.", list(&told, names.len() - told.len()))
}

fn forgotten(names: &[SaidLike]) -> String {
    let words: Vec<String> = names.iter().take(TOLD).map(|one| one.word.clone()).collect();
    match names {
        [] => "I say it as it's written already.".to_owned(),
        [one] => format!("{}, as it's written.", one.word),
        _ => format!("{}, as they are written.", list(&words, names.len() - words.len())),
    }
}

/// "Siobhan like “Chevonne”"
fn likes(names: &[SaidLike]) -> Vec<String> {
    names.iter().map(|one| format!("{} like “{}”", one.word, one.like)).collect()
}

fn pace(paced: &Paced) -> &'static str {
    let before = paced.before.unwrap_or(USUAL);
    match paced.percent {
        None => "My usual pace again.",
        Some(percent) if percent < before => "Slower, like this.",
        Some(percent) if percent > before => "Faster, like this.",
        Some(percent) if percent < USUAL => "That's as slow as I go.",
        Some(_) => "That's as fast as I go.",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(what: AboutVoice, result: serde_json::Value) -> String {
        let done = [Done { tool: what.tool().to_owned(), result: Ok(result) }];
        tell(what, &mut &done[..])
    }

    #[test]
    fn what_was_learnt_is_said_back() {
        let names = json!({ "names": [{ "word": "Siobhan", "like": "Chevonne" }] });
        let said = told(AboutVoice::Pronounce, names.clone());
        assert_eq!(said, "Siobhan like “Chevonne”, from now on.");
        assert_eq!(told(AboutVoice::List, names.clone()), "I say Siobhan like “Chevonne”.");
        assert_eq!(told(AboutVoice::Forget, names), "Siobhan, as it's written.");
        let nobody = json!({ "names": [{ "word": "Nguyen", "like": "win" }], "left": "nobody" });
        assert_eq!(
            told(AboutVoice::Pronounce, nobody),
            "I don't know a Nguyen. Tell me again once they're in your contacts."
        );
        let left = json!({ "names": [], "left": "somebody_else" });
        assert!(told(AboutVoice::Pronounce, left).contains("left it"));
        for (before, percent, said) in [
            (None, Some(85), "Slower, like this."),
            (Some(50), Some(50), "That's as slow as I go."),
            (Some(85), None, "My usual pace again."),
        ] {
            let paced = json!({ "percent": percent, "before": before });
            assert_eq!(told(AboutVoice::Pace, paced), said);
        }
    }
}
