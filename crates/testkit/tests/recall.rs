//! How well what somebody asked to be remembered is found again in other words.
//!
//! `recall/life.toml` has the memories of one life and how they are asked for.
//! With the model that `make assets` fetches, nine in ten have to be among the
//! first three; where nobody has fetched it, the words alone are measured.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use brain::UserId;
use brain::facts::{Memory, MemorySource};
use brain::ids::Uuid;
use models::paraphrase::{Encoder, MiniLm, Shared};
use serde::Deserialize;
use tools::Personal;
use tools::local::Delivery;
use tools::memory::meaning::Meaning;

const OWNER: UserId = UserId(Uuid::from_u128(1));
/// So many are told; what is behind them nobody hears.
const TOLD: usize = 3;

#[derive(Deserialize)]
struct Life {
    memories: BTreeMap<String, String>,
    paraphrased: BTreeMap<String, Vec<String>>,
    fresh: BTreeMap<String, Vec<String>>,
    exact: BTreeMap<String, Vec<String>>,
    unknown: Unknown,
}

#[derive(Deserialize)]
struct Unknown {
    questions: Vec<String>,
}

struct Hears(Shared);

impl Meaning for Hears {
    fn model(&self) -> &str {
        self.0.name()
    }

    fn direction(&self, sentence: &str) -> Option<Vec<f32>> {
        self.0.model()?.encode(sentence).ok()
    }
}

fn life() -> Life {
    toml::from_str(include_str!("../recall/life.toml")).expect("the life reads as TOML")
}

/// The real model, or `None` where nobody has fetched it.
fn hearing() -> Option<Arc<Hears>> {
    let expected = std::env::var_os("SAYSO_TEST_ASSETS").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
    let assets = expected.clone().unwrap_or(beside);
    let shared = Shared::new(assets.clone());
    if shared.model().is_some() {
        return Some(Arc::new(Hears(shared)));
    }
    assert!(expected.is_none(), "{:?} is not there", MiniLm::files(&assets));
    println!("not run: there is no model; `make assets` fetches it");
    None
}

/// Everything Maya has told us, delivered as it was kept while there was no model.
async fn told(life: &Life, meaning: Option<Arc<Hears>>) -> Personal {
    let memory = |(id, text): (&String, &String)| Memory {
        memory_id: id.clone(),
        text: text.clone(),
        created_at: "2026-11-01T10:00:00Z".parse().expect("it is a time"),
        source: MemorySource::default(),
    };
    let memories: Vec<_> = life.memories.iter().map(memory).collect();
    let all = memories.len();
    let personal = Personal::in_memory().unwrap();
    personal.deliver(OWNER, Delivery { memories, ..Delivery::default() }).await.unwrap();
    let Some(meaning) = meaning else { return personal };
    let personal = personal.hearing(meaning);
    assert_eq!(personal.catch_up_on_meanings().await.unwrap(), all);
    assert_eq!(personal.catch_up_on_meanings().await.unwrap(), 0, "each is heard once");
    personal
}

/// How many of the questions have their answer among the first three.
async fn found(personal: &Personal, asked: &BTreeMap<String, Vec<String>>) -> usize {
    let mut found = 0;
    for (question, answers) in asked {
        let recalled = personal.recall(OWNER, question.clone(), 10).await.unwrap().memories;
        let first = recalled.iter().take(TOLD);
        if first.clone().any(|memory| answers.contains(&memory.memory_id)) {
            found += 1;
        } else {
            let ids: Vec<_> = first.map(|memory| memory.memory_id.as_str()).collect();
            println!("missed: {question:?} wants {answers:?}, found {ids:?}");
        }
    }
    found
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred")]
fn share(found: usize, all: usize) -> f64 {
    found as f64 / all as f64
}

#[tokio::test]
async fn nine_in_ten_are_found_again_in_other_words() {
    let life = life();
    assert!(life.memories.len() >= 200 && life.paraphrased.len() >= 60 && life.exact.len() >= 20);
    let Some(meaning) = hearing() else { return };
    let personal = told(&life, Some(meaning)).await;

    let paraphrased = share(found(&personal, &life.paraphrased).await, life.paraphrased.len());
    let fresh = share(found(&personal, &life.fresh).await, life.fresh.len());
    let exact = share(found(&personal, &life.exact).await, life.exact.len());

    let mut sure = 0;
    for question in &life.unknown.questions {
        let recalled = personal.recall(OWNER, question.clone(), 10).await.unwrap();
        sure += usize::from(!recalled.memories.is_empty() && !recalled.loosely);
    }
    println!(
        "memories: {} of them, {} questions in other words, {paraphrased:.2} found among the \
         first three, of {} written last {fresh:.2}; {} by a code or a name, \
         {exact:.2}; {sure} of {} answered that nobody told",
        life.memories.len(),
        life.paraphrased.len(),
        life.fresh.len(),
        life.exact.len(),
        life.unknown.questions.len(),
    );
    assert!(paraphrased >= 0.9 && fresh >= 0.85 && exact >= 0.9, "{paraphrased} {fresh} {exact}");
    assert!(sure <= 1, "{sure} questions about nothing were answered");
}

#[tokio::test]
async fn without_a_model_codes_and_names_are_still_found() {
    let life = life();
    let personal = told(&life, None).await;

    let paraphrased = share(found(&personal, &life.paraphrased).await, life.paraphrased.len());
    let exact = share(found(&personal, &life.exact).await, life.exact.len());

    println!("memories by their words alone: {paraphrased:.2} in other words, {exact:.2} exact");
    assert!(exact >= 0.9, "{exact}");
}
