//! Chats: what was said in the sessions of one person.

use std::cmp::Reverse;

use async_trait::async_trait;
use brain::audit::Line;
use brain::confirmation::{Confirmation, ConfirmationState};
use brain::{Envelope, MessageId, SessionId, ThreadId, UserId};
use jiff::Timestamp;

use super::{Kept, MemoryStore, newest};
use crate::{
    Deleted, Found, LOOKED_THROUGH, SessionRow, StoreError, ThreadPage, ThreadRow, Threads, Words,
    rules, text_of,
};

impl Kept {
    fn sessions_of(&self, user: UserId) -> impl Iterator<Item = &SessionRow> {
        self.sessions.values().map(|(row, _)| row).filter(move |row| row.user == user)
    }

    /// Messages of a person, or of one of their chats, in the order they were kept.
    fn said_by(
        &self,
        user: UserId,
        thread: Option<ThreadId>,
    ) -> impl DoubleEndedIterator<Item = (ThreadId, &Envelope)> {
        self.said.iter().filter_map(move |(session, seq)| {
            let (row, _) = self.sessions.get(session)?;
            let is_wanted =
                row.user == user && thread.map_or(!row.temporary, |thread| row.thread == thread);
            let envelope = self.events.get(session)?.get(seq)?;
            is_wanted.then_some((row.thread, envelope))
        })
    }

    fn thread(&self, user: UserId, thread: ThreadId) -> Option<ThreadRow> {
        let sessions: Vec<_> = self.sessions_of(user).filter(|row| row.thread == thread).collect();
        let created_at = sessions.iter().map(|row| row.created_at).min()?;
        let said: Vec<_> = self.said_by(user, Some(thread)).map(|(_, envelope)| envelope).collect();
        let mut times = said.iter().map(|envelope| envelope.ts).collect::<Vec<_>>();
        times.extend(sessions.iter().map(|row| row.created_at));
        Some(ThreadRow {
            thread,
            title: self.titles.get(&(user, thread)).cloned(),
            sessions: sessions.len() as u64,
            messages: said.len() as u64,
            created_at,
            updated_at: times.into_iter().max()?,
            waits_until: self.waits_until(&sessions),
            first: said.first().map(|envelope| Envelope::clone(envelope)),
            last: said.last().map(|envelope| Envelope::clone(envelope)),
        })
    }

    fn waits_until(&self, sessions: &[&SessionRow]) -> Option<Timestamp> {
        let is_here = |card: &&Confirmation| sessions.iter().any(|row| row.session == card.session);
        let pending = |card: &&Confirmation| card.state == ConfirmationState::Pending;
        let waiting = self.confirmations.values().filter(pending).filter(is_here);
        waiting.map(|card| card.expires_at).max()
    }

    /// The newest first, and so many messages of all chats together.
    fn has(&self, user: UserId, row: &ThreadRow, words: &Words, left: &mut u32) -> bool {
        row.title.as_ref().is_some_and(|title| words.are_in(title))
            || self.said_by(user, Some(row.thread)).rev().any(|(_, said)| {
                let may_look = *left > 0;
                *left = left.saturating_sub(1);
                may_look && words.are_in(text_of(said))
            })
    }

    fn open_in(&self, session: SessionId, now: Timestamp) -> Option<Deleted> {
        let waits = self.confirmations.values().any(|card| {
            card.session == session
                && card.state == ConfirmationState::Pending
                && card.expires_at > now
        });
        let is_open =
            self.actions.values().any(|row| row.session == session && !rules::is_settled(row));
        if is_open {
            return Some(Deleted::WriteOpen);
        }
        let temporary = self.sessions.get(&session).is_some_and(|(row, _)| row.temporary);
        (waits && !temporary).then_some(Deleted::CardOpen)
    }

    pub(super) fn take_out(&mut self, session: SessionId) {
        self.sessions.remove(&session);
        self.events.remove(&session);
        self.prints.remove(&session);
        self.said.retain(|(of, _)| *of != session);
        self.turns.retain(|_, row| row.session != session);
        self.tool_runs.retain(|_, row| row.session != session);
        self.confirmations.retain(|_, row| row.session != session);
        self.actions.retain(|_, row| row.session != session);
        self.take_out_jobs(session);
    }
}

/// What comes before a message, from the newest on; `None` when it is not there.
fn before<'a>(
    mut said: impl Iterator<Item = (ThreadId, &'a Envelope)>,
    message: Option<MessageId>,
) -> Option<Vec<(ThreadId, &'a Envelope)>> {
    if let Some(message) = message {
        said.find(|(_, envelope)| envelope.message_id == Some(message))?;
    }
    Some(said.collect())
}

#[async_trait]
impl Threads for MemoryStore {
    async fn threads(&self, user: UserId, page: ThreadPage) -> Result<Vec<ThreadRow>, StoreError> {
        let kept = self.kept();
        let lasting = kept.sessions_of(user).filter(|row| !row.temporary);
        let mut ids: Vec<_> = lasting.map(|row| row.thread).collect();
        ids.sort();
        ids.dedup();
        let mut rows: Vec<_> =
            ids.into_iter().filter_map(|thread| kept.thread(user, thread)).collect();
        rows.sort_by_key(|row| Reverse((row.updated_at, row.thread)));
        let mut left = LOOKED_THROUGH;
        rows.retain(|row| {
            row.messages > 0
                && page.after.is_none_or(|after| (row.updated_at, row.thread) < after)
                && page.words.as_ref().is_none_or(|words| kept.has(user, row, words, &mut left))
        });
        rows.truncate(page.limit as usize);
        Ok(rows)
    }

    async fn thread(
        &self,
        user: UserId,
        thread: ThreadId,
    ) -> Result<Option<ThreadRow>, StoreError> {
        Ok(self.kept().thread(user, thread))
    }

    async fn sessions_in(
        &self,
        user: UserId,
        thread: ThreadId,
    ) -> Result<Vec<SessionId>, StoreError> {
        let kept = self.kept();
        let rows = kept.sessions_of(user).filter(|row| row.thread == thread);
        let mut sessions: Vec<_> = rows.map(|row| (row.created_at, row.session)).collect();
        sessions.sort_unstable();
        Ok(sessions.into_iter().map(|(_, session)| session).collect())
    }

    async fn said_in(
        &self,
        user: UserId,
        thread: ThreadId,
        message: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<Envelope>>, StoreError> {
        let kept = self.kept();
        let found = before(kept.said_by(user, Some(thread)).rev(), message);
        Ok(found.map(|found| newest(found.into_iter().rev().map(|(_, it)| it.clone()), limit)))
    }

    async fn search(
        &self,
        user: UserId,
        words: Words,
        message: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<Found>>, StoreError> {
        let kept = self.kept();
        let found = before(kept.said_by(user, None).rev(), message);
        Ok(found.map(|found| {
            let found = found.into_iter().take(LOOKED_THROUGH as usize);
            let found = found.filter(|(_, envelope)| words.are_in(text_of(envelope)));
            let found = found.map(|(thread, envelope)| Found { thread, message: envelope.clone() });
            found.take(limit as usize).collect()
        }))
    }

    async fn rename(
        &self,
        user: UserId,
        thread: ThreadId,
        title: String,
    ) -> Result<bool, StoreError> {
        let mut kept = self.kept();
        let is_there = kept.sessions_of(user).any(|row| row.thread == thread);
        if is_there {
            kept.titles.insert((user, thread), title);
        }
        Ok(is_there)
    }

    async fn delete_thread(
        &self,
        user: UserId,
        thread: ThreadId,
        now: Timestamp,
        line: Line,
    ) -> Result<Deleted, StoreError> {
        let mut kept = self.kept();
        let of_thread = kept.sessions_of(user).filter(|row| row.thread == thread);
        let mut sessions: Vec<_> = of_thread.map(|row| row.session).collect();
        sessions.sort();
        if sessions.is_empty() {
            return Ok(Deleted::Unknown);
        }
        if let Some(open) = sessions.iter().find_map(|session| kept.open_in(*session, now)) {
            return Ok(open);
        }
        let handed = kept.files.values();
        let handed = handed.filter(|file| file.session.is_some_and(|it| sessions.contains(&it)));
        let files: Vec<_> = handed.map(|file| file.file).collect();
        for session in &sessions {
            kept.take_out(*session);
            kept.add(vec![Line { session: Some(*session), ..line.clone() }]);
        }
        kept.files.retain(|file, _| !files.contains(file));
        kept.titles.remove(&(user, thread));
        Ok(Deleted::Gone { sessions, files })
    }
}
