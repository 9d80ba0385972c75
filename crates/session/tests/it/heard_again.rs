//! Hearing a message once more.

use std::sync::Arc;
use std::time::Duration;

use brain::ids::Uuid;
use brain::input::Hello;
use brain::snapshot::Speaking;
use brain::{Envelope, Event, Input, MessageId};
use session::{Registry, Start};
use testkit::FakeSenses;

use crate::room::{Room, answered, at, codes, kept, with_card};
use crate::{Stage, USER, house, names};

const LONG: &str = "This is a long answer that takes its time to be said from the first word on.";

fn text(text: &str) -> Input {
    Input::Text { text: text.into(), attachments: Vec::new() }
}

/// Says something and hears the answer; which message that was.
async fn told(room: &mut Room, answer: &str) -> MessageId {
    room.will_say(answer);
    room.send(text("are you there")).await;
    room.until_silent().await;
    let events = room.came();
    events[at(&events, "assistant_text.final")].message_id.unwrap()
}

/// How often each message begins and ends to be heard, and whether it was broken off.
fn sounds(events: &[Arc<Envelope>]) -> Vec<(&'static str, MessageId)> {
    let edge = |envelope: &Arc<Envelope>| {
        let what = match envelope.event {
            Event::SoundBegan { .. } => "begins",
            Event::SoundEnded { interrupted: false, .. } => "ends",
            Event::SoundEnded { interrupted: true, .. } => "stops",
            _ => return None,
        };
        Some((what, envelope.message_id.unwrap()))
    };
    events.iter().filter_map(edge).collect()
}

/// The characters of the message that are heard, from the first to the last.
fn heard(events: &[Arc<Envelope>]) -> Option<(usize, usize)> {
    let spans = events.iter().filter_map(|envelope| match envelope.event {
        Event::Sounded { text_start, text_end, .. } if text_end > text_start => {
            Some((text_start, text_end))
        }
        _ => None,
    });
    spans.reduce(|(first, _), (_, last)| (first, last))
}

#[tokio::test(start_paused = true)]
async fn the_rest_is_heard_from_the_sentence_on_in_which_it_was_cut_off() {
    let mut room = Room::new().await;
    let first = "Zoë has two meetings tomorrow.";
    let second = "The first one is at nine, with Leo and Dana.";
    let text = format!("{first} {second}");
    let message = told(&mut room, &text).await;
    let (begins, ends) = (first.chars().count() + 1, text.chars().count());
    for (from_chars, words, span) in [
        (begins + 12, vec![second], (begins, ends)),
        (begins, vec![second], (begins, ends)),
        (3, vec![first, second], (0, ends)),
        // Nobody has so many characters: what was said last is said again.
        (ends + 1000, vec![second], (begins, ends)),
    ] {
        let before = room.senses.spoken().len();
        room.send(Input::Replay { message, from_chars }).await;
        room.until_silent().await;
        let events = room.came();

        assert_eq!(sounds(&events), [("begins", message), ("ends", message)], "{from_chars}");
        assert_eq!(room.senses.spoken()[before..].join(" "), words.join(" "), "{from_chars}");
        assert_eq!(heard(&events), Some(span), "{from_chars}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_words_are_heard_again_and_nothing_else_happens() {
    let mut room = Room::new().await;
    let message = told(&mut room, "Two meetings tomorrow, the first one is at nine.").await;
    let before = room.senses.spoken();

    room.send(Input::Replay { message, from_chars: 0 }).await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!(sounds(&events), [("begins", message), ("ends", message)]);
    assert!(events.iter().all(|one| one.event.name().starts_with("assistant_audio")));
    assert!(events.iter().all(|one| one.seq.is_none()), "it is part of nothing");
    let spoken = room.senses.spoken();
    assert_eq!(spoken[before.len()..], before[..]);

    // And once more: it is not used up.
    room.send(Input::Replay { message, from_chars: 0 }).await;
    room.until_silent().await;
    assert_eq!(sounds(&room.came()), [("begins", message), ("ends", message)]);
}

#[tokio::test(start_paused = true)]
async fn a_second_press_a_stop_and_typed_words_end_it() {
    let mut room = Room::new().await;
    let message = told(&mut room, LONG).await;
    let stops = [("begins", message), ("stops", message)];
    let stop = Input::Interrupt { turn: None, heard_ms: None };
    for second in [Input::Replay { message, from_chars: 0 }, stop, text("stop")] {
        room.send(Input::Replay { message, from_chars: 0 }).await;
        room.listen(Duration::from_secs(1)).await;
        let is_typed = matches!(second, Input::Text { .. });
        if is_typed {
            room.will_say("Okay.");
        }
        room.send(second).await;
        room.until_silent().await;
        let events = room.came();
        assert_eq!(sounds(&events)[..2], stops);
        let cancelled = names(&events).contains(&"turn.cancelled");
        assert!(!cancelled && codes(&events).is_empty(), "{:?}", names(&events));
        assert_eq!(kept(&events).contains(&"turn.start"), is_typed);
    }
}

#[tokio::test(start_paused = true)]
async fn a_press_on_what_is_being_said_for_the_first_time_stops_it_like_any_stop() {
    let mut room = Room::new().await;
    room.will_say(LONG);
    room.send(text("well")).await;
    room.listen(Duration::from_secs(1)).await;
    let events = room.came();
    let message = events[at(&events, "assistant_text.final")].message_id.unwrap();

    room.send(Input::Replay { message, from_chars: 0 }).await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(sounds(&events), [("stops", message)]);
    assert_eq!(kept(&events), ["turn.cancelled"]);

    // What was broken off is heard whole.
    room.send(Input::Replay { message, from_chars: 0 }).await;
    room.until_silent().await;
    assert_eq!(sounds(&room.came()), [("begins", message), ("ends", message)]);
}

#[tokio::test(start_paused = true)]
async fn another_message_takes_its_place_and_what_is_new_waits_for_its_end() {
    let mut room = Room::new().await;
    let (first, second) = (told(&mut room, LONG).await, told(&mut room, "Two meetings.").await);
    room.send(Input::Replay { message: first, from_chars: 0 }).await;
    room.listen(Duration::from_secs(1)).await;
    room.send(Input::Replay { message: second, from_chars: 0 }).await;
    room.until_silent().await;
    let expected = [("begins", first), ("stops", first), ("begins", second), ("ends", second)];
    assert_eq!(sounds(&room.came()), expected);

    // Whoever typed on another device is answered when it is over; the press is newer.
    room.stage.mind.will_think(testkit::parts::Thought {
        says: Some("Here you are.".into()),
        takes: Duration::from_millis(500),
        ..testkit::parts::Thought::default()
    });
    room.send(text("well")).await;
    room.send(Input::Replay { message: first, from_chars: 0 }).await;
    room.listen(Duration::from_secs(2)).await;
    room.send(Input::Replay { message: first, from_chars: 0 }).await;
    room.until_silent().await;
    let events = room.came();
    let new = events[at(&events, "assistant_text.final")].message_id.unwrap();
    let expected = [("begins", first), ("stops", first), ("begins", new), ("ends", new)];
    assert_eq!(sounds(&events), expected);
    assert_eq!(kept(&events).last(), Some(&"turn.end"), "it is over when it was heard");
}

#[tokio::test(start_paused = true)]
async fn only_who_asked_hears_it_and_nobody_else_stops_it_by_leaving() {
    let mut room = Room::new().await;
    let message = told(&mut room, LONG).await;
    // Without a loudspeaker, until somebody presses.
    let (_, mut reader) = room.stage.registry.join(room.session.clone(), Start::Now).await.unwrap();
    let quiet = Hello { plays_audio: Some(false), ..Hello::default() };
    room.session.send(reader.client, None, Input::Hello(quiet)).await.unwrap();
    crate::events(&mut reader).await;
    room.session.send(reader.client, None, Input::Replay { message, from_chars: 0 }).await.unwrap();
    room.listen(Duration::from_secs(1)).await;
    room.session.leave(room.client.client).await;
    let mut events = Vec::new();
    let patience = Duration::from_secs(1);
    while let Ok(Ok(envelope)) = tokio::time::timeout(patience, reader.next()).await {
        events.push(envelope);
    }
    assert_eq!(sounds(&events), [("begins", message), ("ends", message)]);
    assert_eq!(sounds(&room.came()), []);
}

#[tokio::test(start_paused = true)]
async fn it_is_there_after_a_restart_and_how_far_it_was_heard_is_believed() {
    let mut room = Room::new().await;
    let message = told(&mut room, "Two meetings tomorrow, the first one is at nine.").await;
    room.stage.registry.close().await;

    let senses = FakeSenses::default();
    let (mut house, mind) = house(&room.stage.store, tools::Catalog::new());
    house.senses = Arc::new(senses.senses());
    let store = Arc::clone(&room.stage.store);
    let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
    let opened = stage.registry.open(room.session.id, USER).await.unwrap();
    let (session, client) = stage.registry.join(opened, Start::Now).await.unwrap();
    let mut room = Room { stage, senses, session, client, heard: Vec::new() };
    room.send(Input::Replay { message, from_chars: 0 }).await;
    room.listen(Duration::from_secs(1)).await;
    room.send(Input::Played(Speaking { message_id: message, heard_ms: 400 })).await;
    room.send(Input::Replay { message, from_chars: 0 }).await;
    room.until_silent().await;
    // The last report of a client comes behind the end.
    room.send(Input::Played(Speaking { message_id: message, heard_ms: 450 })).await;
    let events = room.came();
    assert_eq!(codes(&events), [""; 0]);
    let heard = events.iter().find_map(|one| match one.event {
        Event::SoundEnded { heard_chars, .. } => heard_chars,
        _ => None,
    });
    assert_eq!(heard, Some(3), "Two");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_not_ours_or_not_theirs_to_hear_is_answered_alike() {
    let mut room = Room::new().await;
    let (other, mut client) = room.stage.session().await;
    room.stage.ask(&other, &client).await;
    let events = crate::events(&mut client).await;
    let of_other = events[at(&events, "assistant_text.final")].message_id.unwrap();
    room.will_say("Yes.");
    room.send(text("well")).await;
    room.until_silent().await;
    let events = room.came();
    let own = events[at(&events, "input_transcript.final")].message_id.unwrap();

    let mut answers = Vec::new();
    for message in [of_other, own, MessageId(Uuid::from_u128(99))] {
        room.send(Input::Replay { message, from_chars: 0 }).await;
        room.until_silent().await;
        let events = room.came();
        let [only] = events.as_slice() else { panic!("{:?}", names(&events)) };
        answers.push(only.event.clone());
    }
    assert!(matches!(&answers[0], Event::Failed { code, .. } if code == "unknown_message"));
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

#[tokio::test(start_paused = true)]
async fn a_press_that_is_sent_twice_is_one_press() {
    let mut room = Room::new().await;
    let message = told(&mut room, LONG).await;
    for _ in 0..2 {
        let (press, name) =
            (Input::Replay { message, from_chars: 0 }, Some("evt_press".to_owned()));
        room.session.send(room.client.client, name, press).await.unwrap();
        room.listen(Duration::from_millis(500)).await;
    }
    room.until_silent().await;
    let events = room.came();
    assert_eq!(sounds(&events), [("begins", message), ("ends", message)]);
    assert!(names(&events).contains(&"input.repeated"));
}

#[tokio::test(start_paused = true)]
async fn without_a_voice_that_is_said() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    let press = Input::Replay { message: MessageId(Uuid::from_u128(1)), from_chars: 0 };
    session.send(client.client, None, press).await.unwrap();
    assert_eq!(codes(&crate::events(&mut client).await), ["speech_unavailable"]);
}

#[tokio::test(start_paused = true)]
async fn a_yes_after_something_else_was_heard_again_decides_no_card() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    let events = room.came();
    let question = events[at(&events, "assistant_text.final")].message_id.unwrap();
    // An earlier answer, which asks something of its own.
    let other = told(&mut room, "Shall I read on?").await;
    room.send(Input::Replay { message: question, from_chars: 0 }).await;
    room.until_silent().await;
    room.send(Input::Replay { message: other, from_chars: 0 }).await;
    room.until_silent().await;
    room.say("yes").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None);
    assert!(writer.ledger.effects().is_empty());

    // Of the question only the end: nobody has just heard what it asks about.
    room.send(Input::Replay { message: question, from_chars: usize::MAX }).await;
    room.until_silent().await;
    room.say("yes").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None);

    // The question itself, heard again, can be answered.
    room.send(Input::Replay { message: question, from_chars: 0 }).await;
    room.until_silent().await;
    room.say("yes").await;
    room.until_silent().await;
    assert!(answered(&room.came()).is_some());
    assert_eq!(writer.ledger.effects().len(), 1);
}
