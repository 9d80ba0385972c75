//! What every session shares: the store, the mind, the tools, the clock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use brain::facts::Memory;
use brain::ids::Uuid;
use brain::resolve::keywords::Keywords;
use brain::resolve::people::{Contact, People};
use brain::{Envelope, Profile, SessionId, UserId, audit};
use jiff::{Timestamp, Unit};
use models::interpreter::Interpreter;
use models::{Focus, Mind, Thinker, World};
use store::{Store, StoreError};
use tokio::sync::{broadcast, mpsc};
use tools::local::{Manner, Occasion};
use tools::{Caller, Catalog, Heard, Personal, Place};

use crate::fair::Fair;
use crate::floor::Floor;
use crate::jobs::JobDesk;
use crate::meter::{Caps, Meter, Unmetered};
use crate::pace::Pace;
use crate::peril::{Calm, Peril};
use crate::places::Places;
use crate::senses::Senses;
use crate::shell::LiveVoice;
use crate::switches::Switches;

/// How old what we know of a person may be before we look again.
const FRESH: Duration = Duration::from_secs(2);
/// Turns that may be worked on at the same time, unless somebody says otherwise.
const MOST_TURNS: usize = 2_000;
/// Pasts that are read, and sessions that are woken, at the same time. Thousands may come back at once; whoever is
/// talking meanwhile does not stand behind them in every queue, and nobody behind all that one
/// person wants.
const MOST_PASTS: usize = 2;

/// How sure a local model has to be, unless somebody says otherwise.
const LEAST_CONFIDENCE: u8 = 50;

/// Events that a watcher may be behind before it misses some.
const WATCHED: usize = 4_096;

/// The parts a session is made of. Tests put fakes in.
pub struct House {
    pub store: Arc<dyn Store>,
    pub mind: Arc<dyn Mind>,
    pub catalog: Arc<Catalog>,
    pub contacts: Arc<dyn ContactBook>,
    /// What the agent's people speak of and ears may not know.
    pub keywords: Keywords,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub agent: String,
    /// What people asked to be remembered, for a word of it on a card.
    pub recollection: Arc<dyn Recollection>,
    /// What goes on while people talk on.
    pub desk: Arc<JobDesk>,
    /// What it hears and speaks with.
    pub senses: Arc<Senses>,
    /// Who hears, thinks and speaks in their place while they are well, if anybody.
    pub live: Option<LiveVoice>,
    /// How each person wants to be spoken to.
    pub manners: Arc<dyn Manners>,
    /// What may be written at all.
    pub switches: Switches,
    /// Who may stop the world; nobody, outside of tests.
    pub peril: Arc<dyn Peril>,
    /// Who people are until they tell us.
    pub stranger: Profile,
    /// A place for every turn that may be worked on at the same time.
    pub places: Places<UserId>,
    /// How many of them one person may have.
    pub turns_each: usize,
    /// How many tools one may use in conversations.
    pub meter: Arc<dyn Meter>,
    /// Who is asked where the rules have no reading, if anybody.
    pub thinker: Option<Arc<dyn Thinker>>,
    /// Who is asked which of a few answers was meant, where the rules cannot tell, if anybody.
    pub interpreter: Option<Arc<dyn Interpreter>>,
    /// How sure somebody on this machine has to be of their plan, of 100, or somebody elsewhere
    /// is asked.
    pub least_confidence: u8,
    /// What that may cost in a day.
    pub caps: Caps,
    /// Whoever wants to know what happens, in every session. Nobody is waited for.
    pub watchers: broadcast::Sender<Arc<Envelope>>,
    /// Who is told that a temporary session has ended, to take it out.
    pub ended: Option<mpsc::UnboundedSender<SessionId>>,
    /// A place for everybody who is told what was, not what is.
    pub(crate) pasts: Fair<UserId>,
    /// And for every session that is woken: whoever wants to talk does not stand behind
    /// those who want to read.
    pub(crate) wakings: Fair<UserId>,
    pub(crate) floor: Floor,
    pub(crate) pace: Pace,
    acquainted: Mutex<Acquainted>,
    /// Whoever turns a switch does it alone.
    switching: tokio::sync::Mutex<()>,
}

/// Who we know, and how often that changed.
#[derive(Default)]
struct Acquainted {
    people: HashMap<UserId, Person>,
    changes: u64,
}

#[derive(Default)]
struct Person {
    /// What we know, and since when.
    known: Option<(u64, Arc<Acquaintance>)>,
    /// Held by whoever looks again.
    looking: Arc<tokio::sync::Mutex<()>>,
}

/// What we know of a person when they begin to speak.
#[derive(Debug)]
pub struct Acquaintance {
    pub profile: Profile,
    pub contacts: People,
}

/// The people a person knows.
#[async_trait]
pub trait ContactBook: Send + Sync {
    async fn contacts(&self, user: UserId) -> Vec<Contact>;
}

/// What a person asked to be remembered.
#[async_trait]
pub trait Recollection: Send + Sync {
    /// What is worth a word when something is to be done with these people, in a
    /// conversation. Nothing, where it cannot be read.
    async fn notes(
        &self,
        user: UserId,
        session: SessionId,
        names: Vec<String>,
        occasion: Occasion,
    ) -> Vec<Memory>;
}

#[async_trait]
impl Recollection for Personal {
    async fn notes(
        &self,
        user: UserId,
        session: SessionId,
        names: Vec<String>,
        occasion: Occasion,
    ) -> Vec<Memory> {
        Self::notes(self, user, session, names, occasion).await.unwrap_or_else(|error| {
            // A card is worth more than a note on it.
            tracing::warn!(%error, "what was to be remembered cannot be read");
            Vec::new()
        })
    }
}

/// How people want to be spoken to.
#[async_trait]
pub trait Manners: Send + Sync {
    /// What this person told us of it. Nothing, where it cannot be read.
    async fn manner(&self, user: UserId) -> Manner;
}

#[async_trait]
impl Manners for Personal {
    async fn manner(&self, user: UserId) -> Manner {
        Self::manner(self, user).await.unwrap_or_else(|error| {
            // A sentence is worth more than how it sounds.
            tracing::warn!(%error, "how somebody wants to be spoken to cannot be read");
            Manner::default()
        })
    }
}

/// Where nothing is remembered.
struct Nothing;

#[async_trait]
impl Manners for Nothing {
    async fn manner(&self, _: UserId) -> Manner {
        Manner::default()
    }
}

#[async_trait]
impl Recollection for Nothing {
    async fn notes(&self, _: UserId, _: SessionId, _: Vec<String>, _: Occasion) -> Vec<Memory> {
        Vec::new()
    }
}

/// Tells the time. Milliseconds are fine enough for people.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
    /// Goes only forward, for measuring.
    fn ticks_us(&self) -> u64;
}

/// Makes ids.
pub trait Ids: Send + Sync {
    fn next(&self) -> Uuid;
}

impl House {
    pub fn new(
        store: Arc<dyn Store>,
        mind: Arc<dyn Mind>,
        catalog: Arc<Catalog>,
        contacts: Arc<dyn ContactBook>,
        stranger: Profile,
    ) -> Self {
        Self {
            desk: JobDesk::new(Arc::clone(&store), Vec::new()),
            store,
            mind,
            catalog,
            contacts,
            keywords: Keywords::default(),
            clock: Arc::new(SystemClock::default()),
            ids: Arc::new(TimeOrderedIds),
            agent: "assistant".into(),
            recollection: Arc::new(Nothing),
            senses: Arc::default(),
            live: None,
            manners: Arc::new(Nothing),
            switches: Switches::default(),
            peril: Arc::new(Calm),
            stranger,
            places: Places::new(MOST_TURNS),
            turns_each: MOST_TURNS,
            meter: Arc::new(Unmetered),
            thinker: None,
            interpreter: None,
            least_confidence: LEAST_CONFIDENCE,
            caps: Caps::default(),
            watchers: broadcast::Sender::new(WATCHED),
            ended: None,
            pasts: Fair::new(MOST_PASTS),
            wakings: Fair::new(MOST_PASTS),
            floor: Floor::default(),
            pace: Pace::default(),
            acquainted: Mutex::default(),
            switching: tokio::sync::Mutex::default(),
        }
    }

    /// Who `user` is, as of at most two seconds ago.
    pub async fn acquaintance(&self, user: UserId) -> Result<Arc<Acquaintance>, StoreError> {
        let looking = match self.remembered(user) {
            Ok(known) => return Ok(known),
            Err(looking) => looking,
        };
        // Many turns may find it old at once; one looks again, the others wait for it.
        let _looking = looking.lock().await;
        if let Ok(known) = self.remembered(user) {
            return Ok(known);
        }
        let (now_us, changes) = (self.clock.ticks_us(), self.acquainted().changes);
        let profile = self.store.profile(user).await?.unwrap_or_else(|| self.stranger.clone());
        let contacts = self.contacts.contacts(user).await.into();
        let known = Arc::new(Acquaintance { profile, contacts });
        let mut acquainted = self.acquainted();
        // What was read while somebody changed it may be old already.
        if acquainted.changes == changes {
            acquainted.people.entry(user).or_default().known = Some((now_us, Arc::clone(&known)));
        }
        Ok(known)
    }

    /// What a listener knows right now.
    pub async fn world(&self, user: UserId, focus: Focus) -> Result<World, StoreError> {
        let known = self.acquaintance(user).await?;
        Ok(World {
            now: self.clock.now().to_zoned(known.profile.zone()),
            profile: known.profile.clone(),
            contacts: known.contacts.clone(),
            keywords: self.keywords.clone(),
            focus,
        })
    }

    /// For whom a tool works.
    pub async fn caller(
        &self,
        user: UserId,
        idempotency_key: String,
        place: Place,
    ) -> Result<Caller, StoreError> {
        let known = self.acquaintance(user).await?;
        let now = self.clock.now().to_zoned(known.profile.zone());
        let (profile, place) = (known.profile.clone(), Some(place));
        Ok(Caller { user, profile, now, idempotency_key, place, heard: Heard::default() })
    }

    /// Stops all writes, or one tool's, or lets them go on; on disk when this returns.
    pub async fn switch(
        &self,
        user: UserId,
        tool: Option<String>,
        off: bool,
    ) -> Result<(), StoreError> {
        let _alone = self.switching.lock().await;
        let now = self.clock.now();
        let what = if off { "switched_off" } else { "switched_on" };
        let line = audit::Line { tool: tool.clone(), ..audit::Line::new(now, user, what) };
        if off {
            // At once, also if the disk takes its time; a failure leaves it off.
            self.switches.add(tool.clone(), now);
        }
        self.store.switch(tool, off.then_some(now), line).await?;
        self.switches.load(self.store.switches().await?);
        Ok(())
    }

    /// Who `user` is, or what to hold while looking again.
    fn remembered(&self, user: UserId) -> Result<Arc<Acquaintance>, Arc<tokio::sync::Mutex<()>>> {
        let now_us = self.clock.ticks_us();
        let mut acquainted = self.acquainted();
        let person = acquainted.people.entry(user).or_default();
        match &person.known {
            Some((since_us, known))
                if Duration::from_micros(now_us.saturating_sub(*since_us)) < FRESH =>
            {
                Ok(Arc::clone(known))
            }
            _ => Err(Arc::clone(&person.looking)),
        }
    }

    /// Saves a profile; the next turn goes by it.
    pub async fn save_profile(&self, user: UserId, profile: Profile) -> Result<(), StoreError> {
        self.store.save_profile(user, profile).await?;
        let mut acquainted = self.acquainted();
        acquainted.changes += 1;
        acquainted.people.entry(user).or_default().known = None;
        Ok(())
    }

    fn acquainted(&self) -> MutexGuard<'_, Acquainted> {
        self.acquainted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    started: std::time::Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { started: std::time::Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        now.round(Unit::Millisecond).unwrap_or(now)
    }

    fn ticks_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// UUIDs that sort by age.
#[derive(Clone, Copy, Debug)]
pub struct TimeOrderedIds;

impl Ids for TimeOrderedIds {
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}
