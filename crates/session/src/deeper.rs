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

use brain::plan::Shelf;
use brain::snapshot::Scope;
use brain::{ActionLevel, Event, TurnState, audit};
use models::gist::Chat;
use models::provider::{Message, Trouble as Because};
use models::thinker::{self, Tally, Use};
use models::{
    Done, Focus, Gist, NoThought, Thinking, Thought, Tier, Understanding, World, planner,
};
use tokio::sync::mpsc;

use crate::act::Errand;
use crate::actor::Note;
use crate::budget::{self, Held};
use crate::gatekeeper::{self, Way};
use crate::house::House;
use crate::interpreting;
use crate::log::Entry;
use crate::mouth::Mouth;
use crate::peril::{Moment, Side};
use crate::recall;
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
/// What is looked up for so long is worth a word.
const LOOKS_LONG: Duration = Duration::from_secs(2);
const LOOKING: &str = "Still looking.";
const AWAY: &str = "I can't reach my thinking help right now, so I go by my rules.";
const USELESS: &str = "My thinking help brought nothing of use, so I go by my rules.";
const WITHHELD: &str = "My thinking help was not allowed to answer that, so I go by my rules.";
const SPENT: &str = "Today's budget for thinking is used up, so I go by my rules.";
const TOO_OFTEN: &str = "That was a lot of thinking at once, so I go by my rules for a moment.";
const LOST_ON_THE_WAY: &str = "I lost my thinking help on the way. This is what I found.";
const FAR_ENOUGH: &str = "That takes me too far. This is what I found.";
const STAYS_HERE: &str = "That would have to leave this machine, so I go by my rules.";

/// Why a model is to be asked; nothing, where the rules have it or nobody is there.
pub(crate) fn left_over(understanding: &Understanding, turn: &Turn) -> Option<&'static str> {
    // A word that was misheard is not worth a thought, unless a model asked for it.
    let least = if turn.voiced.is_some() && !turn.focus.asked_freely { 2 } else { 1 };
    let is_said =
        matches!(turn.wish, Wish::Words(_)) && turn.words().split_whitespace().count() >= least;
    let why = if answers_question(understanding, turn) {
        "answers_question"
    } else {
        thinker::left_over(understanding, turn.words())?
    };
    (is_said && turn.thinker.is_some()).then_some(why)
}

/// A bare word that says nothing by itself, to somebody who asked: "yes", "no thanks".
fn answers_question(understanding: &Understanding, turn: &Turn) -> bool {
    let is_bare =
        matches!(understanding.gist, Gist::Chat(Chat::Yes | Chat::No | Chat::Okay | Chat::Praise));
    is_bare && turn.focus.asked_freely && turn.open_cards == 0
}

/// What is said before the rules answer; nothing, where they say themselves that nobody
/// could make anything of it.
pub(crate) fn excuse(understanding: &Understanding, because: &'static str) -> &'static str {
    let is_lost = matches!(understanding.gist, Gist::Chat(Chat::Lost));
    if is_lost && matches!(because, AWAY | USELESS | STAYS_HERE) { "" } else { because }
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

/// What whoever thinks is told besides the sentence.
#[derive(Default)]
struct Told {
    before: Vec<Message>,
    so_far: Vec<Message>,
    /// What was left behind for it.
    deeds: Vec<Done>,
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
    /// Where the turn stands, where people have seen that it is thought about.
    pub state: Option<TurnState>,
    pub excuse: &'static str,
}

impl Deeper<'_> {
    pub async fn walk(&self, mut entry: Entry, mut mouth: Mouth) -> Result<Gone, Trouble> {
        if let Err((code, excuse)) = self.may_ask().await {
            entry.fallback = Some(code);
            return Ok(back(entry, mouth, None, excuse));
        }
        let mut begins = Entry::new(Moment::Heard, self.turn.id);
        let mut way = match Way::begin(self.turn, self.house, self.world, &mut begins) {
            Ok(way) => way,
            Err(closed) => {
                entry.fallback = Some(closed.code());
                return Ok(back(entry, mouth, None, STAYS_HERE));
            }
        };
        entry.events.push(Event::StateChanged {
            from: TurnState::FinalizingInput,
            to: TurnState::Thinking,
            reason: format!("thinking: {}", self.why),
        });
        entry.events.extend(too_long(self.turn, &mut mouth));
        entry.events.extend(mouth.say(planner::acknowledgement(self.turn.words())));
        entry.events.append(&mut begins.events);
        entry.audit.append(&mut begins.audit);
        entry.moment = Moment::Heard;
        let (written, before) =
            tokio::join!(self.desk.write(entry.turn_over(Moment::Asked)), self.before());
        written?;

        let begun_us = self.house.clock.ticks_us();
        let mut told = Told { before, ..Told::default() };
        let thought = self.think(&mut way, &told, &mut entry, &mut mouth).await?;
        entry.thought_us = Some(self.house.clock.ticks_us().saturating_sub(begun_us));
        match thought {
            Ok(thought) => {
                let walked = self.carry_out(thought, &mut told, way, entry, mouth).await?;
                Ok(Gone::Over(Box::new(walked)))
            }
            Err(NoThought { because, uses }) => {
                self.note(uses, &way, &mut entry);
                entry.fallback = Some(because.code());
                entry.tier = Some((Tier::Reflex, "model_away"));
                let excuse = match because {
                    Because::Withheld => WITHHELD,
                    Because::Nothing | Because::Garbage(_) | Because::Refused(_) => USELESS,
                    _ => AWAY,
                };
                Ok(back(entry, mouth, Some(way.state()), excuse))
            }
        }
    }

    /// Whoever is nearest thinks; what is beyond them is handed on, once, and what was spent
    /// until then is on the record.
    async fn think(
        &self,
        way: &mut Way,
        told: &Told,
        entry: &mut Entry,
        mouth: &mut Mouth,
    ) -> Result<Result<Thought, NoThought>, Trouble> {
        let mut thought = self.listen(way, told, mouth).await?;
        if let Some(escalation) = way.hands_on(&thought) {
            let uses = match &mut thought {
                Ok(thought) => std::mem::take(&mut thought.uses),
                Err(no) => std::mem::take(&mut no.uses),
            };
            self.note(uses, way, entry);
            way.leave(escalation, self.turn, self.house, entry);
            self.desk.write(entry.turn_over(Moment::Looked)).await?;
            thought = self.listen(way, told, mouth).await?;
        }
        way.came_back(&thought, self.house, entry);
        Ok(thought)
    }

    /// Counted before it is asked, in questions and in money.
    async fn may_ask(&self) -> Result<(), (&'static str, &'static str)> {
        let (user, session) = (self.turn.user, self.turn.session);
        let Err(held) = budget::may_ask(user, session, self.house).await else { return Ok(()) };
        Err(match held {
            Held::Spent => ("model_cap", SPENT),
            Held::Unknown => ("model_cap", AWAY),
            Held::TooOften(wait) => {
                let event = Event::HeldBack {
                    scope: Scope::Model,
                    retry_after_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1),
                    user_message: "That was a lot of thinking at once. Give me a moment.".into(),
                    in_reply_to: self.turn.in_reply_to.clone(),
                };
                let _ = self.desk.notes.try_send(Note::TellAll(Box::new(event)));
                ("model_rate_limit", TOO_OFTEN)
            }
        })
    }

    /// Rounds are limited, and somebody may have set a limit or a switch meanwhile.
    async fn may_go_on(&self, round: usize, way: &Way) -> Result<(), (&'static str, &'static str)> {
        let stays = || gatekeeper::may_leave(self.turn.thinker.as_deref(), self.house, self.world);
        if round == MOST_ROUNDS {
            return Err(("model_rounds", FAR_ENOUGH));
        }
        if way.tier == Tier::Cloud
            && let Err(closed) = stays()
        {
            return Err((closed.code(), STAYS_HERE));
        }
        let spent = budget::may_spend(self.turn.user, self.house).await;
        spent.map_err(|_| ("model_cap", SPENT))
    }

    /// Thinks, and says words as they come.
    async fn listen(
        &self,
        way: &Way,
        told: &Told,
        mouth: &mut Mouth,
    ) -> Result<Result<Thought, NoThought>, Trouble> {
        let Some(thinker) = self.turn.thinker.as_deref() else {
            return Ok(Err(NoThought { because: Because::Nobody, uses: Vec::new() }));
        };
        self.house.peril.pass(Moment::Thinking, Side::Before).await;
        let unpaid = Unpaid { deeper: self, way, tally: Tally::default() };
        let (sender, mut words) = mpsc::unbounded_channel::<String>();
        let mut say = move |text: &str| drop(sender.send(text.to_owned()));
        let thinking = Thinking {
            heard: self.turn.words(),
            world: self.world,
            before: &told.before,
            so_far: &told.so_far,
            has_deeds: !told.deeds.is_empty(),
            tier: way.tier,
            may_escalate: way.may_leave,
            tally: &unpaid.tally,
        };
        let shelf = self.house.catalog.for_models();
        let mut thought = pin!(thinker.think(&thinking, &shelf, &mut say));
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
        told: &mut Told,
        mut way: Way,
        mut entry: Entry,
        mut mouth: Mouth,
    ) -> Result<Walked, Trouble> {
        let (turn, house) = (self.turn, self.house);
        let Thought { understanding, mut calls, mut thoughts, mut said, uses, .. } = thought;
        self.note(uses, &way, &mut entry);
        let (mut understanding, plan, fallback) = dispose(understanding, house);
        entry.fallback = fallback;
        let mode = mode_of(&understanding, &plan, house);
        entry.mode = Some(mode);
        let words = format!("{} {}", turn.said_before, turn.words());
        let work = Work::new(&words, plan, mode);
        let mut focus = self.world.focus.clone();
        focus.told_away = false;
        if work.plan.steps.is_empty() {
            return self.answer(&understanding, &work, &way, focus, entry, mouth).await;
        }
        entry.events.extend(work.planned(&[], &understanding.choices, &house.catalog));
        let mut errand = Errand::new(turn, house, self.desk, self.world, work, Vec::new());
        errand.announce(&mut entry);
        if !errand.has_calls() && way.state() == TurnState::Thinking {
            entry.events.push(sets_to_work());
        }
        self.desk.write(entry.turn_over(Moment::Looked)).await?;
        let teller = Teller { turn, house, world: self.world, cards: Vec::new() };
        let mut found = Vec::new();
        let mut text = String::new();
        for round in 1.. {
            self.look(&mut errand, &mut entry, &mut mouth).await?;
            let done = errand.done();
            focus.learn(None, &done);
            told.deeds.extend(done.iter().filter(|done| self.is_deed(done)).cloned());
            if errand.comes_to_a_card() {
                // What was drafted stands on it.
                told.deeds.retain(|done| !done.tool.starts_with("gmail."));
                break;
            }
            told.so_far.extend(planner::brought(&said, &calls, &thoughts, &done));
            found.push((understanding.clone(), done));
            // What was found is there before anything is said of it.
            self.desk.write(entry.turn_over(Moment::Looked)).await?;
            if let Err((code, excuse)) = self.may_go_on(round, &way).await {
                entry.fallback = Some(code);
                join(&mut text, excuse);
                join(&mut text, &told_by_rules(&teller, &found, &focus).await);
                break;
            }
            match self.think(&mut way, told, &mut entry, &mut mouth).await? {
                Ok(thought) => {
                    self.note(thought.uses, &way, &mut entry);
                    (calls, thoughts, said) = (thought.calls, thought.thoughts, thought.said);
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
                    self.note(uses, &way, &mut entry);
                    entry.fallback = Some(because.code());
                    if round > 1 {
                        join(&mut text, LOST_ON_THE_WAY);
                    }
                    join(&mut text, &told_by_rules(&teller, &found, &focus).await);
                    break;
                }
            }
        }
        // Only a question is still to be told; everything else was, as it came.
        let asked = understanding.question.is_some();
        if asked {
            text.clear();
        }
        join(&mut text, &deeds_told(&teller, &told.deeds, &focus).await);
        let understanding = asked.then_some(understanding);
        let walk = Walk { errand, entry, mouth, understanding, focus, text };
        let mut walked = finish(walk, teller, self.desk).await?;
        walked.focus.note_question(asked);
        Ok(walked)
    }

    /// Something is there now that was not: it is told, whatever a model says of it.
    fn is_deed(&self, done: &Done) -> bool {
        self.house.catalog.level(&done.tool) == Some(ActionLevel::Draft) && done.result.is_ok()
    }

    /// What was said before this, from the record.
    async fn before(&self) -> Vec<Message> {
        let recent = self.house.store.last(self.turn.session, recall::RECENT).await;
        let Ok(recent) = recent else { return Vec::new() };
        let talk = recall::talk(&recent).into_iter();
        let before = talk.filter(|spoken| spoken.turn != Some(self.turn.id));
        planner::before(before.map(|spoken| (spoken.is_ours, spoken.text)))
    }

    /// Looks up what was called for. Where that takes long, something is said meanwhile.
    async fn look(
        &self,
        errand: &mut Errand<'_>,
        entry: &mut Entry,
        mouth: &mut Mouth,
    ) -> Result<(), Trouble> {
        let mut looking = pin!(errand.run(entry));
        let mut patience = pin!(tokio::time::sleep(LOOKS_LONG));
        tokio::select! {
            biased;
            looked = &mut looking => return looked,
            () = &mut patience => {}
        }
        self.show(mouth.say(LOOKING)).await?;
        looking.await
    }

    /// Nothing was looked up: it was answered, or something was asked.
    async fn answer(
        &self,
        understanding: &Understanding,
        work: &Work,
        way: &Way,
        mut focus: Focus,
        mut entry: Entry,
        mouth: Mouth,
    ) -> Result<Walked, Trouble> {
        let question = understanding.question.clone().unwrap_or_default();
        focus.told = Some(mouth.with(&question).into());
        let (said, whole, has_words) = mouth.answer(&question);
        entry.events.extend(work.planned(&[], &understanding.choices, &self.house.catalog));
        entry.events.push(begins_to_speak(way.state()));
        entry.events.extend(said);
        let (outcome, error_code) = verdict(Some(understanding), &[], &[], &[], has_words);
        entry.events.extend([whole, Event::ended(outcome, error_code)]);
        entry.moment = Moment::Told;
        self.desk.write(entry).await?;
        focus.learn(Some(understanding), &[]);
        focus.note_question(understanding.question.is_some());
        Ok(Walked { focus, done: Vec::new(), pause: Pause::Over })
    }

    /// What a model planned with a tool that is not there, or with arguments that it does not
    /// take, such as somebody else's name. It is on record, also where it was repaired.
    fn refused(&self, why: &str) -> audit::Line {
        let line = audit::Line::new(self.house.clock.now(), self.turn.user, "plan_refused");
        let (session, turn) = (Some(self.turn.session), Some(self.turn.id));
        audit::Line { session, turn, ..line.because(why) }
    }

    /// On the record with the next entry.
    fn note(&self, uses: Vec<Use>, way: &Way, entry: &mut Entry) {
        for used in uses {
            entry.audit.extend(used.refused.map(|why| self.refused(why)));
            entry.tier = Some((used.tier, way.why(used.tier, self.why)));
            // It answered as far as it came.
            entry.fallback = entry.fallback.or(used.error_code.filter(|_| used.first_us.is_some()));
            let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
            let row = interpreting::row(used, self.turn.id, self.turn.user, number, self.house);
            report::thought(&row);
            entry.model_calls.push(row);
        }
    }
}

/// An answer that somebody stops in the middle has cost something too.
struct Unpaid<'a> {
    deeper: &'a Deeper<'a>,
    way: &'a Way,
    tally: Tally,
}

impl Drop for Unpaid<'_> {
    fn drop(&mut self) {
        let uses = self.tally.taken(Some("interrupted"));
        if uses.is_empty() {
            return;
        }
        let mut entry = Entry::apart(Moment::Stopped);
        self.deeper.note(uses, self.way, &mut entry);
        // Without an owner there is nobody to keep it.
        let _ = self.deeper.desk.notes.try_send(Note::Spent(Box::new(entry)));
    }
}

fn back(entry: Entry, mouth: Mouth, state: Option<TurnState>, excuse: &'static str) -> Gone {
    Gone::Back(Box::new(Back { entry, mouth, state, excuse }))
}

/// What was left behind, from the record.
async fn deeds_told(teller: &Teller<'_>, deeds: &[Done], focus: &Focus) -> String {
    let mut told = String::new();
    for deed in deeds {
        let Some(gist) = planner::deed(deed) else { continue };
        let understanding = Understanding::of(gist);
        let deed = std::slice::from_ref(deed);
        join(&mut told, &teller.tell(Some(&understanding), deed, focus).await);
    }
    told
}

/// What was found, round by round, as the rules would tell it.
async fn told_by_rules(
    teller: &Teller<'_>,
    found: &[(Understanding, Vec<Done>)],
    focus: &Focus,
) -> String {
    let mut told = String::new();
    for (understanding, done) in found {
        let more = teller.tell(Some(understanding), done, focus).await;
        // A model may look up the same again and again.
        if !told.contains(&more) {
            join(&mut told, &more);
        }
    }
    if told.trim().is_empty() {
        "I looked it up, but can't put it into words.".to_owned()
    } else {
        told
    }
}
