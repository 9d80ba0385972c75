//! Who thinks in a talk: the rules, a mind that follows the script, or models that do.

use std::sync::Arc;

use brain::plan::ProposedStep;
use models::gatekeeper::ESCALATE;
use models::interpreter::Interpreter;
use models::planner::{self, Planner};
use models::provider::{Order, Provider};
use serde_json::json;
use tools::Catalog;

use super::script::{Brain, Thinks};
use crate::modelled::{self, Round};
use crate::parts::Thought;
use crate::{ScriptedMind, ScriptedModel};

/// Everybody who may be asked, and what they were told to think next.
#[derive(Default)]
pub(super) struct Brains {
    /// The mind and the tools follow the script.
    pub is_scripted: bool,
    pub mind: Arc<ScriptedMind>,
    thought: Thought,
    /// Reads every sentence, where it is there.
    model: Option<Arc<ScriptedModel>>,
    /// The same on the person's own machine, asked before it.
    local: Option<Arc<ScriptedModel>>,
    /// The rules read before them.
    has_rules: bool,
    /// Tells which of a few answers was meant.
    interpreter: Option<Arc<ScriptedModel>>,
    round: Option<(Brain, Round)>,
    /// Reads every sentence in place of whoever the talk names.
    other: Option<Arc<dyn Provider>>,
}

impl Brains {
    pub fn model_reads(&mut self) {
        self.model = Some(Arc::default());
    }

    /// It is asked where the rules have no reading.
    pub fn model_helps(&mut self) {
        self.model = Some(Arc::default());
        self.has_rules = true;
    }

    pub fn local_model_reads(&mut self) {
        self.local = Some(Arc::default());
    }

    /// Somebody else reads: what the talk says of how it is read is not for them.
    pub fn are_replaced(&mut self, by: Arc<dyn Provider>) {
        self.other = Some(by);
    }

    fn has_models(&self) -> bool {
        self.other.is_some() || self.model.is_some() || self.local.is_some()
    }

    /// Nobody but models read anything.
    pub fn replace_rules(&self) -> bool {
        self.other.is_some() || self.has_models() && !self.has_rules
    }

    /// The planner over the models that there are.
    pub fn planner(&self, catalog: &Catalog) -> Option<Planner> {
        if let Some(other) = &self.other {
            let other = Order::new(vec![Arc::clone(other)], 1, Vec::new());
            return Some(modelled::planner(modelled::nobody(), other, catalog));
        }
        match (&self.local, &self.model) {
            (None, None) => None,
            (local, model) => {
                Some(ScriptedModel::planner_of(local.as_ref(), model.as_ref(), catalog))
            }
        }
    }

    /// Who tells which of a few answers was meant, where somebody does.
    pub fn interpreter(&self) -> Option<Arc<dyn Interpreter>> {
        let model = self.interpreter.as_ref()?;
        Some(Arc::new(ScriptedModel::interpreter(model)))
    }

    pub fn script(&mut self, brain: Brain, thinks: &Thinks) {
        if self.other.is_some() {
            return;
        }
        if brain == Brain::Interpreter {
            self.interpreter.get_or_insert_default();
            return self.script_round(brain, thinks);
        }
        if self.has_models() {
            return self.script_round(brain, thinks);
        }
        let thought = &mut self.thought;
        match thinks {
            Thinks::Then | Thinks::Fails | Thinks::Escalates(_) | Thinks::IsSure(_) => {}
            Thinks::For(takes) => thought.takes = *takes,
            Thinks::Acks(text) => thought.acknowledgement = Some(text.clone()),
            Thinks::Asks(text) => thought.question = Some(text.clone()),
            Thinks::Says(text) => thought.says = Some(text.clone()),
            Thinks::Panics => thought.panics = true,
            Thinks::Plans { tool, args } => {
                let step = ProposedStep { tool: tool.clone(), args: args.clone() };
                thought.proposal.steps.push(step);
            }
        }
    }

    /// A sentence comes: what was scripted so far is for it.
    pub fn are_asked(&mut self) {
        if self.is_scripted {
            self.mind.will_think(std::mem::take(&mut self.thought));
        }
        self.end_round();
    }

    /// What a model was told to answer so far is one answer.
    fn end_round(&mut self) {
        let Some((brain, round)) = self.round.take() else { return };
        let model = match brain {
            Brain::Local => &self.local,
            Brain::Model => &self.model,
            Brain::Interpreter => &self.interpreter,
        };
        if let Some(model) = model {
            model.will_answer(round);
        }
    }

    fn script_round(&mut self, brain: Brain, thinks: &Thinks) {
        if self.round.as_ref().is_some_and(|(before, _)| *before != brain) {
            self.end_round();
        }
        let (_, round) = self.round.get_or_insert_with(|| (brain, Round::default()));
        match thinks {
            Thinks::For(takes) => round.takes = *takes,
            Thinks::Says(text) => round.says.clone_from(text),
            Thinks::Plans { tool, args } => round.calls.push((tool.clone(), args.clone())),
            Thinks::Asks(question) => {
                round.calls.push((planner::ASK.to_owned(), json!({ "question": question })));
            }
            Thinks::Escalates(args) => round.calls.push((ESCALATE.to_owned(), args.clone())),
            Thinks::IsSure(percent) => round.confidence = Some(f32::from(*percent) / 100.0),
            Thinks::Fails => round.fails = true,
            Thinks::Then => self.end_round(),
            Thinks::Acks(_) | Thinks::Panics => {}
        }
    }
}
