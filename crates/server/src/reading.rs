//! Reads what people handed over, beside everything else.
//!
//! A file is read once, by a child that may do nothing but compute ([`child`]), at
//! most two at a time; what it found lies beside the file, so that questions about
//! it are quick. Whatever happens to the child is a sentence, never our end.

pub mod child;
mod confine;
mod errand;
mod through;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use brain::paper::{Paper, Reading};
use brain::{FileId, UserId};
use store::{FileRow, Store, StoreError};
use tokio::sync::{Semaphore, watch};
use tools::attachment::{Opened, Papers, Unread};

pub use self::through::ReadThrough;
use crate::uploads::Uploads;

/// Children at the same time; each may use a processor and 256 MiB.
const AT_ONCE: usize = 2;
/// So long a question waits for a file that is being read; then it is a job.
const PATIENCE: Duration = Duration::from_secs(8);
/// Of those, one person's.
const SHARE: usize = 1;
/// What we could not read is tried again after these, before we give up on it for now.
const PAUSES: [Duration; 3] = [Duration::ZERO, Duration::from_millis(500), Duration::from_secs(2)];
const NOT_OPENED: &str = "I can't get at that file right now. Ask me again in a moment.";
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
    desk: Arc<Mutex<Desk>>,
    /// How many were read by now; whoever waits for one looks again.
    done: watch::Sender<u64>,
}

/// What is lying around while files are read.
#[derive(Default)]
struct Desk {
    /// Files that somebody is at, or waits with, and how much of each is done, in percent.
    at_work: HashMap<FileId, u8>,
    /// Files that we could not read, and what we told their person. They are not done.
    troubles: HashMap<FileId, String>,
    /// One place a person, so that nobody's pile keeps others from theirs.
    shares: HashMap<UserId, Arc<Semaphore>>,
}

impl Reader {
    pub fn new(store: Arc<dyn Store>, uploads: Arc<Uploads>) -> Self {
        let (done, _) = watch::channel(0);
        let places = Arc::new(Semaphore::new(AT_ONCE));
        let desk = Arc::default();
        Self { store, uploads, program: errand::ourselves(), places, desk, done }
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

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a file as soon as there is a place for it. Nobody has to wait, and nobody
    /// reads what somebody else is at.
    pub fn begin(&self, row: FileRow) {
        let mut desk = self.desk();
        if desk.at_work.contains_key(&row.file) {
            return;
        }
        desk.at_work.insert(row.file, 0);
        desk.troubles.remove(&row.file);
        let share = desk.shares.entry(row.user).or_insert_with(|| Arc::new(Semaphore::new(SHARE)));
        let share = Arc::clone(share);
        let reader = self.clone();
        tokio::spawn(async move { reader.read(row, share).await });
    }

    async fn read(&self, row: FileRow, share: Arc<Semaphore>) {
        let trouble = self.try_again(&row, &share).await;
        drop(share);
        let mut desk = self.desk();
        desk.at_work.remove(&row.file);
        if desk.shares.get(&row.user).is_some_and(|share| Arc::strong_count(share) == 1) {
            desk.shares.remove(&row.user);
        }
        desk.troubles.extend(trouble.map(|told| (row.file, told)));
        drop(desk);
        self.done.send_modify(|done| *done += 1);
    }

    /// Reads it, more than once where it is not the file's fault. What is still not
    /// read then is read when somebody asks for it, or at the next start.
    async fn try_again(&self, row: &FileRow, share: &Semaphore) -> Option<String> {
        let mut trouble = None;
        for pause in PAUSES {
            tokio::time::sleep(pause).await;
            match self.read_once(row, share).await {
                Ok(()) => return None,
                Err(told) => trouble = Some(told),
            }
        }
        trouble
    }

    /// The sentence is about what is wrong with us, not with the file.
    async fn read_once(&self, row: &FileRow, share: &Semaphore) -> Result<(), String> {
        // Nobody closes them; if somebody did, the file is read at the next start.
        let Ok(_share) = share.acquire().await else { return Ok(()) };
        let Ok(_place) = self.places.acquire().await else { return Ok(()) };
        #[cfg(feature = "perils")]
        crate::perils::hold("reading").await;
        let started = std::time::Instant::now();
        let done = |percent: u8| {
            if let Some(known) = self.desk().at_work.get_mut(&row.file) {
                *known = percent.max(*known);
            }
        };
        let read = match self.uploads.open_file(row.file).await {
            Ok(file) => errand::run(&self.program, file, &row.media_type, done).await,
            // It was taken back before anybody came to it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                tracing::error!(%error, file_id = %row.file, "a file cannot be opened");
                Err(errand::Unread::Ours(NOT_OPENED.to_owned()))
            }
        };
        let took = started.elapsed();
        let reading = match read {
            Ok(paper) => match self.uploads.keep_paper(row.file, &paper).await {
                Ok(()) => Ok(Reading::Ready),
                Err(error) => {
                    tracing::error!(%error, file_id = %row.file, "what was read cannot be kept");
                    Err(OUR_FAULT.to_owned())
                }
            },
            Err(errand::Unread::File(problem)) => Ok(Reading::Failed(problem)),
            Err(errand::Unread::Ours(problem)) => Err(problem),
        };
        let outcome = reading.as_ref().map_or("not_read", Reading::name);
        metrics::histogram!("sayso_attachment_read_seconds", "outcome" => outcome)
            .record(took.as_secs_f64());
        tracing::info!(
            file_id = %row.file, media_type = %row.media_type, bytes = row.bytes, outcome,
            took_ms = took.as_millis(), "read a file"
        );
        match self.store.set_reading(row.file, reading?).await {
            Ok(true) => Ok(()),
            // It was taken back meanwhile, and so is what was read in it.
            Ok(false) => {
                self.uploads.forget_papers(&[row.file]).await;
                Ok(())
            }
            Err(error) => {
                tracing::error!(%error, file_id = %row.file, "a file stays unread");
                Err(OUR_FAULT.to_owned())
            }
        }
    }

    /// The file once somebody has read it, or as it is when patience ends.
    async fn settled(
        &self,
        user: UserId,
        file: FileId,
        patience: Duration,
    ) -> Result<Option<FileRow>, StoreError> {
        let mut done = self.done.subscribe();
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            // Asked before the row is looked at: whoever is done has written it down.
            let is_given_up = !self.desk().at_work.contains_key(&file);
            let row = self.store.file(user, file).await?;
            if is_given_up || row.as_ref().is_none_or(|row| row.reading != Reading::Parsing) {
                return Ok(row);
            }
            if tokio::time::timeout_at(deadline, done.changed()).await.is_err() {
                return Ok(row);
            }
        }
    }

    /// What was read in it. What is lost is read again.
    async fn paper(&self, row: FileRow) -> Result<Paper, Unread> {
        match self.uploads.paper(row.file).await {
            Ok(paper) => Ok(paper),
            Err(error) => {
                tracing::warn!(%error, file_id = %row.file, "what was read is lost; reading again");
                let again = self.store.set_reading(row.file, Reading::Parsing).await;
                if again == Ok(true) {
                    self.begin(row);
                }
                Err(Unread::NotYet)
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
        let Some(row) = self.store.file(user, file).await? else { return Ok(None) };
        if row.reading == Reading::Parsing {
            self.begin(row);
        }
        let row = self.settled(user, file, PATIENCE).await?;
        let Some(row) = row else { return Ok(None) };
        let attached = row.attached();
        let paper = match row.reading.clone() {
            Reading::Ready => self.paper(row).await,
            Reading::Parsing => {
                let trouble = self.desk().troubles.get(&file).cloned();
                Err(trouble.map_or(Unread::NotYet, Unread::Because))
            }
            Reading::Failed(problem) => Err(Unread::Because(problem)),
        };
        Ok(Some(Opened { file: attached, paper }))
    }
}
