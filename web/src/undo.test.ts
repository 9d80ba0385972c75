/** How what was done is taken back, and how one sees that it was. */
import { expect, test } from "vitest";
import type { Question } from "../sdk/index.ts";
import { CANCEL, card, EMAIL, EVENT, MEMORY, MOVE } from "./gallery/samples.ts";
import type { CardItem } from "./items.ts";
import { undoing, undoOf } from "./undo.ts";

const NOW = Date.parse("2026-11-15T14:02:00Z");

function noted(text: string): Question {
  return { ...MEMORY, preview: { kind: "memory", text, forgets: false } };
}

function closed(question: Question, output: unknown, state: "confirmed" | "failed_clean" = "confirmed"): CardItem {
  const result = { call_id: "c", ok: state === "confirmed", output, error: null, state, ts: "" };
  return card(question, { isOpen: false, result });
}

test("something new on the calendar is taken back by its name and its time, as people say it", () => {
  expect(undoOf(EVENT, NOW)).toBe("Cancel “Design review with Dana and Tom” on Thursday 19 November at 3:00 pm");
  expect(undoOf(EVENT, Date.parse("2025-12-01T00:00:00Z"))).toMatch(/ on Thursday 19 November 2026 at /);
  expect([undoOf(MOVE, NOW), undoOf(CANCEL, NOW), undoOf(EMAIL, NOW)]).toEqual(["", "", ""]);
});

test("what was noted is named within a sentence: small words are small, names and I stay", () => {
  expect(undoOf(noted("My desk is on floor four."), NOW)).toBe("Forget that my desk is on floor four");
  expect(undoOf(noted("Tom is allergic to nuts"), NOW)).toBe("Forget that Tom is allergic to nuts");
  expect(undoOf(noted("I like tea"), NOW)).toBe("Forget that I like tea");
  expect(undoOf(noted("Theodora likes tea"), NOW)).toBe("Forget that Theodora likes tea");
});

test("a receipt is taken back once the same event was cancelled, and no other", () => {
  const created = closed(EVENT, { event_id: "event_1" });
  const cancels = (event_id: string) => ({ ...CANCEL, payload: { event_id } });

  expect(undoing(created, [created])).toBe("");
  expect(undoing(created, [created, closed(cancels("event_2"), {})])).toBe("");
  expect(undoing(created, [created, closed(cancels("event_1"), {}, "failed_clean")])).toBe("");
  expect(undoing(created, [created, closed(cancels("event_1"), {})])).toBe("done");
});

test("a receipt is taken back once the same memory was forgotten", () => {
  const kept = closed(MEMORY, { memory_id: "memory_1" });
  const forgets: Question = { ...MEMORY, action_type: "forget", payload: { memory_id: "memory_1" } };

  expect(undoing(kept, [kept, card(forgets)])).toBe("asked");
  expect(undoing(kept, [kept, closed(forgets, { memory_id: "memory_1" })])).toBe("done");
});
