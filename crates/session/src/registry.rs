//! Finds the one task that owns a session, or makes it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use brain::audit::Line;
use brain::{Job, SessionId, ThreadId, UserId};
use jiff::SignedDuration;
use store::{Deleted, NewSession, StoreError};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::actor;
use crate::actor::Memory;
use crate::clients::Joined;
use crate::handle::{SessionHandle, Start};
use crate::house::House;
use crate::jobs;
use crate::names::{self, Names};
use crate::recall;

/// A session that falls asleep under our hands more often is not worth waiting for.
const WAKE_TRIES: usize = 3;

/// Sessions that are forgotten in one go.
const SWEPT_AT_ONCE: u32 = 500;

/// Every session that is awake on this node. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    house: Arc<House>,
    awake: Arc<Mutex<HashMap<SessionId, Slot>>>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// Which session, and whose.
#[derive(Clone, Copy)]
struct Who {
    session: SessionId,
    user: UserId,
    /// It goes when it ends.
    temporary: bool,
}

/// Filled once, however many ask at the same time.
type Slot = Arc<OnceCell<SessionHandle>>;

/// Why a session could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// There is none, or it is somebody else's: the answer is the same.
    Unknown,
    Store(StoreError),
    /// The server is going down.
    Stopping,
}

impl Registry {
    pub fn new(house: Arc<House>) -> Self {
        Self {
            house,
            awake: Arc::default(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        }
    }

    pub fn house(&self) -> &Arc<House> {
        &self.house
    }

    /// How many sessions are awake.
    pub fn awake(&self) -> usize {
        self.slots().len()
    }

    /// Begins a new session.
    pub async fn create(
        &self,
        user: UserId,
        thread: Option<ThreadId>,
    ) -> Result<SessionHandle, OpenError> {
        self.begin(user, thread, false).await
    }

    /// Begins one that is kept only as long as somebody is in it.
    pub async fn create_temporary(&self, user: UserId) -> Result<SessionHandle, OpenError> {
        self.begin(user, None, true).await
    }

    async fn begin(
        &self,
        user: UserId,
        thread: Option<ThreadId>,
        temporary: bool,
    ) -> Result<SessionHandle, OpenError> {
        let session = SessionId(self.house.ids.next());
        let thread = thread.unwrap_or_else(|| ThreadId(self.house.ids.next()));
        let new = NewSession {
            session,
            user,
            agent: self.house.agent.clone(),
            thread,
            created_at: self.house.clock.now(),
        };
        let store = &self.house.store;
        let owned = if temporary { store.create_temporary(new) } else { store.create(new) };
        let owned = owned.await.map_err(OpenError::Store)?;
        let slot = self.slot(session);
        let who = Who { session, user, temporary };
        let handle = self.start(who, owned, Memory::default(), &slot);
        Ok(slot.get_or_init(async || handle).await.clone())
    }

    /// Finds a session that exists; wakes it up if nobody owns it here.
    pub async fn open(&self, session: SessionId, user: UserId) -> Result<SessionHandle, OpenError> {
        if self.stop.is_cancelled() {
            return Err(OpenError::Stopping);
        }
        let row = self.house.store.find(session).await.map_err(OpenError::Store)?;
        let row = row.filter(|row| row.user == user).ok_or(OpenError::Unknown)?;
        let who = Who { session, user, temporary: row.temporary };
        let slot = self.slot(session);
        let wake = async || {
            let store = &self.house.store;
            let owned = store.own(session).await.map_err(OpenError::Store)?;
            let owned = owned.ok_or(OpenError::Unknown)?;
            let _place = self.house.wakings.take(user).await;
            let rows = recall::rows(&**store, session).await.map_err(OpenError::Store)?;
            let recent = store.last(session, recall::RECENT).await.map_err(OpenError::Store)?;
            let (mut focus, said) = (recall::focus(&recent), recall::said(&recent));
            focus.know(recall::files(&**store, session).await.map_err(OpenError::Store)?);
            let since = self.house.clock.now() - names::KNOWN_FOR;
            let limit = u32::try_from(names::MOST).unwrap_or(u32::MAX);
            let names = store.names(session, since, limit).await.map_err(OpenError::Store)?;
            let names = Names::from(names);
            let memory = Memory { rows, focus, said, names };
            Ok(self.start(who, owned, memory, &slot))
        };
        let handle = slot.get_or_try_init(wake).await.cloned();
        if handle.is_err() {
            self.forget_unused(session, &slot);
        }
        handle
    }

    /// Wakes every session in which something was agreed to and is not known to
    /// have happened, or was not told. Called once, at the start.
    pub async fn wake_restless(&self) -> Result<usize, OpenError> {
        let restless = self.house.store.restless().await.map_err(OpenError::Store)?;
        let mut woken = 0;
        for (session, user) in restless {
            // One that cannot be read does not keep the others from waking up.
            match self.open(session, user).await {
                Ok(_) => woken += 1,
                Err(OpenError::Stopping) => return Err(OpenError::Stopping),
                Err(error) => {
                    tracing::error!(session_id = %session, ?error, "a session cannot be woken");
                }
            }
        }
        Ok(woken)
    }

    /// Begins to work on jobs, and goes on with those that were left. Called once.
    pub async fn work(&self) -> Result<(), StoreError> {
        jobs::employ(self).await
    }

    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Whoever watches the session of a job sees how far it is; nobody is woken for it.
    pub(crate) fn progressed(&self, job: &Job) {
        let slot = self.slots().get(&job.session).cloned();
        if let Some(awake) = slot.as_ref().and_then(|slot| slot.get()) {
            awake.progressed(job);
        }
    }

    /// The sessions of a person that are awake here.
    pub(crate) fn awake_of(&self, user: UserId) -> Vec<SessionHandle> {
        let slots = self.slots();
        let awake = slots.values().filter_map(|slot| slot.get());
        awake.filter(|handle| handle.user == user).cloned().collect()
    }

    /// Connects a client. It first gets what it missed, then goes on live
    /// without a gap or a repetition.
    pub async fn join(
        &self,
        session: SessionHandle,
        start: Start,
    ) -> Result<(SessionHandle, Joined), OpenError> {
        let mut session = session;
        for _ in 0..WAKE_TRIES {
            if let Ok(joined) = session.join(start).await {
                return Ok((session, joined));
            }
            // It fell asleep between being found and being joined; it is woken up again.
            session = self.open(session.id, session.user).await?;
        }
        Err(OpenError::Stopping)
    }

    /// Deletes a chat of `user`, unless something in it is open. Whoever has it on the
    /// screen is told. The store decides in one step: a session that is awake can write
    /// nothing from then on, whatever it is at, and is sent home afterwards.
    pub async fn delete_thread(
        &self,
        user: UserId,
        thread: ThreadId,
    ) -> Result<Deleted, StoreError> {
        let now = self.house.clock.now();
        let line = Line::new(now, user, "session_deleted");
        let deleted = self.house.store.delete_thread(user, thread, now, line).await?;
        if let Deleted::Gone { sessions, .. } = &deleted {
            for session in sessions {
                let slot = self.slots().get(session).cloned();
                if let Some(awake) = slot.as_ref().and_then(|slot| slot.get()) {
                    awake.delete().await;
                }
            }
        }
        Ok(deleted)
    }

    /// Takes out sessions that somebody began so long ago and never used, but for those
    /// that are awake; how many that were.
    pub async fn forget_unused_sessions(&self, age: SignedDuration) -> Result<u64, StoreError> {
        let before = self.house.clock.now() - age;
        let mut gone = 0;
        loop {
            let awake = u32::try_from(self.awake()).unwrap_or(u32::MAX);
            let limit = SWEPT_AT_ONCE.saturating_add(awake);
            let mut unused = self.house.store.unused_since(before, limit).await?;
            unused.retain(|session| !self.slots().contains_key(session));
            let swept = self.house.store.forget_unused(unused).await?;
            gone += swept;
            // Whoever else wants to write is not kept waiting for long.
            if swept < u64::from(SWEPT_AT_ONCE) {
                return Ok(gone);
            }
        }
    }

    /// Cancelled once everything is to stop.
    pub fn stopping(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// Stops every session; returns when all have said goodbye.
    pub async fn close(&self) {
        self.tasks.close();
        self.stop.cancel();
        self.tasks.wait().await;
    }

    fn start(&self, who: Who, owned: store::Owned, memory: Memory, slot: &Slot) -> SessionHandle {
        let Who { session, user, temporary } = who;
        let house = Arc::clone(&self.house);
        let ended = self.house.ended.clone().filter(|_| temporary);
        let stop = self.stop.child_token();
        let (handle, task) = actor::start(house, session, user, owned, memory, stop);
        let awake = Awake::new(Arc::clone(&self.awake), session, Arc::clone(slot));
        let desk = Arc::clone(&self.house.desk);
        self.tasks.spawn(async move {
            task.await;
            desk.give_back(user, session);
            drop(awake);
            // Without anybody who takes them out they go at the next start.
            ended.map(|ended| ended.send(session));
        });
        handle
    }

    fn slot(&self, session: SessionId) -> Slot {
        Arc::clone(self.slots().entry(session).or_default())
    }

    /// Takes a slot out that nobody could fill, unless somebody else is still trying.
    fn forget_unused(&self, session: SessionId, slot: &Slot) {
        let mut slots = self.slots();
        let only_ours = slots.get(&session).is_some_and(|mine| Arc::ptr_eq(mine, slot))
            && Arc::strong_count(slot) == 2;
        if only_ours && slot.get().is_none() {
            slots.remove(&session);
        }
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<SessionId, Slot>> {
        self.awake.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a session as awake; when it is dropped, however its task ended, the
/// session is forgotten, unless another one stands in its place by now.
struct Awake {
    slots: Arc<Mutex<HashMap<SessionId, Slot>>>,
    session: SessionId,
    slot: Slot,
}

impl Awake {
    fn new(slots: Arc<Mutex<HashMap<SessionId, Slot>>>, session: SessionId, slot: Slot) -> Self {
        metrics::gauge!("sayso_sessions_awake").increment(1.0);
        Self { slots, session, slot }
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        metrics::gauge!("sayso_sessions_awake").decrement(1.0);
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.get(&self.session).is_some_and(|mine| Arc::ptr_eq(mine, &self.slot)) {
            slots.remove(&self.session);
        }
    }
}
