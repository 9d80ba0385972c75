//! What a session remembers of itself when it wakes up.

use std::collections::{HashMap, HashSet};

use brain::event::{PlanChoice, PlanUpdate};
use brain::{ActionLevel, Attached, Envelope, Event, MessageId, SessionId, TurnId};
use jiff::Zoned;
use models::{Choice, Done, Focus, Record, Unclear};
use store::{FileRow, Store, StoreError};

use crate::rows::Rows;

/// Recent events that are looked through; a list that people still point at is
/// among them.
pub(crate) const RECENT: u32 = 100;

/// Sentences of the person that still count as theirs: "email zoe@x.example",
/// "what should I say?", "see you at five".
pub(crate) const SENTENCES: usize = 4;

/// Files that are still known by then.
const FILES: u32 = 20;

/// The person's own latest words, oldest first.
pub(crate) fn said(recent: &[Envelope]) -> Vec<String> {
    let words = recent.iter().filter_map(|envelope| match &envelope.event {
        Event::Heard { text, .. } => Some(text.clone()),
        _ => None,
    });
    let words: Vec<_> = words.collect();
    words[words.len().saturating_sub(SENTENCES)..].to_vec()
}

/// A sentence of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spoken {
    pub turn: Option<TurnId>,
    pub message: Option<MessageId>,
    /// Ours, or the person's.
    pub is_ours: bool,
    pub text: String,
}

/// Who said what, the oldest first, and of what was cut off only what was heard.
pub(crate) fn talk(recent: &[Envelope]) -> Vec<Spoken> {
    let mut talk: Vec<Spoken> = Vec::new();
    for envelope in recent {
        let (turn, message) = (envelope.turn_id, envelope.message_id);
        match &envelope.event {
            Event::Heard { text, .. } => {
                talk.push(Spoken { turn, message: None, is_ours: false, text: text.clone() });
            }
            Event::Said { text } => {
                talk.push(Spoken { turn, message, is_ours: true, text: text.clone() });
            }
            Event::TurnCancelled { cancel_turn_id, heard_chars: Some(heard), .. } => {
                let is_cut = |it: &&mut Spoken| it.is_ours && it.turn == Some(*cancel_turn_id);
                if let Some(cut) = talk.iter_mut().rev().find(is_cut) {
                    cut.text = cut.text.chars().take(*heard).collect();
                }
            }
            _ => {}
        }
    }
    talk.retain(|spoken| !spoken.text.is_empty());
    talk
}

/// What is open: turns, their cards and writes, and writes that somebody still
/// has to hear of.
pub(crate) async fn rows(store: &dyn Store, session: SessionId) -> Result<Rows, StoreError> {
    let mut rows = Rows::default();
    for turn in store.open_turns(session).await? {
        for card in store.confirmations_of(turn.turn).await? {
            // In order of revision: the newest stays.
            rows.cards.insert(card.id, card);
        }
        for action in store.actions_of(turn.turn).await? {
            rows.actions.insert(action.id, action);
        }
        rows.turns.insert(turn.turn, turn);
    }
    for action in store.unsettled(session).await? {
        if let Some(card) = store.confirmation(action.confirmation).await? {
            rows.cards.insert(card.id, card);
        }
        rows.actions.insert(action.id, action);
    }
    Ok(rows)
}

/// What people can point at, from what tools brought lately.
pub(crate) fn focus(recent: &[Envelope]) -> Focus {
    let mut focus = Focus::default();
    let mut names = HashMap::new();
    let mut turn: Option<TurnId> = None;
    let mut done: Vec<Done> = Vec::new();
    for envelope in recent {
        if envelope.turn_id != turn {
            focus.note(&std::mem::take(&mut done));
            turn = envelope.turn_id;
        }
        match &envelope.event {
            Event::ToolRequested { call_id, tool_name, .. } => {
                names.insert(*call_id, tool_name.clone());
            }
            Event::ToolReturned { call_id, output, error: None, .. } => {
                if let Some(tool) = names.remove(call_id) {
                    done.push(Done { tool, result: Ok(output.clone()) });
                }
            }
            Event::Heard { attachments, .. } => focus.attach(attachments.clone()),
            Event::TurnStarted { follows: None, .. } => focus.asked.clear(),
            Event::Planned(plan) => focus.asked = asked(plan),
            Event::Said { text } => focus.told = Some(text.as_str().into()),
            _ => {}
        }
    }
    focus.note(&done);
    focus.rest();
    focus
}

/// What was done in it, where anything was: writes from the record of each, whatever else was
/// left behind from what it brought.
pub(crate) async fn record(store: &dyn Store, recent: &[Envelope], now: &Zoned) -> Record {
    let (mut left, mut turns) = (Vec::new(), Vec::new());
    let mut names = HashMap::new();
    for envelope in recent {
        match (&envelope.event, envelope.turn_id) {
            (Event::ToolRequested { call_id, tool_name, action_level, .. }, turn) => {
                match action_level {
                    ActionLevel::Write => turns.extend(turn),
                    ActionLevel::Draft => drop(names.insert(*call_id, tool_name.clone())),
                    ActionLevel::Read => {}
                }
            }
            (Event::ToolReturned { call_id, output, error: None, .. }, _) => {
                let tool = names.remove(call_id);
                left.extend(tool.map(|tool| Done { tool, result: Ok(output.clone()) }));
            }
            _ => {}
        }
    }
    let mut known = HashSet::new();
    turns.retain(|turn| known.insert(*turn));
    let mut actions = Vec::new();
    for turn in turns {
        match store.actions_of(turn).await {
            Ok(more) => actions.extend(more),
            Err(_) => return Record::unknown(),
        }
    }
    let may_be_more = recent.first().and_then(|first| first.seq).is_some_and(|seq| seq > 1);
    Record::of(&actions, &left, now, may_be_more)
}

/// The files of a session that were not spoken of lately can still be pointed at.
pub(crate) async fn files(
    store: &dyn Store,
    session: SessionId,
) -> Result<Vec<Attached>, StoreError> {
    let rows = store.files_in(session, FILES).await?;
    Ok(rows.iter().map(FileRow::attached).collect())
}

/// The answers that a plan waited for.
fn asked(plan: &PlanUpdate) -> Vec<Choice> {
    let of_plan = |about: &Unclear| plan.plan.ambiguity.contains_key(about.name());
    let Some(about) = Unclear::ALL.into_iter().find(of_plan) else { return Vec::new() };
    let choice = |choice: &PlanChoice| Choice::of_told(about, &choice.name, &choice.means);
    plan.choices.iter().map(choice).collect()
}
