/** What a card and its receipt are called. */
import { expect, test } from "vitest";
import { CANCEL, card, EMAIL, EVENT, LINES, MOVE } from "./gallery/samples.ts";
import { gist, shortQuestion } from "./gist.ts";
import { receiptOf, unusedIn, verbsOf } from "./receipt.ts";
import { entriesOf, write } from "./ui/editing.ts";

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

test("a write that the page does not know is called as its question calls it", () => {
  expect(verbsOf(LINES)).toMatchObject({ accept: "Move it", reject: "Don’t move it", done: "Done" });
  expect(verbsOf({ ...LINES, title: "Shall I?" })).toMatchObject({ accept: "Do it", reject: "Don’t" });
});

test("what was written in a card is told where it was decided without it, and only there", () => {
  const kept = { revision: 1, entries: write(entriesOf(EMAIL), "body", "I will bring cake.") };
  const both = { revision: 1, entries: write(kept.entries, "subject", "Cake") };
  const sent = card({ ...EMAIL, payload: { ...EMAIL.payload, body: "I will bring cake." } });
  expect(unusedIn(card(EMAIL), kept)).toBe("I will bring cake.");
  expect(unusedIn(card(EMAIL), both)).toBe("Subject: Cake\nText: I will bring cake.");
  expect(unusedIn(sent, kept)).toBe("");
  expect(unusedIn(sent, both)).toBe("Cake");
  expect(unusedIn(card(EMAIL), undefined)).toBe("");
  const moved = { revision: 1, entries: write(entriesOf(EVENT), "start", "2026-11-19T16:00") };
  expect(unusedIn(card(EVENT), moved)).toMatch(/^Starts: 2026-11-19T16:00\nEnds: /);
});

test("of an event, when it is comes first, in one style", () => {
  expect(gist(EVENT)).toMatch(/^Thu, .*3:00 to 3:30 pm · Design review with Dana and Tom$/);
});
