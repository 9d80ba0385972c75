//! What the disk allows: durable appends with nothing around them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use brain::ids::Uuid;
use brain::job::{Lane, News, Priority};
use brain::{CallId, Job, JobId, JobState, TurnId};
use brain::{Envelope, Event, EventId, SessionId, ThreadId, UserId};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::sqlite::SqliteStore;
use store::{Batch, EventLog, Held, JobMark, Jobs, NewSession, Room, Sessions};

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
    println!("\njobs, each taken up, two steps kept, ended         p50 ms   p99 ms   jobs/s");
    for workers in [1, 4, 16] {
        let (figures, took) = jobs(workers).await?;
        let rate = figures.count() as f64 / took.as_secs_f64();
        let (p50, p99) = (figures.ms(0.50), figures.ms(0.99));
        println!("{:48}{p50:9.2}{p99:9.2} {rate:8.0}", format!("{workers} workers"));
    }
    Ok(())
}

/// Works through a queue that somebody filled.
async fn jobs(workers: usize) -> anyhow::Result<(Figures, Duration)> {
    const MANY: u128 = 500;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let store = Arc::new(SqliteStore::open(&folder.path().join("jobs.db"))?);
    let session = new_session(&store).await?;
    let room = Room { per_user: 1_000, overall: 1_000 };
    for number in 0..MANY {
        let job = job(session, number);
        let id = job.id;
        anyhow::ensure!(store.hold(job, room).await? == Held::Kept(id), "there is room");
        let begun = Batch { jobs: vec![JobMark::Begun(id)], ..Batch::new(session, 1) };
        store.append(begun).await?;
    }
    let begin = Instant::now();
    let working = (0..workers).map(|_| tokio::spawn(work(Arc::clone(&store))));
    let mut all = Figures::default();
    for worker in working.collect::<Vec<_>>() {
        all.join(worker.await??);
    }
    Ok((all, begin.elapsed()))
}

async fn work(store: Arc<SqliteStore>) -> anyhow::Result<Figures> {
    let mut figures = Figures::default();
    loop {
        let (now, asked) = (Timestamp::now(), Instant::now());
        let until = now + Duration::from_secs(30);
        let Some(job) = store.take_up(now, until).await? else { return Ok(figures) };
        for step in [0.3, 0.6] {
            let (checkpoint, message) = (json!({ "at": step }), "a step".to_owned());
            let went = News::Went { checkpoint, progress: step, message, until };
            store.report(job.id, job.lease, went, now).await?;
        }
        store.report(job.id, job.lease, News::Done(json!({})), now).await?;
        figures.take(asked.elapsed());
    }
}

fn job(session: SessionId, number: u128) -> Job {
    let now = Timestamp::now();
    Job {
        id: JobId(Uuid::from_u128(number + 1)),
        user: UserId(Uuid::nil()),
        session,
        turn: TurnId(Uuid::from_u128(number)),
        call: CallId(Uuid::from_u128(number)),
        key: number.to_string(),
        kind: "mail.summarize".into(),
        args: json!({ "query": "is:unread" }),
        called: "the summary of your unread mail".into(),
        lane: Lane::Work,
        priority: Priority::Usual,
        state: JobState::Held,
        wake_at: now,
        lease: 0,
        failures: 0,
        checkpoint: Value::Null,
        progress: 0.0,
        message: String::new(),
        result: None,
        error: None,
        created_at: now,
        ended_at: None,
        returned: false,
        told: false,
    }
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
