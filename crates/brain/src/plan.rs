//! What is to be done, step by step. Models propose, code disposes.
//!
//! A [`Proposal`] is what anybody may hand in: rules, a model, a client. It
//! becomes a [`Plan`] only by [`check`], which takes the action level from the
//! catalog and the arguments past the tool's own schema.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::ids::PlanId;
use crate::policy::{ActionLevel, Ruling, Switch, rule};

/// Longer plans are refused: nobody would read them before saying yes.
pub const MOST_STEPS: usize = 12;

/// Tools with arguments, in order; nobody has checked them yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    pub steps: Vec<ProposedStep>,
    /// What must be known before this can run: `recipient_email`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_fields: Vec<String>,
    /// What has more than one reading: `recipient_candidates` and the like.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub ambiguity: Map<String, Value>,
}

/// One tool with its arguments. An argument can be taken from an earlier
/// step's result: `{"$step": 1, "pointer": "/messages/0/message_id"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProposedStep {
    pub tool: String,
    pub args: Value,
}

/// A checked plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Plan {
    #[ts(type = "string")]
    pub plan_id: PlanId,
    pub steps: Vec<Step>,
    /// What must be known before all of it can run: `recipient_email`.
    pub missing_fields: Vec<String>,
    /// What has more than one reading: `recipient_candidates` and the like.
    #[ts(type = "Record<string, unknown>")]
    pub ambiguity: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Step {
    /// Counts from 1.
    pub step_index: usize,
    pub tool: String,
    /// An argument that comes from an earlier step: `{"$step": 1, "pointer": "/thread_id"}`.
    #[ts(type = "Record<string, unknown>")]
    pub args: Value,
    pub action_level: ActionLevel,
    pub requires_confirmation: bool,
}

/// What [`check`] asks about tools.
pub trait Shelf {
    /// How far the tool reaches; `None` when there is no such tool.
    fn level(&self, tool: &str) -> Option<ActionLevel>;
    /// Would the tool take these arguments? Says why not.
    fn accepts(&self, tool: &str, args: &Value) -> Result<(), String>;
}

/// Why a proposal did not become a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPlan {
    #[error("a plan has at most {MOST_STEPS} steps, this one has {0}")]
    TooLong(usize),
    #[error("there is no tool called {0}")]
    NoSuchTool(String),
    #[error("{tool} does not take these arguments: {reason}")]
    BadArguments { tool: String, reason: String },
    #[error("step {step} takes an argument from step {from}, which does not come before it")]
    BadReference { step: usize, from: u64 },
    #[error("step {from} brought nothing at {pointer}")]
    NothingThere { from: usize, pointer: String },
}

impl BadPlan {
    /// Which of them it is, without the words of the plan.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TooLong(_) => "too_long",
            Self::NoSuchTool(_) => "no_such_tool",
            Self::BadArguments { .. } => "bad_arguments",
            Self::BadReference { .. } => "bad_reference",
            Self::NothingThere { .. } => "nothing_there",
        }
    }
}

/// A proposal becomes a plan, or we say why it cannot.
pub fn check(proposal: Proposal, id: PlanId, shelf: &dyn Shelf) -> Result<Plan, BadPlan> {
    if proposal.steps.len() > MOST_STEPS {
        return Err(BadPlan::TooLong(proposal.steps.len()));
    }
    let steps = proposal.steps.into_iter().zip(1..).map(|(step, index)| admit(step, index, shelf));
    Ok(Plan {
        plan_id: id,
        steps: steps.collect::<Result<_, _>>()?,
        missing_fields: proposal.missing_fields,
        ambiguity: proposal.ambiguity,
    })
}

impl Plan {
    /// Nothing to do, yet.
    pub fn empty(id: PlanId) -> Self {
        Self { plan_id: id, steps: Vec::new(), missing_fields: Vec::new(), ambiguity: Map::new() }
    }

    /// The plan with more steps behind those it has. The steps of `proposal`
    /// count from 1 by themselves; what was missing or unclear before is
    /// replaced by what is now.
    pub fn extended(&self, proposal: Proposal, shelf: &dyn Shelf) -> Result<Self, BadPlan> {
        let (before, more) = (self.steps.len(), proposal.steps.len());
        if before + more > MOST_STEPS {
            return Err(BadPlan::TooLong(before + more));
        }
        let own = check(proposal, self.plan_id, shelf)?;
        let moved = own.steps.into_iter().map(|mut step| {
            step.step_index += before;
            shift(&mut step.args, before);
            step
        });
        Ok(Self {
            plan_id: self.plan_id,
            steps: self.steps.iter().cloned().chain(moved).collect(),
            missing_fields: own.missing_fields,
            ambiguity: own.ambiguity,
        })
    }
}

fn admit(step: ProposedStep, index: usize, shelf: &dyn Shelf) -> Result<Step, BadPlan> {
    let ProposedStep { tool, args } = step;
    let level = shelf.level(&tool).ok_or_else(|| BadPlan::NoSuchTool(tool.clone()))?;
    let references = references(&args);
    if let Some((from, _)) = references.iter().find(|(from, _)| *from == 0 || *from >= index as u64)
    {
        return Err(BadPlan::BadReference { step: index, from: *from });
    }
    // With a reference in it the arguments are checked once it is filled in.
    if references.is_empty() {
        shelf
            .accepts(&tool, &args)
            .map_err(|reason| BadPlan::BadArguments { tool: tool.clone(), reason })?;
    }
    Ok(Step {
        step_index: index,
        tool,
        args,
        action_level: level,
        requires_confirmation: matches!(rule(level, Switch::On, &[]), Ruling::Ask(_)),
    })
}

impl Step {
    /// The arguments with every reference replaced by what the named step
    /// brought, past the tool's schema once more. `results[0]` is step 1's.
    pub fn filled(&self, results: &[Value], shelf: &dyn Shelf) -> Result<Value, BadPlan> {
        let mut args = self.args.clone();
        fill(&mut args, results)?;
        shelf
            .accepts(&self.tool, &args)
            .map_err(|reason| BadPlan::BadArguments { tool: self.tool.clone(), reason })?;
        Ok(args)
    }

    /// The steps whose results this one needs.
    pub fn depends_on(&self) -> Vec<usize> {
        references(&self.args)
            .into_iter()
            .filter_map(|(from, _)| usize::try_from(from).ok())
            .collect()
    }
}

/// Makes an argument that stands for a part of an earlier step's result.
pub fn from_step(step: usize, pointer: &str) -> Value {
    serde_json::json!({ "$step": step, "pointer": pointer })
}

/// Makes every reference in `value` count `by` steps further.
pub fn shift(value: &mut Value, by: usize) {
    if let Some((own, _)) = as_reference(value) {
        value["$step"] = Value::from(own.saturating_add(by as u64));
        return;
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| shift(field, by)),
        Value::Array(items) => items.iter_mut().for_each(|item| shift(item, by)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn as_reference(value: &Value) -> Option<(u64, &str)> {
    let object = value.as_object().filter(|object| object.len() == 2)?;
    Some((object.get("$step")?.as_u64()?, object.get("pointer")?.as_str()?))
}

fn references(value: &Value) -> Vec<(u64, &str)> {
    if let Some(reference) = as_reference(value) {
        return vec![reference];
    }
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(fields) => fields.values().flat_map(references).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

fn fill(value: &mut Value, results: &[Value]) -> Result<(), BadPlan> {
    if let Some((from, pointer)) = as_reference(value) {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let found =
            from.checked_sub(1).and_then(|n| results.get(n)).and_then(|r| r.pointer(pointer));
        *value = found
            .cloned()
            .ok_or_else(|| BadPlan::NothingThere { from, pointer: pointer.to_owned() })?;
        return Ok(());
    }
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|item| fill(item, results)),
        Value::Object(fields) => fields.values_mut().try_for_each(|field| fill(field, results)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
