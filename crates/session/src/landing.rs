//! Entries on their way to disk, one commit at a time.
//!
//! What is behind a commit that fails never reaches the disk: it was numbered
//! and checked as if the one before it had landed. Entries that need no commit
//! keep their place in the line all the same.

use std::collections::VecDeque;
use std::sync::Arc;

use brain::Envelope;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use store::{Batch, Store, StoreError, TurnRow};
use tokio::sync::oneshot;

use crate::log::Written;

/// An entry that waits for its commit.
pub(crate) struct Unlanded {
    batch: Option<Batch>,
    shown: Shown,
}

/// What people see once it is on disk.
pub(crate) struct Shown {
    pub envelopes: Vec<Arc<Envelope>>,
    /// The turn as it is on disk then.
    pub turn: Option<TurnRow>,
    /// When the person asked, on the clock that only goes forward.
    pub asked_us: Option<u64>,
    /// Whoever waits for it.
    pub ack: Option<oneshot::Sender<()>>,
}

/// The line.
#[derive(Default)]
pub(crate) struct Landing {
    under_way: Option<BoxFuture<'static, Result<Shown, StoreError>>>,
    behind: VecDeque<Unlanded>,
}

impl Unlanded {
    pub fn new(written: Written, ack: Option<oneshot::Sender<()>>) -> Self {
        let Written { envelopes, batch, asked_us } = written;
        let turn = batch.as_ref().and_then(|batch| batch.turn.clone());
        let envelopes = envelopes.into_iter().map(Arc::new).collect();
        Self { batch, shown: Shown { envelopes, turn, asked_us, ack } }
    }
}

impl Landing {
    pub fn len(&self) -> usize {
        usize::from(self.under_way.is_some()) + self.behind.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes an entry into the line. One that needs no commit and has nobody
    /// in front of it comes back at once.
    pub fn push(&mut self, entry: Unlanded, store: &Arc<dyn Store>) -> Option<Shown> {
        if self.is_empty() && entry.batch.is_none() {
            return Some(entry.shown);
        }
        self.behind.push_back(entry);
        self.go_on(store);
        None
    }

    /// The next entry that is on disk, or why it is not. Waits for ever when
    /// the line is empty.
    pub async fn next(&mut self, store: &Arc<dyn Store>) -> Result<Shown, StoreError> {
        self.go_on(store);
        let Some(commit) = &mut self.under_way else { return std::future::pending().await };
        let result = commit.await;
        self.under_way = None;
        result
    }

    /// Forgets whatever has not landed.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn go_on(&mut self, store: &Arc<dyn Store>) {
        if self.under_way.is_some() {
            return;
        }
        let Some(Unlanded { batch, shown }) = self.behind.pop_front() else { return };
        let store = Arc::clone(store);
        let commit = async move {
            if let Some(batch) = batch {
                store.append(batch).await?;
            }
            Ok(shown)
        };
        self.under_way = Some(commit.boxed());
    }
}
