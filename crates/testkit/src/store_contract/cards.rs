//! A question and the write that a yes to it begins, for tests of stores.

use brain::action::ActionState;
use brain::audit::{Check, Entry, Line};
use brain::card::{Card, Field, FieldKind, Preview};
use brain::confirmation::{Channel, ConfirmationState, PATIENCE};
use brain::ids::Uuid;
use brain::policy::Care;
use brain::{
    Action, ActionId, CallId, Confirmation, ConfirmationId, Seal, SessionId, TurnId, UserId,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use store::Store;

/// The tool that every card here is about.
pub const TOOL: &str = "gmail.send";

/// Whom the sessions of the contract belong to.
pub const PERSON: UserId = UserId(Uuid::from_u128(1));

/// A moment, `seconds` after the story begins.
pub fn after(seconds: i64) -> Timestamp {
    let start = Timestamp::from_second(1_763_000_000).expect("a valid time");
    start + SignedDuration::from_secs(seconds)
}

/// A card for a mail with this body.
pub fn card(body: &str) -> Card {
    let payload =
        json!({ "to": ["ana@x.example"], "body": body, "weight": 0.300_000_000_000_000_04 });
    let field = Field { name: "body".into(), label: "Text".into(), kind: FieldKind::Paragraphs };
    let line = brain::card::Line { label: "To".into(), value: "Ana \u{201c}Å\u{201d}".into() };
    Card {
        action_type: "send_email".into(),
        title: "Send this mail?".into(),
        speakable: "Ready for it to go out?".into(),
        preview: Preview::Lines { lines: vec![line] },
        payload: payload.as_object().cloned().unwrap_or_default(),
        editable: vec![field],
        warnings: Vec::new(),
        voice: Care::Allow,
    }
}

/// The first revision of question `number`, asked in a turn of the same number.
pub fn asked(session: SessionId, number: u128) -> Confirmation {
    let card = card("See you at nine.");
    Confirmation {
        id: ConfirmationId(Uuid::from_u128(number)),
        revision: 1,
        action: ActionId(Uuid::from_u128(number)),
        session,
        user: PERSON,
        turn: TurnId(Uuid::from_u128(number)),
        step: 2,
        tool: TOOL.into(),
        seal: Seal::of(TOOL, &Value::Object(card.payload.clone())),
        card,
        state: ConfirmationState::Pending,
        asked_at: after(0),
        expires_at: after(0) + PATIENCE,
        decided: None,
    }
}

/// The answer `state`, by a tap.
pub fn answered(question: &Confirmation, state: ConfirmationState) -> Confirmation {
    question.decided(state, after(20), Channel::Click)
}

/// The write that follows from a yes to `question`.
pub fn agreed(question: &Confirmation) -> Action {
    Action {
        id: question.action,
        confirmation: question.id,
        revision: question.revision,
        session: question.session,
        user: question.user,
        turn: question.turn,
        step: question.step,
        call: CallId(question.id.0),
        tool: question.tool.clone(),
        args: Value::Object(question.card.payload.clone()),
        seal: question.seal,
        called: "the mail to Ana".into(),
        state: ActionState::IntentLogged,
        attempt: 0,
        epoch: 0,
        probes: 0,
        absent: 0,
        not_before: None,
        agreed_at: after(20),
        learnt_at: after(20),
        result: None,
        error: None,
        told: false,
    }
}

/// A line of the audit about `question`.
pub fn line(question: &Confirmation, what: &str) -> Line {
    Line {
        session: Some(question.session),
        turn: Some(question.turn),
        confirmation: Some(question.id),
        revision: Some(question.revision),
        action: Some(question.action),
        tool: Some(question.tool.clone()),
        seal: Some(question.seal),
        ..Line::new(after(20), question.user, what)
    }
}

/// The whole audit, read in small pages; panics where the chain does not hold.
pub async fn whole_audit(store: &dyn Store) -> Vec<Entry> {
    let mut check = Check::default();
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let page = store.audit(check.held().0, 50).await.expect("the audit can be read");
        if page.is_empty() {
            return entries;
        }
        for entry in page {
            check.take(&entry).expect("the chain holds");
            entries.push(entry);
        }
    }
}
