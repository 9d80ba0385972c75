//! Judges what a session has left behind, whatever happened to it.
//!
//! Nothing here knows how a session works: it reads the store, the providers'
//! ledgers and what devices saw, and complains about whatever must not be.
//! Each complaint begins with the promise that it breaks.

use std::collections::BTreeMap;
use std::sync::Arc;

use brain::action::ActionState;
use brain::confirmation::ConfirmationState;
use brain::{Action, Confirmation, Envelope, Event, Job, JobState, Seal, SessionId, TurnId, audit};
use store::{Store, TurnRow};

mod honest;
mod order;
mod work;

use crate::life::Device;
use crate::writer::Ledger;

/// Everything that is on record about one session.
pub struct Record {
    pub events: Vec<Envelope>,
    pub turns: BTreeMap<TurnId, TurnRow>,
    /// Every revision of every card.
    pub cards: Vec<Confirmation>,
    pub actions: Vec<Action>,
    pub jobs: Vec<Job>,
    pub audit: Vec<audit::Entry>,
}

impl Record {
    pub async fn read(store: &dyn Store, session: SessionId) -> Self {
        let readable = "the store can be read";
        let events = store.read(session, 0, u32::MAX).await.expect(readable);
        let mut record = Self {
            events,
            turns: BTreeMap::new(),
            cards: Vec::new(),
            actions: Vec::new(),
            jobs: store.jobs(None, u32::MAX).await.expect(readable),
            audit: store.audit(0, u32::MAX).await.expect(readable),
        };
        let mut ids: Vec<_> = record.events.iter().filter_map(|event| event.turn_id).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            record.cards.extend(store.confirmations_of(id).await.expect(readable));
            record.actions.extend(store.actions_of(id).await.expect(readable));
            let row = store.turn(id).await.expect(readable);
            record.turns.extend(row.map(|row| (id, row)));
        }
        record
    }

    /// Whether nothing more will happen by itself.
    pub fn is_settled(&self) -> bool {
        self.turns.values().all(|turn| turn.ended_at.is_some())
            && self.actions.iter().all(|action| action.state.is_over() && action.told)
            && self.jobs.iter().all(|job| job.state == JobState::Held || !job.is_open())
    }

    fn yes_to(&self, action: &Action) -> Option<&Confirmation> {
        self.cards
            .iter()
            .find(|card| card.action == action.id && card.state == ConfirmationState::Accepted)
    }
}

/// What may never happen, not even for a moment.
pub fn so_far(ledgers: &[Arc<Ledger>]) -> Vec<String> {
    let mut complaints = Vec::new();
    for ledger in ledgers {
        for (key, seals) in ledger.effects() {
            if seals.len() > 1 {
                complaints.push(format!("once: {key} was done {} times", seals.len()));
            }
        }
        if ledger.stolen() > 0 {
            complaints.push(format!("asked: {} writes without a yes", ledger.stolen()));
        }
    }
    complaints
}

/// What must hold once everything has settled. Empty when all is well.
pub fn judge(record: &Record, ledgers: &[Arc<Ledger>], devices: &[Device]) -> Vec<String> {
    let mut complaints = so_far(ledgers);
    let effects = ledgers.iter().flat_map(|ledger| ledger.effects()).collect();
    complaints.extend(asked(record, &effects));
    complaints.extend(kept(record, &effects));
    complaints.extend(shown(record));
    complaints.extend(chained(record));
    complaints.extend(order::turns(record));
    complaints.extend(order::numbers(&record.events));
    complaints.extend(order::devices(&record.events, devices));
    complaints.extend(honest::words(record));
    complaints.extend(work::judge(record, devices));
    complaints
}

/// What was done is exactly what somebody said yes to.
fn asked(record: &Record, effects: &BTreeMap<String, Vec<Seal>>) -> Vec<String> {
    let mut complaints = Vec::new();
    for (key, seals) in effects {
        let action = record.actions.iter().find(|action| action.id.to_string() == *key);
        let agreed = action.and_then(|action| record.yes_to(action));
        match agreed {
            None => complaints.push(format!("asked: {key} was done and nobody said yes")),
            Some(card) if seals.iter().any(|seal| *seal != card.seal) => {
                complaints.push(format!("shown: {key} is not what was agreed to"));
            }
            Some(_) => {}
        }
    }
    for action in &record.actions {
        if record.yes_to(action).is_none_or(|card| card.seal != action.seal) {
            complaints.push(format!("asked: {} has no yes of its own", action.id));
        }
    }
    complaints
}

/// A yes is not lost, and what is known of it is true.
fn kept(record: &Record, effects: &BTreeMap<String, Vec<Seal>>) -> Vec<String> {
    let mut complaints = Vec::new();
    let accepted = record.cards.iter().filter(|card| card.state == ConfirmationState::Accepted);
    for card in accepted {
        let actions = record.actions.iter().filter(|action| action.id == card.action);
        let actions: Vec<_> = actions.collect();
        let [action] = actions[..] else {
            complaints.push(format!("kept: {} has {} writes", card.id, actions.len()));
            continue;
        };
        let done = effects.get(&action.id.to_string()).map_or(0, Vec::len);
        let fits = match action.state {
            ActionState::Confirmed | ActionState::ReconciledDone => done == 1,
            ActionState::FailedClean => done == 0,
            ActionState::NeedsUser => true,
            ActionState::IntentLogged
            | ActionState::Dispatching
            | ActionState::MaybeSent
            | ActionState::ReconciledNotDone => false,
        };
        if !fits {
            let state = action.state.name();
            complaints.push(format!("kept: {} is {state}, and was done {done} times", action.id));
        }
        if !action.told {
            complaints.push(format!("told: nobody heard how {} ended", action.id));
        }
    }
    let open = record.cards.iter().filter(|card| card.state == ConfirmationState::Pending);
    complaints.extend(open.map(|card| format!("kept: {} is open for ever", card.id)));
    complaints
}

/// A yes follows a card with exactly that on it.
fn shown(record: &Record) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut on_cards = BTreeMap::new();
    for envelope in &record.events {
        match &envelope.event {
            Event::AskedToConfirm(question) | Event::QuestionChanged(question) => {
                let key = (question.confirmation_request_id, question.revision);
                on_cards.insert(key, question.payload_hash);
            }
            Event::Answered { confirmation_request_id, revision, .. } => {
                let key = (*confirmation_request_id, *revision);
                let card = record.cards.iter().find(|card| (card.id, card.revision) == key);
                if on_cards.get(&key).copied() != card.map(|card| card.seal) {
                    let id = confirmation_request_id;
                    complaints.push(format!("shown: {id} r{revision} was answered unseen"));
                }
            }
            _ => {}
        }
    }
    complaints
}

/// The audit holds, and has a line for every yes.
fn chained(record: &Record) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut check = audit::Check::default();
    if let Err(broken) = record.audit.iter().try_for_each(|entry| check.take(entry)) {
        complaints.push(format!("audit: {broken}"));
    }
    for card in &record.cards {
        let (what, many) = match card.state {
            ConfirmationState::Accepted => ("accepted", 1),
            ConfirmationState::Rejected => ("rejected", 1),
            ConfirmationState::Expired => ("expired", 1),
            ConfirmationState::Pending | ConfirmationState::Superseded => continue,
        };
        let lines = record.audit.iter().filter(|entry| {
            entry.line.confirmation == Some(card.id)
                && entry.line.what == what
                && entry.line.seal == Some(card.seal)
        });
        if lines.count() != many {
            complaints.push(format!("audit: {} was {what}, and that is not on record", card.id));
        }
    }
    complaints
}
