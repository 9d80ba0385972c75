//! Finds the one task that owns a session, or makes it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use brain::{Envelope, SessionId, ThreadId, UserId};
use store::{NewSession, StoreError};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::actor;
use crate::clients::Joined;
use crate::handle::{Gone, SessionHandle};
use crate::house::House;

/// What a client can have missed at most.
const MOST_MISSED: usize = 10_000;
const PAGE: u32 = 500;

/// Every session that is awake on this node.
pub struct Registry {
    house: Arc<House>,
    awake: Arc<Mutex<HashMap<SessionId, Slot>>>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// Filled once, however many ask at the same time.
type Slot = Arc<OnceCell<SessionHandle>>;

/// Why a session could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// There is none, or it is somebody else's: the answer is the same.
    Unknown,
    Store(StoreError),
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
        let session = SessionId(self.house.ids.next());
        let thread = thread.unwrap_or_else(|| ThreadId(self.house.ids.next()));
        let new = NewSession {
            session,
            user,
            agent: self.house.agent.clone(),
            thread,
            created_at: self.house.clock.now(),
        };
        let owned = self.house.store.create(new).await.map_err(OpenError::Store)?;
        let slot = self.slot(session);
        let handle = self.start(session, user, owned, Vec::new(), &slot);
        Ok(slot.get_or_init(async || handle).await.clone())
    }

    /// Finds a session that exists; wakes it up if nobody owns it here.
    pub async fn open(&self, session: SessionId, user: UserId) -> Result<SessionHandle, OpenError> {
        let row = self.house.store.find(session).await.map_err(OpenError::Store)?;
        if row.is_none_or(|row| row.user != user) {
            return Err(OpenError::Unknown);
        }
        let slot = self.slot(session);
        let wake = async || {
            let store = &self.house.store;
            let owned = store.own(session).await.map_err(OpenError::Store)?;
            let owned = owned.ok_or(OpenError::Unknown)?;
            let left_open = store.open_turns(session).await.map_err(OpenError::Store)?;
            Ok(self.start(session, user, owned, left_open, &slot))
        };
        let handle = slot.get_or_try_init(wake).await.cloned();
        if handle.is_err() {
            self.forget(session, &slot);
        }
        handle
    }

    /// Connects a client. With `after` it first gets the kept events behind
    /// that number, then goes on live without a gap or a repetition.
    pub async fn join(
        &self,
        session: SessionHandle,
        after: Option<u64>,
    ) -> Result<(SessionHandle, Joined), OpenError> {
        let mut session = session;
        // It may fall asleep between being found and being joined; then it is woken up again.
        let mut joined = loop {
            match session.join().await {
                Ok(joined) => break joined,
                Err(Gone) => session = self.open(session.id, session.user).await?,
            }
        };
        if let Some(after) = after {
            joined.catch_up(self.missed(session.id, after).await.map_err(OpenError::Store)?);
        }
        Ok((session, joined))
    }

    async fn missed(&self, session: SessionId, after: u64) -> Result<Vec<Envelope>, StoreError> {
        let mut missed: Vec<Envelope> = Vec::new();
        while missed.len() < MOST_MISSED {
            let last = missed.last().and_then(|envelope| envelope.seq).unwrap_or(after);
            let page = self.house.store.read(session, last, PAGE).await?;
            let is_last_page = page.len() < PAGE as usize;
            missed.extend(page);
            if is_last_page {
                break;
            }
        }
        Ok(missed)
    }

    /// Stops every session; returns when all have said goodbye.
    pub async fn close(&self) {
        self.tasks.close();
        self.stop.cancel();
        self.tasks.wait().await;
    }

    fn start(
        &self,
        session: SessionId,
        user: UserId,
        owned: store::Owned,
        left_open: Vec<store::TurnRow>,
        slot: &Slot,
    ) -> SessionHandle {
        let house = Arc::clone(&self.house);
        let stop = self.stop.child_token();
        let (handle, task) = actor::start(house, session, user, owned, left_open, stop);
        let (awake, slot) = (Arc::clone(&self.awake), Arc::clone(slot));
        metrics::gauge!("sayso_sessions_awake").increment(1.0);
        self.tasks.spawn(async move {
            task.await;
            metrics::gauge!("sayso_sessions_awake").decrement(1.0);
            forget(&awake, session, &slot);
        });
        handle
    }

    fn slot(&self, session: SessionId) -> Slot {
        Arc::clone(self.slots().entry(session).or_default())
    }

    fn forget(&self, session: SessionId, slot: &Slot) {
        forget(&self.awake, session, slot);
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<SessionId, Slot>> {
        self.awake.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a slot out, unless another one stands in its place by now.
fn forget(awake: &Mutex<HashMap<SessionId, Slot>>, session: SessionId, slot: &Slot) {
    let mut awake = awake.lock().unwrap_or_else(PoisonError::into_inner);
    if awake.get(&session).is_some_and(|mine| Arc::ptr_eq(mine, slot)) {
        awake.remove(&session);
    }
}
