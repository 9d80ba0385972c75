//! Whether models that are set up could answer: there, let in, with the model, how far away.

use std::sync::Arc;
use std::time::Instant;

use models::provider::{Far, Provider, Trouble, near};
use models::{Tier, planner};
use session::JobDesk;
use session::jobs::kinds;
use store::memory::MemoryStore;
use tools::Personal;
use tools::attachment::NoPapers;

use super::State::{self, Ill, Note, Well};
use crate::app::brains::{self, Found};
use crate::app::catalog;
use crate::config::Settings;

/// So many tokens in view hold a question, what is found for it, and an answer.
const CONTEXT: u64 = 16_384;

/// One line for each provider, in the order they are asked. Nothing is asked that costs.
pub async fn look_at(settings: &Settings) -> Vec<State> {
    let lines = match settings.models.lines() {
        Ok(lines) => lines,
        Err(error) => {
            return vec![Ill(format!("{error:#}"), "compare with config/example.toml".into())];
        }
    };
    let mut states: Vec<State> = in_process(settings).await.into_iter().collect();
    let unused = unused(settings);
    if lines.is_empty() && states.is_empty() {
        let why = unused.unwrap_or_else(|| "a key such as OPENAI_API_KEY adds a model".to_owned());
        return vec![Note(format!("the built-in rules answer; {why}"))];
    }
    states.extend(unused.map(Note));
    for line in lines {
        let called = format!("{} ({} at {})", line.name, line.model, line.base);
        let place = match line.tier {
            Tier::Local => "on this machine",
            Tier::Cloud | Tier::Reflex => "outside this machine",
        };
        let (key, tier) = (line.key.is_some(), line.tier);
        let (name, model) = (line.name.clone(), line.model.clone());
        let far = Far::new(line);
        let started = Instant::now();
        let found = match &far {
            Ok(far) => far.examine().await,
            Err(trouble) => Err(trouble.clone()),
        };
        let ms = started.elapsed().as_millis();
        let has = match (&far, &found) {
            (Ok(far), Err(Trouble::NoModel(_))) => others(far, &model).await,
            _ => String::new(),
        };
        let is_near = tier == Tier::Local && found.is_ok();
        states.push(match found {
            Ok(found) => Well(format!(
                "{called} is there, {} and has the model ({} in all), {place}, {ms} ms",
                if key { "takes the key" } else { "asks for no key" },
                found.models
            )),
            Err(trouble) => Ill(format!("{called} {trouble}{has}"), advice(&name, &trouble)),
        });
        if is_near {
            states.extend(question_size().map(|tokens| Note(context_advice(&name, tokens))));
        }
    }
    states
}

/// How many tokens every question begins with, about.
fn question_size() -> Option<u64> {
    let desk = JobDesk::new(Arc::new(MemoryStore::default()), kinds::shipped());
    let all = catalog(&Personal::in_memory().ok()?, Arc::new(NoPapers), &desk);
    Some(planner::standing(planner::specs(brains::specs(&all)), true).guess().input)
}

/// Some servers keep less in view than a question needs, and cut it without a word.
fn context_advice(name: &str, tokens: u64) -> String {
    format!(
        "a question to {name} has about {tokens} tokens before anything is found; its server has \
         to keep at least {CONTEXT} in view (Ollama: OLLAMA_CONTEXT_LENGTH={CONTEXT}, its default \
         of 4096 cuts silently)"
    )
}

/// Who is set up and is not asked, and what keeps them from it.
fn unused(settings: &Settings) -> Option<String> {
    let models = &settings.models;
    let names = models.held_back();
    let (last, before) = names.split_last()?;
    let setting = if models.enabled { "models.cloud" } else { "models.enabled" };
    Some(if before.is_empty() {
        format!("{last} is set up, and `{setting} = false` keeps it unused")
    } else {
        let before = before.join(", ");
        format!("{before} and {last} are set up, and `{setting} = false` keeps them unused")
    })
}

/// What there is in place of a model that there is not.
async fn others(far: &Far, wanted: &str) -> String {
    let known = far.models().await.unwrap_or_default();
    let near = near::nearest(wanted, &known);
    if near.is_empty() { String::new() } else { format!("; it has {}", near.join(", ")) }
}

/// The model in the process is loaded once, and says a few words.
async fn in_process(settings: &Settings) -> Option<State> {
    let models = settings.models.clone();
    let found = tokio::task::spawn_blocking(move || brains::look_at(&models)).await;
    match found.unwrap_or(Found::Nothing) {
        Found::Nothing => None,
        Found::Well(told) => Some(Well(told)),
        Found::Ill(wrong, advice) => Some(Ill(wrong, advice)),
    }
}

/// What to do about it. The rules answer until then.
fn advice(name: &str, trouble: &Trouble) -> String {
    let shown = name.to_uppercase();
    match trouble {
        Trouble::WrongKey => format!("set {shown}_API_KEY to a key that is valid there"),
        Trouble::NoModel(_) => format!("set `models.{name}.model`, or SAYSO_MODELS_{shown}_MODEL"),
        Trouble::NothingLeft => "look at the billing of that account".to_owned(),
        Trouble::Away(_) | Trouble::Slow(_) => {
            format!("look at the network, at `models.{name}.url` and at HTTPS_PROXY")
        }
        Trouble::Nowhere | Trouble::Refused(_) | Trouble::Garbage(_) | Trouble::CutOff => {
            format!("is `models.{name}.url` the address of a provider, up to and with /v1?")
        }
        Trouble::TooMany { .. } | Trouble::Overloaded { .. } => "try again later".to_owned(),
        Trouble::Nothing
        | Trouble::Withheld
        | Trouble::Resting
        | Trouble::Unusable(_)
        | Trouble::Nobody => "try again".to_owned(),
    }
}
