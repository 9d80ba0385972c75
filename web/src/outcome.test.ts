import { expect, test } from "vitest";
import { PLAN } from "./gallery/samples.ts";
import type { PlanItem } from "./items.ts";
import { outcomeOf } from "./outcome.ts";

function planned(...statuses: PlanItem["plan"]["progress"][number]["status"][]): PlanItem {
  const progress = statuses.map((status, at) => ({ step_index: at + 1, status, label: `step ${at + 1}` }));
  return { ...PLAN, turn: "turn_1", plan: { ...PLAN.plan, progress } };
}

test("steps are told apart by what can be proven of them", () => {
  expect(outcomeOf([planned("done", "agreed", "failed", "not_run")], "turn_1")).toEqual({
    done: ["step 1"],
    not: ["step 3", "step 4"],
    unknown: ["step 2"],
  });
});

test("one step, or somebody else's turn, needs no list", () => {
  expect(outcomeOf([planned("failed")], "turn_1")).toBeNull();
  expect(outcomeOf([planned("done", "failed")], "turn_2")).toBeNull();
});
