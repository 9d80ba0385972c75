//! A server that can die and come back, and the people who talk to it.
//!
//! Store and providers outlive it. Each life has a house and a [`Deadly`] of
//! its own: what a dead one left in the middle of something hangs there for
//! ever, its tools included, while the next one goes on from the store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use brain::confirmation::{Answer, Channel};
use brain::ids::Uuid;
use brain::input::Decision;
use brain::{Cursor, Event, Input, Profile, SessionId, TurnId, UserId};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use session::{House, JobDesk, Registry, SessionHandle, Start};
use store::{Store, Switches};
use tools::{Catalog, Tool};

mod device;
mod mortal;

pub use device::{Connection, Device};
use mortal::Mortal;

use crate::parts::{Counting, Script, Thought};
use crate::{
    ByHeart, CountingIds, Deadly, FakeTool, FakeWriter, FlakyStore, Fortune, NoContacts, PacedClock,
};

pub const OWNER: UserId = UserId(Uuid::from_u128(0xA11CE));
const NOW: &str = "2026-11-15T18:30:00Z";
/// Long enough for whatever is under way, shorter than anything that is waited for.
const QUIET: Duration = Duration::from_millis(20);
/// Nobody hangs on a session that does not take anything in.
const PATIENCE: Duration = Duration::from_millis(50);
/// In real time: a device that has not read by then never will.
const READ_BY: Duration = Duration::from_mins(1);
/// The tools that write, as plans spell them.
pub const WRITERS: [&str; 3] = ["gmail.send", "calendar.create_event", "crm.cancel"];

/// What outlives the server, and its latest life.
pub struct Life {
    pub store: Arc<FlakyStore>,
    pub writers: Vec<Arc<FakeWriter>>,
    tools: Vec<Arc<dyn Tool>>,
    mind: Arc<ByHeart>,
    clock: Arc<PacedClock>,
    ids: Arc<CountingIds>,
    pub peril: Arc<Deadly>,
    registry: Registry,
    session: SessionHandle,
    pub devices: Vec<Device>,
    /// How often it died.
    pub deaths: usize,
    sentences: usize,
}

/// A card as the people have seen it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub id: String,
    pub revision: u32,
    pub is_open: bool,
    /// A field of its payload.
    pub field: String,
}

impl Life {
    /// A session with two devices, over `store`; the writers follow `fortunes`.
    pub async fn begin(store: FlakyStore, fortunes: [Vec<Fortune>; 3]) -> Self {
        let store = Arc::new(store);
        let writers: Vec<_> = WRITERS
            .into_iter()
            .zip(fortunes)
            .map(|(name, fortunes)| Arc::new(FakeWriter::new(name, fortunes)))
            .collect();
        let found = Script::Returns(json!({ "id": "m1" }));
        let drafted = Script::Returns(json!({ "id": "d1" }));
        let mut tools: Vec<Arc<dyn Tool>> = vec![
            Arc::new(FakeTool::new("gmail.search", brain::ActionLevel::Read, found)),
            Arc::new(FakeTool::new("gmail.create_draft", brain::ActionLevel::Draft, drafted)),
        ];
        tools.extend(writers.iter().map(|writer| Arc::clone(writer) as Arc<dyn Tool>));
        let now: Timestamp = NOW.parse().expect("a valid time");
        let (mind, clock) = (Arc::new(ByHeart::default()), Arc::new(PacedClock::at(now)));
        let (ids, peril) = (Arc::new(CountingIds::default()), Arc::new(Deadly::default()));
        let house = house(&store, &tools, &mind, &clock, &ids, &peril).await;
        let registry = Registry::new(house);
        registry.work().await.expect("the store can be read");
        let session = registry.create(OWNER, None).await.expect("an empty store takes a session");
        let mut life = Self {
            store,
            writers,
            tools,
            mind,
            clock,
            ids,
            peril,
            registry,
            session,
            devices: vec![Device::default(), Device::default()],
            deaths: 0,
            sentences: 0,
        };
        life.join().await;
        life
    }

    pub fn session(&self) -> SessionId {
        self.session.id
    }

    /// Says something that makes the mind think `thought`.
    pub async fn ask(&mut self, device: usize, sentence: &str, thought: Thought) {
        self.mind.learn(sentence, thought);
        self.say(device, sentence).await;
    }

    pub async fn say(&mut self, device: usize, sentence: &str) {
        let input = Input::Text { text: sentence.to_owned(), attachments: Vec::new() };
        self.send(device, input).await;
    }

    pub async fn interrupt(&mut self, device: usize, turn: Option<TurnId>) {
        self.send(device, Input::Interrupt { turn, heard_ms: None }).await;
    }

    pub async fn extend(&mut self, device: usize, card: &str) {
        self.send(device, Input::Extend { question: card.to_owned() }).await;
    }

    pub async fn answer(
        &mut self,
        device: usize,
        card: &str,
        revision: Option<u32>,
        decision: Decision,
        edited: Option<Map<String, Value>>,
    ) {
        let (question, channel) = (card.to_owned(), Channel::Click);
        self.send(device, Input::Answer { question, decision, edited, revision, channel }).await;
    }

    /// Answers over HTTP; whoever asked may never hear of it.
    pub fn answer_apart(&self, card: &str, revision: Option<u32>, decision: Decision) {
        let (session, question) = (self.session.clone(), card.to_owned());
        let channel = Channel::Api;
        let answer = Answer { decision, revision, edited: None, channel, names_recipient: false };
        tokio::spawn(async move { session.answer(question, answer).await });
    }

    /// Uses one tool, as it stands.
    pub fn run(&self, tool: &str, args: Value) {
        let (session, tool) = (self.session.clone(), tool.to_owned());
        tokio::spawn(async move { session.run(None, tool, args).await });
    }

    pub async fn switch(&self, tool: Option<&str>, off: bool) {
        let house = Arc::clone(self.registry.house());
        // While the disk is full it cannot be written down; off it is all the same.
        let _ = house.switch(OWNER, tool.map(str::to_owned), off).await;
    }

    pub fn fill_disk(&self, full: bool) {
        self.store.full().store(full, Ordering::SeqCst);
    }

    /// Lets time pass, and everybody do what they do then. A server that has
    /// died by the end comes back.
    pub async fn wait(&mut self, long: Duration) {
        tokio::time::sleep(long).await;
        if self.peril.is_dead() {
            self.come_back().await;
        }
        self.join().await;
    }

    pub async fn rest(&mut self) {
        self.wait(QUIET).await;
    }

    /// Stops in good order and starts again.
    pub async fn restart(&mut self) {
        self.registry.close().await;
        self.peril.die();
        self.come_back().await;
    }

    /// Dies wherever it is, and starts again.
    pub async fn die(&mut self) {
        self.peril.die();
        self.come_back().await;
    }

    /// The tool is not there any more when the server comes back.
    pub fn lose_tool(&mut self, name: &str) {
        self.tools.retain(|tool| tool.name() != name);
    }

    async fn come_back(&mut self) {
        for device in &mut self.devices {
            device.hang_up();
        }
        self.deaths += 1;
        self.peril = Arc::new(self.peril.reborn());
        let (mind, clock, ids) = (&self.mind, &self.clock, &self.ids);
        let house = house(&self.store, &self.tools, mind, clock, ids, &self.peril).await;
        self.registry = Registry::new(house);
        self.registry.wake_restless().await.expect("the store can be read");
        // A disk that is full lets nobody work until it is not.
        let _ = self.registry.work().await;
        let opened = self.registry.open(self.session.id, OWNER).await;
        self.session = opened.expect("the session is known");
        self.join().await;
    }

    /// Hangs up and comes back, having forgotten the last `back` kept events.
    pub async fn rejoin(&mut self, device: usize, back: usize) {
        self.devices[device].hang_up();
        self.devices[device].forget(back);
        self.join().await;
    }

    /// Whoever is not connected connects, from where they were.
    async fn join(&mut self) {
        for device in &mut self.devices {
            if device.is_connected() {
                continue;
            }
            let after = device.cursor();
            if let Ok((session, joined)) =
                self.registry.join(self.session.clone(), behind(after)).await
            {
                self.session = session;
                device.connect(joined, after);
            }
        }
    }

    async fn send(&mut self, device: usize, input: Input) {
        self.join().await;
        self.sentences += 1;
        let Some(client) = self.devices[device].client() else { return };
        let name = Some(format!("c{}", self.sentences));
        // A session that is gone or hangs does not hear it.
        let _ = tokio::time::timeout(PATIENCE, self.session.send(client, name, input)).await;
    }

    /// Waits, in vain in the end, until every device has read up to there: what is
    /// replayed from a disk takes real time, and as much as others leave it.
    pub async fn read_up_to(&mut self, last_seq: Option<u64>) {
        let until = std::time::Instant::now() + READ_BY;
        while std::time::Instant::now() < until {
            if self.devices.iter().all(|device| Some(device.cursor()) >= last_seq) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
            self.rest().await;
        }
    }

    /// The cards that anybody has seen, oldest first.
    pub fn cards(&self) -> Vec<Seen> {
        let mut cards: BTreeMap<String, Seen> = BTreeMap::new();
        for envelope in self.devices.iter().flat_map(Device::seen) {
            match &envelope.event {
                Event::AskedToConfirm(question) | Event::QuestionChanged(question) => {
                    let id = question.confirmation_request_id.to_string();
                    let card = cards.entry(id.clone()).or_insert(Seen {
                        id,
                        revision: 0,
                        is_open: true,
                        field: String::new(),
                    });
                    card.revision = card.revision.max(question.revision);
                    card.field = question.card.payload.keys().next().cloned().unwrap_or_default();
                }
                Event::Answered { confirmation_request_id: id, .. }
                | Event::WentUnanswered { confirmation_request_id: id, .. } => {
                    if let Some(card) = cards.get_mut(&id.to_string()) {
                        card.is_open = false;
                    }
                }
                _ => {}
            }
        }
        cards.into_values().collect()
    }

    /// The turn that was heard of last.
    pub fn last_turn(&self) -> Option<TurnId> {
        self.devices.iter().flat_map(Device::seen).filter_map(|envelope| envelope.turn_id).max()
    }
}

async fn house(
    store: &Arc<FlakyStore>,
    tools: &[Arc<dyn Tool>],
    mind: &Arc<ByHeart>,
    clock: &Arc<PacedClock>,
    ids: &Arc<CountingIds>,
    peril: &Arc<Deadly>,
) -> Arc<House> {
    let mortal = |tool: &Arc<dyn Tool>| Arc::new(Mortal::new(Arc::clone(tool), Arc::clone(peril)));
    let catalog = tools.iter().map(mortal).fold(Catalog::new(), |catalog, tool| catalog.with(tool));
    let desk = JobDesk::new(Arc::clone(store) as Arc<dyn Store>, vec![Arc::new(Counting)]);
    let catalog = desk.add_to(catalog);
    let mut house = House::new(
        Arc::clone(store) as Arc<dyn Store>,
        Arc::clone(mind) as Arc<dyn models::Mind>,
        Arc::new(catalog),
        Arc::new(NoContacts),
        Profile::new("UTC"),
    );
    house.desk = desk;
    house.clock = Arc::clone(clock) as Arc<dyn session::Clock>;
    house.ids = Arc::clone(ids) as Arc<dyn session::Ids>;
    house.peril = Arc::clone(peril) as Arc<dyn session::peril::Peril>;
    house.switches.load(store.switches().await.expect("the store can be read"));
    Arc::new(house)
}

/// From where somebody stopped reading.
fn behind(last_seq: u64) -> Start {
    Start::After(Cursor { epoch: None, last_seq })
}
