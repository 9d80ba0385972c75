//! Kills the process where `SAYSO_DIE_AT` says: `before:claimed:1` is just
//! before the first claim. Or makes it slow where `SAYSO_WAIT_AT` says:
//! `looking:1000` gives every look-up the second a distant provider takes. Or holds it
//! there for as long as a file of the moment's name is in the folder `SAYSO_HOLD_IN`.
//! Only built for tests and measurements.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use async_trait::async_trait;
use rustix::process::{Signal, getpid, kill_process};
use session::peril::{Moment, Peril, Side};

/// What the environment asks for; None when nobody wants anything to happen.
pub fn from_env() -> anyhow::Result<Option<Arc<dyn Peril>>> {
    let asked = |name| std::env::var(name).ok();
    Ok(match (asked("SAYSO_DIE_AT"), asked("SAYSO_WAIT_AT"), asked("SAYSO_HOLD_IN")) {
        (None, None, None) => None,
        (Some(spelling), None, None) => Some(Arc::new(Fatal::read(&spelling)?)),
        (None, Some(spelling), None) => Some(Arc::new(Slow::read(&spelling)?)),
        (None, None, Some(folder)) => Some(Arc::new(Held { folder: folder.into() })),
        _ => bail!("only one of SAYSO_DIE_AT, SAYSO_WAIT_AT and SAYSO_HOLD_IN can be set"),
    })
}

/// Dies when it comes there for the n-th time.
struct Fatal {
    moment: Moment,
    side: Side,
    left: Mutex<usize>,
}

impl Fatal {
    fn read(spelling: &str) -> anyhow::Result<Self> {
        let [side, moment, nth] = spelling.split(':').collect::<Vec<_>>()[..] else {
            bail!("SAYSO_DIE_AT is spelled side:moment:nth, such as before:claimed:1");
        };
        let known = Side::ALL.into_iter().find(|known| known.name() == side);
        let side = known.context("SAYSO_DIE_AT names a side, before or after")?;
        let moment = named(moment)?;
        let left = Mutex::new(nth.parse().context("SAYSO_DIE_AT ends in a number")?);
        Ok(Self { moment, side, left })
    }
}

#[async_trait]
impl Peril for Fatal {
    async fn pass(&self, moment: Moment, side: Side) {
        if (self.moment, self.side) != (moment, side) {
            return;
        }
        {
            let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
            *left = left.saturating_sub(1);
            if *left > 0 {
                return;
            }
        }
        kill_process(getpid(), Signal::KILL).expect("a process may kill itself");
        std::future::pending::<()>().await;
    }
}

/// Waits each time it comes there.
struct Slow {
    moment: Moment,
    pause: Duration,
}

impl Slow {
    fn read(spelling: &str) -> anyhow::Result<Self> {
        let (moment, ms) = spelling
            .split_once(':')
            .context("SAYSO_WAIT_AT is spelled moment:milliseconds, such as looking:1000")?;
        let ms = ms.parse().context("SAYSO_WAIT_AT ends in a number")?;
        Ok(Self { moment: named(moment)?, pause: Duration::from_millis(ms) })
    }
}

#[async_trait]
impl Peril for Slow {
    async fn pass(&self, moment: Moment, side: Side) {
        if (self.moment, Side::Before) == (moment, side) {
            tokio::time::sleep(self.pause).await;
        }
    }
}

/// Waits there until it is let go.
struct Held {
    folder: PathBuf,
}

#[async_trait]
impl Peril for Held {
    async fn pass(&self, moment: Moment, side: Side) {
        while side == Side::Before && self.folder.join(moment.name()).exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Waits for as long as a file of this name is in the folder `SAYSO_HOLD_IN`.
pub async fn hold(name: &str) {
    let Some(folder) = std::env::var_os("SAYSO_HOLD_IN").map(PathBuf::from) else { return };
    while folder.join(name).exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn named(name: &str) -> anyhow::Result<Moment> {
    let known = Moment::ALL.iter().find(|known| known.name() == name);
    known.copied().context("there is no moment of that name")
}
