//! Who thinks about a sentence: somebody on this machine, and somebody elsewhere only by a
//! call that is on record.
//!
//! `escalate_to_cloud` is requested, counted, audited and told like any tool, with its reason
//! and how sure the local tier was. It goes out only where a model elsewhere is set up, its
//! person allows it, and nobody has switched it off.

use brain::policy::Switch;
use brain::{ActionLevel, CallError, CallId, Event, TurnState, audit};
use models::gatekeeper::{ESCALATE, Escalation, Reason};
use models::provider::Trouble as Because;
use models::thinker::Use;
use models::{NoThought, Thinker, Thought, Tier, World};
use serde_json::json;
use store::ToolRunRow;
use store::rows::ToolRunState;

use crate::house::House;
use crate::log::Entry;
use crate::report;
use crate::turn::Turn;

/// How a sentence is on its way through the tiers.
pub(crate) struct Way {
    /// Who thinks now.
    pub tier: Tier,
    /// Whether it may leave this machine.
    pub may_leave: bool,
    /// It has left, for this reason.
    pub left: Option<Reason>,
    /// Something was looked up before anybody was asked.
    is_at_work: bool,
    /// The call by which it did, until something came back.
    crossing: Option<ToolRunRow>,
    begun_us: u64,
}

/// Why nobody can be asked.
pub(crate) enum Closed {
    /// The person does not want it.
    NotAllowed,
    /// An operator has switched it off.
    SwitchedOff,
    /// There is nobody.
    Nobody,
}

impl Closed {
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAllowed => "cloud_not_allowed",
            Self::SwitchedOff => "cloud_switched_off",
            Self::Nobody => "model_unreachable",
        }
    }
}

/// Whether a sentence may leave this machine, where these can be asked.
pub(crate) fn may_leave(
    thinker: Option<&dyn Thinker>,
    house: &House,
    world: &World,
) -> Result<(), Closed> {
    let is_there = thinker.is_some_and(|thinker| thinker.has(Tier::Cloud));
    if !is_there {
        Err(Closed::Nobody)
    } else if !world.profile.cloud_models {
        Err(Closed::NotAllowed)
    } else if house.switches.of(ESCALATE) == Switch::ToolOff {
        Err(Closed::SwitchedOff)
    } else {
        Ok(())
    }
}

impl Way {
    /// Where a sentence begins that the rules have no reading of. Where nobody is on this
    /// machine it leaves at once; the request of that goes into `entry`.
    pub fn begin(
        turn: &Turn,
        house: &House,
        world: &World,
        entry: &mut Entry,
    ) -> Result<Self, Closed> {
        let thinker = turn.thinker.as_deref();
        let open = may_leave(thinker, house, world);
        let is_local = thinker.is_some_and(|thinker| thinker.has(Tier::Local));
        let mut way = Self {
            tier: Tier::Local,
            may_leave: open.is_ok(),
            left: None,
            is_at_work: false,
            crossing: None,
            begun_us: 0,
        };
        if !is_local {
            open?;
            way.leave(Escalation::because(Reason::NoLocalModel), turn, house, entry);
        }
        Ok(way)
    }

    /// The same, where something was looked up before anybody was asked.
    pub fn at_work(self) -> Self {
        Self { is_at_work: true, ..self }
    }

    /// Why it is to be handed on, where that is so and may be.
    pub fn hands_on(&self, thought: &Result<Thought, NoThought>) -> Option<Escalation> {
        let wanted = match thought {
            Ok(thought) => thought.escalates,
            // What was said before it failed cannot be taken back; nothing was.
            Err(_) => Some(Escalation::because(Reason::LocalFailed)),
        };
        wanted.filter(|_| self.tier == Tier::Local && self.may_leave)
    }

    /// Whoever is here brought nothing of use, and somebody elsewhere may.
    pub fn hands_on_failed(&self) -> bool {
        self.tier == Tier::Local && self.may_leave
    }

    /// It is handed on for that.
    pub fn leave_failed(&mut self, turn: &Turn, house: &House, entry: &mut Entry) {
        self.leave(Escalation::because(Reason::LocalFailed), turn, house, entry);
    }

    /// The call that hands it on, with its line in the audit.
    pub fn leave(&mut self, escalation: Escalation, turn: &Turn, house: &House, entry: &mut Entry) {
        let now = house.clock.now();
        let call = CallId(house.ids.next());
        let row = ToolRunRow {
            call,
            turn: turn.id,
            session: turn.session,
            tool: ESCALATE.to_owned(),
            level: ActionLevel::Read,
            idempotency_key: format!("{}.{ESCALATE}", turn.id),
            state: ToolRunState::Running,
            error_code: None,
            started_at: now,
            took_us: None,
        };
        entry.events.push(Event::ToolRequested {
            call_id: call,
            tool_name: ESCALATE.to_owned(),
            arguments: escalation.args(house.least_confidence),
            idempotency_key: row.idempotency_key.clone(),
            mode: brain::event::CallMode::Direct,
            action_level: ActionLevel::Read,
            label: "Asking a model outside this machine".to_owned(),
            confirmation_request_id: None,
        });
        let line = audit::Line::new(now, turn.user, "escalated");
        entry.audit.push(audit::Line {
            session: Some(turn.session),
            turn: Some(turn.id),
            tool: Some(ESCALATE.to_owned()),
            ..line.because(escalation.reason.code())
        });
        self.tier = Tier::Cloud;
        self.left = Some(escalation.reason);
        self.begun_us = house.clock.ticks_us();
        self.crossing = Some(row);
    }

    /// What came back for that call, once.
    pub fn came_back(
        &mut self,
        thought: &Result<Thought, NoThought>,
        house: &House,
        entry: &mut Entry,
    ) {
        let came = thought.as_ref().map(|thought| thought.uses.last()).map_err(|no| &no.because);
        self.is_back(came, house, entry);
    }

    /// The same, where it was asked for words alone.
    pub fn is_back(
        &mut self,
        came: Result<Option<&Use>, &Because>,
        house: &House,
        entry: &mut Entry,
    ) {
        let Some(row) = self.crossing.take() else { return };
        let took_us = house.clock.ticks_us().saturating_sub(self.begun_us);
        let (output, error) = match came {
            Ok(used) => {
                let told = |name: fn(&Use) -> &String| used.map(name);
                let (provider, model) = (told(|used| &used.provider), told(|used| &used.model));
                (json!({ "tier": "cloud", "provider": provider, "model": model }), None)
            }
            Err(because) => (json!(null), Some(as_call_error(because))),
        };
        report::used(
            ESCALATE,
            std::time::Duration::from_micros(took_us),
            error.as_ref().map(|error| error.code.as_str()),
        );
        entry.tool_runs.push(ToolRunRow {
            state: if error.is_none() { ToolRunState::Done } else { ToolRunState::Failed },
            error_code: error.as_ref().map(|error| error.code.clone()),
            took_us: Some(took_us),
            ..row.clone()
        });
        entry.events.push(Event::ToolReturned {
            call_id: row.call,
            ok: error.is_none(),
            output,
            error,
            state: None,
        });
    }

    /// Where the turn stands while it is thought about.
    pub fn state(&self) -> TurnState {
        let is_at_work = self.is_at_work || self.left.is_some();
        if is_at_work { TurnState::ExecutingTools } else { TurnState::Thinking }
    }

    /// Why it is this tier, for the record.
    pub fn why(&self, tier: Tier, asked_for: &'static str) -> &'static str {
        match (tier, self.left) {
            (Tier::Cloud, Some(reason)) => reason.code(),
            _ => asked_for,
        }
    }
}

fn as_call_error(because: &Because) -> CallError {
    CallError {
        code: because.code().to_owned(),
        // For people who look at the call, not at the provider.
        message: "nobody outside this machine answered".to_owned(),
        retryable: true,
    }
}
