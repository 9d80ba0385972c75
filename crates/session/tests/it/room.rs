//! A session with a microphone and a loudspeaker, in virtual time.

use std::sync::Arc;
use std::time::Duration;

use brain::confirmation::Channel;
use brain::input::{Decision, Hello, Sound};
use brain::resolve::keywords::Keywords;
use brain::{Envelope, Event, Input};
use serde_json::json;
use session::{Joined, Registry, SessionHandle};
use testkit::FakeSenses;
use testkit::parts::Thought;
use testkit::senses::silence;
use testkit::writer::Fortune;

use crate::{Stage, house, names, note};

pub(crate) const FRAME: usize = 1_600;

/// A session with a microphone and a loudspeaker.
pub(crate) struct Room {
    pub stage: Stage,
    pub senses: FakeSenses,
    pub session: SessionHandle,
    pub client: Joined,
    pub heard: Vec<Arc<Envelope>>,
}

impl Room {
    pub async fn new() -> Self {
        Self::having(tools::Catalog::new()).await
    }

    pub async fn having(catalog: tools::Catalog) -> Self {
        Self::knowing(Keywords::default(), catalog).await
    }

    /// A session with an agent that has keywords.
    pub async fn knowing(keywords: Keywords, catalog: tools::Catalog) -> Self {
        let (store, senses) = (Arc::default(), FakeSenses::default());
        let (mut house, mind) = house(&store, catalog);
        house.senses = Arc::new(senses.senses());
        house.keywords = keywords;
        let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
        let (session, client) = stage.session().await;
        let mut room = Self { stage, senses, session, client, heard: Vec::new() };
        room.send(Input::Hello(Hello {
            plays_audio: Some(true),
            cancels_echo: true,
            ..Hello::default()
        }))
        .await;
        room
    }

    pub async fn send(&mut self, input: Input) {
        self.session.send(self.client.client, None, input).await.unwrap();
        self.listen(Duration::from_millis(1)).await;
    }

    pub fn will_say(&self, words: &str) {
        self.stage.mind.will_think(Thought { says: Some(words.into()), ..Thought::default() });
    }

    /// Takes in what comes in so long a time.
    pub async fn listen(&mut self, time: Duration) {
        let until = tokio::time::Instant::now() + time;
        while let Ok(Ok(envelope)) = tokio::time::timeout_at(until, self.client.next()).await {
            self.heard.push(envelope);
        }
    }

    /// Sound as a microphone sends it: in its own time.
    pub async fn play(&mut self, sound: Sound) {
        for samples in sound.samples.chunks(FRAME) {
            let sound = Sound { samples: samples.to_vec(), ..sound };
            self.send(Input::Audio(sound)).await;
            self.listen(Duration::from_millis(99)).await;
        }
    }

    /// Somebody says something, surely, and is silent afterwards.
    pub async fn say(&mut self, words: &str) {
        let sound = self.senses.says(words, 1.0);
        self.play(sound).await;
        self.play(silence(1_200)).await;
    }

    /// Takes what came so far.
    pub fn came(&mut self) -> Vec<Arc<Envelope>> {
        std::mem::take(&mut self.heard)
    }

    /// Until the assistant has fallen silent.
    pub async fn until_silent(&mut self) {
        loop {
            let before = self.heard.len();
            self.listen(Duration::from_millis(700)).await;
            if self.heard.len() == before {
                return;
            }
        }
    }
}

pub(crate) fn kept(events: &[Arc<Envelope>]) -> Vec<&'static str> {
    events.iter().filter(|one| one.event.is_kept()).map(|one| one.event.name()).collect()
}

pub(crate) fn partials(events: &[Arc<Envelope>]) -> Vec<&str> {
    let words = events.iter().filter_map(|envelope| match &envelope.event {
        Event::HeardDelta { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

pub(crate) fn heard(events: &[Arc<Envelope>]) -> Vec<&str> {
    let words = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Heard { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

pub(crate) fn codes(events: &[Arc<Envelope>]) -> Vec<&str> {
    let codes = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Failed { code, .. } => Some(code.as_str()),
        _ => None,
    });
    codes.collect()
}

pub(crate) fn at(events: &[Arc<Envelope>], name: &str) -> usize {
    let found = events.iter().position(|envelope| envelope.event.name() == name);
    found.unwrap_or_else(|| panic!("no {name} in {:?}", names(events)))
}

pub fn cancelled(events: &[Arc<Envelope>]) -> Option<(Option<u64>, Option<usize>)> {
    events.iter().find_map(|envelope| match &envelope.event {
        Event::TurnCancelled { heard_ms, heard_chars, .. } => Some((*heard_ms, *heard_chars)),
        _ => None,
    })
}

/// A room with an open card, whose question is being spoken.
pub(crate) async fn with_card() -> (Room, Arc<testkit::FakeWriter>) {
    let writer = note::writer(Fortune::Does(json!({ "id": 1 })));
    let mut room = Room::having(note::with(&writer)).await;
    room.stage.mind.will_think(note::thought("called"));
    room.say("note that I called").await;
    assert!(kept(&room.heard).contains(&"confirmation.request"));
    (room, writer)
}

pub(crate) fn answered(events: &[Arc<Envelope>]) -> Option<(Decision, Channel)> {
    events.iter().find_map(|envelope| match envelope.event {
        Event::Answered { decision, channel, .. } => Some((decision, channel)),
        _ => None,
    })
}
