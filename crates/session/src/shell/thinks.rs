//! A live voice as somebody who can be asked: its words are an answer like any other, what
//! it calls for a plan like any other. Where it fails, whoever is asked otherwise is.

use std::sync::Arc;

use async_trait::async_trait;
use brain::plan::Shelf;
use models::provider::{Answering, Ask, Delta, Deltas, Examined, Message, Provider, Trouble};
use models::realtime::health::Route;
use models::realtime::{Item, Tell};
use models::thinker::Say;
use models::{NoThought, Thinker, Thinking, Thought, Tier};
use tokio::time::Instant;

use super::{STALLED_AFTER, Wire};

/// Answers in the conversation that it hears.
pub(super) struct Answers(pub Wire);

#[async_trait]
impl Provider for Answers {
    fn name(&self) -> &str {
        &self.0.shared.name
    }

    fn model(&self) -> &str {
        &self.0.shared.model
    }

    async fn ask(&self, ask: &Ask) -> Result<Answering, Trouble> {
        let number = {
            let mut state = self.0.state();
            if state.route(self.0.shared.started.elapsed()) != Route::Live {
                return Err(Trouble::Resting);
            }
            let number = state.will_answer(false);
            self.0.tell(&state, Tell::Learn(news(&ask.messages)));
            self.0.tell(&state, Tell::Answer(number));
            number
        };
        let deltas = Words { wire: self.0.clone(), number, is_over: false };
        Ok(Answering { request_id: None, deltas: Box::new(deltas) })
    }

    async fn examine(&self) -> Result<Examined, Trouble> {
        Ok(Examined { models: 1 })
    }
}

/// What it has not been told yet: everything behind what it said itself. It has heard the
/// sentence, so that is only told with what it may be about.
fn news(messages: &[Message]) -> Vec<Item> {
    let own = messages.iter().rposition(|message| matches!(message, Message::Model { .. }));
    let item = |message: &Message| match message {
        Message::Person(text) => Item::Known(text.clone()),
        Message::Model { text, .. } => Item::Told(text.clone()),
        Message::Brought { id, tool, result } => {
            Item::Brought { call: id.clone(), tool: tool.clone(), result: result.clone() }
        }
    };
    messages[own.map_or(0, |at| at + 1)..].iter().map(item).collect()
}

/// An answer on its way. Whoever drops it stops it.
struct Words {
    wire: Wire,
    number: u64,
    is_over: bool,
}

#[async_trait]
impl Deltas for Words {
    async fn next(&mut self) -> Result<Option<Delta>, Trouble> {
        let number = self.number;
        loop {
            let until = Instant::now() + STALLED_AFTER;
            let next = self.wire.wait(until, |state| {
                let Some(answer) = state.answers.iter_mut().find(|it| it.number == number) else {
                    return Some(Err(Trouble::CutOff));
                };
                match (answer.deltas.pop_front(), &answer.over) {
                    (Some(delta), _) => Some(Ok(Some(delta))),
                    (None, Some(Ok(_))) => Some(Ok(None)),
                    (None, Some(Err(trouble))) => Some(Err(trouble.clone())),
                    (None, None) => None,
                }
            });
            match next.await {
                Some(next) => {
                    self.is_over = !matches!(next, Ok(Some(_)));
                    return next;
                }
                // Sound may come while no words do.
                None if self.is_silent() => {
                    self.wire.stalled("answer");
                    return Err(Trouble::Slow("go on"));
                }
                None => {}
            }
        }
    }

    fn request_id(&self) -> Option<String> {
        let state = self.wire.state();
        state.answers.iter().find(|it| it.number == self.number)?.id.clone()
    }
}

impl Words {
    fn is_silent(&self) -> bool {
        let state = self.wire.state();
        let answer = state.answers.iter().find(|it| it.number == self.number);
        answer.is_none_or(|answer| answer.last_news.elapsed() >= STALLED_AFTER)
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if !self.is_over {
            let mut state = self.wire.state();
            state.answer(self.number, |answer| {
                answer.over.get_or_insert(Err(Trouble::CutOff));
            });
            self.wire.tell(&state, Tell::Stop(self.number));
        }
    }
}

/// The live voice first, then whoever is asked otherwise.
pub(super) struct Shelled {
    pub live: Arc<dyn Thinker>,
    pub classic: Option<Arc<dyn Thinker>>,
}

#[async_trait]
impl Thinker for Shelled {
    fn has(&self, tier: Tier) -> bool {
        self.live.has(tier) || self.classic.as_ref().is_some_and(|classic| classic.has(tier))
    }

    async fn think(
        &self,
        thinking: &Thinking<'_>,
        shelf: &(dyn Shelf + Sync),
        say: Say<'_>,
    ) -> Result<Thought, NoThought> {
        if let Some(classic) = self.classic.as_ref().filter(|_| !self.live.has(thinking.tier)) {
            return classic.think(thinking, shelf, say).await;
        }
        // Where nothing came of it, nothing was said either.
        let NoThought { because, mut uses } = match self.live.think(thinking, shelf, say).await {
            Ok(thought) => return Ok(thought),
            Err(nothing) => nothing,
        };
        metrics::counter!("sayso_live_fallbacks_total", "what" => "mind", "why" => because.code())
            .increment(1);
        let Some(classic) = &self.classic else { return Err(NoThought { because, uses }) };
        match classic.think(thinking, shelf, say).await {
            Ok(thought) => {
                uses.extend(thought.uses);
                Ok(Thought { uses, ..thought })
            }
            Err(nothing) => {
                uses.extend(nothing.uses);
                Err(NoThought { because: nothing.because, uses })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_what_it_has_not_said_itself() {
        let person = |text: &str| Message::Person(text.to_owned());
        let model = |text: &str| Message::said(text);
        let brought = |id: &str| Message::Brought {
            id: id.to_owned(),
            tool: "gmail.search".to_owned(),
            result: "{}".to_owned(),
        };
        let known = |text: &str| Item::Known(text.to_owned());
        assert_eq!(news(&[person("now")]), [known("now")]);
        assert_eq!(news(&[person("a"), model("b"), person("now")]), [known("now")]);
        let after = news(&[person("now"), model(""), brought("x"), brought("y")]);
        let calls: Vec<_> = after
            .iter()
            .map(|item| match item {
                Item::Brought { call, .. } => call.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(calls, ["x", "y"]);
    }
}
