//! What the house adds to a model: until its first word is heard, in processor time, for a
//! small question, and in what stands between it and people.
//!
//! Upstream is a provider in a process of its own that thinks for a second, so that a hundred
//! turns are in flight. The same question is put to it directly, through a relay that does
//! nothing else, and through Sayso.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use models::guard::Guard;
use models::interpreter::{Asking, Interpreter, Meant, Small};
use models::planner;
use models::provider::{
    Ask, Delta, Far, Line, Message, Order, Patience, Provider, Tongue, ToolSpec,
};
use serde_json::json;
use testkit::provider::{FakeProvider, KEY, MODELS, Part, Reply};
use tokio::net::TcpListener;
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::Message as Frame;
use tools::Personal;

use super::figures::Figures;
use super::load::{Crowd, Pace};
use super::process::{self, Server};
use super::{SPEAKERS, processor, row, store, timed};

/// So long upstream thinks.
const THINKS: Duration = Duration::from_secs(1);
/// How often each of a hundred asks.
const TIMES: usize = 10;
/// Nothing that the rules know.
const ASKED: &str = "why is the sky blue";
/// How every answer of upstream begins.
pub const FIRST_WORD: &str = "Daylight";

/// Set for the process that is to be upstream.
pub const UPSTREAM: &str = "SAYSO_BENCH_UPSTREAM";
/// Set for the process that only relays: where upstream is.
pub const RELAY: &str = "SAYSO_BENCH_RELAY";

fn answer() -> String {
    let rest = "is every colour at once, and the air scatters the blue of it most of all. ";
    format!("{FIRST_WORD} {}", rest.repeat(2))
}

/// Answers everybody the same, after a while.
pub fn be_upstream() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let fake = FakeProvider::start().await;
        fake.always(Reply::Answers(vec![Part::Pause(THINKS), Part::Text(answer())]));
        println!("Open http://{}", fake.address());
        std::future::pending().await
    })
}

/// A WebSocket in front of the same question to the same provider, and nothing else.
pub fn be_relay(upstream: &str) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let (far, ask) = (Arc::new(far(upstream)?), Arc::new(question()?));
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("Open http://{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let (far, ask) = (Arc::clone(&far), Arc::clone(&ask));
            tokio::spawn(async move { relay(accept_async(stream).await.ok()?, &far, &ask).await });
        }
    })
}

async fn relay(
    mut socket: tokio_tungstenite::WebSocketStream<tokio::net::TcpStream>,
    far: &Far,
    ask: &Ask,
) -> Option<()> {
    while let Some(Ok(message)) = socket.next().await {
        if !message.is_text() {
            continue;
        }
        let mut answering = far.ask(ask).await.ok()?;
        while let Ok(Some(delta)) = answering.deltas.next().await {
            if let Delta::Text(text) = delta {
                let payload = json!({ "text": text });
                let event = json!({ "event_type": "assistant_text.delta", "payload": payload });
                socket.send(Frame::text(event.to_string())).await.ok()?;
            }
        }
        socket.send(Frame::text(r#"{"to":"idle"}"#)).await.ok()?;
    }
    Some(())
}

fn far(upstream: &str) -> anyhow::Result<Far> {
    let long = Duration::from_secs(20);
    let tongue = Tongue::Chat;
    let line = Line {
        name: "upstream".to_owned(),
        tongue,
        base: format!("http://{upstream}/v1"),
        key: Some(KEY.to_owned()),
        model: MODELS[0].to_owned(),
        tier: models::Tier::Cloud,
        effort: models::provider::Effort::None,
        patience: Patience { connect: long, first: long, alone: long, idle: long },
    };
    Far::new(line).map_err(|trouble| anyhow::anyhow!("{trouble}"))
}

/// As long as those that Sayso puts, with the same tools.
fn question() -> anyhow::Result<Ask> {
    let catalog = Personal::in_memory()?.catalog();
    let tools = catalog.tools().map(|tool| ToolSpec {
        name: tool.name().to_owned(),
        description: tool.description().to_owned(),
        schema: tool.input_schema(),
    });
    Ok(Ask {
        system: planner::system(),
        messages: vec![Message::Person(format!("The person says: {ASKED}"))],
        tools: planner::specs(tools.collect::<Vec<_>>()).into(),
        most_tokens: 1_000,
        ..Ask::default()
    })
}

/// Those who ask, at one address.
fn crowd(address: &str) -> Crowd<'_> {
    Crowd { address, speakers: SPEAKERS, times: TIMES, pace: Pace::Staggered }
}

pub async fn measure() -> anyhow::Result<()> {
    let upstream = Server::upstream()?;
    let sayso = Server::sayso_with_a_model(&upstream.address)?;
    let relay = Server::relay(&upstream.address)?;
    println!("\na model that thinks for a second, 100 turns in flight  p50 ms   p99 ms    per s");
    let direct = directly(&upstream.address).await?;
    row("  first word, asked directly", &direct, None);

    let before = relay.cpu()?;
    let run = crowd(&relay.address).thoughts(ASKED).await?;
    let relayed = process::each(before, relay.cpu()?, &run.whole);
    row("  first word, through a bare relay", &run.first_token, Some(run.took));
    println!("{:48}{relayed:9.2}", "  processor time a turn, relay");

    let before = sayso.cpu()?;
    let load = crowd(&sayso.address).thoughts(ASKED);
    let (through, commits) = store::beside(load).await?;
    let (through, after) = (through?, sayso.cpu()?);
    row("  one durable commit, beside it", &commits, None);
    row("  first event, with Sayso", &through.first_event, None);
    row("  first word, with Sayso", &through.first_token, Some(through.took));
    processor("  processor time a turn, Sayso", before, after, &through.whole);
    let added = |share| through.first_token.ms(share) - direct.ms(share);
    println!("{:48}{:9.2}{:9.2}", "  added to the first word", added(0.50), added(0.99));
    let used = process::each(before, after, &through.whole);
    println!("{:48}{:9.2}", "  processor time, times a bare relay's", used / relayed);

    interpreter().await?;
    guard();
    Ok(())
}

/// A hundred who ask without anybody in between.
async fn directly(upstream: &str) -> anyhow::Result<Figures> {
    let (far, ask) = (Arc::new(far(upstream)?), Arc::new(question()?));
    let asks = (0..SPEAKERS).map(|number| {
        let (far, ask) = (Arc::clone(&far), Arc::clone(&ask));
        tokio::spawn(async move {
            tokio::time::sleep(THINKS.mul_f64(number as f64 / SPEAKERS as f64)).await;
            let mut figures = Figures::default();
            for _ in 0..TIMES {
                let asked = Instant::now();
                let mut answering = far.ask(&ask).await.ok()?;
                let mut is_first = true;
                while let Ok(Some(delta)) = answering.deltas.next().await {
                    if matches!(delta, Delta::Text(_)) && std::mem::take(&mut is_first) {
                        figures.take(asked.elapsed());
                    }
                }
            }
            Some(figures)
        })
    });
    let mut all = Figures::default();
    for figures in futures_util::future::join_all(asks).await {
        all.join(figures?.context("upstream answers")?);
    }
    Ok(all)
}

/// A small question to a provider that answers at once, and to one that never does.
async fn interpreter() -> anyhow::Result<()> {
    println!("\na small question                                  p50 ms   p95 ms   p99 ms");
    let fake = FakeProvider::start().await;
    fake.always(Reply::says(r#"{"answer":"2"}"#));
    let small = Small::Option {
        question: "Which Priya?".into(),
        options: vec!["Priya Nair".into(), "Priya Shah".into()],
    };
    let address = fake.address().to_string();
    let order = |far| Arc::new(Order::new(vec![far as Arc<dyn Provider>], 1, Vec::new()));
    let nobody = Arc::new(Order::new(Vec::new(), 1, Vec::new()));
    let budget = Duration::from_millis(600);
    let asking = Asking::new(order(Arc::new(far(&address)?)), Arc::clone(&nobody), budget);
    let mut figures = Figures::default();
    for _ in 0..500 {
        let ((meant, _), took) = timed(asking.interpret(&small, "the numbers one", true)).await;
        anyhow::ensure!(meant == Meant::One(1), "it is read: {meant:?}");
        figures.take(took);
    }
    small_row("  answered at once", &figures);
    fake.always(Reply::Hangs);
    let asking = Asking::new(order(Arc::new(far(&address)?)), nobody, budget);
    let mut figures = Figures::default();
    for _ in 0..20 {
        let ((meant, _), took) = timed(asking.interpret(&small, "the numbers one", true)).await;
        anyhow::ensure!(meant == Meant::Unclear, "nobody answered: {meant:?}");
        figures.take(took);
    }
    small_row("  never answered: left to the rules", &figures);
    Ok(())
}

fn small_row(name: &str, figures: &Figures) {
    let (p50, p95, p99) = (figures.ms(0.50), figures.ms(0.95), figures.ms(0.99));
    println!("{name:48}{p50:9.2}{p95:9.2}{p99:9.2}");
}

/// What stands between a model and people, a word at a time.
fn guard() {
    println!("\nthe guard, word by word                           ns a word     MB/s");
    let prose = answer().repeat(20);
    let mixed = format!("{prose}{{\"tool\": \"gmail.send\", \"args\": {{\"to\": []}}}} ").repeat(4);
    for (name, text) in [("  plain words", prose), ("  words with JSON between them", mixed)] {
        let words: Vec<&str> = text.split_inclusive(' ').collect();
        let (times, started) = (200, Instant::now());
        for _ in 0..times {
            let mut guard = Guard::default();
            for word in &words {
                std::hint::black_box(guard.take(word));
            }
            std::hint::black_box(guard.finish());
        }
        let took = started.elapsed().as_secs_f64();
        let (count, bytes) = ((times * words.len()) as f64, (times * text.len()) as f64);
        println!("{name:48}{:9.0}{:9.0}", took * 1e9 / count, bytes / took / 1e6);
    }
}
