//! Which of several people is meant: asked once, however many names are open.

use std::ops::Range;

use super::{Meaning, Question, refer};
use crate::World;
use crate::focus::{Choice, Unclear};

/// As many as have a key of their own.
const MOST: usize = 9;

/// A name that several people have, and where it stands in the sentence.
pub struct Open<'a> {
    pub names: &'a [String],
    pub span: Range<usize>,
}

/// The question for all of them; none where nothing is open.
pub fn asked(open: &[Open<'_>], heard: &str, world: &World) -> Option<Meaning> {
    let (first, others) = open.split_first()?;
    let groups: Vec<_> = open.iter().map(|one| called(one.names, world)).collect();
    let all = groups.iter().map(Vec::len).product::<usize>();
    if others.is_empty() || all > MOST {
        return Some(Meaning::Ask(Question {
            about: Unclear::Recipient,
            lead: None,
            span: first.span.clone(),
            choices: called(first.names, world),
        }));
    }
    let listed = |group: &Vec<(String, String)>| {
        group.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>().join(" or ")
    };
    let question = groups.iter().map(listed).collect::<Vec<_>>().join(", and ");
    let choices = (0..all).map(|nth| {
        let picked = picked(&groups, nth);
        let name = picked.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>();
        let mut sentence = heard.to_owned();
        // From the back, so that the places before stay where they are.
        for (one, (_, clear)) in open.iter().zip(&picked).rev() {
            sentence.replace_range(one.span.clone(), clear);
        }
        Choice::new(Unclear::Recipient, name.join(" and "), sentence)
    });
    let choices = choices.collect();
    Some(Meaning::Choose { question: format!("{question}?"), choices, awaited: None })
}

/// The n-th way to pick one of each.
fn picked(groups: &[Vec<(String, String)>], nth: usize) -> Vec<&(String, String)> {
    let mut left = nth;
    let mut picked: Vec<_> = groups
        .iter()
        .rev()
        .map(|group| {
            let one = &group[left % group.len()];
            left /= group.len();
            one
        })
        .collect();
    picked.reverse();
    picked
}

/// What each is called, and what would have been clear: the name, unless two
/// have the same.
fn called(names: &[String], world: &World) -> Vec<(String, String)> {
    let mut distinct: Vec<&String> = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    let both = |name: &String| {
        let same: Vec<_> = world.contacts.iter().filter(|one| one.name == *name).collect();
        if same.len() < 2 {
            return vec![(name.clone(), name.clone())];
        }
        same.iter()
            .map(|one| {
                let clear = refer::spelled(name, &one.address, world);
                (format!("{name} at {}", one.address), clear)
            })
            .collect()
    };
    distinct.into_iter().flat_map(both).collect()
}

/// What tells the people of these choices apart, for a screen.
pub fn add_details(choices: &mut [Choice], world: &World) {
    for choice in choices {
        let mut same = world.contacts.iter().filter(|one| one.name == choice.name);
        choice.detail =
            same.next().filter(|_| same.next().is_none()).map(|one| one.address.clone());
    }
}

#[cfg(test)]
mod tests {
    use brain::resolve::people::Contact;
    use serde_json::json;

    use crate::{corpus, reflex};

    fn world(extra: &[(&str, &str)]) -> crate::World {
        let mut world = corpus::world();
        let mut all: Vec<Contact> = world.contacts.iter().cloned().collect();
        for (name, address) in extra {
            all.push(serde_json::from_value(json!({"name": name, "address": address})).unwrap());
        }
        world.contacts = all.into();
        world
    }

    #[test]
    fn two_open_names_are_one_question() {
        let mut world = world(&[("Priya Shah", "priya@shahledger.example")]);
        let asked = reflex::read("tell sam and priya i'm late", &world);
        assert_eq!(
            asked.question.as_deref(),
            Some("Sam Whitfield or Sam Adeyemi, and Priya Nair or Priya Shah?")
        );
        assert_eq!(asked.choices.len(), 4);
        world.focus.wait_for_answer(&asked);

        let both = ["sam@adeyemi-electric.example", "priya.nair@brightloom.example"];
        for answer in ["Adeyemi and Nair", "3", "sam adeyemi and priya nair"] {
            let read = reflex::read(answer, &world);
            assert_eq!(read.proposal.steps[0].args["to"], json!(both), "{answer}");
        }
        let half = reflex::read("Adeyemi", &world);
        assert_eq!(half.question.as_deref(), Some("Priya Nair or Priya Shah?"));
        world.focus.wait_for_answer(&half);
        let read = reflex::read("Nair", &world);
        assert_eq!(read.proposal.steps[0].args["to"], json!(both));
    }

    #[test]
    fn the_first_of_two_questions_picks_nobody() {
        let mut world = world(&[("Priya Shah", "priya@shahledger.example")]);
        world.focus.wait_for_answer(&reflex::read("tell sam and priya i'm late", &world));
        let read = reflex::read("the first", &world);
        assert!(read.proposal.steps.is_empty() && read.question.is_some(), "{read:?}");
    }

    #[test]
    fn two_of_the_same_name_are_told_apart_by_address() {
        let twins = [("Alex Kim", "alex@kimfarm.example"), ("Alex Kim", "alex.kim@halden.example")];
        let mut world = world(&twins);
        let asked = reflex::read("tell alex i'm late", &world);
        assert_eq!(
            asked.question.as_deref(),
            Some("Alex Kim at alex@kimfarm.example or Alex Kim at alex.kim@halden.example?")
        );
        world.focus.wait_for_answer(&asked);
        let read = reflex::read("the second one", &world);
        assert_eq!(read.proposal.steps[0].args["to"], json!(["alex.kim@halden.example"]));
    }

    #[test]
    fn a_choice_says_where_they_are_written_to() {
        let asked = reflex::read("tell sam i'm late", &corpus::world());
        let details: Vec<_> = asked.choices.iter().map(|one| one.detail.as_deref()).collect();
        let whitfield = Some("sam.whitfield@brightloom.example");
        assert_eq!(details, [whitfield, Some("sam@adeyemi-electric.example")]);
    }
}
