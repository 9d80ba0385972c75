//! The house in which a talk is played, and the clients who play it.

use std::sync::Arc;
use std::time::Duration;

use brain::ids::Uuid;
use brain::input::Hello;
use brain::resolve::keywords::Keywords;
use brain::resolve::people::Contact;
use brain::{Cursor, Event, Input, Profile, TurnId, UserId};
use jiff::Zoned;
use models::provider::Provider;
use models::reflex::Reflex;
use models::{Mind, Thinker};
use serde_json::{Value, json};
use session::jobs::kinds;
use session::{ContactBook, House, JobDesk, Joined, Registry, Senses, SessionHandle, Start};
use speech::resample::EARS_RATE;
use store::Store;
use store::memory::MemoryStore;
use tools::attachment;
use tools::local::sample;
use tools::{Catalog, Personal};
use wire::canonical::Canonical;
use wire::{Dialect, Frame};

use super::brains::Brains;
use super::brief::brief;
use super::desk::Desk;
use super::script::{Answer, Said, Verb, Who};
use crate::aloud::{self, Room, Somebody};
use crate::modelled::Clueless;
use crate::provider::KEY;
use crate::realtime::{MODEL, Piped, client, lent};
use crate::{CountingIds, Deadly, FakeRealtime, FakeTool, FakeWriter, ManualClock, NoContacts};

/// Longer than a blink and shorter than anything a talk waits for: when this
/// passes without an event, everybody is waiting for the talk to go on.
const QUIET: Duration = Duration::from_millis(20);
/// The same where answers are heard: between two of them nobody speaks for so long.
const BREATH: Duration = Duration::from_secs(3);
/// What a microphone sends at once.
const FRAME: usize = EARS_RATE as usize / 10;
const FRAME_TIME: Duration = Duration::from_millis(100);
const NOW: &str = "2026-11-15T10:30:00-08:00[America/Los_Angeles]";
const OWNER: UserId = UserId(Uuid::from_u128(0xA11CE));

#[derive(Default)]
pub(super) struct Stage {
    now: Option<Zoned>,
    brains: Brains,
    /// Nothing of theirs may leave their machine.
    stays_here: bool,
    keywords: Keywords,
    fakes: Vec<Arc<FakeTool>>,
    writers: Vec<Arc<FakeWriter>>,
    peril: Arc<Deadly>,
    desk: Arc<Desk>,
    playing: Option<Playing>,
    /// What a line brought besides events.
    aside: Vec<String>,
    /// Every frame that the person's own device was sent.
    frames: Vec<String>,
    /// Whoever says aloud what is to be typed.
    speaker: Option<Speaker>,
}

/// Somebody who says the lines of a talk aloud.
pub(super) struct Speaker {
    pub senses: Arc<Senses>,
    pub somebody: Arc<Somebody>,
    pub room: Room,
    /// The noise is so much softer than they are.
    pub decibels: f32,
    /// Who hears, thinks and speaks with them, if anybody does.
    pub live: Option<FakeRealtime>,
}

struct Playing {
    registry: Registry,
    clock: Arc<ManualClock>,
    session: SessionHandle,
    user: Device,
    phone: Option<Device>,
    /// The turn that an interrupt means when it names none.
    last_turn: Option<TurnId>,
    last_seq: Option<u64>,
    /// Every card that was shown, by age.
    cards: Vec<String>,
    /// The person has hung up.
    is_away: bool,
}

/// One connection.
struct Device {
    client: Joined,
    dialect: Canonical,
}

impl Stage {
    /// Everything that would be typed is said.
    pub fn said_by(self, speaker: Speaker) -> Self {
        Self { speaker: Some(speaker), ..self }
    }

    /// Nobody reads a sentence but this model.
    pub fn thinking_with(model: Arc<dyn Provider>) -> Self {
        let mut stage = Self::default();
        stage.brains.are_replaced(model);
        stage
    }

    /// What was sent to the person's device since this was asked last.
    pub fn take_frames(&mut self) -> Vec<String> {
        std::mem::take(&mut self.frames)
    }

    fn live(&self) -> Option<&FakeRealtime> {
        self.speaker.as_ref()?.live.as_ref()
    }

    pub async fn perform(&mut self, said: &Said) -> Result<(), String> {
        match said {
            Said::Now(now) => self.now = Some(now.as_ref().clone()),
            Said::Scripted => self.brains.is_scripted = true,
            Said::Modelled => self.brains.model_reads(),
            Said::Helped => self.brains.model_helps(),
            Said::Guarded => self.brains.local_model_reads(),
            Said::StaysHere => self.stays_here = true,
            Said::Keywords(list) => {
                self.keywords = Keywords::new(list).map_err(|error| error.to_string())?;
            }
            Said::Tool { name, level, script } => {
                let name: &'static str = name.clone().leak();
                self.fakes.push(Arc::new(FakeTool::new(name, *level, script.clone())));
            }
            Said::Writer { name, slowly, fortunes } => {
                let name: &'static str = name.clone().leak();
                let writer = FakeWriter::new(name, fortunes.clone());
                self.writers.push(Arc::new(if *slowly { writer.slowly() } else { writer }));
            }
            Said::Model { brain, thinks } => self.brains.script(*brain, thinks),
            Said::Types(text) if self.speaker.is_some() => self.say(text).await?,
            Said::Types(text) => {
                self.brains.are_asked();
                let payload = json!({ "text": text, "source": "keyboard" });
                self.send("text.input", &payload).await?;
            }
            Said::Attaches { files, text } => {
                let attached = self.hand_over(files).await?;
                let payload =
                    json!({ "text": text, "source": "keyboard", "attachments": attached });
                self.send("text.input", &payload).await?;
            }
            Said::Sends(frame) => self.playing().await?.send(Who::User, frame.clone()).await,
            Said::Answers { who, answer } => self.answer(*who, answer).await?,
            Said::PhoneJoins => self.playing().await?.join_phone().await?,
            Said::Leaves => self.playing().await?.leave().await,
            Said::ComesBack => self.playing().await?.come_back().await?,
            Said::OpensNewChat => self.playing().await?.open_new_chat().await?,
            Said::HoldsWork(hold) => self.peril.hold_work(*hold),
            Said::Ledger => self.read_ledger(),
            Said::Switch { tool, off } => {
                let house = Arc::clone(self.playing().await?.registry.house());
                let switched = house.switch(OWNER, tool.clone(), *off).await;
                switched.map_err(|error| error.to_string())?;
            }
            Said::Dies { moment, side } => self.peril.kill_at(*moment, *side, 1),
            Said::Interrupts { turn } => {
                let last = self.playing().await?.last_turn.map(|turn| turn.to_string());
                let payload = json!({
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
            Said::AnotherChat => self.another_chat().await?,
        }
        Ok(())
    }

    /// Says it as into a microphone, and is quiet until it has been understood.
    async fn say(&mut self, text: &str) -> Result<(), String> {
        let Some(speaker) = &mut self.speaker else { return Ok(()) };
        if let Some(live) = &speaker.live {
            live.will_hear(text);
        }
        let voice = speaker.somebody.says(text);
        let sound = speaker.room.with(&voice, 4 * FRAME, 30 * FRAME, speaker.decibels);
        for frame in sound.chunks(FRAME) {
            let playing = self.playing().await?;
            let sound = Input::Audio(aloud::sound(frame));
            let sent = playing.session.send(playing.user.client.client, None, sound).await;
            sent.map_err(|error| format!("{error:?}"))?;
            tokio::time::sleep(FRAME_TIME).await;
        }
        Ok(())
    }

    /// What came until everybody was quiet.
    pub async fn events(&mut self) -> Vec<String> {
        let mut events = std::mem::take(&mut self.aside);
        let quiet = if self.live().is_some() { BREATH } else { QUIET };
        let Some(playing) = &mut self.playing else { return events };
        if playing.is_away {
            // Everybody else goes on meanwhile.
            tokio::time::sleep(QUIET * 10).await;
            return events;
        }
        while let Ok(Ok(envelope)) = tokio::time::timeout(quiet, playing.user.client.next()).await {
            playing.last_seq = envelope.seq.or(playing.last_seq);
            playing.last_turn = envelope.turn_id.or(playing.last_turn);
            if let Event::AskedToConfirm(question) = &envelope.event {
                playing.cards.push(question.confirmation_request_id.to_string());
            }
            for frame in playing.user.dialect.encode(&envelope) {
                match frame {
                    Frame::Text(text) => {
                        events.push(brief(&text));
                        self.frames.push(text);
                    }
                    Frame::Binary(bytes) => events.push(format!("{} bytes", bytes.len())),
                }
            }
        }
        if let Some(phone) = &mut playing.phone {
            // Both see the same; only what the phone alone is told is worth a line.
            while let Some(envelope) = phone.client.try_next() {
                let alone = envelope.seq.is_none();
                for frame in phone.dialect.encode(&envelope) {
                    if let Frame::Text(text) = frame
                        && alone
                    {
                        events.push(format!("phone: {}", brief(&text)));
                    }
                }
            }
        }
        events
    }

    /// Ends the talk; what was sent to the person's device is left.
    pub async fn leave(self) -> Vec<String> {
        self.peril.is_alive_again();
        if let Some(playing) = self.playing {
            playing.registry.close().await;
        }
        self.frames
    }

    fn read_ledger(&mut self) {
        for writer in &self.writers {
            for seals in writer.ledger.effects().values() {
                let same = seals.iter().all(|seal| *seal == seals[0]);
                let what = if same { "" } else { ", not the same every time" };
                self.aside.push(format!("{} done {} times{what}", writer.name(), seals.len()));
            }
            if writer.ledger.effects().is_empty() {
                self.aside.push(format!("{} never done", writer.name()));
            }
            if writer.ledger.stolen() > 0 {
                self.aside.push(format!("{} without a yes", writer.name()));
            }
        }
    }

    async fn answer(&mut self, who: Who, answer: &Answer) -> Result<(), String> {
        let playing = self.playing().await?;
        let shown = playing.cards.len();
        let at = answer.card.unwrap_or(shown).checked_sub(1).ok_or("no card was shown")?;
        let card = playing.cards.get(at).ok_or("there is no such card")?;
        let mut payload = json!({ "confirmation_request_id": card });
        let kind = match &answer.verb {
            Verb::Extends => "confirm.extend",
            Verb::Accepts | Verb::Rejects | Verb::Edits(_) => "confirm.response",
        };
        match &answer.verb {
            Verb::Accepts => payload["decision"] = "accept".into(),
            Verb::Rejects => payload["decision"] = "reject".into(),
            Verb::Edits(fields) => {
                payload["decision"] = "edit".into();
                payload["edited_payload"] = fields.clone();
            }
            Verb::Extends => {}
        }
        if let Some(revision) = answer.revision {
            payload["revision"] = revision.into();
        }
        let frame = json!({ "event_type": kind, "payload": payload });
        playing.send(who, frame.to_string()).await;
        Ok(())
    }

    /// Puts files on the desk as the server would, with what is in them.
    async fn hand_over(&mut self, files: &[String]) -> Result<Vec<String>, String> {
        let desk = Arc::clone(&self.desk);
        let house = Arc::clone(self.playing().await?.registry.house());
        let mut ids = Vec::new();
        for name in files {
            let row = desk.take(name, OWNER, house.ids.next(), house.clock.now())?;
            ids.push(row.file.to_string());
            let kept = house.store.hand_over(row, u64::MAX).await;
            kept.map_err(|error| error.to_string())?;
        }
        Ok(ids)
    }

    async fn send(&mut self, kind: &str, payload: &Value) -> Result<(), String> {
        let frame = json!({ "event_type": kind, "payload": payload });
        self.playing().await?.send(Who::User, frame.to_string()).await;
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
        let mut stranger = Profile::new(now.time_zone().iana_name().unwrap_or("UTC"));
        let mut remembered = None;
        let (mind, catalog, contacts): (Arc<dyn Mind>, Catalog, Arc<dyn ContactBook>) =
            if self.brains.is_scripted {
                let mut catalog = Catalog::new();
                for fake in &self.fakes {
                    catalog = catalog.with(fake.clone());
                }
                for writer in &self.writers {
                    catalog = catalog.with(writer.clone());
                }
                (self.brains.mind.clone(), catalog, Arc::new(NoContacts))
            } else {
                let personal = Personal::in_memory().map_err(|error| error.to_string())?;
                let poured = sample::pour(&personal, OWNER, &now).await;
                poured.map_err(|error| error.to_string())?;
                stranger = Profile { time_zone: stranger.time_zone, ..sample::owner() };
                let catalog = attachment::add_to(personal.catalog(), self.desk.clone());
                remembered = Some(personal.clone());
                (Arc::new(Reflex), catalog, Arc::new(SampleContacts(personal)))
            };
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let desk = JobDesk::new(Arc::clone(&store), kinds::shipped());
        let catalog = desk.add_to(catalog);
        let thinker = self.brains.planner(&catalog);
        let mind = if self.brains.replace_rules() { Arc::new(Clueless) } else { mind };
        stranger.cloud_models = !self.stays_here;
        let mut house = House::new(store, mind, Arc::new(catalog), contacts, stranger);
        house.thinker = thinker.map(|planner| Arc::new(planner) as Arc<dyn Thinker>);
        house.interpreter = self.brains.interpreter();
        house.keywords = self.keywords.clone();
        house.desk = desk;
        house.clock = clock.clone();
        house.ids = Arc::new(CountingIds::default());
        house.peril = self.peril.clone();
        if let Some(speaker) = &self.speaker {
            house.senses = Arc::clone(&speaker.senses);
        }
        if let Some(fake) = self.live().cloned() {
            house.live = Some(lent(&house.catalog, |tools| {
                let realtime = client(fake.base(), KEY, MODEL, tools);
                Arc::new(Piped { realtime, fake })
            }));
        }
        if let Some(personal) = remembered {
            house.recollection = Arc::new(personal.clone());
            house.manners = Arc::new(personal);
        }
        let registry = Registry::new(Arc::new(house));
        registry.work().await.map_err(|error| error.to_string())?;
        let session = registry.create(OWNER, None).await.map_err(|error| format!("{error:?}"))?;
        let playing = Playing::join(registry, clock, session, None).await?;
        if self.speaker.is_some() {
            // With our own voice they read what is answered: nothing has to be waited for.
            let plays_audio = Some(self.live().is_some());
            let hello = Hello { plays_audio, cancels_echo: true, ..Hello::default() };
            let sent = playing.session.send(playing.user.client.client, None, Input::Hello(hello));
            sent.await.map_err(|error| format!("{error:?}"))?;
        }
        Ok(playing)
    }

    /// The same person somewhere else: what was said here is not known there.
    async fn another_chat(&mut self) -> Result<(), String> {
        self.playing().await?;
        let before = self.playing.take().expect("it is playing");
        let created = before.registry.create(OWNER, None).await;
        let session = created.map_err(|error| format!("{error:?}"))?;
        self.playing = Some(Playing::join(before.registry, before.clock, session, None).await?);
        Ok(())
    }

    /// The process dies and comes back: the store is all that is left. Whoever
    /// died at a moment of the talk's choice hangs there for ever.
    async fn restart(&mut self) -> Result<(), String> {
        self.playing().await?;
        let before = self.playing.take().expect("it is playing");
        if self.peril.is_dead() {
            // Nobody of the former house is left to take what is meant for the next one.
            before.registry.stopping().cancel();
            tokio::time::sleep(QUIET).await;
        } else {
            before.registry.close().await;
        }
        self.peril.is_alive_again();
        let registry = Registry::new(Arc::clone(before.registry.house()));
        registry.wake_restless().await.map_err(|error| format!("{error:?}"))?;
        registry.work().await.map_err(|error| error.to_string())?;
        let opened = registry.open(before.session.id, OWNER).await;
        let session = opened.map_err(|error| format!("{error:?}"))?;
        let mut playing = Playing::join(registry, before.clock, session, before.last_seq).await?;
        playing.cards = before.cards;
        self.playing = Some(playing);
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
        let behind = |last_seq| Start::After(Cursor { epoch: None, last_seq });
        let joined = registry.join(session, last_seq.map_or(Start::Now, behind)).await;
        let (session, client) = joined.map_err(|error| format!("{error:?}"))?;
        let user = Device { client, dialect: Canonical::new(session.id) };
        let (phone, last_turn, cards) = (None, None, Vec::new());
        let is_away = false;
        Ok(Self { registry, clock, session, user, phone, last_turn, last_seq, cards, is_away })
    }

    async fn leave(&mut self) {
        self.session.leave(self.user.client.client).await;
        self.is_away = true;
    }

    async fn come_back(&mut self) -> Result<(), String> {
        let last_seq = self.last_seq.unwrap_or(0);
        let behind = Start::After(Cursor { epoch: None, last_seq });
        let opened = self.registry.open(self.session.id, OWNER).await;
        self.join_again(opened.map_err(|error| format!("{error:?}"))?, behind).await
    }

    async fn open_new_chat(&mut self) -> Result<(), String> {
        let session = self.registry.create(OWNER, None).await;
        self.join_again(session.map_err(|error| format!("{error:?}"))?, Start::Now).await
    }

    async fn join_again(&mut self, session: SessionHandle, start: Start) -> Result<(), String> {
        let joined = self.registry.join(session, start).await;
        let (session, client) = joined.map_err(|error| format!("{error:?}"))?;
        self.user = Device { client, dialect: Canonical::new(session.id) };
        (self.session, self.is_away) = (session, false);
        Ok(())
    }

    async fn join_phone(&mut self) -> Result<(), String> {
        let first = Start::After(Cursor { epoch: None, last_seq: 0 });
        let joined = self.registry.join(self.session.clone(), first).await;
        let (session, mut client) = joined.map_err(|error| format!("{error:?}"))?;
        let mut dialect = Canonical::new(session.id);
        while let Ok(Ok(envelope)) = tokio::time::timeout(QUIET, client.next()).await {
            dialect.encode(&envelope);
        }
        self.phone = Some(Device { client, dialect });
        Ok(())
    }

    async fn send(&mut self, who: Who, frame: String) {
        let device = match (who, &mut self.phone) {
            (Who::Phone, Some(phone)) => phone,
            _ => &mut self.user,
        };
        let client = device.client.client;
        match device.dialect.decode(Frame::Text(frame)) {
            Ok(received) => {
                for wire::Received { event_id, input } in received {
                    let sent = self.session.send(client, event_id, input).await;
                    sent.expect("the session is awake");
                }
            }
            Err(malformed) => {
                let reply = self.session.reply(client, malformed.into_event()).await;
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
