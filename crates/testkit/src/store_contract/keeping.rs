//! What every store promises about what is not kept for ever.

use brain::action::News;
use brain::audit::{Check, Line};
use brain::confirmation::ConfirmationState;
use brain::ids::Uuid;
use brain::paper::Reading;
use brain::{
    Confirmation, Envelope, Event, FileId, InputMode, KeyId, Profile, Seal, SessionId, ThreadId,
    TurnId, UserId,
};
use jiff::Timestamp;
use serde_json::json;
use store::{
    Batch, Deleted, FileRow, Forgotten, Handed, KeyRow, NewSession, PIECE, Store, StoreError,
    ThreadPage, TurnRow, Words,
};

use super::cards::{after, agreed, answered, asked};
use super::say_so::a_yes;
use super::{batch, new_session, said, tool_run, turn_row};

/// Nobody else in the contract is them.
const MAYA: UserId = UserId(Uuid::from_u128(0xa001));
const NOOR: UserId = UserId(Uuid::from_u128(0xa002));

pub(super) async fn keeps_its_promises(store: &dyn Store) {
    what_is_asked_again_is_noted_on_its_turn(store).await;
    a_temporary_session_is_in_no_list_and_leaves_the_audit(store).await;
    a_card_does_not_keep_a_temporary_session_but_a_write_does(store).await;
    nobody_sees_half_of_a_big_chat(store).await;
    a_person_who_leaves_leaves_nothing_but_the_audit(store).await;
    what_is_too_old_goes_and_what_is_open_stays(store).await;
    files_that_are_too_old_go(store).await;
    the_audit_goes_on_from_where_it_was_cut(store).await;
}

pub(super) fn line(user: UserId, what: &str) -> Line {
    Line::new(after(99), user, what)
}

fn new(user: UserId, number: u128) -> NewSession {
    let thread = ThreadId(Uuid::from_u128(number));
    NewSession { user, thread, ..new_session(number) }
}

/// A turn of one message, over unless somebody changes that.
async fn spoken(store: &dyn Store, session: SessionId, number: u64, at: Timestamp) -> TurnRow {
    let turn = TurnRow {
        started_at: at,
        ended_at: Some(at),
        ..turn_row(session, 0xa_0000_0000 + u128::from(number))
    };
    let started = Event::TurnStarted {
        input_mode: InputMode::Text,
        in_reply_to: Some(format!("evt_{number}")),
        follows: None,
        goes_on: None,
    };
    let events = [(2 * number - 1, started), (2 * number, Event::Said { text: "heron".into() })];
    let events = events.map(|(seq, event)| Envelope {
        ts: at,
        turn_id: Some(turn.turn),
        role: event.role(),
        event,
        ..said(session, 1, seq, "")
    });
    let run = tool_run(&turn, 0xa_0000_0000 + u128::from(number));
    let kept = Batch {
        turn: Some(turn.clone()),
        tool_runs: vec![run],
        ..batch(session, 1, events.to_vec())
    };
    store.append(kept).await.expect("it is ours");
    turn
}

async fn what_is_asked_again_is_noted_on_its_turn(store: &dyn Store) {
    let session = new(MAYA, 0xa101);
    store.create(session.clone()).await.expect("a new session");
    let turn = spoken(store, session.session, 0xa102, after(1)).await;
    for name in ["evt_41218", "evt_41218", "evt_unheard"] {
        store.said_again(session.session, name.into()).await.expect("it can be noted");
    }
    let kept = store.turn(turn.turn).await.expect("readable").expect("it is there");
    assert_eq!(kept.figures.dedupe_hits, 2);
    let again = Batch { turn: Some(turn.clone()), ..Batch::new(session.session, 1) };
    store.append(again).await.expect("it is ours");
    let kept = store.turn(turn.turn).await.expect("readable").expect("it is there");
    assert_eq!(kept.figures.dedupe_hits, 2, "who writes the turn does not count");
}

async fn a_temporary_session_is_in_no_list_and_leaves_the_audit(store: &dyn Store) {
    let [passing, lasting] = [new(MAYA, 0xa201), new(MAYA, 0xa202)];
    store.create_temporary(passing.clone()).await.expect("a new session");
    store.create(lasting.clone()).await.expect("a new session");
    let turn = spoken(store, passing.session, 0xa203, after(1)).await;
    spoken(store, lasting.session, 0xa204, after(1)).await;

    let row = store.find(passing.session).await.expect("readable").expect("it is there");
    assert!(row.temporary);
    let page = ThreadPage { limit: 99, ..ThreadPage::default() };
    let listed = store.threads(MAYA, page).await.expect("readable");
    assert!(listed.iter().any(|row| row.thread == lasting.thread));
    assert!(listed.iter().all(|row| row.thread != passing.thread));
    let words = Words::of("heron").expect("a word");
    let found = store.search(MAYA, words, None, 99).await.expect("readable").expect("a search");
    assert!(!found.is_empty() && found.iter().all(|found| found.thread != passing.thread));
    assert_eq!(store.temporary_sessions().await, Ok(vec![(passing.session, MAYA)]));

    let before = store.audit(0, 9_999).await.expect("readable").len();
    let end = async |session| store.end_temporary(session, line(MAYA, "temporary_ended")).await;
    assert_eq!(end(lasting.session).await, Ok(Deleted::Unknown));
    let gone = Deleted::Gone { sessions: vec![passing.session], files: vec![] };
    assert_eq!(end(passing.session).await, Ok(gone));
    assert_eq!(end(passing.session).await, Ok(Deleted::Unknown));
    assert_eq!(store.find(passing.session).await, Ok(None));
    assert_eq!(store.read(passing.session, 0, 9).await, Ok(vec![]));
    assert_eq!(store.turn(turn.turn).await, Ok(None));
    assert_eq!(store.tool_runs(turn.turn).await, Ok(vec![]));
    assert_eq!(store.temporary_sessions().await, Ok(vec![]));
    assert_eq!(store.audit(0, 9_999).await.expect("readable").len(), before + 1);
}

async fn a_card_does_not_keep_a_temporary_session_but_a_write_does(store: &dyn Store) {
    let session = new(MAYA, 0xa301);
    store.create_temporary(session.clone()).await.expect("a new session");
    let question = Confirmation { user: MAYA, ..asked(session.session, 0xa302) };
    let kept = Batch { confirmations: vec![question.clone()], ..Batch::new(session.session, 1) };
    store.append(kept).await.expect("it is ours");
    store.append(a_yes(&question)).await.expect("a yes");
    let end = async || store.end_temporary(session.session, line(MAYA, "ended")).await;
    assert_eq!(end().await, Ok(Deleted::WriteOpen));
    let thread = store.delete_thread(MAYA, session.thread, after(5), line(MAYA, "deleted")).await;
    assert_eq!(thread, Ok(Deleted::WriteOpen));

    let session = new(MAYA, 0xa303);
    store.create_temporary(session.clone()).await.expect("a new session");
    let question = Confirmation { user: MAYA, ..asked(session.session, 0xa304) };
    let kept = Batch { confirmations: vec![question], ..Batch::new(session.session, 1) };
    store.append(kept).await.expect("it is ours");
    let thread = store.delete_thread(MAYA, session.thread, after(5), line(MAYA, "deleted")).await;
    assert!(matches!(thread, Ok(Deleted::Gone { .. })), "{thread:?}");
}

async fn nobody_sees_half_of_a_big_chat(store: &dyn Store) {
    let session = new(MAYA, 0xa401);
    store.create(session.clone()).await.expect("a new session");
    let many: Vec<_> = (1..=2 * PIECE as u64 + 7)
        .map(|seq| said(session.session, 1, seq, "one of many"))
        .collect();
    store.append(batch(session.session, 1, many)).await.expect("it is ours");

    let deleted = store.delete_thread(MAYA, session.thread, after(5), line(MAYA, "deleted")).await;

    assert!(matches!(deleted, Ok(Deleted::Gone { .. })), "{deleted:?}");
    assert_eq!(store.read(session.session, 0, 9).await, Ok(vec![]));
    assert_eq!(store.clear_away().await, Ok(false), "nothing is left to clear away");
    let late = store.append(batch(session.session, 1, vec![])).await;
    assert_eq!(late, Err(StoreError::Gone(session.session)));
}

fn file(user: UserId, number: u128, at: Timestamp) -> FileRow {
    FileRow {
        file: FileId(Uuid::from_u128(number)),
        user,
        session: None,
        name: "a.txt".into(),
        media_type: "text/plain".into(),
        bytes: 1,
        sha256: "0".repeat(64),
        created_at: at,
        reading: Reading::Parsing,
    }
}

fn key(user: UserId, number: u128) -> KeyRow {
    KeyRow {
        key: KeyId(Uuid::from_u128(number)),
        fingerprint: Seal::of_value(&json!(number.to_string())),
        name: "laptop".into(),
        user,
        user_name: "noor".into(),
        operator: false,
        created_at: after(0),
        expires_at: None,
        revoked_at: None,
    }
}

async fn a_person_who_leaves_leaves_nothing_but_the_audit(store: &dyn Store) {
    let [theirs, other] = [new(NOOR, 0xa501), new(MAYA, 0xa502)];
    for session in [&theirs, &other] {
        store.create(session.clone()).await.expect("a new session");
    }
    let turn = spoken(store, theirs.session, 0xa503, after(1)).await;
    let kept = spoken(store, other.session, 0xa504, after(1)).await;
    let question = Confirmation { user: NOOR, turn: turn.turn, ..asked(theirs.session, 0xa505) };
    let asking = Batch { confirmations: vec![question.clone()], ..Batch::new(theirs.session, 1) };
    store.append(asking).await.expect("it is ours");
    store.append(a_yes(&question)).await.expect("a yes");
    let handed = file(NOOR, 0xa506, after(0));
    assert_eq!(store.hand_over(handed.clone(), 9).await, Ok(Handed::Kept));
    for (user, number) in [(NOOR, 0xa507), (MAYA, 0xa508)] {
        store.add_key(key(user, number), line(user, "key_created")).await.expect("a key");
        store.save_profile(user, Profile::new("UTC")).await.expect("a profile");
    }
    store.rename(NOOR, theirs.thread, "Mine".into()).await.expect("it is there");

    let forget = async || store.forget_user(NOOR, line(NOOR, "user_deleted")).await;
    assert_eq!(forget().await, Ok(Forgotten::WriteOpen));
    assert!(store.find(theirs.session).await.expect("readable").is_some());
    let yes = answered(&question, ConfirmationState::Accepted);
    let action = agreed(&yes);
    let patience = jiff::SignedDuration::from_secs(5);
    let begun = action.learn(News::Claimed { epoch: 1 }, after(21), patience).expect("it begins");
    let done = begun.learn(News::Done(json!({})), after(22), patience).expect("it ends");
    for action in [begun, done] {
        let news = Batch { actions: vec![action], ..Batch::new(theirs.session, 1) };
        store.append(news).await.expect("it is ours");
    }
    let before = store.audit(0, 9_999).await.expect("readable").len();

    let gone = Forgotten::Gone { sessions: vec![theirs.session], files: vec![handed.file] };
    assert_eq!(forget().await, Ok(gone), "what was not told to them is told to nobody");

    assert_eq!(store.find(theirs.session).await, Ok(None));
    assert_eq!(store.turn(turn.turn).await, Ok(None));
    assert_eq!(store.confirmations_of(turn.turn).await, Ok(vec![]));
    assert_eq!(store.actions_of(turn.turn).await, Ok(vec![]));
    assert_eq!(store.file_bytes(NOOR).await, Ok(0));
    assert_eq!(store.profile(NOOR).await, Ok(None));
    assert_eq!(store.key(KeyId(Uuid::from_u128(0xa507))).await, Ok(None));
    let unsettled = store.restless().await.expect("readable");
    assert!(unsettled.iter().all(|(_, user)| *user != NOOR));
    assert_eq!(store.audit(0, 9_999).await.expect("readable").len(), before + 2);
    assert_eq!(store.turn(kept.turn).await.expect("readable").map(|row| row.turn), Some(kept.turn));
    assert!(store.profile(MAYA).await.expect("readable").is_some());
    assert!(store.key(KeyId(Uuid::from_u128(0xa508))).await.expect("readable").is_some());
}

async fn expire(store: &dyn Store, before: Timestamp) {
    let mut from = Some(0);
    while let Some(place) = from {
        from = store.expire_turns(before, place).await.expect("it can be written");
    }
    while store.expire_sessions(before, line(MAYA, "session_expired")).await.expect("written") {}
    while store.clear_away().await.expect("it can be written") {}
}

/// Long before anything else in the contract happened.
fn long_ago(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_000_000_000 + seconds).expect("a valid time")
}

async fn what_is_too_old_goes_and_what_is_open_stays(store: &dyn Store) {
    let [old, mixed, open] = [new(MAYA, 0xa601), new(MAYA, 0xa602), new(MAYA, 0xa603)];
    for session in [&old, &mixed, &open] {
        let session = NewSession { created_at: long_ago(0), ..session.clone() };
        store.create(session).await.expect("a new session");
    }
    let gone = spoken(store, old.session, 0xa604, long_ago(1)).await;
    let half = spoken(store, mixed.session, 0xa605, long_ago(1)).await;
    let kept = spoken(store, mixed.session, 0xa606, after(1)).await;
    let waiting = spoken(store, open.session, 0xa607, long_ago(1)).await;
    let parked = TurnRow { ended_at: None, ..waiting.clone() };
    let parked = Batch { turn: Some(parked), ..Batch::new(open.session, 1) };
    store.append(parked).await.expect("it is ours");

    expire(store, long_ago(2)).await;

    let is_there = async |turn: TurnId| store.turn(turn).await.expect("readable").is_some();
    assert!(!is_there(gone.turn).await && !is_there(half.turn).await);
    assert!(is_there(kept.turn).await && is_there(waiting.turn).await);
    assert_eq!(store.find(old.session).await, Ok(None), "nothing is left in it");
    let rest = store.thread(MAYA, mixed.thread).await.expect("readable").expect("it is there");
    assert_eq!(rest.messages, 1);
    assert_eq!(store.read(open.session, 0, 9).await.expect("readable").len(), 2);
}

async fn files_that_are_too_old_go(store: &dyn Store) {
    let [old, young] = [file(MAYA, 0xa701, long_ago(1)), file(MAYA, 0xa702, after(1))];
    for file in [&old, &young] {
        assert_eq!(store.hand_over(file.clone(), 9).await, Ok(Handed::Kept));
    }
    assert_eq!(store.expire_files(long_ago(2)).await, Ok(vec![old.file]));
    assert_eq!(store.expire_files(long_ago(2)).await, Ok(vec![]));
    assert_eq!(store.file(MAYA, old.file).await, Ok(None));
    assert_eq!(store.file(MAYA, young.file).await, Ok(Some(young)));
}

async fn the_audit_goes_on_from_where_it_was_cut(store: &dyn Store) {
    let all = store.audit(0, 9_999).await.expect("readable");
    let last = all.last().expect("there are lines");
    let cut = async |before| store.cut_audit(before, line(MAYA, "audit_cut")).await;
    assert_eq!(cut(long_ago(0)).await, Ok(0), "nothing is that old");
    assert_eq!(store.audit(0, 9_999).await.expect("readable").len(), all.len());

    let late = Timestamp::from_second(9_000_000_000).expect("a valid time");
    let mut went = 0;
    // Each piece leaves a line of its own, which is never among those it lets go.
    while went < all.len() as u64 {
        went += cut(late).await.expect("it can be written");
    }

    let rest = store.audit(0, 9_999).await.expect("readable");
    let first = rest.first().expect("a line tells of it");
    assert!(first.number > last.number || all.len() > PIECE);
    let told = rest.last().and_then(|entry| entry.line.why.clone()).expect("it says where");
    let (number, seal) = told.split_once(' ').expect("a number and a seal");
    let (number, seal) = (number.parse().expect("a number"), seal.parse().expect("a seal"));
    let mut check = Check::after(number, seal);
    rest.iter().try_for_each(|entry| check.take(entry)).expect("the chain holds from there");
    store.note(line(MAYA, "noted")).await.expect("it grows");
    let grown = store.audit(check.held().0, 9).await.expect("readable");
    assert_eq!(grown.len(), 1);
    check.take(&grown[0]).expect("and holds");
}
