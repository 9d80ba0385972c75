//! What workers, sessions and tools share about jobs.
//!
//! The store knows everything; what stands here is what would be asked too often: who
//! is owed the end of a job. It is read from the store at the start.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::tools::Catalog;
use brain::job::Lane;
use brain::{CallId, Job, JobId, JobState, SessionId, TurnId, UserId};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{Held, Room, Store, StoreError};
use tokio::sync::Notify;

use super::kind::JobKind;
use super::tools;

/// Nobody waits for more at once.
const WORK: Room = Room { per_user: 8, overall: 10_000 };
const REMINDERS: Room = Room { per_user: 200, overall: 200_000 };
/// So many ends of jobs are told in one breath.
const AT_ONCE: usize = 5;

/// The kinds of work there are, and what is over and not told yet.
pub struct JobDesk {
    pub(crate) store: Arc<dyn Store>,
    kinds: BTreeMap<&'static str, Arc<dyn JobKind>>,
    /// Something can be taken up, or sooner than was thought.
    pub(crate) bell: Notify,
    /// Something is to be brought to a session.
    pub(crate) letters: Notify,
    owed: Mutex<Owed>,
}

#[derive(Default)]
struct Owed {
    /// Sessions whose log lacks the end of a job, and those jobs.
    returns: HashMap<SessionId, HashSet<JobId>>,
    /// What people have not heard of, and which session is about to tell it.
    news: HashMap<UserId, BTreeMap<JobId, (Job, Option<SessionId>)>>,
    /// To be brought there.
    letters: Vec<(SessionId, UserId)>,
}

/// What somebody wants done.
pub(crate) struct Order {
    pub id: JobId,
    pub user: UserId,
    pub session: SessionId,
    pub turn: TurnId,
    pub call: CallId,
    pub key: String,
    pub args: Value,
    pub now: Timestamp,
}

impl JobDesk {
    pub fn new(store: Arc<dyn Store>, kinds: Vec<Arc<dyn JobKind>>) -> Arc<Self> {
        Arc::new(Self {
            store,
            kinds: kinds.into_iter().map(|kind| (kind.name(), kind)).collect(),
            bell: Notify::new(),
            letters: Notify::new(),
            owed: Mutex::default(),
        })
    }

    /// The kinds as tools, and the tools that look after them.
    #[must_use]
    pub fn add_to(self: &Arc<Self>, catalog: Catalog) -> Catalog {
        tools::add_to(self, self.kinds.values(), catalog)
    }

    pub(crate) fn kind(&self, name: &str) -> Option<&Arc<dyn JobKind>> {
        self.kinds.get(name)
    }

    /// It goes on when its turn is over.
    pub(crate) fn is_long(&self, tool: &str) -> bool {
        self.kind(tool).is_some_and(|kind| kind.lane() == Lane::Work)
    }

    /// Puts it into the queue, held back until somebody is told of it.
    pub(crate) async fn hold(&self, kind: &dyn JobKind, order: Order) -> Result<Held, StoreError> {
        let Order { id, user, session, turn, call, key, args, now } = order;
        let lane = kind.lane();
        let job = Job {
            id,
            user,
            session,
            turn,
            call,
            key,
            kind: kind.name().to_owned(),
            called: kind.called(&args),
            lane,
            priority: kind.priority(),
            state: JobState::Held,
            wake_at: kind.due(&args).unwrap_or(now),
            lease: 0,
            failures: 0,
            checkpoint: Value::Null,
            progress: 0.0,
            message: kind.label(&args),
            result: None,
            error: None,
            created_at: now,
            ended_at: None,
            // A reminder was answered when it was set.
            returned: lane == Lane::Reminder,
            told: false,
            args,
        };
        let room = match lane {
            Lane::Work => WORK,
            Lane::Reminder => REMINDERS,
        };
        self.store.hold(job, room).await
    }

    /// Stops a job for its person and says how it stands then.
    pub async fn cancel(
        &self,
        user: UserId,
        job: JobId,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError> {
        let stopped = self.store.cancel_job(user, job, now).await?;
        if let Some(job) = &stopped {
            if job.state == JobState::Cancelled {
                metrics::counter!("sayso_jobs_ended_total", "outcome" => job.state.name())
                    .increment(1);
            }
            self.ended(job);
        }
        Ok(stopped)
    }

    /// Reads what is owed. Called once, at the start.
    pub(crate) async fn recall(&self) -> Result<(), StoreError> {
        for job in self.store.unsettled_jobs().await? {
            self.ended(&job);
        }
        Ok(())
    }

    /// It is over: its session is to write that down, its person is to hear of it.
    pub(crate) fn ended(&self, job: &Job) {
        {
            let mut owed = self.owed();
            if !job.returned {
                owed.returns.entry(job.session).or_default().insert(job.id);
            }
            if !job.told {
                let news = owed.news.entry(job.user).or_default();
                news.entry(job.id).or_insert_with(|| (job.clone(), None));
            }
            if job.is_open() && !owed.letters.contains(&(job.session, job.user)) {
                owed.letters.push((job.session, job.user));
            }
        }
        self.letters.notify_one();
    }

    /// What is to be brought, and to whom.
    pub(crate) fn take_letters(&self) -> Vec<(SessionId, UserId)> {
        std::mem::take(&mut self.owed().letters)
    }

    /// The log of this session lacks the end of a job.
    pub(crate) fn owes(&self, session: SessionId) -> bool {
        self.owed().returns.contains_key(&session)
    }

    pub(crate) fn returned(&self, session: SessionId, job: JobId) {
        let mut owed = self.owed();
        if let Some(jobs) = owed.returns.get_mut(&session) {
            jobs.remove(&job);
            if jobs.is_empty() {
                owed.returns.remove(&session);
            }
        }
    }

    /// The session is not there any more: nobody writes it down, and that is all right.
    pub(crate) fn forget(&self, session: SessionId) {
        self.owed().returns.remove(&session);
    }

    /// What `user` has not heard of, for `session` to tell; nobody else tells it then.
    pub(crate) fn take_news(&self, user: UserId, session: SessionId) -> Vec<Job> {
        let mut owed = self.owed();
        let Some(news) = owed.news.get_mut(&user) else { return Vec::new() };
        let free = news.values_mut().filter(|(_, by)| by.is_none_or(|by| by == session));
        let take = |(job, by): &mut (Job, Option<SessionId>)| {
            *by = Some(session);
            job.clone()
        };
        free.take(AT_ONCE).map(take).collect()
    }

    /// There is something that `session` could tell.
    pub(crate) fn has_news(&self, user: UserId, session: SessionId) -> bool {
        let owed = self.owed();
        let news = owed.news.get(&user).into_iter().flat_map(BTreeMap::values);
        news.into_iter().any(|(_, by)| by.is_none_or(|by| by == session))
    }

    pub(crate) fn told(&self, user: UserId, job: JobId) {
        let mut owed = self.owed();
        if let Some(news) = owed.news.get_mut(&user) {
            news.remove(&job);
            if news.is_empty() {
                owed.news.remove(&user);
            }
        }
    }

    /// The session cannot tell it after all; somebody else may.
    pub(crate) fn give_back(&self, user: UserId, session: SessionId) {
        let mut owed = self.owed();
        let news = owed.news.get_mut(&user).into_iter().flat_map(BTreeMap::values_mut);
        for (_, by) in news {
            *by = by.filter(|by| *by != session);
        }
    }

    fn owed(&self) -> MutexGuard<'_, Owed> {
        // Every change is complete before anything could panic.
        self.owed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job as people and programs see it.
pub fn shown(job: &Job) -> Value {
    let mut shown = json!({
        "job_id": job.id,
        "kind": job.kind,
        "called": job.called,
        "state": job.state,
        "progress": job.progress,
        "message": job.message,
        "session_id": job.session,
        "turn_id": job.turn,
        "created_at": job.created_at,
    });
    if job.lane == Lane::Reminder && !job.state.is_over() {
        shown["due_at"] = json!(job.wake_at);
    }
    for (name, value) in [
        ("ended_at", job.ended_at.map(|at| json!(at))),
        ("result", job.result.clone()),
        ("error", job.error.as_ref().map(|error| json!(error))),
    ] {
        if let Some(value) = value {
            shown[name] = value;
        }
    }
    shown
}
