//! Many at once: everybody coming back in the same moment, and many who never read.
//! The load is this process, the server another one.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::event::{is_kept, kind};
use crate::house::House;

const SESSIONS: usize = 5_000;
/// Kept events that each of them has missed.
const MISSED: usize = 200;
const STALLED: usize = 1_000;
/// What they may add to the server's memory.
const STALLED_KIB: u64 = 64 * 1024;
/// Nobody else waits longer than so many times what they waited before, give or take what
/// the scheduler of a busy machine does with a few milliseconds.
const AS_FAST: f64 = 1.2;
const RESOLUTION: Duration = Duration::from_millis(5);
/// All have caught up by then; it takes 20 to 30 s on two cores.
const STORM: Duration = Duration::from_mins(1);
/// While five thousand come back, nobody waits so long that they would notice.
const UNNOTICED: Duration = Duration::from_millis(150);
/// Sessions that are prepared side by side.
const SIDE_BY_SIDE: usize = 64;
const PATIENCE: Duration = Duration::from_mins(1);

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

fn patient_house() -> House {
    House::open_with(&[
        ("SAYSO_LIMITS_TEXT_PER_MINUTE", "0"),
        ("SAYSO_LIMITS_TOOLS_PER_MINUTE", "0"),
        ("SAYSO_LIMITS_CONNECTIONS", "16000"),
        ("SAYSO_LOG", "warn"),
    ])
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap()
}

async fn connect(address: &str, query: &str) -> Socket {
    let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(4096);
    let url = format!("ws://{address}/chat/stream{query}");
    connect_async_with_config(url, Some(config), true).await.expect("the server takes it").0
}

/// A client with little room of its own, which it never empties.
async fn stall(address: &str, session: &str) -> Socket {
    let tcp = TcpSocket::new_v4().unwrap();
    tcp.set_recv_buffer_size(4096).unwrap();
    let stream = tcp.connect(address.parse().unwrap()).await.expect("the server takes it");
    let url = format!("ws://{address}/chat/stream?session_id={session}&last_seq=0");
    let stream = MaybeTlsStream::Plain(stream);
    tokio_tungstenite::client_async(url, stream).await.expect("the server takes it").0
}

/// Reads what is on the way still; whether nothing more comes.
async fn is_cut_off(mut socket: Socket) -> bool {
    let rest = async { while let Some(Ok(_)) = socket.next().await {} };
    tokio::time::timeout(Duration::from_secs(10), rest).await.is_ok()
}

async fn next(socket: &mut Socket) -> Value {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.expect("in time");
        match message.expect("the server stays").expect("a frame") {
            Message::Text(text) => return serde_json::from_str(text.as_str()).unwrap(),
            Message::Close(frame) => panic!("the server closed: {frame:?}"),
            _ => {}
        }
    }
}

async fn send(socket: &mut Socket, event_type: &str, payload: Value) {
    let frame = json!({ "event_type": event_type, "payload": payload });
    socket.send(Message::text(frame.to_string())).await.expect("the server takes frames");
}

/// One turn: what came, and how long it took.
async fn turn(socket: &mut Socket, text: &str) -> (Vec<Value>, Duration) {
    let (asked, mut events) = (Instant::now(), Vec::new());
    send(socket, "text.input", json!({ "text": text })).await;
    loop {
        let event = next(socket).await;
        let is_over = event["payload"]["to"] == "idle";
        events.push(event);
        if is_over {
            return (events, asked.elapsed());
        }
    }
}

/// A session with a past, and what of it is kept.
struct Past {
    session: String,
    kept: Vec<u64>,
}

async fn live(address: &str) -> Past {
    let mut socket = connect(address, "").await;
    let (mut kept, mut session) = (Vec::new(), String::new());
    while kept.len() < MISSED {
        let (events, _) = turn(&mut socket, "hello").await;
        kept.extend(events.iter().filter(|event| is_kept(event)).filter_map(|e| e["seq"].as_u64()));
        events[0]["session_id"].as_str().unwrap().clone_into(&mut session);
    }
    socket.close(None).await.ok();
    Past { session, kept }
}

/// Comes back from the very beginning; how long until it had caught up.
async fn come_back(address: &str, past: &Past) -> (Duration, Socket) {
    let asked = Instant::now();
    let query = format!("?session_id={}&epoch=1&last_seq=0", past.session);
    let mut socket = connect(address, &query).await;
    let mut told = Vec::new();
    loop {
        let event = next(&mut socket).await;
        match kind(&event) {
            "session.resumed" => break,
            "resync" => panic!("nobody was away too long: {event}"),
            _ if is_kept(&event) => told.extend(event["seq"].as_u64()),
            _ => {}
        }
    }
    assert_eq!(told, past.kept, "without a gap and without a repetition");
    (asked.elapsed(), socket)
}

fn percentile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "thousands are far from where that matters"
    )]
    let at = ((times.len() as f64 * share) as usize).min(times.len() - 1);
    times[at]
}

/// How long a few people wait for their turns, over and over, until told to stop.
async fn others(address: String, stop: tokio_util::sync::CancellationToken) -> Vec<Duration> {
    let mut socket = connect(&address, "").await;
    let mut times = Vec::new();
    while !stop.is_cancelled() {
        times.push(turn(&mut socket, "what meetings do i have tomorrow").await.1);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    times
}

async fn beside<T>(address: &str, work: impl Future<Output = T>) -> (T, Vec<Duration>) {
    let stop = tokio_util::sync::CancellationToken::new();
    let people: Vec<_> =
        (0..8).map(|_| tokio::spawn(others(address.to_owned(), stop.clone()))).collect();
    let done = work.await;
    stop.cancel();
    let mut times = Vec::new();
    for person in people {
        times.extend(person.await.unwrap());
    }
    (done, times)
}

#[test]
#[ignore = "takes minutes; make proof runs it"]
fn five_thousand_who_come_back_at_once_all_catch_up() {
    let mut house = patient_house();
    let runtime = runtime();
    let address = house.address().to_string();
    let (pasts, mut calm) = runtime.block_on(beside(&address, async {
        let lives = (0..SESSIONS).map(|_| live(&address));
        futures_util::stream::iter(lives).buffer_unordered(SIDE_BY_SIDE).collect::<Vec<_>>().await
    }));
    // Nothing is at hand any more: all of it comes from the store.
    house.stop();
    house.restart();
    let address = house.address().to_string();
    let begun = Instant::now();
    let (came, mut meanwhile) = runtime.block_on(beside(&address, async {
        futures_util::future::join_all(pasts.iter().map(|past| come_back(&address, past))).await
    }));
    let took = begun.elapsed();
    let (mut times, _sockets): (Vec<_>, Vec<_>) = came.into_iter().unzip();
    let (memory, connected) = (house.memory_kib(), times.len());
    let (waited, before) = (percentile(&mut meanwhile, 0.99), percentile(&mut calm, 0.99));
    println!(
        "storm: {connected} sessions caught up with {MISSED} events each in {took:.1?}; \
         p50 {:.1?}, p99 {:.1?}; {} MiB; turns of others p99 {:.0?}, before {:.0?}",
        percentile(&mut times, 0.5),
        percentile(&mut times, 0.99),
        memory / 1024,
        waited,
        before,
    );
    assert!(took <= STORM, "the last one had caught up after {took:.1?}");
    assert!(waited <= before.max(UNNOTICED), "others waited {waited:.0?}, before {before:.0?}");
}

/// Everybody says something once a second, so often.
async fn talk(talkers: &mut [(Socket, String)], times: usize) {
    for _ in 0..times {
        let until = tokio::time::Instant::now() + Duration::from_secs(1);
        let turns = talkers.iter_mut().map(|(socket, _)| turn(socket, "what's on tomorrow"));
        futures_util::future::join_all(turns).await;
        tokio::time::sleep_until(until).await;
    }
}

#[test]
#[ignore = "takes a minute; make proof runs it"]
fn a_thousand_who_never_read_take_little_room_and_nobody_else_waits_for_them() {
    let house = patient_house();
    let address = house.address().to_string();
    runtime().block_on(async {
        let mut talkers = Vec::new();
        for _ in 0..50 {
            let mut socket = connect(&address, "").await;
            let (events, _) = turn(&mut socket, "hello").await;
            let session = events[0]["session_id"].as_str().unwrap().to_owned();
            talkers.push((socket, session));
        }
        let mut alone = beside(&address, talk(&mut talkers, 20)).await.1;
        let before = house.memory_kib();
        let mut stalled = Vec::new();
        for number in 0..STALLED {
            let session = &talkers[number % talkers.len()].1;
            stalled.push(stall(&address, session).await);
        }
        // First the buffers on the way fill up, and it all goes out as if somebody read it.
        let mut filling = beside(&address, talk(&mut talkers, 10)).await.1;
        let mut added = house.memory_kib().saturating_sub(before);
        let mut stuck = beside(&address, talk(&mut talkers, 20)).await.1;
        added = added.max(house.memory_kib().saturating_sub(before));
        let told = |who: &str, times: &mut [Duration]| {
            let (middle, slowest) = (percentile(times, 0.5), percentile(times, 0.99));
            println!("  turns of others {who}: p50 {middle:.1?}, p99 {slowest:.1?}");
        };
        println!("stalled: {STALLED} clients that never read add {added} KiB");
        told("without them", &mut alone);
        told("while their buffers fill", &mut filling);
        told("from then on", &mut stuck);
        assert!(added <= STALLED_KIB, "{added} KiB");
        for share in [0.5, 0.99] {
            let (alone, stuck) = (percentile(&mut alone, share), percentile(&mut stuck, share));
            let most = alone.mul_f64(AS_FAST) + RESOLUTION;
            assert!(stuck <= most, "others waited {stuck:.1?}, without them {alone:.1?}");
        }
        let cut = stalled.into_iter().map(is_cut_off);
        let cut = futures_util::future::join_all(cut).await;
        assert!(cut.into_iter().all(|cut| cut), "somebody was still written to");
    });
}
