//! One person's turns leave places for those of others.

use brain::snapshot::Scope;

use super::*;

const OTHER: UserId = UserId(Uuid::from_u128(0xB0B));

async fn join(registry: &Registry, user: UserId) -> (SessionHandle, Joined) {
    let session = registry.create(user, None).await.unwrap();
    registry.join(session, Start::Now).await.unwrap()
}

async fn say(session: &SessionHandle, client: &Joined) {
    let input = Input::Text { text: "where".into(), attachments: Vec::new() };
    session.send(client.client, None, input).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn whoever_has_their_share_of_turns_waits_and_nobody_else_does() {
    let store = Arc::default();
    let (mut house, mind) = house(&store, Catalog::new());
    house.turns_each = 1;
    let registry = Registry::new(Arc::new(house));
    let (first, mut at_work) = join(&registry, USER).await;
    let (second, mut waits) = join(&registry, USER).await;
    let (theirs, mut other) = join(&registry, OTHER).await;
    let takes = Duration::from_secs(3);
    mind.will_think(Thought { takes, ..Thought::default() });
    say(&first, &at_work).await;
    events(&mut at_work).await;

    say(&second, &waits).await;
    let held = events(&mut waits).await;
    mind.will_think(Thought { says: Some("Here.".into()), ..Thought::default() });
    say(&theirs, &other).await;

    assert!(
        matches!(&held[0].event, Event::HeldBack { scope: Scope::Text, retry_after_ms: 1.., .. }),
        "{:?}",
        held[0].event
    );
    assert!(names(&events(&mut other).await).contains(&"turn.end"));
}
