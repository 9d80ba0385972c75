//! One write on its way, from a recorded yes to a recorded outcome.
//!
//! A task of its own: stopping a turn does not stop it, and nobody waits for it
//! but those who want to. Each thing it learns is on disk before it goes on, and
//! `brain::action` says what may be tried next. It never asks a person and never
//! decides anything by itself.

use std::sync::Arc;
use std::time::Duration;

use brain::action::{News, Todo};
use brain::event::CallMode;
use brain::policy::{Ruling, Switch, rule};
use brain::{Action, ActionLevel, ActionState, CallError, Event, SaySo, audit};
use jiff::SignedDuration;
use store::ToolRunRow;
use store::rows::ToolRunState;
use tokio::sync::{mpsc, oneshot, watch};
use tools::{Caller, Found, Tool, ToolError, Write};

use crate::act::as_call_error;
use crate::actor::Note;
use crate::house::House;
use crate::peril::{Moment, Side};
use crate::present::refused;
use crate::report;

/// A tool that has not answered by then may have done it or not.
const PATIENCE: Duration = Duration::from_secs(15);
/// Waits before the second and the third try of a tool that was never reached.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Providers that promise to show a write at once still get a moment between two looks.
const LEAST_SETTLE: SignedDuration = SignedDuration::from_millis(100);

/// What a write needs besides itself.
pub(crate) struct Writing {
    pub house: Arc<House>,
    pub epoch: u64,
    pub notes: mpsc::Sender<Note>,
    pub tool: Arc<dyn Tool>,
    pub caller: Caller,
    pub say_so: SaySo,
    pub mode: CallMode,
}

/// Something learnt of a write, to be written down.
pub(crate) struct Learnt {
    pub moment: Moment,
    pub action: Action,
    pub event: Option<Event>,
    pub tool_run: ToolRunRow,
    pub line: audit::Line,
}

/// The session has another owner, or cannot write anything down.
struct Stopped;

/// Carries `action` out. Whoever watches `tell` sees each state that is on disk.
pub(crate) async fn carry_out(writing: Writing, tell: watch::Sender<Action>) {
    let mut action = tell.borrow().clone();
    // Without a record nothing goes on; the next owner asks the provider.
    while let Ok(Some(next)) = writing.step(&action).await {
        action = next;
        tell.send_replace(action.clone());
    }
}

impl Writing {
    /// The write after the next thing that can be learnt of it; none when it is over.
    async fn step(&self, action: &Action) -> Result<Option<Action>, Stopped> {
        let now = self.house.clock.now();
        match action.todo(now) {
            Todo::Dispatch => self.dispatch(action).await.map(Some),
            Todo::Doubt => {
                let lost = refused("interrupted", "the server stopped in the middle of it".into());
                self.record(Moment::Settled, action, News::Lost(lost)).await.map(Some)
            }
            Todo::Probe => self.probe(action).await.map(Some),
            Todo::Wait(until) => {
                let wait = until.duration_since(now).unsigned_abs();
                tokio::time::sleep(wait).await;
                Ok(Some(action.clone()))
            }
            Todo::Lapse => {
                let lapsed = refused("lapsed", "the yes is too old to act on".into());
                self.record(Moment::Settled, action, News::Lapsed(lapsed)).await.map(Some)
            }
            Todo::Over => Ok(None),
        }
    }

    async fn dispatch(&self, action: &Action) -> Result<Action, Stopped> {
        if let Some(error) = self.switched_off() {
            let news = if action.state == ActionState::IntentLogged {
                News::Refused(error)
            } else {
                News::Lapsed(error)
            };
            return self.record(Moment::Settled, action, news).await;
        }
        let claim = News::Claimed { epoch: self.epoch };
        let claimed = self.record(Moment::Claimed, action, claim).await?;
        self.house.peril.pass(Moment::Sending, Side::Before).await;
        let news = self.send(&claimed).await;
        self.house.peril.pass(Moment::Sending, Side::After).await;
        self.record(Moment::Settled, &claimed, news).await
    }

    /// Asked before it is claimed and again before every try: a switch works at once.
    fn switched_off(&self) -> Option<CallError> {
        let because = match self.house.switches.of(self.tool.name()) {
            Switch::On => return None,
            off => rule(ActionLevel::Write, off, &[]),
        };
        let Ruling::Refuse(because) = because else { return None };
        Some(refused(because.code(), "writes were stopped before it went out".into()))
    }

    async fn send(&self, action: &Action) -> News {
        let Some(writer) = self.tool.writer().filter(|_| self.is_agreed(action)) else {
            let message = "this is not what was agreed to";
            return News::Refused(refused("not_agreed", message.into()));
        };
        let tries = tokio::time::timeout(PATIENCE, self.tries(writer, action)).await;
        tries.unwrap_or_else(|_| {
            let message = format!("{} did not answer in time", self.tool.name());
            News::Lost(CallError { code: "timeout".into(), message, retryable: false })
        })
    }

    fn is_agreed(&self, action: &Action) -> bool {
        self.say_so.action() == action.id && self.say_so.covers(&action.tool, &action.args)
    }

    /// Tried again only when nothing can have left.
    async fn tries(&self, writer: &dyn Write, action: &Action) -> News {
        let mut waits = BACK_OFF.iter();
        loop {
            if let Some(error) = self.switched_off() {
                return News::Refused(error);
            }
            let result = writer.write(action.args.clone(), &self.caller, &self.say_so).await;
            match (result, waits.next()) {
                (Ok(result), _) => return News::Done(result),
                (Err(ToolError::NotReached { .. }), Some(wait)) => tokio::time::sleep(*wait).await,
                (Err(error @ ToolError::Transient { .. }), _) => {
                    return News::Lost(as_call_error(&error));
                }
                (Err(error), _) => return News::Refused(as_call_error(&error)),
            }
        }
    }

    async fn probe(&self, action: &Action) -> Result<Action, Stopped> {
        self.house.peril.pass(Moment::Probing, Side::Before).await;
        let news = match self.tool.writer() {
            None => News::Unclear,
            Some(writer) => {
                let probe = writer.probe(&action.args, &self.caller);
                match tokio::time::timeout(PATIENCE, probe).await {
                    Ok(Ok(Found::Done(result))) => News::Found(result),
                    Ok(Ok(Found::Absent)) => News::Absent,
                    Ok(Ok(Found::Unclear) | Err(_)) | Err(_) => News::Unclear,
                }
            }
        };
        self.house.peril.pass(Moment::Probing, Side::After).await;
        self.record(Moment::Settled, action, news).await
    }

    /// Writes down what was learnt; returns once it is on disk.
    async fn record(&self, moment: Moment, action: &Action, news: News) -> Result<Action, Stopped> {
        let settle = self.tool.writer().map_or(SignedDuration::ZERO, Write::settle);
        let now = self.house.clock.now();
        let learnt = action.learn(news, now, settle.max(LEAST_SETTLE)).map_err(|error| {
            tracing::error!(action_id = %action.id, %error, "a write was out of step");
            Stopped
        })?;
        if learnt.state != action.state {
            metrics::counter!("sayso_writes_total", "state" => learnt.state.name()).increment(1);
            measure(&learnt);
        }
        let note = Learnt {
            moment,
            event: self.event(action, &learnt),
            tool_run: self.tool_run(&learnt),
            line: line(&learnt),
            action: learnt.clone(),
        };
        let (ack, done) = oneshot::channel();
        self.notes.send(Note::Learnt(Box::new(note), ack)).await.map_err(|_| Stopped)?;
        done.await.map_err(|_| Stopped)?;
        Ok(learnt)
    }

    /// What clients see of it. Between two probes there is nothing to see.
    fn event(&self, before: &Action, action: &Action) -> Option<Event> {
        if before.state == action.state {
            return None;
        }
        if action.state == ActionState::Dispatching {
            return (action.attempt == 1).then(|| self.requested(action));
        }
        returned(action)
    }

    fn requested(&self, action: &Action) -> Event {
        Event::ToolRequested {
            call_id: action.call,
            tool_name: action.tool.clone(),
            arguments: action.args.clone(),
            idempotency_key: self.caller.idempotency_key.clone(),
            mode: self.mode,
            action_level: ActionLevel::Write,
            label: self.tool.label(&action.args),
            confirmation_request_id: Some(action.confirmation),
        }
    }

    fn tool_run(&self, action: &Action) -> ToolRunRow {
        let took = action.learnt_at.duration_since(action.agreed_at);
        ToolRunRow {
            call: action.call,
            turn: action.turn,
            session: action.session,
            tool: action.tool.clone(),
            level: ActionLevel::Write,
            idempotency_key: self.caller.idempotency_key.clone(),
            state: match action.state {
                ActionState::Confirmed | ActionState::ReconciledDone => ToolRunState::Done,
                ActionState::FailedClean => ToolRunState::Failed,
                ActionState::MaybeSent | ActionState::NeedsUser => ToolRunState::Unknown,
                ActionState::IntentLogged
                | ActionState::Dispatching
                | ActionState::ReconciledNotDone => ToolRunState::Running,
            },
            error_code: action.error.as_ref().map(|error| error.code.clone()),
            started_at: action.agreed_at,
            took_us: action
                .state
                .is_over()
                .then(|| u64::try_from(took.as_micros()).unwrap_or_default()),
        }
    }
}

/// How long it took, once it is over; and whether it was there already when asked.
fn measure(learnt: &Action) {
    if !learnt.state.is_over() {
        return;
    }
    let took = learnt.learnt_at.duration_since(learnt.agreed_at);
    let failed = learnt.error.as_ref().filter(|_| !learnt.state.is_done());
    let took = took.try_into().unwrap_or_default();
    report::used(&learnt.tool, took, failed.map(|error| error.code.as_str()));
    if learnt.state == ActionState::ReconciledDone {
        report::done_once("write");
    }
}

/// The result of a write as clients see it; none while it is being tried.
pub(crate) fn returned(action: &Action) -> Option<Event> {
    match action.state {
        ActionState::IntentLogged | ActionState::Dispatching => None,
        state => Some(Event::ToolReturned {
            call_id: action.call,
            ok: state.is_done(),
            output: action.result.clone().unwrap_or_default(),
            error: action.error.clone(),
            state: Some(state),
        }),
    }
}

/// A line of the audit about a write.
pub(crate) fn line(action: &Action) -> audit::Line {
    audit::Line {
        session: Some(action.session),
        turn: Some(action.turn),
        confirmation: Some(action.confirmation),
        revision: Some(action.revision),
        action: Some(action.id),
        tool: Some(action.tool.clone()),
        seal: Some(action.seal),
        why: action.error.as_ref().map(|error| error.code.clone()),
        ..audit::Line::new(action.learnt_at, action.user, action.state.name())
    }
}
