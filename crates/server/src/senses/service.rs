//! A speech service over HTTP that speaks as OpenAI's does: one request, one answer.
//!
//! Whoever asks waits on a thread that may wait. A service that failed is left alone for
//! a while, so that not every sentence waits for it anew. Neither sound nor words nor
//! keys are ever logged.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use speech::engine::Unavailable;
use tokio::runtime::Handle;

use crate::client::Remote;
use crate::client::http::{self, Raw};
use crate::config::SpeechService;

/// So long a service that failed is not asked again.
const REST: Duration = Duration::from_secs(30);
/// More of what it says of a failure helps nobody.
const LONGEST_REASON: usize = 200;

/// One of its doors, such as `/v1/audio/speech`.
pub struct Service {
    remote: Remote,
    path: String,
    patience: Duration,
    pub model: String,
    runtime: Handle,
    rests_until: Mutex<Option<Instant>>,
}

/// Why a service did not do it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("cannot be reached ({0})")]
    Away(String),
    #[error("did not answer within {0} s")]
    Slow(u64),
    #[error("does not take our key; see the settings under [speech]")]
    Key,
    #[error("has had too many requests; it may take more later")]
    TooMany,
    #[error("did not take the request: {0}")]
    Request(String),
    #[error("failed with {0}")]
    Broken(u16),
    #[error("answered something that is no answer: {0}")]
    Nonsense(String),
    #[error("failed a moment ago and is not asked again yet")]
    Resting,
}

impl Refused {
    /// Whether the next sentence would fare no better for a while.
    fn lasts(&self) -> bool {
        match self {
            Self::Away(_) | Self::Slow(_) | Self::Key | Self::TooMany | Self::Broken(_) => true,
            Self::Request(_) | Self::Nonsense(_) | Self::Resting => false,
        }
    }
}

impl Service {
    /// `door` is added to the address in the settings, which ends in `/v1`.
    pub fn new(settings: &SpeechService, door: &str, runtime: Handle) -> anyhow::Result<Self> {
        let url = format!("{}{door}", settings.url.trim_end_matches('/'));
        let (remote, path) = Remote::split(&url)?;
        if !remote.is_private() {
            tracing::warn!(service = %remote, "others can read what is sent there; use https");
        }
        Ok(Self {
            remote: remote.showing(settings.key.shown()),
            path,
            patience: Duration::from_secs(settings.timeout_seconds.max(1)),
            model: settings.model.clone(),
            runtime,
            rests_until: Mutex::new(None),
        })
    }

    /// Sends a body and waits for the whole answer.
    pub fn ask(&self, kind: &str, body: Vec<u8>) -> Result<Raw, Refused> {
        let resting = *self.rests();
        if resting.is_some_and(|until| Instant::now() < until) {
            return Err(Refused::Resting);
        }
        // With finding the way there: the whole of it has one end, here.
        let asked = http::post(&self.remote, &self.path, kind, body, 2 * self.patience);
        let answer =
            match self.runtime.block_on(async { tokio::time::timeout(self.patience, asked).await })
            {
                Ok(Ok(raw)) => told(raw),
                Ok(Err(error)) => Err(Refused::Away(format!("{error:#}"))),
                Err(_) => Err(Refused::Slow(self.patience.as_secs())),
            };
        let rests = answer.as_ref().is_err_and(Refused::lasts);
        *self.rests() = rests.then(|| Instant::now() + REST);
        answer
    }

    /// The same as those see it who only want to know that it did not work. An operator
    /// is told here; while it rests that was done already.
    pub fn unavailable(&self, refused: &Refused) -> Unavailable {
        if *refused != Refused::Resting {
            tracing::warn!(service = %self.remote, %refused, "a speech service failed");
        }
        Unavailable::Away { service: self.remote.to_string(), because: refused.to_string() }
    }

    fn rests(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.rests_until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn told(raw: Raw) -> Result<Raw, Refused> {
    match raw.status {
        200..=299 => Ok(raw),
        401 | 403 => Err(Refused::Key),
        429 => Err(Refused::TooMany),
        400..=499 => Err(Refused::Request(reason(&raw))),
        other => Err(Refused::Broken(other)),
    }
}

/// Its own words for what is wrong, where it has some.
fn reason(raw: &Raw) -> String {
    let body: Value = serde_json::from_slice(&raw.body).unwrap_or_default();
    let said = body["error"]["message"].as_str().or(body["detail"].as_str());
    let said = said.map_or_else(|| format!("it answered {}", raw.status), str::to_owned);
    said.chars().filter(|c| !c.is_control()).take(LONGEST_REASON).collect()
}
