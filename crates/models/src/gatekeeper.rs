//! From a model on this machine to one elsewhere: only by a call with a reason. Pure.
//!
//! `escalate_to_cloud` is how a sentence leaves. A local model calls it itself, or it is
//! called in its name where it is missing, fails, or is not sure enough of its own plan.
//! Who carries it out decides whether that is allowed and writes it down; the reasons are
//! a closed list, so that no words of anybody get into the record with them.

use serde_json::{Value, json};

use crate::provider::{Call, ToolSpec};

/// The call by which a sentence leaves this machine. It is no tool of the catalog: nobody
/// else can call it.
pub const ESCALATE: &str = "escalate_to_cloud";

/// Why somebody elsewhere is to think about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The local model says that it is beyond it.
    TooHard,
    /// The local model says that it does not know enough.
    NeedsKnowledge,
    /// The local model is less sure than it has to be.
    Unsure,
    /// What the local model planned did not check out, twice.
    BadPlan,
    /// The local model did not answer, or said nothing of use.
    LocalFailed,
    /// There is no local model.
    NoLocalModel,
}

impl Reason {
    /// Those that a model may give.
    const OWN: [Self; 3] = [Self::TooHard, Self::NeedsKnowledge, Self::Unsure];

    pub fn code(self) -> &'static str {
        match self {
            Self::TooHard => "too_hard",
            Self::NeedsKnowledge => "needs_knowledge",
            Self::Unsure => "unsure",
            Self::BadPlan => "bad_plan",
            Self::LocalFailed => "local_failed",
            Self::NoLocalModel => "no_local_model",
        }
    }
}

/// A sentence that is handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escalation {
    pub reason: Reason,
    /// How sure the local tier was that it can do it alone, of 100.
    pub confidence: u8,
}

impl Escalation {
    /// Where the local tier has nothing to be sure of.
    pub fn because(reason: Reason) -> Self {
        Self { reason, confidence: 0 }
    }

    /// As the call is written down; `least` is how sure it would have had to be, of 100.
    pub fn args(self, least: u8) -> Value {
        let share = |percent: u8| f64::from(percent) / 100.0;
        json!({
            "reason": self.reason.code(),
            "confidence": share(self.confidence),
            "threshold": share(least),
        })
    }
}

/// The call as a local model is told of it.
pub fn spec() -> ToolSpec {
    ToolSpec {
        name: ESCALATE.to_owned(),
        description: "Hands the request on to a larger model outside this machine. Call it alone, \
                      and only when you cannot answer or plan it well yourself."
            .to_owned(),
        schema: json!({
            "type": "object",
            "properties": {
                "reason": { "type": "string", "enum": Reason::OWN.map(Reason::code) },
                "confidence": {
                    "type": "number", "minimum": 0, "maximum": 1,
                    "description": "How sure you are that you could do it yourself.",
                },
            },
            "required": ["reason"],
            "additionalProperties": false,
        }),
    }
}

/// What a model on this machine is told besides.
pub const ALONE_IF_YOU_CAN: &str = "\
- You run on the person's own machine, so nothing leaves it while you answer. If the request is \
beyond you, call escalate_to_cloud and nothing else.";

/// The wish to hand it on, among what a model called.
pub fn wanted(calls: &[Call]) -> Option<Escalation> {
    let call = calls.iter().find(|call| call.tool == ESCALATE)?;
    let named = call.args["reason"].as_str();
    let reason = Reason::OWN.into_iter().find(|reason| Some(reason.code()) == named);
    let told = call.args["confidence"].as_f64().map_or(0, percent);
    Some(Escalation { reason: reason.unwrap_or(Reason::TooHard), confidence: told })
}

/// A share, of 100.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
pub fn percent(share: f64) -> u8 {
    if share.is_nan() { 0 } else { (share * 100.0).round().clamp(0.0, 100.0) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, args: Value) -> Call {
        Call { id: "c".into(), tool: tool.into(), args }
    }

    #[test]
    fn a_reason_is_one_of_the_list_whatever_a_model_says() {
        let wanted = |args| wanted(&[call("gmail.search", json!({})), call(ESCALATE, args)]);
        assert_eq!(
            wanted(json!({ "reason": "needs_knowledge", "confidence": 0.314 })),
            Some(Escalation { reason: Reason::NeedsKnowledge, confidence: 31 })
        );
        let made_up = Some(Escalation::because(Reason::TooHard));
        assert_eq!(wanted(json!({ "reason": "ana's salary is 90k" })), made_up);
        assert_eq!(wanted(json!("garbage")), made_up);
        // What only our own code may say is not believed of a model.
        assert_eq!(wanted(json!({ "reason": "no_local_model" })), made_up);
        assert_eq!(super::wanted(&[call("gmail.search", json!({}))]), None);
    }

    #[test]
    fn the_call_is_written_down_with_how_sure_it_was_and_had_to_be() {
        let escalation = Escalation { reason: Reason::Unsure, confidence: 31 };
        let expected = json!({ "reason": "unsure", "confidence": 0.31, "threshold": 0.5 });
        assert_eq!(escalation.args(50), expected);
    }

    #[test]
    fn a_share_is_between_nothing_and_all() {
        let shares = [-1.0, 0.0, 0.5, 7.0, f64::NAN].map(percent);
        assert_eq!(shares, [0, 0, 50, 100, 0]);
    }
}
