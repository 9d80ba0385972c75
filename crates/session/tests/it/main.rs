//! A session from the outside: what its clients can rely on.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use brain::audit::Line;
use brain::ids::Uuid;
use brain::{Cursor, Envelope, Event, Input, Outcome, Profile, TurnState, UserId};
use jiff::Timestamp;
use session::{Cut, House, Joined, OpenError, Ran, Registry, SessionHandle, Start};
use store::{EventLog, NUMBER_BLOCK, Sessions, Store, Threads, Turns};
use testkit::parts::{Script, Thought};
use testkit::{CountingIds, FakeTool, FlakyStore, ManualClock, NoContacts, ScriptedMind};
use tools::Catalog;

mod acquaintance;
mod again;
mod clocks;
mod consent;
mod cut_off;
mod deeds;
mod echo;
mod heard_again;
mod microphone;
mod nobody;
mod note;
mod over_us;
mod resume;
mod room;
mod say_so;
mod shares;
mod talked_over;
mod voice;

const USER: UserId = UserId(Uuid::from_u128(0xA11CE));
/// Long enough for everything that is under way; time is virtual.
const QUIET: Duration = Duration::from_millis(50);

struct Stage {
    store: Arc<FlakyStore>,
    mind: Arc<ScriptedMind>,
    registry: Registry,
}

impl Stage {
    fn new() -> Self {
        Self::on(Arc::default())
    }

    fn on(store: Arc<FlakyStore>) -> Self {
        Self::furnished(store, Catalog::new())
    }

    /// The same with other tools.
    fn having(self, catalog: Catalog) -> Self {
        Self::furnished(self.store, catalog)
    }

    /// The same at another time.
    fn at(self, clock: &Arc<ManualClock>) -> Self {
        let (mut house, mind) = house(&self.store, Catalog::new());
        house.clock = clock.clone();
        Self { mind, registry: Registry::new(Arc::new(house)), ..self }
    }

    fn furnished(store: Arc<FlakyStore>, catalog: Catalog) -> Self {
        let (house, mind) = house(&store, catalog);
        Self { store, mind, registry: Registry::new(Arc::new(house)) }
    }

    async fn session(&self) -> (SessionHandle, Joined) {
        let session = self.registry.create(USER, None).await.unwrap();
        self.registry.join(session, Start::Now).await.unwrap()
    }

    async fn ask(&self, session: &SessionHandle, client: &Joined) {
        self.mind.will_think(Thought { says: Some("Here.".into()), ..Thought::default() });
        let input = Input::Text { text: "where".into(), attachments: Vec::new() };
        session.send(client.client, None, input).await.unwrap();
    }
}

fn house(store: &Arc<FlakyStore>, catalog: Catalog) -> (House, Arc<ScriptedMind>) {
    let mind = Arc::new(ScriptedMind::default());
    let mut house = House::new(
        store.clone() as Arc<dyn Store>,
        mind.clone(),
        Arc::new(catalog),
        Arc::new(NoContacts),
        Profile::new("UTC"),
    );
    house.ids = Arc::new(CountingIds::default());
    (house, mind)
}

/// What comes until everybody is quiet.
async fn events(client: &mut Joined) -> Vec<Arc<Envelope>> {
    let mut events = Vec::new();
    while let Ok(Ok(envelope)) = tokio::time::timeout(QUIET, client.next()).await {
        events.push(envelope);
    }
    events
}

/// From where somebody stopped reading.
fn after(last_seq: u64) -> Start {
    Start::After(Cursor { epoch: None, last_seq })
}

fn only_kept(events: Vec<Arc<Envelope>>) -> Vec<Arc<Envelope>> {
    events.into_iter().filter(|envelope| envelope.event.is_kept()).collect()
}

fn names(events: &[Arc<Envelope>]) -> Vec<&'static str> {
    events.iter().map(|envelope| envelope.event.name()).collect()
}

#[tokio::test(start_paused = true)]
async fn when_nothing_can_be_written_nothing_is_shown_and_people_are_told() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.store.full().store(true, Ordering::SeqCst);

    stage.ask(&session, &client).await;
    let during = events(&mut client).await;
    stage.store.full().store(false, Ordering::SeqCst);
    stage.ask(&session, &client).await;
    let after = events(&mut client).await;

    assert_eq!(names(&during), ["error"]);
    assert!(matches!(&during[0].event, Event::Failed { code, retryable: true, .. }
        if code == "store_unavailable"));
    assert_eq!(during[0].seq, None);
    assert!(names(&after).contains(&"turn.end"));
}

#[tokio::test(start_paused = true)]
async fn who_uses_a_tool_over_http_hears_that_nothing_can_be_written() {
    let found = Script::Returns(serde_json::json!({ "id": "m1" }));
    let look = FakeTool::new("gmail.search", brain::ActionLevel::Read, found);
    let stage = Stage::new().having(Catalog::new().with(Arc::new(look)));
    let (session, _client) = stage.session().await;
    stage.store.full().store(true, Ordering::SeqCst);

    let ran = session.run(None, "gmail.search".into(), serde_json::json!({})).await;

    let code = match &ran {
        Ok(Ran::Failed(error)) => error.code.as_str(),
        _ => "",
    };
    assert_eq!(code, "store_unavailable", "{ran:?}");
}

#[tokio::test(start_paused = true)]
async fn sessions_that_nobody_used_are_forgotten_but_for_those_that_are_awake() {
    let stage = Stage::new();
    let unused = stage.registry.create(USER, None).await.unwrap().id;
    let awake = stage.registry.create(USER, None).await.unwrap().id;
    let (used, mut client) = stage.session().await;
    stage.ask(&used, &client).await;
    events(&mut client).await;
    drop(client);
    // All of them fall asleep.
    let stage = Stage::on(stage.store);
    let _awake = stage.registry.open(awake, USER).await.unwrap();
    assert_eq!(stage.store.unused_sessions(USER).await, Ok(2));

    let long_ago = jiff::SignedDuration::from_hours(24);
    assert_eq!(stage.registry.forget_unused_sessions(long_ago).await, Ok(0));
    let at_once = jiff::SignedDuration::from_secs(-1);
    assert_eq!(stage.registry.forget_unused_sessions(at_once).await, Ok(1));

    assert_eq!(stage.store.find(unused).await, Ok(None));
    for kept in [used.id, awake] {
        assert!(stage.store.find(kept).await.unwrap().is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_could_not_be_ended_is_told_as_failed_once_it_can_be() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    let takes = Duration::from_secs(3);
    stage.mind.will_think(Thought { takes, ..Thought::default() });
    let input = Input::Text { text: "slowly".into(), attachments: Vec::new() };
    session.send(client.client, None, input).await.unwrap();
    let begun = events(&mut client).await;
    stage.store.full().store(true, Ordering::SeqCst);
    tokio::time::sleep(takes).await;
    assert_eq!(names(&events(&mut client).await).last(), Some(&"error"));

    stage.store.full().store(false, Ordering::SeqCst);
    stage.ask(&session, &client).await;
    let after = events(&mut client).await;

    let (first, last) = (begun[0].turn_id, after.last().unwrap().turn_id);
    let ended = after.iter().find(|envelope| {
        envelope.turn_id == first
            && matches!(envelope.event, Event::TurnEnded { outcome: Outcome::Failed, .. })
    });
    assert!(ended.is_some(), "{:?}", names(&after));
    assert_ne!(first, last);
    assert_eq!(stage.store.open_turns(session.id).await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn what_is_behind_a_failed_commit_never_reaches_the_disk() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.store.slow().store(true, Ordering::SeqCst);
    stage.store.refuse_one();
    stage.ask(&session, &client).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    // While the first commit hangs, it is interrupted and asked again.
    session
        .send(client.client, None, Input::Interrupt { turn: None, heard_ms: None })
        .await
        .unwrap();
    stage.ask(&session, &client).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    stage.store.slow().store(false, Ordering::SeqCst);
    let told = events(&mut client).await;
    assert_eq!(names(&told), ["error"], "nothing is shown but that nothing was kept");

    stage.ask(&session, &client).await;
    let after = events(&mut client).await;

    let kept = stage.store.read(session.id, 0, 100).await.unwrap();
    let of_the_last = |envelope: &&Envelope| envelope.turn_id == after[0].turn_id;
    assert_eq!(kept.iter().filter(of_the_last).count(), kept.len(), "only the last turn is kept");
    assert_eq!(names(&after).iter().filter(|name| **name == "turn.end").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_long_history_is_replayed_whole_and_in_order() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    let mut kept = Vec::new();
    for _ in 0..150 {
        stage.ask(&session, &client).await;
        kept.extend(events(&mut client).await.into_iter().filter(|e| e.event.is_kept()));
    }

    let (_, mut late) = stage.registry.join(session.clone(), after(0)).await.unwrap();
    assert_eq!(only_kept(events(&mut late).await), kept);
    let half = kept[kept.len() / 2].seq.unwrap();
    let (_, mut later) = stage.registry.join(session, after(half)).await.unwrap();
    assert_eq!(only_kept(events(&mut later).await), kept[kept.len() / 2 + 1..]);
}

#[tokio::test(start_paused = true)]
async fn a_failed_commit_never_lets_a_number_be_used_twice() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    let mut seen = Vec::new();
    for round in 0..400 {
        stage.store.full().store(round % 7 == 3, Ordering::SeqCst);
        stage.ask(&session, &client).await;
        seen.extend(events(&mut client).await.iter().filter_map(|envelope| envelope.seq));
    }
    assert!(seen.is_sorted_by(|a, b| a < b), "numbers rise");
    assert!(*seen.last().unwrap() > 2 * NUMBER_BLOCK, "blocks were crossed");
}

#[tokio::test(start_paused = true)]
async fn numbers_go_on_behind_the_reserved_block_after_a_restart() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.ask(&session, &client).await;
    let before = events(&mut client).await;
    stage.registry.close().await;

    let again = Stage::on(stage.store);
    let opened = again.registry.open(session.id, USER).await.unwrap();
    let (session, mut client) = again.registry.join(opened, after(0)).await.unwrap();
    let replayed = events(&mut client).await;
    again.ask(&session, &client).await;
    let after = events(&mut client).await;

    let kept = only_kept(before.clone());
    assert_eq!(only_kept(replayed), kept);
    assert!(after[0].seq.unwrap() > NUMBER_BLOCK);
    assert_eq!((before[0].epoch, after[0].epoch), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn what_is_said_twice_under_one_name_is_done_once() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    for _ in 0..3 {
        let input = Input::Text { text: "where".into(), attachments: Vec::new() };
        session.send(client.client, Some("evt_mine".into()), input).await.unwrap();
    }
    let names = names(&events(&mut client).await);
    assert_eq!(names.iter().filter(|name| **name == "turn.start").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_former_owner_is_cut_off_when_another_takes_over() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.store.own(session.id).await.unwrap();

    stage.ask(&session, &client).await;

    assert_eq!(until_cut(&mut client).await.1, Cut::Moved);
}

#[tokio::test(start_paused = true)]
async fn whoever_is_still_writing_in_a_deleted_chat_is_told_that_it_is_deleted() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    let row = stage.store.find(session.id).await.unwrap().unwrap();
    let line = Line::new(Timestamp::UNIX_EPOCH, USER, "session_deleted");
    stage.store.delete_thread(USER, row.thread, Timestamp::UNIX_EPOCH, line).await.unwrap();

    stage.ask(&session, &client).await;

    assert_eq!(until_cut(&mut client).await.1, Cut::Deleted);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_reads_is_cut_off_and_the_others_are_not() {
    let stage = Stage::new();
    let (session, mut reader) = stage.session().await;
    let (_, mut sleeper) = stage.registry.join(session.clone(), Start::Now).await.unwrap();
    for _ in 0..40 {
        stage.ask(&session, &reader).await;
        assert!(names(&events(&mut reader).await).contains(&"turn.end"));
    }

    let (taken, end) = until_cut(&mut sleeper).await;

    assert_eq!(end, Cut::TooSlow);
    assert!(taken <= 128, "{taken} events were kept for it");
}

async fn until_cut(client: &mut Joined) -> (usize, Cut) {
    let mut taken = 0;
    loop {
        match client.next().await {
            Ok(_) => taken += 1,
            Err(cut) => return (taken, cut),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn another_persons_session_is_as_unknown_as_none() {
    let stage = Stage::new();
    let (session, _client) = stage.session().await;
    let stranger = UserId(Uuid::from_u128(0xBAD));
    let nowhere = brain::SessionId(Uuid::from_u128(0xBAD));

    assert_eq!(stage.registry.open(session.id, stranger).await.err(), Some(OpenError::Unknown));
    assert_eq!(stage.registry.open(nowhere, USER).await.err(), Some(OpenError::Unknown));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_everybody_left_falls_asleep_and_wakes_up_again() {
    let stage = Stage::new();
    let (session, client) = stage.session().await;
    session.leave(client.client).await;
    tokio::time::sleep(Duration::from_mins(2)).await;
    assert_eq!(stage.registry.awake(), 0);

    let opened = stage.registry.open(session.id, USER).await.unwrap();
    let (session, mut client) = stage.registry.join(opened, Start::Now).await.unwrap();
    stage.ask(&session, &client).await;
    assert!(names(&events(&mut client).await).contains(&"turn.end"));
}

#[tokio::test(start_paused = true)]
async fn two_who_open_a_sleeping_session_at_once_get_the_same_one() {
    let stage = Stage::new();
    let (session, client) = stage.session().await;
    session.leave(client.client).await;
    tokio::time::sleep(Duration::from_mins(2)).await;

    let (one, other) =
        tokio::join!(stage.registry.open(session.id, USER), stage.registry.open(session.id, USER),);
    let (one, mut first) = stage.registry.join(one.unwrap(), Start::Now).await.unwrap();
    let (_, mut second) = stage.registry.join(other.unwrap(), Start::Now).await.unwrap();
    stage.ask(&one, &first).await;

    assert_eq!(events(&mut first).await, events(&mut second).await);
}

#[tokio::test(start_paused = true)]
async fn the_record_of_a_turn_tells_how_it_went() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.ask(&session, &client).await;
    let turn = events(&mut client).await[0].turn_id.unwrap();

    let row = stage.store.turn(turn).await.unwrap().unwrap();

    assert_eq!((row.outcome, row.state), (Some(Outcome::Success), TurnState::Idle));
    assert!(row.mode.is_some() && row.ended_at.is_some());
    assert!(row.first_event_us.is_some() && row.first_token_us.is_some());
}
