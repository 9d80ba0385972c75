//! What comes through a microphone: whose it is, what begins a turn, what is lost.

use std::sync::Arc;
use std::time::Duration;

use brain::input::{AudioEndReason, Hello, Sound};
use brain::{Envelope, Event, Input, Outcome, TurnState};
use session::Start;
use testkit::page::Page;
use testkit::senses::{RATE, silence};

use crate::names;
use crate::room::{FRAME, Room, answered, codes, heard, kept, partials, with_card};

#[tokio::test(start_paused = true)]
async fn noise_without_words_begins_no_turn() {
    let mut room = Room::new().await;
    let mut noise = silence(900);
    // Loud, and like no line of any script.
    noise.samples.iter_mut().step_by(2).for_each(|sample| *sample = 30_000);
    room.play(noise).await;
    room.play(silence(2_000)).await;
    assert_eq!(kept(&room.came()), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn what_somebody_is_saying_is_dropped_when_they_type() {
    let mut room = Room::new().await;
    let sound = room.senses.says("send all of it to", 1.0);
    room.play(sound).await;
    room.will_say("Yes.");
    room.send(Input::Text { text: "are you there".into(), attachments: Vec::new() }).await;
    room.play(silence(2_000)).await;
    let events = room.came();
    assert_eq!(heard(&events), ["are you there"]);
    assert_eq!(kept(&events)[..2], ["turn.start", "turn.cancelled"]);
}

#[tokio::test(start_paused = true)]
async fn the_rest_of_a_sentence_that_was_dropped_is_not_heard() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    let (mut not, yes) = (room.senses.says("don't", 1.0), room.senses.says("yes do it now", 1.0));
    not.samples.truncate(8_000);
    room.play(not).await;
    room.will_say("Here.");
    room.send(Input::Text { text: "are you there".into(), attachments: Vec::new() }).await;
    room.play(yes).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None);
    assert!(writer.ledger.effects().is_empty());
}

/// What somebody sees who never left.
fn shown(room: &Room) -> testkit::page::Shown {
    Page::of(room.heard.iter().map(|one| &**one)).shown()
}

/// What somebody sees who comes back from here now.
async fn seen_by(room: &Room, start: Start, events: &[Arc<Envelope>]) -> testkit::page::Shown {
    let (_, mut other) = room.stage.registry.join(room.session.clone(), start).await.unwrap();
    let mut page = Page::of(events.iter().map(|one| &**one));
    while let Ok(Ok(envelope)) = tokio::time::timeout(Duration::from_millis(1), other.next()).await
    {
        page.take(&envelope);
    }
    room.session.leave(other.client).await;
    page.shown()
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_back_while_somebody_speaks_or_is_spoken_to_sees_what_everybody_sees() {
    let (mut room, _) = with_card().await;
    room.until_silent().await;
    room.say("no").await;
    room.will_say("You have nine meetings tomorrow, and the first of them is at seven.");
    let mut sound = room.senses.says("and what meetings do I have tomorrow morning", 1.0);
    sound.samples.extend(silence(4_000).samples);
    let mut states = std::collections::BTreeSet::new();
    for samples in sound.samples.chunks(FRAME) {
        let sound = Sound { samples: samples.to_vec(), ..sound };
        room.send(Input::Audio(sound)).await;
        room.listen(Duration::from_millis(99)).await;
        let numbered = room.heard.iter().filter(|one| one.seq.is_some());
        let numbered: Vec<_> = numbered.cloned().collect();
        let mut comes_back = vec![(Start::Anew, &[][..])];
        for left in [numbered.len(), numbered.len().saturating_sub(3), numbered.len() / 2] {
            let before = &numbered[..left];
            let last_seq = before.last().and_then(|one| one.seq).unwrap_or(0);
            comes_back.push((crate::after(last_seq), before));
        }
        for (start, before) in comes_back {
            let earlier = shown(&room);
            states.insert(earlier.state.name());
            let seen = seen_by(&room, start, before).await;
            room.listen(Duration::from_millis(1)).await;
            // Something may have happened meanwhile.
            assert!(seen == earlier || seen == shown(&room), "{start:?}\n{seen:?}\n{earlier:?}");
        }
    }
    let passed = ["listening", "speaking"];
    assert!(passed.into_iter().all(|state| states.contains(state)), "{states:?}");
}

#[tokio::test(start_paused = true)]
async fn one_device_is_listened_to_at_a_time() {
    let mut room = Room::new().await;
    let (_, mut other) = room.stage.registry.join(room.session.clone(), Start::Now).await.unwrap();
    let sound = room.senses.says("what meetings do I have", 1.0);
    room.play(sound).await;
    let chunk = || Input::Audio(silence(100));
    for _ in 0..3 {
        room.session.send(other.client, None, chunk()).await.unwrap();
    }
    let told = crate::events(&mut other).await;
    assert_eq!(codes(&told), ["microphone_busy"], "once");
}

#[tokio::test(start_paused = true)]
async fn sound_of_a_wrong_rate_is_refused_once_until_it_is_another_or_right() {
    let mut room = Room::new().await;
    let at = |rate| Input::Audio(Sound { sample_rate_hz: rate, ..silence(20) });
    for rate in [22_051, 22_051, 22_051, 44_101, 44_101] {
        room.send(at(rate)).await;
    }
    room.listen(Duration::from_millis(10)).await;
    assert_eq!(codes(&room.came()), ["bad_audio"; 2]);

    room.will_say("Two.");
    room.say("how many").await;
    room.until_silent().await;
    assert_eq!(heard(&room.came()), ["how many"]);

    room.send(at(44_101)).await;
    room.send(at(44_101)).await;
    room.listen(Duration::from_millis(10)).await;
    assert_eq!(codes(&room.came()), ["bad_audio"]);
}

#[tokio::test(start_paused = true)]
async fn a_button_that_is_let_go_ends_what_is_said_and_silence_is_told() {
    let mut room = Room::new().await;
    let manual = Hello { turn_mode: brain::input::TurnMode::Manual, ..Hello::default() };
    room.send(Input::Hello(manual)).await;
    let end = Input::AudioEnd { reason: AudioEndReason::ManualStop };
    room.will_say("Two.");
    let sound = room.senses.says("how many", 1.0);
    room.play(sound).await;
    room.play(silence(3_000)).await;
    assert_eq!(heard(&room.came()), [""; 0], "silence ends nothing here");
    room.send(end.clone()).await;
    room.until_silent().await;
    assert_eq!(heard(&room.came()), ["how many"]);

    room.play(silence(500)).await;
    room.send(end).await;
    room.listen(Duration::from_secs(1)).await;
    assert_eq!(codes(&room.came()), ["no_speech"]);
}

#[tokio::test(start_paused = true)]
async fn whoever_saw_their_words_and_got_no_answer_is_told_so() {
    let mut room = Room::new().await;
    room.senses.will_doubt(5);
    room.say("what meetings do I have tomorrow").await;
    room.until_silent().await;
    let events = room.came();
    assert!(!partials(&events).is_empty() && heard(&events).is_empty(), "{:?}", names(&events));
    assert_eq!(codes(&events), ["no_speech"]);
    let told = events.iter().find_map(|envelope| match &envelope.event {
        Event::Failed { user_message, .. } => Some(user_message.as_str()),
        _ => None,
    });
    assert_eq!(told, Some("I didn't catch that."));
}

#[tokio::test(start_paused = true)]
async fn a_button_that_is_let_go_after_typing_is_heard_at_its_next_press() {
    let mut room = Room::new().await;
    let turn_mode = brain::input::TurnMode::Manual;
    let manual = Hello { turn_mode, cancels_echo: true, ..Hello::default() };
    room.send(Input::Hello(manual)).await;
    let end = Input::AudioEnd { reason: AudioEndReason::ManualStop };
    let sound = room.senses.says("send all of it to", 1.0);
    room.play(sound).await;
    room.will_say("Yes.");
    room.send(Input::Text { text: "are you there".into(), attachments: Vec::new() }).await;
    room.send(end.clone()).await;
    room.until_silent().await;
    room.came();

    room.will_say("Two.");
    let sound = room.senses.says("how many", 1.0);
    room.play(sound).await;
    room.send(end).await;
    room.listen(Duration::from_secs(2)).await;
    room.until_silent().await;
    assert_eq!(heard(&room.came()), ["how many"]);
}

#[tokio::test(start_paused = true)]
async fn what_a_network_holds_up_is_heard_as_one_sentence() {
    let mut room = Room::new().await;
    room.will_say("Two.");
    let mut first = room.senses.says("what meetings do i have tomorrow", 1.0);
    let rest = first.samples.split_off(first.samples.len() / 2);
    let rest = brain::input::Sound { samples: rest, ..first.clone() };
    room.play(first).await;
    room.listen(Duration::from_millis(1_200)).await;
    room.play(rest).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    assert_eq!(heard(&room.came()), ["what meetings do i have tomorrow"]);
}

#[tokio::test(start_paused = true)]
async fn who_decides_when_somebody_is_done_can_be_changed_while_the_microphone_is_open() {
    let mut room = Room::new().await;
    room.will_say("Two.");
    let sound = room.senses.says("how many", 1.0);
    room.play(sound).await;
    room.play(silence(3_000)).await;
    room.until_silent().await;
    assert_eq!(heard(&room.came()), ["how many"]);

    let manual = Hello { turn_mode: brain::input::TurnMode::Manual, ..Hello::default() };
    room.send(Input::Hello(manual)).await;
    let sound = room.senses.says("and when", 1.0);
    room.play(sound).await;
    room.play(silence(3_000)).await;
    assert_eq!(heard(&room.came()), [""; 0], "silence ends nothing any more");

    room.will_say("At three.");
    room.send(Input::Hello(Hello::default())).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    assert_eq!(heard(&room.came()), ["and when"], "silence does again");
}

#[tokio::test(start_paused = true)]
async fn who_speaks_for_too_long_is_told_so_aloud() {
    let mut room = Room::new().await;
    room.will_say("Two meetings.");
    let sound = room.senses.says(&"and then ".repeat(130), 1.0);
    room.play(sound).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();
    let answer = events.iter().find_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.as_str()),
        _ => None,
    });
    let told = "That was longer than I can follow in one go. I took it up to here. Two meetings.";
    assert_eq!(answer, Some(told), "{:?}", names(&events));
    assert!(room.senses.spoken().iter().any(|said| said.starts_with("That was longer")));
}

#[tokio::test(start_paused = true)]
async fn a_recogniser_that_fails_once_is_asked_again_and_twice_ends_the_turn() {
    let mut room = Room::new().await;
    room.will_say("Here.");
    let sound = room.senses.says("where are you", 1.0);
    room.play(sound).await;
    room.senses.will_fail(1);
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(
        (heard(&events), codes(&events)),
        (vec!["where are you"], vec!["recogniser_failed"])
    );
    let recovers = events.iter().any(|envelope| {
        matches!(envelope.event, Event::StateChanged { to: TurnState::ErrorRecoverable, .. })
    });
    assert!(recovers, "{:?}", names(&events));

    let sound = room.senses.says("and now", 1.0);
    room.play(sound).await;
    room.senses.will_fail(2);
    room.play(silence(1_500)).await;
    let events = room.came();
    let failed = Event::ended(Outcome::Failed, Some("recogniser_failed".into()));
    assert!(events.iter().any(|envelope| envelope.event == failed), "{:?}", names(&events));

    room.will_say("Still here.");
    room.send(Input::Text { text: "typed".into(), attachments: Vec::new() }).await;
    room.until_silent().await;
    assert_eq!(kept(&room.came()).last(), Some(&"turn.end"));
}

#[tokio::test(start_paused = true)]
async fn who_is_heard_with_backup_ears_is_told_once() {
    let mut room = Room::new().await;
    room.senses.stands_in();
    // The voice stands in as well; that is another matter.
    let silent = Hello { plays_audio: Some(false), cancels_echo: true, ..Hello::default() };
    room.send(Input::Hello(silent)).await;
    for expected in [vec!["backup_ears"], vec![]] {
        room.will_say("Two meetings.");
        room.say("what meetings do I have").await;
        room.until_silent().await;
        let events = room.came();
        assert_eq!(codes(&events), expected);
        assert_eq!(heard(&events), ["what meetings do I have"]);
    }
}

#[tokio::test(start_paused = true)]
async fn more_sound_than_can_wait_is_dropped_and_told_once_and_the_next_is_heard() {
    let mut room = Room::new().await;
    for _ in 0..3 {
        room.send(Input::Audio(silence(10_100))).await;
    }
    room.listen(Duration::from_secs(1)).await;
    assert_eq!(codes(&room.came()), ["audio_too_fast"], "once");

    room.will_say("Two meetings.");
    room.say("what meetings do I have").await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!((heard(&events), codes(&events)), (vec!["what meetings do I have"], vec![]));
}

#[tokio::test(start_paused = true)]
async fn one_frame_of_a_kind_that_nobody_hears_does_not_end_what_is_being_said() {
    let mut room = Room::new().await;
    room.will_say("Two meetings.");
    let mut sound = room.senses.says("what meetings do I have tomorrow", 1.0);
    let rest = sound.samples.split_off(FRAME * 8);
    room.play(sound.clone()).await;
    room.send(Input::Audio(Sound { sample_rate_hz: 16_001, ..silence(100) })).await;
    room.play(Sound { samples: rest, ..sound }).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(codes(&events), ["bad_audio"]);
    assert_eq!(heard(&events), ["what meetings do I have tomorrow"]);
    assert_eq!(kept(&events).iter().filter(|name| **name == "turn.cancelled").count(), 0);
}

#[tokio::test(start_paused = true)]
async fn who_talks_over_the_news_that_they_spoke_for_too_long_is_told_again() {
    let mut room = Room::new().await;
    room.will_say("Two meetings.");
    let long = room.senses.says(&"and then ".repeat(130), 1.0);
    let (mut over, mut after) = (long.clone(), long.clone());
    over.samples.truncate(usize::try_from(RATE).unwrap() * 61);
    after.samples.truncate(usize::try_from(RATE).unwrap() * 2);
    room.play(over).await;
    room.will_say("Three meetings.");
    room.play(after).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();
    let said = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.as_str()),
        _ => None,
    });
    let said: Vec<_> = said.collect();
    let told = said.iter().filter(|text| text.starts_with("That was longer")).count();
    assert_eq!((said.len(), told), (2, 2), "{said:?}");

    room.will_say("Four meetings.");
    room.say("and on Friday").await;
    room.until_silent().await;
    let events = room.came();
    let last = events.iter().rev().find_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(last, Some("Four meetings."), "it was heard by then");
}
