//! What every store promises about questions, answers and writes.

use brain::action::{ActionState, News};
use brain::confirmation::ConfirmationState;
use brain::ids::Uuid;
use brain::{Action, ActionId, CallError, Confirmation, Seal, SessionId, TurnId, UserId};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use store::{Batch, Store, StoreError};

use super::cards::{PERSON, after, agreed, answered, asked, card, line, whole_audit};
use super::{begin, said, turn_row};

pub(super) async fn keeps_its_promises(store: &dyn Store) {
    a_question_waits_until_it_is_answered(store).await;
    an_answer_counts_once(store).await;
    what_was_decided_is_not_asked_again(store).await;
    a_question_stays_with_its_person_and_its_contents(store).await;
    open_questions_come_oldest_first(store).await;
    a_write_needs_a_yes_to_exactly_that(store).await;
    a_yes_begins_one_write(store).await;
    a_write_begins_at_its_beginning(store).await;
    a_write_never_goes_back(store).await;
    an_attempt_is_begun_once(store).await;
    a_write_in_doubt_is_not_begun_again(store).await;
    a_write_that_is_over_stays_over(store).await;
    a_write_is_unsettled_until_it_is_over_and_told(store).await;
    the_writes_of_a_turn_come_in_the_order_of_their_yes(store).await;
    rows_without_events_are_kept_and_fenced(store).await;
}

pub(super) fn keeping(question: &Confirmation) -> Batch {
    Batch { confirmations: vec![question.clone()], ..Batch::new(question.session, 1) }
}

fn acting(action: &Action) -> Batch {
    Batch { actions: vec![action.clone()], ..Batch::new(action.session, 1) }
}

pub(super) fn a_yes(question: &Confirmation) -> Batch {
    let yes = answered(question, ConfirmationState::Accepted);
    Batch { actions: vec![agreed(&yes)], ..keeping(&yes) }
}

fn learnt(action: &Action, news: News) -> Action {
    action.learn(news, after(30), SignedDuration::from_secs(5)).unwrap()
}

fn lost() -> News {
    News::Lost(CallError { code: "timeout".into(), message: "no answer".into(), retryable: true })
}

/// The first revision of question `number`, on record.
pub(super) async fn on_record(store: &dyn Store, session: SessionId, number: u128) -> Confirmation {
    let question = asked(session, number);
    store.append(keeping(&question)).await.unwrap();
    question
}

/// A write that was agreed to and is on record.
async fn on_its_way(store: &dyn Store, number: u128) -> Action {
    let question = on_record(store, begin(store, number).await, number).await;
    store.append(a_yes(&question)).await.unwrap();
    store.action(question.action).await.unwrap().unwrap()
}

async fn keep(store: &dyn Store, action: Action) -> Action {
    store.append(acting(&action)).await.unwrap();
    assert_eq!(store.action(action.id).await, Ok(Some(action.clone())));
    action
}

async fn is_out_of_step(store: &dyn Store, action: &Action) {
    let before = store.action(action.id).await.unwrap();
    let refused = store.append(acting(action)).await;
    assert_eq!(refused, Err(StoreError::OutOfStep(action.id)));
    assert_eq!(store.action(action.id).await.unwrap(), before);
}

async fn a_question_waits_until_it_is_answered(store: &dyn Store) {
    let session = begin(store, 1_000).await;
    let question = asked(session, 1_001);
    assert_eq!(store.confirmation(question.id).await, Ok(None));
    store.append(keeping(&question)).await.unwrap();
    assert_eq!(store.open_confirmations(session).await, Ok(vec![question.clone()]));

    let longer = Confirmation { expires_at: after(1_200), ..question };
    store.append(keeping(&longer)).await.unwrap();
    assert_eq!(store.confirmation(longer.id).await, Ok(Some(longer.clone())));

    let no = answered(&longer, ConfirmationState::Rejected);
    store.append(keeping(&no)).await.unwrap();
    assert_eq!(store.confirmation(no.id).await, Ok(Some(no.clone())));
    assert_eq!(store.confirmations_of(no.turn).await.unwrap(), [no]);
    assert_eq!(store.open_confirmations(session).await, Ok(Vec::new()));
}

async fn an_answer_counts_once(store: &dyn Store) {
    use ConfirmationState as S;
    let session = begin(store, 1_100).await;
    for (number, first) in (1_101..).zip([S::Accepted, S::Rejected, S::Expired]) {
        let question = asked(session, number);
        store.append(keeping(&question)).await.unwrap();
        let first = answered(&question, first);
        store.append(keeping(&first)).await.unwrap();
        let recorded = whole_audit(store).await.len();
        for late in [S::Accepted, S::Rejected, S::Expired, S::Superseded, S::Pending] {
            let late = Batch {
                events: vec![said(session, 1, 9, "late").into()],
                turn: Some(turn_row(session, number)),
                audit: vec![line(&question, "accepted")],
                ..keeping(&answered(&question, late))
            };
            assert_eq!(store.append(late).await, Err(StoreError::Decided(question.id)));
        }
        assert_eq!(store.confirmation(question.id).await, Ok(Some(first)));
        assert_eq!(store.read(session, 0, 10).await, Ok(Vec::new()));
        assert_eq!(store.turn(question.turn).await, Ok(None));
        assert_eq!(whole_audit(store).await.len(), recorded);
    }
}

async fn what_was_decided_is_not_asked_again(store: &dyn Store) {
    let session = begin(store, 1_400).await;
    let question = on_record(store, session, 1_401).await;
    store.append(keeping(&answered(&question, ConfirmationState::Rejected))).await.unwrap();

    let again = question.revised(card("See you at ten."), after(10));

    assert_eq!(store.append(keeping(&again)).await, Err(StoreError::Decided(question.id)));
    assert_eq!(store.open_confirmations(session).await, Ok(Vec::new()));
}

async fn a_question_stays_with_its_person_and_its_contents(store: &dyn Store) {
    let (session, other) = (begin(store, 1_500).await, begin(store, 1_501).await);
    let question = asked(session, 1_502);
    store.append(keeping(&question)).await.unwrap();
    let somebody = UserId(Uuid::from_u128(1_503));
    let turn = TurnId(Uuid::from_u128(1_504));
    let seal = Seal::of(&question.tool, &json!({ "to": ["eve@x.example"] }));
    let action = ActionId(Uuid::from_u128(1_505));

    let changed = [
        keeping(&Confirmation { user: somebody, ..question.clone() }),
        keeping(&Confirmation { turn, ..question.clone() }),
        keeping(&Confirmation { seal, ..question.clone() }),
        keeping(&Confirmation { action, ..question.clone() }),
        keeping(&Confirmation { session: other, ..question.clone() }),
        Batch { session: other, ..keeping(&question) },
    ];
    for batch in changed {
        let refused = store.append(batch).await;
        assert!(matches!(refused, Err(StoreError::Contradiction(_))), "{refused:?}");
    }
    let yes = answered(&question, ConfirmationState::Accepted);
    let repainted = Confirmation { card: card("See you never."), ..yes.clone() };
    store.append(keeping(&repainted)).await.unwrap();
    assert_eq!(store.confirmation(question.id).await, Ok(Some(yes)));
}

async fn open_questions_come_oldest_first(store: &dyn Store) {
    let session = begin(store, 1_600).await;
    let late = Confirmation { asked_at: after(5), ..asked(session, 1_601) };
    let early = asked(session, 1_602);
    let elsewhere = asked(begin(store, 1_603).await, 1_604);
    for question in [&late, &early, &elsewhere] {
        store.append(keeping(question)).await.unwrap();
    }
    assert_eq!(store.open_confirmations(session).await.unwrap(), [early, late]);
}

async fn a_write_needs_a_yes_to_exactly_that(store: &dyn Store) {
    let session = begin(store, 1_700).await;
    let question = asked(session, 1_701);
    is_out_of_step(store, &agreed(&question)).await;
    store.append(keeping(&question)).await.unwrap();
    is_out_of_step(store, &agreed(&question)).await;

    let yes = answered(&question, ConfirmationState::Accepted);
    store.append(keeping(&yes)).await.unwrap();
    let agreed = agreed(&yes);
    is_out_of_step(store, &Action { args: json!({ "to": [] }), ..agreed.clone() }).await;
    is_out_of_step(store, &Action { tool: "gmail.delete".into(), ..agreed.clone() }).await;
    is_out_of_step(store, &Action { revision: 2, ..agreed.clone() }).await;
    is_out_of_step(store, &Action { user: UserId(Uuid::nil()), ..agreed.clone() }).await;
    is_out_of_step(store, &Action { turn: TurnId(Uuid::nil()), ..agreed.clone() }).await;
    let elsewhere = Batch { session: begin(store, 1_703).await, ..acting(&agreed) };
    assert_eq!(store.append(elsewhere).await, Err(StoreError::OutOfStep(agreed.id)));
    keep(store, agreed).await;

    let question = on_record(store, session, 1_702).await;
    let no = answered(&question, ConfirmationState::Rejected);
    store.append(keeping(&no)).await.unwrap();
    is_out_of_step(store, &super::cards::agreed(&no)).await;
}

async fn a_yes_begins_one_write(store: &dyn Store) {
    let action = on_its_way(store, 1_800).await;
    assert_eq!(store.actions_of(action.turn).await, Ok(vec![action.clone()]));

    let twin = Action { id: ActionId(Uuid::from_u128(1_801)), ..action.clone() };
    is_out_of_step(store, &twin).await;

    let second = Confirmation { action: action.id, ..asked(action.session, 1_803) };
    store.append(keeping(&second)).await.unwrap();
    let taken_over = store.append(a_yes(&second)).await;
    assert_eq!(taken_over, Err(StoreError::OutOfStep(action.id)));

    let question = on_record(store, action.session, 1_802).await;
    let yes = answered(&question, ConfirmationState::Accepted);
    let refused = Batch { actions: vec![twin.clone()], ..keeping(&yes) };
    assert_eq!(store.append(refused).await, Err(StoreError::OutOfStep(twin.id)));
    assert_eq!(store.confirmation(question.id).await, Ok(Some(question)));
    assert_eq!(store.actions_of(action.turn).await.unwrap(), [action]);
}

async fn a_write_begins_at_its_beginning(store: &dyn Store) {
    let question = on_record(store, begin(store, 1_850).await, 1_850).await;
    let yes = answered(&question, ConfirmationState::Accepted);
    store.append(keeping(&yes)).await.unwrap();
    let first = agreed(&yes);

    for state in ActionState::ALL.into_iter().filter(|state| *state != first.state) {
        is_out_of_step(store, &Action { state, ..first.clone() }).await;
    }
    is_out_of_step(store, &learnt(&first, News::Claimed { epoch: 1 })).await;
    is_out_of_step(store, &Action { attempt: 1, ..first.clone() }).await;
    keep(store, first).await;
}

async fn a_write_never_goes_back(store: &dyn Store) {
    let action = on_its_way(store, 1_900).await;
    let begun = keep(store, learnt(&action, News::Claimed { epoch: 3 })).await;
    let doubtful = learnt(&begun, lost());

    is_out_of_step(store, &Action { attempt: 0, ..doubtful.clone() }).await;
    is_out_of_step(store, &Action { epoch: 2, ..doubtful.clone() }).await;
    is_out_of_step(store, &Action { attempt: 2, epoch: 2, ..doubtful.clone() }).await;
    keep(store, doubtful).await;
}

async fn an_attempt_is_begun_once(store: &dyn Store) {
    let action = on_its_way(store, 2_000).await;
    let begun = keep(store, learnt(&action, News::Claimed { epoch: 1 })).await;

    is_out_of_step(store, &begun).await;
    is_out_of_step(store, &Action { epoch: 2, ..begun }).await;
}

async fn a_write_in_doubt_is_not_begun_again(store: &dyn Store) {
    let action = on_its_way(store, 2_100).await;
    let begun = keep(store, learnt(&action, News::Claimed { epoch: 1 })).await;
    is_out_of_step(store, &Action { attempt: 2, ..begun.clone() }).await;
    let doubtful = keep(store, learnt(&begun, lost())).await;
    is_out_of_step(store, &Action { attempt: 2, ..begun.clone() }).await;

    let absent = keep(store, learnt(&doubtful, News::Absent)).await;
    let not_done = keep(store, learnt(&absent, News::Absent)).await;
    assert_eq!(not_done.state, ActionState::ReconciledNotDone);
    is_out_of_step(store, &begun).await;
    keep(store, learnt(&not_done, News::Claimed { epoch: 2 })).await;
}

async fn a_write_that_is_over_stays_over(store: &dyn Store) {
    let action = on_its_way(store, 2_200).await;
    let begun = keep(store, learnt(&action, News::Claimed { epoch: 1 })).await;
    let done = keep(store, learnt(&begun, News::Done(json!({ "message_id": "m1" })))).await;

    for state in ActionState::ALL.into_iter().filter(|state| *state != done.state) {
        is_out_of_step(store, &Action { state, attempt: 2, ..done.clone() }).await;
    }
    let told = Action { told: true, ..done.clone() };
    let told_otherwise = Action { result: None, learnt_at: Timestamp::UNIX_EPOCH, ..told.clone() };
    store.append(acting(&told_otherwise)).await.unwrap();
    assert_eq!(store.action(done.id).await, Ok(Some(told.clone())));
    store.append(acting(&done)).await.unwrap();
    assert_eq!(store.action(done.id).await, Ok(Some(told)));
}

async fn a_write_is_unsettled_until_it_is_over_and_told(store: &dyn Store) {
    let is_restless = async |session: SessionId| {
        let restless = store.restless().await.unwrap();
        let times = restless.iter().filter(|row| **row == (session, PERSON)).count();
        assert!(times < 2, "a session is named once");
        times == 1
    };
    let action = on_its_way(store, 2_300).await;
    let session = action.session;
    let other = on_record(store, session, 2_301).await;
    store.append(a_yes(&other)).await.unwrap();
    let other = learnt(
        &agreed(&other),
        News::Lapsed(CallError {
            code: "lapsed".into(),
            message: "the yes is too old".into(),
            retryable: false,
        }),
    );
    keep(store, Action { told: true, ..other }).await;

    assert_eq!(store.unsettled(session).await, Ok(vec![action.clone()]));
    let begun = keep(store, learnt(&action, News::Claimed { epoch: 1 })).await;
    assert_eq!(store.unsettled(session).await, Ok(vec![begun.clone()]));
    assert!(is_restless(session).await);
    let done = keep(store, learnt(&begun, News::Done(json!("ok")))).await;
    assert_eq!(store.unsettled(session).await, Ok(vec![done.clone()]));
    assert!(is_restless(session).await);
    keep(store, Action { told: true, ..done }).await;
    assert_eq!(store.unsettled(session).await, Ok(Vec::new()));
    assert!(!is_restless(session).await);
}

async fn the_writes_of_a_turn_come_in_the_order_of_their_yes(store: &dyn Store) {
    let session = begin(store, 2_400).await;
    let turn = TurnId(Uuid::from_u128(2_400));
    let mut kept = Vec::new();
    for (number, agreed_at) in [(2_401, after(50)), (2_402, after(40))] {
        let question = Confirmation { turn, ..asked(session, number) };
        store.append(keeping(&question)).await.unwrap();
        let yes = answered(&question, ConfirmationState::Accepted);
        let action = Action { agreed_at, ..agreed(&yes) };
        let batch = Batch { actions: vec![action.clone()], ..keeping(&yes) };
        store.append(batch).await.unwrap();
        kept.insert(0, action);
    }
    assert_eq!(store.actions_of(turn).await.unwrap(), kept);
    assert_eq!(store.unsettled(session).await.unwrap(), kept);
    assert_eq!(store.actions_of(TurnId(Uuid::nil())).await, Ok(Vec::new()));
    assert_eq!(store.action(ActionId(Uuid::nil())).await, Ok(None));
}

async fn rows_without_events_are_kept_and_fenced(store: &dyn Store) {
    let session = begin(store, 2_500).await;
    store
        .append(Batch {
            events: vec![said(session, 1, 7, "seven").into()],
            ..Batch::new(session, 1)
        })
        .await
        .unwrap();
    let question = asked(session, 2_501);
    let asking = Batch { audit: vec![line(&question, "asked")], ..keeping(&question) };
    store.append(asking).await.unwrap();
    assert_eq!(store.find(session).await.unwrap().unwrap().last_seq, 7);
    assert_eq!(whole_audit(store).await.last().unwrap().line, line(&question, "asked"));

    store.own(session).await.unwrap();
    let late = Batch { audit: vec![line(&question, "accepted")], ..a_yes(&question) };
    assert_eq!(store.append(late).await, Err(StoreError::Stale(session)));
    assert_eq!(store.open_confirmations(session).await, Ok(vec![question.clone()]));
    assert_eq!(whole_audit(store).await.last().unwrap().line.what, "asked");
    store.append(Batch { epoch: 2, ..a_yes(&question) }).await.unwrap();
}
