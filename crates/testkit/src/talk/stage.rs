//! A session with one client, and everything around it under control.

use std::sync::Arc;
use std::time::Duration;

use brain::ids::Uuid;
use brain::plan::ProposedStep;
use brain::resolve::people::Contact;
use brain::{Profile, TurnId, UserId};
use jiff::Zoned;
use models::Mind;
use models::reflex::Reflex;
use session::{ContactBook, House, Joined, Registry, SessionHandle};
use store::memory::MemoryStore;
use tools::local::sample;
use tools::{Catalog, Personal};
use wire::canonical::Canonical;
use wire::{Dialect, Frame};

use super::brief::brief;
use super::script::{Said, Thinks};
use crate::parts::Thought;
use crate::{CountingIds, FakeTool, ManualClock, NoContacts, ScriptedMind};

/// Longer than a blink and shorter than anything a talk waits for: when this
/// passes without an event, everybody is waiting for the talk to go on.
const QUIET: Duration = Duration::from_millis(20);
const NOW: &str = "2026-11-15T10:30:00-08:00[America/Los_Angeles]";
const OWNER: UserId = UserId(Uuid::from_u128(0xA11CE));

#[derive(Default)]
pub(super) struct Stage {
    now: Option<Zoned>,
    scripted: bool,
    fakes: Vec<Arc<FakeTool>>,
    mind: Arc<ScriptedMind>,
    thought: Thought,
    playing: Option<Playing>,
}

struct Playing {
    registry: Registry,
    clock: Arc<ManualClock>,
    session: SessionHandle,
    client: Joined,
    dialect: Canonical,
    /// The turn that an interrupt means when it names none.
    last_turn: Option<TurnId>,
    last_seq: Option<u64>,
}

impl Stage {
    pub async fn perform(&mut self, said: &Said) -> Result<(), String> {
        match said {
            Said::Now(now) => self.now = Some(now.as_ref().clone()),
            Said::Scripted => self.scripted = true,
            Said::Tool { name, level, script } => {
                let name: &'static str = name.clone().leak();
                self.fakes.push(Arc::new(FakeTool::new(name, *level, script.clone())));
            }
            Said::Model(thinks) => self.script_thought(thinks),
            Said::Types(text) => {
                if self.scripted {
                    self.mind.will_think(std::mem::take(&mut self.thought));
                }
                let payload = serde_json::json!({ "text": text, "source": "keyboard" });
                self.send("text.input", &payload).await?;
            }
            Said::Sends(frame) => self.playing().await?.send(frame.clone()).await,
            Said::Interrupts { turn } => {
                let last = self.playing().await?.last_turn.map(|turn| turn.to_string());
                let payload = serde_json::json!({
                    "reason": "barge_in",
                    "cancel_turn_id": turn.clone().or(last),
                });
                self.send("user.interrupt", &payload).await?;
            }
            Said::Clock(by) => {
                self.playing().await?.clock.advance(*by);
                // Sleeping lets every timer on the way ring in its turn.
                tokio::time::sleep(*by).await;
            }
            Said::Restarts => self.restart().await?,
        }
        Ok(())
    }

    /// What came until everybody was quiet.
    pub async fn events(&mut self) -> Vec<String> {
        let Some(playing) = &mut self.playing else { return Vec::new() };
        let mut events = Vec::new();
        while let Ok(Ok(envelope)) = tokio::time::timeout(QUIET, playing.client.next()).await {
            playing.last_seq = envelope.seq.or(playing.last_seq);
            playing.last_turn = envelope.turn_id.or(playing.last_turn);
            for frame in playing.dialect.encode(&envelope) {
                match frame {
                    Frame::Text(text) => events.push(brief(&text)),
                    Frame::Binary(bytes) => events.push(format!("{} bytes", bytes.len())),
                }
            }
        }
        events
    }

    pub async fn leave(self) {
        if let Some(playing) = self.playing {
            playing.registry.close().await;
        }
    }

    fn script_thought(&mut self, thinks: &Thinks) {
        match thinks {
            Thinks::For(takes) => self.thought.takes = *takes,
            Thinks::Acks(text) => self.thought.acknowledgement = Some(text.clone()),
            Thinks::Asks(text) => self.thought.question = Some(text.clone()),
            Thinks::Says(text) => self.thought.says = Some(text.clone()),
            Thinks::Panics => self.thought.panics = true,
            Thinks::Plans { tool, args } => {
                let step = ProposedStep { tool: tool.clone(), args: args.clone() };
                self.thought.proposal.steps.push(step);
            }
        }
    }

    async fn send(&mut self, kind: &str, payload: &serde_json::Value) -> Result<(), String> {
        let frame = serde_json::json!({ "event_type": kind, "payload": payload });
        self.playing().await?.send(frame.to_string()).await;
        Ok(())
    }

    async fn playing(&mut self) -> Result<&mut Playing, String> {
        if self.playing.is_none() {
            self.playing = Some(self.begin().await?);
        }
        Ok(self.playing.as_mut().expect("it has just begun"))
    }

    async fn begin(&self) -> Result<Playing, String> {
        let now = self.now.clone().unwrap_or_else(|| NOW.parse().expect("a valid time"));
        let clock = Arc::new(ManualClock::at(now.timestamp()));
        let stranger = Profile::new(now.time_zone().iana_name().unwrap_or("UTC"));
        let (mind, catalog, contacts): (Arc<dyn Mind>, Catalog, Arc<dyn ContactBook>) =
            if self.scripted {
                let mut catalog = Catalog::new();
                for fake in &self.fakes {
                    catalog = catalog.with(fake.clone());
                }
                (self.mind.clone(), catalog, Arc::new(NoContacts))
            } else {
                let personal = Personal::in_memory().map_err(|error| error.to_string())?;
                let poured = sample::pour(&personal, OWNER, &now).await;
                poured.map_err(|error| error.to_string())?;
                let catalog = personal.catalog();
                (Arc::new(Reflex), catalog, Arc::new(SampleContacts(personal)))
            };
        let store = Arc::new(MemoryStore::default());
        let mut house = House::new(store, mind, Arc::new(catalog), contacts, stranger);
        house.clock = clock.clone();
        house.ids = Arc::new(CountingIds::default());
        let registry = Registry::new(Arc::new(house));
        let session = registry.create(OWNER, None).await.map_err(|error| format!("{error:?}"))?;
        Playing::join(registry, clock, session, None).await
    }

    /// The process dies and comes back: the store is all that is left.
    async fn restart(&mut self) -> Result<(), String> {
        self.playing().await?;
        let before = self.playing.take().expect("it is playing");
        before.registry.close().await;
        let registry = Registry::new(Arc::clone(before.registry.house()));
        let opened = registry.open(before.session.id, OWNER).await;
        let session = opened.map_err(|error| format!("{error:?}"))?;
        self.playing = Some(Playing::join(registry, before.clock, session, before.last_seq).await?);
        Ok(())
    }
}

impl Playing {
    async fn join(
        registry: Registry,
        clock: Arc<ManualClock>,
        session: SessionHandle,
        last_seq: Option<u64>,
    ) -> Result<Self, String> {
        let joined = registry.join(session, last_seq).await;
        let (session, client) = joined.map_err(|error| format!("{error:?}"))?;
        let dialect = Canonical::new(session.id);
        Ok(Self { registry, clock, session, client, dialect, last_turn: None, last_seq })
    }

    async fn send(&mut self, frame: String) {
        match self.dialect.decode(Frame::Text(frame)) {
            Ok(received) => {
                for wire::Received { event_id, input } in received {
                    let sent = self.session.send(self.client.client, event_id, input).await;
                    sent.expect("the session is awake");
                }
            }
            Err(malformed) => {
                let reply = self.session.reply(self.client.client, malformed.into_event()).await;
                reply.expect("the session is awake");
            }
        }
    }
}

struct SampleContacts(Personal);

#[async_trait::async_trait]
impl ContactBook for SampleContacts {
    async fn contacts(&self, user: UserId) -> Vec<Contact> {
        self.0.contacts(user).await.expect("the sample address book can be read")
    }
}
