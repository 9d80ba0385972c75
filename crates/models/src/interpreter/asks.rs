//! Puts small questions to whoever runs a model, and waits for so long and no longer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;

use super::{Interpreter, Meant, Small};
use crate::planner::withheld::without_secrets;
use crate::provider::fold::Fold;
use crate::provider::notes::Notes;
use crate::provider::{End, Order, Trouble};
use crate::thinker::{Tier, Use};

/// An interpreter over providers: one on this machine, or one elsewhere where there is none.
pub struct Asking {
    local: Arc<Order>,
    cloud: Arc<Order>,
    /// What takes longer is not waited for.
    budget: Duration,
}

impl Asking {
    pub fn new(local: Arc<Order>, cloud: Arc<Order>, budget: Duration) -> Self {
        Self { local, cloud, budget }
    }
}

#[async_trait]
impl Interpreter for Asking {
    async fn interpret(&self, small: &Small, heard: &str, may_leave: bool) -> (Meant, Option<Use>) {
        let (tier, order) = if self.local.is_empty() {
            (Tier::Cloud, &self.cloud)
        } else {
            (Tier::Local, &self.local)
        };
        if order.is_empty() || tier == Tier::Cloud && !may_leave {
            return (Meant::Unclear, None);
        }
        let ask = match tier {
            Tier::Local => small.ask(heard),
            Tier::Reflex | Tier::Cloud => small.for_elsewhere().ask(heard),
        };
        let started = Instant::now();
        let since = || u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let mut used = None;
        let notes = Notes::default();
        let heard = tokio::time::timeout(self.budget, async {
            let mut begun = order.ask_noting(&ask, &notes).await?;
            let mut fold = Fold::default();
            used = Some(Use {
                tier,
                provider: begun.used.provider,
                model: begun.used.model,
                request_id: begun.used.request_id,
                tries: begun.used.tries,
                usage: fold.usage_or(ask.guess(), 0),
                cost_micros: 0,
                first_us: Some(since()),
                took_us: 0,
                error_code: None,
                refused: None,
            });
            let mut length = 0;
            while let Some(delta) = begun.deltas.next().await? {
                length += delta.length();
                fold.take(delta);
                if let Some(used) = &mut used {
                    used.usage = fold.usage_or(ask.guess(), length);
                }
            }
            let answer = fold.whole();
            if answer.end == Some(End::Withheld) { Err(Trouble::Withheld) } else { Ok(answer.text) }
        });
        let heard = heard.await.unwrap_or(Err(Trouble::Slow("answer a small question")));
        // Whoever has not begun by now was asked all the same.
        let in_vain = notes.taken(heard.as_ref().err().map_or("model_empty", Trouble::code)).pop();
        let in_vain = in_vain.map(|attempt| Use::in_vain(attempt, tier, ask.guess(), since()));
        let mut used = used.or(in_vain);
        if let Some(used) = &mut used {
            used.took_us = since();
            used.cost_micros = order.cost(&used.model, used.usage);
            used.error_code = heard.as_ref().err().map(Trouble::code);
        }
        let meant = match &heard {
            Ok(answer) => small.read(answer),
            Err(trouble) => {
                tracing::debug!(code = trouble.code(), "a small question was not answered");
                Meant::Unclear
            }
        };
        (meant, used)
    }
}

impl Small {
    /// The same, for somebody elsewhere: what is asked may quote a mail.
    fn for_elsewhere(&self) -> Self {
        match self {
            Self::Option { question, options } => Self::Option {
                question: without_secrets(question),
                options: options.iter().map(|option| without_secrets(option)).collect(),
            },
            Self::Card { called } => Self::Card { called: without_secrets(called) },
        }
    }
}
