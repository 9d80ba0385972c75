//! Whoever comes back, from wherever they stopped, at whatever moment, sees what
//! somebody sees who never left.

use std::sync::Arc;
use std::time::Duration;

use brain::confirmation::Channel;
use brain::input::Decision;
use brain::snapshot::{Lost, Speaking};
use brain::{ActionState, Cursor, Envelope, Event, Input, MessageId, TurnState};
use jiff::SignedDuration;
use serde_json::json;
use session::{Joined, Registry, SessionHandle, Start};
use testkit::page::{Page, Shown};
use testkit::parts::Thought;
use testkit::writer::{FakeWriter, Fortune};
use testkit::{ManualClock, ScriptedMind};
use tools::Catalog;

use crate::{QUIET, Stage, USER, events, names, note};

/// Longer than a slow tool takes.
const LONG: Duration = Duration::from_secs(10);

/// Somebody who came back: from where, and what they saw once they were told that
/// this is all.
struct Comer {
    from: usize,
    reached: u64,
    shown: Shown,
}

/// Somebody who never leaves, and everybody who comes back beside them.
struct Watch<'a> {
    registry: &'a Registry,
    session: SessionHandle,
    client: Joined,
    seen: Vec<Arc<Envelope>>,
    comers: Vec<Comer>,
}

impl<'a> Watch<'a> {
    async fn new(stage: &'a Stage) -> Self {
        let (session, client) = stage.session().await;
        let (seen, comers) = (Vec::new(), Vec::new());
        Self { registry: &stage.registry, session, client, seen, comers }
    }

    async fn say(&mut self, text: &str) {
        let input = Input::Text { text: text.into(), attachments: Vec::new() };
        self.send(input).await;
    }

    async fn send(&mut self, input: Input) {
        self.session.send(self.client.client, None, input).await.unwrap();
    }

    /// Reads on until everybody is quiet. At every event somebody comes back from
    /// every other place there was.
    async fn look(&mut self) {
        while let Ok(Ok(envelope)) = tokio::time::timeout(LONG, self.client.next()).await {
            if envelope.seq.is_none() {
                continue;
            }
            self.seen.push(envelope);
            for from in 0..=self.seen.len() {
                let cursor = cursor(&self.seen[..from], from % 2 == 0);
                self.come_back(from, Start::After(cursor)).await;
            }
            self.come_back(0, Start::Anew).await;
        }
    }

    async fn come_back(&mut self, from: usize, start: Start) {
        let joined = self.registry.join(self.session.clone(), start).await;
        let (_, mut joined) = joined.unwrap();
        let mut page = Page::of(self.seen[..from].iter().map(|one| &**one));
        loop {
            let envelope = joined.next().await.unwrap();
            if let (Some(first), Some(seq)) = (page.last_seq.checked_add(1), envelope.seq) {
                assert!(seq >= first, "{seq} came again behind {}", page.last_seq);
            }
            page.take(&envelope);
            if matches!(envelope.event, Event::CaughtUp(_) | Event::Resynced(_)) {
                break;
            }
        }
        self.session.leave(joined.client).await;
        self.comers.push(Comer { from, reached: page.last_seq, shown: page.shown() });
    }

    fn card(&self) -> (String, u32) {
        let latest = self.seen.iter().rev().find_map(|envelope| match &envelope.event {
            Event::AskedToConfirm(card) | Event::QuestionChanged(card) => {
                Some((card.confirmation_request_id.to_string(), card.revision))
            }
            _ => None,
        });
        latest.unwrap_or_else(|| panic!("no card in {:?}", names(&self.seen)))
    }

    async fn answer(&mut self, decision: Decision, edited: Option<&str>) {
        let (question, revision) = self.card();
        let edited = edited.map(|text| json!({ "text": text }).as_object().unwrap().clone());
        let channel = brain::confirmation::Channel::Click;
        let revision = Some(revision);
        self.send(Input::Answer { question, decision, edited, revision, channel }).await;
    }

    /// Everybody saw what somebody saw at that moment who never left.
    fn all_saw_the_same(&self) {
        let mut states = std::collections::HashSet::new();
        for comer in &self.comers {
            let seen = self.seen.iter().filter(|one| one.seq.unwrap() <= comer.reached);
            let expected = Page::of(seen.map(|one| &**one)).shown();
            states.insert(expected.state.name());
            assert_eq!(comer.shown, expected, "from {} to {}", comer.from, comer.reached);
        }
        assert!(self.comers.len() > 1_000, "{} came back", self.comers.len());
        for state in ["idle", "finalizing_input", "executing_tools", "awaiting_confirmation"] {
            assert!(states.contains(state), "nobody came back while {state}: {states:?}");
        }
    }
}

/// The place behind these events.
fn cursor(seen: &[Arc<Envelope>], with_epoch: bool) -> Cursor {
    let last = seen.last();
    Cursor {
        epoch: last.map(|one| one.epoch).filter(|_| with_epoch),
        last_seq: last.and_then(|one| one.seq).unwrap_or(0),
    }
}

fn notes(mind: &ScriptedMind, text: &str) {
    let acknowledgement = Some("One moment.".into());
    mind.will_think(Thought { acknowledgement, ..note::thought(text) });
}

fn does() -> Fortune {
    Fortune::Does(json!({ "id": "n1" }))
}

fn writers() -> Catalog {
    let writer = FakeWriter::new(note::TOOL, vec![does(), does()]).slowly();
    Catalog::new().with(Arc::new(writer))
}

/// A conversation with everything in it.
async fn talk(stage: &Stage, watch: &mut Watch<'_>) {
    let says = |text: &str| Thought { says: Some(text.into()), ..Thought::default() };
    stage.mind.will_think(says("Here. And there. And everywhere."));
    watch.say("where").await;
    watch.look().await;
    let slowly = |text| Thought { takes: Duration::from_millis(30), ..says(text) };
    stage.mind.will_think(slowly("Let me see. It is nine."));
    stage.mind.will_think(slowly("Never said."));
    watch.say("when").await;
    watch.say("why").await;
    watch.look().await;
    stage.mind.will_think(slowly("Never said either."));
    watch.say("how").await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    watch.send(Input::Interrupt { turn: None, heard_ms: Some(120) }).await;
    watch.look().await;
    for (decision, edited) in
        [(Decision::Accept, None), (Decision::Edit, Some("called")), (Decision::Reject, None)]
    {
        notes(&stage.mind, "note that");
        watch.say("note that").await;
        watch.look().await;
        watch.answer(decision, edited).await;
        watch.look().await;
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    watch.look().await;
    // One card stays open.
    notes(&stage.mind, "note this");
    watch.say("note this").await;
    watch.look().await;
}

#[tokio::test(start_paused = true)]
async fn coming_back_at_any_moment_from_any_place_shows_what_was_never_left() {
    let stage = Stage::new().having(writers());
    let mut watch = Watch::new(&stage).await;
    talk(&stage, &mut watch).await;
    watch.all_saw_the_same();
}

#[tokio::test(start_paused = true)]
async fn after_a_restart_every_earlier_place_is_still_known() {
    let stage = Stage::new().having(writers());
    let mut watch = Watch::new(&stage).await;
    talk(&stage, &mut watch).await;
    let (seen, session) = (watch.seen, watch.session);
    stage.registry.close().await;

    let again = Stage::on(Arc::clone(&stage.store)).having(writers());
    let opened = again.registry.open(session.id, USER).await.unwrap();
    let expected = Page::of(seen.iter().map(|one| &**one)).shown();
    assert_eq!(expected.state, TurnState::AwaitingConfirmation);
    for from in 0..=seen.len() {
        let start = Start::After(cursor(&seen[..from], true));
        let (_, mut joined) = again.registry.join(opened.clone(), start).await.unwrap();
        let mut page = Page::of(seen[..from].iter().map(|one| &**one));
        events(&mut joined).await.iter().for_each(|envelope| page.take(envelope));
        assert_eq!(page.shown(), expected, "from {from}");
        assert_eq!(page.epoch, 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cursor_that_nobody_gave_out_is_answered_with_everything_there_is() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.ask(&session, &client).await;
    let seen = events(&mut client).await;

    for (epoch, last_seq) in [(9, 1), (0, 1), (1, 900)] {
        let cursor = Cursor { epoch: Some(epoch), last_seq };
        let joined = stage.registry.join(session.clone(), Start::After(cursor)).await;
        let told = events(&mut joined.unwrap().1).await;
        assert_eq!(names(&told), ["resync"]);
        let Event::Resynced(snapshot) = &told[0].event else { unreachable!() };
        assert_eq!(snapshot.reason, Lost::UnknownCursor);
        assert_eq!(snapshot.messages.len(), 2);
        assert_eq!(Some(snapshot.standing.last_seq), seen.last().unwrap().seq);
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_was_away_for_more_than_a_day_gets_everything_there_is() {
    let clock = Arc::new(ManualClock::at("2026-11-15T18:30:00Z".parse().unwrap()));
    let stage = Stage::new().at(&clock);
    let (session, mut client) = stage.session().await;
    // More than is kept at hand.
    for _ in 0..60 {
        stage.ask(&session, &client).await;
        events(&mut client).await;
    }
    let first = Start::After(Cursor { epoch: Some(1), last_seq: 1 });
    let back = async || {
        let (_, mut joined) = stage.registry.join(session.clone(), first).await.unwrap();
        names(&events(&mut joined).await)[0]
    };

    assert_ne!(back().await, "resync");
    clock.advance(SignedDuration::from_hours(23).unsigned_abs());
    assert_ne!(back().await, "resync");
    clock.advance(SignedDuration::from_hours(2).unsigned_abs());
    assert_eq!(back().await, "resync");
}

#[tokio::test(start_paused = true)]
async fn what_became_of_cards_is_part_of_everything_there_is() {
    let stage = Stage::new().having(note::with(&note::writer(Fortune::Does(json!({ "id": 1 })))));
    let (session, mut client) = stage.session().await;
    let everything = async |client: &mut Joined| {
        session.send(client.client, None, Input::Resume { cursor: None }).await.unwrap();
        let told = events(client).await;
        let snapshot = told.iter().find_map(|envelope| match &envelope.event {
            Event::Resynced(snapshot) => Some((**snapshot).clone()),
            _ => None,
        });
        snapshot.unwrap()
    };
    let yes = note::asked_for(&stage, &session, &mut client).await;
    let open = everything(&mut client).await;
    assert_eq!((open.pending_confirmations.len(), open.settled_confirmations.len()), (1, 0));

    session.send(client.client, None, yes).await.unwrap();
    events(&mut client).await;
    let mut no = note::asked_for(&stage, &session, &mut client).await;
    if let Input::Answer { decision, channel, .. } = &mut no {
        (*decision, *channel) = (Decision::Reject, Channel::Key);
    }
    session.send(client.client, None, no).await.unwrap();
    events(&mut client).await;

    let over = everything(&mut client).await;
    assert!(over.pending_confirmations.is_empty());
    let [done, declined] = &over.settled_confirmations[..] else { panic!("{over:?}") };
    assert_eq!(done.answer.as_ref().unwrap().decision, Decision::Accept);
    let came = done.result.as_ref().unwrap();
    assert_eq!((came.ok, came.state), (true, Some(ActionState::Confirmed)));
    let given = declined.answer.as_ref().unwrap();
    assert_eq!((given.decision, given.channel), (Decision::Reject, Channel::Key));
    assert_eq!(declined.result, None);
}

#[tokio::test(start_paused = true)]
async fn more_than_ten_thousand_missed_events_are_not_replayed_one_by_one() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    let mut kept = 0;
    while kept <= 10_000 {
        stage.ask(&session, &client).await;
        kept += crate::only_kept(events(&mut client).await).len();
    }
    let start = |last_seq| Start::After(Cursor { epoch: Some(1), last_seq });
    let (_, mut far) = stage.registry.join(session.clone(), start(0)).await.unwrap();
    let told = events(&mut far).await;
    assert_eq!(names(&told), ["resync"]);
    let Event::Resynced(snapshot) = &told[0].event else { unreachable!() };
    assert_eq!((snapshot.reason, snapshot.messages.len()), (Lost::TooOld, 100));
    assert!(snapshot.has_more);

    let (_, mut near) = stage.registry.join(session.clone(), start(100)).await.unwrap();
    assert!(crate::only_kept(events(&mut near).await).len() > 9_000);
}

#[tokio::test(start_paused = true)]
async fn a_client_may_ask_again_where_it_is_without_hanging_up() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.ask(&session, &client).await;
    let seen = events(&mut client).await;

    // It has not read these yet when it asks; they come once.
    stage.ask(&session, &client).await;
    tokio::time::sleep(QUIET).await;
    let cursor = Some(cursor(&seen, true));
    session.send(client.client, None, Input::Resume { cursor }).await.unwrap();
    tokio::time::sleep(QUIET).await;
    let told = events(&mut client).await;

    let numbers: Vec<_> = told.iter().filter_map(|envelope| envelope.seq).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert_eq!(numbers[0], seen.last().unwrap().seq.unwrap() + 1);
    assert_eq!(names(&told).iter().filter(|name| **name == "turn.end").count(), 1);
    assert_eq!(*names(&told).last().unwrap(), "session.resumed");

    session.send(client.client, None, Input::Resume { cursor: None }).await.unwrap();
    assert_eq!(names(&events(&mut client).await), ["resync"]);
}

#[tokio::test(start_paused = true)]
async fn how_far_somebody_listened_is_part_of_everything_there_is() {
    let stage = Stage::new();
    let (session, mut client) = stage.session().await;
    stage.ask(&session, &client).await;
    let seen = events(&mut client).await;
    let answer = seen.iter().rev().find_map(|one| {
        matches!(one.event, Event::Said { .. }).then_some(one.message_id).flatten()
    });
    let heard = Speaking { message_id: answer.unwrap(), heard_ms: 840 };
    session.send(client.client, None, Input::Played(heard)).await.unwrap();
    session.send(client.client, None, Input::Resume { cursor: None }).await.unwrap();
    let told = events(&mut client).await;
    let Event::Resynced(snapshot) = &told[0].event else { panic!("{told:?}") };
    assert_eq!(snapshot.speaking, Some(heard));

    let never = MessageId(brain::ids::Uuid::from_u128(99));
    let never = Speaking { message_id: never, heard_ms: 1 };
    session.send(client.client, None, Input::Played(never)).await.unwrap();
    let told = events(&mut client).await;
    assert!(matches!(&told[0].event, Event::Failed { code, .. } if code == "unknown_message"));
}

#[tokio::test(start_paused = true)]
async fn a_request_said_again_after_a_restart_is_not_done_again_for_a_day() {
    let clock = Arc::new(ManualClock::at("2026-11-15T18:30:00Z".parse().unwrap()));
    let stage = Stage::new().at(&clock);
    let (session, mut client) = stage.session().await;
    let say = async |session: &SessionHandle, client: &mut Joined, name: &str| {
        let input = Input::Text { text: "where".into(), attachments: Vec::new() };
        session.send(client.client, Some(name.into()), input).await.unwrap();
        let names = names(&events(client).await);
        names.iter().filter(|name| **name == "turn.start").count()
    };
    assert_eq!(say(&session, &mut client, "evt_first").await, 1);
    for n in 0..200 {
        assert_eq!(say(&session, &mut client, &format!("evt_{n}")).await, 1);
    }
    stage.registry.close().await;

    let again = Stage::on(Arc::clone(&stage.store)).at(&clock);
    let opened = again.registry.open(session.id, USER).await.unwrap();
    let (session, mut client) = again.registry.join(opened, Start::Now).await.unwrap();
    assert_eq!(say(&session, &mut client, "evt_first").await, 0);
    clock.advance(Duration::from_hours(25));
    assert_eq!(say(&session, &mut client, "evt_first").await, 1);
}
