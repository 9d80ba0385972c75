//! A yes and a no that are spoken: which of them decide a card.

use std::sync::Arc;
use std::time::Duration;

use brain::confirmation::Channel;
use brain::input::{Decision, Hello};
use brain::plan::{Proposal, ProposedStep};
use brain::policy::Care;
use brain::resolve::keywords::Keywords;
use brain::{Envelope, Event, Input};
use serde_json::json;
use testkit::parts::Thought;
use testkit::senses::silence;
use testkit::writer::Fortune;

use crate::room::{Room, answered, codes, heard, with_card};
use crate::{names, note};

#[tokio::test(start_paused = true)]
async fn a_yes_behind_the_question_is_a_say_so_and_done_once() {
    let (mut room, writer) = with_card().await;
    room.came();
    room.until_silent().await;
    room.say("yes").await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!(answered(&events), Some((Decision::Accept, Channel::Voice)), "{:?}", names(&events));
    let effects: Vec<usize> = writer.ledger.effects().values().map(Vec::len).collect();
    assert_eq!((effects, writer.ledger.stolen()), (vec![1], 0));
}

#[tokio::test(start_paused = true)]
async fn a_yes_behind_which_no_more_sound_comes_decides_nothing() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    room.came();
    let sound = room.senses.says("yes do it now", 1.0);
    room.play(sound).await;
    room.listen(Duration::from_secs(4)).await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!((heard(&events), answered(&events)), (vec!["yes do it now"], None));
    assert!(writer.ledger.effects().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_yes_with_a_gap_in_it_decides_nothing() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    room.came();
    let sound = room.senses.says("yes do it now", 1.0);
    room.play(sound).await;
    // A word was said here that never came.
    room.listen(Duration::from_millis(700)).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!((heard(&events), answered(&events)), (vec!["yes do it now"], None));
    assert!(writer.ledger.effects().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_yes_into_the_question_decides_nothing() {
    let (mut room, writer) = with_card().await;
    room.came();
    room.say("yes do it now").await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!(answered(&events), None);
    assert!(writer.ledger.effects().is_empty());
    assert_eq!(heard(&events), ["yes do it now"]);
}

#[tokio::test(start_paused = true)]
async fn a_yes_behind_a_question_that_was_cut_off_decides_nothing_until_it_was_heard() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    room.say("no").await;
    room.until_silent().await;
    room.stage.mind.will_think(note::thought("called again"));
    room.send(Input::Text { text: "note that".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_millis(400)).await;
    room.send(Input::Interrupt { turn: None, heard_ms: None }).await;
    room.came();

    room.say("yes do it now").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None, "nobody heard the question");
    assert!(writer.ledger.effects().is_empty());

    room.say("yes do it now").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), Some((Decision::Accept, Channel::Voice)));
}

#[tokio::test(start_paused = true)]
async fn an_unclear_yes_and_a_late_bare_one_decide_nothing() {
    for (sure, later) in [(0.3, 1), (1.0, 15)] {
        let (mut room, writer) = with_card().await;
        room.until_silent().await;
        room.came();
        for _ in 1..later {
            room.play(silence(1_000)).await;
        }
        let sound = room.senses.says("yes", sure);
        room.play(sound).await;
        room.play(silence(1_500)).await;
        room.until_silent().await;
        assert_eq!(answered(&room.came()), None, "{sure} {later}");
        assert!(writer.ledger.effects().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_bare_yes_counts_behind_what_was_last_told_of_the_card() {
    for plays_audio in [true, false] {
        let (mut room, writer) = with_card().await;
        let hello =
            Hello { plays_audio: Some(plays_audio), cancels_echo: true, ..Hello::default() };
        room.send(Input::Hello(hello)).await;
        room.until_silent().await;
        room.say("hm maybe").await;
        room.until_silent().await;
        room.came();
        room.say("yes").await;
        room.until_silent().await;
        let events = room.came();
        let yes = Some((Decision::Accept, Channel::Voice));
        assert_eq!(answered(&events), yes, "{plays_audio} {events:#?}");
        assert_eq!(writer.ledger.effects().len(), 1);
    }
}

fn told(events: &[Arc<Envelope>]) -> String {
    let said = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.as_str()),
        _ => None,
    });
    said.collect::<Vec<_>>().join(" | ")
}

#[tokio::test(start_paused = true)]
async fn a_yes_behind_what_may_have_been_a_change_is_first_told_what_stands_there() {
    for plays_audio in [true, false] {
        let (mut room, writer) = with_card().await;
        let hello =
            Hello { plays_audio: Some(plays_audio), cancels_echo: true, ..Hello::default() };
        room.send(Input::Hello(hello)).await;
        room.until_silent().await;
        room.say("not monday").await;
        room.until_silent().await;
        assert!(told(&room.came()).contains("waits for a clear answer"));

        room.say("yes").await;
        room.until_silent().await;
        let events = room.came();
        assert_eq!(answered(&events), None, "{plays_audio}");
        assert!(told(&events).starts_with("I changed nothing on it."), "{}", told(&events));
        assert!(writer.ledger.effects().is_empty());

        room.say("yes").await;
        room.until_silent().await;
        assert_eq!(answered(&room.came()), Some((Decision::Accept, Channel::Voice)));
        assert_eq!(writer.ledger.effects().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_talked_over_the_question_is_told_that_they_did_not_hear_it() {
    let (mut room, writer) = with_card().await;
    room.say("hm maybe").await;
    room.until_silent().await;
    assert_eq!(heard(&room.came()).last(), Some(&"hm maybe"));

    room.listen(Duration::from_secs(3)).await;
    room.say("yes").await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(answered(&events), None);
    assert!(told(&events).starts_with("You didn't hear all of it: "), "{}", told(&events));

    room.say("yes").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), Some((Decision::Accept, Channel::Voice)));
    assert_eq!(writer.ledger.effects().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_no_counts_also_into_the_question() {
    let (mut room, writer) = with_card().await;
    room.came();
    room.say("no don't do that").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), Some((Decision::Reject, Channel::Voice)));
    assert!(writer.ledger.effects().is_empty());
}

#[tokio::test(start_paused = true)]
async fn more_time_for_a_card_does_not_make_its_question_new() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    let asked = room.came().iter().find_map(|envelope| match &envelope.event {
        Event::AskedToConfirm(card) => Some(card.confirmation_request_id.to_string()),
        _ => None,
    });
    room.listen(Duration::from_mins(1)).await;
    room.send(Input::Extend { question: asked.unwrap() }).await;
    room.say("yes").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None);
    assert!(writer.ledger.effects().is_empty());
}

/// A mail to somebody new.
fn mail_to_zoe() -> Thought {
    let args = json!({ "to": ["zoe@harbor.example"], "subject": "Hi", "body": "See you at five." });
    let steps = vec![ProposedStep { tool: note::TOOL.into(), args }];
    Thought { proposal: Proposal { steps, ..Proposal::default() }, ..Thought::default() }
}

#[tokio::test(start_paused = true)]
async fn a_bare_yes_writes_to_nobody_whose_address_was_only_heard() {
    let writer = note::writer(Fortune::Does(json!({ "id": 1 })));
    let mut room = Room::having(note::with(&writer)).await;
    room.stage.mind.will_think(mail_to_zoe());
    room.say("email zoe at harbor dot example see you at five").await;
    room.until_silent().await;
    let events = room.came();
    let card = events.iter().find_map(|envelope| match &envelope.event {
        Event::AskedToConfirm(question) => Some(question.card.clone()),
        _ => None,
    });
    let card = card.expect("a card");
    let codes_of: Vec<_> = card.warnings.iter().map(|one| one.code.as_str()).collect();
    assert_eq!((card.voice, codes_of), (Care::Readback, vec!["address_heard"]));
    let doubt = "I heard the address as zoe@harbor.example. Is it spelled right?";
    assert!(card.speakable.contains(doubt), "{}", card.speakable);
    assert!(room.senses.spoken().iter().any(|said| said.contains("zoe@harbor.example")));

    room.say("yes").await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(answered(&events), None, "{:?} {:?}", names(&events), codes(&events));
    assert!(writer.ledger.effects().is_empty());

    room.say("yes send it to zoe at harbor dot example").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), Some((Decision::Accept, Channel::Voice)));
    assert_eq!((writer.ledger.effects().len(), writer.ledger.stolen()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_stranger_whose_address_was_typed_is_written_to_by_a_yes_that_tells_what_to_do() {
    let writer = note::writer(Fortune::Does(json!({ "id": 1 })));
    let mut room = Room::having(note::with(&writer)).await;
    room.stage.mind.will_think(mail_to_zoe());
    let text = "email zoe@harbor.example see you at five".into();
    room.send(Input::Text { text, attachments: Vec::new() }).await;
    room.until_silent().await;
    room.came();
    // As ears write "yes, send it": it may have been anything.
    for bare in ["yes", "yes senate"] {
        room.say(bare).await;
        room.until_silent().await;
        assert_eq!(answered(&room.came()), None, "{bare}");
        assert!(writer.ledger.effects().is_empty());
    }
    room.say("yes send it").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), Some((Decision::Accept, Channel::Voice)));
    assert_eq!(writer.ledger.effects().len(), 1);
}

/// The title and the warnings of the card that was shown.
fn titled(events: &[Arc<Envelope>]) -> Option<(String, Vec<String>)> {
    events.iter().find_map(|envelope| match &envelope.event {
        Event::AskedToConfirm(question) => {
            let title = question.card.payload["title"].as_str().unwrap_or_default().to_owned();
            let warnings = question.card.warnings.iter().map(|one| one.text.clone()).collect();
            Some((title, warnings))
        }
        _ => None,
    })
}

#[tokio::test(start_paused = true)]
async fn a_title_that_was_heard_is_written_like_the_keyword_and_a_typed_one_as_it_was_typed() {
    let keywords = Keywords::new(&["Brightloom".to_owned()]).unwrap();
    let writer = note::writer(Fortune::Does(json!({ "id": 1 })));
    let mut room = Room::knowing(keywords, note::with(&writer)).await;
    let review = || {
        let args = json!({ "title": "Bright loom review" });
        let steps = vec![ProposedStep { tool: note::TOOL.into(), args }];
        Thought { proposal: Proposal { steps, ..Proposal::default() }, ..Thought::default() }
    };
    room.stage.mind.will_think(review());
    room.say("note a bright loom review").await;
    room.until_silent().await;
    let took = "I took “Bright loom” for Brightloom".to_owned();
    assert_eq!(titled(&room.came()), Some(("Brightloom review".to_owned(), vec![took])));

    room.stage.mind.will_think(review());
    let text = "note a bright loom review".to_owned();
    room.send(Input::Text { text, attachments: Vec::new() }).await;
    room.until_silent().await;
    assert_eq!(titled(&room.came()), Some(("Bright loom review".to_owned(), Vec::new())));
}
