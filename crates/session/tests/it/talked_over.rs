//! Somebody talks over us, types, or stops us.

use std::sync::Arc;
use std::time::Duration;

use brain::plan::{Proposal, ProposedStep};
use brain::{Event, Input};
use serde_json::json;
use testkit::FakeTool;
use testkit::parts::{Script, Thought};
use testkit::senses::silence;

use crate::names;
use crate::room::{Room, at, cancelled, heard, kept};

#[tokio::test(start_paused = true)]
async fn who_talks_over_it_is_heard_and_what_they_heard_is_kept() {
    let mut room = Room::new().await;
    room.will_say("You have nine meetings tomorrow, and the first of them is at seven.");
    room.say("what meetings do I have").await;
    room.listen(Duration::from_millis(800)).await;
    room.came();

    room.will_say("Okay.");
    room.say("stop it please").await;
    room.until_silent().await;
    let events = room.came();

    let order = ["assistant_audio.level", "assistant_audio.end", "turn.cancelled", "turn.start"];
    let places = order.map(|name| at(&events, name));
    assert!(places.is_sorted(), "{:?}", names(&events));
    let (ms, chars) = cancelled(&events).unwrap();
    assert!((500..4_000).contains(&ms.unwrap()), "{ms:?}");
    assert!((5..60).contains(&chars.unwrap()), "{chars:?}");
    assert_eq!(heard(&events), ["stop it please"]);
    let sound = events.iter().skip(at(&events, "turn.cancelled"));
    let stopped = events[at(&events, "turn.cancelled")].turn_id;
    let after = sound.filter(|envelope| envelope.turn_id == stopped);
    assert!(!after.map(|one| one.event.name()).any(|name| name == "assistant_audio.chunk"));
}

#[tokio::test(start_paused = true)]
async fn a_sound_of_listening_does_not_stop_it() {
    let mut room = Room::new().await;
    room.will_say("You have nine meetings tomorrow, and the first of them is at seven.");
    room.say("what meetings do I have").await;
    room.listen(Duration::from_millis(300)).await;
    room.came();

    let mut nod = room.senses.says("mhm", 1.0);
    nod.samples.truncate(3_200);
    room.play(nod).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!(kept(&events), ["turn.end"]);
    let gains = events.iter().filter_map(|envelope| match envelope.event {
        Event::SoundLevel { gain } => Some(gain),
        _ => None,
    });
    assert_eq!(gains.collect::<Vec<_>>(), [0.2, 1.0]);
}

#[tokio::test(start_paused = true)]
async fn whoever_only_hummed_for_long_hears_the_rest_of_it() {
    let mut room = Room::new().await;
    room.will_say("You have nine meetings tomorrow. The first of them is at seven.");
    room.send(Input::Text { text: "what meetings do I have".into(), attachments: vec![] }).await;
    room.listen(Duration::from_millis(1_700)).await;
    room.came();

    // Long enough to interrupt, and like no word at all.
    let mut hum = room.senses.says("and the", 0.3);
    hum.samples = hum.samples.repeat(2);
    room.play(hum).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!(heard(&events), [""; 0]);
    let [cut, on] = ["assistant_audio.end", "assistant_audio.start"];
    assert!(at(&events, cut) < at(&events, on), "{:?}", names(&events));
    assert_eq!(room.senses.spoken().last().unwrap().trim(), "The first of them is at seven.");
    let is_over = |event: &Event| matches!(event, Event::SoundEnded { interrupted: false, .. });
    assert!(events.iter().any(|one| is_over(&one.event)), "{:?}", names(&events));
}

#[tokio::test(start_paused = true)]
async fn what_keeps_being_broken_off_by_nobody_is_left_alone() {
    let mut room = Room::new().await;
    room.will_say("You have nine meetings tomorrow and all of them are very long ones I fear.");
    room.send(Input::Text { text: "what meetings do I have".into(), attachments: vec![] }).await;
    room.listen(Duration::from_millis(300)).await;
    for _ in 0..3 {
        let sound = room.senses.says("mhm mhm mhm mhm mhm mhm mhm mhm", 1.0);
        room.play(sound).await;
        room.play(silence(1_000)).await;
    }
    room.until_silent().await;
    let events = room.came();
    let begun = names(&events).iter().filter(|name| **name == "assistant_audio.start").count();
    assert_eq!((begun, heard(&events).len()), (3, 1), "{:?}", names(&events));
}

#[tokio::test(start_paused = true)]
async fn typed_words_and_a_stop_end_what_is_being_said_at_once() {
    let mut room = Room::new().await;
    let long = "This is a long answer that takes its time to be said from the first word on.";
    let text = |text: &str| Input::Text { text: text.into(), attachments: Vec::new() };
    room.will_say(long);
    room.send(text("well")).await;
    room.listen(Duration::from_secs(1)).await;
    room.came();

    room.will_say(long);
    room.send(text("go on")).await;
    room.listen(Duration::from_secs(1)).await;
    let events = room.came();
    assert!(at(&events, "turn.cancelled") < at(&events, "turn.start"));

    room.send(Input::Interrupt { turn: None, heard_ms: Some(400) }).await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(kept(&events), ["turn.cancelled"]);
    assert_eq!(cancelled(&events), Some((Some(400), Some(7))), "This is");
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_what_is_worked_on_and_what_is_still_being_said() {
    let mut room = Room::new().await;
    room.will_say("This is a long answer that takes its time to be said from the first word on.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.stage.mind.will_think(Thought { takes: Duration::from_mins(1), ..Thought::default() });
    let tool = session::SessionHandle::run(&room.session, None, "no.tool".into(), json!({}));
    let _ = tokio::time::timeout(Duration::from_millis(10), tool).await;
    room.listen(Duration::from_millis(300)).await;
    room.send(Input::Interrupt { turn: None, heard_ms: None }).await;
    room.until_silent().await;
    let events = room.came();
    let begun = kept(&events).iter().filter(|name| **name == "turn.start").count();
    let over = ["turn.end", "turn.cancelled"];
    let ended = kept(&events).iter().filter(|name| over.contains(name)).count();
    assert_eq!(begun, ended, "{:?}", names(&events));
}

#[tokio::test(start_paused = true)]
async fn what_is_said_behind_an_acknowledgement_that_was_talked_over_is_not_spoken() {
    let slow = FakeTool::new("slow.look", brain::ActionLevel::Read, Script::Hangs);
    let mut room = Room::having(tools::Catalog::new().with(Arc::new(slow))).await;
    let step = ProposedStep { tool: "slow.look".into(), args: json!({}) };
    room.stage.mind.will_think(Thought {
        proposal: Proposal { steps: vec![step], ..Proposal::default() },
        acknowledgement: Some("Let me have a long and thorough look at that for you.".into()),
        says: Some("Here is what I found out about it.".into()),
        ..Thought::default()
    });
    room.send(Input::Text { text: "look".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_millis(500)).await;
    let turn = room.heard[at(&room.heard, "turn.start")].turn_id;
    let sound = room.senses.says("hold on a moment please", 1.0);
    room.play(sound).await;
    room.play(silence(1_500)).await;
    room.listen(Duration::from_mins(1)).await;
    let events = room.came();

    let of_turn = events.iter().filter(|one| one.turn_id == turn);
    let of_turn: Vec<_> = of_turn.map(|one| one.event.name()).collect();
    let begun = of_turn.iter().filter(|name| **name == "assistant_audio.start").count();
    assert_eq!((begun, of_turn.contains(&"turn.end")), (1, true), "{of_turn:?}");
}
