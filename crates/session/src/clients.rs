//! Who is connected to a session.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use brain::Envelope;
use brain::input::{Hello, RefusedSound, Sound};
use store::StoreError;
use tokio::sync::oneshot;
use tokio_util::task::AbortOnDropHandle;

use crate::handle::Start;
use crate::queue::{Item, Queue, Weight};
use crate::replay::{CatchUp, Page, Replay};

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
    /// Its person has deleted the chat.
    Deleted,
    /// What it missed cannot be read.
    Unreadable,
}

/// What a client holds after joining: first what it missed, then what happens.
pub struct Joined {
    pub client: ClientId,
    /// What it missed and nobody has read from the store yet.
    replay: Option<Box<Replay>>,
    /// The next page of it. Read in a task of its own: whoever talks meanwhile does not
    /// begin anew, and whoever is stuck holds nobody up.
    reading: Option<AbortOnDropHandle<Result<Page, StoreError>>>,
    missed: VecDeque<Arc<Envelope>>,
    live: End,
    /// Answers once `live` has ended.
    cut: oneshot::Receiver<Cut>,
}

/// One end of a client's queue; when it is dropped, the other one learns of it.
struct End(Arc<Queue>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Joined {
    /// The next event, or why there are no more. May be dropped while it waits.
    pub async fn next(&mut self) -> Result<Arc<Envelope>, Cut> {
        loop {
            if let Some(envelope) = self.missed.pop_front() {
                return Ok(envelope);
            }
            if let Some(replay) = self.replay.take() {
                self.reading = Some(AbortOnDropHandle::new(tokio::spawn(replay.page())));
            }
            if let Some(reading) = &mut self.reading {
                let page = reading.await;
                self.reading = None;
                let Ok(Ok(Page { events, rest })) = page else { return Err(Cut::Unreadable) };
                (self.missed, self.replay) = (events.into(), rest);
                continue;
            }
            match self.live.0.next().await {
                Some(Item::Event { envelope, .. }) => return Ok(envelope),
                Some(Item::Missed(missed)) => self.catch_up(*missed),
                None => return Err(self.cut.try_recv().unwrap_or(Cut::Stopping)),
            }
        }
    }

    /// The next event if it is there already.
    pub fn try_next(&mut self) -> Option<Arc<Envelope>> {
        loop {
            if let Some(envelope) = self.missed.pop_front() {
                return Some(envelope);
            }
            if self.replay.is_some() || self.reading.is_some() {
                return None;
            }
            match self.live.0.try_next()? {
                Item::Event { envelope, .. } => return Some(envelope),
                Item::Missed(missed) => self.catch_up(*missed),
            }
        }
    }

    fn catch_up(&mut self, missed: CatchUp) {
        match missed {
            CatchUp::Recent(events) => self.missed = events.into(),
            CatchUp::Older(replay) => self.replay = Some(replay),
        }
    }
}

/// Everybody who is connected.
#[derive(Default)]
pub(crate) struct Clients {
    connected: HashMap<ClientId, Client>,
    last: u64,
}

struct Client {
    queue: End,
    cut: oneshot::Sender<Cut>,
    /// Not before it has said where it stopped.
    listens: bool,
    /// What it said of itself.
    hello: Hello,
    /// It has a microphone, and has used it.
    sends_sound: bool,
    /// It was told that nobody listens; a second time for every chunk would not help.
    told_deaf: bool,
    /// What it was told of sound that nobody takes.
    refused: RefusedSound,
}

impl Client {
    fn plays(&self) -> bool {
        self.listens && self.hello.plays_audio.unwrap_or(self.sends_sound)
    }
}

impl Clients {
    pub fn is_empty(&self) -> bool {
        self.connected.is_empty()
    }

    /// Somebody sees what happens.
    pub fn anybody_listens(&self) -> bool {
        self.connected.values().any(|client| client.listens)
    }

    /// Somebody wants to hear what is said.
    pub fn anybody_plays(&self) -> bool {
        self.connected.values().any(Client::plays)
    }

    pub fn hello(&self, client: ClientId) -> Hello {
        self.connected.get(&client).map(|client| client.hello).unwrap_or_default()
    }

    /// Whether nothing of our own voice is in what its microphone hears: it takes out
    /// what it plays itself, and knows nothing of another device in the same room.
    pub fn cancels_echo(&self, mic: ClientId) -> bool {
        let others = self.connected.iter().filter(|(id, _)| **id != mic);
        self.hello(mic).cancels_echo && !others.into_iter().any(|(_, other)| other.plays())
    }

    pub fn greeted(&mut self, client: ClientId, hello: Hello) {
        if let Some(client) = self.connected.get_mut(&client) {
            client.hello = hello;
        }
    }

    pub fn sends_sound(&mut self, client: ClientId) {
        if let Some(client) = self.connected.get_mut(&client) {
            client.sends_sound = true;
        }
    }

    /// Gives a client its name, unless it has hung up already.
    pub fn join(&mut self, start: Start, tell: oneshot::Sender<Joined>) -> Option<ClientId> {
        self.last += 1;
        let client = ClientId(self.last);
        let queue = Arc::<Queue>::default();
        let (cut, why) = oneshot::channel();
        let joined = Joined {
            client,
            replay: None,
            reading: None,
            missed: VecDeque::new(),
            live: End(Arc::clone(&queue)),
            cut: why,
        };
        tell.send(joined).ok()?;
        let (queue, listens) = (End(queue), start != Start::Later);
        let hello = Hello::default();
        let known = Client {
            queue,
            cut,
            listens,
            hello,
            sends_sound: false,
            told_deaf: false,
            refused: RefusedSound::default(),
        };
        self.connected.insert(client, known);
        Some(client)
    }

    /// Tells it what it missed before anything that happens from now on.
    pub fn catch_up(&mut self, client: ClientId, missed: CatchUp) {
        if let Some(known) = self.connected.get_mut(&client) {
            known.listens = true;
            known.queue.0.begin_anew(missed);
        }
    }

    pub fn leave(&mut self, client: ClientId) {
        self.connected.remove(&client);
    }

    /// To everybody; whoever cannot take it is cut off.
    pub fn publish(&mut self, envelope: &Arc<Envelope>) {
        let mut slow = Vec::new();
        let mut weight = Weight::default();
        for (id, client) in self.connected.iter().filter(|(_, client)| client.listens) {
            if client.queue.0.push(envelope, &mut weight).is_err() {
                slow.push(*id);
            }
        }
        for id in slow {
            self.cut(id, Cut::TooSlow);
        }
    }

    /// To everybody who listens, and part of nothing.
    pub fn tell_all(&mut self, envelope: &Envelope) {
        self.publish(&Arc::new(envelope.clone()));
    }

    /// To those who want to hear it.
    pub fn play(&mut self, envelope: Envelope) {
        let (envelope, mut slow) = (Arc::new(envelope), Vec::new());
        let mut weight = Weight::default();
        for (id, client) in self.connected.iter().filter(|(_, client)| client.plays()) {
            if client.queue.0.push(&envelope, &mut weight).is_err() {
                slow.push(*id);
            }
        }
        for id in slow {
            self.cut(id, Cut::TooSlow);
        }
    }

    /// Sound that has not left yet is not to.
    pub fn forget_sound(&self) {
        self.connected.values().for_each(|client| client.queue.0.forget_sound());
    }

    /// To one alone.
    pub fn send(&mut self, client: ClientId, envelope: Envelope) {
        let Some(known) = self.connected.get(&client) else { return };
        if known.queue.0.push(&Arc::new(envelope), &mut Weight::default()).is_err() {
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
            client.refused = RefusedSound::default();
        }
    }

    /// Whether it is to be told that such sound is not taken: once, until it sends another.
    pub fn refuses(&mut self, client: ClientId, sound: &Sound) -> bool {
        let client = self.connected.get_mut(&client);
        client.is_some_and(|client| client.refused.is_news(sound.sample_rate_hz, sound.channels))
    }

    /// Its sound is right.
    pub fn takes(&mut self, client: ClientId) {
        if let Some(client) = self.connected.get_mut(&client) {
            client.refused.is_right();
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
