//! How a turn is carried out, and why.
//!
//! Two independent answers: which pipeline carries the voice, and whether the
//! request is answered directly or worked on as a plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::policy::ActionLevel;

/// What the selector looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signals {
    /// A realtime voice shell is connected and healthy.
    pub realtime_healthy: bool,
    /// The action level of every tool that the request needs.
    pub tools: Vec<ActionLevel>,
    /// Something has more than one reading.
    pub ambiguous: bool,
    /// Expected to take longer than a person likes to wait in silence.
    pub long_running: bool,
}

/// What was decided. The reason is kept on the turn and shown to developers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    pub pipeline: Pipeline,
    pub execution: Execution,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pipeline {
    Realtime,
    ClassicFallback,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Execution {
    DirectResponse,
    BackendOrchestrated,
}

/// The first rule that applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    NoTool,
    OneTool,
    SeveralTools,
    AnyWrite,
    Ambiguous,
    LongRunning,
}

/// A write weighs more than doubt, doubt more than length, length more than
/// the number of tools: the reason names what a person would care about most.
pub fn select(signals: &Signals) -> Mode {
    let (execution, reason) = if signals.tools.contains(&ActionLevel::Write) {
        (Execution::BackendOrchestrated, Reason::AnyWrite)
    } else if signals.ambiguous {
        (Execution::BackendOrchestrated, Reason::Ambiguous)
    } else if signals.long_running {
        (Execution::BackendOrchestrated, Reason::LongRunning)
    } else {
        match signals.tools.len() {
            0 => (Execution::DirectResponse, Reason::NoTool),
            1 => (Execution::DirectResponse, Reason::OneTool),
            _ => (Execution::BackendOrchestrated, Reason::SeveralTools),
        }
    };
    let pipeline =
        if signals.realtime_healthy { Pipeline::Realtime } else { Pipeline::ClassicFallback };
    Mode { pipeline, execution, reason }
}

impl Execution {
    pub fn name(self) -> &'static str {
        match self {
            Self::DirectResponse => "direct_response",
            Self::BackendOrchestrated => "backend_orchestrated",
        }
    }
}

impl Reason {
    /// As it is told in `state.change`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoTool => "no_tool",
            Self::OneTool => "one_tool",
            Self::SeveralTools => "several_tools",
            Self::AnyWrite => "any_write",
            Self::Ambiguous => "ambiguous",
            Self::LongRunning => "long_running",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(tools: &[ActionLevel]) -> Signals {
        Signals {
            realtime_healthy: false,
            tools: tools.to_vec(),
            ambiguous: false,
            long_running: false,
        }
    }

    #[test]
    fn one_look_up_is_answered_directly() {
        let mode = select(&signals(&[ActionLevel::Read]));
        assert_eq!((mode.execution, mode.reason), (Execution::DirectResponse, Reason::OneTool));
    }

    #[test]
    fn two_tools_a_write_doubt_or_long_work_are_orchestrated() {
        use ActionLevel::{Read, Write};
        let cases = [
            (signals(&[Read, Read]), Reason::SeveralTools),
            (signals(&[Write]), Reason::AnyWrite),
            (Signals { ambiguous: true, ..signals(&[]) }, Reason::Ambiguous),
            (Signals { long_running: true, ..signals(&[Read]) }, Reason::LongRunning),
        ];
        for (signals, reason) in cases {
            let mode = select(&signals);
            assert_eq!((mode.execution, mode.reason), (Execution::BackendOrchestrated, reason));
        }
    }

    #[test]
    fn the_voice_falls_back_only_when_realtime_is_unhealthy() {
        let healthy = Signals { realtime_healthy: true, ..signals(&[]) };
        assert_eq!(select(&healthy).pipeline, Pipeline::Realtime);
        assert_eq!(select(&signals(&[])).pipeline, Pipeline::ClassicFallback);
    }
}
