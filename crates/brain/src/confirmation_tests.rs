use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::card::{Field, FieldKind, Line, Preview};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn after(minutes: i64) -> Timestamp {
    NOW + SignedDuration::from_mins(minutes)
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        other => panic!("{other} has no fields"),
    }
}

fn card(payload: Value) -> Card {
    let field = |name: &str| Field { name: name.into(), label: name.into(), kind: FieldKind::Text };
    Card {
        action_type: "send_email".into(),
        title: "Send this mail?".into(),
        speakable: "Ready for it to go out?".into(),
        preview: Preview::Lines { lines: vec![Line { label: "To".into(), value: "Ana".into() }] },
        payload: fields(payload),
        editable: vec![field("subject"), field("body")],
        warnings: Vec::new(),
        voice: Care::Allow,
    }
}

fn asked() -> Confirmation {
    let card = card(json!({ "to": ["ana@x.example"], "subject": "Hi", "body": "Hello" }));
    Confirmation {
        id: ConfirmationId(Uuid::from_u128(1)),
        revision: 1,
        action: ActionId(Uuid::from_u128(2)),
        session: SessionId(Uuid::from_u128(3)),
        user: UserId(Uuid::from_u128(4)),
        turn: TurnId(Uuid::from_u128(5)),
        step: 1,
        tool: "gmail.send".into(),
        seal: Seal::of("gmail.send", &Value::Object(card.payload.clone())),
        card,
        state: ConfirmationState::Pending,
        asked_at: NOW,
        expires_at: NOW + PATIENCE,
        decided: None,
    }
}

fn answer(decision: Decision, revision: Option<u32>) -> Answer {
    Answer { decision, revision, edited: None, channel: Channel::Click, names_recipient: false }
}

#[test]
fn a_yes_to_the_revision_that_was_seen_counts() {
    let yes = answer(Decision::Accept, Some(1));
    assert_eq!(asked().weigh(&yes, after(9)), Ok(Verdict::Accept));
}

#[test]
fn a_yes_to_another_revision_or_to_nobody_knows_which_is_stale() {
    for revision in [None, Some(0), Some(2)] {
        for decision in [Decision::Accept, Decision::Edit] {
            let stale = Err(NotTaken::Stale { current: 1 });
            assert_eq!(asked().weigh(&answer(decision, revision), NOW), stale);
        }
    }
}

#[test]
fn a_no_counts_whatever_revision_it_was_said_to() {
    for revision in [None, Some(1), Some(7)] {
        let no = answer(Decision::Reject, revision);
        assert_eq!(asked().weigh(&no, NOW), Ok(Verdict::Reject));
    }
}

#[test]
fn nothing_counts_from_the_moment_it_expires() {
    for decision in [Decision::Accept, Decision::Reject, Decision::Edit] {
        let late = answer(decision, Some(1));
        assert_eq!(asked().weigh(&late, after(10)), Err(NotTaken::Expired));
    }
    assert!(asked().is_open(after(9)));
    assert!(!asked().is_open(after(10)));
}

#[test]
fn only_a_pending_one_can_be_answered() {
    use ConfirmationState as S;
    let cases = [
        (S::Accepted, NotTaken::Resolved(S::Accepted)),
        (S::Rejected, NotTaken::Resolved(S::Rejected)),
        (S::Expired, NotTaken::Expired),
        (S::Superseded, NotTaken::Stale { current: 2 }),
    ];
    for (state, why) in cases {
        for decision in [Decision::Accept, Decision::Reject, Decision::Edit] {
            let decided = Confirmation { state, ..asked() };
            assert_eq!(decided.weigh(&answer(decision, Some(1)), NOW), Err(why));
            assert!(!decided.is_open(NOW));
        }
    }
}

#[test]
fn a_recipient_from_a_text_needs_a_tap_or_their_name() {
    let mut doubtful = asked();
    doubtful.card.voice = Care::Readback;
    let by = |channel, names_recipient| {
        let yes = Answer { channel, names_recipient, ..answer(Decision::Accept, Some(1)) };
        doubtful.weigh(&yes, NOW)
    };
    for touched in [Channel::Click, Channel::Key, Channel::Api] {
        assert_eq!(by(touched, false), Ok(Verdict::Accept));
    }
    for said in [Channel::Voice, Channel::Text] {
        assert_eq!(by(said, false), Err(NotTaken::NeedsReadback));
        assert_eq!(by(said, true), Ok(Verdict::Accept));
        let plain = Answer { channel: said, ..answer(Decision::Accept, Some(1)) };
        assert_eq!(asked().weigh(&plain, NOW), Ok(Verdict::Accept));
    }
}

#[test]
fn an_edit_keeps_what_it_does_not_name() {
    let edit = Answer {
        edited: Some(fields(json!({ "body": "Bye", "to": ["ana@x.example"] }))),
        ..answer(Decision::Edit, Some(1))
    };
    let expected = fields(json!({ "to": ["ana@x.example"], "subject": "Hi", "body": "Bye" }));
    assert_eq!(asked().weigh(&edit, NOW), Ok(Verdict::Edit(expected)));
}

#[test]
fn an_edit_cannot_reach_what_is_not_offered() {
    for edited in [None, Some(json!({ "to": ["eve@x.example"] })), Some(json!({ "bcc": "eve" }))] {
        let edit = Answer { edited: edited.map(fields), ..answer(Decision::Edit, Some(1)) };
        assert_eq!(asked().weigh(&edit, NOW), Err(NotTaken::BadEdit));
    }
}

#[test]
fn a_new_revision_has_a_seal_of_its_own_and_needs_its_own_yes() {
    let first = asked().decided(ConfirmationState::Superseded, NOW, Channel::Click);
    let second = first.revised(card(json!({ "body": "Bye" })), after(1));

    assert_eq!((second.revision, second.state), (2, ConfirmationState::Pending));
    assert_ne!(second.seal, first.seal);
    assert_eq!(second.decided, None);
    assert_eq!((second.id, second.action), (first.id, first.action));
    assert_eq!(second.expires_at, after(11));
    let old = answer(Decision::Accept, Some(1));
    assert_eq!(second.weigh(&old, after(1)), Err(NotTaken::Stale { current: 2 }));
}

#[test]
fn it_can_be_kept_open_but_not_for_ever() {
    let open = asked();
    assert_eq!(open.kept_open_until(after(5)), after(15));
    assert_eq!(open.kept_open_until(after(55)), after(60));
    assert_eq!(open.kept_open_until(NOW - SignedDuration::from_mins(5)), open.expires_at);
}

#[test]
fn an_edit_skips_the_second_question_only_if_nothing_else_changed() {
    let wanted = fields(json!({ "subject": "Hi", "body": "Bye" }));
    let same = card(json!({ "subject": "Hi", "body": "Bye" }));
    assert!(asked().may_skip_asking(&wanted, &same));

    let other = card(json!({ "subject": "Hi", "body": "Bye", "cc": "eve" }));
    assert!(!asked().may_skip_asking(&wanted, &other));
    let warning = Warning { code: "time_taken".into(), text: "Three is taken".into() };
    let warned = Card { warnings: vec![warning.clone()], ..same.clone() };
    assert!(!asked().may_skip_asking(&wanted, &warned));
    let mut knew = asked();
    knew.card.warnings.push(warning);
    assert!(knew.may_skip_asking(&wanted, &warned));
    let doubtful = Card { voice: Care::Readback, ..same };
    assert!(!asked().may_skip_asking(&wanted, &doubtful));
}

#[test]
fn only_an_accepted_one_gives_a_say_so_and_it_covers_nothing_else() {
    use ConfirmationState as S;
    for state in [S::Pending, S::Rejected, S::Expired, S::Superseded] {
        assert_eq!(Confirmation { state, ..asked() }.say_so(), None);
    }
    let accepted = asked().decided(S::Accepted, NOW, Channel::Click);
    assert_eq!(accepted.decided, Some(Decided { at: NOW, channel: Channel::Click }));
    let say_so = accepted.say_so().unwrap();
    let payload = Value::Object(accepted.card.payload.clone());
    assert_eq!(say_so.action(), accepted.action);
    assert!(say_so.covers("gmail.send", &payload));
    assert!(!say_so.covers("gmail.trash", &payload));
    assert!(!say_so.covers("gmail.send", &json!({ "to": ["eve@x.example"] })));
}

#[test]
fn why_an_answer_does_not_count_is_spelled_so_on_the_wire() {
    let reasons = [
        (NotTaken::Stale { current: 2 }, "confirmation_stale"),
        (NotTaken::Expired, "confirmation_expired"),
        (NotTaken::Resolved(ConfirmationState::Accepted), "confirmation_resolved"),
        (NotTaken::NeedsReadback, "confirmation_needs_readback"),
        (NotTaken::BadEdit, "bad_edit"),
    ];
    for (reason, code) in reasons {
        assert_eq!(reason.code(), code);
    }
}

#[test]
fn a_state_is_spelled_by_its_name_as_in_the_store() {
    use ConfirmationState as S;
    for state in [S::Pending, S::Accepted, S::Rejected, S::Expired, S::Superseded] {
        assert_eq!(json!(state), state.name());
    }
}
