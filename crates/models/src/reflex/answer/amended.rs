//! A yes that changes something: "did you mean Omar?" – "yes, and make it one".
//!
//! The name is put in first, and the change is made to the request that comes of it.
//! What cannot be changed so is said to be missed, and the card is shown as it is.

use brain::plan::ProposedStep;
use brain::resolve::words::{Word, words};
use serde_json::{Map, Value};

use crate::focus::Choice;
use crate::gist::{Chat, Gist};
use crate::reflex::consent::{self, Consent};
use crate::reflex::vocabulary::is_any;
use crate::reflex::{self, awaited, chat, merged, repair};
use crate::{Understanding, World};

const YES: &[&str] = &["yes", "yeah", "yep", "yup", "sure", "right", "correct", "exactly"];
const LINKS: &[&str] = &["and", "but", "also", "then", "only", "just", "though", "please", "oh"];
const CHANGES: &[&[&str]] = &[
    &["change", "it", "to"],
    &["change", "that", "to"],
    &["change", "the", "time", "to"],
    &["make", "the", "time"],
    &["move", "it", "to"],
    &["put", "it"],
    &["set", "it", "to"],
];
/// What these say may be different afterwards; the words that were dictated may not.
const WORDS: &[&str] = &["title", "subject", "body", "intent"];

/// The request with the name in it and the change made, if this is such a yes.
pub fn read(answer: &[Word], only: &Choice, world: &World) -> Option<Understanding> {
    let [yes, behind @ ..] = answer else { return None };
    let asks = answer.last()?.stop == Some('?') || answer.iter().any(|word| word.quoted);
    if !is_any(&yes.text, YES) || asks {
        return None;
    }
    let named: Vec<String> = words(&only.name).into_iter().map(|word| word.text).collect();
    let is_name = |word: &Word| {
        named.contains(&word.text) || is_any(&word.text, &["him", "her", "them", "he", "she"])
    };
    let skipped = |word: &&Word| is_any(&word.text, LINKS) || is_name(word);
    let lead = behind.iter().take_while(skipped).count();
    let (lead, rest) = behind.split_at(lead);
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    if texts.is_empty() || refuses(&texts) {
        return None;
    }
    let said = texts.join(" ");
    let plain = reflex::read(&only.sentence, world);
    if let Some(changed) = another_time(&texts, only, &plain, world) {
        return Some(changed);
    }
    let is_linked = lead.iter().any(|word| is_any(&word.text, &["and", "but", "also", "then"]));
    if !is_linked {
        return None;
    }
    let consents = matches!(chat::read(rest), Some(Chat::Yes | Chat::Okay | Chat::Thanks))
        || consent::read(&said) == Consent::Accept;
    if consents {
        return Some(plain);
    }
    if let Some(changed) = somebody_more(&said, only, &plain, world) {
        return Some(changed);
    }
    let other = reflex::read(&said, world);
    let is_request = !other.proposal.steps.is_empty() && other.rest.is_none();
    if is_request && other.question.is_none() && plain.question.is_none() {
        return Some(merged(vec![plain, other]));
    }
    let missed = Gist::Chat(Chat::Missed(format!("“{said}”")));
    Some(Understanding { gist: Gist::Several(vec![plain.gist.clone(), missed]), ..plain })
}

/// "But not him", "and maybe later": that is no yes.
fn refuses(texts: &[&str]) -> bool {
    const TURNS: &[&str] = &[
        "not", "without", "rather", "if", "until", "except", "though", "however", "leave", "skip",
    ];
    texts.iter().any(|text| is_any(text, TURNS)) || consent::breaks_off(texts)
}

/// "Make it one", "change it to four": the time in the request is another one.
fn another_time(
    texts: &[&str],
    only: &Choice,
    plain: &Understanding,
    world: &World,
) -> Option<Understanding> {
    let rest = CHANGES.iter().find_map(|change| texts.strip_prefix(*change)).unwrap_or(texts);
    let said = rest.join(" ");
    let when = awaited::time_in(&said, &words(&said), world)?;
    let better = format!("{}, no wait, {when}", without_end(&only.sentence));
    let meant = repair::repaired(&better, &words(&better), world)?;
    let changed = reflex::read(&meant, world);
    let is_changed = changed.proposal.steps != plain.proposal.steps;
    (is_changed && is_alike(&changed, plain)).then_some(changed)
}

/// "And invite Ana", "and copy Tom": what was dictated stays as it is.
fn somebody_more(
    said: &str,
    only: &Choice,
    plain: &Understanding,
    world: &World,
) -> Option<Understanding> {
    let changed = reflex::read(&format!("{}, and {said}", without_end(&only.sentence)), world);
    let steps = || changed.proposal.steps.iter().zip(&plain.proposal.steps);
    let is_changed = changed.proposal.steps != plain.proposal.steps;
    let says_the_same = steps().all(|(new, old)| words_of(new) == words_of(old));
    (is_changed && says_the_same && is_alike(&changed, plain)).then_some(changed)
}

/// The same tools, nothing asked and nothing missed.
fn is_alike(changed: &Understanding, plain: &Understanding) -> bool {
    let tools = |read: &Understanding| -> Vec<String> {
        read.proposal.steps.iter().map(|step| step.tool.clone()).collect()
    };
    let misses = matches!(&changed.gist, Gist::Several(parts) if parts.iter().any(|part| {
        matches!(part, Gist::Chat(_))
    }));
    tools(changed) == tools(plain) && changed.question.is_none() && !misses
}

fn words_of(step: &ProposedStep) -> Map<String, Value> {
    let Value::Object(args) = &step.args else { return Map::new() };
    args.iter()
        .filter(|(key, _)| WORDS.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn without_end(sentence: &str) -> &str {
    sentence.trim_end_matches(['.', '!', '?', ' '])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::Understanding;
    use crate::corpus;
    use crate::reflex;

    fn after(first: &str, then: &str) -> Understanding {
        let mut world = corpus::world();
        world.focus.wait_for_answer(&reflex::read(first, &world));
        assert_eq!(world.focus.asked.len(), 1, "{first}: {:?}", world.focus.asked);
        reflex::read(then, &world)
    }

    #[test]
    fn a_yes_to_a_name_with_another_time_changes_the_time() {
        for (then, start) in [
            ("yes", "2026-11-19T12:00"),
            ("Yes, and make it one", "2026-11-19T13:00"),
            ("Yes, but change it to four.", "2026-11-19T16:00"),
            ("yes but on Friday", "2026-11-20T12:00"),
            ("yes, him, at one", "2026-11-19T13:00"),
        ] {
            let read = after("Put lunch with Yuko on Thursday at noon", then);
            let step = read.proposal.steps.first().unwrap_or_else(|| panic!("{then}: {read:?}"));
            assert_eq!(
                step.args["start"],
                json!(format!("{start}:00-08:00[America/Los_Angeles]")),
                "{then}"
            );
        }
    }
}
