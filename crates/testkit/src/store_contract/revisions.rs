//! What every store promises about the revisions of a question and its answers.

use brain::Confirmation;
use brain::confirmation::{Channel, ConfirmationState};
use jiff::SignedDuration;
use store::{Batch, Store, StoreError};

use super::begin;
use super::cards::{after, agreed, answered, asked, card};
use super::say_so::{a_yes, keeping, on_record};

pub(super) async fn keeps_its_promises(store: &dyn Store) {
    nobody_answers_before_they_are_asked(store).await;
    an_edit_puts_a_new_revision_in_the_place_of_the_old(store).await;
    an_edit_may_be_a_yes_at_once(store).await;
    at_most_one_revision_is_open(store).await;
    revisions_are_counted_without_a_gap(store).await;
    a_yes_comes_in_time(store).await;
    a_yes_buys_itself_no_time(store).await;
}

async fn is_contradiction(store: &dyn Store, batch: Batch) {
    let id = batch.confirmations[0].id;
    let before = store.confirmation(id).await.unwrap();
    let refused = store.append(batch).await;
    assert!(matches!(refused, Err(StoreError::Contradiction(_))), "{refused:?}");
    assert_eq!(store.confirmation(id).await.unwrap(), before);
}

async fn nobody_answers_before_they_are_asked(store: &dyn Store) {
    use ConfirmationState as S;
    let session = begin(store, 1_310).await;
    let question = asked(session, 1_311);
    for state in [S::Accepted, S::Rejected, S::Expired, S::Superseded] {
        is_contradiction(store, keeping(&answered(&question, state))).await;
    }
    let at_once = vec![question.clone(), answered(&question, S::Accepted)];
    is_contradiction(store, Batch { confirmations: at_once, ..keeping(&question) }).await;
    let edited = question.revised(card("See you at ten."), after(20));
    let both = vec![answered(&question, S::Superseded), answered(&edited, S::Accepted)];
    is_contradiction(store, Batch { confirmations: both, ..a_yes(&edited) }).await;
    is_contradiction(store, keeping(&answered(&question, S::Pending))).await;
    store.append(keeping(&question)).await.unwrap();
    is_contradiction(store, keeping(&answered(&question, S::Pending))).await;
}

async fn an_edit_puts_a_new_revision_in_the_place_of_the_old(store: &dyn Store) {
    let session = begin(store, 1_200).await;
    let question = asked(session, 1_201);
    store.append(keeping(&question)).await.unwrap();

    let edited = question.revised(card("See you at ten."), after(10));
    let old = answered(&question, ConfirmationState::Superseded);
    let edit = Batch { confirmations: vec![edited.clone(), old.clone()], ..keeping(&old) };
    store.append(edit).await.unwrap();

    assert_eq!(store.confirmation(question.id).await, Ok(Some(edited.clone())));
    assert_eq!(store.open_confirmations(session).await, Ok(vec![edited.clone()]));
    assert_eq!(store.confirmations_of(question.turn).await.unwrap(), [old, edited.clone()]);
    let stale = store.append(a_yes(&question)).await;
    assert_eq!(stale, Err(StoreError::Decided(question.id)));
    store.append(a_yes(&edited)).await.unwrap();
    assert_eq!(store.action(edited.action).await.unwrap().map(|row| row.revision), Some(2));
}

async fn an_edit_may_be_a_yes_at_once(store: &dyn Store) {
    use ConfirmationState as S;
    let session = begin(store, 1_250).await;
    let question = on_record(store, session, 1_251).await;
    let edited = question.revised(card("See you at ten."), after(20));
    let (old, yes) = (answered(&question, S::Superseded), answered(&edited, S::Accepted));
    let in_one = |confirmations| Batch { confirmations, ..a_yes(&edited) };

    store.append(in_one(vec![old.clone(), yes.clone()])).await.unwrap();
    assert_eq!(store.confirmations_of(question.turn).await.unwrap(), [old, yes.clone()]);
    assert_eq!(store.action(yes.action).await, Ok(Some(agreed(&yes))));

    let question = on_record(store, session, 1_252).await;
    let edited = question.revised(card("See you at ten."), after(20));
    let old = answered(&question, S::Superseded);
    let late = edited.decided(S::Accepted, question.expires_at, Channel::Click);
    for state in [S::Rejected, S::Expired, S::Superseded] {
        is_contradiction(store, in_one(vec![old.clone(), answered(&edited, state)])).await;
    }
    is_contradiction(store, in_one(vec![old.clone(), late])).await;
    store.append(keeping(&old)).await.unwrap();
    is_contradiction(store, a_yes(&edited)).await;
    store.append(keeping(&edited)).await.unwrap();
    store.append(a_yes(&edited)).await.unwrap();
}

async fn at_most_one_revision_is_open(store: &dyn Store) {
    let session = begin(store, 1_300).await;
    let question = asked(session, 1_301);
    store.append(keeping(&question)).await.unwrap();

    let second = question.revised(card("See you at ten."), after(10));
    let refused = store.append(keeping(&second)).await;

    assert!(matches!(refused, Err(StoreError::Contradiction(_))), "{refused:?}");
    assert_eq!(store.open_confirmations(session).await.unwrap(), [question]);
}

async fn revisions_are_counted_without_a_gap(store: &dyn Store) {
    let session = begin(store, 1_320).await;
    let question = asked(session, 1_321);
    for revision in [0, 2] {
        is_contradiction(store, keeping(&Confirmation { revision, ..question.clone() })).await;
    }
    store.append(keeping(&question)).await.unwrap();
    let old = answered(&question, ConfirmationState::Superseded);
    let next = question.revised(card("See you at ten."), after(10));
    let third = Confirmation { revision: 3, ..next.clone() };
    let skipping = Batch { confirmations: vec![old.clone(), third], ..keeping(&old) };
    is_contradiction(store, skipping).await;
    let following = Batch { confirmations: vec![old.clone(), next], ..keeping(&old) };
    store.append(following).await.unwrap();
}

async fn a_yes_comes_in_time(store: &dyn Store) {
    use ConfirmationState as S;
    let session = begin(store, 1_330).await;
    let question = on_record(store, session, 1_331).await;
    let end = question.expires_at;
    let unsigned = Confirmation { decided: None, ..answered(&question, S::Accepted) };
    is_contradiction(store, keeping(&unsigned)).await;
    for late in [end, end + SignedDuration::from_secs(1)] {
        let late = question.decided(S::Accepted, late, Channel::Click);
        is_contradiction(store, Batch { actions: vec![agreed(&late)], ..keeping(&late) }).await;
    }
    let last = end - SignedDuration::from_millis(1);
    store.append(keeping(&question.decided(S::Accepted, last, Channel::Click))).await.unwrap();

    let unanswered = on_record(store, session, 1_332).await;
    let expired = Confirmation { state: S::Expired, ..unanswered };
    store.append(keeping(&expired)).await.unwrap();
    assert_eq!(store.confirmation(expired.id).await, Ok(Some(expired)));
}

async fn a_yes_buys_itself_no_time(store: &dyn Store) {
    use ConfirmationState as S;
    let question = on_record(store, begin(store, 1_340).await, 1_340).await;
    let longer = Confirmation { expires_at: after(1_200), ..question.clone() };
    let yes = longer.decided(S::Accepted, after(700), Channel::Click);
    is_contradiction(store, keeping(&yes)).await;

    store.append(keeping(&longer)).await.unwrap();
    store.append(keeping(&yes)).await.unwrap();
    assert_eq!(store.confirmation(yes.id).await, Ok(Some(yes)));
}
