//! Plans with whoever runs a model: asks, guards what is said, has it repaired once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use brain::ids::Uuid;
use brain::plan::{Plan, Shelf};
use brain::{ActionLevel, PlanId};

use super::asides::Echo;
use super::{
    Beside, NOT_THERE, at_home, begin, call_it, echoed, not_so, not_there, repair, speak_up, specs,
    system, understood, withheld,
};
use crate::gatekeeper::{self, Escalation, Reason};
use crate::gist::Gist;
use crate::guard::{Guard, Hollow, Markup, Stands};
use crate::provider::fold::Fold;
use crate::provider::notes::Notes;
use crate::provider::order::Turn;
use crate::provider::thoughts::whose;
use crate::provider::{Answer, Ask, Delta, End, Message, Order, ToolSpec, Trouble, Wait};
use crate::rewording::Rewording;
use crate::thinker::{self, NoThought, Say, Tally, Thinker, Thinking, Thought, Tier, Use};
use crate::{Record, Understanding};

/// A plan is short, and so is what people like to hear.
const MOST_TOKENS: u32 = 1_500;
/// So few words only begin an answer.
const MOST_BEGUN: usize = 3;
/// Said where the line broke in the middle of a sentence.
const BROKE: &str = "… and there I lost the line.";
/// Said where only the beginning of an answer came, twice.
const NO_FURTHER: &str = "I got no further with that.";
/// Said where an answer was longer than it may be.
const TOO_LONG: &str = "… and there I stop, it got too long. Ask me for the rest.";
/// Said where a provider stopped its model in the middle of an answer.
const STOPPED: &str = "… and there my thinking help was stopped from saying more.";

/// What every question begins with. Whoever is on this machine may read it ahead.
pub fn standing(mut tools: Vec<ToolSpec>, may_escalate: bool) -> Ask {
    let mut system = system();
    if may_escalate {
        system = format!("{system}\n\nWhere you are:\n{}", gatekeeper::ALONE_IF_YOU_CAN);
        tools.push(gatekeeper::spec());
    }
    Ask {
        system,
        messages: Vec::new(),
        tools: tools.into(),
        shape: None,
        most_tokens: MOST_TOKENS,
        cache_key: Some("sayso-planner".to_owned()),
    }
}

/// What is said to a model whose call, or whose thought, was longer than it may be.
fn shorter() -> Message {
    let said = "Your answer was cut off before it was whole, so nothing was called. Call the \
                tool again with shorter arguments; where no tool is needed, answer in one or two \
                sentences.";
    Message::Person(said.to_owned())
}

/// A planner over providers.
pub struct Planner {
    /// Those on this machine, and those elsewhere.
    local: Arc<Order>,
    cloud: Arc<Order>,
    /// What every question begins with, and with the tool for handing it on.
    standing: Ask,
    escalating: Ask,
    patience: Duration,
    /// What a local model plans with less certainty is handed on, of 100.
    least_confidence: u8,
}

impl Planner {
    pub fn new(
        local: Arc<Order>,
        cloud: Arc<Order>,
        tools: impl IntoIterator<Item = ToolSpec>,
        patience: Duration,
        least_confidence: u8,
    ) -> Self {
        let tools = specs(tools);
        let (escalating, standing) = (standing(tools.clone(), true), standing(tools, false));
        Self { local, cloud, standing, escalating, patience, least_confidence }
    }

    fn order(&self, tier: Tier) -> &Order {
        match tier {
            Tier::Local => &self.local,
            Tier::Reflex | Tier::Cloud => &self.cloud,
        }
    }

    fn ask(&self, thinking: &Thinking<'_>) -> Ask {
        let beside = Beside { waiting: thinking.waiting, looked: thinking.looked };
        let mut messages = begin(thinking.heard, thinking.before, thinking.world, beside);
        messages.extend_from_slice(thinking.so_far);
        let may_escalate = thinking.tier == Tier::Local && thinking.may_escalate;
        match thinking.tier {
            Tier::Local => {}
            Tier::Reflex | Tier::Cloud => messages = withheld::for_elsewhere(&messages),
        }
        let standing = if may_escalate { &self.escalating } else { &self.standing };
        Ask { messages, ..standing.clone() }
    }

    /// One answer, its words said as they come. Where it breaks off before anybody heard of
    /// it, the next is asked, or the same once more.
    async fn hear(
        &self,
        tier: Tier,
        ask: &Ask,
        spoken: &mut Spoken<'_>,
    ) -> Result<Answer, NoThought> {
        let mut next = None;
        let heard = self.hear_from(Turn::default(), tier, ask, spoken, &mut next).await;
        match (heard, next) {
            // Whoever would not have it answered is not asked to do so again.
            (Err(no), _) if no.because == Trouble::Withheld => Err(no),
            (Err(_), Some(turn)) if spoken.started.elapsed() < self.patience => {
                spoken.begin_anew();
                self.hear_from(turn, tier, ask, spoken, &mut None).await
            }
            (heard, _) => heard,
        }
    }

    /// One answer of whoever's turn it is. `next` is who is to be asked where it broke off.
    async fn hear_from(
        &self,
        turn: Turn,
        tier: Tier,
        ask: &Ask,
        spoken: &mut Spoken<'_>,
        next: &mut Option<Turn>,
    ) -> Result<Answer, NoThought> {
        let order = self.order(tier);
        let started = Instant::now();
        let since = |at: Instant| u64::try_from(at.elapsed().as_micros()).unwrap_or(u64::MAX);
        let left = self.patience.saturating_sub(spoken.started.elapsed());
        let asked =
            Asked { tier, order, ask, started, notes: Notes::default(), tally: spoken.tally };
        let heard = tokio::time::timeout(left, async {
            let mut begun = order.ask_from(turn, spoken.wait, ask, &asked.notes).await?;
            *next = Some(begun.next);
            let first_us = since(started);
            let mind = whose(&begun.used.provider, &begun.used.model);
            let used = Use {
                tier,
                provider: begun.used.provider,
                model: begun.used.model,
                request_id: begun.used.request_id,
                tries: begun.used.tries,
                // Until the provider says it better.
                usage: ask.guess(),
                cost_micros: 0,
                first_us: Some(first_us),
                took_us: first_us,
                error_code: None,
                refused: None,
            };
            let model = used.model.clone();
            spoken.tally.begins(used);
            let (mut fold, mut length) = (Fold::default(), 0);
            let broke = loop {
                let delta = match begun.deltas.next().await {
                    Ok(Some(delta)) => delta,
                    Ok(None) => break None,
                    Err(trouble) => break Some(trouble),
                };
                if let Delta::Text(text) = &delta {
                    spoken.hear(text);
                }
                length += delta.length();
                fold.take(delta);
                spoken.tally.goes_on(|used| {
                    used.usage = fold.usage_or(used.usage, length);
                    used.took_us = since(started);
                    used.cost_micros = order.cost(&model, used.usage);
                });
            };
            let mut answer = fold.whole();
            answer.thoughts = answer.thoughts.of(&mind);
            let broke = broke.or((answer.end == Some(End::Withheld)).then_some(Trouble::Withheld));
            Ok((answer, broke))
        });
        let failed = |because: Trouble| NoThought { because, uses: Vec::new() };
        let heard = heard.await.unwrap_or(Err(Trouble::Slow("finish")));
        asked.is_over(heard.as_ref().err().map_or("model_empty", Trouble::code));
        let heard = match heard {
            // What was said was said: nobody else begins anew behind it.
            Err(because) if spoken.has_words() => Ok((Answer::default(), Some(because))),
            heard => heard,
        };
        let (answer, broke) = match heard {
            Ok(heard) => heard,
            Err(because) => {
                spoken.uses.extend(spoken.tally.taken(Some(because.code())));
                return Err(failed(because));
            }
        };
        spoken.uses.extend(spoken.tally.taken(broke.as_ref().map(Trouble::code)));
        match broke {
            // What was said was said; what it wanted to call is not whole.
            Some(because) if spoken.has_words() => {
                let stopped = because == Trouble::Withheld;
                spoken.say_plainly(if stopped { STOPPED } else { BROKE });
                spoken.broke_off = Some(because.code());
                Ok(Answer { calls: Vec::new(), ..answer })
            }
            Some(because) => Err(failed(because)),
            None if answer.end == Some(End::TooLong) => {
                spoken.finish();
                if spoken.has_words() {
                    spoken.say_plainly(TOO_LONG);
                }
                // A call that was cut off is none.
                Ok(Answer { calls: Vec::new(), ..answer })
            }
            None => Ok(answer),
        }
    }
}

#[async_trait]
impl Thinker for Planner {
    fn has(&self, tier: Tier) -> bool {
        match tier {
            Tier::Reflex => false,
            Tier::Local | Tier::Cloud => !self.order(tier).is_empty(),
        }
    }

    async fn think(
        &self,
        thinking: &Thinking<'_>,
        shelf: &(dyn Shelf + Sync),
        say: Say<'_>,
    ) -> Result<Thought, NoThought> {
        let has_found = thinking.looked.iter().any(|looked| !looked.is_nothing());
        let is_knowing = has_found || !thinking.so_far.is_empty();
        // Where somebody elsewhere may be asked too, nobody here is waited for as long.
        let hurries = thinking.tier == Tier::Local && thinking.may_escalate;
        let wait = if hurries { Wait::Briefly } else { Wait::Patiently };
        // Whoever asks for another deed is not answered by what was done before.
        let is_ordered = thinker::asks_for_deed(thinking.heard);
        let mut spoken = Spoken {
            is_knowing,
            record: if is_ordered { Record::default() } else { thinking.record.clone() },
            has_card: thinking.has_deeds || !thinking.waiting.is_empty(),
            wait,
            ..Spoken::new(say, thinking.tally)
        };
        spoken.begin_anew();
        match self.settle(thinking, shelf, &mut spoken).await {
            Ok(Settled { understanding, answer, escalates }) => {
                let Spoken { said, uses, broke_off, .. } = spoken;
                let Answer { calls, thoughts, .. } = answer;
                Ok(Thought { understanding, calls, thoughts, said, broke_off, uses, escalates })
            }
            Err(NoThought { because, .. }) => Err(NoThought { because, uses: spoken.uses }),
        }
    }

    async fn reword(
        &self,
        rewording: &Rewording,
        tier: Tier,
        tally: &Tally,
    ) -> Result<(String, Vec<Use>), NoThought> {
        // Nothing of it is heard before it is whole and looked at.
        let mut unheard = |_: &str| {};
        let mut spoken = Spoken { has_card: true, ..Spoken::new(&mut unheard, tally) };
        match self.hear(tier, &rewording.ask(), &mut spoken).await {
            Ok(answer) => Ok((answer.text, spoken.uses)),
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
    ) -> Result<Settled, NoThought> {
        let mut ask = self.ask(thinking);
        let may_escalate = thinking.tier == Tier::Local && thinking.may_escalate;
        let mut is_repaired = false;
        loop {
            let mut answer = self.hear(thinking.tier, &ask, spoken).await?;
            spoken.finish();
            let escalates = self.hands_on(&answer, spoken).filter(|_| may_escalate);
            if let Some(escalation) = escalates {
                return Ok(Settled::handed_on(answer, escalation));
            }
            at_home(&mut answer.calls, thinking.world);
            let understanding = understood(&answer);
            if understanding.question.is_some() {
                answer.calls.clear();
                return Ok(Settled::here(understanding, answer));
            }
            let plan = Plan::empty(PlanId(Uuid::nil()));
            let checked = match echoed::request(&understanding.proposal, thinking.heard) {
                Some(bad) => Err(bad),
                None => plan.extended(understanding.proposal.clone(), shelf),
            };
            if let (Err(bad), Some(used)) = (&checked, spoken.uses.last_mut()) {
                used.refused = Some(bad.name());
            }
            match checked {
                Ok(plan) if !plan.steps.is_empty() => {
                    let leaves = plan.steps.iter().any(|it| it.action_level != ActionLevel::Read);
                    spoken.stands_behind(leaves);
                    return Ok(Settled::here(understanding, answer));
                }
                Ok(_) => {
                    let claimed = spoken.guard.has_claimed();
                    let hollow = spoken.hollow.stands();
                    let asks_again = hollow.is_some() && spoken.has_only_begun();
                    let untrue = match hollow {
                        _ if thinking.has_deeds => None,
                        _ if claimed => {
                            let is_ordered = thinker::asks_for_deed(thinking.heard);
                            Some(thinking.record.instead(is_ordered))
                        }
                        Some(Stands::Card) => Some(NOT_THERE),
                        Some(Stands::LookUp) | None => None,
                    };
                    let is_told = spoken.has_words() && !asks_again;
                    if is_told || untrue.is_some() && is_repaired || claimed && thinking.has_deeds {
                        if let Some(untrue) = untrue {
                            spoken.say_plainly(untrue);
                        }
                        return Ok(Settled::here(understanding, answer));
                    }
                    if is_repaired && spoken.has_words() {
                        spoken.say_plainly(NO_FURTHER);
                        return Ok(Settled::here(understanding, answer));
                    }
                    if is_repaired {
                        return Err(NoThought { because: Trouble::Nothing, uses: Vec::new() });
                    }
                    // Nothing for people in it: JSON in prose, what it did not do, or nothing.
                    if !answer.text.trim().is_empty() {
                        let text = std::mem::take(&mut answer.text);
                        ask.messages.push(Message::said(text));
                    }
                    let was_cut_off = answer.end == Some(End::TooLong);
                    ask.messages.push(match hollow {
                        _ if claimed => not_so(),
                        Some(Stands::Card) => not_there(),
                        Some(Stands::LookUp) => call_it(),
                        None if was_cut_off => shorter(),
                        None => speak_up(),
                    });
                    spoken.begin_anew();
                }
                Err(bad) if is_repaired => {
                    tracing::warn!(reason = bad.name(), "a model's plan could not be repaired");
                    answer.calls.clear();
                    if may_escalate {
                        let escalation = Escalation::because(Reason::BadPlan);
                        return Ok(Settled::handed_on(answer, escalation));
                    }
                    return Ok(Settled::here(Understanding::misunderstood(), answer));
                }
                Err(bad) => {
                    ask.messages.extend(repair(&answer, &bad));
                    spoken.forget_hollow();
                }
            }
            is_repaired = true;
        }
    }

    /// The model says that it is beyond it, or is not sure enough of what it plans. What it
    /// has said already it is held to.
    fn hands_on(&self, answer: &Answer, spoken: &Spoken<'_>) -> Option<Escalation> {
        let confidence = answer.confidence.map(|share| gatekeeper::percent(f64::from(share)));
        let is_unsure = !answer.calls.is_empty() && !spoken.has_words();
        let unsure = confidence.filter(|it| is_unsure && *it < self.least_confidence);
        gatekeeper::wanted(&answer.calls)
            .or_else(|| Some(Escalation { reason: Reason::Unsure, confidence: unsure? }))
    }
}

/// Those who are asked. Who has not begun to answer when it is over, or when nobody waits any
/// longer, was asked all the same.
struct Asked<'a> {
    tier: Tier,
    order: &'a Order,
    ask: &'a Ask,
    started: Instant,
    notes: Notes,
    tally: &'a Tally,
}

impl Asked<'_> {
    fn is_over(&self, error_code: &'static str) {
        let took_us = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        for attempt in self.notes.taken(error_code) {
            let mut used = Use::in_vain(attempt, self.tier, self.ask.guess(), took_us);
            used.cost_micros = self.order.cost(&used.model, used.usage);
            self.tally.in_vain(used);
        }
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.is_over("interrupted");
    }
}

/// What came of a round.
struct Settled {
    understanding: Understanding,
    answer: Answer,
    escalates: Option<Escalation>,
}

impl Settled {
    fn here(understanding: Understanding, answer: Answer) -> Self {
        Self { understanding, answer, escalates: None }
    }

    /// Nothing of what it planned is done.
    fn handed_on(mut answer: Answer, escalation: Escalation) -> Self {
        answer.calls.clear();
        let understanding = Understanding::of(Gist::Question);
        Self { understanding, answer, escalates: Some(escalation) }
    }
}

/// What was said so far.
struct Spoken<'a> {
    say: Say<'a>,
    guard: Guard,
    hollow: Hollow,
    /// What was looked up, and what was done before, may be told.
    is_knowing: bool,
    record: Record,
    /// Another answer begins, behind what was said of the one before.
    is_anew: bool,
    /// A card is open, or a draft was left behind: that may be told too.
    has_card: bool,
    echo: Echo,
    markup: Markup,
    said: String,
    /// Why it was not said to its end, where it was not: a code.
    broke_off: Option<&'static str>,
    uses: Vec<Use>,
    started: Instant,
    wait: Wait,
    tally: &'a Tally,
}

impl<'a> Spoken<'a> {
    fn new(say: Say<'a>, tally: &'a Tally) -> Self {
        Self {
            say,
            guard: Guard::default(),
            hollow: Hollow::default(),
            is_knowing: false,
            record: Record::default(),
            is_anew: false,
            has_card: false,
            echo: Echo::default(),
            markup: Markup::default(),
            said: String::new(),
            broke_off: None,
            uses: Vec::new(),
            started: Instant::now(),
            wait: Wait::Patiently,
            tally,
        }
    }

    fn hear(&mut self, text: &str) {
        let words = self.guard.take(text);
        let words = self.echo.take(&words);
        let words = self.hollow.take(&words);
        let words = self.markup.take(&words);
        self.pass_on(&words);
    }

    /// It is over; what needs something behind it is still held back.
    fn finish(&mut self) {
        let words = self.guard.finish();
        let words = self.echo.take(&words) + &self.echo.finish();
        let words = self.hollow.take(&words) + &self.hollow.finish();
        let words = self.markup.take(&words) + &self.markup.finish();
        self.pass_on(&words);
    }

    /// It called for something, which `leaves` a card or a draft, or only looks something up.
    fn stands_behind(&mut self, leaves: bool) {
        if leaves || self.hollow.stands() == Some(Stands::LookUp) {
            let words = self.hollow.let_go();
            let words = self.markup.take(&words) + &self.markup.finish();
            self.pass_on(&words);
        }
    }

    /// Something of it is for people.
    fn has_words(&self) -> bool {
        self.said.chars().any(char::is_alphanumeric)
    }

    /// "Good question." is not much of an answer.
    fn has_only_begun(&self) -> bool {
        self.said.split_whitespace().count() <= MOST_BEGUN
    }

    /// Nothing of it was for people, and it is asked once more.
    fn begin_anew(&mut self) {
        let guard = if self.is_knowing { Guard::knowing() } else { Guard::default() };
        self.guard = guard.with_record(self.record.clone());
        self.echo = Echo::default();
        self.is_anew = true;
        self.forget_hollow();
    }

    /// What was held back stands for nothing.
    fn forget_hollow(&mut self) {
        self.hollow = Hollow::new(self.record.clone(), self.has_card);
    }

    /// Our own words.
    fn say_plainly(&mut self, text: &str) {
        self.finish();
        let is_apart = self.said.is_empty() || self.said.ends_with(char::is_whitespace);
        let space = if is_apart { "" } else { " " };
        self.pass_on(&format!("{space}{text}"));
    }

    fn pass_on(&mut self, words: &str) {
        // An answer does not begin with an empty line.
        let words = if self.said.is_empty() { words.trim_start() } else { words };
        if words.is_empty() {
            return;
        }
        let is_apart = |c: char| c.is_whitespace();
        let is_joined = self.is_anew && !words.starts_with(is_apart);
        self.is_anew = false;
        if is_joined && !self.said.is_empty() && !self.said.ends_with(is_apart) {
            self.said.push(' ');
            (self.say)(" ");
        }
        self.said.push_str(words);
        (self.say)(words);
    }
}
