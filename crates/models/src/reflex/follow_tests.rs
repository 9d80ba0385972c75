use serde_json::{Value, json};

use crate::{Done, Understanding, World, corpus, narrator, reflex};

fn letter(id: &str, from: &str, subject: &str) -> Value {
    json!({
        "message_id": id, "thread_id": id, "from": {"name": from, "address": from}, "to": [],
        "subject": subject, "snippet": "", "sent_at": "2026-11-14T10:00:00Z", "unread": false,
        "labels": [],
    })
}

fn eight_letters() -> Done {
    let messages: Vec<_> = (0..8)
        .map(|n| letter(&format!("m{n}"), &format!("Writer {n}"), &format!("Topic{n}")))
        .collect();
    Done { tool: "gmail.search".into(), result: Ok(json!({ "messages": messages, "total": 8 })) }
}

/// Says it, looks it up, and remembers.
fn say(sentence: &str, done: &[Done], world: &mut World) -> (Understanding, String) {
    let understood = reflex::read(sentence, world);
    let told = narrator::tell(&understood, done, world);
    world.focus.wait_for_answer(&understood);
    world.focus.note(done);
    (understood, told)
}

#[test]
fn more_tells_the_next_three_until_there_are_none() {
    let mut world = corpus::world();
    let (_, told) = say("any new mail", &[eight_letters()], &mut world);
    assert!(told.ends_with("and five more. Say “more” for the rest."), "{told}");

    let (understood, told) = say("and the rest?", &[eight_letters()], &mut world);
    assert_eq!(understood.proposal.steps[0].args, json!({"query": "is:unread", "max_results": 50}));
    assert!(told.starts_with("From Writer 3: “Topic3”"), "{told}");
    assert!(told.ends_with("and two more."), "{told}");

    let (opened, _) = say("open the second one", &[], &mut world);
    assert_eq!(opened.proposal.steps[0].args, json!({"message_id": "m4"}));
    let (_, told) = say("show the others", &[eight_letters()], &mut world);
    assert_eq!(told, "From Writer 6: “Topic6” and from Writer 7: “Topic7”.");
    let (_, told) = say("what else", &[eight_letters()], &mut world);
    assert_eq!(told, "That was all of them.");
}

#[test]
fn next_is_beside_the_mail_that_was_opened() {
    let mut world = corpus::world();
    say("any new mail", &[eight_letters()], &mut world);
    let opened = |n: usize| Done {
        tool: "gmail.get_message".into(),
        result: Ok(json!({
            "message": letter(&format!("m{n}"), &format!("Writer {n}"), &format!("Topic{n}")),
            "body_text": "Hi",
        })),
    };
    let id = |understood: &Understanding| understood.proposal.steps[0].args["message_id"].clone();

    let (picked, _) = say("read the one about topic5", &[opened(5)], &mut world);
    assert_eq!(id(&picked), "m5");
    let (next, _) = say("next", &[opened(6)], &mut world);
    assert_eq!(id(&next), "m6");
    let (next, _) = say("the next one", &[opened(7)], &mut world);
    assert_eq!(id(&next), "m7");
    let (_, told) = say("next", &[], &mut world);
    assert_eq!(told, "That was the last one of the list.");
}

#[test]
fn another_time_asks_the_same_again() {
    let start = |understood: &Understanding| {
        let start = understood.proposal.steps[0].args["date_range"]["start"].clone();
        start.as_str().map(|start| start[..16].to_owned()).unwrap_or_default()
    };
    let mut world = corpus::world();
    say("what's on thursday?", &[], &mut world);
    for (sentence, expected) in [
        ("no i mean friday", "2026-11-20T00:00"),
        ("how about in the afternoon", "2026-11-20T12:00"),
        ("and at four?", "2026-11-20T16:00"),
        ("and saturday", "2026-11-21T00:00"),
    ] {
        let (understood, _) = say(sentence, &[], &mut world);
        assert_eq!(start(&understood), expected, "{sentence}");
    }
    let (mail, _) = say("any mail from Priya", &[], &mut world);
    let (narrowed, _) = say("only this week", &[], &mut world);
    let query = |understood: &Understanding| understood.proposal.steps[0].args["query"].clone();
    assert_eq!(
        query(&narrowed),
        format!("{} after:2026-11-09", query(&mail).as_str().unwrap_or_default())
    );
    let (calendar, _) = say("what about tomorrow", &[], &mut world);
    assert_eq!(calendar.proposal.steps[0].tool, "calendar.list_events");
}

#[test]
fn a_question_can_be_answered_with_both_or_neither_and_is_asked_twice_at_most() {
    let mut world = corpus::world();
    say("read me Sam's last email", &[], &mut world);
    let (again, told) = say("purple", &[], &mut world);
    assert_eq!(told, "Which one, Sam Whitfield or Sam Adeyemi?");
    assert!(again.question.is_some());

    let both = reflex::read("both", &world);
    assert_eq!(both.proposal.steps.len(), 4);
    assert_eq!(both.proposal.steps[3].args["message_id"]["$step"], json!(3));
    let neither = reflex::read("neither", &world);
    assert_eq!(narrator::tell(&neither, &[], &world), "Okay, dropped.");

    let (lost, _) = say("purple", &[], &mut world);
    assert_eq!(lost.question, None);
}
