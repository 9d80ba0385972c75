//! The only one who calls tools.
//!
//! Steps that need nothing from one another go together; a step that takes an
//! argument from an earlier result waits for it. What needs a yes is not done.

use std::sync::Arc;
use std::time::Duration;

use brain::event::CallMode;
use brain::mode::Execution;
use brain::plan::{BadPlan, Plan, Step};
use brain::policy::{Ruling, rule};
use brain::{ActionLevel, CallError, CallId, Event};
use futures_util::future::join_all;
use models::{Done, World};
use serde_json::Value;
use store::ToolRunRow;
use store::rows::ToolRunState;
use tools::{Caller, Tool, ToolError};

use crate::house::House;
use crate::log::Entry;
use crate::turn::{Desk, Trouble, Turn};

/// A tool that has not answered by then, all tries together, has failed.
const PATIENCE: Duration = Duration::from_secs(15);
/// Waits before the second and the third try of a tool that was not reachable.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];

/// A plan being carried out.
pub(crate) struct Errand<'a> {
    turn: &'a Turn,
    house: &'a Arc<House>,
    desk: &'a Desk,
    world: &'a World,
    plan: &'a Plan,
    mode: CallMode,
    /// What each step brought; `None` until it did, and for one that failed.
    results: Vec<Option<Value>>,
    tried: Vec<(usize, Done)>,
    wave: Vec<Call>,
}

/// One use of a tool, ready to go.
struct Call {
    step: usize,
    tool: Arc<dyn Tool>,
    args: Value,
    row: ToolRunRow,
    caller: Caller,
}

impl<'a> Errand<'a> {
    pub fn new(
        turn: &'a Turn,
        house: &'a Arc<House>,
        desk: &'a Desk,
        world: &'a World,
        plan: &'a Plan,
        execution: Execution,
    ) -> Self {
        let mode = match execution {
            Execution::DirectResponse => CallMode::Direct,
            Execution::BackendOrchestrated => CallMode::Orchestrated,
        };
        let results = vec![None; plan.steps.len()];
        Self { turn, house, desk, world, plan, mode, results, tried: Vec::new(), wave: Vec::new() }
    }

    /// Puts the requests of the next wave into `entry`.
    pub fn announce(&mut self, entry: &mut Entry) {
        let plan = self.plan;
        for step in plan.steps.iter().filter(|step| self.is_ready(step)).collect::<Vec<_>>() {
            match self.prepare(step) {
                Ok(call) => {
                    entry.events.push(call.requested(self.mode));
                    if call.row.level != ActionLevel::Read {
                        // A look-up leaves its record with its result; what changes
                        // something leaves one before it is tried.
                        entry.tool_runs.push(call.row.clone());
                    }
                    self.wave.push(call);
                }
                // The earlier step found nothing to go on with: nothing was tried.
                Err(BadPlan::NothingThere { .. }) => {}
                Err(error) => self.failed(step, "bad_arguments", &error.to_string()),
            }
        }
    }

    /// Carries the plan out. What happened last is not written yet: it belongs
    /// into the same entry as the answer.
    pub async fn run(mut self) -> Result<(Vec<Done>, Entry), Trouble> {
        let mut entry = Entry::default();
        while !self.wave.is_empty() {
            let wave = std::mem::take(&mut self.wave);
            let timed = async |call: &Call| {
                let started_us = self.house.clock.ticks_us();
                let result = call.run().await;
                (result, self.house.clock.ticks_us().saturating_sub(started_us))
            };
            let outcomes = join_all(wave.iter().map(timed)).await;
            for (call, (result, took_us)) in wave.into_iter().zip(outcomes) {
                self.take_in(call, result, took_us, &mut entry);
            }
            self.announce(&mut entry);
            if !self.wave.is_empty() {
                self.desk.write(std::mem::take(&mut entry)).await?;
            }
        }
        self.tried.sort_by_key(|(step, _)| *step);
        Ok((self.tried.into_iter().map(|(_, done)| done).collect(), entry))
    }

    fn is_ready(&self, step: &Step) -> bool {
        let tried = self.tried.iter().any(|(index, _)| *index == step.step_index);
        let has = |index: usize| self.results.get(index - 1).is_some_and(Option::is_some);
        !tried && step.depends_on().into_iter().all(has)
    }

    fn prepare(&self, step: &Step) -> Result<Call, BadPlan> {
        let results: Vec<Value> =
            self.results.iter().map(|r| r.clone().unwrap_or_default()).collect();
        let args = step.filled(&results, &*self.house.catalog)?;
        let no_tool = || BadPlan::NoSuchTool(step.tool.clone());
        let tool = self.house.catalog.get(&step.tool).ok_or_else(no_tool)?;
        let tool = Arc::clone(tool);
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
        let caller = Caller {
            user: self.turn.user,
            profile: self.world.profile.clone(),
            now: self.world.now.clone(),
            idempotency_key,
        };
        Ok(Call { step: step.step_index, tool, args, row, caller })
    }

    fn take_in(
        &mut self,
        call: Call,
        result: Result<Value, CallError>,
        took_us: u64,
        entry: &mut Entry,
    ) {
        metrics::histogram!("sayso_tool_seconds", "tool" => call.row.tool.clone())
            .record(Duration::from_micros(took_us).as_secs_f64());
        if result.is_err() {
            metrics::counter!("sayso_tool_failures_total", "tool" => call.row.tool.clone())
                .increment(1);
        }
        entry.events.push(call.returned(&result));
        entry.tool_runs.push(ToolRunRow {
            state: if result.is_ok() { ToolRunState::Done } else { ToolRunState::Failed },
            error_code: result.as_ref().err().map(|error| error.code.clone()),
            took_us: Some(took_us),
            ..call.row.clone()
        });
        self.results[call.step - 1] = result.as_ref().ok().cloned();
        self.tried.push((call.step, Done { tool: call.row.tool, result }));
    }

    fn failed(&mut self, step: &Step, code: &str, message: &str) {
        let error = CallError { code: code.into(), message: message.into(), retryable: false };
        let done = Done { tool: step.tool.clone(), result: Err(error) };
        self.tried.push((step.step_index, done));
    }
}

impl Call {
    fn requested(&self, mode: CallMode) -> Event {
        Event::ToolRequested {
            call_id: self.row.call,
            tool_name: self.row.tool.clone(),
            arguments: self.args.clone(),
            idempotency_key: self.row.idempotency_key.clone(),
            mode,
            action_level: self.row.level,
            label: self.tool.label(&self.args),
        }
    }

    fn returned(&self, result: &Result<Value, CallError>) -> Event {
        Event::ToolReturned {
            call_id: self.row.call,
            ok: result.is_ok(),
            output: result.as_ref().ok().cloned().unwrap_or_default(),
            error: result.as_ref().err().cloned(),
        }
    }

    async fn run(&self) -> Result<Value, CallError> {
        match rule(self.row.level) {
            Ruling::Go => {}
            Ruling::Ask => {
                return Err(CallError {
                    code: "needs_confirmation".into(),
                    message: format!("{} waits for a yes that nobody can give yet", self.row.tool),
                    retryable: false,
                });
            }
        }
        let tries = self.tries();
        tokio::time::timeout(PATIENCE, tries).await.unwrap_or_else(|_| {
            Err(CallError {
                code: "timeout".into(),
                message: format!("{} did not answer in time", self.row.tool),
                retryable: true,
            })
        })
    }

    /// Only a look-up is tried again: what may have changed something is not.
    async fn tries(&self) -> Result<Value, CallError> {
        let mut waits = BACK_OFF.iter().filter(|_| self.row.level == ActionLevel::Read);
        loop {
            let result = self.tool.call(self.args.clone(), &self.caller).await;
            let error = match result {
                Ok(value) => return Ok(value),
                Err(error) => as_call_error(&error),
            };
            match waits.next().filter(|_| error.retryable) {
                Some(wait) => tokio::time::sleep(*wait).await,
                None => return Err(error),
            }
        }
    }
}

fn as_call_error(error: &ToolError) -> CallError {
    let (code, retryable) = match error {
        ToolError::Transient { .. } => ("unreachable", true),
        ToolError::BadArguments(_) => ("bad_arguments", false),
        ToolError::NotFound { .. } => ("not_found", false),
        ToolError::Refused { .. } => ("refused", false),
    };
    CallError { code: code.into(), message: error.to_string(), retryable }
}
