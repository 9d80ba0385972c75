//! What it asks for goes through the gate, and what it says through the guard.

use std::sync::Arc;
use std::time::Duration;

use brain::confirmation::Channel;
use brain::input::Decision;
use brain::{ActionLevel, Event};
use serde_json::json;
use testkit::parts::Script;
use testkit::realtime::Answer;
use testkit::writer::Fortune;
use testkit::{FakeTool, FakeWriter};
use tools::{Catalog, Tool};

use crate::room::{Room, codes, nothing, said};

#[tokio::test]
async fn what_is_asked_for_aloud_is_done_once_and_only_after_a_yes() {
    let writer = Arc::new(FakeWriter::new("crm.note", vec![Fortune::Does(json!({ "id": 1 }))]));
    let catalog = Catalog::new().with(Arc::clone(&writer) as Arc<dyn Tool>);
    let mut room = Room::having(catalog, None).await;
    room.line(1).await;
    room.fake.will(Answer::calls(&[("crm.note", json!({ "text": "called" }))]));

    room.say("please jot down that I called").await;
    let events = room.until_heard().await;

    let asked = events.iter().any(|one| matches!(one.event, Event::AskedToConfirm(_)));
    assert!(asked && writer.ledger.effects().is_empty(), "a card, and nothing was done");
    tokio::time::sleep(Duration::from_millis(300)).await;
    room.say("yes").await;
    let after = room.until_over().await;

    let answered = after.iter().find_map(|one| match one.event {
        Event::Answered { decision, channel, .. } => Some((decision, channel)),
        _ => None,
    });
    assert_eq!(answered, Some((Decision::Accept, Channel::Voice)), "{}", said(&after));
    assert_eq!((writer.ledger.effects().len(), writer.ledger.stolen()), (1, 0));
    assert_eq!((codes(&events), codes(&after)), (vec![], vec![]), "nobody stood in");
    assert_eq!(room.senses.spoken(), [""; 0], "our own voice said nothing");
    assert_eq!(room.fake.mistakes(), [""; 0]);
    let is_heard = |text: &str| !text.starts_with("[Material from Sayso");
    let heard = room.fake.items().into_iter();
    let heard: Vec<_> = heard.filter(|it| it.role == "user" && is_heard(&it.text)).collect();
    assert_eq!(
        heard.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(),
        ["please jot down that I called", "yes"]
    );
}

#[tokio::test]
async fn two_calls_are_answered_together_and_a_slow_one_is_spoken_over() {
    let looks = |name, script| Arc::new(FakeTool::new(name, ActionLevel::Read, script));
    let slow = Script::Takes(Duration::from_millis(2_300), json!({ "events": [] }));
    let mail = looks("mail.find", Script::Returns(json!({ "mails": 2 })));
    let day = looks("day.list", slow);
    let catalog = Catalog::new().with(mail.clone()).with(day.clone());
    let mut room = Room::having(catalog, None).await;
    room.line(1).await;
    room.fake.will(Answer::calls(&[
        ("mail.find", json!({ "q": "budget" })),
        ("day.list", json!({ "day": "today" })),
    ]));
    room.fake.will(Answer::says("Two mails, and the day is free."));

    room.say("anything about the budget and how is my day").await;
    let events = room.until_over().await;

    assert_eq!((mail.calls().len(), day.calls().len()), (1, 1));
    let text = said(&events);
    let order = ["Let me see", "Still looking.", "Two mails, and the day is free."];
    let places: Vec<_> = order.iter().map(|part| text.find(part).expect(&text)).collect();
    assert!(places.is_sorted(), "{text}");
    let told = room.told(1);
    let first = told.iter().position(|it| it == "response.create").unwrap();
    let asked = [
        "conversation.item.create function_call_output",
        "conversation.item.create function_call_output",
        "response.create",
    ];
    assert_eq!(told[first + 1..first + 4], asked, "{told:?}");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn what_it_claims_to_have_done_is_not_heard() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says("Good idea. I have sent the mail to Ana. Anything else?"));
    room.say("would you mail Ana for me").await;
    let events = room.until_over().await;

    let text = said(&events);
    assert!(!text.contains("I have sent"), "{text}");
    let sounded: u64 = events.iter().fold(0, |ms, one| match one.event {
        Event::Sounded { duration_ms, .. } => ms + duration_ms,
        _ => ms,
    });
    // Fifty for every letter that was shown, and a breath for every clause.
    let most = text.chars().count() as u64 * 50 + 6 * 560;
    assert!(sounded <= most, "{sounded} ms for {} letters", text.chars().count());
    assert_eq!(room.fake.mistakes(), [""; 0]);
}
