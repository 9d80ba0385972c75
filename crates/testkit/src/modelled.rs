//! A model that answers as it is scripted, and a mind that reads nothing by itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use models::gist::Chat;
use models::interpreter::Asking;
use models::planner::Planner;
use models::provider::{
    Answering, Ask, Delta, Deltas, End, Examined, Order, Provider, ToolSpec, Trouble, Usage,
};
use models::{Done, Gist, Mind, Understanding, World, narrator};
use serde_json::Value;
use tools::Catalog;

/// Leaves every sentence to a model; what tools brought it can still tell.
#[derive(Clone, Copy, Debug)]
pub struct Clueless;

#[async_trait]
impl Mind for Clueless {
    async fn understand(&self, _: &str, _: &World) -> Understanding {
        Understanding::of(Gist::Chat(Chat::Lost))
    }

    async fn tell(&self, understanding: &Understanding, done: &[Done], world: &World) -> String {
        narrator::tell(understanding, done, world)
    }
}

/// One answer of a model.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub takes: Duration,
    pub says: String,
    /// How long it rests behind a sentence before it goes on.
    pub rests: Duration,
    pub calls: Vec<(String, Value)>,
    /// It is out of order instead.
    pub fails: bool,
    /// How sure it is of it, where it can tell.
    pub confidence: Option<f32>,
}

/// Gives one answer after another, whatever it is asked.
#[derive(Debug, Default)]
pub struct ScriptedModel {
    rounds: Mutex<VecDeque<Round>>,
    asked: Mutex<Vec<Ask>>,
}

impl ScriptedModel {
    pub fn will_answer(&self, round: Round) {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner).push_back(round);
    }

    /// Every question so far.
    pub fn asked(&self) -> Vec<Ask> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn order(self: &Arc<Self>) -> Order {
        let provider: Arc<dyn Provider> = Arc::<Self>::clone(self);
        Order::new(vec![provider], 1, Vec::new())
    }

    /// An interpreter on this machine, over this model alone.
    pub fn interpreter(self: &Arc<Self>) -> Asking {
        let (local, cloud) = (Arc::new(self.order()), Arc::new(nobody()));
        Asking::new(local, cloud, Duration::from_millis(600))
    }

    /// The planner of the house: a model on this machine, one elsewhere, or both.
    pub fn planner_of(
        local: Option<&Arc<Self>>,
        cloud: Option<&Arc<Self>>,
        catalog: &Catalog,
    ) -> Planner {
        let order = |model: Option<&Arc<Self>>| model.map_or_else(nobody, Self::order);
        planner(order(local), order(cloud), catalog)
    }
}

/// The planner of the house over whoever these are.
pub(crate) fn planner(local: Order, cloud: Order, catalog: &Catalog) -> Planner {
    let tools = catalog.for_models();
    let tools = tools.tools().map(|tool| ToolSpec {
        name: tool.name().to_owned(),
        description: tool.description().to_owned(),
        schema: tool.input_schema(),
    });
    let patience = Duration::from_secs(30);
    Planner::new(Arc::new(local), Arc::new(cloud), tools, patience, 50)
}

pub(crate) fn nobody() -> Order {
    Order::new(Vec::new(), 1, Vec::new())
}

#[async_trait]
impl Provider for ScriptedModel {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn model(&self) -> &'static str {
        "gpt-5-mini"
    }

    async fn ask(&self, ask: &Ask) -> Result<Answering, Trouble> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(ask.clone());
        let next = self.rounds.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let round = next.unwrap_or(Round { fails: true, ..Round::default() });
        if !round.takes.is_zero() {
            tokio::time::sleep(round.takes).await;
        }
        if round.fails {
            return Err(Trouble::Overloaded { status: 503, again_after: None });
        }
        Ok(Answering { request_id: Some("req_1".to_owned()), deltas: Box::new(Script::of(round)) })
    }

    async fn examine(&self) -> Result<Examined, Trouble> {
        Ok(Examined { models: 1 })
    }
}

struct Script {
    deltas: VecDeque<Delta>,
    rests: Duration,
    is_behind_sentence: bool,
}

impl Script {
    fn of(round: Round) -> Self {
        let mut deltas = VecDeque::new();
        let words = round.says.split_inclusive(' ').map(|word| Delta::Text(word.to_owned()));
        deltas.extend(words);
        let end = if round.calls.is_empty() { End::Said } else { End::Calls };
        for (index, (tool, args)) in round.calls.into_iter().enumerate() {
            let (id, args) = (Some(format!("call_{index}")), args.to_string());
            deltas.push_back(Delta::Call { index, id, tool: Some(tool), args });
        }
        let usage = Usage { input: 1_000, cached: 400, output: 20, ..Usage::default() };
        deltas.extend(round.confidence.map(Delta::Confidence));
        deltas.extend([Delta::Usage(usage), Delta::End(end)]);
        Self { deltas, rests: round.rests, is_behind_sentence: false }
    }
}

#[async_trait]
impl Deltas for Script {
    async fn next(&mut self) -> Result<Option<Delta>, Trouble> {
        let next = self.deltas.pop_front();
        if std::mem::take(&mut self.is_behind_sentence) && !self.rests.is_zero() {
            tokio::time::sleep(self.rests).await;
        }
        let is_end = |word: &str| word.trim_end().ends_with('.');
        self.is_behind_sentence = matches!(&next, Some(Delta::Text(word)) if is_end(word));
        Ok(next)
    }
}
