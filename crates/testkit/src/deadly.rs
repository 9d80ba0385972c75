//! Stops the world at a moment of one's choice.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use session::peril::{Moment, Peril, Side};

/// How often somebody who is held looks whether they still are.
const HELD: Duration = Duration::from_millis(5);

/// A process that dies when it comes to a moment for the n-th time: whoever is
/// there hangs for ever, and so does everybody who comes to any moment later.
#[derive(Debug, Default)]
pub struct Deadly {
    fate: Mutex<Fate>,
}

#[derive(Debug, Default)]
struct Fate {
    /// Where, and how often it is still passed.
    at: Option<(Moment, Side, usize)>,
    /// After so many moments of any kind.
    after: Option<usize>,
    /// After so many moments of the next life.
    again: Option<usize>,
    dead: bool,
    /// Steps of jobs wait until this is false.
    holds_work: bool,
    passed: Vec<(Moment, Side)>,
}

impl Deadly {
    /// Dies when it comes there for the n-th time, counted from 1.
    pub fn kill_at(&self, moment: Moment, side: Side, nth: usize) {
        self.fate().at = Some((moment, side, nth));
    }

    /// Dies at the n-th moment from now, whatever it is.
    pub fn kill_after(&self, moments: usize) {
        self.fate().after = Some(moments);
    }

    /// Once it has died, it dies once more at the n-th moment of its next life.
    pub fn kill_again_after(&self, moments: usize) {
        self.fate().again = Some(moments);
    }

    /// Whoever works on a job waits before the next step, or no longer.
    pub fn hold_work(&self, hold: bool) {
        self.fate().holds_work = hold;
    }

    /// Dies now, wherever everybody is.
    pub fn die(&self) {
        self.fate().dead = true;
    }

    pub fn is_dead(&self) -> bool {
        self.fate().dead
    }

    /// Begins another life. Whoever hangs goes on hanging.
    pub fn is_alive_again(&self) {
        let mut fate = self.fate();
        (fate.at, fate.after, fate.dead) = (None, None, false);
    }

    /// Another life after this one, which is over: it remembers what was passed,
    /// and dies where this one was to die and did not come to.
    #[must_use]
    pub fn reborn(&self) -> Self {
        let mut fate = self.fate();
        fate.dead = true;
        let at = fate.at.filter(|(_, _, left)| *left > 0);
        let passed = fate.passed.clone();
        let (after, again) = (fate.again, None);
        let holds_work = fate.holds_work;
        Self { fate: Mutex::new(Fate { at, after, again, dead: false, holds_work, passed }) }
    }

    /// Every moment that was passed, in order.
    pub fn passed(&self) -> Vec<(Moment, Side)> {
        self.fate().passed.clone()
    }

    fn fate(&self) -> MutexGuard<'_, Fate> {
        self.fate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether whoever comes there dies.
    fn dies(&self, moment: Moment, side: Side) -> bool {
        let mut fate = self.fate();
        fate.passed.push((moment, side));
        if let Some((at, on, left)) = &mut fate.at
            && (*at, *on) == (moment, side)
        {
            *left = left.saturating_sub(1);
            if *left == 0 {
                fate.dead = true;
            }
        }
        if let Some(left) = &mut fate.after {
            *left = left.saturating_sub(1);
            if *left == 0 {
                fate.dead = true;
            }
        }
        fate.dead
    }
}

#[async_trait]
impl Peril for Deadly {
    async fn pass(&self, moment: Moment, side: Side) {
        while moment == Moment::JobStepping && side == Side::Before && self.fate().holds_work {
            tokio::time::sleep(HELD).await;
        }
        if self.dies(moment, side) {
            std::future::pending::<()>().await;
        }
    }
}
