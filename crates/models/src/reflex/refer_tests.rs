use brain::facts::Letter;
use brain::resolve::people::Pronouns;
use serde_json::json;

use super::*;
use crate::{Done, corpus, reflex};

fn letter(id: &str, name: &str, address: &str) -> Letter {
    serde_json::from_value(json!({
        "message_id": id, "thread_id": id, "from": {"name": name, "address": address},
        "to": [], "subject": "Samples", "snippet": "", "sent_at": "2026-11-14T10:00:00Z",
        "unread": true, "labels": [],
    }))
    .unwrap()
}

/// Mail from Tom, Ana, Priya and a shop lies there; Ana and Priya are "she".
fn world() -> World {
    let mut world = corpus::world();
    let mut contacts = world.contacts.to_vec();
    for contact in &mut contacts {
        contact.pronouns = match contact.short() {
            "Ana" | "Priya" => Some(Pronouns::She),
            "Tom" => Some(Pronouns::He),
            _ => None,
        };
    }
    world.contacts = contacts.into();
    let letters = [
        letter("m1", "Tom Okafor", "tom.okafor@brightloom.example"),
        letter("m2", "Ana Ruiz", "ana.ruiz@brightloom.example"),
        letter("m3", "Priya Nair", "priya.nair@brightloom.example"),
        letter("m4", "Quickpost", "parcels@quickpost.example"),
    ];
    let found = json!({ "messages": letters, "total": 4 });
    world.focus.note(&[Done { tool: "gmail.search".into(), result: Ok(found) }]);
    world
}

#[test]
fn only_one_who_fits_is_taken() {
    let read = reflex::read("reply to him that i agree", &world());
    assert_eq!(read.question, None);
    assert_eq!(read.proposal.steps[0].args["message_id"], "m1");
}

#[test]
fn several_who_fit_are_a_question_with_a_sentence_for_each() {
    let read = reflex::read("reply to her that i agree", &world());
    assert_eq!(read.question.as_deref(), Some("Who is “her”: Ana Ruiz or Priya Nair?"));
    assert!(read.proposal.steps.is_empty());
    let sentences: Vec<_> = read.choices.iter().map(|choice| choice.sentence.as_str()).collect();
    assert_eq!(sentences, ["reply to Ana Ruiz that i agree", "reply to Priya Nair that i agree"]);
    assert_eq!(read.proposal.ambiguity["recipient_candidates"], json!(["Ana Ruiz", "Priya Nair"]));
}

#[test]
fn whoever_is_named_in_the_sentence_comes_first() {
    let read = reflex::read("did lena write? tell her i'm late", &world());
    assert_eq!(read.question, None);
    let sent = read.proposal.steps.iter().find(|step| step.tool == "gmail.send").unwrap();
    assert_eq!(sent.args["to"], json!(["lena.fischer@brightloom.example"]));
}

#[test]
fn her_is_nobody_who_stands_beside_her() {
    let read = reflex::read("book lunch with her and ana on friday at noon", &world());
    let attendees = &read.proposal.steps[0].args["attendees"];
    assert_eq!(*attendees, json!(["priya.nair@brightloom.example", "ana.ruiz@brightloom.example"]));
}

#[test]
fn the_same_word_means_the_same_person_twice() {
    let sentence = "tell him friday works and book lunch with him on friday at noon";
    let read = reflex::read(sentence, &world());
    let event = read.proposal.steps.last().unwrap();
    assert_eq!(event.args["attendees"], json!(["tom.okafor@brightloom.example"]));
}

#[test]
fn mail_that_is_not_looked_through_yet_is_looked_through_first() {
    let mut world = world();
    world.focus = crate::Focus::default();
    let read =
        reflex::read("check my mail, reply to him that i agree and what's on friday", &world);
    let tools: Vec<_> = read.proposal.steps.iter().map(|step| step.tool.as_str()).collect();
    assert_eq!(tools, ["gmail.search"]);
    assert_eq!(read.proposal.missing_fields, ["recipient_email"]);
    assert_eq!(read.rest.as_deref(), Some("reply to him that i agree and what's on friday"));
}

#[test]
fn nobody_at_all_is_asked_for() {
    let mut world = world();
    world.focus = crate::Focus::default();
    let read = reflex::read("reply to him that i agree", &world);
    assert_eq!(read.question.as_deref(), Some("Who do you mean by “him”?"));
    world.focus.learn(Some(&read), &[]);
    let answered = reflex::read("tom", &world);
    assert_eq!(answered.proposal.steps[0].args["query"], "from:tom.okafor@brightloom.example");
}

#[test]
fn whoever_was_just_named_and_is_not_known_is_asked_for_and_nobody_else_is_taken() {
    let sentence = "book lunch with Zoltan on friday at 1 and tell him i'll pay";
    let read = reflex::read(sentence, &world());
    assert_eq!(read.question.as_deref(), Some("Who do you mean by “him”?"));
}

#[test]
fn two_of_one_name_are_asked_about_when_a_pronoun_points_at_them() {
    let read = reflex::read("did sam write? tell him i'm late", &world());
    let candidates = &read.proposal.ambiguity["recipient_candidates"];
    assert_eq!(*candidates, json!(["Sam Whitfield", "Sam Adeyemi"]));
}

#[test]
fn somebody_who_is_spoken_of_in_the_message_is_not_the_one_it_is_for() {
    let mut world = world();
    world.focus = crate::Focus::default();
    let first = reflex::read("check my mail and tell him jonas will call back", &world);
    world.focus.learn(Some(&first), &[]);
    let read = reflex::read(&first.rest.unwrap(), &world);
    assert_eq!(read.question.as_deref(), Some("Who do you mean by “him”?"));
}

#[test]
fn a_stranger_among_those_who_wrote_may_be_meant_too() {
    let mut world = world();
    let letters = [
        letter("m1", "Tom Okafor", "tom.okafor@brightloom.example"),
        letter("m2", "Jan Weber", "jan@weber.example"),
        letter("m3", "Quickpost", "parcels@quickpost.example"),
    ];
    world.focus = crate::Focus::default();
    let found = json!({ "messages": letters, "total": 3 });
    world.focus.note(&[Done { tool: "gmail.search".into(), result: Ok(found) }]);
    let read = reflex::read("tell him i'll come", &world);
    assert_eq!(read.question.as_deref(), Some("Who is “him”: Tom Okafor or Jan Weber?"));
}

/// Mail from Sam Whitfield, Yuki and Ana; nobody said what they are called by.
fn unsaid() -> World {
    let mut world = corpus::world();
    let mut contacts = world.contacts.to_vec();
    for contact in &mut contacts {
        contact.pronouns = None;
    }
    world.contacts = contacts.into();
    let letters = [
        letter("m1", "Sam Whitfield", "sam.whitfield@brightloom.example"),
        letter("m2", "Yuki Tanaka", "yuki.tanaka@kogane-studio.example"),
        letter("m3", "Ana Ruiz", "ana.ruiz@brightloom.example"),
    ];
    let found = json!({ "messages": letters, "total": 3 });
    world.focus.note(&[Done { tool: "gmail.search".into(), result: Ok(found) }]);
    world
}

fn answered(answers: &[&str], world: &mut World) -> crate::Understanding {
    let mut read = reflex::read(answers[0], world);
    for answer in &answers[1..] {
        world.focus.wait_for_answer(&read);
        read = reflex::read(answer, world);
    }
    read
}

#[test]
fn whoever_was_chosen_for_him_is_never_her() {
    for said in [
        "reply to him that thursday works and set up a call with her friday at 10",
        "reply to him that thursday works and set up a call with her and tom friday at 10",
        "reply to him that it's good and ask her to join friday at 10",
    ] {
        let read = answered(&[said, "yuki"], &mut unsaid());
        assert_eq!(
            read.question.as_deref(),
            Some("Who is “her”: Sam Whitfield or Ana Ruiz?"),
            "{said}"
        );
        let read = answered(&[said, "yuki", "ana"], &mut unsaid());
        assert_eq!(read.question, None, "{said}");
        let steps = serde_json::to_string(&read.proposal.steps[2..]).unwrap();
        let is_ana = steps.contains("ana.ruiz@") || steps.contains("\"m3\"");
        assert!(is_ana && !steps.contains("yuki") && !steps.contains("m2"), "{steps}");
        assert!(!steps.contains(['♂', '♀']), "{steps}");
    }
}

#[test]
fn whoever_is_him_without_a_question_is_not_her_either() {
    let mut world = unsaid();
    let opened = letter("m1", "Sam Whitfield", "sam.whitfield@brightloom.example");
    let found = json!({ "messages": [opened], "total": 1 });
    world.focus.note(&[Done { tool: "gmail.search".into(), result: Ok(found) }]);
    let said = "reply to him that it's good and ask her to join friday at 10";
    let read = reflex::read(said, &world);
    assert_eq!(read.question.as_deref(), Some("Who do you mean by “her”?"));
    let read = answered(&[said, "ana"], &mut world);
    let steps = serde_json::to_string(&read.proposal.steps).unwrap();
    assert!(steps.contains("It's good.\"") && steps.contains("ana.ruiz@"), "{steps}");
}

#[test]
fn he_who_is_chosen_is_him_again() {
    let said = "reply to him that it's fine, book lunch with her friday at noon and a call with him friday at 3";
    let read = answered(&[said, "yuki"], &mut unsaid());
    assert_eq!(read.question.as_deref(), Some("Who is “her”: Sam Whitfield or Ana Ruiz?"));
}
