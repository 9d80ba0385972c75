//! Those who do the work: each takes a job up, renews its lease, and writes down
//! after every step how far it is. Whoever lost the lease stops at once; whoever
//! comes next goes on from the last step that was written down.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use brain::job::News;
use brain::{CallError, Job, SessionId, UserId};
use futures_util::FutureExt;
use jiff::{SignedDuration, Timestamp};
use store::StoreError;
use tools::Place;

use super::kind::{Help, Step};
use crate::house::House;
use crate::peril::{Moment, Side};
use crate::present::refused;
use crate::registry::{OpenError, Registry};

/// Jobs that are worked on at the same time. Most of them wait: for a mailbox, or for
/// the child that reads a file.
const WORKERS: usize = 4;
/// Whoever has not been heard of for so long has lost the job.
const LEASE: SignedDuration = SignedDuration::from_secs(30);
/// It is renewed in good time.
const RENEW: Duration = Duration::from_secs(10);
/// A step that takes longer is not worth waiting for.
const LONGEST_STEP: Duration = Duration::from_mins(2);
/// Pauses before the next try of a step that failed; then the job has.
const BACK_OFF: [SignedDuration; 4] = [
    SignedDuration::from_secs(2),
    SignedDuration::from_secs(15),
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(5),
];
/// Nobody rings for what another process put into the store.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// So long somebody may take to let go when the server stops.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// After the disk failed.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Hires everybody who is needed. What a former process left is anybody's: it is
/// gone, and if it were not, its leases would be worth nothing.
pub(crate) async fn employ(registry: &Registry) -> Result<(), StoreError> {
    let house = registry.house();
    if let Err(error) = house.store.let_go(house.clock.now()).await {
        // They end by themselves.
        tracing::error!(%error, "leases of a former process cannot be ended");
    }
    house.desk.recall().await?;
    for _ in 0..WORKERS {
        registry.spawn(until_sent_home(registry.clone(), work(registry.clone())));
    }
    registry.spawn(until_sent_home(registry.clone(), carry(registry.clone())));
    Ok(())
}

/// When the server stops there is a moment to let go of what one has.
async fn until_sent_home(registry: Registry, work: impl Future<Output = ()>) {
    let sent_home = async {
        registry.stopping().cancelled().await;
        tokio::time::sleep(LAST_WORDS).await;
    };
    tokio::select! {
        () = work => {}
        () = sent_home => {}
    }
}

async fn work(registry: Registry) {
    let stop = registry.stopping();
    while !stop.is_cancelled() {
        let desk = Arc::clone(&registry.house().desk);
        let mut bell = pin!(desk.bell.notified());
        bell.as_mut().enable();
        match take_up(registry.house()).await {
            Ok(Some(job)) => {
                // Somebody else may find more.
                desk.bell.notify_waiters();
                Worker { registry: &registry, house: registry.house() }.run(job).await;
            }
            Ok(None) => {
                let wait = until_next(registry.house()).await;
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = bell => {}
                    () = tokio::time::sleep(wait) => {}
                }
            }
            Err(error) => {
                tracing::error!(%error, "no job can be taken up");
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = tokio::time::sleep(TRY_AGAIN) => {}
                }
            }
        }
    }
}

async fn take_up(house: &House) -> Result<Option<Job>, StoreError> {
    let now = house.clock.now();
    if house.store.next_job_at().await?.is_none_or(|at| at > now) {
        return Ok(None);
    }
    house.peril.pass(Moment::JobTaken, Side::Before).await;
    let taken = house.store.take_up(now, later(now, LEASE)).await?;
    house.peril.pass(Moment::JobTaken, Side::After).await;
    Ok(taken)
}

async fn until_next(house: &House) -> Duration {
    let next = house.store.next_job_at().await.ok().flatten();
    let wait = next.map(|at| at.duration_since(house.clock.now()));
    let wait = wait.map_or(LOOK_AGAIN, |wait| Duration::try_from(wait).unwrap_or_default());
    wait.min(LOOK_AGAIN)
}

fn later(now: Timestamp, by: SignedDuration) -> Timestamp {
    now.saturating_add(by).unwrap_or(now)
}

struct Worker<'a> {
    registry: &'a Registry,
    house: &'a Arc<House>,
}

impl Worker<'_> {
    /// Goes on until the job is over, put off, or somebody else's.
    async fn run(&self, mut job: Job) {
        metrics::counter!("sayso_jobs_taken_total", "kind" => job.kind.clone()).increment(1);
        let stop = self.registry.stopping();
        loop {
            let news = tokio::select! {
                biased;
                () = stop.cancelled() => Some(News::LetGo),
                news = self.step(&job) => news,
            };
            let Some(news) = news else { return };
            let Some(next) = self.report(&job, news).await else { return };
            job = next;
            match job.state {
                brain::JobState::Running => self.registry.progressed(&job),
                state if state.is_over() => {
                    metrics::counter!("sayso_jobs_ended_total", "outcome" => state.name())
                        .increment(1);
                    tracing::info!(job_id = %job.id, kind = job.kind, state = state.name(), "job");
                    return self.house.desk.ended(&job);
                }
                _ => return,
            }
        }
    }

    /// One step; none where the lease was lost meanwhile.
    async fn step(&self, job: &Job) -> Option<News> {
        let Some(kind) = self.house.desk.kind(&job.kind) else {
            let gone = format!("there is no {} any more", job.kind);
            return Some(News::Failed(refused("unknown_job", gone)));
        };
        let place = Place { session: job.session, turn: job.turn };
        let help = Help { house: Arc::clone(self.house), user: job.user, place };
        self.house.peril.pass(Moment::JobStepping, Side::Before).await;
        let step = AssertUnwindSafe(kind.step(&job.args, &job.checkpoint, &help)).catch_unwind();
        let mut step = pin!(tokio::time::timeout(LONGEST_STEP, step));
        let stepped = loop {
            tokio::select! {
                biased;
                stepped = &mut step => break stepped,
                () = tokio::time::sleep(RENEW) => {
                    let until = later(self.house.clock.now(), LEASE);
                    self.report(job, News::StillAtIt { until }).await?;
                }
            }
        };
        self.house.peril.pass(Moment::JobStepping, Side::After).await;
        let now = self.house.clock.now();
        Some(match stepped {
            Ok(Ok(Ok(Step::More { checkpoint, progress, message }))) => {
                News::Went { checkpoint, progress, message, until: later(now, LEASE) }
            }
            Ok(Ok(Ok(Step::Done(result)))) => News::Done(result),
            Ok(Ok(Err(error))) => put_off(job, error, now),
            Ok(Err(_)) => {
                tracing::error!(job_id = %job.id, kind = job.kind, "a step of a job panicked");
                News::Failed(refused("internal_error", "the step broke off".to_owned()))
            }
            Err(_) => put_off(job, slow(), now),
        })
    }

    /// Writes down what became of it; none where it is somebody else's by now. While
    /// the disk cannot take it, nothing else can be done either.
    async fn report(&self, job: &Job, news: News) -> Option<Job> {
        let moment = match news {
            News::Done(_) | News::Failed(_) => Moment::JobOver,
            News::StillAtIt { .. } | News::Went { .. } | News::PutOff { .. } | News::LetGo => {
                Moment::JobKept
            }
        };
        let stop = self.registry.stopping();
        self.house.peril.pass(moment, Side::Before).await;
        loop {
            let now = self.house.clock.now();
            match self.house.store.report(job.id, job.lease, news.clone(), now).await {
                Ok(next) => {
                    self.house.peril.pass(moment, Side::After).await;
                    return next;
                }
                Err(error) => tracing::error!(job_id = %job.id, %error, "a job is not kept"),
            }
            tokio::select! {
                () = stop.cancelled() => return None,
                () = tokio::time::sleep(TRY_AGAIN) => {}
            }
        }
    }
}

fn put_off(job: &Job, error: CallError, now: Timestamp) -> News {
    let pause = BACK_OFF.get(job.failures as usize).filter(|_| error.retryable);
    pause.map_or(News::Failed(error), |pause| News::PutOff { again_at: later(now, *pause) })
}

fn slow() -> CallError {
    let message = "a step took too long".to_owned();
    CallError { code: "timeout".into(), message, retryable: true }
}

/// Brings the ends of jobs to their sessions and their people.
async fn carry(registry: Registry) {
    let (stop, desk) = (registry.stopping(), Arc::clone(&registry.house().desk));
    while !stop.is_cancelled() {
        for (session, user) in desk.take_letters() {
            bring(&registry, session, user).await;
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = desk.letters.notified() => {}
        }
    }
}

/// Its own session writes it down; whoever has somebody who listens tells it, that
/// session first.
async fn bring(registry: &Registry, session: SessionId, user: UserId) {
    let desk = &registry.house().desk;
    if desk.owes(session) {
        match registry.open(session, user).await {
            Ok(handle) => handle.jobs_ended().await,
            Err(OpenError::Unknown) => desk.forget(session),
            // It is woken for it at the next start, at the latest.
            Err(error) => tracing::error!(session_id = %session, ?error, "a job cannot be told"),
        }
    }
    let mut listeners = registry.awake_of(user);
    listeners.sort_by_key(|handle| handle.id != session);
    for handle in listeners {
        if handle.has_news().await {
            return;
        }
    }
}
