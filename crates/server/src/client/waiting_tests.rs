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
    Event::TurnStarted {
        input_mode: InputMode::Text,
        in_reply_to: Some(id.into()),
        follows: None,
        goes_on: None,
    }
}

fn heard(id: &str) -> Event {
    Event::Heard {
        text: "yes".into(),
        confidence: 1.0,
        in_reply_to: Some(id.into()),
        attachments: Vec::new(),
        more: false,
        doubted: Vec::new(),
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
    Event::ended(Outcome::Success, None)
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
    assert_eq!(placed(&mut waiting, OTHER, events), [Mine::Part, Mine::Part, Mine::Last]);
}

/// The beginning of a sentence, whose rest is heard in the turn after it.
fn heard_in_part(id: &str) -> Event {
    let mut heard = heard(id);
    let Event::Heard { more, .. } = &mut heard else { unreachable!("it is what was heard") };
    *more = true;
    heard
}

fn goes_on(turn: u128) -> Event {
    let goes_on = Some(TurnId(Uuid::from_u128(turn)));
    Event::TurnStarted { input_mode: InputMode::Text, in_reply_to: None, follows: None, goes_on }
}

#[test]
fn what_was_said_besides_a_yes_is_waited_for() {
    let mut waiting = Waiting::new("evt_1".into());
    let yes = vec![heard_in_part("evt_1"), answered(), said(), pong(), ended(), pong()];
    let part = [Mine::Part, Mine::Part, Mine::Part, Mine::No, Mine::Part, Mine::No];
    assert_eq!(placed(&mut waiting, MINE, yes), part);
    assert_eq!(placed(&mut waiting, 3, vec![started("evt_2"), ended()]), [Mine::No, Mine::No]);
    let rest = vec![goes_on(MINE), said(), ended()];
    assert_eq!(placed(&mut waiting, OTHER, rest), [Mine::Part, Mine::Part, Mine::Last]);
}

#[test]
fn the_next_card_of_a_turn_does_not_end_the_wait_for_the_rest() {
    let mut waiting = Waiting::new("evt_1".into());
    // Talk about the card, as another card of the same turn would be, is no end.
    let yes = vec![heard_in_part("evt_1"), said(), pong()];
    assert_eq!(placed(&mut waiting, MINE, yes), [Mine::Part, Mine::Part, Mine::No]);
    let rest = vec![goes_on(MINE), ended()];
    assert_eq!(placed(&mut waiting, OTHER, rest), [Mine::Part, Mine::Last]);
}

#[test]
fn nobody_waits_for_a_rest_that_is_lost_with_its_owner() {
    let mut waiting = Waiting::new("evt_1".into());
    let yes = vec![heard_in_part("evt_1"), answered(), ended()];
    assert_eq!(placed(&mut waiting, MINE, yes), [Mine::Part, Mine::Part, Mine::Part]);
    let next = Envelope { epoch: 2, ..event(OTHER, pong()) };
    assert_eq!(waiting.place(&next), Mine::Last);
}
