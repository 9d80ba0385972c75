//! `make bench`: finding something among as many memories as anybody may keep, by
//! words alone and with the model that hears what they mean.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use brain::UserId;
use brain::facts::{Memory, MemorySource};
use brain::ids::Uuid;
use models::paraphrase::{Encoder, Shared};
use tools::Personal;
use tools::local::Delivery;
use tools::memory::meaning::Meaning;

const OWNER: UserId = UserId(Uuid::from_u128(1));
const MEMORIES: usize = 10_000;
const QUESTIONS: usize = 200;

const WHO: [&str; 8] = ["Tom", "Priya", "Ana", "Jonas", "Dana", "Omar", "Freja", "Erik"];
const DOES: [&str; 8] =
    ["likes", "hates", "keeps", "lost", "asked for", "paid for", "repairs", "borrowed"];
const WHAT: [&str; 10] = [
    "the green lamp",
    "old maps",
    "cardamom buns",
    "a bicycle",
    "the second drawer",
    "jazz",
    "the cabin",
    "peonies",
    "a typewriter",
    "the north exit",
];

/// The model; where a direction is only to be there, it is made up, so that ten
/// thousand are kept in seconds. Every question is heard for real.
struct Hears(Shared);

impl Meaning for Hears {
    fn model(&self) -> &str {
        self.0.name()
    }

    fn direction(&self, sentence: &str) -> Option<Vec<f32>> {
        match sentence.rsplit_once(" number ") {
            Some((_, number)) => Some(made_up(number.parse().ok()?)),
            None => self.0.model()?.encode(sentence).ok(),
        }
    }
}

fn made_up(number: u32) -> Vec<f32> {
    let mut state = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f32::from(i8::from_le_bytes([state.to_le_bytes()[3]]))
    };
    let steps: Vec<f32> = (0..384).map(|_| next()).collect();
    let length = steps.iter().map(|step| step * step).sum::<f32>().sqrt();
    steps.into_iter().map(|step| step / length).collect()
}

fn main() {
    // `cargo test --benches` runs this too, and wants nothing measured.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("threads can be started").block_on(measure());
}

async fn measure() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let personal = Personal::open(&folder.path().join("personal.db")).expect("it is new");
    let memories = (0..MEMORIES).map(memory).collect();
    let delivery = Delivery { memories, ..Delivery::default() };
    personal.deliver(OWNER, delivery).await.expect("there is room for them");
    println!(
        "recalling among {MEMORIES} memories               questions   p50 ms   p99 ms   max ms"
    );
    row("by words alone", &personal).await;
    let assets = std::env::var_os("SAYSO_ASSETS").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
    let shared = Shared::new(assets.unwrap_or(beside));
    if shared.model().is_none() {
        println!("with the model: not measured, `make assets` fetches it");
        return;
    }
    let personal = personal.hearing(Arc::new(Hears(shared)));
    let heard = personal.catch_up_on_meanings().await.expect("they can be read");
    assert_eq!(heard, MEMORIES);
    row("by meaning and words", &personal).await;
}

fn memory(number: usize) -> Memory {
    let (who, does) = (WHO[number % 8], DOES[number / 8 % 8]);
    let what = WHAT[number / 64 % 10];
    Memory {
        memory_id: format!("memory_{number}"),
        text: format!("{who} {does} {what}, number {number}"),
        created_at: "2026-11-01T10:00:00Z".parse().expect("it is a time"),
        source: MemorySource::default(),
    }
}

async fn row(name: &str, personal: &Personal) {
    let mut times: Vec<Duration> = Vec::new();
    for number in 0..QUESTIONS {
        let question = match number % 4 {
            0 => format!("what do you know about {}", WHO[number / 4 % 8]),
            1 => format!("who was it that {} {}", DOES[number / 4 % 8], WHAT[number / 4 % 10]),
            2 => format!("{}", 17 * number),
            _ => format!("does {} care for {}", WHO[number / 4 % 8], WHAT[number / 4 % 10]),
        };
        let began = Instant::now();
        personal.recall(OWNER, question, 10).await.expect("it can be read");
        times.push(began.elapsed());
    }
    times.sort();
    let ms = |at: usize| times[at.min(times.len() - 1)].as_secs_f64() * 1e3;
    let (p50, p99, max) = (ms(QUESTIONS / 2), ms(QUESTIONS * 99 / 100), ms(QUESTIONS));
    println!("{name:44}{QUESTIONS:9}{p50:9.2}{p99:9.2}{max:9.2}");
}
