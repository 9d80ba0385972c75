//! Reads what people handed over, beside everything else.
//!
//! A file is read once, by a child that may do nothing but compute ([`child`]), at
//! most two at a time; what it found lies beside the file, so that questions about
//! it are quick. Whatever happens to the child is a sentence, never our end.

pub mod child;
mod confine;
mod errand;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use brain::paper::{Paper, Reading};
use brain::{FileId, UserId};
use store::{FileRow, Store, StoreError};
use tokio::sync::{Semaphore, watch};
use tools::attachment::{Opened, Papers};

use crate::uploads::Uploads;

/// Children at the same time; each may use a processor and 256 MiB.
const AT_ONCE: usize = 2;
/// So long a question waits for a file that is being read.
const PATIENCE: Duration = Duration::from_secs(10);
const NOT_YET: &str = "I'm still reading that file. Ask me again in a moment.";
const OUR_FAULT: &str = "I couldn't keep what I read in that file. Ask me again in a moment.";

/// Sends a child out to read nothing, and says why it could not go.
pub async fn try_child() -> Result<(), String> {
    errand::try_out(&errand::ourselves()).await
}

/// Whoever reads files. Cheap to clone.
#[derive(Clone)]
pub struct Reader {
    store: Arc<dyn Store>,
    uploads: Arc<Uploads>,
    /// What is started to read a file: ourselves.
    program: PathBuf,
    places: Arc<Semaphore>,
    /// How many were read by now; whoever waits for one looks again.
    done: watch::Sender<u64>,
}

impl Reader {
    pub fn new(store: Arc<dyn Store>, uploads: Arc<Uploads>) -> Self {
        let (done, _) = watch::channel(0);
        let places = Arc::new(Semaphore::new(AT_ONCE));
        Self { store, uploads, program: errand::ourselves(), places, done }
    }

    /// Goes on with what was not read to its end when we last stopped.
    pub async fn pick_up(&self) -> Result<usize, StoreError> {
        let unread = self.store.unread_files().await?;
        let count = unread.len();
        for row in unread {
            self.begin(row);
        }
        Ok(count)
    }

    /// Reads a file as soon as there is a place for it. Nobody has to wait.
    pub fn begin(&self, row: FileRow) {
        let reader = self.clone();
        tokio::spawn(async move { reader.read(row).await });
    }

    async fn read(&self, row: FileRow) {
        // Nobody closes it; if somebody did, the file is read at the next start.
        let Ok(_place) = self.places.acquire().await else { return };
        let started = std::time::Instant::now();
        let read = match self.uploads.open_file(row.file).await {
            Ok(file) => errand::run(&self.program, file, &row.media_type).await,
            // It was taken back before anybody came to it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => {
                tracing::error!(%error, file_id = %row.file, "a file cannot be opened");
                return;
            }
        };
        let took = started.elapsed();
        let reading = match read {
            Ok(paper) => match self.uploads.keep_paper(row.file, &paper).await {
                Ok(()) => Reading::Ready,
                Err(error) => {
                    tracing::error!(%error, file_id = %row.file, "what was read cannot be kept");
                    Reading::Failed(OUR_FAULT.to_owned())
                }
            },
            Err(problem) => Reading::Failed(problem),
        };
        let outcome = reading.name();
        metrics::histogram!("sayso_attachment_read_seconds", "outcome" => outcome)
            .record(took.as_secs_f64());
        tracing::info!(
            file_id = %row.file, media_type = %row.media_type, bytes = row.bytes, outcome,
            took_ms = took.as_millis(), "read a file"
        );
        match self.store.set_reading(row.file, reading).await {
            Ok(true) => {}
            // It was taken back meanwhile, and so is what was read in it.
            Ok(false) => self.uploads.forget_papers(&[row.file]).await,
            Err(error) => tracing::error!(%error, file_id = %row.file, "a file stays unread"),
        }
        self.done.send_modify(|done| *done += 1);
    }

    /// The file once somebody has read it, or as it is when patience ends.
    async fn settled(&self, user: UserId, file: FileId) -> Result<Option<FileRow>, StoreError> {
        let mut done = self.done.subscribe();
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let row = self.store.file(user, file).await?;
            if row.as_ref().is_none_or(|row| row.reading != Reading::Parsing) {
                return Ok(row);
            }
            if tokio::time::timeout_at(deadline, done.changed()).await.is_err() {
                return Ok(row);
            }
        }
    }

    /// What was read in it. What is lost is read again.
    async fn paper(&self, row: FileRow) -> Result<Paper, String> {
        match self.uploads.paper(row.file).await {
            Ok(paper) => Ok(paper),
            Err(error) => {
                tracing::warn!(%error, file_id = %row.file, "what was read is lost; reading again");
                let again = self.store.set_reading(row.file, Reading::Parsing).await;
                if again == Ok(true) {
                    self.begin(row);
                }
                Err(NOT_YET.to_owned())
            }
        }
    }
}

#[async_trait]
impl Papers for Reader {
    async fn open(
        &self,
        user: UserId,
        file: FileId,
    ) -> Result<Option<Opened>, Box<dyn std::error::Error + Send + Sync>> {
        let Some(row) = self.settled(user, file).await? else { return Ok(None) };
        let attached = row.attached();
        let paper = match row.reading.clone() {
            Reading::Ready => self.paper(row).await,
            Reading::Parsing => Err(NOT_YET.to_owned()),
            Reading::Failed(problem) => Err(problem),
        };
        Ok(Some(Opened { file: attached, paper }))
    }
}
