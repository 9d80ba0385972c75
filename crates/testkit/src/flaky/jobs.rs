//! Long work, in a store that can be told to fail.

use async_trait::async_trait;
use brain::job::News;
use brain::{Job, JobId, SessionId, UserId};
use jiff::Timestamp;
use store::{Held, Jobs, Room, StoreError};

use super::FlakyStore;

#[async_trait]
impl Jobs for FlakyStore {
    async fn hold(&self, job: Job, room: Room) -> Result<Held, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.hold(job, room).await
    }

    async fn take_up(&self, now: Timestamp, until: Timestamp) -> Result<Option<Job>, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.take_up(now, until).await
    }

    async fn next_job_at(&self) -> Result<Option<Timestamp>, StoreError> {
        self.inner.next_job_at().await
    }

    async fn report(
        &self,
        job: JobId,
        lease: u64,
        news: News,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.report(job, lease, news, now).await
    }

    async fn let_go(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.let_go(now).await
    }

    async fn cancel_job(
        &self,
        user: UserId,
        job: JobId,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError> {
        self.has_room()?;
        let _stopped = self.stop_time();
        self.inner.cancel_job(user, job, now).await
    }

    async fn job(&self, user: UserId, job: JobId) -> Result<Option<Job>, StoreError> {
        self.inner.job(user, job).await
    }

    async fn open_jobs(&self, user: UserId) -> Result<Vec<Job>, StoreError> {
        self.inner.open_jobs(user).await
    }

    async fn jobs(&self, user: Option<UserId>, limit: u32) -> Result<Vec<Job>, StoreError> {
        self.inner.jobs(user, limit).await
    }

    async fn unreturned_jobs(&self, session: SessionId) -> Result<Vec<Job>, StoreError> {
        self.inner.unreturned_jobs(session).await
    }

    async fn unsettled_jobs(&self) -> Result<Vec<Job>, StoreError> {
        self.inner.unsettled_jobs().await
    }
}
