//! What every store promises. Each backend runs all of it.

use std::sync::Arc;

use brain::ids::Uuid;
use brain::mode::{Execution, Mode, Pipeline, Reason};
use brain::{
    ActionLevel, CallId, Envelope, Event, EventId, InputMode, MessageId, Outcome, Profile,
    RequestId, Seal, SessionId, ThreadId, TraceId, TurnId, TurnState, UserId,
};
use jiff::Timestamp;
use serde_json::json;
use store::rows::ToolRunState;
use store::{
    Batch, Figures, NUMBER_BLOCK, Named, NewSession, Owned, Store, StoreError, ToolRunRow, TurnRow,
};

pub mod cards;
mod costs;
pub mod jobs;
mod keeping;
mod keys;
mod record;
mod revisions;
mod say_so;
mod threads;
mod watch;

/// Runs the whole contract against an empty store.
pub async fn keeps_its_promises(store: &dyn Store) {
    what_is_appended_is_read_back_in_order(store).await;
    what_was_missed_can_be_counted_and_told_in_short(store).await;
    a_former_owner_cannot_append(store).await;
    numbers_are_never_given_out_twice(store).await;
    a_batch_lands_whole_or_not_at_all(store).await;
    a_turn_is_open_until_it_ends(store).await;
    a_step_that_is_taken_up_again_has_one_row(store).await;
    a_key_belongs_to_one_turn_and_a_call_has_one_key(store).await;
    a_turn_that_waits_keeps_its_work(store).await;
    a_profile_is_kept_and_replaced(store).await;
    sessions_do_not_see_each_other(store).await;
    revisions::keeps_its_promises(store).await;
    say_so::keeps_its_promises(store).await;
    record::keeps_its_promises(store).await;
    keys::keeps_its_promises(store).await;
    threads::keeps_its_promises(store).await;
    jobs::keeps_its_promises(store).await;
    watch::keeps_its_promises(store).await;
    costs::keeps_its_promises(store).await;
    // Last: it takes out whatever is old, whoever it belongs to.
    keeping::keeps_its_promises(store).await;
}

fn new_session(number: u128) -> NewSession {
    NewSession {
        session: SessionId(Uuid::from_u128(number)),
        user: cards::PERSON,
        agent: "assistant".into(),
        thread: ThreadId(Uuid::from_u128(number)),
        created_at: Timestamp::from_second(1_763_000_000).expect("a valid time"),
    }
}

fn said(session: SessionId, epoch: u64, seq: u64, text: &str) -> Envelope {
    let event = Event::Said { text: text.into() };
    Envelope {
        event_id: EventId(Uuid::from_u128(u128::from(seq))),
        role: event.role(),
        event,
        ts: Timestamp::from_millisecond(1_763_000_000_123).expect("a valid time"),
        session_id: session,
        epoch,
        turn_id: None,
        message_id: None,
        seq: Some(seq),
        turn_seq: None,
        spelling: brain::event::Spelling::default(),
    }
}

fn batch(session: SessionId, epoch: u64, events: Vec<Envelope>) -> Batch {
    let events = events.into_iter().map(Arc::new).collect();
    Batch { events, ..Batch::new(session, epoch) }
}

fn turn_row(session: SessionId, number: u128) -> TurnRow {
    TurnRow {
        turn: TurnId(Uuid::from_u128(number)),
        session,
        input_mode: InputMode::Text,
        state: TurnState::Thinking,
        mode: None,
        outcome: None,
        error_code: None,
        trace: TraceId(Uuid::from_u128(number)),
        request: RequestId(Uuid::from_u128(number)),
        started_at: Timestamp::from_millisecond(1_763_000_000_456).expect("a valid time"),
        turn_seq: 3,
        ended_at: None,
        first_event_us: None,
        first_token_us: None,
        figures: Figures::default(),
        work: None,
    }
}

/// Call `number`, begun as the first step of `turn`.
fn tool_run(turn: &TurnRow, number: u128) -> ToolRunRow {
    ToolRunRow {
        call: CallId(Uuid::from_u128(number)),
        turn: turn.turn,
        session: turn.session,
        tool: "calendar.list_events".into(),
        level: ActionLevel::Read,
        idempotency_key: format!("{}.1", turn.turn),
        state: ToolRunState::Running,
        error_code: None,
        started_at: turn.started_at,
        took_us: None,
    }
}

async fn begin(store: &dyn Store, number: u128) -> SessionId {
    let session = new_session(number);
    let owned = store.create(session.clone()).await.expect("a new session");
    assert_eq!(owned, Owned { epoch: 1, next_seq: 1, reserved_to: NUMBER_BLOCK });
    session.session
}

async fn what_is_appended_is_read_back_in_order(store: &dyn Store) {
    let session = begin(store, 100).await;
    let events: Vec<_> =
        [(2, "a\u{0}\"é"), (3, "b"), (7, "c")].map(|(n, t)| said(session, 1, n, t)).into();
    store.append(batch(session, 1, events.clone())).await.unwrap();

    assert_eq!(store.read(session, 0, 10).await.unwrap(), events);
    assert_eq!(store.read(session, 3, 10).await.unwrap(), events[2..]);
    assert_eq!(store.read(session, 0, 2).await.unwrap(), events[..2]);
    let long = serde_json::to_string(&events[0]).expect("an envelope has a JSON form").len();
    assert_eq!(store.page(session, 0, 10, 1).await.unwrap(), events[..1], "one at least");
    assert_eq!(store.page(session, 0, 10, 2 * long).await.unwrap(), events[..2]);
    assert_eq!(store.page(session, 0, 1, 9 * long).await.unwrap(), events[..1]);
    assert_eq!(store.page(session, 7, 10, 9 * long).await.unwrap(), []);
    assert_eq!(store.last(session, 2).await.unwrap(), events[1..]);
    assert_eq!(store.last(session, 9).await.unwrap(), events);
    store.writable().await.unwrap();
    assert_eq!(store.find(session).await.unwrap().unwrap().last_seq, 7);
}

async fn what_was_missed_can_be_counted_and_told_in_short(store: &dyn Store) {
    let session = begin(store, 0x8001).await;
    let at = |second| Timestamp::from_second(second).expect("a valid time");
    let event = |seq: u64, event: Event| Envelope {
        ts: at(1_763_000_000 + i64::try_from(seq).expect("a small number")),
        role: event.role(),
        event,
        ..said(session, 1, seq, "")
    };
    let heard = |text: &str, name: Option<&str>| Event::Heard {
        text: text.into(),
        confidence: 1.0,
        in_reply_to: name.map(str::to_owned),
        attachments: Vec::new(),
        more: false,
        doubted: Vec::new(),
    };
    let started = |name: Option<&str>| Event::TurnStarted {
        input_mode: InputMode::Text,
        in_reply_to: name.map(str::to_owned),
        follows: None,
        goes_on: None,
    };
    let ended = Event::ended(Outcome::Success, None);
    let message = |number| Some(MessageId(Uuid::from_u128(number)));
    let greeted = event(4, Event::Said { text: "Hello.".into() });
    let greeted = Envelope { message_id: message(0x8004), ..greeted };
    let events = vec![
        event(1, started(Some("evt_1"))),
        Envelope { message_id: message(0x8002), ..event(2, heard("hi", None)) },
        greeted.clone(),
        event(5, ended),
        event(7, started(None)),
        event(8, heard("bye", Some("evt_2"))),
    ];
    let print = Seal::of_value(&"bye".into());
    let prints = vec![("evt_2".to_owned(), print), ("evt_9".to_owned(), print)];
    let batch = Batch { prints, ..batch(session, 1, events) };
    store.append(batch).await.expect("it is ours");

    let readable = "the store can be read";
    assert_eq!(store.count(session, 0, 100).await.expect(readable), 6);
    assert_eq!(store.count(session, 4, 100).await.expect(readable), 3);
    assert_eq!(store.count(session, 0, 2).await.expect(readable), 2);
    let numbers = |events: Vec<Envelope>| events.iter().filter_map(|e| e.seq).collect::<Vec<_>>();
    assert_eq!(numbers(store.messages(session, 99, 9).await.expect(readable)), [2, 4, 8]);
    assert_eq!(numbers(store.messages(session, 99, 2).await.expect(readable)), [4, 8]);
    assert_eq!(numbers(store.messages(session, 7, 2).await.expect(readable)), [2, 4]);
    let told = async |session, number| {
        let message = MessageId(Uuid::from_u128(number));
        store.said(session, message).await.expect(readable)
    };
    assert_eq!(told(session, 0x8004).await, Some(greeted));
    assert_eq!(told(session, 0x8002).await, None, "what people said was not told to them");
    assert_eq!(told(session, 0x8001).await, None);
    assert_eq!(told(new_session(100).session, 0x8004).await, None, "it is another session's");
    let name = |seq: i64, name: &str| Named {
        at: at(1_763_000_000 + seq),
        name: name.to_owned(),
        print: Some(print).filter(|_| name == "evt_2"),
    };
    let all = store.names(session, at(0), 9).await.expect(readable);
    assert_eq!(all, [name(1, "evt_1"), name(8, "evt_2")]);
    let late = store.names(session, at(1_763_000_002), 9).await.expect(readable);
    assert_eq!(late, [name(8, "evt_2")]);
    assert_eq!(store.names(session, at(0), 1).await.expect(readable), [name(8, "evt_2")]);
}

async fn a_former_owner_cannot_append(store: &dyn Store) {
    let session = begin(store, 200).await;
    store.append(batch(session, 1, vec![said(session, 1, 1, "first")])).await.unwrap();
    let owned = store.own(session).await.unwrap().unwrap();
    assert_eq!(owned.epoch, 2);

    let late = store.append(batch(session, 1, vec![said(session, 1, 2, "late")])).await;
    assert_eq!(late, Err(StoreError::Stale(session)));
    let fresh = said(session, 2, owned.next_seq, "fresh");
    store.append(batch(session, 2, vec![fresh.clone()])).await.unwrap();
    assert_eq!(store.read(session, 1, 10).await.unwrap(), [fresh]);
}

async fn numbers_are_never_given_out_twice(store: &dyn Store) {
    let session = begin(store, 300).await;
    let second = store.own(session).await.unwrap().unwrap();
    assert_eq!((second.next_seq, second.reserved_to), (NUMBER_BLOCK + 1, 2 * NUMBER_BLOCK));

    let mut reserving = batch(session, 2, Vec::new());
    reserving.reserve_to = 9_000;
    store.append(reserving).await.unwrap();
    assert_eq!(store.own(session).await.unwrap().unwrap().next_seq, 9_001);
    assert_eq!(store.own(SessionId(Uuid::from_u128(999))).await, Ok(None));
    assert_eq!(store.create(new_session(300)).await, Err(StoreError::Stale(session)));
}

async fn a_batch_lands_whole_or_not_at_all(store: &dyn Store) {
    let session = begin(store, 400).await;
    store.append(batch(session, 1, vec![said(session, 1, 5, "five")])).await.unwrap();

    let again = vec![said(session, 1, 5, "five again"), said(session, 1, 6, "six")];
    assert!(store.append(batch(session, 1, again)).await.is_err());
    let mut twice = batch(session, 1, vec![said(session, 1, 6, "six"), said(session, 1, 6, "six")]);
    twice.turn = Some(turn_row(session, 401));
    assert!(store.append(twice).await.is_err());
    assert_eq!(store.read(session, 0, 10).await.unwrap().len(), 1);
    assert_eq!(store.open_turns(session).await.unwrap(), []);
    assert_eq!(store.find(session).await.unwrap().unwrap().last_seq, 5);
    store.append(batch(session, 1, vec![said(session, 1, 6, "six")])).await.unwrap();
}

async fn a_turn_is_open_until_it_ends(store: &dyn Store) {
    let session = begin(store, 500).await;
    let mut turn = turn_row(session, 501);
    let run = tool_run(&turn, 502);
    let mut opening = batch(session, 1, vec![said(session, 1, 1, "one")]);
    (opening.turn, opening.tool_runs) = (Some(turn.clone()), vec![run.clone()]);
    store.append(opening).await.unwrap();
    assert_eq!(store.open_turns(session).await.unwrap(), [turn.clone()]);
    assert_eq!(store.tool_runs(turn.turn).await.unwrap(), std::slice::from_ref(&run));

    turn.state = TurnState::Idle;
    turn.outcome = Some(Outcome::Partial);
    turn.error_code = Some("timeout".into());
    turn.ended_at = Some(turn.started_at);
    turn.first_token_us = Some(950);
    turn.turn_seq = 12;
    turn.mode = Some(Mode {
        pipeline: Pipeline::ClassicFallback,
        execution: Execution::DirectResponse,
        reason: Reason::OneTool,
    });
    for state in [ToolRunState::Unknown, ToolRunState::Failed] {
        let run = ToolRunRow { state, ..run.clone() };
        let batch = Batch { tool_runs: vec![run.clone()], ..Batch::new(session, 1) };
        store.append(batch).await.unwrap();
        assert_eq!(store.tool_runs(turn.turn).await.unwrap(), [run]);
    }
    let run = ToolRunRow { state: ToolRunState::Done, took_us: Some(12), ..run };
    let mut closing = batch(session, 1, vec![said(session, 1, 2, "two")]);
    (closing.turn, closing.tool_runs) = (Some(turn.clone()), vec![run.clone()]);
    store.append(closing).await.unwrap();
    assert_eq!(store.open_turns(session).await.unwrap(), []);
    assert_eq!(store.turn(turn.turn).await.unwrap(), Some(turn.clone()));
    assert_eq!(store.tool_runs(turn.turn).await.unwrap(), [run]);
}

async fn a_step_that_is_taken_up_again_has_one_row(store: &dyn Store) {
    let turn = turn_row(begin(store, 560).await, 561);
    let keeping = |tool_runs| Batch { tool_runs, ..Batch::new(turn.session, 1) };
    let first = tool_run(&turn, 562);
    let beside = ToolRunRow { idempotency_key: "beside".into(), ..tool_run(&turn, 563) };
    store.append(keeping(vec![first.clone(), beside.clone()])).await.unwrap();

    let later = first.started_at + jiff::SignedDuration::from_secs(60);
    let again = ToolRunRow { started_at: later, ..tool_run(&turn, 564) };
    store.append(keeping(vec![again.clone()])).await.unwrap();
    assert_eq!(store.tool_runs(turn.turn).await.unwrap(), [beside.clone(), again.clone()]);

    let done = ToolRunRow { state: ToolRunState::Done, took_us: Some(12), ..again };
    store.append(keeping(vec![done.clone()])).await.unwrap();
    assert_eq!(store.tool_runs(turn.turn).await.unwrap(), [beside, done]);
}

async fn a_key_belongs_to_one_turn_and_a_call_has_one_key(store: &dyn Store) {
    let session = begin(store, 570).await;
    let (turn, other) = (turn_row(session, 571), turn_row(session, 572));
    let keeping = |run: &ToolRunRow| Batch {
        events: vec![said(session, 1, 1, "one").into()],
        tool_runs: vec![run.clone()],
        ..Batch::new(session, 1)
    };
    let run = tool_run(&turn, 573);
    let kept = Batch { tool_runs: vec![run.clone()], ..Batch::new(session, 1) };
    store.append(kept).await.unwrap();

    let elsewhere = ToolRunRow { turn: other.turn, ..tool_run(&turn, 574) };
    let renamed = ToolRunRow { idempotency_key: "another".into(), ..run.clone() };
    for refused in [elsewhere, renamed] {
        let refused = store.append(keeping(&refused)).await;
        assert!(matches!(refused, Err(StoreError::Contradiction(_))), "{refused:?}");
    }
    assert_eq!(store.tool_runs(turn.turn).await.unwrap(), [run]);
    assert_eq!(store.tool_runs(other.turn).await.unwrap(), []);
    assert_eq!(store.read(session, 0, 10).await.unwrap(), []);
}

async fn a_turn_that_waits_keeps_its_work(store: &dyn Store) {
    let session = begin(store, 550).await;
    let work = json!({ "plan": { "steps": [1, 2] }, "results": [null, 0.300_000_000_000_000_04] });
    let mut turn = TurnRow { work: Some(work), ..turn_row(session, 551) };
    turn.state = TurnState::AwaitingConfirmation;
    store.append(Batch { turn: Some(turn.clone()), ..Batch::new(session, 1) }).await.unwrap();
    assert_eq!(store.open_turns(session).await.unwrap(), [turn.clone()]);

    turn.work = None;
    store.append(Batch { turn: Some(turn.clone()), ..Batch::new(session, 1) }).await.unwrap();
    assert_eq!(store.turn(turn.turn).await, Ok(Some(turn)));
}

async fn a_profile_is_kept_and_replaced(store: &dyn Store) {
    let user = UserId(Uuid::from_u128(600));
    assert_eq!(store.profile(user).await, Ok(None));
    for zone in ["Europe/Berlin", "Asia/Tokyo"] {
        let profile = Profile { name: Some("Maya".into()), ..Profile::new(zone) };
        store.save_profile(user, profile.clone()).await.unwrap();
        assert_eq!(store.profile(user).await, Ok(Some(profile)));
    }
}

async fn sessions_do_not_see_each_other(store: &dyn Store) {
    let (one, other) = (begin(store, 700).await, begin(store, 701).await);
    store.append(batch(one, 1, vec![said(one, 1, 1, "mine")])).await.unwrap();
    assert_eq!(store.read(other, 0, 10).await.unwrap(), []);
    assert_eq!(store.find(SessionId(Uuid::from_u128(702))).await, Ok(None));
}
