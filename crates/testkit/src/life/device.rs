//! One device of a person: what it saw, connection by connection.

use std::sync::{Arc, Mutex, PoisonError};

use brain::Envelope;
use session::{ClientId, Joined};
use tokio::task::JoinHandle;

/// Connects, reads, loses its line and comes back.
#[derive(Default)]
pub struct Device {
    pub connections: Vec<Connection>,
    line: Option<(ClientId, JoinHandle<()>)>,
    /// Where it goes on; behind what it has seen after it has forgotten.
    cursor: u64,
}

/// What came over one connection.
#[derive(Default)]
pub struct Connection {
    /// It asked for what comes behind this.
    pub after: u64,
    seen: Arc<Mutex<Vec<Arc<Envelope>>>>,
}

impl Connection {
    pub fn seen(&self) -> Vec<Arc<Envelope>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Device {
    pub(super) fn connect(&mut self, mut joined: Joined, after: u64) {
        let connection = Connection { after, ..Connection::default() };
        let (client, seen) = (joined.client, Arc::clone(&connection.seen));
        let read = async move {
            while let Ok(envelope) = joined.next().await {
                seen.lock().unwrap_or_else(PoisonError::into_inner).push(envelope);
            }
        };
        self.line = Some((client, tokio::spawn(read)));
        self.connections.push(connection);
    }

    pub(super) fn is_connected(&self) -> bool {
        self.line.as_ref().is_some_and(|(_, reads)| !reads.is_finished())
    }

    pub(super) fn client(&self) -> Option<ClientId> {
        self.line.as_ref().map(|(client, _)| *client)
    }

    pub(super) fn hang_up(&mut self) {
        self.cursor = self.cursor();
        if let Some((_, reads)) = self.line.take() {
            reads.abort();
        }
    }

    /// The last numbered event that it has seen, and not forgotten.
    pub(super) fn cursor(&self) -> u64 {
        let Some(latest) = self.connections.last().filter(|_| self.line.is_some()) else {
            return self.cursor;
        };
        latest.seen().iter().rev().find_map(|envelope| envelope.seq).unwrap_or(latest.after)
    }

    pub(super) fn forget(&mut self, back: usize) {
        let kept: Vec<_> = self.seen().filter(|envelope| envelope.event.is_kept()).collect();
        let mut numbers: Vec<_> = kept.iter().filter_map(|envelope| envelope.seq).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if back > 0 {
            let at = numbers.len().saturating_sub(back);
            self.cursor = at.checked_sub(1).map_or(0, |at| numbers[at]);
        }
    }

    /// Everything it ever saw, in the order it came.
    pub fn seen(&self) -> impl Iterator<Item = Arc<Envelope>> {
        self.connections.iter().flat_map(Connection::seen)
    }
}
