import { expect, test } from "vitest";
import { CANCEL, card, EVENT, MEMORY, MOVE } from "./gallery/samples.ts";
import { shortQuestion } from "./gist.ts";
import { receiptOf, undoOf, verbsOf } from "./receipt.ts";

test("something new on the calendar is taken back by its name and its time", () => {
  expect(undoOf(EVENT)).toBe("Cancel “Design review with Dana and Tom” on 2026-11-19 at 3:00 pm");
  expect(undoOf(MEMORY)).toBe("Forget that");
  expect([undoOf(MOVE), undoOf(CANCEL)]).toEqual(["", ""]);
});

test("cancelling and moving have verbs of their own", () => {
  expect([verbsOf(CANCEL).accept, verbsOf(CANCEL).reject]).toEqual(["Cancel event", "Keep it"]);
  expect([verbsOf(MOVE).accept, verbsOf(MOVE).reject]).toEqual(["Move event", "Leave it"]);
  expect(shortQuestion(CANCEL)).toBe("Cancel “Heron stand-up”?");
  expect(shortQuestion(MOVE)).toBe("Move “Design review: Heron”?");
});

test("what was changed meanwhile is told, and nothing is claimed", () => {
  const error = { code: "changed", message: "", retryable: false };
  const result = { call_id: "c", ok: false, output: null, error, state: "failed_clean" as const, ts: "" };
  const closed = card(CANCEL, { isOpen: false, result });
  expect(receiptOf(closed, false, () => "")).toMatchObject({
    tone: "bad",
    words: "Not cancelled: it was changed elsewhere meanwhile",
  });
});
