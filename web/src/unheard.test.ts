/** What was written without a connection, among what was said later. */
import { expect, test } from "vitest";
import type { Waiting } from "../sdk/index.ts";
import { message } from "./gallery/samples.ts";
import { wordsOf } from "./ui/LinkBanner.tsx";
import { noteOf, placeOf } from "./unheard.ts";

const WORDS: Waiting = {
  eventId: "evt_1",
  thread: "thread_1",
  text: "Any new mail?",
  attachments: [],
  ts: "2026-11-15T14:02:30Z",
  isComing: false,
  isSent: false,
  isLate: true,
  hadCard: true,
};
const said = (id: string, ts: string) => message({ id, key: id, role: "user", ts });
const ITEMS = [said("before", "2026-11-15T14:02:00Z"), said("after", "2026-11-15T14:03:00Z")];

test("words that stay unsent keep their place above what was said later", () => {
  expect(placeOf({ ...WORDS, problem: "Not sent: a card waits for an answer" }, ITEMS)).toBe("after");
});

test("words on their way, and those that nothing came after, are the last", () => {
  expect(placeOf(WORDS, ITEMS)).toBe("");
  expect(placeOf({ ...WORDS, problem: "Not sent" }, ITEMS.slice(0, 1))).toBe("");
});

test("words that may not go are not promised to go", () => {
  expect(noteOf(WORDS, false, false)).toBe("Kept here: a card waits, so you’ll be asked first");
  expect(noteOf({ ...WORDS, hadCard: false }, false, false)).toBe("Will be sent when you’re back");
  expect(noteOf({ ...WORDS, hadCard: false }, true, true)).toBe("Next in line");
});

test("the banner promises no more of words than stands below them", () => {
  expect(wordsOf("offline", "")).toBe("Offline. You can keep typing; your words are kept.");
});
