//! A cap on what models cost counts the last 24 hours: midnight empties nothing, and neither
//! does a new process.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use brain::ids::Uuid;
use brain::{Event, Input, Profile, UserId};
use jiff::Timestamp;
use session::meter::Caps;
use session::{House, Registry, Start};
use store::sqlite::SqliteStore;
use store::{Costs, Store};
use testkit::modelled::{Clueless, Round};
use testkit::{ManualClock, NoContacts, ScriptedModel};
use tools::Catalog;

const USER: UserId = UserId(Uuid::from_u128(0xA11CE));
const OTHER: UserId = UserId(Uuid::from_u128(0xB0B));

/// One process on the data of a folder, at a time.
struct Process {
    registry: Registry,
    store: Arc<SqliteStore>,
    model: Arc<ScriptedModel>,
}

impl Process {
    fn start(folder: &Path, clock: &Arc<ManualClock>, caps: Caps) -> Self {
        let store = Arc::new(SqliteStore::open(&folder.join("sayso.db")).unwrap());
        let (catalog, model) = (Arc::new(Catalog::new()), Arc::<ScriptedModel>::default());
        let mut house = House::new(
            Arc::clone(&store) as Arc<dyn Store>,
            Arc::new(Clueless),
            Arc::clone(&catalog),
            Arc::new(NoContacts),
            Profile::new("UTC"),
        );
        house.clock = clock.clone();
        house.thinker = Some(Arc::new(ScriptedModel::planner_of(None, Some(&model), &catalog)));
        house.caps = caps;
        Self { registry: Registry::new(Arc::new(house)), store, model }
    }

    /// Whether a model was asked about what somebody typed.
    async fn asks(&self, user: UserId) -> bool {
        let before = self.model.asked().len();
        self.model.will_answer(Round { says: "Because it is.".into(), ..Round::default() });
        let session = self.registry.create(user, None).await.unwrap();
        let (session, mut client) = self.registry.join(session, Start::Now).await.unwrap();
        let words = Input::Text { text: "why is the sky blue".into(), attachments: Vec::new() };
        session.send(client.client, None, words).await.unwrap();
        let over = async {
            loop {
                let next = client.next().await.unwrap();
                if matches!(next.event, Event::TurnEnded { .. }) {
                    return;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(20), over).await.expect("the turn ends");
        self.model.asked().len() > before
    }

    async fn stop(self) {
        self.registry.close().await;
    }
}

#[tokio::test]
async fn what_was_spent_counts_for_a_day_over_midnight_and_a_restart() {
    // A question costs 1,020 tokens: two of them are too many.
    let each = Caps { tokens_each: 2_000, ..Caps::default() };
    let evening: Timestamp = "2031-03-01T23:50:30.5Z".parse().unwrap();
    let clock = Arc::new(ManualClock::at(evening));
    let folder = tempfile::tempdir().unwrap();
    let first = Process::start(folder.path(), &clock, each);
    assert!(first.asks(USER).await, "nothing was spent");
    clock.advance(Duration::from_mins(20));
    assert!(first.asks(USER).await, "it is tomorrow, and there is some left of the last hours");
    assert!(!first.asks(USER).await, "midnight gave nothing back");
    assert!(first.asks(OTHER).await, "another person has a cap of their own");
    first.stop().await;

    let second = Process::start(folder.path(), &clock, each);
    assert!(!second.asks(USER).await, "and neither does a restart");
    // To the microsecond: as long as the first question is not older than a day, it counts.
    clock.advance(Duration::from_hours(24) - Duration::from_mins(20));
    assert!(!second.asks(USER).await, "it was asked exactly a day ago");
    clock.advance(Duration::from_micros(1));
    assert!(second.asks(USER).await, "the first question is over a day old");
    assert!(!second.asks(USER).await);
    second.stop().await;
}

#[tokio::test]
async fn what_everybody_spent_holds_back_everybody() {
    let evening: Timestamp = "2031-03-01T23:59:59Z".parse().unwrap();
    let clock = Arc::new(ManualClock::at(evening));
    let folder = tempfile::tempdir().unwrap();
    let in_all = Caps { micros_in_all: 1, ..Caps::default() };
    let first = Process::start(folder.path(), &clock, in_all);
    assert!(first.asks(OTHER).await, "nobody has spent anything");
    clock.advance(Duration::from_secs(2));
    assert!(!first.asks(USER).await, "somebody else has spent it");
    let day = jiff::SignedDuration::from_hours(24);
    let now: Timestamp = "2031-03-02T00:00:01Z".parse().unwrap();
    let spent = first.store.spending(USER, now - day).await.unwrap();
    assert_eq!((spent.micros_own, spent.micros_in_all > 0), (0, true));
    first.stop().await;

    let second = Process::start(folder.path(), &clock, in_all);
    assert!(!second.asks(USER).await, "a restart does not make it less");
    clock.advance(Duration::from_hours(24));
    assert!(second.asks(USER).await);
    second.stop().await;
}
