use serde_json::{Value, json};

use crate::{Done, corpus, narrator, reflex};

fn at(clock: &str) -> String {
    format!("2026-11-16T{clock}:00-08:00[America/Los_Angeles]")
}

fn event(id: &str, title: &str, (start, end): (&str, &str), place: &str, with: &[&str]) -> Value {
    let people = with.iter().map(|name| json!({ "name": name, "address": format!("{name}@x") }));
    json!({
        "event_id": id, "title": title, "start": at(start), "end": at(end), "location": place,
        "attendees": people.collect::<Vec<_>>(),
    })
}

fn day() -> Vec<Value> {
    vec![
        event("a", "Stand-up", ("09:30", "09:45"), "By the window", &["Ana", "Sam"]),
        event("b", "Budget", ("09:45", "11:00"), "Room 2", &["Priya"]),
        event("c", "Pub quiz", ("19:30", "21:30"), "The Dry Dock", &["Sam"]),
    ]
}

/// What is said when the calendar brings these events for that sentence.
fn told(sentence: &str, events: &[Value]) -> String {
    let world = corpus::world();
    let understood = reflex::read(sentence, &world);
    let range = understood.proposal.steps[0].args["date_range"].clone();
    let agenda = json!({ "date_range": range, "events": events, "total": events.len() });
    let done = Done { tool: "calendar.list_events".into(), result: Ok(agenda) };
    narrator::tell(&understood, &[done], &world)
}

#[test]
fn the_one_thing_that_was_asked_comes_first() {
    let standup = &day()[..1];
    let cases = [
        ("where is the stand-up", "By the window. Stand-up is tomorrow at 9:30."),
        ("who is in the stand-up", "Ana and Sam. Stand-up is tomorrow at 9:30."),
        ("how long is the stand-up", "Stand-up takes 15 minutes, tomorrow from 9:30 to 9:45."),
        ("what time does the stand-up end", "Stand-up ends tomorrow at 9:45 am."),
        ("how long do i have until the stand-up", "Stand-up is tomorrow at 9:30."),
    ];
    for (sentence, expected) in cases {
        assert_eq!(told(sentence, standup), expected, "{sentence}");
    }
}

#[test]
fn a_day_is_told_by_what_was_asked_of_it() {
    let cases = [
        (
            "what's my last meeting tomorrow",
            "The last is Pub quiz, tomorrow at 7:30 pm, The Dry Dock.",
        ),
        ("when do i finish tomorrow", "You're done at 9:30 pm tomorrow, after Pub quiz."),
        ("do i have more than three meetings tomorrow", "No, three meetings tomorrow."),
        ("do i have at least three meetings tomorrow", "Yes, three meetings tomorrow."),
        ("any back to back meetings tomorrow", "Yes, Stand-up runs straight into Budget at 9:45."),
        ("who am i meeting tomorrow", "Tomorrow: Ana, Sam and Priya."),
        (
            "is tomorrow clear",
            "No, you have Stand-up at 9:30, Budget at 9:45 and Pub quiz at 7:30 pm.",
        ),
        ("when's my next day off", "Tuesday is the next day with nothing on it."),
    ];
    for (sentence, expected) in cases {
        assert_eq!(told(sentence, &day()), expected, "{sentence}");
    }
    assert_eq!(told("is tomorrow clear", &[]), "Yes, nothing tomorrow.");
}

#[test]
fn a_time_is_told_on_the_clocks_that_were_named() {
    let said = told("what time is the stand-up in london time", &day()[..1]);
    assert_eq!(said, "Stand-up is tomorrow at 5:30 pm. That's in London time.");
}

#[test]
fn the_past_is_looked_at_when_it_is_asked_about() {
    let said = told("when did i last meet tom", &[]);
    assert_eq!(said, "Nothing with Tom in the last two months.");
}

#[test]
fn walls_and_clocks_answer_for_themselves() {
    let world = corpus::world();
    let told = |sentence| narrator::tell(&reflex::read(sentence, &world), &[], &world);
    assert_eq!(told("is it monday"), "No, today is Sunday, November 15.");
    assert_eq!(told("what's the date tomorrow"), "Tomorrow is Monday, November 16.");
    assert_eq!(told("what time is it in tokyo"), "It's 3:30 am in Tokyo, tomorrow.");
    assert_eq!(
        told("what's on november 31"),
        "There is no such day: November has 30 days. Which one do you mean?"
    );
}
