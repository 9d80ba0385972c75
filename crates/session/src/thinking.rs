//! From words to a checked plan: what a mind proposes, and what is left of it.

use brain::PlanId;
use brain::mode::{self, Mode, Signals};
use brain::plan::{Plan, Proposal, ProposedStep};
use models::{Gist, Understanding, World};

use crate::house::House;
use crate::peril::{Moment, Side};
use crate::turn::{Turn, Wish};

/// The plan that was proposed is not carried out; people are asked instead.
const REFUSED: &str = "plan_refused";

/// What is left of a proposal, and why it is not what was proposed, if it is not.
pub(crate) type Disposed = (Understanding, Plan, Option<&'static str>);

/// What the wish of a turn comes down to.
pub(crate) async fn understand(turn: &Turn, house: &House, world: &World) -> Understanding {
    match &turn.wish {
        Wish::Words(text) => understand_words(text, house, world).await,
        Wish::Use { tool, args } => {
            let step = ProposedStep { tool: tool.clone(), args: args.clone() };
            let proposal = Proposal { steps: vec![step], ..Proposal::default() };
            Understanding { proposal, ..Understanding::of(Gist::Question) }
        }
    }
}

pub(crate) async fn understand_words(text: &str, house: &House, world: &World) -> Understanding {
    house.peril.pass(Moment::Thinking, Side::Before).await;
    let understanding = house.mind.understand(text, world).await;
    house.peril.pass(Moment::Thinking, Side::After).await;
    understanding
}

/// Models propose, code disposes: a proposal that does not check out is dropped
/// and the person is asked to say it another way.
pub(crate) fn dispose(understanding: Understanding, house: &House) -> Disposed {
    grown(understanding, &Plan::empty(PlanId(house.ids.next())), house)
}

/// The same for what is to be done on top of a plan.
pub(crate) fn grown(understanding: Understanding, plan: &Plan, house: &House) -> Disposed {
    match plan.extended(understanding.proposal.clone(), &*house.catalog) {
        Ok(plan) => (understanding, plan, None),
        Err(bad) => {
            // Not the words of it: they may be the person's.
            tracing::warn!(reason = bad.name(), "a proposed plan was refused");
            (Understanding::misunderstood(), plan.clone(), Some(REFUSED))
        }
    }
}

/// How the plan is carried out, and why.
pub(crate) fn mode_of(understanding: &Understanding, plan: &Plan, house: &House) -> Mode {
    mode::select(&Signals {
        realtime_healthy: false,
        tools: plan.steps.iter().map(|step| step.action_level).collect(),
        ambiguous: understanding.question.is_some()
            || understanding.rest.is_some()
            || !plan.missing_fields.is_empty()
            || !plan.ambiguity.is_empty(),
        long_running: house.pace.is_long(&plan.steps)
            || plan.steps.iter().any(|step| house.desk.is_long(&step.tool)),
    })
}
