//! What the rules have no reading of is thought about by somebody slower.
//!
//! People hear at once that it is thought about, and words as they come. What is proposed
//! is checked and carried out like any other plan, round by round, with what was found in
//! view; a card comes before anything is written. Where nobody can be asked, that is said
//! once, and the rules' answer stands.

mod rounds;

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use brain::snapshot::Scope;
use brain::{Event, TurnState, audit};
use models::gist::Chat;
use models::planner::asides;
use models::provider::{Message, Trouble as Because};
use models::thinker::{self, Looked, Tally, Use};
use models::{
    Done, Focus, Gist, NoThought, Record, Thinking, Thought, Tier, Understanding, World, planner,
};
use tokio::sync::mpsc;

use self::rounds::Round;
use crate::act::Errand;
use crate::actor::Note;
use crate::budget::{self, Held};
use crate::gatekeeper::Way;
use crate::house::House;
use crate::interpreting;
use crate::log::Entry;
use crate::mouth::Mouth;
use crate::peril::{Moment, Side};
use crate::recall;
use crate::report;
use crate::telling::{Teller, as_far_as_told, verdict};
use crate::thinking::{dispose, mode_of};
use crate::turn::{
    Desk, Pause, Trouble, Turn, Walk, Walked, Wish, begins_to_speak, sets_to_work, too_long,
};
use crate::work::Work;

/// After so long a silence something is said.
const FILLERS: [(Duration, &str); 2] = [
    (Duration::from_secs(2), asides::STILL_THINKING),
    (Duration::from_secs(6), asides::TAKES_A_MOMENT),
];
const AWAY: &str = "I can't reach my thinking help right now, so I go by my rules.";
const BROKEN: &str =
    "My thinking help needs mending (“sayso doctor” says what), so I go by my rules.";
/// Nobody is told of an account before it is asked for something.
const NOTHING_LEFT: &str =
    "My thinking help says that its account is used up, so I go by my rules.";
const USELESS: &str = "My thinking help brought nothing of use, so I go by my rules.";
const WITHHELD: &str = "My thinking help was not allowed to answer that, so I go by my rules.";
const SPENT: &str = "Today's budget for thinking is used up, so I go by my rules.";
const TOO_OFTEN: &str = "That was a lot of thinking at once, so I go by my rules for a moment.";
const STAYS_HERE: &str = "That would have to leave this machine, so I go by my rules.";

/// Why a model is to be asked; nothing, where the rules have it or nobody is there.
pub(crate) fn left_over(
    understanding: &Understanding,
    turn: &Turn,
    world: &World,
) -> Option<&'static str> {
    let why = if answers_question(understanding, turn) {
        "answers_question"
    } else if turn.focus.told_freely && thinker::points_at_told(turn.words()) {
        "follows_answer"
    } else {
        thinker::left_over(understanding, turn.words(), world)?
    };
    may_think(turn).then_some(why)
}

/// The same, once everything was looked up that the rules would look up for it.
pub(crate) fn in_vain(
    understanding: &Understanding,
    errand: &Errand<'_>,
    turn: &Turn,
) -> Option<&'static str> {
    let is_over = understanding.rest.is_none() && errand.only_reads();
    let why = thinker::left_unfound(understanding, &errand.tried(), turn.words())?;
    (is_over && may_think(turn)).then_some(why)
}

/// Somebody is there, and it was said in words.
fn may_think(turn: &Turn) -> bool {
    // A word that was misheard is not worth a thought, unless a model asked for it.
    let least = if turn.voiced.is_some() && !turn.focus.asked_freely { 2 } else { 1 };
    let is_said =
        matches!(turn.wish, Wish::Words(_)) && turn.words().split_whitespace().count() >= least;
    is_said && turn.thinker.is_some()
}

/// A bare word that says nothing by itself, to somebody who asked: "yes", "no thanks".
fn answers_question(understanding: &Understanding, turn: &Turn) -> bool {
    let is_bare =
        matches!(understanding.gist, Gist::Chat(Chat::Yes | Chat::No | Chat::Okay | Chat::Praise));
    is_bare && turn.focus.asked_freely && turn.open_cards.is_empty()
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
    /// What the rules have looked up.
    looked: Vec<Looked>,
    so_far: Vec<Message>,
    /// What was left behind for it.
    deeds: Vec<Done>,
    /// What was done in this conversation before.
    record: Record,
}

/// What was answered at once.
struct Answered {
    understanding: Understanding,
    said: String,
    /// Why that is not all of it.
    broke_off: Option<&'static str>,
}

/// What was looked up by the rules, and how they read it.
pub(crate) struct Before<'a, 'b> {
    pub errand: Errand<'a>,
    pub entry: Entry,
    pub mouth: Mouth,
    pub read: &'b Understanding,
    pub focus: Focus,
}

/// Where that led.
pub(crate) enum Further<'a> {
    Over(Box<Walked>),
    /// Nobody could be asked; the rules tell of it.
    Back(Box<Behind<'a>>),
}

pub(crate) struct Behind<'a> {
    pub errand: Errand<'a>,
    pub entry: Entry,
    pub mouth: Mouth,
    pub excuse: &'static str,
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

impl<'a> Deeper<'a> {
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
        let (before, record) = before;
        let mut told = Told { before, record, ..Told::default() };
        let thought = self.think(&mut way, &told, &mut entry, &mut mouth).await?;
        entry.thought_us = Some(self.house.clock.ticks_us().saturating_sub(begun_us));
        match thought {
            Ok(thought) => {
                let walked = self.carry_out(thought, &mut told, way, entry, mouth).await?;
                Ok(Gone::Over(Box::new(walked)))
            }
            Err(nothing) => {
                let excuse = self.gives_up(nothing, &way, &mut entry);
                Ok(back(entry, mouth, Some(way.state()), excuse))
            }
        }
    }

    /// Thinks about what the rules looked up and have nothing to tell of. What they would say
    /// is said where nobody can be asked.
    pub async fn walk_further(
        &self,
        before: Before<'a, '_>,
        teller: &Teller<'a>,
    ) -> Result<Further<'a>, Trouble> {
        let Before { mut errand, mut entry, mut mouth, read, mut focus } = before;
        let back = |errand, entry, mouth, excuse| {
            Ok(Further::Back(Box::new(Behind { errand, entry, mouth, excuse })))
        };
        if let Err((code, excuse)) = self.may_ask().await {
            entry.fallback = Some(code);
            return back(errand, entry, mouth, excuse);
        }
        let mut way = match Way::begin(self.turn, self.house, self.world, &mut entry) {
            Ok(way) => way.at_work(),
            Err(closed) => {
                entry.fallback = Some(closed.code());
                return back(errand, entry, mouth, STAYS_HERE);
            }
        };
        let (written, before) =
            tokio::join!(self.desk.write(entry.turn_over(Moment::Looked)), self.before());
        written?;
        let (before, record) = before;
        let mut told = Told { before, record, looked: errand.looked(), ..Told::default() };
        let thought = match self.think(&mut way, &told, &mut entry, &mut mouth).await? {
            Ok(thought) => thought,
            Err(nothing) => {
                let excuse = self.gives_up(nothing, &way, &mut entry);
                return back(errand, entry, mouth, excuse);
            }
        };
        focus.told_away = false;
        let done = errand.done();
        focus.learn(Some(read), &done);
        self.note(thought.uses, &way, &mut entry);
        let understanding = errand.take_on(thought.understanding, &mut entry);
        let Thought { calls, thoughts, said, broke_off, .. } = thought;
        let found = vec![(read.clone(), done)];
        let round = Round { understanding, calls, thoughts, said, found };
        let (understanding, text) = (None, String::new());
        let walk = Walk { errand, entry, mouth, understanding, focus, text, broke_off };
        let walked = Box::pin(self.go_round(round, walk, &mut told, way, teller)).await?;
        Ok(Further::Over(Box::new(walked)))
    }

    /// Nobody answered, which is on record; what is said of it.
    fn gives_up(&self, nothing: NoThought, way: &Way, entry: &mut Entry) -> &'static str {
        self.note(nothing.uses, way, entry);
        entry.fallback = Some(nothing.because.code());
        entry.tier = Some((Tier::Reflex, "model_away"));
        match nothing.because {
            Because::Withheld => WITHHELD,
            Because::Nothing | Because::Garbage(_) | Because::Refused(_) => USELESS,
            Because::NothingLeft => NOTHING_LEFT,
            because if because.lasts() => BROKEN,
            _ => AWAY,
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
            looked: &told.looked,
            waiting: &self.turn.open_cards,
            so_far: &told.so_far,
            has_deeds: !told.deeds.is_empty(),
            record: &told.record,
            tier: way.tier,
            may_escalate: way.may_leave,
            tally: &unpaid.tally,
        };
        let shelf = self.house.catalog.for_models();
        let mut thought = pin!(thinker.think(&thinking, &shelf, &mut say));
        let mut fillers = FILLERS.into_iter().peekable();
        // Between two sentences something may be said; within one nothing is.
        let mut may_fill = true;
        mouth.pause();
        let thought = loop {
            let patience = fillers.peek().map_or(Duration::MAX, |(patience, _)| *patience);
            tokio::select! {
                biased;
                Some(more) = words.recv() => {
                    self.say(more, &mut words, mouth).await?;
                    may_fill = mouth.is_between_sentences();
                }
                thought = &mut thought => break thought,
                () = tokio::time::sleep(patience), if may_fill && fillers.peek().is_some() => {
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
        way: Way,
        mut entry: Entry,
        mouth: Mouth,
    ) -> Result<Walked, Trouble> {
        let (turn, house) = (self.turn, self.house);
        let Thought { understanding, calls, thoughts, said, broke_off, uses, .. } = thought;
        self.note(uses, &way, &mut entry);
        let (understanding, plan, fallback) = dispose(understanding, house);
        entry.fallback = fallback;
        let mode = mode_of(&understanding, &plan, house);
        entry.mode = Some(mode);
        let words = format!("{} {}", turn.said_before, turn.words());
        let work = Work::new(&words, plan, mode);
        let mut focus = self.world.focus.clone();
        focus.told_away = false;
        if work.plan.steps.is_empty() {
            let answered = Answered { understanding, said, broke_off };
            return self.answer(answered, told, &work, &way, focus, (entry, mouth)).await;
        }
        entry.events.extend(work.planned(&[], &understanding.choices, &house.catalog));
        let mut errand = Errand::new(turn, house, self.desk, self.world, work, Vec::new());
        errand.announce(&mut entry);
        if !errand.has_calls() && way.state() == TurnState::Thinking {
            entry.events.push(sets_to_work());
        }
        let teller = Teller { turn, house, world: self.world, cards: Vec::new() };
        let round = Round { understanding, calls, thoughts, said, found: Vec::new() };
        let (understanding, text) = (None, String::new());
        let walk = Walk { errand, entry, mouth, understanding, focus, text, broke_off };
        Box::pin(self.go_round(round, walk, told, way, &teller)).await
    }

    /// What was said before this, and what was done, from the record.
    async fn before(&self) -> (Vec<Message>, Record) {
        let recent = self.house.store.last(self.turn.session, recall::RECENT).await;
        let Ok(recent) = recent else { return (Vec::new(), Record::unknown()) };
        let talk = recall::talk(&recent).into_iter();
        let before = talk.filter(|spoken| spoken.turn != Some(self.turn.id));
        let before = planner::before(before.map(|spoken| (spoken.is_ours, spoken.text)));
        let record = recall::record(&*self.house.store, &recent, &self.world.local_now()).await;
        (before, record)
    }

    /// What is said behind an answer for which nothing was looked up: the question that was
    /// asked, or what the record has to say.
    fn behind<'b>(&self, understanding: &'b Understanding, said: &str, told: &Told) -> &'b str {
        match &understanding.question {
            Some(question) => question,
            None => self.record(said, false, told),
        }
    }

    /// Nothing was looked up: it was answered, or something was asked.
    async fn answer(
        &self,
        answered: Answered,
        told: &Told,
        work: &Work,
        way: &Way,
        mut focus: Focus,
        (mut entry, mouth): (Entry, Mouth),
    ) -> Result<Walked, Trouble> {
        let Answered { understanding, said, broke_off } = answered;
        let more = self.behind(&understanding, &said, told);
        focus.told = Some(mouth.with(more).into());
        let (said, whole, has_words) = mouth.answer(more);
        entry.events.extend(work.planned(&[], &understanding.choices, &self.house.catalog));
        entry.events.push(begins_to_speak(way.state()));
        entry.events.extend(said);
        let verdict = verdict(Some(&understanding), &[], &[], &[], has_words);
        let (outcome, error_code) = as_far_as_told(verdict, broke_off);
        entry.events.extend([whole, Event::ended(outcome, error_code)]);
        entry.moment = Moment::Told;
        self.desk.write(entry).await?;
        focus.learn(Some(&understanding), &[]);
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
