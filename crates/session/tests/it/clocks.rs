//! Clocks that somebody sets: a card waits as long as it says, and no longer.

use std::sync::Arc;
use std::time::Duration;

use brain::{Event, Input};
use jiff::SignedDuration;
use serde_json::json;
use session::{Joined, Registry, SessionHandle};
use testkit::ManualClock;
use testkit::writer::{FakeWriter, Fortune};

use crate::{Stage, events, house, note};

const MINUTES: Duration = Duration::from_mins(1);

/// A card that waits ten minutes, its clock, and the yes to it.
struct Waits {
    clock: Arc<ManualClock>,
    writer: Arc<FakeWriter>,
    session: SessionHandle,
    client: Joined,
    yes: Input,
    _stage: Stage,
}

impl Waits {
    async fn new() -> Self {
        let clock = Arc::new(ManualClock::at("2026-11-15T18:30:00Z".parse().unwrap()));
        let writer = note::writer(Fortune::Does(json!({})));
        let store = Arc::default();
        let (mut house, mind) = house(&store, note::with(&writer));
        house.clock = clock.clone();
        let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
        let (session, mut client) = stage.session().await;
        let yes = note::asked_for(&stage, &session, &mut client).await;
        events(&mut client).await;
        Self { clock, writer, session, client, yes, _stage: stage }
    }

    /// What becomes of a yes that is said now: whether it is done, and what it is told.
    async fn yes(mut self) -> (usize, Vec<String>) {
        self.session.send(self.client.client, None, self.yes).await.unwrap();
        let seen = events(&mut self.client).await;
        let told = seen.iter().filter_map(|envelope| match &envelope.event {
            Event::Failed { code, .. } => Some(code.clone()),
            Event::WentUnanswered { .. } => Some(envelope.event.name().to_owned()),
            _ => None,
        });
        (self.writer.ledger.effects().len(), told.collect())
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_back_gives_a_card_no_more_time() {
    let late = Waits::new().await;
    late.clock.advance(5 * MINUTES);
    late.clock.set(SignedDuration::from_hours(-1));
    late.clock.advance(5 * MINUTES);
    let (done, told) = late.yes().await;
    assert_eq!(done, 0);
    assert!(told.contains(&"confirmation_expired".to_owned()), "{told:?}");

    let in_time = Waits::new().await;
    in_time.clock.set(SignedDuration::from_hours(-1));
    in_time.clock.advance(9 * MINUTES);
    assert_eq!(in_time.yes().await, (1, Vec::new()));
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_forward_ends_a_card_as_it_says() {
    let waits = Waits::new().await;
    waits.clock.set(SignedDuration::from_mins(11));
    let (done, told) = waits.yes().await;
    assert_eq!(done, 0);
    assert!(told.contains(&"confirmation_expired".to_owned()), "{told:?}");
}
