//! Changes the lock of the front door while people come and go: certificates end, and
//! whoever renews them puts the new ones where the old ones were.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_rustls::TlsAcceptor;

use super::tls;
use crate::config::Tls;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// The lock as it is now.
pub type Lock = watch::Receiver<TlsAcceptor>;

/// By what a file is known to be another one.
type Stamp = Option<(SystemTime, u64, u64)>;

pub struct Locksmith {
    files: Tls,
    /// Of the files that were tried last, good or not.
    tried: [Stamp; 2],
    lock: watch::Sender<TlsAcceptor>,
    /// Somebody wants them read at once. Without it they are still looked at.
    asked: Option<Signal>,
}

impl Locksmith {
    /// `None` where there is no lock to change.
    pub fn new(files: &Tls) -> anyhow::Result<Option<Self>> {
        let tried = stamps(files);
        let Some(acceptor) = tls::acceptor(files)? else { return Ok(None) };
        let asked = signal(SignalKind::hangup())
            .inspect_err(|error| tracing::warn!(%error, "SIGHUP cannot be listened to"));
        let (lock, _) = watch::channel(acceptor);
        Ok(Some(Self { files: files.clone(), tried, lock, asked: asked.ok() }))
    }

    pub fn lock(&self) -> Lock {
        self.lock.subscribe()
    }

    /// Never returns.
    pub async fn work(mut self) {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = looks.tick() => {
                    if stamps(&self.files) != self.tried {
                        self.change();
                    }
                }
                () = asked(&mut self.asked) => self.change(),
            }
        }
    }

    fn change(&mut self) {
        // First: what changes while it is read is read again.
        self.tried = stamps(&self.files);
        match tls::acceptor(&self.files) {
            Ok(Some(acceptor)) => {
                self.lock.send_replace(acceptor);
                tracing::info!("the certificate was read again; who comes from now on gets it");
            }
            // The settings named files when we began, and are not read again.
            Ok(None) => {}
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "the new certificate cannot be used; the old one stays");
            }
        }
    }
}

async fn asked(signal: &mut Option<Signal>) {
    if let Some(signal) = signal
        && signal.recv().await.is_some()
    {
        return;
    }
    std::future::pending::<()>().await;
}

fn stamps(files: &Tls) -> [Stamp; 2] {
    let stamp = |path: &Path| {
        let about = std::fs::metadata(path).ok()?;
        Some((about.modified().ok()?, about.len(), about.ino()))
    };
    [stamp(&files.cert), stamp(&files.key)]
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn certificate(files: &Tls) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(&files.cert, made.cert.pem()).unwrap();
        fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_certificate_that_was_renewed_is_used_within_a_minute_and_a_broken_one_never() {
        let folder = TempDir::new().unwrap();
        let files = Tls { cert: folder.path().join("cert"), key: folder.path().join("key") };
        certificate(&files);
        let locksmith = Locksmith::new(&files).unwrap().unwrap();
        let mut lock = locksmith.lock();
        tokio::spawn(locksmith.work());
        let mut changed_in = async |minutes| {
            tokio::time::sleep(minutes * LOOK_EVERY).await;
            let changed = lock.has_changed().unwrap();
            lock.mark_unchanged();
            changed
        };
        assert!(!changed_in(5).await, "what is as it was is left alone");

        certificate(&files);
        assert!(changed_in(2).await);
        assert!(!changed_in(5).await);

        fs::write(&files.cert, "half a certif").unwrap();
        assert!(!changed_in(5).await);
        fs::remove_file(&files.cert).unwrap();
        assert!(!changed_in(5).await);
        certificate(&files);
        assert!(changed_in(2).await);

        // A new certificate whose key has not come yet.
        let key = fs::read(&files.key).unwrap();
        certificate(&files);
        let new_key = fs::read(&files.key).unwrap();
        fs::write(&files.key, key).unwrap();
        assert!(!changed_in(2).await);
        fs::write(&files.key, new_key).unwrap();
        assert!(changed_in(2).await);
    }
}
