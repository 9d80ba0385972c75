//! "Did you send it?": answered from what is recorded, also after a restart.
//!
//! Which cards were shown lately stands in the log; how each was answered, and
//! what became of its write, in their rows. Nothing here is remembered, so
//! nothing can be forgotten.

use brain::confirmation::ConfirmationState;
use brain::{Action, Confirmation, ConfirmationId, Envelope, Event, SessionId, TurnId};
use models::reflex::fate::{self, About};
use models::{World, narrator};
use store::{Store, StoreError};

use crate::recall;

/// What became of the writes somebody asked about.
pub(crate) struct Fate {
    /// The newest of them.
    pub card: ConfirmationId,
    pub say: String,
}

/// What became of one card, for who answers it when it is decided already.
pub(crate) async fn of(
    id: ConfirmationId,
    store: &dyn Store,
    world: &World,
) -> Result<Option<Fate>, StoreError> {
    let Some(card) = store.confirmation(id).await? else { return Ok(None) };
    let action = store.action(card.action).await?;
    let became = narrator::outcome::asked(&card, action.as_ref(), &world.local_now());
    let say = match card.state {
        ConfirmationState::Accepted | ConfirmationState::Rejected => {
            format!("That has been decided already. {became}")
        }
        ConfirmationState::Pending | ConfirmationState::Superseded | ConfirmationState::Expired => {
            became
        }
    };
    Ok(Some(Fate { card: id, say }))
}

/// Was nothing else talked of since? A yes is about what was said last.
pub(crate) async fn is_latest(turn: TurnId, store: &dyn Store, session: SessionId) -> bool {
    let recent = store.last(session, recall::RECENT).await.unwrap_or_default();
    let begun = |envelope: &&Envelope| matches!(envelope.event, Event::TurnStarted { .. });
    recent.iter().rfind(begun).is_some_and(|last| last.turn_id == Some(turn))
}

/// None where it is no such question, or nothing fits it.
pub(crate) async fn asked(
    text: &str,
    store: &dyn Store,
    session: SessionId,
    world: &World,
) -> Result<Option<Fate>, StoreError> {
    let Some(about) = fate::asked(text) else { return Ok(None) };
    let found = lately(&about, store, session, world).await?;
    let Some((newest, _)) = found.first() else { return Ok(None) };
    let now = world.local_now();
    let mut told: Vec<String> = found
        .iter()
        // Of an earlier turn it was not asked.
        .filter(|(card, _)| card.turn == newest.turn)
        .map(|(card, action)| narrator::outcome::asked(card, action.as_ref(), &now))
        .collect();
    // In the order they happened.
    told.reverse();
    Ok(Some(Fate { card: newest.id, say: told.join(" ") }))
}

/// The cards it can be about, the one that was spoken of last first.
async fn lately(
    about: &About,
    store: &dyn Store,
    session: SessionId,
    world: &World,
) -> Result<Vec<(Confirmation, Option<Action>)>, StoreError> {
    let mut seen: Vec<ConfirmationId> = Vec::new();
    let mut found = Vec::new();
    for envelope in store.last(session, recall::RECENT).await?.iter().rev() {
        let id = match &envelope.event {
            Event::AskedToConfirm(question) | Event::QuestionChanged(question) => {
                question.confirmation_request_id
            }
            Event::Answered { confirmation_request_id, .. }
            | Event::WentUnanswered { confirmation_request_id, .. } => *confirmation_request_id,
            _ => continue,
        };
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let Some(card) = store.confirmation(id).await? else { continue };
        if about.fits(&card.card.preview, world) {
            let action = store.action(card.action).await?;
            found.push((card, action));
        }
    }
    Ok(found)
}
