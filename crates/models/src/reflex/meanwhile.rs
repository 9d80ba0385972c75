//! Long work, reminders and timers: what is to go on while people talk on.
//!
//! Read before anything else, from the whole sentence: "remind me at five to reply to
//! Ana" wants a reminder and no reply.

mod ahead;
mod remind;
mod work;

use brain::plan::ProposedStep;
use brain::resolve::words::Word;
use jiff::Zoned;
use serde_json::{Value, json};

use super::refer::{Company, Referent};
use super::sentence::behind;
use super::{Lookup, Meaning, sentence, writes};
use crate::World;
use crate::gist::{Gist, Meanwhile};

/// What the sentence wants of it, if it does.
pub fn read(heard: &str, words: &[Word], world: &World) -> Option<Meaning> {
    if turned(heard, words, world).is_some() {
        return None;
    }
    let request = sentence::without_lead(words);
    // "Remind me at five to call Tom, and tell Ana I'm late": each is read by itself.
    if reminds(request) && writes::parts(request, heard, world).len() > 1 {
        return None;
    }
    if request.iter().any(|word| word.quoted) && !is_lead(request, &["remind", "me"]) {
        return None;
    }
    let texts: Vec<&str> = sentence::bare(words).iter().map(|word| word.text.as_str()).collect();
    remind::listed(&texts)
        .or_else(|| remind::dropped(heard, sentence::bare(words), world))
        .or_else(|| work::listed(&texts))
        .or_else(|| work::stopped(heard, sentence::bare(words)))
        .or_else(|| remind::timer(heard, sentence::bare(words), world))
        .or_else(|| remind::read(heard, request, world))
        .or_else(|| work::digest(sentence::bare(words), world))
        .or_else(|| work::summary(heard, sentence::bare(words), world))
}

/// "In ten minutes remind me to call Tom, and what's on Friday": said with the time
/// behind, where more than the reminder is wanted.
pub fn turned(heard: &str, words: &[Word], world: &World) -> Option<String> {
    let request = sentence::without_lead(words);
    let at = remind::behind_its_time(request, &world.local_now())?;
    let [first, .., last] = request else { return None };
    let when = heard[first.start..request[at - 1].end].trim();
    let rest = &heard[request.get(at + 2)?.start..last.end];
    let meant = format!("remind me {when} {rest}");
    let said = brain::resolve::words::words(&meant);
    (writes::parts(&said, &meant, world).len() > 1)
        .then(|| format!("{meant}{}", &heard[last.end..]))
}

/// Is a reminder asked for here?
pub fn reminds(request: &[Word]) -> bool {
    remind::is_asked(request)
}

/// "… and remind me on Thursday at five to print it", as one part of a sentence.
/// `booked` is what was put on the calendar before it, and when.
pub fn reminder(
    heard: &str,
    request: &[Word],
    booked: Option<(&str, Zoned)>,
    world: &World,
) -> Option<Meaning> {
    remind::beside(heard, request, booked, world)
}

/// "Call her", rung tomorrow, would be anybody: whoever the sentence spoke of is named.
pub fn with_names(mut meaning: Meaning, company: &Company<'_>) -> Meaning {
    let Meaning::Look(lookups) = &mut meaning else { return meaning };
    for step in lookups.iter_mut().flat_map(|lookup| &mut lookup.steps) {
        let Some(text) = step.args.get("text").and_then(Value::as_str) else { continue };
        let (rest, last) = text.rsplit_once(' ').unwrap_or(("", text));
        if !super::vocabulary::is_any(last, &["him", "her"]) || rest.is_empty() {
            continue;
        }
        if let Referent::One(whom) = company.of(last, &[]) {
            step.args["text"] = format!("{rest} {}", whom.name()).into();
        }
    }
    meaning
}

fn look(what: Meanwhile, args: Value, acknowledgement: &str) -> Meaning {
    let mut steps = vec![ProposedStep { tool: what.tool().to_owned(), args }];
    if what == Meanwhile::Running {
        // A timer runs too.
        let list = Meanwhile::Reminders.tool().to_owned();
        steps.push(ProposedStep { tool: list, args: json!({}) });
    }
    Meaning::Look(vec![Lookup {
        steps,
        gist: Gist::Meanwhile(what),
        acknowledgement: acknowledgement.to_owned(),
    }])
}

fn is_lead(words: &[Word], lead: &[&str]) -> bool {
    behind(words, lead).is_some()
}

/// These words as they were said, without marks at their ends.
fn said(heard: &str, words: &[&Word]) -> String {
    let mut text = String::new();
    let mut last_start = None;
    for word in words {
        // "I'm" is two words in one place.
        if last_start == Some(word.start) {
            continue;
        }
        last_start = Some(word.start);
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&heard[word.start..word.end]);
        if word.stop == Some(',') {
            text.push(',');
        }
    }
    text.trim_matches([',', '.', ' ']).to_owned()
}

#[cfg(test)]
#[path = "meanwhile_tests.rs"]
mod tests;
