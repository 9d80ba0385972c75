//! Wherever a client says it stopped, it is brought up to date without a gap or a
//! repetition, or gets everything there is.
#![no_main]

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use brain::{Cursor, Event, Input, Profile, SessionId, UserId, ids::Uuid};
use libfuzzer_sys::fuzz_target;
use session::{House, Registry, SessionHandle, Start};
use store::memory::MemoryStore;
use store::EventLog;
use testkit::parts::Thought;
use testkit::{CountingIds, NoContacts, ScriptedMind};
use tokio::runtime::Runtime;
use tools::Catalog;
use wire::canonical::Canonical;
use wire::{Dialect, Frame};

const USER: UserId = UserId(Uuid::from_u128(7));
/// More than is kept at hand.
const TURNS: usize = 60;

struct Past {
    runtime: Runtime,
    registry: Registry,
    session: SessionHandle,
    /// The numbers of everything that is kept.
    kept: Vec<u64>,
}

static PAST: OnceLock<Past> = OnceLock::new();

fuzz_target!(|text: &str| {
    let past = PAST.get_or_init(live);
    let frame = format!(r#"{{"event_type":"session.resume","payload":{text}}}"#);
    let Ok(received) = Canonical::new(past.session.id).decode(Frame::Text(frame)) else { return };
    for one in received {
        let Input::Resume { cursor } = one.input else { continue };
        past.runtime.block_on(come_back(past, cursor));
    }
});

async fn come_back(past: &Past, cursor: Option<Cursor>) {
    let start = cursor.map_or(Start::Anew, Start::After);
    let joined = past.registry.join(past.session.clone(), start).await;
    let (session, mut joined) = joined.expect("the session is there");
    let mut told = Vec::new();
    let is_whole = loop {
        let envelope = joined.next().await.expect("nobody is cut off");
        match &envelope.event {
            Event::CaughtUp(_) => break false,
            Event::Resynced(snapshot) => {
                assert!(snapshot.messages.len() <= 100);
                break true;
            }
            _ => told.extend(envelope.seq.map(|seq| (seq, envelope.event.is_kept()))),
        }
    };
    session.leave(joined.client).await;
    assert!(told.is_sorted_by(|a, b| a.0 < b.0), "{told:?}");
    if is_whole {
        assert!(told.is_empty());
        return;
    }
    let after = cursor.expect("who names no place gets everything").last_seq;
    let kept: Vec<_> = told.iter().filter(|(_, is_kept)| *is_kept).map(|(seq, _)| *seq).collect();
    let missed: Vec<_> = past.kept.iter().copied().filter(|seq| *seq > after).collect();
    assert_eq!(kept, missed, "after {after}");
}

/// A session with a past, woken up once so that it has two epochs.
fn live() -> Past {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let store = Arc::new(MemoryStore::default());
    let (id, _) = runtime.block_on(talk(&store, None));
    let (_, (registry, session)) = runtime.block_on(talk(&store, Some(id)));
    let kept = runtime.block_on(store.read(id, 0, u32::MAX)).expect("it can be read");
    let kept = kept.iter().filter_map(|envelope| envelope.seq).collect();
    Past { runtime, registry, session, kept }
}

async fn talk(
    store: &Arc<MemoryStore>,
    id: Option<SessionId>,
) -> (SessionId, (Registry, SessionHandle)) {
    let mind = Arc::new(ScriptedMind::default());
    let (catalog, contacts) = (Arc::new(Catalog::new()), Arc::new(NoContacts));
    let mut house =
        House::new(store.clone(), mind.clone(), catalog, contacts, Profile::new("UTC"));
    house.ids = Arc::new(CountingIds::default());
    let registry = Registry::new(Arc::new(house));
    let session = match id {
        None => registry.create(USER, None).await,
        Some(id) => registry.open(id, USER).await,
    };
    let joined = registry.join(session.expect("a session"), Start::Now).await;
    let (session, mut client) = joined.expect("it can be joined");
    for _ in 0..TURNS {
        mind.will_think(Thought { says: Some("Here. There.".into()), ..Thought::default() });
        let input = Input::Text { text: "where".into(), attachments: Vec::new() };
        session.send(client.client, None, input).await.expect("it listens");
        while let Ok(Ok(envelope)) =
            tokio::time::timeout(Duration::from_secs(5), client.next()).await
        {
            if matches!(envelope.event, Event::TurnEnded { .. }) {
                break;
            }
        }
    }
    (session.id, (registry, session))
}
