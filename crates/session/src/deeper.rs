//! What the rules have no reading of is thought about by somebody slower.
//!
//! People hear at once that it is thought about, and words as they come. What is proposed
//! is checked and carried out like any other plan, round by round, with what was found in
//! view; a card comes before anything is written. Where nobody can be asked, that is said
//! once, and the rules' answer stands.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use brain::snapshot::Scope;
use brain::{Event, TurnState};
use models::provider::{Message, Trouble as Because};
use models::thinker::{self, Use};
use models::{
    Done, Focus, NoThought, Thinker, Thinking, Thought, Tier, Understanding, World, planner,
};
use store::ModelCallRow;
use tokio::sync::mpsc;

use crate::act::Errand;
use crate::actor::Note;
use crate::house::House;
use crate::log::Entry;
use crate::mouth::Mouth;
use crate::peril::{Moment, Side};
use crate::report;
use crate::telling::{Teller, join, verdict};
use crate::thinking::{dispose, mode_of};
use crate::turn::{
    Desk, Pause, Trouble, Turn, Walk, Walked, Wish, begins_to_speak, finish, sets_to_work, too_long,
};
use crate::work::Work;

/// How often a model may look at what was found and go on.
const MOST_ROUNDS: usize = 4;
/// After so long a silence something is said.
const FILLERS: [(Duration, &str); 2] = [
    (Duration::from_secs(2), "Still thinking."),
    (Duration::from_secs(6), "This one takes me a moment."),
];
/// What is spent is counted over so long.
const A_DAY: jiff::SignedDuration = jiff::SignedDuration::from_hours(24);

const AWAY: &str = "I can't reach my thinking help right now, so I go by my rules.";
const USELESS: &str = "My thinking help brought nothing of use, so I go by my rules.";
const SPENT: &str = "Today's budget for thinking is used up, so I go by my rules.";
const TOO_OFTEN: &str = "That was a lot of thinking at once, so I go by my rules for a moment.";

/// Why a model is to be asked; nothing, where the rules have it or nobody is there.
pub(crate) fn left_over(
    understanding: &Understanding,
    turn: &Turn,
    house: &House,
) -> Option<&'static str> {
    // A word that was misheard is not worth a thought.
    let least = if turn.voiced.is_some() { 2 } else { 1 };
    let is_said =
        matches!(turn.wish, Wish::Words(_)) && turn.words().split_whitespace().count() >= least;
    let why = thinker::beyond_rules(understanding)?;
    (is_said && house.thinker.is_some()).then_some(why)
}

/// A turn that is thought about.
pub(crate) struct Deeper<'a> {
    pub turn: &'a Turn,
    pub house: &'a Arc<House>,
    pub desk: &'a Desk,
    pub world: &'a World,
    pub why: &'static str,
    /// How many questions are on the record.
    pub asked: AtomicU32,
}

/// Where that led.
pub(crate) enum Gone {
    Over(Box<Walked>),
    /// Nobody could be asked; the rules' answer stands.
    Back(Box<Back>),
}

pub(crate) struct Back {
    pub entry: Entry,
    pub mouth: Mouth,
    /// People have seen that it is thought about.
    pub is_decided: bool,
    pub excuse: &'static str,
}

impl Deeper<'_> {
    pub async fn walk(&self, mut entry: Entry, mut mouth: Mouth) -> Result<Gone, Trouble> {
        let Some(thinker) = self.house.thinker.as_deref() else {
            return Ok(back(entry, mouth, false, AWAY));
        };
        if let Err((code, excuse)) = self.may_ask().await {
            entry.fallback = Some(code);
            return Ok(back(entry, mouth, false, excuse));
        }
        entry.events.push(Event::StateChanged {
            from: TurnState::FinalizingInput,
            to: TurnState::Thinking,
            reason: format!("thinking: {}", self.why),
        });
        entry.events.extend(too_long(self.turn, &mut mouth));
        entry.events.extend(mouth.say(planner::acknowledgement(self.turn.words())));
        entry.moment = Moment::Heard;
        self.desk.write(entry.turn_over(Moment::Asked)).await?;

        let begun_us = self.house.clock.ticks_us();
        let thought = self.listen(thinker, &[], &mut mouth).await?;
        entry.thought_us = Some(self.house.clock.ticks_us().saturating_sub(begun_us));
        match thought {
            Ok(thought) => {
                let walked = self.carry_out(thought, thinker, entry, mouth).await?;
                Ok(Gone::Over(Box::new(walked)))
            }
            Err(NoThought { because, uses }) => {
                self.note(uses, &mut entry);
                entry.fallback = Some(because.code());
                entry.tier = Some((Tier::Reflex, "model_away"));
                let excuse = match because {
                    Because::Nothing | Because::Garbage(_) | Because::Refused(_) => USELESS,
                    _ => AWAY,
                };
                Ok(back(entry, mouth, true, excuse))
            }
        }
    }

    /// Counted before it is asked, in questions and in money.
    async fn may_ask(&self) -> Result<(), (&'static str, &'static str)> {
        let (user, session) = (self.turn.user, self.turn.session);
        if let Err(wait) = self.house.meter.model(user, session) {
            let event = Event::HeldBack {
                scope: Scope::Model,
                retry_after_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1),
                user_message: "That was a lot of thinking at once. Give me a moment.".into(),
                in_reply_to: self.turn.in_reply_to.clone(),
            };
            let _ = self.desk.notes.try_send(Note::TellAll(Box::new(event)));
            return Err(("model_rate_limit", TOO_OFTEN));
        }
        let caps = self.house.caps;
        if caps == crate::meter::Caps::default() {
            return Ok(());
        }
        let since = self.house.clock.now().saturating_sub(A_DAY);
        let since = since.unwrap_or(jiff::Timestamp::MIN);
        // Whoever cannot tell what was spent spends nothing.
        let Ok(spent) = self.house.store.spent(None, since).await else {
            return Err(("model_cap", AWAY));
        };
        let own = spent.iter().find(|row| row.user == user);
        let micros = own.map_or(0, |row| row.cost_micros);
        let tokens = own.map_or(0, |row| row.input_tokens + row.output_tokens);
        let all: u64 = spent.iter().map(|row| row.cost_micros).sum();
        let over = |cap: u64, spent: u64| cap > 0 && spent >= cap;
        if over(caps.micros_each, micros)
            || over(caps.tokens_each, tokens)
            || over(caps.micros_in_all, all)
        {
            return Err(("model_cap", SPENT));
        }
        Ok(())
    }

    /// Thinks, and says words as they come.
    async fn listen(
        &self,
        thinker: &dyn Thinker,
        so_far: &[Message],
        mouth: &mut Mouth,
    ) -> Result<Result<Thought, NoThought>, Trouble> {
        self.house.peril.pass(Moment::Thinking, Side::Before).await;
        let (sender, mut words) = mpsc::unbounded_channel::<String>();
        let mut say = move |text: &str| drop(sender.send(text.to_owned()));
        let thinking = Thinking { heard: self.turn.words(), world: self.world, so_far };
        let mut thought = pin!(thinker.think(&thinking, &*self.house.catalog, &mut say));
        let mut fillers = FILLERS.into_iter().peekable();
        let mut is_silent = true;
        mouth.pause();
        let thought = loop {
            let patience = fillers.peek().map_or(Duration::MAX, |(patience, _)| *patience);
            tokio::select! {
                biased;
                Some(more) = words.recv() => {
                    is_silent = false;
                    self.say(more, &mut words, mouth).await?;
                }
                thought = &mut thought => break thought,
                () = tokio::time::sleep(patience), if is_silent && fillers.peek().is_some() => {
                    let filler = fillers.next().and_then(|(_, filler)| mouth.say(filler));
                    self.show(filler).await?;
                }
            }
        };
        if let Ok(more) = words.try_recv() {
            self.say(more, &mut words, mouth).await?;
        }
        self.house.peril.pass(Moment::Thinking, Side::After).await;
        Ok(thought)
    }

    /// Everything that has come by now, in one piece.
    async fn say(
        &self,
        mut text: String,
        more: &mut mpsc::UnboundedReceiver<String>,
        mouth: &mut Mouth,
    ) -> Result<(), Trouble> {
        while let Ok(words) = more.try_recv() {
            text.push_str(&words);
        }
        let event = mouth.go_on(&text);
        self.show(event).await
    }

    async fn show(&self, event: Option<Event>) -> Result<(), Trouble> {
        let Some(event) = event else { return Ok(()) };
        let mut entry = Entry::new(Moment::Told, self.turn.id);
        entry.events.push(event);
        self.desk.write(entry).await
    }

    /// What a model proposed, round by round.
    async fn carry_out(
        &self,
        thought: Thought,
        thinker: &dyn Thinker,
        mut entry: Entry,
        mut mouth: Mouth,
    ) -> Result<Walked, Trouble> {
        let (turn, house) = (self.turn, self.house);
        let Thought { understanding, mut calls, mut said, uses } = thought;
        self.note(uses, &mut entry);
        let (mut understanding, plan, fallback) = dispose(understanding, house);
        entry.fallback = fallback;
        let mode = mode_of(&understanding, &plan, house);
        entry.mode = Some(mode);
        let words = format!("{} {}", turn.said_before, turn.words());
        let work = Work::new(&words, plan, mode);
        let mut focus = self.world.focus.clone();
        focus.told_away = false;
        if work.plan.steps.is_empty() {
            return self.answer(&understanding, &work, focus, entry, mouth).await;
        }
        entry.events.extend(work.planned(&[], &understanding.choices, &house.catalog));
        let mut errand = Errand::new(turn, house, self.desk, self.world, work, Vec::new());
        errand.announce(&mut entry);
        if !errand.has_calls() {
            entry.events.push(sets_to_work());
        }
        self.desk.write(entry.turn_over(Moment::Looked)).await?;
        let teller = Teller { turn, house, world: self.world, cards: Vec::new() };
        let mut so_far = Vec::new();
        let mut text = String::new();
        for round in 1.. {
            errand.run(&mut entry).await?;
            let done = errand.done();
            focus.learn(None, &done);
            if errand.comes_to_a_card() {
                break;
            }
            so_far.extend(planner::brought(&said, &calls, &done));
            // What was found is there before anything is said of it.
            self.desk.write(entry.turn_over(Moment::Looked)).await?;
            let thought = if round < MOST_ROUNDS {
                self.listen(thinker, &so_far, &mut mouth).await?
            } else {
                Err(NoThought { because: Because::Nothing, uses: Vec::new() })
            };
            match thought {
                Ok(thought) => {
                    self.note(thought.uses, &mut entry);
                    (calls, said) = (thought.calls, thought.said);
                    understanding = errand.take_on(thought.understanding, &mut entry);
                    if let Some(question) = &understanding.question {
                        join(&mut text, question);
                    }
                    if calls.is_empty() || understanding.question.is_some() {
                        break;
                    }
                    self.desk.write(entry.turn_over(Moment::Looked)).await?;
                }
                Err(NoThought { because, uses }) => {
                    // It was looked up: the rules can tell of it.
                    self.note(uses, &mut entry);
                    entry.fallback = Some(because.code());
                    join(&mut text, &told_by_rules(&teller, &understanding, &done, &focus).await);
                    break;
                }
            }
        }
        // Only a question is still to be told; everything else was, as it came.
        let asked = understanding.question.is_some();
        if asked {
            text.clear();
        }
        let understanding = asked.then_some(understanding);
        let walk = Walk { errand, entry, mouth, understanding, focus, text };
        finish(walk, teller, self.desk).await
    }

    /// Nothing was looked up: it was answered, or something was asked.
    async fn answer(
        &self,
        understanding: &Understanding,
        work: &Work,
        mut focus: Focus,
        mut entry: Entry,
        mouth: Mouth,
    ) -> Result<Walked, Trouble> {
        let question = understanding.question.clone().unwrap_or_default();
        focus.told = Some(mouth.with(&question).into());
        focus.heard = Some(self.turn.words().into());
        let (said, whole, has_words) = mouth.answer(&question);
        entry.events.extend(work.planned(&[], &understanding.choices, &self.house.catalog));
        entry.events.push(begins_to_speak(TurnState::Thinking));
        entry.events.extend(said);
        let (outcome, error_code) = verdict(Some(understanding), &[], &[], &[], has_words);
        entry.events.extend([whole, Event::TurnEnded { outcome, error_code }]);
        entry.moment = Moment::Told;
        self.desk.write(entry).await?;
        focus.learn(Some(understanding), &[]);
        Ok(Walked { focus, done: Vec::new(), pause: Pause::Over })
    }

    /// On the record with the next entry.
    fn note(&self, uses: Vec<Use>, entry: &mut Entry) {
        for used in uses {
            entry.tier = Some((used.tier, self.why));
            let row = ModelCallRow {
                turn: self.turn.id,
                number: self.asked.fetch_add(1, Ordering::Relaxed) + 1,
                user: self.turn.user,
                asked_at: self.house.clock.now(),
                tier: used.tier.name().to_owned(),
                provider: used.provider,
                model: used.model,
                request_id: used.request_id,
                tries: used.tries,
                input_tokens: used.usage.input,
                cached_tokens: used.usage.cached,
                output_tokens: used.usage.output,
                cost_micros: used.cost_micros,
                first_us: used.first_us,
                took_us: used.took_us,
                error_code: used.error_code.map(str::to_owned),
            };
            report::thought(&row);
            entry.model_calls.push(row);
        }
    }
}

fn back(entry: Entry, mouth: Mouth, is_decided: bool, excuse: &'static str) -> Gone {
    Gone::Back(Box::new(Back { entry, mouth, is_decided, excuse }))
}

/// What was found, as the rules would tell it.
async fn told_by_rules(
    teller: &Teller<'_>,
    understanding: &Understanding,
    done: &[Done],
    focus: &Focus,
) -> String {
    let told = teller.tell(Some(understanding), done, focus).await;
    if told.trim().is_empty() {
        "I looked it up, but can't put it into words.".to_owned()
    } else {
        told
    }
}
