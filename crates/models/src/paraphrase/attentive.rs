//! A mind of rules that also hears what a sentence is a paraphrase of.

use async_trait::async_trait;

use super::{Doubt, Ear};
use crate::{Done, Mind, Reflex, Understanding, World};

#[derive(Clone, Debug)]
pub struct Attentive {
    rules: Reflex,
    ear: Ear,
}

impl Attentive {
    pub fn new(ear: Ear) -> Self {
        Self { rules: Reflex, ear }
    }
}

#[async_trait]
impl Mind for Attentive {
    async fn understand(&self, heard: &str, world: &World) -> Understanding {
        let by_rules = self.rules.understand(heard, world).await;
        let Some(doubt) = Doubt::about(&by_rules, heard, world) else { return by_rules };
        let Some(nearest) = self.ear.nearest(&doubt).await else { return by_rules };
        let settled = doubt.settle(nearest, world);
        tracing::debug!(
            intent = nearest.intent(),
            score = nearest.score,
            margin = nearest.margin,
            taken = settled.is_some(),
            "asked what it is a paraphrase of"
        );
        settled.unwrap_or(by_rules)
    }

    async fn tell(&self, understanding: &Understanding, done: &[Done], world: &World) -> String {
        self.rules.tell(understanding, done, world).await
    }
}
