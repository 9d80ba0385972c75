//! Writes that somebody agreed to, when the house around them changes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use brain::{ActionState, Envelope, Event, Input};
use session::{Joined, SessionHandle};
use store::Actions;
use testkit::writer::Fortune;

use crate::{Stage, USER, events, note};

/// Asks for a write and says yes to it.
async fn agree(stage: &Stage, session: &SessionHandle, client: &mut Joined) {
    let yes = note::asked_for(stage, session, client).await;
    session.send(client.client, None, yes).await.unwrap();
}

fn said(events: &[Arc<Envelope>]) -> String {
    let words = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.as_str()),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[tokio::test(start_paused = true)]
async fn a_write_whose_tool_is_gone_after_a_restart_is_told_as_unknown() {
    let before = Stage::new().having(note::with(&note::writer(Fortune::Hangs)));
    let (session, mut client) = before.session().await;
    agree(&before, &session, &mut client).await;
    events(&mut client).await;
    let begun = before.store.unsettled(session.id).await.unwrap();
    assert_eq!(begun[0].state, ActionState::Dispatching);

    let after = Stage::on(Arc::clone(&before.store));
    let woken = after.registry.open(session.id, USER).await.unwrap();
    let (_, mut client) = after.registry.join(woken, super::after(0)).await.unwrap();
    let told = said(&events(&mut client).await);

    let action = after.store.action(begun[0].id).await.unwrap().unwrap();
    assert_eq!(action.state, ActionState::NeedsUser);
    assert!(told.contains("I still can't tell whether"), "{told}");
    assert!(action.told);
}

#[tokio::test(start_paused = true)]
async fn a_write_that_is_under_way_is_not_begun_again_when_the_disk_comes_back() {
    let slow = note::writer(Fortune::Takes(Duration::from_secs(6)));
    let stage = Stage::new().having(note::with(&slow));
    let (session, mut client) = stage.session().await;
    agree(&stage, &session, &mut client).await;
    events(&mut client).await;
    let begun = stage.store.unsettled(session.id).await.unwrap();

    stage.store.full().store(true, Ordering::SeqCst);
    session
        .send(client.client, None, Input::Interrupt { turn: None, heard_ms: None })
        .await
        .unwrap();
    let failed = events(&mut client).await;
    assert!(matches!(failed.last().unwrap().event, Event::Failed { .. }));
    stage.store.full().store(false, Ordering::SeqCst);
    stage.ask(&session, &client).await;
    tokio::time::sleep(Duration::from_secs(200)).await;
    events(&mut client).await;

    let effects: Vec<usize> = slow.ledger.effects().values().map(Vec::len).collect();
    assert_eq!(effects, [1]);
    // A second try beside the first would have taken it for lost.
    let action = stage.store.action(begun[0].id).await.unwrap().unwrap();
    assert_eq!((action.state, action.attempt), (ActionState::Confirmed, 1));
    let left = stage.store.unsettled(session.id).await.unwrap();
    assert_eq!(left, [], "it is settled and told");
}
