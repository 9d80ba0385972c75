//! A session with a microphone, a loudspeaker and a live voice, and what is read of it.

use std::sync::Arc;
use std::time::Duration;

use brain::ids::Uuid;
use brain::input::{Hello, Sound};
use brain::{Envelope, Event, Input, Profile, UserId};
use models::Thinker;
use models::realtime::Live;
use serde_json::Value;
use session::meter::Caps;
use session::{House, Joined, Registry, SessionHandle, Start};
use store::Store;
use testkit::modelled::Clueless;
use testkit::provider::KEY;
use testkit::realtime::{MODEL, client as realtime, lent};
use testkit::senses::silence;
use testkit::{FakeRealtime, FakeSenses, FlakyStore, NoContacts, ScriptedModel};
use tools::Catalog;

pub const USER: UserId = UserId(Uuid::from_u128(0xA11CE));
/// Nothing here takes longer.
pub const PATIENCE: Duration = Duration::from_secs(20);
const FRAME: usize = 1_600;

/// A session with a microphone, a loudspeaker and a live voice.
pub struct Room {
    pub fake: FakeRealtime,
    pub senses: FakeSenses,
    pub store: Arc<FlakyStore>,
    pub session: SessionHandle,
    pub client: Joined,
    pub registry: Registry,
}

impl Room {
    pub async fn having(catalog: Catalog, classic: Option<Arc<ScriptedModel>>) -> Self {
        Self::with(FakeRealtime::start().await, catalog, classic).await
    }

    pub async fn with(
        fake: FakeRealtime,
        catalog: Catalog,
        classic: Option<Arc<ScriptedModel>>,
    ) -> Self {
        Self::of(Profile::new("UTC"), fake, catalog, classic).await
    }

    pub async fn of(
        person: Profile,
        fake: FakeRealtime,
        catalog: Catalog,
        classic: Option<Arc<ScriptedModel>>,
    ) -> Self {
        Self::capped(Caps::default(), person, fake, catalog, classic).await
    }

    pub async fn capped(
        caps: Caps,
        person: Profile,
        fake: FakeRealtime,
        catalog: Catalog,
        classic: Option<Arc<ScriptedModel>>,
    ) -> Self {
        let (store, senses) = (Arc::<FlakyStore>::default(), FakeSenses::default());
        let catalog = Arc::new(catalog);
        let mut house = House::new(
            store.clone() as Arc<dyn Store>,
            Arc::new(Clueless),
            Arc::clone(&catalog),
            Arc::new(NoContacts),
            person,
        );
        house.senses = Arc::new(senses.senses());
        house.thinker = classic.map(|model| -> Arc<dyn Thinker> {
            Arc::new(ScriptedModel::planner_of(None, Some(&model), &catalog))
        });
        let live = |tools| -> Arc<dyn Live> { Arc::new(realtime(fake.base(), KEY, MODEL, tools)) };
        house.live = Some(lent(&catalog, live));
        house.caps = caps;
        let registry = Registry::new(Arc::new(house));
        let session = registry.create(USER, None).await.unwrap();
        let (session, client) = registry.join(session, Start::Now).await.unwrap();
        let mut room = Self { fake, senses, store, session, client, registry };
        let hello = Hello { plays_audio: Some(true), cancels_echo: true, ..Hello::default() };
        room.send(Input::Hello(hello)).await;
        // A microphone sends before anybody speaks: the line is open by then.
        room.play(silence(200)).await;
        room
    }

    /// Until it is on the line for the so-manieth time.
    pub async fn line(&self, number: usize) {
        let open = async {
            while self.fake.lines() < number || self.fake.came(number).is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, open).await.expect("another line is opened");
        // It is known here a moment later.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    pub async fn send(&mut self, input: Input) {
        self.session.send(self.client.client, None, input).await.unwrap();
    }

    pub async fn play(&mut self, sound: Sound) {
        for samples in sound.samples.chunks(FRAME) {
            let sound = Sound { samples: samples.to_vec(), ..sound };
            self.send(Input::Audio(sound)).await;
        }
    }

    /// Somebody says something; both ears hear the same.
    pub async fn say(&mut self, words: &str) {
        self.fake.will_hear(words);
        let sound = self.senses.says(words, 1.0);
        self.play(sound).await;
        self.play(silence(1_200)).await;
    }

    /// Everything up to what is waited for.
    pub async fn until(
        &mut self,
        what: &str,
        is_it: impl Fn(&Event) -> bool,
    ) -> Vec<Arc<Envelope>> {
        let mut events = Vec::new();
        loop {
            let next = tokio::time::timeout(PATIENCE, self.client.next()).await;
            let Ok(Ok(envelope)) = next else {
                let names: Vec<_> =
                    events.iter().map(|it: &Arc<Envelope>| it.event.name()).collect();
                panic!("{what} does not come; there was {names:?}; {:?}", self.fake.mistakes());
            };
            let found = is_it(&envelope.event);
            events.push(envelope);
            if found {
                return events;
            }
        }
    }

    pub async fn until_over(&mut self) -> Vec<Arc<Envelope>> {
        self.until("the end of a turn", |event| {
            matches!(event, Event::TurnEnded { .. } | Event::TurnCancelled { .. })
        })
        .await
    }

    pub async fn until_heard(&mut self) -> Vec<Arc<Envelope>> {
        self.until("that it was heard", |event| matches!(event, Event::SoundEnded { .. })).await
    }

    /// What it was told over a line, by kind, without what it only reads.
    pub fn told(&self, line: usize) -> Vec<String> {
        let kind = |event: &Value| {
            let kind = event["type"].as_str().unwrap_or_default();
            match event["item"]["type"].as_str() {
                Some(item) => format!("{kind} {item}"),
                None => kind.to_owned(),
            }
        };
        let reads = |event: &&Value| event["response"]["conversation"] != "none";
        self.fake.came(line).iter().filter(reads).map(kind).collect()
    }
}

pub fn said(events: &[Arc<Envelope>]) -> String {
    let said = events.iter().rev().find_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.clone()),
        _ => None,
    });
    said.expect("something was said")
}

pub fn codes(events: &[Arc<Envelope>]) -> Vec<&str> {
    let codes = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Failed { code, .. } => Some(code.as_str()),
        _ => None,
    });
    codes.collect()
}

/// Where in the text each piece of sound is, in the order it came.
pub fn heard_at(events: &[Arc<Envelope>]) -> Vec<(usize, usize)> {
    let at = |envelope: &Arc<Envelope>| match envelope.event {
        Event::Sounded { text_start, text_end, .. } => Some((text_start, text_end)),
        _ => None,
    };
    events.iter().filter_map(at).collect()
}

pub fn nothing() -> Catalog {
    Catalog::new()
}
