//! What the disk allows: durable appends with nothing around them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use brain::ids::Uuid;
use brain::{Envelope, Event, EventId, SessionId, ThreadId, UserId};
use jiff::Timestamp;
use store::sqlite::SqliteStore;
use store::{Batch, EventLog, NewSession, Sessions};

use super::figures::Figures;

const FOR: Duration = Duration::from_secs(2);

pub async fn measure() -> anyhow::Result<()> {
    println!("\ndurable appends (SQLite, WAL, FULL)                p50 ms   p99 ms events/s");
    for (writers, events) in [(1, 1), (100, 1), (100, 4), (500, 1)] {
        let (figures, took) = appends(writers, events).await?;
        let rate = (figures.count() * events) as f64 / took.as_secs_f64();
        let name = format!("{writers} writers, {events} events a commit");
        let (p50, p99) = (figures.ms(0.50), figures.ms(0.99));
        println!("{name:48}{p50:9.2}{p99:9.2} {rate:8.0}");
    }
    Ok(())
}

/// One durable commit every few milliseconds on the same disk, for as long as
/// `load` runs: what a turn's own commit costs at that moment.
pub async fn beside<T>(load: impl Future<Output = T>) -> anyhow::Result<(T, Figures)> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let store = Arc::new(SqliteStore::open(&folder.path().join("probe.db"))?);
    let session = new_session(&store).await?;
    let mut figures = Figures::default();
    let mut seq = 0;
    let probe = async {
        loop {
            tokio::time::sleep(Duration::from_millis(7)).await;
            seq += 1;
            let asked = Instant::now();
            if store.append(batch(session, vec![said(session, seq)])).await.is_ok() {
                figures.take(asked.elapsed());
            }
        }
    };
    let value = tokio::select! {
        value = load => value,
        () = probe => unreachable!("the probe does not end by itself"),
    };
    Ok((value, figures))
}

async fn new_session(store: &SqliteStore) -> anyhow::Result<SessionId> {
    let session = SessionId(Uuid::now_v7());
    let new = NewSession {
        session,
        user: UserId(Uuid::nil()),
        agent: "assistant".into(),
        thread: ThreadId(Uuid::nil()),
        created_at: Timestamp::now(),
    };
    store.create(new).await?;
    Ok(session)
}

fn batch(session: SessionId, events: Vec<Envelope>) -> Batch {
    let events = events.into_iter().map(Arc::new).collect();
    Batch { events, ..Batch::new(session, 1) }
}

async fn appends(writers: usize, events: usize) -> anyhow::Result<(Figures, Duration)> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let store = Arc::new(SqliteStore::open(&folder.path().join("bench.db"))?);
    let mut tasks = Vec::new();
    let begin = Instant::now();
    for _ in 0..writers {
        let session = new_session(&store).await?;
        tasks.push(tokio::spawn(write(Arc::clone(&store), session, events)));
    }
    let mut all = Figures::default();
    for task in tasks {
        all.join(task.await??);
    }
    Ok((all, begin.elapsed()))
}

async fn write(
    store: Arc<SqliteStore>,
    session: SessionId,
    events: usize,
) -> anyhow::Result<Figures> {
    let mut figures = Figures::default();
    let mut seq = 0;
    let begin = Instant::now();
    while begin.elapsed() < FOR {
        let events = (0..events).map(|_| {
            seq += 1;
            said(session, seq)
        });
        let batch = batch(session, events.collect());
        let asked = Instant::now();
        store.append(batch).await?;
        figures.take(asked.elapsed());
    }
    Ok(figures)
}

fn said(session: SessionId, seq: u64) -> Envelope {
    let text = "Three meetings tomorrow. The first is stand-up at 9:30, then lunch with Tom at 12.";
    let event = Event::Said { text: text.into() };
    Envelope {
        event_id: EventId(Uuid::now_v7()),
        role: event.role(),
        event,
        ts: Timestamp::now(),
        session_id: session,
        epoch: 1,
        turn_id: None,
        message_id: None,
        seq: Some(seq),
        turn_seq: None,
        spelling: brain::event::Spelling::default(),
    }
}
