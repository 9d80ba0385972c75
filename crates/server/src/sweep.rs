//! Takes out what is not to be kept: temporary chats that have ended, what was deleted
//! and not cleared away yet, and what is older than the settings allow.
//!
//! Everything is done in small pieces with a pause in between, so that nobody who
//! speaks meanwhile notices.

use std::sync::Arc;
use std::time::Duration;

use brain::audit::Line;
use brain::{FileId, SessionId, UserId};
use jiff::{SignedDuration, Timestamp};
use store::{Deleted, Store, StoreError};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tools::Personal;

use crate::config::Retention;
use crate::doors::LOCAL_USER;
use crate::uploads::Uploads;

/// Between two pieces.
const BREATH: Duration = Duration::from_millis(5);
/// A temporary chat in which a write is not settled is looked at again after this.
const LATER: Duration = Duration::from_secs(5);

/// Who takes things out.
pub struct Sweeper {
    store: Arc<dyn Store>,
    uploads: Arc<Uploads>,
    personal: Personal,
    retention: Retention,
    /// Temporary chats that have ended, but for a write that is not settled.
    unsettled: Vec<SessionId>,
    /// Some have ended since the start.
    has_ended: bool,
}

impl Sweeper {
    pub fn new(
        store: Arc<dyn Store>,
        uploads: Arc<Uploads>,
        personal: Personal,
        retention: Retention,
    ) -> Self {
        Self { store, uploads, personal, retention, unsettled: Vec::new(), has_ended: false }
    }

    /// What a crash left: temporary chats, and chats that were half cleared away. Those
    /// in which something was agreed to are brought to their end first.
    pub async fn after_the_start(&mut self) -> Result<(), StoreError> {
        let left = self.store.temporary_sessions().await?;
        let mut has_cleared = !left.is_empty();
        for (session, _) in left {
            self.end(session).await?;
        }
        while self.store.clear_away().await? {
            has_cleared = true;
        }
        self.pauses().await?;
        if has_cleared { self.store.scrub().await } else { Ok(()) }
    }

    /// That memory stayed out of a chat goes with the chat, however it went.
    async fn pauses(&self) -> Result<(), StoreError> {
        let unknown = |error| {
            tracing::warn!(%error, "it is not known which chats memory stays out of");
            Vec::new()
        };
        for (user, session) in self.personal.paused_chats().await.unwrap_or_else(unknown) {
            if self.store.find(session).await?.is_none() {
                self.forget_pause(user, session).await;
            }
        }
        Ok(())
    }

    async fn forget_pause(&self, user: UserId, session: SessionId) {
        let now = Timestamp::now().as_millisecond();
        if let Err(error) = self.personal.pause_memory(user, session, false, now).await {
            tracing::warn!(%error, "that memory was paused in an ended chat could not be forgotten");
        }
    }

    /// Runs beside the conversations. When it is stopped, whatever has ended by then is
    /// still taken out.
    pub fn start(
        mut self,
        mut ended: mpsc::UnboundedReceiver<SessionId>,
        stop: CancellationToken,
    ) -> JoinHandle<()> {
        tokio::spawn(async move {
            let minutes = self.retention.sweep_minutes.max(1);
            let mut clock = tokio::time::interval(Duration::from_secs(60 * u64::from(minutes)));
            let mut again = tokio::time::interval(LATER);
            loop {
                let done = tokio::select! {
                    session = ended.recv() => match session {
                        Some(session) => {
                            self.has_ended = true;
                            self.end(session).await
                        }
                        None => break,
                    },
                    _ = clock.tick() => self.sweep(&stop).await,
                    _ = again.tick(), if !self.unsettled.is_empty() => self.end_unsettled().await,
                    () = stop.cancelled() => break,
                };
                told(done);
            }
            while let Ok(session) = ended.try_recv() {
                told(self.end(session).await);
                self.has_ended = true;
            }
            if self.has_ended {
                // Nobody is left to do it later.
                told(self.store.scrub().await);
            }
        })
    }

    async fn end(&mut self, session: SessionId) -> Result<(), StoreError> {
        let row = self.store.find(session).await?;
        let Some(user) = row.map(|row| row.user) else { return Ok(()) };
        // That memory stayed out of it is nothing to keep either.
        self.forget_pause(user, session).await;
        let line = Line::new(Timestamp::now(), user, "temporary_ended");
        match self.store.end_temporary(session, line).await? {
            Deleted::Gone { files, .. } => self.uploads.forget(&files).await,
            Deleted::WriteOpen => self.unsettled.push(session),
            Deleted::Unknown | Deleted::CardOpen => {}
        }
        Ok(())
    }

    async fn end_unsettled(&mut self) -> Result<(), StoreError> {
        for session in std::mem::take(&mut self.unsettled) {
            self.end(session).await?;
        }
        Ok(())
    }

    /// Looks for what is too old, once.
    async fn sweep(&self, stop: &CancellationToken) -> Result<(), StoreError> {
        let Retention { messages_days, files_days, audit_days, .. } = self.retention;
        let mut swept = 0;
        if let Some(before) = ago(messages_days) {
            swept += self.messages(before, stop).await?;
        }
        if let Some(before) = ago(files_days) {
            swept += self.files(before).await?;
        }
        if let Some(before) = ago(audit_days) {
            let line = Line::new(Timestamp::now(), LOCAL_USER, "audit_cut");
            while !stop.is_cancelled() {
                let cut = self.store.cut_audit(before, line.clone()).await?;
                swept += cut;
                count("audit", cut);
                // A whole piece is seldom the last.
                if cut < store::PIECE as u64 {
                    break;
                }
                tokio::time::sleep(BREATH).await;
            }
        }
        self.pauses().await?;
        if swept > 0 {
            self.store.scrub().await?;
        }
        Ok(())
    }

    async fn messages(
        &self,
        before: Timestamp,
        stop: &CancellationToken,
    ) -> Result<u64, StoreError> {
        let mut from = Some(0);
        let mut pieces = 0;
        while let Some(place) = from.filter(|_| !stop.is_cancelled()) {
            from = self.store.expire_turns(before, place).await?;
            pieces += 1;
            tokio::time::sleep(BREATH).await;
        }
        let line = Line::new(Timestamp::now(), LOCAL_USER, "session_expired");
        while self.store.expire_sessions(before, line.clone()).await? && !stop.is_cancelled() {
            tokio::time::sleep(BREATH).await;
        }
        while self.store.clear_away().await? && !stop.is_cancelled() {
            tokio::time::sleep(BREATH).await;
        }
        count("messages", pieces);
        Ok(pieces)
    }

    async fn files(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut swept = 0;
        loop {
            let files: Vec<FileId> = self.store.expire_files(before).await?;
            if files.is_empty() {
                count("files", swept);
                return Ok(swept);
            }
            swept += files.len() as u64;
            self.uploads.forget(&files).await;
        }
    }
}

/// The moment before which things are too old, if they ever are.
fn ago(days: u32) -> Option<Timestamp> {
    let age = SignedDuration::from_hours(24 * i64::from(days));
    (days > 0).then(|| Timestamp::now() - age)
}

fn count(what: &'static str, swept: u64) {
    metrics::counter!("sayso_swept_total", "what" => what).increment(swept);
}

fn told(done: Result<(), StoreError>) {
    if let Err(error) = done {
        // The next time may go better; nothing is lost by waiting.
        tracing::warn!(%error, "what is too old could not be taken out");
    }
}
