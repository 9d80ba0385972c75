//! What is not kept for ever, in memory: everything goes at once.

use std::collections::BTreeMap;

use async_trait::async_trait;
use brain::audit::Line;
use brain::{FileId, SessionId, UserId};
use jiff::Timestamp;

use super::{Kept, MemoryStore};
use crate::keeping::cut_line;
use crate::{
    Deleted, Forgotten, Keeping, NewSession, Owned, PIECE, Sessions, StoreError, is_message, rules,
};

impl Kept {
    fn part_with(&mut self, session: SessionId, line: &Line) -> Vec<FileId> {
        let whose = self.sessions.get(&session).map(|(row, _)| (row.user, row.thread));
        self.take_out(session);
        let in_thread = |(row, _): &(crate::SessionRow, u64)| Some((row.user, row.thread)) == whose;
        if let Some(whose) = whose
            && !self.sessions.values().any(in_thread)
        {
            self.titles.remove(&whose);
        }
        self.add(vec![Line { session: Some(session), ..line.clone() }]);
        let files = self.files.values().filter(|file| file.session == Some(session));
        let files: Vec<_> = files.map(|file| file.file).collect();
        self.files.retain(|file, _| !files.contains(file));
        files
    }

    fn has_open_write(&self, session: SessionId) -> bool {
        self.actions.values().any(|row| row.session == session && !rules::is_settled(row))
    }
}

#[async_trait]
impl Keeping for MemoryStore {
    async fn create_temporary(&self, session: NewSession) -> Result<Owned, StoreError> {
        let id = session.session;
        let owned = self.create(session).await?;
        if let Some((row, _)) = self.kept().sessions.get_mut(&id) {
            row.temporary = true;
        }
        Ok(owned)
    }

    async fn end_temporary(&self, session: SessionId, line: Line) -> Result<Deleted, StoreError> {
        let mut kept = self.kept();
        if !kept.sessions.get(&session).is_some_and(|(row, _)| row.temporary) {
            return Ok(Deleted::Unknown);
        }
        if kept.has_open_write(session) {
            return Ok(Deleted::WriteOpen);
        }
        let files = kept.part_with(session, &line);
        Ok(Deleted::Gone { sessions: vec![session], files })
    }

    async fn temporary_sessions(&self) -> Result<Vec<(SessionId, UserId)>, StoreError> {
        let kept = self.kept();
        let rows = kept.sessions.values().map(|(row, _)| row).filter(|row| row.temporary);
        let mut found: Vec<_> = rows.map(|row| (row.created_at, row.session, row.user)).collect();
        found.sort_unstable();
        Ok(found.into_iter().map(|(_, session, user)| (session, user)).collect())
    }

    async fn clear_away(&self) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn expire_turns(&self, before: Timestamp, _: u64) -> Result<Option<u64>, StoreError> {
        let mut kept = self.kept();
        let Kept { events, turns, actions, tool_runs, confirmations, said, .. } = &mut *kept;
        let is_open = |turn| {
            let row = turns.get(&turn);
            row.is_some_and(|row| row.ended_at.is_none_or(|at| at >= before))
                || actions.values().any(|row| row.turn == turn && !rules::is_settled(row))
        };
        let mut over = Vec::new();
        for (session, kept) in events {
            kept.retain(|seq, event| {
                let stays = event.ts >= before || event.turn_id.is_some_and(is_open);
                if !stays {
                    over.extend(event.turn_id);
                    if is_message(event) {
                        said.retain(|place| *place != (*session, *seq));
                    }
                }
                stays
            });
        }
        turns.retain(|turn, _| !over.contains(turn));
        tool_runs.retain(|_, row| !over.contains(&row.turn));
        confirmations.retain(|_, row| !over.contains(&row.turn));
        actions.retain(|_, row| !over.contains(&row.turn));
        Ok(None)
    }

    async fn expire_sessions(&self, before: Timestamp, line: Line) -> Result<bool, StoreError> {
        let mut kept = self.kept();
        let rows = kept.sessions.values().map(|(row, _)| row);
        let is_empty = |session| kept.events.get(session).is_none_or(BTreeMap::is_empty);
        let is_open = |session| {
            kept.turns.values().any(|turn| turn.session == session && turn.ended_at.is_none())
        };
        let mut empty: Vec<_> = rows
            .filter(|row| row.created_at < before && is_empty(&row.session))
            .filter(|row| !is_open(row.session))
            .map(|row| (row.session, row.user))
            .collect();
        empty.sort_unstable();
        for (session, user) in empty {
            kept.part_with(session, &Line { user, ..line.clone() });
        }
        Ok(false)
    }

    async fn expire_files(&self, before: Timestamp) -> Result<Vec<FileId>, StoreError> {
        let mut kept = self.kept();
        let old = kept.files.values().filter(|file| file.created_at < before);
        let old: Vec<_> = old.map(|file| file.file).take(PIECE).collect();
        kept.files.retain(|file, _| !old.contains(file));
        Ok(old)
    }

    async fn cut_audit(&self, before: Timestamp, line: Line) -> Result<u64, StoreError> {
        let mut kept = self.kept();
        let old = kept.audit.iter().take(PIECE).take_while(|entry| entry.line.at < before).count();
        let Some(last) = old.checked_sub(1).map(|at| (kept.audit[at].number, kept.audit[at].hash))
        else {
            return Ok(0);
        };
        kept.add(vec![cut_line(&line, last.0, &last.1)]);
        kept.anchor = Some(last);
        kept.audit.drain(..old);
        Ok(old as u64)
    }

    async fn forget_user(&self, user: UserId, line: Line) -> Result<Forgotten, StoreError> {
        let mut kept = self.kept();
        let mut theirs = kept.actions.values().filter(|row| row.user == user);
        if theirs.any(|row| !row.state.is_over()) {
            return Ok(Forgotten::WriteOpen);
        }
        let rows = kept.sessions.values().map(|(row, _)| row).filter(|row| row.user == user);
        let mut sessions: Vec<_> = rows.map(|row| row.session).collect();
        sessions.sort_unstable();
        let mut files = Vec::new();
        for session in &sessions {
            files.append(&mut kept.part_with(*session, &line));
        }
        files.extend(kept.files.values().filter(|file| file.user == user).map(|file| file.file));
        kept.files.retain(|_, file| file.user != user);
        kept.titles.retain(|(whose, _), _| *whose != user);
        kept.jobs.retain(|_, job| job.user != user);
        kept.profiles.remove(&user);
        kept.model_calls.retain(|_, call| call.user != user);
        kept.keys.retain(|_, key| key.user != user);
        kept.add(vec![line]);
        Ok(Forgotten::Gone { sessions, files })
    }
}
