use brain::ids::Uuid;
use brain::{ActionId, CallId, ConfirmationId, Seal, SessionId, TurnId, UserId};
use serde_json::json;

use super::*;
use crate::guard::Guard;

fn now() -> Zoned {
    "2026-11-15T10:30:00-08:00[America/Los_Angeles]".parse().unwrap()
}

fn write(tool: &str, called: &str, state: ActionState, args: Value, result: Value) -> Action {
    let at = Timestamp::UNIX_EPOCH;
    Action {
        id: ActionId(Uuid::nil()),
        confirmation: ConfirmationId(Uuid::nil()),
        revision: 1,
        session: SessionId(Uuid::nil()),
        user: UserId(Uuid::nil()),
        turn: TurnId(Uuid::nil()),
        step: 1,
        call: CallId(Uuid::nil()),
        tool: tool.into(),
        seal: Seal::of(tool, &args),
        args,
        called: called.into(),
        state,
        attempt: 1,
        epoch: 1,
        probes: 0,
        absent: 0,
        not_before: None,
        agreed_at: at,
        learnt_at: at,
        result: Some(result),
        error: None,
        told: true,
    }
}

fn lunch(state: ActionState) -> Action {
    let event = json!({
        "event_id": "e1",
        "title": "Lunch with Tom",
        "start": "2026-11-20T12:00:00-08:00[America/Los_Angeles]",
        "end": "2026-11-20T12:30:00-08:00[America/Los_Angeles]",
        "attendees": [],
    });
    write("calendar.create_event", "lunch with Tom", state, event.clone(), event)
}

fn mail(state: ActionState) -> Action {
    let args = json!({
        "to": ["priya.nair@brightloom.example"], "cc": [], "subject": "Thursday",
        "body": "Dana says that three works.",
    });
    let result = json!({
        "sent_at": "2026-11-15T18:30:00Z",
        "to": [{ "name": "Priya Nair", "address": "priya.nair@brightloom.example" }],
    });
    write("gmail.send", "the mail to Priya Nair", state, args, result)
}

fn of(actions: &[Action]) -> Record {
    Record::of(actions, &[], &now(), false)
}

fn shown(record: &Record, text: &str) -> (String, bool) {
    let mut guard = Guard::default().with_record(record.clone());
    let pieces = text.split_inclusive(' ');
    let shown: String = pieces.map(|piece| guard.take(piece)).collect();
    (shown + &guard.finish(), guard.has_claimed())
}

#[test]
fn what_the_record_has_may_be_told() {
    let record = of(&[lunch(ActionState::Confirmed), mail(ActionState::ReconciledDone)]);
    for text in [
        "I booked lunch with Tom on Friday at noon for 30 minutes, your usual length.",
        "I've booked lunch with Tom for half an hour. It is short because that is your usual.",
        "Yes, I put lunch with Tom on your calendar.",
        "I scheduled lunch with Tom for Friday the 20th, because you asked.",
        "I sent the mail to Priya Nair about Thursday.",
        "I emailed Priya earlier.",
        "I sent it to Priya. Anything else?",
        "Right, I added lunch with Tom to your calendar!",
        "I already sent Priya your note.",
        "I put it on your calendar as lunch with Tom",
    ] {
        assert_eq!(shown(&record, text), (text.to_owned(), false));
    }
}

#[test]
fn what_the_record_does_not_have_is_taken_out() {
    let record = of(&[lunch(ActionState::Confirmed), mail(ActionState::Confirmed)]);
    for text in [
        "I booked lunch with Dana on Friday.",
        "I booked lunch with Tom and Dana on Friday.",
        "I booked dinner with Tom on Friday.",
        "I booked lunch with Tom on Thursday.",
        "I booked lunch with Tom for 45 minutes.",
        "I booked lunch with Tom at three.",
        "I moved lunch with Tom to Friday.",
        "I cancelled lunch with Tom.",
        "I booked lunch with Tom and sent the invitation.",
        "I sent the mail to Dana.",
        "I sent the mail to Priya and Tom.",
        "I sent lunch with Tom to Priya.",
        "I've sent it.",
        "I booked it.",
        "Done.",
        "I've booked lunch with Tom twice.",
        "I forwarded the mail to Priya.",
        "For Dana, I booked it with Tom.",
        "I paid for lunch with Tom.",
    ] {
        let (shown, claimed) = shown(&record, text);
        assert!(claimed && shown != text, "{text}: {shown}");
    }
}

#[test]
fn what_failed_is_unclear_or_is_undone_is_no_deed() {
    let text = "I booked lunch with Tom on Friday.";
    for state in ActionState::ALL {
        assert_eq!(of(&[lunch(state)]).holds(text), state.is_done(), "{}", state.name());
    }
    let cancel = |state| {
        let args = json!({ "event_id": "e1" });
        write("calendar.cancel_event", "lunch with Tom", state, args, json!({}))
    };
    let booked = lunch(ActionState::Confirmed);
    let record = of(&[booked.clone(), cancel(ActionState::Confirmed)]);
    assert!(!record.holds(text) && record.holds("I cancelled lunch with Tom."));
    assert!(!of(&[booked.clone(), cancel(ActionState::MaybeSent)]).holds(text));
    assert!(of(&[booked, cancel(ActionState::FailedClean)]).holds(text));
}

#[test]
fn nothing_has_been_done_is_only_said_where_nothing_was() {
    let record = of(&[lunch(ActionState::Confirmed)]);
    assert_eq!(record.instead(false), "I put lunch with Tom on your calendar.");
    assert_eq!(record.instead(true), NOTHING_NEW);
    let unclear = of(&[mail(ActionState::NeedsUser)]);
    assert!(unclear.instead(false).contains("can't tell"), "{}", unclear.instead(false));
    assert_eq!(unclear.instead(true), NOTHING_NEW);
    assert_eq!(Record::default().instead(false), NOT_DONE);
    assert_eq!(Record::unknown().instead(false), NOTHING_NEW);
    assert_eq!(Record::of(&[], &[], &now(), true).instead(true), NOTHING_NEW);
}

#[test]
fn what_was_left_behind_without_a_card_may_be_told_too() {
    let set = json!({
        "job_id": "j1", "called": "the reminder “pay rent”", "due_at": "2026-11-16T17:00:00Z",
        "args": { "text": "pay rent", "due_at": "2026-11-16T09:00:00-08:00[America/Los_Angeles]" },
    });
    let left = [Done { tool: "reminders.set".to_owned(), result: Ok(set) }];
    let record = Record::of(&[], &left, &now(), false);
    assert!(record.holds("I set a reminder to pay rent tomorrow at 9 am."));
    assert!(!record.holds("I set a reminder to pay Leo tomorrow."));
    assert_eq!(record.instead(false), "I set the reminder “pay rent”.");
}
