//! What is said twice is done once, and whoever says it learns that it was heard.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use brain::input::Decision;
use brain::{Envelope, Event, Input};
use serde_json::json;
use session::{Joined, SessionHandle, Start};
use testkit::parts::Thought;
use testkit::writer::{FakeWriter, Fortune};

use crate::{Stage, USER, events, names, note};

fn words(text: &str) -> Input {
    Input::Text { text: text.into(), attachments: Vec::new() }
}

async fn say(session: &SessionHandle, client: &Joined, name: &str, input: Input) {
    session.send(client.client, Some(name.into()), input).await.unwrap();
}

fn codes(events: &[Arc<Envelope>]) -> Vec<&str> {
    let codes = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Failed { code, .. } => Some(code.as_str()),
        _ => None,
    });
    codes.collect()
}

fn is_repeated(events: &[Arc<Envelope>], name: &str) -> bool {
    events.iter().any(
        |envelope| matches!(&envelope.event, Event::Repeated { in_reply_to } if in_reply_to == name),
    )
}

/// A house in which a card is open, and the answer to it.
async fn with_card() -> (Stage, Arc<FakeWriter>, SessionHandle, Joined, Input) {
    let writer = note::writer(Fortune::Does(json!({})));
    let stage = Stage::new().having(note::with(&writer));
    let (session, mut client) = stage.session().await;
    let yes = note::asked_for(&stage, &session, &mut client).await;
    (stage, writer, session, client, yes)
}

#[tokio::test(start_paused = true)]
async fn whoever_answers_a_moment_too_late_learns_what_was_decided() {
    let (stage, writer, session, mut first, yes) = with_card().await;
    let (_, mut second) = stage.registry.join(session.clone(), Start::Now).await.unwrap();
    events(&mut second).await;
    stage.store.slow().store(true, Ordering::SeqCst);

    say(&session, &first, "evt_1", yes.clone()).await;
    say(&session, &second, "evt_2", yes).await;
    events(&mut second).await;
    stage.store.slow().store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_mins(1)).await;

    assert_eq!(codes(&events(&mut second).await), ["confirmation_resolved"]);
    assert_eq!(codes(&events(&mut first).await), [""; 0]);
    assert_eq!(writer.ledger.effects().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_yes_that_is_sent_twice_counts_once_and_is_no_mistake() {
    let (stage, writer, session, mut client, yes) = with_card().await;
    stage.store.slow().store(true, Ordering::SeqCst);

    say(&session, &client, "evt_1", yes.clone()).await;
    say(&session, &client, "evt_1", yes.clone()).await;
    events(&mut client).await;
    stage.store.slow().store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_mins(1)).await;
    let seen = events(&mut client).await;
    assert!(is_repeated(&seen, "evt_1") && codes(&seen).is_empty(), "{:?}", names(&seen));
    assert_eq!(writer.ledger.effects().len(), 1);

    // The next owner knows it as well.
    let after = Stage::on(Arc::clone(&stage.store));
    let woken = after.registry.open(session.id, USER).await.unwrap();
    let (session, mut client) = after.registry.join(woken, Start::Now).await.unwrap();
    say(&session, &client, "evt_1", yes).await;
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert!(is_repeated(&events(&mut client).await, "evt_1"));
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_is_sent_twice_does_not_stop_the_next_turn() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    let takes = Duration::from_secs(3);
    for _ in 0..2 {
        stage.mind.will_think(Thought { says: Some("Done.".into()), takes, ..Thought::default() });
    }
    say(&session, &client, "evt_1", words("slowly")).await;
    say(&session, &client, "evt_2", words("and this")).await;
    events(&mut client).await;

    let stop = Input::Interrupt { turn: None, heard_ms: None };
    say(&session, &client, "evt_3", stop.clone()).await;
    say(&session, &client, "evt_3", stop).await;
    tokio::time::sleep(2 * takes).await;

    let seen = events(&mut client).await;
    assert!(is_repeated(&seen, "evt_3"));
    assert_eq!(names(&seen).iter().filter(|name| **name == "turn.cancelled").count(), 1);
    assert!(names(&seen).contains(&"turn.end"), "{:?}", names(&seen));
}

#[tokio::test(start_paused = true)]
async fn a_sentence_under_a_name_that_was_used_is_never_swallowed() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.mind.will_think(Thought { says: Some("Here.".into()), ..Thought::default() });
    say(&session, &client, "evt_1", words("where")).await;
    events(&mut client).await;
    let (_, mut other) = stage.registry.join(session.clone(), Start::Now).await.unwrap();

    say(&session, &other, "evt_1", words("where")).await;
    let same = events(&mut other).await;
    say(&session, &other, "evt_1", words("when")).await;
    let reused = events(&mut other).await;

    assert_eq!(names(&same), ["input.repeated"]);
    assert_eq!(codes(&reused), ["event_id_reused"]);
    assert_eq!(names(&events(&mut client).await), [""; 0]);
}

/// What is told to whoever says `input` under a name that is known for something else.
async fn told(session: &SessionHandle, client: &mut Joined, name: &str, input: Input) -> String {
    say(session, client, name, input).await;
    tokio::time::sleep(Duration::from_mins(1)).await;
    let seen = events(client).await;
    let asked = names(&seen).into_iter().filter(|name| *name != "confirmation.updated");
    format!("{:?} {:?}", asked.collect::<Vec<_>>(), codes(&seen))
}

#[tokio::test(start_paused = true)]
async fn an_answer_or_a_stop_under_a_name_that_was_used_is_not_taken_for_done() {
    let (stage, writer, session, mut client, yes) = with_card().await;
    let Input::Answer { question, edited, revision, channel, .. } = yes.clone() else {
        panic!("it is an answer")
    };
    let no = Input::Answer { question, decision: Decision::Reject, edited, revision, channel };
    let stop = Input::Interrupt { turn: None, heard_ms: None };
    stage.mind.will_think(Thought { says: Some("Here.".into()), ..Thought::default() });
    say(&session, &client, "evt_1", words("where is my bag")).await;
    events(&mut client).await;
    let reused = r#"["error"] ["event_id_reused"]"#;

    assert_eq!(told(&session, &mut client, "evt_1", no.clone()).await, reused);
    assert_eq!(told(&session, &mut client, "evt_1", stop.clone()).await, reused);
    say(&session, &client, "evt_2", no.clone()).await;
    tokio::time::sleep(Duration::from_mins(1)).await;
    events(&mut client).await;
    assert_eq!(told(&session, &mut client, "evt_2", yes.clone()).await, reused);
    assert_eq!(told(&session, &mut client, "evt_2", words("where")).await, reused);
    assert!(writer.ledger.effects().is_empty());

    // The next owner knows what was said under them as well.
    let after = Stage::on(Arc::clone(&stage.store));
    let woken = after.registry.open(session.id, USER).await.unwrap();
    let (session, mut client) = after.registry.join(woken, Start::Now).await.unwrap();
    let repeated = r#"["input.repeated"] []"#;
    assert_eq!(told(&session, &mut client, "evt_1", words("where")).await, reused);
    assert_eq!(told(&session, &mut client, "evt_1", stop).await, reused);
    assert_eq!(told(&session, &mut client, "evt_1", words("where is my bag")).await, repeated);
    assert_eq!(told(&session, &mut client, "evt_2", yes).await, reused);
    assert_eq!(told(&session, &mut client, "evt_2", no).await, repeated);
}

#[tokio::test(start_paused = true)]
async fn who_talks_while_what_was_missed_is_read_catches_up_all_the_same() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    for _ in 0..60 {
        stage.ask(&session, &client).await;
        events(&mut client).await;
    }
    let again = Stage::on(Arc::clone(&stage.store));
    stage.store.think_it_over();
    let woken = again.registry.open(session.id, USER).await.unwrap();
    let (_, mut client) = again.registry.join(woken, super::after(0)).await.unwrap();

    // Whatever is read takes longer than anybody listens in one piece.
    let mut told = Vec::new();
    for _ in 0..10_000 {
        let listen = Duration::from_millis(1);
        if let Ok(event) = tokio::time::timeout(listen, client.next()).await {
            told.push(event.unwrap());
        }
        if told.last().is_some_and(|last| last.event.name() == "session.resumed") {
            break;
        }
    }
    assert_eq!(told.last().map(|last| last.event.name()), Some("session.resumed"));
    assert!(told.len() > 60, "{}", told.len());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_finishes_the_turn_and_tells_who_waits_to_ask_again() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    let takes = Duration::from_secs(3);
    stage.mind.will_think(Thought { says: Some("Done.".into()), takes, ..Thought::default() });
    say(&session, &client, "evt_1", words("slowly")).await;
    say(&session, &client, "evt_2", words("and this")).await;
    events(&mut client).await;

    tokio::join!(stage.registry.close(), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        say(&session, &client, "evt_3", words("and that")).await;
    });

    let seen = events(&mut client).await;
    let stopping: Vec<_> = seen
        .iter()
        .filter_map(|envelope| match &envelope.event {
            Event::Failed { code, retryable: true, in_reply_to, .. } if code == "stopping" => {
                in_reply_to.as_deref()
            }
            _ => None,
        })
        .collect();
    assert_eq!(stopping, ["evt_2", "evt_3"]);
    let ended = seen.iter().any(|envelope| {
        matches!(envelope.event, Event::TurnEnded { outcome: brain::Outcome::Success, .. })
    });
    assert!(ended, "{:?}", names(&seen));
}
