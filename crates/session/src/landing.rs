//! Entries on their way to disk, one commit at a time.
//!
//! What is behind a commit that fails never reaches the disk: it was numbered
//! and checked as if the one before it had landed. Entries that need no commit
//! keep their place in the line all the same.

use std::collections::VecDeque;
use std::sync::Arc;

use brain::{ActionId, Envelope, Event, TurnId};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use store::{Batch, StoreError};
use tokio::sync::oneshot;

use crate::asker::Asker;
use crate::clients::ClientId;
use crate::handle::Answered;
use crate::house::House;
use crate::inbox::Asked;
use crate::log::Written;
use crate::names::Frame;
use crate::peril::{Moment, Side};

/// An entry that waits for its commit.
pub(crate) struct Unlanded {
    moment: Moment,
    shown: Shown,
}

/// What people see once it is on disk.
pub(crate) struct Shown {
    pub envelopes: Vec<Arc<Envelope>>,
    /// What is on disk then.
    pub batch: Option<Batch>,
    /// When the person asked, on the clock that only goes forward.
    pub asked_us: Option<u64>,
    /// Whoever waits for it.
    pub ack: Option<oneshot::Sender<()>>,
    pub then: Vec<Then>,
}

/// What follows from something being on disk.
pub(crate) enum Then {
    /// The write may begin.
    Begin(ActionId),
    /// The turn walks on.
    WalkOn(TurnId),
    /// What else was said in the sentence is heard next.
    Hear(Box<Asked>),
    /// One client alone is told.
    Reply(ClientId, Event),
    /// What a client called its request is known from then on.
    Took(Frame),
    /// What became of a card can be looked up: whatever was decided is on disk.
    LookUp(Asker, String),
    /// Whoever asked over HTTP is told.
    Answer(oneshot::Sender<Answered>, Answered),
}

/// The line.
#[derive(Default)]
pub(crate) struct Landing {
    under_way: Option<BoxFuture<'static, Result<Shown, StoreError>>>,
    behind: VecDeque<Unlanded>,
}

impl Unlanded {
    pub fn new(written: Written, ack: Option<oneshot::Sender<()>>) -> Self {
        let Written { moment, envelopes, batch, asked_us, then } = written;
        Self { moment, shown: Shown { envelopes, batch, asked_us, ack, then } }
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
    pub fn push(&mut self, entry: Unlanded, house: &Arc<House>) -> Option<Shown> {
        if self.is_empty() && entry.shown.batch.is_none() {
            return Some(entry.shown);
        }
        self.behind.push_back(entry);
        self.go_on(house);
        None
    }

    /// The next entry that is on disk, or why it is not. Waits for ever when
    /// the line is empty.
    pub async fn next(&mut self, house: &Arc<House>) -> Result<Shown, StoreError> {
        self.go_on(house);
        let Some(commit) = &mut self.under_way else { return std::future::pending().await };
        let result = commit.await;
        self.under_way = None;
        result
    }

    /// Forgets whatever has not landed.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn go_on(&mut self, house: &Arc<House>) {
        if self.under_way.is_some() {
            return;
        }
        let Some(Unlanded { moment, shown }) = self.behind.pop_front() else { return };
        let house = Arc::clone(house);
        let commit = async move {
            if let Some(batch) = shown.batch.clone() {
                house.peril.pass(moment, Side::Before).await;
                house.store.append(batch).await?;
                house.peril.pass(moment, Side::After).await;
            }
            Ok(shown)
        };
        self.under_way = Some(commit.boxed());
    }
}
