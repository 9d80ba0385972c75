//! Everything in memory, gone with the process: for tests, talks and temporary use.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use brain::audit::Entry;
use brain::{
    Action, ActionId, Confirmation, ConfirmationId, Envelope, Event, FileId, Job, JobId, KeyId,
    MessageId, Profile, Seal, SessionId, ThreadId, TurnId, UserId,
};
use jiff::Timestamp;

use crate::{
    Batch, EventLog, FileRow, Health, KeyRow, ModelCallRow, NUMBER_BLOCK, Named, NewSession, Owned,
    Profiles, SessionRow, Sessions, StoreError, ToolRunRow, TurnRow, Turns, is_message, rules,
};

mod audit;
mod costs;
mod files;
mod jobs;
mod keeping;
mod keys;
mod say_so;
mod threads;
mod watch;

/// A store that forgets when it is dropped.
#[derive(Default)]
pub struct MemoryStore {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    sessions: HashMap<SessionId, (SessionRow, u64)>,
    events: HashMap<SessionId, BTreeMap<u64, Envelope>>,
    /// What was said under the names that some of them take.
    prints: HashMap<SessionId, BTreeMap<u64, Seal>>,
    /// The messages among them, in the order they were kept.
    said: Vec<(SessionId, u64)>,
    titles: HashMap<(UserId, ThreadId), String>,
    files: BTreeMap<FileId, FileRow>,
    turns: BTreeMap<TurnId, TurnRow>,
    /// By key: a step that is taken up again stands in the place of the first time.
    tool_runs: BTreeMap<String, ToolRunRow>,
    confirmations: BTreeMap<(ConfirmationId, u32), Confirmation>,
    actions: BTreeMap<ActionId, Action>,
    audit: Vec<Entry>,
    /// Where the audit begins, once its oldest lines were let go.
    anchor: Option<(u64, Seal)>,
    /// `None` is every write, and comes first.
    switches: BTreeMap<Option<String>, Timestamp>,
    profiles: HashMap<UserId, Profile>,
    /// By age.
    keys: BTreeMap<(Timestamp, KeyId), KeyRow>,
    jobs: BTreeMap<JobId, Job>,
    model_calls: BTreeMap<(TurnId, u32), ModelCallRow>,
}

impl MemoryStore {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Every change below is complete or not begun, so a panic elsewhere spoils nothing.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Sessions that somebody began and never used.
    fn unused(&self) -> impl Iterator<Item = &SessionRow> {
        self.sessions.values().map(|(row, _)| row).filter(|row| {
            row.last_seq == 0
                && !self.titles.contains_key(&(row.user, row.thread))
                && !self.files.values().any(|file| file.session == Some(row.session))
        })
    }

    /// The uses of tools in a batch, by their keys. Changes nothing.
    fn taken_up(&self, runs: &[ToolRunRow]) -> Result<BTreeMap<String, ToolRunRow>, StoreError> {
        let mut taken = BTreeMap::new();
        for run in runs {
            let mut known = self.tool_runs.values().chain(taken.values());
            if known.any(|known| rules::excludes(known, run)) {
                return Err(rules::misnamed(run));
            }
            taken.insert(run.idempotency_key.clone(), run.clone());
        }
        Ok(taken)
    }
}

#[async_trait]
impl EventLog for MemoryStore {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        let mut kept = self.kept();
        // Everything that can be refused comes before the first change.
        let gone = StoreError::Gone(batch.session);
        let (row, _) = kept.sessions.get(&batch.session).ok_or(gone.clone())?;
        let first = batch.events.first().and_then(|event| event.seq);
        if row.epoch != batch.epoch || first.is_some_and(|seq| seq <= row.last_seq) {
            return Err(StoreError::Stale(batch.session));
        }
        if !batch.events.is_sorted_by(|a, b| a.seq < b.seq) {
            return Err(StoreError::Unavailable("two events have one number".into()));
        }
        let changes = kept.weigh(&batch)?;
        let tool_runs = kept.taken_up(&batch.tool_runs)?;
        let jobs = kept.marked(batch.session, &batch.jobs)?;

        let (row, reserved) = kept.sessions.get_mut(&batch.session).ok_or(gone)?;
        *reserved = batch.reserve_to.max(*reserved);
        row.last_seq = batch.events.last().and_then(|event| event.seq).unwrap_or(row.last_seq);
        let said = batch.events.iter().filter(|event| is_message(event));
        kept.said.extend(said.filter_map(|event| Some((batch.session, event.seq?))));
        let prints =
            batch.events.iter().filter_map(|event| Some((event.seq?, batch.print(event)?)));
        kept.prints.entry(batch.session).or_default().extend(prints);
        let events = batch.events.into_iter().map(|event| Envelope::clone(&event));
        let events = events.filter_map(|event| Some((event.seq?, event)));
        kept.events.entry(batch.session).or_default().extend(events);
        if let Some(mut turn) = batch.turn {
            let known = kept.turns.get(&turn.turn);
            turn.figures.dedupe_hits = known.map_or(0, |known| known.figures.dedupe_hits);
            kept.turns.insert(turn.turn, turn);
        }
        kept.tool_runs.extend(tool_runs);
        let calls = batch.model_calls.into_iter().map(|call| ((call.turn, call.number), call));
        kept.model_calls.extend(calls);
        kept.confirmations.extend(changes.confirmations);
        kept.actions.extend(changes.actions);
        kept.jobs.extend(jobs);
        kept.add(batch.audit);
        Ok(())
    }

    async fn page(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
        bytes: usize,
    ) -> Result<Vec<Envelope>, StoreError> {
        let kept = self.kept();
        let Some(events) = kept.events.get(&session) else { return Ok(Vec::new()) };
        let mut spelled = 0;
        let fits = |event: &&Envelope| {
            let is_first = spelled == 0;
            spelled += serde_json::to_string(event).expect("an envelope has a JSON form").len();
            is_first || spelled <= bytes
        };
        let page = events.range(after + 1..).take(limit as usize).map(|(_, event)| event);
        Ok(page.take_while(fits).cloned().collect())
    }

    async fn last(&self, session: SessionId, limit: u32) -> Result<Vec<Envelope>, StoreError> {
        let kept = self.kept();
        let Some(events) = kept.events.get(&session) else { return Ok(Vec::new()) };
        Ok(newest(events.values().cloned(), limit))
    }

    async fn count(&self, session: SessionId, after: u64, limit: u32) -> Result<u32, StoreError> {
        let kept = self.kept();
        let Some(events) = kept.events.get(&session) else { return Ok(0) };
        let some = events.range(after + 1..).take(limit as usize).count();
        Ok(u32::try_from(some).unwrap_or(limit))
    }

    async fn messages(
        &self,
        session: SessionId,
        until: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError> {
        let kept = self.kept();
        let Some(events) = kept.events.get(&session) else { return Ok(Vec::new()) };
        let said = events.range(..=until).map(|(_, event)| event).filter(|event| is_message(event));
        Ok(newest(said.cloned(), limit))
    }

    async fn said(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Option<Envelope>, StoreError> {
        let kept = self.kept();
        let Some(events) = kept.events.get(&session) else { return Ok(None) };
        let is_it = |event: &&Envelope| {
            event.message_id == Some(message) && matches!(event.event, Event::Said { .. })
        };
        Ok(events.values().rev().find(is_it).cloned())
    }

    async fn names(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Named>, StoreError> {
        let kept = self.kept();
        let Some(events) = kept.events.get(&session) else { return Ok(Vec::new()) };
        let prints = kept.prints.get(&session);
        let named =
            events.iter().filter(|(_, event)| event.ts >= since).filter_map(|(seq, event)| {
                let print = prints.and_then(|prints| prints.get(seq).copied());
                Some(Named { at: event.ts, name: event.event.took()?.to_owned(), print })
            });
        Ok(newest(named, limit))
    }
}

/// The last `limit` of them, in order.
fn newest<T>(all: impl Iterator<Item = T>, limit: u32) -> Vec<T> {
    let mut all: Vec<_> = all.collect();
    all.drain(..all.len().saturating_sub(limit as usize));
    all
}

#[async_trait]
impl Health for MemoryStore {
    async fn writable(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

#[async_trait]
impl Sessions for MemoryStore {
    async fn create(&self, new: NewSession) -> Result<Owned, StoreError> {
        let NewSession { session, user, agent, thread, created_at } = new;
        let row = SessionRow {
            session,
            user,
            agent,
            thread,
            created_at,
            epoch: 1,
            last_seq: 0,
            temporary: false,
        };
        let mut kept = self.kept();
        if kept.sessions.contains_key(&session) {
            return Err(StoreError::Stale(session));
        }
        kept.sessions.insert(session, (row, NUMBER_BLOCK));
        Ok(Owned { epoch: 1, next_seq: 1, reserved_to: NUMBER_BLOCK })
    }

    async fn find(&self, session: SessionId) -> Result<Option<SessionRow>, StoreError> {
        Ok(self.kept().sessions.get(&session).map(|(row, _)| row.clone()))
    }

    async fn own(&self, session: SessionId) -> Result<Option<Owned>, StoreError> {
        let mut kept = self.kept();
        let Some((row, reserved)) = kept.sessions.get_mut(&session) else { return Ok(None) };
        row.epoch += 1;
        let next_seq = *reserved + 1;
        *reserved += NUMBER_BLOCK;
        Ok(Some(Owned { epoch: row.epoch, next_seq, reserved_to: *reserved }))
    }

    async fn unused_sessions(&self, user: UserId) -> Result<u64, StoreError> {
        let kept = self.kept();
        Ok(kept.unused().filter(|row| row.user == user).count() as u64)
    }

    async fn unused_since(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<SessionId>, StoreError> {
        let kept = self.kept();
        let old = kept.unused().filter(|row| row.created_at < before).map(|row| row.session);
        Ok(old.take(limit as usize).collect())
    }

    async fn forget_unused(&self, sessions: Vec<SessionId>) -> Result<u64, StoreError> {
        let mut kept = self.kept();
        let unused: Vec<_> = kept.unused().map(|row| row.session).collect();
        let gone: Vec<_> = sessions.into_iter().filter(|it| unused.contains(it)).collect();
        for session in &gone {
            kept.sessions.remove(session);
        }
        Ok(gone.len() as u64)
    }
}

#[async_trait]
impl Turns for MemoryStore {
    async fn turn(&self, turn: TurnId) -> Result<Option<TurnRow>, StoreError> {
        Ok(self.kept().turns.get(&turn).cloned())
    }

    async fn open_turns(&self, session: SessionId) -> Result<Vec<TurnRow>, StoreError> {
        let kept = self.kept();
        let open = kept.turns.values().filter(|t| t.session == session && t.ended_at.is_none());
        let mut open: Vec<_> = open.cloned().collect();
        open.sort_by_key(|turn| turn.started_at);
        Ok(open)
    }

    async fn tool_runs(&self, turn: TurnId) -> Result<Vec<ToolRunRow>, StoreError> {
        let kept = self.kept();
        let mut runs: Vec<_> =
            kept.tool_runs.values().filter(|run| run.turn == turn).cloned().collect();
        runs.sort_by_key(|run| (run.started_at, run.call));
        Ok(runs)
    }

    async fn said_again(&self, session: SessionId, name: String) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let events = kept.events.get(&session).into_iter().flat_map(BTreeMap::values);
        let mut named = events.filter(|envelope| {
            matches!(&envelope.event, Event::TurnStarted { in_reply_to, .. }
                | Event::Heard { in_reply_to, .. } if in_reply_to.as_ref() == Some(&name))
        });
        let turn = named.next().and_then(|envelope| envelope.turn_id);
        if let Some(turn) = turn.and_then(|turn| kept.turns.get_mut(&turn)) {
            turn.figures.dedupe_hits += 1;
        }
        Ok(())
    }
}

#[async_trait]
impl Profiles for MemoryStore {
    async fn profile(&self, user: UserId) -> Result<Option<Profile>, StoreError> {
        Ok(self.kept().profiles.get(&user).cloned())
    }

    async fn save_profile(&self, user: UserId, profile: Profile) -> Result<(), StoreError> {
        self.kept().profiles.insert(user, profile);
        Ok(())
    }
}
