//! What every store promises about the audit and the switches.

use brain::audit::{Entry, Line, origin};
use brain::confirmation::ConfirmationState;
use store::{Batch, Store, StoreError, SwitchRow};

use super::begin;
use super::cards::{PERSON, after, answered, asked, line, whole_audit};

pub(super) async fn keeps_its_promises(store: &dyn Store) {
    the_audit_is_one_chain_for_everybody(store).await;
    a_line_is_kept_in_the_spelling_that_was_sealed(store).await;
    a_refused_batch_leaves_no_gap_in_the_audit(store).await;
    a_switch_stays_as_it_was_turned(store).await;
}

async fn the_audit_is_one_chain_for_everybody(store: &dyn Store) {
    let before = whole_audit(store).await;
    let mut lines = Vec::new();
    for number in [3_000, 3_001] {
        let question = asked(begin(store, number).await, number);
        let both = vec![line(&question, "asked"), line(&question, "accepted").because("click")];
        lines.extend(both.clone());
        let batch = Batch { audit: both, ..Batch::new(question.session, 1) };
        store.append(batch).await.unwrap();
        let outside = Line::new(after(60), PERSON, "answer_refused").because("no_such_card");
        lines.push(outside.clone());
        store.note(outside).await.unwrap();
    }

    let whole = whole_audit(store).await;
    let added: Vec<_> = whole[before.len()..].iter().map(|entry| entry.line.clone()).collect();
    assert_eq!(added, lines);
    let last = u64::try_from(whole.len()).unwrap();
    assert_eq!(store.audit(last - 3, 2).await.unwrap(), whole[whole.len() - 3..whole.len() - 1]);
    assert_eq!(store.audit(last, 10).await, Ok(Vec::new()));
}

async fn a_line_is_kept_in_the_spelling_that_was_sealed(store: &dyn Store) {
    let odd = Line::new(after(60), PERSON, "answer_refused").because("\u{0}\"é\u{2028}");
    store.note(odd).await.unwrap();
    let mut before = origin();
    for entry in whole_audit(store).await {
        let anew = Entry::new(before, entry.number, entry.line.clone());
        assert_eq!(entry, anew);
        before = entry.hash;
    }
}

async fn a_refused_batch_leaves_no_gap_in_the_audit(store: &dyn Store) {
    let question = asked(begin(store, 3_100).await, 3_100);
    let no = answered(&question, ConfirmationState::Rejected);
    let asking = Batch { confirmations: vec![question.clone()], ..Batch::new(question.session, 1) };
    store.append(asking).await.unwrap();
    let mut deciding = Batch::new(question.session, 1);
    (deciding.confirmations, deciding.audit) = (vec![no], vec![line(&question, "rejected")]);
    store.append(deciding.clone()).await.unwrap();
    let before = whole_audit(store).await;

    assert_eq!(store.append(deciding).await, Err(StoreError::Decided(question.id)));
    assert_eq!(whole_audit(store).await, before);
    store.note(line(&question, "answer_refused")).await.unwrap();
    assert_eq!(whole_audit(store).await.len(), before.len() + 1);
}

async fn a_switch_stays_as_it_was_turned(store: &dyn Store) {
    let line = |what: &str| Line::new(after(70), PERSON, what);
    let off = |tool: Option<&str>, since| SwitchRow { tool: tool.map(str::to_owned), since };
    assert_eq!(store.switches().await, Ok(Vec::new()));
    let before = whole_audit(store).await.len();

    store.switch(Some("gmail.send".into()), Some(after(1)), line("tool_off")).await.unwrap();
    store.switch(None, Some(after(2)), line("writes_paused")).await.unwrap();
    store.switch(Some("!odd".into()), Some(after(3)), line("tool_off")).await.unwrap();
    store.switch(None, Some(after(4)), line("writes_paused")).await.unwrap();
    let everything =
        [off(None, after(2)), off(Some("!odd"), after(3)), off(Some("gmail.send"), after(1))];
    assert_eq!(store.switches().await.unwrap(), everything);

    store.switch(None, None, line("writes_resumed")).await.unwrap();
    store.switch(None, None, line("writes_resumed")).await.unwrap();
    store.switch(Some("!odd".into()), None, line("tool_on")).await.unwrap();
    assert_eq!(store.switches().await.unwrap(), [off(Some("gmail.send"), after(1))]);
    store.switch(Some("gmail.send".into()), None, line("tool_on")).await.unwrap();
    assert_eq!(store.switches().await, Ok(Vec::new()));
    assert_eq!(whole_audit(store).await.len(), before + 8);
}
