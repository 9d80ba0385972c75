//! What it may know, what it knows, and what that costs.

use std::sync::Arc;
use std::time::Duration;

use brain::{Event, Input, Profile};
use serde_json::json;
use session::meter::Caps;
use store::{Costs, EventLog};
use testkit::realtime::Answer;
use testkit::writer::Fortune;
use testkit::{FakeRealtime, FakeWriter};
use tools::{Catalog, Tool};

use crate::room::{PATIENCE, Room, USER, codes, nothing, said};

#[tokio::test]
async fn who_wants_nothing_to_leave_this_machine_is_heard_by_our_own_ears_alone() {
    let person = Profile { cloud_models: false, ..Profile::new("UTC") };
    let mut room = Room::of(person, FakeRealtime::start().await, nothing(), None).await;

    room.say("why is the sky so blue").await;
    room.until_over().await;

    assert_eq!(room.fake.lines(), 0, "nobody was called");
    assert!(!room.senses.spoken().is_empty(), "our own voice answers");
}

#[tokio::test]
async fn the_line_is_hung_up_once_nothing_may_leave_any_more() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let house = Arc::clone(room.registry.house());
    house.switch(USER, Some("escalate_to_cloud".into()), true).await.unwrap();
    // It is looked at with every knock.
    tokio::time::sleep(Duration::from_millis(5_500)).await;

    room.say("nobody else may hear this").await;
    let events = room.until_over().await;

    let heard = events.iter().any(|one| matches!(&one.event, Event::Heard { text, .. } if text == "nobody else may hear this"));
    assert!(heard, "our own ears hear it");
    assert_eq!(room.fake.items(), [], "and nobody else");
    assert_eq!(room.fake.lines(), 1);
}

#[tokio::test]
async fn where_a_cap_is_reached_our_own_ears_and_voice_take_over() {
    let caps = Caps { micros_each: 1, ..Caps::default() };
    let person = Profile::new("UTC");
    let fake = FakeRealtime::start().await;
    let mut room = Room::capped(caps, person, fake, nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says("Light is scattered."));
    room.say("why is the sky so blue").await;
    room.until_over().await;
    // It is looked at with every knock.
    tokio::time::sleep(Duration::from_millis(5_500)).await;
    let before = room.fake.items().len();

    room.say("and why is it red at night").await;
    let events = room.until_over().await;

    assert!(codes(&events).contains(&"backup_ears"), "{:?}", codes(&events));
    assert_eq!((room.fake.lines(), room.fake.items().len()), (1, before), "nothing more is paid");
    assert!(!room.senses.spoken().is_empty(), "our own voice answers");
}

#[tokio::test]
async fn a_secret_is_read_aloud_by_our_own_voice_alone() {
    let writer = Arc::new(FakeWriter::new("crm.note", vec![Fortune::Does(json!({ "id": 1 }))]));
    let mut room = Room::having(Catalog::new().with(writer as Arc<dyn Tool>), None).await;
    room.line(1).await;
    let note = json!({ "text": "The gate code is 9913." });
    room.fake.will(Answer::calls(&[("crm.note", note)]));
    room.say("please jot down how the gate opens").await;
    let events = room.until_heard().await;

    let ours = room.senses.spoken().join(" ");
    assert!(ours.contains("9913"), "{ours} of {:?}", said(&events));
    let read = room.fake.came(1).into_iter().filter(|it| it["response"]["conversation"] == "none");
    for reads in read {
        let told = reads.to_string();
        assert!(!told.contains("9913") && !told.contains("nine thousand"), "{told}");
    }
    assert!(!codes(&events).contains(&"backup_voice"), "it is well: {:?}", codes(&events));
}

#[tokio::test]
async fn what_was_typed_and_what_was_read_meanwhile_is_known_to_it() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says("Nice to meet you."));
    room.say("hello there my friend").await;
    room.until_over().await;
    let text = "I typed this".to_owned();
    room.send(Input::Text { text, attachments: Vec::new() }).await;
    room.until_over().await;

    let known = |items: &[testkit::realtime::Kept]| {
        items.iter().any(|it| it.role == "user" && it.text == "I typed this")
    };
    let told = async {
        while !known(&room.fake.items()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, told).await.expect("it is told what was typed");
    assert_eq!(room.fake.mistakes(), [""; 0]);
    assert!(room.store.last(room.session.id, 10).await.unwrap().len() >= 4);
}

#[tokio::test]
async fn what_it_heard_and_read_is_on_record_also_where_a_card_is_left_open() {
    let writer = Arc::new(FakeWriter::new("crm.note", vec![Fortune::Does(json!({ "id": 1 }))]));
    let catalog = Catalog::new().with(writer as Arc<dyn Tool>);
    let mut room = Room::having(catalog, None).await;
    room.line(1).await;
    room.fake.will(Answer::calls(&[("crm.note", json!({ "text": "called" }))]));
    room.say("please jot down that I called").await;
    let events = room.until_heard().await;
    let turn = events.iter().find_map(|one| one.turn_id).expect("a turn");
    room.session.leave(room.client.client).await;

    let billed = async {
        loop {
            let rows = room.store.model_calls(turn).await.unwrap();
            if let Some(row) = rows.into_iter().find(|row| row.number > 1_000) {
                return row;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let row = tokio::time::timeout(PATIENCE, billed).await.expect("it is on record");
    // Written down for ten tokens, and at least one clause read for a hundred.
    assert!(row.input_tokens >= 110 && row.cost_micros > 72, "{row:?}");
    let rows = room.store.model_calls(turn).await.unwrap();
    let answer = rows.iter().find(|row| row.number < 1_000).expect("what it answered");
    assert!(answer.request_id.is_some(), "and what it is called there: {answer:?}");
}
