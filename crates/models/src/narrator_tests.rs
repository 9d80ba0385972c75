use brain::CallError;
use serde_json::{Value, json};

use super::*;
use crate::{corpus, reflex};

fn meeting(id: &str, title: &str, start: &str, end: &str) -> Value {
    json!({
        "event_id": id, "title": title,
        "start": format!("{start}:00-08:00[America/Los_Angeles]"),
        "end": format!("{end}:00-08:00[America/Los_Angeles]"),
        "attendees": [{"name": "Tom Okafor", "address": "tom.okafor@brightloom.example"}],
    })
}

fn standup() -> Value {
    meeting("e1", "Stand-up", "2026-11-16T09:30", "2026-11-16T09:45")
}

fn lunch() -> Value {
    meeting("e2", "Lunch with Tom", "2026-11-16T12:00", "2026-11-16T13:00")
}

fn review() -> Value {
    meeting("e3", "Design review", "2026-11-16T15:00", "2026-11-16T16:00")
}

fn range(start: &str, end: &str) -> Value {
    json!({
        "start": format!("{start}:00-08:00[America/Los_Angeles]"),
        "end": format!("{end}:00-08:00[America/Los_Angeles]"),
    })
}

fn tomorrow() -> Value {
    range("2026-11-16T00:00", "2026-11-17T00:00")
}

fn agenda(events: &[Value]) -> Done {
    agenda_of(&tomorrow(), events)
}

fn agenda_of(range: &Value, events: &[Value]) -> Done {
    ok(
        "calendar.list_events",
        json!({"date_range": range, "events": events, "total": events.len()}),
    )
}

fn letter(from: &str, subject: &str, sent_at: &str) -> Value {
    let address = format!("{}@brightloom.example", from.to_lowercase().replace(' ', "."));
    json!({
        "message_id": subject, "thread_id": "t", "from": {"name": from, "address": address},
        "to": [{"address": "maya@lindqvist.example"}], "subject": subject,
        "snippet": "The glass came back from the lab.", "sent_at": sent_at, "unread": true,
        "labels": ["inbox"],
    })
}

fn letters(messages: &[Value]) -> Done {
    ok("gmail.search", json!({"messages": messages, "total": messages.len()}))
}

fn opened(body: &str) -> Done {
    let message = letter("Priya Nair", "Samples", "2026-11-15T00:00:00Z");
    ok("gmail.get_message", json!({"message": message, "body_text": body}))
}

fn free(range: &Value, slots: &[Value], busy: &[Value]) -> Done {
    ok(
        "calendar.find_free_slots",
        json!({"date_range": range, "duration_minutes": 30, "slots": slots, "busy": busy}),
    )
}

fn ok(tool: &str, value: Value) -> Done {
    Done { tool: tool.into(), result: Ok(value) }
}

fn away(tool: &str) -> Done {
    let error = CallError { code: "transient".into(), message: "x".into(), retryable: true };
    Done { tool: tool.into(), result: Err(error) }
}

/// Asked in the corpus's world, on a Sunday at 10:30.
fn answer(sentence: &str, done: &[Done]) -> String {
    let world = corpus::world();
    tell(&reflex::read(sentence, &world), done, &world)
}

#[test]
fn a_day_is_told_in_order() {
    assert_eq!(
        answer("what's on tomorrow", &[agenda(&[standup(), lunch(), review()])]),
        "Three meetings tomorrow. The first is Stand-up at 9:30, then Lunch with Tom at 12 and \
         Design review at 3."
    );
    assert_eq!(
        answer("what's on tomorrow", &[agenda(&[lunch()])]),
        "One meeting tomorrow: Lunch with Tom at 12."
    );
    assert_eq!(answer("what's on tomorrow", &[agenda(&[])]), "Nothing tomorrow.");
}

#[test]
fn three_are_told_and_the_rest_counted() {
    let five = [standup(), lunch(), review(), review(), review()];
    assert_eq!(
        answer("what's on tomorrow", &[agenda(&five)]),
        "Five meetings tomorrow. The first is Stand-up at 9:30, then Lunch with Tom at 12, Design \
         review at 3 and two more."
    );
}

#[test]
fn overlaps_are_mentioned() {
    let mut clash = meeting("e4", "Supplier call", "2026-11-16T15:30", "2026-11-16T16:00");
    clash["conflicts_with"] = json!(["e3"]);
    let told = answer("what's on tomorrow", &[agenda(&[review(), clash.clone()])]);
    assert!(told.ends_with("Two of them overlap."), "{told}");

    assert_eq!(
        answer("am i double booked next week", &[agenda(&[review(), clash])]),
        "Yes. Design review and Supplier call overlap, tomorrow from 3:30 to 4."
    );
    assert_eq!(
        answer("am i double booked next week", &[agenda(&[review()])]),
        "No, nothing overlaps next week."
    );
}

#[test]
fn what_is_behind_is_not_read_out() {
    let gone = meeting("e0", "Run", "2026-11-15T08:00", "2026-11-15T09:00");
    let dinner = meeting("e5", "Dinner at Ana's", "2026-11-15T19:00", "2026-11-15T21:00");
    let today = range("2026-11-15T00:00", "2026-11-16T00:00");
    assert_eq!(
        answer("what's on today", &[agenda_of(&today, &[gone.clone(), dinner])]),
        "Two meetings today, one is still to come. It's Dinner at Ana's at 7 pm."
    );
    assert_eq!(
        answer("what's on today", &[agenda_of(&today, &[gone])]),
        "One meeting today, all behind you. The last was Run at 8."
    );
}

#[test]
fn one_thing_is_told_with_its_day() {
    assert_eq!(
        answer("what's next", &[agenda(&[review()])]),
        "Next is Design review, tomorrow at 3."
    );
    assert_eq!(
        answer("when is the design review", &[agenda(&[review()])]),
        "Design review is tomorrow at 3."
    );
    assert_eq!(
        answer("when is the design review", &[agenda(&[])]),
        "I don't see design review on your calendar in the next two months."
    );
    let mut alike = agenda(&[]);
    alike.result.as_mut().unwrap()["alike"] = json!([review()]);
    assert_eq!(
        answer("when is the design revue", &[alike]),
        "I don't see design revue, but there is Design review, tomorrow at 3."
    );
    assert_eq!(
        answer("do i have anything with tom tomorrow", &[agenda(&[lunch()])]),
        "Yes, one meeting with Tom tomorrow: Lunch with Tom at 12."
    );
}

#[test]
fn a_full_day_is_weighed() {
    let told = answer("how busy is tomorrow", &[agenda(&[standup(), lunch(), review()])]);
    assert_eq!(
        told,
        "A fair amount: three meetings tomorrow, about two hours in all. The first is Stand-up \
         at 9:30."
    );
}

#[test]
fn mail_is_told_newest_first() {
    let found = [
        letter("Priya Nair", "Samples for the lobby", "2026-11-15T17:12:00Z"),
        letter("Tom Okafor", "Budget", "2026-11-14T17:00:00Z"),
    ];
    assert_eq!(
        answer("any new mail?", &[letters(&found)]),
        "Yes, two unread mails. From Priya: “Samples for the lobby” and from Tom: “Budget”."
    );
    assert_eq!(
        answer("any new mail from priya", &[letters(&found[..1])]),
        "Yes, one unread mail from Priya: “Samples for the lobby”, today at 9:12."
    );
    assert_eq!(
        answer("how many unread emails do i have", &[letters(&found)]),
        "Two unread mails. The newest is from Priya, “Samples for the lobby”, today at 9:12."
    );
    assert_eq!(
        answer("whats my latest email", &[letters(&found[..1])]),
        "The latest is from Priya, “Samples for the lobby”, today at 9:12. The glass came back \
         from the lab."
    );
}

#[test]
fn no_mail_is_said_for_whom_and_when() {
    let cases = [
        ("what did priya send this week", "Nothing from Priya this week."),
        ("any mail from priya this week?", "No, nothing from Priya this week."),
        ("any new mail", "No new mail."),
        ("show my drafts", "No drafts."),
        ("emails about the budget", "Nothing with “budget” in it."),
        ("mails i sent to ana last week", "Nothing sent to Ana last week."),
    ];
    for (sentence, told) in cases {
        assert_eq!(answer(sentence, &[letters(&[])]), told, "{sentence}");
    }
}

#[test]
fn the_last_one_is_offered_only_when_it_was_seen() {
    let mut world = corpus::world();
    world.focus.note(&[letters(&[letter("Priya Nair", "Q4 numbers", "2026-11-04T18:00:00Z")])]);
    let understood = reflex::read("what did priya send this week", &world);
    assert_eq!(
        tell(&understood, &[letters(&[])], &world),
        "Nothing from Priya this week. The last one I saw came on November 4, “Q4 numbers”."
    );
}

#[test]
fn a_mail_is_read_with_its_writer_and_time() {
    let found = letters(&[letter("Priya Nair", "Samples", "2026-11-15T00:00:00Z")]);
    let text = "Hi Maya,\n\nthe samples are in.\n\n> old words";
    assert_eq!(
        answer("read me the last email from priya", &[found.clone(), opened(text)]),
        "Priya Nair wrote yesterday at 4, about “Samples”: Hi Maya, the samples are in."
    );
    assert_eq!(answer("read me the last email from priya", &[letters(&[])]), "Nothing from Priya.");
    let told = answer("read me the last email from priya", &[found, opened("{\"a\": 1}")]);
    assert!(!told.contains('{'), "{told}");
}

#[test]
fn a_long_mail_is_cut_at_a_sentence_and_goes_on_when_asked() {
    let text = "This is one sentence of eight words indeed. ".repeat(12);
    let mut world = corpus::world();
    let found = letters(&[letter("Priya Nair", "Samples", "2026-11-15T00:00:00Z")]);
    let understood = reflex::read("read me the last email from priya", &world);
    let done = [found, opened(&text)];
    let told = tell(&understood, &done, &world);
    assert!(told.ends_with("indeed. There is more. Shall I read on?"), "{told}");

    world.focus.note(&done);
    let again = reflex::read("yes", &world);
    assert_eq!(again.proposal.steps[0].tool, "gmail.get_message");
    let more = tell(&again, &[opened(&text)], &world);
    assert!(more.starts_with("It goes on: This is one sentence"), "{more}");

    world.focus.note(&[opened(&text)]);
    assert!(reflex::read("yes", &world).proposal.steps.is_empty());
}

#[test]
fn free_time_is_a_yes_a_no_or_a_few_stretches() {
    let three = range("2026-11-20T15:00", "2026-11-20T15:30");
    assert_eq!(
        answer("am i free at 3 on friday", &[free(&three, std::slice::from_ref(&three), &[])]),
        "Yes, you're free on Friday at 3."
    );
    assert_eq!(
        answer("am i free tomorrow at 12", &[free(&three, &[], &[lunch()])]),
        "No, you have Lunch with Tom at 12."
    );
    let slots = [
        range("2026-11-16T09:00", "2026-11-16T12:00"),
        range("2026-11-16T13:00", "2026-11-16T15:00"),
    ];
    assert_eq!(
        answer("when am i free tomorrow", &[free(&tomorrow(), &slots, &[lunch()])]),
        "Tomorrow you're free from 9 to 12 and from 1 to 3."
    );
    assert_eq!(
        answer("when am i free tomorrow", &[free(&tomorrow(), &[], &[lunch()])]),
        "Tomorrow there is no gap of 30 minutes or more. The first thing in \
         the way is Lunch with Tom at 12."
    );
}

#[test]
fn what_cannot_be_reached_is_named() {
    assert_eq!(
        answer("what's on tomorrow", &[away("calendar.list_events")]),
        "I can't reach your calendar right now."
    );
    assert_eq!(
        answer(
            "any mail from tom and what's on tomorrow",
            &[away("gmail.search"), agenda(&[lunch()])]
        ),
        "I can't reach your mail right now. One meeting tomorrow: Lunch with Tom at 12."
    );
    assert_eq!(answer("what's on tomorrow", &[]), "I didn't get to your calendar.");
}

#[test]
fn a_change_is_declined_after_the_look_up_is_told() {
    let told = answer("what's on tomorrow and cancel all of it", &[agenda(&[lunch()])]);
    assert!(told.starts_with("One meeting tomorrow"), "{told}");
    assert!(told.contains("nothing was moved or cancelled"), "{told}");
}

#[test]
fn every_sentence_of_the_corpus_gets_plain_words() {
    let world = corpus::world();
    for case in corpus::cases() {
        let understood = reflex::read(&case.text, &world);
        let failed: Vec<_> =
            understood.proposal.steps.iter().map(|step| away(&step.tool)).collect();
        for done in [&failed[..], &[]] {
            let told = tell(&understood, done, &world);
            // Of a write that is about to be shown, the card tells.
            let silent = done.is_empty() && understood.gist.writes();
            assert!(silent || !told.trim().is_empty(), "{:?}", case.text);
            assert!(!told.contains(['{', '}', '\n']), "{told:?}");
            assert!(told.split_whitespace().count() <= 45, "{told:?}");
        }
        let acknowledged = understood.acknowledgement.unwrap_or_default();
        assert!(acknowledged.split_whitespace().count() <= 8, "{acknowledged:?}");
    }
}
