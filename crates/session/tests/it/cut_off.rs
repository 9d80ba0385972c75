//! What was not heard to its end, what was not heard for certain, and whose voice
//! it was. In virtual time.

use std::sync::Arc;
use std::time::Duration;

use brain::input::Hello;
use brain::snapshot::Speaking;
use brain::{Envelope, Event, Input};
use session::Start;
use testkit::senses::silence;

use crate::note;
use crate::room::{Room, answered, cancelled, heard, with_card};

const LONG: &str = "The mail to Tom went out. The meeting did not, because three is taken.";

fn typed(text: &str) -> Input {
    Input::Text { text: text.into(), attachments: Vec::new() }
}

fn said(events: &[Arc<Envelope>]) -> Vec<&str> {
    let said = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.as_str()),
        _ => None,
    });
    said.collect()
}

/// Says something unsure, then waits until it was answered.
async fn mumble(room: &mut Room, words: &str) {
    let sound = room.senses.says(words, 0.3);
    room.play(sound).await;
    room.play(silence(1_200)).await;
    room.until_silent().await;
}

#[tokio::test(start_paused = true)]
async fn words_that_were_hardly_made_out_are_told_where_they_stand() {
    let mut room = Room::new().await;
    let doubted = |events: &[Arc<Envelope>]| {
        let heard = events.iter().find_map(|envelope| match &envelope.event {
            Event::Heard { doubted, .. } => Some(doubted.clone()),
            _ => None,
        });
        heard.unwrap()
    };
    room.will_say("Two.");
    mumble(&mut room, "how many").await;
    assert_eq!(doubted(&room.came()), [[0, 3], [4, 8]]);

    room.will_say("Two.");
    room.say("how many").await;
    room.until_silent().await;
    assert!(doubted(&room.came()).is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_was_played_since_the_last_report_was_heard_too() {
    let mut room = Room::new().await;
    room.will_say(LONG);
    room.send(typed("well")).await;
    room.listen(Duration::from_secs(1)).await;
    let spoken = room.came().into_iter().find(|one| matches!(one.event, Event::Said { .. }));
    let message_id = spoken.unwrap().message_id.unwrap();
    room.send(Input::Played(Speaking { message_id, heard_ms: 700 })).await;
    room.listen(Duration::from_millis(450)).await;
    // One that was overtaken says nothing new.
    room.send(Input::Played(Speaking { message_id, heard_ms: 200 })).await;

    room.send(Input::Interrupt { turn: None, heard_ms: None }).await;
    room.until_silent().await;

    let (ms, chars) = cancelled(&room.came()).unwrap();
    assert!((1_150..=1_160).contains(&ms.unwrap()), "{ms:?}");
    assert_eq!(chars, Some("The mail to Tom went".len()), "to the word, at 50 ms a letter");
}

#[tokio::test(start_paused = true)]
async fn what_was_cut_off_is_said_when_somebody_asks_what_that_was() {
    let mut room = Room::new().await;
    room.will_say(LONG);
    room.say("is it done").await;
    room.listen(Duration::from_secs(1)).await;
    room.say("sorry what was that").await;
    room.until_silent().await;
    let again = "The meeting did not, because three is taken.";
    assert_eq!(said(&room.came()), [LONG, again]);

    // Heard to its end, that is what was said last.
    room.say("what was that").await;
    room.until_silent().await;
    assert_eq!(said(&room.came()), [again]);
}

#[tokio::test(start_paused = true)]
async fn whoever_said_stop_can_still_ask_what_that_was() {
    let mut room = Room::new().await;
    room.will_say(LONG);
    room.say("is it done").await;
    room.listen(Duration::from_secs(1)).await;
    room.will_say("Okay.");
    room.say("stop").await;
    room.until_silent().await;
    room.say("what was that").await;
    room.until_silent().await;
    let again = "The meeting did not, because three is taken.";
    assert_eq!(said(&room.came()), [LONG, "Okay.", again]);
}

#[tokio::test(start_paused = true)]
async fn whoever_has_heard_nothing_yet_is_not_told_anything_again() {
    let mut room = Room::new().await;
    room.will_say("I said nothing yet.");
    room.say("what was that").await;
    room.until_silent().await;
    assert_eq!(said(&room.came()), ["I said nothing yet."]);
}

/// Two cards, both heard.
async fn with_two_cards() -> (Room, Arc<testkit::FakeWriter>) {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    room.stage.mind.will_think(note::thought("wrote"));
    room.send(typed("note that I wrote")).await;
    room.until_silent().await;
    room.came();
    (room, writer)
}

#[tokio::test(start_paused = true)]
async fn a_yes_to_one_of_two_cards_is_weighed_when_it_is_said() {
    let (mut room, writer) = with_two_cards().await;
    room.say("yes").await;
    room.until_silent().await;
    room.say("the first one").await;
    room.until_silent().await;
    assert!(answered(&room.came()).is_some(), "a clear one counts");
    assert_eq!(writer.ledger.effects().len(), 1);

    let (mut room, writer) = with_two_cards().await;
    mumble(&mut room, "yes").await;
    let unclear = "I'm not sure I heard you right. Please say it once more, or tap the card.";
    assert_eq!(said(&room.came()), [unclear]);
    // Whatever the mind makes of this, it is no yes.
    room.will_say("Which one?");
    room.say("the first one").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None);
    assert!(writer.ledger.effects().is_empty());
}

/// Our own words come back into a microphone whose client takes out what it plays.
async fn comes_back(room: &mut Room) -> Vec<String> {
    let ours = "You have nine meetings tomorrow and the first is at seven.";
    room.will_say(ours);
    room.send(typed("what meetings do I have")).await;
    room.until_silent().await;
    room.came();
    room.will_say("Nine.");
    room.say("nine meetings tomorrow and the first is at seven").await;
    room.until_silent().await;
    let events = room.came();
    heard(&events).into_iter().map(str::to_owned).collect()
}

#[tokio::test(start_paused = true)]
async fn a_client_cancels_only_the_echo_of_what_it_plays_itself() {
    let mut room = Room::new().await;
    assert_eq!(comes_back(&mut room).await.len(), 1, "somebody says it back");

    let mut room = Room::new().await;
    let (_, other) = room.stage.registry.join(room.session.clone(), Start::Now).await.unwrap();
    let plays = Hello { plays_audio: Some(true), ..Hello::default() };
    room.session.send(other.client, None, Input::Hello(plays)).await.unwrap();
    assert_eq!(comes_back(&mut room).await, [""; 0], "the other device says it");
}
