//! Who is connected to a session.
//!
//! Each client has a bounded queue. One that does not keep up is cut off and
//! told to come back; nobody waits for it and nothing grows.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use brain::{Envelope, SessionId};
use store::Store;
use tokio::sync::{mpsc, oneshot};

/// Events that may wait for a client before it is cut off.
const CLIENT_QUEUE: usize = 256;
/// Missed events that are read at a time.
const PAGE: u32 = 200;

/// One connection to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientId(u64);

/// Why a client gets no more events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It did not read fast enough.
    TooSlow,
    /// Another owner has taken the session over.
    Moved,
    /// The server is stopping.
    Stopping,
    /// What it missed cannot be read.
    Unreadable,
}

/// What a client holds after joining: first what it missed, then what happens.
pub struct Joined {
    pub client: ClientId,
    /// What it missed and has not read from the store yet.
    replay: Option<Replay>,
    missed: VecDeque<Envelope>,
    /// The last number of what it missed; the same may come again, live.
    caught_up_to: u64,
    events: mpsc::Receiver<Arc<Envelope>>,
    /// Answers once `events` has ended.
    cut: oneshot::Receiver<Cut>,
}

/// Kept events that are still to be read, a page at a time.
pub(crate) struct Replay {
    pub store: Arc<dyn Store>,
    pub session: SessionId,
    pub after: u64,
}

impl Joined {
    /// The next event, or why there are no more. May be dropped while it waits.
    pub async fn next(&mut self) -> Result<Arc<Envelope>, Cut> {
        loop {
            if let Some(envelope) = self.missed.pop_front() {
                return Ok(Arc::new(envelope));
            }
            let Some(replay) = &self.replay else { break };
            let page = replay.store.read(replay.session, replay.after, PAGE).await;
            self.turn_page(page.map_err(|_| Cut::Unreadable)?);
        }
        while let Some(envelope) = self.events.recv().await {
            if self.is_new(&envelope) {
                return Ok(envelope);
            }
        }
        Err(self.cut.try_recv().unwrap_or(Cut::Stopping))
    }

    /// The next event if it is there already.
    pub fn try_next(&mut self) -> Option<Arc<Envelope>> {
        if let Some(envelope) = self.missed.pop_front() {
            return Some(Arc::new(envelope));
        }
        if self.replay.is_some() {
            return None;
        }
        loop {
            let envelope = self.events.try_recv().ok()?;
            if self.is_new(&envelope) {
                return Some(envelope);
            }
        }
    }

    /// Puts what happened before it joined in front.
    pub(crate) fn catch_up(&mut self, replay: Replay) {
        self.caught_up_to = replay.after;
        self.replay = Some(replay);
    }

    fn turn_page(&mut self, page: Vec<Envelope>) {
        let last = page.last().and_then(|envelope| envelope.seq);
        self.caught_up_to = last.unwrap_or(self.caught_up_to);
        self.replay = self.replay.take().filter(|_| page.len() == PAGE as usize);
        if let Some(replay) = &mut self.replay {
            replay.after = self.caught_up_to;
        }
        self.missed = page.into();
    }

    fn is_new(&self, envelope: &Envelope) -> bool {
        envelope.seq.is_none_or(|seq| seq > self.caught_up_to)
    }
}

/// Everybody who is connected.
#[derive(Default)]
pub(crate) struct Clients {
    connected: HashMap<ClientId, Client>,
    last: u64,
}

struct Client {
    events: mpsc::Sender<Arc<Envelope>>,
    cut: oneshot::Sender<Cut>,
    /// It was told that nobody listens; a second time for every chunk would not help.
    told_deaf: bool,
}

impl Clients {
    pub fn is_empty(&self) -> bool {
        self.connected.is_empty()
    }

    /// Gives a client its name, unless it has hung up already.
    pub fn join(&mut self, tell: oneshot::Sender<Joined>) -> Option<ClientId> {
        self.last += 1;
        let client = ClientId(self.last);
        let (events, receive) = mpsc::channel(CLIENT_QUEUE);
        let (cut, why) = oneshot::channel();
        let joined = Joined {
            client,
            replay: None,
            missed: VecDeque::new(),
            caught_up_to: 0,
            events: receive,
            cut: why,
        };
        tell.send(joined).ok()?;
        self.connected.insert(client, Client { events, cut, told_deaf: false });
        Some(client)
    }

    pub fn leave(&mut self, client: ClientId) {
        self.connected.remove(&client);
    }

    /// To everybody; whoever cannot take it is cut off.
    pub fn publish(&mut self, envelope: &Arc<Envelope>) {
        let mut slow = Vec::new();
        for (id, client) in &self.connected {
            if client.events.try_send(Arc::clone(envelope)).is_err() {
                slow.push(*id);
            }
        }
        for id in slow {
            self.cut(id, Cut::TooSlow);
        }
    }

    /// To one alone.
    pub fn send(&mut self, client: ClientId, envelope: Envelope) {
        let Some(known) = self.connected.get(&client) else { return };
        if known.events.try_send(Arc::new(envelope)).is_err() {
            self.cut(client, Cut::TooSlow);
        }
    }

    /// Whether it knows already that nobody listens; from now on it does.
    pub fn tell_deaf(&mut self, client: ClientId) -> bool {
        let client = self.connected.get_mut(&client);
        client.is_some_and(|client| std::mem::replace(&mut client.told_deaf, true))
    }

    /// It stopped speaking; the next time it may be told again.
    pub fn stopped_speaking(&mut self, client: ClientId) {
        if let Some(client) = self.connected.get_mut(&client) {
            client.told_deaf = false;
        }
    }

    pub fn ids(&self) -> Vec<ClientId> {
        self.connected.keys().copied().collect()
    }

    pub fn cut_all(&mut self, why: Cut) {
        for client in self.ids() {
            self.cut(client, why);
        }
    }

    fn cut(&mut self, client: ClientId, why: Cut) {
        if let Some(client) = self.connected.remove(&client) {
            metrics::counter!("sayso_clients_cut_total").increment(1);
            // A client that has hung up does not ask why.
            let _ = client.cut.send(why);
        }
    }
}
