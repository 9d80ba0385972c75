use uuid::Uuid;

use super::*;
use crate::event::{CallMode, Outcome};
use crate::ids::{CallId, TurnId};
use crate::policy::ActionLevel;

fn started(input_mode: InputMode) -> Event {
    Event::TurnStarted { input_mode, in_reply_to: None, follows: None, goes_on: None }
}

fn moved(from: TurnState, to: TurnState) -> Event {
    Event::StateChanged { from, to, reason: String::new() }
}

fn heard() -> Event {
    Event::Heard {
        text: "hello".into(),
        confidence: 1.0,
        in_reply_to: None,
        attachments: Vec::new(),
        more: false,
        doubted: Vec::new(),
    }
}

fn said() -> Event {
    Event::Said { text: "Hello.".into() }
}

fn said_delta() -> Event {
    Event::SaidDelta { text: "Hello".into() }
}

fn requested() -> Event {
    Event::ToolRequested {
        call_id: CallId(Uuid::nil()),
        tool_name: "calendar.list_events".into(),
        arguments: serde_json::json!({}),
        idempotency_key: "key".into(),
        mode: CallMode::Direct,
        action_level: ActionLevel::Read,
        label: "Looking at the calendar".into(),
        confirmation_request_id: None,
    }
}

fn returned() -> Event {
    Event::ToolReturned {
        call_id: CallId(Uuid::nil()),
        ok: true,
        output: serde_json::Value::Null,
        error: None,
        state: None,
    }
}

fn ended() -> Event {
    Event::ended(Outcome::Success, None)
}

fn cancelled() -> Event {
    Event::TurnCancelled {
        cancel_turn_id: TurnId(Uuid::nil()),
        heard_ms: None,
        heard_chars: None,
        in_reply_to: None,
    }
}

fn failed(retryable: bool) -> Event {
    Event::Failed {
        code: "stt_failed".into(),
        message: String::new(),
        user_message: String::new(),
        retryable,
        in_reply_to: None,
    }
}

fn replay(events: &[Event]) -> Result<TurnState, OutOfOrder> {
    events.iter().try_fold(TurnState::Idle, TurnState::next)
}

use TurnState as S;

#[test]
fn a_typed_question_without_tools_ends_where_it_began() {
    let walk = [
        started(InputMode::Text),
        heard(),
        moved(S::FinalizingInput, S::Thinking),
        moved(S::Thinking, S::Speaking),
        said_delta(),
        said(),
        ended(),
    ];
    assert_eq!(replay(&walk), Ok(S::Idle));
}

#[test]
fn a_spoken_question_with_one_tool_ends_where_it_began() {
    let walk = [
        started(InputMode::Voice),
        Event::HeardDelta { text: "what".into(), confidence: 0.5, stable: None, unstable: None },
        moved(S::Listening, S::FinalizingInput),
        heard(),
        moved(S::FinalizingInput, S::Thinking),
        said_delta(),
        requested(),
        returned(),
        moved(S::ExecutingTools, S::Speaking),
        said(),
        ended(),
    ];
    assert_eq!(replay(&walk), Ok(S::Idle));
}

#[test]
fn a_second_turn_cannot_start_inside_the_first() {
    let error = replay(&[started(InputMode::Text), started(InputMode::Text)]).unwrap_err();
    assert_eq!(error, OutOfOrder { event: "turn.start", from: S::FinalizingInput });
}

#[test]
fn a_turn_does_not_end_before_anything_was_said() {
    for state in [S::Listening, S::FinalizingInput, S::Thinking, S::ExecutingTools] {
        assert!(state.next(&ended()).is_err(), "{state:?}");
    }
}

#[test]
fn every_active_state_can_be_interrupted_and_no_other() {
    for state in S::ALL {
        assert_eq!(state.next(&cancelled()).is_ok(), state.is_active(), "{state:?}");
    }
}

#[test]
fn after_an_interrupt_the_person_may_already_be_talking() {
    assert_eq!(S::Cancelled.next(&started(InputMode::Voice)), Ok(S::Listening));
    assert_eq!(S::Cancelled.next(&moved(S::Cancelled, S::Listening)), Ok(S::Listening));
}

#[test]
fn a_failure_that_may_be_retried_returns_to_listening_and_another_ends_the_turn() {
    assert_eq!(S::Listening.next(&failed(true)), Ok(S::ErrorRecoverable));
    assert_eq!(
        S::ErrorRecoverable.next(&moved(S::ErrorRecoverable, S::Listening)),
        Ok(S::Listening)
    );
    let end = [failed(false), ended()];
    assert_eq!(end.iter().try_fold(S::ErrorRecoverable, TurnState::next), Ok(S::Idle));
}

#[test]
fn a_state_change_that_names_the_wrong_origin_is_refused() {
    assert!(S::Thinking.next(&moved(S::Listening, S::Speaking)).is_err());
}

#[test]
fn every_arrow_of_the_diagram_is_drawn_and_nothing_else() {
    let drawn = [
        (S::Idle, S::Listening),
        (S::Idle, S::FinalizingInput),
        (S::Listening, S::FinalizingInput),
        (S::FinalizingInput, S::Thinking),
        (S::Thinking, S::ExecutingTools),
        (S::Thinking, S::Speaking),
        (S::ExecutingTools, S::AwaitingConfirmation),
        (S::ExecutingTools, S::Speaking),
        (S::AwaitingConfirmation, S::ExecutingTools),
        (S::Speaking, S::Idle),
        (S::Cancelled, S::Idle),
        (S::Cancelled, S::Listening),
        (S::Cancelled, S::FinalizingInput),
        (S::ErrorRecoverable, S::Listening),
        (S::ErrorRecoverable, S::Thinking),
        (S::ErrorTerminal, S::Idle),
    ];
    let way_out = [S::Cancelled, S::ErrorRecoverable, S::ErrorTerminal];
    for from in S::ALL {
        for to in S::ALL {
            let expected =
                drawn.contains(&(from, to)) || (way_out.contains(&to) && from.is_active());
            assert_eq!(from.may_become(to), expected, "{from:?} -> {to:?}");
        }
    }
}

#[test]
fn whatever_an_event_does_to_the_state_is_an_arrow_of_the_diagram() {
    let events = [
        started(InputMode::Voice),
        started(InputMode::Text),
        heard(),
        said_delta(),
        said(),
        requested(),
        returned(),
        ended(),
        cancelled(),
        failed(true),
        failed(false),
    ];
    for from in S::ALL {
        for event in &events {
            if let Ok(to) = from.next(event) {
                assert!(to == from || from.may_become(to), "{from:?} -{}-> {to:?}", event.name());
            }
        }
    }
}

#[test]
fn the_spelling_of_states_and_events_is_the_same_in_code_and_in_json() {
    for state in S::ALL {
        assert_eq!(serde_json::to_value(state).unwrap(), state.name());
    }
    for event in [started(InputMode::Text), heard(), said(), requested(), returned(), ended()] {
        assert_eq!(serde_json::to_value(&event).unwrap()["event_type"], event.name());
    }
}
