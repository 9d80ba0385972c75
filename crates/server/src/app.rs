//! Puts the parts together.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use async_trait::async_trait;
use brain::resolve::people::Contact;
use brain::{Profile, SessionId, UserId};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use metrics_exporter_prometheus::PrometheusHandle;
use models::paraphrase::{Attentive, Ear, Encoder, MiniLm, Shared};
use models::{Mind, Reflex};
use rustix::fs::Mode;
use session::jobs::kinds;
use session::meter::Caps;
use session::{ContactBook, House, JobDesk, Places, Registry};
use store::Store;
use store::sqlite::SqliteStore;
use tokio::sync::mpsc;
use tokio_util::task::TaskTracker;
use tools::attachment::{self, Papers};
use tools::local::sample::{self, Poured};
use tools::memory::meaning::Meaning;
use tools::{Catalog, Personal};

use crate::config::{Limits, Settings};
use crate::doors::{self, Doors, LOCAL_USER};
use crate::limits::{Allowances, InTalks, Who};
use crate::reading::{ReadThrough, Reader};
use crate::senses::Models;
use crate::sweep::Sweeper;
use crate::uploads::{PAPERS, UPLOADS, Uploads};

mod agent;
pub mod brains;
mod live;

pub use agent::Agent;
pub use live::realtime;

/// Searches that are under way or wait for their turn.
const MOST_SEARCHES: usize = 256;

/// Everything the routes need.
pub struct App {
    pub registry: Registry,
    pub doors: Doors,
    pub limits: Limits,
    pub allowances: Arc<Allowances>,
    pub metrics: PrometheusHandle,
    /// The streams that are open.
    pub connections: Places<Who>,
    /// People who are looking for something.
    pub searches: Places<UserId>,
    /// Open conversations; at the end each is told goodbye before we leave.
    pub sockets: TaskTracker,
    pub agent: Agent,
    /// We are reached by https.
    pub is_tls: bool,
    /// What people handed over.
    pub uploads: Arc<Uploads>,
    /// Whoever reads it.
    pub reader: Reader,
    /// What is not to be kept; whoever serves starts it.
    pub leavings: Mutex<Option<Leavings>>,
    /// Mail, calendar, contacts and memories on this machine.
    pub personal: Personal,
    /// What it hears and speaks with.
    pub models: Models,
    /// What is understood when it is said aloud; empty where whoever listens finds out.
    pub hearing_language: String,
    /// How fast people are spoken to who said nothing of it, in percent.
    pub usual_pace: u16,
    pub started_at: Timestamp,
    /// Everybody may open the inspector.
    pub is_inspected: bool,
    /// What is wrong with the settings, and what to do; for operators.
    pub warnings: Vec<String>,
    /// There is nothing to look up yet.
    pub is_empty: bool,
    /// Held as long as we live: two servers never share a data folder.
    lock: File,
}

/// Who takes things out, and where it hears of temporary chats that have ended.
pub type Leavings = (Sweeper, mpsc::UnboundedReceiver<SessionId>);

impl App {
    /// Opens the data folder and wires everything. What was poured in tells
    /// whether sample data was made just now.
    pub async fn open(
        settings: &Settings,
        metrics: PrometheusHandle,
    ) -> anyhow::Result<(Arc<Self>, Option<Poured>)> {
        let agent = Agent::named(&settings.agent)?;
        let lock = lock(&settings.data)?;
        for path in readable_by_others(&settings.data) {
            tracing::warn!(path = %path.display(), "others on this machine can read it; chmod go= it");
        }
        let (sessions, personal) =
            (settings.data.join("sayso.db"), settings.data.join("personal.db"));
        let cannot = |file: &Path| {
            format!("{} cannot be opened; `sayso doctor` may know why", file.display())
        };
        let store = SqliteStore::open(&sessions).with_context(|| cannot(&sessions))?;
        let store: Arc<dyn Store> = Arc::new(store);
        let (folder, papers) = (settings.data.join(UPLOADS), settings.data.join(PAPERS));
        let uploads = Arc::new(Uploads::open(&folder, &papers, &*store).await?);
        let reader = Reader::new(Arc::clone(&store), Arc::clone(&uploads));
        let personal = Personal::open(&personal).with_context(|| cannot(&personal))?;
        let model = sentence_model(settings);
        let personal = match &model {
            Some(model) => personal.hearing(Arc::new(Hears(model.clone()))),
            None => personal,
        };
        let mut work = kinds::shipped();
        work.push(Arc::new(ReadThrough(reader.clone())));
        let desk = JobDesk::new(Arc::clone(&store), work);
        let catalog = agent.allowed(&catalog(&personal, Arc::new(reader.clone()), &desk))?;
        let stranger = Profile::new(zone_name(settings)?);
        let contacts = Arc::new(PersonalContacts(personal.clone()));
        let mind = mind(settings, model);
        let mut house = House::new(store, mind, Arc::new(catalog), contacts, stranger.clone());
        house.desk = desk;
        house.recollection = Arc::new(personal.clone());
        house.manners = Arc::new(personal.clone());
        let models = Models::of(settings)?;
        house.senses = Arc::new(models.senses());
        let brains = brains::of(settings, &house.catalog)?;
        (house.thinker, house.interpreter) = (brains.thinker, brains.interpreter);
        house.least_confidence = settings.models.least_confidence_percent;
        house.live = live::voice(settings, &house.catalog)?;
        house.caps = Caps {
            micros_each: settings.models.cap_millidollars_each.saturating_mul(1000),
            micros_in_all: settings.models.cap_millidollars_in_all.saturating_mul(1000),
            tokens_each: settings.models.cap_tokens_each,
        };
        house.agent.clone_from(&agent.name);
        house.keywords = agent.keywords(&settings.speech.keywords)?;
        let (ended, leavings) = mpsc::unbounded_channel();
        house.ended = Some(ended);
        house.places = Places::new(settings.limits.turns);
        // Who is alone has all there is.
        let is_shared = doors::asks(settings);
        let turns =
            if is_shared { settings.limits.turns_per_person } else { settings.limits.turns };
        house.turns_each = turns;
        let allowances = Arc::new(Allowances::new(&settings.limits));
        house.meter = Arc::new(InTalks { allowances: Arc::clone(&allowances), is_shared });
        #[cfg(feature = "perils")]
        if let Some(peril) = crate::perils::from_env()? {
            house.peril = peril;
        }
        // Before the first request: what was paused stays paused.
        let paused = house.store.switches().await;
        house.switches.load(paused.context("which writes are paused cannot be read")?);
        let doors = Doors::open(settings, Arc::clone(&house.store)).await?;
        let poured = if settings.demo { pour(&house, &personal, stranger).await? } else { None };
        let is_empty = personal.contacts(LOCAL_USER).await?.is_empty();
        tokio::spawn(catch_up(personal.clone()));
        let store = Arc::clone(&house.store);
        let mut sweeper =
            Sweeper::new(store, Arc::clone(&uploads), personal.clone(), settings.retention);
        let left = sweeper.after_the_start().await;
        left.context("what a former start left behind cannot be taken out")?;
        let started_at = house.clock.now();
        let warnings = warnings(settings, &house, readable_by_others(&settings.data).is_empty());
        let app = Self {
            started_at,
            is_inspected: settings.ui.inspector,
            hearing_language: settings.hearing_language().to_owned(),
            usual_pace: settings.speech.speed_percent.into(),
            warnings,
            doors,
            uploads,
            reader,
            leavings: Mutex::new(Some((sweeper, leavings))),
            personal,
            registry: Registry::new(Arc::new(house)),
            limits: settings.limits,
            is_tls: settings.tls.is_on(),
            allowances,
            metrics,
            connections: Places::new(settings.limits.connections),
            searches: Places::new(MOST_SEARCHES),
            sockets: TaskTracker::new(),
            agent,
            models,
            is_empty,
            lock,
        };
        Ok((Arc::new(app), poured))
    }

    /// Says in the data folder where to find whoever uses it.
    pub fn listens_at(&self, address: SocketAddr) -> anyhow::Result<()> {
        let told = self.lock.set_len(0).and_then(|()| {
            let line = format!("{address}\n");
            self.lock.write_all_at(line.as_bytes(), 0)
        });
        told.context("the data folder cannot be written to")
    }
}

/// What an operator would want to know before somebody else notices.
fn warnings(settings: &Settings, house: &House, is_private: bool) -> Vec<String> {
    let senses = &house.senses;
    let is_open = !settings.listen.ip().is_loopback();
    let warnings = [
        (settings.speech.hear && senses.hearing.is_none())
            .then_some("nobody is heard: the models are missing; `make assets` fetches them"),
        (settings.speech.speak && senses.speaking.is_none())
            .then_some("nothing is spoken: the voice is missing; `make assets` fetches it"),
        (is_open && !settings.tls.is_on()).then_some(
            "others can reach this server without TLS; start with `--tls CERT KEY`, or only \
             behind a proxy that has it",
        ),
        (!is_private).then_some("others on this machine can read the data folder; chmod go= it"),
        settings.demo.then_some("the mailbox and the calendar are samples (`demo`)"),
    ];
    warnings.into_iter().flatten().map(str::to_owned).collect()
}

/// Every tool there is.
pub fn catalog(personal: &Personal, papers: Arc<dyn Papers>, desk: &Arc<JobDesk>) -> Catalog {
    desk.add_to(attachment::add_to(personal.catalog(), papers))
}

/// The model that hears what sentences mean, where it was fetched.
fn sentence_model(settings: &Settings) -> Option<Shared> {
    let is_there = MiniLm::files(&settings.assets).iter().all(|file| file.is_file());
    is_there.then(|| Shared::new(settings.assets.clone()))
}

/// Rules, with an ear for paraphrases where its model is there.
fn mind(settings: &Settings, model: Option<Shared>) -> Arc<dyn Mind> {
    match model.filter(|_| settings.paraphrases) {
        Some(model) => Arc::new(Attentive::new(Ear::open(model))),
        None => Arc::new(Reflex),
    }
}

/// What was kept while there was no model, or another one, is heard now.
async fn catch_up(personal: Personal) {
    match personal.catch_up_on_meanings().await {
        Ok(0) => {}
        Ok(heard) => tracing::info!(heard, "what memories mean was looked at again"),
        Err(error) => tracing::warn!(%error, "memories are found by their words alone for now"),
    }
}

/// The sentence model, as the memory tools know one.
struct Hears(Shared);

impl Meaning for Hears {
    fn model(&self) -> &str {
        self.0.name()
    }

    fn direction(&self, sentence: &str) -> Option<Vec<f32>> {
        self.0.model()?.encode(sentence).ok()
    }
}

/// Who uses the folder holds this file, and says in it where they listen.
const LOCK: &str = "lock";

/// Where whoever uses this folder said that they listen.
pub fn held_at(data: &Path) -> Option<SocketAddr> {
    std::fs::read_to_string(data.join(LOCK)).ok()?.trim().parse().ok()
}

/// Makes the folder and takes it for ourselves.
pub fn lock(data: &Path) -> anyhow::Result<File> {
    make_folder(data)?;
    let mut open = File::options();
    // What stands in it is of whoever holds it.
    open.write(true).create(true).truncate(false);
    let file = open
        .open(data.join(LOCK))
        .with_context(|| format!("the data folder {} cannot be written to", data.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!(
            "another Sayso is using {}; stop it, or choose another folder with --data",
            data.display()
        ),
        Err(TryLockError::Error(error)) => Err(error).context("the data folder cannot be locked"),
    }
}

/// Mail is in there: nobody else on this machine is to read it, nor anything else that
/// this process makes from now on, also where the folder was made by somebody else.
pub fn make_folder(data: &Path) -> anyhow::Result<()> {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(data)
        .with_context(|| format!("the data folder {} cannot be made", data.display()))
}

/// What holds mail in there and can be read by others on this machine.
pub fn readable_by_others(data: &Path) -> Vec<PathBuf> {
    let is_open = |path: &Path| path.metadata().is_ok_and(|known| known.mode() & 0o077 != 0);
    if !is_open(data) {
        return Vec::new();
    }
    let held = ["sayso.db", "personal.db", "uploads"].map(|name| data.join(name));
    held.into_iter().filter(|path| is_open(path)).collect()
}

/// The zone people are in until they say otherwise.
pub fn zone_name(settings: &Settings) -> anyhow::Result<String> {
    if settings.time_zone.is_empty() {
        return Ok(TimeZone::system().iana_name().unwrap_or("UTC").to_owned());
    }
    TimeZone::get(&settings.time_zone).with_context(|| {
        format!("`time_zone = \"{}\"`: use a name such as Europe/Berlin", settings.time_zone)
    })?;
    Ok(settings.time_zone.clone())
}

/// The sample data belongs to somebody, and whoever tries it out is them: the
/// person of this machine, and everybody who has a key.
async fn pour(
    house: &House,
    personal: &Personal,
    stranger: Profile,
) -> anyhow::Result<Option<Poured>> {
    let now = Zoned::now().with_time_zone(stranger.zone());
    let keys = house.store.keys().await.context("the keys cannot be read")?;
    let users: BTreeSet<_> = keys.iter().map(|key| key.user).chain([LOCAL_USER]).collect();
    let mut all = None;
    for user in users {
        let poured = sample::pour(personal, user, &now).await?;
        if poured.mails == 0 {
            continue;
        }
        all = Some(poured);
        if house.store.profile(user).await?.is_none() {
            // Their clock is this machine's, or "tomorrow" would be another day than on the wall.
            let time_zone = stranger.time_zone.clone();
            house.save_profile(user, Profile { time_zone, ..sample::owner() }).await?;
        }
    }
    Ok(all)
}

struct PersonalContacts(Personal);

#[async_trait]
impl ContactBook for PersonalContacts {
    async fn contacts(&self, user: UserId) -> Vec<Contact> {
        match self.0.contacts(user).await {
            Ok(contacts) => contacts,
            Err(error) => {
                // A turn is worth more than an address book: people are asked instead.
                tracing::warn!(%error, "the address book cannot be read");
                Vec::new()
            }
        }
    }
}
