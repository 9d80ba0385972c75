//! The only one who calls tools.
//!
//! Steps that need nothing from one another go together; a step that takes an
//! argument from an earlier result waits for it. What looks or drafts is done
//! here. What writes is only prepared here: it goes on a card, and after a yes
//! `write` carries it out.

use std::sync::Arc;
use std::time::Duration;

use brain::job::Lane;
use brain::plan::{BadPlan, Step};
use brain::policy::{Ruling, rule};
use brain::snapshot::Scope;
use brain::{
    Action, ActionId, ActionLevel, CallError, CallId, Card, Confirmation, Event, Job, JobId, audit,
};
use futures_util::future::join_all;
use models::thinker::Looked;
use models::{Choice, Done, Focus, Understanding, World};
use serde_json::Value;
use store::rows::ToolRunState;
use store::{Held, JobMark, ToolRunRow};
use tools::{Caller, Longer, Place, Tool, ToolError};

use crate::actor::Note;
use crate::house::House;
use crate::jobs::{Help, JobKind, Order};
use crate::log::Entry;
use crate::peril::{Moment, Side};
use crate::present::{self, Words, refused};
use crate::report;
use crate::thinking;
use crate::turn::{Desk, Trouble, Turn, Wish};
use crate::work::{Fate, Work};

/// A tool that has not answered by then, all tries together, has failed.
const PATIENCE: Duration = Duration::from_secs(15);
/// Waits before the second and the third try of a tool that was not reachable.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];

/// Somebody asked for a thing by an id that is none of theirs: made up, or somebody else's.
/// Nobody learns which; it is on record.
const NOT_FOUND: &str = "not_found";

/// Nobody keeps more cards than these in mind.
const MOST_CARDS: usize = 8;

/// A plan being carried out.
pub(crate) struct Errand<'a> {
    turn: &'a Turn,
    house: &'a Arc<House>,
    desk: &'a Desk,
    world: &'a World,
    pub work: Work,
    /// The writes of this turn that somebody said yes to.
    pub actions: Vec<Action>,
    /// What each step brought; `None` until it did, and for one that failed.
    results: Vec<Option<Value>>,
    tried: Vec<(usize, Done)>,
    wave: Vec<Call>,
    /// Writes that were not even shown.
    refused: Vec<audit::Line>,
}

/// One use of a tool, ready to go.
struct Call {
    step: usize,
    tool: Arc<dyn Tool>,
    args: Value,
    row: ToolRunRow,
    caller: Caller,
    /// It is work that goes on when the turn is over, or waits for its time.
    kind: Option<Arc<dyn JobKind>>,
}

/// What came of one use of a tool, and the job that goes on behind it or waits.
struct Ran {
    result: Result<Value, CallError>,
    queued: Option<(JobId, Lane)>,
}

impl<'a> Errand<'a> {
    pub fn new(
        turn: &'a Turn,
        house: &'a Arc<House>,
        desk: &'a Desk,
        world: &'a World,
        work: Work,
        actions: Vec<Action>,
    ) -> Self {
        let mut errand = Self {
            turn,
            house,
            desk,
            world,
            results: vec![None; work.fates.len()],
            work,
            actions,
            tried: Vec::new(),
            wave: Vec::new(),
            refused: Vec::new(),
        };
        errand.recall();
        errand
    }

    /// Fills in what steps brought before somebody waited.
    pub fn recall(&mut self) {
        for (at, fate) in self.work.fates.iter().enumerate() {
            self.results[at] = match fate {
                Fate::Brought { result } => Some(result.clone()),
                Fate::Agreed { action, .. } => {
                    let done = self.actions.iter().find(|one| one.id == *action);
                    done.filter(|one| one.state.is_done()).and_then(|one| one.result.clone())
                }
                Fate::Waiting
                | Fate::Failed { .. }
                | Fate::Asking { .. }
                | Fate::Declined { .. }
                | Fate::Expired { .. }
                | Fate::NotRun => None,
            };
        }
        self.work.give_up(&self.results);
    }

    /// Reads what had to wait for what was looked up, and takes what it asks for
    /// on top of the plan.
    pub async fn read_on(&mut self, rest: &str, focus: &Focus, entry: &mut Entry) -> Understanding {
        let world = World { focus: focus.clone(), ..self.world.clone() };
        let next = thinking::understand_words(rest, self.house, &world).await;
        self.take_on(next, entry)
    }

    /// Takes what is wanted on top of the plan, as far as it checks out.
    pub fn take_on(&mut self, next: Understanding, entry: &mut Entry) -> Understanding {
        let (next, plan, fallback) = thinking::grown(next, &self.work.plan, self.house);
        entry.fallback = entry.fallback.or(fallback);
        let mode = thinking::mode_of(&next, &plan, self.house);
        entry.mode = Some(mode);
        self.results.resize(plan.steps.len(), None);
        self.work.grow(plan, mode);
        if next.question.is_none() {
            entry.events.extend(self.planned(&[]));
        }
        self.announce(entry);
        next
    }

    /// The plan as people can watch it.
    pub fn planned(&self, choices: &[Choice]) -> Option<Event> {
        self.work.planned(&self.actions, choices, &self.house.catalog)
    }

    /// Whether there is anything to look up or draft right now.
    pub fn has_calls(&self) -> bool {
        !self.wave.is_empty()
    }

    /// Everything in the plan only looks something up.
    pub fn only_reads(&self) -> bool {
        self.work.plan.steps.iter().all(|step| step.action_level == ActionLevel::Read)
    }

    /// What was looked up so far, and what it brought.
    pub fn looked(&self) -> Vec<Looked> {
        let steps = self.work.plan.steps.iter().zip(&self.results);
        let looked = steps.filter_map(|(step, brought)| {
            let (tool, args) = (step.tool.clone(), step.args.clone());
            Some(Looked { tool, args, brought: brought.clone()? })
        });
        looked.collect()
    }

    /// What was tried in this walk and not told of yet.
    pub fn tried(&self) -> Vec<Done> {
        let mut tried: Vec<_> = self.tried.iter().collect();
        tried.sort_by_key(|(step, _)| *step);
        tried.into_iter().map(|(_, done)| done.clone()).collect()
    }

    /// Whether a write is next, and a card with it.
    pub fn comes_to_a_card(&self) -> bool {
        let mut ready = self.work.ready(&self.results);
        ready.any(|step| step.action_level == ActionLevel::Write)
    }

    /// Whether it is the draft that a write ahead would send: it is told with its card.
    pub fn is_on_a_card(&self, done: &Done) -> bool {
        let Ok(Some(draft)) = done.result.as_ref().map(|brought| brought.get("draft_id")) else {
            return false;
        };
        let mut ready = self.work.ready(&self.results);
        ready.any(|step| {
            step.action_level == ActionLevel::Write && step.args.get("draft_id") == Some(draft)
        })
    }

    /// What was tried in this walk, step by step.
    pub fn done(&mut self) -> Vec<Done> {
        self.tried.sort_by_key(|(step, _)| *step);
        std::mem::take(&mut self.tried).into_iter().map(|(_, done)| done).collect()
    }

    /// Puts the requests of the next wave into `entry`.
    pub fn announce(&mut self, entry: &mut Entry) {
        let ready = self.work.ready(&self.results);
        let calls = ready.filter(|step| step.action_level != ActionLevel::Write);
        for step in calls.cloned().collect::<Vec<_>>() {
            match self.prepare(&step) {
                Ok(call) => {
                    entry.events.push(call.requested(&self.work));
                    if call.row.level != ActionLevel::Read {
                        // A look-up leaves its record with its result; what changes
                        // something leaves one before it is tried.
                        entry.tool_runs.push(call.row.clone());
                    }
                    self.wave.push(call);
                }
                Err(error) => self.failed(&step, error),
            }
        }
    }

    /// Looks up and drafts whatever can be. What came last is not written yet:
    /// it belongs into the same entry as what follows from it.
    pub async fn run(&mut self, entry: &mut Entry) -> Result<(), Trouble> {
        while !self.wave.is_empty() {
            let wave = std::mem::take(&mut self.wave);
            let timed = async |call: &Call| {
                let started_us = self.house.clock.ticks_us();
                let ran = call.run(self.house).await;
                (ran, self.house.clock.ticks_us().saturating_sub(started_us))
            };
            let outcomes = join_all(wave.iter().map(timed)).await;
            for (call, (ran, took_us)) in wave.into_iter().zip(outcomes) {
                self.take_in(call, ran, took_us, entry);
            }
            self.announce(entry);
            if !self.wave.is_empty() {
                self.desk.write(entry.turn_over(Moment::Looked)).await?;
            }
        }
        self.work.give_up(&self.results);
        Ok(())
    }

    /// The next card to show: writes are asked for one at a time, in order. A
    /// write that cannot be shown has failed, and the next one is tried.
    pub async fn next_card(&mut self) -> Option<(Step, Card)> {
        loop {
            self.work.give_up(&self.results);
            let mut ready = self.work.ready(&self.results);
            let step = ready.find(|step| step.action_level == ActionLevel::Write)?.clone();
            drop(ready);
            match self.card(&step).await {
                Ok(card) => return Some((step, card)),
                Err(error) => {
                    self.refused.push(self.not_shown(&step, &error));
                    self.failed(&step, error);
                }
            }
        }
    }

    /// Lines of the audit about writes that were not even shown.
    pub fn refusals(&mut self) -> Vec<audit::Line> {
        std::mem::take(&mut self.refused)
    }

    fn not_shown(&self, step: &Step, error: &CallError) -> audit::Line {
        self.line("not_shown", &step.tool).because(&*error.code)
    }

    /// A line of the audit about something that a tool was asked for.
    fn line(&self, what: &str, tool: &str) -> audit::Line {
        audit::Line {
            session: Some(self.turn.session),
            turn: Some(self.turn.id),
            tool: Some(tool.to_owned()),
            ..audit::Line::new(self.house.clock.now(), self.turn.user, what)
        }
    }

    async fn card(&self, step: &Step) -> Result<Card, CallError> {
        if self.turn.open_cards.len() >= MOST_CARDS {
            let message = "too many cards are open already; answer some of them first";
            return Err(refused("too_many_cards", message.to_owned()));
        }
        self.may_use_one_more()?;
        let args = self.args(step)?;
        let tool = self.tool(step)?;
        let read = self.results.iter().flatten().map(Value::to_string).collect();
        let said = self.work.said.as_str();
        let heard = if self.turn.voiced.is_some() { said } else { "" };
        let words = Words { said, heard, doubted: &[], read };
        let caller = self.turn.caller(self.world, String::new());
        present::card(tool, args, &words, &caller, self.world, self.house).await
    }

    fn args(&self, step: &Step) -> Result<Value, CallError> {
        let results: Vec<Value> =
            self.results.iter().map(|r| r.clone().unwrap_or_default()).collect();
        step.filled(&results, &*self.house.catalog).map_err(|error| {
            let code = match error {
                // The earlier step found nothing to go on with.
                BadPlan::NothingThere { .. } => "nothing_there",
                _ => "bad_arguments",
            };
            refused(code, error.to_string())
        })
    }

    fn tool(&self, step: &Step) -> Result<&'a Arc<dyn Tool>, CallError> {
        let missing = || refused("bad_arguments", format!("there is no tool called {}", step.tool));
        self.house.catalog.get(&step.tool).ok_or_else(missing)
    }

    /// What a program asks for over HTTP was counted there.
    fn may_use_one_more(&self) -> Result<(), CallError> {
        if matches!(self.turn.wish, Wish::Use { .. }) {
            return Ok(());
        }
        let counted = self.house.meter.tool(self.turn.user, self.turn.session);
        counted.map_err(|wait| {
            let event = Event::HeldBack {
                scope: Scope::Tool,
                retry_after_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1),
                user_message: "That was a lot at once. Give me a moment.".into(),
                in_reply_to: self.turn.in_reply_to.clone(),
            };
            // It passes; the answer says it too.
            let _ = self.desk.notes.try_send(Note::TellAll(Box::new(event)));
            refused("rate_limit", "too many tools were used in a minute".to_owned())
        })
    }

    fn prepare(&self, step: &Step) -> Result<Call, CallError> {
        let args = self.args(step)?;
        let tool = Arc::clone(self.tool(step)?);
        self.may_use_one_more()?;
        match rule(step.action_level, self.house.switches.of(&step.tool), &[]) {
            Ruling::Go => {}
            Ruling::Refuse(because) => {
                return Err(refused(because.code(), "this tool is switched off".into()));
            }
            Ruling::Ask(_) => return Err(refused("refused", "a write needs a yes".into())),
        }
        let idempotency_key = format!("{}.{}", self.turn.id, step.step_index);
        let row = ToolRunRow {
            call: CallId(self.house.ids.next()),
            turn: self.turn.id,
            session: self.turn.session,
            tool: step.tool.clone(),
            level: step.action_level,
            idempotency_key: idempotency_key.clone(),
            state: ToolRunState::Running,
            error_code: None,
            started_at: self.house.clock.now(),
            took_us: None,
        };
        let caller = self.turn.caller(self.world, idempotency_key);
        let kind = self.house.desk.kind(&step.tool).cloned();
        Ok(Call { step: step.step_index, tool, args, row, caller, kind })
    }

    fn take_in(&mut self, call: Call, ran: Ran, took_us: u64, entry: &mut Entry) {
        let Ran { result, queued } = ran;
        let took = Duration::from_micros(took_us);
        self.house.pace.learn(&call.row.tool, took);
        let code = result.as_ref().err().map(|error| error.code.as_str());
        report::used(&call.row.tool, took, code);
        let goes_on = queued.is_some_and(|(_, lane)| lane == Lane::Work);
        entry.jobs.extend(queued.map(|(job, _)| JobMark::Begun(job)));
        entry.events.push(match queued {
            Some((job_id, Lane::Work)) => call.queued(job_id),
            _ => call.returned(&result),
        });
        entry.tool_runs.push(ToolRunRow {
            state: match result {
                Ok(_) if goes_on => ToolRunState::Running,
                Ok(_) => ToolRunState::Done,
                Err(_) => ToolRunState::Failed,
            },
            error_code: result.as_ref().err().map(|error| error.code.clone()),
            took_us: Some(took_us).filter(|_| !goes_on),
            ..call.row.clone()
        });
        if code == Some(NOT_FOUND) {
            entry.audit.push(self.line("not_found", &call.row.tool));
        }
        self.results[call.step - 1] = result.as_ref().ok().cloned();
        let fate = match &result {
            Ok(result) => Fate::Brought { result: result.clone() },
            Err(error) => Fate::Failed { error: error.clone() },
        };
        self.work.set(call.step, fate);
        self.tried.push((call.step, Done { tool: call.row.tool, result }));
    }

    fn failed(&mut self, step: &Step, error: CallError) {
        self.work.set(step.step_index, Fate::Failed { error: error.clone() });
        if error.code != "nothing_there" {
            let done = Done { tool: step.tool.clone(), result: Err(error) };
            self.tried.push((step.step_index, done));
        }
    }
}

impl Call {
    fn requested(&self, work: &Work) -> Event {
        Event::ToolRequested {
            call_id: self.row.call,
            tool_name: self.row.tool.clone(),
            arguments: self.args.clone(),
            idempotency_key: self.row.idempotency_key.clone(),
            mode: work.call_mode(),
            action_level: self.row.level,
            label: self.tool.label(&self.args),
            confirmation_request_id: None,
        }
    }

    fn returned(&self, result: &Result<Value, CallError>) -> Event {
        Event::ToolReturned {
            call_id: self.row.call,
            ok: result.is_ok(),
            output: result.as_ref().ok().cloned().unwrap_or_default(),
            error: result.as_ref().err().cloned(),
            state: None,
        }
    }

    fn queued(&self, job_id: JobId) -> Event {
        let message = format!("{}…", self.tool.label(&self.args));
        Event::ToolQueued { call_id: self.row.call, job_id, message }
    }

    async fn run(&self, house: &Arc<House>) -> Ran {
        house.peril.pass(Moment::Looking, Side::Before).await;
        let tries = async {
            match &self.kind {
                Some(kind) => self.queue(&**kind, house).await,
                None => self.look(house).await,
            }
        };
        let ran = tokio::time::timeout(PATIENCE, tries).await.unwrap_or_else(|_| {
            Err(CallError {
                code: "timeout".into(),
                message: format!("{} did not answer in time", self.row.tool),
                retryable: true,
            })
        });
        house.peril.pass(Moment::Looking, Side::After).await;
        match ran {
            Ok((value, queued)) => Ran { result: Ok(value), queued },
            Err(error) => Ran { result: Err(error), queued: None },
        }
    }

    /// Looks it up. What takes longer than a turn becomes work of its own.
    async fn look(&self, house: &Arc<House>) -> Result<(Value, Option<(JobId, Lane)>), CallError> {
        match self.tries().await {
            Ok(value) => Ok((value, None)),
            Err(ToolError::TakesLonger(longer)) => Ok(self.go_on(*longer, house).await),
            Err(error) => Err(as_call_error(&error)),
        }
    }

    async fn go_on(&self, longer: Longer, house: &Arc<House>) -> (Value, Option<(JobId, Lane)>) {
        let Longer { job, args, taken_on, left } = longer;
        let Some(kind) = house.desk.kind(job) else { return (left, None) };
        let is_same = |open: &Job| open.kind == job && open.args == args && !open.state.is_over();
        let open = house.store.open_jobs(self.caller.user).await.unwrap_or_default();
        if open.iter().any(is_same) {
            return (taken_on, None);
        }
        match house.desk.hold(&**kind, self.order(args, house)).await {
            Ok(Held::Kept(job)) => (taken_on, Some((job, kind.lane()))),
            Ok(Held::FullForUser | Held::Full) => (left, None),
            Err(error) => {
                tracing::error!(%error, kind = job, "long work cannot be kept");
                (left, None)
            }
        }
    }

    fn order(&self, args: Value, house: &House) -> Order {
        Order {
            id: JobId(house.ids.next()),
            user: self.caller.user,
            session: self.row.session,
            turn: self.row.turn,
            call: self.row.call,
            key: self.row.idempotency_key.clone(),
            args,
            now: house.clock.now(),
        }
    }

    /// Puts it into the queue; it begins once the person was told of it.
    async fn queue(
        &self,
        kind: &dyn JobKind,
        house: &Arc<House>,
    ) -> Result<(Value, Option<(JobId, Lane)>), CallError> {
        let place = Place { session: self.row.session, turn: self.row.turn };
        let help = Help { house: Arc::clone(house), user: self.caller.user, place };
        let outlook = kind.outlook(&self.args, &help).await;
        let order = self.order(self.args.clone(), house);
        let held = house.desk.hold(kind, order).await.map_err(|error| CallError {
            code: "store_unavailable".into(),
            message: error.to_string(),
            retryable: true,
        })?;
        let job = match held {
            Held::Kept(job) => job,
            Held::FullForUser => {
                let message = "as many of these as one person may have are open already";
                return Err(refused("too_many_jobs", message.to_owned()));
            }
            Held::Full => {
                let message = "too much is waiting to be worked on; ask again later";
                return Err(refused("overloaded", message.to_owned()));
            }
        };
        let mut brought = serde_json::json!({ "job_id": job, "called": kind.called(&self.args) });
        if let Some(outlook) = outlook {
            brought["outlook"] = outlook.into();
        }
        if kind.lane() == Lane::Work {
            brought["queued"] = true.into();
        }
        if let Some(due) = kind.due(&self.args) {
            brought["due_at"] = serde_json::json!(due);
            brought["args"] = self.args.clone();
            let session = house.store.find(self.row.session).await.ok().flatten();
            if session.is_some_and(|session| session.temporary) {
                brought["outlives_chat"] = true.into();
            }
        }
        Ok((brought, Some((job, kind.lane()))))
    }

    /// Only a look-up is tried again: what may have changed something is not.
    async fn tries(&self) -> Result<Value, ToolError> {
        let mut waits = BACK_OFF.iter().filter(|_| self.row.level == ActionLevel::Read);
        loop {
            let error = match self.tool.call(self.args.clone(), &self.caller).await {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            match waits.next().filter(|_| as_call_error(&error).retryable) {
                Some(wait) => tokio::time::sleep(*wait).await,
                None => return Err(error),
            }
        }
    }
}

/// A write that somebody has just said yes to.
pub(crate) fn agreed(card: &Confirmation, call: CallId, called: String) -> Action {
    let at = card.decided.map_or(card.asked_at, |decided| decided.at);
    Action {
        id: card.action,
        confirmation: card.id,
        revision: card.revision,
        session: card.session,
        user: card.user,
        turn: card.turn,
        step: card.step,
        call,
        tool: card.tool.clone(),
        args: Value::Object(card.card.payload.clone()),
        seal: card.seal,
        called,
        state: brain::ActionState::IntentLogged,
        attempt: 0,
        epoch: 0,
        probes: 0,
        absent: 0,
        not_before: None,
        agreed_at: at,
        learnt_at: at,
        result: None,
        error: None,
        told: false,
    }
}

/// The same on every attempt of one write, and carried to the provider.
pub(crate) fn key_of(action: ActionId) -> String {
    action.to_string()
}

pub(crate) fn as_call_error(error: &ToolError) -> CallError {
    let (code, retryable) = match error {
        ToolError::Transient { .. } | ToolError::NotReached { .. } => ("unreachable", true),
        ToolError::BadArguments(_) => ("bad_arguments", false),
        ToolError::NotFound { .. } => (NOT_FOUND, false),
        ToolError::Changed { .. } => ("changed", false),
        ToolError::Refused { .. } => ("refused", false),
        ToolError::TakesLonger(_) => ("takes_longer", false),
        ToolError::Paused => ("memory_paused", false),
    };
    CallError { code: code.into(), message: error.to_string(), retryable }
}
