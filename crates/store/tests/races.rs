//! Two owners answer one question; only one of them is heard.

use std::sync::Arc;

use brain::action::News;
use brain::confirmation::ConfirmationState;
use brain::ids::Uuid;
use brain::{Confirmation, SessionId, ThreadId};
use jiff::SignedDuration;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use store::memory::MemoryStore;
use store::sqlite::SqliteStore;
use store::{Batch, NewSession, Store, StoreError};
use testkit::store_contract::cards::{
    PERSON, after, agreed, answered, asked, card, line, whole_audit,
};

const RACES: usize = 1_000;

async fn begin(store: &dyn Store, number: u128) -> Confirmation {
    let session = SessionId(Uuid::from_u128(number));
    let new = NewSession {
        session,
        user: PERSON,
        agent: "assistant".into(),
        thread: ThreadId(Uuid::from_u128(number)),
        created_at: after(0),
    };
    store.create(new).await.unwrap();
    let question = asked(session, number);
    let asking = Batch {
        confirmations: vec![question.clone()],
        audit: vec![line(&question, "asked")],
        ..Batch::new(session, 1)
    };
    store.append(asking).await.unwrap();
    question
}

/// An answer as an owner writes it down: with the write it begins, and on record.
fn answer(question: &Confirmation, epoch: u64, state: ConfirmationState) -> Batch {
    let answered = answered(question, state);
    let begins = state == ConfirmationState::Accepted;
    Batch {
        actions: begins.then(|| agreed(&answered)).into_iter().collect(),
        audit: vec![line(question, state.name())],
        confirmations: vec![answered],
        ..Batch::new(question.session, epoch)
    }
}

/// One race: the owner answers twice at once, and a new owner answers too.
async fn race(store: Arc<SqliteStore>, number: u128) -> Vec<Result<(), StoreError>> {
    use ConfirmationState as S;
    let question = begin(&*store, number).await;
    let answers = [S::Accepted, S::Rejected].map(|state| {
        let (store, batch) = (Arc::clone(&store), answer(&question, 1, state));
        tokio::spawn(async move { store::EventLog::append(&*store, batch).await })
    });
    let takeover = tokio::spawn(async move {
        let owned = store::Sessions::own(&*store, question.session).await.unwrap().unwrap();
        let batch = answer(&question, owned.epoch, S::Accepted);
        store::EventLog::append(&*store, batch).await
    });
    let mut results = Vec::new();
    for task in answers.into_iter().chain([takeover]) {
        results.push(task.await.unwrap());
    }
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_answers_at_once_exactly_one_counts() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(&folder.path().join("sayso.db")).unwrap());
    let races: Vec<_> =
        (1..).take(RACES).map(|number| tokio::spawn(race(Arc::clone(&store), number))).collect();

    for (number, race) in (1..).zip(races) {
        let id = asked(SessionId(Uuid::nil()), number).id;
        let results = race.await.unwrap();
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1, "{results:?}");
        let stale = StoreError::Stale(SessionId(Uuid::from_u128(number)));
        for lost in results.into_iter().filter_map(Result::err) {
            assert!(lost == StoreError::Decided(id) || lost == stale, "{lost}");
        }
        let kept = store::Confirmations::confirmation(&*store, id).await.unwrap().unwrap();
        let action = store::Actions::action(&*store, kept.action).await.unwrap();
        assert_eq!(action.is_some(), kept.say_so().is_some());
    }
    let lines = whole_audit(&*store).await;
    assert_eq!(lines.len(), 2 * RACES);
    let agreed = lines.iter().filter(|entry| entry.line.what == "accepted").count();
    assert_eq!(store::Actions::restless(&*store).await.unwrap().len(), agreed);
}

/// What one of the two owners does next.
#[derive(Clone, Copy, Debug)]
enum Move {
    TakeOver,
    Answer(ConfirmationState),
    Edit,
    KeepOpen,
    /// Begins the write, if it knows of one.
    Claim,
    /// Something on record, with a question in it that is long decided.
    Spoilt,
}

fn moves() -> impl Strategy<Value = Vec<(bool, Move)>> {
    use ConfirmationState as S;
    let one = prop_oneof![
        2 => Just(Move::TakeOver),
        3 => prop_oneof![Just(S::Accepted), Just(S::Rejected), Just(S::Expired)]
            .prop_map(Move::Answer),
        2 => Just(Move::Edit),
        1 => Just(Move::KeepOpen),
        3 => Just(Move::Claim),
        1 => Just(Move::Spoilt),
    ];
    prop::collection::vec((any::<bool>(), one), 1..24)
}

/// An owner acts on what it saw when it took over or last wrote, which may be
/// long past.
struct Owner {
    epoch: u64,
    seen: Confirmation,
}

#[derive(Default)]
struct Tally {
    answers: usize,
    claims: usize,
    lines: usize,
}

async fn play(store: &dyn Store, number: u128, moves: &[(bool, Move)]) {
    let first = begin(store, number).await;
    let long_decided = begin(store, number + 1).await;
    store.append(answer(&long_decided, 1, ConfirmationState::Rejected)).await.unwrap();
    let before = whole_audit(store).await.len();
    let mut owners = [0, 1].map(|_| Owner { epoch: 1, seen: first.clone() });
    let mut tally = Tally::default();
    for (who, next) in moves {
        let owner = &mut owners[usize::from(*who)];
        let Some(batch) = prepared(store, owner, *next, &long_decided).await else { continue };
        let lines = batch.audit.len();
        let newest = batch.confirmations.last().cloned();
        if store.append(batch).await.is_err() {
            continue;
        }
        tally.lines += lines;
        match next {
            Move::Answer(_) => tally.answers += 1,
            Move::Claim => tally.claims += 1,
            Move::TakeOver | Move::Edit | Move::KeepOpen => {}
            Move::Spoilt => panic!("a decided question was decided again"),
        }
        owner.seen = newest.unwrap_or_else(|| owner.seen.clone());
    }
    is_consistent(store, &first, before, &tally).await;
}

async fn prepared(
    store: &dyn Store,
    owner: &mut Owner,
    next: Move,
    long_decided: &Confirmation,
) -> Option<Batch> {
    let seen = owner.seen.clone();
    let batch = Batch::new(seen.session, owner.epoch);
    match next {
        Move::TakeOver => {
            owner.epoch = store.own(seen.session).await.unwrap().unwrap().epoch;
            owner.seen = store.confirmation(seen.id).await.unwrap().unwrap();
            None
        }
        Move::Answer(state) => Some(answer(&seen, owner.epoch, state)),
        Move::Edit => {
            let old = answered(&seen, ConfirmationState::Superseded);
            let new = seen.revised(card("See you at ten."), after(30));
            let audit = vec![line(&new, "edited")];
            Some(Batch { confirmations: vec![old, new], audit, ..batch })
        }
        Move::KeepOpen => {
            let longer = Confirmation { expires_at: seen.kept_open_until(after(40)), ..seen };
            Some(Batch { confirmations: vec![longer], ..batch })
        }
        Move::Claim => {
            let action = store.action(seen.action).await.unwrap()?;
            let news = News::Claimed { epoch: owner.epoch };
            let claimed = action.learn(news, after(50), SignedDuration::ZERO);
            // A second claim from an old sight of the write: the same attempt again.
            let claimed = claimed.unwrap_or(action);
            let audit = vec![line(&seen, "dispatching")];
            Some(Batch { actions: vec![claimed], audit, ..batch })
        }
        Move::Spoilt => {
            let audit = vec![line(&seen, "spoilt"), line(&seen, "spoilt")];
            let spoilt = answered(long_decided, ConfirmationState::Accepted);
            Some(Batch { confirmations: vec![spoilt], audit, ..batch })
        }
    }
}

async fn is_consistent(store: &dyn Store, first: &Confirmation, before: usize, tally: &Tally) {
    use ConfirmationState as S;
    let revisions = store.confirmations_of(first.turn).await.unwrap();
    let (newest, older) = revisions.split_last().unwrap();
    assert!(older.iter().all(|revision| revision.state == S::Superseded));
    assert_eq!(store.confirmation(first.id).await.unwrap().as_ref(), Some(newest));

    let is_decided = newest.state != S::Pending;
    assert_eq!(tally.answers, usize::from(is_decided), "one answer counts");
    let action = store.action(first.action).await.unwrap();
    assert_eq!(action.is_some(), newest.say_so().is_some(), "a write follows from a yes");
    assert!(tally.claims <= 1, "a write is begun once");
    if let Some(action) = action {
        assert_eq!((action.revision, action.seal), (newest.revision, newest.seal));
        assert_eq!(usize::try_from(action.attempt).unwrap(), tally.claims);
    }
    assert_eq!(whole_audit(store).await.len(), before + tally.lines, "no line lost, none too many");
}

fn on_a_thread_of_its_own(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
}

fn fixed(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_260_301),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(fixed(500))]

    #[test]
    fn two_owners_in_any_order_have_one_winner_in_memory(moves in moves()) {
        on_a_thread_of_its_own(async { play(&MemoryStore::default(), 1, &moves).await });
    }
}

proptest! {
    #![proptest_config(fixed(40))]

    #[test]
    fn two_owners_in_any_order_have_one_winner_on_disk(moves in moves()) {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("sayso.db")).unwrap();
        on_a_thread_of_its_own(async { play(&store, 1, &moves).await });
    }
}
