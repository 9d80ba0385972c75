//! Whoever is talked over, cut off, or typed to instead.

use std::time::Duration;

use brain::{Event, Input};
use testkit::realtime::Answer;

use crate::room::{PATIENCE, Room, nothing, said};

#[tokio::test]
async fn it_is_told_where_it_was_cut_off() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer {
        between: Duration::from_millis(20),
        ..Answer::says(
            "Blue light is scattered most, so it comes from everywhere in the sky at once.",
        )
    });
    room.say("why is the sky so blue").await;
    let begun =
        |event: &Event| matches!(event, Event::Sounded { start_ms, .. } if *start_ms > 2_600);
    room.until("its own words", begun).await;
    room.send(Input::Interrupt { turn: None, heard_ms: Some(2_500) }).await;
    let cut = room.until_over().await;

    let heard = cut.iter().find_map(|one| match one.event {
        Event::TurnCancelled { heard_ms, heard_chars, .. } => heard_ms.zip(heard_chars),
        _ => None,
    });
    let (heard_ms, heard_chars) = heard.expect("it was cut off");
    assert_eq!(heard_ms, 2_500);
    let truncated = async {
        loop {
            let came = room.fake.came(1);
            let found = came.iter().find(|it| it["type"] == "conversation.item.truncate").cloned();
            if let Some(found) = found {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let truncated = tokio::time::timeout(PATIENCE, truncated).await.expect("it is told");
    // "Let me think about that." and the breath behind it came first.
    assert_eq!(truncated["audio_end_ms"], 2_500 - 24 * 50 - 320);
    assert!((25..60).contains(&heard_chars), "{heard_chars}");
    assert_eq!(room.fake.mistakes(), [""; 0]);

    room.fake.will(Answer::says("As I said, light is scattered."));
    room.say("what was that about light").await;
    let next = room.until_over().await;
    assert!(said(&next).ends_with("As I said, light is scattered."));
    assert_eq!(room.fake.mistakes(), [""; 0], "one answer at a time");
}

#[tokio::test]
async fn whoever_talks_over_it_is_heard_and_it_stops() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says(
        "Blue light is scattered most, so it comes from everywhere in the sky at once, and so on.",
    ));
    room.say("why is the sky so blue").await;
    let begun =
        |event: &Event| matches!(event, Event::Sounded { start_ms, .. } if *start_ms > 2_000);
    room.until("its own words", begun).await;
    room.fake.will(Answer::says("Then the grass."));
    room.say("enough now tell me about green").await;
    let cut = room.until_over().await;

    assert!(cut.iter().any(|one| matches!(one.event, Event::TurnCancelled { .. })));
    let next = room.until_over().await;
    assert!(said(&next).ends_with("Then the grass."), "{}", said(&next));
    let told = room.told(1);
    let cuts = told.iter().filter(|it| *it == "conversation.item.truncate").count();
    assert_eq!(cuts, 1, "{told:?}");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn what_was_begun_aloud_and_typed_instead_is_in_no_later_sentence() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let sound = room.senses.says("send everything I have to everybody right now", 1.0);
    room.play(sound).await;
    room.until("words so far", |event| matches!(event, Event::HeardDelta { .. })).await;
    let text = "no wait".to_owned();
    room.send(Input::Text { text, attachments: Vec::new() }).await;
    room.until_over().await;

    let cleared = async {
        while !room.told(1).contains(&"input_audio_buffer.clear".to_owned()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, cleared).await.expect("what it heard of it is taken back");
    assert!(!room.told(1).contains(&"input_audio_buffer.commit".to_owned()));
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn whoever_is_talked_over_while_it_thinks_still_answers_in_writing() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let after = Duration::from_millis(2_500);
    room.fake.will(Answer { after, ..Answer::says("Light is scattered.") });
    room.fake.will(Answer::says("The sea mirrors the sky."));
    room.say("why is the sky so blue").await;
    room.until("our own words", |event| matches!(event, Event::Sounded { .. })).await;
    room.say("and what about the sea then").await;

    let first = room.until_over().await;
    let text = "Let me think about that. Still thinking. Light is scattered.";
    assert_eq!(said(&first), text, "nothing of it was lost");
    let second = room.until_over().await;
    assert!(said(&second).ends_with("The sea mirrors the sky."), "{}", said(&second));
    assert!(!room.told(1).contains(&"response.cancel".to_owned()), "{:?}", room.told(1));
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn however_long_it_thinks_nothing_of_what_it_answers_is_lost_to_whoever_talks_on() {
    let talked_over = async |after_ms: u64| {
        let mut room = Room::having(nothing(), None).await;
        room.line(1).await;
        let after = Duration::from_millis(after_ms);
        room.fake.will(Answer { after, ..Answer::says("Light is scattered.") });
        room.fake.will(Answer::says("The sea mirrors the sky."));
        room.say("why is the sky so blue").await;
        let mut first =
            room.until("our own words", |event| matches!(event, Event::Sounded { .. })).await;
        room.say("and what about the sea then").await;
        first.extend(room.until_over().await);
        let second = room.until_over().await;
        assert_eq!(room.fake.mistakes(), [""; 0], "{after_ms} ms");
        let names: Vec<_> = first.iter().map(|one| one.event.name()).collect();
        assert!(names.contains(&"assistant_text.final"), "{after_ms} ms: {names:?}");
        assert!(said(&second).ends_with("The sea mirrors the sky."), "{}", said(&second));
        assert!(said(&first).ends_with("Light is scattered."), "{after_ms}: {}", said(&first));
    };
    let waits = [300, 600, 900, 1_200, 1_500, 1_800, 2_100].map(talked_over);
    futures_util::future::join_all(waits).await;
}
