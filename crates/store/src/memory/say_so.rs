//! Questions, answers, and the writes that follow from them.

use std::collections::BTreeMap;

use async_trait::async_trait;
use brain::confirmation::ConfirmationState;
use brain::{Action, ActionId, Confirmation, ConfirmationId, SessionId, TurnId, UserId};

use super::{Kept, MemoryStore};
use crate::{Actions, Batch, Confirmations, StoreError, rules};

/// What a batch would change, once nothing in it is refused.
#[derive(Default)]
pub(super) struct Changes {
    pub confirmations: BTreeMap<(ConfirmationId, u32), Confirmation>,
    pub actions: BTreeMap<ActionId, Action>,
}

impl Kept {
    /// What the questions and writes of `batch` come to. Changes nothing.
    pub(super) fn weigh(&self, batch: &Batch) -> Result<Changes, StoreError> {
        let mut changes = Changes::default();
        for new in rules::oldest_first(&batch.confirmations) {
            let newest = newest(&changes.confirmations, new.id).or_else(|| self.newest(new.id));
            let row = rules::confirmation(batch, newest, new)?;
            changes.confirmations.insert((row.id, row.revision), row);
        }
        for new in &batch.actions {
            let id = new.confirmation;
            let asked = newest(&changes.confirmations, id).or_else(|| self.newest(id));
            rules::agreed(batch.session, asked, new)?;
            let kept = changes.actions.get(&new.id).or_else(|| self.actions.get(&new.id));
            let row = rules::action(kept, new)?;
            changes.actions.insert(row.id, row);
        }
        Ok(changes)
    }

    fn newest(&self, id: ConfirmationId) -> Option<&Confirmation> {
        newest(&self.confirmations, id)
    }

    fn confirmations(&self, wanted: impl Fn(&Confirmation) -> bool) -> Vec<Confirmation> {
        let mut found: Vec<_> =
            self.confirmations.values().filter(|row| wanted(row)).cloned().collect();
        found.sort_by_key(|row| (row.asked_at, row.id, row.revision));
        found
    }

    fn actions(&self, wanted: impl Fn(&Action) -> bool) -> Vec<Action> {
        let mut found: Vec<_> = self.actions.values().filter(|row| wanted(row)).cloned().collect();
        found.sort_by_key(|row| (row.agreed_at, row.id));
        found
    }
}

fn newest(
    revisions: &BTreeMap<(ConfirmationId, u32), Confirmation>,
    id: ConfirmationId,
) -> Option<&Confirmation> {
    revisions.range((id, 0)..=(id, u32::MAX)).next_back().map(|(_, row)| row)
}

#[async_trait]
impl Confirmations for MemoryStore {
    async fn confirmation(&self, id: ConfirmationId) -> Result<Option<Confirmation>, StoreError> {
        Ok(self.kept().newest(id).cloned())
    }

    async fn open_confirmations(
        &self,
        session: SessionId,
    ) -> Result<Vec<Confirmation>, StoreError> {
        let pending = ConfirmationState::Pending;
        Ok(self.kept().confirmations(|row| row.session == session && row.state == pending))
    }

    async fn confirmations_of(&self, turn: TurnId) -> Result<Vec<Confirmation>, StoreError> {
        Ok(self.kept().confirmations(|row| row.turn == turn))
    }
}

#[async_trait]
impl Actions for MemoryStore {
    async fn action(&self, id: ActionId) -> Result<Option<Action>, StoreError> {
        Ok(self.kept().actions.get(&id).cloned())
    }

    async fn actions_of(&self, turn: TurnId) -> Result<Vec<Action>, StoreError> {
        Ok(self.kept().actions(|row| row.turn == turn))
    }

    async fn unsettled(&self, session: SessionId) -> Result<Vec<Action>, StoreError> {
        Ok(self.kept().actions(|row| row.session == session && !rules::is_settled(row)))
    }

    async fn restless(&self) -> Result<Vec<(SessionId, UserId)>, StoreError> {
        let kept = self.kept();
        let open = kept.actions(|row| !rules::is_settled(row));
        let mut sessions: Vec<_> = open.iter().map(|row| (row.session, row.user)).collect();
        let unreturned = kept.jobs.values().filter(|job| job.state.is_over() && !job.returned);
        sessions.extend(unreturned.map(|job| (job.session, job.user)));
        sessions.sort();
        sessions.dedup();
        Ok(sessions)
    }
}
