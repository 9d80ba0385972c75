//! What a turn has to do, and how far it is.
//!
//! Kept in the turn's row whenever it waits for somebody, so that whoever owns
//! the session next walks on from there: after a crash and after a yes it is
//! the same path.

use brain::event::{CallMode, PlanChoice, PlanUpdate, Progress, StepStatus};
use brain::mode::{Execution, Mode, Pipeline, Reason};
use brain::plan::{Plan, Step};
use brain::{Action, ActionId, ActionState, CallError, ConfirmationId, Event};
use models::Choice;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tools::Catalog;

/// So many bytes of what the person said are kept with a turn.
const MOST_SAID: usize = 32_768;

/// A plan and what became of each of its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Work {
    /// The person's own words in this turn, for whom they named.
    pub said: String,
    pub plan: Plan,
    #[serde(deserialize_with = "mode")]
    pub mode: Mode,
    /// One for each step.
    pub fates: Vec<Fate>,
    /// Steps whose outcome was told already.
    pub told: Vec<usize>,
}

/// Rows of the first version know only whether it is a plan.
fn mode<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Mode, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Spelled {
        Mode(Mode),
        Call(CallMode),
    }
    let (execution, reason) = match Spelled::deserialize(from)? {
        Spelled::Mode(mode) => return Ok(mode),
        Spelled::Call(CallMode::Direct) => (Execution::DirectResponse, Reason::OneTool),
        Spelled::Call(CallMode::Orchestrated) => (Execution::BackendOrchestrated, Reason::AnyWrite),
    };
    Ok(Mode { pipeline: Pipeline::ClassicFallback, execution, reason })
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub(crate) enum Fate {
    Waiting,
    Brought {
        result: Value,
    },
    Failed {
        error: CallError,
    },
    /// Its card is open.
    Asking {
        question: ConfirmationId,
    },
    /// Somebody said yes; the action knows the rest.
    Agreed {
        question: ConfirmationId,
        action: ActionId,
    },
    Declined {
        question: ConfirmationId,
    },
    Expired {
        question: ConfirmationId,
    },
    /// A step that it needed did not happen.
    NotRun,
}

fn as_told(choice: &Choice) -> PlanChoice {
    PlanChoice { name: choice.told(), means: choice.sentence.clone() }
}

impl Fate {
    fn status(&self, actions: &[Action]) -> StepStatus {
        match self {
            Self::Waiting => StepStatus::Waiting,
            Self::Brought { result } if result.get("queued") == Some(&Value::Bool(true)) => {
                StepStatus::Queued
            }
            Self::Brought { .. } => StepStatus::Done,
            Self::Failed { .. } => StepStatus::Failed,
            Self::Asking { .. } => StepStatus::Asking,
            Self::Agreed { action, .. } => {
                match actions.iter().find(|one| one.id == *action).map(|one| one.state) {
                    Some(state) if state.is_done() => StepStatus::Done,
                    Some(state) if state.is_not_done() => StepStatus::Failed,
                    _ => StepStatus::Agreed,
                }
            }
            Self::Declined { .. } => StepStatus::Declined,
            Self::Expired { .. } => StepStatus::Expired,
            Self::NotRun => StepStatus::NotRun,
        }
    }
}

impl Work {
    pub fn new(said: &str, plan: Plan, mode: Mode) -> Self {
        let fates = vec![Fate::Waiting; plan.steps.len()];
        Self { said: said.to_owned(), plan, mode, fates, told: Vec::new() }
    }

    /// There is more to do than was known.
    pub fn grow(&mut self, plan: Plan, mode: Mode) {
        self.fates.resize(plan.steps.len(), Fate::Waiting);
        (self.plan, self.mode) = (plan, mode);
    }

    pub fn call_mode(&self) -> CallMode {
        match self.mode.execution {
            Execution::DirectResponse => CallMode::Direct,
            Execution::BackendOrchestrated => CallMode::Orchestrated,
        }
    }

    /// The plan as people can watch it; a look-up in passing has none.
    pub fn planned(
        &self,
        actions: &[Action],
        choices: &[Choice],
        catalog: &Catalog,
    ) -> Option<Event> {
        if self.mode.execution == Execution::DirectResponse {
            return None;
        }
        let progress = |(step, fate): (&Step, &Fate)| Progress {
            step_index: step.step_index,
            status: fate.status(actions),
            label: catalog.get(&step.tool).map_or_else(String::new, |tool| tool.label(&step.args)),
            depends_on: step.depends_on(),
        };
        Some(Event::Planned(Box::new(PlanUpdate {
            plan: self.plan.clone(),
            execution_mode: self.mode.execution,
            reason: self.mode.reason,
            progress: self.plan.steps.iter().zip(&self.fates).map(progress).collect(),
            choices: choices.iter().map(as_told).collect(),
        })))
    }

    /// The person said something more. What is long ago is let go.
    pub fn hear(&mut self, words: &str) {
        self.said = format!("{} {words}", self.said);
        if self.said.len() > MOST_SAID {
            let cut = self.said.len() - MOST_SAID;
            self.said.drain(..self.said.ceil_char_boundary(cut));
        }
    }

    /// What failed in this walk is told by whoever asked for it.
    pub fn tell_failures(&mut self) {
        let failed = (1..=self.fates.len()).filter(|step| {
            matches!(self.fate(*step), Fate::Failed { .. }) && !self.told.contains(step)
        });
        self.told.extend(failed.collect::<Vec<_>>());
    }

    pub fn fate(&self, step: usize) -> &Fate {
        &self.fates[step - 1]
    }

    pub fn set(&mut self, step: usize, fate: Fate) {
        self.fates[step - 1] = fate;
    }

    /// Marks what cannot run any more because a step it needs did not happen.
    /// `results` has what each step brought.
    pub fn give_up(&mut self, results: &[Option<Value>]) {
        let mut again = true;
        while again {
            again = false;
            for at in 0..self.fates.len() {
                let lost = |from: usize| self.is_lost(from, results);
                let needs = self.plan.steps[at].depends_on();
                if self.fates[at] == Fate::Waiting && needs.into_iter().any(lost) {
                    self.fates[at] = Fate::NotRun;
                    again = true;
                }
            }
        }
    }

    fn is_lost(&self, step: usize, results: &[Option<Value>]) -> bool {
        match self.fate(step) {
            Fate::Failed { .. } | Fate::Declined { .. } | Fate::Expired { .. } | Fate::NotRun => {
                true
            }
            Fate::Waiting | Fate::Asking { .. } | Fate::Brought { .. } => false,
            Fate::Agreed { .. } => results[step - 1].is_none(),
        }
    }

    /// Why a step that was not run could not be, as the narrator knows it.
    pub fn why_lost(&self, step: usize, actions: &[Action]) -> &'static str {
        let needs = self.plan.steps[step - 1].depends_on();
        let why = |from: usize| match self.fate(from) {
            Fate::Declined { .. } => Some("not_agreed"),
            Fate::Expired { .. } => Some("expired_before"),
            Fate::Failed { .. } => Some("failed_before"),
            Fate::NotRun => Some(self.why_lost(from, actions)),
            Fate::Agreed { action, .. } => {
                let known = actions.iter().find(|one| one.id == *action).map(|one| one.state);
                match known {
                    Some(ActionState::FailedClean) => Some("failed_before"),
                    Some(state) if state.is_done() => None,
                    _ => Some("unknown_before"),
                }
            }
            Fate::Waiting | Fate::Brought { .. } | Fate::Asking { .. } => None,
        };
        needs.into_iter().find_map(why).unwrap_or("failed_before")
    }

    /// The steps that could go now, given what others brought.
    pub fn ready(&self, results: &[Option<Value>]) -> impl Iterator<Item = &Step> {
        let has = |from: usize| results.get(from - 1).is_some_and(Option::is_some);
        self.plan.steps.iter().filter(move |step| {
            *self.fate(step.step_index) == Fate::Waiting && step.depends_on().into_iter().all(has)
        })
    }

    /// What tools brought, as text: whoever is named there was not named by the person.
    pub fn texts(&self) -> Vec<String> {
        let brought = |fate: &Fate| match fate {
            Fate::Brought { result } => Some(result.to_string()),
            _ => None,
        };
        self.fates.iter().filter_map(brought).collect()
    }

    /// As it is kept.
    pub fn kept(&self) -> Value {
        serde_json::to_value(self).expect("work is plain data")
    }

    pub fn read(kept: &Value) -> Option<Self> {
        let work = Self::deserialize(kept).ok()?;
        (work.fates.len() == work.plan.steps.len()).then_some(work)
    }
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;
    use brain::plan::from_step;
    use brain::{ActionLevel, PlanId};
    use serde_json::json;

    use super::*;

    fn step(index: usize, args: Value) -> Step {
        Step {
            step_index: index,
            tool: "t".into(),
            args,
            action_level: ActionLevel::Write,
            requires_confirmation: true,
        }
    }

    /// Step 2 needs 1, step 3 needs 2, step 4 needs nothing.
    fn work() -> Work {
        let steps = vec![
            step(1, json!({})),
            step(2, json!({ "a": from_step(1, "/x") })),
            step(3, json!({ "a": from_step(2, "/x") })),
            step(4, json!({})),
        ];
        let plan = Plan {
            plan_id: PlanId(Uuid::nil()),
            steps,
            missing_fields: Vec::new(),
            ambiguity: serde_json::Map::new(),
        };
        let mode = Mode {
            pipeline: Pipeline::ClassicFallback,
            execution: Execution::BackendOrchestrated,
            reason: Reason::AnyWrite,
        };
        Work::new("do it", plan, mode)
    }

    fn question() -> ConfirmationId {
        ConfirmationId(Uuid::from_u128(9))
    }

    #[test]
    fn a_refused_step_stops_what_depends_on_it_and_nothing_else() {
        let mut work = work();
        work.set(1, Fate::Declined { question: question() });
        work.give_up(&[None, None, None, None]);
        assert_eq!(work.fates[1..3], [Fate::NotRun, Fate::NotRun]);
        assert_eq!(*work.fate(4), Fate::Waiting);
        let ready: Vec<_> = work.ready(&[None, None, None, None]).map(|s| s.step_index).collect();
        assert_eq!(ready, [4]);
    }

    #[test]
    fn a_write_that_brought_nothing_stops_what_depends_on_it() {
        let mut work = work();
        let action = ActionId(Uuid::from_u128(3));
        work.set(1, Fate::Agreed { question: question(), action });
        work.give_up(&[Some(json!({ "x": 1 })), None, None, None]);
        assert_eq!(*work.fate(2), Fate::Waiting);
        work.give_up(&[None, None, None, None]);
        assert_eq!(*work.fate(2), Fate::NotRun);
    }

    #[test]
    fn an_open_card_stops_nothing_for_good() {
        let mut work = work();
        work.set(1, Fate::Asking { question: question() });
        work.give_up(&[None, None, None, None]);
        assert_eq!(*work.fate(2), Fate::Waiting);
    }

    #[test]
    fn what_is_kept_reads_back_as_it_was() {
        let mut work = work();
        work.set(1, Fate::Brought { result: json!({ "x": 1 }) });
        work.set(4, Fate::Asking { question: question() });
        assert_eq!(Work::read(&work.kept()), Some(work));
        assert_eq!(Work::read(&json!({ "said": "x" })), None);
    }

    #[test]
    fn a_turn_that_the_first_version_left_waiting_is_still_read() {
        let mut row = work().kept();
        row["mode"] = json!("orchestrated");
        assert_eq!(Work::read(&row), Some(work()));
    }
}
