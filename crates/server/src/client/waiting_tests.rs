use brain::confirmation::Channel;
use brain::ids::Uuid;
use brain::input::Decision;
use brain::{ConfirmationId, EventId, InputMode, Outcome, SessionId};
use jiff::Timestamp;

use super::*;

const MINE: u128 = 1;
const OTHER: u128 = 2;

fn event(turn: u128, event: Event) -> Envelope {
    Envelope {
        event_id: EventId(Uuid::nil()),
        role: event.role(),
        event,
        ts: Timestamp::UNIX_EPOCH,
        session_id: SessionId(Uuid::nil()),
        epoch: 1,
        turn_id: Some(TurnId(Uuid::from_u128(turn))),
        message_id: None,
        seq: Some(1),
        turn_seq: Some(1),
        spelling: brain::event::Spelling::default(),
    }
}

fn started(id: &str) -> Event {
    Event::TurnStarted { input_mode: InputMode::Text, in_reply_to: Some(id.into()), follows: None }
}

fn heard(id: &str) -> Event {
    Event::Heard {
        text: "yes".into(),
        confidence: 1.0,
        in_reply_to: Some(id.into()),
        attachments: Vec::new(),
    }
}

fn said() -> Event {
    Event::Said { text: "It goes to Ana.".into() }
}

fn answered() -> Event {
    Event::Answered {
        confirmation_request_id: ConfirmationId(Uuid::nil()),
        revision: 1,
        decision: Decision::Accept,
        channel: Channel::Text,
        edited_fields: Vec::new(),
        in_reply_to: None,
    }
}

fn ended() -> Event {
    Event::TurnEnded { outcome: Outcome::Success, error_code: None }
}

/// What the server says where nobody asked.
fn told(code: &str) -> Event {
    Event::Failed {
        code: code.into(),
        message: String::new(),
        user_message: String::new(),
        retryable: false,
        in_reply_to: None,
    }
}

fn pong() -> Event {
    Event::Ponged { client_ts: None, server_ts: Timestamp::UNIX_EPOCH }
}

fn placed(waiting: &mut Waiting, turn: u128, events: Vec<Event>) -> Vec<Mine> {
    events.into_iter().map(|one| waiting.place(&event(turn, one))).collect()
}

#[test]
fn a_turn_ends_for_whoever_began_it() {
    let mut waiting = Waiting::new("evt_1".into());
    assert_eq!(placed(&mut waiting, OTHER, vec![started("evt_2"), ended()]), [Mine::No, Mine::No]);
    let mine = placed(&mut waiting, MINE, vec![started("evt_1"), said(), ended()]);
    assert_eq!(mine, [Mine::Part, Mine::Part, Mine::Last]);
}

#[test]
fn talk_about_a_card_rests_when_the_pong_has_come() {
    let mut waiting = Waiting::new("evt_1".into());
    let mine = placed(&mut waiting, MINE, vec![pong(), heard("evt_1"), said(), pong()]);
    assert_eq!(mine, [Mine::No, Mine::Part, Mine::Ask, Mine::Rest]);
}

#[test]
fn a_yes_in_words_goes_on_to_the_end_of_the_turn() {
    let mut waiting = Waiting::new("evt_1".into());
    let mine =
        placed(&mut waiting, MINE, vec![heard("evt_1"), answered(), said(), pong(), ended()]);
    assert_eq!(mine, [Mine::Part, Mine::Part, Mine::Part, Mine::No, Mine::Last]);
}

#[test]
fn an_answer_on_the_card_is_part_of_the_turn_of_the_card() {
    let mut waiting = Waiting::in_turn("evt_1".into(), TurnId(Uuid::from_u128(MINE)));
    assert_eq!(placed(&mut waiting, OTHER, vec![answered()]), [Mine::No]);
    let mine = placed(&mut waiting, MINE, vec![answered(), ended()]);
    assert_eq!(mine, [Mine::Part, Mine::Last]);
}

#[test]
fn what_is_said_aloud_goes_on_where_other_ears_hear_it() {
    let mut waiting = Waiting::aloud();
    let events = vec![told("backup_ears"), told("backup_voice"), told("no_speech")];
    assert_eq!(placed(&mut waiting, OTHER, events), [Mine::No, Mine::No, Mine::Last]);
}
