//! Work that goes on while people talk on.

use std::collections::BTreeMap;

use async_trait::async_trait;
use brain::job::{Lane, News};
use brain::{Job, JobId, JobState, SessionId, UserId};
use jiff::Timestamp;

use super::{Kept, MemoryStore};
use crate::{HELD_FOR, Held, JOBS_KEPT, JobMark, Jobs, Room, StoreError, rules};

impl Kept {
    /// Jobs as they are after what a batch says of them. Changes nothing.
    pub(super) fn marked(
        &self,
        owner: SessionId,
        marks: &[JobMark],
    ) -> Result<BTreeMap<JobId, Job>, StoreError> {
        let mut changed = BTreeMap::new();
        for mark in marks {
            let known = changed.get(&mark.job()).or_else(|| self.jobs.get(&mark.job()));
            let job = rules::marked(owner, known, *mark)?;
            changed.insert(job.id, job);
        }
        Ok(changed)
    }

    /// What goes with a session: its work. Reminders are their person's.
    pub(super) fn take_out_jobs(&mut self, session: SessionId) {
        self.jobs.retain(|_, job| job.session != session || job.lane == Lane::Reminder);
    }

    fn tidy(&mut self, user: UserId, now: Timestamp) {
        let gone = |job: &Job| job.state == JobState::Held && job.created_at + HELD_FOR <= now;
        self.jobs.retain(|_, job| !gone(job));
        let over = self.jobs.values().filter(|job| job.user == user && !job.is_open());
        let mut over: Vec<_> = over.map(|job| (job.created_at, job.id)).collect();
        over.sort_unstable();
        over.truncate(over.len().saturating_sub(JOBS_KEPT));
        for (_, job) in over {
            self.jobs.remove(&job);
        }
    }
}

fn by_age(mut jobs: Vec<Job>) -> Vec<Job> {
    jobs.sort_by_key(|job| (job.created_at, job.id));
    jobs
}

#[async_trait]
impl Jobs for MemoryStore {
    async fn hold(&self, job: Job, room: Room) -> Result<Held, StoreError> {
        let mut kept = self.kept();
        kept.tidy(job.user, job.created_at);
        if let Some(same) = kept.jobs.values().find(|other| other.key == job.key) {
            return Ok(Held::Kept(same.id));
        }
        let open =
            kept.jobs.values().filter(|other| other.lane == job.lane && !other.state.is_over());
        let (mut of_user, mut of_all) = (0, 0);
        for other in open {
            of_all += 1;
            of_user += usize::from(other.user == job.user);
        }
        if let Some(full) = rules::has_room(room, of_user, of_all) {
            return Ok(full);
        }
        let id = job.id;
        kept.jobs.insert(id, job);
        Ok(Held::Kept(id))
    }

    async fn take_up(&self, now: Timestamp, until: Timestamp) -> Result<Option<Job>, StoreError> {
        let mut kept = self.kept();
        let due = kept.jobs.values().filter(|job| job.is_due(now));
        let first = due.min_by_key(|job| (std::cmp::Reverse(job.priority), job.wake_at, job.id));
        let Some(taken) = first.map(|job| job.taken_up(until)) else { return Ok(None) };
        kept.jobs.insert(taken.id, taken.clone());
        Ok(Some(taken))
    }

    async fn next_job_at(&self) -> Result<Option<Timestamp>, StoreError> {
        let kept = self.kept();
        let waits = |job: &&Job| matches!(job.state, JobState::Queued | JobState::Running);
        Ok(kept.jobs.values().filter(waits).map(|job| job.wake_at).min())
    }

    async fn report(
        &self,
        job: JobId,
        lease: u64,
        news: News,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError> {
        let mut kept = self.kept();
        let Some(known) = kept.jobs.get(&job) else { return Ok(None) };
        let Ok(next) = known.learn(lease, news, now) else { return Ok(None) };
        kept.jobs.insert(job, next.clone());
        Ok(Some(next))
    }

    async fn let_go(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut kept = self.kept();
        let running = kept.jobs.values_mut().filter(|job| job.state == JobState::Running);
        let mut many = 0;
        for job in running {
            (job.state, job.wake_at) = (JobState::Queued, now);
            many += 1;
        }
        Ok(many)
    }

    async fn cancel_job(
        &self,
        user: UserId,
        job: JobId,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError> {
        let mut kept = self.kept();
        let Some(known) = kept.jobs.get(&job).filter(|known| known.user == user) else {
            return Ok(None);
        };
        let next = known.cancelled(now).unwrap_or_else(|| known.clone());
        kept.jobs.insert(job, next.clone());
        Ok(Some(next))
    }

    async fn job(&self, user: UserId, job: JobId) -> Result<Option<Job>, StoreError> {
        Ok(self.kept().jobs.get(&job).filter(|known| known.user == user).cloned())
    }

    async fn open_jobs(&self, user: UserId) -> Result<Vec<Job>, StoreError> {
        let kept = self.kept();
        let open = kept.jobs.values().filter(|job| job.user == user && !job.state.is_over());
        Ok(by_age(open.cloned().collect()))
    }

    async fn jobs(&self, user: Option<UserId>, limit: u32) -> Result<Vec<Job>, StoreError> {
        let kept = self.kept();
        let theirs = kept.jobs.values().filter(|job| user.is_none_or(|user| job.user == user));
        let mut jobs = by_age(theirs.cloned().collect());
        jobs.reverse();
        jobs.truncate(limit as usize);
        Ok(jobs)
    }

    async fn unreturned_jobs(&self, session: SessionId) -> Result<Vec<Job>, StoreError> {
        let kept = self.kept();
        let of_session = kept.jobs.values().filter(|job| job.session == session);
        let over = of_session.filter(|job| job.state.is_over() && !job.returned);
        Ok(by_age(over.cloned().collect()))
    }

    async fn unsettled_jobs(&self) -> Result<Vec<Job>, StoreError> {
        let kept = self.kept();
        let over = kept.jobs.values().filter(|job| job.state.is_over() && job.is_open());
        Ok(by_age(over.cloned().collect()))
    }
}
