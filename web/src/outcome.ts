/** What came of a request that did not simply succeed: which of its steps are done, which are not, and which nobody can tell. Pure. */
import type { StepStatus } from "../sdk/index.ts";
import type { Item, PlanItem } from "./items.ts";

export type Outcome = { done: readonly string[]; not: readonly string[]; unknown: readonly string[] };

const MEANS: Record<StepStatus, keyof Outcome> = {
  waiting: "not",
  queued: "unknown",
  done: "done",
  failed: "not",
  asking: "not",
  agreed: "unknown",
  declined: "not",
  expired: "not",
  not_run: "not",
};

/** Nothing where it was one step: the sentence above it has said all. */
export function outcomeOf(items: readonly Item[], turn: string): Outcome | null {
  const plan = items.find((item): item is PlanItem => item.kind === "plan" && item.turn === turn);
  if (!plan || plan.plan.progress.length < 2) return null;
  const of = (kind: keyof Outcome) =>
    plan.plan.progress.filter(({ status }) => MEANS[status] === kind).map(({ label }) => label);
  return { done: of("done"), not: of("not"), unknown: of("unknown") };
}
