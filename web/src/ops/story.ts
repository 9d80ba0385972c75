/** A write from its card to its outcome, out of its lines of the audit. */
import type { AuditLine } from "./figures.ts";

export type Story = {
  tool: string;
  turn: string;
  askedAt: string;
  /** What was decided last, and how the answer came. */
  decision?: { what: string; how: string; at: string; revision: number };
  /** What became of it. */
  outcome?: { what: string; at: string; why: string };
  /** How often it was sent out. */
  attempts: number;
  /** What was done has the fingerprint of what was shown; absent while nothing was done. */
  isSame?: boolean;
};

const DECISIONS = ["accepted", "rejected", "expired"];
const STEPS = [
  "intent_logged",
  "dispatching",
  "confirmed",
  "failed_clean",
  "maybe_sent",
  "reconciled_done",
  "reconciled_not_done",
  "needs_user",
];

/** `lines` are of one card, in any order. */
export function storyOf(lines: readonly AuditLine[]): Story | null {
  const told = lines.toSorted((a, b) => a.number - b.number);
  const first = told[0];
  if (!first) return null;
  const decided = told.findLast(({ what }) => DECISIONS.includes(what));
  const steps = told.filter(({ what }) => STEPS.includes(what));
  const last = steps.at(-1);
  const shown = decided?.seal;
  return {
    tool: first.tool ?? "",
    turn: first.turn ?? "",
    askedAt: first.at,
    ...(decided && {
      decision: { what: decided.what, how: decided.why ?? "", at: decided.at, revision: decided.revision ?? 1 },
    }),
    ...(last && { outcome: { what: last.what, at: last.at, why: last.why ?? "" } }),
    attempts: steps.filter(({ what }) => what === "dispatching").length,
    ...(last && shown && { isSame: steps.every(({ seal }) => seal === shown) }),
  };
}
