use brain::card::{Line, Preview};
use brain::confirmation::ConfirmationState;
use brain::{ActionId, Seal, SessionId, TurnId, UserId};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::*;

fn note(number: u128, voice: Care) -> Confirmation {
    let label = "Note".to_owned();
    let card = Card {
        action_type: "keep_note".to_owned(),
        title: "Keep this?".to_owned(),
        speakable: "Shall I?".to_owned(),
        preview: Preview::Lines { lines: vec![Line { label, value: format!("note {number}") }] },
        payload: serde_json::Map::new(),
        editable: Vec::new(),
        warnings: Vec::new(),
        voice,
    };
    let asked_at = Timestamp::UNIX_EPOCH;
    Confirmation {
        id: ConfirmationId(Uuid::from_u128(number)),
        revision: 1,
        action: ActionId(Uuid::nil()),
        session: SessionId(Uuid::nil()),
        user: UserId(Uuid::nil()),
        turn: TurnId(Uuid::nil()),
        step: 1,
        tool: "note.keep".to_owned(),
        seal: Seal::of("note.keep", &serde_json::Value::Null),
        card,
        state: ConfirmationState::Pending,
        asked_at,
        expires_at: asked_at + SignedDuration::from_mins(10),
        decided: None,
    }
}

#[test]
fn which_card_a_plain_yes_was_for_does_not_tell_what_is_to_happen() {
    let unclear = |sentence: &str| Unclear {
        decision: Decision::Accept,
        sentence: sentence.to_owned(),
        cards: Vec::new(),
    };
    let mut world = models::corpus::world();
    world.focus.is_spoken = true;
    let accepted = |sentence: &str, care: Care, world: &World| {
        let open = [note(1, care), note(2, care)];
        answer_in("the first one", Some(&unclear(sentence)), &open, world).accepts()
    };

    assert_eq!(accepted("Yes.", Care::Named, &world), None);
    assert_eq!(accepted("Yes, sir.", Care::Named, &world), None);
    assert_eq!(accepted("Yes, keep it.", Care::Named, &world), Some(0));
    assert_eq!(accepted("Yes.", Care::Allow, &world), Some(0));
    world.focus.is_spoken = false;
    assert_eq!(accepted("Yes.", Care::Named, &world), Some(0));
}
