//! Talking to a session, and being answered aloud.

use std::sync::Arc;
use std::time::Duration;

use brain::event::InputMode;
use brain::input::Hello;
use brain::{Event, Input, Outcome};
use session::{Registry, Start};
use store::Turns;
use testkit::FakeSenses;

use crate::room::{Room, at, codes, kept, partials, with_card};
use crate::{Stage, USER, house, names, note};

#[tokio::test(start_paused = true)]
async fn words_appear_while_they_are_said_and_the_answer_is_heard_before_the_turn_ends() {
    let mut room = Room::new().await;
    room.will_say("Two meetings tomorrow.");
    room.say("what meetings do I have tomorrow").await;
    room.until_silent().await;
    let events = room.came();

    assert!(partials(&events).len() >= 2, "{:?}", names(&events));
    assert!("what meetings do I have tomorrow".starts_with(partials(&events)[0]));
    let expected = ["turn.start", "input_transcript.final", "assistant_text.final", "turn.end"];
    assert_eq!(kept(&events), expected);
    assert!(matches!(
        events[at(&events, "turn.start")].event,
        Event::TurnStarted { input_mode: InputMode::Voice, .. }
    ));
    let order = ["assistant_text.final", "assistant_audio.end", "turn.end"];
    let places = order.map(|name| at(&events, name));
    assert!(places.is_sorted(), "{:?}", names(&events));
    let spoken: u64 = events.iter().fold(0, |ms, envelope| match envelope.event {
        Event::Sounded { duration_ms, .. } => ms + duration_ms,
        _ => ms,
    });
    assert!(spoken > 1_000, "{spoken}");
    let turn = events[at(&events, "turn.end")].turn_id.unwrap();
    let row = room.stage.store.turn(turn).await.unwrap().unwrap();
    assert!(row.figures.first_audio_us.is_some() && row.figures.drift_permille.is_some());
}

#[tokio::test(start_paused = true)]
async fn sound_is_handed_out_little_ahead_of_where_it_is_played() {
    let mut room = Room::new().await;
    room.will_say("This is a long answer that takes its time to be said from the first word on.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_secs(1)).await;
    let sent: u64 = room.came().iter().fold(0, |ms, envelope| match envelope.event {
        Event::Sounded { duration_ms, .. } => ms + duration_ms,
        _ => ms,
    });
    assert!((900..=1_400).contains(&sent), "{sent} ms in one second");
}

/// Somebody who has told us how to speak.
struct Told;

#[async_trait::async_trait]
impl session::Manners for Told {
    async fn manner(&self, user: brain::UserId) -> tools::local::Manner {
        assert_eq!(user, USER);
        let like = brain::facts::SaidLike { word: "Siobhan".into(), like: "Chevonne".into() };
        tools::local::Manner { percent: Some(70), names: vec![like] }
    }
}

#[tokio::test(start_paused = true)]
async fn everybody_is_spoken_to_as_they_said() {
    let (store, senses) = (Arc::default(), FakeSenses::default());
    let (mut house, mind) = house(&store, tools::Catalog::new());
    house.senses = Arc::new(senses.senses());
    house.manners = Arc::new(Told);
    let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
    let (session, client) = stage.session().await;
    let mut room = Room { stage, senses, session, client, heard: Vec::new() };
    let plays = Hello { plays_audio: Some(true), ..Hello::default() };
    room.send(Input::Hello(plays)).await;
    room.will_say("Siobhan wrote.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.until_silent().await;
    let manner = room.senses.manner().unwrap();
    assert!((manner.speed - 0.7).abs() < 1e-6);
    let like = speech::tts::Pronunciation::Like("Chevonne".into());
    assert_eq!(manner.pronunciations.of("Siobhan"), Some(&like));
}

#[tokio::test(start_paused = true)]
async fn a_voice_that_breaks_down_takes_nothing_from_the_text() {
    let mut room = Room::new().await;
    room.senses.loses_its_voice();
    room.will_say("Two meetings.");
    room.say("what meetings do I have").await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(kept(&events)[2..], ["assistant_text.final", "turn.end"]);
    assert_eq!(room.senses.spoken(), ["Two meetings."]);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_was_being_spoken_when_the_server_died_was_answered() {
    let mut room = Room::new().await;
    room.will_say("This is a long answer that takes its time to be said from the first word on.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_secs(1)).await;
    assert!(!kept(&room.came()).contains(&"turn.end"));

    let after = Stage::on(Arc::clone(&room.stage.store));
    let woken = after.registry.open(room.session.id, USER).await.unwrap();
    let (_, mut client) = after.registry.join(woken, crate::after(0)).await.unwrap();
    let events = crate::events(&mut client).await;
    let ended = Event::ended(Outcome::Success, None);
    assert!(events.iter().any(|envelope| envelope.event == ended), "{:?}", names(&events));
}

#[tokio::test(start_paused = true)]
async fn a_write_whose_outcome_was_being_spoken_when_the_server_died_is_not_told_as_failed() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    room.say("yes").await;
    room.came();
    assert_eq!(writer.ledger.effects().len(), 1);

    let after = Stage::on(Arc::clone(&room.stage.store)).having(note::with(&writer));
    let woken = after.registry.open(room.session.id, USER).await.unwrap();
    let (_, mut client) = after.registry.join(woken, crate::after(0)).await.unwrap();
    let events = crate::events(&mut client).await;
    let ended = Event::ended(Outcome::Success, None);
    assert!(events.iter().any(|envelope| envelope.event == ended), "{:?}", names(&events));
    assert_eq!((codes(&events), writer.ledger.effects().len()), (vec![], 1));
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_over_when_nobody_listens_any_more() {
    let mut room = Room::new().await;
    let (_, mut silent) = room.stage.registry.join(room.session.clone(), Start::Now).await.unwrap();
    room.will_say("This is a long answer that takes its time to be said from the first word on.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.session.leave(room.client.client).await;
    let events = crate::events(&mut silent).await;
    assert_eq!(kept(&events).last(), Some(&"turn.end"));
    let sound = events.iter().filter(|one| one.event.name().starts_with("assistant_audio"));
    assert_eq!(sound.count(), 0, "nobody asked for sound there");
}

#[tokio::test(start_paused = true)]
async fn how_much_was_heard_when_the_listener_went_away_is_told_with_the_end_of_the_turn() {
    let long = "This is a long answer that takes its time to be said from the first word on.";
    let mut room = Room::new().await;
    room.will_say(long);
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_millis(1_200)).await;
    room.session.leave(room.client.client).await;

    // Whoever comes back reads it where it was left.
    let back = crate::after(0);
    let (_, mut client) = room.stage.registry.join(room.session.clone(), back).await.unwrap();
    let events = crate::events(&mut client).await;
    let heard = events.iter().find_map(|envelope| match &envelope.event {
        Event::TurnEnded { outcome: Outcome::Success, heard_chars, .. } => Some(*heard_chars),
        _ => None,
    });
    let heard = heard.flatten().expect("it was not heard to its end");
    assert!((10..30).contains(&heard), "{heard} at 50 ms a letter");

    // What is said to its end afterwards was heard.
    room.client = client;
    room.send(Input::Hello(Hello { plays_audio: Some(true), ..Hello::default() })).await;
    room.will_say("Two meetings.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.until_silent().await;
    let ended = Event::ended(Outcome::Success, None);
    assert!(room.came().iter().any(|envelope| envelope.event == ended));
}

#[tokio::test(start_paused = true)]
async fn who_is_spoken_to_with_a_backup_voice_is_told_once() {
    let mut room = Room::new().await;
    let (told, text) =
        ("backup_voice", |text: &str| Input::Text { text: text.into(), attachments: Vec::new() });
    room.will_say("Two meetings.");
    room.send(text("well")).await;
    room.until_silent().await;
    assert_eq!(codes(&room.came()), [""; 0]);

    room.senses.stands_in();
    for expected in [vec![told], vec![]] {
        room.will_say("Two meetings. Both are tomorrow.");
        room.send(text("well")).await;
        room.until_silent().await;
        let events = room.came();
        assert_eq!(codes(&events), expected);
        assert_eq!(kept(&events).last(), Some(&"turn.end"), "it changes nothing");
    }
}
