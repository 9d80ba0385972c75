//! A few places, and everybody's turn at them comes round.
//!
//! Whoever wants one waits in a line of their own, and the lines are served in turns: one
//! person with a hundred requests holds up another with one for no longer than a place is
//! taken. Who is alone has all of them.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Places that are waited for.
pub(crate) struct Fair<K: Clone + Eq + Hash>(Arc<Mutex<Waiting<K>>>);

struct Waiting<K: Clone + Eq + Hash> {
    free: usize,
    lines: HashMap<K, VecDeque<oneshot::Sender<Seat<K>>>>,
    /// Whose line is served next; each stands here once.
    round: VecDeque<K>,
}

/// One place, until it was given away. Whoever is next has it when this is dropped.
pub(crate) struct Seat<K: Clone + Eq + Hash>(Option<Fair<K>>);

impl<K: Clone + Eq + Hash> Fair<K> {
    pub fn new(places: usize) -> Self {
        let waiting = Waiting { free: places, lines: HashMap::new(), round: VecDeque::new() };
        Self(Arc::new(Mutex::new(waiting)))
    }

    /// Waits for a place. May be dropped while it waits.
    pub async fn take(&self, who: K) -> Seat<K> {
        let waits = {
            let mut waiting = self.lock();
            if waiting.free > 0 {
                waiting.free -= 1;
                None
            } else {
                let (tell, told) = oneshot::channel();
                let line = waiting.lines.entry(who.clone()).or_default();
                line.push_back(tell);
                if line.len() == 1 {
                    waiting.round.push_back(who);
                }
                Some(told)
            }
        };
        match waits {
            None => Seat(Some(Self(Arc::clone(&self.0)))),
            Some(told) => told.await.expect("whoever stands in a line is served"),
        }
    }

    /// Whoever is next; without anybody the place is free.
    fn next(&self) -> Option<oneshot::Sender<Seat<K>>> {
        let mut waiting = self.lock();
        let Some(who) = waiting.round.pop_front() else {
            waiting.free += 1;
            return None;
        };
        let line = waiting.lines.get_mut(&who);
        let next = line.and_then(VecDeque::pop_front);
        if waiting.lines.get(&who).is_some_and(|line| !line.is_empty()) {
            waiting.round.push_back(who);
        } else {
            waiting.lines.remove(&who);
        }
        next
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash> Drop for Seat<K> {
    fn drop(&mut self) {
        let Some(places) = self.0.take() else { return };
        while let Some(next) = places.next() {
            match next.send(Self(Some(Fair(Arc::clone(&places.0))))) {
                Ok(()) => return,
                // They have left meanwhile; whoever stands behind them has it.
                Err(mut refused) => refused.0 = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn one_who_wants_much_does_not_stand_before_one_who_wants_little() {
        let fair = Fair::new(1);
        let held = fair.take("eve").await;
        let mut eve: Vec<_> = (0..100).map(|_| Box::pin(fair.take("eve"))).collect();
        assert!(eve.iter_mut().all(|waits| waits.as_mut().now_or_never().is_none()));
        let mut ana = Box::pin(fair.take("ana"));
        assert!(ana.as_mut().now_or_never().is_none());

        drop(held);
        let first = eve[0].as_mut().now_or_never().expect("she came first");
        drop(first);
        assert!(ana.as_mut().now_or_never().is_some(), "then it is Ana's turn");
    }

    #[tokio::test]
    async fn who_is_alone_has_all_places_and_nobody_is_remembered() {
        let fair = Fair::new(2);
        let both = (fair.take("ana").await, fair.take("ana").await);
        let mut third = Box::pin(fair.take("ana"));
        assert!(third.as_mut().now_or_never().is_none());
        let gone = Box::pin(fair.take("ben"));
        drop((gone, both));
        assert!(third.as_mut().now_or_never().is_some());
        let waiting = fair.lock();
        assert_eq!((waiting.free, waiting.lines.len(), waiting.round.len()), (2, 0, 0));
    }

    #[tokio::test]
    async fn a_place_that_is_given_to_somebody_who_has_left_goes_on() {
        let fair = Fair::new(1);
        let held = fair.take("ana").await;
        let mut waits = Box::pin(fair.take("ben"));
        assert!(waits.as_mut().now_or_never().is_none());
        drop(held);
        // It was given to Ben, who never looks.
        drop(waits);
        assert!(fair.take("eve").now_or_never().is_some());
    }
}
