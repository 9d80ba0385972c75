//! Where words wait to be heard for good, when more people speak than there are cores.
//!
//! Whoever is done speaking comes first: they wait for an answer. Who only paused may go
//! on, and then nobody wants to know what was heard up to there.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

pub(crate) struct WaitingRoom {
    inside: Mutex<Inside>,
}

struct Inside {
    free: usize,
    /// In the order they came.
    waiting: Vec<Waiting>,
}

struct Waiting {
    is_awaited: Box<dyn Fn() -> bool + Send>,
    called: oneshot::Sender<()>,
}

/// One of the places, until it is dropped.
pub(crate) struct Place<'a>(&'a WaitingRoom);

impl WaitingRoom {
    pub fn new(places: usize) -> Self {
        Self { inside: Mutex::new(Inside { free: places, waiting: Vec::new() }) }
    }

    /// `is_awaited` is asked each time a place is free: it may become true meanwhile.
    pub async fn place(&self, is_awaited: impl Fn() -> bool + Send + 'static) -> Place<'_> {
        let mut claim = {
            let mut inside = self.inside();
            if inside.free > 0 {
                inside.free -= 1;
                return Place(self);
            }
            let (called, call) = oneshot::channel();
            inside.waiting.push(Waiting { is_awaited: Box::new(is_awaited), called });
            Claim { room: self, call }
        };
        // Whoever leaves calls somebody; nobody leaves without that.
        let _ = (&mut claim.call).await;
        Place(self)
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who waits. Who goes away just when they are called hands their place on.
struct Claim<'a> {
    room: &'a WaitingRoom,
    call: oneshot::Receiver<()>,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.call.close();
        if self.call.try_recv().is_ok() {
            drop(Place(self.room));
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut inside = self.0.inside();
        while !inside.waiting.is_empty() {
            let next = inside.waiting.iter().position(|one| (one.is_awaited)()).unwrap_or(0);
            // Who went away is not there to be called.
            if inside.waiting.remove(next).called.send(()).is_ok() {
                return;
            }
        }
        inside.free += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn whoever_is_done_speaking_comes_before_those_who_only_paused() {
        let room = WaitingRoom::new(1);
        let first = room.place(|| false).await;
        let is_done = Arc::new(AtomicBool::new(false));
        let done = Arc::clone(&is_done);
        let mut paused = Box::pin(room.place(|| false));
        let mut later = Box::pin(room.place(move || done.load(Ordering::Relaxed)));
        assert!((&mut paused).now_or_never().is_none() && (&mut later).now_or_never().is_none());

        is_done.store(true, Ordering::Relaxed);
        drop(first);

        assert!((&mut paused).now_or_never().is_none());
        drop((&mut later).now_or_never().expect("it was called"));
        assert!(paused.now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_place_is_not_lost_with_somebody_who_went_away() {
        let room = WaitingRoom::new(1);
        let first = room.place(|| true).await;
        let mut gone = Box::pin(room.place(|| true));
        assert!((&mut gone).now_or_never().is_none());

        drop(gone);
        drop(first);
        let second = room.place(|| true).now_or_never().expect("nobody else is there");
        let mut called = Box::pin(room.place(|| true));
        assert!((&mut called).now_or_never().is_none());
        drop(second);
        drop(called);

        assert!(room.place(|| true).now_or_never().is_some());
    }
}
