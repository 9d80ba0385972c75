use serde_json::{Value, json};

use super::super::read;
use crate::gist::{Gist, Meanwhile};
use crate::{Done, corpus, reflex};

fn only(heard: &str) -> Option<(String, Value)> {
    let read = read(heard, &corpus::world());
    let [step] = read.proposal.steps.as_slice() else { return None };
    Some((step.tool.clone(), step.args.clone()))
}

/// What is to be reminded of, and when: the world's day is Sunday, November 15, 10:30.
fn reminder(heard: &str) -> Option<(String, String)> {
    let (tool, args) = only(heard)?;
    assert_eq!(tool, "reminders.set", "{heard}");
    let due = args["due_at"].as_str()?.get(..16)?.to_owned();
    Some((args["text"].as_str().unwrap_or_default().to_owned(), due))
}

#[test]
fn a_reminder_says_what_and_when_in_any_order() {
    for (heard, text, due) in [
        ("remind me at 5 to call Tom", "call Tom", "2026-11-15T17:00"),
        ("Remind me to call Tom at 5 pm, please.", "call Tom", "2026-11-15T17:00"),
        (
            "remind me tomorrow at 9:30 to book the 7 pm flight",
            "book the 7 pm flight",
            "2026-11-16T09:30",
        ),
        ("in 20 minutes remind me to check the oven", "check the oven", "2026-11-15T10:50"),
        ("remind me in 20 minutes to check the oven", "check the oven", "2026-11-15T10:50"),
        (
            "set a reminder for Thursday at noon to water my plants",
            "water my plants",
            "2026-11-19T12:00",
        ),
        (
            "don't let me forget to reply to Ana tomorrow at 8 am",
            "reply to Ana",
            "2026-11-16T08:00",
        ),
        ("can you remind me about the dentist on Friday at 2pm", "the dentist", "2026-11-20T14:00"),
    ] {
        let expected = Some((text.to_owned(), due.to_owned()));
        assert_eq!(reminder(heard), expected, "{heard}");
    }
}

#[test]
fn a_day_without_an_hour_is_its_morning_and_that_is_said() {
    let read = read("remind me tomorrow to call Tom", &corpus::world());
    assert_eq!(read.gist, Gist::Meanwhile(Meanwhile::Remind { assumed: true }));
    let due = read.proposal.steps[0].args["due_at"].as_str().unwrap();
    assert!(due.starts_with("2026-11-16T09:00"), "{due}");
}

#[test]
fn without_a_time_it_is_asked_and_the_answer_sets_it() {
    let mut world = corpus::world();
    let asked = read("remind me to call the dentist", &world);
    assert_eq!(asked.question.as_deref(), Some("When should I remind you?"));
    world.focus.wait_for_answer(&asked);
    let set = read("at 5", &world);
    assert_eq!(set.proposal.steps[0].tool, "reminders.set");
    assert_eq!(set.proposal.steps[0].args["text"], "call the dentist");
    assert!(set.proposal.steps[0].args["due_at"].as_str().unwrap().starts_with("2026-11-15T17:00"));
}

#[test]
fn what_repeats_is_said_to_be_too_much() {
    let read = read("remind me every day at 9 to stretch", &corpus::world());
    assert!(read.proposal.steps.is_empty(), "{read:?}");
    assert!(matches!(read.gist, Gist::Chat(_)), "{read:?}");
}

#[test]
fn a_timer_counts_from_now() {
    for (heard, seconds) in [
        ("set a timer for 10 minutes", 600),
        ("set a 5 minute timer", 300),
        ("start a timer for an hour and a half", 5400),
        ("set a timer for a minute and a half", 90),
        ("set a timer for two and a half minutes", 150),
        ("set a timer for half a minute", 30),
        ("set a timer for an hour and a quarter", 4500),
        ("set a timer for three quarters of an hour", 2700),
        ("start a one and a half minute timer", 90),
        ("timer for 30 seconds", 30),
        ("set a timer for ten minutes please", 600),
    ] {
        let (tool, args) = only(heard).unwrap_or_else(|| panic!("{heard}"));
        assert_eq!(
            (tool.as_str(), &args["timer_seconds"]),
            ("reminders.set", &json!(seconds)),
            "{heard}"
        );
    }
    let (_, args) = only("set a timer for 8 minutes for the pasta").unwrap();
    assert_eq!((&args["timer_seconds"], &args["text"]), (&json!(480), &json!("the pasta")));
}

#[test]
fn reminders_and_work_are_listed_and_stopped_in_words() {
    for (heard, tool, args) in [
        ("what reminders do I have", "reminders.list", json!({})),
        ("list my reminders", "reminders.list", json!({})),
        ("how long is left on the timer?", "reminders.list", json!({})),
        ("cancel the reminder", "reminders.cancel", json!({ "about": "" })),
        ("cancel the reminder to call Tom", "reminders.cancel", json!({ "about": "call Tom" })),
        ("stop the timer", "reminders.cancel", json!({ "about": "timer" })),
        ("cancel all my reminders", "reminders.cancel", json!({ "all": true, "about": "" })),
        ("stop the digest", "jobs.cancel", json!({ "about": "digest" })),
        ("cancel that job", "jobs.cancel", json!({ "about": "" })),
        ("stop summarizing my mail", "jobs.cancel", json!({ "about": "summary mail" })),
        ("how is the digest coming along", "jobs.list", json!({})),
    ] {
        assert_eq!(only(heard), Some((tool.to_owned(), args)), "{heard}");
    }
}

#[test]
fn whoever_asks_what_is_running_hears_of_work_and_timers() {
    for heard in ["what are you working on?", "what's running?", "is anything running?"] {
        let read = read(heard, &corpus::world());
        let tools: Vec<_> = read.proposal.steps.iter().map(|step| step.tool.as_str()).collect();
        assert_eq!(tools, ["jobs.list", "reminders.list"], "{heard}");
        assert_eq!(read.gist, Gist::Meanwhile(Meanwhile::Running), "{heard}");
    }
}

#[test]
fn many_mails_are_work_and_a_few_are_not() {
    for (heard, query, what) in [
        ("summarise my unread mail", "is:unread", "your unread mail"),
        ("summarize all my mails from this week", "after:", "your mail this week"),
        (
            "give me a summary of all unread mail from Priya Nair",
            "from:",
            "your unread mail from Priya",
        ),
    ] {
        let (tool, args) = only(heard).unwrap_or_else(|| panic!("{heard}"));
        assert_eq!(tool, "mail.summarize", "{heard}");
        assert!(args["query"].as_str().unwrap().contains(query), "{heard}: {args}");
        assert!(args["what"].as_str().unwrap().starts_with(what), "{heard}: {args}");
    }
    let (tool, _) = only("summarize my inbox").unwrap();
    assert_eq!(tool, "gmail.search");
}

#[test]
fn a_week_is_digested_from_monday_to_sunday() {
    for (heard, start) in [
        ("give me a digest of my week", "2026-11-09T00:00"),
        ("give me a digest of last week", "2026-11-02T00:00"),
        ("prepare a weekly digest", "2026-11-09T00:00"),
    ] {
        let (tool, args) = only(heard).unwrap_or_else(|| panic!("{heard}"));
        assert_eq!(tool, "week.digest", "{heard}");
        assert!(
            args["date_range"]["start"].as_str().unwrap().starts_with(start),
            "{heard}: {args}"
        );
    }
}

#[test]
fn what_only_sounds_like_it_is_something_else() {
    for heard in [
        "remind me what's on tomorrow",
        "find the library reminder",
        "cancel the meeting with Tom",
        "stop",
        "never mind",
    ] {
        let tool = only(heard).map(|(tool, _)| tool);
        let is_ours = tool.as_deref().is_some_and(|tool| {
            tool.starts_with("reminders") || tool.starts_with("jobs") || tool.starts_with("week")
        });
        assert!(!is_ours, "{heard}: {tool:?}");
    }
}

#[test]
fn a_reminder_that_was_just_told_of_can_be_pointed_at() {
    let told = |tool: &str, result: Value| {
        let mut world = corpus::world();
        world.focus.note(&[Done { tool: tool.into(), result: Ok(result) }]);
        world
    };
    let set = told("reminders.set", json!({ "args": { "text": "water the plants" } }));
    let jobs = json!({ "jobs": [{ "text": "call Tom" }, { "text": "print it" }] });
    let two = told("reminders.list", jobs);
    let jobs = json!({ "jobs": [{ "text": null }, { "text": "print it" }] });
    let timed = told("reminders.list", jobs);
    for (heard, world, about) in [
        ("delete that one", &set, "water the plants"),
        ("cancel it", &set, "water the plants"),
        ("delete the second one", &two, "print it"),
        ("drop the first", &two, "call Tom"),
        // A timer in between is told too.
        ("delete the second", &timed, "print it"),
        ("delete the first", &timed, ""),
        // Which of the two is asked by whoever looks after them.
        ("delete that one", &two, ""),
    ] {
        let read = reflex::read(heard, world);
        assert_eq!(read.proposal.steps[0].tool, "reminders.cancel", "{heard}");
        assert_eq!(read.proposal.steps[0].args, json!({ "about": about }), "{heard}");
    }
}

#[test]
fn every_weekday_may_stand_before_it_and_one_day_is_asked_for() {
    let mut world = corpus::world();
    let asked = reflex::read("every weekday remind me at 5 to write my hours", &world);
    world.focus.wait_for_answer(&asked);
    let read = reflex::read("tomorrow", &world);
    assert_eq!(read.proposal.steps[0].tool, "reminders.set");
    let due = read.proposal.steps[0].args["due_at"].as_str().unwrap();
    assert!(due.starts_with("2026-11-16T17:00"), "{due}");
}
