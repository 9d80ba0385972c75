//! Kills the process where `SAYSO_DIE_AT` says: `before:claimed:1` is just
//! before the first claim. Only built for tests.

use std::sync::Mutex;
use std::sync::PoisonError;

use anyhow::{Context, bail};
use async_trait::async_trait;
use rustix::process::{Signal, getpid, kill_process};
use session::peril::{Moment, Peril, Side};

/// Dies when it comes there for the n-th time.
pub struct Fatal {
    moment: Moment,
    side: Side,
    left: Mutex<usize>,
}

impl Fatal {
    /// None when nobody wants it to die.
    pub fn from_env() -> anyhow::Result<Option<Self>> {
        std::env::var("SAYSO_DIE_AT").ok().map(|spelling| Self::read(&spelling)).transpose()
    }

    fn read(spelling: &str) -> anyhow::Result<Self> {
        let [side, moment, nth] = spelling.split(':').collect::<Vec<_>>()[..] else {
            bail!("SAYSO_DIE_AT is spelled side:moment:nth, such as before:claimed:1");
        };
        let known = Side::ALL.into_iter().find(|known| known.name() == side);
        let side = known.context("SAYSO_DIE_AT names a side, before or after")?;
        let known = Moment::ALL.iter().find(|known| known.name() == moment);
        let moment = *known.context("SAYSO_DIE_AT names a moment that there is not")?;
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
