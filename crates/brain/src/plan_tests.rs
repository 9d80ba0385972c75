use serde_json::json;
use uuid::Uuid;

use super::*;

/// Knows a search that wants a query, an opener and a sender.
struct ThreeTools;

impl Shelf for ThreeTools {
    fn level(&self, tool: &str) -> Option<ActionLevel> {
        match tool {
            "search" | "open" => Some(ActionLevel::Read),
            "send" => Some(ActionLevel::Write),
            _ => None,
        }
    }

    fn accepts(&self, tool: &str, args: &Value) -> Result<(), String> {
        let field = if tool == "search" { "query" } else { "id" };
        match args[field].as_str() {
            Some(_) => Ok(()),
            None => Err(format!("{field} is missing")),
        }
    }
}

fn proposal(steps: &[(&str, Value)]) -> Proposal {
    let steps = steps
        .iter()
        .map(|(tool, args)| ProposedStep { tool: (*tool).to_owned(), args: args.clone() })
        .collect();
    Proposal { steps, ..Proposal::default() }
}

fn checked(steps: &[(&str, Value)]) -> Result<Plan, BadPlan> {
    check(proposal(steps), PlanId(Uuid::nil()), &ThreeTools)
}

#[test]
fn a_plan_takes_its_action_levels_from_the_catalog() {
    let plan =
        checked(&[("search", json!({"query": "ana"})), ("send", json!({"id": "1"}))]).unwrap();

    let levels: Vec<_> =
        plan.steps.iter().map(|s| (s.action_level, s.requires_confirmation)).collect();
    assert_eq!(levels, [(ActionLevel::Read, false), (ActionLevel::Write, true)]);
}

#[test]
fn a_plan_is_spelled_as_clients_expect_it() {
    let plan = checked(&[("search", json!({"query": "ana"}))]).unwrap();
    assert_eq!(
        serde_json::to_value(plan).unwrap(),
        json!({
            "plan_id": "plan_00000000000000000000000000000000",
            "steps": [{
                "step_index": 1,
                "tool": "search",
                "args": {"query": "ana"},
                "action_level": "read",
                "requires_confirmation": false,
            }],
            "missing_fields": [],
            "ambiguity": {},
        })
    );
}

#[test]
fn an_unknown_tool_bad_arguments_and_endless_plans_are_refused() {
    assert_eq!(checked(&[("fly", json!({}))]), Err(BadPlan::NoSuchTool("fly".into())));
    assert_eq!(
        checked(&[("search", json!({}))]),
        Err(BadPlan::BadArguments { tool: "search".into(), reason: "query is missing".into() })
    );
    let long = vec![("search", json!({"query": "x"})); MOST_STEPS + 1];
    assert_eq!(checked(&long), Err(BadPlan::TooLong(MOST_STEPS + 1)));
}

#[test]
fn a_step_takes_its_argument_from_an_earlier_result() {
    let open = json!({"id": from_step(1, "/messages/0/id")});
    let plan = checked(&[("search", json!({"query": "ana"})), ("open", open)]).unwrap();
    let found = [json!({"messages": [{"id": "m7"}]})];

    assert_eq!(plan.steps[1].depends_on(), [1]);
    assert_eq!(plan.steps[1].filled(&found, &ThreeTools), Ok(json!({"id": "m7"})));
}

#[test]
fn a_reference_into_nothing_or_into_the_future_is_refused() {
    let forward = json!({"id": from_step(2, "/x")});
    assert_eq!(checked(&[("open", forward)]), Err(BadPlan::BadReference { step: 1, from: 2 }));
    let open = json!({"id": from_step(1, "/messages/0/id")});
    let plan = checked(&[("search", json!({"query": "ana"})), ("open", open)]).unwrap();
    assert_eq!(
        plan.steps[1].filled(&[json!({"messages": []})], &ThreeTools),
        Err(BadPlan::NothingThere { from: 1, pointer: "/messages/0/id".into() })
    );
}

#[test]
fn what_a_reference_brings_must_still_fit_the_tool() {
    let open = json!({"id": from_step(1, "/messages")});
    let plan = checked(&[("search", json!({"query": "ana"})), ("open", open)]).unwrap();
    let error = plan.steps[1].filled(&[json!({"messages": []})], &ThreeTools).unwrap_err();
    assert_eq!(
        error,
        BadPlan::BadArguments { tool: "open".into(), reason: "id is missing".into() }
    );
}

#[test]
fn a_plan_that_grows_keeps_its_steps_and_counts_on() {
    let first = checked(&[("search", json!({"query": "ana"}))]).unwrap();
    let more = proposal(&[
        ("search", json!({"query": "tom"})),
        ("open", json!({"id": from_step(1, "/messages/0/id")})),
    ]);

    let grown = first.extended(more, &ThreeTools).unwrap();

    assert_eq!(grown.plan_id, first.plan_id);
    assert_eq!(grown.steps[0], first.steps[0]);
    let indices: Vec<_> = grown.steps.iter().map(|step| step.step_index).collect();
    assert_eq!(indices, [1, 2, 3]);
    assert_eq!(grown.steps[2].depends_on(), [2]);
}

#[test]
fn a_plan_does_not_grow_beyond_what_anybody_would_read() {
    let search = ("search", json!({"query": "ana"}));
    let full = checked(&vec![search.clone(); MOST_STEPS]).unwrap();
    let more = full.extended(proposal(&[search]), &ThreeTools);
    assert_eq!(more, Err(BadPlan::TooLong(MOST_STEPS + 1)));
}

#[test]
fn what_a_plan_grows_by_is_checked_like_the_rest() {
    let first = checked(&[("search", json!({"query": "ana"}))]).unwrap();
    let odd = first.extended(proposal(&[("open", json!({}))]), &ThreeTools);
    assert!(matches!(odd, Err(BadPlan::BadArguments { .. })), "{odd:?}");
    let before = first.extended(
        proposal(&[("open", json!({"id": from_step(1, "/messages/0/id")}))]),
        &ThreeTools,
    );
    assert_eq!(before, Err(BadPlan::BadReference { step: 1, from: 1 }));
}
