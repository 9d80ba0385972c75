//! What somebody takes back while they speak: "Thursday, no wait, Friday".
//!
//! The sentence is put together again as it was meant, and only then read. A
//! time takes the place of a time, a person of a person, a request of a
//! request. What fits none of these is left as it was said.

use std::ops::Range;

use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};

use super::follow::is_of_the_clock;
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::{sentence, writes};
use crate::World;

/// What comes before the better word.
const MARKS: &[&[&str]] = &[
    &["no", "wait", "sorry"],
    &["wait", "no", "sorry"],
    &["no", "wait"],
    &["wait", "no"],
    &["no", "sorry"],
    &["sorry", "no"],
    &["sorry", "i", "mean"],
    &["no", "i", "mean"],
    &["no", "i", "meant"],
    &["i", "mean"],
    &["i", "meant"],
    &["scratch", "that"],
    &["strike", "that"],
    &["or", "rather"],
    &["no", "actually"],
    &["actually", "no"],
    &["actually"],
    &["correction"],
    &["no"],
    &["sorry"],
];

/// What asks for a look-up and nothing else.
const LOOKS: &[&str] = &["show", "check", "read", "find", "list", "open", "what", "when"];

/// The sentence as it was meant, if something in it was taken back.
pub fn repaired(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (1..said.len()).rev().find_map(|at| {
        let used = MARKS.iter().find(|mark| begins(&said[at..], mark))?.len();
        let rest = said.get(at + used..).filter(|rest| !rest.is_empty())?;
        // A bare "no" or "sorry" needs to stand apart: "say sorry Tom".
        let stands_apart = said[at - 1].stop.is_some();
        let is_weak = used == 1 && is_any(&said[at].text, &["no", "sorry", "actually"]);
        let makes = begins(rest, &["make", "it"]) || begins(rest, &["make", "that"]);
        if is_weak && !stands_apart && !makes {
            return None;
        }
        let better = if makes { rest.get(2..).filter(|rest| !rest.is_empty())? } else { rest };
        let before = &said[..at];
        another_time(heard, before, better, makes, world)
            .or_else(|| another_person(heard, before, better, world))
            .or_else(|| {
                let is_dropped = is_any(&said[at].text, &["scratch", "strike"]);
                let is_apart = stands_apart || is_dropped;
                another_request(heard, before, rest, world).filter(|_| is_apart)
            })
    })
}

fn begins(said: &[Word], mark: &[&str]) -> bool {
    said.len() >= mark.len()
        && said.iter().zip(mark).all(|(word, text)| word.is(text) && !word.quoted)
}

/// "Thursday, no wait, Friday at noon": what the new words name, the old ones
/// no longer do.
fn another_time(
    heard: &str,
    before: &[Word],
    better: &[Word],
    makes: bool,
    world: &World,
) -> Option<String> {
    let now = world.local_now();
    let find = |words: &[Word]| time::find(words, &now, Lean::Ahead).map(|when| when.words);
    // "Make it 4": an hour, where anything else would be odd.
    let at_hour = words(&format!("at {}", &heard[better[0].start..better[0].end]));
    let bare = makes && find(better).is_none_or(|places| places[0] != 0);
    let new = if bare { find(&at_hour).map(|_| 1)? } else { run(&find(better)?)? };
    let old = find(before)?;
    let clock = |word: &Word| is_of_the_clock(&word.text);
    let names_hour = bare || better[..new].iter().any(clock);
    let names_day = !bare && !better[..new].iter().all(clock);
    let gone: Vec<usize> = old
        .iter()
        .copied()
        .filter(|&at| if clock(&before[at]) { names_hour } else { names_day })
        .collect();
    let (&first, &last) = (gone.first()?, gone.last()?);
    let lead = if bare { "at " } else { "" };
    let new_words = format!("{lead}{}", text(heard, &better[..new]));
    // "Thursday works, no wait, Friday works" is said again to its end.
    let tail: Vec<&str> = before[last + 1..].iter().map(|word| word.text.as_str()).collect();
    let again = better.len() >= new + tail.len()
        && tail.iter().zip(&better[new..]).all(|(old, new)| new.is(old));
    let kept = (first..=last).filter(|at| !gone.contains(at));
    let kept = kept.map(|at| text(heard, &before[at..=at])).collect::<Vec<_>>().join(" ");
    let end = heard[better[new - 1].end..].to_owned();
    let head = text(heard, &before[..first]);
    let tail = if again { String::new() } else { text(heard, &before[last + 1..]) };
    let joined = [head.as_str(), &kept, &new_words, &tail];
    let joined: Vec<&str> = joined.into_iter().filter(|part| !part.is_empty()).collect();
    Some(format!("{}{end}", joined.join(" ")))
}

/// How many words from the first on say when.
fn run(places: &[usize]) -> Option<usize> {
    let used = places.iter().zip(0..).take_while(|(place, at)| *place == at).count();
    (used > 0).then_some(used)
}

/// "With Tom, no sorry, with Ana"
fn another_person(heard: &str, before: &[Word], better: &[Word], world: &World) -> Option<String> {
    let links = ["with", "to", "for"];
    let link = usize::from(is_any(&better[0].text, &links));
    let known = |words: &[Word], at| match whom::at(words, at, heard, world) {
        Some((Whom::Known { .. } | Whom::Address(_) | Whom::OneOf(_), used)) => Some(used),
        _ => None,
    };
    let used = known(better, link)?;
    let (at, old) = (0..before.len()).rev().find_map(|at| Some((at, known(before, at)?)))?;
    let head = text(heard, &before[..at]);
    let tail = text(heard, &before[at + old..]);
    let name = text(heard, &better[link..link + used]);
    let rest = heard[better[link + used - 1].end..].to_owned();
    let joined = [head.as_str(), &name, &tail];
    let joined: Vec<&str> = joined.into_iter().filter(|part| !part.is_empty()).collect();
    Some(format!("{}{rest}", joined.join(" ")))
}

/// "Email Tom, no sorry, email Ana that I'm late": only the last one counts.
fn another_request(heard: &str, before: &[Word], rest: &[Word], world: &World) -> Option<String> {
    let asks = |words: &[Word]| {
        let request = sentence::bare(words);
        writes::read(request).is_some()
            || request.first().is_some_and(|first| is_any(&first.text, LOOKS))
    };
    if !asks(rest) || rest.len() < 2 {
        return None;
    }
    let parts = writes::parts(before, heard, world);
    let last: Range<usize> = parts
        .last()
        .filter(|part| asks(part.words))
        .map(|part| part.words[0].start..part.words[part.words.len() - 1].end)?;
    let kept = heard[..last.start].trim_end();
    Some(format!("{kept} {}", &heard[rest[0].start..]).trim_start().to_owned())
}

/// As it was written, without the mark behind it.
fn text(heard: &str, words: &[Word]) -> String {
    match words {
        [first, .., last] => heard[first.start..last.end].to_owned(),
        [only] => heard[only.start..only.end].to_owned(),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> String {
        let world = corpus::world();
        repaired(heard, &words(heard), &world).unwrap_or_else(|| "as it was".to_owned())
    }

    #[test]
    fn the_better_words_take_the_place_of_those_like_them() {
        let cases = [
            (
                "schedule lunch with Tom Thursday no wait Friday at noon",
                "schedule lunch with Tom Friday at noon",
            ),
            (
                "book a call with jonas tomorrow at 3, actually make it 4",
                "book a call with jonas tomorrow at 4",
            ),
            (
                "book a call with jonas tomorrow at 3, no wait, wednesday",
                "book a call with jonas wednesday at 3",
            ),
            (
                "reply to priya that thursday works, no wait, friday works",
                "reply to priya that friday works",
            ),
            ("tell ana the demo is thursday, i mean friday", "tell ana the demo is friday"),
            (
                "set up a meeting with tom, no sorry, with ana on friday at 2",
                "set up a meeting with ana on friday at 2",
            ),
            ("email tom, no sorry, email ana that i'm late", "email ana that i'm late"),
            (
                "what's on friday and email tom, scratch that, email ana that i'm late",
                "what's on friday and email ana that i'm late",
            ),
            ("mail from tom, sorry, ana", "mail from ana"),
        ];
        for (heard, expected) in cases {
            assert_eq!(meant(heard), expected, "{heard}");
        }
    }

    #[test]
    fn words_that_only_sound_like_it_are_left_alone() {
        for heard in [
            "tell tom no wait is needed",
            "tell tom i mean it",
            "reply that i meant no harm",
            "say sorry to tom",
            "tell ana i'm sorry, tom is ill",
            "tell tom \"no wait, friday\"",
            "is there actually a meeting on friday",
            "no",
            "email ana that there is no friday train",
        ] {
            assert_eq!(meant(heard), "as it was", "{heard}");
        }
    }
}
