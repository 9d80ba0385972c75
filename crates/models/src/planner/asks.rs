//! Plans with whoever runs a model: asks, guards what is said, has it repaired once.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use brain::PlanId;
use brain::ids::Uuid;
use brain::plan::{Plan, Shelf};

use super::{begin, repair, speak_up, specs, system, understood};
use crate::Understanding;
use crate::guard::Guard;
use crate::provider::fold::Fold;
use crate::provider::{Answer, Ask, Delta, Message, Order, ToolSpec, Trouble};
use crate::thinker::{NoThought, Say, Thinker, Thinking, Thought, Tier, Use};

/// A plan is short, and so is what people like to hear.
const MOST_TOKENS: u32 = 1_500;
/// Said where a model said that it had done something.
const NOT_DONE: &str = "Nothing has been done; I only act when you say yes.";
/// Said where the line broke in the middle of a sentence.
const BROKE: &str = "… and there I lost the line.";

/// A planner over providers.
pub struct Planner {
    order: Order,
    tools: Vec<ToolSpec>,
    /// Which providers are on this machine.
    local: Vec<String>,
    patience: Duration,
}

impl Planner {
    pub fn new(
        order: Order,
        tools: impl IntoIterator<Item = ToolSpec>,
        local: Vec<String>,
        patience: Duration,
    ) -> Self {
        Self { order, tools: specs(tools), local, patience }
    }

    fn ask(&self, messages: Vec<Message>) -> Ask {
        Ask {
            system: system(),
            messages,
            tools: self.tools.clone(),
            shape: None,
            most_tokens: MOST_TOKENS,
            cache_key: Some("sayso-planner".to_owned()),
        }
    }

    fn tier(&self, provider: &str) -> Tier {
        let is_local = self.local.iter().any(|local| local == provider);
        if is_local { Tier::Local } else { Tier::Cloud }
    }

    /// One answer, its words said as they come.
    async fn hear(&self, ask: &Ask, spoken: &mut Spoken<'_>) -> Result<Answer, NoThought> {
        let started = Instant::now();
        let since = |at: Instant| u64::try_from(at.elapsed().as_micros()).unwrap_or(u64::MAX);
        let left = self.patience.saturating_sub(spoken.started.elapsed());
        let heard = tokio::time::timeout(left, async {
            let mut begun = self.order.ask(ask).await?;
            let first_us = since(started);
            let mut used = Use {
                tier: self.tier(&begun.used.provider),
                provider: begun.used.provider,
                model: begun.used.model,
                request_id: begun.used.request_id,
                tries: begun.used.tries,
                usage: begun.used.usage,
                cost_micros: 0,
                first_us: Some(first_us),
                took_us: first_us,
                error_code: None,
            };
            let mut fold = Fold::default();
            let broke = loop {
                match begun.deltas.next().await {
                    Ok(Some(Delta::Text(text))) => {
                        spoken.hear(&text);
                        fold.take(Delta::Text(text));
                    }
                    Ok(Some(delta)) => fold.take(delta),
                    Ok(None) => break None,
                    Err(trouble) => break Some(trouble),
                }
            };
            used.usage = fold.usage();
            used.took_us = since(started);
            used.cost_micros = self.order.cost(&used.model, used.usage);
            Ok((used, fold.whole(), broke))
        });
        let failed = |because: Trouble| NoThought { because, uses: Vec::new() };
        let heard = heard.await.unwrap_or(Err(Trouble::Slow("finish")));
        let (mut used, answer, broke) = heard.map_err(failed)?;
        used.error_code = broke.as_ref().map(Trouble::code);
        spoken.uses.push(used);
        match broke {
            // What was said was said; what it wanted to call is not whole.
            Some(_) if spoken.guard.has_words() => {
                spoken.say_plainly(BROKE);
                Ok(Answer { calls: Vec::new(), ..answer })
            }
            Some(because) => Err(failed(because)),
            None => Ok(answer),
        }
    }
}

#[async_trait]
impl Thinker for Planner {
    async fn think(
        &self,
        thinking: &Thinking<'_>,
        shelf: &(dyn Shelf + Sync),
        say: Say<'_>,
    ) -> Result<Thought, NoThought> {
        let mut spoken = Spoken {
            say,
            guard: Guard::default(),
            said: String::new(),
            uses: Vec::new(),
            started: Instant::now(),
        };
        match self.settle(thinking, shelf, &mut spoken).await {
            Ok((understanding, answer)) => {
                let Spoken { said, uses, .. } = spoken;
                Ok(Thought { understanding, calls: answer.calls, said, uses })
            }
            Err(NoThought { because, .. }) => Err(NoThought { because, uses: spoken.uses }),
        }
    }
}

impl Planner {
    async fn settle(
        &self,
        thinking: &Thinking<'_>,
        shelf: &(dyn Shelf + Sync),
        spoken: &mut Spoken<'_>,
    ) -> Result<(Understanding, Answer), NoThought> {
        let mut ask = self.ask(begin(thinking.heard, thinking.world));
        ask.messages.extend_from_slice(thinking.so_far);
        let mut is_repaired = false;
        loop {
            let mut answer = self.hear(&ask, spoken).await?;
            spoken.finish();
            let understanding = understood(&answer);
            if understanding.question.is_some() {
                answer.calls.clear();
                return Ok((understanding, answer));
            }
            let plan = Plan::empty(PlanId(Uuid::nil()));
            let checked = plan.extended(understanding.proposal.clone(), shelf);
            match checked {
                Ok(plan) if !plan.steps.is_empty() || spoken.guard.has_words() => {
                    if spoken.guard.has_claimed() && plan.steps.is_empty() {
                        spoken.say_plainly(NOT_DONE);
                    }
                    return Ok((understanding, answer));
                }
                Ok(_) if spoken.guard.has_claimed() => {
                    spoken.say_plainly(NOT_DONE);
                    return Ok((understanding, answer));
                }
                Ok(_) if is_repaired => {
                    return Err(NoThought { because: Trouble::Nothing, uses: Vec::new() });
                }
                Ok(_) => {
                    // Nothing for people in it: JSON in prose, or nothing at all.
                    if !answer.text.trim().is_empty() {
                        let text = std::mem::take(&mut answer.text);
                        ask.messages.push(Message::Model { text, calls: Vec::new() });
                    }
                    ask.messages.push(speak_up());
                }
                Err(bad) if is_repaired => {
                    tracing::warn!(reason = bad.name(), "a model's plan could not be repaired");
                    answer.calls.clear();
                    return Ok((Understanding::misunderstood(), answer));
                }
                Err(bad) => ask.messages.extend(repair(&answer, &bad)),
            }
            is_repaired = true;
        }
    }
}

/// What was said so far.
struct Spoken<'a> {
    say: Say<'a>,
    guard: Guard,
    said: String,
    uses: Vec<Use>,
    started: Instant,
}

impl Spoken<'_> {
    fn hear(&mut self, text: &str) {
        let words = self.guard.take(text);
        self.pass_on(&words);
    }

    fn finish(&mut self) {
        let words = self.guard.finish();
        self.pass_on(&words);
    }

    /// Our own words.
    fn say_plainly(&mut self, text: &str) {
        self.finish();
        let space = if self.said.is_empty() { "" } else { " " };
        self.pass_on(&format!("{space}{text}"));
    }

    fn pass_on(&mut self, words: &str) {
        // An answer does not begin with an empty line.
        let words = if self.said.is_empty() { words.trim_start() } else { words };
        if !words.is_empty() {
            self.said.push_str(words);
            (self.say)(words);
        }
    }
}
