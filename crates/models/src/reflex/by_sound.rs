//! A name that was spoken and that nobody has, where somebody's sounds like it.
//!
//! "My one on one with Donna" looks for Donna on the calendar, and "remind me to call in grid"
//! notes that. Ears know no names, so it is asked who was meant; nobody is taken for somebody
//! else, and what was heard can be kept.

use brain::resolve::people;
use brain::resolve::words::{Word, words};

use super::vocabulary::is_any;
use super::who::may_be_name;
use super::{Question, TOLD};
use crate::focus::Unclear;
use crate::gist::Gist;
use crate::{Understanding, World};

/// Whom one calls stands behind these, in what one is reminded of.
const REACHES: &[&str] =
    &["call", "phone", "ring", "text", "mail", "email", "message", "meet", "visit", "ask"];

/// The question, where there is one; else what was understood.
pub fn asked(understood: Understanding, heard: &str, world: &World) -> Understanding {
    let is_open = understood.question.is_some() || !world.focus.is_spoken;
    if is_open {
        return understood;
    }
    question(&understood, heard, world).map_or(understood, |question| question.asked(heard))
}

fn question(understood: &Understanding, heard: &str, world: &World) -> Option<Question> {
    let said = words(heard);
    let reminds = |at: usize| {
        let steps = &understood.proposal.steps;
        let mut texts = steps.iter().filter_map(|step| step.args["text"].as_str());
        is_any(&said[at].text, REACHES)
            && at > 0
            && is_any(&said[at - 1].text, &["to", "and"])
            && texts.any(|text| text.to_lowercase().contains(said[at].text.as_str()))
    };
    let searches = matches!(understood.gist, Gist::Agenda(_));
    (0..said.len()).find_map(|at| {
        let leads = searches && said[at].is("with") || reminds(at);
        (leads && !said[at].quoted && said[at].stop.is_none())
            .then(|| misheard(&said[at + 1..], heard, world))?
    })
}

/// Whose name one or two words may be, and which of them.
fn misheard(behind: &[Word], heard: &str, world: &World) -> Option<Question> {
    let first = behind.first().filter(|word| !word.quoted)?;
    let known = |name: &str| !people::known(name, &world.contacts).is_empty();
    if known(&first.text) {
        return None;
    }
    let pair = match behind {
        [first, second, ..] if first.stop.is_none() && !second.quoted => Some(second),
        _ => None,
    };
    if pair.is_some_and(|second| known(&format!("{} {}", first.text, second.text))) {
        return None;
    }
    // "Call in grid": two words, and one name.
    let joined = pair.and_then(|second| {
        let name = format!("{}{}", first.text, second.text);
        let found = people::known(&name, &world.contacts);
        let names: Vec<String> = found.iter().map(|one| one.contact.name.clone()).collect();
        (!names.is_empty()).then_some((names, second.end))
    });
    let alone = || {
        let is_name = may_be_name(&first.text) && !first.text.ends_with("'s");
        // Ears write a name like one; "call home" is no Tom.
        let written = heard[first.start..].starts_with(char::is_uppercase);
        let like = if written { people::sounding } else { people::nearly };
        let alike = is_name.then(|| like(&first.text, &world.contacts))?;
        let names: Vec<String> = alike.iter().map(|contact| contact.name.clone()).collect();
        (!names.is_empty()).then_some((names, first.end))
    };
    let (names, end) = joined.or_else(alone)?;
    let span = first.start..end;
    let as_heard = &heard[span.clone()];
    let mut choices: Vec<(String, String)> =
        names.into_iter().take(TOLD - 1).map(|name| (name.clone(), name)).collect();
    // What stands in quotes is taken as it stands.
    choices.push((format!("“{as_heard}”"), format!("“{as_heard}”")));
    let lead = Some(format!("I heard “{as_heard}”. Did you mean"));
    Some(Question { about: Unclear::Person, lead, span, choices })
}

#[cfg(test)]
mod tests {
    use crate::{World, corpus, reflex};

    fn spoken() -> World {
        let mut world = corpus::world();
        world.focus.is_spoken = true;
        world
    }

    fn asked(heard: &str) -> Option<String> {
        reflex::read(heard, &spoken()).question
    }

    #[test]
    fn a_spoken_name_that_sounds_like_somebodys_is_asked_about() {
        for (heard, question) in [
            (
                "When is my one on one with Leena?",
                "I heard “Leena”. Did you mean Lena Fischer or “Leena”?",
            ),
            (
                "Remind me to call in grid tomorrow at nine.",
                "I heard “in grid”. Did you mean Ingrid Lindqvist or “in grid”?",
            ),
        ] {
            assert_eq!(asked(heard).as_deref(), Some(question), "{heard}");
            assert_eq!(reflex::read(heard, &corpus::world()).question, None, "typed");
            let world = spoken();
            let choices = reflex::read(heard, &world).choices;
            for choice in &choices {
                let chosen = reflex::chosen(choice, &world);
                assert_eq!(chosen.question, None, "{}", choice.sentence);
                assert!(!chosen.proposal.steps.is_empty(), "{}", choice.sentence);
            }
        }
    }

    #[test]
    fn nobody_is_asked_about_where_nobody_is_called_so() {
        for heard in [
            "Remind me to call in sick tomorrow at seven.",
            "Remind me to call the bank tomorrow at nine.",
            "Remind me to call home at five.",
            "Remind me to call back the plumber at five.",
            "Remind me to mail the letter at noon.",
            "Remind me to ring the bell at noon.",
            "Remind me to meet the plumber at noon.",
            "Remind me to text him at five.",
            "Remind me to call Tom at five.",
            "Remind me to email everyone at five.",
            "Remind me to call Ingrid at five.",
            "When is my one on one with Tom?",
            "When do I meet with the team?",
        ] {
            assert_eq!(asked(heard), None, "{heard}");
        }
    }
}
