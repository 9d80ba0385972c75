//! Which event is meant, and where it comes to.

use brain::CallError;
use brain::resolve::titles;
use serde_json::{Value, json};

use crate::gist::{Chat, Gist};
use crate::{Done, Understanding, World, corpus, reflex};

fn at(day: u8, clock: &str) -> String {
    format!("2026-11-{day:02}T{clock}:00-08:00[America/Los_Angeles]")
}

fn event(id: &str, title: &str, day: u8, from: &str, to: &str) -> Value {
    json!({ "event_id": id, "title": title, "start": at(day, from), "end": at(day, to) })
}

/// Reads it as a turn does: what is looked up is found on this calendar.
fn said(sentence: &str, world: &World, calendar: &[Value]) -> Understanding {
    let mut world = world.clone();
    let mut understood = reflex::read(sentence, &world);
    for _ in 0..3 {
        let Some(rest) = understood.rest.clone() else { break };
        let done: Vec<Done> =
            understood.proposal.steps.iter().map(|step| found(step, calendar)).collect();
        world.focus.learn(Some(&understood), &done);
        understood = reflex::read(&rest, &world);
    }
    understood
}

fn found(step: &brain::plan::ProposedStep, calendar: &[Value]) -> Done {
    assert_eq!(step.tool, "calendar.list_events");
    let words = step.args["query"].as_str().unwrap_or_default().to_lowercase();
    let time = |value: &Value| value.as_str().unwrap().parse::<jiff::Zoned>().unwrap();
    let range = &step.args["date_range"];
    let fits = |one: &&Value| {
        let title = one["title"].as_str().unwrap().to_lowercase();
        let within =
            time(&one["start"]) < time(&range["end"]) && time(&one["end"]) > time(&range["start"]);
        within && words.split(' ').all(|word| title.contains(word))
    };
    let events: Vec<&Value> = calendar.iter().filter(fits).collect();
    let titles = calendar.iter().map(|one| one["title"].as_str().unwrap());
    let alike: Vec<&Value> = if events.is_empty() && !words.is_empty() {
        titles::sounding(&words, titles).into_iter().map(|at| &calendar[at]).collect()
    } else {
        Vec::new()
    };
    let total = events.len();
    let agenda = json!({ "date_range": range, "events": events, "total": total, "alike": alike });
    Done { tool: step.tool.clone(), result: Ok(agenda) }
}

fn steps(understood: &Understanding) -> Vec<(&str, &Value)> {
    understood.proposal.steps.iter().map(|step| (step.tool.as_str(), &step.args)).collect()
}

fn calendar() -> Vec<Value> {
    vec![
        event("s1", "Stand-up", 16, "09:30", "09:45"),
        event("s2", "Stand-up", 18, "09:30", "09:45"),
        event("lunch", "Lunch with Tom", 16, "12:00", "13:00"),
        event("review", "Design review: Heron", 16, "15:00", "16:00"),
        event("q4", "Q4 review", 19, "15:00", "16:00"),
        event("yoga", "Yoga", 17, "18:00", "19:00"),
        event("teacher", "Call the yoga teacher", 17, "10:00", "10:30"),
    ]
}

#[test]
fn an_event_is_found_by_its_time_its_title_or_whom_it_is_with() {
    let world = corpus::world();
    for (sentence, id) in [
        ("cancel my 3 pm tomorrow", "review"),
        ("cancel my three o'clock tomorrow", "review"),
        ("cancel the design review", "review"),
        ("cancel lunch with Tom", "lunch"),
        ("cancel lunch", "lunch"),
        ("delete the stand-up on wednesday", "s2"),
        ("cancel the standup tomorrow", "s1"),
        ("cancel yoga", "yoga"),
        ("cancel the call with the yoga teacher", "teacher"),
        ("cancel the review on thursday", "q4"),
        ("please cancel lunch with tommy", "lunch"),
    ] {
        let understood = said(sentence, &world, &calendar());
        let expected = json!({ "event_id": id });
        assert_eq!(steps(&understood), [("calendar.cancel_event", &expected)], "{sentence}");
        assert_eq!(understood.question, None, "{sentence}");
    }
}

#[test]
fn two_that_could_be_meant_are_one_short_question() {
    let mut world = corpus::world();
    let asked = said("cancel the review", &world, &calendar());
    let question = "Which one: Design review: Heron or Q4 review?";
    assert_eq!(asked.question.as_deref(), Some(question));
    world.focus.wait_for_answer(&asked);
    for (answer, id) in
        [("the first", "review"), ("q4", "q4"), ("2", "q4"), ("the design one", "review")]
    {
        let understood = said(answer, &world, &calendar());
        let expected = json!({ "event_id": id });
        assert_eq!(steps(&understood), [("calendar.cancel_event", &expected)], "{answer}");
    }

    let mut world = corpus::world();
    let asked = said("move the stand-up to ten", &world, &calendar());
    let question = "Which one: Tomorrow at 9:30 or Wednesday at 9:30?";
    assert_eq!(asked.question.as_deref(), Some(question));
    world.focus.wait_for_answer(&asked);
    let understood = said("wednesday", &world, &calendar());
    let expected = json!({ "event_id": "s2", "start": at(18, "10:00") });
    assert_eq!(steps(&understood), [("calendar.move_event", &expected)]);
}

#[test]
fn what_is_not_there_is_said_to_be_so() {
    let world = corpus::world();
    for (sentence, told) in [
        (
            "cancel the offsite",
            "I can't find “offsite” on your calendar in the next two months, so nothing was \
             changed.",
        ),
        (
            "move the dentist on friday to four",
            "I can't find “dentist” on your calendar on Friday, so nothing was changed.",
        ),
        (
            "cancel my 4 pm tomorrow",
            "Nothing on your calendar tomorrow at 4, so nothing was changed.",
        ),
    ] {
        let understood = said(sentence, &world, &calendar());
        let expected = Gist::Chat(Chat::AboutEvent(told.to_owned()));
        assert_eq!(understood.gist, expected, "{sentence}");
    }
    for sentence in [
        "delete the newsletter from lumenfair",
        "delete the invoice",
        "remove tom from the design review",
        "drop ana from the review",
    ] {
        let read = said(sentence, &world, &calendar());
        assert!(matches!(read.gist, Gist::Chat(Chat::NotYet(_))), "{sentence}: {read:?}");
    }
}

#[test]
fn an_event_moves_to_a_time_or_by_a_while() {
    let world = corpus::world();
    for (sentence, id, start) in [
        ("move the design review to four", "review", at(16, "16:00")),
        ("move the design review to friday", "review", at(20, "15:00")),
        ("reschedule lunch with Tom to Friday at noon", "lunch", at(20, "12:00")),
        ("push my 3 pm tomorrow back half an hour", "review", at(16, "15:30")),
        ("bring lunch forward by half an hour", "lunch", at(16, "11:30")),
        ("can we do the design review on thursday instead", "review", at(19, "15:00")),
        ("move yoga from tuesday to wednesday same time", "yoga", at(18, "18:00")),
        ("postpone lunch until one", "lunch", at(16, "13:00")),
        ("make lunch half past twelve instead", "lunch", at(16, "12:30")),
    ] {
        let understood = said(sentence, &world, &calendar());
        let expected = json!({ "event_id": id, "start": start });
        assert_eq!(steps(&understood), [("calendar.move_event", &expected)], "{sentence}");
    }
    let longer = said("move lunch to 1 for two hours", &world, &calendar());
    let expected = json!({ "event_id": "lunch", "start": at(16, "13:00"), "end": at(16, "15:00") });
    assert_eq!(steps(&longer), [("calendar.move_event", &expected)]);
}

#[test]
fn a_time_that_nobody_said_is_asked_for() {
    let mut world = corpus::world();
    let asked = said("reschedule lunch with tom", &world, &calendar());
    assert_eq!(asked.question.as_deref(), Some("When should it be instead?"));
    world.focus.wait_for_answer(&asked);
    let understood = said("friday at one", &world, &calendar());
    let expected = json!({ "event_id": "lunch", "start": at(20, "13:00") });
    assert_eq!(steps(&understood), [("calendar.move_event", &expected)]);

    let mut world = corpus::world();
    let asked = said("move lunch forward an hour", &world, &calendar());
    assert_eq!(asked.question.as_deref(), Some("Earlier or later?"));
    world.focus.wait_for_answer(&asked);
    let understood = said("earlier", &world, &calendar());
    let expected = json!({ "event_id": "lunch", "start": at(16, "11:00") });
    assert_eq!(steps(&understood), [("calendar.move_event", &expected)]);
}

#[test]
fn it_is_what_was_just_put_on_the_calendar() {
    let mut world = corpus::world();
    let booked = json!({
        "event_id": "event_1", "title": "Coffee with Ana", "start": at(17, "10:00"),
        "end": at(17, "10:30"), "attendees": [],
    });
    let tool = "calendar.create_event".to_owned();
    world.focus.note(&[Done { tool, result: Ok(booked) }]);

    for sentence in
        ["cancel it", "cancel that", "Undo that.", "cancel that one", "undo", "cancel the coffee"]
    {
        let understood = reflex::read(sentence, &world);
        let expected = json!({ "event_id": "event_1" });
        assert_eq!(steps(&understood), [("calendar.cancel_event", &expected)], "{sentence}");
    }
    let mut later = world.clone();
    let sent =
        json!({ "message_id": "m", "thread_id": "t", "sent_at": "2026-11-15T18:30:00Z", "to": [] });
    later.focus.note(&[Done { tool: "gmail.send".into(), result: Ok(sent) }]);
    let undone = reflex::read("undo that", &later);
    assert!(undone.proposal.steps.is_empty(), "what was done last is no event: {undone:?}");
    for (sentence, start) in [
        ("move it to friday", at(20, "10:00")),
        ("make it eleven", at(17, "11:00")),
        ("push it back an hour", at(17, "11:00")),
        ("actually make it friday at nine", at(20, "09:00")),
    ] {
        let understood = reflex::read(sentence, &world);
        let expected = json!({ "event_id": "event_1", "start": start });
        assert_eq!(steps(&understood), [("calendar.move_event", &expected)], "{sentence}");
    }
}

#[test]
fn what_is_gone_is_nothing_to_point_at() {
    let mut world = corpus::scenes().swap_remove(3);
    let gone = json!({
        "event_id": "e2", "title": "Lunch with Tom", "start": at(16, "12:00"),
        "end": at(16, "13:00"), "attendees": [],
    });
    world.focus.note(&[Done { tool: "calendar.cancel_event".into(), result: Ok(gone) }]);
    let asked = reflex::read("cancel that one", &world);
    assert_eq!(asked.question.as_deref(), Some("Which one: Stand-up or Design review?"));

    let before = world.focus.clone();
    let error = CallError { code: "changed".into(), message: String::new(), retryable: false };
    world.focus.note(&[Done { tool: "calendar.cancel_event".into(), result: Err(error) }]);
    assert_eq!(world.focus, before);
}

#[test]
fn it_is_what_was_just_to_be_changed() {
    let mut world = corpus::scenes().swap_remove(3);
    world.focus.learn(Some(&reflex::read("cancel the design review", &world)), &[]);
    let understood = reflex::read("move it to friday", &world);
    let expected = json!({ "event_id": "e3", "start": at(20, "15:00") });
    assert_eq!(steps(&understood), [("calendar.move_event", &expected)]);
}

#[test]
fn somebody_elses_invitation_is_theirs_to_move() {
    let mut theirs = event("all", "All-hands", 19, "10:00", "10:30");
    theirs["organizer"] =
        json!({ "name": "Priya Nair", "address": "priya.nair@brightloom.example" });
    let world = corpus::world();
    let told = said("move the all-hands to friday", &world, std::slice::from_ref(&theirs));
    let Gist::Chat(Chat::AboutEvent(told)) = told.gist else { panic!("{told:?}") };
    assert!(told.starts_with("“All-hands” is an invitation from Priya Nair"), "{told}");
    let off = said("cancel the all-hands", &world, std::slice::from_ref(&theirs));
    assert_eq!(steps(&off), [("calendar.cancel_event", &json!({ "event_id": "all" }))]);
}

#[test]
fn whole_days_are_moved_to_another_day() {
    let mut off = event("off", "Day off", 18, "00:00", "23:59");
    off["end"] = json!(at(19, "00:00"));
    off["all_day"] = json!(true);
    let world = corpus::world();
    let moved = said("move my day off to friday", &world, std::slice::from_ref(&off));
    let expected = json!({ "event_id": "off", "start": at(20, "00:00") });
    assert_eq!(steps(&moved), [("calendar.move_event", &expected)]);
    let asked = said("move my day off to four", &world, std::slice::from_ref(&off));
    let question = "It takes the whole day. Which day should it be?";
    assert_eq!(asked.question.as_deref(), Some(question));
}

#[test]
fn a_title_that_was_misheard_is_asked_about_and_never_taken_for_it() {
    let (world, mut calendar) = (corpus::world(), calendar());
    calendar.push(event("dentist", "Dentist", 20, "09:00", "10:00"));
    for (heard, question, tool, args) in [
        (
            "move the design revue to four",
            "Did you mean Design review: Heron?",
            "calendar.move_event",
            json!({ "event_id": "review", "start": at(16, "16:00") }),
        ),
        (
            "cancel my tentist appointment",
            "Did you mean Dentist?",
            "calendar.cancel_event",
            json!({ "event_id": "dentist" }),
        ),
    ] {
        let asked = said(heard, &world, &calendar);
        assert_eq!(asked.question.as_deref(), Some(question), "{heard}");
        assert_eq!(asked.proposal.steps, [], "{heard}");
        let mut answered = world.clone();
        answered.focus.wait_for_answer(&asked);
        let meant = reflex::read("yes", &answered);
        let meant = match meant.rest.clone() {
            Some(rest) => said(&rest, &world, &calendar),
            None => meant,
        };
        assert_eq!(steps(&meant), [(tool, &args)], "{heard}");
        let refused = reflex::read("no", &answered);
        assert_eq!(refused.gist, Gist::Chat(Chat::NeverMind), "{heard}");
    }
    let nothing = said("cancel the piano lesson", &world, &calendar);
    assert_eq!(nothing.question, None);
}
