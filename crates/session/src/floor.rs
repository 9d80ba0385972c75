//! First words go first.
//!
//! When many people speak at once, looking things up for the first of them
//! would keep the others from being answered at all. So a turn whose first word
//! is out lets those go ahead who still wait for theirs, for a moment.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// However many speak, nobody's look-up waits longer for them.
const PATIENCE: Duration = Duration::from_millis(20);

/// Who has not been answered yet.
#[derive(Debug, Default)]
pub(crate) struct Floor {
    unanswered: AtomicUsize,
    all_answered: Notify,
}

/// Somebody waits for their first word; dropped when it is out, or is no longer
/// held up by us.
pub(crate) struct Unanswered<'a>(&'a Floor);

impl Floor {
    pub fn enter(&self) -> Unanswered<'_> {
        self.unanswered.fetch_add(1, Ordering::Relaxed);
        Unanswered(self)
    }

    /// Returns when everybody has been answered, or patience ends.
    pub async fn give_way(&self) {
        let answered = self.all_answered.notified();
        if self.unanswered.load(Ordering::Relaxed) > 0 {
            // Going on too early or too late only changes who is served first.
            let _ = tokio::time::timeout(PATIENCE, answered).await;
        }
    }
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if self.0.unanswered.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.all_answered.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_look_up_waits_for_the_first_words_of_others() {
        let floor = Floor::default();
        let (mine, other) = (floor.enter(), floor.enter());
        drop(mine);
        let begin = Instant::now();
        let answer = async {
            tokio::time::sleep(Duration::from_millis(3)).await;
            drop(other);
        };
        tokio::join!(floor.give_way(), answer);
        assert_eq!(begin.elapsed(), Duration::from_millis(3));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_alone_or_for_ever() {
        let floor = Floor::default();
        let begin = Instant::now();
        floor.give_way().await;
        assert_eq!(begin.elapsed(), Duration::ZERO);

        let _slow = floor.enter();
        floor.give_way().await;
        assert_eq!(begin.elapsed(), PATIENCE);
    }
}
